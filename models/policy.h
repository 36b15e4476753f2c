/* models/policy.h - what a policy is, for those who write one (docs/adding-a-policy.md).
 *
 * A policy fills in a plan, once per run, in its function plan(): an order of the tasks, a way to wait on the
 * CPU, an order for each queue of the platform and, if it decides itself what may use the GPU, a gate with a
 * decide() hook. The platform (models/) does the rest. A policy has no globals; what it must remember between
 * two calls of decide() is at plan->state.
 *
 * A GPU section is a maximal run of copies and kernels of one GPU between CPU segments. */
#ifndef CEGSIM_MODELS_POLICY_H
#define CEGSIM_MODELS_POLICY_H

#include "base/arena.h"
#include "base/error.h"
#include "models/params.h"
#include "models/platform.h"
#include "models/setup.h"
#include "models/taskset.h"

/* What a job does with the core during one of its GPU sections. */
enum cpu_wait {
	WAIT_SUSPEND, /* releases it */
	WAIT_BUSY,    /* holds it at the task's priority (spins, preemptable) */
	WAIT_BOOST,   /* holds it above every priority (not preemptable) */
};

/* What the policy admits as one unit. */
enum gate_unit {
	GATE_OPEN,            /* nothing: every operation is issued when it is ready */
	GATE_KERNEL,          /* kernels; copies are issued when they are ready */
	GATE_SECTION,         /* whole GPU sections, from their first operation to their last */
	GATE_SECTION_KERNELS, /* all kernels of a section as one, from the instant at which the section is
			       * ready to the end of its last kernel; its copies in front of the first
			       * kernel and behind the last one are issued when they are ready */
};

/* Whether processes have contexts of their own, which have the GPU in turns (docs/model.md, "Contexts"). */
enum plan_contexts {
	CONTEXTS_NONE,    /* the GPU is one context */
	CONTEXTS_GPU,     /* a context has copy engines and SMs */
	CONTEXTS_COMPUTE, /* a context has the SMs; copies are as without contexts */
};

/* On platforms with several GPUs (docs/model.md, "Several GPUs"). */
enum plan_gpus {
	GPUS_ONE,    /* the policy knows one GPU: it refuses sets on platforms with several */
	GPUS_EACH,   /* each has a gate, for the segments that name it: decide() is called for each gate at
		      * which something happened, in the order of the GPUs; gate_gpu() says which one */
	GPUS_CHOSEN, /* there is one gate, and decide() chooses the GPU of each unit that it admits
		      * (gate_admit_gpu). Needs GATE_SECTION. Until then, and for section deadlines, times
		      * are those on the GPUs that segments name */
};

/* An operation that enters a queue, as an order sees it. */
struct operation {
	uint32_t task, job, segment;
	uint32_t rank; /* the task's place in the plan's priority order, 0 highest */
	bool stream_high;
	int64_t now;              /* the instant at which it enters the queue */
	int64_t release;          /* the job's */
	int64_t deadline;         /* the job's absolute deadline */
	int64_t section_deadline; /* the job's deadline less the worst-case times, on all SMs, of what follows
				     the GPU section in the job; for CPU segments equal to `deadline` */
};

/* The key of an operation in a queue: the smallest key goes first, ties go by task index. Called once when an
 * operation enters; must depend on its argument alone. */
typedef int64_t order_fn(const struct operation *op);

/* SMs that are given to a kernel. Its blocks stay on them. They are not reserved: the primary queue may place
 * blocks of a kernel without a grant there. So a policy either grants SMs to all tasks, or admits no kernel
 * without a grant. */
struct grant {
	uint32_t count;       /* SMs */
	uint32_t *sm;         /* [count], ascending */
	uint32_t *slots;      /* [count] virtual SMs on each; NULL: whole SMs */
	uint32_t virtual_sms; /* sum of slots; 0 with whole SMs */
};

struct gate; /* models/gate.h: the functions that decide() may call */

/* Called in phase 4 of every instant at which one of these happened: a unit began to wait at the gate; a
 * waiting unit left it without being admitted (its job was removed, or all its kernels were skipped with
 * length zero); a kernel of an admitted unit ended; an admitted unit was over; or it is an instant for which
 * the policy asked (gate_wake). With plan.contexts also: an operation entered the queue of its context, or
 * left it; a change of the holder was over. It may look at the gate and admit waiting units; it may not
 * allocate. It is not called again at the same instant for what it admits itself. */
typedef void decide_fn(struct gate *gate, void *state);

/* A call of the driver around a GPU section (docs/model.md, "Calls"). */
struct gate_call {
	uint32_t task, job;
	bool end; /* behind the section; else in front of it */
};

