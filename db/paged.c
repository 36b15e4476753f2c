/* db/paged.c - see db/paged.h. Sections are those of https://www.sqlite.org/fileformat2.html. */
#include "db/paged.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "db/pages/sorter.h"
#include "db/pages/tree.h"
#include "db/sql.h"

/* A column of a record: where in the row its value is. */
struct field {
	enum row_field field;
	size_t offset;
};

struct paged_table {
	enum row_type_id id;
	uint32_t field_count;
	struct field fields[ROW_COLUMNS_MAX];
	uint32_t lead;               /* the field with run_id */
	int start;                   /* the field with start_ns; -1: no index needs it */
	int64_t rowid, marked_rowid; /* of the last row; at the mark */
	struct tree rows, by_run, by_start;
	struct sorter starts; /* of the run that is written */
	int64_t last_start;   /* in by_start, of its last entry */
	int64_t run_id;       /* of the last row */
	int64_t runs, distinct_starts;
	uint32_t root, root_by_run, root_by_start;
};

struct paged {
	const char *part;
	struct page_store store;
	uint32_t marked_pages;
	struct paged_table *tables[ROW_TYPES]; /* NULL: it has no rows yet */
};

/* ---- which tables ---- */

bool paged_takes(enum row_type_id id)
{
	const struct row_type *type = &row_types[id];
	bool takes = id >= ROWS_FIRST_OF_RUN && id != ROWS_MEASURED && !type->constraint;
	for (size_t i = 0; takes && i < type->column_count; i++)
		takes = type->columns[i].field != FIELD_TEXT &&
			type->columns[i].field != FIELD_TASK_OR_NULL && type->columns[i].field != FIELD_KEY &&
			type->columns[i].field != FIELD_OTHER;
	return takes;
}

/* db/indexes.sql: every table has an index on run_id; these have one on run_id, start_ns, power_interval only
 * that. */
static bool has_start(enum row_type_id id)
{
	return id == ROWS_SEGMENT_INTERVAL || id == ROWS_BLOCK_INTERVAL || id == ROWS_POWER_INTERVAL;
}

static bool is_by_run(enum row_type_id id)
{
	return id != ROWS_POWER_INTERVAL;
}

static void table_destroy(struct paged_table *t)
{
	if (!t)
		return;
	tree_finish(&t->rows);
	tree_finish(&t->by_run);
	tree_finish(&t->by_start);
	sorter_finish(&t->starts);
	free(t);
}

static struct paged_table *table_create(struct paged *p, enum row_type_id id, struct error *err)
{
	const struct row_type *type = &row_types[id];
	struct paged_table *t = calloc(1, sizeof(*t));
	if (!t) {
		error_memory(err, "writing a recording");
		return NULL;
	}
	t->id = id;
	t->start = -1;
	for (size_t i = 0; i < type->column_count; i++) {
		const struct row_column *c = &type->columns[i];
		if (c->field > FIELD_LEAD) /* columns that are computed are not in the file */
			continue;
		if (c->field == FIELD_LEAD)
			t->lead = t->field_count;
		if (has_start(id) && strcmp(c->name, "start_ns") == 0)
			t->start = (int)t->field_count;
		t->fields[t->field_count++] = (struct field){c->field, c->offset};
	}
	tree_init(&t->rows, &p->store, false, 1 + t->field_count * (1 + RECORD_INTEGER_MAX));
	tree_init(&t->by_run, &p->store, true, 0);
	tree_init(&t->by_start, &p->store, true, 0);
	sorter_init(&t->starts, p->part, 0);
	tree_mark(&t->rows);
	return t;
}

struct paged *paged_create(const char *part, uint32_t pages, struct error *err)
{
	struct paged *p = calloc(1, sizeof(*p));
	if (!p) {
		error_memory(err, "opening a recording");
		return NULL;
	}
	p->part = part;
	store_init(&p->store, part, pages);
	return p;
}

