/* tests/unit/test_recipes_papers.c - the recipes rtgpu-table1, sbeet and gcaps: that their sets are what the
 * papers and docs/workload.md say. */
#include "analysis/ratio.h"
#include "analysis/stgm.h"
#include "models/kernel.h"
#include "tests/unit/recipe_sets.h"

/* ---- rtgpu-table1 ---- */

/* The chain of section 4: CL ML G ML CL ... CL, with Table 1's lengths. */
static void check_table1(const struct params *params, uint32_t index)
{
	(void)params;
	(void)index;
	assert_int_equal(set.task_count, 5);
	for (uint32_t i = 0; i < 5; i++) {
		const struct task *t = &set.tasks[i];
		assert_int_equal(t->segment_count, 5 + 4 + 8);
		assert_int_equal(t->deadline_ns, t->period_ns);
		assert_int_equal(t->offset_ns, 0);
		for (uint32_t j = 0; j < t->segment_count; j++) {
			const struct segment *s = &t->segments[j];
			static const enum segment_kind chain[] = {
				SEGMENT_CPU, SEGMENT_COPY, SEGMENT_KERNEL, SEGMENT_COPY};
			assert_int_equal(s->kind, chain[j % 4]);
			assert_in_range(s->worst_ns, MS, s->kind == SEGMENT_COPY ? 5 * MS : 20 * MS);
			assert_int_equal(s->best_ns, s->worst_ns);
			if (s->kind == SEGMENT_COPY)
				assert_int_equal(s->direction, j % 4 == 1 ? COPY_TO_GPU : COPY_TO_CPU);
			if (s->kind == SEGMENT_KERNEL) {
				assert_int_equal(s->form, KERNEL_WORK);
				assert_int_equal(s->interleaves, 1);
				assert_int_equal(s->interleave[0].virtual_sms, 2);
				assert_in_range(s->interleave[0].numerator, 1220000, 1800000);
				assert_int_equal(s->interleave[0].denominator, PPM);
			}
		}
	}
	assert_near(total_utilisation(), 1, 1e-6);
	assert_int_equal(platform.sms, 10);
	assert_int_equal(platform.threads_per_sm, 2048);
	assert_int_equal(platform.virtual_sms_per_sm, 2);
	assert_int_equal(platform.engines, 1);
}

TEST("table1 is the papers")
{
	each_set("rtgpu-table1", "", check_table1);
}

/* Largest lengths over all sets; the upper bounds are 1/4 of each other. */
static int64_t longest[3], shortest[3];

static void measure(const struct params *params, uint32_t index)
{
	(void)params;
	if (index == 0)
		for (int k = 0; k < 3; k++) {
			longest[k] = 0;
			shortest[k] = INT64_MAX;
		}
	for (uint32_t i = 0; i < set.task_count; i++)
		for (uint32_t j = 0; j < set.tasks[i].segment_count; j++) {
			const struct segment *s = &set.tasks[i].segments[j];
			longest[s->kind] = s->worst_ns > longest[s->kind] ? s->worst_ns : longest[s->kind];
			shortest[s->kind] = s->worst_ns < shortest[s->kind] ? s->worst_ns : shortest[s->kind];
		}
	assert_near(total_utilisation(), 1, 1e-6);
}

TEST("ratios scale copies and kernels")
{
	static const struct {
		const char *options;
		double copy_low, copy_high, gpu_low, gpu_high;
	} cases[] = {
		{"ratio=2:1", 1, 2.5, 1, 10},
		{"ratio=1:2", 1, 10, 1, 40},
		{"ratio=1:8", 1, 40, 1, 160},
		{"ratio=2:1 ratio_scales=both", 0.5, 2.5, 0.5, 10},
		{"ratio=1:8 ratio_scales=both", 8, 40, 8, 160},
		{"ratio=1:8 copy_share=5%", 1, 8, 1, 160},
		{"ratio=1:8 copy_share=10% ratio_scales=both", 8, 16, 8, 160},
		{"ratio=1:8 copy_share=25%", 1, 40, 1, 160},
		{"copy_share=5%", 1, 1, 1, 20},
		{"copy_share=1% memory=2ms..3ms", 0.2, 0.2, 1, 20},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		each_set("rtgpu-table1", cases[i].options, measure);
		assert_in_range(longest[SEGMENT_CPU], 19.9 * MS, 20 * MS);
		assert_in_range(
			longest[SEGMENT_COPY], 0.99 * cases[i].copy_high * MS, cases[i].copy_high * MS);
		assert_in_range(
			longest[SEGMENT_KERNEL], 0.99 * cases[i].gpu_high * MS, cases[i].gpu_high * MS);
		assert_in_range(
			shortest[SEGMENT_COPY], cases[i].copy_low * MS, 1.01 * cases[i].copy_low * MS);
		assert_in_range(
			shortest[SEGMENT_KERNEL], cases[i].gpu_low * MS, 1.05 * cases[i].gpu_low * MS);
	}
}

