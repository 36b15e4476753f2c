/* runs/load_gpus.c - reads several GPUs of a platform, and on which one each segment is (docs/model.md,
 * "Several GPUs"). Recordings of programs before have one. */
#include "runs/load_private.h"

/* Columns: those of load_gpu(), which of the others in place of the cores; then what else it says. */
static bool gpu_row(struct loading *l, struct db_cursor *c)
{
	struct platform *first = &l->run->platform;
	uint32_t others = first->gpu_count > 0 ? first->gpu_count - 1 : 0;
	load_row(l, c, "platform", 2);
	load_next(l, 1, others);
	if (others + 1 >= PLATFORM_MAX_GPUS)
		return load_damaged(l, "its platform has too many GPUs");
	if (!LOAD_ROOM(l, l->gpus, others))
		return false;
	first->others = l->gpus;
	first->gpu_count = others + 2;
	struct platform *p = &l->gpus[others];
	*p = platform_default();
	p->gpu = others + 1;
	p->cores = first->cores;
	p->scheduling = first->scheduling;
	p->overheads = first->overheads;
	load_gpu(l, p);
	p->contexts = (struct context_times){.timeslice_ns = LOAD_ANY_OR(l, 18, 0),
		.switch_ns = LOAD_ANY_OR(l, 19, 0),
		.reset_ns = LOAD_ANY_OR(l, 20, 0)};
	p->resident_kernels = LOAD_COUNT_OR_0(l, 21);
	p->preemption_delay_ns = LOAD_ANY_OR(l, 22, 0);
	return true;
}

/* Columns: which of the others, and a size, in ascending order. */
static bool division_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "platform", 1);
	int64_t at = load_number(l, 0, 0, (int64_t)platform_gpus(&l->run->platform) - 2);
	struct divisions *d = l->bad ? NULL : &l->gpus[at].divisions;
	if (!d || d->count == PLATFORM_MAX_DIVISIONS)
		return load_damaged(l, "a GPU of its platform has too many divisions");
	d->bytes[d->count++] = LOAD_ANY(l, 1);
	return true;
}

#define OF(key) "json_extract(j.value, '$." key "') AS " key
/* clang-format off */
static const char gpus_sql[] = "SELECT "
	OF("name") ", j.key AS gpus, " OF("engines") ", " OF("copy_latency_ns") ", " OF("copy_bandwidth")
	", " OF("pool") ", " OF("sms") ", " OF("sms_per_tpc") ", " OF("threads_per_sm") ", "
	OF("blocks_per_sm") ", " OF("warps_per_sm") ", " OF("registers_per_sm") ", "
	OF("shared_memory_per_sm") ", " OF("virtual_sms_per_sm") ", " OF("work_queues") ", "
	OF("pin_overhead_ns") ", " OF("static_uw") ", " OF("idle_per_sm_uw") ", "
	OF("timeslice_ns") ", " OF("context_switch_ns") ", " OF("context_reset_ns") ", "
	OF("resident_kernels") ", " OF("preemption_delay_ns")
	" FROM platform, json_each(platform.gpus) j WHERE platform_id = ?1 ORDER BY j.key";
/* clang-format on */

bool load_gpus(struct loading *l, int64_t platform_id)
{
	bool has;
	if (!reader_has(l->reader, "platform", "gpus", &has, l->err))
		return false;
	return !has ||
	       (load_each(l, gpus_sql, platform_id, 0, gpu_row) >= 0 &&
		       load_each(l,
			       "SELECT j.key AS gpus, d.value AS divisions FROM platform, json_each(gpus) j, "
			       "json_each(j.value, '$.divisions') d WHERE platform_id = ?1 ORDER BY j.key, "
			       "d.value",
			       platform_id, 0, division_row) >= 0);
}

/* Columns: task, segment, GPU. */
static bool segment_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "segment", 2);
	struct segment *s = load_segment_of(l);
	if (s)
		s->gpu = LOAD_COUNT(l, 2);
	return s != NULL;
}

/* Columns: task, segment, profile. */
static bool profile_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "segment", 2);
	struct segment *s = load_segment_of(l);
	if (!s || !LOAD_ROOM(l, s->profiles, s->profile_count))
		return false;
	s->profiles[s->profile_count++] = (int32_t)load_number(l, 2, 0, INT32_MAX);
	return true;
}

/* Columns: task, segment, best, worst. */
static bool copy_time_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "segment", 2);
	struct segment *s = load_segment_of(l);
	if (!s || !LOAD_ROOM(l, s->copy_times, s->copy_time_count))
		return false;
	s->copy_times[s->copy_time_count++] =
		(struct copy_time){.best_ns = LOAD_ANY(l, 2), .worst_ns = LOAD_ANY(l, 3)};
	return true;
}

static bool load_copy_times(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!reader_has(l->reader, "segment", "copy_times", &has, l->err))
		return false;
	return !has ||
	       load_each(l,
		       "SELECT task_idx, segment_idx, json_extract(value, '$[0]') AS copy_times, "
		       "json_extract(value, '$[1]') AS copy_times FROM segment JOIN task t USING (task_id), "
		       "json_each(copy_times) WHERE t.taskset_id = ?1 ORDER BY task_idx, "
		       "segment_idx, json_each.key",
		       taskset_id, 0, copy_time_row) >= 0;
}

bool load_gpu_segments(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!load_copy_times(l, taskset_id) || !reader_has(l->reader, "segment", "gpu", &has, l->err))
		return false;
	return !has ||
	       (load_each(l,
			"SELECT task_idx, segment_idx, gpu FROM segment JOIN task t USING (task_id) WHERE "
			"t.taskset_id = ?1 AND gpu NOT NULL",
			taskset_id, 0, segment_row) >= 0 &&
		       load_each(l,
			       "SELECT task_idx, segment_idx, value AS profiles FROM segment JOIN task t "
			       "USING (task_id), json_each(profiles) WHERE t.taskset_id = ?1 ORDER BY "
			       "task_idx, segment_idx, json_each.key",
			       taskset_id, 0, profile_row) >= 0);
}
