/* tests/oracle/random_sets.c - draws small scenarios in which things often happen at the same instant or
 * compete: equal periods and deadlines, offsets of 0, segments of length zero, shared streams, tight
 * limits. */
#include "tests/oracle/random_sets.h"

#include <stdlib.h>
#include <string.h>

#include "tests/oracle/dice.h"

void *random_case_room(struct random_case *c, size_t count, size_t size)
{
	void *space = arena_alloc(&c->set.arena, count, size);
	if (!space) {
		fputs("random sets: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	return space;
}

static char *numbered(struct random_case *c, const char *what, uint32_t number)
{
	char *name = random_case_room(c, 16, 1);
	snprintf(name, 16, "%s%u", what, number);
	return name;
}

/* What the tasks of one case have in common. */
struct flavour {
	bool shared_streams, null_stream, priorities_of_streams, mixed_streams;
	bool same_times, offsets, bytes;
	uint32_t kernels; /* how often a segment is a kernel */
	int64_t percent;  /* percentage of a task's period that its segments take, roughly */
	int64_t periods[3];
};

static uint32_t virtual_sms(const struct platform *p)
{
	return p->virtual_sms_per_sm ? p->virtual_sms_per_sm : 1;
}

/* A few divisions below all of the memory. */
static void divide_memory(struct dice *d, struct platform *p)
{
	int64_t bytes = once_in(d, 3) ? between(d, 1, 3) : 0;
	for (; bytes < p->shared_memory_per_sm && p->divisions.count < 5; bytes += between(d, 1, 6))
		p->divisions.bytes[p->divisions.count++] = bytes;
	p->divisions.bytes[p->divisions.count++] = p->shared_memory_per_sm;
}

static void make_platform(struct dice *d, struct platform *p)
{
	static const uint32_t threads[] = {32, 64, 64, 96, 100, 128, 128, 256};
	static const uint32_t slots[] = {0, 1, 2, 2, 4};
	*p = (struct platform){.name = "random", .cores = 1, .engines = small(d, 0, 2), .sms_per_tpc = 1};
	p->sms = small(d, 1, 4);
	p->work_queues = once_in(d, 3) ? small(d, 1, 3) : 32;
	p->virtual_sms_per_sm = slots[roll(d) % 5];
	if (once_in(d, 3))
		p->sms_per_tpc = 2;
	if (once_in(d, 4)) {
		p->pool = POOL_GPU;
		p->threads_per_sm = small(d, virtual_sms(p), 12);
	} else if (!once_in(d, 6)) {
		p->threads_per_sm = threads[roll(d) % 8];
	}
	if (once_in(d, 3))
		p->blocks_per_sm = small(d, 1, 4);
	if (once_in(d, 4))
		p->warps_per_sm = small(d, 1, 8);
	if (once_in(d, 4))
		p->registers_per_sm = between(d, 64, 700);
	if (once_in(d, 4))
		p->shared_memory_per_sm = between(d, 4, 20);
	if (p->pool == POOL_SM && p->shared_memory_per_sm && once_in(d, 2))
		divide_memory(d, p);
	if (once_in(d, 3))
		p->pin_overhead_ns = between(d, 0, 3);
	if (!once_in(d, 5)) {
		p->static_uw = between(d, 0, 1000);
		p->idle_per_sm_uw = between(d, 0, 50);
	}
	p->copy_latency_ns = between(d, 0, 3);
	p->copy_bandwidth = between(d, 1, 4) * 500000000;
}

static void make_flavour(struct dice *d, struct flavour *f)
{
	static const int64_t percents[] = {30, 70, 100, 160, 300};
	*f = (struct flavour){0};
	f->shared_streams = once_in(d, 4);
	f->null_stream = once_in(d, 4);
	f->priorities_of_streams = once_in(d, 2);
	f->kernels = small(d, 1, 4);
	f->mixed_streams = once_in(d, 2);
	f->same_times = once_in(d, 3);
	f->offsets = !once_in(d, 3);
	f->bytes = once_in(d, 4);
	f->percent = percents[roll(d) % 5];
	for (int i = 0; i < 3; i++)
		f->periods[i] = between(d, once_in(d, 4) ? 1 : 8, 60);
}

/* Threads that one SM has for grid blocks, in whole warps; 0 if there is no limit. */
static uint32_t threads_for_blocks(const struct platform *p)
{
	uint32_t threads = p->threads_per_sm / WARP_THREADS * WARP_THREADS;
	uint32_t warps = p->warps_per_sm * WARP_THREADS;
	if (!p->threads_per_sm || (warps && warps < threads))
		threads = warps;
	return threads;
}

static void make_grid(struct dice *d, const struct platform *p, struct segment *s)
{
	s->form = KERNEL_GRID;
	s->grid = once_in(d, 5) ? small(d, 1, 20) : small(d, 1, 6);
	s->registers = once_in(d, p->registers_per_sm ? 1 : 4) ? between(d, 0, 6) : 0;
	s->shared_memory = once_in(d, 3) ? between(d, 0, 12) : 0;
	if (p->pool == POOL_GPU) {
		uint32_t most = once_in(d, 4) ? p->sms * p->threads_per_sm : p->threads_per_sm;
		s->block = small(d, 1, most);
		return;
	}
	uint32_t most = threads_for_blocks(p);
	s->block = small(d, 1, most ? most : 200);
	if (once_in(d, 2) && s->block > WARP_THREADS)
		s->block = s->block / WARP_THREADS * WARP_THREADS;
	uint32_t rounded = (s->block + WARP_THREADS - 1) / WARP_THREADS * WARP_THREADS;
	if (p->registers_per_sm && s->registers * rounded > p->registers_per_sm)
		s->registers = p->registers_per_sm / rounded;
	if (p->shared_memory_per_sm && s->shared_memory > p->shared_memory_per_sm)
		s->shared_memory = p->shared_memory_per_sm;
	if (p->divisions.count && once_in(d, 4))
		s->carveout = between(d, 1, 20);
}

static void make_work(struct dice *d, struct random_case *c, struct segment *s)
{
	uint32_t per_sm = virtual_sms(&c->platform);
	s->form = KERNEL_WORK;
	s->worst_ns *= between(d, 1, (int64_t)per_sm * c->platform.sms);
	s->best_ns = between(d, 0, s->worst_ns);
	s->overhead_ns = once_in(d, 2) ? between(d, 0, 6) : 0;
	if (per_sm == 1 && !once_in(d, 3))
		return;
	s->interleaves = 2;
	s->interleave = random_case_room(c, 2, sizeof(*s->interleave));
	for (uint32_t i = 0; i < 2; i++)
		s->interleave[i] = (struct interleave){2u << i, between(d, 10, 20 + 20 * i), 10};
}

static void make_profile(struct dice *d, struct random_case *c, struct segment *s)
{
	s->form = KERNEL_PROFILE;
	s->profile = (int32_t)small(d, 0, c->set.profile_count - 1);
}

/* Does a persistent block fit an empty SM? Only the limit of warps can prevent it. */
static bool persistent_fits(const struct platform *p, bool profile)
{
	if (p->pool == POOL_GPU || !p->warps_per_sm || !p->threads_per_sm)
		return true;
	uint32_t threads = profile ? p->threads_per_sm : p->threads_per_sm / virtual_sms(p);
	uint32_t warps = profile ? (threads + WARP_THREADS - 1) / WARP_THREADS : threads / WARP_THREADS;
	return warps <= p->warps_per_sm;
}

static void make_kernel(struct dice *d, struct random_case *c, struct segment *s)
{
	s->kind = SEGMENT_KERNEL;
	s->power_uw = between(d, 0, 400);
	uint32_t form = small(d, 0, 3);
	if (form == 2 && persistent_fits(&c->platform, false))
		make_work(d, c, s);
	else if (form == 3 && persistent_fits(&c->platform, true))
		make_profile(d, c, s);
	else
		make_grid(d, &c->platform, s);
}

static void make_copy(struct dice *d, const struct flavour *f, const struct platform *p, struct segment *s)
{
	s->kind = SEGMENT_COPY;
	s->direction = (enum copy_direction)small(d, COPY_TO_GPU, COPY_BOTH);
	s->bytes = -1;
	if (!f->bytes)
		return;
	s->bytes = between(d, 0, 20);
	int64_t time = (s->bytes * 1000000000 + p->copy_bandwidth - 1) / p->copy_bandwidth;
	s->best_ns = s->worst_ns = p->copy_latency_ns + time;
}

static void make_segment(
	struct dice *d, struct random_case *c, const struct flavour *f, int64_t most, struct segment *s)
{
	*s = (struct segment){.stream = STREAM_OWN};
	s->worst_ns = once_in(d, 7) ? 0 : between(d, 1, most);
	s->best_ns = once_in(d, 3) ? s->worst_ns : between(d, 0, s->worst_ns);
	uint32_t kind = small(d, 0, 2 + f->kernels);
	if (kind >= 3)
		make_kernel(d, c, s);
	else if (kind >= 1)
		make_copy(d, f, &c->platform, s);
	if (s->kind == SEGMENT_CPU)
		return;
	if (f->shared_streams && once_in(d, 2))
		s->stream = once_in(d, 5) ? (int32_t)small(d, 30, 40) : (int32_t)small(d, 0, 3);
	if (f->null_stream && once_in(d, 3))
		s->stream = STREAM_NULL;
}

static void make_durations(
	struct dice *d, struct random_case *c, const struct task *t, struct release_rule *rule)
{
	rule->durations =
		random_case_room(c, (size_t)rule->trace_count * t->segment_count, sizeof(*rule->durations));
	for (uint32_t job = 0; job < rule->trace_count; job++) {
		for (uint32_t i = 0; i < t->segment_count; i++) {
			if (!once_in(d, 3))
				continue;
			rule->durations[rule->duration_count++] =
				(struct trace_duration){job, i, between(d, 0, t->segments[i].worst_ns)};
		}
	}
}

/* A share that is often round, so that its product with the period is a whole number. */
static int64_t max_delay(struct dice *d)
{
	return once_in(d, 3) ? between(d, 0, 1500000) : 100000 * between(d, 0, 12);
}

static void make_release(struct dice *d, struct random_case *c, struct task *t)
{
	struct release_rule *rule = random_case_room(c, 1, sizeof(*rule));
	t->release = rule;
	rule->kind = (enum release_kind)small(d, RELEASE_PERIODIC, RELEASE_TRACE);
	rule->max_delay_ppm = max_delay(d);
	if (rule->kind != RELEASE_TRACE)
		return;
	rule->trace_count = small(d, 1, 9);
	rule->trace_ns = random_case_room(c, rule->trace_count, sizeof(*rule->trace_ns));
	int64_t at = between(d, 0, 20);
	for (uint32_t i = 0; i < rule->trace_count; i++) {
		rule->trace_ns[i] = at;
		at += once_in(d, 4) ? 0 : between(d, 0, t->period_ns + 5);
	}
	if (once_in(d, 2))
		make_durations(d, c, t, rule);
}

static void make_task(struct dice *d, struct random_case *c, const struct flavour *f, uint32_t index)
{
	struct task *t = &c->set.tasks[index];
	t->name = numbered(c, "t", index);
	t->period_ns = f->same_times || once_in(d, 2) ? f->periods[roll(d) % 3] : between(d, 5, 60);
	t->deadline_ns = t->period_ns;
	if (once_in(d, 2))
		t->deadline_ns = between(d, 1, t->period_ns);
	if (f->offsets && !once_in(d, 3))
		t->offset_ns = between(d, 0, t->period_ns / 2 + 3);
	t->priority = between(d, 0, 3);
	t->segment_count = small(d, 1, 7);
	t->segments = random_case_room(c, t->segment_count, sizeof(*t->segments));
	/* All segments together take about `percent` of the period, divided among the tasks. */
	int64_t most = 2 * t->period_ns * f->percent / 100 / t->segment_count / (c->set.task_count + 1) + 1;
	bool high = f->priorities_of_streams && once_in(d, 2);
	for (uint32_t i = 0; i < t->segment_count; i++) {
		make_segment(d, c, f, most, &t->segments[i]);
		if (t->segments[i].kind != SEGMENT_CPU)
			t->segments[i].stream_high =
				high != (f->priorities_of_streams && f->mixed_streams && once_in(d, 4));
	}
	if (once_in(d, 4))
		make_release(d, c, t);
}

static void make_profiles(struct dice *d, struct random_case *c)
{
	const struct platform *p = &c->platform;
	c->set.profile_count = 2;
	c->set.profiles = random_case_room(c, 2, sizeof(*c->set.profiles));
	for (uint32_t i = 0; i < 2; i++) {
		struct profile *profile = &c->set.profiles[i];
		profile->name = numbered(c, "p", i);
		profile->count = p->sms + small(d, 0, 1);
		profile->best_ns = random_case_room(c, profile->count, sizeof(int64_t));
		profile->worst_ns = random_case_room(c, profile->count, sizeof(int64_t));
		profile->total_power_uw = i ? random_case_room(c, profile->count, sizeof(int64_t)) : NULL;
		for (uint32_t m = 1; m <= profile->count; m++) {
			profile->worst_ns[m - 1] = once_in(d, 8) ? 0 : between(d, 1, 12);
			profile->best_ns[m - 1] = between(d, 0, profile->worst_ns[m - 1]);
			if (i) {
				int64_t idle = m < p->sms ? p->idle_per_sm_uw * (p->sms - m) : 0;
				profile->total_power_uw[m - 1] = p->static_uw + idle + between(d, 0, 300 * m);
			}
		}
	}
}

static void make_setup(struct dice *d, struct run_setup *s)
{
	*s = (struct run_setup){0};
	s->horizon_ns = between(d, 5, once_in(d, 3) ? 400 : 150);
	s->stop = once_in(d, 4) ? STOP_HORIZON : STOP_DRAINED;
	s->limit_ns = once_in(d, 4) ? s->horizon_ns + between(d, 0, 60) : 10 * s->horizon_ns;
	s->seed = roll(d) >> 1; /* a value that a scenario file can hold */
	s->set = small(d, 0, 3);
	s->release.kind = once_in(d, 3) ? RELEASE_SPORADIC : RELEASE_PERIODIC;
	s->release.max_delay_ppm = max_delay(d);
	s->execution = EXECUTION_WORST;
	if (once_in(d, 2))
		s->execution = (enum execution_kind)small(d, EXECUTION_BEST, EXECUTION_SCALED);
	s->scale_ppm = between(d, 0, 1000000);
	s->on_miss = (enum on_miss)small(d, MISS_CONTINUE, MISS_ABORT);
	s->ties = once_in(d, 4) ? TIES_LOWER_FIRST : TIES_TASK_ORDER;
}

void random_case_make(uint64_t seed, uint64_t index, struct random_case *c)
{
	struct dice d = {seed};
	d.state = roll(&d) ^ index * 0xD1342543DE82EF95u;
	struct flavour flavour;
	*c = (struct random_case){0};
	make_platform(&d, &c->platform);
	make_flavour(&d, &flavour);
	make_setup(&d, &c->setup);
	make_profiles(&d, c);
	c->set.name = numbered(c, "set", (uint32_t)index);
	c->set.priorities = once_in(&d, 4);
	c->set.task_count = small(&d, 1, 6);
	c->set.tasks = random_case_room(c, c->set.task_count, sizeof(*c->set.tasks));
	for (uint32_t i = 0; i < c->set.task_count; i++)
		make_task(&d, c, &flavour, i);
	struct dice uneven = {d.state ^ 0xb10c5};
	if (once_in(&uneven, 2))
		random_case_uneven(&uneven, c);
}

static uint32_t *copied(struct random_case *to, const uint32_t *tasks, uint32_t count)
{
	uint32_t *copy = random_case_room(to, count + 1, sizeof(*copy));
	if (count > 0)
		memcpy(copy, tasks, count * sizeof(*copy));
	return copy;
}

void random_case_clone(const struct random_case *from, struct random_case *to)
{
	*to = *from;
	to->set.arena = (struct arena){0};
	to->set.tasks = random_case_room(to, from->set.task_count, sizeof(*to->set.tasks));
	for (uint32_t i = 0; i < from->set.task_count; i++) {
		struct task *t = &to->set.tasks[i];
		*t = from->set.tasks[i];
		t->segments = random_case_room(to, t->segment_count, sizeof(*t->segments));
		memcpy(t->segments, from->set.tasks[i].segments, t->segment_count * sizeof(*t->segments));
		if (!t->release)
			continue;
		t->release = random_case_room(to, 1, sizeof(*t->release));
		*t->release = *from->set.tasks[i].release;
		t->release->after = copied(to, t->release->after, t->release->after_count);
	}
	to->set.chains = random_case_room(to, from->set.chain_count + 1, sizeof(*to->set.chains));
	for (uint32_t i = 0; i < from->set.chain_count; i++) {
		to->set.chains[i] = from->set.chains[i];
		to->set.chains[i].tasks =
			copied(to, from->set.chains[i].tasks, from->set.chains[i].task_count);
	}
}

static bool has_kernels(const struct task *t)
{
	for (uint32_t i = 0; i < t->segment_count; i++) {
		if (t->segments[i].kind == SEGMENT_KERNEL)
			return true;
	}
	return false;
}

/* The GPU of the task's kernels, of which it has some. */
static uint32_t gpu_of_kernels(const struct task *t)
{
	uint32_t i = 0;
	while (t->segments[i].kind != SEGMENT_KERNEL)
		i++;
	return t->segments[i].gpu;
}

/* Tasks with kernels on that GPU, of the first `count`. */
static uint32_t tasks_on(const struct random_case *c, uint32_t gpu, uint32_t count)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < count; i++)
		n += has_kernels(&c->set.tasks[i]) && gpu_of_kernels(&c->set.tasks[i]) == gpu;
	return n;
}

