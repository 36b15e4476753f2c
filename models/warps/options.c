/* models/warps/options.c - see models/warps/options.h. */
#include "models/warps/options.h"

#include <inttypes.h>

static bool read_budgets(
	const struct params *params, const struct warp_set *set, struct warp_options *o, struct error *err)
{
	int64_t values[PARAM_LIST_MAX];
	size_t count = params_list(params, "budgets", values, PARAM_LIST_MAX);
	if (count > set->kernel_count)
		return error_set(
			err, STATUS_INPUT, "qaws has %zu budgets for %u kernels", count, set->kernel_count);
	for (size_t i = 0; i < count; i++)
		o->budget[i] = values[i];
	return true;
}

static bool check_manager(const struct warp_options *o, const struct warp_set *set,
	const struct platform *platform, struct error *err)
{
	bool goal = false;
	for (uint32_t i = 0; i < set->kernel_count; i++)
		goal = goal || set->kernels[i].goal.kind != GOAL_NONE;
	if (o->manager != MANAGER_SMK && !goal)
		return error_set(err, STATUS_INPUT, "manager %s wants a kernel with a goal",
			warp_manager_name(o->manager));
	if (o->manager == MANAGER_SPART && o->blocks == BLOCKS_FILL)
		return error_set(err, STATUS_INPUT,
			"manager spart hands out whole SMs, which 'blocks: fill' contradicts");
	if (o->epoch_cost >= o->epoch)
		return error_set(err, STATUS_INPUT,
			"an epoch of %" PRId64 " cycles is over before its epoch_cost of %" PRId64, o->epoch,
			o->epoch_cost);
	if (o->manager == MANAGER_SPART && o->epoch_cost > 0)
		return error_set(err, STATUS_INPUT, "manager spart has no quotas to wait for (epoch_cost)");
	if (o->manager == MANAGER_SPART && platform->sms < set->kernel_count)
		return error_set(err, STATUS_INPUT,
			"manager spart gives each of %u kernels an SM; there %s %u", set->kernel_count,
			platform->sms == 1 ? "is" : "are", platform->sms);
	return true;
}

bool warp_options_read(enum warp_scheduler_kind scheduler, const struct params *params,
	const struct warp_set *set, const struct platform *platform, struct warp_options *options,
	struct error *err)
{
	struct warp_options o = {
		.scheduler = scheduler,
		.manager = (enum warp_manager)params_choice(params, "manager"),
		.blocks = (enum warp_block_targets)params_choice(params, "blocks"),
		.epoch = params_integer(params, "epoch"),
		.epoch_cost = params_integer(params, "epoch_cost"),
		.samples = (uint32_t)params_integer(params, "samples"),
		.adjust_margin = params_quantity(params, "adjust_margin"),
		.history = params_bool(params, "history"),
		.adjust = params_bool(params, "adjust"),
		.free_swaps = params_choice(params, "swap") == 1,
	};
	for (uint32_t i = 0; i < WARP_KERNELS_MAX; i++)
		o.budget[i] = 1;
	if (scheduler == SCHEDULE_LRR)
		o.rotate_cycle = params_choice(params, "rotate") == 1;
	if (scheduler == SCHEDULE_TWO_LEVEL) {
		o.active = (uint32_t)params_integer(params, "active");
		o.inner_gto = params_choice(params, "inner") == 1;
	}
	if (scheduler == SCHEDULE_QAWS && !read_budgets(params, set, &o, err))
		return false;
	*options = o;
	return check_manager(&o, set, platform, err);
}
