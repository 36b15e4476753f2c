/* runs/load.c - see runs/load.h. One small query per kind of thing; columns are in the order in which
 * the statement names them. What is read is then judged as a scenario is. */
#include "runs/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "models/judge.h"
#include "models/programs.h"
#include "models/warps/inside.h"
#include "models/warps/warp_set.h"
#include "policies/plugin/plugin.h"
#include "policies/registry.h"
#include "runs/load_private.h"

/* ---- policy ---- */

static bool param_row(struct loading *l, struct db_cursor *c)
{
	struct error reason;
	const char *name = cursor_text(c, 0), *value = cursor_text(c, 1);
	if (!name || !value)
		return load_damaged(l, "the policy's options are none");
	if (params_set(&l->run->params, name, value, &reason))
		return true;
	l->bad = true;
	return error_set(l->err, reason.status, "policy %s %s", l->run->policy->name, reason.text);
}

static bool policy_row(struct loading *l, struct db_cursor *c)
{
	char text[256];
	load_row(l, c, "policy", 1);
	bool own = cursor_kind(c, 2) != VALUE_NULL;
	const char *name = load_text(l, 1), *plugin = own ? load_text(l, 2) : NULL;
	snprintf(l->run->plugin, sizeof(l->run->plugin), "%s", own ? plugin : "");
	l->run->policy_version = LOAD_ANY(l, 3);
	if (l->bad)
		return false;
	l->run->policy = own ? plugin_find(name) : policy_find(name);
	if (l->run->policy) {
		params_default(&l->run->params, l->run->policy->options);
		return true;
	}
	if (own)
		snprintf(text, sizeof(text),
			"is under policy '%.60s' of a plug-in, a file whose SHA-256 begins with %.16s: name "
			"that file with -p",
			name, plugin);
	else
		snprintf(text, sizeof(text), "is under policy '%.60s', which this program does not have",
			name);
	return load_refused(l, text);
}

static bool load_policy(struct loading *l, int64_t policy_id)
{
	return load_one(l, "policy",
		       "SELECT policy_id, name, json_extract(params, '$." PLUGIN_OPTION
		       "') AS params, version FROM policy WHERE policy_id = ?1",
		       policy_id, policy_row) &&
	       load_each(l,
		       "SELECT j.key, CASE j.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' "
		       "ELSE j.value END FROM policy, json_each(policy.params) j WHERE policy_id = "
		       "?1 AND j.key IS NOT '" PLUGIN_OPTION "'",
		       policy_id, 0, param_row) >= 0;
}

/* ---- run ---- */

static bool run_row(struct loading *l, struct db_cursor *c)
{
	struct loaded_run *run = l->run;
	load_row(l, c, "run", 1);
	int64_t set = LOAD_ANY(l, 1), platform = LOAD_ANY(l, 2), policy = LOAD_ANY(l, 3);
	run->setup = (struct run_setup){
		.seed = (uint64_t)LOAD_ANY(l, 4),
		.set = LOAD_COUNT(l, 5),
		.horizon_ns = LOAD_ANY(l, 6),
		.stop = (enum stop_rule)load_needed_word(l, 7, stop_rule_named),
		.limit_ns = LOAD_ANY(l, 8),
		.execution = (enum execution_kind)load_needed_word(l, 12, execution_kind_named),
		.scale_ppm = LOAD_ANY_OR(l, 13, 0),
		.on_miss = (enum on_miss)load_needed_word(l, 14, on_miss_named),
		.ties = (enum ties)load_needed_word(l, 15, ties_named),
	};
	run->record = (enum record_level)load_needed_word(l, 16, record_level_named);
	run->replication = LOAD_ANY(l, 17);
	run->events = load_number_or(l, 20, -1, 0, INT64_MAX);
	run->stop_ns = load_number_or(l, 21, -1, 0, INT64_MAX);
	snprintf(run->status, sizeof(run->status), "%s", load_text(l, 18));
	snprintf(run->digest, sizeof(run->digest), "%s",
		cursor_kind(c, 19) == VALUE_NULL ? "" : load_text(l, 19));
	bool identified;
	bool simulated = strcmp(run->status, "ok") == 0 || strcmp(run->status, "truncated") == 0;
	if (simulated && (run->events < 0 || run->stop_ns < 0))
		return load_damaged(l, "events or stop_ns is NULL: such a run has both");
	if (l->bad || !reader_has(l->reader, "run", "events_digest", &identified, l->err))
		return false;
	run->digest_of_events = !identified;
	return load_rule(l, 9, &run->setup.release) && load_set(l, set) && load_platform(l, platform) &&
	       load_policy(l, policy);
}

