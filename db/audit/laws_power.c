/* db/audit/laws_power.c - owns the laws on power and energy (docs/model.md, "Power and energy"). */
#include <stdio.h>
#include <stdlib.h>

#include "db/audit/law.h"
#include "db/audit/sweep.h"

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

/* Recordings of programs before do not say which GPU: there was one. */
static struct db_cursor *open_power(struct audit *a, uint32_t gpu)
{
	char sql[200];
	bool has;
	if (!reader_has(a->reader, TABLE, "gpu", &has, a->err)) {
		a->failed = true;
		return NULL;
	}
	snprintf(sql, sizeof(sql),
		"SELECT start_ns, end_ns, power_uw, active_sms, idle_sms FROM power_interval WHERE "
		"run_id = ?1 AND "
		"%s = %u ORDER BY start_ns",
		has ? "gpu" : "0", gpu);
	struct db_cursor *c = query_open(a->reader, sql, a->r->run_id, a->err);
	a->failed |= c == NULL;
	return c;
}

static void add_activity(struct activity *to, int64_t active, int64_t ns)
{
	to->gpu_ns += active > 0 ? ns : 0;
	to->sm_ns += (int128)active * ns;
}

static uint64_t check_cover(struct audit *a, const struct moment *m, uint32_t gpu)
{
	struct db_cursor *c = open_power(a, gpu);
	struct power_row row = {0};
	uint32_t sms = machine_of(a->r, gpu)->sms;
	int64_t end = 0;
	uint64_t rows = 0;
	while (c && next_power(a, c, &row)) {
		if (row.start != end)
			broken(a, TABLE, m, "GPU %u: [%s, %s) starts %s the one before has ended, at %s", gpu,
				when(a, row.start), when(a, row.end),
				row.start < end ? "before" : "some time after", when(a, end));
		else if (row.end <= row.start)
			broken(a, TABLE, m, "GPU %u: [%s, %s) does not end after it starts", gpu,
				when(a, row.start), when(a, row.end));
		else if (row.active < 0 || row.idle < 0 || row.active + row.idle != sms)
			broken(a, TABLE, m,
				"GPU %u: [%s, %s) counts %lld active and %lld idle SMs, but there are %u",
				gpu, when(a, row.start), when(a, row.end), (long long)row.active,
				(long long)row.idle, sms);
		a->power_energy_uwns += (int128)row.uw * (row.end - row.start);
		add_activity(&a->row_activity, row.active, row.end - row.start);
		end = row.end;
		rows++;
	}
	cursor_close(c);
	if (end != a->r->window_ns)
		broken(a, TABLE, m, "GPU %u: the last one ends at %s, the window at %s", gpu, when(a, end),
			when(a, a->r->window_ns));
	return rows + 1;
}

uint64_t law_power_cover(struct audit *a, const struct moment *m)
{
	uint64_t rows = 0;
	a->power_energy_uwns = 0;
	a->row_activity = (struct activity){0};
	for (uint32_t g = 0; g < a->r->gpus; g++)
		rows += check_cover(a, m, g);
	return rows;
}

/* Compares the rows that overlap [m->since, m->until) with the derived power. */
static uint64_t compare_power(struct audit *a, const struct moment *m)
{
	uint32_t gpu = m->sweep->shown;
	struct power_row *row = &a->power_row[gpu];
	uint64_t rows = 0;
	while (row->have && row->start < m->until) {
		if (row->end > m->since && (row->uw != m->power_uw || row->active != m->active))
			broken(a, TABLE, m,
				"GPU %u: [%s, %s) has %lld uW with %lld active SMs, expected %lld uW "
				"with %u from "
				"%s to %s",
				gpu, when(a, row->start), when(a, row->end), (long long)row->uw,
				(long long)row->active, (long long)m->power_uw, m->active, when(a, m->since),
				when(a, m->until));
		rows++;
		if (row->end > m->until || !next_power(a, a->power_rows[gpu], row))
			break;
	}
	return rows;
}

uint64_t law_power_level(struct audit *a, const struct moment *m)
{
	if (m->at == AT_POWER)
		return a->power_rows[m->sweep->shown] && !m->sweep->power_unseen ? compare_power(a, m) : 0;
	for (uint32_t g = 0; g < a->r->gpus; g++) {
		cursor_close(a->power_rows[g]);
		a->power_rows[g] = m->at == AT_RUN ? open_power(a, g) : NULL;
		if (a->power_rows[g])
			(void)next_power(a, a->power_rows[g], &a->power_row[g]);
	}
	return 0;
}

/* NULL where no power is given. (Recordings of cegsim 0.2.0 have 0.) */
static bool no_energy(const struct audit *a)
{
	return !a->r->powered && a->r->energy_uj == NOT_GIVEN && a->r->energy_rest_uwns == NOT_GIVEN;
}

