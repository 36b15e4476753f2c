/* runs/bounds/validation.c - see runs/bounds/validation.h. */
#include "runs/bounds/validation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/int128.h"
#include "base/list.h"
#include "base/text.h"
#include "db/rows.h"
#include "policies/registry.h"
#include "runs/bounds/bounding.h"
#include "runs/bounds/recorded_label.h"
#include "runs/load.h"

static void tightness_note(struct tightness *t, enum bound_check check, int64_t observed_ns, int64_t bound_ns)
{
	t->counted[check]++;
	if (check != CHECK_HOLDS && check != CHECK_EXCEEDED)
		return;
	/* The intervals are (0, 0.1], (0.1, 0.2], ...; a response of 0 with a bound of 0 counts as
	 * nearest. */
	if (check == CHECK_HOLDS && bound_ns > 0)
		t->tenths[observed_ns > 0 ? (int)(((int128)observed_ns * TIGHTNESS_TENTHS - 1) / bound_ns)
					  : 0]++;
	else if (check == CHECK_HOLDS)
		t->tenths[TIGHTNESS_TENTHS - 1]++;
	if (bound_ns <= 0)
		return;
	double ratio = (double)observed_ns / (double)bound_ns;
	t->ratios++;
	t->sum += ratio;
	t->worst = ratio > t->worst ? ratio : t->worst;
}

/* ---- tallies ---- */

static struct tightness *new_tally(struct validation *v, struct error *err)
{
	struct tightness **grown = list_room(v->tallies, v->tally_count, sizeof(*grown), "the answers", err);
	if (!grown)
		return NULL;
	v->tallies = grown;
	struct tightness *t = calloc(1, sizeof(*t));
	if (!t)
		error_memory(err, "the answers");
	else
		v->tallies[v->tally_count++] = t;
	return t;
}

/* An analysis whose bounds are compared. */
struct asked {
	const char *name, *params, *label;
	bool unsafe;
};

static bool describe_policy(struct validation *v, struct tightness *t, struct error *err)
{
	bool row = false;
	struct db_cursor *cursor =
		cursor_open(v->reader, "SELECT name, params FROM policy WHERE policy_id = ?1", err);
	bool ok =
		cursor && cursor_bind_integer(cursor, 1, t->policy_id, err) && cursor_next(cursor, &row, err);
	if (ok && row) {
		const struct policy *policy = policy_find(cursor_text(cursor, 0));
		snprintf(t->policy, sizeof(t->policy), "%s", cursor_text(cursor, 0));
		t->policy_params = strdup(cursor_text(cursor, 1));
		ok = t->policy_params ? recorded_label(v->reader, t->policy, t->policy_params,
						policy ? policy->options : NULL, t->policy_label, err)
				      : error_memory(err, "the answers");
	}
	cursor_close(cursor);
	return ok;
}

static struct tightness *find_tally(
	const struct validation *v, int64_t policy_id, const char *analysis, const char *params)
{
	for (size_t i = 0; i < v->tally_count; i++) {
		struct tightness *t = v->tallies[i];
		if (t->policy_id == policy_id && strcmp(t->analysis, analysis) == 0 &&
			strcmp(t->params, params) == 0)
			return t;
	}
	return NULL;
}

static struct tightness *tally_of(
	struct validation *v, int64_t policy_id, const struct asked *a, struct error *err)
{
	struct tightness *t = find_tally(v, policy_id, a->name, a->params);
	if (t)
		return t;
	t = new_tally(v, err);
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
	return describe_policy(v, t, err) ? t : NULL;
}

/* ---- runs against bounds ---- */

#define ANSWER                                                                                               \
	"SELECT run_id, verdict, task_idx, task_id, task, observed_ns, unfinished, bound_ns FROM judged "    \
	"ORDER BY run_id, task_idx"

enum { RUN, VERDICT, TASK_IDX, TASK_ID, TASK, OBSERVED, UNFINISHED, BOUND };

/* Those of the recording: ?1 analysis_run_id. Recordings before version 4 do not say what bounds rest on: on
 * nobody. */
