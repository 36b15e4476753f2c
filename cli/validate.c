/* cli/validate.c - `cegsim validate`: the responses of a recording held against bounds, stored ones or new
 * ones, and how near they come. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/text.h"
#include "cli/tightness.h"
#include "cli/uses.h"
#include "cli/verbs.h"
#include "db/bound_check.h"
#include "db/subjects.h"
#include "policies/registry.h"
#include "runs/bounds/bounding.h"
#include "runs/load.h"

struct command {
	struct given given;
	struct uses uses; /* -p: plug-ins */
	struct db_reader *reader;
	struct tightness **tallies;
	size_t tally_count;
	struct db_cursor *stored,
		*computed; /* the rule (db/bound_check.h), about bounds of the recording, and others */
};

static const struct argp_option options[] = {
	{"analysis", 'a', "ANALYSIS", 0,
		"hold the responses against this analysis; may be given several times, options as "
		"for `cegsim analyze'. Default: the bounds that are stored, else all analyses for "
		"the run's policy",
		0},
	{"policy", 'p', "PLUGIN", 0,
		"the plug-in (./mine.so) that runs were made under; may be given several times", 0},
	OPTION_FORMAT,
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct command *c = state->input;
	return uses_parse(key, arg, state, &c->uses) == 0 ? 0 : given_parse(key, arg, state, &c->given);
}

/* ---- tallies ---- */

static struct tightness *new_tally(struct command *c, struct error *err)
{
	struct tightness **grown = list_room(c->tallies, c->tally_count, sizeof(*grown), "the answers", err);
	if (!grown)
		return NULL;
	c->tallies = grown;
	struct tightness *t = calloc(1, sizeof(*t));
	if (!t)
		error_memory(err, "the answers");
	else
		c->tallies[c->tally_count++] = t;
	return t;
}

/* What is known of an analysis whose bounds are looked at. */
struct asked {
	const char *name, *params, *label;
	bool unsafe;
};

/* "stgm:blocking=textbook" of recorded parameters; as JSON, if this program does not have the options. */
static bool label_recorded(struct command *c, const char *name, const char *json, const struct option *table,
	char label[PARAMS_LABEL_MAX], struct error *err)
{
	struct params params;
	struct error ignored;
	bool row, known = true;
	params_default(&params, table);
	struct db_cursor *each = cursor_open(c->reader,
		"SELECT key, CASE type WHEN 'true' THEN 'true' WHEN 'false' THEN "
		"'false' ELSE value END FROM json_each(?1)",
		err);
	bool ok = each && cursor_bind_text(each, 1, json, err);
	while (ok && (ok = cursor_next(each, &row, err)) && row) {
		const char *option = cursor_text(each, 0), *value = cursor_text(each, 1);
		known = known && option && value && params_set(&params, option, value, &ignored);
	}
	cursor_close(each);
	if (known)
		params_label(name, &params, label);
	else
		snprintf(label, PARAMS_LABEL_MAX, "%.60s %.180s", name, json);
	return ok;
}

static bool describe_policy(struct command *c, struct tightness *t, struct error *err)
{
	bool row = false;
	struct db_cursor *cursor =
		cursor_open(c->reader, "SELECT name, params FROM policy WHERE policy_id = ?1", err);
	bool ok =
		cursor && cursor_bind_integer(cursor, 1, t->policy_id, err) && cursor_next(cursor, &row, err);
	if (ok && row) {
		const struct policy *policy = policy_find(cursor_text(cursor, 0));
		snprintf(t->policy, sizeof(t->policy), "%s", cursor_text(cursor, 0));
		t->policy_params = strdup(cursor_text(cursor, 1));
		ok = t->policy_params ? label_recorded(c, t->policy, t->policy_params,
						policy ? policy->options : NULL, t->policy_label, err)
				      : error_memory(err, "the answers");
	}
	cursor_close(cursor);
	return ok;
}

static struct tightness *find_tally(
	const struct command *c, int64_t policy_id, const char *analysis, const char *params)
{
	for (size_t i = 0; i < c->tally_count; i++) {
		struct tightness *t = c->tallies[i];
		if (t->policy_id == policy_id && strcmp(t->analysis, analysis) == 0 &&
			strcmp(t->params, params) == 0)
			return t;
	}
	return NULL;
}

