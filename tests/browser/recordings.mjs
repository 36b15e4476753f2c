/*
 * recordings.mjs - the recordings for the pages of the test, and the answers of `cegsim query` with which
 * the pages are compared.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const SOURCES = join(dirname(fileURLToPath(import.meta.url)), '../..');
const PROGRAM = process.env.CEGSIM ?? join(SOURCES, 'build/cli/cegsim');
const run = promisify(execFile);

/*
 * Names that would end an element, a string, or a statement if they were not escaped. Tasks that are
 * preempted, that miss, that wait for each other; kernels that overlap; 27,000 blocks in each run.
 */
const ODD = `cegsim: 1
name: "Zürich's </script><!--<script> \\"quoted\\""
time_unit: ms
horizon: 200ms
seed: 3
release: {sporadic: {max_delay: 10%}}
execution: uniform
platform:
  gpu: {sms: 4, threads_per_sm: 2048, blocks_per_sm: 32}
  copy: {engines: unlimited, bandwidth: 10GB/s, latency: 10us}
  power: {static: 5W, idle_per_sm: 100mW}
tasks:
  - name: "Kurs'ß"
    period: 9
    segments:
      - {cpu: [0.4, 0.8]}
      - {copy: to_gpu, bytes: 100kB}
      - {kernel: {grid: 1200, block: 64, block_time: [0.03, 0.05], power: 100mW}}
      - {copy: to_cpu, bytes: 10kB}
  - name: </script><b>&amp;
    period: 20
    deadline: 5.2
    segments:
      - {cpu: [2, 3.5]}
      - {copy: to_gpu, bytes: 1MB}
      - {kernel: {grid: 64, block: 384, block_time: [1, 2], power: 200mW}}
  - name: "\\"日本\\" ; DROP"
    period: 30
    segments:
      - {cpu: [3, 5]}
policies: [fifo-cke, rm]
`;

/* Jobs that spin while they have the GPU: what spins is no part of a segment. */
const BUSY = ODD.replace('horizon: 200ms', 'horizon: 60ms').replace('[fifo-cke, rm]', '[{name: mpcp, wait: busy}, rm]');

/* More blocks than are drawn one by one. */
const MANY = `cegsim: 1
name: many
time_unit: ms
horizon: 100ms
seed: 5
execution: uniform
platform: {gpu: {sms: 6, threads_per_sm: 2048, blocks_per_sm: 32}, copy: {engines: 2, bandwidth: 10GB/s}}
tasks:
  - name: tiny
    period: 5
    segments:
      - {cpu: [0.4, 0.8]}
      - {copy: to_gpu, bytes: 100kB}
      - {kernel: {grid: 5500, block: 64, block_time: [0.03, 0.05]}}
  - name: large
    period: 20
    deadline: 9
    segments:
      - {cpu: [2, 3.5]}
      - {kernel: {grid: 64, block: 384, block_time: [1, 2]}}
policies: [rm]
`;

/* So many SMs that they are one lane. */
const WIDE = `cegsim: 1
name: wide
time_unit: ms
horizon: 60ms
seed: 6
execution: uniform
platform: {preset: h100-sxm, copy: {engines: 2, bandwidth: 10GB/s}}
tasks:
  - {name: one, period: 5, segments: [{cpu: [0.4, 0.8]}, {kernel: {grid: 900, block: 128, block_time: [0.5, 0.9]}}]}
  - {name: two, period: 20, segments: [{cpu: [2, 3.5]}, {kernel: {grid: 300, block: 384, block_time: [1, 2]}}]}
  - {name: three, period: 12, segments: [{cpu: 1}, {kernel: {grid: 60, block: 1024, block_time: [2, 3]}}]}
policies: [fifo-cke, rm]
`;

/* Overheads that are as long as what they are for, and waiting that holds the core. */
const COSTLY = `cegsim: 1
name: costly
time_unit: ms
horizon: 96
platform:
  gpu: {sms: 2, threads_per_sm: 1024}
  copy: {engines: 1}
  overheads: {launch: 0.4, latency: 0.1, gap: 0.1, sync: 0.2, switch: 0.3, release: 0.5}
tasks:
  - {name: fast, period: 16, segments: [{cpu: 1}, {copy: to_gpu, time: 0.5}, {kernel: {grid: 3, block: 512, block_time: 0.5}}]}
  - {name: slow, period: 32, segments: [{cpu: 2}, {kernel: {grid: 2, block: 768, block_time: 1}}, {cpu: 1}]}
policies: [fifo-cke, {name: mpcp, wait: busy}]
`;

