/*
 * both.js - what was recorded of a segment beside what was simulated: in words, and for all segments of the job that is
 * looked at as a table beside the schedule.
 */
import { taskColour } from '../colours.js';
import { element } from '../dom.js';
import { duration, instant, number } from '../format.js';

/* deviation: simulated minus recorded start, null: not known. */
export function offBy(deviation) {
	if (deviation === null) return 'not known';
	if (deviation === 0) return 'none';
	return `${duration(Math.abs(deviation))} ${deviation < 0 ? 'later' : 'earlier'}`;
}

export const reasonWords = (reason) => (reason === null ? '–' : reason.replace(/_/g, ' '));

/* From and to in ms, to the nanosecond; an end may be unknown. */
const span = (start, end) => (end === null ? `from ${instant(start)}` : `${instant(start).replace(' ms', '')} – ${instant(end)}`);

/* Lines of a note: [name, text]. */
export function bothLines(found) {
	const { simulated_start_ns: start, simulated_end_ns: end } = found;
	const lines = [
		['recorded', span(found.recorded_start_ns, found.recorded_end_ns)],
		['simulated', start === null ? 'not in this page, or never' : span(start, end)],
		['deviation', offBy(found.deviation_ns)],
	];
	if (found.reason !== null) lines.push(['reason', reasonWords(found.reason)]);
	return lines;
}

const classOf = (deviation, tolerance) =>
	deviation === null ? '' : Math.abs(deviation) <= tolerance ? 'near' : deviation < 0 ? 'later' : 'earlier';

export class Both {
	constructor(box) {
		this.box = box;
		this.key = null;
	}

	/* job: { task, seq }, or null, which leaves the last one. Called for every frame. */
	follow(store, job) {
		this.box.hidden = !store.measured;
		if (!store.measured || !job) return;
		const key = `${store.run} ${job.task} ${job.seq} ${store.tolerance}`;
		if (key === this.key) return;
		this.key = key;
		this.fill(store, job);
	}

	fill(store, { task, seq }) {
		const rows = store.measured.ofJob(task, seq);
		const swatch = element('i');
		swatch.style.background = taskColour(store.hue(task));
		const title = element('h3', {}, swatch, `Recorded: ${store.tasks[task].name}, job ${number(seq)}`);
		if (rows.length === 0) {
			this.box.replaceChildren(title, element('p', { class: 'none' }, 'Nothing was recorded of this job.'));
			return;
		}
		this.box.replaceChildren(title, ...rows.map((row) => this.segment(store, task, row)));
	}

	segment(store, task, row) {
		const name = store.segmentName(task, row.segment) ?? store.segmentOf(task, row.segment)?.kind ?? '';
		const mark = element('i', { class: `deviation ${classOf(row.deviation_ns, store.tolerance)}` });
		return element(
			'dl',
			{ 'data-segment': row.segment, 'data-deviation': row.deviation_ns },
			element('dt', { class: 'segment' }, mark, `${row.segment} ${name}`),
			...bothLines(row).flatMap(([label, text]) => [
				element('dt', {}, label),
				element('dd', {}, text),
			]),
		);
	}
}
