/* policies/pipe/answer.h - the answer to a question (policies/pipe/question.h): one line of JSON with the
 * bounds, as the result of an analysis. */
#ifndef CEGSIM_POLICIES_PIPE_ANSWER_H
#define CEGSIM_POLICIES_PIPE_ANSWER_H

#include "analysis/analysis.h"

/* What was asked. */
struct asked {
	const struct plan *plan;
	const uint32_t *order; /* [tasks] the tasks in the order of the question */
	uint64_t id;
};

/* Reads the line into *result, which analysis_begin() has prepared. False: STATUS_INPUT, and *err is a
 * clause, such as gave 2 bounds for 3 tasks or STATUS_IO: out of memory. */
MUST_CHECK bool answer_read(const char *line, size_t length, const struct asked *asked,
	struct analysis_result *result, struct error *err);

#endif
