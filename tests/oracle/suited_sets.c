/* tests/oracle/suited_sets.c - changes random cases for policies that give SMs to kernels: enough SMs,
 * sections of copies and kernels between CPU segments, profiles that get faster with more SMs, power. */
#include <string.h>

#include "tests/oracle/dice.h"
#include "tests/oracle/random_sets.h"

static uint32_t virtual_sms(const struct platform *p)
{
	return p->virtual_sms_per_sm ? p->virtual_sms_per_sm : 1;
}

/* Blocks that were made for the pool of the whole GPU are small: an SM of 64 threads holds any of them. */
static void use_pool_of_sms(struct platform *p)
{
	if (p->warps_per_sm * WARP_THREADS < p->threads_per_sm)
		p->warps_per_sm = 0; /* a persistent block of all threads must fit */
	if (p->pool == POOL_SM)
		return;
	p->pool = POOL_SM;
	p->threads_per_sm = 64;
	p->blocks_per_sm = p->warps_per_sm = 0;
	p->registers_per_sm = p->shared_memory_per_sm = 0;
	p->divisions.count = 0;
}

/* Gives every divisible kernel an alpha for 2, 4 and 8 virtual SMs. */
static void say_alpha(struct dice *d, struct random_case *c, struct segment *s)
{
	if (s->kind != SEGMENT_KERNEL || s->form != KERNEL_WORK)
		return;
	s->interleaves = 3;
	s->interleave = random_case_room(c, 3, sizeof(*s->interleave));
	for (uint32_t i = 0; i < 3; i++)
		s->interleave[i] = (struct interleave){2u << i, between(d, 10, 20 + 15 * i), 10};
}

/* ---- profiles ---- */

/* Work that divides by up to `cap` SMs, with some noise; zero if there is little work on many SMs. */
static void make_profile(struct dice *d, struct random_case *c, struct profile *p, bool powered)
{
	const struct platform *platform = &c->platform;
	uint32_t cap = small(d, 1, platform->sms + 1);
	int64_t work = between(d, 2, once_in(d, 2) ? 8 : 40);
	p->count = platform->sms;
	p->best_ns = random_case_room(c, p->count, sizeof(int64_t));
	p->worst_ns = random_case_room(c, p->count, sizeof(int64_t));
	p->total_power_uw = powered ? random_case_room(c, p->count, sizeof(int64_t)) : NULL;
	for (uint32_t m = 1; m <= p->count; m++) {
		int64_t idle = platform->idle_per_sm_uw * (platform->sms - m), n = m < cap ? m : cap;
		p->worst_ns[m - 1] = (work + n / 2) / n + between(d, -1, 1);
		if (p->worst_ns[m - 1] < 0)
			p->worst_ns[m - 1] = 0;
		p->best_ns[m - 1] = between(d, p->worst_ns[m - 1] / 3, p->worst_ns[m - 1]);
		if (powered)
			p->total_power_uw[m - 1] = platform->static_uw + idle + between(d, 0, 100) * m;
	}
}

static void make_profiles(struct dice *d, struct random_case *c)
{
	for (uint32_t i = 0; i < c->set.profile_count; i++)
		make_profile(d, c, &c->set.profiles[i], i > 0 || once_in(d, 2));
}

/* ---- tasks made of sections ---- */

static struct segment *add(struct task *t, enum segment_kind kind, struct dice *d, int64_t most)
{
	struct segment *s = &t->segments[t->segment_count++];
	*s = (struct segment){.kind = kind, .stream = STREAM_OWN, .bytes = -1};
	s->worst_ns = once_in(d, 9) ? 0 : between(d, 1, most > 0 ? most : 1);
	s->best_ns = once_in(d, 3) ? s->worst_ns : between(d, 0, s->worst_ns);
	if (kind == SEGMENT_COPY)
		s->direction = (enum copy_direction)small(d, COPY_TO_GPU, COPY_BOTH);
	return s;
}

/* Adds a kernel whose time on all SMs is about `most`. */
static void add_kernel(struct dice *d, struct random_case *c, struct task *t, int64_t most)
{
	uint32_t form = small(d, 0, 4);
	struct segment *s = add(t, SEGMENT_KERNEL, d, most);
	s->power_uw = between(d, 0, 120);
	if (form == 0) {
		s->form = KERNEL_GRID;
		s->grid = small(d, 1, 2 * c->platform.sms);
		s->block = small(d, 1, WARP_THREADS);
	} else if (form <= 2) {
		s->form = KERNEL_WORK;
		s->worst_ns *= (int64_t)virtual_sms(&c->platform) * c->platform.sms;
		s->best_ns = between(d, s->worst_ns / 4, s->worst_ns);
		s->overhead_ns = once_in(d, 3) ? between(d, 0, 3) : 0;
		say_alpha(d, c, s);
	} else {
		s->form = KERNEL_PROFILE;
		s->profile = (int32_t)small(d, 0, c->set.profile_count - 1);
	}
}

/* (cpu) (copy) kernel ((copy) kernel) (copy) (cpu), once or twice. Each takes about 1/share of the period,
 * divided among the tasks. */
