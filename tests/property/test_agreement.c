/* tests/property/test_agreement.c - things that must not make a difference: the policy if no task competes,
 * the observers, the division of a run into steps, the instant at which time begins, and its unit. On random
 * sets, for every policy of the conformance tests. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/kernel.h"
#include "policies/registry.h"
#include "tests/conformance/policies.h"
#include "tests/conformance/seen.h"
#include "tests/support/test.h"

TEST_NUMBER(cases, TEST_CASES(160));
static const uint64_t seed = 77;
static struct subject subjects[SUBJECTS_MAX];
static size_t subject_count;

static int find_subjects(void **state)
{
	subject_count = subjects_all(subjects);
	return 0;
}

ALL_TESTS(find_subjects, NULL);

static void run_case(struct seen *s, const struct subject *subject, const struct random_case *c)
{
	char text[512] = "";
	if (!seen_run(s, subject, &c->platform, &c->set, &c->setup, text, sizeof(text)))
		fail_msg("%s: %s", subject->label, text);
}

/* ---- policies where nobody competes ---- */

/* Who has the GPU, and for how many nanoseconds, is drawn. */
static bool draws(const struct subject *s)
{
	return strcmp(s->policy->name, "changeful") == 0;
}

/* Policies that give every kernel the whole GPU, and admit everything at once if nothing else waits. */
static bool comparable(const struct subject *s)
{
	bool all_sms = !s->wide || s->allocation == ALLOCATION_ALL;
	bool at_once = s->gate != GATE_CLOSED && s->gate != GATE_CLOCKED;
	bool chooses = s->chooses || s->shows;
	return all_sms && at_once && !chooses && !s->calls && !draws(s) && s->policy != &policy_refusing;
}

/* Whose decisions take no time. */
static bool is_sbeet(const struct subject *s)
{
	return strcmp(s->policy->name, "sbeet") == 0 && !s->periodic && !strstr(s->label, " decision_");
}

static void same_jobs(const struct seen *a, const struct seen *b, uint64_t index)
{
	assert_int_equal(a->jobs_total, b->jobs_total);
	for (uint32_t i = 0; i < a->jobs_total; i++) {
		const struct job_seen *x = &a->jobs[i], *y = &b->jobs[i];
		if (x->end != y->end || x->how != y->how || x->first_start != y->first_start)
			fail_msg("case %" PRIu64 ": task %u job %u ends at %" PRId64 " under %s, at %" PRId64
				 " under %s",
				index, x->task, x->number, x->end, a->subject->label, y->end,
				b->subject->label);
	}
	assert_true(a->energy == b->energy);
}

typedef bool subject_fn(const struct subject *s);

/* On how many sets of a test each subject ran and was compared with others. */
static uint32_t taken[SUBJECTS_MAX];

static void nothing_taken(void)
{
	memset(taken, 0, sizeof(taken));
}

/* Each of these subjects must be compared on at least `least` of the sets. One that refuses every set would
 * agree with nothing. */
static void each_took(subject_fn *such, uint64_t least)
{
	for (size_t i = 0; i < subject_count; i++)
		if (such(&subjects[i]) && taken[i] < least)
			fail_msg("%s: compared on %" PRIu32 " sets, expected %" PRIu64 " at least",
				subjects[i].label, taken[i], least);
}

/* The run must be the same as the first of them, which is kept. */
static void agrees(struct seen *first, const struct subject *subject, const struct random_case *c,
	uint64_t index, uint32_t *compared)
{
	struct seen other;
	run_case(&other, subject, c);
	if (!other.plan->refused && !first->simulation) {
		*first = other;
		return;
	}
	if (!other.plan->refused) {
		same_jobs(first, &other, index);
		(*compared)++;
	}
	seen_finish(&other);
}

/* Every such subject that accepts the set gives the same jobs; returns how many were compared. */
static uint32_t all_agree(const struct random_case *c, uint64_t index, subject_fn *such)
{
	struct seen first = {0};
	uint32_t compared = 0;
	for (size_t i = 0; i < subject_count; i++) {
		uint32_t before = compared;
		if (such(&subjects[i]))
			agrees(&first, &subjects[i], c, index, &compared);
		taken[i] += compared > before;
		if (compared > 0 && before == 0)
			taken[first.subject - subjects]++;
	}
	seen_finish(&first);
	return compared;
}