static struct tightness *tally_of(
	struct command *c, int64_t policy_id, const struct asked *a, struct error *err)
{
	struct tightness *t = find_tally(c, policy_id, a->name, a->params);
	if (t)
		return t;
	t = new_tally(c, err);
	if (!t)
		return NULL;
	t->policy_id = policy_id;
	t->unsafe = a->unsafe;
	t->analysis = strdup(a->name);
	t->params = strdup(a->params);
	snprintf(t->label, sizeof(t->label), "%s", a->label);
	if (!t->analysis || !t->params) {
		error_memory(err, "the answers");
		return NULL;
	}
	return describe_policy(c, t, err) ? t : NULL;
}

/* ---- runs against bounds ---- */

#define ANSWER                                                                                               \
	"SELECT run_id, verdict, task_idx, task_id, task, observed_ns, unfinished, bound_ns FROM judged "    \
	"ORDER BY run_id, task_idx"

enum { RUN, VERDICT, TASK_IDX, TASK_ID, TASK, OBSERVED, UNFINISHED, BOUND };

/* Those of the recording: ?1 analysis_run_id. */
static const char asked_stored[] =
	"SELECT analysis_run_id, taskset_id, platform_id, policy_id, task_id, bound_ns"
	" FROM analysis_run JOIN bound USING (analysis_run_id) WHERE analysis_run_id = ?1";
/* Those computed now: ?1, ?2, ?3 set, platform, policy, ?4 {"task_idx": bound or null, ...}. */
static const char asked_given[] =
	"SELECT NULL AS analysis_run_id, ?1 AS taskset_id, ?2 AS platform_id, ?3 AS policy_id, k.task_id,"
	" j.value AS bound_ns FROM json_each(?4) j JOIN task k ON k.taskset_id = ?1 AND k.task_idx = j.key";

/* From its beginning; prepared when it is first wanted. */
static bool begin_cursor(struct command *c, struct db_cursor **cursor, const char *asked, struct error *err)
{
	struct text sql = {0};
	if (*cursor) {
		cursor_rewind(*cursor);
		return true;
	}
	bound_check_sql(asked, ANSWER, &sql);
	*cursor = text_ok(&sql, "a query", err) ? cursor_open(c->reader, text_data(&sql), err) : NULL;
	text_finish(&sql);
	return *cursor;
}

/* The job of the longest response, if jobs were recorded; one that did not finish rather than
 * one that did. */
static bool find_job(struct command *c, struct violation *v, struct error *err)
{
	bool row = false;
	struct db_cursor *cursor = cursor_open(c->reader,
		"SELECT j.seq FROM job j JOIN run r USING (run_id) WHERE "
		"j.run_id = ?1 AND j.task_id = ?2 ORDER BY coalesce(j.finish_ns, r.stop_ns) - j.release_ns"
		" DESC, j.finish_ns IS NULL DESC, j.seq LIMIT 1",
		err);
	bool ok = cursor && cursor_bind_integer(cursor, 1, v->run_id, err) &&
		  cursor_bind_integer(cursor, 2, v->task_id, err) && cursor_next(cursor, &row, err);
	v->seq = ok && row ? cursor_integer(cursor, 0) : DB_NULL;
	cursor_close(cursor);
	return ok;
}

static bool note_first(struct command *c, struct tightness *t, const struct db_cursor *row, struct error *err)
{
	t->first = (struct violation){
		.run_id = cursor_integer(row, RUN),
		.task_idx = cursor_integer(row, TASK_IDX),
		.task_id = cursor_integer(row, TASK_ID),
		.observed_ns = cursor_integer(row, OBSERVED),
		.unfinished = cursor_integer(row, UNFINISHED) != 0,
		.bound_ns = cursor_integer(row, BOUND),
	};
	snprintf(t->first.task, sizeof(t->first.task), "%s", cursor_text(row, TASK));
	return find_job(c, &t->first, err);
}

/* One task of one run. */
static bool compare(struct command *c, struct tightness *t, const struct db_cursor *row, struct error *err)
{
	enum bound_check check = bound_check_named(cursor_text(row, VERDICT));
	if (check == CHECK_EXCEEDED && t->counted[check] == 0 && !note_first(c, t, row, err))
		return false;
	tightness_note(t, check, cursor_integer(row, OBSERVED), cursor_integer(row, BOUND));
	return true;
}

static bool compare_runs(struct command *c, struct tightness *t, struct db_cursor *rows, struct error *err)
{
	int64_t last = 0;
	bool row, ok = true;
	while (ok && (ok = cursor_next(rows, &row, err)) && row) {
		t->runs += cursor_integer(rows, RUN) != last;
		last = cursor_integer(rows, RUN);
		ok = compare(c, t, rows, err);
	}
	return ok;
}

