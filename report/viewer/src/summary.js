/*
 * summary.js - the top of the page: what the recording holds, its runs, and the policies side by side. Every
 * number is the answer to a query that the page can show.
 */
import { element, get } from './dom.js';
import { bytes, number, params, percent, percentsOf, realsOf } from './format.js';
import { Table } from './table.js';

const LEVELS = ['summary', 'jobs', 'segments', 'blocks', 'issues'];
const BULK = {
	job: 'jobs',
	segment_interval: 'intervals',
	block_interval: 'blocks',
	power_interval: 'intervals of power',
	decision: 'decisions',
	warp_issue: 'instructions',
	measured: 'recorded segments',
};

/* Policies of a platform, as @compare counts: the worst response includes what is known of unfinished jobs. */
export const POLICIES = `WITH RECURSIVE
worst AS (
	SELECT run_id, max(max(coalesce(max_ms, lower_bound_ms), coalesce(lower_bound_ms, max_ms)) / relative_deadline_ms) AS normalised
	FROM v_task_response GROUP BY run_id),
counted AS (
	SELECT r.platform, r.policy, r.params, count(*) AS runs, sum(r.schedulable) AS k, count(DISTINCT r.taskset_id) AS sets,
		sum(r.status = 'refused') AS refused, sum(r.jobs) AS jobs, sum(r.misses) AS misses,
		1.0 * sum(r.misses) / nullif(sum(r.jobs), 0) AS miss_ratio,
		max(w.normalised) AS worst_normalised, avg(e.energy_j) AS mean_energy_j,
		avg(e.mean_power_w) AS mean_power_w, avg(e.idle_sm_share) AS idle_sm_share, min(r.run_id) AS first_run
	FROM v_run r LEFT JOIN worst w USING (run_id) LEFT JOIN v_energy e USING (run_id)
	WHERE r.status <> 'error' GROUP BY r.platform, r.policy, r.params),
accepted AS (SELECT *, 1.0 * k * sets / runs AS e FROM counted), -- of the sets: runs of one set are not independent
root (sets, e, step, x, root) AS ( -- Newton's, from above
	SELECT DISTINCT sets, e, 0, e * (sets - e) / sets + 0.9604, e * (sets - e) / sets + 1.9604 FROM accepted
	UNION ALL
	SELECT sets, e, step + 1, x, (root + x / root) / 2 FROM root WHERE step < 40)
SELECT c.platform, c.policy, c.params, c.runs, c.refused, 1.0 * c.k / c.runs AS schedulable,
	CASE c.k WHEN 0 THEN 0.0 ELSE (c.e + 1.9208 - 1.96 * w.root) / (c.sets + 3.8416) END AS lower95,
	CASE c.k WHEN c.runs THEN 1.0 ELSE (c.e + 1.9208 + 1.96 * w.root) / (c.sets + 3.8416) END AS upper95,
	c.jobs, c.misses, c.miss_ratio, c.worst_normalised, c.mean_energy_j, c.mean_power_w, c.idle_sm_share
FROM accepted c JOIN root w ON w.sets = c.sets AND w.e = c.e AND w.step = 40
ORDER BY c.first_run`;

/* Several sets that are one scenario in other circumstances (other boards, other values), and not drawn by a recipe. */
const VARIANTS_MOST = 12;
const VARIANTS = `SELECT count(DISTINCT names) = 1 AND min(written) FROM (
	SELECT json_group_array(name) AS names, min(written) AS written FROM (
		SELECT s.taskset_id, t.name, coalesce(json_extract(s.recipe, '$.recipe'), 'scenario') = 'scenario' AS written
		FROM taskset s JOIN task t USING (taskset_id) ORDER BY s.taskset_id, t.task_idx)
	GROUP BY taskset_id)`;

/* Sets of which verdicts alone are recorded. */
const BRIEF = 'SELECT sum(sets) FROM (SELECT max(sets) AS sets FROM tally GROUP BY point_id)';

const plural = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

function distinct(values, most = 4) {
	const names = [...new Set(values)];
	return names.length > most
		? `${names.slice(0, most - 1).join(', ')} and ${names.length - most + 1} more`
		: names.join(', ');
}

/* The recording in numbers, and the levels of its runs. */
export function facts(recording) {
	const one =
		recording.records(`SELECT count(*) AS runs, count(DISTINCT policy_id) AS policies,
		count(DISTINCT taskset_id) AS sets, sum(jobs) AS jobs, sum(misses) AS misses FROM run`)[0];
	if (one.runs === 0) {
		one.policies = recording.value('SELECT count(*) FROM policy');
		one.sets = recording.value('SELECT count(*) FROM taskset');
	}
	one.levels = recording
		.query('SELECT DISTINCT record FROM run')
		.rows.map(([level]) => level)
		.sort((a, b) => LEVELS.indexOf(a) - LEVELS.indexOf(b));
	/* Without any deadline nothing is missed, and nothing kept. */
	one.deadlines = recording.value('SELECT count(*) FROM task WHERE deadline_ns IS NOT NULL') > 0;
	one.analyses = recording.value('SELECT count(*) FROM analysis_run');
	one.brief = recording.value(BRIEF) ?? 0;
	one.variants = one.sets > 1 && one.sets <= VARIANTS_MOST && recording.value(VARIANTS) === 1;
	return one;
}

