/* report/gantt/jobs.c - reads a run's jobs in the window of a Gantt chart: one by one or, if there are too
 * many, the average number of a task's jobs in bins of equal length.
 *
 * The memory for these sums does not depend on the number or the length of jobs. The parts of a job in its
 * first and its last bin are added there; the bins between count it by a change at their beginning and one at
 * their end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/list.h"
#include "report/gantt/private.h"

#define BINS_MOST 600
#define BINS_LEAST 100
#define BINS_OF_TASKS 24000 /* tasks times bins, about */
#define PARTS 2             /* parts of a job: in time, and late */

/* Indexed by part, task and bin. */
struct job_sums {
	size_t bins;
	int64_t bin_ns;
	double *time;   /* ns of jobs that are present during a part of the bin */
	double *change; /* change of the number of jobs that are present during the whole bin, against the bin
			   before */
	int64_t *miss;  /* [tasks][2] the bin of the last miss, plus one; for kept and for removed jobs */
};

struct job_intake {
	struct gantt_chart *chart;
	struct job_sums sums;
};

static bool keep_job(struct gantt_chart *c, const struct gantt_job *job, struct error *err)
{
	struct gantt_job *grown = list_room(c->job, c->jobs, sizeof(*grown), "drawing a schedule", err);
	if (!grown)
		return false;
	c->job = grown;
	c->job[c->jobs++] = *job;
	return true;
}

static bool add_one(struct gantt_chart *c, const struct gantt_job *job, struct error *err)
{
	struct gantt_bar bar = {
		.start = job->release,
		.end = job->end,
		.high = 1,
		.seq = job->seq,
		.lane = job->task,
		.task = job->task,
		.block = (int64_t)c->jobs,
	};
	return keep_job(c, job, err) && (bar.start >= bar.end || bar.end <= c->from || bar.start >= c->to ||
						gantt_bars_add(&c->job_bars, &bar, err));
}

/* ---- sums ---- */

static size_t place_of(const struct job_intake *in, size_t part, size_t task)
{
	return (part * in->chart->tasks + task) * in->sums.bins;
}

static void sum_span(struct job_intake *in, size_t part, size_t task, int64_t start, int64_t end)
{
	const struct gantt_chart *c = in->chart;
	const struct job_sums *s = &in->sums;
	start = (start > c->from ? start : c->from) - c->from;
	end = (end < c->to ? end : c->to) - c->from;
	if (start >= end)
		return;
	int64_t first = start / s->bin_ns, last = (end - 1) / s->bin_ns;
	double *time = &s->time[place_of(in, part, task)], *change = &s->change[place_of(in, part, task)];
	if (first == last) {
		time[first] += (double)(end - start);
		return;
	}
	time[first] += (double)((first + 1) * s->bin_ns - start);
	time[last] += (double)(end - last * s->bin_ns);
	change[first + 1] += 1;
	change[last] -= 1;
}

/* Of several misses that one stroke can show, only one is kept. */
static bool sum_job(struct job_intake *in, const struct gantt_job *job, struct error *err)
{
	struct gantt_chart *c = in->chart;
	bool missed = job->outcome >= 4 && job->deadline != GANTT_NEVER;
	int64_t late = missed && job->deadline < job->end ? job->deadline : job->end;
	sum_span(in, 0, job->task, job->release, late);
	sum_span(in, 1, job->task, late > job->release ? late : job->release, job->end);
	if (!missed || job->deadline < c->from || job->deadline > c->to)
		return true;
	bool removed = (job->outcome & 3) == 1 || (job->outcome & 3) == 2;
	int64_t *last = &in->sums.miss[2 * job->task + removed];
	int64_t bin = (job->deadline - c->from) / in->sums.bin_ns + 1;
	if (*last == bin)
		return true;
	*last = bin;
	return keep_job(c, job, err);
}

static void sums_finish(struct job_sums *s)
{
	free(s->time);
	free(s->change);
	free(s->miss);
	*s = (struct job_sums){0};
}

static bool begin_sums(struct job_intake *in, struct error *err)
{
	struct gantt_chart *c = in->chart;
	struct job_sums *s = &in->sums;
	int64_t window = c->to - c->from, bins = (int64_t)(BINS_OF_TASKS / c->tasks);
	bins = bins < BINS_LEAST ? BINS_LEAST : bins > BINS_MOST ? BINS_MOST : bins;
	s->bin_ns = ceil_div(window, window < bins ? window : bins);
	s->bins = (size_t)ceil_div(window, s->bin_ns);
	s->time = calloc(PARTS * c->tasks, s->bins * sizeof(*s->time));
	s->change = calloc(PARTS * c->tasks, s->bins * sizeof(*s->change));
	s->miss = calloc(c->tasks, 2 * sizeof(*s->miss));
	if (!s->time || !s->change || !s->miss)
		return error_memory(err, "drawing a schedule");
	c->jobs_summed = true;
	struct gantt_job *job = c->job;
	size_t count = c->jobs;
	bool ok = true;
	c->job = NULL;
	c->jobs = 0;
	gantt_bars_finish(&c->job_bars);
	for (size_t i = 0; ok && i < count; i++)
		ok = sum_job(in, &job[i], err);
	free(job);
	return ok;
}

