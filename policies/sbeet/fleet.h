/* policies/sbeet/fleet.h - the parts of the policy `sbeet-mg` (docs/policies.md): Wang, Karimi, Kim, "Towards
 * Energy-Efficient Real-Time Scheduling of Heterogeneous Multi-GPU Systems", RTSS 2022, as their published
 * simulator and runtime have it (GitHub rtenlab/sBEET-mg). On each GPU it is sBEET (policies/sbeet/sbeet.h),
 * with whole GPU sections as units: their copies need to know the GPU, too.
 *
 *   fleet.c      the GPUs, each with a scheduler of its own; their energy
 *   assign.c     before the run: each task gets a home, one of the GPUs
 *   migrate.c    at run time: on which GPU a unit that waits starts now, and on how many SMs
 *   sbeet_mg.c   options, plan; the gate's side
 *
 * Memory is allocated when the plan is made, never after that. */
#ifndef CEGSIM_POLICIES_SBEET_FLEET_H
#define CEGSIM_POLICIES_SBEET_FLEET_H

#include "policies/sbeet/sbeet.h"

/* How tasks get their homes. */
enum fleet_assign {
	FLEET_ENERGY, /* by period: the GPU of least energy on which there is room */
	FLEET_FIRST,  /* bin packing, the largest utilisation first: the first GPU with room, ... */
	FLEET_BEST,   /* ... the fullest, ... */
	FLEET_WORST,  /* ... or the emptiest */
	FLEET_GIVEN,  /* the GPU that the task's segments name */
};

/* What a unit that waits may do. */
enum fleet_choice {
	FLEET_MIGRATE,  /* go to another GPU than its home, for energy or for its deadline */
	FLEET_STAY,     /* sBEET on its home */
	FLEET_PLAN,     /* m_opt SMs of its home, as soon as they are free */
	FLEET_LITTLE,   /* without homes: the smallest GPU that has room, ... */
	FLEET_BIG,      /* ... the largest one, ... */
	FLEET_BALANCED, /* ... or an idle one, else the one with the most free SMs */
};

struct fleet_options {
	enum fleet_assign assign;
	enum fleet_choice choice;
	struct sbeet_options gpu; /* of each GPU's scheduler */
};

/* A unit that waits, on whatever GPU. */
struct fleet_unit {
	uint32_t task, job, index; /* the section's index in its task */
	int64_t ready, deadline;   /* the section's */
};

struct fleet {
	const struct taskset *set;
	struct fleet_options options;
	uint32_t gpus;
	struct sbeet *gpu; /* [gpus] */
	uint32_t *home;    /* [tasks] a GPU */
	uint32_t *ranking; /* [tasks][gpus] the GPUs by the energy of a job there, the least first */
	int128 *cost;      /* [tasks][gpus] that energy, uW*ns: on m_opt SMs, above the static power */
	int128 *load;      /* [gpus] utilisation of the tasks that have this home, parts of FLEET_LOAD */
	uint32_t *order;   /* [tasks] scratch, and what it is sorted by */
	int128 *key;
	struct fleet_unit *waiting;      /* [tasks] in the order of the queue; for the caller to fill in */
	struct sbeet_candidate *weighed; /* [gpus] scratch */
};

/* Utilisations are integers: this many parts are 1. */
#define FLEET_LOAD ((int128)1000000000000)

/* What the owner of the fleet does with its choices; units and placements are those of GPU `gpu`. */
struct fleet_actions {
	void *self;
	void (*weigh)(void *self, uint32_t gpu, const struct sbeet_unit *unit,
		const struct sbeet_candidate *c, bool chosen);
	/* sm [placed->sms] ascending */
	void (*admit)(void *self, uint32_t gpu, const struct sbeet_unit *unit,
		const struct sbeet_placed *placed, uint32_t *sm);
};

/* The fleet of the plan's platform, with homes. Refuses a set that cannot be run: plan->refused. */
MUST_CHECK bool fleet_init(
	struct fleet *f, struct plan *plan, const struct fleet_options *options, struct error *err);
/* Sets every task's home (assign.c). f->cost and f->ranking are filled in. */
void fleet_assign(struct fleet *f);
/* Mean over m = 1 .. M of the task's GPU sections on m SMs of a GPU, copies included, over its period, in
 * parts of FLEET_LOAD, rounded up (sBEET, section II.B). */
int128 fleet_load(const struct fleet *f, uint32_t task, uint32_t gpu);
/* Mean of that over the GPUs: the task's size for bin packing. */
int128 fleet_size(const struct fleet *f, uint32_t task);

/* The unit of the task that was admitted on some GPU is over. */
void fleet_over(struct fleet *f, uint32_t task);
/* The GPU that has the task's admitted unit; f->gpus: none. */
uint32_t fleet_where(const struct fleet *f, uint32_t task);
/* Chooses from waiting[0 .. count - 1] at `now`. */
void fleet_choose(struct fleet *f, int64_t now, uint32_t count, const struct fleet_actions *actions);

#endif
