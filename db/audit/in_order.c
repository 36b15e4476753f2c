/* db/audit/in_order.c - see db/audit/in_order.h. */
#include "db/audit/in_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/list.h"
#include "db/audit/query.h"

#define LIMIT 65536

const struct row_order order_of_jobs = {
	.table = "job",
	.columns = "task_id, seq, release_ns, abs_deadline_ns, first_start_ns, finish_ns, outcome",
	.count = JOB_NUMBERS,
	.key = "release_ns",
	.key_at = 2,
	.by_job = true,
	.code = "0",
};

const struct row_order order_of_intervals = {
	.table = "segment_interval",
	.columns = "task_id, seq, segment_idx, part, code, unit, ready_ns, start_ns, end_ns, granted",
	.count = INTERVAL_NUMBERS - 1,
	.on_gpus = true,
	.key = "ready_ns",
	.key_at = 6,
	.code = "code",
};

const struct row_order order_of_blocks = {
	.table = "block_interval",
	.columns = "task_id, seq, segment_idx, block, sm, slot, threads, start_ns, end_ns, ended_code",
	.count = BLOCK_NUMBERS - 1,
	.on_gpus = true,
	.key = "start_ns",
	.key_at = 7,
	.code = "0",
};

/* ---- the first pass ---- */

/* The least key of the rows that were read together; whether there are calls. */
static int64_t least_of(const struct numbers *n, bool *calls)
{
	int64_t least = n->rows[0];
	for (size_t i = 0; i < n->row_count; i++) {
		const int64_t *row = &n->rows[2 * i];
		least = row[0] < least ? row[0] : least;
		*calls |= (row[1] & 204) == 204;
	}
	return least;
}

bool order_chunks_load(struct order_chunks *chunks, const struct row_order *order, struct db_reader *source,
	int64_t run_id, struct error *err)
{
	char columns[40];
	struct numbers n;
	*chunks = (struct order_chunks){.count = 0};
	snprintf(columns, sizeof(columns), "%s, %s", order->key, order->code);
	bool ok = numbers_open(&n, source, order->table, columns, 2, run_id, err);
	while (ok && (ok = numbers_read(&n)) && n.row_count > 0) {
		ok = list_reserve(
			     &chunks->least, &chunks->capacity, chunks->count + 1, sizeof(*chunks->least)) ||
		     error_memory(err, "auditing a run");
		if (ok)
			chunks->least[chunks->count++] = least_of(&n, &chunks->calls);
	}
	numbers_close(&n);
	for (size_t i = chunks->count; i-- > 1;)
		if (chunks->least[i] < chunks->least[i - 1])
			chunks->least[i - 1] = chunks->least[i];
	return ok;
}

void order_chunks_finish(struct order_chunks *chunks)
{
	free(chunks->least);
	*chunks = (struct order_chunks){.count = 0};
}

/* ---- the second pass ---- */

static bool sooner(const struct waiting_row *a, const struct waiting_row *b)
{
	if (a->key != b->key)
		return a->key < b->key;
	if (a->task_id != b->task_id)
		return a->task_id < b->task_id;
	return a->seq != b->seq ? a->seq < b->seq : a->place < b->place;
}

HEAP_OF(waiting, struct waiting_row, sooner);

bool in_order_open(struct in_order *o, const struct row_order *order, const struct order_chunks *chunks,
	struct db_reader *source, int64_t run_id, size_t limit, struct error *err)
{
	bool has = true;
	*o = (struct in_order){
		.order = order,
		.chunks = chunks,
		.source = source,
		.run_id = run_id,
		.width = order->count + order->on_gpus,
		.more = true,
		.limit = limit ? limit : LIMIT,
		.err = err,
	};
	if (order->on_gpus && !reader_has(source, order->table, "gpu", &has, err))
		return false;
	snprintf(o->columns, sizeof(o->columns), "%s%s", order->columns,
		!order->on_gpus ? ""
		: has           ? ", gpu"
				: ", 0");
	return numbers_open(&o->numbers, source, order->table, o->columns, o->width, run_id, err);
}

void in_order_close(struct in_order *o)
{
	numbers_close(&o->numbers);
	cursor_close(o->sorted);
	free(o->heap);
	free(o->slot);
	free(o->free_slot);
	*o = (struct in_order){.order = NULL};
}

