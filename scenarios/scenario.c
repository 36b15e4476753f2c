/* scenarios/scenario.c - reads a scenario file into checked models. Here is checked what concerns several
 * values at once: names, priorities, horizon, traces. */
#include "scenarios/scenario.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/list.h"
#include "scenarios/binder.h"
#include "scenarios/release_trace.h"
#include "scenarios/samples.h"
#include "scenarios/settle_chains.h"
#include "scenarios/settle_gpus.h"
#include "scenarios/settle_programs.h"
#include "scenarios/settle_warp.h"
#include "scenarios/tables.h"
#include "scenarios/task_names.h"

/* The state of reading one scenario. */
struct scenario_reader {
	struct scenario *scenario;
	struct description description;
	struct binder binder;
	struct arena nodes; /* the tree, until reading is complete */
	const struct node *root;
	const char *name;   /* the file's name, as the caller gave it */
	bool sound;         /* all tasks are without errors */
	uint32_t *entry_of; /* [tasks of the set that is checked] the index of their entry */
	struct trace_file *traces;
	uint32_t trace_count;
	struct task_names names;
};

/* A trace file that has been read. */
struct trace_file {
	const char *name; /* as the scenario spells it */
	struct release_trace trace;
	bool ok;
};

/* ---- Names and priorities ---- */

static bool check_names(struct scenario_reader *r)
{
	const struct description *d = &r->description;
	bool ok = true;
	for (uint32_t i = 0; i < d->task_count; i++) {
		const struct task_entry *e = &d->tasks[i];
		uint32_t first = task_names_find(&r->names, e->task.name);
		if (e->at && first < i && d->tasks[first].at)
			ok = binder_error_name(&r->binder, e->at, d->tasks[first].at, "task", e->task.name);
	}
	return ok;
}

/* Whether all tasks have the key: a priority of some is one among all. */
static bool check_all_have(struct scenario_reader *r, const char *key, bool *all)
{
	struct description *d = &r->description;
	const struct node *tasks = node_find(r->root, "tasks");
	const struct node *with = NULL, *without = NULL;
	for (const struct node *task = tasks->first; task; task = task->next) {
		bool given = node_has(task, key);
		if (given && !with)
			with = task;
		if (!given && !without && task->kind == NODE_MAP)
			without = task;
	}
	*all = with && !without;
	if (!with || !without)
		return true;
	for (uint32_t i = 0; i < d->task_count; i++)
		d->tasks[i].sound = false;
	return binder_error(&r->binder, without,
		"'%s' is missing here: either all tasks have one (as that in line %u) or none", key,
		with->line);
}

static bool check_priorities(struct scenario_reader *r)
{
	struct taskset *set = &r->scenario->set;
	return check_all_have(r, "priority", &set->priorities) &&
	       check_all_have(r, "gpu_priority", &set->gpu_priorities);
}

/* ---- Releases ---- */

/* The trace of an entry; a file is read once even if several tasks name it. NULL: errors were reported. */
static const struct release_trace *open_trace(struct scenario_reader *r, const struct release_entry *e)
{
	for (uint32_t i = 0; i < r->trace_count; i++) {
		if (strcmp(r->traces[i].name, e->trace) == 0)
			return r->traces[i].ok ? &r->traces[i].trace : NULL;
	}
	struct trace_file *files =
		list_room(r->traces, r->trace_count, sizeof(*files), "reading traces", NULL);
	char *path = document_beside(r->name, e->trace);
	if (files)
		r->traces = files;
	if (!files || !path) {
		free(path);
		binder_no_memory(&r->binder);
		return NULL;
	}
	struct trace_file *file = &r->traces[r->trace_count++];
	*file = (struct trace_file){.name = e->trace};
	file->ok = release_trace_read(&file->trace, &r->binder, e->at, path, &r->description);
	free(path);
	return file->ok ? &file->trace : NULL;
}

