/*
 * check_console.mjs - the SQL box as a user has it: type, run, read, make mistakes, choose a named query,
 * copy the answer.
 */
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { tab } from './browser.mjs';
import { rowsOf, saidOf, valuesOf } from './recordings.mjs';
import { seenTable, shows } from './check_tables.mjs';

/* Waits until the box says or shows something else than `before`. */
async function answered(page, before) {
	await page.waitForFunction(
		(before) => {
			const now =
				document.querySelector('#answer').innerHTML +
				document.querySelector('#answer-status').textContent;
			return now !== before && !document.querySelector('#run-query').disabled;
		},
		{ timeout: 10000, polling: 20 },
		before,
	);
	await pause(50);
}

const answerNow = (page) =>
	page.evaluate(
		() =>
			document.querySelector('#answer').innerHTML +
			document.querySelector('#answer-status').textContent,
	);

async function type(page, sql) {
	await page.click('#sql', { count: 3 });
	await page.keyboard.down('Control');
	await page.keyboard.press('KeyA');
	await page.keyboard.up('Control');
	await page.keyboard.type(sql);
}

async function ask(page, sql, how = 'button') {
	await type(page, sql);
	const before = await answerNow(page);
	if (how === 'button') await page.click('#run-query');
	else {
		await page.keyboard.down('Control');
		await page.keyboard.press('Enter');
		await page.keyboard.up('Control');
	}
	await answered(page, before);
	return page.evaluate(seenTable, '#answer').catch(() => null);
}

/* Differences between what is shown and the rows of SQL; column names are those of SQL. */
function compareAnswer(t, name, seen, rows) {
	const columns = Object.keys(rows[0]);
	const wrong = rows.flatMap((row, index) =>
		columns
			.filter((column, place) => !shows(seen?.rows[index]?.[place] ?? '?', row[column]))
			.map((column) => [index, column, seen?.rows[index], row[column]]),
	);
	t.ok(
		seen?.rows.length === rows.length && seen.header.join() === columns.join() && !wrong.length,
		name,
		seen?.header,
		wrong[0],
	);
}

/* Lines of CSV (RFC 4180) as lists of texts. */
function csv(text) {
	const lines = [[]];
	for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
		lines[lines.length - 1].push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
		if (end === '') break;
		if (end !== ',') lines.push([]);
	}
	return lines.filter((line) => line.length > 1 || line[0] !== '');
}

async function downloaded(folder) {
	for (let tries = 0; tries < 100; tries++) {
		const name = readdirSync(folder).find((name) => name.endsWith('.csv'));
		if (name && existsSync(join(folder, name))) {
			const text = readFileSync(join(folder, name), 'utf8');
			if (text.length) {
				rmSync(join(folder, name));
				return text;
			}
		}
		await pause(50);
	}
	return '';
}

const LACKING = [
	'@misses',
	'@where-time-went',
	'@occupancy',
	'@issues',
	'@stalls',
	'SELECT * FROM segment_interval',
	'SELECT count(*) FROM v_job',
	'SELECT count(*), max(end_ns) FROM block_interval',
];

/* For a summary: if there can be no rows, the box says so in the words of `cegsim query`. */
export async function checkLevels(t, { page }, { name, db }) {
	await tab(page, 'sql');
	for (const question of LACKING) {
		const before = await answerNow(page);
		if (question.startsWith('@')) {
			await page.select('#queries', question.slice(1));
			await page.click('#run-query');
			await answered(page, before);
		} else {
			await page.select('#queries', '');
			await ask(page, question);
		}
		const wanted = await saidOf(db, question);
		const seen = await page.evaluate(() => [
			document.querySelector('#answer-status').textContent,
			document.querySelector('#answer').textContent,
		]);
		t.ok(wanted.length > 20 && seen[0].endsWith(wanted), `${name}: ${question}: ${wanted}`, seen);
		if (question.startsWith('@'))
			t.ok(seen[1].endsWith(wanted), `${name}: ${question}: in place of rows, too`, seen);
	}
}

