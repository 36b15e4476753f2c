/* scenarios/workload/simplex.c - see scenarios/workload/simplex.h, which names the papers. */
#include "scenarios/workload/simplex.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/int128.h"

#define RESCALES_MAX 1000 /* of one starting point of Dirichlet-Rescale */

static int64_t low_of(const struct simplex *s, uint32_t i)
{
	return s->low ? s->low[i] : 0;
}

static int64_t high_of(const struct simplex *s, uint32_t i)
{
	return s->high ? s->high[i] : s->sum;
}

static bool feasible(const struct simplex *s, struct error *err)
{
	int128 low = 0, high = 0;
	assert(s->n >= 1 && s->n <= SIMPLEX_MAX && s->sum >= 0 && s->sum <= INT64_C(1) << 52);
	for (uint32_t i = 0; i < s->n; i++) {
		if (low_of(s, i) < 0 || low_of(s, i) > high_of(s, i))
			return error_set(err, STATUS_INPUT,
				"the bounds of value %u leave no room: %" PRId64 " to %" PRId64, i + 1,
				low_of(s, i), high_of(s, i));
		low += low_of(s, i);
		high += high_of(s, i);
	}
	if (low > s->sum)
		return error_set(err, STATUS_INPUT, "the lower bounds add up to %.6g, more than the sum %.6g",
			(double)low * 1e-6, (double)s->sum * 1e-6);
	if (high < s->sum)
		return error_set(err, STATUS_INPUT, "the upper bounds add up to %.6g, less than the sum %.6g",
			(double)high * 1e-6, (double)s->sum * 1e-6);
	return true;
}

static bool no_luck(struct error *err, const char *method, const struct simplex *s, uint32_t tries)
{
	return error_set(err, STATUS_INPUT,
		"%s found no %u values with the sum %.6g within their bounds in %u tries", method, s->n,
		(double)s->sum * 1e-6, tries);
}

/* ---- UUniFast ---- */

void simplex_split(const double *unit, uint32_t n, int64_t sum, int64_t *parts)
{
	int64_t rest = sum;
	for (uint32_t i = 0; i + 1 < n; i++) {
		int64_t next = llround((double)rest * pow(unit[i], 1.0 / (n - 1 - i)));
		parts[i] = rest - next;
		rest = next;
	}
	parts[n - 1] = rest;
}

static void draw_units(const struct draws *d, uint32_t n, double *unit)
{
	for (uint32_t i = 0; i < n; i++)
		unit[i] = draw_unit(d, DRAW_COORDINATE, i, 0);
}

bool simplex_uunifast(
	struct draws *d, const struct simplex *s, uint32_t tries, int64_t *out, struct error *err)
{
	double unit[SIMPLEX_MAX];
	(void)tries;
	if (!feasible(&(struct simplex){.n = s->n, .sum = s->sum}, err))
		return false;
	draw_units(d, s->n - 1, unit);
	simplex_split(unit, s->n, s->sum, out);
	return true;
}

static bool within(const struct simplex *s, const int64_t *x)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (x[i] < low_of(s, i) || x[i] > high_of(s, i))
			return false;
	return true;
}

bool simplex_discard(
	struct draws *d, const struct simplex *s, uint32_t tries, int64_t *out, struct error *err)
{
	double unit[SIMPLEX_MAX];
	if (!feasible(s, err))
		return false;
	for (uint32_t k = 0; k < tries; k++, d->attempt++) {
		draw_units(d, s->n - 1, unit);
		simplex_split(unit, s->n, s->sum, out);
		if (within(s, out))
			return true;
	}
	return no_luck(err, "UUniFast-Discard", s, tries);
}

static bool same_bounds(const struct simplex *s)
{
	for (uint32_t i = 1; i < s->n; i++)
		if (low_of(s, i) != low_of(s, 0) || high_of(s, i) != high_of(s, 0))
			return false;
	return true;
}

bool simplex_bounded(
	struct draws *d, const struct simplex *s, uint32_t tries, int64_t *out, struct error *err)
{
	double unit[SIMPLEX_MAX];
	int64_t room = s->sum;
	if (!feasible(s, err))
		return false;
	if (same_bounds(s))
		return simplex_randfixedsum(d, s, tries, out, err);
	for (uint32_t i = 0; i < s->n; i++)
		room -= low_of(s, i);
	for (uint32_t k = 0; k < tries; k++, d->attempt++) {
		draw_units(d, s->n - 1, unit);
		simplex_split(unit, s->n, room, out);
		for (uint32_t i = 0; i < s->n; i++)
			out[i] += low_of(s, i);
		if (within(s, out))
			return true;
	}
	return no_luck(err, "rejection", s, tries);
}

