/* db/audit/predict.h - what sbeet and sbeet-mg have to predict (docs/policies.md, "sbeet", "sbeet-mg"),
 * computed again from the rows: shared by the files db/audit/predict_*.c.
 *
 * predict_sections.c describes the sections of a set. predict_ahead.c finds which of them wait or are
 * expected (Q^w). predict_schedule.c makes the predicted schedule of a unit on a number of SMs, with its
 * energy. predict_walk.c goes through the units that wait at an instant, as the policy must, and compares the
 * recorded rows with the result. predict_fleet.c does the same for sbeet-mg, with one struct predictions for
 * each GPU; predict_homes.c finds where tasks live.
 *
 * Times are saturated at INT64_MAX; such a time is too late in any case. Energies have 128 bits. Runs with a
 * power above POWER_MAX or a length above LENGTH_MAX are not checked, so that no sum overflows. */
#ifndef CEGSIM_DB_AUDIT_PREDICT_H
#define CEGSIM_DB_AUDIT_PREDICT_H

#include "db/audit/law.h"
#include "db/audit/sweep.h"

#define LENGTH_MAX (INT64_C(1) << 60)
#define POWER_MAX (INT64_C(1) << 52)

/* One kernel in the body of a section. */
struct predict_stretch {
	int64_t from, length; /* `from` counts from the body's beginning */
	int64_t added_uw; /* P_d(m) - idle * m: what it adds to the power while it runs, if all SMs count as
			     idle */
};

/* A GPU section with kernels; all times are worst cases. */
struct section {
	uint32_t from, to;     /* its segments: [from, to) */
	uint32_t first;        /* its first kernel */
	int64_t before, after; /* times of all that precedes and all that follows it in its job */
	int64_t head, tail;    /* hd, dh: its copies in front of the first kernel, behind the last one */
	uint32_t best_sms;     /* m_opt */
	uint32_t kernels;
	int64_t *body; /* [sms]: from the first kernel's start to the last one's end, on 1, 2, ... SMs */
	struct predict_stretch *kernel; /* [sms * kernels]: the kernels on 1 SM, those on 2, ... */
};

struct release {
	int64_t seq, time;
};

/* The sections of a task, and what is known of its jobs so far. */
struct sections_of_task {
	struct section *section; /* [sections] */
	uint32_t sections;
	int64_t farthest; /* greatest `before` */
	struct release
		*recent; /* [recents]: jobs of which a section may still be expected at its own release */
	size_t recents, recent_capacity;
	int64_t last_release;   /* NOT_GIVEN: none so far */
	int64_t stood_seq;      /* the last section that was at the gate: its job (-1: none) ... */
	uint32_t stood_section; /* ... and its index */
};

/* A section that waits at the gate, or is expected at it. */
struct awaited {
	int64_t ready, deadline, seq;
	uint32_t task, index; /* section[index] of that task */
	const struct section *section;
};

/* The sections of one kind that a task is expected to send, one after the other. */
struct predict_source {
	struct awaited next;
	size_t recent;   /* the next one is of this job among the recent ones; beyond them: of a job that is
			    still to be released */
	int64_t release; /* of that job */
};

/* A unit that runs, in the schedule or in the prediction. */
struct running {
	const struct section *section;
	int64_t start, end, sms; /* start of its kernels; it holds its SMs up to `end` */
};

/* A number of SMs that must be weighed. */
struct weighed {
	int64_t sms, kernel_end;
	int128 own_uwns;      /* over [now, kernel_end) */
	int128 compared_uwns; /* the energy that is compared: the same, or over an interval that is common to
				 all */
	bool feasible, chosen;
};

/* The power of a kernel while it runs. */
struct burst {
	int64_t start, end, added_uw;
};

