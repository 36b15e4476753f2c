/* db/parameters.c - makes the value of a query's parameter from NAME=VALUE. */
#include "db/parameters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Binds a whole number, a real number, or else a text. */
static bool bind_value(struct db_cursor *c, int parameter, const char *value, struct error *err)
{
	char *end;
	errno = 0;
	long long integer = strtoll(value, &end, 10);
	if (end != value && *end == '\0' && errno == 0)
		return cursor_bind_integer(c, parameter, integer, err);
	double real = strtod(value, &end);
	if (end != value && *end == '\0')
		return cursor_bind_real(c, parameter, real, err);
	return cursor_bind_text(c, parameter, value, err);
}

/* The number of the parameter; 0: the query has none of that name. Names of the cursor begin with ':', '@' or
 * '$'. */
static int find_parameter(const struct db_cursor *c, const char *name, size_t length)
{
	for (int i = 1; i <= cursor_parameters(c); i++) {
		const char *has = cursor_parameter_name(c, i);
		if (has && strlen(has + 1) == length && memcmp(has + 1, name, length) == 0)
			return i;
	}
	return 0;
}

static bool unknown_parameter(const struct db_cursor *c, const char *given, size_t length, struct error *err)
{
	struct text names = {0};
	for (int i = 1; i <= cursor_parameters(c); i++) {
		const char *name = cursor_parameter_name(c, i);
		text_printf(&names, "%s%s", i > 1 ? ", " : "", name ? name + 1 : "?");
	}
	const char *all = text_data(&names);
	error_set(err, STATUS_INPUT, "the query has no parameter '%.*s'; %s%s", (int)length, given,
		*all ? "it has: " : "it has none", all);
	text_finish(&names);
	return false;
}

static bool bind_defaults(
	struct db_cursor *c, const struct query_param *params, size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		const struct query_param *param = &params[i];
		int parameter = find_parameter(c, param->name, strlen(param->name));
		if (parameter > 0 && *param->fallback && !bind_value(c, parameter, param->fallback, err))
			return false;
	}
	return true;
}

bool parameters_bind(
	const struct parameters *p, const struct named_query *query, struct db_cursor *c, struct error *err)
{
	if (query && (!bind_defaults(c, query->params, query->param_count, err) ||
			     !bind_defaults(c, query->fixed, query->fixed_count, err)))
		return false;
	for (size_t i = 0; i < p->count; i++) {
		const char *given = p->given[i], *equals = strchr(given, '=');
		size_t length = (size_t)(equals - given);
		int parameter = find_parameter(c, given, length);
		if (parameter == 0)
			return unknown_parameter(c, given, length, err);
		if (!bind_value(c, parameter, equals + 1, err))
			return false;
	}
	return true;
}

const char *parameters_given(const struct parameters *p, const char *name)
{
	size_t length = strlen(name);
	const char *value = NULL;
	for (size_t i = 0; i < p->count; i++)
		if (strncmp(p->given[i], name, length) == 0 && p->given[i][length] == '=')
			value = p->given[i] + length + 1;
	return value;
}

const char *parameters_value(const struct parameters *p, const struct named_query *query, const char *name)
{
	const char *given = parameters_given(p, name);
	for (size_t i = 0; !given && query && i < query->param_count; i++)
		if (strcmp(query->params[i].name, name) == 0)
			return query->params[i].fallback;
	return given ? given : "";
}
