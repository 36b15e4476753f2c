/* db/pages/sorter.c - see db/pages/sorter.h: a radix sort from the lowest byte on, and a merge of sorted
 * pieces. */
#include "db/pages/sorter.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/heap.h"
#include "base/list.h"
#include "db/pages/scratch.h"

#define LIMIT 32768    /* 512 KiB, and as much to sort: they stay in the cache */
#define OUT 262144     /* bytes of pieces in memory */
#define AHEAD 8192     /* bytes of each piece that are in memory while pieces are merged */
#define ENCODED_MAX 20 /* bytes of an entry in a piece */

/* An entry is put into its place at once while that takes no more steps than these, on an average: intervals
 * come by their ends, and few are under way at a time. */
#define STEPS 8
#define STEPS_FIRST 4096

static void begin_window(struct sorter *s)
{
	s->steps = STEPS_FIRST;
	s->unsorted = false;
}

void sorter_init(struct sorter *s, const char *name, size_t limit)
{
	*s = (struct sorter){.name = name, .limit = limit ? limit : LIMIT, .fd = -1};
	begin_window(s);
}

void sorter_finish(struct sorter *s)
{
	free(s->entries);
	free(s->other);
	free(s->pieces);
	free(s->out);
	if (s->fd >= 0)
		close(s->fd);
	*s = (struct sorter){.fd = -1};
}

void sorter_clear(struct sorter *s)
{
	begin_window(s);
	s->count = s->piece_count = s->out_count = 0;
	s->written = 0;
}

/* ---- the window ---- */

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

/* ---- pieces ---- */

/* Seven bits a byte, lowest first. */
static uint8_t *put_number(uint8_t *to, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*to++ = (uint8_t)(value | 0x80);
	*to++ = (uint8_t)value;
	return to;
}

static const uint8_t *get_number(const uint8_t *from, uint64_t *value)
{
	*value = *from & 0x7f;
	for (unsigned shift = 7; *from++ & 0x80; shift += 7)
		*value |= (uint64_t)(*from & 0x7f) << shift;
	return from;
}

/* An entry is what its key and its rowid are more than those before it; a rowid may be less: the lowest bit.
 */
static uint8_t *put_entry(uint8_t *to, const struct sorter_entry *before, const struct sorter_entry *entry)
{
	int64_t more = entry->rowid - before->rowid;
	return put_number(
		put_number(to, entry->key - before->key), (uint64_t)more << 1 ^ (uint64_t)(more >> 63));
}

static const uint8_t *get_entry(const uint8_t *from, struct sorter_entry *entry)
{
	uint64_t key, more;
	from = get_number(get_number(from, &key), &more);
	entry->key += key;
	entry->rowid += (int64_t)(more >> 1 ^ -(more & 1));
	return from;
}

static bool write_out(struct sorter *s, struct error *err)
{
	if ((s->fd < 0 && (s->fd = scratch_open(s->name, err)) < 0) ||
		!scratch_write(s->fd, s->out, s->out_count, s->written, s->name, err))
		return false;
	s->written += (int64_t)s->out_count;
	s->out_count = 0;
	return true;
}

static bool begin_piece(struct sorter *s, struct error *err)
{
	if (!list_reserve(&s->pieces, &s->piece_capacity, s->piece_count + 1, sizeof(*s->pieces)) ||
		!(s->out || (s->out = malloc(OUT))))
		return error_memory(err, "writing a recording");
	s->pieces[s->piece_count++] = (struct sorter_piece){s->written + (int64_t)s->out_count, 0};
	s->last = (struct sorter_entry){0, 0};
	return true;
}

static bool add_to_piece(
	struct sorter *s, const struct sorter_entry *entries, size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		if (s->out_count + ENCODED_MAX > OUT && !write_out(s, err))
			return false;
		uint8_t *to = s->out + s->out_count;
		s->out_count += (size_t)(put_entry(to, &s->last, &entries[i]) - to);
		s->last = entries[i];
	}
	s->pieces[s->piece_count - 1].count += count;
	return true;
}

