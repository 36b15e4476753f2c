/*
 * chains.js - the chains of the runs: ages and reactions with their limits; a row leads to the way of the worst data in the
 * schedule.
 */
import { element, get } from './dom.js';
import { number, realsOf } from './format.js';
import { policies } from './names.js';
import { Table } from './table.js';

/* The job to look at is that of the last task with the greatest age, or with the longest reaction if that is more. */
export const CHAINS = `SELECT c.run_id, r.policy_id, c.platform, s.name AS taskset, c.chain, c.tasks, c.ages, c.mean_age_ms,
	c.max_age_ms, c.age_limit_ms, c.reactions, c.mean_reaction_ms, c.max_reaction_ms, c.reaction_limit_ms, c.kept,
	iif(coalesce(c.max_reaction_ms, -1) > coalesce(c.max_age_ms, -1), c.reaction_last_seq, c.age_last_seq) AS worst_job,
	(SELECT member_idx FROM chain_task k WHERE k.taskset_id = c.taskset_id AND k.chain_idx = c.chain_idx
		ORDER BY stage DESC LIMIT 1) AS last_task
FROM v_chain c JOIN run r USING (run_id) JOIN taskset s ON s.taskset_id = c.taskset_id ORDER BY c.run_id, c.chain_idx`;

const ms = (label, values, title) => ({
	label: `${label} (ms)`,
	numeric: true,
	title,
	show: realsOf(values),
	hidden: values.every((value) => value === null),
});

/* A figure with a bar against its limit, or against the greatest of the table. */
function greatest(label, values, limits, title) {
	const most = Math.max(...values.map((value, i) => limits[i] ?? value ?? 0), 1e-9);
	const broken = new Set(values.filter((value, i) => limits[i] !== null && value > limits[i]));
	return {
		...ms(label, values, title),
		bar: (value) => (value === null ? null : value / most),
		tone: (value) => (broken.has(value) ? 'bad' : 'good'),
	};
}

function columnsOf(recording, columns, rows) {
	const valuesOf = (name) => rows.map((row) => row[columns.indexOf(name)]);
	const alike = (name) => new Set(valuesOf(name)).size <= 1;
	const names = policies(recording);
	const limits = (name) => ({ ...ms('limit', valuesOf(name)), label: 'limit (ms)' });
	const known = {
		run_id: { label: 'run', numeric: true, hidden: alike('run_id') },
		policy_id: {
			label: 'policy',
			hidden: alike('policy_id'),
			show: (value) => names.get(value).label,
		},
		platform: { hidden: alike('platform') },
		taskset: { label: 'set', hidden: alike('taskset') },
		chain: {},
		tasks: {},
		ages: { numeric: true, show: number },
		mean_age_ms: ms('mean age', valuesOf('mean_age_ms')),
		max_age_ms: greatest(
			'greatest age',
			valuesOf('max_age_ms'),
			valuesOf('age_limit_ms'),
			'of an output when it is overwritten, from the read of its data',
		),
		age_limit_ms: limits('age_limit_ms'),
		reactions: { numeric: true, show: number },
		mean_reaction_ms: ms('mean reaction', valuesOf('mean_reaction_ms')),
		max_reaction_ms: greatest(
			'longest reaction',
			valuesOf('max_reaction_ms'),
			valuesOf('reaction_limit_ms'),
			'from an event just behind a read to the output that reacts to it',
		),
		reaction_limit_ms: limits('reaction_limit_ms'),
		kept: {
			hidden: valuesOf('kept').every((value) => value === null),
			show: (value) =>
				value === null
					? '–'
					: element('span', { class: value ? 'good' : 'bad' }, value ? 'yes' : 'no'),
		},
	};
	return columns.map((name) => (known[name] ? { name, ...known[name] } : { name, hidden: true }));
}

/* Recordings made before there were chains have no such view. chosen(run, task, seq, chain): a row was clicked. */
export function fillChains(recording, chosen) {
	const there = recording.value("SELECT count(*) FROM sqlite_master WHERE name = 'v_chain'");
	const { columns, rows } = there ? recording.query(CHAINS) : { columns: [], rows: [] };
	get('chains-part').hidden = rows.length === 0;
	if (rows.length === 0) return;
	const at = (row, name) => row[columns.indexOf(name)];
	const show = (row) => {
		if (at(row, 'worst_job') !== null) {
			chosen(at(row, 'run_id'), at(row, 'last_task'), at(row, 'worst_job'), at(row, 'chain'));
		}
	};
	new Table(get('chains-table'), { noun: 'chains', more: get('chains-more'), chosen: chosen && show }).fill(
		columnsOf(recording, columns, rows),
		rows,
	);
	get('chains-lead').textContent =
		'How old data is at the end of a chain, and how long it takes to react.' +
		(chosen ? ' A click on a row shows the way of that data in the schedule, to the worst job of the last task.' : '');
}
