/* tests/unit/test_campaign_file.c - campaign files: the grid, the defaults, and what is wrong with a file,
 * each at its place. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/taskset.h"
#include "scenarios/campaign_file.h"
#include "tests/support/test.h"

#define MS INT64_C(1000000)

struct reading {
	struct campaign c;
	struct diagnostics diagnostics;
	char *said;
	bool ok;
};

static struct reading reading(const char *text)
{
	struct reading r;
	size_t size;
	diagnostics_init(&r.diagnostics, "f.yaml");
	r.ok = campaign_read_text("f.yaml", text, strlen(text), &r.c, &r.diagnostics);
	FILE *out = open_memstream(&r.said, &size);
	assert_non_null(out);
	diagnostics_print(&r.diagnostics, out);
	fclose(out);
	assert_int_equal(r.ok, r.diagnostics.count == 0);
	assert_int_equal(r.c.status == STATUS_OK, r.ok);
	return r;
}

static void reading_finish(struct reading *r)
{
	campaign_finish(&r->c);
	diagnostics_finish(&r->diagnostics);
	free(r->said);
}

static void assert_says(const char *text, const char *said)
{
	struct reading r = reading(text);
	assert_string_equal(r.said, said);
	assert_int_equal(r.c.status, STATUS_INPUT);
	assert_null(r.c.text);
	reading_finish(&r);
}

#define HEAD "cegsim-campaign: 1\nsets: 10\n"
#define PLATFORMS "platforms: [{preset: jetson-tx2}]\n"
#define GENERATE "generate: {recipe: custom}\n" PLATFORMS
#define TAIL "policies: [rm]\nrun: {horizon: 40ms}\n"

/* ---- the format ---- */

TEST("defaults")
{
	struct reading r = reading(HEAD GENERATE TAIL);
	assert_string_equal(r.said, "");
	assert_string_equal(r.c.name, "f");
	assert_string_equal(r.c.recipe->name, "custom");
	assert_int_equal(r.c.axis_count, 0);
	assert_int_equal(r.c.points, 1);
	assert_int_equal(r.c.sets, 10);
	assert_int_equal(r.c.replications, 1);
	assert_int_equal(r.c.platform_count, 1);
	assert_int_equal(r.c.policy_count, 1);
	assert_int_equal(r.c.setup.seed, 1);
	assert_int_equal(r.c.setup.horizon_ns, 40 * MS);
	assert_int_equal(r.c.setup.execution, EXECUTION_WORST);
	assert_int_equal(r.c.setup.release.kind, RELEASE_PERIODIC);
	assert_int_equal(r.c.record, RECORD_SUMMARY);
	assert_int_equal(r.c.detail, RECORD_SUMMARY);
	reading_finish(&r);
}

TEST("everything")
{
	struct reading r = reading(
		"cegsim-campaign: 1\nname: all\ntime_unit: ms\nseed: 99\nsets: 4\nreplications: 3\n"
		"generate: {recipe: custom, tasks: [3, 5], utilisation: [20%, 0.4, 60%], cpu: 1ms..2ms, "
		"grid: [4, 8], memory: [[1, 2], 3]}\n"
		"platforms: [{preset: jetson-tx2}, {gpu: {sms: 4}}]\n"
		"policies: [rm, {name: fifo-cke, order: release}]\n"
		"run: {horizon: {periods: 7}, stop: horizon, limit: 500000, release: {sporadic: {max_delay: "
		"20%}}, execution: uniform, on_miss: drop, ties: lower-first}\n"
		"record: jobs\ndetail: {record: blocks, when: first-miss, sets: [0, 3]}\n");
	assert_string_equal(r.said, "");
	assert_string_equal(r.c.name, "all");
	assert_int_equal(r.c.setup.seed, 99);
	assert_int_equal(r.c.axis_count, 3);
	assert_int_equal(r.c.points, 12);
	assert_int_equal(r.c.replications, 3);
	assert_int_equal(r.c.platform_count, 2);
	assert_int_equal(r.c.platforms[1].sms, 4);
	assert_int_equal(r.c.policy_count, 2);
	assert_int_equal(r.c.horizon, CAMPAIGN_PERIODS);
	assert_int_equal(r.c.horizon_count, 7);
	assert_int_equal(r.c.setup.stop, STOP_HORIZON);
	assert_int_equal(r.c.setup.limit_ns, 500000 * MS);
	assert_int_equal(r.c.setup.release.kind, RELEASE_SPORADIC);
	assert_int_equal(r.c.setup.release.max_delay_ppm, 200000);
	assert_int_equal(r.c.setup.execution, EXECUTION_UNIFORM);
	assert_int_equal(r.c.setup.on_miss, MISS_DROP);
	assert_int_equal(r.c.setup.ties, TIES_LOWER_FIRST);
	assert_int_equal(r.c.record, RECORD_JOBS);
	assert_int_equal(r.c.detail, RECORD_BLOCKS);
	assert_true(r.c.detail_on_miss);
	assert_int_equal(r.c.detail_set_count, 2);
	assert_int_equal(r.c.detail_sets[1], 3);
	reading_finish(&r);
}

