/*
 * looks.js - the colours of policies, which are those of the figures: the page says what `cegsim plot` draws them with
 * (report/charts/look.c). A colour is named after what it is on paper, var(--look-rrggbb); on a dark page it is as much
 * lighter as it takes to be seen.
 */
import { css, parseRgb, toward } from './colours.js';
import { element } from './dom.js';

const LEAST_CONTRAST = 3;
const DARK_BACK = [20, 23, 27]; /* --back of style.css */
const SYMBOLS = ['circle', 'square', 'triangle', 'diamond', 'star', 'times', 'plus'];
const BLACK = [0, 0, 0],
	WHITE = [255, 255, 255];

let looks = { palette: [], shades: [0], policies: {} };

function luminance(rgb) {
	const [r, g, b] = rgb.map((part) => (part <= 10 ? part / 3295 : ((part / 255 + 0.055) / 1.055) ** 2.4));
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const contrast = (a, b) => {
	const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
	return (high + 0.05) / (low + 0.05);
};

function onDark(rgb) {
	if (!rgb.some(Boolean)) return [230, 234, 238]; /* black is what is written with */
	let share = 0;
	while (contrast(toward(rgb, WHITE, share), DARK_BACK) < LEAST_CONTRAST) share += 0.05;
	return toward(rgb, WHITE, share);
}

/* A shade as figures have it, which rounds towards the colour; black only gets lighter. */
function shaded(rgb, percent) {
	const target = percent < 0 && rgb.some(Boolean) ? BLACK : WHITE;
	return rgb.map((part, i) => part + Math.trunc(((target[i] - part) * Math.abs(percent)) / 100));
}

const variable = (rgb) => `--look-${css(rgb).slice(1)}`;

/* Takes the colours of the page's description. */
export function useLooks(found) {
	looks = found;
	const all = looks.palette.flatMap((colour) => looks.shades.map((percent) => shaded(parseRgb(colour), percent)));
	const rules = (shade) => all.map((rgb) => `${variable(rgb)}: ${css(shade(rgb))};`).join(' ');
	document.head.append(
		element(
			'style',
			{},
			`:root { ${rules((rgb) => rgb)} }
			@media screen and (prefers-color-scheme: dark) { :root:not(.paper) { ${rules(onDark)} } }`,
		),
	);
}

/* In a file of its own a picture has the colours of paper. */
export const onlyPaper = (text) => text.replace(/var\(--look-([0-9a-f]{6})\)/g, '#$1');

/* Figures order the variants of a policy by their options. */
const options = (params) =>
	Object.entries(JSON.parse(params || '{}'))
		.map(([key, value]) => ` ${key}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
		.sort()
		.join('');

/*
 * Looks of policies, [{ name, params }]: of one name each has a shade. Those that figures do not know have the colours that
 * are left, by their place.
 */
export function policyLooks(entries) {
	const { palette, shades, policies } = looks;
	const known = entries.map(({ name }) => policies[name.toLowerCase()] ?? -1);
	const before = ({ name, params }) =>
		entries.filter((other) => other.name === name && options(other.params) < options(params)).length;
	const free = palette.map((_, i) => i).filter((i) => !known.includes(i));
	const left = free.length > 0 ? free : palette.map((_, i) => i);
	let others = 0;
	return entries.map((entry, i) => {
		const place = known[i] < 0 ? others++ : 0;
		const colour = known[i] < 0 ? left[place % left.length] : known[i];
		const turn = known[i] < 0 ? Math.floor(place / left.length) : before(entry);
		const rgb = shaded(parseRgb(palette[colour]), shades[turn % shades.length]);
		return { colour: `var(${variable(rgb)})`, symbol: SYMBOLS[(colour + turn) % SYMBOLS.length] };
	});
}
