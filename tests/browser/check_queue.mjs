/*
 * check_queue.mjs - what waits at an instant agrees with the recording: a segment waits from when it is
 * ready until it first runs, and again from its preemption until it goes on.
 */
import { tab } from './browser.mjs';
import { intervalsRead, settled } from './gantt_map.mjs';
import { rowsOf } from './recordings.mjs';
import { randomNumbers } from './tap.mjs';

/*
 * A core that a task holds while it waits (spinning) is a row of its own; the segment it waits for has
 * its own row.
 */
const WAITING = `WITH part AS (
	SELECT i.*, lag(end_ns) OVER (PARTITION BY task_id, seq, segment_idx, code & 15 ORDER BY part) AS before_ns
	FROM segment_interval i WHERE run_id = :run)
SELECT t.name AS task, p.seq, p.segment_idx AS segment, p.resource, p.start_ns AS to_ns,
	coalesce(p.before_ns, p.ready_ns) AS from_ns
FROM part p JOIN task t USING (task_id)
WHERE p.start_ns > coalesce(p.before_ns, p.ready_ns) AND p.kind = 'run'`;
const INSTANTS = 50;

const sorted = (items) => items.map(({ task, seq, segment }) => `${task} ${seq} ${segment}`).sort();

export async function checkQueue(t, { page }, { name, db }) {
	await tab(page, 'schedule');
	const runs = await rowsOf(
		db,
		'SELECT run_id, max(end_ns) AS end FROM segment_interval GROUP BY run_id',
	);
	const random = randomNumbers(3);
	for (const { run_id: run, end } of runs) {
		const waits = await rowsOf(db, WAITING, { run });
		await page.select('#run', String(run));
		await settled(page, (view) => view.run === run);
		await intervalsRead(page);
		// Random instants, and instants at which something waits: the first, the last, the one after it.
		const instants = [...Array(INSTANTS).keys()].map((step) => {
			const wait = waits[Math.floor(random() * waits.length)];
			if (step % 2 === 0 || !wait) return Math.floor(random() * end);
			return [
				wait.from_ns,
				wait.to_ns - 1,
				wait.to_ns,
				Math.floor((wait.from_ns + wait.to_ns) / 2),
			][(step >> 1) % 4];
		});
		const got = await page.evaluate(
			(instants) => instants.map((ns) => window.cegsim.gantt.queueAt(ns)),
			instants,
		);
		let some = 0;
		const wrong = instants
			.map((ns, index) => {
				const now = waits.filter((wait) => wait.from_ns <= ns && ns < wait.to_ns);
				some += now.length > 0;
				const expected = ['cpu', 'copy', 'gpu'].map((resource) =>
					sorted(now.filter((wait) => wait.resource === resource)),
				);
				const seen = ['cpu', 'copy', 'gpu'].map((resource) =>
					sorted(got[index][resource]),
				);
				return JSON.stringify(seen) === JSON.stringify(expected)
					? null
					: { run, ns, seen, expected };
			})
			.filter((what) => what);
		t.ok(
			!wrong.length && (some > 5 || waits.length < 5),
			`${name}, run ${run}: the queue at ${INSTANTS} instants, ${some} with somebody in it`,
			...wrong.slice(0, 3),
		);
	}
}
