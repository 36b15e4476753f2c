/* db/pages/tree.c - see db/pages/tree.h. */
#include "db/pages/tree.h"

#include <assert.h>
#include <stdlib.h>

#include "base/list.h"

/* 1.5: the first byte of a page. */
enum { INTERIOR_INDEX = 0x02, INTERIOR_TABLE = 0x05, LEAF_INDEX = 0x0a, LEAF_TABLE = 0x0d };
#define LEAF_HEAD 8 /* bytes of the page's header; pointers to cells follow it */
#define INTERIOR_HEAD 12
#define POINTER 2
#define CHILD 4 /* bytes of the number of a page */
#define VARINT_MAX 8

void tree_init(struct tree *t, struct page_store *store, bool is_index, uint32_t record_max)
{
	assert(record_max <= TREE_RECORD_MAX);
	*t = (struct tree){.store = store, .is_index = is_index, .content = PAGE_SIZE};
	t->room = is_index ? TREE_ENTRY_MAX : 2 * VARINT_MAX + record_max;
}

void tree_finish(struct tree *t)
{
	free(t->page);
	free(t->marked_page);
	free(t->children);
	*t = (struct tree){0};
}

/* ---- pages ---- */

/* 1.5, "B-tree Page Header Format": no free blocks, no fragments. What is between pointers and cells does not
 * count, but equal recordings are equal files. */
static void write_head(uint8_t *page, uint8_t kind, uint32_t head, uint32_t cells, uint32_t content)
{
	page[0] = kind;
	put16(page + 1, 0);
	put16(page + 3, cells);
	put16(page + 5, content);
	page[7] = 0;
	uint32_t used = head + POINTER * cells;
	memset(page + used, 0, content - used);
}

static void end_leaf(struct tree *t)
{
	write_head(t->page, t->is_index ? LEAF_INDEX : LEAF_TABLE, LEAF_HEAD, t->cells, t->content);
}

/* Whether the longest cell fits, and what is written beyond its first byte. */
static bool has_room(const struct tree *t)
{
	return LEAF_HEAD + POINTER * (t->cells + 1) + t->room + RECORD_INTEGER_MAX <= t->content;
}

/* Takes in the cell that begins here, and ends at the last one. */
static void add_cell(struct tree *t, const uint8_t *cell)
{
	t->content = (uint32_t)(cell - t->page);
	put16(t->page + LEAF_HEAD + POINTER * t->cells++, t->content);
}

static bool begin_leaf(struct tree *t, struct error *err)
{
	t->page = store_page(t->store, err);
	t->cells = 0;
	t->content = PAGE_SIZE;
	return t->page != NULL;
}

static bool add_child(struct tree *t, const uint8_t *key, uint32_t size, struct error *err)
{
	if (!list_reserve(&t->children, &t->capacity, t->count + 1, sizeof(*t->children)))
		return error_memory(err, "writing a recording");
	struct tree_child *child = &t->children[t->count];
	end_leaf(t);
	uint8_t *page = t->page;
	t->page = NULL;
	if (!store_add(t->store, page, &child->place, err))
		return false;
	child->size = (uint8_t)size;
	memcpy(child->key, key, size);
	t->count++;
	return true;
}

/* ---- marks ---- */

void tree_mark(struct tree *t)
{
	t->marked_count = t->count;
	t->marked_cells = t->cells;
	t->marked_content = t->content;
}

/* The page of the mark goes to the store, with rows that may be taken back. */
static bool keep_marked(struct tree *t, struct error *err)
{
	if (t->count != t->marked_count || t->marked_cells == 0)
		return true;
	if (!t->marked_page && !(t->marked_page = store_page(t->store, err)))
		return false;
	memcpy(t->marked_page, t->page, PAGE_SIZE);
	return true;
}

void tree_restore(struct tree *t)
{
	bool gone = t->count > t->marked_count || !t->page; /* or the store could not take it */
	if (gone && t->marked_cells > 0) {
		uint8_t *page = t->page;
		t->page = t->marked_page;
		t->marked_page = page;
	}
	t->count = t->marked_count;
	t->cells = t->marked_cells;
	t->content = t->marked_content;
}

/* ---- leaves ---- */

uint8_t *tree_begin_row(struct tree *t, int64_t rowid, struct error *err)
{
	uint8_t key[VARINT_MAX];
	assert(!t->is_index);
	if (!t->page && !begin_leaf(t, err))
		return NULL;
	if (!has_room(t)) {
		uint8_t *end = key + sizeof(key), *first = put_varint(end, (uint64_t)(rowid - 1));
		if (!keep_marked(t, err) || !add_child(t, first, (uint32_t)(end - first), err) ||
			!begin_leaf(t, err))
			return NULL;
	}
	return t->page + t->content;
}

