/* db/table_pages.c - see db/table_pages.h. */
#include "db/table_pages.h"

#include <stdlib.h>
#include <string.h>

#include "db/reader_private.h"
#include "db/sql.h"

struct table_pages {
	struct leaves leaves;
	struct db_cursor *held; /* has a row and is not at its end: so SQLite keeps its lock */
	sqlite3_file *file;     /* SQLite's, which closes it */
	const char *name;
	uint32_t zero; /* bit per column: it is no column of the table, but 0 */
	int64_t numbers[];
};

/* ---- what the file is ---- */

static bool read_file(void *self, void *bytes, size_t size, int64_t at, bool *whole, struct error *err)
{
	struct table_pages *p = self;
	int code = p->file->pMethods->xRead(p->file, bytes, (int)size, at);
	*whole = code == SQLITE_OK;
	return code == SQLITE_OK || code == SQLITE_IOERR_SHORT_READ ||
	       sql_error(err, NULL, code, p->name, "read");
}

/* Takes the lock, and finds the file and the table's root. *there: false if the file is in memory. */
static bool find_root(
	struct table_pages *p, struct db_reader *r, const char *table, bool *there, struct error *err)
{
	*there = false;
	p->held = cursor_open(
		r, "SELECT rootpage FROM main.sqlite_master WHERE type = 'table' AND name = ?1", err);
	if (!p->held || !cursor_bind_text(p->held, 1, table, err) || !cursor_next(p->held, there, err))
		return false;
	int64_t root = *there ? cursor_integer(p->held, 0) : 0;
	*there = root > 0 && root <= UINT32_MAX &&
		 sqlite3_file_control(r->db, "main", SQLITE_FCNTL_FILE_POINTER, &p->file) == SQLITE_OK &&
		 p->file && p->file->pMethods;
	p->leaves.root = *there ? (uint32_t)root : 0;
	p->name = r->file;
	return true;
}

/* ---- what its columns are ---- */

/* The place of a name among others, between which are commas and blanks; `none`: it is not there. */
static uint8_t place_of(const char *name, const char *names, uint8_t none)
{
	size_t length = strlen(name);
	for (uint8_t place = 0;; place++) {
		size_t size = strcspn(names, ",");
		if (size == length && memcmp(names, name, length) == 0)
			return place;
		if (!names[size])
			return none;
		names += size + 1;
		names += strspn(names, " ");
	}
}

/* Takes in a column. False: a record has another value than SQLite gives for it, or none. */
static bool take_column(struct leaves_row *row, const struct db_cursor *q, const char *names, uint32_t *found)
{
	const char *name = cursor_text(q, 0), *type = cursor_text(q, 1);
	int64_t hidden = cursor_integer(q, 2);
	if (hidden == 2) /* it is computed when it is read */
		return true;
	if (!name || !type || hidden || cursor_integer(q, 3) || row->fields == LEAVES_FIELDS)
		return false;
	uint8_t place =
		strcmp(name, "run_id") == 0 ? (uint8_t)row->width : place_of(name, names, LEAVES_UNWANTED);
	row->to[row->fields++] = place;
	*found |= place == LEAVES_UNWANTED ? 0 : UINT32_C(1) << place;
	return place == LEAVES_UNWANTED || strcmp(type, "INTEGER") == 0;
}

/* Which field of a record is which column. *plain: all are what they seem. */
static bool find_columns(struct table_pages *p, struct db_reader *r, const char *table, const char *names,
	bool *plain, struct error *err)
{
	struct leaves_row *row = &p->leaves.row;
	uint32_t found = 0, all = (UINT32_C(2) << row->width) - 1;
	struct rows q = rows_open(
		r, "SELECT name, type, hidden, pk FROM pragma_table_xinfo(?1, 'main') ORDER BY cid", err);
	q.ok = q.ok && cursor_bind_text(q.c, 1, table, err);
	*plain = true;
	while (rows_next(&q))
		*plain = *plain && take_column(row, q.c, names, &found);
	uint8_t zero = place_of("0", names, LEAVES_UNWANTED);
	p->zero = zero == LEAVES_UNWANTED ? 0 : UINT32_C(1) << zero;
	*plain = *plain && (found | p->zero) == all;
	while (row->fields > 0 && row->to[row->fields - 1] == LEAVES_UNWANTED)
		row->fields--;
	return rows_close(&q);
}

/* ---- opening and reading ---- */

bool table_pages_open(struct db_reader *r, const char *table, const char *names, size_t columns,
	int64_t run_id, size_t most, struct table_pages **pages, struct error *err)
{
	bool there, plain = false;
	struct table_pages *p = calloc(1, sizeof(*p) + (most * columns + 1) * sizeof(*p->numbers));
	*pages = p;
	if (!p)
		return error_memory(err, "reading a recording");
	p->leaves.read = read_file;
	p->leaves.self = p;
	p->leaves.row = (struct leaves_row){.width = (unsigned)columns, .lead = run_id};
	bool ok = find_root(p, r, table, &there, err) &&
		  (!there || find_columns(p, r, table, names, &plain, err));
	enum leaves_outcome begun = ok && plain ? leaves_begin(&p->leaves, err) : LEAVES_STRANGE;
	if (begun == LEAVES_READ)
		return true;
	table_pages_close(p);
	*pages = NULL;
	return ok && begun == LEAVES_STRANGE;
}

void table_pages_close(struct table_pages *p)
{
	if (!p)
		return;
	cursor_close(p->held);
	leaves_finish(&p->leaves);
	free(p);
}

enum leaves_outcome table_pages_read(struct table_pages *p, int64_t from, int64_t last,
	const int64_t **numbers, size_t *rows, struct error *err)
{
	unsigned width = p->leaves.row.width;
	enum leaves_outcome read = leaves_read(&p->leaves, from, last, p->numbers, rows, err);
	if (read == LEAVES_READ && p->zero)
		for (size_t i = (size_t)__builtin_ctz(p->zero); i < *rows * width; i += width)
			p->numbers[i] = 0;
	*numbers = p->numbers;
	return read;
}
