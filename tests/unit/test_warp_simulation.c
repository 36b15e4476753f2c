/* tests/unit/test_warp_simulation.c - models/warps/simulation.c, launches.c, epochs.c: when jobs are released
 * and end, when a run ends, deadlines, IPC and goals, the limits of epochs; and the same inputs give the same
 * run. */
#include "tests/support/test.h"
#include "tests/support/warp_runs.h"

static struct warp_scene s;

static int end(void **state)
{
	warp_scene_finish(&s);
	return 0;
}

EACH_TEST(NULL, end);

/* ---- when a run ends ---- */

static void job(const struct warp_run *r, uint32_t number, int64_t release, int64_t finish, enum job_end how)
{
	const struct trace_record *t = warp_run_job_end(r, 0, number);
	assert_non_null(t);
	assert_int_equal(t->start, release);
	assert_int_equal(t->time, finish);
	assert_int_equal(t->how, how);
}

/* A job of 10 cycles every 25, before the horizon. */
TEST("period")
{
	warp_scene_init(&s, 1);
	warp_scene_compute(&s, 0, 10, 1, 0, 0);
	s.kernel[0].launch = 3;
	s.kernel[0].period = 25;
	s.setup.horizon_ns = 78;
	struct warp_run *r = warp_run(&s);
	assert_int_equal(r->outcome.jobs, 3);
	job(r, 0, 3, 13, JOB_FINISHED);
	job(r, 2, 53, 63, JOB_FINISHED);
	assert_int_equal(r->cycles, 63);
	assert_false(r->outcome.truncated);
	warp_run_free(r);
	end(NULL);
	s.setup.horizon_ns = 79;
	r = warp_run(&s);
	assert_int_equal(r->outcome.jobs, 4);
	job(r, 3, 78, 88, JOB_FINISHED);
	assert_int_equal(r->outcome.energy_end_ns, 88);
	warp_run_free(r);
}

/* If a job is not over when the next one is released, the next one waits. */
TEST("behind")
{
	warp_scene_init(&s, 1);
	warp_scene_compute(&s, 0, 10, 1, 0, 0);
	s.kernel[0].period = 4;
	s.setup.horizon_ns = 12;
	struct warp_run *r = warp_run(&s);
	job(r, 1, 4, 20, JOB_FINISHED);
	job(r, 2, 8, 30, JOB_FINISHED);
	warp_run_free(r);
}

/* Repeats: each job is released in the cycle in which the last one ended, before the horizon. */
TEST("repeat")
{
	warp_scene_init(&s, 1);
	warp_scene_compute(&s, 0, 10, 1, 0, 0);
	s.kernel[0].launch = 5;
	s.kernel[0].repeat = true;
	s.setup.horizon_ns = 25;
	struct warp_run *r = warp_run(&s);
	assert_int_equal(r->outcome.jobs, 2);
	job(r, 1, 15, 25, JOB_FINISHED);
	warp_run_free(r);
	end(NULL);
	s.setup.horizon_ns = 26;
	r = warp_run(&s);
	assert_int_equal(r->outcome.jobs, 3);
	job(r, 2, 25, 35, JOB_FINISHED);
	assert_int_equal(r->kernel[0].cycles, 30);
	warp_run_free(r);
}

/* stop: horizon. A job that ends in the horizon's cycle has finished; nothing is issued in that cycle. */
TEST("horizon")
{
	warp_scene_init(&s, 1);
	warp_scene_compute(&s, 0, 10, 1, 0, 0);
	s.setup.stop = STOP_HORIZON;
	s.setup.horizon_ns = 10;
	struct warp_run *r = warp_run(&s);
	job(r, 0, 0, 10, JOB_FINISHED);
	assert_int_equal(r->cycles, 10);
	warp_run_free(r);
	end(NULL);
	s.setup.horizon_ns = 9;
	r = warp_run(&s);
	job(r, 0, 0, 9, JOB_UNFINISHED);
	assert_int_equal(r->issues_count, 9);
	assert_int_equal(r->kernel[0].thread_instructions, 288);
	assert_false(r->outcome.truncated);
	warp_run_free(r);
	end(NULL);
	s.setup.horizon_ns = 40;
	r = warp_run(&s);
	assert_int_equal(r->cycles, 40);
	assert_int_equal(r->slots[SLOT_EMPTY], 30);
	warp_run_free(r);
}

