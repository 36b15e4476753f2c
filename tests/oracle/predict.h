/* tests/oracle/predict.h - schedules that sbeet and sbeet-mg predict on one GPU, made slowly (predict.c). */
#ifndef CEGSIM_TESTS_ORACLE_PREDICT_H
#define CEGSIM_TESTS_ORACLE_PREDICT_H

#include "tests/oracle/oracle_internal.h"

#define GPU_NAMED UINT32_MAX /* the one that the segment names */
#define ALL_SMS 0            /* of the GPU in question */

/* A GPU section of a task as the scenario writes it: segments [first, behind). */
struct section {
	uint32_t task, first, behind, first_kernel, last_kernel;
	bool kernels; /* it has kernels */
};

/* A unit in a prediction. */
struct unit {
	struct section section;
	int64_t r, d; /* ready, deadline of the section */
	uint32_t job;
	bool late;
};

/* A unit that has its place: it occupies `sms` SMs during [occupies, end), its body runs during [start,
 * end). */
struct placed {
	struct section section;
	uint32_t sms;
	int64_t occupies, start, end;
};

struct prediction {
	struct unit *others; /* Q^w */
	size_t other_count;
	struct placed *placed;
	size_t placed_count;
	uint32_t gpu, sms; /* m' */
	int64_t f;
	bool feasible;
};

/* The section that the segment is of. */
struct section oracle_section_at(const struct oracle *o, uint32_t task, uint32_t segment);
/* body(sms): sbeet's from the first kernel to the last; sbeet-mg's of the whole section. */
int64_t oracle_body(const struct oracle *o, const struct section *s, uint32_t gpu, uint32_t sms);
/* m_opt, and what its kernels cost there above the static power. The section has kernels. */
uint32_t oracle_optimal_sms(const struct oracle *o, const struct section *s, uint32_t gpu, int128 *cost);
/* The task's unit, which waits at the gate. */
struct unit oracle_waiting_unit(const struct oracle *o, uint32_t task);

/* gen(J, m'). */
struct prediction oracle_generate(const struct oracle *o, const struct unit *j, uint32_t gpu, uint32_t sms);
void oracle_prediction_finish(struct prediction *p);
/* Predicted, of all GPUs, over [now, until). */
int128 oracle_prediction_energy(const struct oracle *o, const struct prediction *p, int64_t until);
void oracle_record_decision(struct oracle *o, const struct unit *j, const struct prediction *p, bool chosen);

/* Units with SMs on a GPU, and the SMs that none of them holds. */
uint32_t oracle_units_on(const struct oracle *o, uint32_t gpu);
uint32_t oracle_sms_left(const struct oracle *o, uint32_t gpu);
/* What sbeet chooses on an idle GPU; the others are recorded. */
struct prediction oracle_weigh_idle(struct oracle *o, const struct unit *j, uint32_t gpu);
/* Would sbeet admit the unit beside others? Recorded if it is infeasible; only *p is left if true. */
bool oracle_weigh_beside(struct oracle *o, const struct unit *j, uint32_t gpu, struct prediction *p);
/* Admits the unit on the free SMs of lowest index. */
void oracle_admit_on(struct oracle *o, const struct unit *j, uint32_t gpu, uint32_t sms);

#endif
