/*
 * check_variants.mjs - one scenario on several boards, in one page: its tasks come first, a row for each task on each board
 * under each policy, and everything says which board it is about.
 */
import { tab, tabs } from './browser.mjs';
import { seenTable, shows } from './check_tables.mjs';
import { settled } from './gantt_map.mjs';
import { rowsOf } from './recordings.mjs';

const TASKS = `SELECT v.task, v.policy, v.platform, s.name AS taskset, max(v.max_ms) AS worst, sum(v.jobs) AS jobs, min(v.run_id) AS run
FROM v_task_response v JOIN taskset s USING (taskset_id) JOIN task t USING (task_id)
GROUP BY t.task_idx, v.taskset_id, v.policy ORDER BY t.task_idx, v.taskset_id, min(v.run_id)`;

/* What names the sets, as a reader finds it: unless all sets are called the same, their own names. */
async function namesOf(db) {
	const rows = await rowsOf(db, 'SELECT DISTINCT r.taskset_id, s.name, l.name AS platform FROM run r JOIN taskset s USING (taskset_id) JOIN platform l USING (platform_id)');
	const own = new Set(rows.map(({ name }) => name)).size === rows.length;
	return rows.map(({ name, platform }) => (own ? name : platform));
}

export async function checkVariants(t, { page }, { name, db }) {
	t.is((await tabs(page)).slice(0, 3), ['tasks', 'schedule', 'responses'], `${name}: the tasks come first`);
	await tab(page, 'tasks');
	const rows = await rowsOf(db, TASKS);
	const { header, rows: seen } = await page.evaluate(seenTable, '#tasks-table');
	const at = (label) => header.indexOf(label);
	const wrong = rows.filter((row, i) => {
		const cells = seen[i] ?? [];
		const cell = (label) => cells[at(label)];
		return !(
			cell('task') === row.task &&
			cell('policy') === row.policy &&
			cell('platform') === row.platform &&
			(at('set') < 0 || cell('set') === row.taskset) &&
			shows(cell('worst (ms)'), row.worst) &&
			shows(cell('jobs'), row.jobs)
		);
	});
	t.ok(seen.length === rows.length && rows.length >= 20 && !wrong.length, `${name}: ${rows.length} rows of tasks, as SQL has them`, wrong.slice(0, 3), header);
	const policies = await page.evaluate(seenTable, '#policies');
	t.ok(
		policies.header.includes('platform') && !policies.header.includes('95 % interval') && !policies.header.includes('options'),
		`${name}: policies side by side without what says nothing of one run`,
		policies.header,
	);
	const wide = await page.$eval('#policies', (table) => table.parentElement.scrollWidth <= table.parentElement.clientWidth);
	t.ok(wide, `${name}: and all of it is in the window`);

	const names = await namesOf(db);
	const last = seen.length - 1;
	await page.$$eval('#tasks-table tbody tr', (lines) => lines.at(-1).click());
	t.is((await settled(page)).run, rows[last].run, `${name}: a click leads to the run on that board`);
	await page.select('#run', '1');
	await settled(page, (view) => view.run === 1);
	await page.select('#compare', String(rows[last].run));
	await settled(page);
	const title = await page.$eval('#panel-title', (node) => node.textContent);
	t.ok(names.every((one) => title.includes(one)), `${name}: two runs say on which boards they are`, title);
	await page.select('#compare', '');
	await tab(page, 'responses');
	await page.waitForSelector('#responses-cdf svg');
	const lines = await page.$$eval('#responses-cdf .legend button', (keys) => keys.map((key) => key.innerText.trim()));
	const runs = await rowsOf(db, 'SELECT count(*) AS n FROM run');
	t.ok(lines.length === runs[0].n && new Set(lines).size === lines.length, `${name}: a curve for each board and policy`, lines);
}
