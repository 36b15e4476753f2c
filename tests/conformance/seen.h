/* tests/conformance/seen.h - what was seen of a run: its trace, put in order for the laws.
 *
 * A law (law.h) judges a run by its records alone. What it needs besides is worked out here a
 * second time, from docs/model.md and without models/: what each segment needs and how long it takes,
 * when each operation became ready, was issued, and entered its queue. */
#ifndef CEGSIM_TESTS_CONFORMANCE_SEEN_H
#define CEGSIM_TESTS_CONFORMANCE_SEEN_H

#include "base/int128.h"
#include "models/simulation.h"
#include "tests/conformance/subjects.h"

#define NEVER INT64_MAX

/* What one block takes of its SM; pool gpu: threads only. */
struct demand {
	int64_t threads, warps, blocks, registers, shared_memory, virtual_sms;
};

/* A segment on this platform under this plan. */
struct fact {
	enum segment_kind kind;
	uint32_t section; /* CPU segments before it: tells GPU sections apart */
	uint32_t queue;   /* hardware queue; the platform's work_queues: the NULL stream */
	uint32_t engine;
	bool stream_high;
	uint32_t blocks, sms; /* sms: m of P_d(m) */
	struct demand need;
	int64_t low_ns, high_ns; /* length; of one block */
	int64_t whole_uw;        /* P_d(m) */
	bool gated;              /* its unit must be admitted before it is issued */
	int64_t behind_ns;       /* worst-case times of what follows its GPU section */
};

struct unit_seen;

struct job_seen {
	uint32_t task, number;
	int64_t release, begin; /* begin NEVER: an earlier job was never over */
	uint32_t ends;          /* records of its end */
	int64_t deadline, end, first_start;
	enum job_end how;
	int64_t passed; /* first instant at which a segment of length zero passed; NEVER */
};

/* A segment instance. */
struct op_seen {
	const struct fact *fact;   /* a kernel's, on the SMs it ran on */
	const struct grant *grant; /* those, if they were its own; given at run time: those that are known */
	const struct grant *used;  /* given at run time: those with blocks */
	struct job_seen *job;
	struct unit_seen *unit; /* that waited at the gate; NULL: none */
	bool ahead; /* part of it, but issued before it is admitted: a copy in front of the kernels */
	uint32_t task, segment;
	bool present; /* it became ready, and has a length */
	int64_t length, ready;
	int64_t cut;          /* its job was dropped or aborted then */
	int64_t issue, enter; /* issued to its stream; entered the copy queue or the primary queue */
	int64_t leave;        /* over, or withdrawn */
	/* As recorded. */
	uint32_t spans, done;          /* intervals, and how many of them went to the end */
	int64_t first_start, end, run; /* end of the last interval; sum of them */
	uint32_t placed, ended;        /* blocks */
	int64_t last_placed, last_block_end;
	uint32_t m, granted; /* SMs that its blocks say; what its interval says: 0 not granted */
};

/* What waits at the gate: a kernel, a section, or its kernels. */
struct unit_seen {
	uint32_t task;
	struct job_seen *job;
	struct op_seen *first, *last;    /* of those of its operations that became ready */
	int64_t ready;                   /* begins to wait */
	int64_t cut;                     /* its job was dropped or aborted then */
	int64_t over;                    /* the last of its operations has left */
	int64_t admitted;                /* by the rules of the subject's gate (units.c); NEVER: not */
	int64_t begin, end;              /* first start and last end of what must not start before that */
	const struct trace_record *told; /* the decision that chose it */
	uint32_t tells;                  /* how many did */
	const struct grant *grant;       /* SMs given when it was admitted, where the rule is known */
};

struct power_seen {
	int64_t start, end, uw;
	uint32_t active, idle;
};

struct seen {
	const struct subject *subject;
	const struct platform *platform;
	const struct taskset *set;
	const struct run_setup *setup;
	const struct plan *plan;
	enum subject_gate gate;        /* the subject's; serial if its decide() is the shared one */
	struct simulation *simulation; /* keeps the plan alive */
	struct trace_record *records;
	size_t count, capacity;
	struct power_seen *powers;
	size_t power_count, power_capacity;
	int128 energy, *task_energies; /* [tasks] */
	int128 sm_active_ns;
	int64_t active_ns;
	struct simulation_outcome outcome;
	int64_t stop_at; /* nothing is dispatched from here on */
	/* Put in order by seen_arrange(). */
	struct arena arena;
	struct fact **facts; /* [task][segment] */
	uint32_t *job_base, *job_count, *op_base;
	struct job_seen *jobs; /* by task, then number */
	uint32_t jobs_total;
	struct op_seen *ops; /* by job, then segment */
	uint32_t ops_total;
	struct unit_seen *units; /* as their operations */
	uint32_t unit_count;
	const struct trace_record *untold; /* a decision that chose what did not wait, or NULL */
	size_t strays;                     /* records that belong to no operation */
	const struct trace_record *stray;
};

/* Runs a case under a subject to the end. False: the run could not be made, text says why. */
bool seen_run(struct seen *s, const struct subject *subject, const struct platform *platform,
	const struct taskset *set, const struct run_setup *setup, char *text, size_t size);
void seen_finish(struct seen *s);
/* Everything below `arena`, from the records; again after they were changed. */
void seen_arrange(struct seen *s);

/* facts.c */
void facts_make(struct seen *s);
/* The kernel on so many SMs of its own, whole (slots 0) or with so many virtual SMs. */
void facts_on(const struct seen *s, const struct op_seen *op, uint32_t sms, uint32_t slots, struct fact *f);
/* The operation's draw in the bounds of the fact. */
int64_t facts_length(const struct seen *s, const struct op_seen *op, const struct fact *f);
int64_t facts_block_length(const struct seen *s, const struct op_seen *op, uint32_t block);
bool facts_fit(const struct demand *need, const struct demand *room);
struct demand facts_room(const struct seen *s); /* of an empty SM; pool gpu: of the whole GPU */

/* units.c: what waits at the gate, and when it is admitted. */
void units_make(struct seen *s);
/* Waits at the gate at the instant's decision: what is admitted at that very instant included. */
bool units_waits(const struct unit_seen *u, int64_t now);
/* Was admitted before or at this instant, and is not over. */
bool units_inside(const struct unit_seen *u, int64_t now);
/* When it left the gate without having been admitted; NEVER: it did not, or it never stood there. */
int64_t units_left(const struct unit_seen *u);
/* Would a be looked at before b? Both wait. */
bool units_before(const struct seen *s, const struct unit_seen *a, const struct unit_seen *b, int64_t now);
bool units_meet(const struct grant *a, const struct grant *b);

/* queues.c: orders, issue and entering. */
void queues_derive(struct seen *s);
/* Does a go before b in a queue of this order that both entered at the given instants? Plain order;
 * `descending` ties of first-come orders under `ties: lower-first` included. */
bool queues_before(const struct seen *s, order_fn *order, const struct op_seen *a, int64_t a_entered,
	const struct op_seen *b, int64_t b_entered);
/* The same for the choice of a non-preemptive resource at `now`, among operations that all wait. */
bool queues_taken_before(const struct seen *s, order_fn *order, const struct op_seen *a, int64_t a_entered,
	const struct op_seen *b, int64_t b_entered, int64_t now);

struct op_seen *seen_op(const struct seen *s, uint32_t task, uint32_t job, uint32_t segment); /* or NULL */
void *seen_alloc(struct seen *s, size_t count, size_t size);

#endif
