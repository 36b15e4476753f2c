/*
 * check_charts.mjs - the charts have a mark for each row that SQL returns, with the right numbers in its
 * text.
 */
import { tab, tabs } from './browser.mjs';
import { rowsOf } from './recordings.mjs';
import { shows } from './check_tables.mjs';

const ACCEPTANCE = {
	run: 'SELECT policy AS who, policy, params, target_utilisation, k, n, ratio, lower95, upper95 FROM v_acceptance',
	analysis: `SELECT analysis AS who, policy, params, target_utilisation, k, n, ratio, lower95, upper95
		FROM v_analysis_acceptance`,
};

/* In the page: the points of #acceptance by series, and how many lines and bands it has. */
function seenAcceptance() {
	const svg = document.querySelector('#acceptance figure > svg, #acceptance svg[class^="plot"]');
	const groups = (label) => [...svg.querySelectorAll(`g[aria-label="${label}"]`)];
	return {
		lines: groups('line').length,
		areas: groups('area').filter((group) => !group.hasAttribute('aria-description')).length,
		keys: [...document.querySelectorAll('#acceptance .legend button')].map((key) =>
			key.innerText.trim(),
		),
		series: groups('dot').map((group) =>
			[...group.children].map((mark) => {
				const place = mark.transform.baseVal.consolidate()?.matrix ?? { e: 0, f: 0 };
				const circle =
					mark.tagName === 'circle'
						? [mark.cx.baseVal.value, mark.cy.baseVal.value]
						: [0, 0];
				return {
					text: mark.querySelector('title').textContent,
					x: circle[0] + place.e,
					y: circle[1] + place.f,
				};
			}),
		),
	};
}

/* A point's text: "NAME\nutilisation 40%: 3 of 5\n23.1 % to 88.2 %". */
function read(text) {
	const [, who = '?', utilisation, accepted, sets, lower, upper, gap] =
		text.match(/^(.*)\nutilisation ([\d.]+%?): (\d+) of (\d+)\n(.*) to (\S+ %)(?:\n(.*))?$/) ?? [];
	const ratio = parseFloat(utilisation) / (utilisation?.endsWith('%') ? 100 : 1);
	return { who, utilisation: ratio, accepted: Number(accepted), sets: Number(sets), lower, upper, gap };
}

/* How the line is called that a row is on. */
function isOf(who, row) {
	if (row.kind === 'run') return who.startsWith(row.who) && !/, proved/.test(who);
	return who.startsWith(row.who === row.policy ? `${row.who}, proved` : `${row.policy}, proved by ${row.who}`);
}

function comparePoints(t, name, seen, rows) {
	const wrong = [];
	const left = new Set(rows);
	for (const series of seen.series) {
		for (const point of series) {
			const said = read(point.text);
			const row = [...left].find(
				(row) =>
					isOf(said.who, row) &&
					row.k === said.accepted &&
					row.n === said.sets &&
					Math.abs(row.target_utilisation - said.utilisation) < 1e-9,
			);
			if (!row || !shows(said.lower, row.lower95) || !shows(said.upper, row.upper95))
				wrong.push(point.text);
			left.delete(row);
		}
	}
	t.ok(
		wrong.length === 0 && left.size === 0,
		`${name}: a point for each row of SQL, with its numbers`,
		wrong,
		[...left],
	);

	// All points lie on two straight lines: from utilisation to x, and from ratio to y.
	const points = seen.series.flat().map((point) => ({ ...point, ...read(point.text) }));
	const off = (value, place) => {
		const low = points.reduce((a, b) => (value(a) <= value(b) ? a : b));
		const high = points.reduce((a, b) => (value(a) >= value(b) ? a : b));
		return Math.max(
			...points.map((point) =>
				Math.abs(
					point[place] -
						low[place] -
						((value(point) - value(low)) /
							(value(high) - value(low) || 1)) *
							(high[place] - low[place]),
				),
			),
		);
	};
	const worst = [
		off((point) => point.utilisation, 'x'),
		off((point) => point.accepted / point.sets, 'y'),
	];
	t.ok(Math.max(...worst) < 0.5, `${name}: and each at its place`, worst);
}

/* Chooses the value in the control of the chart that has it; false: none has. */
export function chooseIn(page, chart, value) {
	return page.evaluate(
		(chart, value) => {
			const select = [...document.querySelectorAll(`#${chart}-controls select`)].find(
				(select) => [...select.options].some((option) => option.value === value),
			);
			if (!select) return false;
			select.value = value;
			select.dispatchEvent(new Event('input', { bubbles: true }));
			select.dispatchEvent(new Event('change', { bubbles: true }));
			return true;
		},
		chart,
		value,
	);
}

