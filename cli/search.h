/* cli/search.h - shared by the files of `cegsim search`: search_scenario.c for scenarios, search_sets.c for
 * recordings. */
#ifndef CEGSIM_CLI_SEARCH_H
#define CEGSIM_CLI_SEARCH_H

#include "cli/search_write.h"
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

/* How it writes what it finds. */
static inline struct search_writing search_writing(const struct search_command *c)
{
	return (struct search_writing){
		.by = "cegsim search",
		.remarks = search_remarks(c),
		.most_jobs = c->jobs_per_task,
		.overwrite = c->given.force,
		.keep_whole = c->keep_whole,
		.shrink = c->shrink,
	};
}

/* Makes the folder if it does not exist. */
MUST_CHECK bool search_folder(const char *path, struct error *err);
/* The text with only such characters as a file name may have; free() it. NULL: out of memory. */
char *search_file_name(const char *text);

/* Searches a scenario under its policies; searches the sets of a recording. */
enum status search_scenario(struct search_command *c);
enum status search_recording(struct search_command *c);

#endif
