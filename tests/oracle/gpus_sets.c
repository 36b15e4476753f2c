/* tests/oracle/gpus_sets.c - gives random sets several GPUs. */
#include <string.h>

#include "tests/oracle/dice.h"
#include "tests/oracle/random_sets.h"

static void note_defect(void *self, uint32_t task, uint32_t segment, const char *text)
{
	(void)self;
	(void)task;
	(void)segment;
	(void)text;
}

/* Like GPU 0, but for what need not be alike. */
static struct platform another(struct dice *d, const struct platform *first, uint32_t gpu)
{
	struct platform p = *first;
	p.gpu = gpu;
	p.gpu_count = 0;
	p.others = NULL;
	p.engines = small(d, 0, 2);
	p.copy_latency_ns += between(d, 0, 1);
	p.work_queues = small(d, 1, p.work_queues);
	if (p.sms > 1)
		p.sms = small(d, 1, p.sms);
	if (p.static_uw || p.idle_per_sm_uw) {
		p.static_uw += between(d, 0, 9);
		p.idle_per_sm_uw += between(d, 0, 9);
	}
	return p;
}

/* Profiles of some kernels, one for each GPU. */
static void time_copy(struct dice *d, struct random_case *c, struct segment *s, uint32_t gpus)
{
	if (s->kind != SEGMENT_COPY || s->bytes >= 0 || s->samples || once_in(d, 2))
		return;
	s->copy_times = random_case_room(c, gpus, sizeof(*s->copy_times));
	s->copy_time_count = gpus;
	for (uint32_t g = 0; g < gpus; g++) {
		int64_t worst = between(d, 0, s->worst_ns + 2);
		s->copy_times[g] = (struct copy_time){between(d, 0, worst), worst};
	}
	s->copy_times[s->gpu] = (struct copy_time){s->best_ns, s->worst_ns};
}

static void measure(struct dice *d, struct random_case *c, struct segment *s, uint32_t gpus)
{
	if (s->kind != SEGMENT_KERNEL || s->form != KERNEL_PROFILE || once_in(d, 2))
		return;
	s->profiles = random_case_room(c, gpus, sizeof(*s->profiles));
	s->profile_count = gpus;
	for (uint32_t g = 0; g < gpus; g++) {
		s->profiles[g] = (int32_t)small(d, 0, c->set.profile_count - 1);
		if (c->set.profiles[s->profiles[g]].total_power_uw)
			s->power_uw = 0;
	}
	s->profile = s->profiles[0];
}

/* Segments with an effect on operations in flight keep theirs, as whole tasks do half of the time. */
static void spread(struct dice *d, struct random_case *c, uint32_t gpus, bool together)
{
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		struct task *t = &c->set.tasks[i];
		uint32_t gpu = small(d, 0, gpus - 1);
		bool apart = once_in(d, 2);
		for (uint32_t j = 0; j < t->segment_count; j++)
			if (t->segments[j].kind != SEGMENT_CPU)
				t->segments[j].gpu =
					apart && !(together && t->segments[j].kind == SEGMENT_KERNEL)
						? small(d, 0, gpus - 1)
						: gpu;
	}
}

/* Whatever static and idle power a GPU has, the power of a profile is more. */
static void raise_power(struct random_case *c)
{
	for (uint32_t i = 0; i < c->set.profile_count; i++) {
		struct profile *p = &c->set.profiles[i];
		for (uint32_t m = 0; p->total_power_uw && m < p->count; m++)
			p->total_power_uw[m] += 9 + 9 * (int64_t)p->count;
	}
}

void random_case_gpus(struct random_case *c, uint64_t index, bool together)
{
	struct dice d = {.state = index ^ 0x67707573};
	uint32_t gpus = small(&d, 2, 3);
	if (c->platform.sms == 0)
		return;
	struct platform *others = random_case_room(c, gpus - 1, sizeof(*others));
	for (uint32_t g = 1; g < gpus; g++)
		others[g - 1] = another(&d, &c->platform, g);
	c->platform.others = others;
	c->platform.gpu_count = gpus;
	spread(&d, c, gpus, together);
	raise_power(c);
	if (taskset_check(&c->set, &c->platform, note_defect, NULL) == 0)
		return;
	for (uint32_t g = 1; g < gpus; g++) /* some block fits only GPU 0: all have as many SMs */
		others[g - 1].sms = c->platform.sms;
	if (taskset_check(&c->set, &c->platform, note_defect, NULL) > 0)
		c->platform.gpu_count = 0;
	for (uint32_t i = 0; i < c->set.task_count && c->platform.gpu_count == 0; i++)
		for (uint32_t j = 0; j < c->set.tasks[i].segment_count; j++)
			c->set.tasks[i].segments[j].gpu = 0;
}

void random_case_measure(struct random_case *c, uint64_t index)
{
	struct dice d = {.state = index ^ 0x6d656173};
	for (uint32_t i = 0; c->platform.gpu_count > 1 && i < c->set.task_count; i++)
		for (uint32_t j = 0; j < c->set.tasks[i].segment_count; j++)
			measure(&d, c, &c->set.tasks[i].segments[j], c->platform.gpu_count);
	struct dice times = {.state = index ^ 0x74696d65};
	for (uint32_t i = 0; c->platform.gpu_count > 1 && i < c->set.task_count; i++)
		for (uint32_t j = 0; j < c->set.tasks[i].segment_count; j++)
			time_copy(&times, c, &c->set.tasks[i].segments[j], c->platform.gpu_count);
}
