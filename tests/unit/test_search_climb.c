/* tests/unit/test_search_climb.c - climbing, drawing, and searches in several processes (runs/search/climb.h,
 * seed.h, spec.h): known worst cases are found, and found again by a second search. */
#include <signal.h>
#include <unistd.h>

#include "runs/search/search.h"
#include "runs/search/seed.h"
#include "tests/unit/search_sets.h"

static struct found climbed(struct searched *p, enum search_method method, uint32_t task, uint64_t budget,
	uint64_t seed, struct genome *best)
{
	struct error err;
	struct found found;
	const struct climb c = {
		.method = method,
		.target = {task, WHOLE_JOB},
		.budget = budget,
		.patience = CLIMB_PATIENCE,
		.dice = dice_make(seed, 0, task, 0),
	};
	if (!climb(&c, &p->plan, &p->evaluator, best, &found, &err))
		fail_msg("%s", err.text);
	return found;
}

TEST("it finds the long copy")
{
	struct searched p;
	searched_long_copy(&p, 8);
	struct genome best = searched_genome(&p);
	assert_int_equal(climbed(&p, METHOD_SYNCHRONOUS, 0, 2, 1, &best).response_ns, 5);
	struct found found = climbed(&p, METHOD_CLIMB, 0, 300, 1, &best);
	assert_int_equal(found.response_ns, 13); /* the copy starts one tick before: tau1 waits for 8 of 9 */
	assert_int_equal(found.evaluations, 300);
	assert_int_equal(searched_response(&p, &best, 0), 13);
	searched_finish(&p);
}

/* tau1 is released at 0 and 40, tau2 at 0 and 60. The run may end at 61, when tau2's second job is one tick
 * old. */
TEST("what was seen is what bounds are held against")
{
	struct searched p;
	searched_long_copy(&p, 2);
	struct genome best = searched_genome(&p);
	struct bound_seen seen = climbed(&p, METHOD_SYNCHRONOUS, 1, 2, 1, &best).seen;
	assert_false(seen.outside || seen.removing || seen.truncated);
	assert_int_equal(seen.jobs, 2);
	assert_int_equal(seen.responses, 2);
	assert_int_equal(seen.longest_ns, 14);
	assert_int_equal(bound_check(&seen, 60, 13), CHECK_EXCEEDED);
	assert_int_equal(bound_check(&seen, 60, 14), CHECK_HOLDS);
	assert_int_equal(bound_check(&seen, 60, 61), CHECK_BEYOND_PERIOD);
	p.space.backlog = 0;
	seen = climbed(&p, METHOD_SYNCHRONOUS, 1, 2, 1, &best).seen;
	assert_true(seen.truncated);
	assert_int_equal(seen.jobs, 2);
	assert_int_equal(seen.responses, 1);
	assert_int_equal(seen.longest_ns, 14);
	assert_int_equal(seen.unfinished_ns, 1);
	assert_int_equal(bound_check(&seen, 60, 14), CHECK_TRUNCATED);
	assert_int_equal(bound_check(&seen, 60, 13), CHECK_EXCEEDED);
	seen.longest_ns = 0; /* the unfinished job shows it */
	assert_int_equal(bound_check(&seen, 60, 1), CHECK_EXCEEDED);
	assert_int_equal(bound_check(&seen, 60, 2), CHECK_TRUNCATED);
	seen = climbed(&p, METHOD_CLIMB, 0, 1, 1, &best).seen;
	assert_true(seen.truncated); /* although all of its own jobs have ended */
	assert_int_equal(seen.responses, seen.jobs);
	searched_finish(&p);
}

TEST("it finds the anomaly")
{
	struct searched p;
	searched_anomaly(&p, 2);
	struct genome best = searched_genome(&p);
	int64_t synchronous = climbed(&p, METHOD_SYNCHRONOUS, 1, 2, 1, &best).response_ns;
	struct found found = climbed(&p, METHOD_CLIMB, 1, 1500, 1, &best);
	assert_int_equal(synchronous, 12);
	assert_int_equal(found.response_ns, 13); /* the same as the search that tries everything */
	assert_int_equal(searched_response(&p, &best, 1), 13);
	searched_finish(&p);
}

