/* recent.c - the GPU goes to the task that missed most of its last k deadlines, one unit at a time.
 *
 * In the spirit of (m,k)-firm deadlines [Hamdaoui and Ramanathan 1995]: a task that has missed is
 * preferred until its misses are k units old. Ties go to the earlier section deadline. */
#include <cegsim.h>

#define NOBODY UINT32_MAX

static const struct option options[] = {
	{.name = "k",
		.kind = OPTION_INTEGER,
		.min = 1,
		.max = 64,
		.fallback = "8",
		.help = "how many units of a task are remembered"},
	{.name = "unit",
		.kind = OPTION_CHOICE,
		.choices = "section|kernel",
		.fallback = "section",
		.help = "what has the GPU to itself: a whole GPU section, or each kernel"},
	{0},
};

struct history {
	uint64_t missed;   /* bit 0: the last unit missed its section deadline; bit 1: the one before; ... */
	uint32_t next_job; /* jobs before this one are in `missed` */
};

/* What is remembered between two calls of decide(). One for each run: runs go on side by side. */
struct state {
	uint64_t mask;           /* the k lowest bits */
	uint32_t running;        /* the task whose unit is on the GPU, or NOBODY */
	int64_t deadline;        /* that unit's section deadline */
	struct history *history; /* [tasks] */
};

static void remember(struct state *s, uint32_t task, bool missed)
{
	s->history[task].missed = (s->history[task].missed << 1 | missed) & s->mask;
}

/* Jobs in front of `job` that were never admitted were removed at their deadlines: they missed. */
static void catch_up(struct state *s, uint32_t task, uint32_t job)
{
	for (; s->history[task].next_job < job; s->history[task].next_job++)
		remember(s, task, true);
}

static int misses(struct state *s, const struct gate_unit_view *unit)
{
	catch_up(s, unit->task, unit->job);
	return __builtin_popcountll(s->history[unit->task].missed);
}

static void decide(struct gate *gate, void *state)
{
	struct state *s = state;
	if (s->running != NOBODY) {
		/* Calls have other reasons, too: a unit has come to the gate, or has left it. */
		if (gate_is_admitted(gate, s->running))
			return;
		remember(s, s->running, gate_now(gate) > s->deadline);
		s->running = NOBODY;
	}
	if (gate_waiting(gate) == 0)
		return;
	/* The gate is in the order of section deadlines: only more misses go in front. */
	struct gate_unit_view best = gate_unit(gate, 0);
	int most = misses(s, &best);
	for (uint32_t i = 1; i < gate_waiting(gate); i++) {
		struct gate_unit_view unit = gate_unit(gate, i);
		int n = misses(s, &unit);
		if (n > most) {
			best = unit;
			most = n;
		}
	}
	s->running = best.task;
	s->deadline = best.section_deadline;
	s->history[best.task].next_job = best.job + 1;
	gate_admit(gate, best.task);
}

/* Called once per run, before time begins: the place to make the state. */
static bool plan(struct plan *plan, struct error *err)
{
	/* Zeroed memory that lives as long as the run. decide() must not allocate. */
	struct state *s = arena_new(plan->arena, struct state, 1);
	struct history *history = arena_new(plan->arena, struct history, plan->set->task_count);
	if (!s || !history)
		return error_memory(err, "the policy's state");
	s->mask = UINT64_MAX >> (64 - params_integer(plan->params, "k"));
	s->running = NOBODY;
	s->history = history;
	plan->state = s;
	plan->unit = params_choice(plan->params, "unit") == 0 ? GATE_SECTION : GATE_KERNEL;
	plan->kernel_order = order_by_section_deadline;
	plan->copy_order = order_by_section_deadline;
	plan->decide = decide;
	return true;
}

static const struct policy recent = {
	.name = "recent",
	.summary = "the task that missed most of its last k deadlines first, one unit at a time",
	.version = 1,
	.options = options,
	.plan = plan,
};
CEGSIM_POLICY(recent);
