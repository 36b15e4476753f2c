/* scenarios/variants.h - the scenario of a campaign with `recipe: scenario`, and the values that take the
 * place of its own at the points of the grid.
 *
 * Values are put into the tree of the scenario's text, before anything of it is read. So each variant is
 * checked, and completed, as if its values had been written into the file. */
#ifndef CEGSIM_SCENARIOS_VARIANTS_H
#define CEGSIM_SCENARIOS_VARIANTS_H

#include "scenarios/binder.h"
#include "scenarios/scenario.h"

#define VARIANTS_AXES_MAX 64
#define VARIANTS_OWN UINT32_MAX /* a choice: the scenario's own value */

/* What stands at one path. The nodes are copies, whose origin is the number of the axis, from 1. */
struct variants_axis {
	const char *path;       /* "platform.copy.bandwidth" */
	const struct node *key; /* where the campaign names it */
	struct node **values;   /* [count] */
	const char **texts;     /* [count] the values, to be shown */
	uint32_t count;         /* 1: a fixed value, or a list of one */
};

struct variants {
	struct arena arena; /* owns everything below */
	const char *name;   /* of the file that has the scenario, without folders */
	const char *file;   /* its path */
	char *text;         /* of the scenario's file, NUL-terminated; malloc(). NULL: the campaign has it */
	size_t text_length;
	const struct node *root;
	const struct node *policies;    /* the campaign's; NULL: the scenario's own */
	const struct node *at, *set_at; /* where the campaign names the file, and the values */
	struct variants_axis *axes;     /* in the order of the file */
	uint32_t axis_count;
};

/* Reads `generate: {recipe: scenario, file: ..., set: {...}}` of the campaign in file `campaign`, and the
 * scenario (or `scenario: {...}`, in place of a file), which must be sound by itself. `policies` may be NULL;
 * so may `stored`. Errors are reported; NULL: there is nothing to go on with. Else *sound tells whether there
 * were none, and the axes are those without. */
MUST_CHECK struct variants *variants_create(struct binder *b, const char *campaign,
	const struct node *generate, const struct node *policies, const struct stored_files *stored,
	bool *sound);
void variants_destroy(struct variants *v); /* accepts NULL */

/* Reads the scenario with the values of this choice, which has a number for each axis. False: *d says why,
 * with the places in the scenario (origin 0) and in the campaign. */
MUST_CHECK bool variants_read(const struct variants *v, const uint32_t *choice,
	const struct stored_files *stored, struct scenario *s, struct diagnostics *d);

/* The same, but errors are reported at their places in the campaign, none twice: at the value from which they
 * come. */
MUST_CHECK bool variants_check(const struct variants *v, const uint32_t *choice,
	const struct stored_files *stored, struct scenario *s, struct binder *b);

/* Appends "platform.copy.bandwidth=5GB/s execution=uniform": all values, or only those of axes with
 * several. */
void variants_text(const struct variants *v, const uint32_t *choice, bool all, struct text *out);
/* Appends the origin of the choice's set, in the form in which a recording stores it (like
 * recipe_origin()). */
void variants_origin(const struct variants *v, const uint32_t *choice, uint64_t seed, struct text *json);

#endif
