/*
 * schedule.js - the schedule as a whole: which run is shown, which stretch of it, a second run to compare it with,
 * and window.cegsim.gantt.
 */
import { onPaper, onTheme } from '../colours.js';
import { element, get } from '../dom.js';
import { duration, number } from '../format.js';
import { contexts, policies } from '../names.js';
import { Both } from './both.js';
import { listen } from './input.js';
import { layout } from './layout.js';
import { fillLegend } from './legend.js';
import { TOLERANCE, TOLERANCES } from './measured.js';
import { around, describeMiss, nextOf, noMiss } from './misses.js';
import { Overview } from './overview.js';
import { drawOvers, drawPanels, fitPanels, Panel } from './panel.js';
import { savePicture } from './picture.js';
import { fillQueue, queueAt } from './queue.js';
import { connectSheet, showFound } from './sheet.js';
import { RunStore } from './store.js';
import { aroundWays, describeWays, linesOf, readWays } from './ways.js';
import { Why } from './why.js';

const SHORTEST = 40; /* ns that are shown at least */
const AT_ONCE = 60000; /* intervals that are read before anybody notices */
const CHOICE_MOST = 2000; /* runs that the selects list */

export class Schedule {
	constructor(recording, known) {
		this.recording = recording;
		this.known = known;
		this.run = this.second = null;
		this.stores = new Map();
		this.view = { from: 0, to: 1 };
		this.cursor = null;
		this.pinned = null;
		this.looked = null;
		this.miss = null;
		this.way = null; /* of a chain: { run, chain, ways } */
		this.queued = false;
		this.pointed = 0;
		this.onRun = () => {};
		this.runs =
			recording.records(`SELECT r.run_id, r.policy_id, r.taskset_id, r.platform_id, r.jobs, r.misses, r.status, r.record
			FROM run r
			WHERE r.record <> 'summary' AND r.stop_ns > 0 ORDER BY r.run_id`);
		this.policies = policies(recording);
		this.context = contexts(recording);
		this.possible = this.runs.length > 0;
	}

	async start() {
		if (!this.possible) return;
		this.panels = [new Panel()];
		this.overview = new Overview(get('overview'), (from, to) => this.move(from, to));
		this.both = new Both(get('both'));
		this.reason = new Why(this.recording, get('why'), (run, task, seq) => this.showJob(run, task, seq));
		this.fillRunChoice();
		this.fillRecordedChoice();
		this.connect();
		await this.showRun(this.runs[0].run_id);
	}

	/* Why there is no schedule; '' where there is one. */
	why() {
		const { runs, levels } = this.known;
		if (this.possible || runs === 0) return '';
		return (
			`There is no schedule: the ${runs === 1 ? 'run was' : 'runs were'} recorded at level ${levels.join(', ')}. ` +
			'--record jobs keeps jobs, --record segments also what each resource did, --record blocks also the blocks on SMs.'
		);
	}

	fillRunChoice() {
		const text = (run) =>
			[
				`${run.run_id}: ${this.policyName(run)}`,
				this.context(run.taskset_id, run.platform_id),
				run.misses > 0 && `${number(run.misses)} missed`,
			]
				.filter(Boolean)
				.join(' · ');
		const options = () =>
			this.runs
				.slice(0, CHOICE_MOST)
				.map((run) => element('option', { value: run.run_id }, text(run)));
		get('run').append(...options());
		get('compare').append(element('option', { value: '' }, 'nothing'), ...options());
	}

	/* How far off a recorded start may be, or that nothing of it is shown; only where something was recorded. */
	fillRecordedChoice() {
		get('recorded').append(
			...TOLERANCES.map((ns) => element('option', { value: ns, selected: ns === TOLERANCE }, `± ${duration(ns)}`)),
			element('option', { value: '' }, 'hidden'),
		);
	}

	get recordedShown() {
		return get('recorded').value !== '';
	}

	chooseRecorded() {
		const tolerance = Number(get('recorded').value) || TOLERANCE;
		for (const store of this.stores.values()) store.tolerance = tolerance;
		this.legend();
		this.resize();
	}

	legend() {
		const stores = this.panels.map((panel) => panel.store);
		get('recorded').parentElement.hidden = stores.every((store) => !store.measured);
		fillLegend(stores.find((store) => store.measured) ?? stores[0], this.recordedShown);
	}

