/* tests/oracle/table.c - the oracle's task table: which kernels the GPU holds, and in which order they place
 * their blocks (docs/model.md, "SM masks"; without masks and with room for all this is "Primary queue"). */
#include "tests/oracle/oracle_internal.h"

/* Is it a kernel in the primary queue, or one that was there and has not ended? */
static bool is_kernel(const struct oracle *o, const struct operation_state *op)
{
	return op->place == IN_STREAM && op->entered && oracle_segment(o, op)->kind == SEGMENT_KERNEL &&
	       !oracle_grant_of(o, op->task);
}

/* Each process has a table of its own, and each GPU; nowhere there are several of both. */
static uint32_t table_of(const struct oracle *o, const struct operation_state *op)
{
	return o->contexts.count > 0 ? o->tasks[op->task].process : oracle_gpu(o, op);
}

static uint32_t tables(const struct oracle *o)
{
	return o->contexts.count > 0 ? o->contexts.count : platform_gpus(o->platform);
}

static uint32_t entries(const struct oracle *o, uint32_t table)
{
	return oracle_device(o, o->contexts.count > 0 ? 0 : table)->resident_kernels;
}

/* `which`: 2 * table, and 1 more for those of high streams. */
static bool is_of(const struct oracle *o, const struct operation_state *op, uint32_t which)
{
	return is_kernel(o, op) && table_of(o, op) == which / 2 && oracle_is_high(o, op) == (which % 2 == 1);
}

static bool asks(const struct oracle *o, const struct operation_state *op, uint32_t which)
{
	return is_of(o, op, which) && !op->listed;
}

static bool not_walked(const struct oracle *o, const struct operation_state *op, uint32_t which)
{
	return is_of(o, op, which) && op->listed && !op->walked;
}

static int64_t since_entered(const struct oracle *o, const struct operation_state *op)
{
	(void)o;
	return op->entered_at;
}

static struct operation_state *first_of(const struct oracle *o, oracle_waits_fn *waits, uint32_t which)
{
	return oracle_first(o, waits, which, o->policy->primary, since_entered, false);
}

static uint32_t listed(const struct oracle *o, uint32_t table)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < o->op_count; i++)
		count += is_kernel(o, &o->ops[i]) && o->ops[i].listed && table_of(o, &o->ops[i]) == table;
	return count;
}

static void forget_walk(struct oracle *o)
{
	for (uint32_t i = 0; i < o->op_count; i++)
		o->ops[i].walked = false;
}

/* The last of the low kernels in the table; NULL: there is none. */
static struct operation_state *last_low(struct oracle *o, uint32_t table)
{
	struct operation_state *last = NULL;
	forget_walk(o);
	for (struct operation_state *op; (op = first_of(o, not_walked, 2 * table)); last = op)
		op->walked = true;
	return last;
}

static void give_entries(struct oracle *o, uint32_t table)
{
	uint32_t most = entries(o, table);
	for (;;) {
		struct operation_state *next = first_of(o, asks, 2 * table + 1);
		if (!next)
			next = first_of(o, asks, 2 * table);
		if (!next)
			return;
		if (most && listed(o, table) >= most) {
			struct operation_state *last = oracle_is_high(o, next) ? last_low(o, table) : NULL;
			if (!last)
				return;
			last->listed = false;
		}
		next->listed = true;
	}
}

void oracle_give_entries(struct oracle *o)
{
	for (uint32_t table = 0; table < tables(o); table++)
		give_entries(o, table);
}

/* The SMs of a kernel, a bit for each. */
static uint64_t mask_of(const struct oracle *o, const struct operation_state *op)
{
	const struct segment *s = oracle_segment(o, op);
	uint64_t mask = s->sm_count ? 0 : UINT64_MAX;
	for (uint32_t i = 0; i < s->sm_count; i++)
		mask |= UINT64_C(1) << s->sms[i];
	return mask;
}

void oracle_walk_table(struct oracle *o)
{
	forget_walk(o);
	for (uint32_t table = 0; table < tables(o); table++) {
		uint64_t held_up = 0;
		for (uint32_t high = 2; high-- > 0;) {
			for (struct operation_state *op; (op = first_of(o, not_walked, 2 * table + high));) {
				op->walked = true;
				if (!oracle_has_blocks_to_place(o, op))
					continue;
				if ((held_up & mask_of(o, op)) || !oracle_place_all(o, op))
					held_up |= mask_of(o, op);
			}
		}
	}
}
