/*
 * why.js - why the job that is looked at took so long: its own time, and for whom it waited how long. These are the rows of
 * @waits, which add up to its response. Whoever it waited for is a button that leads to that job. Of operations in flight
 * the rows of @flight-waits stand below: what each of them, and the job, waited for in the job itself, side by side.
 *
 * The job that was clicked is asked about at once; one under the pointer when the pointer rests on it, as long as answers are
 * quick. In a large recording the first question waits for its button: it needs indexes that the page does not carry.
 */
import { taskColour } from '../colours.js';
import { painted } from '../data.js';
import { element } from '../dom.js';
import { number, percent } from '../format.js';

const RESTS = 200; /* ms */
const QUICK = 60; /* ms that an answer may take for the pointer to ask */

/* What is in the page of a run that is cut says nothing about a job that waited for what is not. */
const cut = (store) => ['job', 'segment_interval', 'block_interval'].some((table) => store.windows(table));

/* Milliseconds to the last nanosecond, as in @why. */
const exact = (ns) => String(ns / 1e6);

function blocker(row) {
	if (row.by_task === null) return '';
	return row.by_jobs > 1 ? `${row.by_task}, ${number(row.by_jobs)} jobs` : `${row.by_task} #${row.by_seq}`;
}

/* One thing that an operation, or the job at a wait, waited for. */
function flight(row) {
	return element(
		'tr',
		{ 'data-resource': row.resource, 'data-ms': row.amount_ms },
		element('th', { scope: 'row' }, row.segment),
		element('td', {}, [row.resource, row.for_segment].filter((word) => word !== null).join(' ')),
		element('td', { class: 'num' }, exact(Math.round(row.amount_ms * 1e6))),
	);
}

export class Why {
	/* lead: shows a job of a run, by the index of its task. */
	constructor(recording, box, lead) {
		this.recording = recording;
		this.box = box;
		this.lead = lead;
		this.took = 0;
		this.key = this.awaited = null;
		this.say('Why', 'Click a job, or go to a miss: for whom it waited, and how long.');
	}

	say(title, text, ...more) {
		this.box.replaceChildren(element('h3', {}, title), element('p', { class: 'none' }, text), ...more);
	}

	/* job: { task, seq }, or null; kept: it was clicked. Called for every frame. */
	follow(store, job, kept) {
		const key = job && `${store.run} ${job.task} ${job.seq}`;
		/* A click asks also where the pointer has been, and did not. */
		if (key === this.awaited && !(kept && job && key !== this.key)) return;
		clearTimeout(this.timer);
		this.awaited = key;
		if (!job || key === this.key) return;
		if (kept) this.ask(store, job, key);
		else if (this.took < QUICK && this.recording.waitsIndexed() && !cut(store))
			this.timer = setTimeout(() => this.ask(store, job, key), RESTS);
	}

	ask(store, { task, seq }, key) {
		this.key = key;
		const title = `Why ${store.tasks[task].name}, job ${number(seq)}`;
		if (cut(store)) {
			this.say(title, 'Not all rows of this run are in the page: ask @why of the recording itself.');
		} else if (this.recording.waitsIndexed()) {
			this.answer(store, task, seq, title);
		} else {
			const button = element('button', { type: 'button' }, 'Find out');
			button.addEventListener('click', async () => {
				this.say(title, 'Putting the intervals in order, once …');
				await painted();
				this.recording.indexWaits();
				if (this.key === key) this.answer(store, task, seq, title);
			});
			this.say(title, 'It takes a moment in a recording of this size.', button);
		}
	}

	answer(store, task, seq, title) {
		const began = performance.now();
		const inside = this.box.contains(document.activeElement);
		try {
			const rows = this.recording.namedRecords('waits', { run: store.run, task: store.tasks[task].name, seq });
			const flights = store.streams
				? this.recording.namedRecords('flight-waits', { run: store.run, task: store.tasks[task].name, seq })
				: [];
			this.took = performance.now() - began;
			this.fill(store, task, title, rows);
			if (flights.length > 0) this.box.append(this.inFlight(flights));
		} catch (error) {
			this.say(title, error.message);
		}
		if (inside) this.box.querySelector('h3').focus();
	}

	fill(store, task, title, rows) {
		const swatch = element('i');
		swatch.style.background = taskColour(store.hue(task));
		const total = rows.reduce((sum, { amount_ms }) => sum + Math.round(amount_ms * 1e6), 0);
		this.box.replaceChildren(
			element('h3', { tabindex: -1 }, swatch, title),
			element(
				'table',
				{},
				element('caption', {}, `${exact(total)} ms from release to end:`),
				element(
					'tbody',
					{},
					...rows.map((row) => this.line(store, row)),
				),
			),
		);
	}

	inFlight(rows) {
		return element(
			'table',
			{ class: 'flights' },
			element('caption', {}, 'In flight, side by side:'),
			element('tbody', {}, ...rows.map((row) => flight(row))),
		);
	}

	line(store, row) {
		const idx = store.tasks.findIndex(({ name }) => name === row.by_task);
		const who = element('td');
		if (idx >= 0) {
			const button = element(
				'button',
				{ type: 'button', class: 'quiet', onclick: () => this.lead(store.run, idx, row.by_seq) },
				blocker(row),
			);
			button.style.borderLeft = `3px solid ${taskColour(store.hue(idx))}`;
			who.append(button);
		}
		return element(
			'tr',
			{ 'data-resource': row.resource, 'data-ms': row.amount_ms },
			element('th', { scope: 'row' }, row.resource),
			who,
			element(
				'td',
				{ class: 'num', title: percent(row.share) },
				exact(Math.round(row.amount_ms * 1e6)),
			),
		);
	}
}
