/* db/audit/in_order.h - owns the order in which the audit takes the rows of a run: jobs as they were
 * released, intervals as they became ready, blocks as they started. A recording has them as they ended, which
 * is nearly that, and to sort all of them by SQLite took as long as to read them. So a first pass notes the
 * least instant of each few rows; in the second one a row waits until none behind it comes earlier. Where too
 * many would have to wait, SQLite sorts the rest: memory does not grow with the run. */
#ifndef CEGSIM_DB_AUDIT_IN_ORDER_H
#define CEGSIM_DB_AUDIT_IN_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "db/numbers.h"

/* A table, and in which order its rows come. */
struct row_order {
	const char *table, *columns;
	unsigned count; /* columns */
	bool on_gpus;   /* and one more, gpu; recordings of programs before have no such column: there was one
			   GPU */
	const char *key;  /* a column; of equal ones the first in the file comes first, */
	bool by_job;      /* or who has the least task_id and seq, which are the first columns */
	unsigned key_at;  /* place of the key */
	const char *code; /* what tells calls; "0": nothing does */
};
extern const struct row_order order_of_jobs, order_of_intervals, order_of_blocks;

/* Numbers of a row: of a job task_id, seq, release_ns, abs_deadline_ns, first_start_ns, finish_ns, outcome;
 */
#define JOB_NUMBERS 7
/* of an interval task_id, seq, segment_idx, part, code, unit, ready_ns, start_ns, end_ns, granted, gpu; */
#define INTERVAL_NUMBERS 11
/* of a block task_id, seq, segment_idx, block, sm, slot, threads, start_ns, end_ns, ended_code, gpu. */
#define BLOCK_NUMBERS 11

/* What the first pass finds. */
struct order_chunks {
	int64_t *least; /* of the rows from this chunk on; NULL is NUMBERS_NULL, and first */
	size_t count, capacity;
	bool calls; /* there are rows of calls */
};
MUST_CHECK bool order_chunks_load(struct order_chunks *chunks, const struct row_order *order,
	struct db_reader *source, int64_t run_id, struct error *err);
void order_chunks_finish(struct order_chunks *chunks);

struct waiting_row {
	int64_t key, task_id, seq; /* 0, unless by_job */
	uint64_t place;            /* in the run */
	uint32_t slot;
};

/* The second pass. */
struct in_order {
	const struct row_order *order;
	const struct order_chunks *chunks;
	struct db_reader *source;
	int64_t run_id;
	char columns[160];
	unsigned width; /* numbers of a row */
	struct numbers numbers;
	struct db_cursor *sorted; /* the rest, by SQLite; NULL: not yet */
	bool more;                /* rows behind those that were read */
	uint64_t read;            /* rows, */
	size_t chunk;             /* in so many chunks */
	size_t limit;             /* so many may wait */
	struct waiting_row *heap;
	int64_t *slot; /* [capacity][width] */
	uint32_t *free_slot;
	size_t waiting, capacity, slots, free_slots;
	struct error *err;
};
/* `limit`: 0 for one that is good. The chunks are those of the table and the run, and must outlive it. Close
 * it either way. */
MUST_CHECK bool in_order_open(struct in_order *o, const struct row_order *order,
	const struct order_chunks *chunks, struct db_reader *source, int64_t run_id, size_t limit,
	struct error *err);
/* The next row, of as many numbers as its table has; *more: there is one. */
MUST_CHECK bool in_order_next(struct in_order *o, int64_t *numbers, bool *more);
void in_order_close(struct in_order *o);

#endif
