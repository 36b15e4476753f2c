/* db/audit/recording.h - the description of one run in a recording: the platform, the tasks and their
 * segments, the policy's rules, and the setup.
 *
 * Numbers that docs/model.md derives from these (how long a segment may take, what a block needs of an SM,
 * which resource a copy uses) are derived here once. */
#ifndef CEGSIM_DB_AUDIT_RECORDING_H
#define CEGSIM_DB_AUDIT_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/int128.h"
#include "db/audit/in_order.h"
#include "db/audit/query.h"

#define WARP 32

/* In the order of the lists in db/words.h. */
enum audit_level { LEVEL_SUMMARY, LEVEL_JOBS, LEVEL_SEGMENTS, LEVEL_BLOCKS, LEVEL_ISSUES };
enum kind { KIND_CPU, KIND_COPY, KIND_KERNEL, KIND_WAIT };
enum direction { DIRECTION_TO_GPU, DIRECTION_TO_CPU, DIRECTION_BOTH };
enum audit_form { FORM_GRID, FORM_WORK, FORM_PROFILE, FORM_WARPS, FORM_PROGRAM };

/* Limits are INT64_MAX where they do not apply, so that code need not check whether they were given. */
struct audit_machine {
	uint32_t cores;  /* at least 1 */
	bool global;     /* several that any job may run on */
	int64_t engines; /* 0: unlimited */
	int64_t copy_latency_ns, copy_bandwidth;
	bool pooled; /* pool gpu: threads only, over the whole GPU */
	uint32_t sms, sms_per_tpc, virtual_sms;
	int64_t threads_per_sm;                                   /* 0: not given */
	int64_t threads, blocks, warps, registers, shared_memory; /* per SM; pooled: threads of the GPU */
	int64_t *division; /* [divisions] amounts of shared memory that an SM can have, ascending */
	uint32_t divisions;
	uint32_t work_queues;
	int64_t resident_kernels; /* INT64_MAX: not given */
	int64_t pin_overhead_ns, static_uw, idle_uw;
	int64_t preemption_delay_ns; /* 0: none */
	struct {
		int64_t launch_ns, latency_ns, gap_ns, sync_ns, switch_ns, release_ns;
	} takes; /* overheads */
	struct {
		int64_t timeslice_ns, switch_ns, reset_ns;
	} contexts; /* of processes that share the GPU */
};

/* A kernel on given SMs: blocks that differ at most in their time, and what one block needs. */
struct audit_shape {
	uint32_t blocks;
	int64_t threads, warps, registers, shared_memory;
	int64_t division; /* that an empty SM takes for it; INT64_MAX: there are none */
	uint32_t virtual_sms;
	int64_t low_ns,
		high_ns; /* time of a block, of the longest if they differ, under the run's execution rule */
	int64_t sm_uw;   /* dynamic power on one active SM */
	int64_t all_uw;  /* on all `spread` SMs, if all are active and no other kernel uses them; NOT_GIVEN:
			    sm_uw each */
	uint32_t spread; /* number of SMs on which it is started */
	const uint64_t *mask; /* bit per SM: to which it is confined; NULL: to none, or by what was granted */
	int64_t places;       /* blocks that these SMs hold at a time, at least 1 */
	uint32_t waves; /* alone on its SMs it takes the time of a block this many times, if all blocks take
			   the same */
};

/* SMs that were granted to a kernel: `count` of them, with `slots` virtual SMs in all; slots 0: whole SMs. */
struct audit_given {
	uint32_t sms, slots;
};

/* The time of a block where blocks differ. */
struct block_rule {
	int64_t share_ppm;         /* share of the kernel's draw; or, with own draws, ... */
	int64_t best_ns, worst_ns; /* ... its range */
};

struct alpha {
	uint32_t virtual_sms;
	int64_t numerator, denominator;
};

