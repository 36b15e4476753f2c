/* db/verdicts.h - sets of a campaign of which answers alone are recorded (`record: verdicts`).
 *
 * A unit is recorded in one of two ways: as a set with its runs and analyses, or as a row of `verdict` for
 * each answer. What all such rows share is written first: what was asked (`question`), and the points of the
 * grid. `tally` has the counts of `verdict`, so that acceptance is known without reading it. */
#ifndef CEGSIM_DB_VERDICTS_H
#define CEGSIM_DB_VERDICTS_H

#include "db/writer.h"

/* `id`: 1, 2, ... in the order in which they are written. */
MUST_CHECK bool verdicts_question(
	struct db_writer *w, int64_t id, const struct question_row *row, struct error *err);
MUST_CHECK bool verdicts_point(
	struct db_writer *w, int64_t point, const struct grid_point_row *row, struct error *err);

/* The answers of one unit. */
MUST_CHECK bool verdicts_unit(
	struct db_writer *w, const struct verdict_row *rows, size_t count, struct error *err);

/* Makes `tally` of `verdict`, once all units are written. */
MUST_CHECK bool verdicts_count(struct db_writer *w, struct error *err);

#endif
