/* tests/oracle/warp_plain_issue.c - phase 5: each sub-core's turn, what an instruction does when it is
 * issued, and why a cycle had no issue (docs/warps.md, Ready, What is counted). */
#include <stddef.h>

#include "tests/oracle/warp_plain_internal.h"

/* ---- what a warp waits for ---- */

static bool context_there(const struct plain_view *v)
{
	return v->block->place == PLACE_ON;
}

static bool unit_accepts(
	const struct plain *p, uint32_t sm, const struct plain_sub_core *core, const struct warp_step *s)
{
	if (s->kind == STEP_LOAD && !plain_takes_loads(p, sm))
		return false;
	return s->kind == STEP_BARRIER || core->unit_free[plain_unit(s)] <= p->c;
}

/* Is the warp ready, apart from the unit and the manager? */
static bool could_issue(const struct plain *p, const struct plain_view *v)
{
	return plain_operand_there(p, v) && !v->warp->at_barrier && context_there(v);
}

static bool is_ready(
	const struct plain *p, uint32_t sm, const struct plain_sub_core *core, const struct plain_view *v)
{
	return could_issue(p, v) && unit_accepts(p, sm, core, plain_next_step(p, v)) &&
	       plain_lets(p, sm, v->kernel);
}

/* The warps of a sub-core that have not ended, by age. Warps of a block that is swapped out leave the list at
 * once. */
uint32_t plain_views(struct plain *p, uint32_t sm, uint32_t core, struct plain_view *views)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < p->sm[sm].count; i++) {
		struct plain_block *b = p->sm[sm].blocks[i];
		if (b->place == PLACE_SAVING)
			continue;
		for (uint32_t w = 0; w < plain_part_of(p, b->job)->warps; w++) {
			struct plain_view v = {&b->warps[w], b, b->job->kernel, false};
			if (v.warp->ended || v.warp->stays_away || v.warp->sub_core != core)
				continue;
			v.ready = is_ready(p, sm, &p->sm[sm].core[core], &v);
			views[count++] = v;
		}
	}
	return count;
}

/* ---- where a cycle went ---- */

struct looker {
	const struct plain *p;
	uint32_t sm;
	const struct plain_sub_core *core;
};

static bool lacks_quota(const struct looker *l, const struct plain_view *v)
{
	return could_issue(l->p, v) && !plain_lets(l->p, l->sm, v->kernel);
}

static bool lacks_unit(const struct looker *l, const struct plain_view *v)
{
	return could_issue(l->p, v) && plain_lets(l->p, l->sm, v->kernel) &&
	       !unit_accepts(l->p, l->sm, l->core, plain_next_step(l->p, v));
}

static bool lacks_scheduler(const struct looker *l, const struct plain_view *v)
{
	(void)l;
	return v->ready;
}

/* A warp that waits for its context or at a barrier counts as that, whatever else it waits for. */
static bool runs(const struct plain_view *v)
{
	return !v->warp->at_barrier && context_there(v);
}

static bool lacks_load(const struct looker *l, const struct plain_view *v)
{
	return runs(v) && plain_waits_for_load(l->p, v);
}

static bool lacks_result(const struct looker *l, const struct plain_view *v)
{
	return runs(v) && plain_next_step(l->p, v) && !plain_operand_there(l->p, v);
}

static bool lacks_others(const struct looker *l, const struct plain_view *v)
{
	(void)l;
	return v->warp->at_barrier && context_there(v);
}

static bool lacks_context(const struct looker *l, const struct plain_view *v)
{
	(void)l;
	return !context_there(v);
}

static bool lacks_nothing(const struct looker *l, const struct plain_view *v)
{
	(void)l;
	(void)v;
	return true;
}

static enum warp_slot slot_of(const struct looker *l, const struct plain_view *views, uint32_t count)
{
	static const struct {
		enum warp_slot slot;
		bool (*holds)(const struct looker *, const struct plain_view *);
	} reasons[] = {
		{SLOT_QUOTA, lacks_quota},
		{SLOT_UNIT, lacks_unit},
		{SLOT_SCHEDULER, lacks_scheduler},
		{SLOT_MEMORY, lacks_load},
		{SLOT_DEPENDENCE, lacks_result},
		{SLOT_BARRIER, lacks_others},
		{SLOT_SWAP, lacks_context},
		{SLOT_ENDING, lacks_nothing},
	};
	for (size_t r = 0; r < sizeof(reasons) / sizeof(reasons[0]); r++) {
		for (uint32_t i = 0; i < count; i++) {
			if (reasons[r].holds(l, &views[i]))
				return reasons[r].slot;
		}
	}
	return SLOT_EMPTY;
}

static void count_slot(struct plain *p, uint32_t sm, uint32_t core, enum warp_slot slot)
{
	size_t index = ((size_t)sm * p->machine->sub_cores + core) * WARP_SLOTS + slot;
	p->out->slots[index]++;
	p->sm[sm].row.cycles[slot]++;
	p->out->counts.held += slot == SLOT_QUOTA;
	p->out->counts.barriers_waited += slot == SLOT_BARRIER;
	p->out->counts.unit_busy += slot == SLOT_UNIT;
	p->out->counts.loads_refused += slot == SLOT_UNIT && !plain_takes_loads(p, sm);
	p->out->counts.scheduler_idle += slot == SLOT_SCHEDULER;
}

