/* cli/replay_record.c - see cli/replay_record.h. */
#include "cli/replay_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "cli/input.h"
#include "runs/campaign/drive.h"
#include "runs/replay/captured_record.h"

#define NAME_MOST 100 /* bytes of a scenario's name */

/* One unit after the other: its scenario is kept while it runs. */
struct replay_recording {
	const struct captured *captured;
	const char *name; /* of the profile */
	struct db_writer *writer;
	struct scenario scenario;
	bool failed;
	struct error error; /* of a run */
};

/* "trace.json", or with several units "GPU 1, process 4711 of trace.json". */
static void name_unit(const struct replay_recording *r, uint32_t index, char *name, size_t size)
{
	const struct captured_unit *unit = &r->captured->units[index];
	const struct capture *capture = r->captured->capture;
	if (r->captured->unit_count == 1)
		snprintf(name, size, "%s", r->name);
	else
		snprintf(name, size, "GPU %" PRId64 ", process %" PRId64 " of %s",
			capture->gpus[unit->gpu].device, capture->processes[unit->process].pid, r->name);
	for (char *at = name; *at; at++) /* it may have been cut within a character */
		*at = (unsigned char)*at < ' ' || (unsigned char)*at >= 0x7f ? '?' : *at;
}

static bool read_scenario(
	struct replay_recording *r, const char *name, const struct text *text, struct error *err)
{
	struct diagnostics d;
	scenario_finish(&r->scenario);
	diagnostics_init(&d, name);
	bool ok = scenario_read_text(name, text_data(text), text->length, &r->scenario, &d);
	if (!ok) {
		diagnostics_print(&d, stderr);
		error_set(err, r->scenario.status, "%s: the work cannot be written as a scenario", name);
	}
	diagnostics_finish(&d);
	return ok;
}

static bool prepare(void *self, uint32_t index, struct run_spec *spec, struct error *err)
{
	struct replay_recording *r = self;
	struct stored_scenario stored;
	struct text text = {0};
	char name[NAME_MOST + 1];
	name_unit(r, index, name, sizeof(name));
	bool ok = captured_scenario(r->captured, &r->captured->units[index], name, &text, err) &&
		  read_scenario(r, name, &text, err) &&
		  input_store(r->writer, name, &r->scenario, NULL, &stored, err);
	text_finish(&text);
	if (!ok)
		return false;
	*spec = (struct run_spec){
		.platform = &r->scenario.platform,
		.set = &r->scenario.set,
		.setup = &r->scenario.setup,
		.policy = r->scenario.policies[0].policy,
		.params = &r->scenario.policies[0].params,
		.record = r->scenario.record,
		.scenario_id = stored.scenario_id,
		.taskset_id = stored.taskset_id,
		.platform_id = stored.platform_id,
	};
	return true;
}

static void ended(void *self, uint32_t index, const struct run_result *result, const struct run *run)
{
	struct replay_recording *r = self;
	(void)index, (void)run;
	if (result->status != RUN_OK && !r->failed) {
		r->failed = true;
		error_set(&r->error, STATUS_INPUT, "%s", result->reason);
	}
}

/* Units differ in their names. */
static void existed(void *self, uint32_t index)
{
	(void)self, (void)index;
}

static bool add_measured(struct replay_recording *r, uint32_t count, struct error *err)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct captured_unit *unit = &r->captured->units[i];
		struct measured_row *rows = calloc((size_t)unit->count + 1, sizeof(*rows));
		if (rows)
			captured_measured(r->captured, unit, rows);
		bool ok = rows ? writer_measured(r->writer, i + 1, rows, unit->count, err)
			       : error_memory(err, "what was measured");
		free(rows);
		if (!ok)
			return false;
	}
	return true;
}

static bool record(struct replay_recording *r, bool quiet, struct error *err)
{
	static const struct drive_calls calls = {.prepare = prepare, .ended = ended, .existed = existed};
	uint32_t count = r->captured->unit_count, finished;
	char interrupted[128];
	if (!drive_runs(count, r->writer, &calls, r, quiet, &finished, err))
		return false;
	bool cut = finished < count;
	if (r->failed)
		*err = r->error;
	if (r->failed || !add_measured(r, finished, err))
		return false;
	snprintf(interrupted, sizeof(interrupted), "interrupted after %" PRIu32 " of %" PRIu32 " runs",
		finished, count);
	struct db_writer *writer = r->writer;
	r->writer = NULL;
	if (!writer_finish(writer, cut ? interrupted : NULL, err))
		return false;
	if (drive_finished() && !cut)
		return error_set(err, STATUS_INTERRUPTED, "interrupted, but the recording is whole");
	return !cut || error_set(err, STATUS_INTERRUPTED, "%s; what has finished is kept", interrupted);
}

bool replay_record(const struct captured *c, const char *name, const struct given *given, struct error *err)
{
	const char *slash = strrchr(name, '/');
	struct replay_recording r = {.captured = c, .name = slash ? slash + 1 : name};
	if (output_is_another(given->output, name, err))
		r.writer = writer_open(given->output, given->force, err);
	bool ok = r.writer && record(&r, given->quiet, err);
	writer_abandon(r.writer, false);
	scenario_finish(&r.scenario);
	return ok;
}
