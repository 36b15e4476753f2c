/* db/audit/laws_segments.c - owns the laws on segments, spinning, streams and copy engines (docs/model.md,
 * "CPU", "Copies", "Streams"). */
#include "db/audit/law.h"
#include "db/audit/sweep.h"

#define TABLE "segment_interval"

/* ---- Segments of a job ---- */

/* Does it stand behind a GPU section, before `sync` is over? */
static bool syncs(const struct audit *a, const struct track *t)
{
	return a->r->machine.takes.sync_ns > 0 && t->in_section && !t->op.active && !t->synced;
}

static void check_job_end(struct audit *a, const struct moment *m)
{
	const struct track *t = m->track;
	const struct job *job = &t->job;
	bool through = t->segment >= t->task->segments;
	if (job->state == STATE_FINISHED && !through)
		broken(a, "job", m, "it finished at %s, but its segment %u had not ended by %s",
			when(a, job->finish), t->segment, when(a, m->time));
	else if (job->state == STATE_UNFINISHED && t->closing && m->time < a->r->stop_ns)
		broken(a, "job", m,
			"it is said to be unfinished, but nothing of it ran on behind its deadline %s",
			when(a, job->deadline));
	else if (job->state == STATE_FINISHED && syncs(a, t))
		broken(a, "job", m, "it finished at %s, but then it still waits behind its GPU section",
			when(a, job->finish));
	else if (job->state == STATE_UNFINISHED && through && !syncs(a, t) && !t->op.active)
		broken(a, "job", m, "it is said to be unfinished, but its last segment ended at %s",
			when(a, m->time));
	else if (job->state != STATE_UNFINISHED && job->finish != m->time)
		broken(a, "job", m, "it ended at %s, but by its segments it ended at %s",
			when(a, job->finish), when(a, m->time));
	else if (job->state == STATE_DROPPED && t->first_start != NOT_GIVEN)
		broken(a, "job", m, "it was dropped, but a segment of it started at %s",
			when(a, t->first_start));
}

uint64_t law_precedence(struct audit *a, const struct moment *m)
{
	const struct track *t = m->track;
	struct moment of = *m;
	if (m->at == AT_STRAY) {
		broken(a, TABLE, m, "the job has no such segment left to run then (ready %s)",
			when(a, m->interval->ready));
		return 1;
	}
	of.job = &t->job;
	if (m->at == AT_JOB_END) {
		check_job_end(a, &of);
		return 1;
	}
	for (uint32_t i = 0; i < t->op.parts; i++) {
		of.interval = &t->op.part[i];
		if (of.interval->start < t->op.launched && t->op.launched > t->op.ready)
			broken(a, TABLE, &of, "it starts before it is launched, at %s",
				when(a, t->op.launched));
		else if (of.interval->start < t->op.ready)
			broken(a, TABLE, &of, "it starts before its predecessor has ended at %s",
				when(a, t->op.ready));
		else if (of.interval->ready != t->op.ready)
			broken(a, TABLE, &of, "it is said to be ready at %s, but its predecessor ended at %s",
				when(a, of.interval->ready), when(a, t->op.ready));
	}
	return t->op.parts;
}

/* Was the job aborted, and its end call not over by S? */
static bool ends_by_call(const struct recording *r, const struct track *t)
{
	return r->calls && r->on_miss == ON_MISS_ABORT && t->job.state == STATE_UNFINISHED;
}

/* What is wrong with how a part ended; NULL: nothing. */
static const char *wrong_end(
	const struct recording *r, const struct track *t, const struct interval *p, bool last)
{
	bool cpu = computes(&t->op);
	bool cut = t->job.state == STATE_UNFINISHED || t->job.state == STATE_ABORTED;
	switch (p->ended) {
	case ENDED_RESET:
		if (cpu || !r->contexts)
			return "what is on the core is not reset, nor anything without contexts";
		return last && !cut ? "it was reset and never started again" : NULL;
	case ENDED_PREEMPTED:
		if (!cpu && !r->contexts)
			return "copies and kernels are not preempted";
		return last && !cut ? "it was preempted and never went on" : NULL;
	case ENDED_DONE:
		return last ? NULL : "the segment goes on behind its end";
	case ENDED_ABORTED:
		if (t->op.calling)
			return "a call is not cut off";
		if (!last || (t->job.state != STATE_ABORTED && !ends_by_call(r, t)))
			return "it was aborted, but its job was not";
		if (cpu ? p->end != t->job.deadline : p->end < t->job.deadline)
			return "it did not end as the deadline of an aborted job demands";
		return NULL;
	case ENDED_STOPPED:
		return last && p->end == r->stop_ns && t->job.state == STATE_UNFINISHED
			       ? NULL
			       : "it was stopped, but not at S, or its job did not stop there";
	}
	return NULL;
}

