/* db/units.h - which units of a campaign a recording contains, and in which rows.
 *
 * A unit is one task set with all its runs and analyses. Units are written one after the other. units_mark()
 * says to which units the rows since the last mark belong. Rows after the last mark were left by a writer
 * that died. */
#ifndef CEGSIM_DB_UNITS_H
#define CEGSIM_DB_UNITS_H

#include <stddef.h>

#include "db/writer.h"

/* Tables whose rows belong to units, in the order in which stretches name them. */
/* clang-format off */
#define UNIT_TABLE_NAMES(TABLE) \
	TABLE(taskset) TABLE(task) TABLE(segment_shape) TABLE(task_segments) TABLE(profile) TABLE(run) \
	TABLE(run_task) TABLE(run_task_hist) TABLE(job) TABLE(segment_interval) TABLE(block_interval) \
	TABLE(power_interval) TABLE(decision) TABLE(analysis_run) TABLE(bound) TABLE(bound_part) \
	TABLE(warp_machine) TABLE(warp_unit) TABLE(warp_kernel) TABLE(warp_step) TABLE(run_warp_kernel) \
	TABLE(run_sub_core) TABLE(epoch) TABLE(epoch_sm) TABLE(epoch_quota) TABLE(warp_issue) \
	TABLE(segment_block) TABLE(segment_sample) TABLE(measured) TABLE(context_interval) \
	TABLE(task_after) TABLE(chain) TABLE(chain_task) TABLE(chain_run) TABLE(run_gpu) \
	TABLE(chain_bound) TABLE(verdict)
/* clang-format on */
#define UNIT_TABLE(name) UNIT_##name,
enum unit_table { UNIT_TABLE_NAMES(UNIT_TABLE) UNIT_TABLES };
extern const char *const unit_tables[UNIT_TABLES];

struct db_units;

/* Statements over the writer; to be closed before the writer ends. NULL: *err. */
MUST_CHECK struct db_units *units_open(struct db_writer *w, struct error *err);
void units_close(struct db_units *u); /* accepts NULL */

/* The rows since the last mark are those of units first .. first + count - 1. */
MUST_CHECK bool units_mark(struct db_units *u, int64_t first, int64_t count, struct error *err);
/* Records that a unit has no runs, and why. */
MUST_CHECK bool units_fail(struct db_units *u, int64_t unit, const char *reason, struct error *err);
/* Which units of a campaign a file is to contain. */
struct units_extent {
	const char *shard;  /* a share: "2/8"; NULL: none */
	const char *chosen; /* some by number, and how finely: "3,17..19 blocks"; NULL: all */
};

/* Records it. */
MUST_CHECK bool units_extent(struct db_units *u, const struct units_extent *extent, struct error *err);

#endif
