/* tests/conformance/law.h - laws: what must be true of every run, whatever the policy (docs/model.md). */
#ifndef CEGSIM_TESTS_CONFORMANCE_LAW_H
#define CEGSIM_TESTS_CONFORMANCE_LAW_H

#include "tests/conformance/seen.h"

struct verdict {
	bool broken;
	char text[300];           /* the first breach */
};

/* Notes a breach; later ones are ignored. */
void law_broken(struct verdict *v, const char *fmt, ...) PRINTF_LIKE(2, 3);

typedef void law_fn(const struct seen *s, struct verdict *v);

struct law {
	const char *name;
	law_fn *check;
	/* Which runs it is for, by a property of the plan or the subject; NULL: all. */
	bool (*holds_for)(const struct seen *s);
};

/* Ends with a NULL name. */
extern const struct law laws[];
/* Name of the first law that is broken, or NULL. */
const char *laws_check(const struct seen *s, struct verdict *v);
/* One law by name. */
void laws_check_one(const struct seen *s, const char *name, struct verdict *v);

/* laws_jobs.c */
law_fn law_release_pattern, law_jobs_end_once, law_misses, law_precedence, law_lengths, law_end_of_run;
/* laws_cpu.c */
law_fn law_core_one_at_a_time, law_core_right_job;
/* laws_copies.c */
law_fn law_copies_one_at_a_time, law_copies_not_preempted, law_copies_order, law_copies_work_conserving;
/* laws_gpu.c */
law_fn law_sm_limits, law_block_placement, law_primary_queue, law_gpu_work_conserving, law_grants,
	law_blocks_alike;
/* laws_gate.c */
law_fn law_gate_one_at_a_time, law_gate_order, law_gate_work_conserving, law_gate_closed;
/* laws_power.c */
law_fn law_power_intervals, law_energy;

#endif
