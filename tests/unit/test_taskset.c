/* tests/unit/test_taskset.c - models/taskset.c: priorities, hyperperiod, utilisations, and every mistake a
 * set can have on a platform. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/judge.h"
#include "tests/support/harness.h"
#include "tests/support/test.h"

static struct maker k;

static int begin(void **state)
{
	maker_init(&k, 100);
	k.platform.sms = 2;
	k.platform.threads_per_sm = 128;
	return 0;
}

static int end(void **state)
{
	maker_finish(&k);
	return 0;
}

EACH_TEST(begin, end);

/* ---- priorities, hyperperiod, utilisation ---- */

static void ranks(bool rate, uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t rank[3];
	taskset_ranks(&k.set, rate, rank);
	assert_int_equal(rank[0], a);
	assert_int_equal(rank[1], b);
	assert_int_equal(rank[2], c);
}

TEST("ranks follow deadline rate or priority")
{
	maker_task(&k, "a", 20, 5, 0);
	maker_task(&k, "b", 10, 10, 0);
	maker_task(&k, "c", 20, 5, 0);
	ranks(false, 0, 2, 1);
	ranks(true, 1, 0, 2);
	k.set.priorities = true;
	k.set.tasks[0].priority = 7;
	k.set.tasks[1].priority = 7;
	k.set.tasks[2].priority = -1;
	ranks(false, 1, 2, 0);
	ranks(true, 1, 2, 0);
}

/* The rank of a task is the number of those in front of it. */
TEST("ranks of many tasks")
{
	enum { MANY = 400 };
	static struct task tasks[MANY];
	const struct taskset many = {.tasks = tasks, .task_count = MANY};
	uint32_t rank[MANY];
	for (uint32_t i = 0; i < MANY; i++)
		tasks[i] = (struct task){.period_ns = 100 + i * 7919 % 97, .deadline_ns = 1 + i * 7919 % 89};
	for (int rate = 0; rate < 2; rate++) {
		taskset_ranks(&many, rate, rank);
		for (uint32_t i = 0; i < MANY; i++) {
			uint32_t in_front = 0;
			for (uint32_t j = 0; j < MANY; j++) {
				const struct task *a = &tasks[i], *b = &tasks[j];
				int64_t mine = rate ? a->period_ns : a->deadline_ns;
				int64_t other = rate ? b->period_ns : b->deadline_ns;
				in_front += other < mine || (other == mine && j < i);
			}
			assert_int_equal(rank[i], in_front);
		}
	}
}

TEST("hyperperiod")
{
	int64_t h = 0;
	assert_true(taskset_hyperperiod(&k.set, &h));
	assert_int_equal(h, 1);
	maker_task(&k, "a", 12, 12, 0);
	maker_task(&k, "b", 18, 18, 0);
	maker_task(&k, "c", 36, 36, 0);
	assert_true(taskset_hyperperiod(&k.set, &h));
	assert_int_equal(h, 36);
	maker_task(&k, "d", INT64_MAX, INT64_MAX,
		0); /* 7^2 * 73 * 127 * 337 * 92737 * 649657: times 36 it is too large */
	assert_false(taskset_hyperperiod(&k.set, &h));
	k.set.task_count = 0;
	maker_task(&k, "e", INT64_MAX, INT64_MAX, 0);
	assert_true(taskset_hyperperiod(&k.set, &h));
	assert_int_equal(h, INT64_MAX);
}

TEST("utilisation")
{
	maker_task(&k, "a", 20, 20, 0);
	maker_cpu(&k, 1, 5);
	maker_copy(&k, COPY_TO_GPU, 2);
	maker_grid(&k, 9, 32, 4); /* 8 fit: two waves */
	struct utilisation u = taskset_utilisation(&k.set, &k.platform);
	assert_true(u.cpu == 0.25 && u.copy == 0.1 && u.gpu == 0.4 && u.threads == 9 * 32 * 4 / 20.0);
}

/* ---- defects ---- */

