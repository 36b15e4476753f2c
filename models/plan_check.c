/* models/plan_check.c - see models/plan_check.h. One function checks one part of the contract in
 * models/policy.h; its message names the field that is wrong. */
#include "models/plan_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "models/plan.h"
#include "models/releases.h"

struct plan_checker {
	const struct plan *plan;
	const char *policy;
	struct error *err;
};

/* Always returns false. */
static bool wrong(const struct plan_checker *c, const char *fmt, ...) PRINTF_LIKE(2, 3);

static bool wrong(const struct plan_checker *c, const char *fmt, ...)
{
	char text[512];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return error_set(c->err, STATUS_INPUT, "policy '%s' made a wrong plan: %s", c->policy, text);
}

static bool ranks(const struct plan_checker *c)
{
	const struct plan *p = c->plan;
	uint32_t n = p->set->task_count;
	if (!p->rank)
		return wrong(c, "rank is NULL");
	bool *taken = arena_new(p->arena, bool, n);
	if (!taken)
		return error_memory(c->err, "the check of a plan");
	for (uint32_t i = 0; i < n; i++) {
		if (p->rank[i] >= n)
			return wrong(c, "rank[%u] is %u; the ranks of %u tasks are 0 to %u", i, p->rank[i], n,
				n - 1);
		if (taken[p->rank[i]])
			return wrong(c,
				"rank[%u] is %u, as that of a task before it; ranks are a permutation", i,
				p->rank[i]);
		taken[p->rank[i]] = true;
	}
	return true;
}

static bool orders(const struct plan_checker *c)
{
	const struct plan *p = c->plan;
	const struct {
		const char *name;
		order_fn *order;
	} orders[] = {
		{"cpu_order", p->cpu_order},
		{"copy_order", p->copy_order},
		{"kernel_order", p->kernel_order},
	};
	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++)
		if (!orders[i].order)
			return wrong(c, "%s is NULL", orders[i].name);
	return true;
}

static bool gate(const struct plan_checker *c)
{
	const struct plan *p = c->plan;
	if (p->wait != WAIT_SUSPEND && p->wait != WAIT_BUSY && p->wait != WAIT_BOOST)
		return wrong(
			c, "wait is %d, which is none of WAIT_SUSPEND, WAIT_BUSY, WAIT_BOOST", (int)p->wait);
	if (p->unit != GATE_OPEN && p->unit != GATE_KERNEL && p->unit != GATE_SECTION &&
		p->unit != GATE_SECTION_KERNELS)
		return wrong(c,
			"unit is %d, which is none of GATE_OPEN, GATE_KERNEL, GATE_SECTION, "
			"GATE_SECTION_KERNELS",
			(int)p->unit);
	if (p->contexts != CONTEXTS_NONE && p->contexts != CONTEXTS_GPU && p->contexts != CONTEXTS_COMPUTE)
		return wrong(c,
			"contexts is %d, which is none of CONTEXTS_NONE, CONTEXTS_GPU, CONTEXTS_COMPUTE",
			(int)p->contexts);
	if (p->contexts != CONTEXTS_NONE && !p->decide)
		return wrong(c, "there are contexts, but decide is NULL: nobody would have the GPU");
	if (p->call && (p->contexts == CONTEXTS_NONE || p->unit != GATE_OPEN))
		return wrong(c, "call is given, but %s",
			p->unit != GATE_OPEN ? "units wait at the gate" : "there are no contexts");
	if (!p->call && (p->calls_free || p->call_rank))
		return wrong(c, "%s is given, but no call", p->calls_free ? "calls_free" : "call_rank");
	bool decides = p->unit != GATE_OPEN || p->contexts != CONTEXTS_NONE;
	if (p->unit != GATE_OPEN && !p->decide)
		return wrong(c, "units wait at the gate, but decide is NULL: nobody would admit them");
	if (!decides && p->decide)
		return wrong(c, "decide is given, but unit is GATE_OPEN: it would never be called");
	if (!decides && p->wakes)
		return wrong(c, "wakes needs a gate, but unit is GATE_OPEN");
	if (p->gpus != GPUS_ONE && p->gpus != GPUS_EACH && p->gpus != GPUS_CHOSEN)
		return wrong(
			c, "gpus is %d, which is none of GPUS_ONE, GPUS_EACH, GPUS_CHOSEN", (int)p->gpus);
	if (p->gpus == GPUS_CHOSEN && p->unit != GATE_SECTION)
		return wrong(c, "GPUS_CHOSEN needs a gate for sections, but unit is not GATE_SECTION");
	if (p->gpus != GPUS_ONE && p->contexts != CONTEXTS_NONE)
		return wrong(c, "contexts are of one GPU: gpus must be GPUS_ONE");
	if (p->unit == GATE_OPEN && p->grants_at_run_time)
		return wrong(c, "grants_at_run_time needs a gate, but unit is GATE_OPEN");
	if (p->virtual_sms < 1 || p->virtual_sms > VIRTUAL_SMS_MAX)
		return wrong(c, "virtual_sms is %u; from 1 to %u", p->virtual_sms, VIRTUAL_SMS_MAX);
	return true;
}

