/* db/audit/sweep.c - the clock of the audit: rows are read in the order of time, future events wait in a
 * heap, and every instant goes through the phases of docs/model.md. */
#include "db/audit/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/list.h"
#include "db/audit/law.h"

void sweep_fail_memory(struct sweep *s)
{
	if (!s->failed)
		(void)error_memory(s->err, "auditing a run");
	s->failed = true;
}

bool sweep_grow(struct sweep *s, void **array, size_t *capacity, size_t needed, size_t size)
{
	if (list_reserve(array, capacity, needed, size))
		return true;
	sweep_fail_memory(s);
	return false;
}

/* ---- The heap ---- */

static bool sooner(const struct event *a, const struct event *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	if (a->kind != b->kind)
		return a->kind < b->kind;
	return a->subject < b->subject;
}

HEAP_OF(events, struct event, sooner);

void sweep_push(struct sweep *s, int64_t time, enum event_kind kind, uint32_t subject, int64_t tag)
{
	if (!sweep_grow(s, (void **)&s->heap, &s->event_capacity, s->events + 1, sizeof(*s->heap)))
		return;
	/* A damaged recording may contain an event in the past: the clock never goes back. */
	struct event e = {time < s->now ? s->now : time, kind, subject, tag};
	events_rise(s->heap, s->events++, e);
}

static struct event pop_event(struct sweep *s)
{
	struct event first = s->heap[0];
	s->events--;
	events_sink(s->heap, s->events, s->heap[s->events]);
	return first;
}

uint32_t sweep_show(struct sweep *s, uint32_t gpu)
{
	uint32_t was = s->shown;
	if (gpu == was || gpu >= s->r->gpus)
		return was;
	s->saved[was] = s->of_shown;
	s->of_shown = s->saved[gpu];
	s->shown = gpu;
	recording_show(s->mine, gpu);
	return was;
}

/* ---- An instant ---- */

static void tell(struct sweep *s, enum station at, const struct track *t, const struct interval *row)
{
	if (audit_hears(s->audit, at))
		audit_tell(s->audit,
			&(struct moment){.at = at, .time = s->now, .sweep = s, .track = t, .interval = row});
}

/* Takes in the jobs released and the intervals ready by now. What follows from them is handled later. */
static void read_ahead(struct sweep *s)
{
	while (s->more_intervals && s->next_interval.ready <= s->now && !s->failed) {
		if (s->next_interval_task == UINT32_MAX)
			tell(s, AT_STRAY, NULL, &s->next_interval);
		else
			sweep_job_add_interval(s, &s->track[s->next_interval_task], &s->next_interval);
		sweep_next_interval(s);
	}
}

static void release_jobs(struct sweep *s)
{
	while (s->more_jobs && s->next_job.release <= s->now && !s->failed) {
		if (s->next_job_task != UINT32_MAX)
			sweep_job_release(s, &s->track[s->next_job_task], &s->next_job);
		sweep_next_job(s);
	}
}

/* The earliest spinning of the task, or switch to its job, begins or ends now. */
static void spin(struct sweep *s, struct track *t, bool begins)
{
	t->switching = begins && t->spins && t->spin[0].occupancy == OCCUPY_SWITCH;
	if (begins && t->spins)
		sweep_take_core(s, t, t->spin[0].unit);
	if (!begins && t->spins &&
		(t->spin[0].occupancy == OCCUPY_SWITCH || t->spin[0].ended == ENDED_PREEMPTED))
		sweep_cut(s, t);
	if (t->switching && t->op.active && computes(&t->op) && t->first_start == NOT_GIVEN)
		t->first_start = s->now;
	if (begins && t->spins)
		tell(s, AT_SPIN, t, &t->spin[0]);
	else if (t->spins && --t->spins)
		memmove(t->spin, t->spin + 1, t->spins * sizeof(*t->spin));
	if (t->on_core == begins)
		return;
	t->on_core = begins;
	s->on_core += begins ? 1 : UINT32_MAX;
}

