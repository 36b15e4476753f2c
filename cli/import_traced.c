/* cli/import_traced.c - `cegsim import` of kernel traces (docs/kernel-traces.md). */
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "cli/import_parts.h"
#include "cli/options.h"

static bool print_notes(const struct traced *t, enum table_format format, struct error *err)
{
	static const char *const columns[] = {"what", "subject", "count", "says"};
	static const char *const words[] = {
		[TRACED_FOUND] = "found", [TRACED_ASSUMED] = "assumed", [TRACED_LEFT_OUT] = "left out"};
	struct table table;
	table_begin(&table, stdout, format, columns, sizeof(columns) / sizeof(*columns));
	for (int kind = TRACED_FOUND; kind <= TRACED_LEFT_OUT; kind++) {
		for (uint32_t i = 0; i < t->note_count; i++) {
			const struct traced_note *n = &t->notes[i];
			if ((int)n->kind != kind)
				continue;
			table_text(&table, words[kind]);
			table_text(&table, n->subject);
			table_integer(&table, (int64_t)n->count);
			table_text(&table, n->text);
		}
	}
	return table_end(&table, err);
}

static bool write_scenario(const struct traced *t, const struct import_traced *q, struct error *err)
{
	struct text command = {0};
	for (int i = 0; i < q->argc; i++)
		text_printf(&command, "%s%s", i ? " " : "", q->argv[i]);
	bool ok = text_ok(&command, "a scenario", err) &&
		  traced_write(t, q->output, text_data(&command), q->replace, err);
	text_finish(&command);
	return ok;
}

enum status import_traced(const struct import_traced *q)
{
	struct error err = {0};
	struct diagnostics d;
	struct traced t;
	diagnostics_init(&d, q->file);
	bool ok = traced_make(&t, q->file, &q->request, &d, &err) &&
		  (!q->output || write_scenario(&t, q, &err)) && print_notes(&t, q->format, &err);
	enum status status = ok ? STATUS_OK : err.status;
	if (d.count > 0)
		diagnostics_print(&d, stderr);
	else if (!ok)
		error_report(&err);
	diagnostics_finish(&d);
	traced_finish(&t);
	return status;
}
