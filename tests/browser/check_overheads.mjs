/*
 * check_overheads.mjs - launches, switches and interrupts of releases: the page tells each from what runs and from
 * waiting that holds the core, under the mouse and in the queue at the cursor.
 */
import { tab } from './browser.mjs';
import { box, column, intervalsRead, pixel, scale, settled, show, under } from './gantt_map.mjs';
import { rowsOf } from './recordings.mjs';

const ON_CORE = `SELECT t.name AS task, i.seq, i.kind, i.start_ns, i.end_ns FROM segment_interval i JOIN task t USING (task_id)
WHERE i.run_id = :run AND i.resource = 'cpu' AND i.start_ns > 0 ORDER BY i.end_ns - i.start_ns DESC, i.start_ns`;
const NOTES = { run: '', boost: 'boosted', launch: 'launch', switch: 'switch', release: 'release' };

/* {found, hover, queue}: what is at the middle of an interval on the core, and what the page says of it. */
async function told(page, run, map, row) {
	const { left, top, height } = await box(page);
	const long = row.end_ns - row.start_ns;
	const view = await show(page, run, row.start_ns - 2 * long, row.end_ns + 2 * long);
	const x = pixel(map, view, row.start_ns + long / 2);
	const items = await under(page, column(x, height));
	const at = items.findIndex((item) => item?.kind === 'segment' && item.start_ns === row.start_ns);
	await page.mouse.move(left + x, top + Math.max(0, at) / 2 + 0.25);
	await page
		.waitForFunction(
			(task) => {
				const [hover, queue] = ['#hover', '#queue'].map((name) => document.querySelector(name));
				return hover.offsetHeight > 0 && hover.innerText.includes('segment') && queue.innerText.includes(task);
			},
			{ timeout: 3000, polling: 20 },
			row.task,
		)
		.catch(() => {});
	const [hover, queue] = await page.evaluate(() =>
		['#hover', '#queue'].map((name) => document.querySelector(name).innerText),
	);
	return { found: items[at], hover, queue };
}

export async function checkOverheads(t, { page }, { name, db }) {
	await tab(page, 'schedule');
	const [{ run }] = await rowsOf(db, "SELECT run_id AS run FROM v_run WHERE policy = 'mpcp'");
	await page.select('#run', String(run));
	await settled(page, (view) => view.run === run);
	await intervalsRead(page);
	const rows = await rowsOf(db, ON_CORE, { run });
	const map = await scale(page, run, rows.find(({ kind }) => kind === 'run'));
	for (const [kind, note] of Object.entries(NOTES)) {
		const row = rows.find((one) => one.kind === kind);
		const { found, hover, queue } = await told(page, run, map, row);
		t.ok(found?.use === kind && found.task === row.task, `${name}: ${kind} is where SQL says`, found, row);
		t.ok(hover.includes(note ? `(CPU, ${note})` : '(CPU)'), `${name}: the note at the pointer says so`, hover);
		const core = queue.split('Copy engines')[0];
		t.ok(
			core.includes(row.task) && core.includes(note) && !queue.includes('undefined'),
			`${name}: and the list at the cursor`,
			queue,
		);
	}
	await page.mouse.move(2, 2);
	await settled(page);
}
