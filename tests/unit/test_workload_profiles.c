/* tests/unit/test_workload_profiles.c - the measured kernels, compared with the preset of their GPU, with the
 * shipped scenario that holds the same numbers, and, if it is available, with the data they were taken
 * from. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/presets.h"
#include "scenarios/scenario.h"
#include "scenarios/workload/profiles.h"
#include "tests/support/recordings.h"
#include "tests/support/test.h"

static const char *const kernels[] = {
	"mmul", "stereodisparity", "hotspot", "dxtc", "bfs", "hist", "mmul2", "hist2"};

static const struct measured_gpu *gpu(const char *name)
{
	const struct measured_gpu *found = measured_gpu_find(name);
	assert_non_null(found);
	return found;
}

/* Some numbers, copied by hand from the published tables. */
TEST("a few points")
{
	struct arena arena = {0};
	struct profile p;
	assert_true(measured_profile(gpu("rtx-3070"), 0, &arena, &p));
	assert_string_equal(p.name, "mmul");
	assert_int_equal(p.count, 46);
	assert_int_equal(p.best_ns[0], 339742000);
	assert_int_equal(p.worst_ns[0], 342578000);
	assert_int_equal(p.total_power_uw[0], 58230000);
	assert_int_equal(p.worst_ns[45], 7801000);
	assert_int_equal(p.total_power_uw[45], 219399000);
	assert_true(measured_profile(gpu("t400"), 4, &arena, &p));
	assert_string_equal(p.name, "bfs");
	assert_int_equal(p.count, 6);
	assert_int_equal(p.worst_ns[1], 48403000);
	assert_int_equal(p.total_power_uw[1], 12340000);
	assert_null(measured_gpu_find("titan-v"));
	arena_finish(&arena);
}

TEST("every kernel is complete")
{
	size_t count;
	const struct measured_gpu *gpus = measured_gpus(&count);
	assert_int_equal(count, 3);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(gpus[i].kernel_count, 8);
		assert_ptr_equal(measured_gpu_find(gpus[i].name), &gpus[i]);
		assert_string_equal(gpus[i].kernels[MEASURED_HOTSPOT].name, "hotspot");
		for (uint32_t k = 0; k < 8; k++) {
			const struct measured_kernel *kernel = &gpus[i].kernels[k];
			struct arena arena = {0};
			struct profile p;
			assert_string_equal(kernel->name, kernels[k]);
			assert_true(measured_profile(&gpus[i], k, &arena, &p));
			assert_int_equal(p.count, gpus[i].platform.sms);
			for (uint32_t m = 1; m <= p.count; m++) {
				assert_true(p.best_ns[m - 1] > 0 && p.best_ns[m - 1] <= p.worst_ns[m - 1]);
				assert_true(p.total_power_uw[m - 1] > gpus[i].platform.static_uw);
				int64_t copies = 1000 * (int64_t)(kernel->to_gpu_us + kernel->to_cpu_us);
				assert_int_equal(measured_copies_ns(kernel), copies);
				assert_int_equal(measured_section_ns(kernel, m), copies + p.worst_ns[m - 1]);
			}
			/* More SMs help, on the whole. */
			assert_true(p.worst_ns[p.count - 1] < p.worst_ns[0]);
			arena_finish(&arena);
		}
	}
}

TEST("platforms are the presets")
{
	size_t count;
	const struct measured_gpu *gpus = measured_gpus(&count);
	for (size_t i = 0; i < count; i++) {
		const struct preset *preset = preset_find(gpus[i].name);
		assert_non_null(preset);
		const struct platform *a = &gpus[i].platform, *b = &preset->platform;
		assert_string_equal(a->name, b->name);
		assert_int_equal(a->cores, b->cores);
		assert_int_equal(a->engines, b->engines);
		assert_int_equal(a->pool, b->pool);
		assert_int_equal(a->sms, b->sms);
		assert_int_equal(a->sms_per_tpc, b->sms_per_tpc);
		assert_int_equal(a->threads_per_sm, b->threads_per_sm);
		assert_int_equal(a->blocks_per_sm, b->blocks_per_sm);
		assert_int_equal(a->warps_per_sm, b->warps_per_sm);
		assert_int_equal(a->registers_per_sm, b->registers_per_sm);
		assert_int_equal(a->shared_memory_per_sm, b->shared_memory_per_sm);
		assert_int_equal(a->work_queues, b->work_queues);
		assert_int_equal(a->static_uw, b->static_uw);
		assert_int_equal(a->idle_per_sm_uw, b->idle_per_sm_uw);
		assert_int_equal(a->virtual_sms_per_sm, b->virtual_sms_per_sm);
	}
}

