/*
 * power.js - power over time under the lanes: a step curve; where steps are closer than pixels, from the least to
 * the greatest of each pixel.
 */
import { real } from '../format.js';
import { firstWhere } from './search.js';

export const POWER_HEIGHT = 104;
export const NO_POWER_HEIGHT = 34;

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
export function drawPower(context, power, geometry, view, { colours, note, upTo }) {
	const { left, width } = geometry;
	const top = 22,
		bottom = POWER_HEIGHT - 14;
	context.font = `12px ${colours.font}`;
	context.textBaseline = 'middle';
	context.fillStyle = colours.dim;
	context.textAlign = 'right';
	context.fillText('power', left - 8, 7);
	if (!hasPower(power)) {
		context.textAlign = 'left';
		context.fillText(note, left + 8, 7);
		return;
	}
	const most = niceTop(Math.max(power.most, upTo));
	const y = (watts) => bottom - (watts / most) * (bottom - top);
	for (const share of [0, 0.5, 1]) {
		context.fillStyle = colours.rule;
		context.fillRect(left, Math.round(y(most * share)), width, 1);
		context.fillStyle = colours.dim;
		context.fillText(`${real(most * share)} W`, left - 8, y(most * share));
	}
	context.save();
	context.beginPath();
	context.rect(left, 0, width, POWER_HEIGHT);
	context.clip();
	curve(context, power, { left, width, view, y, bottom }, colours);
	context.restore();
}

/* Steps that are narrower than a pixel, by pixel: the least, the greatest, and the mean over its time. */
class Bands {
	constructor(left, width) {
		this.left = left;
		this.least = new Float64Array(Math.ceil(width) + 1).fill(Infinity);
		this.most = new Float64Array(Math.ceil(width) + 1);
		this.sum = new Float64Array(Math.ceil(width) + 1);
		this.time = new Float64Array(Math.ceil(width) + 1);
	}

	add(a, b, watts) {
		const i = Math.floor(a - this.left);
		if (i < 0 || i >= this.least.length) return;
		this.least[i] = Math.min(this.least[i], watts);
		this.most[i] = Math.max(this.most[i], watts);
		this.sum[i] += watts * (b - a);
		this.time[i] += b - a;
	}

	draw(context, y, bottom) {
		for (let i = 0; i < this.least.length; i++) {
			if (this.time[i] <= 0) continue;
			const x = this.left + i,
				mean = y(this.sum[i] / this.time[i]),
				high = y(this.most[i]),
				low = y(this.least[i]);
			context.globalAlpha = 0.16;
			context.fillRect(x, mean, 1, bottom - mean);
			context.globalAlpha = 0.3;
			context.fillRect(x, high, 1, low - high);
			context.globalAlpha = 1;
			context.fillRect(x, mean - 0.7, 1, 1.4);
		}
	}
}

function curve(context, power, { left, width, view, y, bottom }, colours) {
	const x = (t) => left + ((t - view.from) / (view.to - view.from)) * width;
	const line = new Path2D(),
		area = new Path2D();
	const bands = new Bands(left, width);
	let last = -Infinity;
	for (let i = firstVisible(power, view.from); i < power.count && power.start[i] < view.to; i++) {
		const a = Math.max(left - 2, x(power.start[i])),
			b = Math.min(left + width + 2, x(power.end[i])),
			watts = power.watts[i];
		if (b - a < 1) {
			bands.add(a, b, watts);
			continue;
		}
		area.rect(a, y(watts), b - a, bottom - y(watts));
		if (power.start[i] > last) line.moveTo(a, y(watts));
		line.lineTo(a, y(watts));
		line.lineTo(b, y(watts));
		last = power.end[i];
	}
	context.fillStyle = colours.accent;
	bands.draw(context, y, bottom);
	context.globalAlpha = 0.16;
	context.fill(area);
	context.globalAlpha = 1;
	context.strokeStyle = colours.accent;
	context.lineWidth = 1.3;
	context.stroke(line);
}
