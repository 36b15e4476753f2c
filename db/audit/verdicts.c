/* db/audit/verdicts.c - the laws on campaigns with `record: verdicts` (docs/campaigns.md), asked once a file:
 *
 * `verdicts`: units come in order, and each answers every question on each platform, at its point; a unit is
 * recorded once, with its rows or with answers; and none is missing.
 * `tally`: its rows are the counts of the verdicts.
 *
 * Of a campaign of a scenario, units are replications: unit u is replication u mod sets, runs are asked under
 * the policies of its point, and analyses of replication 0.
 *
 * Verdicts are read once, in the order in which they were written. Memory is for the answers of one unit, the
 * counts of one point, and the points. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "db/audit/identity.h"

#define LAW "verdicts"
#define LAW_TALLY "tally"

struct answer {
	int64_t point, platform, question, replication;
};

/* What tally says of a point, a platform and a question. */
struct count {
	int64_t platform, question;
	int64_t first_unit, sets, n, k, refused, truncated;
	int64_t last_unit; /* whose answer was counted last */
};

struct answers {
	struct answer *row;
	size_t count, capacity;
};

struct verdicts {
	struct audit *a;
	struct answers unit;  /* of the unit that is read */
	struct answers first; /* of the first unit: the questions, of its first platform */
	struct answers like;  /* of the first unit of this point */
	int64_t at;           /* the unit */
	int64_t point;        /* of `like` and `counts`; NOT_GIVEN: none yet */
	struct count *counts;
	size_t count_count, count_capacity;
	int64_t sets_least, sets_most; /* so many units has a point, as far as is known */
	struct rows kept;              /* units with rows of their own, ascending */
	bool more_kept;
	struct rows stretches; /* first_unit, units, ascending */
	bool more_stretches;
	int64_t due;               /* the next unit that must be there, in the stretch */
	bool whole;                /* that a unit is missing can be seen */
	bool scenario;             /* a scenario's campaign: units are replications */
	int64_t analyses, of_runs; /* questions to analyses; those to runs come first */
	bool ok;                   /* false: *a->err */
};

static bool add(struct verdicts *v, struct answers *list, const struct answer *row)
{
	if (!list_reserve(&list->row, &list->capacity, list->count + 1, sizeof(*list->row)))
		return v->ok = error_memory(v->a->err, "auditing a recording");
	list->row[list->count++] = *row;
	return true;
}

/* ---- tally ---- */

static struct count *count_of(struct verdicts *v, int64_t platform, int64_t question)
{
	for (size_t i = 0; i < v->count_count; i++)
		if (v->counts[i].platform == platform && v->counts[i].question == question)
			return &v->counts[i];
	if (!list_reserve(&v->counts, &v->count_capacity, v->count_count + 1, sizeof(*v->counts))) {
		v->ok = error_memory(v->a->err, "auditing a recording");
		return NULL;
	}
	struct count *c = &v->counts[v->count_count++];
	*c = (struct count){.platform = platform, .question = question, .last_unit = NOT_GIVEN};
	return c;
}

static void count_answer(struct verdicts *v, const struct answer *row, const char *verdict)
{
	struct count *c = count_of(v, row->platform, row->question);
	if (!c)
		return;
	if (c->n == 0 || v->at < c->first_unit)
		c->first_unit = v->at;
	c->sets += c->last_unit != v->at;
	c->last_unit = v->at;
	c->n++;
	c->k += strcmp(verdict, "schedulable") == 0;
	c->refused += strcmp(verdict, "refused") == 0;
	c->truncated += strcmp(verdict, "truncated") == 0;
}

static void compare_tally(struct verdicts *v, const struct db_cursor *c)
{
	static const char *const names[] = {"first_unit", "sets", "n", "k", "refused", "truncated"};
	int64_t platform = column(c, 0), question = column(c, 1);
	const struct count *mine = count_of(v, platform, question);
	identity_held(v->a, LAW_TALLY, 1);
	if (!mine)
		return;
	const int64_t is[] = {mine->first_unit, mine->sets, mine->n, mine->k, mine->refused, mine->truncated};
	for (int i = 0; i < 6; i++) {
		if (column(c, 2 + i) == is[i])
			continue;
		identity_wrong(v->a, LAW_TALLY,
			"tally: point %" PRId64 ", platform %" PRId64 ", question %" PRId64 ": %s is %" PRId64
			", and the verdicts make it %" PRId64,
			v->point, platform, question, names[i], column(c, 2 + i), is[i]);
		return;
	}
}

