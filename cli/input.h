/* cli/input.h - reads the input of a command: a scenario or a campaign, with its errors printed; or a
 * recording. */
#ifndef CEGSIM_CLI_INPUT_H
#define CEGSIM_CLI_INPUT_H

#include "db/writer.h"
#include "scenarios/campaign_file.h"

/* STATUS_OK: *s, or *c, is complete. Else the errors have been printed on standard error. */
MUST_CHECK enum status input_scenario(const char *file, struct scenario *s);
MUST_CHECK enum status input_campaign(const char *file, struct campaign *c);

/* *recording: whether it is a regular file that begins like an SQLite file. STATUS_IO: it cannot be read. */
MUST_CHECK bool input_is_recording(const char *file, bool *recording, struct error *err);

/* A scenario as stored in a recording. */
struct stored_scenario {
	int64_t scenario_id, platform_id, taskset_id;
};
/* `overrides`: the values that the command line put in place of the file's, as JSON, or NULL. */
MUST_CHECK bool input_store(struct db_writer *w, const char *file, const struct scenario *s,
	const char *overrides, struct stored_scenario *stored, struct error *err);

#endif
