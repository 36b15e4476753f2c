/* runs/load_gpus.c - reads what a row says of a GPU, several GPUs of a platform, and on which one each
 * segment is (docs/model.md, "Several GPUs"). Recordings of programs before have one. */
#include <stdio.h>
#include <string.h>

#include "runs/load_private.h"

/* Nobody's times are longer: sums of some of them stay in 64 bits. */
#define LONGEST_NS (INT64_C(1) << 61)

/* Ranges of load_gpu()'s numbers, as the readers of scenarios have them; 0: not given. In a file that others
 * have changed there may be anything. */
static bool is_gpu(struct db_cursor *c)
{
	static const struct {
		int column;
		int64_t least, most;
	} ranges[] = {
		{2, ENGINES_UNLIMITED, 2}, /* engines */
		{3, 0, LONGEST_NS},
		{4, 0, INT64_MAX / 8}, /* bytes/s */
		{6, 0, PLATFORM_MAX_SMS},
		{7, 1, 2},       /* SMs per TPC */
		{8, 0, 1 << 20}, /* threads, blocks and warps per SM */
		{9, 0, 1 << 20},
		{10, 0, 1 << 20},
		{11, 0, INT32_MAX}, /* registers */
		{12, 0, INT64_C(1) << 40},
		{13, 0, 1024}, /* virtual SMs per SM */
		{14, 1, 4096}, /* work queues */
		{15, 0, LONGEST_NS},
		{16, 0, INT64_C(1000000000000)}, /* uW */
		{17, 0, INT64_C(1000000000000)},
	};
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		int64_t value = cursor_integer(c, ranges[i].column);
		if (value < ranges[i].least || value > ranges[i].most)
			return false;
	}
	return true;
}

bool load_gpu(struct loading *l, struct db_cursor *c, struct platform *p)
{
	if (!is_gpu(c))
		return load_damaged(l, "its platform has a number that no GPU has");
	snprintf(p->name, sizeof(p->name), "%s", cursor_text(c, 0));
	p->engines = (uint32_t)cursor_integer(c, 2);
	p->copy_latency_ns = cursor_integer(c, 3);
	p->copy_bandwidth = cursor_integer(c, 4);
	p->pool = strcmp(cursor_text(c, 5), pool_name(POOL_GPU)) == 0 ? POOL_GPU : POOL_SM;
	p->sms = (uint32_t)cursor_integer(c, 6);
	p->sms_per_tpc = (uint32_t)cursor_integer(c, 7);
	p->threads_per_sm = (uint32_t)cursor_integer(c, 8);
	p->blocks_per_sm = (uint32_t)cursor_integer(c, 9);
	p->warps_per_sm = (uint32_t)cursor_integer(c, 10);
	p->registers_per_sm = cursor_integer(c, 11);
	p->shared_memory_per_sm = cursor_integer(c, 12);
	p->virtual_sms_per_sm = (uint32_t)cursor_integer(c, 13);
	p->work_queues = (uint32_t)cursor_integer(c, 14);
	p->pin_overhead_ns = cursor_integer(c, 15);
	p->static_uw = cursor_integer(c, 16);
	p->idle_per_sm_uw = cursor_integer(c, 17);
	return true;
}

/* In pool gpu there is none. */
static bool load_delay(struct loading *l, struct platform *p, int64_t delay_ns)
{
	p->preemption_delay_ns = delay_ns;
	return (delay_ns >= 0 && delay_ns <= (p->pool == POOL_SM ? LONGEST_NS : 0)) ||
	       load_damaged(l, "its platform has an impossible preemption delay");
}

static bool delay_row(struct loading *l, struct db_cursor *c)
{
	return load_delay(l, &l->run->platform, cursor_integer(c, 0));
}

bool load_preemption_delay(struct loading *l, int64_t platform_id)
{
	bool has;
	if (!reader_has(l->reader, "platform", "preemption_delay_ns", &has, l->err))
		return false;
	return !has || load_each(l, "SELECT preemption_delay_ns FROM platform WHERE platform_id = ?1",
			       platform_id, 0, delay_row) >= 0;
}

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
	if (!load_gpu(l, c, p))
		return false;
	p->contexts = (struct context_times){.timeslice_ns = cursor_integer(c, 18),
		.switch_ns = cursor_integer(c, 19),
		.reset_ns = cursor_integer(c, 20)};
	p->resident_kernels = (uint32_t)cursor_integer(c, 21);
	return load_delay(l, p, cursor_integer(c, 22));
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
	OF("context_reset_ns") OF("resident_kernels") "json_extract(j.value, '$.preemption_delay_ns')"
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