/* ---- rounding ---- */

/* The nearest vector of whole units within the bounds that has the sum: every value down, then the largest
 * fractions up. Changes x. */
static void round_to_sum(const struct simplex *s, double *x, int64_t *out)
{
	int64_t rest = s->sum;
	for (uint32_t i = 0; i < s->n; i++) {
		out[i] = (int64_t)floor(x[i]);
		if (out[i] < low_of(s, i))
			out[i] = low_of(s, i);
		if (out[i] > high_of(s, i))
			out[i] = high_of(s, i);
		rest -= out[i];
		x[i] -= (double)out[i];
	}
	for (int64_t step = rest > 0 ? 1 : -1; rest != 0; rest -= step) {
		uint32_t best = UINT32_MAX;
		for (uint32_t i = 0; i < s->n; i++) {
			bool room = step > 0 ? out[i] < high_of(s, i) : out[i] > low_of(s, i);
			if (room && (best == UINT32_MAX || (double)step * x[i] > (double)step * x[best]))
				best = i;
		}
		assert(best != UINT32_MAX);
		out[best] += step;
		x[best] -= (double)step;
	}
}

void simplex_normalise(const int64_t *weights, uint32_t n, int64_t sum, int64_t least, int64_t *parts)
{
	int128 total = 0;
	int64_t free_sum = sum - (int64_t)n * least, rest = free_sum;
	for (uint32_t i = 0; i < n; i++)
		total += weights[i];
	assert(total > 0 && free_sum >= 0);
	for (uint32_t i = 0; i < n; i++) {
		parts[i] = (int64_t)((int128)weights[i] * free_sum / total);
		rest -= parts[i];
	}
	/* Fewer than n units are left: one each for the largest remainders. */
	for (; rest > 0; rest--) {
		uint32_t best = 0;
		int128 most = -1;
		for (uint32_t i = 0; i < n; i++) {
			int128 remainder = (int128)weights[i] * free_sum - (int128)parts[i] * total;
			if (remainder > most) {
				most = remainder;
				best = i;
			}
		}
		parts[best]++;
	}
	for (uint32_t i = 0; i < n; i++)
		parts[i] += least;
}

/* ---- RandFixedSum ---- */

/* The unit cube cut by sum(x) = s, k <= s <= k + 1, falls into simplices; they are chosen one dimension after
 * the other, with the probabilities t, which come from their volumes w. */
struct fixed_sum {
	uint32_t n, k;
	double s;
	double *w, *t; /* [n][n + 1], [n - 1][n] */
};

static void fill_volumes(struct fixed_sum *f)
{
	const double tiny = 0x1p-1074;
	uint32_t n = f->n, row = n + 1;
	f->w[1] = 0x1.fffffffffffffp+1023; /* the scale: large, as volumes get small */
	for (uint32_t i = 2; i <= n; i++) {
		const double *before = f->w + (i - 2) * row;
		double *now = f->w + (i - 1) * row, *t = f->t + (i - 2) * n;
		for (uint32_t j = 1; j <= i; j++) {
			double below = f->s - ((double)f->k - (j - 1));
			double above = ((double)f->k + i - (j - 1)) - f->s;
			double from_below = before[j] * below / i, from_above = before[j - 1] * above / i;
			now[j] = from_below + from_above;
			t[j - 1] = above > below ? from_above / (now[j] + tiny)
						 : 1 - from_below / (now[j] + tiny);
		}
	}
}

static void sample_fixed_sum(const struct fixed_sum *f, const struct draws *d, double *x)
{
	uint32_t n = f->n, j = f->k + 1;
	double s = f->s, sum = 0, product = 1;
	for (uint32_t i = n - 1; i >= 1; i--) {
		double face = draw_unit(d, DRAW_CHOICE_OF_FACE, i, 0);
		bool up = face <= f->t[(i - 1) * n + j - 1];
		double root = pow(draw_unit(d, DRAW_COORDINATE, i, 0), 1.0 / i);
		sum += (1 - root) * product * s / (i + 1);
		product *= root;
		x[n - 1 - i] = sum + (up ? product : 0);
		s -= up;
		j -= up;
	}
	x[n - 1] = sum + product * s;
	for (uint32_t i = n - 1; i >= 1; i--) {
		int64_t other = draw_between(d, DRAW_SHUFFLE, i, 0, 0, i);
		double swap = x[i];
		x[i] = x[other];
		x[other] = swap;
	}
}

