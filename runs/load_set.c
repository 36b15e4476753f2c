/* runs/load_set.c - reads a recorded task set: tasks, segments, profiles, rules for releases (runs/load.h).
 * Recordings of programs before lack some columns and tables. */
#include <string.h>

#include "runs/load_private.h"

/* ---- releases ---- */

static bool release_row(struct loading *l, struct db_cursor *c)
{
	struct release_rule *rule = l->rule;
	load_row(l, c, "trace_release", 2);
	load_next(l, 1, rule->trace_count);
	if (!LOAD_ROOM(l, rule->trace_ns, rule->trace_count))
		return false;
	rule->trace_ns[rule->trace_count++] = LOAD_ANY(l, 2);
	return true;
}

static bool duration_row(struct loading *l, struct db_cursor *c)
{
	struct release_rule *rule = l->rule;
	load_row(l, c, "trace_duration", 3);
	if (!LOAD_ROOM(l, rule->durations, rule->duration_count))
		return false;
	rule->durations[rule->duration_count++] = (struct trace_duration){
		.job = LOAD_COUNT(l, 1),
		.segment = LOAD_COUNT(l, 2),
		.duration_ns = LOAD_ANY(l, 3),
	};
	return true;
}

bool load_rule(struct loading *l, int column, struct release_rule *rule)
{
	*rule = (struct release_rule){
		.kind = (enum release_kind)load_needed_word(l, column, release_kind_named),
		.max_delay_ppm = LOAD_ANY_OR(l, column + 1, 0),
	};
	if (rule->kind != RELEASE_TRACE)
		return !l->bad;
	int64_t trace = LOAD_ANY(l, column + 2);
	l->rule = rule;
	return !l->bad && LOAD_ROOM(l, rule->trace_ns, 0) && LOAD_ROOM(l, rule->durations, 0) &&
	       load_each(l,
		       "SELECT trace_id, seq, release_ns FROM trace_release WHERE trace_id = ?1 ORDER BY seq",
		       trace, 0, release_row) >= 0 &&
	       load_each(l,
		       "SELECT trace_id, seq, segment_idx, duration_ns FROM trace_duration WHERE trace_id = "
		       "?1 ORDER BY seq, segment_idx",
		       trace, 0, duration_row) >= 0;
}

/* ---- segments ---- */

static bool interleave_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = l->segment;
	load_row(l, c, "segment", 2);
	if (!LOAD_ROOM(l, s->interleave, s->interleaves))
		return false;
	s->interleave[s->interleaves++] = (struct interleave){
		.virtual_sms = LOAD_COUNT(l, 2),
		.numerator = LOAD_ANY(l, 3),
		.denominator = LOAD_ANY(l, 4),
	};
	return true;
}

static bool segment_row(struct loading *l, struct db_cursor *c)
{
	struct task *t = l->task;
	load_row(l, c, "segment", 2);
	load_next(l, 1, t->segment_count);
	if (!LOAD_ROOM(l, t->segments, t->segment_count))
		return false;
	struct segment *s = l->segment = &t->segments[t->segment_count++];
	*s = (struct segment){
		.kind = (enum segment_kind)load_needed_word(l, 2, segment_kind_named),
		.best_ns = LOAD_ANY_OR(l, 3, 0),
		.worst_ns = LOAD_ANY_OR(l, 4, 0),
		.stream = (int32_t)load_number_or(l, 5, 0, INT32_MIN, INT32_MAX),
		.stream_high = cursor_text(c, 6) && strcmp(cursor_text(c, 6), "high") == 0,
		.direction = (enum copy_direction)load_word(l, 7, copy_direction_named),
		.bytes = load_number_or(l, 8, -1, 0, INT64_MAX),
		.form = (enum kernel_form)load_word(l, 9, kernel_form_named),
		.grid = LOAD_COUNT_OR_0(l, 10),
		.block = LOAD_COUNT_OR_0(l, 11),
		.registers = LOAD_ANY_OR(l, 12, 0),
		.shared_memory = LOAD_ANY_OR(l, 13, 0),
		.overhead_ns = LOAD_ANY_OR(l, 14, 0),
		.profile = (int32_t)load_number_or(l, 15, -1, 0, INT32_MAX),
		.power_uw = LOAD_ANY_OR(l, 16, 0),
	};
	return cursor_kind(c, 17) == VALUE_NULL ||
	       load_each(l,
		       "SELECT task_id, segment_idx, CAST(key AS INTEGER) AS interleave, json_extract(value, "
		       "'$[0]') AS interleave, json_extract(value, '$[1]') AS interleave FROM segment, "
		       "json_each(segment.interleave) WHERE task_id = ?1 AND segment_idx = ?2 ORDER BY 3",
		       LOAD_ANY(l, 0), t->segment_count - 1, interleave_row) >= 0;
}

