/* tests/golden/test_golden_warps.c - results that follow from the schedulers and managers of docs/warps.md:
 * Fig. 3 of QAWS (Singh et al., DATE 2022), cycle by cycle, and counters of quotas worked out by hand from
 * the rules of Wang et al. (ISCA 2017, 3.4-3.5). Both the plain simulation (tests/oracle) and the engine must
 * produce them. */
#include <stdio.h>
#include <string.h>

#include "tests/oracle/warp_engine.h"
#include "tests/oracle/warp_plain.h"
#include "tests/support/test.h"

#define TEXT_MAX 256

/* Runs the input, with the plain simulation or the engine. */
typedef struct plain_result *run_fn(const struct plain_input *input);

static run_fn *const runs[] = {plain_run, warp_engine_run};
#define RUNS (sizeof(runs) / sizeof(runs[0]))

struct scene {
	struct platform platform;
	struct warp_set set;
	struct warp_kernel kernel[2];
	struct run_setup setup;
	struct warp_options options;
	struct plain_input input;
};

/* One SM with one sub-core, which issues one instruction per cycle. */
static void scene_init(struct scene *s, enum warp_scheduler_kind scheduler, enum warp_manager manager)
{
	*s = (struct scene){.platform = platform_default()};
	s->platform.sms = 1;
	s->set = (struct warp_set){
		.machine = {.clock_hz = 1000000000,
			.sub_cores = 1,
			.shared_latency = 1,
			.l1_latency = 1,
			.l2_latency = 1,
			.dram_latency = 1,
			.bandwidth = 1000},
		.kernels = s->kernel,
		.kernel_count = 2,
	};
	for (int unit = 0; unit < WARP_UNITS; unit++)
		s->set.machine.latency[unit] = s->set.machine.interval[unit] = 1;
	s->setup = (struct run_setup){.horizon_ns = 100, .limit_ns = 1000, .stop = STOP_DRAINED, .seed = 1};
	s->options = (struct warp_options){
		.scheduler = scheduler,
		.active = 8,
		.manager = manager,
		.blocks = BLOCKS_EVEN,
		.epoch = 10000,
		.samples = 100,
		.history = true,
		.adjust = true,
	};
	for (uint32_t k = 0; k < WARP_KERNELS_MAX; k++)
		s->options.budget[k] = 1;
	s->input = (struct plain_input){
		.platform = &s->platform,
		.set = &s->set,
		.setup = &s->setup,
		.options = &s->options,
		.only = PLAIN_ALL,
	};
}

/* ---- QAWS, Fig. 3 ---- */

/* Nine instructions in groups of 1, 2, 4 and 2. A group begins when the last result of the group before it is
 * ready, after stalls of 1, 2 and 4 cycles. */
static struct warp_step figure[] = {
	{
		.kind = STEP_COMPUTE,
		.count = 1,
		.threads = 32,
		.latency = 2,
		.coalescing_ppm = 1000000,
		.bytes = 4,
	},
	{
		.kind = STEP_COMPUTE,
		.count = 2,
		.threads = 32,
		.first = 1,
		.latency = 3,
		.coalescing_ppm = 1000000,
		.bytes = 4,
	},
	{
		.kind = STEP_COMPUTE,
		.count = 4,
		.threads = 32,
		.first = 1,
		.latency = 5,
		.coalescing_ppm = 1000000,
		.bytes = 4,
	},
	{
		.kind = STEP_COMPUTE,
		.count = 2,
		.threads = 32,
		.first = 1,
		.latency = 1,
		.coalescing_ppm = 1000000,
		.bytes = 4,
	},
};

/* Writes what was issued in each cycle. Warps 0 and 1 belong to the first kernel; a dot: nothing. */
static void write_issues(const struct plain_result *r, char text[TEXT_MAX])
{
	int64_t length = 0;
	for (size_t i = 0; i < r->issues.count; i++) {
		const struct warp_issue *issue = &r->issues.row[i];
		assert_true(issue->cycle >= length && issue->cycle < TEXT_MAX - 1);
		while (length < issue->cycle)
			text[length++] = '.';
		text[length++] = (char)('0' + 2 * issue->kernel + issue->warp);
	}
	text[length] = '\0';
}

