/* scenarios/workload/recipe_warps.c - owns the recipes qaws-pairs and qos-mixes: kernels of the library
 * (models/warps/library.h) that share the SMs, as in the evaluations of Singh et al., "Reconciling QoS and
 * concurrency in NVIDIA GPUs via warp-level scheduling", DATE 2022, section V, and of Wang et al., "Quality
 * of service support for fine-grained sharing on GPUs", ISCA 2017, section 4.1. Nothing is drawn: the index
 * of a set modulo their number says which kernels it has. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "models/warps/library.h"
#include "models/warps/warp_set.h"
#include "scenarios/workload/build.h"
#include "scenarios/workload/recipes.h"

#define SHARERS_MAX 3u
#define NAME_MAX_BYTES 96
#define SMS_MAX 512
#define CYCLES_MAX 1000000000

/* What is launched together. */
struct mix {
	const char *name[SHARERS_MAX]; /* in the library, without its prefix; NULL: not that many */
	uint32_t count;
};

#define OPTION_SMS                                                                                           \
	{                                                                                                    \
		.name = "sms", .kind = OPTION_INTEGER, .min = 1, .max = SMS_MAX, .fallback = "4",            \
		.help = "SMs; kernels have blocks, and the memory has bandwidth, in proportion"              \
	}

/* ---- for both recipes ---- */

/* An SM as in Table 1 of QoS. QAWS' TITAN V has the same SMs, except for how their memory is split. */
static struct platform machine_platform(const char *name, uint32_t sms, int64_t static_uw_per_sm)
{
	struct platform p = platform_default();
	snprintf(p.name, sizeof(p.name), "%s-%usm", name, sms);
	p.sms = sms;
	p.threads_per_sm = 2048;
	p.blocks_per_sm = 32;
	p.warps_per_sm = 64;
	p.registers_per_sm = 65536;
	p.shared_memory_per_sm = INT64_C(96) * 1024;
	p.static_uw = static_uw_per_sm * sms;
	return p;
}

/* Room for the kernels of a mix, and the set's name: "a+b" and the suffix. */
static bool begin_set(struct taskset *set, const struct mix *mix, const char *suffix, struct error *err)
{
	char name[NAME_MAX_BYTES] = "";
	for (uint32_t i = 0; i < mix->count; i++)
		snprintf(
			name + strlen(name), sizeof(name) - strlen(name), "%s%s", i ? "+" : "", mix->name[i]);
	snprintf(name + strlen(name), sizeof(name) - strlen(name), "%s", suffix);
	set->name = arena_strdup(&set->arena, name);
	set->tasks = arena_new(&set->arena, struct task, mix->count);
	set->warps = arena_new(&set->arena, struct warp_set, 1);
	if (!set->name || !set->tasks || !set->warps)
		return error_memory(err, "kernels of warps");
	set->task_count = mix->count;
	set->warps->machine = warp_machine_default();
	set->warps->kernels = arena_new(&set->arena, struct warp_kernel, mix->count);
	set->warps->kernel_count = mix->count;
	return set->warps->kernels || error_memory(err, "kernels of warps");
}

/* Kernel i of the set: the library's, with scale_ppm millionths of its blocks, rounded up. */
static bool add_kernel(struct taskset *set, uint32_t i, const char *prefix, const char *benchmark,
	const char *task, int64_t scale_ppm, struct error *err)
{
	char name[NAME_MAX_BYTES];
	struct warp_kernel *k = &set->warps->kernels[i];
	snprintf(name, sizeof(name), "%s%s", prefix, benchmark);
	const struct warp_library_kernel *entry = warp_library_find(name);
	assert(entry);
	set->tasks[i].name = arena_strdup(&set->arena, task);
	if (!set->tasks[i].name || !warp_library_copy(entry, &set->arena, k))
		return error_memory(err, "kernels of warps");
	int64_t blocks = (k->blocks * scale_ppm + PPM - 1) / PPM;
	if (blocks > UINT32_MAX)
		return error_set(err, STATUS_INPUT, "%s has more than 2^32 blocks", name);
	k->blocks = (uint32_t)blocks;
	return true;
}

static bool end_set(struct taskset *set, struct error *err)
{
	return warp_set_tasks(set) || error_memory(err, "kernels of warps");
}

/* ---- qaws-pairs ---- */

enum { MIX_HOMOGENEOUS, MIX_HETEROGENEOUS, MIX_ALONE };
enum { WORK_STATIC, WORK_POOL };

/* Homogeneous pairs, in the order of Table Ib. */
static const char *const qaws_kernels[] = {"pc", "pf", "2dc", "dxtc", "bin", "vec", "mm", "his", "atax"};
#define QAWS_KERNELS ((uint32_t)(sizeof(qaws_kernels) / sizeof(*qaws_kernels)))

/* The text of the paper does not name its five pairs. These have similar times alone: two pairs of
 * compute-bound kernels, two mixed ones, one of memory-bound kernels. */
