/* db/audit/warp_issue.c - warps and the instructions that they issue: what a warp waits for, what an
 * instruction's row must say, and what the instruction changes (docs/warps.md, "Programs", "Memory", "Ready",
 * "What is counted"). */
#include <string.h>

#include "base/random.h"
#include "db/audit/warp_walk.h"

#define TABLE "warp_issue"

static const struct audit_part *part_of(const struct walk *w, const struct audit_warp *warp)
{
	return walk_part(w, warp->block->kernel);
}

static const struct audit_step *step_of(const struct walk *w, const struct audit_warp *warp)
{
	return &part_of(w, warp)->step[warp->at.step];
}

/* ---- Waiting ---- */

bool walk_operand_there(const struct walk *w, const struct audit_warp *warp, bool *memory)
{
	const struct audit_step *step = step_of(w, warp);
	int64_t distance = warp->at.done == 0 ? step->first : step->distance;
	int64_t producer = warp->at.number - distance;
	*memory = false;
	if (distance == 0 || producer < 0)
		return true;
	*memory = warp->result[producer % WARP_RESULTS].memory;
	return warp->result[producer % WARP_RESULTS].ready <= w->now;
}

/* Are fewer lines than the limit on their way to the SM's L1? */
static bool takes_loads(const struct walk *w, uint32_t sm)
{
	const struct warp_sm *s = &w->sm[sm];
	return w->d->requests == 0 || s->on_their_way < w->d->requests;
}

static bool unit_accepts(
	const struct walk *w, const struct audit_sub_core *core, const struct audit_warp *warp)
{
	const struct audit_step *step = step_of(w, warp);
	if (step->kind == STEP_LOAD && !takes_loads(w, warp->block->sm))
		return false;
	return step->kind == STEP_BARRIER || core->accepts[step->unit] <= w->now;
}

enum slot walk_warp_state(const struct walk *w, const struct warp_sm *sm, const struct audit_sub_core *core,
	const struct audit_warp *warp)
{
	bool memory;
	if (warp->at.over)
		return SLOT_ENDING;
	if (warp->block->context_there > w->now)
		return SLOT_SWAP;
	if (warp->open > w->now)
		return SLOT_BARRIER;
	if (!walk_operand_there(w, warp, &memory))
		return memory ? SLOT_MEMORY : SLOT_DEPENDENCE;
	if (!walk_allowed(w, sm, warp->block->kernel))
		return SLOT_QUOTA;
	return unit_accepts(w, core, warp) ? SLOT_ISSUED : SLOT_UNIT;
}

/* What a cycle of a sub-core without an instruction counts as. */
static enum slot slot_of(const struct walk *w, const struct warp_sm *sm, const struct audit_sub_core *core)
{
	enum slot first = SLOT_EMPTY;
	for (uint32_t i = 0; i < core->warps; i++) {
		enum slot state = walk_warp_state(w, sm, core, core->warp[i]);
		state = state == SLOT_ISSUED ? SLOT_SCHEDULER : state;
		first = first == SLOT_EMPTY || state < first ? state : first;
	}
	return first;
}

/* ---- What an instruction's row must say ---- */

static enum served draw(const struct walk *w, const struct audit_warp *warp, const struct audit_step *step)
{
	const struct resident_block *b = warp->block;
	struct random_key key = {
		.seed = w->r->seed,
		.set = (uint32_t)b->seq,
		.task = (uint32_t)b->block,
		.job = (uint32_t)warp->global_accesses,
		.segment = (uint16_t)(2048 * w->kernel[b->kernel].at + 256 * b->kernel + warp->index),
		.purpose = RANDOM_HIT,
	};
	uint64_t bits = random_bits(&key, 0);
	if ((int64_t)((bits & UINT32_MAX) * WARP_MILLION >> 32) < step->l1_ppm)
		return SERVED_L1;
	return (int64_t)((bits >> 32) * WARP_MILLION >> 32) < step->l2_ppm ? SERVED_L2 : SERVED_DRAM;
}

/* Where a load finds what it reuses; SERVED_NOT: nowhere. */
static enum served finds(const struct walk *w, const struct audit_warp *warp, int64_t reuse)
{
	int64_t past = warp->loads - reuse, filled = w->sm[warp->block->sm].filled;
	if (reuse == 0 || past < 0)
		return SERVED_NOT;
	if (filled - warp->filled[past % WARP_RESULTS] <= w->d->l1_lines)
		return SERVED_L1;
	bool there = w->l2_filled - warp->l2_filled[past % WARP_RESULTS] <= w->d->l2_lines;
	return there && w->d->l2_lines > 0 ? SERVED_L2 : SERVED_NOT;
}

