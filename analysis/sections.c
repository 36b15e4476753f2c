/* analysis/sections.c - see analysis/sections.h. Times of kernels: docs/model.md, "Time of a kernel"; alone
 * on its SMs a kernel takes its waves of blocks, or the bound of models/blocks.c where blocks differ. */
#include "analysis/sections.h"

#include "base/checked.h"
#include "models/blocks.h"

/* The most blocks of the kernel that its SMs hold at a time. */
static uint64_t places(const struct platform *platform, uint32_t virtual_sms, const struct grant *grant,
	const struct kernel_shape *shape)
{
	uint64_t fit = kernel_resident(platform, virtual_sms, &shape->demand), sum = 0;
	if (platform->pool == POOL_GPU)
		return fit;
	if (!grant || !grant->slots)
		return fit * shape->sms;
	for (uint32_t i = 0; i < grant->count; i++)
		sum += grant->slots[i] < fit ? grant->slots[i] : fit;
	return sum;
}

static bool kernel_times(const struct plan *plan, uint32_t task, const struct segment *kernel, int128 *best,
	int128 *worst, struct error *reason)
{
	const struct grant *grant = plan->grants && plan->grants[task].count ? &plan->grants[task] : NULL;
	const struct platform *platform = platform_gpu(plan->platform, kernel->gpu);
	struct kernel_shape shape;
	if (!kernel_shape(platform, plan->set, kernel, plan->virtual_sms, grant, &shape, reason))
		return false;
	uint64_t most = places(platform, plan->virtual_sms, grant, &shape);
	if (most == 0)
		return error_set(reason, STATUS_INPUT, "has blocks that do not fit an SM");
	*best = blocks_least_span(&shape, most);
	*worst = blocks_span(&shape, most);
	return true;
}

struct sums {
	int128 cpu, copies, kernels;
	int128 best, worst; /* of the current section */
	int128 *last;       /* the sum to which its last operation belongs */
	uint32_t gpu;       /* of that operation */
};

static bool fits(int128 length)
{
	return length < SECTIONS_LONGEST;
}

static void add_part(struct section_task *t, bool gpu, int128 best, int128 worst)
{
	if (worst == 0)
		return;
	t->part[t->count++] = (struct section_part){gpu, (int64_t)best, (int64_t)worst};
	t->sections += gpu;
}

static void end_section(struct section_task *t, struct sums *s, int64_t sync_ns)
{
	if (s->worst == 0)
		return;
	s->worst += sync_ns;
	*s->last += sync_ns;
	add_part(t, true, s->best, s->worst);
	s->best = s->worst = 0;
}

/* An operation of a section, with its launch in front of it (analysis/overheads.c). */
static void add_operation(const struct plan *plan, struct section_task *t, struct sums *s, int128 *sum,
	uint32_t gpu, int128 best, int128 worst)
{
	const struct overheads *o = &plan->platform->overheads;
	if (worst == 0)
		return;
	if (s->worst > 0 && s->gpu != gpu)
		end_section(t, s, o->sync_ns);
	s->gpu = gpu;
	t->apart |= t->on_gpu != SECTIONS_NO_GPU && t->on_gpu != gpu;
	t->on_gpu = t->on_gpu == SECTIONS_NO_GPU ? gpu : t->on_gpu;
	if (o->launch_ns > 0) {
		end_section(t, s, 0);
		add_part(t, false, 0, o->launch_ns);
		s->cpu += o->launch_ns;
	}
	s->last = sum;
	s->best += best;
	s->worst += worst + o->latency_ns + o->gap_ns;
	*sum += worst + o->latency_ns + o->gap_ns;
}

static bool too_long(const struct plan *plan, uint32_t task, struct verdict *v)
{
	return verdict_refuse(
		v, task, "task '%s': its segments together are too long", plan->set->tasks[task].name);
}

static bool all_fit(const struct plan *plan, uint32_t task, const struct sums *s, struct verdict *v)
{
	return fits(s->cpu + s->copies + s->kernels) || too_long(plan, task, v);
}

static bool add_segment(const struct plan *plan, uint32_t task, uint32_t index, struct section_task *t,
	struct sums *s, struct verdict *v)
{
	const struct segment *g = &plan->set->tasks[task].segments[index];
	int128 best = g->best_ns, worst = g->worst_ns;
	struct error reason;
	if (g->kind == SEGMENT_KERNEL && !kernel_times(plan, task, g, &best, &worst, &reason))
		return verdict_refuse(v, task, "task '%s': the kernel of segment %u %s",
			plan->set->tasks[task].name, index, reason.text);
	t->copies |= g->kind == SEGMENT_COPY && worst > 0;
	t->kernels |= g->kind == SEGMENT_KERNEL && worst > 0;
	add_operation(plan, t, s, g->kind == SEGMENT_COPY ? &s->copies : &s->kernels, g->gpu, best, worst);
	return all_fit(plan, task, s, v);
}

