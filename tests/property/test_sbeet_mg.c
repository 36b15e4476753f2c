/* tests/property/test_sbeet_mg.c - what `sbeet-mg` decides on random sets and GPUs is what a plain second
 * implementation decides (tests/oracle/fleet_plain.h): homes, numbers of SMs, predicted ends and energies,
 * and what starts where. Sections come when they are due, and last as long as predicted, less, or longer. */
#include <stdio.h>
#include <string.h>

#include "policies/sbeet/fleet.h"
#include "tests/oracle/dice.h"
#include "tests/oracle/fleet_plain.h"
#include "tests/unit/sbeet_sets.h"

TEST_NUMBER(cases, TEST_CASES(2000));

static struct sbeet_set set;
static struct platform others[PLAIN_GPUS - 1];
static struct profile profiles[PLAIN_TASKS * PLAIN_GPUS];
static int64_t best[PLAIN_TASKS][PLAIN_GPUS][PLAIN_SMS], total[PLAIN_TASKS][PLAIN_GPUS][PLAIN_SMS];
static int32_t of_gpu[PLAIN_TASKS][PLAIN_GPUS];
static struct fleet fleet;
static struct plain_fleet plain;
static char said[1 << 16], plainly[1 << 16];

static int finish(void **state)
{
	set_end(&set.s);
	return 0;
}

EACH_TEST(NULL, finish);

/* ---- sets ---- */

static void add_gpu(struct dice *d, int g)
{
	struct platform *p = g == 0 ? &set.s.platform : &others[g - 1];
	struct plain_gpu *like = &plain.gpu[g];
	*like = (struct plain_gpu){
		.sms = (int)small(d, 1, PLAIN_SMS), .still = between(d, 0, 40), .idle = between(d, 0, 4)};
	if (g > 0)
		*p = set.s.platform;
	p->gpu = (uint32_t)g;
	p->sms = (uint32_t)like->sms;
	p->static_uw = like->still;
	p->idle_per_sm_uw = like->idle;
}

/* The kernel of task i on each GPU: a profile of its own. Some gain nothing from more SMs. */
static void add_profiles(struct dice *d, int i)
{
	static char name[] = "own";
	struct plain_task *t = &plain.task[i];
	for (int g = 0; g < plain.gpus; g++) {
		const struct plain_gpu *gpu = &plain.gpu[g];
		int64_t work = between(d, 1, 60), power = between(d, 0, 9);
		int until = (int)small(d, 1, PLAIN_SMS);
		for (int m = 1; m <= gpu->sms; m++) {
			int useful = m < until ? m : until;
			t->kernel[g][m] = best[i][g][m - 1] = 1 + work / useful + between(d, 0, 1);
			t->power[g][m] = power * m + between(d, 0, 2);
			total[i][g][m - 1] = t->power[g][m] + gpu->still + gpu->idle * (gpu->sms - m);
		}
		of_gpu[i][g] = i * PLAIN_GPUS + g;
		profiles[i * PLAIN_GPUS + g] = (struct profile){.name = name,
			.count = (uint32_t)gpu->sms,
			.best_ns = best[i][g],
			.worst_ns = best[i][g],
			.total_power_uw = total[i][g]};
	}
}

static void add_task(struct dice *d, int i)
{
	struct plain_task *t = &plain.task[i];
	*t = (struct plain_task){.period = between(d, 20, 200),
		.named = (int)small(d, 0, (uint32_t)plain.gpus - 1),
		.seen = -1};
	t->deadline = between(d, 10, t->period);
	t->offset = once_in(d, 2) ? 0 : between(d, 0, t->period);
	t->before = once_in(d, 2) ? 0 : between(d, 1, 5);
	t->after = once_in(d, 2) ? 0 : between(d, 1, 5);
	t->to_gpu = between(d, 0, 9);
	t->to_cpu = between(d, 0, 4);
	char chain[96];
	snprintf(chain, sizeof(chain), "C%d,%d H%d,%d K1 D%d,%d C%d,%d", (int)t->before, (int)t->before,
		(int)t->to_gpu, (int)t->to_gpu, (int)t->to_cpu, (int)t->to_cpu, (int)t->after, (int)t->after);
	struct task *made = set_task(&set.s, t->period, t->deadline, chain);
	made->offset_ns = t->offset;
	for (uint32_t j = 1; j <= 3; j++)
		made->segments[j].gpu = (uint32_t)t->named;
	add_profiles(d, i);
	made->segments[2].form = KERNEL_PROFILE;
	made->segments[2].profile = of_gpu[i][t->named];
	made->segments[2].profiles = of_gpu[i];
	made->segments[2].profile_count = (uint32_t)plain.gpus;
}