/* V_SM as rtgpu chooses it: enough on each GPU. */
static uint32_t chosen_virtual_sms(const struct random_case *c)
{
	uint32_t v = c->platform.virtual_sms_per_sm, least = 2;
	for (uint32_t g = 0; g < platform_gpus(&c->platform); g++)
		while (least * platform_gpu(&c->platform, g)->sms < tasks_on(c, g, c->set.task_count))
			least *= 2;
	return v ? v : least;
}

const char *random_case_allocation(
	const struct random_case *c, const struct oracle_policy *policy, char text[RANDOM_ALLOCATION_MAX])
{
	bool shared = policy->option && strcmp(policy->option, "exclusive") == 0;
	bool virtual = strcmp(policy->name, "rtgpu") == 0;
	size_t length = 1;
	strcpy(text, "[");
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		uint32_t share = 0;
		if (has_kernels(&c->set.tasks[i])) {
			uint32_t gpu = gpu_of_kernels(&c->set.tasks[i]);
			uint32_t sms = platform_gpu(&c->platform, gpu)->sms;
			uint32_t n = tasks_on(c, gpu, c->set.task_count), k = tasks_on(c, gpu, i);
			uint32_t per_sm = virtual ? chosen_virtual_sms(c) : 1;
			if (n > sms * per_sm && !shared)
				return NULL;
			/* The last tasks get what the division leaves over. */
			share = shared ? 1 + (5 * i + 2) % sms : sms / n + (n - 1 - k < sms % n);
			share = (share ? share : 1) * (n <= sms ? per_sm : 1);
		}
		length += (size_t)snprintf(
			text + length, RANDOM_ALLOCATION_MAX - length, i ? ", %u" : "%u", share);
	}
	strcpy(text + length, "]");
	return text;
}

void random_case_finish(struct random_case *c)
{
	arena_finish(&c->set.arena);
}
