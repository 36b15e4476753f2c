/* tests/conformance/subjects.h - what the laws are checked on: every registered policy with every choice of
 * its options, the template, and policies made for the tests. */
#ifndef CEGSIM_TESTS_CONFORMANCE_SUBJECTS_H
#define CEGSIM_TESTS_CONFORMANCE_SUBJECTS_H

#include "models/policy.h"
#include "tests/oracle/random_sets.h"

/* What the test knows of a test policy's gate. */
enum subject_gate {
	GATE_UNKNOWN, /* nothing */
	GATE_CLOSED,  /* nothing is ever admitted */
	GATE_CLOCKED, /* all that wait, at multiples of GATE_CLOCK_NS */
};
#define GATE_CLOCK_NS 7

/* The option `allocation`, made for the set. */
enum subject_allocation {
	ALLOCATION_NONE,    /* not given */
	ALLOCATION_MEETING, /* 1, 2, ... SMs in turn: sets overlap unless they are exclusive */
	ALLOCATION_ALL,     /* all SMs to each task that has kernels */
	ALLOCATION_VIRTUAL, /* all virtual SMs: when only one task has kernels */
	ALLOCATION_EACH,    /* one step (an SM's virtual SMs) to each */
};

struct choice {
	char name[24], value[24];
};

#define SUBJECT_CHOICES 3
struct subject {
	char label[112];
	const struct policy *policy;
	struct choice choices[SUBJECT_CHOICES]; /* options that differ from the defaults */
	uint32_t choice_count;
	enum subject_allocation allocation;
	enum subject_gate gate;
	bool wide;            /* give the platform at least one SM per task */
	bool own_streams;     /* and streams such that no two tasks share one */
	bool own_sms;         /* and a platform on which SMs can be given out: `pool: sm` */
	bool light;           /* and sets that a test of schedulability may accept: long periods */
	bool periodic;        /* and sets with periodic releases */
	uint32_t virtual_sms; /* V_SM that it may set: kernels must have an alpha for it; 0: the platform's */
	bool contexts; /* give tasks processes, segments `idempotent`, and the platform times for switches */
	bool calls;    /* GPU sections are wrapped in calls that take time */
	bool locks;    /* a job that spins for the gate keeps the core from the job that it waits for: without
			* launches, which that one would need the core for, it ends all the same */
	bool masks;    /* confine kernels to some SMs, on GPUs that hold few of them at a time */
	bool chooses;  /* it chooses SMs for what it admits, and need not take all when nobody competes */
	/* Of policies made for the tests. */
	uint32_t workers; /* units admitted at a time, at most; 0: not known */
	bool slots;       /* SMs are given at run time as (V_SM + 1) / 2 virtual SMs of each */
	bool shows;       /* records at every decision what the gate shows (policies.h) */
	bool tells;       /* and what it admits, on how many SMs (0: on all, through the primary queue) */
};

/* Is there a law of the gate (law.h) for this subject? */
static inline bool laws_are_for(const struct subject *s)
{
	return s->shows || s->tells || s->workers > 0 || s->gate != GATE_UNKNOWN;
}

#define SUBJECTS_MAX 128
/* Fills the table; returns the number of subjects. */
size_t subjects_all(struct subject subjects[SUBJECTS_MAX]);

/* Whether it predicts schedules, and so refuses platforms with overheads. */
bool subjects_predict(const struct policy *policy);
/* Whether the policy takes sets whose tasks release each other. */
bool subjects_take_triggers(const struct subject *subject);
/* Whether it schedules each GPU of several by itself. */
bool subjects_take_gpus(const struct subject *subject);
/* Random case number `index` for a subject. */
void subjects_case(const struct subject *subject, uint64_t seed, uint64_t index, struct random_case *c);
/* Gives its platform overheads. */
void subjects_burden(const struct subject *subject, struct random_case *c, uint64_t index);
/* The values of its options for this set. */
MUST_CHECK bool subjects_params(const struct subject *subject, const struct platform *platform,
	const struct taskset *set, struct params *params, struct error *err);
bool subjects_has_kernels(const struct task *task);

#endif
