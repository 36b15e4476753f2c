/*
 * find.js - what is under a point of a panel: a job, an interval, a block, or what the level of detail says there.
 */
import { rowAt } from './layout.js';
import { RUNS } from './measured.js';
import { visibleJobs } from './strips.js';

const NEAR = 4; /* CSS pixels within which a mark counts as hit */

export const STATES = ['finished', 'dropped', 'aborted', 'unfinished'];
export const ENDED = ['done', 'preempted', 'aborted', 'stopped', 'reset'];

/* What an interval is and how it ended, by the code in which the recording has it: a reset takes a bit that
 * otherwise only overheads have. */
const USES = ['run', 'spin', 'boost', 'launch', 'switch', 'release', 'call', 'decision'];
export const useOf = (code) =>
	USES[(code & 204) === 136 ? 7 : (code & 12) === 12 ? 3 + (code >> 6) : (code >> 2) & 3];
const endedOf = (code) => ((code & 76) === 64 ? 4 : (code >> 4) & 3);

/* The same in words. */
export const USE_NOTES = {
	run: '',
	spin: 'spins',
	boost: 'boosted',
	launch: 'launch',
	switch: 'switch',
	release: 'release',
	call: 'call',
	decision: 'decision',
};

const known = (value) => (Number.isNaN(value) ? null : value);

export function jobFacts(store, job) {
	if (!job) return {};
	const finished = (job.outcome & 3) === 0;
	return {
		release_ns: job.release,
		deadline_ns: known(job.deadline),
		finish_ns: known(job.finish),
		response_ns: finished ? job.finish - job.release : null,
		missed: (job.outcome & 4) !== 0,
		state: STATES[job.outcome & 3],
	};
}

export function find(panel, x, y) {
	const { geometry, store } = panel;
	if (x < geometry.left || x > geometry.left + geometry.width) return null;
	const row = rowAt(geometry, y);
	if (!row) return null;
	const t = panel.time(x),
		near = (NEAR * (panel.view.to - panel.view.from)) / geometry.width;
	return row.strip
		? findJob(store, row.strip.family, t, near)
		: findInLane(panel, row.lane, t, near / 2, y);
}

function findJob(store, family, t, near) {
	const jobs = store.jobs.families[family];
	const [low, high] = visibleJobs(jobs, t - near, t + near);
	let best = -1,
		distance = Infinity;
	for (let i = low; i < high; i++) {
		const end = jobs.end[i];
		const away = Math.min(
			t < jobs.release[i] ? jobs.release[i] - t : t > end ? t - end : 0,
			Number.isNaN(jobs.deadline[i]) ? Infinity : Math.abs(t - jobs.deadline[i]),
		);
		if (
			away <= near &&
			(away < distance ||
				(away === 0 && distance === 0 && !(jobs.release[best] >= jobs.release[i])))
		) {
			best = i;
			distance = away;
		}
	}
	if (best < 0) return null;
	const task = jobs.task[best];
	const job = store.job(task, jobs.seq[best]);
	return {
		kind: 'job',
		task: store.tasks[task].name,
		task_idx: task,
		hue: family,
		seq: job.seq,
		start_ns: job.release,
		end_ns: known(job.finish),
		first_start_ns: known(job.start),
		...jobFacts(store, job),
	};
}

function findInLane(panel, { lane, y: top, height }, t, near, y) {
	const { store } = panel;
	const exact = panel.exact(lane.table);
	const known = exact && exact.some(([from, to]) => t >= from && t <= to);
	const up = (top + height - y) / height;
	if (lane.stacked) return known ? findThreads(panel, lane, t, up) : findShares(panel, lane, t, up);
	if (!known) return findDetail(panel, lane, t);
	const { items, scale } = lane;
	const place = Math.max(0, ((top + height - y) / height) * scale);
	const reach = scale * Math.max(0.13, NEAR / height); /* lanes of few pixels: what is nearest */
	const [low, high] = items.range(t - near, t + near);
	let best = -1,
		distance = Infinity;
	for (let i = low; i < high; i++) {
		const away = Math.max(0, items.start[i] - t, t - items.end[i]);
		const beside =
			place < items.pos[i]
				? items.pos[i] - place
				: place > items.pos[i] + items.size[i]
					? place - items.pos[i] - items.size[i]
					: 0;
		const score = away / near + (beside / scale) * 8;
		if (away <= near && beside <= reach && score < distance) {
			best = i;
			distance = score;
		}
	}
	const part = best < 0 ? findPart(items, place, t) : best;
	return part < 0 ? null : facts(store, lane, part);
}

function findPart({ parts, start, end }, place, t) {
	for (let k = 0; k < parts.length; k += 3) {
		const i = parts[k];
		if (
			start[i] <= t &&
			t <= end[i] &&
			place >= parts[k + 1] &&
			place <= parts[k + 1] + parts[k + 2]
		)
			return i;
	}
	return -1;
}

