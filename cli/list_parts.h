/* cli/list_parts.h - what `cegsim list` says of recordings: what they hold, and what the audit
 * demands of it. */
#ifndef CEGSIM_CLI_LIST_PARTS_H
#define CEGSIM_CLI_LIST_PARTS_H

#include "base/error.h"
#include "cli/table/table.h"

MUST_CHECK bool list_laws(enum table_format format, struct error *err);
MUST_CHECK bool list_tables(enum table_format format, struct error *err);
MUST_CHECK bool list_columns(enum table_format format, struct error *err);

#endif
