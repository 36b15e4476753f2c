/*
 * panel.js - one run on its canvases: the axis, the tasks' strips, the lanes and the power under them; what is under
 * a point; and the cursor over it.
 */
import { inkOn, parseRgb, pixel, taskColour, taskRgb, theme } from '../colours.js';
import { drawAxis } from './axis.js';
import { find } from './find.js';
import { layout } from './layout.js';
import { drawPower, hasPower, NO_POWER_HEIGHT, POWER_HEIGHT } from './power.js';
import { drawDetail, drawItems, palette, Raster } from './raster.js';
import { drawStrip } from './strips.js';
import { Veil } from './veil.js';

const EXACT_MOST = 100000; /* intervals that are drawn one by one */
const TEXTS_MOST = 400;

export class Panel {
	constructor(suffix) {
		const get = (name) => document.getElementById(`${name}${suffix}`);
		this.root = get('panel');
		this.title = get('panel').querySelector('h3');
		this.canvas = get('gantt');
		this.power = get('power');
		this.over = get('over');
		this.raster = new Raster();
		this.veil = new Veil();
		this.store = null;
		this.view = { from: 0, to: 1 };
		this.wish = 0;
		this.last = { mode: 'none', drawn: 0, ms: 0 };
		this.retheme();
	}

	retheme() {
		this.colours = theme();
		this.palette = null;
	}

	show(store) {
		this.store = store;
		this.palette = null;
		this.relayout();
	}

	relayout() {
		if (!this.store) return;
		const width = this.root.clientWidth || this.root.parentElement.clientWidth || 900;
		this.geometry = layout(this.store, width, this.wish);
		this.ratio = Math.min(2, devicePixelRatio || 1);
		this.fit(this.canvas, width, this.geometry.height);
		this.powerHeight = hasPower(this.store.power) ? POWER_HEIGHT : NO_POWER_HEIGHT;
		this.fit(this.power, width, this.powerHeight);
		this.fit(this.over, width, this.geometry.height + this.powerHeight);
	}

	fit(canvas, width, height) {
		canvas.width = Math.round(width * this.ratio);
		canvas.height = Math.round(height * this.ratio);
		canvas.style.width = `${width}px`;
		canvas.style.height = `${height}px`;
	}

	x(t) {
		const { left, width } = this.geometry;
		return left + ((t - this.view.from) / (this.view.to - this.view.from)) * width;
	}

	time(x) {
		const { left, width } = this.geometry;
		return this.view.from + ((x - left) / width) * (this.view.to - this.view.from);
	}

	context(canvas) {
		const context = canvas.getContext('2d');
		context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
		context.clearRect(0, 0, canvas.width, canvas.height);
		return context;
	}

	/* A frame; says what it was. upTo: watts to which the power's axis goes at least. */
	draw(view, upTo = 0) {
		const since = performance.now();
		this.view = view;
		const context = this.context(this.canvas);
		const lanes = this.drawLanes(context);
		drawAxis(context, this.geometry, view, this.colours);
		if (lanes.plans) {
			this.drawTexts(context, lanes.plans[0]);
			this.drawMissing(context);
		}
		this.drawStrips(context);
		this.drawNames(context);
		drawPower(this.context(this.power), this.store.power, this.geometry, view, {
			colours: this.colours,
			note: this.powerNote(),
			upTo,
		});
		this.last = { mode: lanes.mode, drawn: lanes.drawn, ms: performance.now() - since };
		return this.last;
	}

	powerNote() {
		const { record, cycles } = this.store.row;
		if (cycles !== null && cycles !== undefined)
			return 'Power over time is not recorded for kernels of warps; their energy is in run_warp_kernel.';
		return record === 'summary' || record === 'jobs'
			? 'Power is recorded from --record segments on.'
			: 'Nothing takes power in this run.';
	}

	drawStrips(context) {
		const { geometry, store, colours } = this;
		store.jobs.tasks.forEach((jobs, i) => {
			const { y, height } = geometry.strips[i];
			context.fillStyle = colours.rule;
			context.fillRect(geometry.left, y + height, geometry.width, 1);
			drawStrip(
				context,
				jobs,
				i,
				{ left: geometry.left, width: geometry.width, y, height },
				this.view,
				colours,
			);
		});
		if (store.jobs.count === 0 && store.row.jobs > 0) {
			context.fillStyle = colours.dim;
			context.font = `13px ${colours.font}`;
			context.textAlign = 'left';
			context.fillText(
				'Jobs are recorded from --record jobs on.',
				geometry.left + 8,
				geometry.strips[0].y + geometry.strips[0].height / 2,
			);
		}
	}

