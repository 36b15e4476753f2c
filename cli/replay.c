/* cli/replay.c - `cegsim replay`: compares recordings of real hardware with the model. */
#include "runs/replay/replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diagnostics.h"
#include "base/say.h"
#include "base/units.h"
#include "captures/capture.h"
#include "cli/options.h"
#include "cli/replay_parts.h"
#include "cli/replay_profile.h"
#include "cli/table/table.h"
#include "cli/verbs.h"
#include "models/taskset.h"
#include "runs/replay/copies.h"
#include "runs/replay/log.h"
#include "scenarios/presets.h"

enum {
	KEY_PLATFORM = OPTION_KEY_OWN,
	KEY_COPIES,
	KEY_BANDWIDTH,
	KEY_NULL_STREAM,
	KEY_HIGH,
	KEY_MPS,
	KEY_CARVEOUT,
	KEY_FIT,
	KEY_GAP
};

struct replay_command {
	struct given given;
	struct words files, null_streams, high_streams;
	const char *platform, *copies;
	struct copy_bandwidth bandwidth;
	bool together, carveout;
	/* Of profiles. */
	bool fit, fit_gap;
	int64_t gap_ns; /* -1: not given */
};

/* The data of a replay. */
struct work {
	const struct replay_command *request;
	struct arena arena;
	struct log *logs;                /* [files] */
	struct diagnostics *diagnostics; /* [files] */
	struct recorded_copies copies;
	const struct platform *platform;
	struct platform divided; /* the same with a carve-out */
	struct replay replay;
};

/* ---- Options ---- */

static int64_t parse_rate(struct argp_state *state, const char *text)
{
	int64_t rate = 0;
	struct error err;
	if (!unit_parse(UNIT_BANDWIDTH, text, NULL, &rate, &err))
		argp_error(state, "--bandwidth %s", err.text);
	else if (rate == 0)
		argp_error(state, "--bandwidth must be more than 0");
	return rate;
}

/* RATE for both directions; or the rate to the GPU, a comma, and the rate to the CPU. */
static void parse_bandwidth(struct argp_state *state, char *arg, struct copy_bandwidth *bandwidth)
{
	char *comma = strchr(arg, ',');
	if (comma)
		*comma = '\0';
	bandwidth->to_gpu = parse_rate(state, arg);
	bandwidth->to_cpu = comma ? parse_rate(state, comma + 1) : bandwidth->to_gpu;
}

/* A time, or "fit". */
static void parse_gap(struct argp_state *state, const char *arg, struct replay_command *request)
{
	struct error err;
	request->fit_gap = strcmp(arg, "fit") == 0;
	if (!request->fit_gap && !unit_parse(UNIT_TIME, arg, NULL, &request->gap_ns, &err))
		argp_error(state, "--gap %s, or 'fit'", err.text);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct replay_command *request = state->input;
	switch (key) {
	case KEY_PLATFORM:
		request->platform = arg;
		return 0;
	case KEY_COPIES:
		request->copies = arg;
		return 0;
	case KEY_BANDWIDTH:
		parse_bandwidth(state, arg, &request->bandwidth);
		return 0;
	case KEY_NULL_STREAM:
		words_add(&request->null_streams, arg);
		return 0;
	case KEY_HIGH:
		words_add(&request->high_streams, arg);
		return 0;
	case KEY_MPS:
		request->together = true;
		return 0;
	case KEY_CARVEOUT:
		request->carveout = true;
		return 0;
	case KEY_FIT:
		request->fit = true;
		return 0;
	case KEY_GAP:
		parse_gap(state, arg, request);
		return 0;
	case ARGP_KEY_ARG:
		words_add(&request->files, arg);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "which logs, or which profile?");
		return 0;
	case ARGP_KEY_END:
		if (request->fit && request->given.output)
			argp_error(state,
				"--fit prints what a scenario needs; -o records a replay: one of them");
		if (request->given.force && !request->given.output)
			argp_error(state, "--force is of the file that -o writes");
		return 0;
	default:
		return given_parse(key, arg, state, &request->given);
	}
}

