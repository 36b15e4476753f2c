/* scenarios/import/segments.c - the segments of a task, and what they took in each of its jobs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "models/kernel.h"
#include "scenarios/import/losses.h"
#include "scenarios/import/parts.h"

static const char what[] = "importing a capture";

#define REGISTER_GRANULE 8 /* per thread: 256 registers per warp, of compute capabilities from 3.0 on */

static uint32_t rounded_registers(const struct capture_operation *op)
{
	return (op->registers + REGISTER_GRANULE - 1) / REGISTER_GRANULE * REGISTER_GRANULE;
}

/* Blocks of the kernel on an SM; 0: none fits. */
static uint32_t resident_blocks(const struct platform *p, const struct capture_operation *op)
{
	uint32_t warps = (op->threads + WARP_THREADS - 1) / WARP_THREADS;
	const struct block_demand demand = {
		.threads = warps * WARP_THREADS,
		.warps = warps,
		.registers = (int64_t)rounded_registers(op) * warps * WARP_THREADS,
		.shared_memory = op->shared_memory,
	};
	return kernel_resident(p, platform_virtual_sms(p), &demand);
}

/* ---- Shapes of segments ---- */

static bool settle_kernel(const struct import *im, const struct capture_operation *op,
	struct import_segment *s, struct error *err)
{
	uint64_t resident = resident_blocks(&im->recorded, op), places;
	bool fits = resident > 0 && resident_blocks(&im->platform, op) > 0;
	if (op->grid == 0 || op->grid > INT32_MAX || op->threads == 0)
		return error_set(err, STATUS_INPUT,
			"%s: kernel '%s' has %" PRIu64 " blocks of %" PRIu32
			" threads, which no scenario can say",
			im->capture->file, op->name, op->grid, op->threads);
	if (!fits)
		return error_set(err, STATUS_INPUT,
			"a block of kernel '%s' (%" PRIu32 " threads, %" PRIu32 " registers each, %" PRId64
			" bytes of shared memory) does not fit an SM of %s",
			op->name, op->threads, rounded_registers(op), op->shared_memory,
			resident == 0 ? im->recorded.name : im->platform.name);
	places = resident * im->recorded.sms;
	s->waves = (uint32_t)((op->grid + places - 1) / places);
	s->what = op->name;
	s->segment.kind = SEGMENT_KERNEL;
	s->segment.form = KERNEL_GRID;
	s->segment.grid = (uint32_t)op->grid;
	s->segment.block = op->threads;
	s->segment.registers = rounded_registers(op);
	s->segment.shared_memory = op->shared_memory;
	return true;
}

/* Memsets and copies within the GPU need no link between CPU and GPU: they run beside kernels and beside
 * copies from and to the CPU (CUDA C++ Programming Guide, "Overlap of Data Transfer and Kernel Execution").
 * As in `cegsim replay`, each is a kernel of one block of one warp that takes as long. */
static void settle_on_gpu(const struct capture_operation *op, struct import_segment *s)
{
	s->what = op->kind == CAPTURE_MEMSET ? "memset" : "copy on the GPU";
	s->waves = 1;
	s->segment.kind = SEGMENT_KERNEL;
	s->segment.form = KERNEL_GRID;
	s->segment.grid = 1;
	s->segment.block = WARP_THREADS;
}

static void settle_copy(const struct capture_operation *op, struct import_segment *s)
{
	s->segment.kind = SEGMENT_COPY;
	s->segment.bytes = -1;
	s->segment.direction = op->direction == CAPTURE_TO_GPU ? COPY_TO_GPU : COPY_TO_CPU;
}

/* For each operation a segment of the CPU before it, one behind the last. */
static bool settle_segments(struct import *im, const struct part_thread *thread, const struct part_job *job,
	struct import_task *t, struct error *err)
{
	t->segment_count = 2 * job->count + 1;
	t->segments = arena_new(&im->arena, struct import_segment, t->segment_count);
	if (!t->segments)
		return error_memory(err, what);
	for (uint32_t k = 0; k < t->segment_count; k++) {
		struct import_segment *s = &t->segments[k];
		s->what = "";
		s->segment.stream = STREAM_OWN;
		if (k % 2 == 0)
			continue;
		const struct capture_operation *op = thread->operations[job->first + k / 2].op;
		const struct capture_stream *stream = &im->capture->streams[op->stream];
		s->segment.stream = stream->kind == CAPTURE_STREAM_NULL ? STREAM_NULL : (int32_t)op->stream;
		if (part_on_gpu(op))
			settle_on_gpu(op, s);
		else if (op->kind == CAPTURE_COPY)
			settle_copy(op, s);
		else if (!settle_kernel(im, op, s, err))
			return false;
	}
	return true;
}

/* ---- Times ---- */

static int64_t cpu_ns(const struct part_losses *losses, int64_t start, int64_t end)
{
	return end <= start ? 0 : end - start - part_lost_ns(losses, start, end);
}