TEST("limit")
{
	warp_scene_init(&s, 1);
	warp_scene_compute(&s, 0, 10, 1, 0, 0);
	s.kernel[0].repeat = true;
	s.setup.horizon_ns = 20;
	s.setup.limit_ns = 20;
	struct warp_run *r = warp_run(&s);
	/* The second ends in the limit's cycle. */
	assert_int_equal(r->outcome.jobs, 2);
	assert_false(r->outcome.truncated);
	assert_int_equal(r->cycles, 20);
	warp_run_free(r);
	end(NULL);
	s.setup.limit_ns = s.setup.horizon_ns = 19;
	r = warp_run(&s);
	job(r, 1, 10, 19, JOB_UNFINISHED);
	assert_true(r->outcome.truncated);
	assert_int_equal(r->outcome.end_ns, 19);
	warp_run_free(r);
}

/* No job before the horizon: nothing happens. */
TEST("nothing to do")
{
	warp_scene_init(&s, 1);
	warp_scene_compute(&s, 0, 10, 1, 0, 0);
	s.kernel[0].launch = 1000;
	struct warp_run *r = warp_run(&s);
	assert_int_equal(r->cycles, 0);
	assert_int_equal(r->outcome.jobs, 0);
	assert_int_equal(r->kernel[0].cycles, 0);
	assert_int_equal(r->kernel[0].ipc, 0);
	warp_run_free(r);
}

/* Deadlines: a job has missed if it ends later than release + deadline, or is unfinished when that has
 * passed. */
TEST("deadlines")
{
	static const struct {
		int64_t deadline, horizon;
		uint64_t misses;
	} rows[] = {{0, 1000, 0}, {10, 1000, 0}, {9, 1000, 1}, {9, 9, 1}, {10, 9, 0}, {8, 9, 1}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		warp_scene_init(&s, 1);
		warp_scene_compute(&s, 0, 10, 1, 0, 0);
		s.deadline_ns[0] = rows[i].deadline;
		s.setup.horizon_ns = rows[i].horizon;
		s.setup.stop = STOP_HORIZON;
		struct warp_run *r = warp_run(&s);
		assert_int_equal(r->outcome.misses, rows[i].misses);
		assert_int_equal(
			warp_run_job_end(r, 0, 0)->value, rows[i].deadline ? rows[i].deadline : INT64_MAX);
		warp_run_free(r);
		end(NULL);
	}
}

/* Another clock: cycle c begins at floor(c * 10^9 / clock) ns, a duration is floor(d * clock /
 * 10^9) cycles. */
TEST("clock rate")
{
	warp_scene_init(&s, 1);
	warp_scene_compute(&s, 0, 10, 1, 0, 0);
	s.warps.machine.clock_hz = 1500000000;
	s.kernel[0].launch = 2;
	s.kernel[0].period = 20;
	s.setup.horizon_ns = 15;
	struct warp_run *r = warp_run(&s);
	/* The horizon is cycle 22, in which the second job would be released. The first is released at 1.33
	 * ns and over in cycle 12. */
	assert_int_equal(r->outcome.jobs, 1);
	job(r, 0, 1, 8, JOB_FINISHED);
	assert_int_equal(r->outcome.end_ns, 8);
	assert_int_equal(r->cycles, 12);
	warp_run_free(r);
}

/* ---- IPC ---- */

/* Two kernels of 100 instructions on one sub-core, gto: 32 per cycle alone. Kernel 1 is launched at 20. */
TEST("IPC alone")
{
	int64_t ipc;
	struct error err;
	warp_scene_init(&s, 2);
	warp_scene_compute(&s, 0, 100, 1, 0, 0);
	warp_scene_compute(&s, 1, 100, 1, 0, 0);
	s.kernel[1].launch = 20;
	s.kernel[1].goal = (struct warp_goal){.kind = GOAL_SHARE, .share_ppm = 500000};
	struct warp_run *r = warp_run(&s);
	assert_true(warp_ipc_alone(&s.platform, &s.set, &s.setup, &s.options, 1, &ipc, &err));
	assert_int_equal(ipc, 32000000);
	assert_int_equal(r->kernel[1].alone, 32000000);
	assert_int_equal(r->kernel[1].goal, 16000000);
	assert_int_equal(r->kernel[0].goal, -1);
	/* 100 of 180 cycles since it became active: 17.777777. */
	assert_int_equal(r->kernel[1].cycles, 180);
	assert_int_equal(r->kernel[1].ipc, 17777777);
	assert_true(r->kernel[1].reached);
	assert_false(r->kernel[0].reached);
	warp_run_free(r);
	s.kernel[1].goal.share_ppm = 600000;
	r = warp_run(&s);
	assert_int_equal(r->kernel[1].goal, 19200000);
	assert_false(r->kernel[1].reached);
	warp_run_free(r);
}

/* 3200 thread instructions in 200 ns. */
TEST("goal of a time")
{
	warp_scene_init(&s, 1);
	warp_scene_compute(&s, 0, 100, 1, 0, 0);
	s.kernel[0].goal = (struct warp_goal){.kind = GOAL_TIME, .kernel_ns = 150};
	struct warp_run *r = warp_run(&s);
	assert_int_equal(r->kernel[0].goal, 21333333);
	warp_run_free(r);
}

