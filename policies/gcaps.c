/* policies/gcaps.c - GPU sections preempt each other by priority: each job tells the driver of the begin and
 * the end of its section, and the driver keeps the process of the task of highest priority alone in the
 * runlist [Wang, Liu, Wong, Kim, "GCAPS: GPU Context-Aware Preemptive Priority-Based Scheduling for Real-Time
 * Tasks", ECRTS 2024, section 5, Algorithm 1]. docs/model.md, "Contexts", has the rules G1 to G5;
 * docs/policies.md says where they are not the paper's. */
#include <stdio.h>

#include "analysis/gcaps_plan.h"
#include "models/ranks.h"
#include "policies/policies.h"
#include "policies/turns.h"

static const struct option options[] = {
	{
		.name = "update",
		.kind = OPTION_DURATION,
		.min = 0,
		.max = 1000000000,
		.fallback = "1ms",
		.help = "how long a call lasts that changes whose process has the GPU (the paper's epsilon)",
	},
	{
		.name = "call",
		.kind = OPTION_DURATION,
		.min = 0,
		.max = 1000000000,
		.fallback = "1ms",
		.help = "how long another call lasts; 0 only where `update` is 0",
	},
	{
		.name = "wait",
		.kind = OPTION_CHOICE,
		.choices = "suspend|busy",
		.fallback = "suspend",
		.help = "what a job does with the core during its GPU section: leaves it, or spins",
	},
	{
		.name = "gpu_priorities",
		.kind = OPTION_CHOICE,
		.choices = "given|safe|paper",
		.fallback = "given",
		.help = "those of the set; or, where the analysis gcaps rejects them, by Audsley's method "
			"with its bounds",
	},
	{0},
};

struct state {
	struct turns turns; /* while no real-time task owns the GPU */
	int64_t update_ns, call_ns;
	const struct taskset *set;
	uint32_t *rank;    /* [tasks] on the GPU; best-effort tasks last */
	struct ranks in;   /* the ranks of real-time tasks in a section */
	uint32_t *of_rank; /* [2 * tasks] the task of a rank */
	uint32_t has;      /* the owner's process */
	bool changes;      /* the call that goes on, or was over at this instant, changes that */
};

/* The process of the task in a section that has the highest priority (G3). */
static uint32_t owners_process(const struct state *s, const struct gate *gate)
{
	return ranks_empty(&s->in) ? GATE_NOBODY : gate_process(gate, s->of_rank[ranks_first(&s->in)]);
}

/* Who is to have the GPU: the owner's process, else the next one in the ring. */
static uint32_t successor(const struct state *s, const struct gate *gate)
{
	return s->has != GATE_NOBODY ? s->has : turns_next(&s->turns, gate);
}

/* If a call that changed the owner is over now, so the slice of who has the GPU has begun. */
static void change_is_over(struct state *s, const struct gate *gate)
{
	if (s->changes)
		s->turns.begin = gate_now(gate);
	s->changes = false;
}

static int64_t call(struct gate *gate, void *state, const struct gate_call *call)
{
	struct state *s = state;
	if (call->end)
		ranks_remove(&s->in, s->rank[call->task]);
	else if (!s->set->tasks[call->task].best_effort)
		ranks_add(&s->in, s->rank[call->task]);
	if (s->update_ns == 0)
		return 0; /* decide() sees to it */
	change_is_over(s, gate);
	uint32_t process = owners_process(s, gate);
	if (process == s->has)
		return s->call_ns;
	s->has = process;
	s->changes = true;
	uint32_t next = successor(s, gate);
	gate_switch(gate, next, GATE_SAVE);
	if (next != GATE_NOBODY)
		turns_given(&s->turns, next, 0);
	return s->update_ns;
}

/* Calls take no time: the owner of this instant has the GPU at once. */
static void change_at_once(struct state *s, struct gate *gate)
{
	uint32_t process = owners_process(s, gate);
	if (process == s->has)
		return;
	s->has = process;
	uint32_t next = successor(s, gate);
	gate_switch_for(gate, next, GATE_SAVE, 0);
	if (next == GATE_NOBODY)
		return;
	turns_given(&s->turns, next, gate_now(gate));
	if (process == GATE_NOBODY)
		gate_wake(gate, gate_now(gate) + s->turns.slice_ns);
	s->changes = true;
}

