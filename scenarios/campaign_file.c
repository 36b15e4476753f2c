/* scenarios/campaign_file.c - reads a campaign file into a checked campaign. */
#include "scenarios/campaign_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "scenarios/tables_campaign.h"
#include "scenarios/variants.h"

#define POINTS_TRIED 100 /* the first set of these is made before a long campaign begins */

struct campaign_reader {
	struct campaign *campaign;
	struct campaign_entry entry;
	struct binder binder;
	struct arena nodes; /* the tree, until reading is complete */
	const struct node *root;
	const char *name; /* the file's name, as the caller gave it */
};

/* ---- Points ---- */

void campaign_point(const struct campaign *c, uint32_t point, struct params *params)
{
	*params = c->params;
	for (uint32_t i = c->axis_count; i-- > 0; point /= c->axes[i].count)
		params->value[c->axes[i].option] = c->axes[i].value[point % c->axes[i].count];
}

/* The values of a scenario's point, by their numbers. */
static void choice_of(const struct campaign *c, uint32_t point, uint32_t choice[VARIANTS_AXES_MAX])
{
	for (uint32_t i = c->variants->axis_count; i-- > 0; point /= c->variants->axes[i].count)
		choice[i] = point % c->variants->axes[i].count;
}

bool campaign_scenario(const struct campaign *c, uint32_t point, const struct stored_files *stored,
	struct scenario *s, struct error *err)
{
	uint32_t choice[VARIANTS_AXES_MAX];
	struct diagnostics d;
	choice_of(c, point, choice);
	diagnostics_init(&d, c->variants->file);
	bool ok = variants_read(c->variants, choice, stored, s, &d);
	if (ok)
		s->setup.seed = c->setup.seed;
	else
		error_set(err, s->status, "%s: %s", c->variants->file,
			d.count ? d.items[0].text : "cannot be read");
	diagnostics_finish(&d);
	return ok;
}

void campaign_scenario_origin(const struct campaign *c, uint32_t point, struct text *json)
{
	uint32_t choice[VARIANTS_AXES_MAX];
	choice_of(c, point, choice);
	variants_origin(c->variants, choice, c->setup.seed, json);
}

void campaign_point_text(const struct campaign *c, uint32_t point, struct text *out)
{
	struct params params;
	char value[PARAM_TEXT_MAX];
	if (c->variants) {
		uint32_t choice[VARIANTS_AXES_MAX];
		choice_of(c, point, choice);
		variants_text(c->variants, choice, false, out);
		return;
	}
	campaign_point(c, point, &params);
	for (uint32_t i = 0; i < c->axis_count; i++)
		text_printf(out, "%s%s=%s", i ? " " : "", params.options[c->axes[i].option].name,
			params_text(&params, c->axes[i].option, value));
}

/* Jobs that are released before an instant, at most: of sporadic tasks there are fewer. */
static int64_t jobs_before(const struct taskset *set, int64_t instant)
{
	int64_t jobs = 0;
	for (uint32_t i = 0; i < set->task_count; i++) {
		const struct task *t = &set->tasks[i];
		if (instant > t->offset_ns &&
			!checked_add(jobs, (instant - t->offset_ns - 1) / t->period_ns + 1, &jobs))
			return INT64_MAX;
	}
	return jobs;
}

/* A run of more jobs than it may have stops right before too many are released. */
static bool settle_jobs(
	const struct campaign *c, const struct taskset *set, struct run_setup *setup, struct error *err)
{
	int64_t low = 0, high = setup->horizon_ns;
	if (c->jobs == 0 || (!set->warps && jobs_before(set, high) <= c->jobs))
		return true;
	if (set->warps)
		return error_set(err, STATUS_INPUT, "'jobs' is for sets without warps");
	while (high - low > 1) { /* before `low` no more than c->jobs are released, before `high` more */
		int64_t middle = low + (high - low) / 2;
		if (jobs_before(set, middle) <= c->jobs)
			low = middle;
		else
			high = middle;
	}
	if (low <= 1)
		return error_set(err, STATUS_INPUT,
			"'jobs' is %" PRId64 ", and more are released at the beginning", c->jobs);
	setup->stop = STOP_DRAINED;
	setup->limit_ns = low - 1; /* what is released at the limit is released */
	return true;
}

