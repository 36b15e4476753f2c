/* cli/validate_shrink.c - see cli/validate_shrink.h. The jobs around the excess become a behaviour that the
 * search's own functions make small and write. */
#include "cli/validate_shrink.h"

#include <inttypes.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/say.h"
#include "cli/search_write.h"
#include "policies/own.h"
#include "policies/pipe/pipe.h"
#include "runs/load.h"
#include "runs/search/excerpt.h"

/* So many jobs of a task are tried, one after the other. */
static const uint32_t most_jobs[] = {GENOME_JOBS_DEFAULT, 100, 1000};
#define MOST_JOBS (sizeof(most_jobs) / sizeof(*most_jobs))

struct shrink_case {
	const struct tightness *t;
	struct analysis_use use;
	struct loaded_run run;     /* as it was recorded, with its releases and lengths */
	struct loaded_run subject; /* the same set for a plan, as validate reads it */
	struct bounding bounding;
	struct genome_space space;
	struct evaluator evaluator;
	struct arena arena;
	struct search_spec spec;
	struct search_target target;
	struct witness *witness;
	int64_t bound_ns;
};

static const struct tightness *most_exceeded(const struct validation *v)
{
	const struct tightness *most = NULL;
	for (size_t i = 0; i < v->tally_count; i++) {
		const struct violation *c = &v->tallies[i]->closest;
		if (v->tallies[i]->counted[CHECK_EXCEEDED] > 0 && c->observed_ns > c->bound_ns &&
			(!most || (double)c->observed_ns * (double)most->closest.bound_ns >
					  (double)most->closest.observed_ns * (double)c->bound_ns))
			most = v->tallies[i];
	}
	return most;
}

/* Smaller sets have other bounds, so the analysis must be asked again. */
static bool find_analysis(struct shrink_case *c, const char *file, struct error *err)
{
	char label[PARAMS_LABEL_MAX];
	struct error reason;
	if (c->t->use) {
		c->use = *c->t->use;
		return true;
	}
	if (pipe_is(c->t->analysis))
		return error_set(err, STATUS_INPUT,
			"--shrink asks '%s' about smaller sets: give its command, -a 'pipe:COMMAND'",
			c->t->label);
	snprintf(label, sizeof(label), "%s", c->t->label);
	char *mark = strstr(label, " (unsafe)");
	if (mark)
		*mark = '\0';
	own_code_refuse(file, "-a with its file lets it");
	bool ok = analysis_use_parse(label, &c->use, &reason);
	own_code_refuse(NULL, NULL);
	return ok || error_set(err, reason.status, "--shrink asks '%s' about smaller sets: %.800s", label,
			     reason.text);
}

static bool load(struct shrink_case *c, const char *file, struct error *err)
{
	const struct violation *x = &c->t->closest;
	struct db_reader *reader = reader_open(file, err);
	bool ok = reader && load_run(reader, x->run_id, &c->run, err) &&
		  load_subject(reader, x->taskset_id, x->platform_id, c->t->policy_id, &c->subject, err);
	reader_close(reader);
	return ok;
}

static bool bound(struct shrink_case *c, struct error *err)
{
	struct bounds b;
	const struct bounding_spec spec = {
		.platform = &c->subject.platform,
		.set = &c->subject.set,
		.setup = &c->subject.setup,
		.policy = c->subject.policy,
		.params = &c->subject.params,
	};
	if (!bounding_begin(&c->bounding, &spec, err) || !bounding_compute(&c->bounding, &c->use, &b, err))
		return false;
	c->bound_ns = b.task ? bounding_bound(&b.task[c->target.task]) : DB_NULL;
	return c->bound_ns != DB_NULL ||
	       error_set(err, STATUS_INPUT, "%s has no bound for task '%s' any more: %.500s", c->t->label,
		       c->t->closest.task, b.reason);
}

static bool shows(const struct shrink_case *c)
{
	int64_t period = c->subject.set.tasks[c->target.task].period_ns;
	return bound_check(&c->witness->found.seen, period, c->bound_ns) == CHECK_EXCEEDED;
}

