/* models/warps/ahead.c - see models/warps/ahead.h.
 *
 * Simulated cycle by cycle, every instruction finds its sub-core and its warp in another part of the memory:
 * they take 3 KB, 1 MB on 80 SMs, and each is needed once in a few cycles. But what one SM does in phase 5 of
 * a cycle reaches others in four ways only: through the DRAM server, through the lines of L2 that it fills,
 * through the order in which the digest and an observer see instructions, and through blocks that end. So if
 * nobody observes instructions, and no load looks for what it reuses in L2, each SM,
 * and each sub-core of an SM without quotas, barriers, loads with `reuse` and a limit on requests, is
 * simulated alone through a window of cycles
 *
 *  - in which no other phase has anything to do: no launch, epoch, transfer of a context or end of a block,
 *    and no sample but in the last of them,
 *  - in which no block can issue its last instruction: each of its warps issues at most one in a cycle, and
 *    each sub-core too,
 *  - in which the pool of a launch cannot run dry: as long as it lasts it does not matter who takes a round
 * first,
 *  - that is not longer than DRAM's latency: what is asked of the server in the window is needed by nobody
 *    before its end.
 *
 * Warps that wait for the server wait until cycle NEVER. At the end of the window the server gets the
 * requests in the order of cycles and sub-cores, the digest the instructions, and the warps their cycles.
 *
 * tests/oracle compares runs in windows with runs cycle by cycle, those with an observer. */
#include "models/warps/ahead.h"

#include <assert.h>
#include <string.h>

#include "models/warps/issue.h"
#include "models/warps/memory.h"
#include "models/warps/program.h"
#include "models/warps/requests.h"
#include "models/warps/sub_core.h"

#define AHEAD_LEAST 8        /* cycles, below which it does not pay to gather and to sort */
#define AHEAD_MOST 512       /* cycles */
#define AHEAD_ROOM (1 << 18) /* sub-cores x cycles: a request and a position for each of them, 10 MB */

bool ahead_init(struct warp_simulation *w)
{
	struct ahead *a = &w->ahead;
	int64_t most = w->machine->dram_latency < AHEAD_MOST ? w->machine->dram_latency : AHEAD_MOST;
	if (most > AHEAD_ROOM / w->core_count)
		most = AHEAD_ROOM / w->core_count;
	if (most < AHEAD_LEAST || (w->reuse && w->machine->l2_bytes))
		return true;
	size_t room = (size_t)most * w->core_count;
	a->words = w->calendar.words;
	a->next = arena_new(&w->arena, int64_t, w->core_count);
	a->issued = arena_new(&w->arena, uint64_t, (size_t)most * a->words);
	a->position = arena_new(&w->arena, uint8_t, room);
	a->requests = arena_new(&w->arena, struct ahead_request, room);
	a->first = arena_new(&w->arena, uint32_t, (size_t)most);
	a->last = arena_new(&w->arena, uint32_t, (size_t)most);
	if (!a->next || !a->issued || !a->position || !a->requests || !a->first || !a->last)
		return false;
	for (uint32_t i = 0; i < w->core_count; i++)
		a->next[i] = NEVER;
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		const struct engine_kernel *k = &w->kernels[i];
		for (uint32_t part = 0; part < warp_parts(k->spec); part++) {
			if (program_meets(&k->parts[part]) || k->parts[part].reuses)
				a->meeting |= UINT32_C(1) << i;
			a->pools |= k->parts[part].pool.rounds != ROUNDS_OWN;
		}
	}
	a->most = (uint32_t)most;
	return true;
}

/* ---- How far ---- */

/* How many instructions the block issues before its last one, one after the other: those of the warp that has
 * most left, or those that a sub-core has, if they are dealt evenly. */
static uint64_t before_last(const struct warp_simulation *w, const struct engine_block *b)
{
	const struct engine_kernel *k = &w->kernels[b->kernel];
	uint64_t most = 0, sum = 0;
	for (uint32_t i = 0; i < k->part.warps_per_block; i++) {
		uint64_t left = b->warps[i].left > 0 ? program_left(&k->part, &b->warps[i]) : 0;
		sum += left;
		most = left > most ? left : most;
	}
	sum = (sum + w->sub_cores - 1) / w->sub_cores;
	return (sum > most ? sum : most) - 1;
}

/* No block of the SM issues its last instruction before this cycle. */
static int64_t find_lasting(const struct warp_simulation *w, const struct engine_sm *sm)
{
	int64_t until = NEVER;
	for (const struct engine_block *b = sm->blocks; b; b = b->next) {
		if (b->state == BLOCK_SAVING || b->issuing == 0)
			continue;
		int64_t last = w->now + (int64_t)before_last(w, b);
		until = last < until ? last : until;
	}
	return until;
}

