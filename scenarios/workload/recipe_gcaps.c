/* scenarios/workload/recipe_gcaps.c - owns the recipe gcaps: Table 3 of Wang, Liu, Wong, Kim, "GCAPS: GPU
 * context-aware preemptive priority-based scheduling for real-time tasks", ECRTS 2024, for one or more of its
 * four CPUs. What is adapted is in docs/workload.md. */
#include <stdio.h>

#include "base/int128.h"
#include "scenarios/workload/build.h"
#include "scenarios/workload/periods.h"
#include "scenarios/workload/recipes.h"

#define LIST_MAX 64
#define BLOCK_THREADS_MAX 1024u
#define CPUS_MAX 64

static const struct option options[] = {
	{
		.name = "cpus",
		.kind = OPTION_INTEGER,
		.min = 1,
		.max = CPUS_MAX,
		.fallback = "1",
		.help = "cores, 4 in the paper: so many sets together, whose tasks are given to the cores by "
			"worst fit decreasing",
	},
	{
		.name = "utilisation",
		.kind = OPTION_RATIO_RANGE,
		.min = 1000,
		.max = PPM,
		.fallback = "40%..60%",
		.help = "of each CPU, GPU segments included; drawn for each, shared out by UUniFast",
	},
	{
		.name = "tasks",
		.kind = OPTION_LIST,
		.min = 1,
		.max = TASKS_MAX,
		.fallback = "3,4,5,6",
		.help = "number of tasks for each CPU, one of these",
	},
	{
		.name = "gpu_tasks",
		.kind = OPTION_RATIO_RANGE,
		.min = 0,
		.max = PPM,
		.fallback = "40%..60%",
		.help = "share of the tasks that use the GPU, drawn for each set",
	},
	{
		.name = "gpu_segments",
		.kind = OPTION_LIST,
		.min = 1,
		.max = SEGMENTS_MAX / 4,
		.fallback = "1,2,3",
		.help = "GPU segments of such a task, one of these",
	},
	{
		.name = "period",
		.kind = OPTION_DURATION_RANGE,
		.min = 1,
		.max = LENGTH_MAX,
		.fallback = "30ms..500ms",
		.help = "uniform",
	},
	{
		.name = "granularity",
		.kind = OPTION_DURATION,
		.min = 1,
		.max = LENGTH_MAX,
		.fallback = "1ms",
		.help = "of the periods",
	},
	{
		.name = "gpu_over_cpu",
		.kind = OPTION_RATIO_RANGE,
		.min = 0,
		.max = 1000 * PPM,
		.fallback = "20%..200%",
		.help = "G / C: length of a task's GPU segments over that of its CPU segments",
	},
	{
		.name = "misc",
		.kind = OPTION_RATIO_RANGE,
		.min = 0,
		.max = PPM,
		.fallback = "10%..30%",
		.help = "Gm / G: share of a GPU segment that is not the kernel",
	},
	{
		.name = "misc_as",
		.kind = OPTION_CHOICE,
		.choices = "copies|cpu",
		.fallback = "copies",
		.help = "that share as copies around the kernel, or as CPU segments",
	},
	{
		.name = "lo_ratio",
		.kind = OPTION_RATIO_RANGE,
		.min = 0,
		.max = PPM,
		.fallback = "50%..100%",
		.help = "best case of a segment as a share of its worst case, drawn for each",
	},
	{
		.name = "best_effort",
		.kind = OPTION_RATIO_RANGE,
		.min = 0,
		.max = PPM,
		.fallback = "0%",
		.help = "share of the tasks that are best effort, with the lowest priorities; drawn for each "
			"set",
	},
	{
		.name = "sms",
		.kind = OPTION_INTEGER,
		.min = 1,
		.max = PLATFORM_MAX_SMS,
		.fallback = "6",
		.help = "SMs of the platform; a kernel fills all of them",
	},
	{0},
};

static bool own_platform(
	const struct params *params, struct arena *arena, struct platform *p, struct error *err)
{
	(void)arena;
	(void)err;
	*p = platform_default();
	p->sms = (uint32_t)params_integer(params, "sms");
	p->threads_per_sm = 2048;
	p->cores = (uint32_t)params_integer(params, "cpus");
	snprintf(p->name, sizeof(p->name), "gcaps-%u-sms", p->sms);
	if (p->cores > 1)
		snprintf(p->name, sizeof(p->name), "gcaps-%u-cpus-%u-sms", p->cores, p->sms);
	return true;
}

struct recipe_gcaps_use {
	const struct params *params;
	const struct platform *platform;
	struct draws draws;
	bool copies;
	uint32_t cpus;
	struct build_range lo_ratio, misc, gpu_over_cpu;
};

static uint32_t draw_listed(
	const struct recipe_gcaps_use *u, enum draw_what what, uint32_t task, const char *option)
{
	int64_t values[LIST_MAX];
	size_t count = params_list(u->params, option, values, LIST_MAX);
	return count ? (uint32_t)values[draw_between(&u->draws, what, task, 0, 0, (int64_t)count - 1)] : 0;
}

