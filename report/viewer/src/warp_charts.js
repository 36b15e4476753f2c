/*
 * warp_charts.js - the charts of warps: the strip of instructions of a sub-core, rates over epochs, where cycles went.
 */
import { barX, plot, ruleX, ruleY, text } from '@observablehq/plot';
import { beside, shortened } from './beside.js';
import { number, percent, real } from './format.js';

/* What a sub-core did in a cycle, as @stalls names it; the colours tell neighbours apart. */
export const REASONS = [
	{ key: 'issued', label: 'issued', colour: '#009e73' },
	{ key: 'unit', label: 'unit busy', colour: '#e69f00' },
	{ key: 'memory', label: 'memory', colour: '#0072b2' },
	{ key: 'dependence', label: 'dependence', colour: '#56b4e9' },
	{ key: 'barrier', label: 'barrier', colour: '#cc79a7' },
	{ key: 'scheduler', label: 'scheduler', colour: '#b09600' },
	{ key: 'quota', label: 'quota', colour: '#7a4b63' },
	{ key: 'swap', label: 'swap', colour: '#5b6b2f' },
	{ key: 'ending', label: 'ending', colour: '#8c8c8c' },
	{ key: 'empty', label: 'no warp', colour: '#c9ced4' },
];

const warpName = ({ kernel, block, warp }) => `${kernel} ${block}.${warp}`;

function issueText(row) {
	const step = [row.step, row.unit, row.served && `served by ${row.served}`].filter(Boolean).join(', ');
	return (
		`${row.kernel}, job ${row.seq}, block ${row.block}, warp ${row.warp}\ninstruction ${row.number}: ${step}, ` +
		`${row.threads} threads\ncycle ${row.cycle}${row.until === null ? '' : `, result at ${row.until}`}`
	);
}

/* Stretches of [from, to) that are in the page and in which nothing is issued. */
function idle(rows, from, to, known) {
	const busy = new Set(rows.map((row) => row.cycle));
	const found = [];
	for (const [begin, end] of known)
		for (let cycle = Math.max(begin, from); cycle < Math.min(end, to); cycle++) {
			if (busy.has(cycle)) continue;
			const last = found.at(-1);
			if (last && last.to === cycle) last.to++;
			else found.push({ from: cycle, to: cycle + 1 });
		}
	return found;
}

/* rows: instructions in order of their warps; known: stretches of cycles that are in the page. */
export function strip(rows, { from, to, known, width }) {
	const names = [...new Set(rows.map(warpName))];
	const inside = rows.filter((row) => row.cycle >= from);
	const common = { y: warpName, clip: true };
	const left = beside(names, Math.min(190, 0.36 * width), { space: 20 });
	return plot({
		width,
		height: Math.max(1, names.length) * (names.length > 40 ? 11 : 18) + 56,
		marginLeft: left.room,
		marginBottom: 40,
		marginTop: 6,
		x: { label: 'cycle', domain: [from, to], tickFormat: number },
		y: { label: null, domain: names, tickSize: 0, padding: 0.25 },
		marks: [
			left.axis(),
			barX(idle(rows, from, to, known), { x1: 'from', x2: 'to', fill: 'var(--idle)', ariaDescription: 'nobody' }),
			ruleY(rows, {
				...common,
				x1: (row) => Math.max(from, row.cycle),
				x2: (row) => Math.min(to, Math.max(row.until, row.cycle + 1)),
				stroke: 'colour',
				strokeWidth: 1.5,
			}),
			barX(inside, {
				...common,
				x1: 'cycle',
				x2: (row) => row.cycle + 1,
				fill: 'colour',
				title: issueText,
				ariaDescription: 'instructions',
			}),
		],
	});
}

const SPANS = { x1: 'start_cycle', x2: 'end_cycle' };

/* rows: kernels epoch by epoch. */
export function epochs(rows, width) {
	const text = (row) =>
		`${row.kernel}, epoch ${row.epoch}\nIPC ${real(row.ipc)}` + (row.goal_ipc === null ? '' : `, goal ${real(row.goal_ipc)}`);
	const goal = (column, dash) =>
		ruleY(
			rows.filter((row) => row[column] !== null),
			{ ...SPANS, y: column, stroke: 'colour', strokeWidth: 1.6, strokeDasharray: dash, ariaDescription: column },
		);
	const next = rows
		.map((row, i) => ({ x: row.end_cycle, low: row.ipc, high: rows[i + 1]?.ipc, same: rows[i + 1]?.kernel === row.kernel, colour: row.colour }))
		.filter(({ same }) => same);
	return plot({
		width,
		height: 260,
		marginLeft: 56,
		marginBottom: 40,
		marginTop: 24,
		marginRight: 34,
		x: { label: 'cycle', tickFormat: number },
		y: { label: 'instructions per cycle', grid: true, zero: true },
		marks: [
			ruleY([0]),
			goal('goal_ipc', '6 3'),
			goal('adjusted_goal_ipc', '2 3'),
			ruleX(next, { x: 'x', y1: 'low', y2: 'high', stroke: 'colour', strokeOpacity: 0.5 }),
			ruleY(rows, { ...SPANS, y: 'ipc', stroke: 'colour', strokeWidth: 2.6, title: text, ariaDescription: 'ipc' }),
		],
	});
}

const STALLS = { row: 42, name: 18, margin: 16 }; /* of a run, of its name above the bar, at both sides */

/* bars: [{ run, key, label, colour, share }]. */
export function stalls(bars, width) {
	const runs = [...new Set(bars.map(({ run }) => run))];
	const room = width - STALLS.margin - 24;
	return plot({
		width,
		height: runs.length * STALLS.row + 38,
		marginLeft: STALLS.margin,
		marginRight: 24,
		marginBottom: 34,
		marginTop: 4,
		x: { label: null, domain: [0, 1], tickFormat: (value) => `${Math.round(value * 100)} %` },
		y: { axis: null, domain: runs, padding: 0 },
		marks: [
			barX(bars, {
				x: 'share',
				y: 'run',
				fill: 'colour',
				insetTop: STALLS.name,
				insetBottom: 4,
				title: ({ run, label, share }) => `${run}\n${label}: ${percent(share)}`,
				ariaDescription: 'shares',
			}),
			text(runs, {
				x: 0,
				y: (run) => run,
				text: (run) => shortened(run, room),
				title: (run) => run,
				textAnchor: 'start',
				dy: STALLS.name / 2 - STALLS.row / 2,
				ariaDescription: 'runs',
			}),
		],
	});
}
