/* cli/recording.h - opens a recording for commands that only read it. */
#ifndef CEGSIM_CLI_RECORDING_H
#define CEGSIM_CLI_RECORDING_H

#include "db/reader.h"

/* Like reader_open(). Also says on standard error if the recording does not contain all that was asked for.
 * NULL: *err. */
MUST_CHECK struct db_reader *recording_open(const char *file, struct error *err);

/* Says if the recording has verdicts alone of some sets: of one that is open, and for commands that open it
 * elsewhere. */
void recording_note_of(struct db_reader *reader, const char *file);
void recording_note(const char *file);

#endif