#define ASKED_STORED(assumes)                                                                                \
	"SELECT analysis_run_id, taskset_id, platform_id, policy_id, task_id, bound_ns, " assumes            \
	" FROM analysis_run JOIN bound USING (analysis_run_id) WHERE analysis_run_id = ?1"
static const char asked_stored[] = ASKED_STORED("assumes"),
		  asked_stored_before[] = ASKED_STORED("NULL AS assumes");
/* Bounds that were computed now: ?1, ?2, ?3 set, platform, policy, ?4 {"task_idx": [bound or null, assumes or
 * null], ...}. */
static const char asked_given[] =
	"SELECT NULL AS analysis_run_id, ?1 AS taskset_id, ?2 AS platform_id, ?3 AS policy_id, k.task_id,"
	" json_extract(j.value, '$[0]') AS bound_ns, json_extract(j.value, '$[1]') AS assumes"
	" FROM json_each(?4) j JOIN task k ON k.taskset_id = ?1 AND k.task_idx = j.key";

/* Rewinds the cursor; prepares it first if needed. */
static bool begin_cursor(
	struct validation *v, struct db_cursor **cursor, const char *asked, struct error *err)
{
	struct text sql = {0};
	if (*cursor) {
		cursor_rewind(*cursor);
		return true;
	}
	bound_check_sql(asked, ANSWER, &sql);
	*cursor = text_ok(&sql, "a query", err) ? cursor_open(v->reader, text_data(&sql), err) : NULL;
	text_finish(&sql);
	return *cursor;
}

/* Finds the job of the longest response, if jobs were recorded; an unfinished job comes before a finished
 * one. */
static bool find_job(struct validation *v, struct violation *first, struct error *err)
{
	bool row = false;
	struct db_cursor *cursor = cursor_open(v->reader,
		"SELECT j.seq FROM job j JOIN run r USING (run_id) WHERE "
		"j.run_id = ?1 AND j.task_id = ?2 ORDER BY coalesce(j.finish_ns, r.stop_ns) - j.release_ns"
		" DESC, j.finish_ns IS NULL DESC, j.seq LIMIT 1",
		err);
	bool ok = cursor && cursor_bind_integer(cursor, 1, first->run_id, err) &&
		  cursor_bind_integer(cursor, 2, first->task_id, err) && cursor_next(cursor, &row, err);
	first->seq = ok && row ? cursor_integer(cursor, 0) : DB_NULL;
	cursor_close(cursor);
	return ok;
}

static struct violation read_row(const struct validation *v, const struct db_cursor *row)
{
	struct violation r = {
		.taskset_id = v->subject->taskset_id,
		.platform_id = v->subject->platform_id,
		.run_id = cursor_integer(row, RUN),
		.task_idx = cursor_integer(row, TASK_IDX),
		.task_id = cursor_integer(row, TASK_ID),
		.observed_ns = cursor_integer(row, OBSERVED),
		.unfinished = cursor_integer(row, UNFINISHED) != 0,
		.bound_ns = cursor_integer(row, BOUND),
	};
	snprintf(r.task, sizeof(r.task), "%s", cursor_text(row, TASK));
	return r;
}

/* Whether the response of the row is nearer to its bound, or farther beyond it, than those so far. */
static bool is_closest(const struct tightness *t, const struct db_cursor *row)
{
	int64_t observed = cursor_integer(row, OBSERVED), bound = cursor_integer(row, BOUND);
	return bound > 0 && (t->closest.run_id == 0 || (int128)observed * t->closest.bound_ns >
							       (int128)t->closest.observed_ns * bound);
}

/* Compares one task of one run. */
static bool compare(struct validation *v, struct tightness *t, const struct db_cursor *row, struct error *err)
{
	enum bound_check check = bound_check_named(cursor_text(row, VERDICT));
	bool first = check == CHECK_EXCEEDED && t->counted[check] == 0;
	if ((check == CHECK_EXCEEDED || check == CHECK_HOLDS) && is_closest(t, row))
		t->closest = read_row(v, row);
	if (first)
		t->first = read_row(v, row);
	if (first && !find_job(v, &t->first, err))
		return false;
	tightness_note(t, check, cursor_integer(row, OBSERVED), cursor_integer(row, BOUND));
	return true;
}

