/* policies/plugin/build.h - for policies/plugin/plugin.c: whether a plug-in was built against the headers of
 * this program. */
#ifndef CEGSIM_POLICIES_PLUGIN_BUILD_H
#define CEGSIM_POLICIES_PLUGIN_BUILD_H

#include "analysis/cegsim_analysis.h"
#include "models/cegsim.h"

/* *err is the rest of a sentence that begins with the file:
 *   " was built for version 3 of the interface, this program has version 2; ..." */
MUST_CHECK bool build_check_policy(const struct cegsim_plugin *theirs, struct error *err);
MUST_CHECK bool build_check_analysis(const struct cegsim_analysis *theirs, struct error *err);

#endif
