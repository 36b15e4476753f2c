/*
 * browser.mjs - Chromium while a test runs: it is started without a window and controlled over a pipe, so
 * it always ends with us. Its home folder is removed. Also notes what a page did while it was open.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { connect } from './puppeteer.mjs';

const FLAGS = [
	'--headless',
	'--no-sandbox',
	'--remote-debugging-pipe',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--disable-default-apps',
	'--disable-extensions',
	'--disable-breakpad',
	'--disable-quic',
	'--disable-gpu',
	'--disable-dev-shm-usage',
	'--disable-features=Translate,OptimizationHints,MediaRouter',
	'--disable-background-timer-throttling',
	'--disable-renderer-backgrounding',
	'--disable-backgrounding-occluded-windows',
	'--host-resolver-rules=MAP * ~NOTFOUND',
	'--lang=en-US',
	'--no-first-run',
	'--no-default-browser-check',
	'--password-store=basic',
	'--hide-scrollbars',
	'--mute-audio',
];

function program() {
	const names = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
	const found = process.env.CHROMIUM ?? names.find((name) => existsSync(name));
	if (!found) throw new Error('no Chromium here (Debian: chromium; or name it in CHROMIUM)');
	return found;
}

/* The DevTools protocol over a pipe: each message ends with a byte 0. */
function transport(to, from) {
	const ends = { onmessage: undefined, onclose: undefined };
	let pieces = [];
	from.on('data', (piece) => {
		let begin = 0;
		for (let end = piece.indexOf(0); end >= 0; end = piece.indexOf(0, begin)) {
			const message = Buffer.concat([...pieces, piece.subarray(begin, end)]).toString();
			pieces = [];
			begin = end + 1;
			setImmediate(() => ends.onmessage?.(message));
		}
		if (begin < piece.length) pieces.push(piece.subarray(begin));
	});
	from.on('close', () => ends.onclose?.());
	to.on('error', () => {});
	from.on('error', () => {});
	ends.send = (message) => to.write(`${message}\0`);
	ends.close = () => to.end();
	return ends;
}

/* Starts Chromium. `close` ends it and all its processes, and removes what it wrote. */
export async function start({ width = 1280, height = 900, flags = [] } = {}) {
	const home = mkdtempSync(join(tmpdir(), 'cegsim-browser-'));
	mkdirSync(join(home, 'downloads'));
	const child = spawn(
		program(),
		[...FLAGS, ...flags, `--user-data-dir=${home}/profile`, 'about:blank'],
		{
			stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
			detached: true,
			env: {
				...process.env,
				HOME: home,
				XDG_CONFIG_HOME: home,
				XDG_CACHE_HOME: home,
				TMPDIR: home,
			},
		},
	);
	const gone = new Promise((resolve) => {
		child.on('exit', resolve);
		child.on('error', resolve);
	});
	const kill = () => {
		try {
			process.kill(-child.pid, 'SIGKILL');
		} catch {
			/* they have ended */
		}
	};
	const remove = () => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
	const atExit = () => {
		kill();
		remove();
	};
	process.on('exit', atExit);
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

	const browser = await Promise.race([
		connect({
			transport: transport(child.stdio[3], child.stdio[4]),
			defaultViewport: { width, height },
			protocolTimeout: 120000,
		}),
		gone.then(() => Promise.reject(new Error('Chromium ended while it started'))),
	]);
	const close = async () => {
		await browser.close().catch(() => {});
		await Promise.race([gone, pause(5000, undefined, { ref: false })]);
		kill();
		remove();
		process.off('exit', atExit);
	};
	return { browser, close, downloads: join(home, 'downloads') };
}

const LOCAL = /^(file|data|blob|about):/;

/*
 * Opens a page of `cegsim view` and waits until it says that it is ready, or that it has failed. `seen`
 * collects what must not happen: errors and warnings on the console, uncaught errors, and requests that
 * leave the page (they are refused). phone: with fingers.
 */
export async function open(started, path, { width = 1280, height = 900, timeout = 60000, phone = false } = {}) {
	const page = await started.browser.newPage();
	const seen = { console: [], errors: [], requests: [] };
	page.setDefaultTimeout(timeout);
	page.on('console', (message) => {
		if (/^(error|warn|warning|assert)$/.test(message.type())) seen.console.push(message.text());
	});
	page.on('pageerror', (error) => seen.errors.push(String(error?.stack ?? error)));
	page.on('error', (error) => seen.errors.push(String(error)));
	page.on('dialog', (dialog) => {
		seen.errors.push(`dialog: ${dialog.message()}`);
		dialog.dismiss();
	});
	await page.setRequestInterception(true);
	page.on('request', (request) => {
		if (LOCAL.test(request.url())) return request.continue();
		seen.requests.push(request.url());
		return request.abort();
	});
	await page.setViewport({ width, height, isMobile: phone, hasTouch: phone, deviceScaleFactor: phone ? 2 : 1 });
	await page.emulateTimezone('UTC');
	const client = await page.createCDPSession();
	await client.send('Browser.setDownloadBehavior', {
		behavior: 'allow',
		downloadPath: started.downloads,
	});
	const began = performance.now();
	await page.goto(pathToFileURL(path).href, { waitUntil: 'domcontentloaded', timeout });
	await page.waitForFunction(() => document.documentElement.dataset.state !== 'loading', {
		timeout,
		polling: 50,
	});
	const state = await page.evaluate(() => document.documentElement.dataset.state);
	return { page, seen, state, ms: performance.now() - began };
}

/* Goes to a tab of the page, and waits until it is on the screen. */
export async function tab(page, name) {
	await page.click(`#tab-${name}`);
	await page.waitForFunction((name) => document.getElementById(`${name}-tab`).offsetHeight > 0, { polling: 20 }, name);
}

/* The tabs that can be seen, in order. */
export const tabs = (page) =>
	page.$$eval('#tabs button', (buttons) => buttons.map((button) => button.id.replace('tab-', '')));
