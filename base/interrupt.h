/* base/interrupt.h - what SIGINT, SIGTERM and SIGHUP do, in every command: they end it within a second, with
 * status 130, and nothing unfinished is left behind.
 *
 * Most commands keep nothing of what they had: there the handler itself ends the program, whatever it is
 * doing, be it a query in SQLite, a plug-in that loops, or the reading of a large file. It kills the child,
 * removes the files that were registered, and is gone. A command that keeps something (finished runs, the
 * worst so far) has signals noted instead, looks at interrupt_came, and comes to its end. If it does not
 * within INTERRUPT_SECONDS, the program ends as above. What loops in code of others can be left, so that the
 * command comes to its end. Only the completing of a result (the indexes of a recording, the disk) may take
 * longer; then a signal that comes a second after the one before ends it: who presses Ctrl-C twice in a hurry
 * loses nothing.
 *
 * SIGPIPE also removes the files, and then ends the program as it does by itself. */
#ifndef CEGSIM_BASE_INTERRUPT_H
#define CEGSIM_BASE_INTERRUPT_H

#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* How long a command may take to come to its end, s. On a machine that gives this process next to no
 * processor time, as long as it takes to use half of that, but no longer than INTERRUPT_PATIENCE_SECONDS. */
#define INTERRUPT_SECONDS 0.8
#define INTERRUPT_PATIENCE_SECONDS 8.0

/* How many signals have been noted. */
extern volatile sig_atomic_t interrupt_came;
/* Whether one has, for what looks at an atomic_bool (runs/search/). */
extern atomic_bool interrupt_stops;

/* For main(): from now on the handlers are there, and end the program. */
void interrupt_begin(void);
/* In a process that was forked, and does not become another program: the signals of the terminal are for the
 * parent. */
void interrupt_leave_to_parent(void);
/* In a process that was forked, and becomes another program: signals do what they do by themselves. */
void interrupt_reset(void);

/* Whether signals are noted from now on (true), or end the program. Returns what was before. */
bool interrupt_note(bool now);
/* Between true and false a result is being completed: there is no limit of time. */
void interrupt_completes(bool now);
/* Called in the handler for each signal that is noted; NULL: nothing is. */
void interrupt_wake(void (*call)(void *self), void *self);
/* From now on, while a signal that was noted waits for the command, whose code is at work is looked at, and
 * if `may` says of its address that it can be left there, siglongjmp() goes to `to`, which was set with the
 * signals' mask: from code that holds no lock and leaves nothing half done but what the caller drops. Then a
 * result is being completed, and this is over. `may` is called in the handler. NULL: over. Where processors
 * are others than we know, nothing is left. */
void interrupt_leaves(bool (*may)(uintptr_t code), sigjmp_buf *to);
/* Holds the signals back while files get their names, and lets them come again. */
void interrupt_hold(sigset_t *before);
void interrupt_release(const sigset_t *before);

/* The file of this name is removed if a signal ends the program. Returns a handle, 1 or more; 0, which may be
 * given back, too: it is not, as there is no room. */
int interrupt_removes(const char *path);
void interrupt_keeps(int file);
/* This child is killed and waited for if a signal ends the program; 0: none. */
void interrupt_kills(pid_t pid);
/* Ends the program with this status as a signal would: for what a library wants to abort for. */
_Noreturn void interrupt_quit(int status);

#endif
