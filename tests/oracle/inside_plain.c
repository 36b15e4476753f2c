/* tests/oracle/inside_plain.c - see tests/oracle/inside_plain.h. A cycle c is simulated in this order: its
 * phase 1; then all nanoseconds t with ceil(t * clock / 10^9) = c, at which blocks end, jobs are released,
 * and rules R1 and R2 place blocks; then its phase 5. */
#include "tests/oracle/inside_plain.h"

#include <assert.h>
#include <stdlib.h>

#include "tests/oracle/warp_plain_internal.h"

#define SECOND 1000000000
#define RESOURCES 5

struct waiting_block {
	uint32_t task, job, block, sm;
	int64_t start, end;
};

struct kernel_run {
	uint32_t released, job; /* jobs released; the one that runs, if `runs` */
	bool runs, queued;
	int64_t entered;
	uint32_t placed, ended;
	struct plain_job *inside; /* of a program */
};

struct inside {
	const struct inside_input *in;
	struct plain p;
	struct kernel_run run[INSIDE_TASKS];
	PLAIN_LIST(struct waiting_block,
		due); /* blocks that are on an SM for the block level, with their ends */
	size_t told;  /* stays of the plain simulation that have been looked at */
	struct plain_need taken[SMS_MAX];
	struct inside_result *out;
};

/* ---- time ---- */

static int64_t up(int128 a, int128 b)
{
	return (int64_t)((a + b - 1) / b);
}

static int64_t cycle_at(const struct inside *s, int64_t ns)
{
	return up((int128)ns * s->p.machine->clock_hz, SECOND);
}

static int64_t ns_of_cycle(const struct inside *s, int64_t cycle)
{
	return up((int128)cycle * SECOND, s->p.machine->clock_hz);
}

/* ---- room ---- */

static struct plain_need need_of(const struct inside *s, uint32_t task)
{
	const struct inside_task *t = &s->in->task[task];
	if (t->program >= 0)
		return plain_need_of(&s->p, (uint32_t)t->program);
	int64_t warps = (t->threads + 31) / 32;
	return (struct plain_need){{warps * 32, warps, 1, 0, 0}};
}

static bool fits(const struct inside *s, uint32_t task, uint32_t sm)
{
	const struct platform *f = s->in->warps.platform;
	const int64_t limit[RESOURCES] = {f->threads_per_sm, f->warps_per_sm, f->blocks_per_sm,
		f->registers_per_sm, f->shared_memory_per_sm};
	struct plain_need need = need_of(s, task);
	for (int r = 0; r < RESOURCES; r++)
		if (limit[r] > 0 && s->taken[sm].amount[r] + need.amount[r] > limit[r])
			return false;
	return true;
}

/* The SM with the most free threads, which has the fewest in use: all SMs are alike. */
static int choose(const struct inside *s, uint32_t task)
{
	int best = -1;
	for (uint32_t sm = 0; sm < s->p.sms; sm++)
		if (fits(s, task, sm) && (best < 0 || s->taken[sm].amount[0] < s->taken[best].amount[0]))
			best = (int)sm;
	return best;
}

static void count(struct inside *s, uint32_t task, uint32_t sm, int sign)
{
	struct plain_need need = need_of(s, task);
	for (int r = 0; r < RESOURCES; r++)
		s->taken[sm].amount[r] += sign * need.amount[r];
}

/* ---- blocks ---- */

static void place(struct inside *s, uint32_t task, uint32_t sm, int64_t now)
{
	const struct inside_task *t = &s->in->task[task];
	struct kernel_run *k = &s->run[task];
	struct waiting_block b = {task, k->job, k->placed++, sm, now, INT64_MAX};
	count(s, task, sm, 1);
	if (t->program < 0)
		b.end = now + t->time_ns;
	for (size_t i = 0; t->program >= 0 && i < s->due.count; i++)
		s->out->beside += s->due.row[i].sm == sm && s->due.row[i].task != task &&
				  s->in->task[s->due.row[i].task].program >= 0;
	PLAIN_ADD(s->due, b);
	if (t->program >= 0)
		plain_place(&s->p, &k->inside->blocks[b.block], sm);
}

/* R1: the head of the queue places all it can; then the next one. */
static void dispatch(struct inside *s, int64_t now)
{
	for (;;) {
		int head = -1, sm = -1;
		for (uint32_t i = 0; i < s->in->tasks; i++)
			if (s->run[i].queued && (head < 0 || s->run[i].entered < s->run[head].entered))
				head = (int)i;
		while (head >= 0 && s->run[head].placed < s->in->task[head].blocks &&
			(sm = choose(s, (uint32_t)head)) >= 0)
			place(s, (uint32_t)head, (uint32_t)sm, now);
		if (head < 0 || s->run[head].placed < s->in->task[head].blocks)
			return;
		s->run[head].queued = false;
	}
}

