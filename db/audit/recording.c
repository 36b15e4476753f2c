/* db/audit/recording.c - reads the description of a run: small tables, read once per run. */
#include "db/audit/recording.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "db/words.h"

struct recording_loader {
	struct recording *r;
	struct db_reader *source;
	struct error *err;
};

/* Reads a column that contains one of a few words. */
static bool read_word(struct recording_loader *l, const struct db_cursor *q, int column,
	const char *const *words, uint32_t *index)
{
	const char *word = cursor_text(q, column);
	int found = word_find(words, word);
	*index = (uint32_t)found;
	if (found >= 0)
		return true;
	return error_set(l->err, STATUS_INPUT, "run %lld: '%s' is not a word this program knows there",
		(long long)l->r->run_id, word ? word : "NULL");
}

static int64_t or_else(int64_t value, int64_t fallback)
{
	return value == NOT_GIVEN ? fallback : value;
}

/* The greatest numbers that are accepted: their products and sums stay within 64 bits. */
#define COUNT_MAX (INT64_C(1) << 24)  /* SMs, threads, blocks, registers of a thread */
#define AMOUNT_MAX (INT64_C(1) << 40) /* bytes, registers, microwatts */
#define TIME_MAX (INT64_C(1) << 62)

static bool implausible(struct recording_loader *l, const char *what)
{
	return error_set(
		l->err, STATUS_INPUT, "run %lld: %s has impossible numbers", (long long)l->r->run_id, what);
}

static bool within(int64_t value, int64_t max)
{
	return value == NOT_GIVEN || (value >= 0 && value <= max);
}

/* Runs a query and calls `each` for its rows. */
static bool for_each(struct recording_loader *l, const char *sql, int64_t value,
	bool (*each)(struct recording_loader *l, const struct db_cursor *q))
{
	struct rows q = query_rows(l->source, sql, value, l->err);
	while (rows_next(&q))
		q.ok = each(l, q.c);
	return rows_close(&q);
}

static bool copy_text(struct recording_loader *l, const struct db_cursor *q, int column, const char **text)
{
	const char *found = cursor_text(q, column);
	*text = arena_strdup(&l->r->arena, found ? found : "");
	return *text || error_memory(l->err, "reading a recording");
}

static void *room(struct recording_loader *l, int64_t count, size_t size)
{
	void *memory = count >= 0 ? arena_alloc(&l->r->arena, (size_t)count, size) : NULL;
	if (!memory)
		(void)error_memory(l->err, "reading a recording");
	return memory;
}

/* ---- Releases ---- */

static bool load_trace(struct recording_loader *l, int64_t trace_id, struct audit_release_rule *rule)
{
	int64_t lengths;
	/* Counts first, to allocate the array at once */
	if (!query_number(l->source, "SELECT count(*) FROM trace_release WHERE trace_id = ?1", trace_id,
		    &rule->traced, l->err) ||
		!query_number(l->source, "SELECT count(*) FROM trace_duration WHERE trace_id = ?1", trace_id,
			&lengths, l->err))
		return false;
	rule->trace_ns = room(l, rule->traced, sizeof(*rule->trace_ns));
	rule->lengths = room(l, lengths, sizeof(*rule->lengths));
	if (!rule->trace_ns || !rule->lengths)
		return false;
	rule->length_count = (size_t)lengths;

	struct db_cursor *q = query_open(l->source,
		"SELECT release_ns FROM trace_release WHERE trace_id = ?1 ORDER BY seq", trace_id, l->err);
	bool have = true, ok = q != NULL;
	for (int64_t i = 0; ok && i < rule->traced; i++) {
		ok = cursor_next(q, &have, l->err);
		rule->trace_ns[i] = ok && have ? column(q, 0) : 0;
	}
	cursor_close(q);
	q = ok ? query_open(l->source,
			 "SELECT seq, segment_idx, duration_ns FROM trace_duration"
			 " WHERE trace_id = ?1 ORDER BY seq, segment_idx",
			 trace_id, l->err)
	       : NULL;
	ok = q != NULL;
	for (size_t i = 0; ok && i < rule->length_count; i++) {
		ok = cursor_next(q, &have, l->err);
		if (ok && have)
			rule->lengths[i] = (struct trace_length){column(q, 0), column(q, 1), column(q, 2)};
	}
	cursor_close(q);
	return ok;
}

