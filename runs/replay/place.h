/* runs/replay/place.h - where in a JSON text a value stands.
 *
 * jansson says where a text stops being JSON, but not where a value it has read stood. A place
 * walks the same text beside the values, so that an error about a value can name its line and
 * column too. Only for texts that jansson has accepted; others end the walk early, safely. */
#ifndef CEGSIM_RUNS_REPLAY_PLACE_H
#define CEGSIM_RUNS_REPLAY_PLACE_H

#include <stdbool.h>
#include <stddef.h>

struct log_place {
	const char *at, *end;  /* first byte of the value; end of the text */
	unsigned line, column; /* of `at`, from 1; columns count characters */
};

struct log_place place_of(const char *text, size_t length);
/* From an object to the value of its member. False: it has none of that name (escapes in names are
 * not looked into); the place stays. */
bool place_member(struct log_place *p, const char *key);
/* From an array to its element. False: it has not so many; the place stays. */
bool place_element(struct log_place *p, size_t index);
/* From an element of an array to the one after it. False: it was the last; the place stays. */
bool place_next(struct log_place *p);

#endif
