/* tests/oracle/warp_shrink.c - the verdict on a random case, and shrinking: removes one thing after the other
 * as long as the sides still differ. */
#include "tests/oracle/warp_shrink.h"

#include <inttypes.h>
#include <string.h>

#include "tests/oracle/warp_engine.h"

#define TEXT_MAX 2048
#define ROUNDS_MAX 40

/* ---- verdicts ---- */

static void add_counts(struct plain_counts *sum, const struct plain_counts *counts)
{
	uint64_t all[sizeof(*sum) / sizeof(uint64_t)], more[sizeof(*sum) / sizeof(uint64_t)];
	memcpy(all, sum, sizeof(*sum));
	memcpy(more, counts, sizeof(*sum));
	for (size_t i = 0; i < sizeof(*sum) / sizeof(uint64_t); i++)
		all[i] += more[i];
	memcpy(sum, all, sizeof(*sum));
}

static bool alone_agrees(struct warp_case *c, char *text, size_t size)
{
	for (uint32_t k = 0; k < c->set.kernel_count; k++)
		c->alone[k] = -1;
	for (uint32_t k = 0; warp_case_has_share(c) && k < c->set.kernel_count; k++) {
		c->alone[k] = plain_ipc_alone(&c->input, k);
		int64_t engine = warp_engine_ipc_alone(&c->input, k);
		if (c->alone[k] == engine)
			continue;
		snprintf(text, size, "alone, kernel %" PRIu32 ": plain %" PRId64 ", engine %" PRId64, k,
			c->alone[k], engine);
		return false;
	}
	return true;
}

enum warp_verdict warp_case_verdict(struct warp_case *c, struct plain_counts *counts, char *text, size_t size)
{
	if (!warp_case_is_valid(c, text, size))
		return WARP_INVALID;
	if (!alone_agrees(c, text, size))
		return WARP_DIFFERS;
	struct plain_result *plain = plain_run(&c->input), *engine = warp_engine_run(&c->input);
	bool agree = warp_results_agree(&c->input, plain, engine, text, size);
	if (agree) {
		struct plain_result *unseen = warp_engine_run_unseen(&c->input),
				    *rows = warp_engine_run_rows(&c->input);
		agree = warp_results_agree_unseen(&c->input, engine, unseen, text, size) &&
			warp_results_agree_rows(&c->input, engine, rows, text, size);
		plain_result_free(unseen);
		plain_result_free(rows);
	}
	if (counts)
		add_counts(counts, &plain->counts);
	plain_result_free(plain);
	plain_result_free(engine);
	return agree ? WARP_AGREES : WARP_DIFFERS;
}

/* ---- one thing less; false: there is nothing to take ---- */

static bool drop_kernel(struct warp_case *c, uint32_t n)
{
	if (n >= c->set.kernel_count || c->set.kernel_count == 1)
		return false;
	for (uint32_t k = n; k + 1 < c->set.kernel_count; k++) {
		c->kernel[k] = c->kernel[k + 1];
		memcpy(c->step[k], c->step[k + 1], sizeof(c->step[k]));
		memcpy(c->then[k], c->then[k + 1], sizeof(c->then[k]));
		memcpy(c->then_step[k], c->then_step[k + 1], sizeof(c->then_step[k]));
		c->options.budget[k] = c->options.budget[k + 1];
	}
	c->set.kernel_count--;
	return true;
}

/* n counts through the steps of all kernels. Loops around the step get shorter, too. */
static bool drop_step(struct warp_case *c, uint32_t n)
{
	uint32_t k = 0;
	while (k < c->set.kernel_count && n >= c->kernel[k].step_count)
		n -= c->kernel[k++].step_count;
	if (k == c->set.kernel_count || c->kernel[k].step_count == 1)
		return false;
	struct warp_step *steps = c->step[k];
	for (uint32_t i = 0; i < n; i++) {
		if (steps[i].kind == STEP_LOOP && i + steps[i].body >= n)
			steps[i].body--;
		if (steps[i].kind == STEP_LOOP && steps[i].body == 0)
			return false;
	}
	c->kernel[k].step_count--;
	memmove(&steps[n], &steps[n + 1], (c->kernel[k].step_count - n) * sizeof(*steps));
	return true;
}

