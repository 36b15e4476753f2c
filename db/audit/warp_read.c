/* db/audit/warp_read.c - reads the description of warps: small tables, read once per run. */
#include <jansson.h>
#include <string.h>

#include "base/units.h"
#include "db/audit/warps.h"
#include "db/words.h"

#define COUNT_MAX (INT64_C(1) << 24)
#define AMOUNT_MAX (INT64_C(1) << 40)
#define COUNT_OF_STEP_MAX 1000000000
#define LATENCY_MAX 1000000
#define BILLION 1000000000

struct warp_reading {
	struct recording *r;
	struct warp_description *d;
	struct db_reader *source;
	struct error *err;
	bool implausible;
};

static bool for_each(struct warp_reading *l, const char *sql, int64_t value,
	void (*each)(struct warp_reading *l, const struct db_cursor *q))
{
	struct rows q = query_rows(l->source, sql, value, l->err);
	while (rows_next(&q))
		each(l, q.c);
	return rows_close(&q);
}

/* Of the set's machine, and of the steps of its kernels: a column that recordings of some programs before do
 * not have, where it has a value. */
static bool for_later(struct warp_reading *l, const char *table, const char *name, const char *sql,
	void (*each)(struct warp_reading *l, const struct db_cursor *q))
{
	bool has;
	return reader_has(l->source, table, name, &has, l->err) &&
	       (!has || for_each(l, sql, l->r->taskset_id, each));
}

#define OF_MACHINE(name)                                                                                     \
	"warp_machine", name,                                                                                \
		"SELECT " name " FROM warp_machine WHERE taskset_id = ?1 AND " name " IS NOT NULL"
#define OF_STEPS(name)                                                                                       \
	"warp_step", name,                                                                                   \
		"SELECT s.task_id, step_idx, " name                                                          \
		" FROM warp_step s JOIN task t USING (task_id) WHERE t.taskset_id = ?1 AND " name            \
		" IS NOT NULL"

/* A number between two bounds; any other value makes reading fail. */
static int64_t number(struct warp_reading *l, const struct db_cursor *q, int at, int64_t least, int64_t most)
{
	int64_t value = column(q, at);
	if (value >= least && value <= most)
		return value;
	l->implausible = true;
	return least;
}

static int64_t number_or(struct warp_reading *l, const struct db_cursor *q, int at, int64_t least,
	int64_t most, int64_t otherwise)
{
	return column(q, at) == NOT_GIVEN ? otherwise : number(l, q, at, least, most);
}

/* The index of the word; `count` if it is none of the words. */
static int word_of(const char *word, const char *const *words, int count)
{
	int i = 0;
	while (i < count && (!word || strcmp(word, words[i]) != 0))
		i++;
	return i;
}

static const char *const scheduler_words[] = {"lrr", "gto", "oldest", "two-level", "qaws"};
static const char *const manager_words[] = {
	"smk", "naive", "history", "elastic", "rollover", "rollover-time", "spart"};

static void read_machine(struct warp_reading *l, const struct db_cursor *q)
{
	struct warp_description *d = l->d;
	d->clock_hz = number(l, q, 0, 1, INT64_C(1) << 40);
	d->sub_cores = (uint32_t)number(l, q, 1, 1, WARP_SUB_CORES);
	d->shared = number(l, q, 2, 0, LATENCY_MAX);
	d->l1 = number(l, q, 3, 0, LATENCY_MAX);
	d->l2 = number(l, q, 4, 0, LATENCY_MAX);
	d->dram = number(l, q, 5, 0, LATENCY_MAX);
	d->bandwidth = number(l, q, 6, 1, AMOUNT_MAX);
	d->shared_fj = number(l, q, 7, 0, AMOUNT_MAX);
	d->global_fj = number(l, q, 8, 0, AMOUNT_MAX);
	d->dram_byte_fj = number(l, q, 9, 0, AMOUNT_MAX);
}

