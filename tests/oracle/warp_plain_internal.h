/* tests/oracle/warp_plain_internal.h - the state of the plain simulation, and which file does which phase. */
#ifndef CEGSIM_TESTS_ORACLE_WARP_PLAIN_INTERNAL_H
#define CEGSIM_TESTS_ORACLE_WARP_PLAIN_INTERNAL_H

#include "tests/oracle/warp_plain.h"

#define MILLION 1000000
#define SMS_MAX 16u
#define NOBODY (-1)

/* A program, unrolled: the instructions that a warp issues, in order. */
struct plain_instruction {
	uint32_t step, distance;
};

/* Lines that had been filled when a load was done: of its SM's L1, of L2. */
struct plain_memory {
	int64_t l1, l2;
};

struct plain_warp {
	uint32_t threads;                            /* that it has */
	uint32_t next;                               /* number of the instruction it issues next */
	int64_t *result;                             /* of each instruction issued: the cycle, or -1 */
	uint32_t room;                               /* of `result` */
	uint32_t rounds;                             /* of the shared loop: that it has been given */
	PLAIN_LIST(struct plain_memory, remembered); /* by its loads since its block was placed */
	bool behind;                                 /* the shared loop */
	int64_t all_there;                           /* the latest of these cycles */
	uint32_t accesses;                           /* number of accesses to global memory so far */
	uint32_t barriers;                           /* number of barriers issued */
	bool at_barrier, ended;
	bool stays_away; /* had issued everything when its block was swapped out */
	int64_t age;     /* its number in the order in which its SM took warps */
	uint32_t sub_core;
	int64_t issued_in; /* the last cycle in which it issued, or -1 */
};

enum plain_place { PLACE_NEW, PLACE_LOADING, PLACE_ON, PLACE_SAVING, PLACE_AWAY, PLACE_ENDED };

struct plain_block {
	struct plain_job *job;
	uint32_t number;
	enum plain_place place;
	uint32_t sm;
	int64_t start;   /* when the block was placed */
	int64_t through; /* when its context has been saved or loaded */
	uint64_t swap;   /* number of its last swap */
	uint32_t rounds; /* of the shared loop: taken for all its warps */
	struct plain_warp *warps;
};

struct plain_job {
	uint32_t kernel, number;
	int64_t release;
	int64_t first; /* block's start, or -1 */
	bool active;
	/* Of the current part: */
	uint32_t part;
	int64_t ready, part_first; /* since when it may begin; its first block's start, or -1 */
	uint32_t ended;            /* number of blocks */
	int64_t pool;              /* rounds of the shared loop that are left */
	uint32_t next_new;
	struct plain_block *blocks; /* NULL: the job is not active yet */
};

struct plain_sub_core {
	int64_t unit_free[WARP_UNITS];
	int64_t last_age, last_cycle; /* of the warp issued last; -1 */
	uint32_t last_kernel;
	/* two-level: by age. */
	int64_t active[WARPS_PER_SM_MAX], queue[WARPS_PER_SM_MAX];
	uint32_t actives, queued;
	/* qaws. */
	int preferred;    /* group, or NOBODY */
	int64_t switches; /* n */
	bool waiting;
};

/* Lines that a load waits for, which has missed L1. */
struct plain_request {
	int64_t until, lines;
};

struct plain_sm {
	struct plain_block *blocks[WARPS_PER_SM_MAX]; /* by age; also while they are saved or loaded */
	uint32_t count;
	int64_t taken;  /* warps */
	int64_t filled; /* lines of L1 */
	PLAIN_LIST(struct plain_request, requests);
	struct plain_sub_core core[WARP_SUB_CORES_MAX];
	int64_t target[WARP_KERNELS_MAX];  /* -1: none */
	int64_t counter[WARP_KERNELS_MAX]; /* C */
	uint32_t owner;                    /* spart */
	struct warp_epoch_sm row;          /* of the current epoch */
	struct warp_epoch_quota quota[WARP_KERNELS_MAX];
};

