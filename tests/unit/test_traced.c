/* tests/unit/test_traced.c - kernel traces as programs of warps: what is read, what is wrong, loops,
 * dependences, hits, and what is given up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "base/text.h"
#include "scenarios/traced/parts.h"
#include "tests/support/test.h"

static char path[] = "/tmp/cegsim-test-traced-XXXXXX";
static struct traced t;
static struct diagnostics d;
static struct error err;
static struct text body;

static int begin(void **state)
{
	snprintf(path, sizeof(path), "/tmp/cegsim-test-traced-XXXXXX");
	int file = mkstemp(path);
	body = (struct text){0};
	return file < 0 || close(file);
}

static int end(void **state)
{
	traced_finish(&t);
	diagnostics_finish(&d);
	text_finish(&body);
	return unlink(path);
}

EACH_TEST(begin, end);

#define HEAD                                                                                                 \
	"-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-nregs = 16\n"                        \
	"-binary version = 70\n-shmem base_addr = 0x1000000000\n"                                            \
	"-local mem base_addr = 0x2000000000\n-accelsim tracer version = 4\n"                                \
	"#traces format = ...\n"

static bool make(const char *text)
{
	const struct traced_request request = {
		.l1_bytes = -1, .l2_bytes = -1, .first = 1, .last = UINT32_MAX};
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	err = (struct error){0};
	diagnostics_init(&d, path);
	return traced_make(&t, path, &request, &d, &err);
}

/* One warp with these lines. */
static const struct warp_kernel *make_warp(const char *lines)
{
	struct text all = {0};
	int count = 0;
	for (const char *c = lines; *c; c++)
		count += *c == '\n';
	text_printf(&all, HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = %d\n%s#END_TB\n", count,
		lines);
	bool ok = make(text_data(&all));
	text_finish(&all);
	if (!ok)
		fprintf(stderr, "# %s\n", err.text);
	assert_true(ok);
	return &t.kernels[0].kernel;
}

static const struct traced_note *noted(enum traced_kind kind, const char *says)
{
	for (uint32_t i = 0; i < t.note_count; i++)
		if (t.notes[i].kind == kind && strstr(t.notes[i].text, says))
			return &t.notes[i];
	return NULL;
}

/* ---- Instructions ---- */

TEST("an instruction waits for the result that is expected last")
{
	const struct warp_kernel *k = make_warp("0000 ffffffff 1 R2 LDG.E 1 R8 4 1 0x100 4\n"
						"0010 ffffffff 1 R3 IADD3 1 R9 0\n"
						"0020 ffffffff 1 R4 FADD 2 R3 R2 0\n");
	assert_int_equal(k->step_count, 3);
	assert_int_equal(k->steps[2].kind, STEP_COMPUTE);
	assert_int_equal(k->steps[2].unit, WARP_FP);
	assert_int_equal(k->steps[2].first, 2); /* the load's, not the integer's one before */
	assert_int_equal(noted(TRACED_LEFT_OUT, "more results")->count, 1);
}

TEST("a load of 64 bits writes two registers, and R255 is never waited for")
{
	const struct warp_kernel *k = make_warp("0000 ffffffff 1 R2 LDG.E.64 1 R8 8 1 0x100 8\n"
						"0010 ffffffff 1 R255 IADD3 1 R255 0\n"
						"0020 ffffffff 1 R4 FADD 2 R3 R255 0\n");
	assert_int_equal(k->steps[0].bytes, 8);
	assert_int_equal(k->steps[1].first, 0);
	assert_int_equal(k->steps[2].first, 2);
}

TEST("a load that is needed later than a program can say is waited for by the last that can")
{
	struct text lines = {0};
	text_add(&lines, "0000 ffffffff 1 R2 LDG.E 1 R8 4 1 0x100 4\n");
	for (int i = 1; i < 20; i++)
		text_printf(&lines, "%04x ffffffff 1 R%d IADD3 1 R255 0\n", i * 16, 30 + i);
	text_add(&lines, "0200 ffffffff 1 R3 FADD 1 R2 0\n");
	const struct warp_kernel *k = make_warp(text_data(&lines));
	text_finish(&lines);
	assert_int_equal(noted(TRACED_ASSUMED, "results of loads")->count, 1);
	/* load, 15 integers, one that waits for the load and 3 more, the float */
	assert_int_equal(k->step_count, 4);
	assert_int_equal(k->steps[1].count, 15);
	assert_int_equal(k->steps[2].first, 16);
	assert_int_equal(k->steps[2].count, 4);
	assert_int_equal(k->steps[3].first, 0);
}

