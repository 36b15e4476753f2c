/* runs/provenance/provenance.c - see runs/provenance/provenance.h. Owns the two results, and calls the
 * checks. */
#include "runs/provenance/provenance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runs/provenance/checking.h"

static bool find_columns(struct checking *k, enum row_type_id type)
{
	const struct row_type *t = &row_types[type];
	bool has;
	if (!reader_has(k->reader, t->table, NULL, &has, k->err))
		return false;
	k->lacks_table[type] = !has;
	for (size_t i = 0; i < t->column_count; i++) {
		if (!reader_has(k->reader, t->table, t->columns[i].name, &has, k->err))
			return false;
		k->lacks[type][i] = !has;
	}
	return true;
}

/* Finds out what the recording contains. */
static bool find_extent(struct checking *k)
{
	bool ok = reader_has(k->reader, "scenario", "overrides", &k->with_overrides, k->err);
	for (int type = 0; ok && type < ROW_TYPES; type++)
		ok = find_columns(k, (enum row_type_id)type);
	return ok;
}

/* The cursor: scenario_id, kind, name, text, tool_version, overrides. */
static bool check_text(struct checking *k, const struct db_cursor *c)
{
	const char *name = needed_text(c, 2), *text = needed_text(c, 3), *version = needed_text(c, 4);
	bool other = strcmp(version, CEGSIM_VERSION) != 0;
	k->own = !other;
	snprintf(k->subject, sizeof(k->subject), "scenario '%.80s'%s%.40s%s: ", name,
		other ? ", which version " : "", other ? version : "", other ? " has read" : "");
	if (strcmp(needed_text(c, 1), "campaign") == 0)
		return check_campaign(k, cursor_integer(c, 0), name, text);
	return check_scenario(k, cursor_integer(c, 0), name, text, cursor_text(c, 5));
}

static bool check_texts(struct checking *k)
{
	char sql[220];
	snprintf(sql, sizeof(sql),
		"SELECT scenario_id, kind, name, text, tool_version, %s FROM scenario WHERE ?1 < 0 OR"
		" scenario_id = (SELECT scenario_id FROM run WHERE run_id = ?1)",
		k->with_overrides ? "overrides" : "NULL");
	struct rows q = rows_open(k->reader, sql, k->err);
	rows_bind(&q, 1, k->run_id);
	while (rows_next(&q))
		q.ok = check_text(k, q.c);
	k->scenario->runs = k->report->runs;
	return rows_close(&q);
}

static const struct audit_result laws[] = {
	{
		.law = "scenario-rows",
		.level = "summary",
		.summary = "platform, set, setups and policies are those that the stored text "
			   "gives, read again",
	},
	{
		.law = "verdict",
		.level = "summary",
		.summary = "status, reason, ranks and SMs are those that the policy gives, asked again",
	},
};
#define LAW_COUNT (sizeof(laws) / sizeof(laws[0]))

bool provenance_law_at(size_t i, struct audit_result *law)
{
	if (i < LAW_COUNT)
		*law = laws[i];
	return i < LAW_COUNT;
}

bool provenance_check(
	struct db_reader *reader, int64_t run_id, struct audit_report *report, struct error *err)
{
	struct audit_result *grown = realloc(report->results, report->count * sizeof(*grown) + sizeof(laws));
	if (!grown)
		return error_memory(err, "auditing a recording");
	report->results = grown;
	grown += report->count;
	report->count += LAW_COUNT;
	memcpy(grown, laws, sizeof(laws));
	struct checking k = {
		.reader = reader,
		.run_id = run_id,
		.report = report,
		.scenario = &grown[0],
		.verdict = &grown[1],
		.err = err,
	};
	return find_extent(&k) && check_texts(&k) && check_verdicts(&k);
}
