/*
 * hover.js - the note at the pointer: what it is, when it was, and how its job fared.
 */
import { taskColour } from '../colours.js';
import { element } from '../dom.js';
import { duration, instant, number, percent } from '../format.js';
import { USE_NOTES } from './find.js';
import { bothLines } from './both.js';

const KINDS = { cpu: 'CPU', copy: 'copy', gpu: 'kernel' };

function place({ block, gpu, sm, slot }) {
	const unit = [gpu === null ? '' : `GPU ${gpu}`, sm === null ? '' : `SM ${sm}`].filter(Boolean).join(' ');
	const where = unit && ` on ${unit}`;
	return `${number(block)}${where}${slot === null ? '' : `, slot ${slot}`}`;
}

function lines(found) {
	if (found.kind === 'threads') {
		const threads = (share) => `${number(Math.round(share * found.of))} (${percent(share)})`;
		const free = found.shares.reduce((rest, { share }) => rest - share, 1);
		return [
			['at', instant(Math.round(found.at_ns))],
			...found.shares.map(({ task, share }) => [task, threads(share)]),
			['free', threads(Math.max(0, free))],
		];
	}
	if (found.kind === 'detail')
		return [
			['lane', found.lane],
			['from', instant(found.start_ns)],
			['for', duration(found.end_ns - found.start_ns)],
			...found.shares.map(({ task, share }) => [task, percent(share)]),
		];
	const list = [];
	if (found.kind === 'measured') {
		list.push(
			['segment', `${found.segment_name ?? found.segment} (${KINDS[found.resource]}), as recorded`],
			['took', duration(found.recorded_end_ns - found.recorded_start_ns)],
		);
	} else if (found.kind !== 'job') {
		const kind = found.kind === 'block' ? 'kernel' : KINDS[found.resource];
		const note = USE_NOTES[found.use];
		const use = note ? `, ${note}` : '';
		list.push(['segment', `${found.segment_name ?? found.segment} (${kind}${use})`]);
		if (found.stream !== undefined && found.stream !== null)
			list.push(['stream', found.stream < 0 ? 'NULL' : number(found.stream)]);
		if (found.kind === 'block')
			list.push(
				['block', place(found)],
				['threads', found.threads === null ? '–' : number(found.threads)],
			);
		if (found.kind === 'segment' && found.ready_ns < found.start_ns)
			list.push([
				'ready',
				`${instant(found.ready_ns)}, ${duration(found.start_ns - found.ready_ns)} before`,
			]);
		list.push(
			['start', instant(found.start_ns)],
			['end', instant(found.end_ns)],
			['took', `${duration(found.end_ns - found.start_ns)}, ${found.ended}`],
		);
	} else {
		list.push(['release', instant(found.release_ns)]);
		if (found.first_start_ns !== null)
			list.push(['first start', `${instant(found.first_start_ns)}`]);
		list.push([found.state === 'finished' ? 'finish' : found.state, instant(found.finish_ns)]);
	}
	if (found.recorded_start_ns !== undefined) list.push(...bothLines(found));
	if (found.kind === 'measured') return list;
	if (found.deadline_ns !== undefined)
		list.push(['deadline', found.deadline_ns === null ? 'none' : instant(found.deadline_ns)]);
	if (found.response_ns !== undefined) list.push(['response', response(found)]);
	return list;
}

function response(found) {
	const text = found.response_ns === null ? found.state : duration(found.response_ns);
	if (!found.missed) return text;
	const late =
		found.finish_ns !== null && found.deadline_ns !== null && found.finish_ns > found.deadline_ns
			? ` by ${duration(found.finish_ns - found.deadline_ns)}`
			: '';
	return element('span', {}, `${text}, `, element('span', { class: 'bad' }, `missed${late}`));
}

/* What it is, as nodes: a title and a list. */
export function describe(found) {
	const swatch = element('i');
	const several = found.kind === 'detail' || found.kind === 'threads';
	if (!several) swatch.style.background = taskColour(found.hue);
	const title = several
		? `${found.lane}: ${found.kind === 'threads' ? 'threads' : 'shares'}`
		: `${found.task}, job ${number(found.seq)}`;
	return [
		element('b', {}, several ? '' : swatch, title),
		element(
			'dl',
			{},
			...lines(found).flatMap(([name, value]) => [
				element('dt', {}, name),
				element('dd', {}, value),
			]),
		),
	];
}

export function showHover(box, found, x, y) {
	if (!found) {
		box.hidden = true;
		return;
	}
	box.replaceChildren(...describe(found));
	box.hidden = false;
	const { offsetWidth: width, offsetHeight: height } = box;
	box.style.left = `${x + 18 + width > innerWidth ? Math.max(4, x - 14 - width) : x + 18}px`;
	box.style.top = `${Math.max(4, Math.min(innerHeight - height - 6, y + 14))}px`;
}
