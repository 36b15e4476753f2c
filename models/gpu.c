/* models/gpu.c - kernels on the GPU: the primary queue (rules R1 and R2 of Yang & Anderson, section
 * III; two queues by stream priority), kernels on SMs of their own, and the blocks that run.
 *
 * All blocks of a kernel need the same of an SM, and mostly take the same time. Then blocks that are placed
 * at one instant form a group, which ends with one event; the groups of a kernel end in the order in which
 * they were placed. Where blocks take different times (models/stays.c), those that end at one instant end
 * with one event. The GPU has one event: the next end of blocks, which belongs to the first kernel in the
 * queue of running kernels. */
#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "models/hands.h"

bool gpu_share_init(struct machine *m, struct gpu *gpu)
{
	/* Where there is a gate, it has ordered the units already. */
	order_fn *order = m->plan.unit == GATE_OPEN ? m->plan.kernel_order : order_by_arrival;
	gpu->granted.task = arena_new(&m->arena, uint32_t, m->run_count);
	gpu->granted.who = m->flights.who;
	return gpu->granted.task && queue_init(&gpu->running, &m->arena, m->run_count) &&
	       jobs_line_init(m, &gpu->primary[0], order) && jobs_line_init(m, &gpu->primary[1], order) &&
	       table_init(m, &gpu->table) && hands_init(m, gpu) &&
	       sm_pool_init(&gpu->pool, &m->arena, m->platform, m->plan.virtual_sms);
}

bool gpu_init_part(struct machine *m, struct gpu *gpu, uint32_t tasks)
{
	*gpu = m->gpu;
	gpu->granted.task = arena_new(&m->arena, uint32_t, tasks);
	return gpu->granted.task && queue_init_part(&gpu->running, &m->arena, tasks, &m->gpu.running) &&
	       jobs_line_init_part(m, &gpu->primary[0], tasks, &m->gpu.primary[0]) &&
	       jobs_line_init_part(m, &gpu->primary[1], tasks, &m->gpu.primary[1]) &&
	       table_init_part(m, &gpu->table, tasks) &&
	       sm_pool_init(&gpu->pool, &m->arena, m->platform, m->plan.virtual_sms);
}

bool gpu_init(struct machine *m, struct error *err)
{
	m->gpu.launches = arena_new(&m->arena, struct launch, m->run_count);
	if (!m->gpu.launches || !gpu_share_init(m, &m->gpu))
		return error_memory(err, "the GPU");
	return resident_init(m) || error_memory(err, "the GPU's resident blocks");
}

void gpu_grant(struct machine *m, uint32_t task, const struct grant *grant)
{
	if (!m->gpu.launches)
		return; /* sections without kernels */
	struct launch *launch = &m->gpu.launches[task];
	launch->grant = launch->fixed;
	if (!grant)
		return;
	struct grant *chosen = &launch->chosen;
	*chosen = (struct grant){.count = grant->count, .sm = chosen->sm};
	memcpy(chosen->sm, grant->sm, grant->count * sizeof(*grant->sm));
	if (grant->slots) {
		chosen->slots = launch->chosen_slots;
		memcpy(chosen->slots, grant->slots, grant->count * sizeof(*grant->slots));
		for (uint32_t i = 0; i < grant->count; i++)
			chosen->virtual_sms += grant->slots[i];
	}
	launch->grant = chosen;
}

/* Makes the step of the task's current kernel on the SMs chosen for it. Its length is drawn again, within the
 * kernel's range on these SMs. False: it has no time there. */
SELDOM static bool reshape(struct machine *m, uint32_t task, struct launch *launch)
{
	struct task_run *t = &m->tasks[task];
	struct step *step = &launch->on_chosen;
	const struct segment *segment = &t->task->segments[t->segment];
	struct error reason;
	*step = *t->step;
	if (!kernel_shape(m->platform, m->set, segment, m->plan.virtual_sms, launch->grant, &step->shape,
		    &reason) ||
		step->shape.worst_ns > LONGEST_SEGMENT) {
		machine_fault(m, "grants task '%s' SMs on which its segment %u has no time", t->task->name,
			t->segment);
		return false;
	}
	step->need = sm_pool_need(&step->shape.demand, step->shape.blocks, m->platform, m->plan.virtual_sms);
	int64_t length = jobs_length(m, task, step->shape.best_ns, step->shape.worst_ns);
	t->left = length > 0 ? length : 1; /* its length on all SMs was not 0, so it is not 0 here either */
	return true;
}

