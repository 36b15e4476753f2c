/* tests/unit/test_sbeet_predict.c - what sBEET predicts and chooses: policies/sbeet/timetable.c,
 * sbeet_predict.c, sbeet_energy.c and sbeet_choose.c. Example 2 is the paper's (section IV.B, Table II). */
#include "tests/unit/sbeet_sets.h"

static struct sbeet_set set;

static int finish(void **state)
{
	set_end(&set.s);
	return 0;
}

EACH_TEST(NULL, finish);

/* ---- what is expected ---- */

static void expect_unit(const struct sbeet_timetable *t, uint32_t i, uint32_t task, uint32_t job,
	uint32_t index, int64_t ready, int64_t deadline)
{
	assert_true(i < t->count);
	const struct sbeet_unit *u = &t->unit[i];
	assert_int_equal(u->section->task, task);
	assert_int_equal(u->job, job);
	assert_int_equal(u->section->index, index);
	assert_int_equal(u->ready, ready * MS);
	assert_int_equal(u->deadline, deadline * MS);
}

TEST("timetable in order")
{
	sbeet_begin(&set, 2);
	sbeet_task(
		&set, 10, 9, 1, "C1,1 G2,2,0,1/1 C1,1 G4,4,0,1/1"); /* ready 2, 4 (+10k); deadlines 7, 10 */
	sbeet_task(&set, 5, 5, 4, "H1,1 G40,40,0,1/1 D1,1");        /* ready 4 (+5k); deadlines 9 */
	struct sbeet *b = sbeet_ready(&set, (struct sbeet_options){.workers = 2});
	struct sbeet_timetable *t = &b->timetable;
	struct sbeet_unit waits = sbeet_unit_of(b, 1, 0, 0, 0, 9);

	sbeet_timetable_begin(t, 0, &waits, 1);
	sbeet_timetable_reach(t, 14 * MS);
	assert_int_equal(t->waiting, 1);
	assert_int_equal(t->count, 6);
	expect_unit(t, 0, 1, 0, 0, 0, 9);
	expect_unit(t, 1, 0, 0, 0, 2, 7);
	expect_unit(t, 2, 1, 0, 0, 4, 9); /* nothing says that the waiting one is job 0 */
	expect_unit(t, 3, 0, 0, 1, 4, 10);
	expect_unit(t, 4, 1, 1, 0, 9, 14);
	expect_unit(t, 5, 0, 1, 0, 12, 17);
	const uint32_t urgent[] = {1, 0, 2, 3, 4, 5};
	assert_memory_equal(t->by_deadline, urgent, sizeof(urgent));

	/* A later end: the unit is still expected. */
	sbeet_timetable_reach(t, 15 * MS);
	assert_int_equal(t->count, 8);
	expect_unit(t, 6, 1, 2, 0, 14, 19);
	expect_unit(t, 7, 0, 1, 1, 14, 20);

	/* A unit that should be ready by now, but is not, is not expected. */
	sbeet_timetable_begin(t, 2 * MS, NULL, 0);
	sbeet_timetable_reach(t, 5 * MS);
	assert_int_equal(t->count, 2);
	expect_unit(t, 0, 1, 0, 0, 4, 9);
	expect_unit(t, 1, 0, 0, 1, 4, 10);

	/* A unit that became ready is not expected again, even if it was early. */
	sbeet_timetable_ready(t, &waits);
	struct sbeet_unit early = sbeet_unit_of(b, 0, 0, 1, 2, 17);
	sbeet_timetable_ready(t, &early);
	sbeet_timetable_begin(t, 4 * MS, NULL, 0);
	sbeet_timetable_reach(t, 15 * MS);
	assert_int_equal(t->count, 3);
	expect_unit(t, 0, 1, 1, 0, 9, 14);
	expect_unit(t, 1, 1, 2, 0, 14, 19);
	expect_unit(t, 2, 0, 1, 1, 14, 20);
}

