/* tests/oracle/inside_cases.c - see tests/oracle/inside_cases.h. */
#include "tests/oracle/inside_cases.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "models/simulation.h"
#include "models/warps/inside.h"
#include "policies/registry.h"
#include "tests/oracle/dice.h"
#include "tests/oracle/inside_plain.h"
#include "tests/oracle/warp_random.h"

#define CYCLES_MOST 20000

struct inside_case {
	struct warp_case warps;
	struct inside_input input;
	struct taskset set;
	struct task task[INSIDE_TASKS];
	struct segment segment[INSIDE_TASKS];
	char name[INSIDE_TASKS][8];
};

/* ---- random cases ---- */

static void roll_task(struct dice *d, struct inside_case *c, int program, struct inside_task *t)
{
	const struct warp_kernel *k = program >= 0 ? &c->warps.kernel[program] : NULL;
	*t = (struct inside_task){
		.period_ns = between(d, 1000, 6000),
		.offset_ns = once_in(d, 2) ? 0 : between(d, 0, 800),
		.program = program,
		.blocks = k ? k->blocks : small(d, 1, 6),
		.threads = k ? k->block_threads : small(d, 1, 64),
		.time_ns = k ? 0 : between(d, 1, 700),
	};
}

static void settle_warps(struct dice *d, struct warp_case *c)
{
	static const int64_t clocks[] = {1000000000, 1500000000, 700000000, 2300000000, 333333333};
	c->set.machine.clock_hz = clocks[small(d, 0, 4)];
	c->options = inside_options((enum warp_scheduler_kind)small(d, SCHEDULE_LRR, SCHEDULE_OLDEST));
	c->setup = (struct run_setup){.horizon_ns = between(d, 1, 4000),
		.limit_ns = 1000000000,
		.seed = roll(d),
		.stop = STOP_DRAINED,
		.execution = EXECUTION_WORST};
	if (c->platform.threads_per_sm == 0 && c->platform.warps_per_sm == 0)
		c->platform.warps_per_sm = WARPS_PER_SM_MAX;
	c->platform.sms_per_tpc = 1;
	for (uint32_t k = 0; k < c->set.kernel_count; k++) {
		struct warp_kernel *kernel = &c->kernel[k];
		kernel->then_count = 0; /* in sets of tasks jobs have segments instead */
		kernel->goal = (struct warp_goal){.kind = GOAL_NONE};
		kernel->launch = kernel->period = 0;
		kernel->repeat = kernel->stream_high = false;
		kernel->stream = STREAM_OWN;
		kernel->blocks = kernel->blocks > 12 ? kernel->blocks % 12 + 1 : kernel->blocks;
	}
	c->input.alone = NULL;
}

static void describe(struct inside_case *c, uint32_t i)
{
	const struct inside_task *t = &c->input.task[i];
	const struct warp_kernel *k = t->program >= 0 ? &c->warps.kernel[t->program] : NULL;
	snprintf(c->name[i], sizeof(c->name[i]), "t%" PRIu32, i);
	c->segment[i] = (struct segment){
		.kind = SEGMENT_KERNEL,
		.form = k ? KERNEL_PROGRAM : KERNEL_GRID,
		.grid = t->blocks,
		.block = t->threads,
		.best_ns = t->time_ns,
		.worst_ns = t->time_ns,
		.bytes = -1,
		.profile = -1,
		.stream = STREAM_OWN,
	};
	if (k) {
		c->segment[i].registers = k->registers;
		c->segment[i].shared_memory = k->shared_memory;
		c->segment[i].steps = k->steps;
		c->segment[i].step_count = k->step_count;
	}
	c->task[i] = (struct task){
		.name = c->name[i],
		.period_ns = t->period_ns,
		.deadline_ns = t->period_ns,
		.offset_ns = t->offset_ns,
		.core = CORE_NOT_SAID,
		.segments = &c->segment[i],
		.segment_count = 1,
	};
}

/* False: it is none. The caller ends c->set. */
static bool make(uint64_t seed, uint64_t index, struct inside_case *c)
{
	struct dice d = {.state = seed * 1000003 + index};
	char text[256];
	uint32_t count;
	*c = (struct inside_case){0};
	taskset_init(&c->set);
	warp_case_make(seed, index, &c->warps);
	if (once_in(&d, 8))
		warp_case_lengthen(seed, index, &c->warps);
	settle_warps(&d, &c->warps);
	if (!warp_case_is_valid(&c->warps, text, sizeof(text)))
		return false;
	for (uint32_t k = 0; k < c->warps.set.kernel_count; k++) {
		if (c->input.tasks + c->warps.set.kernel_count - k < INSIDE_TASKS && once_in(&d, 4))
			roll_task(&d, c, -1, &c->input.task[c->input.tasks++]);
		roll_task(&d, c, (int)k, &c->input.task[c->input.tasks++]);
	}
	c->input.warps = c->warps.input;
	for (uint32_t i = 0; i < c->input.tasks; i++)
		describe(c, i);
	c->set.name = c->name[0];
	c->set.tasks = c->task;
	c->set.task_count = c->input.tasks;
	return programs_collect(&c->set, &c->warps.set.machine, c->warps.options.scheduler, &count);
}