/* ---- Logs ---- */

static bool twice(const struct replay_command *request, uint32_t index)
{
	for (uint32_t i = 0; i < index; i++)
		if (strcmp(request->files.at[i], request->files.at[index]) == 0)
			return true;
	return false;
}

/* Reads all logs, so that the errors of all are reported. */
static bool read_logs(struct work *w, struct error *err)
{
	uint32_t count = w->request->files.count;
	bool ok = true;
	w->logs = arena_new(&w->arena, struct log, count);
	w->diagnostics = arena_new(&w->arena, struct diagnostics, count);
	if (!w->logs || !w->diagnostics)
		return error_memory(err, "reading logs");
	for (uint32_t i = 0; i < count; i++) {
		const char *file = w->request->files.at[i];
		struct error trouble;
		diagnostics_init(&w->diagnostics[i], file);
		if (twice(w->request, i)) {
			diagnostics_add(&w->diagnostics[i], 0, 0, "this log is named twice");
			ok = error_set(err, STATUS_INPUT, "a log is named twice");
		} else if (!log_read(&w->logs[i], &w->arena, file, &w->diagnostics[i], &trouble)) {
			if (ok || trouble.status == STATUS_IO)
				*err = trouble;
			ok = false;
		}
	}
	return ok;
}

/* Marks what the user knows about streams and the logs do not say. */
static bool mark_streams(struct work *w, struct error *err)
{
	const struct replay_command *q = w->request;
	for (uint32_t i = 0; i < q->null_streams.count + q->high_streams.count; i++) {
		bool high = i >= q->null_streams.count, found = false;
		const char *name =
			high ? q->high_streams.at[i - q->null_streams.count] : q->null_streams.at[i];
		for (uint32_t j = 0; j < q->files.count; j++) {
			bool named = log_is_named(&w->logs[j], name);
			if (named && high && w->logs[j].says_priority && !w->logs[j].high_priority)
				say(stderr,
					"cegsim: warning: %s is replayed at high priority, though it says "
					"'(low priority)'\n",
					w->logs[j].file);
			w->logs[j].high_priority |= named && high;
			w->logs[j].null_stream |= named && !high;
			found |= named;
		}
		if (!found)
			return error_set(err, STATUS_INPUT, "%s names '%s', which is none of the logs",
				high ? "--high-priority" : "--null-stream", name);
	}
	return true;
}

static bool named_platform(struct work *w, struct error *err)
{
	const struct preset *preset = preset_named(w->request->platform, err);
	if (preset)
		w->platform = &preset->platform;
	return preset != NULL;
}

static bool any_kernel(const struct work *w, struct error *err)
{
	for (uint32_t i = 0; i < w->request->files.count; i++)
		if (w->logs[i].kernel_count > 0)
			return true;
	return error_set(err, STATUS_INPUT, "the logs hold no kernels");
}

/* Chooses the GPU on which the logs were recorded, by the number of threads that it holds. */
static bool choose_platform(struct work *w, struct error *err)
{
	const struct log *from = NULL;
	if (w->request->platform)
		return named_platform(w, err);
	for (uint32_t i = 0; i < w->request->files.count; i++) {
		const struct log *log = &w->logs[i];
		if (log->max_resident_threads == 0)
			continue;
		if (from && from->max_resident_threads != log->max_resident_threads)
			return error_set(err, STATUS_INPUT,
				"'%s' comes from a GPU of %" PRId64 " threads, '%s' from"
				" one of %" PRId64 "; replay them one after the other",
				from->file, from->max_resident_threads, log->file, log->max_resident_threads);
		from = log;
	}
	if (!from)
		return error_set(err, STATUS_INPUT,
			"the logs do not say how many threads the GPU holds"
			" (max_resident_threads); name it with --platform");
	w->platform = replay_platform(from->max_resident_threads);
	return w->platform ||
	       error_set(err, STATUS_INPUT,
		       "no single preset is a GPU of %" PRId64
		       " threads, as '%s' says; name one with --platform (see cegsim list presets)",
		       from->max_resident_threads, from->file);
}

