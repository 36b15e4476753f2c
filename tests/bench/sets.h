/* tests/bench/sets.h - the fixed task sets of the benchmarks. */
#ifndef CEGSIM_TESTS_BENCH_SETS_H
#define CEGSIM_TESTS_BENCH_SETS_H

#include "models/setup.h"
#include "models/taskset.h"

struct bench_set {
	struct taskset set;
	struct platform platform;
	struct run_setup setup;
};

/* 16 tasks CPU - copy - kernel - copy - CPU on a Jetson-like platform, periods 5 .. 200 ms, every
 * resource at most three quarters busy: six events a job. */
bool bench_pipeline(struct bench_set *b, int64_t horizon_ns);

/* So many of these tasks. Together they keep the resources as busy as the 16 do. */
bool bench_tasks(struct bench_set *b, int64_t horizon_ns, uint32_t tasks);

/* The same tasks on a GPU of 46 SMs. An SM holds 3 blocks of 512 threads; each kernel has the given number of
 * blocks. */
bool bench_large_kernels(struct bench_set *b, int64_t horizon_ns, uint32_t blocks);

/* The same tasks as bench_pipeline()'s on this many cores and of this many processes, in turn. */
bool bench_cores(struct bench_set *b, int64_t horizon_ns, uint32_t cores, uint32_t processes);

/* The given number of tasks, with one GPU section each: copy - kernel - copy. Periods are 10 .. 1000 ms,
 * deadlines equal periods, and the GPU has 46 SMs with the power of an RTX 3070. The work is divisible and
 * would use 0.7 of the GPU if each kernel had all SMs. Releases are sporadic, delayed by up to a fifth of the
 * period. */
bool bench_gpu_sections(struct bench_set *b, int64_t horizon_ns, uint32_t tasks);

/* 10 periodic CPU tasks, periods log-uniform in 10 ms .. 1 s, utilisation 0.7. */
bool bench_cpu_only(struct bench_set *b, int64_t horizon_ns);

void bench_set_finish(struct bench_set *b);

#endif
