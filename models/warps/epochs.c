/* models/warps/epochs.c - see models/warps/epochs.h. */
#include "models/warps/epochs.h"

#include "base/checked.h"
#include "models/warps/adjusting.h"
#include "models/warps/sub_core.h"

int64_t ipc_of(int64_t instructions, int64_t cycles)
{
	return (int64_t)((int128)instructions * 1000000 / cycles);
}

struct engine_tally epochs_total(const struct warp_simulation *w, uint32_t kernel)
{
	struct engine_tally sum = {0};
	for (uint32_t i = 0; i < w->sm_count; i++) {
		const struct engine_tally *t = &w->sms[i].kernel[kernel].total;
		sum.warp_instructions += t->warp_instructions;
		sum.thread_instructions += t->thread_instructions;
		sum.energy_fj += t->energy_fj;
	}
	return sum;
}

/* ---- Goals ---- */

/* QoS 3.2: a launch's instructions over the cycles it may take. */
static bool goal_from_time(const struct warp_simulation *w, const struct warp_kernel *spec, int64_t *goal)
{
	int64_t warp_instructions, thread_instructions,
		cycles = warp_cycles(w->machine, spec->goal.kernel_ns);
	if (cycles == 0 || !warp_kernel_size(spec, &warp_instructions, &thread_instructions))
		return false;
	int128 ipc = (int128)thread_instructions * 1000000 / cycles;
	*goal = ipc < WARP_GOAL_MAX ? (int64_t)ipc : WARP_GOAL_MAX;
	return *goal > 0;
}

static bool find_goal(const struct warp_simulation *w, uint32_t kernel, const int64_t *alone, int64_t *goal)
{
	const struct warp_kernel *spec = w->kernels[kernel].spec;
	switch (spec->goal.kind) {
	case GOAL_IPC:
		*goal = spec->goal.ipc < WARP_GOAL_MAX ? spec->goal.ipc : WARP_GOAL_MAX;
		return true;
	case GOAL_SHARE:
		/* At least a millionth, also for a kernel that issues next to nothing when it is alone. */
		*goal = alone ? (int64_t)((int128)alone[kernel] * spec->goal.share_ppm / 1000000) : 0;
		*goal = *goal > 0 ? *goal : 1;
		return alone != NULL;
	case GOAL_TIME:
		return goal_from_time(w, spec, goal);
	default:
		*goal = -1;
		return true;
	}
}

bool epochs_init(struct warp_simulation *w, const int64_t *alone, struct error *err)
{
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		struct engine_kernel *k = &w->kernels[i];
		k->goal = -1;
		k->adjusted = k->history_ipc = -1;
		k->result.alone = alone ? alone[i] : -1;
		if (w->only == ALL_KERNELS && !find_goal(w, i, alone, &k->goal))
			return error_set(err, STATUS_INPUT, "the goal of kernel '%s' cannot be an IPC: %s",
				w->set->tasks[i].name,
				k->spec->goal.kind == GOAL_SHARE
					? "its IPC alone is not known"
					: "the time it leaves is shorter than a cycle, or the "
					  "kernel too large");
		if (k->goal >= 0)
			w->goals |= UINT32_C(1) << i;
	}
	int64_t step = w->options.epoch / w->options.samples;
	w->sample_step = step > 0 ? step : 1;
	w->next_sample = NEVER;
	return true;
}

/* ---- The epoch that ends ---- */

static void tell_kernels(struct warp_simulation *w)
{
	struct warp_epoch rows[WARP_KERNELS_MAX];
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		struct engine_kernel *k = &w->kernels[i];
		struct warp_epoch *row = &rows[i];
		*row = (struct warp_epoch){
			.epoch = w->epoch,
			.kernel = i,
			.start = w->epoch_start,
			.end = w->now,
			.adjusted_goal = w->has_quotas ? k->adjusted : -1,
			.history_ipc = k->history_ipc,
			.swaps = (uint32_t)(k->result.swaps - k->swaps_before),
		};
		for (uint32_t s = 0; s < w->sm_count; s++) {
			const struct sm_kernel *here = &w->sms[s].kernel[i];
			row->blocks += here->blocks_at_epoch;
			row->warp_instructions +=
				here->total.warp_instructions - here->before.warp_instructions;
			row->thread_instructions +=
				here->total.thread_instructions - here->before.thread_instructions;
		}
	}
	if (w->observer.wants_epochs && !w->observer.epochs(w->observer.self, rows, w->kernel_count))
		w->failed = true;
}