/* Lets the SMs of the platform, which is a preset's, divide their memory. */
static bool divide_memory(struct work *w, struct error *err)
{
	const struct preset *preset = preset_find(w->platform->name);
	if (!w->request->carveout)
		return true;
	w->divided = *w->platform;
	w->platform = &w->divided;
	return (preset && divisions_find(preset->compute, &w->divided.divisions)) ||
	       error_set(err, STATUS_INPUT,
		       "--carveout is for GPUs whose SMs divide their memory, from Volta on; %s has compute "
		       "capability %s",
		       w->platform->name, preset ? preset->compute : "unknown");
}

static bool read_copies(struct work *w, struct error *err)
{
	struct diagnostics d;
	if (!w->request->copies)
		return true;
	diagnostics_init(&d, w->request->copies);
	bool ok = copies_read(&w->copies, &w->arena, w->request->copies, &w->request->bandwidth, w->logs,
		w->request->files.count, &d, err);
	if (d.count > 0) {
		diagnostics_print(&d, stderr);
		err->text[0] = '\0';
	}
	diagnostics_finish(&d);
	return ok;
}

/* ---- Answers ---- */

/* Notes the streams with high priority, so that nobody needs to guess how a label was understood. */
static void note_priorities(const struct work *w)
{
	bool any = false;
	for (uint32_t i = 0; i < w->request->files.count; i++) {
		if (!w->logs[i].high_priority || w->logs[i].kernel_count == 0)
			continue;
		say(stderr, any ? ", %s" : "cegsim: note: streams of high priority: %s", w->logs[i].file);
		any = true;
	}
	fputs(any ? "\n" : "", stderr);
}

static void warn_of_lengths(const struct replay *r)
{
	if (r->uneven == 0)
		return;
	const struct replay_kernel *most = &r->kernels[r->most_uneven];
	say(stderr,
		"cegsim: warning: in %" PRIu32 " of %" PRIu32
		" launches blocks differ by more than 5 %% in duration, most in launch %" PRIu32 " (%s) of "
		"%s: %.6g to %.6g ms. Each block is replayed with its own\n",
		r->uneven, r->kernel_count, (uint32_t)(most->kernel - most->log->kernels), most->kernel->name,
		most->log->file, (double)most->kernel->shortest_ns / 1e6,
		(double)most->kernel->longest_ns / 1e6);
}

/* Warns about what a reader of the numbers must know. */
static void warn(const struct replay *r, bool carveout)
{
	static const char sliced[] =
		"the GPU was time-sliced between them, which is part of the recorded block "
		"times, and their errors do not test how kernels share a GPU (rule R1)";
	static const char drained[] =
		"blocks began late, just when their SM had drained of kernels with less "
		"shared memory, as the shared-memory carve-out makes them; try --carveout";
	if (r->processes > 1)
		say(stderr,
			"cegsim: warning: these logs are from %" PRIu32 " processes; each is replayed "
			"by itself. %s %s\n",
			r->processes, r->at_once ? "They ran at once, so" : "If they ran at once,", sliced);
	if (r->errors.drained > 0 && !carveout)
		say(stderr, "cegsim: warning: %" PRIu64 " %s\n", r->errors.drained, drained);
	warn_of_lengths(r);
}

static void add_errors(struct table *t, const struct replay_errors *e)
{
	table_integer(t, (int64_t)e->blocks);
	table_real(t, e->median_us);
	table_real(t, e->max_us);
	table_integer(t, (int64_t)e->first_wave);
	table_integer(t, (int64_t)e->sm_matches);
	table_integer(t, (int64_t)e->drained);
}

static const char *short_name(const char *file)
{
	const char *slash = strrchr(file, '/');
	return slash ? slash + 1 : file;
}

