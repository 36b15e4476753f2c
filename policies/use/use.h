/* policies/use/use.h - a policy or an analysis with its options, as users name it on the command line:
 * "fifo-cke:order=release", "./mine.so:unit=kernel", "stgm:blocking=textbook". */
#ifndef CEGSIM_POLICIES_USE_USE_H
#define CEGSIM_POLICIES_USE_USE_H

#include "models/policy.h"

struct analysis; /* analysis/analysis.h */
struct analysis_result;

struct policy_use {
	const struct policy *policy;
	struct params params;
};

#define USE_MARK_MAX 12

struct analysis_use {
	const struct analysis *analysis;
	struct params params;
	char mark[USE_MARK_MAX]; /* ends its label; "": the label is enough */
};

/* The policy or analysis with all options at their defaults. */
struct policy_use policy_use_of(const struct policy *policy);
struct analysis_use analysis_use_of(const struct analysis *analysis);

/* ./mine.so, of a policy or an analysis from outside the tree, is loaded; pipe:python3 mine.py is an analysis
 * in a process of its own (policies/pipe/pipe.h). False: *err says what is wrong with the text. */
MUST_CHECK bool policy_use_parse(const char *text, struct policy_use *use, struct error *err);
MUST_CHECK bool analysis_use_parse(const char *text, struct analysis_use *use, struct error *err);

/* Whether both are the same policy or analysis with the same options. */
bool policy_use_same(const struct policy_use *a, const struct policy_use *b);
bool analysis_use_same(const struct analysis_use *a, const struct analysis_use *b);

/* The text again, with those options that differ from their defaults. An analysis that is known to be unsafe
 * with them is marked: "stgm:blocking=textbook (unsafe)". A text that does not fit is cut. Returns label. */
const char *policy_use_label(const struct policy_use *use, char label[PARAMS_LABEL_MAX]);
const char *analysis_use_label(const struct analysis_use *use, char label[PARAMS_LABEL_MAX]);

/* What -a takes for the analysis, from the folder in which it was named: its label without the mark, with the
 * file of a plug-in, or the whole command. */
const char *analysis_use_typed(const struct analysis_use *use, char text[PARAMS_LABEL_MAX]);

/* Of users' analyses that have one label, but are of different files: the first digits of their digest, found
 * in what recordings have as their parameters: " #1a2b3c4d". "": there is none. Returns mark. */
const char *analysis_mark(const char *json, char mark[USE_MARK_MAX]);
/* Marks those whose labels are those of others, too. */
void analysis_uses_mark(struct analysis_use *uses, uint32_t count);

/* The options as recordings have them: canonical JSON. From outside the tree it includes the
 * digest of its plug-in (policies/plugin/plugin.h). Returns json. */
const char *policy_json(const struct policy *policy, const struct params *params, char json[PARAMS_JSON_MAX]);

/* The same of an analysis. */
const char *analysis_use_json(const struct analysis_use *use, char json[PARAMS_JSON_MAX]);

/* Whether it is the user's own, not one of cegsim. */
bool analysis_is_own(const struct analysis *analysis);
bool analysis_use_unsafe(const struct analysis_use *use);
/* Bounds the runs of a plan; see struct analysis. What users' analyses do wrong is no failure:
 * result->gave_up. */
MUST_CHECK bool analysis_use_bound(const struct analysis_use *use, const struct plan *plan,
	struct arena *arena, struct analysis_result *result, struct error *err);
/* The policy to use if the user names none: the first of those that the analysis is for; .policy NULL: it is
 * for any, or for one of a plug-in that is not loaded. */
struct policy_use analysis_own_policy(const struct analysis *analysis);

#endif
