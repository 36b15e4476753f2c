/* cli/search_sets.c - `cegsim search FILE.db`: searches every set of a recording by several methods with
 * equal budgets: how near they come to the bounds, and where a bound is exceeded. It stores nothing. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/say.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/search.h"
#include "db/subjects.h"
#include "runs/search/sets.h"

#define LISTED 10u

struct summary {
	struct search_command *c;
	struct sets_search sets;
	struct sets_subject *subjects;
	const struct sets_result **results; /* [subjects] */
	const char *policies[64];           /* the names that occur */
	uint32_t policy_count;
};

/* ---- what is searched ---- */

static bool add_subjects(struct summary *s, const struct subjects *all, struct error *err)
{
	const struct search_command *c = s->c;
	uint32_t given = c->uses.policy_count;
	s->subjects = calloc(all->count * (given ? given : 1) + 1, sizeof(*s->subjects));
	if (!s->subjects)
		return error_memory(err, "the list of task sets");
	bool ok = true;
	for (size_t i = 0; ok && i < all->count; i++) {
		const struct subject *u = &all->items[i];
		struct sets_subject next = {u->taskset_id, u->platform_id, u->policy_id, NULL, NULL};
		for (uint32_t k = 0; k < given; k++) {
			next.policy = c->uses.policies[k].policy;
			next.params = &c->uses.policies[k].params;
			s->subjects[s->sets.subject_count++] = next;
		}
		if (!given && u->policy_id)
			s->subjects[s->sets.subject_count++] = next;
		ok = given || u->policy_id ||
		     error_set(err, STATUS_INPUT, "%s has sets without a policy: name one with -p",
			     c->given.file);
	}
	return ok;
}

static bool list_subjects(struct summary *s, struct error *err)
{
	struct subjects all = {0};
	struct db_reader *reader = reader_open(s->c->given.file, err);
	bool ok = reader && subjects_list(reader, s->c->uses.policy_count > 0, &all, err) &&
		  add_subjects(s, &all, err);
	if (ok && (s->sets.subject_count == 0 || s->sets.subject_count > INT32_MAX))
		ok = error_set(err, STATUS_INPUT, "%s holds %s", s->c->given.file,
			s->sets.subject_count ? "too many task sets" : "no task set");
	reader_close(reader);
	subjects_finish(&all);
	return ok;
}

static bool settle(struct summary *s, struct error *err)
{
	const struct search_command *c = s->c;
	if (c->targets.count)
		return error_set(
			err, STATUS_INPUT, "a target is for a scenario; in a recording every task is one");
	if (c->method == METHOD_EXHAUSTIVE)
		return error_set(err, STATUS_INPUT, "an exhaustive search is for a scenario");
	if (c->uses.analysis_count > SETS_ANALYSES)
		return error_set(err, STATUS_INPUT, "at most %u analyses at a time", SETS_ANALYSES);
	s->sets = (struct sets_search){
		.file = c->given.file,
		.analyses = c->uses.analyses,
		.analysis_count = c->uses.analysis_count,
		.budget = c->budget,
		.seed = c->seed,
		.patience = c->patience,
		.most_jobs = c->jobs_per_task,
		.periodic = c->periodic,
	};
	for (int m = 0; m < (int)SETS_METHODS; m++)
		s->sets.methods[m] = c->method == m || (c->method < 0 && m != METHOD_HUNT);
	if (!list_subjects(s, err))
		return false;
	s->sets.subjects = s->subjects;
	return true;
}

/* ---- the summary ---- */

struct total {
	uint32_t sets, schedulable, errors, targets, ratios, counted[BOUND_CHECKS], exceeded_sets;
	double sum, most, seconds;
	uint64_t evaluations;
};

