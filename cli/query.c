/* cli/query.c - `cegsim query`: a named query or the user's own SQL on a recording. query_print.c,
 * query_describe.c and query_hints.c have printing, descriptions and hints. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/say.h"
#include "cli/options.h"
#include "cli/query_parts.h"
#include "cli/recording.h"
#include "cli/table/table.h"
#include "cli/verbs.h"
#include "db/levels.h"
#include "db/parameters.h"
#include "db/queries.h"
#include "db/reader.h"

enum { KEY_DESCRIBE = OPTION_KEY_OWN, KEY_WIDTH };

struct query_command {
	const char *file;
	const char *question; /* @NAME or SQL; NULL: none given */
	bool describe;
	struct query_output output;
	struct parameters parameters;
};

/* ---- answers ---- */

/* The cursor of a question. For a named query *query is set; else *query has no name. */
static struct db_cursor *open_question(
	struct db_reader *reader, const char *question, struct named_query *query, struct error *err)
{
	*query = (struct named_query){0};
	if (question[0] == '@') {
		if (query_find(question + 1, query))
			return cursor_open_bytes(reader, query->sql, query->sql_length, err);
		query_unknown(question + 1, err);
		return NULL;
	}
	struct db_cursor *c = cursor_open(reader, question, err);
	if (!c)
		query_hint(reader, question, err);
	return c;
}

/* The parameter `limit` has a default, so that output stays short; if there are as many rows as that, there
 * may be more. */
static void note_limit(const struct query_command *request, const struct named_query *query, size_t rows)
{
	if (parameters_given(&request->parameters, "limit"))
		return;
	for (size_t i = 0; i < query->param_count; i++)
		if (strcmp(query->params[i].name, "limit") == 0 &&
			strtoull(query->params[i].fallback, NULL, 10) == rows)
			say(stderr,
				"cegsim: note: these are the first %zu rows, and there may be "
				"more: -P limit=N\n",
				rows);
}

static bool note_empty(
	struct db_reader *reader, const char *sql, const char *note, struct text *lack, struct error *err)
{
	bool row = false;
	struct db_cursor *c = cursor_open(reader, sql, err);
	bool ok = c && cursor_next(c, &row, err);
	if (ok && !row)
		text_add(lack, note);
	cursor_close(c);
	return ok;
}

/* Notes that an answer is empty because the recording has no such data at all. */
static bool note_nothing(
	struct db_reader *reader, const struct db_cursor *asked, struct text *lack, struct error *err)
{
	if (cursor_reads(asked, "run") &&
		!note_empty(reader, "SELECT 1 FROM run LIMIT 1", "the recording holds no run", lack, err))
		return false;
	if (lack->length > 0 || !cursor_reads(asked, "analysis_run"))
		return true;
	return note_empty(reader, "SELECT 1 FROM taskset LIMIT 1", "the recording holds no set", lack, err) &&
	       (lack->length > 0 ||
		       note_empty(reader, "SELECT 1 FROM analysis_run LIMIT 1",
			       "the recording holds no bounds; cegsim analyze FILE.db stores them", lack,
			       err));
}

static bool check_asked(struct db_reader *reader, const struct query_command *request, const char *question,
	const struct named_query *query, struct text *lack, struct error *err)
{
	return query_check_values(reader, request->file, query, &request->parameters, err) &&
	       level_check(reader, question, query, &request->parameters, lack, err);
}

/* If runs lack data for a named query, this is an error if it then has no answer, else a note. For the user's
 * own SQL it is always a note. */
static bool ask(struct db_reader *reader, const struct query_command *request, struct error *err)
{
	const char *question = request->question ? request->question : "@" QUERY_DEFAULT;
	struct named_query query;
	struct query_answer answer;
	struct text lack = {0};
	struct db_cursor *c = open_question(reader, question, &query, err);
	bool ok = c && parameters_bind(&request->parameters, &query, c, err) &&
		  (!query.sql || check_asked(reader, request, question, &query, &lack, err)) &&
		  query_print(reader, c, &request->output, &answer, err) &&
		  (query.sql || level_check_tables(reader, c, !answer.says, &lack, err));
	if (ok && lack.length == 0 && answer.rows == 0)
		ok = note_nothing(reader, c, &lack, err);
	cursor_close(c);
	if (ok && lack.length > 0)
		say(stderr, "cegsim: note: %s\n", text_data(&lack));
	if (ok)
		note_limit(request, &query, answer.rows);
	text_finish(&lack);
	return ok;
}

