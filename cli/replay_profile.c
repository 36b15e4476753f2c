/* cli/replay_profile.c - see cli/replay_profile.h. */
#include "cli/replay_profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/diagnostics.h"
#include "base/say.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/replay_record.h"
#include "runs/replay/captured.h"

/* More unexplained operations than this, and the exit status is 1. */
#define UNEXPLAINED_PERCENT 5
#define WORST 5

struct profile_work {
	const struct profile_command *command;
	struct arena arena;
	struct capture capture;
	enum capture_form form;
	struct captured captured;
	uint32_t worst[WORST]; /* unexplained operations, the latest first */
	uint32_t worst_count;
};

/* ---- what users must know ---- */

static void PRINTF_LIKE(2, 3) warn_of(uint64_t count, const char *fmt, ...)
{
	va_list args;
	if (count == 0)
		return;
	say(stderr, "cegsim: warning: ");
	va_start(args, fmt);
	say_list(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
}

static void warn_of_marks(const struct profile_work *w)
{
	const struct captured *c = &w->captured;
	warn_of(c->no_call,
		"operations whose call is not in the file: %" PRIu64
		"; they are released when they started, and not compared",
		c->no_call);
	warn_of(c->held,
		"operations behind events of other streams: %" PRIu64
		"; they are released at the recorded end of what they wait for, so that no error of "
		"another's is theirs",
		c->held);
	warn_of(c->unordered,
		"operations behind events that the file does not tell enough of: %" PRIu64
		"; they are predicted as if nothing held them, and counted as sync",
		c->unordered);
	warn_of(c->capture->stream_count > 1 ? c->unknown_waits : 0,
		"waits of streams for events, of which the file does not say which stream waits: %" PRIu64
		"; what they hold up is predicted too early",
		c->unknown_waits);
	/* The reader of traces of PyTorch has said so. */
	warn_of(w->form == CAPTURE_FORM_NSYS ? c->collectives : 0,
		"kernels of NCCL, whose times contain their waits for other GPUs: %" PRIu64, c->collectives);
	warn_of(c->sliced,
		"operations that shared the GPU's time with another process, which is part of their "
		"times: %" PRIu64,
		c->sliced);
	warn_of(c->mixed_streams,
		"some streams wait for the NULL stream and some do not: all are replayed as if "
		"they did");
	warn_of(c->unit_count > 1 ? c->unit_count : 0,
		"processes and GPUs whose work is replayed one by one: %u", c->unit_count);
}

static void warn(const struct profile_work *w)
{
	for (uint32_t i = 0; i < w->capture.note_count; i++)
		say(stderr, "cegsim: note: %s\n", w->capture.notes[i]);
	warn_of(w->capture.windows,
		"recorded under Windows (WDDM): the driver hands work to the GPU in batches, in "
		"an order of its own, which the model does not have");
	warn_of(w->capture.resolution_ns > 1, "the times of this file are whole microseconds");
	warn_of_marks(w);
}

/* ---- the worst ---- */

static int64_t late_ns(const struct captured_operation *o)
{
	return o->op->start_ns - (o->eligible_ns > o->due_ns ? o->eligible_ns : o->due_ns);
}

static void find_worst(struct profile_work *w)
{
	const struct captured *c = &w->captured;
	for (uint32_t i = 0; i < c->count; i++) {
		if (c->operations[i].reason != CAPTURED_UNEXPLAINED)
			continue;
		uint32_t at = w->worst_count;
		while (at > 0 && late_ns(&c->operations[i]) > late_ns(&c->operations[w->worst[at - 1]]))
			at--;
		if (at == WORST)
			continue;
		if (w->worst_count < WORST)
			w->worst_count++;
		memmove(&w->worst[at + 1], &w->worst[at], (w->worst_count - at - 1) * sizeof(*w->worst));
		w->worst[at] = i;
	}
}

/* Where a user finds the operation in his file. */
static void add_place(struct text *t, const struct profile_work *w, const struct captured_operation *o)
{
	static const char *const tables[] = {[CAPTURE_KERNEL] = "CUPTI_ACTIVITY_KIND_KERNEL",
		[CAPTURE_COPY] = "CUPTI_ACTIVITY_KIND_MEMCPY",
		[CAPTURE_MEMSET] = "CUPTI_ACTIVITY_KIND_MEMSET"};
	if (w->form == CAPTURE_FORM_NSYS)
		text_printf(t, "SELECT * FROM %s WHERE correlationId = %" PRIu64 " AND start = %" PRId64,
			tables[o->op->kind], o->op->correlation, o->op->start_ns + w->capture.start_ns);
	else
		text_printf(t, "the event with correlation %" PRIu64, o->op->correlation);
}

static const char *name_of(const struct captured_operation *o)
{
	return o->op->name[0] ? o->op->name : captured_kind_name(o->kind);
}

static bool tell_worst(const struct profile_work *w, struct error *err)
{
	for (uint32_t i = 0; i < w->worst_count; i++) {
		const struct captured_operation *o = &w->captured.operations[w->worst[i]];
		struct text t = {0};
		add_place(&t, w, o);
		bool ok = text_ok(&t, "printing a replay", err);
		if (ok)
			say(stderr,
				"cegsim: note: unexplained: %s on stream %" PRId64
				", called at %.6g ms, started at %.6g ms, %.6g ms late: %s\n",
				name_of(o), w->capture.streams[o->op->stream].number,
				(double)o->op->call_ns / 1e6, (double)o->op->start_ns / 1e6,
				(double)late_ns(o) / 1e6, text_data(&t));
		text_finish(&t);
		if (!ok)
			return false;
	}
	return true;
}

/* ---- answers ---- */

static void add_row(struct table *t, const char *kind, const struct captured_measures *m)
{
	table_text(t, kind);
	table_integer(t, (int64_t)m->count);
	table_real(t, m->median_us);
	table_real(t, m->p90_us);
	table_real(t, m->max_us);
	table_integer(t, (int64_t)m->late);
	for (int reason = CAPTURED_IN_TIME + 1; reason < CAPTURED_REASONS; reason++)
		table_integer(t, (int64_t)m->reasons[reason]);
}

static bool print_table(const struct profile_work *w, struct error *err)
{
	const char *columns[6 + CAPTURED_REASONS] = {"kind", "n", "median_us", "p90_us", "max_us", "late"};
	const struct captured *c = &w->captured;
	size_t count = 6;
	struct table t;
	for (int reason = CAPTURED_IN_TIME + 1; reason < CAPTURED_REASONS; reason++)
		columns[count++] = captured_reason_name((enum captured_reason)reason);
	table_begin(&t, stdout, w->command->given->format, columns, count);
	for (int kind = 0; kind < CAPTURED_KINDS; kind++)
		if (c->by_kind[kind].count > 0)
			add_row(&t, captured_kind_name((enum captured_kind)kind), &c->by_kind[kind]);
	add_row(&t, "(all)", &c->all);
	return table_end(&t, err);
}

/* What the table does not say, below it. */
static void print_waits(const struct captured *c)
{
	if (c->room_waits > 0)
		say(stdout,
			"waits for SMs: %" PRIu64 " of %" PRIu64
			" end within 1 us of the block that R1 and R2 name, all within %.6g us\n",
			c->room_agreed, c->room_waits, (double)c->room_most_ns / 1e3);
}

static void add_measures(struct text *t, const struct captured_measures *m)
{
	char number[TEXT_REAL_MAX];
	text_printf(t, "\"n\": %" PRIu64, m->count);
	text_printf(t, ", \"median_us\": %s", text_real(m->median_us, number));
	text_printf(t, ", \"p90_us\": %s", text_real(m->p90_us, number));
	text_printf(t, ", \"max_us\": %s, \"late\": %" PRIu64, text_real(m->max_us, number), m->late);
	for (int reason = CAPTURED_IN_TIME + 1; reason < CAPTURED_REASONS; reason++)
		text_printf(t, ", \"%s\": %" PRIu64, captured_reason_name((enum captured_reason)reason),
			m->reasons[reason]);
}

static void add_worst(struct text *t, const struct profile_work *w, const struct captured_operation *o)
{
	text_add(t, "{\"name\": ");
	text_add_json(t, name_of(o));
	text_printf(t,
		", \"stream\": %" PRId64 ", \"correlation\": %" PRIu64 ", \"call_ns\": %" PRId64
		", \"start_ns\": %" PRId64 ", \"predicted_ns\": %" PRId64 ", \"late_ns\": %" PRId64
		", \"find\": ",
		w->capture.streams[o->op->stream].number, o->op->correlation, o->op->call_ns, o->op->start_ns,
		o->predicted_ns, late_ns(o));
	struct text place = {0};
	add_place(&place, w, o);
	text_add_json(t, text_data(&place));
	t->failed |= place.failed;
	text_finish(&place);
	text_add(t, "}");
}

static bool put(struct text *t, struct error *err)
{
	bool ok = text_ok(t, "printing a replay", err);
	if (ok && (fputs(text_data(t), stdout) == EOF || fflush(stdout) != 0))
		ok = error_set(err, STATUS_IO, "cannot write the answer: %s", strerror(errno));
	text_finish(t);
	return ok;
}

static bool print_json(const struct profile_work *w, struct error *err)
{
	const struct captured *c = &w->captured;
	struct text t = {0};
	text_add(&t, "{\"platform\": ");
	text_add_json(&t, c->units[0].platform.name);
	text_add(&t, ", \"made_by\": ");
	text_add_json(&t, w->capture.made_by);
	text_printf(&t, ", \"windows\": %s, \"gap_ns\": %" PRId64 ", \"units\": %" PRIu32 ",\n",
		w->capture.windows ? "true" : "false", c->units[0].platform.overheads.gap_ns, c->unit_count);
	add_measures(&t, &c->all);
	text_printf(&t,
		",\n\"no_call\": %" PRIu64 ", \"held\": %" PRIu64 ", \"unordered\": %" PRIu64
		", \"collectives\": %" PRIu64 ", \"sliced\": %" PRIu64 ", \"room_waits\": %" PRIu64
		", \"room_agreed\": %" PRIu64 ", \"room_most_ns\": %" PRId64 ",\n\"per_kind\": [",
		c->no_call, c->held, c->unordered, c->collectives, c->sliced, c->room_waits, c->room_agreed,
		c->room_most_ns);
	const char *between = "\n";
	for (int kind = 0; kind < CAPTURED_KINDS; kind++) {
		if (c->by_kind[kind].count == 0)
			continue;
		text_printf(
			&t, "%s{\"kind\": \"%s\", ", between, captured_kind_name((enum captured_kind)kind));
		add_measures(&t, &c->by_kind[kind]);
		text_add(&t, "}");
		between = ",\n";
	}
	text_add(&t, "\n],\n\"worst\": [");
	for (uint32_t i = 0; i < w->worst_count; i++) {
		text_add(&t, i > 0 ? ",\n" : "\n");
		add_worst(&t, w, &c->operations[w->worst[i]]);
	}
	text_add(&t, "\n]}\n");
	return put(&t, err);
}

/* ---- the fit ---- */

static void add_overhead(struct text *t, const char *key, int64_t ns, uint64_t seen, const char *of)
{
	char value[UNIT_TEXT_MAX];
	if (seen > 0)
		text_printf(t, "    %s: %s # %s, n = %" PRIu64 ": %s\n", key,
			unit_format(UNIT_TIME, ns, value), strcmp(key, "gap") == 0 ? "mean" : "median", seen,
			of);
	else
		text_printf(t, "    # %s: nothing in the file shows it\n", key);
}

static void add_rate(struct text *t, const char *direction, int64_t rate, uint64_t seen)
{
	char value[UNIT_TEXT_MAX];
	if (seen > 0)
		text_printf(t, "    # %s: %s, median, n = %" PRIu64 ": copies of at least 1 MiB\n", direction,
			unit_format(UNIT_BANDWIDTH, rate, value), seen);
	else
		text_printf(t, "    # %s: no copy of at least 1 MiB\n", direction);
}

/* A platform of a scenario has one bandwidth: the lower. */
static bool print_fit(const struct profile_work *w, struct error *err)
{
	const struct captured_fit *f = &w->captured.fit;
	struct text t = {0};
	char value[UNIT_TEXT_MAX];
	int64_t rate = f->to_gpu && (!f->to_cpu || f->to_gpu < f->to_cpu) ? f->to_gpu : f->to_cpu;
	text_printf(&t, "# cegsim replay --fit %s\nplatform:\n  overheads:\n", w->command->file);
	add_overhead(&t, "launch", f->launch_ns, f->launches, "calls that launched a kernel");
	add_overhead(&t, "latency", f->latency_ns, f->latencies,
		"kernels that had nothing in their way, from the end of the launch");
	add_overhead(
		&t, "gap", f->gap_ns, f->gaps, "operations that waited for the one before in their stream");
	add_overhead(&t, "sync", f->sync_ns, f->syncs, "calls that waited for a stream or a device");
	text_add(&t, "  copy:\n");
	add_rate(&t, "to the GPU", f->to_gpu, f->to_gpu_copies);
	add_rate(&t, "to the CPU", f->to_cpu, f->to_cpu_copies);
	text_printf(&t, "    engines: %" PRIu32 "\n", w->captured.units[0].platform.engines);
	if (rate > 0)
		text_printf(&t, "    bandwidth: %s\n", unit_format(UNIT_BANDWIDTH, rate, value));
	return put(&t, err);
}

/* ---- all ---- */

static bool answer(struct profile_work *w, struct error *err)
{
	warn(w);
	if (w->command->fit)
		return print_fit(w, err);
	find_worst(w);
	if (w->command->given->format == TABLE_JSON)
		return print_json(w, err);
	if (!print_table(w, err))
		return false;
	if (w->command->given->format == TABLE_TEXT)
		print_waits(&w->captured);
	return tell_worst(w, err);
}

static bool play(struct profile_work *w, struct error *err)
{
	const struct captured_request q = {
		.capture = &w->capture,
		.platform = w->command->platform,
		.together = w->command->together,
		.carveout = w->command->carveout,
		/* PyTorch's own streams do not wait for the NULL stream; others do unless they say so. */
		.unknown_blocks = w->form == CAPTURE_FORM_NSYS,
		.fit_gap = w->command->fit_gap,
		.gap_ns = w->command->gap_ns,
		.recorded = w->command->given->output != NULL,
	};
	if (!captured_run(&w->captured, &w->arena, &q, err))
		return false;
	return (!w->command->given->output ||
		       replay_record(&w->captured, w->command->file, w->command->given, err)) &&
	       answer(w, err);
}

static bool too_many_unexplained(const struct captured *c)
{
	return c->all.reasons[CAPTURED_UNEXPLAINED] * 100 > c->all.count * UNEXPLAINED_PERCENT;
}

int replay_profile(const struct profile_command *command)
{
	struct profile_work w = {.command = command};
	struct error err = {.status = STATUS_OK};
	struct diagnostics d;
	diagnostics_init(&d, command->file);
	bool ok = capture_form(command->file, &w.form, &err) &&
		  capture_read(&w.capture, command->file, &d, &err) && play(&w, &err);
	bool told = d.count > 0;
	diagnostics_print(&d, stderr);
	diagnostics_finish(&d);
	int status = ok ? (!command->fit && too_many_unexplained(&w.captured) ? STATUS_NO : STATUS_OK)
		     : told && err.status == STATUS_INPUT ? (int)err.status
							  : error_report(&err);
	capture_finish(&w.capture);
	arena_finish(&w.arena);
	return status;
}
