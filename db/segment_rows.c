/* db/segment_rows.c - see db/segment_rows.h. */
#include "db/segment_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/text.h"
#include "db/packed_view.h"
#include "db/row_types.h"

#define TASKS_KEPT 1024 /* tasks of one set have places of their own, if they are no more */
#define SHAPES_KEPT 256 /* a set has a few */
#define VALUES_KEPT                                                                                          \
	1000000 /* 8 bytes each, and 70 more of those that the view gave and that are not NULL               \
		 */

/* A row of segment_shape. */
struct shape {
	unsigned users; /* the source, rows */
	int64_t shape_id;
	sqlite3_value
		*value[ROW_COLUMNS_MAX]; /* in the order of the view; NULL is NULL, or not of the shape */
};

/* A segment as the writer packed it. */
struct packed_row {
	struct shape *shape;
	int64_t best_ns, worst_ns;
	bool has_best, has_worst;
	const char *interleave; /* in `text` of its task, `length` bytes; NULL: none */
	size_t length;
};

struct segment_rows {
	unsigned users; /* the source, cursors */
	int64_t task_id;
	struct packed_row *row;
	size_t row_count, row_capacity;
	char *text; /* what the rows point into */
	sqlite3_value *
		*value; /* of the view, in place of `row`: column by column, row by row; NULL is NULL */
	size_t value_count, value_capacity;
};

struct segment_source {
	sqlite3 *db;
	sqlite3_stmt *packed_task, *shape, *of_task;
	int task_id, segment_idx, best_ns, worst_ns, interleave; /* columns that are not of the shape */
	struct segment_rows *kept[TASKS_KEPT];
	struct shape *shapes[SHAPES_KEPT];
	size_t values; /* in those that were kept since none were */
};

static size_t columns(void)
{
	return row_types[ROWS_SEGMENT].column_count;
}

/* ---- shapes ---- */

static void shape_release(struct shape *shape)
{
	if (!shape || --shape->users > 0)
		return;
	for (size_t i = 0; i < columns(); i++)
		sqlite3_value_free(shape->value[i]);
	free(shape);
}

static int add_value(sqlite3_stmt *stmt, int column, sqlite3_value **value)
{
	bool is_null = sqlite3_column_type(stmt, column) == SQLITE_NULL;
	*value = is_null ? NULL : sqlite3_value_dup(sqlite3_column_value(stmt, column));
	return *value || is_null ? SQLITE_OK : SQLITE_NOMEM;
}

static bool is_of_shape(const struct segment_source *s, int column)
{
	return column != s->task_id && column != s->segment_idx && column != s->best_ns &&
	       column != s->worst_ns && column != s->interleave;
}

static int prepare_shape(struct segment_source *s)
{
	struct text sql = {0};
	text_add(&sql, "SELECT");
	for (size_t i = 0; i < columns(); i++)
		text_printf(&sql, "%s %s", i ? "," : "",
			is_of_shape(s, (int)i) ? row_types[ROWS_SEGMENT].columns[i].name : "NULL");
	text_add(&sql, " FROM main.segment_shape WHERE shape_id = ?1");
	int code =
		sql.failed ? SQLITE_NOMEM : sqlite3_prepare_v2(s->db, text_data(&sql), -1, &s->shape, NULL);
	text_finish(&sql);
	return code;
}

static int read_shape(struct segment_source *s, struct shape *shape)
{
	int code = s->shape ? SQLITE_OK : prepare_shape(s);
	if (code == SQLITE_OK)
		code = sqlite3_bind_int64(s->shape, 1, shape->shape_id);
	if (code != SQLITE_OK)
		return code;
	code = sqlite3_step(s->shape);
	bool found = code == SQLITE_ROW;
	if (found)
		code = SQLITE_OK;
	for (size_t i = 0; found && code == SQLITE_OK && i < columns(); i++)
		code = add_value(s->shape, (int)i, &shape->value[i]);
	sqlite3_reset(s->shape);
	return code;
}