/* Takes the trace from the recording. A task without one in the recording gets a trace without releases. */
static bool take_stored(struct scenario_reader *r, uint32_t i, struct release_rule *rule)
{
	const struct taskset *set = r->description.stored->set;
	const struct release_rule *stored = set && i < set->task_count ? set->tasks[i].release : NULL;
	*rule = (struct release_rule){.kind = RELEASE_TRACE};
	if (!stored || stored->kind != RELEASE_TRACE)
		return true;
	rule->trace_ns = arena_new(&r->scenario->set.arena, int64_t, stored->trace_count);
	rule->durations = arena_new(&r->scenario->set.arena, struct trace_duration, stored->duration_count);
	if (!rule->trace_ns || !rule->durations)
		return binder_no_memory(&r->binder);
	memcpy(rule->trace_ns, stored->trace_ns, stored->trace_count * sizeof(*rule->trace_ns));
	memcpy(rule->durations, stored->durations, stored->duration_count * sizeof(*rule->durations));
	rule->trace_count = stored->trace_count;
	rule->duration_count = stored->duration_count;
	return true;
}

/* Sets a task's own release rule. Traces and jitter are always the tasks' own, also if the file gives one for
 * all: they belong to a task as its period does. Gaps of sporadic tasks must stay within 64 bits. */
static bool settle_release(struct scenario_reader *r, uint32_t i, const struct release_entry *e, bool own)
{
	struct task *task = &r->description.tasks[i].task;
	int64_t delay;
	if (e->kind == RELEASE_SPORADIC &&
		(!checked_mul_ceil_div(task->period_ns, e->max_delay_ppm, 1000000, &delay) ||
			delay > TIME_MAX_NS))
		return binder_error(&r->binder, r->description.tasks[i].at,
			"the gap between two releases of '%s' can be longer than 2000000000s", task->name);
	if (e->kind == RELEASE_TRACE ? !e->at : e->kind != RELEASE_JITTER && !own)
		return true;
	task->release = arena_new(&r->scenario->set.arena, struct release_rule, 1);
	if (!task->release)
		return binder_no_memory(&r->binder);
	if (e->kind != RELEASE_TRACE) {
		*task->release = (struct release_rule){.kind = (enum release_kind)e->kind,
			.max_delay_ppm = e->max_delay_ppm,
			.jitter_ns = e->jitter_ns};
		return e->kind != RELEASE_AFTER || settle_after(&r->binder, &r->description, i);
	}
	if (r->description.stored)
		return take_stored(r, i, task->release);
	const struct release_trace *trace = open_trace(r, e);
	if (!trace || !release_trace_rule(trace, &r->binder, i, task->release))
		return false;
	if (own && !task->release->trace_count)
		return binder_error(&r->binder, e->at, "'%s' has no row of task '%s'", e->trace, task->name);
	return true;
}

static bool settle_releases(struct scenario_reader *r)
{
	struct description *d = &r->description;
	bool ok = true;
	if (d->release.kind != RELEASE_JITTER)
		r->scenario->setup.release = (struct release_rule){.kind = (enum release_kind)d->release.kind,
			.max_delay_ppm = d->release.max_delay_ppm};
	for (uint32_t i = 0; i < d->task_count; i++) {
		bool own = d->tasks[i].at && node_has(d->tasks[i].at, "release");
		if (d->tasks[i].sound)
			ok = settle_release(r, i, own ? &d->tasks[i].release : &d->release, own) && ok;
	}
	return ok;
}

/* ---- The set ---- */

static bool settle_profiles(struct scenario_reader *r)
{
	struct taskset *set = &r->scenario->set;
	const struct description *d = &r->description;
	set->profiles = arena_new(&set->arena, struct profile, d->profile_count);
	if (!set->profiles)
		return binder_no_memory(&r->binder);
	set->profile_count = d->profile_count;
	for (uint32_t i = 0; i < d->profile_count; i++) {
		struct profile *p = &set->profiles[i];
		*p = d->profiles[i].profile;
		if (!p->best_ns)
			p->best_ns = p->worst_ns;
	}
	return true;
}

/* Takes over the tasks without errors, so that the rest of the file can be checked with them. */
static bool settle_tasks(struct scenario_reader *r)
{
	struct taskset *set = &r->scenario->set;
	const struct description *d = &r->description;
	set->tasks = arena_new(&set->arena, struct task, d->task_count);
	r->entry_of = arena_new(&r->nodes, uint32_t, d->task_count);
	if (!set->tasks || !r->entry_of)
		return binder_no_memory(&r->binder);
	r->sound = d->task_count > 0;
	for (uint32_t i = 0; i < d->task_count; i++) {
		r->sound = r->sound && d->tasks[i].sound;
		if (!d->tasks[i].sound)
			continue;
		set->cores |= d->tasks[i].task.core != CORE_NOT_SAID;
		r->entry_of[set->task_count] = i;
		set->tasks[set->task_count++] = d->tasks[i].task;
	}
	if (!r->sound)
		set->chain_count = 0; /* they count tasks with errors, too */
	return true;
}

