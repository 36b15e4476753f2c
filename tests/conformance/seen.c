/* tests/conformance/seen.c - runs a case, keeps its trace, and puts the records to the segment instances
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

static bool keep_power(void *self, int64_t start, int64_t end, int64_t uw, uint32_t active, uint32_t idle)
{
	struct seen *s = self;
	s->powers = grown(s->powers, s->power_count + 1, &s->power_capacity, sizeof(*s->powers));
	s->powers[s->power_count++] =
		(struct power_seen){.start = start, .end = end, .uw = uw, .active = active, .idle = idle};
	return true;
}

static bool run_it(struct seen *s, struct power *power, char *text, size_t size)
{
	trace_observe(simulation_trace(s->simulation), UINT32_MAX, keep, s);
	trace_observe(simulation_trace(s->simulation), POWER_WANTS, power_observe, power);
	enum simulation_state state = SIMULATION_RUNNING;
	/* Far more events than a case of the generator has: a run that never ends is a finding. */
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

static void keep_energies(struct seen *s, const struct power *power)
{
	size_t capacity = 0;
	if (!power)
		return;
	s->energy = power->energy_uwns;
	s->active_ns = power->active_ns;
	s->sm_active_ns = power->sm_active_ns;
	s->task_energies = grown(NULL, s->set->task_count + 1, &capacity, sizeof(*s->task_energies));
	for (uint32_t i = 0; i < s->set->task_count; i++)
		s->task_energies[i] = power_task_energy(power, i);
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
	bool shared = s->plan->unit != GATE_OPEN && s->plan->decide == decide_one_at_a_time;
	s->gate = shared ? GATE_SERIAL : subject->gate;
	bool done = power_init(&power, &arena, platform, set, keep_power, s) && run_it(s, &power, text, size);
	keep_energies(s, done ? &power : NULL);
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
	free(s->powers);
	free(s->task_energies);
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
		const struct grant *fixed =
			s->plan->grants && s->plan->grants[i].count ? &s->plan->grants[i] : NULL;
		for (uint32_t j = 0; j < s->job_count[i]; j++) {
			struct job_seen *job = &s->jobs[s->job_base[i] + j];
			*job = (struct job_seen){
				.task = i,
				.number = j,
				.release = NEVER,
				.begin = NEVER,
				.end = NEVER,
				.first_start = -1,
				.passed = NEVER,
				.how = JOB_UNFINISHED,
			};
			for (uint32_t g = 0; g < s->set->tasks[i].segment_count; g++)
				*seen_op(s, i, j, g) = (struct op_seen){
					.fact = &s->facts[i][g],
					.grant = fixed,
					.job = job,
					.task = i,
					.segment = g,
					.ready = NEVER,
					.cut = NEVER,
					.issue = NEVER,
					.enter = NEVER,
					.leave = NEVER,
					.first_start = NEVER,
					.end = -1,
					.last_placed = -1,
					.last_block_end = -1,
				};
		}
	}
}

static void stray(struct seen *s, const struct trace_record *r)
{
	if (s->strays++ == 0)
		s->stray = r;
}

static void note_span(struct op_seen *op, const struct trace_record *r)
{
	if (r->span != SPAN_RUN)
		return;
	op->spans++;
	op->done += r->how == SPAN_DONE;
	op->run += r->time - r->start;
	op->end = r->time;
	op->granted = r->m;
	if (r->start < op->first_start)
		op->first_start = r->start;
}

static void note_blocks(struct op_seen *op, const struct trace_record *r)
{
	if (r->kind == TRACE_BLOCKS_START) {
		op->placed += r->count;
		op->last_placed = r->time;
		op->m = r->m;
		if (r->time < op->first_start)
			op->first_start = r->time;
	} else {
		op->ended += r->count;
		op->last_block_end = r->time;
	}
}

static void note(struct seen *s, const struct trace_record *r)
{
	bool of_job = r->kind == TRACE_JOB_RELEASE || r->kind == TRACE_JOB_END;
	struct op_seen *op = seen_op(s, r->task, r->job, of_job ? 0 : r->segment);
	if (!op) {
		stray(s, r);
	} else if (r->kind == TRACE_JOB_RELEASE) {
		op->job->release = r->time;
		op->job->deadline = r->start;
	} else if (r->kind == TRACE_JOB_END) {
		op->job->ends++;
		op->job->end = r->how == JOB_UNFINISHED ? NEVER : r->time;
		op->job->how = (enum job_end)r->how;
		op->job->first_start = r->ready;
	} else if (r->kind == TRACE_SPAN) {
		note_span(op, r);
	} else if (r->kind == TRACE_BLOCKS_START || r->kind == TRACE_BLOCKS_END) {
		note_blocks(op, r);
	}
}