/* SQLITE_DONE: there is none. The caller is one of its users. */
static int find_shape(struct segment_source *s, int64_t shape_id, struct shape **found)
{
	struct shape **place = &s->shapes[(uint64_t)shape_id % SHAPES_KEPT];
	if (!*place || (*place)->shape_id != shape_id) {
		struct shape *shape = calloc(1, sizeof(*shape));
		if (!shape)
			return SQLITE_NOMEM;
		shape->users = 1;
		shape->shape_id = shape_id;
		int code = read_shape(s, shape);
		if (code != SQLITE_OK) {
			shape_release(shape);
			return code;
		}
		shape_release(*place);
		*place = shape;
	}
	*found = *place;
	(*found)->users++;
	return SQLITE_OK;
}

/* ---- packed texts ---- */

/* The next character, as SQLite's unicode() has it; 0: it may have something else. */
static uint32_t next_character(const unsigned char **at)
{
	const unsigned char *c = *at;
	int more = c[0] < 0x80   ? 0
		   : c[0] < 0xC2 ? -1
		   : c[0] < 0xE0 ? 1
		   : c[0] < 0xF0 ? 2
		   : c[0] < 0xF5 ? 3
				 : -1;
	static const uint32_t least[] = {1, 0x80, 0x800, 0x10000};
	if (more < 0)
		return 0;
	uint32_t value = more == 0 ? c[0] : c[0] & (0x3FU >> more);
	for (int i = 1; i <= more; i++) {
		if ((c[i] & 0xC0) != 0x80)
			return 0;
		value = value << 6 | (c[i] & 0x3F);
	}
	*at = c + 1 + more;
	return value < least[more] || (value >= 0xD800 && value <= 0xFFFF) || value > 0x10FFFF ? 0 : value;
}

/* An integer without superfluous digits, or null. False: something else. */
static bool read_time(char **at, int64_t *value, bool *has)
{
	char *c = *at;
	bool minus = *c == '-';
	*has = strncmp(c, "null", 4) != 0;
	*value = 0;
	if (!*has) {
		*at = c + 4;
		return true;
	}
	c += minus;
	if (*c < '0' || *c > '9' || (*c == '0' && (minus || (c[1] >= '0' && c[1] <= '9'))))
		return false;
	for (; *c >= '0' && *c <= '9'; c++)
		if (__builtin_mul_overflow(*value, 10, value) ||
			__builtin_add_overflow(*value, *c - '0', value))
			return false;
	*value = minus ? -*value : *value;
	*at = c;
	return true;
}

/* A string in which JSON escapes quotes and backslashes at most; what it means takes its place. */
static bool read_string(char **at, struct packed_row *row)
{
	char *c = *at, *to = c + 1;
	if (*c++ != '"')
		return false;
	row->interleave = to;
	for (; (unsigned char)*c >= ' ' && *c != '"'; *to++ = *c++)
		if (*c == '\\' && *++c != '"' && *c != '\\')
			return false;
	row->length = (size_t)(to - row->interleave);
	*at = c + 1;
	return *c == '"';
}

/* The times of one segment (TASK_SEGMENTS_COLUMNS in db/columns_asked.h). */
static bool read_times(char **at, struct packed_row *row)
{
	bool array = **at == '[';
	*at += array;
	if (!read_time(at, &row->worst_ns, &row->has_worst))
		return false;
	row->best_ns = row->worst_ns;
	row->has_best = row->has_worst;
	if (!array)
		return true;
	if (*(*at)++ != ',')
		return false;
	if (strncmp(*at, "\"\"", 2) == 0)
		*at += 2;
	else if (!read_time(at, &row->best_ns, &row->has_best))
		return false;
	if (**at == ',' && (++*at, !read_string(at, row)))
		return false;
	return *(*at)++ == ']';
}

