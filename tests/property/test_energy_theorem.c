/* tests/property/test_energy_theorem.c - Theorem 1 of sBEET (section IV.A), in a stronger form. It is about
 * kernels that speed up linearly and never share an SM, over a window that contains all work: E = P_s *
 * window + sum of p_i * W_i + P_idle * (idle SM-time while an SM is active), whatever the schedule. The last
 * term is 0 if one kernel at a time runs on all SMs, so no policy needs less. Random sets, one job of each
 * task, under every policy that gives kernels whole SMs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "models/power.h"
#include "policies/registry.h"
#include "tests/support/harness.h"
#include "tests/support/test.h"

#define SMS 8
#define TASKS 8
#define WINDOW INT64_C(40000000)
/* Work on one SM is a multiple of this: it is divisible by 1 .. SMs. */
#define QUANTUM 840

TEST_NUMBER(cases, TEST_CASES(300));

struct dice {
	struct random_key key;
};

static int64_t roll(struct dice *d, int64_t least, int64_t most)
{
	d->key.job++;
	return least + random_upto(&d->key, most - least);
}

/* A random set, and the least energy of any schedule of it. */
struct theorem {
	struct maker k;
	struct profile profiles[TASKS];
	int64_t time[TASKS][SMS];
	int128 least;
};

static void make(struct theorem *t, struct dice *d)
{
	static char name[] = "linear";
	struct maker *k = &t->k;
	maker_init(k, WINDOW);
	k->platform.sms = (uint32_t)roll(d, 1, SMS);
	k->platform.engines = (uint32_t)roll(d, 0, 2);
	k->platform.static_uw = roll(d, 0, 1000);
	k->platform.idle_per_sm_uw = roll(d, 0, 3) == 0 ? 0 : roll(d, 1, 500);
	t->least = (int128)k->platform.static_uw * WINDOW;
	k->set.profiles = t->profiles;
	k->set.profile_count = (uint32_t)roll(d, 1, TASKS);
	for (uint32_t i = 0; i < k->set.profile_count; i++) {
		int64_t work = QUANTUM * roll(d, 1, 60), offset = roll(d, 0, 3) == 0 ? 0 : roll(d, 0, 60000);
		int64_t deadline = roll(d, 0, 1) ? WINDOW : roll(d, 1, 80000);
		for (int64_t m = 1; m <= SMS; m++)
			t->time[i][m - 1] = work / m;
		t->profiles[i] = (struct profile){
			.name = name, .count = SMS, .best_ns = t->time[i], .worst_ns = t->time[i]};
		maker_task(k, "t", WINDOW, deadline, offset);
		if (roll(d, 0, 2) == 0)
			maker_cpu(k, 5, roll(d, 5, 9000));
		if (roll(d, 0, 2) == 0)
			maker_copy(k, COPY_TO_GPU, roll(d, 0, 9000));
		struct segment *s = maker_grid(k, 0, 0, 0);
		s->form = KERNEL_PROFILE;
		s->profile = (int32_t)i;
		s->power_uw = roll(d, 0, 2000);
		if (roll(d, 0, 2) == 0)
			maker_copy(k, COPY_TO_CPU, roll(d, 0, 9000));
		t->least += (int128)s->power_uw * work;
	}
}

/* Idle SM-time while an SM is active; the power observer sees every change of it. */
struct watch {
	int128 idle;
};

static bool interval(void *self, int64_t start, int64_t end, int64_t power, uint32_t active, uint32_t idle)
{
	struct watch *w = self;
	(void)power;
	if (active)
		w->idle += (int128)idle * (end - start);
	return true;
}

struct cost {
	bool refused;
	int128 energy, idle;
};