TEST("analyses")
{
	struct reading r = reading(HEAD GENERATE
		"analyses:\n  - rtgpu\n  - {name: rtgpu, form: start-time, policy: {name: rtgpu, "
		"search: grid}}\n  - {policy: stgm, name: stgm, blocking: "
		"textbook}\nbounds: true\n");
	assert_string_equal(r.said, "");
	assert_int_equal(r.c.policy_count, 0);
	assert_int_equal(r.c.analysis_count, 3);
	assert_true(r.c.bounds);
	assert_string_equal(r.c.analyses[0].use.analysis->name, "rtgpu");
	assert_null(r.c.analyses[0].policy.policy);
	assert_int_equal(params_choice(&r.c.analyses[1].use.params, "form"), 1);
	assert_string_equal(r.c.analyses[1].policy.policy->name, "rtgpu");
	assert_int_equal(params_choice(&r.c.analyses[1].policy.params, "search"), 1);
	assert_string_equal(r.c.analyses[2].use.analysis->name, "stgm");
	assert_string_equal(r.c.analyses[2].policy.policy->name, "stgm");
	assert_int_equal(params_choice(&r.c.analyses[2].use.params, "blocking"), 1);
	reading_finish(&r);
	r = reading(HEAD GENERATE TAIL "analyses: [fp]\n");
	assert_string_equal(r.said, "");
	assert_false(r.c.bounds);
	reading_finish(&r);
}

/* ---- the grid ---- */

static void assert_point(const struct campaign *c, uint32_t point, const char *text)
{
	struct text out = {0};
	campaign_point_text(c, point, &out);
	assert_string_equal(text_data(&out), text);
	text_finish(&out);
}

/* In the order of the file, the last option fastest. */
TEST("grid order")
{
	struct reading r =
		reading(HEAD "generate: {recipe: custom, utilisation: [20%, 50%], sections: 2, tasks: [3, 5, "
			     "7]}\n" PLATFORMS TAIL);
	assert_string_equal(r.said, "");
	assert_int_equal(r.c.points, 6);
	assert_point(&r.c, 0, "utilisation=20% tasks=3");
	assert_point(&r.c, 1, "utilisation=20% tasks=5");
	assert_point(&r.c, 3, "utilisation=50% tasks=3");
	assert_point(&r.c, 5, "utilisation=50% tasks=7");
	struct params params;
	campaign_point(&r.c, 5, &params);
	assert_int_equal(params_integer(&params, "tasks"), 7);
	assert_int_equal(params_integer(&params, "sections"), 2);
	assert_int_equal(recipe_target_utilisation(&params), 500000);
	campaign_point(&r.c, 0, &params);
	assert_int_equal(params_integer(&params, "tasks"), 3);
	reading_finish(&r);
}

/* For an option that is a list, a list is its value, and a list of lists spans the grid. For a range, a list
 * spans the grid. */
TEST("lists of lists")
{
	struct reading r = reading(
		HEAD "generate: {recipe: custom, kernel: grid, grid: [[4, 8], [16]], block: [64, 128], cpu: "
		     "[1ms..2ms, 3ms]}\n" PLATFORMS TAIL);
	assert_string_equal(r.said, "");
	assert_int_equal(r.c.axis_count, 2);
	assert_point(&r.c, 0, "grid=4,8 cpu=1ms..2ms");
	assert_point(&r.c, 3, "grid=16 cpu=3ms");
	struct params params;
	int64_t blocks[4];
	campaign_point(&r.c, 3, &params);
	assert_int_equal(params_list(&params, "block", blocks, 4), 2);
	reading_finish(&r);
}

/* ---- horizons ---- */

