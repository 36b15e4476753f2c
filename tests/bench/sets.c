/* tests/bench/sets.c - see tests/bench/sets.h. */
#include "tests/bench/sets.h"

#include <math.h>

#include "base/random.h"

#define MS INT64_C(1000000)

static bool bench_begin(struct bench_set *b, uint32_t tasks, int64_t horizon_ns)
{
	*b = (struct bench_set){.platform = platform_default()};
	taskset_init(&b->set);
	b->set.tasks = arena_new(&b->set.arena, struct task, tasks);
	b->set.name = arena_strdup(&b->set.arena, "bench");
	b->set.task_count = tasks;
	b->platform.sms = 2;
	b->platform.threads_per_sm = 2048;
	b->platform.blocks_per_sm = 32;
	b->platform.engines = 1;
	b->setup = (struct run_setup){.horizon_ns = horizon_ns, .limit_ns = 10 * horizon_ns, .seed = 1};
	return b->set.tasks && b->set.name;
}

static struct segment segment(enum segment_kind kind, int64_t worst)
{
	return (struct segment){
		.kind = kind,
		.best_ns = worst / 2,
		.worst_ns = worst,
		.stream = STREAM_OWN,
		.bytes = -1,
		.profile = -1,
		.grid = 4,
		.block = 512,
	};
}

bool bench_tasks(struct bench_set *b, int64_t horizon_ns, uint32_t tasks)
{
	static const int64_t periods[] = {5, 7, 11, 19, 37, 59, 97, 193};
	static const enum segment_kind kinds[] = {
		SEGMENT_CPU, SEGMENT_COPY, SEGMENT_KERNEL, SEGMENT_COPY, SEGMENT_CPU};
	const uint32_t segments = sizeof(kinds) / sizeof(*kinds);
	static char name[] = "pipeline";
	if (!bench_begin(b, tasks, horizon_ns))
		return false;
	for (uint32_t i = 0; i < tasks; i++) {
		struct task *t = &b->set.tasks[i];
		int64_t period = periods[(uint64_t)i * 8 / tasks] * MS, share = period * 3 / 4 / tasks;
		*t = (struct task){
			.name = name, .period_ns = period, .deadline_ns = period, .segment_count = segments};
		t->segments = arena_new(&b->set.arena, struct segment, segments);
		if (!t->segments)
			return false;
		for (uint32_t j = 0; j < segments; j++)
			t->segments[j] = segment(kinds[j], kinds[j] == SEGMENT_KERNEL ? share : share / 2);
		t->segments[3].direction = COPY_TO_CPU;
	}
	return true;
}

bool bench_pipeline(struct bench_set *b, int64_t horizon_ns)
{
	return bench_tasks(b, horizon_ns, 16);
}

bool bench_cores(struct bench_set *b, int64_t horizon_ns, uint32_t cores, uint32_t processes)
{
	static char names[][2] = {"0", "1", "2", "3", "4", "5", "6", "7"};
	if (processes > sizeof(names) / sizeof(*names) || !bench_pipeline(b, horizon_ns))
		return false;
	b->platform.cores = cores;
	b->set.cores = true;
	for (uint32_t i = 0; i < b->set.task_count; i++) {
		b->set.tasks[i].core = (int32_t)(i % cores);
		b->set.tasks[i].process = names[i % processes];
	}
	return true;
}

bool bench_large_kernels(struct bench_set *b, int64_t horizon_ns, uint32_t blocks)
{
	if (!bench_pipeline(b, horizon_ns))
		return false;
	b->platform.sms = 46;
	b->platform.threads_per_sm = 1536;
	b->platform.blocks_per_sm = 16;
	b->platform.warps_per_sm = 48;
	b->platform.registers_per_sm = 65536;
	b->platform.shared_memory_per_sm = 102400;
	for (uint32_t i = 0; i < b->set.task_count; i++)
		b->set.tasks[i].segments[2].grid = blocks;
	return true;
}

bool bench_gpu_sections(struct bench_set *b, int64_t horizon_ns, uint32_t tasks)
{
	static char name[] = "section";
	static struct interleave two_per_sm = {.virtual_sms = 2, .numerator = 3, .denominator = 2};
	if (!bench_begin(b, tasks, horizon_ns))
		return false;
	b->platform.sms = 46;
	b->platform.threads_per_sm = 1536;
	b->platform.work_queues = tasks;
	b->platform.static_uw = 30000000;
	b->platform.idle_per_sm_uw = 500000;
	b->setup.release = (struct release_rule){.kind = RELEASE_SPORADIC, .max_delay_ppm = 200000};
	for (uint32_t i = 0; i < tasks; i++) {
		const struct random_key key = {.seed = 5, .task = i, .purpose = RANDOM_TEST};
		double u = (double)random_upto(&key, 1000000) / 1e6;
		int64_t period = (int64_t)(10e6 * pow(100, u)), work = period * 46 * 7 / 10 / tasks;
		struct segment *s = arena_new(&b->set.arena, struct segment, 3);
		if (!s)
			return false;
		s[0] = segment(SEGMENT_COPY, period / 20 / tasks);
		s[1] = segment(SEGMENT_KERNEL, work);
		s[1].form = KERNEL_WORK;
		s[1].power_uw = 1000000 + 20000 * (int64_t)i;
		s[1].interleave = &two_per_sm;
		s[1].interleaves = 1;
		s[2] = segment(SEGMENT_COPY, period / 20 / tasks);
		s[2].direction = COPY_TO_CPU;
		b->set.tasks[i] = (struct task){
			.name = name,
			.period_ns = period,
			.deadline_ns = period,
			.segments = s,
			.segment_count = 3,
		};
	}
	return true;
}

bool bench_cpu_only(struct bench_set *b, int64_t horizon_ns)
{
	const uint32_t tasks = 10;
	static char name[] = "cpu";
	if (!bench_begin(b, tasks, horizon_ns))
		return false;
	b->setup.execution = EXECUTION_WORST;
	for (uint32_t i = 0; i < tasks; i++) {
		const struct random_key key = {.seed = 4, .task = i, .purpose = RANDOM_TEST};
		double u = (double)random_upto(&key, 1000000) / 1e6;
		int64_t period = (int64_t)(10e6 * pow(100, u));
		b->set.tasks[i] = (struct task){
			.name = name, .period_ns = period, .deadline_ns = period, .segment_count = 1};
		b->set.tasks[i].segments = arena_new(&b->set.arena, struct segment, 1);
		if (!b->set.tasks[i].segments)
			return false;
		b->set.tasks[i].segments[0] = segment(SEGMENT_CPU, (int64_t)((double)period * 0.07));
	}
	return true;
}

void bench_set_finish(struct bench_set *b)
{
	taskset_finish(&b->set);
}
