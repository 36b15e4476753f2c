/* tests/unit/test_plan_check.c - models/plan_check.c: every way in which a plan can be wrong, and the
 * sentence that says so. */
#include <string.h>

#include "models/plan_check.h"
#include "tests/support/test.h"

enum { TASKS = 3, SMS = 4 };

static struct platform platform;
static struct taskset set;
static struct run_setup setup;
static struct params params;
static struct arena arena;
static struct plan plan;
static struct grant grants[TASKS];
static uint32_t rank[TASKS], sm[SMS + 1], slots[SMS];
static struct error err;

static void decide(struct gate *gate, void *state)
{
	(void)gate;
	(void)state;
}

/* A plan that is correct in every part: two tasks with SMs of their own behind a gate. */
static int right(void **state)
{
	platform = platform_default();
	platform.sms = SMS;
	static struct task tasks[TASKS];
	set = (struct taskset){.tasks = tasks, .task_count = TASKS};
	for (uint32_t i = 0; i < TASKS; i++)
		rank[i] = TASKS - 1 - i;
	for (uint32_t i = 0; i <= SMS; i++)
		sm[i] = i;
	for (uint32_t i = 0; i < SMS; i++)
		slots[i] = 1 + i % 2;
	grants[0] = (struct grant){.count = 2, .sm = sm, .slots = slots, .virtual_sms = 3};
	grants[1] = (struct grant){.count = SMS, .sm = sm};
	grants[2] = (struct grant){0};
	plan = (struct plan){
		.platform = &platform,
		.set = &set,
		.setup = &setup,
		.params = &params,
		.arena = &arena,
		.rank = rank,
		.wait = WAIT_BOOST,
		.unit = GATE_SECTION,
		.cpu_order = order_by_priority,
		.copy_order = order_by_arrival,
		.kernel_order = order_by_arrival,
		.decide = decide,
		.virtual_sms = 2,
		.grants = grants,
		.failing_task = UINT32_MAX,
	};
	return 0;
}

static int clean(void **state)
{
	arena_finish(&arena);
	return 0;
}

EACH_TEST(right, clean);

static void accepted(void)
{
	if (!plan_check(&plan, "p", &err))
		fail_msg("%s", err.text);
}

