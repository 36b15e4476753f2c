/* db/audit/warp_walk.c - the clock of the audit of warps: each cycle that matters goes through the phases of
 * docs/warps.md ("Time"). */
#include "db/audit/warp_walk.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Findings ---- */

void law_held(struct walk *w, enum warp_law law, uint64_t count)
{
	audit_held(w->audit, law, count);
}

void law_wrong(struct walk *w, enum warp_law law, const char *table, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	audit_wrong(w->audit, law, table, fmt, args);
	va_end(args);
}

bool law_equal(struct walk *w, enum warp_law law, const char *table, const char *who, const char *what,
	int64_t recorded, int64_t derived)
{
	law_held(w, law, 1);
	if (recorded == derived)
		return true;
	char is[24] = "NULL", should[24] = "NULL";
	if (recorded != NOT_GIVEN)
		snprintf(is, sizeof(is), "%lld", (long long)recorded);
	if (derived != NOT_GIVEN)
		snprintf(should, sizeof(should), "%lld", (long long)derived);
	law_wrong(w, law, table, "%s: %s is %s, expected %s", who, what, is, should);
	return false;
}

/* ---- Names ---- */

static char *next_text(struct walk *w)
{
	return w->text[w->next_text++ % (sizeof(w->text) / sizeof(w->text[0]))];
}

const char *walk_name_block(struct walk *w, uint32_t kernel, int64_t seq, int64_t block)
{
	char *text = next_text(w);
	const char *name = kernel < w->d->kernels ? kernel_name(w, kernel) : "?";
	if (block < 0)
		snprintf(text, sizeof(w->text[0]), "kernel '%.60s', job %lld", name, (long long)seq);
	else
		snprintf(text, sizeof(w->text[0]), "kernel '%.60s', job %lld, block %lld", name,
			(long long)seq, (long long)block);
	return text;
}

const char *walk_name_warp(struct walk *w, const struct audit_warp *warp)
{
	char *text = next_text(w);
	const struct resident_block *b = warp->block;
	snprintf(text, sizeof(w->text[0]), "kernel '%.60s', job %lld, block %lld, warp %u",
		kernel_name(w, b->kernel), (long long)b->seq, (long long)b->block, warp->index);
	return text;
}

const char *walk_name_issue(struct walk *w, const struct issue_row *row)
{
	char *text = next_text(w);
	snprintf(text, sizeof(w->text[0]),
		"cycle %lld, SM %lld, sub-core %lld: kernel '%.40s', job %lld, block %lld, warp %lld, "
		"instruction %lld",
		(long long)row->cycle, (long long)(row->place >> 3), (long long)(row->place & 7),
		row->kernel < w->d->kernels ? kernel_name(w, row->kernel) : "?", (long long)row->seq,
		(long long)row->block, (long long)row->warp, (long long)row->number);
	return text;
}

/* ---- The clock ---- */

static void ends(struct walk *w)
{
	if (w->with_issues)
		walk_end_warps(w);
	if (w->with_blocks)
		walk_end_blocks(w);
	walk_end_jobs(w);
}

static void cycle(struct walk *w)
{
	ends(w);
	walk_launches(w);
	if (w->with_blocks)
		walk_dispatch(w);
	walk_epoch(w);
	if (w->with_issues) {
		walk_issue(w);
		walk_sample(w);
	}
}

static int64_t next_cycle(const struct walk *w)
{
	const int64_t candidates[] = {
		walk_next_launch(w),
		w->with_blocks ? walk_next_block_event(w) : NEVER,
		walk_next_job_end(w),
		w->more_issues ? w->next_issue.cycle : NEVER,
		w->epoch_start + w->d->epoch,
	};
	int64_t next = w->end;
	for (size_t i = 0; i < sizeof(candidates) / sizeof(candidates[0]); i++)
		next = candidates[i] < next ? candidates[i] : next;
	return next > w->now + 1 ? next : w->now + 1;
}

/* Skips cycles in which no SM has a block. */
static void pass_empty(struct walk *w, int64_t cycles)
{
	for (uint32_t sm = 0; sm < w->d->sms && cycles > 0 && w->with_issues; sm++) {
		for (uint32_t i = 0; i < w->d->sub_cores; i++) {
			w->sm[sm].sub_core[i].slots[SLOT_EMPTY] += cycles;
			w->sm[sm].sub_core[i].slots_of_epoch[SLOT_EMPTY] += cycles;
		}
	}
}

static void run_through(struct walk *w)
{
	while (w->now < w->end && !w->failed && !w->stop && !w->audit->failed) {
		cycle(w);
		int64_t next = next_cycle(w);
		pass_empty(w, next - w->now - 1);
		w->now = next;
	}
	if (w->failed || w->stop || w->audit->failed)
		return;
	ends(w);
	walk_end_epoch(w);
	walk_rows_behind(w);
	walk_end_of_jobs(w);
	walk_stop_blocks(w);
	walk_totals(w);
}

/* ---- Begin and end ---- */

static bool prepare(struct walk *w)
{
	w->sm = calloc(w->d->sms, sizeof(*w->sm));
	if (!w->sm)
		return error_memory(w->err, "auditing a run");
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		struct kernel_walk *k = &w->kernel[i];
		k->first_active = k->first_block = k->job_end = NEVER;
		k->last_end = -1;
	}
	w->epoch = -1;
	walk_first_targets(w);
	return true;
}

static void finish(struct walk *w)
{
	walk_close_rows(w);
	for (uint32_t i = 0; i < w->d->kernels; i++)
		free(w->kernel[i].seen);
	if (w->sm)
		walk_free_blocks(w);
	free(w->sm);
}

bool warps_walk(struct audit *audit, const struct recording *r, struct db_reader *source, struct error *err)
{
	struct walk *w = calloc(1, sizeof(*w));
	if (!w)
		return error_memory(err, "auditing a run");
	const struct warp_description *d = r->warps;
	int64_t latest = d->horizon > d->limit ? d->horizon : d->limit;
	w->audit = audit;
	w->r = r;
	w->d = d;
	w->err = err;
	w->with_spans = r->level >= LEVEL_SEGMENTS;
	w->with_blocks = r->level >= LEVEL_BLOCKS;
	w->with_issues = r->level >= LEVEL_ISSUES;
	w->end = d->cycles < latest ? d->cycles : latest;
	w->failed = !walk_summary(w, source);
	bool walked =
		!w->failed && r->level >= LEVEL_JOBS && (warps_exact(d) || w->with_issues) && d->cycles >= 0;
	if (walked && (!prepare(w) || !walk_open_rows(w, source)))
		w->failed = true;
	else if (walked)
		run_through(w);
	bool ok = !w->failed && !audit->failed;
	finish(w);
	free(w);
	return ok;
}
