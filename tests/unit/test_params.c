/* tests/unit/test_params.c - models/params.c: options, their checks and canonical texts. */
#include <stdio.h>
#include <string.h>

#include "models/params.h"
#include "tests/support/test.h"

static const struct option table[] = {
	{.name = "order", .kind = OPTION_CHOICE, .choices = "head|release", .fallback = "head"},
	{.name = "count", .kind = OPTION_INTEGER, .min = -2, .max = 10, .fallback = "3"},
	{.name = "strict", .kind = OPTION_BOOL, .fallback = "false"},
	{.name = "allocation", .kind = OPTION_LIST, .min = 1, .max = 9, .fallback = ""},
	{.name = "share", .kind = OPTION_RATIO, .min = 0, .max = 1000000, .fallback = "50%"},
	{.name = "loads", .kind = OPTION_RATIO_RANGE, .min = 0, .max = 2000000, .fallback = "20%..40%"},
	{.name = "pause", .kind = OPTION_DURATION, .min = 0, .max = 1000000000, .fallback = "5ms"},
	{
		.name = "periods",
		.kind = OPTION_DURATION_RANGE,
		.min = 1000,
		.max = 1000000000,
		.fallback = "1ms..20ms",
	},
	{0},
};

static struct params params;
static struct error err;

static int defaults(void **state)
{
	params_default(&params, table);
	return 0;
}

EACH_TEST(defaults, NULL);

static void set(const char *name, const char *value)
{
	if (!params_set(&params, name, value, &err))
		fail_msg("%s", err.text);
}

static void refused(const char *name, const char *value, const char *text)
{
	struct params before = params;
	assert_false(params_set(&params, name, value, &err));
	assert_string_equal(err.text, text);
	assert_int_equal(err.status, STATUS_INPUT);
	assert_memory_equal(&before, &params, sizeof(before));
}

TEST("defaults are values")
{
	int64_t values[4], low, high;
	assert_int_equal(params_choice(&params, "order"), 0);
	assert_int_equal(params_integer(&params, "count"), 3);
	assert_false(params_bool(&params, "strict"));
	assert_int_equal(params_list(&params, "allocation", values, 4), 0);
	assert_int_equal(params_quantity(&params, "share"), 500000);
	assert_int_equal(params_quantity(&params, "pause"), 5000000);
	params_range(&params, "loads", &low, &high);
	assert_true(low == 200000 && high == 400000);
	params_range(&params, "periods", &low, &high);
	assert_true(low == 1000000 && high == 20000000);
	params_default(&params, NULL);
	assert_int_equal(params.count, 0);
}

TEST("values are set")
{
	int64_t values[4];
	set("order", "release");
	assert_int_equal(params_choice(&params, "order"), 1);
	set("strict", "true");
	assert_true(params_bool(&params, "strict"));
	set("count", "-2");
	assert_int_equal(params_integer(&params, "count"), -2);
	set("count", "10");
	assert_int_equal(params_integer(&params, "count"), 10);
	set("allocation", "[1, 9,3]");
	assert_int_equal(params_list(&params, "allocation", values, 4), 3);
	assert_true(values[0] == 1 && values[1] == 9 && values[2] == 3);
	assert_int_equal(params_list(&params, "allocation", values, 2), 2);
	set("allocation", "");
	assert_int_equal(params_list(&params, "allocation", values, 4), 0);
}

TEST("canonical texts do not depend on spelling")
{
	struct params other;
	char a[512], b[512];
	params_default(&other, table);
	set("count", "007");
	set("allocation", "[ 1 ,2 ]");
	set("share", "50%");
	set("pause", "0.5ms");
	set("loads", "30%");
	assert_true(params_set(&other, "count", "7", &err) && params_set(&other, "allocation", "1,2", &err) &&
		    params_set(&other, "share", "0.5", &err) && params_set(&other, "pause", "500us", &err) &&
		    params_set(&other, "loads", "0.3..0.3", &err));
	params_json(&params, a, sizeof(a));
	params_json(&other, b, sizeof(b));
	assert_string_equal(a, b);
}

TEST("wrong values say what is wanted")
{
	refused("order", "tail", "'order' is \"tail\"; one of: head release");
	refused("order", "", "'order' is \"\"; one of: head release");
	refused("order", "head|release", "'order' is \"head|release\"; one of: head release");
	refused("order", "hea", "'order' is \"hea\"; one of: head release");
	refused("strict", "yes", "'strict' is \"yes\"; one of: true false");
	refused("count", "11", "'count' wants a whole number from -2 to 10, got \"11\"");
	refused("count", "-3", "'count' wants a whole number from -2 to 10, got \"-3\"");
	refused("count", "", "'count' wants a whole number from -2 to 10, got \"\"");
	refused("count", "3x", "'count' wants a whole number from -2 to 10, got \"3x\"");
	refused("count", "99999999999999999999",
		"'count' wants a whole number from -2 to 10, got \"99999999999999999999\"");
	refused("allocation", "[0]", "'allocation' wants a list of whole numbers from 1 to 9, got \"[0]\"");
	refused("allocation", "[1, x]",
		"'allocation' wants a list of whole numbers from 1 to 9, got \"[1, x]\"");
	static const char *const sloppy[] = {"]1[", "[1,,2]", "[1", "1]", "1,", ",1", "[1]2"};
	for (size_t i = 0; i < sizeof(sloppy) / sizeof(*sloppy); i++) {
		char why[160];
		snprintf(why, sizeof(why),
			"'allocation' wants a list of whole numbers from 1 to 9, got \"%s\"", sloppy[i]);
		refused("allocation", sloppy[i], why);
	}
	refused("share", "1.5", "'share' wants a ratio such as 0.5 or 50% from 0% to 100%, got \"1.5\"");
	refused("pause", "5", "'pause' wants a duration such as 5ms from 0s to 1s, got \"5\"");
	refused("loads", "0.4..0.2",
		"'loads' wants a ratio such as 0.5 or 50%, or a range a..b, from 0% to 200%, got "
		"\"0.4..0.2\"");
	refused("periods", "1ms..",
		"'periods' wants a duration such as 5ms, or a range a..b, from 1us to 1s, got \"1ms..\"");
	refused("periods", "999ns",
		"'periods' wants a duration such as 5ms, or a range a..b, from 1us to 1s, got \"999ns\"");
}

