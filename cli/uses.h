/* cli/uses.h - the policies and analyses that a user gives with -p and -a. */
#ifndef CEGSIM_CLI_USES_H
#define CEGSIM_CLI_USES_H

#include "cli/options.h"
#include "policies/use/use.h"
#include "runs/bounds/bounds_csv.h"
#include "scenarios/scenario.h"

struct uses {
	struct words policy_texts, analysis_texts, bounds_texts;
	struct policy_use *policies; /* with room for those of uses_own_policies() */
	uint32_t policy_count;
	struct analysis_use *analyses; /* of -a; else all analyses */
	uint32_t analysis_count;
	bool chosen;             /* analyses were given by -a, --bounds, or the scenario */
	struct policy_use *only; /* [analysis_count] of a scenario's analyses: whose plans they bound; .policy
				    NULL: any. NULL: all are such */
	struct known_list known;
	struct bounds_csv *tables; /* [bounds_texts.count] of --bounds; they have the names of `roster` */
	struct roster roster;
};

/* The row for an option table: how long analyses of users may take. */
#define USES_TIMEOUT                                                                                         \
	{                                                                                                    \
		"timeout", OPTION_KEY_TIMEOUT, "DURATION", 0,                                                \
			"give up an analysis of your own that takes longer for a set (default: 60s)", 0      \
	}

/* The same: bounds that the user has in a file. */
#define USES_BOUNDS(says)                                                                                    \
	{                                                                                                    \
		"bounds", OPTION_KEY_BOUNDS, "FILE.csv", 0, says, 0                                          \
	}

/* Parses the keys 'p' and 'a' ("rm, fcfs:order=release"), and those of the rows above. */
error_t uses_parse(int key, char *arg, struct argp_state *state, struct uses *uses);
/* Resolves the given texts. False: *err; call uses_finish() either way. */
MUST_CHECK bool uses_policies(struct uses *uses, struct error *err);
/* Without -a: all, unless --bounds is given. `recording`: a text may also be the name of an analysis whose
 * bounds are stored there. NULL: not so. */
MUST_CHECK bool uses_analyses(struct uses *uses, const char *recording, struct error *err);
/* Reads the files of --bounds, which are about the sets of the recording; behind the other two. Prints what
 * is wrong with them: then err->text is empty. */
MUST_CHECK bool uses_bounds(struct uses *uses, const char *recording, struct error *err);
/* False: of some only the bounds of recorded sets are known, and no others can be asked for. */
MUST_CHECK bool uses_can_shrink(const struct uses *uses, const char *recording, struct error *err);
/* In place of all analyses those that a scenario asks for, if it does and neither -a nor --bounds was given;
 * before uses_policies(). */
MUST_CHECK bool uses_of_scenario(struct uses *uses, const struct scenario *s, struct error *err);
/* Says on standard error what they have no bound for. */
void uses_note_missing(const struct uses *uses, const char *recording);
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