struct report {
	uint32_t task, segment;
	char text[512];
	size_t count;
};

static void note(void *self, uint32_t task, uint32_t segment, const char *text)
{
	struct report *r = self;
	r->count++;
	r->task = task;
	r->segment = segment;
	snprintf(r->text, sizeof(r->text), "%s", text);
}

static void good(void)
{
	struct report r = {0};
	if (taskset_check(&k.set, &k.platform, note, &r) != 0)
		fail_msg("%s", r.text);
}

/* Expects one mistake, in this segment of task 0 (UINT32_MAX: in the task); its text begins with `text`. */
static void bad(uint32_t segment, const char *text)
{
	struct report r = {0};
	assert_int_equal(taskset_check(&k.set, &k.platform, note, &r), 1);
	assert_int_equal(r.count, 1);
	assert_int_equal(r.task, 0);
	assert_int_equal(r.segment, segment);
	if (strncmp(r.text, text, strlen(text)) != 0)
		fail_msg("%s", r.text);
}

TEST("a task needs sound times")
{
	struct task *t = maker_task(&k, "a", 10, 10, 0);
	bad(UINT32_MAX, "a task needs at least one segment");
	maker_cpu(&k, 0, 0);
	good();
	t->deadline_ns = 1;
	good();
	t->deadline_ns = 0;
	bad(UINT32_MAX, "the deadline must be positive");
	t->deadline_ns = 11; /* above the period */
	good();
	t->deadline_ns = 10;
	t->offset_ns = -1;
	bad(UINT32_MAX, "the offset must not be negative");
	t->offset_ns = 1000;
	good();
	t->period_ns = 0;
	bad(UINT32_MAX, "the period must be positive");
}

/* A job of it has as many steps as 16 bits count. With one more it was over at its release. */
TEST("a job of the longest task waits for what is in flight")
{
	static struct segment segments[TASK_SEGMENTS_MAX + 1];
	struct task *t = maker_task(&k, "a", 100, 100, 0);
	struct segment *operation = maker_grid(&k, 1, 32, 5);
	operation->async = true;
	segments[0] = *operation;
	for (uint32_t i = 1; i <= TASK_SEGMENTS_MAX; i++)
		segments[i] = (struct segment){.kind = SEGMENT_CPU, .stream = STREAM_OWN};
	t->segments = segments;
	t->segment_count = TASK_SEGMENTS_MAX + 1;
	bad(UINT32_MAX, "a task has at most 65534 segments");
	t->segment_count--;
	good();
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_int_equal(observed_response(&o, 0, 0), 5);
	observed_finish(&o);
}

TEST("operations in flight are copies and kernels in front")
{
	static char name[] = "a", other[] = "b", *names[] = {name};
	maker_task(&k, "a", 100, 100, 0);
	struct segment *a = maker_grid(&k, 1, 32, 5);
	a->name = name;
	a->async = true;
	struct segment *b = maker_grid(&k, 1, 32, 5);
	b->awaits = names;
	b->await_count = 1;
	struct segment *wait = maker_cpu(&k, 0, 0);
	wait->kind = SEGMENT_WAIT;
	good();
	assert_true(task_awaits(&k.set, 0, 1, 0));
	assert_true(task_awaits(&k.set, 0, 2, 0));
	assert_true(task_awaits(&k.set, 0, 2, 1)); /* all; it is over then */
	wait->stream = 1;
	assert_false(task_awaits(&k.set, 0, 2, 0));
	wait->stream = 0; /* the task's own, by its number */
	assert_true(task_awaits(&k.set, 0, 2, 0));
	wait->awaits = names;
	wait->await_count = 1;
	bad(2, "a wait has no time of its own, and waits for names or for a stream");
	wait->stream = STREAM_OWN;
	good();
	assert_false(task_awaits(&k.set, 0, 2, 1));
	wait->worst_ns = 1;
	bad(2, "a wait has no time of its own");
	wait->worst_ns = 0;
	wait->async = true;
	bad(2, "only copies and kernels are asynchronous");
	wait->async = false;
	wait->kind = SEGMENT_CPU;
	bad(2, "only copies and kernels come after others");
	wait->kind = SEGMENT_WAIT;
	assert_int_equal(task_first_flight(&k.set.tasks[0]), 0);
	a->name = NULL;
	b->name = name; /* not in front of itself */
	bad(1, "no copy or kernel in front of it is called 'a'");
	b->name = NULL;
	a->name = wait->name = name;
	bad(2, "another segment of 'a' is called 'a'");
	a->name = wait->name = NULL;
	b->name = name;
	b->awaits = NULL;
	b->await_count = 0;
	good();
	a->graph = b->graph = name;
	bad(1, "only asynchronous operations are nodes of a graph");
	b->async = true;
	good();
	assert_false(task_joins(&k.set.tasks[0], 0));
	assert_true(task_joins(&k.set.tasks[0], 1));
	assert_false(task_joins(&k.set.tasks[0], 2));
	b->graph = other;
	assert_false(task_joins(&k.set.tasks[0], 1));
}

