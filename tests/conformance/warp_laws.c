/* tests/conformance/warp_laws.c - the laws of warps, and those about single instructions: their order,
 * operands, results, units, barriers, and the sums over them. */
#include "tests/conformance/warp_laws.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"

const struct warp_law warp_laws[] = {
	{"whole trace", warp_whole_trace},
	{"one at a time", warp_one_at_a_time},
	{"program order", warp_program_order},
	{"operands", warp_operands},
	{"results", warp_results},
	{"draws", warp_draws},
	{"units", warp_units},
	{"barriers", warp_barriers},
	{"SM limits", warp_sm_limits},
	{"dealing", warp_dealing},
	{"releases", warp_releases},
	{"job ends", warp_job_ends},
	{"targets", warp_targets},
	{"adjusting", warp_adjusting},
	{"swapped", warp_swapped},
	{"exchange", warp_exchange},
	{"dispatch", warp_dispatch},
	{"contexts", warp_contexts},
	{"epochs tile", warp_epochs_tile},
	{"epoch counts", warp_epoch_counts},
	{"goals", warp_goals},
	{"quotas", warp_quotas},
	{"counters", warp_counters},
	{"readiness", warp_readiness},
	{"work conserved", warp_work_conserved},
	{"choice", warp_choice},
	{"turns", warp_turns},
	{"idle warps", warp_idle_warps},
	{"slots", warp_slots},
	{"slot sums", warp_slot_sums},
	{"counts", warp_counts},
	{"energy", warp_energy},
	{NULL, NULL},
};

void warp_broken(struct warp_breach *v, const char *fmt, ...)
{
	va_list args;
	if (v->broken)
		return;
	v->broken = true;
	va_start(args, fmt);
	vsnprintf(v->text, sizeof(v->text), fmt, args);
	va_end(args);
}

const char *warp_laws_check(const struct warp_seen *s, struct warp_breach *v)
{
	for (const struct warp_law *law = warp_laws; law->name; law++) {
		law->check(s, v);
		if (v->broken)
			return law->name;
	}
	return NULL;
}

#define ROW "kernel %u job %u block %u warp %u instruction %u at %" PRId64
#define ROW_OF(r) (r)->kernel, (r)->job, (r)->block, (r)->warp, (r)->number, (r)->cycle

/* ---- the trace, and the order of rows ---- */

void warp_whole_trace(const struct warp_seen *s, struct warp_breach *v)
{
	int64_t now = 0;
	if (s->stray[0])
		warp_broken(v, "%s", s->stray);
	for (size_t i = 0; i < s->run->records_count; i++) {
		if (s->run->records[i].time < now)
			warp_broken(v, "record %zu goes back in time", i);
		now = s->run->records[i].time;
	}
	for (size_t i = 0; i < s->stay_count; i++)
		if (!s->stays[i].ended)
			warp_broken(
				v, "block %u of kernel %u never ends", s->stays[i].block, s->stays[i].kernel);
}

/* At most one instruction of a sub-core in a cycle; SM by SM, sub-core by sub-core. */
void warp_one_at_a_time(const struct warp_seen *s, struct warp_breach *v)
{
	for (size_t i = 1; i < s->run->issues_count; i++) {
		const struct warp_issue *a = &s->run->issues[i - 1], *b = &s->run->issues[i];
		bool after = a->cycle < b->cycle ||
			     (a->cycle == b->cycle &&
				     (a->sm < b->sm || (a->sm == b->sm && a->sub_core < b->sub_core)));
		if (!after)
			warp_broken(v, ROW ": not behind the row before it", ROW_OF(b));
	}
}

/* ---- programs ---- */

