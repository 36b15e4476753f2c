/* runs/store_warps.c - see runs/store_warps.h. Columns without a meaning for a kind of step are NULL. */
#include "runs/store_warps.h"

#include <stdlib.h>

static void machine_rows(const struct warp_machine *m, struct warp_rows *rows)
{
	rows->machine = (struct warp_machine_row){
		.clock_hz = m->clock_hz,
		.sub_cores = m->sub_cores,
		.shared_latency_cycles = m->shared_latency,
		.l1_latency_cycles = m->l1_latency,
		.l2_latency_cycles = m->l2_latency,
		.dram_latency_cycles = m->dram_latency,
		.dram_bytes_per_1000_cycles = m->bandwidth,
		.shared_fj = m->shared_fj,
		.global_fj = m->global_fj,
		.dram_byte_fj = m->dram_byte_fj,
		.l1_bytes = m->l1_bytes ? m->l1_bytes : DB_NULL,
		.requests = m->requests ? m->requests : DB_NULL,
		.l2_bytes = m->l2_bytes ? m->l2_bytes : DB_NULL,
	};
	for (int unit = 0; unit < WARP_UNITS; unit++)
		rows->units[unit] = (struct warp_unit_row){
			.unit = warp_unit_name((enum warp_unit)unit),
			.interval_cycles = m->interval[unit],
			.latency_cycles = unit == WARP_MEMORY ? DB_NULL : m->latency[unit],
			.instruction_fj = unit == WARP_MEMORY ? DB_NULL : m->unit_fj[unit],
		};
}

static struct warp_kernel_row kernel_row(uint32_t task, const struct warp_kernel *k)
{
	const struct warp_goal *goal = &k->goal;
	return (struct warp_kernel_row){
		.task = task,
		.blocks = k->blocks,
		.block_threads = k->block_threads,
		.registers = k->registers,
		.shared_memory = k->shared_memory,
		.stream = k->stream,
		.stream_priority = k->stream_high ? "high" : "low",
		.launch_cycle = k->launch,
		.period_cycles = k->period ? k->period : DB_NULL,
		.repeat = k->repeat,
		.goal_kind = goal->kind == GOAL_NONE ? NULL : warp_goal_kind_name(goal->kind),
		.goal_ipc_ppm = goal->kind == GOAL_IPC ? goal->ipc : DB_NULL,
		.goal_share_ppm = goal->kind == GOAL_SHARE ? goal->share_ppm : DB_NULL,
		.goal_time_ns = goal->kind == GOAL_TIME ? goal->kernel_ns : DB_NULL,
	};
}

static struct warp_step_row step_row(uint32_t task, uint32_t part, size_t index, const struct warp_step *s)
{
	bool compute = s->kind == STEP_COMPUTE, loop = s->kind == STEP_LOOP;
	bool global = s->kind == STEP_LOAD || s->kind == STEP_STORE;
	return (struct warp_step_row){
		.task = task,
		.step_idx = (int64_t)index,
		.segment_idx = part,
		.kind = warp_step_kind_name(s->kind),
		.unit = compute ? warp_unit_name(s->unit) : NULL,
		.count = s->count,
		.body = loop ? s->body : DB_NULL,
		.threads = loop ? DB_NULL : s->threads,
		.distance = loop ? DB_NULL : s->distance,
		.first_distance = loop ? DB_NULL : s->first,
		.latency_cycles = compute && s->latency ? s->latency : DB_NULL,
		.l1_hit_ppm = global ? s->l1_hit_ppm : DB_NULL,
		.l2_hit_ppm = global ? s->l2_hit_ppm : DB_NULL,
		.coalescing_ppm = global ? s->coalescing_ppm : DB_NULL,
		.bytes = global ? s->bytes : DB_NULL,
		.reuse = s->reuse ? s->reuse : DB_NULL,
		.shared = s->rounds == ROUNDS_OWN ? NULL : warp_rounds_name(s->rounds),
	};
}

/* Steps are numbered through the parts of a kernel. */
static void kernel_rows(uint32_t task, const struct warp_kernel *k, struct warp_rows *rows)
{
	size_t first = rows->step_count;
	rows->kernels[rows->kernel_count++] = kernel_row(task, k);
	for (uint32_t p = 0; p < warp_parts(k); p++) {
		const struct warp_kernel *part = warp_part(k, p);
		for (uint32_t s = 0; s < part->step_count; s++, rows->step_count++)
			rows->steps[rows->step_count] =
				step_row(task, p, rows->step_count - first, &part->steps[s]);
	}
}

bool warp_rows_make(const struct warp_set *set, struct warp_rows *rows)
{
	size_t steps = 0;
	for (uint32_t i = 0; i < set->kernel_count; i++)
		for (uint32_t p = 0; p < warp_parts(&set->kernels[i]); p++)
			steps += warp_part(&set->kernels[i], p)->step_count;
	*rows = (struct warp_rows){
		.kernels = calloc(set->kernel_count + 1, sizeof(*rows->kernels)),
		.steps = calloc(steps + 1, sizeof(*rows->steps)),
	};
	if (!rows->kernels || !rows->steps)
		return false;
	machine_rows(&set->machine, rows);
	for (uint32_t i = 0; i < set->kernel_count; i++)
		kernel_rows(i, &set->kernels[i], rows);
	return true;
}

void warp_rows_free(struct warp_rows *rows)
{
	free(rows->kernels);
	free(rows->steps);
}
