/* runs/load_warps.c - reads kernels that are programs of warps from the rows that runs/store_warps.c
 * writes. */
#include <string.h>

#include "runs/load_private.h"
#include "runs/store_warps.h"

static bool machine_row(struct loading *l, struct db_cursor *c)
{
	struct warp_set *set = l->run->set.warps;
	load_row(l, c, "warp_machine", 1);
	set->machine = (struct warp_machine){
		.clock_hz = LOAD_ANY(l, 1),
		.sub_cores = LOAD_COUNT(l, 2),
		.shared_latency = LOAD_ANY(l, 3),
		.l1_latency = LOAD_ANY(l, 4),
		.l2_latency = LOAD_ANY(l, 5),
		.dram_latency = LOAD_ANY(l, 6),
		.bandwidth = LOAD_ANY(l, 7),
		.shared_fj = LOAD_ANY(l, 8),
		.global_fj = LOAD_ANY(l, 9),
		.dram_byte_fj = LOAD_ANY(l, 10),
	};
	return true;
}

#define MACHINE_SQL                                                                                          \
	"SELECT taskset_id, clock_hz, sub_cores, shared_latency_cycles, l1_latency_cycles, "                 \
	"l2_latency_cycles, dram_latency_cycles, dram_bytes_per_1000_cycles, shared_fj, global_fj, "         \
	"dram_byte_fj FROM warp_machine WHERE taskset_id = ?1"

static bool unit_row(struct loading *l, struct db_cursor *c)
{
	struct warp_machine *m = &l->run->set.warps->machine;
	load_row(l, c, "warp_unit", 1);
	int unit = load_needed_word(l, 0, warp_unit_named);
	bool memory = unit == WARP_MEMORY;
	m->latency[unit] = memory ? warp_machine_default().latency[unit] : LOAD_ANY(l, 1);
	m->interval[unit] = LOAD_ANY(l, 2);
	m->unit_fj[unit] = memory ? 0 : LOAD_ANY(l, 3);
	return true;
}

#define UNIT_SQL                                                                                             \
	"SELECT unit, latency_cycles, interval_cycles, instruction_fj FROM warp_unit WHERE taskset_id = ?1"

static bool step_row(struct loading *l, struct db_cursor *c)
{
	struct warp_kernel *k = l->kernel;
	load_row(l, c, "warp_step", 2);
	load_next(l, 1, k->step_count);
	if (!LOAD_ROOM(l, k->steps, k->step_count))
		return false;
	struct warp_step *s = &k->steps[k->step_count++];
	*s = warp_step_default((enum warp_step_kind)load_needed_word(l, 2, warp_step_kind_named));
	s->count = LOAD_COUNT(l, 4);
	if (cursor_kind(c, 3) != VALUE_NULL)
		s->unit = (enum warp_unit)load_word(l, 3, warp_unit_named);
	s->body = LOAD_COUNT_OR_0(l, 5);
	if (s->kind == STEP_LOOP)
		return true;
	s->threads = LOAD_COUNT(l, 6);
	s->distance = LOAD_COUNT(l, 7);
	s->first = LOAD_COUNT(l, 8);
	s->latency = LOAD_ANY_OR(l, 9, 0);
	if (s->kind != STEP_LOAD && s->kind != STEP_STORE)
		return true;
	s->l1_hit_ppm = LOAD_ANY(l, 10);
	s->l2_hit_ppm = LOAD_ANY(l, 11);
	s->coalescing_ppm = LOAD_ANY(l, 12);
	s->bytes = LOAD_COUNT(l, 13);
	return true;
}

#define STEP_SQL                                                                                             \
	"SELECT task_id, step_idx, kind, unit, count, body, threads, distance, first_distance, "             \
	"latency_cycles, l1_hit_ppm, l2_hit_ppm, coalescing_ppm, bytes FROM warp_step WHERE task_id = ?1 "   \
	"ORDER BY step_idx"

/* The step that columns 0 and 1, task and step, name; NULL: it is not there. */
static struct warp_step *step_of(struct loading *l)
{
	const struct warp_set *set = l->run->set.warps;
	int64_t kernel = load_number(l, 0, 0, (int64_t)set->kernel_count - 1);
	int64_t step = l->bad ? 0 : load_number(l, 1, 0, (int64_t)set->kernels[kernel].step_count - 1);
	return l->bad ? NULL : &set->kernels[kernel].steps[step];
}

