/*
 * main.js - the page from its start to "ready": reads the recording, fills the parts, and is window.cegsim.
 */
/* global __LICENCES__ */
import { fillAcceptance } from './acceptance.js';
import { CHAINS, fillChains } from './chains.js';
import { Console, fillSchema } from './console.js';
import { openRecording, painted, readMeta } from './data.js';
import { get } from './dom.js';
import { Schedule } from './gantt/schedule.js';
import { useLooks } from './looks.js';
import { Recorded } from './recorded.js';
import { fillResponses } from './responses.js';
import { facts, fillHeader, fillPolicies, fillRuns, POLICIES } from './summary.js';
import { makeTabs, onTab, showTab } from './tabs.js';
import { fillTasks, TASKS } from './tasks.js';
import { fillWarps } from './warps.js';

function fail(error) {
	document.documentElement.dataset.state = 'failed';
	get('status').textContent = `The page cannot be shown: ${error.message ?? error}`;
	console.error(error);
}

/* For one scenario, and for one on several boards, its tasks first; for a campaign its acceptance, even if few of its
 * sets were kept. */
function tabsOf(known) {
	const schedule = ['schedule', 'Schedule', ['gantt-part']],
		recorded = ['recorded', 'Recorded', ['recorded-part']],
		warps = ['warps', 'Warps', ['warps-part']],
		responses = ['responses', 'Responses', ['responses-part']],
		sql = ['sql', 'SQL', ['sql-part']];
	if (known.brief === 0 && (known.sets <= 1 || known.variants))
		return [
			['tasks', 'Tasks', ['tasks-part', 'chains-part', 'policies-part', 'runs-part']],
			schedule,
			recorded,
			warps,
			responses,
			['acceptance', 'Acceptance', ['acceptance-part']],
			sql,
		];
	return [
		['acceptance', 'Acceptance', ['acceptance-part']],
		['policies', 'Policies', ['policies-part']],
		responses,
		['runs', 'Runs', ['runs-part', 'tasks-part', 'chains-part']],
		schedule,
		recorded,
		warps,
		sql,
	];
}

/* What the buttons `as SQL` put into the box. */
function fillConsole(recording, recorded) {
	const box = new Console(recording);
	fillSchema(recording);
	const statements = {
		runs: () => recording.find('overview').sql.replace(':limit', '1000'),
		policies: () => POLICIES,
		tasks: () => TASKS,
		recorded: () => recorded.sql(),
		chains: () => CHAINS,
	};
	for (const button of document.querySelectorAll('[data-sql]'))
		button.addEventListener('click', () => box.put(statements[button.dataset.sql]()));
}

/* A click on a run, a task, or what was recorded of it leads to the schedule, where there is one. */
function fillTables(recording, known, schedule) {
	const leads = (show) =>
		schedule.possible
			? (...what) => {
					showTab('schedule');
					show(...what);
				}
			: null;
	const runs = fillRuns(recording, known, {
		chosen: leads((run) => schedule.showRun(run)),
		selected: () => schedule.run,
		without: schedule.why(),
	});
	schedule.onRun = () => runs.draw();
	const job = leads((run, task, seq) => schedule.showJob(run, task, seq));
	fillTasks(recording, known, job);
	fillChains(recording, leads((run, task, seq, chain) => schedule.showChain(run, task, seq, chain)));
	fillPolicies(recording, known);
	return new Recorded(recording, job);
}

function fillCharts(recording, known) {
	fillAcceptance(recording, known);
	fillResponses(recording, known);
	fillWarps(recording);
}

/* Says what comes next while the page works on it. */
async function say(text) {
	get('status').textContent = text;
	await painted();
}

async function start() {
	const meta = readMeta();
	useLooks(meta.looks);
	const recording = await openRecording(meta, (share) => {
		get('status').textContent = `Reading the recording: ${Math.round(share * 100)} %`;
		get('progress').value = share;
	});
	await say('Adding up the runs …');
	const known = facts(recording);
	fillHeader(recording, known);
	get('foot').hidden = false;
	get('licences').textContent = __LICENCES__;
	const schedule = new Schedule(recording, known);
	fillConsole(recording, fillTables(recording, known, schedule));
	window.cegsim = {
		meta,
		query: (sql, params) => recording.query(sql, params),
		named: (name, params) => recording.named(name, params),
		gantt: schedule.api(),
	};
	await say('Drawing the charts …');
	fillCharts(recording, known);
	get('gantt-part').hidden = !schedule.possible;
	onTab((name) => name === 'schedule' && schedule.possible && schedule.resize());
	get('main').hidden = false;
	makeTabs(tabsOf(known));
	await say('Reading the first run …');
	await schedule.start();
	get('status').textContent = '';
	document.documentElement.dataset.state = 'ready';
}

start().catch(fail);