/* options: "workers=2 queue=fcfs", or empty. */
static struct cost run(struct theorem *t, const char *policy_name, const char *options)
{
	const struct policy *policy = policy_find(policy_name);
	struct arena arena = {0};
	struct simulation *s;
	struct params params;
	struct power power;
	struct watch watch = {0};
	struct error err;
	char text[256], *rest = text;
	assert_non_null(policy);
	params_default(&params, policy->options);
	snprintf(text, sizeof(text), "%s", options);
	for (char *item; (item = strsep(&rest, " ")) != NULL;) {
		char *value = strchr(item, '=');
		if (!value)
			continue;
		*value++ = '\0';
		if (!params_set(&params, item, value, &err))
			fail_msg("%s", err.text);
	}
	if (!simulation_create(&t->k.platform, &t->k.set, &t->k.setup, policy, &params, &s, &err))
		fail_msg("%s", err.text);
	struct cost cost = {.refused = simulation_plan(s)->refused};
	assert_true(power_init(&power, &arena, &t->k.platform, &t->k.set, interval, &watch));
	trace_observe(simulation_trace(s), POWER_WANTS, power_observe, &power);
	while (simulation_step(s, 1000) == SIMULATION_RUNNING)
		;
	const struct simulation_outcome outcome = simulation_outcome(s);
	assert_false(outcome.truncated);
	assert_int_equal(outcome.energy_end_ns, WINDOW);
	assert_true(power_end(&power, WINDOW));
	cost.energy = power.energy_uwns;
	cost.idle = watch.idle;
	simulation_destroy(s);
	arena_finish(&arena);
	return cost;
}

/* Draws numbers of SMs. If the sets cannot be disjoint, they are not exclusive. */
static void stgm_options(const struct theorem *t, struct dice *d, char options[256])
{
	int64_t sum = 0;
	int length =
		snprintf(options, 256, "admit=any wait=%s allocation=[", roll(d, 0, 1) ? "busy" : "suspend");
	for (uint32_t i = 0; i < t->k.set.task_count; i++) {
		int64_t sms = roll(d, 1, roll(d, 1, t->k.platform.sms));
		sum += sms;
		length += snprintf(options + length, 256 - (size_t)length, "%s%d", i ? "," : "", (int)sms);
	}
	snprintf(options + length, 256 - (size_t)length, "] exclusive=%s",
		sum <= t->k.platform.sms ? "true" : "false");
}

static void sbeet_options(struct dice *d, char options[256])
{
	static const char *const queue[] = {"deadline", "fcfs", "priority"};
	snprintf(options, 256, "workers=%d queue=%s energy=%s infeasible=%s after_start=%s offline=%s",
		(int)roll(d, 1, 5), queue[roll(d, 0, 2)], roll(d, 0, 1) ? "own" : "common",
		roll(d, 0, 1) ? "energy" : "fastest", roll(d, 0, 1) ? "continue" : "stop",
		roll(d, 0, 1) ? "true" : "false");
}

/* Returns 1 if the policy ran and SMs were idle beside active ones. */
static uint32_t check(struct theorem *t, const char *policy, const char *options, uint64_t index)
{
	struct cost c = run(t, policy, options);
	if (c.refused)
		return 0;
	if (c.energy < t->least)
		fail_msg("case %d: %s %s needs less than one kernel at a time", (int)index, policy, options);
	if (c.energy != t->least + c.idle * t->k.platform.idle_per_sm_uw)
		fail_msg("case %d: %s %s: the energy is not what the idle SMs say", (int)index, policy,
			options);
	return c.idle > 0;
}

TEST("sharing never saves")
{
	static struct theorem t;
	static const char *const others[] = {
		"fifo-cke", "prio-streams", "rm", "edf", "self-suspension", "mpcp"};
	uint32_t sbeet_shared = 0, stgm_shared = 0;
	for (uint64_t i = 0; i < cases; i++) {
		struct dice d = {.key = {.seed = 5, .set = (uint32_t)i, .purpose = RANDOM_TEST}};
		char options[256];
		make(&t, &d);
		struct cost serial = run(&t, "fcfs", "unit=kernel");
		assert_false(serial.refused);
		assert_true(serial.idle == 0);
		assert_true(serial.energy == t.least);
		for (size_t p = 0; p < sizeof(others) / sizeof(*others); p++)
			assert_int_equal(check(&t, others[p], "", i), 0);
		for (int more = 0; more < 3; more++) {
			sbeet_options(&d, options);
			sbeet_shared += check(&t, "sbeet", options, i);
			stgm_options(&t, &d, options);
			stgm_shared += check(&t, "stgm", options, i);
		}
		maker_finish(&t.k);
	}
	/* Otherwise no schedule with idle SMs was tested. */
	assert_true(sbeet_shared > cases / 4);
	assert_true(stgm_shared > cases / 4);
}
