/*
 * detail.js - the level of detail (view_detail): for each lane and level what share of a bin each task has.
 */
import { firstWhere } from './search.js';

export class Detail {
	/* hues: of each task. */
	constructor(recording, run, hues) {
		this.levels = [];
		this.lanes = new Map();
		recording.each(
			'SELECT lane, level, bin_ns, entries, data FROM view_detail WHERE run_id = :run',
			{ run },
			([lane, level, bin, entries, data]) => {
				const numbers = new Uint16Array(data.slice().buffer);
				const one = {
					bins: numbers.subarray(0, entries),
					tasks: numbers.subarray(entries, 2 * entries),
					hues: numbers.subarray(entries, 2 * entries).map((task) => hues[task]),
					shares: numbers.subarray(2 * entries),
					bin,
					count: entries,
				};
				this.levels[level] = bin;
				this.lanes.set(`${lane} ${level}`, one);
			},
		);
	}

	get present() {
		return this.levels.length > 0;
	}

	/* The finest level whose bins are at least a pixel wide. */
	level(nsPerPixel) {
		let best = 0;
		for (let level = 0; level < this.levels.length; level++) {
			if (this.levels[level] >= nsPerPixel * 0.999) best = level;
		}
		return best;
	}

	lane(lane, level) {
		return this.lanes.get(`${lane} ${level}`) ?? null;
	}

	/* What is in the bin at t: [{ task, share }]. */
	at(lane, level, t) {
		const one = this.lane(lane, level);
		if (!one) return [];
		const bin = Math.floor(t / one.bin);
		const found = [];
		for (let i = firstOf(one, bin); i < one.count && one.bins[i] === bin; i++)
			found.push({ task: one.tasks[i], share: one.shares[i] / 65535 });
		return found;
	}
}

/* The first entry of a bin, or behind where it would be. */
export const firstOf = ({ bins, count }, bin) => firstWhere(count, (i) => bins[i] >= bin);
