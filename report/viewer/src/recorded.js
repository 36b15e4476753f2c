/*
 * recorded.js - how far a real machine was from the simulation: for each task and kind of segment the least that half, and
 * nine of ten, of the starts are off, the most, and how often which reason stands in the recording. All of it is one
 * statement over v_measured, which the page can show.
 */
import { taskColour } from './colours.js';
import { painted } from './data.js';
import { choice, element, get } from './dom.js';
import { duration, number, realsOf } from './format.js';
import { reasonWords } from './gantt/both.js';
import { TOLERANCE } from './gantt/measured.js';
import { families, FAMILY_SQL, policies } from './names.js';
import { Table } from './table.js';
import { onTab } from './tabs.js';

const CHOICE_MOST = 2000;
const AT_ONCE = 50000; /* rows that are added up before anybody waits */

/* What rows are grouped by: [choice, its text, columns]. */
const GROUPS = [
	['both', 'task and kind', ['task', 'kind']],
	['kind', 'kind', ['kind']],
	['task', 'task', ['task']],
];
/* The same where many tasks are families. */
const FAMILY_GROUPS = [
	['both', 'task and kind', ['family', 'kind']],
	['kind', 'kind', ['kind']],
	['task', 'task', ['family']],
	['each', 'each single task', ['task']],
];

const quoted = (text) => `'${text.replace(/'/g, "''")}'`;

/*
 * |simulated - recorded start| of a run's segments. The median of an even number is between two; the 90 % are the least that
 * nine of ten do not exceed: as in cegsim replay.
 */
export function statement(run, columns, reasons) {
	const group = columns.map((name) => (name === 'task' ? 'task_id' : name)).join(', ');
	const family = columns.includes('family') ? `, ${FAMILY_SQL} AS family` : '';
	const order = `PARTITION BY ${group} ORDER BY off_us IS NULL, off_us`;
	const counts = reasons.map((reason) => `,\n\tsum(reason = ${quoted(reason)}) AS ${reason}`).join('');
	return `WITH
off AS (
	SELECT task_id, task, kind, reason, deviation_ms, abs(deviation_ms) * 1e3 AS off_us${family}
	FROM v_measured WHERE run_id = ${Number(run)}),
ranked AS (
	SELECT *, row_number() OVER (${order}) AS place,
		count(off_us) OVER (${order} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS n FROM off)
SELECT ${columns.join(', ')}, count(*) AS recorded, count(deviation_ms) AS compared,
	avg(CASE WHEN place IN ((n + 1) / 2, n / 2 + 1) THEN off_us END) AS median_us,
	max(CASE place WHEN (n * 9 + 9) / 10 THEN off_us END) AS p90_us, max(off_us) AS max_us,
	coalesce(sum(deviation_ms < ${-TOLERANCE / 1e6}), 0) AS later,
	coalesce(sum(deviation_ms > ${TOLERANCE / 1e6}), 0) AS earlier${counts}
FROM ranked GROUP BY ${group} ORDER BY ${group}`;
}

/* keys: of a row of the table. The job with the start that is off the most: { task, seq }; null: none was compared. */
function worst(recording, run, keys) {
	const where = Object.keys(keys).map((name) => `AND ${name === 'family' ? FAMILY_SQL : `m.${name}`} = :${name}`);
	const [row] = recording.query(
		`SELECT t.task_idx, m.seq FROM v_measured m JOIN task t USING (task_id) WHERE m.run_id = :run ${where.join(' ')}
		AND m.deviation_ms IS NOT NULL ORDER BY abs(m.deviation_ms) DESC, m.task_id, m.seq LIMIT 1`,
		{ run, ...keys },
	).rows;
	return row ? { task: row[0], seq: row[1] } : null;
}

export class Recorded {
	/* lead(run, task, seq): shows a job in the schedule; null: there is none to show. */
	constructor(recording, lead) {
		this.recording = recording;
		this.lead = lead;
		this.state = { run: null, by: GROUPS[0][0] };
		this.drawn = '';
		const kept = recording.meta.tables.measured?.kept ?? 0;
		get('recorded-part').hidden = kept === 0;
		if (kept === 0) return;
		const names = policies(recording);
		this.runs = recording
			.records(`SELECT run_id, policy_id FROM run WHERE run_id IN (SELECT run_id FROM measured) ORDER BY run_id`)
			.slice(0, CHOICE_MOST)
			.map(({ run_id, policy_id }) => [String(run_id), `${run_id}: ${names.get(policy_id).label}`]);
		[[this.state.run]] = this.runs;
		this.large = kept > AT_ONCE;
		onTab((name) => name === 'recorded' && this.open());
	}

