/* runs/search/mutate.c - see runs/search/mutate.h. */
#include "runs/search/mutate.h"

#include "base/checked.h"
#include "runs/search/variant.h"

#define PERIODS_MOST 4 /* of another task in a period */

/* Between half the value and twice it, or a small step away. */
static int64_t near(struct dice *d, int64_t value)
{
	int64_t share = 500 + dice_upto(d, 500), how = dice_upto(d, 3);
	if (value > INT64_MAX / 1000)
		return value;
	if (how == 0)
		return value + 1 + dice_upto(d, value / 32);
	if (how == 1)
		return value - dice_upto(d, value / 32) - 1;
	return how == 2 ? value * share / 1000 : value * 1000 / share;
}

static int64_t within_reach(int64_t value, int64_t first)
{
	int64_t least = first / MUTATE_REACH,
		most = first > INT64_MAX / MUTATE_REACH ? first : first * MUTATE_REACH;
	return value < least ? least : value > most ? most : value;
}

static uint32_t any_task(const struct taskset *set, struct dice *d)
{
	return (uint32_t)dice_upto(d, (int64_t)set->task_count - 1);
}

static uint32_t any_segment(const struct task *t, struct dice *d)
{
	return (uint32_t)dice_upto(d, (int64_t)t->segment_count - 1);
}

/* A deadline at the period stays there. */
static void move_period(struct taskset *set, const struct taskset *first, struct dice *d)
{
	uint32_t task = any_task(set, d);
	struct task *t = &set->tasks[task];
	bool implicit = t->deadline_ns == t->period_ns;
	int64_t period = near(d, t->period_ns);
	if (dice_upto(d, 5) == 0 && !checked_mul(set->tasks[any_task(set, d)].period_ns,
					    1 + dice_upto(d, PERIODS_MOST - 1), &period))
		return;
	t->period_ns = within_reach(period, first->tasks[task].period_ns);
	if (implicit || t->deadline_ns > t->period_ns)
		t->deadline_ns = t->period_ns;
}

static void move_deadline(struct taskset *set, const struct taskset *first, struct dice *d)
{
	struct task *t = &set->tasks[any_task(set, d)];
	int64_t deadline = near(d, t->deadline_ns);
	bool inside = deadline >= 1 && deadline <= t->period_ns && dice_upto(d, 1);
	(void)first;
	t->deadline_ns = inside ? deadline : t->period_ns;
}

static bool has_number(const struct segment *s)
{
	return variant_has_length(s) && !s->times && !s->samples && s->worst_ns > 0 &&
	       s->worst_ns < INT64_MAX / 1000000 / MUTATE_REACH;
}

/* A best case keeps its share of the worst. */
static void move_worst(struct taskset *set, const struct taskset *first, struct dice *d)
{
	uint32_t task = any_task(set, d), other = any_task(set, d);
	uint32_t at = any_segment(&set->tasks[task], d), there = any_segment(&set->tasks[other], d);
	struct segment *s = &set->tasks[task].segments[at];
	if (!has_number(s))
		return;
	int64_t share = s->best_ns * 1000000 / s->worst_ns;
	int64_t worst = dice_upto(d, 3) ? near(d, s->worst_ns) : set->tasks[other].segments[there].worst_ns;
	bool fixed = s->best_ns == s->worst_ns;
	s->worst_ns = within_reach(worst, first->tasks[task].segments[at].worst_ns);
	s->best_ns = fixed ? s->worst_ns : s->worst_ns * share / 1000000;
}

static void move_best(struct taskset *set, const struct taskset *first, struct dice *d)
{
	struct task *t = &set->tasks[any_task(set, d)];
	struct segment *s = &t->segments[any_segment(t, d)];
	int64_t how = dice_upto(d, 2);
	(void)first;
	if (has_number(s))
		s->best_ns = how == 0 ? 0 : how == 1 ? s->worst_ns : dice_upto(d, s->worst_ns);
}

typedef void move_fn(struct taskset *set, const struct taskset *first, struct dice *d);

void mutate(struct taskset *set, const struct taskset *first, struct dice *dice)
{
	static move_fn *const moves[] = {
		move_period,
		move_period,
		move_period,
		move_deadline,
		move_worst,
		move_worst,
		move_worst,
		move_best,
	};
	for (int64_t count = 1 + dice_upto(dice, 2); count > 0; count--)
		moves[dice_upto(dice, sizeof(moves) / sizeof(*moves) - 1)](set, first, dice);
}
