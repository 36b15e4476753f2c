/* models/programs.h - kernels of tasks that are programs of warps (docs/model.md, "Programs of warps"): what
 * the engine of blocks asks of the engine of warps, which it does not know. models/warps/inside.c is the one.
 *
 * The engine of blocks places blocks, as ever; what is inside of the SMs says when they end. Between two
 * instants at which the former has something to do the latter runs on, up to the first end of a block. */
#ifndef CEGSIM_MODELS_PROGRAMS_H
#define CEGSIM_MODELS_PROGRAMS_H

#include "models/platform.h"
#include "models/setup.h"
#include "models/taskset.h"

struct insides; /* of the SMs of a GPU */
struct machine;

struct block_end {
	uint32_t program, block;
};

struct program_runner {
	/* Empty SMs at instant 0. All arguments are kept by reference. False, with the reason: out of memory,
	 * or a run that is too long to be counted in cycles. */
	bool (*create)(const struct platform *platform, const struct taskset *set,
		const struct run_setup *setup, struct insides **insides, struct error *err);
	void (*destroy)(struct insides *insides); /* accepts NULL */
	/* A block of a job's launch begins on an SM at the instant `now`, up to which run() has come. */
	void (*place)(struct insides *insides, uint32_t program, uint32_t job, uint32_t block, uint32_t sm,
		int64_t now);
	/* Runs to the instant `until`, or to the first one at which blocks end: *now. At most about `most`
	 * instructions (none are left when it is 0): false if these were not enough. */
	bool (*run)(struct insides *insides, int64_t until, uint64_t *most, int64_t *now);
	/* The blocks that ended at the instant to which the last run() came, in the order of their ends. */
	const struct block_end *(*ended)(const struct insides *insides, uint32_t *count);
};

/* The programs of a set: that of segment s is number s->program. */
struct program_set {
	const struct program_runner *runner;
	struct warp_set *warps; /* models/warps/warp_set.h; kernel i is program i */
	uint32_t count;
	int scheduler; /* enum warp_scheduler_kind */
};

/* What a run has of them. */
struct programs {
	struct insides *insides; /* NULL: the set has none */
	const struct program_runner *runner;
	uint32_t *entry;   /* [programs] entry of machine.tasks whose kernel it is that is on the GPU */
	uint32_t resident; /* blocks on SMs */
};

/* False, with the reason. Also for sets without programs. */
MUST_CHECK bool programs_init(struct machine *m, struct error *err);
void programs_finish(struct machine *m);

/* Block `block` of the entry's kernel has been placed on an SM. */
void programs_place(struct machine *m, uint32_t run, uint32_t block, uint32_t sm);

/* Lets the SMs run on to the instant `until`, or the first at which blocks end, for which the event of the
 * GPU is then set. About *most instructions are spent at most; false: they were not enough. */
MUST_CHECK bool programs_run(struct machine *m, int64_t until, uint64_t *most);

#endif
