/*
 * legend.js - the lines over the schedule: what its marks mean, what the recording's level leaves out, and whose the
 * colours are.
 */
import { HUE_COUNT, shades, taskColour } from '../colours.js';
import { element, get } from '../dom.js';
import { duration } from '../format.js';

const NAMED_MOST = 8; /* more tasks have their colour beside their strip only */

function mark(colour) {
	const swatch = element('i');
	swatch.style.background = colour;
	return swatch;
}

const MARKS =
	'Arrows up are releases, arrows down deadlines; a bar is pale until its job first runs; what is late is red, with a cross.';
const MISSING = {
	jobs: 'Recorded at level jobs: what each resource did needs --record segments, blocks on SMs --record blocks.',
	segments: 'Recorded at level segments: blocks on SMs need --record blocks.',
};

/* Many tasks: the hues come again in other shades, and after the last shade from the start. */
function turns(count) {
	const entries = [];
	for (let turn = 0; turn < 3 && turn * HUE_COUNT < count; turn++) {
		const first = turn * HUE_COUNT,
			behind = Math.min(count, first + HUE_COUNT);
		const swatches = Array.from({ length: behind - first }, (_, i) => mark(taskColour(first + i)));
		const which = behind - first > 1 ? `tasks ${first + 1} to ${behind}` : `task ${behind}`;
		const text = turn === 0 ? `${which}, from the top` : `${which}: ${shades()[turn]}`;
		entries.push(element('span', { class: 'shades' }, ...swatches, element('b', {}, text)));
	}
	if (count > 3 * HUE_COUNT)
		entries.push(element('span', {}, `from task ${3 * HUE_COUNT + 1} on the same colours again`));
	return entries;
}

/* What the line under recorded intervals means. */
function recorded({ measured, tolerance }, shown) {
	if (!measured || !shown) return [];
	const key = (name, text) => element('span', { class: 'recorded' }, mark(`var(--${name})`), text);
	return [
		key('near', `recorded within ${duration(tolerance)} of the simulation`),
		key('later', 'recorded later'),
		key('earlier', 'recorded earlier'),
	];
}

/* shown: what was recorded is in the schedule. */
export function fillLegend(store, shown) {
	const { names } = store.family;
	get('gantt-lead').textContent = [MARKS, MISSING[store.row.record]].filter(Boolean).join(' ');
	const cut = store.windows('block_interval') || store.windows('segment_interval');
	get('gantt-legend').replaceChildren(
		...(names.length > NAMED_MOST
			? turns(names.length)
			: names.map((name, i) => element('span', {}, mark(taskColour(i)), name))),
		element('span', {}, mark('var(--miss)'), 'missed'),
		...recorded(store, shown),
		cut ? element('span', { class: 'cut' }, mark('var(--dim)'), 'not in this page one by one') : '',
	);
}