/* ---- the engine ---- */

struct seen {
	struct inside_stay *row;
	size_t count, room;
};

static bool note(void *self, const struct trace_record *records, size_t count)
{
	struct seen *s = self;
	for (size_t i = 0; i < count; i++) {
		const struct trace_record *r = &records[i];
		if (r->kind != TRACE_BLOCKS_END)
			continue;
		if (s->count == s->room) {
			s->room = s->room ? 2 * s->room : 64;
			s->row = realloc(s->row, s->room * sizeof(*s->row));
			if (!s->row)
				abort();
		}
		s->row[s->count++] =
			(struct inside_stay){r->task, r->job, r->block, r->index, r->start, r->time};
	}
	return true;
}

/* The digest of the schedule; false: the run failed. */
static bool simulate(struct inside_case *c, uint64_t slice, struct seen *seen, uint64_t *digest)
{
	struct simulation *s;
	struct error err;
	if (!simulation_create(
		    &c->warps.platform, &c->set, &c->warps.setup, policy_find("fifo-cke"), NULL, &s, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return false;
	}
	trace_observe(simulation_trace(s), 1u << TRACE_BLOCKS_END, note, seen);
	while (simulation_step(s, slice) == SIMULATION_RUNNING)
		;
	bool ok = !simulation_error(s);
	if (ok)
		*digest = simulation_outcome(s).digest;
	else
		fprintf(stderr, "%s\n", simulation_error(s)->text);
	simulation_destroy(s);
	return ok;
}

static int by_block(const void *a, const void *b)
{
	const struct inside_stay *x = a, *y = b;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	return (x->block > y->block) - (x->block < y->block);
}

static void print_stay(const char *who, const struct inside_stay *s)
{
	fprintf(stderr,
		"%s: task %" PRIu32 " job %" PRIu32 " block %" PRIu32 " SM %" PRIu32 ", %" PRId64
		" to %" PRId64 "\n",
		who, s->task, s->job, s->block, s->sm, s->start, s->end);
}

/* Else prints the first block that differs. */
static bool agree(struct inside_result *plain, struct seen *engine)
{
	size_t differ = SIZE_MAX;
	if (plain->stays.count == 0 || engine->count == 0)
		return plain->stays.count == engine->count;
	qsort(plain->stays.row, plain->stays.count, sizeof(*engine->row), by_block);
	qsort(engine->row, engine->count, sizeof(*engine->row), by_block);
	for (size_t i = 0; i < plain->stays.count && i < engine->count; i++)
		if (memcmp(&plain->stays.row[i], &engine->row[i], sizeof(*engine->row)) != 0 &&
			(differ == SIZE_MAX || engine->row[i].start < engine->row[differ].start))
			differ = i;
	if (differ != SIZE_MAX) {
		print_stay("plain", &plain->stays.row[differ]);
		print_stay("engine", &engine->row[differ]);
	}
	return differ == SIZE_MAX && plain->stays.count == engine->count;
}

/* ---- a comparison ---- */

static enum inside_verdict judge(
	struct inside_case *c, struct inside_result *plain, uint64_t slice, struct inside_counts *counts)
{
	struct seen whole = {NULL}, slices = {NULL};
	uint64_t digest, again;
	bool same = simulate(c, UINT64_MAX / 2, &whole, &digest) && agree(plain, &whole) &&
		    simulate(c, slice, &slices, &again) && digest == again;
	counts->between += plain->ends_between;
	counts->beside += plain->beside;
	counts->blocks += whole.count;
	free(whole.row);
	free(slices.row);
	return same ? INSIDE_AGREES : INSIDE_DIFFERS;
}

enum inside_verdict inside_case_verdict(uint64_t seed, uint64_t index, struct inside_counts *counts)
{
	static struct inside_case c;
	enum inside_verdict verdict = INSIDE_NONE;
	bool made = make(seed, index, &c);
	struct inside_result *plain = made ? inside_run(&c.input, CYCLES_MOST) : NULL;
	if (plain && plain->over)
		verdict = judge(&c, plain, 1 + index % 50, counts);
	if (plain)
		inside_result_free(plain);
	taskset_finish(&c.set);
	return verdict;
}
