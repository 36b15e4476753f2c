/* tests/unit/test_recipes.c - all recipes: their options, and that a set depends on parameters, seed and
 * index only; and the recipe custom. */
#include "models/kernel.h"
#include "scenarios/workload/origin.h"
#include "tests/unit/recipe_sets.h"

/* ---- all recipes ---- */

TEST("options are usable")
{
	for (const struct recipe *const *r = recipe_all(); *r; r++) {
		struct params params;
		char text[PARAM_TEXT_MAX];
		uint32_t count = 0;
		assert_ptr_equal(recipe_find((*r)->name), *r);
		assert_true((*r)->version >= 1);
		assert_non_null((*r)->platform);
		for (const struct option *o = (*r)->options; o->name; o++, count++) {
			assert_true(strlen(o->help) > 0 && strlen(o->help) < 160);
			params_default(&params, (*r)->options);
			if (!params_set(&params, o->name, o->fallback, &failure))
				fail_msg("%s %s: %s", (*r)->name, o->name, failure.text);
			/* A default in another spelling would be another recipe for a recording. */
			assert_string_equal(params_text(&params, count, text), o->fallback);
		}
		assert_true(count <= PARAMS_MAX);
	}
	assert_null(recipe_find("rtgpu"));
}

TEST("target utilisation is what was asked for")
{
	struct params params = generated_params(recipe("custom"), "utilisation=2.5");
	assert_int_equal(recipe_target_utilisation(&params), 2500000);
	params = generated_params(recipe("gcaps"), "");
	assert_true(recipe_target_utilisation(&params) == INT64_MIN);
	params = generated_params(recipe("gcaps"), "utilisation=0.5");
	assert_int_equal(recipe_target_utilisation(&params), 500000);
	params = generated_params(recipe("sbeet"), "mode=periods");
	assert_true(recipe_target_utilisation(&params) == INT64_MIN);
	params_default(&params, NULL);
	assert_true(recipe_target_utilisation(&params) == INT64_MIN);
}

static const char *const samples[][2] = {
	{"rtgpu-table1", ""},
	{"rtgpu-table1", "copies=one merged=sum ratio=1:8 lo_ratio=0.3..0.9 utilisations=uunifast "
			 "overhead=0.1 virtual_sms=0"},
	{"sbeet", "utilisation=2 tasks=6"},
	{"sbeet", "mode=bimodal gpu=t400 utilisation=0.9"},
	{"sbeet", "mode=periods"},
	{"gcaps", ""},
	{"custom", ""},
	{"custom", "method=discard periods=log-uniform kernel=grid offset=1 deadline=0.5..1"},
	{"custom", "method=drs caps=20,30,40,50,60 periods=matrix"},
};
#define SAMPLES (sizeof(samples) / sizeof(samples[0]))

/* Made in any order, or alone, the sets are the same. */
TEST("sets are functions of their index")
{
	for (size_t i = 0; i < SAMPLES; i++) {
		const struct recipe *r = recipe(samples[i][0]);
		struct params params = generated_params(r, samples[i][1]);
		uint64_t digest[50];
		for (uint32_t k = 0; k < 50; k++) {
			generate(r, &params, 1, k, &platform, &set);
			digest[k] = generated_digest(&set);
			taskset_finish(&set);
			assert_true(k == 0 || digest[k] != digest[k - 1]);
		}
		for (uint32_t k = 50; k-- > 0;) {
			generate(r, &params, 1, k, &platform, &set);
			assert_true(generated_digest(&set) == digest[k]);
			taskset_finish(&set);
		}
		generate(r, &params, 2, 0, &platform, &set);
		assert_true(generated_digest(&set) != digest[0]);
		taskset_finish(&set);
	}
}

/* If the sets of a recipe change, the recipe needs a new version, and this table new numbers. */
TEST("sets stay what they were")
{
	static const uint64_t digests[SAMPLES] = {
		0xb8f9f1eb85f09ffe,
		0x065d242f2ae18538,
		0xc6cfc0a0c5eda1a6,
		0x26b8011c29d3dc18,
		0xbfce61224493cad4,
		0x1ce96f1d2b07d7d9,
		0x4dd1001587e3c944,
		0xe44deca2bbdff563,
		0x2b1ece9fb1866799,
	};
	for (size_t i = 0; i < SAMPLES; i++) {
		struct params params = generated_params(recipe(samples[i][0]), samples[i][1]);
		uint64_t all = 0;
		for (uint32_t k = 0; k < 20; k++) {
			generate(recipe(samples[i][0]), &params, 42, k, &platform, &set);
			all = mix(all, (int64_t)generated_digest(&set));
			taskset_finish(&set);
		}
		if (all != digests[i])
			fail_msg("%s %s: 0x%016llx", samples[i][0], samples[i][1], (unsigned long long)all);
	}
}