static void check_row(
	const struct warp_seen *s, const struct warp_life *life, size_t n, struct warp_breach *v)
{
	const struct warp_issue *row = life->rows[n];
	if (row->number != n || n >= s->length[row->kernel]) {
		warp_broken(v, ROW ": it is number %zu of %u", ROW_OF(row), n, s->length[row->kernel]);
		return;
	}
	const struct warp_instruction *i = &s->program[row->kernel][n];
	uint32_t threads = i->step->threads < life->threads ? i->step->threads : life->threads;
	if (row->step != i->index)
		warp_broken(v, ROW ": step %u, not %u", ROW_OF(row), row->step, i->index);
	if (row->threads != threads)
		warp_broken(v, ROW ": %u threads, not %u", ROW_OF(row), row->threads, threads);
	if (row->cycle < 0 || row->cycle >= s->run->cycles)
		warp_broken(v, ROW ": not within the run", ROW_OF(row));
}

/* Every instruction once, in order; all of them in jobs that have finished. */
void warp_program_order(const struct warp_seen *s, struct warp_breach *v)
{
	for (size_t i = 0; i < s->life_count; i++) {
		const struct warp_life *life = &s->lives[i];
		for (size_t n = 0; n < life->count && !v->broken; n++)
			check_row(s, life, n, v);
		if (warp_seen_job(s, life->kernel, life->job)->finished &&
			life->count != s->length[life->kernel])
			warp_broken(v,
				"kernel %u job %u has finished, but warp %u of block %u has issued %zu of %u",
				life->kernel, life->job, life->warp, life->block, life->count,
				s->length[life->kernel]);
	}
}

void warp_operands(const struct warp_seen *s, struct warp_breach *v)
{
	for (size_t i = 0; i < s->life_count; i++) {
		const struct warp_life *life = &s->lives[i];
		for (size_t n = 0; n < life->count && n < s->length[life->kernel]; n++) {
			uint32_t d = s->program[life->kernel][n].distance;
			if (d > 0 && d <= n && life->rows[n]->cycle < life->rows[n - d]->result)
				warp_broken(v, ROW ": needs what is there at %" PRId64, ROW_OF(life->rows[n]),
					life->rows[n - d]->result);
			if (n > 0 && life->rows[n]->cycle <= life->rows[n - 1]->cycle)
				warp_broken(v, ROW ": not behind the one before it", ROW_OF(life->rows[n]));
		}
	}
}

/* ---- results ---- */

/* Where an access is served, by the rule of "Memory". */
static enum warp_level level_of(const struct warp_seen *s, const struct warp_issue *row,
	const struct warp_step *step, uint32_t access)
{
	const struct random_key key = {
		.seed = s->scene->setup.seed,
		.set = row->job,
		.task = row->block,
		.job = access,
		.segment = (uint16_t)(256u * row->kernel + row->warp),
		.purpose = RANDOM_HIT,
	};
	uint64_t bits = random_bits(&key, 0);
	uint64_t low = (bits & UINT32_MAX) * 1000000 >> 32, high = (bits >> 32) * 1000000 >> 32;
	if (!warp_step_is_global(step))
		return step->kind == STEP_SHARED_LOAD || step->kind == STEP_SHARED_STORE ? LEVEL_SHARED
											 : LEVEL_NONE;
	if (low < (uint64_t)step->l1_hit_ppm)
		return LEVEL_L1;
	return high < (uint64_t)step->l2_hit_ppm ? LEVEL_L2 : LEVEL_DRAM;
}

void warp_draws(const struct warp_seen *s, struct warp_breach *v)
{
	for (size_t i = 0; i < s->life_count; i++) {
		const struct warp_life *life = &s->lives[i];
		uint32_t accesses = 0;
		for (size_t n = 0; n < life->count && n < s->length[life->kernel]; n++) {
			const struct warp_step *step = s->program[life->kernel][n].step;
			enum warp_level level = level_of(s, life->rows[n], step, accesses);
			if (life->rows[n]->level != level)
				warp_broken(v, ROW ": level %u, not %u", ROW_OF(life->rows[n]),
					life->rows[n]->level, level);
			accesses += warp_step_is_global(step);
		}
	}
}

