/*
 * main.js - the page from its start to "ready": reads the recording, fills the parts, and is window.cegsim.
 */
/* global __LICENCES__ */
import { fillAcceptance } from './acceptance.js';
import { Console, fillSchema } from './console.js';
import { openRecording, painted, readMeta } from './data.js';
import { get } from './dom.js';
import { Schedule } from './gantt/schedule.js';
import { fillResponses } from './responses.js';
import { facts, fillHeader, fillPolicies, fillRuns, POLICIES } from './summary.js';

function fail(error) {
	document.documentElement.dataset.state = 'failed';
	get('status').textContent = `The page cannot be shown: ${error.message ?? error}`;
	console.error(error);
}

function watchNav() {
	const links = [...document.querySelectorAll('nav a')];
	const seen = new IntersectionObserver(
		(entries) => {
			for (const entry of entries) {
				if (!entry.isIntersecting) continue;
				for (const link of links) {
					if (link.hash === `#${entry.target.id}`)
						link.setAttribute('aria-current', 'true');
					else link.removeAttribute('aria-current');
				}
			}
		},
		{ rootMargin: '-20% 0px -70% 0px' },
	);
	for (const section of document.querySelectorAll('main > section')) seen.observe(section);
}

async function start() {
	const meta = readMeta();
	const recording = await openRecording(meta, (share) => {
		get('status').textContent = `Reading the recording: ${Math.round(share * 100)} %`;
		get('progress').value = share;
	});
	get('status').textContent = 'Adding up the runs …';
	await painted();
	const known = facts(recording);
	fillHeader(recording, known);
	get('main').hidden = false;
	get('foot').hidden = false;
	get('licences').textContent = __LICENCES__;
	const schedule = new Schedule(recording, known);
	const runs = fillRuns(recording, {
		chosen: schedule.possible
			? (run) => {
					schedule.showRun(run);
					get('gantt-part').scrollIntoView({ behavior: 'smooth' });
				}
			: null,
		selected: () => schedule.run,
	});
	schedule.onRun = () => runs.draw();
	fillPolicies(recording);
	const box = new Console(recording);
	fillSchema(recording);
	const statements = {
		runs: () => recording.find('overview').sql.replace(':limit', '1000'),
		policies: () => POLICIES,
	};
	for (const button of document.querySelectorAll('[data-sql]'))
		button.addEventListener('click', () => box.put(statements[button.dataset.sql]()));
	window.cegsim = {
		meta,
		query: (sql, params) => recording.query(sql, params),
		named: (name, params) => recording.named(name, params),
		gantt: schedule.api(),
	};
	get('status').textContent = 'Drawing the charts …';
	await painted();
	fillAcceptance(recording);
	fillResponses(recording, known);
	get('status').textContent = 'Reading the first run …';
	await painted();
	await schedule.start();
	watchNav();
	get('status').textContent = '';
	document.documentElement.dataset.state = 'ready';
}

start().catch(fail);
