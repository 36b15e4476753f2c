/* cli/bounds_table.h - prints bounds as tables: verdicts and tasks for people, or everything in one table for
 * programs. */
#ifndef CEGSIM_CLI_BOUNDS_TABLE_H
#define CEGSIM_CLI_BOUNDS_TABLE_H

#include "cli/table/table.h"
#include "runs/bounds/bounding.h"

/* The result of an analysis, and the plan it is for. */
struct answer {
	const struct policy_use *policy;
	const struct bounding *bounding;
	struct bounds bounds;
};

MUST_CHECK bool bounds_print(
	const struct answer *answers, size_t count, enum table_format format, struct error *err);
/* Prints the source and the assumptions of each analysis once. */
void bounds_print_sources(FILE *out, const struct answer *answers, size_t count);

#endif
