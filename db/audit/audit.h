/* db/audit/audit.h - checks recorded schedules against the rules, from the database alone.
 *
 * The audit reads what a recording says about each run (platform, task set, policy, jobs, intervals, blocks,
 * power). What docs/model.md demands of it is derived again, in code that shares nothing with the engine.
 * Each demand is a law (db/audit/laws.c); the level of recording decides which laws can be checked.
 * docs/audit.md lists them. */
#ifndef CEGSIM_DB_AUDIT_AUDIT_H
#define CEGSIM_DB_AUDIT_AUDIT_H

#include "db/audit/report.h"
#include "db/reader.h"

/* The i-th law, in the order of the report: only its name, summary and level are set. False: there are no
 * more. */
bool audit_law_at(size_t i, struct audit_result *law);

/* Audits every run of the recording at `path`, or the run with this id. False with the error: the file cannot
 * be read or is no recording (STATUS_IO, STATUS_INPUT), there is no such run (STATUS_INPUT), or memory ran
 * out. Broken laws are no error: they are in the report, which must be finished either way. */
MUST_CHECK bool audit_file(const char *path, int64_t run_id, struct audit_report *report, struct error *err);
/* The same of one that is open. */
MUST_CHECK bool audit_recording(
	struct db_reader *reader, int64_t run_id, struct audit_report *report, struct error *err);

#endif
