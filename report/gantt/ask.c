/* report/gantt/ask.c - reads the parameters of a Gantt chart. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "report/gantt/private.h"

static const char *value_of(const struct figure_call *call, const char *name)
{
	return parameters_value(&call->parameters, call->query, name);
}

/* Reads a whole number; *end points behind it. */
static bool read_number(const char *text, const char **end, int64_t *value)
{
	char *behind;
	if (*text < '0' || *text > '9' || strspn(text, "0123456789") > 18)
		return false;
	*value = strtoll(text, &behind, 10);
	*end = behind;
	return true;
}

static bool read_runs(const struct figure_call *call, struct gantt_ask *ask, struct error *err)
{
	const char *text = value_of(call, "run"), *at = text;
	while (*at) {
		if (ask->runs == GANTT_RUNS)
			return error_set(err, STATUS_INPUT, "run: at most %d runs in a figure", GANTT_RUNS);
		if (!read_number(at, &at, &ask->run[ask->runs++]) || (*at && (*at != ',' || !at[1])))
			return error_set(err, STATUS_INPUT,
				"run wants the number of a run, or several as in 1,3; got '%s'", text);
		at += *at == ',';
	}
	return true;
}

static bool read_time(
	const struct figure_call *call, const char *name, bool *has, int64_t *value, struct error *err)
{
	const char *text = value_of(call, name);
	struct error why;
	*has = *text != '\0';
	if (*has && !unit_parse(UNIT_TIME, text, "ms", value, &why))
		return error_set(err, STATUS_INPUT, "%s %s", name, why.text);
	return true;
}

static bool read_switch(const struct figure_call *call, const char *name, bool *on, struct error *err)
{
	const char *text = value_of(call, name);
	*on = strcmp(text, "1") == 0;
	if (*text && !*on && strcmp(text, "0") != 0)
		return error_set(err, STATUS_INPUT, "%s wants 0 or 1, got '%s'", name, text);
	return true;
}

bool gantt_ask(const struct figure_call *call, struct gantt_ask *ask, struct error *err)
{
	bool has_tolerance;
	*ask = (struct gantt_ask){
		.figure = call->query->name,
		.level = level_needed(call->query),
		.sms = value_of(call, "sms"),
		.task = value_of(call, "task"),
		.chain = value_of(call, "chain"),
	};
	query_header(call->query, "of", ask->scenario, sizeof(ask->scenario));
	bool ok = read_runs(call, ask, err) && read_time(call, "from", &ask->has_from, &ask->from, err) &&
		  read_time(call, "to", &ask->has_to, &ask->to, err) &&
		  read_switch(call, "labels", &ask->labels, err) &&
		  read_switch(call, "measured", &ask->measured, err) &&
		  read_switch(call, "streams", &ask->streams, err) &&
		  read_time(call, "tolerance", &has_tolerance, &ask->tolerance, err) &&
		  read_switch(call, "power", &ask->power, err);
	if (ok && ask->has_to && ask->to <= (ask->has_from ? ask->from : 0))
		return error_set(err, STATUS_INPUT, "to wants an instant behind from");
	return ok;
}

/* Reads "0-7,12" and marks these SMs. */
static bool mark_sms(const char *text, struct gantt_chart *c, struct error *err)
{
	const char *at = text;
	while (*at) {
		int64_t first, last;
		bool good = read_number(at, &at, &first);
		last = first;
		if (good && *at == '-')
			good = read_number(at + 1, &at, &last);
		if (!good || last < first || (*at && (*at != ',' || !at[1])))
			return error_set(err, STATUS_INPUT, "sms wants SMs such as 0-7,12; got '%s'", text);
		if (last >= (int64_t)c->lanes.sms)
			return error_set(err, STATUS_INPUT,
				"sms: run %" PRId64 " has no SM %" PRId64 "; it has %zu, from 0", c->run_id,
				last, c->lanes.sms);
		for (int64_t i = first; i <= last; i++)
			c->shown[c->lanes.first_sm + (size_t)i] = true;
		at += *at == ',';
	}
	return true;
}

bool gantt_choose_lanes(const struct gantt_ask *ask, struct gantt_chart *c, bool kernels, struct error *err)
{
	c->sms_chosen = *ask->sms != '\0';
	c->sms_in_lane = 1;
	bool blocks = c->lanes.sms > 0 || c->lanes.pool != LANE_NONE;
	for (size_t i = 0; i < c->lanes.count; i++) {
		enum lane_kind kind = c->lanes.lane[i].kind;
		if (kind == LANE_GPU)
			c->shown[i] = kernels && !blocks;
		else if (kind == LANE_SM)
			c->shown[i] = kernels && !*ask->sms;
		else if (kind == LANE_POOL)
			c->shown[i] = kernels;
	}
	if (*ask->sms && c->lanes.sms == 0)
		return error_set(err, STATUS_INPUT,
			"sms: run %" PRId64 " has no blocks on SMs (record: blocks)", c->run_id);
	return mark_sms(ask->sms, c, err);
}

bool gantt_faded(const struct gantt_ask *ask, const struct gantt_task *task)
{
	return *ask->task && strcmp(ask->task, task->name) != 0;
}
