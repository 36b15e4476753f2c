/* scenarios/import/jobs.c - cuts what a thread issued into jobs, and finds where to cut. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "scenarios/import/parts.h"

static const char what[] = "cutting jobs";

/* A * at the end of the pattern fits all that follows. */
static bool fits(const char *pattern, const char *name)
{
	size_t length = strlen(pattern);
	if (length > 0 && pattern[length - 1] == '*')
		return strncmp(pattern, name, length - 1) == 0;
	return strcmp(pattern, name) == 0;
}

static int64_t latest_end(const struct part_thread *t, uint32_t first, uint32_t count)
{
	int64_t end = INT64_MIN;
	for (uint32_t i = first; i < first + count; i++)
		if (t->operations[i].op->end_ns > end)
			end = t->operations[i].op->end_ns;
	return end;
}

static void end_at(const struct part_thread *t, struct part_job *job, uint32_t to)
{
	job->count = to - job->first;
	job->end_ns = latest_end(t, job->first, job->count);
}

/* ---- The ways to cut ---- */

static uint32_t cut_ranges(
	struct import *im, const struct part_thread *t, const char *name, struct part_job *jobs)
{
	const struct capture *c = im->capture;
	uint32_t count = 0, at = 0;
	int64_t free_ns = INT64_MIN; /* ranges within ranges of the same name are part of these */
	for (uint32_t r = 0; r < c->range_count && at < t->count; r++) {
		const struct capture_range *range = &c->ranges[r];
		if (range->thread != t->thread || range->start_ns < free_ns || !fits(name, range->name))
			continue;
		while (at < t->count && t->operations[at].call_ns < range->start_ns)
			at++;
		struct part_job job = {.first = at, .release_ns = range->start_ns};
		while (at < t->count && t->operations[at].call_ns < range->end_ns)
			at++;
		free_ns = range->end_ns;
		if (at == job.first)
			continue;
		end_at(t, &job, at);
		job.end_ns = range->end_ns > job.end_ns ? range->end_ns : job.end_ns;
		jobs[count++] = job;
	}
	return count;
}

static bool is_marker(const struct capture_operation *op, const struct part_cut *cut)
{
	char name[IMPORT_NAME_MAX];
	return op->kind == CAPTURE_KERNEL &&
	       (cut->registers == IMPORT_ANY || cut->registers == (int64_t)op->registers) &&
	       (fits(cut->name, op->name) ||
		       (cut->of_user && fits(cut->name, import_short_name(op->name, name))));
}

/* Whether a job begins with all that another one has. */
static bool begins_like(const struct part_thread *t, const struct part_job *job, const struct part_job *other)
{
	if (job->count <= other->count)
		return false;
	for (uint32_t i = 0; i < other->count; i++)
		if (!part_same(t->operations[job->first + i].op, t->operations[other->first + i].op))
			return false;
	return true;
}

/* The last job goes to the end of the program. If it begins like an earlier one, the longest such, what
 * follows is none of it. */
static void cut_last(const struct part_thread *t, struct part_job *jobs, uint32_t count)
{
	struct part_job *last = &jobs[count - 1];
	uint32_t longest = 0;
	for (uint32_t i = 0; i + 1 < count; i++)
		if (jobs[i].count > longest && begins_like(t, last, &jobs[i]))
			longest = jobs[i].count;
	if (longest > 0)
		end_at(t, last, last->first + longest);
}

static uint32_t cut_operations(const struct part_thread *t, const struct part_cut *cut, struct part_job *jobs)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < t->count; i++) {
		bool begins = cut->cut == IMPORT_KERNEL  ? is_marker(t->operations[i].op, cut)
			      : cut->cut == IMPORT_EVERY ? i % cut->every == 0
							 : i == 0;
		if (!begins)
			continue;
		if (count > 0)
			end_at(t, &jobs[count - 1], i);
		jobs[count++] = (struct part_job){.first = i, .release_ns = t->operations[i].call_ns};
	}
	if (count > 0)
		end_at(t, &jobs[count - 1], t->count);
	if (cut->cut == IMPORT_KERNEL && count > 1)
		cut_last(t, jobs, count);
	if (cut->cut == IMPORT_EVERY && count > 1 && jobs[count - 1].count < cut->every)
		count--; /* an incomplete one */
	return count;
}

bool part_jobs(struct import *im, const struct part_thread *thread, const struct part_cut *cut,
	struct part_job **jobs, uint32_t *count, struct error *err)
{
	*jobs = arena_new(&im->arena, struct part_job, thread->count);
	if (!*jobs)
		return error_memory(err, what);
	*count = cut->cut == IMPORT_RANGE ? cut_ranges(im, thread, cut->name, *jobs)
					  : cut_operations(thread, cut, *jobs);
	return true;
}

