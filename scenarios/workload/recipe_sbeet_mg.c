/* scenarios/workload/recipe_sbeet_mg.c - owns the recipe sbeet-mg: task sets in the manner of Wang, Karimi,
 * Kim, "Towards energy-efficient real-time scheduling of heterogeneous multi-GPU systems", RTSS 2022, for
 * GPUs on which the kernels of scenarios/workload/profiles.h were measured. The sets of the paper are not
 * public; of them is known what its code says (GitHub rtenlab/sBEET-mg): eight benchmarks, a reference
 * utilisation for each task, deadlines of half a period, 24 or 12 SMs of an RTX 3070. docs/workload.md says
 * what is ours.
 *
 * The reference utilisation of a task is the mean over the GPUs of sBEET's on each: the mean over m = 1 .. M
 * of G(m) / T. */
#include <stdio.h>
#include <string.h>

#include "scenarios/workload/build.h"
#include "scenarios/workload/picks.h"
#include "scenarios/workload/profiles.h"
#include "scenarios/workload/recipes.h"

#define KERNELS 8 /* of each measured GPU, the same ones in the same order */

static const struct option options[] = {
	{
		.name = "utilisation",
		.kind = OPTION_RATIO,
		.min = 1000,
		.max = UTILISATION_MAX,
		.fallback = "80%",
		.help = "total of the tasks' reference utilisations, by UUniFast",
	},
	{
		.name = "tasks",
		.kind = OPTION_INTEGER,
		.min = 1,
		.max = TASKS_MAX,
		.fallback = "10",
		.help = "number of tasks",
	},
	{
		.name = "gpus",
		.kind = OPTION_CHOICE,
		.choices = "rtx-3070+t400|rtx-3070+rtx-3070+t400",
		.fallback = "rtx-3070+t400",
		.help = "the platform, if none is given: the authors' machine, or the one they simulate",
	},
	{
		.name = "sms",
		.kind = OPTION_CHOICE,
		.choices = "24|12|46",
		.fallback = "24",
		.help = "SMs of each RTX 3070 that are used: by the authors' runtime, their simulator, or "
			"all",
	},
	{
		.name = "power",
		.kind = OPTION_CHOICE,
		.choices = "linear|measured",
		.fallback = "linear",
		.help = "of a kernel on m SMs: by sBEET's model with one power per active SM, as the authors "
			"predict it; or as measured",
	},
	{
		.name = "deadline",
		.kind = OPTION_RATIO,
		.min = 1000,
		.max = PPM,
		.fallback = "50%",
		.help = "relative deadlines, as a share of the period",
	},
	{
		.name = "fit",
		.kind = OPTION_BOOL,
		.fallback = "true",
		.help = "draw again until each task meets its deadline alone on all SMs of some GPU",
	},
	{
		.name = "offset",
		.kind = OPTION_RATIO,
		.min = 0,
		.max = PPM,
		.fallback = "50%",
		.help = "offsets are uniform from 0 to this share of the period",
	},
	{0},
};

/* ---- the platform ---- */

/* As measured, with fewer SMs. */
#define TWO_GPUS                                                                                             \
	{                                                                                                    \
		{                                                                                            \
			.name = "t400", .gpu = 1, .sms = 6, MEASURED_T400                                    \
		}                                                                                            \
	}
#define THREE_GPUS(SMS)                                                                                      \
	{                                                                                                    \
		{.name = "rtx-3070", .gpu = 1, .sms = SMS, MEASURED_RTX_3070},                               \
		{                                                                                            \
			.name = "t400", .gpu = 2, .sms = 6, MEASURED_T400                                    \
		}                                                                                            \
	}

static const struct platform others[2][3][2] = {
	{TWO_GPUS, TWO_GPUS, TWO_GPUS},
	{THREE_GPUS(24), THREE_GPUS(12), THREE_GPUS(46)},
};

