/* tests/golden/test_golden_masks.c - kernels on some SMs, and the task table (docs/model.md, "SM masks"): the
 * configurations of Bakita and Anderson, RTAS 2023, as they come out by M1 to M3, and each rule by hand. M2
 * and M3 are inferred; so are these numbers. */
#include "tests/support/harness.h"
#include "tests/support/test.h"

/* Confines the kernel to SMs from .. to. */
static void confine(struct maker *k, struct segment *s, uint32_t from, uint32_t to)
{
	s->sm_count = to - from + 1;
	s->sms = arena_new(&k->set.arena, uint32_t, s->sm_count);
	assert_non_null(s->sms);
	for (uint32_t i = 0; i < s->sm_count; i++)
		s->sms[i] = from + i;
}

static void begin(struct maker *k, uint32_t sms, uint32_t threads)
{
	maker_init(k, 500 * MS);
	k->platform.sms = sms;
	k->platform.threads_per_sm = threads;
	k->platform.work_queues = 64;
}

/* A kernel of equal blocks that comes at `at` and takes `time` each, all in ms. */
static struct segment *kernel(struct maker *k, int64_t at, uint32_t grid, uint32_t block, int64_t time)
{
	maker_task(k, "t", 1000 * MS, 1000 * MS, at * MS);
	return maker_grid(k, grid, block, time * MS);
}

static void assert_span(const struct observed *o, uint32_t task, int64_t start, int64_t end)
{
	const struct trace_record *first = observed_find(o, TRACE_BLOCKS_START, task, 0);
	assert_non_null(first);
	assert_int_equal(first->time, start * MS);
	assert_int_equal(observed_finish_time(o, task, 0), end * MS);
}

TEST("greedy: a confined kernel finds its SMs full")
{
	struct maker k;
	begin(&k, 9, 2048);
	kernel(&k, 0, 13, 1024, 250);
	confine(&k, kernel(&k, 0, 5, 1024, 250), 0, 3);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_span(&o, 0, 0, 250);
	assert_span(&o, 1, 250, 500);
	uint32_t last[] = {0, 1, 2, 3};
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(observed_find(&o, TRACE_BLOCKS_START, 0, 9 + i)->index, last[i]);
	observed_finish(&o);
	maker_finish(&k);
}

TEST("split: halves of the GPU do not wait for each other")
{
	for (int masked = 0; masked < 2; masked++) {
		struct maker k;
		begin(&k, 10, 2048);
		kernel(&k, 0, 20, 1024, 250);
		kernel(&k, 10, 8, 1024, 250);
		if (masked) {
			confine(&k, &k.set.tasks[0].segments[0], 0, 4);
			confine(&k, &k.set.tasks[1].segments[0], 5, 9);
		}
		struct observed o = observe(&k, "fifo-cke", NULL);
		assert_span(&o, 0, 0, masked ? 500 : 250);
		assert_span(&o, 1, masked ? 10 : 250, masked ? 260 : 500);
		observed_finish(&o);
		maker_finish(&k);
	}
}

TEST("priority: the 32nd kernel of a high stream evicts the low one")
{
	for (uint32_t high = 31; high <= 32; high++) {
		struct maker k;
		begin(&k, 9, 2048);
		k.platform.resident_kernels = 32;
		confine(&k, kernel(&k, 0, 60, 1024, 75), 4, 8);
		for (uint32_t i = 0; i < high; i++) {
			struct segment *s = kernel(&k, 151, 1, 512, 250);
			confine(&k, s, 0, 3);
			s->stream_high = true;
		}
		struct observed o = observe(&k, "prio-streams", NULL);
		assert_int_equal(observed_finish_time(&o, 0, 0), (high == 31 ? 450 : 626) * MS);
		observed_finish(&o);
		maker_finish(&k);
	}
}

/* M3: who is held up holds up in turn. */
TEST("a chain of masks that meet")
{
	struct maker k;
	begin(&k, 2, 64);
	confine(&k, kernel(&k, 0, 2, 64, 10), 0, 0); /* fills SM 0, and waits with its second block */
	confine(&k, kernel(&k, 1, 1, 64, 10), 0, 1); /* SM 1 has room, but it is held up */
	confine(&k, kernel(&k, 2, 1, 64, 10), 1, 1); /* held up by that */
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_span(&o, 0, 0, 20);
	assert_span(&o, 1, 10, 20); /* from when the first has placed all */
	assert_span(&o, 2, 20, 30);
	observed_finish(&o);
	maker_finish(&k);
}