static void assert_horizon(const char *run, int64_t horizon_ns, int64_t limit_ns)
{
	char text[400];
	struct task tasks[2] = {
		{.period_ns = 4 * MS, .offset_ns = 3 * MS}, {.period_ns = 6 * MS, .offset_ns = 1 * MS}};
	const struct taskset set = {.tasks = tasks, .task_count = 2};
	struct run_setup setup;
	struct error err;
	snprintf(text, sizeof(text), HEAD GENERATE "policies: [rm]\nrun: %s\n", run);
	struct reading r = reading(text);
	assert_string_equal(r.said, "");
	assert_true(campaign_setup(&r.c, &set, &setup, &err));
	assert_int_equal(setup.horizon_ns, horizon_ns);
	assert_int_equal(setup.limit_ns, limit_ns);
	reading_finish(&r);
}

TEST("horizons")
{
	assert_horizon("{horizon: 5ms}", 5 * MS, 50 * MS);
	assert_horizon("{horizon: {periods: 10}}", 63 * MS, 630 * MS);
	assert_horizon("{horizon: {hyperperiods: 2}, limit: 40ms}", 27 * MS, 40 * MS);
}

TEST("horizons of a set that are too long")
{
	struct task task = {.period_ns = INT64_MAX / 4};
	const struct taskset set = {.tasks = &task, .task_count = 1};
	struct run_setup setup;
	struct error err;
	struct reading r = reading(HEAD GENERATE "policies: [rm]\nrun: {horizon: {periods: 9}}\n");
	assert_false(campaign_setup(&r.c, &set, &setup, &err));
	assert_string_equal(err.text, "9 periods are longer than 2000000000s");
	reading_finish(&r);
	r = reading(HEAD GENERATE "policies: [rm]\nrun: {horizon: {periods: 9}, limit: 1ns}\n");
	task.period_ns = MS;
	assert_false(campaign_setup(&r.c, &set, &setup, &err));
	assert_string_equal(err.text, "'limit' is shorter than the horizon");
	reading_finish(&r);
}

/* ---- what is wrong ---- */

TEST("wrong generators")
{
	assert_says(HEAD "generate: {recipe: custm}\n" PLATFORMS TAIL,
		"f.yaml:3:20: error: no recipe is called \"custm\"; did you mean 'custom'?\n");
	assert_says(HEAD "generate: {tasks: 3}\n" PLATFORMS TAIL,
		"f.yaml:3:11: error: 'recipe' is missing here\n");
	assert_says(HEAD "generate: custom\n" PLATFORMS TAIL,
		"f.yaml:3:11: error: 'generate' wants {recipe: NAME, option: value, ...}, got \"custom\"\n");
	assert_says(HEAD "generate: {recipe: custom, task: 3}\n" PLATFORMS TAIL,
		"f.yaml:3:28: error: recipe 'custom' has no option 'task'; did you mean 'tasks'?\n");
	assert_says(HEAD "generate: {recipe: custom, tasks: [3, x, 5, 3]}\n" PLATFORMS TAIL,
		"f.yaml:3:39: error: recipe 'custom': 'tasks' wants a whole number from 1 to "
		"1000, got \"x\"\n"
		"f.yaml:3:45: error: 'tasks' has the value 3 twice\n");
	assert_says(HEAD "generate: {recipe: custom, tasks: []}\n" PLATFORMS TAIL,
		"f.yaml:3:35: error: 'tasks' is an empty list\n");
	assert_says(HEAD "generate: {recipe: custom, tasks: 3, tasks: 4}\n" PLATFORMS TAIL,
		"f.yaml:3:38: error: 'tasks' is given twice\n");
}

TEST("wrong in all")
{
	assert_says("[]", "f.yaml:1:1: error: a campaign is a mapping that begins with 'cegsim-campaign: 1'; "
			  "this is a list\n");
	assert_says("cegsim-campaign: 2\nsets: 0\n" GENERATE "policies: [rn]\nrun: {}\n",
		"f.yaml:1:18: error: 'cegsim-campaign' is \"2\"; this program reads version 1 of "
		"campaign files\n"
		"f.yaml:2:7: error: 'sets' is 0; it must be 1 to 2147483647\n"
		"f.yaml:5:12: error: no policy is called \"rn\"; did you mean 'rm'?\n"
		"f.yaml:6:6: error: 'horizon' is missing here\n");
	assert_says(HEAD GENERATE
		"policies: [rm]\nrun: {horizon: 4ms, limit: 3ms, release: {trace: x.csv}}\n",
		"f.yaml:6:28: error: 'limit' is shorter than the horizon\n"
		"f.yaml:6:42: error: a campaign's sets are generated: they have no trace file\n");
	assert_says(HEAD GENERATE "policies: [rm]\nrun: {horizon: {period: 3}}\n",
		"f.yaml:6:16: error: periods or hyperperiods is missing here\n"
		"f.yaml:6:17: error: unknown key \"period\"; did you mean 'periods'?\n");
}

