/* tests/oracle/gpu.c - blocks on the SMs: R1 over the primary queues, and kernels that have SMs of their
 * own (docs/model.md, "GPU"). */
#include <assert.h>

#include "tests/oracle/oracle_internal.h"

const struct oracle_grant *oracle_grant_of(const struct oracle *o, uint32_t task)
{
	if (o->policy->unit == ORACLE_SECTION_KERNELS || oracle_chooses(o))
		return o->tasks[task].chosen.count ? &o->tasks[task].chosen : NULL;
	return oracle_static_grant(o, task);
}

/* Does the kernel run on virtual SMs one by one? */
static bool on_slots(const struct oracle_grant *grant)
{
	return grant && grant->virtual_sms > 0;
}

static uint32_t block_count(const struct oracle *o, const struct segment *s, const struct oracle_grant *grant)
{
	uint32_t sms = oracle_sms_for(o, s, grant);
	if (s->form == KERNEL_GRID)
		return s->grid;
	if (on_slots(grant))
		return grant->virtual_sms;
	return s->form == KERNEL_WORK ? oracle_virtual_sms(o, s->gpu) * sms : sms;
}

static int64_t to_warps(int64_t threads)
{
	return (threads + WARP_THREADS - 1) / WARP_THREADS;
}

/* Threads of a persistent block, on one virtual SM or on a whole SM. */
static int64_t persistent_threads(const struct oracle *o, uint32_t gpu, bool whole)
{
	int64_t all = oracle_device(o, gpu)->threads_per_sm;
	if (all == 0 || whole)
		return all;
	int64_t part = all / oracle_virtual_sms(o, gpu);
	if (oracle_device(o, gpu)->pool == POOL_GPU)
		return part;
	part -= part % WARP_THREADS;
	return part > 0 ? part : WARP_THREADS;
}

static struct need plain_need(
	const struct oracle *o, const struct segment *s, const struct oracle_grant *grant)
{
	bool grid = s->form == KERNEL_GRID, whole = s->form == KERNEL_PROFILE && !on_slots(grant);
	if (oracle_device(o, s->gpu)->pool == POOL_GPU)
		return (struct need){.threads = grid ? s->block : persistent_threads(o, s->gpu, whole)};
	if (!grid) {
		int64_t threads = persistent_threads(o, s->gpu, whole);
		return (struct need){
			.threads = threads,
			.warps = to_warps(threads),
			.blocks = 1,
			.slots = whole ? oracle_virtual_sms(o, s->gpu) : 1,
		};
	}
	int64_t warps = to_warps(s->block), threads = warps * WARP_THREADS;
	return (struct need){
		.threads = threads,
		.warps = warps,
		.blocks = 1,
		.registers = s->registers * threads,
		.shared_memory = s->shared_memory,
		.slots = on_slots(grant) ? 1 : 0,
	};
}

/* How often `need` fits into what an empty SM has of one resource. */
static int64_t at_most(int64_t need, int64_t limit, int64_t most)
{
	return limit > 0 && need > 0 && limit / need < most ? limit / need : most;
}

/* Blocks that are resident on `sms` empty SMs of a GPU. */
static int64_t resident(const struct oracle *o, uint32_t gpu, const struct need *need, uint32_t sms)
{
	const struct platform *p = oracle_device(o, gpu);
	int64_t most = INT32_MAX;
	if (p->pool == POOL_GPU)
		return at_most(need->threads, (int64_t)sms * p->threads_per_sm, most);
	most = at_most(need->threads, p->threads_per_sm, most);
	most = at_most(need->warps, p->warps_per_sm, most);
	most = at_most(need->blocks, p->blocks_per_sm, most);
	most = at_most(need->registers, p->registers_per_sm, most);
	most = at_most(
		need->shared_memory, p->divisions.count ? need->division : p->shared_memory_per_sm, most);
	most = at_most(need->slots, oracle_virtual_sms(o, gpu), most);
	return most * sms;
}

/* Docs: the first block on an SM divides its memory. Its kernel may ask for an amount; otherwise it gets what
 * the blocks need that would fit if there were memory for all. The next larger division is taken, or the
 * largest. */
