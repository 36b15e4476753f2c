/* db/audit/predict_homes.c - where tasks live under sbeet-mg, and what a job of each costs on every GPU
 * (docs/policies.md, "sbeet-mg", "Homes"). No recording says it: it follows from the set and the GPUs. */
#include "db/audit/predict.h"

/* Utilisations are in these parts, each rounded up. */
#define ROOM ((int128)1000000000000)

struct homes {
	const struct recording *r;
	const struct predictions *on; /* the first GPU */
	uint32_t *home, *ranking;
	int128 *load; /* [gpus] of the tasks that live there by now */
	int128 *key;  /* [tasks] tasks with small ones go first */
};

static const struct predictions *gpu_of(const struct homes *h, uint32_t gpu)
{
	const struct predictions *p = h->on;
	while (p->gpu != gpu)
		p = p->next;
	return p;
}

/* total / period in parts of ROOM, rounded up. */
static int128 part_of(int128 total, int128 period)
{
	return total / period * ROOM + (total % period * ROOM + period - 1) / period;
}

/* u_g of the task. */
static int128 use(const struct homes *h, uint32_t task, uint32_t gpu)
{
	const struct predictions *p = gpu_of(h, gpu);
	int128 sum = 0;
	for (uint32_t k = 0; k < p->task[task].sections; k++)
		for (uint32_t m = 1; m <= p->machine->sms; m++)
			sum += p->task[task].section[k].body[m - 1];
	return part_of(sum, (int128)p->machine->sms * h->r->task[task].period_ns);
}

/* The same with each section on its m_opt SMs. */
static int128 use_at_best(const struct homes *h, uint32_t task, uint32_t gpu)
{
	const struct predictions *p = gpu_of(h, gpu);
	int128 sum = 0;
	for (uint32_t k = 0; k < p->task[task].sections; k++) {
		const struct section *s = &p->task[task].section[k];
		sum += s->body[s->best_sms - 1];
	}
	return part_of(sum, h->r->task[task].period_ns);
}

/* The size of the task, where GPUs are taken as alike: the mean of u_g. */
static int128 size_of(const struct homes *h, uint32_t task)
{
	int128 sum = 0;
	for (uint32_t g = 0; g < h->r->gpus; g++)
		sum += use(h, task, g);
	return (sum + h->r->gpus - 1) / h->r->gpus;
}

/* e_g: above the static power, on m_opt SMs. */
static int128 cost_on(const struct homes *h, uint32_t task, uint32_t gpu)
{
	const struct predictions *p = gpu_of(h, gpu);
	int128 sum = 0, idle = (int128)p->machine->idle_uw * p->machine->sms;
	for (uint32_t k = 0; k < p->task[task].sections; k++) {
		const struct section *s = &p->task[task].section[k];
		const struct predict_stretch *kernel = &s->kernel[(size_t)(s->best_sms - 1) * s->kernels];
		for (uint32_t i = 0; i < s->kernels; i++)
			sum += kernel[i].length * (kernel[i].added_uw + idle);
	}
	return sum;
}

static void rank_gpus(struct homes *h, uint32_t task)
{
	uint32_t *ranking = h->ranking + (size_t)task * h->r->gpus;
	for (uint32_t g = 0; g < h->r->gpus; g++) {
		uint32_t at = g;
		for (; at > 0 && cost_on(h, task, g) < cost_on(h, task, ranking[at - 1]); at--)
			ranking[at] = ranking[at - 1];
		ranking[at] = g;
	}
}

static void settle(struct homes *h, uint32_t task, uint32_t gpu, int128 load)
{
	h->home[task] = gpu;
	h->load[gpu] += load;
}

/* On the GPU of least cost with room; without room where the load would be least. */
static void settle_by_energy(struct homes *h, uint32_t task)
{
	uint32_t emptiest = 0;
	for (uint32_t i = 0; i < h->r->gpus; i++) {
		uint32_t g = h->ranking[(size_t)task * h->r->gpus + i];
		if (h->load[g] + use(h, task, g) > ROOM)
			continue;
		settle(h, task, g, use(h, task, g));
		return;
	}
	for (uint32_t g = 1; g < h->r->gpus; g++)
		if (h->load[g] + use(h, task, g) < h->load[emptiest] + use(h, task, emptiest))
			emptiest = g;
	settle(h, task, emptiest, use_at_best(h, task, emptiest));
}

/* In the first GPU with room, the fullest with room, or the emptiest; without room in the emptiest. */
static void settle_by_size(struct homes *h, uint32_t task)
{
	enum homes_rule rule = h->r->promise->homes;
	int128 size = size_of(h, task);
	uint32_t fullest = UINT32_MAX, first = UINT32_MAX, emptiest = 0;
	for (uint32_t g = h->r->gpus; g-- > 0;) {
		if (h->load[g] <= h->load[emptiest])
			emptiest = g;
		if (h->load[g] + size > ROOM)
			continue;
		first = g;
		if (fullest == UINT32_MAX || h->load[g] >= h->load[fullest])
			fullest = g;
	}
	uint32_t chosen = rule == HOMES_FIRST_FIT ? first : rule == HOMES_BEST_FIT ? fullest : emptiest;
	settle(h, task, chosen == UINT32_MAX ? emptiest : chosen, size);
}

static void settle_as_given(struct homes *h, uint32_t task)
{
	const struct member *t = &h->r->task[task];
	for (uint32_t k = t->segments; k-- > 0;)
		if (t->segment[k].kind == KIND_KERNEL)
			h->home[task] = t->segment[k].named;
}

/* The task with the smallest key that has no home yet; ties by index. */
static uint32_t next_task(const struct homes *h)
{
	uint32_t next = UINT32_MAX;
	for (uint32_t i = h->r->tasks; i-- > 0;)
		if (h->home[i] == UINT32_MAX && (next == UINT32_MAX || h->key[i] <= h->key[next]))
			next = i;
	return next;
}

bool predict_homes(const struct recording *r, const struct predictions *on, struct arena *arena,
	uint32_t **home, uint32_t **ranking)
{
	struct homes h = {
		.r = r,
		.on = on,
		.home = arena_new(arena, uint32_t, r->tasks),
		.ranking = arena_new(arena, uint32_t, (size_t)r->tasks * r->gpus),
		.load = arena_new(arena, int128, r->gpus),
		.key = arena_new(arena, int128, r->tasks),
	};
	bool by_energy = r->promise->homes == HOMES_ENERGY, given = r->promise->homes == HOMES_GIVEN;
	if (!h.home || !h.ranking || !h.load || !h.key)
		return false;
	for (uint32_t i = 0; i < r->tasks; i++) {
		rank_gpus(&h, i);
		h.home[i] = given ? 0 : UINT32_MAX;
		h.key[i] = by_energy ? r->task[i].period_ns : -size_of(&h, i);
		if (given)
			settle_as_given(&h, i);
	}
	for (uint32_t task; (task = next_task(&h)) != UINT32_MAX;) {
		if (by_energy)
			settle_by_energy(&h, task);
		else
			settle_by_size(&h, task);
	}
	*home = h.home;
	*ranking = h.ranking;
	return true;
}
