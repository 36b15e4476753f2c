/* runs/load.c - see runs/load.h. One small query per kind of thing; columns are in the order in which
 * the statement names them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/programs.h"
#include "models/warps/warp_set.h"
#include "policies/plugin/plugin.h"
#include "policies/registry.h"
#include "runs/load_private.h"

int64_t load_each(struct loading *l, const char *sql, int64_t first, int64_t second, row_fn *fn)
{
	struct rows q = rows_open(l->reader, sql, l->err);
	int64_t rows = 0;
	rows_bind(&q, 1, first);
	if (q.ok && cursor_parameters(q.c) > 1)
		rows_bind(&q, 2, second);
	for (; rows_next(&q); rows++)
		q.ok = fn(l, q.c);
	return rows_close(&q) ? rows : -1;
}

bool load_no_memory(struct loading *l)
{
	return error_memory(l->err, "a recorded run");
}

struct arena *load_arena(struct loading *l)
{
	return &l->run->set.arena;
}

int load_word(struct db_cursor *c, int column, int (*named)(const char *word))
{
	int value = named(cursor_text(c, column));
	return value < 0 ? 0 : value;
}

/* Names what is being read, for messages. */
#define SUBJECT_MAX 64
static const char *subject(const struct loading *l, char text[SUBJECT_MAX])
{
	bool run = l->run->run_id > 0;
	snprintf(text, SUBJECT_MAX, "%s %" PRId64, run ? "run" : "task set",
		run ? l->run->run_id : l->taskset_id);
	return text;
}

bool load_damaged(struct loading *l, const char *what)
{
	char who[SUBJECT_MAX];
	return error_set(l->err, STATUS_INPUT, "%s: the recording is damaged: %s", subject(l, who), what);
}

/* For a thing with one row. Foreign keys need not hold in a file that others have changed. */
static bool load_one(struct loading *l, const char *what, const char *sql, int64_t id, row_fn *fn)
{
	char who[SUBJECT_MAX];
	int64_t rows = load_each(l, sql, id, 0, fn);
	return rows > 0 || (rows == 0 && error_set(l->err, STATUS_INPUT, "%s: its %s is not in the recording",
						 subject(l, who), what));
}

/* ---- platform ---- */

static bool platform_row(struct loading *l, struct db_cursor *c)
{
	struct platform *p = &l->run->platform;
	*p = platform_default();
	int64_t cores = cursor_integer(c, 1);
	p->cores = (uint32_t)cores;
	return cores >= 1 && cores <= (int64_t)PLATFORM_MAX_CORES
		       ? load_gpu(l, c, p)
		       : load_damaged(l, "its platform has an impossible number of cores");
}

#define PLATFORM_SQL                                                                                         \
	"SELECT name, cores, engines, copy_latency_ns, copy_bandwidth, pool, sms, sms_per_tpc, "             \
	"threads_per_sm, blocks_per_sm, warps_per_sm, registers_per_sm, shared_memory_per_sm, "              \
	"virtual_sms_per_sm, work_queues, pin_overhead_ns, static_uw, idle_per_sm_uw FROM platform WHERE "   \
	"platform_id = ?1"

static bool load_platform(struct loading *l, int64_t platform_id)
{
	return load_one(l, "platform", PLATFORM_SQL, platform_id, platform_row) &&
	       load_divisions(l, platform_id) && load_overheads(l, platform_id) &&
	       load_scheduling(l, platform_id) && load_context_times(l, platform_id) &&
	       load_gpus(l, platform_id) && load_resident_kernels(l, platform_id) &&
	       load_preemption_delay(l, platform_id);
}

/* ---- releases ---- */

static bool count_row(struct loading *l, struct db_cursor *c)
{
	l->rule->trace_count = (uint32_t)cursor_integer(c, 0);
	l->rule->duration_count = (uint32_t)cursor_integer(c, 1);
	l->rule->trace_ns = arena_new(load_arena(l), int64_t, l->rule->trace_count);
	l->rule->durations = arena_new(load_arena(l), struct trace_duration, l->rule->duration_count);
	l->rule->trace_count = l->rule->duration_count = 0;
	return (l->rule->trace_ns && l->rule->durations) || load_no_memory(l);
}