	/* The names of the run's tasks, and what rows can be grouped by. */
	get groups() {
		const { of, names } = this.family();
		return names.length < of.length ? FAMILY_GROUPS : GROUPS;
	}

	family() {
		this.families ??= new Map();
		const { run } = this.state;
		if (!this.families.has(run)) {
			const tasks = this.recording
				.query('SELECT t.name FROM task t JOIN run r USING (taskset_id) WHERE r.run_id = :run ORDER BY t.task_idx', { run: Number(run) })
				.rows.map(([name]) => name);
			this.families.set(run, { ...families(tasks), tasks });
		}
		return this.families.get(run);
	}

	get columns() {
		return (this.groups.find(([by]) => by === this.state.by) ?? this.groups[0])[2];
	}

	/* The statement behind the table. */
	sql() {
		const { run } = this.state;
		this.reasons ??= new Map();
		if (!this.reasons.has(run))
			this.reasons.set(
				run,
				this.recording
					.query('SELECT DISTINCT reason FROM measured WHERE run_id = :run AND reason IS NOT NULL ORDER BY 1', { run })
					.rows.map(([reason]) => reason),
			);
		return statement(run, this.columns, this.reasons.get(run));
	}

	/* Of many rows the first answer has a button. */
	open() {
		if (!this.large) {
			this.draw();
			return;
		}
		const { kept } = this.recording.meta.tables.measured;
		const button = element('button', { type: 'button' }, 'Find out');
		button.addEventListener('click', async () => {
			get('recorded-lead').textContent = `Adding up ${number(kept)} recorded segments …`;
			button.remove();
			await painted();
			this.large = false;
			this.draw();
		});
		get('recorded-lead').textContent = `How far ${number(kept)} recorded segments are from simulated ones takes a while.`;
		get('recorded-controls').replaceChildren(button);
	}

	choose(name, value) {
		this.state[name] = value;
		this.draw();
	}

	draw() {
		const sql = this.sql();
		if (sql === this.drawn) return;
		this.drawn = sql;
		const controls = [
			choice(
				'By',
				this.groups.map(([by, text]) => [by, text]),
				this.state.by,
				(value) => this.choose('by', value),
			),
		];
		if (this.runs.length > 1) controls.unshift(choice('Run', this.runs, this.state.run, (value) => this.choose('run', value)));
		get('recorded-controls').replaceChildren(...controls);
		const { columns, rows } = this.recording.query(sql);
		get('recorded-lead').textContent =
			`How far recorded starts are from simulated ones. Later and earlier: by more than ${duration(TOLERANCE)}.` +
			(this.lead ? ' A click on a row shows the job that is off the most.' : '');
		const table = new Table(get('recorded-table'), {
			more: get('recorded-more'),
			noun: 'rows',
			chosen: this.lead && ((row) => this.show(columns, row)),
		});
		table.fill(this.looks(columns, rows), rows);
	}

	show(columns, row) {
		const { run } = this.state;
		const keys = Object.fromEntries(this.columns.map((name) => [name, row[columns.indexOf(name)]]));
		const job = worst(this.recording, run, keys);
		if (job) this.lead(Number(run), job.task, job.seq);
	}

	looks(columns, rows) {
		const at = (name) => columns.indexOf(name);
		const valuesOf = (name) => rows.map((row) => row[at(name)]);
		const micros = (name, label, title) => ({ label: `${label} (µs)`, title, numeric: true, show: realsOf(valuesOf(name)) });
		const { tasks, names, of } = this.family();
		const hue = new Map([...names.map((name, i) => [name, i]), ...tasks.map((name, i) => [name, of[i]])]);
		const task = {
			label: 'task',
			show: (value) =>
				element(
					'span',
					{ class: 'task' },
					element('i', { style: `background: ${taskColour(hue.get(value) ?? 0)}` }),
					value,
				),
		};
		const count = { numeric: true, show: (value) => (value === null ? '–' : number(value)) };
		const known = {
			task,
			family: task,
			kind: {},
			recorded: {
				...count,
				title: 'segments that were recorded',
				hidden: rows.every((row) => row[at('recorded')] === row[at('compared')]),
			},
			compared: { ...count, label: 'n', title: 'recorded segments that the simulation began, too' },
			median_us: micros('median_us', 'median', 'half of the starts are off by less'),
			p90_us: micros('p90_us', '90 %', 'nine of ten starts are off by no more'),
			max_us: micros('max_us', 'most', 'the start that is off the most'),
			later: { ...count, title: 'recorded later than simulated' },
			earlier: { ...count, title: 'recorded earlier than simulated' },
		};
		return columns.map((name) => ({
			name,
			...(known[name] ?? { ...count, label: reasonWords(name), title: `segments with the reason ${name}` }),
		}));
	}
}