/* ---- an instruction ---- */

/* Executes the instruction. Returns the cycle of its result, or -1; counts the memory accesses on the way. */
static int64_t execute(struct plain *p, struct plain_sub_core *core, const struct plain_view *v,
	uint32_t threads, enum warp_level *level)
{
	const struct warp_step *s = plain_next_step(p, v);
	enum warp_unit unit = plain_unit(s);
	*level = LEVEL_NONE;
	if (s->kind == STEP_BARRIER) {
		v->warp->barriers++;
		v->warp->at_barrier = !plain_is_last(plain_part_of(p, v->block->job), v->warp);
		return -1;
	}
	core->unit_free[unit] = p->c + p->machine->interval[unit];
	if (s->kind == STEP_COMPUTE)
		return p->c + (s->latency > 0 ? s->latency : p->machine->latency[unit]);
	int64_t result = plain_access(p, v, s, threads, level);
	return s->kind == STEP_STORE || s->kind == STEP_SHARED_STORE ? -1 : result;
}

static int64_t energy_of(const struct warp_machine *m, const struct warp_step *s)
{
	if (s->kind == STEP_COMPUTE)
		return m->unit_fj[s->unit];
	if (s->kind == STEP_BARRIER)
		return 0;
	return s->kind == STEP_LOAD || s->kind == STEP_STORE ? m->global_fj : m->shared_fj;
}

static void count_instruction(struct plain *p, uint32_t sm, uint32_t kernel, uint32_t threads, int64_t energy)
{
	struct warp_kernel_result *r = &p->out->kernel[kernel];
	struct warp_epoch_quota *quota = &p->sm[sm].quota[kernel];
	struct warp_epoch *epoch = &p->kernel[kernel].row;
	r->warp_instructions++;
	r->thread_instructions += threads;
	r->energy_fj += threads * energy;
	quota->warp_instructions++;
	quota->thread_instructions += threads;
	epoch->warp_instructions++;
	epoch->thread_instructions += threads;
	p->kernel[kernel].issued += threads;
}

static void issue(struct plain *p, uint32_t sm, uint32_t sub_core, const struct plain_view *v)
{
	struct plain_sub_core *core = &p->sm[sm].core[sub_core];
	const struct warp_step *s = plain_next_step(p, v);
	struct plain_warp *w = v->warp;
	const struct plain_part *part = plain_part_of(p, v->block->job);
	uint32_t threads = s->threads < w->threads ? s->threads : w->threads;
	enum warp_level level;
	plain_take_round(p, v);
	int64_t result = execute(p, core, v, threads, &level);
	p->out->counts.level[level]++;
	PLAIN_ADD(p->out->issues,
		(struct warp_issue){
			.cycle = p->c,
			.result = result,
			.kernel = v->kernel,
			.job = v->block->job->number,
			.block = v->block->number,
			.number = w->next,
			.step = (uint16_t)(part->first_step + (uint32_t)(s - part->described->steps)),
			.sm = (uint16_t)sm,
			.sub_core = (uint8_t)sub_core,
			.warp = (uint8_t)(w - v->block->warps),
			.threads = (uint8_t)threads,
			.level = (uint8_t)level,
		});
	if (w->next == w->room) {
		w->room *= 2;
		w->result = plain_room(w->result, w->room, sizeof(*w->result));
	}
	w->result[w->next++] = result;
	if (result > w->all_there)
		w->all_there = result;
	w->issued_in = p->c;
	core->last_age = w->age;
	core->last_cycle = p->c;
	core->last_kernel = v->kernel;
	count_instruction(p, sm, v->kernel, threads, energy_of(p->machine, s));
	if (plain_has_quotas(p))
		p->sm[sm].counter[v->kernel] -= threads;
	plain_look(p, sm);
}

/* ---- the phase ---- */

static void turn(struct plain *p, uint32_t sm, uint32_t sub_core)
{
	struct plain_sub_core *core = &p->sm[sm].core[sub_core];
	struct plain_view views[WARPS_PER_SM_MAX];
	uint32_t count = plain_views(p, sm, sub_core, views);
	int picked = plain_pick(p, core, views, count);
	struct looker looker = {p, sm, core};
	if (picked == NOBODY) {
		count_slot(p, sm, sub_core, slot_of(&looker, views, count));
		return;
	}
	count_slot(p, sm, sub_core, SLOT_ISSUED);
	issue(p, sm, sub_core, &views[picked]);
}

void plain_phase_issue(struct plain *p)
{
	for (uint32_t sm = 0; sm < p->sms; sm++) {
		for (uint32_t s = 0; s < p->machine->sub_cores; s++)
			turn(p, sm, s);
	}
}
