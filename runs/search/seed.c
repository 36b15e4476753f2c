/* runs/search/seed.c - see runs/search/seed.h. Times are relative to the release of the target's job; at the
 * end all are shifted so that none is before 0. How tasks delay each other before they meet is ignored; the
 * climb takes care of that. */
#include "runs/search/seed.h"

#include "analysis/window.h"

#define WINDOW_SEGMENTS 64u

static int64_t worst(const struct genome_space *s, uint32_t task, uint32_t segment)
{
	return s->worst[s->first_segment[task] + segment];
}

/* Worst-case time of the segments before this one. */
static int64_t before(const struct genome_space *s, uint32_t task, uint32_t segment)
{
	int64_t sum = 0;
	for (uint32_t k = 0; k < segment; k++)
		sum += worst(s, task, k);
	return sum;
}

static enum segment_kind kind(const struct genome_space *s, uint32_t task, uint32_t segment)
{
	return s->set->tasks[task].segments[segment].kind;
}

/* A task's CPU segments as a window (analysis/window.h); `index` gives the task's segment for each of the
 * window's. False: there are none, or too many, or they leave no room in a period. */
static bool cpu_window(const struct genome_space *s, uint32_t task, struct window *w, int64_t *length,
	int64_t *inner, uint32_t *index)
{
	const struct task *t = &s->set->tasks[task];
	int64_t gap = 0, ahead = 0, sum = 0;
	*w = (struct window){.length = length, .inner = inner, .period = t->period_ns};
	for (uint32_t k = 0; k < s->segments[task]; k++) {
		if (kind(s, task, k) != SEGMENT_CPU) {
			gap += s->best[s->first_segment[task] + k];
			continue;
		}
		if (w->count == WINDOW_SEGMENTS)
			return false;
		if (w->count == 0)
			ahead = gap;
		else
			inner[w->count - 1] = gap;
		sum += worst(s, task, k) + (w->count ? gap : 0);
		index[w->count] = k;
		length[w->count++] = worst(s, task, k);
		gap = 0;
	}
	w->first_wrap = t->period_ns - t->deadline_ns + gap + ahead;
	w->tail = t->period_ns - sum;
	return w->count > 0 && w->tail >= 0;
}

static uint32_t heaviest_start(const struct genome_space *s, uint32_t task, int64_t within)
{
	int64_t length[WINDOW_SEGMENTS], inner[WINDOW_SEGMENTS], most = -1;
	uint32_t index[WINDOW_SEGMENTS], best = 0;
	struct window w;
	if (!cpu_window(s, task, &w, length, inner, index))
		return 0;
	for (uint32_t h = 0; h < w.count; h++) {
		int64_t work = window_work(&w, h, within);
		if (work > most) {
			most = work;
			best = index[h];
		}
	}
	return best;
}

/* The most a task can compute in a window of this length. */
static int64_t most_work(const struct genome_space *s, uint32_t task, int64_t within)
{
	int64_t length[WINDOW_SEGMENTS], inner[WINDOW_SEGMENTS];
	uint32_t index[WINDOW_SEGMENTS];
	struct window w;
	return cpu_window(s, task, &w, length, inner, index) ? window_most(&w, within) : 0;
}

#define PATIENCE 100

/* Estimates the target's worst response as an analysis sees it, to choose the windows: the least fixed point
 * of its own work and that of higher tasks on the core; at most its deadline. */
static int64_t expected_response(const struct plan *plan, const struct genome_space *s, uint32_t task)
{
	int64_t own = before(s, task, s->segments[task]), deadline = s->set->tasks[task].deadline_ns, x = own;
	for (int tries = 0; tries < PATIENCE && x < deadline; tries++) {
		int64_t next = own;
		for (uint32_t i = 0; i < s->tasks && next < deadline; i++)
			next += plan->rank[i] < plan->rank[task] ? most_work(s, i, x) : 0;
		if (next <= x)
			return x;
		x = next;
	}
	return deadline;
}

