/* models/warps/requests.c - see models/warps/requests.h. */
#include "models/warps/requests.h"

bool requests_init(struct warp_simulation *w)
{
	/* An SM takes a load while fewer lines than the limit are on their way, and each load waits for at
	 * least one. */
	uint32_t room = (uint32_t)w->machine->requests;
	if (room == 0)
		return true;
	for (uint32_t i = 0; i < w->sm_count; i++) {
		struct requests *r = &w->sms[i].requests;
		r->l2.request = arena_new(&w->arena, struct request, room);
		r->dram.request = arena_new(&w->arena, struct request, room);
		if (!r->l2.request || !r->dram.request)
			return false;
		r->l2.room = r->dram.room = room;
	}
	return true;
}

static struct request *at(const struct request_queue *q, uint32_t n)
{
	return &q->request[(q->first + n) % q->room];
}

void requests_add(
	struct warp_simulation *w, struct engine_sm *sm, enum warp_level level, int64_t there, uint32_t lines)
{
	struct requests *r = &sm->requests;
	struct request_queue *q = level == LEVEL_L2 ? &r->l2 : &r->dram;
	*at(q, q->count++) = (struct request){there, lines};
	r->unknown += there == NEVER;
	r->lines += lines;
	r->full = r->lines >= w->machine->requests;
}

void requests_known(struct engine_sm *sm, int64_t there)
{
	struct requests *r = &sm->requests;
	at(&r->dram, r->dram.count - r->unknown--)->there = there;
}

static int64_t first(const struct request_queue *q)
{
	return q->count > 0 ? at(q, 0)->there : NEVER;
}

int64_t requests_next(const struct engine_sm *sm)
{
	int64_t l2 = first(&sm->requests.l2), dram = first(&sm->requests.dram);
	return l2 < dram ? l2 : dram;
}

/* Takes out what is there by this cycle. */
static void drop(struct requests *r, struct request_queue *q, int64_t cycle)
{
	while (first(q) <= cycle) {
		r->lines -= at(q, 0)->lines;
		q->first = (q->first + 1) % q->room;
		q->count--;
	}
}

uint64_t requests_held(struct warp_simulation *w, struct engine_sm *sm, const struct sub_core *sc)
{
	struct requests *r = &sm->requests;
	uint64_t held = 0;
	if (!r->full)
		return 0;
	drop(r, &r->l2, w->now);
	drop(r, &r->dram, w->now);
	r->full = r->lines >= w->machine->requests;
	if (!r->full)
		return 0;
	for (uint64_t set = sc->operand & sc->wants[WARP_MEMORY]; set; set &= set - 1) {
		const struct warp *v = sc->warp[__builtin_ctzll(set)];
		if (w->kernels[v->block->kernel].part.program[v->step].kind == STEP_LOAD)
			held |= set & -set;
	}
	return held;
}
