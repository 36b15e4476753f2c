/* tests/conformance/subjects.c - see tests/conformance/subjects.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/conformance/policies.h"
#include "tests/oracle/dice.h"

struct listing {
	struct subject *subjects;
	size_t count;
};

static void set_label(struct subject *s)
{
	static const char *const allocations[] = {
		[ALLOCATION_MEETING] = "meeting",
		[ALLOCATION_ALL] = "all",
		[ALLOCATION_VIRTUAL] = "virtual",
		[ALLOCATION_EACH] = "each",
	};
	char text[sizeof(s->label)];
	size_t used = (size_t)snprintf(text, sizeof(text), "%.30s", s->policy->name);
	for (uint32_t i = 0; i < s->choice_count; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, " %.12s=%.12s", s->choices[i].name,
			s->choices[i].value);
	if (s->allocation != ALLOCATION_NONE)
		used += (size_t)snprintf(
			text + used, sizeof(text) - used, " allocation=%s", allocations[s->allocation]);
	if (s->light)
		snprintf(text + used, sizeof(text) - used, " light");
	memcpy(s->label, text, sizeof(text));
}

static void choose(struct subject *s, const char *name, const char *value, size_t length)
{
	if (s->choice_count == SUBJECT_CHOICES) {
		fputs("conformance: more choices than SUBJECT_CHOICES\n", stderr);
		exit(EXIT_FAILURE);
	}
	struct choice *c = &s->choices[s->choice_count++];
	snprintf(c->name, sizeof(c->name), "%s", name);
	snprintf(c->value, sizeof(c->value), "%.*s", (int)length, value);
}

static struct subject *list(struct listing *l, const struct subject *like)
{
	if (l->count == SUBJECTS_MAX) {
		fputs("conformance: more subjects than SUBJECTS_MAX\n", stderr);
		exit(EXIT_FAILURE);
	}
	l->subjects[l->count] = *like;
	set_label(&l->subjects[l->count]);
	return &l->subjects[l->count++];
}

static bool chosen(const struct subject *s, const char *name)
{
	for (uint32_t i = 0; i < s->choice_count; i++)
		if (strcmp(s->choices[i].name, name) == 0)
			return true;
	return false;
}

/* Lists the given subject, and one more for every other choice of every option that it leaves at its default.
 * Option `admit` is left out: it has subjects of its own. */
static void list_choices(struct listing *l, const struct subject *like)
{
	list(l, like);
	for (const struct option *o = like->policy->options; o && o->name; o++) {
		const char *choices = o->kind == OPTION_BOOL     ? "true|false"
				      : o->kind == OPTION_CHOICE ? o->choices
								 : "";
		bool fixed = chosen(like, o->name) || strcmp(o->name, "admit") == 0;
		while (*choices && !fixed) {
			size_t length = strcspn(choices, "|");
			struct subject other = *like;
			choose(&other, o->name, choices, length);
			if (strlen(o->fallback) != length || strncmp(o->fallback, choices, length) != 0)
				list(l, &other);
			choices += length + (choices[length] == '|');
		}
	}
}

/* ---- registered policies ---- */

static struct subject with(struct subject s, const char *name, const char *value)
{
	choose(&s, name, value, strlen(value));
	return s;
}

static struct subject with_allocation(struct subject s, enum subject_allocation allocation)
{
	s.allocation = allocation;
	return s;
}

static void list_stgm(struct listing *l, struct subject s)
{
	s.wide = s.own_sms = true;
	struct subject tested = s;
	tested.light = tested.own_streams = true;
	list_choices(l, &tested);
	struct subject any = with(s, "admit", "any");
	list_choices(l, &any);
	struct subject rated = with(any, "test", "utilization"), meeting = with(any, "exclusive", "false");
	rated.light = true;
	list(l, &rated);
	rated = with(rated, "accept", "mean");
	list(l, &rated);
	meeting = with_allocation(meeting, ALLOCATION_MEETING);
	list(l, &meeting);
	meeting = with(meeting, "wait", "suspend");
	list(l, &meeting);
	meeting.allocation = ALLOCATION_ALL;
	list(l, &meeting);
}

static void list_rtgpu(struct listing *l, struct subject s)
{
	s.wide = s.own_sms = s.own_streams = true;
	s.virtual_sms = 2;
	struct subject tested = s, any = with(s, "admit", "any");
	tested.light = true;
	list_choices(l, &tested);
	list_choices(l, &any);
	any = with_allocation(any, ALLOCATION_EACH);
	list(l, &any);
}

