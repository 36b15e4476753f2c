/* policies/sbeet/sbeet_mg.c - `sbeet-mg`: sBEET on several GPUs, which need not be alike (Wang, Karimi, Kim,
 * "Towards Energy-Efficient Real-Time Scheduling of Heterogeneous Multi-GPU Systems", RTSS 2022), and what
 * its authors compare it with. docs/policies.md says what is theirs and what is ours. This file has the
 * options, the plan, and the gate's side. */
#include "policies/policies.h"
#include "policies/sbeet/fleet.h"

static const struct option options[] = {
	{
		.name = "assign",
		.kind = OPTION_CHOICE,
		.choices = "energy|ffd|bfd|wfd|given",
		.fallback = "energy",
		.help = "each task's home: the GPU of least energy with room; or by bin packing; or as the "
			"set says",
	},
	{
		.name = "choice",
		.kind = OPTION_CHOICE,
		.choices = "migrate|stay|plan|little|big|balanced",
		.fallback = "migrate",
		.help = "where a section starts: at home or, for energy or its deadline, elsewhere; at home "
			"(as sbeet, or on m_opt SMs); or on the smallest, the largest or the emptiest GPU",
	},
	{
		.name = "workers",
		.kind = OPTION_INTEGER,
		.min = 1,
		.max = 64,
		.fallback = "2",
		.help = "sections on a GPU at a time; the paper has 2",
	},
	{
		.name = "queue",
		.kind = OPTION_CHOICE,
		.choices = "deadline|fcfs|priority",
		.fallback = "priority",
		.help = "who is looked at first: by section deadline, arrival or priority",
	},
	{
		.name = "energy",
		.kind = OPTION_CHOICE,
		.choices = "own|common",
		.fallback = "own",
		.help = "energy up to each choice's own end (as published), or to the latest end of all "
			"choices",
	},
	{
		.name = "infeasible",
		.kind = OPTION_CHOICE,
		.choices = "energy|fastest",
		.fallback = "energy",
		.help = "choice=stay: if deadlines cannot be kept: the least energy, or the earliest end",
	},
	{0},
};

static void weigh(
	void *self, uint32_t gpu, const struct sbeet_unit *unit, const struct sbeet_candidate *c, bool chosen)
{
	struct gate_weighed weighed = sbeet_weighed(c, chosen);
	weighed.gpu = gpu;
	gate_weigh(self, unit->section->task, &weighed);
}

static void admit(void *self, uint32_t gpu, const struct sbeet_unit *unit, const struct sbeet_placed *placed,
	uint32_t *sm)
{
	const struct grant grant = {.count = placed->sms, .sm = sm};
	gate_admit_gpu(self, unit->section->task, gpu, &grant);
}

/* The section with kernels that this segment is of; NULL: it is of a section of copies. */
static const struct sbeet_section *section_of(const struct fleet *f, uint32_t task, uint32_t segment)
{
	const struct sbeet_model *m = &f->gpu[0].model;
	for (uint32_t i = 0; i < sbeet_sections_of(m, task); i++) {
		const struct sbeet_section *section = sbeet_section(m, task, i);
		if (segment >= section->first && segment < section->end)
			return section;
	}
	return NULL;
}

/* Sections of copies take no SMs: they go home at once. */
static void let_copies_in(const struct fleet *f, struct gate *gate)
{
	for (uint32_t i = 0; i < gate_waiting(gate);) {
		const struct gate_unit_view view = gate_unit(gate, i);
		if (section_of(f, view.task, view.segment))
			i++;
		else
			gate_admit_gpu(gate, view.task, f->home[view.task], NULL);
	}
}

static void decide(struct gate *gate, void *state)
{
	struct fleet *f = state;
	const struct fleet_actions actions = {.self = gate, .weigh = weigh, .admit = admit};
	for (uint32_t g = 0; g < f->gpus; g++)
		sbeet_follow(&f->gpu[g], gate);
	let_copies_in(f, gate);
	uint32_t count = gate_waiting(gate);
	for (uint32_t i = 0; i < count; i++) {
		const struct gate_unit_view view = gate_unit(gate, i);
		f->waiting[i] = (struct fleet_unit){
			.task = view.task,
			.job = view.job,
			.index = section_of(f, view.task, view.segment)->index,
			.ready = view.ready,
			.deadline = view.section_deadline,
		};
	}
	fleet_choose(f, gate_now(gate), count, &actions);
}

static bool plan_sbeet_mg(struct plan *plan, struct error *err)
{
	const struct fleet_options chosen = {
		.assign = params_choice(plan->params, "assign"),
		.choice = params_choice(plan->params, "choice"),
		.gpu = sbeet_options_of(plan->params),
	};
	struct fleet *f = arena_new(plan->arena, struct fleet, 1);
	if (!f)
		return error_memory(err, "planning sbeet-mg");
	plan->gpus = GPUS_CHOSEN;
	plan->unit = GATE_SECTION;
	plan->grants_at_run_time = true;
	plan->kernel_order = sbeet_order(chosen.gpu.queue);
	plan->copy_order = order_by_arrival;
	plan->decide = decide;
	plan->state = f;
	return fleet_init(f, plan, &chosen, err);
}

const struct policy policy_sbeet_mg = {
	.name = "sbeet-mg",
	.summary = "sbeet on several GPUs: homes by energy, and sections that migrate [sBEET-mg, RTSS'22]",
	.version = 1,
	.options = options,
	.plan = plan_sbeet_mg,
};