static void make_sections(struct dice *d, struct random_case *c, struct task *t, bool cpu, uint32_t share)
{
	int64_t most = t->period_ns / (share * c->set.task_count) + 1;
	uint32_t sections = small(d, 1, cpu ? 2 : 1);
	t->segments = random_case_room(c, 16, sizeof(*t->segments));
	t->segment_count = 0;
	for (uint32_t i = 0; i < sections; i++) {
		if (cpu && (i > 0 || once_in(d, 2)))
			add(t, SEGMENT_CPU, d, most);
		if (!once_in(d, 4))
			add(t, SEGMENT_COPY, d, most);
		add_kernel(d, c, t, most);
		if (once_in(d, 3)) {
			if (!once_in(d, 3))
				add(t, SEGMENT_COPY, d, most);
			add_kernel(d, c, t, most);
		}
		if (!once_in(d, 4))
			add(t, SEGMENT_COPY, d, most);
	}
	if (cpu && once_in(d, 3))
		add(t, SEGMENT_CPU, d, most);
}

static void make_over(struct dice *d, struct random_case *c, struct task *t, bool cpu, uint32_t share)
{
	t->period_ns = once_in(d, 3) ? 20 + 20 * between(d, 0, 2) : between(d, 12, 90);
	t->period_ns *= share > 10 ? 4 : 1;
	t->deadline_ns = once_in(d, 2) ? t->period_ns : between(d, t->period_ns / 3 + 1, t->period_ns);
	if (t->offset_ns > t->period_ns)
		t->offset_ns = t->period_ns;
	make_sections(d, c, t, cpu, share);
	/* The trace of lengths was made for the old segments. */
	if (t->release && t->release->kind == RELEASE_TRACE)
		t->release->duration_count = 0;
}

/* A schedule made beforehand needs periodic releases and a short hyperperiod. */
static void make_periodic(struct dice *d, struct task *t)
{
	static const int64_t periods[] = {20, 30, 40, 60, 60, 120};
	int64_t before = t->period_ns;
	t->release = NULL;
	t->period_ns = periods[roll(d) % 6];
	t->deadline_ns = t->deadline_ns * t->period_ns / before;
	t->deadline_ns = t->deadline_ns > 0 ? t->deadline_ns : 1;
}

static void lengthen(int64_t *best, int64_t *worst)
{
	*best = *best > 0 ? *best : 1;
	*worst = *worst > *best ? *worst : *best;
}

/* A schedule made beforehand has a place for every kernel: no kernel may turn out to have length zero. */
static void lengthen_kernels(struct random_case *c)
{
	for (uint32_t i = 0; i < c->set.profile_count; i++) {
		for (uint32_t m = 0; m < c->set.profiles[i].count; m++)
			lengthen(&c->set.profiles[i].best_ns[m], &c->set.profiles[i].worst_ns[m]);
	}
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		for (uint32_t k = 0; k < c->set.tasks[i].segment_count; k++) {
			struct segment *s = &c->set.tasks[i].segments[k];
			if (s->kind == SEGMENT_KERNEL)
				lengthen(&s->best_ns, &s->worst_ns);
		}
	}
}

/* ---- */

static bool is(const struct oracle_policy *policy, const char *name)
{
	return strcmp(policy->name, name) == 0;
}

/* Can several tasks have the same SM? */
static bool shares_sms(const struct oracle_policy *policy)
{
	return policy->option && strcmp(policy->option, "exclusive") == 0;
}

static bool gpu_only(const struct oracle_policy *policy)
{
	return policy->option && strcmp(policy->value, "utilization") == 0;
}

void random_case_suit(struct random_case *c, uint64_t index, const struct oracle_policy *policy)
{
	bool predicts = is(policy, "sbeet") || is(policy, "sbeet-mg");
	struct dice d = {index * 0x9E3779B97F4A7C15u ^ 0x5bee7};
	if (!predicts && !policy->grants)
		return;
	if (once_in(&d, 12) && c->platform.pool == POOL_GPU)
		return;
	use_pool_of_sms(&c->platform);
	/* rtgpu also works with fewer SMs than tasks: it gives out virtual SMs one by one. */
	if (predicts || !once_in(&d, is(policy, "rtgpu") ? 2 : 4))
		c->platform.sms = small(&d, predicts ? 1 : c->set.task_count, 8);
	c->platform.static_uw = between(&d, 0, 200);
	make_profiles(&d, c);
	bool planned = policy->admits == ORACLE_AS_PLANNED;
	if (planned) {
		c->setup.release.kind = RELEASE_PERIODIC;
		/* Under `drop` it takes a started job for a dropped one when a later unit of the job is
		 * late. */
		if (c->setup.on_miss == MISS_DROP)
			c->setup.on_miss = MISS_CONTINUE;
	}
	/* Heavy, medium and light load. */
	static const uint32_t shares[3][4] = {{4, 25, 40, 60}, {2, 3, 5, 8}, {3, 5, 8, 10}};
	uint32_t share = shares[predicts + planned][roll(&d) % 4];
	bool over = !once_in(&d, predicts ? 3 : 6) || gpu_only(policy) || planned;
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		struct task *t = &c->set.tasks[i];
		if (over)
			make_over(&d, c, t, !gpu_only(policy), share);
		if (planned)
			make_periodic(&d, t);
		for (uint32_t k = 0; k < t->segment_count; k++)
			say_alpha(&d, c, &t->segments[k]);
	}
	struct dice uneven = {d.state ^ 0xb10c5};
	if (over && once_in(&uneven, 2))
		random_case_uneven(&uneven, c);
	for (uint32_t i = 0; planned && i < c->set.task_count; i++)
		c->set.tasks[i].release = NULL;
	if (planned)
		lengthen_kernels(c);
	/* Where sets of SMs overlap, a lower unit may be looked at first, and be refused. */
	if (shares_sms(policy) && index % 2)
		c->setup.ties = TIES_LOWER_FIRST;
}