static void list_sbeet(struct listing *l, struct subject s)
{
	s.own_sms = s.chooses = true;
	size_t first = l->count;
	list_choices(l, &s);
	/* A schedule made before the run needs to know all releases. */
	for (size_t i = first; i < l->count; i++)
		l->subjects[i].periodic = chosen(&l->subjects[i], "offline");
	struct subject workers = with(s, "workers", "1");
	list(l, &workers);
	workers = with(s, "workers", "3");
	list(l, &workers);
	struct subject slow = with(with(s, "decision_base", "2ns"), "decision_per_job", "1ns");
	list(l, &slow);
	slow = with(slow, "decision_on", "server");
	list(l, &slow);
}

static void list_sbeet_mg(struct listing *l, struct subject s)
{
	s.own_sms = s.chooses = true;
	list_choices(l, &s);
	struct subject other = with(s, "workers", "1");
	list(l, &other);
	other = with(s, "workers", "3");
	list(l, &other);
	other = with(s, "choice", "stay");
	other = with(other, "infeasible", "fastest");
	list(l, &other);
}

static void list_tsg_rr(struct listing *l, struct subject s)
{
	s.contexts = true;
	list_choices(l, &s);
	s = with(s, "owns", "compute");
	s = with(s, "wait", "busy");
	list(l, &s);
}

/* Policies whose kernels come to the primary queue as they are ready: with masks, too. */
static void list_queued(struct listing *l, struct subject s)
{
	list_choices(l, &s);
	s.masks = s.own_sms = true;
	list_choices(l, &s);
}

/* Calls that take no time, and such of which those that change the owner take longer. */
static void list_gcaps(struct listing *l, struct subject s)
{
	s.contexts = true;
	struct subject free = with(with(s, "update", "0ns"), "call", "0ns");
	list(l, &free);
	s = with(with(s, "update", "3ns"), "call", "1ns");
	s.calls = true;
	list_choices(l, &s);
}

typedef void list_fn(struct listing *l, struct subject s);

