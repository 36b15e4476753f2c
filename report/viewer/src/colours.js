/*
 * colours.js - colours of tasks, after Okabe and Ito's set that colour-blind readers can tell
 * apart. Its vermillion is kept for misses. A task has its colour from its place in its set, so it is the same
 * in every run; from the eighth on the same hues come darker, then lighter (on a dark page the other way round).
 */
const HUES = [
	[0, 114, 178],
	[230, 159, 0],
	[0, 158, 115],
	[204, 121, 167],
	[86, 180, 233],
	[222, 205, 40],
	[140, 140, 140],
];
const DASHES = ['', '6 3', '2 3', '8 3 2 3', '12 4'];

const dark = matchMedia('(prefers-color-scheme: dark)');
const redraws = [];
let paper = false;

export const isDark = () => dark.matches && !paper;
export const onTheme = (callback) => redraws.push(callback);

const redraw = () => redraws.forEach((callback) => callback());

/* Between onPaper(true) and onPaper(false) all is light, for print and for pictures, whatever the screen shows. */
export function onPaper(on) {
	paper = on;
	document.documentElement.classList.toggle('paper', on);
	if (dark.matches) redraw();
}

dark.addEventListener('change', redraw);
addEventListener('beforeprint', () => onPaper(true));
addEventListener('afterprint', () => onPaper(false));

export const toward = (rgb, target, share) => rgb.map((part, i) => Math.round(part + (target[i] - part) * share));

export const HUE_COUNT = HUES.length;

/* The shade of the hues in their first, second and third turn. The fourth is like the first. */
export const shades = () => (isDark() ? ['', 'lighter', 'darker'] : ['', 'darker', 'lighter']);

export function taskRgb(index) {
	const hue = HUES[index % HUES.length];
	const shade = shades()[Math.floor(index / HUES.length) % 3];
	if (shade === '') return hue;
	return shade === 'darker' ? toward(hue, [0, 0, 0], 0.42) : toward(hue, [255, 255, 255], 0.5);
}

/* A colour without transparency is written as #rrggbb, which every reader of SVG knows. */
export function css(rgb, alpha = 1) {
	if (alpha < 1) return `rgb(${rgb.join(' ')} / ${alpha})`;
	return `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

export const taskColour = (index, alpha = 1) => css(taskRgb(index), alpha);

/* Black or white, whichever reads on a colour. */
export function inkOn([r, g, b]) {
	return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? '#111' : '#fff';
}

/* A pixel as canvas memory has it (little-endian RGBA). */
export const pixel = ([r, g, b], alpha = 255) => ((alpha << 24) | (b << 16) | (g << 8) | r) >>> 0;

/* The line of a task in a chart: yellow is darker than elsewhere, and dashes tell apart those that share a hue. */
export const taskLine = (index) => ({
	colour: index % HUES.length === 5 ? css([176, 150, 0]) : css(taskRgb(index)),
	dash: dashOf(Math.floor(index / HUES.length)),
});

export const dashOf = (turn) => DASHES[turn % DASHES.length];

/* What the canvases take from the style sheet. */
export function theme() {
	const style = getComputedStyle(document.documentElement);
	const get = (name) => style.getPropertyValue(name).trim();
	return {
		back: get('--back'),
		lane: get('--lane'),
		text: get('--text'),
		dim: get('--dim'),
		rule: get('--rule'),
		miss: get('--miss'),
		near: get('--near'),
		later: get('--later'),
		earlier: get('--earlier'),
		age: get('--age'),
		reaction: get('--reaction'),
		accent: get('--accent'),
		font: get('--sans'),
		dark: isDark(),
	};
}

export function parseRgb(text) {
	const hex = text.replace('#', '');
	const full = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
	return [0, 2, 4].map((i) => parseInt(full.slice(i, i + 2), 16));
}
