/* report/page/view.c - makes a page: chooses the runs and rows that go into it, and reports progress. */
#include "report/page/view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/list.h"
#include "base/output.h"
#include "report/page/levels.h"
#include "report/page/meta.h"
#include "report/page/page.h"
#include "report/page/windows.h"

/* Approximate costs of a row in each step, for the fraction that is shown. */
#define COST_DETAIL 1
#define COST_COPY 2
#define COST_PACK 5

static const char runs_sql[] = "SELECT r.run_id, r.taskset_id, r.record IN ('segments', 'blocks', 'issues'),"
			       " coalesce(r.stop_ns, r.limit_ns, 0) FROM run r ORDER BY r.run_id";

struct view_run {
	int64_t run_id, taskset_id;
	bool lanes; /* its level of recording includes intervals */
	int64_t end_ns;
	int64_t clock_hz; /* 0: not a run of warps */
	int64_t rows[EXTRACT_TABLES];
	bool blocks_in_order;
};

struct view {
	const struct view_request *request;
	struct view_result *result;
	struct db_reader *reader;
	struct extract *extract;
	struct view_run *run; /* chosen, by run_id */
	size_t runs;
	int64_t left[EXTRACT_TABLES];
	struct view_window *window;
	size_t windows;
	double done, before, all; /* costs; `before`: those before the current step */
};

static bool goes_on(void *self)
{
	const struct view *v = self;
	double fraction = v->all > 0 ? v->done / v->all : 0;
	return v->request->goes_on(v->request->self, fraction < 1 ? fraction : 1);
}

static bool goes_on_packing(void *self, double fraction)
{
	struct view *v = self;
	v->done = v->before + fraction * (v->all - v->before);
	return goes_on(self);
}

static bool look(struct view *v, struct error *err)
{
	return goes_on(v) || error_set(err, STATUS_INTERRUPTED, "interrupted");
}

/* ---- runs ---- */

static bool is_chosen(const struct view_request *q, int64_t run_id)
{
	for (size_t i = 0; i < q->run_count; i++)
		if (q->runs[i] == run_id)
			return true;
	return q->run_count == 0;
}