static bool compare_runs(struct validation *v, struct tightness *t, struct db_cursor *rows, struct error *err)
{
	int64_t last = 0;
	bool row, ok = true;
	while (ok && (ok = cursor_next(rows, &row, err)) && row) {
		t->runs += cursor_integer(rows, RUN) != last;
		last = cursor_integer(rows, RUN);
		ok = compare(v, t, rows, err);
	}
	return ok;
}

/* ---- the sources of bounds ---- */

/* Of a row of ask_stored(). */
static bool stored_tally(struct validation *v, int64_t policy_id, const struct db_cursor *row,
	const struct analysis_use *use, struct tightness **t, struct error *err)
{
	char label[PARAMS_LABEL_MAX];
	struct asked a = {cursor_text(row, 1), cursor_text(row, 2), label, cursor_integer(row, 3) != 0};
	const struct analysis *analysis = analysis_find(a.name);
	*t = find_tally(v, policy_id, a.name, a.params);
	if (*t)
		return true;
	if (use)
		analysis_use_label(use, label);
	else if (!recorded_label(
			 v->reader, a.name, a.params, analysis ? analysis->options : NULL, label, err))
		return false;
	if (!use && a.unsafe)
		strncat(label, " (unsafe)", sizeof(label) - strlen(label) - 1);
	*t = tally_of(v, policy_id, &a, err);
	return *t;
}

/* Finds the analyses of the set under the policy for which bounds are stored; `use` NULL: any, else this one,
 * with the options as this program has them. *found: there was one. */
static bool ask_stored(struct validation *v, const struct subject *s, const struct analysis_use *use,
	bool *found, struct error *err)
{
	static const char sql[] =
		"SELECT a.analysis_run_id, a.analysis, a.params, a.safety = 'unsafe' FROM analysis_run a"
		" WHERE a.taskset_id = ?1 AND a.platform_id = ?2 AND a.policy_id = ?3"
		" AND (?4 IS NULL OR (a.analysis = ?4 AND a.params = ?5 AND a.version = ?6))"
		" AND EXISTS (SELECT 1 FROM bound b WHERE b.analysis_run_id = a.analysis_run_id) ORDER BY 1";
	char json[PARAMS_JSON_MAX];
	struct db_cursor *rows = cursor_open(v->reader, sql, err);
	bool row, ok = rows && cursor_bind_integer(rows, 1, s->taskset_id, err) &&
		       cursor_bind_integer(rows, 2, s->platform_id, err) &&
		       cursor_bind_integer(rows, 3, s->policy_id, err) &&
		       (!use || (cursor_bind_text(rows, 4, use->analysis->name, err) &&
					cursor_bind_text(rows, 5, analysis_use_json(use, json), err) &&
					cursor_bind_integer(rows, 6, use->analysis->version, err)));
	bool assumes = false;
	*found = false;
	ok = ok && reader_has(v->reader, "bound", "assumes", &assumes, err);
	while (ok && (ok = cursor_next(rows, &row, err)) && row) {
		struct tightness *t = NULL;
		*found = true;
		ok = stored_tally(v, s->policy_id, rows, use, &t, err);
		if (ok)
			t->use = use;
		ok = ok && begin_cursor(v, &v->stored, assumes ? asked_stored : asked_stored_before, err) &&
		     cursor_bind_integer(v->stored, 1, cursor_integer(rows, 0), err) &&
		     compare_runs(v, t, v->stored, err);
		if (ok)
			t->sets++;
	}
	cursor_close(rows);
	return ok;
}

