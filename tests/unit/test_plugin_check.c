/* tests/unit/test_plugin_check.c - policies/plugin/check.c: what a struct policy or a struct analysis of a
 * plug-in must contain, and the clause that says what is wrong with it. */
#include <stdio.h>
#include <string.h>

#include "policies/plugin/check.h"
#include "policies/plugin/plugin.h"
#include "policies/registry.h"
#include "tests/support/test.h"

static struct policy policy;
static struct option options[PARAMS_MAX + 2];
static struct error err;

static bool plan(struct plan *p, struct error *e)
{
	(void)p;
	(void)e;
	return true;
}

static int right(void **state)
{
	memset(options, 0, sizeof(options));
	options[0] = (struct option){
		.name = "unit",
		.kind = OPTION_CHOICE,
		.choices = "section|kernel",
		.fallback = "section",
		.help = "what",
	};
	options[1] = (struct option){
		.name = "at_a-time2",
		.kind = OPTION_INTEGER,
		.min = 1,
		.max = 9,
		.fallback = "1",
		.help = "how many",
	};
	policy = (struct policy){
		.name = "my-policy2", .summary = "does it", .version = 1, .options = options, .plan = plan};
	return 0;
}

static void accepted(void)
{
	if (!plugin_check(&policy, &err))
		fail_msg("%s", err.text);
}

