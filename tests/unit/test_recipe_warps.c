/* tests/unit/test_recipe_warps.c - the recipes qaws-pairs and qos-mixes: which kernels each set contains, and
 * what the options change. */
#include "models/warps/library.h"
#include "tests/support/generated.h"

static struct platform platform;
static struct taskset set;

static void complain(void *self, uint32_t kernel, const char *text)
{
	print_error("kernel %u: %s\n", kernel, text);
	++*(size_t *)self;
}

/* Makes a set and checks it; the caller finishes it. */
static void make(const char *name, const char *options, uint32_t index)
{
	const struct recipe *recipe = recipe_find(name);
	assert_non_null(recipe);
	struct params params = generated_params(recipe, options);
	size_t defects = 0;
	generate(recipe, &params, 1, index, &platform, &set);
	assert_non_null(set.warps);
	assert_int_equal(set.warps->kernel_count, set.task_count);
	assert_int_equal(warp_set_check(set.warps, &platform, complain, &defects), 0);
	for (uint32_t i = 0; i < set.task_count; i++) {
		assert_int_equal(set.tasks[i].segment_count, 1);
		assert_int_equal(set.tasks[i].segments[0].form, KERNEL_WARPS);
	}
}

TEST("machine is table 1")
{
	make("qos-mixes", "", 0);
	assert_string_equal(platform.name, "qos-4sm");
	assert_int_equal(platform.sms, 4);
	assert_int_equal(platform.threads_per_sm, 2048);
	assert_int_equal(platform.blocks_per_sm, 32);
	assert_int_equal(platform.warps_per_sm, 64);
	assert_int_equal(platform.registers_per_sm * 4, 256 * 1024);
	assert_int_equal(platform.shared_memory_per_sm, 96 * 1024);
	assert_int_equal(set.warps->machine.sub_cores, 4);
	assert_int_equal(set.warps->machine.bandwidth, 4 * 11513);
	taskset_finish(&set);
}

/* More SMs: more blocks, more bandwidth, more static power, in proportion. */
TEST("size follows the SMs")
{
	make("qos-mixes", "", 17);
	uint32_t blocks = set.warps->kernels[0].blocks;
	int64_t power = platform.static_uw;
	taskset_finish(&set);
	make("qos-mixes", "sms=16", 17);
	assert_int_equal(set.warps->kernels[0].blocks, 4 * blocks);
	assert_int_equal(set.warps->machine.bandwidth, 16 * 11513);
	assert_int_equal(platform.static_uw, 4 * power);
	taskset_finish(&set);
	make("qos-mixes", "sms=14 sub_cores=2 bandwidth=3289 length=50%", 17);
	assert_int_equal(set.warps->kernels[0].blocks, (14 * blocks + 7) / 8);
	assert_int_equal(set.warps->machine.sub_cores, 2);
	assert_int_equal(set.warps->machine.bandwidth, 14 * 3289);
	taskset_finish(&set);
	make("qaws-pairs", "sms=80", 0);
	assert_int_equal(set.warps->kernels[0].blocks, 20 * warp_library_find("qaws-pc")->kernel.blocks);
	assert_int_equal(set.warps->machine.bandwidth, 652800);
	taskset_finish(&set);
	make("qos-mixes", "sms=1 length=1%", 10);
	assert_in_range(set.warps->kernels[0].blocks, 1, 1);
	taskset_finish(&set);
}

TEST("homogeneous pairs")
{
	static const char *const first[] = {
		"K1-pc", "K1-pf", "K1-2dc", "K1-dxtc", "K1-bin", "K1-vec", "K1-mm", "K1-his", "K1-atax"};
	for (uint32_t i = 0; i < 18; i++) {
		make("qaws-pairs", "", i);
		const struct warp_kernel *k = set.warps->kernels;
		assert_int_equal(set.task_count, 2);
		assert_string_equal(set.tasks[0].name, first[i % 9]);
		assert_string_equal(set.tasks[1].name + 3, first[i % 9] + 3);
		assert_int_equal(k[0].blocks, k[1].blocks);
		assert_int_equal(k[0].launch, 0);
		assert_int_equal(k[1].launch, 8);
		assert_false(k[0].repeat || k[1].repeat);
		assert_int_equal(k[1].goal.kind, GOAL_NONE);
		taskset_finish(&set);
	}
	make("qaws-pairs", "delay=500", 3);
	assert_string_equal(set.name, "dxtc+dxtc");
	assert_int_equal(set.warps->kernels[1].launch, 500);
	taskset_finish(&set);
}

/* Kernels with a barrier in the loop: pf, dxtc, bin and mm. */
TEST("work of a pool")
{
	static const bool meets[] = {false, true, false, true, true, false, true, false, false};
	for (uint32_t i = 0; i < 9; i++) {
		make("qaws-pairs", "work=pool", i);
		for (uint32_t k = 0; k < 2; k++) {
			uint32_t shared = 0;
			for (uint32_t s = 0; s < set.warps->kernels[k].step_count; s++) {
				const struct warp_step *step = &set.warps->kernels[k].steps[s];
				if (step->rounds == ROUNDS_OWN)
					continue;
				shared++;
				assert_int_equal(step->kind, STEP_LOOP);
				assert_int_equal(step->rounds, meets[i] ? ROUNDS_BLOCKS : ROUNDS_WARPS);
			}
			assert_int_equal(shared, 1);
		}
		taskset_finish(&set);
	}
	make("qaws-pairs", "", 0);
	for (uint32_t s = 0; s < set.warps->kernels[0].step_count; s++)
		assert_int_equal(set.warps->kernels[0].steps[s].rounds, ROUNDS_OWN);
	taskset_finish(&set);
}

