/*
 * check_gantt.mjs - the schedule shows the rows of the recording at their places, and moves with the mouse
 * and the keys.
 */
import { box, column, instant, intervalsRead, pixel, scale, settled, show, under } from './gantt_map.mjs';
import { tab } from './browser.mjs';
import { rowsOf } from './recordings.mjs';
import { randomNumbers } from './tap.mjs';

const BLOCKS = `SELECT t.name AS task, b.seq, b.segment_idx AS segment, b.block, b.sm, b.threads, b.start_ns, b.end_ns
FROM block_interval b JOIN task t USING (task_id) WHERE b.run_id = :run ORDER BY b.rowid`;
const SEGMENTS = `SELECT t.name AS task, i.seq, i.segment_idx AS segment, i.resource, i.start_ns, i.end_ns, i.unit
FROM segment_interval i JOIN task t USING (task_id) WHERE i.run_id = :run AND i.kind = 'run' ORDER BY i.rowid`;
const JOBS = `SELECT t.name AS task, j.seq, j.release_ns, j.abs_deadline_ns AS deadline_ns, j.finish_ns, j.missed
FROM job j JOIN task t USING (task_id) WHERE j.run_id = :run ORDER BY j.rowid`;

const fits = (item, kind, row, names) =>
	item?.kind === kind && names.every((name) => item[name] === row[name]);

/*
 * Each row is drawn where it should be: at the middle of its time, at one place of the height; and nowhere
 * before its start.
 */
export async function checkPlaces(t, page, map, name, run, kind, rows, names) {
	const { height } = await box(page);
	const wrong = [];
	const tops = new Map();
	for (const row of rows) {
		const long = row.end_ns - row.start_ns;
		const view = await show(page, run, row.start_ns - 3 * long, row.end_ns + 4 * long);
		if (view.mode !== 'exact') wrong.push(['mode', view.mode]);
		const hits = async (ns) => {
			const items = await under(page, column(pixel(map, view, ns), height));
			return items
				.map((item, step) => (fits(item, kind, row, names) ? step : -1))
				.filter((step) => step >= 0);
		};
		const inside = await hits(row.start_ns + long / 2);
		if (!inside.length) wrong.push(['not there', row]);
		if ((await hits(row.start_ns - long / 4)).length) wrong.push(['before its start', row]);
		if ((await hits(row.end_ns + long / 4)).length) wrong.push(['after its end', row]);
		if (row.sm !== undefined && inside.length)
			tops.set(row.sm, [...(tops.get(row.sm) ?? []), inside[0], inside[inside.length - 1]]);
	}
	t.ok(
		rows.length > 0 && !wrong.length,
		`${name}: ${rows.length} rows (${kind}) are where SQL says`,
		...wrong.slice(0, 4),
	);
	const lanes = [...tops]
		.sort(([a], [b]) => a - b)
		.map(([, steps]) => [Math.min(...steps), Math.max(...steps)]);
	if (lanes.length > 1)
		t.ok(
			lanes.every(([top], index) => !index || top > lanes[index - 1][1]),
			`${name}: SMs stand below each other in order`,
			lanes,
		);
}

async function checkWheel(t, page, name, view) {
	const scrolled = await page.evaluate(() => {
		document.body.style.paddingBottom = '500px'; // whatever the schedule's height, there is something to scroll
		return scrollY;
	});
	await page.mouse.wheel({ deltaY: scrolled > 60 ? -60 : 60 });
	await page.waitForFunction((before) => scrollY !== before, { timeout: 3000 }, scrolled).catch(() => {});
	const still = await settled(page);
	t.ok(
		(await page.evaluate(() => scrollY)) !== scrolled && still.from_ns === view.from_ns && still.to_ns === view.to_ns,
		`${name}: the wheel alone scrolls the page`,
		scrolled,
		still,
	);
	await page.evaluate((before) => {
		scrollTo(0, before);
		document.body.style.paddingBottom = '';
	}, scrolled);
}