void campaign_record(struct campaign *c, enum record_level level)
{
	c->verdicts = c->detail_on_miss = false;
	c->detail_set_count = 0;
	c->record = c->detail = level;
}

bool campaign_setup(
	const struct campaign *c, const struct taskset *set, struct run_setup *setup, struct error *err)
{
	int64_t length = 0, offset = 0;
	*setup = c->setup;
	if (c->horizon != CAMPAIGN_DURATION) {
		for (uint32_t i = 0; i < set->task_count; i++) {
			const struct task *t = &set->tasks[i];
			length = t->period_ns > length ? t->period_ns : length;
			offset = t->offset_ns > offset ? t->offset_ns : offset;
		}
		bool periods = c->horizon == CAMPAIGN_PERIODS;
		if ((!periods && !taskset_hyperperiod(set, &length)) ||
			!checked_mul(length, c->horizon_count, &length) ||
			!checked_add(length, offset, &setup->horizon_ns) || setup->horizon_ns > TIME_MAX_NS)
			return error_set(err, STATUS_INPUT, "%" PRId64 " %s are longer than 2000000000s",
				c->horizon_count, periods ? "periods" : "hyperperiods");
	}
	if (setup->limit_ns == 0 &&
		(!checked_mul(setup->horizon_ns, 10, &setup->limit_ns) || setup->limit_ns > TIME_MAX_NS))
		setup->limit_ns = TIME_MAX_NS;
	if (setup->limit_ns < setup->horizon_ns)
		return error_set(err, STATUS_INPUT, "'limit' is shorter than the horizon");
	return settle_jobs(c, set, setup, err);
}

/* ---- Checks of the whole ---- */

static bool settle_points(struct campaign_reader *r)
{
	struct campaign *c = r->campaign;
	const struct variants *v = c->variants;
	int64_t points = 1, most = v ? CAMPAIGN_VARIANTS_MAX : CAMPAIGN_POINTS_MAX;
	for (uint32_t i = 0; i < (v ? v->axis_count : c->axis_count); i++)
		if (!checked_mul(points, v ? v->axes[i].count : c->axes[i].count, &points) || points > most)
			return binder_error_at(&r->binder, r->root, "generate",
				"the grid has more than %" PRId64 " points", most);
	c->points = (uint32_t)points;
	return true;
}

static bool settle_grid(struct campaign_reader *r)
{
	struct campaign *c = r->campaign;
	if (!settle_points(r))
		return false;
	int64_t points = c->points;
	const char *what = c->variants ? "replications" : "sets";
	if (points * c->sets > CAMPAIGN_UNITS_MAX)
		return binder_error_at(&r->binder, r->root, what,
			"%" PRId64 " points of %" PRIu32 " %s are more than %" PRId64 " %s", points, c->sets,
			what, CAMPAIGN_UNITS_MAX, what);
	int64_t platforms = c->platform_count ? c->platform_count : 1;
	if (platforms * ((int64_t)c->policy_count * c->replications + c->analysis_count) > CAMPAIGN_RUNS_MAX)
		return binder_error_at(&r->binder, r->root, "replications",
			"every set would be run or analysed more than %" PRId64 " times", CAMPAIGN_RUNS_MAX);
	return true;
}

static bool settle_keep(struct campaign_reader *r)
{
	struct campaign *c = r->campaign;
	const struct node *given = node_find(r->root, "keep");
	if (given && !c->verdicts)
		return binder_error_at(&r->binder, r->root, "keep", "'keep' goes with record: verdicts");
	c->keep = given ? 0 : KEEP_MISS | KEEP_EXCEED | KEEP_DISAGREE;
	for (uint32_t i = 0; i < r->entry.keep_count; i++)
		c->keep |= (uint32_t)r->entry.keep[i];
	return true;
}

