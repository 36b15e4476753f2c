/* scenarios/traced/parts.h - what the files of this room share; only for use in scenarios/traced/. */
#ifndef CEGSIM_SCENARIOS_TRACED_PARTS_H
#define CEGSIM_SCENARIOS_TRACED_PARTS_H

#include "captures/sass.h"
#include "scenarios/traced/keys.h"
#include "scenarios/traced/lru.h"
#include "scenarios/traced/traced.h"

#define TRACED_SECTOR 32u         /* bytes: what DRAM moves at least (docs/warps.md) */
#define TRACED_STREAM_MAX 1000000 /* what a scenario can say */
#define TRACED_PATH_MAX 4000000u  /* instructions of a warp */

/* ---- survey.c: what all warps did ---- */

enum traced_space { SPACE_NONE, SPACE_GLOBAL, SPACE_SHARED };

/* An instruction of the code, and what all warps did there. */
struct traced_code {
	uint64_t pc;
	char opcode[SASS_OPCODE_MAX];
	enum sass_class class;
	uint32_t bytes;                     /* of a thread */
	bool has_result;                    /* in a register */
	uint64_t times, off;                /* executions; without an active thread */
	uint64_t active;                    /* threads, of all executions */
	uint64_t shared;                    /* executions that went to shared memory, and */
	uint64_t global, threads;           /* to global memory, with so many threads in all */
	uint64_t sectors, l1_hits, l2_hits; /* of those to global memory */
};

/* Warps that went the same way. */
struct traced_path {
	uint64_t length, warps;
	uint64_t first; /* the first of them, counted over the whole file */
};

struct survey {
	struct sass_kernel kernel;
	uint64_t blocks, warps, instructions; /* in the file */
	struct traced_code *code;
	struct traced_path *paths;
	struct keys code_keys, path_keys; /* the index of each */
	uint32_t resident;                /* blocks of the kernel on an SM */
	int64_t l1_share;                 /* bytes of L1 for each of them */
	uint64_t unknown;                 /* executions of opcodes that are in no map, */
	const char *unknown_opcode;       /* such as this one; NULL: none */
	uint64_t textures, bulk;          /* executions without addresses */
};

/* The caches that a kernel finds: what earlier launches left in L2. */
struct traced_caches {
	const struct platform *platform;
	int64_t l1_bytes;
	bool l1_is_shared; /* the SM's shared memory is part of that */
	struct lru l2;
};

uint64_t traced_code_key(const struct sass_instruction *i);
/* Reads the trace at `path`. Call survey_finish() either way. */
MUST_CHECK bool survey_make(struct survey *s, const char *path, struct traced_caches *caches,
	struct arena *arena, struct diagnostics *d, struct error *err);
void survey_finish(struct survey *s);
/* The way whose length is nearest to the mean of all warps; of those the most common, of those the first. */
const struct traced_path *survey_typical(const struct survey *s);

/* ---- accesses.c: a block's accesses, through the caches ---- */

struct access {
	uint32_t code;  /* index */
	uint32_t first; /* of its sectors */
	uint16_t count;
	uint16_t warp;
};

/* A block's accesses to global memory, as they were read: warp by warp. */
struct accesses {
	struct access *list;
	uint64_t *sectors;
	size_t count, capacity, sector_count, sector_capacity;
};

MUST_CHECK bool accesses_add(
	struct accesses *a, uint32_t code, uint32_t warp, const uint64_t *sectors, uint32_t count);
/* Each of the block's warps in turn makes its next access. Counts hits; empties the list. */
MUST_CHECK bool accesses_run(
	struct accesses *a, struct traced_code *code, uint32_t warps, struct lru *l1, struct lru *l2);
void accesses_finish(struct accesses *a);

/* ---- way.c: what one warp did ---- */

struct traced_step {
	uint32_t code;    /* index */
	uint8_t distance; /* to the instruction whose result it waits for; 0: none */
	bool backward;    /* the code before it stands behind it */
};

struct way {
	struct traced_step *steps;
	uint32_t count;
	uint64_t far, moved; /* results of instructions more than WARP_DISTANCE_MAX before; of loads: waited
				for earlier */
	uint64_t others;     /* instructions that needed other results, too */
};

/* Of the warp with this number over the whole file, which has `length` instructions, at least 1. */
MUST_CHECK bool way_read(struct way *w, const char *path, const struct survey *s, uint64_t warp,
	uint64_t length, struct diagnostics *d, struct error *err);
void way_finish(struct way *w);

/* ---- folding.c: loops ---- */

/* A node of the program: an instruction of the code, or a loop. */
struct fold_node {
	uint64_t hash;
	uint32_t code;            /* index; FOLD_LOOP */
	uint8_t distance, depth;  /* depth: of loops in it */
	uint32_t body, length;    /* its children in `pool` */
	uint64_t rounds, entered; /* of a loop: rounds of all times that it was entered */
};
#define FOLD_LOOP UINT32_MAX

struct folding {
	struct fold_node *nodes, *pool;
	size_t count, capacity, pool_count, pool_capacity;
	bool average; /* loops are equal whatever their rounds, which are averaged */
};

/* `loops`: whether to look for them at all. */
MUST_CHECK bool folding_make(struct folding *f, const struct way *w, const struct survey *s, bool loops,
	bool average, struct error *err);
void folding_finish(struct folding *f);

/* ---- steps.c: the program ---- */

/* How much had to be given up for the program to fit WARP_STEPS_MAX. */
enum steps_loss { STEPS_EXACT, STEPS_AVERAGED, STEPS_MIXED, STEPS_FLAT };

struct steps {
	struct warp_step *steps; /* of the arena */
	uint32_t count, loops;
	enum steps_loss loss;
	uint32_t window; /* STEPS_MIXED: so many instructions in a row are sorted by kind */
};

MUST_CHECK bool traced_steps(struct steps *out, const struct way *w, const struct survey *s,
	struct arena *arena, struct error *err);

#endif