/* One copy for each kernel; its length is the sum of the two copies of the other model. */
TEST("one copy stands for two")
{
	struct params two = generated_params(recipe("rtgpu-table1"), "tasks=3 subtasks=4");
	struct params one = generated_params(recipe("rtgpu-table1"), "tasks=3 subtasks=4 copies=one "
								     "merged=sum");
	struct taskset other;
	generate(recipe("rtgpu-table1"), &two, 1, 0, &platform, &set);
	generate(recipe("rtgpu-table1"), &one, 1, 0, &platform, &other);
	for (uint32_t i = 0; i < 3; i++) {
		const struct segment *a = set.tasks[i].segments, *b = other.tasks[i].segments;
		assert_int_equal(set.tasks[i].segment_count, 4 + 3 + 6);
		assert_int_equal(other.tasks[i].segment_count, 4 + 3 + 3);
		for (uint32_t j = 0; j < 3; j++, a += 4, b += 3) {
			assert_int_equal(b[0].worst_ns, a[0].worst_ns);
			assert_int_equal(b[1].direction, COPY_BOTH);
			assert_int_equal(b[1].worst_ns, a[1].worst_ns + a[3].worst_ns);
			assert_int_equal(b[2].worst_ns, a[2].worst_ns);
		}
		assert_int_equal(set.tasks[i].period_ns, other.tasks[i].period_ns);
	}
	taskset_finish(&set);
	taskset_finish(&other);
	each_set("rtgpu-table1", "copies=one", measure);
	assert_in_range(longest[SEGMENT_COPY], 4.9 * MS, 5 * MS);
}

TEST("subtasks count either way")
{
	struct params params = generated_params(recipe("rtgpu-table1"), "subtasks=3 count_as=pairs");
	generate(recipe("rtgpu-table1"), &params, 1, 0, &platform, &set);
	assert_int_equal(set.tasks[0].segment_count, 4 + 3 + 6);
	taskset_finish(&set);
	params = generated_params(recipe("rtgpu-table1"), "subtasks=1");
	generate(recipe("rtgpu-table1"), &params, 1, 0, &platform, &set);
	assert_int_equal(set.tasks[0].segment_count, 1);
	taskset_finish(&set);
}

/* Only the utilisation of a set changes with the utilisation. */
TEST("lengths are the same at every utilisation")
{
	struct params low = generated_params(recipe("rtgpu-table1"), "utilisation=0.5");
	struct params high = generated_params(recipe("rtgpu-table1"), "utilisation=2");
	struct taskset other;
	generate(recipe("rtgpu-table1"), &low, 1, 4, &platform, &set);
	generate(recipe("rtgpu-table1"), &high, 1, 4, &platform, &other);
	for (uint32_t i = 0; i < 5; i++) {
		assert_int_equal(length_of(&set.tasks[i]), length_of(&other.tasks[i]));
		assert_near((double)set.tasks[i].period_ns / (double)other.tasks[i].period_ns, 4, 0.01);
	}
	taskset_finish(&set);
	taskset_finish(&other);
}

