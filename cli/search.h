/* cli/search.h - shared by the files of `cegsim search`: search_scenario.c for scenarios, search_sets.c for
 * recordings, search_write.c, which writes scenarios. */
#ifndef CEGSIM_CLI_SEARCH_H
#define CEGSIM_CLI_SEARCH_H

#include "cli/uses.h"
#include "runs/bounds/bounding.h"
#include "runs/search/search.h"

struct search_command {
	struct given given;
	struct uses uses;
	struct words targets;
	int method; /* enum search_method; -1: none was given */
	uint64_t budget, seed, limit;
	uint32_t patience, jobs_per_task, workers;
	int64_t step_ns, separation_ns;
	bool periodic, keep_whole, shrink;
};

/* Results go to standard output; remarks only if results are tables. */
static inline FILE *search_remarks(const struct search_command *c)
{
	return c->given.format == TABLE_TEXT ? stdout : stderr;
}

/* Writes the result for a target as a scenario file, as small as possible unless everything is to be kept.
 * Says so. */
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
MUST_CHECK bool search_write(
	const struct search_command *c, const struct search_finding *what, struct error *err);
/* Makes the folder if it does not exist. */
MUST_CHECK bool search_folder(const char *path, struct error *err);
/* The text with only such characters as a file name may have; free() it. NULL: out of memory. */
char *search_file_name(const char *text);

/* Searches a scenario under its policies; searches the sets of a recording. */
enum status search_scenario(struct search_command *c);
enum status search_recording(struct search_command *c);

#endif
