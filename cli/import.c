/* cli/import.c - `cegsim import`: makes a scenario of what a profiler recorded (docs/from-nsight.md), or a
 * tracer of kernels (import_traced.c). */
#include "scenarios/import/import.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/say.h"
#include "base/units.h"
#include "captures/running.h"
#include "cli/import_parts.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "scenarios/import/measured.h"
#include "scenarios/presets.h"

enum {
	KEY_JOB = OPTION_KEY_OWN,
	KEY_PERIOD,
	KEY_PROCESS,
	KEY_THREAD,
	KEY_DEVICE,
	KEY_FROM,
	KEY_TO,
	KEY_PLATFORM,
	KEY_LEARN,
	KEY_RELEASE,
	KEY_COMPARE,
	KEY_STORE,
	KEY_CPU,
	KEY_CHAIN,
	KEY_GUESS_EVENTS,
	/* Of kernel traces. */
	KEY_LAUNCHES,
	KEY_L1,
	KEY_L2
};

static const char *const learn_words[] = {"all", "first-half", NULL};
static const char *const release_words[] = {"recorded", "periodic", NULL};

static const struct argp_option options[] = {
	OPTION_OUTPUT("FILE.yaml", "write the scenario, with its release trace (FILE.csv) and its samples "
				   "(FILE.samples.csv)"),
	OPTION_FORCE("replace these files if they exist"),
	{"job", KEY_JOB, "WHERE", 0,
		"a job is nvtx:NAME (a range), kernel:NAME[/REGISTERS] (begins with this kernel), every:N "
		"(operations) or whole; a * at the end of NAME fits all that follows (default: where jobs "
		"become most regular)",
		0},
	{"period", KEY_PERIOD, "TIME", 0, "the period of the tasks (default: the least gap between jobs)", 0},
	{"process", KEY_PROCESS, "PID", 0, "import this process only", 0},
	{"thread", KEY_THREAD, "TID", 0, "import what this thread issued only", 0},
	{"device", KEY_DEVICE, "N", 0, "import what ran on this GPU (default: the one that was used most)",
		0},
	{"from", KEY_FROM, "TIME", 0, "leave out what was issued before, from the begin of the capture", 0},
	{"to", KEY_TO, "TIME", 0, "leave out what was issued then or later", 0},
	{"platform", KEY_PLATFORM, "PRESET", 0,
		"the GPU of the scenario; if the file does not describe its own, that, too", 0},
	{"learn", KEY_LEARN, "JOBS", 0,
		"take lengths from all jobs, or from the first-half and releases from the second "
		"(default: all)",
		0},
	{"release", KEY_RELEASE, "HOW", 0,
		"release jobs as recorded, with their lengths, or periodic, with lengths drawn from the "
		"samples (default: recorded)",
		0},
	{"chain", KEY_CHAIN, NULL, 0,
		"wait for each operation, also where the application had several in flight: for policies "
		"that refuse those",
		0},
	{"guess-events", KEY_GUESS_EVENTS, NULL, 0,
		"what starts within 5 us of the end of another stream's operation comes after it, as behind "
		"an event",
		0},
	{"cpu", KEY_CPU, "FILE.csv", 0, "when threads had a CPU: columns start_ns, end_ns, cpu, tid, state",
		0},
	{"compare", KEY_COMPARE, "FILE.db", 0, "hold runs of the scenario against the jobs of the capture",
		0},
	{"store", KEY_STORE, NULL, 0,
		"with --compare: keep when segments of the capture's jobs began and ended in FILE.db, beside "
		"the simulated ones",
		0},
	{"launches", KEY_LAUNCHES, "N[-M]", 0,
		"of a list of kernel traces: the launches to import, from 1 (default: the first 8)", 0},
	{"sm-cache", KEY_L1, "SIZE", 0,
		"of a kernel trace: the cache of an SM, from compute capability 7.0 on with its shared "
		"memory (default: as known)",
		0},
	{"gpu-cache", KEY_L2, "SIZE", 0, "of a kernel trace: the cache of the GPU (default: as known)", 0},
	OPTION_FORMAT,
	{0},
};

struct import_command {
	struct given given;
	struct import_request request;
	const char *compare;
	const char *cpu; /* a file that says when threads had a CPU; NULL: none */
	char *name;      /* of the range or kernel; owned */
	bool periodic, store;
	const struct preset *preset; /* --platform */
	struct traced_request traced;
	const char *of_captures, *of_traces; /* an option that was given, of which files */
	int argc;
	char **argv;
};

/* ---- Arguments ---- */