void paged_destroy(struct paged *p)
{
	if (!p)
		return;
	for (int id = 0; id < ROW_TYPES; id++)
		table_destroy(p->tables[id]);
	store_finish(&p->store);
	free(p);
}

int64_t paged_rowid(const struct paged *p, enum row_type_id id)
{
	return p && p->tables[id] ? p->tables[id]->rowid : 0;
}

/* ---- rows ---- */

static inline int64_t load_u16(const char *at)
{
	uint16_t value;
	memcpy(&value, at, sizeof(value));
	return value;
}

/* Rows that are taken at a time: their values stay in the cache. */
#define TOGETHER 16
/* Their values: of each row the fields in their order. */
struct values {
	int64_t of[TOGETHER][ROW_COLUMNS_MAX];
};

/* The values of one field; DB_NULL: NULL. The kind of a field is looked at once for all rows. */
#define EACH_ROW(value)                                                                                      \
	do {                                                                                                 \
		for (size_t i = 0; i < count; i++, at += size)                                               \
			to->of[i][k] = (value);                                                              \
	} while (0)

static void load(const struct paged_table *t, uint32_t k, const char *rows, size_t count, int64_t run_id,
	int64_t first_task_id, struct values *to)
{
	const size_t size = row_types[t->id].row_size;
	const char *at = rows + t->fields[k].offset;
	switch (t->fields[k].field) {
	case FIELD_LEAD:
		EACH_ROW(run_id);
		break;
	case FIELD_U8:
		EACH_ROW((uint8_t)*at);
		break;
	case FIELD_U16:
		EACH_ROW(load_u16(at));
		break;
	case FIELD_U32:
	case FIELD_TASK_INDEX:
		EACH_ROW(row_load_u32(at));
		break;
	case FIELD_U32_OR_NONE:
		EACH_ROW(row_load_u32(at) == ROW_NONE ? DB_NULL : row_load_u32(at));
		break;
	case FIELD_U32_OR_ZERO:
		EACH_ROW(row_load_u32(at) == 0 ? DB_NULL : row_load_u32(at));
		break;
	case FIELD_TASK:
		EACH_ROW(first_task_id + row_load_u32(at));
		break;
	case FIELD_INSTANT:
		EACH_ROW(row_load_integer(at) < 0 ? DB_NULL : row_load_integer(at));
		break;
	default:
		EACH_ROW(row_load_integer(at));
	}
}

/* A value into a record; DB_NULL is no value that a column has. */
static inline uint8_t *put_value(uint8_t *type, uint8_t *end, int64_t value)
{
	uint8_t *first = put_integer(type, end, value);
	*type = value == DB_NULL ? RECORD_NULL : *type;
	return value == DB_NULL ? end : first;
}

/* 2.1: the size of the header, the types, the values; the last value first. Returns the first byte. */
_Static_assert(1 + ROW_COLUMNS_MAX < 0x80, "the size of a header is one byte, as is a type");
static inline uint8_t *put_record(uint8_t *end, const int64_t *values, uint32_t count)
{
	uint8_t types[ROW_COLUMNS_MAX];
	for (uint32_t i = count; i-- > 0;)
		end = put_value(&types[i], end, values[i]);
	end -= count;
	memcpy(end, types, count);
	*--end = (uint8_t)(1 + count);
	return end;
}

static bool add_row(struct paged_table *t, const int64_t *values, struct error *err)
{
	uint8_t *end = tree_begin_row(&t->rows, ++t->rowid, err);
	if (!end)
		return false;
	tree_end_row(&t->rows, t->rowid, put_record(end, values, t->field_count));
	return t->start < 0 || sorter_add(&t->starts, values[t->start], t->rowid, err);
}

/* 2.3: an entry is the columns of the index and the rowid. */
static inline bool add_entry(struct tree *t, const int64_t *values, uint32_t count, struct error *err)
{
	uint8_t *end = tree_begin_entry(t, err);
	if (!end)
		return false;
	tree_end_entry(t, put_record(end, values, count));
	return true;
}