static bool release_row(struct loading *l, struct db_cursor *c)
{
	l->rule->trace_ns[l->rule->trace_count++] = cursor_integer(c, 0);
	return true;
}

static bool duration_row(struct loading *l, struct db_cursor *c)
{
	l->rule->durations[l->rule->duration_count++] = (struct trace_duration){
		.job = (uint32_t)cursor_integer(c, 0),
		.segment = (uint32_t)cursor_integer(c, 1),
		.duration_ns = cursor_integer(c, 2),
	};
	return true;
}

/* Columns kind, max_delay, trace of the cursor, from `column` on. */
static bool load_rule(struct loading *l, struct db_cursor *c, int column, struct release_rule *rule)
{
	*rule = (struct release_rule){
		.kind = (enum release_kind)load_word(c, column, release_kind_named),
		.max_delay_ppm = cursor_integer(c, column + 1),
	};
	if (rule->kind != RELEASE_TRACE)
		return true;
	int64_t trace = cursor_integer(c, column + 2);
	l->rule = rule;
	return load_each(l,
		       "SELECT (SELECT count(*) FROM trace_release WHERE trace_id = ?1), "
		       "(SELECT count(*) FROM trace_duration WHERE trace_id = ?1)",
		       trace, 0, count_row) >= 0 &&
	       load_each(l, "SELECT release_ns FROM trace_release WHERE trace_id = ?1 ORDER BY seq", trace, 0,
		       release_row) >= 0 &&
	       load_each(l,
		       "SELECT seq, segment_idx, duration_ns FROM trace_duration WHERE trace_id = ?1 "
		       "ORDER BY seq, segment_idx",
		       trace, 0, duration_row) >= 0;
}

/* ---- task set ---- */

static bool interleave_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = l->segment;
	s->interleave[s->interleaves++] = (struct interleave){
		.virtual_sms = (uint32_t)cursor_integer(c, 0),
		.numerator = cursor_integer(c, 1),
		.denominator = cursor_integer(c, 2),
	};
	return true;
}

static bool load_interleave(struct loading *l, int64_t task_id, uint32_t index)
{
	enum { MOST = 64 };
	l->segment->interleave = arena_new(load_arena(l), struct interleave, MOST);
	if (!l->segment->interleave)
		return load_no_memory(l);
	return load_each(l,
		       "SELECT CAST(key AS INTEGER) v, json_extract(value, '$[0]'), json_extract(value, "
		       "'$[1]') FROM segment, json_each(segment.interleave) WHERE task_id = ?1 AND "
		       "segment_idx = ?2 ORDER BY v LIMIT 64",
		       task_id, index, interleave_row) >= 0;
}

static bool segment_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = &l->task->segments[l->task->segment_count++];
	*s = (struct segment){
		.kind = (enum segment_kind)load_word(c, 0, segment_kind_named),
		.best_ns = cursor_integer(c, 1),
		.worst_ns = cursor_integer(c, 2),
		.stream = (int32_t)cursor_integer(c, 3),
		.stream_high = cursor_text(c, 4) && strcmp(cursor_text(c, 4), "high") == 0,
		.direction = (enum copy_direction)load_word(c, 5, copy_direction_named),
		.bytes = cursor_kind(c, 6) == VALUE_NULL ? -1 : cursor_integer(c, 6),
		.form = (enum kernel_form)load_word(c, 7, kernel_form_named),
		.grid = (uint32_t)cursor_integer(c, 8),
		.block = (uint32_t)cursor_integer(c, 9),
		.registers = cursor_integer(c, 10),
		.shared_memory = cursor_integer(c, 11),
		.overhead_ns = cursor_integer(c, 12),
		.profile = cursor_kind(c, 13) == VALUE_NULL ? -1 : (int32_t)cursor_integer(c, 13),
		.power_uw = cursor_integer(c, 14),
	};
	l->segment = s;
	return cursor_kind(c, 15) == VALUE_NULL ||
	       load_interleave(l, cursor_integer(c, 16), l->task->segment_count - 1);
}

