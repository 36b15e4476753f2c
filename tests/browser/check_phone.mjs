/* check_phone.mjs - on a phone what was tapped is in a sheet at the bottom; its handle opens and closes it. */
import { open, tab } from './browser.mjs';
import { box, column, intervalsRead, settled, show, under } from './gantt_map.mjs';
import { quiet } from './check_load.mjs';
import { rowsOf } from './recordings.mjs';

const sheet = (page) =>
	page.evaluate(() => {
		const { top, bottom, left, width } = document.querySelector('#sheet').getBoundingClientRect();
		return {
			top,
			bottom,
			left,
			width,
			body: document.querySelector('#sheet-body').offsetHeight,
			text: document.querySelector('#sheet').innerText,
			hover: document.querySelector('#hover').offsetHeight,
			expanded: document.querySelector('#sheet-handle').getAttribute('aria-expanded'),
		};
	});

/* Pulls the handle by so many pixels. */
async function pull(page, by) {
	const { x, y } = await page.$eval('#sheet-handle', (handle) => {
		const rect = handle.getBoundingClientRect();
		return { x: rect.left + rect.width / 2, y: rect.top + 12 };
	});
	await page.touchscreen.touchStart(x, y);
	await page.touchscreen.touchMove(x, y + by / 2);
	await page.touchscreen.touchMove(x, y + by);
	await page.touchscreen.touchEnd();
	await settled(page);
}

export async function checkPhone(t, _, { name, db, html }, started) {
	const opened = await open(started, html, { width: 390, height: 844, phone: true });
	const { page } = opened;
	await tab(page, 'schedule');
	await intervalsRead(page);
	await settled(page);
	const closed = await sheet(page);
	t.ok(
		closed.bottom <= 845 && closed.bottom >= 843 && closed.left === 0 && closed.width === 390 && closed.body === 0,
		`${name}: a closed sheet is at the bottom`,
		closed,
	);
	const [row] = await rowsOf(
		db,
		`SELECT i.run_id, t.name AS task, i.seq, i.start_ns, i.end_ns FROM segment_interval i JOIN task t USING (task_id)
		WHERE i.resource = 'gpu' AND i.kind = 'run' ORDER BY i.end_ns - i.start_ns DESC LIMIT 1`,
	);
	const middle = (row.start_ns + row.end_ns) / 2,
		long = row.end_ns - row.start_ns;
	await show(page, row.run_id, middle - long, middle + long);
	await page.$eval('#gantt', (gantt) => gantt.scrollIntoView({ block: 'start' }));
	await page.evaluate(() => scrollBy(0, -60));
	const { left, top, width, height } = await box(page);
	const x = 84 + (width - 90) / 2;
	const items = await under(page, column(x, height));
	const y = items.findIndex((item) => item?.lane === 'GPU' && item.seq === row.seq) / 2 + 1;
	await page.touchscreen.tap(left + x, top + y);
	await settled(page);
	const up = await sheet(page);
	t.ok(
		up.body > 100 && up.expanded === 'true' && up.top >= 844 * 0.36 && up.bottom <= 845 && up.hover === 0,
		`${name}: a tap opens it, and it leaves room for the schedule`,
		up,
	);
	t.ok(
		up.text.includes(`${row.task}, job`) && /took/.test(up.text) && /CPU/.test(up.text) && /Copy/.test(up.text),
		`${name}: with what was tapped, and who runs and waits then`,
		up.text,
	);
	await pull(page, 120);
	t.is((await sheet(page)).body, 0, `${name}: pulled down it is closed`);
	await pull(page, -120);
	t.ok((await sheet(page)).body > 100, `${name}: pulled up it is open`);
	await page.tap('#sheet-handle');
	/* The click comes some time behind the finger. */
	await page
		.waitForFunction(() => document.querySelector('#sheet-handle').ariaExpanded === 'false', { timeout: 3000 })
		.catch(() => {});
	t.is((await sheet(page)).expanded, 'false', `${name}: and a tap on its handle closes it`);
	const small = await page.$$eval('button, select', (controls) =>
		controls.filter((one) => one.offsetHeight > 0 && one.offsetHeight < 24).map((one) => one.textContent),
	);
	t.is(small, [], `${name}: nothing to tap is lower than 24 pixels`);
	quiet(t, opened, `${name}, on a phone`);
	await page.close();
}