static void read_unit(struct warp_reading *l, const struct db_cursor *q)
{
	int unit = word_of(cursor_text(q, 0), words_unit, WARP_UNITS);
	if (unit == WARP_UNITS) {
		l->implausible = true;
		return;
	}
	l->d->latency[unit] = number_or(l, q, 1, 0, LATENCY_MAX, 0);
	l->d->interval[unit] = number(l, q, 2, 0, LATENCY_MAX);
	l->d->unit_fj[unit] = number_or(l, q, 3, 0, AMOUNT_MAX, 0);
}

/* Blocks, threads, registers and shared memory, from column `at` on; and what follows. */
static void read_blocks(struct warp_reading *l, const struct db_cursor *q, int at, struct audit_part *part)
{
	part->blocks = number(l, q, at, 1, COUNT_MAX);
	part->block_threads = number(l, q, at + 1, 1, WARPS_PER_SM * WARP);
	int64_t registers = number(l, q, at + 2, 0, COUNT_MAX), shared = number(l, q, at + 3, 0, AMOUNT_MAX);
	part->warps = (uint32_t)((part->block_threads + WARP - 1) / WARP);
	int64_t threads = (int64_t)part->warps * WARP;
	part->need = (struct audit_need){threads, 1, part->warps, registers * threads, shared};
	part->context_bytes = 4 * part->need.registers + shared;
}

static void read_kernel(struct warp_reading *l, const struct db_cursor *q)
{
	uint32_t task = recording_task(l->r, column(q, 0));
	if (task >= WARP_KERNELS) {
		l->implausible = true;
		return;
	}
	struct audit_kernel *k = &l->d->kernel[task];
	k->present = true;
	k->parts = 1;
	read_blocks(l, q, 1, &k->part[0]);
	k->stream = number(l, q, 5, -1, INT32_MAX);
	if (k->stream < 0)
		k->stream = task;
	k->high = cursor_text(q, 6) && strcmp(cursor_text(q, 6), "high") == 0;
	k->launch = number(l, q, 7, 0, COLUMN_BOUND);
	k->period = number_or(l, q, 8, 1, COLUMN_BOUND, 0);
	k->repeat = column(q, 9) == 1;
	k->goal_kind = (enum goal_kind)word_of(cursor_text(q, 10), words_goal, NO_GOAL);
	k->goal_ipc = column_bounded(q, 11);
	k->goal_share = column_bounded(q, 12);
	k->goal_ns = column_bounded(q, 13);
	k->steps = (uint32_t)number(l, q, 14, 1, 1 << 16);
	k->step = arena_alloc(&l->r->arena, k->steps, sizeof(*k->step));
	k->part[0].step = k->step;
	k->part[0].steps = k->steps;
}

/* A further part of an application: the last steps of those that its kernel has so far. */
static void read_part(struct warp_reading *l, const struct db_cursor *q)
{
	uint32_t task = recording_task(l->r, column(q, 0));
	struct audit_kernel *k = task < WARP_KERNELS ? &l->d->kernel[task] : NULL;
	if (!k || !k->step || k->parts == WARP_PARTS || column(q, 1) != k->parts) {
		l->implausible = true;
		return;
	}
	struct audit_part *before = &k->part[k->parts - 1], *part = &k->part[k->parts++];
	part->first_step = (uint32_t)number(l, q, 2, (int64_t)before->first_step + 1, (int64_t)k->steps - 1);
	read_blocks(l, q, 3, part);
	if (l->implausible)
		return;
	part->step = &k->step[part->first_step];
	part->steps = k->steps - part->first_step;
	before->steps = part->first_step - before->first_step;
}

