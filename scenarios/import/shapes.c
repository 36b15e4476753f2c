/* scenarios/import/shapes.c - which jobs are alike, and whether different ones come in turn. */
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "scenarios/import/parts.h"

static const char what[] = "comparing jobs";

bool part_same(const struct capture_operation *a, const struct capture_operation *b)
{
	if (a->kind != b->kind || a->stream != b->stream)
		return false;
	if (a->kind == CAPTURE_KERNEL)
		return a->grid == b->grid && a->threads == b->threads && a->registers == b->registers &&
		       a->shared_memory == b->shared_memory && strcmp(a->name, b->name) == 0;
	return a->kind == CAPTURE_MEMSET || a->direction == b->direction;
}

uint64_t part_hash(const struct capture_operation *op)
{
	uint64_t hash = mix64((uint64_t)op->kind << 32 ^ op->stream);
	if (op->kind == CAPTURE_COPY)
		return mix64(hash ^ (uint64_t)op->direction);
	if (op->kind == CAPTURE_MEMSET)
		return hash;
	hash = mix64(hash ^ op->grid);
	hash = mix64(hash ^ ((uint64_t)op->threads << 32 | op->registers));
	hash = mix64(hash ^ (uint64_t)op->shared_memory);
	for (const char *c = op->name; *c; c++)
		hash = mix64(hash ^ (unsigned char)*c);
	return hash;
}

static bool same_jobs(const struct part_thread *t, const struct part_job *a, const struct part_job *b)
{
	if (a->count != b->count)
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (!part_same(t->operations[a->first + i].op, t->operations[b->first + i].op))
			return false;
	return true;
}

static uint64_t hash_job(const struct part_thread *t, const struct part_job *job)
{
	uint64_t hash = job->count;
	for (uint32_t i = 0; i < job->count; i++)
		hash = mix64(hash ^ t->operations[job->first + i].hash);
	return hash;
}

struct hashed {
	uint64_t hash;
	uint32_t job;
};

