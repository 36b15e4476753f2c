/* tests/oracle/analysis_plain.c - see tests/oracle/analysis_plain.h. RTGPU's Lemmas 5.1-5.5 and Theorem 5.6
 * by the papers' indices; two engines, start-time form, arrival order and STGM as in docs/policies.md. */
#include "tests/oracle/analysis_plain.h"

#include <string.h>

/* How far beyond its deadline (RTGPU: its period) a task's fixed points are searched. */
#define BEYOND 1000

__extension__ typedef __int128 wide;

static int64_t up(int64_t a, int64_t b)
{
	return (a + b - 1) / b;
}

static int copies_of(const struct plain_task *t)
{
	return t->one_copy ? t->m - 1 : 2 * t->m - 2;
}

/* ---- RTGPU ---- */

struct shape {
	int64_t gr_lo[PLAIN_SUBTASKS], gr_hi[PLAIN_SUBTASKS];
	int64_t end; /* a job ends so long after its release, as lower tasks see it */
};

static void worst_ratio(const struct plain_set *set, int64_t *p, int64_t *q)
{
	*p = *q = 1;
	for (int i = 0; i < set->count; i++)
		for (int j = 0; j < set->task[i].m - 1; j++) {
			const struct plain_kernel *k = &set->task[i].kernel[j];
			if (k->blocks == 0 && k->numerator * *q > *p * k->denominator) {
				*p = k->numerator;
				*q = k->denominator;
			}
		}
}

/* Blocks one after the other on v places, each on the one that is free first. */
static int64_t one_by_one(const int64_t *lengths, int64_t blocks, int v)
{
	int64_t free_at[PLAIN_BLOCKS] = {0}, latest = 0;
	int places = v < blocks ? v : (int)blocks;
	for (int64_t b = 0; b < blocks; b++) {
		int first = 0;
		for (int i = 1; i < places; i++)
			first = free_at[i] < free_at[first] ? i : first;
		free_at[first] += lengths[b];
		latest = free_at[first] > latest ? free_at[first] : latest;
	}
	return latest;
}

static void kernel_times(const struct plain_set *set, const struct plain_rtgpu *how,
	const struct plain_task *t, int v, struct shape *s)
{
	for (int j = 0; j < t->m - 1; j++) {
		const struct plain_kernel *k = &t->kernel[j];
		int64_t p = k->numerator, q = k->denominator;
		if (how->step != set->virtual_sms)
			worst_ratio(set, &p, &q);
		if (set->virtual_sms == 1)
			p = q = 1;
		if (k->uneven) {
			s->gr_lo[j] = one_by_one(k->of_lo, k->blocks, v);
			s->gr_hi[j] = one_by_one(k->of_hi, k->blocks, v);
			continue;
		}
		if (k->blocks) {
			s->gr_lo[j] = up(k->blocks, v) * k->lo;
			s->gr_hi[j] = up(k->blocks, v) * k->hi;
			continue;
		}
		/* (GW alpha - GL) / V + GL over the denominator q V. */
		int64_t top = k->hi * p - k->overhead * q + k->overhead * q * v;
		s->gr_lo[j] = k->lo / v;
		s->gr_hi[j] = up(top, q * v);
		if (s->gr_hi[j] < up(k->lo, v))
			s->gr_hi[j] = up(k->lo, v);
		s->gr_lo[j] += set->pin;
		s->gr_hi[j] += set->pin;
	}
}

static int64_t sum_from(const int64_t *a, int from, int to)
{
	int64_t sum = 0;
	for (int i = from; i <= to; i++)
		sum += a[i];
	return sum;
}

/* MS of Lemma 5.2 with one engine. */
static int64_t bus_gap(const struct plain_task *t, const struct shape *s, int64_t late, int j)
{
	int m = t->m, n = copies_of(t), r = j % n;
	if (t->one_copy) {
		if (r != n - 1)
			return s->gr_lo[r] + t->cl_lo[r + 1];
		if (j == n - 1)
			return late + s->gr_lo[m - 2] + t->cl_lo[m - 1] + t->cl_lo[0];
		return t->period - sum_from(t->ml_hi, 0, n - 1) - sum_from(s->gr_lo, 0, m - 3) -
		       sum_from(t->cl_lo, 1, m - 2);
	}
	if (r % 2 == 0)
		return s->gr_lo[r / 2];
	if (r != n - 1)
		return t->cl_lo[(r + 1) / 2];
	if (j == n - 1)
		return late + t->cl_lo[m - 1] + t->cl_lo[0];
	return t->period - sum_from(t->ml_hi, 0, n - 1) - sum_from(t->cl_lo, 1, m - 2) -
	       sum_from(s->gr_lo, 0, m - 2);
}

