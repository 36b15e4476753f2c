/* db/audit/laws_jobs.c - the laws on whole runs and on jobs (docs/model.md, "Time and order", "Horizon and
 * end", "Misses"). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "db/audit/law.h"
#include "db/audit/sweep.h"
#include "db/audit/warps.h"

#define MILLION 1000000
#define TIME_MAX (INT64_MAX / 2)
#define SECOND INT64_C(1000000000)

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* ---- The run ---- */

static uint64_t refused_window(struct audit *a, const struct moment *m)
{
	const struct recording *r = a->r;
	if (r->jobs > 0)
		broken(a, "run", m, "it was refused, and yet %lld jobs are said to have been released",
			(long long)r->jobs);
	return 1;
}

/* When a run ends that lasts as long as it may: runs of warps end with a cycle. */
static int64_t end_of(const struct recording *r, int64_t time)
{
	return r->warps ? warps_ns(r->warps, warps_duration(r->warps, time)) : time;
}

uint64_t law_window(struct audit *a, const struct moment *m)
{
	const struct recording *r = a->r;
	if (r->status == RUN_REFUSED)
		return refused_window(a, m);
	if (r->stop_ns < 0 || r->window_ns < 0) {
		broken(a, "run", m, "its end S or its energy window is missing");
		return 1;
	}
	int64_t horizon = end_of(r, r->horizon_ns), limit = end_of(r, r->limit_ns);
	if (r->window_ns != later(r->horizon_ns, r->stop_ns))
		broken(a, "run", m, "the energy window is %s, expected max(horizon, S) = %s",
			when(a, r->window_ns), when(a, later(r->horizon_ns, r->stop_ns)));
	if (!r->drained && r->stop_ns != horizon)
		broken(a, "run", m, "S is %s, expected the horizon %s", when(a, r->stop_ns),
			when(a, horizon));
	if (r->drained && r->stop_ns > limit)
		broken(a, "run", m, "S is %s, behind the limit %s", when(a, r->stop_ns), when(a, limit));
	if (r->status == RUN_OK && r->drained && r->limit_ns < r->horizon_ns)
		broken(a, "run", m,
			"its limit %s is before its horizon, and yet it is not said to be truncated",
			when(a, limit));
	if (r->status == RUN_TRUNCATED && (!r->drained || r->stop_ns != limit))
		broken(a, "run", m, "it is said to be truncated, but S is %s and the limit %s",
			when(a, r->stop_ns), when(a, limit));
	return 1;
}

static bool figures_fit(const struct recording *r, const struct figures *f)
{
	if (f->misses < 0 || f->misses > f->jobs || f->responses < 0 || f->responses > f->jobs)
		return false;
	if (f->responses == 0)
		return f->min_ns == NOT_GIVEN && f->mean_ns == NOT_GIVEN && f->max_ns == NOT_GIVEN;
	bool all_finish = r->drained && r->status == RUN_OK && r->on_miss == ON_MISS_CONTINUE;
	return 0 <= f->min_ns && f->min_ns <= f->mean_ns && f->mean_ns <= f->max_ns &&
	       (!all_finish || f->responses == f->jobs);
}

uint64_t law_summary_figures(struct audit *a, const struct moment *m)
{
	const struct recording *r = a->r;
	int64_t jobs = 0, misses = 0;
	for (uint32_t i = 0; i < r->tasks; i++) {
		const struct figures *f = &r->task[i].figures;
		struct moment of = *m;
		of.track = &m->sweep->track[i];
		jobs += f->jobs;
		misses += f->misses;
		if (!f->present)
			broken(a, "run_task", &of, "it has no row");
		else if (!figures_fit(r, f))
			broken(a, "run_task", &of,
				"%lld jobs, %lld misses, %lld responses from %s to %s, on average %s: these "
				"do not"
				" fit",
				(long long)f->jobs, (long long)f->misses, (long long)f->responses,
				when(a, f->min_ns), when(a, f->max_ns), when(a, f->mean_ns));
		else if (f->hist_jobs != f->responses)
			broken(a, "run_task_hist", &of, "the histogram holds %lld jobs, expected %lld",
				(long long)f->hist_jobs, (long long)f->responses);
	}
	if (jobs != r->jobs || misses != r->misses)
		broken(a, "run", m, "%lld jobs and %lld misses, but the tasks' sum up to %lld and %lld",
			(long long)r->jobs, (long long)r->misses, (long long)jobs, (long long)misses);
	return 1 + (uint64_t)r->tasks;
}