static bool settle_detail(struct campaign_reader *r)
{
	struct campaign *c = r->campaign;
	const struct detail_entry *d = &r->entry.detail;
	const struct node *node = node_find(r->root, "detail");
	c->detail = c->record;
	if (!node)
		return true;
	c->detail = (enum record_level)d->record;
	c->detail_on_miss = d->when == DETAIL_ON_MISS;
	c->detail_sets = d->sets;
	c->detail_set_count = d->set_count;
	if (c->detail < c->record || (c->detail == c->record && !c->verdicts))
		return binder_error_at(&r->binder, node, "record",
			"the detail is not finer than what all runs record, %s",
			record_level_name(c->record));
	for (uint32_t i = 0; i < d->set_count; i++)
		if (d->sets[i] >= c->sets)
			return binder_error(&r->binder, node_item(node_find(node, "sets"), i),
				"every point has %s 0 to %" PRIu32, c->variants ? "replications" : "sets",
				c->sets - 1);
	return true;
}

/* The first set of a point on its first platform. */
static bool try_point(const struct campaign *c, uint32_t point, struct error *err)
{
	struct params params;
	struct platform platform;
	struct taskset set;
	campaign_point(c, point, &params);
	if (c->platform_count)
		platform = c->platforms[0];
	taskset_init(&set);
	bool ok = (c->platform_count || c->recipe->platform(&params, &set.arena, &platform, err)) &&
		  c->recipe->generate(&params, &platform, c->setup.seed, point * c->sets, &set, err);
	taskset_finish(&set);
	return ok;
}

/* A set that cannot be made is a result for its point. A campaign in which no set can be made is an error. */
static bool try_points(struct campaign_reader *r)
{
	struct campaign *c = r->campaign;
	struct error first = {0}, err;
	if (!c->recipe->platform && !c->platform_count)
		return binder_error_at(&r->binder, r->root, "generate",
			"recipe '%s' has no platform of its own: 'platforms' is wanted", c->recipe->name);
	for (uint32_t i = 0; i < c->points && i < POINTS_TRIED; i++) {
		if (try_point(c, i, i ? &err : &first))
			return true;
		if (i == 0 && first.status == STATUS_IO)
			return binder_no_memory(&r->binder);
	}
	struct text point = {0};
	campaign_point_text(c, 0, &point);
	binder_error_at(&r->binder, r->root, "generate", "no set can be made%s%s: %s",
		c->axis_count ? ", e.g. with " : "", text_data(&point), first.text);
	text_finish(&point);
	return false;
}

/* ---- A scenario and its values ---- */

/* Reads the scenario at every point, and takes policies and seed over from the first one. */
static bool settle_variants(struct campaign_reader *r)
{
	struct campaign *c = r->campaign;
	bool ok = true;
	for (uint32_t i = 0; i < c->points && !r->binder.diagnostics->dropped && !r->binder.no_memory; i++) {
		uint32_t choice[VARIANTS_AXES_MAX];
		struct scenario s;
		choice_of(c, i, choice);
		bool read = variants_check(c->variants, choice, r->entry.common.stored, &s, &r->binder);
		ok = ok && read;
		if (read && i == 0) {
			c->policy_count = s.policy_count;
			c->policies = arena_new(&c->arena, struct policy_use, s.policy_count);
			if (c->policies && s.policy_count)
				memcpy(c->policies, s.policies, s.policy_count * sizeof(*c->policies));
			if (!node_has(r->root, "seed"))
				c->setup.seed = s.setup.seed;
		}
		scenario_finish(&s);
		if (!c->policies && read)
			return binder_no_memory(&r->binder);
	}
	if (ok && c->policy_count == 0 && c->analysis_count == 0)
		ok = binder_error(&r->binder, r->root,
			"'policies' or 'analyses' is missing here, and the scenario has no policies");
	return ok;
}