TEST("one task alone")
{
	nothing_taken();
	for (uint64_t i = 0; i < cases; i++) {
		struct random_case c;
		random_case_make(seed, i, &c);
		c.set.task_count = 1;
		all_agree(&c, i, comparable);
		random_case_finish(&c);
	}
	each_took(comparable, cases / 2);
}

static bool has_form(const struct random_case *c, enum kernel_form form)
{
	for (uint32_t i = 0; i < c->set.task_count; i++)
		for (uint32_t j = 0; j < c->set.tasks[i].segment_count; j++)
			if (c->set.tasks[i].segments[j].kind == SEGMENT_KERNEL &&
				c->set.tasks[i].segments[j].form == form)
				return true;
	return false;
}

/* rtgpu; its one task with kernels has all virtual SMs. */
static struct subject rtgpu_on_all(void)
{
	return (struct subject){
		.label = "rtgpu admit=any allocation=virtual",
		.policy = policy_find("rtgpu"),
		.choices = {{"admit", "any"}},
		.choice_count = 1,
		.allocation = ALLOCATION_VIRTUAL,
	};
}

/* One task only has kernels; they have persistent blocks, and all blocks fit at once if only the slots count.
 * For such kernels all virtual SMs are the same as the whole GPU. */
static bool is_for_rtgpu_on_all(struct random_case *c)
{
	uint32_t with_kernels = 0;
	for (uint32_t i = 0; i < c->set.task_count; i++)
		with_kernels += subjects_has_kernels(&c->set.tasks[i]);
	c->platform.threads_per_sm = c->platform.pool == POOL_SM ? 256 : c->platform.threads_per_sm;
	c->platform.blocks_per_sm = c->platform.warps_per_sm = 0;
	return with_kernels == 1 && !has_form(c, KERNEL_GRID) && c->platform.virtual_sms_per_sm > 0;
}

static uint32_t rtgpu_agrees(const struct random_case *c, uint64_t index)
{
	const struct subject rtgpu = rtgpu_on_all();
	struct seen first = {0};
	uint32_t compared = 0;
	agrees(&first, &subjects[0], c, index, &compared);
	agrees(&first, &rtgpu, c, index, &compared);
	seen_finish(&first);
	return compared;
}

TEST("one task on all virtual SMs")
{
	uint32_t compared = 0;
	for (uint64_t i = 0; i < 4 * cases; i++) {
		struct random_case c;
		random_case_make(seed, i, &c);
		c.set.task_count = 1;
		if (is_for_rtgpu_on_all(&c))
			compared += rtgpu_agrees(&c, i);
		random_case_finish(&c);
	}
	assert_true(compared > cases / 8);
}

/* Makes every kernel fastest on all SMs, and free of energy there only. */
static void make_all_sms_best(struct random_case *c)
{
	c->platform.static_uw = 0;
	c->platform.idle_per_sm_uw = 1000;
	c->platform.pin_overhead_ns = 0;
	for (uint32_t i = 0; i < c->set.task_count; i++)
		for (uint32_t j = 0; j < c->set.tasks[i].segment_count; j++) {
			c->set.tasks[i].segments[j].power_uw = 0;
			c->set.tasks[i].segments[j].overhead_ns = 0;
		}
	for (uint32_t i = 0; i < c->set.profile_count; i++) {
		struct profile *p = &c->set.profiles[i];
		p->total_power_uw = NULL;
		for (uint32_t m = p->count; m-- > 1;) {
			if (p->worst_ns[m - 1] < p->worst_ns[m])
				p->worst_ns[m - 1] = p->worst_ns[m];
			if (p->best_ns[m - 1] < p->best_ns[m])
				p->best_ns[m - 1] = p->best_ns[m];
		}
	}
}