/* Does task i have a higher priority than task j, by the set and the policy? */
static bool outranks(const struct recording *r, uint32_t i, uint32_t j)
{
	const struct member *x = &r->task[i], *y = &r->task[j];
	int64_t kx = x->deadline_ns, ky = y->deadline_ns;
	if (r->explicit_priorities) {
		kx = x->priority;
		ky = y->priority;
	} else if (r->promise->ranking == RANKS_RATE) {
		kx = x->period_ns;
		ky = y->period_ns;
	}
	return kx != ky ? kx < ky : i < j;
}

uint64_t law_ranks(struct audit *a, const struct moment *m)
{
	const struct recording *r = a->r;
	for (uint32_t i = 0; i < r->tasks; i++) {
		const struct track *t = &m->sweep->track[i], *next;
		struct moment of = *m;
		of.track = t;
		if (t->rank == UINT32_MAX) {
			broken(a, "run_task", &of, "its rank %lld is not one of 0 .. %u, or another's too",
				(long long)t->task->figures.rank, r->tasks - 1);
			continue;
		}
		next = t->rank + 1 < r->tasks ? m->sweep->by_rank[t->rank + 1] : NULL;
		if (next && r->promise && !outranks(r, i, next->index))
			broken(a, "run_task", &of,
				"it has rank %u, before task '%s', which should come first", t->rank,
				next->task->name);
	}
	return r->tasks;
}

/* The last switch of the GPU; below the level of its rows, how much later than `last` it may have ended. */
static int64_t last_switch(const struct sweep *s, int64_t last, int64_t *slack)
{
	const struct recording *r = s->r;
	int64_t switches = r->machine.contexts.switch_ns, resets = r->machine.contexts.reset_ns;
	bool may = r->level < LEVEL_SEGMENTS && (!r->promise || r->promise->turns);
	*slack = !may ? 0 : switches > resets ? switches : resets;
	return r->contexts ? later(last, s->last_switch) : last;
}

/* The same of a decision that core 0 makes. One of a policy that is not known takes a second at most, and one
 * more for each unit that waits (struct plan_decision). */
static int64_t last_decision(const struct recording *r)
{
	const struct promise *p = r->promise;
	if (r->level >= LEVEL_SEGMENTS || (p && !p->decides_on_core))
		return 0;
	int64_t base = p ? p->decision_base_ns : SECOND, unit = p ? p->decision_unit_ns : SECOND;
	return base + unit * (int64_t)r->tasks;
}

/* S of a drained run is the instant at which its last job ended, or what comes behind it. */
uint64_t law_stop(struct audit *a, const struct moment *m)
{
	const struct recording *r = a->r;
	int64_t last = 0;
	bool unfinished = false;
	for (uint32_t i = 0; i < r->tasks; i++) {
		const struct job_record *jobs = &m->sweep->track[i].record;
		last = later(last, jobs->last_finish);
		unfinished |= jobs->any_unfinished;
	}
	int64_t interrupts = 0;
	for (uint32_t i = 0; i < r->machine.cores; i++)
		interrupts = later(interrupts, m->sweep->core[i].interrupts_until);
	if (r->machine.takes.release_ns > 0)
		last = later(last, interrupts < r->limit_ns ? interrupts : r->limit_ns);
	last = later(last, m->sweep->decided_until);
	int64_t slack, decision = last_decision(r);
	last = last_switch(m->sweep, last, &slack);
	slack = later(slack, decision);
	bool cut = r->limit_ns < r->horizon_ns;
	if (r->status == RUN_TRUNCATED && !unfinished && !cut)
		broken(a, "run", m, "it is said to be truncated, but all its jobs ended, by %s",
			when(a, last));
	else if (r->drained && r->status == RUN_OK && (r->stop_ns < last || r->stop_ns > last + slack))
		broken(a, "run", m, "S is %s, but its last job%s ended at %s", when(a, r->stop_ns),
			r->machine.takes.release_ns > 0 ? " or interrupt"
			: m->sweep->decided_until > 0   ? " or decision"
							: "",
			when(a, last));
	return 1;
}

/* ---- Releases ---- */

/* The greatest extra separation of a sporadic job. */
static int64_t greatest_delay(const struct member *task)
{
	int128 delay = (int128)task->period_ns * task->releases.max_delay_ppm / MILLION;
	return delay > TIME_MAX ? TIME_MAX : (int64_t)delay;
}

