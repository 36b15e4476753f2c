/*
 * bundle.mjs - makes puppeteer.mjs, the driver of the browser's test, from the puppeteer-core of
 * report/viewer/package-lock.json. It is one file, so the test needs nodejs and chromium only.
 *
 *     cd report/viewer && npm ci --ignore-scripts && node ../../tests/browser/bundle.mjs
 *
 * It contains `connect` for the DevTools protocol over our own transport (browser.mjs). The parts that
 * find, download and start browsers are left out, and so are WebSockets, WebDriver BiDi and debugging
 * messages. The same lock gives the same bytes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const viewer = join(here, '../../report/viewer');
const packages = createRequire(join(viewer, 'package.json'));
const { build } = packages('esbuild');
const folder = join(viewer, 'node_modules/puppeteer-core');
const third = join(folder, 'lib/esm/third_party');

const leftOut = /^(debug|@puppeteer\/browsers)$|\/bidi\/|\/node\/|WebSocketTransport\.js$/;
const empty = {
	name: 'left out',
	setup({ onResolve, onLoad }) {
		onResolve({ filter: leftOut }, ({ path }) => ({ path, namespace: 'left-out' }));
		onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
			contents: 'export const _connectToBiDiBrowser = null; export default () => () => {};',
		}));
	},
};

/* The comments with a licence in a third party's file. */
function licences(name) {
	const text = readFileSync(join(third, name, `${name}.js`), 'utf8');
	const found = text
		.match(/\/\*\*[\s\S]*?\*\//g)
		.filter((comment) => /licen[cs]e|copyright/i.test(comment));
	return [...new Set(found)].map((comment) => comment.slice(3, -2).trim());
}

const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const result = await build({
	stdin: {
		contents: "export { connect } from 'puppeteer-core/lib/esm/puppeteer/puppeteer-core-browser.js';",
		resolveDir: viewer,
	},
	bundle: true,
	write: false,
	metafile: true,
	format: 'esm',
	platform: 'node',
	target: 'node18',
	charset: 'ascii',
	minifyWhitespace: true,
	minifySyntax: true,
	lineLimit: 110,
	legalComments: 'none',
	logLevel: 'warning',
	logOverride: { 'import-is-undefined': 'silent' },
	absWorkingDir: viewer,
	plugins: [empty],
});

const inside = Object.keys(Object.values(result.metafile.outputs)[0].inputs);
const others = new Set();
for (const path of inside) {
	const other = path.match(/^node_modules\/puppeteer-core\/lib\/esm\/third_party\/([^/]+)/);
	if (other) others.add(other[1]);
	else if (!/^(<stdin>|left-out:|node_modules\/puppeteer-core\/lib\/esm\/puppeteer\/)/.test(path))
		throw new Error(`${path} has no licence here`);
}
const texts = [...others]
	.filter((name) => name !== 'rxjs')
	.sort()
	.flatMap((name) => licences(name).map((text) => `${name}\n\n${text}`));
const notice = [
	`puppeteer-core ${version}, copyright Google Inc., and RxJS, copyright Google Inc., Netflix Inc., Microsoft Corp. and` +
		`\ncontributors, are under the Apache License 2.0:\n\n${licences('rxjs').join('\n\n')}`,
	...texts,
]
	.join('\n\n----------------------------------------------------------------\n\n')
	.replace(/https?:\/\//g, '');
const head =
	"/* puppeteer.mjs - the driver of the browser's test: puppeteer-core as bundle.mjs bundles it. The licences are\n" +
	' * at its end. Made, not written. */\n';
writeFileSync(
	join(here, 'puppeteer.mjs'),
	`${head}${result.outputFiles[0].text.trim()}\n/*\n${notice}\n*/\n`,
);
