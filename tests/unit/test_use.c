/* tests/unit/test_use.c - policies/use/use.c: policies and analyses with their options, from
 * text and to text. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "policies/registry.h"
#include "policies/use/use.h"
#include "tests/support/test.h"

static struct error err;

/* A default in another spelling would count as another use in a recording. A default that is no value would
 * silently be 0. */
static void canonical(const struct params *params, const char *name)
{
	char text[PARAM_TEXT_MAX];
	for (uint32_t i = 0; i < params->count; i++)
		if (strcmp(params_text(params, i, text), params->options[i].fallback) != 0)
			fail_msg("%s: the default of %s is \"%s\", written \"%s\"", name,
				params->options[i].name, text, params->options[i].fallback);
}

TEST("defaults are values in canonical form")
{
	for (const struct policy *const *p = policy_all(); *p; p++) {
		struct policy_use use = policy_use_of(*p);
		char label[PARAMS_LABEL_MAX];
		canonical(&use.params, (*p)->name);
		assert_string_equal(policy_use_label(&use, label), (*p)->name);
	}
	for (const struct analysis *const *a = analysis_all(); *a; a++) {
		struct analysis_use use = analysis_use_of(*a);
		canonical(&use.params, (*a)->name);
		assert_true((*a)->over_others || analysis_own_policy(*a).policy);
	}
}

static void is_policy(const char *text, const char *label, const char *json)
{
	struct policy_use use;
	char buffer[PARAMS_JSON_MAX];
	if (!policy_use_parse(text, &use, &err))
		fail_msg("%s", err.text);
	assert_string_equal(policy_use_label(&use, buffer), label);
	assert_string_equal(policy_json(use.policy, &use.params, buffer), json);
}

TEST("texts are read and written")
{
	is_policy("prio-streams", "prio-streams", "{}");
	is_policy("fifo-cke:order=release", "fifo-cke:order=release",
		"{\"order\":\"release\",\"priorities\":\"honour\"}");
	is_policy("fifo-cke:order=head", "fifo-cke", "{\"order\":\"head\",\"priorities\":\"honour\"}");
	is_policy("fifo-cke:order=release,order=head", "fifo-cke",
		"{\"order\":\"head\",\"priorities\":\"honour\"}");
	is_policy("fifo-cke:", "fifo-cke", "{\"order\":\"head\",\"priorities\":\"honour\"}");
	is_policy("rtgpu:allocation=[1, 2],gaps=response", "rtgpu:gaps=response,allocation=[1,2]",
		"{\"search\":\"greedy\",\"form\":\"published\",\"gaps\":\"response\",\"allocation\":[1,2],"
		"\"admit\":\"test\"}");
	is_policy("rtgpu:gaps=response,allocation=[1,2]", "rtgpu:gaps=response,allocation=[1,2]",
		"{\"search\":\"greedy\",\"form\":\"published\",\"gaps\":\"response\",\"allocation\":[1,2],"
		"\"admit\":\"test\"}");
}

static void refused(const char *text, const char *why)
{
	struct policy_use use;
	assert_false(policy_use_parse(text, &use, &err));
	assert_string_equal(err.text, why);
	assert_int_equal(err.status, STATUS_INPUT);
}

TEST("wrong texts say what is wrong")
{
	struct analysis_use use;
	refused("rmm", "there is no policy 'rmm'; did you mean 'rm'?");
	refused("", "there is no policy ''; `cegsim list policies' names them");
	refused("./a:b/nowhere.so:unit=kernel",
		"plug-in ./a:b/nowhere.so cannot be opened: No such file or directory");
	refused("fifo-cke:ordr=head", "policy fifo-cke has no option 'ordr'; did you mean 'order'?");
	refused("fifo-cke:order=tail", "policy fifo-cke 'order' is \"tail\"; one of: head release");
	refused("fifo-cke:order",
		"policy fifo-cke: an option is name=value, and a list name=[1,2], not 'order'");
	refused("rtgpu:allocation=1,2",
		"policy rtgpu: an option is name=value, and a list name=[1,2], not '2'");
	refused("rtgpu:admit=any,rm",
		"policy rtgpu: 'rm' is another policy, not an option; give it a -p of its own");
	assert_false(analysis_use_parse("stgmm", &use, &err));
	assert_string_equal(err.text, "there is no analysis 'stgmm'; did you mean 'stgm'?");
	assert_false(analysis_use_parse("stgm:blocking=x", &use, &err));
	assert_string_equal(err.text, "analysis stgm 'blocking' is \"x\"; one of: safe textbook");
	assert_false(analysis_use_parse("./a:b/nowhere.so:blocking=x", &use, &err));
	assert_string_equal(err.text, "plug-in ./a:b/nowhere.so cannot be opened: No such file or directory");
}

TEST("analyses say when they are unsafe")
{
	struct analysis_use use;
	char label[PARAMS_LABEL_MAX];
	assert_true(analysis_use_parse("stgm:blocking=textbook", &use, &err));
	assert_true(analysis_use_unsafe(&use));
	assert_string_equal(analysis_use_label(&use, label), "stgm:blocking=textbook (unsafe)");
	assert_string_equal(analysis_use_typed(&use, label), "stgm:blocking=textbook");
	assert_true(analysis_use_parse("pipe:safety=unsafe:python3 'my bound.py'", &use, &err));
	assert_string_equal(analysis_use_typed(&use, label), "pipe:safety=unsafe:python3 \"my bound.py\"");
	assert_true(analysis_use_parse("stgm:blocking=safe", &use, &err));
	assert_false(analysis_use_unsafe(&use));
	assert_string_equal(analysis_use_label(&use, label), "stgm");
}

TEST("uses are compared by their values")
{
	struct policy_use a, b, c;
	assert_true(policy_use_parse("rtgpu:allocation=[1,2]", &a, &err) &&
		    policy_use_parse("rtgpu:allocation=[ 1 2 ],form=published", &b, &err) &&
		    policy_use_parse("rtgpu:allocation=[1,3]", &c, &err));
	assert_true(policy_use_same(&a, &b));
	assert_false(policy_use_same(&a, &c));
	c = policy_use_of(policy_find("rtgpu"));
	assert_false(policy_use_same(&a, &c));
	a = policy_use_of(policy_find("rm"));
	assert_false(policy_use_same(&a, &c));
	struct analysis_use x = analysis_use_of(analysis_find("fp")), y = x;
	assert_true(analysis_use_same(&x, &y));
	y = analysis_use_of(analysis_find("rtgpu"));
	assert_false(analysis_use_same(&x, &y));
}