static struct total total_of(const struct summary *s, const char *policy, uint32_t analysis, uint32_t method)
{
	struct total t = {.sets = 0};
	for (uint32_t i = 0; i < s->sets.subject_count; i++) {
		const struct sets_result *r = s->results[i];
		const struct sets_cell *cell = &r->cells[analysis][method];
		if (!r->complete || !r->asked[analysis] || strcmp(r->policy, policy) != 0)
			continue;
		t.sets++;
		t.schedulable += r->schedulable[analysis];
		t.errors += r->erred[analysis];
		for (int check = 0; check < BOUND_CHECKS; check++) {
			t.counted[check] += cell->counted[check];
			t.targets += cell->counted[check];
		}
		t.exceeded_sets += cell->counted[CHECK_EXCEEDED] > 0;
		t.ratios += cell->ratios;
		t.sum += cell->sum;
		t.most = cell->most > t.most ? cell->most : t.most;
		t.seconds += r->seconds[method];
		t.evaluations += r->evaluations[method];
	}
	return t;
}

static void print_total(
	const struct summary *s, struct table *t, const char *policy, uint32_t analysis, uint32_t method)
{
	char label[PARAMS_LABEL_MAX];
	struct total n = total_of(s, policy, analysis, method);
	/* Most of the analyses that exist are for other sets */
	if (n.sets == 0 || (n.schedulable == 0 && n.targets == 0 && !s->c->uses.chosen))
		return;
	table_text(t, policy);
	table_text(t, analysis_use_label(&s->sets.analyses[analysis], label));
	table_text(t, search_method_name((enum search_method)method));
	table_integer(t, n.sets);
	table_integer(t, n.schedulable);
	table_integer(t, n.errors);
	table_integer(t, n.targets);
	n.ratios ? table_real(t, n.sum / n.ratios) : table_null(t);
	n.ratios ? table_real(t, n.most) : table_null(t);
	for (int check = CHECK_UNBOUNDED; check < BOUND_CHECKS; check++)
		if (check != CHECK_NOT_ASSUMED)
			table_integer(t, n.counted[check]);
	table_integer(t, n.exceeded_sets);
	table_integer(t, (int64_t)n.evaluations);
}

static void note_policies(struct summary *s)
{
	for (uint32_t i = 0; i < s->sets.subject_count; i++) {
		const char *name = s->results[i]->policy;
		bool known = !*name || s->policy_count == sizeof(s->policies) / sizeof(*s->policies);
		for (uint32_t k = 0; k < s->policy_count; k++)
			known |= strcmp(s->policies[k], name) == 0;
		if (!known)
			s->policies[s->policy_count++] = name;
	}
}

static bool print_summary(struct summary *s, struct error *err)
{
	/* A search never violates what tasks declare, and removes no job; bounds of schedulable sets rest on
	 * nobody. So only the other verdicts have a column, in their order. */
	static const char *const columns[] = {"policy", "analysis", "method", "sets", "schedulable", "errors",
		"tasks", "mean_ratio", "max_ratio", "unbounded", "beyond_period", "exceeded", "truncated",
		"unanswered", "holds", "exceeded_sets", "evaluations"};
	struct table t;
	note_policies(s);
	table_begin(&t, stdout, s->c->given.format, columns, sizeof(columns) / sizeof(*columns));
	for (uint32_t p = 0; p < s->policy_count; p++)
		for (uint32_t a = 0; a < s->sets.analysis_count; a++)
			for (uint32_t m = 0; m < SETS_METHODS; m++)
				if (s->sets.methods[m])
					print_total(s, &t, s->policies[p], a, m);
	return table_end(&t, err);
}

/* Analyses of users that gave no answer; whether there are any. */
static bool print_errors(const struct summary *s)
{
	char label[PARAMS_LABEL_MAX];
	bool any = false;
	for (uint32_t a = 0; a < s->sets.analysis_count; a++) {
		uint32_t erred = 0, asked = 0, first = 0;
		for (uint32_t i = s->sets.subject_count; i-- > 0;) {
			const struct sets_result *r = s->results[i];
			asked += r->complete && r->asked[a];
			erred += r->complete && r->erred[a];
			first = r->complete && r->erred[a] ? i : first;
		}
		if (erred > 0)
			say(stderr,
				"cegsim: error: %s gave no answer for %" PRIu32 " of %" PRIu32
				" set%s; first, set %" PRId64 " under %s: %s\n",
				analysis_use_label(&s->sets.analyses[a], label), erred, asked, plural(asked),
				s->subjects[first].taskset_id, s->results[first]->policy,
				s->results[first]->reason[a]);
		any |= erred > 0;
	}
	return any;
}

