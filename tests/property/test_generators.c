/* tests/property/test_generators.c - draws 2,000 sets of every recipe, with random options that can be met.
 * The platform must accept each set, and a set made again alone must be the same. */
#include <math.h>

#include "base/random.h"
#include "tests/support/generated.h"

#define SETS 2000u

/* Options with values to choose from; every combination must have sets. */
struct variation {
	const char *recipe;
	const char *const *choices[14]; /* lists that end with NULL */
};

#define CHOICES(...) ((const char *const[]){__VA_ARGS__, NULL})

static const struct variation variations[] = {
	{"rtgpu-table1",
		{
			CHOICES("utilisation=0.05", "utilisation=0.9", "utilisation=2.5"),
			CHOICES("tasks=3", "tasks=5", "tasks=12"),
			CHOICES("subtasks=1", "subtasks=3", "subtasks=7"),
			CHOICES("count_as=cpu", "count_as=pairs"),
			CHOICES("copies=two", "copies=one"),
			CHOICES("merged=range", "merged=sum"),
			CHOICES("ratio=1:1", "ratio=2:1", "ratio=1:2", "ratio=1:4", "ratio=1:8"),
			CHOICES("ratio_scales=upper", "ratio_scales=both"),
			CHOICES("utilisations=normalised", "utilisations=uunifast",
				"utilisations=randfixedsum"),
			CHOICES("lo_ratio=1", "lo_ratio=0..1", "lo_ratio=0"),
			CHOICES("alpha=1.22..1.8", "alpha=1"),
			CHOICES("overhead=0", "overhead=0.12", "overhead=1"),
			CHOICES("sms=1", "sms=3", "sms=10"),
			CHOICES("virtual_sms=0", "virtual_sms=1", "virtual_sms=2", "virtual_sms=3",
				"virtual_sms=4"),
		}},
	{"sbeet",
		{
			CHOICES("utilisation=0.4", "utilisation=0.9", "utilisation=1.5"),
			CHOICES("mode=uunifast", "mode=bimodal", "mode=periods"),
			CHOICES("tasks=2", "tasks=5", "tasks=8"),
			CHOICES("gpu=rtx-3070", "gpu=t400"),
			CHOICES("benchmarks=eight", "benchmarks=six"),
			CHOICES("offset=0", "offset=0.5", "offset=1"),
			CHOICES("heavy_ratio=0", "heavy_ratio=0.3", "heavy_ratio=1"),
			CHOICES("swap=true", "swap=false"),
			CHOICES("classes=paper", "classes=measured"),
			CHOICES("last=keep", "last=trim", "last=drop"),
			CHOICES("fit=true", "fit=false"),
		}},
	{"sbeet-mg",
		{
			CHOICES("utilisation=0.8", "utilisation=2", "utilisation=3"),
			CHOICES("tasks=10", "tasks=4", "tasks=20"),
			CHOICES("gpus=rtx-3070+t400", "gpus=rtx-3070+rtx-3070+t400"),
			CHOICES("sms=24", "sms=12", "sms=46"),
			CHOICES("power=linear", "power=measured"),
			CHOICES("deadline=50%", "deadline=1"),
			CHOICES("fit=true", "fit=false"),
			CHOICES("offset=0", "offset=0.5"),
		}},
	{"gcaps",
		{
			CHOICES("utilisation=0.4..0.6", "utilisation=0.01", "utilisation=1"),
			CHOICES("tasks=3,4,5,6", "tasks=1", "tasks=20"),
			CHOICES("gpu_tasks=0.4..0.6", "gpu_tasks=0", "gpu_tasks=1"),
			CHOICES("gpu_segments=1,2,3", "gpu_segments=9"),
			CHOICES("gpu_over_cpu=0.2..2", "gpu_over_cpu=0", "gpu_over_cpu=1000"),
			CHOICES("misc=0.1..0.3", "misc=0", "misc=1"),
			CHOICES("misc_as=copies", "misc_as=cpu"),
			CHOICES("granularity=1ms", "granularity=1ns"),
			CHOICES("lo_ratio=0.5..1", "lo_ratio=0"),
			CHOICES("sms=6", "sms=1", "sms=80"),
		}},
	{"custom",
		{
			CHOICES("utilisation=0.3", "utilisation=1", "utilisation=1.9"),
			CHOICES("method=uunifast", "method=discard", "method=randfixedsum", "method=bounded",
				"method=drs"),
			CHOICES("tasks=3", "tasks=5", "tasks=8"),
			CHOICES("periods=lengths", "periods=uniform", "periods=log-uniform", "periods=list",
				"periods=divisors", "periods=matrix"),
			CHOICES("deadline=1", "deadline=0.2..0.9"),
			CHOICES("offset=0", "offset=1"),
			CHOICES("sections=0", "sections=1", "sections=3"),
			CHOICES("copies=two", "copies=one", "copies=none"),
			CHOICES("memory=1ms..5ms", "memory=0s"),
			CHOICES("kernel=work", "kernel=grid"),
			CHOICES("block=64,128,1024", "block=1,33,1000"),
			CHOICES("lo_ratio=1", "lo_ratio=0..1"),
			CHOICES("overhead=0", "overhead=0.5"),
			CHOICES("sms=1", "sms=10"),
		}},
};

