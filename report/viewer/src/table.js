/*
 * table.js - tables: sorting by any column, a part of the rows first and more on demand, bars inside of cells,
 * rows that can be chosen with the mouse or the keyboard.
 */
import { element } from './dom.js';
import { number } from './format.js';

const compare = (a, b) => {
	if (a === null || b === null) return (a === null) - (b === null);
	if (typeof a === 'number' && typeof b === 'number') return a - b;
	return String(a).localeCompare(String(b), 'en', { numeric: true });
};

/*
 * columns: [{ name, label, title, numeric, hidden, show(value, row) -> text or node, bar(value, row) -> 0..1 or null,
 * tone of the bar, or tone(value) }];
 * rows: arrays in the order of the columns. options: { part, more (an element; without one all rows are shown), noun,
 * nothing (the text where there are no rows, in place of "no " and the noun), chosen(row), selected(row) }.
 */
export class Table {
	constructor(table, options = {}) {
		this.table = table;
		this.options = { part: options.more ? 200 : Infinity, noun: 'rows', ...options };
	}

	fill(columns, rows) {
		this.columns = columns;
		this.rows = rows;
		this.order = rows.map((_, i) => i);
		this.sorted = { column: -1, down: false };
		this.shown = this.options.part;
		this.draw();
	}

	sort(column) {
		const down = this.sorted.column === column ? !this.sorted.down : false;
		this.sorted = { column, down };
		const rows = this.rows;
		this.order = rows
			.map((_, i) => i)
			.sort((a, b) => {
				const x = rows[a][column],
					y = rows[b][column];
				const order = compare(x, y);
				/* Missing values come last in both directions. */
				return (down && x !== null && y !== null ? -order : order) || a - b;
			});
		this.draw();
		this.table.querySelector(`th button[data-column="${column}"]`)?.focus();
	}

	draw() {
		const head = element('tr');
		this.columns.forEach((column, i) => column.hidden || head.append(this.header(column, i)));
		const body = element('tbody');
		for (const index of this.order.slice(0, this.shown))
			body.append(this.line(this.rows[index], index));
		if (this.rows.length === 0)
			body.append(
				element(
					'tr',
					{},
					element(
						'td',
						{ class: 'null', colspan: this.columns.length },
						this.options.nothing ?? `no ${this.options.noun}`,
					),
				),
			);
		this.table.replaceChildren(element('thead', {}, head), body);
		this.drawMore();
	}

	header(column, i) {
		const here = this.sorted.column === i;
		const button = element(
			'button',
			{
				type: 'button',
				title: column.title,
				'data-column': i,
				onclick: () => this.sort(i),
			},
			column.label ?? column.name,
			element(
				'span',
				{ class: 'arrow', 'aria-hidden': 'true' },
				here ? (this.sorted.down ? '▼' : '▲') : '',
			),
		);
		return element(
			'th',
			{
				scope: 'col',
				class: column.numeric ? 'num' : null,
				'aria-sort': here ? (this.sorted.down ? 'descending' : 'ascending') : null,
			},
			button,
		);
	}

	line(row, index) {
		const line = element('tr', { 'data-index': index });
		this.columns.forEach(
			(column, i) => column.hidden || line.append(this.cell(column, row[i], row)),
		);
		if (this.options.chosen) {
			line.tabIndex = 0;
			line.classList.add('choice');
			line.addEventListener('click', () => this.options.chosen(row));
			line.addEventListener('keydown', (event) => {
				if (event.key === 'Enter') this.options.chosen(row);
			});
			if (this.options.selected?.(row)) line.setAttribute('aria-selected', 'true');
		}
		return line;
	}

	cell(column, value, row) {
		const shown = column.show ? column.show(value, row) : value === null ? '–' : String(value);
		const exact = value === null || value instanceof Uint8Array ? null : String(value);
		const cell = element(
			'td',
			{
				class: column.numeric ? 'num' : value === null ? 'null' : null,
				'data-value': exact,
				title: exact !== null && exact !== shown ? exact : null,
			},
			shown,
		);
		const share = column.bar ? column.bar(value, row) : null;
		if (share !== null && share !== undefined) {
			cell.classList.add('bar-cell');
			cell.style.setProperty('--share', String(Math.max(0, Math.min(1, share))));
			const tone = typeof column.tone === 'function' ? column.tone(value) : column.tone;
			if (tone) cell.dataset.tone = tone;
		}
		return cell;
	}

	drawMore() {
		const { more, noun, part } = this.options;
		if (!more) return;
		const total = this.rows.length;
		more.replaceChildren();
		if (this.shown >= total) return;
		const next = Math.min(part * 5, total - this.shown);
		more.append(
			`The first ${number(this.shown)} of ${number(total)} ${noun}. `,
			element(
				'button',
				{
					type: 'button',
					class: 'quiet',
					onclick: () => {
						this.shown += next;
						this.draw();
					},
				},
				`${number(next)} more`,
			),
		);
	}
}
