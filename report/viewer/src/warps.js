/*
 * warps.js - inside of the SMs: which warp of a sub-core is issued in each cycle, how fast kernels are against their goals
 * from epoch to epoch, and where the cycles went.
 */
import { choice, element, get } from './dom.js';
import { taskLine } from './colours.js';
import { epochs, REASONS, stalls, strip } from './warp_charts.js';
import { figure, onWidth } from './figure.js';
import { number, real } from './format.js';
import { policies } from './names.js';

const WIDTHS = [60, 120, 300]; /* cycles that the strip shows */
const CHOICE_MOST = 2000;

const kernelColour = (index) => taskLine(index).colour;

/* Cycles in view in which a warp is issued, and those in which a result is still to come. */
const ISSUES = `SELECT i.cycle, i.result_cycle AS until, t.name AS kernel, t.task_idx, i.seq, i.block, i.warp, i.number,
	s.kind AS step, s.unit, i.threads, i.served
FROM warp_issue i JOIN task t USING (task_id) LEFT JOIN warp_step s ON s.task_id = i.task_id AND s.step_idx = i.step_idx
WHERE i.run_id = :run AND i.place = :sm * 8 + :sub_core AND i.cycle < :to AND max(coalesce(i.result_cycle, 0), i.cycle + 1) > :from
ORDER BY i.task_id, i.seq, i.block, i.warp, i.cycle`;
const PLACES = `SELECT c.sm, c.sub_core FROM run_sub_core c JOIN run r USING (run_id)
WHERE c.run_id = :run AND c.issued_cycles > 0 AND r.record = 'issues' ORDER BY c.sm, c.sub_core`;
const EPOCHS = `SELECT e.epoch, e.start_cycle, e.end_cycle, e.kernel, t.task_idx, e.ipc, e.goal_ipc, e.adjusted_goal_ipc
FROM v_epoch e JOIN task t USING (task_id) WHERE e.run_id = :run ORDER BY t.task_idx, e.epoch`;

class Warps {
	constructor(recording, runs) {
		this.recording = recording;
		this.runs = runs;
		this.names = policies(recording);
		this.state = { run: String(runs[0].run_id), place: '0 0', from: 0, width: WIDTHS[1] };
		onWidth(get('warps-charts'), () => {
			if (!this.places) this.load();
			this.draw();
		});
	}

	get run() {
		return this.runs.find((run) => String(run.run_id) === this.state.run);
	}

	name(run) {
		return `${run.run_id}: ${this.names.get(run.policy_id).label}`;
	}

	/* What a run has: its sub-cores with instructions, its epochs. */
	load() {
		const { run_id: run } = this.run;
		this.places = this.recording
			.query(PLACES, { run })
			.rows.map(([sm, core]) => `${sm} ${core}`);
		if (!this.places.includes(this.state.place)) this.state.place = this.places[0] ?? '';
		this.epochs = this.recording.records(EPOCHS, { run });
		this.known = this.windows();
		this.state.from = this.known[0]?.[0] ?? 0;
	}

	/* The cycles whose instructions are in the page. */
	windows() {
		const { run_id: run, cycles, clock_hz: clock } = this.run;
		const { windows, tables } = this.recording.meta;
		const own = windows.filter((one) => one.run === run && one.table === 'warp_issue');
		const cycle = (ns) => (ns * clock) / 1e9;
		if (own.length > 0)
			return own
				.filter((one) => one.to_ns > one.from_ns)
				.map((one) => [Math.ceil(cycle(one.from_ns)), Math.min(cycles, Math.floor(cycle(one.to_ns)))])
				.sort((a, b) => a[0] - b[0]);
		const { kept = 0, rows = 0 } = tables.warp_issue ?? {};
		/* Of a run that is left out there is not even a window. */
		const none = kept < rows && this.recording.value('SELECT count(*) FROM (SELECT 1 FROM warp_issue WHERE run_id = :run LIMIT 1)', { run }) === 0;
		return none ? [] : [[0, cycles]];
	}

	choose(name, value) {
		this.state[name] = value;
		if (name === 'run') this.load();
		this.draw();
	}

	move(cycles) {
		const { from, width } = this.state;
		const last = Math.max(0, this.run.cycles - width);
		this.state.from = Math.max(0, Math.min(last, from + cycles));
		this.draw();
	}

	button(id, text, label, cycles, dead) {
		return element(
			'button',
			{ type: 'button', id, 'aria-label': label, disabled: dead, onclick: () => this.move(cycles) },
			text,
		);
	}

