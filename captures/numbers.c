/* captures/numbers.c - a hash table with open addressing, at most half full. Nothing depends on the order of
 * its slots. */
#include "captures/numbers.h"

#include <stdlib.h>

#include "base/mix.h"

struct slot {
	struct number number;
	uint32_t index;
	bool taken;
};

struct numbers {
	struct slot *slots;
	size_t capacity, count; /* capacity: a power of two */
};

enum { FIRST_CAPACITY = 64 };

static uint64_t hash(const struct number *n)
{
	uint64_t h = mix64((uint64_t)n->kind << 32 | n->process);
	h = mix64(h + n->gpu);
	h = mix64(h + (uint64_t)n->context);
	return mix64(h + (uint64_t)n->number);
}

static bool same(const struct number *a, const struct number *b)
{
	return a->kind == b->kind && a->process == b->process && a->gpu == b->gpu &&
	       a->context == b->context && a->number == b->number;
}

/* The slot of the number, or the free one that it belongs into. */
static size_t slot_of(const struct numbers *n, const struct number *number)
{
	size_t at = (size_t)hash(number) & (n->capacity - 1);
	while (n->slots[at].taken && !same(&n->slots[at].number, number))
		at = (at + 1) & (n->capacity - 1);
	return at;
}

uint32_t numbers_find(const struct numbers *n, const struct number *number)
{
	if (!n)
		return UINT32_MAX;
	const struct slot *s = &n->slots[slot_of(n, number)];
	return s->taken ? s->index : UINT32_MAX;
}

static bool grow(struct numbers *n, size_t capacity)
{
	struct numbers grown = {calloc(capacity, sizeof(*grown.slots)), capacity, n->count};
	if (!grown.slots)
		return false;
	for (size_t i = 0; i < n->capacity; i++)
		if (n->slots[i].taken)
			grown.slots[slot_of(&grown, &n->slots[i].number)] = n->slots[i];
	free(n->slots);
	*n = grown;
	return true;
}

bool numbers_add(struct numbers **n, const struct number *number, uint32_t index, struct error *err)
{
	struct numbers *at = *n ? *n : calloc(1, sizeof(*at));
	bool fits = at && at->count < at->capacity / 2;
	if (at && !fits)
		fits = grow(at, at->capacity ? at->capacity * 2 : FIRST_CAPACITY);
	if (fits) {
		at->slots[slot_of(at, number)] = (struct slot){*number, index, true};
		at->count++;
		*n = at;
	} else if (!*n) {
		numbers_destroy(at);
	}
	return fits || error_memory(err, "reading a capture");
}

void numbers_destroy(struct numbers *n)
{
	if (n)
		free(n->slots);
	free(n);
}
