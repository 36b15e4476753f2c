/* tests/unit/test_warp_library.c - the synthetic kernels: all exist, each fits the machine it is made for, a
 * copy is equal to its original; and they have the shapes that docs/warp-library.md promises. */
#include <string.h>

#include "models/warps/library.h"
#include "tests/support/test.h"

static const char *const names[] = {"qaws-pc", "qaws-pf", "qaws-2dc", "qaws-dxtc", "qaws-bin", "qaws-vec",
	"qaws-mm", "qaws-his", "qaws-atax", "qos-cutcp", "qos-histo", "qos-lbm", "qos-mri-gridding",
	"qos-mri-q", "qos-sad", "qos-sgemm", "qos-spmv", "qos-stencil", "qos-tpacf", "rtgpu-computation",
	"rtgpu-branch", "rtgpu-memory", "rtgpu-special", "rtgpu-comprehensive", "rtgpu-bfs",
	"rtgpu-particle-filter", "rtgpu-quasirand", "qos1-cutcp", "qos1-histo", "qos1-lbm",
	"qos1-mri-gridding", "qos1-mri-q", "qos1-sad", "qos1-sgemm", "qos1-spmv", "qos1-stencil",
	"qos1-tpacf"};
#define NAMES (sizeof(names) / sizeof(*names))
enum { QOS = 9, RTGPU = 19, TABLE2 = 24, QOS1 = 27 }; /* the first of each */

/* The SM of both papers. */
static struct platform sm(void)
{
	struct platform p = platform_default();
	p.sms = WARP_LIBRARY_SMS;
	p.threads_per_sm = 2048;
	p.blocks_per_sm = 32;
	p.warps_per_sm = 64;
	p.registers_per_sm = 65536;
	p.shared_memory_per_sm = 98304;
	return p;
}

TEST("they are the papers")
{
	assert_int_equal(warp_library_count(), NAMES);
	for (uint32_t i = 0; i < NAMES; i++) {
		assert_string_equal(warp_library_at(i)->name, names[i]);
		assert_ptr_equal(warp_library_find(names[i]), warp_library_at(i));
		assert_int_equal(strncmp(warp_library_at(i)->summary, "synthetic: ", 11), 0);
	}
	assert_null(warp_library_find("qos-bfs"));
	assert_null(warp_library_find("qaws"));
	assert_null(warp_library_find(""));
}

/* Five of Parboil's ten are compute- and five memory-intensive; QAWS names two as latency-bound. */
TEST("classes are the papers")
{
	uint32_t bound[3][3] = {{0}};
	for (uint32_t i = 0; i < NAMES; i++) {
		static const char *const words[] = {"compute", "memory", "latency"};
		uint32_t word = 0;
		while (strcmp(warp_library_at(i)->bound, words[word]) != 0)
			assert_true(++word < 3);
		if (i < RTGPU || i >= QOS1)
			bound[i >= QOS1 ? 2 : i >= QOS][word]++;
		else /* docs/warp-library.md has the shares */
			assert_int_equal(word, strcmp(names[i], "rtgpu-bfs") == 0);
	}
	assert_int_equal(bound[0][0], 5);
	assert_int_equal(bound[0][1], 2);
	assert_int_equal(bound[0][2], 2);
	for (uint32_t i = 1; i < 3; i++) {
		assert_int_equal(bound[i][0], 5);
		assert_int_equal(bound[i][1], 5);
	}
	assert_string_equal(warp_library_find("qaws-his")->bound, "latency");
	assert_string_equal(warp_library_find("qaws-atax")->bound, "latency");
}

static void complain(void *self, uint32_t kernel, const char *text)
{
	print_error("%s, %u: %s\n", (const char *)self, kernel, text);
}

