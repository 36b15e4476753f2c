/* cli/run_rows.c - see cli/run_rows.h. */
#include "cli/run_rows.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/checked.h"
#include "base/say.h"

static void add_time(struct table *t, bool known, int64_t ns)
{
	known ? table_time(t, ns) : table_null(t);
}

/* To the nanosecond, as in recordings. */
static int64_t mean_ns(const struct task_statistics *s)
{
	return s->responses ? div_half_even(s->response_sum_ns, (int64_t)s->responses) : 0;
}

/* Thread instructions per cycle. */
static void ipc(struct table *t, bool known, int64_t millionths)
{
	known ? table_real(t, (double)millionths * 1e-6) : table_null(t);
}

void row_of_kernel(struct table *t, const struct task *task, const struct task_statistics *s,
	const struct warp_kernel_result *k)
{
	bool any = s->responses > 0;
	table_text(t, task->name);
	table_integer(t, (int64_t)s->jobs);
	table_integer(t, (int64_t)s->misses);
	add_time(t, any, mean_ns(s));
	add_time(t, any, s->max_response_ns);
	add_time(t, task->deadline_ns > 0, task->deadline_ns);
	table_integer(t, k->warp_instructions);
	ipc(t, k->cycles > 0, k->ipc);
	ipc(t, k->alone >= 0, k->alone);
	ipc(t, k->goal >= 0, k->goal);
	table_text(t, k->goal < 0 ? NULL : k->reached ? "yes" : "no");
	table_integer(t, k->swaps);
}

void row_of_task(struct table *t, const struct task *task, const struct task_statistics *s)
{
	bool any = s->responses > 0;
	table_text(t, task->name);
	table_integer(t, (int64_t)s->jobs);
	table_integer(t, (int64_t)s->misses);
	add_time(t, any, s->min_response_ns);
	add_time(t, any, mean_ns(s));
	add_time(t, any, s->max_response_ns);
	table_time(t, task->deadline_ns);
}

/* ---- limits of misses ---- */

bool miss_limit_broken(const struct task *task, const struct task_statistics *s)
{
	return task->misses_in ? s->window.most > task->misses_at_most : s->misses > 0;
}

void miss_limits_print(const char *who, const struct taskset *set, const struct task_statistics *tasks)
{
	for (uint32_t i = 0; i < set->task_count; i++) {
		const struct task *t = &set->tasks[i];
		const struct miss_window *w = &tasks[i].window;
		if (!t->misses_in || !miss_limit_broken(t, &tasks[i]))
			continue;
		uint32_t first = w->most_end + 1 > t->misses_in ? w->most_end + 1 - t->misses_in : 0;
		say(stdout,
			"%s: task '%s' missed %" PRIu32 " of its jobs %" PRIu32 " to %" PRIu32
			"; its limit is %" PRIu32 " in %" PRIu32 "\n",
			who, t->name, w->most, first, w->most_end, t->misses_at_most, t->misses_in);
	}
}