/* Many units sorted by deadline: each is compared with its neighbour. */
TEST("many by deadline")
{
	sbeet_begin(&set, 2);
	for (int i = 0; i < 20; i++)
		sbeet_task(&set, 7 + i * 3 % 11, 1 + i * 5 % 7, i % 5, "G1,1,0,1/1");
	sbeet_task(&set, 1000, 1000, 0, "G400,400,0,1/1");
	struct sbeet *b = sbeet_ready(&set, (struct sbeet_options){.workers = 2});
	struct sbeet_timetable *t = &b->timetable;
	sbeet_timetable_begin(t, 0, NULL, 0);
	sbeet_timetable_reach(t, 300 * MS);
	assert_true(t->count > 400);
	for (uint32_t i = 1; i < t->count; i++) {
		const struct sbeet_unit *p = &t->unit[t->by_deadline[i - 1]],
					*q = &t->unit[t->by_deadline[i]];
		const struct sbeet_unit *u = &t->unit[i - 1], *v = &t->unit[i];
		assert_true(p->deadline < q->deadline ||
			    (p->deadline == q->deadline && t->by_deadline[i - 1] < t->by_deadline[i]));
		assert_true(u->ready < v->ready ||
			    (u->ready == v->ready && (u->deadline < v->deadline ||
							     (u->deadline == v->deadline &&
								     u->section->task < v->section->task))));
	}
}

TEST("refuses to look too far")
{
	struct error err;
	sbeet_begin(&set, 2);
	sbeet_task(&set, 1000000, 1000000, 0, "G1000000,1000000,0,1/1");
	struct task *often = sbeet_task(&set, 1, 1, 0, "G1,1,0,1/1");
	often->period_ns = often->deadline_ns = 10;
	struct plan *plan = sbeet_plan_begin(&set);
	assert_true(sbeet_model_build(plan, &set.b.model, &err));
	assert_true(sbeet_init(&set.b, plan, &(struct sbeet_options){.workers = 2}, &err));
	assert_true(plan->refused);
	assert_non_null(strstr(plan->reason, "MiB"));
}

/* ---- Example 2 ---- */

static void example_2(struct sbeet_set *s)
{
	sbeet_begin(s, 8);
	sbeet_task(s, 100, 14, 0, "H1,1 G48,48,0,1/1 D1,1");
	sbeet_task(s, 100, 7, 1, "H1,1 G8,8,0,1/1 D1,1");
	sbeet_task(s, 100, 10, 2, "H1,1 G8,8,0,1/1 D1,1");
}

struct outcome {
	uint32_t sms;
	bool feasible;
	double energy, end[3]; /* the later of the two units, including the copies after it */
};

static const struct outcome paper[] = {
	{8, false, 31, {8, 9, 10}},
	{7, false, 34.986, {8.857, 11, 12}},
	{6, true, 40.4, {10, 7, 11}},
	{5, true, 45.16, {11.6, 5.667, 8.333}},
	{4, true, 51.4, {14, 5, 7}},
	{3, false, 61.8, {18, 4.6, 6.2}},
	{2, false, 82.6, {26, -1, -1}},
	{1, false, 145, {50, -1, -1}},
};

static int64_t done(const struct sbeet_schedule *s, uint32_t task)
{
	for (uint32_t i = 0; i < s->count; i++)
		if (s->placed[i].section->task == task)
			return s->placed[i].end + s->placed[i].section->dh;
	return -1;
}

static void close_to(double is, double want)
{
	if (is < want - 0.0006 || is > want + 0.0006)
		fail_msg("%f instead of %f", is, want);
}

