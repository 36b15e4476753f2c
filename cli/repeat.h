/* cli/repeat.h - `cegsim run FILE.db`: repeats the runs of a recording, from the recording alone. */
#ifndef CEGSIM_CLI_REPEAT_H
#define CEGSIM_CLI_REPEAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/table/table.h"

/* Repeats every run, or the one with the id `run` (0: all), under policies of the program and of the plug-ins
 * that are loaded, and compares its digest, jobs and misses with what was recorded. Prints a line per run;
 * STATUS_NO if one differs. */
enum status repeat_recording(const char *file, int64_t run, enum table_format format, bool quiet);

#endif
