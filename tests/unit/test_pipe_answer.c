/* tests/unit/test_pipe_answer.c - policies/pipe/answer.h: what an answer says, and what is wrong with one. */
#include <stdio.h>
#include <string.h>

#include "policies/pipe/answer.h"
#include "tests/unit/pipe_plans.h"

static struct asking asking;
static const uint32_t order[] = {1, 0};
static struct analysis_result result;
static struct error err;

static int begin(void **state)
{
	asking_two(&asking);
	return 0;
}

static int finish(void **state)
{
	asking_finish(&asking);
	return 0;
}

EACH_TEST(begin, finish);

static bool read_bytes(const char *line, size_t length)
{
	const struct asked asked = {&asking.plan, order, 7};
	err = (struct error){.status = STATUS_OK};
	assert_true(analysis_begin(&result, 2, &asking.arena, &err));
	return answer_read(line, length, &asked, &result, &err);
}

static void is_read(const char *line)
{
	if (!read_bytes(line, strlen(line)))
		fail_msg("%s: %s", line, err.text);
}

static void is_wrong(const char *line, const char *why)
{
	if (read_bytes(line, strlen(line)))
		fail_msg("%s: nothing was said", line);
	assert_int_equal(err.status, STATUS_INPUT);
	assert_string_equal(err.text, why);
}

TEST("bounds are in the order of the question")
{
	is_read("{\"bounds\": [30, 80]}");
	assert_int_equal(result.task[1].response_ns, 30);
	assert_int_equal(result.task[0].response_ns, 80);
	assert_true(result.task[0].analysed && result.task[1].analysed && result.verdict.accepted);
	is_read("{\"bounds\": [40, 90], \"id\": 7, \"verdict\": \"schedulable\", \"reason\": \"\"}");
	assert_true(result.verdict.accepted);
	is_read("{\"bounds\": [0, 9223372036854775807]}");
	assert_int_equal(result.task[0].response_ns, INT64_MAX);
	assert_false(result.verdict.accepted);
}

TEST("bounds decide, unless the answer says less")
{
	is_read("{\"bounds\": [41, 90]}");
	assert_false(result.verdict.accepted);
	assert_int_equal(result.verdict.failing_task, 1);
	is_read("{\"bounds\": [null, 90], \"verdict\": null, \"reason\": null}");
	assert_int_equal(result.task[1].response_ns, NO_BOUND);
	assert_false(result.verdict.accepted || result.refused);
	is_read("{\"bounds\": [40, 90], \"verdict\": \"unschedulable\", \"reason\": \"too tight\"}");
	assert_false(result.verdict.accepted);
	assert_string_equal(result.verdict.reason, "too tight");
	is_read("{\"bounds\": [40, 90], \"verdict\": \"unschedulable\"}");
	assert_string_equal(result.verdict.reason, "it says so, though its bounds meet all deadlines");
	is_read("{\"bounds\": [40, 91], \"reason\": \"too tight\"}");
	assert_string_equal(result.verdict.reason, "too tight");
	assert_int_equal(result.verdict.failing_task, 0);
	is_read("{\"bounds\": [null, 90], \"verdict\": \"schedulable\"}");
	assert_true(result.verdict.accepted);
	is_wrong("{\"bounds\": [41, 90], \"verdict\": \"schedulable\"}",
		"called the set schedulable, though the bound of task 'fast' exceeds its deadline");
}

TEST("a set may be refused")
{
	is_read("{\"verdict\": \"refused\", \"reason\": \"it has copies\"}");
	assert_true(result.refused);
	assert_string_equal(result.verdict.reason, "it has copies");
	is_read("{\"verdict\": \"refused\", \"reason\": \"two\\nlines\\u001b\"}");
	assert_string_equal(result.verdict.reason, "two lines ");
	is_read("{\"verdict\": \"refused\"}");
	assert_string_equal(result.verdict.reason, "it gives no reason");
}

TEST("what is wrong is said")
{
	is_wrong("{\"bounds\": [1]}", "gave 1 bound for 2 tasks");
	is_wrong("{\"bounds\": [1, 2, 3]}", "gave 3 bounds for 2 tasks");
	is_wrong("{}", "gave no 'bounds'");
	is_wrong("{\"bounds\": {\"fast\": 3}}", "gave bounds that are no list: {\"fast\":3}");
	is_wrong("{\"bounds\": [1, 2.5]}",
		"gave 2.5 as the bound of task 'slow'; it is a whole number of ns, or null");
	is_wrong("{\"bounds\": [-1, 2]}",
		"gave -1 as the bound of task 'fast'; it is a whole number of ns, or null");
	is_wrong("{\"bounds\": [\"1\", 2]}",
		"gave \"1\" as the bound of task 'fast'; it is a whole number of ns, or null");
	is_wrong("{\"bounds\": [true, 2]}",
		"gave true as the bound of task 'fast'; it is a whole number of ns, or null");
	is_wrong("{\"bounds\": [1, 2], \"id\": 6}",
		"answered another question: its id is not that of this one");
	is_wrong("{\"bounds\": [1, 2], \"id\": \"7\"}", "answered another question: its id is \"7\"");
	is_wrong("{\"bounds\": [1, 2], \"verdict\": \"yes\"}",
		"gave the verdict \"yes\"; it is schedulable, unschedulable or refused");
	is_wrong("{\"bounds\": [1, 2], \"reason\": 3}", "gave a reason that is no text: 3");
	is_wrong("{\"bound\": [1, 2]}", "gave an answer with 'bound'; did you mean 'bounds'?");
	is_wrong("{\"bounds\": [1, 2], \"slack\": 1}",
		"gave an answer with 'slack'; it has bounds, verdict, reason and id");
	is_wrong("{\"a\\u001b[1m\\nb\": 1}",
		"gave an answer with 'a?[1m b'; it has bounds, verdict, reason and id");
	is_wrong("[1, 2]", "gave an answer that is no object: {\"bounds\": [...]}");
}

static void is_no_json(const char *line, size_t length)
{
	assert_false(read_bytes(line, length));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_non_null(strstr(err.text, "gave an answer that is not JSON: "));
}

TEST("what is no JSON is said, whatever its bytes")
{
	is_no_json("", 0);
	is_no_json("7", 1);
	is_no_json("{\"bounds\": [1, 2]", 17);
	is_no_json("{\"bounds\": [1, 2]} x", 20);
	is_no_json("{\"bounds\": [1, 9223372036854775808]}", 36);
	is_no_json("{\"bounds\": [1, 2], \"bounds\": [1, 2]}", 36);
	is_no_json("\xff\xfe{}", 4);
	is_no_json("{\"a\0b\": 1", 9);
	is_no_json("{\"bounds\": [NaN, 2]}", 20);
}

TEST("the largest answer is read, and a deep one is not")
{
	static char deep[40000];
	memset(deep, '[', sizeof(deep));
	is_no_json(deep, sizeof(deep));
	static char long_reason[1 << 17];
	int head = snprintf(long_reason, sizeof(long_reason), "{\"bounds\": [41, 90], \"reason\": \"");
	memset(long_reason + head, 'x', sizeof(long_reason) - (size_t)head);
	memcpy(long_reason + sizeof(long_reason) - 2, "\"}", 2);
	assert_true(read_bytes(long_reason, sizeof(long_reason)));
	assert_int_equal(result.verdict.reason[0], 'x');
	assert_true(strlen(result.verdict.reason) < sizeof(result.verdict.reason));
}
