/* report/gantt/window.c - reads what must be known about a run before its intervals, and chooses the part of
 * it that is shown. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "report/gantt/private.h"

struct db_cursor *gantt_query(
	struct db_reader *r, const char *sql, const int64_t *values, int count, struct error *err)
{
	struct db_cursor *c = cursor_open(r, sql, err);
	for (int i = 0; c && i < count; i++)
		if (!cursor_bind_integer(c, i + 1, values[i], err)) {
			cursor_close(c);
			return NULL;
		}
	return c;
}

/* The columns of the first row; *found is false if there is none. */
static bool ask_row(struct db_reader *r, const char *sql, const int64_t *values, int count, int64_t *answers,
	int columns, bool *found, struct error *err)
{
	struct db_cursor *c = gantt_query(r, sql, values, count, err);
	bool ok = c && cursor_next(c, found, err);
	for (int i = 0; ok && *found && i < columns; i++)
		answers[i] = cursor_integer(c, i);
	cursor_close(c);
	return ok;
}

/* ---- runs ---- */

/* "1 fifo-cke, 2 fcfs, 3 rm"; if there are many: "1 to 5000". */
static void list_runs(struct db_reader *r, struct text *names)
{
	struct error ignored;
	struct db_cursor *c = gantt_query(r,
		"SELECT run_id, name, count(*) OVER (), max(run_id) OVER () FROM run JOIN policy USING "
		"(policy_id)"
		" ORDER BY run_id LIMIT 12",
		NULL, 0, &ignored);
	bool row = c != NULL;
	while (row && cursor_next(c, &row, &ignored) && row) {
		if (cursor_integer(c, 2) > 12) {
			text_printf(
				names, "%" PRId64 " to %" PRId64, cursor_integer(c, 0), cursor_integer(c, 3));
			break;
		}
		text_printf(names, "%s%" PRId64 " %s", names->length ? ", " : "", cursor_integer(c, 0),
			cursor_text(c, 1));
	}
	cursor_close(c);
}

static bool check_run(struct db_reader *r, int64_t run_id, struct error *err)
{
	bool found;
	int64_t id;
	if (!ask_row(r, "SELECT run_id FROM run WHERE run_id = ?1", &run_id, 1, &id, 1, &found, err))
		return false;
	if (found)
		return true;
	struct text names = {0};
	list_runs(r, &names);
	error_set(err, STATUS_INPUT, "there is no run %" PRId64 "; the recording has: %s", run_id,
		text_data(&names));
	text_finish(&names);
	return false;
}

static bool check_scenario(struct db_reader *r, const struct gantt_ask *ask, struct error *err)
{
	bool found, ok = true;
	struct db_cursor *c =
		cursor_open(r, "SELECT name FROM taskset ORDER BY name = ?1 DESC, taskset_id", err);
	if (!c || !cursor_bind_text(c, 1, ask->scenario, err) || !cursor_next(c, &found, err))
		ok = false;
	else if (!found || strcmp(cursor_text(c, 0), ask->scenario) != 0)
		ok = error_set(err, STATUS_NO,
			"figure %s shows the scenario %s (scenarios/papers/%s.yaml); this is a recording "
			"of %s, which `gantt' shows",
			ask->figure, ask->scenario, ask->scenario, found ? cursor_text(c, 0) : "nothing");
	cursor_close(c);
	return ok;
}

bool gantt_find_runs(struct db_reader *r, struct gantt_ask *ask, struct error *err)
{
	bool found;
	if (*ask->scenario && !check_scenario(r, ask, err))
		return false;
	for (size_t i = 0; i < ask->runs; i++)
		if (!check_run(r, ask->run[i], err))
			return false;
	if (ask->runs > 0)
		return true;
	if (!ask_row(r,
		    "SELECT run_id FROM run ORDER BY record = 'summary' OR record = 'jobs' OR stop_ns IS "
		    "NULL, run_id",
		    NULL, 0, &ask->run[0], 1, &found, err))
		return false;
	ask->runs = found;
	return found || error_set(err, STATUS_NO, "the recording has no runs");
}

