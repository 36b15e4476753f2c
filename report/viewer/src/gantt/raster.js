/*
 * raster.js - lanes as pixels. What is at least a pixel wide and high is a rectangle; what is smaller adds to the
 * share of its task in its column, and a column is filled from the bottom by those shares: a lane shows how much
 * of it was in use, never just what came last. The level of detail is drawn the same way.
 */
import { pixel, taskRgb } from '../colours.js';
import { firstOf } from './detail.js';

const darker = (rgb) => rgb.map((part) => Math.round(part * 0.62));
const lighter = (rgb, back) => rgb.map((part, i) => Math.round(part * 0.5 + back[i] * 0.5));

/* Colours of the tasks as pixels: the area, its edge, and the area where the core only waits (spins). */
export function palette(count, back) {
	const fill = new Uint32Array(count),
		edge = new Uint32Array(count),
		pale = new Uint32Array(count);
	for (let task = 0; task < count; task++) {
		const rgb = taskRgb(task);
		fill[task] = pixel(rgb);
		edge[task] = pixel(darker(rgb));
		pale[task] = pixel(lighter(rgb, back));
	}
	return { fill, edge, pale };
}

export class Raster {
	constructor() {
		this.image = null;
		this.shares = new Float32Array(0);
	}

	begin(width, height, back, tasks) {
		if (!this.image || this.image.width !== width || this.image.height !== height) {
			this.image = new ImageData(width, height);
			this.pixels = new Uint32Array(this.image.data.buffer);
		}
		this.width = width;
		this.height = height;
		this.pixels.fill(back);
		this.tasks = Math.max(tasks, 1);
		if (this.shares.length < width * this.tasks)
			this.shares = new Float32Array(width * this.tasks);
		this.first = width;
		this.last = -1;
	}

	ground(y, height, colour) {
		this.pixels.fill(colour, y * this.width, (y + height) * this.width);
	}

	rectangle(x0, x1, y0, y1, colour) {
		const { pixels, width } = this;
		if (x1 - x0 > 24) {
			for (let y = y0; y < y1; y++) pixels.fill(colour, y * width + x0, y * width + x1);
			return;
		}
		for (let y = y0; y < y1; y++) {
			for (let p = y * width + x0, end = y * width + x1; p < end; p++) pixels[p] = colour;
		}
	}

	add(column, task, share) {
		this.shares[column * this.tasks + task] += share;
		if (column < this.first) this.first = column;
		if (column > this.last) this.last = column;
	}

	/* Less than a pixel, in the one or two columns that it touches. */
	spread(a, b, task, share, x0, x1) {
		const column = Math.min(x1 - 1, Math.max(x0, Math.floor(a)));
		const inside = Math.min(b, column + 1) - a;
		if (inside > 0) this.add(column, task, inside * share);
		if (b > column + 1 && column + 1 < x1) this.add(column + 1, task, (b - column - 1) * share);
	}

	/* Of what overlaps everything has its part: shares that are more than a whole column become all of it. */
	share() {
		for (let column = this.first; column <= this.last; column++) {
			const at = column * this.tasks;
			const shares = this.shares.subarray(at, at + this.tasks);
			const sum = shares.reduce((a, b) => a + b, 0);
			if (sum > 1) shares.forEach((one, i) => (shares[i] = one / sum));
		}
	}

	/* Fills the columns' shares into what is still ground, from the bottom, and forgets them. */
	flush(y, height, ground, fill) {
		for (let column = this.first; column <= this.last; column++)
			this.column(column, y, height, ground, fill);
		this.first = this.width;
		this.last = -1;
	}

	column(column, y, height, ground, fill) {
		const { shares, tasks, pixels, width } = this;
		let sum = 0,
			done = 0,
			task = -1;
		let p = (y + height - 1) * width + column;
		const end = y * width;
		for (let t = 0, s = column * tasks; t < tasks; t++, s++) {
			if (shares[s] === 0) continue;
			sum += shares[s];
			shares[s] = 0;
			task = t;
			for (const goal = Math.round(sum * height); done < goal && p >= end; p -= width) {
				if (pixels[p] !== ground) continue;
				pixels[p] = fill[t];
				done++;
			}
		}
		/* Less than half a pixel is a pale pixel. */
		if (done === 0 && task >= 0 && pixels[(y + height - 1) * width + column] === ground)
			pixels[(y + height - 1) * width + column] = mix(
				ground,
				fill[task],
				Math.min(1, 0.35 + sum * height * 0.65),
			);
	}
}

function mix(a, b, share) {
	let mixed = 0xff000000;
	for (let shift = 0; shift < 24; shift += 8) {
		const from = (a >>> shift) & 255,
			to = (b >>> shift) & 255;
		mixed |= Math.round(from + (to - from) * share) << shift;
	}
	return mixed >>> 0;
}

/* An interval's share of a lane, from a to b (device pixels). */
export function addShare(raster, a, b, task, share, x0, x1) {
	const first = Math.min(x1 - 1, Math.floor(a)),
		last = Math.min(x1 - 1, Math.floor(b));
	if (first === last) {
		raster.add(first, task, (b - a) * share);
		return;
	}
	raster.add(first, task, (first + 1 - a) * share);
	for (let column = first + 1; column < last; column++) raster.add(column, task, share);
	raster.add(last, task, Math.min(1, b - last) * share);
}

/*
 * Exact intervals of a lane between x0 and x1 (device pixels). view: { from, scale } (pixels per ns). Gives how many it drew.
 */
