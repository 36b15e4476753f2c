/* tests/unit/test_scenario.c - scenario files: everything in the format, the defaults, checks across values,
 * release traces. */
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/presets.h"
#include "tests/support/test.h"
#include "tests/unit/scenario_reading.h"

#define MS INT64_C(1000000)

static void assert_says(const char *text, const char *said)
{
	struct reading r = reading("f", text);
	assert_string_equal(r.said, said);
	assert_int_equal(r.s.status, STATUS_INPUT);
	assert_null(r.s.text);
	reading_finish(&r);
}

#define HEAD "cegsim: 1\ntime_unit: ms\nhorizon: 40\n"
#define TASK "tasks: [{name: t1, period: 10, segments: [{cpu: 1}]}]\n"

/* ---- The format ---- */

/* clang-format off */
static const char example[] =
	"cegsim: 1\n"
	"name: example\n"
	"tasks:\n"
	"  - {name: t1, period: 8, segments: [{kernel: {grid: 1, block: 1024, block_time: 3.8}}], "
	"priority: -3}\n"
	"  - name: t2\n"
	"    period: 33\n"
	"    deadline: 30\n"
	"    offset: 1\n"
	"    priority: 2\n"
	"    release: periodic\n"
	"    stream: 5\n"
	"    stream_priority: high\n"
	"    segments:\n"
	"      - {cpu: [0.5, 2]}\n"
	"      - {copy: to_gpu, bytes: 4MiB, stream: null}\n"
	"      - {kernel: {work: [8, 10], overhead: 0.5, interleave: vectoradd, power: 300mW, "
	"stream_priority: low}}\n"
	"      - {copy: both, time: [1, 1500us]}\n"
	"      - {kernel: {profile: mmul, stream: 7}}\n"
	"      - {kernel: {grid: 9, block: 33, block_time: [1, 2], registers: 40, shared_memory: 2KiB, "
	"power: 1W}}\n"
	"      - {kernel: {work: 3, interleave: {4: 3.1, 2: 1.75}}}\n"
	"policies: [fifo-cke, {name: fifo-cke, order: release}, {unit: kernel, name: rm}]\n"
	"profiles: {mmul: {time: [34, 17], total_power: [58W, 61W]}, p2: {time: [2], best_time: [1]}}\n"
	"platform: {preset: jetson-tx1, gpu: {pool: gpu, work_queues: 8, pin_overhead: 3us},\n"
	"  copy: {engines: unlimited, bandwidth: 10GB/s, latency: 8us}, power: {static: 1W, "
	"idle_per_sm: 50mW}}\n"
	"record: blocks\n"
	"release: {sporadic: {max_delay: 20%}}\n"
	"execution: {scale: 0.8}\n"
	"on_miss: abort\n"
	"ties: lower-first\n"
	"stop: horizon\n"
	"seed: 9007199254740993\n"
	"limit: 1s\n"
	"horizon: 40\n"
	"time_unit: ms\n";
/* clang-format on */

static void assert_segment(const struct segment *s, enum segment_kind kind, int64_t best, int64_t worst)
{
	assert_int_equal(s->kind, kind);
	assert_int_equal(s->best_ns, best);
	assert_int_equal(s->worst_ns, worst);
}

TEST("the platform and the setup are read")
{
	struct reading r = reading("x.yaml", example);
	assert_string_equal(r.said, "");
	const struct platform *p = &r.s.platform;
	assert_string_equal(p->name, "jetson-tx1");
	assert_int_equal(p->engines, ENGINES_UNLIMITED);
	assert_int_equal(p->copy_bandwidth, INT64_C(10000000000));
	assert_int_equal(p->copy_latency_ns, 8000);
	assert_int_equal(p->pool, POOL_GPU);
	assert_int_equal(p->sms, 2);
	assert_int_equal(p->threads_per_sm, 2048);
	assert_int_equal(p->work_queues, 8);
	assert_int_equal(p->pin_overhead_ns, 3000);
	assert_int_equal(p->static_uw, 1000000);
	assert_int_equal(p->idle_per_sm_uw, 50000);

	const struct run_setup *setup = &r.s.setup;
	assert_int_equal(setup->horizon_ns, 40 * MS);
	assert_int_equal(setup->limit_ns, 1000 * MS);
	assert_int_equal(setup->stop, STOP_HORIZON);
	assert_int_equal(setup->seed, INT64_C(9007199254740993));
	assert_int_equal(setup->release.kind, RELEASE_SPORADIC);
	assert_int_equal(setup->release.max_delay_ppm, 200000);
	assert_int_equal(setup->execution, EXECUTION_SCALED);
	assert_int_equal(setup->scale_ppm, 800000);
	assert_int_equal(setup->on_miss, MISS_ABORT);
	assert_int_equal(setup->ties, TIES_LOWER_FIRST);
	assert_int_equal(setup->set, 0);

	assert_int_equal(r.s.record, RECORD_BLOCKS);
	assert_true(r.s.record_given);
	assert_string_equal(r.s.name, "example");
	assert_string_equal(r.s.set.name, "example");
	assert_string_equal(r.s.text, example);
	assert_int_equal(r.s.text_length, sizeof(example) - 1);
	reading_finish(&r);
}

