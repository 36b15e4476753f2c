/*
 * beside.js - names beside a chart: whole where there is room for them, else without their middle, and the whole name is
 * what the mouse finds there.
 */
import { axisY } from '@observablehq/plot';

const measure = document.createElement('canvas').getContext('2d');

export function textWidth(text) {
	measure.font = `12px ${getComputedStyle(document.documentElement).getPropertyValue('--sans')}`;
	return measure.measureText(text).width;
}

/* The text without as much of its middle as it takes to be so wide. */
export function shortened(text, most) {
	if (textWidth(text) <= most) return text;
	const letters = [...text];
	let kept = letters.length - 1;
	const without = () => {
		const begin = letters.slice(0, Math.ceil(kept / 2)),
			end = letters.slice(letters.length - Math.floor(kept / 2));
		return `${begin.join('')}…${end.join('')}`;
	};
	while (kept > 2 && textWidth(without()) > most) kept--;
	return without();
}

/* { room: of the margin, text(name), axis: a mark for Plot } for names at the left or right of `most` pixels at most. */
export function beside(names, most, { space = 14, ...options } = {}) {
	const room = Math.ceil(Math.min(most, space + Math.max(0, ...names.map(textWidth))));
	const text = (name) => shortened(name, room - space);
	const look = { label: null, tickSize: 0, tickFormat: text, title: (name) => name, ...options };
	return { room, text, axis: (axis = axisY) => axis(look) };
}
