/* db/audit/laws_flight_blocks.c - owns the law on blocks of operations in flight (docs/model.md, "GPU"). The
 * sweep does not follow their kernels (db/audit/laws_flights.c). So the rows of kernels and those of blocks
 * are gone through side by side, and each kernel is held to what the laws `blocks` and `kernel-span` ask
 * elsewhere, as if it were its task's only operation. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "db/audit/law.h"
#include "db/audit/sweep.h"

struct flown_blocks {
	struct audit *audit;
	const struct moment *at;
	struct track kernel; /* its operation is the kernel */
	struct interval row; /* of that kernel */
	struct rows kernels, blocks;
	bool more_kernels, more_blocks;
	uint64_t checked;
};

/* Columns task_id, seq, segment_idx. */
static int compare_key(const struct db_cursor *a, const struct db_cursor *b)
{
	for (int i = 0; i < 3; i++) {
		int64_t x = column(a, i), y = column(b, i);
		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

/* What the kernel of the current row is. False: out of memory; `active`: it is a kernel of the set. */
static bool kernel_begin(struct flown_blocks *f)
{
	const struct recording *r = f->audit->r;
	const struct db_cursor *q = f->kernels.c;
	struct audit_operation *op = &f->kernel.op;
	uint32_t task = recording_task(r, column(q, 0));
	int64_t segment = column_bounded(q, 2), code = column(q, 3), granted = column(q, 6);
	f->kernel.active = false;
	if (task == UINT32_MAX || segment < 0 || segment >= r->task[task].segments ||
		r->task[task].segment[segment].kind != KIND_KERNEL)
		return true;
	f->row = (struct interval){
		.task = task,
		.seq = column_bounded(q, 1),
		.segment = segment,
		.start = column_bounded(q, 4),
		.end = column_bounded(q, 5),
		.ended = (enum ended)(code >> 4 & 3),
		.granted = granted == NOT_GIVEN ? 0 : granted,
	};
	f->kernel.index = task;
	f->kernel.task = &r->task[task];
	f->kernel.active = op->active = true;
	f->kernel.job = (struct job){.seq = f->row.seq, .deadline = column_bounded(q, 7)};
	op->segment = (uint32_t)segment;
	op->info = &r->task[task].segment[segment];
	op->part = &f->row;
	op->parts = 1;
	op->placed = op->other_blocks = 0;
	op->first_block = INT64_MAX;
	op->last_block = 0;
	op->shape = op->info->shape;
	struct audit_given given = given_to(r, task, f->row.granted);
	struct audit_shape shape;
	if (given.slots > 0 && shape_granted(r, op->info, given, &shape))
		op->shape = shape;
	op->length = segment_length(r, task, op->segment, f->row.seq, &op->shape);
	size_t words = (op->shape.blocks + 63u) / 64;
	if (!list_reserve((void **)&op->seen, &op->seen_words, words, sizeof(*op->seen)))
		return error_memory(f->audit->err, "auditing a run");
	memset(op->seen, 0, words * sizeof(*op->seen));
	return true;
}

/* The current row of a block, of the kernel or of none. */
static void check_block(struct flown_blocks *f, bool of_kernel)
{
	const struct db_cursor *q = f->blocks.c;
	struct audit_operation *op = &f->kernel.op;
	struct track none = {.task = NULL};
	struct block b = {
		.task = recording_task(f->audit->r, column(q, 0)),
		.seq = column_bounded(q, 1),
		.segment = column_bounded(q, 2),
		.index = column_bounded(q, 3),
		.sm = column(q, 4),
		.threads = column_bounded(q, 5),
		.start = column_bounded(q, 6),
		.end = column_bounded(q, 7),
		.code = column(q, 8),
		.ended = (enum ended)(column(q, 8) & 3),
		.gpu = column(q, 9),
	};
	if (b.task == UINT32_MAX)
		return; /* of no task of the set, which another law reports */
	none.task = &f->audit->r->task[b.task];
	struct moment m = *f->at;
	m.at = AT_BLOCK;
	m.track = of_kernel ? &f->kernel : &none;
	m.block = &b;
	f->checked += law_blocks(f->audit, &m);
	if (!of_kernel || !f->kernel.active)
		return;
	op->placed++;
	op->first_block = b.start < op->first_block ? b.start : op->first_block;
	op->last_block = b.end > op->last_block ? b.end : op->last_block;
	if (b.index >= 0 && b.index < op->shape.blocks)
		op->seen[b.index / 64] |= (uint64_t)1 << (b.index % 64);
}

static void check_kernel(struct flown_blocks *f)
{
	struct moment m = *f->at;
	for (; f->more_blocks && compare_key(f->blocks.c, f->kernels.c) < 0;
		f->more_blocks = rows_next(&f->blocks))
		check_block(f, false);
	for (; f->more_blocks && compare_key(f->blocks.c, f->kernels.c) == 0;
		f->more_blocks = rows_next(&f->blocks))
		check_block(f, true);
	m.at = AT_KERNEL_END;
	m.track = &f->kernel;
	m.interval = &f->row;
	if (f->kernel.active)
		f->checked += law_kernel_span(f->audit, &m);
}

#define BLOCKS_SQL(gpu)                                                                                      \
	"SELECT task_id, seq, segment_idx, block, sm, threads, start_ns, end_ns, ended_code, " gpu           \
	" FROM block_interval WHERE run_id = ?1 ORDER BY task_id, seq, segment_idx, block, start_ns"

uint64_t law_flight_blocks(struct audit *a, const struct moment *m)
{
	struct flown_blocks f = {.audit = a, .at = m};
	bool has = true, ok = reader_has(a->reader, "block_interval", "gpu", &has, a->err);
	f.kernels = query_rows(a->reader,
		"SELECT i.task_id, i.seq, i.segment_idx, i.code, i.start_ns, i.end_ns, i.granted,"
		" j.abs_deadline_ns FROM segment_interval i LEFT JOIN job j USING (run_id, task_id, seq)"
		" WHERE i.run_id = ?1 AND i.code & 207 = 2"
		" ORDER BY i.task_id, i.seq, i.segment_idx, i.start_ns",
		a->r->run_id, a->err);
	f.blocks = query_rows(a->reader, has ? BLOCKS_SQL("gpu") : BLOCKS_SQL("0"), a->r->run_id, a->err);
	f.more_blocks = ok && rows_next(&f.blocks);
	while (ok && rows_next(&f.kernels)) {
		ok = kernel_begin(&f);
		if (ok)
			check_kernel(&f);
	}
	for (; ok && f.more_blocks; f.more_blocks = rows_next(&f.blocks))
		check_block(&f, false);
	free(f.kernel.op.seen);
	ok &= rows_close(&f.kernels);
	ok &= rows_close(&f.blocks);
	a->failed |= !ok;
	return f.checked;
}