/* ---- where bounds come from ---- */

/* Of a row of ask_stored(). */
static bool stored_tally(struct command *c, int64_t policy_id, const struct db_cursor *row,
	struct tightness **t, struct error *err)
{
	char label[PARAMS_LABEL_MAX];
	struct asked a = {cursor_text(row, 1), cursor_text(row, 2), label, cursor_integer(row, 3) != 0};
	const struct analysis *analysis = analysis_find(a.name);
	*t = find_tally(c, policy_id, a.name, a.params);
	if (*t)
		return true;
	if (!label_recorded(c, a.name, a.params, analysis ? analysis->options : NULL, label, err))
		return false;
	if (a.unsafe)
		strncat(label, " (unsafe)", sizeof(label) - strlen(label) - 1);
	*t = tally_of(c, policy_id, &a, err);
	return *t;
}

/* Analyses of the set under the policy of which bounds are stored; `use` NULL: any, else this one as the
 * program has it. *found: there was one. */
static bool ask_stored(struct command *c, const struct subject *s, const struct analysis_use *use,
	bool *found, struct error *err)
{
	static const char sql[] =
		"SELECT a.analysis_run_id, a.analysis, a.params, a.safety = 'unsafe' FROM analysis_run a"
		" WHERE a.taskset_id = ?1 AND a.platform_id = ?2 AND a.policy_id = ?3"
		" AND (?4 IS NULL OR (a.analysis = ?4 AND a.params = ?5 AND a.version = ?6))"
		" AND EXISTS (SELECT 1 FROM bound b WHERE b.analysis_run_id = a.analysis_run_id) ORDER BY 1";
	char json[PARAMS_JSON_MAX];
	struct db_cursor *rows = cursor_open(c->reader, sql, err);
	bool row,
		ok = rows && cursor_bind_integer(rows, 1, s->taskset_id, err) &&
		     cursor_bind_integer(rows, 2, s->platform_id, err) &&
		     cursor_bind_integer(rows, 3, s->policy_id, err) &&
		     (!use || (cursor_bind_text(rows, 4, use->analysis->name, err) &&
				      cursor_bind_text(rows, 5, params_json_text(&use->params, json), err) &&
				      cursor_bind_integer(rows, 6, use->analysis->version, err)));
	*found = false;
	while (ok && (ok = cursor_next(rows, &row, err)) && row) {
		struct tightness *t = NULL;
		*found = true;
		ok = stored_tally(c, s->policy_id, rows, &t, err) &&
		     begin_cursor(c, &c->stored, asked_stored, err) &&
		     cursor_bind_integer(c->stored, 1, cursor_integer(rows, 0), err) &&
		     compare_runs(c, t, c->stored, err);
		if (ok)
			t->sets++;
	}
	cursor_close(rows);
	return ok;
}

/* Of the tasks that the analysis came to. */
static void bounds_as_json(const struct bounds *b, uint32_t tasks, struct text *json)
{
	const char *separator = "{";
	for (uint32_t i = 0; i < tasks; i++) {
		if (!b->task[i].analysed)
			continue;
		text_printf(json, "%s\"%" PRIu32 "\": ", separator, i);
		int64_t bound = bounding_bound(&b->task[i]);
		bound == DB_NULL ? text_add(json, "null") : text_printf(json, "%" PRId64, bound);
		separator = ", ";
	}
	text_add(json, *separator == '{' ? "{}" : "}");
}

static bool ask_given(struct command *c, const struct subject *s, struct tightness *t, const struct bounds *b,
	uint32_t tasks, struct error *err)
{
	struct text json = {0};
	bounds_as_json(b, tasks, &json);
	bool ok = text_ok(&json, "the bounds", err) && begin_cursor(c, &c->computed, asked_given, err) &&
		  cursor_bind_integer(c->computed, 1, s->taskset_id, err) &&
		  cursor_bind_integer(c->computed, 2, s->platform_id, err) &&
		  cursor_bind_integer(c->computed, 3, s->policy_id, err) &&
		  cursor_bind_text(c->computed, 4, text_data(&json), err) &&
		  compare_runs(c, t, c->computed, err);
	text_finish(&json);
	return ok;
}

