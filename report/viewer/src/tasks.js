/*
 * tasks.js - the tasks of the one set of a recording, or of its variants: what they ask for, how they fared under each policy.
 */
import { taskColour } from './colours.js';
import { element, get } from './dom.js';
import { number, realsOf } from './format.js';
import { families, policies, setLabels } from './names.js';
import { Table } from './table.js';

/* Times in ms, over all runs of a policy; the 99 % are of the histograms, which are exact to 1/16. */
export const TASKS = `WITH
seen AS (
	SELECT r.policy_id, r.platform_id, a.task_id, sum(a.jobs) AS jobs, sum(a.misses) AS misses,
		sum(a.mean_response_ns * a.responses) / nullif(sum(a.responses), 0) AS mean_ns,
		max(a.max_response_ns) AS worst_ns, max(a.worst_lower_bound_ns) AS bound_ns
	FROM run_task a JOIN run r USING (run_id) WHERE r.status <> 'error' GROUP BY r.policy_id, r.platform_id, a.task_id),
buckets AS (
	SELECT r.policy_id, r.platform_id, h.task_id, h.upper_ns, sum(h.jobs) AS jobs
	FROM run_task_hist h JOIN run r USING (run_id) WHERE r.status <> 'error'
	GROUP BY r.policy_id, r.platform_id, h.task_id, h.upper_ns),
filled AS (
	SELECT *, sum(jobs) OVER (PARTITION BY policy_id, platform_id, task_id ORDER BY upper_ns) AS below,
		sum(jobs) OVER (PARTITION BY policy_id, platform_id, task_id) AS n FROM buckets),
most AS (
	SELECT policy_id, platform_id, task_id, min(upper_ns) AS p99_ns FROM filled WHERE below >= 0.99 * n
	GROUP BY policy_id, platform_id, task_id)
SELECT t.name AS task, t.taskset_id AS taskset, p.name AS policy, p.params, l.name AS platform, t.period_ns / 1e6 AS period_ms,
	t.deadline_ns / 1e6 AS deadline_ms, s.jobs, s.mean_ns / 1e6 AS mean_ms,
	min(m.p99_ns, s.worst_ns) / 1e6 AS p99_ms, s.worst_ns / 1e6 AS worst_ms,
	1.0 * max(coalesce(s.worst_ns, s.bound_ns), coalesce(s.bound_ns, s.worst_ns)) / t.deadline_ns AS worst_normalised,
	iif(t.deadline_ns IS NULL, NULL, s.misses) AS misses, t.task_idx, s.policy_id, s.platform_id
FROM seen s JOIN task t USING (task_id) JOIN policy p USING (policy_id) JOIN platform l USING (platform_id)
	LEFT JOIN most m ON m.policy_id = s.policy_id AND m.platform_id = s.platform_id AND m.task_id = s.task_id
ORDER BY t.task_idx, t.taskset_id, s.policy_id, s.platform_id`;

const ms = (label, values, title) => ({
	label: `${label} (ms)`,
	numeric: true,
	title,
	show: realsOf(values),
	hidden: values.every((value) => value === null),
});

/* Which colour a task of a set has: that of its family. */
function huesOf(recording) {
	const sets = new Map();
	for (const [set, name] of recording.query('SELECT taskset_id, name FROM task ORDER BY taskset_id, task_idx').rows) {
		if (!sets.has(set)) sets.set(set, []);
		sets.get(set).push(name);
	}
	const hues = new Map([...sets].map(([set, names]) => [set, families(names).of]));
	return (set, task) => hues.get(set)[task];
}

