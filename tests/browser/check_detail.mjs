/* check_detail.mjs - drawings of a run with too many blocks, or with blocks left out. */
import { box, column, intervalsRead, scale, settled, show, under } from './gantt_map.mjs';
import { tab } from './browser.mjs';
import { rowsOf } from './recordings.mjs';

/* Thread-nanoseconds of each task on each SM. */
const TAKEN = `SELECT b.sm, t.task_idx, sum(b.threads * (b.end_ns - b.start_ns)) AS taken
FROM block_interval b JOIN task t USING (task_id) WHERE b.run_id = 1 GROUP BY b.sm, t.task_idx`;
const DETAIL = `SELECT l.unit, l.capacity, d.level, d.bin_ns, d.entries, hex(d.data) AS data
FROM view_detail d JOIN view_lane l USING (run_id, lane) WHERE d.run_id = 1 AND l.kind = 'sm' ORDER BY d.level, l.lane`;

/* The shares of each task in a row of view_detail. */
function shares({ entries, data }) {
	const bytes = Buffer.from(data, 'hex');
	const sums = new Map();
	for (let entry = 0; entry < entries; entry++) {
		const task = bytes.readUInt16LE(2 * (entries + entry));
		const { sum, n } = sums.get(task) ?? { sum: 0, n: 0 };
		sums.set(task, { sum: sum + bytes.readUInt16LE(2 * (2 * entries + entry)), n: n + 1 });
	}
	return sums;
}

/* At every level, the bins add up to the time of the blocks: to half a unit per entry. */
async function checkSums(t, page, name, db) {
	const taken = await rowsOf(db, TAKEN);
	const { columns, rows } = await page.evaluate((sql) => window.cegsim.query(sql), DETAIL);
	const lanes = rows.map((row) =>
		Object.fromEntries(row.map((value, index) => [columns[index], value])),
	);
	const levels = new Set(lanes.map((lane) => lane.level));
	const wrong = [];
	for (const level of levels)
		for (const { sm, task_idx: task, taken: expected } of taken) {
			const lane = lanes.find((lane) => lane.level === level && lane.unit === sm);
			const { sum, n } = shares(lane).get(task) ?? { sum: 0, n: 0 };
			const unit = (lane.capacity * lane.bin_ns) / 65535;
			if (Math.abs(sum * unit - expected) > n * unit)
				wrong.push({ level, sm, task, got: sum * unit, expected });
		}
	t.ok(
		levels.size > 1 && taken.length > 5 && !wrong.length,
		`${name}: ${levels.size} levels of detail add up to the blocks`,
		...wrong.slice(0, 3),
	);
}

export async function checkDetail(t, { page }, { name, db }) {
	await tab(page, 'schedule');
	await page.$eval('#gantt', (gantt) => gantt.scrollIntoView({ block: 'center' }));
	await intervalsRead(page);
	const end = (await rowsOf(db, 'SELECT max(end_ns) AS end FROM segment_interval'))[0].end;
	const whole = await show(page, 1, 0, end);
	t.is(whole.mode, 'detail', `${name}: the whole run is drawn from the level of detail`);
	await checkSums(t, page, name, db);
	const block = (
		await rowsOf(
			db,
			`SELECT t.name AS task, b.seq, b.block, b.sm, b.start_ns, b.end_ns FROM block_interval b
		JOIN task t USING (task_id) ORDER BY b.rowid LIMIT 1 OFFSET (SELECT count(*) / 2 FROM block_interval)`,
		)
	)[0];
	const { width, height } = await box(page);
	const middle = width * 0.56; // behind the names of the lanes, and in the middle of what is left
	const there = (await under(page, column(middle, height))).filter((item) => item);
	t.ok(
		there.some((item) => item.kind === 'detail') && !there.some((item) => item.kind === 'block'),
		`${name}: there is detail under the mouse, and no block`,
		there.slice(0, 3),
	);
	await checkShare(t, page, name, db, end);

	const around = 3 * (block.end_ns - block.start_ns);
	const near = await show(page, 1, block.start_ns - around, block.end_ns + around);
	t.is(near.mode, 'exact', `${name}: from near its blocks are drawn`);
	const items = await under(page, column(middle, height));
	t.ok(
		items.some(
			(item) =>
				item?.kind === 'block' && item.seq === block.seq && item.task === block.task,
		),
		`${name}: and are under the mouse`,
	);
}