/* 1.5, "B-tree Cell Format": the record's size, the rowid, the record. */
void tree_end_row(struct tree *t, int64_t rowid, uint8_t *record)
{
	uint64_t size = (uint64_t)(t->page + t->content - record);
	add_cell(t, put_varint(put_varint(record, (uint64_t)rowid), size));
}

/* The entry that has no room is the one above, if another one follows: a leaf is not empty. */
uint8_t *tree_begin_entry(struct tree *t, struct error *err)
{
	assert(t->is_index);
	if (t->pending_size > 0) {
		if (!add_child(t, t->pending + sizeof(t->pending) - t->pending_size, t->pending_size, err))
			return NULL;
		t->pending_size = 0;
	}
	if (!t->page && !begin_leaf(t, err))
		return NULL;
	return has_room(t) ? t->page + t->content : t->pending + sizeof(t->pending);
}

void tree_end_entry(struct tree *t, uint8_t *record)
{
	bool fit = has_room(t);
	uint8_t *end = fit ? t->page + t->content : t->pending + sizeof(t->pending);
	uint8_t *cell = put_varint(record, (uint64_t)(end - record));
	if (fit)
		add_cell(t, cell);
	else
		t->pending_size = (uint32_t)(end - cell);
}

/* There is no other entry behind the one without room: it begins the last leaf, and the last entry of the
 * full leaf is the one above. */
static bool place_pending(struct tree *t, struct error *err)
{
	uint8_t above[TREE_ENTRY_MAX];
	if (t->pending_size == 0)
		return true;
	uint32_t end = t->cells > 1 ? get16(t->page + LEAF_HEAD + POINTER * (t->cells - 2)) : PAGE_SIZE;
	uint32_t size = end - t->content;
	assert(t->cells > 1 && size <= sizeof(above));
	memcpy(above, t->page + t->content, size);
	t->cells--;
	t->content = end;
	if (!add_child(t, above, size, err) || !begin_leaf(t, err))
		return false;
	uint8_t *cell = t->page + t->content - t->pending_size;
	memcpy(cell, t->pending + sizeof(t->pending) - t->pending_size, t->pending_size);
	add_cell(t, cell);
	t->pending_size = 0;
	return true;
}

/* ---- above the leaves ---- */

/* How many of the children from the first on one page takes. None is left alone: a page has a cell, which is
 * a child with its key, and beside its cells one child more. */
static size_t take(const struct tree_child *children, size_t count)
{
	uint32_t room = PAGE_SIZE - INTERIOR_HEAD;
	size_t taken = 1;
	for (; taken < count; taken++) {
		uint32_t size = POINTER + CHILD + children[taken - 1].size;
		if (size > room)
			break;
		room -= size;
	}
	return taken + 1 == count ? taken - 1 : taken;
}

/* 1.5: a cell is the number of a page and its key; the last page's number is in the header. */
static bool fill_interior(const struct tree *t, const struct tree_child *children, size_t count,
	uint8_t *page, struct error *err)
{
	uint32_t content = PAGE_SIZE;
	for (size_t i = 0; i < count; i++) {
		const struct tree_child *c = &children[i];
		uint32_t number = store_number(t->store, c->place);
		if (number == 0)
			return error_set(
				err, STATUS_IO, "%s: more pages than SQLite can read", t->store->name);
		if (i + 1 == count) {
			put32(page + INTERIOR_HEAD - CHILD, number);
			break;
		}
		content -= CHILD + c->size;
		put32(page + content, number);
		memcpy(page + content + CHILD, c->key, c->size);
		put16(page + INTERIOR_HEAD + POINTER * i, content);
	}
	write_head(page, t->is_index ? INTERIOR_INDEX : INTERIOR_TABLE, INTERIOR_HEAD, (uint32_t)count - 1,
		content);
	return true;
}

/* Makes the pages above the children, which are the children of the next level: in the same list. */
static bool add_level(struct tree *t, struct error *err)
{
	size_t above = 0;
	for (size_t first = 0, taken; first < t->count; first += taken) {
		struct tree_child *last;
		uint8_t *page = store_page(t->store, err);
		taken = take(t->children + first, t->count - first);
		last = &t->children[first + taken - 1];
		if (!page)
			return false;
		if (!fill_interior(t, t->children + first, taken, page, err)) {
			free(page);
			return false;
		}
		if (!store_add(t->store, page, &last->place, err))
			return false;
		t->children[above++] = *last;
	}
	t->count = above;
	return true;
}

bool tree_end(struct tree *t, uint8_t root[PAGE_SIZE], struct error *err)
{
	assert(t->page);
	if (!place_pending(t, err))
		return false;
	if (t->count == 0) {
		end_leaf(t);
		memcpy(root, t->page, PAGE_SIZE);
		return true;
	}
	if (!add_child(t, (const uint8_t *)"", 0, err))
		return false;
	while (take(t->children, t->count) < t->count)
		if (!add_level(t, err))
			return false;
	return fill_interior(t, t->children, t->count, root, err);
}