/* More than 12, the bound of those who treat suspension as jitter; 21.95 of 22. */
TEST("it finds what makes jitter unsafe")
{
	struct searched p;
	searched_suspension(&p);
	struct genome best = searched_genome(&p);
	assert_true(climbed(&p, METHOD_SYNCHRONOUS, 2, 2, 1, &best).response_ns <= 1200);
	int64_t most = 0;
	for (uint64_t seed = 1; seed <= 12 && most <= 1200; seed++)
		most = climbed(&p, METHOD_CLIMB, 2, 6000, seed, &best).response_ns;
	assert_true(most > 2000);
	assert_true(most <= 2200);
	searched_finish(&p);
}

TEST("the same seed gives the same")
{
	struct searched p;
	searched_suspension(&p);
	for (int method = METHOD_CLIMB; method <= METHOD_RANDOM; method++) {
		struct genome one = searched_genome(&p), two = searched_genome(&p),
			      other = searched_genome(&p);
		struct found a = climbed(&p, (enum search_method)method, 1, 400, 5, &one);
		struct found b = climbed(&p, (enum search_method)method, 1, 400, 5, &two);
		climbed(&p, (enum search_method)method, 1, 400, 6, &other);
		assert_int_equal(a.response_ns, b.response_ns);
		assert_int_equal(a.evaluations, 400);
		assert_int_equal(a.origin, b.origin);
		assert_memory_equal(one.ties, two.ties, p.space.size * sizeof(*one.ties));
		assert_memory_not_equal(one.ties, other.ties, p.space.size * sizeof(*one.ties));
	}
	searched_finish(&p);
}

/* Which genomes are tried, and how many evaluations that takes, is part of the answer: of every piece, in
 * which moves that change nothing count as others do. */
TEST("climbs are what they always were")
{
	struct searched p;
	struct error err;
	struct found found;
	_Atomic uint64_t counted = 0;
	uint64_t hash = 0;
	searched_suspension(&p);
	struct genome best = searched_genome(&p);
	p.evaluator.counter = &counted;
	for (uint32_t piece = 0; piece < 6; piece++) {
		const struct climb c = {
			.target = {piece % 3, WHOLE_JOB},
			.piece = piece,
			.budget = 700,
			.patience = CLIMB_PATIENCE,
			.dice = dice_make(3, 0, piece % 3, piece),
		};
		assert_true(climb(&c, &p.plan, &p.evaluator, &best, &found, &err));
		assert_int_equal(counted, (piece + 1) * 700);
		hash = (hash ^ (uint64_t)found.response_ns) * 0x9e3779b97f4a7c15u;
		for (uint32_t i = 0; i < p.space.size; i++)
			hash = (hash ^ (uint64_t)best.ties[i]) * 0x9e3779b97f4a7c15u;
	}
	assert_int_equal(hash, 0xab4c07c8c7b611da);
	searched_finish(&p);
}

/* One simulation serves genome after genome; a new evaluator begins with a new one. */
TEST("a genome's run does not depend on those before it")
{
	static const char *const policies[] = {"fifo-cke", "prio-streams", "rm", "fcfs", "edf", "mpcp",
		"self-suspension", "rtgpu", "stgm", "gcaps", "tsg-rr", "sbeet"};
	for (size_t i = 0; i < sizeof(policies) / sizeof(*policies); i++) {
		struct searched p;
		struct dice dice = dice_make(9, 0, 0, (uint32_t)i);
		searched_vehicle(&p, policies[i]);
		struct genome g = searched_genome(&p);
		for (uint32_t n = 0; n < 60; n++) {
			struct evaluator fresh;
			struct error err;
			const struct search_target target = {n % p.space.tasks, n % 3 ? WHOLE_JOB : 1};
			genome_random(&p.space, &dice, &g);
			int64_t response = evaluate(&p.evaluator, &g, &target, &err);
			assert_true(evaluator_init(&fresh, &p.evaluator.what, &p.space, &err));
			assert_int_equal(evaluate(&fresh, &g, &target, &err), response);
			assert_true(response >= 0);
			assert_int_equal(fresh.digest, p.evaluator.digest);
			assert_int_equal(
				evaluated_job(&fresh, &target), evaluated_job(&p.evaluator, &target));
			assert_memory_equal(
				fresh.longest, p.evaluator.longest, p.space.tasks * sizeof(*fresh.longest));
			evaluator_finish(&fresh);
		}
		searched_finish(&p);
	}
}

