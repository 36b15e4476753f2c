/* runs/bounds/recorded_label.h - how tables call a policy or an analysis of a recording, such as
 * "stgm:blocking=textbook". */
#ifndef CEGSIM_RUNS_BOUNDS_RECORDED_LABEL_H
#define CEGSIM_RUNS_BOUNDS_RECORDED_LABEL_H

#include "db/reader.h"
#include "models/params.h"

/* How the names of analyses begin whose bounds are in a file of the user's (runs/bounds/bounds_csv.h). */
#define CSV_PREFIX "csv:"
bool label_is_csv(const char *name);

/* By its name and its parameters as recorded, JSON. `options` are those that this program has for it; if it
 * lacks one, the label has the JSON. */
MUST_CHECK bool recorded_label(struct db_reader *reader, const char *name, const char *json,
	const struct option *options, char label[PARAMS_LABEL_MAX], struct error *err);

#endif
