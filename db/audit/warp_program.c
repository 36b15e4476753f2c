/* db/audit/warp_program.c - what follows from a program alone: which instruction comes next, how many there
 * are, what a block needs, the value of a goal (docs/warps.md, "Programs", "Memory", "Goals"). */
#include "db/audit/warps.h"

#define BILLION 1000000000

static int64_t up(int128 n, int128 d)
{
	return (int64_t)((n + d - 1) / d);
}

int64_t warps_ns(const struct warp_description *d, int64_t cycle)
{
	return (int64_t)((int128)cycle * BILLION / d->clock_hz);
}

int64_t warps_cycle(const struct warp_description *d, int64_t ns)
{
	return up((int128)ns * d->clock_hz, BILLION);
}

int64_t warps_duration(const struct warp_description *d, int64_t ns)
{
	return (int64_t)((int128)ns * d->clock_hz / BILLION);
}

/* Is there another round of the loop behind the `done` ones that this warp has had? */
static bool goes_on(const struct audit_step *loop, int64_t done, const struct shared_rounds *shared)
{
	if (loop->rounds == OF_EACH_WARP)
		return done < loop->count;
	if (loop->rounds == SHARED_BY_BLOCKS && done < *shared->given)
		return true;
	if (*shared->left == 0)
		return false;
	--*shared->left;
	++*shared->given;
	return true;
}

/* Leaves, or repeats, the loops whose last step is before this place, and enters those that begin at it. */
static void settle(
	const struct audit_part *k, struct place_in_program *at, const struct shared_rounds *shared)
{
	while (at->depth > 0) {
		uint32_t loop = at->loop[at->depth - 1].step;
		if (at->step != loop + 1 + (uint32_t)k->step[loop].body)
			break;
		if (goes_on(&k->step[loop], ++at->loop[at->depth - 1].round, shared))
			at->step = loop + 1;
		else
			at->depth--;
		if (at->step == loop + 1)
			break;
	}
	while (at->step < k->steps && k->step[at->step].kind == STEP_LOOP && at->depth < WARP_LOOPS) {
		at->loop[at->depth].step = at->step++;
		at->loop[at->depth++].round = 0;
	}
	at->over = at->step >= k->steps;
}

void walk_program_begin(const struct audit_part *k, struct place_in_program *at)
{
	*at = (struct place_in_program){.over = false};
	settle(k, at, NULL);
}

void walk_program_next(
	const struct audit_part *k, struct place_in_program *at, const struct shared_rounds *shared)
{
	if (at->over)
		return;
	at->number++;
	if (++at->done < k->step[at->step].count)
		return;
	at->done = 0;
	at->step++;
	settle(k, at, shared);
}

int64_t walk_program_threads(const struct audit_part *k, const struct audit_step *step, uint32_t warp)
{
	int64_t left = k->block_threads - (int64_t)warp * WARP;
	int64_t has = left < WARP ? left : WARP;
	return step->threads < has ? step->threads : has;
}

int64_t walk_sectors_bytes(const struct audit_step *step, int64_t threads)
{
	int64_t by_bytes = up((int128)threads * step->bytes, 32),
		apart = up((int128)threads * (WARP_MILLION - step->coalescing_ppm), WARP_MILLION);
	int64_t sectors = by_bytes > apart ? by_bytes : apart;
	return 32 * (sectors > 1 ? sectors : 1);
}
