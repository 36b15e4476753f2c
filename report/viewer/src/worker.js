/*
 * worker.js - answers the statements of the SQL box in a copy of the recording, beside the page: the page goes on,
 * whatever a statement costs. Nobody looks up from inside of SQLite, so Stop is the end of the worker.
 *
 * It is given { wasm, file } once, then { sql, params, keep } for each statement; it gives parts { columns, rows, count },
 * the last one with `done`, or { error, broken: whether it can answer no more }.
 */
import initSqlJs from 'sql.js';
import { bound, exactRow, guard } from './statement.js';

const PART_MS = 50;

let opened = null;

async function open({ wasm, file }) {
	const { Database } = await initSqlJs({ wasmBinary: wasm });
	return new Database(file);
}

/* Whether there is more than comments, semicolons and blanks. */
const hasStatement = (sql) => /[^\s;]/.test(sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ''));

/* The only statement of a text. */
function prepare(db, sql) {
	const statements = db.iterateStatements(sql);
	const { value: statement, done } = statements.next();
	if (done) throw new Error('There is no statement.');
	if (!hasStatement(statements.getRemainingSQL())) return statement;
	statement.free();
	throw new Error('One statement at a time: there is another one behind the first.');
}

function answer(db, { sql, params, keep }) {
	guard(db);
	const statement = prepare(db, sql);
	try {
		statement.bind(bound(params));
		let rows = [],
			count = 0,
			said = performance.now();
		const say = (done) => postMessage({ columns: statement.getColumnNames(), rows, count, done });
		while (statement.step()) {
			if (count++ < keep) rows.push(exactRow(statement));
			if (performance.now() - said < PART_MS) continue;
			say(false);
			rows = [];
			said = performance.now();
		}
		say(true);
	} finally {
		statement.free();
	}
}

addEventListener('message', async ({ data }) => {
	try {
		if (data.file) opened = open(data);
		else answer(await opened, data);
	} catch (error) {
		postMessage({
			error: String(error.message ?? error),
			broken: error instanceof WebAssembly.RuntimeError || error instanceof RangeError,
		});
	}
});
