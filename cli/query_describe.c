/* cli/query_describe.c - `cegsim query --describe`: describes the content of a recording, table by table and
 * column by column, and named queries. What columns mean is in the recording (column_doc). What tables are
 * for is not, so that text is in this file, and is used for older recordings, too. */
#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "base/text.h"
#include "cli/query_parts.h"
#include "cli/table/parts.h"
#include "db/levels.h"

static const struct {
	const char *name, *what;
} purposes[] = {
	{"meta", "the recording: who wrote it, and whether it is complete"},
	{"column_doc", "what every column means"},
	{"scenario", "an input file: its text, and the version of the program that read it"},
	{"platform", "a platform: cores, copy engines, SMs and their limits, power"},
	{"taskset", "a task set; equal sets are one row"},
	{"release_trace", "a list of releases that was given"},
	{"trace_release", "a release in such a list"},
	{"trace_duration", "how long a segment of a job takes, where the list says so"},
	{"task", "a task of a set: period, deadline, priority"},
	{"segment", "a segment of a task: CPU, copy or kernel"},
	{"segment_sample", "a measured time of a segment"},
	{"segment_shape", "a sort of segments in a set of a campaign; segment is a view there"},
	{"task_segments", "the shapes and times of a task's segments in a campaign"},
	{"segment_block", "a block of a kernel whose blocks are not all alike: its share, or its own time"},
	{"task_after", "a task whose finished jobs release those of another one"},
	{"chain", "a chain of tasks of a set: how they communicate, and its limits"},
	{"chain_task", "a task in a chain"},
	{"profile", "a kernel on a number of SMs: its time and its power"},
	{"warp_machine", "the SMs that kernels of warps run on"},
	{"warp_unit", "an execution unit of their sub-cores"},
	{"warp_kernel", "a kernel that is a program of warps"},
	{"warp_step", "a step of such a program"},
	{"policy", "a policy with its options"},
	{"run", "a simulation: setup, status, energy, digest of the schedule"},
	{"run_task", "a task in a run: rank, SMs of its own, jobs, misses, responses"},
	{"run_gpu", "a GPU of several in a run: its energy, and its active time"},
	{"chain_run", "a chain in a run: ages and reactions, and the worst jobs"},
	{"run_warp_kernel", "a kernel of warps in a run: instructions, IPC, goal, hits, energy"},
	{"run_task_hist", "a bucket of a task's histogram of responses"},
	{"job", "a job: release, start, finish, whether it missed (record: jobs)"},
	{"segment_interval",
		"a time during which a segment had a core, a copy engine or the GPU (record: segments)"},
	{"block_interval", "a thread block on an SM (record: blocks)"},
	{"context_interval", "a time during which a process had the GPU, or the GPU was switched to it "
			     "(record: segments)"},
	{"power_interval", "a time of constant power (record: segments)"},
	{"decision", "a number of SMs that a policy weighed (record: segments)"},
	{"measured", "a segment of a job as a real machine ran it (record: segments)"},
	{"run_sub_core", "a sub-core in a run: what its cycles were"},
	{"epoch", "a kernel of warps in an epoch (record: jobs)"},
	{"epoch_sm", "an SM in an epoch: what its cycles were (record: segments)"},
	{"epoch_quota", "a kernel on an SM in an epoch: quota, blocks, target (record: segments)"},
	{"warp_issue", "an instruction of a warp (record: issues)"},
	{"analysis_run", "an analysis of a set under a policy: its verdict, and why"},
	{"bound", "a task's bound by an analysis"},
	{"bound_part", "a part of a bound; the parts add up"},
	{"chain_bound", "an analysis' bound of a chain's ages and reactions"},
	{"failed_unit", "a unit of a campaign that has no runs, and why"},
	{"question", "what was asked about every set of a campaign (record: verdicts)"},
	{"grid_point", "a point of a campaign's grid (record: verdicts)"},
	{"verdict", "a set of a campaign that is recorded as an answer alone (record: verdicts)"},
	{"tally", "the counts of verdict"},
	{"stretch", "units of a campaign that were written one after the other"},
	{"stretch_end", "where their rows end in each table"},
	{"v_run", "a run: status, misses, schedulable, energy"},
	{"v_job", "a job: response, lateness, first start, whether it missed (record: jobs)"},
	{"v_segment", "a segment of a task: its kind, its name"},
	{"v_chain", "a chain in a run: its ages and reactions, its limits"},
	{"v_chain_check", "a chain in a run against a bound: whether it holds, how near it comes"},
	{"v_weakly_hard", "the misses of a task in a run: longest run of them, most in a window"},
	{"v_task_response", "a task in a run: least, mean and greatest response"},
	{"v_accepted", "runs and verdicts of analyses side by side, at a utilisation"},
	{"v_acceptance", "a policy at a utilisation: share of schedulable sets"},
	{"v_analysis_acceptance", "an analysis at a utilisation: share of sets it calls schedulable"},
	{"v_bound", "a bound with its parts"},
	{"v_bound_check", "a bound and a run: observed against bound"},
	{"v_energy", "a run: energy, what it is made of, share of idle SMs"},
	{"v_energy_gpu", "a GPU of several in a run: its energy"},
	{"v_gpu", "a GPU of a platform: copy engines, SMs and their limits, power"},
	{"v_energy_task", "a task in a run: whose the dynamic energy is, per job"},
	{"v_energy_policy", "a policy at a utilisation: mean energy and power, against fcfs"},
	{"v_decision", "a number of SMs that was weighed: predicted energy against what it came to "
		       "(record: segments)"},
	{"v_warp_kernel", "a kernel of warps in a run: IPC, alone and against its goal"},
	{"v_epoch", "a kernel of warps in an epoch: IPC and goal (record: jobs)"},
	{"v_stalls", "a reason why sub-cores did not issue: its share of their cycles"},
	{"v_flight_wait", "what an operation in flight, or a job at its wait, waited for (record: segments)"},
	{"v_wait", "a time of a job: what it waited for and who had that, or its own (record: segments)"},
	{"v_wait_sum", "a resource that a job waited for, and a task that had it: how long, and in how many "
		       "jobs (record: segments)"},
	{"v_why", "the same, of each resource the nine tasks that had it longest (record: segments)"},
	{"v_context", "a time during which a process had the GPU, or a switch to it (record: segments)"},
	{"v_gantt", "an interval or a block, to draw a schedule (record: segments)"},
	{"v_measured", "a segment of a job, simulated and on a real machine (record: segments)"},
	{"v_lane_busy", "a core, a copy engine or a GPU in a run: how long it was busy (record: segments)"},
	{"v_sm_busy", "an SM in a run: how long it was busy, with how many threads (record: blocks)"},
	{"v_utilisation", "a resource in a run: its measured utilisation (record: segments)"},
};

