/* tests/oracle/bounds_plain_suspension.c - see tests/oracle/bounds_plain_suspension.h. Segmented: RTGPU (TPDS
 * 2023), Lemmas 2.1-2.3; baseline: its section 5 with a GPU section for a copy. Dynamic: Bletsas et al. 2018,
 * Liu 2000, Chen, Nelissen, Huang 2016. */
#include "tests/oracle/bounds_plain_suspension.h"

#define NONE PLAIN_SUSPENSION_NONE
#define BEYOND 1000

struct stretch {
	bool gpu;
	int64_t lo, hi;
};

struct plain_job {
	int core;
	int64_t period, deadline;
	int64_t end; /* it ends so long after its release, as lower tasks see it */
	int count;
	struct stretch stretch[PLAIN_SUSPENSION_OPS];
	int64_t cpu, suspended; /* C, S */
	int64_t longest_section;
};

/* The segments of one task on one resource, by their index there. */
struct view {
	int n;
	int64_t length[PLAIN_SUSPENSION_OPS], inner[PLAIN_SUSPENSION_OPS];
	int64_t first, later;
};

struct bench {
	const struct plain_suspension *how;
	int count;
	struct plain_job job[PLAIN_SUSPENSION_TASKS];
	struct view cpu[PLAIN_SUSPENSION_TASKS], gpu[PLAIN_SUSPENSION_TASKS];
};

static int64_t up(int64_t a, int64_t b)
{
	return (a + b - 1) / b;
}

/* ---- Times ---- */

static int64_t at_once(const struct plain_suspension_set *set, const struct plain_suspension_task *t,
	int64_t threads, bool persistent)
{
	int64_t on_one = INT64_C(1) << 40;
	if (set->threads_per_sm)
		on_one = set->threads_per_sm / (up(threads, 32) * 32);
	if ((persistent || t->slots) && on_one > set->virtual_sms)
		on_one = set->virtual_sms;
	return on_one * t->sms;
}

static int64_t rounds(const struct plain_suspension_set *set, const struct plain_suspension_task *t,
	int64_t blocks, int64_t threads, bool persistent)
{
	return up(blocks, at_once(set, t, threads, persistent));
}

/* Blocks one after the other, each on the place that becomes free first. */
static int64_t one_by_one(const int64_t *lengths, int64_t blocks, int64_t places)
{
	int64_t free_at[PLAIN_OP_BLOCKS] = {0}, latest = 0;
	for (int64_t b = 0; b < blocks; b++) {
		int first = 0;
		for (int i = 1; i < places && i < blocks; i++)
			first = free_at[i] < free_at[first] ? i : first;
		free_at[first] += lengths[b];
		latest = free_at[first] > latest ? free_at[first] : latest;
	}
	return latest;
}

static void time_of(const struct plain_suspension_set *set, const struct plain_suspension_task *t,
	const struct plain_op *op, int64_t *lo, int64_t *hi)
{
	int64_t v = (int64_t)t->sms * set->virtual_sms, num = op->numerator, den = op->denominator, times = 1;
	*lo = op->lo;
	*hi = op->hi;
	if (op->kind == PLAIN_OP_GRID && op->uneven) {
		int64_t places = at_once(set, t, op->threads, false);
		*lo = one_by_one(op->of_lo, op->blocks, places);
		*hi = one_by_one(op->of_hi, op->blocks, places);
	} else if (op->kind == PLAIN_OP_GRID)
		times = rounds(set, t, op->blocks, op->threads, false);
	if (op->kind == PLAIN_OP_WORK) {
		if (set->virtual_sms == 1)
			num = den = 1;
		int64_t threads = set->threads_per_sm / set->virtual_sms / 32 * 32;
		times = rounds(set, t, v, threads ? threads : 32, true);
		*lo = up(op->lo, v);
		*hi = up(op->hi * num - op->overhead * den + op->overhead * den * v, den * v);
		*hi = *hi < *lo ? *lo : *hi;
		*lo += set->pin;
		*hi += set->pin;
	}
	*lo *= times;
	*hi *= times;
}

/* Reads CPU segments and sections. What takes no time is left out; but a CPU segment without time still
 * separates two sections. */
