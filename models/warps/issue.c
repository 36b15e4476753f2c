/* models/warps/issue.c - see models/warps/issue.h. The hot path of a simulation: code that is not needed in
 * every cycle is in other files. */
#include "models/warps/issue.h"

#include "models/warps/blocks.h"
#include "models/warps/memory.h"
#include "models/warps/program.h"
#include "models/warps/requests.h"
#include "models/warps/schedulers.h"
#include "models/warps/sub_core.h"
#include "models/warps/window.h"

void issue_flush(struct warp_simulation *w)
{
	if (w->issue_count > 0 && !w->observer.issues(w->observer.self, w->issues, w->issue_count))
		w->failed = true;
	w->issue_count = 0;
}

static void tell(struct warp_simulation *w, const struct sub_core *sc, const struct warp *v, uint32_t threads,
	int64_t result, enum warp_level level)
{
	const struct engine_block *b = v->block;
	w->issues[w->issue_count++] = (struct warp_issue){
		.cycle = w->now,
		.result = result > 0 ? result : -1,
		.kernel = b->kernel,
		.job = b->job,
		.block = b->number,
		.number = v->number,
		.step = (uint16_t)(w->kernels[b->kernel].part.first_step + v->step),
		.sm = (uint16_t)b->sm,
		.sub_core = (uint8_t)(sc->index % w->sub_cores),
		.warp = v->index,
		.threads = (uint8_t)threads,
		.level = (uint8_t)level,
	};
	if (w->issue_count == ISSUES_GATHERED)
		issue_flush(w);
}

/* The sub-core must be simulated in this cycle. */
static void enter(struct warp_simulation *w, int64_t cycle, uint32_t core)
{
	if (w->ahead.on)
		window_enter(&w->ahead, cycle, core);
	else
		calendar_enter(&w->calendar, w->now, cycle, core);
}

void issue_wake(struct warp_simulation *w, const struct engine_sm *sm)
{
	for (uint32_t i = 0; i < w->sub_cores; i++) {
		uint32_t index = sm->cores[i].index;
		bool over = w->issuing != UINT32_MAX && index <= w->issuing;
		enter(w, over ? w->now + 1 : w->now, index);
	}
}

/* ---- Results ---- */

/* When the result of the instruction is there; 0: it has none. And where an access was served. */
static int64_t result_of(struct warp_simulation *w, struct engine_kernel *k, struct warp *v,
	const struct decoded *step, uint32_t threads, enum warp_level *level)
{
	int64_t there;
	switch (step->kind) {
	case STEP_COMPUTE:
		return w->now + step->latency;
	case STEP_SHARED_LOAD:
		*level = LEVEL_SHARED;
		return w->now + step->latency;
	case STEP_SHARED_STORE:
		*level = LEVEL_SHARED;
		return 0;
	case STEP_LOAD:
		*level = memory_access(w, k, v, step, threads, w->now, &there);
		return there;
	case STEP_STORE:
		*level = memory_access(w, k, v, step, threads, w->now, &there);
		return 0;
	default:
		return 0;
	}
}

static void keep_result(struct warp *v, int64_t result, bool memory)
{
	uint32_t slot = v->number % WARP_RING;
	v->result[slot] = result;
	v->from_memory = (uint16_t)((v->from_memory & ~(1u << slot)) | (memory ? 1u << slot : 0u));
	if (result > v->last_result && result != NEVER)
		v->last_result = result;
}

/* ---- What the warp does next ---- */

/* Its last instruction has been issued. */
static void end_warp(struct warp_simulation *w, struct sub_core *sc, struct warp *v)
{
	int64_t end = v->last_result > w->now ? v->last_result : w->now + 1;
	sub_core_wait(sc, v->position, v->unknown ? NEVER : end, false);
	sc->ending |= bit(v->position);
	for (uint32_t u = 0; u <= WARP_UNITS; u++)
		sc->wants[u] &= ~bit(v->position);
	block_warp_ended(w, v->block, end);
}

