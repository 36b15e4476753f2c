/* runs/bounds/recorded_label.c - see runs/bounds/recorded_label.h. */
#include "runs/bounds/recorded_label.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "policies/pipe/pipe.h"
#include "policies/plugin/plugin.h"

bool label_is_csv(const char *name)
{
	return strncmp(name, CSV_PREFIX, strlen(CSV_PREFIX)) == 0;
}

/* What the parameters say, one after the other. */
struct labelling {
	const char *name;
	struct params params;
	struct text options; /* ":order=release,strict=true": all of them */
	char *label;
	bool known;  /* this program has all of the options */
	bool made;   /* the label is complete */
	bool plugin; /* it is one of a shared object, whose options are not known */
};

static void add_option(struct labelling *l, const char *option, const char *value)
{
	struct error ignored;
	if (pipe_is(l->name) && strcmp(option, "command") == 0) {
		pipe_recorded_label(l->name, value, l->label, PARAMS_LABEL_MAX);
		l->made = true;
	} else if (strcmp(option, PLUGIN_OPTION) == 0) {
		l->plugin = true;
	} else {
		text_printf(&l->options, "%s%s=%s", l->options.length ? "," : ":", option, value);
		l->known = l->known && params_set(&l->params, option, value, &ignored);
	}
}

static bool read_options(struct labelling *l, struct db_reader *reader, const char *json, struct error *err)
{
	bool row, ok;
	struct db_cursor *each = cursor_open(reader,
		"SELECT key, CASE type WHEN 'true' THEN 'true' WHEN 'false' THEN "
		"'false' ELSE coalesce(value, '') END FROM json_each(?1)",
		err);
	ok = each && cursor_bind_text(each, 1, json, err);
	while (ok && (ok = cursor_next(each, &row, err)) && row) {
		const char *option = cursor_text(each, 0); /* NULL: what stands there is no list */
		ok = option || error_set(err, STATUS_INPUT,
				       "the recording is damaged: the options of %s are none", l->name);
		if (ok)
			add_option(l, option, cursor_text(each, 1));
	}
	cursor_close(each);
	return ok;
}

bool recorded_label(struct db_reader *reader, const char *name, const char *json,
	const struct option *options, char label[PARAMS_LABEL_MAX], struct error *err)
{
	struct labelling l = {.name = name, .label = label, .known = true};
	params_default(&l.params, options);
	bool ok = read_options(&l, reader, json, err);
	if (ok && !l.made && label_is_csv(name))
		snprintf(label, PARAMS_LABEL_MAX, "%s", name);
	else if (ok && !l.made && l.known)
		params_label(name, &l.params, label);
	else if (ok && !l.made && l.plugin)
		snprintf(label, PARAMS_LABEL_MAX, "%s%s", name, text_data(&l.options));
	else if (ok && !l.made)
		snprintf(label, PARAMS_LABEL_MAX, "%.60s %.180s", name, json);
	ok = ok && text_ok(&l.options, "a label", err);
	text_finish(&l.options);
	return ok;
}
