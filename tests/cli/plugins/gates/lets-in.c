/* Admits a given number of units at a time, in the order of deadlines: kernels, sections, or the kernels of
 * sections. */
#include <cegsim.h>

struct state {
	uint32_t at_a_time; /* 0: all that wait */
	int64_t from;       /* nothing is admitted before this instant */
};

static void decide(struct gate *gate, void *state)
{
	const struct state *s = state;
	if (gate_now(gate) < s->from) {
		gate_wake(gate, s->from);
		return;
	}
	while (gate_waiting(gate) > 0 && (s->at_a_time == 0 || gate_admitted(gate) < s->at_a_time))
		gate_admit_next(gate);
}

static const struct option options[] = {
	{
		.name = "unit",
		.kind = OPTION_CHOICE,
		.choices = "kernel|section|kernels",
		.fallback = "kernel",
		.help = "",
	},
	{
		.name = "wait",
		.kind = OPTION_CHOICE,
		.choices = "suspend|busy|boost",
		.fallback = "suspend",
		.help = "",
	},
	{
		.name = "at_a_time",
		.kind = OPTION_INTEGER,
		.min = 0,
		.max = 100,
		.fallback = "2",
		.help = "0: all",
	},
	{
		.name = "from",
		.kind = OPTION_DURATION,
		.min = 0,
		.max = 1000000000000,
		.fallback = "0s",
		.help = "",
	},
	{0},
};

static bool plan(struct plan *plan, struct error *err)
{
	static const enum gate_unit units[] = {GATE_KERNEL, GATE_SECTION, GATE_SECTION_KERNELS};
	static const enum cpu_wait waits[] = {WAIT_SUSPEND, WAIT_BUSY, WAIT_BOOST};
	struct state *s = arena_new(plan->arena, struct state, 1);
	if (!s)
		return error_memory(err, "the state");
	s->at_a_time = (uint32_t)params_integer(plan->params, "at_a_time");
	s->from = params_quantity(plan->params, "from");
	plan->state = s;
	plan->unit = units[params_choice(plan->params, "unit")];
	plan->wait = waits[params_choice(plan->params, "wait")];
	plan->cpu_order = plan->copy_order = plan->kernel_order = order_by_deadline;
	plan->wakes = true;
	plan->decide = decide;
	return true;
}

static const struct policy lets_in = {
	.name = "lets-in", .summary = "a test", .version = 1, .options = options, .plan = plan};
CEGSIM_POLICY(lets_in);