/* Cuts a length into random parts, uniformly over all ways to cut it. */
static void cut(const struct recipe_gcaps_use *u, enum draw_what what, uint32_t task, int64_t length,
	uint32_t n, int64_t *parts)
{
	double unit[SEGMENTS_MAX];
	for (uint32_t i = 0; i + 1 < n; i++)
		unit[i] = draw_unit(&u->draws, what, task, i);
	simplex_split(unit, n, length, parts);
}

static int64_t best_case(
	const struct recipe_gcaps_use *u, enum draw_what what, uint32_t task, uint32_t item, int64_t worst)
{
	return scaled_down(worst, draw_range(&u->draws, what, task, item, u->lo_ratio));
}

static void add_cpu(
	const struct recipe_gcaps_use *u, struct task *t, uint32_t task, uint32_t item, int64_t worst)
{
	build_segment(t, SEGMENT_CPU, best_case(u, DRAW_BEST_CPU, task, item, worst), worst);
}

/* Adds half of the time that is not the kernel's, as a copy in one direction or as CPU time. */
static void add_misc(
	const struct recipe_gcaps_use *u, struct task *t, uint32_t task, uint32_t item, int64_t worst)
{
	int64_t best = best_case(u, DRAW_BEST_COPY, task, item, worst);
	struct segment *s = build_segment(t, u->copies ? SEGMENT_COPY : SEGMENT_CPU, best, worst);
	s->direction = item % 2 ? COPY_TO_CPU : COPY_TO_GPU;
}

/* Adds a kernel whose blocks are all resident at once and leave no room for others. */
static void add_kernel(
	const struct recipe_gcaps_use *u, struct task *t, uint32_t task, uint32_t item, int64_t worst)
{
	uint32_t threads = u->platform->threads_per_sm ? u->platform->threads_per_sm : BLOCK_THREADS_MAX;
	uint32_t per_sm = (threads + BLOCK_THREADS_MAX - 1) / BLOCK_THREADS_MAX;
	struct segment *s =
		build_segment(t, SEGMENT_KERNEL, best_case(u, DRAW_BEST_GPU, task, item, worst), worst);
	s->form = KERNEL_GRID;
	s->grid = per_sm * u->platform->sms;
	s->block = threads / per_sm / WARP_THREADS * WARP_THREADS;
	if (s->block == 0)
		s->block = threads;
}

static bool add_gpu_task(const struct recipe_gcaps_use *u, struct taskset *set, uint32_t task, int64_t length,
	struct error *err)
{
	int64_t cpu[SEGMENTS_MAX], gpu[SEGMENTS_MAX];
	struct task *t = &set->tasks[task];
	uint32_t segments = draw_listed(u, DRAW_COUNT, task, "gpu_segments");
	int64_t ratio = draw_range(&u->draws, DRAW_GPU, task, 0, u->gpu_over_cpu);
	int64_t gpu_length = (int64_t)((int128)length * ratio / (PPM + ratio));
	if (!build_segments(set, t, 4 * (size_t)segments + 1, err))
		return false;
	cut(u, DRAW_SPLIT_CPU, task, length - gpu_length, segments + 1, cpu);
	cut(u, DRAW_SPLIT_GPU, task, gpu_length, segments, gpu);
	add_cpu(u, t, task, 0, cpu[0]);
	for (uint32_t j = 0; j < segments; j++) {
		int64_t share = draw_range(&u->draws, DRAW_SHARE, task, j, u->misc);
		int64_t misc = scaled_down(gpu[j], share);
		add_misc(u, t, task, 2 * j, misc / 2);
		add_kernel(u, t, task, j, gpu[j] - misc);
		add_misc(u, t, task, 2 * j + 1, misc - misc / 2);
		add_cpu(u, t, task, j + 1, cpu[j + 1]);
	}
	return true;
}

/* A share of the tasks: the first of a shuffled order. `item`: 0, 1, … for each question of its own. */
static void choose_tasks(
	const struct recipe_gcaps_use *u, const char *option, uint32_t item, uint32_t tasks, bool *chosen)
{
	uint32_t order[TASKS_MAX];
	int64_t ratio =
		draw_range(&u->draws, DRAW_SHARE, 0, DRAW_ITEMS_MAX - 1 - item, range_of(u->params, option));
	uint32_t count = (uint32_t)((ratio * tasks + PPM / 2) / PPM);
	for (uint32_t i = 0; i < tasks; i++)
		order[i] = i;
	for (uint32_t i = tasks - 1; i >= 1; i--) {
		int64_t other = draw_between(&u->draws, DRAW_SHUFFLE, i, item, 0, i);
		uint32_t swap = order[i];
		order[i] = order[other];
		order[other] = swap;
	}
	for (uint32_t i = 0; i < tasks; i++)
		chosen[order[i]] = i < count;
}

