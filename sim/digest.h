/* sim/digest.h - the digest of a schedule. It combines two: the digest of the events, in their order, and
 * that of the jobs, in any order.
 *
 * The digest of the events is the engine's (sim/engine.h; for warps a sum over instructions). The digest of
 * the jobs is computed from what a recording's rows of jobs hold, so a reader of these rows can compute it
 * again: docs/recording.md, "Digests". It is the same on every machine and at every level of recording. */
#ifndef CEGSIM_SIM_DIGEST_H
#define CEGSIM_SIM_DIGEST_H

#include "base/mix.h"

/* A job that has ended. Instants are ns; -1: there is none (a deadline, a first start, a finish). */
struct digested_job {
	uint32_t task, number;
	int64_t release, deadline, first_start, finish;
	uint32_t outcome; /* enum job_end, + 4: missed */
};

/* One term of the sum over all jobs. Untraced runs compute it, too; its five products do not depend on each
 * other, so it is cheap. */
static inline uint64_t digest_of_job(const struct digested_job *j)
{
	uint64_t who = ((uint64_t)j->task << 32 | j->number) * 8 + j->outcome;
	return mix64((uint64_t)j->release * UINT64_C(0x9e3779b97f4a7c15) +
		     (uint64_t)j->deadline * UINT64_C(0xd1342543de82ef95) +
		     (uint64_t)j->first_start * UINT64_C(0xaef17502108ef2d9) +
		     (uint64_t)j->finish * UINT64_C(0xf1357aea2e62a9c5) + who * UINT64_C(0xd6e8feb86659fd93));
}

static inline uint64_t digest_of_schedule(uint64_t events, uint64_t jobs)
{
	return mix64(events * UINT64_C(0x9e3779b97f4a7c15) + jobs);
}

#endif
