/* runs/replay/captured_set.c - the recorded operations of a unit as a task set.
 *
 * Copies between CPU and GPU are copies; kernels are grids. Memsets and copies within the GPU are kernels of
 * one block of one warp: they are ordered like kernels and take next to nothing of an SM.
 *
 * A kernel's blocks take its recorded time over the number of rounds in which they fit an empty GPU. Where
 * the unit has one stream nothing shares SMs, and one block stands for all. */
#include <stdlib.h>

#include "base/checked.h"
#include "runs/replay/captured_parts.h"

/* More blocks are not simulated one by one: fewer rounds stand for them. */
#define MOST_BLOCKS (UINT64_C(1) << 20)

/* Registers are given to warps by 256, that is, 8 a thread; from compute capability 8.0 on each block takes
 * 1 KiB of shared memory for the system (CUDA C++ Programming Guide). The second is left out here: files
 * differ in whether their sizes contain it. */
#define REGISTERS_STEP 8

static void fill_kernel(struct segment *s, const struct platform *platform, const struct capture_operation *o)
{
	s->kind = SEGMENT_KERNEL;
	s->form = KERNEL_GRID;
	s->grid = 1;
	s->block = WARP_THREADS;
	if (o->kind != CAPTURE_KERNEL) {
		s->carveout = platform->shared_memory_per_sm; /* it stands in no kernel's way */
		return;
	}
	if (o->shared_memory_carve_out != CAPTURE_UNKNOWN)
		s->carveout = o->shared_memory_carve_out;
	s->block = o->threads;
	s->registers = ((int64_t)o->registers + REGISTERS_STEP - 1) / REGISTERS_STEP * REGISTERS_STEP;
	s->shared_memory = o->shared_memory > 0 ? o->shared_memory : 0;
}

bool captured_waves(struct captured_waves *w, const struct platform *platform,
	const struct capture_operation *o, struct error *err)
{
	struct segment s = {.bytes = -1, .profile = -1, .best_ns = 1, .worst_ns = 1};
	struct taskset none = {0};
	struct kernel_shape shape;
	fill_kernel(&s, platform, o);
	if (!kernel_shape(platform, &none, &s, platform_virtual_sms(platform), NULL, &shape, err))
		return false;
	uint64_t grid = o->kind == CAPTURE_KERNEL ? o->grid : 1;
	w->demand = shape.demand;
	w->resident = (uint64_t)kernel_resident(platform, platform_virtual_sms(platform), &shape.demand);
	if (w->resident != UINT32_MAX && platform->pool == POOL_SM)
		w->resident *= platform->sms;
	w->waves = w->resident == 0 ? 1 : (grid + w->resident - 1) / w->resident;
	return true;
}

static int64_t length_of(const struct capture_operation *o)
{
	return o->end_ns > o->start_ns ? o->end_ns - o->start_ns : 1; /* what takes no time is not seen */
}

static bool fill_grid(struct segment *s, const struct captured_unit *unit, const struct capture_operation *o,
	struct error *err)
{
	struct captured_waves w;
	fill_kernel(s, &unit->platform, o);
	s->best_ns = s->worst_ns = length_of(o);
	if (unit->one_stream || o->kind != CAPTURE_KERNEL)
		return true;
	if (!captured_waves(&w, &unit->platform, o, err))
		return false;
	uint64_t grid = o->grid, waves = w.waves;
	if (grid > MOST_BLOCKS) {
		grid = MOST_BLOCKS;
		waves = w.resident ? (grid + w.resident - 1) / w.resident : 1;
	}
	int64_t rounds = (int64_t)waves, block = (length_of(o) + rounds / 2) / rounds;
	s->grid = (uint32_t)grid;
	s->best_ns = s->worst_ns = block > 0 ? block : 1;
	return true;
}

/* Streams are numbered as in the capture. */
static bool fill_segment(struct segment *s, const struct captured *c, const struct captured_unit *unit,
	const struct captured_operation *o, struct error *err)
{
	const struct capture_stream *stream = captured_stream(c, o);
	*s = (struct segment){
		.stream = unit->null_orders && stream->kind == CAPTURE_STREAM_NULL ? STREAM_NULL
										   : (int32_t)o->op->stream,
		.stream_high = stream->priority_known && stream->priority < 0,
		.bytes = -1,
		.profile = -1,
	};
	if (o->kind != CAPTURED_TO_GPU && o->kind != CAPTURED_TO_CPU)
		return fill_grid(s, unit, o->op, err);
	s->kind = SEGMENT_COPY;
	s->direction = o->kind == CAPTURED_TO_GPU ? COPY_TO_GPU : COPY_TO_CPU;
	s->best_ns = s->worst_ns = length_of(o->op);
	return true;
}

