/*
 * items.js - the intervals of a lane as typed arrays in order of end, and the search for what is visible.
 */
import { firstWhere } from './search.js';

export class Items {
	constructor(count, withReady) {
		this.count = count;
		this.start = new Float64Array(count);
		this.end = new Float64Array(count);
		this.ready = withReady ? new Float64Array(count) : null;
		this.task = new Uint16Array(count);
		this.hue = new Uint16Array(count); /* the family of the task */
		this.seq = new Uint32Array(count);
		this.segment = new Uint16Array(count);
		this.row = new Uint32Array(count);
		this.code = new Uint8Array(count);
		this.size = new Float32Array(count);
		this.pos = new Float32Array(count);
		this.parts = [];
		this.longest = 0;
		this.longestWait = 0;
	}

	/* The first one that ends after t. */
	after(t) {
		return firstWhere(this.count, (i) => this.end[i] > t);
	}

	/* [first, behind the last] of those that can touch from .. to; some in between may begin behind it. */
	range(from, to) {
		return [this.after(from), Math.min(this.count, this.after(to + this.longest) + 1)];
	}

	visible(from, to) {
		const [low, high] = this.range(from, to);
		let count = 0;
		for (let i = low; i < high; i++) count += this.start[i] < to ? 1 : 0;
		return count;
	}
}

/* One of another list becomes the k-th; the longest are known from what was copied. */
export function copyItem(from, i, to, k) {
	to.row[k] = from.row[i];
	to.task[k] = from.task[i];
	to.hue[k] = from.hue[i];
	to.seq[k] = from.seq[i];
	to.segment[k] = from.segment[i];
	to.start[k] = from.start[i];
	to.end[k] = from.end[i];
	to.code[k] = from.code[i];
	to.size[k] = from.size[i];
	to.longest = Math.max(to.longest, from.end[i] - from.start[i]);
	if (to.ready) {
		to.ready[k] = from.ready[i];
		to.longestWait = Math.max(to.longestWait, from.end[i] - from.ready[i]);
	}
}

/* A segment of a job as one number: exact for 65536 tasks of 4096 segments, and 33 million jobs of each. */
export const segmentKey = (task, seq, segment) => (seq * 65536 + task) * 4096 + segment;