static bool shared_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "warp_step", 2);
	struct warp_step *s = step_of(l);
	if (s)
		s->rounds = (enum warp_rounds)load_word(l, 2, warp_rounds_named);
	return s != NULL;
}

static bool reuse_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "warp_step", 2);
	struct warp_step *s = step_of(l);
	if (s)
		s->reuse = LOAD_COUNT(l, 2);
	return s != NULL;
}

static bool l1_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "warp_machine", 1);
	l->run->set.warps->machine.l1_bytes = LOAD_ANY(l, 1);
	return true;
}

static bool requests_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "warp_machine", 1);
	l->run->set.warps->machine.requests = LOAD_ANY(l, 1);
	return true;
}

static bool l2_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "warp_machine", 1);
	l->run->set.warps->machine.l2_bytes = LOAD_ANY(l, 1);
	return true;
}

/* A column of the machine that recordings of some programs before do not have. */
static bool load_newer(struct loading *l, int64_t taskset_id, const char *column, const char *sql, row_fn *fn)
{
	bool has;
	if (!reader_has(l->reader, "warp_machine", column, &has, l->err))
		return false;
	return !has || load_each(l, sql, taskset_id, 0, fn) >= 0;
}

/* The limit on requests, and L2. */
static bool load_newer_columns(struct loading *l, int64_t taskset_id)
{
	return load_newer(l, taskset_id, "requests",
		       "SELECT taskset_id, requests FROM warp_machine WHERE taskset_id = ?1 AND requests "
		       "IS NOT NULL",
		       requests_row) &&
	       load_newer(l, taskset_id, "l2_bytes",
		       "SELECT taskset_id, l2_bytes FROM warp_machine WHERE taskset_id = ?1 AND l2_bytes "
		       "IS NOT NULL",
		       l2_row);
}

/* L1 and what is reused from it. Recordings of some programs before have none. */
static bool load_reuse(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!reader_has(l->reader, "warp_step", "reuse", &has, l->err))
		return false;
	return !has ||
	       (load_each(l,
			"SELECT taskset_id, l1_bytes FROM warp_machine WHERE taskset_id = ?1 AND l1_bytes "
			"IS NOT NULL",
			taskset_id, 0, l1_row) >= 0 &&
		       load_each(l,
			       "SELECT task_idx, step_idx, reuse FROM warp_step JOIN task t USING (task_id) "
			       "WHERE t.taskset_id = ?1 AND reuse IS NOT NULL",
			       taskset_id, 0, reuse_row) >= 0);
}

/* Loops whose rounds are shared. Recordings of some programs before have none. */
static bool load_shared(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!reader_has(l->reader, "warp_step", "shared", &has, l->err))
		return false;
	return !has ||
	       load_each(l,
		       "SELECT task_idx, step_idx, shared FROM warp_step JOIN task t USING (task_id) WHERE "
		       "t.taskset_id = ?1 AND shared IS NOT NULL",
		       taskset_id, 0, shared_row) >= 0;
}

/* A further part of an application: its steps are the last ones of those that its kernel has so far. */
static bool part_row(struct loading *l, struct db_cursor *c)
{
	struct warp_set *set = l->run->set.warps;
	load_row(l, c, "warp_step", 2);
	int64_t kernel = load_number(l, 0, 0, (int64_t)set->kernel_count - 1);
	if (l->bad)
		return false;
	struct warp_kernel *k = &set->kernels[kernel];
	load_next(l, 1, warp_parts(k));
	if (l->bad || !LOAD_ROOM(l, k->then, k->then_count))
		return false;
	struct warp_kernel *before = k->then_count ? &k->then[k->then_count - 1] : k;
	uint32_t begun = (uint32_t)(before->steps - k->steps);
	uint32_t first = (uint32_t)load_number(l, 2, begun + 1, (int64_t)begun + before->step_count - 1);
	if (l->bad)
		return false;
	k->then[k->then_count++] = (struct warp_kernel){
		.steps = &k->steps[first],
		.step_count = begun + before->step_count - first,
		.blocks = LOAD_COUNT(l, 3),
		.block_threads = LOAD_COUNT(l, 4),
		.registers = LOAD_ANY(l, 5),
		.shared_memory = LOAD_ANY(l, 6),
	};
	before->step_count = first - begun;
	return !l->bad;
}

