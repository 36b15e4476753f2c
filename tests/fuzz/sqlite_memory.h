/* tests/fuzz/sqlite_memory.h - the memory of SQLite in fuzzers of databases. */
#ifndef CEGSIM_TESTS_FUZZ_SQLITE_MEMORY_H
#define CEGSIM_TESTS_FUZZ_SQLITE_MEMORY_H

/* Must be called before anything of SQLite is. */
void sqlite_memory_begin(void);
/* At each input: the first and every 8th one after it have memory that AddressSanitizer looks at, so that of
 * a value of SQLite no byte too far is read. One input alone, as found, is always the first. */
void sqlite_memory_next(void);

#endif
