/* policies/sbeet/sbeet.h - the parts of the policy `sbeet` (docs/policies.md): Wang, Karimi, Xiang, Kim,
 * "Balancing Energy Efficiency and Real-Time Performance in GPU Scheduling", RTSS 2021, section IV.B.
 *
 *   sbeet.c      options, plan; Algorithms 1 and 2 as the gate's decide()
 *   choose.c     Algorithms 1 and 2: which waiting unit starts now, on how many SMs
 *   sections.c   GPU sections with their times and powers on 1 .. M SMs, and m_opt
 *   timetable.c  Q^w: the units that wait, and those expected after the last releases
 *   predict.c    Algorithm 3: the schedule that is predicted for a choice
 *   energy.c     the energy of a predicted schedule (eq. 1-5)
 *   offline.c    `offline: true`: the schedule that is made before the run
 *   replay.c     ... and how it is followed at run time
 *
 * Times are nanoseconds; sums are cut at INT64_MAX. Memory is allocated when the plan is made, never after
 * that. */
#ifndef CEGSIM_POLICIES_SBEET_SBEET_H
#define CEGSIM_POLICIES_SBEET_SBEET_H

#include "base/int128.h"
#include "models/gate.h"

/* No time of a section is longer, so that its sums with instants of a run do not overflow. */
#define SBEET_LONGEST (INT64_MAX / 4)
/* The most memory that a plan may take, bytes. */
#define SBEET_MEMORY ((int64_t)64 << 20)
#define SBEET_NOBODY UINT32_MAX