static const struct mix qaws_heterogeneous[] = {
	{{"pf", "dxtc"}, 2},
	{{"bin", "2dc"}, 2},
	{{"2dc", "mm"}, 2},
	{{"vec", "pf"}, 2},
	{{"mm", "vec"}, 2},
};
#define QAWS_HETEROGENEOUS ((uint32_t)(sizeof(qaws_heterogeneous) / sizeof(*qaws_heterogeneous)))

/* The TITAN V has 652.8 GB/s for 80 SMs; a cycle is 1 ns here. */
#define QAWS_BANDWIDTH_PER_SM INT64_C(8160)
#define QAWS_STATIC_UW_PER_SM INT64_C(600000)

static const struct option qaws_options[] = {
	{
		.name = "mix",
		.kind = OPTION_CHOICE,
		.choices = "homogeneous|heterogeneous|alone",
		.fallback = "homogeneous",
		.help = "two of the same kernel (Fig. 4a: 9 sets), of different ones (Fig. 4b: 5), or one "
			"(9)",
	},
	OPTION_SMS,
	{
		.name = "delay",
		.kind = OPTION_INTEGER,
		.min = 0,
		.max = CYCLES_MAX,
		.fallback = "8",
		.help = "cycles after K1 in which K2 is launched",
	},
	{
		.name = "work",
		.kind = OPTION_CHOICE,
		.choices = "static|pool",
		.fallback = "static",
		.help = "rounds of a kernel's loop: each warp has its own, or warps (blocks, where it has a "
			"barrier) take them from a pool of the launch",
	},
	{0},
};

/* The rounds of the kernel's first loop are those of the launch. */
static void share_rounds(struct warp_kernel *k)
{
	struct warp_step *loop = k->steps;
	while (loop->kind != STEP_LOOP)
		loop++;
	loop->rounds = ROUNDS_WARPS;
	for (uint32_t i = 1; i <= loop->body; i++)
		if (loop[i].kind == STEP_BARRIER)
			loop->rounds = ROUNDS_BLOCKS;
}

static bool qaws_platform(
	const struct params *params, struct arena *arena, struct platform *platform, struct error *err)
{
	(void)arena;
	(void)err;
	*platform = machine_platform("qaws", (uint32_t)params_integer(params, "sms"), QAWS_STATIC_UW_PER_SM);
	return true;
}

static bool qaws_generate(const struct params *params, const struct platform *platform, uint64_t seed,
	uint32_t index, struct taskset *set, struct error *err)
{
	const char *benchmark = qaws_kernels[index % QAWS_KERNELS];
	const struct mix mixes[] = {
		[MIX_HOMOGENEOUS] = {{benchmark, benchmark}, 2},
		[MIX_HETEROGENEOUS] = qaws_heterogeneous[index % QAWS_HETEROGENEOUS],
		[MIX_ALONE] = {{benchmark}, 1},
	};
	const struct mix mix = mixes[params_choice(params, "mix")];
	(void)seed;
	if (!begin_set(set, &mix, "", err))
		return false;
	set->warps->machine.bandwidth = QAWS_BANDWIDTH_PER_SM * platform->sms;
	for (uint32_t i = 0; i < mix.count; i++) {
		char task[NAME_MAX_BYTES];
		snprintf(task, sizeof(task), "K%u-%s", i + 1, mix.name[i]);
		if (!add_kernel(
			    set, i, "qaws-", mix.name[i], task, PPM * platform->sms / WARP_LIBRARY_SMS, err))
			return false;
		if (params_choice(params, "work") == WORK_POOL)
			share_rounds(&set->warps->kernels[i]);
	}
	set->warps->kernels[mix.count - 1].launch = mix.count > 1 ? params_integer(params, "delay") : 0;
	return end_set(set, err);
}

const struct recipe recipe_qaws_pairs = {
	.name = "qaws-pairs",
	.summary = "pairs of synthetic kernels of warps; QAWS (DATE 2022), section V",
	.version = 1,
	.options = qaws_options,
	.warps = true,
	.platform = qaws_platform,
	.generate = qaws_generate,
};

/* ---- qos-mixes ---- */

static const char *const qos_kernels[] = {
	"cutcp", "histo", "lbm", "mri-gridding", "mri-q", "sad", "sgemm", "spmv", "stencil", "tpacf"};
#define QOS_KERNELS ((uint32_t)(sizeof(qos_kernels) / sizeof(*qos_kernels)))
#define QOS_PAIRS (QOS_KERNELS * (QOS_KERNELS - 1))
#define QOS_TRIOS 60u
#define QOS_STATIC_UW_PER_SM INT64_C(2500000)

enum { SHARERS_PAIRS, SHARERS_TRIOS, SHARERS_ALONE };

static const char *const qos_prefixes[] = {"qos-", "qos1-"};