/* As many tasks as the replay of a profile has operations: each of one job, on one of three streams. */
const FAMILIES = `cegsim: 1
name: families
time_unit: us
horizon: 200ms
platform: {gpu: {sms: 4, threads_per_sm: 2048, blocks_per_sm: 32}, copy: {engines: 1, bandwidth: 10GB/s}}
tasks:
${[...Array(240).keys()]
	.map((i) => `  - {name: "stream ${7 + (i % 3)} #${1 + i}", period: 900000, deadline: 1000, offset: ${i * 800 + (i % 3) * 70}, segments: [{cpu: ${20 + (i % 5)}}, {kernel: {grid: 4, block: 64, block_time: ${90 + (i % 7) * 11}, stream: ${i % 3}}}]}`)
	.join('\n')}
policies: [fifo-cke]
`;

const CAMPAIGN = `cegsim-campaign: 1
seed: 11
sets: 5
replications: 2
generate: {recipe: rtgpu-table1, subtasks: 3, copies: two, utilisation: [40%, 120%, 180%, 250%]}
analyses: [rtgpu, stgm, self-suspension]
policies: [{name: rtgpu, admit: any}, {name: stgm, admit: any}, fifo-cke, rm, {name: rm, unit: kernel}]
run: {horizon: {periods: 5}, stop: horizon, execution: uniform}
`;

/* The same over two options, of which sets without a miss are verdicts alone. */
const VERDICTS = CAMPAIGN.replace('subtasks: 3', 'subtasks: [3, 5]').replace('sets: 5', 'sets: 6') + 'record: verdicts\nkeep: [miss]\n';

export async function cegsim(...words) {
	const { stdout } = await run(PROGRAM, words, { maxBuffer: 2 ** 30, encoding: 'utf8' });
	return stdout;
}

function parameters(params) {
	return Object.entries(params).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
}

/* JSON of `cegsim query`: whole numbers that a double does not hold become texts. */
function parsed(text) {
	return JSON.parse(
		text.replace(/": (-?\d{16,})(?=[,}])/g, (all, digits) =>
			Number.isSafeInteger(Number(digits)) ? all : `": "${digits}"`,
		),
	);
}

/* The rows of a statement or of a named query ("@NAME"), as objects. */
export async function rowsOf(file, statement, params = {}) {
	return parsed(await cegsim('query', file, statement, ...parameters(params), '--format', 'json'));
}

export async function valuesOf(file, statement, params = {}) {
	return (await rowsOf(file, statement, params)).map((row) => Object.values(row));
}

export async function queryNames() {
	const rows = JSON.parse(await cegsim('list', 'queries', '--format', 'json'));
	return [...new Set(rows.map((row) => row.query))];
}

/* Calls `body` for each item, two at a time; the results in order. */
export async function inPairs(items, body) {
	const results = [];
	let next = 0;
	const worker = async () => {
		while (next < items.length) {
			const index = next++;
			results[index] = await body(items[index], index);
		}
	};
	await Promise.all([worker(), worker()]);
	return results;
}

function shipped(path, change = (text) => text) {
	return change(readFileSync(join(SOURCES, 'scenarios', path), 'utf8'));
}

