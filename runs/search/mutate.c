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

static struct task *any_task(const struct taskset *set, struct dice *d)
{
	return &set->tasks[dice_upto(d, (int64_t)set->task_count - 1)];
}

static struct segment *any_segment(const struct task *t, struct dice *d)
{
	return &t->segments[dice_upto(d, (int64_t)t->segment_count - 1)];
}

/* A deadline at the period stays there. */
static void move_period(struct taskset *set, struct dice *d)
{
	struct task *t = any_task(set, d);
	bool implicit = t->deadline_ns == t->period_ns;
	int64_t period = near(d, t->period_ns);
	if (dice_upto(d, 5) == 0 &&
		!checked_mul(any_task(set, d)->period_ns, 1 + dice_upto(d, PERIODS_MOST - 1), &period))
		return;
	t->period_ns = period < 1 ? 1 : period;
	if (implicit || t->deadline_ns > t->period_ns)
		t->deadline_ns = t->period_ns;
}

static void move_deadline(struct taskset *set, struct dice *d)
{
	struct task *t = any_task(set, d);
	int64_t deadline = near(d, t->deadline_ns);
	bool inside = deadline >= 1 && deadline <= t->period_ns && dice_upto(d, 1);
	t->deadline_ns = inside ? deadline : t->period_ns;
}

static bool has_number(const struct segment *s)
{
	return variant_has_length(s) && !s->times && !s->samples;
}

/* A best case keeps its share of the worst. */
static void move_worst(struct taskset *set, struct dice *d)
{
	struct segment *s = any_segment(any_task(set, d), d);
	const struct segment *other = any_segment(any_task(set, d), d);
	if (!has_number(s) || s->worst_ns == 0 || s->worst_ns > INT64_MAX / 1000000)
		return;
	int64_t worst = dice_upto(d, 3) ? near(d, s->worst_ns) : other->worst_ns;
	int64_t share = s->best_ns * 1000000 / s->worst_ns;
	s->worst_ns = worst < 1 ? 1 : worst;
	if (s->best_ns == s->worst_ns || s->worst_ns > INT64_MAX / 1000000)
		s->best_ns = s->worst_ns;
	else
		s->best_ns = s->worst_ns * share / 1000000;
}

static void move_best(struct taskset *set, struct dice *d)
{
	struct segment *s = any_segment(any_task(set, d), d);
	int64_t how = dice_upto(d, 2);
	if (!has_number(s))
		return;
	s->best_ns = how == 0 ? 0 : how == 1 ? s->worst_ns : dice_upto(d, s->worst_ns);
}

typedef void move_fn(struct taskset *set, struct dice *d);

void mutate(struct taskset *set, struct dice *dice)
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
		moves[dice_upto(dice, sizeof(moves) / sizeof(*moves) - 1)](set, dice);
}
