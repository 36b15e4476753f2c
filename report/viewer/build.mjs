/*
 * build.mjs - makes template.html from src/: one script with everything in it, one style sheet, no address.
 *
 * The same sources and the same package-lock.json give the same bytes: nothing here asks for the time, the machine or the
 * network. WebAssembly is not compressed, only base64: a compressor's output may differ between machines.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));

/* Every file below src/, in byte order of its path. */
function sources(folder = 'src') {
	const files = [];
	for (const entry of readdirSync(join(here, folder), { withFileTypes: true })) {
		const path = `${folder}/${entry.name}`;
		if (entry.isDirectory()) files.push(...sources(path));
		else files.push(path);
	}
	return files.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/* cat $(find src -type f | LC_ALL=C sort) build.mjs package.json package-lock.json | sha256sum */
function fingerprint() {
	const hash = createHash('sha256');
	for (const path of [...sources(), 'build.mjs', 'package.json', 'package-lock.json'])
		hash.update(readFileSync(join(here, path)));
	return hash.digest('hex');
}

/* The licences of what is bundled, from the packages' own files. */
function licences() {
	const names = [
		'sql.js',
		'@observablehq/plot',
		'd3',
		'isoformat',
		'interval-tree-1d',
		'binary-search-bounds',
	];
	const texts = names.map((name) => {
		const folder = join(here, 'node_modules', name);
		const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
		const file = readdirSync(folder)
			.filter((entry) => /^(licen[cs]e|authors)/i.test(entry))
			.sort();
		const text = file
			.map((entry) => readFileSync(join(folder, entry), 'utf8').trim())
			.join('\n\n');
		return `${name} ${version} (${license})\n\n${text}`;
	});
	return texts
		.join('\n\n----------------------------------------------------------------\n\n')
		.replace(/https?:\/\//g, '');
}

async function bundle(entry, options) {
	const result = await build({
		entryPoints: [join(here, entry)],
		bundle: true,
		write: false,
		minify: true,
		legalComments: 'inline',
		target: ['es2022'],
		charset: 'ascii',
		absWorkingDir: here,
		logLevel: 'warning',
		...options,
	});
	// SQLite's file system in memory has a home folder. It would look like a folder of the machine that built this.
	return result.outputFiles[0].text.trim().replace(/[/]home(?=[/]web_user)/g, '');
}

const BROWSER = { format: 'iife', platform: 'browser', loader: { '.wasm': 'binary' } };

const script = (
	await bundle('src/main.js', {
		...BROWSER,
		define: {
			__LICENCES__: JSON.stringify(licences()),
			__WORKER__: JSON.stringify(await bundle('src/worker.js', BROWSER)),
		},
	})
)
	.replace(/<\/script/gi, '<\\/script')
	.replace(/<!--/g, '<\\!--');
const style = await bundle('src/style.css', {});
const page = readFileSync(join(here, 'src/page.html'), 'utf8')
	.replace('@SOURCE@', () => fingerprint())
	.replace('/*@STYLE@*/', () => style)
	.replace('/*@SCRIPT@*/', () => script);

for (const marker of ['<!--cegsim:meta-->', '<!--cegsim:data-->'])
	if (page.split(marker).length !== 2) throw new Error(`${marker} must be in the page exactly once`);
writeFileSync(join(here, 'template.html'), page);
