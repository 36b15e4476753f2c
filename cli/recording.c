/* cli/recording.c - prints the notes on recordings that are not complete, or have verdicts alone of some
 * sets. */
#include "cli/recording.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/say.h"

/* Few questions count such sets; who asks another one must know. */
static bool print_verdicts(struct db_reader *reader, const char *file, struct error *err)
{
	struct rows rows = rows_open(reader,
		"SELECT sum(sets), (SELECT count(DISTINCT recipe_index) FROM taskset)"
		" FROM (SELECT max(sets) AS sets FROM tally GROUP BY point_id)",
		err);
	while (rows_next(&rows))
		if (cursor_integer(rows.c, 0) > 0)
			say(stderr,
				"cegsim: note: %s has verdicts alone of %" PRId64
				" sets; @acceptance, @analysis-acceptance, @curves, @grid, @analysis-grid "
				"and @verdicts count them, all else is about the %" PRId64
				" that were kept (cegsim sweep %s --units N -o SET.db records set N)\n",
				file, cursor_integer(rows.c, 0), cursor_integer(rows.c, 1), file);
	return rows_close(&rows);
}

void recording_note_of(struct db_reader *reader, const char *file)
{
	struct error ignored; /* whoever reads on will tell */
	(void)print_verdicts(reader, file, &ignored);
}

void recording_note(const char *file)
{
	struct error ignored;
	struct db_reader *reader = reader_open(file, &ignored);
	if (reader)
		recording_note_of(reader, file);
	reader_close(reader);
}

struct db_reader *recording_open(const char *file, struct error *err)
{
	struct db_reader *reader = reader_open(file, err);
	const char *why = reader ? reader_interrupted(reader) : NULL;
	if (why)
		say(stderr, "cegsim: note: %s is not complete: %s\n", file, why);
	if (!reader || print_verdicts(reader, file, err))
		return reader;
	reader_close(reader);
	return NULL;
}
