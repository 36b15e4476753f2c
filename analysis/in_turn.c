/* analysis/in_turn.c - see analysis/in_turn.h. The set without: all operations are waited for, and there are
 * no waits. Both have the same schedules if
 *
 * (a) operations of a job that are in flight together are of one hardware queue, which no other task uses,
 * and of which no NULL stream is in the way; (b) a job that has operations in flight comes to no CPU segment;
 * (c) there are no overheads.
 *
 * Proof, by induction over the operations of a section. By (a) the queue holds operations of this job alone,
 * in the order of its segments, so the first is eligible when it is issued, and each later one when the one
 * before it ends: what it comes after stands in front of it. With waiting it is issued at that very instant,
 * into an empty queue, and so eligible then, too. By (b) the job itself goes on to something else than
 * operations only when the last one has ended, as it does with waiting. By (c) to issue takes no time. So
 * each operation enters the queue of its resource at the same instant, with its task's place among ties, and
 * resources see no difference. */
#include "analysis/in_turn.h"

#include <inttypes.h>

/* A hardware queue, of whatever GPU: those of two GPUs are two. */
static uint64_t queue_of(const struct plan *plan, uint32_t task, const struct segment *s)
{
	uint32_t stream = s->stream == STREAM_OWN ? task : (uint32_t)s->stream;
	return (uint64_t)s->gpu << 32 | stream % platform_gpu(plan->platform, s->gpu)->work_queues;
}

static bool null_used(const struct plan *plan)
{
	for (uint32_t i = 0; i < plan->set->task_count; i++)
		for (uint32_t j = 0; j < plan->set->tasks[i].segment_count; j++) {
			const struct segment *s = &plan->set->tasks[i].segments[j];
			if (segment_is_operation(s) && s->stream == STREAM_NULL)
				return true;
		}
	return false;
}

static bool others_use(const struct plan *plan, uint32_t task, uint64_t queue)
{
	for (uint32_t i = 0; i < plan->set->task_count; i++)
		for (uint32_t j = 0; i != task && j < plan->set->tasks[i].segment_count; j++) {
			const struct segment *s = &plan->set->tasks[i].segments[j];
			if (segment_is_operation(s) && queue_of(plan, i, s) == queue)
				return true;
		}
	return false;
}

/* Whether a wait is for all that is in flight from `first` on: for the last of them, which ends last; and
 * those in front of it, as long as what is behind them may be of length zero. */
static bool waits_for_all(const struct plan *plan, uint32_t task, uint32_t wait, uint32_t first)
{
	const struct segment *s = plan->set->tasks[task].segments;
	for (uint32_t i = wait; i-- > first;) {
		if (s[i].async && !task_awaits(plan->set, task, wait, i))
			return false;
		if (s[i].async && s[i].best_ns > 0)
			return true;
	}
	return true;
}

/* Whether a task is one after the other; else *segment is where it is not. */
static bool is_in_turn(const struct plan *plan, uint32_t task, uint32_t *segment)
{
	const struct task *t = &plan->set->tasks[task];
	bool flying = false, waits_alone = true;
	uint64_t queue = 0;
	uint32_t first = 0;
	for (uint32_t i = 0; i < t->segment_count; i++) {
		const struct segment *s = &t->segments[i];
		*segment = i;
		waits_alone &= s->kind == SEGMENT_WAIT;
		if (s->kind == SEGMENT_WAIT) {
			flying = flying && !waits_for_all(plan, task, i, first);
			continue;
		}
		if (s->kind == SEGMENT_CPU && flying)
			return false;
		if (s->kind == SEGMENT_CPU)
			continue;
		if (flying && queue_of(plan, task, s) != queue)
			return false;
		if (s->async && !flying) {
			queue = queue_of(plan, task, s);
			first = i;
			if (others_use(plan, task, queue))
				return false;
		}
		flying = s->async || (flying && s->best_ns == 0); /* of length zero it waits for nobody */
	}
	return !waits_alone;
}

static bool make_task(const struct task *from, struct arena *arena, struct task *to)
{
	*to = *from;
	to->segments = arena_new(arena, struct segment, from->segment_count);
	if (!to->segments)
		return false;
	to->segment_count = 0;
	for (uint32_t i = 0; i < from->segment_count; i++) {
		if (from->segments[i].kind == SEGMENT_WAIT)
			continue;
		struct segment *s = &to->segments[to->segment_count++];
		*s = from->segments[i];
		s->async = false;
		s->graph = NULL; /* each node with a launch of its own is more than all with one */
		s->awaits = NULL;
		s->await_count = 0;
	}
	return true;
}

static bool any_flights(const struct taskset *set)
{
	for (uint32_t i = 0; i < set->task_count; i++)
		if (task_first_flight(&set->tasks[i]) < set->tasks[i].segment_count)
			return true;
	return false;
}

bool in_turn(struct plan *plan, struct taskset *set, struct arena *arena, struct verdict *v,
	struct error *err, bool *failed)
{
	*failed = false;
	if (!any_flights(plan->set))
		return true;
	if (platform_overheads(plan->platform) || null_used(plan))
		return verdict_in_turn(v, plan->set, "it holds for");
	*set = *plan->set;
	set->tasks = arena_new(arena, struct task, set->task_count);
	*failed = !set->tasks;
	for (uint32_t i = 0, at = 0; !*failed && i < set->task_count; i++) {
		if (!is_in_turn(plan, i, &at))
			return verdict_refuse(v, i,
				"segment %" PRIu32
				" of task '%.60s' may overlap operations in flight; it holds for "
				"operations that come one after the other",
				at, plan->set->tasks[i].name);
		*failed = !make_task(&plan->set->tasks[i], arena, &set->tasks[i]);
	}
	if (*failed)
		return error_memory(err, "an analysis of operations in flight");
	plan->set = set;
	return true;
}
