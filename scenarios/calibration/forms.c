/* scenarios/calibration/forms.c - see scenarios/calibration/forms.h. */
#include "scenarios/calibration/forms.h"

#include <stdlib.h>

#include "base/checked.h"

#define MILLION 1000000
#define THOUSAND 1000

uint32_t form_point(const struct calibration *c, uint32_t sms)
{
	const struct calibration_spec *s = calibration_spec(c);
	uint32_t point = 0;
	while (point + 1 < s->points && s->sms[point + 1] <= sms)
		point++;
	return point;
}

struct spread form_block_time(const struct calibration *c, uint32_t kernel)
{
	const struct calibration_spec *s = calibration_spec(c);
	struct spread all = {0};
	for (uint32_t p = 0; p < s->points; p++) {
		spread_join(&all, &calibration_point(c, kernel, p)->alone_blocks);
		for (uint32_t k = 0; k < s->set->warps->kernel_count; k++)
			spread_join(&all, &calibration_pair(c, kernel, k, p)->blocks);
	}
	return all;
}

/* ---- work ---- */

static int128 ceil_div_wide(int128 a, int128 b)
{
	return a <= 0 ? 0 : (a + b - 1) / b;
}

static int64_t alpha_at(const struct work_point *p, int64_t alpha_ppm)
{
	return p->interleaved ? alpha_ppm : MILLION;
}

/* On one virtual SM the overhead cancels out: worst * alpha >= greatest. */
static int128 least_work(const struct work_point *points, uint32_t count, int64_t alpha_ppm)
{
	int128 work = 0;
	for (uint32_t i = 0; i < count; i++) {
		int128 need = ceil_div_wide(
			(int128)points[i].greatest_ns * MILLION, alpha_at(&points[i], alpha_ppm));
		if (points[i].virtual_sms == 1 && need > work)
			work = need;
	}
	return work;
}

/* (worst * alpha - overhead) / V + overhead >= greatest  <=>  overhead * (V - 1) >= V * greatest - worst *
 * alpha. */
static int128 least_overhead(const struct work_point *points, uint32_t count, int64_t alpha_ppm, int64_t work)
{
	int128 overhead = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct work_point *p = &points[i];
		if (p->virtual_sms == 1)
			continue;
		int128 missing = (int128)p->greatest_ns * p->virtual_sms * MILLION -
				 (int128)work * alpha_at(p, alpha_ppm);
		int128 need = ceil_div_wide(missing, (int128)MILLION * (p->virtual_sms - 1));
		if (need > overhead)
			overhead = need;
	}
	return overhead;
}

/* ceil(best / V) <= least  <=>  best <= V * least. */
static int128 most_best(const struct work_point *points, uint32_t count, int128 work)
{
	int128 best = work;
	for (uint32_t i = 0; i < count; i++)
		if ((int128)points[i].least_ns * points[i].virtual_sms < best)
			best = (int128)points[i].least_ns * points[i].virtual_sms;
	return best;
}

bool work_fit(const struct work_point *points, uint32_t count, int64_t alpha_ppm, struct work_form *form,
	struct error *err)
{
	int128 work = least_work(points, count, alpha_ppm);
	if (work > INT64_MAX)
		return error_set(err, STATUS_INPUT, "a measured time is beyond 64 bits");
	int128 overhead = least_overhead(points, count, alpha_ppm, (int64_t)work);
	if (overhead > INT64_MAX)
		return error_set(err, STATUS_INPUT, "a measured time is beyond 64 bits");
	*form = (struct work_form){
		.worst_ns = (int64_t)work,
		.overhead_ns = (int64_t)overhead,
		.alpha_ppm = alpha_ppm,
		.best_ns = (int64_t)most_best(points, count, work),
	};
	return true;
}

int64_t work_time(const struct work_form *form, const struct work_point *point)
{
	int128 top = (int128)form->worst_ns * alpha_at(point, form->alpha_ppm) +
		     (int128)form->overhead_ns * MILLION * ((int64_t)point->virtual_sms - 1);
	return (int64_t)ceil_div_wide(top, (int128)MILLION * point->virtual_sms);
}

