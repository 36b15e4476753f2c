/* tests/unit/test_calibration.c - launches measured inside of SMs, by kernels whose times can be counted by hand; and
 * the forms of the block level, which are never below what was measured. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "calibration/calibration.h"
#include "calibration/file.h"
#include "calibration/forms.h"
#include "models/kernel.h"
#include "models/policy.h"
#include "policies/registry.h"
#include "tests/unit/scenario_reading.h"

/* A sub-core that issues an instruction in every cycle; two warps fit an SM, one fits its half. */
#define MACHINE \
	"cegsim: 1\nhorizon: 1ms\n" \
	"platform: {gpu: {sms: 4, threads_per_sm: 64}}\n" \
	"warp:\n  sub_cores: 1\n  units: {int: {latency: 4, interval: 1}}\n  kernels:\n"
#define BUSY(name, blocks) \
	"    - {name: " name ", blocks: " blocks ", block_threads: 32, program: [{compute: {count: 100}}]}\n"
#define LAZY(name, blocks) \
	"    - {name: " name ", blocks: " blocks ", block_threads: 32, program: [{compute: {count: 100, distance: 1}}]}\n"
#define DRAWN(name, blocks) \
	"    - {name: " name ", blocks: " blocks ", block_threads: 32, program: [{loop: {times: 20, body: [" \
	"{load: {l1_hit: 30%, l2_hit: 50%}}, {compute: {count: 3, first: 1}}]}}]}\n"

/* 100 instructions, the last of which has its result 4 cycles behind its issue. */
#define BUSY_NS 103
#define LAZY_NS 400

struct bench {
	struct reading r;
	struct params params;
	struct warp_options options;
	struct calibration_spec spec;
	struct calibration *c;
};

static const uint32_t all_sms[] = {1, 2, 3, 4};

static void set_up(struct bench *b, const char *kernels, const char *scheduler)
{
	struct error err;
	char text[4096];
	const struct policy *policy = policy_find(scheduler);
	*b = (struct bench){0};
	snprintf(text, sizeof text, "%s%s", MACHINE, kernels);
	b->r = reading("bench.yaml", text);
	if (!b->r.ok)
		fail_msg("%s", b->r.said);
	params_default(&b->params, policy->options);
	assert_true(warp_options_read((enum warp_scheduler_kind)policy->warp_scheduler, &b->params, b->r.s.set.warps,
		&b->r.s.platform, &b->options, &err));
	b->spec = (struct calibration_spec){.platform = &b->r.s.platform, .set = &b->r.s.set, .options = &b->options,
		.seed = 1, .draws = 2, .sms = all_sms, .points = 4, .beside = true};
}

static void measure(struct bench *b, uint64_t events)
{
	struct error err = {0};
	enum calibration_state state;
	assert_true(calibration_create(&b->spec, &b->c, &err));
	while ((state = calibration_step(b->c, events, &err)) == CALIBRATION_GOES_ON)
		;
	if (state != CALIBRATION_OVER)
		fail_msg("%s", err.text);
	assert_int_equal(calibration_done(b->c), calibration_count(b->c));
}

static void tear_down(struct bench *b)
{
	calibration_destroy(b->c);
	reading_finish(&b->r);
}

static void assert_spread(const struct spread *s, int64_t least, int64_t greatest, int64_t count)
{
	assert_int_equal(s->least, least);
	assert_int_equal(s->greatest, greatest);
	assert_int_equal(s->count, count);
}

/* ---- launches ---------------------------------------------------------------------------------- */

/* One warp in a half at a time: 12 blocks on m SMs take 12 / m of them, one after the other. */
static void halves_scale_with_sms(void **state)
{
	struct bench b;
	(void)state;
	set_up(&b, BUSY("A", "12"), "gto");
	measure(&b, 1000);
	for (uint32_t i = 0; i < 4; i++)
		assert_spread(&calibration_point(b.c, 0, i)->half, 12 / all_sms[i] * BUSY_NS, 12 / all_sms[i] * BUSY_NS, 1);
	tear_down(&b);
}

