/* db/busy_table.c - v_lane_busy and v_sm_busy as virtual tables (sqlite.org/vtab.html), eponymous: they have
 * no storage, and answer for the recording that is open.
 *
 * An index has the rows of a run in the order of their starts. In that order one number for each lane says
 * how far it is covered, and what an interval adds to the time with at least one is what lies behind that. */
#include "db/busy_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/list.h"
#include "db/narrow.h"
#include "db/sql.h"

/* The columns of both: those of the lane, RUN_ID to UNIT, then two sums. The last one is in the key, where
 * nothing is NULL. v_sm_busy has no resource. */
enum column { RUN_ID, RESOURCE, GPU, UNIT, BUSY_NS, SUM_NS, KEY };
static const char declaration[] =
	"CREATE TABLE x (run_id INTEGER, resource TEXT, gpu INTEGER, unit INTEGER, busy_ns INTEGER,"
	" sum_ns INTEGER, lane_key INTEGER HIDDEN, PRIMARY KEY (run_id, lane_key)) WITHOUT ROWID";
static const char *const narrowing[] = {[RUN_ID] = "run_id"};

/* What is read: the lane, the interval, and what the second sum takes of it. */
enum { I_START = UNIT + 1, I_END, I_AMOUNT };
static const char intervals_sql[] =
	"SELECT run_id, code & 3, gpu, unit, start_ns, end_ns,"
	" CASE code & 12 WHEN 4 THEN end_ns - start_ns WHEN 8 THEN end_ns - start_ns ELSE 0 END"
	" FROM segment_interval WHERE 1";
static const char blocks_sql[] = "SELECT run_id, 0, gpu, sm, start_ns, end_ns, threads * (end_ns - start_ns)"
				 " FROM block_interval WHERE 1";

static const char *const resources[] = {"cpu", "copy", "gpu", "gpu"}; /* code & 3 */

#define NONE INT64_MIN /* NULL, which SQLite sorts first */

/* Of one run; in the order of resource, gpu and unit. */
struct lane {
	int64_t of[UNIT + 1];
	int64_t until_ns; /* it is covered up to here */
	int64_t busy_ns, sum_ns;
};

struct busy_cursor {
	sqlite3_vtab_cursor base; /* the first member */
	sqlite3_stmt *rows;       /* at the first row of the next run, unless `ended` */
	bool ended;
	struct lane *lane;
	size_t lane_count, lane_capacity, at;
};

/* ---- a run ---- */

static int64_t integer_or_none(sqlite3_stmt *s, int column)
{
	int64_t value = sqlite3_column_int64(s, column);
	return value == 0 && sqlite3_column_type(s, column) == SQLITE_NULL ? NONE : value;
}

