/* tests/unit/test_calibration_forms.c - what the block level gets for measured kernels: times never below
 * what was measured, in a file that can be read back. */
#include "base/random.h"
#include "models/kernel.h"
#include "models/policy.h"
#include "scenarios/calibration/file.h"
#include "scenarios/calibration/forms.h"
#include "tests/support/test.h"
#include "tests/unit/calibration_bench.h"

/* ---- forms ---- */

/* Lemma 5.1 with work 1200, overhead 90 and alpha 1.5: its own numbers come back. */
TEST("work is found again")
{
	static const struct work_point points[] = {{1, false, 1100, 1200}, {3, false, 400, 460},
		{5, false, 300, 312}, {1, true, 1200, 1800}, {3, true, 600, 660}};
	struct work_form form;
	struct error err;
	assert_true(work_fit(points, 5, 1500000, &form, &err));
	assert_int_equal(form.worst_ns, 1200);
	assert_int_equal(form.overhead_ns, 90);
	assert_int_equal(form.best_ns, 1100);
	for (int i = 0; i < 5; i++)
		assert_int_equal(work_time(&form, &points[i]), points[i].greatest_ns);
}

/* Checks the form before anything is rounded. */
static bool holds(const struct work_form *f, const struct work_point *p)
{
	int128 alpha = p->interleaved ? f->alpha_ppm : 1000000, v = p->virtual_sms;
	int128 time = f->worst_ns * alpha + f->overhead_ns * (v - 1) * 1000000;
	return time >= p->greatest_ns * v * 1000000 &&
	       (f->best_ns + p->virtual_sms - 1) / p->virtual_sms <= p->least_ns;
}

static bool holds_at_all(const struct work_form *f, const struct work_point *p, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!holds(f, &p[i]))
			return false;
	return true;
}

