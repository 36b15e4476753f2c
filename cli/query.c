/* cli/query.c - owns `cegsim query`: a named query or SQL of the user's over a recording, and the description
 * of its tables. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/options.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "db/queries.h"
#include "db/reader.h"

#define PARAMS_GIVEN_MAX 32

enum { KEY_DESCRIBE = OPTION_KEY_OWN };

struct request {
	const char *file;
	const char *question; /* @NAME or SQL; NULL: none given */
	bool describe;
	enum table_format format;
	const char *params[PARAMS_GIVEN_MAX]; /* NAME=VALUE */
	size_t param_count;
};

static const char describe_sql[] =
	"SELECT s.type AS kind, d.tbl AS \"table\", d.col AS \"column\", x.type, d.unit, d.description"
	" FROM sqlite_master s JOIN column_doc d ON d.tbl = s.name"
	" JOIN pragma_table_xinfo(s.name) x ON x.name = d.col"
	" WHERE ?1 IS NULL OR d.tbl = ?1 ORDER BY s.type, s.rowid, x.cid";

/* --- parameters --------------------------------------------------------------------- */

/* A whole number, a real number, or else a text. */
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

/* The parameter's number; 0: the query has none of that name. The cursor's names begin with ':', '@' or '$'.
 */
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

static bool bind_defaults(struct db_cursor *c, const struct named_query *query, struct error *err)
{
	for (size_t i = 0; i < query->param_count; i++) {
		const struct query_param *param = &query->params[i];
		int parameter = find_parameter(c, param->name, strlen(param->name));
		if (parameter > 0 && *param->fallback && !bind_value(c, parameter, param->fallback, err))
			return false;
	}
	return true;
}

static bool bind_given(struct db_cursor *c, const struct request *request, struct error *err)
{
	for (size_t i = 0; i < request->param_count; i++) {
		const char *given = request->params[i], *equals = strchr(given, '=');
		size_t length = (size_t)(equals - given);
		int parameter = find_parameter(c, given, length);
		if (parameter == 0)
			return unknown_parameter(c, given, length, err);
		if (!bind_value(c, parameter, equals + 1, err))
			return false;
	}
	return true;
}

/* --- answers ------------------------------------------------------------------------ */

static void print_value(struct table *t, const struct db_cursor *c, int column)
{
	switch (cursor_kind(c, column)) {
	case VALUE_NULL:
		table_null(t);
		break;
	case VALUE_INTEGER:
		table_integer(t, cursor_integer(c, column));
		break;
	case VALUE_REAL:
		table_real(t, cursor_real(c, column));
		break;
	case VALUE_TEXT:
		table_text(t, cursor_text(c, column));
		break;
	}
}

static bool print_rows(struct db_cursor *c, enum table_format format, struct error *err)
{
	int columns = cursor_columns(c);
	const char **names = calloc((size_t)columns + 1, sizeof(*names));
	if (!names)
		return error_memory(err, "printing an answer");
	for (int i = 0; i < columns; i++) {
		names[i] = cursor_column_name(c, i);
		if (!names[i])
			names[i] = "?";
	}
	struct table t;
	struct error printing;
	bool row = true, read = true;
	table_begin(&t, stdout, format, names, (size_t)columns);
	free(names);
	while (read && row) {
		read = cursor_next(c, &row, err);
		for (int i = 0; read && row && i < columns; i++)
			print_value(&t, c, i);
	}
	bool printed = table_end(&t, &printing);
	if (read && !printed)
		*err = printing;
	return read && printed;
}

static bool unknown_query(const char *name, struct error *err)
{
	char best[QUERY_WORD_MAX], hint[SUGGESTION_TEXT_MAX];
	struct named_query query;
	struct suggestion near = {.word = name};
	for (size_t i = 0; query_at(i, &query); i++) {
		suggestion_offer(&near, query.name);
		if (near.best == query.name) /* the next query will lie there */
			near.best = memcpy(best, query.name, sizeof(best));
	}
	return error_set(err, STATUS_INPUT, "there is no query named '%s'%s (see cegsim list queries)", name,
		suggestion_text(&near, hint));
}

static struct db_cursor *open_named(struct db_reader *reader, const char *name, struct error *err)
{
	struct named_query query;
	if (!query_find(name, &query)) {
		unknown_query(name, err);
		return NULL;
	}
	struct db_cursor *c = cursor_open_bytes(reader, query.sql, query.sql_length, err);
	if (c && !bind_defaults(c, &query, err)) {
		cursor_close(c);
		return NULL;
	}
	return c;
}