/* The last row is for all blocks together. */
static bool print_table(const struct work *w, struct error *err)
{
	static const char *const columns[] = {"log", "kernel", "process", "stream", "threads",
		TABLE_MS("launch"), TABLE_MS("block"), "blocks", "median_us", "max_us", "first_wave",
		"sm_matches", "drained"};
	struct table t;
	table_begin(&t, stdout, w->request->given.format, columns, sizeof(columns) / sizeof(columns[0]));
	for (uint32_t i = 0; i < w->replay.kernel_count; i++) {
		const struct replay_kernel *k = &w->replay.kernels[i];
		table_text(
			&t, w->request->given.format == TABLE_TEXT ? short_name(k->log->file) : k->log->file);
		table_text(&t, k->kernel->name);
		table_integer(&t, k->process);
		if (k->stream == STREAM_NULL)
			table_null(&t);
		else
			table_integer(&t, k->stream);
		table_integer(&t, k->kernel->threads);
		table_time(&t, k->kernel->launch_ns);
		table_time(&t, k->kernel->block_ns);
		add_errors(&t, &k->errors);
	}
	table_text(&t, "(all)");
	for (int empty = 0; empty < 6; empty++)
		table_null(&t);
	add_errors(&t, &w->replay.errors);
	return table_end(&t, err);
}

static bool answer(struct work *w, struct error *err)
{
	const struct replay_request what = {
		.platform = w->platform,
		.logs = w->logs,
		.log_count = w->request->files.count,
		.copies = &w->copies,
		.together = w->request->together,
	};
	if (!replay_run(&w->replay, &w->arena, &what, w->diagnostics, err))
		return false;
	note_priorities(w);
	warn(&w->replay, w->request->carveout);
	return w->request->given.format == TABLE_JSON ? replay_print_json(&w->replay, w->platform->name, err)
						      : print_table(w, err);
}

/* Prints all diagnostics of the logs; false: there are none. */
static bool print_diagnostics(struct work *w)
{
	size_t count = 0;
	for (uint32_t i = 0; w->diagnostics && i < w->request->files.count; i++) {
		count += w->diagnostics[i].count + w->diagnostics[i].dropped;
		if (w->diagnostics[i].file)
			diagnostics_print(&w->diagnostics[i], stderr);
		diagnostics_finish(&w->diagnostics[i]);
	}
	return count > 0;
}

static int run_logs(const struct replay_command *request)
{
	struct work w = {.request = request};
	struct error err = {.status = STATUS_OK};
	bool ok = read_logs(&w, &err) && any_kernel(&w, &err) && mark_streams(&w, &err) &&
		  choose_platform(&w, &err) && divide_memory(&w, &err) && read_copies(&w, &err) &&
		  answer(&w, &err);
	/* Diagnostics are more precise, as they have a place; but they do not say that memory ran out. */
	bool told = print_diagnostics(&w) && !ok && err.status == STATUS_INPUT;
	int status = ok ? STATUS_OK : told ? (int)err.status : error_report(&err);
	arena_finish(&w.arena);
	return status;
}

/* ---- Logs or a profile ---- */

/* Options that the other kind of file has no use for are mistakes. */
static bool fitting_options(const struct replay_command *q, bool profile, struct error *err)
{
	const struct {
		bool given, of_profiles;
		const char *name;
	} options[] = {
		{q->copies != NULL, false, "--copies"},
		{q->bandwidth.to_gpu > 0, false, "--bandwidth"},
		{q->null_streams.count > 0, false, "--null-stream"},
		{q->high_streams.count > 0, false, "--high-priority"},
		{q->given.output != NULL, true, "-o"},
		{q->fit, true, "--fit"},
		{q->fit_gap || q->gap_ns >= 0, true, "--gap"},
	};
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (options[i].given && options[i].of_profiles != profile)
			return error_set(err, STATUS_INPUT, "%s is for %s; %s is %s", options[i].name,
				profile ? "logs" : "profiles", q->files.at[0],
				profile ? "a profile" : "a log");
	return true;
}

