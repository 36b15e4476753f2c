/* policies/warp_schedulers.c - the policies that schedule warps: the names and options by which users choose
 * the warp schedulers and managers of models/warps/ (docs/warps.md). For scenarios with `warp:`. */
#include "models/warps/options.h"
#include "policies/policies.h"

static const struct option lrr_options[] = {{"rotate", OPTION_CHOICE, "stall|cycle", 0, 0, "stall",
						    "go on to the next warp when one stalls, or every cycle"},
	WARP_OPTIONS_COMMON, {NULL}};
static const struct option plain_options[] = {WARP_OPTIONS_COMMON, {NULL}};
static const struct option two_level_options[] = {
	{"active", OPTION_INTEGER, NULL, 1, WARPS_PER_SM_MAX, "8", "warps of a sub-core that are active"},
	{"inner", OPTION_CHOICE, "rr|gto", 0, 0, "rr",
		"among these: one after the other, or greedy, then the oldest"},
	WARP_OPTIONS_COMMON, {NULL}};
static const struct option qaws_options[] = {
	{"budgets", OPTION_LIST, NULL, 1, 1000000, "",
		"switches between warps of each kernel before others are preferred"},
	WARP_OPTIONS_COMMON, {NULL}};

const struct policy policy_lrr = {
	.name = "lrr",
	.summary = "warps: loose round-robin, the same one until it stalls (QAWS section II; rotate: "
		   "cycle as GPGPU-Sim)",
	.version = 1,
	.options = lrr_options,
	.warp_scheduler = SCHEDULE_LRR,
};

const struct policy policy_gto = {
	.name = "gto",
	.summary = "warps: greedy, then the oldest (QAWS section II)",
	.version = 1,
	.options = plain_options,
	.warp_scheduler = SCHEDULE_GTO,
};

const struct policy policy_oldest = {
	.name = "oldest",
	.summary = "warps: always the oldest",
	.version = 1,
	.options = plain_options,
	.warp_scheduler = SCHEDULE_OLDEST,
};

const struct policy policy_two_level = {
	.name = "two-level",
	.summary = "warps: round-robin (inner: gto greedy) among a few, one that waits for memory makes room "
		   "(Narasiman et al., MICRO 2011)",
	.version = 1,
	.options = two_level_options,
	.warp_scheduler = SCHEDULE_TWO_LEVEL,
};

const struct policy policy_qaws = {
	.name = "qaws",
	.summary = "warps: QoS-aware, kernels with larger budgets are preferred longer (Singh et al., DATE "
		   "2022)",
	.version = 1,
	.options = qaws_options,
	.warp_scheduler = SCHEDULE_QAWS,
};