/* alpha^(log2 V), rounded up; as many V as the tasks need. */
TEST("interleave ratios grow")
{
	struct params params = generated_params(recipe("rtgpu-table1"), "tasks=12 sms=3 virtual_sms=4 "
									"alpha=1.8");
	generate(recipe("rtgpu-table1"), &params, 1, 0, &platform, &set);
	const struct segment *kernel = &set.tasks[0].segments[2];
	assert_int_equal(kernel->interleaves, 1);
	assert_int_equal(kernel->interleave[0].virtual_sms, 4);
	assert_int_equal(kernel->interleave[0].numerator, 3240000);
	taskset_finish(&set);
	params = generated_params(recipe("rtgpu-table1"), "tasks=12 sms=3 virtual_sms=0 alpha=1.5");
	generate(recipe("rtgpu-table1"), &params, 1, 0, &platform, &set);
	kernel = &set.tasks[0].segments[2];
	assert_int_equal(kernel->interleaves, 2);
	assert_int_equal(kernel->interleave[0].numerator, 1500000);
	assert_int_equal(kernel->interleave[1].numerator, 2250000);
	taskset_finish(&set);
	params = generated_params(recipe("rtgpu-table1"), "virtual_sms=3 alpha=1.5");
	generate(recipe("rtgpu-table1"), &params, 1, 0, &platform, &set);
	assert_int_equal(
		set.tasks[0].segments[2].interleave[0].numerator, (int64_t)ceil(1e6 * pow(1.5, log2(3))));
	taskset_finish(&set);
	params = generated_params(recipe("rtgpu-table1"), "virtual_sms=4 alpha=1.222223");
	generate(recipe("rtgpu-table1"), &params, 1, 0, &platform, &set);
	assert_int_equal(set.tasks[0].segments[2].interleave[0].numerator, 1493830); /* 1.4938290617 */
	taskset_finish(&set);
	params = generated_params(recipe("rtgpu-table1"), "virtual_sms=4 alpha=1.5 alpha_growth=same "
							  "overhead=0.25");
	generate(recipe("rtgpu-table1"), &params, 1, 0, &platform, &set);
	kernel = &set.tasks[0].segments[2];
	assert_int_equal(kernel->interleave[0].numerator, 1500000);
	assert_int_equal(kernel->overhead_ns, kernel->worst_ns / 4);
	taskset_finish(&set);
}

/* ---- sbeet ---- */

static double mean_utilisation(const struct task *t)
{
	const struct profile *p = &set.profiles[t->segments[1].profile];
	double sum = 0;
	for (uint32_t m = 0; m < platform.sms; m++)
		sum += (double)(t->segments[0].worst_ns + p->worst_ns[m] + t->segments[2].worst_ns);
	return sum / platform.sms / (double)t->period_ns;
}

static void check_sbeet(const struct params *params, uint32_t index)
{
	double total = 0;
	(void)index;
	assert_int_equal(set.task_count, 5);
	assert_true(set.profile_count <= 5);
	for (uint32_t i = 0; i < set.task_count; i++) {
		const struct task *t = &set.tasks[i];
		assert_int_equal(t->segment_count, 3);
		assert_int_equal(t->segments[0].direction, COPY_TO_GPU);
		assert_int_equal(t->segments[1].form, KERNEL_PROFILE);
		assert_int_equal(t->segments[2].direction, COPY_TO_CPU);
		assert_int_equal(t->deadline_ns, t->period_ns);
		assert_in_range(t->offset_ns, 0, t->period_ns / 2);
		const struct profile *p = &set.profiles[t->segments[1].profile];
		assert_true(
			t->segments[0].worst_ns + p->worst_ns[45] + t->segments[2].worst_ns <= t->period_ns);
		total += mean_utilisation(t);
	}
	assert_near(total, (double)params_quantity(params, "utilisation") * 1e-6, 1e-4);
}

TEST("sbeet has its utilisation")
{
	each_set("sbeet", "", check_sbeet);
	each_set("sbeet", "utilisation=3", check_sbeet);
}

/* The same mean, exactly. */
static struct ratio exact_mean_utilisation(const struct task *t)
{
	const struct profile *p = &set.profiles[t->segments[1].profile];
	int128 sum = 0;
	for (uint32_t m = 0; m < platform.sms; m++)
		sum += t->segments[0].worst_ns + p->worst_ns[m] + t->segments[2].worst_ns;
	return (struct ratio){.numerator = sum, .denominator = (int128)t->period_ns * platform.sms};
}

/* At a total of 1 STGM's first condition holds. The second one holds then, too, with more SMs than the
 * least. */
static void check_total_of_1(const struct params *params, uint32_t index)
{
	struct ratio terms[16];
	uint32_t rank[16];
	struct stgm_request request = {.options = {.test = STGM_UTILISATION}};
	struct stgm_allocation allocation;
	struct arena arena = {0};
	(void)params;
	assert_in_range(set.task_count, 1, 16);
	for (uint32_t i = 0; i < set.task_count; i++)
		terms[i] = exact_mean_utilisation(&set.tasks[i]);
	if (ratio_sum_compare(terms, set.task_count, 1) > 0)
		fail_msg("%s: set %u has a total above 1", platform.name, index);
	taskset_ranks(&set, true, rank);
	assert_true(stgm_allocate(&platform, &set, rank, &request, &arena, &allocation, &failure));
	if (allocation.fallback || !allocation.verdict.accepted)
		fail_msg("%s: set %u: stgm falls back: %s", platform.name, index, allocation.verdict.reason);
	arena_finish(&arena);
}