/* Every genome that a climb tries is legal. */
TEST("climbs stay legal")
{
	struct searched p;
	searched_suspension(&p);
	struct genome best = searched_genome(&p);
	for (uint64_t seed = 1; seed <= 20; seed++) {
		climbed(&p, METHOD_CLIMB, (uint32_t)(seed % 3), 300, seed, &best);
		for (uint32_t i = 0; i < p.space.tasks; i++) {
			assert_true(best.offset[i] >= 0);
			for (uint32_t j = 0; j < p.space.jobs[i]; j++) {
				assert_true(best.extra[p.space.first_job[i] + j] >= 0);
				for (uint32_t k = 0; k < p.space.segments[i]; k++) {
					uint32_t at = p.space.first_segment[i] + k;
					int64_t length = *genome_length(&p.space, &best, i, j, k);
					assert_true(
						length >= p.space.best[at] && length <= p.space.worst[at]);
				}
			}
		}
	}
	searched_finish(&p);
}

TEST("periodic searches change no separation")
{
	struct searched p;
	searched_anomaly(&p, 8);
	struct genome best = searched_genome(&p);
	for (uint64_t seed = 1; seed <= 10; seed++) {
		climbed(&p, METHOD_CLIMB, 1, 500, seed, &best);
		for (uint32_t j = 0; j < p.space.first_job[2]; j++)
			assert_int_equal(best.extra[j], 0);
	}
	searched_finish(&p);
}

/* The higher task's window is heaviest from its last segment on: this segment is ready at the target's
 * release. The task's kernels are long before that, and short afterwards. */
TEST("the guided seed lines segments up")
{
	struct searched p = {.params = {0}};
	const struct search_target lowest = {1, WHOLE_JOB}, highest = {0, WHOLE_JOB};
	maker_init(&p.maker, 1);
	p.maker.platform.sms = 1;
	maker_task(&p.maker, "high", 100, 100, 0);
	maker_cpu(&p.maker, 1, 1);
	maker_grid(&p.maker, 1, 32, 9)->best_ns = 5;
	maker_cpu(&p.maker, 8, 10);
	maker_task(&p.maker, "low", 200, 200, 0);
	maker_cpu(&p.maker, 2, 2);
	searched_ready(&p, "self-suspension", NULL, 8, false);
	struct genome g = searched_genome(&p);
	seed_guided(&p.plan, &p.space, &lowest, &g);
	assert_int_equal(*g.ties, TIES_LOWER_FIRST);
	assert_int_equal(g.offset[0], 0);
	assert_int_equal(g.offset[1], 10);
	assert_int_equal(*genome_length(&p.space, &g, 0, 0, 1), 9);
	assert_int_equal(*genome_length(&p.space, &g, 0, 0, 2), 10);
	assert_int_equal(*genome_length(&p.space, &g, 0, 1, 1), 5);
	assert_int_equal(searched_response(&p, &g, 1), 12);
	searched_finish(&p);
	searched_long_copy(&p, 8);
	g = searched_genome(&p);
	seed_guided(&p.plan, &p.space, &highest, &g);
	assert_int_equal(g.offset[0], g.offset[1]); /* both reach their copy after 1 */
	searched_finish(&p);
}

TEST("a set stop ends it")
{
	struct searched p;
	struct error err;
	struct found found;
	atomic_bool stop = true;
	searched_long_copy(&p, 8);
	struct genome best = searched_genome(&p);
	const struct climb c = {
		.target = {0, WHOLE_JOB},
		.budget = 1000,
		.patience = 10,
		.dice = dice_make(1, 0, 0, 0),
		.stop = &stop,
	};
	assert_true(climb(&c, &p.plan, &p.evaluator, &best, &found, &err));
	assert_int_equal(found.evaluations, 0);
	searched_finish(&p);
}

