/* db/pages/sorter.h - puts the rows of a run in the order of an instant, for an index on it. Rows of equal
 * instants keep their order. Rows come nearly in order: a window of the latest is in memory, what leaves it
 * goes in order into pieces, 4 bytes a row or so, of which a new one begins only if many rows came later than
 * a window can wait for (replacement selection; Knuth, The Art of Computer Programming 3, 5.4.1). Memory is
 * bounded: pieces are in a file without a name. */
#ifndef CEGSIM_DB_PAGES_SORTER_H
#define CEGSIM_DB_PAGES_SORTER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct sorter_entry {
	uint64_t key; /* increases with the instant; NULL, which is INT64_MIN, comes first */
	int64_t rowid;
};
static inline uint64_t sorter_key(int64_t instant)
{
	return (uint64_t)instant ^ (UINT64_C(1) << 63);
}
static inline int64_t sorter_instant(uint64_t key)
{
	return (int64_t)(key ^ (UINT64_C(1) << 63));
}

/* A part of the entries that is in order, outside of the window. */
struct sorter_piece {
	int64_t at; /* its first byte */
	uint64_t count;
};

struct sorter {
	const char *name; /* of the recording */
	size_t limit;     /* entries in the window */
	/* The window: the latest entries, in order unless `unsorted`. `other` is room to sort them. */
	struct sorter_entry *entries, *other;
	size_t count, capacity, other_capacity;
	uint64_t steps; /* that entries may still be moved, one by one, before a sort is faster: then unsorted
			 */
	bool unsorted;
	/* What has left it, encoded: the first bytes in the file, the others in `out`. */
	struct sorter_piece *pieces;
	size_t piece_count, piece_capacity;
	struct sorter_entry last; /* of the last piece */
	int fd;
	int64_t written;
	uint8_t *out;
	size_t out_count;
};

/* `name` must outlive the sorter; `limit`: at least 1, 0: one that is good. */
void sorter_init(struct sorter *s, const char *name, size_t limit);
void sorter_finish(struct sorter *s);

MUST_CHECK bool sorter_add(struct sorter *s, int64_t instant, int64_t rowid, struct error *err);
typedef bool sorter_take(void *self, int64_t instant, int64_t rowid, struct error *err);
/* Hands all entries over in order, and has none then. */
MUST_CHECK bool sorter_drain(struct sorter *s, sorter_take *take, void *self, struct error *err);
/* Forgets all entries. */
void sorter_clear(struct sorter *s);

#endif
