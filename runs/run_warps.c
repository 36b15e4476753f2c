/* runs/run_warps.c - runs of sets whose kernels are programs of warps (models/warps/simulation.h). If a goal
 * is a share of a kernel's IPC alone, these IPCs are measured first, one kernel after the other. */
#include <stdio.h>

#include "models/warps/simulation.h"
#include "runs/alone.h"
#include "runs/run_private.h"
#include "runs/warp_recorder.h"

struct warp_run {
	struct warp_options options;
	struct warp_simulation *simulation; /* NULL: measuring is not complete yet */
	struct warp_recorder *recorder;     /* NULL: nothing is recorded */
	int64_t alone[WARP_KERNELS_MAX];    /* -1: not needed */
	uint32_t measured;                  /* kernels whose IPC alone is known */
	uint32_t cached;                    /* of them, those that did not have to be measured */
	struct warp_simulation *measuring;  /* the current measurement; NULL: not begun */
	uint64_t events, measuring_events;  /* of the measurements before, of the current one */
	struct error error;
	bool failed; /* failed, but not by an observer */
};

static bool read_options(const struct run_spec *spec, struct warp_options *options, struct error *reason)
{
	struct params params;
	if (spec->params)
		params = *spec->params;
	else
		params_default(&params, spec->policy->options);
	return warp_options_read((enum warp_scheduler_kind)spec->policy->warp_scheduler, &params,
		spec->set->warps, spec->platform, options, reason);
}

static bool create(struct run *r, bool *made, struct error *reason, struct error *err)
{
	const struct run_spec *spec = &r->spec;
	*made = false;
	r->warps = arena_new(&r->arena, struct warp_run, 1);
	if (!r->warps)
		return error_memory(err, "a run");
	if (spec->policy->plan) {
		error_set(reason, STATUS_INPUT,
			"policy '%s' schedules blocks, and the kernels of this set are programs of "
			"warps: it needs a warp scheduler (lrr, gto, oldest, two-level, qaws)",
			spec->policy->name);
		return true;
	}
	if (!read_options(spec, &r->warps->options, reason))
		return true;
	for (uint32_t i = 0; i < WARP_KERNELS_MAX; i++)
		r->warps->alone[i] = -1;
	if (r->writer)
		r->warps->recorder = warp_recorder_create(spec->record, r->writer, err);
	*made = true;
	return !r->writer || r->warps->recorder;
}

static void destroy(struct run *r)
{
	if (!r->warps)
		return;
	warp_simulation_destroy(r->warps->simulation);
	warp_simulation_destroy(r->warps->measuring);
	warp_recorder_destroy(r->warps->recorder);
	r->warps->simulation = r->warps->measuring = NULL;
	r->warps->recorder = NULL;
}

/* Are the IPCs alone needed? If one goal is a share of it, those of all kernels are: the results of the other
 * kernels are compared with theirs. */
static bool wants_alone(const struct run *r)
{
	const struct warp_set *set = r->spec.set->warps;
	for (uint32_t i = 0; i < set->kernel_count; i++)
		if (set->kernels[i].goal.kind == GOAL_SHARE)
			return true;
	return false;
}

static bool measure(struct run *r, uint64_t max_events)
{
	const struct run_spec *spec = &r->spec;
	struct warp_run *w = r->warps;
	if (!warp_alone(spec->alone, spec->platform, spec->set, spec->setup, &w->options, w->measured,
		    &w->measuring, max_events, &w->alone[w->measured], &w->measuring_events, &w->error))
		return false;
	if (w->alone[w->measured] < 0)
		return true;
	w->measured++;
	w->cached += w->measuring_events == 0;
	w->events += w->measuring_events;
	w->measuring_events = 0;
	return true;
}

static bool begin(struct run *r)
{
	const struct run_spec *spec = &r->spec;
	struct warp_run *w = r->warps;
	if (!warp_simulation_create(
		    spec->platform, spec->set, spec->setup, &w->options, w->alone, &w->simulation, &w->error))
		return false;
	struct trace *trace = warp_simulation_trace(w->simulation);
	trace_observe(trace, STATISTICS_WANTS, statistics_observe, &r->statistics);
	if (r->recorder && recorder_wants(r->recorder))
		trace_observe(trace, recorder_wants(r->recorder), recorder_observe, r->recorder);
	const struct warp_observer *observer = w->recorder ? warp_recorder_observer(w->recorder) : NULL;
	return !observer || warp_simulation_observe(w->simulation, observer, &w->error);
}

static enum simulation_state step(struct run *r, uint64_t max_events)
{
	struct warp_run *w = r->warps;
	if (w->simulation)
		return warp_simulation_step(w->simulation, max_events);
	uint32_t kernels = r->spec.set->warps->kernel_count;
	bool ok = w->measured < kernels && wants_alone(r) ? measure(r, max_events) : begin(r);
	w->failed = !ok;
	return ok ? SIMULATION_RUNNING : SIMULATION_FAILED;
}

