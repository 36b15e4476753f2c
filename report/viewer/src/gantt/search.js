/*
 * search.js - the one binary search of the schedule: its arrays are in order, of end, of start, or of number.
 */

/* The first of 0 .. count - 1 that `reached` is true of; count if it is true of none. From one on it is true of all. */
export function firstWhere(count, reached) {
	let low = 0,
		high = count;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (reached(middle)) high = middle;
		else low = middle + 1;
	}
	return low;
}