export async function checkAcceptance(t, { page }, { name, db }) {
	await tab(page, 'acceptance');
	await page.waitForSelector('#acceptance svg');
	const all = [];
	for (const kind of ['run', 'analysis'])
		all.push(...(await rowsOf(db, ACCEPTANCE[kind])).map((row) => ({ ...row, kind })));
	await checkGaps(t, page, name, all);
	for (const kind of ['both', 'run', 'analysis']) {
		await chooseIn(page, 'acceptance', kind);
		const rows = all.filter((row) => kind === 'both' || row.kind === kind);
		const series = new Set(rows.map(({ kind, who, policy, params }) => [kind, who, policy, params].join())).size;
		const seen = await page.evaluate(seenAcceptance);
		t.is(
			[seen.series.length, seen.lines, seen.areas, seen.keys.length],
			[series, series, series, series],
			`${name}: acceptance of each line (${kind}): points, line, band, key`,
		);
		t.is(
			seen.series.map((points) => points.length).reduce((a, b) => a + b, 0),
			rows.length,
			`${name}: and so many points as rows`,
		);
		comparePoints(t, `${name}, ${kind}`, seen, rows);
	}
	await checkContrast(t, page, name);
}

/* Runs and analyses are in one chart at first: in the colour of their policy, with the gap between them. */
async function checkGaps(t, page, name, rows) {
	const seen = await page.evaluate(seenAcceptance);
	const runs = rows.filter((row) => row.kind === 'run');
	const wrong = [];
	let gaps = 0;
	for (const said of seen.series.flat().map((point) => read(point.text))) {
		const row = rows.find((one) => one.kind === 'analysis' && isOf(said.who, one));
		const run =
			row && runs.find((one) => one.policy === row.policy && one.target_utilisation === said.utilisation);
		if (!run !== !said.gap) wrong.push(said);
		if (!run || !said.gap) continue;
		gaps++;
		const points = 100 * (run.ratio - said.accepted / said.sets);
		const told = /^as many/.test(said.gap) ? 0 : parseFloat(said.gap) * (/fewer/.test(said.gap) ? 1 : -1);
		if (Math.abs(told - points) > 0.051) wrong.push({ said, points });
	}
	t.ok(gaps >= 8 && !wrong.length, `${name}: ${gaps} gaps between runs and proofs, in points`, wrong.slice(0, 4));
	const colours = await page.evaluate(() => {
		const found = {};
		for (const key of document.querySelectorAll('#acceptance .legend button'))
			found[key.innerText.trim()] = key.querySelector('line').getAttribute('stroke');
		return found;
	});
	t.ok(
		colours.rtgpu && colours.rtgpu === colours['rtgpu, proved'] && colours.rtgpu !== colours.stgm,
		`${name}: an analysis has the colour of its policy`,
		colours,
	);
	const areas = await page.$$eval('#acceptance svg g[aria-label="area"][aria-description="gap"] path', (groups) => groups.length);
	t.ok(areas >= 2, `${name}: and the gap is shaded`, areas);
}