static bool read_variants(struct campaign_reader *r)
{
	struct campaign *c = r->campaign;
	bool sound = true, ok = campaign_keys_check(&r->binder, r->root);
	c->variants = variants_create(&r->binder, r->name, r->entry.generate.scenario,
		node_find(r->root, "policies"), r->entry.common.stored, &sound);
	return c->variants && settle_points(r) && settle_variants(r) && sound && ok;
}

/* ---- Reading ---- */

/* The name in the file; without one, the name of the file: "scenarios/campaigns/fig-7.yaml" gives fig-7. */
static bool settle_name(struct campaign_reader *r)
{
	struct campaign *c = r->campaign;
	const char *slash = strrchr(r->name, '/');
	const char *base = slash ? slash + 1 : r->name;
	const char *dot = strrchr(base, '.');
	c->name = arena_strdup(&c->arena, r->entry.name ? r->entry.name : base);
	if (!c->name)
		return binder_no_memory(&r->binder);
	if (!r->entry.name && dot && dot > base && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0))
		c->name[dot - base] = '\0';
	return true;
}

static void take_over(struct campaign_reader *r)
{
	struct campaign *c = r->campaign;
	const struct campaign_entry *e = &r->entry;
	const struct campaign_run_entry *run = &e->run;
	c->recipe = e->generate.recipe;
	c->params = e->generate.params;
	c->axes = e->generate.axes;
	c->axis_count = e->generate.axis_count;
	c->sets = e->sets;
	c->replications = e->replications;
	c->platforms = e->platforms;
	c->platform_count = e->platform_count;
	c->policies = e->policies;
	c->policy_count = e->policy_count;
	if (e->generate.scenario) {
		c->sets = e->replications;
		c->replications = 1;
	}
	c->bounds = e->bounds != 0;
	c->verdicts = e->record == RECORD_VERDICTS;
	c->record = c->verdicts ? RECORD_SUMMARY : (enum record_level)e->record;
	c->horizon = (enum campaign_horizon)run->horizon.kind;
	c->horizon_count = c->horizon == CAMPAIGN_PERIODS ? run->horizon.periods : run->horizon.hyperperiods;
	c->jobs = run->jobs;
	c->setup = (struct run_setup){
		.horizon_ns = run->horizon.ns,
		.stop = (enum stop_rule)run->stop,
		.limit_ns = run->limit_ns,
		.seed = (uint64_t)e->seed,
		.release = {.kind = (enum release_kind)run->release.kind,
			.max_delay_ppm = run->release.max_delay_ppm},
		.execution = (enum execution_kind)run->execution.kind,
		.scale_ppm = run->execution.scale_ppm,
		.on_miss = (enum on_miss)run->on_miss,
		.ties = (enum ties)run->ties,
	};
}

/* An analysis for any policy becomes one for each of the campaign's. */
static bool settle_analyses(struct campaign_reader *r)
{
	struct campaign *c = r->campaign;
	const struct campaign_entry *e = &r->entry;
	size_t most = (size_t)e->analysis_count * (c->policy_count + 1);
	c->analyses = arena_new(&c->arena, struct campaign_analysis, most);
	if (!c->analyses)
		return binder_no_memory(&r->binder);
	for (uint32_t i = 0; i < e->analysis_count; i++) {
		const struct campaign_analysis *a = &e->analyses[i];
		bool any = campaign_analysis_any(a);
		for (uint32_t k = 0; k < (any ? c->policy_count : 1); k++) {
			c->analyses[c->analysis_count] = *a;
			if (any)
				c->analyses[c->analysis_count].policy = c->policies[k];
			c->analysis_count++;
		}
	}
	return true;
}