/* The other warps of the block may go on in the next cycle. */
static void open_barrier(struct warp_simulation *w, struct engine_block *b)
{
	struct engine_kernel *k = &w->kernels[b->kernel];
	struct engine_sm *sm = &w->sms[b->sm];
	b->at_barrier = 0;
	for (uint32_t i = 0; i < k->part.warps_per_block; i++) {
		struct warp *v = &b->warps[i];
		struct sub_core *sc = &sm->cores[v->sub_core];
		bool memory;
		if (!v->at_barrier)
			continue;
		v->at_barrier = false;
		int64_t operand = program_operand(&k->part.program[v->step], v, &memory);
		int64_t until = operand > w->now ? operand : w->now + 1;
		sc->barrier &= ~bit(v->position);
		sc->opened = (sc->opened_in == w->now ? sc->opened : 0) | bit(v->position);
		sc->opened_in = w->now;
		sub_core_wait(sc, v->position, until, memory && operand > w->now + 1);
		/* Its sub-core is simulated then, and in the next cycle (see rest()). */
		enter(w, w->now + 1, sc->index);
		enter(w, until, sc->index);
	}
}

static void meet(struct warp_simulation *w, struct sub_core *sc, struct warp *v)
{
	struct engine_block *b = v->block;
	if (++b->at_barrier < b->issuing) {
		v->at_barrier = true;
		sc->operand &= ~bit(v->position);
		sc->barrier |= bit(v->position);
		return;
	}
	open_barrier(w, b);
}

/* The instruction has been issued. Finds out what the warp does next. */
static void advance(struct warp_simulation *w, struct engine_kernel *k, struct sub_core *sc, struct warp *v)
{
	const struct decoded *step = &k->part.program[v->step];
	uint32_t kind = step->kind, unit = step->unit, p = v->position;
	bool memory;
	v->number++;
	v->begun = true;
	if (--v->left == 0) {
		if (!program_next_step(&k->part, v)) {
			end_warp(w, sc, v);
			return;
		}
		step = &k->part.program[v->step];
		if (step->unit != unit) {
			sc->wants[unit] &= ~bit(p);
			sc->wants[step->unit] |= bit(p);
		}
	}
	int64_t operand = program_operand(step, v, &memory);
	if (kind == STEP_BARRIER)
		meet(w, sc, v);
	if (operand > w->now + 1 && !(sc->barrier & bit(p)))
		sub_core_wait(sc, p, operand, memory);
}

static void issue(struct warp_simulation *w, struct engine_sm *sm, struct sub_core *sc, uint32_t position)
{
	struct warp *v = sc->warp[position];
	struct engine_block *b = v->block;
	struct engine_kernel *k = &w->kernels[b->kernel];
	const struct decoded *step = &k->part.program[v->step];
	uint32_t threads = step->threads < v->threads ? step->threads : v->threads;
	enum warp_level level = LEVEL_NONE;
	int64_t result = result_of(w, k, v, step, threads, &level);
	keep_result(v, result, step->kind == STEP_LOAD);
	if (sm->requests.full && step->kind == STEP_LOAD) /* by this one: a full SM takes none */
		issue_wake(w, sm);
	if (step->unit < WARP_UNITS && w->machine->interval[step->unit] > 1) {
		sc->unit_free[step->unit] = w->now + w->machine->interval[step->unit];
		sc->busy |= UINT32_C(1) << step->unit;
	}
	struct engine_tally *t = &sm->kernel[b->kernel].total;
	t->warp_instructions++;
	t->thread_instructions += threads;
	t->energy_fj += threads * step->energy_fj;
	w->events++;
	if (w->ahead.on)
		window_issued(&w->ahead, w->now, sc->index, position);
	else
		w->digest = issue_digest(w->digest, w->now, sc->index, sc->key[position]);
	if (w->issues)
		tell(w, sc, v, threads, result, level);
	sc->last = (int8_t)position;
	sc->around = (int8_t)position;
	sc->last_kernel = (int8_t)b->kernel;
	sc->last_cycle = w->now;
	uint32_t kernel = b->kernel;
	advance(w, k, sc, v);
	if (w->has_quotas && quotas_spend(&sm->quotas, kernel, threads))
		blocks_quota_spent(w, sm);
}

/* ---- A sub-core ---- */

