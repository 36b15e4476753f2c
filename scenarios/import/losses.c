/* scenarios/import/losses.c - see scenarios/import/losses.h. */
#include "scenarios/import/losses.h"

#include <inttypes.h>
#include <stdlib.h>

static const char what[] = "importing a capture";

bool part_losses_of_thread(struct import *im, uint32_t thread, struct part_losses *l, struct error *err)
{
	const struct capture *c = im->capture;
	const struct capture_running *last = NULL;
	*l = (struct part_losses){.at = arena_new(&im->arena, struct part_loss, c->running_count)};
	if (!l->at)
		return error_memory(err, what);
	for (uint32_t i = 0; i < c->running_count; i++) {
		const struct capture_running *r = &c->running[i];
		if (r->thread != thread)
			continue;
		if (last && last->preempted && r->start_ns > last->end_ns)
			l->at[l->count++] = (struct part_loss){last->end_ns, r->start_ns};
		last = r;
	}
	return true;
}

bool part_losses_of_process(
	struct import *im, uint32_t process, uint32_t gpu, struct part_losses *l, struct error *err)
{
	const struct capture *c = im->capture;
	int64_t end = INT64_MAX; /* of all its slices so far */
	*l = (struct part_losses){.at = arena_new(&im->arena, struct part_loss, c->slice_count)};
	if (!l->at)
		return error_memory(err, what);
	for (uint32_t i = 0; i < c->slice_count; i++) {
		const struct capture_context_slice *s = &c->slices[i];
		if (s->process != process || s->gpu != gpu)
			continue;
		if (s->start_ns > end)
			l->at[l->count++] = (struct part_loss){end, s->start_ns};
		end = end == INT64_MAX || s->end_ns > end ? s->end_ns : end;
	}
	return true;
}

int64_t part_lost_ns(const struct part_losses *l, int64_t start, int64_t end)
{
	uint32_t low = 0, high = l->count;
	int64_t sum = 0;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (l->at[middle].end_ns <= start)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < l->count && l->at[low].start_ns < end; low++) {
		int64_t from = l->at[low].start_ns > start ? l->at[low].start_ns : start;
		int64_t to = l->at[low].end_ns < end ? l->at[low].end_ns : end;
		sum += to - from;
	}
	return sum;
}

/* ---- Time slices ---- */

bool part_sliced(const struct capture *c, uint32_t gpu)
{
	for (uint32_t i = 0; i < c->slice_count; i++)
		if (c->slices[i].gpu == gpu)
			return true;
	return false;
}

static int compare_lengths(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

static int64_t median(int64_t *lengths, uint32_t count)
{
	qsort(lengths, count, sizeof(*lengths), compare_lengths);
	return lengths[(count - 1) / 2];
}

static bool same_context(const struct capture_context_slice *a, const struct capture_context_slice *b)
{
	return a->process == b->process && a->context == b->context;
}

/* The GPU of the next context cannot be taken before it was given back: where one slice begins behind the end
 * of another context's, the time between them is at most what the switch took and what the GPU had nothing to
 * do. The median of these is not misled by a few pauses; that of the slices is not by the long ones of a
 * context that had the GPU for itself. */
bool part_note_slices(struct import *im, uint32_t gpu, struct error *err)
{
	const struct capture *c = im->capture;
	const struct capture_context_slice *last = NULL;
	int64_t *lengths = arena_new(&im->arena, int64_t, c->slice_count);
	int64_t *switches = arena_new(&im->arena, int64_t, c->slice_count);
	uint32_t count = 0, switched = 0;
	if (!lengths || !switches)
		return error_memory(err, what);
	for (uint32_t i = 0; i < c->slice_count; i++) {
		const struct capture_context_slice *s = &c->slices[i];
		if (s->gpu != gpu)
			continue;
		lengths[count++] = s->end_ns - s->start_ns;
		if (last && !same_context(last, s) && s->start_ns >= last->end_ns)
			switches[switched++] = s->start_ns - last->end_ns;
		last = s;
	}
	if (count == 0)
		return true;
	int64_t middle = median(lengths, count);
	if (switched == 0)
		return part_note(im, err, IMPORT_FOUND, "time slices", count,
			"of contexts on the GPU: half of them up to %.6g us, the longest %.6g us; no context "
			"took the GPU from another",
			(double)middle / 1e3, (double)lengths[count - 1] / 1e3);
	int64_t between = median(switches, switched);
	return part_note(im, err, IMPORT_FOUND, "time slices", count,
		"of contexts on the GPU: half of them up to %.6g us, the longest %.6g us; %" PRIu32
		" times the GPU went to another context, in %.6g us half of the times",
		(double)middle / 1e3, (double)lengths[count - 1] / 1e3, switched, (double)between / 1e3);
}