/* ---- SMs given at run time ---- */

/* Blocks say on which SMs a kernel ran, and its interval whether they were its own. Where it was given SMs
 * that it had no block for, what is known is less than what it had. */
static void note_grant(struct seen *s, struct op_seen *op)
{
	uint32_t slots = s->subject->slots ? (s->plan->virtual_sms + 1) / 2 : 0, n = 0;
	if (op->granted == 0 || op->m == 0 || op->fact->kind != SEGMENT_KERNEL)
		return;
	struct grant *grant = seen_alloc(s, 1, sizeof(*grant));
	struct fact *fact = seen_alloc(s, 1, sizeof(*fact));
	bool *on = seen_alloc(s, UINT16_MAX + 1, sizeof(*on));
	grant->sm = seen_alloc(s, s->platform->sms, sizeof(*grant->sm));
	for (size_t i = 0; i < s->count; i++)
		if (s->records[i].kind == TRACE_BLOCKS_START && s->records[i].segment == op->segment &&
			seen_op(s, s->records[i].task, s->records[i].job, s->records[i].segment) == op)
			on[s->records[i].index] = true;
	for (uint32_t sm = 0; sm < s->platform->sms; sm++)
		if (on[sm])
			grant->sm[grant->count++] = sm;
	if (slots) {
		grant->slots = seen_alloc(s, s->platform->sms, sizeof(*grant->slots));
		for (; n < s->platform->sms; n++)
			grant->slots[n] = slots;
		grant->virtual_sms = slots * op->m;
	}
	facts_on(s, op, op->m, slots * op->m, fact);
	op->grant = op->used = grant;
	op->fact = fact;
}

static void note_grants(struct seen *s)
{
	for (uint32_t i = 0; s->plan->grants_at_run_time && i < s->ops_total; i++)
		note_grant(s, &s->ops[i]);
}

/* ---- jobs, segment by segment ---- */

/* On SMs given at run time a kernel that is of length zero only there takes 1 ns. */
static int64_t length_of(const struct seen *s, const struct op_seen *op)
{
	int64_t length = facts_length(s, op, &s->facts[op->task][op->segment]);
	if (length == 0 || op->fact == &s->facts[op->task][op->segment])
		return length;
	int64_t there = facts_length(s, op, op->fact);
	return there > 0 ? there : 1;
}

/* Goes through the segments of a job that has begun: which became ready, and when. */
static void follow_job(struct seen *s, struct job_seen *job)
{
	int64_t now = job->begin;
	/* A job that was aborted may still have a copy or blocks running when the run ends. */
	bool cut_off =
		job->how == JOB_DROPPED || (s->setup->on_miss == MISS_ABORT && job->how != JOB_FINISHED);
	for (uint32_t g = 0; g < s->set->tasks[job->task].segment_count; g++) {
		struct op_seen *op = seen_op(s, job->task, job->number, g);
		op->length = length_of(s, op);
		if (op->length == 0) {
			if (job->passed == NEVER)
				job->passed = now;
			continue;
		}
		op->present = true;
		op->ready = now;
		op->cut = cut_off ? job->deadline : NEVER;
		bool over = op->done == 1 && op->end < NEVER;
		if (over)
			op->leave = op->end;
		else if (op->cut < NEVER && (op->fact->kind != SEGMENT_COPY || op->first_start == NEVER))
			op->leave = op->last_block_end > op->cut ? op->last_block_end : op->cut;
		if (!over || (cut_off && op->end >= job->end))
			return;
		now = op->end;
	}
}

/* A job begins when it has been released and all before it are over. */
static void follow_jobs(struct seen *s)
{
	for (uint32_t i = 0; i < s->set->task_count; i++) {
		int64_t free_from = 0;
		for (uint32_t j = 0; j < s->job_count[i]; j++) {
			struct job_seen *job = &s->jobs[s->job_base[i] + j];
			int64_t begin = job->release > free_from ? job->release : free_from;
			/* At its deadline a job may go in the instant in which it would begin,
			 * or just after. */
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
	s->strays = 0;
	s->stray = NULL;
	facts_make(s);
	count_jobs(s);
	empty_ops(s);
	for (size_t i = 0; i < s->count; i++)
		note(s, &s->records[i]);
	note_grants(s);
	follow_jobs(s);
	units_make(s);
	queues_derive(s);
}