static bool comparable_or_sbeet(const struct subject *s)
{
	return comparable(s) || is_sbeet(s);
}

TEST("one task alone for which all SMs are best")
{
	uint32_t compared = 0, most = 0;
	for (uint64_t i = 0; i < cases; i++) {
		struct random_case c;
		random_case_make(seed, i, &c);
		c.set.task_count = 1;
		make_all_sms_best(&c);
		uint32_t own = all_agree(&c, i, comparable_or_sbeet);
		compared += own;
		most = own > most ? own : most;
		random_case_finish(&c);
	}
	assert_true(most > 0 && compared > most * cases / 2);
}

/* No job takes longer than this when it runs alone. */
static int64_t longest_job(const struct random_case *c)
{
	int64_t longest = 1;
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		const struct task *t = &c->set.tasks[i];
		int64_t sum = 0;
		for (uint32_t j = 0; j < t->segment_count; j++) {
			uint32_t slots = platform_virtual_sms(&c->platform);
			struct kernel_shape shape;
			struct error err;
			int64_t time = t->segments[j].worst_ns;
			if (t->segments[j].kind == SEGMENT_KERNEL) {
				assert_true(kernel_shape(
					&c->platform, &c->set, &t->segments[j], slots, NULL, &shape, &err));
				time = kernel_time(&c->platform, slots, &shape, NULL);
			}
			sum += time;
		}
		longest = sum > longest ? sum : longest;
	}
	return longest;
}

/* Gives each task its own part of a common period. */
static void make_apart(struct random_case *c)
{
	int64_t window = longest_job(c), period = window * c->set.task_count;
	for (uint32_t k = 0; k < c->set.task_count; k++) {
		struct task *t = &c->set.tasks[k];
		t->offset_ns = window * k;
		t->period_ns = period;
		t->deadline_ns = period;
		t->release = NULL;
	}
	c->setup.release.kind = RELEASE_PERIODIC;
	if (c->setup.execution == EXECUTION_SCALED)
		c->setup.execution = EXECUTION_UNIFORM;
	c->setup.horizon_ns = 3 * period + 1;
	c->setup.limit_ns = 10 * period;
}

TEST("jobs that never meet")
{
	nothing_taken();
	for (uint64_t i = 0; i < cases; i++) {
		struct random_case c;
		random_case_make(seed, i, &c);
		make_apart(&c);
		all_agree(&c, i, comparable);
		make_all_sms_best(&c);
		make_apart(&c);
		all_agree(&c, i, comparable_or_sbeet);
		random_case_finish(&c);
	}
	each_took(comparable, cases);
	each_took(is_sbeet, cases / 2);
}

/* As "one task on all virtual SMs", but together with tasks without kernels. */
TEST("jobs that never meet on all virtual SMs")
{
	uint32_t compared = 0, beside = 0;
	for (uint64_t i = 0; i < 16 * cases; i++) {
		struct random_case c;
		random_case_make(seed, i, &c);
		if (is_for_rtgpu_on_all(&c)) {
			make_apart(&c);
			uint32_t own = rtgpu_agrees(&c, i);
			compared += own;
			beside += c.set.task_count > 1 ? own : 0;
		}
		random_case_finish(&c);
	}
	assert_true(compared > cases / 4 && beside > cases / 8);
}

/* ---- who watches, and how ---- */

static bool ignore(void *self, const struct trace_record *records, size_t count)
{
	(void)self;
	(void)records;
	(void)count;
	return true;
}

static struct simulation_outcome plain_run(
	const struct subject *subject, const struct random_case *c, uint32_t wanted, uint64_t step)
{
	struct params params;
	struct simulation *s;
	struct error err;
	if (!subjects_params(subject, &c->platform, &c->set, &params, &err))
		fail_msg("%s", err.text);
	if (!simulation_create(&c->platform, &c->set, &c->setup, subject->policy, &params, &s, &err))
		fail_msg("%s", err.text);
	if (wanted)
		trace_observe(simulation_trace(s), wanted, ignore, NULL);
	while (simulation_step(s, step) == SIMULATION_RUNNING)
		;
	struct simulation_outcome outcome = simulation_outcome(s);
	simulation_destroy(s);
	return outcome;
}

