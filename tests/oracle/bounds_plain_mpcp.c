/* tests/oracle/bounds_plain_mpcp.c - see tests/oracle/bounds_plain_mpcp.h. Each function is one line of the
 * theory:
 *
 *   n_h,u(t) = ceil((t + R_h - G_h,u) / T_h)
 *   Bq_i = longest lower G + sum of n_h,u(Bq_i) G_h,u
 *   request: eta_i Bq_i;  job: sum of n_h,u(R_i) G_h,u + LP
 *   hybrid: sum of min(n_h,u(R_i), eta_i n_h,u(Bq_i)) G_h,u + LP
 *   LP: the eta_i longest lower sections, one of l at most ceil((R_i + D_l) / T_l) times if l meets D_l
 *   R_i = C_i + G_i + waiting + sum of ceil((R_i + R_h - C_h) / T_h) C_h
 *   busy: R_i = C_i + G_i + longest lower stretch + sum of ceil(R_i / T_h) (C_h + G_h) */
#include "tests/oracle/bounds_plain_mpcp.h"

#define BEYOND 1000

struct digest {
	int64_t cpu, gpu; /* C, G */
	int64_t section[PLAIN_MPCP_SEGMENTS];
	int eta;
	int64_t stretch; /* the longest stretch of sections without certain CPU time between them */
	bool computes;   /* some CPU time is certain */
	bool begins_on_gpu;
};

struct plain {
	const struct plain_mpcp_set *set;
	struct plain_mpcp how;
	struct digest of[PLAIN_MPCP_TASKS];
	bool lower_meet;
	int64_t end[PLAIN_MPCP_TASKS]; /* R_h, or the D_h that is assumed */
	int64_t request[PLAIN_MPCP_TASKS];
};

static int64_t up(int64_t a, int64_t b)
{
	int64_t n = 0;
	while (n * b < a)
		n++;
	return n;
}

static struct digest read_task(const struct plain_mpcp_task *t)
{
	struct digest d = {0};
	int64_t section = 0, stretch = 0;
	for (int j = 0; j <= t->count; j++) {
		const struct plain_mpcp_segment *s = &t->segment[j];
		bool over = j == t->count || s->cpu;
		if (!over) {
			section += s->hi;
			continue;
		}
		if (section > 0) {
			d.section[d.eta++] = section;
			d.gpu += section;
			stretch += section;
			d.begins_on_gpu |= !d.computes;
		}
		section = 0;
		if (stretch > d.stretch)
			d.stretch = stretch;
		if (j == t->count)
			break;
		d.cpu += s->hi;
		if (s->lo > 0) {
			d.computes = true;
			stretch = 0;
		}
	}
	return d;
}

static int64_t n(const struct plain *p, int h, int u, int64_t t)
{
	int64_t part = p->how.paper_jitter ? p->of[h].cpu : p->of[h].section[u];
	return up(t + p->end[h] - part, p->set->task[h].period);
}

/* A section that arrives at the very instant at which the window ends goes first. If the job also takes time
 * on the core, n(t) has counted that section already. */
static int64_t n_request(const struct plain *p, int h, int u, int64_t t)
{
	return n(p, h, u, p->of[h].computes ? t : t + 1);
}

/* Each GPU has a mutex. */
static bool same_mutex(const struct plain *p, int a, int b)
{
	return p->set->task[a].gpu == p->set->task[b].gpu;
}

static int64_t longest_lower(const struct plain *p, int i)
{
	int64_t most = 0;
	for (int l = i + 1; l < p->set->count; l++)
		for (int u = 0; u < p->of[l].eta; u++)
			if (same_mutex(p, i, l) && p->of[l].section[u] > most)
				most = p->of[l].section[u];
	return most;
}

static int64_t one_request(const struct plain *p, int i)
{
	for (int64_t t = 1; t <= p->set->task[i].period + BEYOND; t++) {
		int64_t sum = longest_lower(p, i);
		for (int h = 0; h < i; h++)
			for (int u = 0; u < p->of[h].eta; u++)
				sum += same_mutex(p, i, h) ? n_request(p, h, u, t) * p->of[h].section[u] : 0;
		if (sum <= t)
			return sum;
	}
	return PLAIN_MPCP_NONE;
}

/* Takes the longest section not yet taken, again and again. */
static int64_t lower_sections(const struct plain *p, int i, int64_t t)
{
	bool seen[PLAIN_MPCP_TASKS][PLAIN_MPCP_SEGMENTS] = {{false}};
	int64_t sum = 0, left = p->of[i].eta;
	for (;;) {
		int best_l = -1, best_u = -1;
		for (int l = i + 1; l < p->set->count; l++)
			for (int u = 0; u < p->of[l].eta; u++)
				if (!seen[l][u] && same_mutex(p, i, l) &&
					(best_l < 0 || p->of[l].section[u] > p->of[best_l].section[best_u])) {
					best_l = l;
					best_u = u;
				}
		if (best_l < 0 || left == 0)
			return sum;
		seen[best_l][best_u] = true;
		const struct plain_mpcp_task *lower = &p->set->task[best_l];
		int64_t uses = p->lower_meet ? up(t + lower->deadline, lower->period) : left;
		if (uses > left)
			uses = left;
		left -= uses;
		sum += uses * p->of[best_l].section[best_u];
	}
}

