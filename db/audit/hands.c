/* db/audit/hands.c - SMs that high kernels take from low ones, and the time that this takes (docs/model.md,
 * "Preemption"; QAWS, section II). Recordings of programs before say nothing of it. */
#include "db/audit/law.h"
#include "db/audit/sweep.h"

#define TIME_MAX (INT64_C(1) << 62)

static bool plausible(struct recording *r, const struct audit_machine *m, struct error *err)
{
	int64_t ns = m->preemption_delay_ns;
	return (ns >= 0 && ns <= (m->pooled ? 0 : TIME_MAX)) ||
	       error_set(err, STATUS_INPUT, "run %lld: its platform has an impossible preemption delay",
		       (long long)r->run_id);
}

bool hands_load(struct recording *r, struct db_reader *source, struct error *err)
{
	bool has;
	int64_t ns = NOT_GIVEN;
	if (!reader_has(source, "platform", "preemption_delay_ns", &has, err))
		return false;
	if (has && !query_number(source, "SELECT preemption_delay_ns FROM platform WHERE platform_id = ?1",
			   r->platform_id, &ns, err))
		return false;
	r->machine.preemption_delay_ns = ns == NOT_GIVEN ? 0 : ns;
	if (r->gpus > 1)
		r->gpu[0].preemption_delay_ns = r->machine.preemption_delay_ns;
	for (uint32_t g = 1; g < r->gpus; g++)
		if (!plausible(r, &r->gpu[g], err))
			return false;
	return plausible(r, &r->machine, err);
}

/* Whether SMs change hands at a cost; who has SMs of its own neither pays nor leaves anything. */
static bool costs(const struct sweep *s)
{
	return s->r->machine.preemption_delay_ns > 0 && s->promise && s->promise->grants == GRANTS_NONE;
}

static int64_t opens(const struct sweep *s, const struct track *t, const struct sm *sm)
{
	return t->op.info->high_stream && sm->hands == SM_LEFT ? s->now + s->r->machine.preemption_delay_ns
							       : sm->open_ns;
}

void sweep_hands_place(struct sweep *s, const struct track *t, struct sm *sm)
{
	if (!costs(s) || !t->op.info)
		return;
	sm->open_ns = opens(s, t, sm);
	sm->hands = t->op.info->high_stream ? SM_NOBODYS : SM_LOW;
}

void sweep_hands_end(struct sweep *s, const struct track *t, struct sm *sm)
{
	const struct audit_operation *op = &t->op;
	if (costs(s) && !op->info->high_stream && sm->hands == SM_LOW && !op->withdrawn && unplaced(op) > 0)
		sm->hands = SM_LEFT;
}

int64_t sweep_hands_late(const struct sweep *s, const struct track *t, const struct sm *sm)
{
	int64_t open = costs(s) ? opens(s, t, sm) : 0;
	return open > s->now ? open - s->now : 0;
}
