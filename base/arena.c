/* base/arena.c - owns the chunks behind struct arena: a list of blocks of memory, the newest first. Memory is
 * only taken from them; all of it is freed at once, or what was taken since an image. */
#include "base/arena.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_MIN ((size_t)4096)
#define CHUNK_MAX ((size_t)1 << 20)
#define CLEAN ((size_t)1 << 17) /* from this size on the system mostly gives chunks that are zeroed */
#define ALIGN_SMALL ((size_t)16)
#define ALIGN_LARGE ((size_t)64) /* a cache line */

struct arena_chunk {
	struct arena_chunk *next;
	size_t size, used; /* bytes behind this header */
	bool clean;        /* those that are not used are zero; else they are zeroed when they are taken */
};

static unsigned char *chunk_bytes(struct arena_chunk *chunk)
{
	return (unsigned char *)(chunk + 1);
}

/* Takes `bytes` from the chunk; NULL if it has not that many left. */
static void *chunk_take(struct arena_chunk *chunk, size_t bytes, size_t align)
{
	uintptr_t from = (uintptr_t)chunk_bytes(chunk) + chunk->used;
	size_t padding = (size_t)(-from & (align - 1));
	size_t left = chunk->size - chunk->used;
	if (left < padding || left - padding < bytes)
		return NULL;
	void *memory = chunk_bytes(chunk) + chunk->used + padding;
	chunk->used += padding + bytes;
	assert((uintptr_t)memory % align == 0);
	return memory;
}

static struct arena_chunk *chunk_new(size_t size)
{
	if (size > SIZE_MAX - sizeof(struct arena_chunk))
		return NULL;
	size_t bytes = sizeof(struct arena_chunk) + size;
	struct arena_chunk *chunk = bytes < CLEAN ? malloc(bytes) : calloc(1, bytes);
	if (chunk)
		*chunk = (struct arena_chunk){.size = size, .clean = bytes >= CLEAN};
	return chunk;
}

void arena_finish(struct arena *a)
{
	struct arena_chunk *chunk = a->chunks;
	while (chunk) {
		struct arena_chunk *next = chunk->next;
		free(chunk);
		chunk = next;
	}
	a->chunks = NULL;
}

/* Adds a chunk that holds at least `bytes` at any alignment. Each chunk is twice as large as the newest one,
 * up to CHUNK_MAX. A request for more than half of CHUNK_MAX gets a chunk of its own behind the newest one,
 * which stays in use. */
static struct arena_chunk *arena_grow(struct arena *a, size_t bytes)
{
	if (bytes > SIZE_MAX - ALIGN_LARGE)
		return NULL;
	size_t need = bytes + ALIGN_LARGE;
	if (need > CHUNK_MAX / 2 && a->chunks) {
		struct arena_chunk *own = chunk_new(need);
		if (!own)
			return NULL;
		own->next = a->chunks->next;
		a->chunks->next = own;
		return own;
	}
	size_t size = a->chunks && a->chunks->size < CHUNK_MAX ? 2 * a->chunks->size : CHUNK_MIN;
	if (a->chunks && a->chunks->size >= CHUNK_MAX)
		size = CHUNK_MAX;
	struct arena_chunk *chunk = chunk_new(size > need ? size : need);
	if (!chunk)
		return NULL;
	chunk->next = a->chunks;
	a->chunks = chunk;
	return chunk;
}

void *arena_alloc(struct arena *a, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes))
		return NULL;
	bytes += bytes == 0;
	size_t align = bytes > ALIGN_LARGE ? ALIGN_LARGE : ALIGN_SMALL;
	struct arena_chunk *chunk = a->chunks;
	void *memory = chunk ? chunk_take(chunk, bytes, align) : NULL;
	if (!memory) {
		chunk = arena_grow(a, bytes);
		memory = chunk ? chunk_take(chunk, bytes, align) : NULL;
	}
	return memory && !chunk->clean ? memset(memory, 0, bytes) : memory;
}

char *arena_strdup(struct arena *a, const char *text)
{
	size_t bytes = strlen(text) + 1;
	char *copy = arena_alloc(a, bytes, 1);
	if (copy)
		memcpy(copy, text, bytes);
	return copy;
}

/* ---- images ---- */

struct arena_saved {
	struct arena_chunk *chunk;
	size_t used;
};

bool arena_image_take(struct arena_image *image, const struct arena *a)
{
	size_t bytes = 0, at = 0;
	*image = (struct arena_image){0};
	for (const struct arena_chunk *c = a->chunks; c; c = c->next, image->count++)
		bytes += c->used;
	image->saved = calloc((size_t)image->count + 1, sizeof(*image->saved));
	image->bytes = malloc(bytes + 1);
	if (!image->saved || !image->bytes) {
		arena_image_finish(image);
		return false;
	}
	struct arena_saved *saved = image->saved;
	for (struct arena_chunk *c = a->chunks; c; c = c->next) {
		*saved++ = (struct arena_saved){c, c->used};
		memcpy(image->bytes + at, chunk_bytes(c), c->used);
		at += c->used;
	}
	return true;
}

/* New chunks are somewhere among those of the image, which are still in their order. */
void arena_image_restore(const struct arena_image *image, struct arena *a)
{
	const unsigned char *bytes = image->bytes;
	struct arena_chunk **link = &a->chunks;
	for (uint32_t i = 0; *link;) {
		struct arena_chunk *c = *link;
		if (i == image->count || image->saved[i].chunk != c) {
			*link = c->next;
			free(c);
			continue;
		}
		size_t used = image->saved[i++].used;
		memset(chunk_bytes(c) + used, 0, c->used - used);
		memcpy(chunk_bytes(c), bytes, used);
		bytes += used;
		c->used = used;
		link = &c->next;
	}
}

void arena_image_finish(struct arena_image *image)
{
	free(image->saved);
	free(image->bytes);
	*image = (struct arena_image){0};
}
