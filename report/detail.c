/* report/detail.c - computes the sums behind a schedule's levels of detail, and rounds them.
 *
 * A cell is the part of a lane that a task had in a bin. The cells of a lane are in the order in which they
 * were added, which is nearly that of time. So the cell to be increased is mostly one of the last. When there
 * is no room for more cells, they are sorted, and those of the same bin and task are added up. So memory
 * depends on the cells that exist, not on all possible ones: most tasks are on few SMs at a time. */
#include "report/detail.h"

#include <assert.h>
#include <stdlib.h>

#include "base/checked.h"

#define CELLS_FIRST 64
#define CELLS_LOOKED_AT 8 /* how many of the last cells are searched for the same bin and task */

struct detail_cell {
	uint32_t place; /* bin and task: see place_of() */
	uint64_t sum;   /* capacity times ns, above 0 */
};

struct detail_lane {
	struct detail_cell *cell;
	size_t count, capacity;
};

static uint32_t place_of(size_t bin, size_t task)
{
	return (uint32_t)(bin << 16 | task);
}

static size_t bin_of(const struct detail_cell *c)
{
	return c->place >> 16;
}

static size_t task_of(const struct detail_cell *c)
{
	return c->place & 0xffff;
}

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

bool detail_begin(
	struct detail *d, size_t lanes, size_t tasks, size_t bins, int64_t bin_ns, struct error *err)
{
	assert(lanes > 0 && tasks > 0 && tasks <= DETAIL_TASKS_MAX && bins > 0 && bins <= DETAIL_BINS_MAX &&
		bin_ns > 0);
	*d = (struct detail){.lanes = lanes, .tasks = tasks, .bins = bins, .bin_ns = bin_ns};
	d->lane = calloc(lanes, sizeof(*d->lane));
	d->reached = calloc(lanes, tasks * sizeof(*d->reached));
	d->total = calloc(tasks, sizeof(*d->total));
	if (d->lane && d->reached && d->total)
		return true;
	detail_finish(d);
	return error_memory(err, "adding up a schedule");
}

void detail_finish(struct detail *d)
{
	for (size_t i = 0; d->lane && i < d->lanes; i++)
		free(d->lane[i].cell);
	free(d->lane);
	free(d->reached);
	free(d->total);
	*d = (struct detail){0};
}

static int compare_places(const void *a, const void *b)
{
	uint32_t x = ((const struct detail_cell *)a)->place, y = ((const struct detail_cell *)b)->place;
	return (x > y) - (x < y);
}

static bool too_long(struct error *err)
{
	return error_set(
		err, STATUS_INPUT, "the run is too long to be shown: threads times time leave 64 bits");
}

static bool grow(struct detail_cell *c, uint64_t amount, struct error *err)
{
	return !__builtin_add_overflow(c->sum, amount, &c->sum) || too_long(err);
}

/* Sorts by bin and task, and adds up equal ones. */
static bool settle(struct detail_lane *l, struct error *err)
{
	size_t kept = 0;
	if (l->count > 1)
		qsort(l->cell, l->count, sizeof(*l->cell), compare_places);
	for (size_t i = 0; i < l->count; i++) {
		if (kept == 0 || l->cell[kept - 1].place != l->cell[i].place)
			l->cell[kept++] = l->cell[i];
		else if (!grow(&l->cell[kept - 1], l->cell[i].sum, err))
			return false;
	}
	l->count = kept;
	return true;
}

/* Settles the lane. If it is still more than half full it gets twice the room, so that each cell is sorted
 * only a few times. */
static bool make_room(struct detail_lane *l, struct error *err)
{
	if (!settle(l, err))
		return false;
	if (l->capacity > 0 && l->count <= l->capacity / 2)
		return true;
	size_t capacity = l->capacity > 0 ? 2 * l->capacity : CELLS_FIRST;
	struct detail_cell *grown = realloc(l->cell, capacity * sizeof(*grown));
	if (!grown)
		return error_memory(err, "adding up a schedule");
	l->cell = grown;
	l->capacity = capacity;
	return true;
}