static void refused(const char *text)
{
	assert_false(plugin_check(&policy, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_string_equal(err.text, text);
	right(NULL);
	accepted();
}

TEST("what the program has is right")
{
	for (const struct policy *const *p = policy_all(); *p; p++)
		if ((*p)->plan && !plugin_check(*p, &err))
			fail_msg("%s: %s", (*p)->name, err.text);
}

TEST("members are given", .setup_func = right)
{
	accepted();
	policy.options = NULL;
	accepted();
	policy.name = NULL;
	refused("name is NULL");
	policy.summary = NULL;
	refused("summary is not a line of text");
	policy.summary = "two\nlines";
	refused("summary is not a line of text");
	policy.version = 0;
	refused("version is 0; versions begin with 1");
	policy.plan = NULL;
	refused("plan is NULL");
}

TEST("names are words", .setup_func = right)
{
	static const char rule[] = "it has 1 to 63 of the characters a-z, 0-9, '-'";
	static const char *const wrong[] = {"", "My", "a b", "a:b", "a/b", "a.so", "a_b", "\xc3\xa4"};
	char text[200], name[65];
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		policy.name = wrong[i];
		snprintf(text, sizeof(text), "name is \"%s\"; %s", wrong[i], rule);
		refused(text);
	}
	memset(name, 'a', 64);
	name[64] = '\0';
	policy.name = name;
	snprintf(text, sizeof(text), "name is \"%s\"; %s", name, rule);
	refused(text);
	name[63] = '\0';
	policy.name = name;
	accepted();
}

TEST("names of options are words", .setup_func = right)
{
	static const char rule[] = "a name has 1 to 63 of the characters a-z, 0-9, '-', '_'";
	char text[200];
	options[0].name = "";
	snprintf(text, sizeof(text), "option '': %s", rule);
	refused(text);
	options[1].name = "A";
	snprintf(text, sizeof(text), "option 'A': %s", rule);
	refused(text);
	options[1].name = "name";
	refused("option 'name': the name has another meaning");
	options[1].name = PLUGIN_OPTION;
	refused("option 'plugin': the name has another meaning");
	options[1].name = "unit";
	refused("option 'unit' is there twice");
}

TEST("options are complete", .setup_func = right)
{
	options[0].help = NULL;
	refused("option 'unit': help is NULL");
	options[0].fallback = NULL;
	refused("option 'unit': fallback is NULL");
	options[0].choices = NULL;
	refused("option 'unit': choices is NULL");
	options[0].choices = "section||kernel";
	refused("option 'unit': one of the choices \"section||kernel\" is empty");
	options[0].choices = "section|";
	refused("option 'unit': one of the choices \"section|\" is empty");
	options[0].choices = "section|say \"it\"";
	refused("option 'unit': a choice has none of the characters \" \\ , : = and no spaces");
	options[0].kind = (enum option_kind)99;
	refused("option 'unit': kind is 99, which is none of enum option_kind");
	options[1].min = 10;
	refused("option 'at_a-time2': min is greater than max");
}

TEST("fallbacks are values", .setup_func = right)
{
	static char long_text[PARAM_TEXT_MAX + 1];
	options[0].fallback = "sections";
	refused("the fallback of an option is none of its values: 'unit' is \"sections\"; one of: section "
		"kernel");
	options[1].fallback = "10";
	refused("the fallback of an option is none of its values: 'at_a-time2' wants a whole number from 1 "
		"to 9, got "
		"\"10\"");
	options[1].fallback = "01";
	refused("option 'at_a-time2': write the fallback \"01\" as \"1\"");
	options[1] = (struct option){
		.name = "pause", .kind = OPTION_DURATION, .max = 1000000, .fallback = "0.5ms", .help = "of"};
	refused("option 'pause': write the fallback \"0.5ms\" as \"500us\"");
	memset(long_text, '1', PARAM_TEXT_MAX);
	options[1].fallback = long_text;
	refused("option 'at_a-time2': the fallback is longer than 1023 bytes");
	options[1] =
		(struct option){.name = "sms", .kind = OPTION_LIST, .max = 9, .fallback = "", .help = "of"};
	accepted();
}

TEST("the table ends", .setup_func = right)
{
	static char names[PARAMS_MAX + 1][16];
	for (int i = 0; i <= PARAMS_MAX; i++) {
		snprintf(names[i], sizeof(names[i]), "o%d", i);
		options[i] = (struct option){
			.name = names[i], .kind = OPTION_BOOL, .fallback = "true", .help = "of"};
	}
	options[PARAMS_MAX].name = NULL;
	accepted();
	options[PARAMS_MAX].name = "last";
	refused("there are more than 28 options; does the table end with {0}?");
}

/* ---- analyses ---- */

static struct analysis analysis;

static bool bound(const struct plan *p, const struct params *params, struct arena *arena,
	struct analysis_result *result, struct error *e)
{
	(void)params;
	return analysis_begin(result, p->set->task_count, arena, e);
}

static int right_analysis(void **state)
{
	right(state);
	analysis = (struct analysis){.name = "my-bound",
		.summary = "bounds it",
		.source = "ours",
		.assumptions = "none.",
		.version = 1,
		.policies = "rm|mpcp",
		.options = options,
		.bound = bound};
	return 0;
}

static void accepted_analysis(void)
{
	if (!plugin_check_analysis(&analysis, &err))
		fail_msg("%s", err.text);
}

static void refused_analysis(const char *text)
{
	assert_false(plugin_check_analysis(&analysis, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_string_equal(err.text, text);
	right_analysis(NULL);
	accepted_analysis();
}

TEST("what the program has of analyses is right")
{
	for (const struct analysis *const *a = analysis_all(); *a; a++)
		if (!plugin_check_analysis(*a, &err))
			fail_msg("%s: %s", (*a)->name, err.text);
}

TEST("members of analyses are given", .setup_func = right_analysis)
{
	accepted_analysis();
	analysis.options = NULL;
	accepted_analysis();
	analysis.name = "My bound";
	refused_analysis("name is \"My bound\"; it has 1 to 63 of the characters a-z, 0-9, '-'");
	analysis.name = "pipe";
	refused_analysis("the name \"pipe\" has another meaning");
	analysis.summary = "";
	refused_analysis("summary is not a line of text");
	analysis.version = 0;
	refused_analysis("version is 0; versions begin with 1");
	analysis.source = "two\nlines";
	refused_analysis("source is not a line of text: the paper, or \"ours\"");
	analysis.assumptions = NULL;
	refused_analysis("assumptions is not a line of text");
	analysis.bound = NULL;
	refused_analysis("bound is NULL");
	analysis.json = "{}";
	refused_analysis("json is cegsim's own: leave it out");
	options[0].name = "policy";
	refused_analysis("option 'policy': the name has another meaning");
}

TEST("policies of analyses are names", .setup_func = right_analysis)
{
	static const char *const wrong[] = {NULL, "", "rm|", "|rm", "rm||mpcp", "rm, mpcp", "RM"};
	analysis.policies = ANALYSIS_ANY_POLICY;
	accepted_analysis();
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		analysis.policies = wrong[i];
		refused_analysis("policies are names with '|' between, such as \"rm|mpcp\", or "
				 "ANALYSIS_ANY_POLICY");
	}
}

TEST("files and names differ", .setup_func = right)
{
	assert_true(plugin_is_file("./mine.so"));
	assert_true(plugin_is_file("mine.so"));
	assert_true(plugin_is_file("/opt/mine"));
	assert_false(plugin_is_file("rm"));
	assert_false(plugin_is_file(".so"));
	assert_false(plugin_is_file("also"));
	assert_null(plugin_find("rm"));
	assert_null(plugin_digest(policy_find("rm")));
	assert_null(plugin_file(policy_find("rm")));
	assert_null(plugin_analysis_digest(analysis_find("fp")));
	assert_null(plugin_analysis_file(analysis_find("fp")));
}