export function fillHeader(recording, known) {
	const { meta } = recording;
	document.title = `${meta.title} – cegsim`;
	get('title').textContent = meta.title;
	const platforms = distinct(
		recording.query('SELECT name FROM platform ORDER BY platform_id').rows.map(([name]) => name),
	);
	const parts = [
		plural(known.runs, 'run'),
		plural(known.policies, 'policy', 'policies'),
		plural(known.sets, 'task set'),
		known.brief > 0 && `verdicts alone of ${number(known.brief)} more`,
		platforms,
		plural(known.jobs ?? 0, 'job'),
		known.deadlines && plural(known.misses ?? 0, 'miss', 'misses'),
	];
	if (known.analyses > 0)
		parts.push(plural(known.analyses, 'verdict of analyses', 'verdicts of analyses'));
	parts.push(
		known.runs > 0 && `recorded at ${known.levels.join(', ')}`,
		bytes(meta.recording_bytes),
		`cegsim ${meta.tool}`,
	);
	get('holds').replaceChildren(
		...parts.filter(Boolean).flatMap((part) => [element('span', {}, part), ' ']),
	);
	get('foot-tool').textContent = `cegsim ${meta.tool}`;
	fillNotes(recording, known);
}

function fillNotes(recording, known) {
	const { meta } = recording;
	const notes = [];
	if (known.brief > 0) {
		const here = recording.value('SELECT 1 FROM verdict LIMIT 1') ? 'in the table verdict' : 'too many for this page';
		notes.push(
			`Of ${plural(known.brief, 'task set')} the recording has verdicts alone. Acceptance counts them; all else ` +
				`is about the ${number(known.sets)} that were kept, most of them because something went wrong. The verdicts ` +
				`of each set are ${here}: cegsim query FILE.db @verdicts has them, and cegsim sweep FILE.db ` +
				'--units N -o SET.db records all that happens in set N.',
		);
	}
	if (meta.interrupted)
		notes.push(
			`The recording is not whole: ${meta.interrupted}. What is here are the runs that had finished.`,
		);
	for (const [table, { rows, kept }] of Object.entries(meta.tables)) {
		if (kept < rows)
			notes.push(
				`${number(kept)} of ${number(rows)} ${BULK[table] ?? table} are in this page; ` +
					`queries on ${table} see only those. cegsim view --limit, --from, --to and --run choose what is taken.`,
			);
	}
	const list = get('notes');
	list.hidden = notes.length === 0;
	list.replaceChildren(...notes.map((note) => element('li', {}, note)));
}

const yesNo = (value) =>
	value === null ? '–' : element('span', { class: value ? 'good' : 'bad' }, value ? 'yes' : 'no');

const count = (value) => (value === null ? '–' : number(value));

const runColumns = (valuesOf) => ({
	run_id: { label: 'run', numeric: true },
	params: { label: 'options', show: (value) => params(value) || '–' },
	jobs: { numeric: true, show: count },
	misses: {
		numeric: true,
		show: (value) =>
			value === null
				? '–'
				: value > 0
					? element('span', { class: 'bad' }, number(value))
					: '0',
	},
	schedulable: { show: yesNo },
	stop_ms: { label: 'end (ms)', numeric: true, show: realsOf(valuesOf('stop_ms'), 7) },
	energy_j: { label: 'energy (J)', numeric: true, show: realsOf(valuesOf('energy_j'), 5) },
});

/* What a run is called; and what says nothing where no task has a deadline. */
const NAMES = new Set(['run_id', 'policy']);
const OF_DEADLINES = new Set(['misses', 'schedulable', 'lower95', 'upper95', 'miss_ratio']);

/* [columns to leave out, what they say of all runs]: those that say nothing, or the same of several runs. */
function sameInAll(known, columns, rows) {
	const out = new Set(),
		said = [];
	for (const { name, label = name, show = String } of columns) {
		const values = new Set(rows.map((row) => row[columns.findIndex((column) => column.name === name)]));
		if (NAMES.has(name) || values.size !== 1) continue;
		const [value] = values;
		const nothing = value === null || value === '{}' || (!known.deadlines && OF_DEADLINES.has(name));
		if (!nothing && rows.length === 1) continue;
		out.add(name);
		const text = nothing ? '' : show(value);
		if (!nothing) said.push(`${label} ${text.textContent ?? text}`);
	}
	return [out, said.length > 0 ? `The same of all: ${said.join(', ')}.` : ''];
}