/* x: where the mouse is, in the schedule. */
async function checkZoom(t, page, map, name, from, to, x) {
	let view = { from_ns: from, to_ns: to };
	const perPixel = () => (view.to_ns - view.from_ns) / map.width;
	await page.keyboard.down('Control');
	const held = instant(map, view, x);
	await page.mouse.wheel({ deltaY: -240 });
	let after = await settled(page, (now) => now.to_ns - now.from_ns < (to - from) * 0.99);
	t.ok(after.to_ns - after.from_ns < (to - from) * 0.95, `${name}: with Ctrl it zooms in`, view, after);
	t.near(
		instant(map, after, x),
		held,
		2 * perPixel(),
		`${name}: the instant under the pointer stays there`,
	);
	view = after;
	await page.mouse.wheel({ deltaY: 240 });
	after = await settled(page, (now) => now.to_ns - now.from_ns > (view.to_ns - view.from_ns) * 1.01);
	t.ok(
		Math.abs((after.to_ns - after.from_ns) / (to - from) - 1) < 0.02,
		`${name}: and back out`,
		view,
		after,
	);
	t.near(instant(map, after, x), held, 3 * perPixel(), `${name}: around the same instant`);
	await page.keyboard.up('Control');
}

/* x, y: on the screen. */
async function checkDrag(t, page, map, name, view, x, y) {
	const { from_ns: from, to_ns: to } = view;
	const perPixel = (to - from) / map.width;
	await page.mouse.move(x, y);
	await page.mouse.down();
	await page.mouse.move(x + 60, y, { steps: 3 });
	await page.mouse.move(x + 120, y, { steps: 3 });
	await page.mouse.up();
	const after = await settled(page, (now) => now.from_ns !== from);
	t.near(
		after.from_ns,
		from - 120 * perPixel,
		2.5 * perPixel,
		`${name}: dragging takes what is under the pointer along`,
	);
	t.near(after.to_ns - after.from_ns, to - from, 1 + perPixel, `${name}: and changes no scale`);
}

async function checkMouse(t, page, map, name, run, end) {
	await page.$eval('#gantt', (gantt) => gantt.scrollIntoView({ block: 'center' }));
	const { left, top, height } = await box(page);
	const [from, to] = [Math.round(end * 0.3), Math.round(end * 0.6)];
	const x = map.left + map.width * 0.3;
	const view = await show(page, run, from, to);
	await page.mouse.move(left + x, top + height / 2);
	await checkWheel(t, page, name, view);
	await checkZoom(t, page, map, name, from, to, x);
	await checkDrag(t, page, map, name, await show(page, run, from, to), left + x, top + height / 2);
}

/* A finger that goes up or down scrolls the page; one that goes sideways moves the schedule. */
async function checkFingers(t, page, map, name, run, end) {
	await page.$eval('#gantt', (gantt) => gantt.scrollIntoView({ block: 'center' }));
	const { left, top, height } = await box(page);
	const [x, y] = [left + map.left + map.width / 2, top + height / 2];
	const action = await page.$eval('#gantt', (gantt) => getComputedStyle(gantt).touchAction);
	t.is(action, 'pan-y', `${name}: the browser keeps fingers that go up and down`);
	const view = await show(page, run, Math.round(end * 0.3), Math.round(end * 0.6));
	await page.touchscreen.touchStart(x, y);
	for (let step = 1; step <= 6; step++) await page.touchscreen.touchMove(x - 20 * step, y);
	await page.touchscreen.touchEnd();
	const after = await settled(page, (now) => now.from_ns !== view.from_ns);
	t.ok(after.from_ns > view.from_ns, `${name}: a finger to the left shows what is later`, view, after);
}

/* Full screen and back: the schedule takes the room that there is. */
async function checkFull(t, page, name) {
	const before = (await box(page)).width;
	await page.click('#gantt-full');
	await page.waitForFunction(() => document.fullscreenElement?.id === 'gantt-part', { timeout: 5000 });
	await settled(page);
	const label = await page.$eval('#gantt-full', (button) => button.textContent);
	const after = (await box(page)).width;
	t.ok(after >= before && /Leave/.test(label), `${name}: full screen`, before, after, label);
	await page.focus('#gantt');
	await page.keyboard.press('f');
	await page.waitForFunction(() => !document.fullscreenElement, { timeout: 5000 });
	t.is((await settled(page)) && (await box(page)).width, before, `${name}: and f leaves it`);
}

