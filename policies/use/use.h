/* policies/use/use.h - a policy or an analysis with its options, as users name it on the command line:
 * "fifo-cke:order=release", "./mine.so:unit=kernel", "stgm:blocking=textbook". */
#ifndef CEGSIM_POLICIES_USE_USE_H
#define CEGSIM_POLICIES_USE_USE_H

#include "models/policy.h"

struct analysis; /* analysis/analysis.h */

struct policy_use {
	const struct policy *policy;
	struct params params;
};

struct analysis_use {
	const struct analysis *analysis;
	struct params params;
};

/* With all options by default. */
struct policy_use policy_use_of(const struct policy *policy);
struct analysis_use analysis_use_of(const struct analysis *analysis);

/* ./mine.so, a policy from outside the tree, is loaded. False: *err says what is wrong with the text. */
MUST_CHECK bool policy_use_parse(const char *text, struct policy_use *use, struct error *err);
MUST_CHECK bool analysis_use_parse(const char *text, struct analysis_use *use, struct error *err);

/* The same one with the same values of its options. */
bool policy_use_same(const struct policy_use *a, const struct policy_use *b);
bool analysis_use_same(const struct analysis_use *a, const struct analysis_use *b);

/* The same text again, of the options those that are not as by default; an analysis known to be unsafe with
 * them says so: "stgm:blocking=textbook (unsafe)". Longer ones are cut. Returns label. */
const char *policy_use_label(const struct policy_use *use, char label[PARAMS_LABEL_MAX]);
const char *analysis_use_label(const struct analysis_use *use, char label[PARAMS_LABEL_MAX]);

/* The options as recordings have them: canonical JSON, of a policy from outside the tree with its plug-in's
 * digest (policies/plugin/plugin.h). Returns json. */
const char *policy_json(const struct policy *policy, const struct params *params, char json[PARAMS_JSON_MAX]);

bool analysis_use_unsafe(const struct analysis_use *use);
/* The policy to take where the user names none: the first of those that the analysis is for. */
struct policy_use analysis_own_policy(const struct analysis *analysis);

#endif