/* Time of the CPU before an operation that could begin at `at`. If it waited for other threads on the GPU,
 * which the model makes it do again: up to its call, and from the end of what it waited for. */
static int64_t before_ns(const struct part_losses *losses, const struct part_operation *p, int64_t at)
{
	if (p->waited_ns <= at || p->waited_ns <= p->call_ns)
		return cpu_ns(losses, at, p->op->start_ns);
	return cpu_ns(losses, at, p->call_ns) + cpu_ns(losses, p->waited_ns, p->op->start_ns);
}

/* The job as a chain from what was before it to its end. `before`: end of the thread's last operation. */
static void fill_job(const struct part_losses *losses, const struct part_thread *thread,
	const struct part_job *from, struct import_task *t, struct import_job *job, int64_t before)
{
	int64_t at = from->release_ns > before ? from->release_ns : before;
	job->release_ns = from->release_ns;
	job->end_ns = from->end_ns;
	for (uint32_t i = 0; i < from->count; i++) {
		const struct part_operation *p = &thread->operations[from->first + i];
		const struct capture_operation *op = p->op;
		int64_t length = p->own_ns;
		int64_t waves = t->segments[2 * i + 1].waves;
		job->values[2 * i] = before_ns(losses, p, at);
		job->spans[2 * i] = (struct import_span){at, op->start_ns};
		job->spans[2 * i + 1] = (struct import_span){op->start_ns, op->end_ns};
		job->values[2 * i + 1] = length;
		if (waves > 0) {
			int64_t block = (length + waves / 2) / waves;
			job->values[2 * i + 1] = block > 0 ? block : 1;
		}
		t->gpu_ns += length;
		t->operations++;
		t->ahead += i > 0 && p->call_ns < at;
		if (op->start_ns < at)
			t->overlap_ns += (op->end_ns < at ? op->end_ns : at) - op->start_ns;
		at = op->end_ns > at ? op->end_ns : at;
	}
	job->values[t->segment_count - 1] = cpu_ns(losses, at, from->end_ns);
	job->spans[t->segment_count - 1] = (struct import_span){at, from->end_ns};
}

static bool fill_jobs(struct import *im, const struct part_thread *thread, const struct part_task *from,
	struct import_task *t, struct error *err)
{
	int64_t before = INT64_MIN;
	uint32_t at = 0;
	struct part_losses losses;
	if (!part_losses_of_thread(im, thread->thread, &losses, err))
		return false;
	t->jobs = arena_new(&im->arena, struct import_job, from->count);
	if (!t->jobs)
		return error_memory(err, what);
	t->job_count = from->count;
	for (uint32_t j = 0; j < from->count; j++) {
		t->jobs[j].values = arena_new(&im->arena, int64_t, t->segment_count);
		t->jobs[j].spans = arena_new(&im->arena, struct import_span, t->segment_count);
		if (!t->jobs[j].values || !t->jobs[j].spans)
			return error_memory(err, what);
		for (; at < from->jobs[j].first; at++)
			if (thread->operations[at].op->end_ns > before)
				before = thread->operations[at].op->end_ns;
		fill_job(&losses, thread, &from->jobs[j], t, &t->jobs[j], before);
	}
	return true;
}

/* Instances that ran alone say how long a segment takes; where there are none, all do. */
static void find_range(
	const struct part_thread *thread, const struct part_task *from, struct import_task *t, uint32_t k)
{
	struct import_segment *s = &t->segments[k];
	for (uint32_t j = 0; j < t->learned; j++)
		s->alone += k % 2 == 1 && thread->operations[from->jobs[j].first + k / 2].alone;
	s->segment.best_ns = INT64_MAX;
	for (uint32_t j = 0; j < t->learned; j++) {
		int64_t value = t->jobs[j].values[k];
		if (s->alone > 0 && !thread->operations[from->jobs[j].first + k / 2].alone)
			continue;
		s->segment.best_ns = value < s->segment.best_ns ? value : s->segment.best_ns;
		s->segment.worst_ns = value > s->segment.worst_ns ? value : s->segment.worst_ns;
	}
}

/* Segments of the CPU that took no time in any job are none. */
static void drop_empty(struct import_task *t)
{
	uint32_t kept = 0;
	for (uint32_t k = 0; k < t->segment_count; k++) {
		bool empty = t->segments[k].segment.kind == SEGMENT_CPU;
		for (uint32_t j = 0; j < t->job_count && empty; j++)
			empty = t->jobs[j].values[k] == 0;
		if (empty)
			continue;
		t->segments[kept] = t->segments[k];
		for (uint32_t j = 0; j < t->job_count; j++) {
			t->jobs[j].values[kept] = t->jobs[j].values[k];
			t->jobs[j].spans[kept] = t->jobs[j].spans[k];
		}
		kept++;
	}
	t->segment_count = kept;
}