static bool decision(const struct plan_checker *c)
{
	const struct plan *p = c->plan;
	const struct plan_decision *d = &p->decision;
	if (d->base_ns < 0 || d->base_ns > DECISION_MOST_NS || d->unit_ns < 0 ||
		d->unit_ns > DECISION_MOST_NS)
		return wrong(c,
			"decision has base_ns %" PRId64 " and unit_ns %" PRId64 "; from 0 to %" PRId64
			" each",
			d->base_ns, d->unit_ns, DECISION_MOST_NS);
	if (!plan_decision_costs(p))
		return true;
	if (p->unit == GATE_OPEN || p->contexts != CONTEXTS_NONE || p->gpus != GPUS_ONE)
		return wrong(c, "decisions take time, but %s",
			p->unit == GATE_OPEN           ? "unit is GATE_OPEN: there are none"
			: p->contexts != CONTEXTS_NONE ? "there are contexts"
						       : "gpus is not GPUS_ONE");
	if (p->wakes)
		return wrong(c, "decisions take time, but it wakes: nobody would have asked for some");
	return true;
}

/* ---- SMs of a task's own ---- */

/* The GPU of the task's kernels, whose SMs its grant is of. *all: whether they are all on one. */
static uint32_t gpu_of_kernels(const struct plan *plan, uint32_t task, bool *all)
{
	const struct task *t = &plan->set->tasks[task];
	uint32_t gpu = UINT32_MAX;
	*all = true;
	for (uint32_t i = 0; i < t->segment_count; i++) {
		if (t->segments[i].kind != SEGMENT_KERNEL)
			continue;
		*all = *all && (gpu == UINT32_MAX || gpu == t->segments[i].gpu);
		gpu = gpu == UINT32_MAX ? t->segments[i].gpu : gpu;
	}
	return gpu < platform_gpus(plan->platform) ? gpu : 0;
}

static bool grant_sms(const struct plan_checker *c, uint32_t task, const struct grant *g)
{
	bool all;
	uint32_t sms = platform_gpu(c->plan->platform, gpu_of_kernels(c->plan, task, &all))->sms;
	if (!all && c->plan->gpus != GPUS_ONE)
		return wrong(c, "grants[%u] has SMs, but the task's kernels are not all on one GPU", task);
	if (g->count > sms)
		return wrong(c, "grants[%u] has %u SMs of %u", task, g->count, sms);
	if (!g->sm)
		return wrong(c, "grants[%u] has %u SMs, but sm is NULL", task, g->count);
	for (uint32_t i = 0; i < g->count; i++) {
		if (g->sm[i] >= sms)
			return wrong(
				c, "grants[%u].sm[%u] is %u; SMs are 0 to %u", task, i, g->sm[i], sms - 1);
		if (i > 0 && g->sm[i] <= g->sm[i - 1])
			return wrong(c, "grants[%u].sm[%u] is %u, behind %u; SMs are ascending", task, i,
				g->sm[i], g->sm[i - 1]);
	}
	return true;
}

