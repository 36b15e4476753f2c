/* tests/unit/test_pipe_question.c - policies/pipe/question.h: what a program is told of a plan. */
#include <jansson.h>
#include <string.h>

#include "policies/pipe/question.h"
#include "tests/unit/pipe_plans.h"

static json_t *ask(const struct asking *a, uint32_t *order)
{
	struct text line = {0};
	struct error reason;
	json_error_t why;
	uint32_t task;
	if (!question_write(&a->plan, 41, &line, order, &task, &reason))
		fail_msg("task %u: %s", task, reason.text);
	assert_true(line.length > 1 && line.data[line.length - 1] == '\n');
	assert_true(strlen(line.data) == line.length);
	assert_ptr_equal(strchr(line.data, '\n'), line.data + line.length - 1);
	json_t *question = json_loads(line.data, JSON_REJECT_DUPLICATES, &why);
	if (!question)
		fail_msg("%s: %s", why.text, line.data);
	text_finish(&line);
	return question;
}

/* A member of an object by its path: "tasks.0.segments.2.best". */
static const json_t *at(const json_t *value, const char *path)
{
	char copy[100], *rest = NULL;
	snprintf(copy, sizeof(copy), "%s", path);
	for (char *key = strtok_r(copy, ".", &rest); key && value; key = strtok_r(NULL, ".", &rest))
		value = json_is_array(value) ? json_array_get(value, (size_t)strtol(key, NULL, 10))
					     : json_object_get(value, key);
	if (!value)
		fail_msg("there is no %s", path);
	return value;
}

static void is_text(const json_t *q, const char *path, const char *text)
{
	assert_string_equal(json_string_value(at(q, path)), text);
}

static void is_number(const json_t *q, const char *path, int64_t number)
{
	assert_true(json_is_integer(at(q, path)));
	assert_int_equal(json_integer_value(at(q, path)), number);
}

TEST("the highest priority comes first")
{
	struct asking a;
	uint32_t order[2];
	asking_two(&a);
	json_t *q = ask(&a, order);
	assert_int_equal(order[0], 1);
	assert_int_equal(order[1], 0);
	is_number(q, "cegsim", 1);
	is_number(q, "id", 41);
	is_text(q, "policy.name", "rm");
	is_text(q, "tasks.0.name", "fast");
	is_number(q, "tasks.0.index", 1);
	is_number(q, "tasks.0.period", 50);
	is_number(q, "tasks.0.deadline", 40);
	is_text(q, "tasks.1.name", "slow");
	is_number(q, "tasks.1.index", 0);
	is_text(q, "tasks.1.segments.0.kind", "cpu");
	is_number(q, "tasks.1.segments.0.best", 5);
	is_number(q, "tasks.1.segments.0.worst", 10);
	assert_int_equal(json_array_size(at(q, "tasks")), 2);
	json_decref(q);
	asking_finish(&a);
}

/* Eight blocks of 20 on 2 of 4 SMs of one block each are four waves. */
TEST("kernels have their lengths under the plan")
{
	struct asking a = {.params = {0}};
	uint32_t order[1];
	maker_init(&a.maker, 1);
	a.maker.platform.sms = 2;
	a.maker.platform.engines = 2;
	a.maker.platform.blocks_per_sm = 1;
	a.maker.platform.threads_per_sm = 64;
	maker_task(&a.maker, "a \"quoted\"\nname", 1000, 900, 0);
	maker_cpu(&a.maker, 1, 2);
	maker_copy(&a.maker, COPY_TO_GPU, 3);
	maker_grid(&a.maker, 8, 64, 20)->best_ns = 10;
	maker_copy(&a.maker, COPY_TO_CPU, 4)->stream_high = true;
	asking_plan(&a, "rm");
	json_t *q = ask(&a, order);
	is_text(q, "tasks.0.name", "a \"quoted\"\nname");
	is_number(q, "platform.sms", 2);
	is_number(q, "platform.engines", 2);
	is_number(q, "tasks.0.segments.1.engine", 0);
	is_number(q, "tasks.0.segments.3.engine", 1);
	is_text(q, "tasks.0.segments.3.stream_priority", "high");
	is_text(q, "tasks.0.segments.2.kind", "kernel");
	is_number(q, "tasks.0.segments.2.best", 40);
	is_number(q, "tasks.0.segments.2.worst", 80);
	is_number(q, "tasks.0.segments.2.block_worst", 20);
	is_number(q, "tasks.0.segments.2.grid", 8);
	is_text(q, "gate", "section");
	json_decref(q);
	asking_finish(&a);
}

/* GPU 1 has twice the SMs, another engine for each direction, and half of the waves. */
TEST("kernels and copies are those of the GPU that they name")
{
	struct asking a = {.params = {0}};
	struct platform other;
	uint32_t order[1];
	maker_init(&a.maker, 1);
	a.maker.platform.sms = 1;
	a.maker.platform.engines = 1;
	a.maker.platform.blocks_per_sm = 1;
	other = a.maker.platform;
	other.gpu = 1;
	other.sms = 2;
	other.engines = 2;
	a.maker.platform.gpu_count = 2;
	a.maker.platform.others = &other;
	maker_task(&a.maker, "there", 1000, 900, 0);
	maker_grid(&a.maker, 4, 64, 20)->gpu = 1;
	maker_copy(&a.maker, COPY_TO_CPU, 4)->gpu = 1;
	asking_plan(&a, "rm");
	json_t *q = ask(&a, order);
	is_number(q, "tasks.0.segments.0.worst", 40);
	is_number(q, "tasks.0.segments.0.sms", 2);
	is_number(q, "tasks.0.segments.1.engine", 1);
	json_decref(q);
	asking_finish(&a);
}

TEST("what was not given is null")
{
	struct asking a;
	uint32_t order[2];
	asking_two(&a);
	json_t *q = ask(&a, order);
	assert_true(json_is_null(at(q, "platform.threads_per_sm")));
	json_decref(q);
	asking_finish(&a);
}