/* SQLITE_DONE: the view has to be asked. `shapes` and the rows' text are terminated. */
static int unpack(
	struct segment_source *s, struct segment_rows *rows, int64_t first_shape_id, const char *shapes)
{
	const unsigned char *shape = (const unsigned char *)shapes;
	char *at = rows->text;
	if (*at++ != '[')
		return SQLITE_DONE;
	while (*at != ']') {
		int64_t shape_id;
		struct packed_row row = {0};
		if (rows->row_count > 0 && *at++ != ',')
			return SQLITE_DONE;
		uint32_t place = read_times(&at, &row) ? next_character(&shape) : 0;
		if (place == 0 || __builtin_add_overflow(first_shape_id, packed_shape(place), &shape_id))
			return SQLITE_DONE;
		if (!list_reserve(&rows->row, &rows->row_capacity, rows->row_count + 1, sizeof(row)))
			return SQLITE_NOMEM;
		int code = find_shape(s, shape_id, &row.shape);
		if (code != SQLITE_OK)
			return code;
		rows->row[rows->row_count++] = row;
	}
	return at[1] || *shape ? SQLITE_DONE : SQLITE_OK;
}

static void forget_packed(struct segment_rows *rows)
{
	for (size_t i = 0; i < rows->row_count; i++)
		shape_release(rows->row[i].shape);
	free(rows->row);
	free(rows->text);
	rows->row = NULL;
	rows->text = NULL;
	rows->row_count = rows->row_capacity = 0;
}

static bool is_text(sqlite3_stmt *stmt, int column)
{
	return sqlite3_column_type(stmt, column) == SQLITE_TEXT &&
	       strlen((const char *)sqlite3_column_text(stmt, column)) ==
		       (size_t)sqlite3_column_bytes(stmt, column);
}

