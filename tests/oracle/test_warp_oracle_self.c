/* tests/oracle/test_warp_oracle_self.c - the plain simulation of warps on small cases that are worked out by hand, rule
 * by rule of docs/warps.md. Fig. 3 of QAWS and the counters of quotas are in tests/golden/test_golden_warps.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/oracle/warp_plain.h"

#define KERNELS 3
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define STEP(k, n, d, f, l) {.kind = (k), .count = (n), .threads = 32, .distance = (d), .first = (f), .latency = (l), \
	.coalescing_ppm = 1000000, .bytes = 4}
#define COMPUTE(n, d, f, l) STEP(STEP_COMPUTE, n, d, f, l)
#define BARRIER STEP(STEP_BARRIER, 1, 0, 0, 0)
#define LOOP(n, steps) {.kind = STEP_LOOP, .count = (n), .body = (steps)}

struct scene {
	struct platform platform;
	struct warp_set set;
	struct warp_kernel kernel[KERNELS];
	struct run_setup setup;
	struct warp_options options;
	struct plain_input input;
};

/* One SM with one sub-core at 1 GHz; every latency and interval is 1; `oldest` without a manager; drained. */
static void scene_init(struct scene *s)
{
	*s = (struct scene){.platform = {.cores = 1, .engines = 1, .sms = 1, .sms_per_tpc = 1}};
	s->set = (struct warp_set){.machine = {.clock_hz = 1000000000, .sub_cores = 1, .shared_latency = 1,
		.l1_latency = 1, .l2_latency = 1, .dram_latency = 1, .bandwidth = 100000}};
	for (int unit = 0; unit < WARP_UNITS; unit++)
		s->set.machine.latency[unit] = s->set.machine.interval[unit] = 1;
	s->set.kernels = s->kernel;
	s->setup = (struct run_setup){.horizon_ns = 10, .limit_ns = 1000, .stop = STOP_DRAINED, .seed = 7};
	s->options = (struct warp_options){.scheduler = SCHEDULE_OLDEST, .active = 8, .epoch = 1000, .samples = 10,
		.history = true, .adjust = true};
	for (uint32_t k = 0; k < WARP_KERNELS_MAX; k++)
		s->options.budget[k] = 1;
	s->input = (struct plain_input){.platform = &s->platform, .set = &s->set, .setup = &s->setup,
		.options = &s->options, .only = PLAIN_ALL};
}

static struct warp_kernel *add(struct scene *s, uint32_t blocks, uint32_t threads, struct warp_step *steps,
	uint32_t count)
{
	struct warp_kernel *k = &s->kernel[s->set.kernel_count++];
	*k = (struct warp_kernel){.blocks = blocks, .block_threads = threads, .steps = steps, .step_count = count,
		.stream = STREAM_OWN};
	return k;
}
#define ADD(scene, blocks, threads, steps) add(scene, blocks, threads, steps, (uint32_t)COUNT(steps))

static void expect_cycles(const struct plain_result *r, const int64_t *cycles, size_t count)
{
	assert_int_equal(r->issues.count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(r->issues.row[i].cycle, cycles[i]);
}
#define EXPECT_CYCLES(r, ...) do { \
	const int64_t cycles_[] = {__VA_ARGS__}; \
	expect_cycles(r, cycles_, COUNT(cycles_)); \
} while (0)

static void expect_warps(const struct plain_result *r, const int *warps, size_t count)
{
	assert_int_equal(r->issues.count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(r->issues.row[i].warp, warps[i]);
}
#define EXPECT_WARPS(r, ...) do { \
	const int warps_[] = {__VA_ARGS__}; \
	expect_warps(r, warps_, COUNT(warps_)); \
} while (0)

static const struct plain_job_end *job(const struct plain_result *r, uint32_t kernel, uint32_t number)
{
	for (size_t i = 0; i < r->jobs.count; i++) {
		if (r->jobs.row[i].kernel == kernel && r->jobs.row[i].job == number)
			return &r->jobs.row[i];
	}
	fail_msg("kernel %u has no job %u", kernel, number);
	return NULL;
}