/* The best place to report a defect of a segment. */
static const struct node *place_of_segment(const struct node *segment)
{
	const struct node *kernel = node_find(segment, "kernel"), *bytes = node_find(segment, "bytes");
	return kernel ? kernel : bytes ? bytes : segment;
}

static void report_defect(void *self, uint32_t task, uint32_t segment, const char *text)
{
	struct scenario_reader *r = self;
	const struct node *place = r->root; /* without a task that has no errors */
	if (task < r->scenario->set.task_count)
		place = r->description.tasks[r->entry_of[task]].at;
	if (segment != UINT32_MAX)
		place = place_of_segment(node_item(node_find(place, "segments"), segment));
	binder_error(&r->binder, place, "%s", text);
}

static bool platform_is_sound(const struct scenario_reader *r)
{
	return r->description.platform_sound || !node_has(r->root, "platform");
}

/* Of tasks that leave theirs to us. Not if tasks are missing for their errors. */
static bool choose_gpus(struct scenario_reader *r)
{
	struct scenario *s = r->scenario;
	struct error err;
	bool *any = arena_new(&r->nodes, bool, s->set.task_count), wanted = false;
	if (!any)
		return binder_no_memory(&r->binder);
	for (uint32_t i = 0; i < s->set.task_count; i++) {
		const struct task_entry *e = &r->description.tasks[r->entry_of[i]];
		any[i] = e->gpu == GPU_ANY;
		wanted |= any[i];
		if (any[i] && e->sms.at)
			return binder_error(&r->binder, e->sms.at,
				"a task with 'gpu: any' may have all SMs: 'sms' are those of one GPU");
	}
	return !wanted || !r->sound || settle_any_gpus(&s->platform, &s->set, any, &err) ||
	       binder_no_memory(&r->binder);
}

static bool check_set(struct scenario_reader *r)
{
	bool profiles = r->description.profiles_sound || !node_has(r->root, "profiles");
	struct error err;
	if (!platform_is_sound(r) || !profiles)
		return false;
	if (!platform_check(&r->scenario->platform, &err))
		return binder_error_at(&r->binder, r->root, "platform", "%s", err.text);
	if (!choose_gpus(r))
		return false;
	return settle_programs(&r->binder, r->root, &r->description.programs, r->sound, r->scenario,
		       report_defect, r) &&
	       taskset_check(&r->scenario->set, &r->scenario->platform, report_defect, r) == 0;
}

/* ---- The setup ---- */

static bool settle_horizon(struct scenario_reader *r)
{
	const struct description *d = &r->description;
	struct run_setup *setup = &r->scenario->setup;
	const struct taskset *set = &r->scenario->set;
	int64_t period = 0, offset = 0;
	setup->horizon_ns = d->horizon.ns;
	if (d->horizon.cycles)
		return settle_cycles(&r->binder, r->root, d, &setup->horizon_ns);
	if (d->horizon.hyperperiods && set->warps)
		return binder_error_at(&r->binder, r->root, "horizon",
			"'hyperperiods' are those of tasks; with 'warp' give a duration or {cycles: n}");
	if (!d->horizon.hyperperiods || !r->sound)
		return true;
	for (uint32_t i = 0; i < set->task_count; i++)
		offset = set->tasks[i].offset_ns > offset ? set->tasks[i].offset_ns : offset;
	if (!taskset_hyperperiod(set, &period) || !checked_mul(period, d->horizon.hyperperiods, &period) ||
		!checked_add(period, offset, &setup->horizon_ns) || setup->horizon_ns > TIME_MAX_NS)
		return binder_error_at(&r->binder, r->root, "horizon",
			"%" PRId64
			" hyperperiods are longer than 2000000000s; give the horizon as a duration",
			d->horizon.hyperperiods);
	return true;
}

