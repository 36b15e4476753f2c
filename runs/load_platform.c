/* runs/load_platform.c - reads a recorded platform: one row, and what recordings before version 4 do not say
 * of it (docs/model.md: "Carve-out", "Overheads", "Cores", "Contexts", "SM masks", "Several GPUs"). Ranges
 * are the judge's (models/judge.h). */
#include <stdio.h>

#include "runs/load_private.h"

void load_gpu(struct loading *l, struct platform *p)
{
	snprintf(p->name, sizeof(p->name), "%s", load_text(l, 0));
	p->engines = LOAD_COUNT(l, 2);
	p->copy_latency_ns = LOAD_ANY(l, 3);
	p->copy_bandwidth = LOAD_ANY_OR(l, 4, 0);
	p->pool = (enum pool)load_needed_word(l, 5, pool_named);
	p->sms = LOAD_COUNT(l, 6);
	p->sms_per_tpc = LOAD_COUNT(l, 7);
	p->threads_per_sm = LOAD_COUNT_OR_0(l, 8);
	p->blocks_per_sm = LOAD_COUNT_OR_0(l, 9);
	p->warps_per_sm = LOAD_COUNT_OR_0(l, 10);
	p->registers_per_sm = LOAD_ANY_OR(l, 11, 0);
	p->shared_memory_per_sm = LOAD_ANY_OR(l, 12, 0);
	p->virtual_sms_per_sm = LOAD_COUNT_OR_0(l, 13);
	p->work_queues = LOAD_COUNT(l, 14);
	p->pin_overhead_ns = LOAD_ANY(l, 15);
	p->static_uw = LOAD_ANY(l, 16);
	p->idle_per_sm_uw = LOAD_ANY(l, 17);
}

static bool platform_row(struct loading *l, struct db_cursor *c)
{
	struct platform *p = &l->run->platform;
	load_row(l, c, "platform", 1);
	*p = platform_default();
	p->cores = LOAD_COUNT(l, 1);
	load_gpu(l, p);
	return true;
}

#define PLATFORM_SQL                                                                                         \
	"SELECT name, cores, engines, copy_latency_ns, copy_bandwidth, pool, sms, sms_per_tpc, "             \
	"threads_per_sm, blocks_per_sm, warps_per_sm, registers_per_sm, shared_memory_per_sm, "              \
	"virtual_sms_per_sm, work_queues, pin_overhead_ns, static_uw, idle_per_sm_uw FROM platform WHERE "   \
	"platform_id = ?1"

/* Columns of the table, from the second on, if the recording has the first of them. */
static bool load_more(struct loading *l, int64_t platform_id, const char *column, const char *sql, row_fn *fn)
{
	bool has;
	return reader_has(l->reader, "platform", column, &has, l->err) &&
	       (!has || load_each(l, sql, platform_id, 0, fn) >= 0);
}
#define MORE "SELECT platform_id, "
#define OF_PLATFORM " FROM platform WHERE platform_id = ?1"

static bool overheads_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "platform", 1);
	l->run->platform.overheads = (struct overheads){
		.launch_ns = LOAD_ANY_OR(l, 1, 0),
		.latency_ns = LOAD_ANY_OR(l, 2, 0),
		.gap_ns = LOAD_ANY_OR(l, 3, 0),
		.sync_ns = LOAD_ANY_OR(l, 4, 0),
		.switch_ns = LOAD_ANY_OR(l, 5, 0),
		.release_ns = LOAD_ANY_OR(l, 6, 0),
	};
	return true;
}

static bool scheduling_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "platform", 1);
	l->run->platform.scheduling = (enum core_scheduling)load_word(l, 1, core_scheduling_named);
	return true;
}

static bool division_row(struct loading *l, struct db_cursor *c)
{
	struct divisions *d = &l->run->platform.divisions;
	load_row(l, c, "platform", 1);
	if (d->count == PLATFORM_MAX_DIVISIONS)
		return load_damaged(l, "it has too many divisions");
	d->bytes[d->count++] = LOAD_ANY(l, 1);
	return true;
}

static bool times_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "platform", 1);
	l->run->platform.contexts = (struct context_times){
		.timeslice_ns = LOAD_ANY_OR(l, 1, 0),
		.switch_ns = LOAD_ANY_OR(l, 2, 0),
		.reset_ns = LOAD_ANY_OR(l, 3, 0),
	};
	return true;
}

static bool resident_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "platform", 1);
	l->run->platform.resident_kernels = LOAD_COUNT_OR_0(l, 1);
	return true;
}

static bool delay_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "platform", 1);
	l->run->platform.preemption_delay_ns = LOAD_ANY_OR(l, 1, 0);
	return true;
}

bool load_platform(struct loading *l, int64_t id)
{
	return load_one(l, "platform", PLATFORM_SQL, id, platform_row) &&
	       load_more(l, id, "divisions",
		       MORE
		       "j.value AS divisions FROM platform, json_each(divisions) j WHERE platform_id = ?1 "
		       "ORDER BY j.value",
		       division_row) &&
	       load_more(l, id, "overhead_launch_ns",
		       MORE "overhead_launch_ns, overhead_latency_ns, overhead_gap_ns, overhead_sync_ns, "
			    "overhead_switch_ns, overhead_release_ns" OF_PLATFORM,
		       overheads_row) &&
	       load_more(l, id, "core_scheduling", MORE "core_scheduling" OF_PLATFORM, scheduling_row) &&
	       load_more(l, id, "timeslice_ns",
		       MORE "timeslice_ns, context_switch_ns, context_reset_ns" OF_PLATFORM, times_row) &&
	       load_gpus(l, id) &&
	       load_more(l, id, "resident_kernels", MORE "resident_kernels" OF_PLATFORM, resident_row) &&
	       load_more(l, id, "preemption_delay_ns", MORE "preemption_delay_ns" OF_PLATFORM, delay_row);
}

/* ---- what tasks and segments say to it ---- */

static bool core_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "task", 1);
	struct task *t = load_task_of(l);
	bool said = cursor_kind(c, 1) != VALUE_NULL;
	if (!t)
		return false;
	t->core = said ? (int32_t)load_number(l, 1, 0, INT32_MAX) : CORE_NOT_SAID;
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

static bool carveout_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "segment", 2);
	struct segment *s = load_segment_of(l);
	if (s)
		s->carveout = LOAD_ANY(l, 2);
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

static bool process_row(struct loading *l, struct db_cursor *c)
{
	struct taskset *set = &l->run->set;
	load_row(l, c, "task", 1);
	struct task *t = load_task_of(l);
	if (!t)
		return false;
	if (cursor_kind(c, 1) != VALUE_NULL)
		t->process = load_name(l, 1);
	bool said = cursor_kind(c, 2) != VALUE_NULL;
	if (t != set->tasks && said != set->gpu_priorities)
		return load_damaged(l, "all tasks of its set have a gpu_priority, or none");
	t->gpu_priority = LOAD_ANY_OR(l, 2, 0);
	set->gpu_priorities = said;
	t->best_effort = load_number_or(l, 3, 0, 0, 1) != 0;
	return true;
}

static bool idempotent_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "segment", 2);
	struct segment *s = load_segment_of(l);
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
			"SELECT task_idx, process, gpu_priority, best_effort FROM task WHERE taskset_id = "
			"?1 ORDER BY task_idx",
			taskset_id, 0, process_row) >= 0 &&
		       load_each(l,
			       "SELECT task_idx, segment_idx FROM segment JOIN task USING (task_id) WHERE "
			       "taskset_id = ?1 AND idempotent = 1",
			       taskset_id, 0, idempotent_row) >= 0);
}
