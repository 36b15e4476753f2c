/* tests/unit/test_scenario_warp.c - scenarios with `warp`: everything in the key, its defaults, checks across
 * values. Mistakes in single values are in tests/cli/bad/warp*.yaml. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/warps/library.h"
#include "models/warps/warp_set.h"
#include "tests/support/test.h"
#include "tests/unit/scenario_reading.h"

static void assert_says(const char *text, const char *said)
{
	struct reading r = reading("f", text);
	assert_string_equal(r.said, said);
	assert_int_equal(r.s.status, STATUS_INPUT);
	reading_finish(&r);
}

static struct reading sound(const char *text)
{
	struct reading r = reading("f", text);
	if (!r.ok)
		print_error("%s", r.said);
	assert_true(r.ok);
	return r;
}

#define HEAD "cegsim: 1\nhorizon: 1ms\nplatform: {gpu: {sms: 2}}\n"
#define ROUGH "blocks: 4, block_threads: 64, program: [barrier]"
#define ROUGH_LINES "blocks: 4\n      block_threads: 64\n      program: [barrier]\n"

/* ---- The format ---- */

/* clang-format off */
static const char example[] =
	"cegsim: 1\n"
	"time_unit: us\n"
	"platform: {preset: jetson-agx-xavier}\n"
	"horizon: {cycles: 120000}\n"
	"record: issues\n"
	"warp:\n"
	"  clock: 1.2GHz\n"
	"  sub_cores: 2\n"
	"  units: {int: {latency: 5, interval: 2}, sfu: {interval: 16}, memory: {interval: 3}}\n"
	"  memory: {shared: 21, l1: 29, l2: 191, dram: 401, bandwidth: 184.2}\n"
	"  energy: {tensor: 7, shared: 8, global: 9, dram_byte: 0}\n"
	"  kernels:\n"
	"    - name: K1\n"
	"      blocks: 80\n"
	"      block_threads: 250\n"
	"      registers: 32\n"
	"      shared_memory: 4KiB\n"
	"      program:\n"
	"        - load: {count: 4, l1_hit: 30%, l2_hit: 0.5, coalescing: 0.9, bytes: 8}\n"
	"        - compute: {unit: fp, count: 20, distance: 4, first: 5, threads: 16, latency: 6}\n"
	"        - loop:\n"
	"            times: 10\n"
	"            body:\n"
	"              - shared_store: {}\n"
	"              - loop: {times: 3, body: [{compute: {distance: 2}}, barrier]}\n"
	"              - shared_load: {count: 2}\n"
	"        - barrier: {}\n"
	"        - store: {first: 1}\n"
	"      launch: 8\n"
	"      period: 50us\n"
	"      deadline: 50\n"
	"      stream: 1\n"
	"      stream_priority: high\n"
	"      goal: {ipc: 12.5}\n"
	"    - {name: K2, library: qaws-mm, launch: 1.5us, blocks: 3, repeat: true, goal: {share: 90%}}\n"
	"    - {name: K3, " ROUGH ", goal: {end_to_end: 3ms, copies: 800us, queueing: 200}}\n"
	"    - {name: K4, " ROUGH ", goal: {kernel_time: 2ms}}\n";
/* clang-format on */

