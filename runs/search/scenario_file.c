/* runs/search/scenario_file.c - see runs/search/scenario_file.h. */
#include "runs/search/scenario_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "policies/registry.h"
#include "scenarios/yaml_writer.h"

/* ---- tasks ---- */

static bool add_task(
	struct text *out, const struct taskset *set, const struct task *t, const struct yaml_unit *unit)
{
	bool exact = true;
	yaml_task(out, t->name, t->period_ns, unit);
	text_add(out, "\n    deadline: ");
	yaml_time(out, t->deadline_ns, unit);
	text_add(out, "\n");
	if (set->priorities)
		text_printf(out, "    priority: %" PRId64 "\n", t->priority);
	if (set->cores && t->core != CORE_NOT_SAID)
		text_printf(out, "    core: %" PRId32 "\n", t->core);
	yaml_contexts(out, set, t);
	text_add(out, "    segments:\n");
	for (uint32_t k = 0; k < t->segment_count; k++) {
		const struct segment *s = &t->segments[k];
		text_add(out, "      - ");
		exact &= yaml_segment(out, s, set->profiles, 0, unit);
		text_add(out, "\n");
	}
	return exact;
}

static void add_times(
	struct text *out, const char *key, const int64_t *ns, uint32_t count, const struct yaml_unit *unit)
{
	text_printf(out, "%s: [", key);
	for (uint32_t i = 0; i < count; i++) {
		text_add(out, i ? ", " : "");
		yaml_time(out, ns[i], unit);
	}
	text_add(out, "]");
}

static void add_powers(struct text *out, const int64_t *uw, uint32_t count)
{
	text_add(out, ", total_power: [");
	for (uint32_t i = 0; i < count; i++)
		text_printf(out, "%s%" PRId64 "uW", i ? ", " : "", uw[i]);
	text_add(out, "]");
}

static void add_profiles(struct text *out, const struct taskset *set, const struct yaml_unit *unit)
{
	text_add(out, set->profile_count ? "profiles:\n" : "");
	for (uint32_t i = 0; i < set->profile_count; i++) {
		const struct profile *p = &set->profiles[i];
		text_add(out, "  ");
		text_add_json(out, p->name);
		text_add(out, ": {");
		add_times(out, "time", p->worst_ns, p->count, unit);
		add_times(out, ", best_time", p->best_ns, p->count, unit);
		if (p->total_power_uw)
			add_powers(out, p->total_power_uw, p->count);
		text_add(out, "}\n");
	}
}

/* ---- the rest ---- */

/* A plug-in is not named in the file: the user must give it with -p. */
static void add_policy(struct text *out, const struct search_case *c)
{
	static const struct params_style style = {", ", ": ", ", "};
	char use[PARAMS_JSON_MAX];
	if (policy_find(c->policy->name) == c->policy)
		text_printf(out, "policies: [{name: %s}]\n",
			c->params ? params_changed(c->policy->name, c->params, &style, use, sizeof(use))
				  : c->policy->name);
}

static void add_remark(struct text *out, const char *remark)
{
	for (const char *line = remark; *line;) {
		size_t length = strcspn(line, "\n");
		text_add(out, "# ");
		text_add_bytes(out, line, length);
		text_add(out, "\n");
		line += length + (line[length] == '\n');
	}
}

/* With two significant digits, and at least the value. */
static int64_t rounded_up(int64_t value)
{
	int64_t step = 1;
	while (value / step >= 100)
		step *= 10;
	return (value + step - 1) / step * step;
}

/* Jobs are released by the trace and run to their ends, so the horizon and the limit need only be late
 * enough; round numbers are easier to read. */
static void add_ends(const struct evaluator *e, const struct yaml_unit *unit, struct text *out)
{
	int64_t horizon = e->setup.horizon_ns, rest = e->setup.limit_ns - e->setup.horizon_ns;
	for (uint32_t i = 0; i < e->what.set->task_count; i++)
		if (e->what.set->tasks[i].period_ns > horizon)
			horizon = e->what.set->tasks[i].period_ns;
	horizon = rounded_up(horizon);
	yaml_head(out, e->what.set->name ? e->what.set->name : "worst", horizon, unit);
	text_add(out, "\nlimit: ");
	yaml_time(out, rounded_up(horizon + rest), unit);
}

/* False: an interleave ratio is not exact. */
static bool add_scenario(struct evaluator *e, const struct genome *g, const char *remark, const char *trace,
	const struct yaml_unit *unit, struct text *out)
{
	const struct taskset *set = e->what.set;
	bool exact = true;
	evaluator_load(e, g);
	add_remark(out, remark);
	add_ends(e, unit, out);
	text_add(out, "\nrelease: {trace: ");
	text_add_json(out, trace);
	text_printf(out, "}\nexecution: worst\nties: %s\n", ties_name((enum ties)g->ties[0]));
	yaml_platform(out, e->what.platform, unit);
	add_profiles(out, set, unit);
	text_add(out, "tasks:\n");
	for (uint32_t i = 0; i < set->task_count; i++)
		exact &= add_task(out, set, &set->tasks[i], unit);
	yaml_chains(out, set, unit);
	add_policy(out, &e->what);
	text_add(out, "record: blocks\n");
	return exact;
}