TEST("heterogeneous pairs")
{
	char name[5][64];
	for (uint32_t i = 0; i < 6; i++) {
		make("qaws-pairs", "mix=heterogeneous", i);
		assert_string_not_equal(set.tasks[0].name + 3, set.tasks[1].name + 3);
		assert_memory_equal(set.tasks[0].name, "K1-", 3);
		assert_memory_equal(set.tasks[1].name, "K2-", 3);
		for (uint32_t j = 0; j < i && i < 5; j++)
			assert_string_not_equal(name[j], set.name);
		if (i < 5)
			snprintf(name[i], sizeof(name[i]), "%s", set.name);
		else
			assert_string_equal(name[0], set.name);
		taskset_finish(&set);
	}
}

/* How often each kernel is in each position, by its place among the names seen so far. */
struct tally {
	char name[10][32];
	uint32_t names, first[10], any[10];
};

static uint32_t place(struct tally *t, const char *name)
{
	for (uint32_t i = 0; i < t->names; i++)
		if (strcmp(t->name[i], name) == 0)
			return i;
	assert_true(t->names < 10);
	snprintf(t->name[t->names], sizeof(t->name[0]), "%s", name);
	return t->names++;
}

static void count_mixes(const char *options, uint32_t count, uint32_t sharers, struct tally *t)
{
	char(*seen)[96] = test_calloc(count, sizeof(*seen));
	for (uint32_t i = 0; i < count; i++) {
		make("qos-mixes", options, i);
		assert_int_equal(set.task_count, sharers);
		snprintf(seen[i], sizeof(seen[i]), "%s", set.name);
		for (uint32_t j = 0; j < i; j++)
			assert_string_not_equal(seen[j], seen[i]);
		t->first[place(t, set.tasks[0].name)]++;
		for (uint32_t k = 0; k < sharers; k++)
			t->any[place(t, set.tasks[k].name)]++;
		taskset_finish(&set);
	}
	make("qos-mixes", options, count);
	assert_string_equal(set.name, seen[0]);
	taskset_finish(&set);
	test_free(seen);
}

TEST("ninety pairs")
{
	struct tally t = {0};
	count_mixes("", 90, 2, &t);
	assert_int_equal(t.names, 10);
	for (uint32_t i = 0; i < 10; i++) {
		assert_int_equal(t.first[i], 9);
		assert_int_equal(t.any[i], 18);
	}
}

TEST("sixty trios")
{
	struct tally t = {0};
	count_mixes("sharers=trios", 60, 3, &t);
	assert_int_equal(t.names, 10);
	for (uint32_t i = 0; i < 10; i++) {
		assert_in_range(t.first[i], 4, 8);
		assert_in_range(t.any[i], 14, 22);
	}
}

TEST("goals are shares of the IPC alone")
{
	make("qos-mixes", "sharers=trios goals=2 goal=45%", 0);
	assert_string_equal(set.name, "cutcp+histo+lbm 2x45%");
	for (uint32_t i = 0; i < 2; i++) {
		assert_int_equal(set.warps->kernels[i].goal.kind, GOAL_SHARE);
		assert_int_equal(set.warps->kernels[i].goal.share_ppm, 450000);
	}
	assert_int_equal(set.warps->kernels[2].goal.kind, GOAL_NONE);
	for (uint32_t i = 0; i < 3; i++)
		assert_true(set.warps->kernels[i].repeat);
	taskset_finish(&set);
	make("qos-mixes", "goal=62.5%", 1);
	assert_string_equal(set.name, "cutcp+lbm 1x62.5%");
	assert_int_equal(set.warps->kernels[1].goal.kind, GOAL_NONE);
	taskset_finish(&set);
}

/* The first kernels are there under the same names of tasks. */
TEST("library chooses the kernels")
{
	static const char *const options[] = {"", "library=qos", "library=qos1"};
	for (uint32_t i = 0; i < 3; i++) {
		make("qos-mixes", options[i], 17);
		assert_string_equal(set.name, "histo+tpacf 1x80%");
		const struct warp_library_kernel *entry =
			warp_library_find(i < 2 ? "qos-histo" : "qos1-histo");
		assert_int_equal(set.warps->kernels[0].blocks, entry->kernel.blocks);
		assert_int_equal(set.warps->kernels[0].step_count, entry->kernel.step_count);
		taskset_finish(&set);
	}
	assert_int_not_equal(warp_library_find("qos-histo")->kernel.blocks,
		warp_library_find("qos1-histo")->kernel.blocks);
}

TEST("kernels alone")
{
	make("qaws-pairs", "mix=alone", 10);
	assert_int_equal(set.task_count, 1);
	assert_string_equal(set.name, "pf");
	assert_string_equal(set.tasks[0].name, "K1-pf");
	assert_int_equal(set.warps->kernels[0].launch, 0);
	taskset_finish(&set);
	make("qos-mixes", "sharers=alone goals=2", 16);
	assert_int_equal(set.task_count, 1);
	assert_string_equal(set.name, "sgemm");
	assert_int_equal(set.warps->kernels[0].goal.kind, GOAL_NONE);
	taskset_finish(&set);
}
