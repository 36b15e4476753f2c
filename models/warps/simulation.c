/* models/warps/simulation.c - see models/warps/simulation.h: how a run is made, its cycles, and its end. */
#include "models/warps/simulation.h"

#include <stdlib.h>

#include "models/warps/adjusting.h"
#include "models/warps/ahead.h"
#include "models/warps/blocks.h"
#include "models/warps/engine.h"
#include "models/warps/epochs.h"
#include "models/warps/issue.h"
#include "models/warps/launches.h"
#include "models/warps/parts.h"
#include "models/warps/requests.h"
#include "models/warps/schedulers.h"
#include "sim/digest.h"

/* ---- Making ---- */

static bool make_kernels(struct warp_simulation *w)
{
	w->kernel_count = w->warps->kernel_count;
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		w->kernels[i].spec = &w->warps->kernels[i];
		if (!parts_make(w, &w->kernels[i]))
			return false;
	}
	return true;
}

static bool make_sms(struct warp_simulation *w)
{
	w->sm_count = w->platform->sms;
	w->sub_cores = w->machine->sub_cores;
	w->core_count = w->sm_count * w->sub_cores;
	w->sms = arena_new(&w->arena, struct engine_sm, w->sm_count);
	w->cores = arena_new(&w->arena, struct sub_core, w->core_count);
	if (!w->sms || !w->cores || !calendar_init(&w->calendar, &w->arena, w->core_count))
		return false;
	for (uint32_t i = 0; i < w->sm_count; i++) {
		w->sms[i].index = i;
		w->sms[i].cores = &w->cores[i * w->sub_cores];
	}
	for (uint32_t i = 0; i < w->core_count; i++) {
		struct sub_core *sc = &w->cores[i];
		sc->index = i;
		sc->next_wake = sc->next_far = NEVER;
		sc->last_cycle = sc->opened_in = -1;
		sc->idle_slot = SLOT_EMPTY;
		sc->last = sc->around = sc->last_kernel = sc->group = -1;
	}
	return true;
}

/* The clock, counted in units of 1 / bandwidth of a cycle, must fit 64 bits, with a backlog as long as the
 * run. */
static bool make_clock(struct warp_simulation *w, struct error *err)
{
	w->horizon = warp_cycles(w->machine, w->setup->horizon_ns);
	w->limit = warp_cycles(w->machine, w->setup->limit_ns);
	w->end = w->setup->stop == STOP_HORIZON ? w->horizon : w->limit;
	if ((int128)w->end * w->machine->bandwidth > INT64_MAX / 4)
		return error_set(err, STATUS_INPUT,
			"a run of warps can have at most %lld cycles at this bandwidth",
			(long long)(INT64_MAX / 4 / w->machine->bandwidth));
	return true;
}

static bool make(struct warp_simulation *w, const int64_t *alone, struct error *err)
{
	enum warp_manager manager = w->options.manager;
	if (!make_clock(w, err))
		return false;
	w->has_quotas = manager != MANAGER_SMK && manager != MANAGER_SPART;
	w->epochs = w->has_quotas || manager == MANAGER_SPART;
	w->epoch_start = -1;
	w->issuing = UINT32_MAX;
	w->scheduler = &warp_schedulers[w->options.scheduler];
	w->server.bandwidth = w->machine->bandwidth;
	if (!make_kernels(w) || !make_sms(w) || !requests_init(w) || !blocks_init(w) || !ahead_init(w) ||
		!trace_init(&w->trace))
		return error_memory(err, "a simulation of warps");
	if (!epochs_init(w, alone, err))
		return false;
	if (!adjusting_init(w))
		return error_memory(err, "a simulation of warps");
	qaws_init(w);
	launches_init(w);
	return true;
}

static bool create(const struct platform *platform, const struct taskset *set, const struct warp_set *warps,
	const struct run_setup *setup, const struct warp_options *options, const int64_t *alone,
	uint32_t only, struct warp_simulation **simulation, struct error *err)
{
	*simulation = NULL;
	struct warp_simulation *w = calloc(1, sizeof(*w));
	if (!w)
		return error_memory(err, "a simulation of warps");
	w->platform = platform;
	w->set = set;
	w->warps = warps;
	w->machine = &warps->machine;
	w->setup = setup;
	w->seed = setup->seed;
	w->options = *options;
	w->only = only;
	if (!make(w, alone, err)) {
		warp_simulation_destroy(w);
		return false;
	}
	*simulation = w;
	return true;
}

