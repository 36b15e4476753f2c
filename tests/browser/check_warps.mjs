/* check_warps.mjs - the charts of warps: each instruction, epoch and share has its mark, as SQL says. */
import { tab } from './browser.mjs';
import { settled } from './gantt_map.mjs';
import { rowsOf } from './recordings.mjs';

const ISSUES = `SELECT t.name AS kernel, i.seq, i.block, i.warp, i.number, i.cycle, i.result_cycle AS until, i.threads
FROM warp_issue i JOIN task t USING (task_id)
WHERE i.run_id = :run AND i.sm = :sm AND i.sub_core = :core AND i.cycle >= :from AND i.cycle < :to
ORDER BY i.task_id, i.seq, i.block, i.warp, i.cycle`;

/* In the page: the instructions with their places, and where nobody is issued. */
function seenStrip() {
	const [svg] = document.querySelectorAll('#warps-charts figure > svg');
	const marks = (name) => [...svg.querySelectorAll(`g[aria-description="${name}"] rect`)];
	const place = (rect) => [rect.x.baseVal.value, rect.width.baseVal.value];
	return {
		issued: marks('instructions').map((rect) => ({ text: rect.querySelector('title').textContent, place: place(rect) })),
		nobody: marks('nobody').map(place),
		rows: svg.querySelectorAll('g[aria-label="y-axis tick label"] text').length,
	};
}

async function checkStrip(t, page, name, db, { run, sm, core, from, to }) {
	const rows = await rowsOf(db, ISSUES, { run, sm, core, from, to });
	const seen = await page.evaluate(seenStrip);
	const texts = rows.map(
		(row) =>
			`${row.kernel}, job ${row.seq}, block ${row.block}, warp ${row.warp}; instruction ${row.number}; ` +
			`${row.threads} threads; cycle ${row.cycle}${row.until === null ? '' : `, result at ${row.until}`}`,
	);
	const told = seen.issued.map(({ text }) => {
		const [who, what, when] = text.split('\n');
		return `${who}; ${what.split(':')[0]}; ${what.split(', ').at(-1)}; ${when}`;
	});
	const at = `${name}, run ${run}, SM ${sm}, sub-core ${core}, cycles ${from} to ${to}`;
	t.ok(rows.length > 1, `${at}: ${rows.length} instructions`);
	t.is(told, texts, `${at}: each has its box, with its numbers`);
	/* A cycle has a width, and a place: boxes and grey stretches fill all of it. */
	const cycle = seen.issued[0].place[1];
	const zero = seen.issued[0].place[0] - (rows[0].cycle - from) * cycle;
	const off = rows.map((row, i) => Math.abs(seen.issued[i].place[0] - zero - (row.cycle - from) * cycle));
	t.ok(Math.max(...off) < 0.05 * cycle, `${at}: and its place`, off);
	const busy = new Set(rows.map((row) => row.cycle)).size;
	const grey = seen.nobody.reduce((sum, [, width]) => sum + width, 0) / cycle;
	t.near(grey, to - from - busy, 0.1, `${at}: the cycles in which nobody is issued are grey`);
}

const click = (page, selector) => page.$eval(selector, (button) => button.click());

async function checkEpochs(t, page, name, db, run) {
	const rows = await rowsOf(db, 'SELECT kernel, epoch, ipc, goal_ipc FROM v_epoch WHERE run_id = :run', { run });
	const seen = await page.evaluate(() => {
		const [, svg] = document.querySelectorAll('#warps-charts figure > svg');
		const lines = (column) => [...svg.querySelectorAll(`g[aria-description="${column}"] line`)];
		return { texts: lines('ipc').map((one) => one.querySelector('title').textContent), goals: lines('goal_ipc').length };
	});
	const wrong = rows.filter(({ kernel, epoch, ipc, goal_ipc: goal }) => {
		const text = seen.texts.find((one) => one.startsWith(`${kernel}, epoch ${epoch}\n`)) ?? '';
		const [, got, wanted] = text.match(/IPC ([\d.]+)(?:, goal ([\d.]+))?/) ?? [];
		const near = (a, b) => Math.abs(Number(a) - b) <= 1e-3 * Math.abs(b);
		return !near(got, ipc) || (goal === null ? wanted !== undefined : !near(wanted, goal));
	});
	t.ok(
		rows.length > 0 && seen.texts.length === rows.length && !wrong.length,
		`${name}, run ${run}: ${rows.length} epochs with their IPC and goal`,
		wrong,
		seen.texts,
	);
	t.is(seen.goals, rows.filter((row) => row.goal_ipc !== null).length, `${name}, run ${run}: and goals are lines`);
}

