/* db/subjects.c - see db/subjects.h. */
#include "db/subjects.h"

#include <stdlib.h>

#include "base/list.h"

void subjects_finish(struct subjects *all)
{
	free(all->items);
	*all = (struct subjects){0};
}

static bool add(struct subjects *all, const struct subject *s, struct error *err)
{
	struct subject *grown =
		list_room(all->items, all->count, sizeof(*grown), "the list of task sets", err);
	if (!grown)
		return false;
	all->items = grown;
	all->items[all->count++] = *s;
	return true;
}

static bool list(struct db_reader *reader, const char *sql, struct subjects *all, struct error *err)
{
	struct db_cursor *c = cursor_open(reader, sql, err);
	bool row, ok = c != NULL;
	while (ok && (ok = cursor_next(c, &row, err)) && row) {
		const struct subject s = {cursor_integer(c, 0), cursor_integer(c, 1), cursor_integer(c, 2)};
		ok = add(all, &s, err);
	}
	cursor_close(c);
	return ok;
}

/* Sets for which no row names a platform may be meant for any platform. */
#define LONE                                                                                                 \
	"SELECT s.taskset_id, l.platform_id, 0 FROM taskset s, platform l"                                   \
	" WHERE NOT EXISTS (SELECT 1 FROM run r WHERE r.taskset_id = s.taskset_id)"                          \
	" AND NOT EXISTS (SELECT 1 FROM analysis_run a WHERE a.taskset_id = s.taskset_id)"

bool subjects_list(struct db_reader *reader, bool bare, struct subjects *all, struct error *err)
{
	static const char under_policies[] =
		"SELECT taskset_id, platform_id, policy_id FROM run UNION"
		" SELECT taskset_id, platform_id, policy_id FROM analysis_run UNION " LONE
		" ORDER BY 1, 2, 3";
	static const char sets[] =
		"SELECT taskset_id, platform_id, 0 FROM run UNION"
		" SELECT taskset_id, platform_id, 0 FROM analysis_run UNION " LONE " ORDER BY 1, 2";
	return list(reader, bare ? sets : under_policies, all, err);
}

bool subjects_of_runs(struct db_reader *reader, struct subjects *all, struct error *err)
{
	return list(reader,
		"SELECT DISTINCT taskset_id, platform_id, policy_id FROM run"
		" WHERE status = 'ok' OR status = 'truncated' ORDER BY 1, 2, 3",
		all, err);
}