static void expect_job(const struct plain_result *r, uint32_t kernel, uint32_t number, int64_t release, int64_t end)
{
	assert_int_equal(job(r, kernel, number)->release, release);
	assert_int_equal(job(r, kernel, number)->end, end);
	assert_true(job(r, kernel, number)->finished);
}

/* A stay that began at `start`. */
static void expect_stay(const struct plain_result *r, uint32_t kernel, uint32_t block, uint32_t sm, int64_t start,
	int64_t end, enum plain_how how)
{
	for (size_t i = 0; i < r->stays.count; i++) {
		const struct plain_stay *s = &r->stays.row[i];
		if (s->kernel != kernel || s->block != block || s->start != start)
			continue;
		assert_int_equal(s->sm, sm);
		assert_int_equal(s->end, end);
		assert_int_equal(s->how, how);
		return;
	}
	fail_msg("block %u of kernel %u was not placed at %d", block, kernel, (int)start);
}

/* ---- programs, units, schedulers ---- */

/* The unit accepts an instruction in every third cycle: 0, 3, 6. The last result is there in 7. In 1, 2, 4, 5 the warp is
 * ready but for the unit. */
static void a_unit_accepts_at_its_interval(void **state)
{
	static struct warp_step steps[] = {COMPUTE(3, 0, 0, 0)};
	struct scene s;
	(void)state;
	scene_init(&s);
	s.set.machine.interval[WARP_INT] = 3;
	ADD(&s, 1, 32, steps);
	struct plain_result *r = plain_run(&s.input);
	EXPECT_CYCLES(r, 0, 3, 6);
	assert_int_equal(r->cycles, 7);
	assert_int_equal(r->slots[SLOT_ISSUED], 3);
	assert_int_equal(r->slots[SLOT_UNIT], 4);
	plain_result_free(r);
}

/* Latency 4, each needs the one before: 0, 4, 8; the last result in 12. 1-3 and 5-7 wait, 9-11 are the end. */
static void an_instruction_waits_for_its_operand(void **state)
{
	static struct warp_step steps[] = {COMPUTE(3, 1, 1, 4)};
	struct scene s;
	(void)state;
	scene_init(&s);
	ADD(&s, 1, 32, steps);
	struct plain_result *r = plain_run(&s.input);
	EXPECT_CYCLES(r, 0, 4, 8);
	assert_int_equal(r->cycles, 12);
	assert_int_equal(r->slots[SLOT_DEPENDENCE], 6);
	assert_int_equal(r->slots[SLOT_ENDING], 3);
	plain_result_free(r);
}

/* Twice: two of latency 5, the first of which needs the one two before. Round 1 at 0 and 1; round 2 begins when
 * instruction 0 has its result, in 5, and goes on in 6; then one at distance 1, in 11. */
static void a_step_begins_with_its_first_distance(void **state)
{
	static struct warp_step steps[] = {LOOP(2, 1), COMPUTE(2, 0, 2, 5), COMPUTE(1, 0, 1, 1)};
	struct scene s;
	(void)state;
	scene_init(&s);
	ADD(&s, 1, 32, steps);
	struct plain_result *r = plain_run(&s.input);
	EXPECT_CYCLES(r, 0, 1, 5, 6, 11);
	assert_int_equal(r->issues.row[3].step, 1);
	assert_int_equal(r->issues.row[3].number, 3);
	expect_job(r, 0, 0, 0, 12);
	plain_result_free(r);
}