bool query_table_at(size_t i, const char **name, const char **what)
{
	if (i >= sizeof(purposes) / sizeof(*purposes))
		return false;
	*name = purposes[i].name;
	*what = purposes[i].what;
	return true;
}

static const char *purpose_of(const char *name)
{
	for (size_t i = 0; i < sizeof(purposes) / sizeof(*purposes); i++)
		if (strcmp(purposes[i].name, name) == 0)
			return purposes[i].what;
	return NULL;
}

static bool reads_as_text(const struct query_output *output)
{
	return output->format == TABLE_TEXT || output->format == TABLE_RECORDS;
}

/* Prints a title above a table, in several lines if it does not fit. */
static bool print_title(const struct query_output *output, const char *kind, const char *name,
	const char *dash, const char *what, struct error *err)
{
	struct text title = {0}, shown = {0};
	size_t width = output->width == QUERY_WIDTH_OF_TERMINAL ? table_terminal_width(stdout)
								: (size_t)output->width;
	text_printf(&title, "%s %s%s%s", kind, name, dash, what);
	table_add_clean(&shown, text_data(&title), SIZE_MAX);
	bool ok = text_ok(&title, "describing a recording", err) &&
		  text_ok(&shown, "describing a recording", err);
	if (ok) {
		table_print_broken(stdout, text_data(&shown), width > 0 ? width : SIZE_MAX, 0, "");
		fputc('\n', stdout);
	}
	text_finish(&title);
	text_finish(&shown);
	return ok;
}

static bool end_table(struct table *t, bool read, struct error *err)
{
	struct error printing;
	bool printed = table_end(t, &printing);
	if (read && !printed)
		*err = printing;
	return read && printed;
}

/* ---- columns ---- */