/* A process is no job: it is said like a share of a lane. */
function holder(store, { items }, i) {
	const { name } = store.tasks[items.task[i]];
	const switches = items.code[i] !== 0;
	return {
		kind: 'detail',
		lane: switches ? 'switch of the GPU' : 'process that has the GPU',
		start_ns: items.start[i],
		end_ns: items.end[i],
		shares: [{ task: switches ? `to ${name}` : name, task_idx: items.task[i], share: 1 }],
		task: name,
		task_idx: items.task[i],
	};
}

/* Block number, slot and the rest are asked for only here. */
function facts(store, lane, i) {
	const { items } = lane;
	if (lane.kind === 'context') return holder(store, lane, i);
	const job = store.job(items.task[i], items.seq[i]);
	const common = {
		task: store.tasks[items.task[i]].name,
		task_idx: items.task[i],
		hue: items.hue[i],
		seq: items.seq[i],
		segment: items.segment[i],
		segment_name: store.segmentName(items.task[i], items.segment[i]),
		lane: lane.name,
		start_ns: items.start[i],
		end_ns: items.end[i],
		...jobFacts(store, job),
	};
	if (store.streams && (lane.blocks || items.code[i] & 3)) common.stream = store.streamOf(items.task[i], items.segment[i]);
	if (lane.blocks) {
		const [row] = store.recording.query(
			'SELECT block, sm, slot, threads, ended_code, gpu FROM block_interval WHERE rowid = :row',
			{ row: items.row[i] },
		).rows;
		return {
			kind: 'block',
			...common,
			block: row[0],
			gpu: store.gpus > 1 ? row[5] : null,
			sm: row[1],
			slot: row[2],
			threads: row[3],
			ended: ENDED[row[4]],
		};
	}
	if (lane.table === 'measured') {
		const { kind: resource } = lane.of;
		const facts = store.measured.facts(items.row[i]);
		return { kind: 'measured', ...common, lane: lane.of.name, resource, ...facts };
	}
	const code = items.code[i];
	const recorded = (code & RUNS) === 0 && store.measured?.of(items.task[i], items.seq[i], items.segment[i]);
	return {
		kind: 'segment',
		...common,
		...recorded,
		resource: ['cpu', 'copy', 'gpu'][code & 3],
		use: useOf(code),
		ended: ENDED[endedOf(code)],
		ready_ns: items.ready[i],
	};
}

/* The task whose band is at a share of the height; null above all of them. */
function bandAt(shares, up) {
	let sum = 0;
	for (const one of shares) {
		sum += one.share;
		if (up <= sum) return one;
	}
	return null;
}

const byTask = (store, sums) =>
	[...sums]
		.sort(([a], [b]) => a - b)
		.map(([task, share]) => ({ task: store.tasks[task]?.name, task_idx: task, share }));

/* All SMs as one lane: who has how many threads at t. */
function findThreads({ store }, lane, t, up) {
	const sums = new Map();
	for (const { items } of lane.lanes) {
		const [low, high] = items.range(t, t);
		const inside = (i) => i >= low && i < high && items.start[i] <= t && t < items.end[i];
		const add = (i, threads) =>
			sums.set(items.task[i], (sums.get(items.task[i]) ?? 0) + threads / lane.scale);
		for (let i = low; i < high; i++) if (inside(i)) add(i, items.size[i]);
		for (let k = 0; k < items.parts.length; k += 3)
			if (inside(items.parts[k])) add(items.parts[k], items.parts[k + 2]);
	}
	const shares = byTask(store, sums);
	return { kind: 'threads', lane: lane.name, at_ns: t, of: lane.scale, shares, ...bandOf(shares, up) };
}

const bandOf = (shares, up) => {
	const band = bandAt(shares, up);
	return { task: band?.task ?? null, task_idx: band?.task_idx ?? null };
};

function findShares(panel, lane, t, up) {
	const { store } = panel;
	if (!store.detail.present) return null;
	const level = levelOf(panel),
		bin = store.detail.levels[level],
		start = Math.floor(t / bin) * bin;
	const sums = new Map();
	for (const one of lane.lanes)
		for (const { task, share } of store.detail.at(one.lane, level, t))
			sums.set(task, (sums.get(task) ?? 0) + (share * one.scale) / lane.scale);
	const shares = byTask(store, sums);
	return { kind: 'detail', lane: lane.name, start_ns: start, end_ns: start + bin, shares, ...bandOf(shares, up) };
}

const levelOf = ({ store, view, geometry, ratio }) =>
	store.detail.level((view.to - view.from) / geometry.width / ratio);

function findDetail(panel, lane, t) {
	const { store } = panel;
	if (!store.detail.present || lane.table === 'measured') return null;
	const level = levelOf(panel);
	const bin = store.detail.levels[level];
	const start = Math.floor(t / bin) * bin;
	const shares = store.detail
		.at(lane.lane, level, t)
		.map(({ task, share }) => ({ task: store.tasks[task]?.name, task_idx: task, share }));
	return {
		kind: 'detail',
		lane: lane.name,
		task: shares[0]?.task ?? null,
		start_ns: start,
		end_ns: start + bin,
		shares,
	};
}
