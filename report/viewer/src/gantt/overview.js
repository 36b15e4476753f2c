/*
 * overview.js - the bar over the schedule: the whole run, how busy it was, its misses, and what part is shown below.
 */
import { taskColour } from '../colours.js';

const HEIGHT = 44;

/* The lanes that show how busy a run was: SMs, or else the GPU, or else the CPU, whichever the run used. */
function lanesToShow(store) {
	const cut = !store.detail.present && store.windows('block_interval') !== null;
	const used = ({ lane, items }) =>
		store.detail.present ? store.detail.lane(lane, 0)?.count > 0 : items?.count > 0;
	const kinds = (cut ? ['gpu', 'cpu'] : ['sm', 'pool', 'gpu', 'cpu']).map((kind) =>
		store.lanes.filter((lane) => lane.kind === kind),
	);
	return kinds.find((lanes) => lanes.some(used)) ?? [];
}

/* How much each task (or family of tasks) used in each of `bins` parts of the run; null: not known yet. */
function load(store, bins) {
	const sums = store.family.names.map(() => new Float32Array(bins));
	if (store.lanes.length === 0) return fromJobs(store, sums, bins);
	if (store.detail.present) fromDetail(store, lanesToShow(store), sums, bins);
	else if (store.complete) fromItems(store, lanesToShow(store), sums, bins);
	else return null;
	return sums;
}

/* Below the level segments only the jobs are known. */
function fromJobs(store, sums, bins) {
	store.jobs.families.forEach((jobs, family) => {
		for (let i = 0; i < jobs.count; i++) {
			spread(
				sums[family],
				(jobs.release[i] / store.end) * bins,
				(jobs.end[i] / store.end) * bins,
				1 / sums.length,
			);
		}
	});
	return sums;
}

function fromDetail(store, lanes, sums, bins) {
	for (const lane of lanes) {
		const detail = store.detail.lane(lane.lane, 0);
		if (!detail) continue;
		for (let i = 0; i < detail.count; i++) {
			const a = ((detail.bins[i] * detail.bin) / store.end) * bins,
				b = (((detail.bins[i] + 1) * detail.bin) / store.end) * bins;
			spread(sums[detail.hues[i]], a, b, detail.shares[i] / 65535 / lanes.length);
		}
	}
}

function fromItems(store, lanes, sums, bins) {
	for (const { items, scale } of lanes) {
		for (let i = 0; i < items.count; i++)
			spread(
				sums[items.hue[i]],
				(items.start[i] / store.end) * bins,
				(items.end[i] / store.end) * bins,
				items.size[i] / scale / lanes.length,
			);
	}
}

function spread(sum, a, b, share) {
	for (let bin = Math.floor(a); bin < b && bin < sum.length; bin++)
		sum[bin] += share * (Math.min(b, bin + 1) - Math.max(a, bin));
}

export class Overview {
	constructor(canvas, choose) {
		this.canvas = canvas;
		this.drag = null;
		canvas.addEventListener('pointerdown', (event) => this.begin(event, choose));
		canvas.addEventListener('pointermove', (event) => this.drag?.(event));
		for (const end of ['pointerup', 'pointercancel'])
			canvas.addEventListener(end, () => {
				this.drag = null;
			});
	}

	show(store, panel) {
		this.store = store;
		this.panel = panel;
		this.image = null;
	}

	/* Inside of what is shown: moves it. Outside: a new stretch from here on. */
	begin(event, choose) {
		const time = (one) => {
			const { left, width } = this.panel.geometry;
			return Math.max(0, Math.min(1, (one.offsetX - left) / width)) * this.store.end;
		};
		this.canvas.setPointerCapture(event.pointerId);
		const { from, to } = this.panel.view;
		const began = time(event);
		const inside = began >= from && began <= to && to - from < this.store.end * 0.98;
		this.drag = (one) => {
			const now = time(one);
			if (inside) choose(from + now - began, to + now - began);
			else if (Math.abs(now - began) > this.store.end * 0.003)
				choose(Math.min(now, began), Math.max(now, began));
		};
		if (!inside && to - from < this.store.end * 0.98)
			choose(began - (to - from) / 2, began + (to - from) / 2);
	}

	draw(view) {
		const { panel, store } = this;
		const { ratio, geometry, colours } = panel;
		const width = geometry.full;
		if (!this.image || this.image.width !== Math.round(width * ratio)) {
			this.canvas.width = Math.round(width * ratio);
			this.canvas.height = Math.round(HEIGHT * ratio);
			this.paint();
		}
		const context = this.canvas.getContext('2d');
		context.setTransform(1, 0, 0, 1, 0, 0);
		context.clearRect(0, 0, this.canvas.width, this.canvas.height);
		context.drawImage(this.image, 0, 0);
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		const x = (t) => geometry.left + Math.max(0, Math.min(1, t / store.end)) * geometry.width;
		const a = x(view.from),
			b = Math.max(x(view.to), a + 2);
		context.fillStyle = colours.back;
		context.globalAlpha = 0.65;
		context.fillRect(geometry.left, 0, a - geometry.left, HEIGHT);
		context.fillRect(b, 0, geometry.left + geometry.width - b, HEIGHT);
		context.globalAlpha = 1;
		context.strokeStyle = colours.accent;
		context.lineWidth = 1.5;
		context.strokeRect(a, 1, b - a, HEIGHT - 2);
	}

	paint() {
		const { panel, store } = this;
		const { ratio, geometry, colours } = panel;
		this.image = document.createElement('canvas');
		this.image.width = this.canvas.width;
		this.image.height = this.canvas.height;
		const context = this.image.getContext('2d');
		context.scale(ratio, ratio);
		context.fillStyle = colours.lane;
		context.fillRect(geometry.left, 0, geometry.width, HEIGHT);
		context.fillStyle = colours.dim;
		context.font = `12px ${colours.font}`;
		context.textAlign = 'right';
		context.textBaseline = 'middle';
		context.fillText('whole run', geometry.left - 8, HEIGHT / 2);
		const bins = Math.max(1, Math.round(geometry.width));
		const sums = load(store, bins);
		for (let bin = 0; sums && bin < bins; bin++) {
			let y = HEIGHT;
			sums.forEach((sum, family) => {
				const height = Math.min(1, sum[bin]) * (HEIGHT - 8);
				if (height <= 0) return;
				context.fillStyle = taskColour(family);
				context.fillRect(geometry.left + bin, y - height, 1, height);
				y -= height;
			});
		}
		context.fillStyle = colours.miss;
		for (const miss of store.misses)
			context.fillRect(
				geometry.left + (miss.deadline / store.end) * geometry.width - 0.75,
				0,
				1.5,
				7,
			);
	}
}