/* The share shown under the mouse is that of the blocks in the bin. */
async function checkShare(t, page, name, db, end) {
	const cpu = (
		await rowsOf(
			db,
			`SELECT start_ns, end_ns FROM segment_interval WHERE resource = 'cpu' AND kind = 'run'
		ORDER BY end_ns - start_ns DESC LIMIT 1`,
		)
	)[0];
	const map = await scale(page, 1, cpu);
	await show(page, 1, 0, end);
	const { height } = await box(page);
	const seen = new Map();
	for (const part of [0.21, 0.47, 0.83])
		for (const item of await under(page, column(map.left + map.width * part, height)))
			if (item?.kind === 'detail' && /^SM /.test(item.lane))
				seen.set(JSON.stringify([item.lane, item.start_ns]), item);
	const wrong = [];
	for (const { lane, shares: told, start_ns: from, end_ns: to } of seen.values()) {
		const rows = await rowsOf(
			db,
			`SELECT t.name AS task, sum(b.threads * (min(b.end_ns, :to) - max(b.start_ns, :from))) AS taken
			FROM block_interval b JOIN task t USING (task_id)
			WHERE b.run_id = 1 AND b.sm = :sm AND b.start_ns < :to AND b.end_ns > :from GROUP BY t.task_id`,
			{ from, to, sm: Number(lane.slice(3)) },
		);
		const expected = rows.map(({ task, taken }) => ({ task, share: taken / 2048 / (to - from) }));
		const same =
			told.length === expected.length &&
			expected.every(
				({ task, share }) =>
					Math.abs(told.find((one) => one.task === task)?.share - share) <=
					1 / 65535,
			);
		if (!same) wrong.push({ lane, from, to, told, expected });
	}
	t.ok(
		seen.size > 3 && !wrong.length,
		`${name}: ${seen.size} shares under the mouse are those of the blocks`,
		...wrong.slice(0, 3),
	);
}

/* Between the last block of the page and the end of the run. */
async function checkOutside(t, page, name, db, run, inside) {
	const detail = await page.evaluate(
		(run) =>
			window.cegsim.query(`SELECT count(*) FROM view_detail WHERE run_id = ${run}`)
				.rows[0][0],
		run,
	);
	const [{ end }] = await rowsOf(
		db,
		'SELECT max(end_ns) AS end FROM segment_interval WHERE run_id = :run',
		{ run },
	);
	const last = Math.max(0, ...inside.filter((one) => one.run === run).map((one) => one.to_ns));
	const outside = await show(page, run, last + (end - last) * 0.5, last + (end - last) * 0.51);
	t.ok(
		outside.mode === 'detail' || !detail,
		`${name}: where blocks are missing the schedule shows their detail, if there is some`,
		outside,
	);
	const told = await page.evaluate(() =>
		/not in (this|the) page/i.test(document.querySelector('#gantt-part').innerText),
	);
	t.ok(told, `${name}: and the reader is told`);
	const { width, height } = await box(page);
	const items = (
		await Promise.all([0.3, 0.56, 0.8].map((part) => under(page, column(width * part, height))))
	).flat();
	t.ok(
		!items.some((item) => item?.kind === 'block'),
		`${name}: no block is made up`,
		items.find((item) => item?.kind === 'block'),
	);
}

/* If only a part of a recording is in the page, what is missing is not drawn as if nothing had happened. */
export async function checkCut(t, { page }, { name, db }) {
	await tab(page, 'schedule');
	const notes = await page.$eval('#notes', (notes) => (notes.offsetHeight > 0 ? notes.innerText : ''));
	const [{ rows }] = await rowsOf(db, 'SELECT count(*) AS rows FROM block_interval');
	t.ok(
		notes.replace(/\D/g, '').includes(String(rows)),
		`${name}: the page says that blocks are missing`,
		notes,
	);
	const { windows, tables } = await page.evaluate(() => window.cegsim.meta);
	const inside = windows.filter((one) => one.table === 'block_interval' && one.to_ns > one.from_ns);
	t.ok(
		tables.block_interval.kept < rows && windows.length > 0,
		`${name}: and so does its meta`,
		tables,
		windows,
	);
	await page.$eval('#gantt', (gantt) => gantt.scrollIntoView({ block: 'center' }));
	await intervalsRead(page);

	const run = windows[0].run;
	await checkOutside(t, page, name, db, run, inside);
	const one = inside.find((one) => one.run === run);
	if (one) {
		const middle = (one.from_ns + one.to_ns) / 2;
		const near = await show(page, run, middle - 2000, middle + 2000);
		t.is(near.mode, 'exact', `${name}: where they are there they are drawn`);
	}
	await settled(page);
}
