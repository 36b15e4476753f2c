/* tests/conformance/warp_laws_blocks.c - laws of jobs and blocks: releases, ends, streams, where blocks go
 * and in what order, and that no SM holds more than it can. */
#include <inttypes.h>

#include "tests/conformance/warp_laws.h"

/* ---- resources ---- */

void warp_need_add(const struct warp_seen *s, uint32_t kernel, int64_t times, struct warp_need *sum)
{
	const struct warp_kernel *k = &s->scene->kernel[kernel];
	int64_t warps = s->warps[kernel], threads = warps * WARP_THREADS;
	sum->blocks += times;
	sum->warps += times * warps;
	sum->threads += times * threads;
	sum->registers += times * threads * k->registers;
	sum->shared_memory += times * k->shared_memory;
}

static bool within(int64_t limit, int64_t value)
{
	return limit == 0 || value <= limit;
}

bool warp_need_fits(const struct warp_seen *s, const struct warp_need *n)
{
	const struct platform *p = &s->scene->platform;
	return n->warps <= WARPS_PER_SM_MAX && within(p->warps_per_sm, n->warps) &&
	       within(p->threads_per_sm, n->threads) && within(p->blocks_per_sm, n->blocks) &&
	       within(p->registers_per_sm, n->registers) && within(p->shared_memory_per_sm, n->shared_memory);
}

/* What an SM holds in a cycle, before the start with number `before` among all stays; those
 * being saved, too. */
static struct warp_need held(const struct warp_seen *s, uint32_t sm, int64_t cycle, size_t before)
{
	struct warp_need sum = {0};
	for (size_t i = 0; i < before; i++)
		if (s->stays[i].sm == sm && s->stays[i].start <= cycle && s->stays[i].end > cycle)
			warp_need_add(s, s->stays[i].kernel, 1, &sum);
	return sum;
}

void warp_sm_limits(const struct warp_seen *s, struct warp_breach *v)
{
	for (size_t i = 0; i < s->stay_count; i++) {
		const struct warp_stay *stay = &s->stays[i];
		struct warp_need sum = held(s, stay->sm, stay->start, i + 1);
		if (!warp_need_fits(s, &sum))
			warp_broken(v,
				"SM %u at %" PRId64 ": %" PRId64 " blocks, %" PRId64 " warps, %" PRId64
				" registers, %" PRId64 " bytes",
				stay->sm, stay->start, sum.blocks, sum.warps, sum.registers,
				sum.shared_memory);
	}
}

/* ---- dealing ---- */

static const struct warp_stay *stay_of(const struct warp_seen *s, const struct warp_issue *row)
{
	for (size_t i = 0; i < s->stay_count; i++) {
		const struct warp_stay *stay = &s->stays[i];
		if (stay->kernel == row->kernel && stay->job == row->job && stay->block == row->block &&
			stay->start <= row->cycle && stay->end > row->cycle)
			return stay;
	}
	return NULL;
}

/* The n-th warp that an SM takes goes to sub-core n mod S. */
void warp_dealing(const struct warp_seen *s, struct warp_breach *v)
{
	for (size_t i = 0; i < s->life_count; i++) {
		const struct warp_life *life = &s->lives[i];
		const struct warp_stay *stay = NULL;
		for (size_t n = 0; n < life->count && !v->broken; n++) {
			const struct warp_issue *row = life->rows[n];
			if (!stay || stay->end <= row->cycle)
				stay = stay_of(s, row);
			uint64_t turn =
				stay ? (stay->arrival + row->warp) % s->scene->warps.machine.sub_cores : 0;
			if (!stay || stay->sm != row->sm)
				warp_broken(v,
					"kernel %u block %u issues on SM %u at %" PRId64 ", where it is not",
					row->kernel, row->block, row->sm, row->cycle);
			else if (row->sub_core != turn)
				warp_broken(v,
					"kernel %u block %u warp %u is in sub-core %u of SM %u, not in %u",
					row->kernel, row->block, row->warp, row->sub_core, row->sm,
					(uint32_t)turn);
		}
	}
}

/* ---- jobs ---- */

