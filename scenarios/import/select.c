/* scenarios/import/select.c - which operations of a capture are imported: those of one GPU, by thread. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/import/losses.h"
#include "scenarios/import/parts.h"

static const char what[] = "importing a capture";

/* What is left out, and why. */
enum left { LEFT_DEVICE, LEFT_OTHER, LEFT_WINDOW, LEFT_KIND, LEFT_CALL, LEFT_COUNT };
static const char *const left_subject[LEFT_COUNT] = {
	"operations", "operations", "operations", "copies", "operations"};
static const char *const left_text[LEFT_COUNT] = {
	[LEFT_DEVICE] = "of other GPUs",
	[LEFT_OTHER] = "of other processes and threads, by --process and --thread",
	[LEFT_WINDOW] = "outside of --from and --to",
	[LEFT_KIND] = "to other GPUs, of unified memory, or between places on the host: they have no model",
	[LEFT_CALL] = "whose call is not in the file, so that nobody knows which thread issued them",
};

struct selection {
	struct import *im;
	const struct import_request *request;
	uint32_t gpu;
	bool sliced;        /* it is known which process had the GPU */
	bool *alone;        /* [operations of the capture] */
	int64_t *waited_ns; /* the same, as in struct part_operation */
	int64_t *stream_ns, *rival_ns;
	uint64_t left[LEFT_COUNT];
	uint64_t shared; /* kernels in whose time another process had the GPU, */
	int128 lost_ns;  /* so long */
};

/* ---- The GPU ---- */

/* A clock that was wrong for one operation makes a capture of decades, of which no scenario can be made. */
static bool check_span(const struct capture *c, struct error *err)
{
	int64_t last = 0;
	for (uint32_t i = 0; i < c->operation_count; i++)
		last = c->operations[i].end_ns > last ? c->operations[i].end_ns : last;
	for (uint32_t i = 0; i < c->range_count; i++)
		last = c->ranges[i].end_ns > last ? c->ranges[i].end_ns : last;
	return last <= IMPORT_SPAN_MAX_NS ||
	       error_set(err, STATUS_INPUT, "%s says that it took %.3g years; some of its times are wrong",
		       c->file, (double)last / 1e9 / 3600 / 24 / 365.25);
}

static bool choose_gpu(struct selection *s, struct error *err)
{
	const struct capture *c = s->im->capture;
	uint64_t *used = arena_new(&s->im->arena, uint64_t, c->gpu_count);
	if (!used)
		return error_memory(err, what);
	for (uint32_t i = 0; i < c->operation_count; i++)
		used[c->streams[c->operations[i].stream].gpu]++;
	for (uint32_t i = 0; i < c->gpu_count; i++) {
		if (s->request->device == c->gpus[i].device && used[i] == 0)
			return error_set(err, STATUS_INPUT, "%s has no operations of device %" PRId64,
				c->file, s->request->device);
		if (s->request->device == IMPORT_ANY ? used[i] > used[s->gpu]
						     : s->request->device == c->gpus[i].device)
			s->gpu = i;
	}
	if (c->gpu_count == 0 || used[s->gpu] == 0)
		return error_set(err, STATUS_INPUT, "%s has no kernels and no copies", c->file);
	if (s->request->device != IMPORT_ANY && c->gpus[s->gpu].device != s->request->device)
		return error_set(err, STATUS_INPUT, "%s has no device %" PRId64, c->file, s->request->device);
	return true;
}

/* ---- Who ran alone ---- */

/* Kernels compete for SMs, copies of one direction for an engine. */
static int kind_of(const struct capture_operation *op)
{
	return op->kind != CAPTURE_COPY ? (int)op->kind : 3 + (int)op->direction;
}

/* Operations of one number compete. Where processes take turns, kernels of different ones do not: while one
 * has the GPU no other runs. */
static uint64_t rivals_of(const struct selection *s, const struct capture_operation *op)
{
	uint64_t process = s->im->capture->streams[op->stream].process;
	bool apart = s->sliced && op->kind == CAPTURE_KERNEL;
	return (uint64_t)kind_of(op) << 32 | (apart ? process : 0);
}

