/* db/audit/promises.c - owns the tables of what each policy promises: its orders, its gate, its SMs, how its
 * jobs wait (docs/policies.md). A policy that is not in them is audited only by the laws that hold under
 * every policy. */
#include <jansson.h>
#include <string.h>

#include "base/units.h"
#include "db/audit/recording.h"

/* What a policy promises with every option at its default. */
static const struct {
	const char *policy;
	enum ranking ranking;
	enum waiting waiting;
	enum audit_gate gate;
	enum admits admits;
	enum grants grants;
	enum order cpu, queue, copies; /* queue: the gate's, or without one the primary queue's */
} policies[] = {
	{"fifo-cke", RANKS_DEADLINE, WAITS_SUSPENDED, GATE_NONE, ADMITS_ONE, GRANTS_NONE, BY_PRIORITY,
		BY_ARRIVAL, BY_ARRIVAL},
	{"prio-streams", RANKS_DEADLINE, WAITS_SUSPENDED, GATE_NONE, ADMITS_ONE, GRANTS_NONE, BY_PRIORITY,
		BY_ARRIVAL, BY_STREAM},
	{"fcfs", RANKS_DEADLINE, WAITS_SUSPENDED, GATE_SECTIONS, ADMITS_ONE, GRANTS_NONE, BY_PRIORITY,
		BY_ARRIVAL, BY_ARRIVAL},
	{"rm", RANKS_RATE, WAITS_SUSPENDED, GATE_SECTIONS, ADMITS_ONE, GRANTS_NONE, BY_PRIORITY, BY_PRIORITY,
		BY_PRIORITY},
	{"edf", RANKS_DEADLINE, WAITS_SUSPENDED, GATE_SECTIONS, ADMITS_ONE, GRANTS_NONE, BY_DEADLINE,
		BY_DEADLINE, BY_DEADLINE},
	{"self-suspension", RANKS_DEADLINE, WAITS_SUSPENDED, GATE_SECTIONS, ADMITS_ONE, GRANTS_NONE,
		BY_PRIORITY, BY_PRIORITY, BY_PRIORITY},
	{"mpcp", RANKS_DEADLINE, WAITS_SUSPENDED, GATE_SECTIONS, ADMITS_ONE, GRANTS_NONE, BY_PRIORITY,
		BY_PRIORITY, BY_PRIORITY},
	{"stgm", RANKS_DEADLINE, WAITS_BUSY, GATE_KERNELS, ADMITS_FITTING, GRANTS_APART, BY_PRIORITY,
		BY_PRIORITY, BY_PRIORITY},
	{"rtgpu", RANKS_DEADLINE, WAITS_SUSPENDED, GATE_NONE, ADMITS_ONE, GRANTS_SLOTS, BY_PRIORITY,
		BY_ARRIVAL, BY_PRIORITY},
	{"tsg-rr", RANKS_DEADLINE, WAITS_SUSPENDED, GATE_NONE, ADMITS_ONE, GRANTS_NONE, BY_PRIORITY,
		BY_ARRIVAL, BY_ARRIVAL},
	{"gcaps", RANKS_DEADLINE, WAITS_SUSPENDED, GATE_NONE, ADMITS_ONE, GRANTS_NONE, BY_PRIORITY,
		BY_ARRIVAL, BY_ARRIVAL},
	{"sbeet", RANKS_DEADLINE, WAITS_SUSPENDED, GATE_SECTION_KERNELS, ADMITS_DECIDED, GRANTS_CHOSEN,
		BY_PRIORITY, BY_SECTION_DEADLINE, BY_ARRIVAL},
	/* Not all of its choices are recorded: it may let a section wait, or predict nothing. */
	{"sbeet-mg", RANKS_DEADLINE, WAITS_SUSPENDED, GATE_SECTIONS, ADMITS_UNSEEN, GRANTS_CHOSEN,
		BY_PRIORITY, BY_PRIORITY, BY_ARRIVAL},
};

