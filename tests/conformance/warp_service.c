/* tests/conformance/warp_service.c - when every result and every context must be there: the memory's levels
 * and the one server behind them, gone through once more in the order of the rows. */
#include "tests/conformance/warp_laws.h"

int64_t warp_step_bytes(const struct warp_step *step, uint32_t threads)
{
	int64_t dense = ((int64_t)threads * step->bytes + 31) / 32;
	int64_t apart = ((int64_t)threads * (1000000 - step->coalescing_ppm) + 999999) / 1000000;
	int64_t sectors = dense > apart ? dense : apart;
	return 32 * (sectors > 1 ? sectors : 1);
}

bool warp_step_is_global(const struct warp_step *step)
{
	return step->kind == STEP_LOAD || step->kind == STEP_STORE;
}

/* Of what is served without the memory's server; 0: it is; -1: there is none. */
static int64_t plain_result(
	const struct warp_seen *s, const struct warp_issue *row, const struct warp_step *step)
{
	const struct warp_machine *m = &s->scene->warps.machine;
	switch (step->kind) {
	case STEP_COMPUTE:
		return row->cycle + (step->latency ? step->latency : m->latency[step->unit]);
	case STEP_SHARED_LOAD:
		return row->cycle + m->shared_latency;
	case STEP_LOAD:
		return row->level == LEVEL_L1   ? row->cycle + m->l1_latency
		       : row->level == LEVEL_L2 ? row->cycle + m->l2_latency
						: 0;
	default:
		return -1;
	}
}

/* The server, in parts of a cycle: `bandwidth` make one. */
static int64_t pass(int64_t *free, int64_t bandwidth, int64_t cycle, int64_t bytes)
{
	if (*free < cycle * bandwidth)
		*free = cycle * bandwidth;
	*free += bytes * 1000;
	return (*free + bandwidth - 1) / bandwidth;
}

/* One without bytes is through at once. */
static int64_t pass_context(
	const struct warp_seen *s, const struct warp_stay *stay, int64_t cycle, int64_t *free)
{
	int64_t bytes = warp_seen_context(s, stay->kernel);
	return bytes ? pass(free, s->scene->warps.machine.bandwidth, cycle, bytes) : cycle;
}

/* Contexts that pass before phase 5 of this cycle, from the stay on that is next. Those that come in, then
 * those that leave, SM by SM by age. */
static void pass_contexts(struct warp_seen *s, int64_t cycle, int64_t from, int64_t *free)
{
	for (int64_t c = from; s->swaps > 0 && c <= cycle; c++) {
		for (size_t i = 0; i < s->stay_count; i++)
			if (s->stays[i].again && s->stays[i].start == c)
				s->stays[i].there = pass_context(s, &s->stays[i], c, free);
		for (uint32_t sm = 0; sm < s->scene->platform.sms; sm++)
			for (size_t i = 0; i < s->stay_count; i++)
				if (s->stays[i].leave == c && s->stays[i].sm == sm)
					s->stays[i].through = pass_context(s, &s->stays[i], c, free);
	}
}

void warp_seen_serve(struct warp_seen *s)
{
	const struct warp_machine *m = &s->scene->warps.machine;
	int64_t free = 0, from = 0;
	for (size_t i = 0; i < s->run->issues_count; i++) {
		const struct warp_issue *row = &s->run->issues[i];
		if (row->kernel >= s->scene->warps.kernel_count || row->number >= s->length[row->kernel])
			continue;
		const struct warp_step *step = s->program[row->kernel][row->number].step;
		pass_contexts(s, row->cycle, from, &free);
		from = row->cycle + 1;
		s->results[i] = plain_result(s, row, step);
		if (warp_step_is_global(step) && row->level == LEVEL_DRAM) {
			int64_t through =
				pass(&free, m->bandwidth, row->cycle, warp_step_bytes(step, row->threads));
			s->results[i] = step->kind == STEP_LOAD ? through + m->dram_latency : -1;
		}
	}
	pass_contexts(s, s->run->cycles - 1, from, &free);
}
