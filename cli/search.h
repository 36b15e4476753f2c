/* cli/search.h - what the files of `cegsim search` share: search_scenario.c, search_sets.c for recordings,
 * and search_write.c, which writes scenarios. */
#ifndef CEGSIM_CLI_SEARCH_H
#define CEGSIM_CLI_SEARCH_H

#include "cli/uses.h"
#include "runs/bounds/bounding.h"
#include "runs/search/search.h"

struct search_command {
	struct given given;
	struct uses uses;
	struct words targets;
	int method; /* enum search_method; -1: none was named */
	uint64_t budget, seed, limit;
	uint32_t patience, jobs_per_task, workers;
	int64_t step_ns, separation_ns;
	bool periodic, keep_whole;
};

/* Results are for standard output; remarks go there only with tables. */
static inline FILE *search_remarks(const struct search_command *c)
{
	return c->given.format == TABLE_TEXT ? stdout : stderr;
}

/* What was found for a target as a scenario file, with as little as will do unless all is to be
 * kept. Says so. */
struct search_finding {
	const struct search_spec *spec;
	struct search_target target;
	int64_t response_ns;
	struct genome *genome; /* made smaller */
	const char *claim;     /* "its bound by stgm is 21ms"; "": none */
	int64_t bound_ns;      /* that bound; DB_NULL: none */
	const char *path;
};
MUST_CHECK bool search_write(
	const struct search_command *c, const struct search_finding *what, struct error *err);
/* Makes the folder unless it is there. */
MUST_CHECK bool search_folder(const char *path, struct error *err);
/* What can stand in the name of a file; free() it. NULL: out of memory. */
char *search_file_name(const char *text);

/* A scenario under its policies; the sets of a recording. */
enum status search_scenario(struct search_command *c);
enum status search_recording(struct search_command *c);

#endif
