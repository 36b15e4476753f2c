/*
 * store.js - a run for the schedule: its tasks, lanes, jobs, intervals, blocks and power, read once into typed arrays.
 * What is large is read a little at a time, so that the page goes on answering; until then there is the level of detail.
 */
import { pause } from '../data.js';
import { families } from '../names.js';
import { Detail } from './detail.js';
import { copyItem, Items, segmentKey } from './items.js';
import { measuredLanes, readMeasured, TOLERANCE } from './measured.js';
import { firstWhere } from './search.js';
import { stack } from './stack.js';

const CHUNK = 16384;

/* Work in slices of a few ms, so that the page answers meanwhile. */
class Slices {
	constructor(stopped) {
		this.stopped = stopped;
		this.since = performance.now();
	}

	async rest() {
		if (performance.now() - this.since < 12) return;
		await pause();
		if (this.stopped()) throw new Error('stopped');
		this.since = performance.now();
	}
}

export class RunStore {
	constructor(recording, run) {
		this.recording = recording;
		this.run = run;
		this.complete = false;
		this.loading = null;
		this.row = recording.records(
			`SELECT r.*, p.name AS policy, p.params, l.sms, l.name AS platform FROM run r JOIN policy p USING (policy_id)
			JOIN platform l USING (platform_id) WHERE r.run_id = :run`,
			{ run },
		)[0];
		if (!this.row) throw new Error(`There is no run ${run} in this page.`);
		this.tasks = recording.records(
			`SELECT task_id, task_idx, name, deadline_ns, period_ns FROM task WHERE taskset_id = :set ORDER BY task_idx`,
			{ set: this.row.taskset_id },
		);
		this.family = families(this.tasks.map(({ name }) => name));
		this.place = new Map(this.tasks.map((task, i) => [task.task_id, i]));
		this.segments = new Map(
			recording
				.records(`SELECT s.* FROM segment s JOIN task t USING (task_id) WHERE t.taskset_id = :set`, {
					set: this.row.taskset_id,
				})
				.map((one) => [segmentKey(this.place.get(one.task_id), 0, one.segment_idx), one]),
		);
		this.lanes = recording.records(
			'SELECT lane, kind, unit, name, capacity FROM view_lane WHERE run_id = :run ORDER BY lane',
			{ run },
		);
		for (const lane of this.lanes) {
			lane.items = null;
			lane.scale = lane.kind === 'sm' || lane.kind === 'pool' ? lane.capacity || 1 : 1;
			lane.blocks = lane.kind === 'sm' || lane.kind === 'pool';
			lane.table = lane.blocks ? 'block_interval' : 'segment_interval';
			lane.measured = null;
		}
		this.spans = Object.fromEntries(
			recording
				.records('SELECT * FROM view_span WHERE run_id = :run', { run })
				.map((span) => [span.tbl, span]),
		);
		this.detail = new Detail(recording, run, this.family.of);
		this.measured = null;
		this.tolerance = TOLERANCE;
		this.kernels = new Map();
		this.streams = this.lanes.some((lane) => lane.kind === 'stream');
		this.loadJobs();
		this.gpus = 1 + Math.max(0, ...this.lanes.filter((lane) => lane.kind === 'gpu').map((lane) => lane.unit));
		this.loadPower();
		this.end = this.lastInstant();
	}

	/* Which colour a task has: that of its family. */
	hue(task) {
		return this.family.of[task];
	}

	segmentOf(task, segment) {
		return this.segments.get(segmentKey(task, 0, segment));
	}

	/* As in v_segment. null: it has none; older recordings have no such column. */
	segmentName(task, segment) {
		return this.partName(task, segment) ?? this.segmentOf(task, segment)?.name ?? null;
	}

	/* "part 1" of an application; null: it is no part of one. */
	partName(task, segment) {
		const isPart = this.segmentOf(task, segment)?.form === 'warps' && this.segmentOf(task, 1);
		return isPart ? `part ${segment}` : null;
	}

	/* The number of a copy's or kernel's stream, of a task's own the place of the task; -2: the NULL stream; null: none. */
	streamOf(task, segment) {
		const stream = this.segmentOf(task, segment)?.stream ?? null;
		return stream === -1 ? this.tasks[task].task_idx : stream;
	}

	lastInstant() {
		const last = ['segment_interval', 'block_interval', 'measured'].map((table) =>
			this.spans[table]
				? this.recording.value(`SELECT end_ns FROM ${table} WHERE rowid = :row`, {
						row: this.spans[table].last_rowid,
					})
				: 0,
		);
		return Math.max(this.row.stop_ns ?? 0, this.jobs.last, ...last, 1);
	}