/* Releases of a kernel: job after job, before the horizon. */
void warp_releases(const struct warp_seen *s, struct warp_breach *v)
{
	int64_t horizon = s->scene->setup.horizon_ns;
	for (uint32_t k = 0; k < s->scene->warps.kernel_count; k++) {
		const struct warp_kernel *spec = &s->scene->kernel[k];
		int64_t next = spec->launch;
		uint32_t j = 0;
		for (; next < horizon && next < s->run->cycles; j++) {
			const struct warp_job *job = warp_seen_job(s, k, j);
			if (!job || job->release != next) {
				warp_broken(v, "kernel %u: job %u is not released at %" PRId64, k, j, next);
				return;
			}
			next = spec->repeat   ? (job->finished ? job->end : WARP_NEVER)
			       : spec->period ? next + spec->period
					      : WARP_NEVER;
		}
		if (warp_seen_job(s, k, j))
			warp_broken(v, "kernel %u: job %u is one too many", k, j);
	}
}

/* The first cycle in which a warp has ended: behind its last instruction, with all its results. */
static int64_t end_of_warp(const struct warp_life *life)
{
	int64_t end = 0;
	for (size_t n = 0; n < life->count; n++) {
		end = life->rows[n]->cycle + 1 > end ? life->rows[n]->cycle + 1 : end;
		end = life->rows[n]->result > end ? life->rows[n]->result : end;
	}
	return end;
}

static void check_block_end(const struct warp_seen *s, const struct warp_stay *stay, struct warp_breach *v)
{
	int64_t end = 0;
	for (uint32_t w = 0; w < s->warps[stay->kernel]; w++) {
		const struct warp_life *life = warp_seen_life(s, stay->kernel, stay->job, stay->block, w);
		int64_t warp_end = life->count == s->length[stay->kernel] ? end_of_warp(life) : WARP_NEVER;
		end = warp_end > end ? warp_end : end;
	}
	if (stay->how == SPAN_DONE ? stay->end != end : end <= stay->end && stay->how == SPAN_STOPPED)
		warp_broken(v, "kernel %u job %u block %u ends at %" PRId64 ", its last warp at %" PRId64,
			stay->kernel, stay->job, stay->block, stay->end, end);
}

static void check_job(const struct warp_seen *s, const struct warp_job *job, struct warp_breach *v)
{
	int64_t start = -1, end = 0;
	uint32_t done = 0;
	for (size_t i = 0; i < s->stay_count; i++) {
		const struct warp_stay *stay = &s->stays[i];
		if (stay->kernel != job->kernel || stay->job != job->number)
			continue;
		start = start < 0 ? stay->start : start;
		done += stay->how == SPAN_DONE;
		end = stay->end > end ? stay->end : end;
		if (stay->start < job->active)
			warp_broken(v, "kernel %u job %u starts at %" PRId64 ", before its stream takes it",
				job->kernel, job->number, stay->start);
	}
	bool whole = done == s->scene->kernel[job->kernel].blocks;
	if (job->ends != 1 || job->first_start != start)
		warp_broken(v, "kernel %u job %u: %u ends, first start %" PRId64 ", not %" PRId64,
			job->kernel, job->number, job->ends, job->first_start, start);
	if (job->finished != whole || job->end != (whole ? end : s->run->cycles))
		warp_broken(v, "kernel %u job %u ends at %" PRId64 ", its last block at %" PRId64,
			job->kernel, job->number, job->end, end);
}

void warp_job_ends(const struct warp_seen *s, struct warp_breach *v)
{
	uint64_t unfinished = 0;
	int64_t last = 0;
	bool drained = s->scene->setup.stop == STOP_DRAINED;
	for (size_t i = 0; i < s->stay_count; i++)
		check_block_end(s, &s->stays[i], v);
	for (uint32_t i = 0; i < s->job_count; i++) {
		check_job(s, &s->jobs[i], v);
		unfinished += !s->jobs[i].finished;
		last = s->jobs[i].end > last ? s->jobs[i].end : last;
	}
	int64_t end = !drained ? s->scene->setup.horizon_ns : unfinished ? s->scene->setup.limit_ns : last;
	if (s->run->cycles != end)
		warp_broken(v, "the run ends at %" PRId64 ", not at %" PRId64, s->run->cycles, end);
	if (s->run->outcome.truncated != (drained && unfinished > 0) || s->run->outcome.jobs != s->job_count)
		warp_broken(v, "truncated or the number of jobs is wrong");
}

