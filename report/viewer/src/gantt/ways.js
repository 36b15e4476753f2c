/*
 * ways.js - the way of data along a chain to its greatest age and its longest reaction (@chain-path), over the strips of
 * the tasks: along each job from its read to its write, with an arrow to the job of the next stage that read it.
 */
import { duration, number } from '../format.js';

const PLACES = { age: 0.13, reaction: 0.29 }; /* of a strip's height from its top: above the jobs */
const DASHES = { age: [], reaction: [6, 4] };
const TITLES = { age: 'greatest age', reaction: 'longest reaction' };
const HEAD = 7; /* pixels of an arrow's head */

const ns = (ms) => Math.round(ms * 1e6);

/* [{ figure, from, to, steps: [{ task, seq, read, write }] }], in ns; empty: the run has neither age nor reaction of it. */
export function readWays(recording, store, chain) {
	const places = new Map(store.tasks.map(({ name }, place) => [name, place]));
	const ways = new Map();
	for (const row of recording.namedRecords('chain-path', { run: store.run, chain })) {
		const { figure } = row;
		if (!ways.has(figure)) ways.set(figure, { figure, from: ns(row.from_ms), to: ns(row.to_ms), steps: [] });
		ways.get(figure).steps.push({ task: places.get(row.task), seq: row.seq, read: ns(row.read_ms), write: ns(row.write_ms) });
	}
	return [...ways.values()];
}

/* The stretch with all of them or, where they are far apart, with the last one alone, which ends at the worst job. */
export function aroundWays(ways) {
	const from = Math.min(...ways.map((way) => way.from)),
		to = Math.max(...ways.map((way) => way.to));
	const sum = ways.reduce((total, way) => total + way.to - way.from, 0);
	if (to - from <= 2 * sum) return [from, to];
	const longest = ways.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a));
	return [longest.from, longest.to];
}

/* "perceive: greatest age 60 ms (camera 0 to steer 5), …" */
export function describeWays(chain, ways, store) {
	const job = ({ task, seq }) => `${store.tasks[task].name} ${number(seq)}`;
	const texts = ways.map(
		({ figure, from, to, steps }) =>
			`${TITLES[figure]} ${duration(to - from)} (${job(steps[0])} to ${job(steps.at(-1))}${figure === 'reaction' ? ', dashed' : ''})`,
	);
	return `${chain}: ${texts.join(', ')}.`;
}

/* Of one way in pixels: [{ x1, y1, x2, y2, hop }]; a hop goes from one stage to the next. */
export function linesOf({ figure, from, to, steps }, { store, geometry, x }) {
	const y = ({ task }) => {
		const strip = geometry.strips[store.hue(task)];
		return strip.y + strip.height * PLACES[figure];
	};
	const lines = [];
	const add = (a, one, b, other) => lines.push({ x1: x(a), y1: y(one), x2: x(b), y2: y(other), hop: one !== other });
	if (from < steps[0].read) add(from, steps[0], steps[0].read, steps[0]);
	steps.forEach((step, i) => {
		add(step.read, step, step.write, step);
		if (i + 1 < steps.length) add(step.write, step, steps[i + 1].read, steps[i + 1]);
	});
	const last = steps.at(-1);
	if (last.write < to) add(last.write, last, to, last);
	return lines;
}

function head(context, { x1, y1, x2, y2 }) {
	const angle = Math.atan2(y2 - y1, x2 - x1);
	context.beginPath();
	context.moveTo(x2, y2);
	for (const turn of [0.42, -0.42])
		context.lineTo(x2 - HEAD * Math.cos(angle + turn), y2 - HEAD * Math.sin(angle + turn));
	context.fill();
}

export function drawWays(context, panel, ways) {
	const { geometry, colours } = panel;
	const view = { store: panel.store, geometry, x: (t) => panel.x(t) };
	context.save();
	context.beginPath();
	context.rect(geometry.left, geometry.axis, geometry.width, geometry.height - geometry.axis);
	context.clip();
	for (const way of ways) {
		const lines = linesOf(way, view);
		for (const [colour, width, dash] of [[colours.back, 4.5, []], [colours[way.figure], 2, DASHES[way.figure]]]) {
			context.strokeStyle = colour;
			context.lineWidth = width;
			context.setLineDash(dash);
			context.beginPath();
			for (const { x1, y1, x2, y2 } of lines) {
				context.moveTo(x1, y1);
				context.lineTo(x2, y2);
			}
			context.stroke();
		}
		context.fillStyle = colours[way.figure];
		for (const line of lines.filter(({ hop }) => hop)) head(context, line);
	}
	context.restore();
}
