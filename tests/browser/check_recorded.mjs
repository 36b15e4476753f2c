/*
 * check_recorded.mjs - what a real machine did stands under what was simulated, in the colours of how far off it is; notes,
 * the panel of a job and the table say what v_measured says. The percentiles of the table are computed again, slowly.
 */
import { open, tab } from './browser.mjs';
import { checkPlaces } from './check_gantt.mjs';
import { quiet } from './check_load.mjs';
import { seenTable, shows } from './check_tables.mjs';
import { box, column, intervalsRead, pixel, scale, settled, show, under } from './gantt_map.mjs';
import { rowsOf } from './recordings.mjs';
import { randomNumbers } from './tap.mjs';

const RUN = 1; /* the one with rows */
const WITHOUT = 2;
const TOLERANCE = 20000;

export const ROWS = `SELECT v.task, v.seq, v.segment_idx AS segment, v.kind AS what, v.resource, v.reason, m.start_ns, m.end_ns,
	m.start_ns AS recorded_start_ns, m.end_ns AS recorded_end_ns,
	CAST(round(v.simulated_start_ms * 1e6) AS INTEGER) AS simulated_start_ns,
	CAST(round(v.simulated_end_ms * 1e6) AS INTEGER) AS simulated_end_ns,
	CAST(round(v.deviation_ms * 1e6) AS INTEGER) AS deviation_ns, v.deviation_ms
FROM v_measured v JOIN measured m USING (run_id, task_id, seq, segment_idx) WHERE v.run_id = ${RUN} ORDER BY m.rowid`;
const NAMES = ['task', 'seq', 'segment', 'reason', 'deviation_ns', 'recorded_start_ns', 'recorded_end_ns', 'simulated_start_ns', 'simulated_end_ns'];

const classOf = ({ deviation_ns: off }) => (Math.abs(off) <= TOLERANCE ? 'near' : off < 0 ? 'later' : 'earlier');

/* Of those that have the middle of their time for themselves on their lane. */
function alone(rows) {
	return rows.filter((row) => {
		const at = (row.start_ns + row.end_ns) / 2;
		return rows.every((other) => other === row || other.resource !== row.resource || at < other.start_ns || at > other.end_ns);
	});
}

/* The colour of the schedule at a point, and those that the classes have, as [r, g, b]. */
const colours = (page, x, y) =>
	page.evaluate(
		(x, y) => {
			const canvas = document.querySelector('#gantt');
			const ratio = canvas.width / canvas.offsetWidth;
			const style = getComputedStyle(document.documentElement);
			const wanted = ['near', 'later', 'earlier'].map((name) => {
				const hex = style.getPropertyValue(`--${name}`).trim().slice(1);
				return [name, [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16))];
			});
			const copy = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
			copy.drawImage(canvas, Math.floor(x * ratio), Math.floor(y * ratio), 1, 1, 0, 0, 1, 1);
			const seen = [...copy.getImageData(0, 0, 1, 1).data].slice(0, 3);
			return wanted.find(([, rgb]) => rgb.every((part, i) => Math.abs(part - seen[i]) <= 1))?.[0] ?? seen.join();
		},
		x,
		y,
	);

/* The places of a column that are of a recorded row, from top to bottom. */
async function placesOf(page, map, view, row, ns) {
	const { height } = await box(page);
	const x = pixel(map, view, ns);
	const items = await under(page, column(x, height));
	const hits = items.map((item, step) => (item?.kind === 'measured' && item.recorded_start_ns === row.start_ns ? step / 2 : -1));
	const lane = items.findIndex((item) => item?.kind === 'segment' && item.lane === items[hits.findIndex((y) => y >= 0)]?.lane);
	return { x, hits: hits.filter((y) => y >= 0), lane: lane / 2 };
}

async function checkDeviations(t, page, map, name, rows, wanted, what) {
	const wrong = [];
	for (const row of rows) {
		const long = row.end_ns - row.start_ns;
		const view = await show(page, RUN, row.start_ns - long, row.end_ns + long);
		const { x, hits } = await placesOf(page, map, view, row, row.start_ns + long / 2);
		const seen = hits.length > 4 ? await colours(page, x, hits.at(-1) - 2) : 'nothing';
		if (seen !== wanted(row)) wrong.push([seen, wanted(row), row]);
	}
	t.ok(rows.length > 3 && !wrong.length, `${name}: ${rows.length} recorded intervals ${what}`, wrong.slice(0, 3));
}