static const char *wrong_part(const struct recording *r, const struct track *t, uint32_t i)
{
	static const enum resource resources[] = {
		[KIND_CPU] = ON_CPU, [KIND_COPY] = ON_COPY, [KIND_KERNEL] = ON_GPU};
	const struct audit_operation *op = &t->op;
	const struct interval *p = &op->part[i];
	bool last = i + 1 == op->parts;
	enum occupancy most = op->launching ? OCCUPY_LAUNCH : OCCUPY_BOOST;
	bool call = op->calling && (p->code & ~48) == 204;
	if (!call && (p->code < 0 || (p->code > 63 && p->ended != ENDED_RESET) || p->code > 66 ||
			     (p->code & 3) > ON_GPU || p->occupancy > most))
		return "its code means nothing";
	if (p->resource != (op->launching || op->calling ? ON_CPU : resources[op->info->kind]))
		return "it is on the wrong kind of resource";
	if (computes(op) && !core_fits(r, t, p->unit))
		return "it is on another core than its task's, or on one that is not there";
	if (p->unit != 0 && !computes(op) && op->info->kind != KIND_COPY)
		return "kernels have no unit on their GPU";
	if (p->gpu != (computes(op) ? 0 : (int64_t)op->info->gpu))
		return "it is on another GPU";
	if (p->end <= p->start)
		return "it does not end after it starts";
	if (p->start >= r->stop_ns || p->end > r->stop_ns)
		return "it runs behind the end of the run";
	bool alone = !r->promise || r->promise->waiting == WAITS_SUSPENDED || computes(op);
	/* Both calls of a section of one operation are recorded under it. */
	bool behind = op->calling && t->caller.stage == CALL_END && op->segment == t->caller.first;
	if (alone ? p->part != i + (behind ? t->caller.parts : 0)
		  : p->part < 0) /* spinning is numbered with what the job waits for */
		return "the parts of its segment are not numbered from 0 in order of time";
	if (i > 0 && !computes(op) && !r->contexts)
		return "copies and kernels run in one piece";
	if (i > 0 && p->start < op->part[i - 1].end)
		return "it starts before the part in front of it ends";
	return wrong_end(r, t, p, last);
}

uint64_t law_parts(struct audit *a, const struct moment *m)
{
	struct moment of = *m;
	for (uint32_t i = 0; i < m->track->op.parts; i++) {
		const char *what = wrong_part(a->r, m->track, i);
		of.interval = &m->track->op.part[i];
		if (what)
			broken(a, TABLE, &of, "%s", what);
	}
	return m->track->op.parts;
}

/* The same for blocks with different times: they follow each other on every place. */
static void check_uneven_length(struct audit *a, const struct moment *of, int64_t sum)
{
	const struct track *t = of->track;
	const struct audit_operation *op = &t->op;
	enum ended ended = of->interval->ended;
	int64_t expected;
	if (!kernel_alone(a->r, t->index, op->segment, t->job.seq, &op->shape, op->length, &expected)) {
		a->failed |= !error_memory(a->err, "auditing a run");
		return;
	}
	if (ended == ENDED_DONE ? sum != expected : ended == ENDED_STOPPED ? sum >= expected : sum > expected)
		broken(a, TABLE, of,
			"the kernel ran for %s on its own SMs, expected %s: %u blocks, %lld at a time",
			when(a, sum), when(a, expected), op->shape.blocks, (long long)op->shape.places);
}

static void check_own_length(struct audit *a, const struct moment *of, int64_t sum)
{
	const struct audit_operation *op = &of->track->op;
	enum ended ended = of->interval->ended;
	int64_t expected;
	if (op->info->block) {
		check_uneven_length(a, of, sum);
		return;
	}
	if (__builtin_mul_overflow(op->length, (int64_t)op->shape.waves, &expected))
		expected = INT64_MAX;
	if (ended == ENDED_ABORTED       ? sum > expected || sum % op->length != 0
		: ended == ENDED_STOPPED ? sum >= expected
					 : sum != expected)
		broken(a, TABLE, of, "the kernel ran for %s on its own SMs, expected %s: %u times %s",
			when(a, sum), when(a, expected), op->shape.waves, when(a, op->length));
}

