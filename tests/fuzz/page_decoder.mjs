/*
 * page_decoder.mjs - damages the data of a page of `cegsim view`, and gives it to the decoder that the page uses
 * (report/viewer/src/data.js), for some seconds. Whatever was done to it: the decoder gives the bytes of the recording, or
 * says that the page is not whole; at once, and never other bytes.
 *
 *     CEGSIM=build/cli/cegsim node tests/fuzz/page_decoder.mjs [SECONDS [SEED]]
 *
 * SQLite, the engine behind the decoder, is left out: its place has what keeps the bytes.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { register } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Tap, randomNumbers } from '../browser/tap.mjs';

const PATIENCE_MS = 60000; /* for one page: no machine is so slow */
const SOURCES = join(dirname(fileURLToPath(import.meta.url)), '../..');
const PROGRAM = process.env.CEGSIM ?? join(SOURCES, 'build/cli/cegsim');
const seconds = Number(process.argv[2] ?? 20);
const seed = Number(process.argv[3] ?? 1);

/* data.js as it is, without the two modules that a bundler puts into the page. */
register(
	'data:text/javascript,' +
		encodeURIComponent(`
	const engine = 'data:text/javascript,' + encodeURIComponent(
		'export default async () => ({ Database: class { constructor(file) { this.file = file; } run() {} } });');
	export async function resolve(name, context, next) {
		if (name === 'sql.js' || name.endsWith('.wasm')) return { url: engine, format: 'module', shortCircuit: true };
		return next(name, context);
	}
	export async function load(url, context, next) {
		return next(url, url.includes('/viewer/src/') ? { ...context, format: 'module' } : context);
	}`),
);
const { openRecording, readMeta } = await import('../../report/viewer/src/data.js');

/* ---- the page ---- */

