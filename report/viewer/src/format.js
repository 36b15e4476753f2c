/*
 * format.js - numbers, times and names as people read them; CSV. The exact value stays in the title of a cell.
 */
export const number = (value) => value.toLocaleString('en').replace(/,/g, '\u202f');

export function real(value, digits = 4) {
	if (value === null || value === undefined) return '–';
	if (value === 0) return '0';
	const size = Math.abs(value);
	if (size >= 1e7) return value.toExponential(digits - 1).replace('e+', 'e');
	if (size >= 10 ** (digits - 1)) return number(Math.round(value));
	return String(Number(value.toPrecision(digits)));
}

export function percent(value) {
	if (value === null || value === undefined) return '–';
	const points = value * 100;
	if (Math.abs(points) < 0.1) return `${Number(points.toPrecision(2))} %`;
	/* Only all of them are 100 %. */
	const digits = points < 1 || (points > 99.9 && points < 100) ? 3 : points < 10 ? 2 : 1;
	return `${Number(points.toFixed(digits))} %`;
}

const DECIMALS_MOST = 6;

/* How many decimals all numbers of a column have: the least number has three digits, and not all end in zero. null: they
 * are too far apart for that. */
function decimalsOf(values, digits) {
	const sizes = values.filter((value) => value !== null && value !== 0).map(Math.abs);
	const least = sizes.reduce((a, b) => Math.min(a, b), Infinity),
		most = sizes.reduce((a, b) => Math.max(a, b), 0);
	const exponent = (size) => Math.floor(Math.log10(size));
	if (most === 0) return 0;
	const wanted = Math.max(0, digits - 1 - exponent(most), 2 - exponent(least));
	if (wanted > DECIMALS_MOST || most >= 1e7) return null;
	const used = (size) => String(Number(size.toFixed(wanted))).split('.')[1]?.length ?? 0;
	return sizes.reduce((a, b) => Math.max(a, used(b)), 0);
}

function fixed(value, decimals) {
	const [whole, rest] = value.toFixed(decimals).split('.');
	return `${number(Number(whole))}${rest ? `.${rest}` : ''}`;
}

/* real() for a column: (value) => text. */
export function realsOf(values, digits = 4) {
	const decimals = decimalsOf(values, digits);
	return (value) => (value === null || decimals === null ? real(value, digits) : fixed(value, decimals));
}

/* percent() for a column. Only a share of 1 is shown as 100 %. */
export function percentsOf(values) {
	const decimals = decimalsOf(
		values.map((value) => (value === null ? null : value * 100)),
		3,
	);
	const misleads = (value) => value < 1 && value > 0.99 && Number((value * 100).toFixed(decimals)) === 100;
	if (decimals === null || values.some(misleads)) return percent;
	return (value) => (value === null ? '–' : `${fixed(value * 100, decimals)} %`);
}

export function bytes(count) {
	const units = ['B', 'KiB', 'MiB', 'GiB'];
	let unit = 0,
		size = count;
	while (size >= 1024 && unit < units.length - 1) {
		size /= 1024;
		unit++;
	}
	return `${size < 10 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

const TIME = [
	[1e9, 's'],
	[1e6, 'ms'],
	[1e3, 'µs'],
	[1, 'ns'],
];

/* The unit for times around `size`: [nanoseconds, name]. */
export function timeUnit(size) {
	return TIME.find(([scale]) => Math.abs(size) >= scale) ?? TIME[3];
}

export function duration(ns) {
	if (ns === null || ns === undefined) return '–';
	const [scale, unit] = timeUnit(ns);
	const value = ns / scale;
	return `${Number(value.toFixed(scale === 1 ? 0 : 3))} ${unit}`;
}

/* An instant, exact to the nanosecond, in milliseconds. */
export function instant(ns) {
	if (ns === null || ns === undefined) return '–';
	return `${Number((ns / 1e6).toFixed(6))} ms`;
}

/* What a query answers: whole numbers as they are, others to seven digits. */
export function answer(value) {
	if (value === null) return 'NULL';
	if (typeof value === 'number')
		return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(7)));
	if (value instanceof Uint8Array) return `${value.length} bytes`;
	return String(value);
}

function csvField(value) {
	if (value === null || value === undefined) return '';
	const text =
		value instanceof Uint8Array
			? Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('')
			: String(value);
	return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

export const csv = (columns, rows) =>
	[columns, ...rows].map((row) => row.map(csvField).join(',')).join('\n') + '\n';

/* {"order":"head"} as order=head; nested lists stay JSON. */
export function params(text) {
	if (!text || text === '{}') return '';
	try {
		return Object.entries(JSON.parse(text))
			.map(
				([key, value]) =>
					`${key}=${typeof value === 'object' ? JSON.stringify(value) : value}`,
			)
			.join(' ');
	} catch {
		return text;
	}
}