static void expect_end(const struct plain_result *r, uint32_t kernel, int64_t end)
{
	for (size_t i = 0; i < r->jobs.count; i++) {
		if (r->jobs.row[i].kernel != kernel)
			continue;
		assert_true(r->jobs.row[i].finished);
		assert_int_equal(r->jobs.row[i].end, end);
		return;
	}
	fail_msg("kernel %u has no job", kernel);
}

struct figure_row {
	const char *name;
	enum warp_scheduler_kind scheduler;
	int64_t budget; /* of the second kernel, for qaws */
	int64_t ends[2];
	const char *issues;
};

static struct figure_row figure_rows[] = {
	{"gto", SCHEDULE_GTO, 1, {20, 38},
		"01001100001111002311223322223333"
		"22..33"},
	{"lrr", SCHEDULE_LRR, 1, {32, 36}, "012300112233000011112222333300112233"},
	{"qaws, budgets 1 and 4", SCHEDULE_QAWS, 4, {38, 28},
		"01232233222200112233330000331111"
		"00..11"},
	{"qaws, budgets 1 and 6", SCHEDULE_QAWS, 6, {38, 24},
		"01232233222233332200113300001111"
		"00..11"},
};

static void figure_scene(struct scene *s, const struct figure_row *row)
{
	scene_init(s, row->scheduler, MANAGER_SMK);
	s->options.budget[1] = row->budget;
	for (uint32_t k = 0; k < 2; k++) {
		s->kernel[k] = (struct warp_kernel){
			.blocks = 1,
			.block_threads = 64,
			.steps = figure,
			.step_count = 4,
			.stream = STREAM_OWN,
			.launch = k,
		};
	}
}

static void figure_3_cycle_by_cycle(void **state)
{
	const struct figure_row *row = *state;
	for (size_t i = 0; i < RUNS; i++) {
		struct scene s;
		char text[TEXT_MAX];
		figure_scene(&s, row);
		struct plain_result *r = runs[i](&s.input);
		write_issues(r, text);
		assert_string_equal(text, row->issues);
		expect_end(r, 0, row->ends[0]);
		expect_end(r, 1, row->ends[1]);
		assert_int_equal(r->cycles, row->ends[0] > row->ends[1] ? row->ends[0] : row->ends[1]);
		plain_result_free(r);
	}
}

TEST_RUNS(figure_3_cycle_by_cycle, "figure 3 cycle by cycle", .initial_state = &figure_rows[0]);
TEST_RUNS(figure_3_cycle_by_cycle, "figure 3 cycle by cycle", .initial_state = &figure_rows[1]);
TEST_RUNS(figure_3_cycle_by_cycle, "figure 3 cycle by cycle", .initial_state = &figure_rows[2]);
TEST_RUNS(figure_3_cycle_by_cycle, "figure 3 cycle by cycle", .initial_state = &figure_rows[3]);

/* ---- quotas ---- */

#define LONG 1000 /* cycles, longer than every run below */
#define EPOCH 100
#define STEP(k, n, t, f, l)                                                                                  \
	{                                                                                                    \
		.kind = (k), .count = (n), .threads = (t), .first = (f), .latency = (l),                     \
		.l1_hit_ppm = 500000, .l2_hit_ppm = 1000000, .coalescing_ppm = 1000000, .bytes = 4           \
	}

/* Two SMs; both kernels have a block on each. The first kernel's goal is 2 thread instructions per cycle: 200
 * per epoch, 100 per SM. The second kernel's quota is 1 per cycle, 50 per SM. With this `seed` the second
 * kernel's load hits in L1 in block 0; in block 1 it waits for L2 until the end. So SM 0 is the one to look
 * at, and the second kernel as a whole stays below one instruction per cycle, which keeps its quota at that
 * value. */
