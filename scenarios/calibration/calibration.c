/* scenarios/calibration/calibration.c - see scenarios/calibration/calibration.h: the list of launches to be
 * measured, in this order: each kernel alone, each in its half, each beside each. */
#include "scenarios/calibration/calibration.h"

#include <stdlib.h>

#include "base/checked.h"

#define MILLION 1000000

/* One launch to be measured. */
struct calibration_launch {
	uint32_t kernel, partner, point, draw;
	enum company company;
};

struct calibration {
	struct calibration_spec spec;
	uint32_t kernels;
	struct calibrated_point *points; /* [kernel][point] */
	struct calibrated_pair *pairs;   /* [kernel][partner][point]; beside */
	int64_t *alones, *halves;        /* [kernel][point][draw] ns */
	struct calibration_launch *launches;
	uint64_t count, next;
	struct measurement *going; /* launches[next] */
	uint64_t events;           /* events of all launches before */
};

/* ---- indices ---- */

static size_t point_at(const struct calibration *c, uint32_t kernel, uint32_t point)
{
	return (size_t)kernel * c->spec.points + point;
}

static size_t pair_at(const struct calibration *c, uint32_t kernel, uint32_t partner, uint32_t point)
{
	return ((size_t)kernel * c->kernels + partner) * c->spec.points + point;
}

/* Index of a launch without partner in `alones` and `halves`. A kernel without random hits has one draw
 * only. */
static size_t draw_at(const struct calibration *c, uint32_t kernel, uint32_t point, uint32_t draw)
{
	bool drawn = measurement_is_random(&c->spec.set->warps->kernels[kernel]);
	return point_at(c, kernel, point) * c->spec.draws + (drawn ? draw : 0);
}

/* ---- the list ---- */

/* If no hit is random, one draw is enough. */
static uint32_t draws_of(const struct calibration *c, uint32_t kernel)
{
	return measurement_is_random(&c->spec.set->warps->kernels[kernel]) ? c->spec.draws : 1;
}

static void add_launches(
	struct calibration *c, enum company company, uint32_t kernel, uint32_t partner, uint32_t draws)
{
	for (uint32_t point = 0; point < c->spec.points; point++)
		for (uint32_t draw = 0; draw < draws; draw++)
			c->launches[c->count++] = (struct calibration_launch){
				.kernel = kernel,
				.partner = partner,
				.point = point,
				.draw = draw,
				.company = company,
			};
}

static void list_launches(struct calibration *c)
{
	for (uint32_t k = 0; k < c->kernels; k++)
		add_launches(c, COMPANY_NONE, k, k, draws_of(c, k));
	if (!c->spec.beside)
		return;
	for (uint32_t k = 0; k < c->kernels; k++)
		if (calibration_has_half(c, k))
			add_launches(c, COMPANY_EMPTY, k, k, draws_of(c, k));
	/* Beside a partner, draws also differ in which kernel comes first. */
	for (uint32_t k = 0; k < c->kernels; k++)
		for (uint32_t p = 0; p < c->kernels; p++)
			if (calibration_has_half(c, k) && calibration_has_half(c, p))
				add_launches(c, COMPANY_BESIDE, k, p, c->spec.draws);
}

static bool allocate(struct calibration *c)
{
	size_t points = (size_t)c->kernels * c->spec.points, draws = c->spec.draws;
	size_t companies = c->spec.beside ? 2 + c->kernels : 1;
	c->points = calloc(points, sizeof(*c->points));
	c->pairs = calloc(points * c->kernels, sizeof(*c->pairs));
	c->alones = calloc(points * draws, sizeof(*c->alones));
	c->halves = calloc(points * draws, sizeof(*c->halves));
	c->launches = calloc(points * draws * companies, sizeof(*c->launches));
	return c->points && c->pairs && c->alones && c->halves && c->launches;
}

bool calibration_create(
	const struct calibration_spec *spec, struct calibration **calibration, struct error *err)
{
	struct calibration *c = calloc(1, sizeof(*c));
	*calibration = NULL;
	if (!c)
		return error_memory(err, "a calibration");
	c->spec = *spec;
	c->kernels = spec->set->warps->kernel_count;
	if (!allocate(c)) {
		calibration_destroy(c);
		return error_memory(err, "a calibration");
	}
	list_launches(c);
	*calibration = c;
	return true;
}

void calibration_destroy(struct calibration *c)
{
	if (!c)
		return;
	measurement_destroy(c->going);
	free(c->points);
	free(c->pairs);
	free(c->alones);
	free(c->halves);
	free(c->launches);
	free(c);
}

/* ---- measuring ---- */

