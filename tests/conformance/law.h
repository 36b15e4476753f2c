/* tests/conformance/law.h - laws that a recording cannot check: what the gate shows to a policy and when, and
 * that it does what the policy tells it (docs/model.md, "Gates"). The audit checks everything else
 * (docs/audit.md). */
#ifndef CEGSIM_TESTS_CONFORMANCE_LAW_H
#define CEGSIM_TESTS_CONFORMANCE_LAW_H

#include "tests/conformance/seen.h"

struct verdict {
	bool broken;
	char text[300]; /* the first breach */
};

/* Notes a breach of the law; later ones are ignored. */
void law_broken(struct verdict *v, const char *fmt, ...) PRINTF_LIKE(2, 3);

struct law {
	const char *name;
	void (*check)(const struct seen *s, struct verdict *v);
	bool (*holds_for)(const struct seen *s);
};

/* Ends with a NULL name. */
extern const struct law gate_laws[];
/* Checks all laws, or only the law named `only`. Returns the name of the first one that is broken, or
 * NULL. */
const char *laws_check(const struct seen *s, const char *only, struct verdict *v);

#endif
