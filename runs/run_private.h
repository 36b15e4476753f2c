/* runs/run_private.h - the insides of a run, shared by runs/run.c (what every run does) and the two kinds
 * there are: of blocks (runs/run_blocks.c) and of warps (runs/run_warps.c). */
#ifndef CEGSIM_RUNS_RUN_PRIVATE_H
#define CEGSIM_RUNS_RUN_PRIVATE_H

#include "base/arena.h"
#include "base/text.h"
#include "models/power.h"
#include "runs/recorder.h"
#include "runs/run.h"

struct warp_run;

/* What depends on the kind of simulation. */
struct run_kind {
	/* Makes what steps, with its observers. *made: it is there; else *reason is why no run can be made of
	 * these inputs. False: a failure of this program's own. destroy() is called either way. */
	bool (*create)(struct run *r, bool *made, struct error *reason, struct error *err);
	void (*destroy)(struct run *r); /* also what was half made, and twice */
	enum simulation_state (*step)(struct run *r, uint64_t max_events);
	/* After FAILED: why the run cannot be made after all; NULL: an observer said stop. */
	const struct error *(*failure)(const struct run *r);
	double (*progress)(const struct run *r);
	uint64_t (*events)(const struct run *r);
	/* The rest of it is only called of a run that was made and has ended. */
	bool (*end)(struct run *r);                                    /* false: an observer said stop */
	void (*judge)(const struct run *r, struct run_result *result); /* all but times and schedulable */
	void (*fill_run)(
		const struct run *r, struct run_row *row); /* columns of its own, preset to DB_NULL */
	/* The same of a task; texts live in `text`. */
	void (*fill_task)(const struct run *r, uint32_t task, struct run_task_row *row, struct text *text);
	bool (*flush)(struct run *r, struct error *err); /* what its recorders have gathered */
	bool (*write)(struct run *r, struct error *err); /* rows of its own */
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
	bool made;            /* there is something to step */
	bool open;            /* begun in the recording, not ended */
	struct error refusal; /* not made: why */
	int64_t started_us;

	/* Of blocks. */
	struct simulation *simulation;
	struct power power;
	bool power_followed; /* which SMs are active is known */

	struct warp_run *warps; /* of warps; in the arena */
};

#endif
