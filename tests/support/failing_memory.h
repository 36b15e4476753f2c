/* tests/support/failing_memory.h - allocations that fail, for programs linked with
 * --wrap=malloc,calloc,realloc,strdup: the one after `memory_countdown` further ones, and none before
 * or behind it. */
#ifndef CEGSIM_TESTS_SUPPORT_FAILING_MEMORY_H
#define CEGSIM_TESTS_SUPPORT_FAILING_MEMORY_H

#include <stdbool.h>

/* Volatile, because a compiler knows that calloc() itself changes no variable of ours. */
extern volatile long memory_countdown; /* negative: none fails */
extern volatile bool memory_failed;    /* one has; the test sets it back */

/* Counts an allocation; true: it is the one that fails. For allocators of others, such as SQLite's. */
bool memory_fails_now(void);

#endif