/* ---- excesses ---- */

static void say_excess(const struct summary *s, uint32_t subject, const struct sets_case *c,
	const struct sets_excess *x, char *claim, size_t size)
{
	char label[PARAMS_LABEL_MAX], observed[UNIT_TEXT_MAX], bound[UNIT_TEXT_MAX];
	unit_format_alike(UNIT_TIME, (int64_t[]){x->observed_ns, x->bound_ns}, observed, bound);
	snprintf(claim, size, "its bound by %s", analysis_use_label(&s->sets.analyses[x->analysis], label));
	say(search_remarks(s->c), "%s %" PRId64 " under %s: task '%s' takes %s; %s is %s: exceeded (%s)\n",
		x->method == METHOD_HUNT ? "near set" : "set", s->subjects[subject].taskset_id,
		c->what.policy->name, c->what.set->tasks[x->task].name, observed, claim, bound,
		search_method_name(x->method));
}

/* Where an excess of this set is written; free() it. NULL: out of memory. */
static char *excess_path(const struct summary *s, uint32_t subject, const struct sets_case *c)
{
	char *path;
	return asprintf(&path, "%s/set-%" PRId64 "-%s.yaml", s->c->given.output,
		       s->subjects[subject].taskset_id, c->what.policy->name) < 0
		       ? NULL
		       : path;
}

static bool write_found(const struct summary *s, uint32_t subject, const struct sets_case *c,
	const struct sets_excess *x, const struct search_finding *found, struct error *err)
{
	struct search_finding what = *found;
	char *path = excess_path(s, subject, c);
	what.path = path;
	what.bound_ns = x->bound_ns;
	what.use = &s->sets.analyses[x->analysis];
	what.setup = &c->run.setup;
	what.response_ns = what.witness->found.response_ns;
	const struct search_writing w = search_writing(s->c);
	bool ok = path ? search_write(&w, &what, err) : error_memory(err, "the name of a file");
	free(path);
	return ok;
}

/* Repeats the search to get its genome. */
static bool write_excess(const struct summary *s, uint32_t subject, const struct sets_case *c,
	const struct sets_excess *x, const char *claim, struct error *err)
{
	struct search_target target;
	struct search_spec h = sets_task_search(&s->sets, c, subject, x->method, x->task, &target);
	struct arena arena = {0};
	struct evaluator e;
	struct witness *q;
	if (!evaluator_init(&e, &c->what, &c->space, err))
		return false;
	bool ok = witnesses_new(&h, &arena, &q, err) && search_here(&h, &e, 0, NULL, q, err);
	if (ok) {
		const struct search_finding what = {
			.spec = &h, .target = target, .genome = &q->genome, .claim = claim, .witness = q};
		ok = write_found(s, subject, c, x, &what, err);
	}
	evaluator_finish(&e);
	arena_finish(&arena);
	return ok;
}

/* Repeats the hunt to get its set. */
static bool write_hunted(const struct summary *s, uint32_t subject, const struct sets_case *c,
	const struct sets_excess *x, const char *claim, struct error *err)
{
	struct search_spec spec;
	struct hunted found;
	const struct hunt h = sets_hunt(&s->sets, c, subject, &s->sets.analyses[x->analysis], &spec);
	if (!hunt(&h, &found, err))
		return false;
	found.best->spec.budget = CLIMB_PIECE; /* of searches that make it small */
	const struct search_finding what = {.spec = &found.best->spec,
		.target = found.best->target,
		.genome = &found.best->witness->genome,
		.claim = claim,
		.witness = found.best->witness};
	bool ok = write_found(s, subject, c, x, &what, err);
	variant_destroy(found.best);
	return ok;
}

