/* tests/property/test_again.c [CASES] - a simulation that begins again (simulation_again()) under every
 * policy with every choice of its options, on random sets: its records and outcome are those of a new one,
 * whatever the runs before it were: under other seeds, horizons, execution times, release traces; ended, or
 * left in the middle. Policies that look at releases when they plan are among them. */
#include <inttypes.h>
#include <string.h>

#include "models/simulation.h"
#include "tests/conformance/audited.h"
#include "tests/conformance/policies.h"
#include "tests/conformance/subjects.h"
#include "tests/oracle/dice.h"
#include "tests/support/test.h"

TEST_NUMBER(cases, TEST_CASES(24));

#define RUNS 5
#define SEED 77

/* ---- a run, and what is seen of it ---- */

struct seen_run {
	enum simulation_state state;
	bool refused;
	struct error fault;
	struct simulation_outcome outcome;
	uint64_t records, hash; /* of all records */
};

static bool note(void *self, const struct trace_record *records, size_t count)
{
	struct seen_run *r = self;
	const unsigned char *byte = (const unsigned char *)records;
	for (size_t i = 0; i < count * sizeof(*records); i++)
		r->hash = (r->hash ^ byte[i]) * 0x100000001b3u;
	r->records += count;
	return true;
}

static void step(struct simulation *s, struct seen_run *r, uint64_t most)
{
	*r = (struct seen_run){.refused = simulation_plan(s)->refused};
	trace_observe(simulation_trace(s), UINT32_MAX, note, r);
	r->state = simulation_step(s, most);
	if (r->state == SIMULATION_ENDED)
		r->outcome = simulation_outcome(s);
	const struct error *fault = simulation_error(s);
	if (r->state == SIMULATION_FAILED && fault)
		r->fault = *fault;
}

#define ALL UINT64_C(1000000)

/* ---- another setup, and other releases ---- */

static void draw_trace(struct dice *d, const struct task *t, struct release_rule *rule, uint32_t most)
{
	int64_t at = between(d, 0, t->period_ns);
	rule->trace_count = small(d, 0, most);
	rule->duration_count = 0;
	bool timed = !once_in(d, 3);
	for (uint32_t j = 0; j < rule->trace_count; j++) {
		rule->trace_ns[j] = at;
		at += t->period_ns + between(d, 0, t->period_ns / 2);
		for (uint32_t k = 0; timed && k < t->segment_count; k++) {
			const struct segment *g = &t->segments[k];
			bool has = g->kind != SEGMENT_WAIT && g->worst_ns >= g->best_ns && once_in(d, 2);
			if (has)
				rule->durations[rule->duration_count++] =
					(struct trace_duration){j, k, between(d, g->best_ns, g->worst_ns)};
		}
	}
}

/* Half of the tasks without a rule of their own get a trace; traces get room for others. */
#define TRACED 6u
static void give_traces(struct dice *d, struct random_case *c)
{
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		struct task *t = &c->set.tasks[i];
		struct release_rule *rule = t->release;
		if (rule ? rule->kind != RELEASE_TRACE : once_in(d, 2))
			continue;
		if (!rule)
			rule = random_case_room(c, 1, sizeof(*rule));
		rule->kind = RELEASE_TRACE;
		rule->trace_ns = random_case_room(c, TRACED, sizeof(*rule->trace_ns));
		rule->durations =
			random_case_room(c, (size_t)TRACED * t->segment_count, sizeof(*rule->durations));
		t->release = rule;
	}
}

static void change(struct dice *d, struct random_case *c, bool traces)
{
	static const enum execution_kind kinds[] = {
		EXECUTION_WORST, EXECUTION_BEST, EXECUTION_UNIFORM, EXECUTION_SCALED, EXECUTION_SAMPLES};
	struct run_setup *s = &c->setup;
	s->seed = roll(d);
	s->horizon_ns = between(d, 1, 400);
	s->limit_ns = once_in(d, 6) ? between(d, 1, s->horizon_ns) : 20 * s->horizon_ns;
	s->stop = once_in(d, 3) ? STOP_HORIZON : STOP_DRAINED;
	s->execution = kinds[roll(d) % (sizeof(kinds) / sizeof(*kinds))];
	s->scale_ppm = between(d, 0, 1000000);
	if (once_in(d, 3)) {
		s->release.kind = RELEASE_SPORADIC;
		s->release.max_delay_ppm = between(d, 0, 500000);
	} else if (s->release.kind == RELEASE_SPORADIC) {
		s->release.kind = RELEASE_PERIODIC;
	}
	for (uint32_t i = 0; traces && i < c->set.task_count; i++)
		if (c->set.tasks[i].release && c->set.tasks[i].release->kind == RELEASE_TRACE)
			draw_trace(d, &c->set.tasks[i], c->set.tasks[i].release, TRACED);
}

/* ---- the comparison ---- */