static const struct option qos_options[] = {
	{
		.name = "library",
		.kind = OPTION_CHOICE,
		.choices = "qos|qos1",
		.fallback = "qos",
		.help = "which kernels of the library: qos-*, or the first ones, qos1-*",
	},
	{
		.name = "sharers",
		.kind = OPTION_CHOICE,
		.choices = "pairs|trios|alone",
		.fallback = "pairs",
		.help = "kernels of a set: 90 pairs, 60 trios, or each of the 10 alone and without a goal",
	},
	{
		.name = "goals",
		.kind = OPTION_INTEGER,
		.min = 1,
		.max = 2,
		.fallback = "1",
		.help = "how many of them have a goal: the first of the set's name",
	},
	{
		.name = "goal",
		.kind = OPTION_RATIO,
		.min = 1,
		.max = PPM,
		.fallback = "80%",
		.help = "each goal, as a share of the kernel's IPC alone",
	},
	OPTION_SMS,
	{
		.name = "sub_cores",
		.kind = OPTION_INTEGER,
		.min = 1,
		.max = WARP_SUB_CORES_MAX,
		.fallback = "4",
		.help = "warp schedulers of an SM",
	},
	{
		.name = "bandwidth",
		.kind = OPTION_INTEGER,
		.min = 1,
		.max = 1000000,
		.fallback = "11513",
		.help = "bytes per 1000 cycles of the memory, for each SM; 7 GHz x 256 bit / 1216 MHz / 16 "
			"SMs",
	},
	{
		.name = "length",
		.kind = OPTION_RATIO,
		.min = PPM / 100,
		.max = 1000 * PPM,
		.fallback = "100%",
		.help = "of launches: blocks, as a share of the library's",
	},
	{0},
};

static bool qos_platform(
	const struct params *params, struct arena *arena, struct platform *platform, struct error *err)
{
	(void)arena;
	(void)err;
	*platform = machine_platform("qos", (uint32_t)params_integer(params, "sms"), QOS_STATIC_UW_PER_SM);
	return true;
}

/* Pair i: the kernel with a goal is number i / 9; the other kernels take turns. */
static struct mix qos_pair(uint32_t index)
{
	uint32_t first = index % QOS_PAIRS / (QOS_KERNELS - 1),
		 second = index % QOS_PAIRS % (QOS_KERNELS - 1);
	return (struct mix){{qos_kernels[first], qos_kernels[second + (second >= first)]}, 2};
}

/* Of the 120 ways to choose three kernels, in lexicographic order, every second one, from the first on. Which
 * of the three comes first goes around from one trio to the next. */
static struct mix qos_trio(uint32_t index)
{
	uint32_t number = index % QOS_TRIOS, chosen[] = {0, 1, 2};
	struct mix mix = {.count = 3};
	for (uint32_t left = 2 * number; left > 0; left--) {
		if (++chosen[2] < QOS_KERNELS)
			continue;
		if (++chosen[1] == QOS_KERNELS - 1)
			chosen[1] = ++chosen[0] + 1;
		chosen[2] = chosen[1] + 1;
	}
	for (uint32_t i = 0; i < 3; i++)
		mix.name[i] = qos_kernels[chosen[(i + number) % 3]];
	return mix;
}

static bool qos_generate(const struct params *params, const struct platform *platform, uint64_t seed,
	uint32_t index, struct taskset *set, struct error *err)
{
	const struct mix mixes[] = {
		[SHARERS_PAIRS] = qos_pair(index),
		[SHARERS_TRIOS] = qos_trio(index),
		[SHARERS_ALONE] = {{qos_kernels[index % QOS_KERNELS]}, 1},
	};
	uint32_t sharers = params_choice(params, "sharers");
	const char *prefix = qos_prefixes[params_choice(params, "library")];
	const struct mix mix = mixes[sharers];
	int64_t goals = sharers == SHARERS_ALONE ? 0 : params_integer(params, "goals");
	int64_t goal_ppm = params_quantity(params, "goal");
	int64_t scale_ppm = params_quantity(params, "length") * platform->sms / WARP_LIBRARY_SMS;
	char suffix[64] = "";
	(void)seed;
	if (goals > 0)
		snprintf(suffix, sizeof(suffix), " %" PRId64 "x%.6g%%", goals, (double)goal_ppm * 1e-4);
	if (!begin_set(set, &mix, suffix, err))
		return false;
	set->warps->machine.sub_cores = (uint32_t)params_integer(params, "sub_cores");
	set->warps->machine.bandwidth = params_integer(params, "bandwidth") * platform->sms;
	for (uint32_t i = 0; i < mix.count; i++) {
		struct warp_kernel *k = &set->warps->kernels[i];
		if (!add_kernel(set, i, prefix, mix.name[i], mix.name[i], scale_ppm, err))
			return false;
		k->repeat = true;
		if (i < goals)
			k->goal = (struct warp_goal){.kind = GOAL_SHARE, .share_ppm = goal_ppm};
	}
	return end_set(set, err);
}

const struct recipe recipe_qos_mixes = {
	.name = "qos-mixes",
	.summary = "pairs and trios of synthetic kernels of warps, some with goals; QoS (ISCA 2017), section "
		   "4.1",
	.version = 2,
	.options = qos_options,
	.warps = true,
	.platform = qos_platform,
	.generate = qos_generate,
};