/* The last part goes. */
static bool drop_part(struct warp_case *c, uint32_t n)
{
	if (n >= c->set.kernel_count || c->kernel[n].then_count == 0)
		return false;
	c->kernel[n].then_count--;
	return true;
}

/* The first part goes, and the next one takes its place. */
static bool drop_first_part(struct warp_case *c, uint32_t n)
{
	if (n >= c->set.kernel_count || c->kernel[n].then_count == 0)
		return false;
	struct warp_kernel *k = &c->kernel[n];
	const struct warp_kernel second = c->then[n][0];
	k->blocks = second.blocks;
	k->block_threads = second.block_threads;
	k->registers = second.registers;
	k->shared_memory = second.shared_memory;
	k->step_count = second.step_count;
	memcpy(c->step[n], c->then_step[n][0], sizeof(c->step[n]));
	k->then_count--;
	memmove(&c->then[n][0], &c->then[n][1], k->then_count * sizeof(second));
	memmove(&c->then_step[n][0], &c->then_step[n][1], k->then_count * sizeof(c->then_step[n][0]));
	return true;
}

static bool plainer_part(struct warp_case *c, uint32_t n)
{
	uint32_t k = n / CASE_THEN, part = n % CASE_THEN;
	if (k >= c->set.kernel_count || part >= c->kernel[k].then_count)
		return false;
	struct warp_kernel *p = &c->then[k][part];
	if (p->blocks == 1 && p->step_count == 1)
		return false;
	p->blocks = (p->blocks + 1) / 2;
	p->step_count = 1;
	p->steps[0] = (struct warp_step){.kind = STEP_COMPUTE,
		.count = 1,
		.threads = WARP_THREADS,
		.coalescing_ppm = 1000000,
		.bytes = 4};
	return true;
}

static bool fewer_counts(struct warp_case *c, uint32_t n)
{
	uint32_t k = n / CASE_STEPS, s = n % CASE_STEPS;
	if (k >= c->set.kernel_count || s >= c->kernel[k].step_count || c->step[k][s].count == 1)
		return false;
	c->step[k][s].count = 1;
	return true;
}

static bool own_rounds(struct warp_case *c, uint32_t n)
{
	uint32_t k = n / CASE_STEPS, s = n % CASE_STEPS;
	if (k >= c->set.kernel_count || s >= c->kernel[k].step_count || c->step[k][s].rounds == ROUNDS_OWN)
		return false;
	c->step[k][s].rounds = ROUNDS_OWN;
	return true;
}

static bool fewer_blocks(struct warp_case *c, uint32_t n)
{
	if (n >= c->set.kernel_count || c->kernel[n].blocks == 1)
		return false;
	c->kernel[n].blocks /= 2;
	return true;
}

static bool one_warp(struct warp_case *c, uint32_t n)
{
	if (n >= c->set.kernel_count || c->kernel[n].block_threads == WARP_THREADS)
		return false;
	c->kernel[n].block_threads = WARP_THREADS;
	return true;
}

static void without_manager(struct warp_case *c)
{
	c->options.manager = MANAGER_SMK;
}

static void with_oldest(struct warp_case *c)
{
	c->options.scheduler = SCHEDULE_OLDEST;
}

static void on_one_sm(struct warp_case *c)
{
	c->platform.sms = 1;
}

static void on_fewer_sms(struct warp_case *c)
{
	c->platform.sms = (c->platform.sms + 1) / 2;
}

static void with_one_sub_core(struct warp_case *c)
{
	c->set.machine.sub_cores = 1;
}

static void with_room(struct warp_case *c)
{
	c->platform.registers_per_sm = c->platform.shared_memory_per_sm = 0;
}

static void shorter(struct warp_case *c)
{
	c->setup.horizon_ns -= c->setup.horizon_ns / 4;
}

static void until_the_horizon(struct warp_case *c)
{
	c->setup.limit_ns = c->setup.horizon_ns;
}

static void at_one_gigahertz(struct warp_case *c)
{
	c->setup.horizon_ns = plain_cycles(&c->set.machine, c->setup.horizon_ns);
	c->setup.limit_ns = plain_cycles(&c->set.machine, c->setup.limit_ns);
	c->set.machine.clock_hz = 1000000000;
}