#define SEGMENT_SQL                                                                                          \
	"SELECT kind, best_ns, worst_ns, stream, stream_priority, direction, bytes, form, grid_blocks, "     \
	"block_threads, registers, shared_memory, overhead_ns, profile_idx, dynamic_uw, interleave, "        \
	"task_id FROM segment WHERE task_id = ?1 ORDER BY segment_idx"

static bool task_row(struct loading *l, struct db_cursor *c)
{
	struct task *t = &l->run->set.tasks[l->run->set.task_count++];
	*t = (struct task){
		.name = arena_strdup(load_arena(l), cursor_text(c, 1)),
		.period_ns = cursor_integer(c, 2),
		.deadline_ns = cursor_integer(c, 3),
		.offset_ns = cursor_integer(c, 4),
		.priority = cursor_integer(c, 5),
	};
	t->segments = arena_new(load_arena(l), struct segment, (size_t)cursor_integer(c, 9));
	if (!t->name || !t->segments)
		return load_no_memory(l);
	if (cursor_kind(c, 6) != VALUE_NULL) {
		t->release = arena_new(load_arena(l), struct release_rule, 1);
		if (!t->release)
			return load_no_memory(l);
		if (!load_rule(l, c, 6, t->release))
			return false;
	}
	l->task = t;
	return load_each(l, SEGMENT_SQL, cursor_integer(c, 0), 0, segment_row) >= 0;
}

#define TASK_SQL                                                                                             \
	"SELECT task_id, name, period_ns, deadline_ns, offset_ns, priority, release_kind, max_delay_ppm, "   \
	"trace_id, (SELECT count(*) FROM segment s WHERE s.task_id = t.task_id) FROM task t WHERE "          \
	"taskset_id = ?1 ORDER BY task_idx"

struct segment *load_segment_of(struct loading *l, struct db_cursor *c)
{
	const struct taskset *set = &l->run->set;
	int64_t task = cursor_integer(c, 0), segment = cursor_integer(c, 1);
	if (task >= 0 && task < set->task_count && segment >= 0 && segment < set->tasks[task].segment_count)
		return &set->tasks[task].segments[segment];
	load_damaged(l, "its rows name a segment that is not there");
	return NULL;
}

/* A kernel has this many rows, and this many of them have a share: all of them, or none. */
static bool blocks_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = load_segment_of(l, c);
	if (!s)
		return false;
	s->times = arena_new(load_arena(l), struct block_times, 1);
	struct block_time *block = arena_new(load_arena(l), struct block_time, (size_t)cursor_integer(c, 2));
	if (!s->times || !block)
		return load_no_memory(l);
	*s->times = (struct block_times){.own_draws = cursor_integer(c, 3) == 0, .block = block};
	return true;
}

static bool block_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = load_segment_of(l, c);
	if (!s)
		return false;
	s->times->block[s->times->count++] = (struct block_time){
		.share_ppm = cursor_integer(c, 2),
		.best_ns = cursor_integer(c, 3),
		.worst_ns = cursor_integer(c, 4),
	};
	return true;
}

/* Times of blocks where blocks differ. Recordings before version 3 have none. */
static bool load_blocks(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!reader_has(l->reader, "segment_block", NULL, &has, l->err))
		return false;
	if (!has)
		return true;
	return load_each(l,
		       "SELECT task_idx, segment_idx, count(*), count(share_ppm) FROM segment_block JOIN "
		       "task t USING (task_id) WHERE t.taskset_id = ?1 GROUP BY task_idx, segment_idx",
		       taskset_id, 0, blocks_row) >= 0 &&
	       load_each(l,
		       "SELECT task_idx, segment_idx, share_ppm, best_ns, worst_ns FROM segment_block JOIN "
		       "task t USING (task_id) WHERE t.taskset_id = ?1 ORDER BY task_idx, segment_idx, block",
		       taskset_id, 0, block_row) >= 0;
}

/* Columns task, segment, number of samples; and task, segment, value. */
static bool samples_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = load_segment_of(l, c);
	if (!s)
		return false;
	s->samples = arena_new(load_arena(l), int64_t, (size_t)cursor_integer(c, 2));
	return s->samples || load_no_memory(l);
}

static bool sample_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = load_segment_of(l, c);
	if (!s)
		return false;
	s->samples[s->sample_count++] = cursor_integer(c, 2);
	return true;
}

