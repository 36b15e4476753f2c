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
