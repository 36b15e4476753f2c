/* db/audit/law.h - what a law is, for those who add one (docs/audit.md, "Adding a law").
 *
 * A law is one row of the table in db/audit/laws.c. The sweep calls its function at the stations that the row
 * names. The function looks at the state of the sweep and at the subject of the moment, calls broken() for
 * each row that breaks the law, and returns how many rows it has checked. It changes nothing in the sweep. */
#ifndef CEGSIM_DB_AUDIT_LAW_H
#define CEGSIM_DB_AUDIT_LAW_H

#include <stdarg.h>

#include "base/units.h"
#include "db/audit/report.h"
#include "db/audit/state.h"
#include "db/audit/waits_asked.h"

/* The stations at which laws are called, and what the moment holds there. */
enum station {
	AT_RUN = 1 << 0,     /* once, before the rows: nothing */
	AT_JOB = 1 << 1,     /* a job row, by release: track, job */
	AT_READY = 1 << 2,   /* an operation became ready: track; its intervals are known */
	AT_STRAY = 1 << 3,   /* an interval that belongs to no operation of its job: track, interval */
	AT_JOB_END = 1 << 4, /* a job has ended, by its segments: track */
	AT_START = 1 << 5, /* a copy or kernel got its resource, and is still in its queue: track, interval */
	AT_INSTANT = 1 << 6,     /* everything of this instant has happened; before S: nothing */
	AT_BLOCK = 1 << 7,       /* a block is placed, not counted yet: track or NULL, block */
	AT_PLACING = 1 << 8,     /* the head of the primary queue places fresh_count blocks: track */
	AT_OVERTAKING = 1 << 9,  /* a block of another kernel was placed: track, block, other: head or NULL */
	AT_HEAD_WAITS = 1 << 10, /* the head has blocks left and places no more at this instant: track */
	AT_KERNEL_END = 1 << 11, /* a kernel's interval ended: track, interval */
	AT_POWER = 1 << 12, /* the power that follows was constant over [since, until): power_uw, active */
	AT_END = 1 << 13,   /* once, after the rows: nothing */
	AT_SPIN = 1 << 14,  /* a job begins to spin during its section, or is switched to: track, interval */
	AT_DECISION = 1 << 15,    /* what a policy weighed for a unit, before it takes effect: track or NULL,
				     decision[decisions] */
	AT_PLACED = 1 << 16,      /* all blocks placed at this instant have been counted: nothing */
	AT_INTERRUPT = 1 << 18,   /* a release's interrupt begins, not counted yet: track, interval */
	AT_CONTEXT = 1 << 19,     /* a process gets the GPU, or a switch begins: sweep->context */
	AT_CALL = 1 << 20,        /* a call begins: track */
	AT_DECIDING = 1 << 17,    /* the policy decides, or rows say so, and nothing has been admitted yet:
				     decision[decisions], all of this instant */
	AT_GPU_INSTANT = 1 << 21, /* as AT_INSTANT, and behind it, once for each GPU: that one is shown */
};

struct moment {
	enum station at;
	int64_t time;
	const struct sweep *sweep;
	const struct track *track, *other;
	const struct job *job;
	const struct interval *interval;
	const struct block *block;
	const struct decision *decision;
	size_t decisions;
	int64_t since, until, power_uw;
	uint32_t active;
};

/* Laws on runs of warps are checked by the walk (db/audit/warp_walk.h), which names them so. */
enum warp_law {
	LAW_OF_BLOCKS, /* no law on warps */
	LAW_RUN,
	LAW_GOALS,
	LAW_CYCLES,
	LAW_ENERGY,
	LAW_LAUNCHES,
	LAW_STREAMS,
	LAW_WORK,
	LAW_EPOCHS,
	LAW_HISTORY,
	LAW_ADJUSTED,
	LAW_SPANS,
	LAW_EPOCH_SUMS,
	LAW_QUOTAS,
	LAW_COUNTERS,
	LAW_TARGETS,
	LAW_BLOCKS,
	LAW_LIMITS,
	LAW_PLACES,
	LAW_DISPATCH,
	LAW_ONE,
	LAW_PROGRAM,
	LAW_OPERANDS,
	LAW_UNITS,
	LAW_BARRIERS,
	LAW_LATENCIES,
	LAW_HITS,
	LAW_DRAM,
	LAW_DEALING,
	LAW_ENDS,
	LAW_SWAPS,
	LAW_CHOICE,
	LAW_LEAVE,
	LAW_SLOT_REASONS,
	LAW_IDLE,
	LAW_SHIFTS,
	LAW_SUMS,
	LAW_ISSUE_ENERGY,
	WARP_LAWS
};

struct audit;
struct law {
	const char *name, *summary;
	enum audit_level level;
	unsigned stations; /* at which `check` is called */
	bool (*applies)(const struct recording *r);
	uint64_t (*check)(struct audit *a, const struct moment *m); /* NULL: the walk checks it */
	enum warp_law of_warps;
};
extern const struct law audit_laws[];
extern const size_t audit_law_count;

#define LAWS_MAX 128
#define STATIONS 22

/* A law that is called at a station, and where its rows are counted. */
struct audit_called {
	uint64_t (*check)(struct audit *a, const struct moment *m);
	uint64_t *checked;
	size_t law; /* index in the table */
};