/* The same with one engine per direction; segments 0 .. m - 2. */
static int64_t to_gpu_gap(const struct plain_task *t, const struct shape *s, int64_t late, int j)
{
	int m = t->m, n = m - 1, r = j % n;
	if (r != n - 1)
		return s->gr_lo[r] + t->ml_lo[2 * r + 1] + t->cl_lo[r + 1];
	if (j == n - 1)
		return late + s->gr_lo[m - 2] + t->ml_lo[2 * m - 3] + t->cl_lo[m - 1] + t->cl_lo[0];
	int64_t gap = t->period;
	for (int i = 0; i < n; i++)
		gap -= t->ml_hi[2 * i] +
		       (i < n - 1 ? s->gr_lo[i] + t->ml_lo[2 * i + 1] + t->cl_lo[i + 1] : 0);
	return gap;
}

static int64_t to_cpu_gap(const struct plain_task *t, const struct shape *s, int64_t late, int j)
{
	int m = t->m, n = m - 1, r = j % n;
	if (r != n - 1)
		return t->cl_lo[r + 1] + t->ml_lo[2 * r + 2] + s->gr_lo[r + 1];
	if (j == n - 1)
		return late + t->cl_lo[m - 1] + t->cl_lo[0] + t->ml_lo[0] + s->gr_lo[0];
	int64_t gap = t->period;
	for (int i = 0; i < n; i++)
		gap -= t->ml_hi[2 * i + 1] +
		       (i < n - 1 ? t->cl_lo[i + 1] + t->ml_lo[2 * i + 2] + s->gr_lo[i + 1] : 0);
	return gap;
}

/* CS of Lemma 5.4. */
static int64_t cpu_gap(const struct plain_task *t, const struct shape *s, int64_t late, int j)
{
	int m = t->m, r = j % m;
	if (r != m - 1)
		return t->one_copy ? t->ml_lo[r] + s->gr_lo[r]
				   : t->ml_lo[2 * r] + s->gr_lo[r] + t->ml_lo[2 * r + 1];
	if (j == m - 1)
		return late;
	return t->period - sum_from(t->cl_hi, 0, m - 1) - sum_from(t->ml_lo, 0, copies_of(t) - 1) -
	       sum_from(s->gr_lo, 0, m - 2);
}

enum where { CPU, BUS, TO_GPU, TO_CPU };

static int length_count(const struct plain_task *t, enum where where)
{
	if (where == CPU)
		return t->m;
	if (where == BUS)
		return copies_of(t);
	return t->one_copy && where == TO_CPU ? 0 : t->m - 1;
}

static int64_t length_of(const struct plain_task *t, enum where where, int r)
{
	if (where == CPU)
		return t->cl_hi[r];
	if (where == BUS || t->one_copy)
		return t->ml_hi[r];
	return t->ml_hi[where == TO_GPU ? 2 * r : 2 * r + 1];
}

static int64_t gap_of(
	const struct plain_task *t, const struct shape *s, int64_t late, enum where where, int j)
{
	if (where == CPU)
		return cpu_gap(t, s, late, j);
	if (where == BUS || t->one_copy)
		return bus_gap(t, s, late, j);
	return where == TO_GPU ? to_gpu_gap(t, s, late, j) : to_cpu_gap(t, s, late, j);
}

static int64_t workload(
	const struct plain_task *t, const struct shape *s, int64_t late, enum where where, int64_t x)
{
	int n = length_count(t, where);
	int64_t most = 0;
	for (int h = 0; h < n; h++) {
		int64_t work = 0, used = 0;
		int j = h;
		while (used + length_of(t, where, j % n) + gap_of(t, s, late, where, j) <= x) {
			work += length_of(t, where, j % n);
			used += length_of(t, where, j % n) + gap_of(t, s, late, where, j);
			j++;
		}
		int64_t part = length_of(t, where, j % n);
		work += part < x - used ? part : x - used;
		most = work > most ? work : most;
	}
	return most;
}

struct analysis {
	const struct plain_set *set;
	const struct plain_rtgpu *how;
	struct shape shape[PLAIN_TASKS];
};

static int64_t higher(const struct analysis *a, int k, enum where where, int64_t x)
{
	int64_t sum = 0;
	for (int i = 0; i < k; i++) {
		const struct plain_task *t = &a->set->task[i];
		if (where == CPU && t->core != a->set->task[k].core)
			continue;
		sum += workload(t, &a->shape[i], t->period - a->shape[i].end, where, x);
	}
	return sum;
}