bool warp_simulation_create(const struct platform *platform, const struct taskset *set,
	const struct run_setup *setup, const struct warp_options *options, const int64_t *alone,
	struct warp_simulation **simulation, struct error *err)
{
	return create(platform, set, set->warps, setup, options, alone, ALL_KERNELS, simulation, err);
}

bool warp_simulation_create_empty(const struct platform *platform, const struct taskset *set,
	const struct warp_set *warps, const struct run_setup *setup, const struct warp_options *options,
	struct warp_simulation **simulation, struct error *err)
{
	return create(platform, set, warps, setup, options, NULL, NO_KERNEL, simulation, err);
}

void warp_simulation_destroy(struct warp_simulation *w)
{
	if (!w)
		return;
	trace_finish(&w->trace);
	free(w->issues);
	arena_finish(&w->arena);
	free(w);
}

struct trace *warp_simulation_trace(struct warp_simulation *w)
{
	return &w->trace;
}

bool warp_simulation_observe(
	struct warp_simulation *w, const struct warp_observer *observer, struct error *err)
{
	w->observer = *observer;
	w->epochs = w->epochs || observer->wants_epochs || observer->wants_sms;
	if (!observer->wants_issues || w->issues)
		return true;
	w->issues = calloc(ISSUES_GATHERED, sizeof(*w->issues));
	return w->issues || error_memory(err, "the instructions");
}

/* ---- The end ---- */

static void sum_up(struct warp_simulation *w)
{
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		struct engine_kernel *k = &w->kernels[i];
		struct warp_kernel_result *r = &k->result;
		struct engine_tally total = epochs_total(w, i);
		r->warp_instructions = total.warp_instructions;
		r->thread_instructions = total.thread_instructions;
		r->energy_fj += total.energy_fj;
		r->cycles = k->launched >= 0 ? w->now - k->launched : 0;
		r->ipc = r->cycles ? ipc_of(r->thread_instructions, r->cycles) : 0;
		r->goal = k->goal;
		r->reached = k->goal >= 0 && r->cycles > 0 && r->ipc >= k->goal;
		w->digest = (w->digest ^ (uint64_t)r->thread_instructions) * UINT64_C(0xd6e8feb86659fd93);
	}
	w->digest ^= (uint64_t)w->now ^ w->jobs << 48;
}

static void stop(struct warp_simulation *w)
{
	epochs_stop(w);
	blocks_stop(w);
	launches_stop(w);
	sum_up(w);
	if (w->issues)
		issue_flush(w);
	trace_flush(&w->trace);
	w->state = w->failed || w->trace.failed ? SIMULATION_FAILED : SIMULATION_ENDED;
}

/* ---- Cycles ---- */

/* The first cycle from w->from on in which anything can happen. */
static int64_t next_cycle(const struct warp_simulation *w)
{
	int64_t next = calendar_next(&w->calendar, w->from);
	if (w->instant_count > 0 && w->instants[0].cycle < next)
		next = w->instants[0].cycle;
	if (w->next_launch < next)
		next = w->next_launch;
	if (w->epochs && w->next_epoch < next)
		next = w->next_epoch;
	if (w->next_sample < next)
		next = w->next_sample;
	if (w->open_at >= w->from && w->open_at < next)
		next = w->open_at;
	if (w->place && w->from < next)
		next = w->from;
	return next > w->from ? next : w->from;
}

static void settle_quotas(struct warp_simulation *w)
{
	w->changed = false;
	for (uint32_t i = 0; i < w->sm_count; i++) {
		struct engine_sm *sm = &w->sms[i];
		if (sm->changed && w->has_quotas)
			blocks_quota_spent(w, sm);
		sm->changed = false;
	}
}

/* The quotas of the epoch are made. */
static void open_all(struct warp_simulation *w)
{
	for (uint32_t i = 0; i < w->sm_count; i++)
		w->sms[i].changed = true;
	w->changed = true;
}

/* Phase 1. */
static void ends(struct warp_simulation *w)
{
	if (w->instant_count > 0 && w->instants[0].cycle <= w->now)
		blocks_end_instants(w);
	if (w->parts_over)
		parts_go_on(w);
}