TEST("long values are refused")
{
	char list[2 * PARAM_TEXT_MAX + 1];
	int64_t values[PARAM_LIST_MAX];
	for (size_t i = 0; i < sizeof(list) - 1; i++)
		list[i] = i % 2 ? ',' : '5';
	list[sizeof(list) - 2] = '\0';
	refused("allocation", list,
		"'allocation' is too long: a list has, without spaces, at most 1023 characters");
	list[PARAM_TEXT_MAX + 1] = '\0'; /* one number more than fits */
	refused("allocation", list,
		"'allocation' is too long: a list has, without spaces, at most 1023 characters");
	list[PARAM_TEXT_MAX - 1] = '\0'; /* 512 numbers, 1023 characters with commas */
	set("allocation", list);
	assert_int_equal(params_list(&params, "allocation", values, PARAM_LIST_MAX), PARAM_LIST_MAX);
	memset(list, '1', sizeof(list) - 1);
	list[sizeof(list) - 1] = '\0';
	assert_false(params_set(&params, "count", list, &err));
	assert_false(params_set(&params, "order", list, &err));
	assert_false(params_set(&params, "share", list, &err));
	assert_false(params_set(&params, "periods", list, &err));
}

TEST("unknown options are guessed")
{
	refused("ordr", "head", "has no option 'ordr'; did you mean 'order'?");
	refused("xyzzy", "head", "has no option 'xyzzy'");
}

TEST("JSON")
{
	static const char all[] =
		"{\"order\":\"head\",\"count\":3,\"strict\":false,\"allocation\":[4,5],\"share\":\"50%\","
		"\"loads\":\"20%..40%\",\"pause\":\"5ms\",\"periods\":\"1ms..20ms\"}";
	char text[512];
	set("allocation", "4 5");
	assert_int_equal(params_json(&params, text, sizeof(text)), sizeof(all) - 1);
	assert_string_equal(text, all);
	assert_int_equal(params_json(&params, text, 0), sizeof(all) - 1);
	params_default(&params, NULL);
	assert_int_equal(params_json(&params, text, sizeof(text)), 2);
	assert_string_equal(text, "{}");
}

TEST("options are parsed one after the other")
{
	char text[] = "allocation=[1,2],order=release,count=7", odd[] = "count=1,strict",
	     wrong[] = "order=tail";
	char value[PARAM_TEXT_MAX], label[PARAMS_LABEL_MAX];
	assert_true(params_parse(&params, "policy x", text, &err));
	assert_string_equal(params_text(&params, params_find(&params, "allocation"), value), "1,2");
	assert_string_equal(params_text(&params, params_find(&params, "order"), value), "release");
	assert_string_equal(params_label("x", &params, label), "x:order=release,count=7,allocation=[1,2]");
	assert_false(params_parse(&params, "policy x", odd, &err));
	assert_string_equal(
		err.text, "policy x: an option is name=value, and a list name=[1,2], not 'strict'");
	assert_false(params_parse(&params, "policy x", wrong, &err));
	assert_string_equal(err.text, "policy x 'order' is \"tail\"; one of: head release");
	assert_int_equal(params_find(&params, "ordr"), UINT32_MAX);
}

TEST("every value is written as it is read")
{
	static const char *const values[][2] = {{"order", "release"}, {"count", "-2"}, {"strict", "true"},
		{"allocation", "9,1,9"}, {"share", "0.0001%"}, {"loads", "30%"}, {"loads", "0%..200%"},
		{"pause", "1ns"}, {"periods", "1us"}, {"periods", "1.5ms..1s"}};
	char text[PARAM_TEXT_MAX];
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		set(values[i][0], values[i][1]);
		assert_string_equal(
			params_text(&params, params_find(&params, values[i][0]), text), values[i][1]);
	}
}

TEST("params are the same when their values are")
{
	static const struct option other_table[] = {
		{.name = "order", .kind = OPTION_BOOL, .fallback = "true"}, {0}};
	struct params other = params;
	assert_true(params_same(&params, &other));
	set("allocation", "[1, 2]");
	assert_false(params_same(&params, &other));
	assert_true(params_set(&other, "allocation", "1,2", &err));
	assert_true(params_same(&params, &other));
	set("loads", "0.2..0.3");
	assert_false(params_same(&params, &other));
	params_default(&other, other_table);
	assert_false(params_same(&params, &other));
}
