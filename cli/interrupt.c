/* cli/interrupt.c - notes signals. */
#include "cli/interrupt.h"

#include <stddef.h>

#include "policies/pipe/pipe.h"

volatile sig_atomic_t interrupt_came;
atomic_bool interrupt_stops;

static void note(int number)
{
	interrupt_came = number;
	atomic_store(&interrupt_stops, true);
}

static bool came(void *self)
{
	(void)self;
	return interrupt_came;
}

void interrupt_watch(void)
{
	struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	pipe_interruptible(came, NULL);
}
