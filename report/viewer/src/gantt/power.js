/*
 * power.js - power over time under the lanes: a step curve; where steps are closer than pixels, from the least to
 * the greatest of each pixel, and their mean. Of several GPUs that of all, and over it the mean of each, dashed.
 */
import { real } from '../format.js';
import { firstWhere } from './search.js';

export const hasPower = (power) => power.count > 0 && power.most > 0;

function niceTop(most) {
	const size = 10 ** Math.floor(Math.log10(most));
	return (
		[1, 1.5, 2, 3, 4, 5, 6, 8, 10]
			.map((times) => times * size)
			.find((top) => top >= most * 1.02) ?? size * 10
	);
}

const firstVisible = (power, from) => firstWhere(power.count, (i) => power.end[i] > from);

/* Watts at t, or null. */
export function powerAt(power, t) {
	const i = firstVisible(power, t);
	return i < power.count && power.start[i] <= t ? power.watts[i] : null;
}

/* upTo: the watts that the axis must reach. */
export function drawPower(context, power, powers, geometry, view, { colours, note, upTo, height }) {
	const { left, width } = geometry;
	const top = 22,
		bottom = height - 14;
	context.font = `12px ${colours.font}`;
	context.textBaseline = 'middle';
	context.fillStyle = colours.dim;
	context.textAlign = 'right';
	context.fillText(geometry.mark ? `power ${geometry.mark}` : 'power', left - 8, 7);
	if (!hasPower(power)) {
		context.textAlign = 'left';
		context.fillText(note, left + 8, 7);
		return;
	}
	const most = niceTop(Math.max(power.most, upTo));
	const y = (watts) => bottom - (watts / most) * (bottom - top);
	for (const share of height > 80 ? [0, 0.5, 1] : [0, 1]) {
		context.fillStyle = colours.rule;
		context.fillRect(left, Math.round(y(most * share)), width, 1);
		context.fillStyle = colours.dim;
		context.fillText(`${real(most * share)} W`, left - 8, y(most * share));
	}
	context.save();
	context.beginPath();
	context.rect(left, 0, width, height);
	context.clip();
	curve(context, power, { left, width, view, y, bottom }, colours);
	powers.forEach((one, gpu) => lineOfMeans(context, one, gpu, { left, width, view, y }, colours));
	context.restore();
	if (powers.length > 0) key(context, powers.length, left + 8, colours);
}

/* Dashes of the GPUs' curves, by number. */
const DASHES = [[8, 3], [2, 2], [8, 3, 2, 3], [4, 6]];

/* Which dashes are whose, above the curves. */
function key(context, count, left, colours) {
	let x = left;
	context.textAlign = 'left';
	for (let gpu = 0; gpu < count; gpu++) {
		const name = `GPU ${gpu}`;
		dashed(context, gpu, colours, () => {
			context.moveTo(x, 7);
			context.lineTo(x + 24, 7);
		});
		context.fillStyle = colours.dim;
		context.fillText(name, x + 28, 7);
		x += 28 + context.measureText(name).width + 14;
	}
}

function dashed(context, gpu, colours, path) {
	context.save();
	context.strokeStyle = colours.text;
	context.lineWidth = 1.2;
	context.setLineDash(DASHES[gpu % DASHES.length]);
	context.beginPath();
	path();
	context.stroke();
	context.restore();
}

const DENSE = 3; /* steps in a pixel that are too many for a line */

/* Power by pixel: the least, the greatest, and the mean over its time. */
class Columns {
	constructor(left, width) {
		const count = Math.ceil(width);
		this.left = left;
		this.steps = new Uint32Array(count);
		this.least = new Float64Array(count).fill(Infinity);
		this.most = new Float64Array(count);
		this.sum = new Float64Array(count);
		this.time = new Float64Array(count);
	}

	/* Power from a to b (CSS pixels). */
	add(a, b, watts) {
		const from = a - this.left,
			to = Math.min(b - this.left, this.steps.length);
		for (let i = Math.max(0, Math.floor(from)); i < to; i++) {
			const time = Math.min(to, i + 1) - Math.max(from, i);
			if (time <= 0) continue;
			this.steps[i]++;
			this.least[i] = Math.min(this.least[i], watts);
			this.most[i] = Math.max(this.most[i], watts);
			this.sum[i] += watts * time;
			this.time[i] += time;
		}
	}

	/* A line through all pixels; where it would be solid, a pale band and the mean. */
	draw(context, y, bottom) {
		for (let i = 0; i < this.steps.length; i++) {
			if (this.steps[i] === 0) continue;
			const joined = i > 0 && this.steps[i - 1] > 0;
			const high = y(joined ? Math.max(this.most[i], this.least[i - 1]) : this.most[i]),
				low = y(joined ? Math.min(this.least[i], this.most[i - 1]) : this.least[i]),
				mean = y(this.sum[i] / this.time[i]);
			const x = this.left + i,
				dense = this.steps[i] >= DENSE;
			context.globalAlpha = 0.16;
			context.fillRect(x, mean, 1, bottom - mean);
			context.globalAlpha = dense ? 0.3 : 1;
			context.fillRect(x, high - 0.7, 1, low - high + 1.4);
			context.globalAlpha = 1;
			if (dense) context.fillRect(x, mean - 0.7, 1, 1.4);
		}
	}
}

function columnsOf(power, { left, width, view }) {
	const x = (t) => left + ((t - view.from) / (view.to - view.from)) * width;
	const columns = new Columns(left, width);
	for (let i = firstVisible(power, view.from); i < power.count && power.start[i] < view.to; i++)
		columns.add(x(power.start[i]), x(power.end[i]), power.watts[i]);
	return columns;
}

function lineOfMeans(context, power, gpu, at, colours) {
	const columns = columnsOf(power, at);
	dashed(context, gpu, colours, () => {
		for (let i = 0, on = false; i < columns.steps.length; i++) {
			if (columns.steps[i] > 0)
				context[on ? 'lineTo' : 'moveTo'](at.left + i + 0.5, at.y(columns.sum[i] / columns.time[i]));
			on = columns.steps[i] > 0;
		}
	});
}

function curve(context, power, { left, width, view, y, bottom }, colours) {
	const columns = columnsOf(power, { left, width, view });
	context.fillStyle = colours.accent;
	columns.draw(context, y, bottom);
}