	/* The select shows the run, also one that it did not list: the table of runs leads to every run. */
	choose(run) {
		const select = get('run');
		select.value = String(run.run_id);
		if (select.value !== '') return;
		select.append(element('option', { value: run.run_id }, `${run.run_id}: ${this.policyName(run)}`));
		select.value = String(run.run_id);
	}

	policyName({ policy_id }) {
		const { label } = this.policies.get(policy_id);
		return label.length > 60 ? `${label.slice(0, 58)}…` : label;
	}

	connect() {
		get('run').addEventListener('change', () => this.showRun(Number(get('run').value)));
		get('compare').addEventListener('change', () =>
			this.compare(Number(get('compare').value) || null),
		);
		get('next-miss').addEventListener('click', () => this.nextMiss(1));
		get('previous-miss').addEventListener('click', () => this.nextMiss(-1));
		get('zoom-in').addEventListener('click', () => this.zoom(0.5, null));
		get('zoom-out').addEventListener('click', () => this.zoom(2, null));
		get('zoom-all').addEventListener('click', () => this.whole());
		get('height').addEventListener('change', () => this.resize());
		get('recorded').addEventListener('change', () => this.chooseRecorded());
		this.connectFull();
		connectSheet();
		get('gantt-png').addEventListener('click', () => {
			onPaper(true);
			savePicture(this.panels, `run-${this.run}.png`);
			onPaper(false);
		});
		listen(this.panels[0].canvas, this.actions());
		new ResizeObserver(() => this.resize()).observe(get('gantt-body'));
		onTheme(() => {
			this.panels.forEach((panel) => panel.retheme());
			this.legend();
			this.queueState = null;
			this.resize();
		});
	}

	/* Some browsers (of phones) have no full screen: then there is no button. */
	connectFull() {
		const button = get('gantt-full');
		button.hidden = !document.fullscreenEnabled;
		button.addEventListener('click', () => this.full());
		document.addEventListener('fullscreenchange', () => {
			button.textContent = document.fullscreenElement ? 'Leave full screen' : 'Full screen';
			this.resize();
		});
	}

	full() {
		if (document.fullscreenElement) document.exitFullscreen();
		else if (document.fullscreenEnabled) get('gantt-part').requestFullscreen();
	}

	actions() {
		const [panel] = this.panels;
		return {
			pan: (pixels) => {
				const shift =
					(pixels / panel.geometry.width) * (this.view.to - this.view.from);
				this.move(this.view.from + shift, this.view.to + shift);
			},
			zoom: (factor, x) => this.zoom(factor, x === null ? null : panel.time(x)),
			whole: () => this.whole(),
			miss: (direction) => this.nextMiss(direction),
			full: () => this.full(),
			release: () => this.look(null, true),
			point: (x, y, event) => this.point(x, y, event),
			click: (x, y, event) => this.point(x, y, event, true),
			leave: () => this.leave(),
		};
	}

	store(run) {
		let store = this.stores.get(run);
		if (!store) {
			store = new RunStore(this.recording, run);
			store.tolerance = Number(get('recorded').value) || TOLERANCE;
			this.stores.set(run, store);
			this.forget();
		}
		return store;
	}

	/* Keeps the runs that are shown, and one more. */
	forget() {
		const used = new Set([this.run, this.second]);
		for (const [run] of this.stores) {
			if (this.stores.size <= 3) return;
			if (!used.has(run) && run !== [...this.stores.keys()].at(-1)) this.stores.delete(run);
		}
	}

	showRun(run, from = null, to = null) {
		const store = this.store(run);
		const other = run !== this.run;
		this.run = run;
		if (other) {
			this.miss = this.pinned = this.looked = this.way = null;
			this.choose(store.row);
			this.place(0, store);
			this.overview.show(store, this.panels[0]);
			get('height').parentElement.hidden = store.lanes.filter((lane) => lane.blocks).length < 2;
			this.legend();
			this.said();
			this.onRun(run);
		}
		const loading = this.load(store, 0);
		this.move(from ?? 0, to ?? store.end);
		this.frame();
		return loading;
	}

	place(index, store) {
		this.panels[index].show(store);
		this.relayout();
	}

