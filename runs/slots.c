/* runs/slots.c - see runs/slots.h. */
#include "runs/slots.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NO_SLOT UINT32_MAX
#define FIRST_CAPACITY 64u

struct slot_bits {
	uint64_t *word;
	uint32_t words;
};

struct resident {
	uint32_t task, segment, block;
	uint32_t slot; /* NO_SLOT: the entry is free */
};

bool block_slots_init(struct block_slots *s, uint32_t sms)
{
	*s = (struct block_slots){.sms = calloc(sms, sizeof(*s->sms)), .sm_count = sms};
	return s->sms != NULL;
}

void block_slots_finish(struct block_slots *s)
{
	for (uint32_t i = 0; s->sms && i < s->sm_count; i++)
		free(s->sms[i].word);
	free(s->sms);
	free(s->residents);
	*s = (struct block_slots){0};
}

/* ---- bits ---- */

static bool take_bit(struct slot_bits *b, uint32_t *slot)
{
	for (uint32_t w = 0; w < b->words; w++) {
		if (b->word[w] == UINT64_MAX)
			continue;
		uint32_t bit = (uint32_t)__builtin_ctzll(~b->word[w]);
		b->word[w] |= UINT64_C(1) << bit;
		*slot = w * 64 + bit;
		return true;
	}
	uint32_t words = b->words ? 2 * b->words : 1;
	uint64_t *grown = realloc(b->word, words * sizeof(*grown));
	if (!grown)
		return false;
	memset(grown + b->words, 0, (words - b->words) * sizeof(*grown));
	b->word = grown;
	b->words = words;
	return take_bit(b, slot);
}

/* ---- residents ---- */

static uint32_t home(const struct block_slots *s, uint32_t task, uint32_t segment, uint32_t block)
{
	uint64_t mixed = ((uint64_t)(task + (segment << 16)) << 32 | block) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(mixed >> 32) & (s->capacity - 1);
}

/* The block's entry, or the free entry for it. */
static uint32_t find(const struct block_slots *s, uint32_t task, uint32_t segment, uint32_t block)
{
	uint32_t i = home(s, task, segment, block);
	while (s->residents[i].slot != NO_SLOT &&
		(s->residents[i].task != task || s->residents[i].segment != segment ||
			s->residents[i].block != block))
		i = (i + 1) & (s->capacity - 1);
	return i;
}

/* Makes room for one more, and keeps a quarter of the table free. */
static bool reserve(struct block_slots *s)
{
	if (s->used + 1 <= s->capacity / 4 * 3)
		return true;
	struct block_slots grown = *s;
	grown.capacity = s->capacity ? 2 * s->capacity : FIRST_CAPACITY;
	grown.residents = malloc(grown.capacity * sizeof(*grown.residents));
	if (!grown.residents)
		return false;
	for (uint32_t i = 0; i < grown.capacity; i++)
		grown.residents[i].slot = NO_SLOT;
	for (uint32_t i = 0; i < s->capacity; i++) {
		const struct resident *r = &s->residents[i];
		if (r->slot != NO_SLOT)
			grown.residents[find(&grown, r->task, r->segment, r->block)] = *r;
	}
	free(s->residents);
	*s = grown;
	return true;
}

/* Moves entries behind a gap into it, as far as their home allows. */
static void close_gap(struct block_slots *s, uint32_t gap)
{
	uint32_t mask = s->capacity - 1;
	for (uint32_t i = (gap + 1) & mask; s->residents[i].slot != NO_SLOT; i = (i + 1) & mask) {
		uint32_t at = home(s, s->residents[i].task, s->residents[i].segment, s->residents[i].block);
		if (((i - at) & mask) < ((i - gap) & mask))
			continue;
		s->residents[gap] = s->residents[i];
		gap = i;
	}
	s->residents[gap].slot = NO_SLOT;
}

bool block_slots_take(struct block_slots *s, uint32_t sm, uint32_t task, uint32_t segment, uint32_t block)
{
	struct resident r = {.task = task, .segment = segment, .block = block};
	if (!reserve(s) || !take_bit(&s->sms[sm], &r.slot))
		return false;
	uint32_t at = find(s, task, segment, block);
	assert(s->residents[at].slot == NO_SLOT);
	s->residents[at] = r;
	s->used++;
	return true;
}

uint32_t block_slots_give(struct block_slots *s, uint32_t sm, uint32_t task, uint32_t segment, uint32_t block)
{
	uint32_t at = find(s, task, segment, block), slot = s->residents[at].slot;
	assert(slot != NO_SLOT);
	s->sms[sm].word[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
	close_gap(s, at);
	s->used--;
	return slot;
}
