/* tests/unit/timeline.c - see tests/unit/timeline.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "models/power.h"
#include "tests/unit/timeline.h"

static bool keep(void *self, const struct trace_record *records, size_t count)
{
	struct observed *o = self;
	if (o->count + count > o->capacity) {
		o->capacity = 2 * (o->count + count);
		o->records = realloc(o->records, o->capacity * sizeof *o->records);
		assert_non_null(o->records);
	}
	if (count)
		memcpy(o->records + o->count, records, count * sizeof *records);
	o->count += count;
	return true;
}

static void fail_report(void *self, uint32_t task, uint32_t segment, const char *text)
{
	(void)self;
	fail_msg("task %u segment %u: %s", task, segment, text);
}

struct observed observe_under(struct maker *k, const struct policy *policy)
{
	struct observed o = {0};
	struct arena arena = {0};
	struct simulation *s;
	struct power power;
	struct error err;
	taskset_check(&k->set, &k->platform, fail_report, NULL);
	if (!simulation_create(&k->platform, &k->set, &k->setup, policy, NULL, &s, &err))
		fail_msg("%s", err.text);
	o.refused = simulation_plan(s)->refused;
	assert_true(power_init(&power, &arena, &k->platform, &k->set, NULL, NULL));
	trace_observe(simulation_trace(s), UINT32_MAX, keep, &o);
	trace_observe(simulation_trace(s), POWER_WANTS, power_observe, &power);
	while (simulation_step(s, 1000) == SIMULATION_RUNNING)
		;
	o.outcome = simulation_outcome(s);
	assert_true(power_end(&power, o.outcome.energy_end_ns));
	o.energy_uwns = power.energy_uwns;
	arena_finish(&arena);
	simulation_destroy(s);
	return o;
}

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

const char *spans(const struct observed *o)
{
	static const char *const cpu[] = {[SPAN_RUN] = "cpu", [SPAN_SPIN] = "spin", [SPAN_BOOST] = "boost"};
	static const char *const how[] = {
	        [SPAN_DONE] = "", [SPAN_PREEMPTED] = " p", [SPAN_ABORTED] = " a", [SPAN_STOPPED] = " s"};
	static char text[TEXT];
	text[0] = '\0';
	for (size_t i = 0; i < o->count; i++) {
		const struct trace_record *r = &o->records[i];
		char unit[16] = "gpu";
		if (r->kind != TRACE_SPAN)
			continue;
		if (r->resource == RESOURCE_CPU)
			snprintf(unit, sizeof unit, "%s", cpu[r->span]);
		else if (r->resource == RESOURCE_COPY)
			snprintf(unit, sizeof unit, "copy%u", r->index);
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
			snprintf(where, sizeof where, " @%u", r->index);
		snprintf(which, sizeof which, r->count > 1 ? "b%u+%u" : "b%u", r->block, r->count);
		append(text, "t%u.%u.%u %s%s %" PRId64 "-%" PRId64, r->task, r->job, r->segment, which, where,
		        r->start, r->time);
	}
	return text;
}

const char *ends(const struct observed *o)
{
	static const char *const how[] = {[JOB_FINISHED] = "finished",
	        [JOB_DROPPED] = "dropped",
	        [JOB_ABORTED] = "aborted",
	        [JOB_UNFINISHED] = "unfinished"};
	static char text[TEXT];
	text[0] = '\0';
	for (size_t i = 0; i < o->count; i++)
		if (o->records[i].kind == TRACE_JOB_END)
			append(text, "t%u.%u %s %" PRId64, o->records[i].task, o->records[i].job,
			        how[o->records[i].how], o->records[i].time);
	return text;
}