static int64_t other_phases(const struct warp_simulation *w)
{
	int64_t until = w->end;
	if (w->instant_count > 0 && w->instants[0].cycle < until)
		until = w->instants[0].cycle;
	if (w->next_launch < until)
		until = w->next_launch;
	if (w->epochs && w->next_epoch < until)
		until = w->next_epoch;
	if (w->next_sample < until)
		until = w->next_sample + 1;
	if (w->open_at > w->now && w->open_at < until)
		until = w->open_at;
	return until;
}

/* No launch's pool of rounds can be at its end before this cycle: within n cycles a warp takes a round once,
 * and once more for each whole round that it issues, of at most n instructions of its sub-core. An empty pool
 * stays empty. */
static int64_t pools_last(const struct warp_simulation *w)
{
	int64_t until = NEVER;
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		const struct engine_kernel *k = &w->kernels[i];
		if (k->part.pool.left == 0)
			continue;
		int64_t warps = 0;
		for (uint32_t s = 0; s < w->sm_count; s++)
			warps += (int64_t)w->sms[s].kernel[i].blocks * k->part.warps_per_block;
		int64_t rounds = k->part.pool.left > warps ? k->part.pool.left - warps : 0;
		/* All sub-cores together issue at most AHEAD_ROOM instructions in a window. */
		int64_t cycles =
			rounds < AHEAD_ROOM ? rounds * k->part.pool.body / w->core_count : AHEAD_MOST;
		if (w->now + cycles < until)
			until = w->now + cycles;
	}
	return until;
}

int64_t ahead_until(struct warp_simulation *w)
{
	struct ahead *a = &w->ahead;
	if (a->most == 0 || w->issues || w->place || w->now < a->again)
		return w->now + 1;
	int64_t until = other_phases(w);
	if (until > w->now + a->most)
		until = w->now + a->most;
	if (a->pools) {
		int64_t last = pools_last(w);
		until = last < until ? last : until;
	}
	/* Begins with the SM that was the shortest: where blocks are about to end it is, most of the time,
	 * the only one that is looked at. */
	for (uint32_t n = 0, i = a->shortest; n < w->sm_count && until - w->now >= AHEAD_LEAST; n++) {
		struct engine_sm *sm = &w->sms[i];
		if (sm->lasting < until)
			sm->lasting = find_lasting(w, sm);
		if (sm->lasting < until) {
			until = sm->lasting;
			a->shortest = i;
		}
		i = i + 1 < w->sm_count ? i + 1 : 0;
	}
	if (until - w->now >= AHEAD_LEAST)
		return until;
	a->again = w->now + AHEAD_LEAST;
	return w->now + 1;
}

/* ---- The window ---- */

/* Takes out of the calendar what is in the window: for each sub-core its first cycle. */
static void gather(struct warp_simulation *w)
{
	struct ahead *a = &w->ahead;
	for (int64_t cycle = a->until; cycle-- > a->from;) {
		if (!calendar_has(&w->calendar, cycle))
			continue;
		uint64_t *set = calendar_of(&w->calendar, cycle);
		for (uint32_t i = 0; i < a->words; i++) {
			for (; set[i]; set[i] &= set[i] - 1)
				a->next[i * 64 + (uint32_t)__builtin_ctzll(set[i])] = cycle;
		}
		calendar_done(&w->calendar, cycle);
	}
}

/* The sub-core is simulated up to the end of the window. */
static void leave(struct warp_simulation *w, uint32_t core, int64_t next)
{
	w->ahead.next[core] = NEVER;
	if (next < NEVER)
		calendar_enter(&w->calendar, w->ahead.until - 1, next, core);
}

/* No warp of the SM does anything to those of another sub-core. */
static void run_apart(struct warp_simulation *w, struct engine_sm *sm)
{
	const int64_t until = w->ahead.until;
	for (uint32_t i = 0; i < w->sub_cores; i++) {
		struct sub_core *sc = &sm->cores[i];
		int64_t next = w->ahead.next[sc->index];
		if (next >= until)
			continue;
		while (next < until) {
			w->now = next;
			next = issue_look(w, sm, sc);
		}
		leave(w, sc->index, next);
	}
}

