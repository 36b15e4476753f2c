/* db/audit/by_ready.h - owns the order in which the audit takes the intervals of a run: as they became ready.
 * A recording has them as they ended, which is nearly that, and to sort all of them by SQLite took as long as
 * to read them. So a first pass notes the least instant of each few rows; in the second one a row waits until
 * none behind it was ready earlier. Where too many would have to wait, SQLite sorts the rest: memory does not
 * grow with the run. */
#ifndef CEGSIM_DB_AUDIT_BY_READY_H
#define CEGSIM_DB_AUDIT_BY_READY_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "db/reader.h"

/* Numbers of a row: task_id, seq, segment_idx, part, code, unit, ready_ns, start_ns, end_ns, granted, gpu. */
#define INTERVAL_NUMBERS 11

/* What the first pass finds. */
struct ready_chunks {
	int64_t *least; /* of the rows from this chunk on; NULL is NUMBERS_NULL, and first */
	size_t count, capacity;
	bool calls; /* there are rows of calls */
};
MUST_CHECK bool ready_chunks_load(
	struct ready_chunks *chunks, struct db_reader *source, int64_t run_id, struct error *err);
void ready_chunks_finish(struct ready_chunks *chunks);

struct waiting_row {
	int64_t ready;
	uint64_t place; /* in the run: of two that became ready at one instant the first comes first */
	uint32_t slot;
};

/* The second pass. */
struct by_ready {
	const struct ready_chunks *chunks;
	struct db_reader *source;
	int64_t run_id;
	struct db_cursor *rows;
	bool more;     /* rows behind those that were read */
	bool sorted;   /* they come in order */
	uint64_t read; /* rows */
	size_t limit;  /* so many may wait */
	struct waiting_row *heap;
	int64_t (*slot)[INTERVAL_NUMBERS];
	uint32_t *free_slot;
	size_t waiting, capacity, slots, free_slots;
	struct error *err;
};
/* `limit`: 0 for one that is good. The chunks are those of the run, and must outlive it. */
MUST_CHECK bool by_ready_open(struct by_ready *b, const struct ready_chunks *chunks, struct db_reader *source,
	int64_t run_id, size_t limit, struct error *err);
/* The next row; *more: there is one. */
MUST_CHECK bool by_ready_next(struct by_ready *b, int64_t *numbers, bool *more);
void by_ready_close(struct by_ready *b);

#endif
