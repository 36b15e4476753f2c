/* tests/conformance/audited_cases.c - random cases under the policies of subjects.h, recorded
 * block by block. */
#include <stdio.h>
#include <string.h>

#include "tests/conformance/audited.h"
#include "tests/conformance/subjects.h"

void audited_case_make(const struct subject *subject, uint64_t seed, uint64_t index, struct random_case *c)
{
	subjects_case(subject, seed, index, c);
	if (!subjects_predict(subject->policy))
		subjects_burden(subject, c, index);
	if (index % 2)
		random_case_chains(c, index);
	if (index % 3 == 1 && subjects_take_triggers(subject))
		random_case_triggers(c, index);
	if (index % 4 == 2 && subjects_take_gpus(subject))
		random_case_gpus(c, index, false);
}

bool audited_case(struct audited *a, const struct subject *subject, bool stranger, uint64_t seed,
	uint64_t index, struct error *err)
{
	struct random_case c;
	struct params params;
	struct policy policy = *subject->policy;
	char name[64], label[128];
	audited_case_make(subject, seed, index, &c);
	snprintf(name, sizeof(name), "a-stranger-%s", policy.name);
	snprintf(label, sizeof(label), "%.100s, case %llu", subject->label, (unsigned long long)index);
	if (stranger)
		policy.name = name;
	struct run_spec spec = {
		.platform = &c.platform,
		.set = &c.set,
		.setup = &c.setup,
		.policy = &policy,
		.params = &params,
		.record = RECORD_BLOCKS,
		.replication = (int64_t)index,
	};
	bool ok = subjects_params(subject, &c.platform, &c.set, &params, err) &&
		  audited_run(a, &spec, label, err);
	random_case_finish(&c);
	return ok;
}
