/* tests/conformance/law.h - laws: what must be true of every run, whatever the policy (docs/model.md). */
#ifndef CEGSIM_TESTS_CONFORMANCE_LAW_H
#define CEGSIM_TESTS_CONFORMANCE_LAW_H

#include "tests/conformance/seen.h"

struct verdict {
	bool broken;
	char text[300]; /* the first breach */
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
extern const struct law trace_laws[];
/* Name of the first law that is broken, or NULL. */
const char *laws_check(const struct seen *s, struct verdict *v);
/* One law by name. */
void laws_check_one(const struct seen *s, const char *name, struct verdict *v);

/* laws_jobs.c */
law_fn holds_release_pattern, holds_jobs_end_once, holds_misses, holds_precedence, holds_lengths,
	holds_end_of_run;
/* laws_cpu.c */
law_fn holds_core_one_at_a_time, holds_core_right_job, holds_boost;
/* laws_copies.c */
law_fn holds_copies_one_at_a_time, holds_copies_not_preempted, holds_copies_order,
	holds_copies_work_conserving;
/* laws_gpu.c */
law_fn holds_sm_limits, holds_block_placement, holds_primary_queue, holds_gpu_work_conserving, holds_grants,
	holds_block_times;
/* laws_gate.c */
law_fn holds_gate_one_at_a_time, holds_gate_order, holds_gate_work_conserving, holds_gate_closed,
	holds_static_sets, holds_gate_clock, holds_section_kernels, holds_gate_told, holds_gate_shows;
/* laws_power.c */
law_fn holds_power_intervals, holds_energy, holds_task_energies, holds_activity;

#endif