static int64_t lines_of(const struct audit_step *step, int64_t threads)
{
	int64_t by_bytes = (threads * step->bytes + 127) / 128;
	int64_t apart = (threads * (WARP_MILLION - step->coalescing_ppm) + WARP_MILLION - 1) / WARP_MILLION;
	int64_t lines = by_bytes > apart ? by_bytes : apart;
	return lines > 1 ? lines : 1;
}

/* What an access to global memory puts into the caches; a load remembers what they had been filled with. */
static void fills(struct walk *w, struct audit_warp *warp, const struct audit_step *step, enum served served,
	int64_t threads)
{
	struct warp_sm *sm = &w->sm[warp->block->sm];
	if (served == SERVED_DRAM)
		w->l2_filled += lines_of(step, threads);
	if (step->kind != STEP_LOAD)
		return;
	if (served != SERVED_L1)
		sm->filled += lines_of(step, threads);
	warp->filled[warp->loads % WARP_RESULTS] = sm->filled;
	warp->l2_filled[warp->loads++ % WARP_RESULTS] = w->l2_filled;
}

/* A load waits for lines that are there in cycle `until`. */
static void load_waits(struct walk *w, uint32_t sm, int64_t until, int64_t lines)
{
	struct warp_sm *s = &w->sm[sm];
	if (w->d->requests == 0 || until <= w->now || s->requests == WARP_REQUESTS)
		return;
	s->request[s->requests].until = until;
	s->request[s->requests++].lines = lines;
	s->on_their_way += lines;
}

static void lines_come(struct walk *w, struct warp_sm *s)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < s->requests; i++) {
		if (s->request[i].until > w->now)
			s->request[kept++] = s->request[i];
		else
			s->on_their_way -= s->request[i].lines;
	}
	s->requests = kept;
}

static bool is_global(const struct audit_step *step)
{
	return step->kind == STEP_LOAD || step->kind == STEP_STORE;
}

/* Where an access is served: by the draw; or by the row, if that is possible. */
static enum served check_served(struct walk *w, const struct audit_warp *warp, const struct issue_row *row)
{
	const struct audit_step *step = step_of(w, warp);
	bool shared = step->kind == STEP_SHARED_LOAD || step->kind == STEP_SHARED_STORE;
	enum served found = finds(w, warp, step->reuse);
	enum served should = found             ? found
			     : is_global(step) ? draw(w, warp, step)
			     : shared          ? SERVED_SHARED
					       : SERVED_NOT;
	int64_t is = row->code >> 6;
	law_held(w, LAW_HITS, 1);
	if (is == should)
		return should;
	law_wrong(w, LAW_HITS, TABLE,
		"%s: it is served by %lld, expected %d (0 nothing, 1 shared, 2 L1, 3 L2, 4 DRAM)",
		walk_name_issue(w, row), (long long)is, (int)should);
	return is_global(step) && is >= SERVED_L1 && is <= SERVED_DRAM ? (enum served)is : should;
}

/* Cycles until the result is there, by docs/warps.md; NOT_GIVEN: no result. */
static int64_t latency_of(struct walk *w, const struct audit_warp *warp, enum served served, int64_t threads)
{
	const struct audit_step *step = step_of(w, warp);
	struct kernel_walk *k = &w->kernel[warp->block->kernel];
	int64_t latency = step->latency, through = 0;
	if (served == SERVED_DRAM) {
		int64_t bytes = walk_sectors_bytes(step, threads);
		k->dram_bytes += bytes;
		through = walk_transfer(w, bytes) - w->now;
	}
	if (step->kind == STEP_SHARED_LOAD)
		latency = w->d->shared;
	if (step->kind == STEP_LOAD)
		latency = served == SERVED_L1   ? w->d->l1
			  : served == SERVED_L2 ? w->d->l2
						: through + w->d->dram;
	bool none = step->kind == STEP_STORE || step->kind == STEP_SHARED_STORE || step->kind == STEP_BARRIER;
	return none ? NOT_GIVEN : latency;
}