/* The bounds of the tasks that were analysed. */
static void bounds_as_json(const struct bounds *b, uint32_t tasks, struct text *json)
{
	const char *separator = "{";
	for (uint32_t i = 0; i < tasks; i++) {
		if (!b->task[i].analysed)
			continue;
		text_printf(json, "%s\"%" PRIu32 "\": ", separator, i);
		int64_t bound = bounding_bound(&b->task[i]);
		text_add(json, "[");
		bound == DB_NULL ? text_add(json, "null") : text_printf(json, "%" PRId64, bound);
		text_add(json, b->task[i].assumes ? ", " : ", null");
		bounding_assumes(b, i, json);
		text_add(json, "]");
		separator = ", ";
	}
	text_add(json, *separator == '{' ? "{}" : "}");
}

static bool ask_given(struct validation *v, const struct subject *s, struct tightness *t,
	const struct bounds *b, uint32_t tasks, struct error *err)
{
	struct text json = {0};
	bounds_as_json(b, tasks, &json);
	bool ok = text_ok(&json, "the bounds", err) && begin_cursor(v, &v->computed, asked_given, err) &&
		  cursor_bind_integer(v->computed, 1, s->taskset_id, err) &&
		  cursor_bind_integer(v->computed, 2, s->platform_id, err) &&
		  cursor_bind_integer(v->computed, 3, s->policy_id, err) &&
		  cursor_bind_text(v->computed, 4, text_data(&json), err) &&
		  compare_runs(v, t, v->computed, err);
	text_finish(&json);
	return ok;
}

/* What the analyses say about a set. */
struct coverage {
	bool covered;     /* one of them has bounds */
	char reason[600]; /* the first that has none says why */
};

static void note_coverage(struct coverage *c, const struct analysis_use *use, const struct bounds *computed)
{
	c->covered = c->covered || computed->task;
	if (!computed->task && !c->reason[0])
		snprintf(c->reason, sizeof(c->reason), "%s: %s", use->analysis->name, computed->reason);
}

/* Counts a set for which nothing has a bound. */
static bool note_uncovered(struct validation *v, const struct subject *s, const struct policy_use *policy,
	const struct coverage *c, struct error *err)
{
	size_t i = 0;
	while (i < v->uncovered_count && v->uncovered[i].policy_id != s->policy_id)
		i++;
	if (i == v->uncovered_count) {
		struct uncovered *u = list_room(v->uncovered, i, sizeof(*u), "the answers", err);
		if (!u)
			return false;
		v->uncovered = u;
		v->uncovered_count++;
		u += i;
		*u = (struct uncovered){.policy_id = s->policy_id};
		policy_use_label(policy, u->policy);
		snprintf(u->reason, sizeof(u->reason), "%s", c->reason[0] ? c->reason : "none is for it");
	}
	v->uncovered[i].sets++;
	return true;
}

static bool ask_computed(struct validation *v, const struct subject *s, struct bounding *b,
	const struct analysis_use *use, struct coverage *coverage, struct error *err)
{
	char json[PARAMS_JSON_MAX], label[PARAMS_LABEL_MAX];
	struct bounds computed;
	if (!bounding_compute(b, use, &computed, err))
		return false;
	note_coverage(coverage, use, &computed);
	if (!computed.task && !v->chosen)
		return true; /* the user did not name it */
	const struct asked a = {use->analysis->name, analysis_use_json(use, json),
		analysis_use_label(use, label), analysis_use_unsafe(use)};
	struct tightness *t = tally_of(v, s->policy_id, &a, err);
	if (!t)
		return false;
	t->use = use;
	t->sets++;
	t->refused += !computed.task;
	if (computed.verdict == BOUNDS_ERROR && t->erred++ == 0) {
		t->first_erred = s->taskset_id;
		snprintf(t->reason, sizeof(t->reason), "%.255s", computed.reason);
	}
	return !computed.task || ask_given(v, s, t, &computed, b->spec.set->task_count, err);
}

