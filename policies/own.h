/* policies/own.h - whether code that is not of cegsim may be loaded or run: plug-ins, and commands behind
 * `pipe`. What a user names may. What a recording names may be a stranger's, and is refused unless the user
 * trusts it. */
#ifndef CEGSIM_POLICIES_OWN_H
#define CEGSIM_POLICIES_OWN_H

#include "base/error.h"

/* From here on all is refused, as it is named by this recording; the error ends with `remedy`. The texts must
 * stay. */
void own_code_refuse(const char *recording, const char *remedy);

/* Asked before anything of it is read. `what`: "load the plug-in". */
MUST_CHECK bool own_code_may(const char *what, const char *name, struct error *err);

#endif
