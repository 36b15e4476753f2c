/* db/audit/warp_totals.c - the laws on a run of warps as a whole: its length, goals and results, what the
 * cycles were used for, energy (docs/warps.md, "The end", "Goals", "Energy", "What is counted"). */
#include <stdio.h>

#include "db/audit/warp_walk.h"

#define BILLION 1000000000

/* ---- The run ---- */

static void check_length(struct walk *w)
{
	const struct recording *r = w->r;
	int64_t cycles = w->d->cycles;
	law_held(w, LAW_RUN, 1);
	if (cycles < 0)
		law_wrong(w, LAW_RUN, "run", "its length in cycles is missing");
	else if (!r->drained)
		law_equal(w, LAW_RUN, "run", "a run to its horizon", "cycles", cycles, w->d->horizon);
	else if (r->status == RUN_TRUNCATED)
		law_equal(w, LAW_RUN, "run", "a truncated run", "cycles", cycles, w->d->limit);
	else
		law_equal(w, LAW_RUN, "run", "a drained run", "S (ns)", r->stop_ns, warps_ns(w->d, cycles));
}

static void check_kernel(struct walk *w, uint32_t kernel)
{
	const struct audit_kernel *k = &w->d->kernel[kernel];
	const struct warp_figures *f = &k->figures;
	const char *who = kernel_name(w, kernel), *table = "run_warp_kernel";
	if (!f->present) {
		law_wrong(w, LAW_GOALS, table, "kernel '%s' has no row", who);
		return;
	}
	int64_t ipc =
		f->cycles > 0 ? (int64_t)((int128)f->thread_instructions * WARP_MILLION / f->cycles) : 0;
	bool has = k->goal_kind != NO_GOAL;
	law_equal(w, LAW_GOALS, table, who, "IPC (millionths)", f->ipc, ipc);
	law_equal(w, LAW_GOALS, table, who, "goal (millionths)", f->goal, has ? k->goal : NOT_GIVEN);
	law_equal(w, LAW_GOALS, table, who, "reached", f->reached, has ? f->ipc >= f->goal : NOT_GIVEN);
	if (k->goal_kind == GOAL_OF_SHARE && f->alone < 0)
		law_wrong(w, LAW_GOALS, table, "%s: its goal is a share of its IPC alone, which is missing",
			who);
	if (f->cycles < 0 || f->cycles > w->d->cycles || f->warp_instructions < 0 ||
		(int128)f->thread_instructions > (int128)WARP * f->warp_instructions ||
		f->accesses > f->warp_instructions || (int128)f->l1_hits + f->l2_hits > f->accesses)
		law_wrong(w, LAW_GOALS, table, "%s: its counts do not fit each other", who);
}

/* ---- Cycles ---- */

static bool check_sub_cores(struct walk *w, struct db_reader *source)
{
	struct db_cursor *q = query_open(source,
		"SELECT sm, sub_core, issued_cycles, issued_cycles + empty_cycles + quota_cycles + "
		"unit_cycles"
		" + scheduler_cycles + memory_cycles + dependence_cycles + barrier_cycles + swap_cycles + "
		"ending_cycles,"
		" min(issued_cycles, empty_cycles, quota_cycles, unit_cycles, scheduler_cycles, "
		"memory_cycles,"
		" dependence_cycles, barrier_cycles, swap_cycles, ending_cycles)"
		" FROM run_sub_core WHERE run_id = ?1 ORDER BY sm, sub_core",
		w->r->run_id, w->err);
	bool have = true, ok = q != NULL;
	int64_t expected = 0;
	int128 issued = 0, instructions = 0;
	while (ok && have) {
		ok = cursor_next(q, &have, w->err);
		if (!ok || !have)
			break;
		char who[64];
		int64_t sm = column_bounded(q, 0), core = column_bounded(q, 1);
		snprintf(who, sizeof(who), "SM %lld, sub-core %lld", (long long)sm, (long long)core);
		if (sm * w->d->sub_cores + core != expected++ || core < 0 || core >= w->d->sub_cores)
			law_wrong(w, LAW_CYCLES, "run_sub_core",
				"%s: the row is of no sub-core, or there twice", who);
		if (law_equal(w, LAW_CYCLES, "run_sub_core", who, "sum of its cycles", column_bounded(q, 3),
			    w->d->cycles) &&
			column_bounded(q, 4) < 0)
			law_wrong(w, LAW_CYCLES, "run_sub_core", "%s: a count is negative", who);
		issued += column_bounded(q, 2);
	}
	cursor_close(q);
	if (!ok)
		return false;
	law_equal(w, LAW_CYCLES, "run_sub_core", "the run", "rows", expected,
		(int64_t)w->d->sms * w->d->sub_cores);
	for (uint32_t i = 0; i < w->d->kernels; i++)
		instructions += w->d->kernel[i].figures.warp_instructions;
	if (issued != instructions)
		law_wrong(w, LAW_CYCLES, "run_sub_core",
			"%lld cycles are said to have issued, but the kernels %lld instructions",
			(long long)issued, (long long)instructions);
	return true;
}

