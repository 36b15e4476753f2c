/* cli/input.h - what a command is given to work on: a scenario or a campaign, read with its errors printed,
 * or a recording. */
#ifndef CEGSIM_CLI_INPUT_H
#define CEGSIM_CLI_INPUT_H

#include "db/writer.h"
#include "scenarios/campaign_file.h"

/* STATUS_OK: *s, or *c, is complete. Else what is wrong stands on standard error. */
MUST_CHECK enum status input_scenario(const char *file, struct scenario *s);
MUST_CHECK enum status input_campaign(const char *file, struct campaign *c);

/* True for a regular file that begins as SQLite files do. */
bool is_recording(const char *file);

/* A scenario as a recording has it. */
struct stored_scenario {
	int64_t scenario_id, platform_id, taskset_id;
};
/* `overrides` is what the command line put in place of what the file says, as JSON, or NULL. */
MUST_CHECK bool input_store(struct db_writer *w, const char *file, const struct scenario *s,
	const char *overrides, struct stored_scenario *stored, struct error *err);

#endif
