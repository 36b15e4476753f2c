/*
 * check_chains.mjs - the table of chains says what SQL says, and leads to the worst job.
 */
import { tab } from './browser.mjs';
import { seenTable, shows } from './check_tables.mjs';
import { settled } from './gantt_map.mjs';
import { rowsOf } from './recordings.mjs';

const COLUMNS = {
	chain: 'chain',
	tasks: 'tasks',
	ages: 'ages',
	'mean age (ms)': 'mean_age_ms',
	'greatest age (ms)': 'max_age_ms',
	'limit (ms)': 'age_limit_ms',
	reactions: 'reactions',
	'mean reaction (ms)': 'mean_reaction_ms',
	'longest reaction (ms)': 'max_reaction_ms',
	kept: 'kept',
};

export async function checkChains(t, { page }, { name, db }) {
	const rows = await rowsOf(db, '@chains');
	await tab(page, 'tasks');
	const seen = await page.evaluate(seenTable, '#chains-table');
	const wrong = [];
	rows.forEach((row, i) => {
		for (const [header, column] of Object.entries(COLUMNS)) {
			const text = seen.rows[i]?.[seen.header.indexOf(header)];
			if (!shows(text ?? '?', row[column])) wrong.push([i, header, text, row[column]]);
		}
	});
	t.ok(rows.length > 0 && seen.rows.length === rows.length && !wrong.length,
		`${name}: ${rows.length} chains show what SQL says`, wrong.slice(0, 4));
	const [worst] = await rowsOf(db,
		`SELECT j.run_id, j.release_ns, j.finish_ns FROM v_chain c JOIN job j USING (run_id) JOIN task t USING (task_id)
		WHERE c.chain_idx = 0 AND c.run_id = 1 AND t.name = 'steer' AND j.seq =
			iif(c.max_reaction_ms > c.max_age_ms, c.reaction_last_seq, c.age_last_seq)`);
	await page.click('#chains-table tbody tr');
	const view = await settled(page);
	t.ok(view.run === worst.run_id && view.from_ns <= worst.release_ns && view.to_ns >= worst.finish_ns,
		`${name}: a click on a chain shows its worst job`, view, worst);
}

/* Nothing is said of chains where there are none. */
export async function checkNoChains(t, { page }, { name }) {
	t.ok(await page.$eval('#chains-part', (part) => part.hidden), `${name}: no chains, no table of them`);
}
