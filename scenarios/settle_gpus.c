/* scenarios/settle_gpus.c - see scenarios/settle_gpus.h. */
#include "scenarios/settle_gpus.h"

#include "analysis/rtgpu.h"

struct defects {
	uint32_t task; /* of this one */
	uint32_t count;
};

static void count_defect(void *self, uint32_t task, uint32_t segment, const char *text)
{
	struct defects *d = self;
	(void)segment;
	(void)text;
	d->count += task == d->task;
}

static void put_on(struct task *t, uint32_t gpu)
{
	for (uint32_t i = 0; i < t->segment_count; i++)
		if (t->segments[i].kind != SEGMENT_CPU)
			t->segments[i].gpu = gpu;
}

/* On which GPUs the task has no defects; it is put on the first of them, else on GPU 0. */
static bool find_usable(const struct platform *platform, struct taskset *set, uint32_t task, bool *usable)
{
	uint32_t first = platform_gpus(platform);
	for (uint32_t g = platform_gpus(platform); g-- > 0;) {
		struct defects d = {.task = task};
		put_on(&set->tasks[task], g);
		(void)taskset_check(set, platform, count_defect, &d);
		usable[g] = d.count == 0;
		first = usable[g] ? g : first;
	}
	put_on(&set->tasks[task], first < platform_gpus(platform) ? first : 0);
	return first < platform_gpus(platform);
}

bool settle_any_gpus(const struct platform *platform, struct taskset *set, const bool *any, struct error *err)
{
	bool found = true, ok = true, accepted;
	struct arena arena = {0};
	const struct rtgpu_wants wants = {
		.may_have = arena_new(&arena, bool, (size_t)set->task_count *PLATFORM_MAX_GPUS)};
	if (!wants.may_have)
		return error_memory(err, "choosing GPUs");
	for (uint32_t i = 0; i < set->task_count; i++)
		if (any[i])
			found &= find_usable(platform, set, i, &wants.may_have[i * PLATFORM_MAX_GPUS]);
	if (found && taskset_check(set, platform, NULL, NULL) == 0)
		ok = rtgpu_choose_gpus(platform, set, &wants, &accepted, err);
	arena_finish(&arena);
	return ok;
}