/* Measured times. Recordings before version 4 have none. */
static bool load_samples(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!reader_has(l->reader, "segment_sample", NULL, &has, l->err))
		return false;
	if (!has)
		return true;
	return load_each(l,
		       "SELECT task_idx, segment_idx, count(*) FROM segment_sample JOIN task t USING "
		       "(task_id) WHERE t.taskset_id = ?1 GROUP BY task_idx, segment_idx",
		       taskset_id, 0, samples_row) >= 0 &&
	       load_each(l,
		       "SELECT task_idx, segment_idx, value_ns FROM segment_sample JOIN task t USING "
		       "(task_id) WHERE t.taskset_id = ?1 ORDER BY task_idx, segment_idx, sample",
		       taskset_id, 0, sample_row) >= 0;
}

static bool extra_row(struct loading *l, struct db_cursor *c)
{
	int64_t task = cursor_integer(c, 0);
	if (task < 0 || task >= l->run->set.task_count)
		return load_damaged(l, "its tasks are not numbered from 0");
	struct task *t = &l->run->set.tasks[task];
	if (t->release)
		t->release->jitter_ns = cursor_integer(c, 1);
	t->misses_at_most = (uint32_t)cursor_integer(c, 2);
	t->misses_in = (uint32_t)cursor_integer(c, 3);
	return true;
}

/* Columns task, segment, name. */
static bool name_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = load_segment_of(l, c);
	if (!s)
		return false;
	s->name = arena_strdup(load_arena(l), cursor_text(c, 2));
	return s->name || load_no_memory(l);
}

/* Release jitter, limits of misses, names of segments. Recordings before version 4 have none. */
static bool load_extras(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!reader_has(l->reader, "task", "jitter_ns", &has, l->err))
		return false;
	if (!has)
		return true;
	return load_each(l,
		       "SELECT task_idx, jitter_ns, misses_at_most, misses_in FROM task WHERE taskset_id "
		       "= ?1",
		       taskset_id, 0, extra_row) >= 0 &&
	       load_each(l,
		       "SELECT task_idx, segment_idx, s.name FROM segment s JOIN task t USING "
		       "(task_id) WHERE "
		       "t.taskset_id = ?1 AND s.name IS NOT NULL",
		       taskset_id, 0, name_row) >= 0;
}

static bool profile_point_row(struct loading *l, struct db_cursor *c)
{
	int64_t index = cursor_integer(c, 0);
	if (index < 0 || index >= l->run->set.profile_count)
		return load_damaged(l, "profiles without numbers of their own");
	struct profile *p = &l->run->set.profiles[index];
	uint32_t m = p->count++;
	if (m > 0 && (p->total_power_uw == NULL) != (cursor_kind(c, 3) == VALUE_NULL))
		return load_damaged(l, "a profile that has powers for some numbers of SMs");
	p->best_ns[m] = cursor_integer(c, 1);
	p->worst_ns[m] = cursor_integer(c, 2);
	if (cursor_kind(c, 3) == VALUE_NULL)
		p->total_power_uw = NULL;
	else
		p->total_power_uw[m] = cursor_integer(c, 3);
	return true;
}

static bool profile_row(struct loading *l, struct db_cursor *c)
{
	struct profile *p = &l->run->set.profiles[l->run->set.profile_count++];
	size_t points = (size_t)cursor_integer(c, 2);
	*p = (struct profile){
		.name = arena_strdup(load_arena(l), cursor_text(c, 1)),
		.best_ns = arena_new(load_arena(l), int64_t, points),
		.worst_ns = arena_new(load_arena(l), int64_t, points),
		.total_power_uw = arena_new(load_arena(l), int64_t, points),
	};
	return (p->name && p->best_ns && p->worst_ns && p->total_power_uw) || load_no_memory(l);
}