static struct view_run *find_run(const struct view *v, int64_t run_id)
{
	size_t low = 0, high = v->runs;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (v->run[middle].run_id < run_id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < v->runs && v->run[low].run_id == run_id ? &v->run[low] : NULL;
}

static bool add_run(struct view *v, const struct db_cursor *c, struct error *err)
{
	if (!is_chosen(v->request, cursor_integer(c, 0)))
		return true;
	struct view_run *grown = list_room(v->run, v->runs, sizeof(*grown), "listing runs", err);
	if (!grown)
		return false;
	v->run = grown;
	v->run[v->runs++] = (struct view_run){
		.run_id = cursor_integer(c, 0),
		.taskset_id = cursor_integer(c, 1),
		.lanes = cursor_integer(c, 2),
		.end_ns = cursor_integer(c, 3),
	};
	return true;
}

static bool add_clock(struct view *v, const struct db_cursor *c, struct error *err)
{
	(void)err;
	struct view_run *run = find_run(v, cursor_integer(c, 0));
	if (run)
		run->clock_hz = cursor_integer(c, 1);
	return true;
}

/* Calls `add` for every row of a query. */
static bool each_row(struct view *v, const char *sql,
	bool (*add)(struct view *, const struct db_cursor *, struct error *), struct error *err)
{
	bool row = true;
	struct db_cursor *c = cursor_open(v->reader, sql, err);
	bool ok = c;
	while (ok && row)
		ok = cursor_next(c, &row, err) && (!row || add(v, c, err));
	cursor_close(c);
	return ok;
}

static bool count_table(struct view *v, enum extract_table table, struct error *err)
{
	char sql[100];
	bool has, row = true; /* older recordings have fewer tables */
	if (!reader_has(v->reader, extract_tables[table].name, NULL, &has, err))
		return false;
	if (!has)
		return true;
	snprintf(sql, sizeof(sql), "SELECT run_id, count(*) FROM %s GROUP BY run_id",
		extract_tables[table].name);
	struct db_cursor *c = cursor_open(v->reader, sql, err);
	bool ok = c;
	while (ok && row) {
		ok = cursor_next(c, &row, err);
		struct view_run *run = ok && row ? find_run(v, cursor_integer(c, 0)) : NULL;
		if (!run)
			continue;
		run->rows[table] = cursor_integer(c, 1);
		v->result->rows[table] += run->rows[table];
	}
	cursor_close(c);
	return ok;
}

static bool read_runs(struct view *v, struct error *err)
{
	bool has;
	if (!each_row(v, runs_sql, add_run, err))
		return false;
	for (size_t i = 0; i < v->request->run_count; i++)
		if (!find_run(v, v->request->runs[i]))
			return error_set(err, STATUS_INPUT,
				"%s has no run %" PRId64 " (cegsim query %s lists them)", v->request->file,
				v->request->runs[i], v->request->file);
	if (!reader_has(v->reader, "warp_machine", NULL, &has, err) ||
		(has && !each_row(v,
				"SELECT r.run_id, m.clock_hz FROM run r JOIN warp_machine m"
				" USING (taskset_id)",
				add_clock, err)))
		return false;
	for (enum extract_table table = 0; table < EXTRACT_TABLES; table++) {
		if (!count_table(v, table, err) || !look(v, err))
			return false;
		int64_t rows = v->result->rows[table], limit = v->request->limit;
		bool intervals = table == EXTRACT_SEGMENT || table == EXTRACT_BLOCK;
		v->all += (double)rows * (intervals ? COST_DETAIL : 0) +
			  (double)(rows < limit ? rows : limit) * (COST_COPY + COST_PACK);
	}
	return true;
}

/* ---- rows ---- */

static bool add_window(
	struct view *v, int64_t run_id, enum extract_table table, struct extract_span span, struct error *err)
{
	struct view_window *grown = list_room(v->window, v->windows, sizeof(*grown), "listing windows", err);
	if (!grown)
		return false;
	v->window = grown;
	v->window[v->windows++] = (struct view_window){run_id, table, span};
	return true;
}

static bool copy_rows(struct view *v, const struct view_run *run, enum extract_table table,
	const struct windows *w, struct error *err)
{
	int64_t kept;
	const struct extract_choice choice = {
		.table = table,
		.run_id = run->run_id,
		.clock_hz = run->clock_hz,
		.spans = w ? w->span : NULL,
		.count = w ? w->count : 0,
		.sort = table == EXTRACT_SEGMENT || table == EXTRACT_MEASURED ||
			(table == EXTRACT_BLOCK && !run->blocks_in_order),
	};
	if (!extract_rows(v->extract, &choice, &kept, err))
		return false;
	v->result->kept[table] += kept;
	v->left[table] -= kept;
	v->done += (double)kept * COST_COPY;
	for (size_t i = 0; w && i < w->count; i++)
		if (!add_window(v, run->run_id, table, w->span[i], err))
			return false;
	return true;
}

/* Copies the windows of a run that does not fit; after it nothing else fits. */
static bool copy_windows(
	struct view *v, const struct view_run *run, enum extract_table table, struct error *err)
{
	const struct view_request *q = v->request;
	int64_t end = run->end_ns > q->from_ns ? run->end_ns : q->from_ns;
	int64_t last = q->to_ns == VIEW_TO_THE_END ? end + 1 : q->to_ns;
	const struct windows_ask ask = {
		.reader = v->reader,
		.table = table,
		.run_id = run->run_id,
		.clock_hz = run->clock_hz,
		.within = {q->from_ns, last},
		.limit = v->left[table],
		.goes_on = goes_on,
		.self = v,
	};
	struct windows w;
	if (!windows_choose(&ask, &w, err))
		return false;
	bool ok = copy_rows(v, run, table, &w, err);
	bool cut = w.count != 1 || w.span[0].from_ns != q->from_ns || w.span[0].to_ns != last;
	if (ok && w.count == 0)
		ok = add_window(v, run->run_id, table, (struct extract_span){0, 0}, err);
	windows_finish(&w);
	if (cut) {
		v->result->cut[table] = true;
		v->left[table] = 0;
	}
	return ok;
}

static bool copy_table(
	struct view *v, const struct view_run *run, enum extract_table table, struct error *err)
{
	const struct view_request *q = v->request;
	bool whole = q->from_ns == 0 && q->to_ns == VIEW_TO_THE_END;
	if (run->rows[table] == 0)
		return true;
	if (whole && run->rows[table] <= v->left[table])
		return copy_rows(v, run, table, NULL, err);
	if (v->left[table] <= 0) {
		v->result->cut[table] = true;
		return add_window(v, run->run_id, table, (struct extract_span){0, 0}, err);
	}
	return copy_windows(v, run, table, err);
}

static bool copy_run(struct view *v, struct view_run *run, struct error *err)
{
	const struct levels_ask ask = {
		.reader = v->reader,
		.extract = v->extract,
		.run_id = run->run_id,
		.taskset_id = run->taskset_id,
		.intervals = run->rows[EXTRACT_SEGMENT] + run->rows[EXTRACT_BLOCK],
		.goes_on = goes_on,
		.self = v,
	};
	if (run->lanes && !levels_write(&ask, &run->blocks_in_order, err))
		return false;
	v->done += (double)ask.intervals * COST_DETAIL;
	for (enum extract_table table = 0; table < EXTRACT_TABLES; table++)
		if (!copy_table(v, run, table, err))
			return false;
	return look(v, err);
}

/* The name up to the last slash, or "."; for a page on standard output, the folder for temporary files.
 * free() it; NULL: *err. */
static char *scratch_folder(const char *output, struct error *err)
{
	const char *slash = strrchr(output, '/'), *temporary = getenv("TMPDIR");
	char *folder = strcmp(output, "-") == 0 ? strdup(temporary && *temporary ? temporary : "/tmp")
		       : slash                  ? strndup(output, (size_t)(slash - output) + 1)
						: strdup(".");
	if (!folder)
		error_memory(err, "opening a scratch file");
	return folder;
}

static bool make_database(struct view *v, struct error *err)
{
	const struct view_request *q = v->request;
	char *folder = scratch_folder(q->output, err);
	v->extract = folder ? extract_begin(q->file, folder, goes_on, v, err) : NULL;
	free(folder);
	if (!v->extract || !extract_things(v->extract, q->runs, q->run_count, err))
		return false;
	for (enum extract_table table = 0; table < EXTRACT_TABLES; table++)
		v->left[table] = q->limit;
	for (size_t i = 0; i < v->runs; i++)
		if (!copy_run(v, &v->run[i], err))
			return false;
	return extract_end(v->extract, err);
}

/* ---- the page ---- */

static bool describe(const struct view *v, struct text *meta, struct error *err)
{
	const char *file = v->request->file, *slash = strrchr(file, '/');
	struct stat status;
	if (stat(file, &status) != 0)
		return error_set(err, STATUS_IO, "cannot read %s: %s", file, strerror(errno));
	const struct view_meta m = {
		.title = v->request->title ? v->request->title
			 : slash           ? slash + 1
					   : file,
		.interrupted = reader_interrupted(v->reader),
		.recording_bytes = status.st_size,
		.rows = v->result->rows,
		.kept = v->result->kept,
		.windows = v->window,
		.window_count = v->windows,
	};
	view_meta_add(meta, &m);
	return text_ok(meta, "describing a page", err);
}

static bool write_page(struct view *v, FILE *out, struct error *err)
{
	struct text meta = {0};
	if (!make_database(v, err))
		return false;
	bool ok = describe(v, &meta, err);
	v->before = v->done;
	const struct page page = {
		.template = page_template(),
		.meta = text_data(&meta),
		.fd = extract_fd(v->extract),
		.goes_on = goes_on_packing,
		.self = v,
	};
	ok = ok && page_write(&page, out, err);
	text_finish(&meta);
	return ok;
}

static bool write_file(struct view *v, struct error *err)
{
	struct output out;
	const char *path = v->request->output;
	if (strcmp(path, "-") == 0)
		return write_page(v, stdout, err);
	if (!output_is_another(path, v->request->file, err) ||
		!output_begin(&out, path, v->request->force, err))
		return false;
	if (write_page(v, out.file, err))
		return output_commit(&out, err);
	output_abandon(&out);
	return false;
}

bool view_make(const struct view_request *request, struct view_result *result, struct error *err)
{
	struct view v = {.request = request, .result = result};
	*result = (struct view_result){0};
	v.reader = reader_open(request->file, err);
	bool ok = v.reader && read_runs(&v, err) && write_file(&v, err);
	extract_close(v.extract);
	reader_close(v.reader);
	free(v.run);
	free(v.window);
	return ok;
}