static int compare(const int64_t *a, const int64_t *b)
{
	for (int i = RESOURCE; i <= UNIT; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

/* The lane of the current row; NULL: out of memory. */
static struct lane *find_lane(struct busy_cursor *c)
{
	int64_t of[UNIT + 1];
	size_t low = 0, high = c->lane_count;
	for (int i = 0; i <= UNIT; i++)
		of[i] = integer_or_none(c->rows, i);
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = compare(of, c->lane[middle].of);
		if (order == 0)
			return &c->lane[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	if (!list_reserve(&c->lane, &c->lane_capacity, c->lane_count + 1, sizeof(*c->lane)))
		return NULL;
	struct lane *lane = &c->lane[low];
	memmove(lane + 1, lane, (c->lane_count++ - low) * sizeof(*lane));
	*lane = (struct lane){.until_ns = 0};
	memcpy(lane->of, of, sizeof(of));
	return lane;
}

static int add_row(struct busy_cursor *c)
{
	struct lane *lane = find_lane(c);
	if (!lane)
		return SQLITE_NOMEM;
	int64_t start = sqlite3_column_int64(c->rows, I_START), end = sqlite3_column_int64(c->rows, I_END);
	int64_t from = start > lane->until_ns ? start : lane->until_ns, more;
	bool fits = checked_add(lane->sum_ns, sqlite3_column_int64(c->rows, I_AMOUNT), &lane->sum_ns);
	if (end > from) {
		fits = !__builtin_sub_overflow(end, from, &more) &&
		       checked_add(lane->busy_ns, more, &lane->busy_ns) && fits;
		lane->until_ns = end;
	}
	if (fits)
		return SQLITE_OK;
	sqlite3_free(c->base.pVtab->zErrMsg);
	c->base.pVtab->zErrMsg = sqlite3_mprintf("integer overflow"); /* as SQLite has it */
	return SQLITE_ERROR;
}

/* Takes the rows of the next run. */
static int next_run(struct busy_cursor *c)
{
	int code = SQLITE_OK;
	c->at = c->lane_count = 0;
	while (code == SQLITE_OK && !c->ended &&
		(c->lane_count == 0 || integer_or_none(c->rows, RUN_ID) == c->lane[0].of[RUN_ID])) {
		code = add_row(c);
		if (code == SQLITE_OK)
			code = narrow_step(c->rows, &c->ended);
	}
	return code;
}

/* ---- what SQLite calls ---- */

static int table_connect(
	sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **made, char **error)
{
	(void)argc, (void)argv, (void)error;
	return narrow_connect(db, declaration, aux != NULL, made);
}

static int table_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	(void)table;
	return narrow_index(info, narrowing, RUN_ID + 1, 1e6);
}

static int table_open(sqlite3_vtab *table, sqlite3_vtab_cursor **made)
{
	struct busy_cursor *c = sqlite3_malloc(sizeof(*c));
	(void)table;
	if (!c)
		return SQLITE_NOMEM;
	*c = (struct busy_cursor){.ended = true};
	*made = &c->base;
	return SQLITE_OK;
}

static int table_close(sqlite3_vtab_cursor *cursor)
{
	struct busy_cursor *c = (struct busy_cursor *)cursor;
	sqlite3_finalize(c->rows);
	free(c->lane);
	sqlite3_free(c);
	return SQLITE_OK;
}

static int table_filter(
	sqlite3_vtab_cursor *cursor, int number, const char *where, int argc, sqlite3_value **argv)
{
	struct busy_cursor *c = (struct busy_cursor *)cursor;
	bool sms = ((const struct narrow_table *)cursor->pVtab)->second;
	struct text sql = {0};
	(void)number;
	text_printf(&sql, "%s%s ORDER BY run_id, start_ns", sms ? blocks_sql : intervals_sql, where);
	int code = narrow_ask(cursor->pVtab, &sql, argc, argv, &c->rows, &c->ended);
	return code == SQLITE_OK ? next_run(c) : code;
}

static int table_next(sqlite3_vtab_cursor *cursor)
{
	struct busy_cursor *c = (struct busy_cursor *)cursor;
	return ++c->at < c->lane_count ? SQLITE_OK : next_run(c);
}

static int table_eof(sqlite3_vtab_cursor *cursor)
{
	const struct busy_cursor *c = (const struct busy_cursor *)cursor;
	return c->at >= c->lane_count;
}

static int table_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
	const struct busy_cursor *c = (const struct busy_cursor *)cursor;
	const struct lane *lane = &c->lane[c->at];
	if (column == KEY)
		sqlite3_result_int64(context, (int64_t)c->at);
	else if (column == BUSY_NS || column == SUM_NS)
		sqlite3_result_int64(context, column == BUSY_NS ? lane->busy_ns : lane->sum_ns);
	else if (column == RESOURCE)
		sqlite3_result_text(context, resources[lane->of[RESOURCE] & 3], -1, SQLITE_STATIC);
	else if (lane->of[column] != NONE)
		sqlite3_result_int64(context, lane->of[column]);
	return SQLITE_OK;
}

/* Without xCreate a table is eponymous only. */
static const sqlite3_module module = {
	.xConnect = table_connect,
	.xBestIndex = table_best_index,
	.xDisconnect = narrow_disconnect,
	.xOpen = table_open,
	.xClose = table_close,
	.xFilter = table_filter,
	.xNext = table_next,
	.xEof = table_eof,
	.xColumn = table_column,
};

bool busy_table_add(sqlite3 *db, const char *file, struct error *err)
{
	static int blocks; /* that there is something says it */
	int code = sqlite3_create_module_v2(db, "cegsim_lane_busy", &module, NULL, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_create_module_v2(db, "cegsim_sm_busy", &module, &blocks, NULL);
	return code == SQLITE_OK || sql_error(err, db, code, file, "open the file");
}

void lane_busy_table_view(struct text *sql)
{
	text_add(sql, " v_lane_busy AS SELECT run_id, resource, gpu, unit, busy_ns, sum_ns AS waiting_ns"
		      " FROM cegsim_lane_busy");
}

void sm_busy_table_view(struct text *sql)
{
	text_add(sql, " v_sm_busy AS SELECT run_id, gpu, unit AS sm, busy_ns, sum_ns AS thread_ns"
		      " FROM cegsim_sm_busy");
}
