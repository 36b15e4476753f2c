/* db/pages/tree.h - B-trees whose entries come in order: of tables, by rowid, and of indexes
 * (https://www.sqlite.org/fileformat2.html, 1.5 "B-tree Pages"). Leaves are filled from the first to the
 * last; the pages above them are made at the end. */
#ifndef CEGSIM_DB_PAGES_TREE_H
#define CEGSIM_DB_PAGES_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/pages/store.h"

/* A row has at most this many bytes as a record; so have its columns with 9 each. It is far less than what
 * would have to go on an overflow page (1.5: PAGE_SIZE - 35 in a table, PAGE_SIZE / 4 - 35 in an index). */
#define TREE_RECORD_MAX 1024
/* An entry of an index: up to three integers. */
#define TREE_ENTRY_MAX (1 + 4 + 3 * 8)

/* A page below another one, and what stands beside it there: of a table, the last rowid in the page; of an
 * index, the entry behind all in the page. The last page has none. */
struct tree_child {
	uint32_t place; /* in the store */
	uint8_t size;
	uint8_t key[TREE_ENTRY_MAX];
};

struct tree {
	struct page_store *store;
	bool is_index;
	uint8_t *page; /* the last leaf; NULL: there was no entry yet */
	uint32_t cells, content;
	struct tree_child *children; /* the other leaves */
	size_t count, capacity;
	uint8_t pending[TREE_ENTRY_MAX]; /* of an index: the next entry, which the leaf has no room for */
	uint32_t pending_size;
	/* Of a table: how it was at the mark; what was in the page then, if that is in the store now. */
	uint8_t *marked_page;
	uint32_t marked_cells, marked_content;
	size_t marked_count;
};

/* `store` must outlive the tree. */
void tree_init(struct tree *t, struct page_store *store, bool is_index);
void tree_finish(struct tree *t);

/* Adds a row. The rowid is one more than that of the row before. */
MUST_CHECK bool tree_add_row(
	struct tree *t, int64_t rowid, const uint8_t *record, uint32_t size, struct error *err);
/* Adds an entry of an index: a record, which must not sort before the last one. */
MUST_CHECK bool tree_add_entry(struct tree *t, const uint8_t *record, uint32_t size, struct error *err);

/* Of a table: takes all rows back that came behind the mark. The caller cuts the store, for all trees. */
void tree_mark(struct tree *t);
void tree_restore(struct tree *t);

/* Ends the tree. Its root is written to `root`, whose place is given, all other pages are in the store. */
MUST_CHECK bool tree_end(
	struct tree *t, const struct page_numbers *numbers, uint8_t root[PAGE_SIZE], struct error *err);

#endif
