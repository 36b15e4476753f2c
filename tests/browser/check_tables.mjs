/*
 * check_tables.mjs - the two tables at the top show the results of SQL; every cell agrees in all digits
 * that are shown.
 */
import { rowsOf } from './recordings.mjs';

const SUMMARY = {
	run: 'run_id',
	policy: 'policy',
	options: 'params',
	taskset: 'taskset',
	platform: 'platform',
	status: 'status',
	jobs: 'jobs',
	misses: 'misses',
	schedulable: 'schedulable',
	'end (ms)': 'stop_ms',
	'energy (J)': 'energy_j',
	reason: 'reason',
	'same as': 'same_as',
};
const POLICIES = {
	policy: 'policy',
	options: 'params',
	runs: 'runs',
	schedulable: 'ratio',
	jobs: 'jobs',
	misses: 'misses',
	'miss ratio': 'miss_ratio',
	'worst ÷ deadline': 'worst',
	'energy (J)': 'energy_j',
	'power (W)': 'power_w',
	'idle SMs': 'idle',
};
/* The worst response includes what a job that never ended is known to have exceeded, as in @compare. */
const POLICIES_SQL = `WITH
compared AS (
	SELECT run_id, nullif(max(max(coalesce(max_ms, 0), coalesce(lower_bound_ms, 0)) / relative_deadline_ms), 0) AS worst
	FROM v_task_response GROUP BY run_id)
SELECT r.policy, r.params, count(*) AS runs, count(DISTINCT r.taskset_id) AS sets, 1.0 * sum(r.schedulable) / count(*) AS ratio,
	sum(r.schedulable) AS good, sum(r.jobs) AS jobs, sum(r.misses) AS misses,
	1.0 * sum(r.misses) / nullif(sum(r.jobs), 0) AS miss_ratio,
	max(w.worst) AS worst, avg(e.energy_j) AS energy_j, avg(e.mean_power_w) AS power_w,
	avg(e.idle_sm_share) AS idle
FROM v_run r LEFT JOIN v_energy e USING (run_id)
	LEFT JOIN compared w USING (run_id)
WHERE r.status <> 'error' GROUP BY r.policy, r.params`;

/* In the page: what a reader sees of a table. */
export function seenTable(selector) {
	const table = document.querySelector(selector);
	const texts = (row) => [...row.cells].map((cell) => cell.innerText.trim());
	return { header: texts(table.tHead.rows[0]), rows: [...table.tBodies[0].rows].map(texts) };
}

const plain = (text) => text.replace(/[\s\u2009\u202f\u00a0]/g, '').replace('−', '-');

/* Does the text in a cell show `value`, as far as its digits go? */
export function shows(text, value) {
	if (value === null || value === undefined) return text === '–' || text === 'NULL';
	if (typeof value === 'string') {
		if (value === '{}') return text === '–';
		if (!value.startsWith('{')) return text === value;
		const words = Object.entries(JSON.parse(value)).map(
			([key, option]) =>
				`${key}=${typeof option === 'string' ? option : JSON.stringify(option)}`,
		);
		return plain(text) === plain(words.join(' '));
	}
	if (text === 'yes' || text === 'no') return (text === 'yes') === (value === 1);
	const match = plain(text).match(/^(-?\d+(?:\.(\d+))?)(?:e([+-]?\d+))?(%?)$/);
	if (!match) return false;
	const exponent = Number(match[3] ?? 0) - (match[4] ? 2 : 0);
	const unit = 10 ** (exponent - (match[2]?.length ?? 0));
	const off = Math.abs(Number(match[1]) * 10 ** exponent - value);
	if (Number.isInteger(value) && !match[4] && value < 1e6) return off === 0;
	return (
		off <= 0.5001 * unit &&
		(off <= 0.005 * Math.abs(value) || (match[4] && unit < 0.0011) || off < 1e-12)
	);
}

/* Compares the table with rows of SQL; skips columns without a name in `names`. */
function compareTable(t, name, table, names, expected) {
	const wrong = [];
	for (const [index, row] of table.rows.entries())
		for (const [column, header] of table.header.entries())
			if (names[header] && !shows(row[column], expected[index][names[header]]))
				wrong.push(
					`row ${index}, ${header}: "${row[column]}" for ${expected[index][names[header]]}`,
				);
	t.ok(
		wrong.length === 0 && table.rows.length > 0,
		`${name} shows what SQL says, ${table.rows.length} rows`,
		...wrong.slice(0, 6),
	);
}

