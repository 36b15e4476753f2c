/* db/pages/sorter.h - puts the rows of a run in the order of an instant, for an index on it. Rows of equal
 * instants keep their order. Memory is bounded: what is too much is sorted in pieces, in a file without a
 * name. */
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

struct sorter {
	const char *name; /* of the recording */
	size_t limit;     /* entries in memory, and of a piece */
	struct sorter_entry *entries, *other;
	size_t count, capacity, other_capacity;
	uint64_t steps; /* that entries may still be moved, one by one, before a sort is faster: then unsorted
			 */
	bool unsorted;
	int fd;
	uint64_t pieces; /* in the file, of `limit` entries each */
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
