/* tests/conformance/warp_laws_epochs.c - laws of epochs: their borders, what is counted in them, goals, and
 * the quotas that follow (QoS 3.2 to 3.5). */
#include <inttypes.h>

#include "tests/conformance/warp_laws.h"

#define MILLION INT64_C(1000000)

/* ---- borders ---- */

/* A job's kernel has had none in the cycle before its stream takes it. */
static bool is_new(const struct warp_seen *s, const struct warp_job *job)
{
	const struct warp_job *last = job->number > 0 ? warp_seen_job(s, job->kernel, job->number - 1) : NULL;
	return job->active != WARP_NEVER && (!last || last->end < job->active);
}

static bool comes_at(const struct warp_seen *s, int64_t cycle)
{
	for (uint32_t i = 0; i < s->job_count; i++)
		if (s->jobs[i].active == cycle && is_new(s, &s->jobs[i]))
			return true;
	return false;
}

static void check_epoch(const struct warp_seen *s, uint32_t e, struct warp_breach *v)
{
	int64_t begin = s->epoch_starts[e], end = s->epoch_starts[e + 1], length = s->scene->options.epoch;
	for (uint32_t k = 0; k < s->scene->warps.kernel_count; k++) {
		const struct warp_epoch *row = warp_seen_epoch(s, e, k);
		if (row->epoch != e || row->kernel != k || row->start != begin || row->end != end)
			warp_broken(v,
				"epoch %u, kernel %u: from %" PRId64 " to %" PRId64 ", not from %" PRId64
				" to %" PRId64,
				e, k, row->start, row->end, begin, end);
	}
	for (uint32_t i = 0; i < s->job_count; i++)
		if (is_new(s, &s->jobs[i]) && s->jobs[i].active > begin && s->jobs[i].active < end)
			warp_broken(v, "epoch %u does not end at %" PRId64 ", when kernel %u gets a job", e,
				s->jobs[i].active, s->jobs[i].kernel);
	if (end - begin > length || end <= begin)
		warp_broken(v, "epoch %u has %" PRId64 " cycles", e, end - begin);
	if (end - begin < length && e + 1 < s->epochs && !comes_at(s, end))
		warp_broken(v, "epoch %u ends at %" PRId64 " without a reason", e, end);
}

void warp_epochs_tile(const struct warp_seen *s, struct warp_breach *v)
{
	uint32_t kernels = s->scene->warps.kernel_count, sms = s->scene->platform.sms;
	if (s->run->cycles > 0 && (s->epochs == 0 || s->epoch_starts[0] != 0))
		warp_broken(v, "no epoch begins in cycle 0");
	if (s->run->epochs_count != (size_t)s->epochs * kernels ||
		s->run->sms_count != (size_t)s->epochs * sms ||
		s->run->quotas_count != (size_t)s->epochs * sms * kernels) {
		warp_broken(v, "%u epochs: rows are missing", s->epochs);
		return;
	}
	for (uint32_t e = 0; e < s->epochs && !v->broken; e++)
		check_epoch(s, e, v);
}

/* ---- counts ---- */

struct sum {
	int64_t warp_instructions, thread_instructions, blocks;
};