TEST("the machine is read")
{
	struct reading r = sound(example);
	const struct warp_machine d = warp_machine_default(), *m = &r.s.set.warps->machine;
	assert_int_equal(m->clock_hz, 1200000000);
	assert_int_equal(m->sub_cores, 2);
	assert_int_equal(m->latency[WARP_INT], 5);
	assert_int_equal(m->interval[WARP_INT], 2);
	assert_int_equal(m->interval[WARP_SFU], 16);
	assert_int_equal(m->interval[WARP_MEMORY], 3);
	assert_int_equal(m->shared_latency, 21);
	assert_int_equal(m->l1_latency, 29);
	assert_int_equal(m->l2_latency, 191);
	assert_int_equal(m->dram_latency, 401);
	assert_int_equal(m->bandwidth, 184200);
	assert_int_equal(m->unit_fj[WARP_TENSOR], 7);
	assert_int_equal(m->shared_fj, 8);
	assert_int_equal(m->global_fj, 9);
	assert_int_equal(m->dram_byte_fj, 0);
	/* Values that are not given keep their defaults, also beside values that are given. */
	assert_int_equal(m->latency[WARP_SFU], d.latency[WARP_SFU]);
	assert_int_equal(m->latency[WARP_FP], d.latency[WARP_FP]);
	assert_int_equal(m->unit_fj[WARP_INT], d.unit_fj[WARP_INT]);
	assert_int_equal(r.s.record, RECORD_ISSUES);
	assert_int_equal(r.s.setup.horizon_ns, 100000);
	assert_int_equal(r.s.setup.limit_ns, 1000000);
	reading_finish(&r);
}

TEST("every unit and energy has its place")
{
	struct reading r =
		sound(HEAD "warp:\n"
			   "  units: {int: {latency: 11, interval: 21}, fp: {latency: 12, interval: "
			   "22}, fp64: {latency: 13,\n"
			   "    interval: 23}, sfu: {latency: 14, interval: 24}, tensor: {latency: 15, "
			   "interval: 25},\n"
			   "    memory: {interval: 26}}\n"
			   "  energy: {int: 31, fp: 32, fp64: 33, sfu: 34, tensor: 35, shared: 36, "
			   "global: 37, dram_byte: 38}\n"
			   "  memory: {bandwidth: 0.001}\n"
			   "  kernels: [{name: K1, " ROUGH "}]\n");
	const struct warp_machine *m = &r.s.set.warps->machine;
	for (int unit = 0; unit < WARP_UNITS; unit++) {
		assert_int_equal(m->interval[unit], 21 + unit);
		if (unit == WARP_MEMORY)
			continue;
		assert_int_equal(m->latency[unit], 11 + unit);
		assert_int_equal(m->unit_fj[unit], 31 + unit);
	}
	assert_int_equal(m->shared_fj, 36);
	assert_int_equal(m->global_fj, 37);
	assert_int_equal(m->dram_byte_fj, 38);
	assert_int_equal(m->bandwidth, 1);
	reading_finish(&r);
}

static void assert_step(const struct warp_step *s, enum warp_step_kind kind, uint32_t count, uint32_t body,
	uint32_t distance, uint32_t first)
{
	assert_int_equal(s->kind, kind);
	assert_int_equal(s->count, count);
	assert_int_equal(s->body, body);
	assert_int_equal(s->distance, distance);
	assert_int_equal(s->first, first);
}

TEST("programs are in the models order")
{
	struct reading r = sound(example);
	const struct warp_kernel *k = &r.s.set.warps->kernels[0];
	const struct warp_step *s = k->steps;
	assert_int_equal(k->step_count, 10);
	assert_step(&s[0], STEP_LOAD, 4, 0, 0, 0);
	assert_int_equal(s[0].l1_hit_ppm, 300000);
	assert_int_equal(s[0].l2_hit_ppm, 500000);
	assert_int_equal(s[0].coalescing_ppm, 900000);
	assert_int_equal(s[0].bytes, 8);
	assert_int_equal(s[0].threads, 32);
	assert_step(&s[1], STEP_COMPUTE, 20, 0, 4, 5);
	assert_int_equal(s[1].unit, WARP_FP);
	assert_int_equal(s[1].threads, 16);
	assert_int_equal(s[1].latency, 6);
	assert_step(&s[2], STEP_LOOP, 10, 5, 0, 0);
	assert_step(&s[3], STEP_SHARED_STORE, 1, 0, 0, 0);
	assert_step(&s[4], STEP_LOOP, 3, 2, 0, 0);
	assert_step(&s[5], STEP_COMPUTE, 1, 0, 2, 2);
	assert_int_equal(s[5].unit, WARP_INT);
	assert_int_equal(s[5].latency, 0);
	assert_step(&s[6], STEP_BARRIER, 1, 0, 0, 0);
	assert_step(&s[7], STEP_SHARED_LOAD, 2, 0, 0, 0);
	assert_step(&s[8], STEP_BARRIER, 1, 0, 0, 0);
	assert_step(&s[9], STEP_STORE, 1, 0, 0, 1);
	assert_int_equal(s[9].l1_hit_ppm, 0);
	assert_int_equal(s[9].coalescing_ppm, 1000000);
	assert_int_equal(s[9].bytes, 4);
	reading_finish(&r);
}