#define NOT_ASKED SIZE_MAX
#define SENTENCE_TIMES 16

struct audit {
	const struct law *laws; /* the table */
	struct db_reader *reader;
	const struct recording *r;
	struct audit_report *report;
	struct error *err;
	bool failed;    /* *err has the reason */
	size_t current; /* index in the table of the law that is being checked */
	struct audit_called at[STATIONS][LAWS_MAX];
	uint32_t at_count[STATIONS];
	size_t of_warps[WARP_LAWS]; /* their indices in the table; NOT_ASKED: they do not apply to this run */
	/* when(): instants and durations of the finding that is being worded. */
	int64_t time[SENTENCE_TIMES];
	char time_text[SENTENCE_TIMES][UNIT_TEXT_MAX];
	unsigned times;
	/* For law_power_level, which compares two descriptions of one time line. */
	struct db_cursor *power_rows[AUDIT_GPUS_MOST];
	struct power_row {
		bool have;
		int64_t start, end, uw, active, idle;
	} power_row[AUDIT_GPUS_MOST];
	/* For law_power_cover: sums over its rows, for law_energy and law_activity. */
	int128 power_energy_uwns;
	struct activity {
		int128 gpu_ns; /* with an active SM */
		int128 sm_ns;  /* active SMs, integrated */
	} row_activity, block_activity;
	/* For law_task_energy: by task, the energy that follows from the blocks. */
	struct task_power *task_power;
	int64_t task_power_since;
	/* For the laws of db/audit/identity.h. */
	bool identified;           /* the recording has digests of identities */
	bool decided;              /* and of decisions */
	uint64_t jobs_hash;        /* over the run's jobs so far */
	uint64_t strangers;        /* rows of the run so far whose tasks are not of its set */
	const char *strange_table; /* table of the last of these rows */
	/* For law_waits: of every so many jobs one is asked about; 0: the recording lacks v_wait's indexes.
	 */
	int64_t waits_stride;
	bool waits_other; /* its v_wait is not that of this program */
	bool cut_rows;    /* a row of the run so far has a number that the sweep sees cut, or none */
	struct waits_asked waits;
	/* For law_turns. */
	struct turns {
		bool *active;  /* [tasks] by process; NULL: the law does not apply */
		uint32_t last; /* the process that was loaded last; UINT32_MAX: none */
		int64_t seen;  /* the last instant at which the law looked */
		bool others;   /* since then: processes beside the holder are active */
		int64_t since; /* when a task owned the GPU last */
		bool owned;    /* then a task owned the GPU, or a call changed that */
	} turns;
	/* For law_predictions: what is known of the set, and of the releases so far. */
	struct predictions *predictions;
	struct predict_fleet *fleet; /* the same of several GPUs */
};

static inline bool audit_hears(const struct audit *a, enum station at)
{
	return a->at_count[__builtin_ctz(at)] > 0;
}
void audit_tell(struct audit *a, const struct moment *m);

/* Reports a finding of the current law. A description of the row comes before the text: table and, as far as
 * m has them, task, job, segment. */
void broken(struct audit *a, const char *table, const struct moment *m, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* Counts rows that were checked by a law on runs of warps. The text of a finding says which row it is. */
void audit_held(struct audit *a, enum warp_law law, uint64_t count);
void audit_wrong(struct audit *a, enum warp_law law, const char *table, const char *fmt, va_list args)
	PRINTF_LIKE(4, 0);

/* A time in readable form ("3.8ms", "never"), for the next finding: it is written when that one is, because
 * all times of a sentence have one unit. */
const char *when(struct audit *a, int64_t time);

/* Finds a->waits_stride. False: *a->err. */
MUST_CHECK bool waits_begin(struct audit *a);

/* Whether the file's view of that name is not the one of this program; a reader adds it to files that have
 * none. */
MUST_CHECK bool audit_view_differs(struct audit *a, const char *name, bool *differs);

/* db/audit/laws_*.c */
typedef uint64_t law_check(struct audit *a, const struct moment *m);
law_check law_run_digest, law_strays;
law_check law_window, law_summary_figures, law_ranks, law_stop;
law_check law_triggers, law_chains;
law_check law_releases, law_deadlines, law_job_order, law_job_state, law_job_floor, law_task_figures;
law_check law_precedence, law_lengths, law_parts, law_first_start;
law_check law_cpu_exclusive, law_cpu_priority, law_cpu_core;
law_check law_copy_engine, law_copy_order, law_copy_work, law_streams, law_gate;
law_check law_waits, law_flights, law_flight_order, law_flight_copies, law_flight_kernels;
law_check law_flight_engines, law_flight_blocks, law_flight_waits;
law_check law_launches, law_distances, law_switches, law_interrupts;
law_check law_spinning, law_sm_sets, law_decisions, law_decision_time, law_placements, law_predictions;
law_check law_grants, law_kernels_apart, law_own_sms, law_own_work;
law_check law_blocks, law_kernel_span, law_sm_limits, law_slots, law_r1_order, law_r1_work, law_sm_choice;
law_check law_sm_mask, law_task_table, law_preemptions;
law_check law_contexts, law_holder, law_context_copies, law_turns, law_calls, law_owner;
law_check law_power_cover, law_power_level, law_energy, law_activity, law_energy_parts, law_task_energy,
	law_gpu_energy;

#endif