TEST("rounding leaves a total of 1 to stgm")
{
	static const char *const options[] = {"gpu=synthetic-8sm", "gpu=synthetic-8sm tasks=10", "gpu=t400",
		"gpu=t400 tasks=10", "gpu=rtx-3070", "gpu=rtx-3070 tasks=10",
		"gpu=synthetic-8sm kernel_times=400%", "gpu=synthetic-8sm benchmarks=six",
		"gpu=synthetic-8sm mode=bimodal last=trim", "gpu=t400 mode=bimodal last=trim swap=true",
		"gpu=rtx-3070 mode=bimodal last=drop"};
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		char text[128];
		snprintf(text, sizeof(text), "utilisation=100%% %s", options[i]);
		each_set("sbeet", text, check_total_of_1);
	}
}

static uint32_t tasks_of[2];
static double passed;

static bool is_heavy(const struct task *t)
{
	const char *name = set.profiles[t->segments[1].profile].name;
	return strcmp(name, "mmul") == 0 || strcmp(name, "stereodisparity") == 0 || strcmp(name, "dxtc") == 0;
}

static void check_bimodal(const struct params *params, uint32_t index)
{
	double total = 0, last = 0;
	bool swap = params_bool(params, "swap");
	if (index == 0)
		tasks_of[0] = tasks_of[1] = 0;
	for (uint32_t i = 0; i < set.task_count; i++) {
		bool heavy = is_heavy(&set.tasks[i]);
		last = mean_utilisation(&set.tasks[i]);
		total += last;
		tasks_of[heavy]++;
		if (params_choice(params, "last") == 1 && i + 1 == set.task_count)
			break; /* trimmed */
		assert_in_range(
			1e6 * last + 0.5, heavy != swap ? 50000 : 200000, heavy != swap ? 200000 : 400000);
	}
	passed = total;
	if (params_choice(params, "last") == 0)
		assert_true(total > 0.9 - 1e-6 && total - last <= 0.9 + 1e-6);
	else if (params_choice(params, "last") == 1)
		assert_near(total, 0.9, 1e-5);
	else
		assert_true(total <= 0.9 + 1e-6);
}

TEST("bimodal sets mix heavy and light")
{
	each_set("sbeet", "mode=bimodal utilisation=0.9", check_bimodal);
	each_set("sbeet", "mode=bimodal utilisation=0.9 last=trim", check_bimodal);
	each_set("sbeet", "mode=bimodal utilisation=0.9 last=drop swap=true", check_bimodal);
	each_set("sbeet", "mode=bimodal utilisation=0.9 heavy_ratio=0", check_bimodal);
	assert_true(tasks_of[0] > 0 && tasks_of[1] == 0);
	each_set("sbeet", "mode=bimodal utilisation=0.9 heavy_ratio=1", check_bimodal);
	assert_true(tasks_of[0] == 0 && tasks_of[1] > 0);
	/* A quarter of the tasks. Exception: the set that ends with the task that exceeds the total. */
	each_set("sbeet", "mode=bimodal utilisation=0.9 heavy_ratio=0.25", check_bimodal);
	double share = (double)tasks_of[1] / (tasks_of[0] + tasks_of[1]);
	assert_true(share > 0.2 && share < 0.3);
}

static void check_periods(const struct params *params, uint32_t index)
{
	(void)params;
	(void)index;
	for (uint32_t i = 0; i < set.task_count; i++) {
		assert_in_range(set.tasks[i].period_ns, 100 * MS, 500 * MS);
		assert_int_equal(set.tasks[i].period_ns % MS, 0);
	}
}

TEST("fixed periods are figure 10s")
{
	each_set("sbeet", "mode=periods", check_periods);
	each_set("sbeet", "mode=periods gpu=t400 benchmarks=six", check_periods);
}