TEST("example 2 on any number of SMs")
{
	example_2(&set);
	struct sbeet *b = sbeet_ready(&set, (struct sbeet_options){.workers = 2});
	struct sbeet_unit j1 = sbeet_unit_of(b, 0, 0, 0, 0, 14);
	const struct sbeet_situation now = {.model = &b->model, .workers = 2, .busy = b->busy};
	sbeet_timetable_ready(&b->timetable, &j1);
	sbeet_timetable_begin(&b->timetable, 0, &j1, 1);
	sbeet_timetable_reach(&b->timetable, 49 * MS);
	for (size_t i = 0; i < sizeof(paper) / sizeof(*paper); i++) {
		const struct outcome *p = &paper[i];
		struct sbeet_schedule *s = &b->schedule;
		sbeet_predict(&now, &b->timetable, &j1, p->sms, s);
		assert_int_equal(s->end, MS + (48 * MS + p->sms - 1) / p->sms);
		assert_int_equal(s->end, sbeet_end(0, &j1, p->sms));
		assert_int_equal(s->feasible, p->feasible);
		close_to((double)(sbeet_energy(&b->model, s, 0, s->end, b->intervals) / WATT) / (double)MS,
			p->energy);
		for (uint32_t task = 0; task < 3; task++)
			if (p->end[task] >= 0)
				close_to((double)done(s, task) / (double)MS, p->end[task]);
	}
}

/* What sbeet_choose() did. */
struct choices {
	uint32_t weighed, weighed_sms[32];
	bool feasible[32], chosen[32];
	int128 energy[32];
	uint32_t admitted, task[8], sms[8], first_sm[8], last_sm[8];
	int64_t start[8], end[8];
};

static void weigh(void *self, const struct sbeet_unit *unit, const struct sbeet_candidate *c, bool chosen)
{
	struct choices *w = self;
	(void)unit;
	w->weighed_sms[w->weighed] = c->sms;
	w->feasible[w->weighed] = c->feasible;
	w->energy[w->weighed] = c->energy;
	w->chosen[w->weighed++] = chosen;
}

static void admit(void *self, const struct sbeet_unit *unit, const struct sbeet_placed *placed, uint32_t *sm)
{
	struct choices *w = self;
	uint32_t i = w->admitted++;
	w->task[i] = unit->section->task;
	w->sms[i] = placed->sms;
	w->first_sm[i] = sm[0];
	w->last_sm[i] = sm[placed->sms - 1];
	w->start[i] = placed->start;
	w->end[i] = placed->end;
}

static struct choices choose(struct sbeet *b, int64_t now, uint32_t count)
{
	struct choices w = {0};
	const struct sbeet_actions actions = {&w, weigh, admit};
	for (uint32_t i = 0; i < count; i++)
		sbeet_timetable_ready(&b->timetable, &b->waiting[i]);
	sbeet_choose(b, now * MS, count, &actions);
	return w;
}

TEST("example 2 chooses 6")
{
	for (int common = 0; common < 2; common++) {
		example_2(&set);
		struct sbeet *b = sbeet_ready(&set, (struct sbeet_options){.workers = 2, .common = common});
		b->waiting[0] = sbeet_unit_of(b, 0, 0, 0, 0, 14);
		struct choices w = choose(b, 0, 1);
		assert_int_equal(w.weighed, 8);
		for (uint32_t i = 0; i < 8; i++) {
			assert_int_equal(w.weighed_sms[i], 8 - i);
			assert_int_equal(w.feasible[i], paper[i].feasible);
			assert_int_equal(w.chosen[i], 8 - i == 6);
			close_to((double)(w.energy[i] / WATT) / (double)MS, paper[i].energy);
		}
		assert_int_equal(w.admitted, 1);
		assert_int_equal(w.first_sm[0], 0);
		assert_int_equal(w.last_sm[0], 5);
		assert_int_equal(w.start[0], 1 * MS);
		assert_int_equal(w.end[0], 9 * MS);

		/* At 1: J2 runs beside it, on the two SMs that are left. At 2 both workers are busy. */
		b->waiting[0] = sbeet_unit_of(b, 1, 0, 0, 1, 8);
		w = choose(b, 1, 1);
		assert_int_equal(w.admitted, 1);
		assert_int_equal(w.weighed, 1);
		assert_true(w.chosen[0]);
		assert_int_equal(w.first_sm[0], 6);
		assert_int_equal(w.last_sm[0], 7);
		assert_int_equal(w.start[0], 2 * MS);
		assert_int_equal(w.end[0], 6 * MS);
		b->waiting[0] = sbeet_unit_of(b, 2, 0, 0, 2, 12);
		w = choose(b, 2, 1);
		assert_int_equal(w.weighed + w.admitted, 0);
		sbeet_over(b, 1);
		w = choose(b, 6, 1);
		assert_int_equal(w.admitted, 1);
		assert_int_equal(w.end[0], 10 * MS);
	}
}