/* ---- targets ---- */

/* From the beginning: `even`, `fill`, or SMs handed out. */
static uint32_t first_target(const struct warp_seen *s, uint32_t sm, uint32_t kernel)
{
	uint32_t kernels = s->scene->warps.kernel_count, sms = s->scene->platform.sms,
		 goals = warp_seen_goals(s);
	uint32_t users = 0, without = 0, rank = 0;
	bool spart = s->scene->options.manager == MANAGER_SPART, may[WARP_KERNELS_MAX];
	if (s->scene->options.blocks == BLOCKS_FILL)
		return UINT32_MAX;
	for (uint32_t k = 0; k < kernels; k++)
		without += !(goals >> k & 1);
	for (uint32_t k = 0; k < kernels; k++) {
		uint32_t n = spart ? kernels : without, i = spart ? k : rank;
		uint32_t from = n ? i * sms / n : 0, to = n ? (i + 1) * sms / n : 0;
		bool shares = spart || (goals && !(goals >> k & 1));
		may[k] = !shares || (from == to ? sm == i % sms : sm >= from && sm < to);
		rank += !(goals >> k & 1);
		users += may[k];
	}
	if (!may[kernel])
		return 0;
	/* The n-th part of every resource, rounded down: n times what a block needs must fit. */
	for (uint32_t blocks = 1;; blocks++) {
		struct warp_need one = {0};
		warp_need_add(s, kernel, blocks, &one);
		const struct platform *p = &s->scene->platform;
		const int64_t limits[] = {p->blocks_per_sm, p->warps_per_sm, p->threads_per_sm,
			p->registers_per_sm, p->shared_memory_per_sm, WARPS_PER_SM_MAX};
		const int64_t needs[] = {
			one.blocks, one.warps, one.threads, one.registers, one.shared_memory, one.warps};
		bool room = true;
		for (size_t i = 0; i < 6; i++)
			room = room && (limits[i] == 0 || needs[i] == 0 || needs[i] <= limits[i] / users);
		if (!room)
			return blocks > 1 ? blocks - 1 : spart ? 0 : 1;
	}
}

/* Of one SM between two epochs: how many targets rose and fell. */
static void check_moves(const struct warp_seen *s, uint32_t epoch, uint32_t sm, struct warp_breach *v)
{
	uint32_t rose = 0, fell = 0, owners = 0;
	bool spart = s->scene->options.manager == MANAGER_SPART;
	struct warp_need sum = {0};
	bool fit_before = true;
	for (uint32_t k = 0; k < s->scene->warps.kernel_count; k++) {
		const struct warp_epoch_quota *a = warp_seen_quota(s, epoch - 1, sm, k),
					      *b = warp_seen_quota(s, epoch, sm, k);
		if (b->target == UINT32_MAX || !b->target != !a->target ? !spart && b->target != a->target
									: false)
			warp_broken(v, "SM %u epoch %u: the target of kernel %u comes or goes", sm, epoch, k);
		rose += b->target > a->target;
		fell += b->target < a->target;
		owners += b->target > 0;
		if (b->target != UINT32_MAX)
			warp_need_add(s, k, a->target, &sum);
		if (!spart && b->target > a->target && b->target != a->target + 1)
			warp_broken(v, "SM %u epoch %u: the target of kernel %u rises by more than 1", sm,
				epoch, k);
	}
	fit_before = warp_need_fits(s, &sum);
	sum = (struct warp_need){0};
	for (uint32_t k = 0; k < s->scene->warps.kernel_count; k++)
		warp_need_add(s, k, warp_seen_quota(s, epoch, sm, k)->target, &sum);
	bool moves = spart || (warp_seen_has_quotas(s) && s->scene->options.adjust);
	if (rose > (moves ? 1 : 0) || fell > rose || (spart && owners != 1))
		warp_broken(v, "SM %u epoch %u: %u targets rise, %u fall, %u have blocks", sm, epoch, rose,
			fell, owners);
	if (!spart && s->scene->options.blocks == BLOCKS_EVEN && fit_before && !warp_need_fits(s, &sum))
		warp_broken(v, "SM %u epoch %u: the targets do not fit", sm, epoch);
}

