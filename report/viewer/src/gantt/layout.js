/*
 * layout.js - where everything is in the schedule, in CSS pixels from top to bottom: the axis, the tasks, the lanes. Two
 * runs share the schedule: each row of the first has that of the second right below it.
 */
export const AXIS = 26;
const GAP = 10;
const STACK_FROM = 17; /* SMs that are one lane unless somebody wants them one by one */
const POWER = 104,
	POWER_OF_TWO = 58,
	NO_POWER = 34;
const DEVIATIONS = 5, /* the line under recorded intervals that says how far off they are */
	RECORDED = 9; /* of recorded intervals that do not overlap */

const rows = (lane) => Math.max(1, Math.ceil(lane.scale));
const isFull = () => Boolean(document.fullscreenElement);

/* All SMs as one lane: the threads of all, by task. */
function together(store) {
	const lanes = store.lanes.filter((lane) => lane.blocks);
	store.stack ??= {
		kind: 'sms',
		blocks: true,
		table: 'block_interval',
		stacked: true,
		name: `${lanes.length} SMs`,
		items: null,
		lanes,
	};
	store.stack.scale = lanes.reduce((sum, lane) => sum + lane.scale, 0);
	return store.stack;
}

/* wish: '' leaves it to us, 'stack' is one lane, else pixels of an SM (0: what the window leaves). */
function stacks(stores, wish) {
	const most = Math.max(...stores.map((store) => store.lanes.filter((lane) => lane.blocks).length));
	if (most < 2) return false;
	return wish === 'stack' || (wish === '' && (most >= STACK_FROM || stores.length > 1));
}

/* Rows of one run, or of two, in order: { kind, key, items: [one of each run, or null] }. */
function rowsOf(stores, wish) {
	const stacked = stacks(stores, wish);
	const found = new Map();
	const add = (key, kind, index, item) => {
		if (!found.has(key)) found.set(key, { kind, items: stores.map(() => null) });
		found.get(key).items[index] = item;
	};
	for (const what of ['tasks', 'lanes', 'sms'])
		stores.forEach((store, index) => {
			if (what === 'tasks') store.family.names.forEach((_, family) => add(`task ${family}`, 'task', index, family));
			else if (what === 'sms' && stacked) add('sms', 'sms', index, together(store));
			else
				for (const lane of store.lanes.filter((one) => one.blocks === (what === 'sms')))
					add(`${lane.kind} ${lane.unit}`, lane.kind, index, lane);
		});
	return [...found.values()];
}

/*
 * What stands under a lane of what was recorded: { row, all }, the height of intervals that do not overlap and of all of it;
 * null: nothing.
 */
function recordedBelow(row, recorded, several) {
	const lanes = recorded ? row.items.map((item) => item?.measured).filter(Boolean) : [];
	if (lanes.length === 0) return null;
	const most = Math.max(...lanes.map(rows));
	const height = several ? Math.min(24, RECORDED + 3 * (most - 1)) : Math.min(84, RECORDED * most);
	return { height, all: height + DEVIATIONS + 3 };
}

/* What is left of the window for SMs, within limits, below what is above them. */
function smHeight(count, used, wish) {
	if (Number(wish) > 0) return Number(wish);
	const room = Math.max(400, Math.min(isFull() ? 4000 : 720, innerHeight - 330 - used));
	return Math.max(5, Math.min(isFull() ? 120 : 44, Math.floor(room / count)));
}

/* Heights of rows with the space below them, for one run. */
function heightsOfOne(list, wish, below) {
	const tasks = list.filter((row) => row.kind === 'task').length;
	const streams = list.filter((row) => row.kind === 'stream').length;
	const strip = tasks <= 8 ? 26 : tasks <= 16 ? 20 : 14;
	const height = {
		task: () => strip,
		cpu: () => 27,
		copy: () => 21,
		context: () => 21,
		stream: () => (streams <= 8 ? 18 : 12),
		gpu: (lane) => Math.min(140, Math.max(18, rows(lane) * 15)) + 3,
	};
	const sms = list.filter((row) => row.kind === 'sm').length;
	const above = list.reduce((sum, row, k) => sum + (height[row.kind]?.(row.items[0]) ?? 0) + (below[k]?.all ?? 0), 2 * GAP);
	const each = sms > 0 ? smHeight(sms, above, wish) : 0;
	return list.map((row) => {
		if (row.kind === 'sm') return each;
		if (row.kind === 'pool') return Number(wish) * 4 || 240;
		if (row.kind === 'sms') return Math.max(150, Math.min(isFull() ? 600 : 260, innerHeight - 480 - above));
		return height[row.kind](row.items[0]);
	});
}

