/* tests/oracle/gpu.c - blocks on the SMs: R1 over the primary queues (docs/model.md, "GPU"). */
#include "tests/oracle/oracle_internal.h"

static uint32_t virtual_sms(const struct oracle *o)
{
	return o->platform->virtual_sms_per_sm ? o->platform->virtual_sms_per_sm : 1;
}

uint32_t oracle_block_count(const struct oracle *o, const struct segment *s)
{
	if (s->form == KERNEL_GRID)
		return s->grid;
	return s->form == KERNEL_WORK ? virtual_sms(o) * o->platform->sms : o->platform->sms;
}

static int64_t to_warps(int64_t threads)
{
	return (threads + WARP_THREADS - 1) / WARP_THREADS;
}

/* Threads of a persistent block. */
static int64_t persistent_threads(const struct oracle *o, const struct segment *s)
{
	int64_t all = o->platform->threads_per_sm;
	if (all == 0 || s->form == KERNEL_PROFILE)
		return all;
	int64_t part = all / virtual_sms(o);
	if (o->platform->pool == POOL_GPU)
		return part;
	part -= part % WARP_THREADS;
	return part > 0 ? part : WARP_THREADS;
}

struct need oracle_need(const struct oracle *o, const struct segment *s)
{
	bool grid = s->form == KERNEL_GRID;
	if (o->platform->pool == POOL_GPU)
		return (struct need){.threads = grid ? s->block : persistent_threads(o, s)};
	if (!grid) {
		int64_t threads = persistent_threads(o, s);
		return (struct need){
			.threads = threads, .warps = to_warps(threads), .blocks = 1,
			.slots = s->form == KERNEL_PROFILE ? virtual_sms(o) : 1,
		};
	}
	int64_t warps = to_warps(s->block), threads = warps * WARP_THREADS;
	return (struct need){
		.threads = threads, .warps = warps, .blocks = 1, .registers = s->registers * threads,
		.shared_memory = s->shared_memory,
	};
}

/* What is in use on an SM; in pool gpu, where blocks are on SM -1, on the whole GPU. */
static struct need in_use(const struct oracle *o, int32_t sm)
{
	struct need sum = {0};
	for (size_t i = 0; i < o->live_count; i++) {
		if (o->live[i].sm != sm)
			continue;
		const struct need *n = &o->tasks[o->live[i].task].op.need;
		sum.threads += n->threads;
		sum.warps += n->warps;
		sum.blocks += n->blocks;
		sum.registers += n->registers;
		sum.shared_memory += n->shared_memory;
		sum.slots += n->slots;
	}
	return sum;
}

static bool within(int64_t used, int64_t more, int64_t limit)
{
	return limit == 0 || used + more <= limit;
}

static bool fits(const struct oracle *o, const struct need *need, int32_t sm)
{
	const struct platform *p = o->platform;
	struct need used = in_use(o, sm);
	if (p->pool == POOL_GPU)
		return used.threads + need->threads <= (int64_t)p->sms * p->threads_per_sm;
	return within(used.threads, need->threads, p->threads_per_sm) &&
		within(used.warps, need->warps, p->warps_per_sm) &&
		within(used.blocks, need->blocks, p->blocks_per_sm) &&
		within(used.registers, need->registers, p->registers_per_sm) &&
		within(used.shared_memory, need->shared_memory, p->shared_memory_per_sm) &&
		used.slots + need->slots <= virtual_sms(o);
}

/* The n-th SM in the order that breaks ties. */
static int32_t sm_in_order(const struct oracle *o, uint32_t n)
{
	uint32_t evens = (o->platform->sms + 1) / 2;
	if (o->platform->sms_per_tpc != 2)
		return (int32_t)n;
	return (int32_t)(n < evens ? 2 * n : 2 * (n - evens) + 1);
}

/* Where a block goes: false if nowhere. */
static bool find_sm(const struct oracle *o, const struct need *need, int32_t *found)
{
	if (o->platform->pool == POOL_GPU) {
		*found = -1;
		return fits(o, need, -1);
	}
	bool any = false;
	int64_t least = 0;
	for (uint32_t n = 0; n < o->platform->sms; n++) {
		int32_t sm = sm_in_order(o, n);
		int64_t used = in_use(o, sm).threads;      /* all SMs are alike: most free = least used */
		if (!fits(o, need, sm) || (any && used >= least))
			continue;
		any = true;
		least = used;
		*found = sm;
	}
	return any;
}

static void place_block(struct oracle *o, uint32_t task, int32_t sm)
{
	struct task_state *t = &o->tasks[task];
	struct oracle_result *r = o->result;
	int64_t end = o->now + t->op.length;
	r->blocks = oracle_grow(r->blocks, r->block_count, sizeof(*r->blocks));
	r->blocks[r->block_count] = (struct oracle_block){
		.task = task, .seq = t->jobs[t->current].seq, .segment = t->op.segment, .block = t->op.placed,
		.sm = sm, .start = o->now, .end = end,
	};
	o->live = oracle_grow(o->live, o->live_count, sizeof(*o->live));
	o->live[o->live_count++] = (struct live_block){.task = task, .sm = sm, .end = end};
	r->block_count++;
	t->op.placed++;
	t->op.in_flight++;
	oracle_mark_started(o, task);
}

/* Kernels in the primary queue of high streams, or of the others. */
static bool waits_for_sms(const struct oracle *o, uint32_t task, uint32_t high)
{
	const struct operation_state *op = &o->tasks[task].op;
	return op->place == IN_STREAM && op->entered && op->placed < op->blocks &&
		oracle_segment(o, task)->stream_high == (high == 1);
}

static int64_t since_entered(const struct operation_state *op)
{
	return op->entered_at;
}

void oracle_place_blocks(struct oracle *o)
{
	for (;;) {
		int head = oracle_first(o, waits_for_sms, 1, o->policy->primary, since_entered, false);
		if (head < 0)
			head = oracle_first(o, waits_for_sms, 0, o->policy->primary, since_entered, false);
		int32_t sm;
		if (head < 0 || !find_sm(o, &o->tasks[head].op.need, &sm))
			return;
		place_block(o, (uint32_t)head, sm);
	}
}

void oracle_end_blocks(struct oracle *o)
{
	size_t kept = 0;
	for (size_t i = 0; i < o->live_count; i++) {
		if (o->live[i].end == o->now)
			o->tasks[o->live[i].task].op.in_flight--;
		else
			o->live[kept++] = o->live[i];
	}
	o->live_count = kept;
}