/* Recordings of some programs before have none. */
static bool read_all_parts(struct warp_reading *l)
{
	bool has;
	return reader_has(l->source, "warp_step", "segment_idx", &has, l->err) &&
	       (!has ||
		       for_each(l,
			       "SELECT p.task_id, p.segment_idx, min(step_idx), grid_blocks, block_threads, "
			       "registers, shared_memory FROM warp_step p JOIN task t USING (task_id) "
			       "LEFT JOIN segment s USING (task_id, segment_idx) WHERE t.taskset_id = ?1 AND "
			       "p.segment_idx > 0 GROUP BY p.task_id, p.segment_idx ORDER BY p.task_id, "
			       "p.segment_idx",
			       l->r->taskset_id, read_part));
}

static void read_step(struct warp_reading *l, const struct db_cursor *q)
{
	uint32_t task = recording_task(l->r, column(q, 0));
	struct audit_kernel *k = task < WARP_KERNELS ? &l->d->kernel[task] : NULL;
	int64_t index = column(q, 1);
	int kind = word_of(cursor_text(q, 2), words_step, STEP_LOOP + 1);
	if (!k || !k->step || index < 0 || index >= k->steps || kind > STEP_LOOP) {
		l->implausible = true;
		return;
	}
	bool compute = kind == STEP_COMPUTE, loop = kind == STEP_LOOP;
	bool global = kind == STEP_LOAD || kind == STEP_STORE;
	int unit = compute ? word_of(cursor_text(q, 3), words_unit, UNIT_MEMORY) : UNIT_MEMORY;
	struct audit_step *s = &k->step[index];
	l->implausible |= compute && unit == UNIT_MEMORY;
	*s = (struct audit_step){
		.kind = (enum step_kind)kind,
		.unit = (enum audit_warp_unit)unit,
		.count = number(l, q, 4, 1, COUNT_OF_STEP_MAX),
		.body = loop ? number(l, q, 5, 1, (int64_t)k->steps - index - 1) : 0,
		.threads = loop ? 0 : number_or(l, q, 6, 1, WARP, WARP),
		.distance = number_or(l, q, 7, 0, WARP_RESULTS, 0),
		.first = number_or(l, q, 8, 0, WARP_RESULTS, 0),
		.latency = number_or(l, q, 9, 0, LATENCY_MAX, compute ? l->d->latency[unit] : 0),
		.l1_ppm = number_or(l, q, 10, 0, WARP_MILLION, 0),
		.l2_ppm = number_or(l, q, 11, 0, WARP_MILLION, 0),
		.coalescing_ppm = number_or(l, q, 12, 0, WARP_MILLION, WARP_MILLION),
		.bytes = number_or(l, q, 13, 0, COUNT_MAX, 0),
	};
	if (compute)
		s->fj = l->d->unit_fj[unit];
	else if (kind < STEP_BARRIER)
		s->fj = global ? l->d->global_fj : l->d->shared_fj;
}

/* A loop whose rounds are shared. */
static void read_shared(struct warp_reading *l, const struct db_cursor *q)
{
	uint32_t task = recording_task(l->r, column(q, 0));
	int64_t index = column(q, 1);
	struct audit_kernel *k = task < WARP_KERNELS ? &l->d->kernel[task] : NULL;
	int word = word_of(cursor_text(q, 2), words_rounds, 2);
	if (!k || !k->step || index < 0 || index >= k->steps || k->step[index].kind != STEP_LOOP ||
		word == 2) {
		l->implausible = true;
		return;
	}
	k->step[index].rounds = word == 0 ? SHARED_BY_WARPS : SHARED_BY_BLOCKS;
}

static void read_l1(struct warp_reading *l, const struct db_cursor *q)
{
	l->d->l1_lines = number(l, q, 0, 0, AMOUNT_MAX) / 128;
}

static void read_reuse(struct warp_reading *l, const struct db_cursor *q)
{
	uint32_t task = recording_task(l->r, column(q, 0));
	int64_t index = column(q, 1), reuse = number(l, q, 2, 1, WARP_RESULTS);
	struct audit_kernel *k = task < WARP_KERNELS ? &l->d->kernel[task] : NULL;
	if (!k || !k->step || index < 0 || index >= k->steps || k->step[index].kind != STEP_LOAD) {
		l->implausible = true;
		return;
	}
	k->step[index].reuse = reuse;
}

