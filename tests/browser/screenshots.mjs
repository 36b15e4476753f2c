/*
 * screenshots.mjs - makes the pictures of the page in README.md and docs/viewer.md, docs/pictures/view*.png. It is run by
 * hand:
 *
 *     CEGSIM=build/cli/cegsim node tests/browser/screenshots.mjs [FOLDER]
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open, start, tab } from './browser.mjs';
import { column, intervalsRead, scale, settled, show, under, box, pixel } from './gantt_map.mjs';
import { png8 } from './png8.mjs';
import { boards, cegsim, rowsOf, SOURCES, view } from './recordings.mjs';

const SIZE = { width: 1280, height: 800 };
const LARGEST = 250 * 1024;
const target = process.argv[2] ?? join(SOURCES, 'docs/pictures');
const folder = mkdtempSync(join(tmpdir(), 'cegsim-pictures-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

async function recorded(name, options, change = (text) => text) {
	const scenario = join(folder, `${name}.yaml`);
	writeFileSync(
		scenario,
		change(readFileSync(join(SOURCES, 'scenarios/examples', `${name}.yaml`), 'utf8')),
	);
	const page = { db: join(folder, `${name}.db`), html: join(folder, `${name}.html`) };
	await cegsim('run', scenario, '-o', page.db, '-q', '--force', ...options);
	await view(page.db, page.html);
	return page;
}

async function picture(page, name) {
	await settled(page);
	const small = png8(Buffer.from(await page.screenshot()));
	const path = join(target, name);
	writeFileSync(path, small);
	process.stdout.write(`${path}: ${Math.round(statSync(path).size / 1024)} KiB\n`);
	if (small.length > LARGEST) throw new Error(`${name} is larger than ${LARGEST / 1024} KiB`);
}

/*
 * Blocks of two tasks on the SMs. The mouse is on one of them: its description, and the queue at that
 * instant.
 */
async function schedule(started) {
	const { db, html } = await recorded('vehicle', ['--record', 'blocks']);
	const { page } = await open(started, html);
	await tab(page, 'schedule');
	await intervalsRead(page);
	await page.$eval('#power', (power) => power.scrollIntoView({ block: 'end' }));
	const rows = await rowsOf(
		db,
		`SELECT start_ns, end_ns FROM segment_interval WHERE run_id = 1 AND kind = 'run' AND resource = 'cpu'
		ORDER BY end_ns - start_ns DESC LIMIT 1`,
	);
	const map = await scale(page, 1, rows[0]);
	// The instant at which most kernels ran together.
	const [{ at }] = await rowsOf(
		db,
		`SELECT a.start_ns AS at FROM segment_interval a JOIN segment_interval b ON b.run_id = a.run_id
		AND b.start_ns <= a.start_ns AND a.start_ns < b.end_ns WHERE a.run_id = 1 AND a.resource = 'gpu' AND b.resource = 'gpu'
		GROUP BY a.rowid ORDER BY count(*) DESC, a.start_ns LIMIT 1`,
	);
	const seen = await show(page, 1, Math.max(0, at - 15e6), at + 35e6);
	const { left, top, height } = await box(page);
	const x = pixel(map, seen, at + 2e6);
	const items = await under(page, column(x, height));
	const steps = items
		.map((item, step) => (item?.kind === 'block' ? step : -1))
		.filter((step) => step >= 0);
	await page.mouse.move(left + x, top + steps[Math.floor(steps.length / 3)] / 2);
	await picture(page, 'view.png');
	await page.close();
}

/* The first tab: tasks under each policy. */
async function policies(started) {
	const { html } = await recorded('policies', []);
	const { page } = await open(started, html, SIZE);
	await intervalsRead(page);
	await picture(page, 'view-policies.png');
	await page.close();
}

/* Two runs, each row of the second below that of the first. */
async function compared(started) {
	const { html } = await recorded('vehicle', ['--record', 'blocks']);
	const { page } = await open(started, html, SIZE);
	await tab(page, 'schedule');
	await page.select('#compare', '2');
	await intervalsRead(page);
	await show(page, 1, 500e6, 640e6);
	await page.$eval('#gantt-controls', (controls) => controls.scrollIntoView());
	await page.evaluate(() => scrollBy(0, -6));
	await picture(page, 'view-compare.png');
	await page.close();
}

/* What is under a finger is in the sheet. */
async function phone(started) {
	const { html } = await recorded('vehicle', ['--record', 'blocks']);
	const { page } = await open(started, html, { width: 390, height: 844, phone: true });
	await tab(page, 'schedule');
	await intervalsRead(page);
	await show(page, 1, 500e6, 640e6);
	await page.$eval('#overview', (strip) => strip.scrollIntoView());
	const { left, top, height } = await box(page);
	for (const x of [140, 180, 220, 260, 300]) {
		const items = await under(page, column(x, height));
		const step = items.findIndex((item) => item?.kind === 'block');
		if (step < 0) continue;
		await page.touchscreen.tap(left + x, top + step / 2 + 3);
		break;
	}
	await picture(page, 'view-phone.png');
	await page.close();
}

/* What was imported, on two boards: the tasks. */
async function onBoards(started) {
	await boards(folder, 'boards');
	const html = join(folder, 'boards.html');
	await view(join(folder, 'boards.db'), html);
	const { page } = await open(started, html, SIZE);
	await intervalsRead(page);
	await picture(page, 'view-boards.png');
	await page.close();
}

const CAMPAIGN = `cegsim-campaign: 1
seed: 11
sets: 30
generate: {recipe: rtgpu-table1, subtasks: 3, copies: two, utilisation: [40%, 80%, 120%, 160%, 200%, 250%]}
analyses: [rtgpu, stgm]
policies: [{name: rtgpu, admit: any}, {name: stgm, admit: any}, fifo-cke]
run: {horizon: {periods: 5}, stop: horizon, execution: uniform}
`;

async function campaign(started) {
	const path = (end) => join(folder, `campaign.${end}`);
	writeFileSync(path('yaml'), CAMPAIGN);
	await cegsim('sweep', path('yaml'), '-o', path('db'), '-q');
	await view(path('db'), path('html'));
	const { page } = await open(started, path('html'), SIZE);
	await page.waitForSelector('#acceptance svg');
	await picture(page, 'view-campaign.png');
	await page.close();
}

async function warps(started) {
	const { html } = await recorded('warps', ['--record', 'issues'], (text) =>
		text.replace(/^horizon: .*/m, 'horizon: 30us'),
	);
	const { page } = await open(started, html, { width: 1280, height: 900 });
	await tab(page, 'warps');
	await page.waitForSelector('#warps-charts svg');
	await picture(page, 'view-warps.png');
	await page.close();
}

const started = await start();
try {
	for (const make of [schedule, policies, compared, phone, onBoards, campaign, warps]) await make(started);
} finally {
	await started.close();
}
