/* tests/unit/test_search_minimise.c - makes a find small (runs/search/minimise.h), and writes files that a
 * run reads back (runs/search/scenario_file.h). */
#include <stdlib.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "models/simulation.h"
#include "runs/search/minimise.h"
#include "runs/search/scenario_file.h"
#include "scenarios/scenario.h"
#include "tests/unit/search_sets.h"

static void minimised(struct searched *p, uint32_t task, struct genome *g)
{
	struct error err;
	const struct search_target target = {task, WHOLE_JOB};
	int64_t response = searched_response(p, g, task);
	assert_true(minimise(&p->evaluator, &target, response, false, NULL, g, &err));
	assert_true(searched_response(p, g, task) >= response);
}

TEST("deviations are counted")
{
	struct searched p;
	searched_anomaly(&p, 2);
	struct genome g = searched_genome(&p);
	struct deviations d = genome_deviations(&p.space, &g);
	assert_int_equal(d.tasks, 2);
	assert_int_equal(d.jobs, 4);
	assert_true(d.offsets == 0 && d.separations == 0 && d.lengths == 0 && !d.ties);
	*g.ties = TIES_LOWER_FIRST;
	g.offset[1] = 3;
	g.extra[p.space.first_job[1] + 1] = 2;
	*genome_length(&p.space, &g, 0, 1, 0) = 2;
	d = genome_deviations(&p.space, &g);
	assert_true(d.offsets == 1 && d.separations == 1 && d.lengths == 1 && d.ties);
	g.jobs[0] = 0;
	g.jobs[1] = 1;
	d = genome_deviations(&p.space, &g);
	assert_true(d.tasks == 1 && d.jobs == 1 && d.separations == 0 && d.lengths == 0);
	searched_finish(&p);
}

/* Everything that was added to the two jobs that matter is removed again. */
TEST("the long copy is two jobs")
{
	struct searched p;
	searched_long_copy(&p, 8);
	struct genome g = searched_genome(&p), again = searched_genome(&p);
	*g.ties = TIES_LOWER_FIRST;
	g.offset[0] = 24;
	g.offset[1] = 23;
	g.extra[p.space.first_job[0] + 2] = 11;
	g.extra[p.space.first_job[1] + 1] = 13;
	genome_copy(&p.space, &again, &g);
	assert_int_equal(searched_response(&p, &g, 0), 13);
	minimised(&p, 0, &g);
	struct deviations d = genome_deviations(&p.space, &g);
	assert_int_equal(d.tasks, 2);
	assert_int_equal(d.jobs, 2);
	assert_int_equal(d.offsets, 1);
	assert_true(d.separations == 0 && d.lengths == 0 && !d.ties);
	assert_int_equal(g.offset[1], 0);
	assert_int_equal(g.offset[0], 1);
	minimised(&p, 0, &again);
	assert_memory_equal(g.ties, again.ties, p.space.size * sizeof(*g.ties));
	searched_finish(&p);
}

/* A job in the middle matters. The jobs before it are removed, too, and its lengths move with it. */
TEST("jobs in front go too")
{
	struct searched p;
	searched_anomaly(&p, 8);
	struct genome g = searched_genome(&p);
	p.space.periodic = false;
	g.offset[0] = 0;
	g.offset[1] = 17;
	g.extra[p.space.first_job[1] + 1] = 7; /* job 1 at 44: 4 behind tau1's job 2 */
	*genome_length(&p.space, &g, 0, 2, 0) = 1;
	assert_int_equal(p.space.jobs[0], 3);
	assert_int_equal(searched_response(&p, &g, 1), 11);
	assert_int_equal(evaluated_job(&p.evaluator, &(struct search_target){1, WHOLE_JOB}), 1);
	minimised(&p, 1, &g);
	struct deviations d = genome_deviations(&p.space, &g);
	assert_int_equal(d.jobs, 2);
	assert_int_equal(d.tasks, 2);
	assert_int_equal(d.lengths, 1);
	assert_int_equal(d.separations, 0);
	assert_int_equal(*genome_length(&p.space, &g, 0, 0, 0), 1);
	searched_finish(&p);
}

TEST("a task alone stays alone")
{
	struct searched p;
	searched_long_copy(&p, 8);
	struct genome g = searched_genome(&p);
	g.offset[0] = 3;
	g.offset[1] = 33; /* far away */
	assert_int_equal(searched_response(&p, &g, 0), 5);
	minimised(&p, 0, &g);
	struct deviations d = genome_deviations(&p.space, &g);
	assert_int_equal(d.tasks, 1);
	assert_int_equal(d.jobs, 1);
	assert_int_equal(d.offsets, 0);
	searched_finish(&p);
}

/* ---- files ---- */

