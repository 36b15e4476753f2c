/*
 * png8.mjs - makes pictures smaller: a PNG with 8 bits per channel, as browsers write it, becomes one with
 * a palette of at most 256 colours (PNG specification, 3rd edition: sections 9 and 11). The palette has the
 * most frequent colours that are not close to another one; every pixel takes the nearest colour.
 */
import { deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function crc32(bytes) {
	let crc = ~0;
	for (const byte of bytes) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc >>> 0;
}

function chunk(type, data) {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const frame = Buffer.alloc(8);
	frame.writeUInt32BE(data.length, 0);
	frame.writeUInt32BE(crc32(body), 4);
	return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

function paeth(left, up, corner) {
	const [a, b, c] = [left, up, corner].map((value) => Math.abs(left + up - corner - value));
	if (a <= b && a <= c) return left;
	return b <= c ? up : corner;
}

/* Colours as numbers 0xRRGGBB, row by row; transparency is ignored. */
function decode(png) {
	let header;
	const parts = [];
	for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
		const type = png.toString('latin1', at + 4, at + 8);
		const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
		if (type === 'IHDR') header = data;
		if (type === 'IDAT') parts.push(data);
	}
	const [width, height, depth, colour] = [
		header.readUInt32BE(0),
		header.readUInt32BE(4),
		header[8],
		header[9],
	];
	if (depth !== 8 || (colour !== 2 && colour !== 6) || header[12])
		throw new Error('not a PNG that browsers make');
	const size = colour === 2 ? 3 : 4;
	const raw = inflateSync(Buffer.concat(parts));
	const stride = width * size;
	let above = Buffer.alloc(stride);
	const pixels = new Uint32Array(width * height);
	for (let y = 0; y < height; y++) {
		const filter = raw[y * (stride + 1)];
		const row = raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1));
		for (let x = 0; x < stride; x++) {
			const [left, up, corner] = [
				x < size ? 0 : row[x - size],
				above[x],
				x < size ? 0 : above[x - size],
			];
			const guess = [0, left, up, (left + up) >> 1][filter] ?? paeth(left, up, corner);
			row[x] = (row[x] + guess) & 255;
		}
		for (let x = 0; x < width; x++) pixels[y * width + x] = row.readUIntBE(x * size, 3);
		above = row;
	}
	return { width, height, pixels };
}

function distance(a, b) {
	const [red, green, blue] = [
		(a >> 16) - (b >> 16),
		((a >> 8) & 255) - ((b >> 8) & 255),
		(a & 255) - (b & 255),
	];
	return 3 * red * red + 4 * green * green + 2 * blue * blue;
}

function choose(pixels) {
	const counts = new Map();
	for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
	const colours = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([colour]) => colour);
	for (let apart = 0; ; apart = apart * 2 + 8) {
		const palette = [];
		for (const colour of colours) {
			if (palette.every((other) => distance(colour, other) > apart)) palette.push(colour);
			if (palette.length > 256) break;
		}
		if (palette.length <= 256) return { palette, colours };
	}
}

export function png8(png) {
	const { width, height, pixels } = decode(png);
	const { palette, colours } = choose(pixels);
	const nearest = new Map(
		colours.map((colour) => {
			let best = 0;
			for (let index = 1; index < palette.length; index++)
				if (distance(colour, palette[index]) < distance(colour, palette[best]))
					best = index;
			return [colour, best];
		}),
	);
	const rows = Buffer.alloc((width + 1) * height);
	for (let y = 0; y < height; y++)
		for (let x = 0; x < width; x++)
			rows[y * (width + 1) + 1 + x] = nearest.get(pixels[y * width + x]);
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, 3, 0, 0, 0], 8);
	const colourTable = Buffer.from(
		palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]),
	);
	return Buffer.concat([
		SIGNATURE,
		chunk('IHDR', header),
		chunk('PLTE', colourTable),
		chunk('IDAT', deflateSync(rows, { level: 9 })),
		chunk('IEND', Buffer.alloc(0)),
	]);
}
