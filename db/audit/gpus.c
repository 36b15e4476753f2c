/* db/audit/gpus.c - reads several GPUs of a platform, and on which one each segment is (docs/model.md,
 * "Several GPUs"). Recordings of programs before have one.
 *
 * What asks about the machine asks about r->machine, which is as the GPU sees it that is looked at. */
#include "db/audit/recording.h"

#define AMOUNT_MOST (INT64_MAX / 1024)

static bool impossible(const struct recording *r, struct error *err)
{
	return error_set(
		err, STATUS_INPUT, "run %lld: its platform has impossible GPUs", (long long)r->run_id);
}

static int64_t or_else(int64_t value, int64_t otherwise)
{
	return value == NOT_GIVEN ? otherwise : value;
}

/* Numbers of a GPU that must be there, each at least `least`. */
static bool plausible(const struct db_cursor *c)
{
	for (int i = 1; i < 16; i++) {
		bool given = i == 1 || i == 2 || i == 4 || i == 5 || i >= 12;
		int64_t value = column(c, i);
		if (i != 11 && given && value == NOT_GIVEN)
			return false;
		if (value != NOT_GIVEN && (value < 0 || value > AMOUNT_MOST))
			return false;
	}
	return column(c, 4) >= 1 && column(c, 4) <= 4096 && column(c, 12) >= 1 && column(c, 12) <= INT32_MAX;
}

/* Cores and overheads are the platform's. */
static bool gpu_row(struct recording *r, const struct db_cursor *c, struct error *err)
{
	int64_t at = column(c, 0);
	if (at < 0 || at + 1 >= (int64_t)r->gpus || !plausible(c))
		return impossible(r, err);
	struct audit_machine *m = &r->gpu[at + 1];
	*m = r->machine;
	m->engines = column(c, 1);
	m->copy_latency_ns = column(c, 2);
	m->copy_bandwidth = or_else(column(c, 3), 0);
	m->sms = (uint32_t)column(c, 4);
	m->sms_per_tpc = (uint32_t)column(c, 5);
	m->threads_per_sm = or_else(column(c, 6), 0);
	m->blocks = or_else(column(c, 7), INT64_MAX);
	m->warps = or_else(column(c, 8), INT64_MAX);
	m->registers = or_else(column(c, 9), INT64_MAX);
	m->shared_memory = or_else(column(c, 10), INT64_MAX);
	m->work_queues = (uint32_t)column(c, 12);
	m->pin_overhead_ns = column(c, 13);
	m->static_uw = column(c, 14);
	m->idle_uw = column(c, 15);
	m->pooled = column(c, 16) == 1;
	m->threads = m->pooled           ? m->threads_per_sm * (int64_t)m->sms
		     : m->threads_per_sm ? m->threads_per_sm
					 : INT64_MAX;
	m->resident_kernels = or_else(column(c, 18), INT64_MAX);
	m->preemption_delay_ns = or_else(column(c, 19), 0);
	m->divisions = 0;
	m->division = arena_new(&r->arena, int64_t, (size_t)or_else(column(c, 17), 0));
	return m->division || error_memory(err, "auditing a run");
}

static bool division_row(struct recording *r, const struct db_cursor *c, struct error *err)
{
	int64_t at = column(c, 0);
	if (at < 0 || at + 1 >= (int64_t)r->gpus || column(c, 1) < 0)
		return impossible(r, err);
	struct audit_machine *m = &r->gpu[at + 1];
	m->division[m->divisions++] = column(c, 1);
	return true;
}

typedef bool row_fn(struct recording *r, const struct db_cursor *c, struct error *err);

static bool each(struct recording *r, struct db_reader *source, const char *sql, int64_t value, row_fn *fn,
	struct error *err)
{
	struct rows q = query_rows(source, sql, value, err);
	while (rows_next(&q))
		q.ok = fn(r, q.c, err);
	return rows_close(&q);
}

#define OF(key) ", json_extract(j.value, '$." key "')"
/* clang-format off */
static const char gpus_sql[] = "SELECT "
	"j.key" OF("engines") OF("copy_latency_ns") OF("copy_bandwidth") OF("sms")
	OF("sms_per_tpc") OF("threads_per_sm") OF("blocks_per_sm") OF("warps_per_sm") OF("registers_per_sm")
	OF("shared_memory_per_sm") OF("virtual_sms_per_sm") OF("work_queues") OF("pin_overhead_ns")
	OF("static_uw") OF("idle_per_sm_uw") ", json_extract(j.value, '$.pool') = 'gpu', "
	"(SELECT count(*) FROM json_each(j.value, '$.divisions'))" OF("resident_kernels")
	OF("preemption_delay_ns")
	" FROM platform, json_each(gpus) j WHERE platform_id = ?1 ORDER BY j.key";
