/* scenarios/scenario.h - a scenario file (YAML; cegsim-scenario(5)) as plain data.
 *
 * A scenario is one platform, one task set, one setup of a run, and the policies to run it under. The reader
 * reports all errors of a file at once, each with its file:line:col. A scenario that it accepts can be
 * simulated. */
#ifndef CEGSIM_SCENARIOS_SCENARIO_H
#define CEGSIM_SCENARIOS_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diagnostics.h"
#include "base/error.h"
#include "base/text.h"
#include "db/rows.h"
#include "models/platform.h"
#include "models/setup.h"
#include "models/taskset.h"
#include "policies/use/use.h"

/* For a text that was stored in a recording: what replaces the files that it names. Release traces and
 * samples are those of this set's tasks, by their indices (NULL: there are none). Plug-ins are not loaded: a
 * use of such a policy has .policy NULL. */
struct stored_files {
	const struct taskset *set;
	const char *scenario; /* for a campaign: the text of the scenario that it varies; NULL: of none */
};

/* An analysis that a scenario or a campaign asks for. */
struct campaign_analysis {
	struct analysis_use use;  /* .analysis NULL: a program or plug-in that was named in a recording */
	struct policy_use policy; /* whose plans it bounds. .policy NULL: of a scenario, those of its
				     policies; of a campaign, the analysis' own, with defaults */
};

struct scenario {
	char *name; /* `name`, or the file's name without .yaml */
	struct platform platform;
	struct taskset set;          /* its arena owns all lists below; it has the name of the scenario */
	struct run_setup setup;      /* horizon resolved, limit filled in */
	struct policy_use *policies; /* none, if the file names none */
	uint32_t policy_count;
	struct campaign_analysis *analyses; /* the same */
	uint32_t analysis_count;
	enum record_level record; /* RECORD_JOBS if the file does not say */
	bool record_given;
	char *text; /* the file as it was read, NUL-terminated */
	size_t text_length;
	enum status status; /* why reading failed: STATUS_INPUT or STATUS_IO */
};

struct node;

/* Reads the file at `path`. `d` has been initialised with the name to print (normally the path). True: *s is
 * complete. False: *s is empty except for `status`, and *d says why. scenario_finish() may be called either
 * way. Files named in the scenario (release traces, policies' plug-ins) are searched for in its folder;
 * plug-ins are loaded. */
MUST_CHECK bool scenario_read(const char *path, struct scenario *s, struct diagnostics *d);

/* The same for a text in memory (UTF-8, `length` bytes). `name` is a path or any other name: from it come the
 * scenario's name, and the folder of release traces. */
MUST_CHECK bool scenario_read_text(
	const char *name, const char *text, size_t length, struct scenario *s, struct diagnostics *d);

/* The same for a text from a recording. */
MUST_CHECK bool scenario_read_stored(const char *name, const char *text, size_t length,
	const struct stored_files *stored, struct scenario *s, struct diagnostics *d);

/* The same for a tree of nodes, such as document_parse() makes; s->text is NULL. `stored` may be NULL. */
MUST_CHECK bool scenario_read_tree(const char *name, const struct node *root,
	const struct stored_files *stored, struct scenario *s, struct diagnostics *d);

void scenario_finish(struct scenario *s); /* accepts a zeroed scenario */

/* Whether the scenario can be run under this policy (always for a policy of its own list). A policy that
 * schedules warps needs `warp`, one that schedules blocks needs `tasks`, and a manager of warps needs goals.
 * False: STATUS_INPUT, with the reason. */
MUST_CHECK bool scenario_takes(const struct scenario *s, const struct policy_use *use, struct error *err);

/* Appends the JSON Schema (draft 2020-12) of scenario files; see text_ok(). */
void scenario_schema(struct text *out);

#endif