/* One of the kernels that a job runs, one after the other. */
struct plain_part {
	const struct warp_kernel *described;
	uint32_t first_step;               /* steps of the parts before it */
	struct plain_instruction *program; /* all loops as often as they say */
	uint32_t length, warps;            /* of a block */
	uint32_t before, body; /* instructions before the shared loop; of a round, 0: there is none */
	uint32_t times;        /* of the shared loop */
	enum warp_rounds sharers;
};

struct plain_kernel {
	struct plain_part part[WARP_PARTS_MAX];
	uint32_t parts;
	int64_t goal;         /* -1: none */
	int64_t next_release; /* -1: none to come */
	uint32_t released;    /* number of jobs so far */
	int64_t first_active; /* -1: never */
	bool had_job;         /* in the cycle before this one */
	int group;            /* qaws */
	int64_t issued;       /* threads, in the whole run */
	/* Of the current epoch: */
	int64_t active_cycles;
	struct warp_epoch row;
	/* At the beginning of an epoch: */
	int64_t history, epoch_ipc, adjusted;
	bool whole_epoch, is_short, was_short;
};

struct plain {
	const struct plain_input *in;
	const struct warp_machine *machine;
	const struct warp_options *options;
	enum warp_manager manager;
	uint32_t sms, kernels;
	struct plain_sm sm[SMS_MAX];
	struct plain_kernel kernel[WARP_KERNELS_MAX];
	PLAIN_LIST(struct plain_job *, jobs); /* released and not ended */
	int64_t c, horizon, limit;
	int128 server;     /* F * bandwidth */
	int64_t l2_filled; /* lines */
	uint64_t swaps;
	bool launched; /* a kernel without a job got one in this cycle */
	uint32_t epoch;
	int64_t epoch_start;
	uint32_t samples; /* number taken in this epoch */
	int groups;       /* qaws */
	bool climbing;
	uint32_t futile; /* number of such epochs in a row */
	int64_t least;
	struct plain_result *out;
};

/* A warp of a sub-core, as its scheduler sees it. */
struct plain_view {
	struct plain_warp *warp;
	struct plain_block *block;
	uint32_t kernel;
	bool ready;
};

/* warp_plain.c */
void plain_begin(struct plain *p, const struct plain_input *in);
void plain_sum_up(struct plain *p); /* also frees what the run needed */
void *plain_room(void *list, size_t count, size_t size);
#define PLAIN_ADD(list, ...)                                                                                 \
	do {                                                                                                 \
		if ((list).count == (list).room) {                                                           \
			(list).room = (list).room ? 2 * (list).room : 64;                                    \
			(list).row = plain_room((list).row, (list).room, sizeof(*(list).row));               \
		}                                                                                            \
		(list).row[(list).count++] = __VA_ARGS__;                                                    \
	} while (0)
const struct warp_kernel *plain_described(const struct plain *p, uint32_t kernel);
/* The part that the kernel's active job is at; the first one, if it has no active job. */
const struct plain_part *plain_part_now(const struct plain *p, uint32_t kernel);
const struct plain_part *plain_part_of(const struct plain *p, const struct plain_job *job);

/* warp_plain_program.c: programs, and what a warp waits for */
void plain_unroll(const struct warp_kernel *k, struct plain_part *into);
uint32_t plain_threads_of_warp(const struct warp_kernel *k, uint32_t warp);
int64_t plain_launch_size(const struct plain *p, uint32_t kernel);
const struct warp_step *plain_next_step(const struct plain *p, const struct plain_view *v); /* NULL: none */
bool plain_is_last(const struct plain_part *k, const struct plain_warp *w); /* is `next` its last one? */
bool plain_all_issued(const struct plain_part *k, const struct plain_warp *w);
void plain_fill_pool(const struct plain *p, struct plain_job *job);
/* The warp is about to issue: if that ends a round of the shared loop, it takes another one, if it can. */
void plain_take_round(struct plain *p, const struct plain_view *v);
bool plain_operand_there(const struct plain *p, const struct plain_view *v);
bool plain_waits_for_load(const struct plain *p, const struct plain_view *v);
enum warp_unit plain_unit(const struct warp_step *s);