	/* The stretches of a table that are in the page; null: all of it. */
	windows(table) {
		const { meta } = this.recording;
		const own = meta.windows.filter(
			(window) => window.run === this.run && window.table === table,
		);
		if (own.length > 0)
			return merge(
				own
					.filter((window) => window.to_ns > window.from_ns)
					.map(({ from_ns, to_ns }) => [from_ns, to_ns]),
			);
		const count = meta.tables[table];
		return count && count.kept < count.rows && !this.spans[table] ? [] : null;
	}

	/* The stretches of a view that are not in the page: [[from, to], ...]. */
	missing(table, { from, to }) {
		const windows = this.windows(table);
		if (!windows) return [];
		const gaps = [];
		let at = from;
		for (const [begin, end] of windows) {
			if (begin > at) gaps.push([at, Math.min(begin, to)]);
			at = Math.max(at, end);
			if (at >= to) return gaps;
		}
		gaps.push([at, to]);
		return gaps;
	}

	loadJobs() {
		const rows = this.tasks.map(() => []);
		let last = 0;
		this.recording.each(
			`SELECT task_id, seq, release_ns, abs_deadline_ns, first_start_ns, finish_ns, outcome FROM job WHERE run_id = :run`,
			{ run: this.run },
			(row) => {
				rows[this.place.get(row[0])]?.push(row);
				last = Math.max(last, row[5] ?? row[2]);
			},
		);
		this.jobs = {
			last,
			count: rows.reduce((sum, list) => sum + list.length, 0),
			tasks: rows.map((list) => jobArrays(list, this.row.stop_ns, this.place)),
		};
		this.jobs.families = this.familiesOf(rows);
		this.misses = [];
		this.jobs.tasks.forEach((jobs, task) => {
			for (let i = 0; i < jobs.count; i++) {
				if (jobs.outcome[i] & 4)
					this.misses.push({
						task,
						seq: jobs.seq[i],
						deadline: jobs.deadline[i],
						release: jobs.release[i],
						finish: jobs.finish[i],
					});
			}
		});
		this.misses.sort((a, b) => a.deadline - b.deadline || a.task - b.task || a.seq - b.seq);
	}

	/* Jobs as strips have them: those of a family together, in order of release. */
	familiesOf(rows) {
		const { names, of } = this.family;
		if (names.length === rows.length) return this.jobs.tasks;
		const lists = names.map(() => []);
		rows.forEach((list, task) => lists[of[task]].push(...list));
		return lists.map((list) => jobArrays(list, this.row.stop_ns, this.place, 2));
	}

	/* Power over time: of all GPUs together, where it is in the page of all, and, if there are several, of each. */
	loadPower() {
		const rows = 'FROM power_interval WHERE run_id = :run';
		if (this.gpus === 1) {
			this.power = this.readPower(`SELECT start_ns, end_ns, power_uw ${rows} ORDER BY start_ns`);
			this.powers = [];
			return;
		}
		this.power = this.readPower(
			`WITH change AS (SELECT start_ns AS ns, power_uw AS uw, 1 AS n ${rows} UNION ALL SELECT end_ns, -power_uw, -1 ${rows}),
			step AS (SELECT ns, lead(ns) OVER (ORDER BY ns) AS until_ns, sum(sum(uw)) OVER (ORDER BY ns) AS uw,
				sum(sum(n)) OVER (ORDER BY ns) AS known FROM change GROUP BY ns)
			SELECT ns, until_ns, uw FROM step WHERE known = ${this.gpus} ORDER BY ns`,
		);
		this.powers = Array.from({ length: this.gpus }, (_, gpu) =>
			this.readPower(`SELECT start_ns, end_ns, power_uw ${rows} AND gpu = ${gpu} ORDER BY start_ns`),
		);
	}

	readPower(sql) {
		const start = [],
			end = [],
			watts = [];
		this.recording.each(sql, { run: this.run }, (row) => {
			start.push(row[0]);
			end.push(row[1]);
			watts.push(row[2] / 1e6);
		});
		return {
			count: start.length,
			start: Float64Array.from(start),
			end: Float64Array.from(end),
			watts: Float64Array.from(watts),
			most: watts.reduce((most, value) => Math.max(most, value), 0),
		};
	}

