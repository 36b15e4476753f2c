/* models/warps/inside.c - see models/warps/inside.h.
 *
 * The engine of blocks has instants in nanoseconds, that of warps cycles. A block placed at an instant is on
 * its SM from the first cycle that begins then or later; one that has ended in phase 1 of a cycle is told for
 * the first nanosecond at which the cycle has begun. Rounded so, both ways up, no block is placed in a cycle
 * that is over: with t >= cycle / f, ceil(t * f) >= cycle. Where the cycle begins exactly at the instant, its
 * phase 1 comes before what the engine of blocks does then, and all else behind it. */
#include "models/warps/inside.h"

#include "models/warps/ahead.h"
#include "models/warps/blocks.h"
#include "models/warps/engine.h"
#include "models/warps/issue.h"
#include "models/warps/placing.h"
#include "models/warps/simulation.h"

#define NS_PER_SECOND 1000000000

int64_t inside_cycle(const struct warp_machine *m, int64_t ns)
{
	int128 up = ((int128)ns * m->clock_hz + NS_PER_SECOND - 1) / NS_PER_SECOND;
	return up > INT64_MAX ? INT64_MAX : (int64_t)up;
}

int64_t inside_ns(const struct warp_machine *m, int64_t cycle)
{
	int128 up = ((int128)cycle * NS_PER_SECOND + m->clock_hz - 1) / m->clock_hz;
	return up > INT64_MAX ? INT64_MAX : (int64_t)up;
}

/* ---- sets ---- */

bool inside_scheduler(enum warp_scheduler_kind scheduler)
{
	return scheduler == SCHEDULE_LRR || scheduler == SCHEDULE_GTO || scheduler == SCHEDULE_OLDEST;
}

bool inside_fits(const struct platform *p, struct error *err)
{
	if (platform_gpus(p) > 1)
		return error_set(err, STATUS_INPUT,
			"kernels that are programs of warps are for platforms with one GPU");
	return p->threads_per_sm > 0 || p->warps_per_sm > 0 ||
	       error_set(err, STATUS_INPUT,
		       "kernels that are programs of warps want a platform with threads_per_sm or "
		       "warps_per_sm: an SM holds at most %u warps",
		       WARPS_PER_SM_MAX);
}

struct warp_options inside_options(enum warp_scheduler_kind scheduler)
{
	struct warp_options o = {.scheduler = scheduler,
		.manager = MANAGER_SMK,
		.blocks = BLOCKS_FILL,
		.epoch = 10000,
		.samples = 100};
	for (uint32_t i = 0; i < WARP_KERNELS_MAX; i++)
		o.budget[i] = 1;
	return o;
}

static uint32_t count_programs(const struct taskset *set)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < set->task_count; i++)
		for (uint32_t j = 0; j < set->tasks[i].segment_count; j++)
			count += set->tasks[i].segments[j].kind == SEGMENT_KERNEL &&
				 set->tasks[i].segments[j].form == KERNEL_PROGRAM;
	return count;
}

static struct warp_kernel kernel_of(const struct segment *s)
{
	return (struct warp_kernel){
		.blocks = s->grid,
		.block_threads = s->block,
		.registers = s->registers,
		.shared_memory = s->shared_memory,
		.steps = s->steps,
		.step_count = s->step_count,
		.stream = STREAM_OWN,
	};
}

bool programs_collect(struct taskset *set, const struct warp_machine *machine,
	enum warp_scheduler_kind scheduler, uint32_t *count)
{
	*count = count_programs(set);
	set->programs = NULL;
	if (*count == 0)
		return true;
	struct program_set *programs = arena_new(&set->arena, struct program_set, 1);
	struct warp_set *warps = arena_new(&set->arena, struct warp_set, 1);
	struct warp_kernel *kernels = arena_new(&set->arena, struct warp_kernel, *count);
	if (*count > WARP_KERNELS_MAX || !programs || !warps || !kernels)
		return false;
	*programs = (struct program_set){
		.runner = &warp_program_runner, .warps = warps, .count = *count, .scheduler = (int)scheduler};
	*warps = (struct warp_set){.machine = *machine, .kernels = kernels};
	for (uint32_t i = 0; i < set->task_count; i++) {
		for (uint32_t j = 0; j < set->tasks[i].segment_count; j++) {
			struct segment *s = &set->tasks[i].segments[j];
			if (s->kind != SEGMENT_KERNEL || s->form != KERNEL_PROGRAM)
				continue;
			s->program = warps->kernel_count;
			kernels[warps->kernel_count++] = kernel_of(s);
		}
	}
	set->programs = programs;
	return true;
}