/* Two warps that wait 3 of 4 cycles do not disturb each other, so that a whole SM does twice as much as its half. */
static void whole_sms_hold_twice_as_much(void **state)
{
	struct bench b;
	(void)state;
	set_up(&b, LAZY("A", "24"), "gto");
	measure(&b, 1000);
	for (uint32_t i = 0; i < 4; i++) {
		const struct calibrated_point *p = calibration_point(b.c, 0, i);
		int64_t waves = 24 / all_sms[i];
		assert_spread(&p->half, waves * LAZY_NS, waves * LAZY_NS, 1);
		/* The second warp is one cycle late, and stays so. */
		assert_in_range(p->alone.greatest, waves / 2 * LAZY_NS, waves / 2 * LAZY_NS + 1);
		assert_int_equal(p->alone_blocks.count, 24);
		assert_in_range(p->alone_blocks.least, LAZY_NS, LAZY_NS + 1);
		assert_in_range(p->alone_blocks.greatest, LAZY_NS, LAZY_NS + 1);
	}
	tear_down(&b);
}

static void kernels_that_wait_do_not_disturb_each_other(void **state)
{
	struct bench b;
	(void)state;
	set_up(&b, LAZY("A", "1") LAZY("B", "1"), "gto");
	measure(&b, 1000);
	for (uint32_t k = 0; k < 2; k++)
		for (uint32_t p = 0; p < 2; p++) {
			assert_spread(&calibration_pair(b.c, k, p, 0)->time, LAZY_NS, LAZY_NS, 2);
			assert_spread(&calibration_pair(b.c, k, p, 0)->ratio, 1000000, 1000000, 2);
		}
	tear_down(&b);
}

/* gto: the one that comes first has all slots. Draw 0: A at once, 103 cycles. Draw 1: B has cycles 0 to 99, A, which
 * came in cycle 1, 100 to 199, with its result in 203. */
static void the_older_has_all_slots(void **state)
{
	struct bench b;
	(void)state;
	set_up(&b, BUSY("A", "1") BUSY("B", "1"), "gto");
	measure(&b, 1000);
	const struct calibrated_pair *p = calibration_pair(b.c, 0, 1, 0);
	assert_spread(&p->time, BUSY_NS, 202, 2);
	assert_spread(&p->ratio, 1000000, (202 * 1000000 + BUSY_NS - 1) / BUSY_NS, 2);
	assert_spread(&calibration_pair(b.c, 0, 0, 0)->time, BUSY_NS, 202, 2);
	tear_down(&b);
}

/* Cycle by cycle in turn: A has 0, 2, ... 198, or behind B, from cycle 1 on, 1, 3, ... 199. */
static void in_turn_the_ratio_is_two(void **state)
{
	struct bench b;
	(void)state;
	set_up(&b, BUSY("A", "1") BUSY("B", "1"), "lrr");
	b.options.rotate_cycle = true;
	measure(&b, 1000);
	assert_spread(&calibration_pair(b.c, 0, 1, 0)->time, 202, 202, 2);
	assert_int_equal(calibration_pair(b.c, 0, 1, 0)->ratio.least, (202 * 1000000 + BUSY_NS - 1) / BUSY_NS);
	tear_down(&b);
}

/* Draw 3 of 4 comes 2/3 of 103 ns, rounded up, behind the other: 69. It has 31 slots to wait. */
static void later_draws_come_later(void **state)
{
	struct bench b;
	(void)state;
	set_up(&b, BUSY("A", "1"), "gto");
	b.spec.draws = 4;
	measure(&b, 1000);
	const struct spread *time = &calibration_pair(b.c, 0, 0, 0)->time;
	assert_int_equal(time->count, 4);
	int64_t fourth = (int64_t)time->sum - BUSY_NS - 202 - (BUSY_NS + 100 - 35);
	assert_int_equal(fourth, BUSY_NS + 31);
	tear_down(&b);
}

/* B has two blocks, one after the other: 206 ns. Draws: A at once, 103 ns; a cycle later, behind the first block, 202 ns; 103
 * cycles later, behind the second one, which has slots 103 to 202: A ends in 306. */