TEST("kinds: shared memory by generic addresses, atomics, barriers, what is only issued")
{
	const struct warp_kernel *k = make_warp("0000 ffffffff 1 R2 LD.E 1 R8 4 1 0x1000000100 4\n"
						"0010 ffffffff 0 ST.E 1 R8 4 1 0x100 4\n"
						"0020 ffffffff 1 R4 ATOMG.ADD 1 R8 4 1 0x100 4\n"
						"0030 ffffffff 0 RED.ADD 1 R8 4 1 0x100 4\n"
						"0040 ffffffff 0 BAR.SYNC 0 0\n"
						"0050 ffffffff 0 BAR.ARV 0 0\n"
						"0060 00000000 1 R5 LDG.E 1 R8 4 1 0x0 0\n"
						"0070 0000000f 1 R6 MUFU.RCP 0 0\n"
						"0080 ffffffff 1 R6 DFMA 0 0\n"
						"0090 ffffffff 1 R6 HMMA.1688.F32 0 0\n"
						"00a0 ffffffff 1 R6 NEWOP 0 0\n");
	static const enum warp_step_kind kinds[] = {STEP_SHARED_LOAD, STEP_STORE, STEP_LOAD, STEP_STORE,
		STEP_BARRIER, STEP_COMPUTE, STEP_COMPUTE, STEP_COMPUTE, STEP_COMPUTE, STEP_COMPUTE,
		STEP_COMPUTE};
	assert_int_equal(k->step_count, 11);
	for (uint32_t i = 0; i < 11; i++)
		assert_int_equal(k->steps[i].kind, kinds[i]);
	assert_int_equal(k->steps[6].threads, 1);
	assert_int_equal(k->steps[7].unit, WARP_SFU);
	assert_int_equal(k->steps[7].threads, 4);
	assert_int_equal(k->steps[8].unit, WARP_FP64);
	assert_int_equal(k->steps[9].unit, WARP_TENSOR);
	assert_int_equal(noted(TRACED_ASSUMED, "NEWOP")->count, 1);
}

TEST("sectors: what a step moves is what was moved")
{
	const struct warp_kernel *k = make_warp("0000 ffffffff 1 R2 LDG.E 1 R8 4 1 0x100 4\n"
						"0010 ffffffff 1 R3 LDG.E 1 R8 4 1 0x10000 32\n"
						"0020 ffffffff 1 R4 LDG.E 1 R8 4 1 0x20000 0\n"
						"0030 0000ffff 1 R4 LDL 1 R8 4 1 0x2000000040 0\n");
	assert_int_equal(k->steps[0].bytes, 4); /* 4 sectors */
	assert_int_equal(k->steps[0].coalescing_ppm, 1000000);
	assert_int_equal(k->steps[1].coalescing_ppm, 0); /* 32 */
	assert_int_equal(k->steps[2].bytes, 1);          /* 1 */
	assert_int_equal(k->steps[3].bytes, 4);          /* words of the threads lie side by side */
	assert_int_equal(k->steps[3].threads, 16);
}