static void check_waits(struct walk *w, const struct audit_warp *warp, const struct audit_sub_core *core,
	const struct issue_row *row)
{
	const struct warp_sm *sm = &w->sm[warp->block->sm];
	const struct audit_step *step = step_of(w, warp);
	bool memory;
	law_held(w, LAW_BARRIERS, 1);
	law_held(w, LAW_SWAPS, 1);
	law_held(w, LAW_OPERANDS, 1);
	law_held(w, LAW_UNITS, 1);
	law_held(w, LAW_LEAVE, 1);
	if (warp->open > w->now)
		law_wrong(w, LAW_BARRIERS, TABLE, "%s: it is at a barrier that is not open",
			walk_name_issue(w, row));
	if (warp->block->context_there > w->now)
		law_wrong(w, LAW_SWAPS, TABLE, "%s: its block's context is there only in cycle %lld",
			walk_name_issue(w, row), (long long)warp->block->context_there);
	if (!walk_operand_there(w, warp, &memory))
		law_wrong(w, LAW_OPERANDS, TABLE,
			"%s: it needs the result of the instruction %lld before it, which is not"
			" there",
			walk_name_issue(w, row),
			(long long)(warp->at.done == 0 ? step->first : step->distance));
	if (step->kind == STEP_LOAD && !takes_loads(w, warp->block->sm))
		law_wrong(w, LAW_UNITS, TABLE,
			"%s: %lld lines are on their way to this SM, which may wait for %lld",
			walk_name_issue(w, row), (long long)sm->on_their_way, (long long)w->d->requests);
	else if (!unit_accepts(w, core, warp))
		law_wrong(w, LAW_UNITS, TABLE, "%s: its unit accepts the next instruction in cycle %lld only",
			walk_name_issue(w, row), (long long)core->accepts[step->unit]);
	if (!walk_allowed(w, sm, warp->block->kernel))
		law_wrong(w, LAW_LEAVE, TABLE,
			"%s: the manager does not let its kernel issue here (C = %lld)",
			walk_name_issue(w, row), (long long)sm->kernel[warp->block->kernel].counter);
}

static void next_instruction(struct walk *w, struct audit_warp *warp)
{
	struct resident_block *b = warp->block;
	const struct shared_rounds shared = {&w->kernel[b->kernel].rounds_left, &b->rounds};
	walk_program_next(part_of(w, warp), &warp->at, &shared);
}

/* Moves the warp to the instruction that its row names, if possible. */
static void seek(struct walk *w, struct audit_warp *warp, int64_t number)
{
	if (number < warp->at.number || number - warp->at.number > 1000)
		return;
	while (warp->at.number < number && !warp->at.over)
		next_instruction(w, warp);
}

static bool check_program(struct walk *w, struct audit_warp *warp, const struct issue_row *row)
{
	const struct audit_part *k = part_of(w, warp);
	law_held(w, LAW_PROGRAM, 1);
	if (warp->at.over) {
		law_wrong(w, LAW_PROGRAM, TABLE, "%s: its program has only %lld instructions",
			walk_name_issue(w, row), (long long)warp->at.number);
		return false;
	}
	if (row->number != warp->at.number) {
		law_wrong(w, LAW_PROGRAM, TABLE, "%s: its next instruction is number %lld",
			walk_name_issue(w, row), (long long)warp->at.number);
		seek(w, warp, row->number);
		if (warp->at.over || row->number != warp->at.number)
			return false;
	}
	int64_t threads = walk_program_threads(k, step_of(w, warp), warp->index);
	if (row->step != k->first_step + warp->at.step || (row->code & 63) != threads)
		law_wrong(w, LAW_PROGRAM, TABLE,
			"%s: step %lld with %lld active threads, expected step %u with %lld",
			walk_name_issue(w, row), (long long)row->step, (long long)(row->code & 63),
			k->first_step + warp->at.step, (long long)threads);
	return true;
}

/* ---- What an instruction changes ---- */

static void meet_at_barrier(struct walk *w, struct audit_warp *warp)
{
	struct resident_block *b = warp->block;
	uint32_t warps = walk_part(w, b->kernel)->warps;
	warp->open = NEVER;
	if (++b->at_barrier < warps)
		return;
	b->at_barrier = 0;
	for (uint32_t i = 0; i < warps; i++) {
		if (b->warp[i].open == NEVER)
			b->warp[i].open = w->now + 1;
	}
}

