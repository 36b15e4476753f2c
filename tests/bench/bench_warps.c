/* tests/bench/bench_warps.c - warp instructions per second of the simulation below the block (models/warps/),
 * on one core: by number of SMs, by scheduler, and by the share of cycles in which nothing can be issued.
 *
 * It is compared with the calendar alone: the same number of sub-cores, each of which is taken out and
 * entered again for the next cycle. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/platform.h"
#include "models/warps/calendar.h"
#include "models/warps/simulation.h"
#include "tests/bench/clock.h"

static const struct warp_step arithmetic = {.kind = STEP_COMPUTE, .unit = WARP_FP, .count = 1, .threads = 32};

/* A kernel whose instructions wait for the one before them `stalls` times out of `of`, and two of hundred of
 * which are loads, half of them from L1. */
struct mix {
	const char *name;
	uint32_t distance, loads;
	int64_t latency;
};

static const struct mix mixes[] = {
	{"independent arithmetic", 0, 0, 4},
	{"dependent, latency 4", 1, 0, 4},
	{"dependent, latency 16", 1, 0, 16},
	{"dependent, latency 64", 1, 0, 64},
	{"1 load in 50", 1, 2, 4},
	{"1 load in 10", 1, 10, 4},
	{"1 load in 4", 1, 25, 4},
};

static void make_kernel(struct warp_kernel *k, const struct mix *mix, uint32_t blocks)
{
	uint32_t at = 0;
	k->steps = calloc(3, sizeof(*k->steps));
	k->steps[at] = warp_step_default(STEP_LOOP);
	k->steps[at].count = 1000000;
	k->steps[at++].body = mix->loads ? 2 : 1;
	k->steps[at] = arithmetic;
	k->steps[at].count = 100 - mix->loads;
	k->steps[at].distance = k->steps[at].first = mix->distance;
	k->steps[at++].latency = mix->latency;
	if (mix->loads) {
		k->steps[at] = warp_step_default(STEP_LOAD);
		k->steps[at].count = mix->loads;
		k->steps[at].first = k->steps[at].distance = 1;
		k->steps[at++].l1_hit_ppm = 500000;
	}
	k->step_count = at;
	k->blocks = blocks;
	k->block_threads = 256;
	k->stream = STREAM_OWN;
}

#define TRIES 3

/* Seconds for taking a sub-core out and entering it again, once. */
static double bare_calendar(uint32_t members, int64_t cycles)
{
	struct arena arena = {0};
	struct calendar c;
	if (!calendar_init(&c, &arena, members))
		exit(1);
	for (uint32_t i = 0; i < members; i++)
		calendar_enter(&c, 0, 0, i);
	double took = -cpu_seconds();
	for (int64_t now = calendar_next(&c, 0); now < cycles; now = calendar_next(&c, now + 1)) {
		uint64_t *set = calendar_of(&c, now);
		for (uint32_t i = 0; i < c.words; i++) {
			for (; set[i]; set[i] &= set[i] - 1)
				calendar_enter(&c, now, now + 1, i * 64 + (uint32_t)__builtin_ctzll(set[i]));
		}
		calendar_done(&c, now);
	}
	took += cpu_seconds();
	arena_finish(&arena);
	return took / (double)members / (double)cycles;
}

/* Seconds per warp instruction, and the share of the sub-cores' cycles in which none was issued. */
static double simulate(const struct platform *platform, const struct taskset *set,
	const struct run_setup *setup, const struct warp_options *options, uint64_t instructions,
	double *stalled)
{
	struct warp_simulation *w;
	struct error err;
	if (!warp_simulation_create(platform, set, setup, options, NULL, &w, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	double took = -cpu_seconds();
	while (warp_simulation_events(w) < instructions &&
		warp_simulation_step(w, 100000) == SIMULATION_RUNNING)
		;
	took += cpu_seconds();
	double events = (double)warp_simulation_events(w);
	double slots =
		(double)(warp_simulation_cycles(w) + 1) * platform->sms * set->warps->machine.sub_cores;
	*stalled = 1 - events / slots;
	warp_simulation_destroy(w);
	return took / events;
}

static void line(uint32_t sms, enum warp_scheduler_kind scheduler, const char *name, const struct mix *mix,
	uint64_t instructions)
{
	struct warp_kernel kernels[2] = {{0}};
	struct warp_set warps = {.machine = warp_machine_default(), .kernels = kernels, .kernel_count = 2};
	struct task tasks[2] = {{.name = (char[]){"a"}}, {.name = (char[]){"b"}}};
	struct taskset set = {.tasks = tasks, .task_count = 2, .warps = &warps};
	struct platform platform = platform_default();
	struct run_setup setup = {
		.horizon_ns = INT64_C(1000000000),
		.limit_ns = INT64_C(1000000000),
		.stop = STOP_HORIZON,
		.seed = 1,
	};
	struct warp_options options = {
		.scheduler = scheduler,
		.active = 8,
		.budget = {1, 4, 1, 1, 1, 1, 1, 1},
		.epoch = 10000,
		.samples = 100,
	};
	double best = 1, stalled = 0,
	       bare = bare_calendar(
		       sms * warps.machine.sub_cores, 20000000 / (sms * warps.machine.sub_cores));
	platform.sms = sms;
	platform.threads_per_sm = 2048;
	warps.machine.bandwidth *= sms;
	for (int i = 0; i < 2; i++)
		make_kernel(&kernels[i], mix, sms * 4);
	for (int i = 0; i < TRIES; i++) {
		double took = simulate(&platform, &set, &setup, &options, instructions, &stalled);
		best = took < best ? took : best;
	}
	printf("%4" PRIu32
	       " SMs  %-9s  %-24s %6.1f ns/instruction %6.1f M/s %5.1f x the calendar %5.1f %% stalled\n",
		sms, name, mix->name, best * 1e9, 1e-6 / best, best / bare, 100 * stalled);
	for (int i = 0; i < 2; i++)
		free(kernels[i].steps);
}

/* bench_warps [SMS [MIX]]: only that number of SMs, and the mixes whose name contains MIX. */
int main(int argc, char **argv)
{
	static const uint32_t sms[] = {1, 16, 80};
	static const char *const names[] = {"lrr", "gto", "oldest", "two-level", "qaws"};
	const unsigned long only = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	const char *mix = argc > 2 ? argv[2] : "";
	for (size_t i = 0; i < sizeof(sms) / sizeof(*sms); i++)
		for (size_t m = 0; m < sizeof(mixes) / sizeof(*mixes); m++)
			if ((only == 0 || only == sms[i]) && strstr(mixes[m].name, mix))
				line(sms[i], SCHEDULE_GTO, "gto", &mixes[m], 20000000);
	for (int s = 0; only == 0 && s < WARP_SCHEDULERS; s++)
		line(16, (enum warp_scheduler_kind)s, names[s], &mixes[1], 20000000);
	return 0;
}
