/* cli/same_runs.c - which of several runs made the same schedule. Policies that differ on paper often agree
 * on a set; without a word about it that looks like a mistake. */
#include "cli/same_runs.h"

#include <stdio.h>

#include "base/say.h"
#include "policies/use/use.h"

static bool same(const struct run_digest *a, const struct run_digest *b)
{
	return a->known && b->known && a->scenario == b->scenario && a->digest == b->digest;
}

/* The next run behind `at` with the same schedule; `count`: there is none. */
static uint32_t next_same(const struct run_digest *runs, uint32_t count, uint32_t at)
{
	uint32_t next = at + 1;
	while (next < count && !same(&runs[at], &runs[next]))
		next++;
	return next;
}

static bool is_first(const struct run_digest *runs, uint32_t at)
{
	for (uint32_t i = 0; i < at; i++)
		if (same(&runs[i], &runs[at]))
			return false;
	return true;
}

void same_runs_print(const struct run_digest *runs, uint32_t count,
	const char *(*label)(const void *self, uint32_t index, char *text), const void *self)
{
	char text[PARAMS_LABEL_MAX];
	bool any = false;
	for (uint32_t first = 0; first < count; first++) {
		if (!is_first(runs, first) || next_same(runs, count, first) == count)
			continue;
		fputs(any ? "" : "\n", stdout);
		say(stdout, "Runs %u", first + 1);
		any = true;
		for (uint32_t i = next_same(runs, count, first), next; i < count; i = next) {
			next = next_same(runs, count, i);
			say(stdout, "%s%u", next == count ? " and " : ", ", i + 1);
		}
		say(stdout, " are the same schedule: ");
		for (uint32_t i = first; i < count; i = next_same(runs, count, i))
			say(stdout, "%s%s", i == first ? "" : ", ", label(self, i, text));
		puts(".");
	}
}