bool scenario_file_text(struct evaluator *e, const struct genome *g, const char *remark, const char *trace,
	struct text *out, const struct yaml_unit **unit, struct error *err)
{
	bool exact = true;
	size_t shortest = SIZE_MAX;
	for (const struct yaml_unit *u = yaml_units; u < yaml_units + YAML_UNITS && !out->failed; u++) {
		struct text trial = {0};
		exact &= add_scenario(e, g, remark, trace, u, &trial);
		if (trial.failed || trial.length < shortest) {
			shortest = trial.length;
			text_finish(out);
			*out = trial;
			*unit = u;
		} else {
			text_finish(&trial);
		}
	}
	return exact ||
	       error_set(err, STATUS_INPUT,
		       "an interleave ratio has more than %d digits: no scenario can say it", YAML_DIGITS);
}

static void add_name(struct text *out, const char *name)
{
	text_add(out, "\"");
	for (; *name; name++) {
		if (*name == '"')
			text_add_char(out, '"');
		text_add_char(out, *name);
	}
	text_add(out, "\"");
}

/* The rows of a job: one for each length that is given, or one without a length. */
static void add_job(struct text *out, const char *task, uint32_t job, int64_t release,
	const struct trace_duration *durations, uint32_t count, const struct yaml_unit *unit)
{
	for (uint32_t k = 0; k < count || k == 0; k++) {
		add_name(out, task);
		text_printf(out, ",%" PRIu32 ",", job);
		yaml_time(out, release, unit);
		if (count > 0) {
			text_printf(out, ",%" PRIu32 ",", durations[k].segment);
			yaml_time(out, durations[k].duration_ns, unit);
		}
		text_add(out, count > 0 ? "\n" : ",,\n");
	}
}

/* The trace: releases, and lengths that are not the worst case. */
static void trace_text(
	struct evaluator *e, const struct genome *g, const struct yaml_unit *unit, struct text *out)
{
	evaluator_load(e, g);
	text_add(out, "task,seq,release,segment,duration\n");
	for (uint32_t i = 0; i < e->space->tasks; i++) {
		const struct release_rule *rule = &e->rules[i];
		uint32_t from = 0, to = 0;
		for (uint32_t j = 0; j < rule->trace_count; j++, from = to) {
			while (to < rule->duration_count && rule->durations[to].job == j)
				to++;
			add_job(out, e->what.set->tasks[i].name, j, rule->trace_ns[j], &rule->durations[from],
				to - from, unit);
		}
	}
}

/* Both get their names when both are complete: the trace first, which the scenario names. */
static bool write_files(const char *trace, const struct text *csv, const char *path, const struct text *yaml,
	struct error *err)
{
	struct output files[2];
	if (!output_begin(&files[0], trace, true, err))
		return false;
	if (!output_begin(&files[1], path, true, err)) {
		output_abandon(&files[0]);
		return false;
	}
	fwrite(text_data(csv), 1, csv->length, files[0].file);
	fwrite(text_data(yaml), 1, yaml->length, files[1].file);
	return output_commit_all(files, 2, err);
}

/* "a/b.yaml" -> "a/b.csv"; *name is what follows the last slash. */
static char *trace_path(const char *path, const char **name)
{
	size_t length = strlen(path);
	char *trace;
	if (length > 5 && strcmp(path + length - 5, ".yaml") == 0)
		length -= 5;
	if (asprintf(&trace, "%.*s.csv", (int)length, path) < 0)
		return NULL;
	const char *slash = strrchr(trace, '/');
	*name = slash ? slash + 1 : trace;
	return trace;
}

bool scenario_file_write(
	struct evaluator *e, const struct genome *g, const char *remark, const char *path, struct error *err)
{
	struct text yaml = {0}, csv = {0};
	const char *name = NULL;
	const struct yaml_unit *unit;
	char *trace = trace_path(path, &name);
	bool ok = trace || error_memory(err, "the name of a file");
	if (ok) {
		ok = scenario_file_text(e, g, remark, name, &yaml, &unit, err);
		trace_text(e, g, unit, &csv);
	}
	ok = ok && text_ok(&yaml, "a scenario", err) && text_ok(&csv, "a release trace", err) &&
	     write_files(trace, &csv, path, &yaml, err);
	text_finish(&yaml);
	text_finish(&csv);
	free(trace);
	return ok;
}