static void choose_options(const struct variation *v, uint32_t set, char *options, size_t size)
{
	size_t used = 0;
	options[0] = '\0';
	for (uint16_t i = 0; i < 14 && v->choices[i]; i++) {
		const struct random_key key = {.seed = 77, .set = set, .segment = i, .purpose = RANDOM_TEST};
		int64_t count = 0;
		while (v->choices[i][count])
			count++;
		used += (size_t)snprintf(options + used, size - used, "%s%s", used ? " " : "",
			v->choices[i][random_upto(&key, count - 1)]);
		assert_true(used < size);
	}
}

static uint64_t digest_of(
	const struct recipe *recipe, const struct params *params, uint32_t index, bool check)
{
	struct platform platform;
	struct taskset set;
	size_t defects = 0;
	generate(recipe, params, 5, index, &platform, &set);
	if (check) {
		assert_true(set.task_count > 0 && set.name[0] != '\0');
		taskset_check(&set, &platform, generated_defect, &defects);
		assert_int_equal(defects, 0);
		struct utilisation u = taskset_utilisation(&set, &platform);
		assert_true(isfinite(u.cpu) && isfinite(u.copy) && isfinite(u.gpu) &&
			    u.cpu + u.copy + u.gpu >= 0);
	}
	uint64_t digest = generated_digest(&set);
	taskset_finish(&set);
	return digest;
}

static void check_variation(const struct variation *v)
{
	const struct recipe *recipe = recipe_find(v->recipe);
	static uint64_t digests[SETS];
	char options[1024];
	assert_non_null(recipe);
	for (uint32_t i = 0; i < SETS; i++) {
		choose_options(v, i, options, sizeof(options));
		struct params params = generated_params(recipe, options);
		digests[i] = digest_of(recipe, &params, i, true);
	}
	for (uint32_t i = SETS; i-- > 0;) {
		choose_options(v, i, options, sizeof(options));
		struct params params = generated_params(recipe, options);
		assert_true(digest_of(recipe, &params, i, false) == digests[i]);
	}
	/* Also with the defaults, which are what a user tries first. */
	struct params params = generated_params(recipe, "");
	for (uint32_t i = 0; i < SETS; i++)
		digest_of(recipe, &params, i, true);
}

TEST("rtgpu table1")
{
	check_variation(&variations[0]);
}

TEST("sbeet")
{
	check_variation(&variations[1]);
}

TEST("sbeet-mg")
{
	check_variation(&variations[2]);
}

TEST("gcaps")
{
	check_variation(&variations[3]);
}

TEST("custom")
{
	check_variation(&variations[4]);
}

/* A new recipe needs a variation. */
TEST("no recipe is left out")
{
	size_t i = 0;
	/* Sets of warps are not drawn: test_recipe_warps.c has them. */
	for (const struct recipe *const *r = recipe_all(); *r; r++)
		if (!(*r)->warps)
			assert_string_equal((*r)->name, variations[i++].recipe);
	assert_int_equal(i, sizeof(variations) / sizeof(variations[0]));
}