static bool set_row(struct loading *l, struct db_cursor *c)
{
	struct taskset *set = &l->run->set;
	if (cursor_integer(c, 2) != cursor_integer(c, 4))
		return load_damaged(l, "its set has not as many tasks as it says");
	set->name = arena_strdup(load_arena(l), cursor_text(c, 0));
	set->priorities = cursor_integer(c, 1) != 0;
	set->tasks = arena_new(load_arena(l), struct task, (size_t)cursor_integer(c, 2));
	set->profiles = arena_new(load_arena(l), struct profile, (size_t)cursor_integer(c, 3));
	return (set->name && set->tasks && set->profiles) || load_no_memory(l);
}

static bool load_set(struct loading *l, int64_t taskset_id)
{
	return load_one(l, "set",
		       "SELECT name, explicit_priorities, task_count, (SELECT count(DISTINCT profile_idx) "
		       "FROM profile p WHERE p.taskset_id = s.taskset_id), (SELECT count(*) FROM task t "
		       "WHERE t.taskset_id = s.taskset_id) FROM taskset s WHERE taskset_id = ?1",
		       taskset_id, set_row) &&
	       load_each(l,
		       "SELECT profile_idx, name, count(*) FROM profile WHERE taskset_id = ?1 GROUP BY "
		       "profile_idx ORDER BY profile_idx",
		       taskset_id, 0, profile_row) >= 0 &&
	       load_each(l,
		       "SELECT profile_idx, best_ns, worst_ns, total_power_uw FROM profile WHERE taskset_id "
		       "= ?1 ORDER BY profile_idx, sms",
		       taskset_id, 0, profile_point_row) >= 0 &&
	       load_each(l, TASK_SQL, taskset_id, 0, task_row) >= 0 && load_extras(l, taskset_id) &&
	       load_carveouts(l, taskset_id) && load_cores(l, taskset_id) && load_contexts(l, taskset_id) &&
	       load_blocks(l, taskset_id) && load_samples(l, taskset_id) && load_chains(l, taskset_id) &&
	       load_flights(l, taskset_id) && load_gpu_segments(l, taskset_id) && load_masks(l, taskset_id) &&
	       load_programs(l, taskset_id) && load_warps(l, taskset_id);
}

/* ---- policy ---- */

static bool param_row(struct loading *l, struct db_cursor *c)
{
	struct error reason;
	const char *name = cursor_text(c, 0), *value = cursor_text(c, 1);
	if (!name || !value)
		return load_damaged(l, "the policy's options are none");
	if (params_set(&l->run->params, name, value, &reason))
		return true;
	return error_set(l->err, reason.status, "policy %s %s", l->run->policy->name, reason.text);
}

static bool policy_row(struct loading *l, struct db_cursor *c)
{
	const char *name = cursor_text(c, 0), *plugin = cursor_text(c, 1);
	snprintf(l->run->plugin, sizeof(l->run->plugin), "%s", plugin ? plugin : "");
	l->run->policy_version = cursor_integer(c, 2);
	l->run->policy = plugin ? plugin_find(name) : policy_find(name);
	char who[SUBJECT_MAX];
	if (!l->run->policy && plugin)
		return error_set(l->err, STATUS_INPUT,
			"%s is under policy '%s' of a plug-in, a file whose "
			"SHA-256 begins with %s: name that file with -p",
			subject(l, who), name, plugin);
	if (!l->run->policy)
		return error_set(l->err, STATUS_INPUT,
			"%s is under policy '%s', which this program does not have", subject(l, who), name);
	params_default(&l->run->params, l->run->policy->options);
	return true;
}

static bool load_policy(struct loading *l, int64_t policy_id)
{
	return load_one(l, "policy",
		       "SELECT name, json_extract(params, '$." PLUGIN_OPTION
		       "'), version FROM policy WHERE policy_id = ?1",
		       policy_id, policy_row) &&
	       load_each(l,
		       "SELECT j.key, CASE j.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' "
		       "ELSE j.value END FROM policy, json_each(policy.params) j WHERE policy_id = "
		       "?1 AND j.key IS NOT '" PLUGIN_OPTION "'",
		       policy_id, 0, param_row) >= 0;
}

/* ---- run ---- */