/* release_kind, max_delay_ppm, trace_id are columns `at`, at + 1, at + 2. */
static bool load_releases(
	struct recording_loader *l, const struct db_cursor *q, int at, struct audit_release_rule *rule)
{
	uint32_t kind;
	if (!read_word(l, q, at, words_release, &kind))
		return false;
	rule->kind = (enum audit_release_kind)kind;
	rule->max_delay_ppm = or_else(column(q, at + 1), 0);
	return rule->kind != RELEASES_TRACE || load_trace(l, column(q, at + 2), rule);
}

/* ---- The run ---- */

static bool load_run_row(struct recording_loader *l, const struct db_cursor *q)
{
	struct recording *r = l->r;
	uint32_t level, status, miss, execution, horizon, lower_first;
	if (!read_word(l, q, 4, words_level, &level) || !read_word(l, q, 5, words_status, &status) ||
		!read_word(l, q, 6, words_on_miss, &miss) ||
		!read_word(l, q, 7, words_execution, &execution) ||
		!read_word(l, q, 9, words_stop, &horizon) || !read_word(l, q, 10, words_ties, &lower_first))
		return false;
	r->level = (enum audit_level)level;
	r->status = (enum audit_run_status)status;
	r->on_miss = (enum audit_on_miss)miss;
	r->execution = (enum execution)execution;
	r->drained = !horizon;
	r->lower_first = lower_first;
	r->taskset_id = column(q, 0);
	r->platform_id = column(q, 1);
	r->scale_ppm = or_else(column(q, 8), 0);
	r->horizon_ns = column_bounded(q, 11);
	r->limit_ns = column_bounded(q, 12);
	r->stop_ns = column_bounded(q, 13);
	r->window_ns = column_bounded(q, 14);
	r->jobs = column_bounded(q, 15);
	r->misses = column_bounded(q, 16);
	r->energy_uj = column(q, 17);
	r->energy_rest_uwns = column(q, 18);
	r->explicit_priorities = column(q, 22) == 1;
	r->seed = (uint64_t)column(q, 23);
	r->set_number = (uint32_t)column(q, 24);
	r->virtual_sms = or_else(column(q, 25), 0);
	r->policy_version = or_else(column(q, 26), 0);
	if (!within(r->virtual_sms, COUNT_MAX))
		return implausible(l, "the run");
	if (!copy_text(l, q, 2, &r->policy) || !copy_text(l, q, 3, &r->params))
		return false;
	return load_releases(l, q, 19, &r->releases);
}

static bool load_machine_row(struct recording_loader *l, const struct db_cursor *q)
{
	struct audit_machine *m = &l->r->machine;
	uint32_t pooled;
	for (int i = 0; i < 16; i++) {
		bool count = i == 0 || (i >= 4 && i <= 8) || i == 11 || i == 12;
		if (i != 3 && !within(column(q, i), count ? COUNT_MAX : AMOUNT_MAX))
			return implausible(l, "its platform");
	}
	if (column(q, 4) == NOT_GIVEN || column(q, 12) < 1 || column(q, 11) == 0)
		return implausible(l, "its platform");
	if (!read_word(l, q, 3, words_pool, &pooled))
		return false;
	*m = (struct audit_machine){
		.engines = column(q, 0),
		.copy_latency_ns = column(q, 1),
		.copy_bandwidth = or_else(column(q, 2), 0),
		.pooled = pooled,
		.sms = (uint32_t)column(q, 4),
		.sms_per_tpc = (uint32_t)column(q, 5),
		.threads_per_sm = or_else(column(q, 6), 0),
		.blocks = or_else(column(q, 7), INT64_MAX),
		.warps = or_else(column(q, 8), INT64_MAX),
		.registers = or_else(column(q, 9), INT64_MAX),
		.shared_memory = or_else(column(q, 10), INT64_MAX),
		.virtual_sms = (uint32_t)or_else(column(q, 11), 1),
		.work_queues = (uint32_t)column(q, 12),
		.pin_overhead_ns = column(q, 13),
		.static_uw = column(q, 14),
		.idle_uw = column(q, 15),
	};
	if (l->r->virtual_sms > 0) /* V_SM in force; a policy may choose it where the platform does not */
		m->virtual_sms = (uint32_t)l->r->virtual_sms;
	m->threads = m->threads_per_sm ? m->threads_per_sm : INT64_MAX;
	if (m->pooled)
		m->threads = m->threads_per_sm * (int64_t)m->sms;
	return true;
}