void warp_targets(const struct warp_seen *s, struct warp_breach *v)
{
	for (uint32_t e = 0; e < s->epochs; e++) {
		uint32_t changed = 0;
		for (uint32_t sm = 0; sm < s->scene->platform.sms; sm++) {
			for (uint32_t k = 0; k < s->scene->warps.kernel_count; k++) {
				uint32_t target = warp_seen_quota(s, e, sm, k)->target;
				if (e == 0 && target != first_target(s, sm, k))
					warp_broken(v, "SM %u: the target of kernel %u is %u, not %u", sm, k,
						target, first_target(s, sm, k));
				changed +=
					e > 0 && k == 0 && target != warp_seen_quota(s, e - 1, sm, k)->target;
			}
			if (e > 0)
				check_moves(s, e, sm, v);
		}
		if (s->scene->options.manager == MANAGER_SPART && s->scene->warps.kernel_count == 2 &&
			changed > 1)
			warp_broken(v, "epoch %u: %u SMs change hands", e, changed);
	}
}

/* ---- contexts ---- */

/* A block that is swapped out leaves when its context is through, as the server says. */
void warp_contexts(const struct warp_seen *s, struct warp_breach *v)
{
	for (size_t i = 0; i < s->stay_count; i++) {
		const struct warp_stay *stay = &s->stays[i];
		if (stay->leave == WARP_NEVER || stay->leave >= s->cut)
			continue;
		int64_t end = stay->through > stay->leave ? stay->through : stay->leave + 1;
		if (stay->end != end)
			warp_broken(v,
				"kernel %u block %u is swapped out from %" PRId64 " to %" PRId64
				", not to %" PRId64,
				stay->kernel, stay->block, stay->leave, stay->end, end);
	}
}

/* ---- dispatch ---- */

/* Blocks of the kernel on an SM that are not being saved, before a start. */
static uint32_t blocks_there(
	const struct warp_seen *s, uint32_t kernel, uint32_t sm, int64_t cycle, size_t before)
{
	uint32_t count = 0;
	for (size_t i = 0; i < before; i++) {
		const struct warp_stay *stay = &s->stays[i];
		count += stay->kernel == kernel && stay->sm == sm && stay->start <= cycle &&
			 stay->end > cycle && stay->leave >= cycle;
	}
	return count;
}

/* In phase 3 of a cycle: the last epoch that began before it has set it. */
static uint32_t target_at(const struct warp_seen *s, uint32_t kernel, uint32_t sm, int64_t cycle)
{
	uint32_t e = 0;
	while (e + 1 < s->epochs && s->epoch_starts[e + 1] < cycle)
		e++;
	return warp_seen_quota(s, e, sm, kernel)->target;
}

/* Where the next block of a kernel goes; UINT32_MAX: nowhere. */
static uint32_t place_for(const struct warp_seen *s, uint32_t kernel, int64_t cycle, size_t before)
{
	uint32_t best = UINT32_MAX, fewest = UINT32_MAX;
	for (uint32_t sm = 0; sm < s->scene->platform.sms; sm++) {
		uint32_t blocks = blocks_there(s, kernel, sm, cycle, before);
		struct warp_need sum = held(s, sm, cycle, before);
		warp_need_add(s, kernel, 1, &sum);
		if (blocks >= target_at(s, kernel, sm, cycle) || blocks >= fewest || !warp_need_fits(s, &sum))
			continue;
		best = sm;
		fewest = blocks;
	}
	return best;
}

/* The active job of a kernel in a cycle that has blocks left to place before the start with this number, or
 * NULL. */
const struct warp_job *warp_seen_waiting(
	const struct warp_seen *s, uint32_t kernel, int64_t cycle, size_t before)
{
	for (uint32_t j = 0; warp_seen_job(s, kernel, j); j++) {
		const struct warp_job *job = warp_seen_job(s, kernel, j);
		if (job->active > cycle || (job->finished && job->end <= cycle))
			continue;
		/* Blocks that are there, or have been to the end. */
		uint32_t placed = 0;
		for (size_t i = 0; i < before; i++) {
			const struct warp_stay *stay = &s->stays[i];
			bool away = stay->how == SPAN_PREEMPTED && stay->end <= cycle;
			placed += stay->kernel == kernel && stay->job == j && !away;
		}
		return placed < s->scene->kernel[kernel].blocks ? job : NULL;
	}
	return NULL;
}