TEST("tasks and segments are read")
{
	struct reading r = reading("x.yaml", example);
	const struct taskset *set = &r.s.set;
	assert_int_equal(set->task_count, 2);
	assert_true(set->priorities);
	const struct task *t1 = &set->tasks[0], *t2 = &set->tasks[1];
	assert_string_equal(t1->name, "t1");
	assert_int_equal(t1->deadline_ns, 8 * MS);
	assert_int_equal(t1->priority, -3);
	assert_null(t1->release);
	assert_int_equal(t1->segments[0].stream, STREAM_OWN);
	assert_false(t1->segments[0].stream_high);
	assert_int_equal(t2->period_ns, 33 * MS);
	assert_int_equal(t2->deadline_ns, 30 * MS);
	assert_int_equal(t2->offset_ns, MS);
	assert_int_equal(t2->priority, 2);
	assert_non_null(t2->release);
	assert_int_equal(t2->release->kind, RELEASE_PERIODIC);

	const struct segment *s = t2->segments;
	assert_int_equal(t2->segment_count, 7);
	assert_segment(&s[0], SEGMENT_CPU, MS / 2, 2 * MS);
	assert_segment(&s[1], SEGMENT_COPY, 427431, 427431); /* 8 us + ceil(4194304 / 10 per ns) */
	assert_int_equal(s[1].direction, COPY_TO_GPU);
	assert_int_equal(s[1].bytes, 4194304);
	assert_int_equal(s[1].stream, STREAM_NULL);
	assert_true(s[1].stream_high); /* as the task says */
	assert_segment(&s[2], SEGMENT_KERNEL, 8 * MS, 10 * MS);
	assert_int_equal(s[2].form, KERNEL_WORK);
	assert_int_equal(s[2].overhead_ns, MS / 2);
	assert_int_equal(s[2].interleaves, 1);
	assert_int_equal(s[2].interleave[0].virtual_sms, 2);
	assert_int_equal(s[2].interleave[0].numerator, 9);
	assert_int_equal(s[2].interleave[0].denominator, 5);
	assert_int_equal(s[2].power_uw, 300000);
	assert_int_equal(s[2].stream, 5); /* as the task says */
	assert_false(s[2].stream_high);
	assert_segment(&s[3], SEGMENT_COPY, MS, 3 * MS / 2);
	assert_int_equal(s[3].direction, COPY_BOTH);
	assert_int_equal(s[3].bytes, -1);
	assert_int_equal(s[4].form, KERNEL_PROFILE);
	assert_int_equal(s[4].profile, 0);
	assert_int_equal(s[4].stream, 7);
	assert_segment(&s[5], SEGMENT_KERNEL, MS, 2 * MS);
	assert_int_equal(s[5].form, KERNEL_GRID);
	assert_int_equal(s[5].grid, 9);
	assert_int_equal(s[5].block, 33);
	assert_int_equal(s[5].registers, 40);
	assert_int_equal(s[5].shared_memory, 2048);
	assert_int_equal(s[5].power_uw, 1000000);
	/* Ascending, whatever the order in the file. */
	assert_int_equal(s[6].interleaves, 2);
	assert_int_equal(s[6].interleave[0].virtual_sms, 2);
	assert_int_equal(s[6].interleave[0].numerator, 7);
	assert_int_equal(s[6].interleave[1].virtual_sms, 4);
	assert_int_equal(s[6].interleave[1].denominator, 10);
	reading_finish(&r);
}