static void wrong_energy(struct audit *a, const struct moment *m, const char *what, int128 expected)
{
	broken(a, "run", m, "its energy is %lld uJ + %lld uW*ns, but its %s come to %lld uJ + %lld uW*ns",
		(long long)a->r->energy_uj, (long long)a->r->energy_rest_uwns, what,
		(long long)(expected / BILLION), (long long)(expected % BILLION));
}

/* By the blocks, of all GPUs. */
static int128 energy_of_blocks(const struct sweep *s)
{
	int128 sum = 0;
	for (uint32_t g = 0; g < s->r->gpus; g++)
		sum += g == s->shown ? s->power.energy_uwns : s->saved[g].power.energy_uwns;
	return sum;
}

uint64_t law_energy(struct audit *a, const struct moment *m)
{
	const struct recording *r = a->r;
	int64_t rest = r->energy_rest_uwns;
	int128 recorded = (int128)r->energy_uj * BILLION + rest;
	if (no_energy(a))
		return 1;
	if (rest < 0 || rest >= BILLION)
		broken(a, "run", m, "energy_rest_uwns is %lld, not one of 0 .. 999999999", (long long)rest);
	else if (recorded != a->power_energy_uwns)
		wrong_energy(a, m, "power intervals", a->power_energy_uwns);
	else if (m->sweep->with_blocks && !m->sweep->power_unseen && recorded != energy_of_blocks(m->sweep))
		wrong_energy(a, m, "blocks", energy_of_blocks(m->sweep));
	return 1;
}

/* ---- Activity ---- */

/* What the row of the run says; -1 for NULL. */
static bool recorded_activity(struct audit *a, struct activity *is)
{
	struct db_cursor *c = query_open(a->reader,
		"SELECT gpu_active_ns, sm_active_ns FROM run WHERE run_id = ?1", a->r->run_id, a->err);
	bool have = false;
	a->failed |= !c || !cursor_next(c, &have, a->err);
	*is = (struct activity){-1, -1};
	if (!a->failed && have)
		*is = (struct activity){
			column_bounded(c, 0), cursor_kind(c, 1) == VALUE_NULL ? -1 : cursor_integer(c, 1)};
	cursor_close(c);
	return !a->failed;
}

struct gpu_figures {
	struct activity activity;
	int128 energy_uwns;
};

/* What is recorded of each GPU. With one that is what is recorded of the run. */
static bool recorded_gpus(struct audit *a, struct gpu_figures gpu[AUDIT_GPUS_MOST])
{
	if (a->r->gpus == 1)
		return recorded_activity(a, &gpu[0].activity);
	for (uint32_t g = 0; g < a->r->gpus; g++)
		gpu[g] = (struct gpu_figures){.activity = {-1, -1}};
	struct rows q = query_rows(a->reader,
		"SELECT gpu, gpu_active_ns, sm_active_ns, energy_uj, energy_rest_uwns FROM run_gpu "
		"WHERE run_id = ?1",
		a->r->run_id, a->err);
	while (rows_next(&q)) {
		int64_t g = column(q.c, 0);
		if (g < 0 || g >= (int64_t)a->r->gpus)
			continue;
		gpu[g].activity = (struct activity){column_bounded(q.c, 1),
			cursor_kind(q.c, 2) == VALUE_NULL ? -1 : cursor_integer(q.c, 2)};
		if (cursor_kind(q.c, 3) != VALUE_NULL)
			gpu[g].energy_uwns =
				(int128)column_bounded(q.c, 3) * BILLION + column_bounded(q.c, 4);
	}
	bool ok = rows_close(&q);
	a->failed |= !ok;
	return ok;
}

static void compare_activity(struct audit *a, const struct moment *m, struct activity is,
	const struct activity *should, const char *what)
{
	int64_t sm_ns = should->sm_ns > INT64_MAX ? INT64_MAX : (int64_t)should->sm_ns;
	if (is.gpu_ns != should->gpu_ns || is.sm_ns != sm_ns)
		broken(a, "run", m,
			"gpu_active_ns is %lld and sm_active_ns %lld, but its %s come to %lld and %lld",
			(long long)is.gpu_ns, (long long)is.sm_ns, what, (long long)should->gpu_ns,
			(long long)sm_ns);
}

uint64_t law_activity(struct audit *a, const struct moment *m)
{
	struct activity is;
	if (m->at == AT_RUN)
		a->block_activity = (struct activity){0};
	if (m->at == AT_POWER)
		add_activity(&a->block_activity, m->active, m->until - m->since);
	if (m->at != AT_END || !recorded_activity(a, &is))
		return 0;
	compare_activity(a, m, is, &a->row_activity, "power intervals");
	if (m->sweep->with_blocks)
		compare_activity(a, m, is, &a->block_activity, "blocks");
	return 1;
}

