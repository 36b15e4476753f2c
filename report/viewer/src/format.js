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
	/* 100 % is all of them. */
	const digits = points < 1 || (points > 99.9 && points < 100) ? 3 : points < 10 ? 2 : 1;
	return `${Number(points.toFixed(digits))} %`;
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