#define POOLED(loop)                                                                                         \
	"cegsim: 1\nhorizon: 1ms\nplatform: {gpu: {sms: 1}}\nwarp: {kernels: [{name: K, blocks: 4, "         \
	"block_threads: 64, program: [{loop: {times: 3, " loop "}}]}]}\n"

TEST("loads may reuse what is in L1")
{
	struct reading r =
		sound("cegsim: 1\nhorizon: 1ms\nplatform: {gpu: {sms: 1}}\nwarp: {memory: {l1_size: "
		      "32KiB}, kernels: [{name: K, blocks: 4, block_threads: 64, program: [{load: "
		      "{count: 2, reuse: 3}}]}]}\n");
	assert_int_equal(r.s.set.warps->machine.l1_bytes, 32768);
	assert_int_equal(r.s.set.warps->kernels[0].steps[0].reuse, 3);
	reading_finish(&r);
}

#define CACHES(gpu, memory)                                                                                  \
	"cegsim: 1\nhorizon: 1ms\nplatform: {preset: " gpu "}\nwarp: {memory: {" memory                      \
	"}, kernels: [{name: K, "                                                                            \
	"blocks: 4, block_threads: 64, program: [{load: {reuse: 3}}]}]}\n"

/* Of 128 KiB that a TITAN V's SM has, 96 are shared memory; before 7.0 L1 is one by itself. */
TEST("sizes of caches may be those of the preset")
{
	struct reading r = sound(CACHES("titan-v", "l1_size: preset, l2_size: preset"));
	assert_int_equal(r.s.set.warps->machine.l1_bytes, 32 << 10);
	assert_int_equal(r.s.set.warps->machine.l2_bytes, 4608 << 10);
	reading_finish(&r);
	r = sound(CACHES("titan-v, gpu: {shared_memory_per_sm: 64KiB}", "l1_size: preset, l2_size: 1MiB"));
	assert_int_equal(r.s.set.warps->machine.l1_bytes, 64 << 10);
	assert_int_equal(r.s.set.warps->machine.l2_bytes, 1 << 20);
	reading_finish(&r);
	r = sound(CACHES("gtx-1080-ti", "l1_size: preset"));
	assert_int_equal(r.s.set.warps->machine.l1_bytes, 48 << 10);
	assert_int_equal(r.s.set.warps->machine.l2_bytes, 0);
	reading_finish(&r);
}

TEST("loads on their way may be limited")
{
	struct reading r = sound(
		"cegsim: 1\nhorizon: 1ms\nplatform: {gpu: {sms: 1}}\nwarp: {memory: {requests: 64}, kernels: "
		"[{name: K, blocks: 4, block_threads: 64, program: [{load: {}}]}]}\n");
	assert_int_equal(r.s.set.warps->machine.requests, 64);
	reading_finish(&r);
}

TEST("loops may be shared")
{
	struct reading r = sound(POOLED("shared: warps, body: [{load: {}}]"));
	assert_int_equal(r.s.set.warps->kernels[0].steps[0].rounds, ROUNDS_WARPS);
	assert_int_equal(r.s.set.warps->kernels[0].steps[1].rounds, ROUNDS_OWN);
	reading_finish(&r);
	r = sound(POOLED("shared: blocks, body: [barrier]"));
	assert_int_equal(r.s.set.warps->kernels[0].steps[0].rounds, ROUNDS_BLOCKS);
	reading_finish(&r);
	r = sound(POOLED("body: [barrier]"));
	assert_int_equal(r.s.set.warps->kernels[0].steps[0].rounds, ROUNDS_OWN);
	reading_finish(&r);
}

