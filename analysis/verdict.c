/* analysis/verdict.c - see analysis/verdict.h. */
#include "analysis/verdict.h"

#include <inttypes.h>
#include <stdio.h>

#include "models/plan.h"
#include "models/policy.h"

bool verdict_refuse(struct verdict *v, uint32_t task, const char *fmt, ...)
{
	va_list args;
	v->accepted = false;
	v->failing_task = task;
	va_start(args, fmt);
	vsnprintf(v->reason, sizeof(v->reason), fmt, args);
	va_end(args);
	return false;
}

void verdict_accept(struct verdict *v)
{
	v->accepted = true;
	v->failing_task = NO_FAILING_TASK;
	v->reason[0] = '\0';
}

bool verdict_undivided(
	struct verdict *v, const struct platform *platform, const struct taskset *set, const char *holds)
{
	for (uint32_t i = 0; i < set->task_count; i++) {
		const struct task *t = &set->tasks[i];
		for (uint32_t s = 0; s < t->segment_count; s++)
			if (t->segments[s].kind == SEGMENT_KERNEL && t->segments[s].shared_memory > 0 &&
				platform_gpu(platform, t->segments[s].gpu)->divisions.count > 0)
				return verdict_refuse(v, i,
					"a kernel of task '%.60s' needs shared memory, and SMs divide theirs "
					"(carveout); %s SMs that do not",
					t->name, holds);
	}
	return true;
}

bool verdict_unconfined(struct verdict *v, const struct plan *plan, const char *holds)
{
	uint32_t task, segment;
	if (plan->unit != GATE_OPEN || plan->contexts != CONTEXTS_NONE || plan_grants_sms(plan))
		return true;
	if (taskset_first_mask(plan->set, &task, &segment))
		return verdict_refuse(v, task,
			"segment %" PRIu32
			" of task '%.60s' is confined to some SMs; %s kernels that may be on "
			"all",
			segment, plan->set->tasks[task].name, holds);
	for (uint32_t g = 0; g < platform_gpus(plan->platform); g++) {
		if (platform_gpu(plan->platform, g)->preemption_delay_ns > 0)
			return verdict_refuse(v, NO_FAILING_TASK,
				"kernels of high streams take SMs from others at a cost (preemption_delay); "
				"%s GPUs without it",
				holds);
		uint32_t most = platform_gpu(plan->platform, g)->resident_kernels;
		uint32_t kernels = taskset_kernels_on(plan->set, g);
		if (most > 0 && kernels > most)
			return verdict_refuse(v, NO_FAILING_TASK,
				"%" PRIu32 " kernels may be on the GPU at a time, which holds %" PRIu32
				" (resident_kernels); %s GPUs that hold all",
				kernels, most, holds);
	}
	return true;
}

bool verdict_cores(struct verdict *v, const struct platform *platform, const struct taskset *set, bool own,
	const char *holds)
{
	if (platform_global(platform))
		return verdict_refuse(v, NO_FAILING_TASK, "any of the cores serves any task; %s %s", holds,
			own ? "tasks that have a core each" : "one core");
	for (uint32_t i = 1; i < set->task_count && !own; i++)
		if (taskset_core(set, platform, i) != taskset_core(set, platform, 0))
			return verdict_refuse(v, i,
				"tasks '%.60s' and '%.60s' are on different cores; %s one core",
				set->tasks[0].name, set->tasks[i].name, holds);
	return true;
}

bool verdict_one_gpu(struct verdict *v, const struct platform *platform, const char *holds)
{
	uint32_t gpus = platform_gpus(platform);
	return gpus == 1 ||
	       verdict_refuse(v, NO_FAILING_TASK, "the platform has %" PRIu32 " GPUs; %s one", gpus, holds);
}

bool verdict_gpus_apart(struct verdict *v, const struct taskset *set, const char *holds)
{
	for (uint32_t i = 0; i < set->task_count; i++) {
		bool several;
		(void)task_gpu(&set->tasks[i], &several);
		if (several)
			return verdict_refuse(v, i, "task '%.60s' uses several GPUs; %s tasks that use one",
				set->tasks[i].name, holds);
	}
	return true;
}

bool verdict_in_turn(struct verdict *v, const struct taskset *set, const char *holds)
{
	for (uint32_t i = 0; i < set->task_count; i++) {
		uint32_t segment = task_first_flight(&set->tasks[i]);
		if (segment < set->tasks[i].segment_count)
			return verdict_refuse(v, i,
				"segment %" PRIu32
				" of task '%.60s' is, or waits for, an operation in flight; %s "
				"operations that come one after the other",
				segment, set->tasks[i].name, holds);
	}
	return true;
}

bool verdict_plain(struct verdict *v, const struct taskset *set, const char *holds)
{
	for (uint32_t i = 0; i < set->task_count; i++) {
		const struct task *t = &set->tasks[i];
		if (t->release && t->release->kind == RELEASE_JITTER)
			return verdict_refuse(v, i,
				"task '%.60s' is released with jitter; %s releases at least a period apart",
				t->name, holds);
		if (t->release && t->release->kind == RELEASE_AFTER)
			return verdict_refuse(v, i,
				"task '%.60s' is released by the ends of other jobs; %s releases at "
				"least a period apart",
				t->name, holds);
		if (t->deadline_ns > t->period_ns)
			return verdict_refuse(v, i,
				"the deadline of task '%.60s' is above its period; %s deadlines "
				"up to the period",
				t->name, holds);
	}
	return true;
}
