/* scenarios/workload/recipe_sbeet.c - owns the recipe sbeet: the task sets of Wang, Karimi, Xiang, Kim,
 * "Balancing energy efficiency and real-time performance in GPU scheduling", RTSS 2021, section V.E, made
 * from the measured kernels of scenarios/workload/profiles.h. The utilisation of a task is sBEET's (section
 * II.B): the mean over m = 1 .. M of G(m) / T, with G(m) = copy to the GPU + kernel on m SMs + copy back.
 * docs/workload.md says what the paper leaves open. */
#include <assert.h>
#include <stdio.h>

#include "base/text.h"
#include "scenarios/workload/build.h"
#include "scenarios/workload/periods.h"
#include "scenarios/workload/picks.h"
#include "scenarios/workload/profiles.h"
#include "scenarios/workload/recipes.h"

#define KERNELS_MAX 8    /* of a GPU */
#define SIX_BENCHMARKS 6 /* the first six; others are smaller versions of these */

enum { MODE_UUNIFAST, MODE_BIMODAL, MODE_PERIODS, MODE_ALONE };
enum { LAST_KEEP, LAST_TRIM, LAST_DROP };

static const struct option options[] = {
	{
		.name = "utilisation",
		.kind = OPTION_RATIO,
		.min = 1000,
		.max = UTILISATION_MAX,
		.fallback = "70%",
		.help = "total of the tasks' mean utilisations (not with mode=periods, alone)",
	},
	{
		.name = "mode",
		.kind = OPTION_CHOICE,
		.choices = "uunifast|bimodal|periods|alone",
		.fallback = "uunifast",
		.help = "utilisations by UUniFast (Fig. 8); heavy and light tasks up to the total (Fig. 9); "
			"periods from a range (Fig. 10); one benchmark (Fig. 4, 5)",
	},
	{
		.name = "tasks",
		.kind = OPTION_INTEGER,
		.min = 1,
		.max = TASKS_MAX,
		.fallback = "5",
		.help = "number of tasks (not with mode=bimodal, alone)",
	},
	{
		.name = "gpu",
		.kind = OPTION_CHOICE,
		.choices = "rtx-3070|t400|synthetic-8sm",
		.fallback = "rtx-3070",
		.help = "where the kernels were measured; or a board of 8 SMs made up from measurements",
	},
	{
		.name = "engines",
		.kind = OPTION_CHOICE,
		.choices = "own|unlimited",
		.fallback = "own",
		.help = "copy engines: those of the GPU, or as many as there are copies, as sBEET assumes",
	},
	{
		.name = "power",
		.kind = OPTION_CHOICE,
		.choices = "measured|linear",
		.fallback = "measured",
		.help = "of a kernel on m SMs: as measured, or by sBEET's model with one power per active SM",
	},
	{
		.name = "kernel_times",
		.kind = OPTION_RATIO,
		.min = PPM / 100,
		.max = 1000 * PPM,
		.fallback = "100%",
		.help = "of the measured ones: a slower or faster GPU with the same copies",
	},
	{
		.name = "benchmarks",
		.kind = OPTION_CHOICE,
		.choices = "eight|six",
		.fallback = "eight",
		.help = "all kernels, or without mmul2 and hist2",
	},
	{
		.name = "fit",
		.kind = OPTION_BOOL,
		.fallback = "true",
		.help = "draw again until each task meets its deadline alone on all SMs, U_i(M) <= 1",
	},
	{
		.name = "offset",
		.kind = OPTION_RATIO,
		.min = 0,
		.max = PPM,
		.fallback = "50%",
		.help = "offsets are uniform from 0 to this share of the period",
	},
	{
		.name = "heavy_ratio",
		.kind = OPTION_RATIO,
		.min = 0,
		.max = PPM,
		.fallback = "50%",
		.help = "bimodal: how likely a task is heavy",
	},
	{
		.name = "light",
		.kind = OPTION_RATIO_RANGE,
		.min = 1,
		.max = PPM,
		.fallback = "20%..40%",
		.help = "bimodal: utilisation of a light task, as printed",
	},
	{
		.name = "heavy",
		.kind = OPTION_RATIO_RANGE,
		.min = 1,
		.max = PPM,
		.fallback = "5%..20%",
		.help = "bimodal: utilisation of a heavy task, as printed",
	},
	{
		.name = "swap",
		.kind = OPTION_BOOL,
		.fallback = "false",
		.help = "bimodal: exchange the two ranges",
	},
	{
		.name = "classes",
		.kind = OPTION_CHOICE,
		.choices = "paper|measured",
		.fallback = "paper",
		.help = "bimodal: heavy are mmul, stereodisparity and dxtc; or, as measured on these GPUs, "
			"hotspot too",
	},
	{
		.name = "last",
		.kind = OPTION_CHOICE,
		.choices = "keep|trim|drop",
		.fallback = "keep",
		.help = "bimodal: the task that passes the total is kept, cut to the total, or left out",
	},
	{
		.name = "period",
		.kind = OPTION_DURATION_RANGE,
		.min = 1,
		.max = LENGTH_MAX,
		.fallback = "100ms..500ms",
		.help = "mode=periods: uniform",
	},
	{
		.name = "granularity",
		.kind = OPTION_DURATION,
		.min = 1,
		.max = LENGTH_MAX,
		.fallback = "1ms",
		.help = "mode=periods: of the periods",
	},
	{
		.name = "benchmark",
		.kind = OPTION_CHOICE,
		.choices = "mmul|stereodisparity|hotspot|dxtc|bfs|hist|mmul2|hist2",
		.fallback = "mmul",
		.help = "mode=alone: which",
	},
	{
		.name = "window",
		.kind = OPTION_RATIO,
		.min = PPM,
		.max = 1000 * PPM,
		.fallback = "105%",
		.help = "mode=alone: period, as a share of the benchmark's time with its copies on one SM",
	},
	{0},
};

