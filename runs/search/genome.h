/* runs/search/genome.h - one legal behaviour of a task set as a list of numbers that a search can change:
 * when each job is released, how long each of its segments takes, and who wins ties.
 *
 * Job 0 of a task is released at the offset, every later job one period plus an extra separation after the
 * one before. A segment takes a time within its best and worst case; for a kernel that is the time of each of
 * its blocks on the SMs that the plan grants. If the policy chooses the SMs during the run, the time of a
 * kernel is no gene: it is the worst case there. To run a genome, it is turned into release traces with
 * durations. */
#ifndef CEGSIM_RUNS_SEARCH_GENOME_H
#define CEGSIM_RUNS_SEARCH_GENOME_H

#include "base/random.h"
#include "models/policy.h"

#define GENOME_JOBS_DEFAULT 8u
#define GENOME_JOBS_MAX 10000u

/* What is searched. All pointers are kept by reference. */
struct search_case {
	const struct platform *platform;
	const struct taskset *set; /* has passed taskset_check() */
	const struct policy *policy;
	const struct params *params;
};

/* The set of all possible genomes. */
struct genome_space {
	struct arena arena;
	const struct taskset *set;
	uint32_t tasks;
	uint32_t *jobs;          /* [tasks] at most this many jobs, at least 2 */
	uint32_t *segments;      /* [tasks] segments of a job */
	uint32_t *first_job;     /* [tasks + 1] index of a task's first job in genome.extra */
	uint32_t *first_length;  /* [tasks + 1] index of a task's first length in genome.length */
	uint32_t *first_segment; /* [tasks + 1] index of a task's first segment in best and worst */
	int64_t *best, *worst;   /* for the segments of all tasks; equal: the time is no gene */
	int64_t *last_offset;    /* [tasks] the greatest offset */
	uint32_t lengths;        /* number of lengths that can change: best < worst, over all jobs */
	int64_t unit;            /* ns; greatest common divisor of all times, at least 1 */
	int64_t backlog;         /* ns; this long after the last release everything has ended */
	bool periodic;           /* no extra separations */
	uint32_t size;           /* number of int64_t in a genome */
};

/* Pointers into one block of space->size numbers. */
struct genome {
	int64_t *ties;   /* [1] enum ties */
	int64_t *jobs;   /* [tasks] number of jobs released, 0 .. space->jobs */
	int64_t *offset; /* [tasks] */
	int64_t *extra;  /* [first_job[task] + job] separation beyond the period; of job 0: 0 */
	int64_t *length; /* [first_length[task] + job * segments + segment] */
};

/* `plan` is that of the case, and does not refuse the set. A task has T_max / T + 2 jobs, but at most
 * most_jobs >= 2. False: a kernel has no time on its SMs, a time is beyond int64, or out of memory. */
MUST_CHECK bool genome_space_init(struct genome_space *space, const struct plan *plan, uint32_t most_jobs,
	bool periodic, struct error *err);
void genome_space_finish(struct genome_space *space); /* accepts a zeroed one */

/* Makes a genome: new in the arena, or on an existing block. attach() reads and writes the block in place. */
MUST_CHECK bool genome_new(const struct genome_space *space, struct arena *arena, struct genome *g);
void genome_attach(const struct genome_space *space, int64_t *block, struct genome *g);
void genome_copy(const struct genome_space *space, struct genome *to, const struct genome *from);
bool genome_same(const struct genome_space *space, const struct genome *a, const struct genome *b);

/* All offsets 0, least separations, worst-case times, all jobs. */
void genome_synchronous(const struct genome_space *space, struct genome *g);

/* The instant at which a job is released. */
int64_t genome_release(const struct genome_space *space, const struct genome *g, uint32_t task, uint32_t job);

static inline int64_t *genome_length(
	const struct genome_space *s, const struct genome *g, uint32_t task, uint32_t job, uint32_t segment)
{
	return &g->length[s->first_length[task] + job * s->segments[task] + segment];
}

/* Numbers drawn one after the other; the same key gives the same numbers. */
struct dice {
	struct random_key key;
};

/* Dice for one of the pieces of work into which a search is divided. */
struct dice dice_make(uint64_t seed, uint32_t set, uint32_t target, uint32_t piece);
int64_t dice_upto(struct dice *d, int64_t bound); /* uniform in [0, bound] */

/* A random genome of the space: offsets are uniform; half of the separations are least and half of the
 * lengths worst, the others are uniform, or best. */
void genome_random(const struct genome_space *space, struct dice *dice, struct genome *g);

#endif