static void run_together(struct warp_simulation *w, struct engine_sm *sm)
{
	const int64_t until = w->ahead.until;
	int64_t *next = &w->ahead.next[sm->cores[0].index];
	for (;;) {
		int64_t cycle = next[0];
		for (uint32_t i = 1; i < w->sub_cores; i++)
			cycle = next[i] < cycle ? next[i] : cycle;
		if (cycle >= until)
			break;
		w->now = cycle;
		for (uint32_t i = 0; i < w->sub_cores; i++) {
			if (next[i] > cycle)
				continue;
			next[i] = NEVER;
			w->issuing = sm->cores[i].index;
			int64_t then = issue_look(w, sm, &sm->cores[i]);
			next[i] = then < next[i] ? then : next[i];
		}
	}
	w->issuing = UINT32_MAX;
	for (uint32_t i = 0; i < w->sub_cores; i++)
		leave(w, sm->cores[i].index, next[i]);
}

/* ---- Its end ---- */

/* Loads that a full SM did not take may be taken when something is answered. */
static void wake_full(struct warp_simulation *w)
{
	for (uint32_t i = 0; i < w->sm_count; i++) {
		const struct engine_sm *sm = &w->sms[i];
		int64_t next = requests_next(sm);
		if (!sm->requests.full)
			continue;
		if (next < w->ahead.until)
			next = w->ahead.until;
		for (uint32_t c = 0; c < w->sub_cores; c++)
			calendar_enter(&w->calendar, w->ahead.until - 1, next, sm->cores[c].index);
	}
}

/* Sub-cores have put down their requests in their order. */
static void serve(struct warp_simulation *w)
{
	struct ahead *a = &w->ahead;
	for (int64_t cycle = a->from; cycle < a->until; cycle++) {
		uint32_t n = a->first[cycle - a->from];
		a->first[cycle - a->from] = 0;
		for (; n; n = a->requests[n - 1].next) {
			struct ahead_request *r = &a->requests[n - 1];
			r->there = memory_serve(w, r->bytes, cycle);
			if (w->machine->requests && r->warp)
				requests_known(&w->sms[r->core / w->sub_cores], r->there);
		}
	}
}

/* The warp waits for what has become known, or has ended and waits for all of its results. */
static void tell(struct warp_simulation *w, struct sub_core *sc, struct warp *v)
{
	struct engine_block *b = v->block;
	bool memory;
	int64_t wake;
	if (sc->ending & bit(v->position)) {
		if (v->unknown)
			return;
		wake = v->last_result;
		b->end = wake > b->end ? wake : b->end;
	} else {
		wake = program_operand(&w->kernels[b->kernel].part.program[v->step], v, &memory);
	}
	if (wake == NEVER)
		return;
	sub_core_known(sc, v->position, wake);
	calendar_enter(&w->calendar, w->ahead.until - 1, wake, sc->index);
}

static void answer(struct warp_simulation *w)
{
	struct ahead *a = &w->ahead;
	for (uint32_t i = 0; i < a->request_count; i++) {
		const struct ahead_request *r = &a->requests[i];
		struct sub_core *sc = &w->cores[r->core];
		struct warp *v = r->warp;
		if (!v)
			continue;
		v->unknown--;
		/* A later result may be in its place: nobody has asked for this one. */
		if (v->number - r->number <= WARP_RING)
			v->result[r->number % WARP_RING] = r->there;
		if (r->there > v->last_result)
			v->last_result = r->there;
		if (sc->waiting & bit(v->position) && sc->wake[v->position] == NEVER)
			tell(w, sc, v);
	}
	a->request_count = 0;
}

static void digest(struct warp_simulation *w)
{
	struct ahead *a = &w->ahead;
	uint64_t sum = w->digest;
	for (int64_t cycle = a->from; cycle < a->until; cycle++) {
		uint64_t *set = &a->issued[(uint64_t)(cycle - a->from) * a->words];
		const uint8_t *position = a->position + (cycle - a->from);
		for (uint32_t i = 0; i < a->words; i++) {
			for (; set[i]; set[i] &= set[i] - 1) {
				uint32_t core = i * 64 + (uint32_t)__builtin_ctzll(set[i]);
				const struct sub_core *sc = &w->cores[core];
				sum = issue_digest(
					sum, cycle, core, sc->key[position[(uint64_t)core * a->most]]);
			}
		}
	}
	w->digest = sum;
}

void ahead_run(struct warp_simulation *w, int64_t until)
{
	struct ahead *a = &w->ahead;
	assert(until - w->now <= a->most);
	a->on = true;
	a->from = w->now;
	a->until = until;
	gather(w);
	for (uint32_t i = 0; i < w->sm_count; i++) {
		if (w->has_quotas || w->machine->requests || w->sms[i].quotas.here & a->meeting)
			run_together(w, &w->sms[i]);
		else
			run_apart(w, &w->sms[i]);
	}
	w->now = until - 1;
	a->on = false;
	serve(w);
	answer(w);
	if (w->machine->requests)
		wake_full(w);
	digest(w);
}
