/* runs/replay/captured_fit.c - what launching, synchronising and copying took, by the record.
 *
 * Each number is the median, a gap the mean, of those operations that show it: nothing else was in their way.
 */
#include <stdlib.h>

#include "runs/replay/captured_parts.h"

/* Copies from this size on show the bandwidth: below, starting them counts. */
#define LARGE_COPY INT64_C(1048576)

struct samples {
	int64_t *at; /* [operations + waits] */
	size_t count;
};

static int compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* The median, the lower of two, and how many there are; they are forgotten. */
static int64_t take_median(struct samples *s, uint64_t *count, int64_t none)
{
	*count = s->count;
	if (s->count == 0)
		return none;
	qsort(s->at, s->count, sizeof(*s->at), compare);
	int64_t median = s->at[(s->count - 1) / 2];
	s->count = 0;
	return median;
}

/* The mean, rounded down. Gaps add up along a stream, which the mean keeps and the median does not. */
static int64_t take_mean(struct samples *s, uint64_t *count)
{
	int64_t sum = 0; /* of at most CAPTURED_TOLERANCE_NS each */
	*count = s->count;
	for (size_t i = 0; i < s->count; i++)
		sum += s->at[i];
	int64_t mean = s->count ? sum / (int64_t)s->count : CAPTURE_UNKNOWN;
	s->count = 0;
	return mean;
}

static void fit_launch(struct captured *c, struct samples *s)
{
	for (uint32_t i = 0; i < c->count; i++) {
		const struct captured_operation *o = &c->operations[i];
		if (o->kind == CAPTURED_KERNEL && o->op->call_ns != CAPTURE_UNKNOWN)
			s->at[s->count++] = o->op->return_ns - o->op->call_ns;
	}
	c->fit.launch_ns = take_median(s, &c->fit.launches, CAPTURE_UNKNOWN);
}

/* In the model the latency begins when the launch is over. */
static void fit_latency(struct captured *c, struct samples *s)
{
	for (uint32_t i = 0; i < c->count; i++) {
		const struct captured_operation *o = &c->operations[i];
		if (o->kind == CAPTURED_KERNEL && o->op->call_ns != CAPTURE_UNKNOWN &&
			o->eligible_ns == o->due_ns)
			s->at[s->count++] = o->op->start_ns - o->op->call_ns;
	}
	int64_t median = take_median(s, &c->fit.latencies, CAPTURE_UNKNOWN);
	if (median != CAPTURE_UNKNOWN)
		median = median > c->fit.launch_ns ? median - c->fit.launch_ns : 0;
	c->fit.latency_ns = median;
}

static void fit_gap(struct captured *c, struct samples *s)
{
	for (uint32_t i = 0; i < c->count; i++) {
		const struct captured_operation *o = &c->operations[i];
		if (o->predecessor == CAPTURED_NONE || (o->marks & CAPTURED_NO_CALL))
			continue;
		int64_t end = c->operations[o->predecessor].op->end_ns;
		if (o->due_ns + CAPTURE_LONG_BEFORE_NS <= end && o->eligible_ns == end &&
			o->op->start_ns >= end && o->op->start_ns <= end + CAPTURED_TOLERANCE_NS)
			s->at[s->count++] = o->op->start_ns - end;
	}
	c->fit.gap_ns = take_mean(s, &c->fit.gaps);
}

static void fit_rate(
	struct captured *c, struct samples *s, enum captured_kind kind, int64_t *rate, uint64_t *count)
{
	for (uint32_t i = 0; i < c->count; i++) {
		const struct captured_operation *o = &c->operations[i];
		int64_t length = o->op->end_ns - o->op->start_ns;
		if (o->kind == kind && o->op->bytes >= LARGE_COPY && length > 0)
			s->at[s->count++] = (int64_t)((double)o->op->bytes * 1e9 / (double)length);
	}
	*rate = take_median(s, count, 0);
}

/* ---- waits of threads ---- */

static void later(int64_t *time, int64_t other)
{
	if (other > *time)
		*time = other;
}

/* Waits that were over because work ended: it ended after the call began. `stream_ends`, `process_ends`: the
 * latest end of what was issued so far. */
static void fit_sync(struct captured *c, struct samples *s, int64_t *stream_ends, int64_t *process_ends)
{
	const struct capture *capture = c->capture;
	uint32_t next = 0;
	for (uint32_t i = 0; i < capture->wait_count; i++) {
		const struct capture_wait *w = &capture->waits[i];
		for (; next < c->count; next++) {
			const struct capture_operation *o = c->operations[next].op;
			if (o->call_ns == CAPTURE_UNKNOWN)
				continue;
			if (o->call_ns >= w->call_ns)
				break;
			later(&stream_ends[o->stream], o->end_ns);
			later(&process_ends[capture->streams[o->stream].process], o->end_ns);
		}
		int64_t end = INT64_MIN;
		if (w->kind == CAPTURE_WAIT_STREAM && w->stream != CAPTURE_NONE)
			end = stream_ends[w->stream];
		else if (w->kind == CAPTURE_WAIT_DEVICE && w->thread != CAPTURE_NONE)
			end = process_ends[capture->threads[w->thread].process];
		if (end > w->call_ns && w->return_ns >= end)
			s->at[s->count++] = w->return_ns - end;
	}
	c->fit.sync_ns = take_median(s, &c->fit.syncs, CAPTURE_UNKNOWN);
}

bool captured_fit_all(struct captured *c, struct error *err)
{
	uint32_t streams = c->capture->stream_count, processes = c->capture->process_count;
	struct samples s = {.at = malloc(((size_t)c->count + c->capture->wait_count + 1) * sizeof(*s.at))};
	int64_t *ends = malloc(((size_t)streams + processes + 1) * sizeof(*ends));
	bool ok = s.at && ends;
	if (ok) {
		for (uint32_t i = 0; i < streams + processes; i++)
			ends[i] = INT64_MIN;
		fit_launch(c, &s);
		fit_latency(c, &s);
		fit_gap(c, &s);
		fit_rate(c, &s, CAPTURED_TO_GPU, &c->fit.to_gpu, &c->fit.to_gpu_copies);
		fit_rate(c, &s, CAPTURED_TO_CPU, &c->fit.to_cpu, &c->fit.to_cpu_copies);
		fit_sync(c, &s, ends, ends + streams);
	} else {
		error_memory(err, "replaying a profile");
	}
	free(s.at);
	free(ends);
	return ok;
}
