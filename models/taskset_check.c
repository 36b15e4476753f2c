/* models/taskset_check.c - owns what makes a task set valid on a platform: taskset_check() of
 * models/taskset.h. Whatever a reader of scenarios refuses by its tables is refused here, too, for what is
 * read from elsewhere (models/judge.h). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/name_index.h"
#include "base/units.h"
#include "models/blocks.h"
#include "models/judge.h"
#include "models/kernel.h"

struct taskset_checker {
	struct defects found; /* the first member */
	const struct taskset *set;
	const struct platform *platform;
	taskset_report_fn *report;
	void *self;
	uint32_t task, segment;
	struct named_tasks named;
	bool beyond; /* longer times and larger grids than readers let through */
};

static void place_defect(const struct defects *found, const char *text)
{
	const struct taskset_checker *c = (const struct taskset_checker *)found;
	if (c->report)
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
		defects_add(&c->found,
			"samples are those of a segment with one time: on the CPU, a copy, or a kernel with "
			"'block_time'");
		return;
	}
	for (uint32_t i = 0; s->samples && i < s->sample_count; i++) {
		if (s->samples[i] >= s->best_ns && s->samples[i] <= s->worst_ns)
			continue;
		defects_add(&c->found,
			"a sample, %s, is not within the segment's best and worst case, [%s, %s]",
			unit_format(UNIT_TIME, s->samples[i], sample),
			unit_format(UNIT_TIME, s->best_ns, best), unit_format(UNIT_TIME, s->worst_ns, worst));
		return;
	}
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
		if (s->copy_times[i].best_ns < 0 || s->copy_times[i].best_ns > s->copy_times[i].worst_ns ||
			s->copy_times[i].worst_ns > TIME_MAX_NS)
			return "on each GPU the best case must lie between 0 and the worst case";
	return NULL;
}