/* Where a periodic task releases the job. */
static int128 nominal(const struct member *task, int64_t seq)
{
	return task->offset_ns + (int128)task->period_ns * seq;
}

/* The release of the next job of a task, after `before` jobs; INT64_MAX: there is none. */
static int64_t next_release(const struct recording *r, const struct track *t)
{
	const struct member *task = t->task;
	const struct audit_release_rule *rule = &task->releases;
	const struct job_record *before = &t->record;
	int128 due = task->offset_ns;
	if (rule->kind == RELEASES_AFTER)
		return INT64_MAX; /* law_triggers knows */
	if (rule->kind == RELEASES_TRACE)
		return before->count < rule->traced ? rule->trace_ns[before->count] : INT64_MAX;
	if (rule->kind == RELEASES_PERIODIC)
		due = nominal(task, before->count);
	else if (rule->kind == RELEASES_JITTER)
		due = nominal(task, before->count) + jitter_draw(r, t->index, before->count, rule->jitter_ns);
	else if (before->count > 0)
		due = (int128)before->last_release + task->period_ns +
		      separation_draw(r, t->index, before->count, greatest_delay(task));
	return due > INT64_MAX ? INT64_MAX : (int64_t)due;
}

/* Releases happen before the horizon, if the clock did not stop earlier. */
static int64_t release_bound(const struct recording *r)
{
	return r->drained && r->limit_ns < r->horizon_ns ? r->limit_ns : r->horizon_ns;
}

/* Checks that there is no job missing after the last one. */
static void check_last(struct audit *a, const struct moment *m, const struct track *t)
{
	int64_t bound = release_bound(a->r), next = next_release(a->r, t);
	struct moment of = *m;
	of.track = t;
	if (next < bound)
		broken(a, "job", &of, "job %lld is missing: it was due at %s, before %s",
			(long long)t->record.count, when(a, next), when(a, bound));
}

uint64_t law_releases(struct audit *a, const struct moment *m)
{
	if (m->at == AT_END) {
		for (uint32_t i = 0; i < a->r->tasks; i++)
			check_last(a, m, &m->sweep->track[i]);
		return a->r->tasks;
	}
	int64_t release = m->job->release, due = next_release(a->r, m->track);
	if (m->job->seq != m->track->record.count)
		broken(a, "job", m, "it is the job number %lld of its task in order of release",
			(long long)m->track->record.count);
	else if (release >= a->r->horizon_ns)
		broken(a, "job", m, "released at %s, not before the horizon %s", when(a, release),
			when(a, a->r->horizon_ns));
	else if (m->track->task->releases.kind == RELEASES_AFTER)
		return 1;
	else if (due == INT64_MAX)
		broken(a, "job", m, "the task's list of releases has no such job");
	else if (release != due)
		broken(a, "job", m, "released at %s, expected %s", when(a, release), when(a, due));
	return 1;
}

uint64_t law_deadlines(struct audit *a, const struct moment *m)
{
	const struct member *task = m->track->task;
	int64_t relative = task->deadline_ns, expected = NOT_GIVEN;
	int128 from = task->releases.kind == RELEASES_JITTER ? nominal(task, m->job->seq) : m->job->release;
	if (relative != NOT_GIVEN)
		expected = from + relative > INT64_MAX ? INT64_MAX : (int64_t)(from + relative);
	if (m->job->deadline != expected)
		broken(a, "job", m, "its deadline is %s, expected %s", when(a, m->job->deadline),
			when(a, expected));
	return 1;
}

/* ---- Jobs ---- */

uint64_t law_job_order(struct audit *a, const struct moment *m)
{
	const struct job *job = m->job;
	const struct job_record *before = &m->track->record;
	bool began = job->first_start != NOT_GIVEN, ended = job->finish != NOT_GIVEN;
	if (began && job->first_start < job->release)
		broken(a, "job", m, "it started at %s, before its release at %s", when(a, job->first_start),
			when(a, job->release));
	else if (began && job->first_start < before->last_end)
		broken(a, "job", m, "it started at %s, before an earlier job of its task ended at %s",
			when(a, job->first_start), when(a, before->last_end));
	else if (began && before->any_unfinished)
		broken(a, "job", m, "it started at %s, though an earlier job of its task never finished",
			when(a, job->first_start));
	else if (ended && job->finish < (began ? job->first_start : job->release))
		broken(a, "job", m, "it ended at %s, before it was released or started",
			when(a, job->finish));
	else if (ended && job->finish > a->r->stop_ns)
		broken(a, "job", m, "it ended at %s, behind S = %s", when(a, job->finish),
			when(a, a->r->stop_ns));
	return 1;
}