struct part_of_task {
	enum kind kind;
	int64_t best_ns, worst_ns; /* as described; for copies given in bytes: as derived */
	int64_t low_ns, high_ns;   /* under the run's execution rule; for kernels: of a block */
	int64_t *sample;           /* [samples] measured times; NULL: none */
	int64_t samples;
	bool null_stream, high_stream;
	uint32_t gpu;    /* which it is on */
	uint32_t named;  /* which it names: the same, unless the policy chooses */
	uint32_t queue;  /* hardware queue of its stream */
	uint32_t engine; /* of a copy */
	int64_t bytes;   /* of a copy; NOT_GIVEN: a time was given */
	/* Kernels. */
	enum audit_form form;
	int64_t grid, threads, registers, shared_memory, carveout, overhead_ns, dynamic_uw;
	uint32_t profile;
	int64_t clock_hz; /* of a program: the SMs'; best and worst are then the least time of a block */
	uint64_t *mask;   /* bit per SM; NULL: all */
	uint32_t mask_sms;
	struct alpha *alpha;
	uint32_t alphas;
	struct block_rule *block; /* [different]: block b of the grid has the entry b modulo `different`;
				     NULL: all blocks take the same time */
	uint32_t different;
	bool own_draws;           /* its blocks have draws of their own, not shares of one */
	struct audit_shape shape; /* on its task's SMs, or without granted ones */
	int64_t floor_ns;         /* least time of the whole kernel, on any SMs */
	int64_t alone_ns;  /* greatest time by the description; for kernels: alone on all SMs (kernel_most) */
	int64_t behind_ns; /* alone_ns of all that follows its GPU section in the job */
	bool async;        /* in flight: its job goes on */
	bool joins;        /* it is launched with the segment in front of it, as a node of its graph */
	bool *awaits; /* by segment in front of it: those that it comes after, or for which it waits; NULL:
			 none, and it is no wait */
	uint32_t best_sms; /* m_opt of its section's kernels, if a policy chooses SMs; 0: not known */
};

struct profile_point {
	int64_t best_ns, worst_ns, total_uw;
};

struct audit_profile {
	struct profile_point *on; /* [count]: on 1 .. count SMs */
	uint32_t count;
};

enum audit_release_kind {
	RELEASES_PERIODIC,
	RELEASES_SPORADIC,
	RELEASES_TRACE,
	RELEASES_JITTER,
	RELEASES_AFTER
};

struct trace_length {
	int64_t seq, segment, length_ns;
};

struct audit_release_rule {
	enum audit_release_kind kind;
	int64_t max_delay_ppm, jitter_ns;
	int64_t *trace_ns; /* [traced] */
	int64_t traced;
	struct trace_length *lengths; /* [length_count], by seq, segment */
	size_t length_count;
	uint32_t *after; /* [afters] tasks whose ends release it */
	uint32_t afters;
};

struct audit_chain {
	const char *name;
	bool let, by_release; /* how jobs communicate, and with what stamps: if not, implicit and by start */
	uint32_t *stage;      /* [stages] tasks */
	uint32_t stages;
};

/* The figures of a task in table run_task. */
struct figures {
	bool present;
	int64_t rank, sms, virtual_sms; /* 0: it has none of its own */
	bool set_damaged;               /* sm_set is not a list of SMs in ascending order */
	uint32_t set_count;             /* SMs that sm_set lists */
	uint64_t *sm_set;               /* bit per SM; NULL: none */
	int64_t jobs, misses, responses, min_ns, mean_ns, max_ns, lower_bound_ns;
	int64_t hist_jobs;     /* sum over the histogram */
	int64_t window_misses; /* of misses_in jobs */
};

struct member { /* a task of the set */
	int64_t task_id;
	const char *name;
	int64_t period_ns, deadline_ns; /* NOT_GIVEN: none */
	int64_t offset_ns, priority;
	int64_t misses_in; /* consecutive jobs of its limit of misses; 0: it has none */
	uint32_t core;     /* whose CPU queue it uses, and which its releases interrupt */
	struct audit_release_rule releases;
	struct part_of_task *segment; /* [segments] */
	struct part_of_task *on; /* [gpus + 1][segments] on each GPU, and as named; NULL: nothing chooses */
	uint32_t segments;
	bool has_kernels;
	uint32_t process; /* the first task of its process; only if the run has contexts, as the next two */
	int64_t gpu_priority; /* NOT_GIVEN: that of its rank */
	bool best_effort;
	int64_t floor_ns; /* job_floor() of a job without lengths from a trace */
	struct figures figures;
};

/* How a policy orders a queue; ties go by task index. */
enum order { BY_ARRIVAL, BY_PRIORITY, BY_RELEASE, BY_STREAM, BY_DEADLINE, BY_SECTION_DEADLINE };
/* What a policy admits as one unit (docs/model.md, "Gates"). */
enum audit_gate { GATE_NONE, GATE_KERNELS, GATE_SECTIONS, GATE_SECTION_KERNELS };
/* Which of the waiting units it admits. */
enum admits {
	ADMITS_ONE,     /* the first, if no unit is admitted */
	ADMITS_FITTING, /* in order, each whose SMs are neither held nor reserved by a higher unit before it
			 */
	ADMITS_DECIDED, /* those that table `decision` chooses */
	ADMITS_UNSEEN   /* by something that is not recorded: known from the unit's first start on */
};
enum waiting { WAITS_SUSPENDED, WAITS_BUSY, WAITS_BOOSTED };
enum ranking { RANKS_DEADLINE, RANKS_RATE };
/* On which SMs kernels run. */
enum grants {
	GRANTS_NONE,  /* all SMs, through the primary queue */
	GRANTS_SETS,  /* whole SMs of their task, for the whole run */
	GRANTS_APART, /* the same, and no SM belongs to two tasks */
	GRANTS_SLOTS, /* virtual SMs of their task */
	GRANTS_CHOSEN /* whole SMs; how many is chosen when their unit is admitted */
};