static bool read_document(struct campaign_reader *r, struct diagnostics *d)
{
	struct campaign *c = r->campaign;
	bool no_memory;
	char quote[NODE_QUOTE_MAX];
	r->root = document_parse(&r->nodes, c->text, c->text_length, d, &no_memory);
	r->binder = (struct binder){
		.diagnostics = d, .arena = &c->arena, .context = &r->entry.common, .no_memory = no_memory};
	if (!r->root)
		return false;
	if (r->root->kind != NODE_MAP)
		return binder_error(&r->binder, r->root,
			"a campaign is a mapping that begins with 'cegsim-campaign: 1'; this is %s",
			node_quote(r->root, quote));
	bool scenario =
		node_has(r->root, "cegsim") || node_has(r->root, "tasks") || node_has(r->root, "warp");
	if (scenario && !node_has(r->root, "cegsim-campaign"))
		return binder_error(&r->binder, r->root,
			"this is a scenario, not a campaign; run it with: cegsim run %.200s", r->name);
	bool sound = binder_read(&r->binder, "the file", r->root, &shape_campaign, &r->entry, NULL);
	take_over(r);
	/* Also if there are errors already: the scenario's own are told at once with them */
	if (r->entry.generate.scenario && !read_variants(r))
		return false;
	if (!sound)
		return false;
	bool ok = settle_name(r) && settle_analyses(r);
	ok = settle_grid(r) && ok;
	ok = settle_keep(r) && ok;
	ok = settle_detail(r) && ok;
	return ok && (c->variants || try_points(r));
}

static bool read_campaign(
	const char *name, const struct stored_files *stored, struct campaign *c, struct diagnostics *d)
{
	struct campaign_reader r = {
		.campaign = c, .name = name, .entry.common = {.file = name, .stored = stored}};
	bool ok = read_document(&r, d);
	arena_finish(&r.nodes);
	if (ok)
		return true;
	enum status status = r.binder.no_memory || r.binder.io_failed ? STATUS_IO : STATUS_INPUT;
	campaign_finish(c);
	c->status = status;
	return false;
}

bool campaign_read(const char *path, struct campaign *c, struct diagnostics *d)
{
	struct error err;
	*c = (struct campaign){0};
	c->text = document_slurp(path, &c->text_length, &err);
	if (c->text)
		return read_campaign(path, NULL, c, d);
	diagnostics_add(d, 0, 0, "%s", err.text);
	c->status = err.status;
	return false;
}

static bool read_text(const char *name, const char *text, size_t length, const struct stored_files *stored,
	struct campaign *c, struct diagnostics *d)
{
	*c = (struct campaign){0};
	if (length > DOCUMENT_BYTES_MAX) {
		diagnostics_add(d, 0, 0, "is larger than 64 MiB, the most this program reads");
		c->status = STATUS_INPUT;
		return false;
	}
	c->text = malloc(length + 1);
	if (!c->text) {
		diagnostics_add(d, 0, 0, "out of memory while reading the text");
		c->status = STATUS_IO;
		return false;
	}
	memcpy(c->text, text, length);
	c->text[length] = '\0';
	c->text_length = length;
	return read_campaign(name, stored, c, d);
}

bool campaign_read_text(
	const char *name, const char *text, size_t length, struct campaign *c, struct diagnostics *d)
{
	return read_text(name, text, length, NULL, c, d);
}

bool campaign_read_stored(const char *name, const char *text, size_t length, const char *scenario,
	struct campaign *c, struct diagnostics *d)
{
	const struct stored_files stored = {.scenario = scenario};
	return read_text(name, text, length, &stored, c, d);
}

void campaign_finish(struct campaign *c)
{
	arena_finish(&c->arena);
	variants_destroy(c->variants);
	free(c->text);
	*c = (struct campaign){0};
}

void campaign_schema(struct text *out)
{
	schema_print(out, &shape_campaign, "cegsim campaign");
}
