/* runs/campaign/analyses.c - see runs/campaign/analyses.h. */
#include "runs/campaign/analyses.h"

#include <stdlib.h>

#include "runs/campaign/brief.h"
#include "runs/store.h"

bool unit_analyses_init(struct unit_maker *m, struct error *err)
{
	const struct campaign *c = m->campaign;
	int64_t id;
	m->analyses = calloc((size_t)c->analysis_count + 1, sizeof(*m->analyses));
	if (!m->analyses)
		return error_memory(err, "the analyses of a campaign");
	for (uint32_t i = 0; i < c->analysis_count; i++) {
		struct campaign_analysis *a = &m->analyses[i];
		*a = c->analyses[i];
		if (!a->policy.policy)
			a->policy = analysis_own_policy(a->use.analysis);
		if (!store_policy(m->writer, a->policy.policy, &a->policy.params, &id, err))
			return false;
	}
	return true;
}

/* False: out of memory. Options that contradict each other lead to a refusal. */
static bool compute(
	struct bounding *b, const struct analysis_use *use, struct bounds *bounds, struct error *err)
{
	struct error reason = {0};
	if (!bounding_fits(b, use->analysis)) {
		bounding_mismatch(b, use, bounds);
		return true;
	}
	if (bounding_compute(b, use, bounds, &reason))
		return true;
	if (reason.status == STATUS_INPUT)
		bounds_decline(bounds, use, BOUNDS_REFUSED, reason.text);
	else
		*err = reason;
	return reason.status == STATUS_INPUT;
}

static bool store(struct unit_maker *m, const struct unit_subject *s, const struct campaign_analysis *a,
	const struct bounding *b, const struct bounds *bounds, struct error *err)
{
	if (s->brief)
		return brief_analysis(s->brief, (uint32_t)(a - m->analyses), bounds, err);
	struct bounding_ids ids = {.taskset_id = s->taskset_id, .platform_id = s->platform_id};
	return store_policy(m->writer, a->policy.policy, &a->policy.params, &ids.policy_id, err) &&
	       bounding_store(b, bounds, s->bounds, &ids, m->writer, err);
}

/* The analysis crashed a worker process. Neither it nor its plan is tried again. */
static bool give_up(struct unit_maker *m, const struct unit_subject *s, const struct campaign_analysis *a,
	const char *reason, struct error *err)
{
	const struct bounding none = {.spec = s->spec, .refusal = "given up"};
	struct bounds bounds;
	bounds_decline(&bounds, &a->use, BOUNDS_ERROR, reason);
	return store(m, s, a, &none, &bounds, err);
}

bool unit_analyse(struct unit_maker *m, const struct unit_subject *s, struct error *err)
{
	const struct campaign_analysis *planned = NULL; /* the analysis whose plan it is */
	struct bounding b = {0};
	bool ok = true;
	for (uint32_t i = 0; ok && i < m->campaign->analysis_count; i++) {
		const struct campaign_analysis *a = &m->analyses[i];
		struct bounds bounds;
		if (s->brief && brief_keeps(s->brief))
			break;
		const char *given_up = troubles_verdict(m->troubles, s->unit, s->first_job + i);
		atomic_store(&m->view->run, s->first_job + i);
		m->view->beat++;
		if (given_up) {
			ok = give_up(m, s, a, given_up, err);
			continue;
		}
		if (!planned || !policy_use_same(&planned->policy, &a->policy)) {
			struct bounding_spec spec = s->spec;
			spec.policy = a->policy.policy;
			spec.params = &a->policy.params;
			bounding_finish(&b);
			planned = a;
			ok = bounding_begin(&b, &spec, err);
		}
		ok = ok && compute(&b, &a->use, &bounds, err) && store(m, s, a, &b, &bounds, err);
	}
	bounding_finish(&b);
	return ok;
}