export function drawItems(raster, items, laneScale, box, view, colours) {
	const { start, end, hue: task, pos, size, code } = items;
	const { x0, x1, y, height } = box;
	const per = height / laneScale;
	const from = view.from + x0 / view.scale,
		to = view.from + x1 / view.scale;
	const [low, high] = items.range(from, to);
	const spins = !box.blocks;
	let drawn = 0;
	const bottom = y + height;
	const one = (i, place, high1) => {
		const a = Math.max(x0, (start[i] - view.from) * view.scale),
			b = Math.min(x1, (end[i] - view.from) * view.scale);
		if (b - a < 1) {
			raster.spread(a, b, task[i], high1 / laneScale, x0, x1);
			return;
		}
		const left = Math.round(a),
			right = Math.round(b);
		const y1 = bottom - Math.round(place * per),
			y0 = Math.max(y, bottom - Math.round((place + high1) * per));
		const t = task[i];
		if (y1 > y0) {
			raster.rectangle(
				left,
				right,
				y0,
				y1,
				spins && (code[i] & 12) !== 0 ? colours.pale[t] : colours.fill[t],
			);
			if (right - left > 3) edges(raster, left, right, y0, y1, colours.edge[t]);
		} else {
			for (let column = left; column < right; column++)
				raster.add(column, t, high1 / laneScale);
		}
	};
	for (let i = low; i < high; i++) {
		if (start[i] >= to) continue;
		one(i, pos[i], size[i]);
		drawn++;
	}
	const { parts } = items;
	for (let k = 0; k < parts.length; k += 3) {
		const i = parts[k];
		if (i >= low && i < high && start[i] < to) one(i, parts[k + 1], parts[k + 2]);
	}
	raster.flush(y, height, box.ground, colours.fill);
	return drawn;
}

/* A dark first column tells neighbours apart; where there is room, a dark bottom line, too. */
function edges(raster, left, right, y0, y1, colour) {
	const { pixels, width } = raster;
	for (let p = y0 * width + left, end = y1 * width; p < end; p += width) pixels[p] = colour;
	if (y1 - y0 > 3) pixels.fill(colour, (y1 - 1) * width + left, (y1 - 1) * width + right);
}

/* The rows of a panel's lanes, out of an image of all of them: other rows may be those of another run. */
export function putLanes(context, { geometry, ratio }, image) {
	const left = Math.round(geometry.left * ratio),
		top = Math.round(geometry.lanesTop * ratio);
	for (const { y, height } of geometry.lanes)
		context.putImageData(
			image,
			left,
			top,
			0,
			Math.round((y - geometry.lanesTop) * ratio),
			image.width,
			Math.max(1, Math.round(height * ratio)),
		);
}

/*
 * All SMs as one lane: what share of the threads of all each task has, in every column. which(i, items): whether an interval
 * counts.
 */
export function drawStackItems(raster, lane, box, view, colours, which = null) {
	const { x0, x1 } = box;
	const from = view.from + x0 / view.scale,
		to = view.from + x1 / view.scale;
	let drawn = 0;
	for (const { items } of lane.lanes) {
		const { start, end, hue: task, size, parts } = items;
		const [low, high] = items.range(from, to);
		const one = (i, threads) => {
			const a = Math.max(x0, (start[i] - view.from) * view.scale),
				b = Math.min(x1, (end[i] - view.from) * view.scale);
			if (b > a) addShare(raster, a, b, which ? 0 : task[i], threads / lane.scale, x0, x1);
		};
		for (let i = low; i < high; i++) {
			if (start[i] >= to || (which && !which(i, items))) continue;
			one(i, size[i]);
			drawn++;
		}
		for (let k = 0; k < parts.length; k += 3) {
			const i = parts[k];
			if (i >= low && i < high && start[i] < to && !(which && !which(i, items))) one(i, parts[k + 2]);
		}
	}
	raster.flush(box.y, box.height, box.ground, colours.fill);
	return drawn;
}

export function drawStackDetail(raster, lane, detailOf, box, view, colours) {
	let drawn = 0;
	for (const one of lane.lanes) drawn += addDetail(raster, detailOf(one), lane.scale / one.scale, box, view);
	raster.flush(box.y, box.height, box.ground, colours.fill);
	return drawn;
}

/* The level of detail of a lane between x0 and x1; laneScale: how many intervals of share 1 fill the lane. */
export function drawDetail(raster, detail, laneScale, box, view, colours) {
	const drawn = addDetail(raster, detail, laneScale, box, view);
	raster.flush(box.y, box.height, box.ground, colours.fill);
	return drawn;
}

function addDetail(raster, detail, laneScale, box, view) {
	if (!detail) return 0;
	const { x0, x1 } = box;
	const from = view.from + x0 / view.scale,
		to = view.from + x1 / view.scale;
	const { bins, hues: tasks, shares, bin, count } = detail;
	const last = to / bin;
	let i = firstOf(detail, Math.max(0, Math.floor(from / bin)));
	const begun = i;
	for (; i < count && bins[i] < last; i++) {
		const a = Math.max(x0, (bins[i] * bin - view.from) * view.scale),
			b = Math.min(x1, ((bins[i] + 1) * bin - view.from) * view.scale);
		const share = shares[i] / 65535 / laneScale;
		if (b - a < 1) {
			raster.spread(a, b, tasks[i], share, x0, x1);
			continue;
		}
		for (let column = Math.round(a), right = Math.round(b); column < right; column++)
			raster.add(column, tasks[i], share);
	}
	return i - begun;
}