/* ---- from measurements ---- */

/* The partners in the other half: the first, and the one behind the last. */
struct partners {
	uint32_t first, end;
};

static struct partners partners_of(const struct calibration *c, uint32_t kernel, enum neighbours neighbours)
{
	if (neighbours == NEIGHBOURS_SELF)
		return (struct partners){kernel, kernel + 1};
	return (struct partners){0, calibration_spec(c)->set->warps->kernel_count};
}

static int64_t greatest_ratio(const struct calibration *c, uint32_t kernel, struct partners partners)
{
	int64_t ratio = MILLION;
	for (uint32_t k = partners.first; k < partners.end; k++)
		for (uint32_t p = 0; p < calibration_spec(c)->points; p++) {
			const struct spread *r = &calibration_pair(c, kernel, k, p)->ratio;
			if (r->count > 0 && r->greatest > ratio)
				ratio = r->greatest;
		}
	return ceil_div(ratio, THOUSAND) * THOUSAND;
}

/* Adds the points measured on `sms` SMs, in terms of virtual SMs: half of each SM, alone and beside others;
 * and all of each SM, which is the same as two halves of each. */
static uint32_t add_points(const struct calibration *c, uint32_t kernel, struct partners partners,
	uint32_t point, struct work_point *points)
{
	const struct calibrated_point *at = calibration_point(c, kernel, point);
	uint32_t sms = calibration_spec(c)->sms[point], count = 0;
	points[count++] = (struct work_point){sms, false, at->alone.least, at->alone.greatest};
	points[count++] = (struct work_point){sms, false, at->half.least, at->half.greatest};
	points[count++] = (struct work_point){2 * sms, true, at->alone.least, at->alone.greatest};
	for (uint32_t k = partners.first; k < partners.end; k++) {
		const struct spread *time = &calibration_pair(c, kernel, k, point)->time;
		if (time->count > 0)
			points[count++] = (struct work_point){sms, true, time->least, time->greatest};
	}
	return count;
}

static struct work_excess excess_of(
	const struct work_form *form, const struct work_point *points, uint32_t count)
{
	struct work_excess excess = {.least_ppm = INT64_MAX, .greatest_ppm = 0};
	for (uint32_t i = 0; i < count; i++) {
		int64_t measured = points[i].greatest_ns > 0 ? points[i].greatest_ns : 1;
		int64_t ppm =
			(int64_t)((int128)(work_time(form, &points[i]) - measured) * MILLION / measured);
		excess.least_ppm = ppm < excess.least_ppm ? ppm : excess.least_ppm;
		excess.greatest_ppm = ppm > excess.greatest_ppm ? ppm : excess.greatest_ppm;
	}
	return excess;
}

bool form_work(const struct calibration *c, uint32_t kernel, enum neighbours neighbours,
	struct work_form *form, struct work_excess *excess, struct error *err)
{
	const struct calibration_spec *s = calibration_spec(c);
	struct partners partners = partners_of(c, kernel, neighbours);
	size_t most = (size_t)s->points * (3 + partners.end - partners.first);
	struct work_point *points = calloc(most, sizeof(*points));
	uint32_t count = 0;
	if (!points)
		return error_memory(err, "the forms of a kernel");
	for (uint32_t p = 0; p < s->points; p++)
		count += add_points(c, kernel, partners, p, points + count);
	bool ok = work_fit(points, count, greatest_ratio(c, kernel, partners), form, err);
	if (ok)
		*excess = excess_of(form, points, count);
	free(points);
	return ok;
}

int64_t form_round(int64_t ns)
{
	static const int64_t steps[] = {1, 2, 5};
	for (int64_t power = 1; power <= INT64_MAX / 50; power *= 10)
		for (size_t i = 0; i < 3; i++)
			if (steps[i] * power >= ns)
				return steps[i] * power;
	return ns;
}
