/* tests/unit/test_search_genome.c - genomes and what they do (runs/search/genome.h, runs/search/evaluate.h):
 * the space of a set, releases and lengths as in a run, and responses worked out by hand. */
#include "tests/unit/search_sets.h"

TEST("the space of a set")
{
	struct searched p;
	searched_long_copy(&p, 8);
	assert_int_equal(p.space.tasks, 2);
	assert_int_equal(p.space.jobs[0], 3); /* 60 / 40 + 2 */
	assert_int_equal(p.space.jobs[1], 3);
	assert_int_equal(p.space.unit, 1);
	assert_int_equal(p.space.lengths, 0);
	assert_int_equal(p.space.last_offset[0], 40);
	assert_int_equal(p.space.last_offset[1], 60);
	assert_int_equal(p.space.size, 1 + 2 + 2 + 6 + 6 * 4);
	searched_finish(&p);
	searched_anomaly(&p, 2);
	assert_int_equal(p.space.jobs[0], 2);
	assert_int_equal(p.space.lengths, 2); /* of tau1's first segment */
	assert_int_equal(p.space.best[0], 1);
	assert_int_equal(p.space.worst[0], 3);
	searched_finish(&p);
	searched_suspension(&p);
	assert_int_equal(p.space.jobs[0], 27);
	assert_int_equal(p.space.jobs[1], 4);
	assert_int_equal(p.space.jobs[2], 3);
	assert_int_equal(p.space.unit, 1);
	searched_finish(&p);
}

/* 100 of work, on the 4 SMs of GPU 1: 25 each. */
TEST("a kernel has the length of the GPU that it names")
{
	struct searched p = {.params = {0}};
	struct platform other;
	maker_init(&p.maker, 1);
	p.maker.platform.sms = 1;
	p.maker.platform.threads_per_sm = 64;
	other = p.maker.platform;
	other.gpu = 1;
	other.sms = 4;
	p.maker.platform.gpu_count = 2;
	p.maker.platform.others = &other;
	maker_task(&p.maker, "there", 1000, 1000, 0);
	maker_work(&p.maker, 80, 100, 0)->gpu = 1;
	searched_ready(&p, "rm", NULL, 8, false);
	assert_int_equal(p.space.best[0], 20);
	assert_int_equal(p.space.worst[0], 25);
	struct genome g = searched_genome(&p);
	assert_int_equal(searched_response(&p, &g, 0), 25);
	searched_finish(&p);
}

TEST("few jobs bound offsets")
{
	struct searched p = {.params = {0}};
	maker_init(&p.maker, 1);
	maker_task(&p.maker, "fast", 10, 10, 0);
	maker_cpu(&p.maker, 1, 1);
	maker_task(&p.maker, "slow", 1000, 1000, 0);
	maker_cpu(&p.maker, 1, 1);
	searched_ready(&p, "rm", NULL, 8, false);
	assert_int_equal(p.space.jobs[0], 8);
	assert_int_equal(p.space.last_offset[0], 10);
	assert_int_equal(p.space.last_offset[1], 70);
	searched_finish(&p);
}

TEST("releases follow the genes")
{
	struct searched p;
	searched_long_copy(&p, 8);
	struct genome g = searched_genome(&p);
	g.offset[0] = 7;
	g.extra[p.space.first_job[0] + 1] = 5;
	g.extra[p.space.first_job[0] + 2] = 1;
	g.jobs[1] = 0;
	assert_int_equal(genome_release(&p.space, &g, 0, 0), 7);
	assert_int_equal(genome_release(&p.space, &g, 0, 1), 52);
	assert_int_equal(genome_release(&p.space, &g, 0, 2), 93);
	evaluator_load(&p.evaluator, &g);
	assert_int_equal(p.evaluator.rules[0].trace_count, 3);
	assert_int_equal(p.evaluator.rules[0].trace_ns[2], 93);
	assert_int_equal(p.evaluator.rules[0].duration_count, 0);
	assert_int_equal(p.evaluator.rules[1].trace_count, 0);
	assert_int_equal(p.evaluator.setup.horizon_ns, 94);
	assert_int_equal(searched_response(&p, &g, 0), 5);
	assert_int_equal(searched_response(&p, &g, 1), 0);
	searched_finish(&p);
}

