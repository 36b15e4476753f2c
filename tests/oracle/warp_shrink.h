/* tests/oracle/warp_shrink.h - whether engine and plain simulation agree on a case, and a smaller case on
 * which they do not either. */
#ifndef CEGSIM_TESTS_ORACLE_WARP_SHRINK_H
#define CEGSIM_TESTS_ORACLE_WARP_SHRINK_H

#include "tests/oracle/warp_random.h"

enum warp_verdict { WARP_AGREES, WARP_DIFFERS, WARP_INVALID };

/* `text`: the first difference, or why the case is none. Adds to `counts` (NULL: they are not wanted) what
 * happened. */
enum warp_verdict warp_case_verdict(
	struct warp_case *c, struct plain_counts *counts, char *text, size_t size);

/* Makes a case that differs smaller as long as it still does, in the same kind of row: `before` is what
 * warp_case_verdict() said of it. */
void warp_case_shrink(struct warp_case *c, const char *before);

#endif
