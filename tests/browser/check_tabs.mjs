/*
 * check_tabs.mjs - the parts of the page are tabs: those that have something to show, the right one first; and the table of
 * tasks agrees with SQL.
 */
import { tab, tabs } from './browser.mjs';
import { settled } from './gantt_map.mjs';
import { rowsOf } from './recordings.mjs';
import { seenTable, shows } from './check_tables.mjs';

/* What a recording of that name must have, in order. */
const TABS = {
	summary: ['tasks', 'responses', 'sql'],
	recorded: ['tasks', 'schedule', 'recorded', 'responses', 'sql'],
	families: ['tasks', 'schedule', 'recorded', 'responses', 'sql'],
	warps: ['tasks', 'schedule', 'warps', 'responses', 'sql'],
	verdicts: ['acceptance', 'policies', 'responses', 'runs', 'sql'],
	campaign: ['acceptance', 'policies', 'responses', 'runs', 'sql'],
};
const ONE_SET = ['tasks', 'schedule', 'responses', 'sql'];

/* The definition of p99: the least bucket's end with 99 % of the responses at or below it, but at most the worst. */
const TASKS = `WITH n AS (SELECT p.name AS policy, p.params, t.name AS task, h.upper_ns, sum(h.jobs) AS jobs
	FROM run_task_hist h JOIN run r USING (run_id) JOIN policy p USING (policy_id) JOIN task t ON t.task_id = h.task_id
	GROUP BY 1, 2, 3, 4)
SELECT v.policy, v.params, v.task, t.period_ns / 1e6 AS period, t.deadline_ns / 1e6 AS deadline, sum(v.jobs) AS jobs,
	sum(v.mean_ms * v.responses) / sum(v.responses) AS mean, max(v.max_ms) AS worst, 
	iif(t.deadline_ns IS NULL, NULL, sum(v.misses)) AS misses,
	min(max(v.max_ms), (SELECT min(a.upper_ns) / 1e6 FROM n a WHERE a.policy = v.policy AND a.params = v.params
		AND a.task = v.task AND 100 * (SELECT sum(b.jobs) FROM n b WHERE b.policy = v.policy AND b.params = v.params
		AND b.task = v.task AND b.upper_ns <= a.upper_ns) >= 99 * (SELECT sum(b.jobs) FROM n b
		WHERE b.policy = v.policy AND b.params = v.params AND b.task = v.task))) AS p99
FROM v_task_response v JOIN task t USING (task_id) GROUP BY v.policy, v.params, v.task
ORDER BY t.task_idx, min(v.run_id)`;
const COLUMNS = {
	task: 'task',
	'period (ms)': 'period',
	'deadline (ms)': 'deadline',
	jobs: 'jobs',
	'mean (ms)': 'mean',
	'99 % (ms)': 'p99',
	'worst (ms)': 'worst',
	misses: 'misses',
};

async function checkTaskTable(t, page, name, db) {
	const rows = (await rowsOf(db, TASKS)).slice(0, 200); // others are shown when they are asked for
	const seen = await page.evaluate(seenTable, '#tasks-table');
	const wrong = [];
	rows.forEach((row, i) => {
		for (const [header, column] of Object.entries(COLUMNS)) {
			const place = seen.header.indexOf(header);
			const text = seen.rows[i]?.[place];
			if (place < 0 ? rows.some((one) => one[column] !== null) : !shows(text ?? '?', row[column]))
				wrong.push([i, header, text, row[column]]);
		}
	});
	t.ok(
		seen.rows.length === rows.length && !wrong.length,
		`${name}: ${rows.length} rows of tasks show what SQL says`,
		wrong.slice(0, 4),
	);
	const several = new Set(rows.map(({ policy, params }) => policy + params)).size > 1;
	t.is(seen.header.includes('policy'), several, `${name}: the policy is a column where there are several`);
}

/* A click on a task shows its worst job in the schedule. */
async function checkWorst(t, page, name, db) {
	const [row] = await rowsOf(
		db,
		`SELECT j.run_id, j.release_ns, j.finish_ns FROM job j JOIN task t USING (task_id) JOIN run r USING (run_id)
		WHERE t.task_idx = 0 AND r.policy_id = (SELECT min(policy_id) FROM run) AND j.response_ns IS NOT NULL
		ORDER BY j.response_ns DESC, j.run_id, j.seq LIMIT 1`,
	);
	if (!row) return;
	await tab(page, 'tasks');
	await page.click('#tasks-table tbody tr');
	const view = await settled(page);
	const shown = await page.$eval('#schedule-tab', (panel) => panel.offsetHeight > 0);
	t.ok(
		shown && view.run === row.run_id && view.from_ns <= row.release_ns && view.to_ns >= row.finish_ns,
		`${name}: a click on a task shows its worst job`,
		view,
		row,
	);
	t.ok(view.to_ns - view.from_ns < 20 * (row.finish_ns - row.release_ns), `${name}: and not much else`, view);
}

export async function checkTabs(t, { page }, { name, db }) {
	const wanted = TABS[name] ?? ONE_SET;
	t.is(await tabs(page), wanted, `${name}: the tabs that it needs`);
	const open = () =>
		page.$$eval('[role=tabpanel]', (panels) => panels.filter((one) => one.offsetHeight > 0).map((one) => one.id.replace('-tab', '')));
	t.is(await open(), [wanted[0]], `${name}: the first is open, alone`);
	for (const one of wanted) {
		await tab(page, one);
		t.is(await open(), [one], `${name}: ${one} opens alone`);
		const empty = await page.evaluate(
			() => [...document.querySelectorAll('section')].filter((one) => one.offsetHeight > 0 && one.offsetHeight < 60).length,
		);
		t.is(empty, 0, `${name}: ${one} has no empty part`);
	}
	await page.focus(`#tab-${wanted.at(-1)}`);
	await page.keyboard.press('ArrowRight');
	t.is(await open(), [wanted[0]], `${name}: arrows go around`);
	t.is(await page.evaluate(() => location.hash), `#tab-${wanted[0]}`, `${name}: the address says which`);
	if (wanted[0] === 'tasks') await checkTaskTable(t, page, name, db);
	if (wanted[0] === 'tasks' && wanted.includes('schedule')) await checkWorst(t, page, name, db);
}