/* clang-format on */

bool gpus_load(struct recording *r, struct db_reader *source, struct error *err)
{
	bool has;
	int64_t others = 0;
	r->gpus = 1;
	r->most_sms = r->machine.sms;
	if (!reader_has(source, "platform", "gpus", &has, err))
		return false;
	if (!has)
		return true;
	if (!query_number(source, "SELECT json_array_length(gpus) FROM platform WHERE platform_id = ?1",
		    r->platform_id, &others, err))
		return false;
	if (others == NOT_GIVEN || others == 0)
		return true;
	if (others < 0 || others >= AUDIT_GPUS_MOST)
		return impossible(r, err);
	r->gpus = (uint32_t)others + 1;
	r->gpu = arena_new(&r->arena, struct audit_machine, r->gpus);
	if (!r->gpu)
		return error_memory(err, "auditing a run");
	r->gpu[0] = r->machine;
	if (!each(r, source, gpus_sql, r->platform_id, gpu_row, err) ||
		!each(r, source,
			"SELECT j.key, d.value FROM platform, json_each(gpus) j, json_each(j.value, "
			"'$.divisions') d "
			"WHERE platform_id = ?1 ORDER BY j.key, d.value",
			r->platform_id, division_row, err))
		return false;
	for (uint32_t g = 1; g < r->gpus; g++)
		r->most_sms = r->gpu[g].sms > r->most_sms ? r->gpu[g].sms : r->most_sms;
	return true;
}

/* Columns: task, segment, GPU, stream, whether it copies to the CPU. */
static bool segment_row(struct recording *r, const struct db_cursor *c, struct error *err)
{
	struct part_of_task *s = recording_segment(r, column(c, 0), column(c, 1));
	int64_t gpu = column(c, 2), stream = column(c, 3);
	if (!s || gpu < 0 || gpu >= (int64_t)r->gpus)
		return error_set(err, STATUS_INPUT, "run %lld: a segment is on a GPU that is not there",
			(long long)r->run_id);
	const struct audit_machine *m = &r->gpu[gpu];
	s->gpu = s->named = (uint32_t)gpu;
	s->engine = column(c, 4) == 1 && m->engines == 2 ? 1 : 0;
	s->queue = (stream >= 0 ? (uint32_t)stream : recording_task(r, column(c, 0))) % m->work_queues;
	return true;
}

/* Columns: task, segment, its profile on its GPU. */
static bool profile_row(struct recording *r, const struct db_cursor *c, struct error *err)
{
	struct part_of_task *s = recording_segment(r, column(c, 0), column(c, 1));
	int64_t profile = column(c, 2);
	if (!s || profile < 0 || profile >= (int64_t)r->profiles)
		return error_set(err, STATUS_INPUT, "run %lld: a kernel has a profile that is not there",
			(long long)r->run_id);
	s->profile = (uint32_t)profile;
	return true;
}

bool gpus_load_segments(struct recording *r, struct db_reader *source, struct error *err)
{
	if (r->gpus == 1)
		return true;
	for (uint32_t g = 0; g < r->gpus; g++) { /* what was read behind the GPUs is of the platform */
		r->gpu[g].cores = r->machine.cores;
		r->gpu[g].global = r->machine.global;
		r->gpu[g].takes = r->machine.takes;
		r->gpu[g].contexts = r->machine.contexts;
	}
	r->gpu[0].division = r->machine.division;
	r->gpu[0].divisions = r->machine.divisions;
	return each(r, source,
		       "SELECT task_id, segment_idx, gpu, stream, direction = 'to_cpu' FROM segment "
		       "JOIN task USING "
		       "(task_id) WHERE taskset_id = ?1 AND gpu NOT NULL",
		       r->taskset_id, segment_row, err) &&
	       each(r, source,
		       "SELECT task_id, segment_idx, json_extract(profiles, '$[' || coalesce(gpu, 0) "
		       "|| ']') FROM segment "
		       "JOIN task USING (task_id) WHERE taskset_id = ?1 AND profiles NOT NULL",
		       r->taskset_id, profile_row, err);
}
