/* tests/oracle/flying_sets.c - gives random cases operations in flight: asynchronous copies and kernels on
 * several streams, some after others, and waits; and kernels that are confined to some SMs. */
#include "tests/oracle/dice.h"
#include "tests/oracle/random_sets.h"

static char names[][2] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"};

/* Up to two of the operations so far. */
static void name_some(struct dice *d, struct random_case *c, const struct task *t, uint32_t at)
{
	struct segment *s = &t->segments[at];
	s->awaits = random_case_room(c, 2, sizeof(*s->awaits));
	for (int tries = 0; at > 0 && tries < 3 && s->await_count < 2; tries++) {
		uint32_t earlier = small(d, 0, at - 1);
		if (t->segments[earlier].name &&
			(s->await_count == 0 || s->awaits[0] != t->segments[earlier].name))
			s->awaits[s->await_count++] = t->segments[earlier].name;
	}
	if (s->await_count == 0)
		s->awaits = NULL;
}

static void make_operation(struct dice *d, struct random_case *c, const struct task *t, uint32_t at)
{
	struct segment *s = &t->segments[at];
	s->name = names[at];
	s->async = !once_in(d, 3);
	if (s->async && once_in(d, 2))
		s->graph = names[small(d, 0, 3) / 3];
	if (s->stream == STREAM_OWN && once_in(d, 2))
		s->stream = (int32_t)small(d, 0, 8);
	if (once_in(d, 3))
		name_some(d, c, t, at);
}

static void make_wait(struct dice *d, struct random_case *c, const struct task *t, uint32_t at)
{
	struct segment *s = &t->segments[at];
	*s = (struct segment){.kind = SEGMENT_WAIT, .stream = STREAM_OWN};
	if (once_in(d, 3))
		s->stream = (int32_t)small(d, 0, 8);
	else if (once_in(d, 2))
		name_some(d, c, t, at);
}

static bool has_lengths(const struct task *t)
{
	return t->release && t->release->duration_count > 0;
}

void random_case_fly(struct random_case *c, uint64_t index)
{
	struct dice d = {index * 0x9E3779B97F4A7C15u ^ 0xf1e5};
	if (once_in(&d, 4))
		return;
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		const struct task *t = &c->set.tasks[i];
		if (once_in(&d, 5))
			continue;
		for (uint32_t k = 0; k < t->segment_count; k++) {
			bool cpu = t->segments[k].kind == SEGMENT_CPU;
			if (once_in(&d, cpu ? 3 : 8) && !has_lengths(t))
				make_wait(&d, c, t, k);
			else if (!cpu)
				make_operation(&d, c, t, k);
		}
	}
}

static void make_mask(struct dice *d, struct random_case *c, struct segment *s)
{
	uint32_t sms = platform_gpu(&c->platform, s->gpu)->sms, always = small(d, 0, sms - 1);
	s->sms = random_case_room(c, sms, sizeof(*s->sms));
	for (uint32_t sm = 0; sm < sms; sm++) {
		if (sm == always || once_in(d, 3))
			s->sms[s->sm_count++] = sm;
	}
}

void random_case_confine(struct random_case *c, uint64_t index)
{
	struct dice d = {index * 0x9E3779B97F4A7C15u ^ 0x3a5c};
	bool table = once_in(&d, 2), masks = c->platform.pool == POOL_SM && !once_in(&d, 3);
	if (table)
		c->platform.resident_kernels = small(&d, 1, once_in(&d, 2) ? 2 : 4);
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		for (uint32_t k = 0; k < c->set.tasks[i].segment_count; k++) {
			struct segment *s = &c->set.tasks[i].segments[k];
			if (s->kind != SEGMENT_KERNEL)
				continue;
			if (masks && !once_in(&d, 5))
				make_mask(&d, c, s);
			if (table && once_in(&d, 3))
				s->stream_high = !s->stream_high;
		}
	}
}

static uint32_t small_of(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* As many SMs for each task, apart on whatever GPU they are. */
void random_case_part(struct random_case *c, uint64_t index)
{
	struct dice d = {index * 0x9E3779B97F4A7C15u ^ 0xa9a27};
	uint32_t tasks = c->set.task_count, each = c->platform.sms / tasks, first = 0;
	for (uint32_t g = 1; g < platform_gpus(&c->platform); g++)
		each = small_of(each, platform_gpu(&c->platform, g)->sms / tasks);
	if (!once_in(&d, 3) || each == 0 || c->platform.pool == POOL_GPU)
		return;
	for (uint32_t i = 0; i < tasks; i++) {
		uint32_t count = small(&d, 1, each), *sms = random_case_room(c, count, sizeof(*sms));
		for (uint32_t k = 0; k < count; k++)
			sms[k] = first++;
		for (uint32_t k = 0; k < c->set.tasks[i].segment_count; k++) {
			struct segment *s = &c->set.tasks[i].segments[k];
			if (s->kind == SEGMENT_KERNEL) {
				s->sms = sms;
				s->sm_count = count;
			}
		}
	}
}

void random_case_unite(struct random_case *c)
{
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		for (uint32_t k = 0; k < c->set.tasks[i].segment_count; k++)
			c->set.tasks[i].segments[k].sm_count = 0;
	}
}

bool random_case_land(struct random_case *c)
{
	bool any = false;
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		for (uint32_t k = 0; k < c->set.tasks[i].segment_count; k++) {
			struct segment *s = &c->set.tasks[i].segments[k];
			any |= s->async || s->awaits || s->kind == SEGMENT_WAIT;
			s->async = false;
			s->graph = NULL;
			s->awaits = NULL;
			s->await_count = 0;
			if (s->kind == SEGMENT_WAIT)
				*s = (struct segment){.kind = SEGMENT_CPU, .stream = STREAM_OWN};
		}
	}
	return any;
}
