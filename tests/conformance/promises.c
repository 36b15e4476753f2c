/* tests/conformance/promises.c - the audit's table of promises (db/audit/promises.c) with the tests' own
 * policies added. It is linked in place of the original, so the audit also holds these policies to what they
 * promise. */
#include "db/audit/recording.h"

static void find_registered(struct recording *r);
#define promise_find find_registered
#include "db/audit/promises.c"
#undef promise_find

#define PLAIN .cpu_order = BY_PRIORITY
#define SERIAL                                                                                               \
	PLAIN, .gate = GATE_SECTIONS, .copy_order = BY_PRIORITY, .gate_order = BY_PRIORITY, .at_once = 1
static const struct {
	const char *policy;
	struct promise promise;
} of_tests[] = {
	{"template", {.ranking = RANKS_RATE, SERIAL}},
	{"busy", {.ranking = RANKS_RATE, .waiting = WAITS_BUSY, SERIAL}},
	{"boosted", {.ranking = RANKS_RATE, .waiting = WAITS_BOOSTED, SERIAL}},
	{"busy-open", {.waiting = WAITS_BUSY, PLAIN}},
	{"sm-sets", {.grants = GRANTS_SETS, .copy_order = BY_PRIORITY, PLAIN}},
	{"own-order", {.cpu_order = BY_DEADLINE, .copy_order = BY_DEADLINE, .kernel_order = BY_DEADLINE}},
	{"fifo-core", {.cpu_order = BY_RELEASE, .kernel_order = BY_PRIORITY}},
};

void promise_find(struct recording *r)
{
	find_registered(r);
	for (size_t i = 0; !r->promise && i < sizeof(of_tests) / sizeof(of_tests[0]); i++) {
		if (strcmp(of_tests[i].policy, r->policy) != 0)
			continue;
		r->promised = of_tests[i].promise;
		r->promise = &r->promised;
		json_t *params = json_loads(r->params, 0, NULL);
		if (option_is(params, "unit", "kernel"))
			r->promised.gate = GATE_KERNELS;
		json_decref(params);
	}
}