const REASONS = {
	issued: 'issued',
	'unit busy': 'unit',
	memory: 'memory',
	dependence: 'dependence',
	barrier: 'barrier',
	scheduler: 'scheduler',
	quota: 'quota',
	swap: 'swap',
	ending: 'ending',
	'no warp': 'empty',
};

async function checkStalls(t, page, name, db) {
	const rows = await rowsOf(db, '@stalls');
	const texts = await page.$$eval('#warps-charts figure:last-of-type svg rect title', (titles) =>
		titles.map((title) => title.textContent),
	);
	const wrong = [];
	let marks = 0;
	for (const row of rows)
		for (const [label, column] of Object.entries(REASONS)) {
			const text = texts.find((one) => one.startsWith(`${row.run_id}: `) && one.includes(`\n${label}: `));
			if (row[column] > 0) marks++;
			const told = text ? Number.parseFloat(text.split(': ').at(-1)) / 100 : 0;
			if (Math.abs(told - row[column]) > 0.0006) wrong.push([row.run_id, label, text, row[column]]);
		}
	t.ok(marks > 6 && marks === texts.length && !wrong.length, `${name}: ${marks} shares of cycles`, wrong.slice(0, 4));
}

export async function checkWarps(t, { page }, { name, db }) {
	await tab(page, 'warps');
	await page.waitForSelector('#warps-charts svg');
	await settled(page);
	await checkStrip(t, page, name, db, { run: 1, sm: 0, core: 0, from: 0, to: 120 });
	await click(page, '#warps-later');
	await click(page, '#warps-later');
	await checkStrip(t, page, name, db, { run: 1, sm: 0, core: 0, from: 240, to: 360 });
	const choose = (label, value) =>
		page.evaluate(
			(label, value) => {
				const select = [...document.querySelectorAll('#warps-controls label')]
					.find((one) => one.textContent.startsWith(label))
					.querySelector('select');
				select.value = value;
				select.dispatchEvent(new Event('change'));
			},
			label,
			value,
		);
	await choose('Run', '2');
	await choose('Sub-core', '1 2');
	await choose('Cycles', '300');
	await checkStrip(t, page, name, db, { run: 2, sm: 1, core: 2, from: 0, to: 300 });
	await checkEpochs(t, page, name, db, 2);
	await checkStalls(t, page, name, db);
}

/* In the page: what is written in each chart and whether it is inside, and the share of its width that bars have. */
function namesAndRoom() {
	const BARS = 'g[aria-description="shares"] rect, g[aria-description="nobody"] rect';
	return [...document.querySelectorAll('#warps-charts figure > svg')].map((svg) => {
		const box = svg.getBoundingClientRect();
		const texts = [...svg.querySelectorAll('text')].map((text) => {
			const { left, right } = text.getBoundingClientRect();
			const said = [...text.childNodes].filter((node) => node.tagName !== 'title');
			return {
				inside: left >= box.left - 1 && right <= box.right + 1,
				title: text.querySelector('title')?.textContent ?? '',
				text: said.map((node) => node.textContent).join(''),
			};
		});
		const bars = [...svg.querySelectorAll(BARS)].map((rect) => rect.getBoundingClientRect());
		const ends = [Math.min(...bars.map(({ left }) => left)), Math.max(...bars.map(({ right }) => right))];
		return { texts, plotted: bars.length > 0 ? (ends[1] - ends[0]) / box.width : 1 };
	});
}

/* Names beside and above the charts are whole, or the whole name is where the mouse is; the bars keep their room. */
export async function checkWarpNames(t, { page }, { name, db }) {
	const runs = await rowsOf(db, 'SELECT run_id FROM run ORDER BY run_id');
	await tab(page, 'warps');
	for (const width of [1280, 390]) {
		await page.setViewport({ width, height: 844 });
		await page.waitForFunction((width) => document.querySelector('#warps-charts svg').clientWidth <= width, {}, width);
		await settled(page);
		const seen = await page.evaluate(namesAndRoom);
		const texts = seen.flatMap((chart) => chart.texts);
		const cut = texts.filter(({ inside, title, text }) => !inside || (text.includes('…') && title.length <= text.length));
		t.is(cut, [], `${name}: at ${width} pixels no name is cut off`);
		const named = seen.at(-1).texts.filter(({ title }) => /^\d+: /.test(title));
		t.is(named.length, runs.length, `${name}: at ${width} pixels each run has its name above its bars`);
		const rooms = seen.map(({ plotted }) => plotted);
		t.ok(Math.min(...rooms) > 0.55, `${name}: at ${width} pixels names leave room`, rooms);
	}
	await page.setViewport({ width: 1280, height: 900 });
}