static const struct measured_gpu *gpu_of(const struct params *params)
{
	static const char *const names[] = {"rtx-3070", "t400", "synthetic-8sm"};
	const struct measured_gpu *gpu = measured_gpu_find(names[params_choice(params, "gpu")]);
	assert(gpu && gpu->kernel_count <= KERNELS_MAX);
	return gpu;
}

static bool own_platform(
	const struct params *params, struct arena *arena, struct platform *p, struct error *err)
{
	(void)arena;
	(void)err;
	*p = gpu_of(params)->platform;
	if (params_choice(params, "engines") == 1)
		p->engines = ENGINES_UNLIMITED;
	return true;
}

struct recipe_sbeet_use {
	const struct params *params;
	const struct measured_gpu *gpu;
	uint32_t sms, kernels;
	char where[24]; /* on how many SMs a task is to fit */
	bool fit, linear_power;
	int64_t offset_ppm; /* as part of the period, at most */
	int64_t kernel_ppm; /* of the measured time */
	struct draws draws;
	struct pick picks[TASKS_MAX];
	uint32_t count;
};

/* G(m). */
static int64_t section_ns(const struct recipe_sbeet_use *u, uint32_t kernel, uint32_t sms)
{
	const struct measured_kernel *k = &u->gpu->kernels[kernel];
	int64_t copies = measured_copies_ns(k);
	return copies + scaled_down(measured_section_ns(k, sms) - copies, u->kernel_ppm);
}

/* T = sum of G(m) over m / (M * utilisation). */
static bool derive_period(const struct recipe_sbeet_use *u, struct pick *pick, struct error *err)
{
	int128 sum = 0;
	for (uint32_t m = 1; m <= u->sms; m++)
		sum += section_ns(u, pick->kernel, m);
	return pick_period(pick, u->gpu->kernels[pick->kernel].name, sum, u->sms, err);
}

static bool fits(const struct recipe_sbeet_use *u, const struct pick *pick)
{
	return !u->fit || section_ns(u, pick->kernel, u->sms) <= pick->period_ns;
}

static bool settle(const void *self, struct pick *pick, bool *fit, struct error *err)
{
	if (!derive_period(self, pick, err))
		return false;
	*fit = fits(self, pick);
	return true;
}

static bool pick_uunifast(struct recipe_sbeet_use *u, struct error *err)
{
	const struct pick_rule rule = {
		.utilisation_ppm = params_quantity(u->params, "utilisation"),
		.kernels = u->kernels,
		.settle = settle,
		.self = u,
		.where = u->where,
	};
	return pick_by_uunifast(&rule, &u->draws, u->count, u->picks, err);
}

