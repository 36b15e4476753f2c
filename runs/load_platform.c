/* runs/load_platform.c - reads what recordings before version 4 do not say of a platform: how the memory of
 * SMs is divided (docs/model.md, "Carve-out"), overheads, how several cores are shared, and
 * contexts. */
#include <string.h>

#include "runs/load_private.h"

static bool overheads_row(struct loading *l, struct db_cursor *c)
{
	l->run->platform.overheads = (struct overheads){
		.launch_ns = cursor_integer(c, 0),
		.latency_ns = cursor_integer(c, 1),
		.gap_ns = cursor_integer(c, 2),
		.sync_ns = cursor_integer(c, 3),
		.switch_ns = cursor_integer(c, 4),
		.release_ns = cursor_integer(c, 5),
	};
	return true;
}

bool load_overheads(struct loading *l, int64_t platform_id)
{
	bool has;
	if (!reader_has(l->reader, "platform", "overhead_launch_ns", &has, l->err))
		return false;
	return !has || load_each(l,
			       "SELECT overhead_launch_ns, overhead_latency_ns, "
			       "overhead_gap_ns, overhead_sync_ns, overhead_switch_ns, "
			       "overhead_release_ns FROM platform WHERE platform_id = ?1",
			       platform_id, 0, overheads_row) >= 0;
}

static bool scheduling_row(struct loading *l, struct db_cursor *c)
{
	bool global = strcmp(cursor_text(c, 0), core_scheduling_name(CORES_GLOBAL)) == 0;
	l->run->platform.scheduling = global ? CORES_GLOBAL : CORES_PARTITIONED;
	return true;
}

bool load_scheduling(struct loading *l, int64_t platform_id)
{
	bool has;
	if (!reader_has(l->reader, "platform", "core_scheduling", &has, l->err))
		return false;
	return !has || load_each(l,
			       "SELECT core_scheduling FROM platform WHERE platform_id = ?1 AND "
			       "core_scheduling IS NOT NULL",
			       platform_id, 0, scheduling_row) >= 0;
}

static bool core_row(struct loading *l, struct db_cursor *c)
{
	int64_t task = cursor_integer(c, 0);
	if (task < 0 || task >= l->run->set.task_count)
		return error_set(l->err, STATUS_INPUT,
			"the recording is damaged: the tasks of a set are not numbered from 0");
	bool said = cursor_kind(c, 1) != VALUE_NULL;
	l->run->set.tasks[task].core = said ? (int32_t)cursor_integer(c, 1) : CORE_NOT_SAID;
	l->run->set.cores |= said;
	return true;
}

bool load_cores(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!reader_has(l->reader, "task", "core", &has, l->err))
		return false;
	return !has || load_each(l, "SELECT task_idx, core FROM task WHERE taskset_id = ?1", taskset_id, 0,
			       core_row) >= 0;
}

static bool division_row(struct loading *l, struct db_cursor *c)
{
	struct divisions *d = &l->run->platform.divisions;
	if (d->count == PLATFORM_MAX_DIVISIONS)
		return error_set(l->err, STATUS_INPUT,
			"the recording is damaged: a platform has more than %d divisions",
			PLATFORM_MAX_DIVISIONS);
	d->bytes[d->count++] = cursor_integer(c, 0);
	return true;
}

bool load_divisions(struct loading *l, int64_t platform_id)
{
	bool has;
	if (!reader_has(l->reader, "platform", "divisions", &has, l->err))
		return false;
	return !has || load_each(l,
			       "SELECT j.value FROM platform, json_each(divisions) j WHERE platform_id = ?1 "
			       "ORDER BY j.value",
			       platform_id, 0, division_row) >= 0;
}

static bool carveout_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = load_segment_of(l, c);
	if (s)
		s->carveout = cursor_integer(c, 2);
	return s != NULL;
}

bool load_carveouts(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!reader_has(l->reader, "segment", "carveout", &has, l->err))
		return false;
	return !has ||
	       load_each(l,
		       "SELECT task_idx, segment_idx, carveout FROM segment JOIN task USING (task_id) WHERE "
		       "taskset_id = ?1 AND carveout IS NOT NULL",
		       taskset_id, 0, carveout_row) >= 0;
}

/* ---- contexts: older recordings of version 4 have none either ---- */

static bool times_row(struct loading *l, struct db_cursor *c)
{
	l->run->platform.contexts = (struct context_times){
		.timeslice_ns = cursor_integer(c, 0),
		.switch_ns = cursor_integer(c, 1),
		.reset_ns = cursor_integer(c, 2),
	};
	return true;
}

bool load_context_times(struct loading *l, int64_t platform_id)
{
	bool has;
	if (!reader_has(l->reader, "platform", "timeslice_ns", &has, l->err))
		return false;
	return !has || load_each(l,
			       "SELECT timeslice_ns, context_switch_ns, context_reset_ns FROM platform WHERE "
			       "platform_id = ?1",
			       platform_id, 0, times_row) >= 0;
}

static bool process_row(struct loading *l, struct db_cursor *c)
{
	struct taskset *set = &l->run->set;
	int64_t index = cursor_integer(c, 0);
	if (index < 0 || index >= set->task_count)
		return error_set(
			l->err, STATUS_INPUT, "the recording is damaged: its tasks are not numbered from 0");
	struct task *t = &set->tasks[index];
	if (cursor_text(c, 1) && !(t->process = arena_strdup(load_arena(l), cursor_text(c, 1))))
		return load_no_memory(l);
	t->gpu_priority = cursor_integer(c, 2);
	set->gpu_priorities = set->gpu_priorities || cursor_kind(c, 2) != VALUE_NULL;
	t->best_effort = cursor_integer(c, 3) != 0;
	return true;
}

static bool idempotent_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = load_segment_of(l, c);
	if (s)
		s->idempotent = true;
	return s != NULL;
}

bool load_contexts(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!reader_has(l->reader, "task", "process", &has, l->err))
		return false;
	return !has ||
	       (load_each(l,
			"SELECT task_idx, process, gpu_priority, best_effort FROM task WHERE taskset_id = ?1",
			taskset_id, 0, process_row) >= 0 &&
		       load_each(l,
			       "SELECT task_idx, segment_idx FROM segment JOIN task USING (task_id) WHERE "
			       "taskset_id = ?1 AND idempotent = 1",
			       taskset_id, 0, idempotent_row) >= 0);
}
