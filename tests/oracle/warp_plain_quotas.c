/* tests/oracle/warp_plain_quotas.c - adjusted goals, quotas, the counters, and what the managers do with them
 * (docs/warps.md, Managers). Instructions lower the counters in warp_plain_issue.c. */
#include "tests/oracle/warp_plain_internal.h"

bool plain_has_quotas(const struct plain *p)
{
	return p->manager != MANAGER_SMK && p->manager != MANAGER_SPART;
}

static bool rolls_over(const struct plain *p)
{
	return p->manager == MANAGER_ROLLOVER || p->manager == MANAGER_ROLLOVER_TIME;
}

static int64_t capped(int128 adjusted)
{
	return adjusted > WARP_GOAL_MAX ? WARP_GOAL_MAX : (int64_t)adjusted;
}

/* ---- adjusted goals ---- */

static int64_t adjusted_goal(const struct plain *p, const struct plain_kernel *k)
{
	bool makes_up = p->options->history && p->manager != MANAGER_NAIVE;
	if (!makes_up || k->history < 0 || k->issued == 0 || k->history >= k->goal)
		return capped(k->goal);
	int128 t = p->c - k->first_active;
	return capped((int128)k->goal * k->goal * t / ((int128)MILLION * k->issued));
}

static int64_t adjusted_without_goal(const struct plain *p, const struct plain_kernel *k)
{
	int128 adjusted = p->c > 0 && k->epoch_ipc > MILLION ? k->epoch_ipc : MILLION;
	adjusted = capped(adjusted);
	for (uint32_t i = 0; i < p->kernels; i++) {
		const struct plain_kernel *other = &p->kernel[i];
		if (other->goal < 0 || p->c == 0 || !other->whole_epoch || !plain_active_job(p, i))
			continue;
		adjusted = capped(adjusted * other->epoch_ipc / other->adjusted);
	}
	return (int64_t)adjusted;
}

static void adjust_goals(struct plain *p)
{
	for (uint32_t k = 0; k < p->kernels; k++) {
		if (p->kernel[k].goal >= 0)
			p->kernel[k].adjusted = adjusted_goal(p, &p->kernel[k]);
	}
	for (uint32_t k = 0; k < p->kernels; k++) {
		if (p->kernel[k].goal < 0)
			p->kernel[k].adjusted = adjusted_without_goal(p, &p->kernel[k]);
		p->kernel[k].row.adjusted_goal = p->kernel[k].adjusted;
	}
}

/* ---- quotas ---- */

/* The quota on one SM. */
static int64_t quota_of(const struct plain *p, uint32_t kernel, uint32_t sm)
{
	int64_t total = 0, here = plain_blocks_on(p, sm, kernel);
	for (uint32_t i = 0; i < p->sms; i++)
		total += plain_blocks_on(p, i, kernel);
	int128 quota = (int128)p->kernel[kernel].adjusted * p->options->epoch / MILLION;
	if (total == 0)
		return 1;
	quota = quota * here / total;
	return quota > 1 ? (int64_t)quota : 1;
}

void plain_set_quotas(struct plain *p)
{
	adjust_goals(p);
	for (uint32_t i = 0; i < p->sms; i++) {
		for (uint32_t k = 0; k < p->kernels; k++) {
			int64_t *c = &p->sm[i].counter[k], quota = quota_of(p, k, i);
			bool keeps = rolls_over(p) && p->kernel[k].goal >= 0 && *c > 0;
			*c = keeps ? *c + quota : quota;
			p->sm[i].quota[k].quota = quota;
			p->sm[i].quota[k].counter_start = *c;
		}
	}
}

/* ---- in between ---- */

static void add(struct plain *p, uint32_t sm, uint32_t kernel)
{
	struct warp_epoch_quota *row = &p->sm[sm].quota[kernel];
	p->sm[sm].counter[kernel] += row->quota;
	row->added += row->quota;
	p->out->counts.added++;
}

static bool is_here(const struct plain *p, uint32_t sm, uint32_t kernel)
{
	return plain_blocks_on(p, sm, kernel) > 0;
}

/* Does a kernel on this SM (only those with a goal, or any) have C > 0? */
static bool one_has_quota(const struct plain *p, uint32_t sm, bool only_with_goal)
{
	for (uint32_t k = 0; k < p->kernels; k++) {
		if (only_with_goal && p->kernel[k].goal < 0)
			continue;
		if (is_here(p, sm, k) && p->sm[sm].counter[k] > 0)
			return true;
	}
	return false;
}

static void look_elastic(struct plain *p, uint32_t sm)
{
	bool anyone = false;
	for (uint32_t k = 0; k < p->kernels; k++)
		anyone = anyone || is_here(p, sm, k);
	while (anyone && !one_has_quota(p, sm, false)) {
		for (uint32_t k = 0; k < p->kernels; k++) {
			if (is_here(p, sm, k))
				add(p, sm, k);
		}
	}
}

static void look_naive(struct plain *p, uint32_t sm)
{
	if (one_has_quota(p, sm, true))
		return;
	for (uint32_t k = 0; k < p->kernels; k++) {
		while (p->kernel[k].goal < 0 && is_here(p, sm, k) && p->sm[sm].counter[k] <= 0)
			add(p, sm, k);
	}
}

void plain_look(struct plain *p, uint32_t sm)
{
	if (!plain_has_quotas(p))
		return;
	if (p->manager == MANAGER_ELASTIC)
		look_elastic(p, sm);
	else
		look_naive(p, sm);
}

bool plain_lets(const struct plain *p, uint32_t sm, uint32_t kernel)
{
	if (!plain_has_quotas(p))
		return true;
	if (p->c - p->epoch_start < p->options->epoch_cost)
		return false;
	if (p->sm[sm].counter[kernel] <= 0)
		return false;
	if (p->manager != MANAGER_ROLLOVER_TIME || p->kernel[kernel].goal >= 0)
		return true;
	return !one_has_quota(p, sm, true);
}