static uint64_t compared, planned_once; /* runs with jobs; and under a plan that is kept */

static bool same(const struct seen_run *a, const struct seen_run *b)
{
	const struct simulation_outcome *x = &a->outcome, *y = &b->outcome;
	return a->state == b->state && a->refused == b->refused &&
	       strcmp(a->fault.text, b->fault.text) == 0 && a->records == b->records && a->hash == b->hash &&
	       x->end_ns == y->end_ns && x->energy_end_ns == y->energy_end_ns &&
	       x->truncated == y->truncated && x->events == y->events && x->jobs == y->jobs &&
	       x->misses == y->misses && x->events_digest == y->events_digest && x->digest == y->digest;
}

/* What the set's run is now, of a new simulation. False: none can be made. */
static bool fresh(const struct subject *subject, const struct random_case *c, const struct params *params,
	struct seen_run *r, struct error *err)
{
	struct simulation *s;
	if (!simulation_create(&c->platform, &c->set, &c->setup, subject->policy, params, &s, err))
		return false;
	step(s, r, ALL);
	simulation_destroy(s);
	return true;
}

static void check_case(const struct subject *subject, uint64_t index)
{
	struct dice d = {.state = SEED + index};
	struct random_case c;
	struct params params;
	struct error err, err_again;
	struct simulation *s;
	audited_case_make(subject, SEED, index, &c);
	if (index % 5 == 3)
		random_case_fly(&c, index);
	give_traces(&d, &c);
	change(&d, &c, true);
	if (!subjects_params(subject, &c.platform, &c.set, &params, &err))
		fail_msg("%s", err.text);
	if (!simulation_create(&c.platform, &c.set, &c.setup, subject->policy, &params, &s, &err)) {
		random_case_finish(&c);
		return;
	}
	assert_true(simulation_keep(s, &err));
	for (int run = 0; run < RUNS; run++) {
		struct seen_run a, b;
		step(s, &b, once_in(&d, 3) ? (uint64_t)between(&d, 1, 60) : ALL);
		change(&d, &c, true);
		bool made = fresh(subject, &c, &params, &a, &err);
		if (simulation_again(s, &err_again) != made)
			fail_msg("%s, case %" PRIu64 ", run %d: made: %d", subject->label, index, run, made);
		if (!made) {
			assert_string_equal(err.text, err_again.text);
			break;
		}
		step(s, &b, ALL);
		if (!same(&a, &b))
			fail_msg("%s, case %" PRIu64 ", run %d: %016" PRIx64 " is not %016" PRIx64
				 " (%" PRIu64 " and %" PRIu64 " records) '%s' '%s'",
				subject->label, index, run, b.outcome.digest, a.outcome.digest, b.records,
				a.records, b.fault.text, a.fault.text);
		bool runs = a.outcome.jobs > 0;
		compared += runs;
		planned_once += runs && subject->policy->plan_of_set;
		bool whole = simulation_again(s, &err);
		assert_true(whole);
	}
	simulation_destroy(s);
	random_case_finish(&c);
}

TEST("a run that begins again is a new one")
{
	static struct subject subjects[SUBJECTS_MAX];
	size_t count = subjects_all(subjects);
	for (size_t k = 0; k < count; k++)
		for (uint64_t i = 0; i < cases; i++)
			check_case(&subjects[k], i);
	assert_true(compared > count * cases * RUNS / 2);
	assert_true(planned_once > compared / 3);
}

/* The clock of the next run may be too long for its keys, and its releases may be impossible. */
TEST("what cannot be made cannot begin again")
{
	static struct subject subjects[SUBJECTS_MAX];
	static int64_t releases[] = {0, 50};
	struct random_case c;
	struct params params;
	struct simulation *s;
	struct error err;
	struct seen_run r;
	struct release_rule rule = {.kind = RELEASE_TRACE, .trace_ns = releases, .trace_count = 2};
	subjects_all(subjects);
	for (int round = 0; round < 2; round++) {
		random_case_make(SEED, 0, &c);
		c.set.tasks[0].release = &rule;
		c.setup.limit_ns = 10 * c.setup.horizon_ns;
		assert_true(subjects_params(&subjects[0], &c.platform, &c.set, &params, &err));
		assert_true(subjects[0].policy->plan_of_set);
		assert_true(simulation_create(
			&c.platform, &c.set, &c.setup, subjects[0].policy, &params, &s, &err));
		assert_true(simulation_keep(s, &err));
		step(s, &r, ALL);
		if (round == 0)
			c.setup.limit_ns = INT64_MAX;
		else
			releases[0] = -1;
		c.setup.stop = STOP_DRAINED;
		assert_false(simulation_again(s, &err));
		assert_non_null(strstr(err.text, round == 0 ? "shorten the horizon" : "a release before 0"));
		simulation_destroy(s);
		random_case_finish(&c);
	}
}
