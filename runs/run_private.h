/* runs/run_private.h - the inside of a run, shared by runs/run.c (code for all runs) and the two kinds of
 * runs: of blocks (runs/run_blocks.c) and of warps (runs/run_warps.c). */
#ifndef CEGSIM_RUNS_RUN_PRIVATE_H
#define CEGSIM_RUNS_RUN_PRIVATE_H

#include "base/arena.h"
#include "base/text.h"
#include "models/power.h"
#include "runs/chains.h"
#include "runs/recorder.h"
#include "runs/run.h"

struct warp_run;

/* The functions that depend on the kind of simulation. */
struct run_kind {
	/* Makes the simulation, with its observers. *made: true; else *reason says why no run can be made
	 * from these inputs. False: the program itself failed. destroy() is called either way. */
	bool (*create)(struct run *r, bool *made, struct error *reason, struct error *err);
	void (*destroy)(struct run *r); /* also for a half-made run; may be called twice */
	enum simulation_state (*step)(struct run *r, uint64_t max_events);
	/* After FAILED: why the run cannot be made after all; NULL: an observer returned false. */
	const struct error *(*failure)(const struct run *r);
	double (*progress)(const struct run *r);
	uint64_t (*events)(const struct run *r);
	bool (*too_long)(const struct run *r); /* whether it is beyond the limits of spec */
	/* The following functions are only called for a run that was made and has ended. */
	bool (*end)(struct run *r);                                    /* false: an observer returned false */
	void (*judge)(const struct run *r, struct run_result *result); /* all but times and schedulable */
	void (*fill_run)(
		const struct run *r, struct run_row *row); /* sets its own columns, preset to DB_NULL */
	/* The same for a task; texts are stored in `text`. */
	void (*fill_task)(const struct run *r, uint32_t task, struct run_task_row *row, struct text *text);
	bool (*flush)(struct run *r, struct error *err); /* hands over what its recorders have gathered */
	bool (*write)(struct run *r, struct error *err); /* writes its own rows */
};

extern const struct run_kind run_of_blocks, run_of_warps;

struct run {
	struct run_spec spec;
	const struct run_kind *kind;
	struct db_writer *writer;
	struct run_row row;
	struct arena arena;
	struct recorder *recorder; /* NULL: nothing is recorded */
	struct statistics statistics;
	bool made;            /* the simulation exists */
	bool open;            /* begun in the recording and not ended */
	struct error refusal; /* why it was not made */
	int64_t started_us;

	/* For blocks. */
	struct simulation *simulation;
	struct chains *chains;                  /* in the arena; NULL: the set has none */
	struct power powers[PLATFORM_MAX_GPUS]; /* of each GPU */
	bool powered;                           /* some power is given */
	bool power_followed;                    /* the number of active SMs is known */

	struct warp_run *warps; /* for warps; in the arena */
};

#endif