	/* Small runs are there at once; of others the level of detail is shown meanwhile. */
	load(store, index) {
		if (store.complete) return Promise.resolve();
		const count = Object.values(store.spans).reduce(
			(sum, span) => sum + span.last_rowid - span.first_rowid + 1,
			0,
		);
		if (count > AT_ONCE) get('gantt-said').textContent = `Reading ${number(count)} intervals …`;
		return store
			.load(() => store.run !== this.run && store.run !== this.second)
			.then(() => {
				if (this.panels[index]?.store !== store) return;
				this.legend();
				this.relayout();
				this.overview.image = null;
				this.said();
				this.frame();
			});
	}

	/* A job of a run, with some time around it; it is the one that is looked at. */
	showJob(run, task, seq) {
		const job = this.store(run).job(task, seq);
		if (!job) return this.showRun(run);
		const end = Math.max(Number.isNaN(job.finish) ? 0 : job.finish, job.deadline || 0, job.release + 1);
		const span = end - job.release;
		const shown = this.showRun(run, job.release - span * 0.4, end + span * 0.4);
		this.pinned = { task, seq };
		this.looked = null;
		this.pointed = 0;
		this.laterOver();
		return shown;
	}

	/* The worst job of a chain, with the ways that data took to it. */
	showChain(run, task, seq, chain) {
		const store = this.store(run);
		const shown = this.showJob(run, task, seq);
		const ways = readWays(this.recording, store, chain);
		if (ways.length === 0) return shown;
		this.way = { run, chain, ways };
		const [from, to] = aroundWays(ways),
			{ release, finish } = store.job(task, seq) ?? { release: from, finish: to };
		const start = Math.min(from, release),
			end = Math.max(to, finish || 0);
		this.move(start - (end - start) * 0.1, end + (end - start) * 0.1);
		this.said();
		this.laterOver();
		return shown;
	}

	compare(run) {
		this.second = run;
		this.lower ??= new Panel(this.panels[0]);
		get('power-2').hidden = run === null;
		if (run === null) {
			this.panels.length = 1;
			this.resize();
		} else {
			const store = this.store(run);
			this.panels[1] = this.lower;
			this.lower.retheme();
			this.place(1, store);
			this.load(store, 1);
		}
		this.legend();
		this.move(this.view.from, this.view.to);
		this.frame();
	}

	get limit() {
		return Math.max(...this.panels.map((panel) => panel.store?.end ?? 1));
	}

	move(from, to) {
		const span = Math.max(SHORTEST, Math.min(this.limit, to - from));
		const start = Math.max(
			0,
			Math.min(this.limit - span, to - from < SHORTEST ? (from + to - span) / 2 : from),
		);
		this.view = { from: start, to: start + span };
		this.later();
	}

	zoom(factor, at) {
		const { from, to } = this.view;
		const fixed = Math.max(from, Math.min(to, at ?? this.cursor ?? (from + to) / 2));
		const span = Math.max(SHORTEST, (to - from) * factor);
		const share = (fixed - from) / (to - from);
		this.move(fixed - share * span, fixed + (1 - share) * span);
	}

	whole() {
		this.move(0, this.limit);
	}

	later() {
		if (this.queued) return;
		this.queued = true;
		requestAnimationFrame(() => this.frame());
	}

	frame() {
		this.queued = false;
		const upTo = Math.max(...this.panels.map((panel) => panel.store.power.most));
		drawPanels(this.panels, this.view, upTo);
		this.overview.draw(this.view);
		this.over();
	}

	over() {
		const job = this.looked ?? this.pinned;
		drawOvers(this.panels, this.cursor, job, this.way);
		const { store } = this.panels[this.pointed] ?? this.panels[0];
		this.reason.follow(store, job, Boolean(job && this.pinned && job.task === this.pinned.task && job.seq === this.pinned.seq));
		this.both.follow(store, job);
		const state = `${this.cursor} ${store.run} ${store.complete} ${this.panels.length}`;
		if (state === this.queueState) return;
		this.queueState = state;
		fillQueue(get('queue'), store, this.cursor, this.panels.length > 1 ? `Run ${store.run}` : '');
	}

	laterOver() {
		if (this.queuedOver) return;
		this.queuedOver = true;
		requestAnimationFrame(() => {
			this.queuedOver = false;
			this.over();
		});
	}

