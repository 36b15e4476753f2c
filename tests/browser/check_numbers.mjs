/*
 * check_numbers.mjs - every named query gives the same in the page as in `cegsim query`: columns, rows,
 * order.
 *
 * Numbers are equal as doubles. The page has its own version of SQLite, which may add in another order: a
 * real number may differ by 1e-12 of its value. The number of such differences is printed.
 */
import { inPairs, queryNames, rowsOf } from './recordings.mjs';

const SLACK = 1e-12;
const SLOW_MS = 5000; // without an index on the right table, some take half a minute

/* 0: the same, 1: the same except for rounding, 2: different */
function distance(got, expected) {
	if (got === expected) return 0;
	if (typeof got !== 'number' || typeof expected !== 'number') return 2;
	if (Number.isInteger(got) && Number.isInteger(expected)) return 2;
	return Math.abs(got - expected) <= SLACK * Math.max(Math.abs(got), Math.abs(expected)) ? 1 : 2;
}

/* What differs between an answer of the page and the rows of `cegsim query`; "" if nothing does. */
export function difference({ columns, rows }, expected, rounded = { cells: 0 }) {
	if (rows.length !== expected.length) return `${rows.length} rows instead of ${expected.length}`;
	for (const [index, row] of expected.entries()) {
		const names = Object.keys(row);
		if (names.join() !== columns.join()) return `columns ${columns} instead of ${names}`;
		for (const [column, name] of names.entries()) {
			const far = distance(rows[index][column], row[name]);
			rounded.cells += far === 1;
			if (far === 2)
				return `row ${index}, ${name}: ${JSON.stringify(rows[index][column])} instead of ${JSON.stringify(row[name])}`;
		}
	}
	return '';
}

/* In the page: the answers to all of `asked`, or why there is none. */
function answers(asked) {
	return asked.map(({ name, params }) => {
		try {
			const began = performance.now();
			const { columns, rows } = window.cegsim.named(name, params);
			return { columns, rows, ms: performance.now() - began };
		} catch (error) {
			return { error: String(error) };
		}
	});
}

export async function checkNumbers(t, { page }, { name, db }) {
	const asked = (await queryNames()).map((query) => ({ name: query, params: {} }));
	asked.push({ name: 'response', params: { run: 1 } }, { name: 'overview', params: { limit: 2 } });
	const expected = await inPairs(asked, ({ name: query, params }) =>
		rowsOf(db, `@${query}`, params).catch((error) => ({ error: String(error.stderr || error) })),
	);
	const got = await page.evaluate(answers, asked);
	const rounded = { cells: 0 };
	const wrong = [];
	let rows = 0;
	asked.forEach(({ name: query, params }, index) => {
		const both = [got[index], expected[index]];
		let what = '';
		if (both[1].error || both[0].error) {
			if (!both[0].error !== !both[1].error)
				what = `an error on one side: ${both[0].error ?? both[1].error}`;
		} else {
			what = difference(both[0], both[1], rounded);
			rows += both[1].length;
		}
		if (what) wrong.push(`@${query} ${JSON.stringify(params)}: ${what}`);
	});
	t.ok(
		wrong.length === 0 && asked.length > 40 && rows > 0,
		`${name}: all ${asked.length} named queries give what cegsim query gives (${rows} rows)`,
		...wrong.slice(0, 8),
	);
	const slow = got.map(({ ms }, index) => [ms, asked[index].name]).filter(([ms]) => ms > SLOW_MS);
	t.ok(slow.length === 0, `${name}: none takes more than ${SLOW_MS / 1000} s`, slow);
	if (rounded.cells)
		t.note(
			`${rounded.cells} real numbers differ in their last digits (less than ${SLACK} of them)`,
		);
}
