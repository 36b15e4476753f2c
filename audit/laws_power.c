/* audit/laws_power.c - owns the laws on power and energy (docs/model.md, "Power and energy"). */
#include "audit/law.h"

#define TABLE "power_interval"
#define BILLION 1000000000

static bool next_power(struct audit *a, struct db_cursor *c, struct power_row *row)
{
	if (!cursor_next(c, &row->have, a->err)) {
		a->failed = true;
		row->have = false;
	}
	if (!row->have)
		return false;
	*row = (struct power_row){true, column_bounded(c, 0), column_bounded(c, 1), column_bounded(c, 2),
		column_bounded(c, 3), column_bounded(c, 4)};
	a->report->rows++;
	return true;
}

static struct db_cursor *open_power(struct audit *a)
{
	struct db_cursor *c = query_open(a->reader,
		"SELECT start_ns, end_ns, power_uw, active_sms, idle_sms"
		" FROM power_interval WHERE run_id = ?1 ORDER BY start_ns",
		a->r->run_id, a->err);
	a->failed |= c == NULL;
	return c;
}

uint64_t law_power_cover(struct audit *a, const struct moment *m)
{
	struct db_cursor *c = open_power(a);
	struct power_row row = {0};
	int64_t end = 0;
	uint64_t rows = 0;
	a->power_energy_uwns = 0;
	while (c && next_power(a, c, &row)) {
		if (row.start != end)
			broken(a, TABLE, m, "[%s, %s) starts %s the one before has ended, at %s",
				when(a, row.start), when(a, row.end),
				row.start < end ? "before" : "some time after", when(a, end));
		else if (row.end <= row.start)
			broken(a, TABLE, m, "[%s, %s) does not end after it starts", when(a, row.start),
				when(a, row.end));
		else if (row.active < 0 || row.idle < 0 || row.active + row.idle != a->r->machine.sms)
			broken(a, TABLE, m, "[%s, %s) counts %lld active and %lld idle SMs, but there are %u",
				when(a, row.start), when(a, row.end), (long long)row.active,
				(long long)row.idle, a->r->machine.sms);
		a->power_energy_uwns += (int128)row.uw * (row.end - row.start);
		end = row.end;
		rows++;
	}
	cursor_close(c);
	if (end != a->r->window_ns)
		broken(a, TABLE, m, "the last one ends at %s, the window at %s", when(a, end),
			when(a, a->r->window_ns));
	return rows + 1;
}

/* Holds the rows that overlap [m->since, m->until) against the power derived for it. */
static uint64_t compare_power(struct audit *a, const struct moment *m)
{
	struct power_row *row = &a->power_row;
	uint64_t rows = 0;
	while (row->have && row->start < m->until) {
		if (row->end > m->since && (row->uw != m->power_uw || row->active != m->active))
			broken(a, TABLE, m,
				"[%s, %s) has %lld uW with %lld active SMs, expected %lld uW with %u from %s "
				"to %s",
				when(a, row->start), when(a, row->end), (long long)row->uw,
				(long long)row->active, (long long)m->power_uw, m->active, when(a, m->since),
				when(a, m->until));
		rows++;
		if (row->end > m->until || !next_power(a, a->power_rows, row))
			break;
	}
	return rows;
}

uint64_t law_power_level(struct audit *a, const struct moment *m)
{
	if (m->at == AT_RUN) {
		a->power_rows = open_power(a);
		if (a->power_rows)
			(void)next_power(a, a->power_rows, &a->power_row);
		return 0;
	}
	if (m->at == AT_POWER)
		return a->power_rows ? compare_power(a, m) : 0;
	cursor_close(a->power_rows);
	a->power_rows = NULL;
	return 0;
}

static void wrong_energy(struct audit *a, const struct moment *m, const char *what, int128 expected)
{
	broken(a, "run", m, "its energy is %lld uJ + %lld uW*ns, but its %s come to %lld uJ + %lld uW*ns",
		(long long)a->r->energy_uj, (long long)a->r->energy_rest_uwns, what,
		(long long)(expected / BILLION), (long long)(expected % BILLION));
}

uint64_t law_energy(struct audit *a, const struct moment *m)
{
	const struct recording *r = a->r;
	int64_t rest = r->energy_rest_uwns;
	int128 recorded = (int128)r->energy_uj * BILLION + rest;
	if (rest < 0 || rest >= BILLION)
		broken(a, "run", m, "energy_rest_uwns is %lld, not one of 0 .. 999999999", (long long)rest);
	else if (recorded != a->power_energy_uwns)
		wrong_energy(a, m, "power intervals", a->power_energy_uwns);
	else if (m->sweep->with_blocks && recorded != m->sweep->power.energy_uwns)
		wrong_energy(a, m, "blocks", m->sweep->power.energy_uwns);
	return 1;
}
