/* report/detail.c - owns the sums behind a schedule's levels of detail, and their rounding. */
#include "report/detail.h"

#include <assert.h>
#include <stdlib.h>

#include "base/checked.h"

#define PIECE 256                 /* bins that get their memory together */

/* What a task had of a lane. */
struct detail_column {
	int64_t reached;          /* detail_join(): what is before counts already */
	uint64_t *piece[];        /* PIECE sums each; NULL: nothing there */
};

struct detail_plan detail_plan(int64_t intervals, int64_t end_ns)
{
	struct detail_plan plan = {0};
	int64_t bins = DETAIL_FIRST_BINS, step = 1;
	if (intervals <= DETAIL_FEW || end_ns <= 0)
		return plan;
	plan.levels = 1;
	while (intervals > DETAIL_PER_BIN * bins && bins * DETAIL_STEP <= DETAIL_BINS_MAX) {
		bins *= DETAIL_STEP;
		step *= DETAIL_STEP;
		plan.levels++;
	}
	plan.bin_ns = ceil_div(ceil_div(end_ns, DETAIL_FIRST_BINS), step * DETAIL_STEP) * DETAIL_STEP;
	plan.bins = (size_t)ceil_div(end_ns, plan.bin_ns);
	return plan;
}

size_t detail_factor(const struct detail_plan *plan, unsigned level)
{
	size_t factor = 1;
	for (unsigned l = level; l + 1 < plan->levels; l++)
		factor *= DETAIL_STEP;
	return factor;
}

static size_t pieces(const struct detail *d)
{
	return (d->bins + PIECE - 1) / PIECE;
}

bool detail_begin(struct detail *d, size_t lanes, size_t tasks, size_t bins, int64_t bin_ns, struct error *err)
{
	assert(lanes > 0 && tasks > 0 && tasks <= DETAIL_TASKS_MAX && bins > 0 && bin_ns > 0);
	*d = (struct detail){.lanes = lanes, .tasks = tasks, .bins = bins, .bin_ns = bin_ns};
	d->column = calloc(lanes, tasks * sizeof(struct detail_column *));
	if (d->column)
		return true;
	*d = (struct detail){0};
	return error_memory(err, "adding up a schedule");
}

void detail_finish(struct detail *d)
{
	for (size_t i = 0; i < d->lanes * d->tasks; i++) {
		for (size_t k = 0; d->column[i] && k < pieces(d); k++)
			free(d->column[i]->piece[k]);
		free(d->column[i]);
	}
	free(d->column);
	*d = (struct detail){0};
}

/* NULL: *err. */
static struct detail_column *column_of(struct detail *d, size_t lane, size_t task, struct error *err)
{
	assert(lane < d->lanes && task < d->tasks);
	struct detail_column **column = &d->column[lane * d->tasks + task];
	if (!*column)
		*column = calloc(1, sizeof(**column) + pieces(d) * sizeof((*column)->piece[0]));
	if (!*column)
		error_memory(err, "adding up a schedule");
	return *column;
}

static bool add_to_bin(struct detail_column *c, size_t bin, int64_t time, int64_t weight, struct error *err)
{
	uint64_t **piece = &c->piece[bin / PIECE], amount;
	if (!*piece)
		*piece = calloc(PIECE, sizeof(**piece));
	if (!*piece)
		return error_memory(err, "adding up a schedule");
	uint64_t *sum = &(*piece)[bin % PIECE];
	if (__builtin_mul_overflow((uint64_t)time, (uint64_t)weight, &amount) ||
		__builtin_add_overflow(*sum, amount, sum))
		return error_set(err, STATUS_INPUT, "the run is too long to be shown: threads times time leave 64 bits");
	return true;
}

static bool add_to_column(const struct detail *d, struct detail_column *c, int64_t start, int64_t end, int64_t weight,
	struct error *err)
{
	if (start < 0)
		start = 0;
	if (start >= end || start / d->bin_ns >= (int64_t)d->bins)
		return true;
	size_t bin = (size_t)(start / d->bin_ns);
	int64_t begin = (int64_t)bin * d->bin_ns, rest = end - begin, before = start - begin;
	for (; bin < d->bins && rest > 0; bin++, rest -= d->bin_ns, before = 0) {
		int64_t until = rest < d->bin_ns ? rest : d->bin_ns;
		if (!add_to_bin(c, bin, until - before, weight, err))
			return false;
	}
	return true;
}

bool detail_add(struct detail *d, size_t lane, size_t task, int64_t start, int64_t end, int64_t weight,
	struct error *err)
{
	if (start >= end || weight <= 0)
		return true;
	struct detail_column *c = column_of(d, lane, task, err);
	return c && add_to_column(d, c, start, end, weight, err);
}

bool detail_join(struct detail *d, size_t lane, size_t task, int64_t start, int64_t end, struct error *err)
{
	if (start >= end)
		return true;
	struct detail_column *c = column_of(d, lane, task, err);
	if (!c)
		return false;
	if (start < c->reached)
		start = c->reached;
	if (end > c->reached)
		c->reached = end;
	return add_to_column(d, c, start, end, 1, err);
}

/* --- handing out -------------------------------------------------------------------- */

static bool reserve(struct detail_entries *e, size_t more, struct error *err)
{
	if (e->count + more <= e->capacity)
		return true;
	size_t capacity = 2 * (e->count + more) + 1024;
	uint16_t **arrays[] = {&e->bin, &e->task, &e->share};
	for (size_t i = 0; i < 3; i++) {
		uint16_t *grown = realloc(*arrays[i], capacity * sizeof(*grown));
		if (!grown)
			return error_memory(err, "listing a level of detail");
		*arrays[i] = grown;
	}
	e->capacity = capacity;
	return true;
}

void detail_entries_finish(struct detail_entries *e)
{
	free(e->bin);
	free(e->task);
	free(e->share);
	*e = (struct detail_entries){0};
}

static uint128 sum_of(const struct detail *d, const struct detail_column *c, size_t first, size_t factor)
{
	uint128 sum = 0;
	for (size_t i = first; i < first + factor && i < d->bins; i++) {
		const uint64_t *piece = c->piece[i / PIECE];
		if (piece)
			sum += piece[i % PIECE];
		else
			i |= PIECE - 1;   /* the last of those that are not there */
	}
	return sum;
}

static uint16_t share_of(uint128 sum, uint128 full)
{
	if (sum >= full)
		return DETAIL_FULL;
	uint128 share = (2 * DETAIL_FULL * sum + full) / (2 * full);
	return share < 1 ? 1 : (uint16_t)share;
}

bool detail_entries(const struct detail *d, size_t lane, size_t factor, int64_t capacity, struct detail_entries *e,
	struct error *err)
{
	assert(lane < d->lanes && factor > 0 && capacity > 0);
	assert((d->bins + factor - 1) / factor <= DETAIL_BINS_MAX);
	struct detail_column **columns = &d->column[lane * d->tasks];
	uint128 full = (uint128)(uint64_t)capacity * (uint64_t)d->bin_ns * factor;
	e->count = 0;
	for (size_t first = 0, bin = 0; first < d->bins; first += factor, bin++) {
		for (size_t task = 0; task < d->tasks; task++) {
			uint128 sum = columns[task] ? sum_of(d, columns[task], first, factor) : 0;
			if (sum == 0)
				continue;
			if (!reserve(e, 1, err))
				return false;
			e->bin[e->count] = (uint16_t)bin;
			e->task[e->count] = (uint16_t)task;
			e->share[e->count++] = share_of(sum, full);
		}
	}
	return true;
}
