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