/* ---- The energy of each task ---- */

/* The recorded energies by task; free() it. NULL: a->failed. */
static int128 *recorded_energies(struct audit *a, const struct moment *m)
{
	struct db_cursor *c = query_open(a->reader,
		"SELECT task_id, energy_uj, energy_rest_uwns FROM run_task WHERE run_id = ?1", a->r->run_id,
		a->err);
	int128 *energies = calloc(a->r->tasks + 1, sizeof(*energies));
	bool have = true;
	a->failed |= !c || (!energies && !error_memory(a->err, "auditing a run"));
	while (!a->failed && have) {
		a->failed = !cursor_next(c, &have, a->err);
		uint32_t task = !a->failed && have ? recording_task(a->r, column(c, 0)) : UINT32_MAX;
		if (task == UINT32_MAX)
			continue;
		int64_t rest = column_bounded(c, 2);
		if (!a->r->powered && column(c, 1) == NOT_GIVEN && column(c, 2) == NOT_GIVEN)
			continue;
		if (rest < 0 || rest >= BILLION || cursor_kind(c, 1) == VALUE_NULL)
			broken(a, "run_task", m,
				"the energy of task '%s' is %lld uJ + %lld uW*ns; the rest is not one"
				" of 0 .. 999999999",
				a->r->task[task].name, (long long)column_bounded(c, 1), (long long)rest);
		energies[task] = (int128)column_bounded(c, 1) * BILLION + rest;
	}
	cursor_close(c);
	if (!a->failed)
		return energies;
	free(energies);
	return NULL;
}

/* Static energy and that of idle SMs of a GPU that was active for so long. Not followed: nothing takes power.
 */
static int128 energy_of_gpu(struct audit *a, const struct moment *m, uint32_t gpu, const struct activity *is)
{
	const struct audit_machine *g = machine_of(a->r, gpu);
	int128 sum = (int128)g->static_uw * a->r->window_ns;
	if (is->gpu_ns >= 0)
		sum += (int128)g->idle_uw * ((int128)g->sms * is->gpu_ns - is->sm_ns);
	else if (a->r->powered)
		broken(a, "run", m, "gpu_active_ns and sm_active_ns are not recorded, though power is given");
	return sum;
}

uint64_t law_energy_parts(struct audit *a, const struct moment *m)
{
	struct gpu_figures gpu[AUDIT_GPUS_MOST];
	int128 *energies = recorded_energies(a, m);
	if (!energies || !recorded_gpus(a, gpu)) {
		free(energies);
		return 0;
	}
	int128 sum = 0;
	bool known = true; /* too long for 64 bits: not known */
	for (uint32_t g = 0; g < a->r->gpus; g++) {
		sum += energy_of_gpu(a, m, g, &gpu[g].activity);
		known = known && gpu[g].activity.sm_ns != INT64_MAX;
	}
	for (uint32_t i = 0; i < a->r->tasks; i++)
		sum += energies[i];
	int128 recorded = no_energy(a) ? 0 : (int128)a->r->energy_uj * BILLION + a->r->energy_rest_uwns;
	if (known && sum != recorded)
		wrong_energy(a, m, "static, idle SMs' and tasks' energy", sum);
	free(energies);
	return 1;
}

/* The sums of a GPU's power intervals. */
static bool sum_intervals(struct audit *a, uint32_t gpu, struct gpu_figures *sum)
{
	struct db_cursor *c = open_power(a, gpu);
	struct power_row row = {0};
	*sum = (struct gpu_figures){0};
	while (c && next_power(a, c, &row)) {
		sum->energy_uwns += (int128)row.uw * (row.end - row.start);
		add_activity(&sum->activity, row.active, row.end - row.start);
	}
	cursor_close(c);
	return c != NULL;
}