static void read_task(
	const struct plain_suspension_set *set, const struct plain_suspension_task *t, struct plain_job *j)
{
	bool open = false;
	*j = (struct plain_job){.core = t->core, .period = t->period, .deadline = t->deadline};
	for (int i = 0; i < t->ops; i++) {
		int64_t lo, hi;
		bool gpu = t->op[i].kind != PLAIN_OP_CPU;
		time_of(set, t, &t->op[i], &lo, &hi);
		if (gpu && open) {
			j->stretch[j->count - 1].lo += lo;
			j->stretch[j->count - 1].hi += hi;
		} else if (hi > 0) {
			j->stretch[j->count++] = (struct stretch){gpu, lo, hi};
		}
		open = gpu && (open || hi > 0);
		*(gpu ? &j->suspended : &j->cpu) += hi;
	}
	for (int i = 0; i < j->count; i++)
		if (j->stretch[i].gpu && j->stretch[i].hi > j->longest_section)
			j->longest_section = j->stretch[i].hi;
}

/* ---- Windows ---- */

static void look(const struct plain_job *j, bool gpu, int64_t last, struct view *v)
{
	int64_t gap = 0, before = 0, whole = 0;
	*v = (struct view){0};
	for (int i = 0; i < j->count; i++) {
		const struct stretch *s = &j->stretch[i];
		if (s->gpu != gpu) {
			gap += s->lo;
			continue;
		}
		if (v->n == 0)
			before = gap;
		else
			v->inner[v->n - 1] = gap;
		whole += s->hi + (v->n ? gap : 0);
		v->length[v->n++] = s->hi;
		gap = 0;
	}
	v->first = j->period - last + gap + before;
	v->later = j->period - whole;
}

static int64_t space(const struct view *v, int j)
{
	if (j % v->n != v->n - 1)
		return v->inner[j % v->n];
	return j == v->n - 1 ? v->first : v->later;
}

static int64_t work(const struct view *v, int h, int64_t t)
{
	int64_t w = 0, x = 0;
	for (int j = h;; j++) {
		int64_t l = v->length[j % v->n];
		if (x + l + space(v, j) > t)
			return w + (l < t - x ? l : t - x);
		w += l;
		x += l + space(v, j);
	}
}

static int64_t most(const struct bench *b, const struct view *views, int k, int64_t t)
{
	int64_t sum = 0;
	for (int i = 0; i < k; i++) {
		int64_t best = 0;
		if (views == b->cpu && b->job[i].core != b->job[k].core)
			continue;
		for (int h = 0; h < views[i].n; h++)
			if (work(&views[i], h, t) > best)
				best = work(&views[i], h, t);
		sum += best;
	}
	return sum;
}

/* The least x with constant + (the work above in x + ahead) <= x. */
static int64_t least(const struct bench *b, const struct view *views, int k, int64_t constant, int64_t ahead)
{
	if (constant == NONE)
		return NONE;
	for (int64_t x = 0; x <= b->job[k].period + BEYOND; x++)
		if (constant + most(b, views, k, x + ahead) <= x)
			return x;
	return NONE;
}

static int64_t add(int64_t a, int64_t b)
{
	return a == NONE || b == NONE ? NONE : a + b;
}

static int64_t section(const struct bench *b, int k, int64_t length)
{
	int64_t lower = 0;
	if (b->how->method == PLAIN_SEGMENTED)
		return length;
	for (int l = k + 1; l < b->count; l++)
		lower = b->job[l].longest_section > lower ? b->job[l].longest_section : lower;
	if (b->how->start_time)
		return add(least(b, b->gpu, k, lower, 1), length);
	return least(b, b->gpu, k, lower + length, 0);
}

static int64_t by_segments(struct bench *b, int k)
{
	const struct plain_job *j = &b->job[k];
	int64_t sections = 0, segments = 0;
	for (int i = 0; i < j->count; i++) {
		const struct stretch *s = &j->stretch[i];
		if (s->gpu)
			sections = add(sections, section(b, k, s->hi));
		else
			segments = add(segments, least(b, b->cpu, k, s->hi, 0));
	}
	int64_t r1 = add(sections, segments), r2 = least(b, b->cpu, k, add(sections, j->cpu), 0);
	return r1 < r2 ? r1 : r2;
}

/* ---- In any pattern ---- */

static int64_t carried(const struct bench *b, int h)
{
	return b->job[h].end - b->job[h].cpu;
}

