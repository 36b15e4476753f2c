/*
 * queue.js - an instant: what waits for the CPU, the copy engines and the GPU, what runs, how many blocks of the
 * running kernels are still to be placed, and the power.
 */
import { taskColour } from '../colours.js';
import { element } from '../dom.js';
import { instant, number, real } from '../format.js';
import { useOf, USE_NOTES } from './find.js';
import { segmentKey } from './items.js';
import { powerAt } from './power.js';
import { firstWhere } from './search.js';

/* Segments that are ready at t and do not run, in the order in which they became ready. */
function waiting(items, t) {
	const running = new Set(),
		found = new Map();
	const last = t + items.longestWait;
	for (let i = items.after(t); i < items.count && items.end[i] <= last + 1; i++) {
		if (items.code[i] & 12 || items.ready[i] > t) continue;
		const key = `${items.task[i]} ${items.seq[i]} ${items.segment[i]}`;
		if (items.start[i] <= t) running.add(key);
		else if (!found.has(key)) found.set(key, i);
	}
	return [...found]
		.filter(([key]) => !running.has(key))
		.map(([, i]) => i)
		.sort((a, b) => items.ready[a] - items.ready[b] || items.task[a] - items.task[b]);
}

function running(items, t) {
	const found = [];
	const last = t + items.longest;
	for (let i = items.after(t); i < items.count && items.end[i] <= last + 1; i++) {
		if (items.start[i] <= t) found.push(i);
	}
	return found;
}

const inLanes = (store, kind, pick) =>
	store.lanes
		.filter((lane) => lane.kind === kind && lane.items)
		.flatMap((lane) => pick(lane.items).map((i) => ({ lane, i })));

const name = (store, { lane: { items }, i }) => ({
	task: store.tasks[items.task[i]].name,
	task_idx: items.task[i],
	hue: items.hue[i],
	seq: items.seq[i],
	segment: items.segment[i],
	use: useOf(items.code[i]),
});

export function queueAt(store, t) {
	const one = (kind) =>
		inLanes(store, kind, (items) => waiting(items, t)).map((entry) => {
			const { task, seq, segment } = name(store, entry);
			return { task, seq, segment };
		});
	return { cpu: one('cpu'), copy: one('copy'), gpu: one('gpu') };
}

/* Blocks of a kernel that are not placed yet at t: { left, of }, or null if blocks are not recorded. */
function unplaced(store, { lane: { items }, i }, t) {
	const task = items.task[i],
		segment = items.segment[i];
	const starts = store.kernels.get(segmentKey(task, items.seq[i], segment));
	if (!starts || store.windows('block_interval')) return null;
	const known = store.segmentOf(task, segment);
	const of = (known?.form === 'grid' || known?.form === 'program') && known.grid_blocks !== null ? known.grid_blocks : starts.length;
	const placed = firstWhere(starts.length, (k) => starts[k] > t);
	return { left: Math.max(0, of - placed), of };
}

/* The SMs to which a kernel is confined, as ranges: "SM 0-3, 8"; null: it is not. */
function maskOf(store, { lane: { items }, i }) {
	const sms = JSON.parse(store.segmentOf(items.task[i], items.segment[i])?.sms ?? 'null');
	if (!sms) return null;
	const ranges = [];
	for (const sm of sms) {
		const last = ranges[ranges.length - 1];
		if (last && last[1] === sm - 1) last[1] = sm;
		else ranges.push([sm, sm]);
	}
	return `SM ${ranges.map(([from, to]) => (from === to ? from : `${from}–${to}`)).join(', ')}`;
}

function entry(what, note) {
	const swatch = element('i');
	swatch.style.background = taskColour(what.hue);
	return element(
		'li',
		{},
		swatch,
		`${what.task} ${number(what.seq)}`,
		element('span', { class: 'none' }, note),
	);
}

function group(title, entries) {
	return [
		element('h4', {}, title),
		entries.length > 0
			? element('ul', {}, ...entries)
			: element('p', { class: 'none' }, 'nothing'),
	];
}

/* title: which run, where there are two. */
export function fillQueue(box, store, t, title) {
	const when = t === null ? 'at the cursor' : instant(t);
	const parts = [element('h3', {}, title ? `${title}, ${when}` : when[0].toUpperCase() + when.slice(1))];
	if (t === null) {
		parts.push(
			element(
				'p',
				{ class: 'none' },
				'Point into the schedule: what runs and what waits at that instant.',
			),
		);
	} else if (store.lanes.length === 0) {
		parts.push(
			element('p', { class: 'none' }, 'Who waits is recorded from --record segments on.'),
		);
	} else if (!store.complete) {
		parts.push(element('p', { class: 'none' }, 'Still reading the intervals of the run.'));
	} else {
		parts.push(...states(store, t));
	}
	box.replaceChildren(...parts);
}

function states(store, t) {
	const parts = [];
	for (const [kind, title] of [
		['cpu', 'CPU'],
		['copy', 'Copy engines'],
		['gpu', 'GPU'],
	]) {
		const several = kind === 'cpu' && store.lanes.filter((lane) => lane.kind === kind).length > 1;
		const busy = inLanes(store, kind, (items) => running(items, t)).map((one) => {
			const what = name(store, one);
			const blocks = kind === 'gpu' ? unplaced(store, one, t) : null;
			const mask = kind === 'gpu' ? maskOf(store, one) : null;
			return entry(
				what,
				blocks
					? [`${number(blocks.left)} of ${number(blocks.of)} blocks to come`, mask]
							.filter(Boolean)
							.join(' on ')
					: [USE_NOTES[what.use], several && `on ${one.lane.name}`].filter(Boolean).join(' '),
			);
		});
		const queue = inLanes(store, kind, (items) => waiting(items, t)).map((one) =>
			entry(
				name(store, one),
				['waits', kind === 'gpu' && maskOf(store, one)].filter(Boolean).join(' for '),
			),
		);
		parts.push(...group(title, [...busy, ...queue]));
	}
	const watts = powerAt(store.power, t);
	if (watts !== null) {
		const each = store.powers.map((one, gpu) => `GPU ${gpu} ${real(powerAt(one, t) ?? 0)} W`);
		const text = [`${real(watts)} W`, each.join(', ')].filter(Boolean).join(': ');
		parts.push(element('h4', {}, 'Power'), element('p', {}, text));
	}
	if (store.windows('segment_interval'))
		parts.push(element('p', { class: 'none' }, 'Not all intervals of this run are in the page.'));
	return parts;
}