TEST("every kernel is valid")
{
	struct platform p = sm();
	for (uint32_t i = 0; i < NAMES; i++) {
		struct arena arena = {0};
		struct warp_kernel k;
		assert_true(warp_library_copy(warp_library_at(i), &arena, &k));
		struct warp_set set = {.machine = warp_machine_default(), .kernels = &k, .kernel_count = 1};
		char name[64];
		strcpy(name, names[i]);
		assert_int_equal(warp_set_check(&set, &p, complain, name), 0);
		assert_int_equal(k.stream, STREAM_OWN);
		assert_int_equal(k.goal.kind, GOAL_NONE);
		assert_false(k.repeat);
		arena_finish(&arena);
	}
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* How many blocks of a kernel fit a part of an SM. */
static int64_t fit(const struct warp_kernel *k, int64_t part)
{
	const struct platform p = sm();
	int64_t threads = INT64_C(32) * warp_block_warps(k);
	int64_t n = least(p.threads_per_sm / part / threads, p.blocks_per_sm / part);
	if (k->registers > 0)
		n = least(n, p.registers_per_sm / part / (k->registers * threads));
	if (k->shared_memory > 0)
		n = least(n, p.shared_memory_per_sm / part / k->shared_memory);
	return n;
}

/* Persistent threads: one wave when two kernels share the SMs. qaws-atax has fewer blocks. */
TEST("QAWS kernels are one wave")
{
	for (size_t i = 0; i < QOS; i++) {
		const struct warp_kernel *k = &warp_library_find(names[i])->kernel;
		int64_t wave = WARP_LIBRARY_SMS * fit(k, 2);
		if (strcmp(names[i], "qaws-atax") == 0)
			assert_true(k->blocks < wave);
		else
			assert_int_equal(k->blocks, wave);
	}
}

/* A kernel with a goal and SMs of its own still has blocks to place when it gets more SMs. */
TEST("QoS kernels are several waves")
{
	for (size_t i = QOS; i < NAMES; i = i + 1 == RTGPU ? QOS1 : i + 1) {
		const struct warp_kernel *k = &warp_library_find(names[i])->kernel;
		assert_true(k->blocks >= 2 * WARP_LIBRARY_SMS * fit(k, 1));
		assert_true(fit(k, 3) >= 1);
	}
}

/* Kernels do not all fill an SM in the same way. */
TEST("occupancies differ")
{
	bool seen[65] = {false};
	int different = 0;
	for (size_t i = QOS; i < RTGPU; i++) {
		const struct warp_kernel *k = &warp_library_find(names[i])->kernel;
		int64_t warps = fit(k, 1) * warp_block_warps(k);
		assert_in_range(warps, 16, 64);
		different += !seen[warps];
		seen[warps] = true;
	}
	assert_true(different >= 4);
}

/* A thread's operations on its number: floating point and special functions, of half of the threads each
 * half. */
static int64_t operations(const struct warp_kernel *k)
{
	int64_t sum = 0, times = 1;
	for (uint32_t i = 0, end = 0; i < k->step_count; i++) {
		const struct warp_step *s = &k->steps[i];
		times = i >= end ? 1 : times;
		if (s->kind == STEP_LOOP) {
			times = s->count;
			end = i + 1 + s->body;
		} else if (s->kind == STEP_COMPUTE && s->unit != WARP_INT) {
			sum += times * s->count * s->threads / 32;
		}
	}
	return sum;
}

/* "Each kernel performs 1000 floating-point operations on a 2^15-long vector." Blocks have as many threads as
 * they may have, 1024, of which two fit an SM. */
TEST("RTGPU kernels do what the paper says")
{
	for (size_t i = RTGPU; i < TABLE2; i++) {
		const struct warp_kernel *k = &warp_library_find(names[i])->kernel;
		assert_int_equal(operations(k), 1000);
		assert_int_equal(k->block_threads, 1024);
		assert_int_equal((int64_t)k->blocks * k->block_threads, 1 << 15);
		assert_int_equal(fit(k, 1), 2);
		assert_int_equal(fit(k, 2), 1);
	}
	for (size_t i = TABLE2; i < QOS1; i++) {
		const struct warp_kernel *k = &warp_library_find(names[i])->kernel;
		assert_true(fit(k, 2) >= 1 && k->blocks >= 8 * fit(k, 2));
	}
}

TEST("copies are copies")
{
	struct arena arena = {0};
	const struct warp_library_kernel *entry = warp_library_find("qos-sgemm");
	struct warp_kernel k;
	assert_true(warp_library_copy(entry, &arena, &k));
	assert_ptr_not_equal(k.steps, entry->kernel.steps);
	assert_memory_equal(k.steps, entry->kernel.steps, k.step_count * sizeof(*k.steps));
	uint32_t before = entry->kernel.steps[1].count;
	k.steps[1].count++;
	assert_int_equal(entry->kernel.steps[1].count, before);
	arena_finish(&arena);
}
