/* scenarios/import/import.c - from a capture to tasks, step by step; and what is said about it. */
#include "scenarios/import/import.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/text.h"
#include "scenarios/import/flights.h"

static const char what[] = "importing a capture";

/* ---- Names ---- */

static const char *base_name(const char *path)
{
	const char *end = strpbrk(path, " \t"), *start = path;
	for (const char *p = path; *p && p != end; p++)
		if (*p == '/' || *p == '\\')
			start = p + 1;
	return start;
}

static bool taken(const struct import *im, const char *name)
{
	for (uint32_t i = 0; i < im->task_count; i++)
		if (strcmp(im->tasks[i].name, name) == 0)
			return true;
	return false;
}

/* The thread's name, or its process', with letters that need no quotes anywhere; another one for each task.
 */
static const char *task_name(struct import *im, uint32_t thread, struct error *err)
{
	const struct capture_thread *t = &im->capture->threads[thread];
	const char *from = *t->name ? t->name : base_name(im->capture->processes[t->process].name);
	char name[32], numbered[48];
	size_t n = 0;
	for (; *from && *from != ' ' && n < sizeof(name) - 1; from++) {
		bool plain = (*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z') ||
			     (*from >= '0' && *from <= '9') || *from == '_' || *from == '.';
		name[n++] = plain ? *from : '-';
	}
	name[n] = '\0';
	snprintf(numbered, sizeof(numbered), "%s", n ? name : "task");
	for (uint32_t i = 2; taken(im, numbered); i++)
		snprintf(numbered, sizeof(numbered), "%s-%" PRIu32, n ? name : "task", i);
	return part_text(im, err, "%s", numbered);
}

/* ---- Threads ---- */

static const char *cut_text(struct import *im, const struct part_cut *cut, struct error *err)
{
	switch (cut->cut) {
	case IMPORT_RANGE:
		return part_text(im, err, "nvtx:%s", cut->name);
	case IMPORT_KERNEL:
		return cut->registers == IMPORT_ANY
			       ? part_text(im, err, "kernel:%s", cut->name)
			       : part_text(im, err, "kernel:%s/%" PRId64, cut->name, cut->registers);
	case IMPORT_EVERY:
		return part_text(im, err, "every:%" PRIu32, cut->every);
	case IMPORT_FIND:
	case IMPORT_WHOLE:
		break;
	}
	return part_text(im, err, "whole");
}

static bool note_chain(struct import *im, const struct import_task *t, struct error *err)
{
	if (t->ahead > 0 && !part_note(im, err, IMPORT_ASSUMED, t->name, t->ahead,
				    "a job is a chain: of its %" PRIu64
				    " operations these were issued before the one in front "
				    "had ended; here each is waited for",
				    t->operations))
		return false;
	return t->overlap_ns == 0 ||
	       part_note(im, err, IMPORT_ASSUMED, t->name, (uint64_t)t->job_count,
		       "%.3g %% of the time of its operations was spent beside others of the same job, and "
		       "is spent after them here",
		       100.0 * (double)t->overlap_ns / (double)t->gpu_ns);
}

static bool note_flights(struct import *im, const struct import_task *t, struct error *err)
{
	if (!part_note(im, err, IMPORT_FOUND, t->name, t->asynchronous,
		    "operations of a job are in flight: issued, and not waited for at once; the job "
		    "has %" PRIu32 " wait%s, and %" PRIu32
		    " time%s an operation comes after one of another stream",
		    t->waits, plural(t->waits), t->afters, plural(t->afters)))
		return false;
	if (t->nodes > 0 &&
		!part_note(im, err, IMPORT_ASSUMED, t->name, t->nodes,
			"nodes of CUDA graphs are issued at once; what comes after what in a graph is not in "
			"the file, but for the order of streams"))
		return false;
	if (t->queued > 0 &&
		!part_note(im, err, IMPORT_ASSUMED, t->name, t->queued,
			"jobs were issued before the last one had ended; here jobs of a task come "
			"one after the other"))
		return false;
	return t->early == 0 ||
	       part_note(im, err, IMPORT_ASSUMED, t->name, t->early,
		       "operations began later than their calls, streams and events say, up to %.6g ms; here "
		       "they begin as these say",
		       (double)t->early_ns / 1e6);
}

static bool note_task(struct import *im, const struct import_task *t, struct error *err)
{
	uint32_t borrowed = 0;
	for (uint32_t i = 0; i < t->segment_count; i++)
		borrowed += t->segments[i].operation != IMPORT_NO_OPERATION && t->segments[i].alone == 0;
	if (t->saturated &&
		!part_note(im, err, IMPORT_ASSUMED, t->name, t->job_count,
			"the loop is saturated: each job begins when the last one has ended, no period is "
			"waited for; the period is that of the longest job, the least gap was %.6g ms",
			(double)t->least_gap_ns / 1e6))
		return false;
	if (t->job_count == 1 && !part_note(im, err, IMPORT_ASSUMED, t->name, 1,
					 "with one job there is no period; it is the job's length"))
		return false;
	if (t->flies ? !note_flights(im, t, err) : !note_chain(im, t, err))
		return false;
	return borrowed == 0 ||
	       part_note(im, err, IMPORT_ASSUMED, t->name, borrowed,
		       "segments that never ran alone have times that are not their own: what ran beside "
		       "them is in these; do not take them for worst cases");
}

static bool add_task(struct import *im, const struct import_request *request,
	const struct part_thread *thread, const struct part_links *links, const struct part_task *from,
	const char *cut, struct error *err)
{
	const char *name = task_name(im, thread->thread, err);
	struct import_task *tasks =
		name ? list_room(im->tasks, im->task_count, sizeof(*tasks), what, err) : NULL;
	if (!tasks)
		return false;
	im->tasks = tasks;
	struct import_task *t = &tasks[im->task_count];
	*t = (struct import_task){.name = name, .cut = cut, .thread = thread->thread, .steps = from->steps};
	if (!part_segments(im, request, thread, links, from, t, err))
		return false;
	im->task_count++;
	return part_note(im, err, IMPORT_FOUND, t->name, t->job_count,
		       "jobs of thread %" PRId64 ", cut at %s%s%s; %" PRIu32
		       " segments, period %.6g ms, longest job %.6g ms",
		       im->capture->threads[thread->thread].tid, cut, t->steps > 1 ? ", in turns of " : "",
		       t->steps > 1 ? part_text(im, err, "%" PRIu32, t->steps) : "", t->segment_count,
		       (double)t->period_ns / 1e6, (double)t->longest_ns / 1e6) &&
	       note_task(im, t, err);
}

static bool add_tasks(struct import *im, const struct import_request *request,
	const struct part_thread *thread, const struct part_links *links, struct part_task *tasks,
	uint32_t count, const char *cut, struct error *err)
{
	uint64_t used = 0;
	if (im->task_count + count > IMPORT_TASKS_MAX)
		return error_set(err, STATUS_INPUT,
			"jobs cut at %s have %" PRIu32 " different shapes: too many for a task each (at most "
			"%u in all); cut at another place with --job, or choose a part with --from and --to",
			cut, count, IMPORT_TASKS_MAX);
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t k = 0; k < tasks[i].count; k++)
			used += tasks[i].jobs[k].count;
		if (!add_task(im, request, thread, links, &tasks[i], cut, err))
			return false;
	}
	if (count > 1 && tasks[0].turn > 0 &&
		!part_note(im, err, IMPORT_ASSUMED, "tasks", count,
			"jobs of thread %" PRId64 " come in turns of %" PRIu32
			", with time between them: each place in the turn is a task",
			im->capture->threads[thread->thread].tid, tasks[0].turn))
		return false;
	if (count > 1 && tasks[0].turn == 0 &&
		!part_note(im, err, IMPORT_ASSUMED, "tasks", count,
			"jobs of thread %" PRId64
			" differ in no regular turn: each shape is a task of its own",
			im->capture->threads[thread->thread].tid))
		return false;
	return used == thread->count ||
	       part_note(im, err, IMPORT_LEFT_OUT, "operations", thread->count - used,
		       "of thread %" PRId64 ", outside of its jobs",
		       im->capture->threads[thread->thread].tid);
}