/* The first row of a cycle, or behind it; rows are in order. */
static size_t row_from(const struct warp_seen *s, int64_t cycle)
{
	size_t low = 0, high = s->run->issues_count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (s->run->issues[middle].cycle < cycle)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* What a kernel issued in [from, to) on an SM (UINT32_MAX: all), and its blocks there at `from`, before any
 * is moved. */
static struct sum sum_of(const struct warp_seen *s, uint32_t kernel, uint32_t sm, int64_t from, int64_t to)
{
	struct sum sum = {0};
	for (size_t i = row_from(s, from), last = row_from(s, to); i < last; i++) {
		const struct warp_issue *row = &s->run->issues[i];
		if (row->kernel != kernel || (sm != UINT32_MAX && row->sm != sm))
			continue;
		sum.warp_instructions++;
		sum.thread_instructions += row->threads;
	}
	for (size_t i = 0; i < s->stay_count; i++) {
		const struct warp_stay *stay = &s->stays[i];
		sum.blocks += stay->kernel == kernel && (sm == UINT32_MAX || stay->sm == sm) &&
			      stay->start <= from && stay->end > from && stay->leave >= from;
	}
	return sum;
}

/* The cycle in which the first job of the kernel became active; NEVER. */
static int64_t launched(const struct warp_seen *s, uint32_t kernel)
{
	const struct warp_job *first = warp_seen_job(s, kernel, 0);
	return first ? first->active : WARP_NEVER;
}

/* IPC since then; -1: there is none. */
static int64_t history(const struct warp_seen *s, uint32_t kernel, int64_t until)
{
	int64_t from = launched(s, kernel);
	if (from >= until)
		return -1;
	return (int64_t)((int128)sum_of(s, kernel, UINT32_MAX, 0, until).thread_instructions * MILLION /
			 (until - from));
}

static void check_counts(const struct warp_seen *s, uint32_t e, uint32_t k, struct warp_breach *v)
{
	int64_t begin = s->epoch_starts[e], end = s->epoch_starts[e + 1];
	bool known = begin <= s->cut;
	const struct warp_epoch *row = warp_seen_epoch(s, e, k);
	struct sum all = sum_of(s, k, UINT32_MAX, begin, end);
	if (row->thread_instructions != all.thread_instructions ||
		row->warp_instructions != all.warp_instructions || (known && row->blocks != all.blocks))
		warp_broken(v,
			"epoch %u, kernel %u: %" PRId64 " thread instructions and %u blocks, not %" PRId64
			" and %" PRId64,
			e, k, row->thread_instructions, row->blocks, all.thread_instructions, all.blocks);
	if (row->history_ipc != history(s, k, end))
		warp_broken(v, "epoch %u, kernel %u: IPC so far %" PRId64 ", not %" PRId64, e, k,
			row->history_ipc, history(s, k, end));
	for (uint32_t sm = 0; sm < s->scene->platform.sms; sm++) {
		const struct warp_epoch_quota *there = warp_seen_quota(s, e, sm, k);
		struct sum own = sum_of(s, k, sm, begin, end);
		if (there->epoch != e || there->sm != sm || there->kernel != k ||
			there->thread_instructions != own.thread_instructions ||
			there->warp_instructions != own.warp_instructions ||
			(known && there->blocks != own.blocks))
			warp_broken(v, "epoch %u, kernel %u on SM %u: the counts are not those of its rows",
				e, k, sm);
	}
}

void warp_epoch_counts(const struct warp_seen *s, struct warp_breach *v)
{
	for (uint32_t e = 0; e < s->epochs && !v->broken; e++)
		for (uint32_t k = 0; k < s->scene->warps.kernel_count; k++)
			check_counts(s, e, k, v);
}

/* ---- goals ---- */

static int64_t at_most(int128 value)
{
	return value < WARP_GOAL_MAX ? (int64_t)value : WARP_GOAL_MAX;
}

/* Thread instructions of a launch. */
static int64_t launch_size(const struct warp_seen *s, uint32_t kernel)
{
	int64_t sum = 0;
	for (uint32_t n = 0; n < s->length[kernel]; n++) {
		for (uint32_t w = 0; w < s->warps[kernel]; w++) {
			uint32_t has = s->scene->kernel[kernel].block_threads - w * WARP_THREADS;
			uint32_t active = s->program[kernel][n].step->threads;
			has = has < WARP_THREADS ? has : WARP_THREADS;
			sum += active < has ? active : has;
		}
	}
	return sum * s->scene->kernel[kernel].blocks;
}

static int64_t goal_of(const struct warp_seen *s, uint32_t kernel)
{
	const struct warp_goal *g = &s->scene->kernel[kernel].goal;
	int64_t share = (int64_t)((int128)s->scene->alone[kernel] * g->share_ppm / MILLION);
	switch (g->kind) {
	case GOAL_IPC:
		return g->ipc;
	case GOAL_SHARE:
		return share > 1 ? share : 1;
	case GOAL_TIME:
		return at_most((int128)launch_size(s, kernel) * MILLION / g->kernel_ns);
	default:
		return -1;
	}
}

static void check_result(const struct warp_seen *s, uint32_t kernel, struct warp_breach *v)
{
	const struct warp_kernel_result *r = &s->run->kernel[kernel];
	int64_t since = launched(s, kernel), cycles = since < s->run->cycles ? s->run->cycles - since : 0;
	int64_t ipc = history(s, kernel, s->run->cycles), goal = goal_of(s, kernel);
	ipc = ipc < 0 ? 0 : ipc;
	if (r->cycles != cycles || r->ipc != ipc || r->goal != goal)
		warp_broken(v,
			"kernel %u: IPC %" PRId64 " of %" PRId64 " cycles, goal %" PRId64 ", not %" PRId64
			", %" PRId64 ", %" PRId64,
			kernel, r->ipc, r->cycles, r->goal, ipc, cycles, goal);
	if (r->reached != (goal >= 0 && cycles > 0 && ipc >= goal))
		warp_broken(v, "kernel %u: does it reach its goal of %" PRId64 " with %" PRId64 "?", kernel,
			goal, ipc);
}

/* Has the kernel a job at the epoch's begin, and has had one in all of the epoch before? */
static bool steady(const struct warp_seen *s, uint32_t kernel, uint32_t epoch)
{
	int64_t now = s->epoch_starts[epoch], since = WARP_NEVER;
	for (uint32_t j = 0; warp_seen_job(s, kernel, j); j++) {
		const struct warp_job *job = warp_seen_job(s, kernel, j);
		if (job->active > now || job->active == WARP_NEVER)
			break;
		since = is_new(s, job) ? job->active : since;
		if (!job->finished || job->end > now)
			return since <= s->epoch_starts[epoch - 1];
	}
	return false;
}

/* A of kernels with a goal. */
static int64_t adjusted(const struct warp_seen *s, uint32_t kernel, uint32_t epoch)
{
	int64_t goal = goal_of(s, kernel), now = s->epoch_starts[epoch], ipc = history(s, kernel, now);
	int64_t issued = sum_of(s, kernel, UINT32_MAX, 0, now).thread_instructions;
	bool looks_back = s->scene->options.history && s->scene->options.manager != MANAGER_NAIVE;
	if (!looks_back || issued == 0 || ipc < 0 || ipc >= goal)
		return goal;
	return at_most((int128)goal * goal * (now - launched(s, kernel)) / ((int128)MILLION * issued));
}

static int64_t epoch_ipc(const struct warp_seen *s, uint32_t kernel, uint32_t epoch)
{
	int64_t begin = s->epoch_starts[epoch], end = s->epoch_starts[epoch + 1];
	return (int64_t)((int128)sum_of(s, kernel, UINT32_MAX, begin, end).thread_instructions * MILLION /
			 (end - begin));
}

/* A of the others. */
static int64_t of_others(const struct warp_seen *s, uint32_t kernel, uint32_t epoch)
{
	int64_t a = epoch > 0 ? epoch_ipc(s, kernel, epoch - 1) : 0;
	a = at_most(a > MILLION ? a : MILLION);
	for (uint32_t k = 0; k < s->scene->warps.kernel_count && epoch > 0; k++)
		if (warp_seen_goals(s) >> k & 1 && steady(s, k, epoch))
			a = at_most((int128)a * epoch_ipc(s, k, epoch - 1) / adjusted(s, k, epoch));
	return a;
}

void warp_goals(const struct warp_seen *s, struct warp_breach *v)
{
	for (uint32_t k = 0; k < s->scene->warps.kernel_count; k++) {
		check_result(s, k, v);
		for (uint32_t e = 0; e < s->epochs && !v->broken; e++) {
			bool has = warp_seen_goals(s) >> k & 1;
			int64_t a = !warp_seen_has_quotas(s) ? -1
				    : has                    ? adjusted(s, k, e)
							     : of_others(s, k, e);
			if (warp_seen_epoch(s, e, k)->adjusted_goal != a)
				warp_broken(v, "epoch %u, kernel %u: A is %" PRId64 ", not %" PRId64, e, k,
					warp_seen_epoch(s, e, k)->adjusted_goal, a);
		}
	}
}

/* ---- quotas ---- */

/* A kernel's quota is split by its blocks; and a counter is what it began with, and was given, less what was
 * issued. */
void warp_quotas(const struct warp_seen *s, struct warp_breach *v)
{
	for (size_t i = 0; i < s->run->quotas_count; i++) {
		const struct warp_epoch_quota *row = &s->run->quotas[i];
		const struct warp_epoch *all = warp_seen_epoch(s, row->epoch, row->kernel);
		int128 whole = (int128)all->adjusted_goal * s->scene->options.epoch / MILLION;
		int64_t quota = all->blocks ? (int64_t)(whole * row->blocks / all->blocks) : 0;
		quota = warp_seen_has_quotas(s) ? (quota > 1 ? quota : 1) : -1;
		if (row->quota != quota)
			warp_broken(v, "epoch %u, kernel %u on SM %u: quota %" PRId64 ", not %" PRId64,
				row->epoch, row->kernel, row->sm, row->quota, quota);
		if (warp_seen_has_quotas(s) &&
			row->counter_start + row->added - row->thread_instructions != row->counter_end)
			warp_broken(v,
				"epoch %u, kernel %u on SM %u: %" PRId64 " and %" PRId64 " less %" PRId64
				" is not %" PRId64,
				row->epoch, row->kernel, row->sm, row->counter_start, row->added,
				row->thread_instructions, row->counter_end);
		if (warp_seen_has_quotas(s) && row->counter_end < -31)
			warp_broken(v, "epoch %u, kernel %u on SM %u: C is %" PRId64, row->epoch, row->kernel,
				row->sm, row->counter_end);
	}
}