TEST("profiles and policies are read")
{
	struct reading r = reading("x.yaml", example);
	char json[200];
	const struct taskset *set = &r.s.set;
	assert_int_equal(set->profile_count, 2);
	const struct profile *mmul = &set->profiles[0], *p2 = &set->profiles[1];
	assert_string_equal(mmul->name, "mmul");
	assert_int_equal(mmul->count, 2);
	assert_int_equal(mmul->worst_ns[1], 17 * MS);
	assert_int_equal(mmul->best_ns[1], 17 * MS);
	assert_int_equal(mmul->total_power_uw[0], 58000000);
	assert_int_equal(p2->best_ns[0], MS);
	assert_int_equal(p2->worst_ns[0], 2 * MS);
	assert_null(p2->total_power_uw);

	assert_int_equal(r.s.policy_count, 3);
	assert_string_equal(r.s.policies[0].policy->name, "fifo-cke");
	params_json(&r.s.policies[0].params, json, sizeof(json));
	assert_string_equal(json, "{\"order\":\"head\",\"priorities\":\"honour\"}");
	params_json(&r.s.policies[1].params, json, sizeof(json));
	assert_string_equal(json, "{\"order\":\"release\",\"priorities\":\"honour\"}");
	assert_string_equal(r.s.policies[2].policy->name, "rm");
	params_json(&r.s.policies[2].params, json, sizeof(json));
	assert_string_equal(json, "{\"unit\":\"kernel\"}");
	reading_finish(&r);
}

TEST("defaults hold where nothing is given")
{
	struct reading r = reading("some/where/small.set.yaml",
		"cegsim: 1\nhorizon: 40ms\ntasks: [{name: t1, period: 10ms, segments: [{cpu: 1ms}]}]\n");
	assert_true(r.ok);
	assert_string_equal(r.s.name, "small.set");
	assert_int_equal(r.s.setup.stop, STOP_DRAINED);
	assert_int_equal(r.s.setup.limit_ns, 400 * MS);
	assert_int_equal(r.s.setup.seed, 1);
	assert_int_equal(r.s.setup.release.kind, RELEASE_PERIODIC);
	assert_int_equal(r.s.setup.execution, EXECUTION_WORST);
	assert_int_equal(r.s.setup.on_miss, MISS_CONTINUE);
	assert_int_equal(r.s.setup.ties, TIES_TASK_ORDER);
	assert_int_equal(r.s.record, RECORD_JOBS);
	assert_false(r.s.record_given);
	assert_int_equal(r.s.policy_count, 0);
	assert_int_equal(r.s.platform.sms, 0);
	assert_int_equal(r.s.platform.engines, 1);
	assert_int_equal(r.s.platform.work_queues, 32);
	assert_false(r.s.set.priorities);
	reading_finish(&r);
}

/* JSON is YAML: a recorded or generated scenario may be written as JSON. */
TEST("JSON is read too")
{
	struct reading r = reading("a.json",
		"{\"cegsim\": 1, \"horizon\": \"40ms\", \"tasks\": [{\"name\": \"t1\",\n\t\"period\": "
		"\"10ms\", \"segments\": [{\"cpu\": [\"1ms\", \"2ms\"]}]}]}");
	assert_string_equal(r.said, "");
	assert_string_equal(r.s.name, "a");
	assert_int_equal(r.s.set.tasks[0].segments[0].worst_ns, 2 * MS);
	reading_finish(&r);
}

TEST("a preset is a default")
{
	struct reading r = reading("f", HEAD TASK
		"platform: {power: {static: 50W}, gpu: {sms: 23}, copy: {engines: 1}, preset: rtx-3070}\n");
	assert_true(r.ok);
	assert_int_equal(r.s.platform.sms, 23);
	assert_int_equal(r.s.platform.sms_per_tpc, 2);
	assert_int_equal(r.s.platform.engines, 1);
	assert_int_equal(r.s.platform.static_uw, 50000000);
	assert_int_equal(r.s.platform.idle_per_sm_uw, 445000);
	reading_finish(&r);
}