static int compare_hashes(const void *a, const void *b)
{
	const struct hashed *x = a, *y = b;
	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

/* The shape of each job, numbered from 0 in order of appearance. */
static bool number_shapes(struct import *im, const struct part_thread *t, const struct part_job *jobs,
	uint32_t count, uint32_t *shape, uint32_t *shapes, struct error *err)
{
	struct hashed *order = arena_new(&im->arena, struct hashed, count);
	uint32_t *first = arena_new(&im->arena, uint32_t, count); /* job that each one is like */
	if (!order || !first)
		return error_memory(err, what);
	for (uint32_t i = 0; i < count; i++)
		order[i] = (struct hashed){hash_job(t, &jobs[i]), i};
	qsort(order, count, sizeof(*order), compare_hashes);
	for (uint32_t i = 0, like = 0; i < count; i++) {
		uint32_t job = order[i].job;
		if (i == 0 || order[i].hash != order[i - 1].hash || !same_jobs(t, &jobs[like], &jobs[job]))
			like = job;
		first[job] = like;
	}
	*shapes = 0;
	for (uint32_t i = 0; i < count; i++)
		shape[i] = first[i] == i ? (*shapes)++ : shape[first[i]];
	return true;
}

/* A turn: jobs whose shapes repeat, turn by turn. */
struct turn {
	uint32_t from, steps, times;
};

#define STEPS_MAX 64u /* of a turn */

/* The turn that covers the most jobs, the shortest of these. */
static struct turn find_turn(const uint32_t *shape, uint32_t count)
{
	struct turn best = {0};
	for (uint32_t steps = 1; steps <= count / 2 && steps <= STEPS_MAX; steps++) {
		for (uint32_t from = 0, to; from + steps < count; from = to) {
			for (to = from; to + steps < count && shape[to] == shape[to + steps]; to++)
				;
			uint32_t times = to > from ? (to - from + steps) / steps : 0;
			if (times >= 2 && times * steps > best.times * best.steps)
				best = (struct turn){from, steps, times};
			to += to == from;
		}
	}
	return best;
}

/* ---- Tasks ---- */

/* A loop that waits for nothing begins its next job within a twentieth of the last one's length. */
static bool goes_on_at_once(const struct part_job *jobs, const struct turn *turn)
{
	uint32_t close = 0, pairs = turn->steps * turn->times - 1;
	for (uint32_t i = turn->from; i < turn->from + pairs; i++) {
		int64_t length = jobs[i].end_ns - jobs[i].release_ns;
		close += jobs[i + 1].release_ns - jobs[i].end_ns <= length / 20;
	}
	return close * 2 > pairs;
}

/* The time between two steps is none of any job: each place in the turn is a task. */
static bool take_places(struct import *im, const struct part_job *jobs, const struct turn *turn,
	struct part_task **tasks, uint32_t *task_count, uint64_t *covered, struct error *err)
{
	struct part_task *all = arena_new(&im->arena, struct part_task, turn->steps);
	if (!all)
		return error_memory(err, what);
	for (uint32_t k = 0; k < turn->steps; k++) {
		struct part_job *own = arena_new(&im->arena, struct part_job, turn->times);
		if (!own)
			return error_memory(err, what);
		for (uint32_t i = 0; i < turn->times; i++) {
			own[i] = jobs[turn->from + i * turn->steps + k];
			*covered += own[i].count;
		}
		all[k] = (struct part_task){
			.jobs = own, .count = turn->times, .steps = 1, .turn = turn->steps};
	}
	*tasks = all;
	*task_count = turn->steps;
	return true;
}

/* The steps of a turn are one job. */
static bool take_turn(struct import *im, const struct part_job *jobs, const struct turn *turn,
	struct part_task **tasks, uint32_t *task_count, uint64_t *covered, struct error *err)
{
	struct part_task *task = arena_new(&im->arena, struct part_task, 1);
	struct part_job *merged = arena_new(&im->arena, struct part_job, turn->times);
	if (!task || !merged)
		return error_memory(err, what);
	for (uint32_t i = 0; i < turn->times; i++) {
		const struct part_job *first = &jobs[turn->from + i * turn->steps];
		const struct part_job *last = first + turn->steps - 1;
		merged[i] = (struct part_job){
			.first = first->first,
			.count = last->first + last->count - first->first,
			.release_ns = first->release_ns,
			.end_ns = first->end_ns,
		};
		for (const struct part_job *j = first; j <= last; j++)
			if (j->end_ns > merged[i].end_ns)
				merged[i].end_ns = j->end_ns;
		*covered += merged[i].count;
	}
	*task = (struct part_task){
		.jobs = merged, .count = turn->times, .steps = turn->steps, .turn = turn->steps};
	*tasks = task;
	*task_count = 1;
	return true;
}

static bool take_shapes(struct import *im, const struct part_job *jobs, uint32_t count, const uint32_t *shape,
	uint32_t shapes, struct part_task **tasks, struct error *err)
{
	struct part_task *all = arena_new(&im->arena, struct part_task, shapes);
	if (!all)
		return error_memory(err, what);
	for (uint32_t i = 0; i < count; i++)
		all[shape[i]].count++;
	for (uint32_t k = 0; k < shapes; k++) {
		all[k].steps = 1;
		all[k].jobs = arena_new(&im->arena, struct part_job, all[k].count);
		all[k].count = 0;
		if (!all[k].jobs)
			return error_memory(err, what);
	}
	for (uint32_t i = 0; i < count; i++)
		all[shape[i]].jobs[all[shape[i]].count++] = jobs[i];
	*tasks = all;
	return true;
}

bool part_tasks(struct import *im, const struct part_thread *thread, struct part_job *jobs, uint32_t count,
	struct part_task **tasks, uint32_t *task_count, uint64_t *covered, struct error *err)
{
	uint32_t *shape = arena_new(&im->arena, uint32_t, count);
	if (!shape)
		return error_memory(err, what);
	if (!number_shapes(im, thread, jobs, count, shape, task_count, err))
		return false;
	*covered = 0;
	struct turn turn = find_turn(shape, count);
	/* Jobs at the begin and the end of a program often differ: some may be left out. */
	if ((uint64_t)turn.times * turn.steps * 10 >= (uint64_t)count * 7)
		return turn.steps == 1 || goes_on_at_once(jobs, &turn)
			       ? take_turn(im, jobs, &turn, tasks, task_count, covered, err)
			       : take_places(im, jobs, &turn, tasks, task_count, covered, err);
	return take_shapes(im, jobs, count, shape, *task_count, tasks, err);
}
