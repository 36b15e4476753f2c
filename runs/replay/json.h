/* runs/replay/json.h - JSON texts through jansson, with memory from an arena.
 *
 * jansson (2.14) does not survive a failed allocation everywhere: some are ignored and end in an
 * assertion. Here it gets its memory from an arena, and when there is none the whole reading is left at
 * once; what it had allocated goes with the arena. */
#ifndef CEGSIM_RUNS_REPLAY_JSON_H
#define CEGSIM_RUNS_REPLAY_JSON_H

#include <jansson.h>

#include "base/arena.h"

/* The text's value; it lives as long as the arena: no json_decref(). An object with a key twice is
 * refused. NULL: *trouble says why and where, or *no_memory is set. Not for two threads at a time. */
json_t *json_read(
	struct arena *arena, const char *text, size_t length, json_error_t *trouble, bool *no_memory);

#endif