/* sbeet-mg: on which GPU a task lives; whether sections may start elsewhere, or (UNSAID) nothing is
 * predicted. */
enum homes_rule { HOMES_ENERGY, HOMES_FIRST_FIT, HOMES_BEST_FIT, HOMES_WORST_FIT, HOMES_GIVEN };
enum moves { MOVES_FOR_ENERGY, MOVES_NEVER, MOVES_UNSAID };

/* What a policy promises about its schedules (docs/model.md, docs/policies.md). */
struct promise {
	enum ranking ranking;
	enum waiting waiting;
	enum audit_gate gate;
	enum admits admits;
	enum grants grants;
	enum order cpu_order, gate_order, copy_order, kernel_order;
	int64_t at_once;              /* units admitted at a time; 0: no limit */
	bool least_energy, any_least; /* with chosen SMs: the least energy over [now, f) decides; `any_least`:
					 also if no choice is feasible */
	enum homes_rule homes;
	enum moves moves;
	bool places;                /* sections on one of several GPUs, as its rows in `decision` say */
	bool turns;                 /* processes have the GPU in turns, for slices */
	bool owned;                 /* the same, while no real-time task owns it: gcaps; */
	int64_t update_ns, call_ns; /* its calls; both 0: there are none */
	bool compute_only;          /* of processes that have the GPU in turns: copies do not take part */
	int64_t decision_base_ns, decision_unit_ns; /* what a decision takes; both 0: nothing */
	bool decides_on_core;                       /* core 0 makes them */
	bool one_start; /* at most one is admitted at an instant, and no unit behind it is looked at */
};

static inline bool promise_decides_slowly(const struct promise *p)
{
	return p->decision_base_ns + p->decision_unit_ns > 0;
}

enum audit_on_miss { ON_MISS_CONTINUE, ON_MISS_DROP, ON_MISS_ABORT };
enum execution {
	EXECUTES_WORST,
	EXECUTES_BEST,
	EXECUTES_UNIFORM,
	EXECUTES_SCALED,
	EXECUTES_SAMPLES, /* one of the segment's samples; without any as EXECUTES_UNIFORM */
	EXECUTES_TOGETHER /* the same one for all segments of a job */
};
enum audit_run_status { RUN_OK, RUN_TRUNCATED, RUN_REFUSED, RUN_ERROR };

struct task_name {
	int64_t task_id;
	uint32_t task;
};

struct warp_description;
struct recording {
	struct arena arena; /* owns all of it but: */
	struct order_chunks ready;
	int64_t run_id, taskset_id, platform_id;
	const char *policy, *params;
	int64_t policy_version;
	struct promise promised;
	const struct promise *promise; /* &promised; NULL: a policy the audit does not know */
	enum audit_level level;
	enum audit_run_status status;
	enum audit_on_miss on_miss;
	enum execution execution;
	int64_t scale_ppm;
	bool drained, lower_first;
	bool streams_shared; /* two tasks use one hardware queue, or the NULL stream is used */
	uint64_t seed;
	uint32_t set_number;
	int64_t horizon_ns, limit_ns, stop_ns, window_ns;
	int64_t jobs, misses, energy_uj, energy_rest_uwns;
	int64_t virtual_sms; /* V_SM in force; 0: not said */
	bool explicit_priorities;
	bool identified;                    /* the recording has digests of identities */
	bool waits_indexed;                 /* it has the indexes that v_wait uses */
	bool contexts;                      /* processes have the GPU in turns */
	bool calls;                         /* GPU sections are wrapped in calls */
	bool flights;                       /* tasks may have several operations at a time */
	bool masks;                         /* kernels are confined to some SMs */
	bool tabled;                        /* they are, or may find the task table full */
	bool powered;                       /* the platform or a kernel takes power */
	struct audit_release_rule releases; /* of tasks without their own */
	struct audit_machine
		machine; /* as the GPU sees it that is looked at (recording_show()); at first GPU 0 */
	struct audit_machine *gpu; /* [gpus]; NULL: one */
	uint32_t gpus;             /* at least 1 */
	uint32_t most_sms;         /* of any GPU */
	struct member *task;       /* [tasks] */
	uint32_t tasks;
	struct audit_profile *profile;
	uint32_t profiles;
	struct task_name *by_id;   /* [tasks], ascending id */
	struct audit_chain *chain; /* [chains] */
	uint32_t chains;
	const struct warp_description
		*warps; /* what runs inside of SMs (db/audit/warps.h); NULL: blocks are whole */
};