static list_fn *special(const struct policy *policy)
{
	static const struct {
		const char *name;
		list_fn *list;
	} rows[] = {{"stgm", list_stgm}, {"rtgpu", list_rtgpu}, {"sbeet", list_sbeet},
		{"sbeet-mg", list_sbeet_mg}, {"tsg-rr", list_tsg_rr}, {"gcaps", list_gcaps},
		{"fifo-cke", list_queued}, {"prio-streams", list_queued}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (strcmp(policy->name, rows[i].name) == 0)
			return rows[i].list;
	return NULL;
}

size_t subjects_all(struct subject subjects[SUBJECTS_MAX])
{
	struct listing l = {.subjects = subjects};
	for (const struct policy *const *p = policy_all(); *p; p++) {
		if (!(*p)->plan)
			continue;
		struct subject s = {.policy = *p};
		list_fn *of_its_own = special(*p);
		if (of_its_own)
			of_its_own(&l, s);
		else
			list_choices(&l, &s);
	}
	for (const struct test_policy *t = test_policies; t->policy; t++) {
		struct subject s = {
			.policy = t->policy,
			.gate = t->gate,
			.wide = t->wide,
			.own_sms = t->own_sms,
			.virtual_sms = t->virtual_sms,
			.workers = t->workers,
			.chooses = t->tells,
			.slots = t->slots,
			.shows = t->shows,
			.tells = t->tells,
			.contexts = t->contexts,
			.locks = t->locks,
		};
		list_choices(&l, &s);
	}
	return l.count;
}

/* ---- options that depend on the set ---- */

bool subjects_has_kernels(const struct task *t)
{
	for (uint32_t i = 0; i < t->segment_count; i++)
		if (t->segments[i].kind == SEGMENT_KERNEL)
			return true;
	return false;
}

static uint32_t share_of(const struct subject *s, const struct platform *platform, uint32_t task)
{
	/* V_SM as rtgpu chooses it: there is at least one SM for each task. */
	uint32_t slots = s->virtual_sms && !platform->virtual_sms_per_sm ? s->virtual_sms
									 : platform->virtual_sms_per_sm;
	switch (s->allocation) {
	case ALLOCATION_MEETING:
		return 1 + task % platform->sms;
	case ALLOCATION_ALL:
		return platform->sms;
	case ALLOCATION_VIRTUAL:
		return slots * platform->sms;
	case ALLOCATION_EACH:
		return slots;
	case ALLOCATION_NONE:
		break;
	}
	return 0;
}

static void allocation_text(const struct subject *s, const struct platform *platform,
	const struct taskset *set, char *text, size_t size)
{
	size_t used = 0;
	for (uint32_t i = 0; i < set->task_count; i++) {
		uint32_t share = subjects_has_kernels(&set->tasks[i]) ? share_of(s, platform, i) : 0;
		used += (size_t)snprintf(text + used, size - used, "%s%u", i ? ", " : "[", share);
	}
	snprintf(text + used, size - used, "]");
}

bool subjects_params(const struct subject *s, const struct platform *platform, const struct taskset *set,
	struct params *params, struct error *err)
{
	char text[256];
	params_default(params, s->policy->options);
	for (uint32_t i = 0; i < s->choice_count; i++)
		if (!params_set(params, s->choices[i].name, s->choices[i].value, err))
			return false;
	if (s->allocation == ALLOCATION_NONE)
		return true;
	allocation_text(s, platform, set, text, sizeof(text));
	return params_set(params, "allocation", text, err);
}

/* ---- cases ---- */

static int64_t *lengthened(struct random_case *c, const int64_t *values, uint32_t count, uint32_t to)
{
	int64_t *longer = random_case_room(c, to, sizeof(*longer));
	for (uint32_t i = 0; i < to; i++)
		longer[i] = values[i % count];
	return longer;
}

/* Gives the platform at least as many SMs as tasks; lengthens profiles to that many SMs. */
static void widen(struct random_case *c)
{
	if (c->platform.sms >= c->set.task_count)
		return;
	c->platform.sms = c->set.task_count;
	for (uint32_t i = 0; i < c->set.profile_count; i++) {
		struct profile *p = &c->set.profiles[i];
		p->best_ns = lengthened(c, p->best_ns, p->count, c->platform.sms);
		p->worst_ns = lengthened(c, p->worst_ns, p->count, c->platform.sms);
		if (p->total_power_uw)
			p->total_power_uw = lengthened(c, p->total_power_uw, p->count, c->platform.sms);
		p->count = c->platform.sms;
	}
}

/* Gives every divisible kernel an alpha for V_SM, and makes every persistent block fit an SM. */
static void share_sms(struct random_case *c, uint32_t virtual_sms)
{
	if (c->platform.pool == POOL_GPU && c->platform.threads_per_sm < virtual_sms)
		c->platform.threads_per_sm = virtual_sms;
	for (uint32_t i = 0; i < c->set.task_count; i++)
		for (uint32_t j = 0; j < c->set.tasks[i].segment_count; j++) {
			struct segment *s = &c->set.tasks[i].segments[j];
			if (s->kind != SEGMENT_KERNEL || s->form != KERNEL_WORK || s->interleaves)
				continue;
			s->interleaves = 2;
			s->interleave = random_case_room(c, 2, sizeof(*s->interleave));
			s->interleave[0] = (struct interleave){2, 18, 10};
			s->interleave[1] = (struct interleave){4, 31, 10};
		}
}

/* Blocks that shared the threads of a whole GPU get SMs on each of which they fit. */
static void part_sms(struct random_case *c)
{
	struct platform *p = &c->platform;
	if (p->pool != POOL_GPU)
		return;
	p->pool = POOL_SM;
	p->threads_per_sm = 128;
	p->warps_per_sm = 0;
	p->registers_per_sm = p->shared_memory_per_sm = 0;
	p->divisions.count = 0;
}

static void part_streams(struct random_case *c)
{
	c->platform.work_queues = 32;
	for (uint32_t i = 0; i < c->set.task_count; i++)
		for (uint32_t j = 0; j < c->set.tasks[i].segment_count; j++)
			c->set.tasks[i].segments[j].stream = STREAM_OWN;
}

static void make_periodic(struct random_case *c)
{
	c->setup.release.kind = RELEASE_PERIODIC;
	for (uint32_t i = 0; i < c->set.task_count; i++)
		c->set.tasks[i].release = NULL;
}

#define LIGHTER 8
static void lighten(struct random_case *c)
{
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		c->set.tasks[i].period_ns *= LIGHTER;
		c->set.tasks[i].deadline_ns *= LIGHTER;
	}
	c->setup.horizon_ns *= LIGHTER / 2;
	c->setup.limit_ns *= LIGHTER / 2;
}

/* Up to three processes for several tasks, others of their own; slices and switches of a few ticks. */
static void share_gpu(struct random_case *c, uint64_t index)
{
	static char name[3][2] = {"p", "q", "r"};
	struct dice d = {.state = index ^ 0x636f6e74}, ranks = {.state = index ^ 0x67707572};
	c->platform.contexts = (struct context_times){
		.timeslice_ns = between(&d, 1, 9),
		.switch_ns = between(&d, 0, 3),
		.reset_ns = between(&d, 0, 2),
	};
	bool apart = once_in(&ranks, 2); /* from the order on the CPU */
	c->set.gpu_priorities = apart && once_in(&ranks, 2);
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		struct task *t = &c->set.tasks[i];
		t->gpu_priority = between(&ranks, 0, 3);
		t->best_effort = apart && once_in(&ranks, 3);
		t->process = once_in(&d, 2) ? name[between(&d, 0, 2)] : NULL;
		for (uint32_t j = 0; j < t->segment_count; j++)
			t->segments[j].idempotent = !once_in(&d, 8);
	}
}