/* The tasks of a part; their memory is that of a few lists. */
static bool fill_tasks(struct captured_set *s, const struct captured *c, const struct captured_unit *unit,
	const struct captured_part *part, struct error *err)
{
	struct arena *arena = &s->set.arena;
	struct task *tasks = arena_new(arena, struct task, part->count);
	struct segment *segments = arena_new(arena, struct segment, part->count);
	struct release_rule *rules = arena_new(arena, struct release_rule, part->count);
	int64_t *instants = arena_new(arena, int64_t, part->count);
	if (!tasks || !segments || !rules || !instants)
		return error_memory(err, "replaying a profile");
	for (uint32_t i = 0; i < part->count; i++) {
		const struct captured_operation *o = &c->operations[unit->operations[part->first + i]];
		instants[i] = o->release_ns - s->base_ns;
		rules[i] = (struct release_rule){
			.kind = RELEASE_TRACE, .trace_ns = &instants[i], .trace_count = 1};
		tasks[i] = (struct task){
			.name = (char *)(uintptr_t)o->op->name, /* nobody writes it */
			.period_ns = s->setup.horizon_ns,
			.deadline_ns = s->setup.horizon_ns,
			.segments = &segments[i],
			.segment_count = 1,
			.release = &rules[i],
		};
		if (!fill_segment(&segments[i], c, unit, o, err))
			return false;
	}
	s->set.tasks = tasks;
	s->set.task_count = part->count;
	return true;
}

int64_t captured_base(
	const struct captured *c, const struct captured_unit *unit, const struct captured_part *part)
{
	int64_t first = INT64_MAX;
	for (uint32_t i = 0; i < part->count; i++) {
		int64_t release = c->operations[unit->operations[part->first + i]].release_ns;
		first = release < first ? release : first;
	}
	return first;
}

/* The limit is so late that everything could run one after the other, each with a gap behind it. */
static bool fill_setup(struct captured_set *s, const struct captured *c, const struct captured_unit *unit,
	const struct captured_part *part, struct error *err)
{
	const uint32_t *operations = &unit->operations[part->first];
	int64_t first = captured_base(c, unit, part), last = INT64_MIN, limit;
	for (uint32_t i = 0; i < part->count; i++) {
		int64_t release = c->operations[operations[i]].release_ns;
		last = release > last ? release : last;
	}
	s->base_ns = first;
	bool fits = checked_add(last, -first, &limit) && checked_add(limit, 2, &limit);
	s->setup.horizon_ns = fits ? limit - 1 : 1;
	for (uint32_t i = 0; fits && i < part->count; i++) {
		int64_t length = length_of(c->operations[operations[i]].op), twice;
		/* Rounded to whole rounds, blocks take at most twice as long together. */
		fits = checked_mul(length, 2, &twice) && checked_add(limit, twice, &limit) &&
		       checked_add(limit, unit->platform.overheads.gap_ns, &limit);
	}
	if (!fits)
		return error_set(err, STATUS_INPUT,
			"the times in the file add up to more than 64 bits of nanoseconds");
	s->setup.stop = STOP_DRAINED;
	s->setup.limit_ns = limit;
	s->setup.seed = 1;
	return true;
}

struct report_place {
	const struct captured *c;
	const struct captured_unit *unit;
	const struct captured_part *part;
	struct error *err;
	bool told;
};

static void report(void *self, uint32_t task, uint32_t segment, const char *text)
{
	struct report_place *p = self;
	const struct captured_operation *o = &p->c->operations[p->unit->operations[p->part->first + task]];
	(void)segment;
	if (p->told)
		return;
	p->told = true;
	error_set(p->err, STATUS_INPUT, "%s: kernel '%s' (correlation %llu) cannot run on '%s': %s",
		p->c->capture->file, o->op->name, (unsigned long long)o->op->correlation,
		p->unit->platform.name, text);
}

bool captured_set_make(struct captured_set *s, const struct captured *c, const struct captured_unit *unit,
	const struct captured_part *part, struct error *err)
{
	struct report_place place = {c, unit, part, err, false};
	*s = (struct captured_set){0};
	taskset_init(&s->set);
	return fill_setup(s, c, unit, part, err) && fill_tasks(s, c, unit, part, err) &&
	       taskset_check(&s->set, &unit->platform, report, &place) == 0;
}

void captured_set_finish(struct captured_set *s)
{
	taskset_finish(&s->set);
}