/* What of the thread's waits and events is not in its tasks. */
static bool note_links(
	struct import *im, const struct part_thread *thread, const struct part_links *l, struct error *err)
{
	im->gaps += l->gaps;
	im->gaps_ns += l->gaps_ns;
	if (l->lost > 0 && !part_note(im, err, IMPORT_LEFT_OUT, "events", l->lost,
				   "that streams of thread %" PRId64
				   " waited for: the file does not say where they were "
				   "recorded, or it was by another thread",
				   im->capture->threads[thread->thread].tid))
		return false;
	if (l->guessed > 0 && !part_note(im, err, IMPORT_ASSUMED, "events", l->guessed,
				      "are guessed: what thread %" PRId64
				      " issued began within %.6g us of the end of another "
				      "stream's operation",
				      im->capture->threads[thread->thread].tid, IMPORT_GUESS_NS / 1e3))
		return false;
	return l->unclear == 0 ||
	       part_note(im, err, IMPORT_ASSUMED, "waits", l->unclear,
		       "of thread %" PRId64 " do not say for what; taken to be for what had "
		       "ended when they returned",
		       im->capture->threads[thread->thread].tid);
}

static bool make_thread(struct import *im, const struct import_request *request,
	const struct part_thread *thread, struct error *err)
{
	struct part_cut cut = {request->cut, request->name, request->registers, request->every, true};
	struct part_job *jobs;
	struct part_task *tasks;
	uint32_t count, task_count;
	uint64_t covered;
	if (cut.cut == IMPORT_FIND && !part_find_cut(im, thread, &cut, err))
		return false;
	if (!part_jobs(im, thread, &cut, &jobs, &count, err))
		return false;
	const char *text = cut_text(im, &cut, err);
	if (!text)
		return false;
	if (count == 0)
		return part_note(im, err, IMPORT_LEFT_OUT, "operations", thread->count,
			"of thread %" PRId64 ", which has no job by %s",
			im->capture->threads[thread->thread].tid, text);
	struct part_links links;
	uint32_t first = im->task_count;
	bool ok = part_tasks(im, thread, jobs, count, &tasks, &task_count, &covered, err);
	if (!ok)
		return false;
	ok = part_links_of(im, request, thread, &links, err) &&
	     add_tasks(im, request, thread, &links, tasks, task_count, text, err) &&
	     (!part_any_flies(im, first) || note_links(im, thread, &links, err));
	part_links_finish(&links);
	return ok;
}

