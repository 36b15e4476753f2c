/* cli/input.c - see cli/input.h. */
#include "cli/input.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "runs/store.h"

static enum status told(bool ok, enum status status, struct diagnostics *d)
{
	if (!ok)
		diagnostics_print(d, stderr);
	diagnostics_finish(d);
	return ok ? STATUS_OK : status;
}

enum status input_scenario(const char *file, struct scenario *s)
{
	struct diagnostics d;
	diagnostics_init(&d, file);
	bool ok = scenario_read(file, s, &d);
	return told(ok, s->status, &d);
}

enum status input_campaign(const char *file, struct campaign *c)
{
	struct diagnostics d;
	diagnostics_init(&d, file);
	bool ok = campaign_read(file, c, &d);
	return told(ok, c->status, &d);
}

bool input_is_recording(const char *file, bool *recording, struct error *err)
{
	static const char magic[] = "SQLite format 3";
	char head[sizeof(magic)] = {0};
	struct stat status;
	*recording = false;
	/* A pipe can be read only once, so it is left to the scenario reader. */
	bool there = stat(file, &status) == 0;
	if (!there && error_unopened(errno) == STATUS_IO)
		return error_set(err, STATUS_IO, "cannot read %s: %s", file, strerror(errno));
	if (!there || !S_ISREG(status.st_mode))
		return true;
	FILE *f = fopen(file, "rb");
	if (!f && errno == EACCES)
		return true; /* the scenario reader says so, too */
	*recording = f && fread(head, 1, sizeof(head), f) == sizeof(head) &&
		     memcmp(head, magic, sizeof(magic)) == 0;
	bool ok = (f && !ferror(f)) || error_set(err, STATUS_IO, "cannot read %s: %s", file, strerror(errno));
	if (f)
		fclose(f);
	return ok;
}

bool input_store(struct db_writer *w, const char *file, const struct scenario *s, const char *overrides,
	struct stored_scenario *stored, struct error *err)
{
	const char *slash = strrchr(file, '/');
	const struct scenario_row row = {
		.kind = "scenario",
		.name = slash ? slash + 1 : file,
		.text = s->text,
		.tool_version = CEGSIM_VERSION,
		.overrides = overrides,
	};
	return writer_scenario(w, &row, &stored->scenario_id, err) &&
	       store_platform(w, &s->platform, &stored->platform_id, err) &&
	       store_taskset(w, &s->set, NULL, &stored->taskset_id, err);
}