/* The rows of the point that has been counted. A sweep that was interrupted makes no tally. */
static void end_point(struct verdicts *v)
{
	if (v->point == NOT_GIVEN || reader_interrupted(v->a->reader))
		return;
	size_t counted = v->count_count, rows = 0;
	struct rows q = query_rows(v->a->reader,
		"SELECT platform_id, question_id, first_unit, sets, n, k, refused, truncated FROM tally"
		" WHERE point_id = ?1",
		v->point, v->a->err);
	for (; rows_next(&q); rows++)
		compare_tally(v, q.c);
	v->ok = rows_close(&q) && v->ok;
	v->a->report->rows += rows;
	if (rows != counted)
		identity_wrong(v->a, LAW_TALLY,
			"tally: point %" PRId64 " has %zu rows, and verdicts of %zu platforms and questions",
			v->point, rows, counted);
}

/* ---- a unit ---- */

static bool same_answer(const struct answer *a, const struct answer *b)
{
	return a->platform == b->platform && a->question == b->question && a->replication == b->replication;
}

/* The first unit of all: on each platform the same questions, all of the table, each once a replication. */
static void check_questions(struct verdicts *v)
{
	const struct answers *u = &v->unit;
	for (size_t i = 0; i < u->count && u->row[i].platform == u->row[0].platform; i++)
		if (!add(v, &v->first, &u->row[i]))
			return;
	struct rows q =
		rows_open(v->a->reader, "SELECT question_id, analysis IS NOT NULL FROM question", v->a->err);
	while (rows_next(&q)) {
		int64_t question = cursor_integer(q.c, 0), answers = 0;
		bool wrong = false;
		for (size_t i = 0; i < v->first.count; i++) {
			if (v->first.row[i].question != question)
				continue;
			int64_t replication = cursor_integer(q.c, 1) ? NOT_GIVEN : answers;
			wrong |= v->first.row[i].replication != replication;
			answers++;
		}
		if (answers == 0 || wrong || (cursor_integer(q.c, 1) && answers > 1))
			identity_wrong(v->a, LAW,
				"verdict: unit %" PRId64 ": question %" PRId64 " has %" PRId64
				" answers on a platform, which %s",
				v->at, question, answers,
				wrong ? "are not of replications 0, 1, ... (of an analysis: of none)"
				      : "is not one of each replication");
	}
	v->ok = rows_close(&q) && v->ok;
}

/* That of the first unit of a point: each platform has the questions of the first unit of all. */
static bool asks_all(const struct verdicts *v)
{
	const struct answers *u = &v->unit, *f = &v->first;
	for (size_t i = 0; i < u->count; i++) {
		struct answer due = f->row[i % f->count];
		due.platform = u->row[i - i % f->count].platform;
		if (!same_answer(&u->row[i], &due))
			return false;
		for (size_t k = 0; i % f->count == 0 && k < i; k += f->count)
			if (u->row[k].platform == due.platform)
				return false;
	}
	return u->count % f->count == 0;
}

static bool same_question(const struct answer *a, const struct answer *b)
{
	return a->platform == b->platform && a->question == b->question;
}

static bool answers_like(const struct answers *a, const struct answers *b)
{
	for (size_t i = 0; i < a->count && i < b->count; i++)
		if (!same_answer(&a->row[i], &b->row[i]))
			return false;
	return a->count == b->count;
}

/* Unit u is of point u / sets: is there a number of sets for which all are? */
static void check_point(struct verdicts *v, int64_t unit, int64_t point)
{
	int64_t least = point < 0 || unit < 0 ? INT64_MAX : unit / (point + 1) + 1;
	int64_t most = point > 0 ? unit / point : INT64_MAX;
	if (least > v->sets_most || most < v->sets_least || least > most) {
		identity_wrong(v->a, LAW,
			"verdict: unit %" PRId64 " is of point %" PRId64
			", and others say that a point has %" PRId64 "%s units",
			unit, point, v->sets_least, v->sets_least == v->sets_most ? "" : " or more");
		return;
	}
	v->sets_least = least > v->sets_least ? least : v->sets_least;
	v->sets_most = most < v->sets_most ? most : v->sets_most;
}

