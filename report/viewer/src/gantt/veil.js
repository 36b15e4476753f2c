/*
 * veil.js - the job that is looked at: everything else on the lanes goes pale, its strip gets a frame.
 */
import { parseRgb, pixel, taskRgb } from '../colours.js';
import { drawStackItems, putLanes, Raster } from './raster.js';

const PALE = 160; /* of 255 */

const inView = ({ release, finish }, { from, to }) => release < to && !(finish < from);

export class Veil {
	constructor() {
		this.raster = new Raster();
		this.key = '';
	}

	draw(context, panel, job) {
		const { store, geometry, view, ratio, last, colours } = panel;
		const known = store.job(job.task, job.seq);
		if (known && !inView(known, view)) return;
		if (store.complete && last.mode !== 'none' && geometry.lanes.length > 0) {
			const key = [
				store.run,
				job.task,
				job.seq,
				view.from,
				view.to,
				geometry.width,
				geometry.height,
				ratio,
				colours.back,
				geometry.lanes.length,
				geometry.mark,
			].join(' ');
			if (key !== this.key) this.paint(panel, job);
			this.key = key;
			putLanes(context, panel, this.raster.image);
		}
		this.frame(context, panel, known);
	}

	/* A cloth over the lanes with a hole for each interval of the job. */
	paint(panel, { task, seq }) {
		const { geometry, view, ratio, colours } = panel;
		const { raster } = this;
		const width = Math.round(geometry.width * ratio),
			height = Math.max(1, Math.round((geometry.lanesBottom - geometry.lanesTop) * ratio));
		raster.begin(width, height, 0, 1);
		const cloth = pixel(parseRgb(colours.back), PALE);
		const scale = width / (view.to - view.from);
		const limit = (t) => Math.max(0, Math.min(width, Math.round((t - view.from) * scale)));
		for (const { lane, y, height: tall } of geometry.lanes) {
			const top = Math.round((y - geometry.lanesTop) * ratio),
				high = Math.min(Math.max(1, Math.round(tall * ratio)), height - top);
			if (lane.stacked) {
				this.paintStack(panel, lane, { y: top, height: high, x0: 0, x1: width }, { task, seq });
				continue;
			}
			raster.ground(top, high, cloth);
			const { items, scale: rows } = lane;
			const [low, behind] = items.range(view.from, view.to);
			for (let i = low; i < behind; i++) {
				if (
					items.task[i] !== task ||
					items.seq[i] !== seq ||
					items.start[i] >= view.to
				)
					continue;
				const y1 = top + high - Math.round((items.pos[i] / rows) * high);
				const y0 = Math.max(
					top,
					Math.min(
						y1 - 1,
						top +
							high -
							Math.round(
								((items.pos[i] + items.size[i]) / rows) *
									high,
							),
					),
				);
				const left = Math.min(limit(items.start[i]), width - 1);
				raster.rectangle(left, Math.max(limit(items.end[i]), left + 1), y0, y1, 0);
			}
		}
	}

	/* One lane of threads: those of the job alone. */
	paintStack(panel, lane, box, { task, seq }) {
		const { view, colours } = panel;
		const ground = pixel(parseRgb(colours.lane));
		this.raster.ground(box.y, box.height, ground);
		drawStackItems(
			this.raster,
			lane,
			{ ...box, ground },
			{ from: view.from, scale: box.x1 / (view.to - view.from) },
			{ fill: [pixel(taskRgb(panel.store.hue(task)))] },
			(i, items) => items.task[i] === task && items.seq[i] === seq,
		);
	}

	frame(context, panel, job) {
		if (!job) return;
		const { geometry, store, colours } = panel;
		const { y, height } = geometry.strips[store.hue(job.task)];
		const { left, width } = geometry;
		const a = Math.max(left, panel.x(job.release)),
			b = Math.min(
				left + width,
				panel.x(Number.isNaN(job.finish) ? store.end : job.finish),
			);
		context.strokeStyle = colours.text;
		context.lineWidth = 1.5;
		if (b > a) context.strokeRect(a, y + height * 0.36, b - a, height * 0.58);
	}
}
