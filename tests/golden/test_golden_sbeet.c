/* tests/golden/test_golden_sbeet.c - sBEET's Examples 1 and 2 (section IV.B, Tables I and II) under `sbeet`:
 * 8 SMs, P_s = 1, P_d = 0.5 per SM, P_idle = 0.2 per SM. Example 1 without spatial sharing is in
 * test_golden_sbeet_example1.c. The last test is a pair of kernels as in Lemma 2. */
#include <stdio.h>
#include <stdlib.h>

#include "scenarios/scenario.h"
#include "tests/support/harness.h"
#include "tests/support/test.h"

#define W INT64_C(1000000) /* microwatts */
#define U INT64_C(840000)  /* the examples' unit of time, ns; kernels are divisible by every number of SMs */
#define J ((int128)W * U)  /* the examples' unit of energy */

static void begin(struct maker *k, int64_t horizon)
{
	maker_init(k, horizon * U);
	k->platform.sms = 8;
	k->platform.engines = ENGINES_UNLIMITED;
	k->platform.static_uw = W;
	k->platform.idle_per_sm_uw = W / 5;
}

static struct segment *add(
	struct maker *k, const char *name, int64_t period, int64_t deadline, int64_t offset, int64_t work)
{
	maker_task(k, name, period * U, deadline * U, offset * U);
	maker_copy(k, COPY_TO_GPU, 1 * U);
	struct segment *s = maker_work(k, work * U, work * U, 0);
	s->power_uw = W / 2;
	maker_copy(k, COPY_TO_CPU, 1 * U);
	return s;
}

/* Checks that the only kernel of the task's only job ran during [start, end) on SMs first .. first + sms -
 * 1. */
static void ran(
	const struct observed *o, uint32_t task, int64_t start, int64_t end, uint32_t first, uint32_t sms)
{
	uint32_t n = 0;
	const struct trace_record *r;
	for (; (r = observed_find(o, TRACE_BLOCKS_END, task, n)) != NULL; n++) {
		assert_int_equal(r->index, first + n);
		assert_int_equal(r->count, 1);
		assert_int_equal(r->start, start * U);
		assert_int_equal(r->time, end * U);
	}
	assert_int_equal(n, sms);
}

/* ---- Example 1 ---- */

TEST("example 1 shares")
{
	for (int offline = 0; offline < 2; offline++) {
		struct maker k;
		begin(&k, 12);
		add(&k, "tau1", 12, 12, 0, 48);
		add(&k, "tau2", 12, 7, 1, 8);
		struct observed o = observe(&k, "sbeet", offline ? "offline=true" : NULL);
		assert_false(o.refused);
		ran(&o, 0, 1, 9, 0, 6);
		ran(&o, 1, 2, 6, 6, 2);
		assert_int_equal(observed_finish_time(&o, 0, 0), 10 * U);
		assert_int_equal(observed_finish_time(&o, 1, 0), 7 * U);
		assert_int_equal(o.outcome.jobs, 2);
		assert_int_equal(o.outcome.misses, 0);
		assert_int_equal(o.outcome.energy_end_ns, 12 * U);
		assert_true(o.energy_uwns == J * 416 / 10);
		observed_finish(&o);
		maker_finish(&k);
	}
}

/* ---- Example 2 ---- */

static void example_2(struct maker *k)
{
	begin(k, 14);
	add(k, "tau1", 100, 14, 0, 48);
	add(k, "tau2", 100, 7, 1, 8);
	add(k, "tau3", 100, 10, 2, 8);
}

/* E over [0, end of J1's kernel) for m = 8 .. 1, as fractions: 31, 34.986, 40.4, 45.16, ... */
TEST("example 2 weighs eight")
{
	static const struct {
		int64_t energy, over;
		bool feasible;
	} rows[] = {{31, 1, false}, {2449, 70, false}, {404, 10, true}, {4516, 100, true}, {514, 10, true},
		{618, 10, false}, {826, 10, false}, {145, 1, false}};
	struct maker k;
	example_2(&k);
	struct observed o = observe(&k, "sbeet", NULL);
	for (uint32_t n = 0; n < 8; n++) {
		const struct trace_record *r = observed_find(&o, TRACE_DECISION, 0, n);
		assert_non_null(r);
		assert_int_equal(r->time, 0);
		assert_int_equal(r->job, 0);
		assert_int_equal(r->m, 8 - n);
		assert_true(r->value * rows[n].over == rows[n].energy * W * U);
		assert_int_equal(r->how & 1, rows[n].feasible);
		assert_int_equal(r->how >> 1, r->m == 6);
	}
	assert_null(observed_find(&o, TRACE_DECISION, 0, 8));
	for (uint32_t task = 1; task < 3; task++) {
		const struct trace_record *r = observed_find(&o, TRACE_DECISION, task, 0);
		assert_non_null(r);
		assert_int_equal(r->time, task == 1 ? 1 * U : 6 * U);
		assert_int_equal(r->m, 2);
		assert_int_equal(r->how, 3);
		assert_null(observed_find(&o, TRACE_DECISION, task, 1));
	}
	observed_finish(&o);
	maker_finish(&k);
}