/* The questions to runs of a replication: each once, and those of the first unit of its point. */
static bool asks_runs(struct verdicts *v, size_t runs)
{
	const struct answer *row = v->unit.row;
	if (v->like.count > 0 && v->like.count != runs)
		return false;
	for (size_t i = 0; i < runs; i++) {
		if (v->like.count > 0 && !same_question(&v->like.row[i], &row[i]))
			return false;
		for (size_t k = 0; k < i; k++)
			if (row[k].question == row[i].question)
				return false;
	}
	for (size_t i = 0; i < runs && v->like.count < runs; i++)
		if (!add(v, &v->like, &row[i]))
			return true;
	return true;
}

/* A replication of a scenario: its number fits, and it answers what it is asked. */
static void check_replication(struct verdicts *v)
{
	const struct answers *u = &v->unit;
	int64_t point = u->row[0].point, number = u->row[0].replication, sets = v->sets_least;
	size_t runs = 0;
	bool sound = true;
	while (runs < u->count && u->row[runs].question <= v->of_runs)
		runs++;
	number = runs > 0 ? number : 0;
	for (size_t i = 0; i < u->count; i++)
		sound = sound && u->row[i].platform == u->row[0].platform &&
			u->row[i].replication == (i < runs ? number : NOT_GIVEN) &&
			(i < runs || u->row[i].question == v->of_runs + 1 + (int64_t)(i - runs));
	if (!sound || !asks_runs(v, runs) || (int64_t)(u->count - runs) != (number == 0 ? v->analyses : 0)) {
		identity_wrong(v->a, LAW,
			"verdict: unit %" PRId64
			" has %zu answers, not those of a replication to the questions at its point",
			v->at, u->count);
		return;
	}
	if (point > 0 && number >= 0)
		sets = (v->at - number) / point;
	if (number < 0 || point * sets + number != v->at || sets < v->sets_least || sets > v->sets_most ||
		(point == 0 && number >= v->sets_most)) {
		identity_wrong(v->a, LAW,
			"verdict: unit %" PRId64 " is not replication %" PRId64 " of point %" PRId64, v->at,
			number, point);
		return;
	}
	if (point > 0)
		v->sets_least = v->sets_most = sets;
}

/* Units before this one that have rows of their own, or failed; and whether this one has. */
static bool is_kept(struct verdicts *v, int64_t unit)
{
	while (v->more_kept && cursor_integer(v->kept.c, 0) < unit)
		v->more_kept = rows_next(&v->kept);
	return v->more_kept && cursor_integer(v->kept.c, 0) == unit;
}

/* Units from `due` to before `end` have no verdicts. Of a damaged stretch they may be any number: what is
 * looked at are those that have rows, and each gap between them is one finding. */
static void pass_gaps(struct verdicts *v, int64_t end)
{
	while (v->due < end) {
		bool kept = is_kept(v, v->due);
		int64_t to = v->more_kept && cursor_integer(v->kept.c, 0) < end ? cursor_integer(v->kept.c, 0)
										: end;
		identity_held(v->a, LAW, 1);
		if (!kept && v->whole && to - v->due == 1)
			identity_wrong(v->a, LAW,
				"stretch: unit %" PRId64 " was written, and it has neither rows nor verdicts",
				v->due);
		else if (!kept && v->whole)
			identity_wrong(v->a, LAW,
				"stretch: units %" PRId64 " to %" PRId64
				" were written, and they have neither rows nor verdicts",
				v->due, to - 1);
		v->due = kept ? v->due + 1 : to;
	}
}

