/* scenarios/workload/build.c - see scenarios/workload/build.h. */
#include "scenarios/workload/build.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/int128.h"

#define INTERLEAVES_MAX 16
#define NAME_MAX_BYTES 64

bool build_tasks(struct taskset *set, const char *recipe, uint32_t index, uint32_t count, struct error *err)
{
	char name[NAME_MAX_BYTES];
	snprintf(name, sizeof(name), "%s-%u", recipe, index);
	set->name = arena_strdup(&set->arena, name);
	set->tasks = arena_new(&set->arena, struct task, count);
	if (!set->name || !set->tasks)
		return error_memory(err, "the tasks of a set");
	for (uint32_t i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "t%u", i + 1);
		set->tasks[i].name = arena_strdup(&set->arena, name);
		if (!set->tasks[i].name)
			return error_memory(err, "the tasks of a set");
	}
	set->task_count = count;
	return true;
}

bool build_segments(struct taskset *set, struct task *task, size_t count, struct error *err)
{
	task->segments = arena_new(&set->arena, struct segment, count);
	return task->segments || error_memory(err, "the segments of a task");
}

struct segment *build_segment(struct task *task, enum segment_kind kind, int64_t best_ns, int64_t worst_ns)
{
	struct segment *s = &task->segments[task->segment_count++];
	*s = (struct segment){
		.kind = kind,
		.best_ns = best_ns,
		.worst_ns = worst_ns,
		.stream = STREAM_OWN,
		.direction = COPY_TO_GPU,
		.bytes = -1,
		.profile = -1,
	};
	return s;
}

bool build_period(struct task *task, int64_t length_ns, int64_t utilisation_ppm, struct error *err)
{
	assert(utilisation_ppm >= 1);
	int128 period = (int128)length_ns * PPM / utilisation_ppm;
	if (period > PERIOD_MAX)
		return error_set(err, STATUS_INPUT,
			"a task of %.6g ms with utilisation %.6g has a period beyond 63 years",
			(double)length_ns * 1e-6, (double)utilisation_ppm * 1e-6);
	task->period_ns = task->deadline_ns = period > 0 ? (int64_t)period : 1;
	return true;
}

bool build_cores(struct taskset *set, const struct platform *platform, uint32_t cores,
	const int64_t *utilisation_ppm, struct error *err)
{
	int64_t load[PLATFORM_MAX_CORES] = {0};
	if (cores > platform->cores)
		return error_set(err, STATUS_INPUT, "tasks for %u cores, but the platform has %u", cores,
			platform->cores);
	if (platform->cores == 1 || platform_global(platform))
		return true;
	set->cores = true;
	for (uint32_t i = 0; i < set->task_count; i++)
		set->tasks[i].core = CORE_NOT_SAID;
	for (uint32_t left = set->task_count; left > 0; left--) {
		uint32_t most = UINT32_MAX, least = 0;
		for (uint32_t i = 0; i < set->task_count; i++)
			if (set->tasks[i].core == CORE_NOT_SAID &&
				(most == UINT32_MAX || utilisation_ppm[i] > utilisation_ppm[most]))
				most = i;
		for (uint32_t c = 1; c < cores; c++)
			least = load[c] < load[least] ? c : least;
		set->tasks[most].core = (int32_t)least;
		load[least] += utilisation_ppm[most];
	}
	return true;
}

/* What a task's copies and kernels take of its period, in parts of a PPM. Blocks of a grid count one by one.
 */
static int128 gpu_load(const struct task *t)
{
	int128 sum = 0;
	for (uint32_t i = 0; i < t->segment_count; i++) {
		const struct segment *s = &t->segments[i];
		if (s->kind == SEGMENT_COPY || s->kind == SEGMENT_KERNEL)
			sum += (int128)s->worst_ns *
			       (s->kind == SEGMENT_KERNEL && s->form == KERNEL_GRID ? s->grid : 1);
	}
	return sum * PPM / t->period_ns;
}

static void put_on(struct task *t, uint32_t gpu)
{
	for (uint32_t i = 0; i < t->segment_count; i++)
		if (t->segments[i].kind != SEGMENT_CPU)
			t->segments[i].gpu = gpu;
}

bool build_gpus(struct taskset *set, const struct platform *platform, uint32_t gpus, struct error *err)
{
	int128 load[PLATFORM_MAX_GPUS] = {0};
	bool done[TASKS_MAX] = {false};
	if (gpus > platform_gpus(platform))
		return error_set(err, STATUS_INPUT, "tasks for %u GPUs, but the platform has %u", gpus,
			platform_gpus(platform));
	for (uint32_t left = set->task_count; left > 0 && gpus > 1; left--) {
		uint32_t most = UINT32_MAX, least = 0;
		for (uint32_t i = 0; i < set->task_count; i++)
			if (!done[i] && (most == UINT32_MAX ||
						gpu_load(&set->tasks[i]) > gpu_load(&set->tasks[most])))
				most = i;
		for (uint32_t g = 1; g < gpus; g++)
			least = load[g] < load[least] ? g : least;
		put_on(&set->tasks[most], least);
		load[least] += gpu_load(&set->tasks[most]);
		done[most] = true;
	}
	return true;
}

int64_t scaled_down(int64_t value, int64_t ratio_ppm)
{
	int128 scaled = (int128)value * ratio_ppm / PPM;
	return scaled > INT64_MAX ? INT64_MAX : (int64_t)scaled;
}

struct build_range range_of(const struct params *params, const char *option)
{
	struct build_range range;
	params_range(params, option, &range.low, &range.high);
	return range;
}

int64_t draw_range(
	const struct draws *d, enum draw_what what, uint32_t task, uint32_t item, struct build_range range)
{
	return draw_between(d, what, task, item, range.low, range.high);
}

/* alpha^(log2 V) in ppm. Powers of two are products of whole numbers, rounded up each time. */
static int64_t alpha_for(int64_t alpha_ppm, uint32_t virtual_sms)
{
	int128 alpha = PPM;
	uint32_t v = virtual_sms;
	for (; v > 1 && v % 2 == 0; v /= 2)
		alpha = (alpha * alpha_ppm + PPM - 1) / PPM;
	if (v > 1)
		alpha = (int128)ceil((double)alpha * pow((double)alpha_ppm / PPM, log2(v)));
	return (int64_t)alpha;
}

struct interleave *build_interleave(struct taskset *set, const struct platform *platform, uint32_t tasks,
	int64_t alpha_ppm, bool same, uint32_t *count, struct error *err)
{
	uint32_t virtual_sms[INTERLEAVES_MAX] = {2};
	*count = 1;
	if (platform->virtual_sms_per_sm > 0) {
		virtual_sms[0] = platform->virtual_sms_per_sm;
		*count = platform->virtual_sms_per_sm > 1;
	} else {
		for (uint32_t v = 2; v * platform->sms < tasks && *count < INTERLEAVES_MAX; v *= 2)
			virtual_sms[(*count)++] = 2 * v;
	}
	struct interleave *list = arena_new(&set->arena, struct interleave, *count);
	if (!list)
		error_memory(err, "interleave ratios");
	for (uint32_t i = 0; list && i < *count; i++)
		list[i] = (struct interleave){
			.virtual_sms = virtual_sms[i],
			.numerator = same ? alpha_ppm : alpha_for(alpha_ppm, virtual_sms[i]),
			.denominator = PPM,
		};
	return list;
}
