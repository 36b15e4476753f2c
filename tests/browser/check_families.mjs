/* check_families.mjs - many tasks that are called alike ("stream 3 #12") are one row of the schedule, and have one colour. */
import { checkPlaces } from './check_gantt.mjs';
import { checkTable, ROWS } from './check_recorded.mjs';
import { tab } from './browser.mjs';
import { box, column, intervalsRead, scale, settled, show, under } from './gantt_map.mjs';
import { rowsOf } from './recordings.mjs';

const STEM = `rtrim(rtrim(t.name, '0123456789'), '# ')`;

export async function checkFamilies(t, { page }, { name, db }) {
	await tab(page, 'schedule');
	await intervalsRead(page);
	await settled(page);
	const stems = (await rowsOf(db, `SELECT DISTINCT ${STEM} AS stem FROM task t ORDER BY task_idx`)).map(({ stem }) => stem);
	const [{ tasks, jobs }] = await rowsOf(db, 'SELECT (SELECT count(*) FROM task) AS tasks, count(*) AS jobs FROM job');
	const legend = await page.$$eval('#gantt-legend > span', (entries) => entries.map((entry) => entry.innerText));
	t.is(legend.slice(0, stems.length), stems, `${name}: ${tasks} tasks are ${stems.length} in the legend`);
	const { height } = await box(page);
	t.ok(height < 460, `${name}: and as many rows`, height);

	const [cpu] = await rowsOf(
		db,
		`SELECT start_ns, end_ns FROM segment_interval WHERE run_id = 1 AND resource = 'cpu' AND kind = 'run'
		ORDER BY end_ns - start_ns DESC LIMIT 1`,
	);
	const map = await scale(page, 1, cpu);
	const some = await rowsOf(
		db,
		`SELECT t.name AS task, j.seq, j.release_ns, j.release_ns AS start_ns, j.finish_ns, j.finish_ns AS end_ns
		FROM job j JOIN task t USING (task_id)
		WHERE j.release_ns > 3 * (j.finish_ns - j.release_ns) AND NOT EXISTS (
			SELECT 1 FROM job k JOIN task o ON o.task_id = k.task_id WHERE k.rowid <> j.rowid AND
				rtrim(rtrim(o.name, '0123456789'), '# ') = ${STEM} AND k.release_ns < 2 * j.finish_ns - j.release_ns
				AND k.finish_ns > 2 * j.release_ns - j.finish_ns)
		ORDER BY j.release_ns * 7919 % 1009 LIMIT 8`,
	);
	t.ok(some.length === 8 && new Set(some.map(({ task }) => task)).size > 4, `${name}: jobs that are apart`, some.length, jobs);
	await checkPlaces(t, page, map, name, 1, 'job', some, ['task', 'seq', 'release_ns', 'finish_ns']);

	const kernel = (await rowsOf(
		db,
		`SELECT i.start_ns, i.end_ns, t.name AS task FROM segment_interval i JOIN task t USING (task_id) WHERE resource = 'gpu' LIMIT 1`,
	))[0];
	await show(page, 1, kernel.start_ns - 1000, kernel.end_ns + 1000);
	const { width } = await box(page);
	const found = (await under(page, column((112 + (width - 124) / 2) / 1, height))).filter((item) => item?.kind === 'segment' && item.lane === 'GPU');
	t.ok(
		found.some((item) => item.task === kernel.task) && found.every((item) => stems[item.hue] === item.task.replace(/ #\d+$/, '')),
		`${name}: a kernel has the colour of its family, and its own name`,
		found[0],
	);
	await tab(page, 'recorded');
	await checkTable(t, page, name, await rowsOf(db, ROWS), (task) => task.replace(/ #\d+$/, ''));
	await tab(page, 'tasks');
	const [rows, more] = await page.evaluate(() => [
		document.querySelectorAll('#tasks-table tbody tr').length,
		document.querySelector('#tasks-more').innerText,
	]);
	t.ok(rows === 200 && more.includes(String(tasks)), `${name}: the first 200 tasks, and how many there are`, rows, more);
}