TEST("share without IPC")
{
	struct warp_simulation *w;
	struct error err;
	warp_scene_init(&s, 1);
	warp_scene_compute(&s, 0, 100, 1, 0, 0);
	s.kernel[0].goal = (struct warp_goal){.kind = GOAL_SHARE, .share_ppm = 500000};
	warp_scene_ready(&s);
	assert_false(warp_simulation_create(&s.platform, &s.set, &s.setup, &s.options, NULL, &w, &err));
	assert_null(w);
	assert_int_equal(err.status, STATUS_INPUT);
}

/* ---- epochs ---- */

static void epoch(const struct warp_run *r, uint32_t number, int64_t from, int64_t to, int64_t instructions,
	int64_t history)
{
	const struct warp_epoch *row = &r->epochs[number];
	assert_true(number < r->epochs_count);
	assert_int_equal(row->epoch, number);
	assert_int_equal(row->start, from);
	assert_int_equal(row->end, to);
	assert_int_equal(row->thread_instructions, instructions);
	assert_int_equal(row->history_ipc, history);
}

/* Every 10 cycles, and when a kernel without a job gets one; a repeated job begins none. */
TEST("epochs")
{
	warp_scene_init(&s, 1);
	warp_scene_compute(&s, 0, 4, 1, 0, 0);
	s.kernel[0].launch = 13;
	s.kernel[0].period = 12;
	s.options.epoch = 10;
	s.setup.horizon_ns = 28;
	struct warp_run *r = warp_run(&s);
	assert_int_equal(r->epochs_count, 5);
	epoch(r, 0, 0, 10, 0, -1);
	epoch(r, 1, 10, 13, 0, -1);
	epoch(r, 2, 13, 23, 128, 12800000);
	epoch(r, 3, 23, 25, 0, 10666666);
	epoch(r, 4, 25, 29, 128, 16000000);
	warp_run_free(r);
	end(NULL);
	s.kernel[0].period = 0;
	s.kernel[0].repeat = true;
	r = warp_run(&s);
	epoch(r, 2, 13, 23, 320, 32000000);
	assert_int_equal(r->epochs_count, 4);
	epoch(r, 3, 23, 29, 192, 32000000);
	warp_run_free(r);
}

/* ---- a run is a function of its inputs ---- */

TEST("step sizes")
{
	uint64_t digest = 0;
	for (uint64_t size = 1; size < 2000; size = size * 7 + 1) {
		warp_scene_init(&s, 2);
		s.platform.sms = 2;
		s.warps.machine.sub_cores = 2;
		for (uint32_t k = 0; k < 2; k++) {
			s.kernel[k].blocks = 9;
			s.kernel[k].block_threads = 96;
			warp_scene_step(&s, k, STEP_LOOP, 10)->body = 3;
			warp_scene_step(&s, k, STEP_LOAD, 1)->l2_hit_ppm = 400000;
			warp_scene_compute(&s, k, 3, 5, 1, 2);
			warp_scene_step(&s, k, STEP_BARRIER, 1);
		}
		s.warps.machine.bandwidth = 64000;
		struct warp_run *r = warp_run_in_steps(&s, size);
		if (digest == 0)
			digest = r->outcome.digest;
		assert_int_equal(r->outcome.digest, digest);
		assert_int_equal(r->events, 2 * 9 * 3 * 10 * 5);
		assert_int_equal(r->outcome.events, r->events);
		assert_int_equal(r->issues_count, r->events);
		warp_run_free(r);
		end(NULL);
	}
}

static bool say_stop(void *self, const struct warp_issue *rows, size_t count)
{
	(void)self;
	(void)rows;
	return count == 0;
}

/* An observer that stops the run. */
TEST("failed")
{
	struct warp_simulation *w;
	struct error err;
	const struct warp_observer observer = {.wants_issues = true, .issues = say_stop};
	warp_scene_init(&s, 1);
	warp_scene_compute(&s, 0, 9000, 1, 0, 0);
	warp_scene_ready(&s);
	assert_true(warp_simulation_create(&s.platform, &s.set, &s.setup, &s.options, NULL, &w, &err));
	assert_true(warp_simulation_observe(w, &observer, &err));
	enum simulation_state state_now;
	while ((state_now = warp_simulation_step(w, 10)) == SIMULATION_RUNNING)
		;
	assert_int_equal(state_now, SIMULATION_FAILED);
	assert_true(warp_simulation_events(w) < 5000);
	warp_simulation_destroy(w);
	warp_simulation_destroy(NULL);
}