static void finish_warp(struct walk *w, struct audit_warp *warp)
{
	struct resident_block *b = warp->block;
	uint32_t warps = walk_part(w, b->kernel)->warps;
	warp->end = warp->last_result > w->now ? warp->last_result : w->now + 1;
	if (++b->warps_over < warps)
		return;
	b->ends = 0;
	for (uint32_t i = 0; i < warps; i++)
		b->ends = b->warp[i].end > b->ends ? b->warp[i].end : b->ends;
}

static void count(struct walk *w, const struct audit_warp *warp, const struct audit_step *step,
	enum served served, int64_t threads)
{
	struct kernel_walk *k = &w->kernel[warp->block->kernel];
	struct on_sm *on = &w->sm[warp->block->sm].kernel[warp->block->kernel];
	k->warp_instructions++;
	k->warps_of_epoch++;
	k->thread_instructions += threads;
	k->threads_of_epoch += threads;
	k->accesses += is_global(step);
	k->l1_hits += is_global(step) && served == SERVED_L1;
	k->l2_hits += is_global(step) && served == SERVED_L2;
	k->energy_fj += (int128)threads * step->fj;
	on->warp_instructions++;
	on->thread_instructions += threads;
	if (has_quotas(w->d)) {
		on->counter -= threads;
		walk_top_up(w, warp->block->sm);
	}
}

static void apply(
	struct walk *w, struct audit_warp *warp, struct audit_sub_core *core, const struct issue_row *row)
{
	const struct audit_step *step = step_of(w, warp);
	int64_t threads = row->code & 63;
	enum served served = check_served(w, warp, row);
	int64_t latency = latency_of(w, warp, served, threads);
	enum warp_law law = served == SERVED_DRAM ? LAW_DRAM : LAW_LATENCIES;
	int64_t slot = warp->at.number % WARP_RESULTS;
	/* Writing the name takes longer than all other checks of a row */
	law_equal(w, law, TABLE, row->latency == latency ? "" : walk_name_issue(w, row), "latency",
		row->latency, latency);
	bool has_result = row->latency != NOT_GIVEN && row->latency >= 0;
	warp->result[slot].ready = has_result ? w->now + row->latency : -1;
	warp->result[slot].memory = step->kind == STEP_LOAD;
	if (warp->result[slot].ready > warp->last_result)
		warp->last_result = warp->result[slot].ready;
	warp->global_accesses += is_global(step);
	if (is_global(step))
		fills(w, warp, step, served, threads);
	if (step->kind == STEP_LOAD && served != SERVED_L1)
		load_waits(w, warp->block->sm, warp->result[slot].ready, lines_of(step, threads));
	if (step->kind != STEP_BARRIER)
		core->accepts[step->unit] = w->now + w->d->interval[step->unit];
	next_instruction(w, warp);
	if (warp->at.over)
		finish_warp(w, warp);
	else if (step->kind == STEP_BARRIER)
		meet_at_barrier(w, warp);
	count(w, warp, step, served, threads);
}

/* The warp that a row names; NULL: it is not on that SM. */
static struct audit_warp *warp_of(struct walk *w, uint32_t sm, const struct issue_row *row)
{
	if (row->kernel >= w->d->kernels)
		return NULL;
	struct resident_block *b = walk_find_block(w, sm, row->kernel, row->seq, row->block);
	if (!b || b->saving || row->warp < 0 || row->warp >= walk_part(w, row->kernel)->warps)
		return NULL;
	return &b->warp[row->warp];
}

static void issue(struct walk *w, uint32_t sm, uint32_t index, const struct issue_row *row,
	const struct audit_warp *expected)
{
	struct audit_sub_core *core = &w->sm[sm].sub_core[index];
	struct audit_warp *warp = warp_of(w, sm, row);
	law_held(w, LAW_ONE, 1);
	law_held(w, LAW_DEALING, 1);
	if (core->rowed)
		law_wrong(w, LAW_ONE, TABLE, "%s: it is the second one there in this cycle",
			walk_name_issue(w, row));
	core->rowed = true;
	if (!warp) {
		law_wrong(w, LAW_DEALING, TABLE, "%s: its block is not on this SM", walk_name_issue(w, row));
		return;
	}
	if (warp->sub_core != index)
		law_wrong(w, LAW_DEALING, TABLE, "%s: the warp was dealt to sub-core %u",
			walk_name_issue(w, row), warp->sub_core);
	if (!check_program(w, warp, row))
		return;
	if (w->d->scheduler != BY_UNKNOWN) {
		law_held(w, LAW_CHOICE, 1);
		if (warp != expected)
			law_wrong(w, LAW_CHOICE, TABLE, "%s: the scheduler issues %s",
				walk_name_issue(w, row), expected ? walk_name_warp(w, expected) : "nothing");
	}
	check_waits(w, warp, core, row);
	core->last_age = warp->age;
	core->last_kernel = warp->block->kernel;
	core->last_cycle = w->now;
	apply(w, warp, core, row);
}

