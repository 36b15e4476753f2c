/* tests/unit/test_gate_grants.c - models/gate.h: SMs given at run time, records of decisions, and what a
 * policy must not do. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/test.h"
#include "tests/unit/scripted.h"

/* ---- SMs given at run time ---- */

static void give(struct gate *g, void *state)
{
	(void)state;
	uint32_t sm[] = {1, 3}, slots[] = {1, 2};
	const struct grant grant = {.count = 2, .sm = sm, .slots = script.number ? slots : NULL};
	if (gate_waiting(g) == 0 || gate_admitted(g) > 0)
		return;
	uint32_t task = gate_unit(g, 0).task;
	if (task == 0 && gate_unit(g, 0).job == 0)
		gate_admit_on(g, task, &grant);
	else
		gate_admit_next(g);
	sm[0] = 0; /* the grant was copied */
	slots[0] = 9;
}

EACH_TEST(scripted_begin, scripted_end);

/* Both kernels run on the unit's SMs, in two waves; the next unit runs on all SMs, in one wave. */
TEST("a unit keeps its SMs until it is over")
{
	section_task(0, 500);
	kernel_task(1, 900, 4);
	script.grants = true;
	script.decide = give;
	struct observed o = observe_under(&k, &scripted);
	assert_string_equal(spans(&o),
		"t0.0.0 copy0 0-2; t0.0.1 gpu 2-8; t0.0.2 copy0 8-10; t0.0.3 gpu 10-16; "
		"t0.0.4 copy0 16-18; t1.0.0 gpu 16-20");
	assert_string_equal(blocks(&o),
		"t0.0.1 b0 @1 2-5; t0.0.1 b1 @3 2-5; t0.0.1 b2 @1 5-8; t0.0.1 b3 @3 5-8; "
		"t0.0.3 b0 @1 10-13; t0.0.3 b1 @3 10-13; t0.0.3 b2 @1 13-16; t0.0.3 b3 @3 13-16; "
		"t1.0.0 b0 @0 16-20; t1.0.0 b1 @1 16-20; t1.0.0 b2 @2 16-20; t1.0.0 b3 @3 16-20");
	assert_int_equal(observed_find(&o, TRACE_BLOCKS_START, 0, 0)->m, 2);
	assert_int_equal(observed_find(&o, TRACE_BLOCKS_START, 1, 0)->m, 4);
	observed_finish(&o);
}

/* One virtual SM of SM 1, and two of SM 3; the second job runs on all SMs again. */
TEST("virtual SMs given at run time")
{
	k.platform.virtual_sms_per_sm = 2;
	k.platform.threads_per_sm = 0;
	maker_task(&k, "t", 50, 50, 0);
	maker_work(&k, 24, 24, 0);
	struct interleave alpha = {2, 1, 1};
	k.set.tasks[0].segments[0].interleave = &alpha;
	k.set.tasks[0].segments[0].interleaves = 1;
	script.grants = true;
	script.number = 1;
	script.decide = give;
	struct observed o = observe_under(&k, &scripted);
	assert_string_equal(blocks(&o), "t0.0.0 b0 @1 0-8; t0.0.0 b1 @3 0-8; t0.0.0 b2 @3 0-8; "
					"t0.1.0 b0 @0 50-53; t0.1.0 b1 @0 50-53; t0.1.0 b2 @1 50-53; "
					"t0.1.0 b3 @1 50-53; t0.1.0 b4 @2 50-53; t0.1.0 b5 @2 50-53; "
					"t0.1.0 b6 @3 50-53; t0.1.0 b7 @3 50-53");
	assert_int_equal(observed_find(&o, TRACE_SPAN, 0, 0)->m, 3);
	observed_finish(&o);
}

/* A kernel that takes no time on its SMs, but some on all of them, takes 1 ns. */
TEST("no time on its SMs is 1 ns")
{
	char name[] = "p";
	int64_t times[] = {5, 0, 5, 7};
	struct profile profile = {.name = name, .count = 4, .best_ns = times, .worst_ns = times};
	kernel_task(0, 500, 1);
	k.set.profiles = &profile;
	k.set.profile_count = 1;
	k.set.tasks[0].segments[0].form = KERNEL_PROFILE;
	k.set.tasks[0].segments[0].profile = 0;
	script.grants = true;
	script.decide = give;
	struct observed o = observe_under(&k, &scripted);
	assert_string_equal(blocks(&o), "t0.0.0 b0 @1 0-1; t0.0.0 b1 @3 0-1");
	observed_finish(&o);
	times[3] = 0; /* zero on all of them: it passes */
	o = observe_under(&k, &scripted);
	assert_string_equal(blocks(&o), "");
	observed_finish(&o);
}