/* A bar from the top of the parts below to the top of this one; adjacent equal bins become one bar. */
static bool add_level(struct gantt_chart *c, const struct gantt_bar *bar, struct error *err)
{
	struct gantt_bars *bars = &c->job_bars;
	if (bar->low == bar->high)
		return true;
	for (size_t i = bars->count; i > 0 && bars->count - i < PARTS; i--) {
		struct gantt_bar *before = &bars->bar[i - 1];
		if (before->task == bar->task && before->end == bar->start && before->block == bar->block &&
			before->low == bar->low && before->high == bar->high) {
			before->end = bar->end;
			return true;
		}
	}
	if (bar->high > c->task_top[bar->task])
		c->task_top[bar->task] = bar->high;
	return gantt_bars_add(bars, bar, err);
}

static bool end_sums(struct job_intake *in, size_t task, struct error *err)
{
	struct gantt_chart *c = in->chart;
	const struct job_sums *s = &in->sums;
	double there[PARTS] = {0};
	c->task_top[task] = GANTT_JOB_LEVEL;
	for (size_t bin = 0; bin < s->bins; bin++) {
		int64_t start = c->from + (int64_t)bin * s->bin_ns;
		struct gantt_bar bar = {
			.start = start,
			.end = c->to - start > s->bin_ns ? start + s->bin_ns : c->to,
			.seq = GANTT_NO_JOB,
			.lane = task,
			.task = task,
		};
		for (size_t part = 0; part < PARTS; part++) {
			size_t at = place_of(in, part, task) + bin;
			there[part] += s->change[at];
			double jobs = there[part] + s->time[at] / (double)(bar.end - bar.start);
			bar.low = bar.high;
			bar.high += llround(jobs * GANTT_JOB_LEVEL);
			bar.block = (int64_t)part;
			if (!add_level(c, &bar, err))
				return false;
		}
	}
	return true;
}

/* ---- all jobs ---- */

static bool take_job(struct job_intake *in, const struct db_cursor *row, struct error *err)
{
	struct gantt_chart *c = in->chart;
	struct gantt_job job = {
		.seq = cursor_integer(row, 1),
		.release = cursor_integer(row, 2),
		.deadline = cursor_kind(row, 3) == VALUE_NULL ? GANTT_NEVER : cursor_integer(row, 3),
		.end = cursor_kind(row, 4) == VALUE_NULL ? c->stop : cursor_integer(row, 4),
		.outcome = (int)cursor_integer(row, 5),
	};
	if (!gantt_find_task(c, cursor_integer(row, 0), &job.task, &job.seq))
		return true;
	if (c->jobs_summed)
		return sum_job(in, &job, err);
	return add_one(c, &job, err) && (c->jobs <= GANTT_EXACT || begin_sums(in, err));
}

static bool deliver(struct job_intake *in, struct error *err)
{
	struct gantt_chart *c = in->chart;
	bool ok = true;
	for (size_t i = 0; ok && c->jobs_summed && i < c->tasks; i++)
		ok = end_sums(in, i, err);
	if (!ok || c->jobs_summed)
		return ok;
	int64_t *ceilings = calloc(c->tasks + 1, sizeof(*ceilings));
	if (!ceilings)
		return error_memory(err, "drawing a schedule");
	for (size_t i = 0; i < c->tasks; i++)
		ceilings[i] = c->task_top[i] = 1;
	ok = gantt_place(&c->job_bars, ceilings, c->task_top, err);
	free(ceilings);
	return ok;
}

static bool in_window(const struct gantt_chart *c, int64_t instant)
{
	return instant >= c->from && instant <= c->to;
}

static bool count_marks(struct gantt_chart *c, struct error *err)
{
	size_t(*marks)[GANTT_MARKS] = calloc(c->tasks + 1, sizeof(*marks));
	if (!marks)
		return error_memory(err, "drawing a schedule");
	for (size_t i = 0; i < c->jobs; i++) {
		const struct gantt_job *job = &c->job[i];
		const bool has[GANTT_MARKS] = {
			[GANTT_RELEASES] = in_window(c, job->release),
			[GANTT_DEADLINES] = in_window(c, job->deadline),
			[GANTT_MISSES] = job->outcome >= 4 && in_window(c, job->deadline),
		};
		for (int mark = 0; mark < GANTT_MARKS; mark++) {
			size_t *count = &marks[job->task][mark];
			*count += has[mark];
			c->most[mark] = *count > c->most[mark] ? *count : c->most[mark];
		}
	}
	free(marks);
	if (c->jobs_summed)
		c->most[GANTT_RELEASES] = c->most[GANTT_DEADLINES] = SIZE_MAX;
	return true;
}

bool gantt_read_jobs(struct db_reader *r, struct gantt_chart *c, struct error *err)
{
	int64_t values[] = {c->run_id, c->from, c->to, c->stop};
	struct job_intake in = {.chart = c};
	struct db_cursor *rows = gantt_query(r,
		"SELECT task_id, seq, release_ns, abs_deadline_ns, finish_ns, outcome FROM job"
		" WHERE run_id = ?1 AND release_ns <= ?3 AND max(coalesce(finish_ns, ?4), "
		"coalesce(abs_deadline_ns, 0),"
		" release_ns) >= ?2 ORDER BY release_ns, task_id, seq",
		values, 4, err);
	bool row = true, ok = rows != NULL;
	while (ok && row) {
		ok = cursor_next(rows, &row, err);
		if (ok && row)
			ok = take_job(&in, rows, err);
	}
	cursor_close(rows);
	ok = ok && deliver(&in, err) && count_marks(c, err);
	sums_finish(&in.sums);
	return ok;
}