/* ---- corners ---- */

/* Nothing is feasible: the least energy wins (all SMs, the shortest interval), or the earliest end. The two
 * differ only for a kernel that is slowest on all SMs but costs less there. */
TEST("infeasible by energy or end")
{
	static int64_t time[2] = {4 * MS, 3 * MS}, power[2] = {2 * WATT, 4 * WATT};
	static char name[] = "p";
	static struct profile profile = {
		.name = name, .count = 2, .best_ns = time, .worst_ns = time, .total_power_uw = power};
	for (int fastest = 0; fastest < 2; fastest++) {
		sbeet_begin(&set, 2);
		set.s.platform.idle_per_sm_uw = 0;
		struct task *t = sbeet_task(&set, 100, 2, 0, "G1,1,0,1/1");
		t->segments[0].form = KERNEL_PROFILE;
		t->segments[0].profile = 0;
		set.s.set.profiles = &profile;
		set.s.set.profile_count = 1;
		struct sbeet *b = sbeet_ready(&set, (struct sbeet_options){.workers = 2, .fastest = fastest});
		/* m = 1: dynamic 4; m = 2: dynamic 9. */
		assert_int_equal(b->model.section[0].m_opt, 1);
		b->model.section[0].m_opt = 2; /* otherwise there is no choice */
		b->waiting[0] = sbeet_unit_of(b, 0, 0, 0, 0, 2);
		struct choices w = choose(b, 0, 1);
		assert_int_equal(w.weighed, 2);
		assert_true(w.energy[0] == 12 * JOULE);
		assert_true(w.energy[1] == 8 * JOULE);
		assert_false(w.feasible[0] || w.feasible[1]);
		assert_int_equal(w.sms[0], fastest ? 2 : 1);
	}
}

/* If every number of SMs costs the same, all SMs are used. */
TEST("ties go to more SMs")
{
	sbeet_begin(&set, 4);
	set.s.platform.static_uw = set.s.platform.idle_per_sm_uw = 0;
	sbeet_task(&set, 100, 100, 0, "G12,12,0,1/1");
	struct sbeet *b = sbeet_ready(&set, (struct sbeet_options){.workers = 2});
	b->waiting[0] = sbeet_unit_of(b, 0, 0, 0, 0, 100);
	struct choices w = choose(b, 0, 1);
	assert_int_equal(w.weighed, 4);
	for (int i = 0; i < 4; i++)
		assert_true(w.feasible[i] && w.energy[i] == 6 * JOULE);
	assert_int_equal(w.sms[0], 4);
}

/* Line 18: J waits if it would end later than on all SMs after the running unit. If both end at the same
 * instant, it does not wait. */
TEST("line 18")
{
	for (int later_by = 0; later_by < 2; later_by++) {
		sbeet_begin(&set, 4);
		sbeet_task(&set, 100, 100, 0, "G24,24,0,1/1");                      /* 8 on 3 SMs */
		sbeet_task(&set, 100, 100, 0, "G12,12,0,1/1")->offset_ns = 50 * MS; /* 12 on 1, 3 on 4 */
		struct sbeet *b = sbeet_ready(&set, (struct sbeet_options){.workers = 2});
		b->running[0] = (struct sbeet_placed){&b->model.section[0], 3, 0, 9 * MS - later_by};
		b->running_count = 1;
		b->busy[0] = true;
		b->holder[0] = b->holder[1] = b->holder[2] = 0;
		b->free = 1;
		b->waiting[0] = sbeet_unit_of(b, 1, 0, 0, 0, 100);
		struct choices w = choose(b, 0, 1); /* 12 against 9 + 3 */
		assert_int_equal(w.admitted, !later_by);
		assert_int_equal(w.weighed, !later_by);
	}
}