/* ---- Tasks ---- */

static bool load_task_row(struct recording_loader *l, const struct db_cursor *q)
{
	struct recording *r = l->r;
	int64_t task = column(q, 1);
	if (task < 0 || task >= r->tasks || r->task[task].name)
		return error_set(l->err, STATUS_INPUT,
			"run %lld: the tasks of its set are not numbered from 0", (long long)r->run_id);
	if (!within(column(q, 3), TIME_MAX) || !within(column(q, 4), TIME_MAX) ||
		!within(column(q, 5), TIME_MAX) || column(q, 3) == 0 || column(q, 5) < 0)
		return implausible(l, "a task");
	struct member *t = &r->task[task];
	t->task_id = column(q, 0);
	t->period_ns = column(q, 3);
	t->deadline_ns = column(q, 4);
	t->offset_ns = column(q, 5);
	t->priority = column(q, 6);
	t->segments = (uint32_t)column(q, 7);
	t->segment = room(l, t->segments, sizeof(*t->segment));
	if (!t->segment || !copy_text(l, q, 2, &t->name))
		return false;
	r->by_id[task] = (struct task_name){t->task_id, (uint32_t)task};
	t->releases = r->releases;
	return !cursor_text(q, 8) || load_releases(l, q, 8, &t->releases);
}

static int compare_ids(const void *a, const void *b)
{
	const struct task_name *x = a, *y = b;
	return (x->task_id > y->task_id) - (x->task_id < y->task_id);
}

uint32_t recording_task(const struct recording *r, int64_t task_id)
{
	/* The ids of a set nearly always follow each other. */
	uint64_t guess = (uint64_t)task_id - (uint64_t)r->by_id[0].task_id;
	if (guess < r->tasks && r->by_id[guess].task_id == task_id)
		return r->by_id[guess].task;
	struct task_name key = {.task_id = task_id};
	const struct task_name *found = bsearch(&key, r->by_id, r->tasks, sizeof(key), compare_ids);
	return found ? found->task : UINT32_MAX;
}

struct part_of_task *recording_segment(const struct recording *r, int64_t task_id, int64_t index)
{
	uint32_t task = recording_task(r, task_id);
	bool has = task != UINT32_MAX && index >= 0 && index < r->task[task].segments;
	return has ? &r->task[task].segment[index] : NULL;
}

static bool load_jitter_row(struct recording_loader *l, const struct db_cursor *q)
{
	uint32_t task = recording_task(l->r, column(q, 0));
	if (task == UINT32_MAX || !within(column(q, 1), TIME_MAX) || column(q, 1) < 0)
		return implausible(l, "a task");
	l->r->task[task].releases.jitter_ns = column(q, 1);
	return true;
}

/* Recordings before version 4 have no jitter. */
static bool load_jitter(struct recording_loader *l)
{
	bool has;
	if (!reader_has(l->source, "task", "jitter_ns", &has, l->err))
		return false;
	return !has ||
	       for_each(l,
		       "SELECT task_id, jitter_ns FROM task WHERE taskset_id = ?1 AND jitter_ns IS NOT "
		       "NULL",
		       l->r->taskset_id, load_jitter_row);
}

static bool load_limit_row(struct recording_loader *l, const struct db_cursor *q)
{
	uint32_t task = recording_task(l->r, column(q, 0));
	if (task == UINT32_MAX || column(q, 1) < 1 || !within(column(q, 1), COUNT_MAX))
		return implausible(l, "a task");
	l->r->task[task].misses_in = column(q, 1);
	l->r->task[task].figures.window_misses = column(q, 2);
	return true;
}

/* Recordings before version 4 have no limits of misses. Call it when the figures are there. */
static bool load_limits(struct recording_loader *l)
{
	bool has;
	if (!reader_has(l->source, "task", "misses_in", &has, l->err))
		return false;
	return !has ||
	       for_each(l,
		       "SELECT t.task_id, t.misses_in, a.window_misses FROM task t JOIN run_task a USING "
		       "(task_id) WHERE a.run_id = ?1 AND t.misses_in IS NOT NULL",
		       l->r->run_id, load_limit_row);
}