uint64_t law_lengths(struct audit *a, const struct moment *m)
{
	const struct audit_operation *op = &m->track->op;
	if (op->parts == 0 || op->calling)
		return 0;
	struct moment of = *m;
	of.interval = &op->part[op->parts - 1];
	int64_t sum = 0;
	for (uint32_t i = 0; i < op->parts; i++) {
		if (__builtin_add_overflow(sum, op->part[i].end - op->part[i].start, &sum))
			sum = INT64_MAX;
		if (op->part[i].ended == ENDED_RESET && op->info->kind == KIND_COPY)
			sum = 0;
	}
	bool kernel = op->info->kind == KIND_KERNEL && !op->launching;
	/* On SMs that no other kernel may use the waves follow each other */
	bool own = kernel && of.interval->granted > 0 && a->r->promise;
	if (own && op->length > 0) {
		check_own_length(a, &of, sum);
		return 1;
	}
	bool whole =
		of.interval->ended == ENDED_DONE || (!computes(op) && of.interval->ended == ENDED_ABORTED);
	/* Blocks of a kernel may have waited for room. At least one block took its time: of an aborted kernel
	 * the first. */
	int64_t length = op->length;
	if (kernel && op->info->block)
		length = longest_block(a->r, m->track->index, op->segment, m->track->job.seq,
			of.interval->ended == ENDED_DONE ? op->shape.blocks : 1, op->length);
	if (whole ? sum < length || (sum > length && !kernel) : sum >= length && !kernel)
		broken(a, TABLE, &of, "the segment ran for %s, expected %s%s", when(a, sum),
			whole ? kernel ? "at least " : "" : "less than ", when(a, length));
	return 1;
}

uint64_t law_first_start(struct audit *a, const struct moment *m)
{
	const struct job *job = &m->track->job;
	struct moment of = *m;
	of.job = job;
	if (job->first_start != m->track->first_start)
		broken(a, "job", &of, "it first started at %s, but by its segments at %s",
			when(a, job->first_start), when(a, m->track->first_start));
	return 1;
}

/* ---- Spinning ---- */

/* What is wrong with a time on the core during which its job waits; NULL: nothing. */
static const char *wrong_spin(const struct recording *r, const struct track *t, const struct interval *row)
{
	if (row->code < 0 || row->code > 63 || !core_fits(r, t, row->unit))
		return "its code means nothing, or it is on another core";
	if (!t->active || !t->in_section || t->job.seq != row->seq || t->section != row->segment)
		return "its job is in no GPU section then that begins with this segment";
	if (row->ready != t->section_since)
		return "it is said to be ready at another instant than its section";
	if (row->end > r->stop_ns || (row->ended == ENDED_STOPPED && row->end != r->stop_ns))
		return "it ends behind S, or was stopped before";
	if (!r->promise)
		return NULL;
	if (r->promise->waiting == WAITS_SUSPENDED)
		return "under this policy a job leaves the core while its GPU section goes on";
	if (row->occupancy != (r->promise->waiting == WAITS_BOOSTED ? OCCUPY_BOOST : OCCUPY_SPIN))
		return r->promise->waiting == WAITS_BOOSTED
			       ? "under this policy a job that waits is boosted, not spinning at its priority"
			       : "under this policy a job that waits spins at its priority, and is not "
				 "boosted";
	return NULL;
}

uint64_t law_spinning(struct audit *a, const struct moment *m)
{
	if (m->interval->occupancy == OCCUPY_SWITCH)
		return 0;
	const char *what = wrong_spin(a->r, m->track, m->interval);
	if (what)
		broken(a, TABLE, m, "%s", what);
	return 1;
}

/* ---- Streams ---- */

static const struct track *ahead_in_stream(const struct sweep *s, const struct track *t)
{
	const struct audit_line *l = t->op.info->null_stream ? &s->null_queue : &s->queue[t->op.info->queue];
	if (l->count && l->task[0] != t->index)
		return &s->track[l->task[0]];
	return s->null_queue.count && !t->op.info->null_stream ? &s->track[s->null_queue.task[0]] : NULL;
}

