/* analysis/verdict.c - see analysis/verdict.h. */
#include "analysis/verdict.h"

#include <stdio.h>

bool verdict_refuse(struct verdict *v, uint32_t task, const char *fmt, ...)
{
	va_list args;
	v->accepted = false;
	v->failing_task = task;
	va_start(args, fmt);
	vsnprintf(v->reason, sizeof(v->reason), fmt, args);
	va_end(args);
	return false;
}

void verdict_accept(struct verdict *v)
{
	*v = (struct verdict){.accepted = true, .failing_task = NO_FAILING_TASK};
}
