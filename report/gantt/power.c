/* report/gantt/power.c - reads a run's power in the window of a Gantt chart, of several GPUs their sum:
 * interval by interval or, if there are too many, the mean in bins of equal length. */
#include <inttypes.h>
#include <math.h>

#include "base/checked.h"
#include "base/list.h"
#include "report/gantt/private.h"

#define BINS 1200

struct power_sums {
	int64_t bin_ns;
	double energy[BINS], time[BINS]; /* uW * ns, ns */
};

static bool keep(struct gantt_chart *c, const struct gantt_power *power, struct error *err)
{
	struct gantt_power *grown = list_room(c->power, c->powers, sizeof(*grown), "drawing a schedule", err);
	if (!grown)
		return false;
	c->power = grown;
	c->power[c->powers++] = *power;
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

static bool take(
	struct gantt_chart *c, struct power_sums *s, const struct gantt_power *power, struct error *err)
{
	if (!c->power_summed && c->powers < GANTT_EXACT)
		return keep(c, power, err);
	for (size_t i = 0; !c->power_summed && i < c->powers; i++)
		sum_up(s, c, &c->power[i]);
	c->power_summed = true;
	sum_up(s, c, power);
	return true;
}

/* The means replace the intervals. */
static bool deliver(struct gantt_chart *c, const struct power_sums *s, struct error *err)
{
	c->powers = 0;
	for (int64_t bin = 0; bin < BINS; bin++) {
		int64_t start = c->from + bin * s->bin_ns;
		if (s->time[bin] <= 0)
			continue;
		struct gantt_power power = {
			.start = start,
			.end = c->to - start > s->bin_ns ? start + s->bin_ns : c->to,
			.uw = llround(s->energy[bin] / s->time[bin]),
		};
		if (!keep(c, &power, err))
			return false;
	}
	return true;
}

static const char power_sql[] =
	"SELECT start_ns, end_ns, power_uw FROM power_interval JOIN run USING (run_id)"
	" WHERE run_id = ?1 AND energy_uj IS NOT NULL AND end_ns > ?2 AND start_ns < ?3 ORDER BY start_ns";

/* Each GPU has intervals of its own, which cover the same time. */
static const char sum_sql[] =
	"WITH w AS (SELECT start_ns, end_ns, power_uw FROM power_interval JOIN run USING (run_id)"
	" WHERE run_id = ?1 AND energy_uj IS NOT NULL AND end_ns > ?2 AND start_ns < ?3),"
	" change AS (SELECT max(start_ns, ?2) AS ns, power_uw AS uw FROM w"
	" UNION ALL SELECT min(end_ns, ?3), -power_uw FROM w),"
	" step AS (SELECT ns, lead(ns) OVER (ORDER BY ns) AS until_ns, sum(sum(uw)) OVER (ORDER BY ns) AS uw"
	" FROM change GROUP BY ns)"
	" SELECT ns, until_ns, uw FROM step WHERE until_ns IS NOT NULL ORDER BY ns";

bool gantt_read_power(struct db_reader *r, struct gantt_chart *c, struct error *err)
{
	int64_t values[] = {c->run_id, c->from, c->to};
	struct power_sums sums = {.bin_ns = ceil_div(c->to - c->from, BINS)};
	struct db_cursor *rows = gantt_query(r, c->lanes.gpus > 1 ? sum_sql : power_sql, values, 3, err);
	bool row = true, ok = rows != NULL;
	while (ok && row) {
		ok = cursor_next(rows, &row, err);
		if (ok && row)
			ok = take(c, &sums,
				&(struct gantt_power){cursor_integer(rows, 0), cursor_integer(rows, 1),
					cursor_integer(rows, 2)},
				err);
	}
	cursor_close(rows);
	if (ok && c->powers == 0)
		return error_set(err, STATUS_NO,
			"power: run %" PRId64 " has none recorded (kernels of warps have none, nor has a"
			" scenario without power figures)",
			c->run_id);
	return ok && (!c->power_summed || deliver(c, &sums, err));
}
