/* policies/pipe/question.h - a plan as one line of JSON, the question that analyses in other languages answer
 * (docs/own-bounds.md). */
#ifndef CEGSIM_POLICIES_PIPE_QUESTION_H
#define CEGSIM_POLICIES_PIPE_QUESTION_H

#include "base/text.h"
#include "models/policy.h"

#define QUESTION_VERSION 1

/* Writes the line, with its end. order[tasks] is filled in: the tasks in the order of the line, by priority.
 * False: a kernel has no time under the plan; *task and *reason (a clause) say which. See text_ok(). */
MUST_CHECK bool question_write(const struct plan *plan, uint64_t id, struct text *line, uint32_t *order,
	uint32_t *task, struct error *reason);

#endif