/* A unit that cannot join is passed over, and the next one is looked at; the first one holds back no SMs. */
TEST("passed over")
{
	sbeet_begin(&set, 4);
	sbeet_task(&set, 100, 100, 0, "G24,24,0,1/1");
	sbeet_task(&set, 100, 100, 0, "G100,100,0,1/1");
	sbeet_task(&set, 100, 100, 0, "G2,2,0,1/1");
	struct sbeet *b = sbeet_ready(&set, (struct sbeet_options){.workers = 2});
	b->running[0] = (struct sbeet_placed){&b->model.section[0], 3, 0, 8 * MS};
	b->running_count = 1;
	b->busy[0] = true;
	b->holder[0] = b->holder[1] = b->holder[3] = 0;
	b->free = 1;
	b->waiting[0] = sbeet_unit_of(b, 1, 0, 0, 0, 50);
	b->waiting[1] = sbeet_unit_of(b, 2, 0, 0, 0, 90);
	struct choices w = choose(b, 0, 2);
	assert_int_equal(w.admitted, 1);
	assert_int_equal(w.task[0], 2);
	assert_int_equal(w.first_sm[0], 2);
}

/* Task 1 waits (line 18); the two after it have room beside task 0. With `after_start: stop` the invocation
 * ends with the first unit that starts; one that waits does not end it. */
TEST("line 14")
{
	for (int stops = 0; stops < 2; stops++) {
		sbeet_begin(&set, 4);
		for (int i = 0; i < 4; i++)
			sbeet_task(&set, 100, 100, 0, i == 1 ? "G100,100,0,1/1" : "G2,2,0,1/1");
		struct sbeet *b = sbeet_ready(&set, (struct sbeet_options){.workers = 4, .stops = stops});
		b->running[0] = (struct sbeet_placed){&b->model.section[0], 1, 0, 2 * MS};
		b->running_count = 1;
		b->busy[0] = true;
		b->holder[0] = 0;
		b->free = 3;
		b->model.section[2].m_opt = b->model.section[3].m_opt = 1;
		for (uint32_t i = 0; i < 3; i++)
			b->waiting[i] = sbeet_unit_of(b, i + 1, 0, 0, 0, 100);
		struct choices w = choose(b, 0, 3);
		assert_int_equal(w.admitted, stops ? 1 : 2);
		assert_int_equal(w.weighed, w.admitted);
		assert_int_equal(w.task[0], 2);
		assert_int_equal(w.first_sm[0], 1);
	}
}

/* On an idle GPU one unit always starts. */
TEST("line 14 on an idle GPU")
{
	for (int stops = 0; stops < 2; stops++) {
		sbeet_begin(&set, 2);
		sbeet_task(&set, 100, 8, 0, "G8,8,0,1/1");
		sbeet_task(&set, 100, 9, 0, "G8,8,0,1/1");
		struct sbeet *b = sbeet_ready(&set, (struct sbeet_options){.workers = 2, .stops = stops});
		b->model.section[0].m_opt = 1;
		b->waiting[0] = sbeet_unit_of(b, 0, 0, 0, 0, 8);
		b->waiting[1] = sbeet_unit_of(b, 1, 0, 0, 0, 9);
		struct choices w = choose(b, 0, 2);
		assert_int_equal(w.admitted, stops ? 1 : 2);
		assert_int_equal(w.task[0], 0);
	}
}

/* Late units follow one another by deadline, on all SMs, after everything else. Other units of J's task, and
 * of tasks with an admitted unit, are not expected. */
