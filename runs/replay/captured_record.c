/* runs/replay/captured_record.c - see runs/replay/captured_record.h.
 *
 * A task has one job: its offset is the release, its period the horizon. It is called after its stream and
 * its place in the order of issue, "stream 7 #12", and its segment after what it does. The deadline is so
 * late that nothing misses it. */
#include "runs/replay/captured_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runs/replay/captured_parts.h"
#include "scenarios/yaml_writer.h"

#define SEGMENT_NAME_MAX 64 /* names are shorter, with the zero */

/* A name for people. Files of others may have any bytes in theirs. */
static void segment_name(const struct captured_operation *o, char name[SEGMENT_NAME_MAX])
{
	snprintf(name, SEGMENT_NAME_MAX, "%s", o->op->name[0] ? o->op->name : captured_kind_name(o->kind));
	for (char *at = name; *at; at++)
		*at = (unsigned char)*at < ' ' || (unsigned char)*at >= 0x7f ? '?' : *at;
	for (size_t end = strlen(name); end > 0 && name[end - 1] == ' '; end--)
		name[end - 1] = '\0'; /* it was cut there */
}

/* Where work of several processes is simulated together, streams of the same number are told apart. */
static bool several_processes(const struct captured *c, const struct captured_unit *unit)
{
	for (uint32_t i = 1; i < unit->count; i++)
		if (captured_stream(c, &c->operations[unit->operations[i]])->process !=
			captured_stream(c, &c->operations[unit->operations[0]])->process)
			return true;
	return false;
}

static void task_name(const struct captured *c, const struct captured_operation *o, bool together,
	uint32_t index, char *name, size_t size)
{
	const struct capture_stream *stream = captured_stream(c, o);
	char process[40] = "";
	if (together)
		snprintf(process, sizeof(process), " of process %" PRId64,
			c->capture->processes[stream->process].pid);
	snprintf(name, size, "stream %" PRId64 "%s #%" PRIu32, stream->number, process, index + 1);
}

static void add_task(struct text *out, const struct captured *c, const struct captured_operation *o,
	const struct captured_set *s, uint32_t index, bool together)
{
	const struct task *t = &s->set.tasks[index];
	struct segment segment = t->segments[0];
	char name[96], what[SEGMENT_NAME_MAX];
	task_name(c, o, together, index, name, sizeof(name));
	segment_name(o, what);
	segment.name = what;
	yaml_task(out, name, s->setup.horizon_ns, YAML_NS);
	text_add(out, "\n    deadline: ");
	yaml_time(out, s->setup.limit_ns, YAML_NS);
	text_add(out, "\n    offset: ");
	yaml_time(out, o->release_ns - s->base_ns, YAML_NS);
	text_add(out, "\n    segments: [");
	(void)yaml_segment(out, &segment, NULL, 0, YAML_NS); /* it has no ratios that could be cut */
	text_add(out, "]\n");
}

bool captured_scenario(const struct captured *c, const struct captured_unit *unit, const char *name,
	struct text *out, struct error *err)
{
	struct captured_set s;
	bool together = several_processes(c, unit),
	     ok = captured_set_make(&s, c, unit, &(struct captured_part){0, unit->count}, err);
	if (ok) {
		yaml_head(out, name, s.setup.horizon_ns, YAML_NS);
		text_add(out, "\nlimit: ");
		yaml_time(out, s.setup.limit_ns, YAML_NS);
		text_add(out, "\nrecord: segments\npolicies: [fifo-cke]\n");
		yaml_platform(out, &unit->platform, YAML_NS);
		text_add(out, "tasks:\n");
		for (uint32_t i = 0; i < unit->count; i++)
			add_task(out, c, &c->operations[unit->operations[i]], &s, i, together);
	}
	captured_set_finish(&s);
	return ok && text_ok(out, "the scenario of a profile", err);
}

void captured_measured(const struct captured *c, const struct captured_unit *unit, struct measured_row *rows)
{
	int64_t base = captured_base(c, unit, &(struct captured_part){0, unit->count});
	for (uint32_t i = 0; i < unit->count; i++) {
		const struct captured_operation *o = &c->operations[unit->operations[i]];
		rows[i] = (struct measured_row){
			.task = i,
			.start_ns = o->op->start_ns - base,
			.end_ns = o->op->end_ns - base,
			.reason = o->marks & CAPTURED_NO_CALL ? NULL : captured_reason_name(o->reason),
		};
	}
}