/* For programs: the columns of one table, or of all (NULL), in one table. */
static bool list_columns(
	struct db_reader *reader, const char *name, const struct query_output *output, struct error *err)
{
	struct db_cursor *c = cursor_open(reader,
		"SELECT s.type AS kind, d.tbl AS \"table\", d.col AS \"column\", x.type, d.unit, "
		"d.description"
		" FROM sqlite_master s JOIN column_doc d ON d.tbl = s.name"
		" JOIN pragma_table_xinfo(s.name) x ON x.name = d.col"
		" WHERE ?1 IS NULL OR d.tbl = ?1 ORDER BY s.type, s.rowid, x.cid",
		err);
	bool ok = c && (!name || cursor_bind_text(c, 1, name, err)) &&
		  query_print(reader, c, output, NULL, err);
	cursor_close(c);
	return ok;
}

static bool print_columns(
	struct db_reader *reader, const char *name, const struct query_output *output, struct error *err)
{
	struct db_cursor *c = cursor_open(reader,
		"SELECT d.col AS \"column\", lower(x.type) AS type, d.unit, d.description"
		" FROM pragma_table_xinfo(?1) x JOIN column_doc d ON d.tbl = ?1 AND d.col = x.name ORDER BY "
		"x.cid",
		err);
	bool ok = c && cursor_bind_text(c, 1, name, err) && query_print(reader, c, output, NULL, err);
	cursor_close(c);
	return ok;
}

/* *kind is "table" or "view". */
static bool find_kind(struct db_reader *reader, const char *name, const char **kind, struct error *err)
{
	bool row = false;
	char hint[SUGGESTION_TEXT_MAX];
	struct db_cursor *c = cursor_open(reader,
		"SELECT s.type = 'view' FROM sqlite_master s WHERE s.name = ?1"
		" AND EXISTS (SELECT 1 FROM column_doc WHERE tbl = ?1)",
		err);
	bool ok = c && cursor_bind_text(c, 1, name, err) && cursor_next(c, &row, err);
	if (ok && row)
		*kind = cursor_integer(c, 0) ? "view" : "table";
	cursor_close(c);
	if (ok && !row) {
		query_nearest(reader, "SELECT DISTINCT tbl FROM column_doc", NULL, name, hint);
		return error_set(err, STATUS_INPUT,
			"there is no table or view '%s'%s (--describe without a name prints all)", name,
			hint);
	}
	return ok;
}

static bool describe_table(
	struct db_reader *reader, const char *name, const struct query_output *output, struct error *err)
{
	const char *kind = "", *what = purpose_of(name);
	if (!find_kind(reader, name, &kind, err))
		return false;
	if (!reads_as_text(output))
		return list_columns(reader, name, output, err);
	return print_title(output, kind, name, what ? " - a row is " : "", what ? what : "", err) &&
	       print_columns(reader, name, output, err);
}

/* ---- all tables ---- */

static bool count_rows(struct db_reader *reader, const char *name, int64_t *rows, struct error *err)
{
	bool row = false;
	struct text sql = {0};
	text_printf(&sql, "SELECT count(*) FROM \"%s\"", name);
	struct db_cursor *c = text_ok(&sql, "describing a recording", err)
				      ? cursor_open(reader, text_data(&sql), err)
				      : NULL;
	bool ok = c && cursor_next(c, &row, err);
	*rows = ok && row ? cursor_integer(c, 0) : 0;
	cursor_close(c);
	text_finish(&sql);
	return ok;
}

/* Views have no rows of their own; counting their results would take long. */
static bool overview_row(
	struct db_reader *reader, const struct db_cursor *c, struct table *t, struct error *err)
{
	const char *kind = cursor_text(c, 0), *name = cursor_text(c, 1);
	int64_t rows;
	table_text(t, kind);
	table_text(t, name);
	if (strcmp(kind, "table") != 0)
		table_null(t);
	else if (count_rows(reader, name, &rows, err))
		table_integer(t, rows);
	else
		return false;
	table_text(t, purpose_of(name));
	return true;
}