/* The longest copy or kernel; UINT32_MAX: it has none. */
static uint32_t longest_operation(const struct genome_space *s, uint32_t task)
{
	uint32_t longest = UINT32_MAX;
	for (uint32_t k = 0; k < s->segments[task]; k++)
		if (kind(s, task, k) != SEGMENT_CPU &&
			(longest == UINT32_MAX || worst(s, task, k) > worst(s, task, longest)))
			longest = k;
	return longest;
}

static uint32_t first_of_kind(const struct genome_space *s, uint32_t task, enum segment_kind wanted)
{
	for (uint32_t k = 0; k < s->segments[task]; k++)
		if (kind(s, task, k) == wanted)
			return k;
	return UINT32_MAX;
}

/* From segment `from` of the task's job 0 on, copies and kernels are as short as possible. */
static void hurry(const struct genome_space *s, struct genome *g, uint32_t task, uint32_t from)
{
	const int64_t *best = &s->best[s->first_segment[task]];
	for (uint32_t j = 0; j < s->jobs[task]; j++)
		for (uint32_t k = j == 0 ? from : 0; k < s->segments[task]; k++)
			if (kind(s, task, k) != SEGMENT_CPU)
				*genome_length(s, g, task, j, k) = best[k];
}

static void begin_at_zero(const struct genome_space *s, struct genome *g)
{
	int64_t least = INT64_MAX;
	for (uint32_t i = 0; i < s->tasks; i++)
		least = g->offset[i] < least ? g->offset[i] : least;
	for (uint32_t i = 0; i < s->tasks; i++)
		g->offset[i] -= least;
}

/* The instant at which the target's job, if nothing delays it, reaches the segment in question. */
static int64_t of_interest(const struct genome_space *s, const struct search_target *target)
{
	return target->segment == WHOLE_JOB ? 0 : before(s, target->task, target->segment);
}

void seed_guided(const struct plan *plan, const struct genome_space *space,
	const struct search_target *target, struct genome *g)
{
	uint32_t task = target->task;
	int64_t at = of_interest(space, target), within = expected_response(plan, space, task);
	genome_synchronous(space, g);
	*g->ties = TIES_LOWER_FIRST;
	for (uint32_t i = 0; i < space->tasks; i++) {
		if (i == task)
			continue;
		uint32_t operation = longest_operation(space, i), wanted = UINT32_MAX;
		if (plan->rank[i] > plan->rank[task] && operation != UINT32_MAX)
			wanted = first_of_kind(space, task, kind(space, i, operation));
		if (wanted != UINT32_MAX) {
			g->offset[i] = before(space, task, wanted) - before(space, i, operation);
			continue;
		}
		uint32_t start = heaviest_start(space, i, within);
		g->offset[i] = at - before(space, i, start);
		hurry(space, g, i, start);
	}
	begin_at_zero(space, g);
}

void seed_guided_randomly(const struct genome_space *space, const struct search_target *target,
	struct dice *dice, struct genome *g)
{
	uint32_t task = target->task;
	genome_synchronous(space, g);
	*g->ties = dice_upto(dice, 3) == 0 ? TIES_TASK_ORDER : TIES_LOWER_FIRST;
	for (uint32_t i = 0; i < space->tasks; i++) {
		if (i == task)
			continue;
		uint32_t start = (uint32_t)dice_upto(dice, (int64_t)space->segments[i] - 1);
		uint32_t meets = (uint32_t)dice_upto(dice, (int64_t)space->segments[task] - 1);
		g->offset[i] = before(space, task, meets) - before(space, i, start);
		int64_t how = dice_upto(dice, 3);
		if (how == 0)
			g->offset[i] -= worst(space, i, start);
		else if (how == 1)
			g->offset[i] -= before(space, task, meets);
		if (dice_upto(dice, 1) == 0)
			hurry(space, g, i, start);
	}
	begin_at_zero(space, g);
}
