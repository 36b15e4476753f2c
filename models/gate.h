/* models/gate.h - what a policy may ask and do in its decide() (models/policy.h).
 *
 * Units wait at the gate in the plan's kernel_order. An admitted unit leaves the gate: its operations are
 * issued to their streams in phase 5 of the same instant. */
#ifndef CEGSIM_MODELS_GATE_H
#define CEGSIM_MODELS_GATE_H

#include "models/policy.h"

CEGSIM_API int64_t gate_now(const struct gate *g);
/* When this decision was asked for: now, unless decisions take time (plan.decision). Only units that are
 * ready since then, or for longer, are to be admitted: it was not paid for the others. */
CEGSIM_API int64_t gate_asked(const struct gate *g);
CEGSIM_API uint32_t gate_waiting(const struct gate *g);  /* number of waiting units */
CEGSIM_API uint32_t gate_admitted(const struct gate *g); /* number of units admitted and not over */
/* A unit of the task was admitted and is not over. */
CEGSIM_API bool gate_is_admitted(const struct gate *g, uint32_t task);

/* A waiting unit. */
struct gate_unit_view {
	uint32_t task, job;
	uint32_t segment;         /* first of the unit: the kernel, or the first of the section */
	int64_t ready;            /* instant at which it began to wait */
	int64_t deadline;         /* the job's absolute deadline */
	int64_t section_deadline; /* models/policy.h, struct operation */
};

/* A job's release. `jobs`: how many of its task have been released with it, 0: none. */
struct gate_release {
	uint32_t jobs;
	int64_t at; /* of job jobs - 1 */
};

/* Goes on to the task's next release. *r must be zeroed, or as this function left it for the same task.
 * False: job r->jobs has not been released yet, and *r does not change. (Jobs of this instant have been
 * released.) Never true for tasks that are released by the ends of others. Takes constant time: releases are
 * not stored, each is calculated from the one before. */
CEGSIM_API bool gate_next_release(const struct gate *g, uint32_t task, struct gate_release *r);

/* The i-th waiting unit, 0 .. gate_waiting() - 1, in the order of the gate (with the setup's rule for ties).
 * After an admission the units behind it move up. */
CEGSIM_API struct gate_unit_view gate_unit(const struct gate *g, uint32_t i);

/* Admits the first unit of the gate: on its task's static SMs if the task has some, else on all SMs, through
 * the primary queue. At least one unit must be waiting. Returns its task. */
CEGSIM_API uint32_t gate_admit_next(struct gate *g);
/* The same with the waiting unit of this task. */
CEGSIM_API void gate_admit(struct gate *g, uint32_t task);
/* Admits the waiting unit of this task on SMs of its own, until the unit is over; the grant is copied. Needs
 * plan.grants_at_run_time, and a task without SMs in plan.grants. The SMs must be ascending, the slots (or
 * NULL) 1 .. V_SM each, and every kernel of the unit must have a time there (kernel_shape). A policy that
 * breaks this, or admits a unit that does not wait, ends the run with an error that names the policy. */
CEGSIM_API void gate_admit_on(struct gate *g, uint32_t task, const struct grant *grant);

/* ---- several GPUs (docs/model.md, "Several GPUs") ---- */

/* The GPU of this gate; with plan.gpus = GPUS_CHOSEN, and on platforms with one GPU, 0. */
CEGSIM_API uint32_t gate_gpu(const struct gate *g);
/* Needs plan.gpus = GPUS_CHOSEN. Admits the waiting unit of this task, and the whole of its section runs on
 * GPU `gpu`: on its SMs of the grant, as gate_admit_on() says, or, NULL, on all of them. The times of the
 * section are drawn again, within their ranges on that GPU, by the same draw. */
CEGSIM_API void gate_admit_gpu(struct gate *g, uint32_t task, uint32_t gpu, const struct grant *grant);

/* Asks for a call of decide() at instant `at`, which must be later than now. Needs plan.wakes. Of several
 * requests the earliest counts. A call of decide() for another reason does not cancel the request. */
CEGSIM_API void gate_wake(struct gate *g, int64_t at);

/* ---- contexts (docs/model.md, "Contexts"); these need plan.contexts ---- */

#define GATE_NOBODY UINT32_MAX

/* Processes are numbered as taskset_processes() says. */
CEGSIM_API uint32_t gate_processes(const struct gate *g);
CEGSIM_API uint32_t gate_process(const struct gate *g, uint32_t task);
/* The process that has the GPU; GATE_NOBODY: none, or it is being switched. */
CEGSIM_API uint32_t gate_context(const struct gate *g);
/* The process to which the GPU is being switched, or for which it is drained; GATE_NOBODY: none. */
CEGSIM_API uint32_t gate_switching(const struct gate *g);
/* Whether an operation of the process is eligible or runs. */
CEGSIM_API bool gate_is_active(const struct gate *g, uint32_t process);
/* The next active process behind `process` in the ring of their numbers, which comes last itself; GATE_NOBODY
 * as `process`: the first of all. GATE_NOBODY: none is active. */
CEGSIM_API uint32_t gate_next_active(const struct gate *g, uint32_t process);
/* Whether all that runs on the GPU is idempotent, so that GATE_RESET is allowed now. */
CEGSIM_API bool gate_may_reset(const struct gate *g);

enum gate_how {
	GATE_SAVE,  /* what runs is frozen, and goes on later; costs the platform's `switch` */
	GATE_DRAIN, /* what runs goes on to its end, and nothing more is started; free */
	GATE_RESET, /* what runs is lost, and starts again later; costs the platform's `reset` */
};

/* The GPU is to go to `process`, GATE_NOBODY: to none. Of several calls at one instant the last counts; the
 * change begins behind decide() (in plan.call: behind that). Returns when the process will have the GPU;
 * INT64_MAX: when what runs has ended, or the call is over. To name the one that has it is no change. */
CEGSIM_API int64_t gate_switch(struct gate *g, uint32_t process, enum gate_how how);
/* The same at a price of the policy's own, >= 0 ns, in place of the platform's `switch` or `reset`. (Draining
 * is free, and so is to save what is loaded anyway; in plan.call the price means nothing.) */
CEGSIM_API int64_t gate_switch_for(struct gate *g, uint32_t process, enum gate_how how, int64_t price_ns);
/* The task whose call goes on; GATE_NOBODY: none does. */
CEGSIM_API uint32_t gate_calling(const struct gate *g);

/* Records that the policy weighed `sms` SMs for the unit of `task`. */
struct gate_weighed {
	uint32_t sms, gpu;   /* gpu: with GPUS_CHOSEN, of which GPU; else it is the gate's */
	int64_t kernel_end;  /* predicted end of the unit's last kernel */
	int64_t energy_uwns; /* predicted energy of the GPU from now to that end, uW*ns (saturated) */
	bool feasible, chosen;
};
CEGSIM_API void gate_weigh(struct gate *g, uint32_t task, const struct gate_weighed *weighed);

#endif