static bool begins(const char *text, const char *start, const char **rest)
{
	size_t length = strlen(start);
	if (strncmp(text, start, length) != 0)
		return false;
	*rest = text + length;
	return true;
}

static char *copy(struct argp_state *state, const char *text)
{
	char *copied = strdup(text);
	if (!copied)
		argp_failure(state, STATUS_IO, ENOMEM, "reading --job");
	return copied;
}

/* kernel:NAME/REGISTERS; a kernel's name has no slash. */
static void parse_kernel(struct argp_state *state, struct import_command *c, const char *rest)
{
	char *slash = strrchr(c->name, '/');
	c->request.cut = IMPORT_KERNEL;
	if (slash) {
		*slash = '\0';
		c->request.registers = option_integer(state, "job", slash + 1, 0, UINT16_MAX);
	}
	if (!*c->name)
		argp_error(state, "--job kernel: wants the name of a kernel, got '%s'", rest);
}

static void parse_job(struct argp_state *state, struct import_command *c, const char *arg)
{
	const char *rest;
	free(c->name);
	c->name = NULL;
	c->request.registers = IMPORT_ANY;
	if (strcmp(arg, "whole") == 0) {
		c->request.cut = IMPORT_WHOLE;
	} else if (begins(arg, "every:", &rest)) {
		c->request.cut = IMPORT_EVERY;
		c->request.every = (uint32_t)option_integer(state, "job", rest, 1, UINT16_MAX / 2);
	} else if (begins(arg, "nvtx:", &rest) && *rest) {
		c->request.cut = IMPORT_RANGE;
		c->name = copy(state, rest);
	} else if (begins(arg, "kernel:", &rest) && *rest) {
		c->name = copy(state, rest);
		parse_kernel(state, c, rest);
	} else {
		argp_error(state,
			"--job wants nvtx:NAME, kernel:NAME[/REGISTERS], every:N or whole, got '%s'", arg);
	}
	c->request.name = c->name;
}

static void parse_platform(struct argp_state *state, struct import_command *c, const char *arg)
{
	struct error err;
	const struct preset *preset = preset_named(arg, &err);
	if (!preset)
		argp_error(state, "%s", err.text);
	else
		c->request.platform = &preset->platform;
	c->preset = preset;
}

/* N or N-M */
static void parse_launches(struct argp_state *state, struct import_command *c, const char *arg)
{
	const char *dash = strchr(arg, '-');
	char first[16] = "";
	if (dash && (size_t)(dash - arg) < sizeof(first))
		memcpy(first, arg, (size_t)(dash - arg));
	c->traced.first = (uint32_t)option_integer(state, "launches", dash ? first : arg, 1, INT32_MAX);
	c->traced.last =
		dash ? (uint32_t)option_integer(state, "launches", dash + 1, 1, INT32_MAX) : c->traced.first;
	if (c->traced.last < c->traced.first || c->traced.last - c->traced.first >= WARP_KERNELS_MAX)
		argp_error(state, "--launches wants at most %u launches in order, got '%s'", WARP_KERNELS_MAX,
			arg);
}

static int64_t parse_size(struct argp_state *state, const char *name, const char *arg)
{
	int64_t bytes;
	struct error err = {0};
	if (!unit_parse(UNIT_BYTES, arg, NULL, &bytes, &err))
		argp_error(state, "--%s %s", name, err.text);
	else if (bytes > INT64_C(1) << 34)
		argp_error(state, "--%s is at most 16GiB", name);
	return bytes;
}

/* Which files the option is for. */
static void keep_kind(struct import_command *c, int key)
{
	for (const struct argp_option *o = options; o->name; o++) {
		if (o->key != key)
			continue;
		if (key >= KEY_LAUNCHES && key <= KEY_L2)
			c->of_traces = o->name;
		else if (key >= KEY_JOB && key < KEY_LAUNCHES && key != KEY_PLATFORM)
			c->of_captures = o->name;
	}
}

