/* captures/numbers.h - finds what a file knows by numbers: GPUs, processes, threads, streams; only for use in
 * captures/. A capture may have very many of them, and every row names some. */
#ifndef CEGSIM_CAPTURES_NUMBERS_H
#define CEGSIM_CAPTURES_NUMBERS_H

#include <stdint.h>

#include "base/error.h"

enum numbered {
	NUMBERED_GPU,
	NUMBERED_PROCESS,
	NUMBERED_THREAD,
	NUMBERED_STREAM,
	NUMBERED_STREAM_OF_CONTEXT /* of any GPU: the first */
};

/* What it is called; members that do not apply are 0. */
struct number {
	enum numbered kind;
	uint32_t process, gpu; /* indices */
	int64_t context, number;
};

struct numbers;

/* The index that was added; UINT32_MAX: none. `n` may be NULL: nothing was added. */
uint32_t numbers_find(const struct numbers *n, const struct number *number);
/* It must not be there yet. *n may be NULL: nothing was added. */
MUST_CHECK bool numbers_add(
	struct numbers **n, const struct number *number, uint32_t index, struct error *err);
void numbers_destroy(struct numbers *n);

#endif
