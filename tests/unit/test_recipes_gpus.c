/* tests/unit/test_recipes_gpus.c - the recipe sbeet-mg: that its sets are what docs/workload.md says. */
#include "models/kernel.h"
#include "tests/unit/recipe_sets.h"

/* Means over the SMs that are used, and over the GPUs. */
static double reference_utilisation(const struct task *t)
{
	double sum = 0;
	for (uint32_t g = 0; g < platform_gpus(&platform); g++) {
		const struct profile *p = &set.profiles[t->segments[1].profiles[g]];
		uint32_t sms = platform_gpu(&platform, g)->sms;
		double mean = 0;
		for (uint32_t m = 0; m < sms; m++)
			mean += (double)p->worst_ns[m] / sms;
		mean += (double)(t->segments[0].copy_times[g].worst_ns +
				 t->segments[2].copy_times[g].worst_ns);
		sum += mean / (double)t->period_ns;
	}
	return sum / platform_gpus(&platform);
}

static void check_several(const struct params *params, uint32_t index)
{
	double total = 0;
	(void)params;
	(void)index;
	assert_int_equal(set.task_count, 10);
	for (uint32_t i = 0; i < set.task_count; i++) {
		const struct task *t = &set.tasks[i];
		assert_int_equal(t->segment_count, 3);
		assert_int_equal(t->deadline_ns, t->period_ns / 2);
		assert_in_range(t->offset_ns, 0, t->period_ns / 2);
		assert_int_equal(t->segments[1].profile_count, platform_gpus(&platform));
		bool fits = false;
		for (uint32_t g = 0; g < platform_gpus(&platform); g++) {
			const struct profile *p = &set.profiles[t->segments[1].profiles[g]];
			int64_t all = p->worst_ns[platform_gpu(&platform, g)->sms - 1] +
				      t->segments[0].copy_times[g].worst_ns +
				      t->segments[2].copy_times[g].worst_ns;
			fits = fits || all <= t->deadline_ns;
		}
		assert_true(fits);
		total += reference_utilisation(t);
	}
	assert_near(total, 2, 1e-4);
}

/* Copies and kernels as lengths over the period, blocks one by one. */
static double load_of(const struct task *t)
{
	double sum = 0;
	for (uint32_t j = 0; j < t->segment_count; j++) {
		const struct segment *s = &t->segments[j];
		if (s->kind != SEGMENT_CPU)
			sum += (double)s->worst_ns * (s->kind == SEGMENT_KERNEL && s->grid ? s->grid : 1);
	}
	return sum / (double)t->period_ns;
}

/* Worst fit: before the last task came, the fullest GPU was the least full. */
static void check_worst_fit(const struct params *params, uint32_t index)
{
	double load[3] = {0}, least[3] = {0};
	(void)params;
	(void)index;
	assert_int_equal(platform_gpus(&platform), 3);
	for (uint32_t g = 0; g < 3; g++) {
		assert_int_equal(platform_gpu(&platform, g)->gpu, g);
		assert_int_equal(platform_gpu(&platform, g)->sms, 4);
		assert_int_equal(platform_gpu(&platform, g)->cores, 2);
	}
	for (uint32_t i = 0; i < set.task_count; i++) {
		const struct task *t = &set.tasks[i];
		uint32_t gpu = t->segments[1].gpu;
		double sum = load_of(t);
		assert_in_range(gpu, 0, 2);
		for (uint32_t j = 0; j < t->segment_count; j++)
			assert_int_equal(t->segments[j].gpu, t->segments[j].kind == SEGMENT_CPU ? 0 : gpu);
		least[gpu] = load[gpu] == 0 || sum < least[gpu] ? sum : least[gpu];
		load[gpu] += sum;
	}
	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 3; b++)
			assert_true(load[a] - least[a] <= load[b] + 1e-3);
}

TEST("custom for three GPUs, by worst fit decreasing")
{
	each_set("custom", "gpus=3 cores=2 sms=4 tasks=9 utilisation=300%", check_worst_fit);
	each_set("custom", "gpus=3 cores=2 sms=4 tasks=9 utilisation=300% kernel=grid", check_worst_fit);
}

TEST("a platform with fewer GPUs is refused")
{
	struct params params = generated_params(recipe("custom"), "gpus=2");
	struct platform one = platform_default();
	taskset_init(&set);
	one.sms = 4;
	assert_false(recipe("custom")->generate(&params, &one, 1, 0, &set, &failure));
	assert_string_equal(failure.text, "tasks for 2 GPUs, but the platform has 1");
	taskset_finish(&set);
}

TEST("sets for several GPUs")
{
	each_set("sbeet-mg", "utilisation=2", check_several);
	assert_int_equal(platform.sms, 24);
	assert_int_equal(platform.others[0].sms, 6);
	each_set("sbeet-mg", "utilisation=2 gpus=rtx-3070+rtx-3070+t400 sms=12", check_several);
	assert_int_equal(platform.gpu_count, 3);
	assert_int_equal(platform.others[0].sms, 12);
	assert_int_equal(platform.others[0].gpu, 1);
	assert_int_equal(platform.others[1].sms, 6);
	assert_int_equal(platform.others[1].gpu, 2);
}

/* GPUs that are alike share profiles; a copy has what was measured on its GPU. */
TEST("measured kernels on several GPUs")
{
	struct params params =
		generated_params(recipe("sbeet-mg"), "gpus=rtx-3070+rtx-3070+t400 tasks=40 power=linear");
	generate(recipe("sbeet-mg"), &params, 1, 0, &platform, &set);
	assert_int_equal(set.profile_count, 16);
	bool seen = false;
	for (uint32_t i = 0; i < set.task_count; i++) {
		const struct segment *s = set.tasks[i].segments;
		const struct profile *p = &set.profiles[s[1].profiles[0]],
				     *q = &set.profiles[s[1].profiles[2]];
		assert_int_equal(s[1].profiles[0], s[1].profiles[1]);
		if (strcmp(p->name, "mmul-rtx-3070-24") != 0)
			continue;
		seen = true;
		assert_string_equal(q->name, "mmul-t400-6");
		assert_int_equal(p->worst_ns[0], 342578000);
		assert_int_equal(q->worst_ns[5], 138810000);
		assert_int_equal(p->total_power_uw[23], 46000000 + 24 * 3770000);
		assert_int_equal(q->total_power_uw[1], 8000000 + 2 * 2060000 + 4 * 652000);
		assert_int_equal(s[0].copy_times[1].worst_ns, 2500000);
		assert_int_equal(s[0].copy_times[2].worst_ns, 13000000);
		assert_int_equal(s[2].copy_times[2].worst_ns, 1500000);
	}
	assert_true(seen);
	taskset_finish(&set);
	platform.sms = 47;
	taskset_init(&set);
	assert_false(recipe("sbeet-mg")->generate(&params, &platform, 1, 0, &set, &failure));
	taskset_finish(&set);
}
