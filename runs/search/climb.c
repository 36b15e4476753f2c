/* runs/search/climb.c - see runs/search/climb.h. A move changes one to three genes; it is kept if the
 * response grows, and in every second piece unless it falls. Some moves use the schedule: they make a segment
 * of another task ready at the same instant as one of the target. */
#include "runs/search/climb.h"

#include "runs/search/seed.h"

const char *search_method_name(enum search_method method)
{
	static const char *const names[] = {"climb", "random", "synchronous", "hunt", "exhaustive"};
	return names[method];
}

const char *search_origin_name(enum search_origin origin)
{
	static const char *const names[] = {
		"nothing", "synchronous", "guided", "guided-random", "random", "exhaustive", "carried"};
	return names[origin];
}

uint32_t climb_pieces(enum search_method method, uint64_t budget)
{
	uint64_t pieces = (budget + CLIMB_PIECE - 1) / CLIMB_PIECE;
	if (method == METHOD_SYNCHRONOUS || pieces == 0)
		return 1;
	return pieces < UINT32_MAX ? (uint32_t)pieces : UINT32_MAX;
}

uint64_t climb_piece_budget(enum search_method method, uint64_t budget, uint32_t piece)
{
	uint64_t left = budget - (uint64_t)piece * CLIMB_PIECE;
	if (method == METHOD_SYNCHRONOUS)
		return 2;
	return left < CLIMB_PIECE ? left : CLIMB_PIECE;
}

/* ---- the state of a climb ---- */

struct climber {
	const struct climb *c;
	const struct plan *plan;
	struct evaluator *e;
	const struct genome_space *space;
	struct dice dice;
	struct genome now, next, *best;
	int64_t response;          /* of `now` */
	uint32_t worst_job;        /* the target's worst job in `now` */
	enum search_origin origin; /* of `now` */
	struct found *found;
	struct error *err;
	bool seen; /* e->seen belongs to `now` */
	bool failed;
};

static bool over(const struct climber *k)
{
	return k->failed || k->found->evaluations >= k->c->budget || (k->c->stop && atomic_load(k->c->stop));
}

/* Makes a genome the current one, and the best one if it is better. */
static void arrive(struct climber *k, const struct genome *g, int64_t response)
{
	if (&k->now != g)
		genome_copy(k->space, &k->now, g);
	k->response = response;
	k->worst_job = evaluated_job(k->e, &k->c->target);
	k->seen = false;
	if (response <= k->found->response_ns)
		return;
	k->found->response_ns = response;
	k->found->seen = evaluated_seen(k->e, &k->c->target);
	k->found->origin = k->origin;
	genome_copy(k->space, k->best, g);
}

static int64_t try(struct climber *k, const struct genome *g)
{
	int64_t response = evaluate(k->e, g, &k->c->target, k->err);
	k->found->evaluations++;
	k->failed = response < 0;
	return response;
}

/* Of `next`. If moves have left it as `now` is, it is not run again, only counted. */
static int64_t try_next(struct climber *k, bool same)
{
	if (!same)
		return try(k, &k->next);
	evaluate_known(k->e);
	k->found->evaluations++;
	return k->response;
}

/* ---- moves ---- */

static int64_t roll(struct climber *k, int64_t bound)
{
	return dice_upto(&k->dice, bound);
}

/* +-1 or +-2 units, or a step of any order of magnitude. */
static int64_t step(struct climber *k, int64_t most)
{
	int64_t size = (1 + roll(k, 1)) * (roll(k, 1) ? k->space->unit : 1);
	if (roll(k, 1)) {
		int64_t bits = 0;
		while (bits < 62 && most >> bits > 0)
			bits++;
		size = 1 + roll(k, ((int64_t)1 << roll(k, bits)) - 1);
	}
	return roll(k, 1) ? size : -size;
}

static void shift(const struct climber *k, struct genome *g, uint32_t task, int64_t by)
{
	int64_t offset = g->offset[task] + by, period = k->space->set->tasks[task].period_ns;
	if (offset < 0)
		offset += period;
	if (offset > 2 * period)
		offset -= period;
	if (offset >= 0 && offset <= 2 * period)
		g->offset[task] = offset;
}

static void move_offset(struct climber *k, struct genome *g, uint32_t task)
{
	if (roll(k, 3) == 0)
		g->offset[task] = roll(k, k->space->last_offset[task]);
	else
		shift(k, g, task, step(k, k->space->last_offset[task]));
}

