/* db/pages/leaves.c - see db/pages/leaves.h. Sections are those of https://www.sqlite.org/fileformat2.html.
 */
#include "db/pages/leaves.h"

#include <stdlib.h>
#include <string.h>

#include "db/pages/format.h"

/* 1.5 */
#define INTERIOR 5
#define LEAF 13
#define INTERIOR_HEADER 12
#define LEAF_HEADER 8

/* Whether all of a cell is in its page is known when it has been read: two varints, the header of a record,
 * and the integers that this names. */
#define HEADER_MOST 127 /* bytes; its size is one itself */
#define BEHIND (2 * 9 + HEADER_MOST + LEAVES_FIELDS * RECORD_INTEGER_MAX)

/* 1.3 */
#define FILE_HEADER 100

enum leaves_outcome leaves_begin(struct leaves *l, struct error *err)
{
	uint8_t header[FILE_HEADER];
	bool whole;
	if (!l->read(l->self, header, sizeof(header), 0, &whole, err))
		return LEAVES_FAILED;
	/* 1.3.2: 1 is a page of 65,536 bytes. 1.3.3: anything but 1 means that rows may be in a write-ahead
	 * log. The first page begins with this header, no table of rows does. */
	l->page_size = get16(header + 16) == 1 ? 65536 : get16(header + 16);
	l->usable = l->page_size - header[20];
	bool plain = whole && l->page_size >= 512 && l->usable >= 480 && header[18] == 1 && header[19] == 1;
	return plain && l->root > 1 ? LEAVES_READ : LEAVES_STRANGE;
}

void leaves_finish(struct leaves *l)
{
	for (unsigned i = 0; i < LEAVES_DEPTH; i++)
		free(l->page[i].bytes);
	*l = (struct leaves){.root = 0};
}

/* 1.6; returns the byte behind it. */
static const uint8_t *get_varint(const uint8_t *at, uint64_t *value)
{
	uint64_t v = 0;
	for (unsigned i = 0; i < 8; i++) {
		v = v << 7 | (*at & 0x7f);
		if (*at++ < 0x80) {
			*value = v;
			return at;
		}
	}
	*value = v << 8 | *at;
	return at + 1;
}

static uint32_t count_of(const uint8_t *page)
{
	return get16(page + 3);
}

static uint32_t header_of(const uint8_t *page)
{
	return page[0] == LEAF ? LEAF_HEADER : INTERIOR_HEADER;
}

static const uint8_t *cell_of(const uint8_t *page, uint32_t i)
{
	return page + get16(page + header_of(page) + 2 * (size_t)i);
}

/* 1.5: what a cell says in front of its rowid: of a leaf the size of the record, of other pages the child.
 * *record: of a leaf. */
static int64_t rowid_of(const uint8_t *page, const uint8_t *cell, uint64_t *size, const uint8_t **record)
{
	uint64_t id;
	*size = 0;
	cell = page[0] == LEAF ? get_varint(cell, size) : cell + 4;
	*record = get_varint(cell, &id);
	return (int64_t)id;
}

static int64_t rowid_at(const uint8_t *page, uint32_t i)
{
	uint64_t size;
	const uint8_t *record;
	return rowid_of(page, cell_of(page, i), &size, &record);
}

/* Whether it is a page of a table, with cells that are in it, in the order of their rowids. Without that
 * order it depends on how one looks for a row whether it is found. From usable - 35 bytes on a part of a
 * record would be on other pages. */
static bool is_sound(const struct leaves *l, const uint8_t *page)
{
	uint32_t count = count_of(page), behind = header_of(page) + 2 * count;
	int64_t last = INT64_MIN;
	if ((page[0] != LEAF && page[0] != INTERIOR) || behind > l->usable)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t size;
		const uint8_t *record, *cell = cell_of(page, i);
		if (cell < page + behind || cell >= page + l->usable)
			return false;
		int64_t rowid = rowid_of(page, cell, &size, &record);
		if ((i > 0 && rowid <= last) || size > l->usable - 35 || record + size > page + l->usable)
			return false;
		last = rowid;
	}
	return true;
}

static enum leaves_outcome load(struct leaves *l, unsigned level, uint32_t number, struct error *err)
{
	struct leaves_page *p = &l->page[level];
	bool whole = false;
	if (p->number == number)
		return LEAVES_READ;
	p->number = 0;
	if (!p->bytes)
		p->bytes = calloc(l->page_size + (size_t)BEHIND, 1);
	if (!p->bytes) {
		(void)error_memory(err, "reading a recording");
		return LEAVES_FAILED;
	}
	if (!l->read(l->self, p->bytes, l->page_size, (int64_t)(number - 1) * l->page_size, &whole, err))
		return LEAVES_FAILED;
	if (!whole || !is_sound(l, p->bytes))
		return LEAVES_STRANGE;
	p->number = number;
	return LEAVES_READ;
}