static bool own_platform(
	const struct params *params, struct arena *arena, struct platform *p, struct error *err)
{
	(void)arena;
	static const uint32_t sms[] = {24, 12, 46};
	uint32_t gpus = params_choice(params, "gpus"), which = params_choice(params, "sms");
	(void)err;
	*p = (struct platform){
		.sms = sms[which], MEASURED_RTX_3070, .gpu_count = 2 + gpus, .others = others[gpus][which]};
	snprintf(p->name, sizeof(p->name), "%s", gpus ? "rtx-3070+rtx-3070+t400" : "rtx-3070+t400");
	return true;
}

/* ---- sets ---- */

struct use {
	const struct params *params;
	const struct platform *platform;
	const struct measured_gpu *gpu[PLATFORM_MAX_GPUS];
	uint32_t gpus;
	struct draws draws;
	struct pick picks[TASKS_MAX];
	uint32_t count;
};

static int64_t deadline_of(const struct use *u, int64_t period)
{
	int64_t deadline = scaled_down(period, params_quantity(u->params, "deadline"));
	return deadline > 0 ? deadline : 1;
}

/* T = sum over GPUs and m of G(m) / M, over their number times the utilisation. */
static bool derive_period(const struct use *u, struct pick *pick, struct error *err)
{
	int128 sum = 0;
	for (uint32_t g = 0; g < u->gpus; g++) {
		uint32_t sms = platform_gpu(u->platform, g)->sms;
		int128 mine = 0;
		for (uint32_t m = 1; m <= sms; m++)
			mine += measured_section_ns(&u->gpu[g]->kernels[pick->kernel], m);
		sum += (mine + sms - 1) / sms;
	}
	return pick_period(pick, u->gpu[0]->kernels[pick->kernel].name, sum, u->gpus, err);
}

static bool settle(const void *self, struct pick *pick, bool *fits, struct error *err)
{
	const struct use *u = self;
	if (!derive_period(u, pick, err))
		return false;
	*fits = !params_bool(u->params, "fit");
	for (uint32_t g = 0; g < u->gpus && !*fits; g++)
		*fits = measured_section_ns(&u->gpu[g]->kernels[pick->kernel],
				platform_gpu(u->platform, g)->sms) <= deadline_of(u, pick->period_ns);
	return true;
}

static bool pick(struct use *u, struct error *err)
{
	const struct pick_rule rule = {
		.utilisation_ppm = params_quantity(u->params, "utilisation"),
		.kernels = KERNELS,
		.settle = settle,
		.self = u,
		.where = "any GPU",
	};
	return pick_by_uunifast(&rule, &u->draws, u->count, u->picks, err);
}

/* The profile of a kernel on a GPU, made once for all that are alike. */
static bool add_profile(const struct use *u, struct taskset *set, uint32_t kernel, uint32_t gpu,
	int32_t *index, struct error *err)
{
	const struct measured_gpu *of = u->gpu[gpu];
	const struct platform *p = platform_gpu(u->platform, gpu);
	char name[64];
	snprintf(name, sizeof(name), "%s-%s-%u", of->kernels[kernel].name, of->name, p->sms);
	for (uint32_t i = 0; i < set->profile_count; i++)
		if (strcmp(set->profiles[i].name, name) == 0) {
			*index = (int32_t)i;
			return true;
		}
	struct profile *made = &set->profiles[set->profile_count];
	*index = (int32_t)set->profile_count++;
	if (!measured_profile(of, kernel, &set->arena, made) ||
		!(made->name = arena_strdup(&set->arena, name)))
		return error_memory(err, "profiles");
	if (params_choice(u->params, "power") == 0)
		measured_linear_power(p, &of->kernels[kernel], made);
	return true;
}

