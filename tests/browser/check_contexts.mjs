/*
 * check_contexts.mjs - the lane of processes that share the GPU: who has it, and switches, each at its time.
 */
import { tab } from './browser.mjs';
import { box, column, intervalsRead, settled, show, under } from './gantt_map.mjs';
import { rowsOf } from './recordings.mjs';

const CONTEXTS = `SELECT t.name AS task, c.kind, c.start_ns, c.end_ns FROM context_interval c
JOIN task t ON t.task_id = c.process_task_id WHERE c.run_id = 1 ORDER BY c.rowid`;
const LANES = { run: 'process that has the GPU', switch: 'switch of the GPU' };

export async function checkContexts(t, { page }, recording) {
	await tab(page, 'schedule');
	await page.$eval('#gantt', (gantt) => gantt.scrollIntoView({ block: 'center' }));
	await settled(page);
	await intervalsRead(page);
	const { width, height } = await box(page);
	const rows = await rowsOf(recording.db, CONTEXTS);
	const wrong = [];
	for (const row of rows.slice(1, 13)) {
		const long = row.end_ns - row.start_ns;
		await show(page, 1, row.start_ns - long, row.end_ns + long);
		const items = await under(page, column(width / 2, height));
		const found = items.find((item) => item?.lane === LANES[row.kind] && item.task === row.task);
		if (found?.start_ns !== row.start_ns || found?.end_ns !== row.end_ns) wrong.push(row, found);
	}
	t.ok(rows.length > 12 && wrong.length === 0, 'contexts have a lane of their own', wrong.slice(0, 4));
}