static void check(struct argp_state *state, const struct import_command *c)
{
	if (c->request.from_ns >= c->request.to_ns)
		argp_error(state, "--from is not before --to");
	if (c->compare && c->given.output)
		argp_error(
			state, "-o makes a scenario, --compare needs a recording of it: one after the other");
	if (c->request.chain && c->request.guess_events)
		argp_error(state, "a chain has no events: not --chain with --guess-events");
	if (c->store && !c->compare)
		argp_error(state, "--store is for --compare: into which recording?");
	if (c->given.force && !c->given.output)
		argp_error(state, "--force is of the files that -o writes");
	if (c->periodic && c->request.first_half)
		argp_error(state,
			"--learn first-half takes releases from the other jobs: not with --release periodic");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct import_command *c = state->input;
	struct import_request *q = &c->request;
	keep_kind(c, key);
	switch (key) {
	case KEY_LAUNCHES:
		parse_launches(state, c, arg);
		return 0;
	case KEY_L1:
		c->traced.l1_bytes = parse_size(state, "sm-cache", arg);
		return 0;
	case KEY_L2:
		c->traced.l2_bytes = parse_size(state, "gpu-cache", arg);
		return 0;
	case KEY_JOB:
		parse_job(state, c, arg);
		return 0;
	case KEY_PERIOD:
		q->period_ns = option_time(state, "period", arg);
		if (q->period_ns == 0)
			argp_error(state, "--period must be more than 0");
		return 0;
	case KEY_PROCESS:
		q->process = option_integer(state, "process", arg, 0, INT64_MAX);
		return 0;
	case KEY_THREAD:
		q->thread = option_integer(state, "thread", arg, 0, INT64_MAX);
		return 0;
	case KEY_DEVICE:
		q->device = option_integer(state, "device", arg, 0, INT64_MAX);
		return 0;
	case KEY_FROM:
		q->from_ns = option_time(state, "from", arg);
		return 0;
	case KEY_TO:
		q->to_ns = option_time(state, "to", arg);
		return 0;
	case KEY_PLATFORM:
		parse_platform(state, c, arg);
		return 0;
	case KEY_LEARN:
		q->first_half = option_choice(state, "learn", arg, learn_words) == 1;
		return 0;
	case KEY_RELEASE:
		c->periodic = option_choice(state, "release", arg, release_words) == 1;
		return 0;
	case KEY_COMPARE:
		c->compare = arg;
		return 0;
	case KEY_STORE:
		c->store = true;
		return 0;
	case KEY_CHAIN:
		q->chain = true;
		return 0;
	case KEY_GUESS_EVENTS:
		q->guess_events = true;
		return 0;
	case KEY_CPU:
		c->cpu = arg;
		return 0;
	case ARGP_KEY_END:
		given_parse(key, arg, state, &c->given);
		check(state, c);
		return 0;
	default:
		return given_parse(key, arg, state, &c->given);
	}
}

/* ---- What was found ---- */

static void add_kernel(struct table *t, const struct import *im, const struct import_kernel *k)
{
	struct text line = {0};
	uint64_t places = (uint64_t)k->resident * im->recorded.sms;
	char name[IMPORT_NAME_MAX];
	import_short_name(k->name, name);
	text_printf(&line, "%s: %" PRIu64, *name ? name : "(no name)", k->least_grid);
	if (k->most_grid != k->least_grid)
		text_printf(&line, " to %" PRIu64, k->most_grid);
	text_printf(&line,
		" block%s of %" PRIu32 " threads, %" PRIu32 " registers, %" PRId64 " bytes; %" PRIu32
		" fit an SM",
		plural(k->most_grid), k->threads, k->registers, k->shared_memory, k->resident);
	if (places > 0)
		text_printf(&line, ", %" PRIu64 " wave%s", (k->most_grid + places - 1) / places,
			plural((k->most_grid + places - 1) / places));
	text_printf(&line, "; %.6g", (double)k->least_ns / 1e3);
	if (k->most_ns != k->least_ns)
		text_printf(&line, " to %.6g", (double)k->most_ns / 1e3);
	text_printf(&line, " us, %" PRIu64 " of %" PRIu64 " alone", k->alone, k->launches);
	table_text(t, "found");
	table_text(t, "kernel");
	table_integer(t, (int64_t)k->launches);
	table_built(t, &line);
	text_finish(&line);
}

static bool print_found(const struct import_command *c, const struct import *im, struct error *err)
{
	static const char *const columns[] = {"what", "subject", "count", "says"};
	static const char *const words[] = {
		[IMPORT_FOUND] = "found", [IMPORT_ASSUMED] = "assumed", [IMPORT_LEFT_OUT] = "left out"};
	struct table t;
	table_begin(&t, stdout, c->given.format, columns, sizeof(columns) / sizeof(*columns));
	for (int kind = IMPORT_FOUND; kind <= IMPORT_LEFT_OUT; kind++) {
		for (uint32_t i = 0; i < im->note_count; i++) {
			const struct import_note *n = &im->notes[i];
			if ((int)n->kind != kind)
				continue;
			table_text(&t, words[kind]);
			table_text(&t, n->subject);
			table_integer(&t, (int64_t)n->count);
			table_text(&t, n->text);
		}
		for (uint32_t i = 0; i < im->kernel_count && kind == IMPORT_FOUND; i++)
			add_kernel(&t, im, &im->kernels[i]);
	}
	return table_end(&t, err);
}