function columnsOf(recording, columns, rows) {
	const hue = huesOf(recording);
	const at = (name) => columns.indexOf(name);
	const valuesOf = (name) => rows.map((row) => row[at(name)]);
	const alike = (name) => new Set(valuesOf(name)).size <= 1;
	const names = policies(recording),
		sets = setLabels(recording);
	/* A platform of its own says which set it is, unless the sets have names that say more. */
	const pairs = new Set(rows.map((row) => `${row[at('taskset')]} ${row[at('platform_id')]}`)).size;
	const named = recording.value('SELECT count(DISTINCT name) FROM taskset') === sets.size;
	const told = !named && !alike('platform') && new Set(valuesOf('platform')).size === pairs;
	const most = Math.max(1, ...valuesOf('worst_normalised'));
	const known = {
		task: {
			show: (value, row) =>
				element(
					'span',
					{ class: 'task' },
					element('i', { style: `background: ${taskColour(hue(row[at('taskset')], row[at('task_idx')]))}` }),
					value,
				),
		},
		taskset: { label: 'set', hidden: alike('taskset') || told, show: (value) => sets.get(value) },
		policy: {
			hidden: alike('policy_id'),
			show: (value, row) => names.get(row[at('policy_id')]).label,
		},
		params: { hidden: true },
		platform: { hidden: alike('platform') },
		period_ms: ms('period', valuesOf('period_ms')),
		deadline_ms: ms('deadline', valuesOf('deadline_ms')),
		jobs: { numeric: true, show: number },
		mean_ms: ms('mean', valuesOf('mean_ms'), 'mean response'),
		p99_ms: ms('99 %', valuesOf('p99_ms'), '99 of 100 responses are at most so long (to 1/16)'),
		worst_ms: ms('worst', valuesOf('worst_ms'), 'the worst response'),
		worst_normalised: {
			label: 'worst ÷ deadline',
			title: 'the worst response against the deadline; more than 1 is a miss',
			numeric: true,
			hidden: valuesOf('worst_normalised').every((value) => value === null),
			show: realsOf(valuesOf('worst_normalised'), 3),
			bar: (value) => (value === null ? null : value / most),
			tone: (value) => (value > 1 ? 'bad' : 'good'),
		},
		misses: {
			numeric: true,
			hidden: valuesOf('misses').every((value) => value === null),
			show: (value) =>
				value > 0 ? element('span', { class: 'bad' }, number(value)) : value === null ? '–' : '0',
		},
	};
	return columns.map((name) => known[name] ? { name, ...known[name] } : { name, hidden: true });
}

/* The job with the worst response of a task of a set under a policy: { run, seq }, or null where jobs are not recorded. */
function worstJob(recording, task, set, policy, platform) {
	const [row] = recording.query(
		`SELECT j.run_id, j.seq FROM job j JOIN run r USING (run_id) JOIN task t USING (task_id)
		WHERE t.task_idx = :task AND t.taskset_id = :set AND r.policy_id = :policy AND r.platform_id = :platform AND j.response_ns IS NOT NULL
		ORDER BY j.response_ns DESC, j.run_id, j.seq LIMIT 1`,
		{ task, set, policy, platform },
	).rows;
	return row ? { run: row[0], seq: row[1] } : null;
}

/* chosen(run, task, seq): a row was clicked; null where there is no schedule to show. */
export function fillTasks(recording, known, chosen) {
	const part = get('tasks-part');
	part.hidden = (known.sets !== 1 && !known.variants) || known.runs === 0;
	if (part.hidden) return;
	const { columns, rows } = recording.query(TASKS);
	const at = (row, name) => row[columns.indexOf(name)];
	const show = (row) => {
		const task = at(row, 'task_idx');
		const job = worstJob(recording, task, at(row, 'taskset'), at(row, 'policy_id'), at(row, 'platform_id'));
		if (job) chosen(job.run, task, job.seq);
	};
	new Table(get('tasks-table'), { more: get('tasks-more'), noun: 'tasks', chosen: chosen && show }).fill(
		columnsOf(recording, columns, rows),
		rows,
	);
	get('tasks-lead').textContent =
		'Responses are from release to end.' + (chosen ? ' A click on a row shows its worst job in the schedule.' : '');
}
