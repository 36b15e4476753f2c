/* cli/dump_sets.c - see cli/dump_sets.h. */
#include "cli/dump_sets.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "base/text.h"
#include "db/subjects.h"
#include "policies/pipe/pipe.h"
#include "runs/bounds/bounding.h"
#include "runs/load.h"

struct dump {
	uint64_t asked, passed; /* questions; plans about which nothing is asked */
	char reason[900];       /* of the first of these */
};

static void pass_over(struct dump *d, const struct bounding_spec *spec, const char *reason)
{
	if (d->passed++ == 0)
		snprintf(d->reason, sizeof(d->reason), "'%.100s' under %.100s: %.600s",
			spec->set->name ? spec->set->name : "", spec->policy->name, reason);
}

static bool print_question(struct dump *d, struct bounding *b, struct text *line, struct error *err)
{
	struct analysis_result result;
	uint32_t *order = arena_new(&b->arena, uint32_t, b->spec.set->task_count);
	if (!order)
		return error_memory(err, "the questions");
	if (!pipe_question(&b->plan, d->asked + 1, &b->arena, order, line, &result, err))
		return false;
	if (result.refused) {
		pass_over(d, &b->spec, result.verdict.reason);
		return true;
	}
	d->asked++;
	return fwrite(line->data, 1, line->length, stdout) == line->length ||
	       error_set(err, STATUS_IO, "standard output: %s", strerror(errno));
}

static bool dump_plan(struct dump *d, const struct bounding_spec *spec, struct error *err)
{
	struct bounding b;
	struct text line = {0};
	bool ok = bounding_begin(&b, spec, err);
	if (ok && b.refusal[0])
		pass_over(d, spec, b.refusal);
	else if (ok)
		ok = print_question(d, &b, &line, err);
	text_finish(&line);
	bounding_finish(&b);
	return ok;
}

static bool dump_scenario(
	struct dump *d, const struct scenario *s, const struct uses *uses, struct error *err)
{
	const struct policy_use *policies = uses->policy_count ? uses->policies : s->policies;
	uint32_t count = uses->policy_count ? uses->policy_count : s->policy_count;
	for (uint32_t i = 0; i < count; i++) {
		const struct bounding_spec spec = {
			.platform = &s->platform,
			.set = &s->set,
			.setup = &s->setup,
			.policy = policies[i].policy,
			.params = &policies[i].params,
		};
		if (!dump_plan(d, &spec, err))
			return false;
	}
	return count > 0 || error_set(err, STATUS_INPUT, "the scenario has no policy: name one with -p");
}

/* `use` NULL: the recorded policy. */
static bool dump_subject(struct dump *d, struct db_reader *reader, const struct subject *s,
	const struct policy_use *use, struct error *err)
{
	struct loaded_run run;
	if (!load_subject(reader, s->taskset_id, s->platform_id, use ? 0 : s->policy_id, &run, err))
		return false;
	const struct bounding_spec spec = {
		.platform = &run.platform,
		.set = &run.set,
		.setup = &run.setup,
		.policy = use ? use->policy : run.policy,
		.params = use ? &use->params : &run.params,
	};
	bool ok = dump_plan(d, &spec, err);
	loaded_run_finish(&run);
	return ok;
}

static bool dump_recording(struct dump *d, const char *file, const struct uses *uses, struct error *err)
{
	struct subjects all = {0};
	struct db_reader *reader = reader_open(file, err);
	bool ok = reader && subjects_list(reader, uses->policy_count > 0, &all, err);
	for (size_t i = 0; ok && i < all.count; i++) {
		const struct subject *s = &all.items[i];
		if (s->policy_id)
			ok = dump_subject(d, reader, s, NULL, err);
		else if (uses->policy_count == 0)
			ok = error_set(
				err, STATUS_INPUT, "%s has sets without a policy: name one with -p", file);
		for (uint32_t k = 0; ok && !s->policy_id && k < uses->policy_count; k++)
			ok = dump_subject(d, reader, s, &uses->policies[k], err);
	}
	reader_close(reader);
	subjects_finish(&all);
	return ok;
}

bool dump_sets(const char *file, const struct scenario *scenario, const struct uses *uses, struct error *err)
{
	struct dump d = {.asked = 0};
	bool ok = scenario ? dump_scenario(&d, scenario, uses, err) : dump_recording(&d, file, uses, err);
	if (ok && fflush(stdout) != 0)
		ok = error_set(err, STATUS_IO, "standard output: %s", strerror(errno));
	if (ok && d.passed > 0)
		say(stderr, "cegsim: note: %" PRIu64 " set%s not asked about; the first, %s\n", d.passed,
			d.passed == 1 ? " is" : "s are", d.reason);
	return ok;
}