	/* What of a table can be drawn one by one in the view: stretches, or null if it is too much, or not read yet. */
	exact(blocks) {
		const { store, view } = this;
		if (!store.complete) return null;
		const table = blocks ? 'block_interval' : 'segment_interval';
		let count = 0;
		for (const lane of store.lanes) {
			if (lane.blocks === blocks) count += lane.items.visible(view.from, view.to);
		}
		if (count > EXACT_MOST && store.detail.present) return null;
		const windows = store.windows(table);
		if (!windows) return [[view.from, view.to]];
		return windows
			.map(([from, to]) => [Math.max(from, view.from), Math.min(to, view.to)])
			.filter(([from, to]) => to > from);
	}

	drawLanes(context) {
		const { geometry, store, colours, ratio } = this;
		if (geometry.lanes.length === 0) return { mode: 'none', drawn: 0 };
		const width = Math.round(geometry.width * ratio),
			top = geometry.lanesTop;
		const height = Math.max(1, Math.round((geometry.lanesBottom - top) * ratio));
		const back = pixel(parseRgb(colours.back)),
			ground = pixel(parseRgb(colours.lane));
		this.palette ??= palette(Math.max(1, store.tasks.length), parseRgb(colours.lane));
		this.raster.begin(width, height, back, store.tasks.length);
		const view = { from: this.view.from, scale: width / (this.view.to - this.view.from) };
		const level = store.detail.level(1 / view.scale);
		const plans = [false, true].map((blocks) => this.plan(this.exact(blocks), view, width));
		let drawn = 0;
		for (const { lane, y, height: tall } of geometry.lanes) {
			const box = {
				y: Math.round((y - top) * ratio),
				height: Math.max(1, Math.round(tall * ratio)),
				ground,
				blocks: lane.blocks,
			};
			box.height = Math.min(box.height, height - box.y);
			this.raster.ground(box.y, box.height, ground);
			drawn += this.drawLane(lane, box, plans[lane.blocks ? 1 : 0], view, level);
		}
		context.putImageData(
			this.raster.image,
			Math.round(geometry.left * ratio),
			Math.round(top * ratio),
		);
		return { mode: this.mode(plans), drawn, plans };
	}

	mode(plans) {
		const { store } = this;
		const used = plans.filter((_, blocks) =>
			store.lanes.some((lane) => lane.blocks === Boolean(blocks)),
		);
		if (used.every((plan) => plan.rest.length === 0)) return 'exact';
		return store.detail.present ? 'detail' : store.complete ? 'exact' : 'none';
	}

	/* The stretches in pixels: exact ones, and the rest. */
	plan(exact, view, width) {
		const limit = (t) => Math.max(0, Math.min(width, Math.round((t - view.from) * view.scale)));
		const pieces = (exact ?? [])
			.map(([from, to]) => [limit(from), limit(to)])
			.filter(([a, b]) => b > a);
		const rest = [];
		let x = 0;
		for (const [a, b] of pieces) {
			if (a > x) rest.push([x, a]);
			x = Math.max(x, b);
		}
		if (x < width) rest.push([x, width]);
		return { pieces, rest };
	}

	drawLane(lane, box, plan, view, level) {
		const { store } = this;
		let drawn = 0;
		if (plan.rest.length > 0 && store.detail.present) {
			const detail = store.detail.lane(lane.lane, level);
			for (const [x0, x1] of plan.rest)
				drawn += drawDetail(
					this.raster,
					detail,
					lane.blocks ? 1 : lane.scale,
					{ ...box, x0, x1 },
					view,
					this.palette,
				);
		}
		for (const [x0, x1] of plan.pieces)
			drawn += drawItems(
				this.raster,
				lane.items,
				lane.scale,
				{ ...box, x0, x1 },
				view,
				this.palette,
			);
		return drawn;
	}

	/* Names on the intervals that are wide enough, except on SMs. */
	drawTexts(context, plan) {
		const { geometry, store, view, colours } = this;
		if (plan.pieces.length === 0) return;
		context.font = `11px ${colours.font}`;
		context.textAlign = 'left';
		context.textBaseline = 'middle';
		let texts = 0;
		for (const { lane, y, height } of geometry.lanes) {
			if (lane.blocks) continue;
			const { items, scale } = lane;
			const [low, high] = items.range(view.from, view.to);
			for (let i = low; i < high && texts < TEXTS_MOST; i++) {
				const a = Math.max(geometry.left, this.x(items.start[i])),
					b = Math.min(geometry.left + geometry.width, this.x(items.end[i]));
				if (b - a < 34) continue;
				texts++;
				const per = height / scale;
				const task = items.task[i];
				context.fillStyle =
					items.code[i] & 12 && !lane.blocks
						? colours.text
						: inkOn(taskRgb(task));
				this.label(
					context,
					task,
					items.seq[i],
					items.code[i],
					a + 5,
					b - 4,
					y + height - (items.pos[i] + 0.5) * per + 0.5,
				);
			}
		}
	}

