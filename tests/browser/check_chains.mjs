/*
 * check_chains.mjs - the table of chains says what SQL says, and leads to the worst job and the way of its data.
 */
import { open, tab } from './browser.mjs';
import { quiet } from './check_load.mjs';
import { seenTable, shows } from './check_tables.mjs';
import { settled } from './gantt_map.mjs';
import { rowsOf } from './recordings.mjs';

const COLUMNS = {
	chain: 'chain',
	tasks: 'tasks',
	ages: 'ages',
	'mean age (ms)': 'mean_age_ms',
	'greatest age (ms)': 'max_age_ms',
	'limit (ms)': 'age_limit_ms',
	reactions: 'reactions',
	'mean reaction (ms)': 'mean_reaction_ms',
	'longest reaction (ms)': 'max_reaction_ms',
	kept: 'kept',
};

export async function checkChains(t, { page }, { name, db }) {
	const rows = await rowsOf(db, '@chains');
	await tab(page, 'tasks');
	const seen = await page.evaluate(seenTable, '#chains-table');
	const wrong = [];
	rows.forEach((row, i) => {
		for (const [header, column] of Object.entries(COLUMNS)) {
			const text = seen.rows[i]?.[seen.header.indexOf(header)];
			if (!shows(text ?? '?', row[column])) wrong.push([i, header, text, row[column]]);
		}
	});
	t.ok(rows.length > 0 && seen.rows.length === rows.length && !wrong.length,
		`${name}: ${rows.length} chains show what SQL says`, wrong.slice(0, 4));
	const [worst] = await rowsOf(db,
		`SELECT j.run_id, j.release_ns, j.finish_ns FROM v_chain c JOIN job j USING (run_id) JOIN task t USING (task_id)
		WHERE c.chain_idx = 0 AND c.run_id = 1 AND t.name = 'steer' AND j.seq =
			iif(c.max_reaction_ms > c.max_age_ms, c.reaction_last_seq, c.age_last_seq)`);
	await page.click('#chains-table tbody tr');
	const view = await settled(page);
	t.ok(view.run === worst.run_id && view.from_ns <= worst.release_ns && view.to_ns >= worst.finish_ns,
		`${name}: a click on a chain shows its worst job`, view, worst);
	await checkWay(t, page, name, db, view);
}

/* In the page: how far the pixel of the canvas over the schedule is from the colour, at each point. */
function distances(points, variable) {
	const canvas = document.querySelector('#over');
	const ratio = canvas.width / canvas.getBoundingClientRect().width;
	const hex = getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
	const wanted = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
	const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
	const context = copy.getContext('2d', { willReadFrequently: true });
	context.drawImage(canvas, 0, 0);
	return points.map(([x, y]) => {
		const { data } = context.getImageData(Math.round(x * ratio) - 1, Math.round(y * ratio) - 1, 3, 3);
		let least = 255;
		for (let i = 0; i < data.length; i += 4)
			if (data[i + 3] > 100) least = Math.min(least, Math.max(...wanted.map((part, k) => Math.abs(part - data[i + k]))));
		return least;
	});
}

/* The jobs and instants of @chain-path, drawn from read to write and on to the next read, and gone with the job. */
async function checkWay(t, page, name, db, view) {
	const path = await rowsOf(db, '@chain-path', { run: 1, chain: 'perceive' });
	const way = await page.evaluate(() => window.cegsim.gantt.way());
	const steps = way.ways.flatMap(({ figure, from, to, steps }) =>
		steps.map(({ seq, read, write }) => ({ figure, seq, read, write, from, to })));
	const ns = (ms) => Math.round(ms * 1e6);
	const wanted = path.map((row) => ({
		figure: row.figure, seq: row.seq, read: ns(row.read_ms), write: ns(row.write_ms), from: ns(row.from_ms), to: ns(row.to_ms),
	}));
	t.is(steps, wanted, `${name}: the way of the data is that of @chain-path`);
	t.ok(wanted.every(({ from, to }) => view.from_ns <= from && view.to_ns >= to), `${name}: all of it is shown`, view);
	const said = await page.$eval('#gantt-said', (one) => one.textContent);
	t.ok(/^perceive: greatest age 60 ms \(camera 0 to steer 5\), longest reaction 60 ms \(camera 1 to steer 6, dashed\)\.$/.test(said),
		`${name}: and said`, said);
	const [age] = way.lines;
	const middles = age.filter(({ x1, x2, y1, y2 }) => Math.hypot(x2 - x1, y2 - y1) > 12)
		.map(({ x1, x2, y1, y2 }) => [x1 + (x2 - x1) * 0.4, y1 + (y2 - y1) * 0.4]);
	const far = await page.evaluate(distances, middles, '--age');
	t.ok(middles.length >= 5 && far.every((one) => one < 40), `${name}: the line of the age has its colour`, middles, far);
	t.ok(age.filter(({ hop }) => hop).every(({ y1, y2 }) => y1 !== y2) && age.filter(({ hop }) => hop).length === 3,
		`${name}: with a hop to each next stage`, age);
	await page.focus('#gantt');
	await page.keyboard.press('Escape');
	await settled(page);
	t.is(await page.evaluate(() => window.cegsim.gantt.way()), null, `${name}: Esc takes the way off, too`);
	t.is(await page.$eval('#gantt-said', (one) => one.textContent), '', `${name}: and what was said of it`);
}

/* On a phone a tap on a chain does the same, within the width of the screen. */
export async function checkChainsPhone(t, _, { name, html }, started) {
	const opened = await open(started, html, { width: 390, height: 844, phone: true });
	const { page } = opened;
	await tab(page, 'tasks');
	await page.tap('#chains-table tbody tr');
	await settled(page);
	const { lines } = await page.evaluate(() => window.cegsim.gantt.way());
	const xs = lines.flat().flatMap(({ x1, x2 }) => [x1, x2]);
	t.ok(lines.length === 2 && xs.length > 20 && Math.min(...xs) >= 84 && Math.max(...xs) <= 390,
		`${name}: on a phone the way of the data is on the screen`, Math.min(...xs), Math.max(...xs));
	const [age] = lines;
	const middles = age.filter(({ x1, x2, y1, y2 }) => Math.hypot(x2 - x1, y2 - y1) > 12)
		.map(({ x1, x2, y1, y2 }) => [x1 + (x2 - x1) * 0.4, y1 + (y2 - y1) * 0.4]);
	const far = await page.evaluate(distances, middles, '--age');
	t.ok(middles.length >= 5 && far.every((one) => one < 40), `${name}: and seen`, middles, far);
	quiet(t, opened, `${name}, on a phone`);
	await page.close();
}

/* Nothing is said of chains where there are none. */
export async function checkNoChains(t, { page }, { name }) {
	t.ok(await page.$eval('#chains-part', (part) => part.hidden), `${name}: no chains, no table of them`);
}