/* ---- records of what was weighed ---- */

static void weigh(struct gate *g, void *state)
{
	(void)state;
	if (gate_waiting(g) == 0)
		return;
	const struct gate_weighed first = {.sms = 3, .kernel_end = 77, .energy_uwns = -5, .feasible = true};
	const struct gate_weighed second = {
		.sms = 2, .kernel_end = INT64_MAX, .energy_uwns = INT64_MAX, .chosen = true};
	gate_weigh(g, 0, &first);
	gate_weigh(g, 0, &second);
	gate_weigh(g, 1, &second); /* task 1 has no job */
	gate_weigh(g, 2, &second); /* there is no task 2 */
	gate_admit_next(g);
}

TEST("what is weighed is recorded")
{
	section_task(4, 500);
	kernel_task(200, 900, 4);
	script.decide = weigh;
	struct observed o = observe_under(&k, &scripted);
	const struct trace_record *a = observed_find(&o, TRACE_DECISION, 0, 0);
	const struct trace_record *b = observed_find(&o, TRACE_DECISION, 0, 1);
	assert_true(a && b && !observed_find(&o, TRACE_DECISION, 0, 2) &&
		    !observed_find(&o, TRACE_DECISION, 1, 0));
	assert_true(a->time == 4 && a->job == 0 && a->segment == 1 && a->m == 3 && a->start == 77);
	assert_true(a->value == -5 && a->how == 1);
	assert_true(b->time == 4 && b->segment == 1 && b->m == 2 && b->start == INT64_MAX);
	assert_true(b->value == INT64_MAX && b->how == 2);
	observed_finish(&o);
}

/* ---- what a policy must not do ---- */

static void admit_when_empty(struct gate *g)
{
	gate_admit_next(g);
	gate_admit_next(g);
}

static void ask_beyond(struct gate *g)
{
	assert_int_equal(gate_unit(g, 1).task, UINT32_MAX);
}

static void admit_twice(struct gate *g)
{
	gate_admit(g, 0);
	gate_admit(g, 0);
}

static void admit_who_is_not_there(struct gate *g)
{
	gate_admit(g, 7);
}

static void grant(struct gate *g, uint32_t count, uint32_t *sm, uint32_t *slots)
{
	const struct grant given = {.count = count, .sm = sm, .slots = slots};
	gate_admit_on(g, 0, &given);
}

static void grant_none(struct gate *g)
{
	grant(g, 0, (uint32_t[]){0}, NULL);
}

static void grant_five(struct gate *g)
{
	grant(g, 5, (uint32_t[]){0, 1, 2, 3, 4}, NULL);
}

static void grant_the_fifth(struct gate *g)
{
	grant(g, 2, (uint32_t[]){0, 4}, NULL);
}

static void grant_one_twice(struct gate *g)
{
	grant(g, 2, (uint32_t[]){2, 2}, NULL);
}

static void grant_no_slot(struct gate *g)
{
	grant(g, 2, (uint32_t[]){0, 1}, (uint32_t[]){1, 0});
}

static void grant_a_slot_too_many(struct gate *g)
{
	grant(g, 2, (uint32_t[]){0, 1}, (uint32_t[]){1, 2});
}

static void grant_two(struct gate *g)
{
	grant(g, 2, (uint32_t[]){0, 1}, NULL);
}

static void grant_to_nobody(struct gate *g)
{
	const struct grant given = {.count = 1, .sm = (uint32_t[]){0}};
	gate_admit_on(g, 1, &given);
	gate_admit_on(g, 9, &given);
}

static void grant_null(struct gate *g)
{
	gate_admit_on(g, 0, NULL);
}

static void grant_null_sms(struct gate *g)
{
	grant(g, 2, NULL, NULL);
}

static void wake_now(struct gate *g)
{
	gate_wake(g, gate_now(g));
}

static void wake_later(struct gate *g)
{
	gate_wake(g, gate_now(g) + 1);
}

struct misuse {
	void (*act)(struct gate *g);
	bool grants, wakes;
	const char *says;
};