/* {"2": [9, 5], "4": [31, 10]} */
static bool load_alphas(struct recording_loader *l, const char *text, struct part_of_task *s)
{
	json_t *table = json_loads(text, 0, NULL), *ratio;
	const char *key;
	s->alpha = room(l, (int64_t)json_object_size(table), sizeof(*s->alpha));
	if (s->alpha) {
		json_object_foreach(table, key, ratio) {
			s->alpha[s->alphas++] = (struct alpha){
				.virtual_sms = (uint32_t)strtoul(key, NULL, 10),
				.numerator = json_integer_value(json_array_get(ratio, 0)),
				.denominator = json_integer_value(json_array_get(ratio, 1)),
			};
		}
	}
	json_decref(table);
	return s->alpha != NULL;
}

static void place_on_queue(const struct recording *r, struct part_of_task *s, int64_t stream, uint32_t task)
{
	s->null_stream = stream == -2;
	s->queue = (stream >= 0 ? (uint32_t)stream : task) % r->machine.work_queues;
}

static bool load_segment_row(struct recording_loader *l, const struct db_cursor *q)
{
	struct recording *r = l->r;
	uint32_t task = recording_task(r, column(q, 0)), kind, form = 0, direction = 0;
	struct part_of_task *s = recording_segment(r, column(q, 0), column(q, 1));
	if (!s)
		return error_set(l->err, STATUS_INPUT, "run %lld: segments are not numbered from 0",
			(long long)r->run_id);
	if (!read_word(l, q, 2, words_segment, &kind) ||
		(kind == KIND_COPY && !read_word(l, q, 7, words_direction, &direction)) ||
		(kind == KIND_KERNEL && !read_word(l, q, 9, words_form, &form)))
		return false;
	for (int i = 10; i < 18; i++) {
		bool amount = i == 13 || i == 17;
		if (i != 15 && !within(column(q, i), i == 14 ? TIME_MAX : amount ? AMOUNT_MAX : COUNT_MAX))
			return implausible(l, "a segment");
	}
	if (!within(column(q, 3), TIME_MAX) || !within(column(q, 4), TIME_MAX) ||
		!within(column(q, 8), TIME_MAX) || column(q, 4) < column(q, 3))
		return implausible(l, "a segment");
	*s = (struct part_of_task){
		.kind = (enum kind)kind,
		.best_ns = column(q, 3),
		.worst_ns = column(q, 4),
		.high_stream = cursor_text(q, 6) && strcmp(cursor_text(q, 6), "high") == 0,
		.engine = direction == DIRECTION_TO_CPU && r->machine.engines == 2 ? 1 : 0,
		.bytes = column(q, 8),
		.form = (enum audit_form)form,
		.grid = or_else(column(q, 10), 0),
		.threads = or_else(column(q, 11), 0),
		.registers = or_else(column(q, 12), 0),
		.shared_memory = or_else(column(q, 13), 0),
		.overhead_ns = or_else(column(q, 14), 0),
		.profile = (uint32_t)or_else(column(q, 16), 0),
		.dynamic_uw = or_else(column(q, 17), 0),
	};
	r->task[task].has_kernels |= kind == KIND_KERNEL;
	if (s->kind != KIND_CPU)
		place_on_queue(r, s, or_else(column(q, 5), -1), task);
	if (s->kind == KIND_KERNEL && s->form == FORM_PROFILE && s->profile >= r->profiles)
		return error_set(l->err, STATUS_INPUT, "run %lld: task '%s' uses a profile that is not there",
			(long long)r->run_id, r->task[task].name);
	return !cursor_text(q, 15) || load_alphas(l, cursor_text(q, 15), s);
}

static bool load_profile_row(struct recording_loader *l, const struct db_cursor *q)
{
	struct recording *r = l->r;
	int64_t index = column(q, 0), sms = column(q, 1), count = column(q, 5);
	if (!within(column(q, 2), TIME_MAX) || !within(column(q, 3), TIME_MAX) || column(q, 2) < 0 ||
		column(q, 3) < column(q, 2) || !within(column(q, 4), AMOUNT_MAX))
		return implausible(l, "a profile");
	if (index < 0 || index >= r->profiles || sms < 1 || sms > count)
		return error_set(l->err, STATUS_INPUT, "run %lld: profiles are not numbered from 0",
			(long long)r->run_id);
	struct audit_profile *p = &r->profile[index];
	if (!p->on) {
		p->count = (uint32_t)count;
		p->on = room(l, count, sizeof(*p->on));
		if (!p->on)
			return false;
	}
	p->on[sms - 1] = (struct profile_point){column(q, 2), column(q, 3), column(q, 4)};
	return true;
}