static void same_outcome(struct simulation_outcome a, struct simulation_outcome b)
{
	assert_true(a.digest == b.digest && a.events == b.events && a.jobs == b.jobs && a.misses == b.misses);
	assert_true(a.end_ns == b.end_ns && a.energy_end_ns == b.energy_end_ns && a.truncated == b.truncated);
}

TEST("observers and steps change nothing")
{
	for (uint64_t i = 0; i < cases; i++) {
		const struct subject *subject = &subjects[i % subject_count];
		struct random_case c;
		subjects_case(subject, seed, i, &c);
		struct simulation_outcome first = plain_run(subject, &c, 0, 1000000);
		same_outcome(first, plain_run(subject, &c, 0, 1000000));
		same_outcome(first, plain_run(subject, &c, 0, 1));
		same_outcome(first, plain_run(subject, &c, UINT32_MAX, 7));
		same_outcome(first, plain_run(subject, &c, TRACE_BIT(TRACE_JOB_END), 1000));
		same_outcome(first, plain_run(subject, &c, TRACE_BIT(TRACE_BLOCKS_START), 1000));
		random_case_finish(&c);
	}
}

TEST("a run can be repeated record by record")
{
	for (uint64_t i = 0; i < cases; i++) {
		const struct subject *subject = &subjects[i % subject_count];
		struct random_case c;
		struct seen a, b;
		subjects_case(subject, seed, i, &c);
		run_case(&a, subject, &c);
		run_case(&b, subject, &c);
		assert_int_equal(a.count, b.count);
		assert_true(a.energy == b.energy);
		if (a.count)
			assert_memory_equal(a.records, b.records, a.count * sizeof(*a.records));
		seen_finish(&a);
		seen_finish(&b);
		random_case_finish(&c);
	}
}

/* The seed has an effect: with draws, another seed gives another schedule somewhere. */
TEST("another seed gives other draws")
{
	uint32_t differ = 0;
	for (uint64_t i = 0; i < cases; i++) {
		struct random_case c;
		random_case_make(seed, i, &c);
		c.setup.execution = EXECUTION_UNIFORM;
		struct simulation_outcome first = plain_run(&subjects[0], &c, 0, 1000);
		c.setup.seed++;
		differ += first.digest != plain_run(&subjects[0], &c, 0, 1000).digest;
		random_case_finish(&c);
	}
	assert_true(differ > cases / 2);
}

/* ---- where time begins, and its unit ---- */

/* Makes releases without draws, so that times can be shifted and scaled. */
static void make_definite(struct random_case *c)
{
	c->setup.execution = EXECUTION_WORST;
	c->setup.release.kind = RELEASE_PERIODIC;
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		c->set.tasks[i].release = NULL;
		for (uint32_t j = 0; j < c->set.tasks[i].segment_count; j++)
			c->set.tasks[i].segments[j].bytes = -1;
	}
}

/* All instants of a run, scaled and shifted, must be those of the other run. */
static void same_but_for_time(
	const struct seen *a, const struct seen *b, int64_t factor, int64_t shift, uint64_t index)
{
	assert_int_equal(a->jobs_total, b->jobs_total);
	assert_int_equal(a->count, b->count);
	for (size_t i = 0; i < a->count; i++) {
		const struct trace_record *x = &a->records[i], *y = &b->records[i];
		if (x->time * factor + shift != y->time || x->task != y->task || x->kind != y->kind ||
			x->job != y->job || x->segment != y->segment || x->index != y->index ||
			x->how != y->how)
			fail_msg("case %" PRIu64 " under %s: record %zu at %" PRId64
				 " became one at %" PRId64,
				index, a->subject->label, i, x->time, y->time);
	}
}

