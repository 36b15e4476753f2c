/* scenarios/workload/recipe_rtgpu.c - owns the recipe rtgpu-table1: the task sets of Zou et al., "RTGPU:
 * Real-time GPU scheduling of hard deadline parallel tasks with fine-grain utilization", TPDS 2023, Table 1
 * and section 6.1. docs/workload.md says which numbers the paper gives, and which options replace those that
 * it does not give. */
#include <stdio.h>

#include "scenarios/workload/build.h"
#include "scenarios/workload/recipes.h"

static const struct option options[] = {
	{
		.name = "utilisation",
		.kind = OPTION_RATIO,
		.min = 1000,
		.max = UTILISATION_MAX,
		.fallback = "100%",
		.help = "total, where 1 is one CPU, one copy engine and one SM",
	},
	{.name = "tasks", .kind = OPTION_INTEGER, .min = 1, .max = TASKS_MAX, .fallback = "5", .help = "N"},
	{
		.name = "subtasks",
		.kind = OPTION_INTEGER,
		.min = 1,
		.max = SEGMENTS_MAX / 2 - 1,
		.fallback = "5",
		.help = "M",
	},
	{
		.name = "count_as",
		.kind = OPTION_CHOICE,
		.choices = "cpu|pairs",
		.fallback = "cpu",
		.help = "M CPU segments and M-1 kernels between them, or M pairs of both and a last CPU "
			"segment",
	},
	{
		.name = "copies",
		.kind = OPTION_CHOICE,
		.choices = "two|one",
		.fallback = "two",
		.help = "around each kernel: to the GPU and back, or one that stands for both, in front",
	},
	{
		.name = "merged",
		.kind = OPTION_CHOICE,
		.choices = "range|sum",
		.fallback = "range",
		.help = "length of the one copy: from the range of a copy, or the sum of the two it stands "
			"for",
	},
	{
		.name = "cpu",
		.kind = OPTION_DURATION_RANGE,
		.min = 0,
		.max = LENGTH_MAX,
		.fallback = "1ms..20ms",
		.help = "length of a CPU segment",
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
		.help = "work of a kernel: its length on one SM alone",
	},
	{
		.name = "ratio",
		.kind = OPTION_CHOICE,
		.choices = "1:1|2:1|1:2|1:4|1:8",
		.fallback = "1:1",
		.help = "CPU to GPU length (Fig. 7): scales the ranges of the copies and kernels",
	},
	{
		.name = "ratio_scales",
		.kind = OPTION_CHOICE,
		.choices = "upper|both",
		.fallback = "upper",
		.help = "which ends of those ranges",
	},
	{
		.name = "copy_share",
		.kind = OPTION_RATIO,
		.min = 0,
		.max = PPM,
		.fallback = "0%",
		.help = "upper end of a copy's range as a share of a kernel's, in place of memory's; 0: as "
			"memory says, by default 25% as in the text",
	},
	{
		.name = "utilisations",
		.kind = OPTION_CHOICE,
		.choices = "normalised|uunifast|randfixedsum",
		.fallback = "normalised",
		.help = "of the tasks: uniform in (0,1) and normalised (the paper's), or uniform with that "
			"sum (randfixedsum: none above 1)",
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
		.help = "interleave ratio of a kernel for 2 virtual SMs per SM, drawn for each (Table 2)",
	},
	{
		.name = "alpha_growth",
		.kind = OPTION_CHOICE,
		.choices = "power|same",
		.fallback = "power",
		.help = "alpha for V virtual SMs per SM: alpha^(log2 V), or the same",
	},
	{
		.name = "overhead",
		.kind = OPTION_RATIO,
		.min = 0,
		.max = PPM,
		.fallback = "0%",
		.help = "critical-path overhead of a kernel (the lemma's GL) as a share of its work",
	},
	{
		.name = "sms",
		.kind = OPTION_INTEGER,
		.min = 1,
		.max = PLATFORM_MAX_SMS,
		.fallback = "10",
		.help = "GN: SMs of the platform",
	},
	{
		.name = "virtual_sms",
		.kind = OPTION_INTEGER,
		.min = 0,
		.max = 64,
		.fallback = "2",
		.help = "virtual SMs per SM of the platform; 0: left to the policy",
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
	p->virtual_sms_per_sm = (uint32_t)params_integer(params, "virtual_sms");
	snprintf(p->name, sizeof(p->name), "rtgpu-%u-sms", p->sms);
	return true;
}

/* Parameters of one set, looked up once. */
struct recipe_rtgpu_use {
	const struct params *params;
	const struct platform *platform;
	struct draws draws;
	uint32_t tasks, kernels; /* kernels of a task; one CPU segment more */
	bool two_copies, summed, same_alpha;
	struct build_range cpu, memory, gpu, lo_ratio, alpha;
	int64_t overhead_ppm;
};

/* Scales the ranges of copies and kernels to the ratio to CPU segments, and copies to their share, that were
 * asked for. */
static void scale_ranges(struct recipe_rtgpu_use *u)
{
	static const struct {
		int64_t times, over;
	} ratios[] = {{1, 1}, {1, 2}, {2, 1}, {4, 1}, {8, 1}};
	uint32_t i = params_choice(u->params, "ratio");
	int64_t times = ratios[i].times, over = ratios[i].over;
	int64_t share = params_quantity(u->params, "copy_share");
	bool both = params_choice(u->params, "ratio_scales") == 1;
	struct build_range *const ranges[] = {&u->gpu, &u->memory};
	for (size_t k = 0; k < 2; k++) {
		struct build_range *r = ranges[k];
		r->high = k == 1 && share > 0 ? scaled_down(u->gpu.high, share) : r->high * times / over;
		r->low = both ? r->low * times / over : r->low;
		r->low = r->low < r->high ? r->low : r->high;
	}
}

static bool utilisations(const struct recipe_rtgpu_use *u, int64_t *ppm, struct error *err)
{
	int64_t weights[TASKS_MAX], low[TASKS_MAX], high[TASKS_MAX];
	uint32_t method = params_choice(u->params, "utilisations");
	struct simplex s = {
		.n = u->tasks, .sum = params_quantity(u->params, "utilisation"), .low = low, .high = high};
	struct draws d = u->draws;
	if (s.sum < u->tasks)
		return error_set(err, STATUS_INPUT, "the utilisation is below 1 ppm for each task");
	for (uint32_t i = 0; i < u->tasks; i++) {
		weights[i] = draw_between(&d, DRAW_WEIGHT, i, 0, 1, INT64_C(1) << 52);
		low[i] = 1;
		high[i] = PPM;
	}
	if (method == 0) {
		simplex_normalise(weights, u->tasks, s.sum, 1, ppm);
		return true;
	}
	if (method == 2)
		return simplex_randfixedsum(&d, &s, GENERATOR_TRIES, ppm, err);
	s.sum -= u->tasks; /* with utilisation 0 a task would have no period */
	if (!simplex_uunifast(&d, &s, GENERATOR_TRIES, ppm, err))
		return false;
	for (uint32_t i = 0; i < u->tasks; i++)
		ppm[i]++;
	return true;
}

static int64_t best_case(
	const struct recipe_rtgpu_use *u, enum draw_what what, uint32_t task, uint32_t item, int64_t worst)
{
	return scaled_down(worst, draw_range(&u->draws, what, task, item, u->lo_ratio));
}

static int64_t add_cpu(const struct recipe_rtgpu_use *u, struct task *t, uint32_t task, uint32_t item)
{
	int64_t worst = draw_range(&u->draws, DRAW_CPU, task, item, u->cpu);
	build_segment(t, SEGMENT_CPU, best_case(u, DRAW_BEST_CPU, task, item, worst), worst);
	return worst;
}

/* item: 2j to the GPU, 2j + 1 back; both of the j-th kernel. */
static int64_t add_copy(const struct recipe_rtgpu_use *u, struct task *t, uint32_t task, uint32_t item,
	enum copy_direction direction)
{
	int64_t worst = draw_range(&u->draws, DRAW_COPY, task, item, u->memory);
	if (direction == COPY_BOTH && u->summed)
		worst += draw_range(&u->draws, DRAW_COPY, task, item + 1, u->memory);
	struct segment *s =
		build_segment(t, SEGMENT_COPY, best_case(u, DRAW_BEST_COPY, task, item, worst), worst);
	s->direction = direction;
	return worst;
}

static int64_t add_kernel(const struct recipe_rtgpu_use *u, struct taskset *set, struct task *t,
	uint32_t task, uint32_t item, struct error *err)
{
	int64_t worst = draw_range(&u->draws, DRAW_GPU, task, item, u->gpu);
	struct segment *s =
		build_segment(t, SEGMENT_KERNEL, best_case(u, DRAW_BEST_GPU, task, item, worst), worst);
	s->form = KERNEL_WORK;
	s->overhead_ns = scaled_down(worst, u->overhead_ppm);
	s->interleave = build_interleave(set, u->platform, u->tasks,
		draw_range(&u->draws, DRAW_ALPHA, task, item, u->alpha), u->same_alpha, &s->interleaves, err);
	return s->interleave ? worst : -1;
}

static bool add_segments(const struct recipe_rtgpu_use *u, struct taskset *set, uint32_t task,
	int64_t *length, struct error *err)
{
	struct task *t = &set->tasks[task];
	if (!build_segments(set, t, 4 * (size_t)u->kernels + 1, err))
		return false;
	*length = add_cpu(u, t, task, 0);
	for (uint32_t j = 0; j < u->kernels; j++) {
		*length += add_copy(u, t, task, 2 * j, u->two_copies ? COPY_TO_GPU : COPY_BOTH);
		int64_t work = add_kernel(u, set, t, task, j, err);
		if (work < 0)
			return false;
		*length += work;
		if (u->two_copies)
			*length += add_copy(u, t, task, 2 * j + 1, COPY_TO_CPU);
		*length += add_cpu(u, t, task, j + 1);
	}
	return true;
}

static bool generate(const struct params *params, const struct platform *platform, uint64_t seed,
	uint32_t index, struct taskset *set, struct error *err)
{
	int64_t ppm[TASKS_MAX];
	struct recipe_rtgpu_use u = {
		.params = params,
		.platform = platform,
		.draws = {.seed = seed, .set = index},
		.tasks = (uint32_t)params_integer(params, "tasks"),
		.kernels = (uint32_t)params_integer(params, "subtasks") -
			   (params_choice(params, "count_as") == 0),
		.two_copies = params_choice(params, "copies") == 0,
		.summed = params_choice(params, "merged") == 1,
		.same_alpha = params_choice(params, "alpha_growth") == 1,
		.cpu = range_of(params, "cpu"),
		.memory = range_of(params, "memory"),
		.gpu = range_of(params, "gpu"),
		.lo_ratio = range_of(params, "lo_ratio"),
		.alpha = range_of(params, "alpha"),
		.overhead_ppm = params_quantity(params, "overhead"),
	};
	scale_ranges(&u);
	if (!utilisations(&u, ppm, err) || !build_tasks(set, "rtgpu-table1", index, u.tasks, err))
		return false;
	for (uint32_t i = 0; i < u.tasks; i++) {
		int64_t length;
		if (!add_segments(&u, set, i, &length, err) ||
			!build_period(&set->tasks[i], length, ppm[i], err))
			return false;
	}
	return true;
}

const struct recipe recipe_rtgpu_table1 = {
	.name = "rtgpu-table1",
	.summary = "CPU segments, copies and divisible kernels in turn; RTGPU (TPDS 2023), Table 1 and "
		   "section 6.1",
	.version = 1,
	.options = options,
	.platform = own_platform,
	.generate = generate,
};
