/* runs/chains.c - see runs/chains.h. Reads and writes of one instant are gathered and, when it is over, taken
 * in the order of stages: so a read gets all that the stage before writes at its instant.
 *
 * A read of the first stage becomes a token, which stages hand on. It has the sum of all stamps before it, so
 * that an output reacts to any number of reads at once. */
#include "runs/chains.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"

struct token {
	int64_t stamp, before; /* before: the stamp of the read in front of this one */
	int128 sum;            /* of the stamps of all reads in front of it */
	uint32_t read, job;    /* number of the read, and of the job; read 0 is the first one */
	bool given;            /* false: no stamp */
};

/* What a job has read that has not ended yet. */
struct held {
	struct token token;
	bool ended;
};

/* What is written at a deadline to come. */
struct pending {
	int64_t at;
	struct token token;
};

/* Places are used in turn; mask + 1 of them, none if there is no memory. */
struct ring {
	void *place;
	uint32_t mask, first, count;
};

struct stage {
	struct token written; /* what a reader gets */
	/* implicit: of the current job */
	struct token read;
	/* let: of jobs first_job, first_job + 1, ...; of writes to come */
	struct ring held, pending;
	uint32_t first_job;
};

struct chain_state {
	const struct effect_chain *chain;
	struct stage *stage; /* [task_count] */
	struct chain_result *result;
	uint32_t reads;     /* of the first stage, so far */
	struct token last;  /* read of the first stage */
	struct token shown; /* the last output, */
	uint32_t shown_job; /* of this job of the last stage */
	bool shows;         /* there was one */
	struct token reacted;
};

/* What a task is in a chain. */
struct membership {
	uint32_t chain, stage;
};

enum event_kind { EVENT_READ, EVENT_END, EVENT_REMOVED };

struct event {
	uint32_t chain, stage, order; /* order: as they came */
	uint32_t job;
	enum event_kind kind;
	int64_t at; /* read: its stamp, if the stage is the first; end: when it writes */
};

struct chains {
	struct arena *arena;
	const struct taskset *set;
	struct chain_state *state;     /* [chains] */
	struct chain_result *result;   /* [chains] */
	struct membership *membership; /* of task t: member_of[t] .. member_of[t + 1] - 1 */
	uint32_t *member_of;           /* [tasks + 1] */
	uint32_t wanted;
	int64_t now;
	struct ring events;
};

/* ---- rings ---- */

/* The i-th of those in it. */
static void *ring_at(const struct ring *r, uint32_t i, size_t size)
{
	char *place = r->place;
	return place + ((r->first + i) & r->mask) * size;
}

static bool ring_grow(struct arena *arena, struct ring *r, size_t size)
{
	uint32_t places = r->place ? 2 * (r->mask + 1) : 4;
	char *bigger = arena_alloc(arena, places, size);
	if (!bigger)
		return false;
	for (uint32_t i = 0; i < r->count; i++)
		memcpy(bigger + i * size, ring_at(r, i, size), size);
	*r = (struct ring){.place = bigger, .mask = places - 1, .count = r->count};
	return true;
}

/* A place behind the last one. NULL: out of memory. */
static void *ring_push(struct arena *arena, struct ring *r, size_t size)
{
	if ((!r->place || r->count > r->mask) && !ring_grow(arena, r, size))
		return NULL;
	return ring_at(r, r->count++, size);
}

static void ring_pop(struct ring *r)
{
	r->first++;
	r->count--;
}

/* ---- figures ---- */

static void figure_add(struct chain_figure *f, uint64_t count, int128 sum, int64_t least, int64_t most,
	uint32_t first_job, uint32_t last_job)
{
	f->count += count;
	f->sum_ns += sum;
	if (f->min_ns < 0 || least < f->min_ns)
		f->min_ns = least;
	if (most <= f->max_ns)
		return;
	f->max_ns = most;
	f->first_job = first_job;
	f->last_job = last_job;
}