/* A high kernel holds up low ones where its mask is, and nowhere else. */
TEST("stream priorities under masks")
{
	struct maker k;
	begin(&k, 2, 64);
	confine(&k, kernel(&k, 0, 1, 64, 10), 0, 0);
	struct segment *s = kernel(&k, 1, 1, 64, 10);
	confine(&k, s, 0, 0);
	s->stream_high = true;
	confine(&k, kernel(&k, 2, 1, 64, 10), 1, 1);
	kernel(&k, 2, 1, 64, 10); /* on all SMs, so behind the high one */
	struct observed o = observe(&k, "prio-streams", NULL);
	assert_span(&o, 0, 0, 10);
	assert_span(&o, 1, 10, 20);
	assert_span(&o, 2, 2, 12);
	assert_span(&o, 3, 12, 22);
	observed_finish(&o);
	maker_finish(&k);
}

/* M2 without masks: an entry is held to the kernel's end, so two small kernels keep a third out. */
TEST("a full table")
{
	struct maker k;
	begin(&k, 1, 1024);
	k.platform.resident_kernels = 2;
	kernel(&k, 0, 1, 32, 10);
	kernel(&k, 0, 1, 32, 20);
	kernel(&k, 1, 1, 32, 5);
	kernel(&k, 1, 1, 32, 5);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_span(&o, 0, 0, 10);
	assert_span(&o, 1, 0, 20);
	assert_span(&o, 2, 10, 15);
	assert_span(&o, 3, 15, 20);
	observed_finish(&o);
	maker_finish(&k);
}

/* An evicted kernel whose blocks run comes back before those that came later, also with none to place. */
TEST("eviction, and the way back")
{
	struct maker k;
	begin(&k, 1, 1024);
	k.platform.resident_kernels = 2;
	kernel(&k, 0, 1, 32, 8);
	kernel(&k, 0, 1, 32, 30);                    /* evicted at 1, and runs on */
	struct segment *s = kernel(&k, 1, 1, 32, 3); /* high: 1 to 4 */
	s->stream_high = true;
	kernel(&k, 2, 1, 32, 5); /* the entry that is free at 4 is the evicted one's; the next at 8 */
	struct observed o = observe(&k, "prio-streams", NULL);
	assert_span(&o, 0, 0, 8);
	assert_span(&o, 1, 0, 30);
	assert_span(&o, 2, 1, 4);
	assert_span(&o, 3, 8, 13);
	observed_finish(&o);
	maker_finish(&k);
}

/* A context has a table of its own, and keeps it while it is frozen. */
TEST("tables of contexts")
{
	struct maker k;
	begin(&k, 2, 64);
	k.platform.resident_kernels = 1;
	k.platform.contexts = (struct context_times){.timeslice_ns = 2 * MS};
	for (uint32_t i = 0; i < 2; i++)
		confine(&k, kernel(&k, 0, 1, 64, 4), i, i);
	struct observed o = observe(&k, "tsg-rr", NULL);
	assert_int_equal(observed_finish_time(&o, 0, 0), 6 * MS);
	assert_int_equal(observed_finish_time(&o, 1, 0), 8 * MS);
	observed_finish(&o);
	maker_finish(&k);
}

/* Persistent blocks: as many as the mask has SMs, as long as on these. */
TEST("work on the SMs of a mask")
{
	struct maker k;
	begin(&k, 8, 1024);
	maker_task(&k, "t", 1000 * MS, 1000 * MS, 0);
	confine(&k, maker_work(&k, 12 * MS, 12 * MS, 0), 2, 4);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_span(&o, 0, 0, 4);
	assert_int_equal(observed_find(&o, TRACE_BLOCKS_START, 0, 2)->index, 4);
	assert_null(observed_find(&o, TRACE_BLOCKS_START, 0, 3));
	observed_finish(&o);
	maker_finish(&k);
}
