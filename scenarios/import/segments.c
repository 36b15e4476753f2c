/* scenarios/import/segments.c - the segments of a task, and what they take. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "models/kernel.h"
#include "scenarios/import/flights.h"

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

/* ---- All of a job ---- */

static bool settle_operation(const struct import *im, const struct capture_operation *op,
	struct import_segment *s, struct error *err)
{
	const struct capture_stream *stream = &im->capture->streams[op->stream];
	s->segment.stream = stream->kind == CAPTURE_STREAM_NULL ? STREAM_NULL : (int32_t)op->stream;
	if (part_on_gpu(op))
		settle_on_gpu(op, s);
	else if (op->kind == CAPTURE_COPY)
		settle_copy(op, s);
	else
		return settle_kernel(im, op, s, err);
	return true;
}

/* What others wait for has a name: what it is, and its place in the job, from 1. */
static bool name_operation(struct import *im, uint32_t place, struct import_segment *s, struct error *err)
{
	char name[IMPORT_NAME_MAX], plain[IMPORT_NAME_MAX];
	const char *from =
		*s->what ? import_short_name(s->what, name) : copy_direction_name(s->segment.direction);
	size_t n = 0;
	for (; *from && n < sizeof(plain) - 1; from++)
		plain[n++] = *from > ' ' && *from <= '~' ? *from : '_';
	plain[n] = '\0';
	const char *text = part_text(im, err, "%s #%" PRIu32, n ? plain : "kernel", place + 1);
	s->segment.name = (char *)(uintptr_t)text; /* nobody writes it */
	return text != NULL;
}

/* Names of the operations of a list. */
static bool list_names(struct import *im, const struct import_task *t, const struct part_places *from,
	const uint32_t *segment_of, uint32_t place, struct segment *s, struct error *err)
{
	uint32_t first = from->first[place], count = from->first[place + 1] - first;
	s->awaits = arena_new(&im->arena, char *, count);
	if (!s->awaits)
		return error_memory(err, what);
	for (uint32_t k = 0; k < count; k++)
		s->awaits[k] = t->segments[segment_of[from->place[first + k]]].segment.name;
	s->await_count = count;
	return true;
}

/* The operation, and behind it the wait for those that it is not waited for with alone. */
static bool settle_wait_and_after(struct import *im, const struct part_flights *f, struct import_task *t,
	const uint32_t *segment_of, uint32_t place, struct error *err)
{
	struct segment *s = &t->segments[segment_of[place]].segment;
	if (f->after.first[place + 1] > f->after.first[place] &&
		!list_names(im, t, &f->after, segment_of, place, s, err))
		return false;
	t->afters += s->await_count;
	if (!part_waits(f, place))
		return true;
	s = &t->segments[segment_of[place] + 2].segment;
	s->kind = SEGMENT_WAIT;
	t->waits++;
	return f->all[place] || list_names(im, t, &f->waits, segment_of, place, s, err);
}

/* Nodes of a graph in a row, by the first's place in the job, from 1. */
static bool settle_graph(struct import *im, const struct part_thread *thread, const struct part_job *job,
	uint32_t place, struct segment *before, struct segment *s, struct error *err)
{
	const struct part_operation *p = &thread->operations[job->first + place];
	if (!before->async || !s->async || !part_same_graph(p - 1, p))
		return true;
	if (!before->graph)
		before->graph = (char *)(uintptr_t)part_text(im, err, "graph #%" PRIu32, place);
	s->graph = before->graph;
	return s->graph != NULL;
}

static bool settle_flights(struct import *im, const struct part_thread *thread, const struct part_job *job,
	const struct part_flights *f, struct import_task *t, const uint32_t *segment_of, struct error *err)
{
	for (uint32_t i = 0; i < f->count; i++) {
		struct segment *s = &t->segments[segment_of[i]].segment;
		s->async = !f->waited[i];
		t->asynchronous += s->async;
		if (i > 0 &&
			!settle_graph(im, thread, job, i, &t->segments[segment_of[i - 1]].segment, s, err))
			return false;
		if (!settle_wait_and_after(im, f, t, segment_of, i, err))
			return false;
	}
	for (uint32_t i = 0; i < f->count; i++)
		t->nodes += t->segments[segment_of[i]].segment.graph != NULL;
	return true;
}

