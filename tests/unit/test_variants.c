/* tests/unit/test_variants.c - campaigns with a scenario of one's own: paths, values, points of the grid, and
 * what is wrong with them, each at its place in the campaign. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/campaign_file.h"
#include "tests/support/test.h"

#define MS INT64_C(1000000)

/* In a recording: so no test needs a file. */
static const char scenario[] = "cegsim: 1\n"
			       "time_unit: ms\n"
			       "horizon: 400\n"
			       "seed: 9\n"
			       "platform: {preset: jetson-tx1, copy: {bandwidth: 10GB/s, latency: 8us}}\n"
			       "profiles: {mmul: {time: [34ms, 17ms, 12ms, 9ms, 8ms, 7ms, 6ms, 5ms]}}\n"
			       "tasks:\n"
			       "  - name: camera\n"
			       "    period: 33\n"
			       "    deadline: 30\n"
			       "    segments:\n"
			       "      - {cpu: [0.5, 2]}\n"
			       "      - {copy: to_gpu, bytes: 4MiB}\n"
			       "      - {kernel: {grid: 64, block: 256, block_time: 1.2}}\n"
			       "  - name: camera.rear\n"
			       "    period: 50\n"
			       "    segments: [{cpu: 1}, {kernel: {profile: mmul}}]\n"
			       "policies: [fifo-cke, {name: rm, unit: kernel}, rm]\n";

struct reading {
	struct campaign c;
	struct diagnostics diagnostics;
	char *said;
	bool ok;
};

