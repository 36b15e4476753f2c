/*
 * responses.js - how responses are distributed: cumulative curves, and boxes by policy and task, against the deadline
 * or in milliseconds.
 */
import { dashOf, taskLine } from './colours.js';
import { boxes, curves } from './distributions.js';
import { choice, get } from './dom.js';
import { empty, figure, onWidth } from './figure.js';
import { timeUnit } from './format.js';
import { policyLooks } from './looks.js';
import { policies, setLabels } from './names.js';
import { eachResponse, eachTotal, fromJobs, Sample } from './samples.js';

const SETS_MOST = 500,
	ROWS_MOST = 120,
	TASKS_MOST = 60; /* that have a curve each, unless it is asked for */
const LINES = [
	['policy', 'policies'],
	['task', 'tasks'],
];
const UNITS = [
	['normalised', 'shares of the deadline'],
	['time', 'time'],
];
const REACHES = [
	['all', 'the worst'],
	['most', '99 % of jobs'],
];
const TWICE = ['twice', 'twice the deadline'];


class Responses {
	constructor(recording) {
		this.recording = recording;
		this.policies = policies(recording);
		this.looks = policyLooks([...this.policies.values()]);
		this.platforms = new Map(recording.query('SELECT platform_id, name FROM platform').rows);
		this.sets = [...setLabels(recording)];
		this.deadlines =
			recording.value('SELECT count(*) FROM task WHERE deadline_ns IS NOT NULL') > 0;
		this.state = {
			set: this.sets.length > 1 && this.sets.length <= 20 && !this.apart() ? String(this.sets[0][0]) : '',
			by: 'policy',
			task: '',
			policy: '',
			unit: this.deadlines ? 'normalised' : 'time',
			reach: 'all',
		};
		this.off = new Set();
		this.load();
		if (this.policies.size === 1 && this.tasks.length <= TASKS_MOST) this.state.by = 'task';
		if (this.deadlines && this.worst() > 4) this.state.reach = 'twice';
		onWidth(get('responses-cdf'), () => this.draw());
	}

	/* Each set has a platform of its own: then the lines of all sets are not mixed. */
	apart() {
		const [{ pairs, platforms }] = this.recording.records(
			`SELECT count(*) AS pairs, count(DISTINCT platform_id) AS platforms
			FROM (SELECT DISTINCT taskset_id, platform_id FROM run)`,
		);
		return pairs === platforms;
	}

	worst() {
		let most = 0;
		for (const { values } of this.groups.values()) {
			for (const [ns, , deadline] of values)
				most = Math.max(most, deadline ? ns / deadline : 0);
		}
		return most;
	}

	/* The unit of times: that of the worst response. */
	unit() {
		let most = 0;
		for (const { values } of this.groups.values()) {
			for (const [ns] of values) most = Math.max(most, ns);
		}
		const [scale, name] = timeUnit(most);
		return scale > 1e6 ? [1e6, 'ms'] : [scale, name];
	}

	get set() {
		return this.state.set === '' ? null : Number(this.state.set);
	}

	/* Groups of policy, platform and task; values stay in ns beside the deadline until a unit is asked for. */
	load() {
		this.groups = new Map();
		const group = (policy, platform, task) => {
			const key = `${policy} ${platform} ${task}`;
			if (!this.groups.has(key))
				this.groups.set(key, {
					policy,
					platform,
					task,
					values: [],
					ends: new Map(), /* deadline -> [least, worst] */
					total: 0,
					due: 0,
				});
			return this.groups.get(key);
		};
		eachTotal(this.recording, this.set, ([policy, platform, task, jobs, deadline, least, worst]) => {
			const one = group(policy, platform, task);
			one.total += jobs;
			one.due += deadline === null ? 0 : jobs;
			if (least !== null) one.ends.set(deadline, [least, worst]);
		});
		/* A bucket has its upper end for all of it: that may be more than the worst response. */
		eachResponse(this.recording, this.set, ([policy, platform, task, ns, weight, deadline]) => {
			const { values, ends } = group(policy, platform, task);
			if (ns !== null) values.push([Math.min(ns, ends.get(deadline)?.[1] ?? ns), weight, deadline]);
		});
		this.several = new Set([...this.groups.values()].map(({ platform }) => platform)).size > 1;
		this.time = this.unit();
		this.tasks = this.recording
			.query(
				`SELECT task_idx, min(name), count(DISTINCT name) FROM task WHERE :set IS NULL OR taskset_id = :set
			GROUP BY task_idx ORDER BY task_idx`,
				{ set: this.set },
			)
			.rows.map(([index, name, names]) => ({
				index,
				name: names > 1 ? `task ${index}` : name,
			}));
	}

	policyName({ policy, platform }) {
		const { label } = this.policies.get(policy);
		return this.several ? `${label} on ${this.platforms.get(platform)}` : label;
	}

	/* Platforms are told apart by dashes. */
	policyLine({ policy, platform }) {
		const { colour } = this.looks[this.policies.get(policy).index];
		return { colour, dash: dashOf([...this.platforms.keys()].indexOf(platform)) };
	}

	taskName(index) {
		return this.tasks.find((task) => task.index === index)?.name ?? `task ${index}`;
	}

	/* Samples by a key of the groups, in the unit that is asked for; against deadlines, of jobs that have one. */
	samples(keyOf, keep) {
		const found = new Map();
		const scale =
			this.state.unit === 'normalised'
				? (ns, deadline) => (deadline ? ns / deadline : null)
				: (ns) => ns / this.time[0];
		for (const group of this.groups.values()) {
			if (!keep(group)) continue;
			const key = keyOf(group);
			if (!found.has(key)) found.set(key, { group, sample: new Sample() });
			const { sample } = found.get(key);
			sample.total += this.state.unit === 'normalised' ? group.due : group.total;
			for (const [ns, weight, deadline] of group.values) {
				const value = scale(ns, deadline);
				if (value !== null) sample.add(value, weight);
			}
			for (const [deadline, [ns]] of group.ends)
				sample.least = Math.min(sample.least, scale(ns, deadline) ?? Infinity);
		}
		for (const { sample } of found.values()) sample.sort();
		return found;
	}