void gpu_enter(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	const struct step *step = t->step;
	struct launch *launch = &m->gpu.launches[task];

	t->place = PLACE_QUEUED;
	if (launch->grant && launch->grant != launch->fixed) {
		if (!reshape(m, task, launch))
			return;
		step = &launch->on_chosen;
	}
	launch->step = step;
	launch->duration = t->left;
	launch->total = step->shape.blocks;
	launch->placed = launch->done = 0;
	launch->first_start = -1;
	launch->entered = m->sim.now;
	struct gpu *gpu = gpu_of(m, task);
	launch->uneven = step->uneven || (gpu->hands && !launch->grant);
	if (launch->uneven)
		stays_begin(m, task);
	gpu->changed = true;
	launch->on = launch->grant ? launch->grant : step->on;
	if (launch->grant)
		list_add(&gpu->granted, task);
	else if (gpu->table.used)
		table_enter(m, gpu, task);
	else
		line_enter(m, &gpu->primary[step->stream_high ? 0 : 1], task);
}

void gpu_emit_blocks(struct machine *m, uint32_t task, enum trace_kind kind, uint32_t first, uint32_t count,
	uint32_t sm, int64_t start, enum span_end how)
{
	const struct task_run *t = &m->tasks[task];
	const struct launch *launch = &m->gpu.launches[task];
	struct trace_record *r = trace_emit(&m->trace);
	r->kind = (uint8_t)kind;
	r->time = m->sim.now;
	r->start = start;
	r->task = machine_task(m, task);
	r->job = t->number;
	r->segment = (uint16_t)t->segment;
	r->resource = (m->platform->pool == POOL_SM ? RESOURCE_SM : RESOURCE_GPU) & TRACE_RESOURCE;
	r->gpu = m->devices.shown & TRACE_GPU;
	r->index = (uint16_t)sm;
	r->block = first;
	r->count = count;
	r->threads = launch->step->shape.demand.threads;
	r->m = launch->step->shape.sms;
	r->how = (uint8_t)how;
}

/* Places as many blocks as fit, one by one, each on an SM. */
static void place_on_sms(struct machine *m, uint32_t task, struct launch *launch)
{
	struct sm_pool *pool = &m->gpu.pool;
	uint32_t first = launch->placed, at = launch->uneven ? 0 : first; /* in place_of */
	const struct sm_need *need = &launch->step->need;
	uint32_t count = launch->total - first;
	launch->placed +=
		launch->on
			? sm_pool_take_granted(pool, need, launch->on, launch->grant ? launch->on_sm : NULL,
				  count, launch->place_of, at, launch->mask)
			: sm_pool_take_batch(pool, need, count, launch->place_of, at, launch->mask);
	bool traced = trace_wants(&m->trace, TRACE_BLOCKS_START);
	if (traced || launch->uneven)
		sm_pool_places(pool, launch->placed - first, launch->place_of, at, launch->mask);
	if (!traced)
		return;
	for (uint32_t b = first; b < launch->placed; b++, at++)
		gpu_emit_blocks(m, task, TRACE_BLOCKS_START, b, 1,
			pool->sm_at[launch->place_of[at & launch->mask]], m->sim.now, SPAN_DONE);
}

/* The same with all SMs as one pool of threads. */
static void place_on_gpu(struct machine *m, uint32_t task, struct launch *launch)
{
	int64_t threads = launch->step->shape.demand.threads, fit = m->gpu.pool.free_threads / threads;
	uint32_t first = launch->placed, count = launch->total - first;
	if (fit < count)
		count = (uint32_t)fit;
	if (count == 0)
		return;
	m->gpu.pool.free_threads -= count * threads;
	if (trace_wants(&m->trace, TRACE_BLOCKS_START))
		gpu_emit_blocks(m, task, TRACE_BLOCKS_START, first, count, 0, m->sim.now, SPAN_DONE);
	launch->placed += count;
}

