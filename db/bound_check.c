/* db/bound_check.c - see db/bound_check.h. */
#include "db/bound_check.h"

#include <string.h>

#include "db/rows.h"
#include "db/schema.h"

static const char *const names[BOUND_CHECKS] = {
	[CHECK_OUTSIDE] = "outside",
	[CHECK_REMOVING] = "removing",
	[CHECK_UNBOUNDED] = "unbounded",
	[CHECK_BEYOND_PERIOD] = "beyond period",
	[CHECK_NOT_ASSUMED] = "not assumed",
	[CHECK_EXCEEDED] = "exceeded",
	[CHECK_TRUNCATED] = "truncated",
	[CHECK_UNANSWERED] = "unanswered",
	[CHECK_HOLDS] = "holds",
};

const char *bound_check_name(enum bound_check check)
{
	return names[check];
}

enum bound_check bound_check_named(const char *name)
{
	int check = 0;
	while (check < BOUND_CHECKS && strcmp(names[check], name) != 0)
		check++;
	return (enum bound_check)check;
}

/* An unfinished job has work left after everything that ends at S, so its response is greater than S -
 * release. */
static bool exceeded(const struct bound_seen *s, int64_t bound_ns)
{
	return (s->responses > 0 && s->longest_ns > bound_ns) ||
	       (s->responses < s->jobs && s->unfinished_ns >= bound_ns);
}

bool bound_seen_late(const struct bound_seen *seen, int64_t deadline_ns)
{
	return exceeded(seen, deadline_ns);
}

enum bound_check bound_check(const struct bound_seen *s, int64_t period_ns, int64_t bound_ns)
{
	if (s->outside)
		return CHECK_OUTSIDE;
	if (s->removing)
		return CHECK_REMOVING;
	if (bound_ns == DB_NULL)
		return CHECK_UNBOUNDED;
	if (period_ns == DB_NULL || bound_ns > period_ns)
		return CHECK_BEYOND_PERIOD;
	if (s->not_assumed)
		return CHECK_NOT_ASSUMED;
	if (exceeded(s, bound_ns))
		return CHECK_EXCEEDED;
	if (s->truncated)
		return CHECK_TRUNCATED;
	return s->responses < s->jobs || s->jobs == 0 ? CHECK_UNANSWERED : CHECK_HOLDS;
}

/* ---- the rule in SQL ---- */

void bound_check_sql(const char *asked, const char *answer, struct text *sql)
{
	text_printf(sql, "WITH asked AS (%s),\n-- rule\n", asked);
	schema_bound_rule("\n-- rule\n", "\n-- answer\n", sql);
	text_printf(sql, "\n%s", answer);
}
