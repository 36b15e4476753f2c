/* cli/sweep_units.c - see cli/sweep_units.h. */
#include "cli/sweep_units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "cli/options.h"
#include "db/reader.h"
#include "policies/own.h"
#include "runs/campaign/unit.h"
#include "scenarios/variants.h"

/* ---- the campaign of a recording ---- */

/* What a recording says of its campaign; the texts are malloc(). */
struct recorded_campaign {
	char *name, *text, *version;
	char *scenario; /* that it varies, if it is a file of its own; else NULL */
};

static void recorded_finish(struct recorded_campaign *r)
{
	free(r->name);
	free(r->text);
	free(r->version);
	free(r->scenario);
}

static bool copy_text(char **copy, const struct db_cursor *c, int column, struct error *err)
{
	free(*copy);
	*copy = strdup(cursor_text(c, column));
	return *copy || error_memory(err, "reading the campaign of a recording");
}

static bool read_recorded(const char *file, struct recorded_campaign *r, struct error *err)
{
	struct db_reader *reader = reader_open(file, err);
	if (!reader)
		return false;
	struct rows q =
		rows_open(reader, "SELECT kind = 'campaign', name, text, tool_version FROM scenario", err);
	while (rows_next(&q)) {
		if (cursor_integer(q.c, 0))
			q.ok = copy_text(&r->name, q.c, 1, err) && copy_text(&r->text, q.c, 2, err) &&
			       copy_text(&r->version, q.c, 3, err);
		else
			q.ok = copy_text(&r->scenario, q.c, 2, err);
	}
	bool ok = rows_close(&q);
	reader_close(reader);
	return ok &&
	       (r->text || error_set(err, STATUS_INPUT,
				   "%s is not the recording of a campaign: cegsim sweep makes those", file));
}

/* NAME in the folder of `file`; free() it. */
static char *beside(const char *file, const char *name)
{
	char *path;
	const char *slash = strrchr(file, '/');
	int folder = slash ? (int)(slash - file) + 1 : 0;
	return asprintf(&path, "%.*s%s", folder, file, name) < 0 ? NULL : path;
}

/* A scenario in a file of its own is read from there, with the traces and samples that it names. */
static bool same_scenario(
	const struct campaign *c, const struct recorded_campaign *r, const char *file, struct error *err)
{
	const char *text = c->variants ? c->variants->text : NULL;
	if (!text || (r->scenario && strcmp(text, r->scenario) == 0))
		return true;
	return error_set(err, STATUS_INPUT, "%s has another text than the scenario that %s was made of",
		c->variants->file, file);
}

static enum status read_stored_text(struct sweep_units *u, const char *file,
	const struct recorded_campaign *r, struct campaign *c, struct error *err)
{
	struct diagnostics d;
	u->campaign_file = beside(file, r->name);
	if (!u->campaign_file) {
		error_memory(err, "reading the campaign of a recording");
		return (enum status)error_report(err);
	}
	diagnostics_init(&d, u->campaign_file);
	if (!u->trust)
		own_code_refuse(file, "--trust lets it");
	bool ok = campaign_read_text(u->campaign_file, r->text, strlen(r->text), c, &d);
	if (!ok)
		diagnostics_print(&d, stderr);
	diagnostics_finish(&d);
	if (!ok)
		return c->status;
	if (strcmp(r->version, CEGSIM_VERSION) != 0)
		say(stderr, "cegsim: note: %s was made by cegsim %s, this is %s: its sets may be others\n",
			file, r->version, CEGSIM_VERSION);
	return same_scenario(c, r, file, err) ? STATUS_OK : (enum status)error_report(err);
}

enum status sweep_units_campaign(struct sweep_units *u, const char *file, struct campaign *c)
{
	struct recorded_campaign r = {0};
	struct error err;
	enum status status = read_recorded(file, &r, &err) ? read_stored_text(u, file, &r, c, &err)
							   : (enum status)error_report(&err);
	recorded_finish(&r);
	return status;
}

/* ---- the sets ---- */

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* The numbers as ranges, and the level: two sweeps of the same have the same words. */
static bool write_chosen(struct sweep_units *u, struct error *err)
{
	seeds_write(&u->chosen, u->list, u->numbers.count);
	text_printf(&u->chosen, " %s", record_level_name(u->record));
	return text_ok(&u->chosen, "the numbers of sets", err);
}

bool sweep_units_settle(struct sweep_units *u, struct campaign *c, struct sweep_spec *spec, struct error *err)
{
	uint32_t count = u->numbers.count, all = unit_count(c);
	u->list = calloc((size_t)count + 1, sizeof(*u->list));
	if (!u->list)
		return error_memory(err, "the numbers of sets");
	for (uint32_t i = 0; i < count; i++) {
		uint64_t number = seeds_at(&u->numbers, i);
		if (number >= all)
			return error_set(err, STATUS_INPUT,
				"there is no set %" PRIu64 ": the campaign has 0 to %" PRIu32, number,
				all - 1);
		u->list[i] = (uint32_t)number;
	}
	qsort(u->list, count, sizeof(*u->list), by_number);
	campaign_record(c, u->record);
	if (!write_chosen(u, err))
		return false;
	spec->units = u->list;
	spec->unit_count = count;
	spec->chosen = text_data(&u->chosen);
	return true;
}

void sweep_units_finish(struct sweep_units *u)
{
	seeds_finish(&u->numbers);
	free(u->campaign_file);
	free(u->list);
	text_finish(&u->chosen);
}
