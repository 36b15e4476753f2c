/* tests/conformance/seen.c - runs a case, keeps its trace, and assigns the records to the segment instances
 * they belong to; see tests/conformance/seen.h. */
#include "tests/conformance/seen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/power.h"
#include "policies/policies.h"

void *seen_alloc(struct seen *s, size_t count, size_t size)
{
	void *memory = arena_alloc(&s->arena, count, size);
	if (!memory) {
		fputs("conformance: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	return memory;
}

/* ---- the run ---- */

static void *grown(void *array, size_t needed, size_t *capacity, size_t size)
{
	if (needed <= *capacity)
		return array;
	*capacity = 2 * needed;
	array = realloc(array, *capacity * size);
	if (!array) {
		fputs("conformance: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	return array;
}

static bool keep(void *self, const struct trace_record *records, size_t count)
{
	struct seen *s = self;
	s->records = grown(s->records, s->count + count + 1, &s->capacity, sizeof(*records));
	if (count)
		memcpy(s->records + s->count, records, count * sizeof(*records));
	s->count += count;
	return true;
}

static bool run_it(struct seen *s, struct power *power, char *text, size_t size)
{
	trace_observe(simulation_trace(s->simulation), UINT32_MAX, keep, s);
	trace_observe(simulation_trace(s->simulation), POWER_WANTS, power_observe, power);
	enum simulation_state state = SIMULATION_RUNNING;
	/* Far more events than any case of the generator has: a run that never ends is a finding. */
	for (int i = 0; state == SIMULATION_RUNNING && i < 10000; i++)
		state = simulation_step(s->simulation, 100);
	if (state != SIMULATION_ENDED) {
		const struct error *fault = simulation_error(s->simulation);
		snprintf(text, size, "%s", fault ? fault->text : "the run does not end");
		return false;
	}
	s->outcome = simulation_outcome(s->simulation);
	return power_end(power, s->outcome.energy_end_ns);
}

bool seen_run(struct seen *s, const struct subject *subject, const struct platform *platform,
	const struct taskset *set, const struct run_setup *setup, char *text, size_t size)
{
	struct params params;
	struct error err;
	struct power power;
	struct arena arena = {0};
	*s = (struct seen){.subject = subject, .platform = platform, .set = set, .setup = setup};
	s->stop_at = setup->stop == STOP_HORIZON ? setup->horizon_ns : setup->limit_ns;
	if (!subjects_params(subject, platform, set, &params, &err) ||
		!simulation_create(platform, set, setup, subject->policy, &params, &s->simulation, &err)) {
		snprintf(text, size, "%s", err.text);
		return false;
	}
	s->plan = simulation_plan(s->simulation);
	bool done = power_init(&power, &arena, platform, set, NULL, NULL) && run_it(s, &power, text, size);
	s->energy = power.energy_uwns;
	arena_finish(&arena);
	if (done && !s->plan->refused)
		seen_arrange(s);
	return done;
}

void seen_finish(struct seen *s)
{
	simulation_destroy(s->simulation);
	arena_finish(&s->arena);
	free(s->records);
	*s = (struct seen){0};
}

/* ---- jobs and their segments ---- */

struct op_seen *seen_op(const struct seen *s, uint32_t task, uint32_t job, uint32_t segment)
{
	if (task >= s->set->task_count || job >= s->job_count[task] ||
		segment >= s->set->tasks[task].segment_count)
		return NULL;
	return &s->ops[s->op_base[task] + job * s->set->tasks[task].segment_count + segment];
}

static void count_jobs(struct seen *s)
{
	uint32_t n = s->set->task_count;
	s->job_base = seen_alloc(s, n, sizeof(*s->job_base));
	s->job_count = seen_alloc(s, n, sizeof(*s->job_count));
	s->op_base = seen_alloc(s, n, sizeof(*s->op_base));
	for (size_t i = 0; i < s->count; i++)
		if (s->records[i].kind == TRACE_JOB_RELEASE)
			s->job_count[s->records[i].task]++;
	for (uint32_t i = 0; i < n; i++) {
		s->job_base[i] = s->jobs_total;
		s->op_base[i] = s->ops_total;
		s->jobs_total += s->job_count[i];
		s->ops_total += s->job_count[i] * s->set->tasks[i].segment_count;
	}
	s->jobs = seen_alloc(s, s->jobs_total, sizeof(*s->jobs));
	s->ops = seen_alloc(s, s->ops_total, sizeof(*s->ops));
}

static void empty_ops(struct seen *s)
{
	for (uint32_t i = 0; i < s->set->task_count; i++) {
		for (uint32_t j = 0; j < s->job_count[i]; j++) {
			struct job_seen *job = &s->jobs[s->job_base[i] + j];
			*job = (struct job_seen){
				.task = i,
				.number = j,
				.release = NEVER,
				.begin = NEVER,
				.end = NEVER,
				.first_start = -1,
				.how = JOB_UNFINISHED,
			};
			for (uint32_t g = 0; g < s->set->tasks[i].segment_count; g++)
				*seen_op(s, i, j, g) = (struct op_seen){
					.fact = &s->facts[i][g],
					.job = job,
					.task = i,
					.segment = g,
					.ready = NEVER,
					.launched = NEVER,
					.cut = NEVER,
					.leave = NEVER,
					.first_start = NEVER,
					.end = -1,
					.last_block_end = -1,
				};
		}
	}
}

static void note_span(struct op_seen *op, const struct trace_record *r)
{
	if (r->span == SPAN_LAUNCH && r->how == SPAN_DONE)
		op->launched = r->time;
	if (r->span != SPAN_RUN)
		return;
	op->done += r->how == SPAN_DONE;
	op->end = r->time;
	op->granted = r->m;
	if (r->start < op->first_start)
		op->first_start = r->start;
}

static void note_blocks(struct op_seen *op, const struct trace_record *r)
{
	if (r->kind == TRACE_BLOCKS_START) {
		op->placed += r->count;
		op->m = r->m;
		if (r->time < op->first_start)
			op->first_start = r->time;
	} else {
		op->last_block_end = r->time;
	}
}

static void note(struct seen *s, const struct trace_record *r)
{
	bool of_job = r->kind == TRACE_JOB_RELEASE || r->kind == TRACE_JOB_END;
	struct op_seen *op = seen_op(s, r->task, r->job, of_job ? 0 : r->segment);
	if (!op)
		return;
	if (r->kind == TRACE_JOB_RELEASE) {
		op->job->release = r->time;
		op->job->deadline = r->start;
	} else if (r->kind == TRACE_JOB_END) {
		op->job->end = r->how == JOB_UNFINISHED ? NEVER : r->time;
		op->job->how = (enum job_end)r->how;
		op->job->first_start = r->ready;
	} else if (r->kind == TRACE_SPAN) {
		note_span(op, r);
	} else if (r->kind == TRACE_BLOCKS_START || r->kind == TRACE_BLOCKS_END) {
		note_blocks(op, r);
	}
}

/* ---- jobs, segment by segment ---- */

/* Goes through the segments of a job that has begun: notes which became ready, and when. */
static void follow_job(struct seen *s, struct job_seen *job)
{
	int64_t now = job->begin;
	bool behind = false; /* an operation, which `sync` follows */
	/* A job that was aborted may still have a copy or blocks running when the run ends. */
	bool cut_off =
		job->how == JOB_DROPPED || (s->setup->on_miss == MISS_ABORT && job->how != JOB_FINISHED);
	for (uint32_t g = 0; g < s->set->tasks[job->task].segment_count; g++) {
		struct op_seen *op = seen_op(s, job->task, job->number, g);
		bool operation = op->fact->kind != SEGMENT_CPU;
		now += operation || !behind ? 0 : s->platform->overheads.sync_ns;
		behind = behind && operation;
		if (facts_length(s, op) == 0)
			continue;
		op->present = true;
		op->ready = operation && s->platform->overheads.launch_ns > 0 ? op->launched : now;
		op->cut = cut_off ? job->deadline : NEVER;
		bool over = op->done == 1 && op->end < NEVER;
		if (over)
			op->leave = op->end;
		else if (op->cut < NEVER && (op->fact->kind != SEGMENT_COPY || op->first_start == NEVER))
			op->leave = op->last_block_end > op->cut ? op->last_block_end : op->cut;
		if (!over || (cut_off && op->end >= job->end))
			return;
		now = op->end;
		behind = operation;
	}
}

/* A job begins when it has been released and all earlier jobs of its task are over. */
static void follow_jobs(struct seen *s)
{
	for (uint32_t i = 0; i < s->set->task_count; i++) {
		int64_t free_from = 0;
		for (uint32_t j = 0; j < s->job_count[i]; j++) {
			struct job_seen *job = &s->jobs[s->job_base[i] + j];
			int64_t begin = job->release > free_from ? job->release : free_from;
			/* A job that goes at its deadline may go in the instant in which it would begin, or
			 * just after it. */
			bool at_once = job->end == begin && job->how != JOB_FINISHED;
			bool never = job->end < begin || (at_once && job->first_start < 0);
			if (begin < NEVER && !never) {
				job->begin = begin;
				follow_job(s, job);
			}
			free_from = job->end > free_from ? job->end : free_from;
		}
	}
}

void seen_arrange(struct seen *s)
{
	arena_finish(&s->arena);
	s->jobs_total = s->ops_total = 0;
	facts_make(s);
	count_jobs(s);
	empty_ops(s);
	for (size_t i = 0; i < s->count; i++)
		note(s, &s->records[i]);
	if (!laws_are_for(s->subject))
		return;
	follow_jobs(s);
	units_make(s);
}