/* False with the error: it cannot be read, or is too damaged for any law (an unknown word, a missing task).
 * Finish it either way. */
MUST_CHECK bool recording_load(
	struct recording *r, struct db_reader *source, int64_t run_id, struct error *err);
void recording_finish(struct recording *r);

/* Index of a task by its id; UINT32_MAX: not of this run's set. */
uint32_t recording_task(const struct recording *r, int64_t task_id);
/* A segment by its task's id and its own index; NULL: not of this run's set. */
struct part_of_task *recording_segment(const struct recording *r, int64_t task_id, int64_t index);

#define AUDIT_GPUS_MOST 16
/* db/audit/gpus.c: reads several GPUs of the platform, before the tasks; and on which one segments are, when
 * tasks are there. False with the error. */
MUST_CHECK bool gpus_load(struct recording *r, struct db_reader *source, struct error *err);
MUST_CHECK bool gpus_load_segments(struct recording *r, struct db_reader *source, struct error *err);
/* db/audit/placed.c: reads what segments are on each GPU, if the policy may choose GPUs, when its promise is
 * known. placed_bind(): the section of this segment is on that GPU; elsewhere: on the one that it names.
 * placed_floors(): least times are those of any GPU; all segments have been derived. */
MUST_CHECK bool placed_load(struct recording *r, struct db_reader *source, struct error *err);
void placed_bind(struct member *t, uint32_t gpus, uint32_t segment, int64_t gpu);
void placed_floors(const struct recording *r, struct member *t);

/* From now on r->machine is as this GPU sees it. */
static inline void recording_show(struct recording *r, uint32_t gpu)
{
	if (r->gpus > 1)
		r->machine = r->gpu[gpu];
}

/* The machine as that GPU sees it. */
static inline const struct audit_machine *machine_of(const struct recording *r, uint32_t gpu)
{
	return r->gpus > 1 ? &r->gpu[gpu] : &r->machine;
}

static inline bool set_has(const uint64_t *set, uint32_t sm)
{
	return set[sm / 64] >> (sm % 64) & 1;
}
static inline uint32_t set_words(const struct recording *r)
{
	return r->most_sms / 64 + 1;
}
/* Do two sets share an SM? */
static inline bool sets_meet(const struct recording *r, const uint64_t *a, const uint64_t *b)
{
	for (uint32_t i = 0; i < set_words(r); i++) {
		if (a[i] & b[i])
			return true;
	}
	return false;
}

/* db/audit/warp_read.c: reads kernels of warps into r->warps; leaves NULL there if the set has none. */
MUST_CHECK bool warps_load(struct recording *r, struct db_reader *source, struct error *err);

/* db/audit/promises.c: sets r->promise, by policy, options, and what the tasks were given. */
void promise_find(struct recording *r);

/* db/audit/contexts.c: sets r->contexts, and what belongs to it, by r->promise. False with the error. */
MUST_CHECK bool contexts_load(struct recording *r, struct db_reader *source, struct error *err);

/* db/audit/block_times.c: reads the times of blocks where blocks differ. False with the error. */
MUST_CHECK bool block_times_load(struct recording *r, struct db_reader *source, struct error *err);
/* db/audit/samples.c: reads the samples of segments. False with the error. */
MUST_CHECK bool carveout_load(struct recording *r, struct db_reader *source, struct error *err);
/* db/audit/chains.c: reads who releases whom, and the chains. False with the error. */
MUST_CHECK bool chains_load(struct recording *r, struct db_reader *source, struct error *err);
/* db/audit/overheads.c: reads the overheads of the platform. False with the error. */
MUST_CHECK bool flights_load(struct recording *r, struct db_reader *source, struct error *err);
/* db/audit/masks.c */
MUST_CHECK bool masks_load(struct recording *r, struct db_reader *source, struct error *err);