TEST("the beginning of time does not matter")
{
	const int64_t shift = 1009;
	for (uint64_t i = 0; i < cases; i++) {
		const struct subject *subject = &subjects[i % subject_count];
		struct random_case c;
		struct seen a, b;
		if (subject->gate == GATE_CLOCKED)
			continue;
		subjects_case(subject, seed, i, &c);
		make_definite(&c);
		run_case(&a, subject, &c);
		struct run_setup early = c.setup;
		a.setup = &early;
		c.setup.horizon_ns += shift;
		c.setup.limit_ns += shift;
		for (uint32_t k = 0; k < c.set.task_count; k++)
			c.set.tasks[k].offset_ns += shift;
		run_case(&b, subject, &c);
		same_but_for_time(&a, &b, 1, shift, i);
		seen_finish(&a);
		seen_finish(&b);
		random_case_finish(&c);
	}
}

/* Shares are rounded up to whole nanoseconds. So each share is replaced by the time that it comes to at
 * worst-case execution. */
static void scale_blocks(struct segment *s, int64_t factor)
{
	struct block_times *times = s->kind == SEGMENT_KERNEL ? s->times : NULL;
	for (uint32_t b = 0; times && b < times->count; b++) {
		struct block_time *t = &times->block[b];
		if (!times->own_draws)
			t->best_ns = t->worst_ns = (t->share_ppm * s->worst_ns + 999999) / 1000000;
		t->best_ns *= factor;
		t->worst_ns *= factor;
	}
	if (times && !times->own_draws && s->worst_ns == 0)
		s->times = NULL; /* a kernel of length zero */
	else if (times)
		times->own_draws = true;
	if (s->times)
		s->best_ns = s->worst_ns;
}

static void scale_set(struct random_case *c, int64_t factor)
{
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		struct task *t = &c->set.tasks[i];
		t->period_ns *= factor;
		t->deadline_ns *= factor;
		t->offset_ns *= factor;
		for (uint32_t j = 0; j < t->segment_count; j++) {
			scale_blocks(&t->segments[j], factor);
			t->segments[j].best_ns *= factor;
			t->segments[j].worst_ns *= factor;
			for (uint32_t g = 0; g < t->segments[j].copy_time_count; g++) {
				t->segments[j].copy_times[g].best_ns *= factor;
				t->segments[j].copy_times[g].worst_ns *= factor;
			}
		}
	}
	for (uint32_t i = 0; i < c->set.profile_count; i++)
		for (uint32_t m = 0; m < c->set.profiles[i].count; m++) {
			c->set.profiles[i].best_ns[m] *= factor;
			c->set.profiles[i].worst_ns[m] *= factor;
		}
	struct context_times *contexts = &c->platform.contexts;
	contexts->timeslice_ns *= factor;
	contexts->switch_ns *= factor;
	contexts->reset_ns *= factor;
	c->setup.horizon_ns *= factor;
	c->setup.limit_ns *= factor;
}

/* Some subjects do not scale: divisible work is rounded up to whole nanoseconds; a kernel that takes no time
 * on its SMs, but some on all SMs, takes 1 ns; a clock has its own unit, and so have calls. */
static bool scales(const struct subject *subject, const struct random_case *c)
{
	bool chosen_sms = subject->chooses || subject->shows;
	return !has_form(c, KERNEL_WORK) && !(chosen_sms && has_form(c, KERNEL_PROFILE)) &&
	       subject->gate != GATE_CLOCKED && !subject->calls && !draws(subject);
}

TEST("the unit of time does not matter")
{
	const int64_t factor = 1000003;
	uint32_t compared = 0;
	for (uint64_t i = 0; i < cases; i++) {
		const struct subject *subject = &subjects[i % subject_count];
		struct random_case c;
		struct seen a, b;
		subjects_case(subject, seed, i, &c);
		make_definite(&c);
		if (scales(subject, &c)) {
			scale_set(&c, 1); /* shares that come to equal times are recorded block by block,
					     equal times are not */
			run_case(&a, subject, &c);
			scale_set(&c, factor);
			run_case(&b, subject, &c);
			same_but_for_time(&a, &b, factor, 0, i);
			seen_finish(&a);
			seen_finish(&b);
			compared++;
		}
		random_case_finish(&c);
	}
	assert_true(compared > cases / 8);
}