/* ---- Periods ---- */

/* Two digits that count, rounded up. */
static int64_t rounded_up(int64_t ns)
{
	int64_t unit = 1;
	while (ns / unit >= 100)
		unit *= 10;
	return (ns + unit - 1) / unit * unit;
}

/* A loop that waits for no period begins its next job within a twentieth of the last one's length. */
static void find_period(struct import_task *t, int64_t given_ns)
{
	uint32_t close = 0;
	t->least_gap_ns = INT64_MAX;
	for (uint32_t j = 0; j < t->job_count; j++) {
		int64_t length = t->jobs[j].end_ns - t->jobs[j].release_ns;
		t->longest_ns = length > t->longest_ns ? length : t->longest_ns;
		if (j + 1 == t->job_count)
			break;
		int64_t gap = t->jobs[j + 1].release_ns - t->jobs[j].release_ns;
		t->least_gap_ns = gap < t->least_gap_ns ? gap : t->least_gap_ns;
		close += gap - length <= length / 20;
	}
	if (t->job_count < 2)
		t->least_gap_ns = 0;
	t->saturated = t->job_count > 1 && close * 2 > t->job_count - 1;
	t->period_ns = given_ns;
	if (given_ns == 0)
		t->period_ns = t->saturated || t->job_count < 2 ? rounded_up(t->longest_ns) : t->least_gap_ns;
	t->period_ns = t->period_ns > 0 ? t->period_ns : 1;
}

bool part_segments(struct import *im, const struct import_request *request, const struct part_thread *thread,
	const struct part_task *from, struct import_task *to, struct error *err)
{
	if (request->first_half && from->count < 2)
		return error_set(err, STATUS_INPUT,
			"task '%s' has one job: there is no second half to judge on; cut its jobs at another "
			"place (--job), or use all of it (--learn all)",
			to->name);
	if (from->jobs[0].count > UINT16_MAX / 2)
		return error_set(err, STATUS_INPUT,
			"a job of '%s' has %" PRIu32
			" operations, more than the %d that a task can have; cut smaller ones with --job",
			to->name, from->jobs[0].count, UINT16_MAX / 2);
	if (!settle_segments(im, thread, &from->jobs[0], to, err) || !fill_jobs(im, thread, from, to, err))
		return false;
	to->learned = request->first_half ? (from->count + 1) / 2 : from->count;
	to->replayed = request->first_half ? to->learned : 0;
	for (uint32_t k = 0; k < to->segment_count; k++)
		find_range(thread, from, to, k);
	drop_empty(to);
	find_period(to, request->period_ns);
	return true;
}

/* ---- Kernels ---- */

static struct import_kernel *kernel_for(
	struct import *im, const struct capture_operation *op, struct error *err)
{
	for (uint32_t i = 0; i < im->kernel_count; i++) {
		struct import_kernel *k = &im->kernels[i];
		if (k->threads == op->threads && k->registers == op->registers &&
			k->shared_memory == op->shared_memory && strcmp(k->name, op->name) == 0)
			return k;
	}
	struct import_kernel *all = list_room(im->kernels, im->kernel_count, sizeof(*all), what, err);
	if (!all)
		return NULL;
	im->kernels = all;
	all[im->kernel_count] = (struct import_kernel){
		.name = op->name,
		.threads = op->threads,
		.registers = op->registers,
		.shared_memory = op->shared_memory,
		.resident = resident_blocks(&im->recorded, op),
		.least_grid = UINT64_MAX,
		.least_ns = INT64_MAX,
	};
	return &all[im->kernel_count++];
}

static int compare_kernels(const void *a, const void *b)
{
	const struct import_kernel *x = a, *y = b;
	if (x->all_ns != y->all_ns)
		return x->all_ns > y->all_ns ? -1 : 1;
	return strcmp(x->name, y->name);
}

bool part_kernels(struct import *im, const struct part_thread *threads, uint32_t count, struct error *err)
{
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t k = 0; k < threads[i].count; k++) {
			const struct part_operation *p = &threads[i].operations[k];
			int64_t length = p->own_ns;
			if (p->op->kind != CAPTURE_KERNEL)
				continue;
			struct import_kernel *kernel = kernel_for(im, p->op, err);
			if (!kernel)
				return false;
			kernel->launches++;
			kernel->alone += p->alone;
			kernel->all_ns += length;
			kernel->least_ns = length < kernel->least_ns ? length : kernel->least_ns;
			kernel->most_ns = length > kernel->most_ns ? length : kernel->most_ns;
			kernel->least_grid =
				p->op->grid < kernel->least_grid ? p->op->grid : kernel->least_grid;
			kernel->most_grid = p->op->grid > kernel->most_grid ? p->op->grid : kernel->most_grid;
		}
	}
	if (im->kernel_count > 0)
		qsort(im->kernels, im->kernel_count, sizeof(*im->kernels), compare_kernels);
	return true;
}