struct predictions {
	struct arena arena; /* owns what follows */
	const struct recording *r;
	const struct audit_machine *machine; /* the GPU */
	/* With several GPUs (predict_fleet.c): which one this is, and where each task lives; a unit is a
	 * whole section. */
	uint32_t gpu;
	bool whole;
	const uint32_t *home;             /* [tasks]; NULL: there is one GPU */
	struct predictions *fleet, *next; /* the first of all GPUs, and the one behind this; NULL: none */
	bool known;                       /* the numbers of all sections are known */
	struct sections_of_task *task;    /* [tasks] */
	struct awaited unit;              /* the unit in question: J */
	int64_t now;
	/* Scratch for one instant: units that wait, in the queue's order; units that are admitted. */
	const struct track **queue; /* [queued], room for all tasks */
	uint32_t queued;
	bool *row_used; /* [rows]: the rows belong to a unit that was looked at */
	size_t row_capacity;
	struct running *admitted; /* [admitted_count], room for all tasks */
	uint32_t admitted_count;
	bool *busy; /* [tasks]: has an admitted unit */
	/* For one unit: Q^w as far as it was needed, and its next units. */
	struct awaited *awaited;
	size_t awaited_count, awaited_capacity;
	struct predict_source *source; /* heap, the earliest at the root; room for all sections */
	uint32_t sources;
	struct weighed *weighed; /* [weighed_count], room for all SMs */
	uint32_t weighed_count;
	/* For one schedule. */
	struct running *occupying; /* [occupied_by], room for all tasks, and one for each SM */
	uint32_t occupied_by;
	int64_t occupied; /* SMs */
	struct awaited *late;
	size_t lates, late_capacity;
	struct burst *burst; /* by start */
	size_t bursts, burst_capacity;
	bool failed; /* out of memory */
};

static inline int64_t later_by(int64_t time, int64_t length)
{
	int64_t sum;
	return __builtin_add_overflow(time, length, &sum) ? INT64_MAX : sum;
}
static inline int64_t latest(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* db/audit/predict_sections.c. NULL: out of memory. */
MUST_CHECK struct predictions *predictions_new(const struct recording *r, uint32_t gpu);
void predictions_free(struct predictions *p);
/* A segment of the section that is the track's unit. */
static inline uint32_t predict_segment(const struct predictions *p, const struct track *t)
{
	return p->whole ? t->segment : t->unit.first;
}
/* The section of a task that contains this segment; NULL: none, or one without kernels. */
const struct section *predict_section(const struct predictions *p, uint32_t task, uint32_t segment);

/* db/audit/predict_ahead.c. A job was released; a unit of a task is at the gate. */
void predict_released(struct predictions *p, uint32_t task, int64_t seq, int64_t release);
void predict_stands(struct predictions *p, const struct track *t);
/* That unit, in the form of a waiting section. */
struct awaited predict_waiting(const struct predictions *p, const struct track *t);
/* Starts Q^w again, for p->unit at p->now, with the units that wait (p->queue). */
void predict_look_ahead(struct predictions *p);
/* The section at index `at` of Q^w, if it is ready before `end`; NULL: there are no more. Valid until the
 * next call. */
const struct awaited *predict_awaited(struct predictions *p, size_t at, int64_t end);
/* The order of those that are ready, and that of those that are late. */
bool predict_sooner(const struct awaited *a, const struct awaited *b);
bool predict_more_urgent(const struct awaited *a, const struct awaited *b);

/* db/audit/predict_schedule.c: sets all of `w` but `chosen`, for p->unit on w->sms SMs. Energies are compared
 * over [now, until); 0: each over its own interval. */
void predict_schedule(struct predictions *p, struct weighed *w, int64_t until);
/* f(m): the end of the unit's kernels on m SMs. */
int64_t predict_end(const struct predictions *p, int64_t sms);

/* db/audit/predict_walk.c: what sbeet weighs for p->unit on one GPU, which is set in p->weighed, with what it
 * chooses. predict_alone(): it is idle. predict_beside(): some SMs are free; true if the unit is admitted; if
 * line 18 lets it wait, weighed_count is 0. */
uint64_t predict_one_gpu(struct audit *a, const struct moment *m); /* law_predictions(), for sbeet */
void predict_alone(struct predictions *p);
bool predict_beside(struct predictions *p);
int64_t predict_free(const struct predictions *p); /* SMs that no admitted unit holds */
int64_t predict_cut(int128 energy);                /* as it is recorded */

/* db/audit/predict_homes.c: the GPU on which each task lives, and for each task the GPUs, [tasks * gpus], by
 * what a job costs there. False: out of memory. `on` is the first of the GPUs. */
MUST_CHECK bool predict_homes(const struct recording *r, const struct predictions *on, struct arena *arena,
	uint32_t **home, uint32_t **ranking);

/* db/audit/predict_fleet.c */
struct predict_fleet;
void predict_fleet_free(struct predict_fleet *f);

#endif