/* Entries of the window that are too late for the last piece. */
static size_t late_entries(const struct sorter *s)
{
	size_t from = 0, to = s->piece_count ? s->count : 0;
	while (from < to) {
		size_t middle = (from + to) / 2;
		if (s->entries[middle].key < s->last.key)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* Half of the window goes to the last piece. Those that are too late for it wait, until they are many. */
static bool put_away(struct sorter *s, struct error *err)
{
	if (!sort(s, err))
		return false;
	size_t half = (s->limit + 1) / 2, late = late_entries(s);
	if (s->piece_count == 0 || late >= half) {
		late = 0;
		if (!begin_piece(s, err))
			return false;
	}
	size_t count = s->count - late < half ? s->count - late : half, behind = s->count - late - count;
	struct sorter_entry *first = s->entries + late;
	if (!add_to_piece(s, first, count, err))
		return false;
	memmove(first, first + count, behind * sizeof(*first));
	s->count -= count;
	begin_window(s);
	return true;
}

bool sorter_add(struct sorter *s, int64_t instant, int64_t rowid, struct error *err)
{
	if (s->count == s->limit && !put_away(s, err))
		return false;
	if (s->count == s->capacity &&
		!list_reserve(&s->entries, &s->capacity, s->count + 1, sizeof(*s->entries)))
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

/* What is left of a piece, or of the window. */
struct rest {
	struct sorter_entry now;
	uint64_t behind;                 /* entries behind `now` */
	const struct sorter_entry *next; /* of the window; NULL: a piece */
	const uint8_t *from, *end;       /* of a piece, in memory */
	uint8_t *ahead;
	int64_t at, until; /* of a piece, in the file */
};

static bool rest_before(const struct rest *a, const struct rest *b)
{
	return a->now.key != b->now.key ? a->now.key < b->now.key : a->now.rowid < b->now.rowid;
}
HEAP_OF(rests, struct rest, rest_before);

/* Reads on in the file, if what is in memory may be less than an entry. */
static bool read_ahead(const struct sorter *s, struct rest *r, struct error *err)
{
	size_t there = (size_t)(r->end - r->from), more;
	if (there >= ENCODED_MAX || r->at == r->until)
		return true;
	more = (uint64_t)(r->until - r->at) < AHEAD - there ? (size_t)(r->until - r->at) : AHEAD - there;
	memmove(r->ahead, r->from, there);
	if (!scratch_read(s->fd, r->ahead + there, more, r->at, s->name, err))
		return false;
	r->at += (int64_t)more;
	r->from = r->ahead;
	r->end = r->ahead + there + more;
	return true;
}

/* Makes the entry behind it r->now; there is one. */
static bool next_entry(const struct sorter *s, struct rest *r, struct error *err)
{
	r->behind--;
	if (r->next) {
		r->now = *r->next++;
		return true;
	}
	if (!read_ahead(s, r, err))
		return false;
	r->from = get_entry(r->from, &r->now);
	return true;
}

static bool merge(
	struct sorter *s, struct rest *rests, size_t count, sorter_take *take, void *self, struct error *err)
{
	while (count > 0) {
		struct rest *r = &rests[0];
		if (!take(self, sorter_instant(r->now.key), r->now.rowid, err))
			return false;
		bool ended = r->behind == 0;
		if (!ended && !next_entry(s, r, err))
			return false;
		count -= ended;
		/* Pieces follow each other, but for what was late: the first one mostly stays the first. */
		bool stays = !ended && (count < 2 || !rest_before(&rests[1], r)) &&
			     (count < 3 || !rest_before(&rests[2], r));
		if (!stays && count > 0)
			rests_sink(rests, count, ended ? rests[count] : *r);
	}
	return true;
}

/* Where a piece begins to be read: in the file, or in memory if all is there. */
static struct rest rest_of_piece(const struct sorter *s, size_t i, uint8_t *ahead)
{
	const struct sorter_piece *p = &s->pieces[i];
	int64_t until = i + 1 < s->piece_count ? p[1].at : s->written + (int64_t)s->out_count;
	struct rest r = {.behind = p->count, .from = ahead, .end = ahead, .ahead = ahead};
	if (s->fd < 0 || s->written == 0) {
		r.from = s->out + p->at;
		r.end = s->out + until;
	} else {
		r.at = p->at;
		r.until = until;
	}
	return r;
}

static bool merge_pieces(struct sorter *s, sorter_take *take, void *self, struct error *err)
{
	if (s->written > 0 && !write_out(s, err))
		return false;
	size_t count = 0;
	struct rest *rests = calloc(s->piece_count + 1, sizeof(*rests));
	uint8_t *ahead = malloc(s->piece_count * AHEAD);
	bool ok = (rests && ahead) || error_memory(err, "writing a recording");
	for (size_t i = 0; ok && i < s->piece_count; i++) {
		struct rest r = rest_of_piece(s, i, ahead + i * AHEAD);
		ok = next_entry(s, &r, err);
		if (ok)
			rests_rise(rests, count++, r);
	}
	if (ok && s->count > 0) {
		struct rest r = {.behind = s->count, .next = s->entries};
		ok = next_entry(s, &r, err);
		rests_rise(rests, count++, r);
	}
	ok = ok && merge(s, rests, count, take, self, err);
	free(ahead);
	free(rests);
	return ok;
}

bool sorter_drain(struct sorter *s, sorter_take *take, void *self, struct error *err)
{
	bool ok = sort(s, err);
	if (ok && s->piece_count > 0)
		ok = merge_pieces(s, take, self, err);
	for (size_t i = 0; ok && s->piece_count == 0 && i < s->count; i++)
		ok = take(self, sorter_instant(s->entries[i].key), s->entries[i].rowid, err);
	sorter_clear(s);
	return ok;
}