/* a + b for b >= 0, at most INT64_MAX. */
static inline int64_t later(int64_t a, int64_t b)
{
	int64_t sum;
	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static inline int64_t latest(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* a + b, cut at SBEET_LONGEST. */
static inline int64_t within(int64_t a, int64_t b)
{
	int64_t sum = later(a, b);
	return sum < SBEET_LONGEST ? sum : SBEET_LONGEST;
}

static inline int64_t saturated(int128 energy)
{
	return energy > INT64_MAX ? INT64_MAX : energy < INT64_MIN ? INT64_MIN : (int64_t)energy;
}

/* Refuses the set: plan->refused, with the reason and the task at fault (SBEET_NOBODY: none). */
void sbeet_refuse(struct plan *plan, uint32_t task, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* ---- GPU sections (sections.c) ---- */

/* A kernel of a section on a number of SMs, as predicted. */
struct sbeet_kernel {
	int64_t offset, length; /* from the beginning of the section's first kernel */
	int64_t power_uw;       /* dynamic, P_d(m) */
};

/* A GPU section that has a kernel. All times are worst cases, with kernels alone on all SMs except in
 * `body`. */
struct sbeet_section {
	uint32_t task, index; /* the task's first such section has index 0 */
	uint32_t first, end;  /* segments first .. end - 1 */
	uint32_t kernels;
	int64_t before, after; /* times of the job's segments before the section, and after it */
	int64_t hd, dh;        /* copies in front of the first kernel and behind the last */
	const int64_t *body;   /* [M] from the first kernel to the end of the last, on m SMs at [m - 1] */
	const struct sbeet_kernel *kernel; /* [M][kernels] */
	uint32_t m_opt;  /* number of SMs with the least energy (Definition 1); of equal ones the largest */
	bool vanishes;   /* all its kernels may be drawn with length 0, so the unit may never come */
	int64_t longest; /* the longest body on 1 .. m_opt SMs */
};

struct sbeet_model {
	const struct taskset *set;
	const struct platform *platform; /* the GPU, as platform_gpu() shows it */
	bool whole;   /* a unit is a whole section: its copies are part of the body, hd and dh are 0 */
	uint32_t sms; /* M */
	int64_t static_uw, idle_per_sm_uw;
	struct sbeet_section *section; /* [sections] by task, and in the order of the job */
	uint32_t sections;
	uint32_t *first_section; /* [tasks + 1] */
};

/* False: out of memory. A set that cannot be run is refused: plan->refused. */
MUST_CHECK bool sbeet_model_build(struct plan *plan, struct sbeet_model *model, struct error *err);
/* The same for one GPU of several. */
MUST_CHECK bool sbeet_model_build_on(struct plan *plan, const struct platform *platform, bool whole,
	struct sbeet_model *model, struct error *err);

/* Sum over the kernels of G(m) * (P_d(m) + idle * (M - m)): what the section costs on m SMs above the static
 * power, uW*ns. */
int128 sbeet_cost(const struct sbeet_model *model, const struct sbeet_section *section, uint32_t m);

/* The section of a segment that is no CPU segment; the section must have a kernel. */
const struct sbeet_section *sbeet_section_at(
	const struct sbeet_model *model, uint32_t task, uint32_t segment);

/* How many sections the task has, and one of them. */
static inline uint32_t sbeet_sections_of(const struct sbeet_model *m, uint32_t task)
{
	return m->first_section[task + 1] - m->first_section[task];
}

static inline const struct sbeet_section *sbeet_section(
	const struct sbeet_model *m, uint32_t task, uint32_t index)
{
	return &m->section[m->first_section[task] + index];
}

/* When the timetable releases a job; the result must fit 64 bits. */
static inline int64_t sbeet_release(const struct sbeet_model *m, uint32_t task, uint32_t job)
{
	return m->set->tasks[task].offset_ns + (int64_t)job * m->set->tasks[task].period_ns;
}

static inline int64_t sbeet_body(const struct sbeet_section *section, uint32_t sms)
{
	return section->body[sms - 1];
}

/* ---- what is to be scheduled (timetable.c) ---- */

/* The kernels of one section of one job. */
struct sbeet_unit {
	const struct sbeet_section *section;
	int64_t ready, deadline; /* r and d: those of the section, absolute */
	uint32_t job;
};

/* The last unit of a task that became ready. Jobs and sections up to this one are no longer expected. */
struct sbeet_seen {
	bool any;
	uint32_t job, index;
};

/* How to find releases: next() goes on to the task's next release up to `now`, like gate_next_release().
 * False: that job is not released yet. */
struct sbeet_releases {
	bool (*next)(const void *self, uint32_t task, int64_t now, struct gate_release *r);
	const void *self;
};

/* Q^w: units in the order (r, d, task): first those that wait, then those that are expected. It is filled
 * only as far as it is needed. */
struct sbeet_timetable {
	const struct sbeet_model *model;
	int64_t now;
	struct sbeet_unit *unit; /* [capacity] */
	uint32_t count, capacity;
	uint32_t waiting;      /* the first ones wait: how many */
	uint32_t *by_deadline; /* [count] indices in the order (d, r, task), up to `sorted` */
	uint32_t sorted;
	/* For each section the next unit that is expected, and a heap of the sections by this unit. */
	struct sbeet_unit *next; /* [sections] */
	uint32_t *heap, heap_count;
	struct sbeet_seen *seen;        /* [tasks] */
	struct sbeet_releases releases; /* preset: job k at offset + k * period, as in a plan */
	/* [tasks] The first released job of which a unit may still be expected, or else the last released
	 * job. */
	struct gate_release *oldest;
	const uint32_t *home; /* [tasks] the GPU of each task: only those of `gpu` are expected; NULL: all */
	uint32_t gpu;
};

/* For predictions up to `window` ns ahead. Refuses the set if that takes too much memory. */
MUST_CHECK bool sbeet_timetable_init(struct sbeet_timetable *t, struct plan *plan,
	const struct sbeet_model *model, int64_t window, struct error *err);
/* A unit has become ready. Calls for one task must be in the order of its jobs; calling twice does no
 * harm. */
void sbeet_timetable_ready(struct sbeet_timetable *t, const struct sbeet_unit *unit);
/* Starts again at `now` with the waiting units, at most one of each task, in any order. */
void sbeet_timetable_begin(
	struct sbeet_timetable *t, int64_t now, const struct sbeet_unit *waiting, uint32_t count);
/* Forgets all units seen: time starts again. */
void sbeet_timetable_forget(struct sbeet_timetable *t);
/* Adds all units that are expected before `until`, and sorts by_deadline. */
void sbeet_timetable_reach(struct sbeet_timetable *t, int64_t until);

/* ---- predicted schedules (predict.c, energy.c) ---- */

/* A unit on so many SMs, its body over [start, end). */
struct sbeet_placed {
	const struct sbeet_section *section;
	uint32_t sms;
	int64_t start, end;
};

/* The situation in which a prediction is made. */
struct sbeet_situation {
	const struct sbeet_model *model;
	int64_t now;
	uint32_t workers;                   /* units at a time, >= 1 */
	const struct sbeet_placed *running; /* as predicted at their admission; fewer than `workers` */
	uint32_t running_count;
	const bool *busy; /* [tasks] has an admitted unit, so none is expected */
};

/* SMs that a unit holds. */
struct sbeet_occupied {
	int64_t end;
	uint32_t sms;
};

/* A predicted schedule: the unit in question, the admitted ones, then others in the order in which they were
 * placed. */
struct sbeet_schedule {
	struct sbeet_placed *placed; /* [1 + workers + capacity of the timetable] */
	uint32_t count;
	int64_t end; /* f: of the unit's last kernel */
	bool feasible;
	/* Scratch. */
	bool *late;                      /* [capacity of the timetable] */
	struct sbeet_occupied *occupied; /* [workers] */
};

MUST_CHECK bool sbeet_schedule_init(struct sbeet_schedule *s, struct arena *arena, uint32_t workers,
	uint32_t capacity, struct error *err);
/* f(m'), the predicted end of the unit's last kernel if the unit is admitted now. */
int64_t sbeet_end(int64_t now, const struct sbeet_unit *unit, uint32_t sms);
/* gen(unit, sms). At least `sms` SMs are free; the timetable is filled to sbeet_end() or further. */
void sbeet_predict(const struct sbeet_situation *situation, const struct sbeet_timetable *timetable,
	const struct sbeet_unit *unit, uint32_t sms, struct sbeet_schedule *schedule);

struct sbeet_interval {
	int64_t start, end;
};
/* Energy of the GPU over [from, until), uW*ns, exact. scratch: room for one interval per placed kernel. */
int128 sbeet_energy(const struct sbeet_model *model, const struct sbeet_schedule *schedule, int64_t from,
	int64_t until, struct sbeet_interval *scratch);

/* ---- choices (choose.c) ---- */

enum sbeet_queue { SBEET_BY_DEADLINE, SBEET_BY_ARRIVAL, SBEET_BY_PRIORITY };

struct sbeet_options {
	uint32_t workers;
	enum sbeet_queue queue;
	bool common;  /* energies are compared over one interval for all candidates */
	bool fastest; /* if no number of SMs is feasible, the fastest is chosen */
	bool stops;   /* an invocation ends as soon as a unit starts */
};

/* The prediction for a unit on a number of SMs. */
struct sbeet_candidate {
	uint32_t sms;
	int64_t end;
	int128 energy;   /* over [now, end) */
	int128 compared; /* what is compared: the same, or the energy over the common interval */
	bool feasible;
};

/* A scheduler that chooses from the waiting units: the policy at run time, or the one that makes the plan. */
struct sbeet {
	struct sbeet_model model;
	struct sbeet_options options;
	struct sbeet_timetable timetable;
	struct sbeet_schedule schedule;
	struct sbeet_interval *intervals;
	struct sbeet_candidate *candidates; /* [M] */
	/* Admitted units. */
	struct sbeet_placed *running; /* [workers] */
	uint32_t running_count;
	bool *busy;       /* [tasks] */
	uint32_t *holder; /* [M] the task that holds the SM, or SBEET_NOBODY */
	uint32_t free;
	uint32_t *granted;          /* [M] scratch */
	struct sbeet_unit *waiting; /* [tasks] in the order of the queue; for the caller to fill in */
	int64_t asked; /* units that came behind this instant are not looked at; INT64_MAX: all are */
	/* One of several GPUs (policies/sbeet/fleet.h): the energy of all others over [now, until). NULL:
	 * there are none. */
	int128 (*beside)(void *fleet, const struct sbeet *b, int64_t now, int64_t until);
	void *fleet;
};

/* What the owner of the scheduler does with its choices. */
struct sbeet_actions {
	void *self;
	void (*weigh)(
		void *self, const struct sbeet_unit *unit, const struct sbeet_candidate *c, bool chosen);
	/* sm [placed->sms] ascending */
	void (*admit)(
		void *self, const struct sbeet_unit *unit, const struct sbeet_placed *placed, uint32_t *sm);
};

/* After sbeet_model_build(&b->model). */
MUST_CHECK bool sbeet_init(
	struct sbeet *b, struct plan *plan, const struct sbeet_options *options, struct error *err);
/* The admitted unit of the task is over. */
void sbeet_over(struct sbeet *b, uint32_t task);
/* Chooses from waiting[0 .. count - 1] at `now` (Algorithm 1). */
void sbeet_choose(struct sbeet *b, int64_t now, uint32_t count, const struct sbeet_actions *actions);

/* The steps of sbeet_choose(), for policies that choose otherwise. The timetable has begun at `now`. */

/* Predicts the schedule of candidate *c, whose number of SMs is set. `until`: the end of the interval over
 * which all energies are compared; the timetable is filled to the end of the candidate or further. */
void sbeet_weigh(struct sbeet *b, int64_t now, const struct sbeet_unit *unit, int64_t until,
	struct sbeet_candidate *c);
/* The GPU is idle: Algorithm 2, lines 3-15. Fills in candidates[0 .. m_opt - 1], on m_opt SMs and fewer;
 * returns the index of the best. */
uint32_t sbeet_alone(struct sbeet *b, int64_t now, const struct sbeet_unit *unit);
/* Other units run, and SMs and a worker are free: Algorithm 2, lines 16-29. False: it is better to wait, and
 * nothing is predicted. Else *c is the only candidate; the unit may start if it is feasible. */
bool sbeet_beside(struct sbeet *b, int64_t now, const struct sbeet_unit *unit, struct sbeet_candidate *c);
/* Admits the unit now, on the free SMs of lowest index. */
void sbeet_admit(struct sbeet *b, int64_t now, const struct sbeet_unit *unit, uint32_t sms,
	const struct sbeet_actions *actions);

/* ---- the policies' options, and the gate (sbeet.c) ---- */

/* In what order units wait. */
order_fn *sbeet_order(enum sbeet_queue queue);
/* The options that sbeet and sbeet-mg have in common: workers, queue, energy, infeasible. */
struct sbeet_options sbeet_options_of(const struct params *params);
/* What has ended since the last decision is over; jobs are expected as the gate tells it. */
void sbeet_follow(struct sbeet *b, const struct gate *gate);
/* The candidate as the gate notes it, on GPU 0. */
struct gate_weighed sbeet_weighed(const struct sbeet_candidate *c, bool chosen);

/* ---- offline (offline.c, replay.c) ---- */

/* The most units in a schedule that is made before the run. */
#define SBEET_PLAN_UNITS ((int64_t)1 << 18)

/* When and where a unit is to be admitted. */
struct sbeet_planned {
	int64_t at;
	const uint64_t *sm; /* a set of SMs: bit sm % 64 of word sm / 64 */
};

/* The planned jobs of a task. */
struct sbeet_jobs {
	uint32_t jobs, per_period;  /* number of planned jobs; those of one hyperperiod */
	struct sbeet_planned *unit; /* [jobs * sections of the task] */
};

struct sbeet_plan {
	const struct sbeet_model *model;
	int64_t period;          /* the hyperperiod */
	uint32_t words;          /* of a set of SMs */
	struct sbeet_jobs *task; /* [tasks] without jobs for tasks without a unit */
};

/* Makes the schedule for all jobs released before the largest offset + 2 hyperperiods. b is a fresh
 * scheduler, and is fresh again afterwards. Refuses a set that is not periodic, or takes too long. */
MUST_CHECK bool sbeet_plan_make(struct sbeet_plan *p, struct sbeet *b, struct plan *plan, struct error *err);
/* The plan for a unit of any job: after the last planned hyperperiod the schedule repeats. */
struct sbeet_planned sbeet_plan_unit(const struct sbeet_plan *p, uint32_t task, uint32_t job, uint32_t index);
/* Sets plan->decide so that it follows the schedule, with at most `workers` units at a time. */
MUST_CHECK bool sbeet_replay_init(
	struct sbeet_plan *p, uint32_t workers, struct plan *plan, struct error *err);

#endif