/* One job of the given benchmark; the period is the window. */
TEST("a benchmark alone")
{
	struct params params = generated_params(recipe("sbeet"), "mode=alone benchmark=bfs");
	generate(recipe("sbeet"), &params, 1, 7, &platform, &set);
	assert_int_equal(set.task_count, 1);
	assert_string_equal(set.profiles[0].name, "bfs");
	assert_int_equal(set.tasks[0].offset_ns, 0);
	assert_int_equal(set.tasks[0].period_ns, 48332550); /* 1.05 * (4.5 + 40.531 + 1 ms) */
	assert_int_equal(recipe_target_utilisation(&params), INT64_MIN);
	taskset_finish(&set);
	params = generated_params(
		recipe("sbeet"), "mode=alone benchmark=hist2 benchmarks=six gpu=synthetic-8sm window=2");
	generate(recipe("sbeet"), &params, 1, 7, &platform, &set);
	assert_string_equal(set.profiles[0].name, "hist2");
	assert_int_equal(set.tasks[0].period_ns, 2 * 5637000); /* 1 + 3.637 + 1 ms */
	taskset_finish(&set);
}

static void check_slow_kernels(const struct params *params, uint32_t index)
{
	(void)index;
	double total = 0;
	for (uint32_t i = 0; i < set.task_count; i++)
		total += mean_utilisation(&set.tasks[i]);
	assert_near(total, (double)params_quantity(params, "utilisation") * 1e-6, 1e-4);
}

/* Kernels take three times as long, copies do not; the utilisation is what it should be. */
TEST("kernels can be slower")
{
	struct params params = generated_params(recipe("sbeet"), "mode=alone benchmark=mmul kernel_times=3");
	generate(recipe("sbeet"), &params, 1, 0, &platform, &set);
	assert_int_equal(set.profiles[0].worst_ns[0], 3 * 342578000ll);
	assert_int_equal(set.profiles[0].best_ns[45], 3 * 7643000ll);
	assert_int_equal(set.profiles[0].total_power_uw[0], 58230000);
	assert_int_equal(set.tasks[0].segments[0].worst_ns, 2500000);
	taskset_finish(&set);
	each_set("sbeet", "kernel_times=3 gpu=synthetic-8sm", check_slow_kernels);
}

TEST("powers are measured or linear")
{
	struct params params = generated_params(recipe("sbeet"), "mode=alone benchmark=dxtc power=linear");
	generate(recipe("sbeet"), &params, 1, 0, &platform, &set);
	const struct profile *p = &set.profiles[0];
	for (uint32_t m = 1; m <= 46; m++) /* 46 W, 1.67 W an active SM, 0.445 W an idle one */
		assert_int_equal(p->total_power_uw[m - 1], 46000000 + 1670000 * m + 445000 * (46 - m));
	assert_int_equal(p->worst_ns[0], 200517000);
	taskset_finish(&set);
}

TEST("copies may not contend")
{
	static const struct {
		const char *options;
		uint32_t sms, engines;
	} cases[] = {{"gpu=rtx-3070", 46, 2}, {"gpu=t400", 6, 1}, {"gpu=synthetic-8sm", 8, 1},
		{"gpu=synthetic-8sm engines=unlimited", 8, ENGINES_UNLIMITED},
		{"gpu=t400 engines=unlimited", 6, ENGINES_UNLIMITED}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct params params = generated_params(recipe("sbeet"), cases[i].options);
		assert_true(recipe("sbeet")->platform(&params, &set.arena, &platform, &failure));
		assert_int_equal(platform.sms, cases[i].sms);
		assert_int_equal(platform.engines, cases[i].engines);
	}
}

TEST("a smaller platform takes its part of the profiles")
{
	struct params params = generated_params(recipe("sbeet"), "utilisation=0.5");
	generate(recipe("sbeet"), &params, 1, 0, &platform, &set);
	taskset_finish(&set);
	platform.sms = 8;
	taskset_init(&set);
	assert_true(recipe("sbeet")->generate(&params, &platform, 1, 0, &set, &failure));
	double total = 0;
	for (uint32_t i = 0; i < set.task_count; i++)
		total += mean_utilisation(&set.tasks[i]);
	assert_near(total, 0.5, 1e-4);
	taskset_finish(&set);
	platform.sms = 47;
	taskset_init(&set);
	assert_false(recipe("sbeet")->generate(&params, &platform, 1, 0, &set, &failure));
	assert_string_equal(failure.text, "the kernels were measured on 1 to 46 SMs of rtx-3070; the "
					  "platform has 47");
	taskset_finish(&set);
}

/* ---- gcaps ---- */

