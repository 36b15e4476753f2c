/* scenarios/workload/recipe_custom.c - owns the recipe custom: task sets from ranges, with any method of
 * scenarios/workload/simplex.h for the utilisations and of scenarios/workload/periods.h for the periods. */
#include <stdio.h>
#include <string.h>

#include "base/int128.h"
#include "models/kernel.h"
#include "scenarios/workload/build.h"
#include "scenarios/workload/periods.h"
#include "scenarios/workload/recipes.h"

#define LIST_MAX 64
#define PERCENT (PPM / 100)

static const struct option options[] = {
	{
		.name = "utilisation",
		.kind = OPTION_RATIO,
		.min = 1000,
		.max = UTILISATION_MAX,
		.fallback = "100%",
		.help = "total, where 1 is one CPU, one copy engine and one SM",
	},
	{
		.name = "tasks",
		.kind = OPTION_INTEGER,
		.min = 1,
		.max = TASKS_MAX,
		.fallback = "5",
		.help = "number of tasks",
	},
	{
		.name = "method",
		.kind = OPTION_CHOICE,
		.choices = "uunifast|discard|randfixedsum|bounded|drs",
		.fallback = "randfixedsum",
		.help = "of the tasks' utilisations; drs is deprecated by its authors (not uniform): prefer "
			"bounded",
	},
	{
		.name = "task_utilisation",
		.kind = OPTION_RATIO_RANGE,
		.min = 0,
		.max = UTILISATION_MAX,
		.fallback = "0%..100%",
		.help = "bounds of a task's utilisation (all methods but uunifast)",
	},
	{
		.name = "caps",
		.kind = OPTION_LIST,
		.min = 1,
		.max = 100000,
		.fallback = "",
		.help = "upper bounds of their own for all tasks, percent (discard, bounded, drs)",
	},
	{
		.name = "periods",
		.kind = OPTION_CHOICE,
		.choices = "lengths|uniform|log-uniform|list|divisors|matrix",
		.fallback = "lengths",
		.help = "lengths: sum of the segments' lengths / utilisation; else drawn, and the lengths "
			"are scaled",
	},
	{
		.name = "period",
		.kind = OPTION_DURATION_RANGE,
		.min = 1,
		.max = LENGTH_MAX,
		.fallback = "10ms..1s",
		.help = "range of drawn periods",
	},
	{
		.name = "granularity",
		.kind = OPTION_DURATION,
		.min = 1,
		.max = LENGTH_MAX,
		.fallback = "1ms",
		.help = "of drawn periods, and of the numbers in period_list",
	},
	{
		.name = "period_list",
		.kind = OPTION_LIST,
		.min = 1,
		.max = 1000000000,
		.fallback = "1,2,5,10,20,50,100,200,1000",
		.help = "periods=list: in granularities",
	},
	{
		.name = "hyperperiod",
		.kind = OPTION_DURATION,
		.min = 1,
		.max = 24 * LENGTH_MAX,
		.fallback = "1s",
		.help = "periods=divisors: what all periods divide",
	},
	{
		.name = "deadline",
		.kind = OPTION_RATIO_RANGE,
		.min = 1,
		.max = PPM,
		.fallback = "100%",
		.help = "deadline as a share of the period, drawn for each task",
	},
	{
		.name = "offset",
		.kind = OPTION_RATIO,
		.min = 0,
		.max = PPM,
		.fallback = "0%",
		.help = "offsets are uniform from 0 to this share of the period",
	},
	{
		.name = "sections",
		.kind = OPTION_INTEGER,
		.min = 0,
		.max = SEGMENTS_MAX / 2 - 1,
		.fallback = "1",
		.help = "kernels of a task, each between two CPU segments",
	},
	{
		.name = "copies",
		.kind = OPTION_CHOICE,
		.choices = "two|one|none",
		.fallback = "two",
		.help = "around each kernel: to the GPU and back, one that stands for both, none",
	},
	{
		.name = "cpu",
		.kind = OPTION_DURATION_RANGE,
		.min = 0,
		.max = LENGTH_MAX,
		.fallback = "1ms..20ms",
		.help = "length of a CPU segment; 0s: there are none",
	},
	{
		.name = "memory",
		.kind = OPTION_DURATION_RANGE,
		.min = 0,
		.max = LENGTH_MAX,
		.fallback = "1ms..5ms",
		.help = "length of a copy",
	},
	{
		.name = "gpu",
		.kind = OPTION_DURATION_RANGE,
		.min = 1,
		.max = LENGTH_MAX,
		.fallback = "1ms..20ms",
		.help = "length of a kernel on one SM alone",
	},
	{
		.name = "kernel",
		.kind = OPTION_CHOICE,
		.choices = "work|grid",
		.fallback = "work",
		.help = "divisible work, or blocks of a grid",
	},
	{
		.name = "grid",
		.kind = OPTION_LIST,
		.min = 1,
		.max = 1000000,
		.fallback = "4,8,16,32,64",
		.help = "kernel=grid: number of blocks, one of these",
	},
	{
		.name = "block",
		.kind = OPTION_LIST,
		.min = 1,
		.max = 1024,
		.fallback = "64,128,256,512,1024",
		.help = "kernel=grid: threads of a block, one of these",
	},
	{
		.name = "lo_ratio",
		.kind = OPTION_RATIO_RANGE,
		.min = 0,
		.max = PPM,
		.fallback = "100%",
		.help = "best case of a segment as a share of its worst case, drawn for each",
	},
	{
		.name = "alpha",
		.kind = OPTION_RATIO_RANGE,
		.min = PPM,
		.max = 64 * PPM,
		.fallback = "122%..180%",
		.help = "kernel=work: interleave ratio for 2 virtual SMs per SM, drawn for each; V: "
			"alpha^(log2 V)",
	},
	{
		.name = "overhead",
		.kind = OPTION_RATIO,
		.min = 0,
		.max = PPM,
		.fallback = "0%",
		.help = "kernel=work: critical-path overhead as a share of the work",
	},
	{
		.name = "sms",
		.kind = OPTION_INTEGER,
		.min = 1,
		.max = PLATFORM_MAX_SMS,
		.fallback = "10",
		.help = "SMs of the platform",
	},
	{
		.name = "cores",
		.kind = OPTION_INTEGER,
		.min = 1,
		.max = 64,
		.fallback = "1",
		.help = "CPU cores, to which the tasks are given by worst fit decreasing",
	},
	{
		.name = "gpus",
		.kind = OPTION_INTEGER,
		.min = 1,
		.max = PLATFORM_MAX_GPUS,
		.fallback = "1",
		.help = "GPUs, all alike, to which the tasks are given by worst fit decreasing of copies "
			"and kernels",
	},
	{0},
};

