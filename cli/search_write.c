/* cli/search_write.c - writes the result of a search as a scenario that can be run again. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/say.h"
#include "base/units.h"
#include "cli/search.h"
#include "db/rows.h"
#include "runs/search/minimise.h"
#include "runs/search/scenario_file.h"
#include "runs/search/shrink.h"

bool search_folder(const char *path, struct error *err)
{
	if (mkdir(path, 0777) == 0 || errno == EEXIST)
		return true;
	return error_set(err, STATUS_IO, "cannot make the folder %s: %s", path, strerror(errno));
}

char *search_file_name(const char *text)
{
	char *name = strdup(text);
	for (char *c = name; name && *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '-')
			*c = '_';
	return name;
}

static void add_target(struct text *out, const struct taskset *set, const struct search_target *t)
{
	text_printf(out, "task '%s'", set->tasks[t->task].name);
	if (t->segment != WHOLE_JOB)
		text_printf(out, ", segment %" PRIu32, t->segment);
}

static bool say_written(const struct search_writing *w, const struct search_finding *what,
	int64_t response_ns, struct error *err)
{
	char response[UNIT_TEXT_MAX];
	struct deviations d = genome_deviations(what->spec->space, what->genome);
	struct text target = {0};
	add_target(&target, what->spec->what.set, &what->target);
	bool ok = text_ok(&target, "saying what was found", err);
	if (ok)
		say(w->remarks,
			"%s: %s of %s by %u jobs of %u tasks; %u offsets, %u separations, %u lengths%s\n",
			what->path, unit_format(UNIT_TIME, response_ns, response), text_data(&target), d.jobs,
			d.tasks, d.offsets, d.separations, d.lengths, d.ties ? ", ties" : "");
	text_finish(&target);
	return ok;
}

/* Adds how long the job takes, and the bound with the verdict on it by the reduced schedule. */
static void add_response(
	struct text *out, const struct search_finding *what, const struct evaluator *e, int64_t response_ns)
{
	const struct bound_seen seen = evaluated_seen(e, &what->target);
	const char *policy = what->spec->what.policy->name;
	int64_t period = what->spec->what.set->tasks[what->target.task].period_ns;
	char response[UNIT_TEXT_MAX], bound[UNIT_TEXT_MAX];
	if (what->bound_ns == DB_NULL) {
		text_printf(out, "takes %s under %s", unit_format(UNIT_TIME, response_ns, response), policy);
		return;
	}
	unit_format_alike(UNIT_TIME, (int64_t[]){response_ns, what->bound_ns}, response, bound);
	text_printf(out, "takes %s under %s; %s is %s: %s", response, policy, what->claim, bound,
		bound_check_name(bound_check(&seen, period, what->bound_ns)));
}

/* What a reader of a paper wants to see first. */
static void add_comparison(struct text *out, const struct search_finding *what, int64_t response)
{
	char typed[PARAMS_LABEL_MAX], observed[UNIT_TEXT_MAX], bound[UNIT_TEXT_MAX];
	if (!what->use)
		return;
	unit_format_alike(UNIT_TIME, (int64_t[]){response, what->bound_ns}, observed, bound);
	text_printf(out, "\nobserved %s %s bound %s (observed / bound %.4f). To see it:\n", observed,
		response > what->bound_ns ? ">" : "<=", bound, (double)response / (double)what->bound_ns);
	text_printf(out, "  cegsim run %s -o FILE.db && cegsim validate FILE.db -a '%s'", what->path,
		analysis_use_typed(what->use, typed));
}

static bool write_finding(const struct search_writing *w, const struct search_finding *what,
	struct evaluator *e, struct error *err)
{
	struct text remark = {0};
	int64_t least = w->shrink && what->bound_ns != DB_NULL
				? shrunk_enough(what->response_ns, what->bound_ns)
				: what->response_ns;
	if (!w->keep_whole &&
		!minimise(e, &what->target, least, w->shrink, &interrupt_stops, what->genome, err))
		return false;
	int64_t again = evaluate(e, what->genome, &what->target, err);
	if (again < 0)
		return false;
	text_printf(&remark, "Found by %s: ", w->by);
	add_target(&remark, what->spec->what.set, &what->target);
	text_printf(&remark, ", job %" PRIu32 " ", evaluated_job(e, &what->target));
	add_response(&remark, what, e, again);
	if (w->shrink)
		add_comparison(&remark, what, again);
	text_printf(&remark, "\nDigest of the run: %016" PRIx64, e->digest);
	bool ok = text_ok(&remark, "a scenario", err) &&
		  scenario_file_write(e, what->genome, text_data(&remark), what->path, err);
	text_finish(&remark);
	return ok && say_written(w, what, again, err);
}

static bool write_as_it_is(
	const struct search_writing *w, const struct search_finding *what, struct error *err)
{
	struct evaluator e;
	if (!evaluator_init(&e, &what->spec->what, what->spec->space, err))
		return false;
	bool ok = write_finding(w, what, &e, err);
	evaluator_finish(&e);
	return ok;
}

/* Makes the set small first; the bound is then another one. */
static bool write_shrunk(const struct search_writing *w, const struct search_finding *what, struct error *err)
{
	char label[PARAMS_LABEL_MAX], claim[PARAMS_LABEL_MAX + 64];
	struct variant *s;
	const struct shrink_goal goal = {
		.setup = what->setup,
		.use = what->use,
		.from = what->witness,
		.target = what->target,
		.bound_ns = what->bound_ns,
		.most_jobs = w->most_jobs,
		.stop = &interrupt_stops,
	};
	if (!shrink(what->spec, &goal, &s, err))
		return err->status == STATUS_INTERRUPTED && write_as_it_is(w, what, err);
	snprintf(claim, sizeof(claim), "its bound by %s", analysis_use_label(what->use, label));
	struct search_finding small = *what;
	small.spec = &s->spec;
	small.target = s->target;
	small.response_ns = s->witness->found.response_ns;
	small.genome = &s->witness->genome;
	small.claim = claim;
	small.bound_ns = s->bound_ns;
	bool ok = write_as_it_is(w, &small, err);
	variant_destroy(s);
	return ok;
}

bool search_write(const struct search_writing *w, const struct search_finding *what, struct error *err)
{
	if (!w->overwrite && access(what->path, F_OK) == 0)
		return error_set(err, STATUS_INPUT,
			"%s exists already; choose another name, or overwrite it with --force", what->path);
	bool shrinks = w->shrink && what->use && what->target.segment == WHOLE_JOB && what->bound_ns > 0 &&
		       what->bound_ns <= what->spec->what.set->tasks[what->target.task].period_ns;
	return shrinks ? write_shrunk(w, what, err) : write_as_it_is(w, what, err);
}