static bool tell_sm(struct warp_simulation *w, struct engine_sm *sm)
{
	struct warp_epoch_sm row = {.epoch = w->epoch, .sm = sm->index};
	struct warp_epoch_quota quotas[WARP_KERNELS_MAX];
	for (uint32_t i = 0; i < w->sub_cores; i++)
		for (uint32_t s = 0; s < WARP_SLOTS; s++)
			row.cycles[s] += sm->cores[i].slots[s] - sm->cores[i].slots_before[s];
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		const struct sm_kernel *here = &sm->kernel[i];
		const struct quotas *q = &sm->quotas;
		bool has = w->has_quotas;
		quotas[i] = (struct warp_epoch_quota){
			.epoch = w->epoch,
			.sm = sm->index,
			.kernel = i,
			.quota = has ? q->quota[i] : -1,
			.counter_start = has ? q->start[i] : 0,
			.counter_end = has ? q->counter[i] : 0,
			.added = has ? q->added[i] : 0,
			.warp_instructions = here->total.warp_instructions - here->before.warp_instructions,
			.thread_instructions =
				here->total.thread_instructions - here->before.thread_instructions,
			.blocks = here->blocks_at_epoch,
			.target = here->target_at_epoch,
			.idle_sum = (uint32_t)here->idle_sum,
			.samples = w->samples,
		};
	}
	return w->observer.sms(w->observer.self, &row, 1) &&
	       w->observer.quotas(w->observer.self, quotas, w->kernel_count);
}

static void account(struct warp_simulation *w)
{
	for (uint32_t i = 0; i < w->core_count; i++)
		sub_core_account(&w->cores[i], w->now);
}

/* Statistics of the epoch that ends in this cycle. */
static void end_epoch(struct warp_simulation *w)
{
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		struct engine_kernel *k = &w->kernels[i];
		struct engine_tally total = epochs_total(w, i);
		int64_t before = 0;
		for (uint32_t s = 0; s < w->sm_count; s++)
			before += w->sms[s].kernel[i].before.thread_instructions;
		k->epoch_ipc = w->now > w->epoch_start
				       ? ipc_of(total.thread_instructions - before, w->now - w->epoch_start)
				       : 0;
		k->history_ipc = k->launched >= 0 && w->now > k->launched
					 ? ipc_of(total.thread_instructions, w->now - k->launched)
					 : -1;
	}
	account(w);
	tell_kernels(w);
	for (uint32_t i = 0; w->observer.wants_sms && i < w->sm_count && !w->failed; i++)
		if (!tell_sm(w, &w->sms[i]))
			w->failed = true;
}

void epochs_stop(struct warp_simulation *w)
{
	account(w);
	if (w->epochs && w->epoch_start >= 0 && w->now > w->epoch_start)
		end_epoch(w);
}

/* ---- The epoch that begins ---- */

static int64_t at_most(int128 goal)
{
	return goal < WARP_GOAL_MAX ? (int64_t)goal : WARP_GOAL_MAX;
}

/* A of kernels with a goal: the goal times alpha. */
static void adjust_goals(struct warp_simulation *w)
{
	bool history = w->options.history && w->options.manager != MANAGER_NAIVE;
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		struct engine_kernel *k = &w->kernels[i];
		if (k->goal < 0)
			continue;
		k->adjusted = k->goal;
		int64_t issued = epochs_total(w, i).thread_instructions;
		if (history && issued > 0 && below_goal(k))
			k->adjusted = at_most((int128)k->goal * k->goal * (w->now - k->launched) /
					      ((int128)1000000 * issued));
	}
}

/* A of kernels without a goal (QoS 3.5): as in the last epoch, changed by how far the others reached their
 * goals. */
static void find_others(struct warp_simulation *w, int64_t last_start)
{
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		struct engine_kernel *k = &w->kernels[i];
		if (k->goal >= 0)
			continue;
		k->adjusted = k->epoch_ipc > 1000000 ? at_most(k->epoch_ipc) : 1000000;
		for (uint32_t j = 0; j < w->kernel_count && last_start >= 0; j++) {
			const struct engine_kernel *with = &w->kernels[j];
			if (with->goal >= 0 && with->active && with->active_since <= last_start)
				k->adjusted = at_most((int128)k->adjusted * with->epoch_ipc / with->adjusted);
		}
	}
}

