/* models/taskset.c - task sets: hyperperiod, utilisations, and what makes a set valid
 * on a platform; see models/taskset.h. */
#include "models/taskset.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/name_index.h"
#include "base/units.h"
#include "models/blocks.h"
#include "models/kernel.h"
#include "models/setup.h"

void taskset_init(struct taskset *set)
{
	*set = (struct taskset){0};
}

void taskset_finish(struct taskset *set)
{
	arena_finish(&set->arena);
	*set = (struct taskset){0};
}

uint32_t taskset_core(const struct taskset *set, const struct platform *platform, uint32_t task)
{
	const struct task *t = &set->tasks[task];
	return !set->cores || t->core < 0 || platform_global(platform) ? 0 : (uint32_t)t->core;
}

bool task_computes(const struct task *task)
{
	for (uint32_t i = 0; i < task->segment_count; i++)
		if (task->segments[i].kind == SEGMENT_CPU)
			return true;
	return false;
}

uint32_t taskset_processes(const struct taskset *set, uint32_t *process)
{
	struct name_index names;
	uint32_t count = 0;
	if (set->task_count == 0)
		return 0;
	name_index_init(&names, &set->tasks->process, sizeof(*set->tasks), set->task_count);
	for (uint32_t i = 0; i < set->task_count; i++) {
		uint32_t first = name_index_first(&names, set->tasks[i].process);
		process[i] = first < i ? process[first] : count++;
	}
	name_index_finish(&names);
	return count;
}

/* By its number: a task's own stream is that of its index. */
static int32_t stream_of(uint32_t task, const struct segment *s)
{
	return s->stream == STREAM_OWN ? (int32_t)task : s->stream;
}

bool task_awaits(const struct taskset *set, uint32_t task, uint32_t segment, uint32_t earlier)
{
	const struct segment *s = &set->tasks[task].segments[segment],
			     *e = &set->tasks[task].segments[earlier];
	if (earlier >= segment || !segment_is_operation(e))
		return false;
	for (uint32_t i = 0; i < s->await_count; i++)
		if (e->name && strcmp(e->name, s->awaits[i]) == 0)
			return true;
	return s->kind == SEGMENT_WAIT && s->await_count == 0 &&
	       (s->stream == STREAM_OWN || (s->stream == stream_of(task, e) && s->gpu == e->gpu));
}

bool task_joins(const struct task *task, uint32_t segment)
{
	const struct segment *s = &task->segments[segment];
	return segment > 0 && s->graph && s[-1].graph && strcmp(s->graph, s[-1].graph) == 0;
}

uint32_t task_first_flight(const struct task *task)
{
	for (uint32_t i = 0; i < task->segment_count; i++) {
		const struct segment *s = &task->segments[i];
		if (s->async || s->await_count > 0 || s->kind == SEGMENT_WAIT)
			return i;
	}
	return task->segment_count;
}

bool taskset_hyperperiod(const struct taskset *set, int64_t *hyperperiod_ns)
{
	int64_t lcm = 1;
	for (uint32_t i = 0; i < set->task_count; i++) {
		int64_t period = set->tasks[i].period_ns;
		if (!checked_mul(lcm, period / greatest_common_divisor(lcm, period), &lcm))
			return false;
	}
	*hyperperiod_ns = lcm;
	return true;
}

/* Who is released after whom: task i releases follower[first[i]] up to before first[i + 1]. */
struct releasing {
	size_t *first;
	uint32_t *follower;
	uint32_t *waits_for; /* how many of a task's list are not free yet */
	uint32_t *free_of;   /* tasks that no circle holds, in the order in which that was found */
};

static uint32_t after_count(const struct task *t)
{
	return t->release ? t->release->after_count : 0;
}

static bool releasing_init(struct releasing *r, const struct taskset *set)
{
	size_t tasks = set->task_count, entries = 0;
	for (size_t i = 0; i < tasks; i++)
		entries += after_count(&set->tasks[i]);
	*r = (struct releasing){.first = calloc(tasks + 2, sizeof(*r->first)),
		.follower = calloc(entries + 1, sizeof(*r->follower)),
		.waits_for = calloc(tasks + 1, sizeof(*r->waits_for)),
		.free_of = calloc(tasks + 1, sizeof(*r->free_of))};
	if (!r->first || !r->follower || !r->waits_for || !r->free_of)
		return false;
	for (uint32_t i = 0; i < tasks; i++) {
		r->waits_for[i] = after_count(&set->tasks[i]);
		for (uint32_t k = 0; k < r->waits_for[i]; k++)
			r->first[set->tasks[i].release->after[k] + 2]++;
	}
	for (size_t i = 2; i < tasks + 2; i++)
		r->first[i] += r->first[i - 1];
	for (uint32_t i = 0; i < tasks; i++)
		for (uint32_t k = 0; k < r->waits_for[i]; k++)
			r->follower[r->first[set->tasks[i].release->after[k] + 1]++] = i;
	return true;
}

static void releasing_finish(struct releasing *r)
{
	free(r->first);
	free(r->follower);
	free(r->waits_for);
	free(r->free_of);
}

/* Kahn's order (Comm. ACM 5 (11), 1962): a task is free when all are that release it. What waits then waits
 * for a circle. */