static struct reading read_with(const char *text, const char *own)
{
	struct reading r;
	size_t size;
	diagnostics_init(&r.diagnostics, "c.yaml");
	r.ok = campaign_read_stored("c.yaml", text, strlen(text), own, &r.c, &r.diagnostics);
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

static struct reading accepted(const char *text)
{
	struct reading r = read_with(text, scenario);
	assert_string_equal(r.said, "");
	assert_true(r.ok);
	return r;
}

static void assert_says(const char *text, const char *said)
{
	struct reading r = read_with(text, scenario);
	assert_string_equal(r.said, said);
	assert_int_equal(r.c.status, STATUS_INPUT);
	reading_finish(&r);
}

static struct scenario at(struct reading *r, uint32_t point)
{
	struct scenario s;
	struct error err;
	const struct stored_files stored = {0};
	if (!campaign_scenario(&r->c, point, &stored, &s, &err))
		fail_msg("%s", err.text);
	return s;
}

#define HEAD "cegsim-campaign: 1\ngenerate:\n  recipe: scenario\n  file: av.yaml\n"
#define SET HEAD "  set:\n    "

/* ---- points ---- */

TEST("without values there is one point: the scenario, its policies and its seed")
{
	struct reading r = accepted(HEAD "replications: 7\n");
	assert_int_equal(r.c.points, 1);
	assert_int_equal(r.c.sets, 7);
	assert_int_equal(r.c.replications, 1);
	assert_int_equal(r.c.policy_count, 3);
	assert_string_equal(r.c.policies[1].policy->name, "rm");
	assert_int_equal(r.c.setup.seed, 9);
	struct scenario s = at(&r, 0);
	assert_int_equal(s.set.task_count, 2);
	assert_int_equal(s.setup.horizon_ns, 400 * MS);
	scenario_finish(&s);
	reading_finish(&r);
}

TEST("the last axis changes fastest, and every value is where its path leads")
{
	struct reading r = accepted(SET "platform.preset: [jetson-tx1, jetson-agx-xavier]\n"
					"    tasks.camera.period: [33, 40ms, 50]\n"
					"    tasks.1.period: 60\n"
					"    tasks.camera.segments.0.cpu: [[1, 3]]\n"
					"    execution: {scale: 50%}\n"
					"seed: 3\npolicies: [{name: rm, unit: kernel}]\n");
	assert_int_equal(r.c.points, 6);
	assert_int_equal(r.c.setup.seed, 3);
	struct scenario s = at(&r, 4);
	assert_int_equal(s.platform.sms, 8);
	assert_int_equal(s.platform.copy_bandwidth, INT64_C(10000000000));
	assert_int_equal(s.set.tasks[0].period_ns, 40 * MS);
	assert_int_equal(s.set.tasks[1].period_ns, 60 * MS);
	assert_int_equal(s.set.tasks[0].segments[0].best_ns, MS);
	assert_int_equal(s.set.tasks[0].segments[0].worst_ns, 3 * MS);
	assert_int_equal(s.setup.execution, EXECUTION_SCALED);
	assert_int_equal(s.setup.seed, 3);
	assert_int_equal(s.policy_count, 1);
	scenario_finish(&s);
	struct text text = {0};
	campaign_point_text(&r.c, 4, &text);
	assert_string_equal(text_data(&text), "platform.preset=jetson-agx-xavier tasks.camera.period=40ms");
	text_clear(&text);
	campaign_scenario_origin(&r.c, 0, &text);
	assert_string_equal(text_data(&text),
		"{\"recipe\":\"scenario\",\"version\":1,\"seed\":3,\"options\":{\"file\":\"av.yaml\","
		"\"platform.preset\":\"jetson-tx1\",\"tasks.camera.period\":33,\"tasks.1.period\":60,"
		"\"tasks.camera.segments.0.cpu\":\"[1, 3]\",\"execution\":\"{scale: 50%}\"}}");
	text_finish(&text);
	reading_finish(&r);
}

TEST("paths go through names with dots, words that become mappings, and what is not there yet")
{
	struct reading r = accepted(SET "tasks.camera.rear.deadline: 45\n"
					"    tasks.camera.segments.2.grid: 8\n"
					"    tasks.camera.segments.2.kernel.registers: 16\n"
					"    profiles.mmul.time: [[30ms, 15ms, 1ms]]\n"
					"    release.sporadic.max_delay: 20%\n"
					"    platform.power.static: 1W\n"
					"    policies.fifo-cke.order: release\n"
					"    policies.2.unit: [section]\n");
	struct scenario s = at(&r, 0);
	assert_int_equal(s.set.tasks[1].deadline_ns, 45 * MS);
	assert_int_equal(s.set.tasks[0].deadline_ns, 30 * MS);
	assert_int_equal(s.set.tasks[0].segments[2].grid, 8);
	assert_int_equal(s.set.tasks[0].segments[2].registers, 16);
	assert_int_equal(s.set.profiles[0].worst_ns[0], 30 * MS);
	assert_int_equal(s.setup.release.kind, RELEASE_SPORADIC);
	assert_int_equal(s.platform.static_uw, 1000000);
	assert_int_equal(params_choice(&s.policies[0].params, "order"), 1);
	assert_int_equal(params_choice(&s.policies[2].params, "unit"), 0);
	scenario_finish(&s);
	reading_finish(&r);
}

TEST("a mapping in place of a mapping, and a value inside of it")
{
	struct reading r = accepted(SET "platform: [{gpu: {sms: 3}, copy: {bandwidth: 1GB/s}}]\n"
					"    platform.gpu.sms: [4, 5]\n"
					"    profiles: {mmul: {time: [9ms, 8ms, 7ms, 6ms, 5ms]}}\n");
	struct scenario s = at(&r, 1);
	assert_int_equal(s.platform.sms, 5);
	assert_int_equal(s.platform.copy_bandwidth, INT64_C(1000000000));
	assert_int_equal(s.set.profiles[0].worst_ns[0], 9 * MS);
	scenario_finish(&s);
	reading_finish(&r);
}

/* ---- errors ---- */

TEST("a wrong path names the nearest key or name")
{
	assert_says(SET "platform.copy.bandwith: 1GB/s\n"
			"    plattform.preset: titan-v\n"
			"    tasks.camra.period: [1, 2]\n"
			"    tasks.2.period: 5\n"
			"    tasks.camera.segments.3.cpu: 1\n"
			"    tasks.camera.segments.0.grid: 1\n"
			"    profiles.mul.time: [[1ms]]\n"
			"    tasks.camera.period.x: 1\n"
			"    policies.fcfs.unit: kernel\n"
			"    policies.rm.unit: kernel\n"
			"    platform.: 3\n"
			"    warp.kernels.K1.blocks: 3\n",
		"c.yaml:6:5: error: platform.copy.bandwith: 'copy' has no 'bandwith'; did you mean "
		"'bandwidth'?\n"
		"c.yaml:7:5: error: plattform.preset: the scenario has no 'plattform'; did you mean "
		"'platform'?\n"
		"c.yaml:8:5: error: tasks.camra.period: nothing in 'tasks' is called 'camra'; did you mean "
		"'camera'?\n"
		"c.yaml:9:5: error: tasks.2.period: 'tasks' has no item 2; it has 2, counted from 0\n"
		"c.yaml:10:5: error: tasks.camera.segments.3.cpu: 'segments' has no item 3; it has 3, "
		"counted "
		"from 0\n"
		"c.yaml:11:5: error: tasks.camera.segments.0.grid: '0' of 'segments' has no 'grid'\n"
		"c.yaml:12:5: error: profiles.mul.time: 'profiles' has no 'mul'; did you mean 'mmul'?\n"
		"c.yaml:13:5: error: tasks.camera.period.x: 'period' is one value, with nothing called "
		"'x' in "
		"it\n"
		"c.yaml:14:5: error: policies.fcfs.unit: nothing in 'policies' is called 'fcfs'\n"
		"c.yaml:15:5: error: policies.rm.unit: several are called 'rm'; say which by its "
		"number, counted "
		"from 0\n"
		"c.yaml:16:5: error: platform.: a path such as platform.copy.bandwidth is wanted\n"
		"c.yaml:17:5: error: warp.kernels.K1.blocks: the scenario has no 'kernels'\n");
}

TEST("a wrong value is reported at its place, with the scenario's key, and once for all points")
{
	assert_says(SET "platform.copy.bandwidth: [1GB/s, fast, 0]\n"
			"    tasks.camera.period: [40, 0]\n"
			"    tasks.camera.priority: [1, 2]\n"
			"    policies.0.odrer: head\n",
		"c.yaml:6:38: error: platform.copy.bandwidth: 'bandwidth' wants a bandwidth such as "
		"10GB/s, got "
		"\"fast\"\n"
		"c.yaml:6:44: error: platform.copy.bandwidth: 'bandwidth' is 0B/s; it must be at least 1B/s\n"
		"c.yaml:7:31: error: tasks.camera.period: 'period' is 0ns; it must be at least 1ns\n"
		"c.yaml:8:29: error: with tasks.camera.priority=1, av.yaml:15:5: 'priority' is missing here: "
		"either all tasks have one (as that in line 8) or none\n"
		"c.yaml:8:32: error: with tasks.camera.priority=2, av.yaml:15:5: 'priority' is missing here: "
		"either all tasks have one (as that in line 8) or none\n"
		"c.yaml:9:5: error: policies.0.odrer: policy 'fifo-cke' has no option 'odrer'; did you mean "
		"'order'?\n");
}

TEST("a value with which another part of the scenario is wrong is the one that is blamed")
{
	assert_says(SET "horizon: [500, 600]\n"
			"    platform.gpu.threads_per_sm: [2048, 128]\n"
			"    limit: 550\n",
		"c.yaml:7:41: error: with platform.gpu.threads_per_sm=128, av.yaml:14:18: a block of "
		"this kernel "
		"does not fit an empty SM: it exceeds the threads per SM (256 threads, 8 warps, 0 "
		"registers, 0 "
		"bytes of shared memory)\n"
		"c.yaml:8:12: error: limit: 'limit' is shorter than the horizon, 600ms\n");
}

TEST("keys that have another place, values given twice, and empty lists")
{
	assert_says(
		"cegsim-campaign: 1\nsets: 3\ntime_unit: ms\nrun: {horizon: 2}\nplatforms: [{preset: "
		"titan-v}]\n"
		"generate: {recipe: scenario, file: av.yaml, sett: 1, platform: 2, set: {seed: 2, policies: "
		"[[rm]], horizon: [], tasks.0.period: [33, 33], tasks.0.period: 5, limit: 3s, limit: 3s}}\n",
		"c.yaml:2:7: error: 'sets' does not go with recipe 'scenario': there is one set, the "
		"scenario's; "
		"'replications' runs it with other draws\n"
		"c.yaml:3:12: error: 'time_unit' does not go with recipe 'scenario': the times in 'set' "
		"are in that "
		"of the scenario\n"
		"c.yaml:4:6: error: 'run' does not go with recipe 'scenario': the scenario says it; "
		"'set' has other "
		"values, such as horizon or execution\n"
		"c.yaml:5:12: error: 'platforms' does not go with recipe 'scenario': the machine is the "
		"scenario's; 'set' has others, such as platform.preset\n"
		"c.yaml:6:45: error: recipe 'scenario' has no option \"sett\"; did you mean 'set'?\n"
		"c.yaml:6:54: error: recipe 'scenario' has no option \"platform\"; values of the "
		"scenario go inside "
		"of 'set'\n"
		"c.yaml:6:73: error: 'seed' is not set here: the campaign says it, in 'seed' and "
		"'replications'\n"
		"c.yaml:6:82: error: 'policies' is not set here: the campaign lists them, in "
		"'policies'; an option "
		"of one is policies.NAME.OPTION, such as policies.fifo-cke.order\n"
		"c.yaml:6:109: error: 'horizon' is an empty list\n"
		"c.yaml:6:134: error: 'tasks.0.period' has the value 33 twice\n"
		"c.yaml:6:139: error: 'tasks.0.period' is given twice\n"
		"c.yaml:6:169: error: 'limit' is given twice\n");
}

TEST("a path that is set again under another name")
{
	assert_says(SET "tasks.camera.deadline: [10, 20]\n    tasks.0.deadline: 12\n",
		"c.yaml:6:5: error: tasks.camera.deadline: another path that is set below replaces this "
		"value\n");
}

TEST("the scenario must be there, and sound by itself")
{
	static const char text[] = SET "tasks.camera.deadline: 20\n";
	struct reading r = read_with(text, NULL);
	assert_string_equal(
		r.said, "c.yaml:4:9: error: the recording does not hold the scenario 'av.yaml'\n");
	reading_finish(&r);
	r = read_with(text, "cegsim: 1\nhorizon: 4\ntasks: []\n");
	assert_string_equal(r.said,
		"c.yaml:4:9: error: av.yaml:2:10: 'horizon' wants a duration such as 250us or 1.5ms, "
		"got \"4\"; or "
		"set time_unit: ms, for all times of the file\n"
		"c.yaml:4:9: error: av.yaml:3:8: 'tasks' is empty\n");
	reading_finish(&r);
	diagnostics_init(&r.diagnostics, "c.yaml");
	assert_false(campaign_read_text("/nonexistent/c.yaml", text, strlen(text), &r.c, &r.diagnostics));
	assert_string_equal(r.diagnostics.items[0].text,
		"/nonexistent/av.yaml cannot be opened: No such file or directory");
	diagnostics_finish(&r.diagnostics);
	assert_says("cegsim-campaign: 1\ngenerate: {recipe: scenario}\n",
		"c.yaml:2:11: error: 'file' is missing here: the scenario, such as av.yaml; or 'scenario': "
		"the scenario itself\n");
	assert_says("cegsim-campaign: 1\ngenerate: {recipe: senario, file: av.yaml}\npolicies: [rm]\n",
		"c.yaml:2:20: error: no recipe is called \"senario\"; did you mean 'scenario'?\n");
}

/* ---- the scenario in the campaign itself ---- */

#define ONE_TASK "      - {name: a, period: 8, segments: [{cpu: 1}]}\n"
#define INSIDE(rest)                                                                                         \
	"cegsim-campaign: 1\nseed: 5\npolicies: [fifo-cke, rm]\ngenerate:\n  recipe: scenario\n" rest        \
	"  scenario:\n    time_unit: ms\n    horizon: 40\n"                                                  \
	"    platform: {preset: jetson-tx1, copy: {bandwidth: 10GB/s}}\n    tasks:\n"

TEST("a scenario that stands in the campaign")
{
	struct reading r = accepted(INSIDE("  set: {tasks.a.period: [10, 20ms]}\n") ONE_TASK);
	assert_int_equal(r.c.points, 2);
	assert_int_equal(r.c.policy_count, 2);
	assert_int_equal(r.c.setup.seed, 5);
	struct scenario s = at(&r, 1);
	assert_string_equal(s.name, "c");
	assert_int_equal(s.set.tasks[0].period_ns, 20 * MS);
	assert_int_equal(s.setup.horizon_ns, 40 * MS);
	assert_int_equal(s.setup.seed, 5);
	scenario_finish(&s);
	struct text json = {0};
	campaign_scenario_origin(&r.c, 1, &json);
	assert_string_equal(text_data(&json), "{\"recipe\":\"scenario\",\"version\":1,\"seed\":5,\"options\":"
					      "{\"tasks.a.period\":\"20ms\"}}");
	text_finish(&json);
	reading_finish(&r);
}

TEST("its mistakes are reported where they are")
{
	assert_says(INSIDE("") "      - {name: a, perod: 8, segments: [{cpu: 1x}]}\n",
		"c.yaml:11:9: error: 'period' is missing here\n"
		"c.yaml:11:19: error: unknown key \"perod\"; did you mean 'period'?\n"
		"c.yaml:11:46: error: 'cpu' wants a duration such as 250us or 1.5ms, got \"1x\"\n");
	assert_says(INSIDE("") ONE_TASK "    policies: [rm]\n    record: jobs\n    seed: 3\n",
		"c.yaml:12:5: error: 'policies' is not given inside of 'scenario': the campaign has it\n"
		"c.yaml:13:5: error: 'record' is not given inside of 'scenario': the campaign has it\n"
		"c.yaml:14:5: error: 'seed' is not given inside of 'scenario': the campaign has it\n");
	assert_says(INSIDE("  set: {horizon: [10, 30], limit: 20}\n") ONE_TASK,
		"c.yaml:6:35: error: limit: 'limit' is shorter than the horizon, 30ms\n");
	assert_says(INSIDE("  file: av.yaml\n") ONE_TASK,
		"c.yaml:5:3: error: 'file' and 'scenario' are both given: one is enough\n");
	assert_says("cegsim-campaign: 1\npolicies: [rm]\ngenerate: {recipe: scenario, scenario: av.yaml}\n",
		"c.yaml:3:40: error: 'scenario' wants a scenario, such as {horizon: 1s, platform: ..., "
		"tasks: ...}, got \"av.yaml\"; the name of a file goes into 'file'\n");
}

TEST("policies must be somewhere, and wrong ones are reported once")
{
	char own[sizeof(scenario)];
	snprintf(own, sizeof(own), "%s", scenario);
	*strstr(own, "policies:") = '\0';
	struct reading r = read_with(HEAD, own);
	assert_string_equal(r.said, "c.yaml:1:1: error: 'policies' or 'analyses' is missing here, and the "
				    "scenario has no policies\n");
	reading_finish(&r);
	assert_says(SET "tasks.0.offset: [0, 1]\npolicies: [rm, fifo-cek]\n",
		"c.yaml:7:16: error: no policy is called \"fifo-cek\"; did you mean 'fifo-cke'?\n");
}

TEST("more points than all can be read before the first run")
{
	struct text text = {0};
	text_add(&text, HEAD "  set:\n");
	for (int axis = 0; axis < 2; axis++) {
		text_printf(&text, "    tasks.%d.offset: [", axis);
		for (int i = 0; i < 317; i++)
			text_printf(&text, "%s%d", i ? ", " : "", i);
		text_add(&text, "]\n");
	}
	assert_says(text_data(&text), "c.yaml:3:3: error: the grid has more than 100000 points\n");
	text_finish(&text);
}
