/* tests/conformance/test_flight_audit.c - random sets with operations in flight
 * (tests/oracle/flights_sets.h), recorded block by block and audited: nothing may be found in them, nor where
 * the audit does not know the policy. Of a simulator with a fault built in (mutate.sh) it must find
 * something.
 *
 *     test_flight_audit sound [CASES]
 *     test_flight_audit known|any...      the simulator has a fault; any: under a policy that is not known */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/conformance/audited.h"
#include "tests/oracle/flights_sets.h"
#include "tests/support/harness.h"
#include "tests/support/test.h"

#define CASES 600 /* of which a fault must show in one */

static uint64_t sound_cases = TEST_CASES(400);

static bool audit_one(
	struct audited *a, uint64_t number, const char *policy_name, bool stranger, struct error *err)
{
	struct maker k;
	struct params params;
	struct policy policy = *policy_find(policy_name);
	char label[64];
	flights_make_more(&k, number);
	params_default(&params, policy.options);
	snprintf(label, sizeof(label), "%s, set %u", policy_name, (unsigned)number);
	if (stranger)
		policy.name = "a-stranger";
	struct run_spec spec = {
		.platform = &k.platform,
		.set = &k.set,
		.setup = &k.setup,
		.policy = &policy,
		.params = &params,
		.record = RECORD_BLOCKS,
		.replication = (int64_t)number,
	};
	bool ok = audited_run(a, &spec, label, err);
	maker_finish(&k);
	return ok;
}

static uint64_t findings(uint64_t from, uint64_t to, bool stranger, bool tell)
{
	struct audited a;
	struct error err;
	bool ok = audited_begin(&a, &err);
	for (uint64_t i = from; ok && i < to; i++)
		ok = audit_one(&a, i, "fifo-cke", stranger, &err) &&
		     audit_one(&a, i, "prio-streams", stranger, &err);
	if (!ok)
		fail_msg("%s", err.text);
	return audited_findings(&a, tell, NULL);
}

static void nothing_is_wrong(void **state)
{
	assert_int_equal(findings(0, sound_cases, false, true), 0);
	assert_int_equal(findings(0, sound_cases, true, true), 0);
}

/* More and more sets: most faults show early. */
static void the_audit_finds_it(void **state)
{
	bool stranger = strcmp(*state, "any") == 0;
	for (uint64_t from = 0; from < CASES; from = 2 * from + 10)
		if (findings(from, 2 * from + 10, stranger, false) > 0)
			return;
	fail_msg("nothing is found in all sets: is the fault still built in?");
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[2];
	bool sound = argc > 1 && strcmp(argv[1], "sound") == 0;
	if (argc < 2 || argc > 3) {
		fputs("usage: test_flight_audit sound [CASES] | known|any...\n", stderr);
		return 2;
	}
	if (sound && argc > 2)
		sound_cases = strtoull(argv[--argc], NULL, 10);
	for (int i = 1; i < argc; i++)
		tests[i - 1] = (struct CMUnitTest){
			.name = argv[i],
			.test_func = sound ? nothing_is_wrong : the_audit_finds_it,
			.initial_state = argv[i],
		};
	return _cmocka_run_group_tests("operations in flight", tests, (size_t)argc - 1, NULL, NULL);
}