/* warp_plain_memory.c: the server, accesses, contexts */
int64_t plain_context_through(struct plain *p, uint32_t kernel);
bool plain_takes_loads(const struct plain *p, uint32_t sm);
/* The cycle in which the result is ready; writes *level. */
int64_t plain_access(struct plain *p, const struct plain_view *v, const struct warp_step *s, uint32_t threads,
	enum warp_level *level);

/* warp_plain_launch.c: phases 1 and 2 */
void plain_phase_ends(struct plain *p);
bool plain_is_over(const struct plain *p);
void plain_phase_launches(struct plain *p);
void plain_stop(struct plain *p);
struct plain_job *plain_new_job(struct plain *p, uint32_t kernel); /* the next of the kernel, released now */
void plain_begin_part(struct plain *p, struct plain_job *job, uint32_t part);

/* warp_plain_dispatch.c: phase 3 */
struct plain_need {
	int64_t amount[5];
}; /* threads, warps, blocks, registers, shared memory */
struct plain_need plain_need_of(const struct plain *p, uint32_t kernel);
struct plain_need plain_capacity(const struct plain *p); /* -1: no limit */
int64_t plain_fit(const struct plain *p, uint32_t kernel, int64_t parts);
void plain_first_targets(struct plain *p);
/* The kernel is at another part than `before`: its targets are for the blocks that it has now. */
void plain_part_targets(struct plain *p, uint32_t kernel, const struct plain_part *before);
uint32_t plain_blocks_on(const struct plain *p, uint32_t sm, uint32_t kernel); /* without those being saved */
struct plain_block *plain_next_block(const struct plain *p, const struct plain_job *job); /* NULL: none */
struct plain_job *plain_active_job(const struct plain *p, uint32_t kernel);               /* NULL: none */
void plain_phase_dispatch(struct plain *p);
void plain_place(struct plain *p, struct plain_block *b, uint32_t sm);
void plain_leave_sm(struct plain *p, struct plain_block *b, enum plain_how how);

/* warp_plain_epochs.c: phases 4 and 6, and the rows */
void plain_close_epoch(struct plain *p);
void plain_phase_epoch(struct plain *p);
void plain_phase_sample(struct plain *p);

/* warp_plain_quotas.c */
bool plain_has_quotas(const struct plain *p);
void plain_set_quotas(struct plain *p);
void plain_look(struct plain *p, uint32_t sm); /* the rules between two epochs */
bool plain_lets(const struct plain *p, uint32_t sm, uint32_t kernel);

/* warp_plain_blocks.c: blocks and SMs of the next epoch */
/* `last`, `samples`: of the epoch that has just ended. */
void plain_adjust(struct plain *p, struct warp_epoch_quota last[][WARP_KERNELS_MAX], uint32_t samples);
void plain_swap_out(struct plain *p, uint32_t sm, uint32_t kernel, int64_t keep);
bool plain_context_moves(const struct plain *p, uint32_t sm);

/* warp_plain_spart.c */
void plain_spart_begin(struct plain *p);
void plain_spart_part(struct plain *p); /* a kernel is at another part */
void plain_spart_epoch(struct plain *p);

/* warp_plain_issue.c: phase 5 */
uint32_t plain_views(struct plain *p, uint32_t sm, uint32_t core, struct plain_view *views);
void plain_phase_issue(struct plain *p);

/* warp_plain_schedulers.c: the warp to issue, or NOBODY */
void plain_groups(struct plain *p);
int plain_pick(struct plain *p, struct plain_sub_core *core, const struct plain_view *views, uint32_t count);
bool plain_in_active_set(const struct plain_sub_core *core, int64_t age);

#endif