/* For each operation a segment of the CPU before it, one behind the last, and one before each wait. */
static bool settle_segments(struct import *im, const struct part_thread *thread, const struct part_job *job,
	const struct part_flights *f, struct import_task *t, struct error *err)
{
	uint32_t *segment_of = arena_new(&im->arena, uint32_t, job->count), at = 0;
	for (uint32_t i = 0; i < job->count && segment_of; i++) {
		segment_of[i] = at + 1;
		at += part_waits(f, i) ? 4 : 2;
	}
	if (at + 1 > TASK_SEGMENTS_MAX)
		return error_set(err, STATUS_INPUT,
			"a job of '%s' has %" PRIu32
			" segments with its waits, more than the %d that a task can have; cut smaller ones "
			"with --job, or wait for each operation (--chain)",
			t->name, at + 1, TASK_SEGMENTS_MAX);
	t->segment_count = at + 1;
	t->segments = arena_new(&im->arena, struct import_segment, t->segment_count);
	if (!t->segments || !segment_of)
		return error_memory(err, what);
	for (uint32_t k = 0; k < t->segment_count; k++)
		t->segments[k] = (struct import_segment){
			.operation = IMPORT_NO_OPERATION, .what = "", .segment.stream = STREAM_OWN};
	for (uint32_t i = 0; i < job->count; i++) {
		struct import_segment *s = &t->segments[segment_of[i]];
		const struct capture_operation *op = thread->operations[job->first + i].op;
		s->operation = i;
		if (!settle_operation(im, op, s, err) ||
			(f->count > 0 && f->named[i] && !name_operation(im, i, s, err)))
			return false;
	}
	return settle_flights(im, thread, job, f, t, segment_of, err);
}

/* ---- Times ---- */

/* Instances that ran alone say how long a segment takes; where there are none, all do. */
static void find_range(
	const struct part_thread *thread, const struct part_task *from, struct import_task *t, uint32_t k)
{
	struct import_segment *s = &t->segments[k];
	bool is_operation = s->operation != IMPORT_NO_OPERATION;
	for (uint32_t j = 0; j < t->learned; j++)
		s->alone += is_operation && thread->operations[from->jobs[j].first + s->operation].alone;
	s->segment.best_ns = INT64_MAX;
	for (uint32_t j = 0; j < t->learned; j++) {
		int64_t value = t->jobs[j].values[k];
		if (s->alone > 0 && !thread->operations[from->jobs[j].first + s->operation].alone)
			continue;
		s->segment.best_ns = value < s->segment.best_ns ? value : s->segment.best_ns;
		s->segment.worst_ns = value > s->segment.worst_ns ? value : s->segment.worst_ns;
	}
}

/* Segments of the CPU that took no time in any job are none, nor is a wait at the end: that of a job waits
 * for all of its operations. */
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
	while (kept > 0 && t->segments[kept - 1].segment.kind == SEGMENT_WAIT) {
		t->waits--;
		kept--;
	}
	t->segment_count = kept;
}

bool part_segments(struct import *im, const struct import_request *request, const struct part_thread *thread,
	const struct part_links *links, const struct part_task *from, struct import_task *to,
	struct error *err)
{
	struct part_flights flights;
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
	if (!part_flights(im, request, thread, from, links, &flights, to, err) ||
		!settle_segments(im, thread, &from->jobs[0], &flights, to, err) ||
		!part_fill_jobs(im, thread, from, links, &flights, to, err))
		return false;
	to->learned = request->first_half ? (from->count + 1) / 2 : from->count;
	to->replayed = request->first_half ? to->learned : 0;
	for (uint32_t k = 0; k < to->segment_count; k++)
		find_range(thread, from, to, k);
	drop_empty(to);
	part_period(to, request->period_ns);
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