#define SEGMENT_SQL                                                                                          \
	"SELECT task_id, segment_idx, kind, best_ns, worst_ns, stream, stream_priority, direction, bytes, "  \
	"form, grid_blocks, block_threads, registers, shared_memory, overhead_ns, profile_idx, dynamic_uw, " \
	"interleave FROM segment WHERE task_id = ?1 ORDER BY segment_idx"

/* ---- tasks ---- */

static bool task_row(struct loading *l, struct db_cursor *c)
{
	struct taskset *set = &l->run->set;
	load_row(l, c, "task", 1);
	load_next(l, 1, set->task_count);
	if (!LOAD_ROOM(l, set->tasks, set->task_count))
		return false;
	struct task *t = l->task = &set->tasks[set->task_count++];
	*t = (struct task){
		.name = load_name(l, 2),
		.period_ns = LOAD_ANY_OR(l, 3, 0),
		.deadline_ns = LOAD_ANY_OR(l, 4, 0),
		.offset_ns = LOAD_ANY(l, 5),
		.priority = LOAD_ANY_OR(l, 6, 0),
	};
	if (set->priorities && cursor_kind(c, 6) == VALUE_NULL)
		return load_damaged(l, "priority is NULL: all tasks of its set have one");
	if (cursor_kind(c, 7) != VALUE_NULL) {
		t->release = arena_new(load_arena(l), struct release_rule, 1);
		if (!t->release)
			return load_no_memory(l);
		if (!load_rule(l, 7, t->release))
			return false;
	}
	return !l->bad && load_each(l, SEGMENT_SQL, LOAD_ANY(l, 0), 0, segment_row) >= 0;
}

#define TASK_SQL                                                                                             \
	"SELECT task_id, task_idx, name, period_ns, deadline_ns, offset_ns, priority, release_kind, "        \
	"max_delay_ppm, trace_id FROM task WHERE taskset_id = ?1 ORDER BY task_idx"

/* Times of blocks where blocks differ. A kernel has such rows, and all of them have a share, or none. */
static bool block_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "segment_block", 3);
	struct segment *s = load_segment_of(l);
	bool own = cursor_kind(c, 3) == VALUE_NULL;
	if (s && !s->times) {
		s->times = arena_new(load_arena(l), struct block_times, 1);
		if (!s->times)
			return load_no_memory(l);
		s->times->own_draws = own;
	}
	if (!s || (load_next(l, 2, s->times->count), !LOAD_ROOM(l, s->times->block, s->times->count)))
		return false;
	if (own != s->times->own_draws)
		return load_damaged(l, "share_ppm is of all blocks of the kernel, or of none");
	s->times->block[s->times->count++] = (struct block_time){
		.share_ppm = LOAD_ANY_OR(l, 3, 0),
		.best_ns = LOAD_ANY_OR(l, 4, 0),
		.worst_ns = LOAD_ANY_OR(l, 5, 0),
	};
	return true;
}

/* Measured times. */
static bool sample_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "segment_sample", 3);
	struct segment *s = load_segment_of(l);
	if (!s || (load_next(l, 2, s->sample_count), !LOAD_ROOM(l, s->samples, s->sample_count)))
		return false;
	s->samples[s->sample_count++] = LOAD_ANY(l, 3);
	return true;
}

static bool extra_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "task", 1);
	struct task *t = load_task_of(l);
	if (!t)
		return false;
	if (t->release)
		t->release->jitter_ns = LOAD_ANY_OR(l, 1, 0);
	t->misses_at_most = LOAD_COUNT_OR_0(l, 2);
	t->misses_in = LOAD_COUNT_OR_0(l, 3);
	return true;
}

static bool name_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "segment", 2);
	struct segment *s = load_segment_of(l);
	return s && (s->name = load_name(l, 2));
}

/* What a table, or a column of it (NULL: the table), says, if the recording has it. */
static bool load_if(
	struct loading *l, const char *table, const char *column, const char *sql, int64_t id, row_fn *fn)
{
	bool has;
	return reader_has(l->reader, table, column, &has, l->err) &&
	       (!has || load_each(l, sql, id, 0, fn) >= 0);
}