/* ---- Energy ---- */

static bool check_energy(struct walk *w, struct db_reader *source)
{
	struct db_cursor *q = query_open(source,
		"SELECT task_id, energy_uj, energy_rest_uwns FROM run_task WHERE run_id = ?1", w->r->run_id,
		w->err);
	bool have = true, ok = q != NULL;
	int128 sum = (int128)w->r->machine.static_uw * w->r->window_ns;
	while (ok && have) {
		ok = cursor_next(q, &have, w->err);
		uint32_t task = ok && have ? recording_task(w->r, column(q, 0)) : UINT32_MAX;
		if (!ok || !have || task >= w->d->kernels)
			continue;
		int128 energy = (int128)column_bounded(q, 1) * BILLION + column_bounded(q, 2);
		law_held(w, LAW_ENERGY, 1);
		if (energy != w->d->kernel[task].figures.energy_fj)
			law_wrong(w, LAW_ENERGY, "run_task",
				"kernel '%s': its energy is %lld uJ + %lld fJ, but run_warp_kernel has"
				" %lld fJ",
				kernel_name(w, task), (long long)column_bounded(q, 1),
				(long long)column_bounded(q, 2),
				(long long)w->d->kernel[task].figures.energy_fj);
	}
	cursor_close(q);
	for (uint32_t i = 0; i < w->d->kernels; i++)
		sum += w->d->kernel[i].figures.energy_fj;
	law_held(w, LAW_ENERGY, 1);
	if (ok && sum != (int128)w->r->energy_uj * BILLION + w->r->energy_rest_uwns)
		law_wrong(w, LAW_ENERGY, "run",
			"the energy is %lld uJ + %lld fJ, but static power and kernels make %lld uJ + %lld"
			" fJ",
			(long long)w->r->energy_uj, (long long)w->r->energy_rest_uwns,
			(long long)(sum / BILLION), (long long)(sum % BILLION));
	return ok;
}

bool walk_summary(struct walk *w, struct db_reader *source)
{
	check_length(w);
	for (uint32_t i = 0; i < w->d->kernels; i++)
		check_kernel(w, i);
	return check_sub_cores(w, source) && check_energy(w, source);
}

/* ---- At the end of the walk ---- */

/* The possible number of instructions: at least all of the finished jobs, at most all of the jobs that
 * began. */
static void check_work(struct walk *w, uint32_t kernel)
{
	const struct audit_kernel *k = &w->d->kernel[kernel];
	const struct kernel_walk *of = &w->kernel[kernel];
	const struct warp_figures *f = &k->figures;
	int64_t finished = of->finished;
	int128 least = k->thread_instructions * finished, least_warps = k->warp_instructions * finished;
	int128 most = least + (of->active ? k->thread_instructions : 0),
	       most_warps = least_warps + (of->active ? k->warp_instructions : 0);
	law_held(w, LAW_WORK, 1);
	if (f->thread_instructions < least || f->thread_instructions > most ||
		f->warp_instructions < least_warps || f->warp_instructions > most_warps)
		law_wrong(w, LAW_WORK, "run_warp_kernel",
			"kernel '%s': %lld warp and %lld thread instructions, but %lld jobs finished, each "
			"with %lld and %lld%s",
			kernel_name(w, kernel), (long long)f->warp_instructions,
			(long long)f->thread_instructions, (long long)finished,
			(long long)k->warp_instructions, (long long)k->thread_instructions,
			of->active ? ", and one had begun" : "");
	int64_t cycles = of->first_active == NEVER ? 0 : w->end - of->first_active;
	law_equal(w, LAW_WORK, "run_warp_kernel", kernel_name(w, kernel), "cycles", f->cycles, cycles);
	law_equal(w, LAW_WORK, "run_warp_kernel", kernel_name(w, kernel), "warp instructions of its epochs",
		f->warp_instructions, of->history_warps);
	law_equal(w, LAW_WORK, "run_warp_kernel", kernel_name(w, kernel), "thread instructions of its epochs",
		f->thread_instructions, of->history_threads);
}

