/* db/audit/cores.c - reads the cores of the platform, and which of them the tasks have (docs/model.md,
 * "Cores"). Early recordings of version 4, and those before, know one. */
#include <string.h>

#include "db/audit/recording.h"

#define CORES_MAX 65536

static bool implausible(const struct recording *r, struct error *err)
{
	return error_set(
		err, STATUS_INPUT, "run %lld: its platform has impossible cores", (long long)r->run_id);
}

static bool load_tasks(struct recording *r, struct db_reader *source, struct error *err)
{
	struct rows q = query_rows(source,
		"SELECT task_idx, core FROM task WHERE taskset_id = ?1 AND core IS NOT NULL", r->taskset_id,
		err);
	while (rows_next(&q)) {
		int64_t task = column(q.c, 0), core = column(q.c, 1);
		if (task < 0 || task >= r->tasks || core < 0 || core >= r->machine.cores)
			q.ok = implausible(r, err);
		else if (!r->machine.global)
			r->task[task].core = (uint32_t)core;
	}
	return rows_close(&q);
}

bool cores_load(struct recording *r, struct db_reader *source, struct error *err)
{
	bool has;
	r->machine.cores = 1;
	if (!reader_has(source, "platform", "core_scheduling", &has, err))
		return false;
	if (!has)
		return true;
	struct rows q = query_rows(source,
		"SELECT cores, core_scheduling FROM platform WHERE platform_id = ?1", r->platform_id, err);
	while (rows_next(&q)) {
		const char *scheduling = cursor_text(q.c, 1);
		int64_t cores = column(q.c, 0);
		if (cores < 1 || cores > CORES_MAX)
			q.ok = implausible(r, err);
		else
			r->machine.cores = (uint32_t)cores;
		r->machine.global = cores > 1 && scheduling && strcmp(scheduling, "global") == 0;
	}
	return rows_close(&q) && load_tasks(r, source, err);
}