void gpu_run_until(struct machine *m, uint32_t task, int64_t end)
{
	struct queue *running = &m->gpu.running;
	queue_push(running, end, (uint64_t)task << 32 | task, m->sim.now);
	if (queue_first(running) == task)
		sim_arm(&m->sim, SLOT_GPU, end);
}

bool gpu_place(struct machine *m, uint32_t task)
{
	struct launch *launch = &m->gpu.launches[task];
	if (launch->redo_count > 0 && !stays_redo(m, task))
		return false;
	uint32_t first = launch->placed;
	if (m->platform->pool == POOL_SM)
		place_on_sms(m, task, launch);
	else
		place_on_gpu(m, task, launch);
	uint32_t count = launch->placed - first;
	if (count > 0) {
		if (first == 0) {
			if (launch->first_start < 0)
				launch->first_start = m->sim.now;
			m->tasks[task].place = PLACE_RUNNING;
			jobs_started(m, &m->tasks[task]);
		}
		if (launch->uneven) {
			stays_add(m, task, first);
			return launch->placed == launch->total;
		}
		int64_t end = m->sim.now + launch->duration;
		uint32_t at = (launch->group_first + launch->group_count) & launch->mask;
		launch->groups[at] =
			(struct group){.end = end, .start = m->sim.now, .first = first, .count = count};
		if (launch->group_count++ == 0)
			gpu_run_until(m, task, end);
	}
	return launch->placed == launch->total;
}

static void free_blocks(struct machine *m, uint32_t task, const struct group *group, enum span_end how)
{
	struct launch *launch = &m->gpu.launches[task];
	const struct step *step = launch->step;
	bool traced = trace_wants(&m->trace, TRACE_BLOCKS_END);
	if (m->platform->pool == POOL_GPU) {
		m->gpu.pool.free_threads += (int64_t)group->count * step->shape.demand.threads;
		if (traced)
			gpu_emit_blocks(
				m, task, TRACE_BLOCKS_END, group->first, group->count, 0, group->start, how);
		return;
	}
	struct sm_pool *pool = &m->gpu.pool;
	uint32_t *on_sm = launch->grant ? launch->on_sm : NULL;
	sm_pool_give_batch(pool, &step->need, group->count, launch->place_of, group->first, launch->mask);
	if (!traced && !on_sm)
		return;
	sm_pool_places(pool, group->count, launch->place_of, group->first, launch->mask);
	for (uint32_t b = group->first; b < group->first + group->count; b++) {
		uint32_t sm = pool->sm_at[launch->place_of[b & launch->mask]];
		if (traced)
			gpu_emit_blocks(m, task, TRACE_BLOCKS_END, b, 1, sm, group->start, how);
		if (on_sm)
			on_sm[sm]--;
	}
}

SELDOM static void emit_kernel(struct machine *m, uint32_t task, enum span_end how)
{
	const struct launch *launch = &m->gpu.launches[task];
	struct trace_record *r = machine_span(m, task, RESOURCE_GPU, 0, launch->first_start, how);
	if (!r)
		return;
	r->value = launch->done;
	r->m = !launch->grant ? 0 : launch->grant->slots ? launch->grant->virtual_sms : launch->grant->count;
}

/* Ends the kernel's first group. Returns the instant at which the next group ends. */
static inline int64_t end_group(struct machine *m, uint32_t task, struct launch *launch)
{
	const struct group *group = &launch->groups[launch->group_first];
	assert(launch->group_count > 0 && group->end == m->sim.now);

	launch->group_first = (launch->group_first + 1) & launch->mask;
	launch->group_count--;
	launch->done += group->count;
	free_blocks(m, task, group, SPAN_DONE);
	return launch->group_count > 0 ? launch->groups[launch->group_first].end : SIM_NEVER;
}