/* The ends of Wilson's interval at 95 %. */
function wilson(good, n) {
	const z = 1.959963984540054;
	const middle = (good + (z * z) / 2) / (n + z * z);
	const half = (z * Math.sqrt((good * (n - good)) / n + (z * z) / 4)) / (n + z * z);
	return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

function checkIntervals(t, name, rows, column, expected) {
	const wrong = rows.filter((row, index) => {
		const ends = row[column].split(' to ');
		const { good, runs, sets } = expected[index]; // runs of one set with other draws are not independent
		return !wilson((good * sets) / runs, sets).every((end, side) => shows(ends[side], end));
	});
	t.ok(wrong.length === 0, `${name}: and Wilson's intervals`, wrong);
}

/* Of several runs a column must tell them apart, but for their names; of one it must say something. */
const NAMES = new Set(['run_id', 'policy']);
const OF_DEADLINES = new Set(['misses', 'schedulable']);

function says(rows, name, deadlines) {
	if (OF_DEADLINES.has(name) && !deadlines) return false;
	if (NAMES.has(name)) return true;
	const values = new Set(rows.map((row) => row[name]));
	return values.size > 1 || (rows.length === 1 && !values.has(null) && !values.has('{}'));
}

/* What all runs have in common is a sentence. */
async function checkCommon(t, page, name, overview, deadlines) {
	const lead = await page.$eval('#runs-lead', (lead) => lead.textContent);
	const said = Object.values(SUMMARY).filter(
		(column) =>
			!NAMES.has(column) &&
			overview.length > 1 &&
			new Set(overview.map((row) => row[column])).size === 1 &&
			overview[0][column] !== null &&
			overview[0][column] !== '{}' &&
			(deadlines || !OF_DEADLINES.has(column)),
	);
	const count = lead.includes('The same of all: ') ? lead.split('The same of all: ')[1].split(', ').length : 0;
	t.ok(count >= said.length && (said.length > 0 || count === 0), `${name}: what runs have in common is said once`, lead, said);
}

/* Names of policies are ASCII: every way to compare them gives this order or its reverse. */
async function checkSorting(t, page, name, place) {
	await page.evaluate(() =>
		[...document.querySelectorAll('#summary thead button')]
			.find((button) => button.innerText.trim() === 'policy')
			.click(),
	);
	const sorted = (await page.evaluate(seenTable, '#summary')).rows.map((row) => row[place]);
	const ascending = [...sorted].sort();
	t.ok(
		sorted.join() === ascending.join() || sorted.join() === ascending.reverse().join(),
		`${name}: a click on a header sorts`,
		sorted.slice(0, 20),
	);
}

export async function checkTables(t, { page }, { name, db }) {
	const overview = await rowsOf(db, '@overview');
	const summary = await page.evaluate(seenTable, '#summary');
	const all = overview.length <= 200;
	t.ok(
		summary.rows.length === Math.min(overview.length, 200),
		`${name}: a row for each run`,
		summary.rows.length,
	);
	const [{ deadlines }] = await rowsOf(db, 'SELECT count(deadline_ns) > 0 AS deadlines FROM task');
	const wanted = Object.keys(SUMMARY).filter((header) => says(overview, SUMMARY[header], deadlines));
	t.is(summary.header, wanted, `${name}: #summary has the columns in which runs differ, or that say something of one`);
	compareTable(t, `${name}: #summary`, summary, SUMMARY, overview);
	await checkCommon(t, page, name, overview, deadlines);
	if (!all) {
		const more = await page.$eval('#summary-more', (more) => more.textContent);
		t.ok(
			plain(more).includes(String(overview.length)),
			`${name}: it says that there are more`,
			more,
		);
	}

	const groups = await rowsOf(db, POLICIES_SQL);
	const policies = await page.evaluate(seenTable, '#policies');
	const at = (header) => policies.header.indexOf(header);
	const expected = policies.rows.map(
		(row) =>
			groups.find(
				(group) =>
					group.policy === row[at('policy')] &&
					(at('options') < 0 || shows(row[at('options')], group.params)),
			) ?? {},
	);
	t.is(new Set(expected).size, groups.length, `${name}: a row for each policy with its options`);
	compareTable(t, `${name}: #policies`, policies, POLICIES, expected);
	const judged = ['schedulable', '95 % interval', 'misses', 'miss ratio'].filter((header) => at(header) >= 0);
	const several = groups.some(({ runs }) => runs > 1); // of one run there is no interval
	t.is(judged.length, deadlines ? 3 + several : 0, `${name}: what is about deadlines is there only with deadlines`);
	if (deadlines && several) checkIntervals(t, name, policies.rows, at('95 % interval'), expected);
	await checkSorting(t, page, name, summary.header.indexOf('policy'));
}
