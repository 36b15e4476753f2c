/* tests/oracle/bounds_plain_gcaps.c - see tests/oracle/bounds_plain_gcaps.h. */
#include "tests/oracle/bounds_plain_gcaps.h"

enum { UNKNOWN = -1 };

struct plain {
	const struct plain_gcaps_set *set;
	bool separate;
	int64_t response[PLAIN_GCAPS_TASKS]; /* UNKNOWN: not asked for yet */
};

static int64_t respond(struct plain *p, int i);

static const struct plain_gcaps_task *of(const struct plain *p, int i)
{
	return &p->set->task[i];
}

static int64_t eta(const struct plain *p, int i)
{
	int count = 0;
	for (int j = 0; j < PLAIN_GCAPS_SECTIONS; j++)
		count += of(p, i)->section[j] > 0;
	return count;
}

static int64_t gpu(const struct plain *p, int i)
{
	int64_t sum = 0;
	for (int j = 0; j < PLAIN_GCAPS_SECTIONS; j++)
		sum += of(p, i)->section[j];
	return sum;
}

static int64_t any_call(const struct plain *p)
{
	return p->set->update > p->set->call ? p->set->update : p->set->call;
}

static bool hpp(const struct plain *p, int h, int i)
{
	return h < i && of(p, h)->core == of(p, i)->core;
}

static bool lpp(const struct plain *p, int l, int i)
{
	return hpp(p, i, l) && eta(p, l) > 0;
}

/* The task whose place counts for i; -1: none. */
static int guide(const struct plain *p, int i)
{
	int guide = eta(p, i) > 0 ? i : -1;
	if (guide < 0 && p->set->busy)
		for (int h = 0; h < i; h++)
			guide = hpp(p, h, i) && eta(p, h) > 0 ? h : guide;
	return guide;
}

static bool hg(const struct plain *p, int h, int i)
{
	int g = guide(p, i);
	return g >= 0 && eta(p, h) > 0 && of(p, h)->place < of(p, g)->place;
}

static bool lg(const struct plain *p, int l, int i)
{
	int g = guide(p, i);
	return g >= 0 && eta(p, l) > 0 && of(p, l)->place > of(p, g)->place;
}

static int64_t claim(struct plain *p, int h)
{
	if (p->set->deadlines)
		return of(p, h)->deadline;
	int64_t r = respond(p, h);
	return r > of(p, h)->period || (p->set->paper && p->separate) ? of(p, h)->deadline : r;
}

/* Jobs that a window can meet if the first comes so late. */
static int64_t jobs(const struct plain *p, int h, int64_t late, int64_t window)
{
	int64_t count = 0;
	for (int64_t at = late > 0 ? -late : 0; at < window; at += of(p, h)->period)
		count++;
	return count;
}

static int64_t work(struct plain *p, int h, int64_t part, int64_t window)
{
	int64_t end = claim(p, h);
	part = part > end ? end : part;
	return part * jobs(p, h, end - part, window);
}

static int64_t at_gpu(const struct plain *p, int o)
{
	return gpu(p, o) + 2 * eta(p, o) * any_call(p);
}

/* ---- ours ---- */

static int64_t computing(struct plain *p, int o, int64_t window)
{
	int64_t sum = 0;
	for (int k = 0; k < o; k++)
		sum += hpp(p, k, o) ? work(p, k, of(p, k)->cpu, window) : 0;
	return sum;
}

/* The computing of others in the tails of a job of o. */
static int64_t tails(struct plain *p, int o)
{
	int64_t all = computing(p, o, claim(p, o));
	for (int64_t w = 0; !p->set->busy && w < claim(p, o); w++) {
		int64_t need = 0;
		for (int l = 0; l < p->set->count; l++)
			need += lpp(p, l, o) ? p->set->call : 0;
		for (int k = 0; k < o; k++)
			if (hpp(p, k, o))
				need += work(p, k, of(p, k)->cpu + 2 * eta(p, k) * any_call(p), w + 1);
		if (need > w)
			continue;
		int64_t each = eta(p, o) * computing(p, o, w + 1);
		return each < all ? each : all;
	}
	return all;
}