static void set_free(struct releasing *r, uint32_t tasks)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < tasks; i++)
		if (r->waits_for[i] == 0)
			r->free_of[count++] = i;
	for (uint32_t at = 0; at < count; at++)
		for (size_t f = r->first[r->free_of[at]]; f < r->first[r->free_of[at] + 1]; f++)
			if (--r->waits_for[r->follower[f]] == 0)
				r->free_of[count++] = r->follower[f];
}

/* The first of those behind which a waiting task is that waits itself. */
static uint32_t waiting_before(const struct releasing *r, const struct release_rule *rule)
{
	uint32_t k = 0;
	while (k + 1 < rule->after_count && r->waits_for[rule->after[k]] == 0)
		k++;
	return rule->after[k];
}

bool taskset_trigger_circle(const struct taskset *set, uint32_t *task)
{
	struct releasing r;
	bool ok = releasing_init(&r, set);
	*task = UINT32_MAX;
	if (ok)
		set_free(&r, set->task_count);
	uint32_t *before = r.free_of; /* from here on of those that wait: whom they wait for */
	for (uint32_t i = set->task_count; ok && i-- > 0;)
		if (r.waits_for[i] > 0) {
			before[i] = waiting_before(&r, set->tasks[i].release);
			*task = i;
		}
	/* Each of the rest is behind another one: so many steps end on a circle. */
	for (uint32_t i = 0; *task != UINT32_MAX && i < set->task_count; i++)
		*task = before[*task];
	releasing_finish(&r);
	return ok;
}

/* Threads of a grid times the time that they are resident. */
static double thread_time(const struct segment *s)
{
	const struct kernel_shape blocks = {.blocks = s->grid, .worst_ns = s->worst_ns, .times = s->times};
	return s->times ? s->block * (double)blocks_most_work(&blocks)
			: (double)s->grid * s->block * (double)s->worst_ns;
}

struct utilisation taskset_utilisation(const struct taskset *set, const struct platform *platform)
{
	struct utilisation u = {0};
	uint32_t virtual_sms = platform_virtual_sms(platform);
	for (uint32_t i = 0; i < set->task_count; i++) {
		const struct task *t = &set->tasks[i];
		double period = (double)t->period_ns;
		for (uint32_t j = 0; j < t->segment_count; j++) {
			const struct segment *s = &t->segments[j];
			struct kernel_shape shape;
			struct error ignored;
			if (s->kind == SEGMENT_CPU)
				u.cpu += (double)s->worst_ns / period;
			else if (s->kind == SEGMENT_COPY)
				u.copy += (double)s->worst_ns / period;
			else if (kernel_shape(platform_gpu(platform, s->gpu), set, s, virtual_sms, NULL,
					 &shape, &ignored))
				u.gpu += (double)kernel_time(
						 platform_gpu(platform, s->gpu), virtual_sms, &shape, NULL) /
					 period;
			if (s->kind == SEGMENT_KERNEL && s->form == KERNEL_GRID)
				u.threads += thread_time(s) / period;
		}
	}
	return u;
}

uint32_t task_gpu(const struct task *task, bool *several)
{
	const struct segment *first = NULL;
	bool other = false;
	for (uint32_t i = 0; i < task->segment_count; i++) {
		const struct segment *s = &task->segments[i];
		if (!segment_is_operation(s))
			continue;
		first = first ? first : s;
		other |= s->gpu != first->gpu;
	}
	if (several)
		*several = other;
	return first ? first->gpu : 0;
}

/* Of one GPU; ANY_GPU: wherever they are. */
#define ANY_GPU UINT32_MAX
static uint32_t count_kernels(const struct taskset *set, uint32_t gpu)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < set->task_count; i++) {
		const struct task *t = &set->tasks[i];
		bool waits = false;
		for (uint32_t s = 0; s < t->segment_count; s++) {
			bool here = gpu == ANY_GPU || t->segments[s].gpu == gpu;
			bool kernel = t->segments[s].kind == SEGMENT_KERNEL && here;
			waits |= kernel && !t->segments[s].async;
			count += kernel && t->segments[s].async;
		}
		count += waits;
	}
	return count;
}

uint32_t taskset_kernels_at_once(const struct taskset *set)
{
	return count_kernels(set, ANY_GPU);
}

uint32_t taskset_kernels_on(const struct taskset *set, uint32_t gpu)
{
	return count_kernels(set, gpu);
}

bool taskset_first_mask(const struct taskset *set, uint32_t *task, uint32_t *segment)
{
	for (*task = 0; *task < set->task_count; ++*task) {
		const struct task *t = &set->tasks[*task];
		for (*segment = 0; *segment < t->segment_count; ++*segment)
			if (t->segments[*segment].sm_count > 0)
				return true;
	}
	return false;
}

bool taskset_copy_time(const struct platform *p, const struct segment *s, struct copy_time *time)
{
	int64_t moving;
	*time = (struct copy_time){s->best_ns, s->worst_ns};
	if (s->bytes < 0) {
		if (p->gpu < s->copy_time_count)
			*time = s->copy_times[p->gpu];
		return true;
	}
	if (p->copy_bandwidth == 0 ||
		!checked_mul_ceil_div(s->bytes, INT64_C(1000000000), p->copy_bandwidth, &moving) ||
		!checked_add(moving, p->copy_latency_ns, &time->worst_ns))
		return false;
	time->best_ns = time->worst_ns;
	return true;
}