/* Gives the same schedule as a scenario with the same trace: the digests are equal. */
TEST("a genome is a run")
{
	static int64_t first[] = {2, 30}, second[] = {1, 25};
	struct searched p;
	struct trace_duration shorter = {.job = 1, .segment = 0, .duration_ns = 2};
	searched_anomaly(&p, 2);
	struct genome g = searched_genome(&p);
	*g.ties = TIES_LOWER_FIRST;
	g.offset[0] = 2;
	g.extra[p.space.first_job[0] + 1] = 8;
	*genome_length(&p.space, &g, 0, 1, 0) = 2;
	g.offset[1] = 1;
	g.extra[p.space.first_job[1] + 1] = 4;
	int64_t found = searched_response(&p, &g, 1);

	struct release_rule rules[2] = {
		{
			.kind = RELEASE_TRACE,
			.trace_ns = first,
			.trace_count = 2,
			.durations = &shorter,
			.duration_count = 1,
		},
		{.kind = RELEASE_TRACE, .trace_ns = second, .trace_count = 2},
	};
	p.maker.set.tasks[0].release = &rules[0];
	p.maker.set.tasks[1].release = &rules[1];
	p.maker.setup =
		(struct run_setup){.horizon_ns = 31, .limit_ns = 1000, .seed = 1, .ties = TIES_LOWER_FIRST};
	struct observed o = observe(&p.maker, "rtgpu", "admit=any");
	assert_true(o.outcome.digest == p.evaluator.digest);
	int64_t longest = observed_response(&o, 1, 0);
	longest = observed_response(&o, 1, 1) > longest ? observed_response(&o, 1, 1) : longest;
	assert_int_equal(found, longest);
	observed_finish(&o);
	searched_finish(&p);
}

TEST("responses by hand")
{
	struct searched p;
	searched_long_copy(&p, 8);
	struct genome g = searched_genome(&p);
	assert_int_equal(searched_response(&p, &g, 0), 5); /* synchronous */
	g.offset[0] = 1;                                   /* the copy of 9 goes first */
	assert_int_equal(searched_response(&p, &g, 0), 13);
	searched_finish(&p);

	searched_anomaly(&p, 2);
	g = searched_genome(&p);
	g.offset[1] = 4;
	g.jobs[0] = g.jobs[1] = 1;
	assert_int_equal(searched_response(&p, &g, 1), 9);
	*genome_length(&p.space, &g, 0, 0, 0) = 1;
	assert_int_equal(searched_response(&p, &g, 1), 11);
	searched_finish(&p);
}

TEST("segments have responses too")
{
	struct searched p;
	struct error err;
	searched_long_copy(&p, 8);
	struct genome g = searched_genome(&p);
	const struct search_target copy = {0, 1}, cpu = {1, 0};
	assert_int_equal(evaluate(&p.evaluator, &g, &copy, &err), 2);
	assert_int_equal(evaluate(&p.evaluator, &g, &cpu, &err), 2); /* waits for tau1's CPU segment */
	g.offset[0] = 1;
	assert_int_equal(evaluate(&p.evaluator, &g, &copy, &err), 10); /* ready at 2, in [10, 12) */
	assert_int_equal(evaluated_job(&p.evaluator, &copy), 0);
	assert_int_equal(evaluate_and_see(&p.evaluator, &g, &copy, &err), 10);
	assert_int_equal(p.evaluator.seen_count, 6 * 4);
	searched_finish(&p);
}