static void decide(struct gate *gate, void *state)
{
	struct state *s = state;
	if (s->update_ns == 0)
		change_at_once(s, gate);
	else if (gate_calling(gate) == GATE_NOBODY)
		change_is_over(s, gate);
	if (s->has == GATE_NOBODY && !s->changes)
		turns_decide(&s->turns, gate);
	if (s->update_ns == 0)
		s->changes = false;
}

/* Best-effort tasks behind all others. */
static void rank_tasks(struct state *s, const uint32_t *rank)
{
	uint32_t count = s->set->task_count;
	taskset_gpu_ranks(s->set, rank, s->rank);
	for (uint32_t i = 0; i < count; i++)
		s->rank[i] += s->set->tasks[i].best_effort ? count : 0;
}

static bool uses_gpu(const struct task *t)
{
	for (uint32_t i = 0; i < t->segment_count; i++)
		if (segment_is_operation(&t->segments[i]))
			return true;
	return false;
}

/* Whether b, spinning, may keep a core for ever from the end call of a, which owns the GPU. */
static bool locks_out(const struct plan *plan, const struct state *s, uint32_t a, uint32_t b)
{
	const struct task *tasks = plan->set->tasks;
	bool inverted = s->rank[a] < s->rank[b] && plan->rank[a] > plan->rank[b];
	return inverted && !tasks[a].best_effort && uses_gpu(&tasks[a]) && uses_gpu(&tasks[b]) &&
	       taskset_core(plan->set, plan->platform, a) == taskset_core(plan->set, plan->platform, b);
}

/* Jobs that spin must not wait for jobs that they keep from the core [section 5.3]. */
static void refuse_inversions(struct plan *plan, const struct state *s)
{
	uint64_t count = plan->set->task_count;
	for (uint64_t i = 0; plan->wait == WAIT_BUSY && i < count * count && !plan->refused; i++) {
		uint32_t a = (uint32_t)(i / count), b = (uint32_t)(i % count);
		if (!locks_out(plan, s, a, b))
			continue;
		plan->refused = true;
		plan->failing_task = a;
		snprintf(plan->reason, sizeof(plan->reason),
			"tasks '%.60s' and '%.60s' have one core, and another order on the GPU than "
			"there: spinning, they may wait for each other for ever",
			plan->set->tasks[a].name, plan->set->tasks[b].name);
	}
}

static bool check_gcaps(const struct params *params, struct error *err)
{
	bool free = params_quantity(params, "update") == 0;
	return free == (params_quantity(params, "call") == 0) ||
	       error_set(err, STATUS_INPUT, "`update` and `call` are 0, or neither is");
}

static bool plan_gcaps(struct plan *plan, struct error *err)
{
	uint32_t count = plan->set->task_count;
	struct state *s = arena_new(plan->arena, struct state, 1);
	if (!s || !(s->rank = arena_new(plan->arena, uint32_t, count)) ||
		!(s->of_rank = arena_new(plan->arena, uint32_t, 2 * (size_t)count)) ||
		!ranks_init(&s->in, plan->arena, 2 * count))
		return error_memory(err, "the state of gcaps");
	s->update_ns = params_quantity(plan->params, "update");
	s->call_ns = params_quantity(plan->params, "call");
	s->set = plan->set;
	s->has = GATE_NOBODY;
	rank_tasks(s, plan->rank);
	turns_init(&s->turns, plan->platform);
	plan->contexts = CONTEXTS_GPU;
	plan->wait = params_choice(plan->params, "wait") == 1 ? WAIT_BUSY : WAIT_SUSPEND;
	plan->decide = decide;
	plan->call = call;
	plan->calls_free = s->update_ns == 0;
	plan->call_rank = s->rank;
	uint32_t places = params_choice(plan->params, "gpu_priorities");
	if (places > 0 && !gcaps_plan_places(plan, places == 1 ? GCAPS_SAFE : GCAPS_PAPER, s->rank, err))
		return false;
	for (uint32_t i = 0; i < count; i++)
		s->of_rank[s->rank[i]] = i;
	plan->wakes = true;
	plan->state = s;
	refuse_inversions(plan, s);
	return true;
}

const struct policy policy_gcaps = {
	.name = "gcaps",
	.summary = "GPU sections preempt each other by priority, by calls of the driver [GCAPS 5]",
	.version = 1,
	.plan_of_set = true,
	.options = options,
	.plan = plan_gcaps,
	.check = check_gcaps,
};
