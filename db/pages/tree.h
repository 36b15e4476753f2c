/* db/pages/tree.h - B-trees whose entries come in order: of tables, by rowid, and of indexes
 * (https://www.sqlite.org/fileformat2.html, 1.5 "B-tree Pages"). Leaves are filled from the first to the
 * last; the pages above them are made at the end. */
#ifndef CEGSIM_DB_PAGES_TREE_H
#define CEGSIM_DB_PAGES_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/pages/store.h"

/* A record of a row has at most this many bytes; so have its columns with 9 each. It is far less than what
 * would have to go on an overflow page (1.5: PAGE_SIZE - 35 in a table, PAGE_SIZE / 4 - 35 in an index). */
#define TREE_RECORD_MAX 1024
/* An entry of an index, integers, with its size. */
#define TREE_VALUES_MAX 3
#define TREE_ENTRY_MAX (1 + 1 + TREE_VALUES_MAX * (1 + RECORD_INTEGER_MAX))

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
	/* Of an index: at its end the next entry, for which the leaf has no room. */
	uint8_t pending[TREE_ENTRY_MAX + RECORD_INTEGER_MAX];
	uint32_t pending_size;
	uint32_t room; /* what the longest cell takes */
	/* Of a table: how it was at the mark; what was in the page then, if that is in the store now. */
	uint8_t *marked_page;
	uint32_t marked_cells, marked_content;
	size_t marked_count;
};

/* `store` must outlive the tree. `record_max`: bytes of the longest record; of an index nothing. */
void tree_init(struct tree *t, struct page_store *store, bool is_index, uint32_t record_max);
void tree_finish(struct tree *t);

/* Adds a row, or an entry of an index: a record, which is then written to end in front of the place that is
 * returned. NULL: *err. Ending it tells its first byte. A rowid is one more than that of the row before; an
 * entry must not sort before the last one. */
MUST_CHECK uint8_t *tree_begin_row(struct tree *t, int64_t rowid, struct error *err);
void tree_end_row(struct tree *t, int64_t rowid, uint8_t *record);
MUST_CHECK uint8_t *tree_begin_entry(struct tree *t, struct error *err);
void tree_end_entry(struct tree *t, uint8_t *record);

/* Of a table: takes all rows back that came behind the mark. The caller cuts the store, for all trees. */
void tree_mark(struct tree *t);
void tree_restore(struct tree *t);

/* Ends the tree. Its root is written to `root`, whose place is given, all other pages are in the store, which
 * is settled. */
MUST_CHECK bool tree_end(struct tree *t, uint8_t root[PAGE_SIZE], struct error *err);

#endif
