/* tests/unit/test_sbeet_fleet.c - sbeet-mg without a run: homes (policies/sbeet/assign.c), and where a unit
 * starts (migrate.c). All numbers are by hand. GPU 0 has 4 SMs and the powers of sBEET's examples (1 W
 * static, 0.2 W an idle SM, kernels 0.5 W an SM); GPU 1 has 2 SMs, 0.25 W static, and 0.1 W an idle SM. */
#include "policies/sbeet/fleet.h"
#include "tests/unit/sbeet_sets.h"

static struct sbeet_set set;
static struct platform little;
static struct fleet fleet;

static int finish(void **state)
{
	set_end(&set.s);
	return 0;
}

EACH_TEST(NULL, finish);

static void begin(void)
{
	sbeet_begin(&set, 4);
	little = set.s.platform;
	little.gpu = 1;
	little.sms = 2;
	little.static_uw = WATT / 4;
	little.idle_per_sm_uw = WATT / 10;
	set.s.platform.gpu_count = 2;
	set.s.platform.others = &little;
}

static void ready(enum fleet_assign assign, enum fleet_choice choice)
{
	const struct fleet_options options = {.assign = assign, .choice = choice, .gpu = {.workers = 2}};
	struct error err;
	struct plan *plan = sbeet_plan_begin(&set);
	if (!fleet_init(&fleet, plan, &options, &err))
		fail_msg("%s", err.text);
	if (plan->refused)
		fail_msg("%s", plan->reason);
}

static void homes(enum fleet_assign assign, const char *wanted)
{
	ready(assign, FLEET_MIGRATE);
	for (uint32_t i = 0; wanted[i]; i++)
		if (fleet.home[i] != (uint32_t)(wanted[i] - '0'))
			fail_msg("task %u lives on GPU %u, not on %c", i, fleet.home[i], wanted[i]);
}

/* ---- homes ---- */

TEST("what a section is on each GPU")
{
	begin();
	sbeet_task(&set, 100, 100, 0, "C1,1 H2,2 G12,12,0,1/1 D1,1");
	ready(FLEET_ENERGY, FLEET_MIGRATE);
	const struct sbeet_section *big = sbeet_section(&fleet.gpu[0].model, 0, 0);
	const struct sbeet_section *small = sbeet_section(&fleet.gpu[1].model, 0, 0);
	assert_int_equal(big->hd, 0);
	assert_int_equal(big->dh, 0);
	assert_int_equal(big->before, MS);
	assert_int_equal(sbeet_body(big, 1), 15 * MS); /* with copies: a unit is a whole section */
	assert_int_equal(sbeet_body(big, 4), 6 * MS);
	assert_int_equal(sbeet_body(small, 2), 9 * MS);
	assert_int_equal(big->kernel[3].offset, 2 * MS);
	assert_int_equal(big->kernel[3].length, 3 * MS);
	assert_int_equal(big->m_opt, 4);
	assert_int_equal(small->m_opt, 2);
	/* 3 ms at 2 W; 6 ms at 1 W: a linear kernel that leaves no SM idle costs the same everywhere. */
	assert_true(fleet.cost[0] == 6 * JOULE);
	assert_true(fleet.cost[1] == 6 * JOULE);
	assert_int_equal(fleet.ranking[0], 0);
	/* Means: (15 + 9 + 7 + 6) / 4 / 100 and (15 + 9) / 2 / 100. */
	assert_true(fleet_load(&fleet, 0, 0) == FLEET_LOAD * 925 / 10000);
	assert_true(fleet_load(&fleet, 0, 1) == FLEET_LOAD * 12 / 100);
	assert_true(fleet_size(&fleet, 0) == FLEET_LOAD * 10625 / 100000);
}

/* Sections of one SM's worth of work: on GPU 0 three SMs idle at 0.2 W beside it, on GPU 1 one at 0.1 W. So
 * GPU 1 is cheaper, until it is full: 40 / 100 each. The third one goes to GPU 0, the shortest periods
 * first. */
static void one_block(int64_t period, int64_t length)
{
	char chain[32];
	snprintf(chain, sizeof(chain), "K%" PRId64, length);
	sbeet_task(&set, period, period, 0, chain);
}

TEST("homes by energy")
{
	begin();
	one_block(130, 40);
	one_block(110, 40);
	one_block(100, 40);
	homes(FLEET_ENERGY, "011");
	assert_true(fleet.cost[0] == 40 * 11 * JOULE / 10);
	assert_true(fleet.cost[1] == 40 * 6 * JOULE / 10);
	assert_int_equal(fleet.ranking[0], 1);
	assert_int_equal(fleet.ranking[1], 0);
}

/* There is no room for the third on either GPU (0.9 each): it goes where the load would be least, 1.5
 * against 1.7. */