/* All results; those from DRAM pass one server, with the contexts, first come, first served. */
void warp_results(const struct warp_seen *s, struct warp_breach *v)
{
	for (size_t i = 0; i < s->run->issues_count && s->run->issues[i].cycle < s->cut; i++) {
		const struct warp_issue *row = &s->run->issues[i];
		if (row->result != s->results[i])
			warp_broken(v, ROW ": its result is there at %" PRId64 ", not at %" PRId64,
				ROW_OF(row), row->result, s->results[i]);
	}
}

/* ---- units and barriers ---- */

static uint32_t unit_of(const struct warp_step *step)
{
	return step->kind == STEP_BARRIER   ? WARP_UNITS
	       : step->kind == STEP_COMPUTE ? step->unit
					    : WARP_MEMORY;
}

void warp_units(const struct warp_seen *s, struct warp_breach *v)
{
	static int64_t free[16 * WARP_SUB_CORES_MAX][WARP_UNITS];
	memset(free, 0, sizeof(free));
	for (size_t i = 0; i < s->run->issues_count; i++) {
		const struct warp_issue *row = &s->run->issues[i];
		if (row->number >= s->length[row->kernel] || row->sm >= 16 ||
			row->sub_core >= WARP_SUB_CORES_MAX)
			continue;
		uint32_t unit = unit_of(s->program[row->kernel][row->number].step);
		int64_t *at =
			unit < WARP_UNITS ? &free[row->sm * WARP_SUB_CORES_MAX + row->sub_core][unit] : NULL;
		if (at && row->cycle < *at)
			warp_broken(
				v, ROW ": unit %u accepts nothing before %" PRId64, ROW_OF(row), unit, *at);
		if (at)
			*at = row->cycle + s->scene->warps.machine.interval[unit];
	}
}

/* Nobody goes on behind a barrier before, or in the cycle in which, the last warp of the block issues it. */
void warp_barriers(const struct warp_seen *s, struct warp_breach *v)
{
	for (size_t i = 0; i < s->life_count; i += s->warps[s->lives[i].kernel]) {
		const struct warp_life *block = &s->lives[i];
		uint32_t kernel = block->kernel;
		for (uint32_t n = 0; n + 1 < s->length[kernel]; n++) {
			int64_t met = -1;
			if (s->program[kernel][n].step->kind != STEP_BARRIER)
				continue;
			for (uint32_t w = 0; w < s->warps[kernel]; w++) {
				int64_t at = n < block[w].count ? block[w].rows[n]->cycle : WARP_NEVER;
				met = at > met ? at : met;
			}
			for (uint32_t w = 0; w < s->warps[kernel]; w++)
				if (n + 1 < block[w].count && block[w].rows[n + 1]->cycle <= met)
					warp_broken(v, ROW ": the others are not at the barrier",
						ROW_OF(block[w].rows[n + 1]));
		}
	}
}

/* ---- sums ---- */

/* Every cycle of every sub-core is one of them; as many are issued as there are rows; epochs add up. */
void warp_slot_sums(const struct warp_seen *s, struct warp_breach *v)
{
	uint32_t cores = s->scene->warps.machine.sub_cores;
	for (uint32_t c = 0; c < s->scene->platform.sms * cores; c++) {
		const int64_t *slots = &s->run->slots[c * WARP_SLOTS];
		int64_t sum = 0, rows = 0;
		for (size_t i = 0; i < WARP_SLOTS; i++)
			sum += slots[i];
		for (size_t i = 0; i < s->run->issues_count; i++)
			rows += s->run->issues[i].sm == c / cores && s->run->issues[i].sub_core == c % cores;
		if (sum != s->run->cycles)
			warp_broken(
				v, "sub-core %u has %" PRId64 " cycles of %" PRId64, c, sum, s->run->cycles);
		if (slots[SLOT_ISSUED] != rows)
			warp_broken(v, "sub-core %u: %" PRId64 " issued, %" PRId64 " rows", c,
				slots[SLOT_ISSUED], rows);
	}
	for (uint32_t sm = 0; sm < s->scene->platform.sms; sm++) {
		for (size_t i = 0; i < WARP_SLOTS; i++) {
			int64_t sum = 0;
			for (uint32_t c = 0; c < cores; c++)
				sum += s->run->slots[(sm * cores + c) * WARP_SLOTS + i];
			for (size_t n = 0; n < s->run->sms_count; n++)
				sum -= s->run->sms[n].sm == sm ? s->run->sms[n].cycles[i] : 0;
			if (sum != 0)
				warp_broken(v, "SM %u: slot %zu of the epochs misses %" PRId64 " cycles", sm,
					i, sum);
		}
	}
}

