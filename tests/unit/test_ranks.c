/* tests/unit/test_ranks.c - compares models/ranks.c with a plain array of marks. */
#include "base/random.h"
#include "models/ranks.h"
#include "tests/support/test.h"

static struct arena arena;

static int end(void **state)
{
	arena_finish(&arena);
	return 0;
}

EACH_TEST(NULL, end);

TEST("levels")
{
	static const struct {
		uint32_t ranks, levels;
	} sizes[] = {{0, 0}, {1, 0}, {64, 0}, {65, 1}, {4096, 1}, {4097, 2}, {262144, 2}, {262145, 3}};
	struct ranks r;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		assert_true(ranks_init(&r, &arena, sizes[i].ranks));
		assert_int_equal(r.levels, sizes[i].levels);
		assert_true(ranks_empty(&r));
		if (sizes[i].ranks == 0)
			continue;
		ranks_add(&r, sizes[i].ranks - 1);
		assert_int_equal(ranks_first(&r), sizes[i].ranks - 1);
		ranks_add(&r, 0);
		assert_int_equal(ranks_first(&r), 0);
	}
}

static uint32_t upto(uint32_t draw, uint32_t bound)
{
	const struct random_key key = {.seed = 11, .job = draw, .task = bound, .purpose = RANDOM_TEST};
	return (uint32_t)random_upto(&key, bound);
}

static uint32_t plain_first(const bool *marked, uint32_t count)
{
	uint32_t rank = 0;
	while (rank < count && !marked[rank])
		rank++;
	return rank;
}

/* Adds and removes at random, also what is there already, or is not. */
static void as_marked(uint32_t count, uint32_t operations)
{
	struct ranks r;
	bool *marked = arena_new(&arena, bool, count);
	assert_non_null(marked);
	assert_true(ranks_init(&r, &arena, count));
	for (uint32_t i = 0; i < operations; i++) {
		uint32_t rank = upto(3 * i, count - 1);
		bool takes_first = upto(3 * i + 1, 3) == 0 && !ranks_empty(&r);
		if (takes_first)
			rank = ranks_first(&r);
		assert_int_equal(ranks_has(&r, rank), marked[rank]);
		marked[rank] = !takes_first && upto(3 * i + 2, 1) == 0;
		if (marked[rank])
			ranks_add(&r, rank);
		else
			ranks_remove(&r, rank);
		uint32_t first = plain_first(marked, count);
		assert_int_equal(ranks_empty(&r), first == count);
		uint32_t after = rank + 1;
		while (after < count && !marked[after])
			after++;
		assert_int_equal(ranks_after(&r, rank), after < count ? after : RANKS_NONE);
		if (first < count)
			assert_int_equal(ranks_first(&r), first);
	}
}

TEST("as marks in an array")
{
	static const uint32_t counts[] = {1, 2, 63, 64, 65, 200, 4096, 4097, 20000};
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		as_marked(counts[i], 3000);
}