/* Phases 1 to 4. False: that was the last job. */
static bool before_issue(struct warp_simulation *w)
{
	bool anew = false;
	ends(w);
	if (w->next_launch <= w->now) {
		anew = launches_release(w);
		if (w->setup->stop == STOP_DRAINED && launches_over(w))
			return false;
	}
	if (w->place)
		blocks_dispatch(w);
	if (w->epochs && (anew || w->next_epoch <= w->now))
		epochs_begin(w);
	if (w->open_at > 0 && w->open_at == w->now)
		open_all(w);
	if (w->changed)
		settle_quotas(w);
	return true;
}

/* False: the run is over. */
static bool cycle(struct warp_simulation *w)
{
	int64_t next = next_cycle(w);
	if (next >= w->end) {
		w->now = w->end;
		ends(w);
		return false;
	}
	w->now = next;
	if (!before_issue(w))
		return false;
	int64_t until = ahead_until(w);
	if (until > w->now + 1)
		ahead_run(w, until);
	else
		issue_cycle(w);
	if (w->next_sample == w->now)
		epochs_sample(w);
	w->from = w->now + 1;
	return !w->failed && !w->trace.failed;
}

enum simulation_state warp_simulation_step(struct warp_simulation *w, uint64_t max_events)
{
	uint64_t until = w->events + max_events;
	if (w->state != SIMULATION_RUNNING)
		return w->state;
	if (w->from == 0 && w->setup->stop == STOP_DRAINED && launches_over(w)) {
		stop(w);
		return w->state;
	}
	/* Cycles without any count, too: a manager looks at kernels that have nothing to issue for years. */
	for (uint64_t cycles = 0; w->events < until && cycles < max_events; cycles++) {
		if (!cycle(w)) {
			stop(w);
			return w->state;
		}
	}
	return SIMULATION_RUNNING;
}

/* ---- Results ---- */

double warp_simulation_progress(const struct warp_simulation *w)
{
	double share = w->horizon > 0 ? (double)w->now / (double)w->horizon : 1;
	return share < 1 ? share : 1;
}

uint64_t warp_simulation_events(const struct warp_simulation *w)
{
	return w->events;
}

int64_t warp_simulation_cycles(const struct warp_simulation *w)
{
	return w->now;
}

static int64_t energy_end(const struct warp_simulation *w)
{
	int64_t end = ns_of(w, w->now);
	return end > w->setup->horizon_ns ? end : w->setup->horizon_ns;
}

struct simulation_outcome warp_simulation_outcome(const struct warp_simulation *w)
{
	return (struct simulation_outcome){
		.end_ns = ns_of(w, w->now),
		.energy_end_ns = energy_end(w),
		.truncated = w->truncated && w->setup->stop == STOP_DRAINED,
		.events = w->events,
		.events_digest = w->digest,
		.digest = digest_of_schedule(w->digest, w->jobs_digest),
		.jobs = w->jobs,
		.misses = w->misses,
	};
}

const struct warp_kernel_result *warp_simulation_kernel(const struct warp_simulation *w, uint32_t kernel)
{
	return &w->kernels[kernel].result;
}

const int64_t *warp_simulation_slots(const struct warp_simulation *w, uint32_t sm, uint32_t sub_core)
{
	return w->sms[sm].cores[sub_core].slots;
}

int128 warp_simulation_energy(const struct warp_simulation *w)
{
	int128 energy = (int128)w->platform->static_uw * energy_end(w);
	for (uint32_t i = 0; i < w->kernel_count; i++)
		energy += w->kernels[i].result.energy_fj;
	return energy;
}

bool warp_simulation_create_alone(const struct platform *platform, const struct taskset *set,
	const struct run_setup *setup, const struct warp_options *options, uint32_t kernel,
	struct warp_simulation **simulation, struct error *err)
{
	struct warp_options how = *options;
	how.manager = MANAGER_SMK;
	return create(platform, set, set->warps, setup, &how, NULL, kernel, simulation, err);
}

bool warp_ipc_alone(const struct platform *platform, const struct taskset *set, const struct run_setup *setup,
	const struct warp_options *options, uint32_t kernel, int64_t *ipc, struct error *err)
{
	struct warp_simulation *w;
	if (!warp_simulation_create_alone(platform, set, setup, options, kernel, &w, err))
		return false;
	while (warp_simulation_step(w, UINT64_MAX / 2) == SIMULATION_RUNNING)
		;
	*ipc = warp_simulation_kernel(w, kernel)->ipc;
	warp_simulation_destroy(w);
	return true;
}
