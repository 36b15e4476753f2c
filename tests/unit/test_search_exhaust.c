/* tests/unit/test_search_exhaust.c - compares all genomes of a grid (runs/search/exhaust.h) with loops
 * written out by hand; and the limit. */
#include "runs/search/exhaust.h"
#include "runs/search/search.h"
#include "tests/unit/search_sets.h"

static const struct search_target both[] = {{0, WHOLE_JOB}, {1, WHOLE_JOB}};

/* tau1's first segment in two jobs, offsets of both tasks, ties. */
TEST("it is what loops find")
{
	struct searched p;
	struct exhaust x;
	struct error err;
	struct exhaust_best best[2];
	int64_t longest[2] = {0, 0};
	uint64_t runs = 0;
	searched_anomaly(&p, 2);
	struct genome g = searched_genome(&p);
	for (int64_t ties = 0; ties < 2; ties++)
		for (int64_t a = 0; a < 20; a += 2)
			for (int64_t b = 0; b < 20; b += 2)
				for (int64_t c = 1; c <= 3; c += 2)
					for (int64_t d = 1; d <= 3; d += 2) {
						*g.ties = ties;
						g.offset[0] = a;
						g.offset[1] = b;
						*genome_length(&p.space, &g, 0, 0, 0) = c;
						*genome_length(&p.space, &g, 0, 1, 0) = d;
						int64_t first = searched_response(&p, &g, 0),
							second = p.evaluator.longest[1];
						longest[0] = first > longest[0] ? first : longest[0];
						longest[1] = second > longest[1] ? second : longest[1];
						runs++;
					}
	assert_true(exhaust_init(&x, &p.space, 2, 0, 1000000, &p.arena, &err));
	assert_int_equal(x.count, runs);
	assert_int_equal(exhaust_range(&x, &p.evaluator, 0, x.count, both, 2, NULL, best, &err), runs);
	for (int t = 0; t < 2; t++) {
		assert_int_equal(best[t].response_ns, longest[t]);
		exhaust_genome(&x, best[t].index, &g);
		assert_int_equal(searched_response(&p, &g, (uint32_t)t), longest[t]);
		for (uint64_t i = 0; i < best[t].index; i++) { /* the first of the best */
			exhaust_genome(&x, i, &g);
			assert_true(searched_response(&p, &g, (uint32_t)t) < longest[t]);
		}
	}
	searched_finish(&p);
}

TEST("all genomes differ")
{
	struct searched p;
	struct exhaust x;
	struct error err;
	searched_long_copy(&p, 2);
	assert_true(exhaust_init(&x, &p.space, 10, 20, 1000000, &p.arena, &err));
	assert_int_equal(x.count, 2 * 4 * 6 * 3 * 3); /* ties, offsets, a separation of 0, 10, 20 of each */
	struct genome g = searched_genome(&p), synchronous = searched_genome(&p);
	int64_t *seen = arena_new(&p.arena, int64_t, x.count * p.space.size);
	for (uint64_t i = 0; i < x.count; i++) {
		exhaust_genome(&x, i, &g);
		if (i == 0)
			assert_memory_equal(g.ties, synchronous.ties, p.space.size * sizeof(*g.ties));
		for (uint64_t k = 0; k < i; k++)
			assert_memory_not_equal(
				g.ties, &seen[k * p.space.size], p.space.size * sizeof(*g.ties));
		memcpy(&seen[i * p.space.size], g.ties, p.space.size * sizeof(*g.ties));
	}
	searched_finish(&p);
}

/* The true worst case of the copy of 9 on the grid of 1; divided among any number of workers it is the
 * same. */
TEST("it certifies the long copy")
{
	struct searched p;
	struct exhaust x;
	struct error err;
	struct pieces_results r;
	struct witness *one, *three;
	searched_long_copy(&p, 2);
	assert_true(exhaust_init(&x, &p.space, 0, 0, 10000, &p.arena, &err));
	assert_int_equal(x.count, 2 * 40 * 60);
	const struct search_spec h = {
		.what = p.evaluator.what,
		.plan = &p.plan,
		.space = &p.space,
		.method = METHOD_EXHAUSTIVE,
		.targets = both,
		.target_count = 2,
		.exhaust = &x,
	};
	assert_int_equal(search_evaluations(&h), x.count);
	assert_true(witnesses_new(&h, &p.arena, &one, &err));
	assert_true(witnesses_new(&h, &p.arena, &three, &err));
	assert_true(search_on_workers(&h, 1, true, one, &r, &err));
	assert_int_equal(r.evaluations, x.count);
	assert_true(search_on_workers(&h, 3, true, three, &r, &err));
	assert_int_equal(one[0].found.response_ns, 13);
	for (int t = 0; t < 2; t++) {
		assert_int_equal(one[t].found.evaluations, x.count);
		assert_int_equal(one[t].found.origin, FROM_ALL);
		assert_int_equal(one[t].found.response_ns, three[t].found.response_ns);
		assert_int_equal(one[t].found.seen.longest_ns, one[t].found.response_ns);
		assert_int_equal(one[t].found.seen.responses, one[t].found.seen.jobs);
		assert_memory_equal(one[t].genome.ties, three[t].genome.ties, p.space.size * sizeof(int64_t));
		assert_int_equal(
			searched_response(&p, &one[t].genome, (uint32_t)t), one[t].found.response_ns);
	}
	searched_finish(&p);
}

TEST("too many are refused with their number")
{
	struct searched p;
	struct exhaust x;
	struct error err;
	searched_long_copy(&p, 2);
	assert_false(exhaust_init(&x, &p.space, 0, 0, 4799, &p.arena, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_string_equal(err.text,
		"there are 4800 combinations of offsets, separations and lengths, and the limit is "
		"4799: a longer --step, fewer --jobs-per-task or a higher --limit may help");
	assert_true(exhaust_init(&x, &p.space, 0, 0, 4800, &p.arena, &err));
	searched_finish(&p);
	searched_suspension(&p);
	assert_false(exhaust_init(&x, &p.space, 1, 200, INT64_MAX, &p.arena, &err));
	assert_non_null(strstr(err.text, "there are more than 18446744073709551615 combinations"));
	searched_finish(&p);
}

TEST("it takes a segment and stops")
{
	static const struct search_target copy = {0, 1};
	struct searched p;
	struct exhaust x;
	struct error err;
	struct exhaust_best best;
	atomic_bool stop = true;
	searched_long_copy(&p, 2);
	assert_true(exhaust_init(&x, &p.space, 0, 0, 10000, &p.arena, &err));
	assert_int_equal(exhaust_range(&x, &p.evaluator, 0, x.count, &copy, 1, NULL, &best, &err), x.count);
	assert_int_equal(best.response_ns, 10);
	assert_int_equal(exhaust_range(&x, &p.evaluator, 5, 100, &copy, 1, &stop, &best, &err), 0);
	assert_int_equal(best.response_ns, -1);
	searched_finish(&p);
}