static void read_requests(struct warp_reading *l, const struct db_cursor *q)
{
	l->d->requests = number(l, q, 0, 1, WARP_REQUESTS);
}

static void read_l2(struct warp_reading *l, const struct db_cursor *q)
{
	l->d->l2_lines = number(l, q, 0, 128, AMOUNT_MAX) / 128;
}

static void read_figures(struct warp_reading *l, const struct db_cursor *q)
{
	uint32_t task = recording_task(l->r, column(q, 0));
	if (task >= WARP_KERNELS) {
		l->implausible = true;
		return;
	}
	l->d->kernel[task].figures = (struct warp_figures){true, column_bounded(q, 1), column_bounded(q, 2),
		column_bounded(q, 3), column_bounded(q, 4), column(q, 5), column_bounded(q, 6), column(q, 7),
		column_bounded(q, 8), column_bounded(q, 9), column_bounded(q, 10), column_bounded(q, 11),
		column_bounded(q, 12), column_bounded(q, 13)};
}

/* ---- The policy's options ---- */

static const char *text_option(const json_t *params, const char *option, const char *otherwise)
{
	const json_t *given = json_object_get(params, option);
	return json_is_string(given) ? json_string_value(given) : otherwise;
}

static int64_t number_option(const json_t *params, const char *option, int64_t otherwise)
{
	const json_t *given = json_object_get(params, option);
	return json_is_integer(given) && json_integer_value(given) > 0 ? json_integer_value(given)
								       : otherwise;
}

/* In millionths; what is no ratio counts as 0. */
static int64_t ratio_option(const json_t *params, const char *option)
{
	struct error err;
	int64_t ppm = 0;
	const char *given = text_option(params, option, "0");
	return unit_parse(UNIT_RATIO, given, NULL, &ppm, &err) && ppm >= 0 && ppm <= WARP_MILLION ? ppm : 0;
}

static bool truth_option(const json_t *params, const char *option, bool otherwise)
{
	const json_t *given = json_object_get(params, option);
	return json_is_boolean(given) ? json_is_true(given) : otherwise;
}

static void read_options(const struct recording *r, struct warp_description *d)
{
	json_t *params = json_loads(r->params, 0, NULL);
	d->scheduler = (enum scheduler)word_of(r->policy, scheduler_words, BY_UNKNOWN);
	d->manager =
		(enum manager)word_of(text_option(params, "manager", "smk"), manager_words, WITH_UNKNOWN);
	d->rotate_cycle = strcmp(text_option(params, "rotate", "stall"), "cycle") == 0;
	d->inner_gto = strcmp(text_option(params, "inner", "rr"), "gto") == 0;
	d->fill = strcmp(text_option(params, "blocks", "even"), "fill") == 0;
	d->free_swaps = strcmp(text_option(params, "swap", "memory"), "free") == 0;
	d->history = truth_option(params, "history", true);
	d->adjust = truth_option(params, "adjust", true);
	d->active = number_option(params, "active", 8);
	d->epoch = number_option(params, "epoch", 10000);
	d->epoch_cost = number_option(params, "epoch_cost", 0);
	d->adjust_margin_ppm = ratio_option(params, "adjust_margin");
	d->samples = number_option(params, "samples", 100);
	const json_t *budgets = json_object_get(params, "budgets");
	for (uint32_t i = 0; i < WARP_KERNELS; i++) {
		int64_t budget = json_integer_value(json_array_get(budgets, i));
		d->budget[i] = budget > 0 ? budget : 1;
	}
	json_decref(params);
}

/* ---- What follows ---- */

/* Counts the instructions of `count` steps from `from` on. False: loops are nested too deep, or do not
 * nest. */