/* ---- Where to cut ---- */

struct candidates {
	struct part_cut *cuts;
	uint32_t *times;
	uint32_t count;
};

/* More names than these are tried in no file that has a loop: names with numbers in them. */
#define CANDIDATES_MAX 256

static void add_candidate(struct candidates *c, enum import_cut cut, const char *name, int64_t registers)
{
	for (uint32_t i = 0; i < c->count; i++)
		if (c->cuts[i].cut == cut && c->cuts[i].registers == registers &&
			strcmp(c->cuts[i].name, name) == 0) {
			c->times[i]++;
			return;
		}
	if (c->count == CANDIDATES_MAX)
		return;
	c->cuts[c->count] = (struct part_cut){.cut = cut, .name = name, .registers = registers};
	c->times[c->count++] = 1;
}

static bool collect(
	struct import *im, const struct part_thread *t, struct candidates *found, struct error *err)
{
	const struct capture *c = im->capture;
	found->cuts = arena_new(&im->arena, struct part_cut, CANDIDATES_MAX);
	found->times = arena_new(&im->arena, uint32_t, CANDIDATES_MAX);
	if (!found->cuts || !found->times)
		return error_memory(err, what);
	for (uint32_t r = 0; r < c->range_count; r++)
		if (c->ranges[r].thread == t->thread && *c->ranges[r].name)
			add_candidate(found, IMPORT_RANGE, c->ranges[r].name, IMPORT_ANY);
	for (uint32_t i = 0; i < t->count; i++)
		if (t->operations[i].op->kind == CAPTURE_KERNEL)
			add_candidate(found, IMPORT_KERNEL, t->operations[i].op->name,
				t->operations[i].op->registers);
	return true;
}

/* How good a cut is. */
struct merit {
	uint64_t covered; /* operations in regular jobs */
	uint32_t steps, jobs;
};

/* Of the cuts that cover nearly as much as the best one: few steps of a turn, then much, then many jobs. */
static bool better(const struct merit *a, const struct merit *b)
{
	if (a->steps != b->steps)
		return a->steps < b->steps;
	if (a->covered != b->covered)
		return a->covered > b->covered;
	return a->jobs > b->jobs;
}

/* The import is one of its own, for its memory. */
static bool judge_in(struct import *scratch, const struct part_thread *t, const struct part_cut *cut,
	struct merit *merit, struct error *err)
{
	struct part_job *jobs;
	struct part_task *tasks;
	uint32_t count, task_count;
	if (!part_jobs(scratch, t, cut, &jobs, &count, err))
		return false;
	if (count < 2)
		return true;
	if (!part_tasks(scratch, t, jobs, count, &tasks, &task_count, &merit->covered, err))
		return false;
	merit->steps = tasks[0].turn;
	merit->jobs = tasks[0].count;
	return true;
}

static bool judge(const struct import *im, const struct part_thread *t, const struct part_cut *cut,
	struct merit *merit, struct error *err)
{
	struct import scratch = {.capture = im->capture};
	bool ok = judge_in(&scratch, t, cut, merit, err);
	arena_finish(&scratch.arena);
	return ok;
}

bool part_find_cut(
	struct import *im, const struct part_thread *thread, struct part_cut *cut, struct error *err)
{
	struct candidates c = {0};
	if (!collect(im, thread, &c, err))
		return false;
	struct merit *merits = arena_new(&im->arena, struct merit, c.count), *best = NULL;
	uint64_t most = 0;
	if (!merits)
		return error_memory(err, what);
	for (uint32_t i = 0; i < c.count; i++) {
		/* Ranges are the user's own words: what they say goes before what kernels suggest. */
		if (c.cuts[i].cut == IMPORT_KERNEL && i > 0 && c.cuts[i - 1].cut == IMPORT_RANGE &&
			most * 2 >= thread->count)
			break;
		if (c.times[i] >= 2 && !judge(im, thread, &c.cuts[i], &merits[i], err))
			return false;
		most = merits[i].covered > most ? merits[i].covered : most;
	}
	*cut = (struct part_cut){.cut = IMPORT_WHOLE};
	for (uint32_t i = 0; i < c.count && most * 2 >= thread->count; i++) {
		if (merits[i].covered * 4 < most * 3 || (best && !better(&merits[i], best)))
			continue;
		best = &merits[i];
		*cut = c.cuts[i];
	}
	return true;
}
