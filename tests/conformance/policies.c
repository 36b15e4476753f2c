/* tests/conformance/policies.c - see tests/conformance/policies.h. */
#include "tests/conformance/policies.h"

#include <stdio.h>

#include "models/gate.h"
#include "models/kernel.h"
#include "policies/policies.h"
#include "tests/oracle/dice.h"

static bool refuse(struct plan *plan, uint32_t task, const char *why)
{
	plan->refused = true;
	plan->failing_task = task;
	snprintf(plan->reason, sizeof(plan->reason), "%s", why);
	return true;
}

/* ---- waiting on the CPU ---- */

static bool plan_busy(struct plan *plan, struct error *err)
{
	(void)err;
	plan->wait = WAIT_BUSY;
	plan->unit = GATE_SECTION;
	plan->decide = decide_one_at_a_time;
	plan->kernel_order = plan->copy_order = order_by_priority;
	taskset_ranks(plan->set, true, plan->rank);
	return true;
}

static bool plan_boosted(struct plan *plan, struct error *err)
{
	bool planned = plan_busy(plan, err);
	plan->wait = WAIT_BOOST;
	return planned;
}

/* Spins, and admits everybody to the GPU. */
static bool plan_busy_open(struct plan *plan, struct error *err)
{
	(void)err;
	plan->wait = WAIT_BUSY;
	return true;
}

/* ---- grants ---- */

/* Every kernel of the task must have a time on its grant, and its blocks must fit an SM. */
static bool kernels_fit(struct plan *plan, uint32_t task, const struct grant *grant)
{
	const struct task *t = &plan->set->tasks[task];
	for (uint32_t i = 0; i < t->segment_count; i++) {
		struct kernel_shape shape;
		struct error ignored;
		if (t->segments[i].kind == SEGMENT_KERNEL &&
			(!kernel_shape(plan->platform, plan->set, &t->segments[i], plan->virtual_sms,
				 grant->count ? grant : NULL, &shape, &ignored) ||
				kernel_resident(plan->platform, plan->virtual_sms, &shape.demand) == 0))
			return refuse(plan, task, "a kernel does not fit its SMs");
	}
	return true;
}

/* Whole SMs: task i gets SMs i, i + n, i + 2n, ... of the GPU, so no two tasks share one. */
static bool grant_sms(struct plan *plan, bool even_only, struct error *err)
{
	uint32_t n = plan->set->task_count, sms = plan->platform->sms;
	struct grant *grants = arena_new(plan->arena, struct grant, n);
	if (!grants)
		return error_memory(err, "grants");
	plan->grants = grants;
	for (uint32_t i = 0; i < n && !plan->refused; i++) {
		grants[i].sm = arena_new(plan->arena, uint32_t, sms + 1);
		if (!grants[i].sm)
			return error_memory(err, "grants");
		for (uint32_t sm = i; sm < sms && (!even_only || i % 2 == 0); sm += n)
			grants[i].sm[grants[i].count++] = sm;
		if (subjects_has_kernels(&plan->set->tasks[i]) && !kernels_fit(plan, i, &grants[i]))
			return false;
	}
	return true;
}

static bool plan_sm_sets(struct plan *plan, struct error *err)
{
	plan->copy_order = order_by_priority;
	return grant_sms(plan, false, err);
}

/* Every other task has its own SMs; the rest use the primary queue. For the laws to hold, a task of the queue
 * must not prefer the others' SMs: they may be shared. */
static bool plan_half_sets(struct plan *plan, struct error *err)
{
	return grant_sms(plan, true, err);
}

/* Virtual SMs: dealt to the tasks in turn, one by one, SM after SM. */
static bool grant_virtual(struct plan *plan, uint32_t virtual_sms, struct error *err)
{
	uint32_t n = plan->set->task_count, sms = plan->platform->sms;
	struct grant *grants = arena_new(plan->arena, struct grant, n);
	plan->virtual_sms = virtual_sms;
	plan->copy_order = order_by_priority;
	plan->grants = grants;
	for (uint32_t i = 0; grants && i < n; i++) {
		grants[i].sm = arena_new(plan->arena, uint32_t, sms + 1);
		grants[i].slots = arena_new(plan->arena, uint32_t, sms + 1);
		if (!grants[i].sm || !grants[i].slots)
			return error_memory(err, "grants");
	}
	if (!grants)
		return error_memory(err, "grants");
	for (uint32_t slot = 0; slot < sms * virtual_sms; slot++) {
		struct grant *g = &grants[slot % n];
		uint32_t sm = slot / virtual_sms;
		if (g->count == 0 || g->sm[g->count - 1] != sm)
			g->sm[g->count++] = sm;
		g->slots[g->count - 1]++;
		g->virtual_sms++;
	}
	for (uint32_t i = 0; i < n && !plan->refused; i++)
		if (subjects_has_kernels(&plan->set->tasks[i]) && !kernels_fit(plan, i, &grants[i]))
			return false;
	return true;
}

static bool plan_virtual_2(struct plan *plan, struct error *err)
{
	return grant_virtual(plan, 2, err);
}