void gpu_complete(struct machine *m)
{
	struct queue *running = &m->gpu.running;
	uint32_t task = queue_pop(running);
	struct launch *launch = &m->gpu.launches[task];
	int64_t next = launch->uneven ? stays_end(m, task) : end_group(m, task, launch);

	m->gpu.changed = true;
	sim_mix(&m->sim, task);
	if (next != SIM_NEVER)
		queue_push(running, next, (uint64_t)task << 32 | task, m->sim.now);
	sim_arm(&m->sim, SLOT_GPU, queue_empty(running) ? SIM_NEVER : running->first->key);
	if (launch->done < launch->total)
		return;
	if (trace_wants(&m->trace, TRACE_SPAN))
		emit_kernel(m, task, launch->total < launch->step->shape.blocks ? SPAN_ABORTED : SPAN_DONE);
	if (m->gpu.table.used)
		table_leave(&m->gpu, launch, task);
	streams_leave(m, task);
	jobs_advance(m, task);
}

bool gpu_cut(struct machine *m, uint32_t task)
{
	struct launch *launch = &m->gpu.launches[task];
	uint32_t was = device_begin(m, task);
	struct gpu *gpu = gpu_of(m, task);
	bool to_place = launch->placed < launch->total || launch->redo_count > 0;
	if (to_place && launch->grant)
		list_remove(&gpu->granted, task);
	else if (to_place && !queue_remove(&gpu->primary[0].queue, task))
		queue_remove(&gpu->primary[1].queue, task);
	launch->total = launch->placed - launch->redo_count;
	launch->redo_count = 0;
	gpu->changed = true;
	bool over = m->tasks[task].place == PLACE_RUNNING && launch->done == launch->total;
	if (over && holds_gpu(m, task))
		emit_kernel(m, task, SPAN_ABORTED);
	if (gpu->table.used && (over || m->tasks[task].place == PLACE_QUEUED))
		table_leave(gpu, launch, task);
	device_end(m, was);
	return over;
}

static inline void serve_primary_queue(struct machine *m)
{
	for (int c = 0; c < 2; c++) {
		struct queue *primary = &m->gpu.primary[c].queue;
		uint32_t head;
		while ((head = queue_first(primary)) != NO_TASK && gpu_place(m, head))
			queue_pop(primary);
		if (!queue_empty(primary))
			break; /* low kernels place nothing while a high one waits */
	}
}

SELDOM static void serve_granted(struct machine *m)
{
	struct task_list *granted = &m->gpu.granted;
	uint32_t waves = 0;
	for (uint32_t i = 0; i < granted->count; i++)
		if (!gpu_place(m, granted->task[i]))
			granted->task[waves++] = granted->task[i];
	granted->count = waves;
}

void gpu_dispatch(struct machine *m)
{
	struct gpu *gpu = &m->gpu;
	gpu->changed = false;
	if (gpu->table.used)
		table_dispatch(m);
	else
		serve_primary_queue(m);
	if (gpu->granted.count > 0)
		serve_granted(m);
}

uint32_t gpu_stuck(const struct machine *m)
{
	const struct gpu *gpu = &m->gpu;
	bool runs = m->programs.resident > 0;
	for (const struct queue_entry *e = gpu->running.first; e < gpu->running.end; e++)
		runs |= on_shown(m, (uint32_t)e->who);
	if (gpu->changed || runs)
		return NO_TASK;
	for (int c = 0; c < 2; c++)
		if (!queue_empty(&gpu->primary[c].queue))
			return queue_first(&gpu->primary[c].queue);
	return gpu->granted.count > 0 ? gpu->granted.task[0] : NO_TASK;
}

/* ---- contexts: who loses the GPU loses the SMs ---- */

static bool is_running_kernel(const struct machine *m, uint32_t task)
{
	return m->tasks[task].place == PLACE_RUNNING && m->tasks[task].step->kind == SEGMENT_KERNEL;
}

