/* check_access.mjs - the page can be used without a mouse, read by a screen reader, and read on a narrow screen. */
import { tab, tabs } from './browser.mjs';
import { box, settled } from './gantt_map.mjs';

const NEED_NAME = new Set([
	'button',
	'combobox',
	'textbox',
	'searchbox',
	'checkbox',
	'radio',
	'slider',
	'spinbutton',
	'link',
	'image',
	'application',
	'Canvas',
	'progressbar',
	'dialog',
	'navigation',
]);

/* Nodes of the accessibility tree that should have a name and have none. */
async function nameless(page) {
	const client = await page.createCDPSession();
	const { nodes } = await client.send('Accessibility.getFullAXTree');
	await client.detach();
	const controls = nodes.filter(({ ignored, role }) => !ignored && NEED_NAME.has(role?.value));
	return {
		controls: controls.length,
		wrong: controls
			.filter(({ name }) => !name?.value?.trim())
			.map(({ role, backendDOMNodeId }) => [role.value, backendDOMNodeId]),
	};
}

/* Tab goes from the top of the page to these, in this order. */
const ORDER = {
	sql: ['queries', 'sql', 'schema-filter'],
	schedule: ['run', 'gantt-full', 'gantt'],
};

export async function checkAccess(t, { page }, { name }) {
	let all = 0;
	for (const one of await tabs(page)) {
		await tab(page, one);
		await settled(page);
		const { controls, wrong } = await nameless(page);
		all += controls;
		t.ok(!wrong.length, `${name}, ${one}: all ${controls} controls have a name`, wrong);
		const levels = await page.$$eval('h1, h2, h3, h4, h5, h6', (headings) =>
			headings
				.filter((heading) => heading.offsetHeight)
				.map((heading) => Number(heading.tagName[1])),
		);
		t.ok(
			levels[0] === 1 && levels.every((level, index) => !index || level <= levels[index - 1] + 1),
			`${name}, ${one}: headings leave no level out`,
			levels,
		);
	}
	t.ok(all > 40, `${name}: and there are many`, all);
	for (const [one, wanted] of Object.entries(ORDER)) await tabOrder(t, page, name, one, wanted);
}

async function tabOrder(t, page, name, one, wanted) {
	await tab(page, one);
	await page.evaluate(() => {
		document.activeElement.blur();
		window.scrollTo(0, 0);
	});
	const order = [];
	for (let presses = 0; presses < 250; presses++) {
		await page.keyboard.press('Tab');
		const { id, ring } = await page.evaluate(() => {
			const now = document.activeElement;
			const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(now);
			return {
				id: now.id,
				ring:
					(outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) ||
					boxShadow !== 'none',
			};
		});
		order.push(id);
		if (id === wanted.at(-1)) {
			t.ok(ring, `${name}, ${one}: what has the keys can be seen`);
			break;
		}
	}
	const places = wanted.map((id) => order.indexOf(id));
	t.ok(
		places.every((place, index) => place >= 0 && (!index || place > places[index - 1])),
		`${name}, ${one}: Tab gets to everything, in order`,
		order,
	);
}

/* On a narrow screen nothing makes the page wider than the screen, and the schedule fits. */
export async function checkNarrow(t, { page }, { name }) {
	for (const [wide, high] of [
		[800, 900],
		[390, 844],
	]) {
		await page.setViewport({ width: wide, height: high });
		for (const one of await tabs(page)) {
			await tab(page, one);
			await settled(page);
			const sizes = await page.evaluate(() => ({
				page: document.documentElement.scrollWidth,
				body: document.body.scrollWidth,
			}));
			const { left, width } = await box(page);
			t.ok(
				sizes.page <= wide && sizes.body <= wide && left >= 0 && left + width <= wide,
				`${name}, ${one}: fits ${wide} pixels`,
				sizes,
				{ left, width },
			);
		}
	}
	await page.setViewport({ width: 1280, height: 900 });
}

/* On a laptop the controls of the schedule are one row, however long names of runs are. */
export async function checkToolbar(t, { page }, { name }) {
	await page.setViewport({ width: 1280, height: 800 });
	await tab(page, 'schedule');
	await settled(page);
	const tops = await page.$$eval('#gantt-controls > *', (nodes) =>
		nodes.filter((node) => node.offsetHeight > 0).map((node) => node.getBoundingClientRect()).map(({ top, bottom }) => Math.round((top + bottom) / 2)),
	);
	t.ok(Math.max(...tops) - Math.min(...tops) < 12, `${name}: the schedule's controls are one row`, tops);
}