/* The fit holds at any points; if any of its numbers is smaller, it does not. */
TEST("work is the least that holds")
{
	struct error err;
	for (uint32_t round = 0; round < 2000; round++) {
		struct random_key key = {.seed = 5, .set = round, .purpose = RANDOM_TEST};
		struct work_point points[6];
		int64_t alpha = 1000000 + 1000 * random_upto(&key, 1000);
		for (uint32_t i = 0; i < 6; i++) {
			key.task = i + 1;
			int64_t least = 1 + random_upto(&key, 100000);
			key.job = 1;
			points[i] = (struct work_point){
				.virtual_sms = i / 2 + 1,
				.interleaved = i % 2,
				.least_ns = least,
				.greatest_ns = least + random_upto(&key, 1000),
			};
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

/* One block of A beside another takes 202 / 103 = 1.961166, rounded up. B has one block and takes 400, alone
 * or beside itself, on any number of SMs: no part of it can be divided. */
TEST("work of known kernels")
{
	struct bench b;
	struct work_form form, shared;
	struct work_excess excess;
	struct error err;
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

TEST("round numbers")
{
	assert_int_equal(form_round(1), 1);
	assert_int_equal(form_round(3), 5);
	assert_int_equal(form_round(5), 5);
	assert_int_equal(form_round(5001), 10000);
	assert_int_equal(form_round(1000001), 2000000);
}

/* ---- the scenario ---- */

static struct reading read_back(const struct bench *b, enum file_form form)
{
	struct text out = {0};
	struct error err;
	const struct file_spec spec = {
		.calibration = b->c,
		.form = form,
		.name = "back",
		.scheduler = "gto",
		.command = "cegsim calibrate",
		.version = "0",
	};
	if (!file_text(&spec, &out, &err))
		fail_msg("%s", err.text);
	struct reading r = reading("back.yaml", text_data(&out));
	if (!r.ok)
		fail_msg("%s%s", text_data(&out), r.said);
	text_finish(&out);
	return r;
}

/* The worst case of the first kernel on the first m SMs. Each SM has V_SM virtual SMs, of which the kernel
 * has `slots`. */
static int64_t block_level_time(
	const struct reading *r, uint32_t m, uint32_t virtual_sms, uint32_t slots, int64_t *best)
{
	static uint32_t sm[] = {0, 1, 2, 3};
	uint32_t each[] = {slots, slots, slots, slots};
	struct grant grant = {
		.count = m, .sm = sm, .slots = virtual_sms > 1 ? each : NULL, .virtual_sms = m * slots};
	struct kernel_shape shape;
	struct error err;
	if (!kernel_shape(&r->s.platform, &r->s.set, &r->s.set.tasks[0].segments[0], virtual_sms, &grant,
		    &shape, &err))
		fail_msg("%s", err.text);
	*best = shape.best_ns;
	return kernel_time(&r->s.platform, virtual_sms, &shape, &grant);
}

/* From each form, the block level computes a worst case that is no less than what was measured, and a best
 * case that is no more. */
static void safe_under(const char *scheduler)
{
	struct bench b;
	int64_t best;
	set_up(&b, DRAWN("A", "13") BUSY("B", "3") LAZY("C", "8"), scheduler);
	b.spec.draws = 5;
	measure(&b, 1000);
	struct reading profile = read_back(&b, FILE_PROFILE), grid = read_back(&b, FILE_GRID),
		       work = read_back(&b, FILE_WORK), shared = read_back(&b, FILE_SHARED);
	const struct task *task = &grid.s.set.tasks[0];
	for (uint32_t i = 0; i < 4; i++) {
		const struct calibrated_point *p = calibration_point(b.c, 0, i);
		uint32_t m = all_sms[i];
		for (uint32_t k = 0; k < 3; k++) {
			assert_true(task->segments[0].worst_ns >=
				    calibration_pair(b.c, 0, k, i)->blocks.greatest);
			assert_true(
				task->segments[0].best_ns <= calibration_pair(b.c, 0, k, i)->blocks.least);
			assert_true(task->period_ns >= 3 * calibration_pair(b.c, 0, k, i)->time.greatest);
		}
		assert_true(
			task->period_ns >= 3 * p->alone.greatest && task->period_ns >= 3 * p->half.greatest);
		assert_int_equal(block_level_time(&profile, m, 1, 1, &best), p->alone.greatest);
		assert_int_equal(best, p->alone.least);
		assert_true(block_level_time(&grid, m, 1, 1, &best) >= p->alone.greatest);
		assert_true(best * ((13 + 2 * m - 1) / (2 * m)) <= p->alone.least);
		assert_true(block_level_time(&work, m, 1, 1, &best) >= p->half.greatest);
		assert_true(best <= p->alone.least && best <= p->half.least);
		assert_true(block_level_time(&work, m, 2, 2, &best) >= p->alone.greatest);
		assert_true(best <= p->alone.least);
		assert_true(block_level_time(&work, m, 2, 1, &best) >=
			    calibration_pair(b.c, 0, 0, i)->time.greatest);
		assert_true(block_level_time(&shared, m, 2, 2, &best) >= p->alone.greatest);
		for (uint32_t k = 0; k < 3; k++)
			assert_true(block_level_time(&shared, m, 2, 1, &best) >=
				    calibration_pair(b.c, 0, k, i)->time.greatest);
	}
	reading_finish(&profile);
	reading_finish(&grid);
	reading_finish(&work);
	reading_finish(&shared);
	tear_down(&b);
}

TEST("forms are safe")
{
	static const char *const schedulers[] = {"gto", "lrr", "oldest", "two-level"};
	for (size_t i = 0; i < sizeof(schedulers) / sizeof(*schedulers); i++)
		safe_under(schedulers[i]);
}

TEST("numbers of SMs that were not measured")
{
	static const uint32_t some[] = {1, 3};
	struct bench b;
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

TEST("no half no work form")
{
	struct bench b;
	struct text out = {0};
	struct error err;
	set_up(&b,
		"    - {name: \"B # 1\", blocks: 1, block_threads: 33, program: [{compute: {count: 9}}]}\n",
		"gto");
	measure(&b, 1000);
	struct file_spec spec = {
		.calibration = b.c,
		.form = FILE_WORK,
		.name = "x",
		.scheduler = "gto",
		.command = "x",
		.version = "0",
	};
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
