/* runs/store_programs.h - a kernel of a task that is a program of warps as JSON, and back: column program of
 * the table segment. */
#ifndef CEGSIM_RUNS_STORE_PROGRAMS_H
#define CEGSIM_RUNS_STORE_PROGRAMS_H

#include "base/text.h"
#include "models/taskset.h"

/* {"clock_hz": ..., "steps": [...]}: how the SMs are made, and the program. The text is filled; NULL: the
 * segment is no such kernel. */
const char *program_text(struct text *out, const struct taskset *set, const struct segment *s);

#endif