_Static_assert(sizeof(options) / sizeof(options[0]) - 1 <= PARAMS_MAX, "a recipe has at most PARAMS_MAX "
								       "options");

/* All like the first. */
static bool add_gpus(uint32_t gpus, struct arena *arena, struct platform *p, struct error *err)
{
	struct platform *others = arena_new(arena, struct platform, gpus - 1);
	if (!others)
		return error_memory(err, "the GPUs of a platform");
	for (uint32_t g = 1; g < gpus; g++) {
		others[g - 1] = *p;
		others[g - 1].gpu = g;
	}
	p->gpu_count = gpus;
	p->others = others;
	return true;
}

static bool own_platform(
	const struct params *params, struct arena *arena, struct platform *p, struct error *err)
{
	uint32_t gpus = (uint32_t)params_integer(params, "gpus");
	*p = platform_default();
	p->sms = (uint32_t)params_integer(params, "sms");
	p->threads_per_sm = 2048;
	p->cores = (uint32_t)params_integer(params, "cores");
	snprintf(p->name, sizeof(p->name), "custom-%u-sms", p->sms);
	if (p->cores > 1)
		snprintf(p->name, sizeof(p->name), "custom-%u-cores-%u-sms", p->cores, p->sms);
	return gpus == 1 || add_gpus(gpus, arena, p, err);
}