/* ---- runs ---- */

/* A struct insides is the simulation of warps itself. */
static struct warp_simulation *of(struct insides *insides)
{
	return (struct warp_simulation *)(void *)insides;
}

static void destroy(struct insides *insides)
{
	warp_simulation_destroy(of(insides));
}

static bool create(const struct platform *platform, const struct taskset *set, const struct run_setup *setup,
	struct insides **insides, struct error *err)
{
	const struct program_set *p = set->programs;
	struct warp_options options = inside_options((enum warp_scheduler_kind)p->scheduler);
	struct warp_simulation *w;
	size_t most = 1;
	*insides = NULL;
	if (!warp_simulation_create_empty(platform, set, p->warps, setup, &options, &w, err))
		return false;
	*insides = (struct insides *)(void *)w;
	for (uint32_t i = 0; i < w->kernel_count; i++)
		most += (size_t)w->sm_count * blocks_fit(platform, &w->kernels[i].part.footprint, 1);
	w->ends = arena_new(&w->arena, struct block_end, most);
	return w->ends || error_memory(err, "a simulation of warps");
}

/* Cycles before `cycle` are over. */
static void come_to(struct warp_simulation *w, int64_t cycle)
{
	if (w->from < cycle)
		w->from = cycle;
}

static void place(
	struct insides *insides, uint32_t program, uint32_t job, uint32_t block, uint32_t sm, int64_t now)
{
	struct warp_simulation *w = of(insides);
	struct engine_kernel *k = &w->kernels[program];
	come_to(w, inside_cycle(w->machine, now));
	w->now = w->from;
	k->job = job;
	k->next_block = block;
	if (block == 0)
		k->part.pool.left = k->part.pool.size;
	placing_place(w, program, &w->sms[sm]);
	w->place = w->changed = false;
}

/* The first cycle from w->from on in which anything can happen. */
static int64_t next_cycle(const struct warp_simulation *w)
{
	int64_t next = calendar_next(&w->calendar, w->from);
	if (w->instant_count > 0 && w->instants[0].cycle < next)
		next = w->instants[0].cycle;
	return next;
}

/* Phase 1; then no block is left for phase 3, which is the other engine's. */
static void end_blocks(struct warp_simulation *w)
{
	if (w->instant_count > 0 && w->instants[0].cycle <= w->now)
		blocks_end_instants(w);
	w->place = w->changed = false;
}

static bool run(struct insides *insides, int64_t until, uint64_t *most, int64_t *now)
{
	struct warp_simulation *w = of(insides);
	uint64_t events = w->events;
	w->end_count = 0;
	for (;;) {
		int64_t next = next_cycle(w);
		if (next > warp_cycles(w->machine, until))
			break;
		if (w->events - events >= *most && w->end_count == 0) {
			*most = 0;
			return false;
		}
		w->now = next;
		end_blocks(w);
		if (w->end_count > 0 && inside_ns(w->machine, next) < until)
			until = inside_ns(w->machine, next);
		w->end = inside_cycle(w->machine, until);
		if (next == w->end)
			break; /* it begins at the instant: the rest of it comes behind */
		int64_t stop = ahead_until(w);
		if (stop > w->now + 1)
			ahead_run(w, stop);
		else
			issue_cycle(w);
		w->from = w->now + 1;
	}
	come_to(w, inside_cycle(w->machine, until));
	*most -= w->events - events < *most ? w->events - events : *most;
	*now = until;
	return true;
}

static const struct block_end *ended(const struct insides *insides, uint32_t *count)
{
	const struct warp_simulation *w = (const struct warp_simulation *)(const void *)insides;
	*count = w->end_count;
	return w->ends;
}

const struct program_runner warp_program_runner = {create, destroy, place, run, ended};