/* The least x with x = constant + the time of what is above in x + ahead. */
static int64_t least(const struct analysis *a, int k, enum where where, int64_t constant, int64_t ahead)
{
	if (constant == PLAIN_NONE)
		return PLAIN_NONE;
	for (int64_t x = constant; x <= a->set->task[k].period + BEYOND;) {
		int64_t next = constant + higher(a, k, where, x + ahead);
		if (next <= x)
			return x;
		x = next;
	}
	return PLAIN_NONE;
}

static enum where engine_of(const struct plain_set *set, const struct plain_task *t, int j)
{
	if (set->engines != 2)
		return BUS;
	return !t->one_copy && j % 2 ? TO_CPU : TO_GPU;
}

static int64_t longest_copy(const struct plain_set *set, int i, enum where where)
{
	int64_t most = 0;
	for (int r = 0; r < length_count(&set->task[i], where); r++)
		if (length_of(&set->task[i], where, r) > most)
			most = length_of(&set->task[i], where, r);
	return most;
}

static int64_t copy_response(const struct analysis *a, int k, int j)
{
	const struct plain_set *set = a->set;
	const struct plain_task *t = &set->task[k];
	enum where where = engine_of(set, t, j);
	int64_t lower = 0, all = 0, found;
	if (set->engines == 0 || t->ml_hi[j] == 0)
		return t->ml_hi[j];
	for (int i = 0; i < set->count; i++) {
		int64_t copy = longest_copy(set, i, where);
		all += i != k ? copy : 0;
		lower = i > k && copy > lower ? copy : lower;
	}
	if (a->how->fifo)
		return t->ml_hi[j] + all;
	if (!a->how->start_time)
		return least(a, k, where, t->ml_hi[j] + lower, 0);
	found = least(a, k, where, lower, 1);
	return found == PLAIN_NONE ? found : found + t->ml_hi[j];
}

static int64_t add(int64_t a, int64_t b)
{
	return a == PLAIN_NONE || b == PLAIN_NONE ? PLAIN_NONE : a + b;
}

static int64_t response_of(const struct analysis *a, int k)
{
	const struct plain_task *t = &a->set->task[k];
	int64_t others = sum_from(a->shape[k].gr_hi, 0, t->m - 2), cpu = 0;
	for (int j = 0; j < copies_of(t); j++)
		others = add(others, copy_response(a, k, j));
	for (int j = 0; j < t->m; j++)
		cpu = add(cpu, least(a, k, CPU, t->cl_hi[j], 0));
	int64_t r1 = add(others, cpu), r2 = least(a, k, CPU, add(others, sum_from(t->cl_hi, 0, t->m - 1)), 0);
	return r1 < r2 ? r1 : r2;
}

/* Whether both tasks use the core; or an engine whose copies go by priority. */
static bool meet(const struct analysis *a, int h, int k)
{
	const struct plain_task *x = &a->set->task[h], *y = &a->set->task[k];
	if (x->core == y->core && sum_from(x->cl_hi, 0, x->m - 1) > 0 && sum_from(y->cl_hi, 0, y->m - 1) > 0)
		return true;
	for (int i = 0; i < copies_of(x) && a->set->engines && !a->how->fifo; i++)
		for (int j = 0; j < copies_of(y); j++)
			if (x->ml_hi[i] && y->ml_hi[j] && engine_of(a->set, x, i) == engine_of(a->set, y, j))
				return true;
	return false;
}

/* What the tasks below see of task k. False: nothing, it takes longer than its deadline even alone. */
static bool set_end(struct analysis *a, int k, int64_t response, uint32_t *assumed)
{
	const struct plain_task *t = &a->set->task[k];
	struct shape *s = &a->shape[k];
	int64_t own = sum_from(t->cl_hi, 0, t->m - 1) + sum_from(t->ml_hi, 0, copies_of(t) - 1) +
		      sum_from(s->gr_hi, 0, t->m - 2);
	bool late = response > t->deadline, no_bound = response > t->period;
	s->end = (late || a->how->response_gaps) && !no_bound ? response : t->deadline;
	if (no_bound)
		*assumed |= 1u << k;
	return !no_bound || own <= t->deadline;
}

