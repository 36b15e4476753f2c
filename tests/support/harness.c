/* tests/support/harness.c - see tests/support/harness.h. */
#include "tests/support/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/power.h"
#include "policies/registry.h"
#include "tests/support/test.h"

#define MOST_TASKS 64
#define MOST_SEGMENTS 32

void maker_init(struct maker *k, int64_t horizon)
{
	*k = (struct maker){.platform = platform_default()};
	taskset_init(&k->set);
	k->set.tasks = arena_new(&k->set.arena, struct task, MOST_TASKS);
	assert_non_null(k->set.tasks);
	k->setup = (struct run_setup){.horizon_ns = horizon, .limit_ns = 10 * horizon, .seed = 1};
}

void maker_finish(struct maker *k)
{
	taskset_finish(&k->set);
}

struct task *maker_task(struct maker *k, const char *name, int64_t period, int64_t deadline, int64_t offset)
{
	assert_true(k->set.task_count < MOST_TASKS);
	struct task *t = &k->set.tasks[k->set.task_count++];
	*t = (struct task){
		.name = arena_strdup(&k->set.arena, name),
		.period_ns = period,
		.deadline_ns = deadline,
		.offset_ns = offset,
	};
	t->segments = arena_new(&k->set.arena, struct segment, MOST_SEGMENTS);
	assert_non_null(t->segments);
	return t;
}

static struct segment *add(struct maker *k, enum segment_kind kind, int64_t best, int64_t worst)
{
	struct task *t = &k->set.tasks[k->set.task_count - 1];
	assert_true(t->segment_count < MOST_SEGMENTS);
	struct segment *s = &t->segments[t->segment_count++];
	*s = (struct segment){
		.kind = kind,
		.best_ns = best,
		.worst_ns = worst,
		.stream = STREAM_OWN,
		.bytes = -1,
		.profile = -1,
	};
	return s;
}

struct segment *maker_cpu(struct maker *k, int64_t best, int64_t worst)
{
	return add(k, SEGMENT_CPU, best, worst);
}

struct segment *maker_copy(struct maker *k, enum copy_direction direction, int64_t time)
{
	struct segment *s = add(k, SEGMENT_COPY, time, time);
	s->direction = direction;
	return s;
}

struct segment *maker_grid(struct maker *k, uint32_t grid, uint32_t block, int64_t block_time)
{
	struct segment *s = add(k, SEGMENT_KERNEL, block_time, block_time);
	s->form = KERNEL_GRID;
	s->grid = grid;
	s->block = block;
	return s;
}

struct segment *maker_work(struct maker *k, int64_t best, int64_t worst, int64_t overhead)
{
	struct segment *s = add(k, SEGMENT_KERNEL, best, worst);
	s->form = KERNEL_WORK;
	s->overhead_ns = overhead;
	return s;
}

void maker_trace(struct maker *k, int64_t *releases, uint32_t count)
{
	struct task *t = &k->set.tasks[k->set.task_count - 1];
	t->release = arena_new(&k->set.arena, struct release_rule, 1);
	assert_non_null(t->release);
	*t->release =
		(struct release_rule){.kind = RELEASE_TRACE, .trace_ns = releases, .trace_count = count};
}

static bool keep(void *self, const struct trace_record *records, size_t count)
{
	struct observed *o = self;
	if (o->count + count > o->capacity) {
		o->capacity = 2 * (o->count + count);
		o->records = realloc(o->records, o->capacity * sizeof(*o->records));
		assert_non_null(o->records);
	}
	if (count)
		memcpy(o->records + o->count, records, count * sizeof(*records));
	o->count += count;
	return true;
}

static void fail_report(void *self, uint32_t task, uint32_t segment, const char *text)
{
	(void)self;
	fail_msg("task %u segment %u: %s", task, segment, text);
}

static void set_option(struct params *params, const char *option)
{
	struct error err;
	char text[128];
	snprintf(text, sizeof(text), "%s", option);
	if (!params_parse(params, "the policy", text, &err))
		fail_msg("%s", err.text);
}

/* What happens on one core of several is what happens on the only one. CEGSIM_TEST_ON_CORE puts all tasks of
 * a set for one core on the last but one of four. */
static void on_one_of_several(struct maker *k)
{
	if (!getenv("CEGSIM_TEST_ON_CORE") || k->platform.cores > 1)
		return;
	k->platform.cores = 4;
	k->set.cores = true;
	for (uint32_t i = 0; i < k->set.task_count; i++)
		k->set.tasks[i].core = 2;
}

static struct observed observe_with(struct maker *k, const struct policy *policy, const struct params *params)
{
	struct observed o = {0};
	struct arena arena = {0};
	struct simulation *s;
	struct power power[PLATFORM_MAX_GPUS];
	struct error err;

	on_one_of_several(k);
	taskset_check(&k->set, &k->platform, fail_report, NULL);
	if (!simulation_create(&k->platform, &k->set, &k->setup, policy, params, &s, &err))
		fail_msg("%s", err.text);
	o.refused = simulation_plan(s)->refused;
	for (uint32_t g = 0; g < platform_gpus(&k->platform); g++)
		assert_true(
			power_init(&power[g], &arena, platform_gpu(&k->platform, g), &k->set, NULL, NULL));
	trace_observe(simulation_trace(s), UINT32_MAX, keep, &o);
	for (uint32_t g = 0; g < platform_gpus(&k->platform); g++)
		trace_observe(simulation_trace(s), POWER_WANTS, power_observe, &power[g]);
	while (simulation_step(s, 1000) == SIMULATION_RUNNING)
		;
	o.outcome = simulation_outcome(s);
	for (uint32_t g = 0; g < platform_gpus(&k->platform); g++) {
		assert_true(power_end(&power[g], o.outcome.energy_end_ns));
		o.energy_uwns += power[g].energy_uwns;
	}
	arena_finish(&arena);
	simulation_destroy(s);
	return o;
}

struct observed observe_under(struct maker *k, const struct policy *policy)
{
	return observe_with(k, policy, NULL);
}

struct observed observe(struct maker *k, const char *policy_name, const char *option)
{
	struct params params;
	const struct policy *policy = policy_find(policy_name);
	assert_non_null(policy);
	params_default(&params, policy->options);
	if (option)
		set_option(&params, option);
	return observe_with(k, policy, &params);
}

void observed_finish(struct observed *o)
{
	free(o->records);
	*o = (struct observed){0};
}

const struct trace_record *observed_find(
	const struct observed *o, enum trace_kind kind, uint32_t task, uint32_t n)
{
	for (size_t i = 0; i < o->count; i++)
		if (o->records[i].kind == kind && o->records[i].task == task && n-- == 0)
			return &o->records[i];
	return NULL;
}

static const struct trace_record *job_end(const struct observed *o, uint32_t task, uint32_t job)
{
	for (size_t i = 0; i < o->count; i++)
		if (o->records[i].kind == TRACE_JOB_END && o->records[i].task == task &&
			o->records[i].job == job)
			return &o->records[i];
	return NULL;
}

int64_t observed_response(const struct observed *o, uint32_t task, uint32_t job)
{
	const struct trace_record *r = job_end(o, task, job);
	return r && r->how == JOB_FINISHED ? r->time - r->start : -1;
}

int64_t observed_finish_time(const struct observed *o, uint32_t task, uint32_t job)
{
	const struct trace_record *r = job_end(o, task, job);
	return r && r->how == JOB_FINISHED ? r->time : -1;
}
