/* runs/replay/json.c - owns jansson's memory while a text is read. */
#include "runs/replay/json.h"

#include <setjmp.h>

/* jansson hands nothing of ours to its allocator. */
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
	(void)memory; /* it goes with the arena */
}

/* Apart from json_read(), which changes no variable between setjmp() and longjmp(). */
static json_t *load(const char *text, size_t length, json_error_t *trouble, bool *no_memory)
{
	*no_memory = true;
	if (setjmp(way_out) != 0)
		return NULL;
	json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, trouble);
	*no_memory = false;
	return root;
}

json_t *json_read(
	struct arena *arena, const char *text, size_t length, json_error_t *trouble, bool *no_memory)
{
	json_malloc_t old_malloc;
	json_free_t old_free;
	json_get_alloc_funcs(&old_malloc, &old_free);
	json_set_alloc_funcs(allocate, keep);
	current = arena;
	json_t *root = load(text, length, trouble, no_memory);
	json_set_alloc_funcs(old_malloc, old_free);
	return root;
}