/* x: the vector of the unifying framework, as bits. */
static int64_t demand(const struct bench *b, int k, int h, uint32_t x, int64_t t)
{
	const struct plain_job *j = &b->job[h];
	int64_t c = j->cpu, s = j->suspended, q = 0;
	for (int l = h; l < k; l++)
		q += x >> l & 1 && b->job[l].core == b->job[k].core ? b->job[l].suspended : 0;
	switch (b->how->method) {
	case PLAIN_BLETSAS:
		return up(t + carried(b, h), j->period) * c;
	case PLAIN_OBLIVIOUS:
		return up(t, j->period) * (c + s);
	case PLAIN_BLOCKING:
		return (c < s ? c : s) + up(t, j->period) * c;
	case PLAIN_UNIFYING:
		return up(t + q + (x >> h & 1 ? 0 : carried(b, h)), j->period) * c;
	default:
		return up(t + s, j->period) * c;
	}
}

static int64_t in_any_pattern(const struct bench *b, int k)
{
	uint32_t vectors = b->how->method == PLAIN_UNIFYING ? 1u << k : 1;
	for (int64_t t = 0; t <= b->job[k].period + BEYOND; t++)
		for (uint32_t x = 0; x < vectors; x++) {
			int64_t sum = b->job[k].cpu + b->job[k].suspended;
			for (int h = 0; h < k; h++)
				if (b->job[h].core == b->job[k].core)
					sum += demand(b, k, h, x, t);
			if (sum <= t)
				return t;
		}
	return NONE;
}

/* Whether both use the core, or wait for the same resource. */
static bool meet(const struct bench *b, int h, int k)
{
	bool gpu = b->how->method == PLAIN_BASELINE && b->job[h].suspended > 0 && b->job[k].suspended > 0;
	return gpu || (b->job[h].core == b->job[k].core && b->job[h].cpu > 0 && b->job[k].cpu > 0);
}

/* Those of the tasks that are assumed to keep their deadlines on which the bound of task k rests. */
static uint32_t rests_on(
	const struct bench *b, int k, uint32_t assumed, const struct plain_suspension_bound *bound)
{
	if (b->how->method != PLAIN_BASELINE && b->how->method != PLAIN_SEGMENTED) {
		for (int h = 0; h < k; h++)
			if (b->job[h].core != b->job[k].core)
				assumed &= ~(1u << h);
		return assumed;
	}
	for (int h = 0; h < k; h++)
		if ((assumed >> h & 1 || bound[h].rests_on) && meet(b, h, k))
			return assumed;
	return 0;
}

/* What the tasks below see of task k. False: nothing, it takes longer than its deadline even alone. */
static bool set_end(struct bench *b, int k, int64_t response, uint32_t *assumed)
{
	struct plain_job *j = &b->job[k];
	bool late = response > j->deadline, no_bound = response > j->period;
	j->end = (late || b->how->response) && !no_bound ? response : j->deadline;
	look(j, false, j->end, &b->cpu[k]);
	look(j, true, j->end, &b->gpu[k]);
	if (!no_bound || b->how->method == PLAIN_OBLIVIOUS)
		return true;
	*assumed |= 1u << k;
	return j->cpu + j->suspended <= j->deadline;
}

int plain_suspension(const struct plain_suspension_set *set, const struct plain_suspension *how,
	struct plain_suspension_bound *bound)
{
	struct bench b = {.how = how, .count = set->count};
	int accepted = set->count;
	uint32_t assumed = 0, given_up = 0; /* cores */
	for (int k = 0; k < set->count; k++) {
		read_task(set, &set->task[k], &b.job[k]);
		bound[k] = (struct plain_suspension_bound){.reached = false};
	}
	for (int k = 0; k < set->count; k++) {
		bool segments = how->method == PLAIN_BASELINE || how->method == PLAIN_SEGMENTED;
		if (given_up >> b.job[k].core & 1) {
			accepted = k < accepted ? k : accepted;
			continue;
		}
		bound[k].reached = true;
		bound[k].response = segments ? by_segments(&b, k) : in_any_pattern(&b, k);
		bound[k].rests_on = rests_on(&b, k, assumed, bound);
		if (bound[k].response > b.job[k].deadline && k < accepted)
			accepted = k;
		if (!set_end(&b, k, bound[k].response, &assumed))
			given_up |= segments ? ~0u : 1u << b.job[k].core;
	}
	return accepted;
}
