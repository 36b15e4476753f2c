/* policies/pipe/child.h - for policies/pipe/pipe.c: a process of somebody else's program that answers lines
 * with lines, over pipes. It ends with this process, whatever ends that one. */
#ifndef CEGSIM_POLICIES_PIPE_CHILD_H
#define CEGSIM_POLICIES_PIPE_CHILD_H

#include <sys/types.h>

#include "base/text.h"

/* The longest answer, bytes. */
#define CHILD_ANSWER_MAX ((size_t)64 << 20)

/* A zeroed one does not run. */
struct child {
	pid_t pid;          /* 0: it does not run */
	pid_t owner;        /* the process that started it: a fork of that one has no part in it */
	int in, out;        /* its standard input and output, our ends */
	bool fresh;         /* it has not answered yet */
	bool mute;          /* start it with its standard error closed: enough was said */
	struct text answer; /* the last one, without the end of the line */
};

/* Whether this process has it running. */
bool child_runs(const struct child *c);
/* Starts it in the folder (NULL: the current one). False: *err is a clause, such as
 *   cannot be started: Permission denied */
MUST_CHECK bool child_start(struct child *c, char *const *words, const char *folder, struct error *err);
/* How long an answer is waited for. */
struct patience {
	double timeout_s; /* 0: for ever */
	/* Asked about ten times a second: true, nobody wants the answer any more. NULL: it is wanted. */
	bool (*over)(void *self);
	void *self;
};

/* Writes a line (which ends with '\n') and reads one into c->answer. False: *err is a clause, such as
 * gave no answer within 10 s   |   ended with status 1 and it does not run any more. STATUS_INPUT: it did
 * something wrong; *ended: it ended. STATUS_IO: memory, or a system call, failed. STATUS_INTERRUPTED: the
 * patience is over. */
MUST_CHECK bool child_ask(struct child *c, const char *line, size_t length, const struct patience *patience,
	bool *ended, struct error *err);
/* Kills it. */
void child_stop(struct child *c);
/* Kills it, and gives back its memory. */
void child_finish(struct child *c);

#endif