static bool plan_virtual_4(struct plan *plan, struct error *err)
{
	return grant_virtual(plan, 4, err);
}

/* ---- orders ---- */

/* An order that the program does not know; it is by deadline. */
static int64_t own_order(const struct operation *op)
{
	return op->deadline - 1;
}

static bool plan_own_order(struct plan *plan, struct error *err)
{
	(void)err;
	plan->cpu_order = plan->copy_order = own_order;
	plan->kernel_order = order_by_deadline;
	return true;
}

/* The core serves jobs first come, first served: it never preempts, except between jobs released together. */
static bool plan_fifo_core(struct plan *plan, struct error *err)
{
	(void)err;
	plan->cpu_order = order_by_release;
	plan->kernel_order = order_by_priority;
	return true;
}

/* ---- contexts ---- */

/* Gives the GPU to anybody, at any time, in every way there is. */
static void decide_anything(struct gate *gate, void *state)
{
	struct dice *d = state;
	uint32_t process = small(d, 0, gate_processes(gate));
	enum gate_how how = (enum gate_how)between(d, GATE_SAVE, GATE_RESET);
	if (process == gate_processes(gate) && !once_in(d, 3))
		process = gate_process(gate, 0);
	if (how == GATE_RESET && !gate_may_reset(gate))
		how = GATE_DRAIN;
	if (once_in(d, 2))
		gate_switch(gate, process < gate_processes(gate) ? process : GATE_NOBODY, how);
	gate_wake(gate, gate_now(gate) + between(d, 1, 9));
}

static bool plan_changeful(struct plan *plan, struct error *err)
{
	struct dice *d = arena_new(plan->arena, struct dice, 1);
	if (!d)
		return error_memory(err, "dice");
	plan->contexts = params_choice(plan->params, "owns") == 0 ? CONTEXTS_GPU : CONTEXTS_COMPUTE;
	plan->decide = decide_anything;
	plan->wakes = true;
	plan->state = d;
	return true;
}

static const struct option owner_option[] = {
	{.name = "owns", .kind = OPTION_CHOICE, .choices = "gpu|compute", .fallback = "gpu"},
	{0},
};

/* ---- the odd ones ---- */

static bool plan_refusing(struct plan *plan, struct error *err)
{
	(void)err;
	return refuse(plan, 0, "it refuses everything");
}

static void decide_nothing(struct gate *gate, void *state)
{
	(void)gate;
	(void)state;
}

static bool plan_closed(struct plan *plan, struct error *err)
{
	(void)err;
	plan->unit = params_choice(plan->params, "unit") == 0 ? GATE_SECTION : GATE_KERNEL;
	plan->decide = decide_nothing;
	return true;
}

static const struct option unit_option[] = {
	{.name = "unit", .kind = OPTION_CHOICE, .choices = "section|kernel", .fallback = "section"},
	{0},
};

#define POLICY(id, label, choices, hook)                                                                     \
	const struct policy policy_##id = {.name = label,                                                    \
		.summary = "made for the tests",                                                             \
		.version = 1,                                                                                \
		.options = choices,                                                                          \
		.plan = hook}
static POLICY(busy, "busy", NULL, plan_busy);
static POLICY(boosted, "boosted", NULL, plan_boosted);
static POLICY(busy_open, "busy-open", NULL, plan_busy_open);
static POLICY(sm_sets, "sm-sets", NULL, plan_sm_sets);
static POLICY(half_sets, "half-sets", NULL, plan_half_sets);
static POLICY(virtual_2, "virtual-2", NULL, plan_virtual_2);
static POLICY(virtual_4, "virtual-4", NULL, plan_virtual_4);
static POLICY(own_order, "own-order", NULL, plan_own_order);
static POLICY(changeful, "changeful", owner_option, plan_changeful);
static POLICY(fifo_core, "fifo-core", NULL, plan_fifo_core);
POLICY(refusing, "refusing", NULL, plan_refusing);
POLICY(closed, "closed", unit_option, plan_closed);

const struct test_policy test_policies[] = {
	{.policy = &policy_template},
	{.policy = &policy_busy, .locks = true},
	{.policy = &policy_boosted},
	{.policy = &policy_busy_open},
	{.policy = &policy_sm_sets, .wide = true, .own_sms = true},
	{.policy = &policy_half_sets, .wide = true},
	{.policy = &policy_virtual_2, .wide = true, .virtual_sms = 2},
	{.policy = &policy_virtual_4, .wide = true, .virtual_sms = 4},
	{.policy = &policy_own_order},
	{.policy = &policy_fifo_core},
	{.policy = &policy_changeful, .contexts = true},
	{.policy = &policy_refusing},
	{.policy = &policy_closed, .gate = GATE_CLOSED},
	{.policy = &policy_pairs, .workers = 2, .shows = true, .tells = true},
	{.policy = &policy_some_sms, .workers = 1, .shows = true, .tells = true},
	{.policy = &policy_some_slots, .workers = 1, .shows = true, .tells = true, .slots = true},
	{.policy = &policy_clocked, .gate = GATE_CLOCKED, .shows = true},
	{.policy = &policy_several},
	{0},
};
