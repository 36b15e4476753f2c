/* cli/recording.h - a recording for commands that only look at it. */
#ifndef CEGSIM_CLI_RECORDING_H
#define CEGSIM_CLI_RECORDING_H

#include "db/reader.h"

/* As reader_open(); says on standard error if the recording does not hold all that was asked
 * for. NULL: *err. */
MUST_CHECK struct db_reader *recording_open(const char *file, struct error *err);

#endif
