/* policies/sbeet/energy.c - the energy of a predicted schedule (sBEET, eq. 1-5):
 *   static * length + sum of P_d,i(m_i) + idle * (M - sum of m_i) while a kernel runs.
 * Exact: times and powers are integers, and their products fit 128 bits. See policies/sbeet/sbeet.h. */
#include "policies/sbeet/sbeet.h"

/* Inserts an interval in the order of starts. Intervals come nearly in that order. */
static void insert(struct sbeet_interval *intervals, uint32_t count, int64_t start, int64_t end)
{
	uint32_t at = count;
	for (; at > 0 && intervals[at - 1].start > start; at--)
		intervals[at] = intervals[at - 1];
	intervals[at] = (struct sbeet_interval){start, end};
}

static int128 covered(const struct sbeet_interval *intervals, uint32_t count)
{
	int128 sum = 0;
	int64_t reached = INT64_MIN;
	for (uint32_t i = 0; i < count; i++) {
		int64_t from = latest(intervals[i].start, reached);
		if (intervals[i].end > from)
			sum += intervals[i].end - from;
		reached = latest(reached, intervals[i].end);
	}
	return sum;
}

int128 sbeet_energy(const struct sbeet_model *model, const struct sbeet_schedule *schedule, int64_t from,
	int64_t until, struct sbeet_interval *scratch)
{
	int128 dynamic = 0, used = 0; /* used: SMs in use, times time */
	uint32_t count = 0;
	for (uint32_t i = 0; i < schedule->count; i++) {
		const struct sbeet_placed *p = &schedule->placed[i];
		if (p->start >= until || p->end <= from)
			continue;
		const struct sbeet_kernel *kernel =
			p->section->kernel + (size_t)(p->sms - 1) * p->section->kernels;
		for (uint32_t k = 0; k < p->section->kernels; k++) {
			int64_t start = later(p->start, kernel[k].offset),
				end = later(start, kernel[k].length);
			start = latest(start, from);
			end = end < until ? end : until;
			if (start >= end)
				continue;
			dynamic += (int128)kernel[k].power_uw * (end - start);
			used += (int128)p->sms * (end - start);
			insert(scratch, count++, start, end);
		}
	}
	int128 active = covered(scratch, count);
	return (int128)model->static_uw * (until - from) + dynamic +
	       model->idle_per_sm_uw * (model->sms * active - used);
}