/* The first cell with this rowid, or a greater one. */
static uint32_t first_cell(const uint8_t *page, int64_t rowid)
{
	uint32_t low = 0, high = count_of(page);
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (rowid_at(page, middle) < rowid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Whether all of its rowids are those that the pages above it say. Only a root may be without any. */
static bool is_in_place(const struct leaves_page *p, unsigned level)
{
	uint32_t count = count_of(p->bytes);
	return count == 0 ? level == 0
			  : rowid_at(p->bytes, 0) >= p->first && rowid_at(p->bytes, count - 1) <= p->last;
}

/* The number of the child at p->at; the page below gets the rowids that may be there. 0: there can be none.
 */
static uint32_t child_of(struct leaves *l, unsigned level)
{
	const struct leaves_page *p = &l->page[level];
	int64_t before = p->at > 0 ? rowid_at(p->bytes, p->at - 1) : p->first;
	if (level + 1 == LEAVES_DEPTH || (p->at > 0 && before == INT64_MAX))
		return 0;
	l->page[level + 1].first = before + (p->at > 0);
	l->page[level + 1].last = p->at < count_of(p->bytes) ? rowid_at(p->bytes, p->at) : p->last;
	return p->at < count_of(p->bytes) ? get32(cell_of(p->bytes, p->at)) : get32(p->bytes + 8);
}

/* Goes down from that page to the leaf in which a row with this rowid would be. */
static enum leaves_outcome descend(
	struct leaves *l, unsigned level, uint32_t number, int64_t rowid, struct error *err)
{
	l->leaf = NULL;
	for (; level < LEAVES_DEPTH && number > 1; level++) {
		struct leaves_page *p = &l->page[level];
		enum leaves_outcome loaded = load(l, level, number, err);
		if (loaded != LEAVES_READ)
			return loaded;
		if (!is_in_place(p, level))
			return LEAVES_STRANGE;
		if (p->bytes[0] == LEAF) {
			l->leaf = p;
			return LEAVES_READ;
		}
		p->at = first_cell(p->bytes, rowid);
		number = child_of(l, level);
	}
	return LEAVES_STRANGE;
}

static enum leaves_outcome find(struct leaves *l, int64_t rowid, struct error *err)
{
	if (l->leaf && l->leaf->first <= rowid && rowid <= l->leaf->last)
		return LEAVES_READ;
	l->page[0].first = INT64_MIN;
	l->page[0].last = INT64_MAX;
	return descend(l, 0, l->root, rowid, err);
}

/* Goes to the leaf behind the one where it is, whatever the pages above say of its rowids, as SQLite does:
 * one could hide rows from us else. l->leaf NULL: there is none. */
static enum leaves_outcome go_on(struct leaves *l, struct error *err)
{
	for (unsigned level = (unsigned)(l->leaf - l->page); level-- > 0;) {
		struct leaves_page *p = &l->page[level];
		if (p->at == count_of(p->bytes))
			continue;
		p->at++;
		return descend(l, level + 1, child_of(l, level), INT64_MIN, err);
	}
	l->leaf = NULL;
	return LEAVES_READ;
}

/* 2.1: an integer of so many bytes, which end in front of `end`. In a page eight bytes do. */
static int64_t get_integer(const uint8_t *end, unsigned size)
{
	uint64_t big_endian;
	memcpy(&big_endian, end - sizeof(big_endian), sizeof(big_endian));
	unsigned unused = 64 - 8 * size;
	return (int64_t)(__builtin_bswap64(big_endian) << unused) >> unused;
}

/* By serial type, from 10 on for all of these (2.1). Reals, texts and blobs, of type 7 or from 12 on, are not
 * read. */
#define TYPES 10
#define SIZE_STRANGE UINT8_MAX
static const uint8_t size_of[TYPES + 1] = {0, 1, 2, 3, 4, 6, 8, SIZE_STRANGE, 0, 0, SIZE_STRANGE};

static unsigned type_of(uint8_t type)
{
	return type < TYPES ? type : TYPES;
}

/* The numbers of a record, of which `size` bytes are there. False: it is strange. */
static bool decode(const struct leaves_row *row, const uint8_t *record, uint64_t size, int64_t *to)
{
	unsigned header = record[0];
	/* A field that is missing has its column's default. */
	if (header > HEADER_MOST || header > size || header <= row->fields)
		return false;
	const uint8_t *value = record + header;
	for (unsigned i = 0; i < row->fields; i++) {
		unsigned type = type_of(record[i + 1]);
		if (size_of[type] == SIZE_STRANGE)
			return false;
		value += size_of[type];
		if (row->to[i] != LEAVES_UNWANTED)
			to[row->to[i]] = type == 0   ? LEAVES_NULL
					 : type >= 8 ? (int64_t)type - 8
						     : get_integer(value, size_of[type]);
	}
	for (unsigned i = row->fields + 1; i < header; i++) {
		unsigned more = size_of[type_of(record[i])];
		if (more == SIZE_STRANGE)
			return false;
		value += more;
	}
	return value == record + size;
}

/* Rows of the leaf. *over: there is one behind the last that is asked for. False: one is strange. */
static bool read_leaf(struct leaves *l, int64_t from, int64_t last, int64_t *to, size_t *rows, bool *over)
{
	const uint8_t *page = l->leaf->bytes;
	uint32_t count = count_of(page);
	for (uint32_t i = first_cell(page, from); i < count && !*over; i++) {
		uint64_t size;
		const uint8_t *record;
		int64_t rowid = rowid_of(page, cell_of(page, i), &size, &record);
		*over = rowid > last;
		int64_t *row = to + *rows * l->row.width;
		if (!*over && !decode(&l->row, record, size, row))
			return false;
		*rows += !*over && row[l->row.width] == l->row.lead;
	}
	return true;
}

enum leaves_outcome leaves_read(
	struct leaves *l, int64_t from, int64_t last, int64_t *to, size_t *rows, struct error *err)
{
	bool over = false;
	*rows = 0;
	enum leaves_outcome found = find(l, from, err);
	while (found == LEAVES_READ && l->leaf && !over) {
		if (!read_leaf(l, from, last, to, rows, &over))
			return LEAVES_STRANGE;
		if (!over)
			found = go_on(l, err);
	}
	return found;
}