/* Kernels of one class, in the order of the table. */
static uint32_t members(const struct recipe_sbeet_use *u, bool heavy, uint32_t *kernels)
{
	bool hotspot_heavy = params_choice(u->params, "classes") == 1;
	uint32_t count = 0;
	for (uint32_t k = 0; k < u->kernels; k++)
		if ((u->gpu->kernels[k].heavy || (hotspot_heavy && k == MEASURED_HOTSPOT)) == heavy)
			kernels[count++] = k;
	return count;
}

static bool pick_one_of_two(struct recipe_sbeet_use *u, struct pick *pick, struct error *err)
{
	uint32_t kernels[KERNELS_MAX], task = u->count;
	struct draws d = u->draws;
	bool heavy =
		draw_between(&d, DRAW_CLASS, task, 0, 0, PPM - 1) < params_quantity(u->params, "heavy_ratio");
	const char *range = heavy != params_bool(u->params, "swap") ? "heavy" : "light";
	uint32_t count = members(u, heavy, kernels);
	for (; d.attempt < GENERATOR_TRIES; d.attempt++) {
		pick->kernel = kernels[draw_between(&d, DRAW_BENCHMARK, task, 0, 0, (int64_t)count - 1)];
		pick->utilisation_ppm = draw_range(&d, DRAW_UTILISATION, task, 0, range_of(u->params, range));
		bool fit;
		if (!settle(u, pick, &fit, err))
			return false;
		if (fit)
			return true;
	}
	return pick_none(u->where, err);
}

static bool pick_bimodal(struct recipe_sbeet_use *u, struct error *err)
{
	int64_t target = params_quantity(u->params, "utilisation"), total = 0;
	uint32_t last = params_choice(u->params, "last");
	for (u->count = 0; total <= target; u->count++) {
		if (u->count == TASKS_MAX)
			return error_set(err, STATUS_INPUT,
				"more than %d tasks are needed for this utilisation", TASKS_MAX);
		struct pick *pick = &u->picks[u->count];
		if (!pick_one_of_two(u, pick, err))
			return false;
		total += pick->utilisation_ppm;
	}
	struct pick *passing = &u->picks[u->count - 1];
	int64_t rest = passing->utilisation_ppm - (total - target);
	if (last == LAST_TRIM && rest > 0) {
		passing->utilisation_ppm = rest;
		return derive_period(u, passing, err);
	}
	if (last != LAST_KEEP)
		u->count--;
	return u->count > 0 || error_set(err, STATUS_INPUT, "a single task passes this utilisation");
}

static bool pick_periods(struct recipe_sbeet_use *u, struct error *err)
{
	struct period_rule rule = {
		.method = PERIODS_UNIFORM, .granularity_ns = params_quantity(u->params, "granularity")};
	params_range(u->params, "period", &rule.min_ns, &rule.max_ns);
	struct draws d = u->draws;
	for (; d.attempt < GENERATOR_TRIES; d.attempt++) {
		int64_t period[TASKS_MAX];
		bool fit = true;
		if (!periods_draw(&rule, &d, u->count, 1, period, err))
			return false;
		for (uint32_t i = 0; fit && i < u->count; i++) {
			struct pick *pick = &u->picks[i];
			pick->kernel = (uint32_t)draw_between(&d, DRAW_BENCHMARK, i, 0, 0, u->kernels - 1);
			pick->period_ns = period[i];
			fit = fits(u, pick);
		}
		if (fit)
			return true;
	}
	return pick_none(u->where, err);
}

/* A single task whose period is the window of Fig. 5. */
static bool pick_alone(struct recipe_sbeet_use *u, struct error *err)
{
	uint32_t kernel = params_choice(u->params, "benchmark");
	(void)err;
	u->kernels = u->gpu->kernel_count;
	u->count = 1;
	u->offset_ppm = 0;
	u->picks[0] = (struct pick){
		.kernel = kernel,
		.period_ns = scaled_down(section_ns(u, kernel, 1), params_quantity(u->params, "window")),
	};
	return true;
}

