/* tests/support/failing_memory.h - allocations that fail, for programs linked with
 * --wrap=malloc,calloc,realloc,strdup. `memory_countdown` allocations succeed, the next one fails, and later
 * ones succeed again. */
#ifndef CEGSIM_TESTS_SUPPORT_FAILING_MEMORY_H
#define CEGSIM_TESTS_SUPPORT_FAILING_MEMORY_H

#include <stdbool.h>

/* Volatile: a compiler knows that calloc() itself changes none of our variables. */
extern volatile long memory_countdown; /* negative: none fails */
extern volatile bool memory_failed;    /* one has failed; the test resets it */

/* Counts an allocation; true: it must fail. For allocators of other libraries, such as SQLite's. */
bool memory_fails_now(void);

#endif