/* Skips rows of this cycle that belong to no sub-core, and rows of earlier cycles. */
static void skip_strays(struct walk *w, int64_t place)
{
	while (w->more_issues && !w->failed &&
		(w->next_issue.cycle < w->now ||
			(w->next_issue.cycle == w->now && w->next_issue.place < place))) {
		law_wrong(w, LAW_ONE, TABLE, "%s: there is no such sub-core, or cycle of the run",
			walk_name_issue(w, &w->next_issue));
		walk_next_issue(w);
	}
}

static void issue_on(struct walk *w, uint32_t sm, uint32_t index)
{
	struct audit_sub_core *core = &w->sm[sm].sub_core[index];
	struct audit_warp *expected = walk_choose(w, &w->sm[sm], core);
	enum slot slot = slot_of(w, &w->sm[sm], core);
	int64_t place = 8 * (int64_t)sm + index;
	core->rowed = false;
	skip_strays(w, place);
	while (w->more_issues && !w->failed && w->next_issue.cycle == w->now &&
		w->next_issue.place == place) {
		slot = SLOT_ISSUED;
		issue(w, sm, index, &w->next_issue, expected);
		walk_next_issue(w);
	}
	if (slot != SLOT_ISSUED && expected) {
		law_held(w, LAW_CHOICE, 1);
		law_wrong(w, LAW_CHOICE, TABLE,
			"cycle %lld, SM %u, sub-core %u: nothing is issued, though %s is ready",
			(long long)w->now, sm, index, walk_name_warp(w, expected));
	}
	core->slots[slot]++;
	core->slots_of_epoch[slot]++;
}

static void drop_ended(struct walk *w, struct audit_sub_core *core)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < core->warps; i++) {
		if (core->warp[i]->end > w->now)
			core->warp[kept++] = core->warp[i];
	}
	core->warps = kept;
}

void walk_end_warps(struct walk *w)
{
	for (uint32_t sm = 0; sm < w->d->sms && w->blocks_on_sms; sm++) {
		for (uint32_t i = 0; i < w->d->sub_cores; i++)
			drop_ended(w, &w->sm[sm].sub_core[i]);
	}
}

void walk_issue(struct walk *w)
{
	for (uint32_t sm = 0; sm < w->d->sms && !w->failed; sm++) {
		walk_top_up(w, sm);
		lines_come(w, &w->sm[sm]);
		for (uint32_t i = 0; i < w->d->sub_cores && !w->failed; i++)
			issue_on(w, sm, i);
	}
	skip_strays(w, INT64_MAX);
}

/* ---- Samples ---- */

static bool is_idle(const struct walk *w, const struct warp_sm *sm, const struct audit_sub_core *core,
	const struct audit_warp *warp)
{
	bool memory, issued = core->last_cycle == w->now && core->last_age == warp->age;
	return !issued && !warp->at.over && warp->open <= w->now && warp->block->context_there <= w->now &&
	       walk_operand_there(w, warp, &memory) && walk_allowed(w, sm, warp->block->kernel);
}

void walk_sample(struct walk *w)
{
	int64_t step = w->d->epoch / w->d->samples > 1 ? w->d->epoch / w->d->samples : 1;
	if ((w->now - w->epoch_start) % step != 0 || (w->now - w->epoch_start) / step >= w->d->samples)
		return;
	for (uint32_t i = 0; i < w->d->sms; i++) {
		struct warp_sm *sm = &w->sm[i];
		for (uint32_t c = 0; c < w->d->sub_cores; c++) {
			const struct audit_sub_core *core = &sm->sub_core[c];
			for (uint32_t k = 0; k < core->warps; k++)
				sm->kernel[core->warp[k]->block->kernel].idle_sum +=
					is_idle(w, sm, core, core->warp[k]);
		}
	}
}