enum { COPIES_TWO, COPIES_ONE, COPIES_NONE };

struct recipe_custom_use {
	const struct params *params;
	const struct platform *platform;
	struct draws draws;
	uint32_t tasks, sections;
	uint32_t copies;
	bool grid;
	struct build_range cpu, memory, gpu, lo_ratio, alpha, deadline;
	int64_t overhead_ppm, offset_ppm;
};

/* ---- utilisations and periods ---- */

static bool utilisations(const struct recipe_custom_use *u, int64_t *ppm, struct error *err)
{
	static simplex_method *const methods[] = {
		simplex_uunifast, simplex_discard, simplex_randfixedsum, simplex_bounded, simplex_drs};
	int64_t low[TASKS_MAX], high[TASKS_MAX], caps[PARAM_TEXT_MAX], least, most;
	struct simplex s = {
		.n = u->tasks, .sum = params_quantity(u->params, "utilisation"), .low = low, .high = high};
	struct draws d = u->draws;
	size_t cap_count = params_list(u->params, "caps", caps, PARAM_TEXT_MAX);
	if (cap_count != 0 && cap_count != u->tasks)
		return error_set(
			err, STATUS_INPUT, "'caps' has %zu values for %u tasks", cap_count, u->tasks);
	params_range(u->params, "task_utilisation", &least, &most);
	least = least > 0 ? least : 1; /* with utilisation 0 a task would have no period */
	for (uint32_t i = 0; i < u->tasks; i++) {
		low[i] = least;
		high[i] = cap_count ? caps[i] * PERCENT : most;
	}
	uint32_t method = params_choice(u->params, "method");
	if (methods[method] != simplex_uunifast)
		return methods[method](&d, &s, GENERATOR_TRIES, ppm, err);
	s.sum -= u->tasks;
	if (s.sum < 0)
		return error_set(err, STATUS_INPUT, "the utilisation is below 1 ppm for each task");
	if (!simplex_uunifast(&d, &s, 1, ppm, err))
		return false;
	for (uint32_t i = 0; i < u->tasks; i++)
		ppm[i]++;
	return true;
}

/* Draws periods that do not depend on the lengths. */
static bool draw_periods(const struct recipe_custom_use *u, int64_t *period, struct error *err)
{
	int64_t list[PARAM_TEXT_MAX];
	struct period_rule rule = {
		.method = PERIODS_UNIFORM + params_choice(u->params, "periods") - 1,
		.granularity_ns = params_quantity(u->params, "granularity"),
		.hyperperiod_ns = params_quantity(u->params, "hyperperiod"),
		.list = list,
	};
	params_range(u->params, "period", &rule.min_ns, &rule.max_ns);
	rule.list_count = params_list(u->params, "period_list", list, PARAM_TEXT_MAX);
	for (size_t i = 0; i < rule.list_count; i++)
		if (__builtin_mul_overflow(list[i], rule.granularity_ns, &list[i]) || list[i] > PERIOD_MAX)
			return error_set(err, STATUS_INPUT, "'period_list' has a period beyond 63 years");
	return periods_draw(&rule, &u->draws, u->tasks, GENERATOR_TRIES, period, err);
}

/* ---- segments ---- */

/* A segment to be made; its length is set last, when the task's period is known. */
struct custom_part {
	enum segment_kind kind;
	enum copy_direction direction;
	uint32_t item;
	int64_t length;
};