static void handle(struct sweep *s, const struct event *e)
{
	switch (e->kind) {
	case EVENT_BLOCK_ENDS:
		sweep_gpu_block_ends(s, e->subject);
		return;
	case EVENT_PART_ENDS:
		sweep_job_part_ends(s, &s->track[e->subject], e->tag);
		return;
	case EVENT_SYNC_ENDS:
		sweep_job_synced(s, &s->track[e->subject], e->tag);
		return;
	case EVENT_STREAM_STIRS:
		if (s->track[e->subject].op.info)
			(void)sweep_show(s, s->track[e->subject].op.info->gpu);
		s->streams_changed = true;
		return;
	case EVENT_INTERRUPT_ENDS:
		sweep_interrupt(s, e->subject, false);
		return;
	case EVENT_CONTEXT_ENDS:
	case EVENT_DECIDED:
		return;
	case EVENT_SPIN_ENDS:
		spin(s, &s->track[e->subject], false);
		return;
	case EVENT_JOB_CLOSES:
		sweep_job_closes(s, &s->track[e->subject], e->tag);
		return;
	case EVENT_PART_STARTS:
		sweep_job_part_starts(s, &s->track[e->subject], e->tag);
		return;
	case EVENT_SPIN_STARTS:
		spin(s, &s->track[e->subject], true);
		return;
	case EVENT_INTERRUPT_STARTS:
		sweep_interrupt(s, e->subject, true);
		return;
	}
}

static void handle_until(struct sweep *s, enum event_kind last)
{
	while (s->events && s->heap[0].time <= s->now && s->heap[0].kind <= last && !s->failed) {
		struct event e = pop_event(s);
		handle(s, &e);
	}
}

/* Blocks placed at this instant stand in the order of the GPUs. */
static void dispatch_blocks(struct sweep *s)
{
	sweep_read_blocks(s);
	struct block *all = s->fresh;
	size_t count = s->fresh_count, from = 0;
	for (uint32_t g = 0; g < s->r->gpus; g++) {
		size_t to = from;
		while (to < count && (all[to].gpu <= (int64_t)g || g + 1 == s->r->gpus))
			to++;
		(void)sweep_show(s, g);
		s->fresh = all ? all + from : NULL;
		s->fresh_count = to - from;
		sweep_gpu_dispatch(s);
		sweep_gpu_settle_power(s, s->now, false);
		from = to;
	}
	s->fresh = all;
	s->fresh_count = count;
}

static void instant(struct sweep *s)
{
	read_ahead(s);
	handle_until(s, EVENT_DECIDED);    /* complete, succeed */
	release_jobs(s);                   /* release */
	handle_until(s, EVENT_JOB_CLOSES); /* deadlines */
	bool dispatches = s->now < s->r->stop_ns;
	sweep_read_decisions(s);
	sweep_read_contexts(s);
	if (dispatches && s->promise)
		sweep_queues_settle(s); /* decide */
	else
		for (uint32_t g = 0; s->promise && g < s->r->gpus; g++) {
			(void)sweep_show(s, g);
			sweep_gate_closed(s);
		}
	handle_until(s, EVENT_INTERRUPT_STARTS); /* dispatch */
	if (dispatches && s->r->calls && s->r->promise)
		sweep_calls_settle(s);
	sweep_switch(s);
	if (s->with_blocks)
		dispatch_blocks(s);
	(void)sweep_show(s, 0);
	if (dispatches && s->with_segments)
		tell(s, AT_INSTANT, NULL, NULL);
	for (uint32_t g = 0; dispatches && s->with_segments && g < s->r->gpus; g++) {
		(void)sweep_show(s, g);
		tell(s, AT_GPU_INSTANT, NULL, NULL);
	}
}

