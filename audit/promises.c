/* audit/promises.c - owns the table of what each policy promises: its orders, its gate, how its
 * jobs wait. A policy that is not here is audited by the laws that hold under every policy. */
#include "audit/recording.h"

#include <jansson.h>
#include <string.h>

/* The first row that fits counts. Default values of options are written out in a recording. */
static const struct promise promises[] = {
	{"fifo-cke", "order", "release", RANKS_DEADLINE, WAITS_SUSPENDED, GATE_NONE, BY_ARRIVAL, BY_ARRIVAL,
		BY_RELEASE, true},
	{"fifo-cke", NULL, NULL, RANKS_DEADLINE, WAITS_SUSPENDED, GATE_NONE, BY_ARRIVAL, BY_ARRIVAL,
		BY_ARRIVAL, true},
	{"prio-streams", NULL, NULL, RANKS_DEADLINE, WAITS_SUSPENDED, GATE_NONE, BY_ARRIVAL, BY_STREAM,
		BY_ARRIVAL, true},
	{"fcfs", "unit", "kernel", RANKS_DEADLINE, WAITS_SUSPENDED, GATE_KERNELS, BY_ARRIVAL, BY_ARRIVAL,
		BY_ARRIVAL, true},
	{"fcfs", NULL, NULL, RANKS_DEADLINE, WAITS_SUSPENDED, GATE_SECTIONS, BY_ARRIVAL, BY_ARRIVAL,
		BY_ARRIVAL, true},
	{"rm", "unit", "kernel", RANKS_RATE, WAITS_SUSPENDED, GATE_KERNELS, BY_PRIORITY, BY_PRIORITY,
		BY_ARRIVAL, true},
	{"rm", NULL, NULL, RANKS_RATE, WAITS_SUSPENDED, GATE_SECTIONS, BY_PRIORITY, BY_PRIORITY, BY_ARRIVAL,
		true},
	{"self-suspension", NULL, NULL, RANKS_DEADLINE, WAITS_SUSPENDED, GATE_SECTIONS, BY_PRIORITY,
		BY_PRIORITY, BY_ARRIVAL, true},
	{"stgm", "wait", "suspend", RANKS_DEADLINE, WAITS_SUSPENDED, GATE_NONE, BY_ARRIVAL, BY_PRIORITY,
		BY_ARRIVAL, false},
	{"stgm", NULL, NULL, RANKS_DEADLINE, WAITS_BUSY, GATE_NONE, BY_ARRIVAL, BY_PRIORITY, BY_ARRIVAL,
		false},
	{"rtgpu", NULL, NULL, RANKS_DEADLINE, WAITS_SUSPENDED, GATE_NONE, BY_ARRIVAL, BY_PRIORITY, BY_ARRIVAL,
		false},
};

static bool option_is(const json_t *params, const char *option, const char *value)
{
	const char *given = json_string_value(json_object_get(params, option));
	return given && strcmp(given, value) == 0;
}

const struct promise *promise_find(const char *policy, const char *params)
{
	json_t *options = json_loads(params, 0, NULL);
	const struct promise *found = NULL;
	for (size_t i = 0; i < sizeof(promises) / sizeof(promises[0]) && !found; i++) {
		const struct promise *p = &promises[i];
		if (strcmp(p->policy, policy) == 0 && (!p->option || option_is(options, p->option, p->value)))
			found = p;
	}
	json_decref(options);
	return found;
}
