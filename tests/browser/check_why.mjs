/*
 * check_why.mjs - why a job took so long: the panel beside the schedule has the rows of @waits, to the digit, for a
 * job that was looked up, clicked, or missed its deadline; whoever it waited for is a button that leads there.
 */
import { tab } from './browser.mjs';
import { box, column, intervalsRead, settled, show, under } from './gantt_map.mjs';
import { rowsOf } from './recordings.mjs';

const JOBS = 12;

/* The panel when it is about this job; else what it says in the end. */
async function panel(page, task, seq) {
	await page
		.waitForFunction(
			(title) => document.querySelector('#why h3').textContent === title,
			{ polling: 30, timeout: 20000 },
			`Why ${task}, job ${seq}`,
		)
		.catch(() => {});
	return page.evaluate(() => ({
		title: document.querySelector('#why h3').textContent,
		says: document.querySelector('#why').innerText,
		rows: [...document.querySelectorAll('#why table:not(.flights) tbody tr')].map((row) => ({
			resource: row.dataset.resource,
			ms: Number(row.dataset.ms),
			who: row.querySelector('td').innerText.trim(),
			names: row.querySelector('th').innerText,
		})),
	}));
}

/* How the panel differs from @waits, and its sum from the response; '' if it does not. */
async function wrong(page, db, { run_id: run, task, seq, ns }) {
	const expected = await rowsOf(db, '@waits', { run, task, seq });
	const { title, rows } = await panel(page, task, seq);
	const words = ({ by_task, by_jobs, by_seq }) =>
		by_task === null ? '' : by_jobs > 1 ? `${by_task}, ${by_jobs} jobs` : `${by_task} #${by_seq}`;
	const is = rows.map(({ resource, ms, who }) => `${resource} ${ms} ${who}`).join('; ');
	const should = expected.map((row) => `${row.resource} ${row.amount_ms} ${words(row)}`).join('; ');
	const sum = rows.reduce((total, { ms }) => total + Math.round(ms * 1e6), 0);
	if (is !== should) return `${title}: ${is} instead of ${should}`;
	return sum === ns ? '' : `${title}: ${sum} ns instead of ${ns}`;
}

const look = (page, { run_id, task, seq }) =>
	page.evaluate((run, task, seq) => window.cegsim.gantt.look(run, task, seq), run_id, task, seq);

/* Answers take long from now on, so a pointer that rests on a job does not ask; or as long as they take. */
const slow = (page, is) =>
	page.evaluate((is) => {
		const now = (window.itsNow ??= performance.now.bind(performance));
		let more = 0;
		performance.now = is ? () => now() + (more += 100) : now;
	}, is);

async function checkClick(t, page, { name, db }) {
	const [row] = await rowsOf(
		db,
		`SELECT i.run_id, t.name AS task, i.seq, i.start_ns, i.end_ns,
			(SELECT coalesce(j.finish_ns, r.stop_ns) - j.release_ns FROM job j JOIN run r USING (run_id)
			WHERE j.run_id = i.run_id AND j.task_id = i.task_id AND j.seq = i.seq) AS ns
		FROM segment_interval i JOIN task t USING (task_id)
		WHERE i.resource = 'cpu' AND i.kind = 'run' ORDER BY i.end_ns - i.start_ns DESC, i.run_id, i.start_ns LIMIT 1`,
	);
	const middle = (row.start_ns + row.end_ns) / 2,
		long = row.end_ns - row.start_ns;
	await show(page, row.run_id, middle - long, middle + long);
	await intervalsRead(page);
	let said = 'not clicked';
	/* A busy machine may still lay the page out between the look and the click: then it is looked at once more. */
	for (let i = 0; said && i < 3; i++) {
		await page.$eval('#gantt', (gantt) => gantt.scrollIntoView({ block: 'start' }));
		await page.evaluate(() => scrollBy(0, -60));
		const { left, top, width, height } = await box(page);
		const x = 84 + (width - 90) / 2;
		const items = await under(page, column(x, height));
		const y = items.findIndex((item) => item?.lane === 'CPU' && item.task === row.task && item.seq === row.seq) / 2 + 1;
		await page.mouse.move(left + x, top + y);
		await settled(page);
		await page.mouse.click(left + x, top + y);
		await settled(page);
		said = await wrong(page, db, row);
	}
	t.ok(!said, `${name}: a click on a segment says why its job took so long`, said);
}

