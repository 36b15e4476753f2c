/* policies/pipe/answer.c - see policies/pipe/answer.h. */
#include "policies/pipe/answer.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const char *const keys[] = {"bounds", "verdict", "reason", "id", NULL};
static const char *const verdicts[] = {"schedulable", "unschedulable", "refused", NULL};
enum { SAYS_SCHEDULABLE, SAYS_UNSCHEDULABLE, SAYS_REFUSED };

#define QUOTE_BYTES 48

/* The value as it was written, or its beginning. */
static const char *quote(const json_t *value, char buffer[QUOTE_BYTES])
{
	size_t length = json_dumpb(
		value, buffer, QUOTE_BYTES - 1, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(6));
	if (length == 0 || length >= QUOTE_BYTES) {
		snprintf(buffer, QUOTE_BYTES, "too long a value");
		return buffer;
	}
	buffer[length] = '\0';
	return buffer;
}

static bool check_keys(json_t *answer, struct error *err)
{
	const char *key;
	json_t *value;
	json_object_foreach(answer, key, value) {
		char hint[SUGGESTION_TEXT_MAX];
		struct suggestion near = {.word = key};
		if (word_find(keys, key) >= 0)
			continue;
		for (const char *const *k = keys; *k; k++)
			suggestion_offer(&near, *k);
		return error_set(err, STATUS_INPUT, "gave an answer with '%.40s'%s", key,
			near.best ? suggestion_text(&near, hint) : "; it has bounds, verdict, reason and id");
	}
	return true;
}

static bool check_id(const json_t *answer, uint64_t id, struct error *err)
{
	char buffer[QUOTE_BYTES];
	const json_t *given = json_object_get(answer, "id");
	if (!given || (json_is_integer(given) && (uint64_t)json_integer_value(given) == id))
		return true;
	return error_set(err, STATUS_INPUT, "answered another question: its id is %s",
		json_is_integer(given) ? "not that of this one" : quote(given, buffer));
}

/* *says: an index of `verdicts`, -1: nothing. */
static bool read_verdict(const json_t *answer, int *says, const char **reason, struct error *err)
{
	char buffer[QUOTE_BYTES];
	const json_t *verdict = json_object_get(answer, "verdict"), *why = json_object_get(answer, "reason");
	*says = json_is_string(verdict) ? word_find(verdicts, json_string_value(verdict)) : -1;
	*reason = json_is_string(why) ? json_string_value(why) : "";
	if (verdict && !json_is_null(verdict) && *says < 0)
		return error_set(err, STATUS_INPUT,
			"gave the verdict %s; it is schedulable, unschedulable or refused",
			quote(verdict, buffer));
	if (why && !json_is_null(why) && !json_is_string(why))
		return error_set(err, STATUS_INPUT, "gave a reason that is no text: %s", quote(why, buffer));
	return true;
}

static bool read_bounds(
	const json_t *list, const struct asked *asked, struct analysis_result *result, struct error *err)
{
	char buffer[QUOTE_BYTES];
	size_t count = json_array_size(list), tasks = asked->plan->set->task_count;
	if (!json_is_array(list))
		return error_set(err, STATUS_INPUT,
			list ? "gave bounds that are no list: %s" : "gave no 'bounds'%s",
			list ? quote(list, buffer) : "");
	if (count != tasks)
		return error_set(err, STATUS_INPUT, "gave %zu bound%s for %zu task%s", count, plural(count),
			tasks, plural(tasks));
	for (size_t i = 0; i < count; i++) {
		const json_t *bound = json_array_get(list, i);
		struct bound_sums sums = {.response_ns = NO_BOUND};
		if (json_is_integer(bound))
			sums.response_ns = json_integer_value(bound);
		if ((!json_is_integer(bound) && !json_is_null(bound)) || sums.response_ns < 0)
			return error_set(err, STATUS_INPUT,
				"gave %s as the bound of task '%.60s'; it is a whole number of ns, or null",
				quote(bound, buffer), asked->plan->set->tasks[asked->order[i]].name);
		analysis_sums(result, asked->order[i], &sums);
	}
	return true;
}

/* The bounds decide, unless the answer says less. */
static bool settle(const struct asked *asked, int says, const char *reason, struct analysis_result *result,
	struct error *err)
{
	const struct task *tasks = asked->plan->set->tasks;
	for (uint32_t i = 0; says == SAYS_SCHEDULABLE && i < asked->plan->set->task_count; i++) {
		int64_t bound = result->task[i].response_ns;
		if (bound != NO_BOUND && bound > tasks[i].deadline_ns)
			return error_set(err, STATUS_INPUT,
				"called the set schedulable, though the bound of task '%.60s' exceeds its "
				"deadline",
				tasks[i].name);
	}
	analysis_judge(result, asked->plan);
	if (says == SAYS_SCHEDULABLE)
		verdict_accept(&result->verdict);
	else if (says == SAYS_UNSCHEDULABLE && result->verdict.accepted)
		verdict_refuse(&result->verdict, NO_FAILING_TASK, "%s",
			*reason ? reason : "it says so, though its bounds meet all deadlines");
	else if (!result->verdict.accepted && *reason)
		verdict_refuse(&result->verdict, result->verdict.failing_task, "%s", reason);
	return true;
}

static bool read_object(
	json_t *answer, const struct asked *asked, struct analysis_result *result, struct error *err)
{
	int says;
	const char *reason;
	if (!json_is_object(answer))
		return error_set(err, STATUS_INPUT, "gave an answer that is no object: {\"bounds\": [...]}");
	if (!check_keys(answer, err) || !check_id(answer, asked->id, err) ||
		!read_verdict(answer, &says, &reason, err))
		return false;
	if (says == SAYS_REFUSED)
		return analysis_refuse(
			result, NO_FAILING_TASK, "%s", *reason ? reason : "it gives no reason");
	return read_bounds(json_object_get(answer, "bounds"), asked, result, err) &&
	       settle(asked, says, reason, result, err);
}

/* What the program wrote is shown on one line of a terminal. */
static void flatten(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = ' ';
}

bool answer_read(const char *line, size_t length, const struct asked *asked, struct analysis_result *result,
	struct error *err)
{
	json_error_t why;
	json_t *answer = json_loadb(line, length, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &why);
	if (!answer && json_error_code(&why) == json_error_out_of_memory)
		return error_memory(err, "reading an answer");
	bool ok = answer ? read_object(answer, asked, result, err)
			 : error_set(err, STATUS_INPUT, "gave an answer that is not JSON: %s (column %d)",
				   why.text, why.column);
	json_decref(answer);
	flatten(ok ? result->verdict.reason : err->text);
	return ok;
}
