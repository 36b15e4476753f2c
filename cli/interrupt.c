/* cli/interrupt.c - notes signals. */
#include "cli/interrupt.h"

#include <stddef.h>

volatile sig_atomic_t interrupt_came;

static void note(int number)
{
	interrupt_came = number;
}

void interrupt_watch(void)
{
	struct sigaction action = {.sa_handler = note};
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}
