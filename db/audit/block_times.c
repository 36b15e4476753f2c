/* db/audit/block_times.c - blocks of a kernel that do not all take the same time (docs/model.md, "Time of a
 * kernel"): reads what a recording says about them, and computes the time of each block and of the kernel. */
#include <stdlib.h>

#include "base/heap.h"
#include "base/random.h"
#include "db/audit/recording.h"

#define MILLION 1000000
#define TIME_MAX (INT64_C(1) << 62)

/* ---- What the recording says ---- */

struct block_times_loader {
	struct recording *r;
	struct error *err;
	struct part_of_task *last; /* the segment being read; `read` rows of it were */
	uint32_t read;
};

static bool damaged(const struct block_times_loader *l)
{
	return error_set(l->err, STATUS_INPUT, "run %lld: times of blocks that are none of a kernel's",
		(long long)l->r->run_id);
}

/* Whether the numbers are in their range. With own draws, neither end may be greater than that of the
 * kernel. */
static bool plausible(const struct block_rule *b, const struct part_of_task *s)
{
	if (b->share_ppm != NOT_GIVEN)
		return b->best_ns == NOT_GIVEN && b->worst_ns == NOT_GIVEN && b->share_ppm >= 1 &&
		       b->share_ppm <= MILLION;
	return b->best_ns >= 1 && b->worst_ns >= b->best_ns && b->best_ns <= s->best_ns &&
	       b->worst_ns <= s->worst_ns && b->worst_ns <= TIME_MAX;
}

/* Whether one of the rows reaches the time of the kernel. */
static bool complete(const struct block_times_loader *l)
{
	const struct part_of_task *s = l->last;
	int64_t share = 0, best = 0, worst = 0;
	if (!s)
		return true;
	for (uint32_t i = 0; i < s->different; i++) {
		share = s->block[i].share_ppm > share ? s->block[i].share_ppm : share;
		best = s->block[i].best_ns > best ? s->block[i].best_ns : best;
		worst = s->block[i].worst_ns > worst ? s->block[i].worst_ns : worst;
	}
	bool whole = s->own_draws ? best == s->best_ns && worst == s->worst_ns : share == MILLION;
	return (l->read == s->different && whole) || damaged(l);
}

/* task, segment, block, share, best, worst, rows of the segment */
static bool load_row(struct block_times_loader *l, const struct db_cursor *q)
{
	struct recording *r = l->r;
	struct part_of_task *s = recording_segment(r, column(q, 0), column(q, 1));
	int64_t count = column(q, 6);
	if (!s)
		return damaged(l);
	if (s != l->last) {
		if (!complete(l) || s->block)
			return damaged(l);
		if (s->kind != KIND_KERNEL || s->form != FORM_GRID || count > s->grid)
			return damaged(l);
		s->block = arena_alloc(&r->arena, (size_t)count, sizeof(*s->block));
		if (!s->block)
			return error_memory(l->err, "reading a recording");
		s->different = (uint32_t)count;
		s->own_draws = column(q, 3) == NOT_GIVEN;
		l->last = s;
		l->read = 0;
	}
	const struct block_rule b = {column(q, 3), column(q, 4), column(q, 5)};
	if (l->read == s->different || column(q, 2) != l->read ||
		s->own_draws != (b.share_ppm == NOT_GIVEN) || !plausible(&b, s))
		return damaged(l);
	s->block[l->read++] = b;
	return true;
}

static const char rows_sql[] =
	"SELECT task_id, b.segment_idx, block, share_ppm, b.best_ns, b.worst_ns,"
	" count(*) OVER (PARTITION BY task_id, b.segment_idx) FROM segment_block b"
	" JOIN task t USING (task_id) WHERE t.taskset_id = ?1 ORDER BY task_id, b.segment_idx, block";

bool block_times_load(struct recording *r, struct db_reader *source, struct error *err)
{
	struct block_times_loader l = {.r = r, .err = err};
	bool has;
	/* Recordings before version 3 have no such table. */
	if (!reader_has(source, "segment_block", NULL, &has, err))
		return false;
	if (!has)
		return true;
	struct rows q = query_rows(source, rows_sql, r->taskset_id, err);
	while (rows_next(&q))
		q.ok = load_row(&l, q.c);
	return rows_close(&q) && complete(&l);
}

/* ---- Blocks one by one ---- */

static int64_t share_of(int64_t share_ppm, int64_t length)
{
	return (int64_t)(((int128)share_ppm * length + MILLION - 1) / MILLION);
}

/* The seed of a launch's blocks is a draw itself. A draw with this seed has the block's number in place of
 * the job's. */
static int64_t own_draw(
	const struct recording *r, uint32_t task, uint32_t segment, int64_t seq, int64_t block, int64_t bound)
{
	struct random_key key = {
		.seed = r->seed,
		.set = r->set_number,
		.task = task,
		.job = (uint32_t)seq,
		.segment = (uint16_t)segment,
		.purpose = RANDOM_BLOCKS,
	};
	key.seed = random_bits(&key, 0);
	key.job = (uint32_t)block;
	key.purpose = RANDOM_BLOCK;
	return random_upto(&key, bound);
}

