/* runs/warp_recorder.c - see runs/warp_recorder.h. Rows are gathered in arrays, one per table, which go to
 * the writer when they are full. */
#include "runs/warp_recorder.h"

#include <stdlib.h>
#include <string.h>

#define BATCH 1024

/* The numbers in rows of a recording are those of the simulation. */
#define SAME(name) ((int)ROW_##name == (int)name)
_Static_assert(SAME(SLOT_ISSUED) && SAME(SLOT_EMPTY) && SAME(SLOT_QUOTA) && SAME(SLOT_UNIT) &&
		       SAME(SLOT_SCHEDULER) && SAME(SLOT_MEMORY) && SAME(SLOT_DEPENDENCE) &&
		       SAME(SLOT_BARRIER) && SAME(SLOT_SWAP) && SAME(SLOT_ENDING) &&
		       (int)ROW_SLOTS == (int)WARP_SLOTS,
	"reasons are columns");
_Static_assert(SAME(LEVEL_NONE) && SAME(LEVEL_SHARED) && SAME(LEVEL_L1) && SAME(LEVEL_L2) && SAME(LEVEL_DRAM),
	"levels are codes");
#undef SAME

struct warp_recorder {
	struct db_writer *writer;
	struct warp_observer observer;
	struct error error;
	bool failed;
	size_t issues, epochs, sms, quotas;
	struct warp_issue_row issue[BATCH];
	struct epoch_row epoch[BATCH];
	struct epoch_sm_row sm[BATCH];
	struct epoch_quota_row quota[BATCH];
};

static bool flush_issues(struct warp_recorder *r)
{
	size_t count = r->issues;
	r->issues = 0;
	r->failed = r->failed || (count && !writer_warp_issues(r->writer, r->issue, count, &r->error));
	return !r->failed;
}

static bool flush_epochs(struct warp_recorder *r)
{
	size_t count = r->epochs;
	r->epochs = 0;
	r->failed = r->failed || (count && !writer_epochs(r->writer, r->epoch, count, &r->error));
	return !r->failed;
}

static bool flush_sms(struct warp_recorder *r)
{
	size_t count = r->sms;
	r->sms = 0;
	r->failed = r->failed || (count && !writer_epoch_sms(r->writer, r->sm, count, &r->error));
	return !r->failed;
}

static bool flush_quotas(struct warp_recorder *r)
{
	size_t count = r->quotas;
	r->quotas = 0;
	r->failed = r->failed || (count && !writer_epoch_quotas(r->writer, r->quota, count, &r->error));
	return !r->failed;
}

/* ---- rows ---- */

static bool issues(void *self, const struct warp_issue *rows, size_t count)
{
	struct warp_recorder *r = self;
	for (size_t i = 0; i < count && !r->failed; i++) {
		const struct warp_issue *w = &rows[i];
		r->issue[r->issues++] = (struct warp_issue_row){
			.cycle = w->cycle,
			.latency_cycles = w->result < 0 ? -1 : w->result - w->cycle,
			.task = w->kernel,
			.seq = w->job,
			.block = w->block,
			.number = w->number,
			.step_idx = w->step,
			.place = warp_place(w->sm, w->sub_core),
			.code = warp_issue_code(w->threads, (enum row_level)w->level),
			.warp = w->warp,
		};
		if (r->issues == BATCH)
			flush_issues(r);
	}
	return !r->failed;
}

static bool epochs(void *self, const struct warp_epoch *rows, size_t count)
{
	struct warp_recorder *r = self;
	for (size_t i = 0; i < count && !r->failed; i++) {
		const struct warp_epoch *w = &rows[i];
		r->epoch[r->epochs++] = (struct epoch_row){
			.epoch = w->epoch,
			.task = w->kernel,
			.start_cycle = w->start,
			.end_cycle = w->end,
			.warp_instructions = w->warp_instructions,
			.thread_instructions = w->thread_instructions,
			.adjusted_goal_ppm = w->adjusted_goal,
			.history_ipc_ppm = w->history_ipc,
			.blocks = w->blocks,
			.swaps = w->swaps,
		};
		if (r->epochs == BATCH)
			flush_epochs(r);
	}
	return !r->failed;
}

static bool sms(void *self, const struct warp_epoch_sm *rows, size_t count)
{
	struct warp_recorder *r = self;
	for (size_t i = 0; i < count && !r->failed; i++) {
		struct epoch_sm_row *row = &r->sm[r->sms++];
		row->epoch = rows[i].epoch;
		row->sm = rows[i].sm;
		memcpy(row->cycles, rows[i].cycles, sizeof(row->cycles));
		if (r->sms == BATCH)
			flush_sms(r);
	}
	return !r->failed;
}

static bool quotas(void *self, const struct warp_epoch_quota *rows, size_t count)
{
	struct warp_recorder *r = self;
	for (size_t i = 0; i < count && !r->failed; i++) {
		const struct warp_epoch_quota *w = &rows[i];
		r->quota[r->quotas++] = (struct epoch_quota_row){
			.epoch = w->epoch,
			.sm = w->sm,
			.task = w->kernel,
			.blocks = w->blocks,
			.target = w->target == UINT32_MAX ? ROW_NONE : w->target,
			.idle_sum = w->idle_sum,
			.samples = w->samples,
			.quota = w->quota,
			.counter_start = w->counter_start,
			.counter_end = w->counter_end,
			.added = w->added,
			.warp_instructions = w->warp_instructions,
			.thread_instructions = w->thread_instructions,
		};
		if (r->quotas == BATCH)
			flush_quotas(r);
	}
	return !r->failed;
}

/* ---- its life ---- */

struct warp_recorder *warp_recorder_create(
	enum record_level level, struct db_writer *writer, struct error *err)
{
	struct warp_recorder *r = calloc(1, sizeof(*r));
	if (!r) {
		error_memory(err, "the recorder of warps");
		return NULL;
	}
	r->writer = writer;
	r->observer = (struct warp_observer){
		.self = r,
		.wants_issues = level >= RECORD_ISSUES,
		.wants_epochs = level >= RECORD_JOBS,
		.wants_sms = level >= RECORD_SEGMENTS,
		.issues = issues,
		.epochs = epochs,
		.sms = sms,
		.quotas = quotas,
	};
	return r;
}

void warp_recorder_destroy(struct warp_recorder *r)
{
	free(r);
}

const struct warp_observer *warp_recorder_observer(const struct warp_recorder *r)
{
	return r->observer.wants_epochs ? &r->observer : NULL;
}

bool warp_recorder_flush(struct warp_recorder *r, struct error *err)
{
	bool ok = flush_issues(r) && flush_epochs(r) && flush_sms(r) && flush_quotas(r);
	if (!ok)
		*err = r->error;
	return ok;
}
