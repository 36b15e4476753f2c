/*
 * check_load.mjs - a page opens by itself: it gets ready without a message on the console and without a
 * request. A broken page says that it is broken.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { open } from './browser.mjs';

/* Everything that must not have happened so far. */
export function quiet(t, { seen }, name) {
	t.is(seen, { console: [], errors: [], requests: [] }, `${name}: no error, no warning, no request`);
}

export async function checkLoad(t, opened, { name, title }) {
	const { page, state } = opened;
	const status = await page.$eval('#status', (status) => status.textContent);
	t.is(state, 'ready', `${name}: is ready (${Math.round(opened.ms)} ms)`) || t.note(status);
	const said = await page.evaluate(() => ({
		title: document.title,
		meta: window.cegsim.meta.title,
		heading: document.querySelector('h1').textContent,
		scripts: document.querySelectorAll(
			'script[src], link[href], img[src]:not([src^="data:"]), iframe',
		).length,
		policy: document.querySelector('meta[http-equiv="Content-Security-Policy"]').content,
	}));
	t.ok(
		said.title.includes(title) && said.heading === title && said.meta === title,
		`${name}: its title`,
		said,
	);
	t.ok(
		/default-src 'none'/.test(said.policy) && !/connect-src/.test(said.policy) && !said.scripts,
		`${name}: nothing to load, and nothing allowed`,
		said,
	);
	quiet(t, opened, name);
}

/* A page that sends a request: the browser refuses it, and this test sees it. */
export async function checkRequests(t, { page, seen }) {
	const answer = await page.evaluate(() =>
		fetch('https://cegsim.invalid/').then(
			() => 'answered',
			(error) => error.name,
		),
	);
	t.is(answer, 'TypeError', 'a request from inside the page is refused');
	t.ok(seen.console.length + seen.requests.length > 0, 'and this test would notice one', seen);
	seen.console.length = seen.requests.length = 0;
}

async function broken(t, started, html, path, name) {
	writeFileSync(path, html);
	const { page, state } = await open(started, path, { timeout: 10000 });
	const status = await page.$eval('#status', (status) => ({
		text: status.textContent.trim(),
		shown: status.offsetHeight > 0,
	}));
	t.ok(
		state === 'failed' && status.shown && status.text.length > 10,
		`${name} says that it has failed: ${status.text}`,
		{ state, status },
	);
	await page.close();
}

/* Pages with a part missing, or with a byte changed. */
export async function checkBroken(t, started, { html }, path) {
	const whole = readFileSync(html, 'utf8');
	const data = whole.lastIndexOf('class="cegsim-data">') + 'class="cegsim-data">'.length;
	await broken(t, started, whole.slice(0, data + 400), path, 'a page that ends early');
	const middle = data + 2 * Math.floor((whole.indexOf('<', data) - data) / 4);
	const other = [...whole.slice(middle, middle + 64)].reverse().join('');
	await broken(
		t,
		started,
		whole.slice(0, middle) + other + whole.slice(middle + 64),
		path,
		'a page with bytes changed',
	);
}
