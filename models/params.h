/* models/params.h - options of a policy or a generator: a table of the options, and the values that a user
 * gave. The table checks scenarios, prints `cegsim list`, and gives the canonical JSON by which a recording
 * knows a policy or a recipe with its parameters. */
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
	OPTION_RATIO_RANGE,    /* two ratios, as 0.2..0.4; a single one stands for both ends */
	OPTION_DURATION,       /* min .. max ns, as 5ms */
	OPTION_DURATION_RANGE, /* two durations, as 1ms..20ms */
};

struct option {
	const char *name;
	enum option_kind kind;
	const char *choices; /* "head|release" */
	int64_t min, max;
	const char *fallback; /* the default, as text */
	const char *help;     /* one line */
};

#define PARAMS_MAX 28
#define PARAM_TEXT_MAX 1024                 /* of one value */
#define PARAM_LIST_MAX (PARAM_TEXT_MAX / 2) /* numbers in a list */
#define PARAMS_LABEL_MAX (2 * PARAM_TEXT_MAX)
#define PARAMS_JSON_MAX ((PARAMS_MAX + 1) * (PARAM_TEXT_MAX + 64))

/* The value of an option: the index of a choice, a number, a ratio in ppm, a duration in ns; true is 1. */
struct param_value {
	int64_t low, high; /* the two ends of a range; else both are the value */
	const char *list;  /* "1,2,3" of OPTION_LIST, else NULL; it lives as long as the process */
};

/* Values for every option of one table, in the table's order. Plain data: copy it freely. */
struct params {
	const struct option *options;
	uint32_t count;
	struct param_value value[PARAMS_MAX];
};

/* Sets all options to their defaults. options may be NULL. */
void params_default(struct params *p, const struct option *options);
/* Sets one option. On failure err->text is a clause such as
 *   has no option 'ordr'; did you mean 'order'?   |   'order' is "x"; one of: head, release */
MUST_CHECK bool params_set(struct params *p, const char *name, const char *value, struct error *err);
/* Sets the options in "order=release,allocation=[1,2]"; the text is cut into pieces. err->text begins with
 * `who`: "policy given". */
MUST_CHECK bool params_parse(struct params *p, const char *who, char *text, struct error *err);

/* Values by name. The name must be in the table, and the option of that kind; else it is an error of the
 * programmer. */
CEGSIM_API uint32_t params_choice(const struct params *p, const char *name); /* index into choices */
CEGSIM_API int64_t params_integer(const struct params *p, const char *name);
CEGSIM_API bool params_bool(const struct params *p, const char *name);
/* Ratios in ppm, durations in ns. */
CEGSIM_API int64_t params_quantity(const struct params *p, const char *name);
CEGSIM_API void params_range(const struct params *p, const char *name, int64_t *low, int64_t *high);
CEGSIM_API size_t params_list(const struct params *p, const char *name, int64_t *values, size_t max);

/* ---- By index, whatever the kind ---- */

/* UINT32_MAX: no option has that name. */
uint32_t params_find(const struct params *p, const char *name);
/* The value as a text that params_set() takes, in canonical form: it is the same for all spellings. A list is
 * "1,2,3". Returns text. */
const char *params_text(const struct params *p, uint32_t index, char text[PARAM_TEXT_MAX]);
/* Whether both have the same value of one option. */
bool param_same(const struct param_value *a, const struct param_value *b);
/* Whether both have the same table and the same values. */
bool params_same(const struct params *a, const struct params *b);

/* How options are written in a row: ":", "=" and "," for "name:order=release,strict=true". */
struct params_style {
	const char *first, *equals, *next;
};

/* `name` and all options that differ from their defaults, lists in brackets. A text that does not fit is cut.
 * Returns buffer. */
const char *params_changed(const char *name, const struct params *p, const struct params_style *style,
	char *buffer, size_t size);
/* The text that names the policy with its options: "fifo-cke:order=release". */
const char *params_label(const char *name, const struct params *p, char label[PARAMS_LABEL_MAX]);
/* {"order":"head"} in the table's order; "{}" without options. Returns the length, as snprintf. */
size_t params_json(const struct params *p, char *buffer, size_t size);
const char *params_json_text(const struct params *p, char json[PARAMS_JSON_MAX]); /* returns json */

#endif