int plain_rtgpu(
	const struct plain_set *set, const struct plain_rtgpu *how, const int *v, struct plain_bound *bound)
{
	struct analysis a = {.set = set, .how = how};
	int accepted = set->count;
	uint32_t assumed = 0;
	memset(bound, 0, PLAIN_TASKS * sizeof(*bound));
	for (int k = 0; k < set->count; k++) {
		kernel_times(set, how, &set->task[k], v[k], &a.shape[k]);
		bound[k].reached = true;
		bound[k].response = response_of(&a, k);
		for (int h = 0; h < k; h++)
			if ((assumed >> h & 1 || bound[h].rests_on) && meet(&a, h, k))
				bound[k].rests_on = assumed;
		if (bound[k].response > set->task[k].deadline && k < accepted)
			accepted = k;
		if (!set_end(&a, k, bound[k].response, &assumed))
			break;
	}
	return accepted;
}

static bool grid(const struct plain_set *set, const struct plain_rtgpu *how, int k, int left, int *v)
{
	struct plain_bound bound[PLAIN_TASKS];
	if (k == set->count)
		return plain_rtgpu(set, how, v, bound) == set->count;
	if (set->task[k].m == 1) {
		v[k] = 0;
		return grid(set, how, k + 1, left, v);
	}
	for (int give = how->step; give <= left; give += how->step) {
		v[k] = give;
		if (grid(set, how, k + 1, left - give, v))
			return true;
	}
	return false;
}

bool plain_rtgpu_grid(const struct plain_set *set, const struct plain_rtgpu *how, int *v)
{
	return grid(set, how, 0, set->sms * set->virtual_sms, v);
}

/* ---- STGM ---- */

static int64_t on_sms(const struct plain_set *set, const struct plain_task *t, int sms)
{
	struct shape s;
	struct plain_rtgpu how = {.step = set->virtual_sms};
	int64_t sum = 0;
	kernel_times(set, &how, t, sms * set->virtual_sms, &s);
	for (int j = 0; j < t->m - 1; j++) {
		/* Only virtual SMs limit the blocks, and on whole SMs blocks take none: all run at once. */
		sum += t->kernel[j].blocks ? t->kernel[j].hi : s.gr_hi[j];
	}
	return sum;
}

static int64_t sections(const struct plain_set *set, const struct plain_task *t, int sms)
{
	return on_sms(set, t, sms) + sum_from(t->ml_hi, 0, copies_of(t) - 1);
}

static int64_t whole(const struct plain_set *set, const struct plain_task *t, int sms)
{
	return sections(set, t, sms) + sum_from(t->cl_hi, 0, t->m - 1);
}

/* The common denominator of sums over the tasks. */
static int64_t product_of_periods(const struct plain_set *set)
{
	int64_t product = 1;
	for (int i = 0; i < set->count; i++)
		product *= set->task[i].period;
	return product;
}

void plain_sm_sets(const struct plain_set *set, bool exclusive, const int *sms, bool on[][PLAIN_SMS])
{
	wide use[PLAIN_SMS] = {0};
	int next = 0;
	memset(on, 0, PLAIN_TASKS * sizeof(on[0]));
	for (int k = 0; k < set->count; k++)
		for (int i = 0; i < sms[k]; i++) {
			int pick = -1;
			if (exclusive)
				pick = next++;
			for (int m = 0; m < set->sms && !exclusive; m++)
				if (!on[k][m] && (pick < 0 || use[m] < use[pick]))
					pick = m;
			on[k][pick] = true;
			if (i == sms[k] - 1)
				for (int m = 0; m < set->sms; m++)
					use[m] += on[k][m] ? (wide)sections(set, &set->task[k], sms[k]) *
								     (product_of_periods(set) /
									     set->task[k].period)
							   : 0;
		}
}

/* The weight of one GPU section of a lower task, j = 0 .. m - 2, as far as it blocks task k or a task above
 * it. */
static int64_t section_weight(const struct plain_set *set, const struct plain_stgm *how, const int *sms,
	bool on[][PLAIN_SMS], int k, int lower, int j)
{
	const struct plain_task *t = &set->task[lower];
	bool meets = false, contend = how->blocking != PLAIN_FREE && set->engines != 0;
	for (int i = 0; i <= k; i++)
		for (int m = 0; m < set->sms; m++)
			meets |= on[i][m] && on[lower][m];
	int64_t copies = t->one_copy ? t->ml_hi[j] : t->ml_hi[2 * j] + t->ml_hi[2 * j + 1];
	struct plain_task alone = *t;
	alone.m = 2;
	alone.kernel[0] = t->kernel[j];
	int64_t kernel = meets ? on_sms(set, &alone, sms[lower]) : 0;
	if (how->blocking != PLAIN_TEXTBOOK)
		return kernel + (contend ? copies : 0);
	int64_t one = t->one_copy || t->ml_hi[2 * j] > t->ml_hi[2 * j + 1] ? t->ml_hi[t->one_copy ? j : 2 * j]
									   : t->ml_hi[2 * j + 1];
	one = contend ? one : 0;
	return one > kernel ? one : kernel;
}