uint64_t law_gpu_energy(struct audit *a, const struct moment *m)
{
	struct gpu_figures is[AUDIT_GPUS_MOST], should;
	int128 energy = 0;
	struct activity all;
	if (!recorded_gpus(a, is) || !recorded_activity(a, &all))
		return 0;
	for (uint32_t g = 0; g < a->r->gpus; g++) {
		energy += is[g].energy_uwns;
		all.gpu_ns -= is[g].activity.gpu_ns > 0 ? is[g].activity.gpu_ns : 0; /* or not known */
		if (a->r->level < LEVEL_SEGMENTS || !sum_intervals(a, g, &should))
			continue;
		int64_t sm_ns =
			should.activity.sm_ns > INT64_MAX ? INT64_MAX : (int64_t)should.activity.sm_ns;
		if ((a->r->powered && is[g].energy_uwns != should.energy_uwns) ||
			is[g].activity.gpu_ns != should.activity.gpu_ns || is[g].activity.sm_ns != sm_ns)
			broken(a, "run_gpu", m,
				"GPU %u: its energy and times of activity are not those of its power "
				"intervals",
				g);
	}
	if (a->r->powered && energy != (int128)a->r->energy_uj * BILLION + a->r->energy_rest_uwns)
		wrong_energy(a, m, "GPUs", energy);
	if (all.gpu_ns > 0)
		broken(a, "run", m, "gpu_active_ns is %lld more than its GPUs come to",
			(long long)all.gpu_ns);
	return a->r->gpus;
}

struct task_power {
	int64_t uw;
	int128 energy_uwns; /* up to task_power_since */
	uint32_t sms;       /* number of SMs on which it has blocks */
	bool apart;         /* no other task has blocks there */
};

/* The mean power of an SM, from the kernels of the tasks up to `last`. */
static int64_t power_up_to(const struct sm *sm, int64_t last)
{
	int128 sum = 0;
	int64_t weights = 0;
	for (uint32_t i = 0; i < sm->shares; i++) {
		int64_t weight = sm->threads > 0 ? sm->share[i].threads : sm->share[i].blocks;
		weights += weight;
		sum += (int128)(sm->share[i].task <= last ? weight : 0) * sm->share[i].sm_uw;
	}
	return weights ? round_half_even(sum, weights) : 0;
}

/* Adds what the GPU that is shown gives to tasks. */
static void task_powers(struct audit *a, const struct sweep *s)
{
	for (uint32_t i = 0; i < a->r->tasks; i++)
		a->task_power[i] = (struct task_power){
			.energy_uwns = a->task_power[i].energy_uwns,
			.uw = s->shown > 0 ? a->task_power[i].uw : 0,
			.apart = true,
		};
	for (uint32_t at = 0; at < s->pools; at++) {
		const struct sm *sm = &s->sm[at];
		for (uint32_t i = 0; i < sm->shares; i++) {
			int64_t task = sm->share[i].task;
			struct task_power *t = &a->task_power[task];
			t->sms++;
			t->apart &= sm->shares == 1;
			t->uw += (power_up_to(sm, task) - power_up_to(sm, task - 1)) *
				 (a->r->machine.pooled ? s->power.active : 1);
		}
	}
	for (uint32_t i = 0; i < a->r->tasks && !a->r->machine.pooled; i++) {
		struct task_power *t = &a->task_power[i];
		const struct audit_shape *shape = &s->track[i].op.shape;
		if (t->apart && t->sms > 0 && on_shown(s, &s->track[i].op) && t->sms == shape->spread &&
			shape->all_uw != NOT_GIVEN)
			t->uw += shape->all_uw - shape->sm_uw * (int64_t)t->sms;
	}
}

static void pass_task_powers(struct audit *a, int64_t now)
{
	for (uint32_t i = 0; i < a->r->tasks; i++)
		a->task_power[i].energy_uwns += (int128)a->task_power[i].uw * (now - a->task_power_since);
	a->task_power_since = now;
}

static uint64_t compare_task_energies(struct audit *a, const struct moment *m)
{
	int128 *energies = recorded_energies(a, m);
	for (uint32_t i = 0; energies && i < a->r->tasks; i++) {
		int128 should = a->task_power[i].energy_uwns, rest = should % BILLION;
		rest += rest < 0 ? BILLION : 0;
		if (energies[i] != should)
			broken(a, "run_task", m,
				"the energy of task '%s' is %lld uJ + %lld uW*ns, by its blocks %lld uJ"
				" + %lld uW*ns",
				a->r->task[i].name, (long long)(energies[i] / BILLION),
				(long long)(energies[i] % BILLION), (long long)((should - rest) / BILLION),
				(long long)rest);
	}
	free(energies);
	return a->r->tasks;
}

uint64_t law_task_energy(struct audit *a, const struct moment *m)
{
	if (m->at == AT_RUN) {
		a->task_power_since = 0;
		a->task_power = calloc(a->r->tasks + 1, sizeof(*a->task_power));
		a->failed |= !a->task_power && !error_memory(a->err, "auditing a run");
		return 0;
	}
	if (m->at == AT_GPU_INSTANT) {
		pass_task_powers(a, m->time);
		task_powers(a, m->sweep);
		return 0;
	}
	if (m->sweep->power_unseen)
		return 0;
	pass_task_powers(a, a->r->stop_ns < a->task_power_since ? a->task_power_since : a->r->stop_ns);
	return compare_task_energies(a, m);
}