static int64_t waiting(const struct plain *p, int i, int64_t t)
{
	int64_t eta = p->of[i].eta, bq = p->request[i], sum = 0;
	if (eta == 0)
		return 0;
	if (p->how.method == PLAIN_MPCP_REQUEST)
		return eta * bq;
	for (int h = 0; h < i; h++)
		for (int u = 0; u < p->of[h].eta; u++) {
			int64_t count = same_mutex(p, i, h) ? n(p, h, u, t) : 0;
			if (p->how.method == PLAIN_MPCP_HYBRID && bq != PLAIN_MPCP_NONE &&
				eta * n_request(p, h, u, bq) < count)
				count = eta * n_request(p, h, u, bq);
			sum += count * p->of[h].section[u];
		}
	return sum + lower_sections(p, i, t);
}

static int64_t right_side(const struct plain *p, int i, int64_t t)
{
	int64_t sum = p->of[i].cpu + p->of[i].gpu;
	if (p->how.method == PLAIN_MPCP_BUSY) {
		int64_t most = 0;
		for (int l = i + 1; l < p->set->count; l++)
			if (p->of[l].stretch > most)
				most = p->of[l].stretch;
		for (int h = 0; h < i; h++)
			sum += up(t, p->set->task[h].period) * (p->of[h].cpu + p->of[h].gpu);
		return sum + most;
	}
	for (int h = 0; h < i; h++)
		if (p->set->task[h].core == p->set->task[i].core)
			sum += up(t + p->end[h] - p->of[h].cpu, p->set->task[h].period) * p->of[h].cpu;
	return sum + waiting(p, i, t);
}

static int64_t solve(struct plain *p, int i)
{
	p->request[i] = p->how.method == PLAIN_MPCP_BUSY ? 0 : one_request(p, i);
	if (p->how.method == PLAIN_MPCP_REQUEST && p->of[i].eta > 0 && p->request[i] == PLAIN_MPCP_NONE)
		return PLAIN_MPCP_NONE;
	for (int64_t t = 0; t <= p->set->task[i].period + BEYOND; t++)
		if (t >= p->of[i].cpu + p->of[i].gpu && right_side(p, i, t) <= t)
			return t;
	return PLAIN_MPCP_NONE;
}

/* Bit k: task k and task i use a core or a GPU that both use, or others that use what others use, and so on.
 */
static uint32_t linked_to(const struct plain *p, int i)
{
	const struct plain_mpcp_task *t = p->set->task;
	uint32_t linked = 1u << i, before = 0;
	while (linked != before) {
		before = linked;
		for (int a = 0; a < p->set->count; a++)
			for (int b = 0; b < p->set->count; b++) {
				bool cpu[2] = {false}, gpu[2] = {false};
				for (int j = 0; j < t[a].count; j++)
					*(t[a].segment[j].cpu ? &cpu[0] : &gpu[0]) = true;
				for (int j = 0; j < t[b].count; j++)
					*(t[b].segment[j].cpu ? &cpu[1] : &gpu[1]) = true;
				bool core = (cpu[0] && cpu[1]) || p->how.method == PLAIN_MPCP_BUSY;
				if ((linked >> a & 1) && ((core && t[a].core == t[b].core) ||
								 (gpu[0] && gpu[1] && t[a].gpu == t[b].gpu)))
					linked |= 1u << b;
			}
	}
	return linked;
}

static int all(struct plain *p, struct plain_mpcp_bound *bound)
{
	int accepted = p->set->count;
	uint32_t assumed = 0;
	for (int i = 0; i < p->set->count; i++)
		bound[i] = (struct plain_mpcp_bound){.reached = false};
	for (int i = 0; i < p->set->count; i++) {
		const struct plain_mpcp_task *t = &p->set->task[i];
		p->end[i] = solve(p, i);
		bound[i] = (struct plain_mpcp_bound){true, p->end[i], assumed & linked_to(p, i)};
		if (p->end[i] > t->deadline && i < accepted)
			accepted = i;
		if (p->end[i] <= t->period || p->how.method == PLAIN_MPCP_BUSY)
			continue;
		if (p->of[i].cpu + p->of[i].gpu > t->deadline)
			break;
		p->end[i] = t->deadline;
		assumed |= 1u << i;
	}
	return accepted;
}

int plain_mpcp(const struct plain_mpcp_set *set, struct plain_mpcp how, struct plain_mpcp_bound *bound)
{
	struct plain p = {.set = set, .how = how, .lower_meet = true};
	if (how.paper_jitter && set->gpus > 1)
		return -1;
	for (int i = 0; i < set->count; i++) {
		p.of[i] = read_task(&set->task[i]);
		if (how.method == PLAIN_MPCP_BUSY && p.of[i].begins_on_gpu)
			return -1;
		if ((how.method == PLAIN_MPCP_BUSY || how.paper_jitter) &&
			set->task[i].core != set->task[0].core)
			return -1;
	}
	if (all(&p, bound) < set->count)
		p.lower_meet = false;
	return all(&p, bound);
}
