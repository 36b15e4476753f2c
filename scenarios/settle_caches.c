/* scenarios/settle_caches.c - see scenarios/settle_caches.h. */
#include "scenarios/settle_caches.h"

#include "scenarios/presets.h"

/* `known`: the preset's; 0: not known. */
static bool settle(struct binder *b, const struct node *memory, const char *key, const struct preset *preset,
	int64_t known, int64_t *bytes)
{
	if (*bytes != WARP_SIZE_OF_PRESET)
		return true;
	*bytes = known;
	if (known > 0)
		return true;
	if (!preset)
		return binder_error_at(
			b, memory, key, "'%s' is to be that of a preset; the platform has none", key);
	return binder_error_at(
		b, memory, key, "'%s' of %s is not known, or all of it is shared memory", key, preset->name);
}

bool settle_caches(struct binder *b, const struct node *memory, const struct platform *platform,
	struct warp_machine *machine)
{
	const struct preset *preset = preset_find(platform->name);
	int64_t l1 = preset ? preset_l1(preset, platform->shared_memory_per_sm) : 0;
	bool ok = settle(b, memory, "l1_size", preset, l1, &machine->l1_bytes);
	return settle(b, memory, "l2_size", preset, preset ? preset->l2_bytes : 0, &machine->l2_bytes) && ok;
}
