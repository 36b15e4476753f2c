/* db/audit/warp_rows.c - reads the rows of a run of warps in the order of time, one row ahead of the walk. */
#include <stdlib.h>

#include "base/list.h"
#include "db/audit/warp_walk.h"

static void step(struct walk *w, struct db_cursor *rows, bool *more)
{
	if (!rows || !cursor_next(rows, more, w->err)) {
		w->failed |= rows != NULL;
		*more = false;
	}
	if (*more)
		w->audit->report->rows++;
}

/* Index of a kernel by its task's id; WARP_KERNELS: it is not of this set. */
static uint32_t kernel_of(const struct walk *w, int64_t task_id)
{
	uint32_t task = recording_task(w->r, task_id);
	return task < w->d->kernels ? task : WARP_KERNELS;
}

void walk_next_issue(struct walk *w)
{
	const struct db_cursor *q = w->issue_rows;
	step(w, w->issue_rows, &w->more_issues);
	if (!w->more_issues)
		return;
	int64_t latency = column(q, 1);
	w->next_issue = (struct issue_row){
		.cycle = column_bounded(q, 0),
		.latency = latency == NOT_GIVEN ? NOT_GIVEN : column_bounded(q, 1),
		.kernel = kernel_of(w, column(q, 2)),
		.seq = column_bounded(q, 3),
		.block = column_bounded(q, 4),
		.warp = column_bounded(q, 5),
		.number = column_bounded(q, 6),
		.step = column_bounded(q, 7),
		.place = column_bounded(q, 8),
		.code = column_bounded(q, 9),
	};
}

static void next_stay(struct walk *w)
{
	const struct db_cursor *q = w->block_rows;
	step(w, w->block_rows, &w->more_blocks);
	if (!w->more_blocks)
		return;
	w->next_stay = (struct audit_stay){
		.kernel = kernel_of(w, column(q, 0)),
		.seq = column_bounded(q, 1),
		.block = column_bounded(q, 2),
		.sm = column_bounded(q, 3),
		.slot = column_bounded(q, 4),
		.threads = column_bounded(q, 5),
		.start = column_bounded(q, 6),
		.end = column_bounded(q, 7),
		.code = column_bounded(q, 8),
		.part = column_bounded(q, 9),
	};
}

/* Two cycles may begin at one instant. Then the rows stay until the last of these cycles. */
void walk_read_stays(struct walk *w)
{
	int64_t now = warps_ns(w->d, w->now);
	size_t kept = 0;
	for (size_t i = 0; i < w->fresh_count; i++) {
		if (!w->fresh[i].placed)
			w->fresh[kept++] = w->fresh[i];
	}
	w->fresh_count = kept;
	while (w->more_blocks && w->next_stay.start <= now && !w->failed) {
		if (!list_reserve(&w->fresh, &w->fresh_capacity, w->fresh_count + 1, sizeof(*w->fresh))) {
			w->failed = !error_memory(w->err, "auditing a run");
			return;
		}
		w->fresh[w->fresh_count++] = w->next_stay;
		next_stay(w);
	}
}

/* Sums over epochs must stay within 64 bits, also with damaged rows. */
static int64_t amount(const struct db_cursor *q, int at)
{
	const int64_t most = INT64_C(1) << 45;
	int64_t value = column(q, at);
	return value == NOT_GIVEN ? NOT_GIVEN : value > most ? most : value < -most ? -most : value;
}

static int64_t count_of(const struct db_cursor *q, int at)
{
	int64_t value = amount(q, at);
	return value == NOT_GIVEN ? -1 : value;
}

/* ---- Epochs ---- */

static void next_epoch(struct walk *w)
{
	const struct db_cursor *q = w->epoch_rows;
	step(w, w->epoch_rows, &w->more_epochs);
	if (!w->more_epochs)
		return;
	w->next_epoch_number = column_bounded(q, 0);
	w->next_epoch_kernel = kernel_of(w, column(q, 1));
	w->next_epoch = (struct audit_epoch_row){true, count_of(q, 2), count_of(q, 3), count_of(q, 4),
		count_of(q, 5), amount(q, 6), amount(q, 7), count_of(q, 8), count_of(q, 9)};
}

static void next_number(struct walk *w, struct db_cursor *rows, bool *more, int64_t *number)
{
	step(w, rows, more);
	if (*more)
		*number = column_bounded(rows, 0);
}

