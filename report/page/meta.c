/* report/page/meta.c - writes the description of a page, as docs/viewer.md defines it. */
#include "report/page/meta.h"

#include <inttypes.h>
#include <string.h>

#include "db/levels.h"
#include "db/queries.h"
#include "report/charts/look.h"
#include "report/page/page.h"

#define FORMAT 1

static void add_tables(struct text *t, const struct view_meta *m)
{
	text_add(t, ",\"tables\":{");
	for (int i = 0; i < EXTRACT_TABLES; i++) {
		if (i == EXTRACT_MEASURED && m->rows[i] == 0)
			continue; /* few recordings have any */
		text_printf(t, "%s\"%s\":{\"rows\":%" PRId64 ",\"kept\":%" PRId64 "}", i ? "," : "",
			extract_tables[i].name, m->rows[i], m->kept[i]);
	}
	text_add(t, "}");
}

static void add_windows(struct text *t, const struct view_meta *m)
{
	text_add(t, ",\"windows\":[");
	for (size_t i = 0; i < m->window_count; i++) {
		const struct view_window *w = &m->windows[i];
		text_printf(t,
			"%s\n{\"run\":%" PRId64 ",\"table\":\"%s\",\"from_ns\":%" PRId64 ",\"to_ns\":%" PRId64
			"}",
			i ? "," : "", w->run_id, extract_tables[w->table].name, w->span.from_ns,
			w->span.to_ns);
	}
	text_add(t, "]");
}

static void add_pair(struct text *t, const char *before, const char *name, const char *value)
{
	text_printf(t, "%s\"%s\":", before, name);
	text_add_json(t, value);
}

/* The SQL without the lines of the header. */
static void add_sql(struct text *t, const struct named_query *q)
{
	const char *at = q->sql, *end = at + q->sql_length;
	struct text sql = {0};
	while (at < end && (*at == '\n' || *at == '-')) {
		const char *feed = memchr(at, '\n', (size_t)(end - at));
		at = feed ? feed + 1 : end;
	}
	while (end > at && end[-1] == '\n')
		end--;
	text_add_bytes(&sql, at, (size_t)(end - at));
	add_pair(t, "],", "sql", text_data(&sql));
	t->failed = t->failed || sql.failed;
	text_finish(&sql);
}

/* The level of recording that it needs; null: every level is enough. */
static void add_level(struct text *t, const struct named_query *q)
{
	struct level_need need = level_needed(q);
	if (*need.level)
		text_printf(t, ",\"level\":{\"level\":\"%s\",\"warps\":%d,\"first\":%d}", need.level,
			need.warps, need.first_set);
	else
		text_add(t, ",\"level\":null");
}

/* How the page finds out what its recording lacks. */
static void add_levels(struct text *t)
{
	struct text sql = {0};
	text_add(t, ",\"levels\":{\"tables\":{");
	for (const struct level_table *table = level_tables; table->table; table++)
		text_printf(t, "%s\"%s\":{\"level\":\"%s\",\"warps\":%d,\"first\":0}",
			table == level_tables ? "" : ",", table->table, table->level, table->warps);
	level_sql(&sql);
	add_pair(t, "},", "sql", text_data(&sql));
	text_add(t, "}");
	t->failed = t->failed || sql.failed;
	text_finish(&sql);
}

static void add_query(struct text *t, const struct named_query *q)
{
	add_pair(t, "\n{", "name", q->name);
	add_pair(t, ",", "title", q->title);
	text_add(t, ",\"params\":[");
	for (size_t i = 0; i < q->param_count; i++) {
		add_pair(t, i ? ",{" : "{", "name", q->params[i].name);
		if (*q->params[i].fallback)
			add_pair(t, ",", "fallback", q->params[i].fallback);
		else
			text_add(t, ",\"fallback\":null");
		add_pair(t, ",", "help", q->params[i].help);
		text_add(t, "}");
	}
	add_sql(t, q);
	add_level(t, q);
	text_add(t, "}");
}

static void add_queries(struct text *t)
{
	struct named_query q;
	text_add(t, ",\"queries\":[");
	for (size_t i = 0; query_at(i, &q); i++) {
		text_add(t, i ? "," : "");
		add_query(t, &q);
	}
	text_add(t, "]");
}

void view_meta_add(struct text *to, const struct view_meta *m)
{
	struct text t = {0};
	text_printf(&t, "{\"format\":%d", FORMAT);
	add_pair(&t, ",", "title", m->title);
	add_pair(&t, ",", "tool", CEGSIM_VERSION);
	if (m->interrupted)
		add_pair(&t, ",", "interrupted", m->interrupted);
	else
		text_add(&t, ",\"interrupted\":null");
	text_printf(&t, ",\"recording_bytes\":%" PRId64, m->recording_bytes);
	add_tables(&t, m);
	add_windows(&t, m);
	add_queries(&t);
	add_levels(&t);
	text_add(&t, ",\"looks\":");
	look_add_json(&t);
	text_add(&t, "}");
	page_add_safe(to, text_data(&t));
	to->failed = to->failed || t.failed;
	text_finish(&t);
}