/* The analyses of -a, stored or computed now; without -a, the default ones, computed. */
static bool ask_now(struct validation *v, const struct subject *s, struct error *err)
{
	struct loaded_run run;
	struct bounding b;
	if (!load_subject(v->reader, s->taskset_id, s->platform_id, s->policy_id, &run, err))
		return false;
	const struct bounding_spec spec = {
		.platform = &run.platform,
		.set = &run.set,
		.setup = &run.setup,
		.policy = run.policy,
		.params = &run.params,
		.recorded = s,
	};
	struct coverage coverage = {.covered = false};
	bool ok = bounding_begin(&b, &spec, err);
	for (uint32_t i = 0; ok && i < v->analysis_count; i++) {
		const struct analysis_use *use = &v->analyses[i];
		bool found = false;
		if (!bounding_fits(&b, use->analysis))
			continue;
		ok = (!v->chosen || ask_stored(v, s, use, &found, err)) &&
		     (found || ask_computed(v, s, &b, use, &coverage, err));
		coverage.covered |= found;
	}
	const struct policy_use policy = {.policy = run.policy, .params = run.params};
	ok = ok && (coverage.covered || note_uncovered(v, s, &policy, &coverage, err));
	bounding_finish(&b);
	loaded_run_finish(&run);
	return ok;
}

static bool stops(const struct validation *v)
{
	return v->stop && atomic_load(v->stop);
}

static bool validate_subject(struct validation *v, const struct subject *s, struct error *err)
{
	bool found = false;
	v->subject = s;
	if (!v->chosen && !ask_stored(v, s, NULL, &found, err))
		return false;
	return found || ask_now(v, s, err);
}

/* Two of one label, such as versions of a program: they get their marks. */
static void mark_labels(struct validation *v)
{
	static const char unsafe[] = " (unsafe)";
	for (size_t i = 0; i < v->tally_count; i++) {
		struct tightness *t = v->tallies[i];
		t->doubled = false;
		for (size_t k = 0; k < v->tally_count; k++)
			t->doubled |= k != i && v->tallies[k]->policy_id == t->policy_id &&
				      strcmp(v->tallies[k]->label, t->label) == 0;
	}
	for (size_t i = 0; i < v->tally_count; i++) {
		struct tightness *t = v->tallies[i];
		char mark[USE_MARK_MAX];
		size_t length = strlen(t->label);
		if (!t->doubled)
			continue;
		if (t->unsafe && length > strlen(unsafe))
			length -= strlen(unsafe);
		snprintf(t->label + length, sizeof(t->label) - length, "%s%s", analysis_mark(t->params, mark),
			t->unsafe ? unsafe : "");
	}
}

bool validation_make(struct validation *v, struct error *err)
{
	struct subjects all = {0};
	v->reader = reader_open(v->file, err);
	bool ok = v->reader && subjects_of_runs(v->reader, &all, err);
	if (ok && all.count == 0)
		ok = error_set(err, STATUS_INPUT,
			"%s has no runs that came to an end: there is nothing to hold against bounds",
			v->file);
	v->sets = all.count;
	for (; ok && v->done < v->sets && !stops(v); v->done += ok)
		ok = validate_subject(v, &all.items[v->done], err);
	v->interrupted = ok ? v->done < v->sets : err->status == STATUS_INTERRUPTED;
	ok = (ok || v->interrupted) &&
	     (!v->interrupted || v->tally_count > 0 ||
		     error_set(err, STATUS_INTERRUPTED, "interrupted before anything was compared"));
	if (ok && v->tally_count == 0)
		ok = error_set(err, STATUS_INPUT,
			"no analysis%s bounds the plans of the policies in %s: under %s, %s",
			v->chosen ? " that was named" : "", v->file, v->uncovered[0].policy,
			v->uncovered[0].reason);
	mark_labels(v);
	subjects_finish(&all);
	cursor_close(v->stored);
	cursor_close(v->computed);
	reader_close(v->reader);
	return ok;
}

void validation_finish(struct validation *v)
{
	for (size_t i = 0; i < v->tally_count; i++) {
		free(v->tallies[i]->policy_params);
		free(v->tallies[i]->analysis);
		free(v->tallies[i]->params);
		free(v->tallies[i]);
	}
	free(v->tallies);
	free(v->uncovered);
}