async function checkKeys(t, page, name, run, end) {
	const from = Math.round(end * 0.3);
	const to = Math.round(end * 0.6);
	const pressed = async (key) => {
		const view = await show(page, run, from, to);
		await page.focus('#gantt');
		await page.keyboard.press(key);
		return settled(page, (now) => now.from_ns !== view.from_ns || now.to_ns !== view.to_ns);
	};
	const width = (view) => view.to_ns - view.from_ns;
	const right = await pressed('ArrowRight');
	const leftwards = await pressed('ArrowLeft');
	t.ok(
		right.from_ns > from && leftwards.from_ns < from && Math.abs(width(right) - (to - from)) < 2,
		`${name}: arrows move`,
		right,
		leftwards,
	);
	const closer = await pressed('+');
	const farther = await pressed('-');
	t.ok(
		width(closer) < (to - from) * 0.95 && width(farther) > (to - from) * 1.05,
		`${name}: plus and minus zoom`,
		closer,
		farther,
	);
	const whole = await pressed('Home');
	t.ok(whole.from_ns <= 0 && whole.to_ns >= end, `${name}: Home shows the whole run`, whole);
}

/* #hover describes what is under the mouse. What a click has released is gone when the mouse leaves. */
async function checkHover(t, page, map, name, run, row) {
	const { left, top, height } = await box(page);
	const long = row.end_ns - row.start_ns;
	const view = await show(page, run, row.start_ns - 2 * long, row.end_ns + 2 * long);
	const x = pixel(map, view, row.start_ns + long / 2);
	const items = await under(page, column(x, height));
	const y =
		items.findIndex((item) => fits(item, 'block', row, ['task', 'seq', 'block', 'start_ns'])) / 2;
	await page.mouse.move(left + x, top + y + 0.25);
	await page
		.waitForFunction(() => document.querySelector('#hover').offsetHeight > 0, {
			timeout: 3000,
			polling: 20,
		})
		.catch(() => {});
	const text = await page.$eval('#hover', (hover) => (hover.offsetHeight > 0 ? hover.innerText : ''));
	t.ok(
		text.includes(row.task) &&
			text.includes(String(row.block)) &&
			text.includes(String(row.threads)),
		`${name}: the block under the mouse is told`,
		text,
		row,
	);
	await page.mouse.move(2, 2);
	await settled(page);
	t.ok(
		await page.$eval('#hover', (hover) => hover.offsetHeight === 0),
		`${name}: and no longer when the mouse has gone`,
	);
}

/* some(rows, n): of those with something on both sides. */
async function checkDrawn(t, page, map, name, run, { segments, blocks, jobs }, some) {
	const names = ['task', 'seq', 'segment', 'start_ns', 'end_ns'];
	for (const resource of ['cpu', 'copy', 'gpu']) {
		const rows = some(
			segments.filter((row) => row.resource === resource),
			4,
		);
		await checkPlaces(t, page, map, `${name}, ${resource}`, run, 'segment', rows, names);
	}
	await checkPlaces(t, page, map, name, run, 'block', some(blocks, 12), [
		...names,
		'block',
		'sm',
		'threads',
	]);
	const whole = jobs.map((row) => ({ ...row, start_ns: row.release_ns, end_ns: row.finish_ns ?? 0 }));
	await checkPlaces(t, page, map, name, run, 'job', some(whole, 4), [
		'task',
		'seq',
		'release_ns',
		'deadline_ns',
		'finish_ns',
	]);
}

