/* models/policy.h - what a policy is, for those who write one (docs/adding-a-policy.md).
 *
 * A policy is a composition, made once per run by its plan(): an order of the tasks, a
 * way to wait on the CPU, an order for each queue of the platform and, if it decides
 * itself what may use the GPU, a gate with a decide() hook. The platform (models/) does
 * the rest. A policy has no globals; what it must remember between two calls of decide()
 * hangs at plan->state.
 *
 * A GPU section is a maximal run of copies and kernels between CPU segments. */
#ifndef CEGSIM_MODELS_POLICY_H
#define CEGSIM_MODELS_POLICY_H

#include "base/arena.h"
#include "base/error.h"
#include "models/params.h"
#include "models/platform.h"
#include "models/setup.h"
#include "models/taskset.h"

/* What a job does with the core while a GPU section of its is going on. */
enum cpu_wait {
	WAIT_SUSPEND, /* leaves it to others */
	WAIT_BUSY,    /* holds it at the task's priority (spins, preemptable) */
	WAIT_BOOST,   /* holds it above every priority (not preemptable) */
};

/* What the policy admits one by one. */
enum gate_unit {
	GATE_OPEN,            /* nothing: every operation is issued when it is ready */
	GATE_KERNEL,          /* kernels; copies are issued when they are ready */
	GATE_SECTION,         /* whole GPU sections, from their first operation to their last */
	GATE_SECTION_KERNELS, /* all kernels of a section as one, from the instant at which the section is
			       * ready to the end of its last kernel; its copies in front of the first
			       * kernel and behind the last one are issued when they are ready */
};

/* An operation that enters a queue, as an order sees it. */
struct operation {
	uint32_t task, job, segment;
	uint32_t rank; /* the task's place in the plan's priority order, 0 highest */
	bool stream_high;
	int64_t now;              /* the instant of entering */
	int64_t release;          /* the job's */
	int64_t deadline;         /* the job's absolute deadline */
	int64_t section_deadline; /* the same less the worst-case times, on all SMs, of what follows the GPU
				   * section in the job; the same as `deadline` for CPU segments */
};

/* The key of an operation in a queue: the smallest goes first, ties by task index.
 * Called once per entering; must depend on its argument alone. */
typedef int64_t order_fn(const struct operation *op);

/* SMs given to a kernel. Its blocks stay on them. They are not reserved: a kernel without a grant may be
 * put there by the primary queue, so a policy grants SMs to all tasks or lets no others in. */
struct grant {
	uint32_t count;       /* SMs */
	uint32_t *sm;         /* [count], ascending */
	uint32_t *slots;      /* [count] virtual SMs on each; NULL: whole SMs */
	uint32_t virtual_sms; /* sum of slots; 0 with whole SMs */
};

struct gate; /* models/gate.h: the services decide() may call */

/* Called in phase 4 of every instant at which a unit began to wait at the gate, one that waited left it
 * without having been admitted (its job was removed, or all its kernels passed with length zero), a kernel of
 * an admitted unit ended, an admitted unit was over, or for which the policy asked (gate_wake). May look at
 * the gate and admit waiting units; may not allocate. It is not called again at the same instant for what it
 * admits itself. */
typedef void decide_fn(struct gate *gate, void *state);

struct plan {
	/* Given. */
	const struct platform *platform;
	const struct taskset *set;
	const struct run_setup *setup;
	const struct params *params; /* every option of the policy has a value */
	struct arena *arena;         /* lives as long as the run; for state, grants, ranks */

	/* To fill in. Preset: deadline-monotonic ranks, WAIT_SUSPEND, GATE_OPEN, fixed priority
	 * on the CPU, first come first served elsewhere, the platform's virtual SMs. */
	uint32_t *rank; /* [tasks], a permutation of 0 .. n - 1 */
	enum cpu_wait wait;
	enum gate_unit unit;
	order_fn *cpu_order;    /* preemptive */
	order_fn *copy_order;   /* non-preemptive; one queue per engine */
	order_fn *kernel_order; /* GATE_OPEN: the primary queue (R1); else the gate's queue */
	decide_fn *decide;      /* GATE_OPEN: NULL */
	bool wakes;             /* decide() may ask to be called at an instant (gate_wake) */
	void *state;
	uint32_t virtual_sms;       /* V_SM in force */
	const struct grant *grants; /* [tasks]: static SM sets, or NULL: none */
	bool grants_at_run_time;    /* decide() says on which SMs a unit goes (gate_admit_on) */

	/* Refusing a set: true, with the reason and the first task that fails. The run
	 * is recorded as refused, without jobs. A policy that runs a set against the word
	 * of its own test leaves `refused` false and gives the two all the same: they are
	 * recorded with the run. Its test accepts, or it has none: reason "". */
	bool refused;
	char reason[256];
	uint32_t failing_task; /* UINT32_MAX: no particular one */
};

struct policy {
	const char *name;             /* as users type it; stable */
	const char *summary;          /* one line, with the paper it follows */
	unsigned version;             /* grows when schedules change */
	const struct option *options; /* ends with a NULL name; NULL: none */
	/* Fills in the plan. False: the run cannot be made (out of memory, options that
	 * contradict each other); refusing a set is not a failure. NULL: it schedules warps. */
	bool (*plan)(struct plan *plan, struct error *err);
	int warp_scheduler; /* without a plan: which (models/warps/options.h) */
};

/* Standard orders (models/orders.c). */
CEGSIM_API order_fn order_by_priority, order_by_arrival, order_by_release, order_by_deadline,
	order_by_section_deadline, order_by_stream_priority; /* high streams first, by arrival within */

#endif
