/* tests/unit/scenario_reading.h - a scenario that a test reads, with all messages about it. */
#ifndef CEGSIM_TESTS_UNIT_SCENARIO_READING_H
#define CEGSIM_TESTS_UNIT_SCENARIO_READING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/scenario.h"
#include "tests/support/test.h"

struct reading {
	struct scenario s;
	struct diagnostics diagnostics;
	char *said;
	bool ok;
};

static inline void collect(struct reading *r)
{
	size_t size;
	FILE *out = open_memstream(&r->said, &size);
	assert_non_null(out);
	diagnostics_print(&r->diagnostics, out);
	fclose(out);
	assert_int_equal(r->ok, r->diagnostics.count + r->diagnostics.dropped == 0);
	assert_int_equal(r->s.status == STATUS_OK, r->ok);
}

static inline struct reading reading(const char *name, const char *text)
{
	struct reading r;
	diagnostics_init(&r.diagnostics, name);
	r.ok = scenario_read_text(name, text, strlen(text), &r.s, &r.diagnostics);
	collect(&r);
	return r;
}

static inline struct reading reading_file(const char *path, const char *shown)
{
	struct reading r;
	diagnostics_init(&r.diagnostics, shown);
	r.ok = scenario_read(path, &r.s, &r.diagnostics);
	collect(&r);
	return r;
}

static inline void reading_finish(struct reading *r)
{
	scenario_finish(&r->s);
	diagnostics_finish(&r->diagnostics);
	free(r->said);
}

#endif