/* A warp recording with names that are longer than a phone has room for, and without deadlines. */
const longNames = (text) =>
	text
		.replace(/^horizon: .*/m, 'horizon: 2us')
		.replace(/^ *deadline: .*\n/m, '')
		.replace('name: filter', 'name: filter-of-the-lidar-points-behind-the-car')
		.replace(
			/^( *- \{name: gto, manager: rollover)(.*)$/m,
			'$1$2\n$1-time, epoch: 4000, blocks: fill, samples: 50, history: false, swap: free}',
		);

/*
 * As if a real machine had run the segments of run 1: some as simulated, some later, some earlier, for reasons; and one that
 * the simulation never began.
 */
const MEASURED = `INSERT INTO measured (run_id, task_id, seq, segment_idx, start_ns, end_ns, reason)
SELECT run_id, task_id, seq, segment_idx, max(0, start_ns + off), max(0, start_ns + off) + end_ns - start_ns,
	iif(off = 0, iif(k % 2, 'in_time', NULL), iif(k % 3, 'stream', 'no_room'))
FROM (SELECT *, k * 13 % 10 AS k, iif(k % 4 < 2, k % 2 * 12000, iif(k % 4 = 2, 150000 + 311 * k, -90000 - 173 * k)) AS off
	FROM (SELECT run_id, task_id, seq, segment_idx, min(start_ns) AS start_ns, max(end_ns) AS end_ns,
		task_id * 7 + seq * 5 + segment_idx AS k
		FROM segment_interval WHERE run_id = 1 AND kind = 'run' GROUP BY task_id, seq, segment_idx));
INSERT INTO measured SELECT 1, task_id, 999, 0, 59000000, 59500000, 'unexplained' FROM task WHERE task_idx = 2`;

const measure = (db) => run('sqlite3', [db, MEASURED]);

/* What was imported, on the board it was recorded on and on another one. */
export async function boards(folder, name) {
	const path = (end) => join(folder, end);
	const source = join(SOURCES, 'scenarios/examples/drive.sqlite');
	await cegsim('import', source, '--release', 'periodic', '-o', path('here.yaml'));
	await cegsim('import', source, '--release', 'periodic', '--platform', 'jetson-agx-xavier', '-o', path('xavier.yaml'));
	const policies = 'fifo-cke,prio-streams,fcfs,rm,edf';
	await cegsim('run', path('here.yaml'), path('xavier.yaml'), '-p', policies, '-o', path(`${name}.db`), '-q', '--record', 'segments');
}

/* The same as a campaign: sets of one name, each with a board of its own. */
async function boardsCampaign(folder, name) {
	const path = (end) => join(folder, end);
	const source = join(SOURCES, 'scenarios/examples/drive.sqlite');
	await cegsim('import', source, '--release', 'periodic', '-o', path('drive.yaml'));
	writeFileSync(
		path(`${name}.yaml`),
		`cegsim-campaign: 1
policies: [fifo-cke, prio-streams, fcfs, rm, edf]
record: segments
generate:
  recipe: scenario
  file: drive.yaml
  set:
    platform: [{preset: jetson-agx-xavier}, {preset: jetson-agx-orin}]
`,
	);
	await cegsim('sweep', path(`${name}.yaml`), '-o', path(`${name}.db`), '-q');
}

/*
 * What is made: {name, text of the scenario, options of run, or `sweep`, `then` what comes behind}, or {name, make}; pages: {name, of (the recording),
 * options of view}.
 */
const RECORDINGS = [
	{ name: 'quick', text: shipped('examples/quickstart.yaml'), options: ['--record', 'blocks'] },
	{ name: 'summary', text: shipped('examples/quickstart.yaml'), options: ['--record', 'summary'] },
	{
		name: 'policies',
		text: shipped('examples/policies.yaml', (text) =>
			text.replace(/^horizon: .*/m, 'horizon: 3s'),
		),
		options: [],
	},
	{
		name: 'warps',
		text: shipped('examples/warps.yaml', longNames),
		options: ['--record', 'issues'],
	},
	{ name: "odd ' name & ü", text: ODD, options: ['--record', 'blocks'] },
	{ name: 'many', text: MANY, options: ['--record', 'blocks'] },
	{ name: 'wide', text: WIDE, options: ['--record', 'blocks'] },
	{ name: 'costly', text: COSTLY, options: ['--record', 'blocks'] },
	{ name: 'chains', text: shipped('examples/chains.yaml'), options: ['--record', 'segments'] },
	{ name: 'campaign', text: CAMPAIGN, sweep: true },
	{ name: 'verdicts', text: VERDICTS, sweep: true },
	{ name: 'recorded', text: BUSY, options: ['--record', 'segments'], then: measure },
	{ name: 'families', text: FAMILIES, options: ['--record', 'segments'], then: measure },
	{ name: 'boards', make: boards },
	{ name: 'boards-campaign', make: boardsCampaign },
	{ name: 'contexts', text: shipped('papers/gcaps-slices.yaml'), options: [] },
	{ name: 'masks', text: shipped('papers/rtas23-greedy.yaml'), options: [] },
	{ name: 'flights', text: shipped('examples/two-streams.yaml'), options: [] },
	{ name: 'gpus', text: shipped('examples/two-gpus.yaml'), options: ['--record', 'segments'] },
];
const PAGES = [
	...RECORDINGS.map(({ name }) => ({ name, of: name, options: [] })),
	{ name: 'cut', of: 'many', options: ['--limit', '20000'] },
	{ name: 'few', of: 'quick', options: ['--limit', '40', '--title', 'a </script> "title"'] },
];

/* What `cegsim query` writes to standard error about an answer, without its own name at the front. */
export async function saidOf(db, question) {
	const { stderr } = await run(PROGRAM, ['query', db, question]).catch((error) => error);
	return stderr.trim().replace(/^cegsim: (error|note): /, '');
}

/* The arguments of `cegsim view` that make the page. */
export async function view(recording, page, ...options) {
	await cegsim('view', recording, '-o', page, '--force', '-q', ...options);
}

/* Makes all of it in `folder`. A Map from the page's name to {name, db, html, title}. */
export async function make(folder) {
	await inPairs(RECORDINGS, async ({ name, text, options, sweep, make: made, then }) => {
		if (made) return made(folder, name);
		const scenario = join(folder, `${name}.yaml`);
		writeFileSync(scenario, text);
		if (sweep) await cegsim('sweep', scenario, '-o', join(folder, `${name}.db`), '-q');
		else await cegsim('run', scenario, '-o', join(folder, `${name}.db`), '-q', ...options);
		if (then) await then(join(folder, `${name}.db`));
	});
	const pages = await inPairs(PAGES, async ({ name, of, options }) => {
		const page = { name, db: join(folder, `${of}.db`), html: join(folder, `${name}.html`) };
		const title = options.indexOf('--title');
		page.title = title < 0 ? `${of}.db` : options[title + 1];
		page.cut = options.length > 0;
		await view(page.db, page.html, ...options);
		return page;
	});
	return new Map(pages.map((page) => [page.name, page]));
}
