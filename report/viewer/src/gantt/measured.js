/*
 * measured.js - what a real machine did (the rows of `measured`): its lanes under those of the simulation, how far each
 * segment is off, and the line of colours that says so.
 *
 * A segment is paired with what v_measured takes: its intervals that run. Where these are not in the page, or never were,
 * nobody knows how far off it is.
 */
import { Items, segmentKey } from './items.js';
import { addShare } from './raster.js';

/* In which class a recorded start is; these are also names of colours. */
export const DEVIATIONS = ['near', 'later', 'earlier'];
const UNKNOWN = 3;

/* Starts as near as this are explained: the limit of `cegsim replay`, and others to choose. */
export const TOLERANCE = 20000;
export const TOLERANCES = [1000, TOLERANCE, 100000, 1000000, 10000000];

export const RUNS = 12; /* the bits of an interval's code that are 0 where its segment runs */
const NOT_DONE = 48; /* those that are 0 where it was done */

const CHUNK = 16384;

/* The rows of a run in order of end, as arrays; reasons: their words. */
export class Measured {
	constructor(span) {
		this.count = 0;
		this.all = new Items(span.last_rowid - span.first_rowid + 1, false);
		const numbers = () => new Float64Array(this.all.count).fill(NaN);
		this.simulatedStart = numbers();
		this.simulatedEnd = numbers();
		this.lane = new Int16Array(this.all.count).fill(-1);
		this.reason = new Uint8Array(this.all.count);
		this.reasons = [null];
		this.places = new Map();
	}

	add(task, hue, [seq, segment, start, end, reason]) {
		const i = this.count++;
		const { all } = this;
		all.row[i] = i;
		all.task[i] = task;
		all.hue[i] = hue;
		all.seq[i] = seq;
		all.segment[i] = segment;
		all.start[i] = start;
		all.end[i] = end;
		all.size[i] = 1;
		let word = this.reasons.indexOf(reason);
		if (word < 0) word = this.reasons.push(reason) - 1;
		this.reason[i] = word;
		this.places.set(segmentKey(task, seq, segment), i);
	}

	/* An interval of the simulation: i of the items of a lane. */
	pair(items, i, lane) {
		if (items.code[i] & RUNS) return;
		const place = this.places.get(segmentKey(items.task[i], items.seq[i], items.segment[i]));
		if (place === undefined) return;
		this.lane[place] = lane;
		if (!(this.simulatedStart[place] <= items.start[i])) this.simulatedStart[place] = items.start[i];
		if (!(items.code[i] & NOT_DONE) && !(this.simulatedEnd[place] >= items.end[i])) this.simulatedEnd[place] = items.end[i];
	}

	/* What is known of a row. deviation_ns: simulated minus recorded start, as in v_measured. */
	facts(i) {
		const known = (value) => (Number.isNaN(value) ? null : value);
		return {
			recorded_start_ns: this.all.start[i],
			recorded_end_ns: this.all.end[i],
			simulated_start_ns: known(this.simulatedStart[i]),
			simulated_end_ns: known(this.simulatedEnd[i]),
			deviation_ns: known(this.simulatedStart[i] - this.all.start[i]),
			reason: this.reasons[this.reason[i]],
		};
	}

	/* That of a segment of a job; null: it was not recorded. */
	of(task, seq, segment) {
		const i = this.places.get(segmentKey(task, seq, segment));
		return i === undefined ? null : this.facts(i);
	}

	/* Those of a job, in order of their segments. */
	ofJob(task, seq) {
		const { all } = this;
		const found = [];
		for (let i = 0; i < this.count; i++)
			if (all.task[i] === task && all.seq[i] === seq) found.push({ segment: all.segment[i], ...this.facts(i) });
		return found.sort((a, b) => a.segment - b.segment);
	}

	class(i, tolerance) {
		const deviation = this.simulatedStart[i] - this.all.start[i];
		if (Number.isNaN(deviation)) return UNKNOWN;
		return Math.abs(deviation) <= tolerance ? 0 : deviation < 0 ? 1 : 2;
	}
}

/* The rows of a store's run, read in pieces; null: there are none. */
export async function readMeasured(store, slices) {
	const span = store.spans.measured;
	if (!span || store.lanes.length === 0) return null;
	const measured = new Measured(span);
	for (let first = span.first_rowid; first <= span.last_rowid; first += CHUNK) {
		const last = Math.min(first + CHUNK - 1, span.last_rowid);
		store.recording.each(
			`SELECT task_id, seq, segment_idx, start_ns, end_ns, reason FROM measured
			WHERE rowid BETWEEN :first AND :last AND run_id = :run ORDER BY rowid`,
			{ first, last, run: store.run },
			([id, ...row]) => {
				const task = store.place.get(id) ?? 0;
				measured.add(task, store.hue(task), row);
			},
		);
		await slices.rest();
	}
	for (const [k, { items, blocks }] of store.lanes.entries()) {
		for (let i = 0; !blocks && i < items.count; i++) {
			measured.pair(items, i, k);
			if (i % CHUNK === 0) await slices.rest();
		}
	}
	findLanes(store, measured);
	return measured;
}

/* What the simulation never began is where other jobs have that segment, or where such segments are. */
function findLanes(store, { all, lane, count }) {
	const known = new Map();
	const key = (i) => all.task[i] * 65536 + all.segment[i];
	for (let i = 0; i < count; i++) if (lane[i] >= 0) known.set(key(i), lane[i]);
	const kinds = { cpu: 'cpu', copy: 'copy', kernel: 'gpu' };
	for (let i = 0; i < count; i++) {
		if (lane[i] >= 0) continue;
		const { kind } = store.segmentOf(all.task[i], all.segment[i]) ?? {};
		lane[i] = known.get(key(i)) ?? store.lanes.findIndex((one) => one.kind === kinds[kind]);
	}
}

/* Gives a lane those of what was recorded on it: its intervals, and how far they are off. */
export function measuredLanes(lane, store, items) {
	const common = { of: lane, store, blocks: false, table: 'measured', scale: 1 };
	const flat = Object.assign(new Items(0, false), items, { pos: new Float32Array(items.count) });
	lane.measured = { ...common, kind: 'measured', name: 'recorded', items };
	lane.deviations = { ...common, kind: 'deviations', name: '', items: flat };
}

/* Of each column which share is near, later and earlier than simulated. fill: the pixels of the classes. */
export function drawDeviations(raster, { items, store: { measured, tolerance } }, box, view, fill) {
	const { x0, x1 } = box;
	const from = view.from + x0 / view.scale,
		to = view.from + x1 / view.scale;
	const [low, high] = items.range(from, to);
	for (let i = low; i < high; i++) {
		if (items.start[i] >= to) continue;
		const which = measured.class(items.row[i], tolerance);
		if (which === UNKNOWN) continue;
		const a = Math.max(x0, (items.start[i] - view.from) * view.scale),
			b = Math.min(x1, (items.end[i] - view.from) * view.scale);
		if (b - a < 1) raster.spread(a, b, which, 1, x0, x1);
		else addShare(raster, Math.round(a), Math.round(b), which, 1, x0, x1);
	}
	raster.share();
	raster.flush(box.y, box.height, box.ground, fill);
}
