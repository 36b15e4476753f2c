/*
 * acceptance.js - the share of schedulable sets over utilisation, or over another axis of a campaign, of runs and of
 * analyses, with Wilson's 95 % bands.
 */
import { areaY, dot, line, plot, ruleX, ruleY } from '@observablehq/plot';
import { objects } from './data.js';
import { choice, get } from './dom.js';
import { figure, onWidth } from './figure.js';
import { policyLooks } from './looks.js';
import { labels, policies } from './names.js';

/* "gpu=0.5 utilisation=1.2" as { gpu: "0.5", utilisation: "1.2" }. */
function axes(point) {
	return Object.fromEntries(
		point
			.split(/ (?=[A-Za-z_][\w.-]*=)/)
			.filter(Boolean)
			.map((part) => {
				const at = part.indexOf('=');
				return [part.slice(0, at), part.slice(at + 1)];
			}),
	);
}

/* "150%" and "1.5" are at the same place on an axis; NaN: it is a word. */
const place = (value) =>
	/^-?[\d.]+ ?%$/.test(value) ? Number.parseFloat(value) / 100 : value === '' ? NaN : Number(value);

/* The points of the grid and their utilisations; of sets that are verdicts alone, too. */
const POINTS = `SELECT count(DISTINCT recipe), count(DISTINCT ppm) FROM (
	SELECT recipe, target_utilisation_ppm AS ppm FROM taskset
	UNION ALL SELECT recipe, target_utilisation_ppm FROM grid_point)`;

