/* captures/json.h - reads JSON texts by jansson, with memory from an arena.
 *
 * jansson (2.14) does not handle every failed allocation: some are ignored and end in an assertion. So it
 * gets its memory from an arena here. If that fails, reading is left at once by a long jump; what jansson had
 * allocated is freed with the arena. */
#ifndef CEGSIM_CAPTURES_JSON_H
#define CEGSIM_CAPTURES_JSON_H

#include <jansson.h>

#include "base/arena.h"

/* The value of the text; it lives as long as the arena: no json_decref(). `flags` are jansson's
 * (JSON_REJECT_DUPLICATES: an object with a repeated key is refused). NULL: *trouble says why and where, or
 * *no_memory is set. Not for use by two threads at a time. */
json_t *json_read(struct arena *arena, const char *text, size_t length, size_t flags, json_error_t *trouble,
	bool *no_memory);

#endif
