/* cli/merge.c - `cegsim merge`: merges the shares of a campaign into one recording; or prints the digest of a
 * recording's content, or the acceptance of shares. */
#include "db/merge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diagnostics.h"
#include "base/output.h"
#include "base/say.h"
#include "base/text.h"
#include "cli/acceptance.h"
#include "cli/merge_acceptance.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "db/content_digest.h"
#include "runs/campaign/unit.h"

#define MISSING_SHOWN 20 /* most shares or gaps that are named */

struct merge_command {
	struct given given;
	struct words files;
	bool digest, partial, acceptance;
	struct merge_part *parts;
	uint32_t part_count;
};

enum { KEY_DIGEST = OPTION_KEY_OWN, KEY_PARTIAL, KEY_ACCEPTANCE };

static const struct argp_option options[] = {
	OPTION_OUTPUT("FILE.db", "the recording to make"),
	OPTION_WRITER,
	{"partial", KEY_PARTIAL, NULL, 0, "merge what there is, also if shares or sets are missing", 0},
	OPTION_FORCE("replace FILE.db if it exists"),
	{"acceptance", KEY_ACCEPTANCE, NULL, 0,
		"instead: print the acceptance of all parts together, without merging them", 0},
	{"digest", KEY_DIGEST, NULL, 0,
		"instead: print the digest of the content of each file. Recordings with one "
		"digest say the same",
		0},
	OPTION_QUIET("do not say what is missing"),
	OPTION_FORMAT,
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct merge_command *c = state->input;
	switch (key) {
	case KEY_DIGEST:
		c->digest = true;
		return 0;
	case KEY_ACCEPTANCE:
		c->acceptance = true;
		return 0;
	case KEY_PARTIAL:
		c->partial = true;
		return 0;
	case ARGP_KEY_ARG:
		words_add(&c->files, arg);
		return 0;
	case ARGP_KEY_END:
		if (c->files.count == 0)
			argp_error(state, "which recordings?");
		if (c->acceptance && (c->digest || c->given.output))
			argp_error(state, "--acceptance makes no recording, and no digest");
		if (!c->digest && !c->acceptance && !c->given.output)
			argp_error(state, "into which recording? Name it with -o");
		return 0;
	default:
		return given_parse(key, arg, state, &c->given);
	}
}

/* ---- digests ---- */

static bool print_digest(struct table *t, const char *file, struct error *err)
{
	struct content_digest digest = {0};
	struct db_reader *r = reader_open(file, err);
	bool ok = r && content_digest(r, &digest, err);
	reader_close(r);
	if (!ok)
		return false;
	table_text(t, file);
	table_text(t, digest.text);
	table_integer(t, (int64_t)digest.rows);
	return true;
}

static bool print_digests(const struct merge_command *c, struct error *err)
{
	static const char *const columns[] = {"file", "digest", "rows"};
	struct table t;
	struct error printing;
	bool ok = true;
	table_begin(&t, stdout, c->given.format, columns, sizeof(columns) / sizeof(*columns));
	for (uint32_t i = 0; ok && i < c->files.count; i++)
		ok = print_digest(&t, c->files.at[i], err);
	bool printed = table_end(&t, &printing);
	if (ok && !printed)
		*err = printing;
	return ok && printed;
}

/* ---- what is missing ---- */

/* The campaign's number of units, from its own text; 0: this program cannot read the text any more. */
static uint32_t units_of(const struct merge_part *part)
{
	struct campaign campaign;
	struct diagnostics d;
	diagnostics_init(&d, part->name);
	uint32_t units = campaign_read_stored(
				 part->name, part->text, strlen(part->text), part->scenario, &campaign, &d)
				 ? unit_count(&campaign)
				 : 0;
	diagnostics_finish(&d);
	campaign_finish(&campaign);
	return units;
}

/* The shares for which there is no part, as "1/4, 3/4"; refuses shares of different divisions. */
static bool missing_shares(const struct merge_command *c, struct text *missing, struct error *err)
{
	unsigned count = 0;
	for (uint32_t i = 0; i < c->part_count; i++) {
		unsigned index = 0, of = 1;
		if (c->parts[i].shard && sscanf(c->parts[i].shard, "%u/%u", &index, &of) != 2)
			return error_set(err, STATUS_INPUT, "%s: '%s' is no share", c->parts[i].file,
				c->parts[i].shard);
		if (count > 0 && of != count)
			return error_set(err, STATUS_INPUT, "%s is one of %u shares, %s one of %u",
				c->parts[0].file, count, c->parts[i].file, of);
		count = of;
	}
	uint32_t shown = 0;
	for (unsigned k = 0; k < count; k++) {
		char name[32];
		bool found = false;
		snprintf(name, sizeof(name), "%u/%u", k, count);
		for (uint32_t i = 0; i < c->part_count; i++)
			found |= count == 1 || strcmp(c->parts[i].shard, name) == 0;
		if (!found && shown++ < MISSING_SHOWN)
			text_printf(missing, "%s%s", shown > 1 ? ", " : "", name);
	}
	if (shown > MISSING_SHOWN)
		text_printf(missing, ", and %" PRIu32 " more", shown - MISSING_SHOWN);
	return text_ok(missing, "looking for missing shares", err);
}

