/* models/resident.c - memory for the resident blocks of kernels: the rings of launches, and what they need on
 * granted SMs (struct launch). models/gpu.c says what is in it. */
#include "models/machine.h"

static uint32_t most_sms(const struct machine *m)
{
	uint32_t most = 0;
	for (uint32_t g = 0; g < platform_gpus(m->devices.all); g++)
		if (platform_gpu(m->devices.all, g)->sms > most)
			most = platform_gpu(m->devices.all, g)->sms;
	return most;
}

/* Whether blocks have places: in pool sm. */
static bool any_places(const struct machine *m)
{
	bool any = false;
	for (uint32_t g = 0; g < platform_gpus(m->devices.all); g++)
		any |= platform_gpu(m->devices.all, g)->pool == POOL_SM;
	return any;
}

/* Blocks of a kernel that can be resident at a time on this GPU. */
static uint32_t resident_on(
	const struct machine *m, const struct platform *p, const struct kernel_shape *shape)
{
	uint64_t resident = kernel_resident(p, m->plan.virtual_sms, &shape->demand);
	if (p->pool == POOL_SM)
		resident *= p->sms;
	return resident > shape->blocks ? shape->blocks : (uint32_t)resident;
}

/* Of a task's kernels: the size of its rings. */
static uint32_t most_resident(const struct machine *m, uint32_t run)
{
	const struct task_run *t = &m->tasks[run];
	uint32_t most = 1;
	/* On SMs chosen at run time a persistent kernel may have one block on every virtual SM. */
	if (m->plan.grants_at_run_time)
		most = most_sms(m) * m->plan.virtual_sms;
	for (uint32_t g = 0; g <= (m->devices.chosen ? m->devices.count : 0); g++) {
		const struct step *steps = devices_steps(m, run, g);
		for (uint32_t i = 0; i < t->step_count; i++) {
			if (steps[i].kind != SEGMENT_KERNEL)
				continue;
			uint32_t resident =
				resident_on(m, platform_gpu(m->devices.all, steps[i].gpu), &steps[i].shape);
			most = resident > most ? resident : most;
		}
	}
	return most;
}

/* Memory to count the blocks on granted virtual SMs, and to keep a grant that is made at run time. On whole
 * SMs nobody counts: a count for each task and SM would grow with the square of tasks that have SMs of their
 * own. */
static bool grants_init(struct machine *m, struct launch *launch)
{
	uint32_t sms = most_sms(m);
	bool slots = launch->fixed && launch->fixed->slots;
	if (!slots && !m->plan.grants_at_run_time)
		return true;
	launch->on_sm = arena_new(&m->arena, uint32_t, sms);
	if (!m->plan.grants_at_run_time)
		return launch->on_sm != NULL;
	launch->chosen.sm = arena_new(&m->arena, uint32_t, sms);
	launch->chosen_slots = arena_new(&m->arena, uint32_t, sms);
	return launch->on_sm && launch->chosen.sm && launch->chosen_slots;
}

/* The hardware queue of all the task's kernels, whose heads are on the GPU one after the other; NO_QUEUE: it
 * has several, or may be sent to those of another GPU, or streams hold nothing up (models/streams.c). */
#define NO_QUEUE UINT32_MAX
static uint32_t only_queue(const struct machine *m, const struct task_run *t)
{
	uint32_t queue = NO_QUEUE;
	if (m->streams.direct || m->devices.chosen)
		return NO_QUEUE;
	for (uint32_t i = 0; i < t->step_count; i++) {
		if (t->steps[i].kind != SEGMENT_KERNEL)
			continue;
		if (queue != NO_QUEUE && queue != t->steps[i].queue)
			return NO_QUEUE;
		queue = t->steps[i].queue;
	}
	return queue;
}

struct ring {
	uint32_t mask;
	struct group *groups;
	uint16_t *place_of;
};

static bool ring_init(struct machine *m, struct ring *ring)
{
	size_t size = (size_t)ring->mask + 1;
	ring->groups = arena_new(&m->arena, struct group, size);
	bool places = any_places(m);
	if (places)
		ring->place_of = arena_new(&m->arena, uint16_t, size);
	return ring->groups && (ring->place_of || !places);
}

/* The rings of launches: one for all tasks of a queue, as large as the largest; else each has its own. */
static bool rings_init(struct machine *m)
{
	struct ring *of_queue = arena_new(&m->arena, struct ring, m->streams.count);
	if (!of_queue)
		return false;
	for (uint32_t i = 0; i < m->run_count; i++) {
		uint32_t queue = only_queue(m, &m->tasks[i]), mask = m->gpu.launches[i].mask;
		if (queue != NO_QUEUE && of_queue[queue].mask < mask)
			of_queue[queue].mask = mask;
	}
	for (uint32_t i = 0; i < m->run_count; i++) {
		struct launch *launch = &m->gpu.launches[i];
		uint32_t queue = only_queue(m, &m->tasks[i]);
		struct ring own = {.mask = launch->mask}, *ring = queue == NO_QUEUE ? &own : &of_queue[queue];
		if (!ring->groups && !ring_init(m, ring))
			return false;
		launch->groups = ring->groups;
		launch->place_of = ring->place_of;
	}
	return true;
}

static bool launch_init(struct machine *m, uint32_t run)
{
	struct launch *launches = m->gpu.launches, *launch = &launches[run];
	uint32_t task = machine_task(m, run), resident = most_resident(m, run);
	while (launch->mask < resident - 1)
		launch->mask = 2 * launch->mask + 1;
	launch->fixed = m->plan.grants && m->plan.grants[task].count ? &m->plan.grants[task] : NULL;
	launch->grant = launch->fixed;
	if (!stays_init(m, run) || !grants_init(m, launch))
		return false;
	/* A grant is a task's: of its kernels at a time together. */
	launch->on_sm = launches[task].on_sm;
	return true;
}

bool resident_init(struct machine *m)
{
	bool ok = true;
	for (uint32_t i = 0; ok && i < m->run_count; i++)
		ok = launch_init(m, i);
	return ok && rings_init(m);
}