TEST("late units by deadline")
{
	sbeet_begin(&set, 2);
	sbeet_task(&set, 20, 20, 0, "G80,80,0,1/1 D1,1"); /* [0, 40) on both */
	sbeet_task(&set, 100, 90, 10, "H2,2 G8,8,0,1/1 D3,3");
	sbeet_task(&set, 100, 80, 15, "G4,4,0,1/1");
	sbeet_task(&set, 100, 50, 5, "H60,60 G2,2,0,1/1");
	sbeet_task(&set, 100, 70, 5, "G6,6,0,1/1");
	struct sbeet *b = sbeet_ready(&set, (struct sbeet_options){.workers = 2});
	struct sbeet_unit j = sbeet_unit_of(b, 0, 0, 0, 0, 41);
	b->busy[4] = true;
	const struct sbeet_situation now = {.model = &b->model, .workers = 2, .busy = b->busy};
	sbeet_timetable_ready(&b->timetable, &j);
	sbeet_timetable_begin(&b->timetable, 0, &j, 1);
	sbeet_timetable_reach(&b->timetable, 40 * MS);
	struct sbeet_schedule *s = &b->schedule;
	sbeet_predict(&now, &b->timetable, &j, 2, s);
	assert_int_equal(s->end, 40 * MS);
	assert_int_equal(s->count, 4);
	/* Task 3 (d 55) at max(40, 65), then task 2 (d 95), then task 1 (d 100). */
	assert_int_equal(s->placed[1].section->task, 3);
	assert_int_equal(s->placed[1].start, 65 * MS);
	assert_int_equal(s->placed[2].section->task, 2);
	assert_int_equal(s->placed[2].start, 66 * MS);
	assert_int_equal(s->placed[3].section->task, 1);
	assert_int_equal(s->placed[3].end, 72 * MS);
	assert_false(s->feasible); /* task 3 */
	set.s.tasks[3].deadline_ns = 61 * MS;
	sbeet_timetable_begin(&b->timetable, 0, &j, 1);
	sbeet_timetable_reach(&b->timetable, 40 * MS);
	sbeet_predict(&now, &b->timetable, &j, 2, s);
	assert_true(s->feasible); /* all of them, some with no time to spare */
	j.deadline--;
	sbeet_predict(&now, &b->timetable, &j, 2, s);
	assert_false(s->feasible); /* because of J itself: the copies after it count */
}

/* If its copies last until J's end, a unit is late and gets all SMs then, whatever its m_opt. If they take 1
 * ns less, it is placed beside J, on m_opt SMs. */
TEST("copies until the end")
{
	sbeet_begin(&set, 4);
	sbeet_task(&set, 100, 100, 0, "G20,20,0,1/1"); /* on 2: [0, 10) */
	struct task *t = sbeet_task(&set, 100, 30, 4, "H6,6 G8,8,0,1/1");
	struct sbeet *b = sbeet_ready(&set, (struct sbeet_options){.workers = 2});
	struct sbeet_unit j = sbeet_unit_of(b, 0, 0, 0, 0, 100);
	const struct sbeet_situation now = {.model = &b->model, .workers = 2, .busy = b->busy};
	struct sbeet_schedule *s = &b->schedule;
	b->model.section[1].m_opt = 1;
	sbeet_timetable_ready(&b->timetable, &j);
	for (int less = 0; less < 2; less++) {
		t->offset_ns = 4 * MS - less;
		sbeet_timetable_begin(&b->timetable, 0, &j, 1);
		sbeet_timetable_reach(&b->timetable, 10 * MS);
		sbeet_predict(&now, &b->timetable, &j, 2, s);
		assert_int_equal(s->count, 2);
		assert_int_equal(s->placed[1].sms, less ? 1 : 4);
		assert_int_equal(s->placed[1].start, 10 * MS - less);
		assert_int_equal(s->placed[1].end, less ? 18 * MS - 1 : 12 * MS);
	}
}

/* Three workers: two other units run beside J, each on what is left. An admitted unit that should have ended
 * already holds no SMs any more. */
