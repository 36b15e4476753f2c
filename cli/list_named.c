/* cli/list_named.c - `cegsim list queries` and `figures`. */
#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "base/text.h"
#include "cli/list_parts.h"
#include "cli/query_parts.h"
#include "db/levels.h"
#include "db/queries.h"
#include "report/figures.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Queries or figures. */
struct list_kind {
	const char *noun, *says;                         /* of columns */
	const char *plain;                               /* "query", in messages */
	const char *many;                                /* "queries", the subject */
	bool (*at)(size_t i, struct named_query *query); /* false: there are no more */
	void (*add_sql)(const struct named_query *query, struct text *sql);
};

/* Those of papers are many, and each is for the campaign of its name only. */
static bool is_of_paper(const struct named_query *query)
{
	char paper[QUERY_WORD_MAX];
	return strstr(query->name, "-fig") || query_header(query, "paper", paper, sizeof(paper));
}

static bool is_wanted(const struct list_request *q, const struct named_query *query)
{
	if (q->papers && !is_of_paper(query))
		return false;
	if (q->name || q->papers || q->verbose || q->format != TABLE_TEXT)
		return list_wants(q, query->name);
	return !is_of_paper(query);
}

static void add_parameter(struct table *t, const struct query_param *parameter)
{
	table_text(t, parameter->name);
	table_text(t, *parameter->fallback ? parameter->fallback : NULL);
	table_text(t, parameter->help);
}

/* The least level of recording that it needs; null: every level is enough. */
static void add_level(struct table *t, const struct named_query *query)
{
	char text[LEVEL_TEXT_MAX];
	struct level_need need = level_needed(query);
	table_text(t, *need.level ? level_text(&need, text) : NULL);
}

static bool list_named_flat(const struct list_kind *kind, const struct list_request *q, struct error *err)
{
	const char *const columns[] = {kind->noun, "title", "parameter", "default", "help", "sql", "level"};
	struct named_query query;
	struct text sql = {0};
	struct table t;
	table_begin(&t, stdout, q->format, columns, COUNT(columns));
	for (size_t i = 0; kind->at(i, &query); i++) {
		if (!is_wanted(q, &query))
			continue;
		size_t rows = query.param_count ? query.param_count : 1;
		text_clear(&sql);
		kind->add_sql(&query, &sql);
		for (size_t k = 0; k < rows; k++) {
			table_text(&t, query.name);
			table_text(&t, query.title);
			if (query.param_count)
				add_parameter(&t, &query.params[k]);
			else
				for (int empty = 0; empty < 3; empty++)
					table_null(&t);
			table_built(&t, &sql);
			add_level(&t, &query);
		}
	}
	text_finish(&sql);
	return table_end(&t, err);
}

static bool list_titles(const struct list_kind *kind, const struct list_request *q, struct error *err)
{
	const char *const columns[] = {kind->noun, "level", kind->says};
	struct named_query query;
	struct table t;
	table_begin(&t, stdout, q->format, columns, COUNT(columns));
	for (size_t i = 0; kind->at(i, &query); i++) {
		if (!is_wanted(q, &query))
			continue;
		table_text(&t, query.name);
		add_level(&t, &query);
		table_text(&t, query.title);
	}
	return table_end(&t, err);
}

static bool list_parameters(const struct list_kind *kind, const struct list_request *q, struct error *err)
{
	const char *const columns[] = {kind->noun, TABLE_CODE("parameter"), TABLE_CODE("default"), "help"};
	struct named_query query;
	struct table t;
	table_begin(&t, stdout, q->format, columns, COUNT(columns));
	for (size_t i = 0; kind->at(i, &query); i++) {
		for (size_t k = 0; is_wanted(q, &query) && k < query.param_count; k++) {
			table_text(&t, query.name);
			add_parameter(&t, &query.params[k]);
		}
	}
	return table_end(&t, err);
}

/* What a short list leaves out. */
static void print_rest(const struct list_kind *kind, const struct list_request *q)
{
	struct named_query query;
	size_t papers = 0;
	for (size_t i = 0; kind->at(i, &query); i++)
		papers += is_of_paper(&query);
	say(stdout, "Parameters of one: cegsim list %s NAME; of all: cegsim list %s -v\n", kind->many,
		kind->many);
	if (papers > 0 && !q->papers)
		say(stdout, "%zu more, of papers: cegsim list %s --papers\n", papers, kind->many);
}

static bool find_name(
	const struct list_kind *kind, const char *name, struct named_query *query, struct error *err)
{
	char hint[SUGGESTION_TEXT_MAX];
	for (size_t i = 0; kind->at(i, query); i++)
		if (strcmp(query->name, name) == 0)
			return true;
	return error_set(err, STATUS_INPUT, "there is no %s named '%s'%s", kind->plain, name,
		query_nearest_of(kind->at, name, hint));
}

static bool list_named(const struct list_kind *kind, const struct list_request *q, struct error *err)
{
	struct named_query query = {0};
	if (q->name && !find_name(kind, q->name, &query, err))
		return false;
	if (list_for_programs(q->format))
		return list_named_flat(kind, q, err);
	if (q->name && q->papers && !is_of_paper(&query)) {
		say(stdout, "%s is of no paper: cegsim list %s %s\n", q->name, kind->many, q->name);
		return true;
	}
	if (!list_titles(kind, q, err) || q->format == TABLE_MARKDOWN)
		return q->format == TABLE_MARKDOWN;
	puts("\nLevel: of what is recorded at least (cegsim run --record); without one, of every recording.");
	if (!q->name && !q->verbose) {
		print_rest(kind, q);
		return true;
	}
	if (q->name && query.param_count == 0)
		return true;
	puts("\nParameters; without a default they take in everything:\n");
	return list_parameters(kind, q, err);
}

static void add_query_sql(const struct named_query *query, struct text *sql)
{
	text_add_bytes(sql, query->sql, query->sql_length);
}

bool list_queries(const struct list_request *q, struct error *err)
{
	static const struct list_kind queries = {
		TABLE_CODE("query"), "answers", "query", "queries", query_at, add_query_sql};
	return list_named(&queries, q, err);
}

bool list_figures(const struct list_request *q, struct error *err)
{
	static const struct list_kind figures = {
		TABLE_CODE("figure"), "shows", "figure", "figures", figure_at, figure_sql};
	return list_named(&figures, q, err);
}