	/* A choice that another one has removed becomes the first that is left. */
	controls() {
		const { state } = this;
		const names = [...new Set([...this.groups.values()].map((group) => this.policyName(group)))];
		if (state.by === 'task' && !names.includes(state.policy)) state.policy = names[0];
		if (!this.tasks.some(({ index }) => String(index) === state.task)) state.task = '';
		if (state.unit !== 'normalised' && state.reach === 'twice') state.reach = 'most';
		const select = ([label, name, options]) =>
			choice(label, options, state[name], (value) => {
				state[name] = value;
				if (name === 'set') this.load();
				this.draw();
			});
		get('responses-controls').replaceChildren(...this.choices(names).map(select));
	}

	/* What can be chosen and makes a difference: [label, name in the state, options] each. */
	choices(names) {
		const { by, unit } = this.state;
		const sets = this.sets.slice(0, SETS_MOST).map(([id, name]) => [String(id), name]);
		const tasks = this.tasks.map(({ index, name }) => [String(index), name]);
		return [
			this.sets.length > 1 && ['Set', 'set', [['', `all ${this.sets.length} sets`], ...sets]],
			names.length > 1 && ['Lines', 'by', LINES],
			by === 'policy' && ['Task', 'task', [['', 'all tasks'], ...tasks]],
			by === 'task' && names.length > 1 && ['Policy', 'policy', names.map((name) => [name, name])],
			this.deadlines && ['In', 'unit', UNITS],
			['Up to', 'reach', unit === 'normalised' ? [...REACHES, TWICE] : REACHES],
		].filter(Boolean);
	}

	keep(group) {
		const { by, task, policy } = this.state;
		return by === 'policy'
			? task === '' || group.task === Number(task)
			: this.policyName(group) === policy;
	}

	draw() {
		this.controls();
		this.drawCurves();
		this.drawBoxes();
	}

	label() {
		return this.state.unit === 'normalised'
			? 'response ÷ deadline'
			: `response (${this.time[1]})`;
	}

	/* The end of the axis. */
	reach(samples) {
		if (this.state.reach === 'twice') return 2;
		const share = this.state.reach === 'all' ? 1 : 0.99;
		const values = [...samples].map(({ sample }) =>
			share === 1 ? sample.worst : sample.quantile(share),
		);
		return Math.max(...values, this.state.unit === 'normalised' ? 1.02 : 0) * 1.02 || 1;
	}

	drawCurves() {
		const byPolicy = this.state.by === 'policy';
		const found = this.samples(
			byPolicy ? (group) => this.policyName(group) : (group) => group.task,
			(group) => this.keep(group),
		);
		const series = [...found].map(([key, { group }]) => ({
			key,
			label: byPolicy ? key : this.taskName(key),
			line: true,
			...(byPolicy ? this.policyLine(group) : taskLine(key)),
			off: this.off.has(key),
		}));
		const limit = this.reach([...found.values()]);
		const svg = curves(series, (key) => found.get(key).sample, this.frame(limit));
		get('responses-cdf').replaceChildren(
			figure({
				title: 'Jobs that had responded by then',
				name: 'responses',
				svg,
				series,
				toggled: (i) => {
					const { key } = series[i];
					if (!this.off.delete(key)) this.off.add(key);
					this.draw();
				},
			}),
		);
	}

	/* What both charts share. */
	frame(limit) {
		return {
			limit,
			width: this.width(),
			label: this.label(),
			deadline: this.state.unit === 'normalised',
		};
	}

	width() {
		return Math.max(320, Math.min(get('responses-cdf').clientWidth, 900));
	}

	drawBoxes() {
		const found = [
			...this.samples(
				(group) => `${this.policyName(group)}\u0000${group.task}`,
				(group) => this.keep(group),
			).values(),
		]
			.filter(({ sample }) => sample.pairs.length > 0)
			.sort(
				(a, b) =>
					this.policies.get(a.group.policy).index -
						this.policies.get(b.group.policy).index ||
					a.group.task - b.group.task,
			);
		if (found.length === 0) {
			get('responses-box').replaceChildren(empty('No job of these finished.'));
			return;
		}
		const rows = found
			.slice(0, ROWS_MOST)
			.map(({ group, sample }) => ({
				policy: this.policyName(group),
				task: this.taskName(group.task),
				index: group.task,
				least: sample.least,
				low: sample.quantile(0.25),
				middle: sample.quantile(0.5),
				high: sample.quantile(0.75),
				most: sample.worst,
				jobs: sample.weight,
			}));
		const cut = found.length > ROWS_MOST ? `, the first ${ROWS_MOST} of ${found.length}` : '';
		const svg = boxes(rows, this.frame(this.reach(found.slice(0, ROWS_MOST))));
		get('responses-box').replaceChildren(
			figure({
				title: `Least, quartiles and worst${cut}`,
				name: 'boxes',
				svg,
				toggled: null,
				series: [],
			}),
		);
	}
}

export function fillResponses(recording, known) {
	if (!known.jobs) {
		get('responses-part').hidden = true;
		return;
	}
	get('responses-lead').textContent = fromJobs(recording)
		? 'From single jobs; jobs without a response never count as responded.'
		: 'From the histograms of the runs, to 1/16; least and worst are exact; jobs without a response never count as responded.';
	new Responses(recording);
}