static void give_quotas(struct warp_simulation *w)
{
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		int128 quota = (int128)w->kernels[i].adjusted * w->options.epoch / 1000000;
		int64_t blocks = 0;
		for (uint32_t s = 0; s < w->sm_count; s++)
			blocks += w->sms[s].kernel[i].blocks;
		for (uint32_t s = 0; s < w->sm_count; s++) {
			int64_t here = blocks ? (int64_t)(quota * w->sms[s].kernel[i].blocks / blocks) : 0;
			w->sms[s].quotas.quota[i] = here > 0 ? here : 1;
		}
	}
	for (uint32_t s = 0; s < w->sm_count; s++) {
		quotas_begin(&w->sms[s].quotas, w->options.manager, w->goals, w->kernel_count);
		w->sms[s].changed = true;
	}
	w->changed = true;
}

/* Stores the counts at the beginning of the epoch, before blocks are moved. */
static void remember(struct warp_simulation *w)
{
	for (uint32_t s = 0; s < w->sm_count; s++) {
		for (uint32_t i = 0; i < w->kernel_count; i++) {
			struct sm_kernel *here = &w->sms[s].kernel[i];
			here->before = here->total;
			here->blocks_at_epoch = here->blocks;
		}
	}
	for (uint32_t i = 0; i < w->core_count; i++)
		for (uint32_t s = 0; s < WARP_SLOTS; s++)
			w->cores[i].slots_before[s] = w->cores[i].slots[s];
	for (uint32_t i = 0; i < w->kernel_count; i++)
		w->kernels[i].swaps_before = (uint32_t)w->kernels[i].result.swaps;
}

/* Starts the samples of idle warps, if somebody wants them, after those of the last epoch have been used. */
static void start_samples(struct warp_simulation *w)
{
	bool wanted = (w->has_quotas && w->options.adjust) || w->observer.wants_sms;
	w->samples = 0;
	w->samples_left = wanted ? w->options.samples : 0;
	w->next_sample = wanted ? w->now : NEVER;
	for (uint32_t s = 0; s < w->sm_count; s++) {
		for (uint32_t i = 0; i < w->kernel_count; i++) {
			w->sms[s].kernel[i].idle_sum = 0;
			w->sms[s].kernel[i].target_at_epoch = w->sms[s].kernel[i].target;
		}
	}
}

void epochs_begin(struct warp_simulation *w)
{
	bool first = w->epoch_start < 0;
	int64_t last_start = w->epoch_start;
	if (!first) {
		end_epoch(w);
		w->epoch++;
	}
	w->epoch_start = w->now;
	w->next_epoch = w->now + w->options.epoch;
	remember(w);
	if (w->has_quotas) {
		adjust_goals(w);
		find_others(w, last_start);
		give_quotas(w);
		w->open_at = w->options.epoch_cost ? w->now + w->options.epoch_cost : 0;
		if (w->options.adjust && !first)
			adjusting_blocks(w);
	}
	if (w->options.manager == MANAGER_SPART && !first)
		adjusting_spart(w);
	start_samples(w);
}

/* ---- Idle warps ---- */

void epochs_sample(struct warp_simulation *w)
{
	for (uint32_t i = 0; i < w->core_count; i++) {
		struct sub_core *sc = &w->cores[i];
		struct engine_sm *sm = &w->sms[i / w->sub_cores];
		/* Warps whose wait is over in this cycle count, too: the sub-core is not simulated again
		 * before the next cycle. */
		if (sc->next_wake <= w->now)
			sub_core_settle(sc, w->now);
		uint64_t idle = sc->operand & ~sub_core_of_kernels(sc, sm->quotas.blocked, w->kernel_count);
		if (sc->last >= 0 && sc->last_cycle == w->now)
			idle &= ~bit((uint32_t)sc->last);
		for (uint32_t k = 0; idle && k < w->kernel_count; k++)
			sm->kernel[k].idle_sum += __builtin_popcountll(idle & sc->of_kernel[k]);
	}
	w->samples++;
	w->samples_left--;
	w->next_sample = w->samples_left ? w->now + w->sample_step : NEVER;
}