/* All units of stretches in front of this one must have been there. */
static void pass_due(struct verdicts *v, int64_t unit)
{
	while (v->more_stretches && v->due < unit && v->ok) {
		int64_t first = cursor_integer(v->stretches.c, 0), end;
		if (__builtin_add_overflow(first, cursor_integer(v->stretches.c, 1), &end))
			end = cursor_integer(v->stretches.c, 1) > 0 ? INT64_MAX : first;
		if (v->due < first)
			v->due = first;
		pass_gaps(v, end < unit ? end : unit);
		if (v->due >= end)
			v->more_stretches = rows_next(&v->stretches);
	}
}

static void end_unit(struct verdicts *v)
{
	if (v->unit.count == 0)
		return;
	pass_due(v, v->at);
	if (v->due == v->at && v->at < INT64_MAX)
		v->due++;
	identity_held(v->a, LAW, 1);
	if (is_kept(v, v->at))
		identity_wrong(v->a, LAW, "verdict: unit %" PRId64 " has rows of its own, too", v->at);
	if (v->scenario) {
		check_replication(v);
		v->unit.count = 0;
		return;
	}
	bool begins = v->first.count == 0, of_point = v->like.count == 0;
	if (begins)
		check_questions(v);
	if (!v->ok)
		return;
	if (of_point ? !asks_all(v) : !answers_like(&v->unit, &v->like))
		identity_wrong(v->a, LAW,
			"verdict: unit %" PRId64
			" has %zu answers, not those to the same questions as unit %" PRId64,
			v->at, v->unit.count, of_point ? v->first.row[0].point : v->like.row[0].point);
	for (size_t i = 0; i < v->unit.count && of_point; i++) {
		struct answer row = v->unit.row[i];
		row.point = v->at;
		if (!add(v, &v->like, &row))
			return;
	}
	if (begins)
		v->first.row[0].point = v->at;
	v->unit.count = 0;
}

/* ---- all of them ---- */

static void take(struct verdicts *v, const struct db_cursor *c)
{
	int64_t unit = column(c, 0);
	const struct answer row = {column(c, 1), column(c, 2), column(c, 3), column(c, 4)};
	const char *verdict = cursor_text(c, 5);
	v->a->report->rows++;
	identity_held(v->a, LAW, 1);
	if (unit != v->at || v->unit.count == 0) {
		if (unit <= v->at && v->at != NOT_GIVEN)
			identity_wrong(v->a, LAW, "verdict: unit %" PRId64 " comes behind unit %" PRId64,
				unit, v->at);
		end_unit(v);
		v->at = unit;
		check_point(v, unit, row.point);
	} else if (row.point != v->unit.row[0].point)
		identity_wrong(v->a, LAW, "verdict: unit %" PRId64 " is of points %" PRId64 " and %" PRId64,
			unit, v->unit.row[0].point, row.point);
	if (row.point != v->point) {
		end_point(v);
		v->point = row.point;
		v->count_count = v->like.count = 0;
	}
	if (!verdict || (strcmp(verdict, "schedulable") != 0 && strcmp(verdict, "unschedulable") != 0 &&
				strcmp(verdict, "refused") != 0 && strcmp(verdict, "truncated") != 0))
		identity_wrong(v->a, LAW, "verdict: unit %" PRId64 ": '%s' is no verdict", unit,
			verdict ? verdict : "NULL");
	count_answer(v, &row, verdict ? verdict : "");
	if (v->ok)
		(void)add(v, &v->unit, &row);
}

/* Points that only the tally has; and sets that are kept, of another point than their unit's. */
static void check_rest(struct verdicts *v)
{
	static const char tallied[] = "SELECT count(*), min(point_id) FROM tally"
				      " WHERE point_id NOT IN (SELECT point_id FROM grid_point)"
				      " OR platform_id NOT IN (SELECT platform_id FROM platform)"
				      " OR question_id NOT IN (SELECT question_id FROM question)";
	static const char misplaced[] = "SELECT min(s.recipe_index) FROM taskset s JOIN grid_point g"
					" ON g.point_id = s.recipe_index / ?1 WHERE s.recipe IS NOT g.recipe";
	struct rows q = rows_open(v->a->reader, tallied, v->a->err);
	while (rows_next(&q))
		if (cursor_integer(q.c, 0) > 0)
			identity_wrong(v->a, LAW_TALLY,
				"tally: %" PRId64 " rows, the first of point %" PRId64
				", are of no point, platform or question",
				cursor_integer(q.c, 0), cursor_integer(q.c, 1));
	v->ok = rows_close(&q) && v->ok;
	int64_t unit = NOT_GIVEN;
	if (v->ok && v->sets_least == v->sets_most)
		v->ok = query_number(v->a->reader, misplaced, v->sets_least, &unit, v->a->err);
	if (v->ok && unit != NOT_GIVEN && v->sets_least == v->sets_most)
		identity_wrong(v->a, LAW,
			"taskset: the set of unit %" PRId64 " is of another recipe than its point", unit);
}

