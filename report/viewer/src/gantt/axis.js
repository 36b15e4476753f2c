/*
 * axis.js - the time axis: round steps, and a unit that fits what is shown.
 */
import { number, timeUnit } from '../format.js';

export function timeSteps(from, to, width) {
	const rough = (to - from) / Math.max(2, width / 110);
	const size = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
	const step = [1, 2, 5, 10].map((times) => times * size).find((one) => one >= rough) ?? size * 10;
	const [scale, unit] = timeUnit(Math.max(step, (to - from) / 50));
	const digits = Math.max(0, Math.ceil(-Math.log10(step / scale) - 1e-9));
	const steps = [];
	for (let k = Math.ceil(from / step); k * step <= to; k++)
		steps.push({ t: k * step, text: label((k * step) / scale, digits, unit) });
	return steps;
}

function label(value, digits, unit) {
	const fixed = Math.abs(value).toFixed(digits);
	const [whole, rest] = fixed.split('.');
	return `${value < 0 && Number(fixed) !== 0 ? '−' : ''}${number(Number(whole))}${rest ? `.${rest}` : ''} ${unit}`;
}

/* Draws it on top of a panel and fine lines through all of it. */
export function drawAxis(context, geometry, view, colours) {
	const { left, width, height, axis } = geometry;
	context.font = `12px ${colours.font}`;
	context.textBaseline = 'middle';
	context.textAlign = 'center';
	for (const { t, text } of timeSteps(view.from, view.to, width)) {
		const x = left + ((t - view.from) / (view.to - view.from)) * width;
		context.fillStyle = colours.rule;
		context.fillRect(Math.round(x), axis - 5, 1, height - axis + 5);
		context.fillStyle = colours.dim;
		const half = context.measureText(text).width / 2;
		context.fillText(text, Math.max(left + half, Math.min(left + width - half, x)), axis / 2 - 1);
	}
}