TEST("three workers")
{
	sbeet_begin(&set, 8);
	sbeet_task(&set, 1000, 1000, 0, "G80,80,0,1/1");
	sbeet_task(&set, 1000, 1000, 1, "G6,6,0,1/1");
	sbeet_task(&set, 1000, 1000, 2, "H1,1 G8,8,0,1/1");
	sbeet_task(&set, 1000, 1000, 0, "G9,9,0,1/1");
	struct sbeet *b = sbeet_ready(&set, (struct sbeet_options){.workers = 3});
	b->model.section[1].m_opt = 2;
	b->model.section[3].m_opt = 2;
	b->busy[3] = true;
	struct sbeet_placed running = {&b->model.section[3], 3, 0, 3 * MS};
	struct sbeet_situation now = {
		.model = &b->model, .workers = 3, .busy = b->busy, .running = &running, .running_count = 1};
	struct sbeet_unit j = sbeet_unit_of(b, 0, 0, 0, 0, 1000);
	sbeet_timetable_ready(&b->timetable, &j);
	sbeet_timetable_begin(&b->timetable, 0, &j, 1);
	sbeet_timetable_reach(&b->timetable, 20 * MS);
	struct sbeet_schedule *s = &b->schedule;
	sbeet_predict(&now, &b->timetable, &j, 4, s);
	assert_int_equal(s->count, 4);
	/* Task 1: one SM is left, which it holds from now on. Task 2: it gets a worker at 3, when three SMs
	 * become free. */
	assert_int_equal(s->placed[2].section->task, 1);
	assert_int_equal(s->placed[2].sms, 1);
	assert_int_equal(s->placed[2].start, 1 * MS);
	assert_int_equal(s->placed[2].end, 7 * MS);
	assert_int_equal(s->placed[3].sms, 3);
	assert_int_equal(s->placed[3].start, 3 * MS);

	running.end = 0;
	sbeet_predict(&now, &b->timetable, &j, 4, s);
	assert_int_equal(s->placed[2].sms, 2);
	assert_int_equal(s->placed[3].sms, 2);
	assert_int_equal(s->placed[3].start, 3 * MS);
}

/* During copies between a unit's kernels nothing runs, and only static power is drawn. */
TEST("energy of several kernels")
{
	sbeet_begin(&set, 2);
	sbeet_task(&set, 100, 100, 0, "H1,1 G4,4,0,1/1 B3,3 G2,2,0,1/1");
	sbeet_task(&set, 100, 100, 4, "G7,7,0,1/1");
	struct sbeet *b = sbeet_ready(&set, (struct sbeet_options){.workers = 2});
	struct sbeet_unit j = sbeet_unit_of(b, 0, 0, 0, 0, 100);
	struct sbeet_situation now = {.model = &b->model, .workers = 2, .busy = b->busy};
	struct sbeet_schedule *s = &b->schedule;
	sbeet_timetable_ready(&b->timetable, &j);
	sbeet_timetable_begin(&b->timetable, 0, &j, 1);
	sbeet_timetable_reach(&b->timetable, 6 * MS);
	sbeet_predict(&now, &b->timetable, &j, 2, s);
	/* Kernels [1, 3) and [6, 7) on both: 7 * 1 + 3 * 2 * 0.5; the other unit begins at 7. */
	assert_true(sbeet_energy(&b->model, s, 0, 7 * MS, b->intervals) == 10 * JOULE);
	sbeet_timetable_reach(&b->timetable, 10 * MS);
	sbeet_predict(&now, &b->timetable, &j, 1, s);
	assert_int_equal(s->end, 10 * MS);
	/* On one SM: [1, 5) and [8, 10). The other unit's kernel runs [4, 11) on the other SM. Until 10: 10 +
	 * 0.5 * (6 + 6). One SM is idle during [1, 4), the other during [5, 8). */
	int128 want = (10 + 6) * JOULE + 6 * JOULE / 5;
	assert_true(sbeet_energy(&b->model, s, 0, 10 * MS, b->intervals) == want);
	assert_true(sbeet_energy(&b->model, s, 2 * MS, 10 * MS, b->intervals) ==
		    want - 2 * JOULE - 7 * JOULE / 10);
	/* Until the end of all: 1 more, of the other unit alone. */
	assert_true(
		sbeet_energy(&b->model, s, 0, 12 * MS, b->intervals) == want + 2 * JOULE + 7 * JOULE / 10);
}