/* For two: each row twice, and all of it on a small screen; SMs take what is left. */
function heightsOfTwo(list, wish, below) {
	const natural = { task: 18, cpu: 16, copy: 13, context: 13, stream: 12 };
	const gpu = (row) => Math.min(48, Math.max(14, Math.max(...row.items.map((lane) => (lane ? rows(lane) : 1))) * 9));
	const isSm = (row) => ['sm', 'sms', 'pool'].includes(row.kind);
	const sms = list.filter(isSm).length;
	const recorded = below.reduce((sum, one) => sum + (one?.all ?? 0), 0);
	const budget = Math.max(300 - recorded, innerHeight - 290 - 2 * POWER_OF_TWO - 2 * recorded) / 2;
	const wanted = list.reduce((sum, row) => sum + (isSm(row) ? 0 : (natural[row.kind] ?? gpu(row))), 0);
	const scale = Math.min(1, (budget - (sms > 0 ? 60 : 0)) / wanted);
	const least = (height) => Math.max(7, Math.floor(height * scale));
	const left = budget - wanted * scale;
	const each = Number(wish) > 0 ? Number(wish) : Math.max(sms > 1 ? 4 : 40, Math.min(110, Math.floor(left / Math.max(1, sms))));
	return list.map((row) => (isSm(row) ? each : least(natural[row.kind] ?? gpu(row))));
}

const space = (height, several) => (several ? 1 : height >= 10 ? 2 : height >= 5 ? 1 : 0);

/* stores: one or two; recorded: what was recorded stands under what was simulated. Gives a geometry for each of them. */
export function layout(stores, width, wish, recorded) {
	const narrow = stores.some((store) => store.gpus > 1) ? 94 : 84; /* "GPU 0 copy 0" */
	const left = width < 700 ? narrow : 112,
		right = width < 700 ? 6 : 12;
	const several = stores.length > 1;
	const list = rowsOf(stores, wish);
	const below = list.map((row) => recordedBelow(row, recorded, several));
	const heights = (several ? heightsOfTwo : heightsOfOne)(list, wish, below);
	const geometries = stores.map((_, i) => ({
		left,
		width: Math.max(50, width - left - right),
		full: width,
		axis: AXIS,
		strips: [],
		lanes: [],
		mark: several ? 'AB'[i] : '',
	}));
	let y = AXIS + 2,
		top = null,
		before = 'task';
	list.forEach((row, k) => {
		const starts = row.kind !== 'task' && before === 'task';
		const blocks = ['sm', 'sms', 'pool'].includes(row.kind) && !['sm', 'sms', 'pool'].includes(before);
		if (starts || blocks) y += several ? 6 : GAP - (starts ? 0 : 3);
		if (starts) top = y;
		before = row.kind;
		y = place(geometries, row, y, heights[k], several, below[k]);
		if (several) y += 2;
	});
	for (const geometry of geometries) {
		geometry.lanesTop = top ?? y + GAP;
		geometry.lanesBottom = Math.max(y, geometry.lanesTop);
		geometry.height = geometry.lanesBottom + 6;
	}
	return geometries;
}

/* A row of each run, the first one with its name beside all of them; gives the y behind. */
function place(geometries, row, top, height, several, below) {
	let y = top;
	const all = row.items.reduce((sum, item) => sum + (item === null ? 0 : height + (below && item.measured ? below.all : 0)), 0);
	let name = { y: top, height: several ? all - 2 : null };
	row.items.forEach((item, i) => {
		if (item === null) return;
		const task = row.kind === 'task';
		const tall = height - (task && !several ? 3 : several || row.kind === 'sm' ? space(height, several) : row.kind === 'sms' ? 2 : 3);
		const box = { y, height: tall, name: name && { y: name.y, height: name.height ?? tall } };
		if (task) geometries[i].strips[item] = { family: item, ...box };
		else geometries[i].lanes.push({ lane: item, ...box });
		name = null;
		y += height;
		if (below && item.measured) {
			placeRecorded(geometries[i].lanes, item, box, below.height);
			y += below.all;
		}
	});
	return y;
}

/* Right under its lane: the intervals, and the line of their deviations. */
function placeRecorded(lanes, { measured, deviations }, box, height) {
	const y = box.y + box.height + 2;
	lanes.push({ lane: measured, y, height, name: { y, height } });
	lanes.push({ lane: deviations, y: y + height, height: DEVIATIONS, name: null });
}

/* How high the curve of power is: [of runs with power, of runs without]. */
export const powerHeight = (has, several) => (has ? (several ? POWER_OF_TWO : POWER) : NO_POWER);

/* The strip or lane under a height. */
export function rowAt(geometry, y) {
	const slack = geometry.mark ? 0 : 1;
	const strip = geometry.strips.find((one) => y >= one.y - slack && y < one.y + one.height + 2 * slack);
	if (strip) return { strip };
	const lane = geometry.lanes.find((one) => y >= one.y - slack && y < one.y + one.height + slack);
	return lane ? { lane } : null;
}