function makePage() {
	const folder = mkdtempSync(join(tmpdir(), 'cegsim-decoder-'));
	try {
		const db = join(folder, 'page.db'),
			html = join(folder, 'page.html');
		const scenario = join(SOURCES, 'scenarios/examples/two-streams.yaml');
		execFileSync(PROGRAM, ['run', scenario, '-o', db, '--record', 'blocks']);
		execFileSync(PROGRAM, ['view', db, '-o', html]);
		const text = readFileSync(html, 'utf8');
		const inside = (start) => text.slice(text.lastIndexOf(start) + start.length).split('</script>')[0];
		return { meta: inside('id="cegsim-meta">'), data: inside('class="cegsim-data">').trim() };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

const page = makePage();

/* The first pages of its file, with a length that fits: many more cases in the same time. */
const bytes = gunzipSync(Buffer.from(page.data, 'base64')).subarray(0, 4 * 16384);
label(bytes, 16384, 4);
const packed = gzipSync(bytes);
const whole = { meta: page.meta, data: packed.toString('base64') };

/* The length that SQLite's first page says. */
function label(file, size, pages) {
	file.writeUInt16BE(size, 16);
	file.writeUInt32BE(pages, 28);
	return file;
}

/* What the decoder asks of a document. */
function pageOf(meta, pieces) {
	const elements = pieces.map((textContent) => ({
		textContent,
		remove() {
			elements.splice(elements.indexOf(this), 1);
		},
	}));
	globalThis.document = {
		readyState: 'complete',
		getElementById: () => (meta === null ? null : { textContent: meta }),
		querySelectorAll: () => [...elements],
	};
}

/* ---- damage ---- */

const random = randomNumbers(seed);
const below = (n) => Math.floor(random() * n);
const base64 = (buffer) => buffer.toString('base64');
const cut = (text, at) => [text.slice(0, at), text.slice(at)];
const changed = (buffer, times) => {
	const copy = Buffer.from(buffer);
	for (let i = 0; i < times; i++) copy[below(copy.length)] = below(256);
	return copy;
};
/* Often near the beginning, where the heads of gzip and SQLite are. */
const place = (length) => (random() < 0.5 ? below(Math.min(64, length)) : below(length));

/* Each gives the pieces of a page; and the bytes that it may give besides those of the recording; and its description. */
const DAMAGE = {
	'no data': () => [[]],
	'pieces in another order': () => [cut(whole.data, 4 * (1 + below(whole.data.length / 4 - 1))).reverse()],
	'a piece twice': () => {
		const [a, b] = cut(whole.data, 4 * (1 + below(whole.data.length / 4 - 1)));
		return [[a, a, b]];
	},
	'an end missing': () => [[whole.data.slice(0, place(whole.data.length))]],
	'a beginning missing': () => [[whole.data.slice(1 + place(whole.data.length - 1))]],
	'a character': () => {
		const [a, b] = cut(whole.data, place(whole.data.length - 1));
		return [[a + String.fromCharCode(1 + below(300)) + b.slice(below(2))]];
	},
	'bytes of the stream': () => [[base64(changed(packed, 1 + below(4)))]],
	'a byte of a head': () => {
		const copy = Buffer.from(packed);
		copy[place(copy.length)] ^= 1 << below(8);
		return [[base64(copy)]];
	},
	'more behind it': () => [[base64(Buffer.concat([packed, changed(packed.subarray(0, 40), 4)]))]],
	'the stream twice': () => [[base64(Buffer.concat([packed, packed]))]],
	'another file': () => {
		const other = changed(bytes, 1 + below(20));
		return [[base64(gzipSync(other, { level: 1 }))], other];
	},
	'a file that is cut': () => [[base64(gzipSync(bytes.subarray(0, place(bytes.length)), { level: 1 }))]],
	'another length': () => {
		const other = label(Buffer.from(bytes), below(65536), Math.floor(2 ** (32 * random())) % 2 ** 32);
		return [[base64(gzipSync(other, { level: 1 }))], other];
	},
	'an odd description': () => [[whole.data], null, whole.meta.slice(0, below(whole.meta.length))],
	'no description': () => [[whole.data], null, null],
};

/* { file } or { error }. */
async function open(pieces, meta) {
	let timer;
	const late = new Promise((resolve) => {
		timer = setTimeout(() => resolve({ late: true }), PATIENCE_MS);
	});
	pageOf(meta, pieces);
	const opened = (async () => openRecording(readMeta(), () => {}))().then(
		(recording) => ({ file: recording.db.file }),
		(error) => ({ error }),
	);
	const answer = await Promise.race([opened, late]);
	clearTimeout(timer);
	return answer;
}

/* "": as it should be. */
async function judge([pieces, other, meta = whole.meta]) {
	const { file, error, late } = await open(pieces, meta);
	if (late) return 'it hangs';
	if (error) {
		if (!(error instanceof Error) || !error.message) return `it fails without a message: ${error}`;
		return meta === whole.meta && !error.message.startsWith('It is not whole') ? `it says: ${error.message}` : '';
	}
	if (meta !== whole.meta) return 'it takes a page without its description';
	const same = (expected) => expected && Buffer.compare(Buffer.from(file), expected) === 0;
	return same(bytes) || same(other) ? '' : 'it gives other bytes';
}

const t = new Tap();
const sound = async (pieces, expected, name) => {
	const { file, error } = await open(pieces, whole.meta);
	t.ok(file && Buffer.compare(Buffer.from(file), expected) === 0, `${name} is read`, error?.message);
};
await sound([page.data], gunzipSync(Buffer.from(page.data, 'base64')), 'the page that cegsim made');
await sound([whole.data], bytes, 'a smaller one');
await sound(['', ...cut(whole.data, 4 * below(whole.data.length / 4)), ''], bytes, 'one in pieces');
const names = Object.keys(DAMAGE);
const wrong = new Map(names.map((name) => [name, []]));
const counts = new Map(names.map((name) => [name, 0]));
const end = performance.now() + 1000 * seconds;
for (let i = 0; i < names.length || performance.now() < end; i++) {
	const name = names[i % names.length];
	const said = await judge(DAMAGE[name]());
	counts.set(name, counts.get(name) + 1);
	if (said) wrong.get(name).push(`case ${i} of seed ${seed}: ${said}`);
}
for (const name of names)
	t.ok(wrong.get(name).length === 0, `${name}: refused, or the recording (${counts.get(name)} cases)`, ...wrong.get(name).slice(0, 3));
await sound([whole.data], bytes, 'the smaller one, after them all,');
t.finish();
process.exit();