static int run_profile(const struct replay_command *request)
{
	struct work w = {.request = request};
	struct error err = {.status = STATUS_OK};
	if (!fitting_options(request, true, &err) ||
		(request->platform && (!named_platform(&w, &err) || !divide_memory(&w, &err))))
		return error_report(&err);
	return replay_profile(&(struct profile_command){
		.file = request->files.at[0],
		.platform = w.platform,
		.together = request->together,
		.carveout = request->carveout,
		.fit = request->fit,
		.fit_gap = request->fit_gap,
		.gap_ns = request->gap_ns,
		.given = &request->given,
	});
}

/* What the files are decides: a profile is replayed alone, logs together. A file that cannot be read is
 * reported as a log, with all others, unless that may change. */
static int run(const struct replay_command *request)
{
	struct error err = {.status = STATUS_OK};
	enum capture_form form;
	bool readable = true;
	for (uint32_t i = 0; i < request->files.count; i++) {
		bool known = capture_form(request->files.at[i], &form, &err);
		if (!known && err.status == STATUS_IO)
			return error_report(&err);
		readable &= known;
		if (!known || form == CAPTURE_FORM_NONE)
			continue;
		if (request->files.count == 1)
			return run_profile(request);
		error_set(&err, STATUS_INPUT, "%s is a profile: replay it alone, without other files",
			request->files.at[i]);
		return error_report(&err);
	}
	return !readable || fitting_options(request, false, &err) ? run_logs(request) : error_report(&err);
}

int verb_replay(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"platform", KEY_PLATFORM, "PRESET", 0, "the GPU (default: by what the files say of it)", 0},
		{"copies", KEY_COPIES, "FILE.csv", 0,
			"copies between the kernels: columns log, kernel, direction, amount", 0},
		{"bandwidth", KEY_BANDWIDTH, "RATE[,RATE]", 0,
			"of copies whose amount is in bytes, such as 12.8GB/s; to the GPU, to the CPU", 0},
		{"null-stream", KEY_NULL_STREAM, "LOG", 0,
			"this log's kernels went to the NULL stream (repeatable)", 0},
		{"high-priority", KEY_HIGH, "LOG", 0,
			"this log's stream has high priority (repeatable); not needed where its label says "
			"\"(high priority)\"",
			0},
		{"carveout", KEY_CARVEOUT, NULL, 0,
			"an SM divides its memory anew only when it is empty (Volta and later)", 0},
		{"mps", KEY_MPS, NULL, 0, "the processes shared the GPU (MPS): simulate them together", 0},
		{"fit", KEY_FIT, NULL, 0,
			"print what launching, synchronising and copying took in a profile, as YAML", 0},
		{"gap", KEY_GAP, "TIME|fit", 0,
			"between operations of a stream of a profile: such as 1us, or as --fit finds it", 0},
		OPTION_OUTPUT(
			"FILE.db", "record the replay of a profile into FILE.db, with what was measured"),
		OPTION_FORCE("replace FILE.db if it exists"),
		OPTION_QUIET("no progress"),
		OPTION_FORMAT,
		{0},
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "LOG.json...\nPROFILE",
		.doc = "Replay recordings of kernels on real GPUs, one log per stream: launches and block "
		       "times in, the start of every block out, and how far that is from the recorded start. "
		       "Or a profile: an export of Nsight Systems (.sqlite) or a trace of PyTorch (.json, "
		       ".json.gz); why work started late is explained. Status 1: more than 5 % is not.\v"
		       "Errors are |predicted - recorded|, blocks of a kernel in order of their start. "
		       "Blocks of the "
		       "first wave are also compared by SM.",
	};
	struct replay_command request = {.gap_ns = -1};
	options_parse(&argp, argc, argv, &request);
	int status = run(&request);
	words_finish(&request.files);
	words_finish(&request.null_streams);
	words_finish(&request.high_streams);
	return status;
}
