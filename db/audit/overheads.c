/* db/audit/overheads.c - reads the overheads of the platform (docs/model.md, "Overheads"). Recordings before
 * version 4 have none. */
#include "db/audit/recording.h"

#define TIME_MAX (INT64_C(1) << 62)

bool overheads_load(struct recording *r, struct db_reader *source, struct error *err)
{
	static const char sql[] = "SELECT overhead_launch_ns, overhead_latency_ns, overhead_gap_ns,"
				  " overhead_sync_ns, overhead_switch_ns, overhead_release_ns"
				  " FROM platform WHERE platform_id = ?1";
	bool has;
	if (!reader_has(source, "platform", "overhead_launch_ns", &has, err))
		return false;
	if (!has)
		return true;
	struct audit_machine *m = &r->machine;
	int64_t *const each[] = {&m->takes.launch_ns, &m->takes.latency_ns, &m->takes.gap_ns,
		&m->takes.sync_ns, &m->takes.switch_ns, &m->takes.release_ns};
	struct rows q = query_rows(source, sql, r->platform_id, err);
	while (rows_next(&q)) {
		for (int i = 0; i < 6; i++) {
			int64_t ns = column(q.c, i);
			*each[i] = ns == NOT_GIVEN ? 0 : ns;
			if (*each[i] < 0 || *each[i] > TIME_MAX)
				q.ok = error_set(err, STATUS_INPUT,
					"run %lld: its platform has impossible overheads",
					(long long)r->run_id);
		}
	}
	return rows_close(&q);
}