TEST("wrong analyses")
{
	assert_says(HEAD GENERATE "run: {horizon: 4ms}\n",
		"f.yaml:1:1: error: 'policies' or 'analyses' is missing here\n");
	assert_says(HEAD GENERATE "policies: [rm]\nanalyses: [fp]\n",
		"f.yaml:1:1: error: 'run' is missing here\n");
	assert_says(HEAD GENERATE "analyses: []\nbounds: [true]\n",
		"f.yaml:5:11: error: 'analyses' is empty\n"
		"f.yaml:6:9: error: 'bounds' is true or false, got a list\n");
	assert_says(HEAD GENERATE
		"analyses: [rtgu, {form: published}, [fp], {name: fp, methode: x, policy: rn}]\n",
		"f.yaml:5:12: error: no analysis is called \"rtgu\"; did you mean 'rtgpu'?\n"
		"f.yaml:5:18: error: 'name' is missing here\n"
		"f.yaml:5:37: error: 'analyses' wants names or {name: rtgpu, form: start-time}, got a list\n"
		"f.yaml:5:54: error: analysis 'fp' has no option 'methode'; did you mean 'method'?\n"
		"f.yaml:5:74: error: no policy is called \"rn\"; did you mean 'rm'?\n");
	assert_says(HEAD GENERATE "analyses: [fp, {name: fp, policy: rm}, {name: fp, policy: {name: rm}}]\n",
		"f.yaml:5:40: error: 'fp' is listed twice with the same options and policy\n");
}

TEST("wrong details")
{
	assert_says(HEAD GENERATE TAIL "detail: {record: jobs}\n",
		"f.yaml:7:9: error: 'when' or 'sets' is missing here\n");
	assert_says(HEAD GENERATE TAIL "detail: {record: summary, when: first-miss}\n",
		"f.yaml:7:18: error: the detail is not finer than what all runs record, summary\n");
	assert_says(HEAD GENERATE TAIL "detail: {record: jobs, sets: [9, 10]}\n",
		"f.yaml:7:34: error: every point has sets 0 to 9\n");
}

TEST("too large")
{
	assert_says(
		"cegsim-campaign: 1\nsets: 2147483647\ngenerate: {recipe: custom, tasks: [3, 4]}\n" PLATFORMS
			TAIL,
		"f.yaml:2:7: error: 2 points of 2147483647 sets are more than 4000000000 sets\n");
	assert_says(HEAD GENERATE "replications: 1000000\npolicies: [rm, fcfs]\nrun: {horizon: 1ms}\n",
		"f.yaml:5:15: error: every set would be run or analysed more than 1000000 times\n");
}

/* A grid is refused if none of its points has a set; if some have one, it is accepted. */
TEST("points without sets")
{
	struct reading r =
		reading(HEAD "generate: {recipe: custom, method: randfixedsum, tasks: 2, utilisation: [300%, "
			     "500%]}\n" PLATFORMS TAIL);
	assert_false(r.ok);
	assert_non_null(
		strstr(r.said, "f.yaml:3:11: error: no set can be made, e.g. with utilisation=300%: "));
	reading_finish(&r);
	r = reading(HEAD "generate: {recipe: custom, method: randfixedsum, tasks: 2, utilisation: [300%, "
			 "50%]}\n" PLATFORMS TAIL);
	assert_true(r.ok);
	reading_finish(&r);
}

/* ---- what is shipped ---- */

TEST("shipped campaigns")
{
	char path[4096];
	const char *root = getenv("CEGSIM_SOURCE_ROOT");
	int campaigns = 0;
	snprintf(path, sizeof(path), "%s/scenarios/campaigns", root ? root : ".");
	DIR *dir = opendir(path);
	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
		struct campaign c;
		struct diagnostics d;
		if (!strstr(entry->d_name, ".yaml"))
			continue;
		snprintf(path, sizeof(path), "%s/scenarios/campaigns/%s", root ? root : ".", entry->d_name);
		diagnostics_init(&d, path);
		bool ok = campaign_read(path, &c, &d);
		diagnostics_print(&d, stderr);
		assert_true(ok);
		assert_true(c.policy_count + c.analysis_count >= 2);
		diagnostics_finish(&d);
		campaign_finish(&c);
		campaigns++;
	}
	closedir(dir);
	assert_true(campaigns >= 9);
}

TEST("schema")
{
	struct text out = {0};
	struct error err;
	campaign_schema(&out);
	assert_true(text_ok(&out, "the schema", &err));
	assert_non_null(strstr(text_data(&out), "\"rtgpu-table1\""));
	text_finish(&out);
}
