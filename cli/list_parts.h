/* cli/list_parts.h - the lists of `cegsim list` about recordings: their tables and columns, and the laws of
 * the audit. */
#ifndef CEGSIM_CLI_LIST_PARTS_H
#define CEGSIM_CLI_LIST_PARTS_H

#include "base/error.h"
#include "cli/table/table.h"

MUST_CHECK bool list_laws(enum table_format format, struct error *err);
MUST_CHECK bool list_tables(enum table_format format, struct error *err);
MUST_CHECK bool list_columns(enum table_format format, struct error *err);

#endif