/* One of every kind of segment, on a platform with every number. */
static void make_rich(struct searched *p)
{
	static int64_t times[] = {40, 22, 16, 13}, best[] = {30, 20, 16, 13}, powers[] = {90, 95, 99, 103};
	static struct profile profile = {
		.name = (char *)(uintptr_t) "mat mul",
		.count = 4,
		.best_ns = best,
		.worst_ns = times,
		.total_power_uw = powers,
	};
	static struct interleave alpha[] = {{2, 9, 5}, {4, 31, 10}};
	struct segment *s;
	*p = (struct searched){.params = {0}};
	maker_init(&p->maker, 1);
	p->maker.platform = (struct platform){
		.name = "rich",
		.cores = 1,
		.engines = 2,
		.copy_latency_ns = 3,
		.copy_bandwidth = 1000000000,
		.pool = POOL_SM,
		.sms = 4,
		.sms_per_tpc = 2,
		.threads_per_sm = 2048,
		.blocks_per_sm = 32,
		.warps_per_sm = 64,
		.registers_per_sm = 65536,
		.shared_memory_per_sm = 98304,
		.virtual_sms_per_sm = 2,
		.work_queues = 8,
		.pin_overhead_ns = 1,
		.static_uw = 50,
		.idle_per_sm_uw = 7,
	};
	p->maker.set.profiles = &profile;
	p->maker.set.profile_count = 1;
	p->maker.set.priorities = true;
	maker_task(&p->maker, "a \"quoted\", name", 300, 280, 0)->priority = 4;
	maker_cpu(&p->maker, 3, 10);
	maker_copy(&p->maker, COPY_TO_GPU, 0)->bytes = 4096;
	s = maker_grid(&p->maker, 8, 256, 20);
	s->best_ns = 12;
	s->registers = 32;
	s->shared_memory = 1024;
	s->power_uw = 11;
	s->stream_high = true;
	maker_copy(&p->maker, COPY_TO_CPU, 9)->stream = STREAM_NULL;
	maker_cpu(&p->maker, 2, 2);
	maker_task(&p->maker, "b: #1", 500, 500, 0)->priority = 2;
	s = maker_work(&p->maker, 20, 40, 2);
	s->interleave = alpha;
	s->interleaves = 2;
	s->stream = 3;
	maker_copy(&p->maker, COPY_BOTH, 6)->best_ns = 5;
	s = maker_grid(&p->maker, 0, 0, 0);
	s->form = KERNEL_PROFILE;
	s->profile = 0;
	searched_ready(p, "rm", "unit=kernel", 4, false);
}

static uint64_t digest_of(const struct scenario *s)
{
	struct simulation *run;
	struct error err;
	assert_int_equal(s->policy_count, 1);
	if (!simulation_create(&s->platform, &s->set, &s->setup, s->policies[0].policy,
		    &s->policies[0].params, &run, &err))
		fail_msg("%s", err.text);
	while (simulation_step(run, 1000000) == SIMULATION_RUNNING)
		;
	uint64_t digest = simulation_outcome(run).digest;
	simulation_destroy(run);
	return digest;
}

TEST("a written genome is read back")
{
	char folder[] = "/tmp/search-XXXXXX", path[64], trace[64];
	struct searched p;
	struct error err;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/worst.yaml", folder);
	snprintf(trace, sizeof(trace), "%s/worst.csv", folder);
	make_rich(&p);
	struct genome g = searched_genome(&p);
	struct dice dice = dice_make(1, 2, 3, 4);
	for (int n = 0; n < 40; n++) {
		struct scenario s;
		struct diagnostics d;
		genome_random(&p.space, &dice, &g);
		g.jobs[n % 2] = n % 3;
		searched_response(&p, &g, 0);
		uint64_t digest = p.evaluator.digest;
		assert_true(scenario_file_write(&p.evaluator, &g, "found\nin a test", path, &err));
		diagnostics_init(&d, path);
		if (!scenario_read(path, &s, &d)) {
			diagnostics_print(&d, stderr);
			fail_msg("%s", "the scenario is not readable");
		}
		diagnostics_finish(&d);
		assert_true(digest_of(&s) == digest);
		assert_int_equal(s.setup.ties, *g.ties);
		assert_memory_equal(&s.platform.cores, &p.maker.platform.cores,
			sizeof(s.platform) - offsetof(struct platform, cores));
		assert_int_equal(s.set.tasks[1].segments[0].interleave[0].numerator, 9);
		assert_int_equal(s.set.tasks[0].segments[2].registers, 32);
		assert_int_equal(s.set.profiles[0].total_power_uw[3], 103);
		assert_string_equal(s.set.tasks[0].name, "a \"quoted\", name");
		scenario_finish(&s);
	}
	unlink(path);
	unlink(trace);
	rmdir(folder);
	searched_finish(&p);
}

TEST("what cannot be written is said")
{
	static struct interleave third[] = {{2, 4, 3}};
	struct searched p;
	struct error err;
	struct text out = {0};
	const struct yaml_unit *unit;
	make_rich(&p);
	struct genome g = searched_genome(&p);
	assert_false(scenario_file_write(&p.evaluator, &g, "", "/nowhere/at/all.yaml", &err));
	assert_int_equal(err.status, STATUS_IO);
	p.maker.set.tasks[1].segments[0].interleave = third;
	p.maker.set.tasks[1].segments[0].interleaves = 1;
	assert_false(scenario_file_text(&p.evaluator, &g, "", "x.csv", &out, &unit, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	text_finish(&out);
	searched_finish(&p);
}
