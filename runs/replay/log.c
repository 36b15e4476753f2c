/* runs/replay/log.c - reads recordings: JSON by jansson; every error has its place. */
#include "runs/replay/log.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "captures/json.h"
#include "captures/place.h"
#include "scenarios/document.h"

#define ERRORS_MAX 20   /* after this many errors the rest of a log is not read */
#define SECONDS_MAX 2e9 /* in nanoseconds this fits 64 bits; doubles are exact up to 10^7 s */
#define COUNT_MAX INT64_C(0x7fffffff)

struct log_reader {
	struct log *log;
	struct arena *arena;
	struct diagnostics *diagnostics;
	struct log_place here; /* of the object that is being read */
	unsigned errors;
	bool no_memory;
};

/* Reports an error. Always returns false. */
static bool PRINTF_LIKE(3, 4) wrong(struct log_reader *r, struct log_place at, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	diagnostics_add_list(r->diagnostics, at.line, at.column, fmt, args);
	va_end(args);
	r->errors++;
	return false;
}

static bool no_memory(struct log_reader *r)
{
	r->no_memory = true;
	return false;
}

/* The place of a member of the current object; if it has none of this name, that of the object. */
static struct log_place member(const struct log_reader *r, const char *key)
{
	struct log_place p = r->here;
	place_member(&p, key);
	return p;
}

/* The place of an element in the array of that name. It walks through the text, so it is only for errors. */
static struct log_place element(const struct log_reader *r, const char *key, size_t index)
{
	struct log_place p = member(r, key);
	place_element(&p, index);
	return p;
}

/* ---- Values ---- */

static const char *kind_of(const json_t *value)
{
	static const char *const kinds[] = {
		[JSON_OBJECT] = "an object",
		[JSON_ARRAY] = "an array",
		[JSON_STRING] = "a string",
		[JSON_INTEGER] = "a number",
		[JSON_REAL] = "a number with a point",
		[JSON_TRUE] = "true",
		[JSON_FALSE] = "false",
		[JSON_NULL] = "null",
	};
	return kinds[json_typeof(value)];
}

/* Missing text is "". */
static bool read_text(struct log_reader *r, const json_t *object, const char *key, char **text)
{
	const json_t *value = json_object_get(object, key);
	if (value && !json_is_string(value))
		return wrong(r, member(r, key), "'%s' wants a string, got %s", key, kind_of(value));
	*text = arena_strdup(r->arena, value ? json_string_value(value) : "");
	return *text || no_memory(r);
}

/* Reports a value that is no number, or not within min .. max. */
static bool refuse_integer(struct log_reader *r, const json_t *value, struct log_place at, const char *what,
	int64_t min, int64_t max)
{
	if (!json_is_integer(value))
		return wrong(r, at, "%s wants a whole number, got %s", what, kind_of(value));
	return wrong(r, at, "%s is %" JSON_INTEGER_FORMAT "; it must be from %" PRId64 " to %" PRId64, what,
		json_integer_value(value), min, max);
}

/* A missing number leaves *result unchanged. */
static bool read_integer(struct log_reader *r, const json_t *object, const char *key, int64_t min,
	int64_t max, int64_t *result)
{
	char what[64];
	const json_t *value = json_object_get(object, key);
	snprintf(what, sizeof(what), "'%s'", key);
	if (!value)
		return true;
	*result = json_integer_value(value);
	bool fine = json_is_integer(value) && *result >= min && *result <= max;
	return fine || refuse_integer(r, value, member(r, key), what, min, max);
}

static bool read_count(
	struct log_reader *r, const json_t *object, const char *key, int64_t min, uint32_t *result)
{
	int64_t value = -1;
	if (!read_integer(r, object, key, min, COUNT_MAX, &value))
		return false;
	if (value < 0)
		return wrong(r, r->here, "this kernel has no '%s'", key);
	*result = (uint32_t)value;
	return true;
}

/* Element `index` of the current object's array of times, as nanoseconds. */
static bool read_seconds(
	struct log_reader *r, const json_t *array, const char *key, size_t index, int64_t *ns)
{
	const json_t *value = json_array_get(array, index);
	double seconds = json_number_value(value);
	if (json_is_number(value) && fabs(seconds) <= SECONDS_MAX) {
		*ns = llround(seconds * 1e9);
		return true;
	}
	struct log_place at = element(r, key, index);
	if (!json_is_number(value))
		return wrong(r, at, "'%s' wants times in seconds, got %s", key, kind_of(value));
	return wrong(r, at, "'%s' holds %g; times in seconds are at most %g", key, seconds, SECONDS_MAX);
}

/* The array of that name in the current object, with exactly `count` elements (with more_is_well: at
 * least). */