	/* What can be chosen and makes a difference. */
	controls() {
		const { run, place, from, width } = this.state;
		const nodes = [];
		if (this.runs.length > 1) {
			const options = this.runs.slice(0, CHOICE_MOST).map((one) => [String(one.run_id), this.name(one)]);
			nodes.push(choice('Run', options, run, (value) => this.choose('run', value)));
		}
		if (this.places.length > 0) {
			const named = (text) => `SM ${text.replace(' ', ', sub-core ')}`;
			const places = this.places.map((text) => [text, named(text)]);
			const widths = WIDTHS.map((cycles) => [String(cycles), number(cycles)]);
			nodes.push(
				choice('Sub-core', places, place, (value) => this.choose('place', value)),
				choice('Cycles', widths, String(width), (value) => this.choose('width', Number(value))),
				element(
					'span',
					{ class: 'group', role: 'group', 'aria-label': 'Cycles shown' },
					this.button('warps-first', '⇤', 'To the first cycle', -Infinity, from === 0),
					this.button('warps-earlier', '‹', 'Earlier cycles', -width, from === 0),
					this.button('warps-later', '›', 'Later cycles', width, from + width >= this.run.cycles),
				),
			);
		}
		const focused = document.activeElement?.id;
		get('warps-controls').replaceChildren(...nodes);
		if (/^warps-/.test(focused ?? '')) get(focused)?.focus();
	}

	draw() {
		this.controls();
		const width = Math.max(320, Math.min(get('warps-charts').clientWidth, 1400));
		get('warps-charts').replaceChildren(
			...[this.places.length > 0 && this.strip(width), this.epochs.length > 0 && this.speed(width), this.stalls(width)].filter(
				Boolean,
			),
		);
	}

	kernels(rows) {
		const found = new Map();
		for (const { kernel, task_idx: index } of rows) found.set(kernel, kernelColour(index));
		return [...found].map(([label, colour]) => ({ label, colour }));
	}

	strip(width) {
		const { from, place, width: cycles } = this.state;
		const [sm, core] = place.split(' ').map(Number);
		const to = Math.min(this.run.cycles, from + cycles);
		const rows = this.recording
			.records(ISSUES, { run: this.run.run_id, sm, sub_core: core, from, to })
			.map((row) => ({ ...row, colour: kernelColour(row.task_idx) }));
		const series = [...this.kernels(rows), { label: 'no warp is issued', colour: 'var(--idle)' }];
		return figure({
			title: `Warps of SM ${sm}, sub-core ${core}: cycles ${number(from)} to ${number(to)}, run ${this.name(this.run)}`,
			name: 'warps',
			svg: strip(rows, { from, to, known: this.known, width }),
			series,
			toggled: null,
		});
	}

	speed(width) {
		const rows = this.epochs.map((row) => ({ ...row, colour: kernelColour(row.task_idx) }));
		const lines = [['goal', '6 3', 'goal_ipc'], ['goal as the manager raises it', '2 3', 'adjusted_goal_ipc']]
			.filter(([, , column]) => rows.some((row) => row[column] !== null))
			.map(([label, dash]) => ({ label, dash, colour: 'currentColor', line: true }));
		return figure({
			title: `Instructions per cycle, epoch by epoch, run ${this.name(this.run)}`,
			name: 'epochs',
			svg: epochs(rows, width),
			series: [...this.kernels(rows).map((one) => ({ ...one, line: true })), ...lines],
			toggled: null,
		});
	}

	/* Of the runs of the same set. */
	stalls(width) {
		const runs = new Map(
			this.runs.filter((run) => run.taskset_id === this.run.taskset_id).map((run) => [run.run_id, this.name(run)]),
		);
		const { columns, rows } = this.recording.named('stalls');
		const found = rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
		const bars = found
			.filter((row) => runs.has(row.run_id))
			.flatMap((row) => REASONS.map((one) => ({ ...one, run: runs.get(row.run_id), share: row[one.key] })))
			.filter(({ share }) => share > 0);
		if (bars.length === 0) return null;
		const used = new Set(bars.map(({ key }) => key));
		return figure({
			title: 'Where the cycles of the sub-cores went',
			name: 'stalls',
			svg: stalls(bars, width),
			series: REASONS.filter(({ key }) => used.has(key)),
			toggled: null,
		});
	}
}

export function fillWarps(recording) {
	const runs = recording.records(
		`SELECT r.run_id, r.policy_id, r.taskset_id, r.cycles, r.record, m.clock_hz
		FROM run r JOIN warp_machine m USING (taskset_id) WHERE r.cycles > 0 ORDER BY r.run_id`,
	);
	get('warps-part').hidden = runs.length === 0;
	if (runs.length === 0) return;
	const issues = runs.some((run) => run.record === 'issues');
	get('warps-lead').textContent = issues
		? 'A box is an instruction of a warp, its line goes on until the result is there. Rates and shares are of the whole GPU.'
		: `Single instructions are recorded at --record issues; this recording has ${real(runs.length)} ${runs.length === 1 ? 'run' : 'runs'} without them.`;
	new Warps(recording, runs);
}