/* A job's last section and the next job's first are one section if no CPU segment lies between them. In a
 * task without CPU segments a section never ends. */
static int64_t blocking(const struct plain_set *set, const struct plain_stgm *how, const int *sms,
	bool on[][PLAIN_SMS], int k, int64_t x)
{
	int64_t sum = 0, largest = 0;
	for (int l = k + 1; l < set->count; l++) {
		const struct plain_task *t = &set->task[l];
		int64_t most = 0, total = 0;
		bool any_cpu = sum_from(t->cl_hi, 0, t->m - 1) > 0;
		for (int j = 0; j < t->m - 1; j++) {
			int64_t w = section_weight(set, how, sms, on, k, l, j);
			total += w;
			most = w > most ? w : most;
		}
		largest = most > largest ? most : largest;
		if (!any_cpu) {
			sum += total * (1 + up(x, t->period));
			continue;
		}
		if (t->m > 2 && t->cl_hi[0] == 0 && t->cl_hi[t->m - 1] == 0) {
			int64_t wrapped = section_weight(set, how, sms, on, k, l, t->m - 2) +
					  section_weight(set, how, sms, on, k, l, 0);
			most = wrapped > most ? wrapped : most;
		}
		sum += most;
	}
	return how->blocking == PLAIN_TEXTBOOK ? largest : sum;
}

int plain_stgm(const struct plain_set *set, const struct plain_stgm *how, const int *sms, int64_t *response)
{
	bool on[PLAIN_TASKS][PLAIN_SMS];
	plain_sm_sets(set, how->exclusive, sms, on);
	for (int k = 0; k < set->count; k++) {
		int64_t x = whole(set, &set->task[k], sms[k]), next, far = set->task[k].deadline + BEYOND;
		for (;; x = next) {
			next = whole(set, &set->task[k], sms[k]) + blocking(set, how, sms, on, k, x);
			for (int h = 0; h < k; h++)
				next += up(x, set->task[h].period) * whole(set, &set->task[h], sms[h]);
			if (next <= x || x > far)
				break;
		}
		response[k] = x > far ? PLAIN_NONE : x;
		if (response[k] > set->task[k].deadline)
			return k;
	}
	return set->count;
}

static bool fits(const struct plain_set *set, const int *sms)
{
	wide sum = 0;
	for (int k = 0; k < set->count; k++)
		sum += (wide)sections(set, &set->task[k], sms[k]) *
		       (product_of_periods(set) / set->task[k].period);
	return sum <= product_of_periods(set);
}

bool plain_mean_utilisation_fits(const struct plain_set *set)
{
	wide sum = 0;
	for (int k = 0; k < set->count; k++)
		for (int m = 1; m <= set->sms; m++)
			sum += (wide)sections(set, &set->task[k], m) *
			       (product_of_periods(set) / set->task[k].period);
	return sum <= (wide)product_of_periods(set) * set->sms;
}

bool plain_stgm_allocate(
	const struct plain_set *set, const struct plain_stgm *how, bool utilisation, int *sms)
{
	int64_t response[PLAIN_TASKS];
	for (int k = 0; k < set->count; k++) {
		const struct plain_task *t = &set->task[k];
		for (sms[k] = t->m > 1; sms[k] > 0 && whole(set, t, sms[k]) > t->deadline;)
			if (++sms[k] > set->sms)
				return false;
	}
	for (;;) {
		int total = 0, best = -1;
		for (int k = 0; k < set->count; k++)
			total += sms[k];
		if (how->exclusive && total > set->sms)
			return false;
		if (utilisation ? fits(set, sms) : plain_stgm(set, how, sms, response) == set->count)
			return true;
		int64_t gain = 0, period = 1;
		for (int k = 0; k < set->count; k++) {
			const struct plain_task *t = &set->task[k];
			if (t->m == 1 || sms[k] == set->sms || (how->exclusive && total == set->sms))
				continue;
			int64_t now = on_sms(set, t, sms[k]) - on_sms(set, t, sms[k] + 1);
			if (now * period > gain * t->period) {
				best = k;
				gain = now;
				period = t->period;
			}
		}
		if (best < 0)
			return false;
		sms[best]++;
	}
}
