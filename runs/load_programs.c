/* runs/load_programs.c - reads kernels of tasks that are programs of warps from what runs/store_programs.c
 * writes. Recordings of some programs before have none. */
#include "models/warps/inside.h"
#include "models/warps/warp_set.h"
#include "runs/load_private.h"

#define OF_SET "FROM segment JOIN task t USING (task_id) WHERE t.taskset_id = ?1 AND program NOT NULL"
#define OF(key) ", json_extract(program, '$." key "') AS " key

/* Of the first kernel: the others have the same SMs. */
static bool machine_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "segment", 2);
	l->inside = (struct warp_machine){
		.clock_hz = LOAD_ANY(l, 2),
		.sub_cores = LOAD_COUNT(l, 3),
		.shared_latency = LOAD_ANY(l, 5),
		.l1_latency = LOAD_ANY(l, 6),
		.l2_latency = LOAD_ANY(l, 7),
		.dram_latency = LOAD_ANY(l, 8),
		.bandwidth = LOAD_ANY(l, 9),
		.l1_bytes = LOAD_ANY_OR(l, 10, 0),
		.requests = LOAD_ANY_OR(l, 11, 0),
		.l2_bytes = LOAD_ANY_OR(l, 12, 0),
	};
	l->inside_scheduler = load_needed_word(l, 4, warp_scheduler_kind_named);
	return inside_scheduler((enum warp_scheduler_kind)l->inside_scheduler) ||
	       load_damaged(l, "warps of its programs have a scheduler that is none for them");
}

static const char machine_sql[] = "SELECT task_idx, segment_idx" OF("clock_hz") OF("sub_cores")
	OF("scheduler") OF("shared") OF("l1") OF("l2") OF("dram") OF("bytes_per_1000_cycles") OF("l1_bytes")
		OF("requests") OF("l2_bytes") " " OF_SET " ORDER BY task_idx, segment_idx LIMIT 1";

/* Columns unit, latency, interval. */
static bool unit_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "segment", 1);
	int64_t unit = load_number(l, 0, 0, WARP_UNITS - 1);
	l->inside.latency[unit] = LOAD_ANY(l, 1);
	l->inside.interval[unit] = LOAD_ANY(l, 2);
	return true;
}

#define FIRST "(SELECT program " OF_SET " ORDER BY task_idx, segment_idx LIMIT 1) p"
static const char units_sql[] =
	"SELECT j.key AS unit, j.value AS latency, json_extract(p.program, '$.interval[' || j.key "
	"|| ']') AS interval FROM " FIRST ", json_each(p.program, '$.latency') j";

/* Columns task, segment, kind, unit, and the numbers of a step. */
static bool step_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "segment", 2);
	struct segment *s = load_segment_of(l);
	if (!s || !LOAD_ROOM(l, s->steps, s->step_count))
		return false;
	s->steps[s->step_count++] = (struct warp_step){
		.kind = (enum warp_step_kind)load_needed_word(l, 2, warp_step_kind_named),
		.unit = (enum warp_unit)load_word(l, 3, warp_unit_named),
		.count = LOAD_COUNT(l, 4),
		.body = LOAD_COUNT_OR_0(l, 5),
		.threads = LOAD_COUNT_OR_0(l, 6),
		.distance = LOAD_COUNT_OR_0(l, 7),
		.first = LOAD_COUNT_OR_0(l, 8),
		.latency = LOAD_ANY_OR(l, 9, 0),
		.l1_hit_ppm = LOAD_ANY_OR(l, 10, 0),
		.l2_hit_ppm = LOAD_ANY_OR(l, 11, 0),
		.coalescing_ppm = LOAD_ANY_OR(l, 12, 0),
		.bytes = LOAD_COUNT_OR_0(l, 13),
		.reuse = LOAD_COUNT_OR_0(l, 14),
		.rounds = (enum warp_rounds)load_word(l, 15, warp_rounds_named),
	};
	return true;
}

#define OF_STEP(key) ", json_extract(j.value, '$." key "') AS " key
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
		load_each(l, steps_sql, taskset_id, 0, step_row) < 0)
		return false;
	if (programs_collect(&l->run->set, &l->inside, (enum warp_scheduler_kind)l->inside_scheduler, &count))
		return true;
	return count > WARP_KERNELS_MAX ? load_damaged(l, "too many of its kernels are programs of warps")
					: load_no_memory(l);
}
