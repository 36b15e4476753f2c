/* captures/json.c - manages jansson's memory while it reads a text. */
#include "captures/json.h"

#include <setjmp.h>

/* jansson passes no pointer of ours to its allocator, so this is a static variable */
static struct arena *current;
static jmp_buf way_out;

static void *allocate(size_t size)
{
	void *memory = arena_alloc(current, 1, size);
	if (!memory)
		longjmp(way_out, 1);
	return memory;
}

static void keep(void *memory)
{
	(void)memory; /* it is freed with the arena */
}

/* Separate from json_read(), so that no local variable changes between setjmp() and longjmp(). */
static json_t *load(const char *text, size_t length, size_t flags, json_error_t *trouble, bool *no_memory)
{
	*no_memory = true;
	if (setjmp(way_out) != 0)
		return NULL;
	json_t *root = json_loadb(text, length, flags, trouble);
	*no_memory = false;
	return root;
}

json_t *json_read(struct arena *arena, const char *text, size_t length, size_t flags, json_error_t *trouble,
	bool *no_memory)
{
	json_malloc_t old_malloc;
	json_free_t old_free;
	json_get_alloc_funcs(&old_malloc, &old_free);
	json_set_alloc_funcs(allocate, keep);
	current = arena;
	json_t *root = load(text, length, flags, trouble, no_memory);
	json_set_alloc_funcs(old_malloc, old_free);
	return root;
}