/* Two warps of two instructions each, always ready. */
static void round_robin_stays_or_rotates(void **state)
{
	static struct warp_step steps[] = {COMPUTE(2, 0, 0, 0)};
	struct scene s;
	(void)state;
	scene_init(&s);
	s.options.scheduler = SCHEDULE_LRR;
	ADD(&s, 1, 64, steps);
	struct plain_result *stays = plain_run(&s.input);
	EXPECT_WARPS(stays, 0, 0, 1, 1);
	s.options.rotate_cycle = true;
	struct plain_result *rotates = plain_run(&s.input);
	EXPECT_WARPS(rotates, 0, 1, 0, 1);
	plain_result_free(stays);
	plain_result_free(rotates);
}

/* Two warps, two instructions, a barrier, one instruction. gto: warp 0 in 0-2, warp 1 in 3-5; its barrier opens both
 * for 6, and it goes on, as the last one. oldest: the same, but warp 0 goes first in 6. */
static void a_barrier_opens_in_the_next_cycle(void **state)
{
	static struct warp_step steps[] = {COMPUTE(2, 0, 0, 0), BARRIER, COMPUTE(1, 0, 0, 0)};
	struct scene s;
	(void)state;
	scene_init(&s);
	ADD(&s, 1, 64, steps);
	s.options.scheduler = SCHEDULE_GTO;
	struct plain_result *greedy = plain_run(&s.input);
	EXPECT_WARPS(greedy, 0, 0, 0, 1, 1, 1, 1, 0);
	EXPECT_CYCLES(greedy, 0, 1, 2, 3, 4, 5, 6, 7);
	assert_int_equal(greedy->cycles, 8);
	s.options.scheduler = SCHEDULE_OLDEST;
	struct plain_result *oldest = plain_run(&s.input);
	EXPECT_WARPS(oldest, 0, 0, 0, 1, 1, 1, 0, 1);
	plain_result_free(greedy);
	plain_result_free(oldest);
}

/* Two sub-cores, a warp each, the second with 8 threads. Both issue the barrier in 1, so none waits there in 2; both then
 * wait for instruction 0, whose result is there in 3. */
static void sub_cores_meet_at_a_barrier(void **state)
{
	static struct warp_step steps[] = {COMPUTE(1, 0, 0, 3), BARRIER, COMPUTE(1, 0, 2, 1)};
	struct scene s;
	(void)state;
	scene_init(&s);
	s.set.machine.sub_cores = 2;
	ADD(&s, 1, 40, steps);
	struct plain_result *r = plain_run(&s.input);
	EXPECT_CYCLES(r, 0, 0, 1, 1, 3, 3);
	assert_int_equal(r->issues.row[1].sub_core, 1);
	assert_int_equal(r->issues.row[1].threads, 8);
	assert_int_equal(r->kernel[0].thread_instructions, 3 * 40);
	assert_int_equal(r->slots[SLOT_DEPENDENCE], 1);
	plain_result_free(r);
}

/* An active set of one. Warp 0 loads in 0 and leaves in 1, warp 1 enters and loads, and leaves in 2. Warp 0's result is
 * there in 10: it enters and issues its last, of latency 5, whose end in 15 keeps it in the set until then. Warp 1 is
 * ready from 11 on, but not active before 15. */
static void two_level_has_room_for_few(void **state)
{
	static struct warp_step steps[] = {STEP(STEP_LOAD, 1, 0, 0, 0), COMPUTE(1, 0, 1, 5)};
	struct scene s;
	(void)state;
	steps[0].l1_hit_ppm = 1000000;
	scene_init(&s);
	s.options.scheduler = SCHEDULE_TWO_LEVEL;
	s.options.active = 1;
	s.set.machine.l1_latency = 10;
	ADD(&s, 1, 64, steps);
	struct plain_result *r = plain_run(&s.input);
	EXPECT_WARPS(r, 0, 1, 0, 1);
	EXPECT_CYCLES(r, 0, 1, 10, 15);
	assert_int_equal(r->slots[SLOT_MEMORY], 8);
	assert_int_equal(r->slots[SLOT_SCHEDULER], 4);
	assert_int_equal(r->slots[SLOT_ENDING], 4);
	plain_result_free(r);
}

