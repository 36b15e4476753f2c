/* runs/search/scenario_file.c - see runs/search/scenario_file.h. Text is quoted as JSON, which YAML reads. */
#include "runs/search/scenario_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/blocks.h"
#include "policies/registry.h"
#include "scenarios/platform_text.h"

/* ---- tasks ---- */

static void add_interval(struct text *out, const char *key, const struct segment *s)
{
	if (s->best_ns == s->worst_ns)
		text_printf(out, "%s: %" PRId64, key, s->worst_ns);
	else
		text_printf(out, "%s: [%" PRId64 ", %" PRId64 "]", key, s->best_ns, s->worst_ns);
}

static void add_stream(struct text *out, const struct segment *s)
{
	if (s->stream == STREAM_NULL)
		text_add(out, ", stream: null");
	else if (s->stream != STREAM_OWN)
		text_printf(out, ", stream: %" PRId32, s->stream);
	if (s->stream_high)
		text_add(out, ", stream_priority: high");
}

#define DIGITS 9

/* An exact decimal, as the reader of scenarios takes them. */
static bool add_ratio(struct text *out, int64_t numerator, int64_t denominator)
{
	char digits[DIGITS + 1];
	int64_t rest = numerator % denominator;
	uint32_t count = 0;
	for (; rest != 0 && count < DIGITS; rest %= denominator) {
		rest *= 10;
		digits[count++] = (char)('0' + rest / denominator);
	}
	digits[count] = '\0';
	text_printf(out, "%" PRId64 "%s%s", numerator / denominator, count ? "." : "", digits);
	return rest == 0;
}

/* Blocks one by one, and those that are alike as one entry. */
static void add_block_times(struct text *out, const struct block_times *times)
{
	const struct block_time *block = times->block;
	text_add(out, times->own_draws ? "block_times: [" : ", block_shares: [");
	for (uint32_t from = 0, to; from < times->count; from = to) {
		const struct block_time *t = &block[from];
		for (to = from + 1; to < times->count && memcmp(t, &block[to], sizeof(*t)) == 0; to++)
			;
		text_printf(out, "%s%s", from ? ", " : "",
			to - from > 1 ? times->own_draws ? "{time: " : "{share: " : "");
		if (!times->own_draws)
			add_ratio(out, t->share_ppm, SHARE_ONE);
		else if (t->best_ns == t->worst_ns)
			text_printf(out, "%" PRId64, t->worst_ns);
		else
			text_printf(out, "[%" PRId64 ", %" PRId64 "]", t->best_ns, t->worst_ns);
		if (to - from > 1)
			text_printf(out, ", blocks: %" PRIu32 "}", to - from);
	}
	text_add(out, "]");
}

static bool add_kernel(struct text *out, const struct taskset *set, const struct segment *s)
{
	bool exact = true;
	text_add(out, "kernel: {");
	if (s->form == KERNEL_GRID) {
		text_printf(out, "grid: %" PRIu32 ", block: %" PRIu32 ", ", s->grid, s->block);
		if (!s->times || !s->times->own_draws)
			add_interval(out, "block_time", s);
		if (s->times)
			add_block_times(out, s->times);
		text_yaml_number(out, "registers", s->registers, 0);
		text_yaml_number(out, "shared_memory", s->shared_memory, 0);
	} else if (s->form == KERNEL_WORK) {
		add_interval(out, "work", s);
		text_yaml_number(out, "overhead", s->overhead_ns, 0);
		text_add(out, s->interleaves ? ", interleave: {" : "");
		for (uint32_t i = 0; i < s->interleaves; i++) {
			text_printf(out, "%s%" PRIu32 ": ", i ? ", " : "", s->interleave[i].virtual_sms);
			exact &= add_ratio(out, s->interleave[i].numerator, s->interleave[i].denominator);
		}
		text_add(out, s->interleaves ? "}" : "");
	} else {
		text_add(out, "profile: ");
		text_add_json(out, set->profiles[s->profile].name);
	}
	if (s->power_uw)
		text_printf(out, ", power: %" PRId64 "uW", s->power_uw);
	add_stream(out, s);
	text_add(out, "}");
	return exact;
}

static bool add_segment(struct text *out, const struct taskset *set, const struct segment *s)
{
	static const char *const directions[] = {"to_gpu", "to_cpu", "both"};
	bool exact = true;
	text_add(out, "      - {");
	if (s->kind == SEGMENT_CPU) {
		add_interval(out, "cpu", s);
	} else if (s->kind == SEGMENT_COPY) {
		text_printf(out, "copy: %s, ", directions[s->direction]);
		if (s->bytes >= 0)
			text_printf(out, "bytes: %" PRId64, s->bytes);
		else
			add_interval(out, "time", s);
		add_stream(out, s);
	} else {
		exact = add_kernel(out, set, s);
	}
	text_add(out, "}\n");
	return exact;
}