/* ---- on several processes ---- */

static void search_all_targets(
	struct searched *p, enum search_method method, uint32_t workers, struct witness **witnesses)
{
	static const struct search_target targets[] = {{0, WHOLE_JOB}, {1, WHOLE_JOB}, {1, 1}};
	struct error err;
	struct pieces_results r;
	const struct search_spec h = {
		.what = p->evaluator.what,
		.plan = &p->plan,
		.space = &p->space,
		.method = method,
		.budget = 4000,
		.patience = 100,
		.seed = 3,
		.targets = targets,
		.target_count = 3,
	};
	assert_true(witnesses_new(&h, &p->arena, witnesses, &err));
	if (!search_on_workers(&h, workers, true, *witnesses, &r, &err))
		fail_msg("%s", err.text);
	assert_false(r.interrupted);
	assert_int_equal(r.evaluations, search_evaluations(&h));
	/* The same in this process. */
	for (uint32_t t = 0; t < 2; t++) {
		struct witness q;
		q.genome = searched_genome(p);
		assert_true(search_here(&h, &p->evaluator, t, NULL, &q, &err));
		assert_int_equal(q.found.response_ns, (*witnesses)[t].found.response_ns);
		assert_memory_equal(
			q.genome.ties, (*witnesses)[t].genome.ties, p->space.size * sizeof(int64_t));
	}
}

TEST("any number of workers gives the same")
{
	struct searched p;
	searched_anomaly(&p, 4);
	for (int method = METHOD_CLIMB; method <= METHOD_SYNCHRONOUS; method++) {
		struct witness *one, *three;
		search_all_targets(&p, (enum search_method)method, 1, &one);
		search_all_targets(&p, (enum search_method)method, 3, &three);
		/* tau1 is delayed the most by the very first genome: later finds are no better. */
		if (method == METHOD_CLIMB)
			assert_int_equal(one[0].found.origin, FROM_SYNCHRONOUS);
		for (uint32_t t = 0; t < 3; t++) {
			assert_int_equal(one[t].found.response_ns, three[t].found.response_ns);
			assert_int_equal(one[t].found.evaluations, method == METHOD_SYNCHRONOUS ? 2 : 4000);
			assert_int_equal(one[t].found.evaluations, three[t].found.evaluations);
			assert_int_equal(one[t].found.origin, three[t].found.origin);
			assert_memory_equal(
				one[t].genome.ties, three[t].genome.ties, p.space.size * sizeof(int64_t));
		}
	}
	searched_finish(&p);
}

static bool make_or_fail(
	void *self, uint32_t piece, void *result, struct pieces_shared *shared, struct error *err)
{
	(void)shared;
	if (piece == *(uint32_t *)self)
		return error_set(err, STATUS_INPUT, "piece %u is bad", piece);
	*(uint32_t *)result = piece * 3;
	return true;
}

static bool die(void *self, uint32_t piece, void *result, struct pieces_shared *shared, struct error *err)
{
	(void)self, (void)result, (void)shared, (void)err;
	if (piece == 2)
		kill(getpid(), SIGKILL);
	return true;
}

TEST("workers bring results and errors")
{
	struct error err;
	struct pieces_results r;
	uint32_t bad = UINT32_MAX;
	struct pieces_spec spec = {
		.workers = 3,
		.pieces = 100,
		.result_size = sizeof(uint32_t),
		.make = make_or_fail,
		.self = &bad,
		.quiet = true,
	};
	assert_true(pieces_run(&spec, &r, &err));
	for (uint32_t i = 0; i < 100; i++)
		assert_int_equal(*(uint32_t *)pieces_result(&spec, &r, i), i * 3);
	pieces_finish(&r);
	bad = 41;
	assert_false(pieces_run(&spec, &r, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_string_equal(err.text, "piece 41 is bad");
	spec.make = die;
	assert_false(pieces_run(&spec, &r, &err));
	assert_int_equal(err.status, STATUS_IO);
	assert_string_equal(err.text, "a worker process was ended by signal 9 (Killed)");
}
