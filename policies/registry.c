/* policies/registry.c - the table of policies. Add a line for a new policy here: then it can be run, recorded
 * and audited, and the conformance and oracle tests check it like all others. */
#include "policies/registry.h"

#include <string.h>

#include "policies/policies.h"

static const struct policy *const policies[] = {
	&policy_fifo_cke,
	&policy_fcfs,
	&policy_rm,
	&policy_prio_streams,
	&policy_edf,
	&policy_self_suspension,
	&policy_mpcp,
	&policy_stgm,
	&policy_rtgpu,
	&policy_sbeet,
	&policy_sbeet_mg,
	&policy_tsg_rr,
	&policy_gcaps,
	&policy_lrr,
	&policy_gto,
	&policy_oldest,
	&policy_two_level,
	&policy_qaws,
	NULL,
};

const struct policy *const *policy_all(void)
{
	return policies;
}

const struct policy *policy_find(const char *name)
{
	for (const struct policy *const *p = policies; *p; p++)
		if (strcmp((*p)->name, name) == 0)
			return *p;
	return NULL;
}