static void take_quotas(struct walk *w)
{
	const struct db_cursor *q = w->quota_rows;
	while (w->more_quotas && w->next_quota_epoch <= w->epoch && !w->failed) {
		int64_t sm = column_bounded(q, 1);
		uint32_t kernel = kernel_of(w, column(q, 2));
		bool known =
			w->next_quota_epoch == w->epoch && sm >= 0 && sm < w->d->sms && kernel < WARP_KERNELS;
		if (!known || w->sm[sm].kernel[kernel].row.present)
			law_wrong(w, LAW_EPOCHS, "epoch_quota",
				"the row of epoch %lld, SM %lld is of no epoch, SM or kernel,"
				" or there twice",
				(long long)w->next_quota_epoch, (long long)sm);
		else
			w->sm[sm].kernel[kernel].row = (struct quota_row){true, amount(q, 3), count_of(q, 4),
				count_of(q, 5), count_of(q, 6), count_of(q, 7), count_of(q, 8),
				count_of(q, 9), amount(q, 10) == NOT_GIVEN ? NEVER : amount(q, 10),
				count_of(q, 11), count_of(q, 12)};
		next_number(w, w->quota_rows, &w->more_quotas, &w->next_quota_epoch);
	}
}

void walk_next_sm_row(struct walk *w)
{
	next_number(w, w->sm_rows, &w->more_sms, &w->next_sm_epoch);
}

void walk_read_epoch(struct walk *w)
{
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		w->kernel[i].last = w->kernel[i].row;
		w->kernel[i].row = (struct audit_epoch_row){.present = false};
		for (uint32_t sm = 0; sm < w->d->sms; sm++) {
			w->sm[sm].kernel[i].last = w->sm[sm].kernel[i].row;
			w->sm[sm].kernel[i].row = (struct quota_row){.target = NEVER};
		}
	}
	while (w->more_epochs && w->next_epoch_number <= w->epoch && !w->failed) {
		uint32_t kernel = w->next_epoch_kernel;
		bool known = w->next_epoch_number == w->epoch && kernel < WARP_KERNELS;
		if (!known || w->kernel[kernel].row.present)
			law_wrong(w, LAW_EPOCHS, "epoch",
				"the row of epoch %lld is of no epoch or kernel, or there twice",
				(long long)w->next_epoch_number);
		else
			w->kernel[kernel].row = w->next_epoch;
		next_epoch(w);
	}
	take_quotas(w);
}

/* ---- Jobs ---- */

bool walk_read_job(struct walk *w, uint32_t kernel)
{
	struct kernel_walk *k = &w->kernel[kernel];
	bool have = false;
	step(w, k->jobs, &have);
	if (!have)
		return false;
	const struct db_cursor *q = k->jobs;
	k->job = (struct job){
		.seq = column_bounded(q, 0),
		.release = column_bounded(q, 1),
		.first_start = column_bounded(q, 2) < 0 ? NOT_GIVEN : column_bounded(q, 2),
		.finish = column_bounded(q, 3) < 0 ? NOT_GIVEN : column_bounded(q, 3),
		.outcome = column(q, 4),
		.state = (enum job_state)(column(q, 4) & 3),
	};
	return true;
}

bool walk_read_span(struct walk *w, uint32_t kernel, struct interval *row)
{
	const struct db_cursor *q = w->kernel[kernel].spans;
	bool have = false;
	step(w, w->kernel[kernel].spans, &have);
	if (!have)
		return false;
	*row = (struct interval){
		.seq = column_bounded(q, 0),
		.segment = column_bounded(q, 1),
		.part = column_bounded(q, 2),
		.code = column_bounded(q, 3),
		.ready = column_bounded(q, 4),
		.start = column_bounded(q, 5),
		.end = column_bounded(q, 6),
	};
	return true;
}

static struct db_cursor *open_of_kernel(
	struct walk *w, struct db_reader *source, const char *sql, uint32_t kernel)
{
	struct db_cursor *c = query_open(source, sql, w->r->run_id, w->err);
	if (c && !cursor_bind_integer(c, 2, w->r->task[kernel].task_id, w->err)) {
		cursor_close(c);
		c = NULL;
	}
	return c;
}