static struct need need_of(const struct oracle *o, const struct segment *s, const struct oracle_grant *grant)
{
	const struct divisions *d = &oracle_device(o, s->gpu)->divisions;
	struct need need = plain_need(o, s, grant), without = need;
	if (d->count == 0 || oracle_device(o, s->gpu)->pool == POOL_GPU)
		return need;
	without.shared_memory = 0;
	int64_t wanted = s->carveout ? s->carveout : need.shared_memory * resident(o, s->gpu, &without, 1);
	wanted = wanted < need.shared_memory ? need.shared_memory : wanted;
	for (uint32_t i = d->count; i-- > 0;)
		if (i + 1 == d->count || d->bytes[i] >= wanted)
			need.division = d->bytes[i];
	return need;
}

void oracle_shape_kernel(struct oracle *o, struct operation_state *op)
{
	const struct task_state *t = &o->tasks[op->task];
	const struct segment *s = oracle_segment(o, op);
	const struct oracle_grant *grant = oracle_grant_of(o, op->task);
	op->length = oracle_length_on(o, op->task, t->jobs[t->current].seq, op->segment, grant);
	if (op->length == 0)
		op->length = 1; /* the length is zero on these SMs only */
	op->blocks = block_count(o, s, grant);
	op->need = need_of(o, s, grant);
}

/* The worst time of blocks, one after the other, each where it can start first. */
static int64_t worst_of_blocks(const struct segment *s, uint32_t blocks, int64_t at_once, int64_t high)
{
	int64_t free_at[64] = {0}, latest = 0;
	if (!s->times || at_once >= blocks)
		return (blocks + at_once - 1) / at_once * high;
	assert(at_once <= 64);
	for (uint32_t b = 0; b < blocks; b++) {
		const struct block_time *t = &s->times->block[b % s->times->count];
		int64_t first = 0;
		for (int64_t i = 1; i < at_once; i++)
			first = free_at[i] < free_at[first] ? i : first;
		free_at[first] +=
			s->times->own_draws ? t->worst_ns : (t->share_ppm * high + 999999) / 1000000;
		latest = free_at[first] > latest ? free_at[first] : latest;
	}
	return latest;
}

int64_t oracle_worst(const struct oracle *o, const struct segment *s, uint32_t sms)
{
	int64_t low, high;
	const struct oracle_grant grant = {.count = sms};
	oracle_ends(o, s, &grant, &low, &high);
	if (s->kind != SEGMENT_KERNEL)
		return high;
	struct need need = need_of(o, s, &grant);
	int64_t at_once = resident(o, s->gpu, &need, sms);
	assert(at_once > 0);
	return worst_of_blocks(s, block_count(o, s, &grant), at_once, high);
}

/* Is the block on that SM of the kernel's GPU, and an affair of its process? */
static bool is_beside(
	const struct oracle *o, const struct live_block *l, const struct operation_state *op, int32_t sm)
{
	return l->sm == sm && oracle_gpu(o, l->op) == oracle_gpu(o, op) &&
	       o->tasks[l->op->task].process == o->tasks[op->task].process;
}

