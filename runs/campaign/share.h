/* runs/campaign/share.h - which units of a campaign a sweep makes: all of them, one of n shares, or those
 * that a list names.
 *
 * Units are numbered point by point, set by set. Shares take blocks of consecutive units in turn. So each
 * of a few shares gets a part of every region of the grid. From 256 shares on each has one block. The members
 * of a share are numbered from 0 in the order of their units. A list is a share of its own. */
#ifndef CEGSIM_RUNS_CAMPAIGN_SHARE_H
#define CEGSIM_RUNS_CAMPAIGN_SHARE_H

#include <stdint.h>

#define SHARES_MAX 100000u

struct share {
	uint32_t index, count; /* 0 <= index < count */
	uint32_t units;        /* of the whole campaign */
	uint32_t block;        /* units of a block */
	uint32_t members;      /* units of this share */
	const uint32_t *list;  /* [members] those units; NULL: as `index` and `count` say */
};

struct share share_of(uint32_t units, uint32_t index, uint32_t count);
/* `list`: members < units numbers, ascending, each once; it must live as long as the share is used. */
struct share share_of_list(uint32_t units, const uint32_t *list, uint32_t members);
/* The unit of member 0 .. members - 1. */
uint32_t share_unit(const struct share *s, uint32_t member);
/* The member of a unit; UINT32_MAX: the unit is in another share. */
uint32_t share_member(const struct share *s, uint32_t unit);
/* How many members, from `member` on, are consecutive units. */
uint32_t share_run(const struct share *s, uint32_t member);

#endif