static bool grant_slots(const struct plan_checker *c, uint32_t task, const struct grant *g)
{
	uint32_t sum = 0, most = c->plan->virtual_sms;
	for (uint32_t i = 0; g->slots && i < g->count; i++) {
		if (g->slots[i] < 1 || g->slots[i] > most)
			return wrong(c, "grants[%u].slots[%u] is %u; from 1 to %u, the virtual SMs of an SM",
				task, i, g->slots[i], most);
		sum += g->slots[i];
	}
	if (g->virtual_sms != sum)
		return wrong(c, "grants[%u].virtual_sms is %u; %s is %u", task, g->virtual_sms,
			g->slots ? "the sum of its slots" : "with whole SMs it", sum);
	return true;
}

static bool grants(const struct plan_checker *c)
{
	for (uint32_t i = 0; c->plan->grants && i < c->plan->set->task_count; i++) {
		const struct grant *g = &c->plan->grants[i];
		if (g->count > 0 && !(grant_sms(c, i, g) && grant_slots(c, i, g)))
			return false;
	}
	return true;
}

/* ---- refusing ---- */

static bool refusal(const struct plan_checker *c)
{
	const struct plan *p = c->plan;
	if (!memchr(p->reason, '\0', sizeof(p->reason)))
		return wrong(c, "reason is longer than %zu bytes", sizeof(p->reason) - 1);
	if (p->refused && !p->reason[0])
		return wrong(c, "the set is refused without a reason");
	if (p->failing_task != UINT32_MAX && p->failing_task >= p->set->task_count)
		return wrong(c, "failing_task is %u of %u tasks; UINT32_MAX: no particular one",
			p->failing_task, p->set->task_count);
	return true;
}

bool plan_check(const struct plan *plan, const char *policy, struct error *err)
{
	const struct plan_checker c = {.plan = plan, .policy = policy, .err = err};
	/* The plan of a refused set is not run, so the rest of it is not checked. */
	return refusal(&c) &&
	       (plan->refused || (ranks(&c) && orders(&c) && gate(&c) && decision(&c) && grants(&c)));
}

static bool same_given(const struct plan *a, const struct plan *b)
{
	return a->platform == b->platform && a->set == b->set && a->setup == b->setup &&
	       a->params == b->params && a->arena == b->arena;
}

/* Units of a gate are made of operations that come one after the other, and so is what a context saves. So a
 * policy with a gate, or with contexts, refuses sets with operations in flight (docs/model.md), whatever its
 * own test says. */
static void refuse_flights(struct plan *p)
{
	bool in_turn = p->unit != GATE_OPEN || p->contexts != CONTEXTS_NONE;
	for (uint32_t i = 0; in_turn && !p->refused && i < p->set->task_count; i++) {
		const struct task *t = &p->set->tasks[i];
		uint32_t segment = task_first_flight(t);
		if (segment == t->segment_count)
			continue;
		p->refused = true;
		p->failing_task = i;
		snprintf(p->reason, sizeof(p->reason),
			"segment %" PRIu32
			" of task '%.60s' %s: a policy that %s is for operations that come "
			"one after the other",
			segment, t->name,
			t->segments[segment].kind == SEGMENT_WAIT ? "waits for operations in flight"
			: t->segments[segment].async              ? "is asynchronous"
								  : "comes after others",
			p->unit != GATE_OPEN ? "admits what uses the GPU"
					     : "gives processes the GPU in turns");
	}
}

/* Does a release trace say how long a program takes? */
static bool traces_program(const struct plan *p, const struct task *t)
{
	const struct release_rule *rule = release_rule_of(p->setup, t);
	for (uint32_t i = 0; i < rule->duration_count; i++) {
		uint32_t segment = rule->durations[i].segment;
		if (segment < t->segment_count && t->segments[segment].form == KERNEL_PROGRAM)
			return true;
	}
	return false;
}

