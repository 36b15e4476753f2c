/*
 * tap.mjs - prints the results of the browser's tests in TAP: one line for each check, and the value found
 * if it fails.
 */
import { isDeepStrictEqual } from 'node:util';

const LONGEST = 700;

function shown(value) {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}

export class Tap {
	cases = 0;
	bad = 0;

	note(text) {
		for (const line of String(text).split('\n')) process.stdout.write(`# ${line}\n`);
	}

	/* One check; `why` says what was wrong, and is used only if the check fails. */
	ok(good, name, ...why) {
		this.cases++;
		if (!good) {
			this.bad++;
			for (const detail of why) this.note(`  ${shown(detail)}`);
		}
		process.stdout.write(
			`${good ? 'ok' : 'not ok'} ${this.cases} - ${name.replace(/[#\s]+/g, ' ').trim()}\n`,
		);
		return good;
	}

	is(got, expected, name) {
		const good = isDeepStrictEqual(got, expected);
		return this.ok(good, name, `got      ${shown(got)}`, `expected ${shown(expected)}`);
	}

	/* |got - expected| <= slack */
	near(got, expected, slack, name) {
		return this.ok(
			Math.abs(got - expected) <= slack,
			name,
			`got ${got}, expected ${expected} +- ${slack}`,
		);
	}

	/* A part of the test. If it throws, that is a failed check, and the next part goes on. */
	async part(name, body) {
		const began = performance.now();
		try {
			await body();
		} catch (error) {
			this.ok(false, `${name} came to its end`, error?.stack ?? error);
		}
		this.note(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
	}

	finish() {
		process.stdout.write(`1..${this.cases}\n`);
		process.exitCode = this.bad ? 1 : 0;
	}
}

/* The same random numbers in every run of a test (mulberry32). */
export function randomNumbers(seed) {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let word = Math.imul(state ^ (state >>> 15), state | 1);
		word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
		return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
	};
}
