/* runs/seeds.h - a list of seeds, or of other numbers, as users write it: "1..100", "1,5,9", "1..3,7". */
#ifndef CEGSIM_RUNS_SEEDS_H
#define CEGSIM_RUNS_SEEDS_H

#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

#define SEEDS_MAX 100000u
#define SEED_RANGES_MAX 1000u

struct seed_range {
	int64_t first, last;
};

struct seeds {
	struct seed_range *ranges; /* disjoint, in the order of the text */
	uint32_t range_count;
	uint32_t count; /* of all seeds; 0: none were given */
};

/* `noun`: what errors call one of them, such as "seed". False: *err says what is wrong with the text, and *s
 * is empty. */
MUST_CHECK bool seeds_parse(const char *text, const char *noun, struct seeds *s, struct error *err);
/* Seed number i < count. */
uint64_t seeds_at(const struct seeds *s, uint32_t i);
void seeds_finish(struct seeds *s);
/* Adds ascending numbers as such a list, which is read as the same: "3,17..19". */
void seeds_write(struct text *out, const uint32_t *numbers, uint32_t count);

#endif
