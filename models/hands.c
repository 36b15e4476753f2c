/* models/hands.c - owns whose each SM is, where high kernels take SMs from low ones at a cost (docs/model.md,
 * "Preemption"; QAWS, section II: 20 to 100 us).
 *
 * Blocks are not preempted: an SM changes hands at the end of one. Kernels on SMs of their own neither pay
 * nor lose anything. Blocks of one kernel then differ in how long they stay, so that all kernels of such a
 * GPU are uneven (models/stays.c). */
#include "models/hands.h"

struct hands {
	enum { SM_NOBODYS, SM_LOW, SM_LEFT } of; /* LEFT: by a low kernel that has blocks to place */
	int64_t open_at;                         /* no block begins its work before */
};

static bool has_delay(const struct platform *p)
{
	return p->preemption_delay_ns > 0 && p->pool == POOL_SM;
}

bool hands_init(struct machine *m, struct gpu *gpu)
{
	gpu->hands = NULL;
	if (!has_delay(m->platform))
		return true;
	gpu->hands = arena_new(&m->arena, struct hands, m->platform->sms);
	return gpu->hands != NULL;
}

bool hands_anywhere(const struct machine *m)
{
	bool any = false;
	for (uint32_t g = 0; g < platform_gpus(m->devices.all); g++)
		any |= has_delay(platform_gpu(m->devices.all, g));
	return any;
}

int64_t hands_place(struct machine *m, const struct launch *launch, uint32_t sm)
{
	int64_t now = m->sim.now;
	struct hands *h = &m->gpu.hands[sm];
	if (launch->grant)
		return now;
	if (launch->step->stream_high && h->of == SM_LEFT)
		h->open_at = now + m->platform->preemption_delay_ns;
	h->of = launch->step->stream_high ? SM_NOBODYS : SM_LOW;
	return h->open_at > now ? h->open_at : now;
}

void hands_end(struct machine *m, const struct launch *launch, uint32_t sm)
{
	struct hands *h = &m->gpu.hands[sm];
	if (!launch->grant && !launch->step->stream_high && h->of == SM_LOW && launch->placed < launch->total)
		h->of = SM_LEFT;
}