TEST("homes where none has room")
{
	begin();
	one_block(100, 90);
	one_block(101, 70);
	one_block(102, 81);
	homes(FLEET_ENERGY, "100");
	one_block(103, 30); /* 1.19 on GPU 1, 1.78 on GPU 0 */
	homes(FLEET_ENERGY, "1001");
}

/* Sizes 0.6, 0.5, 0.4, 0.2, 0.2. First fit: 0.6 on 0, 0.5 on 1, 0.4 on 0 (full), 0.2 and 0.2 on 1. Best fit:
 * the same up to 0.4. Worst fit: 0.6 on 0, 0.5 on 1, 0.4 on 1, 0.2 on 0, 0.2 on 0. */
TEST("homes by bin packing")
{
	begin();
	one_block(100, 20);
	one_block(100, 40);
	one_block(100, 60);
	one_block(100, 50);
	one_block(100, 20);
	homes(FLEET_FIRST, "10011");
	homes(FLEET_BEST, "10011");
	homes(FLEET_WORST, "01010");
}

/* 0.5, 0.4, 0.3, 0.1: best fit puts 0.1 onto the fuller GPU. */
TEST("best fit is not first fit")
{
	begin();
	one_block(100, 50);
	one_block(100, 60);
	one_block(100, 45);
	one_block(100, 3);
	homes(FLEET_FIRST, "1010");
	homes(FLEET_BEST, "1011");
}

/* Nothing has room: as worst fit. */
TEST("bins that are full")
{
	begin();
	one_block(100, 90);
	one_block(100, 80);
	one_block(100, 70);
	homes(FLEET_FIRST, "011");
	homes(FLEET_BEST, "011");
}

TEST("homes as given")
{
	begin();
	one_block(100, 20);
	one_block(100, 20);
	set.s.segments[1][0].gpu = 1;
	homes(FLEET_GIVEN, "01");
}

/* ---- where a unit starts ---- */

/* What the fleet did at the last instant: one row for each decision. */
static char said[512];

static void weigh(
	void *self, uint32_t gpu, const struct sbeet_unit *unit, const struct sbeet_candidate *c, bool chosen)
{
	size_t at = strlen(said);
	(void)self;
	snprintf(said + at, sizeof(said) - at, "%s%u:%u/%u@%g=%gJ%s%s", at ? " " : "", unit->section->task,
		gpu, c->sms, (double)c->end / MS, (double)(c->energy / (JOULE / 1000)) / 1000,
		c->feasible ? "" : "!", chosen ? "*" : "");
}

static void admit(void *self, uint32_t gpu, const struct sbeet_unit *unit, const struct sbeet_placed *placed,
	uint32_t *sm)
{
	size_t at = strlen(said);
	(void)self;
	snprintf(said + at, sizeof(said) - at, "%s%u->%u", at ? " " : "", unit->section->task, gpu);
	for (uint32_t i = 0; i < placed->sms; i++)
		snprintf(said + strlen(said), sizeof(said) - strlen(said), "%c%u", i ? ',' : '#', sm[i]);
}

/* The first jobs of these tasks wait, in this order, since time 0. */
static void at(int64_t now, const char *tasks, const char *wanted)
{
	const struct fleet_actions actions = {.weigh = weigh, .admit = admit};
	uint32_t count = 0;
	said[0] = '\0';
	for (; tasks[count]; count++) {
		uint32_t id = (uint32_t)(tasks[count] - '0');
		fleet.waiting[count] =
			(struct fleet_unit){.task = id, .ready = 0, .deadline = set.s.tasks[id].deadline_ns};
	}
	fleet_choose(&fleet, now * MS, count, &actions);
	if (strcmp(said, wanted) != 0)
		fail_msg("at %" PRId64 ":\n  said   %s\n  wanted %s", now, said, wanted);
}

/* Both GPUs idle: at home, on m_opt SMs; no other GPU is looked at. The energy is that of both GPUs over
 * [0, 3): 1.25 W static, and 2 W dynamic. */
TEST("an idle home")
{
	begin();
	sbeet_task(&set, 100, 100, 0, "G12,12,0,1/1");
	ready(FLEET_GIVEN, FLEET_MIGRATE);
	at(0, "0", "0:0/4@3=9.75J* 0->0#0,1,2,3");
	assert_int_equal(fleet_where(&fleet, 0), 0);
	fleet_over(&fleet, 0);
	assert_int_equal(fleet_where(&fleet, 0), 2);
}

/* GPU 1 works for task 0, on one SM up to 8. Task 1 lives on GPU 0, where it would end at 6, at 1.25 W
 * static, 1.1 W there and 0.6 W on GPU 1: 6 * 2.95. On the free SM of GPU 1 it ends at 6, too, and takes 1.25
 * + 1.0: it goes there. */
