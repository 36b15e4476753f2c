/* tests/unit/test_warp_options.c - models/warps/options.c: reading parameters, defaults, and what does not
 * fit a set. */
#include <string.h>

#include "models/warps/options.h"
#include "tests/support/test.h"

/* Every existing option, as in the policies' tables. */
static const struct option table[] = {{"rotate", OPTION_CHOICE, "stall|cycle", 0, 0, "stall", ""},
	{"active", OPTION_INTEGER, NULL, 1, WARPS_PER_SM_MAX, "8", ""},
	{"inner", OPTION_CHOICE, "rr|gto", 0, 0, "rr", ""},
	{"budgets", OPTION_LIST, NULL, 1, 1000000, "", ""}, WARP_OPTIONS_COMMON, {NULL}};

static struct warp_kernel kernels[3];
static struct warp_set set;
static struct platform platform;
static struct params params;
static struct warp_options options;
static struct error err;

static int begin(void **state)
{
	memset(kernels, 0, sizeof(kernels));
	kernels[1].goal = (struct warp_goal){.kind = GOAL_IPC, .ipc = 1};
	set = (struct warp_set){.kernels = kernels, .kernel_count = 3};
	platform = platform_default();
	platform.sms = 3;
	params_default(&params, table);
	return 0;
}

EACH_TEST(begin, NULL);

static void given(const char *name, const char *value)
{
	if (!params_set(&params, name, value, &err))
		fail_msg("%s", err.text);
}

static void reads(enum warp_scheduler_kind scheduler)
{
	if (!warp_options_read(scheduler, &params, &set, &platform, &options, &err))
		fail_msg("%s", err.text);
}

static void refused(enum warp_scheduler_kind scheduler, const char *why)
{
	assert_false(warp_options_read(scheduler, &params, &set, &platform, &options, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_string_equal(err.text, why);
}

TEST("defaults")
{
	for (int s = 0; s < WARP_SCHEDULERS; s++) {
		reads((enum warp_scheduler_kind)s);
		assert_int_equal(options.scheduler, s);
		assert_false(options.rotate_cycle);
		assert_false(options.inner_gto);
		if (s == SCHEDULE_TWO_LEVEL)
			assert_int_equal(options.active, 8);
		for (size_t k = 0; k < WARP_KERNELS_MAX; k++)
			assert_int_equal(options.budget[k], 1);
		assert_int_equal(options.manager, MANAGER_SMK);
		assert_int_equal(options.blocks, BLOCKS_EVEN);
		assert_int_equal(options.epoch, 10000);
		assert_int_equal(options.samples, 100);
		assert_true(options.history);
		assert_true(options.adjust);
		assert_int_equal(options.adjust_margin, 0);
		assert_int_equal(options.epoch_cost, 0);
		assert_false(options.free_swaps);
	}
}

TEST("values")
{
	given("manager", "rollover-time");
	given("blocks", "fill");
	given("epoch", "1234");
	given("samples", "7");
	given("history", "false");
	given("adjust", "false");
	given("adjust_margin", "1%");
	given("swap", "free");
	given("rotate", "cycle");
	given("active", "3");
	given("inner", "gto");
	reads(SCHEDULE_LRR);
	assert_true(options.rotate_cycle);
	assert_false(options.inner_gto);
	assert_int_equal(options.manager, MANAGER_ROLLOVER_TIME);
	assert_int_equal(options.blocks, BLOCKS_FILL);
	assert_int_equal(options.epoch, 1234);
	assert_int_equal(options.samples, 7);
	assert_false(options.history);
	assert_false(options.adjust);
	assert_int_equal(options.adjust_margin, 10000);
	assert_true(options.free_swaps);
	reads(SCHEDULE_TWO_LEVEL);
	assert_int_equal(options.active, 3);
	assert_true(options.inner_gto);
	assert_false(options.rotate_cycle);
}

/* The names of managers and the choices of the option are the same list, in the same order. */
TEST("managers")
{
	char choices[128] = "";
	for (int m = 0; m < WARP_MANAGERS; m++) {
		const char *name = warp_manager_name((enum warp_manager)m);
		strcat(strcat(choices, m ? "|" : ""), name);
		given("manager", name);
		reads(SCHEDULE_GTO);
		assert_int_equal(options.manager, m);
	}
	assert_string_equal(choices, WARP_MANAGER_CHOICES);
}

/* Kernels beyond the end of the list have budget 1. */
TEST("budgets")
{
	given("budgets", "[4, 9]");
	reads(SCHEDULE_QAWS);
	assert_int_equal(options.budget[0], 4);
	assert_int_equal(options.budget[1], 9);
	assert_int_equal(options.budget[2], 1);
	given("budgets", "[1, 2, 3]");
	reads(SCHEDULE_QAWS);
	assert_int_equal(options.budget[2], 3);
	given("budgets", "[1, 2, 3, 4]");
	refused(SCHEDULE_QAWS, "qaws has 4 budgets for 3 kernels");
	reads(SCHEDULE_GTO);
	assert_int_equal(options.budget[0], 1);
}

TEST("managers want a goal")
{
	kernels[1].goal.kind = GOAL_NONE;
	reads(SCHEDULE_GTO);
	for (int m = MANAGER_NAIVE; m < WARP_MANAGERS; m++) {
		char why[80] = "manager ";
		const char *name = warp_manager_name((enum warp_manager)m);
		given("manager", name);
		refused(SCHEDULE_GTO, strcat(strcat(why, name), " wants a kernel with a goal"));
	}
}

TEST("spart wants SMs")
{
	given("manager", "spart");
	reads(SCHEDULE_GTO);
	platform.sms = 2;
	given("epoch_cost", "1");
	refused(SCHEDULE_GTO, "manager spart has no quotas to wait for (epoch_cost)");
	given("epoch_cost", "10000");
	refused(SCHEDULE_GTO, "an epoch of 10000 cycles is over before its epoch_cost of 10000");
	given("epoch_cost", "0");
	refused(SCHEDULE_GTO, "manager spart gives each of 3 kernels an SM; there are 2");
	platform.sms = 3;
	given("blocks", "fill");
	refused(SCHEDULE_GTO, "manager spart hands out whole SMs, which 'blocks: fill' contradicts");
}
