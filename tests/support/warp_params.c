/* tests/support/warp_params.c - see tests/support/warp_params.h. */
#include "tests/support/warp_params.h"

#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/test.h"

static void set_text(struct params *p, const char *name, const char *text)
{
	struct error err;
	if (!params_set(p, name, text, &err))
		fail_msg("%s", err.text);
}

static void set_ppm(struct params *p, const char *name, int64_t ppm)
{
	char text[32];
	snprintf(text, sizeof(text), "0.%06lld", (long long)ppm);
	set_text(p, name, text);
}

static void set_number(struct params *p, const char *name, int64_t value)
{
	char text[32];
	snprintf(text, sizeof(text), "%lld", (long long)value);
	set_text(p, name, text);
}

const struct policy *warp_params(const struct warp_options *o, uint32_t kernels, struct params *p)
{
	static const char *const names[] = {"lrr", "gto", "oldest", "two-level", "qaws"};
	const struct policy *policy = policy_find(names[o->scheduler]);
	char budgets[256] = "";
	assert_non_null(policy);
	params_default(p, policy->options);
	set_text(p, "manager", warp_manager_name(o->manager));
	set_text(p, "blocks", o->blocks == BLOCKS_FILL ? "fill" : "even");
	set_number(p, "epoch", o->epoch);
	set_number(p, "epoch_cost", o->epoch_cost);
	set_number(p, "samples", o->samples);
	set_text(p, "history", o->history ? "true" : "false");
	set_text(p, "adjust", o->adjust ? "true" : "false");
	set_ppm(p, "adjust_margin", o->adjust_margin);
	set_text(p, "swap", o->free_swaps ? "free" : "memory");
	if (o->scheduler == SCHEDULE_LRR)
		set_text(p, "rotate", o->rotate_cycle ? "cycle" : "stall");
	if (o->scheduler == SCHEDULE_TWO_LEVEL) {
		set_number(p, "active", o->active);
		set_text(p, "inner", o->inner_gto ? "gto" : "rr");
	}
	for (uint32_t k = 0; k < kernels && o->scheduler == SCHEDULE_QAWS; k++)
		snprintf(budgets + strlen(budgets), sizeof(budgets) - strlen(budgets), "%s%lld", k ? "," : "",
			(long long)o->budget[k]);
	if (o->scheduler == SCHEDULE_QAWS)
		set_text(p, "budgets", budgets);
	return policy;
}