static bool show_excess(const struct summary *s, struct db_reader *reader, uint32_t subject,
	const struct sets_excess *x, struct error *err)
{
	struct sets_case c;
	char claim[PARAMS_LABEL_MAX + 64];
	if (!sets_open(&s->sets, reader, subject, &c, err))
		return false;
	say_excess(s, subject, &c, x, claim, sizeof(claim));
	bool ok = !s->c->given.output ||
		  (x->method == METHOD_HUNT ? write_hunted : write_excess)(s, subject, &c, x, claim, err);
	sets_close(&c);
	return ok;
}

/* *sound: one of the bounds is not known to be unsafe. */
static bool show_excesses(const struct summary *s, bool *sound, struct error *err)
{
	uint32_t shown = 0, all = 0;
	struct db_reader *reader = reader_open(s->c->given.file, err);
	bool ok = reader && (!s->c->given.output || search_folder(s->c->given.output, err));
	for (uint32_t i = 0; ok && i < s->sets.subject_count && !interrupt_came; i++) {
		const struct sets_result *r = s->results[i];
		const struct sets_excess *x = r->sound.any ? &r->sound : &r->unsafe;
		*sound |= r->sound.any;
		if (!x->any)
			continue;
		if (all++ >= LISTED && !s->c->given.output)
			continue;
		ok = show_excess(s, reader, i, x, err);
		shown++;
	}
	if (ok && all > shown)
		say(search_remarks(s->c),
			"and %" PRIu32 " sets more; -o DIR writes all of them as scenarios\n", all - shown);
	reader_close(reader);
	return ok;
}

/* ---- the command ---- */

static bool finish(struct summary *s, const struct pieces_spec *spec, const struct pieces_results *r,
	bool *sound, bool *erred, struct error *err)
{
	s->results = calloc((size_t)spec->pieces + 1, sizeof(*s->results));
	if (!s->results)
		return error_memory(err, "the summary");
	for (uint32_t i = 0; i < spec->pieces; i++)
		s->results[i] = pieces_result(spec, r, i);
	if (!print_summary(s, err))
		return false;
	*erred = print_errors(s);
	bool any = *erred;
	for (uint32_t i = 0; i < spec->pieces; i++)
		for (uint32_t a = 0; a < s->sets.analysis_count; a++)
			any |= s->results[i]->schedulable[a];
	if (!any && !r->interrupted && s->c->method != METHOD_HUNT)
		say(stderr, "cegsim: no set is schedulable by an analysis for its policy: nothing was "
			    "searched\n");
	if (s->c->given.verbose)
		say(search_remarks(s->c), "%" PRIu64 " evaluations in %.3f s (%.0f/s)\n", r->evaluations,
			r->seconds, r->seconds > 0 ? (double)r->evaluations / r->seconds : 0.0);
	return show_excesses(s, sound, err);
}

static enum status search_sets(struct summary *s)
{
	struct search_command *c = s->c;
	struct error err;
	struct pieces_results r = {0};
	bool sound = false, erred = false;
	if (!settle(s, &err))
		return (enum status)error_report(&err);
	const struct pieces_spec spec = {
		.workers = c->workers < s->sets.subject_count ? c->workers : s->sets.subject_count,
		.pieces = s->sets.subject_count,
		.result_size = sizeof(struct sets_result),
		.make = sets_make,
		.self = &s->sets,
		.quiet = c->given.quiet, /* progress counts sets, as not all are searched */
	};
	bool ok = pieces_run(&spec, &r, &err) && finish(s, &spec, &r, &sound, &erred, &err);
	pieces_finish(&r);
	if (!ok)
		return (enum status)error_report(&err);
	if (r.interrupted)
		say(stderr, "cegsim: interrupted; this is what was complete\n");
	else if (interrupt_came)
		say(stderr, "cegsim: interrupted; not all was written, or made small\n");
	return r.interrupted || interrupt_came ? STATUS_INTERRUPTED
	       : sound                         ? STATUS_NO
	       : erred                         ? STATUS_INPUT
					       : STATUS_OK;
}

enum status search_recording(struct search_command *c)
{
	struct summary s = {.c = c};
	interrupt_note(true);
	enum status status = search_sets(&s);
	free(s.subjects);
	free(s.results);
	return status;
}
