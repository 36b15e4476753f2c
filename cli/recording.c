/* cli/recording.c - prints the note about incomplete recordings. */
#include "cli/recording.h"

#include <stdio.h>

struct db_reader *recording_open(const char *file, struct error *err)
{
	struct db_reader *reader = reader_open(file, err);
	const char *why = reader ? reader_interrupted(reader) : NULL;
	if (why)
		fprintf(stderr, "cegsim: note: %s is not complete: %s\n", file, why);
	return reader;
}
