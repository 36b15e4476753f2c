/* runs/provenance/verdict.c - the law on verdicts: the policy of each run makes its plan again, for the
 * recorded set, platform, setup and options; the plan must give what was recorded. Nothing is simulated. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "models/simulation.h"
#include "runs/load.h"
#include "runs/provenance/checking.h"

/* A run as it was recorded, and the plan of its policy. */
struct provenance_verdict {
	struct checking *k;
	int64_t run_id;
	const char *status, *reason;       /* reason NULL: none */
	int64_t failing_task, virtual_sms; /* index; DB_NULL: none */
	const struct plan *plan;
};

static bool wrong(struct provenance_verdict *v, const char *what, const char *is, const char *should)
{
	return finding(v->k, v->k->verdict,
		"run %" PRId64 ": %s is %s%.200s%s; its policy, asked again, says %s%.200s%s", v->run_id,
		what, is ? "'" : "", is ? is : "NULL", is ? "'" : "", should ? "'" : "",
		should ? should : "NULL", should ? "'" : "");
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Both texts up to the end of a word, which is a duration: the same one? */
static bool same_duration(const char *a, size_t a_length, const char *b, size_t b_length)
{
	char texts[2][UNIT_TEXT_MAX];
	int64_t ns[2];
	if (a_length >= UNIT_TEXT_MAX || b_length >= UNIT_TEXT_MAX)
		return false;
	snprintf(texts[0], UNIT_TEXT_MAX, "%.*s", (int)a_length, a);
	snprintf(texts[1], UNIT_TEXT_MAX, "%.*s", (int)b_length, b);
	return unit_parse(UNIT_TIME, texts[0], NULL, &ns[0], NULL) &&
	       unit_parse(UNIT_TIME, texts[1], NULL, &ns[1], NULL) && ns[0] == ns[1];
}

/* Whether two reasons say the same: word by word, durations in any unit. Earlier builds wrote each duration
 * in the unit that made it shortest. */
static bool same_reason(const char *a, const char *b)
{
	static const char ends[] = " ,;";
	if (!a || !b)
		return a == b;
	while (*a && *b) {
		size_t a_length = strcspn(a, ends), b_length = strcspn(b, ends);
		bool same = a_length == b_length && memcmp(a, b, a_length) == 0;
		if (!same && !same_duration(a, a_length, b, b_length))
			return false;
		a += a_length;
		b += b_length;
		if (*a != *b)
			return false;
		a += *a != '\0';
		b += *b != '\0';
	}
	return *a == *b;
}

/* The reason of a truncated run begins with a text that is not the policy's; the reason of the policy's test
 * follows. */
static const char *reason_of_test(const struct provenance_verdict *v)
{
	static const char mark[] = "; the policy's test: ";
	const char *at = v->reason ? strstr(v->reason, mark) : NULL;
	if (strcmp(v->status, "truncated") != 0)
		return v->reason;
	return at ? at + strlen(mark) : NULL;
}

static bool number_is(struct provenance_verdict *v, const char *what, int64_t is, int64_t should)
{
	char text[2][32];
	if (is == should)
		return true;
	snprintf(text[0], sizeof(text[0]), "%" PRId64, is);
	snprintf(text[1], sizeof(text[1]), "%" PRId64, should);
	return wrong(v, what, is == DB_NULL ? NULL : text[0], should == DB_NULL ? NULL : text[1]);
}

static const char *list_sms(const struct grant *grant, struct text *text)
{
	text_clear(text);
	for (uint32_t i = 0; i < grant->count; i++)
		text_printf(text, "%s%u", i ? "," : "[", grant->sm[i]);
	text_add(text, "]");
	return text_data(text);
}

static int64_t or_null(const struct db_cursor *c, int column)
{
	return cursor_kind(c, column) == VALUE_NULL ? DB_NULL : cursor_integer(c, column);
}

/* The cursor: task_idx, rank, sms, virtual_sms, sm_set. */
static bool check_task(struct provenance_verdict *v, const struct db_cursor *c, struct text *text)
{
	uint32_t task = (uint32_t)cursor_integer(c, 0);
	char what[64];
	if (cursor_kind(c, 0) == VALUE_NULL || task >= v->plan->set->task_count)
		return true; /* reported by db/audit/strays.c */
	const struct grant *all = v->plan->grants, *grant = all && all[task].count ? &all[task] : NULL;
	const char *sms = grant ? list_sms(grant, text) : NULL;
	v->k->verdict->checked++;
	snprintf(what, sizeof(what), "sm_set of task %u", task);
	if (!same_text(cursor_text(c, 4), sms) && !wrong(v, what, cursor_text(c, 4), sms))
		return false;
	snprintf(what, sizeof(what), "rank of task %u", task);
	if (!number_is(v, what, or_null(c, 1), v->plan->rank[task]))
		return false;
	snprintf(what, sizeof(what), "sms of task %u", task);
	if (!number_is(v, what, or_null(c, 2), grant ? grant->count : DB_NULL))
		return false;
	snprintf(what, sizeof(what), "virtual_sms of task %u", task);
	return number_is(v, what, or_null(c, 3), grant && grant->slots ? grant->virtual_sms : DB_NULL);
}

static bool check_tasks(struct provenance_verdict *v)
{
	struct checking *k = v->k;
	struct text text = {0};
	struct rows q = rows_open(k->reader,
		"SELECT (SELECT task_idx FROM task t WHERE t.task_id = a.task_id), rank, sms, virtual_sms,"
		" sm_set FROM run_task a WHERE run_id = ?1",
		k->err);
	rows_bind(&q, 1, v->run_id);
	while (rows_next(&q))
		q.ok = check_task(v, q.c, &text);
	text_finish(&text);
	return rows_close(&q);
}

static bool check_plan(struct provenance_verdict *v)
{
	const struct plan *plan = v->plan;
	const char *test = plan->reason[0] ? plan->reason : NULL;
	bool refused = strcmp(v->status, "refused") == 0;
	v->k->verdict->checked++;
	if (refused != plan->refused && !wrong(v, "status", v->status, plan->refused ? "refused" : "run it"))
		return false;
	if (!same_reason(reason_of_test(v), test) && !wrong(v, "reason", v->reason, test))
		return false;
	int64_t failing = plan->failing_task == UINT32_MAX ? DB_NULL : plan->failing_task;
	if (!number_is(v, "the place of failing_task_id", v->failing_task, failing))
		return false;
	return refused ||
	       (number_is(v, "virtual_sms_per_sm", v->virtual_sms, plan->virtual_sms) && check_tasks(v));
}

/* If a run is recorded as an error although its policy makes a plan, it failed later, or was given up: that
 * cannot be checked. */
static bool check_error(struct provenance_verdict *v, const struct error *reason, bool made)
{
	bool error = strcmp(v->status, "error") == 0;
	v->k->verdict->checked++;
	if (!error && !made)
		return wrong(v, "status", v->status, reason->text);
	return made || same_reason(v->reason, reason->text) || wrong(v, "reason", v->reason, reason->text);
}

static bool check_loaded(struct provenance_verdict *v, const struct loaded_run *run)
{
	struct simulation *s = NULL;
	struct error reason;
	bool made = simulation_create(
		&run->platform, &run->set, &run->setup, run->policy, &run->params, &s, &reason);
	if (!made && reason.status == STATUS_IO) {
		*v->k->err = reason;
		return false;
	}
	bool ok;
	if (!made || strcmp(v->status, "error") == 0) {
		ok = check_error(v, &reason, made);
	} else {
		v->plan = simulation_plan(s);
		ok = check_plan(v);
	}
	simulation_destroy(s);
	return ok;
}

/* The cursor: run_id, status, reason, task_idx of the failing task, V_SM, params and version
 * of the policy. */
static bool check_run(struct checking *k, const struct db_cursor *c)
{
	struct provenance_verdict v = {
		.k = k,
		.run_id = cursor_integer(c, 0),
		.status = needed_text(c, 1),
		.reason = cursor_text(c, 2),
		.failing_task = or_null(c, 3),
		.virtual_sms = or_null(c, 4),
	};
	struct loaded_run run;
	struct error reason;
	if (is_plugin(needed_text(c, 5))) {
		k->verdict->runs_elsewhere++;
		return true;
	}
	if (!load_run(k->reader, v.run_id, &run, &reason)) {
		if (reason.status == STATUS_IO) {
			*k->err = reason;
			return false;
		}
		k->verdict->runs++;
		return finding(
			k, k->verdict, "run %" PRId64 " cannot be made again: %s", v.run_id, reason.text);
	}
	/* Another version of the policy may have another verdict. Whether the policy is the one asked for is
	 * checked by scenario-rows. */
	bool blocks = run.policy->plan && !run.set.warps && cursor_integer(c, 6) == run.policy->version,
	     ok = true;
	if (blocks) {
		k->verdict->runs++;
		ok = check_loaded(&v, &run);
	} else {
		k->verdict->runs_elsewhere++;
	}
	loaded_run_finish(&run);
	return ok;
}

bool check_verdicts(struct checking *k)
{
	struct rows q = rows_open(k->reader,
		"SELECT run_id, status, reason, (SELECT task_idx FROM task t WHERE t.task_id ="
		" r.failing_task_id), virtual_sms_per_sm, p.params, p.version FROM run r JOIN policy p USING"
		" (policy_id) WHERE ?1 < 0 OR run_id = ?1",
		k->err);
	rows_bind(&q, 1, k->run_id);
	while (rows_next(&q))
		q.ok = check_run(k, q.c);
	return rows_close(&q);
}