static int compare_starts(const void *a, const void *b, void *selection)
{
	const struct selection *s = selection;
	const struct capture *c = s->im->capture;
	const struct capture_operation *x = &c->operations[*(const uint32_t *)a];
	const struct capture_operation *y = &c->operations[*(const uint32_t *)b];
	uint64_t left = rivals_of(s, x), right = rivals_of(s, y);
	if (left != right)
		return left < right ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x > y) - (x < y);
}

static int compare_in_stream(const void *a, const void *b, void *capture)
{
	const struct capture *c = capture;
	const struct capture_operation *x = &c->operations[*(const uint32_t *)a];
	const struct capture_operation *y = &c->operations[*(const uint32_t *)b];
	if (x->stream != y->stream)
		return x->stream < y->stream ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x > y) - (x < y);
}

/* ---- Who waited for another thread ---- */

#define LOOKED_BACK 64u /* operations before it that are looked at */

static void later(int64_t *time, int64_t other)
{
	if (other > *time)
		*time = other;
}

/* Operations that ended between the call and the start: the model makes such waits itself, so they are no
 * time of the CPU. */
static void find_waits(struct selection *s, const uint32_t *order, uint32_t count, bool in_stream)
{
	const struct capture *c = s->im->capture;
	int64_t *behind_ns = in_stream ? s->stream_ns : s->rival_ns;
	for (uint32_t k = 0; k < count; k++) {
		const struct capture_operation *op = &c->operations[order[k]];
		for (uint32_t back = 1; back <= k && back <= (in_stream ? 1 : LOOKED_BACK); back++) {
			const struct capture_operation *before = &c->operations[order[k - back]];
			if (in_stream ? before->stream != op->stream
				      : rivals_of(s, before) != rivals_of(s, op))
				break;
			if (before->end_ns > op->start_ns ||
				(!in_stream && op->start_ns - before->end_ns > HANDED_OVER_NS))
				continue;
			later(&behind_ns[order[k]], before->end_ns);
			if (before->thread != op->thread)
				later(&s->waited_ns[order[k]], before->end_ns);
		}
	}
}

static bool refuse_turns(const struct selection *s, const struct capture_operation *before,
	const struct capture_operation *op, struct error *err)
{
	const struct capture *c = s->im->capture;
	return error_set(err, STATUS_INPUT,
		"kernels of processes %" PRId64 " and %" PRId64
		" took turns on the GPU, and %s does not say when: their times are not their own. Record it "
		"with --gpuctxsw=true, or one process at a time",
		c->processes[c->streams[before->stream].process].pid,
		c->processes[c->streams[op->stream].process].pid, c->file);
}

/* In order of rivals and start: an operation overlaps those before it if the latest of their ends is behind
 * its start. Two processes whose kernels overlap took turns. */
static bool find_alone(struct selection *s, const uint32_t *order, uint32_t count, struct error *err)
{
	const struct capture *c = s->im->capture;
	for (uint32_t k = 0, latest = 0; k < count; k++) {
		const struct capture_operation *op = &c->operations[order[k]];
		const struct capture_operation *before = k ? &c->operations[order[latest]] : NULL;
		s->alone[order[k]] = true;
		if (before && rivals_of(s, before) == rivals_of(s, op) && before->end_ns > op->start_ns) {
			s->alone[order[k]] = s->alone[order[latest]] = false;
			if (op->kind == CAPTURE_KERNEL && !s->sliced &&
				c->streams[op->stream].process != c->streams[before->stream].process)
				return refuse_turns(s, before, op, err);
			if (op->end_ns <= before->end_ns)
				continue;
		}
		latest = k;
	}
	return true;
}

