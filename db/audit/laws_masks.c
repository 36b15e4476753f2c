/* db/audit/laws_masks.c - owns the laws on kernels that are confined to some SMs, and on how many of them the
 * GPU holds (docs/model.md, "SM masks"). Who of these may place blocks is in the laws on the primary queue.
 */
#include "db/audit/law.h"
#include "db/audit/sweep.h"

#define TABLE "block_interval"

/* M1 */
uint64_t law_sm_mask(struct audit *a, const struct moment *m)
{
	const struct block *b = m->block;
	if (!m->track || b->segment < 0 || b->segment >= m->track->task->segments)
		return 0;
	const struct part_of_task *kernel = &m->track->task->segment[b->segment];
	if (!kernel->mask)
		return 0;
	if (b->sm < 0 || b->sm >= a->r->machine.sms || !mask_has(kernel->mask, (uint32_t)b->sm))
		broken(a, TABLE, m, "it is on SM %lld, to which its kernel is not confined",
			(long long)b->sm);
	return 1;
}

/* M2, under every policy. Kernels that high streams have evicted may still run; high ones keep their entries.
 */
uint64_t law_task_table(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	int64_t high = 0, low = 0, most = a->r->machine.resident_kernels;
	for (uint32_t i = 0; i < a->r->tasks; i++) {
		const struct audit_operation *op = &s->track[i].op;
		bool runs = op->active && op->resident > 0 && on_shown(s, op);
		high += runs && op->info->high_stream;
		low += runs && !op->info->high_stream;
	}
	bool evicts = false;
	for (uint32_t i = 0; i < a->r->tasks && !evicts; i++)
		for (uint32_t k = 0; k < a->r->task[i].segments; k++)
			evicts |= a->r->task[i].segment[k].kind == KIND_KERNEL &&
				  a->r->task[i].segment[k].high_stream;
	if (high + (evicts ? 0 : low) > most)
		broken(a, TABLE, m, "at %s blocks of %lld kernels%s run; the GPU holds %lld kernels",
			when(a, m->time), (long long)(evicts ? high : high + low),
			evicts ? " of high streams" : "", (long long)most);
	return 1;
}
