/* models/taskset.c - task sets: hyperperiod, utilisations, and what makes a set valid
 * on a platform; see models/taskset.h. */
#include "models/taskset.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
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

/* Tasks by the names of their processes, those of one process in the order of the set. */
static int by_process(const void *x, const void *y, void *set)
{
	const struct task *tasks = ((const struct taskset *)set)->tasks;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const char *of_a = tasks[a].process, *of_b = tasks[b].process;
	int order = of_a && of_b ? strcmp(of_a, of_b) : (of_a != NULL) - (of_b != NULL);
	return order != 0 ? order : (a > b) - (a < b);
}

/* process[task] = the first task of its process, in `order`, [tasks] long; NULL: there is no memory for it,
 * and each is compared with all before it. */
static void first_of_processes(const struct taskset *set, uint32_t *order, uint32_t *process)
{
	const struct task *tasks = set->tasks;
	for (uint32_t i = 0; i < set->task_count; i++) {
		process[i] = i;
		for (uint32_t j = 0; !order && tasks[i].process && j < i && process[i] == i; j++)
			if (tasks[j].process && strcmp(tasks[j].process, tasks[i].process) == 0)
				process[i] = j;
		if (order)
			order[i] = i;
	}
	if (!order)
		return;
	qsort_r(order, set->task_count, sizeof(*order), by_process, (void *)(uintptr_t)set);
	for (uint32_t k = 1; k < set->task_count; k++) {
		const char *before = tasks[order[k - 1]].process, *name = tasks[order[k]].process;
		if (before && name && strcmp(before, name) == 0)
			process[order[k]] = process[order[k - 1]];
	}
}

uint32_t taskset_processes(const struct taskset *set, uint32_t *process)
{
	uint32_t few[64], count = 0;
	bool many = set->task_count > sizeof(few) / sizeof(few[0]);
	uint32_t *order = many ? malloc(set->task_count * sizeof(*order)) : few;
	first_of_processes(set, order, process);
	if (many)
		free(order);
	for (uint32_t i = 0; i < set->task_count; i++)
		process[i] = process[i] == i ? count++ : process[process[i]];
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

static uint32_t first_bound(const bool *free_of, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!free_of[i])
			return i;
	return UINT32_MAX;
}

/* The first of those behind which the rule is that is not free itself. */
static uint32_t bound_before(const struct release_rule *rule, const bool *free_of)
{
	uint32_t k = 0;
	while (k + 1 < rule->after_count && free_of[rule->after[k]])
		k++;
	return rule->after[k];
}