/* ---- memory ---- */

/* 2.5 bytes a cycle, DRAM 10 cycles. 32 threads x 4 bytes are 128: F = 51.2, there in 52 + 10. The second, in cycle 1,
 * F = 102.4: 113. The third, whose threads touch a sector each, in 113 (it needs the second): 113 + 1024 / 2.5 = 522.6:
 * 523 + 10. The store behind it has 3 threads of 4 bytes, half of them spread: 2 sectors: F = 548.2. */
static void the_server_passes_requests_one_by_one(void **state)
{
	static struct warp_step steps[] = {STEP(STEP_LOAD, 2, 0, 0, 0), STEP(STEP_LOAD, 1, 0, 1, 0),
		STEP(STEP_STORE, 1, 0, 0, 0), STEP(STEP_LOAD, 1, 0, 0, 0)};
	struct scene s;
	(void)state;
	steps[1].coalescing_ppm = 0;
	steps[2].coalescing_ppm = 500000;
	steps[2].threads = 3;
	steps[3].threads = 1;
	scene_init(&s);
	s.set.machine.bandwidth = 2500;
	s.set.machine.dram_latency = 10;
	ADD(&s, 1, 32, steps);
	struct plain_result *r = plain_run(&s.input);
	EXPECT_CYCLES(r, 0, 1, 113, 114, 115);
	assert_int_equal(r->issues.row[0].result, 62);
	assert_int_equal(r->issues.row[1].result, 113);
	assert_int_equal(r->issues.row[2].result, 533);
	assert_int_equal(r->issues.row[3].result, -1);
	assert_int_equal(r->issues.row[3].level, LEVEL_DRAM);
	assert_int_equal(r->issues.row[4].result, 561 + 10);   /* 548.2 + 12.8 = 561.0 */
	assert_int_equal(r->kernel[0].dram_bytes, 128 + 128 + 1024 + 64 + 32);
	plain_result_free(r);
}

/* Certain hits, and one in two: of 400 draws between 160 and 240 (4 standard deviations). */
static void accesses_hit_as_often_as_they_should(void **state)
{
	static struct warp_step steps[] = {
		STEP(STEP_LOAD, 400, 0, 0, 0), STEP(STEP_LOAD, 5, 0, 0, 0), STEP(STEP_LOAD, 7, 0, 0, 0)};
	struct scene s;
	(void)state;
	steps[0].l1_hit_ppm = 500000;
	steps[0].l2_hit_ppm = steps[1].l2_hit_ppm = 1000000;
	scene_init(&s);
	ADD(&s, 1, 32, steps);
	struct plain_result *r = plain_run(&s.input);
	assert_int_equal(r->kernel[0].accesses, 412);
	assert_int_equal(r->kernel[0].l1_hits + r->kernel[0].l2_hits, 405);
	assert_true(r->kernel[0].l1_hits > 160 && r->kernel[0].l1_hits < 240);
	plain_result_free(r);
}

/* 20 threads x 3 fJ x 2, 20 x 7 fJ for the access; its 80 bytes are 3 sectors, 96 bytes x 2 fJ. Static: 5 uW for the
 * horizon, 10 ns, which is longer than the run. */
static void energy_is_counted_by_thread(void **state)
{
	static struct warp_step steps[] = {COMPUTE(2, 0, 0, 0), STEP(STEP_STORE, 1, 0, 0, 0), BARRIER};
	struct scene s;
	(void)state;
	scene_init(&s);
	s.platform.static_uw = 5;
	s.set.machine.unit_fj[WARP_INT] = 3;
	s.set.machine.global_fj = 7;
	s.set.machine.shared_fj = 1000;
	s.set.machine.dram_byte_fj = 2;
	ADD(&s, 1, 20, steps);
	struct plain_result *r = plain_run(&s.input);
	assert_int_equal(r->cycles, 4);
	assert_int_equal(r->kernel[0].energy_fj, 20 * 3 * 2 + 20 * 7 + 96 * 2);
	assert_int_equal((int64_t)r->energy_fj, 20 * 3 * 2 + 20 * 7 + 96 * 2 + 50);
	plain_result_free(r);
}

