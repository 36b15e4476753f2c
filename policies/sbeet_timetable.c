/* policies/sbeet_timetable.c - Q^w of sBEET's Algorithm 2: the units that wait, and those that are expected
 * because job k of a task is released at offset + k * period. See policies/sbeet.h.
 *
 * The expected units of one section come in order, so all of them in order are a merge, which stops where
 * nobody looks further. */
#include "base/units.h"
#include "policies/sbeet.h"

/* (r, d, task), and in the order of the job for what is left. */
static bool before(const struct sbeet_unit *a, const struct sbeet_unit *b)
{
	if (a->ready != b->ready)
		return a->ready < b->ready;
	if (a->deadline != b->deadline)
		return a->deadline < b->deadline;
	if (a->section->task != b->section->task)
		return a->section->task < b->section->task;
	return a->job != b->job ? a->job < b->job : a->section->index < b->section->index;
}

/* (d, r, task). Units of equal d have the order of r, d and task. */
static bool more_urgent(const struct sbeet_unit *a, const struct sbeet_unit *b)
{
	return a->deadline != b->deadline ? a->deadline < b->deadline : before(a, b);
}

static bool refuse_window(struct plan *plan, int64_t window, int128 bytes)
{
	if (bytes <= SBEET_MEMORY)
		return false;
	char ahead[UNIT_TEXT_MAX];
	unit_format(UNIT_TIME, window, ahead);
	sbeet_refuse(plan, SBEET_NOBODY,
	        "a unit of sbeet may last %s; the jobs expected in that time would need %lld MiB", ahead,
	        (long long)(bytes >> 20));
	return true;
}

bool sbeet_timetable_init(struct sbeet_timetable *t, struct plan *plan, const struct sbeet_model *model,
        int64_t window, struct error *err)
{
	const struct taskset *set = model->set;
	/* One of each task may wait; r = offset + before + k * T lies in an open interval of `window` at most
	 * window / T + 1 times. */
	int128 units = set->task_count;
	for (uint32_t i = 0; i < model->sections; i++)
		units += window / set->tasks[model->section[i].task].period_ns + 1;
	if (refuse_window(plan, window, units * (sizeof *t->unit + sizeof *t->by_deadline)))
		return true;
	*t = (struct sbeet_timetable){
	        .model = model,
	        .capacity = (uint32_t)units,
	        .unit = arena_new(plan->arena, struct sbeet_unit, (size_t)units),
	        .by_deadline = arena_new(plan->arena, uint32_t, (size_t)units),
	        .next = arena_new(plan->arena, struct sbeet_unit, model->sections),
	        .heap = arena_new(plan->arena, uint32_t, model->sections),
	        .seen = arena_new(plan->arena, struct sbeet_seen, set->task_count),
	};
	return (t->unit && t->by_deadline && t->next && t->heap && t->seen) ||
	       error_memory(err, "planning sbeet");
}

void sbeet_timetable_ready(struct sbeet_timetable *t, const struct sbeet_unit *unit)
{
	t->seen[unit->section->task] = (struct sbeet_seen){true, unit->job, unit->section->index};
}

/* ---- the heap of sections, the one with the earliest next unit on top ---- */

static void sink(struct sbeet_timetable *t, uint32_t at)
{
	uint32_t moved = t->heap[at];
	for (uint32_t child; (child = 2 * at + 1) < t->heap_count; at = child) {
		if (child + 1 < t->heap_count &&
		        before(&t->next[t->heap[child + 1]], &t->next[t->heap[child]]))
			child++;
		if (!before(&t->next[t->heap[child]], &t->next[moved]))
			break;
		t->heap[at] = t->heap[child];
	}
	t->heap[at] = moved;
}

/* Instants beyond INT64_MAX are never reached, nor are jobs that have no number. */
static void expect(struct sbeet_timetable *t, uint32_t i, int128 job)
{
	const struct sbeet_section *section = &t->model->section[i];
	const struct task *task = &t->model->set->tasks[section->task];
	int128 release = task->offset_ns + job * task->period_ns, ready = release + section->before;
	bool never = ready > INT64_MAX || job > UINT32_MAX;
	t->next[i] = (struct sbeet_unit){
	        .section = section,
	        .job = never ? UINT32_MAX : (uint32_t)job,
	        .ready = never ? INT64_MAX : (int64_t)ready,
	        .deadline = never ? INT64_MAX : (int64_t)release + task->deadline_ns - section->after,
	};
}

/* The first unit of section i that is ready later than now, and was not seen before. */
static int128 first_expected(const struct sbeet_timetable *t, uint32_t i)
{
	const struct sbeet_section *section = &t->model->section[i];
	const struct task *task = &t->model->set->tasks[section->task];
	const struct sbeet_seen *seen = &t->seen[section->task];
	int64_t first = later(task->offset_ns, section->before);
	int128 job = t->now < first ? 0 : (t->now - first) / task->period_ns + 1;
	int128 unseen = seen->any ? (int128)seen->job + (section->index <= seen->index) : 0;
	return job > unseen ? job : unseen;
}

void sbeet_timetable_begin(
        struct sbeet_timetable *t, int64_t now, const struct sbeet_unit *waiting, uint32_t count)
{
	t->now = now;
	t->count = t->waiting = count;
	t->sorted = t->heap_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = i;
		for (; at > 0 && before(&waiting[i], &t->unit[at - 1]); at--)
			t->unit[at] = t->unit[at - 1];
		t->unit[at] = waiting[i];
	}
}

static void fill_heap(struct sbeet_timetable *t)
{
	t->heap_count = t->model->sections;
	for (uint32_t i = 0; i < t->heap_count; i++) {
		expect(t, i, first_expected(t, i));
		t->heap[i] = i;
	}
	for (uint32_t i = t->heap_count / 2; i-- > 0;)
		sink(t, i);
}

/* ---- the order by deadline ---- */

static void sink_deadline(struct sbeet_timetable *t, uint32_t at, uint32_t count)
{
	uint32_t moved = t->by_deadline[at];
	for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
		const struct sbeet_unit *left = &t->unit[t->by_deadline[child]];
		if (child + 1 < count && more_urgent(left, &t->unit[t->by_deadline[child + 1]]))
			child++;
		if (!more_urgent(&t->unit[moved], &t->unit[t->by_deadline[child]]))
			break;
		t->by_deadline[at] = t->by_deadline[child];
	}
	t->by_deadline[at] = moved;
}

/* Heapsort: in place, and without a bad case. */
static void sort_by_deadline(struct sbeet_timetable *t)
{
	uint32_t count = t->count;
	for (uint32_t i = 0; i < count; i++)
		t->by_deadline[i] = i;
	for (uint32_t i = count / 2; i-- > 0;)
		sink_deadline(t, i, count);
	while (count > 1) {
		uint32_t last = t->by_deadline[--count];
		t->by_deadline[count] = t->by_deadline[0];
		t->by_deadline[0] = last;
		sink_deadline(t, 0, count);
	}
	t->sorted = t->count;
}

void sbeet_timetable_reach(struct sbeet_timetable *t, int64_t until)
{
	if (t->heap_count == 0)
		fill_heap(t);
	while (t->heap_count > 0 && t->next[t->heap[0]].ready < until && t->count < t->capacity) {
		uint32_t i = t->heap[0];
		t->unit[t->count++] = t->next[i];
		expect(t, i, (int128)t->next[i].job + 1);
		sink(t, 0);
	}
	if (t->sorted < t->count)
		sort_by_deadline(t);
}