TEST("every preset can be named")
{
	size_t count;
	const struct preset *all = preset_all(&count);
	for (size_t i = 0; i < count; i++) {
		char text[300];
		snprintf(text, sizeof(text), HEAD TASK "platform: {preset: %s}\n", all[i].name);
		struct reading r = reading("f", text);
		assert_true(r.ok);
		assert_memory_equal(&r.s.platform, &all[i].platform, sizeof(r.s.platform));
		reading_finish(&r);
	}
}

/* ---- Across values ---- */

TEST("the horizon may be hyperperiods")
{
	struct reading r = reading("f",
		"cegsim: 1\ntime_unit: ms\nhorizon: {hyperperiods: 3}\ntasks:\n  - {name: a, period: 4, "
		"segments: [{cpu: 1}]}\n  - {name: b, period: 6, offset: 5, segments: [{cpu: 1}]}\n");
	assert_true(r.ok);
	assert_int_equal(r.s.setup.horizon_ns, (5 + 3 * 12) * MS);
	assert_int_equal(r.s.setup.limit_ns, 410 * MS);
	reading_finish(&r);
	/* The last value that fits 2000000000 s, and the first that does not. */
	for (int i = 0; i < 2; i++) {
		char text[300];
		snprintf(text, sizeof(text),
			"cegsim: 1\nhorizon: {hyperperiods: %d}\ntasks:\n  - {name: a, period: 1000000s, "
			"offset: 1000000s, segments: [{cpu: 1s}]}\n",
			1999 + i);
		r = reading("f", text);
		assert_int_equal(r.ok, i == 0);
		assert_string_equal(r.said, i ? "f:2:10: error: 2000 hyperperiods are longer than "
						"2000000000s; give the horizon as a duration\n"
					      : "");
		reading_finish(&r);
	}
	assert_says("cegsim: 1\nhorizon: {hyperperiods: 0}\n"
		    "tasks: [{name: a, period: 1s, segments: [{cpu: 1s}]}]",
		"f:2:25: error: 'hyperperiods' is 0; it must be 1 to 2147483647\n");
}

TEST("the limit is at least the horizon")
{
	struct reading r = reading("f", HEAD TASK "limit: 40");
	assert_true(r.ok);
	assert_int_equal(r.s.setup.limit_ns, 40 * MS);
	reading_finish(&r);
	assert_says(
		HEAD TASK "limit: 39.999999", "f:5:8: error: 'limit' is shorter than the horizon, 40ms\n");
	/* Ten times this horizon exceeds the limit. */
	r = reading("f",
		"cegsim: 1\nhorizon: 2000000000s\ntasks: [{name: a, period: 1s, segments: [{cpu: 1s}]}]");
	assert_true(r.ok);
	assert_int_equal(r.s.setup.limit_ns, INT64_C(2000000000000000000));
	reading_finish(&r);
	assert_says("cegsim: 1\nhorizon: 2000000000.000000001s\ntasks: [{name: a, period: 1s, segments: "
		    "[{cpu: 1s}]}]",
		"f:2:10: error: 'horizon' is 2000000000.000000001s; it must be at most 2000000000s\n");
}

TEST("deadlines may be above periods")
{
	struct reading r =
		reading("f", HEAD "tasks: [{name: a, period: 10, deadline: 25, segments: [{cpu: 1}]}]");
	assert_true(r.ok);
	assert_int_equal(r.s.set.tasks[0].deadline_ns, 25 * MS);
	reading_finish(&r);
}

/* The jitter of a file is that of all its tasks that do not say it. */
TEST("release jitter")
{
	struct reading r = reading("f", HEAD
		"release: {jitter: 2}\ntasks:\n  - {name: a, period: 10, segments: [{cpu: 1}]}\n"
		"  - {name: b, period: 10, release: periodic, segments: [{cpu: 1}]}\n"
		"  - {name: c, period: 10, release: {jitter: 10us}, deadline: 11us, segments: [{cpu: 1}]}\n");
	assert_string_equal(r.said, "");
	assert_int_equal(r.s.setup.release.kind, RELEASE_PERIODIC);
	assert_int_equal(r.s.set.tasks[0].release->kind, RELEASE_JITTER);
	assert_int_equal(r.s.set.tasks[0].release->jitter_ns, 2 * MS);
	assert_int_equal(r.s.set.tasks[1].release->kind, RELEASE_PERIODIC);
	assert_int_equal(r.s.set.tasks[2].release->jitter_ns, 10000);
	reading_finish(&r);
	assert_says(HEAD
		"release: {jitter: 2}\ntasks:\n  - {name: a, period: 1, deadline: 4, segments: [{cpu: "
		"1}]}\n  - {name: b, period: 2, segments: [{cpu: 1}]}\n",
		"f:6:5: error: the release jitter, 2ms, must be at most the period, 1ms: jobs stay in their "
		"order\nf:7:5: error: the release jitter, 2ms, must be below the deadline, 2ms: a "
		"job would be "
		"released when it is due\n");
}