/* A recorded lane is right below its simulated one. */
async function checkBelow(t, page, map, name, rows) {
	const wrong = [];
	for (const row of rows) {
		const view = await show(page, RUN, row.simulated_start_ns - 1000, Math.max(row.end_ns, row.simulated_end_ns) + 1000);
		const both = (Math.max(row.start_ns, row.simulated_start_ns) + Math.min(row.end_ns, row.simulated_end_ns)) / 2;
		const { x, hits } = await placesOf(page, map, view, row, both);
		const { height } = await box(page);
		const items = await under(page, column(x, height));
		const simulated = items.findLastIndex((item) => item?.kind === 'segment' && item.lane === items[hits[0] * 2].lane) / 2;
		if (!(simulated < hits[0] && hits[0] - simulated < 30)) wrong.push([simulated, hits[0], row]);
	}
	t.ok(rows.length > 2 && !wrong.length, `${name}: each under its simulated lane`, wrong.slice(0, 3));
}

/* The switch. */
async function checkSwitch(t, page, map, name, row) {
	const long = row.end_ns - row.start_ns;
	const view = await show(page, RUN, row.start_ns - long, row.end_ns + long);
	const before = await box(page);
	await page.select('#recorded', '');
	await settled(page);
	const legend = () => page.$$eval('#gantt-legend .recorded', (entries) => entries.map((one) => one.innerText));
	const hidden = await placesOf(page, map, view, row, row.start_ns + long / 2);
	const after = await box(page);
	t.ok(
		hidden.hits.length === 0 && after.height < before.height && (await legend()).length === 0,
		`${name}: hidden, it takes no room`,
		hidden,
		[before.height, after.height],
	);
	await page.select('#recorded', '10000000');
	await settled(page);
	const words = await legend();
	t.ok(words.length === 3 && words[0].includes('10 ms'), `${name}: the legend has its three colours, and the limit`, words);
	await checkDeviations(t, page, map, name, [row, row, row, row], () => 'near', 'are near within 10 ms');
	await page.select('#recorded', String(TOLERANCE));
	await page.evaluate((run) => window.cegsim.gantt.show(run), WITHOUT);
	await settled(page, (now) => now.run === WITHOUT);
	await intervalsRead(page);
	await settled(page);
	const choice = await page.$eval('#recorded', (select) => select.offsetHeight);
	t.ok(choice === 0 && (await legend()).length === 0, `${name}: nothing of it for a run without`, choice);
}

async function checkNote(t, page, map, name, row) {
	const long = row.end_ns - row.start_ns;
	const view = await show(page, RUN, row.start_ns - long, row.end_ns + long);
	const { x, hits } = await placesOf(page, map, view, row, row.start_ns + long / 2);
	const { left, top } = await box(page);
	await page.mouse.move(left + x, top + hits[1]);
	await page.waitForFunction(() => document.querySelector('#hover').offsetHeight > 0, { timeout: 3000, polling: 20 }).catch(() => {});
	const text = await page.$eval('#hover', (hover) => hover.innerText.replace(/\s+/g, ' '));
	const ms = (ns) => String(Number((ns / 1e6).toFixed(6)));
	const span = (from, to) => `${ms(from)} – ${ms(to)} ms`;
	t.ok(
		text.includes(`recorded ${span(row.start_ns, row.end_ns)}`) &&
			text.includes(`simulated ${span(row.simulated_start_ns, row.simulated_end_ns)}`) &&
			/deviation \S+ µs (\w+)/.exec(text)?.[1] === (row.deviation_ns < 0 ? 'later' : 'earlier') &&
			text.includes(row.reason.replace(/_/g, ' ')),
		`${name}: the note has both times, how far off, and why`,
		text,
		row,
	);
	await page.mouse.move(2, 2);
}

/* The panel of a job: its segments as SQL has them. */
async function checkPanel(t, page, name, rows) {
	const wrong = [];
	const jobs = [...new Set(rows.map(({ task, seq }) => `${seq} ${task}`))].slice(0, 6);
	for (const job of jobs) {
		const own = rows.filter(({ task, seq }) => `${seq} ${task}` === job).sort((a, b) => a.segment - b.segment);
		await page.evaluate((run, task, seq) => window.cegsim.gantt.look(run, task, seq), RUN, own[0].task, own[0].seq);
		await settled(page);
		const seen = await page.$$eval('#both dl', (lists) =>
			lists.map((list) => [list.dataset.segment, list.dataset.deviation ?? null, list.querySelector('i').className.replace('deviation', '').trim()]),
		);
		const should = own.map((row) => [
			String(row.segment),
			row.deviation_ns === null ? null : String(row.deviation_ns),
			row.deviation_ns === null ? '' : classOf(row),
		]);
		if (JSON.stringify(seen) !== JSON.stringify(should)) wrong.push([job, seen, should]);
	}
	t.ok(jobs.length > 2 && !wrong.length, `${name}: the panel of ${jobs.length} jobs has both for each segment`, ...wrong.slice(0, 2));
}

