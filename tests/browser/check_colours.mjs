/*
 * check_colours.mjs - a policy has the same colour in the page as in the figures: lines of the page against the script of
 * `cegsim plot`.
 */
import { readFileSync, rmSync } from 'node:fs';
import { tab } from './browser.mjs';
import { cegsim } from './recordings.mjs';

/* name of a series of the figure -> its colour. Analyses named like their policy have none. */
async function figureColours(db, figure) {
	const file = `${db}.${figure}`;
	await cegsim('plot', db, figure, '-o', `${file}.svg`, '--script', `${file}.gp`, '--force', '--size', '9x9');
	const script = readFileSync(`${file}.gp`, 'utf8');
	for (const end of ['svg', 'gp']) rmSync(`${file}.${end}`);
	const types = new Map([...script.matchAll(/^set linetype (\d+) lc rgb '(#\w+)'/gm)].map(([, type, colour]) => [type, colour]));
	const samples = new Map([...script.matchAll(/\$sample(\d+) using .* lt (\d+)/g)].map(([, sample, type]) => [sample, type]));
	const legend = script.slice(script.lastIndexOf('unset label'));
	return new Map(
		[...legend.matchAll(/^set label (\d+) "(.*?)" at/gm)]
			.filter(([, sample]) => samples.has(sample))
			.map(([, sample, name]) => [name.replace(/\\+/g, ''), types.get(samples.get(sample))]),
	);
}

/* name of a line of the chart -> its colour, as it is on the screen. At one go: the chart may be drawn again any time. */
const pageColours = (page, chart) =>
	page.evaluate(
		(chart) =>
			[...document.querySelectorAll(`${chart} .legend button`)].map((key) => {
				const rgb = getComputedStyle(key.querySelector('line')).stroke.match(/\d+/g).map(Number);
				return [key.innerText.trim(), `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`];
			}),
		chart,
	);

/* Luminance after WCAG, and the contrast to the page. */
function contrast(colour, back) {
	const luminance = (text) => {
		const [r, g, b] = [1, 3, 5].map((at) => {
			const part = parseInt(text.slice(at, at + 2), 16) / 255;
			return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
		});
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const [low, high] = [luminance(colour), luminance(back)].sort((a, b) => a - b);
	return (high + 0.05) / (low + 0.05);
}

/* page -> figure, tab, chart */
const FIGURES = {
	campaign: ['acceptance', 'acceptance', '#acceptance'],
	policies: ['response-cdf', 'responses', '#responses-cdf'],
};

export async function checkColours(t, { page }, { name, db }) {
	const [figure, part, chart] = FIGURES[name];
	await tab(page, part);
	await page.waitForSelector(`${chart} svg`);
	const wanted = await figureColours(db, figure);
	const seen = await pageColours(page, chart);
	const runs = seen.filter(([line]) => !line.includes(', proved'));
	const wrong = runs.filter(([line, colour]) => wanted.get(line) !== colour);
	t.ok(runs.length >= 3 && !wrong.length, `${name}: policies have the colours of the figure ${figure}`, wrong, [...wanted]);
	t.is(new Set(runs.map(([, colour]) => colour)).size, runs.length, `${name}: and each its own`);
	const proved = seen.filter(([line]) => / proved$/.test(line) && wanted.has(line.replace(', proved', '')));
	const strays = proved.filter(([line, colour]) => wanted.get(line.replace(', proved', '')) !== colour);
	t.is(strays, [], `${name}: analyses that of their policy`);
	await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
	const dark = (await pageColours(page, chart)).filter(([, colour]) => contrast(colour, '#14171b') < 3);
	await page.emulateMediaFeatures([]);
	t.is(dark, [], `${name}: and can be seen on a dark page`);
}
