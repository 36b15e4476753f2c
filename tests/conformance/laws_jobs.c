/* tests/conformance/laws_jobs.c - jobs: releases, ends, misses, the order and the lengths of their
 * segments, and the end of the run (docs/model.md, "Time and order"). */
#include <inttypes.h>

#include "tests/conformance/law.h"

static const struct release_rule *rule_of(const struct seen *s, uint32_t task)
{
	const struct release_rule *own = s->set->tasks[task].release;
	return own ? own : &s->setup->release;
}

/* Earliest and latest release of a job, given the one before it; *low NEVER: there is none. */
static void release_window(
	const struct seen *s, uint32_t task, uint32_t number, int64_t before, int64_t *low, int64_t *high)
{
	const struct task *t = &s->set->tasks[task];
	const struct release_rule *rule = rule_of(s, task);
	if (rule->kind == RELEASE_TRACE)
		*low = *high = number < rule->trace_count ? rule->trace_ns[number] : NEVER;
	else if (number == 0)
		*low = *high = t->offset_ns;
	else
		*low = *high = before + t->period_ns;
	if (number > 0 && rule->kind == RELEASE_SPORADIC)
		*high += (int64_t)((int128)rule->max_delay_ppm * t->period_ns / 1000000);
}

void holds_release_pattern(const struct seen *s, struct verdict *v)
{
	for (uint32_t i = 0; i < s->set->task_count; i++) {
		int64_t before = 0, low, high;
		for (uint32_t j = 0; j < s->job_count[i]; j++) {
			const struct job_seen *job = &s->jobs[s->job_base[i] + j];
			release_window(s, i, j, before, &low, &high);
			if (job->release < low || job->release > high || job->release >= s->setup->horizon_ns)
				law_broken(v,
					"task %u job %u is released at %" PRId64 ", not in [%" PRId64
					", %" PRId64 "]",
					i, j, job->release, low, high);
			if (job->deadline != job->release + s->set->tasks[i].deadline_ns)
				law_broken(
					v, "task %u job %u has the deadline %" PRId64, i, j, job->deadline);
			before = job->release;
		}
		/* The clock may stop at a limit below the horizon: what falls on that instant is still
		 * delivered. */
		release_window(s, i, s->job_count[i], before, &low, &high);
		if (high < s->setup->horizon_ns && high <= s->stop_at)
			law_broken(v, "task %u: job %u is not released", i, s->job_count[i]);
	}
}

void holds_jobs_end_once(const struct seen *s, struct verdict *v)
{
	for (uint32_t i = 0; i < s->jobs_total; i++)
		if (s->jobs[i].ends != 1)
			law_broken(v, "task %u job %u ends %u times", s->jobs[i].task, s->jobs[i].number,
				s->jobs[i].ends);
	if (s->outcome.jobs != s->jobs_total)
		law_broken(v, "%" PRIu64 " jobs, %u were released", s->outcome.jobs, s->jobs_total);
}

/* What may become of a job under each rule for misses. */
static void check_outcome(const struct seen *s, const struct job_seen *job, struct verdict *v)
{
	enum on_miss rule = s->setup->on_miss;
	bool cut_off = job->how == JOB_DROPPED || job->how == JOB_ABORTED;
	if (cut_off && rule != (job->how == JOB_DROPPED ? MISS_DROP : MISS_ABORT))
		law_broken(v, "task %u job %u ended in a way on_miss does not know", job->task, job->number);
	if (job->how == JOB_DROPPED && (job->end != job->deadline || job->first_start >= 0))
		law_broken(v, "task %u job %u is dropped at %" PRId64 ", first start %" PRId64, job->task,
			job->number, job->end, job->first_start);
	if (rule == MISS_DROP && job->first_start > job->deadline)
		law_broken(v, "task %u job %u starts after its deadline and was not dropped", job->task,
			job->number);
	if (job->how == JOB_ABORTED && job->end < job->deadline)
		law_broken(v, "task %u job %u is aborted before its deadline", job->task, job->number);
	if (rule == MISS_ABORT && job->how == JOB_FINISHED && job->end > job->deadline)
		law_broken(v, "task %u job %u finishes after its deadline and was not aborted", job->task,
			job->number);
}

/* An aborted job stays only for a copy or for blocks that run. */
static void check_abort(const struct seen *s, const struct job_seen *job, struct verdict *v)
{
	int64_t last = job->deadline;
	if (job->how != JOB_ABORTED)
		return;
	for (uint32_t g = 0; g < s->set->tasks[job->task].segment_count; g++) {
		const struct op_seen *op = seen_op(s, job->task, job->number, g);
		bool runs = op->fact->kind != SEGMENT_CPU && op->first_start < op->cut;
		if (op->present && runs && op->end > last)
			last = op->end;
		if (op->present && op->first_start < NEVER && op->first_start >= op->cut)
			law_broken(v, "task %u job %u segment %u starts after the abort", job->task,
				job->number, g);
	}
	if (job->end != last)
		law_broken(v,
			"task %u job %u is aborted at %" PRId64 " and ends at %" PRId64 ", not %" PRId64,
			job->task, job->number, job->deadline, job->end, last);
}