/* ---- launches and dispatch ---- */

/* Latency 6, every 4 cycles from 1 on, below 10: released at 1, 5, 9; the stream runs one after the other. */
static void jobs_of_a_stream_wait_for_each_other(void **state)
{
	static struct warp_step steps[] = {COMPUTE(1, 0, 0, 6)};
	struct scene s;
	(void)state;
	scene_init(&s);
	struct warp_kernel *k = ADD(&s, 1, 32, steps);
	k->launch = 1;
	k->period = 4;
	struct plain_result *r = plain_run(&s.input);
	expect_job(r, 0, 0, 1, 7);
	expect_job(r, 0, 1, 5, 13);
	expect_job(r, 0, 2, 9, 19);
	assert_int_equal(r->jobs.count, 3);
	assert_int_equal(r->cycles, 19);
	plain_result_free(r);
}

/* Latency 4, again and again below 10: 0-4, 4-8, 8-12. The other kernel of the stream comes between, for it was released
 * before the second: 4-8, and so on in turn. */
static void repeated_jobs_take_turns_in_a_stream(void **state)
{
	static struct warp_step steps[] = {COMPUTE(1, 0, 0, 4)};
	struct scene s;
	(void)state;
	scene_init(&s);
	ADD(&s, 1, 32, steps)->repeat = true;
	struct plain_result *alone = plain_run(&s.input);
	expect_job(alone, 0, 1, 4, 8);
	expect_job(alone, 0, 2, 8, 12);
	assert_int_equal(alone->jobs.count, 3);
	plain_result_free(alone);
	ADD(&s, 1, 32, steps)->repeat = true;
	s.kernel[0].stream = s.kernel[1].stream = 5;
	struct plain_result *r = plain_run(&s.input);
	expect_job(r, 0, 0, 0, 4);
	expect_job(r, 1, 0, 0, 8);
	expect_job(r, 0, 1, 4, 12);
	expect_job(r, 1, 1, 8, 16);
	assert_int_equal(r->jobs.count, 4);
	assert_int_equal(r->kernel[1].cycles, 12);     /* active from 4 on */
	plain_result_free(r);
}

/* Two SMs of four warps, two kernels of five blocks of a warp and latency 20. even: two of each on each SM; the fifth of
 * the first is placed in 20, when its first two end, on SM 0; the fifth of the second in 22. fill: the first has all,
 * three and two; the second what is left, and the one that is first if its stream is. */
static void targets_share_an_sm_or_not(void **state)
{
	static struct warp_step steps[] = {COMPUTE(1, 0, 0, 20)};
	struct scene s;
	(void)state;
	scene_init(&s);
	s.platform.sms = 2;
	s.platform.warps_per_sm = 4;
	ADD(&s, 5, 32, steps);
	ADD(&s, 5, 32, steps);
	struct plain_result *even = plain_run(&s.input);
	expect_stay(even, 0, 3, 1, 0, 21, PLAIN_DONE);
	expect_stay(even, 0, 4, 0, 20, 40, PLAIN_DONE);
	expect_stay(even, 1, 4, 0, 22, 42, PLAIN_DONE);
	s.options.blocks = BLOCKS_FILL;
	struct plain_result *fill = plain_run(&s.input);
	expect_stay(fill, 0, 4, 0, 0, 22, PLAIN_DONE);
	expect_stay(fill, 1, 0, 0, 0, 23, PLAIN_DONE);
	expect_stay(fill, 1, 2, 1, 0, 23, PLAIN_DONE);
	s.kernel[1].stream_high = true;
	struct plain_result *high = plain_run(&s.input);
	expect_stay(high, 1, 4, 0, 0, 22, PLAIN_DONE);
	plain_result_free(even);
	plain_result_free(fill);
	plain_result_free(high);
}

