/* runs/replay/compare.c - the measures of a replay: errors in the order of start, SMs of the first wave, and
 * blocks that waited for an SM to drain. */
#include "runs/replay/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/int128.h"

/* From this time on a block counts as late, and an SM as just drained: several times the tens of microseconds
 * by which launches and clocks vary. */
#define LATE_NS INT64_C(200000)

static int compare_times(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* ---- Errors ---- */

/* k->error_ns[i] = the i-th predicted start minus the i-th recorded start. Rule R1 places blocks in the order
 * of their numbers; hardware does so nearly. */
static void subtract_starts(struct replay_kernel *k, int64_t *scratch)
{
	size_t blocks = k->kernel->blocks;
	memcpy(k->error_ns, k->start_ns, blocks * sizeof(*scratch));
	memcpy(scratch, k->kernel->start_ns, blocks * sizeof(*scratch));
	qsort(scratch, blocks, sizeof(*scratch), compare_times);
	for (size_t i = 0; i < blocks; i++)
		k->error_ns[i] -= scratch[i];
}

/* Median and maximum of `count` >= 1 values, which get sorted. */
static void summarise(struct replay_errors *e, int64_t *sizes, size_t count)
{
	qsort(sizes, count, sizeof(*sizes), compare_times);
	e->blocks = count;
	e->median_us = ((double)sizes[(count - 1) / 2] + (double)sizes[count / 2]) / 2000.0;
	e->max_us = (double)sizes[count - 1] / 1000.0;
}

static bool measure_errors(struct replay *replay, struct error *err)
{
	size_t total = 0, at = 0;
	for (uint32_t k = 0; k < replay->kernel_count; k++)
		total += replay->kernels[k].kernel->blocks;
	int64_t *all = calloc(total, sizeof(*all)), *scratch = calloc(total, sizeof(*scratch));
	if (!all || !scratch) {
		free(all);
		free(scratch);
		return error_memory(err, "replaying logs");
	}
	for (uint32_t i = 0; i < replay->kernel_count; i++) {
		struct replay_kernel *k = &replay->kernels[i];
		subtract_starts(k, scratch);
		for (size_t b = 0; b < k->kernel->blocks; b++)
			all[at + b] = scratch[b] = llabs(k->error_ns[b]);
		summarise(&k->errors, scratch, k->kernel->blocks);
		at += k->kernel->blocks;
	}
	summarise(&replay->errors, all, total);
	free(all);
	free(scratch);
	return true;
}

/* ---- SMs of the first wave ---- */

/* The first predicted end of a block of the process. */
static int64_t first_end(const struct replay *replay, uint32_t process)
{
	int64_t first = INT64_MAX;
	for (uint32_t i = 0; i < replay->kernel_count; i++) {
		const struct replay_kernel *k = &replay->kernels[i];
		for (size_t b = 0; k->process == process && b < k->kernel->blocks; b++)
			if (k->start_ns[b] + log_block_ns(k->kernel, (uint32_t)b) < first)
				first = k->start_ns[b] + log_block_ns(k->kernel, (uint32_t)b);
	}
	return first;
}

static void match_sms(struct replay *replay)
{
	for (uint32_t process = 0; process < replay->processes; process++) {
		int64_t end = first_end(replay, process);
		for (uint32_t i = 0; i < replay->kernel_count; i++) {
			struct replay_kernel *k = &replay->kernels[i];
			for (size_t b = 0; k->process == process && b < k->kernel->blocks; b++) {
				if (k->start_ns[b] >= end || k->kernel->sm[b] == LOG_NO_SM)
					continue;
				k->errors.first_wave++;
				k->errors.sm_matches += k->sm[b] == k->kernel->sm[b];
			}
		}
	}
}

/* ---- Drained SMs ---- */

/* A recorded block, sorted by process and SM. */
struct compare_stay {
	uint32_t process;
	int32_t sm;
	const struct log_kernel *kernel;
	int64_t start_ns, end_ns;
};

static int compare_stays(const void *a, const void *b)
{
	const struct compare_stay *x = a, *y = b;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (x->sm != y->sm)
		return x->sm < y->sm ? -1 : 1;
	return (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

static size_t list_stays(const struct replay *replay, struct compare_stay *stays)
{
	size_t count = 0;
	for (uint32_t i = 0; i < replay->kernel_count; i++) {
		const struct log_kernel *k = replay->kernels[i].kernel;
		for (size_t b = 0; b < k->blocks; b++)
			stays[count++] = (struct compare_stay){
				replay->kernels[i].process, k->sm[b], k, k->start_ns[b], k->end_ns[b]};
	}
	qsort(stays, count, sizeof(*stays), compare_stays);
	return count;
}

/* Whether a block that was predicted at one instant, and began later on an SM, began just after the last
 * block with less shared memory had left this SM. */
static bool waited_for_drain(const struct compare_stay *stays, size_t count, const struct compare_stay *block,
	int64_t predicted_ns)
{
	struct compare_stay from = *block;
	from.end_ns = INT64_MIN;
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare_stays(&stays[middle], &from) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	int64_t last_end = INT64_MIN;
	for (; low < count && stays[low].process == block->process && stays[low].sm == block->sm; low++)
		if (stays[low].kernel->shared_memory < block->kernel->shared_memory &&
			stays[low].start_ns < predicted_ns + LATE_NS && stays[low].end_ns > predicted_ns)
			last_end = stays[low].end_ns;
	return last_end != INT64_MIN && llabs(block->start_ns - last_end) < LATE_NS;
}

static void find_drained(struct replay *replay, const struct compare_stay *stays, size_t count)
{
	for (uint32_t i = 0; i < replay->kernel_count; i++) {
		struct replay_kernel *k = &replay->kernels[i];
		for (size_t b = 0; k->kernel->shared_memory > 0 && b < k->kernel->blocks; b++) {
			const struct compare_stay block = {
				k->process, k->kernel->sm[b], k->kernel, k->kernel->start_ns[b], 0};
			if (block.sm != LOG_NO_SM && block.start_ns - k->start_ns[b] > LATE_NS)
				k->errors.drained += waited_for_drain(stays, count, &block, k->start_ns[b]);
		}
		replay->errors.drained += k->errors.drained;
	}
}

static bool uses_shared_memory(const struct replay *replay)
{
	for (uint32_t i = 0; i < replay->kernel_count; i++)
		if (replay->kernels[i].kernel->shared_memory > 0)
			return true;
	return false;
}

/* ---- Blocks that differ ---- */

#define UNEVEN_PERCENT 5

/* Longest over shortest; a recorded block may take no time. */
static double unevenness(const struct log_kernel *k)
{
	return (double)k->longest_ns / (double)(k->shortest_ns > 0 ? k->shortest_ns : 1);
}

static void find_uneven(struct replay *replay)
{
	for (uint32_t i = 0; i < replay->kernel_count; i++) {
		const struct log_kernel *k = replay->kernels[i].kernel;
		if ((int128)k->longest_ns * 100 <= (int128)k->shortest_ns * (100 + UNEVEN_PERCENT))
			continue;
		if (replay->uneven++ == 0 ||
			unevenness(k) > unevenness(replay->kernels[replay->most_uneven].kernel))
			replay->most_uneven = i;
	}
}

bool compare_starts(struct replay *replay, struct error *err)
{
	if (!measure_errors(replay, err))
		return false;
	match_sms(replay);
	find_uneven(replay);
	for (uint32_t i = 0; i < replay->kernel_count; i++) {
		replay->errors.first_wave += replay->kernels[i].errors.first_wave;
		replay->errors.sm_matches += replay->kernels[i].errors.sm_matches;
	}
	if (!uses_shared_memory(replay))
		return true;
	struct compare_stay *stays = calloc(replay->errors.blocks, sizeof(*stays));
	if (!stays)
		return error_memory(err, "replaying logs");
	find_drained(replay, stays, list_stays(replay, stays));
	free(stays);
	return true;
}
