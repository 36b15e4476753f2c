/*
 * names.js - short names that are still unique: a policy has its options in its name only where others share its name.
 */
import { params } from './format.js';

/* Options in which texts like {"a":1} differ: [text, ...] for each. */
function differing(texts) {
	const parsed = texts.map((text) => JSON.parse(text || '{}'));
	const keys = [...new Set(parsed.flatMap(Object.keys))].filter(
		(key) => new Set(parsed.map((one) => JSON.stringify(one[key]))).size > 1,
	);
	return parsed.map((one) =>
		params(
			JSON.stringify(
				Object.fromEntries(
					keys.filter((key) => key in one).map((key) => [key, one[key]]),
				),
			),
		),
	);
}

/* entries: [{ name, params }]; gives a label for each, in order. */
export function labels(entries) {
	const groups = new Map();
	entries.forEach(({ name }, i) => groups.set(name, [...(groups.get(name) ?? []), i]));
	const found = [];
	for (const [name, places] of groups) {
		const extra = places.length > 1 ? differing(places.map((i) => entries[i].params)) : [''];
		places.forEach((i, k) => {
			found[i] = extra[k] ? `${name} ${extra[k]}` : name;
		});
	}
	return found;
}

/* policy_id -> { name, params, label, index }, of what was run, in order of its first run. */
export function policies(recording) {
	const rows = recording.records(
		`SELECT policy_id, p.name, p.params FROM policy p JOIN run r USING (policy_id)
		GROUP BY policy_id ORDER BY min(r.run_id)`,
	);
	const names = labels(rows);
	return new Map(
		rows.map(({ policy_id, name, params: options }, index) => [
			policy_id,
			{ name, params: options, label: names[index], index },
		]),
	);
}

const FAMILIES_FROM = 25; /* fewer tasks stand alone */

/*
 * Many tasks whose names differ in a number at the end alone ("stream 7 #12") are drawn as one, with one colour.
 * { names, of: the place in them for each task }.
 */
export function families(tasks) {
	const stems = tasks.map((name) => name.replace(/ #\d+$/, ''));
	const names = [...new Set(stems)];
	if (tasks.length < FAMILIES_FROM || names.length * 4 > tasks.length) return { names: tasks, of: tasks.map((_, i) => i) };
	const place = new Map(names.map((name, i) => [name, i]));
	return { names, of: stems.map((stem) => place.get(stem)) };
}

/* The same of a name in SQL. */
export const FAMILY_SQL = `rtrim(rtrim(task, '0123456789'), '# ')`;

const LABELLED_MOST = 500; /* sets whose options are compared */

/* taskset_id -> a name of its own: where sets share a name, with the options of their recipe in which they differ. */
export function setLabels(recording) {
	const rows = recording.query('SELECT taskset_id, name, recipe FROM taskset ORDER BY taskset_id').rows;
	const several = new Set(rows.map(([, name]) => name)).size < rows.length && rows.length <= LABELLED_MOST;
	const options = (recipe) => JSON.stringify((recipe && JSON.parse(recipe).options) || {});
	const names = several
		? labels(rows.map(([, name, recipe]) => ({ name, params: options(recipe) })))
		: rows.map(([, name]) => name);
	return new Map(rows.map(([id], i) => [id, names[i]]));
}

/*
 * What tells runs of a policy apart: (taskset_id, platform_id) => the name of the set, that of the platform, both, or ''.
 * Sets that share a name have that of their platform, where each has one of its own.
 */
export function contexts(recording) {
	const pairs = recording.query('SELECT DISTINCT taskset_id, platform_id FROM run').rows;
	const platforms = new Map(recording.query('SELECT platform_id, name FROM platform').rows);
	const names = setLabels(recording);
	const used = [0, 1].map((side) => new Set(pairs.map((pair) => pair[side])).size);
	const plain = recording.query('SELECT DISTINCT name FROM taskset').rows.length === names.size;
	const ownPlatform = used[1] === pairs.length && new Set(platforms.values()).size === platforms.size;
	const ownSet = used[0] === pairs.length;
	return (set, platform) => {
		if (used[0] > 1 && ownPlatform && !plain) return platforms.get(platform);
		const parts = [];
		if (used[0] > 1) parts.push(names.get(set));
		if (used[1] > 1 && !(used[0] > 1 && ownSet)) parts.push(platforms.get(platform));
		return parts.join(' · ');
	};
}
