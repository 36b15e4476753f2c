/*
 * long.mjs - a recording of a million blocks: the page opens, and follows the mouse. Prints how long this
 * took. Machines differ, so it fails only if nobody would wait so long (a frame of a second).
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open, start, tab } from './browser.mjs';
import { checkLoad, quiet } from './check_load.mjs';
import { box, intervalsRead, settled, show } from './gantt_map.mjs';
import { cegsim, rowsOf, view } from './recordings.mjs';
import { Tap } from './tap.mjs';

const LONGEST_MS = 1000;
const MOVES = 30;
const SCENARIO = `cegsim: 1
name: million
time_unit: ms
horizon: 560ms
seed: 7
release: {sporadic: {max_delay: 5%}}
execution: uniform
platform: {preset: titan-v, copy: {bandwidth: 12GB/s, latency: 12us}, power: {static: 25W, idle_per_sm: 200mW}}
tasks:
  - name: camera
    period: 10
    segments:
      - {cpu: [0.4, 0.8]}
      - {copy: to_gpu, bytes: 6MB}
      - {kernel: {grid: 4096, block: 256, block_time: [0.1, 0.2], power: 310mW}}
  - name: radar
    period: 5
    deadline: 4
    segments:
      - {cpu: [0.2, 0.4]}
      - {kernel: {grid: 2048, block: 128, block_time: [0.1, 0.2], power: 300mW}}
  - name: lidar
    period: 25
    segments:
      - {cpu: [2, 3]}
      - {kernel: {grid: 25000, block: 256, block_time: [0.05, 0.08], power: 260mW}}
policies: [fifo-cke]
record: blocks
`;

const t = new Tap();
const folder = mkdtempSync(join(tmpdir(), 'cegsim-pages-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/*
 * Turns the mouse wheel, or drags, and measures the time until each is drawn: that of the frame, and what
 * view() reports.
 */
async function timed(page, turn) {
	const frames = [];
	const drawn = [];
	for (let move = 0; move < MOVES; move++) {
		await turn(move);
		const { frame, ms } = await page.evaluate(
			() =>
				new Promise((done) => {
					const began = performance.now();
					requestAnimationFrame(() =>
						setTimeout(() =>
							done({
								frame: performance.now() - began,
								ms: window.cegsim.gantt.view().ms,
							}),
						),
					);
				}),
		);
		frames.push(frame);
		drawn.push(ms);
	}
	return { frames, drawn };
}

function judge(t, name, { frames, drawn }) {
	const say = (times) =>
		`median ${median(times).toFixed(1)} ms, longest ${Math.max(...times).toFixed(1)} ms`;
	const numbers = `${say(drawn)}; until shown ${say(frames)}`;
	t.ok(median(frames) < LONGEST_MS && median(drawn) < LONGEST_MS, `${name}: ${numbers}`);
}

const db = join(folder, 'million.db');
const html = join(folder, 'million.html');
writeFileSync(join(folder, 'million.yaml'), SCENARIO);
await cegsim('run', join(folder, 'million.yaml'), '-o', db, '-q');
await view(db, html);
const [{ blocks, end }] = await rowsOf(
	db,
	'SELECT count(*) AS blocks, max(end_ns) AS end FROM block_interval',
);
t.ok(
	blocks > 900000,
	`${blocks} blocks: recording of ${statSync(db).size >> 20} MiB, page of ${statSync(html).size >> 20} MiB`,
);
const started = await start();
await t.part('a million blocks', async () => {
	const opened = await open(started, html, { timeout: 120000 });
	const { page } = opened;
	await checkLoad(t, opened, { name: 'million', title: 'million.db' });
	await tab(page, 'schedule');
	const began = performance.now();
	await intervalsRead(page);
	t.note(
		`ready after ${Math.round(opened.ms)} ms, all intervals read ${Math.round(performance.now() - began)} ms later`,
	);
	await page.$eval('#gantt', (gantt) => gantt.scrollIntoView({ block: 'center' }));
	const { left, top, width, height } = await box(page);
	const middle = [left + width * 0.56, top + height / 2];
	await page.mouse.move(...middle);
	for (const [name, from, to] of [
		['whole run', 0, end],
		['a twentieth', end * 0.4, end * 0.45],
		['a thousandth', end * 0.4, end * 0.401],
	]) {
		const { mode } = await show(page, 1, from, to);
		await page.mouse.down();
		judge(
			t,
			`pan, ${name} (${mode})`,
			await timed(page, (move) =>
				page.mouse.move(middle[0] + (move % 2 ? 40 : -40) + move, middle[1]),
			),
		);
		await page.mouse.up();
	}
	await show(page, 1, 0, end);
	await page.keyboard.down('Control');
	judge(t, 'zoom in', await timed(page, () => page.mouse.wheel({ deltaY: -120 })));
	const near = await settled(page);
	t.ok(
		near.to_ns - near.from_ns < end / 20 && near.mode === 'exact',
		`as far as ${Math.round(near.to_ns - near.from_ns)} ns, ${near.mode}`,
	);
	judge(t, 'zoom out', await timed(page, () => page.mouse.wheel({ deltaY: 120 })));
	await page.keyboard.up('Control');
	quiet(t, opened, 'in the end');
});
await started.close();
t.finish();