static bool run_row(struct loading *l, struct db_cursor *c)
{
	struct loaded_run *run = l->run;
	run->setup = (struct run_setup){
		.seed = (uint64_t)cursor_integer(c, 3),
		.set = (uint32_t)cursor_integer(c, 4),
		.horizon_ns = cursor_integer(c, 5),
		.stop = (enum stop_rule)load_word(c, 6, stop_rule_named),
		.limit_ns = cursor_integer(c, 7),
		.execution = (enum execution_kind)load_word(c, 11, execution_kind_named),
		.scale_ppm = cursor_integer(c, 12),
		.on_miss = (enum on_miss)load_word(c, 13, on_miss_named),
		.ties = (enum ties)load_word(c, 14, ties_named),
	};
	run->record = (enum record_level)load_word(c, 15, record_level_named);
	run->replication = cursor_integer(c, 16);
	snprintf(run->status, sizeof(run->status), "%s", cursor_text(c, 17));
	snprintf(run->digest, sizeof(run->digest), "%s", cursor_text(c, 18) ? cursor_text(c, 18) : "");
	bool identified;
	if (!reader_has(l->reader, "run", "events_digest", &identified, l->err))
		return false;
	run->digest_of_events = !identified;
	return load_rule(l, c, 8, &run->setup.release) && load_set(l, cursor_integer(c, 0)) &&
	       load_platform(l, cursor_integer(c, 1)) && load_policy(l, cursor_integer(c, 2));
}

#define RUN_SQL                                                                                              \
	"SELECT taskset_id, platform_id, policy_id, seed, set_number, horizon_ns, stop_rule, limit_ns, "     \
	"release_kind, max_delay_ppm, trace_id, execution, scale_ppm, on_miss, ties, record, replication, "  \
	"status, digest FROM run WHERE run_id = ?1"

static void report(void *self, uint32_t task, uint32_t segment, const char *text)
{
	struct loading *l = self;
	char who[SUBJECT_MAX];
	(void)segment;
	error_set(l->err, STATUS_INPUT, "%s, task %u: %s", subject(l, who), task, text);
}

static void report_warps(void *self, uint32_t kernel, const char *text)
{
	struct loading *l = self;
	char who[SUBJECT_MAX];
	if (kernel == UINT32_MAX)
		error_set(l->err, STATUS_INPUT, "%s: %s", subject(l, who), text);
	else
		report(self, kernel, 0, text);
}

static void report_programs(void *self, uint32_t program, const char *text)
{
	struct loading *l = self;
	char who[SUBJECT_MAX];
	(void)program;
	error_set(l->err, STATUS_INPUT, "%s: a kernel's program: %s", subject(l, who), text);
}

static bool check(struct loading *l)
{
	struct loaded_run *run = l->run;
	const struct program_set *programs = run->set.programs;
	return taskset_check(&run->set, &run->platform, report, l) == 0 &&
	       (!programs || warp_set_check(programs->warps, &run->platform, report_programs, l) == 0) &&
	       (!run->set.warps || warp_set_check(run->set.warps, &run->platform, report_warps, l) == 0);
}

bool load_run(struct db_reader *reader, int64_t run_id, struct loaded_run *run, struct error *err)
{
	struct loading l = {.reader = reader, .run = run, .err = err};
	*run = (struct loaded_run){.run_id = run_id};
	taskset_init(&run->set);
	int64_t rows = load_each(&l, RUN_SQL, run_id, 0, run_row);
	if (rows == 0)
		error_set(err, STATUS_INPUT, "the recording has no run %" PRId64, run_id);
	if (rows == 1 && check(&l))
		return true;
	loaded_run_finish(run);
	return false;
}

bool load_subject(struct db_reader *reader, int64_t taskset_id, int64_t platform_id, int64_t policy_id,
	struct loaded_run *run, struct error *err)
{
	struct loading l = {.reader = reader, .run = run, .taskset_id = taskset_id, .err = err};
	*run = (struct loaded_run){.setup = {.horizon_ns = 1, .limit_ns = 10, .seed = 1}};
	taskset_init(&run->set);
	bool ok = load_set(&l, taskset_id) && load_platform(&l, platform_id) &&
		  (policy_id == 0 || load_policy(&l, policy_id));
	if (ok && check(&l))
		return true;
	loaded_run_finish(run);
	return false;
}

void loaded_run_finish(struct loaded_run *run)
{
	taskset_finish(&run->set);
}
