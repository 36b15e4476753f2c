/* check_stack.mjs - all SMs as one lane: it shows whose the threads are, as SQL counts them. */
import { tab } from './browser.mjs';
import { box, column, intervalsRead, scale, settled, show, under } from './gantt_map.mjs';
import { rowsOf } from './recordings.mjs';

/* Share of all threads of the GPU between two instants, by task. */
const SHARES = `SELECT t.name AS task,
	1.0 * sum(b.threads * (min(b.end_ns, :to) - max(b.start_ns, :from))) / (:to - :from) / :capacity AS share
FROM block_interval b JOIN task t USING (task_id)
WHERE b.run_id = :run AND b.start_ns < :to AND b.end_ns > :from GROUP BY t.task_id ORDER BY t.task_idx`;

const same = (told, wanted, slack) =>
	told.length === wanted.length &&
	wanted.every(({ task, share }, i) => told[i].task === task && Math.abs(told[i].share - share) <= slack);

/* What is under a vertical line, by default in the middle of the schedule, every half pixel. */
async function rows(page, part = 0.56) {
	const { width, height } = await box(page);
	return (await under(page, column(width * part, height))).filter(Boolean);
}

async function compareShares(t, page, name, db, { run, kind, instants, parts = [0.56], capacity, span }) {
	const wrong = [];
	let bands = 0;
	for (const [at, part] of instants.flatMap((at) => parts.map((part) => [at, part]))) {
		await show(page, run, at - span / 2, at + span / 2);
		const items = (await rows(page, part)).filter((item) => item.kind === kind && / SMs$/.test(item.lane));
		const [item] = items;
		if (!item) {
			wrong.push(['nothing there', at]);
			continue;
		}
		const [from, to] = kind === 'threads' ? [Math.floor(item.at_ns), Math.floor(item.at_ns) + 1] : [item.start_ns, item.end_ns];
		const wanted = await rowsOf(db, SHARES, { run, from, to, capacity });
		/* A level of detail rounds to 1/65535 of each SM. */
		if (!same(item.shares, wanted, kind === 'threads' ? 1e-9 : 1 / 65535)) wrong.push({ at, told: item.shares, wanted });
		/* The bands, from the bottom, are in the order of the tasks, and as high as their shares. */
		const seen = items.filter((one) => one.task !== null).map((one) => one.task);
		for (const { task, share } of wanted) {
			const high = seen.filter((one) => one === task).length / items.length;
			if (Math.abs(high - share) > 0.02) wrong.push({ at, task, high, share });
			bands++;
		}
	}
	t.ok(
		bands >= instants.length + parts.length - 1 && !wrong.length,
		`${name}: one lane for all SMs shows ${bands} shares as SQL counts them (${kind})`,
		...wrong.slice(0, 3),
	);
}

export async function checkStack(t, { page }, { name, db }) {
	await tab(page, 'schedule');
	await intervalsRead(page);
	const [{ sms, capacity, end }] = await rowsOf(
		db,
		`SELECT count(DISTINCT sm) AS sms, 132 * 2048 AS capacity, max(end_ns) AS end FROM block_interval WHERE run_id = 1`,
	);
	await show(page, 1, 0, end);
	const lanes = new Set((await rows(page)).filter((item) => item.lane).map((item) => item.lane));
	t.ok(
		sms === 132 && lanes.has('132 SMs') && ![...lanes].some((lane) => /^SM /.test(lane)),
		`${name}: ${sms} SMs are one lane`,
		[...lanes],
	);
	const starts = await rowsOf(
		db,
		'SELECT start_ns FROM block_interval WHERE run_id = 1 AND block = 3 ORDER BY start_ns LIMIT 8',
	);
	const instants = starts.map(({ start_ns }) => start_ns + 200000);
	await compareShares(t, page, name, db, { run: 1, kind: 'threads', instants, capacity, span: 400000 });

	const [{ height }] = [await box(page)];
	await page.select('#height', '8');
	await settled(page);
	const each = (await box(page)).height;
	t.ok(each > 132 * 6 && height < 600, `${name}: and can be shown one by one`, { height, each });
	await page.select('#height', '');
	await settled(page);
}

/* The same from a level of detail. */
export async function checkStackDetail(t, { page }, { name, db }) {
	await tab(page, 'schedule');
	await intervalsRead(page);
	await page.select('#height', 'stack');
	const [{ end }] = await rowsOf(db, 'SELECT max(end_ns) AS end FROM segment_interval');
	/* Where blocks are; the axis is 112 pixels from the left, 12 from the right. */
	const { width } = await box(page);
	const blocks = await rowsOf(
		db,
		`SELECT (start_ns + end_ns) / 2 AS at FROM block_interval WHERE rowid % (SELECT count(*) / 7 FROM block_interval) = 1`,
	);
	const parts = blocks.map(({ at }) => (112 + (at / end) * (width - 124)) / width);
	await compareShares(t, page, name, db, {
		run: 1,
		kind: 'detail',
		instants: [end / 2],
		parts,
		capacity: 6 * 2048,
		span: end,
	});
	await page.select('#height', '');
	await settled(page);
}