TEST("example 2 runs")
{
	static const char *const options[] = {NULL, "energy=common", "infeasible=fastest", "queue=fcfs",
		"queue=priority", "after_start=stop", "offline=true", "workers=2"};
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		struct maker k;
		example_2(&k);
		struct observed o = observe(&k, "sbeet", options[i]);
		ran(&o, 0, 1, 9, 0, 6);
		ran(&o, 1, 2, 6, 6, 2);
		ran(&o, 2, 6, 10, 6, 2);
		assert_int_equal(observed_finish_time(&o, 0, 0), 10 * U);
		assert_int_equal(observed_finish_time(&o, 1, 0), 7 * U);
		assert_int_equal(observed_finish_time(&o, 2, 0), 11 * U);
		assert_int_equal(o.outcome.misses, 0);
		/* 43.6 to the end of the last kernel, and 4 of static power alone to 14. */
		assert_true(o.energy_uwns == J * 436 / 10 + 4 * J);
		observed_finish(&o);
		maker_finish(&k);
	}
}

/* ---- Example 2, with decisions that take a unit of time ---- */

static void decided(
	const struct observed *o, uint32_t task, uint32_t n, int64_t asked, int64_t time, uint32_t sms)
{
	const struct trace_record *r = observed_find(o, TRACE_DECISION, task, n);
	assert_non_null(r);
	assert_int_equal(r->ready, asked * U);
	assert_int_equal(r->time, time * U);
	assert_int_equal(r->m, sms);
}

/* Worked out by hand. For tau1 decided in [0,1): its copy ends at 1, too, and energies over [1, f) are those
 * of above less 1. For tau2, which came at 1, in [1,2), for tau3 in [2,3): two are admitted. At 6 tau2 has
 * ended; at 7 tau3 would end at 11 on 2 SMs, and alone behind tau1 at 9 + 1: it waits (line 18). At 9 tau1
 * has ended, at 10 tau3 gets all SMs, as on 7 it would be late. */
static void check_example_2_decided(const struct observed *o)
{
	ran(o, 0, 1, 9, 0, 6);
	ran(o, 1, 2, 6, 6, 2);
	ran(o, 2, 10, 11, 0, 8);
	assert_int_equal(observed_finish_time(o, 2, 0), 12 * U);
	assert_int_equal(o->outcome.misses, 0);
	for (uint32_t n = 0; n < 8; n++) {
		decided(o, 0, n, 0, 1, 8 - n);
		decided(o, 2, n, 9, 10, 8 - n);
	}
	assert_true(observed_find(o, TRACE_DECISION, 0, 2)->value == (404 - 10) * W * U / 10);
	decided(o, 1, 0, 1, 2, 2);
	assert_null(observed_find(o, TRACE_DECISION, 1, 1));
	assert_null(observed_find(o, TRACE_DECISION, 2, 8));
	/* 14 of static power, tau1 24, tau2 4, tau3 4; two SMs idle in [1,2) and [6,9). */
	assert_true(o->energy_uwns == J * 476 / 10);
}

TEST("example 2 decided by a server")
{
	struct maker k;
	example_2(&k);
	struct observed o = observe(&k, "sbeet", "decision_base=840us,decision_on=server");
	check_example_2_decided(&o);
	for (uint32_t task = 0; task < 3; task++)
		assert_int_equal(observed_find(&o, TRACE_SPAN, task, 0)->resource, RESOURCE_COPY);
	observed_finish(&o);
	maker_finish(&k);
}

/* A job of 4 on the core has [3,6) and [7,8), between decisions. */
TEST("example 2 decided by the core")
{
	static const struct {
		uint32_t task;
		int64_t start;
	} on_core[] = {{0, 0}, {1, 1}, {2, 2}, {2, 6}, {2, 9}};
	struct maker k;
	example_2(&k);
	maker_task(&k, "cpu", 100 * U, 100 * U, 0);
	maker_cpu(&k, 4 * U, 4 * U);
	struct observed o = observe(&k, "sbeet", "decision_base=420us,decision_per_job=420us");
	check_example_2_decided(&o);
	size_t found = 0;
	for (size_t i = 0; i < o.count; i++) {
		const struct trace_record *r = &o.records[i];
		if (r->kind != TRACE_SPAN || r->span != SPAN_DECISION)
			continue;
		assert_true(found < sizeof(on_core) / sizeof(*on_core));
		assert_int_equal(r->resource, RESOURCE_CPU);
		assert_int_equal(r->task, on_core[found].task);
		assert_int_equal(r->start, on_core[found].start * U);
		assert_int_equal(r->time, (on_core[found].start + 1) * U);
		found++;
	}
	assert_int_equal(found, sizeof(on_core) / sizeof(*on_core));
	/* Core 0 decides: on another one the task is not held up. */
	bool apart = getenv("CEGSIM_TEST_ON_CORE") != NULL;
	assert_int_equal(observed_find(&o, TRACE_SPAN, 3, 0)->start, apart ? 0 : 3 * U);
	assert_int_equal(observed_find(&o, TRACE_SPAN, 3, 0)->time, apart ? 4 * U : 6 * U);
	assert_int_equal(observed_finish_time(&o, 3, 0), apart ? 4 * U : 8 * U);
	observed_finish(&o);
	maker_finish(&k);
}

