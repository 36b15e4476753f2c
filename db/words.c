/* db/words.c - see db/words.h. */
#include "db/words.h"

#include <stddef.h>

#define WORD_LIST(name, ...) const char *const words_##name[] = {__VA_ARGS__, NULL};
WORD_LISTS(WORD_LIST)
