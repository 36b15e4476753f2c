/* runs/replay/launches.c - translates recorded launches and copies into a task set.
 *
 * A stream is a FIFO in order of issue, and in the model an operation is issued when it is ready. So each
 * operation is a task of its own. Then the copy behind a kernel, which was issued with the kernel, comes in
 * the stream before the copy in front of the next kernel, even if the first kernel runs late. */
#include "runs/replay/launches.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"

struct launch_operation {
	int64_t time_ns;                  /* of issue */
	uint32_t order;                   /* position in the process, for equal times */
	uint32_t kernel;                  /* index into replay.kernels */
	const struct recorded_copy *copy; /* NULL: the kernel itself */
};

struct launch_making {
	struct launches *launches;
	const struct replay *replay;
	const struct replay_request *request;
	struct diagnostics *diagnostics;
	struct launch_operation *operations;
	uint32_t count;
};

/* ---- Operations in order of issue ---- */

static void add_operation(
	struct launch_making *m, int64_t time_ns, uint32_t kernel, const struct recorded_copy *copy)
{
	m->operations[m->count] = (struct launch_operation){time_ns, m->count, kernel, copy};
	m->count++;
}

/* Copies are sorted by log and kernel. */
static const struct recorded_copy *first_copy(
	const struct recorded_copies *copies, uint32_t log, uint32_t kernel)
{
	uint32_t low = 0, high = copies->count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct recorded_copy *copy = &copies->copies[middle];
		if (copy->log < log || (copy->log == log && copy->kernel < kernel))
			low = middle + 1;
		else
			high = middle;
	}
	return copies->copies + low;
}

static void add_copies(struct launch_making *m, uint32_t kernel, enum copy_direction direction)
{
	const struct replay_kernel *k = &m->replay->kernels[kernel];
	const struct recorded_copies *copies = m->request->copies;
	uint32_t log = (uint32_t)(k->log - m->request->logs),
		 number = (uint32_t)(k->kernel - k->log->kernels);
	int64_t time_ns = direction == COPY_TO_GPU ? k->kernel->call_ns : k->kernel->launch_ns;
	if (!copies || copies->count == 0)
		return;
	const struct recorded_copy *end = copies->copies + copies->count;
	const struct recorded_copy *copy = first_copy(copies, log, number);
	for (; copy < end && copy->log == log && copy->kernel == number; copy++)
		if (copy->direction == direction)
			add_operation(m, time_ns, kernel, copy);
}