/* Kernels on some of the SMs, and a task table that may be full. */
static void confine(struct random_case *c, uint64_t index)
{
	struct dice d = {.state = index ^ 0x6d61736b};
	uint32_t sms = c->platform.sms;
	c->platform.resident_kernels = (uint32_t)between(&d, 0, 3);
	for (uint32_t i = 0; i < c->set.task_count; i++)
		for (uint32_t j = 0; j < c->set.tasks[i].segment_count; j++) {
			struct segment *s = &c->set.tasks[i].segments[j];
			if (s->kind != SEGMENT_KERNEL || once_in(&d, 3))
				continue;
			uint32_t first = (uint32_t)between(&d, 0, sms - 1);
			s->sm_count = (uint32_t)between(&d, 1, sms - first);
			s->sms = random_case_room(c, s->sm_count, sizeof(*s->sms));
			for (uint32_t k = 0; k < s->sm_count; k++)
				s->sms[k] = first + k;
		}
}

/* The gate never admits anything. A run that waited for all jobs, or longer than a period and a relative
 * deadline of a task, would count as faulty (tests/unit/test_gate_stuck.c). So it stops before that. */
static void let_it_end(struct random_case *c)
{
	c->setup.stop = STOP_HORIZON;
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		const struct task *t = &c->set.tasks[i];
		int64_t longest = t->period_ns > t->deadline_ns ? t->period_ns : t->deadline_ns;
		if (longest > 0 && c->setup.horizon_ns > longest)
			c->setup.horizon_ns = longest;
	}
}

/* It refuses sets with release jitter, or with deadlines above periods. */
static bool has_test(const struct policy *policy)
{
	static const char *const names[] = {"rtgpu", "sbeet", "sbeet-mg", "stgm"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(policy->name, names[i]) == 0)
			return true;
	return false;
}

/* The tests of some policies are for one core, or for a core of each task. */
static void keep_to_own_cores(const struct subject *subject, struct random_case *c)
{
	bool several = strcmp(subject->policy->name, "rtgpu") == 0;
	if (c->platform.cores == 1)
		return;
	c->platform.scheduling = CORES_PARTITIONED;
	c->set.cores = true;
	for (uint32_t i = 0; i < c->set.task_count; i++)
		c->set.tasks[i].core = (int32_t)((several ? i : 1) % c->platform.cores);
}

bool subjects_take_gpus(const struct subject *subject)
{
	static const char *const names[] = {"fifo-cke", "prio-streams", "fcfs", "rm", "edf",
		"self-suspension", "mpcp", "rtgpu", "sbeet-mg"};
	/* Allocations that are given are for the SMs of GPU 0. */
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(subject->policy->name, names[i]) == 0)
			return subject->allocation == ALLOCATION_NONE;
	return false;
}

bool subjects_predict(const struct policy *policy)
{
	return strcmp(policy->name, "sbeet") == 0 || strcmp(policy->name, "sbeet-mg") == 0;
}

bool subjects_take_triggers(const struct subject *subject)
{
	return !subject->periodic && !has_test(subject->policy);
}

void subjects_burden(const struct subject *subject, struct random_case *c, uint64_t index)
{
	random_case_burden(c, index);
	if (subject->locks)
		c->platform.overheads.launch_ns = 0;
}

void subjects_case(const struct subject *subject, uint64_t seed, uint64_t index, struct random_case *c)
{
	random_case_make(seed, index, c);
	/* Where sets of SMs overlap, at least half of the cases look at a lower unit first, which may be
	 * refused. */
	if (subject->allocation == ALLOCATION_MEETING && index % 2)
		c->setup.ties = TIES_LOWER_FIRST;
	if (subject->wide)
		widen(c);
	if (subject->virtual_sms)
		share_sms(c, subject->virtual_sms);
	if (subject->own_sms)
		part_sms(c);
	if (subject->own_streams)
		part_streams(c);
	if (subject->light)
		lighten(c);
	if (subject->contexts)
		share_gpu(c, index);
	if (subject->masks) {
		confine(c, index);
		random_case_delay(c, index);
	}
	if (subject->periodic)
		make_periodic(c);
	else if (subjects_take_triggers(subject))
		random_case_loosen(c, index);
	random_case_sample(c, index);
	random_case_limit(c, index);
	random_case_spread(c, index);
	if (has_test(subject->policy) && !chosen(subject, "admit") && !subjects_predict(subject->policy))
		keep_to_own_cores(subject, c);
	if (subject->gate == GATE_CLOSED)
		let_it_end(c);
}