/* The RTX 3070's time on x SMs, with a speed that is linear between whole numbers of SMs, in us. */
static double time_on(const int64_t *ns, double x)
{
	uint32_t whole = (uint32_t)x;
	double part = x - whole, speed = (1 - part) / (double)ns[whole - 1];
	if (part > 0)
		speed += part / (double)ns[whole];
	return 1e-3 / speed;
}

/* docs/workload.md: times at 46 m / 8 SMs; 0.312 W per active SM for the mean kernel, 0.612 W, 0.074 W. */
TEST("the synthetic board follows from its rule")
{
	const struct measured_gpu *board = gpu("synthetic-8sm"), *origin = gpu("rtx-3070");
	double mean = 0;
	assert_int_equal(board->platform.sms, 8);
	for (uint32_t k = 0; k < 8; k++)
		mean += origin->kernels[k].dynamic_uw / 8.0;
	for (uint32_t k = 0; k < 8; k++) {
		struct arena arena = {0};
		struct profile p, q, linear;
		double dynamic = 312000.0 * origin->kernels[k].dynamic_uw / mean;
		assert_true(measured_profile(board, k, &arena, &p) &&
			    measured_profile(origin, k, &arena, &q) &&
			    measured_profile(board, k, &arena, &linear));
		measured_linear_power(&board->platform, &board->kernels[k], &linear);
		assert_true(fabs(board->kernels[k].dynamic_uw - dynamic) <= 0.5);
		assert_int_equal(
			measured_copies_ns(&board->kernels[k]), measured_copies_ns(&origin->kernels[k]));
		assert_int_equal(board->kernels[k].heavy, origin->kernels[k].heavy);
		for (uint32_t m = 1; m <= 8; m++) {
			assert_true(
				fabs(1e-3 * (double)p.best_ns[m - 1] - time_on(q.best_ns, 5.75 * m)) < 0.501);
			assert_true(fabs(1e-3 * (double)p.worst_ns[m - 1] - time_on(q.worst_ns, 5.75 * m)) <
				    0.501);
			double power = 612000 + m * dynamic + (8 - m) * 74000;
			assert_true(fabs((double)p.total_power_uw[m - 1] - power) <= 0.5 * m + 0.5);
			assert_int_equal(linear.total_power_uw[m - 1], p.total_power_uw[m - 1]);
		}
		arena_finish(&arena);
	}
}

/* The number of SMs with the least energy in a window; ties go to more SMs. Only the kernel's energy differs
 * between numbers of SMs. */
static uint32_t least_energy(const struct measured_gpu *g, uint32_t k)
{
	struct arena arena = {0};
	struct profile p;
	double least = INFINITY;
	uint32_t at = 0;
	assert_true(measured_profile(g, k, &arena, &p));
	for (uint32_t m = 1; m <= p.count; m++) {
		double above =
			(double)p.worst_ns[m - 1] * (double)(p.total_power_uw[m - 1] - g->platform.static_uw);
		if (above <= least) {
			least = above;
			at = m;
		}
	}
	arena_finish(&arena);
	return at;
}

TEST("the best numbers of SMs are known")
{
	static const uint32_t rtx_3070[] = {46, 46, 46, 46, 16, 30, 44, 30},
			      board[] = {8, 8, 8, 8, 3, 5, 8, 5};
	for (uint32_t k = 0; k < 8; k++) {
		assert_int_equal(least_energy(gpu("rtx-3070"), k), rtx_3070[k]);
		assert_int_equal(least_energy(gpu("synthetic-8sm"), k), board[k]);
		assert_int_equal(least_energy(gpu("t400"), k), 6);
	}
}

/* The error of sBEET's power model relative to the measurements, over all kernels and numbers of SMs. */
static double model_error(const struct measured_gpu *g)
{
	double sum = 0;
	for (uint32_t k = 0; k < g->kernel_count; k++) {
		struct arena arena = {0};
		struct profile p, linear;
		assert_true(measured_profile(g, k, &arena, &p) && measured_profile(g, k, &arena, &linear));
		measured_linear_power(&g->platform, &g->kernels[k], &linear);
		for (uint32_t m = 0; m < p.count; m++)
			sum += fabs((double)linear.total_power_uw[m] / (double)p.total_power_uw[m] - 1);
		arena_finish(&arena);
	}
	return sum / (g->kernel_count * g->platform.sms);
}

