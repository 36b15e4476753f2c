/* captures/running.h - when threads had a CPU, from a CSV file that users make of what their tracer recorded
 * (docs/captures.md says how). */
#ifndef CEGSIM_CAPTURES_RUNNING_H
#define CEGSIM_CAPTURES_RUNNING_H

#include "captures/capture.h"

/* Reads rows of start_ns, end_ns, cpu, tid, state into capture->running; what was there is replaced. Times
 * are of the capture's own clock. Rows of threads that are not in the capture are left out. False: *err, with
 * a diagnostic for each error in the file. */
MUST_CHECK bool running_read(
	struct capture *capture, const char *path, struct diagnostics *diagnostics, struct error *err);
/* The same of a text, which ends with a NUL and is written into. */
MUST_CHECK bool running_parse(
	struct capture *capture, char *text, struct diagnostics *diagnostics, struct error *err);

#endif