static void output(struct chain_state *c, const struct token *token, int64_t at, uint32_t job)
{
	struct token *reacted = &c->reacted;
	if (c->shows && c->shown.given) {
		int64_t age = at - c->shown.stamp;
		figure_add(&c->result->age, 1, age, age, age, c->shown.job, c->shown_job);
	}
	c->shows = true;
	c->shown = *token;
	c->shown_job = job;
	if (!token->given || token->read <= reacted->read)
		return;
	uint32_t reads = token->read - reacted->read;
	int128 sum = (int128)at * reads - (token->sum - reacted->sum);
	figure_add(
		&c->result->reaction, reads, sum, at - token->before, at - reacted->stamp, reacted->job, job);
	*reacted = *token;
}

int64_t chain_mean_ns(const struct chain_figure *f)
{
	return div_half_even(f->sum_ns, (int64_t)f->count);
}

bool chain_limit_broken(const struct effect_chain *chain, const struct chain_result *result)
{
	return (chain->age_ns > 0 && result->age.max_ns > chain->age_ns) ||
	       (chain->reaction_ns > 0 && result->reaction.max_ns > chain->reaction_ns);
}

/* ---- reads and writes ---- */

static void write_due(struct stage *s, int64_t now)
{
	while (s->pending.count > 0) {
		const struct pending *p = ring_at(&s->pending, 0, sizeof(*p));
		if (p->at > now)
			return;
		s->written = p->token;
		ring_pop(&s->pending);
	}
}

static struct token read_outside(struct chain_state *c, int64_t stamp, uint32_t job)
{
	struct token t = {.stamp = stamp, .job = job, .given = true, .read = c->reads++};
	if (t.read > 0) {
		t.before = c->last.stamp;
		t.sum = c->last.sum + c->last.stamp;
	} else {
		c->reacted = t;
	}
	c->last = t;
	return t;
}

static bool read_event(struct chains *all, const struct event *e)
{
	struct chain_state *c = &all->state[e->chain];
	struct stage *s = &c->stage[e->stage];
	struct token token;
	if (e->stage == 0) {
		token = read_outside(c, e->at, e->job);
	} else {
		write_due(&c->stage[e->stage - 1], all->now);
		token = c->stage[e->stage - 1].written;
	}
	if (c->chain->communication == CHAIN_IMPLICIT) {
		s->read = token;
		return true;
	}
	if (s->held.count == 0)
		s->first_job = e->job;
	struct held *h = ring_push(all->arena, &s->held, sizeof(*h));
	if (h)
		*h = (struct held){.token = token};
	return h != NULL;
}

/* What the job has read that ends now, in *token. */
static void release_held(struct stage *s, uint32_t job, struct token *token)
{
	struct held *h = ring_at(&s->held, job - s->first_job, sizeof(*h));
	*token = h->token;
	h->ended = true;
	while (s->held.count > 0 && ((struct held *)ring_at(&s->held, 0, sizeof(*h)))->ended) {
		ring_pop(&s->held);
		s->first_job++;
	}
}

static bool end_event(struct chains *all, const struct event *e)
{
	struct chain_state *c = &all->state[e->chain];
	struct stage *s = &c->stage[e->stage];
	struct token token = s->read;
	if (c->chain->communication == CHAIN_LET)
		release_held(s, e->job, &token);
	if (e->kind == EVENT_REMOVED)
		return true;
	if (e->stage + 1 == c->chain->task_count) {
		output(c, &token, e->at, e->job);
		return true;
	}
	write_due(s, all->now);
	if (e->at <= all->now) {
		s->written = token;
		return true;
	}
	struct pending *p = ring_push(all->arena, &s->pending, sizeof(*p));
	if (p)
		*p = (struct pending){.at = e->at, .token = token};
	return p != NULL;
}