TEST("the power model is off by six percent")
{
	assert_true(fabs(model_error(gpu("rtx-3070")) - 0.0590) < 0.0001);
	assert_true(fabs(model_error(gpu("t400")) - 0.0681) < 0.0001);
	assert_true(model_error(gpu("synthetic-8sm")) < 1e-12);
}

/* Compares the copies around a kernel in the scenario, in the task whose kernel uses the profile. */
static void compare_copies(const struct scenario *s, int32_t profile, const struct measured_kernel *kernel)
{
	for (uint32_t i = 0; i < s->set.task_count; i++) {
		const struct task *t = &s->set.tasks[i];
		for (uint32_t j = 1; j + 1 < t->segment_count; j++) {
			if (t->segments[j].kind != SEGMENT_KERNEL || t->segments[j].profile != profile)
				continue;
			assert_int_equal(t->segments[j - 1].worst_ns, 1000 * (int64_t)kernel->to_gpu_us);
			assert_int_equal(t->segments[j + 1].worst_ns, 1000 * (int64_t)kernel->to_cpu_us);
			return;
		}
	}
	fail_msg("no task runs %s", kernel->name);
}

TEST("the shipped scenario has the same numbers")
{
	const struct measured_gpu *g = gpu("rtx-3070");
	const char *root = getenv("CEGSIM_SOURCE_ROOT");
	struct diagnostics d;
	struct scenario s;
	char path[4096];
	snprintf(path, sizeof(path), "%s/scenarios/examples/profiles-rtx3070.yaml",
		root && *root ? root : ".");
	diagnostics_init(&d, path);
	assert_true(scenario_read(path, &s, &d));
	assert_int_equal(s.set.profile_count, g->kernel_count);
	for (uint32_t k = 0; k < g->kernel_count; k++) {
		struct arena arena = {0};
		struct profile p;
		uint32_t other = 0;
		assert_true(measured_profile(g, k, &arena, &p));
		while (other < s.set.profile_count && strcmp(s.set.profiles[other].name, p.name) != 0)
			other++;
		assert_in_range(other, 0, s.set.profile_count - 1);
		const struct profile *q = &s.set.profiles[other];
		assert_int_equal(q->count, p.count);
		assert_memory_equal(q->best_ns, p.best_ns, p.count * sizeof(*p.best_ns));
		assert_memory_equal(q->worst_ns, p.worst_ns, p.count * sizeof(*p.worst_ns));
		assert_memory_equal(q->total_power_uw, p.total_power_uw, p.count * sizeof(*p.total_power_uw));
		compare_copies(&s, (int32_t)other, &g->kernels[k]);
		arena_finish(&arena);
	}
	scenario_finish(&s);
	diagnostics_finish(&d);
}

/* SM,Average(ms),Min(ms),Max(ms),Power(W),... */
static void compare_with_data(const struct measured_gpu *g, const char *folder, uint32_t k)
{
	char name[128], path[RECORDINGS_PATH], line[512];
	struct arena arena = {0};
	struct profile p;
	uint32_t rows = 0;
	assert_true(measured_profile(g, k, &arena, &p));
	snprintf(name, sizeof(name), "../profiles/%s/%s.csv", folder, p.name);
	recordings_path(path, name);
	FILE *file = fopen(path, "r");
	if (!file)
		fail_msg("%s is missing", path);
	assert_non_null(fgets(line, sizeof(line), file));
	while (fgets(line, sizeof(line), file)) {
		unsigned sms;
		double average, least, most, power;
		assert_int_equal(
			sscanf(line, "%u,%lf,%lf,%lf,%lf", &sms, &average, &least, &most, &power), 5);
		assert_int_equal(sms, ++rows);
		assert_in_range(sms, 1, p.count);
		assert_int_equal(p.best_ns[sms - 1], llround(least * 1e6));
		assert_int_equal(p.worst_ns[sms - 1], llround(most * 1e6));
		assert_int_equal(p.total_power_uw[sms - 1], llround(power * 1e6));
	}
	assert_int_equal(rows, p.count);
	fclose(file);
	arena_finish(&arena);
}

TEST("the data has the same numbers")
{
	if (!recordings_real())
		return;
	for (uint32_t k = 0; k < 8; k++) {
		compare_with_data(gpu("rtx-3070"), "rtx3070", k);
		compare_with_data(gpu("t400"), "t400", k);
	}
}