	job(task, seq) {
		const jobs = this.jobs.tasks[task];
		const place = firstWhere(jobs.count, (i) => jobs.seq[i] >= seq);
		if (jobs.seq[place] !== seq) return null;
		return {
			task,
			seq,
			release: jobs.release[place],
			deadline: jobs.deadline[place],
			start: jobs.start[place],
			finish: jobs.finish[place],
			outcome: jobs.outcome[place],
		};
	}

	/* Reads the intervals; resolves when they are there. Few are read at once. */
	load(stopped = () => false) {
		if (!this.loading) {
			this.loading = this.read(new Slices(stopped)).catch((error) => {
				this.loading = null;
				if (error.message !== 'stopped') throw error;
			});
		}
		return this.loading;
	}

	async read(slices) {
		await this.readTable(
			'segment_interval',
			slices,
			`SELECT rowid, task_id, seq, segment_idx, coalesce(gpu, 0) << 16 | unit, start_ns, end_ns, code, 1, ready_ns`,
		);
		await this.readTable(
			'block_interval',
			slices,
			`SELECT rowid, task_id, seq, segment_idx, coalesce(gpu, 0) << 16 | coalesce(sm, 65535), start_ns, end_ns, ended_code, threads, NULL`,
		);
		this.readStreams();
		this.readContexts();
		for (const lane of this.lanes) lane.items ??= new Items(0, !lane.blocks);
		await this.readMeasured(slices);
		for (const lane of this.lanes.flatMap((one) => (one.measured ? [one, one.measured] : [one]))) {
			const { top, parts } = stack(lane.items, lane.blocks ? lane.scale : 1);
			lane.items.parts = parts;
			lane.scale = Math.max(lane.scale, top);
			await slices.rest();
		}
		await this.indexKernels(slices);
		this.complete = true;
	}

	/* Copies and kernels once more, in the lanes of their streams, which are known by GPU * 2^32 + stream + 2. */
	readStreams() {
		const into = new Map(this.lanes.filter(({ kind }) => kind === 'stream').map((lane) => [lane.unit, lane]));
		if (into.size === 0) return;
		const found = new Map([...into.keys()].map((unit) => [unit, []]));
		for (const { kind, unit, items } of this.lanes) {
			if ((kind !== 'copy' && kind !== 'gpu') || !items) continue;
			const gpu = kind === 'gpu' ? unit : unit >> 16;
			for (let i = 0; i < items.count; i++) {
				if (items.code[i] & 12) continue;
				const stream = this.streamOf(items.task[i], items.segment[i]);
				if (stream !== null) found.get(gpu * 2 ** 32 + stream + 2)?.push({ items, i });
			}
		}
		for (const [unit, list] of found) {
			list.sort((a, b) => a.items.end[a.i] - b.items.end[b.i] || a.items.start[a.i] - b.items.start[b.i]);
			const lane = into.get(unit);
			lane.items = new Items(list.length, true);
			list.forEach(({ items, i }, k) => copyItem(items, i, lane.items, k));
		}
	}

	/* Who has the GPU, where processes share it, each as its first task; switches are drawn like launches. */
	readContexts() {
		const lane = this.lanes.find((one) => one.kind === 'context');
		if (!lane) return;
		const { rows } = this.recording.query(
			`SELECT rowid, process_task_id, 0, 0, 0, start_ns, end_ns, code * 12, 1, NULL FROM context_interval
			WHERE run_id = :run ORDER BY rowid`,
			{ run: this.run },
		);
		lane.items = new Items(rows.length, true);
		rows.forEach((row, i) => {
			put(lane.items, i, row, this.place.get(row[1]) ?? 0, this.family.of);
			lane.items.longest = Math.max(lane.items.longest, row[6] - row[5]);
		});
	}

	/* Lanes are known by GPU << 16 | unit, as report/lanes.h says; a kernel by its GPU; 65535: no SM, but the pool. */
	laneOf(blocks) {
		const kinds = ['cpu', 'copy', 'gpu'];
		const known = new Map(this.lanes.map((lane, i) => [`${lane.kind} ${lane.unit}`, i]));
		const found = new Map();
		const name = (unit, code) => {
			if (blocks) return (unit & 65535) === 65535 ? `pool ${unit >> 16}` : `sm ${unit}`;
			return `${kinds[code & 3]} ${(code & 3) < 2 ? unit : unit >> 16}`;
		};
		return (unit, code) => {
			const key = blocks ? unit : unit * 4 + (code & 3);
			if (!found.has(key)) found.set(key, known.get(name(unit, code)) ?? -1);
			return found.get(key);
		};
	}

