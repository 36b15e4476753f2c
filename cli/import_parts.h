/* cli/import_parts.h - what the files of `cegsim import` share. */
#ifndef CEGSIM_CLI_IMPORT_PARTS_H
#define CEGSIM_CLI_IMPORT_PARTS_H

#include "cli/table/table.h"
#include "scenarios/import/import.h"
#include "scenarios/traced/traced.h"

/* Prints, for each task and run, recorded jobs against simulated ones. `halves`: lengths come from other
 * jobs than those that are compared. */
MUST_CHECK bool import_compare_print(
	const struct import *im, const char *file, bool halves, enum table_format format, struct error *err);

/* What is asked of a kernel's trace. */
struct import_traced {
	const char *file, *output; /* output: FILE.yaml, or NULL */
	bool replace;
	enum table_format format;
	struct traced_request request;
	int argc; /* the command, for the first lines of the scenario */
	char **argv;
};
/* Does it, prints what was found, and reports errors. */
enum status import_traced(const struct import_traced *q);

#endif