static void the_partners_time_says_when(void **state)
{
	struct bench b;
	(void)state;
	set_up(&b, BUSY("A", "1") BUSY("B", "2"), "gto");
	b.spec.draws = 3;
	measure(&b, 1000);
	const struct spread *time = &calibration_pair(b.c, 0, 1, 0)->time;
	assert_spread(time, BUSY_NS, 203, 3);
	assert_true(time->sum == BUSY_NS + 202 + 203);
	tear_down(&b);
}

/* B issues once in a thousand cycles, and never when A would. */
static void a_ratio_is_that_of_one_draw(void **state)
{
	struct bench b;
	(void)state;
	set_up(&b, DRAWN("A", "1") "    - {name: B, blocks: 1, block_threads: 32, program: [{compute: {latency: 1000}}]}\n", "gto");
	b.spec.draws = 3;
	measure(&b, 1000);
	const struct spread *half = &calibration_point(b.c, 0, 0)->half;
	assert_true(half->least < half->greatest);
	assert_spread(&calibration_pair(b.c, 0, 1, 0)->ratio, 1000000, 1000000, 3);
	tear_down(&b);
}

static void a_partner_that_is_shorter_comes_again(void **state)
{
	struct bench b;
	(void)state;
	set_up(&b, BUSY("A", "8") BUSY("B", "1"), "lrr");
	b.options.rotate_cycle = true;
	measure(&b, 1000);
	/* Nearly every slot of B's half is taken all the time. */
	assert_in_range(calibration_pair(b.c, 0, 1, 0)->ratio.least, 1900000, 2000000);
	tear_down(&b);
}

static void every_launch_has_its_seed(void **state)
{
	struct bench b, one;
	struct spread alone = {0};
	(void)state;
	set_up(&b, DRAWN("A", "6"), "gto");
	b.spec.draws = 3;
	b.spec.seed = 7;
	measure(&b, 1000);
	for (uint64_t seed = 7; seed < 10; seed++) {
		set_up(&one, DRAWN("A", "6"), "gto");
		one.spec.draws = 1;
		one.spec.seed = seed;
		measure(&one, 1000);
		spread_join(&alone, &calibration_point(one.c, 0, 1)->alone);
		tear_down(&one);
	}
	const struct spread *found = &calibration_point(b.c, 0, 1)->alone;
	assert_spread(found, alone.least, alone.greatest, 3);
	assert_true(found->sum == alone.sum);
	assert_true(found->least < found->greatest);
	tear_down(&b);
}

/* Whatever else is in the set, and however finely the work is cut. */
static void results_are_a_function_of_the_inputs(void **state)
{
	struct bench a, b;
	(void)state;
	set_up(&a, DRAWN("A", "6") BUSY("B", "3"), "gto");
	set_up(&b, DRAWN("A", "6") BUSY("B", "3") LAZY("C", "2"), "gto");
	measure(&a, 1);
	measure(&b, 1000000);
	for (uint32_t p = 0; p < 4; p++) {
		assert_memory_equal(calibration_point(a.c, 0, p), calibration_point(b.c, 0, p), sizeof(struct calibrated_point));
		assert_memory_equal(calibration_pair(a.c, 0, 1, p), calibration_pair(b.c, 0, 1, p), sizeof(struct calibrated_pair));
	}
	tear_down(&a);
	tear_down(&b);
}

static void launches_and_goals_do_not_matter(void **state)
{
	struct bench a, b;
	(void)state;
	set_up(&a, DRAWN("A", "6"), "gto");
	set_up(&b, "    - {name: A, blocks: 6, block_threads: 32, launch: 50, repeat: true, stream: 3, goal: {share: 50%}, "
		"program: [{loop: {times: 20, body: [{load: {l1_hit: 30%, l2_hit: 50%}}, {compute: {count: 3, first: 1}}]}}]}\n",
		"gto");
	measure(&a, 1000);
	measure(&b, 1000);
	assert_memory_equal(calibration_point(a.c, 0, 0), calibration_point(b.c, 0, 0), sizeof(struct calibrated_point));
	assert_memory_equal(calibration_pair(a.c, 0, 0, 0), calibration_pair(b.c, 0, 0, 0), sizeof(struct calibrated_pair));
	tear_down(&a);
	tear_down(&b);
}

