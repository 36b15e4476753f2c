/* cli/interrupt.h - SIGINT and SIGTERM for commands that make one file: they are noted, and the work ends at
 * the next place where nothing is left behind. */
#ifndef CEGSIM_CLI_INTERRUPT_H
#define CEGSIM_CLI_INTERRUPT_H

#include <signal.h>

/* Not 0: one of them came. */
extern volatile sig_atomic_t interrupt_came;

/* From now on they are noted. */
void interrupt_watch(void);

#endif
