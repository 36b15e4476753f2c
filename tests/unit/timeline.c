/* tests/unit/timeline.c - see tests/unit/timeline.h. */
#include "tests/unit/timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"

#define TEXT 16384

static void PRINTF_LIKE(2, 3) append(char text[TEXT], const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list args;
	if (used > 0)
		used += (size_t)snprintf(text + used, TEXT - used, "; ");
	va_start(args, fmt);
	int length = vsnprintf(text + used, TEXT - used, fmt, args);
	va_end(args);
	assert_true(length > 0 && (size_t)length < TEXT - used);
}

static const char *const how[] = {[SPAN_DONE] = "",
	[SPAN_PREEMPTED] = " p",
	[SPAN_ABORTED] = " a",
	[SPAN_STOPPED] = " s",
	[SPAN_RESET] = " r"};

const char *spans(const struct observed *o)
{
	static const char *const cpu[] = {[SPAN_RUN] = "cpu",
		[SPAN_SPIN] = "spin",
		[SPAN_BOOST] = "boost",
		[SPAN_LAUNCH] = "launch",
		[SPAN_SWITCH] = "switch",
		[SPAN_RELEASE] = "release",
		[SPAN_CALL] = "call",
		[SPAN_DECISION] = "decision"};
	static char text[TEXT];
	text[0] = '\0';
	for (size_t i = 0; i < o->count; i++) {
		const struct trace_record *r = &o->records[i];
		char unit[16] = "gpu";
		if (r->kind != TRACE_SPAN)
			continue;
		if (r->resource == RESOURCE_CPU)
			snprintf(unit, sizeof(unit), r->index ? "%s@%u" : "%s", cpu[r->span], r->index);
		else if (r->resource == RESOURCE_COPY)
			snprintf(unit, sizeof(unit), "copy%u", r->index);
		append(text, "t%u.%u.%u %s %" PRId64 "-%" PRId64 "%s", r->task, r->job, r->segment, unit,
			r->start, r->time, how[r->how]);
	}
	return text;
}

const char *blocks(const struct observed *o)
{
	static char text[TEXT];
	text[0] = '\0';
	for (size_t i = 0; i < o->count; i++) {
		const struct trace_record *r = &o->records[i];
		char where[16] = "", which[24];
		if (r->kind != TRACE_BLOCKS_END)
			continue;
		if (r->resource == RESOURCE_SM)
			snprintf(where, sizeof(where), " @%u", r->index);
		snprintf(which, sizeof(which), r->count > 1 ? "b%u+%u" : "b%u", r->block, r->count);
		append(text, "t%u.%u.%u %s%s %" PRId64 "-%" PRId64 "%s", r->task, r->job, r->segment, which,
			where, r->start, r->time, r->how == SPAN_STOPPED ? "" : how[r->how]);
	}
	return text;
}

const char *contexts(const struct observed *o)
{
	static char text[TEXT];
	text[0] = '\0';
	for (size_t i = 0; i < o->count; i++) {
		const struct trace_record *r = &o->records[i];
		if (r->kind == TRACE_CONTEXT)
			append(text, "%s%u %" PRId64 "-%" PRId64, r->span == SPAN_SWITCH ? "to " : "",
				r->task, r->start, r->time);
	}
	return text;
}

const char *ends(const struct observed *o)
{
	static const char *const end[] = {
		[JOB_FINISHED] = "finished",
		[JOB_DROPPED] = "dropped",
		[JOB_ABORTED] = "aborted",
		[JOB_UNFINISHED] = "unfinished",
	};
	static char text[TEXT];
	text[0] = '\0';
	for (size_t i = 0; i < o->count; i++)
		if (o->records[i].kind == TRACE_JOB_END)
			append(text, "t%u.%u %s %" PRId64, o->records[i].task, o->records[i].job,
				end[o->records[i].how], o->records[i].time);
	return text;
}