/* A pair has the budgets that its kernels have in the set. */
static void budgets_go_with_their_kernels(void **state)
{
	struct bench all, pair;
	(void)state;
	set_up(&all, BUSY("A", "3") DRAWN("B", "5") DRAWN("C", "4"), "qaws");
	set_up(&pair, DRAWN("B", "5") DRAWN("C", "4"), "qaws");
	all.options.budget[1] = pair.options.budget[0] = 2;
	all.options.budget[2] = pair.options.budget[1] = 50;
	measure(&all, 1000);
	measure(&pair, 1000);
	assert_memory_equal(calibration_pair(all.c, 1, 2, 0), calibration_pair(pair.c, 0, 1, 0), sizeof(struct calibrated_pair));
	assert_memory_equal(calibration_pair(all.c, 2, 1, 0), calibration_pair(pair.c, 1, 0, 0), sizeof(struct calibrated_pair));
	calibration_destroy(pair.c);
	pair.options.budget[0] = 50;
	pair.options.budget[1] = 2;
	measure(&pair, 1000);
	assert_memory_not_equal(calibration_pair(all.c, 1, 2, 0), calibration_pair(pair.c, 0, 1, 0), sizeof(struct calibrated_pair));
	tear_down(&all);
	tear_down(&pair);
}

/* A block of 2 warps fills the SM: it has no half, and nothing is measured beside it. */
static void large_blocks_have_no_half(void **state)
{
	struct bench b;
	(void)state;
	set_up(&b, BUSY("A", "1") "    - {name: B, blocks: 1, block_threads: 33, program: [{compute: {count: 9}}]}\n", "gto");
	measure(&b, 1000);
	assert_true(calibration_has_half(b.c, 0));
	assert_false(calibration_has_half(b.c, 1));
	assert_int_equal(calibration_point(b.c, 1, 0)->alone.count, 1);
	assert_int_equal(calibration_point(b.c, 1, 0)->half.count, 0);
	assert_int_equal(calibration_pair(b.c, 0, 1, 0)->time.count, 0);
	assert_int_equal(calibration_pair(b.c, 1, 0, 0)->time.count, 0);
	assert_int_equal(calibration_pair(b.c, 0, 0, 0)->time.count, 2);
	tear_down(&b);
}

static void what_is_left_to_chance(void **state)
{
	static const struct {
		enum warp_step_kind kind;
		int64_t l1, l2;
		bool random;
	} cases[] = {
		{STEP_COMPUTE, 500000, 500000, false}, {STEP_SHARED_LOAD, 500000, 500000, false}, {STEP_LOAD, 0, 0, false},
		{STEP_LOAD, 1000000, 500000, false}, {STEP_LOAD, 0, 1000000, false}, {STEP_LOAD, 1, 0, true},
		{STEP_LOAD, 999999, 1000000, true}, {STEP_LOAD, 0, 1, true}, {STEP_STORE, 0, 999999, true},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct warp_step steps[2] = {warp_step_default(STEP_BARRIER), warp_step_default(cases[i].kind)};
		const struct warp_kernel k = {.steps = steps, .step_count = 2};
		steps[1].l1_hit_ppm = cases[i].l1;
		steps[1].l2_hit_ppm = cases[i].l2;
		assert_int_equal(measurement_is_random(&k), cases[i].random);
	}
}

static void halves_of_every_resource(void **state)
{
	struct platform p = platform_default();
	struct warp_kernel k = {.blocks = 1, .block_threads = 100, .registers = 10, .shared_memory = 1000};
	(void)state;
	assert_int_equal(measurement_half_blocks(&p, &k), 8);          /* 32 warps, 4 each */
	p.warps_per_sm = 48;
	assert_int_equal(measurement_half_blocks(&p, &k), 6);
	p.threads_per_sm = 1288;                                       /* 644: 5 x 128 */
	assert_int_equal(measurement_half_blocks(&p, &k), 5);
	p.blocks_per_sm = 9;
	assert_int_equal(measurement_half_blocks(&p, &k), 4);
	p.registers_per_sm = 3 * 2 * 1280;
	assert_int_equal(measurement_half_blocks(&p, &k), 3);
	p.shared_memory_per_sm = 5999;
	assert_int_equal(measurement_half_blocks(&p, &k), 2);
	p.blocks_per_sm = 1;
	assert_int_equal(measurement_half_blocks(&p, &k), 0);
}

