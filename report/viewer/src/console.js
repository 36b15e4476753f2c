/*
 * console.js - the SQL box: named queries with their parameters, the statement, its answer as a table and as CSV,
 * and the tables and views of the recording with what their columns mean.
 */
import { Asker } from './asker.js';
import { painted, paramValue } from './data.js';
import { element, get, save } from './dom.js';
import { answer, csv, duration, number } from './format.js';
import { lacking, lackingTables } from './levels.js';
import { Table } from './table.js';
import { showTab } from './tabs.js';

const KEEP = 200000; /* rows of an answer that are kept */
const PART = 1000; /* rows that are shown at first */

export class Console {
	constructor(recording) {
		this.recording = recording;
		this.table = new Table(get('answer'), { part: PART, more: get('answer-more'), noun: 'rows' });
		this.answered = null;
		this.asking = false;
		this.asker = new Asker(recording);
		this.fillQueries();
		get('run-query').addEventListener('click', () => this.run());
		get('stop-query').addEventListener('click', () => this.asker.stop());
		get('answer-csv').addEventListener('click', () =>
			save('answer.csv', csv(this.answered.columns, this.answered.rows), 'text/csv'),
		);
		get('sql').addEventListener('keydown', (event) => {
			if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
				event.preventDefault();
				this.run();
			}
		});
	}

	fillQueries() {
		const select = get('queries');
		select.append(
			element('option', { value: '' }, 'your own'),
			...this.recording.meta.queries.map(({ name, title }) =>
				element('option', { value: name }, `${name} – ${title}`),
			),
		);
		select.addEventListener('change', () => this.choose(select.value));
		if (this.recording.meta.queries.length > 0) {
			select.value = this.recording.meta.queries[0].name;
			this.choose(select.value);
		}
	}

	choose(name) {
		const query = this.recording.meta.queries.find((one) => one.name === name);
		get('params').replaceChildren(...(query?.params ?? []).map((param) => this.input(param)));
		if (query) get('sql').value = query.sql;
	}

	input({ name, fallback, help }) {
		return element(
			'label',
			{ title: help },
			`${name}: ${help}`,
			element('input', {
				name,
				value: fallback,
				placeholder: 'NULL',
				autocomplete: 'off',
				onkeydown: (event) => {
					if (event.key === 'Enter') this.run();
				},
			}),
		);
	}

	/* Shows a statement of the page itself. */
	put(sql) {
		get('queries').value = '';
		this.choose('');
		get('sql').value = sql;
		showTab('sql');
		this.run();
	}

	say(text, bad = false) {
		get('answer-status').textContent = text;
		get('answer-status').classList.toggle('bad', bad);
	}

	async run() {
		if (this.asking) return;
		this.asking = true;
		const values = {};
		for (const input of get('params').querySelectorAll('input'))
			values[input.name] = paramValue(input.value.trim());
		get('stop-query').hidden = false;
		get('run-query').disabled = true;
		this.say('Asking …');
		await painted(); /* the first statement copies the recording */
		const since = performance.now();
		try {
			this.answered = await this.asker.ask(get('sql').value, values, {
				keep: KEEP,
				progress: (count) => this.say(`${number(count)} rows …`),
			});
			this.show(performance.now() - since, this.lack(values));
		} catch (error) {
			this.say(String(error.message ?? error), true);
		}
		get('stop-query').hidden = true;
		get('run-query').disabled = false;
		this.asking = false;
	}

	/* What the recording lacks for the answer: to a named query that nobody has edited, or to any other statement. */
	lack(values) {
		const sql = get('sql').value;
		const query = this.recording.meta.queries.find((one) => one.name === get('queries').value && one.sql === sql);
		if (query?.level) return lacking(this.recording, `@${query.name}`, query.level, values, false);
		const says = this.answered.rows.some((row) => row.some(Boolean));
		return { empty: false, sentence: query ? null : lackingTables(this.recording, sql, values, says) };
	}

	show(ms, lack) {
		const { columns, count, stopped } = this.answered,
			rows = lack.empty ? [] : this.answered.rows;
		this.table.options.nothing = lack.sentence;
		this.table.fill(
			columns.map((name, i) => ({
				name,
				numeric: rows.some((row) => typeof row[i] === 'number'),
				show: answer,
			})),
			rows,
		);
		const kept = count > rows.length ? `; the first ${number(rows.length)} are kept` : '';
		this.say(
			`${number(count)} ${count === 1 ? 'row' : 'rows'}${stopped ? ', stopped' : ''} in ` +
				`${duration(Math.round(ms * 1e3) * 1e3)}${kept}${lack.sentence ? `. ${lack.sentence}` : ''}`,
		);
		get('answer-csv').disabled = columns.length === 0;
	}
}