static void two_of_one_block(int64_t deadline)
{
	begin();
	sbeet_task(&set, 100, 100, 0, "K8");
	sbeet_task(&set, 100, deadline, 0, "K6");
	set.s.segments[0][0].gpu = 1;
}

TEST("beside others, for energy")
{
	two_of_one_block(100);
	ready(FLEET_GIVEN, FLEET_MIGRATE);
	at(0, "01", "0:1/1@8=14.8J* 0->1#0 1:0/1@6=17.7J 1:1/1@6=13.5J* 1->1#1");
}

/* The same where sections stay. Task 0 of GPU 1 is not expected on GPU 0, nor task 1 on GPU 1. */
TEST("beside others, where sections stay")
{
	two_of_one_block(100);
	ready(FLEET_GIVEN, FLEET_STAY);
	at(0, "01", "0:1/1@8=14.8J* 0->1#0 1:0/1@6=17.7J* 1->0#0");
}

/* The only other GPU is full: at home. */
TEST("beside others, of which there are too many")
{
	two_of_one_block(100);
	sbeet_task(&set, 100, 100, 0, "K7");
	set.s.segments[2][0].gpu = 1;
	ready(FLEET_GIVEN, FLEET_MIGRATE);
	at(0, "021", "0:1/1@8=17.6J* 0->1#0 2:1/1@7=15.75J* 2->1#1 1:0/1@6=20.1J* 1->0#0");
}

/* GPU 1 is full until 8 and 9. Task 1 lives there, too; from 8 on it could have an SM, and end at 14. */
static void full(int64_t deadline)
{
	begin();
	sbeet_task(&set, 100, 100, 0, "K8");
	sbeet_task(&set, 100, deadline, 0, "K6");
	sbeet_task(&set, 100, 100, 0, "K9");
	for (uint32_t i = 0; i < 3; i++)
		set.s.segments[i][0].gpu = 1;
	ready(FLEET_GIVEN, FLEET_MIGRATE);
	at(0, "02", "0:1/1@8=18J* 0->1#0 2:1/1@9=19.85J* 2->1#1");
}

TEST("a full home, in time")
{
	full(14);
	at(1, "1", "");
}

/* To GPU 0, over [1, 7): 6 * (1.25 + 1.0 + 1.1). */
TEST("a full home, too late")
{
	full(13);
	at(1, "1", "1:0/1@7=20.1J* 1->0#0");
}

/* Elsewhere the deadline would be missed, too: it waits. */
TEST("a full home, too late everywhere")
{
	full(6);
	at(1, "1", "1:0/1@7=20.1J!");
}

/* A kernel for which both SMs of GPU 1 are best waits for both: it could have them at 9, and end at 12. */
TEST("a full home, and more than one SM")
{
	begin();
	sbeet_task(&set, 100, 100, 0, "K8");
	sbeet_task(&set, 100, 12, 0, "G6,6,0,1/1");
	sbeet_task(&set, 100, 100, 0, "K9");
	for (uint32_t i = 0; i < 3; i++)
		set.s.segments[i][0].gpu = 1;
	ready(FLEET_GIVEN, FLEET_MIGRATE);
	at(0, "02", "0:1/1@8=18J* 0->1#0 2:1/1@9=19.85J* 2->1#1");
	at(1, "1", "");
	set.s.tasks[1].deadline_ns--; /* too late: 1.5 ms at 1.25 + 2.0 + 1.0 W on all of GPU 0 */
	at(1, "1", "1:0/3@3=7.9J 1:0/2@4=10.95J 1:0/1@7=20.1J 1:0/4@2.5=6.375J* 1->0#0,1,2,3");
}

/* ---- choices without predictions ---- */

static void by(enum fleet_choice choice, const char *wanted)
{
	begin();
	for (int i = 0; i < 3; i++) /* m_opt is 1 */
		sbeet_task(&set, 100, 100, 0, "K5");
	for (int i = 0; i < 2; i++)
		sbeet_task(&set, 100, 100, 0, "G12,12,0,1/1");
	ready(FLEET_ENERGY, choice);
	at(0, "01234", wanted);
}

TEST("smallest first")
{
	by(FLEET_LITTLE, "0->1#0 1->1#1 2->0#0 3->0#1,2,3");
}

TEST("largest first")
{
	by(FLEET_BIG, "0->0#0 1->0#1 2->1#0 3->1#1");
}

TEST("balanced")
{
	by(FLEET_BALANCED, "0->0#0 1->1#0 2->0#1 3->1#1");
}

/* m_opt SMs of the home, or nothing. */
TEST("as planned")
{
	begin();
	one_block(100, 5);
	sbeet_task(&set, 100, 100, 0, "G12,12,0,1/1");
	ready(FLEET_GIVEN, FLEET_PLAN);
	at(0, "01", "0->0#0");
	at(0, "1", "");
	fleet_over(&fleet, 0);
	at(5, "1", "1->0#0,1,2,3");
}
