/* db/packed.c - see db/packed.h. */
#include "db/packed.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "db/packed_view.h"
#include "db/sql.h"
#include "db/writer_private.h"

/* A shape is looked for among so many before: those of a task come again and again. */
#define SHAPES_BEHIND 16

struct packing {
	struct segment_row *shapes; /* without what is in `times` */
	size_t shape_count;
	struct task_segments_row *tasks;
	struct text text; /* that of the tasks, one behind the other */
};

/* ---- packing ---- */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_shape(const struct segment_row *a, const struct segment_row *b)
{
	const struct row_type *type = &row_types[ROWS_SEGMENT_SHAPE];
	for (size_t i = 0; i < type->column_count; i++) {
		const struct row_column *c = &type->columns[i];
		if (c->field == FIELD_TEXT ? !same_text(row_text(c, a), row_text(c, b))
					   : row_is_member(c) && row_number(c, a) != row_number(c, b))
			return false;
	}
	return true;
}

/* The place of the segment's shape, not before `first`. */
static size_t find_shape(struct packing *p, const struct segment_row *segment, size_t first)
{
	size_t last = p->shape_count;
	if (last > first + SHAPES_BEHIND)
		first = last - SHAPES_BEHIND;
	for (size_t i = last; i-- > first;)
		if (same_shape(&p->shapes[i], segment))
			return i;
	p->shapes[last] = *segment;
	return p->shape_count++;
}

/* UTF-8 (RFC 3629, section 3). */
static void add_character(struct text *t, size_t c)
{
	int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const unsigned lead[] = {0, 0xC0, 0xE0, 0xF0};
	text_add_char(t, (char)(lead[more] | c >> 6 * more));
	while (more-- > 0)
		text_add_char(t, (char)(0x80 | (c >> 6 * more & 0x3F)));
}

static void add_shape(struct text *t, size_t place)
{
	size_t c = FIRST_SHAPE + place;
	add_character(t, c < SURROGATES ? c : c - SURROGATES + BEHIND_SURROGATES);
}

static void add_time(struct text *t, int64_t ns)
{
	char digits[20], *first = digits + sizeof(digits);
	if (ns == DB_NULL) {
		text_add(t, "null");
		return;
	}
	uint64_t left = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	do
		*--first = (char)('0' + left % 10);
	while (left /= 10);
	if (ns < 0)
		text_add_char(t, '-');
	text_add_bytes(t, first, (size_t)(digits + sizeof(digits) - first));
}

static void add_times(struct text *t, const struct segment_row *s)
{
	bool equal = s->best_ns == s->worst_ns;
	if (equal && !s->interleave) {
		add_time(t, s->worst_ns);
		return;
	}
	text_add_char(t, '[');
	add_time(t, s->worst_ns);
	text_add(t, equal ? ",\"\"" : ",");
	if (!equal)
		add_time(t, s->best_ns);
	if (s->interleave) {
		text_add_char(t, ',');
		text_add_json(t, s->interleave);
	}
	text_add_char(t, ']');
}

/* The task's shapes are those from the earliest that it may have on. */
static void pack_task(
	struct packing *p, struct task_segments_row *row, const struct segment_row *segments, size_t count)
{
	size_t first = p->shape_count < SHAPES_BEHIND ? 0 : p->shape_count - SHAPES_BEHIND;
	row->first_shape_id = (int64_t)first;
	for (size_t i = 0; i < count; i++) {
		assert(segments[i].segment_idx == (int64_t)i);
		add_shape(&p->text, find_shape(p, &segments[i], first) - first);
	}
	text_add_char(&p->text, '\0');
	text_add_char(&p->text, '[');
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			text_add_char(&p->text, ',');
		add_times(&p->text, &segments[i]);
	}
	text_add_bytes(&p->text, "]", 2); /* and its end */
}

/* The texts stand where they stay once all have been written. */
static void point_at_texts(struct packing *p, size_t task_count, int64_t first_shape_id)
{
	const char *at = text_data(&p->text);
	for (size_t i = 0; i < task_count; i++) {
		p->tasks[i].first_shape_id += first_shape_id;
		p->tasks[i].shapes = at;
		at += strlen(at) + 1;
		p->tasks[i].times = at;
		at += strlen(at) + 1;
	}
}

static bool pack(struct packing *p, const struct taskset_row *set, struct error *err)
{
	size_t at = 0;
	p->shapes = malloc((set->segment_count + 1) * sizeof(*p->shapes));
	p->tasks = calloc(set->task_count + 1, sizeof(*p->tasks));
	if (!p->shapes || !p->tasks)
		return error_memory(err, "writing a recording");
	for (size_t i = 0; i < set->task_count; i++) {
		size_t first = at;
		while (at < set->segment_count && set->segments[at].task == i)
			at++;
		p->tasks[i].task = (uint32_t)i;
		pack_task(p, &p->tasks[i], &set->segments[first], at - first);
	}
	assert(at == set->segment_count);
	return text_ok(&p->text, "writing a recording", err);
}

bool packed_insert(
	struct db_writer *w, const struct taskset_row *set, int64_t first_task_id, struct error *err)
{
	struct packing p = {0};
	bool ok = pack(&p, set, err) &&
		  writer_insert(w, ROWS_SEGMENT_SHAPE, p.shapes, p.shape_count, first_task_id, err);
	if (ok) {
		/* The rows follow on one another, and on those of the set before. */
		int64_t last = p.shape_count ? sqlite3_last_insert_rowid(w->db) : 0;
		point_at_texts(&p, set->task_count, last - (int64_t)p.shape_count + 1);
		ok = writer_insert(w, ROWS_TASK_SEGMENTS, p.tasks, set->task_count, first_task_id, err);
	}
	text_finish(&p.text);
	free(p.shapes);
	free(p.tasks);
	return ok;
}

/* ---- beginning ---- */

static bool add_view(struct db_writer *w, struct error *err)
{
	struct text sql = {0};
	text_add(&sql, "DROP TABLE segment;\n");
	packed_view(&sql);
	text_add(&sql, ";\n");
	bool ok = text_ok(&sql, "writing a recording", err) && sql_exec(w->db, text_data(&sql), w->part, err);
	text_finish(&sql);
	return ok;
}

/* Parts have no views. */
bool packed_begin(struct db_writer *w, struct error *err)
{
	w->packs = true;
	return w->kind == WRITER_PART || add_view(w, err);
}
