/* cli/repeat.c - see cli/repeat.h. */
#include "cli/repeat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/say.h"
#include "cli/options.h"
#include "policies/plugin/plugin.h"
#include "runs/campaign/drive.h"
#include "runs/load.h"

struct repeated {
	int64_t run_id;
	char policy[64], digest[17], recorded[17], status[16], recorded_status[16];
	uint64_t jobs, misses;
	int64_t version, recorded_version; /* of the policy */
	bool ended;
};

struct repetition {
	struct db_reader *reader;
	struct repeated *runs;
	uint32_t count;
	struct loaded_run loaded;   /* the current run */
	const struct policy *other; /* the last policy for which a different plug-in has been reported */
	bool starved;               /* a run was given up for want of memory, which says nothing about it */
};

static bool add_run(struct repetition *r, int64_t run_id, struct error *err)
{
	struct repeated *grown = list_room(r->runs, r->count, sizeof(*grown), "the list of runs", err);
	if (!grown)
		return false;
	r->runs = grown;
	r->runs[r->count++] = (struct repeated){.run_id = run_id};
	return true;
}

static bool list_runs(struct repetition *r, int64_t run, struct error *err)
{
	struct db_cursor *c =
		cursor_open(r->reader, "SELECT run_id FROM run WHERE ?1 IN (0, run_id) ORDER BY run_id", err);
	bool row, ok = c && cursor_bind_integer(c, 1, run, err);
	while (ok && (ok = cursor_next(c, &row, err)) && row)
		ok = add_run(r, cursor_integer(c, 0), err);
	cursor_close(c);
	return ok && (run == 0 || r->count > 0 ||
			     error_set(err, STATUS_INPUT, "the recording has no run %" PRId64, run));
}

/* Whether the difference matters is shown by the digests of the schedules. */
static void compare_plugin(struct repetition *r)
{
	const struct policy *policy = r->loaded.policy;
	const char *digest = plugin_digest(policy);
	if (!digest || policy == r->other || strcmp(digest, r->loaded.plugin) == 0)
		return;
	r->other = policy;
	say(stderr, "cegsim: %s (SHA-256 %s...) is not the file that policy '%s' was recorded with (%s...)\n",
		plugin_file(policy), digest, policy->name, r->loaded.plugin);
}

/* The recording may be a stranger's, with a horizon of years. A policy of another version may take longer,
 * but not that long. */
static uint64_t twice(int64_t recorded)
{
	return recorded < 0 ? 0 : recorded > INT64_MAX / 2 - 1 ? INT64_MAX : 2 * (uint64_t)recorded + 1;
}

static bool prepare(void *self, uint32_t index, struct run_spec *spec, struct error *err)
{
	struct repetition *r = self;
	struct repeated *run = &r->runs[index];
	loaded_run_finish(&r->loaded);
	if (!load_run(r->reader, run->run_id, &r->loaded, err))
		return false;
	compare_plugin(r);
	snprintf(run->policy, sizeof(run->policy), "%s", r->loaded.policy->name);
	run->version = r->loaded.policy->version;
	run->recorded_version = r->loaded.policy_version;
	memcpy(run->recorded, r->loaded.digest, sizeof(run->recorded));
	memcpy(run->recorded_status, r->loaded.status, sizeof(run->recorded_status));
	*spec = (struct run_spec){
		.platform = &r->loaded.platform,
		.set = &r->loaded.set,
		.setup = &r->loaded.setup,
		.policy = r->loaded.policy,
		.params = &r->loaded.params,
		.record = RECORD_SUMMARY,
		.events_most = twice(r->loaded.events),
		.end_most_ns = (int64_t)twice(r->loaded.stop_ns),
	};
	return true;
}

static void ended(void *self, uint32_t index, const struct run_result *result, const struct run *done)
{
	struct repetition *r = self;
	struct repeated *run = &r->runs[index];
	(void)done;
	run->ended = true;
	r->starved |= result->failure == STATUS_IO;
	run->jobs = result->outcome.jobs;
	run->misses = result->outcome.misses;
	snprintf(run->status, sizeof(run->status), "%s", run_status_name(result->status));
	if (result->status == RUN_ERROR && strcmp(run->status, run->recorded_status) != 0)
		say(stderr, "cegsim: run %" PRId64 ": %s\n", run->run_id, result->reason);
	if (result->status == RUN_OK || result->status == RUN_TRUNCATED)
		snprintf(run->digest, sizeof(run->digest), "%016" PRIx64,
			r->loaded.digest_of_events ? result->outcome.events_digest : result->outcome.digest);
}

static bool is_same(const struct repeated *run)
{
	return strcmp(run->digest, run->recorded) == 0 && strcmp(run->status, run->recorded_status) == 0;
}

static bool print(const struct repetition *r, enum table_format format, bool *all_same, struct error *err)
{
	static const char *const columns[] = {
		"run_id", "policy", "status", "jobs", "misses", "digest", "recorded", "same"};
	struct table t;
	*all_same = true;
	table_begin(&t, stdout, format, columns, sizeof(columns) / sizeof(*columns));
	for (uint32_t i = 0; i < r->count && r->runs[i].ended; i++) {
		const struct repeated *run = &r->runs[i];
		*all_same &= is_same(run);
		table_integer(&t, run->run_id);
		table_text(&t, run->policy);
		table_text(&t, run->status);
		run->digest[0] ? table_integer(&t, (int64_t)run->jobs) : table_null(&t);
		run->digest[0] ? table_integer(&t, (int64_t)run->misses) : table_null(&t);
		table_text(&t, run->digest[0] ? run->digest : NULL);
		table_text(&t, run->recorded[0] ? run->recorded : NULL);
		table_text(&t, is_same(run) ? "yes" : "no");
	}
	return table_end(&t, err);
}

/* Explains why runs may rightly differ. */
static void explain(const struct repetition *r)
{
	const struct repeated *first = NULL;
	uint32_t count = 0;
	for (uint32_t i = 0; i < r->count; i++) {
		const struct repeated *run = &r->runs[i];
		bool renewed = run->ended && !is_same(run) && run->version != run->recorded_version;
		count += renewed;
		first = renewed && !first ? run : first;
	}
	if (first)
		say(stderr,
			"cegsim: %" PRIu32
			" of the runs that are not the same %s recorded under another version of the "
			"policy: run %" PRId64 " under version %" PRId64
			" of '%s', of which this program has version %" PRId64 "\n",
			count, count == 1 ? "was" : "were", first->run_id, first->recorded_version,
			first->policy, first->version);
}

enum status repeat_recording(const char *file, int64_t run, enum table_format format, bool quiet)
{
	static const struct drive_calls calls = {.prepare = prepare, .ended = ended};
	struct repetition r = {0};
	struct error err;
	uint32_t finished = 0;
	bool same = true;
	r.reader = reader_open(file, &err);
	bool ok = r.reader && list_runs(&r, run, &err) &&
		  drive_runs(r.count, NULL, &calls, &r, quiet, &finished, &err) &&
		  print(&r, format, &same, &err);
	if (ok && !same)
		explain(&r);
	loaded_run_finish(&r.loaded);
	reader_close(r.reader);
	uint32_t count = r.count;
	free(r.runs);
	if (!ok)
		return (enum status)error_report(&err);
	if (finished < count)
		return STATUS_INTERRUPTED;
	if (r.starved)
		return STATUS_IO;
	return same ? STATUS_OK : STATUS_NO;
}