static bool answer(const struct query_command *request, struct error *err)
{
	struct db_reader *reader = recording_open(request->file, err);
	if (!reader)
		return false;
	bool ok = request->describe ? query_describe(reader, request->question, &request->output, err)
				    : ask(reader, request, err);
	reader_close(reader);
	return ok;
}

/* ---- the command ---- */

static void add_argument(struct query_command *request, const char *arg, struct argp_state *state)
{
	if (!request->file)
		request->file = arg;
	else if (!request->question)
		request->question = arg;
	else
		argp_error(state, "one question at a time; put SQL in quotes");
}

/* Like option_format(), but also accepts records. */
static enum table_format read_format(struct argp_state *state, const char *arg)
{
	static const char *const formats[] = {
		[TABLE_TEXT] = "table",
		[TABLE_CSV] = "csv",
		[TABLE_JSON] = "json",
		[TABLE_RECORDS] = "records",
		NULL,
	};
	return (enum table_format)option_choice(state, "--format", arg, formats);
}

static int read_width(struct argp_state *state, const char *arg)
{
	int64_t width = option_integer(state, "--width", arg, 0, TABLE_WIDTH_MAX);
	if (width > 0 && width < TABLE_WIDTH_MIN)
		argp_error(state, "--width wants 0 or at least %d columns, got '%s'", TABLE_WIDTH_MIN, arg);
	return (int)width;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct query_command *request = state->input;
	switch (key) {
	case OPTION_KEY_FORMAT:
		request->output.format = read_format(state, arg);
		return 0;
	case KEY_WIDTH:
		request->output.width = read_width(state, arg);
		return 0;
	case KEY_DESCRIBE:
		request->describe = true;
		return 0;
	case 'P':
		option_param(state, &request->parameters, arg);
		return 0;
	case ARGP_KEY_ARG:
		add_argument(request, arg, state);
		return 0;
	case ARGP_KEY_END:
		if (!request->file)
			argp_error(state, "which recording?");
		if (request->describe && request->parameters.count > 0)
			argp_error(state, "--describe asks nothing: it takes no --param");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{"format", OPTION_KEY_FORMAT, "FORMAT", 0,
		"print as table, records (a line for each value), csv or json (default: table)", 0},
	{"width", KEY_WIDTH, "COLUMNS", 0,
		"fit tables into so many columns; 0: print all of every row in one line (default: the "
		"terminal's, if "
		"there is one)",
		0},
	{"param", 'P', "NAME=VALUE", 0, "give the query's parameter :NAME a value; may be repeated", 0},
	{"describe", KEY_DESCRIBE, NULL, 0,
		"print what is in the recording: its tables; or the columns of the one named; or what a "
		"named query asks",
		0},
	{0},
};

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "FILE.db [@NAME | SQL]\n--describe FILE.db [TABLE | @NAME]",
	.doc = "Ask a recording a question: one with a name (`cegsim list queries'), or one in SQL.\v"
	       "Without a question, @" QUERY_DEFAULT
	       " is answered. The recording is opened so that it cannot be changed. Exit status: 0 "
	       "done; 2 usage or input error, or no run was recorded at the level that a named query needs; "
	       "3 a file, "
	       "the disk or the memory failed.\n\n"
	       "Examples:\n"
	       "  cegsim query out.db @response --param run=2\n"
	       "  cegsim query out.db 'SELECT policy, avg(response_ms) FROM v_job GROUP BY policy' --format "
	       "csv",
};

int verb_query(int argc, char **argv)
{
	struct query_command request = {.output = {TABLE_TEXT, QUERY_WIDTH_OF_TERMINAL}};
	struct error err;
	options_parse(&argp, argc, argv, &request);
	return answer(&request, &err) ? STATUS_OK : error_report(&err);
}
