/* runs/search/exhaust.c - see runs/search/exhaust.h. A genome's number is a number in mixed radix, with one
 * digit for each axis. */
#include "runs/search/exhaust.h"

#include <inttypes.h>

#include "base/int128.h"

static void add_axis(struct exhaust *x, const struct genome *g, const int64_t *gene, int64_t first,
	int64_t step, uint64_t count)
{
	if (count > 1)
		x->axes[x->axis_count++] =
			(struct exhaust_axis){(uint32_t)(gene - g->ties), first, step, count};
}

static void add_task(
	struct exhaust *x, const struct genome *g, uint32_t task, int64_t step, int64_t most_extra)
{
	const struct genome_space *s = x->space;
	const int64_t *best = &s->best[s->first_segment[task]], *worst = &s->worst[s->first_segment[task]];
	int64_t offsets = (s->set->tasks[task].period_ns - 1) / step + 1;
	add_axis(x, g, &g->offset[task], 0, step, (uint64_t)offsets);
	for (uint32_t j = 1; j < s->jobs[task] && !s->periodic; j++)
		add_axis(x, g, &g->extra[s->first_job[task] + j], 0, step, (uint64_t)(most_extra / step) + 1);
	for (uint32_t j = 0; j < s->jobs[task]; j++)
		for (uint32_t k = 0; k < s->segments[task]; k++)
			add_axis(x, g, genome_length(s, g, task, j, k), worst[k], best[k] - worst[k],
				best[k] < worst[k] ? 2 : 1);
}

static bool count_all(struct exhaust *x, uint64_t limit, struct error *err)
{
	uint128 count = 1;
	bool beyond = false;
	for (uint32_t i = 0; i < x->axis_count && !beyond; i++) {
		count *= x->axes[i].count;
		beyond = count > UINT64_MAX;
	}
	x->count = beyond ? UINT64_MAX : (uint64_t)count;
	if (!beyond && count <= limit)
		return true;
	return error_set(err, STATUS_INPUT,
		"there are %s%" PRIu64 " combinations of offsets, separations and lengths, and "
		"the limit is %" PRIu64
		": a longer --step, fewer --jobs-per-task or a higher --limit may help",
		beyond ? "more than " : "", x->count, limit);
}

bool exhaust_init(struct exhaust *x, const struct genome_space *space, int64_t step, int64_t most_extra,
	uint64_t limit, struct arena *arena, struct error *err)
{
	struct genome g;
	*x = (struct exhaust){.space = space};
	x->axes = arena_new(arena, struct exhaust_axis, space->size);
	if (!x->axes || !genome_new(space, arena, &g))
		return error_memory(err, "an exhaustive search");
	step = step ? step : space->unit;
	add_axis(x, &g, g.ties, TIES_TASK_ORDER, TIES_LOWER_FIRST - TIES_TASK_ORDER, 2);
	for (uint32_t i = 0; i < space->tasks; i++)
		add_task(x, &g, i, step, most_extra);
	return count_all(x, limit, err);
}

void exhaust_genome(const struct exhaust *x, uint64_t index, struct genome *g)
{
	genome_synchronous(x->space, g);
	for (uint32_t i = 0; i < x->axis_count; i++) {
		const struct exhaust_axis *a = &x->axes[i];
		g->ties[a->at] = a->first + (int64_t)(index % a->count) * a->step;
		index /= a->count;
	}
}

static void keep(const struct evaluator *e, const struct search_target *target, uint64_t index,
	struct exhaust_best *best)
{
	int64_t response = target->segment == WHOLE_JOB ? e->longest[target->task] : e->longest_segment;
	if (response > best->response_ns)
		*best = (struct exhaust_best){response, evaluated_seen(e, target), index};
}

uint64_t exhaust_range(const struct exhaust *x, struct evaluator *e, uint64_t first, uint64_t count,
	const struct search_target *targets, uint32_t target_count, const atomic_bool *stop,
	struct exhaust_best *best, struct error *err)
{
	struct arena arena = {0};
	struct genome g;
	uint64_t done = 0;
	for (uint32_t t = 0; t < target_count; t++)
		best[t] = (struct exhaust_best){.response_ns = -1, .index = first};
	if (!genome_new(x->space, &arena, &g)) {
		error_memory(err, "an exhaustive search");
		done = UINT64_MAX;
		count = 0;
	}
	while (done < count && !(stop && atomic_load(stop))) {
		exhaust_genome(x, first + done, &g);
		if (evaluate(e, &g, &targets[0], err) < 0) {
			done = UINT64_MAX;
			break;
		}
		for (uint32_t t = 0; t < target_count; t++)
			keep(e, &targets[t], first + done, &best[t]);
		done++;
	}
	arena_finish(&arena);
	return done;
}