/* What the results say of a kernel is what its rows say. */
void warp_counts(const struct warp_seen *s, struct warp_breach *v)
{
	for (uint32_t k = 0; k < s->scene->warps.kernel_count; k++) {
		struct warp_kernel_result sum = {0};
		const struct warp_kernel_result *r = &s->run->kernel[k];
		for (size_t i = 0; i < s->run->issues_count; i++) {
			const struct warp_issue *row = &s->run->issues[i];
			if (row->kernel != k || row->number >= s->length[k])
				continue;
			const struct warp_step *step = s->program[k][row->number].step;
			sum.warp_instructions++;
			sum.thread_instructions += row->threads;
			sum.accesses += warp_step_is_global(step);
			sum.l1_hits += row->level == LEVEL_L1;
			sum.l2_hits += row->level == LEVEL_L2;
			sum.dram_bytes += row->level == LEVEL_DRAM ? warp_step_bytes(step, row->threads) : 0;
		}
		for (size_t i = 0; i < s->run->epochs_count; i++)
			sum.swaps += s->run->epochs[i].kernel == k ? s->run->epochs[i].swaps : 0;
		for (size_t i = 0; i < s->stay_count; i++)
			sum.dram_bytes +=
				s->stays[i].kernel == k && s->stays[i].again ? warp_seen_context(s, k) : 0;
		sum.dram_bytes += sum.swaps * warp_seen_context(s, k);
		if (sum.warp_instructions != r->warp_instructions ||
			sum.thread_instructions != r->thread_instructions || sum.accesses != r->accesses ||
			sum.l1_hits != r->l1_hits || sum.l2_hits != r->l2_hits)
			warp_broken(v, "kernel %u: instructions or hits are not those of its rows", k);
		if (sum.swaps != r->swaps || sum.dram_bytes != r->dram_bytes)
			warp_broken(v,
				"kernel %u: %" PRId64 " swaps and %" PRId64 " bytes, not %" PRId64
				" and %" PRId64,
				k, r->swaps, r->dram_bytes, sum.swaps, sum.dram_bytes);
	}
}

static int64_t thread_energy(const struct warp_machine *m, const struct warp_step *step)
{
	if (step->kind == STEP_COMPUTE)
		return m->unit_fj[step->unit];
	return warp_step_is_global(step) ? m->global_fj : step->kind == STEP_BARRIER ? 0 : m->shared_fj;
}

void warp_energy(const struct warp_seen *s, struct warp_breach *v)
{
	const struct warp_machine *m = &s->scene->warps.machine;
	int64_t horizon = s->scene->setup.horizon_ns,
		end = s->run->cycles > horizon ? s->run->cycles : horizon;
	int128 all = (int128)s->scene->platform.static_uw * end;
	for (uint32_t k = 0; k < s->scene->warps.kernel_count; k++) {
		int64_t own = s->run->kernel[k].dram_bytes * m->dram_byte_fj;
		for (size_t i = 0; i < s->run->issues_count; i++) {
			const struct warp_issue *row = &s->run->issues[i];
			if (row->kernel == k && row->number < s->length[k])
				own += row->threads * thread_energy(m, s->program[k][row->number].step);
		}
		if (own != s->run->kernel[k].energy_fj)
			warp_broken(v, "kernel %u: %" PRId64 " fJ, its rows make %" PRId64, k,
				s->run->kernel[k].energy_fj, own);
		all += own;
	}
	if (all != s->run->energy || s->run->outcome.energy_end_ns != end)
		warp_broken(v, "the run's energy is not static power and that of its rows");
}