/* Rate monotonic, but best-effort tasks behind all others. */
static void set_priorities(const struct recipe_gcaps_use *u, struct taskset *set)
{
	bool chosen[TASKS_MAX];
	int64_t least, most;
	params_range(u->params, "best_effort", &least, &most);
	if (most == 0)
		return;
	choose_tasks(u, "best_effort", 1, set->task_count, chosen);
	set->priorities = true;
	for (uint32_t i = 0; i < set->task_count; i++) {
		struct task *t = &set->tasks[i];
		t->best_effort = chosen[i];
		t->priority = 0;
		for (uint32_t k = 0; k < set->task_count; k++) {
			int64_t shorter = t->period_ns - set->tasks[k].period_ns;
			bool before = shorter > 0 || (shorter == 0 && k < i);
			t->priority += chosen[i] == chosen[k] ? before : chosen[i];
		}
	}
}

/* Each CPU after the first has draws of its own. */
static struct draws draws_of(const struct recipe_gcaps_use *u, uint32_t cpu)
{
	struct draws d = u->draws;
	d.seed ^= cpu * UINT64_C(0x9e3779b97f4a7c15);
	return d;
}

/* How many tasks each CPU is to have. Returns how many that are; 0: more than TASKS_MAX, or the option is
 * empty. */
static uint32_t count_tasks(const struct recipe_gcaps_use *u, uint32_t *of)
{
	uint32_t sum = 0;
	for (uint32_t c = 0; c < u->cpus; c++) {
		struct recipe_gcaps_use own = *u;
		own.draws = draws_of(u, c);
		of[c] = draw_listed(&own, DRAW_COUNT, TASKS_MAX, "tasks");
		if (of[c] == 0 || sum + of[c] > TASKS_MAX)
			return 0;
		sum += of[c];
	}
	return sum;
}

static bool draw_utilisations(
	const struct recipe_gcaps_use *u, const uint32_t *of, int64_t *ppm, struct error *err)
{
	for (uint32_t c = 0, from = 0; c < u->cpus; from += of[c++]) {
		struct draws d = draws_of(u, c);
		struct simplex s = {
			.n = of[c],
			.sum = draw_range(&d, DRAW_UTILISATION, 0, 0, range_of(u->params, "utilisation")),
		};
		if (!simplex_uunifast(&d, &s, 1, ppm + from, err))
			return false;
	}
	return true;
}

static bool draw_tasks(const struct recipe_gcaps_use *u, const uint32_t *of, uint32_t tasks, int64_t *ppm,
	int64_t *period, struct error *err)
{
	struct draws d = u->draws;
	struct period_rule rule = {
		.method = PERIODS_UNIFORM, .granularity_ns = params_quantity(u->params, "granularity")};
	params_range(u->params, "period", &rule.min_ns, &rule.max_ns);
	return draw_utilisations(u, of, ppm, err) && periods_draw(&rule, &d, tasks, 1, period, err);
}

static bool generate(const struct params *params, const struct platform *platform, uint64_t seed,
	uint32_t index, struct taskset *set, struct error *err)
{
	int64_t ppm[TASKS_MAX], period[TASKS_MAX];
	bool uses[TASKS_MAX];
	uint32_t of[CPUS_MAX];
	struct recipe_gcaps_use u = {
		.params = params,
		.platform = platform,
		.draws = {.seed = seed, .set = index},
		.copies = params_choice(params, "misc_as") == 0,
		.cpus = (uint32_t)params_integer(params, "cpus"),
		.lo_ratio = range_of(params, "lo_ratio"),
		.misc = range_of(params, "misc"),
		.gpu_over_cpu = range_of(params, "gpu_over_cpu"),
	};
	uint32_t tasks = count_tasks(&u, of);
	if (tasks == 0 && draw_listed(&u, DRAW_COUNT, TASKS_MAX, "tasks") > 0)
		return error_set(err, STATUS_INPUT, "more than %d tasks", TASKS_MAX);
	if (tasks == 0 || draw_listed(&u, DRAW_COUNT, 0, "gpu_segments") == 0)
		return error_set(
			err, STATUS_INPUT, "the options 'tasks' and 'gpu_segments' must not be empty lists");
	choose_tasks(&u, "gpu_tasks", 0, tasks, uses);
	if (!draw_tasks(&u, of, tasks, ppm, period, err) || !build_tasks(set, "gcaps", index, tasks, err) ||
		!build_cores(set, platform, u.cpus, ppm, err))
		return false;
	for (uint32_t i = 0; i < tasks; i++) {
		struct task *t = &set->tasks[i];
		int64_t length = scaled_down(period[i], ppm[i]);
		t->period_ns = t->deadline_ns = period[i];
		if (uses[i] && !add_gpu_task(&u, set, i, length, err))
			return false;
		if (!uses[i]) {
			if (!build_segments(set, t, 1, err))
				return false;
			add_cpu(&u, t, i, 0, length);
		}
	}
	set_priorities(&u, set);
	return true;
}

const struct recipe recipe_gcaps = {
	.name = "gcaps",
	.summary = "CPU tasks and tasks whose kernels take the whole GPU; GCAPS (ECRTS 2024), Table 3, one "
		   "CPU or more",
	.version = 1,
	.options = options,
	.platform = own_platform,
	.generate = generate,
};
