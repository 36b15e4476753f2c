/* policies/plugin/plugin.h - policies from outside the tree: shared objects built against <cegsim.h>
 * (models/cegsim.h; docs/adding-a-policy.md). What is loaded stays for the life of the process, and in
 * processes forked from it. */
#ifndef CEGSIM_POLICIES_PLUGIN_PLUGIN_H
#define CEGSIM_POLICIES_PLUGIN_PLUGIN_H

#include "models/policy.h"

/* Where a policy is named: it is a file, not a policy of the registry. Has a '/', or ends in ".so". */
bool plugin_is_file(const char *name);

/* The policy of a shared object; loading a file again gives the same one. NULL: *err is a sentence that
 * begins with "plug-in FILE". */
MUST_CHECK const struct policy *plugin_load(const char *file, struct error *err);

/* A loaded one by its policy's name; NULL: there is none. */
const struct policy *plugin_find(const char *name);

/* The first 16 digits of the SHA-256 of the policy's file, and the file as it was named when it was
 * loaded; NULL: not from a plug-in. */
const char *plugin_digest(const struct policy *policy);
const char *plugin_file(const struct policy *policy);

/* The name of the option that says in a recording from which plug-in a policy is: its digest. */
#define PLUGIN_OPTION "plugin"

#endif
