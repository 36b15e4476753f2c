/* policies/pipe/pipe.h - analyses in other languages: `pipe:python3 mine.py` (docs/own-bounds.md). Each is a
 * process that gets a plan as a line of JSON and answers with a line of bounds. It is started with the first
 * question, once in each process that asks, lives as long as that one, and is started again if it ends. */
#ifndef CEGSIM_POLICIES_PIPE_PIPE_H
#define CEGSIM_POLICIES_PIPE_PIPE_H

#include "analysis/analysis.h"
#include "base/text.h"

/* How such an analysis begins: pipe:python3 mine.py, or pipe:safety=unsafe:python3 mine.py. */
#define PIPE_PREFIX "pipe:"
bool pipe_is(const char *text);

/* The analysis of a text, or of the words of a command and the folder it runs in (NULL: the current one); the
 * same one if it is asked for again. It lives as long as the process. `unsafe`: its user says that its bounds
 * do not hold. NULL: *err is a sentence that begins with "analysis pipe:...". */
MUST_CHECK const struct analysis *pipe_parse(const char *text, struct error *err);
MUST_CHECK const struct analysis *pipe_make(
	const char *const *words, size_t count, const char *folder, bool unsafe, struct error *err);

/* The line that such an analysis is asked, appended; order[tasks] is filled in (policies/pipe/question.h). Or
 * it is not asked: result->refused, with the reason. False: out of memory. */
MUST_CHECK bool pipe_question(const struct plan *plan, uint64_t id, struct arena *arena, uint32_t *order,
	struct text *line, struct analysis_result *result, struct error *err);

/* The label of a recorded one, by its name and its command: "pipe:mine.py --fast". Returns label. */
const char *pipe_recorded_label(const char *name, const char *command, char *label, size_t size);

/* How long an answer may take, s; 0: for ever. The default is PIPE_TIMEOUT_S. For all of them. */
#define PIPE_TIMEOUT_S 60.0
void pipe_patience(double seconds);
/* Asked about ten times a second while an answer is waited for, in this process and those forked from it:
 * true gives the question up, with STATUS_INTERRUPTED. NULL (default): nobody gives it up. */
void pipe_interruptible(bool (*over)(void *self), void *self);

#endif