static void without_adjustment(struct warp_case *c)
{
	c->options.adjust = false;
}

static void with_free_swaps(struct warp_case *c)
{
	c->options.free_swaps = true;
}

static bool simpler(struct warp_case *c, uint32_t n)
{
	static void (*const ways[])(struct warp_case *) = {without_manager, with_oldest, on_one_sm,
		on_fewer_sms, with_one_sub_core, with_room, shorter, until_the_horizon, at_one_gigahertz,
		without_adjustment, with_free_swaps};
	struct warp_case before;
	if (n >= sizeof(ways) / sizeof(ways[0]))
		return false;
	warp_case_copy(c, &before);
	ways[n](c);
	return memcmp(&before.options, &c->options, sizeof(c->options)) ||
	       memcmp(&before.platform, &c->platform, sizeof(c->platform)) ||
	       memcmp(&before.setup, &c->setup, sizeof(c->setup)) ||
	       memcmp(&before.set.machine, &c->set.machine, sizeof(c->set.machine));
}

static bool plainer_kernel(struct warp_case *c, uint32_t n)
{
	uint32_t k = n / 5;
	if (k >= c->set.kernel_count)
		return false;
	struct warp_kernel before = c->kernel[k];
	if (n % 5 == 0)
		c->kernel[k].stream = STREAM_OWN;
	if (n % 5 == 1)
		c->kernel[k].repeat = false;
	if (n % 5 == 2)
		c->kernel[k].period = 0;
	if (n % 5 == 3)
		c->kernel[k].launch = 0;
	if (n % 5 == 4)
		c->kernel[k].stream_high = false;
	return memcmp(&before, &c->kernel[k], sizeof(before));
}

/* Does it still differ, in the same kind of row as `before` says? A case that a manager cannot run does not
 * count. */
static bool still_differs(struct warp_case *c, const char *before)
{
	char text[TEXT_MAX];
	bool goals = false;
	for (uint32_t k = 0; k < c->set.kernel_count; k++)
		goals = goals || c->kernel[k].goal.kind != GOAL_NONE;
	if (!goals)
		c->options.manager = MANAGER_SMK;
	if (c->options.manager == MANAGER_SPART && c->set.kernel_count > c->platform.sms)
		return false;
	return warp_case_verdict(c, NULL, text, sizeof(text)) == WARP_DIFFERS &&
	       strncmp(text, before, strcspn(before, " ")) == 0;
}

static bool try_all(
	struct warp_case *c, const char *before, bool (*less)(struct warp_case *, uint32_t), uint32_t most)
{
	bool any = false;
	for (uint32_t n = 0; n < most; n++) {
		struct warp_case trial, tied;
		warp_case_copy(c, &trial);
		if (!less(&trial, n))
			continue;
		warp_case_copy(&trial, &tied);
		if (!still_differs(&tied, before))
			continue;
		warp_case_copy(&tied, c);
		any = true;
	}
	return any;
}

void warp_case_shrink(struct warp_case *c, const char *before)
{
	for (int round = 0; round < ROUNDS_MAX; round++) {
		bool any = try_all(c, before, drop_kernel, CASE_KERNELS);
		any = try_all(c, before, drop_part, CASE_KERNELS) || any;
		any = try_all(c, before, drop_first_part, CASE_KERNELS) || any;
		any = try_all(c, before, plainer_part, CASE_KERNELS * CASE_THEN) || any;
		any = try_all(c, before, simpler, 12) || any;
		any = try_all(c, before, drop_step, CASE_KERNELS * CASE_STEPS) || any;
		any = try_all(c, before, fewer_blocks, CASE_KERNELS) || any;
		any = try_all(c, before, fewer_counts, CASE_KERNELS * CASE_STEPS) || any;
		any = try_all(c, before, own_rounds, CASE_KERNELS * CASE_STEPS) || any;
		any = try_all(c, before, one_warp, CASE_KERNELS) || any;
		any = try_all(c, before, plainer_kernel, 5 * CASE_KERNELS) || any;
		if (!any)
			return;
	}
}
