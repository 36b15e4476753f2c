/* models/params.h - options of a policy or a generator: a table of what there is, and the values of
 * one use. The same table checks a scenario, prints `cegsim list`, and gives the canonical JSON by
 * which a policy or a recipe with its parameters is recorded. */
#ifndef CEGSIM_MODELS_PARAMS_H
#define CEGSIM_MODELS_PARAMS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum option_kind {
	OPTION_CHOICE,         /* one of `choices` */
	OPTION_INTEGER,        /* min .. max */
	OPTION_BOOL,           /* true | false */
	OPTION_LIST,           /* integers min .. max, as [1, 2, 3]; empty: not given */
	OPTION_RATIO,          /* min .. max parts per million, as 0.5 or 50% */
	OPTION_RATIO_RANGE,    /* two of them, as 0.2..0.4; one stands for both */
	OPTION_DURATION,       /* min .. max ns, as 5ms */
	OPTION_DURATION_RANGE, /* two of them, as 1ms..20ms */
};

struct option {
	const char *name;
	enum option_kind kind;
	const char *choices; /* "head|release" */
	int64_t min, max;
	const char *fallback; /* the default, as text */
	const char *help;     /* one line */
};

#define PARAMS_MAX 24
#define PARAM_TEXT_MAX 1024
#define PARAM_LIST_MAX (PARAM_TEXT_MAX / 2) /* numbers in a list */

/* Values for every option of one table, in the table's order. Plain data: copy it freely. */
struct params {
	const struct option *options;
	uint32_t count;
	char text[PARAMS_MAX][PARAM_TEXT_MAX]; /* checked and in canonical form */
};

/* All defaults. options may be NULL. */
void params_default(struct params *p, const struct option *options);
/* Sets one; err->text is a clause such as
 *   has no option 'ordr'; did you mean 'order'?   |   'order' is "x"; one of: head, release */
MUST_CHECK bool params_set(struct params *p, const char *name, const char *value, struct error *err);

/* Values; the name must be in the table (a programmer error otherwise). */
CEGSIM_API uint32_t params_choice(const struct params *p, const char *name); /* index into choices */
CEGSIM_API int64_t params_integer(const struct params *p, const char *name);
CEGSIM_API bool params_bool(const struct params *p, const char *name);
/* Ratios in ppm, durations in ns. */
CEGSIM_API int64_t params_quantity(const struct params *p, const char *name);
CEGSIM_API void params_range(const struct params *p, const char *name, int64_t *low, int64_t *high);
CEGSIM_API size_t params_list(const struct params *p, const char *name, int64_t *values, size_t max);

/* {"order":"head"} in the table's order; "{}" without options. Returns the length, as snprintf. */
size_t params_json(const struct params *p, char *buffer, size_t size);

#endif
