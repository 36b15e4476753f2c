/* tests/unit/test_sbeet_sections.c - policies/sbeet/sections.c: which segments form a unit, its times, and
 * the number of SMs with the least energy. */
#include "tests/unit/sbeet_sets.h"

static struct sbeet_set set;

static const struct sbeet_model *build(void)
{
	return &sbeet_ready(&set, (struct sbeet_options){.workers = 2})->model;
}

static int finish(void **state)
{
	set_end(&set.s);
	return 0;
}

EACH_TEST(NULL, finish);

TEST("sections and their times")
{
	sbeet_begin(&set, 4);
	sbeet_task(&set, 1000, 900, 0,
		"C1,2 H3,3 G40,40,0,1/1 B5,5 G20,20,0,1/1 D7,7 D1,1 C0,0 G8,8,0,1/1 C9,9");
	sbeet_task(&set, 1000, 900, 0, "H1,1 C2,2 D3,3");
	sbeet_task(&set, 1000, 900, 0, "H4,4 C1,1 H6,6 G8,8,0,1/1");
	const struct sbeet_model *m = build();

	assert_int_equal(m->sections, 3);
	assert_int_equal(m->first_section[0], 0);
	assert_int_equal(m->first_section[1], 2);
	assert_int_equal(m->first_section[2], 2);
	assert_int_equal(m->first_section[3], 3);

	const struct sbeet_section *s = &m->section[0];
	assert_int_equal(s->task, 0);
	assert_int_equal(s->index, 0);
	assert_int_equal(s->first, 1);
	assert_int_equal(s->end, 7);
	assert_int_equal(s->kernels, 2);
	assert_int_equal(s->before, 2 * MS);
	assert_int_equal(s->hd, 3 * MS);
	assert_int_equal(s->dh, 8 * MS);
	assert_int_equal(s->after, (2 + 9) * MS); /* the kernel after it, on all 4 SMs */
	assert_int_equal(sbeet_body(s, 1), 65 * MS);
	assert_int_equal(sbeet_body(s, 2), 35 * MS);
	assert_int_equal(sbeet_body(s, 4), 20 * MS);
	const struct sbeet_kernel *on_2 = s->kernel + 1 * s->kernels;
	assert_int_equal(on_2[0].offset, 0);
	assert_int_equal(on_2[0].length, 20 * MS);
	assert_int_equal(on_2[1].offset, 25 * MS);
	assert_int_equal(on_2[1].length, 10 * MS);
	assert_int_equal(on_2[1].power_uw, WATT);

	s = &m->section[1];
	assert_int_equal(s->index, 1);
	assert_int_equal(s->first, 8);
	assert_int_equal(s->end, 9);
	assert_int_equal(s->before, (2 + 3 + 10 + 5 + 5 + 8) * MS);
	assert_int_equal(s->after, 9 * MS);
	assert_int_equal(s->hd, 0);
	assert_int_equal(s->dh, 0);

	s = &m->section[2];
	assert_int_equal(s->task, 2);
	assert_int_equal(s->first, 2);
	assert_int_equal(s->before, 5 * MS);
	assert_int_equal(s->hd, 6 * MS);

	for (uint32_t segment = 1; segment < 7; segment++)
		assert_ptr_equal(sbeet_section_at(m, 0, segment), &m->section[0]);
	assert_ptr_equal(sbeet_section_at(m, 0, 8), &m->section[1]);
	assert_ptr_equal(sbeet_section_at(m, 2, 2), &m->section[2]);
}

/* sBEET's Definition 1: m_opt is all SMs for linear kernels, four for a kernel that four SMs saturate, and
 * five for one with a serial part (Amdahl), G = 8 + 40/m. */
TEST("m opt of three kernels")
{
	static int64_t time[3][8];
	static struct profile profiles[3];
	static char name[] = "p";
	sbeet_begin(&set, 8);
	for (int i = 0; i < 3; i++) {
		for (int m = 1; m <= 8; m++)
			time[i][m - 1] = i == 0   ? 48 * MS / m
					 : i == 1 ? 48 * MS / (m < 4 ? m : 4)
						  : 8 * MS + 40 * MS / m;
		profiles[i] =
			(struct profile){.name = name, .count = 8, .best_ns = time[i], .worst_ns = time[i]};
		struct task *t = sbeet_task(&set, 1000, 1000, 0, "G1,1,0,1/1");
		t->segments[0].form = KERNEL_PROFILE;
		t->segments[0].profile = i;
	}
	set.s.set.profiles = profiles;
	set.s.set.profile_count = 3;
	const struct sbeet_model *m = build();
	assert_int_equal(m->section[0].m_opt, 8);
	assert_int_equal(m->section[1].m_opt, 4);
	assert_int_equal(m->section[2].m_opt, 5);
	assert_int_equal(m->section[1].longest, 48 * MS);
}