/* Nothing but a run says how long a program of warps takes, and its blocks go to their ends on their SMs
 * (docs/model.md, "Programs of warps"). */
static void refuse_programs(struct plan *p)
{
	bool contexts = p->contexts != CONTEXTS_NONE, chosen = p->grants_at_run_time;
	for (uint32_t i = 0; p->set->programs && !p->refused && i < p->set->task_count; i++) {
		const struct task *t = &p->set->tasks[i];
		uint32_t k = 0;
		while (k < t->segment_count &&
			!(t->segments[k].kind == SEGMENT_KERNEL && t->segments[k].form == KERNEL_PROGRAM))
			k++;
		bool traced = k < t->segment_count && traces_program(p, t);
		if (k == t->segment_count || !(contexts || chosen || traced))
			continue;
		p->refused = true;
		p->failing_task = i;
		snprintf(p->reason, sizeof(p->reason),
			"the kernel of segment %" PRIu32 " of task '%.60s' is a program of warps, and %s", k,
			t->name,
			contexts ? "the policy gives processes the GPU in turns, also in the middle of blocks"
			: chosen ? "the policy chooses SMs by how long kernels take on them"
				 : "a release trace gives it a length");
	}
}

static void refuse_gpus(struct plan *p)
{
	uint32_t gpus = platform_gpus(p->platform), task, segment;
	if (gpus == 1 || p->gpus == GPUS_EACH || p->refused)
		return;
	if (p->gpus == GPUS_CHOSEN) {
		if (!taskset_first_mask(p->set, &task, &segment))
			return;
		p->refused = true;
		p->failing_task = task;
		snprintf(p->reason, sizeof(p->reason),
			"segment %" PRIu32
			" of task '%.60s' is confined to some SMs of one GPU: a policy that "
			"chooses GPUs is for kernels without 'sms'",
			segment, p->set->tasks[task].name);
		return;
	}
	p->refused = true;
	p->failing_task = UINT32_MAX;
	snprintf(p->reason, sizeof(p->reason), "the platform has %" PRIu32 " GPUs: policy '%.60s' is for one",
		gpus, p->policy);
}

bool plan_grants_sms(const struct plan *p)
{
	bool some = p->grants_at_run_time;
	for (uint32_t i = 0; p->grants && i < p->set->task_count; i++)
		some |= p->grants[i].count > 0;
	return some;
}

/* Whether a kernel is confined to the very SMs that its task has of the plan. */
static bool as_granted(const struct plan *p, uint32_t task, const struct segment *s)
{
	const struct grant *g = p->grants ? &p->grants[task] : NULL;
	return g && g->count == s->sm_count && memcmp(g->sm, s->sms, g->count * sizeof(*g->sm)) == 0;
}

/* The first kernel that is confined to other SMs than its task has of the plan; false: none is. */
static bool first_astray(const struct plan *p, uint32_t *task, uint32_t *segment)
{
	if (!taskset_first_mask(p->set, task, segment))
		return false;
	for (*task = 0; *task < p->set->task_count; ++*task) {
		const struct task *t = &p->set->tasks[*task];
		for (*segment = 0; *segment < t->segment_count; ++*segment)
			if (t->segments[*segment].sm_count > 0 &&
				!as_granted(p, *task, &t->segments[*segment]))
				return true;
	}
	return false;
}

uint32_t plan_kernels_on(const struct plan *p, uint32_t gpu)
{
	return p->gpus == GPUS_CHOSEN ? taskset_kernels_at_once(p->set) : taskset_kernels_on(p->set, gpu);
}

/* The first GPU that may get more kernels than it holds; false: there is none. */
static bool first_crowded(const struct plan *p, uint32_t *kernels, uint32_t *most)
{
	for (uint32_t g = 0; g < platform_gpus(p->platform); g++) {
		*most = platform_gpu(p->platform, g)->resident_kernels;
		*kernels = plan_kernels_on(p, g);
		if (*most > 0 && *kernels > *most)
			return true;
	}
	return false;
}