/* Over utilisation alone the views answer; over more, the queries of a campaign's grid. */
function rowsOf(recording) {
	const [[points, levels]] = recording.query(POINTS).rows;
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

/* Policies of which every run may be a verdict alone. */
const ASKED = `SELECT name, params FROM (SELECT question_id, policy_id FROM question WHERE analysis IS NULL)
	JOIN policy USING (policy_id) ORDER BY question_id`;

/* Runs in the order of their policies: a policy has the same colour here as among the responses. */
function load(recording) {
	const ran = [...policies(recording).values(), ...recording.records(ASKED)];
	const order = ran.map(({ name, params }) => `${name} ${params}`);
	const rank = (row) => (row.kind === 'run' ? order.indexOf(`${row.policy} ${row.params}`) : order.length);
	return rowsOf(recording).sort((a, b) => rank(a) - rank(b));
}

const identity = (row) =>
	[row.kind, row.policy, row.params, row.analysis, row.analysis_params].join('\u0000');

/* What a row belongs to: its name and its options. */
function named(row) {
	if (row.kind === 'run') return { name: row.policy, params: row.params };
	return {
		name: row.analysis === row.policy ? `${row.analysis}, proved` : `${row.policy}, proved by ${row.analysis}`,
		params: JSON.stringify({ ...JSON.parse(row.params || '{}'), ...JSON.parse(row.analysis_params || '{}') }),
	};
}

/* Whose plans they are. Whom a policy admits does not change its plan. */
function ownerOf({ policy, params }) {
	const { admit, ...options } = JSON.parse(params || '{}');
	return { name: policy, params: JSON.stringify(options) };
}

const ownerKey = (row) => JSON.stringify(ownerOf(row));

/* Dashes of the analyses of a policy: runs are solid. */
const DASHES = ['6 3', '2 3', '10 3 2 3', '1 2'];

/* A line for each policy, and for each analysis of a policy's plans in the colour of that policy. */
function lines(rows) {
	const first = new Map();
	for (const row of rows) {
		if (!first.has(identity(row))) first.set(identity(row), row);
	}
	const names = labels([...first.values()].map(named));
	const owned = new Map([...first.values()].map((row) => [ownerKey(row), ownerOf(row)]));
	const owners = [...owned.keys()],
		looks = policyLooks([...owned.values()]);
	const turns = new Map();
	return [...first].map(([key, row], i) => {
		const owner = owners.indexOf(ownerKey(row));
		const turn = turns.get(owner) ?? 0;
		if (row.kind === 'analysis') turns.set(owner, turn + 1);
		const { colour, symbol } = looks[owner];
		return {
			key,
			kind: row.kind,
			owner,
			label: names[i] + (row.safety === 'unsafe' ? ' (unsafe)' : ''),
			line: true,
			colour,
			symbol,
			dash: row.kind === 'run' ? '' : DASHES[turn % DASHES.length],
			off: i >= 14,
		};
	});
}

function gapText(gap) {
	if (gap === 0) return 'as many as in runs';
	const points = `${(Math.abs(gap) * 100).toFixed(1)} points`;
	return gap > 0 ? `${points} fewer than in runs` : `${points} more than in runs`;
}

class Acceptance {
	constructor(rows) {
		this.rows = rows;
		this.kinds = [...new Set(rows.map((row) => row.kind))];
		this.kind = this.kinds.length > 1 ? 'both' : this.kinds[0];
		this.axes = [...new Set(rows.flatMap((row) => Object.keys(row.axes)))];
		this.axis = this.axes.includes('utilisation') ? 'utilisation' : this.axes[0];
		this.fixed = {};
		this.series = lines(rows);
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
						['both', 'runs and analyses'],
						['run', 'runs (simulated)'],
						['analysis', 'analyses (proved)'],
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
				(this.kind === 'both' || row.kind === this.kind) &&
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
		/* Where a place on the axis has a platform of its own, that says it. */
		const platforms = this.values(this.axis).some(
			(value) => new Set(rows.filter((row) => row.axes[this.axis] === value).map((row) => row.platform)).size > 1,
		)
			? [...new Set(rows.map((row) => row.platform))]
			: [];
		const series = this.series.filter((one) => this.kind === 'both' || one.kind === this.kind);
		const shown = series
			.filter((candidate) => !candidate.off)
			.map((one) => ({ ...one, points: this.points(rows, one, numeric) }));
		const marks = [ruleY([0, 1], { strokeOpacity: 0.35 })];
		for (const one of shown) marks.push(...this.gap(one, shown, platforms.length > 1));
		for (const one of shown) marks.push(...this.marks(one.points, one, platforms.length > 1));
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
		const of = { both: 'runs and analyses', run: 'runs', analysis: 'analyses' }[this.kind];
		node.replaceChildren(
			figure({
				title: `Share of schedulable sets over ${this.axis}, ${of}, with 95 % intervals`,
				name: `acceptance-${of.replaceAll(' ', '-')}`,
				svg,
				series,
				toggled: (i) => {
					series[i].off = !series[i].off;
					this.draw();
				},
			}),
		);
	}

	/* The points of a line, from left to right. */
	points(rows, { key }, numeric) {
		const points = rows
			.filter((row) => identity(row) === key)
			.map((row) => ({
				...row,
				x: numeric ? place(row.axes[this.axis]) : row.axes[this.axis],
			}));
		return numeric ? points.sort((a, b) => a.x - b.x) : points;
	}

	/* The pessimism of an analysis: from its line up to that of the runs of its policy. */
	gap(one, shown, faceted) {
		const runs = one.kind === 'analysis' && shown.find((other) => other.kind === 'run' && other.owner === one.owner);
		if (!runs) return [];
		const pairs = [];
		for (const point of one.points) {
			const run = runs.points.find((other) => other.x === point.x && other.platform === point.platform);
			if (!run) continue;
			point.gap = run.ratio - point.ratio;
			pairs.push({ x: point.x, platform: point.platform, low: point.ratio, high: run.ratio });
		}
		const common = { x: 'x', y1: 'low', y2: 'high', ...(faceted ? { fx: 'platform' } : {}), ariaDescription: 'gap' };
		return [
			areaY(pairs, { ...common, fill: one.colour, fillOpacity: 0.1 }),
			ruleX(pairs.filter(({ low, high }) => low !== high), { ...common, stroke: one.colour, strokeOpacity: 0.6 }),
		];
	}

	marks(points, { colour, dash, symbol, label, kind }, faceted) {
		const common = { x: 'x', ...(faceted ? { fx: 'platform' } : {}) };
		const title = (row) =>
			`${label}\n${this.axis} ${row.axes[this.axis]}: ${row.k} of ${row.n}\n` +
			`${(row.lower95 * 100).toFixed(1)} % to ${(row.upper95 * 100).toFixed(1)} %` +
			(row.gap === undefined ? '' : `\n${gapText(row.gap)}`);
		return [
			areaY(points, {
				...common,
				y1: 'lower95',
				y2: 'upper95',
				fill: colour,
				fillOpacity: this.kind === 'both' ? 0.06 : 0.13,
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
				fill: kind === 'run' ? colour : 'var(--back)',
				symbol,
				r: 3.4,
				title,
				stroke: kind === 'run' ? 'var(--back)' : colour,
				strokeWidth: kind === 'run' ? 0.6 : 1.6,
			}),
		];
	}
}

const PROOFS =
	'Solid lines are runs. Dashed ones, in the colour of their policy, are what an analysis proves; the shaded gap ' +
	'between the two is what the proof gives away. ';

export function fillAcceptance(recording, known) {
	const rows = load(recording);
	/* Of one run at each point there is no share. */
	const single = known.variants && rows.every(({ n }) => n === 1);
	const some = !single && new Set(rows.map((row) => JSON.stringify(row.axes))).size > 1;
	const both = new Set(rows.map((row) => row.kind)).size > 1;
	get('acceptance-lead').textContent =
		(both ? PROOFS : '') + 'Pale bands are Wilson’s 95 % intervals. Entries of the legend switch lines on and off.';
	get('acceptance-part').hidden = !some;
	if (some) new Acceptance(rows);
}