static const struct error *failure(const struct run *r)
{
	return r->warps->failed ? &r->warps->error : NULL;
}

/* Each measurement that has to be made counts as much as the run itself. */
static double progress(const struct run *r)
{
	const struct warp_run *w = r->warps;
	uint32_t kernels = w->simulation    ? w->measured
			   : wants_alone(r) ? r->spec.set->warps->kernel_count
					    : 0;
	const struct warp_simulation *now = w->simulation ? w->simulation : w->measuring;
	double done = (double)(w->measured - w->cached) + (now ? warp_simulation_progress(now) : 0);
	return done / (double)(kernels - w->cached + 1);
}

/* With those of the measurements, which are most of the work of a run with shares. */
static uint64_t events(const struct run *r)
{
	const struct warp_run *w = r->warps;
	return w->events + w->measuring_events + (w->simulation ? warp_simulation_events(w->simulation) : 0);
}

static bool too_long(const struct run *r)
{
	const struct warp_run *w = r->warps;
	const struct warp_simulation *now = w->simulation ? w->simulation : w->measuring;
	if (!now)
		return false;
	bool events = warp_simulation_events(now) > r->spec.events_most;
	bool clock = warp_simulation_outcome(now).end_ns > r->spec.end_most_ns;
	return w->simulation ? events || clock : events && clock;
}

static bool end(struct run *r)
{
	(void)r;
	return true;
}

static void judge(const struct run *r, struct run_result *result)
{
	result->outcome = warp_simulation_outcome(r->warps->simulation);
	result->powered = true; /* instructions have energies */
	result->energy_uwns = warp_simulation_energy(r->warps->simulation);
	if (!result->outcome.truncated)
		return;
	result->status = RUN_TRUNCATED;
	snprintf(result->reason, sizeof(result->reason), "jobs were unfinished at the limit of the clock");
}

static void fill_run(const struct run *r, struct run_row *row)
{
	row->cycles = warp_simulation_cycles(r->warps->simulation);
}

static void fill_task(const struct run *r, uint32_t task, struct run_task_row *row, struct text *text)
{
	(void)text;
	energy_split(warp_simulation_kernel(r->warps->simulation, task)->energy_fj, &row->energy_uj,
		&row->energy_rest_uwns);
}

static bool write_kernels(struct run *r, struct error *err)
{
	struct run_warp_kernel_row rows[WARP_KERNELS_MAX];
	uint32_t count = r->spec.set->warps->kernel_count;
	for (uint32_t i = 0; i < count; i++) {
		const struct warp_kernel_result *k = warp_simulation_kernel(r->warps->simulation, i);
		rows[i] = (struct run_warp_kernel_row){
			.task = i,
			.warp_instructions = k->warp_instructions,
			.thread_instructions = k->thread_instructions,
			.cycles = k->cycles,
			.ipc_ppm = k->ipc,
			.goal_ppm = k->goal < 0 ? DB_NULL : k->goal,
			.alone_ppm = k->alone < 0 ? DB_NULL : k->alone,
			.reached = k->goal < 0 ? DB_NULL : k->reached,
			.accesses = k->accesses,
			.l1_hits = k->l1_hits,
			.l2_hits = k->l2_hits,
			.dram_bytes = k->dram_bytes,
			.swaps = k->swaps,
			.energy_fj = k->energy_fj,
		};
	}
	return writer_run_warp_kernels(r->writer, rows, count, err);
}

static bool write_sub_cores(struct run *r, struct error *err)
{
	struct run_sub_core_row rows[WARP_SUB_CORES_MAX];
	uint32_t count = r->spec.set->warps->machine.sub_cores;
	for (uint32_t sm = 0; sm < r->spec.platform->sms; sm++) {
		for (uint32_t i = 0; i < count; i++) {
			const int64_t *cycles = warp_simulation_slots(r->warps->simulation, sm, i);
			rows[i] = (struct run_sub_core_row){.sm = sm, .sub_core = i};
			for (int slot = 0; slot < WARP_SLOTS; slot++)
				rows[i].cycles[slot] = cycles[slot];
		}
		if (!writer_run_sub_cores(r->writer, rows, count, err))
			return false;
	}
	return true;
}

static bool flush(struct run *r, struct error *err)
{
	return recorder_flush(r->recorder, err) && warp_recorder_flush(r->warps->recorder, err);
}

static bool write_rows(struct run *r, struct error *err)
{
	return write_kernels(r, err) && write_sub_cores(r, err);
}

const struct warp_simulation *run_warps(const struct run *r)
{
	return r->made && r->kind == &run_of_warps ? r->warps->simulation : NULL;
}

const struct run_kind run_of_warps = {create, destroy, step, failure, progress, events, too_long, end, judge,
	fill_run, fill_task, flush, write_rows};