/* Profiles of the kernels that occur, in the order of the table; slot[kernel] is their index. */
static bool add_profiles(
	const struct recipe_sbeet_use *u, struct taskset *set, int32_t *slot, struct error *err)
{
	bool used[KERNELS_MAX] = {false};
	for (uint32_t i = 0; i < u->count; i++)
		used[u->picks[i].kernel] = true;
	set->profiles = arena_new(&set->arena, struct profile, KERNELS_MAX);
	if (!set->profiles)
		return error_memory(err, "profiles");
	for (uint32_t k = 0; k < u->kernels; k++) {
		struct profile *profile = &set->profiles[set->profile_count];
		if (!used[k])
			continue;
		slot[k] = (int32_t)set->profile_count++;
		if (!measured_profile(u->gpu, k, &set->arena, profile))
			return error_memory(err, "profiles");
		if (u->linear_power)
			measured_linear_power(&u->gpu->platform, &u->gpu->kernels[k], profile);
		for (uint32_t m = 0; m < profile->count; m++) {
			profile->best_ns[m] = scaled_down(profile->best_ns[m], u->kernel_ppm);
			profile->worst_ns[m] = scaled_down(profile->worst_ns[m], u->kernel_ppm);
		}
	}
	return true;
}

static bool build_set(
	const struct recipe_sbeet_use *u, uint32_t index, struct taskset *set, struct error *err)
{
	int32_t slot[KERNELS_MAX];
	if (!build_tasks(set, "sbeet", index, u->count, err) || !add_profiles(u, set, slot, err))
		return false;
	for (uint32_t i = 0; i < u->count; i++) {
		const struct measured_kernel *k = &u->gpu->kernels[u->picks[i].kernel];
		struct task *t = &set->tasks[i];
		int64_t to_gpu = INT64_C(1000) * k->to_gpu_us, to_cpu = INT64_C(1000) * k->to_cpu_us;
		if (!build_segments(set, t, 3, err))
			return false;
		t->period_ns = t->deadline_ns = u->picks[i].period_ns;
		t->offset_ns = draw_between(
			&u->draws, DRAW_OFFSET, i, 0, 0, scaled_down(t->period_ns, u->offset_ppm));
		build_segment(t, SEGMENT_COPY, to_gpu, to_gpu);
		struct segment *s = build_segment(t, SEGMENT_KERNEL, 0, 0);
		s->form = KERNEL_PROFILE;
		s->profile = slot[u->picks[i].kernel];
		build_segment(t, SEGMENT_COPY, to_cpu, to_cpu)->direction = COPY_TO_CPU;
	}
	return true;
}

static bool generate(const struct params *params, const struct platform *platform, uint64_t seed,
	uint32_t index, struct taskset *set, struct error *err)
{
	static bool (*const modes[])(struct recipe_sbeet_use * u, struct error * err) = {
		[MODE_UUNIFAST] = pick_uunifast,
		[MODE_BIMODAL] = pick_bimodal,
		[MODE_PERIODS] = pick_periods,
		[MODE_ALONE] = pick_alone,
	};
	struct recipe_sbeet_use u = {
		.params = params,
		.gpu = gpu_of(params),
		.sms = platform->sms,
		.fit = params_bool(params, "fit"),
		.linear_power = params_choice(params, "power") == 1,
		.offset_ppm = params_quantity(params, "offset"),
		.kernel_ppm = params_quantity(params, "kernel_times"),
		.draws = {.seed = seed, .set = index},
		.count = (uint32_t)params_integer(params, "tasks"),
	};
	u.kernels = params_choice(params, "benchmarks") == 0 ? u.gpu->kernel_count : SIX_BENCHMARKS;
	if (u.sms == 0 || u.sms > u.gpu->platform.sms)
		return error_set(err, STATUS_INPUT,
			"the kernels were measured on 1 to %u SMs of %s; the platform has %u",
			u.gpu->platform.sms, u.gpu->name, u.sms);
	snprintf(u.where, sizeof(u.where), "%u SM%s", u.sms, plural(u.sms));
	return modes[params_choice(params, "mode")](&u, err) && build_set(&u, index, set, err);
}

const struct recipe recipe_sbeet = {
	.name = "sbeet",
	.summary = "measured kernels with their copies; sBEET (RTSS 2021), section V.E",
	.version = 2,
	.options = options,
	.platform = own_platform,
	.generate = generate,
};