static bool look_at_gpu(struct selection *s, struct error *err)
{
	const struct capture *c = s->im->capture;
	uint32_t *order = arena_new(&s->im->arena, uint32_t, c->operation_count), count = 0;
	s->sliced = part_sliced(c, s->gpu);
	s->alone = arena_new(&s->im->arena, bool, c->operation_count);
	s->waited_ns = arena_new(&s->im->arena, int64_t, c->operation_count);
	s->stream_ns = arena_new(&s->im->arena, int64_t, c->operation_count);
	s->rival_ns = arena_new(&s->im->arena, int64_t, c->operation_count);
	if (!order || !s->alone || !s->waited_ns || !s->stream_ns || !s->rival_ns)
		return error_memory(err, what);
	for (uint32_t i = 0; i < c->operation_count; i++) {
		s->waited_ns[i] = s->stream_ns[i] = s->rival_ns[i] = INT64_MIN;
		if (c->streams[c->operations[i].stream].gpu == s->gpu)
			order[count++] = i;
	}
	qsort_r(order, count, sizeof(*order), compare_in_stream, (void *)(uintptr_t)c);
	find_waits(s, order, count, true);
	qsort_r(order, count, sizeof(*order), compare_starts, s);
	find_waits(s, order, count, false);
	return find_alone(s, order, count, err);
}

/* ---- Threads ---- */

static bool wanted(struct selection *s, const struct capture_operation *op)
{
	const struct capture *c = s->im->capture;
	const struct import_request *q = s->request;
	const struct capture_stream *stream = &c->streams[op->stream];
	int64_t call = op->call_ns == CAPTURE_UNKNOWN ? op->start_ns : op->call_ns;
	enum left why = LEFT_COUNT;
	if (stream->gpu != s->gpu)
		why = LEFT_DEVICE;
	else if (op->thread == CAPTURE_NONE)
		why = LEFT_CALL;
	else if ((q->process != IMPORT_ANY && q->process != c->processes[stream->process].pid) ||
		 (q->thread != IMPORT_ANY && q->thread != c->threads[op->thread].tid))
		why = LEFT_OTHER;
	else if (call < q->from_ns || call >= q->to_ns)
		why = LEFT_WINDOW;
	else if (op->kind == CAPTURE_COPY &&
		 (op->direction == CAPTURE_PEER || op->direction == CAPTURE_MANAGED ||
			 op->direction == CAPTURE_ELSEWHERE))
		why = LEFT_KIND;
	else
		return true;
	s->left[why]++;
	return false;
}

bool part_on_gpu(const struct capture_operation *op)
{
	return op->kind == CAPTURE_MEMSET || (op->kind == CAPTURE_COPY && op->direction == CAPTURE_ON_GPU);
}

/* Takes slices of other processes out of kernels, and counts what they took. */
static bool take_slices(struct selection *s, struct part_thread *t, struct error *err)
{
	const struct capture *c = s->im->capture;
	struct part_losses losses;
	if (!part_losses_of_process(s->im, c->threads[t->thread].process, s->gpu, &losses, err))
		return false;
	for (uint32_t i = 0; i < t->count; i++) {
		struct part_operation *p = &t->operations[i];
		int64_t lost = part_lost_ns(&losses, p->op->start_ns, p->op->end_ns);
		if (p->op->kind != CAPTURE_KERNEL || lost == 0)
			continue;
		p->own_ns -= lost;
		s->shared++;
		s->lost_ns += lost;
	}
	return true;
}

/* From a call to the start, the least. */
static int64_t least_latency(const struct selection *s)
{
	const struct capture *c = s->im->capture;
	int64_t least = INT64_MAX;
	for (uint32_t i = 0; i < c->operation_count; i++) {
		const struct capture_operation *op = &c->operations[i];
		if (op->call_ns == CAPTURE_UNKNOWN || c->streams[op->stream].gpu != s->gpu)
			continue;
		int64_t latency = op->start_ns - op->call_ns;
		least = latency < least ? latency : least;
	}
	return least == INT64_MAX || least < 0 ? 0 : least;
}

