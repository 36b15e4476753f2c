/*
 * statement.js - what a statement is given and what it answers, for the page and for its worker alike.
 */

/* Names without their colon; what is not there is NULL. */
export function bound(params) {
	const values = {};
	for (const [name, value] of Object.entries(params)) values[`:${name}`] = value ?? null;
	return values;
}

const exact = (value) => {
	if (typeof value !== 'bigint') return value;
	return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
};

/* Whole numbers that a double cannot hold are given as text, digit by digit. */
export function exactRow(statement) {
	const row = statement.get();
	if (!row.some((value) => Number.isInteger(value) && !Number.isSafeInteger(value))) return row;
	return statement.get(null, { useBigInt: true }).map(exact);
}

/* Nothing in a page changes its recording, whatever a statement before has set. */
export const guard = (db) => db.run('PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY; PRAGMA query_only = ON;');