export async function checkWhy(t, { page }, { name, db }) {
	await tab(page, 'schedule');
	const jobs = await rowsOf(
		db,
		`SELECT j.run_id, t.name AS task, j.seq, coalesce(j.finish_ns, r.stop_ns) - j.release_ns AS ns
		FROM job j JOIN run r USING (run_id) JOIN task t USING (task_id)
		WHERE r.record NOT IN ('summary', 'jobs') ORDER BY (j.seq * 7919 + j.task_id) % 101, ns DESC LIMIT ${JOBS}`,
	);
	const faults = [];
	for (const job of jobs) {
		await look(page, job);
		faults.push(await wrong(page, db, job));
	}
	const bad = faults.filter((fault) => fault);
	t.ok(jobs.length === JOBS && !bad.length, `${name}: ${jobs.length} jobs, why as in @waits`, bad[0]);
	await slow(page, true);
	await look(page, jobs[0]);
	await panel(page, jobs[0].task, jobs[0].seq);
	await checkClick(t, page, { name, db });
	await slow(page, false);
	await checkLeads(t, page, { name, db });
}

/* The job that waited for most tasks: each of them is a button; the keyboard leads to its job, and stays in the panel. */
async function checkLeads(t, page, { name, db }) {
	const [job] = await rowsOf(
		db,
		`SELECT run_id, task, seq, by_task, by_seq FROM v_wait WHERE resource IN ('cpu', 'gpu') AND by_task_id <> task_id
			AND run_id = (SELECT min(run_id) FROM run) AND longest ORDER BY amount_ns DESC LIMIT 1`,
	);
	await look(page, job);
	await panel(page, job.task, job.seq);
	const found = await page.evaluate((who) => {
		const button = [...document.querySelectorAll('#why button')].find((one) => one.innerText.startsWith(who));
		button?.focus();
		return Boolean(button);
	}, `${job.by_task} #`);
	if (found) await page.keyboard.press('Enter');
	const { title } = await panel(page, job.by_task, job.by_seq);
	const focused = await page.evaluate(() => document.activeElement === document.querySelector('#why h3'));
	t.ok(
		found && title === `Why ${job.by_task}, job ${job.by_seq}` && focused,
		`${name}: Enter on whom it waited for leads to that job`,
		{ found, title, focused },
	);
}

export async function checkWhyMissed(t, { page }, { name, db }) {
	await tab(page, 'schedule');
	const runs = await rowsOf(db, 'SELECT run_id, misses FROM run WHERE misses > 0 ORDER BY run_id LIMIT 1');
	await page.evaluate((run) => window.cegsim.gantt.show(run), runs[0].run_id);
	await settled(page);
	await page.focus('#gantt');
	const faults = [];
	for (let i = 0; i < 3 && i < runs[0].misses; i++) {
		const miss = await page.evaluate(
			() => window.cegsim.gantt.nextMiss(1) ?? window.cegsim.gantt.nextMiss(-1),
		);
		const [job] = await rowsOf(
			db,
			`SELECT j.run_id, t.name AS task, j.seq, coalesce(j.finish_ns, r.stop_ns) - j.release_ns AS ns
			FROM job j JOIN run r USING (run_id) JOIN task t USING (task_id)
			WHERE j.run_id = :run AND t.name = :task AND j.seq = :seq`,
			{ run: miss.run, task: miss.task, seq: miss.seq },
		);
		faults.push(await wrong(page, db, job));
	}
	const bad = faults.filter((fault) => fault);
	t.ok(faults.length > 0 && !bad.length, `${name}: ${faults.length} misses, each with its why`, bad[0]);
}

/* Where rows are missing there is no answer that might be wrong. */
export async function checkWhyCut(t, { page }, { name }) {
	await tab(page, 'schedule');
	const job = await page.evaluate(() => {
		const { columns, rows } = window.cegsim.query(
			`SELECT j.run_id, t.name AS task, j.seq FROM job j JOIN task t USING (task_id) ORDER BY j.run_id LIMIT 1`,
		);
		return Object.fromEntries(columns.map((column, i) => [column, rows[0][i]]));
	});
	await look(page, job);
	const { says, rows } = await panel(page, job.task, job.seq);
	t.ok(rows.length === 0 && /Not all rows/.test(says), `${name}: no why where rows are missing`, says);
}
