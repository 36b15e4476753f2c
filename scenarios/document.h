/* scenarios/document.h - a YAML text as a tree of nodes, each with its place in the text.
 *
 * It is built from libyaml's events. So an alias has a place of its own, and a hostile file (deep nesting,
 * aliases of aliases) is refused while it is read, before it needs much memory. Merge keys and tags are
 * refused; a file holds one document. */
#ifndef CEGSIM_SCENARIOS_DOCUMENT_H
#define CEGSIM_SCENARIOS_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/error.h"

#define DOCUMENT_BYTES_MAX ((size_t)64 << 20)
#define DOCUMENT_NODES_MAX 2000000u /* counting the nodes behind every alias */
#define DOCUMENT_DEPTH_MAX 64u
#define DOCUMENT_ANCHORS_MAX 256u

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };

struct node {
	enum node_kind kind;
	unsigned line, column;     /* from 1; columns count characters */
	const char *text;          /* scalars; no NUL inside */
	bool plain;                /* a scalar without quotes */
	bool open;                 /* while it is read */
	uint32_t count;            /* items of a list, pairs of a map */
	uint32_t weight;           /* number of nodes in this subtree, counting those behind aliases */
	uint32_t height;           /* number of levels in this subtree */
	uint32_t origin;           /* 0: the text; else the number of another source (scenarios/graft.h) */
	struct node *first, *next; /* children; of a map key, value, key, value, ... */
};

/* Reads a whole file of at most DOCUMENT_BYTES_MAX bytes; free() the result. A missing
 * or too large file is an input error, memory and disk are STATUS_IO. */
MUST_CHECK char *document_slurp(const char *path, size_t *length, struct error *err);

/* The path of a file that is named in the file called `file`: in the same folder, unless it is absolute.
 * free() the result. NULL: out of memory. */
MUST_CHECK char *document_beside(const char *file, const char *name);

/* The root of the text's tree, allocated from `arena`. text[length] is NUL. NULL: *d says why (or *no_memory
 * is set, if memory ran out). Diagnostics may be added even if a tree is returned: the caller must look at
 * their number. */
MUST_CHECK struct node *document_parse(
	struct arena *arena, const char *text, size_t length, struct diagnostics *d, bool *no_memory);

/* The value of a key in a map; NULL: no such key, or not a map. */
const struct node *node_find(const struct node *map, const char *key);
/* The i-th item of a list; NULL: no such item, or not a list. */
const struct node *node_item(const struct node *list, uint32_t i);

/* The value of a node, for a message: "\"4x\"", "a list", "a mapping", "nothing". */
#define NODE_QUOTE_MAX 72
const char *node_quote(const struct node *node, char buffer[NODE_QUOTE_MAX]);

#endif