static int64_t units_inside(const struct merge_command *c)
{
	int64_t units = 0;
	for (uint32_t i = 0; i < c->part_count; i++)
		for (size_t k = 0; k < c->parts[i].stretch_count; k++)
			units += c->parts[i].stretches[k].units;
	return units;
}

/* Says what is missing; "" if nothing is. Each unit is in one part only, so the number of units tells. */
static bool find_missing(const struct merge_command *c, struct text *missing, struct error *err)
{
	struct text shares = {0};
	int64_t units = units_of(&c->parts[0]), inside = units_inside(c);
	if (units == 0)
		return error_set(err, STATUS_INPUT,
			"%s: this program cannot read the campaign in it any more", c->parts[0].file);
	bool ok = missing_shares(c, &shares, err);
	if (ok && inside < units) {
		text_printf(missing, "%" PRId64 " of %" PRId64 " sets are missing", units - inside, units);
		if (*text_data(&shares))
			text_printf(missing, "; there is no part for the shares %s", text_data(&shares));
		for (uint32_t i = 0; i < c->part_count; i++)
			if (c->parts[i].interrupted)
				text_printf(missing, "; %s: %s", c->parts[i].file, c->parts[i].interrupted);
	}
	text_finish(&shares);
	return ok && text_ok(missing, "looking for missing sets", err);
}

/* ---- merging ---- */

static bool read_parts(struct merge_command *c, struct error *err)
{
	c->parts = calloc(c->files.count + (size_t)1, sizeof(*c->parts));
	if (!c->parts)
		return error_memory(err, "the list of parts");
	for (uint32_t i = 0; i < c->files.count; i++, c->part_count++)
		if ((c->given.output && !output_is_another(c->given.output, c->files.at[i], err)) ||
			!part_read(c->files.at[i], true, &c->parts[i], err))
			return false;
	return merge_check(c->parts, c->part_count, err);
}

static bool write_merged(const struct merge_command *c, const char *missing, struct error *err)
{
	bool cut;
	struct db_writer *w = writer_open_as(c->given.writer, c->given.output, c->given.force, err);
	if (!w)
		return false;
	if (!merge_parts(w, c->parts, c->part_count, NULL, NULL, &cut, err)) {
		writer_abandon(w, false);
		return false;
	}
	return writer_finish(w, *missing ? missing : NULL, err);
}

static bool merge(struct merge_command *c, struct error *err)
{
	struct text missing = {0};
	bool ok = read_parts(c, err) && find_missing(c, &missing, err);
	if (ok && *text_data(&missing) && !c->partial)
		ok = error_set(
			err, STATUS_INPUT, "%.900s (--partial merges what there is)", text_data(&missing));
	else if (ok && *text_data(&missing) && !c->given.quiet)
		say(stderr, "cegsim: %s\n", text_data(&missing));
	if (c->acceptance)
		ok = ok && merge_acceptance(c->parts, c->part_count, c->given.format, err);
	else
		ok = ok && write_merged(c, text_data(&missing), err) &&
		     acceptance_print(c->given.output, c->given.format, err);
	text_finish(&missing);
	return ok;
}

int verb_merge(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "PART.db...",
		.doc = "Put the shares of a campaign (`cegsim sweep --shard') together into one recording, "
		       "which is the same as that of an undivided sweep.\vRefuses parts of different "
		       "campaigns or program versions, sets that are in two parts, and missing shares. Exit "
		       "status: 0 done; 2 usage or input error; 3 a file, the disk or the memory failed.",
	};
	struct merge_command c = {0};
	struct error err;
	options_parse(&argp, argc, argv, &c);
	bool ok = c.digest ? print_digests(&c, &err) : merge(&c, &err);
	for (uint32_t i = 0; i < c.part_count; i++)
		part_finish(&c.parts[i]);
	free(c.parts);
	words_finish(&c.files);
	return ok ? STATUS_OK : error_report(&err);
}
