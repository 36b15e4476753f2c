/*
 * check_flights.mjs - operations in flight: each stream has a lane, with the operations of the recording at their times; the
 * note at the pointer names the stream; and beside the schedule stand the rows of @flight-waits, to the digit.
 */
import { tab } from './browser.mjs';
import { box, column, intervalsRead, settled, show, under } from './gantt_map.mjs';
import { rowsOf } from './recordings.mjs';

const OPERATIONS = `SELECT t.name AS task, i.seq, i.segment_idx, s.stream, i.start_ns, i.end_ns
FROM segment_interval i JOIN task t USING (task_id) JOIN segment s USING (task_id, segment_idx)
WHERE i.run_id = 1 AND i.resource <> 'cpu' AND s.async ORDER BY i.start_ns, i.segment_idx`;

async function lanes(t, page, { db }) {
	const { left, top, width, height } = await box(page);
	const rows = await rowsOf(db, OPERATIONS);
	const wrong = [];
	let said = '';
	for (const row of rows) {
		const long = row.end_ns - row.start_ns;
		await show(page, 1, Math.max(0, row.start_ns - long), row.end_ns + long);
		const view = await settled(page);
		const share = ((row.start_ns + row.end_ns) / 2 - view.from_ns) / (view.to_ns - view.from_ns);
		const narrow = 112,
			x = narrow + share * (width - narrow - 12);
		const items = await under(page, column(x, height));
		const at = items.findIndex((item) => item?.lane === `stream ${row.stream}` && item.segment === row.segment_idx);
		const found = items[at];
		if (found?.start_ns !== row.start_ns || found?.end_ns !== row.end_ns || found?.stream !== row.stream || found?.seq !== row.seq)
			wrong.push(row, found);
		const others = items.filter((item) => item?.segment === row.segment_idx && item.lane !== found?.lane && item.seq === row.seq);
		if (!others.length || others.some((item) => item.kind !== 'job' && item.stream !== row.stream)) wrong.push(row, others[0]);
		if (said || at < 0) continue;
		await page.mouse.move(left + x, top + at / 2 + 1);
		await settled(page);
		said = await page.evaluate(() => document.querySelector('#hover').innerText);
	}
	t.ok(rows.length === 12 && !wrong.length, 'each stream has a lane with its operations', wrong.slice(0, 2));
	t.ok(/stream\s+1[12]/.test(said), 'the pointer reads the stream', said);
}

async function waits(t, page, { db }) {
	const job = { run: 1, task: 'detect', seq: 0 };
	await page.evaluate(({ run, task, seq }) => window.cegsim.gantt.look(run, task, seq), job);
	await page.waitForFunction(() => document.querySelector('#why h3').textContent === 'Why detect, job 0', { polling: 30, timeout: 20000 });
	const shown = await page.evaluate(() =>
		[...document.querySelectorAll('#why .flights tbody tr')].map((row) => [
			row.querySelector('th').innerText,
			row.querySelector('td').innerText,
			Number(row.dataset.ms),
		]),
	);
	const rows = await rowsOf(db, '@flight-waits', job);
	const expected = rows.map((row) => [row.segment, [row.resource, row.for_segment].filter(Boolean).join(' '), row.amount_ms]);
	const kinds = new Set(rows.map(({ resource }) => resource));
	t.ok(
		JSON.stringify(shown) === JSON.stringify(expected) && ['after', 'stream', 'wait'].every((kind) => kinds.has(kind)),
		'what operations in flight waited for is as in @flight-waits',
		{ shown, expected },
	);
}

export async function checkFlights(t, { page }, recording) {
	await tab(page, 'schedule');
	await page.$eval('#gantt', (gantt) => gantt.scrollIntoView({ block: 'center' }));
	await settled(page);
	await intervalsRead(page);
	await lanes(t, page, recording);
	await waits(t, page, recording);
}

/* Over the power of all GPUs, which has the accent's colour, each has a dashed line in that of the text. */
export async function checkGpuPower(t, { page }) {
	await tab(page, 'schedule');
	await page.evaluate(() => window.cegsim.gantt.show(2));
	await settled(page);
	await intervalsRead(page);
	await settled(page);
	/* GPU 0 takes 161 W here, GPU 1 20 W. */
	await show(page, 2, 12.6e6, 14.9e6);
	const lines = await page.evaluate(() => {
		const canvas = document.createElement('canvas');
		Object.assign(canvas, { width: document.querySelector('#power').width, height: document.querySelector('#power').height });
		const context = canvas.getContext('2d', { willReadFrequently: true });
		context.drawImage(document.querySelector('#power'), 0, 0);
		const counts = new Map();
		for (let x = Math.floor(canvas.width / 2); x < canvas.width * 0.9; x++) {
			const { data } = context.getImageData(x, 0, 1, canvas.height);
			const at = (y) => data[4 * y] + data[4 * y + 1] + data[4 * y + 2];
			for (let y = 26; y < canvas.height - 16; y++)
				if (data[4 * y + 3] > 200 && at(y) < 240) counts.set(y, (counts.get(y) ?? 0) + 1);
		}
		return [...counts].filter(([, count]) => count > canvas.width * 0.1).map(([y]) => y).sort((a, b) => a - b);
	});
	const apart = lines.filter((y, i) => i === 0 || y > lines[i - 1] + 2);
	t.ok(apart.length === 2, 'of two GPUs each has a curve of power', lines);
}