static bool ask_computed(struct command *c, const struct subject *s, struct bounding *b,
	const struct analysis_use *use, struct error *err)
{
	char json[PARAMS_JSON_MAX], label[PARAMS_LABEL_MAX];
	struct bounds computed;
	if (!bounding_compute(b, use, &computed, err))
		return false;
	if (!computed.task && !c->uses.chosen)
		return true; /* nobody asked for it */
	const struct asked a = {use->analysis->name, params_json_text(&use->params, json),
		analysis_use_label(use, label), analysis_use_unsafe(use)};
	struct tightness *t = tally_of(c, s->policy_id, &a, err);
	if (!t)
		return false;
	t->sets++;
	t->refused += !computed.task;
	return !computed.task || ask_given(c, s, t, &computed, b->spec.set->task_count, err);
}

/* Those of -a, stored or computed now; else the default ones, computed. */
static bool ask_now(struct command *c, const struct subject *s, struct error *err)
{
	struct loaded_run run;
	struct bounding b;
	if (!load_subject(c->reader, s->taskset_id, s->platform_id, s->policy_id, &run, err))
		return false;
	const struct bounding_spec spec = {
		.platform = &run.platform,
		.set = &run.set,
		.setup = &run.setup,
		.policy = run.policy,
		.params = &run.params,
	};
	bool ok = bounding_begin(&b, &spec, err);
	for (uint32_t i = 0; ok && i < c->uses.analysis_count; i++) {
		const struct analysis_use *use = &c->uses.analyses[i];
		bool found = false;
		if (!bounding_fits(&b, use->analysis))
			continue;
		ok = (!c->uses.chosen || ask_stored(c, s, use, &found, err)) &&
		     (found || ask_computed(c, s, &b, use, err));
	}
	bounding_finish(&b);
	loaded_run_finish(&run);
	return ok;
}

static bool validate_subject(struct command *c, const struct subject *s, struct error *err)
{
	bool found = false;
	if (!c->uses.chosen && !ask_stored(c, s, NULL, &found, err))
		return false;
	return found || ask_now(c, s, err);
}

static bool validate(struct command *c, struct error *err)
{
	struct subjects all = {0};
	bool ok = uses_plugins(&c->uses, "runs are held against bounds", err) && uses_analyses(&c->uses, err);
	c->reader = ok ? reader_open(c->given.file, err) : NULL;
	ok = c->reader && subjects_of_runs(c->reader, &all, err);
	if (ok && all.count == 0)
		ok = error_set(err, STATUS_INPUT,
			"%s has no runs that came to an end: there is nothing to hold against bounds",
			c->given.file);
	for (size_t i = 0; ok && i < all.count; i++)
		ok = validate_subject(c, &all.items[i], err);
	if (ok && c->tally_count == 0)
		ok = error_set(err, STATUS_INPUT,
			"no analysis%s bounds the plans of the policies in %s; `cegsim analyze' says why",
			c->uses.chosen ? " that was named" : "", c->given.file);
	subjects_finish(&all);
	cursor_close(c->stored);
	cursor_close(c->computed);
	reader_close(c->reader);
	return ok;
}

/* ---- the command ---- */

static enum status answer(struct command *c)
{
	struct error err;
	if (!validate(c, &err) ||
		!tightness_print(c->tallies, c->tally_count, c->given.file, c->given.format, &err))
		return (enum status)error_report(&err);
	for (size_t i = 0; i < c->tally_count; i++)
		if (c->tallies[i]->counted[CHECK_EXCEEDED] > 0 && !c->tallies[i]->unsafe)
			return STATUS_NO;
	return STATUS_OK;
}

int verb_validate(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "FILE.db",
		.doc = "Hold the largest response of every task in every run of a recording against bounds, "
		       "and show how near it comes.\vA bound holds, or is exceeded, or the run cannot tell; "
		       "what it cannot tell is counted apart and never makes a bound look safe: its traces "
		       "leave what the tasks declare (outside), it removes jobs at their deadline "
		       "(removing), there is no bound (unbounded) or one beyond the period, which promises "
		       "nothing, the run was cut short (truncated), or jobs have no response (unanswered). "
		       "The view v_bound_check says the same. Exit status: 0 no bound of a sound analysis is "
		       "exceeded; 1 one is; 2 usage or input error; 3 a file, the disk or the memory failed.",
	};
	struct command c = {.given.noun = "recording"};
	argp_parse(&argp, argc, argv, 0, NULL, &c);
	enum status status = answer(&c);
	for (size_t i = 0; i < c.tally_count; i++) {
		free(c.tallies[i]->policy_params);
		free(c.tallies[i]->analysis);
		free(c.tallies[i]->params);
		free(c.tallies[i]);
	}
	free(c.tallies);
	uses_finish(&c.uses);
	return (int)status;
}