TEST("kernels are read and are the tasks")
{
	struct reading r = sound(example);
	const struct warp_kernel *k = r.s.set.warps->kernels;
	const struct task *t = r.s.set.tasks;
	assert_int_equal(r.s.set.warps->kernel_count, 4);
	assert_int_equal(r.s.set.task_count, 4);
	assert_int_equal(k[0].blocks, 80);
	assert_int_equal(k[0].block_threads, 250);
	assert_int_equal(k[0].registers, 32);
	assert_int_equal(k[0].shared_memory, 4096);
	assert_int_equal(k[0].launch, 8);
	assert_int_equal(k[0].period, 60000);
	assert_false(k[0].repeat);
	assert_int_equal(k[0].stream, 1);
	assert_true(k[0].stream_high);
	assert_int_equal(k[0].goal.kind, GOAL_IPC);
	assert_int_equal(k[0].goal.ipc, 12500000);
	assert_string_equal(t[0].name, "K1");
	assert_int_equal(t[0].offset_ns, 6);
	assert_int_equal(t[0].period_ns, 50000);
	assert_int_equal(t[0].deadline_ns, 50000);
	assert_int_equal(t[0].segments[0].form, KERNEL_WARPS);
	assert_int_equal(k[1].launch, 1800);
	assert_true(k[1].repeat);
	assert_int_equal(k[1].goal.kind, GOAL_SHARE);
	assert_int_equal(k[1].goal.share_ppm, 900000);
	assert_int_equal(t[1].period_ns, 0);
	assert_int_equal(t[1].deadline_ns, 0);
	assert_int_equal(k[2].goal.kind, GOAL_TIME);
	assert_int_equal(k[2].goal.kernel_ns, 2000000);
	assert_int_equal(k[3].goal.kind, GOAL_TIME);
	assert_int_equal(k[3].goal.kernel_ns, 2000000);
	assert_int_equal(k[3].stream, STREAM_OWN);
	assert_int_equal(k[3].registers, 0);
	assert_int_equal(k[3].launch, 0);
	assert_false(k[3].stream_high);
	assert_false(k[3].repeat);
	reading_finish(&r);
}

TEST("the library is a default")
{
	const struct warp_library_kernel *l = warp_library_find("qaws-mm");
	assert_non_null(l);
	struct reading r =
		sound(HEAD "warp: {kernels: [{name: A, library: qaws-mm}, {name: B, blocks: 1, stream: 4,\n"
			   "  library: qaws-mm, block_threads: 32, program: [barrier]}]}\n");
	const struct warp_kernel *k = r.s.set.warps->kernels;
	assert_int_equal(k[0].blocks, l->kernel.blocks);
	assert_int_equal(k[0].block_threads, l->kernel.block_threads);
	assert_int_equal(k[0].registers, l->kernel.registers);
	assert_int_equal(k[0].stream, STREAM_OWN);
	assert_int_equal(k[0].step_count, l->kernel.step_count);
	assert_memory_equal(k[0].steps, l->kernel.steps, l->kernel.step_count * sizeof(struct warp_step));
	assert_int_equal(k[1].blocks, 1);
	assert_int_equal(k[1].block_threads, 32);
	assert_int_equal(k[1].registers, l->kernel.registers);
	assert_int_equal(k[1].stream, 4);
	assert_int_equal(k[1].step_count, 1);
	reading_finish(&r);
}

