/* runs/campaign/share.c - see runs/campaign/share.h. */
#include "runs/campaign/share.h"

#include <stddef.h>

/* Shares of a division have so many blocks together, unless there are more shares: then each has one. A merge
 * reads a block at a time, and there are never many. */
#define BLOCKS 256u
#define BLOCKS_OF_SHARE_MAX 16u /* enough so that the shares take about the same time */

static uint32_t blocks_of_share(uint32_t count)
{
	uint32_t blocks = BLOCKS / count;
	return blocks < 1 ? 1 : blocks > BLOCKS_OF_SHARE_MAX ? BLOCKS_OF_SHARE_MAX : blocks;
}

struct share share_of(uint32_t units, uint32_t index, uint32_t count)
{
	struct share s = {.index = index, .count = count, .units = units, .block = units ? units : 1};
	if (count > 1 && units > 0) { /* rounded up: no share has more than a block above the mean */
		uint64_t blocks = (uint64_t)count * blocks_of_share(count);
		s.block = (uint32_t)((units + blocks - 1) / blocks);
	}
	uint64_t round = (uint64_t)s.block * count, rest = units % round, before = (uint64_t)s.block * index;
	uint64_t last = rest > before ? rest - before : 0;
	s.members = (uint32_t)(units / round * s.block + (last < s.block ? last : s.block));
	return s;
}

struct share share_of_list(uint32_t units, const uint32_t *list, uint32_t members)
{
	return (struct share){.count = 1, .units = units, .block = 1, .members = members, .list = list};
}

/* The member of the first unit that is not below `unit`; members: there is none. */
static uint32_t place_in_list(const struct share *s, uint32_t unit)
{
	uint32_t low = 0, high = s->members;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (s->list[middle] < unit)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t share_unit(const struct share *s, uint32_t member)
{
	if (s->list)
		return s->list[member];
	uint64_t block = (uint64_t)(member / s->block) * s->count + s->index;
	return (uint32_t)(block * s->block + member % s->block);
}

uint32_t share_member(const struct share *s, uint32_t unit)
{
	if (s->list) {
		uint32_t member = place_in_list(s, unit);
		return member < s->members && s->list[member] == unit ? member : UINT32_MAX;
	}
	uint32_t block = unit / s->block;
	if (unit >= s->units || block % s->count != s->index)
		return UINT32_MAX;
	return block / s->count * s->block + unit % s->block;
}

uint32_t share_run(const struct share *s, uint32_t member)
{
	uint32_t left = s->members - member, run = 1;
	while (s->list && run < left && s->list[member + run] == s->list[member] + run)
		run++;
	if (s->list)
		return run;
	uint32_t block = s->block - member % s->block;
	return left < block ? left : block;
}