/* In the page: contrast of the text of an element against what is behind it (WCAG). */
function contrast(selector) {
	const node = document.querySelector(selector);
	const channels = (text) => text.match(/[\d.]+/g).map(Number);
	const light = (rgb) => {
		const [r, g, b] = rgb
			.slice(0, 3)
			.map((part) => part / 255)
			.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	let alpha = 1,
		back = null;
	for (let at = node; at; at = at.parentElement) {
		const style = getComputedStyle(at);
		alpha *= Number(style.opacity);
		const [r, g, b, a = 1] = channels(style.backgroundColor);
		if (!back && a > 0) back = [r, g, b];
	}
	const ink = channels(getComputedStyle(node).color).map((part, i) => part * alpha + (1 - alpha) * (back[i] ?? 0));
	const [high, low] = [light(ink), light(back)].sort((a, b) => b - a);
	return (high + 0.05) / (low + 0.05);
}

/* What is grey can be read: a line that is off, a button that does nothing now; light and dark. */
async function checkContrast(t, page, name) {
	const toggle = () => page.$eval('#acceptance .legend button', (button) => button.click());
	await toggle();
	for (const scheme of ['light', 'dark']) {
		await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
		const found = {};
		for (const selector of ["#acceptance .key[aria-pressed='false']", '#answer-csv', '.tabs button', '.lead'])
			found[selector] = await page.evaluate(contrast, selector);
		t.ok(
			Object.values(found).every((ratio) => ratio >= 3),
			`${name}: greyed labels have a contrast of at least 3:1 (${scheme})`,
			found,
		);
	}
	await page.emulateMediaFeatures([]);
	await toggle();
}

/* Without a campaign there is no tab for it. */
export async function checkNoAcceptance(t, { page }, { name }) {
	const seen = await tabs(page);
	t.ok(seen.length > 1 && !seen.includes('acceptance'), `${name}: no tab for acceptance`, seen);
}

/* In the page: the texts of the boxes, the number of curves, and whether they are monotone. */
function seenResponses() {
	const curves = [
		...document.querySelectorAll('#responses-cdf svg[class^="plot"] g[aria-label="line"] path'),
	];
	return {
		curves: curves.length,
		falling: curves.filter((curve) => {
			const heights = [...Array(50).keys()].map(
				(step) => curve.getPointAtLength((curve.getTotalLength() * step) / 49).y,
			);
			return heights.some((height, step) => step > 0 && height > heights[step - 1] + 0.01);
		}).length,
		boxes: [...document.querySelectorAll('#responses-box g[aria-label="bar"] title')].map(
			(title) => title.textContent,
		),
	};
}

const BOX =
	/^(.*), (.*): ([\d\s\u2009\u202f\u00a0]+) responses?\nleast (.*), quartiles (.*), (.*), (.*), worst (.*)$/;

/* Responses relative to deadlines of a task under a policy, sorted; none if jobs are not recorded. */
async function normalised(db) {
	const jobs = new Map();
	for (const { who, value } of await rowsOf(
		db,
		`SELECT policy || task AS who, response_ms / (SELECT deadline_ns / 1e6 FROM task t
		WHERE t.task_id = v_job.task_id) AS value FROM v_job WHERE response_ms IS NOT NULL ORDER BY 1, 2`,
	))
		jobs.set(who, [...(jobs.get(who) ?? []), value]);
	return jobs;
}

/* A quartile lies between the two neighbouring values, whatever definition of a quantile is used. */
function quartiles(values, texts) {
	return texts.every((text, index) => {
		const place = ((index + 1) / 4) * values.length;
		const low = values[Math.max(0, Math.floor(place) - 1)];
		const high = values[Math.min(values.length - 1, Math.ceil(place))];
		const value = Number(text);
		return value >= low * (1 - 1e-3) && value <= high * (1 + 1e-3);
	});
}

/* A curve for each policy; for each task under each policy a box with its numbers. */
export async function checkResponses(t, { page }, { name, db }) {
	await tab(page, 'responses');
	await page.waitForSelector('#responses-box svg');
	const rows = await rowsOf(
		db,
		`SELECT policy, params, task, sum(responses) AS n, min(min_ms / relative_deadline_ms) AS least,
		max(max_ms / relative_deadline_ms) AS worst
		FROM v_task_response WHERE max_ms IS NOT NULL GROUP BY policy, params, task`,
	);
	const policies = new Set(rows.map(({ policy, params }) => policy + params)).size;
	const tasks = new Set(rows.map(({ task }) => task)).size;
	const sets = (await rowsOf(db, 'SELECT count(*) AS n FROM taskset'))[0].n;
	if (sets > 1)
		await page.evaluate(() => {
			const all = [...document.querySelectorAll('#responses-controls option')].find(
				(option) => /^all .*sets/.test(option.text),
			);
			all.parentElement.value = all.value;
			all.parentElement.dispatchEvent(new Event('change', { bubbles: true }));
		});
	const seen = await page.evaluate(seenResponses);
	t.is(
		[seen.curves, seen.falling],
		[policies > 1 ? policies : tasks, 0],
		`${name}: a curve for each policy, or task of the only one`,
	);
	const jobs = await normalised(db);
	const left = new Set(rows);
	const wrong = seen.boxes.filter((text) => {
		const [, who, task, n, least, ...rest] = text.match(BOX) ?? [];
		const row = [...left].find(
			(row) =>
				who?.startsWith(row.policy) &&
				row.task === task &&
				shows(n.trim(), row.n) &&
				Math.abs(least / row.least - 1) < 1e-3 &&
				Math.abs(rest[3] / row.worst - 1) < 1e-3,
		);
		left.delete(row);
		const values = row && jobs.get(row.policy + task);
		const rising = [least, ...rest]
			.map(Number)
			.every((value, index, all) => index === 0 || value >= all[index - 1]);
		return !row || !rising || (values?.length === row.n && !quartiles(values, rest.slice(0, 3)));
	});
	t.ok(
		wrong.length === 0 && left.size === 0,
		`${name}: a box for each task under each policy, with its numbers`,
		wrong,
		[...left],
	);
}
