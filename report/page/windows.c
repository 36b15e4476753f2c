/* report/page/windows.c - chooses which parts of a run are shown, if it is too large for a page: times around
 * its misses, and its beginning. Rows are counted, not stored: one pass for the misses, and one for the
 * beginning. */
#include "report/page/windows.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/list.h"

#define STEPS 65536 /* the time from the beginning is divided into this many steps */
#define ROWS_PER_LOOK 65536

static const char misses_sql[] =
	"SELECT j.release_ns, coalesce(j.finish_ns, r.stop_ns, j.release_ns) FROM job j JOIN run r USING"
	" (run_id) WHERE j.run_id = ?1 AND j.outcome >= 4 ORDER BY j.release_ns, 2, j.rowid";

/* From the release of a job that missed to its end. */
struct miss {
	struct extract_span span;
	int64_t latest; /* the latest end of the spans so far */
	int64_t rows;   /* rows in its span that no span before contains */
};

struct window_choice {
	const struct windows_ask *ask;
	struct miss *miss;
	size_t misses, chosen; /* number of misses; number of those that are kept, from the first on */
	int64_t rows;          /* rows in the window that was asked for */
	int64_t last_start;
	int64_t *started; /* rows outside of the chosen misses, by the step in which they start */
	int64_t step_ns;
};

static bool clip(struct extract_span *s, const struct extract_span *within)
{
	if (s->from_ns < within->from_ns)
		s->from_ns = within->from_ns;
	if (s->to_ns > within->to_ns)
		s->to_ns = within->to_ns;
	return s->from_ns < s->to_ns;
}

static bool add_miss(struct window_choice *c, struct extract_span span, struct error *err)
{
	if (!clip(&span, &c->ask->within))
		return true;
	struct miss *grown = list_room(c->miss, c->misses, sizeof(*grown), "listing missed deadlines", err);
	if (!grown)
		return false;
	c->miss = grown;
	int64_t latest = c->misses > 0 ? c->miss[c->misses - 1].latest : span.to_ns;
	c->miss[c->misses++] = (struct miss){span, latest > span.to_ns ? latest : span.to_ns, 0};
	return true;
}

static bool read_misses(struct window_choice *c, struct error *err)
{
	bool row = true;
	struct db_cursor *cursor = cursor_open(c->ask->reader, misses_sql, err);
	bool ok = cursor && cursor_bind_integer(cursor, 1, c->ask->run_id, err);
	while (ok && row && c->misses < WINDOWS_MISSES) {
		ok = cursor_next(cursor, &row, err);
		if (ok && row)
			ok = add_miss(c,
				(struct extract_span){cursor_integer(cursor, 0), cursor_integer(cursor, 1)},
				err);
	}
	cursor_close(cursor);
	return ok;
}

/* The first miss whose span overlaps the row; c->misses: none. `latest` never falls, so the first span with
 * `latest` behind the start is found by bisection: none before it overlaps. If it begins too late, so do all
 * after it. */
static size_t find_miss(const struct window_choice *c, int64_t start, int64_t end)
{
	size_t low = 0, high = c->misses;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (c->miss[middle].latest <= start)
			low = middle + 1;
		else
			high = middle;
	}
	return low < c->misses && extract_touches(&c->miss[low].span, start, end) ? low : c->misses;
}

static void count_row(struct window_choice *c, int64_t start, int64_t end)
{
	size_t miss = find_miss(c, start, end);
	c->rows++;
	if (start > c->last_start)
		c->last_start = start;
	if (miss < c->misses)
		c->miss[miss].rows++;
}

static void count_start(struct window_choice *c, int64_t start, int64_t end)
{
	int64_t from = c->ask->within.from_ns;
	if (find_miss(c, start, end) >= c->chosen)
		c->started[start > from ? (start - from) / c->step_ns : 0]++;
}

