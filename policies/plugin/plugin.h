/* policies/plugin/plugin.h - policies and analyses from outside the tree: shared objects built against
 * <cegsim.h> (models/cegsim.h; docs/adding-a-policy.md) or <cegsim_analysis.h> (analysis/cegsim_analysis.h;
 * docs/own-bounds.md), or both. A loaded plug-in stays loaded until the process ends, also in processes
 * forked from it. */
#ifndef CEGSIM_POLICIES_PLUGIN_PLUGIN_H
#define CEGSIM_POLICIES_PLUGIN_PLUGIN_H

#include "analysis/analysis.h"
#include "models/policy.h"

/* Whether the name of a policy or an analysis means a file, not one of cegsim: it contains a '/' or ends in
 * ".so". */
bool plugin_is_file(const char *name);

/* The policy, or the analysis, of a shared object; loading a file again gives the same one. NULL: *err is a
 * sentence that begins with "plug-in FILE". */
MUST_CHECK const struct policy *plugin_load(const char *file, struct error *err);
MUST_CHECK const struct analysis *plugin_load_analysis(const char *file, struct error *err);

/* The loaded policy of this name; NULL: there is none. */
const struct policy *plugin_find(const char *name);

/* The digest: the first 16 digits of the SHA-256 of the file. The file: its name as it was given when it was
 * loaded. NULL: the policy, or the analysis, is not from a plug-in. */
const char *plugin_digest(const struct policy *policy);
const char *plugin_file(const struct policy *policy);
const char *plugin_analysis_digest(const struct analysis *analysis);
const char *plugin_analysis_file(const struct analysis *analysis);

/* The option that a recording adds to what is from a plug-in; its value is the digest. */
#define PLUGIN_OPTION "plugin"

#endif