TEST("applications are read")
{
	struct reading r =
		sound(HEAD "warp: {kernels: [{name: A, " ROUGH ", then: [{library: qaws-mm, blocks: 3}, {"
			   "blocks: 5, block_threads: 32, registers: 7, shared_memory: 1KiB,"
			   " program: [{compute: {count: 9}}, barrier]}]}]}\n");
	const struct warp_kernel *k = &r.s.set.warps->kernels[0];
	const struct warp_library_kernel *mm = warp_library_find("qaws-mm");
	assert_int_equal(k->then_count, 2);
	assert_int_equal(k->then[0].blocks, 3);
	assert_int_equal(k->then[0].block_threads, mm->kernel.block_threads);
	assert_int_equal(k->then[0].step_count, mm->kernel.step_count);
	assert_int_equal(k->then[1].blocks, 5);
	assert_int_equal(k->then[1].registers, 7);
	assert_int_equal(k->then[1].shared_memory, 1024);
	assert_int_equal(k->then[1].step_count, 2);
	assert_int_equal(k->then[1].steps[0].count, 9);
	assert_int_equal(r.s.set.tasks[0].segment_count, 3);
	reading_finish(&r);
	assert_says(HEAD "warp:\n  kernels:\n    - name: A\n      " ROUGH_LINES
			 "      then:\n        - {blocks: 4, block_threads: 512, program: [barrier]}\n"
			 "        - {blocks: 4, program: [barrier]}\n",
		"f:12:11: error: 'block_threads' is missing here\n");
}

TEST("defaults hold where nothing is given")
{
	struct reading r =
		sound(HEAD "release: periodic\nexecution: worst\non_miss: continue\nties: task-order\n"
			   "warp: {kernels: [{name: A, " ROUGH "}]}\npolicies: [gto, lrr]\n");
	const struct warp_machine d = warp_machine_default(), *m = &r.s.set.warps->machine;
	assert_int_equal(m->clock_hz, d.clock_hz);
	assert_int_equal(m->sub_cores, d.sub_cores);
	/* From here on there is no padding between the members. */
	assert_memory_equal(m->latency, d.latency, sizeof(d) - offsetof(struct warp_machine, latency));
	assert_int_equal(r.s.setup.horizon_ns, 1000000);
	assert_int_equal(r.s.record, RECORD_JOBS);
	assert_int_equal(r.s.policy_count, 2);
	reading_finish(&r);
}

/* ---- What is checked across values ---- */

TEST("cycles of a horizon are exact")
{
	char text[300];
	static const struct {
		const char *clock;
		int64_t cycles, ns; /* ns 0: refused */
	} cases[] = {{"1GHz", 1, 1}, {"1GHz", 99999, 99999}, {"1MHz", 7, 7000}, {"999999999Hz", 5, 6},
		{"1.2GHz", 6, 5}, {"1.2GHz", 5, 0}, {"100GHz", 99, 0}, {"100GHz", 100, 1},
		{"1.216GHz", 200000, 164474}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(text, sizeof(text),
			"cegsim: 1\nplatform: {gpu: {sms: 1}}\nhorizon: {cycles: %lld}\n"
			"warp: {clock: %s, kernels: [{name: A, " ROUGH "}]}\n",
			(long long)cases[i].cycles, cases[i].clock);
		struct reading r = reading("f", text);
		assert_int_equal(r.ok, cases[i].ns != 0);
		assert_int_equal(r.ok ? r.s.setup.horizon_ns : 0, cases[i].ns);
		if (r.ok)
			assert_int_equal(warp_cycles(&r.s.set.warps->machine, cases[i].ns), cases[i].cycles);
		reading_finish(&r);
	}
}

TEST("runs are of a length that can be counted")
{
	assert_says("cegsim: 1\nplatform: {gpu: {sms: 1}}\nhorizon: 1ns\n"
		    "warp: {clock: 1MHz, kernels: [{name: A, " ROUGH "}]}\n",
		"f:3:10: error: 'horizon' is less than a cycle\n");
	assert_says("cegsim: 1\nplatform: {gpu: {sms: 1}}\nhorizon: 1001s\n"
		    "warp: {clock: 100GHz, kernels: [{name: A, " ROUGH "}]}\n",
		"f:3:10: error: 'horizon' is more than 100000000000000 cycles\n");
	assert_says("cegsim: 1\nplatform: {gpu: {sms: 1}}\nhorizon: 1000s\nlimit: 10001s\n"
		    "warp: {clock: 100GHz, kernels: [{name: A, " ROUGH "}]}\n",
		"f:4:8: error: 'limit' is more than 1000000000000000 cycles\n");
	struct reading r = sound("cegsim: 1\nplatform: {gpu: {sms: 1}}\nhorizon: 1000s\nlimit: 10000s\n"
				 "warp: {clock: 100GHz, kernels: [{name: A, " ROUGH "}]}\n");
	reading_finish(&r);
}

