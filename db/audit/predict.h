/* db/audit/predict.h - what sbeet has to predict (docs/policies.md, "sbeet"), calculated again from the rows:
 * between the files db/audit/predict_*.c.
 *
 * sections.c says what the sections of a set are, by their description; ahead.c which of them wait or are
 * expected (Q^w); schedule.c makes the predicted schedule of a unit on so many SMs, with its energy; walk.c
 * goes through what waits at an instant as the policy must, and holds the recorded rows against that.
 *
 * Times are saturated at INT64_MAX: what is so late is late in any case. Energies have 128 bits; runs in
 * which a power is beyond POWER_MAX or a length beyond LENGTH_MAX are not asked about, so that no sum
 * overflows. */
#ifndef CEGSIM_DB_AUDIT_PREDICT_H
#define CEGSIM_DB_AUDIT_PREDICT_H

#include "db/audit/law.h"
#include "db/audit/sweep.h"

#define LENGTH_MAX (INT64_C(1) << 60)
#define POWER_MAX (INT64_C(1) << 52)

/* One kernel in the body of a section. */
struct predict_stretch {
	int64_t from, length; /* `from` counts from the body's beginning */
	int64_t added_uw;     /* P_d(m) - idle * m: what it adds while it runs, but for the GPU's idle SMs */
};

/* A GPU section with kernels, at its worst. */
struct section {
	uint32_t from, to;     /* its segments: [from, to) */
	uint32_t first;        /* its first kernel */
	int64_t before, after; /* what precedes and what follows it in its job */
	int64_t head, tail;    /* hd, dh: its copies in front of the first kernel, behind the last one */
	uint32_t best_sms;     /* m_opt */
	uint32_t kernels;
	int64_t *body; /* [sms]: from the first kernel's start to the last one's end, on 1, 2, ... SMs */
	struct predict_stretch *kernel; /* [sms * kernels]: those on 1 SM, those on 2, ... */
};

struct release {
	int64_t seq, time;
};

/* What is known of a task's sections, and of its jobs so far. */
struct sections_of_task {
	struct section *section; /* [sections] */
	uint32_t sections;
	int64_t farthest; /* greatest `before` */
	struct release
		*recent; /* [recents]: jobs of which a section may still be expected at its own release */
	size_t recents, recent_capacity;
	int64_t last_release;   /* NOT_GIVEN: none so far */
	int64_t stood_seq;      /* the last section that stood at the gate: of this job (-1: none did) ... */
	uint32_t stood_section; /* ... this one */
};

/* A section that waits at the gate, or is expected there. */
struct awaited {
	int64_t ready, deadline, seq;
	uint32_t task, index; /* section[index] of that task */
	const struct section *section;
};

/* The sections of one kind that are expected of a task, one after the other. */
struct predict_source {
	struct awaited next;
	size_t recent;   /* next is of this job among the recent ones; beyond them: of one that is to be
			    released */
	int64_t release; /* of that job */
};

/* A unit that runs: in fact, or by the prediction. */
struct running {
	const struct section *section;
	int64_t start, end, sms; /* its kernels' start; its SMs are occupied up to `end` */
};

/* A number of SMs that must be weighed. */
struct weighed {
	int64_t sms, kernel_end;
	int128 own_uwns;      /* over [now, kernel_end) */
	int128 compared_uwns; /* what is compared: the same, or over an interval that all have in common */
	bool feasible, chosen;
};

/* Power while kernels run. */
struct burst {
	int64_t start, end, added_uw;
};

struct predictions {
	struct arena arena; /* owns what is described */
	const struct recording *r;
	bool known;                    /* all sections have their numbers */
	struct sections_of_task *task; /* [tasks] */
	struct awaited unit;           /* the unit looked at: J */
	int64_t now;
	/* Scratch, for one instant: what waits in the queue's order, what was admitted. */
	const struct track **queue; /* [queued], room for all tasks */
	uint32_t queued;
	bool *row_used; /* [rows]: groups of rows that belong to a unit that was looked at */
	size_t row_capacity;
	struct running *admitted; /* [admitted_count], room for all tasks */
	uint32_t admitted_count;
	bool *busy; /* [tasks]: has an admitted unit */
	/* For one unit: Q^w as far as it was wanted, and what comes next in it. */
	struct awaited *awaited;
	size_t awaited_count, awaited_capacity;
	struct predict_source *source; /* heap, soonest first; room for all sections */
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
MUST_CHECK struct predictions *predictions_new(const struct recording *r);
void predictions_free(struct predictions *p);
/* The section of a task that has this segment; NULL: none, or one without kernels. */
const struct section *predict_section(const struct predictions *p, uint32_t task, uint32_t segment);

/* db/audit/predict_ahead.c. A job was released; a unit of a task stands at the gate. */
void predict_released(struct predictions *p, uint32_t task, int64_t seq, int64_t release);
void predict_stands(struct predictions *p, const struct track *t);
/* That unit as one of those that wait. */
struct awaited predict_waiting(const struct predictions *p, const struct track *t);
/* Begins Q^w anew, for p->unit at p->now: first what waits (p->queue). */
void predict_look_ahead(struct predictions *p);
/* Number `at` of Q^w, if it is ready before `end`; NULL: there are no more. Valid until the next call. */
const struct awaited *predict_awaited(struct predictions *p, size_t at, int64_t end);
/* Order of those that are ready, and of those that are late. */
bool predict_sooner(const struct awaited *a, const struct awaited *b);
bool predict_more_urgent(const struct awaited *a, const struct awaited *b);

/* db/audit/predict_schedule.c: fills in all of `w` but `chosen` for p->unit on w->sms SMs, with energies
 * compared over [now, until) (0: each over its own interval). */
void predict_schedule(struct predictions *p, struct weighed *w, int64_t until);
/* f(m): the end of the unit's kernels on m SMs. */
int64_t predict_end(const struct predictions *p, int64_t sms);

#endif