#define PART_SQL                                                                                             \
	"SELECT task_idx, segment_idx, min(step_idx) AS first_step_idx, grid_blocks, block_threads, "        \
	"registers, shared_memory FROM warp_step p JOIN task t USING (task_id) LEFT JOIN segment s USING "   \
	"(task_id, segment_idx) WHERE t.taskset_id = ?1 AND segment_idx > 0 GROUP BY task_idx, segment_idx " \
	"ORDER BY task_idx, segment_idx"

/* The parts of applications. Recordings of some programs before have none. */
static bool load_parts(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!reader_has(l->reader, "warp_step", "segment_idx", &has, l->err))
		return false;
	return !has || load_each(l, PART_SQL, taskset_id, 0, part_row) >= 0;
}

static bool kernel_row(struct loading *l, struct db_cursor *c)
{
	struct warp_set *set = l->run->set.warps;
	load_row(l, c, "warp_kernel", 2);
	load_next(l, 1, set->kernel_count);
	if (!LOAD_ROOM(l, set->kernels, set->kernel_count))
		return false;
	struct warp_kernel *k = l->kernel = &set->kernels[set->kernel_count++];
	const char *priority = cursor_text(c, 7);
	*k = (struct warp_kernel){
		.blocks = LOAD_COUNT(l, 2),
		.block_threads = LOAD_COUNT(l, 3),
		.registers = LOAD_ANY(l, 4),
		.shared_memory = LOAD_ANY(l, 5),
		.stream = (int32_t)load_number(l, 6, INT32_MIN, INT32_MAX),
		.stream_high = priority && strcmp(priority, "high") == 0,
		.launch = LOAD_ANY(l, 8),
		.period = LOAD_ANY_OR(l, 9, 0),
		.repeat = load_number(l, 10, 0, 1) != 0,
		.goal = {.kind = (enum warp_goal_kind)load_word(l, 11, warp_goal_kind_named),
			.ipc = LOAD_ANY_OR(l, 12, 0),
			.share_ppm = LOAD_ANY_OR(l, 13, 0),
			.kernel_ns = LOAD_ANY_OR(l, 14, 0)},
	};
	return !l->bad && load_each(l, STEP_SQL, LOAD_ANY(l, 0), 0, step_row) >= 0;
}

#define KERNEL_SQL                                                                                           \
	"SELECT k.task_id, t.task_idx, blocks, block_threads, registers, shared_memory, stream, "            \
	"stream_priority, launch_cycle, period_cycles, repeat, goal_kind, goal_ipc_ppm, goal_share_ppm, "    \
	"goal_time_ns FROM warp_kernel k JOIN task t USING (task_id) WHERE t.taskset_id = ?1 ORDER BY "      \
	"t.task_idx"

bool load_warps(struct loading *l, int64_t taskset_id)
{
	bool has; /* recordings of version 1 have no warps */
	if (!reader_has(l->reader, "warp_machine", NULL, &has, l->err))
		return false;
	l->run->set.warps = has ? arena_new(load_arena(l), struct warp_set, 1) : NULL;
	if (!l->run->set.warps)
		return !has || load_no_memory(l);
	int64_t machines = load_each(l, MACHINE_SQL, taskset_id, 0, machine_row);
	if (machines == 0)
		l->run->set.warps = NULL; /* a set of blocks */
	if (machines <= 0)
		return machines == 0;
	if (load_each(l, UNIT_SQL, taskset_id, 0, unit_row) < 0 ||
		load_each(l, KERNEL_SQL, taskset_id, 0, kernel_row) < 0 || !load_shared(l, taskset_id) ||
		!load_reuse(l, taskset_id) || !load_newer_columns(l, taskset_id) ||
		!load_parts(l, taskset_id))
		return false;
	if (l->run->set.warps->kernel_count != l->run->set.task_count)
		return load_damaged(l, "a task of its set is no kernel");
	for (uint32_t i = 0; i < l->run->set.task_count; i++)
		if (l->run->set.tasks[i].segment_count != warp_parts(&l->run->set.warps->kernels[i]))
			return load_damaged(l, "a kernel of its set has not as many programs as segments");
	return true;
}