/* SQLITE_DONE: the view has to be asked. */
static int read_packed(struct segment_source *s, struct segment_rows *rows)
{
	static const char sql[] =
		"SELECT first_shape_id, shapes, times FROM main.task_segments WHERE task_id = ?1";
	int code = s->packed_task ? SQLITE_OK : sqlite3_prepare_v2(s->db, sql, -1, &s->packed_task, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_bind_int64(s->packed_task, 1, rows->task_id);
	if (code != SQLITE_OK)
		return code;
	sqlite3_stmt *p = s->packed_task;
	code = sqlite3_step(p);
	if (code == SQLITE_DONE) {
		code = SQLITE_OK; /* no such task */
	} else if (code == SQLITE_ROW) {
		code = SQLITE_DONE;
		if (sqlite3_column_type(p, 0) == SQLITE_INTEGER && is_text(p, 1) && is_text(p, 2)) {
			rows->text = strdup((const char *)sqlite3_column_text(p, 2));
			code = rows->text ? unpack(s, rows, sqlite3_column_int64(p, 0),
						    (const char *)sqlite3_column_text(p, 1))
					  : SQLITE_NOMEM;
		}
	}
	sqlite3_reset(p);
	if (code != SQLITE_OK)
		forget_packed(rows);
	return code;
}

/* ---- rows of the view ---- */

static int prepare_view(struct segment_source *s)
{
	struct text sql = {0};
	text_add(&sql, "SELECT");
	for (size_t i = 0; i < columns(); i++)
		text_printf(&sql, "%s %s", i ? "," : "", row_types[ROWS_SEGMENT].columns[i].name);
	text_add(&sql, " FROM main.segment WHERE task_id = ?1");
	int code =
		sql.failed ? SQLITE_NOMEM : sqlite3_prepare_v2(s->db, text_data(&sql), -1, &s->of_task, NULL);
	text_finish(&sql);
	return code;
}

static int add_row(struct segment_rows *rows, sqlite3_stmt *stmt)
{
	int code = SQLITE_OK;
	if (!list_reserve(&rows->value, &rows->value_capacity, rows->value_count + columns(),
		    sizeof(sqlite3_value *)))
		return SQLITE_NOMEM;
	for (size_t i = 0; code == SQLITE_OK && i < columns(); i++)
		code = add_value(stmt, (int)i, &rows->value[rows->value_count++]);
	return code;
}

static int read_view(struct segment_source *s, struct segment_rows *rows)
{
	int code = s->of_task ? SQLITE_OK : prepare_view(s);
	if (code == SQLITE_OK)
		code = sqlite3_bind_int64(s->of_task, 1, rows->task_id);
	if (code != SQLITE_OK)
		return code;
	while ((code = sqlite3_step(s->of_task)) == SQLITE_ROW)
		if ((code = add_row(rows, s->of_task)) != SQLITE_OK)
			break;
	sqlite3_reset(s->of_task);
	return code == SQLITE_DONE ? SQLITE_OK : code;
}

/* ---- rows of a task ---- */

void segment_rows_release(struct segment_rows *rows)
{
	if (!rows || --rows->users > 0)
		return;
	forget_packed(rows);
	for (size_t i = 0; i < rows->value_count; i++)
		sqlite3_value_free(rows->value[i]);
	free(rows->value);
	free(rows);
}

static void forget_all(struct segment_source *s)
{
	for (size_t i = 0; i < TASKS_KEPT; i++) {
		segment_rows_release(s->kept[i]);
		s->kept[i] = NULL;
	}
	s->values = 0;
}

/* Those that are kept, or read now. */
int segment_rows_find(struct segment_source *s, int64_t task_id, struct segment_rows **found)
{
	struct segment_rows **place = &s->kept[(uint64_t)task_id % TASKS_KEPT];
	if (!*place || (*place)->task_id != task_id) {
		struct segment_rows *rows = calloc(1, sizeof(*rows));
		if (!rows)
			return SQLITE_NOMEM;
		rows->users = 1;
		rows->task_id = task_id;
		int code = read_packed(s, rows);
		if (code == SQLITE_DONE)
			code = read_view(s, rows);
		if (code != SQLITE_OK) {
			segment_rows_release(rows);
			return code;
		}
		size_t values =
			rows->value_count + rows->row_count * sizeof(*rows->row) / sizeof(*rows->value);
		if (s->values + values > VALUES_KEPT)
			forget_all(s);
		segment_rows_release(*place);
		*place = rows;
		s->values += values;
	}
	*found = *place;
	(*found)->users++;
	return SQLITE_OK;
}

size_t segment_rows_count(const struct segment_rows *rows)
{
	return rows->value ? rows->value_count / columns() : rows->row_count;
}

/* As rows of the view; where they are NULL the result stays that. */
static void result_packed(const struct segment_source *s, const struct segment_rows *rows, size_t at,
	int column, sqlite3_context *context)
{
	const struct packed_row *row = &rows->row[at];
	if (is_of_shape(s, column)) {
		if (row->shape->value[column])
			sqlite3_result_value(context, row->shape->value[column]);
	} else if (column == s->task_id)
		sqlite3_result_int64(context, rows->task_id);
	else if (column == s->segment_idx)
		sqlite3_result_int64(context, (int64_t)at);
	else if (column == s->best_ns && row->has_best)
		sqlite3_result_int64(context, row->best_ns);
	else if (column == s->worst_ns && row->has_worst)
		sqlite3_result_int64(context, row->worst_ns);
	else if (column == s->interleave && row->interleave)
		sqlite3_result_text(context, row->interleave, (int)row->length, SQLITE_TRANSIENT);
}

void segment_rows_result(const struct segment_source *s, const struct segment_rows *rows, size_t row,
	int column, sqlite3_context *context)
{
	if (!rows->value) {
		result_packed(s, rows, row, column, context);
		return;
	}
	sqlite3_value *value = rows->value[row * columns() + (size_t)column];
	if (value)
		sqlite3_result_value(context, value);
}

/* ---- the source ---- */

static int column_of(const char *name)
{
	const struct row_type *type = &row_types[ROWS_SEGMENT];
	int i = 0;
	while (strcmp(type->columns[i].name, name) != 0)
		i++;
	return i;
}

int segment_source_create(sqlite3 *db, struct segment_source **made)
{
	struct segment_source *s = calloc(1, sizeof(*s));
	if (!s)
		return SQLITE_NOMEM;
	s->db = db;
	s->task_id = column_of("task_id");
	s->segment_idx = column_of("segment_idx");
	s->best_ns = column_of("best_ns");
	s->worst_ns = column_of("worst_ns");
	s->interleave = column_of("interleave");
	*made = s;
	return SQLITE_OK;
}

void segment_source_destroy(struct segment_source *s)
{
	if (!s)
		return;
	forget_all(s);
	for (size_t i = 0; i < SHAPES_KEPT; i++)
		shape_release(s->shapes[i]);
	sqlite3_finalize(s->packed_task);
	sqlite3_finalize(s->shape);
	sqlite3_finalize(s->of_task);
	free(s);
}