#define RUN_SQL                                                                                              \
	"SELECT run_id, taskset_id, platform_id, policy_id, seed, set_number, horizon_ns, stop_rule, "       \
	"limit_ns, release_kind, max_delay_ppm, trace_id, execution, scale_ppm, on_miss, ties, record, "     \
	"replication, status, digest, events, stop_ns FROM run WHERE run_id = ?1"

/* ---- judging ---- */

static void report_row(struct loading *l, const char *table, uint32_t task, const char *text)
{
	char row[96];
	snprintf(row, sizeof(row), "table %s, task_idx %" PRIu32, table, task);
	load_defect(l, row, text);
}

static void report(void *self, uint32_t task, uint32_t segment, const char *text)
{
	char row[96];
	snprintf(
		row, sizeof(row), "table segment, task_idx %" PRIu32 ", segment_idx %" PRIu32, task, segment);
	if (segment == UINT32_MAX)
		report_row(self, "task", task, text);
	else
		load_defect(self, row, text);
}

static void report_warps(void *self, uint32_t kernel, const char *text)
{
	if (kernel == UINT32_MAX)
		load_defect(self, "tables warp_machine, warp_unit, platform", text);
	else
		report_row(self, "warp_kernel", kernel, text);
}

static void report_programs(void *self, uint32_t program, const char *text)
{
	(void)program;
	load_defect(self, "a kernel's program", text);
}

static bool check_circles(struct loading *l)
{
	uint32_t task;
	if (!taskset_trigger_circle(&l->run->set, &task))
		return load_no_memory(l);
	if (task != UINT32_MAX)
		report(l, task, UINT32_MAX, "it would be released by itself, in a circle");
	return task == UINT32_MAX;
}

/* Kernels of warps; their tasks follow from them. */
static bool check_warps(struct loading *l, bool run)
{
	struct taskset *set = &l->run->set;
	struct error reason;
	if (warp_set_check(set->warps, &l->run->platform, report_warps, l) > 0)
		return false;
	if (run && !warp_span_check(&set->warps->machine, &l->run->setup, &reason))
		return load_defect(l, "table run", reason.text);
	for (uint32_t i = 0; i < set->task_count; i++)
		if (set->tasks[i].deadline_ns < 0 || set->tasks[i].deadline_ns > TIME_MAX_NS)
			return load_defect(l, "table task", "a deadline is below 0 or above 2000000000 s");
	return warp_set_tasks(set) || load_no_memory(l);
}

/* A run, or a set on a platform. */
static bool check(struct loading *l, bool run)
{
	struct loaded_run *r = l->run;
	struct error reason;
	const struct program_set *programs = r->set.programs;
	if (r->set.task_count == 0)
		return load_defect(l, "table task", "its set has no tasks");
	if (!platform_check(&r->platform, &reason))
		return load_defect(l, "table platform", reason.text);
	if (run && !setup_check(&r->setup, &reason))
		return load_defect(l, "table run", reason.text);
	if (r->set.warps)
		return check_warps(l, run);
	return (!programs || inside_fits(&r->platform, &reason) ||
		       load_defect(l, "table platform", reason.text)) &&
	       (!programs || warp_set_check(programs->warps, &r->platform, report_programs, l) == 0) &&
	       taskset_check(&r->set, &r->platform, report, l) == 0 && check_circles(l);
}

bool load_run(struct db_reader *reader, int64_t run_id, struct loaded_run *run, struct error *err)
{
	struct loading l = {.reader = reader, .run = run, .err = err};
	*run = (struct loaded_run){.run_id = run_id};
	taskset_init(&run->set);
	int64_t rows = load_each(&l, RUN_SQL, run_id, 0, run_row);
	if (rows == 0)
		error_set(err, STATUS_INPUT, "the recording has no run %" PRId64, run_id);
	if (rows == 1 && check(&l, true))
		return true;
	loaded_run_finish(run);
	return false;
}

bool load_subject(struct db_reader *reader, int64_t taskset_id, int64_t platform_id, int64_t policy_id,
	struct loaded_run *run, struct error *err)
{
	struct loading l = {.reader = reader, .run = run, .taskset_id = taskset_id, .err = err};
	*run = (struct loaded_run){.setup = {.horizon_ns = 1, .limit_ns = 10, .seed = 1}};
	taskset_init(&run->set);
	bool ok = load_set(&l, taskset_id) && load_platform(&l, platform_id) &&
		  (policy_id == 0 || load_policy(&l, policy_id));
	if (ok && check(&l, false))
		return true;
	loaded_run_finish(run);
	return false;
}

void loaded_run_finish(struct loaded_run *run)
{
	taskset_finish(&run->set);
}
