/* runs/search/scenario_file.h - a case and a genome as a scenario file and its release trace, which `cegsim
 * run` reproduces to the nanosecond. */
#ifndef CEGSIM_RUNS_SEARCH_SCENARIO_FILE_H
#define CEGSIM_RUNS_SEARCH_SCENARIO_FILE_H

#include "base/text.h"
#include "runs/search/evaluate.h"

/* The scenario, with all times in ns. `remark` is put in front, a comment of one or more lines; `trace` is
 * the name of the trace's file as the scenario refers to it. False: something of the case cannot be said
 * in a scenario. */
MUST_CHECK bool scenario_file_text(struct evaluator *e, const struct genome *g, const char *remark,
	const char *trace, struct text *out, struct error *err);

/* Writes both: `path`, and beside it the same name with .csv for .yaml. */
MUST_CHECK bool scenario_file_write(
	struct evaluator *e, const struct genome *g, const char *remark, const char *path, struct error *err);

#endif
