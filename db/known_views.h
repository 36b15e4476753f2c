/* db/known_views.h - which views of a recording cegsim wrote. Named queries read views of the file where the
 * tables are too old for those of this program, and a stranger's view may have no end. */
#ifndef CEGSIM_DB_KNOWN_VIEWS_H
#define CEGSIM_DB_KNOWN_VIEWS_H

#include <stdbool.h>

/* Whether a program has written a view with this text, which is what sqlite_master has of it behind CREATE
 * VIEW: " v_job AS SELECT ...". */
bool known_view(const char *text);

#endif
