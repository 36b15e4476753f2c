/* cli/recording.c - prints the notes on recordings that are not complete, or have verdicts alone of some
 * sets. */
#include "cli/recording.h"

#include <inttypes.h>
#include <stdio.h>

/* Few questions count such sets; who asks another one must know. */
static bool print_verdicts(struct db_reader *reader, const char *file, struct error *err)
{
	struct rows rows = rows_open(
		reader, "SELECT sum(sets) FROM (SELECT max(sets) AS sets FROM tally GROUP BY point_id)", err);
	while (rows_next(&rows))
		if (cursor_integer(rows.c, 0) > 0)
			fprintf(stderr,
				"cegsim: note: %s has verdicts alone of %" PRId64
				" sets; @acceptance, @analysis-acceptance, @curves, @grid and @analysis-grid "
				"count them\n",
				file, cursor_integer(rows.c, 0));
	return rows_close(&rows);
}

struct db_reader *recording_open(const char *file, struct error *err)
{
	struct db_reader *reader = reader_open(file, err);
	const char *why = reader ? reader_interrupted(reader) : NULL;
	if (why)
		fprintf(stderr, "cegsim: note: %s is not complete: %s\n", file, why);
	if (!reader || print_verdicts(reader, file, err))
		return reader;
	reader_close(reader);
	return NULL;
}
