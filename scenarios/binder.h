/* scenarios/binder.h - tables that say what a YAML file may hold.
 *
 * A *shape* describes one kind of value: how it is read, which messages a bad one gets, and its JSON Schema.
 * A *field* is a key of a mapping with the shape of its value and the place in a C struct where the value
 * goes. Files are described by const tables of both (scenarios/tables.h); binder.c reads by them, schema.c
 * prints them. */
#ifndef CEGSIM_SCENARIOS_BINDER_H
#define CEGSIM_SCENARIOS_BINDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/text.h"
#include "base/units.h"
#include "scenarios/document.h"

struct binder {
	struct diagnostics *diagnostics;
	struct arena *arena;       /* owns the strings and lists that are read */
	bool unit_hinted;          /* time_unit was said: once is enough */
	const char *time_unit;     /* unit of bare numbers where a time is expected; NULL: they are refused */
	void *context;             /* for check and bind functions */
	bool no_memory, io_failed; /* the file may be correct, but could not be read completely */
	const struct binder_scope *scope; /* the mappings that are being read; NULL: none yet */
};

struct binder_shape;

enum binder_need {
	OPTIONAL,
	REQUIRED,
	SELECTOR, /* exactly one of the mapping's selectors is given */
	ONE_OF,   /* exactly one of these must be given (of those with the same `with`) */
};

struct field {
	const char *key; /* NULL ends a table */
	const struct binder_shape *shape;
	size_t offset;       /* of the value in the mapping's struct */
	size_t count_offset; /* lists and dictionaries: of their uint32_t length */
	enum binder_need need;
	const char *with;     /* the selector it goes with; NULL: any */
	int tag;              /* selectors: stored at the shape's tag_offset */
	const char *fallback; /* the value if the key is not given, as text; the binder reads it */
	const char *unset;    /* what holds if the key is not given, in words; for readers, where there is no
				 fallback */
	const char *help;     /* what the key is for: one or two sentences */
	const char *needs;    /* a ONE_OF that must be the one given if this key is; NULL: none */
};

struct binder_choice {
	const char *name; /* NULL ends a table */
	int value;
};

enum shape_kind {
	SHAPE_TEXT,     /* char *; not empty */
	SHAPE_INTEGER,  /* min .. max, or one of `choices`; `size` bytes, 4 or 8 */
	SHAPE_QUANTITY, /* int64_t in base units of `unit`, min .. max */
	SHAPE_INTERVAL, /* int64_t[2]: a quantity d, or [best, worst] */
	SHAPE_CHOICE,   /* int, one of `choices` */
	SHAPE_MAP,      /* a struct, by `fields` */
	SHAPE_LIST,     /* an array of `item`, each of `size` bytes */
	SHAPE_DICT,     /* a mapping with free keys: an array of (key, value) structs */
	SHAPE_EITHER,   /* `scalar`, `list` or `map`, by the kind of the node */
	SHAPE_CUSTOM,   /* `bind` and `schema` */
	SHAPE_KINDS
};

struct binder_shape {
	enum shape_kind kind;
	const char *wants; /* "a duration or [best, worst]"; NULL: made from the kind */
	enum unit_kind unit;
	int64_t min, max; /* in base units; for lists and dictionaries of their length, max 0: no limit */
	size_t size;
	const struct binder_choice *choices;
	const struct field *fields;
	size_t tag_offset;               /* of an int */
	const struct binder_shape *item; /* lists; the values of dictionaries */
	const struct binder_shape *key;  /* dictionaries: text or integer */
	size_t key_offset, value_offset;
	const struct binder_shape *scalar, *list, *map;
	bool (*bind)(struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count);
	void (*schema)(struct text *out); /* one JSON value */
	void (*init)(void *out);          /* mappings: called before the keys are read */
	/* For a schema: the name of a shape that contains itself. The shape of the whole file lists all such
	 * shapes, up to a NULL. */
	const char *reference;
	const struct binder_shape *const *definitions;
	/* Called after everything in `node` has been read without error: checks what no table can express. */
	bool (*check)(struct binder *b, const struct node *node, void *out);
};

#define FIELDS_MAX 40

/* Reads `node` by the shape into *out (and *count, for lists). `what` names the value in messages. False:
 * errors have been reported; what could be read is in place. The memory of a list is zeroed; otherwise *out
 * keeps its value where nothing is given. Keys are read in the order of the table, not of the file, so a key
 * may rely on those above it. */
bool binder_read(struct binder *b, const char *what, const struct node *node,
	const struct binder_shape *shape, void *out, uint32_t *count);

/* Reports at the node's place. Always returns false. */
bool binder_error(struct binder *b, const struct node *at, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Reports at the value of `key` in `map`; if the map does not have the key, at the beginning of the map. */
bool binder_error_at(struct binder *b, const struct node *map, const char *key, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
/* Reports that `map` has the name of `earlier`, another `what` of the file. */
bool binder_error_name(struct binder *b, const struct node *map, const struct node *earlier, const char *what,
	const char *name);
bool binder_no_memory(struct binder *b); /* always returns false */

/* True if the key is given in the map. */
static inline bool node_has(const struct node *map, const char *key)
{
	return node_find(map, key) != NULL;
}

/* The key of the mapping inside of which `name` is a key: "kernel" for "grid". NULL: it is none of any. */
const struct field *binder_inside(const struct node *map, const struct field *fields, const char *name);

/* A phrase for what a shape expects ("a whole number"); may use `buffer`. */
#define SHAPE_WANTS_MAX 96
const char *shape_wants(const struct binder_shape *shape, char buffer[SHAPE_WANTS_MAX]);

/* Prints the shape as JSON Schema, draft 2020-12, into `out`. */
void schema_print(struct text *out, const struct binder_shape *root, const char *title);
/* Prints one shape inside a schema, for the `schema` functions of custom shapes. */
void schema_value(struct text *out, const struct binder_shape *shape);

#endif