/* Calls `count` for every row that is wanted. */
static bool pass(
	struct window_choice *c, void (*count)(struct window_choice *, int64_t, int64_t), struct error *err)
{
	const struct windows_ask *ask = c->ask;
	const struct extract_rows_of *of = &extract_tables[ask->table];
	char sql[200];
	bool row = true;
	snprintf(sql, sizeof(sql), "SELECT %s, %s FROM %s WHERE run_id = ?1", of->start, of->end, of->name);
	struct db_cursor *cursor = cursor_open(ask->reader, sql, err);
	bool ok = cursor && cursor_bind_integer(cursor, 1, ask->run_id, err);
	for (uint64_t n = 1; ok && row; n++) {
		ok = cursor_next(cursor, &row, err);
		if (!ok || !row)
			break;
		int64_t start = cursor_integer(cursor, 0), end = cursor_integer(cursor, 1);
		if (ask->table == EXTRACT_ISSUE) {
			start = extract_cycle_ns(start, ask->clock_hz);
			end = extract_cycle_ns(end, ask->clock_hz);
		}
		if (extract_touches(&ask->within, start, end))
			count(c, start, end);
		if (n % ROWS_PER_LOOK == 0 && !ask->goes_on(ask->self))
			ok = error_set(err, STATUS_INTERRUPTED, "interrupted");
	}
	cursor_close(cursor);
	return ok;
}

/* Chooses as many of the first misses as fit half of the limit. Returns their rows. */
static int64_t choose_misses(struct window_choice *c)
{
	int64_t rows = 0;
	while (c->chosen < c->misses && rows + c->miss[c->chosen].rows <= c->ask->limit / 2)
		rows += c->miss[c->chosen++].rows;
	return rows;
}

/* Chooses the time from the beginning in which at most this many of the other rows start. */
static bool choose_beginning(
	struct window_choice *c, int64_t rows, struct extract_span *beginning, struct error *err)
{
	int64_t from = c->ask->within.from_ns, length = c->last_start - from + 1;
	*beginning = (struct extract_span){from, from};
	c->step_ns = ceil_div(length > 1 ? length : 1, STEPS);
	c->started = calloc(STEPS, sizeof(*c->started));
	if (!c->started)
		return error_memory(err, "choosing what to show");
	if (!pass(c, count_start, err))
		return false;
	for (int64_t step = 0; step < STEPS && c->started[step] <= rows; step++) {
		rows -= c->started[step];
		beginning->to_ns += c->step_ns;
	}
	(void)clip(beginning, &c->ask->within);
	return true;
}

static void add_span(struct windows *w, struct extract_span s)
{
	struct extract_span *last = w->count > 0 ? &w->span[w->count - 1] : NULL;
	if (s.from_ns >= s.to_ns)
		return;
	if (!last || s.from_ns > last->to_ns)
		w->span[w->count++] = s;
	else if (s.to_ns > last->to_ns)
		last->to_ns = s.to_ns;
}

/* Misses are in order of their beginnings. */
static bool choose(struct window_choice *c, struct windows *w, struct error *err)
{
	struct extract_span beginning = c->ask->within;
	if (!read_misses(c, err) || !pass(c, count_row, err))
		return false;
	if (c->rows > c->ask->limit) {
		int64_t rows = choose_misses(c);
		if (!choose_beginning(c, c->ask->limit - rows, &beginning, err))
			return false;
	}
	w->span = calloc(c->chosen + 1, sizeof(*w->span));
	if (!w->span)
		return error_memory(err, "choosing what to show");
	add_span(w, beginning);
	for (size_t i = 0; i < c->chosen; i++)
		add_span(w, c->miss[i].span);
	return true;
}

bool windows_choose(const struct windows_ask *ask, struct windows *w, struct error *err)
{
	struct window_choice c = {.ask = ask};
	*w = (struct windows){0};
	bool ok = choose(&c, w, err);
	free(c.miss);
	free(c.started);
	if (!ok)
		windows_finish(w);
	return ok;
}

void windows_finish(struct windows *w)
{
	free(w->span);
	*w = (struct windows){0};
}
