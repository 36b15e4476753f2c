/* policies/own.c - see policies/own.h. */
#include "policies/own.h"

#include <stddef.h>

static const char *refused, *otherwise;

void own_code_refuse(const char *recording, const char *remedy)
{
	refused = recording;
	otherwise = remedy;
}

bool own_code_may(const char *what, const char *name, struct error *err)
{
	return !refused ||
	       error_set(err, STATUS_INPUT, "%s wants to %s '%s'; %s", refused, what, name, otherwise);
}