export async function checkGantt(t, { page }, { name, db }) {
	await tab(page, 'schedule');
	const run = (await rowsOf(db, 'SELECT max(run_id) AS run FROM segment_interval'))[0].run;
	const random = randomNumbers(7);
	const segments = await rowsOf(db, SEGMENTS, { run });
	const blocks = await rowsOf(db, BLOCKS, { run });
	const jobs = await rowsOf(db, JOBS, { run });
	const end = Math.max(...segments.map((row) => row.end_ns));
	const some = (rows, n) => {
		const inner = rows.filter(
			(row) =>
				row.end_ns > row.start_ns &&
				4 * row.start_ns > 3 * row.end_ns &&
				5 * row.end_ns - 4 * row.start_ns < end,
		);
		return [...Array(n).keys()].map(() => inner[Math.floor(random() * inner.length)]);
	};
	await page.$eval('#gantt', (gantt) => gantt.scrollIntoView({ block: 'center' }));
	await page.select('#run', String(run));
	await settled(page, (view) => view.run === run);
	await intervalsRead(page);
	const cpu = segments
		.filter((row) => row.resource === 'cpu')
		.reduce((a, b) => (b.end_ns - b.start_ns > a.end_ns - a.start_ns ? b : a));
	const map = await scale(page, run, cpu);
	t.ok(
		map.off < 1.5,
		`${name}: time is drawn to scale (from ${map.left.toFixed(1)}, ${map.width.toFixed(1)} wide)`,
		map,
	);
	await checkDrawn(t, page, map, name, run, { segments, blocks, jobs }, some);
	await checkMouse(t, page, map, name, run, end);
	await checkFingers(t, page, map, name, run, end);
	await checkKeys(t, page, name, run, end);
	await checkFull(t, page, name);
	await checkHover(t, page, map, name, run, some(blocks, 1)[0]);
}

/* In the page: all misses as nextMiss finds them, forwards and backwards. */
function missesInTurn(most) {
	const { gantt } = window.cegsim;
	while (gantt.nextMiss(-1));
	const forward = [],
		back = [];
	for (let miss = gantt.nextMiss(); miss && forward.length < most; miss = gantt.nextMiss()) forward.push(miss);
	for (let miss = gantt.nextMiss(-1); miss && back.length < most; miss = gantt.nextMiss(-1)) back.unshift(miss);
	return { forward, back };
}

async function checkMissButtons(t, page, name, [at, next]) {
	const holds = (view, miss) => view.from_ns <= miss.deadline_ns && view.to_ns >= miss.deadline_ns;
	await page.evaluate(() => {
		while (window.cegsim.gantt.nextMiss(-1));
	});
	const view = await settled(page);
	t.ok(holds(view, at), `${name}: the first is shown`, view, at);
	if (!next) return;
	await page.click('#next-miss');
	const second = await settled(page, (now) => now.from_ns !== view.from_ns);
	t.ok(holds(second, next), `${name}: the button shows the next`, second);
	await page.click('#previous-miss');
	const first = await settled(page, (now) => now.from_ns !== second.from_ns);
	t.ok(holds(first, at), `${name}: and the other one goes back`, first);
}

/*
 * The buttons, the keys and nextMiss go through all misses of the run in order of their deadlines, and
 * stop at the ends.
 */
export async function checkMisses(t, { page }, { name, db }) {
	await tab(page, 'schedule');
	const [{ run_id: run, misses }] = await rowsOf(
		db,
		'SELECT run_id, misses FROM run WHERE run_id IN (SELECT run_id FROM job) ORDER BY misses DESC, run_id',
	);
	const rows = await rowsOf(
		db,
		`SELECT t.name AS task, j.seq, j.abs_deadline_ns AS deadline_ns FROM job j JOIN task t USING (task_id)
		WHERE j.run_id = :run AND j.missed ORDER BY j.abs_deadline_ns, t.task_idx, j.seq`,
		{ run },
	);
	const expected = rows.map((row) => ({ run, ...row }));
	await show(page, run, 0, 1000);
	const seen = await page.evaluate(missesInTurn, 3 * misses + 10);
	// One of the two begins on a miss, so it goes through the others.
	t.is(
		seen.forward,
		expected.slice(expected.length - seen.forward.length),
		`${name}: ${misses} misses in order`,
	);
	t.is(seen.back, expected.slice(0, seen.back.length), `${name}: and back`);
	t.ok(Math.min(seen.forward.length, seen.back.length) >= misses - 1, `${name}: none is left out`, [
		seen.forward.length,
		seen.back.length,
	]);
	if (misses) await checkMissButtons(t, page, name, expected);
}