/* ---- goals, epochs, quotas ---- */

static const struct warp_epoch *epoch_row(const struct plain_result *r, uint32_t epoch, uint32_t kernel)
{
	for (size_t i = 0; i < r->epochs.count; i++) {
		if (r->epochs.row[i].epoch == epoch && r->epochs.row[i].kernel == kernel)
			return &r->epochs.row[i];
	}
	fail_msg("no epoch %u of kernel %u", epoch, kernel);
	return NULL;
}

static const struct warp_epoch_quota *quota_row(const struct plain_result *r, uint32_t epoch, uint32_t sm,
	uint32_t kernel)
{
	for (size_t i = 0; i < r->quotas.count; i++) {
		const struct warp_epoch_quota *q = &r->quotas.row[i];
		if (q->epoch == epoch && q->sm == sm && q->kernel == kernel)
			return q;
	}
	fail_msg("no epoch %u of kernel %u on SM %u", epoch, kernel, sm);
	return NULL;
}

/* 320 thread instructions in 10 cycles alone: half of 32 is 16. In 100 ns: 3.2. */
static void goals_are_worked_out(void **state)
{
	static struct warp_step steps[] = {COMPUTE(10, 0, 0, 0)};
	struct scene s;
	int64_t alone[KERNELS];
	(void)state;
	scene_init(&s);
	ADD(&s, 1, 32, steps)->goal = (struct warp_goal){.kind = GOAL_SHARE, .share_ppm = 500000};
	ADD(&s, 1, 32, steps)->goal = (struct warp_goal){.kind = GOAL_TIME, .kernel_ns = 100};
	alone[0] = plain_ipc_alone(&s.input, 0);
	alone[1] = plain_ipc_alone(&s.input, 1);
	assert_int_equal(alone[0], 32000000);
	s.input.alone = alone;
	struct plain_result *r = plain_run(&s.input);
	assert_int_equal(r->kernel[0].goal, 16000000);
	assert_int_equal(r->kernel[1].goal, 3200000);
	assert_true(r->kernel[0].reached && r->kernel[1].reached);     /* 320 in 20 cycles each */
	plain_result_free(r);
}

/* Goal 2 in epochs of 100: quota 200, of which 100 are used: IPC_history 1, alpha 2, A = 4, quota 400, and C = 100 + 400.
 * The kernel without a goal: 1, times 1 / 4: 25. */
static void quotas_make_up_for_what_was_missed(void **state)
{
	static struct warp_step hundred[] = {COMPUTE(3, 0, 0, 0), COMPUTE(1, 0, 0, 1000), COMPUTE(1, 0, 1, 0)};
	static struct warp_step few[] = {COMPUTE(1, 0, 0, 1000), COMPUTE(1, 0, 1, 0)};
	struct scene s;
	(void)state;
	hundred[1].threads = 4;
	scene_init(&s);
	s.options.manager = MANAGER_ROLLOVER;
	s.options.epoch = 100;
	s.setup.horizon_ns = 150;
	s.setup.stop = STOP_HORIZON;
	ADD(&s, 1, 32, hundred)->goal = (struct warp_goal){.kind = GOAL_IPC, .ipc = 2000000};
	ADD(&s, 1, 32, few);
	struct plain_result *r = plain_run(&s.input);
	assert_int_equal(epoch_row(r, 0, 0)->adjusted_goal, 2000000);
	assert_int_equal(epoch_row(r, 0, 0)->history_ipc, 1000000);
	assert_int_equal(quota_row(r, 0, 0, 0)->counter_end, 100);
	assert_int_equal(epoch_row(r, 1, 0)->adjusted_goal, 4000000);
	assert_int_equal(quota_row(r, 1, 0, 0)->counter_start, 500);
	assert_int_equal(quota_row(r, 1, 0, 1)->quota, 25);
	assert_int_equal(epoch_row(r, 1, 1)->end, 150);
	assert_false(job(r, 0, 0)->finished);
	plain_result_free(r);
}