static bool next_instant(const struct sweep *s, int64_t *time)
{
	int64_t next = INT64_MAX;
	if (s->events && s->heap[0].time < next)
		next = s->heap[0].time;
	if (s->more_jobs && s->next_job.release < next)
		next = s->next_job.release;
	if (s->more_intervals && s->next_interval.ready < next)
		next = s->next_interval.ready;
	if (s->more_blocks && s->next_block.start < next)
		next = s->next_block.start;
	if (s->more_decisions && s->next_decision.time < next)
		next = s->next_decision.time;
	if (s->more_contexts && s->next_context.start < next)
		next = s->next_context.start;
	*time = next < s->now ? s->now : next;
	return s->more_contexts || s->events || s->more_jobs || s->more_intervals || s->more_blocks ||
	       s->more_decisions;
}

/* ---- Begin and end ---- */

/* Of the GPU that is shown. */
static bool prepare_gpu(struct sweep *s, const struct recording *r)
{
	struct audit_line *lines[] = {&s->gate, &s->null_queue};
	s->pools = r->machine.pooled ? 1 : r->machine.sms;
	s->sm = calloc(s->pools + 1, sizeof(*s->sm));
	s->queue = calloc(r->machine.work_queues, sizeof(*s->queue));
	s->queue_free = calloc(r->machine.work_queues + (size_t)1, sizeof(*s->queue_free));
	s->walk = calloc(r->tasks + (size_t)1, sizeof(*s->walk));
	s->power.uw = r->machine.static_uw;
	if (!s->sm || !s->walk || !s->queue || !s->queue_free)
		return false;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		lines[i]->task = calloc(r->tasks, sizeof(uint32_t));
		if (!lines[i]->task)
			return false;
	}
	return true;
}

static bool prepare_gpus(struct sweep *s, const struct recording *r)
{
	bool ok = true;
	s->newly.task = calloc(r->tasks, sizeof(uint32_t));
	s->admitted.task = calloc(r->tasks, sizeof(uint32_t));
	if (r->gpus > 1)
		s->saved = calloc(r->gpus, sizeof(*s->saved));
	if (!s->newly.task || !s->admitted.task || (r->gpus > 1 && !s->saved))
		return false;
	for (uint32_t g = 0; ok && g < r->gpus; g++) {
		(void)sweep_show(s, g);
		ok = prepare_gpu(s, r);
	}
	(void)sweep_show(s, 0);
	return ok;
}

static void finish_gpu(struct sweep *s)
{
	for (uint32_t i = 0; s->sm && i < s->pools; i++) {
		free(s->sm[i].share);
		free(s->sm[i].slot);
	}
	for (uint32_t i = 0; s->queue && i < s->r->machine.work_queues; i++)
		free(s->queue[i].task);
	free(s->gate.task);
	free(s->null_queue.task);
	free(s->queue);
	free(s->queue_free);
	free(s->walk);
	free(s->sm);
}

/* A job of the task begins, or ends. */
void sweep_set_active(struct sweep *s, struct track *t, bool active)
{
	uint32_t i = s->live_count;
	if (t->active == active)
		return;
	t->active = active;
	if (active) {
		for (; i > 0 && s->live[i - 1]->index > t->index; i--)
			s->live[i] = s->live[i - 1];
		s->live[i] = t;
		s->live_count++;
		return;
	}
	while (s->live[i - 1] != t)
		i--;
	memmove(&s->live[i - 1], &s->live[i], (s->live_count-- - i) * sizeof(struct track *));
}