/* Records of all blocks in groups: they leave, or are back. They keep their places. */
static void emit_groups(struct machine *m, uint32_t task, enum trace_kind kind)
{
	const struct launch *launch = &m->gpu.launches[task];
	bool pooled = m->platform->pool == POOL_GPU;
	for (uint32_t i = 0; trace_wants(&m->trace, kind) && i < launch->group_count; i++) {
		const struct group *g = &launch->groups[(launch->group_first + i) & launch->mask];
		if (pooled)
			gpu_emit_blocks(m, task, kind, g->first, g->count, 0, g->start, SPAN_PREEMPTED);
		else
			sm_pool_places(&m->gpu.pool, g->count, launch->place_of, g->first, launch->mask);
		for (uint32_t b = g->first; !pooled && b < g->first + g->count; b++)
			gpu_emit_blocks(m, task, kind, b, 1,
				m->gpu.pool.sm_at[launch->place_of[b & launch->mask]], g->start,
				SPAN_PREEMPTED);
	}
}

/* The kernel's blocks that run are lost, and it waits again where it has waited. */
static void lose(struct machine *m, uint32_t task)
{
	struct gpu *gpu = &m->gpu;
	struct launch *launch = &gpu->launches[task];
	struct line *line = &gpu->primary[launch->step->stream_high ? 0 : 1];
	bool waits = launch->placed < launch->total || launch->redo_count > 0;
	queue_remove(&gpu->running, task);
	for (; launch->group_count > 0; launch->group_count--) {
		free_blocks(m, task, &launch->groups[launch->group_first], SPAN_RESET);
		launch->group_first = (launch->group_first + 1) & launch->mask;
	}
	if (launch->uneven)
		stays_lose(m, task);
	else
		launch->placed = launch->done; /* groups end in the order of their numbers */
	if (waits)
		return;
	if (launch->grant) {
		list_add(&gpu->granted, task);
		return;
	}
	if (gpu->table.used) {
		table_return(gpu, task);
		return;
	}
	struct operation op = jobs_operation(m, task);
	op.now = launch->entered;
	queue_push(&line->queue, line->order(&op), line_who(line, task), op.now);
}

void gpu_freeze(struct machine *m, bool lost)
{
	sim_disarm(&m->sim, SLOT_GPU);
	for (uint32_t i = contexts_next(m, NO_TASK); i != NO_TASK; i = contexts_next(m, i)) {
		if (!is_running_kernel(m, i))
			continue;
		bool loses = lost && !m->tasks[i].aborted, ran = m->gpu.launches[i].first_start < m->sim.now;
		if (loses) {
			lose(m, i);
		} else {
			emit_groups(m, i, TRACE_BLOCKS_END);
			stays_freeze(m, i);
		}
		if (ran)
			emit_kernel(m, i, loses ? SPAN_RESET : SPAN_PREEMPTED);
	}
}

void gpu_thaw(struct machine *m, int64_t frozen_for)
{
	struct queue *running = &m->gpu.running;
	for (uint32_t i = contexts_next(m, NO_TASK); i != NO_TASK; i = contexts_next(m, i)) {
		if (!is_running_kernel(m, i))
			continue;
		struct launch *launch = &m->gpu.launches[i];
		launch->first_start = m->sim.now;
		for (uint32_t k = 0; k < launch->group_count; k++) {
			struct group *g = &launch->groups[(launch->group_first + k) & launch->mask];
			g->end += frozen_for;
			g->start = m->sim.now;
		}
		emit_groups(m, i, TRACE_BLOCKS_START);
		stays_thaw(m, i, frozen_for);
	}
	queue_delay(running, frozen_for);
	if (!queue_empty(running))
		sim_arm(&m->sim, SLOT_GPU, running->first->key);
}

/* ---- */

void gpu_stop(struct machine *m)
{
	for (uint32_t i = 0; i < m->run_count; i++) {
		struct launch *launch = &m->gpu.launches[i];
		if (m->tasks[i].place != PLACE_RUNNING || !m->tasks[i].active ||
			m->tasks[i].step->kind != SEGMENT_KERNEL || !holds_gpu(m, i) || !on_shown(m, i))
			continue;
		for (; launch->group_count > 0; launch->group_count--) {
			free_blocks(m, i, &launch->groups[launch->group_first], SPAN_STOPPED);
			launch->group_first = (launch->group_first + 1) & launch->mask;
		}
		stays_stop(m, i);
		emit_kernel(m, i, SPAN_STOPPED);
	}
}