TEST("samples lie between best and worst case")
{
	int64_t samples[] = {2, 5};
	maker_task(&k, "a", 10, 10, 0);
	maker_cpu(&k, 0, 5);
	struct segment *s = &k.set.tasks[0].segments[0];
	s->best_ns = 2;
	s->samples = samples;
	s->sample_count = 2;
	good();
	samples[1] = 6;
	bad(0, "a sample, 6ns, is not within the segment's best and worst case, [2ns, 5ns]");
	samples[0] = 1;
	bad(0, "a sample, 1ns, is not within");
	s->sample_count = 0;
	bad(0, "samples are those of a segment with one time");
}

TEST("jitter is below the deadline and at most the period")
{
	struct release_rule late = {.kind = RELEASE_JITTER, .jitter_ns = 8};
	struct task *t = maker_task(&k, "a", 10, 9, 0);
	maker_cpu(&k, 0, 1);
	t->release = &late;
	good();
	late.jitter_ns = 9;
	bad(UINT32_MAX, "the release jitter, 9ns, must be below the deadline, 9ns");
	t->deadline_ns = 30;
	late.jitter_ns = 10;
	good();
	late.jitter_ns = 11;
	bad(UINT32_MAX, "the release jitter, 11ns, must be at most the period, 10ns");
	late.jitter_ns = -1;
	bad(UINT32_MAX, "the release jitter must not be negative");
}

TEST("a segment needs sound lengths")
{
	maker_task(&k, "a", 10, 10, 0);
	maker_cpu(&k, 1, 1);
	struct segment *s = maker_cpu(&k, 3, 3);
	good();
	s->best_ns = 4;
	bad(1, "the best case must lie between 0 and the worst case");
	s->best_ns = -1;
	bad(1, "the best case must lie between 0 and the worst case");
}

TEST("bytes become a length")
{
	maker_task(&k, "a", 10, 10, 0);
	struct segment *s = maker_copy(&k, COPY_TO_GPU, 0);
	s->bytes = 1000;
	bad(0, "a copy given in bytes needs the platform's copy bandwidth");
	k.platform.copy_bandwidth = 3000000000; /* 333.33 ns */
	k.platform.copy_latency_ns = 5;
	good();
	assert_int_equal(s->best_ns, 339);
	assert_int_equal(s->worst_ns, 339);
	s->bytes = 0;
	good();
	assert_int_equal(s->worst_ns, 5);
	k.platform.copy_bandwidth = 1;
	s->bytes = INT64_MAX / 1000000000 - 1;
	good();
	s->bytes = INT64_MAX / 1000000000 + 1;
	bad(0, "the copy of 9223372037 bytes takes longer than 64 bits of nanoseconds");
}