static bool settle_limit(struct scenario_reader *r)
{
	const struct description *d = &r->description;
	struct run_setup *setup = &r->scenario->setup;
	char horizon[UNIT_TEXT_MAX];
	setup->limit_ns = d->limit_ns;
	if (!setup->horizon_ns)
		return true;
	if (setup->limit_ns && setup->limit_ns < setup->horizon_ns)
		return binder_error_at(&r->binder, r->root, "limit",
			"'limit' is shorter than the horizon, %s",
			unit_format(UNIT_TIME, setup->horizon_ns, horizon));
	if (!setup->limit_ns &&
		(!checked_mul(setup->horizon_ns, 10, &setup->limit_ns) || setup->limit_ns > TIME_MAX_NS))
		setup->limit_ns = TIME_MAX_NS;
	return true;
}

static bool settle_setup(struct scenario_reader *r)
{
	const struct description *d = &r->description;
	struct run_setup *setup = &r->scenario->setup;
	setup->stop = (enum stop_rule)d->stop;
	setup->seed = (uint64_t)d->seed;
	setup->execution = (enum execution_kind)d->execution.kind;
	setup->scale_ppm = d->execution.scale_ppm;
	setup->on_miss = (enum on_miss)d->on_miss;
	setup->ties = (enum ties)d->ties;
	struct error err;
	if (!settle_horizon(r) || !settle_limit(r))
		return false;
	return setup->horizon_ns == 0 || setup_check(setup, &err) || /* 0: the error has been reported */
	       binder_error_at(&r->binder, r->root, "horizon", "%s", err.text);
}

/* The name in the file; without one, the name of the file: "papers/fig-3.yaml" gives fig-3. */
static bool settle_name(struct scenario_reader *r)
{
	struct scenario *s = r->scenario;
	static const char *const endings[] = {".yaml", ".yml", ".json"};
	const char *slash = strrchr(r->name, '/');
	const char *base = slash ? slash + 1 : r->name;
	s->name = arena_strdup(&s->set.arena, r->description.name ? r->description.name : base);
	s->set.name = s->name;
	if (!s->name)
		return binder_no_memory(&r->binder);
	size_t length = strlen(s->name);
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]) && !r->description.name; i++) {
		size_t ending = strlen(endings[i]);
		if (length > ending && strcmp(s->name + length - ending, endings[i]) == 0) {
			s->name[length - ending] = '\0';
			return true;
		}
	}
	return true;
}

/* ---- Reading ---- */

/* Makes the set of tasks. */
static bool settle_blocks(struct scenario_reader *r)
{
	struct description *d = &r->description;
	if (!task_names_init(&r->names, d->tasks, d->task_count))
		return binder_no_memory(&r->binder);
	d->names = &r->names;
	bool ok = check_names(r);
	ok = check_priorities(r) && ok;
	ok = settle_releases(r) && ok;
	ok = settle_samples(&r->binder, r->name, d) && ok;
	ok = settle_chains(&r->binder, d, &r->scenario->set) && ok;
	ok = (!platform_is_sound(r) || settle_masks(&r->binder, d, &r->scenario->platform)) && ok;
	if (!settle_profiles(r) || !settle_tasks(r))
		return false;
	if (ok && r->sound)
		ok = check_circles(&r->binder, d, &r->scenario->set);
	return check_set(r) && ok;
}

static bool check_level(struct scenario_reader *r, bool warps)
{
	return warps || r->description.record != RECORD_ISSUES ||
	       binder_error_at(&r->binder, r->root, "record",
		       "'issues' are those of 'warp'; with 'tasks' there is nothing below blocks");
}

/* Checks and sets everything that concerns several values. After an error it goes on as long as the rest can
 * be checked. */
static bool settle(struct scenario_reader *r, bool ok)
{
	struct scenario *s = r->scenario;
	struct description *d = &r->description;
	const struct node *tasks = node_find(r->root, "tasks"), *warp = node_find(r->root, "warp");
	s->platform = node_has(r->root, "platform") ? d->platform : platform_default();
	s->policies = d->policies;
	s->policy_count = d->policy_count;
	s->analyses = d->analyses;
	s->analysis_count = d->analysis_count;
	s->record = (enum record_level)d->record;
	s->record_given = node_has(r->root, "record");
	if (!tasks == !warp)
		return false;
	ok = check_level(r, warp) && ok;
	if (warp && node_has(r->root, "chains"))
		ok = binder_error_at(&r->binder, r->root, "chains",
			"chains are those of 'tasks'; kernels of 'warp' hand nothing on");
	if (warp && node_has(r->root, "programs"))
		ok = binder_error_at(&r->binder, r->root, "programs",
			"'programs' goes with 'tasks'; 'warp' says itself how SMs are made");
	if (warp ? !d->warp.kernel_count : tasks->kind != NODE_LIST || !d->task_count)
		return check_policies(&r->binder, r->root, d, warp, NULL) && false;
	bool set = warp ? settle_warps(&r->binder, r->root, d, platform_is_sound(r), s) : settle_blocks(r);
	ok = check_policies(&r->binder, r->root, d, warp, set ? s : NULL) && set && ok;
	ok = settle_name(r) && ok;
	return !r->binder.no_memory && settle_setup(r) && (!warp || check_span(&r->binder, r->root, s)) && ok;
}

