/* scenarios/traced/lru.c - see scenarios/traced/lru.h. */
#include "scenarios/traced/lru.h"

#include <stdlib.h>
#include <string.h>

#include "base/mix.h"

#define LRU_NONE UINT32_MAX

struct lru_line {
	uint64_t sector;
	uint32_t older, newer; /* around: the oldest is newer than the newest */
	uint32_t next;         /* in its chain; LRU_NONE */
};

void lru_init(struct lru *c, uint32_t most)
{
	*c = (struct lru){.most = most};
}

void lru_finish(struct lru *c)
{
	free(c->lines);
	free(c->heads);
	*c = (struct lru){.most = c->most};
}

static uint32_t *head_of(const struct lru *c, uint64_t sector)
{
	return &c->heads[mix64(sector) & (c->made - 1)];
}

static void chain(struct lru *c, uint32_t line)
{
	uint32_t *head = head_of(c, c->lines[line].sector);
	c->lines[line].next = *head;
	*head = line;
}

static void unchain(struct lru *c, uint32_t line)
{
	uint32_t *at = head_of(c, c->lines[line].sector);
	while (*at != line)
		at = &c->lines[*at].next;
	*at = c->lines[line].next;
}

static bool grow(struct lru *c)
{
	size_t made = c->made ? c->made * 2 : 64;
	struct lru_line *lines = realloc(c->lines, made * sizeof(*lines));
	if (lines)
		c->lines = lines;
	uint32_t *heads = lines ? realloc(c->heads, made * sizeof(*heads)) : NULL;
	if (!heads)
		return false;
	c->heads = heads;
	c->made = made;
	memset(heads, 0xff, made * sizeof(*heads));
	for (uint32_t i = 0; i < c->used; i++)
		chain(c, i);
	return true;
}

/* Out of the ring, and in front of the newest. */
static void leave(struct lru *c, uint32_t line)
{
	c->lines[c->lines[line].older].newer = c->lines[line].newer;
	c->lines[c->lines[line].newer].older = c->lines[line].older;
}

static void enter(struct lru *c, uint32_t line)
{
	uint32_t oldest = c->lines[c->newest].newer;
	c->lines[line].older = c->newest;
	c->lines[line].newer = oldest;
	c->lines[c->newest].newer = line;
	c->lines[oldest].older = line;
	c->newest = line;
}

static void renew(struct lru *c, uint32_t line)
{
	if (line == c->newest)
		return;
	leave(c, line);
	enter(c, line);
}

bool lru_access(struct lru *c, uint64_t sector, bool *hit)
{
	uint32_t line = c->made ? *head_of(c, sector) : LRU_NONE;
	while (line != LRU_NONE && c->lines[line].sector != sector)
		line = c->lines[line].next;
	*hit = line != LRU_NONE;
	if (*hit) {
		renew(c, line);
		return true;
	}
	if (c->used == c->most) { /* the oldest makes room */
		line = c->lines[c->newest].newer;
		unchain(c, line);
		c->lines[line].sector = sector;
		chain(c, line);
		renew(c, line);
		return true;
	}
	if (c->used == c->made && !grow(c))
		return false;
	line = c->used++;
	c->lines[line] = (struct lru_line){.sector = sector, .older = line, .newer = line};
	chain(c, line);
	if (line == 0)
		c->newest = line;
	else
		enter(c, line);
	return true;
}