static struct paged_table *table_of(struct paged *p, enum row_type_id id, struct error *err)
{
	if (!p->tables[id])
		p->tables[id] = table_create(p, id, err);
	return p->tables[id];
}

bool paged_rows(struct paged *p, enum row_type_id id, const void *rows, size_t count, int64_t run_id,
	int64_t first_task_id, struct error *err)
{
	struct paged_table *t = table_of(p, id, err);
	const char *row = rows;
	struct values values;
	if (!t)
		return false;
	bool ok = true;
	t->run_id = run_id;
	for (size_t done = 0, now; ok && done < count; done += now, row += now * row_types[id].row_size) {
		now = count - done < TOGETHER ? count - done : TOGETHER;
		for (uint32_t k = 0; k < t->field_count; k++)
			load(t, k, row, now, run_id, first_task_id, &values);
		for (size_t i = 0; ok && i < now; i++)
			ok = add_row(t, values.of[i], err);
	}
	return ok;
}

/* ---- runs ---- */

void paged_begin_run(struct paged *p)
{
	p->marked_pages = store_count(&p->store);
	for (int id = 0; id < ROW_TYPES; id++) {
		struct paged_table *t = p->tables[id];
		if (!t)
			continue;
		tree_mark(&t->rows);
		t->marked_rowid = t->rowid;
	}
}

void paged_discard_run(struct paged *p)
{
	for (int id = 0; id < ROW_TYPES; id++) {
		struct paged_table *t = p->tables[id];
		if (!t)
			continue;
		tree_restore(&t->rows);
		sorter_clear(&t->starts);
		t->rowid = t->marked_rowid;
	}
	store_cut(&p->store, p->marked_pages);
}

static bool add_by_run(struct paged_table *t, int64_t run_id, struct error *err)
{
	for (int64_t rowid = t->marked_rowid + 1; rowid <= t->rowid; rowid++)
		if (!add_entry(&t->by_run, (const int64_t[]){run_id, rowid}, 2, err))
			return false;
	return true;
}

struct adding {
	struct paged_table *table;
	int64_t run_id;
	bool begun;
};

static bool add_start(void *self, int64_t start_ns, int64_t rowid, struct error *err)
{
	struct adding *a = self;
	struct paged_table *t = a->table;
	t->distinct_starts += !a->begun || start_ns != t->last_start;
	t->last_start = start_ns;
	a->begun = true;
	return add_entry(&t->by_start, (const int64_t[]){a->run_id, start_ns, rowid}, 3, err);
}

/* The rows behind the mark are those that the table has of the run. */
static bool end_run(struct paged_table *t, struct error *err)
{
	struct adding adding = {t, t->run_id, false};
	if (t->rowid == t->marked_rowid)
		return true;
	t->runs++;
	if ((is_by_run(t->id) && !add_by_run(t, t->run_id, err)) ||
		!sorter_drain(&t->starts, add_start, &adding, err))
		return false;
	t->marked_rowid = t->rowid;
	return true;
}

bool paged_end_run(struct paged *p, struct error *err)
{
	for (int id = 0; id < ROW_TYPES; id++)
		if (p->tables[id] && !end_run(p->tables[id], err))
			return false;
	return true;
}

bool paged_copy(struct paged *p, enum row_type_id id, sqlite3_stmt *row, struct error *err)
{
	int64_t values[ROW_COLUMNS_MAX];
	struct paged_table *t = table_of(p, id, err);
	if (!t)
		return false;
	for (uint32_t i = 0; i < t->field_count; i++) {
		values[i] = sqlite3_column_int64(row, (int)i);
		if (values[i] == 0 && sqlite3_column_type(row, (int)i) == SQLITE_NULL)
			values[i] = DB_NULL;
	}
	int64_t run_id = values[t->lead];
	if (run_id < t->run_id)
		return error_set(err, STATUS_INPUT, "rows of table %s are not in the order of their runs",
			row_types[id].table);
	if (run_id > t->run_id && !end_run(t, err))
		return false;
	t->run_id = run_id;
	return add_row(t, values, err);
}