/* ---- forms -------------------------------------------------------------------------------------- */

/* Lemma 5.1 with work 1200, overhead 90 and alpha 1.5: its own numbers come back. */
static void work_is_found_again(void **state)
{
	static const struct work_point points[] = {
		{1, false, 1100, 1200}, {3, false, 400, 460}, {5, false, 300, 312}, {1, true, 1200, 1800}, {3, true, 600, 660}};
	struct work_form form;
	struct error err;
	(void)state;
	assert_true(work_fit(points, 5, 1500000, &form, &err));
	assert_int_equal(form.worst_ns, 1200);
	assert_int_equal(form.overhead_ns, 90);
	assert_int_equal(form.best_ns, 1100);
	for (int i = 0; i < 5; i++)
		assert_int_equal(work_time(&form, &points[i]), points[i].greatest_ns);
}

/* Before anything is rounded. */
static bool holds(const struct work_form *f, const struct work_point *p)
{
	int128 alpha = p->interleaved ? f->alpha_ppm : 1000000, v = p->virtual_sms;
	int128 time = f->worst_ns * alpha + f->overhead_ns * (v - 1) * 1000000;
	return time >= p->greatest_ns * v * 1000000 && (f->best_ns + p->virtual_sms - 1) / p->virtual_sms <= p->least_ns;
}

static bool holds_at_all(const struct work_form *f, const struct work_point *p, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!holds(f, &p[i]))
			return false;
	return true;
}

/* At any points the fit holds, and with less of anything it does not. */
static void work_is_the_least_that_holds(void **state)
{
	struct error err;
	(void)state;
	for (uint32_t round = 0; round < 2000; round++) {
		struct random_key key = {.seed = 5, .set = round, .purpose = RANDOM_TEST};
		struct work_point points[6];
		int64_t alpha = 1000000 + 1000 * random_upto(&key, 1000);
		for (uint32_t i = 0; i < 6; i++) {
			key.task = i + 1;
			int64_t least = 1 + random_upto(&key, 100000);
			key.job = 1;
			points[i] = (struct work_point){.virtual_sms = i / 2 + 1, .interleaved = i % 2, .least_ns = least,
				.greatest_ns = least + random_upto(&key, 1000)};
			key.job = 0;
		}
		struct work_form form, less;
		assert_true(work_fit(points, 6, alpha, &form, &err));
		assert_true(holds_at_all(&form, points, 6));
		for (uint32_t i = 0; i < 6; i++)
			assert_true(work_time(&form, &points[i]) >= points[i].greatest_ns);
		less = form;
		less.worst_ns--;
		assert_false(holds(&less, &points[0]) && holds(&less, &points[1]));
		less = form;
		less.overhead_ns--;
		assert_true(form.overhead_ns == 0 || !holds_at_all(&less, points, 6));
		less = form;
		less.best_ns++;
		assert_true(form.best_ns == form.worst_ns || !holds_at_all(&less, points, 6));
	}
}

/* One block of A beside another takes 202 / 103 = 1.961166, rounded up. Alone or beside itself B, of one block, takes 400 on
 * any number of SMs: nothing of it can be divided. */
static void work_of_known_kernels(void **state)
{
	struct bench b;
	struct work_form form, shared;
	struct work_excess excess;
	struct error err;
	(void)state;
	set_up(&b, BUSY("A", "1") LAZY("B", "1"), "gto");
	b.spec.points = 1;
	measure(&b, 1000);
	assert_true(form_work(b.c, 0, NEIGHBOURS_SELF, &form, &excess, &err));
	assert_int_equal(form.alpha_ppm, 1962000);
	assert_int_equal(form.worst_ns, BUSY_NS);
	assert_true(form_work(b.c, 1, NEIGHBOURS_SELF, &form, &excess, &err));
	assert_int_equal(form.alpha_ppm, 1000000);
	assert_int_equal(form.best_ns, LAZY_NS);
	assert_int_equal(form.worst_ns, LAZY_NS);
	assert_int_equal(form.overhead_ns, LAZY_NS);
	assert_int_equal(excess.greatest_ppm, 0);
	assert_true(form_work(b.c, 1, NEIGHBOURS_ALL, &shared, &excess, &err));
	assert_true(shared.alpha_ppm > form.alpha_ppm);
	tear_down(&b);
}