static uint32_t plan_parts(const struct recipe_custom_use *u, uint32_t task, struct custom_part *parts)
{
	uint32_t n = 0;
	for (uint32_t j = 0; j <= u->sections; j++) {
		if (u->cpu.high > 0)
			parts[n++] = (struct custom_part){SEGMENT_CPU, COPY_TO_GPU, j,
				draw_range(&u->draws, DRAW_CPU, task, j, u->cpu)};
		if (j == u->sections)
			break;
		if (u->copies != COPIES_NONE)
			parts[n++] = (struct custom_part){SEGMENT_COPY,
				u->copies == COPIES_TWO ? COPY_TO_GPU : COPY_BOTH, 2 * j,
				draw_range(&u->draws, DRAW_COPY, task, 2 * j, u->memory)};
		parts[n++] = (struct custom_part){
			SEGMENT_KERNEL, COPY_TO_GPU, j, draw_range(&u->draws, DRAW_GPU, task, j, u->gpu)};
		if (u->copies == COPIES_TWO)
			parts[n++] = (struct custom_part){SEGMENT_COPY, COPY_TO_CPU, 2 * j + 1,
				draw_range(&u->draws, DRAW_COPY, task, 2 * j + 1, u->memory)};
	}
	return n;
}

/* Scales the lengths so that they add up to utilisation * period. */
static bool scale_parts(struct custom_part *parts, uint32_t n, int64_t period, int64_t ppm, struct error *err)
{
	int64_t weights[4 * SEGMENTS_MAX], lengths[4 * SEGMENTS_MAX];
	int128 total = (int128)period * ppm / PPM;
	int64_t weight = 0;
	if (total > PERIOD_MAX)
		return error_set(err, STATUS_INPUT, "a task is longer than 63 years");
	for (uint32_t i = 0; i < n; i++) {
		weights[i] = parts[i].length;
		weight += weights[i];
	}
	if (weight == 0)
		return error_set(err, STATUS_INPUT, "the lengths of a task's segments are all 0");
	simplex_normalise(weights, n, (int64_t)total, 0, lengths);
	for (uint32_t i = 0; i < n; i++)
		parts[i].length = lengths[i];
	return true;
}

static uint32_t draw_listed(const struct recipe_custom_use *u, enum draw_what what, uint32_t task,
	uint32_t item, const char *option)
{
	int64_t values[PARAM_TEXT_MAX];
	size_t count = params_list(u->params, option, values, PARAM_TEXT_MAX);
	return count ? (uint32_t)values[draw_between(&u->draws, what, task, item, 0, (int64_t)count - 1)] : 1;
}

/* The blocks share the kernel's length on one SM: as many waves as its limits make of them. */
static void shape_grid(const struct recipe_custom_use *u, struct segment *s, uint32_t task,
	const struct custom_part *part, int64_t best_ppm)
{
	struct platform one = *u->platform;
	struct taskset none = {0};
	struct kernel_shape shape;
	struct error ignored;
	int64_t waves = 1;
	one.sms = 1;
	s->form = KERNEL_GRID;
	s->grid = draw_listed(u, DRAW_GRID, task, part->item, "grid");
	s->block = draw_listed(u, DRAW_BLOCK, task, part->item, "block");
	s->worst_ns = 1;
	if (kernel_shape(&one, &none, s, platform_virtual_sms(&one), NULL, &shape, &ignored))
		waves = kernel_time(&one, platform_virtual_sms(&one), &shape, NULL);
	s->worst_ns = part->length / waves > 0 ? part->length / waves : 1;
	s->best_ns = scaled_down(s->worst_ns, best_ppm);
}

