/* tests/conformance/seen.h - what was seen of a run: its trace. For policies that record what the gate shows
 * them, the trace is also put in order for the laws of the gate (law.h).
 *
 * The laws need more facts: which operations wait at the gate, since when, and when they must be admitted.
 * These are worked out here a second time, from docs/model.md and without models/. */
#ifndef CEGSIM_TESTS_CONFORMANCE_SEEN_H
#define CEGSIM_TESTS_CONFORMANCE_SEEN_H

#include "base/int128.h"
#include "models/simulation.h"
#include "tests/conformance/subjects.h"

#define NEVER INT64_MAX

/* A segment under this plan. */
struct fact {
	enum segment_kind kind;
	uint32_t section;  /* number of CPU segments before it: tells GPU sections apart */
	bool gated;        /* its unit must be admitted before it is issued */
	int64_t behind_ns; /* worst-case times of what follows its GPU section */
};

struct unit_seen;

struct job_seen {
	uint32_t task, number;
	int64_t release, begin; /* begin NEVER: an earlier job was never over */
	int64_t deadline, end, first_start;
	enum job_end how;
};

/* An instance of a segment, in one job. */
struct op_seen {
	const struct fact *fact;
	struct job_seen *job;
	struct unit_seen *unit; /* the unit with which it waited at the gate; NULL: none */
	uint32_t task, segment;
	bool present;     /* it became ready, and has a length */
	int64_t ready;    /* of an operation that has to be launched: when it had been */
	int64_t launched; /* NEVER: it was not, or takes no launch */
	int64_t cut;      /* its job was dropped or aborted then */
	int64_t leave;    /* when it was over or withdrawn */
	/* As recorded: */
	uint32_t done;            /* intervals that ran to their end */
	int64_t first_start, end; /* `end`: of the last interval */
	uint32_t placed;          /* number of blocks */
	int64_t last_block_end;
	uint32_t m, granted; /* SMs: according to its blocks; according to its interval, 0: not granted */
};

/* What waits at the gate: a kernel, a section, or its kernels. */
struct unit_seen {
	uint32_t task;
	struct job_seen *job;
	struct op_seen *first, *last;    /* among its operations that became ready */
	int64_t ready;                   /* when it begins to wait */
	int64_t cut;                     /* its job was dropped or aborted then */
	int64_t over;                    /* when the last of its operations has left */
	int64_t admitted;                /* by the clock, or as the policy recorded (units.c); NEVER: not */
	int64_t begin;                   /* first start of an operation that must wait for admission */
	const struct trace_record *told; /* the decision that chose it */
	uint32_t tells;                  /* how many decisions chose it */
};

struct seen {
	const struct subject *subject;
	const struct platform *platform;
	const struct taskset *set;
	const struct run_setup *setup;
	const struct plan *plan;
	struct simulation *simulation; /* keeps the plan alive */
	struct trace_record *records;
	size_t count, capacity;
	int128 energy;
	struct simulation_outcome outcome;
	int64_t stop_at; /* nothing is dispatched at or after this instant */
	/* Filled in by seen_arrange(): */
	struct arena arena;
	struct fact **facts; /* [task][segment] */
	uint32_t *job_base, *job_count, *op_base;
	struct job_seen *jobs; /* by task, then number */
	uint32_t jobs_total;
	struct op_seen *ops; /* by job, then segment */
	uint32_t ops_total;
	struct unit_seen *units; /* in the order of their operations */
	uint32_t unit_count;
	const struct trace_record *untold; /* a decision that chose a unit that did not wait, or NULL */
};

/* Runs a case under a subject to the end. False: the run could not be made, text says why. */
bool seen_run(struct seen *s, const struct subject *subject, const struct platform *platform,
	const struct taskset *set, const struct run_setup *setup, char *text, size_t size);
void seen_finish(struct seen *s);
/* Fills in everything from `arena` on from the records; to be called again after they were changed. Works out
 * units and ready times only for policies that a law of the gate is for. */
void seen_arrange(struct seen *s);

/* facts.c */
void facts_make(struct seen *s);
/* Length of a job's segment; for a kernel, of each of its blocks, on all SMs. */
int64_t facts_length(const struct seen *s, const struct op_seen *op);

/* units.c: what waits at the gate, and when it is admitted. */
void units_make(struct seen *s);
/* Does the unit wait at the gate when this instant's decision is made? Units admitted at that very instant
 * are included. */
bool units_waits(const struct unit_seen *u, int64_t now);
/* Was the unit admitted at or before this instant, and is it not over yet? */
bool units_inside(const struct unit_seen *u, int64_t now);
/* When the unit left the gate without having been admitted; NEVER: it did not, or it never waited there. */
int64_t units_left(const struct unit_seen *u);
/* Is a looked at before b? Both wait. */
bool units_before(const struct seen *s, const struct unit_seen *a, const struct unit_seen *b, int64_t now);

struct op_seen *seen_op(const struct seen *s, uint32_t task, uint32_t job, uint32_t segment); /* or NULL */
void *seen_alloc(struct seen *s, size_t count, size_t size);

#endif