static bool open_jobs(struct walk *w, struct db_reader *source)
{
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		struct kernel_walk *k = &w->kernel[i];
		k->jobs = open_of_kernel(w, source,
			"SELECT seq, release_ns, first_start_ns, finish_ns, outcome FROM job WHERE run_id = "
			"?1 AND task_id = ?2"
			" ORDER BY seq",
			i);
		if (!k->jobs)
			return false;
		if (!w->with_spans)
			continue;
		k->spans = open_of_kernel(w, source,
			"SELECT seq, segment_idx, part, code, ready_ns, start_ns, end_ns FROM "
			"segment_interval"
			" WHERE run_id = ?1 AND task_id = ?2 ORDER BY seq, start_ns",
			i);
		if (!k->spans)
			return false;
	}
	return true;
}

bool walk_open_rows(struct walk *w, struct db_reader *source)
{
	const struct {
		struct db_cursor **cursor;
		enum audit_level level;
		const char *sql;
	} tables[] = {
		{&w->epoch_rows, LEVEL_JOBS,
			"SELECT epoch, task_id, start_cycle, end_cycle, warp_instructions, "
			"thread_instructions,"
			" adjusted_goal_ppm, history_ipc_ppm, blocks, swaps FROM epoch WHERE run_id = ?1 "
			"ORDER BY epoch, task_id"},
		{&w->quota_rows, LEVEL_SEGMENTS,
			"SELECT epoch, sm, task_id, quota, counter_start, counter_end, added, "
			"warp_instructions,"
			" thread_instructions, blocks, target, idle_sum, samples FROM epoch_quota WHERE "
			"run_id = ?1"
			" ORDER BY epoch, sm, task_id"},
		{&w->sm_rows, LEVEL_SEGMENTS,
			"SELECT epoch, sm, issued_cycles, empty_cycles, quota_cycles, unit_cycles, "
			"scheduler_cycles,"
			" memory_cycles, dependence_cycles, barrier_cycles, swap_cycles, ending_cycles FROM "
			"epoch_sm"
			" WHERE run_id = ?1 ORDER BY epoch, sm"},
		{&w->block_rows, LEVEL_BLOCKS,
			"SELECT task_id, seq, block, sm, slot, threads, start_ns, end_ns, ended_code, "
			"segment_idx FROM block_interval"
			" WHERE run_id = ?1 ORDER BY start_ns"},
		{&w->issue_rows, LEVEL_ISSUES,
			"SELECT cycle, latency_cycles, task_id, seq, block, warp, number, step_idx, place, "
			"code FROM warp_issue"
			" WHERE run_id = ?1 ORDER BY cycle, place"},
	};
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (w->r->level < tables[i].level)
			continue;
		*tables[i].cursor = query_open(source, tables[i].sql, w->r->run_id, w->err);
		if (!*tables[i].cursor)
			return false;
	}
	next_epoch(w);
	next_number(w, w->quota_rows, &w->more_quotas, &w->next_quota_epoch);
	next_number(w, w->sm_rows, &w->more_sms, &w->next_sm_epoch);
	if (w->block_rows)
		next_stay(w);
	if (w->issue_rows)
		walk_next_issue(w);
	return !w->failed && open_jobs(w, source);
}

void walk_rows_behind(struct walk *w)
{
	if (w->more_epochs || w->more_quotas || w->more_sms)
		law_wrong(w, LAW_EPOCHS, "epoch", "there are rows of epochs behind the end of the run");
	if (w->more_blocks)
		law_wrong(w, LAW_BLOCKS, "block_interval",
			"%s: it is placed at %s, behind the end of the run",
			walk_name_block(w, w->next_stay.kernel, w->next_stay.seq, w->next_stay.block),
			when(w->audit, w->next_stay.start));
	if (w->more_issues)
		law_wrong(w, LAW_ONE, "warp_issue", "%s: it lies behind the end of the run",
			walk_name_issue(w, &w->next_issue));
}

void walk_close_rows(struct walk *w)
{
	struct db_cursor *const rows[] = {
		w->issue_rows, w->block_rows, w->epoch_rows, w->quota_rows, w->sm_rows};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cursor_close(rows[i]);
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		cursor_close(w->kernel[i].jobs);
		cursor_close(w->kernel[i].spans);
	}
	free(w->fresh);
}
