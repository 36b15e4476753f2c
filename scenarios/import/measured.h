/* scenarios/import/measured.h - the jobs of a capture in a recording of the same tasks: when their segments
 * began and ended on the real machine becomes rows of `measured`. */
#ifndef CEGSIM_SCENARIOS_IMPORT_MEASURED_H
#define CEGSIM_SCENARIOS_IMPORT_MEASURED_H

#include "scenarios/import/import.h"

struct import_stored {
	uint32_t runs; /* that have the rows now */
	uint32_t
		others; /* whose jobs were not released as those of the capture: nothing to put beside them */
	uint64_t rows;
};

/* Adds them to every run of the recording that released its jobs as recorded, in place of those that it may
 * have. Segments of the CPU are from the end of what was before them to the begin of the operation behind
 * them. False: *err, and the recording is as it was; so if there is no such run, or one without segments. */
MUST_CHECK bool import_store(
	const struct import *im, const char *file, struct import_stored *stored, struct error *err);

#endif