static const json_t *find_array(
	struct log_reader *r, const json_t *object, const char *key, size_t count, bool more_is_well)
{
	const json_t *array = json_object_get(object, key);
	if (!array)
		wrong(r, r->here, "this kernel has no '%s'", key);
	else if (!json_is_array(array))
		wrong(r, member(r, key), "'%s' wants an array, got %s", key, kind_of(array));
	else if (json_array_size(array) < count || (!more_is_well && json_array_size(array) > count))
		wrong(r, member(r, key), "'%s' wants %s%zu values, got %zu", key,
			more_is_well ? "at least " : "", count, json_array_size(array));
	else
		return array;
	return NULL;
}

/* ---- Kernels ---- */

static bool read_launch(struct log_reader *r, const json_t *object, struct log_kernel *k)
{
	static const char key[] = "cuda_launch_times";
	const json_t *times = find_array(r, object, key, 2, true);
	if (!times || !read_seconds(r, times, key, 0, &k->call_ns) ||
		!read_seconds(r, times, key, 1, &k->launch_ns))
		return false;
	if (k->launch_ns < k->call_ns)
		return wrong(r, member(r, key), "the launch returned before it was called");
	return true;
}

static bool read_blocks(struct log_reader *r, const json_t *object, struct log_kernel *k)
{
	static const char key[] = "block_times";
	const json_t *times = find_array(r, object, key, 2 * (size_t)k->blocks, false);
	if (!times)
		return false;
	k->start_ns = arena_new(r->arena, int64_t, k->blocks);
	k->end_ns = arena_new(r->arena, int64_t, k->blocks);
	if (!k->start_ns || !k->end_ns)
		return no_memory(r);
	for (size_t b = 0; b < k->blocks; b++) {
		if (!read_seconds(r, times, key, 2 * b, &k->start_ns[b]) ||
			!read_seconds(r, times, key, 2 * b + 1, &k->end_ns[b]))
			return false;
		if (k->end_ns[b] < k->start_ns[b])
			return wrong(r, element(r, key, 2 * b + 1), "block %zu ends before it starts", b);
	}
	return true;
}

static bool read_sms(struct log_reader *r, const json_t *object, struct log_kernel *k)
{
	static const char key[] = "block_smids";
	k->sm = arena_new(r->arena, int32_t, k->blocks);
	if (!k->sm)
		return no_memory(r);
	for (size_t b = 0; b < k->blocks; b++)
		k->sm[b] = LOG_NO_SM;
	if (!json_object_get(object, key))
		return true;
	const json_t *sms = find_array(r, object, key, k->blocks, false);
	for (size_t b = 0; sms && b < k->blocks; b++) {
		const json_t *sm = json_array_get(sms, b);
		if (json_is_integer(sm) && json_integer_value(sm) >= 0 &&
			json_integer_value(sm) <= UINT16_MAX)
			k->sm[b] = (int32_t)json_integer_value(sm);
		else
			return refuse_integer(r, sm, element(r, key, b), "an SM", 0, UINT16_MAX);
	}
	return sms != NULL;
}