TEST("a kernel needs a GPU and blocks")
{
	maker_task(&k, "a", 10, 10, 0);
	struct segment *s = maker_grid(&k, 0, 32, 1);
	bad(0, "grid and block must be at least 1");
	s->grid = 1;
	s->block = 0;
	bad(0, "grid and block must be at least 1");
	s->block = 1;
	good();
	k.platform.sms = 0;
	bad(0, "a kernel needs a platform with SMs");
}

TEST("a block must fit an empty SM")
{
	maker_task(&k, "a", 10, 10, 0);
	struct segment *s = maker_grid(&k, 1, 128, 1);
	s->registers = 2;
	s->shared_memory = 10;
	good();
	s->block = 129;
	bad(0, "a block of this kernel does not fit an empty SM: it exceeds the threads per SM");
	k.platform.threads_per_sm = 0;
	good();
	k.platform.warps_per_sm = 5;
	good();
	k.platform.warps_per_sm = 4;
	bad(0, "a block of this kernel does not fit an empty SM: it exceeds the warps per SM (160 threads, 5 "
	       "warps,");
	k.platform.warps_per_sm = 0;
	k.platform.registers_per_sm = 320;
	good();
	k.platform.registers_per_sm = 319;
	bad(0, "a block of this kernel does not fit an empty SM: it exceeds the registers per SM");
	k.platform.registers_per_sm = 0;
	k.platform.shared_memory_per_sm = 10;
	good();
	k.platform.shared_memory_per_sm = 9;
	bad(0, "a block of this kernel does not fit an empty SM: it exceeds the shared memory per SM");
}

TEST("pool GPU wants threads")
{
	maker_task(&k, "a", 10, 10, 0);
	struct segment *s = maker_grid(&k, 1, 256, 1);
	k.platform.pool = POOL_GPU;
	good();
	s->block = 257;
	bad(0, "a block of this kernel does not fit an empty SM: it exceeds the threads of the GPU");
	s->block = 1;
	k.platform.threads_per_sm = 0;
	struct report r = {0};
	assert_true(taskset_check(&k.set, &k.platform, note, &r) >= 1);
}

TEST("interleave ratios are at least 1")
{
	static struct interleave alpha = {2, 10, 10};
	maker_task(&k, "a", 10, 10, 0);
	struct segment *s = maker_work(&k, 1, 2, 0);
	k.platform.virtual_sms_per_sm = 2;
	bad(0, "the kernel has no interleave ratio for 2 virtual SMs per SM");
	s->interleave = &alpha;
	s->interleaves = 1;
	good();
	alpha.numerator = 9;
	bad(0, "an interleave ratio is at least 1");
	alpha.numerator = 10;
}

/* ---- cores ---- */

TEST("the core of a task")
{
	maker_task(&k, "a", 20, 20, 0)->core = 3;
	maker_cpu(&k, 1, 1);
	assert_int_equal(taskset_core(&k.set, &k.platform, 0), 0); /* nobody said it */
	good();
	k.platform.cores = 4;
	bad(UINT32_MAX, "'core' of task 'a' is missing");
	k.set.cores = true;
	assert_int_equal(taskset_core(&k.set, &k.platform, 0), 3);
	good();
	k.platform.cores = 3;
	bad(UINT32_MAX, "'core' of task 'a' is 3: the platform has 3");
	k.platform.scheduling = CORES_GLOBAL;
	assert_int_equal(taskset_core(&k.set, &k.platform, 0), 0);
	bad(UINT32_MAX, "'core' of task 'a' is for partitioned scheduling");
	k.set.tasks[0].core = CORE_NOT_SAID;
	good();
	k.platform.scheduling = CORES_PARTITIONED;
	bad(UINT32_MAX, "'core' of task 'a' is missing");
	k.platform.cores = 1;
	good();
}

TEST("a task without CPU segments needs no core")
{
	maker_task(&k, "a", 20, 20, 0)->core = CORE_NOT_SAID;
	maker_copy(&k, COPY_TO_GPU, 2);
	k.platform.cores = 4;
	good();
	k.set.cores = true;
	good();
	assert_int_equal(taskset_core(&k.set, &k.platform, 0), 0);
}