/* Called when a call begins: its job has a core and the update lock. Returns how long the call lasts, at
 * least 1 ns (0 with plan.calls_free). It may call gate_switch(), by GATE_SAVE or GATE_RESET: that change is
 * over when the call is, and costs nothing else; nothing runs on the GPU meanwhile. It may not admit, and may
 * not allocate. decide() is called at the end of each call, and at its begin if that is an instant at which
 * it is to be called. */
typedef int64_t call_fn(struct gate *gate, void *state, const struct gate_call *call);

/* What a decision takes: base, and so much for each unit that waits when it is asked for; both 0: nothing.
 * For policies with a gate, on platforms with one GPU and without overheads or contexts. */
#define DECISION_MOST_NS INT64_C(1000000000)
struct plan_decision {
	int64_t base_ns, unit_ns; /* 0 .. DECISION_MOST_NS each */
	bool on_core; /* core 0 makes it, before all jobs; else nobody's time passes but the gate's */
};

struct plan {
	/* Input. */
	const struct platform *platform; /* with several GPUs: see platform_gpu() */
	const struct taskset *set;
	const struct run_setup *setup;
	const char *policy;          /* the policy's name */
	const struct params *params; /* every option of the policy has a value */
	struct arena *arena;         /* lives as long as the run; for state, grants, ranks */

	/* To be filled in. Presets: deadline-monotonic ranks, WAIT_SUSPEND, GATE_OPEN, fixed priority on the
	 * CPU, first come first served elsewhere, the platform's virtual SMs. */
	uint32_t *rank; /* [tasks], a permutation of 0 .. n - 1 */
	enum cpu_wait wait;
	enum gate_unit unit;
	order_fn *cpu_order;    /* preemptive */
	order_fn *copy_order;   /* non-preemptive; one queue per engine */
	order_fn *kernel_order; /* GATE_OPEN: the primary queue (R1); else the gate's queue */
	decide_fn *decide;      /* GATE_OPEN without contexts: NULL */
	bool wakes;             /* decide() may ask to be called at an instant (gate_wake) */
	bool planned_ahead;     /* what decide() admits, and when, is planned: it may be nothing up to S */
	enum plan_contexts contexts; /* decide() says which process has the GPU (gate_switch) */
	call_fn *call;   /* not NULL: GPU sections are wrapped in calls; needs contexts, and GATE_OPEN */
	bool calls_free; /* all of them last 0 ns: they need no core and no lock, are over at once, and may
			    not call gate_switch() */
	const uint32_t *call_rank; /* [tasks]: who waits for the update lock with the smallest one goes first,
				      ties by task index; NULL: rank */
	enum plan_gpus gpus;       /* which GPUs of several it schedules, and how */
	struct plan_decision decision; /* of decide(), which is called when that time is over (gate_asked) */
	void *state;
	uint32_t virtual_sms;       /* V_SM in force */
	const struct grant *grants; /* [tasks]: static SM sets, or NULL: none */
	bool grants_at_run_time;    /* decide() chooses the SMs of a unit (gate_admit_on) */
	bool streams_alike; /* every stream is of low priority, whatever the set says. For the audit the
			       policy needs an option `priorities`, with the value "ignore" */

	/* To refuse a set: true, with the reason and the first task that fails. The run is then recorded as
	 * refused, without jobs. A policy that runs a set although its own test fails leaves `refused` false
	 * and fills in reason and task all the same: they are recorded with the run. If the test accepts, or
	 * there is none, the reason is "". */
	bool refused;
	char reason[256];
	uint32_t failing_task; /* UINT32_MAX: no particular one */
};

struct policy {
	const char *name;    /* as users type it; stable */
	const char *summary; /* one line, with the paper it follows */
	unsigned version;    /* grows when schedules change */
	/* plan() looks at platform, set and options alone: not at plan->setup, nor at release rules. So its
	 * plan is that of all runs of the set, and a search need not make it again for each. */
	bool plan_of_set;
	const struct option *options; /* ends with a NULL name; NULL: none */
	/* Fills in the plan. False: the run cannot be made (out of memory, options that contradict each
	 * other). To refuse a set is not a failure. NULL: the policy schedules warps. */
	bool (*plan)(struct plan *plan, struct error *err);
	int warp_scheduler; /* policies without plan(): which warp scheduler (models/warps/options.h) */
	/* Whether the options go together, asked before there is a run, too: so it is said where they stand
	 * in a file. plan() need not ask again. False: *err has a clause about them. NULL: they always do. */
	bool (*check)(const struct params *params, struct error *err);
};

/* Standard orders (models/orders.c). */
CEGSIM_API order_fn order_by_priority, order_by_arrival, order_by_release, order_by_deadline,
	order_by_section_deadline, order_by_stream_priority; /* high streams first, then by arrival */

#endif