static bool measure(const struct audit_part *k, uint32_t from, uint32_t count, uint32_t depth, int128 *warp,
	int128 *thread)
{
	*warp = *thread = 0;
	for (uint32_t i = from; i < from + count;) {
		const struct audit_step *s = &k->step[i];
		int128 inner_warp = 1, inner_thread = 0;
		uint32_t length = 1 + (uint32_t)s->body;
		if (s->count < 1 || length > from + count - i ||
			(s->kind == STEP_LOOP && depth == WARP_LOOPS))
			return false;
		for (uint32_t w = 0; w < k->warps && s->kind != STEP_LOOP; w++)
			inner_thread += walk_program_threads(k, s, w);
		if (s->kind == STEP_LOOP &&
			!measure(k, i + 1, length - 1, depth + 1, &inner_warp, &inner_thread))
			return false;
		*warp += inner_warp * s->count;
		*thread += inner_thread * s->count;
		if (*warp > COLUMN_BOUND || *thread > COLUMN_BOUND)
			return false;
		i += length;
	}
	return true;
}

/* The loop whose rounds are shared must be an outermost one, and the only one. */
static bool find_pool(struct audit_part *k)
{
	uint32_t shared = 0, outermost = 0;
	for (uint32_t i = 0; i < k->steps; i++)
		shared += k->step[i].rounds != OF_EACH_WARP;
	for (uint32_t i = 0; i < k->steps; i += 1 + (uint32_t)k->step[i].body) {
		const struct audit_step *s = &k->step[i];
		outermost += s->rounds != OF_EACH_WARP;
		if (s->rounds != OF_EACH_WARP)
			k->pool = (s->count - 1) * k->blocks * (s->rounds == SHARED_BY_WARPS ? k->warps : 1);
	}
	return shared == outermost && shared <= 1;
}

static int64_t goal_of(const struct warp_description *d, const struct audit_kernel *k)
{
	int64_t goal = 0, cycles;
	if (k->goal_kind == NO_GOAL)
		return 0;
	if (k->goal_kind == GOAL_OF_IPC)
		goal = k->goal_ipc;
	if (k->goal_kind == GOAL_OF_SHARE && k->figures.alone >= 0)
		goal = (int64_t)((int128)k->figures.alone * k->goal_share / WARP_MILLION);
	if (k->goal_kind == GOAL_OF_TIME && (cycles = warps_duration(d, k->goal_ns)) > 0) {
		int128 ipc = k->thread_instructions * WARP_MILLION / cycles;
		goal = ipc > COLUMN_BOUND ? COLUMN_BOUND : (int64_t)ipc;
	}
	return goal > 1 ? goal : 1;
}

static bool add_part(struct audit_kernel *k, struct audit_part *part)
{
	int128 warp, thread;
	if (!measure(part, 0, part->steps, 0, &warp, &thread) || !find_pool(part))
		return false;
	k->warp_instructions += warp * part->warps * part->blocks;
	k->thread_instructions += thread * part->blocks;
	return true;
}

static bool derive(struct warp_reading *l)
{
	struct warp_description *d = l->d;
	const struct audit_machine *m = &l->r->machine;
	d->sms = m->sms;
	d->room = (struct audit_need){m->threads, m->blocks,
		m->warps < WARPS_PER_SM ? m->warps : WARPS_PER_SM, m->registers, m->shared_memory};
	d->horizon = warps_duration(d, l->r->horizon_ns);
	d->limit = warps_duration(d, l->r->limit_ns);
	for (uint32_t i = 0; i < d->kernels; i++) {
		struct audit_kernel *k = &d->kernel[i];
		if (!k->present || !k->step || l->implausible || k->parts != l->r->task[i].segments)
			return false;
		for (uint32_t p = 0; p < k->parts; p++)
			if (!add_part(k, &k->part[p]))
				return false;
		k->goal = goal_of(d, k);
	}
	return d->clock_hz > 0 && d->sms > 0 && d->sms <= 4096 && !m->pooled;
}

static void read_cycles(struct warp_reading *l, const struct db_cursor *q)
{
	l->d->cycles = column(q, 0);
}