void holds_misses(const struct seen *s, struct verdict *v)
{
	uint64_t misses = 0;
	for (uint32_t i = 0; i < s->jobs_total; i++) {
		const struct job_seen *job = &s->jobs[i];
		check_outcome(s, job, v);
		check_abort(s, job, v);
		misses += job->how == JOB_FINISHED     ? job->end > job->deadline
			  : job->how == JOB_UNFINISHED ? job->deadline <= s->outcome.end_ns
						       : true;
	}
	if (misses != s->outcome.misses)
		law_broken(v, "%" PRIu64 " misses are counted, %" PRIu64 " seen", s->outcome.misses, misses);
}

/* ---- segments ---- */

static void check_job(const struct seen *s, const struct job_seen *job, struct verdict *v)
{
	int64_t first = job->passed, last = job->begin;
	bool all_done = job->begin < NEVER;
	for (uint32_t g = 0; g < s->set->tasks[job->task].segment_count; g++) {
		const struct op_seen *op = seen_op(s, job->task, job->number, g);
		bool seen = op->spans > 0 || op->placed > 0;
		if (seen && !op->present)
			law_broken(v, "task %u job %u segment %u runs, and was never ready", op->task,
				job->number, g);
		if (!op->present)
			continue;
		if (seen && op->first_start < op->ready)
			law_broken(v,
				"task %u job %u segment %u starts at %" PRId64
				", before it is ready at %" PRId64,
				op->task, job->number, g, op->first_start, op->ready);
		first = op->first_start < first ? op->first_start : first;
		last = op->end > last ? op->end : last;
		all_done &= op->done == 1;
	}
	if (job->first_start != (first == NEVER ? -1 : first))
		law_broken(v, "task %u job %u first starts at %" PRId64 ", recorded is %" PRId64, job->task,
			job->number, first, job->first_start);
	if (job->how == JOB_FINISHED && (!all_done || job->end != last))
		law_broken(v, "task %u job %u finishes at %" PRId64 ", its segments at %" PRId64, job->task,
			job->number, job->end, last);
	if (job->how == JOB_UNFINISHED && all_done && job->begin < NEVER)
		law_broken(v, "task %u job %u is over and recorded as unfinished", job->task, job->number);
}

void holds_precedence(const struct seen *s, struct verdict *v)
{
	if (s->strays)
		law_broken(v, "%zu records belong to no segment; the first at %" PRId64, s->strays,
			s->stray->time);
	for (uint32_t i = 0; i < s->jobs_total; i++)
		check_job(s, &s->jobs[i], v);
	for (size_t i = 0; i < s->count; i++) {
		const struct trace_record *r = &s->records[i];
		const struct op_seen *op =
			r->kind == TRACE_SPAN ? seen_op(s, r->task, r->job, r->segment) : NULL;
		if (i > 0 && r->time < r[-1].time)
			law_broken(v, "the trace goes back in time at %" PRId64, r->time);
		if (op && r->ready != op->ready)
			law_broken(v,
				"task %u job %u segment %u is ready at %" PRId64 ", recorded is %" PRId64,
				r->task, r->job, r->segment, op->ready, r->ready);
	}
}

void holds_lengths(const struct seen *s, struct verdict *v)
{
	for (uint32_t i = 0; i < s->ops_total; i++) {
		const struct op_seen *op = &s->ops[i];
		if (op->fact->kind == SEGMENT_KERNEL || op->spans == 0)
			continue; /* kernels: "block times" */
		if (op->done > 1 || (op->done ? op->run != op->length : op->run > op->length))
			law_broken(v, "task %u job %u segment %u takes %" PRId64 ", its length is %" PRId64,
				op->task, op->job->number, op->segment, op->run, op->length);
	}
}

/* ---- the run ---- */

void holds_end_of_run(const struct seen *s, struct verdict *v)
{
	int64_t last = 0, end = s->outcome.end_ns, horizon = s->setup->horizon_ns;
	bool left = false;
	for (uint32_t i = 0; i < s->jobs_total; i++) {
		left |= s->jobs[i].how == JOB_UNFINISHED;
		if (s->jobs[i].how != JOB_UNFINISHED && s->jobs[i].end > last)
			last = s->jobs[i].end;
	}
	int64_t due = s->setup->stop == STOP_HORIZON ? horizon : left ? s->setup->limit_ns : last;
	if (end != due)
		law_broken(v, "the run ends at %" PRId64 ", not at %" PRId64, end, due);
	if (s->outcome.energy_end_ns != (end > horizon ? end : horizon))
		law_broken(v, "energy is taken up to %" PRId64, s->outcome.energy_end_ns);
	if (s->setup->stop == STOP_DRAINED && s->outcome.truncated != left)
		law_broken(v, "jobs are left and the run is not truncated, or the reverse");
	for (size_t i = 0; i < s->count; i++) {
		const struct trace_record *r = &s->records[i];
		bool begins = r->kind == TRACE_BLOCKS_START || r->kind == TRACE_SPAN;
		int64_t begin = r->kind == TRACE_SPAN ? r->start : r->time;
		if (r->time > end || (begins && begin >= s->stop_at))
			law_broken(v, "task %u: a record at %" PRId64 " after the end", r->task, r->time);
	}
}
