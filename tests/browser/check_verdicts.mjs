/*
 * check_verdicts.mjs - a campaign of which most sets are verdicts alone: acceptance comes first, over every option of the
 * grid, and the page says what it knows nothing more of.
 */
import { tab, tabs } from './browser.mjs';
import { chooseIn } from './check_charts.mjs';
import { rowsOf } from './recordings.mjs';

const AXES = { utilisation: 'subtasks', subtasks: 'utilisation' };

/* In the page: "k of n" of each point, and the value of the other option. */
function seenPoints(fixed) {
	const svg = document.querySelector('#acceptance figure > svg, #acceptance svg[class^="plot"]');
	const texts = [...svg.querySelectorAll('g[aria-label="dot"] title')].map((node) => node.textContent);
	const select = [...document.querySelectorAll('#acceptance-controls label')].find((label) => label.textContent.startsWith(fixed));
	return {
		fixed: select?.querySelector('select').value,
		points: texts.map((text) => text.match(/\n(.*: \d+ of \d+)\n/)?.[1]).sort(),
	};
}

export async function checkVerdicts(t, { page }, { name, db }) {
	t.is((await tabs(page))[0], 'acceptance', `${name}: acceptance comes first`);
	const kept = (await rowsOf(db, 'SELECT count(*) AS n FROM taskset'))[0].n;
	const all = (await rowsOf(db, 'SELECT count(DISTINCT unit) AS n FROM verdict'))[0].n;
	const notes = await page.$eval('#notes', (node) => (node.hidden ? '' : node.textContent));
	t.ok(
		notes.startsWith(`Of ${all} task sets the recording has verdicts alone.`) && notes.includes(`the ${kept} that were kept`),
		`${name}: says of how many sets nothing more is known`,
		notes,
	);
	await tab(page, 'acceptance');
	await page.waitForSelector('#acceptance svg');
	const rows = [...(await rowsOf(db, '@grid')), ...(await rowsOf(db, '@analysis-grid'))];
	for (const [axis, other] of Object.entries(AXES)) {
		t.ok(await chooseIn(page, 'acceptance', axis), `${name}: acceptance over ${axis}`);
		const seen = await page.evaluate(seenPoints, other);
		const options = (row) => Object.fromEntries(row.point.split(' ').map((part) => part.split('=')));
		const wanted = rows
			.filter((row) => options(row)[other] === seen.fixed)
			.map((row) => `${axis} ${options(row)[axis]}: ${row.k} of ${row.n}`)
			.sort();
		t.ok(wanted.length >= 14, `${name}: of a ${other}, ${wanted.length} points`, seen.fixed);
		t.is(seen.points, wanted, `${name}: those of @grid and @analysis-grid`);
	}
}