/* No row that was not read comes before that; NUMBERS_NULL: any may. */
static int64_t least_behind(const struct in_order *o)
{
	return o->chunk < o->chunks->count ? o->chunks->least[o->chunk] : INT64_MAX;
}

static bool make_room(struct in_order *o)
{
	size_t capacity = o->capacity ? 2 * o->capacity : (size_t)2 * NUMBERS_ROWS;
	struct waiting_row *heap = realloc(o->heap, capacity * sizeof(*heap));
	o->heap = heap ? heap : o->heap;
	int64_t *slot = realloc(o->slot, capacity * o->width * sizeof(*slot));
	o->slot = slot ? slot : o->slot;
	uint32_t *free_slot = realloc(o->free_slot, capacity * sizeof(*free_slot));
	o->free_slot = free_slot ? free_slot : o->free_slot;
	if (!heap || !slot || !free_slot)
		return error_memory(o->err, "auditing a run");
	o->capacity = capacity;
	return true;
}

static bool take(struct in_order *o, const int64_t *row)
{
	if (o->waiting == o->capacity && !make_room(o))
		return false;
	uint32_t slot = o->free_slots ? o->free_slot[--o->free_slots] : (uint32_t)o->slots++;
	struct waiting_row waiting = {.key = row[o->order->key_at], .place = o->read++, .slot = slot};
	if (o->order->by_job) {
		waiting.task_id = row[0];
		waiting.seq = row[1];
	}
	memcpy(&o->slot[(size_t)slot * o->width], row, o->width * sizeof(*row));
	waiting_rise(o->heap, o->waiting++, waiting);
	return true;
}

/* All rows in front of `least` have been handed over, and no other one. Those that wait come again. */
static bool sort_the_rest(struct in_order *o, int64_t least)
{
	char sql[600];
	const struct row_order *order = o->order;
	o->waiting = 0;
	snprintf(sql, sizeof(sql),
		"SELECT %s FROM %s WHERE run_id = ?1%s%s%s ORDER BY CAST(%s AS INTEGER)%s, rowid", o->columns,
		order->table, least == NUMBERS_NULL ? "" : " AND CAST(",
		least == NUMBERS_NULL ? "" : order->key, least == NUMBERS_NULL ? "" : " AS INTEGER) >= ?2",
		order->key, order->by_job ? ", CAST(task_id AS INTEGER), CAST(seq AS INTEGER)" : "");
	o->sorted = query_open(o->source, sql, o->run_id, o->err);
	return o->sorted && (least == NUMBERS_NULL || cursor_bind_integer(o->sorted, 2, least, o->err));
}

/* Reads until the first row that waits is the next one. */
static bool read_on(struct in_order *o)
{
	while (o->more && (o->waiting == 0 || o->heap[0].key >= least_behind(o))) {
		int64_t least = o->chunk ? least_behind(o) : NUMBERS_NULL;
		if (o->waiting + NUMBERS_ROWS > o->limit)
			return sort_the_rest(o, least);
		if (!numbers_read(&o->numbers))
			return false;
		o->more = o->numbers.row_count > 0;
		o->chunk += o->more;
		for (size_t i = 0; i < o->numbers.row_count; i++)
			if (!take(o, &o->numbers.rows[i * o->width]))
				return false;
	}
	return true;
}

bool in_order_next(struct in_order *o, int64_t *numbers, bool *more)
{
	if (!o->sorted && !read_on(o))
		return false;
	if (o->sorted) {
		if (!cursor_next(o->sorted, more, o->err))
			return false;
		for (unsigned i = 0; *more && i < o->width; i++)
			numbers[i] = column(o->sorted, (int)i);
		return true;
	}
	*more = o->waiting > 0;
	if (!*more)
		return true;
	uint32_t slot = o->heap[0].slot;
	memcpy(numbers, &o->slot[(size_t)slot * o->width], o->width * sizeof(*numbers));
	o->free_slot[o->free_slots++] = slot;
	o->waiting--;
	waiting_sink(o->heap, o->waiting, o->heap[o->waiting]);
	return true;
}