	label(context, task, seq, code, a, b, y) {
		const { name } = this.store.tasks[task];
		const waiting = code & 4 ? ' spins' : code & 8 ? ' boosted' : '';
		const text = [`${name} ${seq}${waiting}`, name, String(seq)].find(
			(one) => context.measureText(one).width <= b - a,
		);
		if (text) context.fillText(text, a, y);
	}

	/* A grey line over the lanes, and a word where there is room, where single blocks or intervals are not in the page. */
	drawMissing(context) {
		const { geometry, colours, store } = this;
		for (const blocks of [false, true]) {
			const lanes = geometry.lanes.filter(({ lane }) => lane.blocks === blocks);
			if (lanes.length === 0) continue;
			const y = lanes[0].y;
			const what = blocks ? 'blocks' : 'intervals';
			const text = store.detail.present
				? `single ${what} are not in this page here: shares of bins`
				: `${what} are not in this page here`;
			for (const [from, to] of store.missing(
				blocks ? 'block_interval' : 'segment_interval',
				this.view,
			)) {
				const a = this.x(from),
					b = this.x(to);
				context.fillStyle = colours.dim;
				context.fillRect(a, y - 6, Math.max(1, b - a), 3);
				this.banner(context, a, b, y + Math.min(lanes.length * 20, 30), text);
			}
		}
	}

	banner(context, a, b, y, text) {
		const { colours } = this;
		context.font = `12px ${colours.font}`;
		const width = context.measureText(text).width + 16;
		if (width > b - a) return;
		context.fillStyle = colours.back;
		context.globalAlpha = 0.88;
		context.fillRect((a + b - width) / 2, y - 11, width, 22);
		context.globalAlpha = 1;
		context.fillStyle = colours.text;
		context.textAlign = 'center';
		context.textBaseline = 'middle';
		context.fillText(text, (a + b) / 2, y + 0.5);
	}

	drawNames(context) {
		const { geometry, store, colours } = this;
		context.font = `12px ${colours.font}`;
		context.textAlign = 'right';
		context.textBaseline = 'middle';
		for (const { task, y, height } of geometry.strips) {
			context.fillStyle = colours.text;
			context.fillText(
				shorten(context, store.tasks[task].name, geometry.left - 30),
				geometry.left - 24,
				y + height / 2 + 1,
			);
			context.fillStyle = taskColour(task);
			context.fillRect(geometry.left - 18, y + height / 2 - 4, 9, 9);
		}
		let free = -1;
		context.fillStyle = colours.dim;
		for (const { lane, y, height } of geometry.lanes) {
			if (y + height / 2 - 6 < free) continue;
			context.font = `${lane.blocks ? 10.5 : 12}px ${colours.font}`;
			context.fillText(lane.name, geometry.left - 8, y + height / 2 + 0.5);
			free = y + height / 2 + (lane.blocks ? 6.5 : 4);
		}
		if (geometry.lanes.length === 0) this.drawNoLanes(context);
	}

	drawNoLanes(context) {
		const { geometry, colours } = this;
		context.textAlign = 'left';
		context.fillText(
			'CPU, copies and the GPU are recorded from --record segments on, SMs from --record blocks on.',
			geometry.left + 8,
			geometry.lanesTop - 2,
		);
	}

	/* Over it: everything but the job goes pale; the cursor. */
	drawOver(cursor, job) {
		const context = this.context(this.over);
		const { geometry, colours } = this;
		if (job) this.veil.draw(context, this, job);
		if (cursor === null) return;
		const x = Math.round(this.x(cursor));
		if (x < geometry.left || x > geometry.left + geometry.width) return;
		context.fillStyle = colours.accent;
		context.fillRect(
			x,
			geometry.axis - 4,
			1,
			geometry.height + this.powerHeight - 14 - geometry.axis,
		);
	}

	find(x, y) {
		return this.store && this.geometry ? find(this, x, y) : null;
	}

}

/* What is too long loses its middle: names often differ at their end. */
function shorten(context, text, width) {
	let cut = text;
	for (let keep = text.length - 1; keep > 2 && context.measureText(cut).width > width; keep--)
		cut = `${text.slice(0, Math.ceil(keep / 2))}…${text.slice(text.length - Math.floor(keep / 2))}`;
	return cut;
}
