/* policies/sbeet/timetable.c - Q^w of sBEET's Algorithm 2: the units that wait, and those that are expected.
 * Expected are units of released jobs, and of the jobs that follow a task's last release, one period apart
 * (before its first release: from the offset on). See policies/sbeet/sbeet.h.
 *
 * The expected units of one section are in order. So all expected units in order are a merge of the sections,
 * which goes only as far as needed. */
#include "base/units.h"
#include "models/releases.h"
#include "policies/sbeet/sbeet.h"

/* (r, d, task); units that are equal in these go by job and section. */
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

/* The most releases of a trace in any `length` ns. */
static uint32_t most_traced(const struct run_setup *setup, const struct task *task, int64_t length)
{
	const struct release_rule *rule = release_rule_of(setup, task);
	uint32_t most = 0, first = 0;
	if (rule->kind != RELEASE_TRACE)
		return 0;
	for (uint32_t i = 0; i < rule->trace_count; i++) {
		while (first <= i && rule->trace_ns[i] - rule->trace_ns[first] >= length)
			first++;
		most = i + 1 - first > most ? i + 1 - first : most;
	}
	return most;
}

/* The releases of a timetable: all tasks are periodic, and no release is late. */
static bool next_planned(const void *self, uint32_t task, int64_t now, struct gate_release *r)
{
	const struct task *t = &((const struct taskset *)self)->tasks[task];
	int64_t at = r->jobs > 0 ? later(r->at, t->period_ns) : t->offset_ns;
	if (at > now)
		return false;
	*r = (struct gate_release){.jobs = r->jobs + 1, .at = at};
	return true;
}

bool sbeet_timetable_init(struct sbeet_timetable *t, struct plan *plan, const struct sbeet_model *model,
	int64_t window, struct error *err)
{
	const struct taskset *set = model->set;
	/* At most one unit per task waits. Releases a period apart, plus `before`, fall into an open interval
	 * of `window` at most window / T + 1 times. In a trace releases may have been closer. */
	int128 units = set->task_count;
	for (uint32_t i = 0; i < model->sections; i++) {
		const struct sbeet_section *section = &model->section[i];
		const struct task *task = &set->tasks[section->task];
		int64_t length = section->before < window ? section->before : window;
		units += window / task->period_ns + 1 + most_traced(plan->setup, task, length);
	}
	if (refuse_window(plan, window, units * (sizeof(*t->unit) + sizeof(*t->by_deadline))))
		return true;
	*t = (struct sbeet_timetable){
		.model = model,
		.capacity = (uint32_t)units,
		.unit = arena_new(plan->arena, struct sbeet_unit, (size_t)units),
		.by_deadline = arena_new(plan->arena, uint32_t, (size_t)units),
		.next = arena_new(plan->arena, struct sbeet_unit, model->sections),
		.heap = arena_new(plan->arena, uint32_t, model->sections),
		.seen = arena_new(plan->arena, struct sbeet_seen, set->task_count),
		.oldest = arena_new(plan->arena, struct gate_release, set->task_count),
		.releases = {.next = next_planned, .self = set},
	};
	return (t->unit && t->by_deadline && t->next && t->heap && t->seen && t->oldest) ||
	       error_memory(err, "planning sbeet");
}

void sbeet_timetable_forget(struct sbeet_timetable *t)
{
	for (uint32_t i = 0; i < t->model->set->task_count; i++) {
		t->seen[i].any = false;
		t->oldest[i] = (struct gate_release){0};
	}
}

void sbeet_timetable_ready(struct sbeet_timetable *t, const struct sbeet_unit *unit)
{
	t->seen[unit->section->task] = (struct sbeet_seen){true, unit->job, unit->section->index};
}

/* ---- the heap of sections, with the earliest next unit at the root ---- */

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

/* ---- expected units ---- */

/* The next unit is section i of the job with this release. Instants beyond INT64_MAX are never reached. */
static void expect(struct sbeet_timetable *t, uint32_t i, const struct gate_release *r)
{
	const struct sbeet_section *section = &t->model->section[i];
	int64_t deadline = t->model->set->tasks[section->task].deadline_ns;
	t->next[i] = (struct sbeet_unit){
		.section = section,
		.job = r->jobs - 1,
		.ready = later(r->at, section->before),
		.deadline = later(r->at, deadline) - section->after,
	};
}

/* Goes on to the release behind *r: the next one that has happened. If there is none, the first future one
 * for which the section is not over yet; these are multiples of the period after the last release (before the
 * first: after the offset). */
static void go_on(
	const struct sbeet_timetable *t, const struct sbeet_section *section, struct gate_release *r)
{
	const struct task *of = &t->model->set->tasks[section->task];
	if (t->releases.next(t->releases.self, section->task, t->now, r))
		return;
	int64_t at = r->jobs > 0 ? later(r->at, of->period_ns) : of->offset_ns,
		ready = later(at, section->before);
	int64_t passed = ready > t->now ? 0 : (t->now - ready) / of->period_ns + 1;
	int128 first = at + (int128)passed * of->period_ns, jobs = (int128)r->jobs + 1 + passed;
	r->at = first < INT64_MAX ? (int64_t)first : INT64_MAX;
	r->jobs = jobs < UINT32_MAX ? (uint32_t)jobs : UINT32_MAX;
}

/* Whether the section of this job, or a later one, has been at the gate. */
static bool has_stood(const struct sbeet_seen *seen, uint32_t job, uint32_t index)
{
	return seen->any && (job < seen->job || (job == seen->job && index <= seen->index));
}

/* Skips jobs of which no unit is expected any more. */
static void forget_old(struct sbeet_timetable *t, uint32_t task)
{
	uint32_t sections = sbeet_sections_of(t->model, task);
	struct gate_release *oldest = &t->oldest[task], next = *oldest;
	if (sections == 0)
		return;
	const struct sbeet_section *last = sbeet_section(t->model, task, sections - 1);
	while ((oldest->jobs == 0 || later(oldest->at, last->before) <= t->now ||
		       has_stood(&t->seen[task], oldest->jobs - 1, last->index)) &&
		t->releases.next(t->releases.self, task, t->now, &next))
		*oldest = next;
}

/* Finds the first unit of section i that becomes ready after now and has not been seen. */
static void expect_first(struct sbeet_timetable *t, uint32_t i)
{
	const struct sbeet_section *section = &t->model->section[i];
	struct gate_release r = t->oldest[section->task];
	while (r.jobs == 0 || later(r.at, section->before) <= t->now ||
		has_stood(&t->seen[section->task], r.jobs - 1, section->index))
		go_on(t, section, &r);
	expect(t, i, &r);
}

/* Goes on to the same section of the next job. */
static void expect_next(struct sbeet_timetable *t, uint32_t i)
{
	const struct sbeet_unit *unit = &t->next[i];
	struct gate_release r = {.jobs = unit->job + 1, .at = unit->ready - unit->section->before};
	go_on(t, unit->section, &r);
	expect(t, i, &r);
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
	for (uint32_t task = 0; task < t->model->set->task_count; task++)
		forget_old(t, task);
	t->heap_count = 0;
	for (uint32_t i = 0; i < t->model->sections; i++) {
		if (t->home && t->home[t->model->section[i].task] != t->gpu)
			continue;
		expect_first(t, i);
		t->heap[t->heap_count++] = i;
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

/* Heapsort: in place, and without a slow worst case. */
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
		expect_next(t, i);
		sink(t, 0);
	}
	if (t->sorted < t->count)
		sort_by_deadline(t);
}