static bool note_capture(struct import *im, struct error *err)
{
	const struct capture *c = im->capture;
	if (!part_note(im, err, IMPORT_FOUND, "capture", c->operation_count, "operations in %s, of %s",
		    c->file, *c->made_by ? c->made_by : "an unnamed profiler"))
		return false;
	for (uint32_t i = 0; i < c->note_count; i++)
		if (!part_note(im, err, IMPORT_FOUND, "capture", 1, "%s", c->notes[i]))
			return false;
	return true;
}

/* Most of what the task did was queued in a stream before it could begin. */
static bool runs_ahead(const struct import_task *t)
{
	return t->ahead * 2 > t->operations;
}

static bool uses_stream(const struct import_task *t, int32_t stream)
{
	for (uint32_t k = 0; k < t->segment_count; k++)
		if (t->segments[k].operation != IMPORT_NO_OPERATION &&
			t->segments[k].segment.stream == stream)
			return true;
	return false;
}

static bool share_a_stream(const struct import_task *a, const struct import_task *b)
{
	for (uint32_t k = 0; k < a->segment_count; k++)
		if (a->segments[k].operation != IMPORT_NO_OPERATION &&
			uses_stream(b, a->segments[k].segment.stream))
			return true;
	return false;
}

/* Threads that queue many operations in one stream, such as the forward and the backward pass of a network.
 */
static bool note_queues(struct import *im, struct error *err)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < im->task_count; i++) {
		bool mixed = false;
		for (uint32_t k = 0; k < im->task_count && !mixed && runs_ahead(&im->tasks[i]); k++)
			mixed = !im->tasks[i].flies && im->tasks[k].thread != im->tasks[i].thread &&
				runs_ahead(&im->tasks[k]) && share_a_stream(&im->tasks[i], &im->tasks[k]);
		count += mixed;
	}
	return count == 0 ||
	       part_note(im, err, IMPORT_ASSUMED, "streams", count,
		       "tasks of different threads queue their work ahead in one stream; here their "
		       "operations take turns there, so do not expect the application's responses");
}

static bool note_assumptions(struct import *im, struct error *err)
{
	const char *preempted =
		im->capture->running_count ? "; times in which another thread had taken the CPU are not" : "";
	uint32_t flying = 0;
	for (uint32_t i = 0; i < im->task_count; i++)
		flying += im->tasks[i].flies;
	if (!note_queues(im, err))
		return false;
	if (flying < im->task_count &&
		!part_note(im, err, IMPORT_ASSUMED, "CPU", im->task_count - flying,
			"what the GPU did not do between two operations of a job is time of the CPU: "
			"launches, latencies and waking up are in it%s",
			preempted))
		return false;
	if (flying > 0 &&
		!part_note(im, err, IMPORT_ASSUMED, "CPU", flying,
			"with operations in flight the time of the CPU is that of the thread, but for its "
			"waits: what launching took is in it%s",
			preempted))
		return false;
	if (im->task_count > 1 && im->platform.cores == 1)
		return part_note(im, err, IMPORT_ASSUMED, "CPU", im->platform.cores,
			"all tasks share one core; priorities follow the periods");
	return im->platform.cores == 1 ||
	       part_note(im, err, IMPORT_ASSUMED, "CPU", im->platform.cores,
		       "cores: one for each thread%s; priorities follow the periods",
		       im->capture->running_count ? " that has a CPU of its own" : "");
}

static void set_start(struct import *im)
{
	im->start_ns = INT64_MAX;
	for (uint32_t i = 0; i < im->task_count; i++) {
		const struct import_task *t = &im->tasks[i];
		int64_t first = t->jobs[t->replayed].release_ns;
		im->start_ns = first < im->start_ns ? first : im->start_ns;
	}
}

bool import_make(struct import *im, const struct capture *capture, const struct import_request *request,
	struct error *err)
{
	struct part_thread *threads;
	uint32_t gpu, count;
	*im = (struct import){.capture = capture};
	if (!note_capture(im, err) || !part_select(im, request, &gpu, &threads, &count, err) ||
		!part_platform(im, request, gpu, err) || !part_kernels(im, threads, count, err))
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!make_thread(im, request, &threads[i], err))
			return false;
	if (im->task_count == 0)
		return error_set(err, STATUS_INPUT,
			"%s has no job by --job: no range or kernel of that name was found", capture->file);
	set_start(im);
	return part_in_parallel(im, err) && note_assumptions(im, err);
}

void import_finish(struct import *im)
{
	arena_finish(&im->arena);
	free(im->tasks);
	free(im->kernels);
	free(im->notes);
	*im = (struct import){0};
}