/* What the options change. A recording contains the value of every option, defaults too. */
enum clause {
	RANKING,
	WAITING,
	GATE,
	ADMITS,
	GRANTS,
	QUEUE,
	LEAST_ENERGY,
	ANY_LEAST,
	ONE_START,
	COMPUTE_ONLY,
	HOMES,
	MOVES
};
static const struct {
	const char *policy, *option, *value;
	enum clause clause;
	int what;
} amendments[] = {
	{"fifo-cke", "order", "release", QUEUE, BY_RELEASE},
	{"fcfs", "unit", "kernel", GATE, GATE_KERNELS},
	{"rm", "unit", "kernel", GATE, GATE_KERNELS},
	{"edf", "unit", "kernel", GATE, GATE_KERNELS},
	{"mpcp", "wait", "busy", WAITING, WAITS_BOOSTED},
	{"stgm", "wait", "suspend", WAITING, WAITS_SUSPENDED},
	{"stgm", "exclusive", "false", GRANTS, GRANTS_SETS},
	{"stgm", "test", "utilization", RANKING, RANKS_RATE},
	{"stgm", "test", "utilization", GRANTS, GRANTS_SETS},
	{"tsg-rr", "wait", "busy", WAITING, WAITS_BUSY},
	{"gcaps", "wait", "busy", WAITING, WAITS_BUSY},
	{"tsg-rr", "owns", "compute", COMPUTE_ONLY, true},
	{"sbeet", "queue", "fcfs", QUEUE, BY_ARRIVAL},
	{"sbeet", "queue", "priority", QUEUE, BY_PRIORITY},
	{"sbeet", "energy", "own", LEAST_ENERGY, true},
	{"sbeet", "infeasible", "energy", ANY_LEAST, true},
	{"sbeet", "after_start", "stop", ONE_START, true},
	{"sbeet", "offline", "true", ADMITS, ADMITS_UNSEEN},
	{"sbeet-mg", "energy", "own", LEAST_ENERGY, true},
	{"sbeet-mg", "infeasible", "energy", ANY_LEAST, true},
	{"sbeet-mg", "assign", "ffd", HOMES, HOMES_FIRST_FIT},
	{"sbeet-mg", "assign", "bfd", HOMES, HOMES_BEST_FIT},
	{"sbeet-mg", "assign", "wfd", HOMES, HOMES_WORST_FIT},
	{"sbeet-mg", "assign", "given", HOMES, HOMES_GIVEN},
	{"sbeet-mg", "choice", "stay", MOVES, MOVES_NEVER},
	{"sbeet-mg", "choice", "plan", MOVES, MOVES_UNSAID},
	{"sbeet-mg", "choice", "little", MOVES, MOVES_UNSAID},
	{"sbeet-mg", "choice", "big", MOVES, MOVES_UNSAID},
	{"sbeet-mg", "choice", "balanced", MOVES, MOVES_UNSAID},
	{"sbeet-mg", "queue", "fcfs", QUEUE, BY_ARRIVAL},
	{"sbeet-mg", "queue", "deadline", QUEUE, BY_SECTION_DEADLINE},
};

/* Earlier versions of these policies behaved differently, so their runs are audited like those of unknown
 * policies. For runs with this option (NULL: for all) the promise holds since this version. */
static const struct {
	const char *policy, *option, *value;
	int64_t since;
} renewed[] = {
	{"stgm", "exclusive", "false", 2}, /* a refused unit reserved its SMs against higher ones, too */
	{"sbeet", NULL, NULL, 3}, /* the next release was predicted as if sporadic tasks were periodic */
};

static bool option_is(const json_t *params, const char *option, const char *value)
{
	const json_t *given = json_object_get(params, option);
	if (json_is_boolean(given))
		return strcmp(json_is_true(given) ? "true" : "false", value) == 0;
	return json_is_string(given) && strcmp(json_string_value(given), value) == 0;
}

static int64_t whole_number(const json_t *params, const char *option)
{
	const json_t *given = json_object_get(params, option);
	return json_is_integer(given) ? json_integer_value(given) : 0;
}

static int64_t duration(const json_t *params, const char *option)
{
	const json_t *given = json_object_get(params, option);
	struct error err;
	int64_t ns;
	return json_is_string(given) && unit_parse(UNIT_TIME, json_string_value(given), "ns", &ns, &err) ? ns
													 : 0;
}

static void amend(struct promise *p, enum clause clause, int what)
{
	switch (clause) {
	case RANKING:
		p->ranking = (enum ranking)what;
		return;
	case WAITING:
		p->waiting = (enum waiting)what;
		return;
	case GATE:
		p->gate = (enum audit_gate)what;
		return;
	case ADMITS:
		p->admits = (enum admits)what;
		return;
	case GRANTS:
		p->grants = (enum grants)what;
		return;
	case QUEUE:
		p->gate_order = p->kernel_order = (enum order)what;
		return;
	case LEAST_ENERGY:
		p->least_energy = what;
		return;
	case ANY_LEAST:
		p->any_least = what;
		return;
	case ONE_START:
		p->one_start = what;
		return;
	case COMPUTE_ONLY:
		p->compute_only = what;
		return;
	case HOMES:
		p->homes = (enum homes_rule)what;
		return;
	case MOVES:
		p->moves = (enum moves)what;
		return;
	}
}