static inline bool add_cpu(const struct plan *plan, uint32_t task, const struct segment *g,
	struct section_task *t, struct sums *s, struct verdict *v)
{
	end_section(t, s, plan->platform->overheads.sync_ns);
	s->cpu += g->worst_ns;
	if (!all_fit(plan, task, s, v))
		return false;
	add_part(t, false, g->best_ns, g->worst_ns);
	return true;
}

/* From segment `first` on; those in front of it take so much of a core. */
static bool build_rest(const struct plan *plan, uint32_t task, uint32_t first, int64_t cpu_ns,
	struct section_task *t, struct verdict *v)
{
	const struct task *given = &plan->set->tasks[task];
	struct sums s = {.cpu = cpu_ns};
	for (uint32_t i = first; i < given->segment_count; i++) {
		const struct segment *g = &given->segments[i];
		if (!(g->kind == SEGMENT_CPU ? add_cpu(plan, task, g, t, &s, v)
					     : add_segment(plan, task, i, t, &s, v)))
			return false;
	}
	end_section(t, &s, plan->platform->overheads.sync_ns);
	if (!all_fit(plan, task, &s, v))
		return false;
	t->cpu_ns = (int64_t)s.cpu;
	t->copies_ns = (int64_t)s.copies;
	t->kernels_ns = (int64_t)s.kernels;
	return true;
}

/* Segments of the CPU in front of the first section, which may be all, take nothing but their time. */
static bool build(const struct plan *plan, uint32_t task, struct section_task *t, struct verdict *v)
{
	const struct task *given = &plan->set->tasks[task];
	int64_t cpu_ns = 0;
	uint32_t i = 0;
	t->on_gpu = SECTIONS_NO_GPU;
	t->deadline_ns = given->deadline_ns;
	t->period_ns = given->period_ns;
	for (; i < given->segment_count && given->segments[i].kind == SEGMENT_CPU; i++) {
		const struct segment *g = &given->segments[i];
		if (!checked_add(cpu_ns, g->worst_ns, &cpu_ns) || !fits(cpu_ns))
			return too_long(plan, task, v);
		add_part(t, false, g->best_ns, g->worst_ns);
	}
	t->cpu_ns = cpu_ns;
	return i == given->segment_count || build_rest(plan, task, i, cpu_ns, t, v);
}

/* An operation may have a launch in front of it. */
static size_t most_parts(const struct plan *plan, uint32_t task)
{
	size_t segments = plan->set->tasks[task].segment_count;
	return plan->platform->overheads.launch_ns > 0 ? 2 * segments : segments;
}

bool sections_build(const struct plan *plan, struct arena *arena, struct section_task **tasks, bool *refused,
	struct verdict *v, struct error *err)
{
	uint32_t count = plan->set->task_count;
	size_t parts = 0;
	for (uint32_t i = 0; i < count; i++)
		parts += most_parts(plan, i);
	struct section_part *part = arena_new(arena, struct section_part, parts);
	*refused = false;
	*tasks = arena_new(arena, struct section_task, count);
	if (!*tasks || !part)
		return error_memory(err, "the tasks' GPU sections");
	for (uint32_t i = 0; i < count && !*refused; i++) {
		(*tasks)[i].part = part;
		part += most_parts(plan, i);
		*refused = !build(plan, i, &(*tasks)[i], v);
	}
	return true;
}

bool plan_segment_times(const struct plan *plan, uint32_t task, uint32_t segment, int64_t *best_ns,
	int64_t *worst_ns, struct error *reason)
{
	const struct segment *g = &plan->set->tasks[task].segments[segment];
	int128 best = g->best_ns, worst = g->worst_ns;
	if (g->kind == SEGMENT_KERNEL && !kernel_times(plan, task, g, &best, &worst, reason))
		return false;
	if (!fits(worst))
		return error_set(reason, STATUS_INPUT, "takes too long");
	*best_ns = (int64_t)best;
	*worst_ns = (int64_t)worst;
	return true;
}

bool sections_sharing(const struct plan *plan, const struct section_task *tasks, struct arena *arena,
	uint32_t *task, struct error *err)
{
	uint32_t count = plan->set->task_count, *process = arena_new(arena, uint32_t, count);
	if (!process)
		return error_memory(err, "the processes of tasks");
	taskset_processes(plan->set, process);
	*task = NO_FAILING_TASK;
	for (uint32_t i = 0; i < count && *task == NO_FAILING_TASK; i++)
		for (uint32_t k = 0; k < i; k++)
			if (tasks[i].sections > 0 && tasks[k].sections > 0 && process[k] == process[i])
				*task = i;
	return true;
}

bool sections_apart(const struct plan *plan, uint32_t sharing, struct verdict *v)
{
	return sharing == NO_FAILING_TASK ||
	       verdict_refuse(v, sharing, "task '%s' shares its process with another task that uses the GPU",
		       plan->set->tasks[sharing].name);
}

bool sections_on_one_gpu(const struct plan *plan, const struct section_task *tasks, struct verdict *v)
{
	for (uint32_t i = 0; i < plan->set->task_count; i++)
		if (tasks[i].apart)
			return verdict_refuse(v, i,
				"task '%.60s' has GPU sections on several GPUs; it holds for tasks that use "
				"one",
				plan->set->tasks[i].name);
	return true;
}
