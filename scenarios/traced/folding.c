/* scenarios/traced/folding.c - finds the loops of a warp's way, as ScalaTrace folds the calls of a program
 * into regular sections (Noeth, Ratn, Mueller, Schulz, de Supinski, JPDC 69(8), 2009): what stands at the end
 * twice in a row becomes a loop, and one more round of it is counted.
 *
 * Rounds end at branches and where the code jumps back, so it is looked there only. Rounds are equal if they
 * have the same instructions; the distances of the first round, which enters the loop, are forgotten. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/mix.h"
#include "scenarios/traced/parts.h"

enum { BODY_MAX = 8192 /* nodes */ };

static const char what[] = "folding loops";

static uint64_t hash_of(const struct folding *f, const struct fold_node *n)
{
	uint64_t hash = mix64(UINT64_C(0x9e3779b97f4a7c15) + n->code);
	for (uint32_t i = 0; i < n->length; i++)
		hash = mix64(hash + f->pool[n->body + i].hash);
	return f->average ? hash : mix64(hash + n->rounds);
}

static bool equal(const struct fold_node *a, const struct fold_node *b, size_t count)
{
	for (size_t i = count; i > 0; i--)
		if (a[i - 1].hash != b[i - 1].hash)
			return false;
	return true;
}

/* The rounds of the loops in `from` count for the same loops in `into`. */
static void absorb(struct folding *f, struct fold_node *into, const struct fold_node *from, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (into[i].code != FOLD_LOOP)
			continue;
		into[i].rounds += from[i].rounds;
		into[i].entered += from[i].entered;
		absorb(f, f->pool + into[i].body, f->pool + from[i].body, into[i].length);
	}
}

static uint8_t depth_of(const struct fold_node *nodes, size_t count)
{
	uint8_t depth = 0;
	for (size_t i = 0; i < count; i++)
		depth = nodes[i].depth > depth ? nodes[i].depth : depth;
	return depth;
}

/* The last `k` nodes are one more round of the loop before them. */
static bool is_round(const struct folding *f, size_t k)
{
	const struct fold_node *tail = f->nodes + f->count - k, *loop = tail - 1;
	return f->count > k && loop->code == FOLD_LOOP && loop->length == k &&
	       equal(f->pool + loop->body, tail, k);
}

static void count_round(struct folding *f, size_t k)
{
	struct fold_node *tail = f->nodes + f->count - k, *loop = tail - 1;
	absorb(f, f->pool + loop->body, tail, k);
	loop->rounds++;
	loop->hash = hash_of(f, loop);
	f->count -= k;
}

/* The last `k` nodes are the same as the `k` before them. */
static bool is_twice(const struct folding *f, size_t k)
{
	const struct fold_node *tail = f->nodes + f->count - k;
	return f->count >= 2 * k && equal(tail - k, tail, k) && depth_of(tail, k) < WARP_LOOPS_MAX;
}

static bool make_loop(struct folding *f, size_t k, struct error *err)
{
	struct fold_node *tail = f->nodes + f->count - k, *first = tail - k;
	if (!list_reserve(&f->pool, &f->pool_capacity, f->pool_count + k, sizeof(*f->pool)))
		return error_memory(err, what);
	absorb(f, tail, first, k);
	memcpy(f->pool + f->pool_count, tail, k * sizeof(*tail));
	*first = (struct fold_node){.code = FOLD_LOOP,
		.depth = (uint8_t)(depth_of(tail, k) + 1),
		.body = (uint32_t)f->pool_count,
		.length = (uint32_t)k,
		.rounds = 2,
		.entered = 1};
	f->pool_count += k;
	f->count -= 2 * k - 1;
	first->hash = hash_of(f, first);
	return true;
}

/* Whether the way's next instruction begins another round of the loop that is last. */
static bool goes_on(const struct folding *f, uint32_t next)
{
	const struct fold_node *n = &f->nodes[f->count - 1];
	while (n->code == FOLD_LOOP)
		n = &f->pool[n->body];
	return f->nodes[f->count - 1].code == FOLD_LOOP && n->code == next;
}

static bool fold_tail(struct folding *f, uint32_t next, struct error *err)
{
	for (bool folded = true; folded;) {
		folded = false;
		if (f->count == 0 || goes_on(f, next))
			return true;
		for (size_t k = 1; k <= f->count && k <= BODY_MAX && !folded; k++) {
			folded = is_round(f, k);
			if (folded)
				count_round(f, k);
			else if ((folded = is_twice(f, k)) && !make_loop(f, k, err))
				return false;
		}
	}
	return true;
}

bool folding_make(struct folding *f, const struct way *w, const struct survey *s, bool loops, bool average,
	struct error *err)
{
	*f = (struct folding){.average = average};
	for (uint32_t i = 0; i < w->count; i++) {
		const struct traced_step *step = &w->steps[i];
		if (!list_reserve(&f->nodes, &f->capacity, f->count + 1, sizeof(*f->nodes)))
			return error_memory(err, what);
		struct fold_node *n = &f->nodes[f->count++];
		*n = (struct fold_node){.code = step->code, .distance = step->distance};
		n->hash = mix64(n->code + 1);
		bool last = i + 1 == w->count;
		if (loops && (last || w->steps[i + 1].backward || s->code[step->code].class == SASS_BRANCH) &&
			!fold_tail(f, last ? FOLD_LOOP : w->steps[i + 1].code, err))
			return false;
	}
	return true;
}

void folding_finish(struct folding *f)
{
	free(f->nodes);
	free(f->pool);
	*f = (struct folding){0};
}