static bool prepare(struct sweep *s, const struct recording *r)
{
	s->track = calloc(r->tasks, sizeof(*s->track));
	s->by_rank = calloc(r->tasks, sizeof(*s->by_rank));
	s->live = calloc(r->tasks, sizeof(*s->live));
	s->ranked = true;
	s->core = calloc(r->machine.cores, sizeof(*s->core));
	s->predicted = calloc(r->most_sms + (size_t)1, sizeof(*s->predicted));
	s->held = calloc(set_words(r), sizeof(*s->held));
	if (!s->track || !s->by_rank || !s->live || !s->core || !s->predicted || !s->held ||
		!prepare_gpus(s, r)) {
		sweep_fail_memory(s);
		return false;
	}
	s->free_resident = UINT32_MAX;
	for (uint32_t i = 0; i < r->machine.cores; i++)
		s->core[i].switching_since = NOT_GIVEN;
	for (uint32_t i = 0; i < r->tasks; i++) {
		struct track *t = &s->track[i];
		int64_t rank = r->task[i].figures.rank;
		t->index = i;
		t->task = &r->task[i];
		t->rank = rank >= 0 && rank < r->tasks && !s->by_rank[rank] ? (uint32_t)rank : UINT32_MAX;
		if (t->rank != UINT32_MAX)
			s->by_rank[rank] = t;
		else
			s->ranked = false;
		t->first_start = t->section_left = t->cut_at = NOT_GIVEN;
		t->record.last_release = t->record.last_end = t->record.lower_bound = NOT_GIVEN;
		t->record.bucket = calloc(BUCKETS, sizeof(*t->record.bucket));
		t->chosen = calloc(set_words(r), sizeof(*t->chosen));
		if (t->task->figures.virtual_sms > 0)
			t->most = calloc(r->most_sms + (size_t)1, sizeof(*t->most));
		if (!t->record.bucket || !t->chosen || (t->task->figures.virtual_sms > 0 && !t->most)) {
			sweep_fail_memory(s);
			return false;
		}
	}
	return true;
}

static void finish(struct sweep *s)
{
	sweep_close_rows(s);
	for (uint32_t i = 0; s->track && i < s->r->tasks; i++) {
		struct track *t = &s->track[i];
		free(t->waiting);
		free(t->pending);
		free(t->spin);
		free(t->chosen);
		free(t->op.frozen);
		free(t->most);
		free(t->op.part);
		free(t->op.seen);
		free(t->record.bucket);
	}
	for (uint32_t g = 0; g < s->r->gpus && (s->saved || s->r->gpus == 1); g++) {
		(void)sweep_show(s, g);
		finish_gpu(s);
	}
	(void)sweep_show(s, 0);
	free(s->saved);
	free(s->newly.task);
	free(s->admitted.task);
	for (uint32_t i = 0; s->core && i < s->r->machine.cores; i++)
		free(s->core[i].interrupt);
	free(s->core);
	free(s->track);
	free(s->by_rank);
	free(s->live);
	free(s->heap);
	free(s->predicted);
	free(s->resident);
	free(s->fresh);
	free(s->decision);
	free(s->held);
}

static void run_through(struct sweep *s)
{
	tell(s, AT_RUN, NULL, NULL);
	while (!s->failed && !s->audit->failed && next_instant(s, &s->now))
		instant(s);
	if (s->failed || s->audit->failed)
		return;
	for (uint32_t i = 0; i < s->r->tasks; i++)
		sweep_job_end_of_run(s, &s->track[i]);
	for (uint32_t g = 0; s->with_blocks && g < s->r->gpus; g++) {
		(void)sweep_show(s, g);
		sweep_gpu_settle_power(s, s->r->window_ns, true);
	}
	(void)sweep_show(s, 0);
	tell(s, AT_END, NULL, NULL);
}

bool sweep_run(struct audit *audit, struct recording *r, struct db_reader *source, struct error *err)
{
	struct sweep s = {.audit = audit, .r = r, .mine = r, .err = err};
	/* The queues of contexts are not derived: their laws ask who has the GPU. What a task has in flight
	 * is in no queue of the sweep. */
	s.promise = r->contexts || r->flights ? NULL : r->promise;
	/* Runs of warps have a walk of their own (db/audit/warp_walk.h); here only their jobs are checked. */
	s.has = s.had = UINT32_MAX;
	s.with_segments = r->level >= LEVEL_SEGMENTS && !r->warps;
	s.with_blocks = r->level >= LEVEL_BLOCKS && !r->warps;
	if (prepare(&s, r) && (r->level < LEVEL_JOBS || sweep_open_rows(&s, source)))
		run_through(&s);
	else
		s.failed = true;
	finish(&s);
	return !s.failed && !audit->failed;
}