/* With one worker there is no sharing: J1 runs on all SMs, and J2 is late. */
/* A decision takes 15, and behind it waits the next job only, for which it was not asked. That no job ever is
 * admitted is no fault of the policy: the gate is not empty while it decides. */
TEST("decisions that come too late")
{
	for (int server = 0; server < 2; server++) {
		struct maker k;
		begin(&k, 100);
		maker_task(&k, "late", 10 * U, 10 * U, 0);
		maker_work(&k, 8 * U, 8 * U, 0)->power_uw = W / 2;
		k.setup.on_miss = MISS_DROP;
		struct observed o = observe(&k, "sbeet",
			server ? "decision_base=12600us,decision_on=server" : "decision_base=12600us");
		assert_int_equal(o.outcome.jobs, 10);
		assert_int_equal(o.outcome.misses, 10);
		assert_null(observed_find(&o, TRACE_DECISION, 0, 0));
		assert_int_equal(o.outcome.end_ns, (server ? 100 : 105) * U);
		observed_finish(&o);
		maker_finish(&k);
	}
}

TEST("example 2 one worker")
{
	struct maker k;
	example_2(&k);
	struct observed o = observe(&k, "sbeet", "workers=1");
	ran(&o, 0, 1, 7, 0, 8);
	ran(&o, 1, 7, 8, 0, 8);
	ran(&o, 2, 8, 9, 0, 8);
	assert_int_equal(o.outcome.misses, 1);
	observed_finish(&o);
	maker_finish(&k);
}

/* ---- Lemma 2 ---- */

/* Reads the shipped file: two kernels that four SMs saturate, G(m) = 48 / min(m, 4). */
static void read_lemma_2(struct scenario *s, struct maker *k)
{
	const char *root = getenv("CEGSIM_SOURCE_ROOT");
	char path[4096];
	struct diagnostics d;
	snprintf(path, sizeof(path), "%s/scenarios/papers/sbeet-lemma2.yaml", root ? root : ".");
	diagnostics_init(&d, path);
	if (!scenario_read(path, s, &d)) {
		diagnostics_print(&d, stderr);
		fail();
	}
	diagnostics_finish(&d);
	*k = (struct maker){.set = s->set, .platform = s->platform, .setup = s->setup};
}

/* Checks that two kernels of 12 ms run on SMs 0 .. sms - 1. The second one starts at `second` ms, on SMs from
 * `beside` on. */
static void lemma_2_runs(struct maker *k, const char *policy, const char *option, int64_t second,
	uint32_t beside, uint32_t sms, int128 energy)
{
	struct observed o = observe(k, policy, option);
	for (uint32_t i = 0; i < 2 * sms; i++) {
		const struct trace_record *r = observed_find(&o, TRACE_BLOCKS_END, i / sms, i % sms);
		assert_non_null(r);
		assert_int_equal(r->index, i % sms + (i < sms ? 0 : beside));
		assert_int_equal(r->start, i < sms ? 0 : second * MS);
		assert_int_equal(r->time, r->start + 12 * MS);
	}
	assert_int_equal(o.outcome.energy_end_ns, 24 * MS);
	assert_true(o.energy_uwns == energy);
	observed_finish(&o);
}

TEST("lemma 2 sharing saves")
{
	const int128 millijoule = (int128)W * MS;
	struct scenario s;
	struct maker k;
	read_lemma_2(&s, &k);
	/* One after the other on all SMs: 24 * 1 + 2 * 12 * 8 * 0.5. */
	lemma_2_runs(&k, "fcfs", "unit=kernel", 12, 0, 8, 120 * millijoule);
	/* One after the other on the four SMs of m_opt: the four idle SMs cost energy, too, 24 + 2 * 12 * (2
	 * + 0.8). */
	lemma_2_runs(&k, "sbeet", "workers=1", 12, 0, 4, millijoule * 912 / 10);
	/* Side by side: 24 + 12 * 8 * 0.5. */
	lemma_2_runs(&k, "sbeet", NULL, 0, 4, 4, 72 * millijoule);
	scenario_finish(&s);
}