static void begin_jobs(struct inside *s, int64_t now)
{
	for (uint32_t i = 0; i < s->in->tasks; i++) {
		struct kernel_run *k = &s->run[i];
		if (k->runs || k->job == k->released)
			continue;
		k->runs = k->queued = true;
		k->entered = now;
		k->placed = k->ended = 0;
		if (s->in->task[i].program < 0)
			continue;
		uint32_t kernel = (uint32_t)s->in->task[i].program;
		s->p.kernel[kernel].released = k->job;
		k->inside = plain_new_job(&s->p, kernel);
		k->inside->active = true;
		plain_begin_part(&s->p, k->inside, 0);
		PLAIN_ADD(s->p.jobs, k->inside);
	}
}

static void end_blocks(struct inside *s, int64_t now)
{
	size_t kept = 0;
	for (size_t i = 0; i < s->due.count; i++) {
		const struct waiting_block b = s->due.row[i];
		if (b.end != now) {
			s->due.row[kept++] = b;
			continue;
		}
		count(s, b.task, b.sm, -1);
		PLAIN_ADD(s->out->stays, (struct inside_stay){b.task, b.job, b.block, b.sm, b.start, b.end});
		if (++s->run[b.task].ended == s->in->task[b.task].blocks) {
			s->run[b.task].runs = false;
			s->run[b.task].job++;
		}
	}
	s->due.count = kept;
}

static void release(struct inside *s, int64_t now)
{
	for (uint32_t i = 0; i < s->in->tasks; i++) {
		const struct inside_task *t = &s->in->task[i];
		if (now < s->in->warps.setup->horizon_ns &&
			now == t->offset_ns + s->run[i].released * t->period_ns)
			s->run[i].released++;
	}
}

static void instant(struct inside *s, int64_t now)
{
	end_blocks(s, now);
	release(s, now);
	begin_jobs(s, now);
	dispatch(s, now);
}

/* ---- cycles ---- */

/* What ended inside in this cycle has its end for the block level. */
static void tell(struct inside *s)
{
	for (; s->told < s->p.out->stays.count; s->told++) {
		const struct plain_stay *stay = &s->p.out->stays.row[s->told];
		for (size_t i = 0; i < s->due.count; i++) {
			struct waiting_block *b = &s->due.row[i];
			if (s->in->task[b->task].program != (int)stay->kernel || b->block != stay->block ||
				b->end != INT64_MAX)
				continue;
			assert(b->sm == stay->sm && b->job == stay->job);
			b->end = ns_of_cycle(s, stay->end);
			s->out->ends_between +=
				(int128)b->end * s->p.machine->clock_hz != (int128)stay->end * SECOND;
		}
	}
}

static bool over(const struct inside *s)
{
	for (uint32_t i = 0; i < s->in->tasks; i++) {
		const struct inside_task *t = &s->in->task[i];
		if (s->run[i].runs || s->run[i].job < s->run[i].released ||
			t->offset_ns + s->run[i].released * t->period_ns < s->in->warps.setup->horizon_ns)
			return false;
	}
	return true;
}

struct inside_result *inside_run(const struct inside_input *input, int64_t most_cycles)
{
	struct inside *s = plain_room(NULL, 1, sizeof(*s));
	int64_t now = 0;
	*s = (struct inside){.in = input, .out = plain_room(NULL, 1, sizeof(*s->out))};
	*s->out = (struct inside_result){0};
	plain_begin(&s->p, &input->warps);
	for (uint32_t k = 0; k < s->p.kernels; k++)
		s->p.kernel[k].next_release = -1;
	for (s->p.c = 0; s->p.c < most_cycles && !over(s); s->p.c++) {
		plain_phase_ends(&s->p);
		tell(s);
		for (; cycle_at(s, now) == s->p.c; now++)
			instant(s, now);
		plain_phase_issue(&s->p);
	}
	s->out->over = over(s);
	plain_stop(&s->p);
	plain_sum_up(&s->p);
	plain_result_free(s->p.out);
	struct inside_result *out = s->out;
	free(s->due.row);
	free(s);
	return out;
}

void inside_result_free(struct inside_result *r)
{
	free(r->stays.row);
	free(r);
}