TEST("launches are of a length that can be counted")
{
	assert_says(HEAD "warp:\n  clock: 1MHz\n  kernels:\n"
			 "    - {name: A, " ROUGH ", period: 999ns}\n"
			 "    - {name: B, " ROUGH ", launch: 100000000000001}\n"
			 "    - {name: C, " ROUGH ", period: 0}\n"
			 "    - {name: D, " ROUGH ", launch: 2000000000s}\n",
		"f:7:75: error: 'period' must be at least a cycle\n"
		"f:8:75: error: 'launch' is 100000000000001; it must be 0 to 100000000000000\n"
		"f:9:75: error: 'period' must be at least a cycle\n"
		"f:10:75: error: 'launch' is 2000000000000000 cycles; it must be at most "
		"100000000000000 cycles\n");
}

TEST("there are at most 8 kernels")
{
	char text[2000] = HEAD "warp:\n  kernels:\n";
	for (int i = 0; i < 9; i++) {
		size_t used = strlen(text);
		if (i == 8) {
			struct reading r = sound(text);
			assert_int_equal(r.s.set.task_count, 8);
			reading_finish(&r);
		}
		snprintf(text + used, sizeof(text) - used, "    - {name: K%d, " ROUGH "}\n", i);
	}
	assert_says(text, "f:6:5: error: 'kernels' has 9 entries; at most 8\n");
	assert_says(HEAD "warp: {kernels: []}\n", "f:4:17: error: 'kernels' is empty\n");
	assert_says(HEAD "warp: {}\n", "f:4:7: error: 'kernels' is missing here\n");
	assert_says(HEAD "warp: [K1]\n",
		"f:4:7: error: 'warp' wants a mapping such as {kernels: [...]}, got a list\n");
}

/* Steps of loops count, too. */
TEST("programs have at most 1000 steps")
{
	static char text[20000];
	for (int steps = 1000; steps <= 1001; steps++) {
		strcpy(text, HEAD
			"warp: {kernels: [{name: K, blocks: 1, block_threads: 1, program: [{loop: {times: 2, "
			"body: [barrier");
		for (int i = 2; i < steps; i++)
			strcat(text, ", barrier");
		strcat(text, "]}}]}]}\n");
		struct reading r = reading("f", text);
		assert_string_equal(r.said,
			steps == 1000 ? "" : "f:4:66: error: 'program' has 1001 steps; at most 1000\n");
		reading_finish(&r);
	}
}

/* If the clock is wrong, nothing that depends on it is reported. */
TEST("sound kernels are checked beside others")
{
	assert_says(HEAD "warp:\n  clock: fast\n  kernels: [{name: A, " ROUGH
			 ", goal: {kernel_time: 1000000s}}]\n",
		"f:5:10: error: 'clock' wants a frequency such as 1.2GHz, got \"fast\"\n");
	assert_says(HEAD "warp:\n  kernels:\n    - {name: A, " ROUGH ", goal: {kernel_time: 1000000s}}\n"
			 "    - {name: B, blocks: 0}\n"
			 "    - {name: A, blocks: 4, block_threads: 64, program: [{loop: {times: 0, body: "
			 "[barrier]}}]}\n",
		"f:6:7: error: the goal, 256 thread instructions in 1000000000000000 cycles, is less than a "
		"millionth per cycle\n"
		"f:7:7: error: 'block_threads' is missing here\n"
		"f:7:7: error: 'program' is missing here\n"
		"f:7:25: error: 'blocks' is 0; it must be 1 to 2147483647\n"
		"f:8:72: error: 'times' is 0; it must be 1 to 1000000000\n");
	/* A missing key is reported once. */
	assert_says(HEAD "warp: {kernels: [{name: A, block_threads: 64, program: [barrier]}]}\n",
		"f:4:18: error: 'blocks' is missing here\n");
	/* A wrong platform causes no errors about kernels. */
	assert_says("cegsim: 1\nhorizon: 1ms\nplatform: {gpu: {sms: 0}}\nwarp: {kernels: [{name: A, " ROUGH
		    "}]}\n",
		"f:3:23: error: 'sms' is 0; it must be 1 to 4096\n");
}

