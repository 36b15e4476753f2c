/* cli/interrupt.h - SIGINT and SIGTERM for commands that make one file: a signal is only noted, and the work
 * ends at the next place where no file is left behind. A second one of the kind ends the program at once. */
#ifndef CEGSIM_CLI_INTERRUPT_H
#define CEGSIM_CLI_INTERRUPT_H

#include <signal.h>
#include <stdatomic.h>

/* Not 0: a signal came. */
extern volatile sig_atomic_t interrupt_came;
/* The same, for what looks at an atomic_bool (runs/search/). */
extern atomic_bool interrupt_stops;

/* From now on signals are noted, and they give up questions to analyses of users (policies/pipe/pipe.h). */
void interrupt_watch(void);

#endif