static bool add_to_bin(struct detail_lane *l, uint32_t place, int64_t time, int64_t weight, struct error *err)
{
	struct detail_cell cell = {.place = place};
	if (__builtin_mul_overflow((uint64_t)time, (uint64_t)weight, &cell.sum))
		return too_long(err);
	for (size_t i = l->count; i > 0 && l->count - i < CELLS_LOOKED_AT; i--)
		if (l->cell[i - 1].place == place)
			return grow(&l->cell[i - 1], cell.sum, err);
	if (l->count == l->capacity && !make_room(l, err))
		return false;
	l->cell[l->count++] = cell;
	return true;
}

bool detail_add(struct detail *d, size_t lane, size_t task, int64_t start, int64_t end, int64_t weight,
	struct error *err)
{
	assert(lane < d->lanes && task < d->tasks);
	if (start < 0)
		start = 0;
	if (start >= end || weight <= 0 || start / d->bin_ns >= (int64_t)d->bins)
		return true;
	size_t bin = (size_t)(start / d->bin_ns);
	int64_t begin = (int64_t)bin * d->bin_ns, rest = end - begin, before = start - begin;
	for (; bin < d->bins && rest > 0; bin++, rest -= d->bin_ns, before = 0) {
		int64_t until = rest < d->bin_ns ? rest : d->bin_ns;
		if (!add_to_bin(&d->lane[lane], place_of(bin, task), until - before, weight, err))
			return false;
	}
	return true;
}

bool detail_join(struct detail *d, size_t lane, size_t task, int64_t start, int64_t end, struct error *err)
{
	assert(lane < d->lanes && task < d->tasks);
	int64_t *reached = &d->reached[lane * d->tasks + task];
	if (start < *reached)
		start = *reached;
	if (start >= end)
		return true;
	*reached = end;
	return detail_add(d, lane, task, start, end, 1, err);
}

/* ---- results ---- */

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

static uint16_t share_of(uint128 sum, uint128 full)
{
	if (sum >= full)
		return DETAIL_FULL;
	uint128 share = (2 * DETAIL_FULL * sum + full) / (2 * full);
	return share < 1 ? 1 : (uint16_t)share;
}

static int compare_tasks(const void *a, const void *b)
{
	return *(const uint16_t *)a - *(const uint16_t *)b;
}

/* Adds the entries of one bin to *e, from the sums of the tasks that have one; resets these sums to zero. */
static bool add_bin(struct detail *d, size_t bin, const struct detail_cell *cell, size_t count, uint128 full,
	struct detail_entries *e, struct error *err)
{
	size_t first = e->count, tasks = 0;
	if (!reserve(e, count, err))
		return false;
	for (size_t i = 0; i < count; i++) {
		size_t task = task_of(&cell[i]);
		if (d->total[task] == 0)
			e->task[first + tasks++] = (uint16_t)task;
		d->total[task] += cell[i].sum;
	}
	qsort(&e->task[first], tasks, sizeof(e->task[0]), compare_tasks);
	for (size_t i = first; i < first + tasks; i++) {
		e->bin[i] = (uint16_t)bin;
		e->share[i] = share_of(d->total[e->task[i]], full);
		d->total[e->task[i]] = 0;
	}
	e->count += tasks;
	return true;
}

bool detail_entries(struct detail *d, size_t lane, size_t factor, int64_t capacity, struct detail_entries *e,
	struct error *err)
{
	assert(lane < d->lanes && factor > 0 && capacity > 0);
	struct detail_lane *l = &d->lane[lane];
	uint128 full = (uint128)(uint64_t)capacity * (uint64_t)d->bin_ns * factor;
	e->count = 0;
	if (!settle(l, err))
		return false;
	for (size_t i = 0, next = 0; i < l->count; i = next) {
		size_t bin = bin_of(&l->cell[i]) / factor;
		while (next < l->count && bin_of(&l->cell[next]) / factor == bin)
			next++;
		if (!add_bin(d, bin, &l->cell[i], next - i, full, e, err))
			return false;
	}
	return true;
}