/* db/audit/hands.c: reads what it takes to take an SM from a low kernel. False with the error. */
MUST_CHECK bool hands_load(struct recording *r, struct db_reader *source, struct error *err);
/* Whether two masks have an SM in common. */
bool masks_meet(const struct recording *r, const uint64_t *a, const uint64_t *b);
static inline bool mask_has(const uint64_t *mask, uint32_t sm)
{
	return !mask || (mask[sm / 64] >> (sm % 64) & 1);
}
MUST_CHECK bool cores_load(struct recording *r, struct db_reader *source, struct error *err);
MUST_CHECK bool overheads_load(struct recording *r, struct db_reader *source, struct error *err);
MUST_CHECK bool samples_load(struct recording *r, struct db_reader *source, struct error *err);
/* The range that the run's execution rule leaves of [best, worst] (db/audit/shapes.c); false: no 64-bit
 * number. */
MUST_CHECK bool narrow(const struct recording *r, int64_t best, int64_t worst, int64_t *low, int64_t *high);
/* The length a release trace gives for a segment of a job; NOT_GIVEN: none (db/audit/shapes.c). */
int64_t traced_length(const struct audit_release_rule *rule, int64_t seq, uint32_t segment);
/* Worst case, as policies use it, of a kernel alone on the SMs of a shape that is as described
 * (docs/model.md, "Time of a kernel"); saturated. */
int64_t kernel_most(const struct part_of_task *segment, const struct audit_shape *shape);
/* The least time of a kernel on the SMs of a shape under the run's execution rule. `traced`: the length that
 * a trace gives, or NOT_GIVEN. Saturated. */
int64_t kernel_least(const struct recording *r, const struct part_of_task *segment,
	const struct audit_shape *shape, int64_t traced);
/* The time of a block of a job's kernel, if segment_length() of this kernel is `length`. */
int64_t block_length(const struct recording *r, uint32_t task, uint32_t segment, int64_t seq, int64_t block,
	int64_t length);
/* The same for the longest of its first `blocks` blocks. */
int64_t longest_block(const struct recording *r, uint32_t task, uint32_t segment, int64_t seq,
	uint32_t blocks, int64_t length);
/* The time of the kernel alone on the SMs of its shape, with blocks in the order of their numbers, each as
 * soon as there is room; saturated. False: out of memory. */
MUST_CHECK bool kernel_alone(const struct recording *r, uint32_t task, uint32_t segment, int64_t seq,
	const struct audit_shape *shape, int64_t length, int64_t *alone);

/* db/audit/programs.c: reads what blocks of programs of warps take at least. */
MUST_CHECK bool programs_load(struct recording *r, struct db_reader *source, struct error *err);
/* Whether a cycle of the program's SMs has begun at this instant, and at none before it. */
bool program_ends_at(const struct part_of_task *segment, int64_t end);

/* db/audit/shapes.c: sets low, high and shape of every segment. False: the description gives no finite
 * number. */
MUST_CHECK bool shapes_derive(struct recording *r, struct error *err);
/* The shape of a kernel on granted SMs; with {0, 0} on all SMs. False: it has no time there. */
MUST_CHECK bool shape_granted(const struct recording *r, const struct part_of_task *segment,
	struct audit_given given, struct audit_shape *shape);
/* By the description, without the run's execution rule: the greatest time of a kernel alone on m whole SMs,
 * and P_d(m). False: it has no time there. */
MUST_CHECK bool kernel_at_worst(const struct recording *r, const struct part_of_task *segment, uint32_t m,
	int64_t *length, int128 *dynamic_uw);
/* What a kernel of this task was granted if its row says `granted`. */
struct audit_given given_to(const struct recording *r, uint32_t task, int64_t granted);
/* The time of a segment of a job under the run's rules (for kernels: of each block): the length its trace
 * gives, or its draw. The range is that of the shape or, with NULL, of the segment itself. */
int64_t segment_length(const struct recording *r, uint32_t task, uint32_t segment, int64_t seq,
	const struct audit_shape *shape);
/* The least time of a job: every segment at its least, one after the other, kernels in as few waves as
 * possible; INT64_MAX: too long for 64 bits. */
int64_t job_floor(const struct recording *r, uint32_t task, int64_t seq);
/* Draw of a sporadic job's extra separation; of its delay behind the nominal instant. */
int64_t separation_draw(const struct recording *r, uint32_t task, int64_t seq, int64_t bound);
int64_t jitter_draw(const struct recording *r, uint32_t task, int64_t seq, int64_t bound);

/* n / d rounded to the nearest integer, ties to the even one; d > 0, n of either sign. */
int64_t round_half_even(int128 n, int128 d);

#endif