/* The goal's kernel has quota left while it waits (0-49, 50-99): the other one, though ready, may not issue before it
 * is gone, in 100. Its launch, in 30, begins an epoch. */
static void rollover_time_goes_first(void **state)
{
	static struct warp_step slow[] = {COMPUTE(2, 1, 0, 50)}, fast[] = {COMPUTE(5, 0, 0, 0)};
	struct scene s;
	(void)state;
	scene_init(&s);
	s.options.manager = MANAGER_ROLLOVER_TIME;
	s.setup.horizon_ns = 40;
	ADD(&s, 1, 32, slow)->goal = (struct warp_goal){.kind = GOAL_IPC, .ipc = 100000000};
	ADD(&s, 1, 32, fast)->launch = 30;
	struct plain_result *r = plain_run(&s.input);
	EXPECT_CYCLES(r, 0, 50, 100, 101, 102, 103, 104);
	assert_int_equal(r->slots[SLOT_QUOTA], 19 + 49 + 1);   /* 30 .. 99, but for 50 */
	assert_int_equal(epoch_row(r, 1, 0)->start, 30);
	plain_result_free(r);
}

/* ---- blocks and SMs that change hands ---- */

#define UNREACHABLE (struct warp_goal){.kind = GOAL_IPC, .ipc = 1000000000}

/* An SM of four warps: targets 2 and 2. In 10 the first kernel is below its goal, has blocks left, and there is no
 * room: the second one's target falls to 1, and its younger block is swapped out: 8 registers x 4 x 32 = 1024 bytes at
 * 100 a cycle: F = 20.24, the SM is free of it in 21, and a third block of the first kernel is placed. */
static void a_kernel_below_its_goal_gets_a_block(void **state)
{
	static struct warp_step steps[] = {COMPUTE(100, 1, 1, 4)};
	struct scene s;
	(void)state;
	scene_init(&s);
	s.platform.warps_per_sm = 4;
	s.options.manager = MANAGER_ROLLOVER;
	s.options.epoch = 10;
	s.setup.horizon_ns = 60;
	s.setup.stop = STOP_HORIZON;
	struct warp_kernel *k = ADD(&s, 4, 32, steps);
	k->goal = UNREACHABLE;
	k->registers = 8;
	ADD(&s, 4, 32, steps)->registers = 8;
	struct plain_result *r = plain_run(&s.input);
	assert_int_equal(quota_row(r, 0, 0, 0)->target, 2);
	assert_int_equal(quota_row(r, 1, 0, 0)->target, 3);
	assert_int_equal(quota_row(r, 1, 0, 1)->target, 1);
	assert_int_equal(quota_row(r, 5, 0, 0)->target, 3);
	assert_int_equal(epoch_row(r, 1, 1)->swaps, 1);
	expect_stay(r, 1, 1, 0, 0, 21, PLAIN_SWAPPED);
	expect_stay(r, 0, 2, 0, 21, 60, PLAIN_STOPPED);
	assert_int_equal(r->kernel[1].dram_bytes, 1024);
	plain_result_free(r);
}

/* Three SMs of one block: the first kernel, with a goal, begins with SM 0, the other with SMs 1 and 2. Its blocks issue in
 * 0, 4, 8, 12. In 10 SM 2 changes hands. swap: free: it is free of its block in 11. The other block ends in 16, on SM 1;
 * the one that is away comes back there, issues its last at once and ends in 20. */
