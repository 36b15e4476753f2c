/* cli/validate.c - `cegsim validate`: the responses of a recording held against bounds, stored ones or new ones, and
 * how near they come. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cli/subjects.h"
#include "cli/tightness.h"
#include "cli/verbs.h"
#include "policies/plugin.h"
#include "policies/registry.h"

struct command {
	const char *file;
	const char **analysis_texts, **plugins;
	uint32_t analysis_count, plugin_count;
	struct analysis_use *analyses;
	bool chosen;
	enum table_format format;
	struct db_reader *reader;
	struct tightness **tallies;
	size_t tally_count, tally_capacity;
	bool traces;              /* the recording has release traces */
};

/* The bounds of a set's tasks, by index; DB_NULL: none. */
struct bound_list {
	int64_t *ns;
	size_t count;
};

static const struct argp_option options[] = {
	{ "analysis", 'a', "ANALYSIS", 0,
		"hold the responses against this analysis; may be given several times, options as for `cegsim analyze'. "
		"Default: the bounds that are stored, else all analyses for the run's policy", 0 },
	{ "policy", 'p', "PLUGIN", 0, "the plug-in (./mine.so) that runs were made under; may be given several times", 0 },
	OPTION_FORMAT,
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct command *c = state->input;
	switch (key) {
	case 'a':
		c->analysis_texts[c->analysis_count++] = arg;
		return 0;
	case 'p':
		c->plugins[c->plugin_count++] = arg;
		return 0;
	case OPTION_KEY_FORMAT:
		c->format = option_format(state, arg);
		return 0;
	case ARGP_KEY_ARG:
		if (c->file)
			argp_error(state, "one recording at a time; what is '%s'?", arg);
		c->file = arg;
		return 0;
	case ARGP_KEY_END:
		if (!c->file)
			argp_error(state, "which recording?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- tallies ---- */

static struct tightness *new_tally(struct command *c, struct error *err)
{
	if (c->tally_count == c->tally_capacity) {
		size_t capacity = c->tally_capacity ? 2 * c->tally_capacity : 16;
		struct tightness **grown = realloc(c->tallies, capacity * sizeof *grown);
		if (!grown) {
			error_memory(err, "the answers");
			return NULL;
		}
		c->tallies = grown;
		c->tally_capacity = capacity;
	}
	struct tightness *t = calloc(1, sizeof *t);
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
	char label[USE_LABEL_MAX], struct error *err)
{
	struct params params;
	struct error ignored;
	bool row, known = true;
	params_default(&params, table);
	struct db_cursor *each = cursor_open(c->reader, "SELECT key, CASE type WHEN 'true' THEN 'true' WHEN 'false' THEN "
		"'false' ELSE value END FROM json_each(?1)", err);
	bool ok = each && cursor_bind_text(each, 1, json, err);
	while (ok && (ok = cursor_next(each, &row, err)) && row)
		known = params_set(&params, cursor_text(each, 0), cursor_text(each, 1), &ignored) && known;
	cursor_close(each);
	if (known)
		use_label(name, &params, label);
	else
		snprintf(label, USE_LABEL_MAX, "%.60s %.180s", name, json);
	return ok;
}

static bool describe_policy(struct command *c, struct tightness *t, struct error *err)
{
	bool row = false;
	struct db_cursor *cursor = cursor_open(c->reader, "SELECT name, params FROM policy WHERE policy_id = ?1", err);
	bool ok = cursor && cursor_bind_integer(cursor, 1, t->policy_id, err) && cursor_next(cursor, &row, err);
	if (ok && row) {
		const struct policy *policy = policy_find(cursor_text(cursor, 0));
		snprintf(t->policy, sizeof t->policy, "%s", cursor_text(cursor, 0));
		t->policy_params = strdup(cursor_text(cursor, 1));
		ok = t->policy_params ? label_recorded(c, t->policy, t->policy_params, policy ? policy->options : NULL,
			t->policy_label, err) : error_memory(err, "the answers");
	}
	cursor_close(cursor);
	return ok;
}

static struct tightness *tally_of(struct command *c, int64_t policy_id, const struct asked *a, struct error *err)
{
	for (size_t i = 0; i < c->tally_count; i++) {
		struct tightness *t = c->tallies[i];
		if (t->policy_id == policy_id && strcmp(t->analysis, a->name) == 0 && strcmp(t->params, a->params) == 0)
			return t;
	}
	struct tightness *t = new_tally(c, err);
	if (!t)
		return NULL;
	t->policy_id = policy_id;
	t->unsafe = a->unsafe;
	t->analysis = strdup(a->name);
	t->params = strdup(a->params);
	snprintf(t->label, sizeof t->label, "%s", a->label);
	if (!t->analysis || !t->params) {
		error_memory(err, "the answers");
		return NULL;
	}
	return describe_policy(c, t, err) ? t : NULL;
}

/* ---- runs against bounds ---- */

/* Runs whose traces leave what the tasks declare: jobs nearer than the period, or times beyond best and worst. */
#define OUTSIDE \
	"EXISTS (SELECT 1 FROM task o JOIN trace_release a ON a.trace_id = coalesce(o.trace_id, " \
	"CASE WHEN o.release_kind IS NULL THEN r.trace_id END) JOIN trace_release b ON b.trace_id = a.trace_id " \
	"AND b.seq = a.seq + 1 WHERE o.taskset_id = r.taskset_id AND b.release_ns - a.release_ns < o.period_ns) OR " \
	"EXISTS (SELECT 1 FROM task o JOIN trace_duration d ON d.trace_id = coalesce(o.trace_id, " \
	"CASE WHEN o.release_kind IS NULL THEN r.trace_id END) JOIN segment g ON g.task_id = o.task_id " \
	"AND g.segment_idx = d.segment_idx WHERE o.taskset_id = r.taskset_id " \
	"AND (g.worst_ns IS NULL OR d.duration_ns < g.best_ns OR d.duration_ns > g.worst_ns))"

#define RUNS(outside) \
	"SELECT r.run_id, r.status = 'truncated', r.on_miss <> 'continue', " outside ", k.task_idx, k.task_id, k.name, " \
	"k.period_ns, max(coalesce(t.max_response_ns, -1), coalesce(t.worst_lower_bound_ns, -1)) " \
	"FROM run r JOIN run_task t ON t.run_id = r.run_id JOIN task k ON k.task_id = t.task_id " \
	"WHERE r.taskset_id = ?1 AND r.platform_id = ?2 AND r.policy_id = ?3 " \
	"AND (r.status = 'ok' OR r.status = 'truncated') ORDER BY r.run_id, k.task_idx"

enum { RUN, TRUNCATED, REMOVING, IS_OUTSIDE, TASK_IDX, TASK_ID, TASK, PERIOD, OBSERVED };

/* The job of the longest response, if jobs were recorded. */
static bool find_job(struct command *c, struct violation *v, struct error *err)
{
	bool row = false;
	struct db_cursor *cursor = cursor_open(c->reader, "SELECT j.seq FROM job j JOIN run r USING (run_id) WHERE "
		"j.run_id = ?1 AND j.task_id = ?2 ORDER BY coalesce(j.finish_ns, r.stop_ns) - j.release_ns DESC, j.seq LIMIT 1",
		err);
	bool ok = cursor && cursor_bind_integer(cursor, 1, v->run_id, err) &&
		cursor_bind_integer(cursor, 2, v->task_id, err) && cursor_next(cursor, &row, err);
	v->seq = ok && row ? cursor_integer(cursor, 0) : DB_NULL;
	cursor_close(cursor);
	return ok;
}

static bool note_violation(struct command *c, struct tightness *t, struct db_cursor *row, int64_t bound_ns,
	struct error *err)
{
	if (t->violations++ > 0)
		return true;
	t->first = (struct violation){ .run_id = cursor_integer(row, RUN), .task_idx = cursor_integer(row, TASK_IDX),
		.task_id = cursor_integer(row, TASK_ID), .observed_ns = cursor_integer(row, OBSERVED), .bound_ns = bound_ns };
	snprintf(t->first.task, sizeof t->first.task, "%s", cursor_text(row, TASK));
	return find_job(c, &t->first, err);
}

/* One task of one run. Analyses count on a job's having ended when the next one is released: a bound beyond the period
 * says that the set is not schedulable, and no more. Jobs that are removed at their deadline, and times beyond what was declared, are nothing that a
 * bound is about; a truncated run can still show that one is exceeded. */
static bool compare(struct command *c, struct tightness *t, struct db_cursor *row, const struct bound_list *bounds,
	struct error *err)
{
	int64_t task = cursor_integer(row, TASK_IDX), observed = cursor_integer(row, OBSERVED);
	bool known = observed >= 0 && (size_t)task < bounds->count && bounds->ns[task] != DB_NULL;
	if (!known || cursor_integer(row, REMOVING) || cursor_integer(row, IS_OUTSIDE))
		return true;
	int64_t bound_ns = bounds->ns[task];
	if (bound_ns > cursor_integer(row, PERIOD)) {
		t->beyond++;
		return true;
	}
	if (observed > bound_ns && !note_violation(c, t, row, bound_ns, err))
		return false;
	if (!cursor_integer(row, TRUNCATED))
		tightness_note(t, observed, bound_ns);
	return true;
}

static void count_run(struct tightness *t, const struct db_cursor *row)
{
	t->runs++;
	t->outside += cursor_integer(row, IS_OUTSIDE) != 0;
	t->removing += !cursor_integer(row, IS_OUTSIDE) && cursor_integer(row, REMOVING);
	t->truncated += !cursor_integer(row, IS_OUTSIDE) && !cursor_integer(row, REMOVING) &&
		cursor_integer(row, TRUNCATED);
}

static bool compare_runs(struct command *c, struct tightness *t, const struct subject *s,
	const struct bound_list *bounds, struct error *err)
{
	struct db_cursor *rows = cursor_open(c->reader, c->traces ? RUNS(OUTSIDE) : RUNS("0"), err);
	int64_t last = 0;
	bool row, ok = rows && cursor_bind_integer(rows, 1, s->taskset_id, err) &&
		cursor_bind_integer(rows, 2, s->platform_id, err) && cursor_bind_integer(rows, 3, s->policy_id, err);
	while (ok && (ok = cursor_next(rows, &row, err)) && row) {
		if (cursor_integer(rows, RUN) != last)
			count_run(t, rows);
		last = cursor_integer(rows, RUN);
		ok = compare(c, t, rows, bounds, err);
	}
	cursor_close(rows);
	return ok;
}

/* ---- where bounds come from ---- */

static bool ask(struct command *c, const struct subject *s, const struct asked *a, const struct bound_list *bounds,
	struct error *err)
{
	struct tightness *t = tally_of(c, s->policy_id, a, err);
	if (!t)
		return false;
	t->sets++;
	t->refused += !bounds->ns;
	return !bounds->ns || compare_runs(c, t, s, bounds, err);
}

static bool read_bounds(struct command *c, const struct subject *s, int64_t analysis_run_id,
	struct bound_list *bounds, struct error *err)
{
	/* A row for every task of the set, in order. */
	static const char sql[] = "SELECT b.bound_ns, (SELECT count(*) FROM task n WHERE n.taskset_id = k.taskset_id)"
		" FROM task k LEFT JOIN bound b ON b.task_id = k.task_id AND b.analysis_run_id = ?1"
		" WHERE k.taskset_id = ?2 ORDER BY k.task_idx";
	struct db_cursor *rows = cursor_open(c->reader, sql, err);
	bool row, ok = rows && cursor_bind_integer(rows, 1, analysis_run_id, err) &&
		cursor_bind_integer(rows, 2, s->taskset_id, err);
	while (ok && (ok = cursor_next(rows, &row, err)) && row) {
		if (!bounds->ns)
			bounds->ns = calloc((size_t)cursor_integer(rows, 1), sizeof *bounds->ns);
		if (bounds->ns)
			bounds->ns[bounds->count++] = cursor_kind(rows, 0) == VALUE_NULL ? DB_NULL : cursor_integer(rows, 0);
		else
			ok = error_memory(err, "the bounds");
	}
	cursor_close(rows);
	return ok;
}

/* Analyses of the set under the policy of which bounds are stored; `use` NULL: any, else this one as the program has
 * it. *found: there was one. */
static bool ask_stored(struct command *c, const struct subject *s, const struct analysis_use *use, bool *found,
	struct error *err)
{
	static const char sql[] =
		"SELECT a.analysis_run_id, a.analysis, a.params, a.safety = 'unsafe' FROM analysis_run a"
		" WHERE a.taskset_id = ?1 AND a.platform_id = ?2 AND a.policy_id = ?3"
		" AND (?4 IS NULL OR (a.analysis = ?4 AND a.params = ?5 AND a.version = ?6))"
		" AND EXISTS (SELECT 1 FROM bound b WHERE b.analysis_run_id = a.analysis_run_id) ORDER BY 1";
	char json[USE_JSON_MAX], label[USE_LABEL_MAX];
	struct db_cursor *rows = cursor_open(c->reader, sql, err);
	bool row, ok = rows && cursor_bind_integer(rows, 1, s->taskset_id, err) &&
		cursor_bind_integer(rows, 2, s->platform_id, err) && cursor_bind_integer(rows, 3, s->policy_id, err) &&
		(!use || (cursor_bind_text(rows, 4, use->analysis->name, err) &&
			cursor_bind_text(rows, 5, use_json(&use->params, json), err) &&
			cursor_bind_integer(rows, 6, use->analysis->version, err)));
	*found = false;
	while (ok && (ok = cursor_next(rows, &row, err)) && row) {
		struct bound_list bounds = {0};
		struct asked a = { cursor_text(rows, 1), cursor_text(rows, 2), label, cursor_integer(rows, 3) != 0 };
		const struct analysis *analysis = analysis_find(a.name);
		*found = true;
		ok = label_recorded(c, a.name, a.params, analysis ? analysis->options : NULL, label, err);
		if (a.unsafe)
			strncat(label, " (unsafe)", sizeof label - strlen(label) - 1);
		ok = ok && read_bounds(c, s, cursor_integer(rows, 0), &bounds, err) && ask(c, s, &a, &bounds, err);
		free(bounds.ns);
	}
	cursor_close(rows);
	return ok;
}

static bool ask_computed(struct command *c, const struct subject *s, struct bounding *b,
	const struct analysis_use *use, struct error *err)
{
	char json[USE_JSON_MAX], label[USE_LABEL_MAX];
	struct bounds computed;
	struct bound_list bounds = {0};
	uint32_t tasks = b->spec.set->task_count;
	if (!bounding_compute(b, use, &computed, err))
		return false;
	if (!computed.task && !c->chosen)
		return true;              /* nobody asked for it */
	if (computed.task) {
		bounds.count = tasks;
		bounds.ns = malloc(((size_t)tasks + 1) * sizeof *bounds.ns);
		if (!bounds.ns)
			return error_memory(err, "the bounds");
	}
	for (uint32_t i = 0; computed.task && i < tasks; i++)
		bounds.ns[i] = computed.task[i].analysed && computed.task[i].response_ns != NO_BOUND
			? computed.task[i].response_ns : DB_NULL;
	const struct asked a = { use->analysis->name, use_json(&use->params, json),
		use_analysis_label(use, label), bounding_unsafe(use) };
	bool ok = ask(c, s, &a, &bounds, err);
	free(bounds.ns);
	return ok;
}

/* Those of -a, stored or computed now; else the default ones, computed. */
static bool ask_now(struct command *c, const struct subject *s, struct error *err)
{
	struct loaded_run run;
	struct bounding b;
	if (!load_subject(c->reader, s->taskset_id, s->platform_id, s->policy_id, &run, err))
		return false;
	const struct bounding_spec spec = { .platform = &run.platform, .set = &run.set, .setup = &run.setup,
		.policy = run.policy, .params = &run.params };
	bool ok = bounding_begin(&b, &spec, err);
	for (uint32_t i = 0; ok && i < c->analysis_count; i++) {
		const struct analysis_use *use = &c->analyses[i];
		bool found = false;
		if (!bounding_fits(&b, use->analysis))
			continue;
		ok = (!c->chosen || ask_stored(c, s, use, &found, err)) && (found || ask_computed(c, s, &b, use, err));
	}
	bounding_finish(&b);
	loaded_run_finish(&run);
	return ok;
}

static bool validate_subject(struct command *c, const struct subject *s, struct error *err)
{
	bool found = false;
	if (!c->chosen && !ask_stored(c, s, NULL, &found, err))
		return false;
	return found || ask_now(c, s, err);
}

static bool find_traces(struct command *c, struct error *err)
{
	bool row = false;
	struct db_cursor *cursor = cursor_open(c->reader, "SELECT 1 FROM release_trace LIMIT 1", err);
	bool ok = cursor && cursor_next(cursor, &row, err);
	c->traces = row;
	cursor_close(cursor);
	return ok;
}

static bool load_plugins(struct command *c, struct error *err)
{
	for (uint32_t i = 0; i < c->plugin_count; i++) {
		if (!plugin_is_file(c->plugins[i]))
			return error_set(err, STATUS_INPUT, "runs are held against bounds under their own policies; -p can only bring "
				"the plug-in (./mine.so) of one, not '%s'", c->plugins[i]);
		if (!plugin_load(c->plugins[i], err))
			return false;
	}
	return true;
}

static bool validate(struct command *c, struct error *err)
{
	struct subjects all = {0};
	c->chosen = c->analysis_count > 0;
	bool ok = load_plugins(c, err) && analyses_read(c->analysis_texts, c->analysis_count, &c->analyses, &c->analysis_count, err);
	c->reader = ok ? reader_open(c->file, err) : NULL;
	ok = c->reader && find_traces(c, err) && subjects_of_runs(c->reader, &all, err);
	if (ok && all.count == 0)
		ok = error_set(err, STATUS_INPUT, "%s has no runs that came to an end: there is nothing to hold against bounds",
			c->file);
	for (size_t i = 0; ok && i < all.count; i++)
		ok = validate_subject(c, &all.items[i], err);
	if (ok && c->tally_count == 0)
		ok = error_set(err, STATUS_INPUT, "no analysis%s bounds the plans of the policies in %s; `cegsim analyze' says why",
			c->chosen ? " that was named" : "", c->file);
	subjects_finish(&all);
	reader_close(c->reader);
	return ok;
}

/* ---- the command ---- */

static enum status answer(struct command *c)
{
	struct error err;
	if (!validate(c, &err) || !tightness_print(c->tallies, c->tally_count, c->file, c->format, &err))
		return (enum status)error_report(&err);
	for (size_t i = 0; i < c->tally_count; i++)
		if (c->tallies[i]->violations > 0 && !c->tallies[i]->unsafe)
			return STATUS_NO;
	return STATUS_OK;
}

int verb_validate(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options, .parser = parse, .args_doc = "FILE.db",
		.doc = "Hold the largest response of every task in every run of a recording against bounds, and show how near it "
		       "comes.\vRuns that were truncated, in which jobs are removed at their deadline, or whose traces leave what "
		       "the tasks declare (jobs nearer than the period, times beyond best and worst) are counted apart, and so are "
		       "tasks whose bound is beyond their period, which promises nothing: they "
		       "never make a bound look safe. Of them, only truncated runs can show that a bound is exceeded. Exit status: "
		       "0 no bound of a sound analysis is exceeded; 1 one is; 2 usage or input error; 3 a file, the disk or the "
		       "memory failed.",
	};
	struct command c = {0};
	struct error err;
	c.analysis_texts = calloc((size_t)argc + 1, sizeof *c.analysis_texts);
	c.plugins = calloc((size_t)argc + 1, sizeof *c.plugins);
	if (!c.analysis_texts || !c.plugins) {
		error_memory(&err, "the arguments");
		return error_report(&err);
	}
	argp_parse(&argp, argc, argv, 0, NULL, &c);
	enum status status = answer(&c);
	for (size_t i = 0; i < c.tally_count; i++) {
		free(c.tallies[i]->policy_params);
		free(c.tallies[i]->analysis);
		free(c.tallies[i]->params);
		free(c.tallies[i]);
	}
	free(c.tallies);
	free(c.analysis_texts);
	free(c.plugins);
	free(c.analyses);
	return (int)status;
}
