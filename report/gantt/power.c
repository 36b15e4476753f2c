/* report/gantt/power.c - reads a run's power in the window of a Gantt chart, of several GPUs their sum and
 * that of each: interval by interval or, if there are too many, the mean in bins of equal length. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/list.h"
#include "report/gantt/private.h"

#define BINS 1200

struct power_sums {
	int64_t bin_ns;
	double energy[BINS], time[BINS]; /* uW * ns, ns */
};

const char *gantt_power_dash(size_t gpu)
{
	static const char *const dashes[GANTT_POWER_DASHES] = {"(16,6)", "(5,5)", "(16,6,5,6)", "(5,12)"};
	return dashes[gpu % GANTT_POWER_DASHES];
}

void gantt_power_finish(struct gantt_chart *c)
{
	free(c->power.power);
	c->power = (struct gantt_powers){0};
	for (size_t g = 0; g < GPUS_MOST; g++) {
		free(c->gpu_power[g].power);
		c->gpu_power[g] = (struct gantt_powers){0};
	}
}

static bool keep(struct gantt_powers *p, const struct gantt_power *power, struct error *err)
{
	struct gantt_power *grown = list_room(p->power, p->count, sizeof(*grown), "drawing a schedule", err);
	if (!grown)
		return false;
	p->power = grown;
	p->power[p->count++] = *power;
	return true;
}

static void sum_up(struct power_sums *s, const struct gantt_chart *c, const struct gantt_power *power)
{
	int64_t start = (power->start > c->from ? power->start : c->from) - c->from;
	int64_t end = (power->end < c->to ? power->end : c->to) - c->from;
	while (start < end) {
		int64_t bin = start / s->bin_ns, rest = s->bin_ns - start % s->bin_ns;
		int64_t until = end - start < rest ? end : start + rest;
		s->energy[bin] += (double)power->uw * (double)(until - start);
		s->time[bin] += (double)(until - start);
		start = until;
	}
}

static bool take(const struct gantt_chart *c, struct gantt_powers *p, struct power_sums *s,
	const struct gantt_power *power, struct error *err)
{
	if (!p->summed && p->count < GANTT_EXACT)
		return keep(p, power, err);
	for (size_t i = 0; !p->summed && i < p->count; i++)
		sum_up(s, c, &p->power[i]);
	p->summed = true;
	sum_up(s, c, power);
	return true;
}

/* The means replace the intervals. */
static bool deliver(
	const struct gantt_chart *c, struct gantt_powers *p, const struct power_sums *s, struct error *err)
{
	p->count = 0;
	for (int64_t bin = 0; bin < BINS; bin++) {
		int64_t start = c->from + bin * s->bin_ns;
		if (s->time[bin] <= 0)
			continue;
		struct gantt_power power = {
			.start = start,
			.end = c->to - start > s->bin_ns ? start + s->bin_ns : c->to,
			.uw = llround(s->energy[bin] / s->time[bin]),
		};
		if (!keep(p, &power, err))
			return false;
	}
	return true;
}

static const char power_sql[] =
	"SELECT start_ns, end_ns, power_uw FROM power_interval JOIN run USING (run_id)"
	" WHERE run_id = ?1 AND energy_uj IS NOT NULL AND end_ns > ?2 AND start_ns < ?3 ORDER BY start_ns";
static const char gpu_sql[] =
	"SELECT start_ns, end_ns, power_uw FROM power_interval JOIN run USING (run_id)"
	" WHERE run_id = ?1 AND energy_uj IS NOT NULL AND end_ns > ?2 AND start_ns < ?3 AND gpu = ?4"
	" ORDER BY start_ns";

/* Each GPU has intervals of its own, which cover the same time. */
static const char sum_sql[] =
	"WITH w AS (SELECT start_ns, end_ns, power_uw FROM power_interval JOIN run USING (run_id)"
	" WHERE run_id = ?1 AND energy_uj IS NOT NULL AND end_ns > ?2 AND start_ns < ?3),"
	" change AS (SELECT max(start_ns, ?2) AS ns, power_uw AS uw FROM w"
	" UNION ALL SELECT min(end_ns, ?3), -power_uw FROM w),"
	" step AS (SELECT ns, lead(ns) OVER (ORDER BY ns) AS until_ns, sum(sum(uw)) OVER (ORDER BY ns) AS uw"
	" FROM change GROUP BY ns)"
	" SELECT ns, until_ns, uw FROM step WHERE until_ns IS NOT NULL ORDER BY ns";

/* gpu: for gpu_sql; the others have no such parameter. */
static bool read_curve(struct db_reader *r, const struct gantt_chart *c, const char *sql, int64_t gpu,
	struct gantt_powers *p, struct error *err)
{
	int64_t values[] = {c->run_id, c->from, c->to, gpu};
	struct power_sums sums = {.bin_ns = ceil_div(c->to - c->from, BINS)};
	struct db_cursor *rows = gantt_query(r, sql, values, sql == gpu_sql ? 4 : 3, err);
	bool row = true, ok = rows != NULL;
	while (ok && row) {
		ok = cursor_next(rows, &row, err);
		if (ok && row)
			ok = take(c, p, &sums,
				&(struct gantt_power){cursor_integer(rows, 0), cursor_integer(rows, 1),
					cursor_integer(rows, 2)},
				err);
	}
	cursor_close(rows);
	return ok && (!p->summed || deliver(c, p, &sums, err));
}

bool gantt_read_power(struct db_reader *r, struct gantt_chart *c, struct error *err)
{
	bool several = c->lanes.gpus > 1;
	if (!read_curve(r, c, several ? sum_sql : power_sql, 0, &c->power, err))
		return false;
	if (c->power.count == 0)
		return error_set(err, STATUS_NO,
			"power: run %" PRId64 " has none recorded (kernels of warps have none, nor has a"
			" scenario without power figures)",
			c->run_id);
	for (size_t g = 0; several && g < c->lanes.gpus; g++)
		if (!read_curve(r, c, gpu_sql, (int64_t)g, &c->gpu_power[g], err))
			return false;
	return true;
}