/* What the table must say of some rows. */
function measures(rows) {
	const off = rows.filter((row) => row.deviation_ms !== null).map((row) => Math.abs(row.deviation_ms) * 1e3);
	off.sort((a, b) => a - b);
	const n = off.length;
	const known = rows.filter((row) => row.deviation_ms !== null);
	const counts = Object.fromEntries(
		[...new Set(rows.map((row) => row.reason))].filter(Boolean).map((reason) => [reason.replace(/_/g, ' '), rows.filter((row) => row.reason === reason).length]),
	);
	return {
		recorded: rows.length,
		n,
		'median (µs)': n ? (off[Math.ceil(n / 2) - 1] + off[Math.floor(n / 2)]) / 2 : null,
		'90 % (µs)': n ? off[Math.ceil(0.9 * n - 1e-9) - 1] : null,
		'most (µs)': n ? off[n - 1] : null,
		later: known.filter((row) => classOf(row) === 'later').length,
		earlier: known.filter((row) => classOf(row) === 'earlier').length,
		...counts,
	};
}

/* familyOf(task): how a row of the table calls it. */
export async function checkTable(t, page, name, rows, familyOf = (task) => task) {
	for (const [by, columns] of [
		['kind', ['what']],
		['task', ['task']],
		['both', ['task', 'what']],
	]) {
		await page.select('#recorded-controls select', by);
		const { header, rows: seen } = await page.evaluate(seenTable, '#recorded-table');
		const groups = new Map();
		for (const row of rows) {
			const key = columns.map((column) => (column === 'task' ? familyOf(row.task) : row[column])).join(' | ');
			groups.set(key, [...(groups.get(key) ?? []), row]);
		}
		const wrong = [];
		for (const cells of seen) {
			const key = cells.slice(0, columns.length).join(' | ');
			const should = measures(groups.get(key) ?? []);
			header.slice(columns.length).forEach((label, i) => {
				const value = should[label] ?? (label.includes('µs') ? null : 0);
				if (!shows(cells[columns.length + i], value)) wrong.push([key, label, cells[columns.length + i], value]);
			});
		}
		t.ok(
			seen.length === groups.size && seen.length > 1 && header.length >= columns.length + 7 && !wrong.length,
			`${name}: deviations by ${by}, ${seen.length} rows, as SQL has them`,
			...wrong.slice(0, 4),
			header,
		);
	}
	const of = familyOf(rows[0].task);
	const most = rows.reduce((a, b) => (familyOf(b.task) === of && Math.abs(b.deviation_ns) > Math.abs(a.deviation_ns) ? b : a));
	await page.select('#recorded-controls select', 'task');
	await page.evaluate((task) => [...document.querySelectorAll('#recorded-table tbody tr')].find((row) => row.cells[0].innerText.trim() === task).click(), of);
	await settled(page);
	const title = await page.$eval('#both h3', (heading) => heading.textContent);
	t.is(title, `Recorded: ${most.task}, job ${most.seq}`, `${name}: a click on a row shows the job that is off the most`);
}