/* Without idle power a linear kernel costs the same on any number of SMs: the larger number wins. */
TEST("m opt ties go to more")
{
	sbeet_begin(&set, 4);
	set.s.platform.idle_per_sm_uw = 0;
	sbeet_task(&set, 1000, 1000, 0, "G12,12,0,1/1");
	assert_int_equal(build()->section[0].m_opt, 4);
}

/* The kernels of a section count together: one is linear, one cannot use more than one SM. */
TEST("m opt of a section")
{
	static int64_t stubborn[4] = {3 * MS, 3 * MS, 3 * MS, 3 * MS};
	static char name[] = "stubborn";
	static struct profile profile = {.name = name, .count = 4, .best_ns = stubborn, .worst_ns = stubborn};
	sbeet_begin(&set, 4);
	struct task *t = sbeet_task(&set, 1000, 1000, 0, "G12,12,0,1/1 G1,1,0,1/1");
	t->segments[1].form = KERNEL_PROFILE;
	t->segments[1].profile = 0;
	set.s.set.profiles = &profile;
	set.s.set.profile_count = 1;
	/* m * (P_d + idle) terms: (12/m + 3) * (0.5 m + 0.2 (4 - m)) = 6, ... m = 1: 16.5; 2: 12.6; 3: 11.9;
	 * 4: 12 */
	assert_int_equal(build()->section[0].m_opt, 3);
}

static void refused(const char *part, uint32_t task)
{
	struct error err;
	struct plan *plan = sbeet_plan_begin(&set);
	assert_true(sbeet_model_build(plan, &set.b.model, &err));
	assert_true(plan->refused);
	assert_non_null(strstr(plan->reason, part));
	assert_int_equal(plan->failing_task, task);
}

TEST("refuses what it cannot grant")
{
	sbeet_begin(&set, 4);
	sbeet_task(&set, 10, 10, 0, "C1,1");
	sbeet_task(&set, 10, 10, 0, "G1,1,0,1/1");
	set.s.platform.pool = POOL_GPU;
	refused("needs `pool: sm`", UINT32_MAX);
	set.s.platform.pool = POOL_SM;
	set.s.platform.sms = 0;
	refused("needs `pool: sm`", UINT32_MAX);

	/* A time on 2 SMs, none on 3. */
	static int64_t time[2] = {2 * MS, MS};
	static char name[] = "short";
	static struct profile profile = {.name = name, .count = 2, .best_ns = time, .worst_ns = time};
	set.s.platform.sms = 4;
	set.s.set.profiles = &profile;
	set.s.tasks[1].segments[0].form = KERNEL_PROFILE;
	set.s.tasks[1].segments[0].profile = 0;
	refused("task 't2': a kernel has no time for 3 SMs: profile 'short' ends at 2", 1);
}

TEST("refuses tables beyond memory")
{
	sbeet_begin(&set, 4096);
	for (int i = 0; i < SET_TASKS; i++)
		sbeet_task(&set, 1000, 1000, 0,
			"K1 K1 K1 K1 K1 K1 K1 K1 K1 K1 K1 K1 K1 K1 K1 K1 K1 K1 K1 K1 K1 K1 K1 K1");
	refused("MiB", UINT32_MAX);
}

/* A set without kernels is never refused, with or without a GPU. */
TEST("without kernels")
{
	sbeet_begin(&set, 0);
	sbeet_task(&set, 10, 10, 0, "C1,1 H1,1 C1,1");
	assert_int_equal(build()->sections, 0);
}

TEST("long times saturate")
{
	sbeet_begin(&set, 2);
	struct task *t = sbeet_task(&set, 1000, 1000, 0, "C1,1 H1,1 K1 H1,1 K1 D1,1 C1,1");
	for (uint32_t i = 0; i < t->segment_count; i++)
		t->segments[i].worst_ns = INT64_MAX;
	struct error err;
	assert_true(sbeet_model_build(sbeet_plan_begin(&set), &set.b.model, &err));
	const struct sbeet_section *s = &set.b.model.section[0];
	assert_int_equal(s->before, SBEET_LONGEST);
	assert_int_equal(s->after, SBEET_LONGEST);
	assert_int_equal(s->hd, SBEET_LONGEST);
	assert_int_equal(sbeet_body(s, 2), SBEET_LONGEST);
	assert_int_equal(s->kernel[0].length + s->kernel[1].length, SBEET_LONGEST);
}