static bool add_task(struct text *out, const struct taskset *set, const struct task *t)
{
	bool exact = true;
	text_add(out, "  - name: ");
	text_add_json(out, t->name);
	text_printf(
		out, "\n    period: %" PRId64 "\n    deadline: %" PRId64 "\n", t->period_ns, t->deadline_ns);
	if (set->priorities)
		text_printf(out, "    priority: %" PRId64 "\n", t->priority);
	text_add(out, "    segments:\n");
	for (uint32_t k = 0; k < t->segment_count; k++)
		exact &= add_segment(out, set, &t->segments[k]);
	return exact;
}

static void add_list(
	struct text *out, const char *key, const int64_t *values, uint32_t count, const char *unit)
{
	text_printf(out, "%s: [", key);
	for (uint32_t i = 0; i < count; i++)
		text_printf(out, "%s%" PRId64 "%s", i ? ", " : "", values[i], unit);
	text_add(out, "]");
}

static void add_profiles(struct text *out, const struct taskset *set)
{
	text_add(out, set->profile_count ? "profiles:\n" : "");
	for (uint32_t i = 0; i < set->profile_count; i++) {
		const struct profile *p = &set->profiles[i];
		text_add(out, "  ");
		text_add_json(out, p->name);
		text_add(out, ": {");
		add_list(out, "time", p->worst_ns, p->count, "");
		add_list(out, ", best_time", p->best_ns, p->count, "");
		if (p->total_power_uw)
			add_list(out, ", total_power", p->total_power_uw, p->count, "uW");
		text_add(out, "}\n");
	}
}

/* ---- the rest ---- */

/* A plug-in is to be given with -p. */
static void add_policy(struct text *out, const struct search_case *c)
{
	struct params fallback;
	if (policy_find(c->policy->name) != c->policy)
		return;
	params_default(&fallback, c->policy->options);
	text_printf(out, "policies: [{name: %s", c->policy->name);
	for (uint32_t i = 0; c->params && i < c->params->count; i++) {
		bool list = c->params->options[i].kind == OPTION_LIST;
		if (strcmp(c->params->text[i], fallback.text[i]) != 0)
			text_printf(out, ", %s: %s%s%s", c->params->options[i].name, list ? "[" : "",
				c->params->text[i], list ? "]" : "");
	}
	text_add(out, "}]\n");
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

bool scenario_file_text(struct evaluator *e, const struct genome *g, const char *remark, const char *trace,
	struct text *out, struct error *err)
{
	const struct taskset *set = e->what.set;
	bool exact = true;
	evaluator_load(e, g);
	add_remark(out, remark);
	text_add(out, "cegsim: 1\nname: ");
	text_add_json(out, set->name ? set->name : "worst");
	text_printf(out, "\ntime_unit: ns\nhorizon: %" PRId64 "\nlimit: %" PRId64 "\n", e->setup.horizon_ns,
		e->setup.limit_ns);
	text_add(out, "release: {trace: ");
	text_add_json(out, trace);
	text_printf(out, "}\nexecution: worst\nties: %s\n",
		*g->ties == TIES_LOWER_FIRST ? "lower-first" : "task-order");
	platform_text(e->what.platform, out);
	add_profiles(out, set);
	text_add(out, "tasks:\n");
	for (uint32_t i = 0; i < set->task_count; i++)
		exact &= add_task(out, set, &set->tasks[i]);
	add_policy(out, &e->what);
	text_add(out, "record: blocks\n");
	return exact ||
	       error_set(err, STATUS_INPUT,
		       "an interleave ratio has more than %d digits: no scenario can say it", DIGITS);
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

/* A job's rows: one for each length that is given, or one without. */
static void add_job(struct text *out, const char *task, uint32_t job, int64_t release,
	const struct trace_duration *durations, uint32_t count)
{
	for (uint32_t k = 0; k < count || k == 0; k++) {
		add_name(out, task);
		text_printf(out, ",%" PRIu32 ",%" PRId64, job, release);
		if (count > 0)
			text_printf(
				out, ",%" PRIu32 ",%" PRId64, durations[k].segment, durations[k].duration_ns);
		text_add(out, count > 0 ? "\n" : ",,\n");
	}
}

/* The trace: releases, and those lengths that are not the worst case. */
static void trace_text(struct evaluator *e, const struct genome *g, struct text *out)
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
				to - from);
		}
	}
}

static bool write_file(const char *path, const struct text *text, struct error *err)
{
	FILE *f = fopen(path, "w");
	bool ok = f && fwrite(text_data(text), 1, text->length, f) == text->length;
	if (f && fclose(f) != 0)
		ok = false;
	return ok || error_set(err, STATUS_IO, "cannot write %s: %s", path, strerror(errno));
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
	char *trace = trace_path(path, &name);
	bool ok = trace || error_memory(err, "the name of a file");
	if (ok) {
		ok = scenario_file_text(e, g, remark, name, &yaml, err);
		trace_text(e, g, &csv);
	}
	ok = ok && text_ok(&yaml, "a scenario", err) && text_ok(&csv, "a release trace", err) &&
	     write_file(path, &yaml, err) && write_file(trace, &csv, err);
	text_finish(&yaml);
	text_finish(&csv);
	free(trace);
	return ok;
}
