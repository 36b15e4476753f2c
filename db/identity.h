/* db/identity.h - one digest that ties a run to its inputs, and an analysis to what was analysed. It covers
 * the digests of scenario, set, platform, policy and setup, and the results (docs/recording.md, "Digests").
 * It is the same whatever the level of recording. */
#ifndef CEGSIM_DB_IDENTITY_H
#define CEGSIM_DB_IDENTITY_H

#include "db/row_types.h"

/* The sum that `rows` contribute to the identity of a run or an analysis; their order does not matter. */
uint64_t identity_of_rows(enum row_type_id id, const void *rows, size_t count);

#define IDENTITY_OF_MAX 5
/* things: the digests of scenario, set, platform, policy and, of a run, setup; NULL behind the last. */
void identity_of_run(const char *const things[IDENTITY_OF_MAX], const struct run_row *run, uint64_t rows,
	char text[DIGEST_TEXT]);
void identity_of_analysis(const char *const things[IDENTITY_OF_MAX], const struct analysis_row *analysis,
	uint64_t rows, char text[DIGEST_TEXT]);

#endif
