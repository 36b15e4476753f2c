/* db/pages/sorter.c - see db/pages/sorter.h: a radix sort from the lowest byte on, and a merge of sorted
 * pieces. */
#include "db/pages/sorter.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/heap.h"
#include "base/list.h"
#include "db/pages/scratch.h"

#define LIMIT 524288    /* 8 MiB, and as much to sort */
#define READ_AHEAD 1024 /* entries of each piece that are in memory while pieces are merged */

/* An entry is put into its place at once while that takes no more steps than these, on an average: intervals
 * come by their ends, and few are under way at a time. */
#define STEPS 8
#define STEPS_FIRST 4096

static void begin_piece(struct sorter *s)
{
	s->count = 0;
	s->steps = STEPS_FIRST;
	s->unsorted = false;
}

void sorter_init(struct sorter *s, const char *name, size_t limit)
{
	*s = (struct sorter){.name = name, .limit = limit ? limit : LIMIT, .fd = -1};
	begin_piece(s);
}

void sorter_finish(struct sorter *s)
{
	free(s->entries);
	free(s->other);
	if (s->fd >= 0)
		close(s->fd);
	*s = (struct sorter){.fd = -1};
}

void sorter_clear(struct sorter *s)
{
	begin_piece(s);
	s->pieces = 0;
}

/* ---- a piece ---- */

/* By one byte of the key; keeps the order of equal ones. */
static void sort_by_byte(const struct sorter_entry *from, size_t count, uint64_t least, unsigned shift,
	struct sorter_entry *to)
{
	size_t first[257] = {0};
	for (size_t i = 0; i < count; i++)
		first[((from[i].key - least) >> shift & 0xff) + 1]++;
	for (int i = 0; i < 255; i++)
		first[i + 1] += first[i];
	for (size_t i = 0; i < count; i++)
		to[first[(from[i].key - least) >> shift & 0xff]++] = from[i];
}

static bool sort(struct sorter *s, struct error *err)
{
	uint64_t least = UINT64_MAX, greatest = 0;
	if (!s->unsorted)
		return true;
	for (size_t i = 0; i < s->count; i++) {
		uint64_t key = s->entries[i].key;
		least = key < least ? key : least;
		greatest = key > greatest ? key : greatest;
	}
	if (!list_reserve(&s->other, &s->other_capacity, s->count, sizeof(*s->other)))
		return error_memory(err, "writing a recording");
	for (unsigned shift = 0; shift < 64 && (greatest - least) >> shift; shift += 8) {
		struct sorter_entry *to = s->other;
		size_t capacity = s->other_capacity;
		sort_by_byte(s->entries, s->count, least, shift, to);
		s->other = s->entries;
		s->other_capacity = s->capacity;
		s->entries = to;
		s->capacity = capacity;
	}
	return true;
}

static bool put_away(struct sorter *s, struct error *err)
{
	size_t size = s->limit * sizeof(*s->entries);
	if (!sort(s, err) || (s->fd < 0 && (s->fd = scratch_open(s->name, err)) < 0) ||
		!scratch_write(s->fd, s->entries, size, (int64_t)(s->pieces * size), s->name, err))
		return false;
	s->pieces++;
	begin_piece(s);
	return true;
}

bool sorter_add(struct sorter *s, int64_t instant, int64_t rowid, struct error *err)
{
	if (s->count == s->limit && !put_away(s, err))
		return false;
	if (!list_reserve(&s->entries, &s->capacity, s->count + 1, sizeof(*s->entries)))
		return error_memory(err, "writing a recording");
	struct sorter_entry entry = {sorter_key(instant), rowid}, *to = &s->entries[s->count++];
	for (s->steps += STEPS; to > s->entries && to[-1].key > entry.key; s->steps--, to--) {
		s->unsorted = s->unsorted || s->steps == 0;
		if (s->unsorted)
			break;
		*to = to[-1];
	}
	*to = entry;
	return true;
}

/* ---- all pieces ---- */

/* What is left of a piece: the entries in memory, then those in the file. */
struct rest {
	const struct sorter_entry *next;
	size_t ready;
	struct sorter_entry *ahead; /* NULL: all are in memory */
	int64_t at;
	size_t behind;
};

static bool rest_before(const struct rest *a, const struct rest *b)
{
	return a->next->key != b->next->key ? a->next->key < b->next->key : a->next->rowid < b->next->rowid;
}
HEAP_OF(rests, struct rest, rest_before);

/* Reads on, if need be; rest->ready is 0 at the end. */
static bool read_on(const struct sorter *s, struct rest *r, struct error *err)
{
	if (r->ready > 0 || r->behind == 0)
		return true;
	r->ready = r->behind < READ_AHEAD ? r->behind : READ_AHEAD;
	size_t size = r->ready * sizeof(*r->ahead);
	if (!scratch_read(s->fd, r->ahead, size, r->at, s->name, err))
		return false;
	r->next = r->ahead;
	r->at += (int64_t)size;
	r->behind -= r->ready;
	return true;
}

static bool merge(
	struct sorter *s, struct rest *rests, size_t count, sorter_take *take, void *self, struct error *err)
{
	while (count > 0) {
		struct rest *r = &rests[0];
		if (!take(self, sorter_instant(r->next->key), r->next->rowid, err))
			return false;
		r->next++;
		r->ready--;
		if (!read_on(s, r, err))
			return false;
		struct rest moved = r->ready > 0 ? *r : rests[count - 1];
		count -= r->ready == 0;
		if (count > 0)
			rests_sink(rests, count, moved);
	}
	return true;
}

static bool merge_pieces(struct sorter *s, sorter_take *take, void *self, struct error *err)
{
	size_t count = 0, size = s->limit * sizeof(*s->entries);
	struct rest *rests = calloc(s->pieces + 1, sizeof(*rests));
	struct sorter_entry *ahead = malloc(s->pieces * READ_AHEAD * sizeof(*ahead));
	bool ok = (rests && ahead) || error_memory(err, "writing a recording");
	for (uint64_t i = 0; ok && i < s->pieces; i++) {
		struct rest r = {
			.ahead = ahead + i * READ_AHEAD, .at = (int64_t)(i * size), .behind = s->limit};
		ok = read_on(s, &r, err);
		if (ok)
			rests_rise(rests, count++, r);
	}
	if (ok && s->count > 0)
		rests_rise(rests, count++, (struct rest){.next = s->entries, .ready = s->count});
	ok = ok && merge(s, rests, count, take, self, err);
	free(ahead);
	free(rests);
	return ok;
}

bool sorter_drain(struct sorter *s, sorter_take *take, void *self, struct error *err)
{
	bool ok = sort(s, err);
	if (ok && s->pieces > 0)
		ok = merge_pieces(s, take, self, err);
	for (size_t i = 0; ok && s->pieces == 0 && i < s->count; i++)
		ok = take(self, sorter_instant(s->entries[i].key), s->entries[i].rowid, err);
	sorter_clear(s);
	return ok;
}
