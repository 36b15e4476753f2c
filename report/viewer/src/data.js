/*
 * data.js - the recording: from base64 in the page to an open SQLite database, and questions to it.
 *
 * The chunks are decoded and inflated while the browser still reads the page; each script element goes as
 * soon as it is read.
 */
import initSqlJs from 'sql.js';
import { lacking } from './levels.js';
import { bound, exactRow, guard } from './statement.js';
import wasm from '../node_modules/sql.js/dist/sql-wasm-browser.wasm';

const INDEXED_MOST = 200000; /* rows of a table that gets its index */
const INDEXES = {
	job: 'run_id',
	segment_interval: 'run_id, start_ns',
	block_interval: 'run_id, start_ns',
	decision: 'run_id',
	power_interval: 'run_id, start_ns',
	measured: 'run_id',
};
const WAITS = ['job', 'segment_interval', 'block_interval']; /* that v_wait reads */

/* Beside its first index: v_measured asks for the intervals of a job. */
const BY_JOB = 'CREATE INDEX IF NOT EXISTS segment_interval_job ON segment_interval (run_id, task_id, seq)';

const index = (table) => `CREATE INDEX IF NOT EXISTS ${table}_run ON ${table} (${INDEXES[table]})`;

export const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

/* Resolves once the screen shows what was said so far: before work that takes long. */
export const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));

export function readMeta() {
	const element = document.getElementById('cegsim-meta');
	if (!element)
		throw new Error('The page holds no recording: it is the template that cegsim view fills.');
	const meta = JSON.parse(element.textContent);
	if (meta.format !== 1)
		throw new Error(`The page says format ${meta.format}; this reader knows format 1.`);
	return meta;
}

function decode(text) {
	if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
	const binary = atob(text);
	const bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
	return bytes;
}

/* A script element is complete when something follows it or the page is read to its end. */
async function* chunks() {
	for (;;) {
		const complete = document.readyState !== 'loading';
		const waiting = document.querySelectorAll('script.cegsim-data');
		for (let i = 0; i < waiting.length - (complete ? 0 : 1); i++) {
			const text = waiting[i].textContent;
			waiting[i].remove();
			yield decode(text.trim());
		}
		if (complete) return;
		await pause();
	}
}

/* An SQLite file says in its first page how long it is. */
function fileBytes(head) {
	const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
	const page = view.getUint16(16);
	return (page === 1 ? 65536 : page) * view.getUint32(28);
}

async function inflate(progress) {
	const stream = new DecompressionStream('gzip');
	const writer = stream.writable.getWriter();
	const feed = (async () => {
		for await (const bytes of chunks()) {
			await writer.write(bytes);
		}
		await writer.close();
	})();
	feed.catch((error) => writer.abort(error).catch(() => {}));
	const reader = stream.readable.getReader();
	let file = null,
		filled = 0,
		shown = 0;
	for (;;) {
		const { value, done } = await reader.read();
		if (done) break;
		if (!file) file = new Uint8Array(fileBytes(value));
		if (filled + value.length > file.length)
			throw new Error('more bytes than the recording says');
		file.set(value, filled);
		filled += value.length;
		if (performance.now() - shown > 40) {
			shown = performance.now();
			progress(filled / file.length);
			await pause();
		}
	}
	await feed;
	if (!file || filled !== file.length)
		throw new Error(`${filled} of ${file?.length ?? 'unknown'} bytes`);
	return file;
}

/* "3" is a whole number, "0.5" a real one, anything else a text, nothing at all NULL: as cegsim query reads it. */
export function paramValue(text) {
	if (text === null || text === undefined || text === '') return null;
	if (typeof text !== 'string') return text;
	return /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
}

/* Rows as objects. */
export const objects = ({ columns, rows }) =>
	rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));

export class Recording {
	/* indexed: the tables that have their index. */
	constructor(db, meta, indexed) {
		this.db = db;
		this.meta = meta;
		this.indexed = indexed;
	}

	/* The bytes of the recording, with the indexes made here. (SQLite closes it for that, and opens it again.) */
	copy() {
		const file = this.db.export();
		guard(this.db);
		return file;
	}

	/* The first statement of the text; throws what SQLite says of it. */
	prepare(sql, params = {}) {
		const statement = this.db.prepare(sql);
		statement.bind(bound(params));
		return statement;
	}

	query(sql, params = {}) {
		const statement = this.prepare(sql, params);
		try {
			const rows = [];
			while (statement.step()) rows.push(exactRow(statement));
			return { columns: statement.getColumnNames(), rows };
		} finally {
			statement.free();
		}
	}

	/* For bulk: calls back with each row as an array of plain numbers. */
	each(sql, params, callback) {
		const statement = this.prepare(sql, params);
		try {
			while (statement.step()) callback(statement.get());
		} finally {
			statement.free();
		}
	}

	find(name) {
		const found = this.meta.queries.find((query) => query.name === name);
		if (!found) throw new Error(`no query is named ${name}`);
		return found;
	}

	named(name, params = {}) {
		const query = this.find(name);
		const values = {};
		for (const param of query.params)
			values[param.name] =
				param.name in params ? params[param.name] : paramValue(param.fallback);
		const lack = query.level && lacking(this, `@${name}`, query.level, values, false);
		if (lack?.empty) throw new Error(lack.sentence);
		return this.query(query.sql, values);
	}

	namedRecords(name, params) {
		return objects(this.named(name, params));
	}

	/* v_wait asks for the intervals of a run from an instant on. In a large recording these indexes are made when it is asked. */
	waitsIndexed() {
		return WAITS.every((table) => this.indexed.has(table));
	}

	indexWaits() {
		this.db.run('PRAGMA query_only = OFF');
		for (const table of WAITS) {
			this.db.run(index(table));
			this.indexed.add(table);
		}
		guard(this.db);
	}

	/* For the page's own small questions. */
	records(sql, params = {}) {
		return objects(this.query(sql, params));
	}

	value(sql, params = {}) {
		const { rows } = this.query(sql, params);
		return rows.length > 0 ? rows[0][0] : null;
	}
}

/*
 * The page carries no index of the large tables. The indexes of a recording are made here, where that takes no time.
 * (Without an index of power_interval v_decision would take minutes: that one is made at any size.) Gives the tables that
 * need no more.
 */
function addIndexes(db, meta) {
	const indexed = new Set();
	for (const table of Object.keys(INDEXES)) {
		const rows = meta.tables[table]?.kept ?? 0;
		const needed = table === 'power_interval' && meta.tables.decision?.kept > 0;
		if (rows > INDEXED_MOST && !needed) continue;
		if (rows > 0) db.run(index(table));
		if (table === 'segment_interval' && meta.tables.measured) db.run(BY_JOB);
		indexed.add(table);
	}
	return indexed;
}

export async function openRecording(meta, progress) {
	const engine = initSqlJs({ wasmBinary: wasm });
	const file = await inflate(progress).catch((error) => {
		throw new Error(
			'It is not whole: it ends before the recording does, or was changed on its way. Get it again, ' +
				`or make it again with cegsim view.\n(${error.message ?? error})`,
		);
	});
	const { Database } = await engine;
	const db = new Database(file);
	const indexed = addIndexes(db, meta);
	guard(db);
	return new Recording(db, meta, indexed);
}