int64_t block_length(const struct recording *r, uint32_t task, uint32_t segment, int64_t seq, int64_t block,
	int64_t length)
{
	const struct part_of_task *s = &r->task[task].segment[segment];
	if (!s->block)
		return length;
	const struct block_rule *b = &s->block[block % s->different];
	if (!s->own_draws)
		return share_of(b->share_ppm, length);
	int64_t low, high, traced = traced_length(&r->task[task].releases, seq, segment);
	if (traced != NOT_GIVEN)
		return traced < b->worst_ns ? traced : b->worst_ns;
	if (!narrow(r, b->best_ns, b->worst_ns, &low, &high))
		return INT64_MAX;
	return low == high ? low : low + own_draw(r, task, segment, seq, block, high - low);
}

int64_t longest_block(const struct recording *r, uint32_t task, uint32_t segment, int64_t seq,
	uint32_t blocks, int64_t length)
{
	int64_t longest = 0;
	for (uint32_t b = 0; b < blocks; b++) {
		int64_t mine = block_length(r, task, segment, seq, b, length);
		longest = mine > longest ? mine : longest;
	}
	return longest;
}

/* ---- All of a kernel ---- */

static int64_t saturated(int128 time)
{
	return time > INT64_MAX ? INT64_MAX : (int64_t)time;
}

/* The greatest time of a block, as described. `high` is that of the longest. */
static int64_t most_of(const struct part_of_task *s, uint32_t block, int64_t high)
{
	const struct block_rule *b = &s->block[block % s->different];
	return s->own_draws ? b->worst_ns : share_of(b->share_ppm, high);
}

static bool sooner(const int64_t *a, const int64_t *b)
{
	return *a < *b;
}

HEAP_OF(ends, int64_t, sooner);

/* For very many blocks: a block starts at the latest when all places together have done the blocks before
 * it. */
static int128 latest_end(const struct part_of_task *s, const struct audit_shape *shape)
{
	int128 round = 0, in_front = 0, last = 0;
	for (uint32_t b = 0; b < s->different; b++)
		round += most_of(s, b, shape->high_ns);
	for (uint32_t b = 0; b < s->different; b++) {
		int64_t mine = most_of(s, b, shape->high_ns);
		uint32_t rounds = (shape->blocks - b - 1) / s->different; /* before the last one like b */
		int128 end = (round * rounds + in_front) / shape->places + mine;
		last = end > last ? end : last;
		in_front += mine;
	}
	return last;
}

#define WALKED 8192 /* docs/model.md, "Time of a kernel" */

int64_t kernel_most(const struct part_of_task *s, const struct audit_shape *shape)
{
	int128 waves = (int128)shape->high_ns * shape->waves, last = 0;
	if (!s->block || shape->places >= shape->blocks)
		return saturated(waves);
	if (shape->blocks > WALKED) {
		last = latest_end(s, shape);
		return saturated(last < waves ? last : waves);
	}
	int64_t ends[WALKED] = {0};
	for (uint32_t b = 0; b < shape->blocks; b++) {
		int64_t end = saturated((int128)ends[0] + most_of(s, b, shape->high_ns));
		last = end > last ? end : last;
		ends_sink(ends, (size_t)shape->places, end);
	}
	return saturated(last);
}

/* The least time of a block under the run's rule. */
static int64_t least_of(
	const struct recording *r, const struct part_of_task *s, uint32_t block, int64_t low, int64_t traced)
{
	const struct block_rule *b = &s->block[block % s->different];
	int64_t least, most;
	if (!s->own_draws)
		return share_of(b->share_ppm, low);
	if (traced != NOT_GIVEN)
		return traced < b->worst_ns ? traced : b->worst_ns;
	return narrow(r, b->best_ns, b->worst_ns, &least, &most) ? least : INT64_MAX;
}

/* No less than its longest block, and no less than all blocks spread evenly over the places. */
int64_t kernel_least(const struct recording *r, const struct part_of_task *s, const struct audit_shape *shape,
	int64_t traced)
{
	int64_t low = traced == NOT_GIVEN ? shape->low_ns : traced, longest = 0;
	int128 sum = 0;
	if (!s->block)
		return saturated((int128)low * shape->waves);
	for (uint32_t b = 0; b < s->different; b++) {
		int64_t mine = least_of(r, s, b, low, traced);
		longest = mine > longest ? mine : longest;
		sum += (int128)mine * ((shape->blocks - b - 1) / s->different + 1);
	}
	int128 even = (sum + shape->places - 1) / shape->places;
	return saturated(even > longest ? even : longest);
}

bool kernel_alone(const struct recording *r, uint32_t task, uint32_t segment, int64_t seq,
	const struct audit_shape *shape, int64_t length, int64_t *alone)
{
	size_t places = (size_t)shape->places;
	int64_t *ends = calloc(places, sizeof(*ends));
	*alone = 0;
	if (!ends)
		return false;
	for (uint32_t b = 0; b < shape->blocks; b++) {
		int64_t mine = block_length(r, task, segment, seq, b, length);
		int64_t end = saturated((int128)ends[0] + mine);
		*alone = end > *alone ? end : *alone;
		ends_sink(ends, places, end);
	}
	free(ends);
	return true;
}
