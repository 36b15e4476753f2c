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
#define PARAM_TEXT_MAX 1024                 /* of one value */
#define PARAM_LIST_MAX (PARAM_TEXT_MAX / 2) /* numbers in a list */
#define PARAMS_LABEL_MAX (2 * PARAM_TEXT_MAX)
#define PARAMS_JSON_MAX ((PARAMS_MAX + 1) * (PARAM_TEXT_MAX + 64))

/* A choice by its index, a number, a ratio in ppm, a duration in ns; true is 1. */
struct param_value {
	int64_t low, high; /* the same but for ranges */
	const char *list;  /* "1,2,3" of OPTION_LIST, else NULL; stays as long as the process */
};

/* Values for every option of one table, in the table's order. Plain data: copy it freely. */
struct params {
	const struct option *options;
	uint32_t count;
	struct param_value value[PARAMS_MAX];
};

/* All defaults. options may be NULL. */
void params_default(struct params *p, const struct option *options);
/* Sets one; err->text is a clause such as
 *   has no option 'ordr'; did you mean 'order'?   |   'order' is "x"; one of: head, release */
MUST_CHECK bool params_set(struct params *p, const char *name, const char *value, struct error *err);
/* Sets those of "order=release,allocation=[1,2]", which it cuts up. `who` begins err->text:
 * "policy given". */
MUST_CHECK bool params_parse(struct params *p, const char *who, char *text, struct error *err);

/* Values; the name must be in the table, and the option of that kind (a programmer error otherwise). */
CEGSIM_API uint32_t params_choice(const struct params *p, const char *name); /* index into choices */
CEGSIM_API int64_t params_integer(const struct params *p, const char *name);
CEGSIM_API bool params_bool(const struct params *p, const char *name);
/* Ratios in ppm, durations in ns. */
CEGSIM_API int64_t params_quantity(const struct params *p, const char *name);
CEGSIM_API void params_range(const struct params *p, const char *name, int64_t *low, int64_t *high);
CEGSIM_API size_t params_list(const struct params *p, const char *name, int64_t *values, size_t max);

/* ---- All alike, by their index ---- */

/* UINT32_MAX: there is none of that name. */
uint32_t params_find(const struct params *p, const char *name);
/* As params_set() takes it, in canonical form: the same for all spellings. A list is "1,2,3".
 * Returns text. */
const char *params_text(const struct params *p, uint32_t index, char text[PARAM_TEXT_MAX]);
/* Of one option. */
bool param_same(const struct param_value *a, const struct param_value *b);
/* The same values for the same table. */
bool params_same(const struct params *a, const struct params *b);

/* How options are written one after the other: ":", "=" and "," for "name:order=release,strict=true". */
struct params_style {
	const char *first, *equals, *next;
};

/* `name` and the options that are not as by default, lists in brackets. What does not fit is cut.
 * Returns buffer. */
const char *params_changed(const char *name, const struct params *p, const struct params_style *style,
	char *buffer, size_t size);
/* The text by which it is named: "fifo-cke:order=release". */
const char *params_label(const char *name, const struct params *p, char label[PARAMS_LABEL_MAX]);
/* {"order":"head"} in the table's order; "{}" without options. Returns the length, as snprintf. */
size_t params_json(const struct params *p, char *buffer, size_t size);
const char *params_json_text(const struct params *p, char json[PARAMS_JSON_MAX]); /* returns json */

#endif