/* Why nothing is issued in this cycle and in the following ones, until something changes. */
static enum warp_slot idle_slot(const struct sub_core *sc, uint64_t held, uint64_t unit_waits, int64_t cycle)
{
	uint64_t barrier = sub_core_at_barrier(sc, cycle);
	if (!sc->present)
		return SLOT_EMPTY;
	if (sc->operand & held)
		return SLOT_QUOTA;
	if (sc->operand & unit_waits)
		return SLOT_UNIT;
	if (sc->operand)
		return SLOT_SCHEDULER;
	if (sc->on_memory & ~barrier)
		return SLOT_MEMORY;
	if (sc->waiting & ~sc->ending & ~barrier)
		return SLOT_DEPENDENCE;
	return barrier ? SLOT_BARRIER : sc->absent ? SLOT_SWAP : SLOT_ENDING;
}

/* Returns the next cycle to simulate; NEVER: none. */
static int64_t rest(struct warp_simulation *w, const struct engine_sm *sm, struct sub_core *sc, uint64_t held,
	uint64_t unit_waits)
{
	int64_t next = sc->next_wake;
	sc->idle_slot = (uint8_t)idle_slot(sc, held, unit_waits, w->now);
	for (uint32_t units = sc->busy; units; units &= units - 1) {
		uint32_t u = (uint32_t)__builtin_ctz(units);
		if (sc->operand & sc->wants[u] && sc->unit_free[u] < next)
			next = sc->unit_free[u];
	}
	if (sm->requests.full && requests_next(sm) < next)
		next = requests_next(sm);
	/* Warps that a barrier held have another reason to wait then. */
	if (sc->opened_in == w->now)
		next = w->now + 1;
	return next;
}

/* After an issue the sub-core is simulated in the next cycle. Not if it is certain that no warp can be picked
 * then and the scheduler need not be called; whoever changes that enters the sub-core. */
static int64_t look_again(
	struct warp_simulation *w, const struct engine_sm *sm, struct sub_core *sc, uint64_t held)
{
	int64_t next = w->now + 1;
	if (!w->scheduler->minds_stalls && sc->next_wake > next && !sm->requests.full) {
		uint64_t unit_waits = sc->busy ? sub_core_unit_waits(sc, next) : 0;
		if (!(sc->operand & ~held & ~unit_waits))
			return rest(w, sm, sc, held, unit_waits);
	}
	return next;
}

int64_t issue_look(struct warp_simulation *w, struct engine_sm *sm, struct sub_core *sc)
{
	if (sc->next_wake <= w->now)
		sub_core_settle(sc, w->now);
	sc->near_from = w->now;
	sub_core_account(sc, w->now);
	uint64_t held = sm->quotas.blocked ? sub_core_of_kernels(sc, sm->quotas.blocked, w->kernel_count) : 0;
	uint64_t unit_waits = sc->busy ? sub_core_unit_waits(sc, w->now) : 0;
	if (sm->requests.full)
		unit_waits |= requests_held(w, sm, sc);
	int picked = w->scheduler->pick(w, sc, sc->operand & ~held & ~unit_waits, w->now);
	if (picked < 0)
		return rest(w, sm, sc, held, unit_waits);
	sc->slots[SLOT_ISSUED]++;
	sc->idle_since = w->now + 1;
	issue(w, sm, sc, (uint32_t)picked);
	return look_again(w, sm, sc, held);
}

void issue_cycle(struct warp_simulation *w)
{
	uint64_t *set = calendar_of(&w->calendar, w->now);
	for (uint32_t i = 0; i < w->calendar.words; i++) {
		/* The word is read again after each sub-core: others may be entered for this cycle
		 * meanwhile. */
		while (set[i]) {
			uint32_t index = i * 64 + (uint32_t)__builtin_ctzll(set[i]);
			set[i] &= set[i] - 1;
			w->issuing = index;
			int64_t next = issue_look(w, &w->sms[index / w->sub_cores], &w->cores[index]);
			if (next < NEVER)
				calendar_enter(&w->calendar, w->now, next, index);
		}
	}
	w->issuing = UINT32_MAX;
	calendar_done(&w->calendar, w->now);
}
