/* tests/conformance/laws.c - the table of laws, and which runs each is for. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/conformance/law.h"

void law_broken(struct verdict *v, const char *fmt, ...)
{
	va_list args;
	if (v->broken)
		return;
	v->broken = true;
	va_start(args, fmt);
	vsnprintf(v->text, sizeof(v->text), fmt, args);
	va_end(args);
}

/* Is it known when operations were issued? Not behind a gate with rules of its own. */
static bool issue_known(const struct seen *s)
{
	return s->plan->unit == GATE_OPEN || s->gate != GATE_UNKNOWN;
}

static bool has_engines(const struct seen *s)
{
	return s->platform->engines != ENGINES_UNLIMITED;
}

static bool engine_queues_known(const struct seen *s)
{
	return has_engines(s) && issue_known(s);
}

static bool has_grants(const struct seen *s)
{
	return s->plan->grants != NULL || s->plan->grants_at_run_time;
}

static bool boosts(const struct seen *s)
{
	return s->plan->wait == WAIT_BOOST;
}

static bool serial_gate(const struct seen *s)
{
	return s->gate == GATE_SERIAL;
}

static bool closed_gate(const struct seen *s)
{
	return s->gate == GATE_CLOSED;
}

static bool sets_gate(const struct seen *s)
{
	return s->gate == GATE_SETS;
}

static bool clocked_gate(const struct seen *s)
{
	return s->gate == GATE_CLOCKED;
}

static bool tells(const struct seen *s)
{
	return s->subject->tells;
}

static bool section_kernels(const struct seen *s)
{
	return s->plan->unit == GATE_SECTION_KERNELS;
}

static bool gate_is_shown(const struct seen *s)
{
	return s->subject->shows;
}

const struct law trace_laws[] = {
	{"release pattern", holds_release_pattern, NULL},
	{"jobs end once", holds_jobs_end_once, NULL},
	{"misses", holds_misses, NULL},
	{"precedence", holds_precedence, NULL},
	{"lengths", holds_lengths, NULL},
	{"end of the run", holds_end_of_run, NULL},
	{"core: one at a time", holds_core_one_at_a_time, NULL},
	{"core: right job", holds_core_right_job, NULL},
	{"core: boost not preempted", holds_boost, boosts},
	{"copies: one at a time", holds_copies_one_at_a_time, has_engines},
	{"copies: not preempted", holds_copies_not_preempted, NULL},
	{"copies: order", holds_copies_order, engine_queues_known},
	{"copies: work conserving", holds_copies_work_conserving, issue_known},
	{"SM limits", holds_sm_limits, NULL},
	{"block times", holds_block_times, NULL},
	{"block placement", holds_block_placement, NULL},
	{"primary queue", holds_primary_queue, issue_known},
	{"GPU: work conserving", holds_gpu_work_conserving, issue_known},
	{"grants", holds_grants, has_grants},
	{"gate: one at a time", holds_gate_one_at_a_time, serial_gate},
	{"gate: order", holds_gate_order, serial_gate},
	{"gate: work conserving", holds_gate_work_conserving, serial_gate},
	{"gate: closed", holds_gate_closed, closed_gate},
	{"gate: static sets", holds_static_sets, sets_gate},
	{"gate: clock", holds_gate_clock, clocked_gate},
	{"gate: section kernels", holds_section_kernels, section_kernels},
	{"gate: told", holds_gate_told, tells},
	{"gate: shows", holds_gate_shows, gate_is_shown},
	{"power intervals", holds_power_intervals, NULL},
	{"energy", holds_energy, NULL},
	{"energy by task adds up", holds_task_energies, NULL},
	{"active SMs", holds_activity, NULL},
	{NULL, NULL, NULL},
};

const char *laws_check(const struct seen *s, struct verdict *v)
{
	for (const struct law *law = trace_laws; law->name; law++) {
		*v = (struct verdict){0};
		if (!law->holds_for || law->holds_for(s))
			law->check(s, v);
		if (v->broken)
			return law->name;
	}
	return NULL;
}

void laws_check_one(const struct seen *s, const char *name, struct verdict *v)
{
	*v = (struct verdict){0};
	for (const struct law *law = trace_laws; law->name; law++)
		if (strcmp(law->name, name) == 0 && (!law->holds_for || law->holds_for(s)))
			law->check(s, v);
}
