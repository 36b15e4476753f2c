/* runs/replay/captured_record.c - see runs/replay/captured_record.h. */
#include "runs/replay/captured_record.h"

#include "runs/replay/captured_parts.h"
#include "scenarios/yaml_writer.h"

static void add_task(struct text *out, const struct task *t)
{
	yaml_task(out, t->name, t->period_ns, YAML_NS);
	text_add(out, "\n    deadline: ");
	yaml_time(out, t->deadline_ns, YAML_NS);
	text_add(out, "\n    offset: ");
	yaml_time(out, t->offset_ns, YAML_NS);
	text_add(out, "\n    segments: [");
	(void)yaml_segment(out, t->segments, NULL, 0, YAML_NS); /* it has no ratios that could be cut */
	text_add(out, "]\n");
}

bool captured_scenario(const struct captured *c, const struct captured_unit *unit, const char *name,
	struct text *out, struct error *err)
{
	struct captured_set s;
	bool ok = captured_set_make(&s, c, unit, err);
	if (ok) {
		yaml_head(out, name, s.setup.horizon_ns, YAML_NS);
		text_add(out, "\nlimit: ");
		yaml_time(out, s.setup.limit_ns, YAML_NS);
		text_add(out, "\nrecord: segments\npolicies: [fifo-cke]\n");
		yaml_platform(out, &unit->platform, YAML_NS);
		text_add(out, "tasks:\n");
		for (uint32_t i = 0; i < unit->count; i++)
			add_task(out, &s.set.tasks[i]);
	}
	captured_set_finish(&s);
	return ok && text_ok(out, "the scenario of a profile", err);
}

bool captured_measured(const struct captured *c, const struct captured_unit *unit, struct measured_row *rows,
	struct error *err)
{
	struct captured_set s;
	bool ok = captured_set_make(&s, c, unit, err);
	for (uint32_t i = 0; ok && i < unit->count; i++) {
		const struct captured_operation *o = &c->operations[unit->operations[i]];
		rows[i] = (struct measured_row){
			.task = i,
			.start_ns = o->op->start_ns - s.base_ns,
			.end_ns = o->op->end_ns - s.base_ns,
			.reason = o->marks & CAPTURED_NO_CALL ? NULL : captured_reason_name(o->reason),
		};
	}
	captured_set_finish(&s);
	return ok;
}