TEST("hits: the second of two rounds finds what the first brought, in L1 by loads alone")
{
	const struct warp_kernel *k = make_warp("0000 ffffffff 1 R2 LDG.E 1 R8 4 1 0x100 4\n"
						"0010 ffffffff 0 STG.E 1 R8 4 1 0x1000 4\n"
						"0020 ffffffff 0 BRA 0 0\n"
						"0000 ffffffff 1 R2 LDG.E 1 R8 4 1 0x100 4\n"
						"0010 ffffffff 0 STG.E 1 R8 4 1 0x1000 4\n"
						"0020 ffffffff 0 BRA 0 0\n");
	assert_int_equal(k->steps[0].kind, STEP_LOOP);
	assert_int_equal(k->steps[0].count, 2);
	assert_int_equal(k->steps[1].l1_hit_ppm, 500000);
	assert_int_equal(k->steps[1].l2_hit_ppm, 0);
	assert_int_equal(k->steps[2].l1_hit_ppm, 0);
	assert_int_equal(k->steps[2].l2_hit_ppm, 500000);
}

/* Blocks of 48 KiB of shared memory, of which an SM has two, load 20 KiB, then these again. Share of hits in
 * L1, ppm. */
static int64_t hits_beside_shared(int version)
{
	struct text all = {0};
	text_printf(&all,
		"-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-nregs = 16\n-shmem = 49152\n"
		"-binary version = %d\n-accelsim tracer version = 4\n#traces format = ...\n"
		"#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 320\n",
		version);
	for (int i = 0; i < 320; i++)
		text_printf(&all, "0000 ffffffff 1 R2 LDG.E 1 R8 4 1 0x%x 4\n", 0x1000 + i % 160 * 128);
	text_add(&all, "#END_TB\n");
	assert_true(make(text_data(&all)));
	text_finish(&all);
	const struct warp_step *step = t.kernels[0].kernel.steps;
	while (step->kind != STEP_LOAD)
		step++;
	int64_t ppm = step->l1_hit_ppm;
	traced_finish(&t);
	diagnostics_finish(&d);
	return ppm;
}

TEST("hits: shared memory leaves less of L1 where they are one, and only there")
{
	assert_int_equal(hits_beside_shared(70), 0);      /* (128 - 2 * 48) / 2 KiB */
	assert_int_equal(hits_beside_shared(61), 500000); /* 48 / 2 */
	diagnostics_init(&d, path);
}

/* The definition itself: others since the last access. */
static bool near(const uint64_t *trace, size_t at, uint32_t most)
{
	uint32_t others = 0;
	for (size_t i = at; i > 0; i--) {
		if (trace[i - 1] == trace[at])
			return others < most;
		bool again = false;
		for (size_t j = i; j < at && !again; j++)
			again = trace[j] == trace[i - 1];
		others += !again;
	}
	return false;
}

TEST("hits are those by stack distance, of random accesses")
{
	enum { LENGTH = 400 };
	for (uint32_t round = 0; round < 60; round++) {
		uint64_t trace[LENGTH];
		struct lru c;
		uint32_t most = 1 + round * 3 % 90, spread = 1 + round * 7 % 150;
		uint64_t x = round + 1;
		lru_init(&c, most);
		for (size_t i = 0; i < LENGTH; i++) {
			bool hit;
			x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
			trace[i] = (x >> 33) % spread;
			assert_true(lru_access(&c, trace[i], &hit));
			assert_int_equal(hit, near(trace, i, most));
		}
		lru_finish(&c);
	}
}

/* ---- Loops ---- */

static void line(int pc, const char *opcode)
{
	text_printf(&body, "%04x ffffffff 0 %s 0 0\n", pc, opcode);
}

TEST("loops in loops are folded")
{
	for (int i = 0; i < 5; i++) {
		line(0x00, "FADD");
		for (int j = 0; j < 7; j++) {
			line(0x10, "IADD3");
			line(0x20, "BRA");
		}
		line(0x30, "BRA");
	}
	line(0x40, "EXIT");
	const struct warp_kernel *k = make_warp(text_data(&body));
	static const enum warp_step_kind kinds[] = {
		STEP_LOOP, STEP_COMPUTE, STEP_LOOP, STEP_COMPUTE, STEP_COMPUTE, STEP_COMPUTE};
	assert_int_equal(k->step_count, 6);
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(k->steps[i].kind, kinds[i]);
	assert_int_equal(k->steps[0].count, 5);
	assert_int_equal(k->steps[0].body, 4);
	assert_int_equal(k->steps[2].count, 7);
	assert_int_equal(k->steps[2].body, 1);
	assert_int_equal(k->steps[3].count, 2); /* an integer and its branch */
}