TEST("processes are in the order of their first tasks")
{
	static char p[] = "p", q[] = "q";
	char *const names[] = {NULL, q, p, q, NULL};
	uint32_t process[5];
	for (uint32_t i = 0; i < 5; i++)
		maker_task(&k, "t", 10, 10, 0)->process = names[i];
	assert_int_equal(taskset_processes(&k.set, process), 4);
	assert_memory_equal(process, ((uint32_t[]){0, 1, 2, 1, 3}), sizeof(process));
}

/* Names in no order, some tasks without: each is numbered when it comes first. */
TEST("many processes")
{
	static char names[40][12];
	static struct task tasks[500];
	const struct taskset set = {.tasks = tasks, .task_count = 500};
	uint32_t process[500], number[40], count = 0;
	memset(number, 0xff, sizeof(number));
	for (uint32_t i = 0; i < 500; i++) {
		uint32_t n = (i * 29 + i / 7) % 41;
		snprintf(names[n % 40], sizeof(*names), "%u", n % 40);
		tasks[i].process = n == 40 ? NULL : names[n];
	}
	assert_true(taskset_processes(&set, process) > 40);
	for (uint32_t i = 0; i < 500; i++) {
		const char *name = tasks[i].process;
		uint32_t *known = name ? &number[strtoul(name, NULL, 10)] : NULL;
		bool first = !known || *known == UINT32_MAX;
		assert_int_equal(process[i], first ? count : *known);
		if (first && known)
			*known = count;
		count += first;
	}
	assert_int_equal(taskset_processes(&set, process), count);
}

TEST("ranks for the GPU")
{
	const uint32_t rank[] = {2, 0, 1};
	const int64_t given[] = {5, 7, 5};
	uint32_t gpu[3];
	for (uint32_t i = 0; i < 3; i++)
		maker_task(&k, "t", 10, 10, 0)->gpu_priority = given[i];
	taskset_gpu_ranks(&k.set, rank, gpu);
	assert_memory_equal(gpu, rank, sizeof(rank));
	k.set.gpu_priorities = true;
	taskset_gpu_ranks(&k.set, rank, gpu);
	assert_memory_equal(gpu, ((uint32_t[]){0, 2, 1}), sizeof(gpu));
}

TEST("copies with a time for each GPU")
{
	static struct copy_time times[3] = {{1, 2}, {3, 4}, {5, 6}};
	struct platform other;
	maker_task(&k, "t", 10, 10, 0);
	struct segment *s = maker_copy(&k, COPY_TO_GPU, 2);
	s->copy_times = times;
	s->copy_time_count = 1;
	other = k.platform;
	other.gpu = 1;
	k.platform.gpu_count = 2;
	k.platform.others = &other;
	bad(0, "a copy with times for GPUs needs one for each");
	s->copy_time_count = 3;
	bad(0, "a copy with times for GPUs needs one for each");
	s->copy_time_count = 2;
	times[1].worst_ns = 2;
	bad(0, "on each GPU the best case must lie between 0 and the worst case");
	times[1].worst_ns = 4;
	good();
	assert_int_equal(s->best_ns, 1);
	assert_int_equal(s->worst_ns, 2);
	s->gpu = 1;
	good();
	assert_int_equal(s->best_ns, 3);
	assert_int_equal(s->worst_ns, 4);
	struct copy_time on;
	assert_true(taskset_copy_time(&k.platform, s, &on));
	assert_int_equal(on.worst_ns, 2);
	assert_true(taskset_copy_time(&other, s, &on));
	assert_int_equal(on.best_ns, 3);
	s->bytes = 5;
	bad(0, "only copies with a time have times for each GPU");
}

/* ---- releases after others ---- */

/* Rules of so many tasks: i is behind the `length` that follow it, round the end; of those the last is named
 * twice where `twice`. */
