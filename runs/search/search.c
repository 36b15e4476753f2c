/* runs/search/search.c - see runs/search/search.h. */
#include "runs/search/search.h"

#include <assert.h>

#define EXHAUST_PIECES 256u

/* A piece's result, for one target. */
struct piece_result {
	struct found found;
	int64_t genes[]; /* [space->size]; METHOD_EXHAUSTIVE: none */
};

bool witnesses_new(
	const struct search_spec *h, struct arena *arena, struct witness **witnesses, struct error *err)
{
	*witnesses = arena_new(arena, struct witness, h->target_count);
	if (!*witnesses)
		return error_memory(err, "a search");
	for (uint32_t t = 0; t < h->target_count; t++) {
		(*witnesses)[t].found.response_ns = -1;
		if (!genome_new(h->space, arena, &(*witnesses)[t].genome))
			return error_memory(err, "a search");
	}
	return true;
}

static uint32_t exhaust_pieces(const struct search_spec *h)
{
	return h->exhaust->count < EXHAUST_PIECES ? (uint32_t)h->exhaust->count : EXHAUST_PIECES;
}

uint64_t search_evaluations(const struct search_spec *h)
{
	uint64_t each = h->method == METHOD_SYNCHRONOUS ? 2 : h->budget;
	return h->method == METHOD_EXHAUSTIVE ? h->exhaust->count : each * h->target_count;
}

/* ---- pieces of a climb ---- */

static struct climb piece_of(
	const struct search_spec *h, uint32_t target, uint32_t piece, const atomic_bool *stop)
{
	const struct search_target *t = &h->targets[target];
	uint32_t salt = t->segment == WHOLE_JOB ? 0 : (t->segment + 1) << 16;
	return (struct climb){
		.method = h->method,
		.target = *t,
		.piece = piece,
		.patience = h->patience,
		.budget = climb_piece_budget(h->method, h->budget, piece),
		.dice = dice_make(h->seed, h->set, t->task ^ salt, piece),
		.stop = stop,
	};
}

/* Adds the result of a piece; pieces come in order. */
static void merge(const struct search_spec *h, struct witness *q, const struct found *found,
	const struct genome *genome)
{
	uint64_t evaluations = q->found.evaluations + found->evaluations;
	if (found->response_ns > q->found.response_ns) {
		q->found = *found;
		genome_copy(h->space, &q->genome, genome);
	}
	q->found.evaluations = evaluations;
}

bool search_here(const struct search_spec *h, struct evaluator *e, uint32_t target, const atomic_bool *stop,
	struct witness *witness, struct error *err)
{
	struct arena arena = {0};
	struct genome best;
	bool ok = genome_new(h->space, &arena, &best) || error_memory(err, "a search");
	assert(h->method != METHOD_EXHAUSTIVE);
	witness->found = (struct found){.response_ns = -1};
	for (uint32_t p = 0; ok && p < climb_pieces(h->method, h->budget); p++) {
		struct climb c = piece_of(h, target, p, stop);
		struct found found;
		ok = climb(&c, h->plan, e, &best, &found, err);
		if (ok)
			merge(h, witness, &found, &best);
	}
	arena_finish(&arena);
	return ok;
}

/* Does the piece of this number. The targets take turns, so that all get an early result. */
static bool make_climb(
	void *self, uint32_t piece, void *result, struct pieces_shared *shared, struct error *err)
{
	const struct search_spec *h = self;
	struct piece_result *r = result;
	struct climb c = piece_of(h, piece % h->target_count, piece / h->target_count, &shared->stop);
	struct evaluator e;
	struct genome best;
	if (!evaluator_init(&e, &h->what, h->space, err))
		return false;
	e.counter = &shared->evaluations;
	genome_attach(h->space, r->genes, &best);
	bool ok = climb(&c, h->plan, &e, &best, &r->found, err);
	evaluator_finish(&e);
	return ok;
}

/* ---- pieces of an exhaustive search ---- */

static uint64_t piece_begin(const struct search_spec *h, uint32_t piece)
{
	uint64_t pieces = exhaust_pieces(h);
	return h->exhaust->count / pieces * piece + (h->exhaust->count % pieces * piece) / pieces;
}

/* The result: evaluations, and a struct exhaust_best for each target. */
struct range_result {
	uint64_t evaluations;
	struct exhaust_best best[];
};

static bool make_range(
	void *self, uint32_t piece, void *result, struct pieces_shared *shared, struct error *err)
{
	const struct search_spec *h = self;
	struct range_result *r = result;
	struct evaluator e;
	uint64_t first = piece_begin(h, piece), count = piece_begin(h, piece + 1) - first;
	if (!evaluator_init(&e, &h->what, h->space, err))
		return false;
	e.counter = &shared->evaluations;
	r->evaluations = exhaust_range(
		h->exhaust, &e, first, count, h->targets, h->target_count, &shared->stop, r->best, err);
	evaluator_finish(&e);
	return r->evaluations != UINT64_MAX;
}

static void merge_range(const struct search_spec *h, struct witness *witnesses, const struct range_result *r)
{
	for (uint32_t t = 0; t < h->target_count; t++) {
		struct found *found = &witnesses[t].found;
		found->evaluations += r->evaluations;
		if (r->evaluations == 0 || r->best[t].response_ns <= found->response_ns)
			continue;
		found->response_ns = r->best[t].response_ns;
		found->seen = r->best[t].seen;
		found->origin = FROM_ALL;
		exhaust_genome(h->exhaust, r->best[t].index, &witnesses[t].genome);
	}
}

/* ---- all of it ---- */

static void collect(const struct search_spec *h, const struct pieces_spec *spec,
	const struct pieces_results *r, struct witness *witnesses)
{
	for (uint32_t p = 0; p < r->begun; p++) {
		void *result = pieces_result(spec, r, p);
		if (h->method == METHOD_EXHAUSTIVE) {
			merge_range(h, witnesses, result);
			continue;
		}
		struct piece_result *piece = result;
		struct genome genome;
		genome_attach(h->space, piece->genes, &genome);
		if (piece->found.evaluations > 0)
			merge(h, &witnesses[p % h->target_count], &piece->found, &genome);
	}
}

bool search_on_workers(const struct search_spec *h, uint32_t workers, bool quiet, struct witness *witnesses,
	struct pieces_results *r, struct error *err)
{
	bool all = h->method == METHOD_EXHAUSTIVE;
	uint64_t pieces =
		all ? exhaust_pieces(h) : (uint64_t)climb_pieces(h->method, h->budget) * h->target_count;
	if (pieces > UINT32_MAX / 2)
		return error_set(err, STATUS_INPUT, "the budget is too large");
	const struct pieces_spec spec = {
		.workers = workers < pieces ? workers : (uint32_t)pieces,
		.pieces = (uint32_t)pieces,
		.result_size =
			all ? sizeof(struct range_result) + h->target_count * sizeof(struct exhaust_best)
			    : sizeof(struct piece_result) + h->space->size * sizeof(int64_t),
		.make = all ? make_range : make_climb,
		.self = (void *)(uintptr_t)h,
		.evaluations = search_evaluations(h),
		.quiet = quiet,
	};
	if (!pieces_run(&spec, r, err))
		return false;
	collect(h, &spec, r, witnesses);
	pieces_finish(r);
	return true;
}