TEST("the platform must have SMs")
{
	assert_says("cegsim: 1\nhorizon: 1ms\nwarp:\n  kernels: [{name: A, " ROUGH "}]\n",
		"f:4:3: error: kernels of warps need a platform with SMs (sms)\n");
	assert_says("cegsim: 1\nhorizon: 1ms\nplatform: {gpu: {sms: 1, threads_per_sm: 4096, pool: gpu}}\n"
		    "warp:\n  kernels: [{name: A, " ROUGH "}]\n",
		"f:3:11: error: warps run on SMs: the platform's pool must be sm\n"
		"f:3:11: error: an SM holds at most 2048 threads, 64 warps; the platform's threads_per_sm is "
		"4096\n");
}

TEST("policies go with what they schedule")
{
	assert_says(HEAD "warp: {kernels: [{name: A, " ROUGH "}]}\npolicies: [gto, rm]\n",
		"f:5:17: error: policy 'rm' schedules blocks; a scenario with 'warp' wants one that "
		"schedules warps: "
		"lrr, gto, oldest, two-level, qaws\n");
	assert_says(HEAD "tasks: [{name: t1, period: 10ms, segments: [{cpu: 1ms}]}]\npolicies: [gto, rm]\n",
		"f:5:12: error: policy 'gto' schedules warps; it goes with 'warp', not with 'tasks'\n");
	/* The kind of a scenario is known even if its contents are wrong. */
	assert_says(HEAD "warp: {kernels: []}\npolicies: [gto, rm]\n",
		"f:4:17: error: 'kernels' is empty\n"
		"f:5:17: error: policy 'rm' schedules blocks; a scenario with 'warp' wants one that "
		"schedules warps: "
		"lrr, gto, oldest, two-level, qaws\n");
}

TEST("policies of others can be asked about")
{
	struct reading warps = sound(HEAD "warp: {kernels: [{name: A, " ROUGH "}]}\npolicies: [gto]\n");
	struct reading blocks =
		sound(HEAD "tasks: [{name: t1, period: 10ms, segments: [{cpu: 1ms}]}]\npolicies: [rm]\n");
	struct error err = {0};
	assert_true(scenario_takes(&warps.s, &warps.s.policies[0], &err));
	assert_true(scenario_takes(&blocks.s, &blocks.s.policies[0], &err));
	assert_false(scenario_takes(&warps.s, &blocks.s.policies[0], &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_non_null(strstr(err.text, "'rm' schedules blocks"));
	assert_false(scenario_takes(&blocks.s, &warps.s.policies[0], &err));
	assert_non_null(strstr(err.text, "'gto' schedules warps"));
	reading_finish(&warps);
	reading_finish(&blocks);
}

TEST("managers want goals")
{
	struct reading r = reading("f", HEAD "warp: {kernels: [{name: A, " ROUGH
					     "}]}\npolicies:\n  - {name: gto, manager: rollover}\n");
	assert_false(r.ok);
	assert_memory_equal(r.said, "f:6:5: error: policy 'gto': ", 28);
	assert_non_null(strstr(r.said, "goal"));
	reading_finish(&r);
	r = sound(HEAD "warp: {kernels: [{name: A, " ROUGH ", goal: {ipc: 1}}]}\n"
		       "policies:\n  - {name: gto, manager: rollover}\n");
	reading_finish(&r);
}
