/* db/audit/by_ready.c - see db/audit/by_ready.h. */
#include "db/audit/by_ready.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/list.h"
#include "db/audit/query.h"

#define CHUNK 256 /* rows */
#define LIMIT 65536
#define READY 6 /* the place of ready_ns among the numbers */

/* ---- the first pass ---- */

bool ready_chunks_load(
	struct ready_chunks *chunks, struct db_reader *source, int64_t run_id, struct error *err)
{
	uint64_t place = 0;
	*chunks = (struct ready_chunks){.count = 0};
	struct rows q = query_rows(source,
		"SELECT ready_ns, code FROM segment_interval WHERE run_id = ?1 ORDER BY rowid", run_id, err);
	for (; rows_next(&q); place++) {
		int64_t ready = column(q.c, 0);
		chunks->calls |= (cursor_integer(q.c, 1) & 204) == 204;
		if (place % CHUNK == 0) {
			if (!list_reserve(&chunks->least, &chunks->capacity, chunks->count + 1,
				    sizeof(*chunks->least))) {
				q.ok = error_memory(err, "auditing a run");
				continue;
			}
			chunks->least[chunks->count++] = ready;
		}
		int64_t *least = &chunks->least[chunks->count - 1];
		*least = ready < *least ? ready : *least;
	}
	for (size_t i = chunks->count; i-- > 1;)
		if (chunks->least[i] < chunks->least[i - 1])
			chunks->least[i - 1] = chunks->least[i];
	return rows_close(&q);
}

void ready_chunks_finish(struct ready_chunks *chunks)
{
	free(chunks->least);
	*chunks = (struct ready_chunks){.count = 0};
}

/* ---- the second pass ---- */

static bool sooner(const struct waiting_row *a, const struct waiting_row *b)
{
	return a->ready != b->ready ? a->ready < b->ready : a->place < b->place;
}

HEAP_OF(waiting, struct waiting_row, sooner);

/* Recordings of programs before do not say which GPU: there was one. */
static bool open_rows(struct by_ready *b, const char *rest)
{
	char sql[400];
	bool has;
	if (!reader_has(b->source, "segment_interval", "gpu", &has, b->err))
		return false;
	snprintf(sql, sizeof(sql),
		"SELECT cegsim_numbers(task_id, seq, segment_idx, part, code, unit, ready_ns, start_ns, "
		"end_ns, granted, %s) FROM segment_interval WHERE run_id = ?1 %s",
		has ? "gpu" : "0", rest);
	cursor_close(b->rows);
	b->rows = query_open(b->source, sql, b->run_id, b->err);
	b->more = b->rows != NULL;
	return b->more;
}

bool by_ready_open(struct by_ready *b, const struct ready_chunks *chunks, struct db_reader *source,
	int64_t run_id, size_t limit, struct error *err)
{
	*b = (struct by_ready){
		.chunks = chunks,
		.source = source,
		.run_id = run_id,
		.limit = limit ? limit : LIMIT,
		.err = err,
	};
	return open_rows(b, "ORDER BY rowid");
}

void by_ready_close(struct by_ready *b)
{
	cursor_close(b->rows);
	free(b->heap);
	free(b->slot);
	free(b->free_slot);
	*b = (struct by_ready){.rows = NULL};
}

/* No row that was not read was ready before that; NUMBERS_NULL: any may have been. */
static int64_t least_behind(const struct by_ready *b)
{
	uint64_t chunk = b->read / CHUNK;
	return chunk < b->chunks->count ? b->chunks->least[chunk] : INT64_MAX;
}

static bool make_room(struct by_ready *b)
{
	size_t capacity = b->capacity ? 2 * b->capacity : (size_t)2 * CHUNK;
	struct waiting_row *heap = realloc(b->heap, capacity * sizeof(*heap));
	b->heap = heap ? heap : b->heap;
	int64_t(*slot)[INTERVAL_NUMBERS] = realloc(b->slot, capacity * sizeof(*slot));
	b->slot = slot ? slot : b->slot;
	uint32_t *free_slot = realloc(b->free_slot, capacity * sizeof(*free_slot));
	b->free_slot = free_slot ? free_slot : b->free_slot;
	if (!heap || !slot || !free_slot)
		return error_memory(b->err, "auditing a run");
	b->capacity = capacity;
	return true;
}

/* Takes in the next row, if there is one. */
static bool read_row(struct by_ready *b)
{
	if (!cursor_next(b->rows, &b->more, b->err))
		return false;
	if (!b->more)
		return true;
	if (b->waiting == b->capacity && !make_room(b))
		return false;
	uint32_t slot = b->free_slots ? b->free_slot[--b->free_slots] : (uint32_t)b->slots++;
	cursor_numbers(b->rows, b->slot[slot], INTERVAL_NUMBERS);
	struct waiting_row row = {b->slot[slot][READY], b->read++, slot};
	waiting_rise(b->heap, b->waiting++, row);
	return true;
}

/* All rows that were ready before `least` have been handed over, and no other one. Those that wait come
 * again. */
static bool sort_the_rest(struct by_ready *b, int64_t least)
{
	b->sorted = true;
	b->waiting = b->slots = b->free_slots = 0;
	return open_rows(b, least == NUMBERS_NULL ? "ORDER BY CAST(ready_ns AS INTEGER), rowid"
						  : "AND CAST(ready_ns AS INTEGER) >= ?2"
						    " ORDER BY CAST(ready_ns AS INTEGER), rowid") &&
	       (least == NUMBERS_NULL || cursor_bind_integer(b->rows, 2, least, b->err));
}

/* Reads until the first row that waits is the next one. */
static bool read_on(struct by_ready *b)
{
	while (b->more && !b->sorted && (b->waiting == 0 || b->heap[0].ready >= least_behind(b))) {
		int64_t least = b->read ? least_behind(b) : NUMBERS_NULL;
		if (b->waiting + CHUNK > b->limit)
			return sort_the_rest(b, least);
		for (unsigned i = 0; i < CHUNK && b->more; i++)
			if (!read_row(b))
				return false;
	}
	return true;
}

bool by_ready_next(struct by_ready *b, int64_t *numbers, bool *more)
{
	if (!read_on(b))
		return false;
	if (b->sorted) {
		if (!cursor_next(b->rows, more, b->err))
			return false;
		if (*more)
			cursor_numbers(b->rows, numbers, INTERVAL_NUMBERS);
		return true;
	}
	*more = b->waiting > 0;
	if (!*more)
		return true;
	uint32_t slot = b->heap[0].slot;
	memcpy(numbers, b->slot[slot], sizeof(b->slot[slot]));
	b->free_slot[b->free_slots++] = slot;
	b->waiting--;
	waiting_sink(b->heap, b->waiting, b->heap[b->waiting]);
	return true;
}