static void refused(const char *text)
{
	static const char start[] = "policy 'p' made a wrong plan: ";
	err.text[0] = '\0';
	assert_false(plan_check(&plan, "p", &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_int_equal(strncmp(err.text, start, strlen(start)), 0);
	assert_string_equal(err.text + strlen(start), text);
	right(NULL);
	accepted();
}

TEST("ranks are a permutation")
{
	accepted();
	plan.rank = NULL;
	refused("rank is NULL");
	rank[1] = TASKS;
	refused("rank[1] is 3; the ranks of 3 tasks are 0 to 2");
	rank[2] = rank[0];
	refused("rank[2] is 2, as that of a task before it; ranks are a permutation");
	set.task_count = 0;
	plan.grants = NULL;
	accepted();
}

TEST("orders are there")
{
	plan.cpu_order = NULL;
	refused("cpu_order is NULL");
	plan.copy_order = NULL;
	refused("copy_order is NULL");
	plan.kernel_order = NULL;
	refused("kernel_order is NULL");
}

TEST("a gate has somebody who decides")
{
	plan.decide = NULL;
	refused("units wait at the gate, but decide is NULL: nobody would admit them");
	plan.unit = GATE_OPEN;
	refused("decide is given, but unit is GATE_OPEN: it would never be called");
	plan.unit = GATE_OPEN;
	plan.decide = NULL;
	plan.grants_at_run_time = true;
	refused("grants_at_run_time needs a gate, but unit is GATE_OPEN");
	plan.unit = GATE_OPEN;
	plan.decide = NULL;
	plan.wakes = true;
	refused("wakes needs a gate, but unit is GATE_OPEN");
	plan.unit = GATE_OPEN;
	plan.decide = NULL;
	accepted();
	right(NULL);
	plan.grants_at_run_time = plan.wakes = true;
	accepted();
	plan.contexts = (enum plan_contexts)3;
	refused("contexts is 3, which is none of CONTEXTS_NONE, CONTEXTS_GPU, CONTEXTS_COMPUTE");
	plan.contexts = CONTEXTS_COMPUTE;
	plan.decide = NULL;
	plan.unit = GATE_OPEN;
	refused("there are contexts, but decide is NULL: nobody would have the GPU");
	plan.unit = GATE_KERNEL;
	accepted();
	plan.unit = GATE_SECTION_KERNELS;
	accepted();
	plan.unit = (enum gate_unit)9;
	refused("unit is 9, which is none of GATE_OPEN, GATE_KERNEL, GATE_SECTION, GATE_SECTION_KERNELS");
	plan.wait = (enum cpu_wait)3;
	refused("wait is 3, which is none of WAIT_SUSPEND, WAIT_BUSY, WAIT_BOOST");
}

TEST("decisions that take time")
{
	plan.decision.base_ns = -1;
	refused("decision has base_ns -1 and unit_ns 0; from 0 to 1000000000 each");
	plan.decision.unit_ns = DECISION_MOST_NS + 1;
	refused("decision has base_ns 0 and unit_ns 1000000001; from 0 to 1000000000 each");
	plan.decision.unit_ns = 1;
	plan.unit = GATE_OPEN;
	plan.decide = NULL;
	refused("decisions take time, but unit is GATE_OPEN: there are none");
	plan.decision.unit_ns = 1;
	plan.contexts = CONTEXTS_GPU;
	refused("decisions take time, but there are contexts");
	plan.decision.unit_ns = 1;
	plan.gpus = GPUS_EACH;
	refused("decisions take time, but gpus is not GPUS_ONE");
	plan.decision.unit_ns = 1;
	plan.wakes = true;
	refused("decisions take time, but it wakes: nobody would have asked for some");
	plan.decision.unit_ns = plan.decision.base_ns = DECISION_MOST_NS;
	accepted();
}

TEST("virtual SMs have bounds")
{
	plan.virtual_sms = 0;
	refused("virtual_sms is 0; from 1 to 1024");
	plan.virtual_sms = VIRTUAL_SMS_MAX + 1;
	refused("virtual_sms is 1025; from 1 to 1024");
	plan.virtual_sms = VIRTUAL_SMS_MAX;
	accepted();
	plan.virtual_sms = 1;
	slots[1] = 1;
	grants[0].virtual_sms = 2;
	accepted();
}

TEST("granted SMs are ascending and there")
{
	grants[1].count = SMS + 1;
	refused("grants[1] has 5 SMs of 4");
	grants[1].sm = NULL;
	refused("grants[1] has 4 SMs, but sm is NULL");
	sm[3] = SMS;
	refused("grants[1].sm[3] is 4; SMs are 0 to 3");
	sm[1] = 0;
	refused("grants[0].sm[1] is 0, behind 0; SMs are ascending");
	sm[0] = 2;
	refused("grants[0].sm[1] is 1, behind 2; SMs are ascending");
	platform.sms = 0;
	refused("grants[0] has 2 SMs of 0");
	grants[2].sm = NULL;
	grants[2].virtual_sms = 7; /* it has no SMs: the rest of it is not checked */
	accepted();
	plan.grants = NULL;
	accepted();
}

TEST("slots are within an SM")
{
	slots[1] = 0;
	refused("grants[0].slots[1] is 0; from 1 to 2, the virtual SMs of an SM");
	slots[1] = 3;
	refused("grants[0].slots[1] is 3; from 1 to 2, the virtual SMs of an SM");
	grants[0].virtual_sms = 4;
	refused("grants[0].virtual_sms is 4; the sum of its slots is 3");
	grants[1].virtual_sms = 4;
	refused("grants[1].virtual_sms is 4; with whole SMs it is 0");
}

TEST("refusing needs a reason")
{
	plan.refused = true;
	refused("the set is refused without a reason");
	plan.failing_task = TASKS;
	refused("failing_task is 3 of 3 tasks; UINT32_MAX: no particular one");
	memset(plan.reason, 'x', sizeof(plan.reason));
	refused("reason is longer than 255 bytes");
	plan.refused = true;
	plan.failing_task = TASKS - 1;
	strcpy(plan.reason, "too much");
	accepted();
	plan.rank = NULL; /* but nothing is run under it */
	accepted();
}

/* ---- plan_make() ---- */

static bool does_nothing(struct plan *p, struct error *e)
{
	(void)p;
	(void)e;
	return true;
}

static bool spoils_a_rank(struct plan *p, struct error *e)
{
	(void)e;
	p->rank[0] = 77;
	return true;
}

static bool changes_the_set(struct plan *p, struct error *e)
{
	static struct taskset other;
	(void)e;
	p->set = &other;
	return true;
}

static bool fails(struct plan *p, struct error *e)
{
	(void)p;
	return error_set(e, STATUS_IO, "out of luck");
}

static bool fails_oddly(struct plan *p, struct error *e)
{
	(void)p;
	return error_set(e, (enum status)77, "odd");
}

static bool fails_silently(struct plan *p, struct error *e)
{
	(void)p;
	(void)e;
	return false;
}

static bool make(bool (*fn)(struct plan *p, struct error *e))
{
	const struct policy policy = {.name = "p", .plan = fn};
	right(NULL);
	memset(&err, 0x55, sizeof(err));
	return plan_make(&policy, &plan, &err);
}

TEST("what plan returns")
{
	assert_true(make(does_nothing));
	assert_false(make(spoils_a_rank));
	assert_string_equal(
		err.text, "policy 'p' made a wrong plan: rank[0] is 77; the ranks of 3 tasks are 0 to 2");
	assert_false(make(changes_the_set));
	assert_string_equal(err.text,
		"policy 'p' made a wrong plan: it changed what it was given: platform, set, setup, "
		"params or arena");
	assert_false(make(fails));
	assert_int_equal(err.status, STATUS_IO);
	assert_string_equal(err.text, "out of luck");
	assert_false(make(fails_oddly));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_false(make(fails_silently));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_string_equal(err.text, "policy 'p' made no plan and did not say why");
}

static int64_t calls(struct gate *g, void *state, const struct gate_call *call)
{
	(void)g;
	(void)state;
	(void)call;
	return 1;
}

TEST("calls are for contexts without a gate")
{
	plan.call = calls;
	refused("call is given, but units wait at the gate");
	plan.unit = GATE_OPEN;
	plan.call = calls;
	plan.decide = NULL;
	refused("call is given, but there are no contexts");
	plan.calls_free = true;
	refused("calls_free is given, but no call");
	plan.call_rank = rank;
	refused("call_rank is given, but no call");
	plan.unit = GATE_OPEN;
	plan.contexts = CONTEXTS_GPU;
	plan.call = calls;
	plan.call_rank = rank;
	accepted();
}