static bool served_before(const struct warp_seen *s, const struct warp_job *a, const struct warp_job *b)
{
	bool high_a = s->scene->kernel[a->kernel].stream_high,
	     high_b = s->scene->kernel[b->kernel].stream_high;
	if (high_a != high_b)
		return high_a;
	return a->release != b->release ? a->release < b->release : a->kernel < b->kernel;
}

/* Of those that wait in a cycle, and may be served, the first for whom there is a place. */
static const struct warp_job *next_served(
	const struct warp_seen *s, int64_t cycle, size_t before, uint32_t *sm)
{
	const struct warp_job *first = NULL;
	for (uint32_t k = 0; k < s->scene->warps.kernel_count; k++) {
		const struct warp_job *job = warp_seen_waiting(s, k, cycle, before);
		bool any = job && s->scene->options.blocks == BLOCKS_FILL;
		if (!job || (!any && place_for(s, k, cycle, before) == UINT32_MAX))
			continue;
		if (!first || served_before(s, job, first))
			first = job;
	}
	*sm = first ? place_for(s, first->kernel, cycle, before) : UINT32_MAX;
	return *sm == UINT32_MAX ? NULL : first;
}

/* Which block of the job is the next: those swapped out, first come, first served, then new ones. */
static uint32_t next_block(
	const struct warp_seen *s, const struct warp_job *job, int64_t cycle, size_t before)
{
	const struct warp_stay *first = NULL;
	uint32_t fresh = 0;
	for (size_t i = 0; i < before; i++) {
		const struct warp_stay *stay = &s->stays[i];
		if (stay->kernel != job->kernel || stay->job != job->number)
			continue;
		fresh += !stay->again;
		bool back = false;
		for (size_t n = i + 1; n < before; n++)
			back = back || (s->stays[n].kernel == job->kernel && s->stays[n].job == job->number &&
					       s->stays[n].block == stay->block);
		bool earlier =
			!first || stay->end < first->end || (stay->end == first->end && stay->sm < first->sm);
		if (stay->how == SPAN_PREEMPTED && stay->end <= cycle && !back && earlier)
			first = stay;
	}
	return first ? first->block : fresh;
}

/* Each block goes where and when it must, in the right order; and nobody waits for whom there is a place. */
void warp_dispatch(const struct warp_seen *s, struct warp_breach *v)
{
	uint32_t sm;
	for (size_t i = 0; i <= s->stay_count && !v->broken; i++) {
		const struct warp_stay *stay = i < s->stay_count ? &s->stays[i] : NULL;
		int64_t from = i > 0 ? s->stays[i - 1].start : 0,
			to = stay ? stay->start : s->run->cycles - 1;
		if (to >= s->cut)
			return;
		/* What can make a place: an end, an epoch, a job. Not the cycle of the start itself. */
		for (int64_t c = from; c < to; c++) {
			bool look = c == from;
			for (size_t n = 0; n < i && !look; n++)
				look = s->stays[n].end == c;
			for (uint32_t e = 0; e < s->epochs && !look; e++)
				look = s->epoch_starts[e] + 1 == c;
			for (uint32_t j = 0; j < s->job_count && !look; j++)
				look = s->jobs[j].active == c;
			const struct warp_job *job = look ? next_served(s, c, i, &sm) : NULL;
			if (job)
				warp_broken(
					v, "kernel %u has a place on SM %u at %" PRId64, job->kernel, sm, c);
		}
		const struct warp_job *job = stay ? next_served(s, to, i, &sm) : NULL;
		if (stay && (!job || job->kernel != stay->kernel || sm != stay->sm ||
				    next_block(s, job, to, i) != stay->block))
			warp_broken(v,
				"kernel %u block %u goes to SM %u at %" PRId64
				"; the next is of kernel %d to SM %d",
				stay->kernel, stay->block, stay->sm, stay->start, job ? (int)job->kernel : -1,
				(int)sm);
	}
}
