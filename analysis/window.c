/* analysis/window.c - see analysis/window.h. The workload function is that of RTGPU's Lemmas 2.1, 5.2 and
 * 5.4; Whole periods may be skipped at once, because the gaps repeat after the first job, and gaps and
 * lengths add up to the period. */
#include "analysis/window.h"

#include "analysis/verdict.h"
#include "base/int128.h"

int64_t window_gap(const struct window *w, uint64_t j)
{
	uint64_t r = j % w->count;
	if (r != w->count - 1)
		return w->inner[r];
	return j == r ? w->first_wrap : w->tail;
}

/* Work from segment j on, within one job, in the time *left; subtracts what it uses. True: the window ended
 * in this job. */
static bool walk_job(const struct window *w, uint32_t j, int64_t last_gap, int64_t *left, int64_t *work)
{
	for (; j < w->count; j++) {
		int64_t length = w->length[j], gap = j + 1 < w->count ? w->inner[j] : last_gap;
		if (length + gap > *left) {
			*work += length < *left ? length : *left;
			return true;
		}
		*work += length;
		*left -= length + gap;
	}
	return false;
}

int64_t window_work(const struct window *w, uint32_t h, int64_t t)
{
	int64_t work = 0, left = t;
	if (walk_job(w, h, w->first_wrap, &left, &work))
		return work;
	int64_t jobs = left / w->period, per_job = 0;
	for (uint32_t j = 0; j < w->count; j++)
		per_job += w->length[j];
	work += jobs * per_job;
	left -= jobs * w->period;
	walk_job(w, 0, w->tail, &left, &work);
	return work;
}

/* The end of a window whose beginning moves from segment to segment of its first job. */
struct window_end {
	uint32_t segment; /* the segment in which it is; `into` is the time since its start */
	uint64_t into;
	bool later;    /* in a job after the first */
	uint64_t done; /* all lengths before it, from the first job's first segment on */
};

/* From the start of the segment in which, or behind which, the end is to that of the next one. */
static inline uint64_t span_of(const struct window *w, const struct window_end *e)
{
	uint32_t j = e->segment;
	int64_t last_gap = e->later ? w->tail : w->first_wrap;
	return (uint64_t)(w->length[j] + (j + 1 < w->count ? w->inner[j] : last_gap));
}

/* Moves the end on to the segment in which, or behind which, it is. */
static void settle(const struct window *w, struct window_end *e)
{
	for (;;) {
		uint32_t j = e->segment;
		uint64_t span = span_of(w, e);
		if (span > e->into)
			return;
		e->into -= span;
		e->done += (uint64_t)w->length[j];
		e->segment = j + 1 < w->count ? j + 1 : 0;
		if (e->segment != 0 || e->later)
			continue;
		/* `done` is one whole job. */
		uint64_t period = (uint64_t)w->period, jobs = e->into < period ? 0 : e->into / period;
		e->into -= jobs * period;
		e->done += jobs * e->done;
		e->later = true;
	}
}

/* Beginning and end move over the segments together, so that all starts cost as much as one.
 *
 * When t grows, a window that ends in a segment has as much more work until the segment ends, and no window
 * has more than that: so if the one with the most work does, the most grows with t that far. Else a window
 * has no more work until the next segment begins, and cannot become the one with the most before it has made
 * up for what it has less. */
static inline void find(const struct window *w, int64_t t, bool most_only, struct window_piece *piece)
{
	struct window_end end = {.into = (uint64_t)t};
	uint64_t most = 0, before = 0, rises = 0;
	int64_t slack = INT64_MAX; /* the least of: time to the next segment, less work */
	for (uint32_t h = 0; h < w->count; h++) {
		settle(w, &end);
		uint64_t length = (uint64_t)w->length[end.segment];
		bool inside = end.into < length;
		uint64_t work = end.done - before + (inside ? end.into : length);
		uint64_t rest = inside ? length - end.into : 0;
		int64_t idle = inside ? 0 : (int64_t)(span_of(w, &end) - end.into);
		if (most_only)
			most = work > most ? work : most;
		else if (work > most || (work == most && rest > rises)) {
			most = work;
			rises = rest;
		}
		slack = idle - (int64_t)work < slack ? idle - (int64_t)work : slack;
		before += (uint64_t)w->length[h];
		end.into += (uint64_t)(h + 1 < w->count ? w->length[h] + w->inner[h] : 0);
	}
	int64_t on = w->count == 0 ? INT64_MAX : rises > 0 ? (int64_t)rises : (int64_t)most + slack;
	*piece = (struct window_piece){
		.from = t,
		.until = on < INT64_MAX - t ? t + on : INT64_MAX,
		.most = (int64_t)most,
		.rises = rises > 0,
	};
}

void window_piece_find(const struct window *w, int64_t t, struct window_piece *piece)
{
	find(w, t, false, piece);
}

int64_t window_most(const struct window *w, int64_t t)
{
	struct window_piece piece;
	find(w, t, true, &piece);
	return piece.most;
}

int64_t window_fixed_point(const struct window_sum *sum)
{
	int64_t x = sum->from > sum->constant ? sum->from : sum->constant;
	for (uint32_t steps = 0;;) {
		if (x > sum->limit && (!sum->beyond || steps++ == WINDOW_PATIENCE))
			return NO_BOUND;
		int128 next = sum->constant;
		int64_t rises = 0; /* so far one window at least grows as fast as x */
		/* Beyond the limit x grows by much with every step. */
		bool pieces = sum->piece && x <= sum->limit;
		for (uint32_t i = 0; i < sum->count; i++) {
			int64_t t = x + sum->ahead;
			next += pieces ? window_piece_most(sum->window[i], t, &sum->piece[i])
				       : window_most(sum->window[i], t);
			if (pieces && sum->piece[i].rises && sum->piece[i].until - t > rises)
				rises = sum->piece[i].until - t;
		}
		if (next <= x)
			return x;
		/* As long as that lasts the sum stays ahead of x by as much at least. */
		next += rises;
		if (next >= INT64_MAX)
			return NO_BOUND;
		x = (int64_t)next;
	}
}