static void round_numbers(void **state)
{
	(void)state;
	assert_int_equal(form_round(1), 1);
	assert_int_equal(form_round(3), 5);
	assert_int_equal(form_round(5), 5);
	assert_int_equal(form_round(5001), 10000);
	assert_int_equal(form_round(1000001), 2000000);
}

/* ---- the scenario ----------------------------------------------------------------------------------- */

static struct reading read_back(const struct bench *b, enum file_form form)
{
	struct text out = {0};
	struct error err;
	const struct file_spec spec = {.calibration = b->c, .form = form, .name = "back", .scheduler = "gto",
		.command = "cegsim calibrate", .version = "0"};
	if (!file_text(&spec, &out, &err))
		fail_msg("%s", err.text);
	struct reading r = reading("back.yaml", text_data(&out));
	if (!r.ok)
		fail_msg("%s%s", text_data(&out), r.said);
	text_finish(&out);
	return r;
}

/* The worst case of the first kernel on the first m SMs, with V_SM virtual SMs to an SM, of which it has `slots`. */
static int64_t block_level_time(const struct reading *r, uint32_t m, uint32_t virtual_sms, uint32_t slots,
	int64_t *best)
{
	static uint32_t sm[] = {0, 1, 2, 3};
	uint32_t each[] = {slots, slots, slots, slots};
	struct grant grant = {.count = m, .sm = sm, .slots = virtual_sms > 1 ? each : NULL, .virtual_sms = m * slots};
	struct kernel_shape shape;
	struct error err;
	if (!kernel_shape(&r->s.platform, &r->s.set, &r->s.set.tasks[0].segments[0], virtual_sms, &grant, &shape, &err))
		fail_msg("%s", err.text);
	*best = shape.best_ns;
	return kernel_time(&r->s.platform, virtual_sms, &shape, &grant);
}

/* What the block level computes from each form is no less than what was measured, and its best case no more. */
static void forms_are_safe(void **state)
{
	struct bench b;
	int64_t best;
	(void)state;
	set_up(&b, DRAWN("A", "13") BUSY("B", "3") LAZY("C", "8"), "gto");
	b.spec.draws = 5;
	measure(&b, 1000);
	struct reading profile = read_back(&b, FILE_PROFILE), grid = read_back(&b, FILE_GRID), work = read_back(&b, FILE_WORK),
		shared = read_back(&b, FILE_SHARED);
	const struct task *task = &grid.s.set.tasks[0];
	for (uint32_t i = 0; i < 4; i++) {
		const struct calibrated_point *p = calibration_point(b.c, 0, i);
		uint32_t m = all_sms[i];
		for (uint32_t k = 0; k < 3; k++) {
			assert_true(task->segments[0].worst_ns >= calibration_pair(b.c, 0, k, i)->blocks.greatest);
			assert_true(task->segments[0].best_ns <= calibration_pair(b.c, 0, k, i)->blocks.least);
			assert_true(task->period_ns >= 3 * calibration_pair(b.c, 0, k, i)->time.greatest);
		}
		assert_true(task->period_ns >= 3 * p->alone.greatest && task->period_ns >= 3 * p->half.greatest);
		assert_int_equal(block_level_time(&profile, m, 1, 1, &best), p->alone.greatest);
		assert_int_equal(best, p->alone.least);
		assert_true(block_level_time(&grid, m, 1, 1, &best) >= p->alone.greatest);
		assert_true(best * ((13 + 2 * m - 1) / (2 * m)) <= p->alone.least);
		assert_true(block_level_time(&work, m, 1, 1, &best) >= p->half.greatest);
		assert_true(best <= p->alone.least && best <= p->half.least);
		assert_true(block_level_time(&work, m, 2, 2, &best) >= p->alone.greatest);
		assert_true(best <= p->alone.least);
		assert_true(block_level_time(&work, m, 2, 1, &best) >= calibration_pair(b.c, 0, 0, i)->time.greatest);
		assert_true(block_level_time(&shared, m, 2, 2, &best) >= p->alone.greatest);
		for (uint32_t k = 0; k < 3; k++)
			assert_true(block_level_time(&shared, m, 2, 1, &best) >= calibration_pair(b.c, 0, k, i)->time.greatest);
	}
	reading_finish(&profile);
	reading_finish(&grid);
	reading_finish(&work);
	reading_finish(&shared);
	tear_down(&b);
}