/* Equal sets are recorded once. So of units without runs it is not known which have rows, unless none has. */
static const char whole_sql[] =
	"SELECT EXISTS (SELECT 1 FROM question WHERE question_id >= ?1 AND analysis IS NULL)"
	" OR NOT EXISTS (SELECT 1 FROM taskset)";
/* Runs of a scenario have the number of no set. */
static const char kept_sql[] =
	"SELECT set_number FROM run WHERE ?1 = 0 UNION SELECT recipe_index FROM taskset"
	" WHERE recipe_index IS NOT NULL UNION SELECT unit FROM failed_unit ORDER BY 1";
static const char verdicts_sql[] =
	"SELECT unit, point_id, platform_id, question_id, replication, verdict FROM verdict ORDER BY rowid";

/* What kind of campaign it is. Questions to runs have the numbers before those to analyses. */
static bool ask_questions(struct verdicts *v)
{
	struct rows q = rows_open(v->a->reader,
		"SELECT (SELECT count(*) FROM question WHERE analysis IS NOT NULL),"
		" (SELECT count(*) FROM question WHERE analysis IS NULL),"
		" EXISTS (SELECT 1 FROM grid_point WHERE json_extract(recipe, '$.recipe') = 'scenario')",
		v->a->err);
	while (rows_next(&q)) {
		v->analyses = cursor_integer(q.c, 0);
		v->of_runs = cursor_integer(q.c, 1);
		v->scenario = cursor_integer(q.c, 2) != 0;
	}
	return rows_close(&q);
}

static bool check(struct verdicts *v)
{
	struct db_reader *r = v->a->reader;
	int64_t whole;
	if (!query_number(r, whole_sql, 0, &whole, v->a->err))
		return false;
	if (!ask_questions(v))
		return false;
	v->whole = whole == 1 && !(v->scenario && v->of_runs == 0);
	v->kept = query_rows(r, kept_sql, v->scenario, v->a->err);
	v->more_kept = rows_next(&v->kept);
	v->stretches = rows_open(r, "SELECT first_unit, units FROM stretch ORDER BY first_unit", v->a->err);
	v->more_stretches = rows_next(&v->stretches);
	struct rows q = rows_open(r, verdicts_sql, v->a->err);
	while (v->ok && rows_next(&q))
		take(v, q.c);
	end_unit(v);
	pass_due(v, INT64_MAX);
	end_point(v);
	check_rest(v);
	v->ok = rows_close(&q) && v->ok;
	v->ok = rows_close(&v->kept) && v->ok;
	return rows_close(&v->stretches) && v->ok;
}

bool verdicts_check(struct audit *a, int64_t run_id)
{
	bool has;
	int64_t any = 0;
	if (run_id != AUDIT_ALL_RUNS)
		return true;
	if (!reader_has(a->reader, "verdict", NULL, &has, a->err))
		return false;
	if (!has)
		return true;
	if (!query_number(a->reader, "SELECT EXISTS (SELECT 1 FROM question WHERE question_id >= ?1)", 0,
		    &any, a->err))
		return false;
	if (!any)
		return true;
	struct verdicts v = {.a = a,
		.at = NOT_GIVEN,
		.point = NOT_GIVEN,
		.due = INT64_MIN,
		.sets_least = 1,
		.sets_most = INT64_MAX,
		.ok = true};
	identity_of_file(a, LAW);
	identity_of_file(a, LAW_TALLY);
	bool ok = check(&v);
	free(v.unit.row);
	free(v.first.row);
	free(v.like.row);
	free(v.counts);
	return ok && !a->failed;
}