/* Reads the text, which has been filled in; or, without one, the tree. */
static bool read_document(struct scenario_reader *r, struct diagnostics *d)
{
	struct scenario *s = r->scenario;
	bool no_memory = false;
	if (s->text)
		r->root = document_parse(&r->nodes, s->text, s->text_length, d, &no_memory);
	r->binder = (struct binder){
		.diagnostics = d, .arena = &s->set.arena, .context = &r->description, .no_memory = no_memory};
	char quote[NODE_QUOTE_MAX];
	if (!r->root)
		return false;
	if (r->root->kind != NODE_MAP)
		return binder_error(&r->binder, r->root,
			"a scenario is a mapping that begins with 'cegsim: 1'; this is %s",
			node_quote(r->root, quote));
	if (!node_has(r->root, "cegsim") &&
		(node_has(r->root, "cegsim-campaign") || node_has(r->root, "generate")))
		return binder_error(&r->binder, r->root,
			"this is a campaign, not a scenario; run it with: cegsim sweep %.200s -o FILE.db",
			r->name);
	bool ok = binder_read(&r->binder, "the file", r->root, &shape_scenario, &r->description, NULL);
	return settle(r, ok);
}

/* `root`: the tree in place of s->text. */
static bool read_scenario(const char *name, const struct node *root, const struct stored_files *stored,
	struct scenario *s, struct diagnostics *d)
{
	struct scenario_reader r = {
		.scenario = s, .name = name, .root = root, .description = {.file = name, .stored = stored}};
	taskset_init(&s->set);
	bool ok = read_document(&r, d);
	for (uint32_t i = 0; i < r.trace_count; i++)
		release_trace_finish(&r.traces[i].trace);
	free(r.traces);
	task_names_finish(&r.names);
	arena_finish(&r.nodes);
	if (ok)
		return true;
	enum status status = r.binder.no_memory || r.binder.io_failed ? STATUS_IO : STATUS_INPUT;
	scenario_finish(s);
	s->status = status;
	return false;
}

bool scenario_read_tree(const char *name, const struct node *root, const struct stored_files *stored,
	struct scenario *s, struct diagnostics *d)
{
	*s = (struct scenario){0};
	return read_scenario(name, root, stored, s, d);
}

bool scenario_read(const char *path, struct scenario *s, struct diagnostics *d)
{
	struct error err;
	*s = (struct scenario){0};
	s->text = document_slurp(path, &s->text_length, &err);
	if (s->text)
		return read_scenario(path, NULL, NULL, s, d);
	diagnostics_add(d, 0, 0, "%s", err.text);
	s->status = err.status;
	return false;
}

bool scenario_read_text(
	const char *name, const char *text, size_t length, struct scenario *s, struct diagnostics *d)
{
	return scenario_read_stored(name, text, length, NULL, s, d);
}

bool scenario_read_stored(const char *name, const char *text, size_t length,
	const struct stored_files *stored, struct scenario *s, struct diagnostics *d)
{
	*s = (struct scenario){0};
	if (length > DOCUMENT_BYTES_MAX) {
		diagnostics_add(d, 0, 0, "is larger than 64 MiB, the most this program reads");
		s->status = STATUS_INPUT;
		return false;
	}
	s->text = malloc(length + 1);
	if (!s->text) {
		diagnostics_add(d, 0, 0, "out of memory while reading the text");
		s->status = STATUS_IO;
		return false;
	}
	memcpy(s->text, text, length);
	s->text[length] = '\0';
	s->text_length = length;
	return read_scenario(name, NULL, stored, s, d);
}

void scenario_finish(struct scenario *s)
{
	taskset_finish(&s->set);
	free(s->text);
	*s = (struct scenario){0};
}

void scenario_schema(struct text *out)
{
	schema_print(out, &shape_scenario, "cegsim scenario");
}
