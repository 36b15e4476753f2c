/* cli/bounds_table.h - bounds as tables: verdicts and tasks to read, or everything in one for programs. */
#ifndef CEGSIM_CLI_BOUNDS_TABLE_H
#define CEGSIM_CLI_BOUNDS_TABLE_H

#include "cli/table/table.h"
#include "runs/bounds/bounding.h"

/* What an analysis said, and on which plan. */
struct answer {
	const struct policy_use *policy;
	const struct bounding *bounding;
	struct bounds bounds;
};

MUST_CHECK bool bounds_print(
	const struct answer *answers, size_t count, enum table_format format, struct error *err);
/* Where the analyses come from and what they assume, each once. */
void bounds_print_sources(FILE *out, const struct answer *answers, size_t count);

#endif