TEST("sporadic gaps must fit")
{
	assert_says("cegsim: 1\nhorizon: 1s\nrelease: {sporadic: {max_delay: 300%}}\ntasks: [{name: a, "
		    "period: 1000000000s, segments: [{cpu: 1s}]}]",
		"f:4:9: error: the gap between two releases of 'a' can be longer than 2000000000s\n");
	/* A task's own rule applies, not the file's. */
	struct reading r =
		reading("f", HEAD "release: {sporadic: {max_delay: 300%}}\ntasks: [{name: a, period: 10, "
				  "release: {sporadic: {max_delay: 0.05}}, segments: [{cpu: 1}]}]");
	assert_true(r.ok);
	assert_int_equal(r.s.set.tasks[0].release->kind, RELEASE_SPORADIC);
	assert_int_equal(r.s.set.tasks[0].release->max_delay_ppm, 50000);
	reading_finish(&r);
}

/* A mistake in one task does not hide those of other tasks, and causes no false ones. */
TEST("sound tasks are checked beside others")
{
	assert_says(HEAD
		"platform: {preset: jetson-tx1}\ntasks:\n  - {name: a, period: x, segments: [{copy: "
		"to_gpu, bytes: 10}]}\n  - {name: b, period: 10, segments: [{copy: to_gpu, bytes: "
		"10}]}\n  - {name: c, period: 10, segments: [{cpu: 1}, {kernel: {grid: 1, block: 2049, "
		"block_time: 1}}]}\n",
		"f:6:23: error: 'period' wants a duration such as 250us or 1.5ms, got \"x\"\nf:7:60: error: "
		"a copy given in bytes needs the platform's copy bandwidth\nf:8:57: error: a block has "
		"2049 threads; this GPU takes at most 1024 (threads_per_block)\n");
	/* If the platform is wrong, nothing that depends on it is checked. */
	assert_says(HEAD "platform: {preset: tx1}\ntasks: [{name: c, period: 10, segments: [{kernel: {grid: "
			 "1, block: 1, block_time: 1}}]}]\n",
		"f:4:20: error: no preset is called \"tx1\"; did you mean 'jetson-tx1'?\n");
	assert_says(HEAD "platform: {preset: jetson-tx1}\nprofiles: {p: {time: [x, 1]}}\ntasks: [{name: c, "
			 "period: 10, segments: [{kernel: {profile: p}}]}]\n",
		"f:5:23: error: 'time' wants a duration such as 250us or 1.5ms, got \"x\"\n");
}

/* ---- Traces ---- */