/* What is wrong with a job that is recorded as finished; NULL: nothing. */
static const char *wrong_finished(const struct recording *r, const struct job *job)
{
	bool late = job->deadline != NOT_GIVEN && job->finish > job->deadline;
	if (job->finish == NOT_GIVEN || job->first_start == NOT_GIVEN)
		return "it is said to have finished, without a start or a finish";
	if (job->missed != late)
		return late ? "it finished behind its deadline and is not marked as missed"
			    : "it finished by its deadline and is marked as missed";
	if (late && r->on_miss == ON_MISS_ABORT)
		return "it finished behind its deadline, at which it should have been aborted";
	if (r->on_miss == ON_MISS_DROP && job->first_start > job->deadline)
		return "it started behind its deadline, at which it should have been dropped";
	return NULL;
}

static const char *wrong_dropped(const struct recording *r, const struct job *job)
{
	if (r->on_miss != ON_MISS_DROP)
		return "it was dropped, though the run does not drop jobs";
	if (job->first_start != NOT_GIVEN)
		return "it was dropped, though it had started";
	if (job->finish != job->deadline)
		return "it was not dropped at its deadline";
	return job->missed ? NULL : "it was dropped and is not marked as missed";
}

static const char *wrong_aborted(const struct recording *r, const struct job *job)
{
	if (r->on_miss != ON_MISS_ABORT)
		return "it was aborted, though the run does not abort jobs";
	if (job->finish == NOT_GIVEN || job->finish < job->deadline)
		return "it was aborted before its deadline";
	if (job->first_start == NOT_GIVEN && job->finish != job->deadline)
		return "it had not started, and was not aborted at its deadline";
	return job->missed ? NULL : "it was aborted and is not marked as missed";
}

static const char *wrong_unfinished(const struct recording *r, const struct job *job)
{
	bool late = job->deadline != NOT_GIVEN && job->deadline <= r->stop_ns;
	if (job->finish != NOT_GIVEN)
		return "it is said to be unfinished, and has a finish";
	if (job->missed != late)
		return late ? "its deadline came by S and it is not marked as missed"
			    : "its deadline lies behind S and it is marked as missed";
	if (r->drained && r->status == RUN_OK)
		return "it is unfinished, though the run is said to have been drained";
	if (r->on_miss != ON_MISS_CONTINUE && job->first_start == NOT_GIVEN && job->deadline < r->stop_ns)
		return "it never started and was not removed at its deadline";
	return NULL;
}

uint64_t law_job_state(struct audit *a, const struct moment *m)
{
	static const char *(*const wrong[])(const struct recording *r, const struct job *job) = {
		[STATE_FINISHED] = wrong_finished,
		[STATE_DROPPED] = wrong_dropped,
		[STATE_ABORTED] = wrong_aborted,
		[STATE_UNFINISHED] = wrong_unfinished,
	};
	const char *what = m->job->outcome >= 0 && m->job->outcome < 8 ? wrong[m->job->state](a->r, m->job)
								       : "its outcome is no outcome";
	if (what)
		broken(a, "job", m, "%s (start %s, finish %s, deadline %s, S %s)", what,
			when(a, m->job->first_start), when(a, m->job->finish), when(a, m->job->deadline),
			when(a, a->r->stop_ns));
	return 1;
}

uint64_t law_job_floor(struct audit *a, const struct moment *m)
{
	if (m->job->state != STATE_FINISHED || m->job->finish == NOT_GIVEN)
		return 0;
	int64_t response = m->job->finish - m->job->release,
		least = job_floor(a->r, m->track->index, m->job->seq);
	if (response < least)
		broken(a, "job", m, "its response is %s, but its segments take at least %s",
			when(a, response), when(a, least));
	return 1;
}

/* ---- Figures ---- */

/* The most misses of the task in any so many consecutive jobs as its limit says, from its job rows. */
static bool most_misses(struct audit *a, const struct member *task, int64_t *most)
{
	char sql[300];
	snprintf(sql, sizeof(sql),
		"SELECT coalesce(max(n), 0) FROM (SELECT sum(outcome >> 2) OVER (ORDER BY seq ROWS %" PRId64
		" PRECEDING) AS n FROM job WHERE run_id = %" PRId64 " AND task_id = ?1)",
		task->misses_in - 1, a->r->run_id);
	return query_number(a->reader, sql, task->task_id, most, a->err);
}