/* One of the task's jobs, preferably one that is released before the target's worst job has ended. */
static uint32_t any_job(struct climber *k, const struct genome *g, uint32_t task)
{
	int64_t end = genome_release(k->space, &k->now, k->c->target.task, k->worst_job) + k->response;
	uint32_t job = 0;
	for (int tries = 0; tries < 4; tries++) {
		job = (uint32_t)roll(k, (int64_t)k->space->jobs[task] - 1);
		if (genome_release(k->space, g, task, job) <= end)
			break;
	}
	return job;
}

static void move_separation(struct climber *k, struct genome *g, uint32_t task)
{
	uint32_t job = any_job(k, g, task);
	if (k->space->periodic || job == 0)
		return;
	int64_t *extra = &g->extra[k->space->first_job[task] + job],
		most = k->space->set->tasks[task].period_ns;
	int64_t how = roll(k, 3), value = how == 0 ? 0 : how == 1 ? roll(k, most) : *extra + step(k, most);
	*extra = value < 0 ? 0 : value > most ? most : value;
}

static void move_length(struct climber *k, struct genome *g, uint32_t task)
{
	uint32_t segment = (uint32_t)roll(k, (int64_t)k->space->segments[task] - 1);
	uint32_t at = k->space->first_segment[task] + segment;
	int64_t best = k->space->best[at], worst = k->space->worst[at];
	if (best == worst)
		return;
	int64_t *length = genome_length(k->space, g, task, any_job(k, g, task), segment);
	int64_t how = roll(k, 5);
	if (how == 0)
		*length = best + roll(k, worst - best);
	else if (how == 1)
		*length = *length + step(k, worst - best);
	else
		*length = *length == worst ? best : worst;
	*length = *length < best ? best : *length > worst ? worst : *length;
}

static void move_ties(struct climber *k, struct genome *g, uint32_t task)
{
	(void)k;
	(void)task;
	*g->ties = *g->ties == TIES_LOWER_FIRST ? TIES_TASK_ORDER : TIES_LOWER_FIRST;
}

/* Moves a task's releases from one job on by a positive or negative amount. */
static void shift_from(const struct climber *k, struct genome *g, uint32_t task, uint32_t job, int64_t by)
{
	int64_t *extra = &g->extra[k->space->first_job[task] + job];
	if (job == 0 || k->space->periodic || *extra + by < 0 ||
		*extra + by > k->space->set->tasks[task].period_ns)
		shift(k, g, task, by);
	else
		*extra += by;
}

/* A segment of the task that ran: for the target of its worst job, for other tasks any. NULL: none was
 * found. */
static const struct seen_segment *any_seen(struct climber *k, uint32_t task)
{
	for (int tries = 0; tries < 24; tries++) {
		const struct seen_segment *s = &k->e->seen[roll(k, (int64_t)k->e->seen_count - 1)];
		if (s->task == task && (task != k->c->target.task || s->job == k->worst_job))
			return s;
	}
	return NULL;
}

/* Makes a segment of the task ready when one of the target's worst job was, or when that ended. If the task
 * is the target itself, the other segment is of any task. */
static void move_together(struct climber *k, struct genome *g, uint32_t task)
{
	if (!k->seen) {
		k->failed = evaluate_and_see(k->e, &k->now, &k->c->target, k->err) < 0;
		k->found->evaluations++;
		k->seen = true;
	}
	if (k->failed || k->e->seen_count == 0)
		return;
	uint32_t other = k->c->target.task;
	if (task == other)
		other = (uint32_t)roll(k, (int64_t)k->space->tasks - 1);
	const struct seen_segment *moves = any_seen(k, task), *stays = any_seen(k, other);
	if (!moves || !stays || task == other)
		return;
	int64_t by = (roll(k, 3) ? stays->ready : stays->end) - moves->ready, how = roll(k, 7);
	by -= how == 0 ? 1 : how == 1 ? k->space->unit : 0;
	roll(k, 1) ? shift(k, g, task, by) : shift_from(k, g, task, moves->job, by);
}

typedef void move_fn(struct climber *k, struct genome *g, uint32_t task);

static void change(struct climber *k, struct genome *g)
{
	static move_fn *const moves[] = {
		move_offset,
		move_offset,
		move_offset,
		move_separation,
		move_separation,
		move_length,
		move_length,
		move_length,
		move_length,
		move_together,
		move_together,
		move_together,
		move_together,
		move_ties,
	};
	int64_t count = 1 + roll(k, 2);
	for (int64_t i = 0; i < count && !k->failed; i++) {
		uint32_t task = (uint32_t)roll(k, (int64_t)k->space->tasks - 1);
		moves[roll(k, sizeof(moves) / sizeof(*moves) - 1)](k, g, task);
	}
}