async function checkStatements(t, page, name, db) {
	const runs =
		'SELECT run_id, policy, jobs, misses, stop_ms, energy_j, reason FROM v_run ORDER BY run_id DESC';
	compareAnswer(
		t,
		`${name}: a statement, typed and run`,
		await ask(page, runs),
		await rowsOf(db, runs),
	);
	const jobs =
		'SELECT task_id, seq, response_ms, missed FROM v_job ORDER BY run_id, task_id, seq LIMIT 25';
	compareAnswer(
		t,
		`${name}: and another, with Ctrl+Enter`,
		await ask(page, jobs, 'keys'),
		await rowsOf(db, jobs),
	);

	for (const [sql, said] of [
		['SELEC 1', /syntax error/],
		['SELECT nosuch FROM run', /no such column/],
		['DELETE FROM job', /./],
	]) {
		await ask(page, sql);
		const text = await page.$eval('#answer-status', (status) => status.textContent);
		t.ok(said.test(text) && text.length > 5, `${name}: "${sql}" is answered with: ${text}`);
	}
	t.is(
		await page.evaluate(() => window.cegsim.query('SELECT count(*) FROM job').rows),
		await valuesOf(db, 'SELECT count(*) FROM job'),
		`${name}: and nothing was deleted`,
	);
}

/* Named queries, with a parameter. */
async function checkNamed(t, page, name, db) {
	const names = await page.$$eval('#queries option', (options) =>
		options.map((option) => option.value),
	);
	const all = await page.evaluate(() => window.cegsim.meta.queries.map((query) => query.name));
	t.ok(
		all.every((query) => names.includes(query)),
		`${name}: all named queries can be chosen`,
		names,
	);
	await page.select('#queries', 'response');
	const filled = await page.$eval('#sql', (sql) => sql.value);
	t.ok(/FROM v_task_response/.test(filled), `${name}: one that is chosen can be read`, filled);
	const inputs = await page.$$('#params input');
	t.is(inputs.length, 2, `${name}: and its parameters are asked for`);
	await inputs[0].click();
	await page.keyboard.type('2');
	const before = await answerNow(page);
	await page.click('#run-query');
	await answered(page, before);
	const expected = await rowsOf(db, '@response', { run: 2 });
	compareAnswer(
		t,
		`${name}: a named query with a parameter`,
		await page.evaluate(seenTable, '#answer'),
		expected,
	);
}

/* The downloaded answer has all digits. */
async function checkCsv(t, page, name, db, downloads) {
	const odd = `SELECT task_id, name, 1.0 / 3 AS third, NULL AS unknown, 'a,"b"' || char(10) || 'c' AS odd FROM task`;
	await ask(page, odd);
	await page.click('#answer-csv');
	const text = await downloaded(downloads);
	const rows = await valuesOf(db, odd);
	t.is(
		csv(text),
		[
			['task_id', 'name', 'third', 'unknown', 'odd'],
			...rows.map((row) => row.map((value) => (value === null ? '' : String(value)))),
		],
		`${name}: the answer as CSV`,
	);
}

export async function checkConsole(t, { page }, { name, db }, { downloads }) {
	await tab(page, 'sql');
	await checkStatements(t, page, name, db);
	await checkNamed(t, page, name, db);
	await checkCsv(t, page, name, db, downloads);
	await ask(
		page,
		'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT i FROM n',
	);
	const more = await page.evaluate(() => [
		document.querySelector('#answer').rows.length,
		document.querySelector('#answer-status').innerText +
			document.querySelector('#answer-more').innerText,
	]);
	t.ok(
		more[0] > 100 && more[0] <= 3001 && /3.?000/.test(more[1]),
		`${name}: of many rows it shows some and says how many there are`,
		more,
	);
}
