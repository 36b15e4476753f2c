/* runs/load_warps.c - reads kernels that are programs of warps from the rows that runs/store_warps.c
 * writes. */
#include <inttypes.h>
#include <string.h>

#include "runs/load_private.h"
#include "runs/store_warps.h"

static bool machine_row(struct loading *l, struct db_cursor *c)
{
	struct warp_set *set = l->run->set.warps;
	set->machine = (struct warp_machine){
		.clock_hz = cursor_integer(c, 0),
		.sub_cores = (uint32_t)cursor_integer(c, 1),
		.shared_latency = cursor_integer(c, 2),
		.l1_latency = cursor_integer(c, 3),
		.l2_latency = cursor_integer(c, 4),
		.dram_latency = cursor_integer(c, 5),
		.bandwidth = cursor_integer(c, 6),
		.shared_fj = cursor_integer(c, 7),
		.global_fj = cursor_integer(c, 8),
		.dram_byte_fj = cursor_integer(c, 9),
	};
	set->kernels = arena_new(load_arena(l), struct warp_kernel, (size_t)cursor_integer(c, 10));
	return set->kernels || load_no_memory(l);
}

#define MACHINE_SQL                                                                                          \
	"SELECT clock_hz, sub_cores, shared_latency_cycles, l1_latency_cycles, l2_latency_cycles, "          \
	"dram_latency_cycles, dram_bytes_per_1000_cycles, shared_fj, global_fj, dram_byte_fj, (SELECT "      \
	"count(*) FROM warp_kernel k JOIN task t USING (task_id) WHERE t.taskset_id = m.taskset_id) FROM "   \
	"warp_machine m WHERE taskset_id = ?1"

static bool unit_row(struct loading *l, struct db_cursor *c)
{
	struct warp_machine *m = &l->run->set.warps->machine;
	int unit = load_word(c, 0, warp_unit_named);
	bool memory = unit == WARP_MEMORY;
	m->latency[unit] = memory ? warp_machine_default().latency[unit] : cursor_integer(c, 1);
	m->interval[unit] = cursor_integer(c, 2);
	m->unit_fj[unit] = memory ? 0 : cursor_integer(c, 3);
	return true;
}

#define UNIT_SQL                                                                                             \
	"SELECT unit, latency_cycles, interval_cycles, instruction_fj FROM warp_unit WHERE taskset_id = ?1"

static bool step_row(struct loading *l, struct db_cursor *c)
{
	struct warp_step *s = &l->kernel->steps[l->kernel->step_count++];
	*s = warp_step_default((enum warp_step_kind)load_word(c, 0, warp_step_kind_named));
	s->count = (uint32_t)cursor_integer(c, 2);
	if (cursor_kind(c, 1) != VALUE_NULL)
		s->unit = (enum warp_unit)load_word(c, 1, warp_unit_named);
	s->body = (uint32_t)cursor_integer(c, 3);
	if (s->kind == STEP_LOOP)
		return true;
	s->threads = (uint32_t)cursor_integer(c, 4);
	s->distance = (uint32_t)cursor_integer(c, 5);
	s->first = (uint32_t)cursor_integer(c, 6);
	s->latency = cursor_integer(c, 7);
	if (s->kind != STEP_LOAD && s->kind != STEP_STORE)
		return true;
	s->l1_hit_ppm = cursor_integer(c, 8);
	s->l2_hit_ppm = cursor_integer(c, 9);
	s->coalescing_ppm = cursor_integer(c, 10);
	s->bytes = (uint32_t)cursor_integer(c, 11);
	return true;
}

#define STEP_SQL                                                                                             \
	"SELECT kind, unit, count, body, threads, distance, first_distance, latency_cycles, l1_hit_ppm, "    \
	"l2_hit_ppm, coalescing_ppm, bytes FROM warp_step WHERE task_id = ?1 ORDER BY step_idx"

static bool shared_row(struct loading *l, struct db_cursor *c)
{
	const struct warp_set *set = l->run->set.warps;
	int64_t kernel = cursor_integer(c, 0), step = cursor_integer(c, 1);
	if (kernel < 0 || kernel >= set->kernel_count || step < 0 || step >= set->kernels[kernel].step_count)
		return true; /* load_warps() says that the recording is damaged */
	set->kernels[kernel].steps[step].rounds = (enum warp_rounds)load_word(c, 2, warp_rounds_named);
	return true;
}

static bool reuse_row(struct loading *l, struct db_cursor *c)
{
	const struct warp_set *set = l->run->set.warps;
	int64_t kernel = cursor_integer(c, 0), step = cursor_integer(c, 1);
	if (kernel >= 0 && kernel < set->kernel_count && step >= 0 && step < set->kernels[kernel].step_count)
		set->kernels[kernel].steps[step].reuse = (uint32_t)cursor_integer(c, 2);
	return true;
}

static bool l1_row(struct loading *l, struct db_cursor *c)
{
	l->run->set.warps->machine.l1_bytes = cursor_integer(c, 0);
	return true;
}

/* L1 and what is reused from it. Recordings of some programs before have none. */
static bool load_reuse(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!reader_has(l->reader, "warp_step", "reuse", &has, l->err))
		return false;
	return !has ||
	       (load_each(l,
			"SELECT l1_bytes FROM warp_machine WHERE taskset_id = ?1 AND l1_bytes IS NOT NULL",
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

static bool kernel_row(struct loading *l, struct db_cursor *c)
{
	struct warp_set *set = l->run->set.warps;
	struct warp_kernel *k = &set->kernels[set->kernel_count++];
	const char *priority = cursor_text(c, 6);
	*k = (struct warp_kernel){
		.blocks = (uint32_t)cursor_integer(c, 1),
		.block_threads = (uint32_t)cursor_integer(c, 2),
		.registers = cursor_integer(c, 3),
		.shared_memory = cursor_integer(c, 4),
		.stream = (int32_t)cursor_integer(c, 5),
		.stream_high = priority && strcmp(priority, "high") == 0,
		.launch = cursor_integer(c, 7),
		.period = cursor_integer(c, 8),
		.repeat = cursor_integer(c, 9) != 0,
		.goal = {.kind = (enum warp_goal_kind)load_word(c, 10, warp_goal_kind_named),
			.ipc = cursor_integer(c, 11),
			.share_ppm = cursor_integer(c, 12),
			.kernel_ns = cursor_integer(c, 13)},
	};
	k->steps = arena_new(load_arena(l), struct warp_step, (size_t)cursor_integer(c, 14));
	l->kernel = k;
	return k->steps ? load_each(l, STEP_SQL, cursor_integer(c, 0), 0, step_row) >= 0 : load_no_memory(l);
}

#define KERNEL_SQL                                                                                           \
	"SELECT k.task_id, blocks, block_threads, registers, shared_memory, stream, stream_priority, "       \
	"launch_cycle, period_cycles, repeat, goal_kind, goal_ipc_ppm, goal_share_ppm, goal_time_ns, "       \
	"(SELECT count(*) FROM warp_step s WHERE s.task_id = k.task_id) FROM warp_kernel k JOIN task t "     \
	"USING (task_id) WHERE t.taskset_id = ?1 ORDER BY t.task_idx"

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
		!load_reuse(l, taskset_id))
		return false;
	return l->run->set.warps->kernel_count == l->run->set.task_count ||
	       error_set(l->err, STATUS_INPUT,
		       "the recording is damaged: a task of set %" PRId64 " is no kernel", taskset_id);
}
