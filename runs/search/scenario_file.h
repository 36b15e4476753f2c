/* runs/search/scenario_file.h - writes a case and a genome as a scenario file and its release trace. `cegsim
 * run` reproduces them to the nanosecond. */
#ifndef CEGSIM_RUNS_SEARCH_SCENARIO_FILE_H
#define CEGSIM_RUNS_SEARCH_SCENARIO_FILE_H

#include "base/text.h"
#include "runs/search/evaluate.h"
#include "scenarios/yaml_writer.h"

/* Makes the scenario, with all times in the unit that makes the text shortest; *unit: which. `remark` is put
 * in front as a comment of one or more lines. `trace` is the name of the trace's file in the scenario. False:
 * something of the case cannot be written in a scenario. */
MUST_CHECK bool scenario_file_text(struct evaluator *e, const struct genome *g, const char *remark,
	const char *trace, struct text *out, const struct yaml_unit **unit, struct error *err);

/* Writes both files: `path`, and the trace beside it, with .csv in place of .yaml. */
MUST_CHECK bool scenario_file_write(
	struct evaluator *e, const struct genome *g, const char *remark, const char *path, struct error *err);

#endif
