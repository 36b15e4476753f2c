/* tests/oracle/warp_plain_program.c - programs, unrolled to a list of instructions, and what a warp needs for
 * its next instruction (docs/warps.md, Programs). */
#include <assert.h>
#include <stdlib.h>

#include "tests/oracle/warp_plain_internal.h"

#define UNROLLED_MAX 1000000u

static void append(struct plain_part *into, uint32_t step, uint32_t distance)
{
	assert(into->length < UNROLLED_MAX);
	if ((into->length & (into->length - 1)) == 0) /* the room is a power of two */
		into->program = plain_room(
			into->program, into->length ? 2 * (size_t)into->length : 1, sizeof(*into->program));
	into->program[into->length++] = (struct plain_instruction){step, distance};
}

/* Unrolls the steps from `begin` to `end` once. */
static void unroll(const struct warp_kernel *k, uint32_t begin, uint32_t end, struct plain_part *into)
{
	uint32_t i = begin;
	while (i < end) {
		const struct warp_step *s = &k->steps[i];
		for (uint32_t n = 0; n < s->count; n++) {
			if (s->kind == STEP_LOOP)
				unroll(k, i + 1, i + 1 + s->body, into);
			else
				append(into, i, n == 0 ? s->first : s->distance);
		}
		i += s->kind == STEP_LOOP ? 1 + s->body : 1;
	}
}

/* Finds the shared loop. */
static void find_shared(const struct warp_kernel *k, struct plain_part *into)
{
	struct plain_part before = {.length = 0}, round = {.length = 0};
	for (uint32_t i = 0; i < k->step_count; i++) {
		const struct warp_step *s = &k->steps[i];
		if (s->kind != STEP_LOOP || s->rounds == ROUNDS_OWN)
			continue;
		unroll(k, 0, i, &before);
		unroll(k, i + 1, i + 1 + s->body, &round);
		into->before = before.length;
		into->body = round.length;
		into->times = s->count;
		into->sharers = s->rounds;
	}
	free(before.program);
	free(round.program);
}

void plain_unroll(const struct warp_kernel *k, struct plain_part *into)
{
	into->described = k;
	unroll(k, 0, k->step_count, into);
	find_shared(k, into);
	into->warps = (k->block_threads + WARP_THREADS - 1) / WARP_THREADS;
}

uint32_t plain_threads_of_warp(const struct warp_kernel *k, uint32_t warp)
{
	uint32_t before = warp * WARP_THREADS, left = k->block_threads - before;
	return left > WARP_THREADS ? WARP_THREADS : left;
}

static int64_t size_of_part(const struct plain_part *of)
{
	const struct warp_kernel *k = of->described;
	int64_t block = 0;
	for (uint32_t w = 0; w < of->warps; w++) {
		for (uint32_t i = 0; i < of->length; i++) {
			uint32_t active = k->steps[of->program[i].step].threads;
			uint32_t has = plain_threads_of_warp(k, w);
			block += active < has ? active : has;
		}
	}
	return block * k->blocks;
}

/* Thread instructions of a launch. */
int64_t plain_launch_size(const struct plain *p, uint32_t kernel)
{
	int64_t sum = 0;
	for (uint32_t i = 0; i < p->kernel[kernel].parts; i++)
		sum += size_of_part(&p->kernel[kernel].part[i]);
	return sum;
}

/* ---- shared loops ---- */

/* Instructions of a warp up to the end of the rounds that it has been given. */
static uint32_t end_of_rounds(const struct plain_part *k, const struct plain_warp *w)
{
	return k->before + w->rounds * k->body;
}

/* Instructions of a warp with the rounds that it has been given. */
static uint32_t length_of(const struct plain_part *k, const struct plain_warp *w)
{
	return k->body ? k->length - k->times * k->body + w->rounds * k->body : k->length;
}

bool plain_is_last(const struct plain_part *k, const struct plain_warp *w)
{
	return w->next + 1 == length_of(k, w);
}

bool plain_all_issued(const struct plain_part *k, const struct plain_warp *w)
{
	return w->next == length_of(k, w);
}

/* The instruction with this number: of the first round, whichever round it is in. */
static const struct plain_instruction *instruction(
	const struct plain_part *k, const struct plain_warp *w, uint32_t number)
{
	if (k->body == 0 || number < k->before)
		return &k->program[number];
	if (number < end_of_rounds(k, w))
		return &k->program[k->before + (number - k->before) % k->body];
	return &k->program[k->before + k->times * k->body + number - end_of_rounds(k, w)];
}

void plain_fill_pool(const struct plain *p, struct plain_job *job)
{
	const struct plain_part *k = plain_part_of(p, job);
	int64_t takers = k->described->blocks;
	if (k->sharers == ROUNDS_WARPS)
		takers *= k->warps;
	job->pool = k->body ? takers * (k->times - 1) : 0;
}

void plain_take_round(struct plain *p, const struct plain_view *v)
{
	const struct plain_part *k = plain_part_of(p, v->block->job);
	struct plain_warp *w = v->warp;
	if (k->body == 0 || w->behind || w->next + 1 != end_of_rounds(k, w))
		return;
	bool block_has_it = k->sharers == ROUNDS_BLOCKS && v->block->rounds > w->rounds;
	w->behind = !block_has_it && v->block->job->pool == 0;
	p->out->counts.rounds_refused += w->behind;
	if (w->behind)
		return;
	if (!block_has_it) {
		v->block->job->pool--;
		v->block->rounds++;
		p->out->counts.rounds_taken++;
	}
	w->rounds++;
}

/* ---- the next instruction ---- */

const struct warp_step *plain_next_step(const struct plain *p, const struct plain_view *v)
{
	const struct plain_part *k = plain_part_of(p, v->block->job);
	if (v->warp->ended || plain_all_issued(k, v->warp))
		return NULL;
	return &k->described->steps[instruction(k, v->warp, v->warp->next)->step];
}

/* The instruction whose result the next one needs, if that result is not ready; else NOBODY. */
static int64_t waited_for(const struct plain *p, const struct plain_view *v)
{
	const struct plain_part *k = plain_part_of(p, v->block->job);
	if (!plain_next_step(p, v))
		return NOBODY;
	uint32_t distance = instruction(k, v->warp, v->warp->next)->distance;
	if (distance == 0 || distance > v->warp->next)
		return NOBODY;
	uint32_t number = v->warp->next - distance;
	return v->warp->result[number] > p->c ? (int64_t)number : NOBODY;
}

bool plain_operand_there(const struct plain *p, const struct plain_view *v)
{
	return plain_next_step(p, v) && waited_for(p, v) == NOBODY;
}

bool plain_waits_for_load(const struct plain *p, const struct plain_view *v)
{
	const struct plain_part *k = plain_part_of(p, v->block->job);
	int64_t number = waited_for(p, v);
	return number != NOBODY &&
	       k->described->steps[instruction(k, v->warp, (uint32_t)number)->step].kind == STEP_LOAD;
}

enum warp_unit plain_unit(const struct warp_step *s)
{
	return s->kind == STEP_COMPUTE ? s->unit : WARP_MEMORY;
}