static bool collect(struct selection *s, struct part_thread **threads, uint32_t *count, struct error *err)
{
	const struct capture *c = s->im->capture;
	struct arena *arena = &s->im->arena;
	struct part_thread *all = arena_new(arena, struct part_thread, c->thread_count);
	bool *take = arena_new(arena, bool, c->operation_count);
	if (!all || !take)
		return error_memory(err, what);
	for (uint32_t i = 0; i < c->operation_count; i++) {
		take[i] = wanted(s, &c->operations[i]);
		if (take[i])
			all[c->operations[i].thread].count++;
	}
	for (uint32_t t = 0; t < c->thread_count; t++) {
		all[t].thread = t;
		all[t].operations = arena_new(arena, struct part_operation, all[t].count);
		if (!all[t].operations)
			return error_memory(err, what);
		all[t].count = 0;
	}
	for (uint32_t i = 0; i < c->operation_count; i++) {
		const struct capture_operation *op = &c->operations[i];
		if (take[i])
			all[op->thread].operations[all[op->thread].count++] = (struct part_operation){
				.op = op,
				.call_ns = op->call_ns == CAPTURE_UNKNOWN ? op->start_ns : op->call_ns,
				.waited_ns = s->waited_ns[i],
				.stream_ns = s->stream_ns[i],
				.rival_ns = s->rival_ns[i],
				.own_ns = op->end_ns - op->start_ns,
				.hash = part_hash(op),
				.alone = s->alone[i],
			};
	}
	int64_t least = least_latency(s);
	*threads = all;
	*count = 0;
	for (uint32_t t = 0; t < c->thread_count; t++) {
		if (all[t].count == 0)
			continue;
		all[t].least_ns = least;
		if (s->sliced && !take_slices(s, &all[t], err))
			return false;
		all[(*count)++] = all[t];
	}
	return true;
}

/* What is made of something else than it was. */
static bool note_changes(
	const struct selection *s, const struct part_thread *threads, uint32_t count, struct error *err)
{
	uint64_t on_gpu = 0;
	for (uint32_t t = 0; t < count; t++)
		for (uint32_t i = 0; i < threads[t].count; i++)
			on_gpu += part_on_gpu(threads[t].operations[i].op);
	if (on_gpu > 0 &&
		!part_note(s->im, err, IMPORT_ASSUMED, "memsets", on_gpu,
			"memsets and copies on the GPU need no copy engine; each is a kernel of one "
			"warp that takes as long"))
		return false;
	return s->shared == 0 ||
	       part_note(s->im, err, IMPORT_ASSUMED, "time slices", s->shared,
		       "kernels shared the GPU with other processes, %.6g ms in all; this is taken out "
		       "of their times, and does not come back in a run: all tasks are of one process there",
		       (double)s->lost_ns / 1e6);
}

static bool note_selection(const struct selection *s, uint32_t threads, struct error *err)
{
	const struct capture *c = s->im->capture;
	uint32_t streams = 0, unflagged = 0;
	for (uint32_t i = 0; i < c->stream_count; i++) {
		streams += c->streams[i].gpu == s->gpu;
		unflagged += c->streams[i].gpu == s->gpu && c->streams[i].kind == CAPTURE_STREAM_NON_BLOCKING;
	}
	if (!part_note(s->im, err, IMPORT_FOUND, "threads", threads,
		    "that issued operations of device %" PRId64, c->gpus[s->gpu].device) ||
		!part_note(s->im, err, IMPORT_FOUND, "streams", streams, "of this device"))
		return false;
	if (unflagged > 0 && !part_note(s->im, err, IMPORT_ASSUMED, "streams", unflagged,
				     "were made as non-blocking; here the NULL stream waits for them, too"))
		return false;
	if (c->windows &&
		!part_note(s->im, err, IMPORT_ASSUMED, "Windows", 1,
			"the driver (WDDM) submits work in batches; this is part of the CPU's times"))
		return false;
	for (int i = 0; i < LEFT_COUNT; i++)
		if (s->left[i] > 0 && !part_note(s->im, err, IMPORT_LEFT_OUT, left_subject[i], s->left[i],
					      "%s", left_text[i]))
			return false;
	return true;
}

bool part_select(struct import *im, const struct import_request *request, uint32_t *gpu,
	struct part_thread **threads, uint32_t *count, struct error *err)
{
	struct selection s = {.im = im, .request = request};
	if (!check_span(im->capture, err) || !choose_gpu(&s, err) || !look_at_gpu(&s, err) ||
		!collect(&s, threads, count, err))
		return false;
	*gpu = s.gpu;
	if (*count == 0)
		return error_set(err, STATUS_INPUT,
			"%s has no operations that can be imported with these options%s", im->capture->file,
			s.left[LEFT_CALL] > 0 ? ": it does not say which thread issued them" : "");
	return note_selection(&s, *count, err) && part_note_slices(im, s.gpu, err) &&
	       note_changes(&s, *threads, *count, err);
}