static void quota_scene(struct scene *s, enum warp_manager manager, struct warp_step *first,
	uint32_t first_steps, struct warp_step *second, uint32_t second_steps)
{
	scene_init(s, SCHEDULE_OLDEST, manager);
	s->platform.sms = 2;
	s->set.machine.l2_latency = LONG;
	s->setup.stop = STOP_HORIZON;
	s->setup.seed = 1;
	s->options.epoch = EPOCH;
	s->options.history = s->options.adjust = false;
	s->kernel[0] = (struct warp_kernel){
		.blocks = 2,
		.block_threads = 32,
		.steps = first,
		.step_count = first_steps,
		.stream = STREAM_OWN,
		.goal = {.kind = GOAL_IPC, .ipc = 2000000},
	};
	s->kernel[1] = (struct warp_kernel){
		.blocks = 2,
		.block_threads = 32,
		.steps = second,
		.step_count = second_steps,
		.stream = STREAM_OWN,
	};
}

/* The counters C of the kernels on SM 0 when `cycle` begins, or when epoch 1 begins if `cycle` is later. */
static void counters_at(struct scene *s, run_fn *run, int64_t cycle, int64_t counter[2])
{
	s->setup.horizon_ns = cycle;
	struct plain_result *r = run(&s->input);
	counter[0] = counter[1] = INT64_MIN;
	for (size_t i = 0; i < r->quotas.count; i++) {
		const struct warp_epoch_quota *q = &r->quotas.row[i];
		if (q->sm == 0 && q->epoch == (cycle > EPOCH))
			counter[q->kernel] = cycle > EPOCH ? q->counter_start : q->counter_end;
	}
	plain_result_free(r);
}

static void expect_counters(struct scene *s, run_fn *run, int64_t cycle, int64_t first, int64_t second)
{
	int64_t counter[2];
	counters_at(s, run, cycle, counter);
	assert_int_equal(counter[0], first);
	assert_int_equal(counter[1], second);
}

/* The first kernel issues in cycles 0, 4, 5 and 6; the second in 1 and 2, and in 7 if it has quota again. */
static struct warp_step uses_up[] = {STEP(STEP_COMPUTE, 1, 32, 0, 4), STEP(STEP_COMPUTE, 2, 32, 1, 1),
	STEP(STEP_COMPUTE, 1, 5, 0, LONG), STEP(STEP_COMPUTE, 1, 1, 1, 1)};
static struct warp_step in_turn[] = {STEP(STEP_LOAD, 1, 32, 0, 0), STEP(STEP_COMPUTE, 1, 21, 1, 1),
	STEP(STEP_COMPUTE, 1, 10, 0, LONG), STEP(STEP_COMPUTE, 1, 1, 1, 1)};

static void expect_use(struct scene *s, run_fn *run)
{
	expect_counters(s, run, 1, 68, 50);
	expect_counters(s, run, 2, 68, 18);
	expect_counters(s, run, 3, 68, -3);
	expect_counters(s, run, 4, 68, -3);
	expect_counters(s, run, 5, 36, -3);
	expect_counters(s, run, 6, 4, -3);
}

/* When both have used up their quotas, the second kernel gets its quota again at once; the first kernel only
 * at the next epoch. */
TEST("naive adds to those without a goal")
{
	for (size_t i = 0; i < RUNS; i++) {
		struct scene s;
		quota_scene(&s, MANAGER_NAIVE, uses_up, 4, in_turn, 4);
		expect_use(&s, runs[i]);
		expect_counters(&s, runs[i], 7, -1, 47);
		expect_counters(&s, runs[i], 8, -1, 37);
		expect_counters(&s, runs[i], EPOCH, -1, 37);
		expect_counters(&s, runs[i], EPOCH + 1, 100, 50);
	}
}

