/* tests/oracle/warp_shrink.h - do the engine and the plain simulation agree on a case? And if not, a smaller
 * case on which they still differ. */
#ifndef CEGSIM_TESTS_ORACLE_WARP_SHRINK_H
#define CEGSIM_TESTS_ORACLE_WARP_SHRINK_H

#include "tests/oracle/warp_random.h"

enum warp_verdict { WARP_AGREES, WARP_DIFFERS, WARP_INVALID };

/* `text`: the first difference, or why the case is not valid. Adds what happened to `counts`, unless it is
 * NULL. */
enum warp_verdict warp_case_verdict(
	struct warp_case *c, struct plain_counts *counts, char *text, size_t size);

/* Makes a case that differs smaller, as long as it still differs in the same kind of row. `before` is the
 * text of warp_case_verdict() for it. */
void warp_case_shrink(struct warp_case *c, const char *before);

#endif