static void check_gcaps(const struct params *params, uint32_t index)
{
	uint32_t gpu_tasks = 0;
	double total = 0;
	(void)params;
	(void)index;
	assert_in_range(set.task_count, 3, 6);
	for (uint32_t i = 0; i < set.task_count; i++) {
		const struct task *t = &set.tasks[i];
		int64_t cpu = 0, misc = 0, kernel = 0;
		assert_in_range(t->period_ns, 30 * MS, 500 * MS);
		for (uint32_t j = 0; j < t->segment_count; j++) {
			const struct segment *s = &t->segments[j];
			assert_true(s->best_ns >= s->worst_ns / 2 - 1 && s->best_ns <= s->worst_ns);
			cpu += s->kind == SEGMENT_CPU ? s->worst_ns : 0;
			misc += s->kind == SEGMENT_COPY ? s->worst_ns : 0;
			kernel += s->kind == SEGMENT_KERNEL ? s->worst_ns : 0;
			if (s->kind == SEGMENT_KERNEL) {
				/* The kernel uses the whole GPU at once. */
				assert_int_equal(s->grid, 12);
				assert_int_equal(s->block, 1024);
			}
		}
		total += (double)(cpu + misc + kernel) / (double)t->period_ns;
		if (t->segment_count == 1)
			continue;
		gpu_tasks++;
		assert_true(t->segment_count == 5 || t->segment_count == 9 || t->segment_count == 13);
		if (cpu > 1000 && kernel > 1000) {
			double g = (double)(misc + kernel);
			assert_in_range(1e3 * g / (double)cpu, 199, 2001);
			assert_in_range(1e3 * (double)misc / g, 97, 301);
		}
	}
	double share = (double)gpu_tasks / set.task_count, half = 0.5 / set.task_count;
	assert_true(share >= 0.4 - half - 1e-9 && share <= 0.6 + half + 1e-9);
	assert_true(total > 0.4 - 1e-4 && total < 0.6 + 1e-4);
	assert_true(taskset_utilisation(&set, &platform).gpu < 0.6);
}

TEST("gcaps is table 3")
{
	each_set("gcaps", "", check_gcaps);
}

/* Worst fit: before the last task came, the fullest core was the least full. */
static void check_cores(const struct params *params, uint32_t index)
{
	double load[4] = {0}, least[4], total = 0, smallest = 1;
	(void)params;
	(void)index;
	assert_true(set.cores);
	assert_int_equal(platform.cores, 4);
	assert_in_range(set.task_count, 12, 24);
	for (uint32_t i = 0; i < set.task_count; i++) {
		const struct task *t = &set.tasks[i];
		double sum = 0;
		for (uint32_t j = 0; j < t->segment_count; j++)
			sum += (double)t->segments[j].worst_ns / (double)t->period_ns;
		assert_in_range(t->core, 0, 3);
		least[t->core] = load[t->core] == 0 || sum < least[t->core] ? sum : least[t->core];
		load[t->core] += sum;
		total += sum;
		smallest = sum < smallest ? sum : smallest;
	}
	assert_true(total > 4 * 0.4 - 1e-3 && total < 4 * 0.6 + 1e-3);
	for (int a = 0; a < 4; a++)
		for (int b = 0; b < 4; b++)
			assert_true(load[a] - least[a] <= load[b] + 1e-3);
}

TEST("gcaps for four CPUs, by worst fit decreasing")
{
	each_set("gcaps", "cpus=4", check_cores);
}

/* Half of the tasks, rounded, behind all others; both by period. */
static void check_best_effort(const struct params *params, uint32_t index)
{
	uint32_t count = 0;
	(void)params;
	(void)index;
	assert_true(set.priorities);
	for (uint32_t i = 0; i < set.task_count; i++) {
		const struct task *t = &set.tasks[i];
		count += t->best_effort;
		assert_in_range(t->priority, 0, set.task_count - 1);
		for (uint32_t k = 0; k < set.task_count; k++) {
			const struct task *other = &set.tasks[k];
			if (t->best_effort != other->best_effort)
				assert_true((t->priority > other->priority) == t->best_effort);
			else if (t->period_ns < other->period_ns)
				assert_true(t->priority < other->priority);
			assert_true(i == k || t->priority != other->priority);
		}
	}
	assert_int_equal(count, (set.task_count + 1) / 2);
}

TEST("gcaps with best-effort tasks")
{
	each_set("gcaps", "cpus=4 best_effort=50%", check_best_effort);
}

TEST("custom with cores")
{
	each_set("custom", "cores=4 tasks=16 utilisation=200%", check_cores);
}