static bool load_details(struct loading *l, int64_t taskset_id)
{
	return load_if(l, "task", "jitter_ns",
		       "SELECT task_idx, jitter_ns, misses_at_most, misses_in FROM task WHERE taskset_id = "
		       "?1",
		       taskset_id, extra_row) &&
	       load_if(l, "task", "jitter_ns",
		       "SELECT task_idx, segment_idx, s.name FROM segment s JOIN task t USING (task_id) "
		       "WHERE t.taskset_id = ?1 AND s.name IS NOT NULL",
		       taskset_id, name_row) &&
	       load_if(l, "segment_block", NULL,
		       "SELECT task_idx, segment_idx, block, share_ppm, best_ns, worst_ns FROM "
		       "segment_block JOIN "
		       "task t USING (task_id) WHERE t.taskset_id = ?1 ORDER BY task_idx, segment_idx, block",
		       taskset_id, block_row) &&
	       load_if(l, "segment_sample", NULL,
		       "SELECT task_idx, segment_idx, sample, value_ns FROM segment_sample JOIN task t USING "
		       "(task_id) WHERE t.taskset_id = ?1 ORDER BY task_idx, segment_idx, sample",
		       taskset_id, sample_row);
}

/* ---- the set ---- */

static bool profile_row(struct loading *l, struct db_cursor *c)
{
	struct taskset *set = &l->run->set;
	load_row(l, c, "profile", 2);
	int64_t index = load_number(l, 0, 0, set->profile_count);
	bool powered = cursor_kind(c, 5) != VALUE_NULL;
	if (l->bad || index + 1 < set->profile_count || !LOAD_ROOM(l, set->profiles, set->profile_count))
		return load_damaged(l, "profiles without numbers of their own");
	if (index == set->profile_count) {
		set->profiles[set->profile_count++] = (struct profile){.name = load_name(l, 2)};
		struct profile *first = &set->profiles[index];
		if (powered && !LOAD_ROOM(l, first->total_power_uw, 0))
			return false;
	}
	struct profile *p = &set->profiles[index];
	uint32_t m = p->count;
	load_number(l, 1, m + 1, m + 1);
	if ((p->total_power_uw != NULL) != powered)
		return load_damaged(l, "a profile that has powers for some numbers of SMs");
	if (!LOAD_ROOM(l, p->best_ns, m) || !LOAD_ROOM(l, p->worst_ns, m) ||
		(powered && !LOAD_ROOM(l, p->total_power_uw, m)))
		return false;
	p->best_ns[m] = LOAD_ANY(l, 3);
	p->worst_ns[m] = LOAD_ANY(l, 4);
	if (powered)
		p->total_power_uw[m] = LOAD_ANY(l, 5);
	p->count++;
	return true;
}

static bool set_row(struct loading *l, struct db_cursor *c)
{
	struct taskset *set = &l->run->set;
	load_row(l, c, "taskset", 1);
	if (LOAD_ANY(l, 3) != LOAD_ANY(l, 4))
		return load_damaged(l, "its set has not as many tasks as it says");
	set->name = load_name(l, 1);
	set->priorities = load_number(l, 2, 0, 1) != 0;
	return LOAD_ROOM(l, set->tasks, 0) && LOAD_ROOM(l, set->profiles, 0);
}

bool load_set(struct loading *l, int64_t taskset_id)
{
	return load_one(l, "set",
		       "SELECT taskset_id, name, explicit_priorities, task_count, (SELECT count(*) FROM task "
		       "t WHERE t.taskset_id = s.taskset_id) FROM taskset s WHERE taskset_id = ?1",
		       taskset_id, set_row) &&
	       load_each(l,
		       "SELECT profile_idx, sms, name, best_ns, worst_ns, total_power_uw FROM profile WHERE "
		       "taskset_id = ?1 ORDER BY profile_idx, sms",
		       taskset_id, 0, profile_row) >= 0 &&
	       load_each(l, TASK_SQL, taskset_id, 0, task_row) >= 0 && load_details(l, taskset_id) &&
	       load_carveouts(l, taskset_id) && load_cores(l, taskset_id) && load_contexts(l, taskset_id) &&
	       load_chains(l, taskset_id) && load_flights(l, taskset_id) &&
	       load_gpu_segments(l, taskset_id) && load_masks(l, taskset_id) &&
	       load_programs(l, taskset_id) && load_warps(l, taskset_id);
}
