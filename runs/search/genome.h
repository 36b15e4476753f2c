/* runs/search/genome.h - one legal behaviour of a task set as a list of numbers that a search can change:
 * when each job is released, how long each of its segments takes, and who wins ties.
 *
 * A task's job 0 is released at its offset, every later one at its period and an extra separation after the
 * one before. A segment takes a time within its best and worst case; for a kernel that is the time of each of
 * its blocks on the SMs that the plan grants. Where a policy chooses the SMs in the run, the time of a kernel
 * is no gene: it takes the worst case there. A genome becomes a run as release traces with durations. */
#ifndef CEGSIM_RUNS_SEARCH_GENOME_H
#define CEGSIM_RUNS_SEARCH_GENOME_H

#include "base/random.h"
#include "models/policy.h"

#define GENOME_JOBS_DEFAULT 8u
#define GENOME_JOBS_MAX 10000u

/* What is searched. Everything is kept by reference. */
struct search_case {
	const struct platform *platform;
	const struct taskset *set; /* has passed taskset_check() */
	const struct policy *policy;
	const struct params *params;
};

/* Which genomes there are. */
struct genome_space {
	struct arena arena;
	const struct taskset *set;
	uint32_t tasks;
	uint32_t *jobs;          /* [tasks] at most so many, at least 2 */
	uint32_t *segments;      /* [tasks] of a job */
	uint32_t *first_job;     /* [tasks + 1] of a task in genome.extra */
	uint32_t *first_length;  /* [tasks + 1] of a task in genome.length */
	uint32_t *first_segment; /* [tasks + 1] of a task in best and worst */
	int64_t *best, *worst;   /* of all tasks' segments, one after the other; equal: no gene */
	int64_t *last_offset;    /* [tasks] an offset is at most this */
	uint32_t lengths;        /* that can be changed: best < worst, over all jobs */
	int64_t unit;            /* ns; greatest common divisor of all times, at least 1 */
	int64_t backlog;         /* ns; within it everything has ended after the last release */
	bool periodic;           /* no extra separations */
	uint32_t size;           /* int64_t of a genome */
};

/* Points into one block of space->size numbers. */
struct genome {
	int64_t *ties;   /* [1] enum ties */
	int64_t *jobs;   /* [tasks] that are released, 0 .. space->jobs */
	int64_t *offset; /* [tasks] */
	int64_t *extra;  /* [first_job[task] + job] separation beyond the period; of job 0: 0 */
	int64_t *length; /* [first_length[task] + job * segments + segment] */
};

/* `plan` is the case's, and does not refuse the set. A task has T_max / T + 2 jobs, but at most most_jobs >=
 * 2. False: a kernel has no time on its SMs, times beyond int64, or out of memory. */
MUST_CHECK bool genome_space_init(struct genome_space *space, const struct plan *plan, uint32_t most_jobs,
	bool periodic, struct error *err);
void genome_space_finish(struct genome_space *space); /* accepts a zeroed one */

/* A new genome in the arena, or on a block that exists. attach() reads and writes the block in place. */
MUST_CHECK bool genome_new(const struct genome_space *space, struct arena *arena, struct genome *g);
void genome_attach(const struct genome_space *space, int64_t *block, struct genome *g);
void genome_copy(const struct genome_space *space, struct genome *to, const struct genome *from);

/* All offsets 0, separations least, worst-case times, all jobs. */
void genome_synchronous(const struct genome_space *space, struct genome *g);

/* The instant at which a job is released. */
int64_t genome_release(const struct genome_space *space, const struct genome *g, uint32_t task, uint32_t job);

static inline int64_t *genome_length(
	const struct genome_space *s, const struct genome *g, uint32_t task, uint32_t job, uint32_t segment)
{
	return &g->length[s->first_length[task] + job * s->segments[task] + segment];
}

/* Numbers drawn one after the other; the same for the same key. */
struct dice {
	struct random_key key;
};

/* Of one of the pieces of work into which a search is split. */
struct dice dice_make(uint64_t seed, uint32_t set, uint32_t target, uint32_t piece);
int64_t dice_upto(struct dice *d, int64_t bound); /* uniform in [0, bound] */

/* A genome of the space: uniform offsets; half of the separations, and half of the lengths, least and worst,
 * the rest uniform or best. */
void genome_random(const struct genome_space *space, struct dice *dice, struct genome *g);

#endif
