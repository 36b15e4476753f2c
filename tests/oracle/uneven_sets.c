/* tests/oracle/uneven_sets.c - gives the blocks of random grids different times. */
#include "tests/oracle/dice.h"
#include "tests/oracle/random_sets.h"

/* Makes shares; at least one is 1. Often there are few different shares, so that blocks end together. */
static void make_shares(struct dice *d, struct block_times *times)
{
	static const int64_t shares[] = {500000, 500000, 250000, 333333, 1, 999999};
	for (uint32_t b = 0; b < times->count; b++)
		times->block[b].share_ppm = once_in(d, 3) ? 1000000 : shares[roll(d) % 6];
	times->block[roll(d) % times->count].share_ppm = 1000000;
}

/* Makes times near those of the segment. The segment's ends become those of the longest block. */
static void make_own(struct dice *d, struct block_times *times, struct segment *s)
{
	int64_t most = 2 * s->worst_ns + 1;
	s->best_ns = s->worst_ns = 0;
	for (uint32_t b = 0; b < times->count; b++) {
		struct block_time *t = &times->block[b];
		t->worst_ns = between(d, 1, most);
		t->best_ns = once_in(d, 3) ? t->worst_ns : between(d, 1, t->worst_ns);
		s->best_ns = t->best_ns > s->best_ns ? t->best_ns : s->best_ns;
		s->worst_ns = t->worst_ns > s->worst_ns ? t->worst_ns : s->worst_ns;
	}
}

static void make_times(struct dice *d, struct random_case *c, struct segment *s)
{
	struct block_times *times = random_case_room(c, 1, sizeof(*times));
	times->own_draws = once_in(d, 2);
	times->count = once_in(d, 4) ? s->grid : small(d, 1, s->grid < 4 ? s->grid : 4);
	times->block = random_case_room(c, times->count, sizeof(*times->block));
	if (times->own_draws)
		make_own(d, times, s);
	else
		make_shares(d, times);
	s->times = times;
}

static bool has_own_times(const struct task *t)
{
	bool own = false;
	for (uint32_t k = 0; k < t->segment_count; k++)
		own |= t->segments[k].times && t->segments[k].times->own_draws;
	return own;
}

static struct release_rule *make_trace(struct random_case *c, const struct task *t)
{
	struct release_rule *rule = random_case_room(c, 1, sizeof(*rule));
	rule->kind = RELEASE_TRACE;
	rule->trace_count = 4;
	rule->trace_ns = random_case_room(c, rule->trace_count, sizeof(*rule->trace_ns));
	for (uint32_t job = 0; job < rule->trace_count; job++)
		rule->trace_ns[job] = t->offset_ns + job * t->period_ns;
	return rule;
}

/* A release trace without lengths gets lengths for such kernels, for some blocks above their worst time. */
static void make_lengths(struct dice *d, struct random_case *c, struct task *t)
{
	if (!t->release && has_own_times(t) && once_in(d, 3))
		t->release = make_trace(c, t);
	struct release_rule *rule = t->release;
	if (!rule || rule->kind != RELEASE_TRACE || rule->duration_count > 0)
		return;
	rule->durations =
		random_case_room(c, (size_t)rule->trace_count * t->segment_count, sizeof(*rule->durations));
	for (uint32_t job = 0; job < rule->trace_count; job++) {
		for (uint32_t k = 0; k < t->segment_count; k++) {
			const struct segment *s = &t->segments[k];
			if (s->times && !once_in(d, 3))
				rule->durations[rule->duration_count++] =
					(struct trace_duration){job, k, between(d, 0, s->worst_ns + 2)};
		}
	}
}

void random_case_uneven(struct dice *d, struct random_case *c)
{
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		for (uint32_t k = 0; k < c->set.tasks[i].segment_count; k++) {
			struct segment *s = &c->set.tasks[i].segments[k];
			if (s->kind == SEGMENT_KERNEL && s->form == KERNEL_GRID && !s->times && once_in(d, 2))
				make_times(d, c, s);
		}
		make_lengths(d, c, &c->set.tasks[i]);
	}
}
