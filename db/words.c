/* db/words.c - see db/words.h. */
#include "db/words.h"

#include "db/rows.h"

#define WORD_LIST(name, ...) const char *const words_##name[] = {__VA_ARGS__, NULL};
WORD_LISTS(WORD_LIST)

const char *const words_level[] = {RECORD_WORDS(WORD_TEXT) NULL};