static void check_window(struct audit *a, const struct moment *m, const struct track *t)
{
	struct moment of = *m;
	int64_t most;
	of.track = t;
	if (t->task->misses_in == 0)
		return;
	a->failed |= !most_misses(a, t->task, &most);
	if (!a->failed && most != t->task->figures.window_misses)
		broken(a, "run_task", &of, "window_misses is %lld, but its job rows give %lld",
			(long long)t->task->figures.window_misses, (long long)most);
}

static void check_figures(struct audit *a, const struct moment *m, const struct track *t)
{
	const struct figures *f = &t->task->figures;
	const struct job_record *jobs = &t->record;
	bool any = jobs->responses > 0;
	struct moment of = *m;
	of.track = t;
	const struct {
		const char *name;
		int64_t recorded, derived;
	} equal[] = {
		{"jobs", f->jobs, jobs->count},
		{"misses", f->misses, jobs->misses},
		{"responses", f->responses, jobs->responses},
		{"min_response_ns", f->min_ns, any ? jobs->minimum : NOT_GIVEN},
		{"mean_response_ns", f->mean_ns,
			any ? round_half_even(jobs->sum, jobs->responses) : NOT_GIVEN},
		{"max_response_ns", f->max_ns, any ? jobs->maximum : NOT_GIVEN},
		{"worst_lower_bound_ns", f->lower_bound_ns, jobs->lower_bound},
	};
	for (size_t i = 0; i < sizeof(equal) / sizeof(equal[0]); i++) {
		bool count = i < 3;
		if (equal[i].recorded == equal[i].derived)
			continue;
		if (count)
			broken(a, "run_task", &of, "%s is %lld, but its job rows give %lld", equal[i].name,
				(long long)equal[i].recorded, (long long)equal[i].derived);
		else
			broken(a, "run_task", &of, "%s is %s, but its job rows give %s", equal[i].name,
				when(a, equal[i].recorded), when(a, equal[i].derived));
	}
}

/* Subtracts the recorded histogram from the derived one; what is left was not recorded. */
static uint64_t check_histogram(struct audit *a, const struct moment *m)
{
	uint64_t rows = 0;
	struct db_cursor *c = query_open(a->reader,
		"SELECT task_id, bucket, jobs FROM run_task_hist WHERE run_id = ?1", a->r->run_id, a->err);
	bool have = true, ok = c != NULL;
	while (ok && have) {
		ok = cursor_next(c, &have, a->err);
		if (!ok || !have)
			break;
		uint32_t task = recording_task(a->r, column(c, 0));
		int64_t bucket = column(c, 1), jobs = column(c, 2), *derived = NULL;
		struct moment of = *m;
		of.track = task == UINT32_MAX ? NULL : &m->sweep->track[task];
		if (of.track && bucket >= 0 && bucket < BUCKETS)
			derived = &of.track->record.bucket[bucket];
		if (!derived || jobs != *derived)
			broken(a, "run_task_hist", &of,
				"bucket %lld holds %lld jobs, but the job rows give %lld", (long long)bucket,
				(long long)jobs, derived ? (long long)*derived : 0);
		if (derived)
			*derived = 0;
		rows++;
	}
	cursor_close(c);
	a->failed |= !ok;
	return rows;
}

static void check_unrecorded(struct audit *a, const struct moment *m, const struct track *t)
{
	struct moment of = *m;
	of.track = t;
	for (uint32_t i = 0; i < BUCKETS; i++) {
		if (t->record.bucket[i])
			broken(a, "run_task_hist", &of,
				"bucket %u is missing, but the job rows give %lld jobs in it", i,
				(long long)t->record.bucket[i]);
	}
}

uint64_t law_task_figures(struct audit *a, const struct moment *m)
{
	for (uint32_t i = 0; i < a->r->tasks; i++)
		check_figures(a, m, &m->sweep->track[i]);
	for (uint32_t i = 0; i < a->r->tasks && !a->failed; i++)
		check_window(a, m, &m->sweep->track[i]);
	uint64_t rows = check_histogram(a, m);
	for (uint32_t i = 0; i < a->r->tasks && !a->failed; i++)
		check_unrecorded(a, m, &m->sweep->track[i]);
	return a->r->tasks + rows;
}