static bool base_of(const char *policy, struct promise *p)
{
	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
		if (strcmp(policies[i].policy, policy) != 0)
			continue;
		*p = (struct promise){
			.ranking = policies[i].ranking,
			.waiting = policies[i].waiting,
			.gate = policies[i].gate,
			.admits = policies[i].admits,
			.grants = policies[i].grants,
			.cpu_order = policies[i].cpu,
			.gate_order = policies[i].queue,
			.copy_order = policies[i].copies,
			.kernel_order = policies[i].queue,
		};
		return true;
	}
	return false;
}

/* The policy that made the schedule. If stgm's utilisation test fails, it runs the set under rm: then no task
 * with kernels has SMs of its own. For a set without kernels it cannot be told: NULL. */
static const char *policy_in_force(const struct recording *r, const json_t *params)
{
	bool kernels = false;
	if (strcmp(r->policy, "stgm") != 0 || !option_is(params, "test", "utilization"))
		return r->policy;
	for (uint32_t i = 0; i < r->tasks; i++) {
		kernels |= r->task[i].has_kernels;
		if (r->task[i].figures.sms > 0)
			return r->policy;
	}
	return kernels ? "rm" : NULL;
}

static bool is_earlier(const struct recording *r, const json_t *params)
{
	for (size_t i = 0; i < sizeof(renewed) / sizeof(renewed[0]); i++)
		if (strcmp(renewed[i].policy, r->policy) == 0 && r->policy_version < renewed[i].since &&
			(!renewed[i].option || option_is(params, renewed[i].option, renewed[i].value)))
			return true;
	return false;
}

/* Under policies that take no notice of stream priorities. */
static void all_streams_low(struct recording *r)
{
	for (uint32_t i = 0; i < r->tasks; i++)
		for (uint32_t j = 0; j < r->task[i].segments; j++)
			r->task[i].segment[j].high_stream = false;
}

void promise_find(struct recording *r)
{
	json_t *params = json_loads(r->params, 0, NULL);
	const char *policy = policy_in_force(r, params);
	r->promise = NULL;
	if (policy && !is_earlier(r, params) && base_of(policy, &r->promised)) {
		r->promise = &r->promised;
		for (size_t i = 0; i < sizeof(amendments) / sizeof(amendments[0]); i++) {
			if (strcmp(amendments[i].policy, policy) == 0 &&
				option_is(params, amendments[i].option, amendments[i].value))
				amend(&r->promised, amendments[i].clause, amendments[i].what);
		}
		/* Priorities that the policy assigned are not in the recording. */
		r->promised.owned = strcmp(policy, "gcaps") == 0 &&
				    !option_is(params, "gpu_priorities", "safe") &&
				    !option_is(params, "gpu_priorities", "paper");
		r->promised.turns = r->promised.owned || strcmp(policy, "tsg-rr") == 0;
		r->contexts |= r->promised.turns; /* even if nobody was given the GPU */
		if (r->promised.owned) {
			r->promised.update_ns = duration(params, "update");
			r->promised.call_ns = duration(params, "call");
			r->calls = r->promised.update_ns > 0;
		}
		if (strcmp(policy, "sbeet") == 0) {
			r->promised.decision_base_ns = duration(params, "decision_base");
			r->promised.decision_unit_ns = duration(params, "decision_per_job");
			r->promised.decides_on_core = !option_is(params, "decision_on", "server");
		}
		r->promised.places = strcmp(policy, "sbeet-mg") == 0;
		if (r->promised.admits == ADMITS_ONE)
			r->promised.at_once = 1;
		if (r->promised.grants == GRANTS_CHOSEN)
			r->promised.at_once = whole_number(params, "workers");
		/* Units that pass the gate are in the primary queue in the order of arrival */
		if (r->promised.gate != GATE_NONE)
			r->promised.kernel_order = BY_ARRIVAL;
	}
	if (option_is(params, "priorities", "ignore"))
		all_streams_low(r);
	json_decref(params);
}