static void numbers_of_sms_that_were_not_measured(void **state)
{
	static const uint32_t some[] = {1, 3};
	struct bench b;
	(void)state;
	set_up(&b, BUSY("A", "12"), "gto");
	b.spec.sms = some;
	b.spec.points = 2;
	measure(&b, 1000);
	struct reading r = read_back(&b, FILE_PROFILE);
	assert_int_equal(r.s.set.profile_count, 1);
	const struct profile *p = &r.s.set.profiles[0];
	assert_int_equal(p->count, 4);
	assert_int_equal(p->worst_ns[0], calibration_point(b.c, 0, 0)->alone.greatest);
	assert_int_equal(p->worst_ns[1], p->worst_ns[0]);
	assert_int_equal(p->worst_ns[2], calibration_point(b.c, 0, 1)->alone.greatest);
	assert_int_equal(p->worst_ns[3], p->worst_ns[2]);
	assert_true(p->worst_ns[2] < p->worst_ns[0]);
	reading_finish(&r);
	tear_down(&b);
}

static void no_half_no_work_form(void **state)
{
	struct bench b;
	struct text out = {0};
	struct error err;
	(void)state;
	set_up(&b, "    - {name: \"B # 1\", blocks: 1, block_threads: 33, program: [{compute: {count: 9}}]}\n", "gto");
	measure(&b, 1000);
	struct file_spec spec = {.calibration = b.c, .form = FILE_WORK, .name = "x", .scheduler = "gto", .command = "x",
		.version = "0"};
	assert_false(file_text(&spec, &out, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_non_null(strstr(err.text, "does not fit half of an SM"));
	text_finish(&out);
	struct reading r = read_back(&b, FILE_GRID);
	assert_int_equal(r.s.platform.warps_per_sm, 64);
	assert_int_equal(r.s.set.tasks[0].segments[0].grid, 1);
	reading_finish(&r);
	tear_down(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(halves_scale_with_sms),
		cmocka_unit_test(whole_sms_hold_twice_as_much),
		cmocka_unit_test(kernels_that_wait_do_not_disturb_each_other),
		cmocka_unit_test(the_older_has_all_slots),
		cmocka_unit_test(in_turn_the_ratio_is_two),
		cmocka_unit_test(later_draws_come_later),
		cmocka_unit_test(the_partners_time_says_when),
		cmocka_unit_test(a_ratio_is_that_of_one_draw),
		cmocka_unit_test(a_partner_that_is_shorter_comes_again),
		cmocka_unit_test(every_launch_has_its_seed),
		cmocka_unit_test(results_are_a_function_of_the_inputs),
		cmocka_unit_test(launches_and_goals_do_not_matter),
		cmocka_unit_test(budgets_go_with_their_kernels),
		cmocka_unit_test(large_blocks_have_no_half),
		cmocka_unit_test(what_is_left_to_chance),
		cmocka_unit_test(halves_of_every_resource),
		cmocka_unit_test(work_is_found_again),
		cmocka_unit_test(work_is_the_least_that_holds),
		cmocka_unit_test(work_of_known_kernels),
		cmocka_unit_test(round_numbers),
		cmocka_unit_test(forms_are_safe),
		cmocka_unit_test(numbers_of_sms_that_were_not_measured),
		cmocka_unit_test(no_half_no_work_form),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