static void check_copy(struct taskset_checker *c, struct segment *s)
{
	const struct platform *p = platform_gpu(c->platform, s->gpu);
	struct copy_time time;
	if (s->bytes >= 0 && p->copy_bandwidth == 0) {
		defects_add(&c->found, "a copy given in bytes needs the platform's copy bandwidth");
		return;
	}
	if (!defects_in_range(&c->found, "the size of a copy", s->bytes, -1, COPY_MAX_BYTES))
		return;
	if (!taskset_copy_time(p, s, &time)) {
		defects_add(&c->found,
			"the copy of %" PRId64 " bytes takes longer than 64 bits of nanoseconds", s->bytes);
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
	if (times->count == 0 || times->count > s->grid || times->count > BLOCK_TIMES_MAX)
		return "the times of blocks are for 1 block at least, and for no more than the grid has";
	for (uint32_t i = 0; i < times->count; i++) {
		const struct block_time *t = &times->block[i];
		if (times->own_draws &&
			(t->best_ns < 1 || t->best_ns > t->worst_ns || t->worst_ns > TIME_MAX_NS))
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

static bool in_ranges_of_kernel(struct taskset_checker *c, const struct segment *s)
{
	bool ok = defects_in_range(&c->found, "'power'", s->power_uw, 0, POWER_MAX_UW);
	if (s->form == KERNEL_WORK)
		return defects_in_range(&c->found, "'overhead'", s->overhead_ns, 0, TIME_MAX_NS) && ok;
	if (s->form == KERNEL_PROFILE)
		return ok;
	ok = defects_in_range(&c->found, "'grid'", s->grid, 1, c->beyond ? UINT32_MAX : INT32_MAX) && ok;
	ok = defects_in_range(
		     &c->found, "'block'", s->block, 1, c->beyond ? UINT32_MAX : BLOCK_THREADS_MAX) &&
	     ok;
	ok = defects_in_range(&c->found, "'registers'", s->registers, 0, REGISTERS_MAX) && ok;
	ok = defects_in_range(&c->found, "'shared_memory'", s->shared_memory, 0, MEMORY_MAX_BYTES) && ok;
	return defects_in_range(&c->found, "'carveout'", s->carveout, 0, MEMORY_MAX_BYTES) && ok;
}

static bool interleaves_are_sound(struct taskset_checker *c, const struct segment *s)
{
	for (uint32_t i = 0; s->form == KERNEL_WORK && i < s->interleaves; i++) {
		const struct interleave *a = &s->interleave[i];
		if (!defects_in_range(&c->found, "the number of virtual SMs of an interleave ratio",
			    a->virtual_sms, 2, VIRTUAL_SMS_MAX))
			return false;
		if (i > 0 && a->virtual_sms <= a[-1].virtual_sms)
			defects_add(
				&c->found, "interleave ratios are for numbers of virtual SMs that ascend");
		else if (a->denominator < 1 || a->numerator < a->denominator)
			defects_add(&c->found, "an interleave ratio is at least 1");
		else
			continue;
		return false;
	}
	return true;
}

static bool profiles_are_there(struct taskset_checker *c, const struct segment *s)
{
	bool ok = s->form != KERNEL_PROFILE ||
		  (s->profile >= 0 && (uint32_t)s->profile < c->set->profile_count);
	for (uint32_t i = 0; s->form == KERNEL_PROFILE && i < s->profile_count; i++)
		ok = ok && s->profiles[i] >= 0 && (uint32_t)s->profiles[i] < c->set->profile_count;
	if (ok && (s->form == KERNEL_WARPS ||
			  (s->form == KERNEL_PROGRAM && (!c->set->programs || s->step_count == 0))))
		defects_add(&c->found, "a kernel of this form has a program");
	else if (ok)
		return true;
	else
		defects_add(&c->found, "a kernel has a profile that is not there");
	return false;
}

static void check_kernel(struct taskset_checker *c, const struct segment *s)
{
	const struct platform *p = platform_gpu(c->platform, s->gpu);
	uint32_t virtual_sms = platform_virtual_sms(c->platform);
	bool grid = s->form == KERNEL_GRID || s->form == KERNEL_PROGRAM;
	struct kernel_shape shape;
	struct error reason;
	if (p->sms == 0) {
		defects_add(&c->found, "a kernel needs a platform with SMs");
		return;
	}
	if (grid && (s->grid == 0 || s->block == 0)) {
		defects_add(&c->found, "grid and block must be at least 1");
		return;
	}
	if (grid && p->threads_per_block && s->block > p->threads_per_block) {
		defects_add(&c->found,
			"a block has %" PRIu32 " threads; this GPU takes at most %" PRIu32
			" (threads_per_block)",
			s->block, p->threads_per_block);
		return;
	}
	if (s->profile_count > 0 && s->profile_count != platform_gpus(c->platform)) {
		defects_add(&c->found,
			"'profile' has %" PRIu32 " names, one for each GPU; the platform has %" PRIu32,
			s->profile_count, platform_gpus(c->platform));
		return;
	}
	const char *wrong = wrong_mask(p, s);
	if (!wrong && s->times)
		wrong = wrong_times(s);
	if (wrong) {
		defects_add(&c->found, "%s", wrong);
		return;
	}
	if (!in_ranges_of_kernel(c, s) || !interleaves_are_sound(c, s) || !profiles_are_there(c, s))
		return;
	if (!kernel_blocks(p, c->set, s, virtual_sms, NULL, &shape, &reason)) {
		defects_add(&c->found, "the kernel %s", reason.text);
		return;
	}
	const char *limit = binding_limit(p, virtual_sms, &shape.demand);
	if (limit)
		defects_add(&c->found,
			"a block of this kernel does not fit an empty SM: it exceeds the %s "
			"(%u threads, %u warps, %" PRId64 " registers, %" PRId64 " bytes of shared memory)",
			limit, shape.demand.threads, shape.demand.warps, shape.demand.registers,
			shape.demand.shared_memory);
}

/* Jobs of a task are released in their order, and none when it is due. */
static void check_jitter(struct taskset_checker *c, const struct task *t)
{
	char jitter[UNIT_TEXT_MAX], limit[UNIT_TEXT_MAX];
	int64_t times[] = {t->release->jitter_ns, t->period_ns};
	bool nearer = t->deadline_ns <= t->period_ns;
	if (times[0] < 0)
		defects_add(&c->found, "the release jitter must not be negative");
	else if (nearer && times[0] >= t->deadline_ns) {
		times[1] = t->deadline_ns;
		unit_format_alike(UNIT_TIME, times, jitter, limit);
		defects_add(&c->found,
			"the release jitter, %s, must be below the deadline, %s: a job would be released "
			"when it is due",
			jitter, limit);
	} else if (times[0] > t->period_ns) {
		unit_format_alike(UNIT_TIME, times, jitter, limit);
		defects_add(&c->found,
			"the release jitter, %s, must be at most the period, %s: jobs stay in their order",
			jitter, limit);
	}
}

/* Whether the task is on a core that the platform has. */
static void check_core(struct taskset_checker *c, const struct task *t)
{
	const struct platform *p = c->platform;
	bool said = c->set->cores && t->core != CORE_NOT_SAID;
	if (said && platform_global(p))
		defects_add(&c->found,
			"'core' of task '%s' is for partitioned scheduling: with "
			"'scheduling: global' its jobs run on any core",
			t->name);
	else if (said && (t->core < 0 || (uint32_t)t->core >= p->cores))
		defects_add(&c->found,
			"'core' of task '%s' is %" PRId32 ": the platform has %" PRIu32 ", counted from 0",
			t->name, t->core, p->cores);
	else if (!said && p->cores > 1 && !platform_global(p) && task_computes(t))
		defects_add(&c->found,
			"'core' of task '%s' is missing: each task with a CPU segment has one of the %" PRIu32
			" cores, unless these have 'scheduling: global'",
			t->name, p->cores);
}

/* That what it waits for is there, in front of it, and has a name of its own. */
static void check_awaits(struct taskset_checker *c, const struct task *t, struct name_index *names)
{
	const struct segment *s = &t->segments[c->segment];
	if (s->async && !segment_is_operation(s))
		defects_add(&c->found, "only copies and kernels are asynchronous");
	if (s->graph && !s->async)
		defects_add(&c->found, "only asynchronous operations are nodes of a graph");
	if (s->kind == SEGMENT_WAIT && (s->worst_ns > 0 || (s->await_count > 0 && s->stream != STREAM_OWN)))
		defects_add(&c->found, "a wait has no time of its own, and waits for names or for a stream");
	if (s->kind == SEGMENT_CPU && s->await_count > 0)
		defects_add(&c->found, "only copies and kernels come after others");
	if (s->name && name_index_first(names, s->name) != c->segment)
		defects_add(&c->found, "another segment of '%s' is called '%.60s'", t->name, s->name);
	for (uint32_t i = 0; i < s->await_count; i++) {
		uint32_t k = name_index_first(names, s->awaits[i]);
		if (k >= c->segment || !segment_is_operation(&t->segments[k]))
			defects_add(&c->found, "no copy or kernel in front of it is called '%.60s'",
				s->awaits[i]);
	}
}

/* What is said of the task itself. */
static void check_numbers(struct taskset_checker *c, const struct task *t)
{
	if (t->period_ns <= 0)
		defects_add(&c->found, "the period must be positive");
	if (t->deadline_ns <= 0)
		defects_add(&c->found, "the deadline must be positive");
	if (t->offset_ns < 0)
		defects_add(&c->found, "the offset must not be negative");
	if (!c->beyond &&
		(t->period_ns > TIME_MAX_NS || t->deadline_ns > TIME_MAX_NS || t->offset_ns > TIME_MAX_NS))
		defects_add(&c->found, "period, deadline and offset are at most 2000000000 s");
	if (c->set->priorities)
		defects_in_range(&c->found, "'priority'", t->priority, -PRIORITY_MAX, PRIORITY_MAX);
	if (c->set->gpu_priorities)
		defects_in_range(&c->found, "'gpu_priority'", t->gpu_priority, -PRIORITY_MAX, PRIORITY_MAX);
	if (t->segment_count == 0)
		defects_add(&c->found, "a task needs at least one segment");
	if (t->segment_count > TASK_SEGMENTS_MAX)
		defects_add(&c->found, "a task has at most %d segments", TASK_SEGMENTS_MAX);
	const char *wrong = t->release && t->period_ns > 0
				    ? release_rule_wrong(t->release, t, c->set->task_count, &c->named)
				    : NULL;
	if (wrong)
		defects_add(&c->found, "%s", wrong);
}

/* Whether what follows can be asked of the segment: its times and its GPU are sound. */
static bool check_segment(struct taskset_checker *c, const struct segment *s)
{
	bool timed = s->best_ns >= 0 && s->best_ns <= s->worst_ns;
	bool placed = s->gpu < platform_gpus(c->platform);
	const char *wrong = s->copy_times ? wrong_copy_times(c->platform, s) : NULL;
	if (!timed)
		defects_add(&c->found, "the best case must lie between 0 and the worst case");
	else if (!c->beyond && s->worst_ns > TIME_MAX_NS && !(s->kind == SEGMENT_COPY && s->bytes >= 0))
		defects_add(&c->found, "the worst case is at most 2000000000 s");
	if (s->stream != STREAM_OWN && s->stream != STREAM_NULL)
		timed = defects_in_range(&c->found, "'stream'", s->stream, 0, STREAM_MAX) && timed;
	if (!placed)
		defects_add(&c->found, "'gpu' is %" PRIu32 ": the platform has %" PRIu32 ", counted from 0",
			s->gpu, platform_gpus(c->platform));
	if (wrong)
		defects_add(&c->found, "%s", wrong);
	return timed && placed && !wrong;
}

static void check_task(struct taskset_checker *c, struct task *t)
{
	c->segment = UINT32_MAX;
	check_numbers(c, t);
	if (t->release && t->release->kind == RELEASE_JITTER)
		check_jitter(c, t);
	if (t->misses_in > MISSES_IN_MAX || (t->misses_in > 0 && t->misses_at_most >= t->misses_in))
		defects_add(&c->found,
			"a limit of misses is below the number of jobs that it is for, at most %d",
			MISSES_IN_MAX);
	check_core(c, t);
	struct name_index names = {0};
	if (t->segment_count > 0)
		name_index_init(&names, &t->segments->name, sizeof(*t->segments), t->segment_count);
	for (c->segment = 0; c->segment < t->segment_count; c->segment++) {
		struct segment *s = &t->segments[c->segment];
		bool sound = check_segment(c, s);
		check_awaits(c, t, &names);
		/* What follows is about times on a GPU. */
		if (!sound)
			continue;
		if (s->samples)
			check_samples(c, s);
		if (s->kind == SEGMENT_COPY)
			check_copy(c, s);
		else if (s->kind == SEGMENT_KERNEL)
			check_kernel(c, s);
	}
	name_index_finish(&names);
}

static void check_profile(struct taskset_checker *c, const struct profile *p)
{
	bool ok = p->count >= 1 && p->count <= PLATFORM_MAX_SMS;
	for (uint32_t i = 0; ok && i < p->count; i++)
		ok = p->best_ns[i] >= 0 && p->best_ns[i] <= p->worst_ns[i] && p->worst_ns[i] <= TIME_MAX_NS &&
		     (!p->total_power_uw ||
			     (p->total_power_uw[i] >= 0 && p->total_power_uw[i] <= POWER_MAX_UW));
	if (!ok)
		defects_add(&c->found,
			"profile '%.60s' has no times from 0 to its worst case, or no powers, for 1 to %u "
			"SMs",
			p->name, PLATFORM_MAX_SMS);
}

static void check_chain(struct taskset_checker *c, const struct effect_chain *e)
{
	bool ok = e->task_count >= 1 && e->task_count <= CHAIN_TASKS_MAX && e->age_ns >= 0 &&
		  e->age_ns <= TIME_MAX_NS && e->reaction_ns >= 0 && e->reaction_ns <= TIME_MAX_NS;
	for (uint32_t i = 0; ok && i < e->task_count; i++) {
		ok = e->tasks[i] < c->set->task_count;
		for (uint32_t k = 0; ok && k < i; k++)
			ok = e->tasks[k] != e->tasks[i];
	}
	if (!ok)
		defects_add(&c->found,
			"chain '%.60s' is not of 1 to %d tasks, none twice, with limits that are times",
			e->name, CHAIN_TASKS_MAX);
}

static size_t check_all(struct taskset_checker *c, struct taskset *set)
{
	const struct platform *platform = c->platform;
	if (set->warps)
		return 0; /* warp_set_check() says what is wrong with them */
	for (uint32_t i = 0; i < set->profile_count; i++)
		check_profile(c, &set->profiles[i]);
	for (uint32_t i = 0; i < set->chain_count; i++)
		check_chain(c, &set->chains[i]);
	if (c->found.count > 0)
		return c->found.count; /* kernels rest on profiles */
	if (platform->pool == POOL_GPU && platform->sms > 0 && platform->threads_per_sm == 0)
		defects_add(&c->found, "pool gpu needs threads_per_sm");
	for (c->task = 0; c->task < set->task_count; c->task++)
		check_task(c, &set->tasks[c->task]);
	return c->found.count;
}

static size_t check(struct taskset *set, const struct platform *platform, taskset_report_fn *report,
	void *self, bool beyond)
{
	struct taskset_checker c = {.found.report = place_defect,
		.set = set,
		.platform = platform,
		.report = report,
		.self = self,
		.segment = UINT32_MAX,
		.beyond = beyond};
	return check_all(&c, set);
}

size_t taskset_check(
	struct taskset *set, const struct platform *platform, taskset_report_fn *report, void *self)
{
	return check(set, platform, report, self, false);
}

size_t taskset_check_beyond(
	struct taskset *set, const struct platform *platform, taskset_report_fn *report, void *self)
{
	return check(set, platform, report, self, true);
}