TEST("random genomes are legal and repeat")
{
	struct searched p;
	searched_suspension(&p);
	struct genome g = searched_genome(&p), again = searched_genome(&p), other = searched_genome(&p);
	struct dice dice = dice_make(7, 1, 2, 3), same = dice_make(7, 1, 2, 3),
		    differs = dice_make(7, 1, 2, 4);
	uint32_t worst = 0, best = 0, between = 0, ties = 0, early = 0;
	for (int n = 0; n < 200; n++) {
		genome_random(&p.space, &dice, &g);
		genome_random(&p.space, &same, &again);
		genome_random(&p.space, &differs, &other);
		assert_memory_equal(g.ties, again.ties, p.space.size * sizeof(*g.ties));
		assert_memory_not_equal(g.ties, other.ties, p.space.size * sizeof(*g.ties));
		ties += *g.ties == TIES_LOWER_FIRST;
		for (uint32_t i = 0; i < p.space.tasks; i++) {
			assert_true(g.offset[i] >= 0 && g.offset[i] <= p.space.last_offset[i]);
			for (uint32_t j = 0; j < p.space.jobs[i]; j++)
				assert_true(g.extra[p.space.first_job[i] + j] >= 0);
			assert_int_equal(g.extra[p.space.first_job[i]], 0);
			early += g.offset[i] < p.space.last_offset[i] / 2;
		}
		for (uint32_t j = 0; j < p.space.jobs[1]; j++) {
			int64_t length = *genome_length(&p.space, &g, 1, j, 1);
			assert_true(length >= 0 && length <= 100);
			worst += length == 100;
			best += length == 0;
			between += length > 0 && length < 100;
			assert_int_equal(*genome_length(&p.space, &g, 1, j, 0), 1);
		}
	}
	assert_true(worst > 300 && best > 150 && between > 120 && ties > 60 && ties < 140);
	assert_true(early > 250 && early < 350);
	searched_finish(&p);
}

/* The lowest section waits when the section before it ends, and the highest arrives at that instant. */
TEST("ties are a gene")
{
	struct searched p = {.params = {0}};
	maker_init(&p.maker, 1);
	p.maker.platform.sms = 1;
	maker_task(&p.maker, "high", 50, 50, 0);
	maker_grid(&p.maker, 1, 32, 2);
	maker_task(&p.maker, "middle", 60, 60, 0);
	maker_grid(&p.maker, 1, 32, 5);
	maker_task(&p.maker, "low", 70, 70, 0);
	maker_grid(&p.maker, 1, 32, 4);
	searched_ready(&p, "rm", NULL, 8, false);
	struct genome g = searched_genome(&p);
	g.offset[0] = 5;
	g.offset[2] = 1;
	assert_int_equal(searched_response(&p, &g, 0), 2);
	*g.ties = TIES_LOWER_FIRST;
	assert_int_equal(searched_response(&p, &g, 0), 6);
	searched_finish(&p);
}

/* A job that spins occupies the core under its copy's name; the copy itself ends earlier. */
TEST("spinning is no response")
{
	struct searched p = {.params = {0}};
	const struct search_target copy = {0, 1};
	struct error err;
	maker_init(&p.maker, 1);
	p.maker.platform.sms = 1;
	maker_task(&p.maker, "a", 50, 50, 0);
	maker_cpu(&p.maker, 1, 1);
	maker_copy(&p.maker, COPY_TO_GPU, 2);
	maker_grid(&p.maker, 1, 32, 3);
	maker_cpu(&p.maker, 1, 1);
	searched_ready(&p, "stgm", NULL, 8, false);
	struct genome g = searched_genome(&p);
	assert_int_equal(evaluate(&p.evaluator, &g, &copy, &err), 2);
	searched_finish(&p);
}

/* If a policy chooses SMs during the run, the search does not choose lengths of kernels. */
TEST("kernels on SMs of the moment")
{
	struct searched p = {.params = {0}};
	maker_init(&p.maker, 1);
	p.maker.platform.sms = 4;
	maker_task(&p.maker, "a", 100, 100, 0);
	maker_cpu(&p.maker, 1, 2);
	maker_work(&p.maker, 8, 40, 0);
	searched_ready(&p, "sbeet", NULL, 8, false);
	assert_int_equal(p.space.lengths, 3); /* the CPU segment's, of three jobs */
	struct genome g = searched_genome(&p);
	assert_true(searched_response(&p, &g, 0) >= 12);
	searched_finish(&p);
}