static void make(struct dice *d)
{
	struct error err;
	set_begin(&set.s, 1, 0);
	plain = (struct plain_fleet){
		.gpus = (int)small(d, 1, PLAIN_GPUS),
		.tasks = (int)small(d, 1, PLAIN_TASKS),
		.workers = (int)small(d, 1, 3),
		.assign = (enum plain_assign)small(d, 0, 4),
		.choice = once_in(d, 4) ? (enum plain_choice)small(d, 1, 5) : PLAIN_MIGRATE,
		.common = once_in(d, 3),
		.fastest = once_in(d, 3),
		.said = plainly,
		.room = sizeof(plainly),
	};
	for (int g = 0; g < plain.gpus; g++)
		add_gpu(d, g);
	set.s.platform.gpu_count = (uint32_t)plain.gpus;
	set.s.platform.others = others;
	for (int i = 0; i < plain.tasks; i++)
		add_task(d, i);
	set.s.set.profiles = profiles;
	set.s.set.profile_count = PLAIN_TASKS * PLAIN_GPUS;
	const struct fleet_options options = {
		.assign = (enum fleet_assign)plain.assign,
		.choice = (enum fleet_choice)plain.choice,
		.gpu = {.workers = (uint32_t)plain.workers, .common = plain.common, .fastest = plain.fastest},
	};
	struct plan *plan = sbeet_plan_begin(&set);
	if (!fleet_init(&fleet, plan, &options, &err))
		fail_msg("%s", err.text);
	if (plan->refused)
		fail_msg("%s", plan->reason);
	plain_homes(&plain);
}

/* ---- a walk ---- */

static void weigh(
	void *self, uint32_t gpu, const struct sbeet_unit *unit, const struct sbeet_candidate *c, bool chosen)
{
	(void)self;
	plain_say(said, sizeof(said), (int)unit->section->task, (int)gpu, (int)c->sms, c->end, c->energy,
		c->feasible, chosen);
}

static void admit(void *self, uint32_t gpu, const struct sbeet_unit *unit, const struct sbeet_placed *placed,
	uint32_t *sm)
{
	(void)self;
	for (uint32_t i = 0; i < placed->sms; i++)
		assert_true(sm[i] < fleet.gpu[gpu].model.sms && (i == 0 || sm[i - 1] < sm[i]));
	plain_say(said, sizeof(said), (int)unit->section->task, (int)gpu, -(int)placed->sms, 0, 0, false,
		false);
}

/* When each task goes on: its section comes, or ends. */
static int64_t next[PLAIN_TASKS];

static void decide(int64_t now, uint64_t number)
{
	const struct fleet_actions actions = {.weigh = weigh, .admit = admit};
	int queue[PLAIN_TASKS], count = 0;
	for (int i = 0; i < plain.tasks; i++) { /* any order does: here that of deadlines */
		int at = count;
		if (!plain.task[i].waits)
			continue;
		for (count++; at > 0 && plain.task[i].due < plain.task[queue[at - 1]].due; at--)
			queue[at] = queue[at - 1];
		queue[at] = i;
	}
	for (int i = 0; i < count; i++) {
		const struct plain_task *t = &plain.task[queue[i]];
		fleet.waiting[i] = (struct fleet_unit){.task = (uint32_t)queue[i],
			.job = (uint32_t)t->seen,
			.ready = t->ready,
			.deadline = t->due};
	}
	said[0] = plainly[0] = '\0';
	fleet_choose(&fleet, now, (uint32_t)count, &actions);
	plain_decide(&plain, now, queue, count);
	if (strcmp(said, plainly) != 0)
		fail_msg("set %llu, at %lld:%s\nand plainly:%s", (unsigned long long)number, (long long)now,
			said, plainly);
}

/* All that happens to the tasks at `now`. */
static void advance(struct dice *d, int64_t now)
{
	for (int i = 0; i < plain.tasks; i++) {
		struct plain_task *t = &plain.task[i];
		if (next[i] != now)
			continue;
		if (t->runs) {
			int64_t again = t->offset + (t->seen + 1) * t->period + t->before;
			t->runs = false;
			fleet_over(&fleet, (uint32_t)i);
			next[i] = again > now ? again : now + (once_in(d, 2) ? 0 : t->before);
		}
		if (!t->runs && next[i] == now) {
			t->seen++;
			t->waits = true;
			t->ready = now;
			t->due = t->offset + t->seen * t->period + t->deadline - t->after;
			next[i] = INT64_MAX;
		}
	}
}

static void walk(struct dice *d, uint64_t number)
{
	for (int i = 0; i < plain.tasks; i++)
		next[i] = plain.task[i].offset + plain.task[i].before;
	for (int step = 0; step < 60; step++) {
		int64_t now = INT64_MAX;
		for (int i = 0; i < plain.tasks; i++)
			now = next[i] < now ? next[i] : now;
		if (now == INT64_MAX)
			return;
		advance(d, now);
		decide(now, number);
		for (int i = 0; i < plain.tasks; i++) {
			const struct plain_task *t = &plain.task[i];
			if (t->runs && next[i] == INT64_MAX)
				next[i] = t->end + (once_in(d, 2) ? 0 : between(d, t->start - t->end + 1, 9));
		}
	}
}

TEST("homes and decisions, against plain ones")
{
	for (uint64_t number = 0; number < cases; number++) {
		struct dice d = {number};
		make(&d);
		for (int i = 0; i < plain.tasks; i++)
			if ((int)fleet.home[i] != plain.task[i].home)
				fail_msg("set %llu: task %d lives on %u, plainly on %d",
					(unsigned long long)number, i, fleet.home[i], plain.task[i].home);
		walk(&d, number);
	}
}