/* Both kernels get their quotas again: a new epoch of the SM. */
TEST("elastic begins anew")
{
	for (size_t i = 0; i < RUNS; i++) {
		struct scene s;
		quota_scene(&s, MANAGER_ELASTIC, uses_up, 4, in_turn, 4);
		expect_use(&s, runs[i]);
		expect_counters(&s, runs[i], 7, 99, 47);
		expect_counters(&s, runs[i], 8, 99, 37);
		expect_counters(&s, runs[i], EPOCH + 1, 100, 50);
	}
}

/* The kernel uses 60 of 100 in an epoch, and is launched again at the next one. */
static struct warp_step uses_sixty[] = {STEP(STEP_COMPUTE, 1, 32, 0, 1), STEP(STEP_COMPUTE, 1, 28, 0, 1)};
static struct warp_step uses_some[] = {STEP(STEP_COMPUTE, 1, 32, 0, LONG), STEP(STEP_COMPUTE, 1, 1, 1, 1)};

TEST("rollover keeps what is left")
{
	static const struct {
		enum warp_manager manager;
		int64_t next;
	} rows[] = {{MANAGER_NAIVE, 100}, {MANAGER_HISTORY, 100}, {MANAGER_ROLLOVER, 140},
		{MANAGER_ROLLOVER_TIME, 140}};
	for (size_t i = 0; i < RUNS * sizeof(rows) / sizeof(rows[0]); i++) {
		struct scene s;
		quota_scene(&s, rows[i / RUNS].manager, uses_sixty, 2, uses_some, 2);
		s.kernel[0].period = EPOCH;
		expect_counters(&s, runs[i % RUNS], 2, 40, 50);
		expect_counters(&s, runs[i % RUNS], EPOCH + 1, rows[i / RUNS].next, 50);
	}
}

/* An application (QoS 4.1): two kernels of one block and six instructions each, with a goal of 16 thread
 * instructions per cycle over both: 320 per epoch of 20 cycles, ten instructions. The first kernel issues six
 * in 0 to 5. The second one's warp comes in cycle 6 and is younger than that of the other kernel, which has a
 * quota of 20, for one instruction: it issues in 6 and has C = -12. So the application issues in 7 to 10, and
 * has nothing left: its second kernel has no quota of its own. The other one gets its quota again when it
 * needs it, in 11 to 19. In 20 the application has kept to its goal and both get 320: the other one issues
 * ten times, in 20 to 29, then the application its last two. */
static struct warp_step six[] = {STEP(STEP_COMPUTE, 6, 32, 0, 1)};
static struct warp_step many[] = {STEP(STEP_COMPUTE, 100, 32, 0, 1)};

static void expect_application(const struct plain_result *r)
{
	char text[TEXT_MAX];
	write_issues(r, text);
	text[32] = '\0';
	assert_string_equal(text, "00000020000222222222222222222200");
	expect_end(r, 0, 32);
	for (size_t i = 0; i < r->quotas.count; i++) {
		const struct warp_epoch_quota *q = &r->quotas.row[i];
		if (q->epoch == 0 && q->kernel == 0)
			assert_int_equal(q->counter_end, 0);
		if (q->epoch == 1)
			assert_int_equal(q->counter_start, 320);
	}
}

TEST("an application has one quota for its kernels")
{
	struct warp_kernel then = {.blocks = 1, .block_threads = 32, .steps = six, .step_count = 1};
	for (size_t i = 0; i < RUNS; i++) {
		struct scene s;
		quota_scene(&s, MANAGER_HISTORY, six, 1, many, 1);
		s.platform.sms = 1;
		s.options.epoch = 20;
		s.options.history = true;
		s.setup.horizon_ns = 34;
		s.kernel[0].goal.ipc = 16000000;
		s.kernel[0].blocks = s.kernel[1].blocks = 1;
		s.kernel[0].then = &then;
		s.kernel[0].then_count = 1;
		struct plain_result *r = runs[i](&s.input);
		expect_application(r);
		plain_result_free(r);
	}
}