/* "[0,2,3]": SMs in ascending order. */
static bool load_sm_set(struct recording_loader *l, const char *text, struct figures *f)
{
	json_t *list = json_loads(text, 0, NULL), *entry;
	size_t i;
	int64_t last = -1;
	f->sm_set = room(l, set_words(l->r), sizeof(*f->sm_set));
	f->set_damaged = !json_is_array(list);
	json_array_foreach(list, i, entry) {
		int64_t sm = json_is_integer(entry) ? json_integer_value(entry) : -1;
		if (sm <= last || sm >= l->r->most_sms)
			f->set_damaged = true;
		else if (f->sm_set)
			f->sm_set[sm / 64] |= (uint64_t)1 << (sm % 64);
		f->set_count++;
		last = sm;
	}
	json_decref(list);
	return f->sm_set != NULL;
}

static bool load_figures_row(struct recording_loader *l, const struct db_cursor *q)
{
	uint32_t task = recording_task(l->r, column(q, 0));
	if (task == UINT32_MAX)
		return error_set(l->err, STATUS_INPUT, "run %lld: run_task names a task of another set",
			(long long)l->r->run_id);
	struct figures *f = &l->r->task[task].figures;
	if (!within(column(q, 2), COUNT_MAX) || !within(column(q, 3), COUNT_MAX))
		return implausible(l, "run_task");
	*f = (struct figures){
		.present = true,
		.rank = column(q, 1),
		.sms = or_else(column(q, 2), 0),
		.virtual_sms = or_else(column(q, 3), 0),
		.jobs = column_bounded(q, 4),
		.misses = column_bounded(q, 5),
		.responses = column_bounded(q, 6),
		.min_ns = column(q, 7),
		.mean_ns = column(q, 8),
		.max_ns = column(q, 9),
		.lower_bound_ns = column(q, 10),
		.hist_jobs = or_else(column(q, 11), 0),
	};
	return !cursor_text(q, 12) || load_sm_set(l, cursor_text(q, 12), f);
}

/* Kernels of warps may have neither period nor deadline. */
static bool check_times(struct recording_loader *l)
{
	for (uint32_t i = 0; i < l->r->tasks && !l->r->warps; i++) {
		if (l->r->task[i].period_ns == NOT_GIVEN || l->r->task[i].deadline_ns == NOT_GIVEN)
			return implausible(l, "a task");
	}
	return true;
}

static bool load_tasks(struct recording_loader *l)
{
	struct recording *r = l->r;
	int64_t tasks, profiles;
	if (!query_number(l->source, "SELECT count(*) FROM task WHERE taskset_id = ?1", r->taskset_id, &tasks,
		    l->err) ||
		!query_number(l->source,
			"SELECT count(DISTINCT profile_idx) FROM profile WHERE taskset_id = ?1",
			r->taskset_id, &profiles, l->err))
		return false;
	if (tasks < 1)
		return error_set(
			l->err, STATUS_INPUT, "run %lld: its task set has no tasks", (long long)r->run_id);
	r->tasks = (uint32_t)tasks;
	r->profiles = (uint32_t)profiles;
	r->task = room(l, tasks, sizeof(*r->task));
	r->by_id = room(l, tasks, sizeof(*r->by_id));
	r->profile = room(l, profiles, sizeof(*r->profile));
	if (!r->task || !r->by_id || !r->profile)
		return false;
	if (!for_each(l,
		    "SELECT t.task_id, t.task_idx, t.name, t.period_ns, t.deadline_ns, t.offset_ns, "
		    "t.priority,"
		    " (SELECT count(*) FROM segment s WHERE s.task_id = t.task_id), t.release_kind, "
		    "t.max_delay_ppm, t.trace_id"
		    " FROM task t WHERE t.taskset_id = ?1",
		    r->taskset_id, load_task_row))
		return false;
	qsort(r->by_id, r->tasks, sizeof(*r->by_id), compare_ids);
	return load_jitter(l) &&
	       for_each(l,
		       "SELECT profile_idx, sms, best_ns, worst_ns, total_power_uw, (SELECT count(*) FROM "
		       "profile b"
		       " WHERE b.taskset_id = a.taskset_id AND b.profile_idx = a.profile_idx)"
		       " FROM profile a WHERE taskset_id = ?1",
		       r->taskset_id, load_profile_row) &&
	       for_each(l,
		       "SELECT s.task_id, s.segment_idx, s.kind, s.best_ns, s.worst_ns, s.stream,"
		       " s.stream_priority, s.direction, s.bytes, s.form, s.grid_blocks, s.block_threads, "
		       "s.registers,"
		       " s.shared_memory, s.overhead_ns, s.interleave, s.profile_idx, s.dynamic_uw"
		       " FROM segment s JOIN task t USING (task_id) WHERE t.taskset_id = ?1",
		       r->taskset_id, load_segment_row) &&
	       block_times_load(r, l->source, l->err) && programs_load(r, l->source, l->err) &&
	       samples_load(r, l->source, l->err) && carveout_load(r, l->source, l->err) &&
	       overheads_load(r, l->source, l->err) && cores_load(r, l->source, l->err) &&
	       chains_load(r, l->source, l->err) && flights_load(r, l->source, l->err) &&
	       gpus_load_segments(r, l->source, l->err) && masks_load(r, l->source, l->err) &&
	       hands_load(r, l->source, l->err) &&
	       for_each(l,
		       "SELECT a.task_id, rank, sms, virtual_sms, a.jobs, misses, responses, min_response_ns,"
		       " mean_response_ns, max_response_ns, worst_lower_bound_ns, h.jobs, sm_set"
		       " FROM run_task a LEFT JOIN (SELECT task_id, sum(jobs) AS jobs FROM run_task_hist"
		       " WHERE run_id = ?1 GROUP BY task_id) h ON h.task_id = a.task_id WHERE a.run_id = ?1",
		       r->run_id, load_figures_row) &&
	       load_limits(l);
}