static void releases_in_lists(
	struct release_rule *rule, uint32_t *lists, uint32_t tasks, uint32_t length, bool twice)
{
	for (uint32_t i = 0; i < tasks; i++) {
		uint32_t *list = &lists[(size_t)i * length];
		for (uint32_t n = 0; n < length; n++)
			list[n] = (i + 1 + n) % tasks;
		list[length - 1] = twice ? list[0] : list[length - 1];
		rule[i] = (struct release_rule){.kind = RELEASE_AFTER, .after = list, .after_count = length};
	}
}

/* Each element of a list is looked at twice, whatever the list is long: 10,000 looks at others for each would
 * be 10^10. */
TEST("lists of tasks are judged in time of their length")
{
	enum { TASKS = 10000, LENGTH = 100 };
	static struct release_rule rule[TASKS];
	static uint32_t lists[TASKS * LENGTH], all[TASKS];
	static struct named_tasks named;
	const struct task task = {.period_ns = 10};
	for (int twice = 0; twice < 2; twice++) {
		named.looks = 0;
		releases_in_lists(rule, lists, TASKS, LENGTH, twice);
		for (uint32_t i = 0; i < TASKS; i++)
			assert_int_equal(release_rule_wrong(&rule[i], &task, TASKS, &named) != NULL, twice);
		assert_in_range(named.looks, 2, 2 * TASKS * LENGTH);
	}
	for (uint32_t i = 0; i < TASKS; i++)
		all[i] = i;
	rule[0] = (struct release_rule){.kind = RELEASE_AFTER, .after = all, .after_count = TASKS};
	named.looks = 0;
	assert_null(release_rule_wrong(&rule[0], &task, TASKS, &named));
	assert_in_range(named.looks, TASKS, 2 * TASKS);
	for (size_t i = 0; i < sizeof(named.marked) / sizeof(named.marked[0]); i++)
		assert_true(named.marked[i] == 0);
}

/* More than are marked at a time. */
TEST("who is named twice in a list of many tasks is found wherever it is")
{
	enum { TASKS = 3 * NAMED_AT_A_TIME + 7 };
	static uint32_t list[TASKS];
	static struct named_tasks named;
	const struct release_rule rule = {.kind = RELEASE_AFTER, .after = list, .after_count = TASKS};
	const struct task task = {.period_ns = 10};
	for (uint32_t i = 0; i < TASKS; i++)
		list[i] = TASKS - 1 - i;
	assert_null(release_rule_wrong(&rule, &task, TASKS, &named));
	for (uint32_t i = 1; i < TASKS; i += TASKS / 9) {
		uint32_t before = list[i];
		list[i] = list[0];
		assert_non_null(release_rule_wrong(&rule, &task, TASKS, &named));
		list[i] = TASKS;
		assert_non_null(release_rule_wrong(&rule, &task, TASKS, &named));
		list[i] = before;
	}
	assert_null(release_rule_wrong(&rule, &task, TASKS, &named));
}

/* Each of them is behind the next one: a look at all tasks for each that it frees would be 10^12. */
TEST("a circle behind a million tasks in a row is found")
{
	enum { TASKS = 1000000 };
	struct task *task = calloc(TASKS, sizeof(*task));
	struct release_rule *rule = calloc(TASKS, sizeof(*rule));
	uint32_t *after = calloc(TASKS, sizeof(*after)), found = 0;
	const struct taskset set = {.tasks = task, .task_count = TASKS};
	assert_true(task && rule && after);
	for (uint32_t i = 0; i + 1 < TASKS; i++) {
		after[i] = i + 1;
		rule[i] = (struct release_rule){.kind = RELEASE_AFTER, .after = &after[i], .after_count = 1};
		task[i].release = &rule[i];
	}
	assert_true(taskset_trigger_circle(&set, &found));
	assert_int_equal(found, UINT32_MAX);
	after[TASKS - 2] = TASKS - 4;
	assert_true(taskset_trigger_circle(&set, &found));
	assert_in_range(found, TASKS - 4, TASKS - 2);
	free(task);
	free(rule);
	free(after);
}
