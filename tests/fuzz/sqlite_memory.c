/* tests/fuzz/sqlite_memory.c - see tests/fuzz/sqlite_memory.h. To open a recording SQLite allocates 40,000
 * times, which under AddressSanitizer takes several times as long as all else: so mostly it gets blocks of
 * powers of two, kept in lists. */
#include "tests/fuzz/sqlite_memory.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CLASSES 17 /* blocks of 32 bytes to 2 MiB */
#define LEAST 32
#define CHECKED CLASSES
#define SLAB ((size_t)4 << 20)
/* What is taken here says nothing about an input, and a fifth of the time went into counting it. */
#ifdef __clang__
#define UNCOUNTED __attribute__((no_sanitize("coverage", "address", "undefined")))
#else
#define UNCOUNTED
#endif

/* In front of each allocation. */
union head {
	struct {
		int size;
		unsigned class;
	} of;
	union head *next; /* of a block that is free */
	max_align_t alignment;
};

static union head *free_blocks[CLASSES];
static char *slab;
static size_t slab_left;
static bool checks = true;

UNCOUNTED static union head *new_block(size_t size)
{
	if (size > slab_left) {
		slab = malloc(SLAB);
		slab_left = slab ? SLAB : 0;
	}
	if (size > slab_left)
		return NULL;
	union head *block = (union head *)(void *)slab;
	slab += size;
	slab_left -= size;
	return block;
}

UNCOUNTED static void *take_memory(int size)
{
	unsigned class = 0;
	size_t whole = (size_t)size + sizeof(union head);
	while (class < CLASSES && (size_t)LEAST << class < whole)
		class ++;
	if (checks)
		class = CHECKED;
	union head *block;
	if (class == CHECKED) {
		block = malloc(whole);
	} else if (free_blocks[class]) {
		block = free_blocks[class];
		free_blocks[class] = block->next;
	} else {
		block = new_block((size_t)LEAST << class);
	}
	if (!block)
		return NULL;
	block->of.size = size;
	block->of.class = class;
	return block + 1;
}

UNCOUNTED static void give_memory(void *memory)
{
	union head *block = (union head *)memory - 1;
	unsigned class = block->of.class;
	if (class == CHECKED) {
		free(block);
		return;
	}
	block->next = free_blocks[class];
	free_blocks[class] = block;
}

UNCOUNTED static int size_of(void *memory)
{
	return memory ? ((union head *)memory - 1)->of.size : 0;
}

UNCOUNTED static void *change_memory(void *memory, int size)
{
	union head *block = (union head *)memory - 1;
	int before = block->of.size;
	if (block->of.class < CLASSES && (size_t)size + sizeof(union head) <= (size_t)LEAST
										      << block->of.class) {
		block->of.size = size;
		return memory;
	}
	void *other = take_memory(size);
	if (other) {
		memcpy(other, memory, (size_t)(before < size ? before : size));
		give_memory(memory);
	}
	return other;
}

static int round_up(int size)
{
	return (size + 7) & ~7;
}

static int begin(void *unused)
{
	(void)unused;
	return SQLITE_OK;
}

static void end(void *unused)
{
	(void)unused;
}

void sqlite_memory_begin(void)
{
	static const sqlite3_mem_methods methods = {
		take_memory, give_memory, change_memory, size_of, round_up, begin, end, NULL};
	if (sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) != SQLITE_OK ||
		sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) != SQLITE_OK)
		abort();
}

void sqlite_memory_next(void)
{
	static unsigned inputs;
	checks = inputs++ % 8 == 0;
}