/* An option of the policy is named if the recording contains the policy with another value of it. */
static const char run_sql[] =
	"SELECT p.name, (SELECT group_concat(e.key || '=' || e.value, ' ') FROM json_each(p.params) e WHERE "
	"EXISTS (SELECT 1"
	" FROM policy q JOIN json_each(q.params) f ON f.key = e.key WHERE q.name = p.name AND q.policy_id <> "
	"p.policy_id"
	" AND f.value IS NOT e.value)), l.name, r.taskset_id, coalesce(r.stop_ns, -1),"
	" max(coalesce(r.stop_ns, 0), coalesce(r.window_ns, 0)),"
	" coalesce(r.virtual_sms_per_sm, l.virtual_sms_per_sm, 1), coalesce(l.threads_per_sm, 0)"
	" FROM run r JOIN policy p USING (policy_id) JOIN platform l USING (platform_id) WHERE r.run_id = ?1";

static bool take_run(const struct db_cursor *c, struct gantt_chart *chart, struct error *err)
{
	struct text title = {0};
	const char *options = cursor_text(c, 1);
	text_printf(&title, "%s%s%s", cursor_text(c, 0), options ? " " : "", options ? options : "");
	chart->title = text_take(&title);
	chart->platform = strdup(cursor_text(c, 2));
	chart->taskset_id = cursor_integer(c, 3);
	chart->stop = cursor_integer(c, 4);
	chart->end = cursor_integer(c, 5);
	chart->virtual_sms = cursor_integer(c, 6) > 0 ? cursor_integer(c, 6) : 1;
	chart->threads_per_sm = cursor_integer(c, 7);
	if (!chart->title || !chart->platform)
		return error_memory(err, "drawing a schedule");
	return true;
}

/* The rows of a run follow each other. */
static bool find_span(struct db_reader *r, const char *sql, int64_t run_id, int64_t *first, int64_t *last,
	struct error *err)
{
	bool found;
	int64_t ends[3];
	if (!ask_row(r, sql, &run_id, 1, ends, 3, &found, err))
		return false;
	*first = ends[0];
	*last = found && ends[2] ? ends[1] : ends[0] - 1;
	return true;
}

#define SPAN(table)                                                                                          \
	"SELECT (SELECT min(rowid) FROM " table " WHERE run_id = ?1), (SELECT max(rowid) FROM " table        \
	" WHERE run_id = ?1), EXISTS (SELECT 1 FROM " table " WHERE run_id = ?1)"

bool gantt_read_run(struct db_reader *r, int64_t run_id, struct gantt_chart *chart, struct error *err)
{
	bool row;
	chart->run_id = run_id;
	struct db_cursor *c = gantt_query(r, run_sql, &run_id, 1, err);
	bool ok = c && cursor_next(c, &row, err) &&
		  (row || error_set(err, STATUS_INPUT,
				  "run %lld is of a policy or platform that is not in the recording",
				  (long long)run_id)) &&
		  take_run(c, chart, err);
	cursor_close(c);
	return ok &&
	       find_span(r, SPAN("segment_interval"), run_id, &chart->first_segment, &chart->last_segment,
		       err) &&
	       find_span(r, SPAN("block_interval"), run_id, &chart->first_block, &chart->last_block, err);
}

/* ---- the window ---- */

static int64_t intervals_of(const struct gantt_chart *c)
{
	return c->last_segment - c->first_segment + 1 + c->last_block - c->first_block + 1;
}

/* Rounds the window to simple numbers, by about a hundredth of it. */
static void round_window(struct gantt_chart *c)
{
	int64_t step = 1;
	while ((c->to - c->from) / step >= 100)
		step *= 10;
	c->from -= c->from % step;
	c->to = c->to < c->end - step ? ceil_div(c->to, step) * step : c->end;
}