static void check_totals(struct walk *w, uint32_t kernel)
{
	const struct warp_figures *f = &w->d->kernel[kernel].figures;
	const struct kernel_walk *k = &w->kernel[kernel];
	const char *who = kernel_name(w, kernel), *table = "run_warp_kernel";
	if (!w->unsure)
		law_equal(w, LAW_EPOCH_SUMS, table, who, "swaps", f->swaps, k->swaps);
	if (!w->with_issues)
		return;
	law_equal(w, LAW_SUMS, table, who, "warp instructions", f->warp_instructions, k->warp_instructions);
	law_equal(w, LAW_SUMS, table, who, "thread instructions", f->thread_instructions,
		k->thread_instructions);
	law_equal(w, LAW_SUMS, table, who, "accesses", f->accesses, k->accesses);
	law_equal(w, LAW_SUMS, table, who, "L1 hits", f->l1_hits, k->l1_hits);
	law_equal(w, LAW_SUMS, table, who, "L2 hits", f->l2_hits, k->l2_hits);
	law_equal(w, LAW_SUMS, table, who, "DRAM bytes", f->dram_bytes, k->dram_bytes);
	int128 energy = k->energy_fj + (int128)k->dram_bytes * w->d->dram_byte_fj;
	law_equal(w, LAW_ISSUE_ENERGY, table, who, "energy (fJ)", f->energy_fj,
		energy > COLUMN_BOUND ? COLUMN_BOUND : (int64_t)energy);
}

/* Compares the slots of each sub-core, and of each SM's epochs, with those of the run. */
static bool check_slots(struct walk *w)
{
	struct db_cursor *q = query_open(w->audit->reader,
		"SELECT sm, sub_core, issued_cycles, empty_cycles, quota_cycles, unit_cycles, "
		"scheduler_cycles, memory_cycles,"
		" dependence_cycles, barrier_cycles, swap_cycles, ending_cycles FROM run_sub_core WHERE "
		"run_id = ?1",
		w->r->run_id, w->err);
	bool have = true, ok = q != NULL;
	while (ok && have) {
		ok = cursor_next(q, &have, w->err);
		int64_t sm = ok && have ? column(q, 0) : -1, core = ok && have ? column(q, 1) : -1;
		if (sm < 0 || sm >= w->d->sms || core < 0 || core >= w->d->sub_cores)
			continue;
		for (int i = 0; i < WARP_SLOTS; i++) {
			char who[64];
			int64_t cycles = column_bounded(q, 2 + i);
			snprintf(who, sizeof(who), "SM %lld, sub-core %lld", (long long)sm, (long long)core);
			w->sm[sm].row_slots[i] -= cycles;
			if (w->with_issues)
				law_equal(w, LAW_SLOT_REASONS, "run_sub_core", who, walk_slot_names[i],
					cycles, w->sm[sm].sub_core[core].slots[i]);
		}
	}
	cursor_close(q);
	for (uint32_t sm = 0; sm < w->d->sms && ok && w->with_spans; sm++) {
		for (int i = 0; i < WARP_SLOTS; i++) {
			char who[64];
			snprintf(who, sizeof(who), "SM %u, %s", sm, walk_slot_names[i]);
			law_equal(w, LAW_EPOCH_SUMS, "epoch_sm", who,
				"cycles that its epochs have more than its sub-cores", w->sm[sm].row_slots[i],
				0);
		}
	}
	return ok;
}

void walk_totals(struct walk *w)
{
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		check_work(w, i);
		if (w->with_blocks)
			check_totals(w, i);
	}
	if (!check_slots(w))
		w->failed = true;
}
