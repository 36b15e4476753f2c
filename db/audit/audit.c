/* db/audit/audit.c - audits the runs of a recording one by one: decides which laws apply to a run, and notes
 * at which stations each is called. */
#include "db/audit/audit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "db/audit/identity.h"
#include "db/audit/law.h"
#include "db/audit/predict.h"
#include "db/audit/sweep.h"
#include "db/audit/warp_walk.h"
#include "db/words.h"

/* Notes at which stations each law is called for this run. */
static void enlist(struct audit *a)
{
	assert(audit_law_count <= LAWS_MAX);
	memset(a->at_count, 0, sizeof(a->at_count));
	for (size_t i = 0; i < WARP_LAWS; i++)
		a->of_warps[i] = NOT_ASKED;
	for (size_t i = 0; i < audit_law_count; i++) {
		const struct law *law = &a->laws[i];
		struct audit_result *result = &a->report->results[i];
		if (!law->applies(a->r)) {
			result->runs_elsewhere += !result->of_file;
			continue;
		}
		if (law->level > a->r->level) {
			result->runs_below_level++;
			continue;
		}
		result->runs++;
		a->of_warps[law->of_warps] = i;
		for (unsigned at = 0; at < STATIONS; at++) {
			if (law->stations & (1u << at))
				a->at[at][a->at_count[at]++] =
					(struct audit_called){law->check, &result->checked, i};
		}
	}
}

/* Whether this is a run of warps, which has a walk of its own. */
static bool walks(const struct recording *r)
{
	return r->warps && (r->status == RUN_OK || r->status == RUN_TRUNCATED);
}

static bool audit_run(struct audit *a, struct db_reader *reader, int64_t run_id)
{
	struct recording r;
	bool ok = recording_load(&r, reader, run_id, a->err);
	if (ok) {
		a->r = &r;
		r.identified = a->identified;
		r.waits_indexed = a->waits_stride > 0;
		a->jobs_hash = a->strangers = 0;
		a->cut_rows = false;
		waits_asked_begin(a);
		a->turns = (struct turns){.last = UINT32_MAX};
		if (r.contexts)
			a->turns.active = calloc(r.tasks, sizeof(*a->turns.active));
		ok = !r.contexts || a->turns.active || error_memory(a->err, "auditing a run");
		a->report->runs++;
		a->report->failed += r.status == RUN_ERROR;
		enlist(a);
		ok = ok && sweep_run(a, &r, reader, a->err) &&
		     (!walks(&r) || warps_walk(a, &r, reader, a->err));
	}
	for (uint32_t g = 0; g < AUDIT_GPUS_MOST; g++) {
		cursor_close(a->power_rows[g]);
		a->power_rows[g] = NULL;
	}
	waits_asked_finish(&a->waits);
	free(a->turns.active);
	a->turns.active = NULL;
	free(a->task_power);
	a->task_power = NULL;
	predictions_free(a->predictions);
	a->predictions = NULL;
	predict_fleet_free(a->fleet);
	a->fleet = NULL;
	recording_finish(&r);
	return ok;
}

static bool audit_runs(struct audit *a, struct db_reader *reader, int64_t run_id)
{
	struct rows q = query_rows(
		reader, "SELECT run_id FROM run WHERE ?1 IN (-1, run_id) ORDER BY run_id", run_id, a->err);
	while (rows_next(&q))
		q.ok = audit_run(a, reader, cursor_integer(q.c, 0));
	bool ok = rows_close(&q);
	if (ok && run_id != AUDIT_ALL_RUNS && a->report->runs == 0)
		return error_set(
			a->err, STATUS_INPUT, "there is no run %lld in this recording", (long long)run_id);
	return ok;
}

bool audit_law_at(size_t i, struct audit_result *law)
{
	if (i >= audit_law_count)
		return false;
	*law = (struct audit_result){
		.law = audit_laws[i].name,
		.summary = audit_laws[i].summary,
		.level = words_level[audit_laws[i].level],
	};
	return true;
}

bool audit_recording(struct db_reader *reader, int64_t run_id, struct audit_report *report, struct error *err)
{
	*report = (struct audit_report){.count = audit_law_count};
	report->results = calloc(audit_law_count, sizeof(*report->results));
	if (!report->results)
		return error_memory(err, "auditing a recording");
	for (size_t i = 0; i < audit_law_count; i++)
		audit_law_at(i, &report->results[i]);
	struct audit a = {.laws = audit_laws, .reader = reader, .report = report, .err = err};
	return identity_begin(&a) && waits_begin(&a) && identity_check(&a, run_id) &&
	       strays_check(&a, run_id) && verdicts_check(&a, run_id) && audit_runs(&a, reader, run_id) &&
	       !a.failed;
}

bool audit_file(const char *path, int64_t run_id, struct audit_report *report, struct error *err)
{
	struct db_reader *reader = reader_open(path, err);
	*report = (struct audit_report){0};
	bool ok = reader && audit_recording(reader, run_id, report, err);
	reader_close(reader);
	return ok;
}