static bool add_copy(const struct use *u, struct taskset *set, struct task *t, uint32_t kernel, bool back,
	struct error *err)
{
	struct segment *s = build_segment(t, SEGMENT_COPY, 0, 0);
	s->direction = back ? COPY_TO_CPU : COPY_TO_GPU;
	s->copy_time_count = u->gpus;
	s->copy_times = arena_new(&set->arena, struct copy_time, u->gpus);
	for (uint32_t g = 0; s->copy_times && g < u->gpus; g++) {
		const struct measured_kernel *k = &u->gpu[g]->kernels[kernel];
		int64_t ns = INT64_C(1000) * (back ? k->to_cpu_us : k->to_gpu_us);
		s->copy_times[g] = (struct copy_time){ns, ns};
	}
	if (!s->copy_times)
		return error_memory(err, "copies");
	s->best_ns = s->worst_ns = s->copy_times[0].worst_ns;
	return true;
}

static bool add_kernel(
	const struct use *u, struct taskset *set, struct task *t, uint32_t kernel, struct error *err)
{
	struct segment *s = build_segment(t, SEGMENT_KERNEL, 0, 0);
	s->form = KERNEL_PROFILE;
	s->profile_count = u->gpus;
	s->profiles = arena_new(&set->arena, int32_t, u->gpus);
	if (!s->profiles)
		return error_memory(err, "profiles");
	for (uint32_t g = 0; g < u->gpus; g++)
		if (!add_profile(u, set, kernel, g, &s->profiles[g], err))
			return false;
	s->profile = s->profiles[0];
	return true;
}

static bool build_set(const struct use *u, uint32_t index, struct taskset *set, struct error *err)
{
	int64_t offset_ppm = params_quantity(u->params, "offset");
	set->profiles = arena_new(&set->arena, struct profile, (size_t)KERNELS * u->gpus);
	if (!set->profiles)
		return error_memory(err, "profiles");
	if (!build_tasks(set, "sbeet-mg", index, u->count, err))
		return false;
	for (uint32_t i = 0; i < u->count; i++) {
		struct task *t = &set->tasks[i];
		if (!build_segments(set, t, 3, err))
			return false;
		t->period_ns = u->picks[i].period_ns;
		t->deadline_ns = deadline_of(u, t->period_ns);
		t->offset_ns =
			draw_between(&u->draws, DRAW_OFFSET, i, 0, 0, scaled_down(t->period_ns, offset_ppm));
		uint32_t kernel = u->picks[i].kernel;
		if (!add_copy(u, set, t, kernel, false, err) || !add_kernel(u, set, t, kernel, err) ||
			!add_copy(u, set, t, kernel, true, err))
			return false;
	}
	return true;
}

/* The GPU by its preset's name; that of GPU 0 is followed by those of the others. */
static const struct measured_gpu *measured_as(const struct platform *gpu)
{
	char name[sizeof(gpu->name)];
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(gpu->name, "+"), gpu->name);
	return measured_gpu_find(name);
}

static bool generate(const struct params *params, const struct platform *platform, uint64_t seed,
	uint32_t index, struct taskset *set, struct error *err)
{
	struct use u = {
		.params = params,
		.platform = platform,
		.gpus = platform_gpus(platform),
		.draws = {.seed = seed, .set = index},
		.count = (uint32_t)params_integer(params, "tasks"),
	};
	for (uint32_t g = 0; g < u.gpus; g++) {
		const struct platform *p = platform_gpu(platform, g);
		u.gpu[g] = measured_as(p);
		if (!u.gpu[g] || p->sms == 0 || p->sms > u.gpu[g]->platform.sms)
			return error_set(err, STATUS_INPUT,
				"the kernels were measured on presets rtx-3070 and t400, with at most 46 and "
				"6 SMs; GPU %u is '%s' with %u",
				g, p->name, p->sms);
	}
	return pick(&u, err) && build_set(&u, index, set, err);
}

const struct recipe recipe_sbeet_mg = {
	.name = "sbeet-mg",
	.summary = "measured kernels on several GPUs; after sBEET-mg (RTSS 2022)",
	.version = 1,
	.options = options,
	.platform = own_platform,
	.generate = generate,
};