/* Who has SMs of a policy stands in no task table, and is confined by the policy alone (docs/model.md, "SM
 * masks"). */
static void refuse_masks(struct plan *p)
{
	uint32_t task, segment, kernels, most;
	if (p->refused || !plan_grants_sms(p))
		return;
	if (first_astray(p, &task, &segment)) {
		p->refused = true;
		p->failing_task = task;
		snprintf(p->reason, sizeof(p->reason),
			"segment %" PRIu32
			" of task '%.60s' is confined to some SMs: a policy that gives tasks "
			"SMs of their own is for kernels without 'sms'",
			segment, p->set->tasks[task].name);
	} else if (first_crowded(p, &kernels, &most)) {
		p->refused = true;
		p->failing_task = UINT32_MAX;
		snprintf(p->reason, sizeof(p->reason),
			"%" PRIu32 " kernels may be on the GPU at a time, which holds %" PRIu32
			" (resident_kernels): a policy that gives tasks SMs of their own is for no more than "
			"these",
			kernels, most);
	}
}

/* A context that comes back finds SMs as it left them: whose they are then is not defined; and the warps of a
 * program know nothing of SMs that open late (docs/model.md, "Preemption"). */
static void refuse_delays(struct plan *p)
{
	bool contexts = p->contexts != CONTEXTS_NONE, programs = p->set->programs != NULL;
	for (uint32_t g = 0; g < platform_gpus(p->platform) && !p->refused; g++) {
		p->refused = (contexts || programs) && platform_gpu(p->platform, g)->preemption_delay_ns > 0;
		if (p->refused)
			snprintf(p->reason, sizeof(p->reason), "%s and a preemption_delay do not go together",
				contexts ? "contexts" : "programs of warps");
	}
}

/* Which core an idle job would get, and so whether it had it last, is known only when the cores are given to
 * jobs; but before that the lock is. */
static void refuse_calls(struct plan *p)
{
	if (p->refused || !p->call || !platform_global(p->platform) || p->platform->overheads.switch_ns == 0)
		return;
	p->refused = true;
	snprintf(p->reason, sizeof(p->reason),
		"calls around GPU sections, cores that serve any task, and an overhead `switch` do not go "
		"together");
}

/* Interrupts and switches of the core, and what launches wait for, beside decisions on it: not defined. */
static void refuse_decisions(struct plan *p)
{
	if (p->refused || !plan_decision_costs(p) || !platform_overheads(p->platform))
		return;
	p->refused = true;
	snprintf(p->reason, sizeof(p->reason),
		"decisions that take time and overheads of the platform do not go together");
}

bool plan_make(const struct policy *policy, struct plan *plan, struct error *err)
{
	const struct plan given = *plan;
	struct error reason = {.status = STATUS_OK};
	const struct plan_checker c = {.plan = plan, .policy = policy->name, .err = err};
	if (!policy->plan)
		return error_set(
			err, STATUS_INPUT, "policy '%s' schedules warps, and the set has none", policy->name);
	if (policy->check && !policy->check(plan->params, &reason))
		return error_set(err, STATUS_INPUT, "policy '%s': %s", policy->name, reason.text);
	if (policy->plan(plan, &reason)) {
		if (!same_given(&given, plan))
			return wrong(
				&c, "it changed what it was given: platform, set, setup, params or arena");
		if (!plan_check(plan, policy->name, err))
			return false;
		refuse_flights(plan);
		refuse_programs(plan);
		refuse_gpus(plan);
		refuse_masks(plan);
		refuse_delays(plan);
		refuse_calls(plan);
		refuse_decisions(plan);
		return true;
	}
	if (reason.status == STATUS_OK || !memchr(reason.text, '\0', sizeof(reason.text)) || !reason.text[0])
		return error_set(
			err, STATUS_INPUT, "policy '%s' made no plan and did not say why", policy->name);
	return error_set(err, reason.status == STATUS_IO ? STATUS_IO : STATUS_INPUT, "%s", reason.text);
}