/* With some room, and simple numbers. */
static void around(struct gantt_chart *c, int64_t from, int64_t to)
{
	int64_t room = (to - from) / 4 + 1;
	c->from = from > room ? from - room : 0;
	c->to = to < c->end - room ? to + room : c->end;
	round_window(c);
}

/* A window around the ways of a chain; around the greatest age alone if the longest reaction is far from it.
 */
static bool around_ways(struct gantt_chart *c)
{
	const struct gantt_way *age = &c->way[GANTT_AGE], *reaction = &c->way[GANTT_REACTION];
	if (age->steps + reaction->steps == 0)
		return false;
	if (age->steps == 0)
		age = reaction;
	int64_t from = age->from, to = age->to;
	if (reaction->steps > 0) {
		int64_t first = from < reaction->from ? from : reaction->from;
		int64_t last = to > reaction->to ? to : reaction->to;
		if (last - first <= 2 * (to - from + reaction->to - reaction->from)) {
			from = first;
			to = last;
		}
	}
	around(c, from, to);
	return true;
}

/* A window around the first miss, from the job's release to its end. */
static bool around_miss(struct db_reader *r, struct gantt_chart *c, bool *found, struct error *err)
{
	int64_t job[2], values[] = {c->run_id, c->stop};
	if (!ask_row(r,
		    "SELECT release_ns, max(coalesce(finish_ns, ?2), abs_deadline_ns) FROM job WHERE run_id "
		    "= ?1 AND"
		    " outcome >= 4 ORDER BY abs_deadline_ns, task_id, seq",
		    values, 2, job, 2, found, err))
		return false;
	if (*found)
		around(c, job[0], job[1]);
	return true;
}

/* From 0 to the end of interval number GANTT_WHOLE, and at least to that of the first job. */
static bool from_the_start(struct db_reader *r, struct gantt_chart *c, struct error *err)
{
	bool found;
	int64_t end, values[] = {c->run_id, c->first_segment + GANTT_WHOLE, c->first_block + GANTT_WHOLE};
	if (!ask_row(r,
		    "SELECT max(coalesce((SELECT end_ns FROM block_interval WHERE rowid = ?3 AND run_id = "
		    "?1), (SELECT end_ns"
		    " FROM segment_interval WHERE rowid = ?2 AND run_id = ?1), 0), coalesce((SELECT "
		    "min(finish_ns) FROM"
		    " job WHERE run_id = ?1), 0))",
		    values, 3, &end, 1, &found, err))
		return false;
	c->from = 0;
	c->to = found && end > 0 && end < c->end ? end : c->end;
	round_window(c);
	return true;
}

static bool default_window(struct db_reader *r, struct gantt_chart *c, struct error *err)
{
	bool found = false;
	c->from = 0;
	c->to = c->end;
	if (intervals_of(c) <= GANTT_WHOLE)
		return true;
	if (!around_miss(r, c, &found, err))
		return false;
	return found || from_the_start(r, c, err);
}

bool gantt_find_window(struct db_reader *r, const struct gantt_ask *ask, struct gantt_chart *charts,
	size_t count, struct error *err)
{
	bool whole = true;
	struct gantt_chart *first = &charts[0];
	int64_t end = first->end;
	if (!default_window(r, first, err))
		return false;
	for (size_t i = 0; i < count; i++) {
		whole = whole && intervals_of(&charts[i]) <= GANTT_WHOLE;
		end = charts[i].end > end ? charts[i].end : end;
	}
	if (!ask->has_from && !ask->has_to && around_ways(first)) {
		/* that is what is to be seen */
	} else if (ask->has_from || ask->has_to || whole) {
		first->from = ask->has_from ? ask->from : 0;
		first->to = ask->has_to ? ask->to : end;
	}
	if (first->from >= first->to || first->from >= end)
		return error_set(err, STATUS_NO, "nothing happens behind %.6g ms: the run ends at %.6g ms",
			(double)first->from / 1e6, (double)end / 1e6);
	for (size_t i = 1; i < count; i++) {
		charts[i].from = first->from;
		charts[i].to = first->to;
	}
	return true;
}
