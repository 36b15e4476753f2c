/*
 * acceptance.js - the share of schedulable sets over utilisation, or over another axis of a campaign, of runs and of
 * analyses, with Wilson's 95 % bands.
 */
import { areaY, dot, line, plot, ruleY } from '@observablehq/plot';
import { lineStyle } from './colours.js';
import { objects } from './data.js';
import { choice, get } from './dom.js';
import { figure, onWidth } from './figure.js';
import { labels, policies } from './names.js';

/* "gpu=0.5 utilisation=1.2" as { gpu: "0.5", utilisation: "1.2" }. */
function axes(point) {
	return Object.fromEntries(
		point
			.split(/ (?=[A-Za-z_][\w-]*=)/)
			.filter(Boolean)
			.map((part) => {
				const at = part.indexOf('=');
				return [part.slice(0, at), part.slice(at + 1)];
			}),
	);
}

/* "150%" and "1.5" are the same place of an axis; NaN: it is a word. */
const place = (value) =>
	/^-?[\d.]+ ?%$/.test(value) ? Number.parseFloat(value) / 100 : value === '' ? NaN : Number(value);

/* Over utilisation alone the views answer; over more, the queries of a campaign's grid. */
function rowsOf(recording) {
	const points = recording.value('SELECT count(DISTINCT recipe) FROM taskset WHERE recipe IS NOT NULL');
	const levels = recording.value('SELECT count(DISTINCT target_utilisation_ppm) FROM taskset');
	const whole = (kind, rows, axesOf) => rows.map((row) => ({ ...row, kind, axes: axesOf(row) }));
	if (points > levels || (points > 1 && levels <= 1)) {
		const grid = (name) => objects(recording.named(name));
		return [
			...whole('run', grid('grid'), (row) => axes(row.point)),
			...whole('analysis', grid('analysis-grid'), (row) => axes(row.point)),
		];
	}
	const view = (name) =>
		recording.records(
			`SELECT * FROM ${name} WHERE target_utilisation IS NOT NULL ORDER BY target_utilisation`,
		);
	const over = (row) => ({ utilisation: String(row.target_utilisation) });
	return [
		...whole('run', view('v_acceptance'), over),
		...whole('analysis', view('v_analysis_acceptance'), over),
	];
}

/* Runs in the order of their policies, which so have the colours that they have among the responses. */
function load(recording) {
	const order = [...policies(recording).values()].map(({ name, params }) => `${name} ${params}`);
	const rank = (row) => (row.kind === 'run' ? order.indexOf(`${row.policy} ${row.params}`) : order.length);
	return rowsOf(recording).sort((a, b) => rank(a) - rank(b));
}

const identity = (row) =>
	[row.kind, row.policy, row.params, row.analysis, row.analysis_params].join('\u0000');

/* A line for each policy, or each analysis of a policy's plans, that the rows are of. */
function lines(rows) {
	const first = new Map();
	for (const row of rows) {
		if (!first.has(identity(row))) first.set(identity(row), row);
	}
	const entries = [...first.values()].map((row) =>
		row.kind === 'run'
			? { name: row.policy, params: row.params }
			: {
					name:
						row.analysis === row.policy
							? row.analysis
							: `${row.analysis} for ${row.policy}`,
					params: JSON.stringify({
						...JSON.parse(row.params || '{}'),
						...JSON.parse(row.analysis_params || '{}'),
					}),
				},
	);
	const names = labels(entries);
	return [...first].map(([key, row], i) => ({
		key,
		kind: row.kind,
		label: names[i] + (row.safety === 'unsafe' ? ' (unsafe)' : ''),
		line: true,
		...lineStyle(i),
		off: i >= 14,
	}));
}

class Acceptance {
	constructor(rows) {
		this.rows = rows;
		this.kinds = [...new Set(rows.map((row) => row.kind))];
		this.kind = this.kinds[0];
		this.axes = [...new Set(rows.flatMap((row) => Object.keys(row.axes)))];
		this.axis = this.axes.includes('utilisation') ? 'utilisation' : this.axes[0];
		this.fixed = {};
		this.series = new Map(
			this.kinds.map((kind) => [kind, lines(rows.filter((row) => row.kind === kind))]),
		);
		onWidth(get('acceptance'), () => this.draw());
	}

	values(axis) {
		const found = [
			...new Set(
				this.rows.map((row) => row.axes[axis]).filter((value) => value !== undefined),
			),
		];
		return found.some((value) => Number.isNaN(place(value)))
			? found
			: found.sort((a, b) => place(a) - place(b));
	}

