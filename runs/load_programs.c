/* runs/load_programs.c - reads kernels of tasks that are programs of warps from what runs/store_programs.c
 * writes. Recordings of some programs before have none. */
#include "models/warps/inside.h"
#include "models/warps/warp_set.h"
#include "runs/load_private.h"

#define OF_SET "FROM segment JOIN task t USING (task_id) WHERE t.taskset_id = ?1 AND program NOT NULL"

/* Of the first kernel: the others have the same SMs. */
static bool machine_row(struct loading *l, struct db_cursor *c)
{
	l->inside = (struct warp_machine){
		.clock_hz = cursor_integer(c, 0),
		.sub_cores = (uint32_t)cursor_integer(c, 1),
		.shared_latency = cursor_integer(c, 3),
		.l1_latency = cursor_integer(c, 4),
		.l2_latency = cursor_integer(c, 5),
		.dram_latency = cursor_integer(c, 6),
		.bandwidth = cursor_integer(c, 7),
		.l1_bytes = cursor_integer(c, 8),
	};
	l->inside_scheduler = load_word(c, 2, warp_scheduler_kind_named);
	return inside_scheduler((enum warp_scheduler_kind)l->inside_scheduler) ||
	       load_damaged(l, "warps of its programs have a scheduler that is none for them");
}

static const char machine_sql[] =
	"SELECT json_extract(program, '$.clock_hz'), json_extract(program, '$.sub_cores'), "
	"json_extract(program, '$.scheduler'), json_extract(program, '$.shared'), json_extract(program, "
	"'$.l1'), json_extract(program, '$.l2'), json_extract(program, '$.dram'), json_extract(program, "
	"'$.bytes_per_1000_cycles'), json_extract(program, '$.l1_bytes') " OF_SET
	" ORDER BY task_idx, segment_idx LIMIT 1";

/* Columns unit, latency, interval. */
static bool unit_row(struct loading *l, struct db_cursor *c)
{
	int64_t unit = cursor_integer(c, 0);
	if (unit < 0 || unit >= WARP_UNITS)
		return load_damaged(l, "SMs of its programs have an unknown unit");
	l->inside.latency[unit] = cursor_integer(c, 1);
	l->inside.interval[unit] = cursor_integer(c, 2);
	return true;
}

#define FIRST "(SELECT program " OF_SET " ORDER BY task_idx, segment_idx LIMIT 1) p"
static const char units_sql[] =
	"SELECT j.key, j.value, json_extract(p.program, '$.interval[' || j.key || ']') FROM " FIRST
	", json_each(p.program, '$.latency') j";

/* Columns task, segment, number of steps. */
static bool count_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = load_segment_of(l, c);
	if (!s)
		return false;
	s->steps = arena_new(load_arena(l), struct warp_step, (size_t)cursor_integer(c, 2));
	return s->steps || load_no_memory(l);
}

/* Columns task, segment, kind, unit, and the numbers of a step. */
static bool step_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = load_segment_of(l, c);
	if (!s)
		return false;
	s->steps[s->step_count++] = (struct warp_step){
		.kind = (enum warp_step_kind)load_word(c, 2, warp_step_kind_named),
		.unit = (enum warp_unit)load_word(c, 3, warp_unit_named),
		.count = (uint32_t)cursor_integer(c, 4),
		.body = (uint32_t)cursor_integer(c, 5),
		.threads = (uint32_t)cursor_integer(c, 6),
		.distance = (uint32_t)cursor_integer(c, 7),
		.first = (uint32_t)cursor_integer(c, 8),
		.latency = cursor_integer(c, 9),
		.l1_hit_ppm = cursor_integer(c, 10),
		.l2_hit_ppm = cursor_integer(c, 11),
		.coalescing_ppm = cursor_integer(c, 12),
		.bytes = (uint32_t)cursor_integer(c, 13),
		.reuse = (uint32_t)cursor_integer(c, 14),
		.rounds = (enum warp_rounds)load_word(c, 15, warp_rounds_named),
	};
	return true;
}

#define OF_STEP(key) ", json_extract(j.value, '$." key "')"
#define STEPS_OF_SET                                                                                         \
	" FROM segment JOIN task t USING (task_id), json_each(segment.program, '$.steps') j"                 \
	" WHERE t.taskset_id = ?1 ORDER BY task_idx, segment_idx, j.key"
static const char steps_sql[] = "SELECT task_idx, segment_idx" OF_STEP("kind") OF_STEP("unit")
	OF_STEP("count") OF_STEP("body") OF_STEP("threads") OF_STEP("distance") OF_STEP("first")
		OF_STEP("latency") OF_STEP("l1_hit_ppm") OF_STEP("l2_hit_ppm") OF_STEP("coalescing_ppm")
			OF_STEP("bytes") OF_STEP("reuse") OF_STEP("rounds") STEPS_OF_SET;

bool load_programs(struct loading *l, int64_t taskset_id)
{
	uint32_t count;
	bool has;
	if (!reader_has(l->reader, "segment", "program", &has, l->err))
		return false;
	if (!has)
		return true;
	int64_t rows = load_each(l, machine_sql, taskset_id, 0, machine_row);
	if (rows <= 0)
		return rows == 0;
	if (load_each(l, units_sql, taskset_id, 0, unit_row) < 0 ||
		load_each(l,
			"SELECT task_idx, segment_idx, (SELECT count(*) FROM json_each(segment.program, "
			"'$.steps')) " OF_SET,
			taskset_id, 0, count_row) < 0 ||
		load_each(l, steps_sql, taskset_id, 0, step_row) < 0)
		return false;
	if (programs_collect(&l->run->set, &l->inside, (enum warp_scheduler_kind)l->inside_scheduler, &count))
		return true;
	return count > WARP_KERNELS_MAX ? load_damaged(l, "too many of its kernels are programs of warps")
					: load_no_memory(l);
}
