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

/* Whether all of its rowids are those that the pages above it say. */
static bool is_in_place(const struct leaves *l, const uint8_t *page)
{
	uint32_t count = count_of(page);
	return count == 0 || (rowid_at(page, 0) >= l->first && rowid_at(page, count - 1) <= l->last);
}

/* The child in which a row with this rowid would be, and which rowids may be there. */
static uint32_t child_of(struct leaves *l, const uint8_t *page, int64_t rowid)
{
	uint32_t i = first_cell(page, rowid);
	if (i > 0)
		l->first = rowid_at(page, i - 1) + 1;
	if (i == count_of(page))
		return get32(page + 8);
	l->last = rowid_at(page, i);
	return get32(cell_of(page, i));
}

/* Goes to the leaf in which a row with this rowid would be. */
static enum leaves_outcome find(struct leaves *l, int64_t rowid, struct error *err)
{
	uint32_t number = l->root;
	if (l->leaf && l->first <= rowid && rowid <= l->last)
		return LEAVES_READ;
	l->leaf = NULL;
	l->first = INT64_MIN;
	l->last = INT64_MAX;
	for (unsigned level = 0; level < LEAVES_DEPTH && number > 1; level++) {
		enum leaves_outcome loaded = load(l, level, number, err);
		if (loaded != LEAVES_READ)
			return loaded;
		const uint8_t *page = l->page[level].bytes;
		if (!is_in_place(l, page))
			return LEAVES_STRANGE;
		if (page[0] == LEAF) {
			l->leaf = page;
			return LEAVES_READ;
		}
		number = child_of(l, page, rowid);
	}
	return LEAVES_STRANGE;
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

/* Rows of the leaf. False: one is strange. */
static bool read_leaf(struct leaves *l, int64_t from, int64_t last, int64_t *to, size_t *rows)
{
	uint32_t count = count_of(l->leaf);
	for (uint32_t i = first_cell(l->leaf, from); i < count; i++) {
		uint64_t size;
		const uint8_t *record;
		int64_t rowid = rowid_of(l->leaf, cell_of(l->leaf, i), &size, &record);
		if (rowid > last)
			break;
		int64_t *row = to + *rows * l->row.width;
		if (!decode(&l->row, record, size, row))
			return false;
		*rows += row[l->row.width] == l->row.lead;
	}
	return true;
}

enum leaves_outcome leaves_read(
	struct leaves *l, int64_t from, int64_t last, int64_t *to, size_t *rows, struct error *err)
{
	*rows = 0;
	for (;;) {
		enum leaves_outcome found = find(l, from, err);
		if (found != LEAVES_READ)
			return found;
		if (!read_leaf(l, from, last, to, rows))
			return LEAVES_STRANGE;
		if (l->last >= last)
			return LEAVES_READ;
		from = l->last + 1;
	}
}