	controls() {
		const nodes = [];
		const redraw = (change) => (value) => {
			change(value);
			this.draw();
		};
		if (this.kinds.length > 1)
			nodes.push(
				choice(
					'Of',
					[
						['run', 'runs (simulated)'],
						['analysis', 'analyses (bounds)'],
					],
					this.kind,
					redraw((value) => {
						this.kind = value;
					}),
				),
			);
		if (this.axes.length > 1)
			nodes.push(
				choice(
					'Over',
					this.axes.map((axis) => [axis, axis]),
					this.axis,
					redraw((value) => {
						this.axis = value;
					}),
				),
			);
		for (const axis of this.axes.filter((one) => one !== this.axis)) {
			const values = this.values(axis);
			this.fixed[axis] ??= values[0];
			nodes.push(
				choice(
					axis,
					values.map((value) => [value, value]),
					this.fixed[axis],
					redraw((value) => {
						this.fixed[axis] = value;
					}),
				),
			);
		}
		get('acceptance-controls').replaceChildren(...nodes);
	}

	chosen() {
		return this.rows.filter(
			(row) =>
				row.kind === this.kind &&
				this.axes.every(
					(axis) =>
						axis === this.axis ||
						(row.axes[axis] ?? this.fixed[axis]) === this.fixed[axis],
				),
		);
	}

	draw() {
		this.controls();
		const rows = this.chosen();
		const numeric = this.values(this.axis).every((value) => !Number.isNaN(place(value)));
		const platforms = [...new Set(rows.map((row) => row.platform))];
		const series = this.series.get(this.kind);
		const marks = [ruleY([0, 1], { strokeOpacity: 0.35 })];
		for (const one of series.filter((candidate) => !candidate.off)) {
			const points = rows
				.filter((row) => identity(row) === one.key)
				.map((row) => ({
					...row,
					x: numeric ? place(row.axes[this.axis]) : row.axes[this.axis],
				}));
			if (numeric) points.sort((a, b) => a.x - b.x);
			marks.push(...this.marks(points, one, platforms.length > 1));
		}
		const node = get('acceptance');
		const svg = plot({
			width: Math.max(320, Math.min(node.clientWidth, 1200)),
			height: 350,
			marginLeft: 52,
			marginBottom: 42,
			marginTop: 28,
			x: {
				label: this.axis,
				type: numeric ? 'linear' : 'point',
				domain: numeric ? undefined : this.values(this.axis),
				...(numeric && this.values(this.axis).length <= 12
					? { ticks: this.values(this.axis).map(place), tickFormat: String }
					: {}),
				nice: false,
			},
			y: {
				domain: [0, 1],
				label: 'share of schedulable sets',
				grid: true,
				tickFormat: (value) => `${Math.round(value * 100)} %`,
			},
			fx: platforms.length > 1 ? { label: null } : undefined,
			marks,
		});
		const of = this.kind === 'run' ? 'runs' : 'analyses';
		node.replaceChildren(
			figure({
				title: `Share of schedulable sets over ${this.axis}, ${of}, with 95 % intervals`,
				name: `acceptance-${of}`,
				svg,
				series,
				toggled: (i) => {
					series[i].off = !series[i].off;
					this.draw();
				},
			}),
		);
	}

	marks(points, { colour, dash, symbol, label }, faceted) {
		const common = { x: 'x', ...(faceted ? { fx: 'platform' } : {}) };
		const title = (row) =>
			`${label}\n${this.axis} ${row.axes[this.axis]}: ${row.k} of ${row.n}\n` +
			`${(row.lower95 * 100).toFixed(1)} % to ${(row.upper95 * 100).toFixed(1)} %`;
		return [
			areaY(points, {
				...common,
				y1: 'lower95',
				y2: 'upper95',
				fill: colour,
				fillOpacity: 0.13,
			}),
			line(points, {
				...common,
				y: 'ratio',
				stroke: colour,
				strokeWidth: 2,
				strokeDasharray: dash || undefined,
			}),
			dot(points, {
				...common,
				y: 'ratio',
				fill: colour,
				symbol,
				r: 3.4,
				title,
				stroke: 'var(--back)',
				strokeWidth: 0.6,
			}),
		];
	}
}

export function fillAcceptance(recording) {
	const rows = load(recording);
	const some = new Set(rows.map((row) => JSON.stringify(row.axes))).size > 1;
	get('acceptance-lead').textContent = some
		? 'Bands are Wilson’s 95 % intervals. Entries of the legend switch lines on and off.'
		: '';
	get('acceptance-part').hidden = !some;
	if (some) new Acceptance(rows);
}
