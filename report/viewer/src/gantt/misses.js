/*
 * misses.js - from one missed deadline to the next: which, where to look, and what to say of it.
 */
import { duration, number } from '../format.js';

/* From the miss that was shown last if it is still in view, or else from what is in view; null: there is none. */
export function nextOf(misses, last, { from, to }, direction) {
	let next;
	if (last !== null && misses[last].deadline >= from && misses[last].deadline <= to)
		next = last + direction;
	else if (direction > 0) next = misses.findIndex((miss) => miss.deadline >= from);
	else next = misses.findLastIndex((miss) => miss.deadline <= to);
	return next < 0 || next >= misses.length ? null : next;
}

export const noMiss = (misses, direction) =>
	misses.length === 0
		? 'No job of this run missed its deadline.'
		: `No ${direction > 0 ? 'later' : 'earlier'} miss.`;

/* From before its release to behind its end, or its deadline. */
export function around({ release, deadline, finish }, runEnd) {
	const end = Number.isNaN(finish)
		? Math.max(deadline, Math.min(runEnd, deadline * 2 - release))
		: Math.max(finish, deadline);
	const margin = (end - release) * 0.15 + 100;
	return [release - margin, end + margin];
}

export function describeMiss(store, index) {
	const { task, seq, finish, deadline } = store.misses[index];
	const place = `Miss ${number(index + 1)} of ${number(store.misses.length)}`;
	let what = 'removed at its deadline';
	if (Number.isNaN(finish)) what = 'never finished';
	else if (finish > deadline) what = `${duration(finish - deadline)} late`;
	return `${place}: ${store.tasks[task].name}, job ${number(seq)}, ${what}.`;
}
