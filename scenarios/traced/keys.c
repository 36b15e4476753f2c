/* scenarios/traced/keys.c - see scenarios/traced/keys.h: open addressing, at most half full. */
#include "scenarios/traced/keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/mix.h"

void keys_finish(struct keys *k)
{
	free(k->keys);
	free(k->index);
	*k = (struct keys){0};
}

static size_t place_of(const struct keys *k, uint64_t key)
{
	size_t at = mix64(key) & (k->size - 1);
	while (k->index[at] != KEYS_NONE && k->keys[at] != key)
		at = (at + 1) & (k->size - 1);
	return at;
}

uint32_t keys_find(const struct keys *k, uint64_t key)
{
	return k->size ? k->index[place_of(k, key)] : KEYS_NONE;
}

static bool grow(struct keys *k)
{
	size_t size = k->size ? k->size * 2 : 64;
	struct keys grown = {
		.keys = malloc(size * sizeof(*grown.keys)),
		.index = malloc(size * sizeof(*grown.index)),
		.size = size,
		.count = k->count,
	};
	if (!grown.keys || !grown.index) {
		keys_finish(&grown);
		return false;
	}
	memset(grown.index, 0xff, size * sizeof(*grown.index));
	for (size_t i = 0; i < k->size; i++) {
		if (k->index[i] == KEYS_NONE)
			continue;
		size_t at = place_of(&grown, k->keys[i]);
		grown.keys[at] = k->keys[i];
		grown.index[at] = k->index[i];
	}
	keys_finish(k);
	*k = grown;
	return true;
}

uint32_t keys_add(struct keys *k, uint64_t key)
{
	if ((size_t)k->count * 2 >= k->size && !grow(k))
		return KEYS_NONE;
	size_t at = place_of(k, key);
	if (k->index[at] == KEYS_NONE) {
		k->keys[at] = key;
		k->index[at] = k->count++;
	}
	return k->index[at];
}