function insert(text) {
	const box = get('sql');
	box.setRangeText(text, box.selectionStart, box.selectionEnd, 'end');
	box.focus();
}

function describe(recording) {
	const docs = new Map();
	for (const [table, column, unit, text] of recording.query(
		'SELECT tbl, col, unit, description FROM column_doc',
	).rows)
		docs.set(`${table}.${column}`, { unit, text });
	return recording
		.query(
			`SELECT m.name, m.type, c.name FROM sqlite_master m JOIN pragma_table_xinfo(m.name) c
		WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite%' AND c.hidden <> 1
		ORDER BY m.type DESC, m.name, c.cid`,
		)
		.rows.map(([table, type, column]) => ({
			table,
			type,
			column,
			...docs.get(`${table}.${column}`),
		}));
}

function columnEntry({ table, column, unit, text }) {
	return element(
		'li',
		{ 'data-name': `${table}.${column}`.toLowerCase() },
		element(
			'button',
			{ type: 'button', tabindex: -1, title: `insert ${column}`, onclick: () => insert(column) },
			column,
		),
		unit ? element('span', { class: 'unit' }, ` ${unit}`) : '',
		text ? element('span', { class: 'doc' }, text) : '',
	);
}

export function fillSchema(recording) {
	const groups = new Map();
	for (const entry of describe(recording)) {
		if (!groups.has(entry.table)) groups.set(entry.table, []);
		groups.get(entry.table).push(entry);
	}
	const list = [...groups].map(([table, columns]) =>
		element(
			'details',
			{ 'data-name': table.toLowerCase() },
			element(
				'summary',
				{ tabindex: -1 },
				table,
				element('span', { class: 'kind' }, columns[0].type),
				element(
					'button',
					{
						type: 'button',
						tabindex: -1,
						title: `insert ${table}`,
						onclick: (event) => {
							event.preventDefault();
							insert(table);
						},
					},
					'↵',
				),
			),
			element('ul', {}, ...columns.map(columnEntry)),
		),
	);
	get('schema').replaceChildren(...list);
	get('schema').addEventListener('keydown', walk);
	get('schema-filter').addEventListener('input', (event) =>
		filter(event.target.value.trim().toLowerCase()),
	);
}

/* The Tab key stops once at the list. Arrows go from entry to entry. */
function walk(event) {
	const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
	if (!step) return;
	event.preventDefault();
	const entries = [...get('schema').querySelectorAll('summary, button')].filter((one) => one.checkVisibility());
	const here = entries.indexOf(document.activeElement);
	entries[Math.max(0, Math.min(entries.length - 1, here + step))]?.focus();
}

function filter(word) {
	for (const group of get('schema').children) {
		const entries = [...group.querySelectorAll('li')];
		const whole = group.dataset.name.includes(word);
		for (const entry of entries) entry.hidden = !whole && !entry.dataset.name.includes(word);
		group.hidden = !whole && entries.every((entry) => entry.hidden);
		group.open = word !== '' && !group.hidden && !whole;
	}
}
