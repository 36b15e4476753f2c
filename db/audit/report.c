/* db/audit/report.c - collects the findings of an audit. */
#include "db/audit/report.h"

#include <stdio.h>
#include <stdlib.h>

bool audit_finding(struct audit_report *report, struct audit_result *result, struct text *words,
	struct error *err, const char *fmt, va_list args)
{
	char clause[1200];
	report->findings++;
	if (result->findings++) {
		text_finish(words);
		return true;
	}
	vsnprintf(clause, sizeof(clause), fmt, args);
	text_add(words, clause);
	result->first = text_take(words);
	return result->first || error_memory(err, "reporting a finding");
}

void audit_report_finish(struct audit_report *report)
{
	for (size_t i = 0; report->results && i < report->count; i++)
		free(report->results[i].first);
	free(report->results);
	*report = (struct audit_report){0};
}