/* ---- the methods ---- */

/* Makes a start for a climb in `next`. The first climb begins with the synchronous release, the second with
 * the guided one, the others with a random genome. */
static void draw_start(struct climber *k, uint32_t climbs)
{
	if (k->c->from && climbs == 0) {
		k->origin = FROM_CARRIED;
		genome_copy(k->space, &k->next, k->c->from);
		return;
	}
	genome_synchronous(k->space, &k->next);
	k->origin = FROM_SYNCHRONOUS;
	if (k->c->piece == 0 && climbs == 0)
		return;
	if (k->c->piece == 0 && climbs == 1) {
		k->origin = FROM_GUIDED;
		seed_guided(k->plan, k->space, &k->c->target, &k->next);
	} else if (climbs % 2 == 0) {
		k->origin = FROM_GUIDED_RANDOMLY;
		seed_guided_randomly(k->space, &k->c->target, &k->dice, &k->next);
	} else {
		k->origin = FROM_RANDOM;
		genome_random(k->space, &k->dice, &k->next);
	}
}

/* Where a climb that begins at random ends depends on where it began more than on how long it goes on. So
 * every second pair of them begins with the best of some starts. The others do not: a long response may be
 * one that hardly any move makes longer, and the way to a longer one may lead past it. */
static void begin(struct climber *k, uint32_t climbs)
{
	uint32_t starts = climbs % 4 < 2 ? 1 : CLIMB_STARTS;
	for (uint32_t i = 0; i < starts && !over(k); i++) {
		draw_start(k, climbs);
		int64_t response = try(k, &k->next);
		if (!k->failed && (i == 0 || response > k->response))
			arrive(k, &k->next, response);
	}
}

/* Moves that change no response wander away from what others have found, and the mean of what is found is
 * less with them. But there are long responses to which nothing else leads. */
static void climb_once(struct climber *k, uint32_t climbs)
{
	bool wanders = k->c->piece % 2 == 1;
	begin(k, climbs);
	for (uint32_t patience = k->c->patience; patience > 0 && !over(k);) {
		genome_copy(k->space, &k->next, &k->now);
		change(k, &k->next);
		if (over(k))
			return;
		bool same = genome_same(k->space, &k->next, &k->now);
		int64_t response = try_next(k, same);
		if (k->failed)
			return;
		patience = response > k->response ? k->c->patience : patience - 1;
		if (same)
			k->seen = k->seen && !wanders; /* as if it had arrived there */
		else if (response > k->response || (wanders && response == k->response))
			arrive(k, &k->next, response);
	}
}

static void climb_all(struct climber *k)
{
	for (uint32_t climbs = 0; !over(k); climbs++)
		climb_once(k, climbs);
}

static void draw_all(struct climber *k)
{
	k->origin = FROM_RANDOM;
	while (!over(k)) {
		genome_random(k->space, &k->dice, &k->next);
		int64_t response = try(k, &k->next);
		if (response > k->found->response_ns)
			arrive(k, &k->next, response);
	}
}

static void synchronous(struct climber *k)
{
	k->origin = FROM_SYNCHRONOUS;
	genome_synchronous(k->space, &k->next);
	for (int64_t ties = TIES_TASK_ORDER; ties <= TIES_LOWER_FIRST && !over(k); ties++) {
		*k->next.ties = ties;
		int64_t response = try(k, &k->next);
		if (response > k->found->response_ns)
			arrive(k, &k->next, response);
	}
}

bool climb(const struct climb *c, const struct plan *plan, struct evaluator *e, struct genome *best,
	struct found *found, struct error *err)
{
	static void (*const methods[])(struct climber * k) = {climb_all, draw_all, synchronous};
	struct arena arena = {0};
	struct climber k = {
		.c = c,
		.plan = plan,
		.e = e,
		.space = e->space,
		.dice = c->dice,
		.best = best,
		.found = found,
		.err = err,
	};
	*found = (struct found){.response_ns = -1};
	if (!genome_new(e->space, &arena, &k.now) || !genome_new(e->space, &arena, &k.next)) {
		arena_finish(&arena);
		return error_memory(err, "a search");
	}
	genome_synchronous(e->space, best);
	methods[c->method](&k);
	arena_finish(&arena);
	if (found->response_ns < 0)
		found->response_ns = 0;
	return !k.failed;
}
