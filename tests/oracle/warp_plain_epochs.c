/* tests/oracle/warp_plain_epochs.c - phases 4 and 6: when epochs begin, what happened in the last one, the
 * rows about it, the samples of idle warps (docs/warps.md, Epochs; Idle warps and blocks). */
#include "tests/oracle/warp_plain_internal.h"

/* ---- the last epoch ---- */

/* IPC since the first job became active, -1: none yet. */
static int64_t history(const struct plain *p, const struct plain_kernel *k)
{
	if (k->first_active < 0 || k->first_active == p->c)
		return -1;
	return (int64_t)((int128)MILLION * k->issued / (p->c - k->first_active));
}

/* Writes the rows of the epoch that ends in this cycle. */
void plain_close_epoch(struct plain *p)
{
	int64_t length = p->c - p->epoch_start;
	for (uint32_t k = 0; k < p->kernels; k++) {
		struct plain_kernel *kernel = &p->kernel[k];
		kernel->row.end = p->c;
		kernel->row.history_ipc = kernel->history = history(p, kernel);
		kernel->epoch_ipc = (int64_t)((int128)MILLION * kernel->row.thread_instructions / length);
		kernel->whole_epoch = kernel->active_cycles == length;
		PLAIN_ADD(p->out->epochs, kernel->row);
	}
	for (uint32_t i = 0; i < p->sms; i++) {
		struct plain_sm *sm = &p->sm[i];
		PLAIN_ADD(p->out->sms, sm->row);
		for (uint32_t k = 0; k < p->kernels; k++) {
			sm->quota[k].counter_end = sm->counter[k];
			sm->quota[k].samples = p->samples;
			PLAIN_ADD(p->out->quotas, sm->quota[k]);
		}
	}
}

/* ---- the next epoch ---- */

static void open_kernel(struct plain *p, uint32_t k)
{
	struct plain_kernel *kernel = &p->kernel[k];
	uint32_t blocks = 0;
	for (uint32_t i = 0; i < p->sms; i++)
		blocks += plain_blocks_on(p, i, k);
	kernel->row = (struct warp_epoch){
		.epoch = p->epoch, .kernel = k, .start = p->c, .adjusted_goal = -1, .blocks = blocks};
	kernel->active_cycles = 0;
}

/* Begins the rows of an epoch with what is known before quotas are set. */
static void open_epoch(struct plain *p)
{
	p->samples = 0;
	p->epoch_start = p->c;
	for (uint32_t k = 0; k < p->kernels; k++)
		open_kernel(p, k);
	for (uint32_t i = 0; i < p->sms; i++) {
		p->sm[i].row = (struct warp_epoch_sm){.epoch = p->epoch, .sm = i};
		for (uint32_t k = 0; k < p->kernels; k++) {
			p->sm[i].quota[k] = (struct warp_epoch_quota){
				.epoch = p->epoch,
				.sm = i,
				.kernel = k,
				.quota = -1,
				.blocks = plain_blocks_on(p, i, k),
			};
			if (!plain_has_quotas(p))
				p->sm[i].counter[k] = 0;
		}
	}
}

static void note_targets(struct plain *p)
{
	for (uint32_t i = 0; i < p->sms; i++) {
		for (uint32_t k = 0; k < p->kernels; k++) {
			int64_t target = p->sm[i].target[k];
			p->sm[i].quota[k].target = target < 0 ? UINT32_MAX : (uint32_t)target;
		}
	}
}

static void next_epoch(struct plain *p)
{
	struct warp_epoch_quota last[SMS_MAX][WARP_KERNELS_MAX];
	uint32_t samples = p->samples;
	if (p->c > 0) {
		plain_close_epoch(p);
		p->epoch++;
	}
	for (uint32_t i = 0; i < p->sms; i++) {
		for (uint32_t k = 0; k < p->kernels; k++)
			last[i][k] = p->sm[i].quota[k];
	}
	open_epoch(p);
	if (plain_has_quotas(p))
		plain_set_quotas(p);
	if (plain_has_quotas(p) && p->options->adjust && p->options->blocks == BLOCKS_EVEN && p->c > 0)
		plain_adjust(p, last, samples);
	if (p->manager == MANAGER_SPART && p->c > 0)
		plain_spart_epoch(p);
	note_targets(p);
}

void plain_phase_epoch(struct plain *p)
{
	bool due = p->c == 0 || p->c == p->epoch_start + p->options->epoch;
	p->out->counts.early_epochs += p->launched && !due;
	if (due || p->launched)
		next_epoch(p);
	for (uint32_t i = 0; i < p->sms; i++)
		plain_look(p, i);
	for (uint32_t k = 0; k < p->kernels; k++)
		p->kernel[k].active_cycles += plain_active_job(p, k) != NULL;
}

/* ---- phase 6 ---- */

static bool is_idle(const struct plain *p, uint32_t sm, const struct plain_view *v)
{
	return plain_operand_there(p, v) && !v->warp->at_barrier && v->block->place == PLACE_ON &&
	       plain_lets(p, sm, v->kernel) && v->warp->issued_in != p->c;
}

void plain_phase_sample(struct plain *p)
{
	int64_t apart = p->options->epoch / p->options->samples;
	if (apart < 1)
		apart = 1;
	if (p->samples == p->options->samples || (p->c - p->epoch_start) % apart != 0)
		return;
	p->samples++;
	for (uint32_t i = 0; i < p->sms; i++) {
		for (uint32_t s = 0; s < p->machine->sub_cores; s++) {
			struct plain_view views[WARPS_PER_SM_MAX];
			uint32_t count = plain_views(p, i, s, views);
			for (uint32_t v = 0; v < count; v++)
				p->sm[i].quota[views[v].kernel].idle_sum += is_idle(p, i, &views[v]);
		}
	}
}
