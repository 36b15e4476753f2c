/* check_compare.mjs - two runs in one schedule: each row of the first has that of the second below it, and both fit a laptop. */
import { tab } from './browser.mjs';
import { box, column, intervalsRead, settled, show, under } from './gantt_map.mjs';
import { rowsOf } from './recordings.mjs';

const JOBS = `SELECT t.name AS task, j.seq, j.run_id FROM job j JOIN task t USING (task_id)
WHERE j.release_ns <= :at AND coalesce(j.finish_ns, 9e18) > :at AND j.run_id IN (1, 2) ORDER BY t.task_idx, j.run_id`;

/* What is drawn, one entry for each row from top to bottom. */
async function rowsDown(page, part) {
	const { width, height } = await box(page);
	const seen = [];
	for (const item of await under(page, column(width * part, height))) {
		if (!item) continue;
		const row = `${item.kind === 'job' ? item.task : item.lane} ${item.run}`;
		if (seen.at(-1)?.row !== row) seen.push({ row, ...item });
	}
	return seen;
}

/* In the window at once, below the bar of the tabs: both runs with their power. */
async function checkFits(t, page, name) {
	await page.$eval('#panel', (panel) => panel.scrollIntoView({ block: 'start' }));
	const sizes = await page.evaluate(() => {
		const rect = (id) => document.getElementById(id).getBoundingClientRect();
		return {
			height: rect('power-2').bottom - rect('panel').top,
			window: innerHeight - rect('tabs').height,
			toolbar: rect('panel').top - rect('gantt-controls').top,
		};
	});
	t.ok(
		sizes.height > 200 && sizes.height + sizes.toolbar <= sizes.window,
		`${name}: two runs, their power and the buttons fit 1280 x 800`,
		sizes,
	);
}

export async function checkCompare(t, { page }, { name, db }) {
	await page.setViewport({ width: 1280, height: 800 });
	await tab(page, 'schedule');
	await page.select('#run', '1');
	await settled(page, (view) => view.run === 1);
	await page.select('#compare', '2');
	await settled(page);
	await intervalsRead(page);
	await checkFits(t, page, name);

	/* An instant at which jobs of several tasks are there in both runs. */
	const [{ at }] = await rowsOf(
		db,
		`SELECT i.start_ns + 2000 AS at FROM segment_interval i JOIN job j ON j.run_id IN (1, 2)
			AND j.release_ns <= i.start_ns AND coalesce(j.finish_ns, 9e18) > i.start_ns + 2000
		WHERE i.run_id = 1 AND i.resource = 'gpu' AND i.end_ns > i.start_ns + 4000
		GROUP BY i.rowid ORDER BY count(*) DESC, i.start_ns LIMIT 1`,
	);
	/* The middle of the axis is a little right of the middle of the canvas. */
	await show(page, 1, at - 2000, at + 2000);
	const { width } = await box(page);
	const rows = await rowsDown(page, (112 + (width - 124) / 2) / width);
	const jobs = rows.filter((row) => row.kind === 'job').map(({ task, seq, run }) => ({ task, seq, run_id: run }));
	t.is(jobs, await rowsOf(db, JOBS, { at }), `${name}: ${jobs.length} jobs of two runs, each above the other's`);
	const lanes = rows.filter((row) => row.kind !== 'job').map(({ lane, run }) => [lane, run]);
	const order = lanes.map(([lane]) => lane);
	t.ok(
		lanes.some(([, run]) => run === 2) &&
			order.every((lane, i) => order.indexOf(lane) === i || order[i - 1] === lane) &&
			lanes.every(([lane, run], i) => run === 1 || lanes[i - 1]?.[0] !== lane || lanes[i - 1][1] === 1),
		`${name}: and so are the lanes`,
		lanes,
	);
	const title = await page.$eval('#panel-title', (title) => title.innerText);
	t.ok(/A: run 1, .*B: run 2, /s.test(title), `${name}: it says which is which`, title);

	await page.select('#compare', '');
	await settled(page);
	const alone = new Set((await rowsDown(page, 0.56)).map(({ run }) => run));
	t.is([...alone], [1], `${name}: and the first can be alone again`);
	await page.setViewport({ width: 1280, height: 900 });
	await settled(page);
}