static bool describe_all(struct db_reader *reader, const struct query_output *output, struct error *err)
{
	static const char *const columns[] = {"kind", "name", "rows", "what a row is"};
	struct db_cursor *c = cursor_open(reader,
		"SELECT type, name FROM sqlite_master s WHERE EXISTS (SELECT 1 FROM column_doc WHERE tbl = "
		"s.name)"
		" ORDER BY type, rowid",
		err);
	struct table t;
	bool row = true, ok = true;
	if (!c)
		return false;
	query_begin(&t, output, columns, sizeof(columns) / sizeof(*columns));
	while (ok && row) {
		ok = cursor_next(c, &row, err);
		if (!ok || !row)
			break;
		ok = overview_row(reader, c, &t, err);
		if (!ok)
			table_null(&t), table_null(&t); /* the row must be complete */
	}
	cursor_close(c);
	ok = end_table(&t, ok, err);
	if (ok)
		say(stdout, "\ncegsim query --describe FILE.db NAME prints the columns of one,\n"
			    "cegsim query --describe FILE.db @NAME what a named query asks (cegsim list "
			    "queries).\n");
	return ok;
}

/* ---- named queries ---- */

static bool print_parameters(
	const struct named_query *q, const struct query_output *output, struct error *err)
{
	static const char *const columns[] = {"parameter", "default", "help"};
	struct table t;
	query_begin(&t, output, columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < q->param_count; i++) {
		table_text(&t, q->params[i].name);
		table_text(&t, *q->params[i].fallback ? q->params[i].fallback : NULL);
		table_text(&t, q->params[i].help);
	}
	return end_table(&t, true, err);
}

/* For programs: one row per parameter, or one row without a parameter. */
static bool list_parameters(
	const struct named_query *q, const char *sql, const struct query_output *output, struct error *err)
{
	static const char *const columns[] = {
		"query", "title", "parameter", "default", "help", "sql", "level"};
	struct level_need need = level_needed(q);
	char level[LEVEL_TEXT_MAX];
	struct table t;
	query_begin(&t, output, columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i == 0 || i < q->param_count; i++) {
		const struct query_param *param = i < q->param_count ? &q->params[i] : NULL;
		table_text(&t, q->name);
		table_text(&t, q->title);
		table_text(&t, param ? param->name : NULL);
		table_text(&t, param && *param->fallback ? param->fallback : NULL);
		table_text(&t, param ? param->help : NULL);
		table_text(&t, sql);
		table_text(&t, *need.level ? level_text(&need, level) : NULL);
	}
	return end_table(&t, true, err);
}

/* The SQL without the rest of the header, which follows the name, and without blank lines around it. */
static void query_text(const struct named_query *q, struct text *sql)
{
	const char *at = q->sql, *end = q->sql + q->sql_length;
	while (at < end && (*at == '\n' || strncmp(at, "-- title:", 9) == 0 ||
				   strncmp(at, "-- level:", 9) == 0 || strncmp(at, "-- param:", 9) == 0)) {
		const char *line = memchr(at, '\n', (size_t)(end - at));
		at = line ? line + 1 : end;
	}
	while (end > at && end[-1] == '\n')
		end--;
	text_add_bytes(sql, at, (size_t)(end - at));
}

static void print_level(const struct named_query *q)
{
	struct level_need need = level_needed(q);
	char level[LEVEL_TEXT_MAX];
	if (strcmp(need.level, "summary") == 0)
		puts("Is about runs of kernels of warps.\n");
	else if (*need.level)
		say(stdout, "Needs runs recorded with --record %s.\n\n", level_text(&need, level));
}

/* `name` begins with @. */
static bool describe_query(const char *name, const struct query_output *output, struct error *err)
{
	struct named_query q;
	struct text sql = {0};
	if (!query_find(name + 1, &q))
		return query_unknown(name + 1, err);
	query_text(&q, &sql);
	bool ok = text_ok(&sql, "describing a query", err);
	if (ok && !reads_as_text(output)) {
		ok = list_parameters(&q, text_data(&sql), output, err);
	} else if (ok) {
		ok = print_title(output, "query", name, " - ", q.title, err);
		print_level(&q);
		ok = ok && (q.param_count == 0 || print_parameters(&q, output, err));
		fputs(q.param_count > 0 ? "\n" : "", stdout);
		puts(text_data(&sql));
	}
	text_finish(&sql);
	return ok;
}

bool query_describe(
	struct db_reader *reader, const char *name, const struct query_output *output, struct error *err)
{
	if (name && name[0] == '@')
		return describe_query(name, output, err);
	if (name)
		return describe_table(reader, name, output, err);
	return reads_as_text(output) ? describe_all(reader, output, err)
				     : list_columns(reader, NULL, output, err);
}
