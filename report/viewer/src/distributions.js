/*
 * distributions.js - the two charts of responses: cumulative curves, and boxes by policy and task.
 *
 * Both take { limit: the end of the axis, width, label, deadline: whether 1 is the deadline }.
 */
import { axisFy, axisX, barX, line, plot, ruleX, ruleY, tickX } from '@observablehq/plot';
import { beside } from './beside.js';
import { taskColour } from './colours.js';

/* series: [{ key, colour, dash, off }]; sampleOf(key) gives the Sample of a line. */
export function curves(series, sampleOf, { limit, width, label, deadline }) {
	const marks = [ruleY([0, 1], { strokeOpacity: 0.35 })];
	if (deadline) marks.push(ruleX([1], { stroke: 'var(--miss)', strokeDasharray: '4 3' }));
	for (const one of series.filter((candidate) => !candidate.off)) {
		const points = sampleOf(one.key).curve();
		if (points.length > 0)
			marks.push(
				line(
					[
						[0, 0],
						[points[0][0], 0],
						...points,
						[limit, points[points.length - 1][1]],
					],
					{
						stroke: one.colour,
						strokeWidth: 1.8,
						strokeDasharray: one.dash || undefined,
						curve: 'step-after',
						clip: true,
					},
				),
			);
	}
	return plot({
		width,
		height: 340,
		marginLeft: 52,
		marginBottom: 42,
		marginTop: 28,
		marks,
		x: { label, domain: [0, limit] },
		y: {
			domain: [0, 1],
			grid: true,
			label: 'share of jobs',
			tickFormat: (value) => `${Math.round(value * 100)} %`,
		},
	});
}

const digits = (value) => Number(value.toPrecision(4));

const boxText = ({ policy, task, jobs, least, low, middle, high, most }) =>
	`${policy}, ${task}: ${jobs} ${jobs === 1 ? 'response' : 'responses'}\nleast ${digits(least)}, ` +
	`quartiles ${[low, middle, high].map(digits).join(', ')}, worst ${digits(most)}`;

/* A line from the least to the worst, a box between the quartiles, ticks at the median and the worst. */
function boxMarks(rows, limit) {
	const common = { y: 'task', fy: 'policy', clip: true };
	const ink = { ...common, stroke: 'currentColor' };
	return [
		ruleY(rows, { ...ink, x1: 'least', x2: 'most', strokeOpacity: 0.55 }),
		barX(rows, {
			...common,
			x1: 'low',
			x2: (row) => Math.max(row.high, row.low + limit * 0.002),
			fill: (row) => taskColour(row.index),
			title: boxText,
			insetTop: 2,
			insetBottom: 2,
		}),
		tickX(rows, { ...ink, x: 'middle', strokeWidth: 2, insetTop: 1, insetBottom: 1 }),
		tickX(rows, { ...ink, x: 'most', strokeOpacity: 0.7, insetTop: 4, insetBottom: 4 }),
	];
}

/* rows: [{ policy, task, index, least, low, middle, high, most, jobs }]. */
export function boxes(rows, { limit, width, label, deadline }) {
	const names = [...new Set(rows.map((row) => row.policy))],
		tasks = [...new Set(rows.map((row) => row.task))];
	const several = names.length > 1;
	const left = beside(tasks, Math.min(190, 0.3 * width), { space: 20 }),
		right = beside(names, Math.min(200, 0.3 * width), { anchor: 'right' });
	return plot({
		width,
		height: rows.length * (rows.length > 60 ? 12 : 17) + names.length * 6 + 60,
		marginLeft: left.room,
		marginRight: several ? right.room : 20,
		marginBottom: 42,
		marginTop: 10,
		x: { label, domain: [0, limit], grid: true },
		y: { label: null, domain: tasks, tickSize: 0 },
		fy: { label: null, domain: names, padding: 0.08, axis: null },
		marks: [
			left.axis(),
			several ? right.axis(axisFy) : null,
			axisX({ label }),
			deadline ? ruleX([1], { stroke: 'var(--miss)', strokeDasharray: '4 3' }) : null,
			...boxMarks(rows, limit),
		],
	});
}
