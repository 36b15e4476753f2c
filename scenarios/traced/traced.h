/* scenarios/traced/traced.h - traces of kernels as a scenario of warps: what the machine code of a kernel did
 * becomes the program that all its warps run.
 *
 * docs/kernel-traces.md says what is made of what. In short: of all ways that warps took through the code the
 * one whose length is nearest to their mean is the program. What repeats is folded into loops. How many
 * threads were active, how accesses were coalesced and where they hit is, instruction by instruction, the
 * mean of all warps. */
#ifndef CEGSIM_SCENARIOS_TRACED_TRACED_H
#define CEGSIM_SCENARIOS_TRACED_TRACED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/error.h"
#include "models/warps/warp_set.h"
#include "scenarios/presets.h"

struct traced_request {
	const struct preset *preset; /* NULL: by the version of the machine code */
	int64_t l1_bytes,
		l2_bytes; /* of an SM, with its shared memory where they are one, and of the GPU; -1: known */
	uint32_t first, last; /* launches of the list, from 1 */
};

enum traced_kind { TRACED_FOUND, TRACED_ASSUMED, TRACED_LEFT_OUT };
struct traced_note {
	enum traced_kind kind;
	const char *subject;
	uint64_t count;
	const char *text;
};

struct traced_kernel {
	const char *name;   /* in the scenario: k1, k2, ... by the place in the list */
	const char *symbol; /* in the trace */
	struct warp_kernel kernel;
};

struct traced {
	struct arena arena;
	const char *file;
	const struct preset *preset;
	int64_t l1_bytes, l2_bytes;
	struct traced_kernel kernels[WARP_KERNELS_MAX];
	struct traced_note *notes;
	uint32_t kernel_count, note_count;
};

/* Whether the file is one for traced_make(): a trace, or a list of traces. One that is compressed by xz is,
 * too, and is refused there. */
MUST_CHECK bool traced_is_one(const char *path, bool *found, struct error *err);

/* Reads the traces, each twice. *d is begun anew for each file. False: *err, and diagnostics where there is a
 * place. Call traced_finish() either way. */
MUST_CHECK bool traced_make(struct traced *t, const char *path, const struct traced_request *request,
	struct diagnostics *d, struct error *err);
void traced_finish(struct traced *t);

/* Writes the scenario. `command` made it, for the first lines. */
MUST_CHECK bool traced_write(
	const struct traced *t, const char *path, const char *command, bool replace, struct error *err);

#endif