/* The jobs of the run; if they do not show it, a search of the set. *shown: the witness is one. */
static bool look(struct shrink_case *c, uint32_t jobs, bool *shown, struct error *err)
{
	struct evaluator *e = &c->evaluator;
	struct search_case then = {&c->run.platform, &c->run.set, c->run.policy, &c->run.params};
	struct search_case now = {
		&c->subject.platform, &c->subject.set, c->subject.policy, &c->subject.params};
	evaluator_finish(e);
	genome_space_finish(&c->space);
	if (!genome_space_init(&c->space, &c->bounding.plan, jobs, false, err) ||
		!evaluator_init(e, &now, &c->space, err))
		return false;
	c->spec = (struct search_spec){
		.what = now,
		.plan = &c->bounding.plan,
		.space = &c->space,
		.method = METHOD_CLIMB,
		.budget = CLIMB_PIECE,
		.patience = CLIMB_PATIENCE,
		.seed = 1,
		.targets = &c->target,
		.target_count = 1,
	};
	if (!witnesses_new(&c->spec, &c->arena, &c->witness, err) ||
		!excerpt(&then, &c->run.setup, c->target.task, &c->space, &c->witness->genome, err))
		return false;
	struct found *found = &c->witness->found;
	found->response_ns = evaluate(e, &c->witness->genome, &c->target, err);
	if (found->response_ns < 0)
		return false;
	found->seen = evaluated_seen(e, &c->target);
	*shown = shows(c);
	if (*shown)
		return true;
	bool ok = search_here(&c->spec, e, 0, &interrupt_stops, c->witness, err);
	*shown = ok && shows(c);
	return ok;
}

static bool write_found(
	const struct shrink_request *r, struct shrink_case *c, uint32_t jobs, struct error *err)
{
	char by[64], label[PARAMS_LABEL_MAX], claim[PARAMS_LABEL_MAX + 64];
	snprintf(by, sizeof(by), "cegsim validate in run %" PRId64, c->t->closest.run_id);
	snprintf(claim, sizeof(claim), "its bound by %s", analysis_use_label(&c->use, label));
	const struct search_writing w = {
		.by = by,
		.remarks = r->remarks,
		.most_jobs = jobs,
		.overwrite = r->overwrite,
		.shrink = true,
	};
	const struct search_finding what = {
		.spec = &c->spec,
		.target = c->target,
		.response_ns = c->witness->found.response_ns,
		.genome = &c->witness->genome,
		.claim = claim,
		.bound_ns = c->bound_ns,
		.use = &c->use,
		.setup = &c->subject.setup,
		.witness = c->witness,
		.path = r->output,
	};
	return search_write(&w, &what, err);
}

static bool make(const struct shrink_request *r, struct shrink_case *c, struct error *err)
{
	bool shown = false;
	if (!find_analysis(c, r->file, err) || !load(c, r->file, err) || !bound(c, err))
		return false;
	uint32_t i = 0;
	for (; i < MOST_JOBS && !shown && !interrupt_came; i += !shown)
		if (!look(c, most_jobs[i], &shown, err))
			return false;
	if (shown)
		return write_found(r, c, most_jobs[i], err);
	if (interrupt_came)
		return error_set(err, STATUS_INTERRUPTED, "interrupted before a small scenario was found");
	return error_set(err, STATUS_INPUT,
		"run %" PRId64 " exceeds the bound of task '%s', but neither %" PRIu32
		" jobs of it nor a search show that: there is no scenario to write",
		c->t->closest.run_id, c->t->closest.task, most_jobs[MOST_JOBS - 1]);
}

bool validate_shrink(const struct shrink_request *r, const struct validation *v, struct error *err)
{
	struct shrink_case c = {.t = most_exceeded(v)};
	if (!c.t) {
		say(r->remarks, "No bound is exceeded: there is nothing to shrink.\n");
		return true;
	}
	c.target = (struct search_target){(uint32_t)c.t->closest.task_idx, WHOLE_JOB};
	bool ok = make(r, &c, err);
	evaluator_finish(&c.evaluator);
	genome_space_finish(&c.space);
	bounding_finish(&c.bounding);
	arena_finish(&c.arena);
	loaded_run_finish(&c.subject);
	loaded_run_finish(&c.run);
	return ok;
}