static int compare_times(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* To be shown: the median is the time of most blocks; one block that was delayed does not change it. */
static bool measure_blocks(struct log_reader *r, struct log_kernel *k)
{
	int64_t *length = malloc(k->blocks * sizeof(*length));
	if (!length)
		return no_memory(r);
	for (size_t b = 0; b < k->blocks; b++)
		length[b] = k->end_ns[b] - k->start_ns[b];
	qsort(length, k->blocks, sizeof(*length), compare_times);
	k->shortest_ns = length[0];
	k->longest_ns = length[k->blocks - 1];
	int64_t low = length[(k->blocks - 1) / 2], high = length[k->blocks / 2];
	k->block_ns = low + (high - low) / 2;
	free(length);
	return true;
}

static bool read_kernel(struct log_reader *r, const json_t *object, struct log_kernel *k)
{
	int64_t shared_memory = 0;
	*k = (struct log_kernel){.line = r->here.line, .column = r->here.column};
	bool ok = read_text(r, object, "kernel_name", &k->name);
	if (ok && !*k->name) /* plug-ins of the tool need not name their kernels */
		ok = (k->name = arena_strdup(r->arena, "kernel")) || no_memory(r);
	ok = read_count(r, object, "thread_count", 1, &k->threads) && ok;
	ok = read_integer(r, object, "shared_memory", 0, COUNT_MAX, &shared_memory) && ok;
	ok = read_launch(r, object, k) && ok;
	k->shared_memory = shared_memory;
	if (!read_count(r, object, "block_count", 1, &k->blocks))
		return false;
	ok = read_blocks(r, object, k) && ok;
	ok = read_sms(r, object, k) && ok;
	return ok && measure_blocks(r, k);
}

/* ---- Files ---- */

static bool is_kernel(const json_t *object)
{
	static const char *const keys[] = {"kernel_name", "block_count", "block_times", "cuda_launch_times"};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (json_object_get(object, keys[i]))
			return true;
	return false;
}

static void read_times(struct log_reader *r, const json_t *times)
{
	struct log_place at = member(r, "times");
	size_t i, kernels = 0;
	const json_t *entry;
	json_array_foreach(times, i, entry)
		kernels += is_kernel(entry);
	r->log->kernels = arena_new(r->arena, struct log_kernel, kernels);
	if (!r->log->kernels) {
		no_memory(r);
		return;
	}
	bool more = place_element(&at, 0);
	for (i = 0; more && r->errors < ERRORS_MAX && !r->no_memory; i++, more = place_next(&at)) {
		entry = json_array_get(times, i);
		r->here = at;
		if (!json_is_object(entry))
			wrong(r, at, "'times' wants objects, got %s", kind_of(entry));
		else if (is_kernel(entry) && read_kernel(r, entry, &r->log->kernels[r->log->kernel_count]))
			r->log->kernel_count++;
	}
}

/* Plug-ins of the tool that use the NULL stream say so in brackets behind their name. */
static bool says_null_stream(const char *text)
{
	return strcasestr(text, "(default stream)") || strcasestr(text, "(NULL stream)");
}

/* The recording tool does not write the priority of a stream; its experiments have it in brackets in the
 * label. */
static bool read_priority(struct log_reader *r, struct log *log, const char *benchmark)
{
	bool high = strcasestr(log->label, "(high priority)") || strcasestr(benchmark, "(high priority)");
	bool low = strcasestr(log->label, "(low priority)") || strcasestr(benchmark, "(low priority)");
	if (high && low)
		return wrong(r, member(r, "label"),
			"this log says both '(high priority)' and '(low priority)'; a stream has one");
	log->high_priority = high;
	log->says_priority = high || low;
	return true;
}

static void read_root(struct log_reader *r, const json_t *root)
{
	char *benchmark;
	const json_t *times = json_object_get(root, "times");
	struct log *log = r->log;
	if (!json_is_object(root)) {
		wrong(r, r->here, "a log is an object with 'times', got %s", kind_of(root));
		return;
	}
	if (!times && json_object_get(root, "benchmarks")) {
		wrong(r, r->here,
			"this is a configuration of the recording tool, not a log: it says what to run"
			" ('benchmarks'), not what happened ('times')");
		return;
	}
	bool ok = read_text(r, root, "scenario_name", &log->scenario);
	ok = read_text(r, root, "label", &log->label) && ok;
	ok = read_integer(r, root, "PID", 0, COUNT_MAX, &log->pid) && ok;
	ok = read_integer(r, root, "max_resident_threads", 1, COUNT_MAX, &log->max_resident_threads) && ok;
	ok = read_text(r, root, "benchmark_name", &benchmark) && ok;
	log->thread = json_object_get(root, "TID") != NULL; /* absent from logs of processes */
	log->null_stream = ok && (says_null_stream(benchmark) || says_null_stream(log->label));
	if (ok)
		read_priority(r, log, benchmark);
	if (!times)
		wrong(r, r->here, "this is neither a log, which has 'times', nor a profile");
	else if (!json_is_array(times))
		wrong(r, member(r, "times"), "'times' wants an array, got %s", kind_of(times));
	else
		read_times(r, times);
}

bool log_parse(struct log *log, struct arena *arena, const char *file, const char *text, size_t length,
	struct diagnostics *diagnostics, struct error *err)
{
	json_error_t trouble;
	struct log_reader r = {
		.log = log, .arena = arena, .diagnostics = diagnostics, .here = place_of(text, length)};
	*log = (struct log){.file = arena_strdup(arena, file), .pid = -1};
	if (!log->file)
		return error_memory(err, "reading a log");
	struct arena scratch = {0}; /* owns the JSON values */
	json_t *root = json_read(&scratch, text, length, JSON_REJECT_DUPLICATES, &trouble, &r.no_memory);
	if (root)
		read_root(&r, root);
	if (!root && !r.no_memory) {
		r.errors++;
		diagnostics_add(diagnostics, trouble.line > 0 ? (unsigned)trouble.line : 1,
			trouble.column > 0 ? (unsigned)trouble.column : 1,
			r.here.at < r.here.end && *r.here.at == '{'
				? "this is not JSON: %s"
				: "this is neither a profile (of Nsight Systems, as SQLite, or of "
				  "PyTorch) nor a log, which is JSON: %s",
			trouble.text);
	}
	arena_finish(&scratch);
	if (r.no_memory)
		return error_memory(err, "reading a log");
	return r.errors == 0 || error_set(err, STATUS_INPUT, "%s is not a log that can be replayed", file);
}

bool log_read(struct log *log, struct arena *arena, const char *file, struct diagnostics *diagnostics,
	struct error *err)
{
	size_t length;
	char *text = document_slurp(file, &length, err);
	if (!text) {
		diagnostics_add(diagnostics, 0, 0, "%s", err->text);
		return false;
	}
	bool ok = log_parse(log, arena, file, text, length, diagnostics, err);
	free(text);
	return ok;
}

bool log_is_named(const struct log *log, const char *name)
{
	const char *slash = strrchr(log->file, '/');
	return strcmp(log->file, name) == 0 || (slash && strcmp(slash + 1, name) == 0);
}
