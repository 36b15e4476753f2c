/* cli/uses.h - policies and analyses as they are named on the command line, with options behind a colon:
 * "fifo-cke:order=release", "stgm:blocking=textbook". */
#ifndef CEGSIM_CLI_USES_H
#define CEGSIM_CLI_USES_H

#include "runs/bounds/bounding.h"
#include "scenarios/scenario.h"

/* ./mine.so, a policy from outside the tree, is loaded. False: *err says what is wrong with the text. */
MUST_CHECK bool use_policy(const char *text, struct policy_use *use, struct error *err);
MUST_CHECK bool use_analysis(const char *text, struct analysis_use *use, struct error *err);

/* The same text again: the name, and the options that are not as by default. Longer ones are cut.
 * Returns label. */
#define USE_LABEL_MAX (2 * PARAM_TEXT_MAX)
const char *use_label(const char *name, const struct params *params, char label[USE_LABEL_MAX]);
/* "stgm:blocking=textbook (unsafe)". */
const char *use_analysis_label(const struct analysis_use *use, char label[USE_LABEL_MAX]);
const char *use_policy_label(const struct policy_use *use, char label[USE_LABEL_MAX]);

/* Options as canonical JSON. */
#define USE_JSON_MAX ((PARAMS_MAX + 1) * (PARAM_TEXT_MAX + 64))
const char *use_json(const struct params *params, char json[USE_JSON_MAX]);

#endif