static const struct misuse misuses[] = {
	{admit_when_empty, false, false, "admits a unit when none is waiting"},
	{ask_beyond, false, false, "asks for waiting unit 1 of 1"},
	{admit_twice, false, false, "admits a unit of task 't', which has none waiting"},
	{admit_who_is_not_there, false, false, "admits a unit of task 7 of 2"},
	{grant_none, true, false, "grants task 't' 0 SMs of 4"},
	{grant_five, true, false, "grants task 't' 5 SMs of 4"},
	{grant_the_fifth, true, false, "grants task 't' SM 4, which is not there or not in ascending order"},
	{grant_one_twice, true, false, "grants task 't' SM 2, which is not there or not in ascending order"},
	{grant_no_slot, true, false, "grants task 't' 0 of the 1 virtual SMs of an SM"},
	{grant_a_slot_too_many, true, false, "grants task 't' 2 of the 1 virtual SMs of an SM"},
	{grant_two, false, false, "grants SMs at run time, but its plan does not say grants_at_run_time"},
	{grant_to_nobody, true, false, "admits a unit of task 'other', which has none waiting"},
	{grant_null, true, false, "grants task 't' no SMs: grant is NULL"},
	{grant_null_sms, true, false, "grants task 't' no SMs: grant->sm is NULL"},
	{grant_null, false, false, "grants SMs at run time, but its plan does not say grants_at_run_time"},
	{wake_now, false, true, "asks to be woken, but not later than now"},
	{wake_later, false, false, "asks to be woken, but its plan does not say wakes"},
};

static const struct misuse *misuse;

static void do_it(struct gate *g, void *state)
{
	(void)state;
	misuse->act(g);
}

/* The run ends at once with an error. It names the policy, the instant and what the policy did. Later calls
 * after the first mistake do no harm. */
static void fails_with(const char *says)
{
	struct simulation *s;
	struct error err;
	char text[256];
	assert_true(simulation_create(&k.platform, &k.set, &k.setup, &scripted, NULL, &s, &err));
	assert_null(simulation_error(s));
	assert_int_equal(simulation_step(s, 1000), SIMULATION_FAILED);
	assert_int_equal(simulation_step(s, 1000), SIMULATION_FAILED);
	snprintf(text, sizeof(text), "policy 'scripted' at 6 ns %s", says);
	assert_non_null(simulation_error(s));
	assert_string_equal(simulation_error(s)->text, text);
	assert_int_equal(simulation_error(s)->status, STATUS_INPUT);
	simulation_destroy(s);
}

TEST("what a policy must not do ends the run")
{
	kernel_task(6, 500, 3);
	maker_task(&k, "other", 1000, 1000, 500);
	maker_cpu(&k, 1, 1);
	script.decide = do_it;
	for (size_t i = 0; i < sizeof(misuses) / sizeof(*misuses); i++) {
		misuse = &misuses[i];
		script.grants = misuse->grants;
		script.wakes = misuse->wakes;
		fails_with(misuse->says);
	}
}

TEST("SMs for all of the run are not given again")
{
	uint32_t sm[] = {1, 2};
	const struct grant fixed[] = {{.count = 2, .sm = sm}, {0}};
	static const struct misuse two = {.act = grant_two};
	kernel_task(6, 500, 3);
	maker_task(&k, "other", 1000, 1000, 500);
	maker_cpu(&k, 1, 1);
	script.decide = do_it;
	script.grants = true;
	script.fixed = fixed;
	misuse = &two;
	fails_with("grants task 't' SMs at run time, but its plan gave it some for all of the run");
}

/* A kernel that has no time on its SMs is found when it should start there. */
TEST("SMs on which a kernel has no time")
{
	char name[] = "p";
	int64_t times[] = {5, 5, 5, 5};
	struct profile profile = {.name = name, .count = 1, .best_ns = times, .worst_ns = times};
	kernel_task(6, 500, 3);
	script.grants = true;
	script.decide = give;
	k.set.profiles = &profile;
	k.set.profile_count = 1;
	k.set.tasks[0].segments[0].form = KERNEL_PROFILE;
	k.set.tasks[0].segments[0].profile = 0;
	/* A policy may plan with fewer SMs than all: here the plan asks for no time on all of them. */
	struct simulation *s;
	struct error err;
	if (simulation_create(&k.platform, &k.set, &k.setup, &scripted, NULL, &s, &err)) {
		simulation_destroy(s);
		fails_with("grants task 't' SMs on which its segment 0 has no time");
	} else {
		assert_non_null(strstr(err.text, "profile"));
	}
}

static void admit_all(struct gate *g, void *state)
{
	(void)state;
	while (gate_waiting(g) > 0)
		gate_admit_next(g);
}

/* A platform without a GPU still has copies to admit. */
TEST("copies of a platform without GPU")
{
	k.platform.sms = 0;
	maker_task(&k, "t", 1000, 500, 0);
	maker_copy(&k, COPY_TO_GPU, 2);
	script.unit = GATE_SECTION;
	script.grants = true;
	script.decide = admit_all;
	runs("t0.0.0 copy0 0-2");
}