	/* Of two runs, each row belongs to one. */
	find(x, y) {
		for (const [index, panel] of this.panels.entries()) {
			const found = panel.find(x, y);
			if (!found) continue;
			this.pointed = index;
			return { run: panel.store.run, ...found };
		}
		return null;
	}

	/* keep: it was clicked. */
	point(x, y, event, keep = false) {
		const [panel] = this.panels;
		const { left, width } = panel.geometry;
		this.cursor = x >= left && x <= left + width ? Math.round(panel.time(x)) : null;
		const found = this.find(x, y);
		this.look(found, keep);
		showFound(found, event, keep);
		this.laterOver();
	}

	/* The job that is looked at; a click keeps it until the next one. */
	look(found, keep) {
		const job = found?.seq !== undefined ? { task: found.task_idx, seq: found.seq } : null;
		if (keep) {
			this.pinned = job;
			this.forgetWay();
		} else this.looked = job;
		this.laterOver();
	}

	forgetWay() {
		if (!this.way) return;
		this.way = null;
		this.said();
	}

	leave() {
		this.cursor = this.looked = null;
		get('hover').hidden = true;
		this.laterOver();
	}

	/* Shows the next miss, or the one before; gives null where there is none. */
	nextMiss(direction = 1) {
		const { store } = this.panels[0];
		const next = nextOf(store.misses, this.miss, this.view, direction);
		if (next === null) {
			this.said(noMiss(store.misses, direction));
			return null;
		}
		const miss = store.misses[next];
		this.forgetWay();
		this.miss = next;
		this.pinned = { task: miss.task, seq: miss.seq };
		this.looked = null;
		this.pointed = 0;
		this.move(...around(miss, store.end));
		this.frame();
		this.said(describeMiss(store, next));
		return {
			run: this.run,
			task: store.tasks[miss.task].name,
			seq: miss.seq,
			deadline_ns: miss.deadline,
		};
	}

	said(text = '') {
		const { way } = this;
		get('gantt-said').textContent = text || (way ? describeWays(way.chain, way.ways, this.store(way.run)) : '');
		const none = this.panels[0].store.misses.length === 0;
		get('next-miss').disabled = get('previous-miss').disabled = none;
	}

	resize() {
		if (!this.overview || !get('gantt-body').clientWidth) return;
		this.relayout();
		this.overview.image = null;
		this.frame();
	}

	relayout() {
		if (this.panels.some((panel) => !panel.store)) return;
		const stores = this.panels.map((panel) => panel.store);
		const width = get('panel').clientWidth || 900;
		fitPanels(this.panels, layout(stores, width, get('height').value, this.recordedShown));
		this.titles();
	}

	/* Which run is which, where there are two. */
	titles() {
		const several = this.panels.length > 1;
		get('panel-title').hidden = !several;
		get('panel-title').textContent = several
			? this.panels
					.map(({ geometry, store: { run, row } }) =>
						[`${geometry.mark}: run ${run}`, this.policyName(row), this.context(row.taskset_id, row.platform_id)]
							.filter(Boolean)
							.join(', '),
					)
					.join('   ')
			: '';
	}

	api() {
		return {
			show: (run, from, to) => this.showRun(run, from, to),
			view: () =>
				this.possible
					? {
							run: this.run,
							from_ns: this.view.from,
							to_ns: this.view.to,
							...this.panels[0].last,
						}
					: { run: null, from_ns: 0, to_ns: 0, mode: 'none', drawn: 0, ms: 0 },
			at: (x, y) => (this.possible ? this.find(x, y) : null),
			look: (run, task, seq) =>
				this.showJob(run, this.store(run).tasks.findIndex(({ name }) => name === task), seq),
			way: () => {
				const { way } = this,
					panel = this.panels.find(({ store }) => store.run === way?.run);
				const view = panel && { store: panel.store, geometry: panel.geometry, x: (t) => panel.x(t) };
				return way && { ...way, lines: view ? way.ways.map((one) => linesOf(one, view)) : [] };
			},
			nextMiss: (direction = 1) => (this.possible ? this.nextMiss(direction) : null),
			queueAt: (t) =>
				this.possible
					? queueAt(this.panels[0].store, t)
					: { cpu: [], copy: [], gpu: [] },
		};
	}
}
