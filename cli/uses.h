/* cli/uses.h - the policies and analyses that a user gives with -p and -a. */
#ifndef CEGSIM_CLI_USES_H
#define CEGSIM_CLI_USES_H

#include "cli/options.h"
#include "policies/use/use.h"

struct uses {
	struct words policy_texts, analysis_texts;
	struct policy_use *policies; /* with room for those of uses_own_policies() */
	uint32_t policy_count;
	struct analysis_use *analyses; /* of -a; else all analyses */
	uint32_t analysis_count;
	bool chosen; /* analyses were given by -a */
};

/* The row for an option table: how long analyses of users may take. */
#define USES_TIMEOUT                                                                                         \
	{                                                                                                    \
		"timeout", OPTION_KEY_TIMEOUT, "DURATION", 0,                                                \
			"give up an analysis of your own that takes longer for a set (default: 60s)", 0      \
	}

/* Parses the keys 'p' and 'a' ("rm, fcfs:order=release"), and that of USES_TIMEOUT. */
error_t uses_parse(int key, char *arg, struct argp_state *state, struct uses *uses);
/* Resolves the given texts. False: *err; call uses_finish() either way. */
MUST_CHECK bool uses_policies(struct uses *uses, struct error *err);
MUST_CHECK bool uses_analyses(struct uses *uses, struct error *err);
/* For runs that have their policy already: -p only loads plug-ins. If it names anything else, *err begins
 * with `what`: "runs of a recording are repeated". */
MUST_CHECK bool uses_plugins(const struct uses *uses, const char *what, struct error *err);
/* If none is given: puts the policies that the analyses are made for, each once, into uses->policies. *count:
 * their number. False: there are none, as the analyses are for any policy. */
MUST_CHECK bool uses_own_policies(struct uses *uses, uint32_t *count, struct error *err);
void uses_finish(struct uses *uses);

/* Of a text that is still being typed: *start is where its last name begins, and the colon behind that name
 * is returned, or the end of the text. */
const char *uses_last(const char *text, const char **start);

#endif
