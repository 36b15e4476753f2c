/* cli/search_write.h - writes a schedule that was found as a scenario that can be run again. */
#ifndef CEGSIM_CLI_SEARCH_WRITE_H
#define CEGSIM_CLI_SEARCH_WRITE_H

#include <stdio.h>

#include "runs/bounds/bounding.h"
#include "runs/search/search.h"

struct search_writing {
	const char *by;     /* who found it: "cegsim search" */
	FILE *remarks;      /* where it says what it has written */
	uint32_t most_jobs; /* of a task, in a smaller set */
	bool overwrite;
	bool keep_whole; /* do not make it small */
	bool shrink;     /* make the set small, too */
};

struct search_finding {
	const struct search_spec *spec;
	struct search_target target;
	int64_t response_ns;
	struct genome *genome;          /* it is made smaller */
	const char *claim;              /* whose the bound is: "its bound by stgm"; "": there is none */
	int64_t bound_ns;               /* that bound; DB_NULL: none */
	const struct analysis_use *use; /* whose bound it is; NULL: none */
	const struct run_setup *setup;
	const struct witness *witness;
	const char *path;
};

/* Writes it as a scenario file, as small as possible unless everything is to be kept, and says so. A signal
 * (base/interrupt.h) ends the making small. */
MUST_CHECK bool search_write(
	const struct search_writing *w, const struct search_finding *what, struct error *err);

#endif
