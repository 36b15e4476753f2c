/* db/audit/laws_identity.c - the law on the digest of a run's schedule, which is computed while its jobs are
 * read; and how the laws of db/audit/identity.h report. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "db/audit/digest.h"
#include "db/audit/identity.h"

static struct audit_result *result_of(struct audit *a, const char *law)
{
	size_t i = 0;
	while (i + 1 < a->report->count && strcmp(a->report->results[i].law, law) != 0)
		i++;
	return &a->report->results[i];
}

void identity_of_file(struct audit *a, const char *law)
{
	struct audit_result *result = result_of(a, law);
	result->runs = 1;
	result->of_file = true;
}

void identity_held(struct audit *a, const char *law, uint64_t count)
{
	result_of(a, law)->checked += count;
}

void identity_wrong(struct audit *a, const char *law, const char *fmt, ...)
{
	struct text words = {0};
	va_list args;
	va_start(args, fmt);
	a->failed |= !audit_finding(a->report, result_of(a, law), &words, a->err, fmt, args);
	va_end(args);
}

/* ---- The digest of the schedule ---- */

static int64_t or_none(int64_t value)
{
	return value == NOT_GIVEN ? -1 : value;
}

static uint64_t compare_digest(struct audit *a, const struct moment *m)
{
	char text[HASH_TEXT];
	struct db_cursor *c = query_open(
		a->reader, "SELECT events_digest, digest FROM run WHERE run_id = ?1", a->r->run_id, a->err);
	bool row, ok = c && cursor_next(c, &row, a->err);
	const char *events = ok ? cursor_text(c, 0) : NULL, *recorded = ok ? cursor_text(c, 1) : NULL;
	hash_print(hash_schedule(events ? strtoull(events, NULL, 16) : 0, a->jobs_hash), text);
	if (ok && (!events || !recorded || strcmp(recorded, text) != 0))
		broken(a, "run", m, "its jobs and events_digest make %s, and its digest is %s", text,
			recorded ? recorded : "not there");
	cursor_close(c);
	a->failed |= !ok;
	return 1;
}

uint64_t law_run_digest(struct audit *a, const struct moment *m)
{
	if (m->at == AT_END)
		return compare_digest(a, m);
	const struct job *j = m->job;
	const struct hashed_job hashed = {m->track->index, j->seq, or_none(j->release), or_none(j->deadline),
		or_none(j->first_start), or_none(j->finish), j->outcome};
	a->jobs_hash += hash_job(&hashed);
	return 1;
}
