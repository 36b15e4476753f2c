/*
 * panel.js - a run on its canvases: the axis, the tasks' strips, the lanes and the power under them; what is under a point;
 * and the cursor over it. Two runs share all canvases but that of power.
 */
import { inkOn, parseRgb, pixel, taskColour, taskRgb, theme } from '../colours.js';
import { drawAxis } from './axis.js';
import { find, useOf, USE_NOTES } from './find.js';
import { powerHeight } from './layout.js';
import { drawPower, hasPower } from './power.js';
import { DEVIATIONS, drawDeviations } from './measured.js';
import { drawDetail, drawItems, drawStackDetail, drawStackItems, palette, putLanes, Raster } from './raster.js';
import { drawStrip } from './strips.js';
import { Veil } from './veil.js';
import { drawWays } from './ways.js';

const EXACT_MOST = 100000; /* intervals that are drawn one by one */
const TEXTS_MOST = 400;
const TABLES = ['segment_interval', 'measured', 'block_interval'];

export class Panel {
	/* first: the panel whose canvases this one shares. */
	constructor(first = null) {
		const get = (name) => document.getElementById(name);
		this.canvas = get('gantt');
		this.over = get('over');
		this.power = get(first ? 'power-2' : 'power');
		this.raster = new Raster();
		this.veil = new Veil();
		this.store = null;
		this.view = { from: 0, to: 1 };
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
	}

	/* The canvas of power; those that two runs share have the height of both. */
	fit(geometry) {
		this.geometry = geometry;
		this.ratio = Math.min(2, devicePixelRatio || 1);
		this.powerHeight = powerHeight(hasPower(this.store.power), geometry.mark !== '');
		fit(this.power, geometry.full, this.powerHeight, this.ratio);
	}

	x(t) {
		const { left, width } = this.geometry;
		return left + ((t - this.view.from) / (this.view.to - this.view.from)) * width;
	}

	time(x) {
		const { left, width } = this.geometry;
		return this.view.from + ((x - left) / width) * (this.view.to - this.view.from);
	}

	clear(canvas) {
		return clear(canvas, this.ratio);
	}

