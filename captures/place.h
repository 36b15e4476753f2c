/* captures/place.h - finds where in a JSON text a value is.
 *
 * jansson says where a text stops being JSON, but not where a value was that it has read. A place walks
 * through the same text along with the values, so that an error about a value can name its line and column,
 * too. Only for texts that jansson has accepted; in others the walk just ends early. */
#ifndef CEGSIM_CAPTURES_PLACE_H
#define CEGSIM_CAPTURES_PLACE_H

#include <stdbool.h>
#include <stddef.h>

struct log_place {
	const char *at, *end;  /* first byte of the value; end of the text */
	unsigned line, column; /* of `at`, from 1; columns count characters */
};

struct log_place place_of(const char *text, size_t length);
/* Goes from an object to the value of its member. False: there is none of that name (escapes in names are not
 * decoded), and the place does not change. */
bool place_member(struct log_place *p, const char *key);
/* Goes from an array to its element. False: there are not so many, and the place does not change. */
bool place_element(struct log_place *p, size_t index);
/* Goes from an element of an array to the next one. False: it was the last, and the place does not change. */
bool place_next(struct log_place *p);

#endif