static void spart_scene(struct scene *s)
{
	static struct warp_step goal[] = {COMPUTE(100, 1, 1, 4)}, steps[] = {COMPUTE(4, 1, 1, 4)};
	scene_init(s);
	s->platform.sms = 3;
	s->platform.blocks_per_sm = 1;
	s->options.manager = MANAGER_SPART;
	s->options.epoch = 10;
	s->setup.horizon_ns = 60;
	s->setup.stop = STOP_HORIZON;
	ADD(s, 3, 32, goal)->goal = UNREACHABLE;
	ADD(s, 2, 32, steps)->registers = 8;
}

static void a_short_kernel_gets_an_sm(void **state)
{
	struct scene s;
	(void)state;
	spart_scene(&s);
	s.options.free_swaps = true;
	struct plain_result *r = plain_run(&s.input);
	expect_stay(r, 1, 0, 1, 0, 16, PLAIN_DONE);
	expect_stay(r, 1, 1, 2, 0, 11, PLAIN_SWAPPED);
	expect_stay(r, 0, 1, 2, 11, 60, PLAIN_STOPPED);
	expect_stay(r, 1, 1, 1, 16, 20, PLAIN_DONE);
	expect_job(r, 1, 0, 0, 20);
	assert_int_equal(r->kernel[1].dram_bytes, 0);
	plain_result_free(r);
}

/* The same through the server: saved in 21, loaded from 21 on: 31.24: it issues in 32 and ends in 36. */
static void contexts_pass_the_server(void **state)
{
	struct scene s;
	(void)state;
	spart_scene(&s);
	struct plain_result *r = plain_run(&s.input);
	expect_stay(r, 1, 1, 2, 0, 21, PLAIN_SWAPPED);
	expect_stay(r, 0, 1, 2, 21, 60, PLAIN_STOPPED);
	expect_stay(r, 1, 1, 1, 21, 36, PLAIN_DONE);
	assert_int_equal(r->kernel[1].dram_bytes, 2048);
	assert_int_equal(r->sms.row[2 * 3 + 1].cycles[SLOT_SWAP], 9);  /* SM 1, epoch 2: 21 .. 29 */
	plain_result_free(r);
}

static void a_run_of_no_cycles_is_empty(void **state)
{
	static struct warp_step steps[] = {COMPUTE(1, 0, 0, 0)};
	struct scene s;
	(void)state;
	scene_init(&s);
	s.set.machine.clock_hz = 1000000;      /* a cycle is 1000 ns */
	ADD(&s, 1, 32, steps);
	struct plain_result *r = plain_run(&s.input);
	assert_int_equal(r->cycles, 0);
	assert_int_equal(r->jobs.count + r->issues.count + r->epochs.count, 0);
	plain_result_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_unit_accepts_at_its_interval),
		cmocka_unit_test(an_instruction_waits_for_its_operand),
		cmocka_unit_test(a_step_begins_with_its_first_distance),
		cmocka_unit_test(round_robin_stays_or_rotates),
		cmocka_unit_test(a_barrier_opens_in_the_next_cycle),
		cmocka_unit_test(sub_cores_meet_at_a_barrier),
		cmocka_unit_test(two_level_has_room_for_few),
		cmocka_unit_test(the_server_passes_requests_one_by_one),
		cmocka_unit_test(accesses_hit_as_often_as_they_should),
		cmocka_unit_test(energy_is_counted_by_thread),
		cmocka_unit_test(jobs_of_a_stream_wait_for_each_other),
		cmocka_unit_test(repeated_jobs_take_turns_in_a_stream),
		cmocka_unit_test(targets_share_an_sm_or_not),
		cmocka_unit_test(goals_are_worked_out),
		cmocka_unit_test(quotas_make_up_for_what_was_missed),
		cmocka_unit_test(rollover_time_goes_first),
		cmocka_unit_test(a_kernel_below_its_goal_gets_a_block),
		cmocka_unit_test(a_short_kernel_gets_an_sm),
		cmocka_unit_test(contexts_pass_the_server),
		cmocka_unit_test(a_run_of_no_cycles_is_empty),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