TEST("rounds that differ stay apart, until there are too many")
{
	for (int i = 1; i <= 400; i++) { /* a triangle */
		line(0x00, "FADD");
		for (int j = 0; j < i; j++) {
			line(0x10, "IADD3");
			line(0x20, "BRA");
		}
		line(0x30, "BRA");
	}
	const struct warp_kernel *k = make_warp(text_data(&body));
	int64_t warps, threads;
	assert_non_null(noted(TRACED_LEFT_OUT, "the mean of their rounds"));
	assert_true(k->step_count <= WARP_STEPS_MAX);
	assert_true(warp_kernel_size(k, &warps, &threads));
	assert_in_range(warps, 159000, 163000); /* 161,200 are in the trace */
}

TEST("a way without any order keeps how many of each kind it has")
{
	uint64_t x = 1, count = 4000, floats = 0;
	for (uint64_t i = 0; i < count; i++) {
		x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
		bool is_float = x >> 63;
		floats += is_float;
		line((int)i * 16, is_float ? "FADD" : "IADD3");
	}
	const struct warp_kernel *k = make_warp(text_data(&body));
	uint64_t all = 0, found = 0;
	for (uint32_t i = 0; i < k->step_count; i++) {
		all += k->steps[i].count;
		found += k->steps[i].unit == WARP_FP ? k->steps[i].count : 0;
	}
	assert_int_equal(all, count);
	assert_int_equal(found, floats);
	assert_non_null(noted(TRACED_LEFT_OUT, "sorted by kind"));
}

TEST("too many barriers are refused")
{
	for (int i = 0; i < 1001; i++)
		line(i * 16, "BAR.SYNC");
	struct text all = {0};
	text_printf(&all, HEAD "#BEGIN_TB\nwarp = 0\ninsts = 1001\n%s#END_TB\n", text_data(&body));
	assert_false(make(text_data(&all)));
	text_finish(&all);
	assert_int_equal(err.status, STATUS_INPUT);
	assert_non_null(strstr(err.text, "barriers"));
}

/* ---- Ways ---- */

TEST("the way whose length is nearest to the mean is taken, and others are said")
{
	assert_true(
		make("-kernel name = k\n-grid dim = (4,1,1)\n-block dim = (32,1,1)\n-binary version = 86\n#\n"
		     "#BEGIN_TB\nwarp = 0\ninsts = 1\n0 f 0 EXIT 0 0\n#END_TB\n"
		     "#BEGIN_TB\nwarp = 0\ninsts = 2\n0 f 0 FADD 0 0\n10 f 0 FADD 0 0\n#END_TB\n"
		     "#BEGIN_TB\nwarp = 0\ninsts = 3\n0 f 0 FADD 0 0\n10 f 0 FADD 0 0\n20 f 0 FADD 0 "
		     "0\n#END_TB\n") == false);
	assert_int_equal(d.count, 6); /* places, as before version 3 */
}

TEST("and so in version 3")
{
	assert_true(
		make("-kernel name = k\n-grid dim = (4,1,1)\n-block dim = (32,1,1)\n-binary version = 86\n"
		     "-accelsim tracer version = 3\n#\n"
		     "#BEGIN_TB\nwarp = 0\ninsts = 1\n0 f 0 EXIT 0 0\n#END_TB\n"
		     "#BEGIN_TB\nwarp = 0\ninsts = 2\n0 f 0 FADD 0 0\n10 f 0 FADD 0 0\n#END_TB\n"
		     "#BEGIN_TB\nwarp = 0\ninsts = 3\n0 f 0 FADD 0 0\n10 f 0 FADD 0 0\n20 f 0 FADD 0 "
		     "0\n#END_TB\n"));
	assert_int_equal(t.kernels[0].kernel.steps[0].count, 2);
	assert_int_equal(t.kernels[0].kernel.steps[0].threads, 4);
	assert_int_equal(noted(TRACED_LEFT_OUT, "another way")->count, 2);
	assert_int_equal(noted(TRACED_ASSUMED, "not in the trace")->count, 1);
	assert_string_equal(t.preset->name, "rtx-3070");
}

