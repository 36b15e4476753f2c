/* tests/support/failing_memory.c - the wrapped allocators. */
#include "tests/support/failing_memory.h"

#include <errno.h>
#include <stddef.h>

volatile long memory_countdown = -1;
volatile bool memory_failed;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);

bool memory_fails_now(void)
{
	if (memory_countdown < 0)
		return false;
	memory_countdown = memory_countdown - 1;
	if (memory_countdown >= 0)
		return false;
	memory_failed = true;
	errno = ENOMEM;
	return true;
}

void *__wrap_malloc(size_t size)
{
	return memory_fails_now() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return memory_fails_now() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
	return memory_fails_now() ? NULL : __real_realloc(memory, size);
}

char *__wrap_strdup(const char *text)
{
	return memory_fails_now() ? NULL : __real_strdup(text);
}