/* `times` * a / b in millionths. A launch of less than a nanosecond counts as one. */
static int64_t ratio_of(int64_t times, int64_t a, int64_t b)
{
	int64_t ratio;
	return checked_mul_ceil_div(times * MILLION, a, b > 0 ? b : 1, &ratio) ? ratio : INT64_MAX;
}

static void note_beside(struct calibration *c, const struct calibration_launch *l, const struct measured *m)
{
	struct calibrated_pair *p = &c->pairs[pair_at(c, l->kernel, l->partner, l->point)];
	int64_t half = c->halves[draw_at(c, l->kernel, l->point, l->draw)];
	spread_add(&p->time, m->time_ns);
	spread_add(&p->ratio, ratio_of(1, m->time_ns, half));
	spread_join(&p->blocks, &m->blocks);
}

static void note(struct calibration *c, const struct calibration_launch *l, const struct measured *m)
{
	struct calibrated_point *p = &c->points[point_at(c, l->kernel, l->point)];
	size_t draw = draw_at(c, l->kernel, l->point, l->draw);
	switch (l->company) {
	case COMPANY_NONE:
		spread_add(&p->alone, m->time_ns);
		spread_join(&p->alone_blocks, &m->blocks);
		c->alones[draw] = m->time_ns;
		return;
	case COMPANY_EMPTY:
		spread_add(&p->half, m->time_ns);
		spread_add(&p->split, ratio_of(2, c->alones[draw], m->time_ns));
		c->halves[draw] = m->time_ns;
		return;
	case COMPANY_BESIDE:
		note_beside(c, l, m);
		return;
	}
}

/* Draw 0: both are launched at once, and the measured one is placed first. Draw 1: the measured one comes a
 * cycle after its partner. The other draws: at equal steps of the time that the partner takes in its half.
 * This matters because the older warp goes first. */
static int64_t delay_of(const struct calibration *c, const struct calibration_launch *l)
{
	if (l->company != COMPANY_BESIDE || l->draw < 2)
		return l->draw;
	int64_t half_ns = c->halves[draw_at(c, l->partner, l->point, 0)], delay;
	int64_t half = warp_cycles(&c->spec.set->warps->machine, half_ns);
	if (!checked_mul_ceil_div(half, l->draw - 1, c->spec.draws - 1, &delay))
		delay = half;
	return delay;
}

static bool begin(struct calibration *c, const struct calibration_launch *l, struct error *err)
{
	const struct measurement_spec spec = {
		.platform = c->spec.platform,
		.set = c->spec.set,
		.options = c->spec.options,
		.seed = c->spec.seed + l->draw,
		.sms = c->spec.sms[l->point],
		.kernel = l->kernel,
		.company = l->company,
		.partner = l->partner,
		.delay = delay_of(c, l),
	};
	return measurement_create(&spec, &c->going, err);
}

enum calibration_state calibration_step(struct calibration *c, uint64_t events, struct error *err)
{
	if (c->next == c->count)
		return CALIBRATION_OVER;
	if (!c->going && !begin(c, &c->launches[c->next], err))
		return CALIBRATION_FAILED;
	switch (measurement_step(c->going, events, err)) {
	case MEASUREMENT_GOES_ON:
		return CALIBRATION_GOES_ON;
	case MEASUREMENT_FAILED:
		return CALIBRATION_FAILED;
	case MEASUREMENT_OVER:
		break;
	}
	note(c, &c->launches[c->next], measurement_result(c->going));
	c->events += measurement_events(c->going);
	measurement_destroy(c->going);
	c->going = NULL;
	return ++c->next == c->count ? CALIBRATION_OVER : CALIBRATION_GOES_ON;
}

/* ---- results ---- */

uint64_t calibration_done(const struct calibration *c)
{
	return c->next;
}

uint64_t calibration_count(const struct calibration *c)
{
	return c->count;
}

uint64_t calibration_events(const struct calibration *c)
{
	return c->events + (c->going ? measurement_events(c->going) : 0);
}

const struct calibration_spec *calibration_spec(const struct calibration *c)
{
	return &c->spec;
}

const struct calibrated_point *calibration_point(const struct calibration *c, uint32_t kernel, uint32_t point)
{
	return &c->points[point_at(c, kernel, point)];
}

const struct calibrated_pair *calibration_pair(
	const struct calibration *c, uint32_t kernel, uint32_t beside, uint32_t point)
{
	return &c->pairs[pair_at(c, kernel, beside, point)];
}

bool calibration_has_half(const struct calibration *c, uint32_t kernel)
{
	return measurement_half_blocks(c->spec.platform, &c->spec.set->warps->kernels[kernel]) > 0;
}
