/* runs/campaign/share.c - see runs/campaign/share.h. */
#include "runs/campaign/share.h"

#define BLOCK_MAX 256u
#define BLOCKS_PER_SHARE 16u /* enough so that the shares take about the same time */

struct share share_of(uint32_t units, uint32_t index, uint32_t count)
{
	struct share s = {.index = index, .count = count, .units = units, .block = units ? units : 1};
	if (count > 1) {
		uint64_t block = units / ((uint64_t)count * BLOCKS_PER_SHARE);
		s.block = block < 1 ? 1 : block > BLOCK_MAX ? BLOCK_MAX : (uint32_t)block;
	}
	uint64_t round = (uint64_t)s.block * count, rest = units % round, before = (uint64_t)s.block * index;
	uint64_t last = rest > before ? rest - before : 0;
	s.members = (uint32_t)(units / round * s.block + (last < s.block ? last : s.block));
	return s;
}

uint32_t share_unit(const struct share *s, uint32_t member)
{
	uint64_t block = (uint64_t)(member / s->block) * s->count + s->index;
	return (uint32_t)(block * s->block + member % s->block);
}

uint32_t share_member(const struct share *s, uint32_t unit)
{
	uint32_t block = unit / s->block;
	if (unit >= s->units || block % s->count != s->index)
		return UINT32_MAX;
	return block / s->count * s->block + unit % s->block;
}

uint32_t share_run(const struct share *s, uint32_t member)
{
	uint32_t left = s->members - member, block = s->block - member % s->block;
	return left < block ? left : block;
}