static struct db_cursor *open_question(
	struct db_reader *reader, const struct request *request, struct error *err)
{
	const char *question = request->question;
	if (!request->describe && !question)
		question = "@" QUERY_DEFAULT;
	if (!request->describe && question[0] == '@')
		return open_named(reader, question + 1, err);
	struct db_cursor *c = cursor_open(reader, request->describe ? describe_sql : question, err);
	if (c && request->describe && question && !cursor_bind_text(c, 1, question, err)) {
		cursor_close(c);
		return NULL;
	}
	return c;
}

/* Whether what is to be described exists. */
static bool check_table(struct db_reader *reader, const struct request *request, struct error *err)
{
	bool row;
	if (!request->describe || !request->question)
		return true;
	struct db_cursor *c = cursor_open(reader, "SELECT 1 FROM column_doc WHERE tbl = ?1", err);
	bool ok = c && cursor_bind_text(c, 1, request->question, err) && cursor_next(c, &row, err);
	if (ok && !row)
		ok = error_set(err, STATUS_INPUT,
			"there is no table or view '%s' (--describe without a name prints all)",
			request->question);
	cursor_close(c);
	return ok;
}

static bool answer(const struct request *request, struct error *err)
{
	struct db_reader *reader = reader_open(request->file, err);
	if (!reader)
		return false;
	if (reader_interrupted(reader))
		fprintf(stderr, "cegsim: note: %s is not complete: %s\n", request->file,
			reader_interrupted(reader));
	struct db_cursor *c = check_table(reader, request, err) ? open_question(reader, request, err) : NULL;
	bool ok = c && bind_given(c, request, err) && print_rows(c, request->format, err);
	cursor_close(c);
	reader_close(reader);
	return ok;
}

/* --- the command -------------------------------------------------------------------- */

static void add_param(struct request *request, const char *arg, struct argp_state *state)
{
	if (!strchr(arg, '=') || arg[0] == '=')
		argp_error(state, "--param wants NAME=VALUE, got '%s'", arg);
	if (request->param_count == PARAMS_GIVEN_MAX)
		argp_error(state, "more than %d --param", PARAMS_GIVEN_MAX);
	request->params[request->param_count++] = arg;
}

static void add_argument(struct request *request, const char *arg, struct argp_state *state)
{
	if (!request->file)
		request->file = arg;
	else if (!request->question)
		request->question = arg;
	else
		argp_error(state, "one question at a time; put SQL in quotes");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct request *request = state->input;
	switch (key) {
	case OPTION_KEY_FORMAT:
		request->format = option_format(state, arg);
		return 0;
	case KEY_DESCRIBE:
		request->describe = true;
		return 0;
	case 'P':
		add_param(request, arg, state);
		return 0;
	case ARGP_KEY_ARG:
		add_argument(request, arg, state);
		return 0;
	case ARGP_KEY_END:
		if (!request->file)
			argp_error(state, "which recording?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	OPTION_FORMAT,
	{"param", 'P', "NAME=VALUE", 0, "give the query's parameter :NAME a value; may be repeated", 0},
	{"describe", KEY_DESCRIBE, NULL, 0,
		"print the tables, or the one named, with what their columns mean", 0},
	{0},
};

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "FILE.db [@NAME | SQL]\n--describe FILE.db [TABLE]",
	.doc = "Ask a recording a question: one with a name (`cegsim list queries'), or one in SQL.\v"
	       "Without a question, @" QUERY_DEFAULT
	       " is answered. The recording is opened so that it cannot be changed.\n\n"
	       "Examples:\n"
	       "  cegsim query out.db @response --param run=2\n"
	       "  cegsim query out.db 'SELECT policy, avg(response_ms) FROM v_job GROUP BY policy' --format "
	       "csv",
};

int verb_query(int argc, char **argv)
{
	struct request request = {.format = TABLE_TEXT};
	struct error err;
	error_t failed = argp_parse(&argp, argc, argv, 0, NULL, &request);
	if (failed) {
		error_set(&err, STATUS_IO, "cannot read the command line: %s", strerror(failed));
		return error_report(&err);
	}
	return answer(&request, &err) ? STATUS_OK : error_report(&err);
}