	async readTable(table, slices, select) {
		const span = this.spans[table];
		if (!span || this.lanes.length === 0) return;
		const blocks = table === 'block_interval';
		const count = span.last_rowid - span.first_rowid + 1;
		const all = new Items(count, !blocks);
		const lane = new Int16Array(count);
		const laneOf = this.laneOf(blocks);
		let i = 0;
		for (let first = span.first_rowid; first <= span.last_rowid; first += CHUNK) {
			const last = Math.min(first + CHUNK - 1, span.last_rowid);
			this.recording.each(
				`${select} FROM ${table} WHERE rowid BETWEEN :first AND :last AND run_id = :run ORDER BY rowid`,
				{ first, last, run: this.run },
				(row) => {
					lane[i] = laneOf(row[4], row[7]);
					put(all, i++, row, this.place.get(row[1]) ?? 0, this.family.of);
				},
			);
			await slices.rest();
		}
		for (const [k, items] of this.spread(all, lane, i, !blocks).entries())
			if (this.lanes[k].blocks === blocks) this.lanes[k].items = items;
		if (blocks)
			this.all = {
				task: all.task,
				seq: all.seq,
				segment: all.segment,
				start: all.start,
				count: i,
			};
	}

	/* From one list to a list for each lane; the order stays. */
	spread(all, lane, count, withReady) {
		const sizes = new Uint32Array(this.lanes.length);
		for (let i = 0; i < count; i++) {
			if (lane[i] >= 0) sizes[lane[i]]++;
		}
		const lists = this.lanes.map((_, k) => new Items(sizes[k], withReady));
		sizes.fill(0);
		for (let i = 0; i < count; i++) {
			if (lane[i] >= 0) copyItem(all, i, lists[lane[i]], sizes[lane[i]]++);
		}
		return lists;
	}

	/* What a real machine did, where that is recorded: lanes under ours. */
	async readMeasured(slices) {
		this.measured = await readMeasured(this, slices);
		if (!this.measured) return;
		const { all, lane, count } = this.measured;
		for (const [k, items] of this.spread(all, lane, count, false).entries())
			if (items.count > 0) measuredLanes(this.lanes[k], this, items);
	}

	/* When the blocks of each kernel were placed, in order: one search finds how many are still to come. */
	async indexKernels(slices) {
		if (!this.all) return;
		const { task, seq, segment, start, count } = this.all;
		const lists = new Map();
		for (let i = 0; i < count; i++) {
			const key = segmentKey(task[i], seq[i], segment[i]);
			const list = lists.get(key);
			if (list) list.push(start[i]);
			else lists.set(key, [start[i]]);
			if (i % CHUNK === 0) await slices.rest();
		}
		for (const [key, list] of lists) this.kernels.set(key, Float64Array.from(list).sort());
		this.all = null;
	}
}

function merge(windows) {
	const merged = [];
	for (const [from, to] of windows.sort((a, b) => a[0] - b[0])) {
		const last = merged[merged.length - 1];
		if (last && from <= last[1]) last[1] = Math.max(last[1], to);
		else merged.push([from, to]);
	}
	return merged;
}

/* by: the column of their order, 1 for the number of a task's jobs, 2 for the release of several tasks' jobs. */
function jobArrays(rows, stop, place, by = 1) {
	rows.sort((a, b) => a[by] - b[by]);
	const pick = (index, missing) => Float64Array.from(rows, (row) => row[index] ?? missing(row));
	const jobs = {
		count: rows.length,
		task: Uint16Array.from(rows, (row) => place.get(row[0])),
		seq: pick(1),
		release: pick(2),
		deadline: pick(3, () => NaN),
		start: pick(4, () => NaN),
		finish: pick(5, () => NaN),
		outcome: Uint8Array.from(rows, (row) => row[6]),
		longest: 0,
	};
	/* An unfinished job is there to the end of the run; its deadline may be later. */
	jobs.end = pick(5, (row) => stop ?? row[2]);
	for (let i = 0; i < jobs.count; i++) {
		const last = Math.max(jobs.end[i], rows[i][3] ?? 0);
		jobs.longest = Math.max(jobs.longest, last - jobs.release[i]);
	}
	return jobs;
}

function put(items, i, [row, , seq, segment, , start, end, code, size, ready], task, hues) {
	items.row[i] = row;
	items.task[i] = task;
	items.hue[i] = hues[task];
	items.seq[i] = seq;
	items.segment[i] = segment;
	items.start[i] = start;
	items.end[i] = end;
	items.code[i] = code;
	items.size[i] = size > 0 ? size : 1;
	if (items.ready) items.ready[i] = ready ?? start;
}