static int compare_events(const void *a, const void *b)
{
	const struct event *x = a, *y = b;
	if (x->chain != y->chain)
		return x->chain < y->chain ? -1 : 1;
	if (x->stage != y->stage)
		return x->stage < y->stage ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Takes the events of the instant. They begin at the first place: the ring is emptied at once. */
static bool instant_over(struct chains *c)
{
	struct event *events = c->events.place;
	bool ok = true;
	if (c->events.count > 1)
		qsort(events, c->events.count, sizeof(*events), compare_events);
	for (uint32_t i = 0; ok && i < c->events.count; i++)
		ok = (events[i].kind == EVENT_READ ? read_event : end_event)(c, &events[i]);
	c->events.count = 0;
	return ok;
}

/* ---- the trace ---- */

static bool note(struct chains *c, const struct trace_record *r, struct membership m)
{
	const struct effect_chain *chain = c->state[m.chain].chain;
	bool let = chain->communication == CHAIN_LET, ends = r->kind == TRACE_JOB_END;
	struct event e = {.chain = m.chain, .stage = m.stage, .order = c->events.count, .job = r->job};
	if (!ends && let != (r->kind == TRACE_JOB_RELEASE))
		return true;
	if (!ends) {
		e.at = chain->sample == CHAIN_RELEASE && !let ? r->start : r->time;
	} else {
		if (r->how != JOB_FINISHED && !let)
			return true;
		e.kind = r->how == JOB_FINISHED ? EVENT_END : EVENT_REMOVED;
		e.at = let && r->value > r->time ? r->value : r->time;
	}
	struct event *place = ring_push(c->arena, &c->events, sizeof(e));
	if (place)
		*place = e;
	return place != NULL;
}

bool chains_observe(void *chains, const struct trace_record *records, size_t count)
{
	struct chains *c = chains;
	bool ok = true;
	for (size_t i = 0; ok && i < count; i++) {
		const struct trace_record *r = &records[i];
		if (!(TRACE_BIT(r->kind) & c->wanted) || c->member_of[r->task] == c->member_of[r->task + 1])
			continue;
		if (r->time != c->now)
			ok = instant_over(c);
		c->now = r->time;
		for (uint32_t m = c->member_of[r->task]; ok && m < c->member_of[r->task + 1]; m++)
			ok = note(c, r, c->membership[m]);
	}
	return ok;
}

bool chains_end(struct chains *c)
{
	return instant_over(c);
}

uint32_t chains_want(const struct chains *c)
{
	return c->wanted;
}

const struct chain_result *chains_results(const struct chains *c)
{
	return c->result;
}

/* ---- making it ---- */

/* Fills in who is where. member_of[t + 1] is used to count before. */
static bool index_members(struct chains *c)
{
	const struct taskset *set = c->set;
	uint32_t members = 0;
	c->member_of = arena_new(c->arena, uint32_t, (size_t)set->task_count + 2);
	if (!c->member_of)
		return false;
	for (uint32_t i = 0; i < set->chain_count; i++)
		for (uint32_t k = 0; k < set->chains[i].task_count; k++, members++)
			c->member_of[set->chains[i].tasks[k] + 2]++;
	for (uint32_t t = 0; t < set->task_count; t++)
		c->member_of[t + 2] += c->member_of[t + 1];
	c->membership = arena_new(c->arena, struct membership, members);
	for (uint32_t i = 0; c->membership && i < set->chain_count; i++)
		for (uint32_t k = 0; k < set->chains[i].task_count; k++)
			c->membership[c->member_of[set->chains[i].tasks[k] + 1]++] =
				(struct membership){i, k};
	return c->membership != NULL;
}

bool chains_create(const struct taskset *set, struct arena *arena, struct chains **chains)
{
	*chains = NULL;
	if (set->chain_count == 0)
		return true;
	struct chains *c = arena_new(arena, struct chains, 1);
	if (!c)
		return false;
	*c = (struct chains){.arena = arena, .set = set, .wanted = TRACE_BIT(TRACE_JOB_END)};
	c->state = arena_new(arena, struct chain_state, set->chain_count);
	c->result = arena_new(arena, struct chain_result, set->chain_count);
	if (!c->state || !c->result || !index_members(c))
		return false;
	for (uint32_t i = 0; i < set->chain_count; i++) {
		const struct effect_chain *chain = &set->chains[i];
		struct chain_figure none = {.min_ns = -1, .max_ns = -1};
		c->result[i] = (struct chain_result){.age = none, .reaction = none};
		c->state[i] = (struct chain_state){
			.chain = chain,
			.result = &c->result[i],
			.stage = arena_new(arena, struct stage, chain->task_count),
		};
		if (!c->state[i].stage)
			return false;
		c->wanted |= chain->communication == CHAIN_LET ? TRACE_BIT(TRACE_JOB_RELEASE)
							       : TRACE_BIT(TRACE_JOB_START);
	}
	*chains = c;
	return true;
}
