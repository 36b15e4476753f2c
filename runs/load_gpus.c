/* runs/load_gpus.c - reads several GPUs of a platform, and on which one each segment is (docs/model.md,
 * "Several GPUs"). Recordings of programs before have one. */
#include "runs/load_private.h"

/* Column: how many others there are. */
static bool count_row(struct loading *l, struct db_cursor *c)
{
	int64_t others = cursor_integer(c, 0);
	struct platform *p = &l->run->platform;
	if (others < 0 || others >= (int64_t)PLATFORM_MAX_GPUS)
		return load_damaged(l, "its platform has too many GPUs");
	l->gpus = arena_new(load_arena(l), struct platform, (size_t)others);
	p->others = l->gpus;
	p->gpu_count = others > 0 ? (uint32_t)others + 1 : 0;
	return l->gpus || load_no_memory(l);
}

/* Columns: those of load_gpu(), which of the others in place of the cores; then what else it says. */
static bool gpu_row(struct loading *l, struct db_cursor *c)
{
	int64_t at = cursor_integer(c, 1);
	if (at < 0 || at + 1 >= (int64_t)l->run->platform.gpu_count || !cursor_text(c, 0) ||
		!cursor_text(c, 5))
		return load_damaged(l, "a GPU of its platform is none");
	struct platform *p = &l->gpus[at];
	*p = platform_default();
	p->gpu = (uint32_t)at + 1;
	p->cores = l->run->platform.cores;
	p->scheduling = l->run->platform.scheduling;
	p->overheads = l->run->platform.overheads;
	load_gpu(c, p);
	p->contexts = (struct context_times){.timeslice_ns = cursor_integer(c, 18),
		.switch_ns = cursor_integer(c, 19),
		.reset_ns = cursor_integer(c, 20)};
	p->resident_kernels = (uint32_t)cursor_integer(c, 21);
	return true;
}

/* Columns: which of the others, and a size, in ascending order. */
static bool division_row(struct loading *l, struct db_cursor *c)
{
	int64_t at = cursor_integer(c, 0);
	struct divisions *d =
		at >= 0 && at + 1 < (int64_t)l->run->platform.gpu_count ? &l->gpus[at].divisions : NULL;
	if (!d || d->count == PLATFORM_MAX_DIVISIONS)
		return load_damaged(l, "a GPU of its platform has too many divisions");
	d->bytes[d->count++] = cursor_integer(c, 1);
	return true;
}

#define OF(key) "json_extract(j.value, '$." key "'), "
/* clang-format off */
static const char gpus_sql[] = "SELECT "
	OF("name") "j.key, " OF("engines") OF("copy_latency_ns") OF("copy_bandwidth")
	OF("pool") OF("sms") OF("sms_per_tpc") OF("threads_per_sm") OF("blocks_per_sm") OF("warps_per_sm")
	OF("registers_per_sm") OF("shared_memory_per_sm") OF("virtual_sms_per_sm") OF("work_queues")
	OF("pin_overhead_ns") OF("static_uw") OF("idle_per_sm_uw") OF("timeslice_ns") OF("context_switch_ns")
	OF("context_reset_ns") "json_extract(j.value, '$.resident_kernels')"
	" FROM platform, json_each(gpus) j WHERE platform_id = ?1 ORDER BY j.key";
/* clang-format on */

bool load_gpus(struct loading *l, int64_t platform_id)
{
	bool has;
	if (!reader_has(l->reader, "platform", "gpus", &has, l->err))
		return false;
	return !has ||
	       (load_each(l,
			"SELECT json_array_length(gpus) FROM platform WHERE platform_id = ?1 AND gpus "
			"NOT NULL",
			platform_id, 0, count_row) >= 0 &&
		       load_each(l, gpus_sql, platform_id, 0, gpu_row) >= 0 &&
		       load_each(l,
			       "SELECT j.key, d.value FROM platform, json_each(gpus) j, json_each(j.value, "
			       "'$.divisions') d WHERE platform_id = ?1 ORDER BY j.key, d.value",
			       platform_id, 0, division_row) >= 0);
}

/* Columns: task, segment, GPU, number of profiles. */
static bool segment_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = load_segment_of(l, c);
	if (!s)
		return false;
	s->gpu = (uint32_t)cursor_integer(c, 2);
	s->profiles = arena_new(load_arena(l), int32_t, (size_t)cursor_integer(c, 3));
	return s->profiles || load_no_memory(l);
}

/* Columns: task, segment, profile. */
static bool profile_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = load_segment_of(l, c);
	if (!s)
		return false;
	int64_t profile = cursor_integer(c, 2);
	if (profile < 0 || profile >= (int64_t)l->run->set.profile_count)
		return load_damaged(l, "a kernel has a profile that is not there");
	s->profiles[s->profile_count++] = (int32_t)profile;
	return true;
}

/* Columns: task, segment, number of GPUs. */
static bool copy_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = load_segment_of(l, c);
	if (!s)
		return false;
	s->copy_times = arena_new(load_arena(l), struct copy_time, (size_t)cursor_integer(c, 2));
	return s->copy_times || load_no_memory(l);
}

/* Columns: task, segment, best, worst. */
static bool copy_time_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = load_segment_of(l, c);
	if (!s)
		return false;
	s->copy_times[s->copy_time_count++] =
		(struct copy_time){.best_ns = cursor_integer(c, 2), .worst_ns = cursor_integer(c, 3)};
	return true;
}

static bool load_copy_times(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!reader_has(l->reader, "segment", "copy_times", &has, l->err))
		return false;
	return !has ||
	       (load_each(l,
			"SELECT task_idx, segment_idx, (SELECT count(*) FROM json_each(copy_times)) FROM "
			"segment JOIN task t USING (task_id) WHERE t.taskset_id = ?1 AND copy_times NOT NULL",
			taskset_id, 0, copy_row) >= 0 &&
		       load_each(l,
			       "SELECT task_idx, segment_idx, json_extract(value, '$[0]'), "
			       "json_extract(value, '$[1]') FROM segment JOIN task t USING (task_id), "
			       "json_each(copy_times) WHERE t.taskset_id = ?1 ORDER BY task_idx, "
			       "segment_idx, json_each.key",
			       taskset_id, 0, copy_time_row) >= 0);
}

bool load_gpu_segments(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!load_copy_times(l, taskset_id))
		return false;
	if (!reader_has(l->reader, "segment", "gpu", &has, l->err))
		return false;
	return !has ||
	       (load_each(l,
			"SELECT task_idx, segment_idx, coalesce(gpu, 0), "
			"(SELECT count(*) FROM json_each(profiles)) FROM segment JOIN task t USING (task_id) "
			"WHERE t.taskset_id = ?1 AND (gpu NOT NULL OR profiles NOT NULL)",
			taskset_id, 0, segment_row) >= 0 &&
		       load_each(l,
			       "SELECT task_idx, segment_idx, value FROM segment JOIN task t USING "
			       "(task_id), "
			       "json_each(profiles) WHERE t.taskset_id = ?1 ORDER BY task_idx, "
			       "segment_idx, json_each.key",
			       taskset_id, 0, profile_row) >= 0);
}