/* ---- The command ---- */

static bool write_files(const struct import_command *c, const struct import *im, struct error *err)
{
	struct text command = {0};
	for (int i = 0; i < c->argc; i++)
		text_printf(&command, "%s%s", i ? " " : "", c->argv[i]);
	const struct import_files files = {
		.path = c->given.output,
		.cpu = c->cpu,
		.command = text_data(&command),
		.periodic = c->periodic,
		.replace = c->given.force,
	};
	bool ok = text_ok(&command, "a scenario", err) && import_write(im, &c->request, &files, err);
	text_finish(&command);
	return ok;
}

static bool store(const struct import *im, const char *file, struct error *err)
{
	struct import_stored stored;
	if (!import_store(im, file, &stored, err))
		return false;
	if (stored.others > 0)
		say(stderr,
			"cegsim: note: %" PRIu32
			" run%s of %s released jobs otherwise than the capture did: nothing "
			"is stored for %s\n",
			stored.others, plural(stored.others), file, stored.others == 1 ? "it" : "them");
	return true;
}

static bool answer(const struct import_command *c, const struct import *im, struct error *err)
{
	if (c->compare)
		return import_compare_print(im, c->compare, c->request.first_half, c->given.format, err) &&
		       (!c->store || store(im, c->compare, err));
	return (!c->given.output || write_files(c, im, err)) && print_found(c, im, err);
}

static bool read_running(
	const struct import_command *c, struct capture *capture, struct diagnostics *d, struct error *err)
{
	if (!c->cpu)
		return true;
	diagnostics_finish(d);
	diagnostics_init(d, c->cpu);
	return running_read(capture, c->cpu, d, err);
}

static enum status import_capture(const struct import_command *c)
{
	struct error err = {0};
	struct capture capture;
	struct import im = {0};
	struct diagnostics d;
	diagnostics_init(&d, c->given.file);
	bool ok = capture_read(&capture, c->given.file, &d, &err) && read_running(c, &capture, &d, &err) &&
		  import_make(&im, &capture, &c->request, &err) && answer(c, &im, &err);
	enum status status = ok ? STATUS_OK : err.status;
	if (d.count > 0)
		diagnostics_print(&d, stderr);
	else if (!ok)
		error_report(&err);
	diagnostics_finish(&d);
	import_finish(&im);
	capture_finish(&capture);
	return status;
}

static enum status import_kernels(const struct import_command *c)
{
	struct import_traced q = {.file = c->given.file,
		.output = c->given.output,
		.replace = c->given.force,
		.format = c->given.format,
		.request = c->traced,
		.argc = c->argc,
		.argv = c->argv};
	q.request.preset = c->preset;
	return import_traced(&q);
}

static enum status import_file(const struct import_command *c)
{
	struct error err = {0};
	bool traced;
	if (!traced_is_one(c->given.file, &traced, &err)) {
		error_report(&err);
		return err.status;
	}
	const char *wrong = traced ? c->of_captures : c->of_traces;
	if (!wrong)
		return traced ? import_kernels(c) : import_capture(c);
	error_set(&err, STATUS_INPUT, "--%s is not for %s, which is %s", wrong, c->given.file,
		traced ? "a trace of kernels" : "none of kernels");
	error_report(&err);
	return err.status;
}

int verb_import(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "REPORT.sqlite|TRACE.json[.gz]|KERNEL.traceg[.gz]|kernelslist.g",
		.doc = "Make a scenario of what a profiler recorded: an export of Nsight Systems, or a trace "
		       "of the PyTorch profiler; or of traces of kernels, for Accel-Sim. Prints what was "
		       "found, what was assumed and what was left out.\vEach thread that issued work to "
		       "the GPU becomes a task, its work a chain of "
		       "segments. Exit status: 0 done; 2 usage or input error; 3 a file, the disk or the "
		       "memory failed.",
	};
	struct import_command c = {
		.given.noun = "capture",
		.request = {.process = IMPORT_ANY,
			.thread = IMPORT_ANY,
			.device = IMPORT_ANY,
			.registers = IMPORT_ANY,
			.from_ns = INT64_MIN,
			.to_ns = INT64_MAX},
		.traced = {.l1_bytes = -1, .l2_bytes = -1, .first = 1, .last = UINT32_MAX},
		.argc = argc,
		.argv = argv,
	};
	options_parse(&argp, argc, argv, &c);
	int status = (int)import_file(&c);
	free(c.name);
	return status;
}