/* ---- the end ---- */

/* Rows in the table, then how many have the same first column, the same first two columns, on an average:
 * 2.6.3. */
bool paged_statistics(const struct paged *p, sqlite3 *db, struct error *err)
{
	for (int id = 0; id < ROW_TYPES; id++) {
		const struct paged_table *t = p->tables[id];
		char sql[512], insert[] = "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ";
		if (!t || t->rowid == 0)
			continue;
		const char *name = row_types[id].table;
		int64_t in_run = (t->rowid + t->runs - 1) / t->runs;
		snprintf(sql, sizeof(sql), "%s('%s', '%s_run', '%" PRId64 " %" PRId64 "')", insert, name,
			name, t->rowid, in_run);
		if (is_by_run(t->id) && !sql_exec(db, sql, p->part, err))
			return false;
		if (!has_start(t->id))
			continue;
		snprintf(sql, sizeof(sql), "%s('%s', '%s_%s', '%" PRId64 " %" PRId64 " %" PRId64 "')", insert,
			name, name, is_by_run(t->id) ? "start" : "run", t->rowid, in_run,
			(t->rowid + t->distinct_starts - 1) / t->distinct_starts);
		if (!sql_exec(db, sql, p->part, err))
			return false;
	}
	return true;
}

static bool find_root(const struct paged *p, sqlite3 *db, const char *table, const char *suffix,
	uint32_t *root, struct error *err)
{
	char sql[200];
	int64_t number;
	snprintf(sql, sizeof(sql), "SELECT rootpage FROM sqlite_master WHERE name = '%s%s'", table, suffix);
	if (!sql_query_integer(db, sql, &number, p->part, err))
		return false;
	assert(number > 1);
	*root = (uint32_t)number;
	return true;
}

bool paged_roots(struct paged *p, sqlite3 *db, struct error *err)
{
	for (int id = 0; id < ROW_TYPES; id++) {
		struct paged_table *t = p->tables[id];
		if (!t || t->rowid == 0)
			continue;
		const char *name = row_types[id].table, *start = is_by_run(t->id) ? "_start" : "_run";
		if (!find_root(p, db, name, "", &t->root, err) ||
			(is_by_run(t->id) && !find_root(p, db, name, "_run", &t->root_by_run, err)) ||
			(has_start(t->id) && !find_root(p, db, name, start, &t->root_by_start, err)))
			return false;
	}
	return true;
}

static bool end_tree(const struct page_file *f, struct tree *t, uint32_t root, struct error *err)
{
	uint8_t page[PAGE_SIZE];
	return root == 0 || (tree_end(t, page, err) &&
				    f->write(f->self, page, PAGE_SIZE, (int64_t)(root - 1) * PAGE_SIZE, err));
}

#define HEAD 100 /* bytes of the header of a file */

/* 1.3: byte 24 counts changes, 28 is the number of pages, which counts if 92 is as 24. */
static bool change_head(const struct page_file *f, uint32_t pages, struct error *err)
{
	uint8_t head[HEAD];
	if (!f->read(f->self, head, HEAD, 0, err))
		return false;
	put32(head + 24, get32(head + 24) + 1);
	put32(head + 28, pages);
	put32(head + 92, get32(head + 24));
	return f->write(f->self, head, HEAD, 0, err);
}

bool paged_write(struct paged *p, uint32_t pages, const struct page_file *file, const char *new_name,
	bool *whole, struct error *err)
{
	*whole = false;
	if (!store_settle(&p->store, pages, err))
		return false;
	for (int id = 0; id < ROW_TYPES; id++) {
		struct paged_table *t = p->tables[id];
		if (t && (!end_tree(file, &t->rows, t->root, err) ||
				 !end_tree(file, &t->by_run, t->root_by_run, err) ||
				 !end_tree(file, &t->by_start, t->root_by_start, err)))
			return false;
	}
	uint32_t last = store_last(&p->store);
	return last == pages ||
	       (change_head(file, last, err) && store_join(&p->store, file, new_name, whole, err));
}