bool simplex_randfixedsum(
	struct draws *d, const struct simplex *s, uint32_t tries, int64_t *out, struct error *err)
{
	uint32_t n = s->n;
	(void)tries;
	if (!feasible(s, err))
		return false;
	if (!same_bounds(s))
		return error_set(err, STATUS_INPUT, "RandFixedSum takes the same bounds for all values");
	double low = (double)low_of(s, 0), width = (double)high_of(s, 0) - low, x[SIMPLEX_MAX];
	if (n == 1 || width == 0) {
		for (uint32_t i = 0; i < n; i++)
			out[i] = s->sum / n;
		return true;
	}
	struct fixed_sum f = {
		.n = n,
		.w = calloc((size_t)n * (n + 1), sizeof(*f.w)),
		.t = calloc((size_t)n * n, sizeof(*f.t)),
	};
	bool ok = f.w && f.t;
	if (ok) {
		f.s = fmin(fmax(((double)s->sum - n * low) / width, 0), n);
		f.k = f.s >= n - 1 ? n - 1 : (uint32_t)f.s;
		fill_volumes(&f);
		sample_fixed_sum(&f, d, x);
		for (uint32_t i = 0; i < n; i++)
			x[i] = low + width * x[i];
		round_to_sum(s, x, out);
	}
	free(f.w);
	free(f.t);
	return ok || error_memory(err, "a random vector");
}

/* ---- Dirichlet-Rescale ---- */

/* A point of the flat Dirichlet distribution: uniform on the standard simplex. */
static void dirichlet(const struct draws *d, uint32_t n, double *x)
{
	double rest = 1;
	for (uint32_t i = 0; i + 1 < n; i++) {
		double next = rest * pow(draw_unit(d, DRAW_COORDINATE, i, 0), 1.0 / (n - 1 - i));
		x[i] = rest - next;
		rest = next;
	}
	x[n - 1] = rest;
}

/* The values above their limits bound a smaller simplex that contains the point. That simplex is scaled up to
 * the standard one, and again as long as the point stays inside the smaller one. All this is repeated until
 * no value is above its limit. False: no point was found. */
static bool rescale(uint32_t n, const double *limit, double *x)
{
	bool over[SIMPLEX_MAX];
	for (int round = 0; round < RESCALES_MAX; round++) {
		double taken = 0;
		bool any = false, all = true;
		for (uint32_t i = 0; i < n; i++) {
			over[i] = x[i] > limit[i];
			taken += over[i] ? limit[i] : 0;
			any |= over[i];
		}
		if (!any)
			return true;
		if (taken >= 1)
			return false; /* rounding has lost the point */
		for (int powers = 0; all && powers < RESCALES_MAX; powers++) {
			for (uint32_t i = 0; i < n; i++)
				x[i] = (x[i] - (over[i] ? limit[i] : 0)) / (1 - taken);
			for (uint32_t i = 0; i < n; i++)
				all &= !over[i] || x[i] > limit[i];
		}
	}
	return false;
}

bool simplex_drs(struct draws *d, const struct simplex *s, uint32_t tries, int64_t *out, struct error *err)
{
	double room = (double)s->sum, limits = 0, limit[SIMPLEX_MAX], bound[SIMPLEX_MAX], x[SIMPLEX_MAX];
	uint32_t n = s->n;
	if (!feasible(s, err))
		return false;
	for (uint32_t i = 0; i < n; i++)
		room -= (double)low_of(s, i);
	for (uint32_t i = 0; i < n; i++) {
		bound[i] = room > 0 ? fmin(1, (double)(high_of(s, i) - low_of(s, i)) / room) : 0;
		limits += bound[i];
	}
	/* Under the upper bounds there is another simplex, upside down. The search starts in the smaller of
	 * the two. */
	double excess = limits - 1;
	bool inverted = excess < 1;
	for (uint32_t i = 0; i < n; i++)
		limit[i] = inverted && excess > 0 ? bound[i] / excess : bound[i];
	bool fixed = room <= 0 || excess <= 0; /* only one vector is possible */
	for (uint32_t k = 0; k < tries; k++, d->attempt++) {
		dirichlet(d, n, x);
		if (!fixed && !rescale(n, limit, x))
			continue;
		for (uint32_t i = 0; i < n; i++) {
			double share = fixed ? bound[i] : inverted ? bound[i] - excess * x[i] : x[i];
			x[i] = (double)low_of(s, i) + share * room;
		}
		round_to_sum(s, x, out);
		return true;
	}
	return no_luck(err, "Dirichlet-Rescale", s, tries);
}
