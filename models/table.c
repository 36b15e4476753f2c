/* models/table.c - kernels that are confined to some SMs, and the task table, which holds so many kernels at
 * a time (docs/model.md, "SM masks": rules M1 to M3).
 *
 * Masks are those of libsmctrl (Bakita & Anderson, RTAS 2023). That there is a table, and who holds up whom,
 * is inferred: no text says it. NVIDIA's CUDA guide has the number of "resident grids per device"; that 32
 * kernels of high streams, and no fewer, hold up one of other SMs is what the paper's experiment on stream
 * priorities has set up; tables whose entries are taken from lower priorities are in NVIDIA's patents.
 *
 * A kernel of the primary queue is in one of these, by its place in the order (launch.at): `waiting` without
 * an entry; `primary` with one, while it has blocks to place; `low`, too, of a low stream with one. With
 * masks that are all equal and enough entries this is rule R1, which gpu_dispatch() follows without them. */
#include <assert.h>
#include <string.h>

#include "models/machine.h"
#include "models/plan.h"

/* Whether a kernel may be confined, or not find an entry of this GPU's. Of a plan that grants SMs neither is
 * so (models/plan_check.c). */
static bool is_used(const struct machine *m)
{
	uint32_t task, segment, most = m->platform->resident_kernels;
	return taskset_first_mask(m->set, &task, &segment) ||
	       (most > 0 && most < plan_kernels_on(&m->plan, m->platform->gpu));
}

bool table_init(struct machine *m, struct task_table *table)
{
	uint32_t most = m->platform->resident_kernels;
	*table = (struct task_table){
		.used = is_used(m),
		.entries = most > 0 ? most : UINT32_MAX,
		.words = (m->platform->sms + 63) / 64,
	};
	if (!table->used)
		return true;
	table->held_up = arena_new(&m->arena, uint64_t, table->words);
	return table->held_up && queue_init(&table->waiting[0], &m->arena, m->run_count) &&
	       queue_init(&table->waiting[1], &m->arena, m->run_count) &&
	       queue_init(&table->low, &m->arena, m->run_count);
}

bool table_init_part(struct machine *m, struct task_table *table, uint32_t tasks)
{
	const struct task_table *all = &m->gpu.table;
	*table = *all;
	if (!table->used)
		return true;
	table->held_up = arena_new(&m->arena, uint64_t, table->words);
	return table->held_up && queue_init_part(&table->waiting[0], &m->arena, tasks, &all->waiting[0]) &&
	       queue_init_part(&table->waiting[1], &m->arena, tasks, &all->waiting[1]) &&
	       queue_init_part(&table->low, &m->arena, tasks, &all->low);
}

const struct sm_mask *table_mask(
	struct machine *m, const struct platform *platform, const struct segment *segment)
{
	struct sm_mask *mask = arena_new(&m->arena, struct sm_mask, 1);
	uint64_t *bits = arena_new(&m->arena, uint64_t, (platform->sms + 63) / 64);
	if (!mask || !bits)
		return NULL;
	for (uint32_t i = 0; i < segment->sm_count; i++)
		bits[segment->sms[i] / 64] |= UINT64_C(1) << segment->sms[i] % 64;
	*mask = (struct sm_mask){.on = {.count = segment->sm_count, .sm = segment->sms}, .bits = bits};
	return mask;
}

static int class_of(const struct launch *launch)
{
	return launch->step->stream_high ? 0 : 1;
}

static void push(struct queue *q, const struct launch *launch)
{
	queue_push(q, launch->at.key, launch->at.who, launch->at.entered);
}

/* ---- M2: the entries ---- */

void table_enter(struct machine *m, struct gpu *gpu, uint32_t task)
{
	struct launch *launch = &gpu->launches[task];
	const struct line *line = &gpu->primary[class_of(launch)];
	launch->listed = false;
	launch->at = (struct queue_entry){
		.key = line_key(m, line, task),
		.who = line_who(line, task),
		.entered = m->sim.now,
	};
	push(&gpu->table.waiting[class_of(launch)], launch);
}

static bool has_blocks_to_place(const struct launch *launch)
{
	return launch->placed < launch->total || launch->redo_count > 0;
}

/* Gives the kernel an entry. */
static void list(struct gpu *gpu, uint32_t task)
{
	struct launch *launch = &gpu->launches[task];
	launch->listed = true;
	gpu->table.taken++;
	if (class_of(launch) == 1)
		push(&gpu->table.low, launch);
	if (has_blocks_to_place(launch))
		push(&gpu->primary[class_of(launch)].queue, launch);
}

/* Takes its entry from the kernel. */
static void strike(struct gpu *gpu, uint32_t task)
{
	struct launch *launch = &gpu->launches[task];
	launch->listed = false;
	gpu->table.taken--;
	if (class_of(launch) == 1)
		queue_remove(&gpu->table.low, task);
	queue_remove(&gpu->primary[class_of(launch)].queue, task);
}

void table_leave(struct gpu *gpu, struct launch *launch, uint32_t task)
{
	if (launch->listed)
		strike(gpu, task);
	else
		queue_remove(&gpu->table.waiting[class_of(launch)], task);
}

void table_return(struct gpu *gpu, uint32_t task)
{
	const struct launch *launch = &gpu->launches[task];
	if (launch->listed)
		push(&gpu->primary[class_of(launch)].queue, launch);
}

/* The last kernel of a low stream makes room for one of a high stream; false: there is none. */
static bool evict(struct gpu *gpu)
{
	struct task_table *table = &gpu->table;
	if (queue_empty(&table->low))
		return false;
	uint32_t last = (uint32_t)table->low.end[-1].who;
	strike(gpu, last);
	push(&table->waiting[1], &gpu->launches[last]);
	return true;
}

static void give_entries(struct gpu *gpu)
{
	struct task_table *table = &gpu->table;
	for (int c = 0; c < 2; c++)
		while (!queue_empty(&table->waiting[c]) &&
			(table->taken < table->entries || (c == 0 && evict(gpu))))
			list(gpu, queue_pop(&table->waiting[c]));
}

/* ---- M3: the walk ---- */

static bool is_held_up(const struct task_table *table, const struct sm_mask *mask)
{
	uint64_t common = 0;
	for (uint32_t i = 0; i < table->words; i++)
		common |= table->held_up[i] & (mask ? mask->bits[i] : UINT64_MAX);
	return common != 0;
}

/* The kernel cannot place its next block. */
static void hold_up(struct task_table *table, const struct sm_mask *mask)
{
	for (uint32_t i = 0; i < table->words; i++)
		table->held_up[i] |= mask ? mask->bits[i] : UINT64_MAX;
}

void table_dispatch(struct machine *m)
{
	struct gpu *gpu = &m->gpu;
	struct task_table *table = &gpu->table;
	give_entries(gpu);
	memset(table->held_up, 0, table->words * sizeof(*table->held_up));
	for (int c = 0; c < 2; c++) {
		struct queue *primary = &gpu->primary[c].queue;
		/* Where an entry is taken out, those in front of it move up by one; those behind it stay. */
		for (struct queue_entry *e = primary->first; e < primary->end; e++) {
			uint32_t task = (uint32_t)e->who;
			const struct sm_mask *mask = gpu->launches[task].step->mask;
			if (!is_held_up(table, mask) && gpu_place(m, task))
				queue_remove(primary, task);
			else
				hold_up(table, mask);
		}
	}
}