static void read_number(struct warp_reading *l, const struct db_cursor *q)
{
	l->d->kernels = (uint32_t)column(q, 0);
}

/* Recordings of earlier versions have no tables for warps, so they have no warps. */
static bool has_warps(struct warp_reading *l)
{
	bool has;
	return reader_has(l->source, "warp_machine", NULL, &has, l->err) && has &&
	       for_each(l, "SELECT count(*) FROM warp_machine WHERE taskset_id = ?1", l->r->taskset_id,
		       read_number) &&
	       l->d->kernels > 0;
}

bool warps_load(struct recording *r, struct db_reader *source, struct error *err)
{
	struct warp_description none = {0}, *d;
	struct warp_reading l = {r, &none, source, err, false};
	*err = (struct error){.status = STATUS_OK};
	r->warps = NULL;
	if (!has_warps(&l))
		return err->status == STATUS_OK;
	d = arena_alloc(&r->arena, 1, sizeof(*d));
	if (!d)
		return error_memory(err, "reading a recording");
	l.d = d;
	d->kernels = r->tasks;
	if (r->tasks > WARP_KERNELS)
		return error_set(err, STATUS_INPUT, "run %lld: more kernels of warps than there can be",
			(long long)r->run_id);
	if (!for_each(&l,
		    "SELECT clock_hz, sub_cores, shared_latency_cycles, l1_latency_cycles, l2_latency_cycles,"
		    " dram_latency_cycles, dram_bytes_per_1000_cycles, shared_fj, global_fj, dram_byte_fj"
		    " FROM warp_machine WHERE taskset_id = ?1",
		    r->taskset_id, read_machine) ||
		!for_each(&l,
			"SELECT unit, latency_cycles, interval_cycles, instruction_fj FROM warp_unit WHERE "
			"taskset_id = ?1",
			r->taskset_id, read_unit) ||
		!for_each(&l,
			"SELECT k.task_id, blocks, block_threads, registers, shared_memory, stream, "
			"stream_priority,"
			" launch_cycle, period_cycles, repeat, goal_kind, goal_ipc_ppm, goal_share_ppm, "
			"goal_time_ns,"
			" (SELECT count(*) FROM warp_step s WHERE s.task_id = k.task_id)"
			" FROM warp_kernel k JOIN task t USING (task_id) WHERE t.taskset_id = ?1",
			r->taskset_id, read_kernel) ||
		!for_each(&l,
			"SELECT s.task_id, step_idx, kind, unit, count, body, threads, distance, "
			"first_distance,"
			" latency_cycles, l1_hit_ppm, l2_hit_ppm, coalescing_ppm, bytes"
			" FROM warp_step s JOIN task t USING (task_id) WHERE t.taskset_id = ?1",
			r->taskset_id, read_step) ||
		!read_all_parts(&l) || !for_later(&l, OF_STEPS("shared"), read_shared) ||
		!for_later(&l, OF_MACHINE("l1_bytes"), read_l1) ||
		!for_later(&l, OF_STEPS("reuse"), read_reuse) ||
		!for_later(&l, OF_MACHINE("requests"), read_requests) ||
		!for_later(&l, OF_MACHINE("l2_bytes"), read_l2) ||
		!for_each(&l,
			"SELECT task_id, warp_instructions, thread_instructions, cycles, ipc_ppm, goal_ppm, "
			"alone_ppm,"
			" reached, accesses, l1_hits, l2_hits, dram_bytes, swaps, energy_fj FROM "
			"run_warp_kernel"
			" WHERE run_id = ?1",
			r->run_id, read_figures) ||
		!for_each(&l, "SELECT cycles FROM run WHERE run_id = ?1", r->run_id, read_cycles))
		return false;
	if (!derive(&l))
		return error_set(err, STATUS_INPUT, "run %lld: its kernels of warps have impossible numbers",
			(long long)r->run_id);
	read_options(r, d);
	r->warps = d;
	return true;
}
