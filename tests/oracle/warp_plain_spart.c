/* tests/oracle/warp_plain_spart.c - the manager spart: who owns an SM, and how SMs pass from kernel to kernel
 * (docs/warps.md, table of managers; QoS sec. 4). */
#include "tests/oracle/warp_plain_internal.h"

#define FUTILE_MAX 3

/* ---- SMs and their owners ---- */

static void set_targets(struct plain *p, uint32_t sm)
{
	for (uint32_t k = 0; k < p->kernels; k++)
		p->sm[sm].target[k] = p->sm[sm].owner == k ? plain_fit(p, k, 1) : 0;
}

void plain_spart_begin(struct plain *p)
{
	for (uint32_t k = 0; k < p->kernels; k++) {
		for (uint32_t sm = k * p->sms / p->kernels; sm < (k + 1) * p->sms / p->kernels; sm++)
			p->sm[sm].owner = k;
	}
	for (uint32_t sm = 0; sm < p->sms; sm++)
		set_targets(p, sm);
}

void plain_spart_part(struct plain *p)
{
	for (uint32_t sm = 0; sm < p->sms; sm++)
		set_targets(p, sm);
}

static int64_t sms_of(const struct plain *p, uint32_t kernel)
{
	int64_t count = 0;
	for (uint32_t sm = 0; sm < p->sms; sm++)
		count += p->sm[sm].owner == kernel;
	return count;
}

static void give(struct plain *p, uint32_t from, uint32_t to)
{
	uint32_t sm = p->sms - 1;
	while (p->sm[sm].owner != from)
		sm--;
	p->sm[sm].owner = to;
	set_targets(p, sm);
	plain_swap_out(p, sm, from, 0);
}

/* ---- who is short of its goal ---- */

static int64_t shortage(const struct plain_kernel *k)
{
	if (k->goal < 0 || k->history < 0 || k->history >= k->goal)
		return -1;
	return (int64_t)((int128)MILLION * (k->goal - k->history) / k->goal);
}

/* The sum of the shortages. *again: a kernel is short that was not short at the last epoch; *any: a kernel is
 * short. */
static int64_t look_at_shortages(struct plain *p, bool *again, bool *any)
{
	int64_t sum = 0;
	*again = *any = false;
	for (uint32_t k = 0; k < p->kernels; k++) {
		struct plain_kernel *kernel = &p->kernel[k];
		int64_t by = shortage(kernel);
		kernel->was_short = kernel->is_short;
		kernel->is_short = by >= 0;
		sum += by > 0 ? by : 0;
		*any = *any || kernel->is_short;
		*again = *again || (kernel->is_short && !kernel->was_short);
	}
	return sum;
}

/* ---- climbing ---- */

static void begin_to_climb(struct plain *p, int64_t sum)
{
	p->out->counts.climbing_again += !p->climbing;
	p->climbing = true;
	p->least = sum;
	p->futile = 0;
}

static void note_progress(struct plain *p, int64_t sum, bool any)
{
	if (!any || sum < p->least) {
		p->least = sum;
		p->futile = 0;
		return;
	}
	p->futile++;
	if (p->futile < FUTILE_MAX || !p->climbing)
		return;
	p->climbing = false;
	p->out->counts.climbing_stopped++;
}

/* ---- exchanges ---- */

static int shortest(const struct plain *p)
{
	int best = NOBODY;
	for (uint32_t k = 0; k < p->kernels; k++) {
		int64_t by = shortage(&p->kernel[k]);
		if (by >= 0 && (best == NOBODY || by > shortage(&p->kernel[best])))
			best = (int)k;
	}
	return best;
}

/* The kernel with the most SMs among those without a goal. */
static int with_most_sms(const struct plain *p)
{
	int best = NOBODY;
	for (uint32_t k = 0; k < p->kernels; k++) {
		if (p->kernel[k].goal >= 0 || sms_of(p, k) < 2)
			continue;
		if (best == NOBODY || sms_of(p, k) > sms_of(p, (uint32_t)best))
			best = (int)k;
	}
	return best;
}

static int with_fewest_sms(const struct plain *p)
{
	int best = NOBODY;
	for (uint32_t k = 0; k < p->kernels; k++) {
		if (p->kernel[k].goal < 0 && (best == NOBODY || sms_of(p, k) < sms_of(p, (uint32_t)best)))
			best = (int)k;
	}
	return best;
}

static int with_largest_margin(const struct plain *p)
{
	int best = NOBODY;
	int64_t most = -1;
	for (uint32_t k = 0; k < p->kernels; k++) {
		const struct plain_kernel *kernel = &p->kernel[k];
		if (kernel->goal < 0 || kernel->history < kernel->goal || sms_of(p, k) < 2)
			continue;
		int128 wide = (int128)MILLION * (kernel->history - kernel->goal) / kernel->goal;
		int64_t margin = wide > INT64_MAX ? INT64_MAX : (int64_t)wide;
		if (margin > most) {
			most = margin;
			best = (int)k;
		}
	}
	return best;
}

static void take_for(struct plain *p, uint32_t taker)
{
	int giver = with_most_sms(p);
	if (giver == NOBODY)
		giver = with_largest_margin(p);
	if (giver == NOBODY)
		return;
	give(p, (uint32_t)giver, taker);
	p->out->counts.exchanges_short++;
}

static bool has_one_to_spare(const struct plain *p, uint32_t kernel)
{
	const struct plain_kernel *k = &p->kernel[kernel];
	int64_t has = sms_of(p, kernel);
	return k->goal >= 0 && has >= 2 && k->history >= 0 && (int128)k->history * (has - 1) / has > k->goal;
}

static void give_what_is_spare(struct plain *p)
{
	int taker = with_fewest_sms(p);
	uint32_t giver = 0;
	while (giver < p->kernels && !has_one_to_spare(p, giver))
		giver++;
	if (giver == p->kernels || taker == NOBODY)
		return;
	give(p, giver, (uint32_t)taker);
	p->out->counts.exchanges_spare++;
}

void plain_spart_epoch(struct plain *p)
{
	bool again, any, moves = false;
	int64_t sum = look_at_shortages(p, &again, &any);
	if (again)
		begin_to_climb(p, sum);
	else
		note_progress(p, sum, any);
	for (uint32_t sm = 0; sm < p->sms; sm++)
		moves = moves || plain_context_moves(p, sm);
	if (!p->climbing || moves)
		return;
	if (any)
		take_for(p, (uint32_t)shortest(p));
	else
		give_what_is_spare(p);
}