	/* All but the lanes, over the axis' lines. upTo: watts to which the power's axis goes at least. */
	drawRest(context, lanes, upTo) {
		if (lanes.plans) {
			this.drawTexts(context, lanes.plans);
			this.drawMissing(context);
		}
		this.drawStrips(context);
		this.drawNames(context);
		drawPower(this.clear(this.power), this.store.power, this.store.powers, this.geometry, this.view, {
			colours: this.colours,
			note: this.powerNote(),
			upTo,
			height: this.powerHeight,
		});
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
		store.jobs.families.forEach((jobs, i) => {
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
	exact(table) {
		const { store, view } = this;
		if (!store.complete) return null;
		let count = 0;
		for (const lane of store.lanes) {
			if (lane.table === table) count += lane.items.visible(view.from, view.to);
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
		this.palette ??= palette(Math.max(1, store.family.names.length), parseRgb(colours.lane));
		this.raster.begin(width, height, back, Math.max(store.family.names.length, DEVIATIONS.length));
		const view = { from: this.view.from, scale: width / (this.view.to - this.view.from) };
		const level = store.detail.level(1 / view.scale);
		const plans = Object.fromEntries(TABLES.map((table) => [table, this.plan(this.exact(table), view, width)]));
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
			drawn += this.drawLane(lane, box, plans[lane.table], view, level);
		}
		putLanes(context, this, this.raster.image);
		return { mode: this.mode(plans), drawn, plans };
	}

	mode(plans) {
		const { store } = this;
		const used = new Set(store.lanes.map((lane) => lane.table));
		if ([...used].every((table) => plans[table].rest.length === 0)) return 'exact';
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
		if (lane.stacked) return this.drawStack(lane, box, plan, view, level);
		const { store } = this;
		if (lane.kind === 'deviations') {
			const fill = DEVIATIONS.map((name) => pixel(parseRgb(this.colours[name])));
			for (const [x0, x1] of plan.pieces) drawDeviations(this.raster, lane, { ...box, x0, x1 }, view, fill);
			return 0;
		}
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

	drawStack(lane, box, plan, view, level) {
		const { store } = this;
		let drawn = 0;
		const detailOf = (one) => store.detail.lane(one.lane, level);
		for (const [x0, x1] of store.detail.present ? plan.rest : [])
			drawn += drawStackDetail(this.raster, lane, detailOf, { ...box, x0, x1 }, view, this.palette);
		for (const [x0, x1] of plan.pieces)
			drawn += drawStackItems(this.raster, lane, { ...box, x0, x1 }, view, this.palette);
		return drawn;
	}

	/* Names on the intervals that are wide enough, except on SMs. */
	drawTexts(context, plans) {
		const { geometry, store, view, colours } = this;
		context.font = `11px ${colours.font}`;
		context.textAlign = 'left';
		context.textBaseline = 'middle';
		let texts = 0;
		for (const { lane, y, height } of geometry.lanes) {
			if (lane.blocks || lane.kind === 'deviations' || plans[lane.table].pieces.length === 0) continue;
			const { items, scale } = lane;
			const [low, high] = items.range(view.from, view.to);
			for (let i = low; i < high && texts < TEXTS_MOST; i++) {
				const a = Math.max(geometry.left, this.x(items.start[i])),
					b = Math.min(geometry.left + geometry.width, this.x(items.end[i]));
				const per = height / scale;
				if (b - a < 34 || per < 9) continue;
				if (lane.kind === 'context' && items.code[i]) continue;
				texts++;
				const task = items.task[i];
				context.fillStyle =
					items.code[i] & 12 && !lane.blocks
						? colours.text
						: inkOn(taskRgb(items.hue[i]));
				this.label(
					context,
					{ task, segment: items.segment[i], seq: lane.kind === 'context' ? null : items.seq[i] },
					items.code[i],
					a + 5,
					b - 4,
					y + height - (items.pos[i] + 0.5) * per + 0.5,
				);
			}
		}
	}

	label(context, { task, segment, seq }, code, a, b, y) {
		const { tasks, family } = this.store;
		const { name } = tasks[task];
		const part = this.store.partName(task, segment);
		const note = USE_NOTES[useOf(code)];
		const waiting = note ? ` ${note}` : '';
		const alone = family.names.length === tasks.length;
		const parts = part && seq !== null ? [`${name}: ${part} ${seq}`, `${name}: ${part}`, part] : [];
		const texts = parts.length > 0 ? parts : seq === null ? [name] : alone ? [`${name} ${seq}${waiting}`, name, String(seq)] : [`${name}${waiting}`, /\d*$/.exec(name)[0]];
		const text = texts.find(
			(one) => context.measureText(one).width <= b - a,
		);
		if (text) context.fillText(text, a, y);
	}

	/* A grey line over the lanes, and a word where there is room, where single blocks or intervals are not in the page. */
	drawMissing(context) {
		const { geometry, colours, store } = this;
		for (const table of TABLES) {
			const lanes = geometry.lanes.filter(({ lane }) => lane.table === table);
			if (lanes.length === 0) continue;
			const y = lanes[0].y;
			const what = { block_interval: 'blocks', segment_interval: 'intervals', measured: 'recorded intervals' }[table];
			const text =
				store.detail.present && table !== 'measured'
					? `single ${what} are not in this page here: shares of bins`
					: `${what} are not in this page here`;
			for (const [from, to] of store.missing(table, this.view)) {
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

	/* Two runs: the name is beside the rows of both, and A or B beside each. */
	drawNames(context) {
		const { geometry, store, colours } = this;
		const beside = geometry.mark ? 12 : 0;
		context.font = `12px ${colours.font}`;
		context.textAlign = 'right';
		context.textBaseline = 'middle';
		for (const { family, y, height, name } of geometry.strips) {
			this.mark(context, y, height);
			if (!name) continue;
			const middle = name.y + name.height / 2;
			context.font = `12px ${colours.font}`;
			context.fillStyle = colours.text;
			context.fillText(
				shorten(context, store.family.names[family], geometry.left - 30 - beside),
				geometry.left - 24 - beside,
				middle + 1,
			);
			context.fillStyle = taskColour(family);
			context.fillRect(geometry.left - 18 - beside, middle - 4, 9, 9);
		}
		let free = -1;
		for (const { lane, y, height, name } of geometry.lanes) {
			if (lane.table !== 'measured') this.mark(context, y, height);
			const middle = name ? name.y + name.height / 2 : -Infinity;
			if (middle - 6 < free) continue;
			const small = (lane.blocks && !lane.stacked) || lane.kind === 'measured';
			context.fillStyle = colours.dim;
			context.font = `${small ? 10.5 : 12}px ${colours.font}`;
			context.fillText(lane.name, geometry.left - 8 - beside, middle + (lane.stacked && !beside ? -7 : 0.5));
			if (lane.stacked && !beside) context.fillText('threads', geometry.left - 8, middle + 8);
			free = middle + (small ? 6.5 : 4);
		}
		if (geometry.lanes.length === 0 && geometry.mark !== 'B') this.drawNoLanes(context);
	}

	mark(context, y, height) {
		const { geometry, colours } = this;
		if (!geometry.mark || height < 6) return;
		context.font = `${Math.min(10, height + 2)}px ${colours.font}`;
		context.fillStyle = colours.dim;
		context.fillText(geometry.mark, geometry.left - 5, y + height / 2 + 0.5);
	}

	drawNoLanes(context) {
		const { geometry, colours } = this;
		context.textAlign = 'left';
		context.font = `12px ${colours.font}`;
		context.fillStyle = colours.dim;
		context.fillText(
			'CPU, copies and the GPU are recorded from --record segments on, SMs from --record blocks on.',
			geometry.left + 8,
			geometry.lanesTop - 2,
		);
	}

	/* Over it: everything but the job goes pale. */
	drawOver(context, job) {
		if (job) this.veil.draw(context, this, job);
	}

	find(x, y) {
		return this.store && this.geometry ? find(this, x, y) : null;
	}
}

/* The panels' canvases and geometries, where there are two with the rows of both. */
export function fitPanels(panels, geometries) {
	panels.forEach((panel, i) => panel.fit(geometries[i]));
	const [first] = panels;
	const { full, height } = geometries[0];
	fit(first.canvas, full, height, first.ratio);
	fit(first.over, full, height + panels.reduce((sum, panel) => sum + panel.powerHeight, 0), first.ratio);
}

/* A frame; each panel keeps what it was in `last`. */
export function drawPanels(panels, view, upTo) {
	const since = performance.now();
	const [first] = panels;
	const context = first.clear(first.canvas);
	const lanes = panels.map((panel) => {
		panel.view = view;
		return panel.drawLanes(context);
	});
	drawAxis(context, first.geometry, view, first.colours);
	panels.forEach((panel, i) => {
		panel.drawRest(context, lanes[i], upTo);
		panel.last = { mode: lanes[i].mode, drawn: lanes[i].drawn, ms: performance.now() - since };
	});
}

/* What is over a frame: the cursor, the job that is looked at, and the way of data along a chain. */
export function drawOvers(panels, cursor, job, way) {
	const [first] = panels;
	const context = first.clear(first.over);
	for (const panel of panels) {
		panel.drawOver(context, job);
		if (way?.run === panel.store.run) drawWays(context, panel, way.ways);
	}
	if (cursor === null) return;
	const { geometry, colours } = first;
	const x = Math.round(first.x(cursor));
	if (x < geometry.left || x > geometry.left + geometry.width) return;
	const bottom = geometry.height + panels.reduce((sum, panel) => sum + panel.powerHeight, 0) - 14;
	context.fillStyle = colours.accent;
	context.fillRect(x, geometry.axis - 4, 1, bottom - geometry.axis);
}

function fit(canvas, width, height, ratio) {
	canvas.width = Math.round(width * ratio);
	canvas.height = Math.round(height * ratio);
	canvas.style.width = `${width}px`;
	canvas.style.height = `${height}px`;
}

function clear(canvas, ratio) {
	const context = canvas.getContext('2d');
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.clearRect(0, 0, canvas.width, canvas.height);
	return context;
}

/* What is too long loses its middle: names often differ at their end. */
function shorten(context, text, width) {
	let cut = text;
	for (let keep = text.length - 1; keep > 2 && context.measureText(cut).width > width; keep--)
		cut = `${text.slice(0, Math.ceil(keep / 2))}…${text.slice(text.length - Math.floor(keep / 2))}`;
	return cut;
}
