/* runs/provenance/checking.c - how the checks of this room report findings. */
#include "runs/provenance/checking.h"

#include "base/diagnostics.h"
#include "base/text.h"

bool finding(struct checking *k, struct audit_result *result, const char *fmt, ...)
{
	struct text words = {0};
	va_list args;
	va_start(args, fmt);
	bool ok = audit_finding(k->report, result, &words, k->err, fmt, args);
	va_end(args);
	return ok;
}

bool unreadable(struct checking *k, const struct diagnostics *d)
{
	return finding(k, k->scenario, "%sits text cannot be read: %s", k->subject,
		d->count ? d->items[0].text : "nobody knows why");
}