/* What the kernel's process has in use on an SM; in pool gpu, where blocks are on SM -1, on the whole GPU. */
static struct need in_use(const struct oracle *o, const struct operation_state *op, int32_t sm)
{
	struct need sum = {0};
	for (size_t i = 0; i < o->live_count; i++) {
		if (!is_beside(o, &o->live[i], op, sm))
			continue;
		const struct need *n = &o->live[i].op->need;
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

/* The division of an SM: that of any block there, or else what the new block makes of it. */
static int64_t division_of(const struct oracle *o, const struct operation_state *op, int32_t sm)
{
	for (size_t i = 0; i < o->live_count; i++)
		if (is_beside(o, &o->live[i], op, sm))
			return o->live[i].division;
	return op->need.division;
}

static bool fits(const struct oracle *o, const struct operation_state *op, int32_t sm)
{
	const struct platform *p = oracle_device(o, oracle_gpu(o, op));
	const struct need *need = &op->need;
	struct need used = in_use(o, op, sm);
	if (p->pool == POOL_GPU)
		return used.threads + need->threads <= (int64_t)p->sms * p->threads_per_sm;
	return within(used.threads, need->threads, p->threads_per_sm) &&
	       within(used.warps, need->warps, p->warps_per_sm) &&
	       within(used.blocks, need->blocks, p->blocks_per_sm) &&
	       within(used.registers, need->registers, p->registers_per_sm) &&
	       within(used.shared_memory, need->shared_memory, p->shared_memory_per_sm) &&
	       (p->divisions.count == 0 ||
		       used.shared_memory + need->shared_memory <= division_of(o, op, sm)) &&
	       used.slots + need->slots <= oracle_virtual_sms(o, oracle_gpu(o, op));
}

/* The n-th SM in the order that breaks ties. */
static int32_t sm_in_order(const struct platform *p, uint32_t n)
{
	uint32_t evens = (p->sms + 1) / 2;
	if (p->sms_per_tpc != 2)
		return (int32_t)n;
	return (int32_t)(n < evens ? 2 * n : 2 * (n - evens) + 1);
}

static bool in_mask(const struct segment *s, int32_t sm)
{
	bool in = s->sm_count == 0;
	for (uint32_t i = 0; i < s->sm_count; i++)
		in |= (int32_t)s->sms[i] == sm;
	return in;
}

/* May a block of the kernel go to this SM? A task with its own SMs uses only them, others those of the mask.
 */
static bool is_its_own(const struct oracle *o, const struct operation_state *op, int32_t sm)
{
	uint32_t task = op->task;
	const struct oracle_grant *grant = oracle_grant_of(o, task);
	int64_t there = 0;
	for (size_t i = 0; i < o->live_count; i++)
		there += o->live[i].op->task == task && o->live[i].sm == sm;
	for (uint32_t i = 0; grant && i < grant->count; i++) {
		if ((int32_t)grant->sm[i] == sm)
			return !on_slots(grant) || there < grant->slots[i];
	}
	return !grant && in_mask(oracle_segment(o, op), sm);
}

/* In pool gpu a task with its own SMs may use the threads of that many SMs; with virtual SMs it may have that
 * many blocks. */
static bool within_its_own(const struct oracle *o, const struct operation_state *op)
{
	const struct oracle_grant *grant = oracle_grant_of(o, op->task);
	int64_t blocks = 0, threads = 0;
	if (!grant)
		return true;
	for (size_t i = 0; i < o->live_count; i++) {
		blocks += o->live[i].op->task == op->task;
		threads += o->live[i].op->task == op->task ? o->live[i].op->need.threads : 0;
	}
	if (on_slots(grant))
		return blocks < grant->virtual_sms;
	return threads + op->need.threads <= (int64_t)grant->count * o->platform->threads_per_sm;
}

/* Finds where a block of the kernel goes; false: nowhere. */
static bool find_sm(const struct oracle *o, const struct operation_state *op, int32_t *found)
{
	const struct platform *p = oracle_device(o, oracle_gpu(o, op));
	if (p->pool == POOL_GPU) {
		*found = -1;
		return fits(o, op, -1) && within_its_own(o, op);
	}
	bool any = false;
	int64_t least = 0;
	for (uint32_t n = 0; n < p->sms; n++) {
		int32_t sm = sm_in_order(p, n);
		/* All SMs are alike: most free = least used. */
		int64_t used = in_use(o, op, sm).threads;
		if (!is_its_own(o, op, sm) || !fits(o, op, sm) || (any && used >= least))
			continue;
		any = true;
		least = used;
		*found = sm;
	}
	return any;
}

/* Those that were lost come first. */
static uint32_t next_block(const struct operation_state *op)
{
	uint32_t block = 0;
	if (!op->lost)
		return op->placed;
	while (!(op->lost >> block & 1))
		block++;
	return block;
}

/* Docs, "Preemption": the last block that was placed on the SM is of a low kernel. */
static bool is_of_low(const struct oracle *o, uint32_t gpu, int32_t sm)
{
	const struct oracle_result *r = o->result;
	for (size_t i = r->block_count; i-- > 0;)
		if (r->blocks[i].gpu == gpu && r->blocks[i].sm == sm)
			return o->policy->streams_alike ||
			       !o->set->tasks[r->blocks[i].task].segments[r->blocks[i].segment].stream_high;
	return false;
}

/* When the work of the block begins that is about to be placed there. */
static int64_t work_begins(struct oracle *o, const struct operation_state *op, int32_t sm)
{
	uint32_t gpu = oracle_gpu(o, op);
	int64_t delay = oracle_device(o, gpu)->preemption_delay_ns;
	if (delay == 0 || oracle_grant_of(o, op->task))
		return o->now;
	if (oracle_is_high(o, op) && o->left[gpu][sm])
		o->opens[gpu][sm] = o->now + delay;
	o->left[gpu][sm] = false;
	return o->opens[gpu][sm] > o->now ? o->opens[gpu][sm] : o->now;
}

/* A block has ended. */
static void leave_sm(struct oracle *o, const struct operation_state *op, int32_t sm)
{
	uint32_t gpu = oracle_gpu(o, op);
	bool more = op->placed < op->blocks && !o->tasks[op->task].cut;
	if (oracle_device(o, gpu)->preemption_delay_ns > 0 && more && !oracle_grant_of(o, op->task) &&
		!oracle_is_high(o, op) && is_of_low(o, gpu, sm))
		o->left[gpu][sm] = true;
}

static void place_block(struct oracle *o, struct operation_state *op, int32_t sm)
{
	uint32_t seq = o->tasks[op->task].jobs[o->tasks[op->task].current].seq;
	struct oracle_result *r = o->result;
	uint32_t block = next_block(op);
	int64_t end = work_begins(o, op, sm) +
		      oracle_block_length(o, op->task, seq, op->segment, block, op->length);
	r->blocks = oracle_grow(r->blocks, r->block_count, sizeof(*r->blocks));
	r->blocks[r->block_count] = (struct oracle_block){
		.task = op->task,
		.seq = seq,
		.segment = op->segment,
		.block = block,
		.gpu = oracle_gpu(o, op),
		.sm = sm,
		.start = o->now,
		.end = end,
	};
	o->live = oracle_grow(o->live, o->live_count, sizeof(*o->live));
	int64_t division = division_of(o, op, sm);
	o->live[o->live_count++] = (struct live_block){op, sm, end, division, block, r->block_count, false};
	r->block_count++;
	if (op->lost)
		op->lost &= ~(UINT64_C(1) << block);
	else
		op->placed++;
	op->in_flight++;
	oracle_mark_started(o, op->task);
}

/* Does a kernel at the head of its stream have blocks to place? */
bool oracle_has_blocks_to_place(const struct oracle *o, const struct operation_state *op)
{
	return op->place == IN_STREAM && op->entered && (op->placed < op->blocks || op->lost) &&
	       oracle_may_start(o, op);
}

bool oracle_is_high(const struct oracle *o, const struct operation_state *op)
{
	return oracle_segment(o, op)->stream_high && !o->policy->streams_alike;
}

bool oracle_place_all(struct oracle *o, struct operation_state *op)
{
	int32_t sm;
	while (oracle_has_blocks_to_place(o, op)) {
		if (!find_sm(o, op, &sm))
			return false;
		place_block(o, op, sm);
	}
	return true;
}

void oracle_place_blocks(struct oracle *o)
{
	for (uint32_t i = 0; i < o->op_count; i++) {
		struct operation_state *op = &o->ops[i];
		if (oracle_has_blocks_to_place(o, op) && oracle_grant_of(o, op->task))
			(void)oracle_place_all(o, op);
	}
	oracle_give_entries(o);
	oracle_walk_table(o);
}

void oracle_end_blocks(struct oracle *o)
{
	size_t kept = 0;
	for (size_t i = 0; i < o->live_count; i++) {
		if (o->live[i].end != o->now) {
			o->live[kept++] = o->live[i];
			continue;
		}
		leave_sm(o, o->live[i].op, o->live[i].sm);
		o->live[i].op->in_flight--;
	}
	o->live_count = kept;
}