TEST("origins are JSON")
{
	struct params params = generated_params(recipe("sbeet"), "tasks=3");
	struct text json = {0};
	recipe_origin(recipe("sbeet"), &params, 12345678901234567890u, &json);
	assert_true(text_ok(&json, "json", &failure));
	assert_non_null(strstr(text_data(&json),
		"{\"recipe\":\"sbeet\",\"version\":2,\"seed\":12345678901234567890,"
		"\"options\":{\"utilisation\":\"70%\",\"mode\":\"uunifast\",\"tasks\":3,"));
	text_finish(&json);
}

/* ---- custom ---- */

static const char *const methods[] = {"uunifast", "discard", "randfixedsum", "bounded", "drs"};
static const char *const periods[] = {"lengths", "uniform", "log-uniform", "list", "divisors", "matrix"};

static void check_custom(const struct params *params, uint32_t index)
{
	static const int64_t list[] = {1, 2, 5, 10, 20, 50, 100, 200, 1000};
	(void)index;
	assert_near(total_utilisation(), 1.2, 1e-6);
	for (uint32_t i = 0; i < set.task_count; i++) {
		int64_t period = set.tasks[i].period_ns;
		bool listed = false;
		for (size_t k = 0; k < 9; k++)
			listed |= period == list[k] * MS;
		double u = (double)length_of(&set.tasks[i]) / (double)period;
		switch (params_choice(params, "periods")) {
		case 0:
			break;
		case 3:
			assert_true(listed);
			break;
		case 4:
			assert_int_equal(1000 * MS % period, 0);
			break;
		case 5:
			assert_int_equal(25200 * MS % period, 0);
			break;
		default:
			assert_in_range(period, 10 * MS, 1000 * MS);
			assert_int_equal(period % MS, 0);
		}
		if (params_choice(params, "method") != 0)
			assert_in_range(1e6 * u + 1, 100000, 600002);
	}
}

TEST("every method goes with every period")
{
	for (size_t m = 0; m < 5; m++)
		for (size_t p = 0; p < 6; p++) {
			char options[256];
			snprintf(options, sizeof(options),
				"tasks=4 utilisation=1.2 task_utilisation=0.1..0.6 method=%s periods=%s",
				methods[m], periods[p]);
			each_set("custom", options, check_custom);
		}
}

static void check_caps(const struct params *params, uint32_t index)
{
	static const double caps[] = {0.1, 0.2, 0.3, 0.9};
	(void)params;
	(void)index;
	for (uint32_t i = 0; i < 4; i++)
		assert_true(
			(double)length_of(&set.tasks[i]) / (double)set.tasks[i].period_ns < caps[i] + 1e-6);
}

TEST("caps hold for their task")
{
	for (size_t m = 1; m < 5; m++) {
		char options[256];
		snprintf(options, sizeof(options), "tasks=4 caps=10,20,30,90 method=%s",
			m == 2 ? "bounded" : methods[m]);
		each_set("custom", options, check_caps);
	}
}

/* The length is that on one SM: blocks in as many waves as fit. */
static void check_grid(const struct params *params, uint32_t index)
{
	(void)params;
	(void)index;
	platform.sms = 1;
	for (uint32_t i = 0; i < set.task_count; i++) {
		const struct segment *s = &set.tasks[i].segments[0];
		struct kernel_shape shape;
		assert_int_equal(set.tasks[i].segment_count, 1);
		assert_int_equal(s->form, KERNEL_GRID);
		assert_true(kernel_shape(&platform, &set, s, 1, NULL, &shape, &failure));
		int64_t time = kernel_time(&platform, 1, &shape, NULL);
		assert_near((double)time / (double)set.tasks[i].period_ns, 0.25, 1e-4);
		assert_in_range(time, MS - 64, 20 * MS);
	}
}

TEST("grids are as long as asked for")
{
	each_set("custom", "kernel=grid cpu=0s copies=none tasks=4 task_utilisation=0.25", check_grid);
}

TEST("contradictions are named")
{
	static const char *const cases[][2] = {
		{"sections=0 cpu=0s", "tasks need CPU segments where they have no kernels"},
		{"caps=10,20", "'caps' has 2 values for 5 tasks"},
		{"utilisation=6", "the upper bounds add up to 5, less than the sum 6"},
		{"method=discard utilisation=4.99", "UUniFast-Discard found no 5 values with the sum 4.99"},
		{"periods=divisors period=10ms..900ms hyperperiod=997ms", "a divisor of the hyperperiod"},
		{"caps=10,20,30,40,50 method=randfixedsum", "same bounds"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct params params = generated_params(recipe("custom"), cases[i][0]);
		taskset_init(&set);
		assert_true(recipe("custom")->platform(&params, &set.arena, &platform, &failure));
		assert_false(recipe("custom")->generate(&params, &platform, 1, 0, &set, &failure));
		assert_int_equal(failure.status, STATUS_INPUT);
		if (!strstr(failure.text, cases[i][1]))
			fail_msg("%s: %s", cases[i][0], failure.text);
		taskset_finish(&set);
	}
}