/* ---- What is wrong ---- */

TEST("everything wrong is said at once, with its place")
{
	assert_false(make(HEAD "#BEGIN_TB\nwarp = 0\ninsts = 6\n"
			       "zz ffffffff 0 EXIT 0 0\n"
			       "0000 ffffffff 1 X1 FADD 0 0\n"
			       "0000 ffffffff 0 fadd 0 0\n"
			       "0000 ffffffff 0 LDG 0 4 3 0x10\n"
			       "0000 f0f 0 LDG 0 4 1 0x10 4\n"
			       "0000 ffffffff 0 LDG 0 4 2 0x10 4\n"
			       "warp = 3\nwarp = 0\n#END_TB\n#END_TB\n"));
	static const struct {
		unsigned line, column;
		const char *says;
	} wanted[] = {{13, 1, "the PC"}, {14, 17, "a register is"}, {15, 17, "an opcode begins"},
		{16, 25, "the form of the addresses"}, {17, 27, "threads in a row"}, {18, 33, "a difference"},
		{19, 1, "a warp of this block is 0 to 0"}, {20, 1, "again"}, {22, 1, "without #BEGIN_TB"}};
	assert_int_equal(d.count, sizeof(wanted) / sizeof(*wanted));
	for (size_t i = 0; i < d.count; i++) {
		assert_int_equal(d.items[i].line, wanted[i].line);
		assert_int_equal(d.items[i].column, wanted[i].column);
		assert_non_null(strstr(d.items[i].text, wanted[i].says));
	}
}

static void refused(const char *text, const char *says)
{
	assert_false(make(text));
	assert_int_equal(err.status, STATUS_INPUT);
	bool found = strstr(err.text, says) != NULL;
	for (size_t i = 0; i < d.count; i++)
		found |= strstr(d.items[i].text, says) != NULL;
	if (!found)
		fprintf(stderr, "# %s\n", err.text);
	assert_true(found);
	traced_finish(&t);
	diagnostics_finish(&d);
}

TEST("heads and ends that are wrong")
{
	refused("-kernel name = k\n#\n", "-grid dim");
	refused("-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (2048,1,1)\n#\n", "at most 1024");
	refused("-kernel name = k\n-grid dim = (1,1)\n-block dim = (32,1,1)\n#\n", "(x,y,z)");
	refused("-kernel name = k\n-grid dim = (0,1,1)\n-block dim = (32,1,1)\n#\n", "at least 1");
	refused("-kernel name = k\n-nregs = many\n", "nregs");
	refused("-kernel name = k\n", "ends here");
	refused(HEAD, "no instructions");
	refused(HEAD "#BEGIN_TB\nwarp = 0\ninsts = 1\n0 f 0 EXIT 0 0\n", "#END_TB is missing");
	refused(HEAD "#BEGIN_TB\nwarp = 0\ninsts = 2\n0 f 0 EXIT 0 0\n#END_TB\n", "ends after 1 of the 2");
	refused(HEAD "#BEGIN_TB\nwarp = 0\ninsts = 0\n0 f 0 EXIT 0 0\n#END_TB\n", "more instructions");
	refused(HEAD "#BEGIN_TB\nwarp = 0\n0 f 0 EXIT 0 0\n#END_TB\n", "'insts = N' is missing");
	refused(HEAD "#BEGIN_TB\n0 f 0 EXIT 0 0\n#END_TB\n", "outside of a warp");
	refused(HEAD "#BEGIN_TB\n#BEGIN_TB\n", "before the last one has ended");
	refused(HEAD "#BEGIN_TB\n#END_TB\n#BEGIN_TB\n#END_TB\n", "one more");
	refused("-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-binary version = "
		"99\n#\n#BEGIN_TB\n",
		"--platform");
	refused("-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (1024,1,1)\n-nregs = 255\n-binary "
		"version = 70\n#\n",
		"does not fit an SM");
	refused("\xfd"
		"7zXZ",
		"xz -d");
}