/* After Machado, Oliveira and Fernandes (2009), of whom a kind of cone is missing; in linear RGB. */
const BLIND = {
	nobody: [1, 0, 0, 0, 1, 0, 0, 0, 1],
	protanopes: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
	deuteranopes: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
	tritanopes: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

function lab(hex, matrix) {
	const linear = [1, 3, 5].map((at) => {
		const part = parseInt(hex.slice(at, at + 2), 16) / 255;
		return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	});
	const [r, g, b] = [0, 3, 6].map((at) => Math.min(1, Math.max(0, linear.reduce((sum, part, i) => sum + part * matrix[at + i], 0))));
	const f = (value) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
	const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505),
		y = f(0.2126 * r + 0.7152 * g + 0.0722 * b),
		z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
	return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/* The three, and the ground under them, are told apart by everybody, in light and dark. */
async function checkApart(t, page, name) {
	for (const scheme of ['light', 'dark']) {
		await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
		const found = await page.evaluate(() => {
			const style = getComputedStyle(document.documentElement);
			return ['--near', '--later', '--earlier', '--lane'].map((one) => style.getPropertyValue(one).trim());
		});
		const close = [];
		for (const [who, matrix] of Object.entries(BLIND))
			found.forEach((one, i) =>
				found.slice(0, i).forEach((other, k) => {
					const [a, b] = [lab(one, matrix), lab(other, matrix)];
					const apart = Math.hypot(...a.map((part, at) => part - b[at]));
					if (apart < 24) close.push([who, one, other, i, k, Math.round(apart)]);
				}),
			);
		t.is(close, [], `${name}: the colours of deviations are told apart, ${scheme}`);
	}
	await page.emulateMediaFeatures([]);
}

export async function checkRecorded(t, { page }, { name, db }) {
	const rows = await rowsOf(db, ROWS);
	const random = randomNumbers(11);
	await tab(page, 'schedule');
	await page.select('#run', String(RUN));
	await settled(page, (view) => view.run === RUN);
	await intervalsRead(page);
	await settled(page);
	await page.$eval('#gantt', (gantt) => gantt.scrollIntoView({ block: 'center' }));
	const [cpu] = await rowsOf(
		db,
		`SELECT start_ns, end_ns FROM segment_interval WHERE run_id = ${RUN} AND resource = 'cpu' AND kind = 'run'
		ORDER BY end_ns - start_ns DESC LIMIT 1`,
	);
	const map = await scale(page, RUN, cpu);
	const end = Math.max(...rows.map((row) => row.end_ns));
	const inner = rows.filter((row) => row.deviation_ns !== null && 4 * row.start_ns > 3 * row.end_ns && 5 * row.end_ns - 4 * row.start_ns < end);
	const some = (list, n) => [...Array(n).keys()].map(() => list[Math.floor(random() * list.length)]);
	for (const resource of ['cpu', 'copy', 'gpu'])
		await checkPlaces(t, page, map, `${name}, recorded on ${resource}`, RUN, 'measured', some(inner.filter((row) => row.resource === resource), 4), NAMES);
	const single = alone(inner).filter((row) => row.resource !== 'gpu');
	const each = ['near', 'later', 'earlier'].flatMap((which) => some(single.filter((row) => classOf(row) === which), 3));
	await checkDeviations(t, page, map, name, each, classOf, 'have the colour of how far off they are');
	const large = single.filter((row) => Math.min(row.end_ns, row.simulated_end_ns) - Math.max(row.start_ns, row.simulated_start_ns) > 1000);
	await checkBelow(t, page, map, name, some(large, 4));
	const late = single.find((row) => row.reason !== null && classOf(row) === 'later');
	await checkNote(t, page, map, name, late);
	await checkPanel(t, page, name, rows.slice(-20));
	await checkSwitch(t, page, map, name, late);
	await tab(page, 'recorded');
	await checkTable(t, page, name, rows);
	await checkApart(t, page, name);
}

/* On a phone a tap on a recorded interval opens the sheet with both. */
export async function checkRecordedPhone(t, _, { name, db, html }, started) {
	const opened = await open(started, html, { width: 390, height: 844, phone: true });
	const { page } = opened;
	await tab(page, 'schedule');
	await intervalsRead(page);
	const rows = alone((await rowsOf(db, ROWS)).filter((row) => row.deviation_ns !== null && row.resource === 'cpu'));
	const row = rows.reduce((a, b) => (b.end_ns - b.start_ns > a.end_ns - a.start_ns ? b : a));
	const long = row.end_ns - row.start_ns;
	await show(page, RUN, row.start_ns - long, row.end_ns + long);
	await page.$eval('#gantt', (gantt) => gantt.scrollIntoView({ block: 'start' }));
	await page.evaluate(() => scrollBy(0, -60));
	const { left, top, width, height } = await box(page);
	const x = 84 + (width - 90) / 2;
	const items = await under(page, column(x, height));
	const y = items.findIndex((item) => item?.kind === 'measured' && item.recorded_start_ns === row.start_ns) / 2 + 2;
	await page.touchscreen.tap(left + x, top + y);
	await settled(page);
	const seen = await page.evaluate(() => ({
		open: document.querySelector('#sheet-body').offsetHeight,
		found: document.querySelector('#sheet-found').innerText,
		both: document.querySelectorAll('#both dl').length,
		wide: document.documentElement.scrollWidth,
	}));
	t.ok(
		seen.open > 100 && /recorded/.test(seen.found) && /simulated/.test(seen.found) && seen.both > 0 && seen.wide <= 390,
		`${name}: on a phone a tap on a recorded interval shows both`,
		seen,
	);
	quiet(t, opened, `${name}, on a phone`);
	await page.close();
}