/* Can an operation of one task be in a queue behind another task's? */
static bool streams_shared(const struct recording *r)
{
	for (uint32_t i = 0; i < r->tasks; i++) {
		for (uint32_t k = 0; k < r->task[i].segments; k++) {
			const struct part_of_task *s = &r->task[i].segment[k];
			if (s->kind != KIND_CPU && (s->null_stream || s->queue != i))
				return true;
		}
	}
	return false;
}

bool recording_load(struct recording *r, struct db_reader *source, int64_t run_id, struct error *err)
{
	*r = (struct recording){.run_id = run_id};
	struct recording_loader l = {r, source, err};
	bool ok =
		for_each(&l,
			"SELECT r.taskset_id, r.platform_id, p.name, p.params, r.record, r.status, r.on_miss,"
			" r.execution, r.scale_ppm, r.stop_rule, r.ties, r.horizon_ns, r.limit_ns, "
			"r.stop_ns, "
			"r.window_ns,"
			" r.jobs, r.misses, r.energy_uj, r.energy_rest_uwns, r.release_kind, "
			"r.max_delay_ppm, "
			"r.trace_id"
			", s.explicit_priorities, r.seed, r.set_number, r.virtual_sms_per_sm, p.version"
			" FROM run r JOIN policy p USING "
			"(policy_id)"
			" JOIN taskset s USING (taskset_id) WHERE run_id = ?1",
			run_id, load_run_row) &&
		for_each(&l,
			"SELECT engines, copy_latency_ns, copy_bandwidth, pool, sms, sms_per_tpc, "
			"threads_per_sm,"
			" blocks_per_sm, warps_per_sm, registers_per_sm, shared_memory_per_sm, "
			"virtual_sms_per_sm, work_queues,"
			" pin_overhead_ns, static_uw, idle_per_sm_uw FROM platform WHERE platform_id = ?1",
			r->platform_id, load_machine_row) &&
		(r->machine.work_queues > 0 || implausible(&l, "its platform")) && /* the value is missing */
		gpus_load(r, source, err) && load_tasks(&l) && warps_load(r, source, err) && check_times(&l);
	if (!ok)
		return false;
	r->streams_shared = streams_shared(r);
	promise_find(r); /* also depends on what the tasks were given */
	return order_chunks_load(&r->ready, &order_of_intervals, source, r->run_id, err) &&
	       contexts_load(r, source, err) && placed_load(r, source, err) && shapes_derive(r, err);
}

void recording_finish(struct recording *r)
{
	order_chunks_finish(&r->ready);
	arena_finish(&r->arena);
	*r = (struct recording){0};
}