static int compare_operations(const void *a, const void *b)
{
	const struct launch_operation *x = a, *y = b;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static bool list_operations(struct launch_making *m, uint32_t process)
{
	uint32_t copies = m->request->copies ? m->request->copies->count : 0;
	m->operations = calloc((size_t)m->replay->kernel_count + copies, sizeof(*m->operations));
	if (!m->operations)
		return false;
	for (uint32_t k = 0; k < m->replay->kernel_count; k++) {
		if (m->replay->kernels[k].process != process)
			continue;
		add_copies(m, k, COPY_TO_GPU);
		add_operation(m, m->replay->kernels[k].kernel->launch_ns, k, NULL);
		add_copies(m, k, COPY_TO_CPU);
	}
	qsort(m->operations, m->count, sizeof(*m->operations), compare_operations);
	return true;
}

/* ---- Tasks ---- */

/* Gives every block the time that it took. The segment's best and worst case are those of the longest
 * block. */
static bool fill_times(struct launch_making *m, const struct log_kernel *k, struct segment *s)
{
	struct block_times *times = arena_new(&m->launches->set.arena, struct block_times, 1);
	struct block_time *block = arena_new(&m->launches->set.arena, struct block_time, k->blocks);
	if (!times || !block)
		return false;
	for (uint32_t b = 0; b < k->blocks; b++) {
		block[b].best_ns = block[b].worst_ns = log_block_ns(k, b);
		s->worst_ns = block[b].worst_ns > s->worst_ns ? block[b].worst_ns : s->worst_ns;
	}
	s->best_ns = s->worst_ns;
	*times = (struct block_times){.own_draws = true, .count = k->blocks, .block = block};
	s->times = times;
	return true;
}

static bool fill_segment(struct launch_making *m, const struct launch_operation *o, struct segment *s)
{
	const struct replay_kernel *k = &m->replay->kernels[o->kernel];
	*s = (struct segment){
		.kind = SEGMENT_COPY,
		.stream = k->stream,
		.stream_high = k->log->high_priority,
		.bytes = -1,
		.profile = -1,
	};
	if (o->copy) {
		s->direction = o->copy->direction;
		s->best_ns = s->worst_ns = o->copy->length_ns;
		return true;
	}
	s->kind = SEGMENT_KERNEL;
	s->form = KERNEL_GRID;
	s->grid = k->kernel->blocks;
	s->block = k->kernel->threads;
	s->shared_memory = k->kernel->shared_memory;
	return fill_times(m, k->kernel, s);
}

static bool fill_task(struct launch_making *m, uint32_t index)
{
	struct launches *l = m->launches;
	const struct launch_operation *o = &m->operations[index];
	struct task *t = &l->set.tasks[index];
	t->name = m->replay->kernels[o->kernel].kernel->name;
	t->period_ns = t->deadline_ns = l->setup.horizon_ns;
	t->segments = arena_new(&l->set.arena, struct segment, 1);
	t->segment_count = 1;
	t->release = arena_new(&l->set.arena, struct release_rule, 1);
	int64_t *instant = arena_new(&l->set.arena, int64_t, 1);
	if (!t->segments || !t->release || !instant)
		return false;
	*instant = o->time_ns - l->base_ns;
	*t->release = (struct release_rule){.kind = RELEASE_TRACE, .trace_ns = instant, .trace_count = 1};
	if (!fill_segment(m, o, t->segments))
		return false;
	l->kernel_of[index] = o->copy ? NO_KERNEL : o->kernel;
	return true;
}

/* The time of an operation if its blocks run one after the other; false: no 64-bit number. */
static bool all_of(const struct launch_making *m, const struct launch_operation *o, int64_t *work)
{
	const struct log_kernel *k = m->replay->kernels[o->kernel].kernel;
	*work = o->copy ? o->copy->length_ns : 0;
	for (uint32_t b = 0; !o->copy && b < k->blocks; b++)
		if (!checked_add(*work, log_block_ns(k, b), work))
			return false;
	return true;
}

/* The limit is so late that all operations could run one after the other after the last launch: so a run
 * never reaches it. */
static bool fill_setup(struct launch_making *m, struct error *err)
{
	struct launches *l = m->launches;
	int64_t span, work, limit;
	l->base_ns = m->operations[0].time_ns;
	bool fits = checked_add(m->operations[m->count - 1].time_ns - l->base_ns, 1, &span);
	limit = span;
	for (uint32_t i = 0; fits && i < m->count; i++)
		fits = all_of(m, &m->operations[i], &work) && checked_add(limit, work, &limit);
	if (!fits || limit == INT64_MAX)
		return error_set(err, STATUS_INPUT,
			"the times in the logs add up to more than 64 bits of nanoseconds");
	l->setup = (struct run_setup){
		.horizon_ns = span, .stop = STOP_DRAINED, .limit_ns = limit + 1, .seed = 1};
	return true;
}

static void report(void *self, uint32_t task, uint32_t segment, const char *text)
{
	const struct launch_making *m = self;
	(void)segment;
	const struct replay_kernel *k = &m->replay->kernels[m->operations[task].kernel];
	diagnostics_add(
		&m->diagnostics[k->log - m->request->logs], k->kernel->line, k->kernel->column, "%s", text);
}

static bool fill_set(struct launch_making *m, struct error *err)
{
	struct launches *l = m->launches;
	l->set.tasks = arena_new(&l->set.arena, struct task, m->count);
	l->kernel_of = arena_new(&l->set.arena, uint32_t, m->count);
	if (!l->set.tasks || !l->kernel_of)
		return error_memory(err, "replaying logs");
	l->set.task_count = m->count;
	for (uint32_t i = 0; i < m->count; i++)
		if (!fill_task(m, i))
			return error_memory(err, "replaying logs");
	return taskset_check(&l->set, m->request->platform, report, m) == 0 ||
	       error_set(err, STATUS_INPUT, "there are kernels that the platform '%s' cannot run",
		       m->request->platform->name);
}

bool launches_make(struct launches *l, const struct replay *replay, uint32_t process,
	const struct replay_request *request, struct diagnostics *diagnostics, struct error *err)
{
	struct launch_making m = {
		.launches = l, .replay = replay, .request = request, .diagnostics = diagnostics};
	*l = (struct launches){0};
	taskset_init(&l->set);
	bool ok = list_operations(&m, process) || error_memory(err, "replaying logs");
	ok = ok && fill_setup(&m, err) && fill_set(&m, err);
	free(m.operations);
	return ok;
}

void launches_finish(struct launches *l)
{
	taskset_finish(&l->set);
}