static bool add_segment(const struct recipe_custom_use *u, struct taskset *set, uint32_t task,
	const struct custom_part *part, struct error *err)
{
	static const enum draw_what bests[] = {
		[SEGMENT_CPU] = DRAW_BEST_CPU,
		[SEGMENT_COPY] = DRAW_BEST_COPY,
		[SEGMENT_KERNEL] = DRAW_BEST_GPU,
	};
	int64_t best_ppm = draw_range(&u->draws, bests[part->kind], task, part->item, u->lo_ratio);
	struct segment *s = build_segment(
		&set->tasks[task], part->kind, scaled_down(part->length, best_ppm), part->length);
	s->direction = part->direction;
	if (part->kind != SEGMENT_KERNEL)
		return true;
	if (u->grid) {
		shape_grid(u, s, task, part, best_ppm);
		return true;
	}
	s->form = KERNEL_WORK;
	s->overhead_ns = scaled_down(part->length, u->overhead_ppm);
	s->interleave = build_interleave(set, u->platform, u->tasks,
		draw_range(&u->draws, DRAW_ALPHA, task, part->item, u->alpha), false, &s->interleaves, err);
	return s->interleave != NULL;
}

static bool build_task(const struct recipe_custom_use *u, struct taskset *set, uint32_t task, int64_t ppm,
	int64_t period, struct error *err)
{
	struct custom_part parts[4 * SEGMENTS_MAX];
	struct task *t = &set->tasks[task];
	uint32_t n = plan_parts(u, task, parts);
	int64_t length = 0;
	for (uint32_t i = 0; i < n; i++)
		length += parts[i].length;
	t->period_ns = period;
	if (period == 0 ? !build_period(t, length, ppm, err) : !scale_parts(parts, n, period, ppm, err))
		return false;
	t->deadline_ns =
		scaled_down(t->period_ns, draw_range(&u->draws, DRAW_DEADLINE, task, 0, u->deadline));
	if (t->deadline_ns == 0)
		t->deadline_ns = 1;
	t->offset_ns =
		draw_between(&u->draws, DRAW_OFFSET, task, 0, 0, scaled_down(t->period_ns, u->offset_ppm));
	if (!build_segments(set, t, n, err))
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!add_segment(u, set, task, &parts[i], err))
			return false;
	return true;
}

static bool generate(const struct params *params, const struct platform *platform, uint64_t seed,
	uint32_t index, struct taskset *set, struct error *err)
{
	int64_t ppm[TASKS_MAX], period[TASKS_MAX] = {0};
	struct recipe_custom_use u = {
		.params = params,
		.platform = platform,
		.draws = {.seed = seed, .set = index},
		.tasks = (uint32_t)params_integer(params, "tasks"),
		.sections = (uint32_t)params_integer(params, "sections"),
		.copies = params_choice(params, "copies"),
		.grid = params_choice(params, "kernel") == 1,
		.cpu = range_of(params, "cpu"),
		.memory = range_of(params, "memory"),
		.gpu = range_of(params, "gpu"),
		.lo_ratio = range_of(params, "lo_ratio"),
		.alpha = range_of(params, "alpha"),
		.deadline = range_of(params, "deadline"),
		.overhead_ppm = params_quantity(params, "overhead"),
		.offset_ppm = params_quantity(params, "offset"),
	};
	if (u.cpu.high == 0 && u.sections == 0)
		return error_set(err, STATUS_INPUT, "tasks need CPU segments where they have no kernels");
	if (!utilisations(&u, ppm, err) ||
		(params_choice(params, "periods") != 0 && !draw_periods(&u, period, err)) ||
		!build_tasks(set, "custom", index, u.tasks, err) ||
		!build_cores(set, platform, (uint32_t)params_integer(params, "cores"), ppm, err))
		return false;
	for (uint32_t i = 0; i < u.tasks; i++)
		if (!build_task(&u, set, i, ppm[i], period[i], err))
			return false;
	return build_gpus(set, platform, (uint32_t)params_integer(params, "gpus"), err);
}

const struct recipe recipe_custom = {
	.name = "custom",
	.summary = "from ranges, with any method for utilisations and periods",
	.version = 1,
	.options = options,
	.platform = own_platform,
	.generate = generate,
};
