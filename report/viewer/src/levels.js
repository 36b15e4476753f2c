/*
 * levels.js - what an answer lacks because runs were recorded at too low a level, in the words of cegsim query: the statement
 * that says it comes with the page (db/levels.sql).
 */

/* need: { level, warps, first }; params may name a run or a task set. { empty: no run has it, sentence: or null }. */
export function lacking(recording, what, need, params, ofTable) {
	const [empty, sentence] = recording.query(recording.meta.levels.sql, {
		what,
		level: need.level,
		warps: need.warps,
		run: params.run ?? null,
		taskset: params.taskset ?? null,
		first: need.first,
		rows: ofTable ? 1 : 0,
	}).rows[0];
	return { empty: Boolean(empty), sentence };
}

/* The tables that a statement reads, be it through views or indexes. */
function tablesOf(recording, sql, params) {
	try {
		const plan = recording.query(`EXPLAIN ${sql}`, params);
		const opcode = plan.columns.indexOf('opcode'),
			root = plan.columns.indexOf('p2');
		const roots = new Set(plan.rows.filter((row) => row[opcode] === 'OpenRead').map((row) => row[root]));
		return recording
			.query('SELECT DISTINCT tbl_name, rootpage FROM sqlite_master WHERE rootpage > 0')
			.rows.filter(([, page]) => roots.has(page))
			.map(([table]) => table);
	} catch {
		return []; /* the answer itself says what is wrong with it */
	}
}

/* The same for statements of users: for the first table, from the lowest level up, that lacks rows of some runs. */
export function lackingTables(recording, sql, params, says) {
	const read = new Set(tablesOf(recording, sql, params));
	for (const [table, need] of Object.entries(recording.meta.levels.tables)) {
		if (!read.has(table)) continue;
		const { empty, sentence } = lacking(recording, table, need, {}, true);
		if (sentence && !(empty && says)) return sentence;
	}
	return null;
}