/* chosen(run): a row was chosen; selected(): the run in the schedule; without: why there is no schedule. */
export function fillRuns(recording, known, { chosen, selected, without }) {
	const limited = recording.find('overview').params.some((param) => param.name === 'limit');
	const { columns, rows } = recording.named('overview', limited ? { limit: 1e9 } : {});
	const place = columns.indexOf('run_id');
	const table = new Table(get('summary'), {
		more: get('summary-more'),
		noun: 'runs',
		chosen: chosen && ((row) => chosen(row[place])),
		selected: selected && ((row) => row[place] === selected()),
	});
	const looks = runColumns((name) => rows.map((row) => row[columns.indexOf(name)]));
	const shown = columns.map((name) => ({ name, label: name.replace(/_/g, ' '), ...looks[name] }));
	const [same, said] = sameInAll(known, shown, rows);
	get('runs-part').hidden = rows.length === 0;
	table.fill(
		shown.map((column) => ({ ...column, hidden: same.has(column.name) })),
		rows,
	);
	get('runs-lead').textContent = [chosen ? 'A click on a row shows that run in the schedule.' : without, said]
		.filter(Boolean)
		.join(' ');
	return table;
}

/* Whether no policy was run with different options. */
const oneOfEach = (names, options) =>
	new Set(names).size === new Set(names.map((name, i) => `${name} ${options[i]}`)).size;

/* Bars are a share of the greatest of the column, ratios a share of 1. */
function policyColumns(known, columns, rows) {
	const valuesOf = (name) => rows.map((row) => row[columns.indexOf(name)]);
	const relative = (name) => {
		const most = Math.max(...valuesOf(name), 0);
		return (value) => (value === null || most <= 0 ? null : value / most);
	};
	const ratios = (name) => ({ numeric: true, bar: (value) => value, show: percentsOf(valuesOf(name)) });
	const reals = (name) => ({ numeric: true, bar: relative(name), show: realsOf(valuesOf(name)) });
	const upper = columns.indexOf('upper95');
	const alike = (name) => new Set(valuesOf(name)).size <= 1;
	const single = valuesOf('runs').every((value) => value === 1);
	const looks = {
		platform: { hidden: alike('platform') },
		params: {
			label: 'options',
			hidden: oneOfEach(valuesOf('policy'), valuesOf('params')),
			show: (value) => params(value) || '–',
		},
		runs: { numeric: true, hidden: single, show: number },
		refused: {
			numeric: true,
			hidden: valuesOf('refused').every((value) => value === 0),
			show: number,
			title: 'runs that the policy refused; they count as not schedulable',
		},
		schedulable: { ...ratios('schedulable'), tone: 'good' },
		lower95: {
			label: '95 % interval',
			numeric: true,
			hidden: single,
			show: (value, row) => `${percent(value)} to ${percent(row[upper])}`,
		},
		upper95: { hidden: true },
		jobs: { numeric: true, show: count },
		misses: { numeric: true, show: count },
		miss_ratio: { ...ratios('miss_ratio'), label: 'miss ratio', tone: 'bad' },
		worst_normalised: {
			...reals('worst_normalised'),
			label: 'worst ÷ deadline',
			title: 'the worst response against the deadline; more than 1 is a miss',
		},
		mean_energy_j: {
			...reals('mean_energy_j'),
			label: 'energy (J)',
			title: 'mean over the runs',
		},
		mean_power_w: {
			...reals('mean_power_w'),
			label: 'power (W)',
			title: 'mean over the runs',
		},
		idle_sm_share: {
			...ratios('idle_sm_share'),
			label: 'idle SMs',
			title: 'share of SMs without a block while another SM has one; mean over the runs',
		},
	};
	const nothing = (name) => valuesOf(name).every((value) => value === null);
	return columns.map((name) => {
		const column = { name, hidden: nothing(name), ...looks[name] };
		return !known.deadlines && OF_DEADLINES.has(name) ? { ...column, hidden: true } : column;
	});
}

export function fillPolicies(recording, known) {
	/* Of one policy and one set the tables of tasks and runs say the same. */
	get('policies-part').hidden = known.runs === 0 || (known.policies === 1 && known.sets === 1);
	const { columns, rows } = recording.query(POLICIES);
	new Table(get('policies'), { noun: 'runs' }).fill(policyColumns(known, columns, rows), rows);
	const single = rows.every((row) => row[columns.indexOf('runs')] === 1);
	if (!known.deadlines || single) get('policies-lead').textContent = single ? 'One run of each.' : 'Means are over the runs.';
}