/* In a folder of this process. The test that makes a file also removes it. */
static char *write_file(const char *name, const char *text)
{
	static char path[PATH_MAX];
	snprintf(path, sizeof(path), "/tmp/cegsim-test-%d-%s", (int)getpid(), name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	return path;
}

TEST("traces give releases and lengths")
{
	char text[PATH_MAX + 400];
	const char *csv = write_file("a.csv",
		"task,seq,release,segment,duration\r\n# two jobs\r\n\r\n\"a, b\" , 1, 20, 1, "
		"0.25\r\nc,0,7us,,\r\n\"a, b\",0,10,0,1.5\r\n\"a, b\",1,20ms,0,2\r\n");
	const char *base = strrchr(csv, '/') + 1;
	snprintf(text, sizeof(text),
		HEAD
		"release: {trace: %s}\ntasks:\n  - {name: 'a, b', period: 10, segments: [{cpu: 2}, {cpu: "
		"1}]}\n  - {name: c, period: 10, segments: [{cpu: 1}]}\n  - {name: d, period: 10, segments: "
		"[{cpu: 1}]}\n  - {name: e, period: 10, release: periodic, segments: [{cpu: 1}]}\n",
		base);
	/* Beside the scenario. */
	struct reading r = reading("/tmp/scenario.yaml", text);
	assert_string_equal(r.said, "");
	assert_int_equal(r.s.setup.release.kind, RELEASE_TRACE);
	const struct release_rule *a = r.s.set.tasks[0].release, *c = r.s.set.tasks[1].release;
	assert_int_equal(a->kind, RELEASE_TRACE);
	assert_int_equal(a->trace_count, 2);
	assert_int_equal(a->trace_ns[0], 10 * MS);
	assert_int_equal(a->trace_ns[1], 20 * MS);
	assert_int_equal(a->duration_count, 3);
	assert_int_equal(a->durations[0].duration_ns, 3 * MS / 2);
	assert_int_equal(a->durations[1].job, 1);
	assert_int_equal(a->durations[1].segment, 0);
	assert_int_equal(a->durations[2].segment, 1);
	assert_int_equal(a->durations[2].duration_ns, MS / 4);
	assert_int_equal(c->trace_count, 1);
	assert_int_equal(c->trace_ns[0], 7000);
	assert_int_equal(c->duration_count, 0);
	assert_int_equal(r.s.set.tasks[2].release->trace_count, 0);
	assert_int_equal(r.s.set.tasks[3].release->kind, RELEASE_PERIODIC);
	reading_finish(&r);
	unlink(csv);
}

TEST("a trace without a header")
{
	char text[PATH_MAX + 300];
	const char *csv = write_file("b.csv", "\xef\xbb\xbf"
					      "a,0,3\na,1,3\nb,0,1");
	snprintf(text, sizeof(text),
		HEAD "tasks:\n  - {name: a, period: 10, release: {trace: %s}, segments: [{cpu: 1}]}\n  - "
		     "{name: b, period: 10, segments: [{cpu: 1}]}\n",
		csv);
	struct reading r = reading("elsewhere/x.yaml", text);
	assert_string_equal(r.said, "");
	assert_int_equal(r.s.set.tasks[0].release->trace_count, 2);
	assert_null(r.s.set.tasks[1].release);
	reading_finish(&r);
	unlink(csv);
}

TEST("finishing twice is harmless")
{
	struct reading r = reading("f", HEAD TASK);
	scenario_finish(&r.s);
	assert_null(r.s.set.tasks);
	reading_finish(&r);
	struct scenario zeroed = {0};
	scenario_finish(&zeroed);
}

TEST("levels have names")
{
	assert_string_equal(record_level_name(RECORD_SUMMARY), "summary");
	assert_string_equal(record_level_name(RECORD_JOBS), "jobs");
	assert_string_equal(record_level_name(RECORD_SEGMENTS), "segments");
	assert_string_equal(record_level_name(RECORD_BLOCKS), "blocks");
	assert_string_equal(record_level_name(RECORD_ISSUES), "issues");
}

/* ---- The schema ---- */

TEST("the schema is JSON and complete")
{
	static const char *const keys[] = {"cegsim", "name", "time_unit", "horizon", "stop", "limit", "seed",
		"release", "execution", "on_miss", "ties", "platform", "profiles", "tasks", "chains", "warp",
		"programs", "policies", "analyses", "record"};
	struct text text = {0};
	json_error_t where;
	scenario_schema(&text);
	assert_false(text.failed);
	json_t *schema = json_loads(text_data(&text), JSON_REJECT_DUPLICATES, &where);
	if (!schema)
		print_error("schema:%d:%d: %s\n", where.line, where.column, where.text);
	assert_non_null(schema);
	assert_string_equal(json_string_value(json_object_get(schema, "$schema")),
		"https://json-schema.org/draft/2020-12/schema");
	json_t *properties = json_object_get(schema, "properties");
	assert_int_equal(json_object_size(properties), sizeof(keys) / sizeof(keys[0]));
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_true(json_string_length(json_object_get(
				    json_object_get(properties, keys[i]), "description")) > 0);
	assert_int_equal(json_array_size(json_object_get(schema, "required")), 2);
	assert_int_equal(json_array_size(json_object_get(schema, "oneOf")), 2);
	assert_true(json_is_false(json_object_get(schema, "additionalProperties")));
	json_decref(schema);
	text_finish(&text);
}