bool taskset_trigger_circle(const struct taskset *set, uint32_t *task)
{
	bool *free_of = calloc(set->task_count + 1, sizeof(*free_of)), more = free_of != NULL;
	while (more) {
		more = false;
		for (uint32_t i = 0; i < set->task_count; i++) {
			const struct release_rule *rule = set->tasks[i].release;
			bool clear = !free_of[i];
			for (uint32_t k = 0; clear && rule && k < rule->after_count; k++)
				clear = free_of[rule->after[k]];
			free_of[i] |= clear;
			more |= clear;
		}
	}
	*task = free_of ? first_bound(free_of, set->task_count) : UINT32_MAX;
	/* Each of the rest is behind another one: so many steps end on a circle. */
	for (uint32_t i = 0; *task != UINT32_MAX && i < set->task_count; i++)
		*task = bound_before(set->tasks[*task].release, free_of);
	bool ok = free_of != NULL;
	free(free_of);
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

/* ---- checks ---- */

struct taskset_checker {
	const struct taskset *set;
	const struct platform *platform;
	taskset_report_fn *report;
	void *self;
	uint32_t task, segment;
	size_t defects;
};

static void PRINTF_LIKE(2, 3) defect(struct taskset_checker *c, const char *fmt, ...)
{
	char text[512];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	c->defects++;
	c->report(c->self, c->task, c->segment, text);
}

/* Whether the segment has one time, of which there can be samples. */
static bool has_one_time(const struct segment *s)
{
	if (s->kind == SEGMENT_KERNEL)
		return s->form == KERNEL_GRID && !(s->times && s->times->own_draws);
	return s->kind == SEGMENT_CPU || (s->kind == SEGMENT_COPY && s->bytes < 0);
}

static void check_samples(struct taskset_checker *c, const struct segment *s)
{
	char sample[UNIT_TEXT_MAX], best[UNIT_TEXT_MAX], worst[UNIT_TEXT_MAX];
	if (s->samples && (!has_one_time(s) || s->sample_count == 0)) {
		defect(c,
			"samples are those of a segment with one time: on the CPU, a copy, or a kernel with "
			"'block_time'");
		return;
	}
	for (uint32_t i = 0; s->samples && i < s->sample_count; i++) {
		if (s->samples[i] >= s->best_ns && s->samples[i] <= s->worst_ns)
			continue;
		defect(c, "a sample, %s, is not within the segment's best and worst case, [%s, %s]",
			unit_format(UNIT_TIME, s->samples[i], sample),
			unit_format(UNIT_TIME, s->best_ns, best), unit_format(UNIT_TIME, s->worst_ns, worst));
		return;
	}
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

/* What is wrong with the times of a copy on different GPUs; NULL: nothing. */
static const char *wrong_copy_times(const struct platform *p, const struct segment *s)
{
	if (s->kind != SEGMENT_COPY || s->bytes >= 0)
		return "only copies with a time have times for each GPU";
	if (s->samples)
		return "samples are of one time: not of a copy with one for each GPU";
	if (s->copy_time_count != platform_gpus(p))
		return "a copy with times for GPUs needs one for each";
	for (uint32_t i = 0; i < s->copy_time_count; i++)
		if (s->copy_times[i].best_ns < 0 || s->copy_times[i].best_ns > s->copy_times[i].worst_ns)
			return "on each GPU the best case must lie between 0 and the worst case";
	return NULL;
}

static void check_copy(struct taskset_checker *c, struct segment *s)
{
	const struct platform *p = platform_gpu(c->platform, s->gpu);
	struct copy_time time;
	if (s->bytes >= 0 && p->copy_bandwidth == 0) {
		defect(c, "a copy given in bytes needs the platform's copy bandwidth");
		return;
	}
	if (!taskset_copy_time(p, s, &time)) {
		defect(c, "the copy of %" PRId64 " bytes takes longer than 64 bits of nanoseconds", s->bytes);
		return;
	}
	s->best_ns = time.best_ns;
	s->worst_ns = time.worst_ns;
}

/* The limit by which a block does not fit an empty SM, or NULL. */
static const char *binding_limit(const struct platform *p, uint32_t virtual_sms, const struct block_demand *d)
{
	if (p->pool == POOL_GPU)
		return (int64_t)p->sms * p->threads_per_sm < d->threads ? "threads of the GPU" : NULL;
	if (p->threads_per_sm && d->threads > p->threads_per_sm)
		return "threads per SM";
	if (p->warps_per_sm && d->warps > p->warps_per_sm)
		return "warps per SM";
	if (p->registers_per_sm && d->registers > p->registers_per_sm)
		return "registers per SM";
	if (p->shared_memory_per_sm && d->shared_memory > p->shared_memory_per_sm)
		return "shared memory per SM";
	return d->virtual_sms > virtual_sms ? "virtual SMs per SM" : NULL;
}

/* What is wrong with the SMs of a kernel; NULL: nothing. */
static const char *wrong_mask(const struct platform *p, const struct segment *s)
{
	if (s->sm_count > 0 && p->pool == POOL_GPU)
		return "a kernel cannot be confined to some SMs with 'pool: gpu', where blocks are on none";
	for (uint32_t i = 0; i < s->sm_count; i++) {
		if (s->sms[i] >= p->sms)
			return "a kernel is confined to SMs that its GPU does not have";
		if (i > 0 && s->sms[i] <= s->sms[i - 1])
			return "the SMs of a kernel ascend";
	}
	return NULL;
}

/* What is wrong with the times of blocks; NULL: nothing. The segment's best and worst case are those of its
 * longest blocks. */
static const char *wrong_times(const struct segment *s)
{
	const struct block_times *times = s->times;
	int64_t largest = 0, best = 0, worst = 0;
	if (s->form != KERNEL_GRID)
		return "only blocks of a grid have times of their own";
	if (times->count == 0 || times->count > s->grid)
		return "the times of blocks are for 1 block at least, and for no more than the grid has";
	for (uint32_t i = 0; i < times->count; i++) {
		const struct block_time *t = &times->block[i];
		if (times->own_draws && (t->best_ns < 1 || t->best_ns > t->worst_ns))
			return "a block with a time of its own takes at least 1 ns, in its best case no "
			       "longer than in its worst";
		if (!times->own_draws && (t->share_ppm < 1 || t->share_ppm > SHARE_ONE))
			return "the share of a block lies between 0 and 1";
		largest = t->share_ppm > largest ? t->share_ppm : largest;
		best = t->best_ns > best ? t->best_ns : best;
		worst = t->worst_ns > worst ? t->worst_ns : worst;
	}
	if (!times->own_draws)
		return largest == SHARE_ONE ? NULL : "the largest share of a block is 1";
	return best == s->best_ns && worst == s->worst_ns
		       ? NULL
		       : "the ends of the kernel's block time are not those of its longest blocks";
}

static void check_kernel(struct taskset_checker *c, const struct segment *s)
{
	const struct platform *p = platform_gpu(c->platform, s->gpu);
	uint32_t virtual_sms = platform_virtual_sms(c->platform);
	struct kernel_shape shape;
	struct error reason;
	if (p->sms == 0) {
		defect(c, "a kernel needs a platform with SMs");
		return;
	}
	if ((s->form == KERNEL_GRID || s->form == KERNEL_PROGRAM) && (s->grid == 0 || s->block == 0)) {
		defect(c, "grid and block must be at least 1");
		return;
	}
	if (s->profile_count > 0 && s->profile_count != platform_gpus(c->platform)) {
		defect(c, "'profile' has %" PRIu32 " names, one for each GPU; the platform has %" PRIu32,
			s->profile_count, platform_gpus(c->platform));
		return;
	}
	const char *wrong = wrong_mask(p, s);
	if (!wrong && s->times)
		wrong = wrong_times(s);
	if (wrong) {
		defect(c, "%s", wrong);
		return;
	}
	if (!kernel_blocks(p, c->set, s, virtual_sms, NULL, &shape, &reason)) {
		defect(c, "the kernel %s", reason.text);
		return;
	}
	const char *limit = binding_limit(p, virtual_sms, &shape.demand);
	if (limit)
		defect(c,
			"a block of this kernel does not fit an empty SM: it exceeds the %s "
			"(%u threads, %u warps, %" PRId64 " registers, %" PRId64 " bytes of shared memory)",
			limit, shape.demand.threads, shape.demand.warps, shape.demand.registers,
			shape.demand.shared_memory);
	for (uint32_t i = 0; i < s->interleaves; i++)
		if (s->interleave[i].numerator < s->interleave[i].denominator)
			defect(c, "an interleave ratio is at least 1");
}

/* Jobs of a task are released in their order, and none when it is due. */
static void check_jitter(struct taskset_checker *c, const struct task *t)
{
	char jitter[UNIT_TEXT_MAX], limit[UNIT_TEXT_MAX];
	int64_t times[] = {t->release->jitter_ns, t->period_ns};
	bool nearer = t->deadline_ns <= t->period_ns;
	if (times[0] < 0)
		defect(c, "the release jitter must not be negative");
	else if (nearer && times[0] >= t->deadline_ns) {
		times[1] = t->deadline_ns;
		unit_format_alike(UNIT_TIME, times, jitter, limit);
		defect(c,
			"the release jitter, %s, must be below the deadline, %s: a job would be "
			"released when it "
			"is due",
			jitter, limit);
	} else if (times[0] > t->period_ns) {
		unit_format_alike(UNIT_TIME, times, jitter, limit);
		defect(c, "the release jitter, %s, must be at most the period, %s: jobs stay in their order",
			jitter, limit);
	}
}

/* Whether the task is on a core that the platform has. */
static void check_core(struct taskset_checker *c, const struct task *t)
{
	const struct platform *p = c->platform;
	bool said = c->set->cores && t->core != CORE_NOT_SAID;
	if (said && platform_global(p))
		defect(c,
			"'core' of task '%s' is for partitioned scheduling: with "
			"'scheduling: global' its jobs run on any core",
			t->name);
	else if (said && (t->core < 0 || (uint32_t)t->core >= p->cores))
		defect(c, "'core' of task '%s' is %" PRId32 ": the platform has %" PRIu32 ", counted from 0",
			t->name, t->core, p->cores);
	else if (!said && p->cores > 1 && !platform_global(p) && task_computes(t))
		defect(c,
			"'core' of task '%s' is missing: each task with a CPU segment has one of the %" PRIu32
			" cores, unless these have 'scheduling: global'",
			t->name, p->cores);
}

/* That what it waits for is there, in front of it. */
static void check_awaits(struct taskset_checker *c, const struct task *t)
{
	const struct segment *s = &t->segments[c->segment];
	if (s->async && !segment_is_operation(s))
		defect(c, "only copies and kernels are asynchronous");
	if (s->graph && !s->async)
		defect(c, "only asynchronous operations are nodes of a graph");
	if (s->kind == SEGMENT_WAIT && (s->worst_ns > 0 || (s->await_count > 0 && s->stream != STREAM_OWN)))
		defect(c, "a wait has no time of its own, and waits for names or for a stream");
	if (s->kind == SEGMENT_CPU && s->await_count > 0)
		defect(c, "only copies and kernels come after others");
	for (uint32_t i = 0; i < s->await_count; i++) {
		uint32_t k = 0;
		while (k < c->segment &&
			!(t->segments[k].name && strcmp(t->segments[k].name, s->awaits[i]) == 0))
			k++;
		if (k == c->segment || !segment_is_operation(&t->segments[k]))
			defect(c, "no copy or kernel in front of it is called '%.60s'", s->awaits[i]);
	}
}

static void check_task(struct taskset_checker *c, struct task *t)
{
	c->segment = UINT32_MAX;
	if (t->period_ns <= 0)
		defect(c, "the period must be positive");
	if (t->deadline_ns <= 0)
		defect(c, "the deadline must be positive");
	if (t->release && t->release->kind == RELEASE_JITTER)
		check_jitter(c, t);
	if (t->misses_in > MISSES_IN_MAX || (t->misses_in > 0 && t->misses_at_most >= t->misses_in))
		defect(c, "a limit of misses is below the number of jobs that it is for, at most %d",
			MISSES_IN_MAX);
	if (t->offset_ns < 0)
		defect(c, "the offset must not be negative");
	if (t->segment_count == 0)
		defect(c, "a task needs at least one segment");
	if (t->segment_count > UINT16_MAX)
		defect(c, "a task has at most %d segments", UINT16_MAX);
	check_core(c, t);
	for (c->segment = 0; c->segment < t->segment_count; c->segment++) {
		struct segment *s = &t->segments[c->segment];
		bool timed = s->best_ns >= 0 && s->best_ns <= s->worst_ns;
		bool placed = s->gpu < platform_gpus(c->platform);
		const char *wrong = s->copy_times ? wrong_copy_times(c->platform, s) : NULL;
		if (!timed)
			defect(c, "the best case must lie between 0 and the worst case");
		if (!placed)
			defect(c, "'gpu' is %" PRIu32 ": the platform has %" PRIu32 ", counted from 0",
				s->gpu, platform_gpus(c->platform));
		if (wrong)
			defect(c, "%s", wrong);
		check_awaits(c, t);
		/* What follows is about times on a GPU. */
		if (!timed || !placed || wrong)
			continue;
		if (s->samples)
			check_samples(c, s);
		if (s->kind == SEGMENT_COPY)
			check_copy(c, s);
		else if (s->kind == SEGMENT_KERNEL)
			check_kernel(c, s);
	}
}

size_t taskset_check(
	struct taskset *set, const struct platform *platform, taskset_report_fn *report, void *self)
{
	struct taskset_checker c = {
		.set = set, .platform = platform, .report = report, .self = self, .segment = UINT32_MAX};
	if (set->warps)
		return 0; /* warp_set_check() says what is wrong with them */
	if (platform->pool == POOL_GPU && platform->sms > 0 && platform->threads_per_sm == 0)
		defect(&c, "pool gpu needs threads_per_sm");
	for (c.task = 0; c.task < set->task_count; c.task++)
		check_task(&c, &set->tasks[c.task]);
	return c.defects;
}