/* Whether the operation has begun: what is frozen or lost has, and stays at the head of its queue. */
static bool has_begun(const struct track *t)
{
	const struct audit_operation *op = &t->op;
	return t->active && op->active && !computes(op) && (op->running || op->at > 0);
}

/* If it is not known when operations were issued: whichever came first, two of one hardware queue are not in
 * progress at a time, nor are two of which one is in the NULL stream. Each context has queues of its own. */
static uint64_t check_side_by_side(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	const struct part_of_task *mine = m->track->op.info;
	for (uint32_t i = 0; i < a->r->tasks && m->interval->part == 0; i++) {
		const struct track *t = &s->track[i];
		if (t == m->track || !has_begun(t) || !on_shown(s, &t->op) ||
			!same_context(a->r, t, m->track))
			continue;
		const struct part_of_task *other = t->op.info;
		bool null = mine->null_stream || other->null_stream;
		if (!null && mine->queue != other->queue)
			continue;
		broken(a, TABLE, m, "it started while segment %u of task '%s' was in progress%s",
			t->op.segment, t->task->name,
			null ? ": one of them is in the NULL stream" : " in its hardware queue");
		break;
	}
	return 1;
}

uint64_t law_streams(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	bool issues = s->promise && (s->promise->admits != ADMITS_UNSEEN || !a->r->streams_shared);
	if (!issues)
		return check_side_by_side(a, m);
	if (m->track->op.place != PLACE_STREAM ||
		m->time < sweep_eligible_from(s, m->track, m->track->op.entered))
		return 1;
	const struct track *ahead = ahead_in_stream(s, m->track);
	const char *stream = m->track->op.info->null_stream ? "the NULL stream" : "its hardware queue";
	if (ahead)
		broken(a, TABLE, m,
			"it started while segment %u of task '%s', issued earlier, had not ended (in %s)",
			ahead->op.segment, ahead->task->name, stream);
	else
		broken(a, TABLE, m,
			"it started in %s while operations issued earlier to other streams had not ended",
			stream);
	return 1;
}

/* ---- Copies ---- */

uint64_t law_copy_engine(struct audit *a, const struct moment *m)
{
	const struct part_of_task *info = m->track->op.info;
	if (info->kind != KIND_COPY)
		return 0;
	if (m->interval->unit != info->engine)
		broken(a, TABLE, m, "it is on engine %lld, expected engine %u by its direction",
			(long long)m->interval->unit, info->engine);
	else if (a->r->machine.engines > 0 && m->sweep->copying[info->engine] > 0)
		broken(a, TABLE, m, "it started while another copy was on engine %u", info->engine);
	return 1;
}

uint64_t law_copy_order(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	const struct track *t = m->track;
	bool unlimited = machine_of(a->r, t->op.info->gpu)->engines == 0; /* nobody waits for an engine */
	if (!s->promise || t->op.info->kind != KIND_COPY || !t->op.waits_for_engine || unlimited)
		return 0;
	for (uint32_t i = 0; i < a->r->tasks; i++) {
		const struct track *other = &s->track[i];
		if (other == t || !other->op.active || !other->op.waits_for_engine ||
			!on_shown(s, &other->op) || other->op.info->engine != t->op.info->engine ||
			!sweep_before(s, s->promise->copy_order, other, t))
			continue;
		broken(a, TABLE, m, "it started although the copy of task '%s', waiting since %s, goes first",
			other->task->name, when(a, other->op.entered));
		break;
	}
	return 1;
}

uint64_t law_copy_work(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	bool unlimited = a->r->machine.engines == 0;
	if (!s->promise)
		return 0;
	for (uint32_t e = 0; e < 2; e++) {
		if (s->copies_waiting[e] == 0 || (!unlimited && s->copying[e] > 0))
			continue;
		for (uint32_t i = 0; i < a->r->tasks; i++) {
			const struct track *t = &s->track[i];
			struct moment of = *m;
			of.track = t;
			if (!t->op.active || !t->op.waits_for_engine || !on_shown(s, &t->op) ||
				t->op.info->engine != e)
				continue;
			broken(a, TABLE, &of, "at %s its copy waits (since %s) though engine %u is idle",
				when(a, m->time), when(a, t->op.entered), e);
			break;
		}
	}
	return 1;
}
