/* scenarios/keys.h - the keys of scenario and campaign files in words, from the tables by which the files are
 * read: for `cegsim schema --keys`, and so for docs/scenario.md, docs/campaigns.md and the man pages. */
#ifndef CEGSIM_SCENARIOS_KEYS_H
#define CEGSIM_SCENARIOS_KEYS_H

#include "base/error.h"

/* A key of a mapping. */
struct key {
	const char *mapping; /* dotted names from the top of the file: "tasks.segments"; "." is the file */
	const char *key;
	const char *value;   /* what may be given: "0 to 64", "sm | gpu" */
	const char *unset;   /* the default, "required", or "one of: a, b"; NULL: nothing holds */
	const char *meaning; /* one or two sentences */
};

/* False: stop; err was written. */
typedef bool key_fn(void *to, const struct key *key, struct error *err);

struct binder_shape;

/* Calls `tell` for every key, mapping by mapping, from the top of the file down. A mapping that may be in
 * several places (`release`) comes once, where it is highest. `root` is the shape of the whole file. */
MUST_CHECK bool keys_tell(const struct binder_shape *root, key_fn *tell, void *to, struct error *err);
MUST_CHECK bool scenario_keys(key_fn *tell, void *to, struct error *err);
MUST_CHECK bool campaign_keys(key_fn *tell, void *to, struct error *err);

#endif