static int64_t lower_calls(struct plain *p, int i, int64_t x)
{
	int64_t behind = 0, sections = eta(p, i), in_tails = 0, call = p->set->call, sum = 0;
	for (int l = 0; l < p->set->count; l++) {
		behind += lg(p, l, i);
		if (lpp(p, l, i))
			sum += any_call(p) + eta(p, i) * (any_call(p) + call);
	}
	sum += behind > 0 ? eta(p, i) * (any_call(p) + call) : 0;
	for (int h = 0; p->set->busy && h < i; h++)
		if (hpp(p, h, i))
			sections += eta(p, h) * jobs(p, h, claim(p, h), x);
	for (int o = 0; o < p->set->count; o++) {
		int64_t calls = behind > 0;
		if (!hg(p, o, i))
			continue;
		for (int l = 0; l < p->set->count; l++)
			calls += lpp(p, l, o) && lg(p, l, i);
		in_tails += calls * eta(p, o) * jobs(p, o, claim(p, o), x);
	}
	return sum + call * (in_tails < 2 * behind * sections ? in_tails : 2 * behind * sections);
}

static int64_t safe(struct plain *p, int i, int64_t x)
{
	bool on_gpu = eta(p, i) > 0 || p->set->busy;
	int64_t sum = of(p, i)->cpu + at_gpu(p, i) + lower_calls(p, i, x);
	for (int h = 0; h < i; h++)
		if (hpp(p, h, i))
			sum += work(p, h,
				of(p, h)->cpu + 2 * eta(p, h) * any_call(p) + (on_gpu ? gpu(p, h) : 0), x);
	for (int core = 0; core < PLAIN_GCAPS_TASKS; core++) {
		int64_t together = 0, one_by_one = 0;
		int lowest = -1;
		for (int o = 0; o < p->set->count; o++) {
			if (of(p, o)->core != core || core == of(p, i)->core || !hg(p, o, i))
				continue;
			lowest = o;
			together += work(p, o, at_gpu(p, o), x);
			one_by_one += work(p, o, at_gpu(p, o) + (p->set->update > 0 ? tails(p, o) : 0), x);
		}
		if (lowest >= 0 && p->set->update > 0)
			together += computing(p, lowest, x);
		sum += together < one_by_one ? together : one_by_one;
	}
	return sum;
}

/* ---- the paper's ---- */

static int64_t paper(struct plain *p, int i, int64_t x)
{
	int64_t epsilon = any_call(p), sum = of(p, i)->cpu + at_gpu(p, i) + (eta(p, i) + 1) * epsilon;
	for (int h = 0; h < p->set->count; h++) {
		const struct plain_gcaps_task *t = of(p, h);
		bool higher = eta(p, i) > 0 ? hg(p, h, i) : p->set->busy && h < i && eta(p, h) > 0;
		if (hpp(p, h, i) && p->set->busy) {
			sum += jobs(p, h, 0, x) * (t->cpu + at_gpu(p, h));
		} else if (hpp(p, h, i)) {
			int64_t late = eta(p, h) > 0 ? claim(p, h) - t->cpu : 0;
			sum += jobs(p, h, late, x) * (t->cpu + 2 * eta(p, h) * epsilon);
			if (eta(p, i) > 0 && eta(p, h) > 0)
				sum += jobs(p, h, claim(p, h) - gpu(p, h), x) * gpu(p, h);
		} else if (higher && t->core != of(p, i)->core) {
			sum += jobs(p, h, claim(p, h) - gpu(p, h), x) * at_gpu(p, h);
		}
	}
	return sum;
}

static int64_t respond(struct plain *p, int i)
{
	for (int64_t x = 1; p->response[i] == UNKNOWN && x <= PLAIN_GCAPS_LIMIT; x++)
		if ((p->set->paper ? paper(p, i, x) : safe(p, i, x)) <= x)
			p->response[i] = x;
	if (p->response[i] == UNKNOWN)
		p->response[i] = PLAIN_GCAPS_NONE;
	return p->response[i];
}

void plain_gcaps(const struct plain_gcaps_set *set, int64_t response[PLAIN_GCAPS_TASKS])
{
	struct plain p = {.set = set};
	for (int i = 0; i < set->count; i++) {
		p.response[i] = UNKNOWN;
		for (int h = 0; h < i; h++)
			p.separate |=
				eta(&p, i) > 0 && eta(&p, h) > 0 && set->task[h].place > set->task[i].place;
	}
	for (int i = 0; i < set->count; i++)
		response[i] = respond(&p, i);
}
