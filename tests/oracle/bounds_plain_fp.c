/* tests/oracle/bounds_plain_fp.c - see tests/oracle/bounds_plain_fp.h. Proof that this is the worst case: Liu
 * and Layland 1973; Davis, Burns, Bril, Lukkien 2007. */
#include "tests/oracle/bounds_plain_fp.h"

struct play {
	const struct plain_fp_task *task;
	int k;
	int64_t left[PLAIN_FP_TASKS]; /* what is left of the current job */
	int64_t done[PLAIN_FP_TASKS]; /* number of jobs that are done */
};

static int64_t released(const struct play *p, int i, int64_t now)
{
	return p->task[i].cost ? now / p->task[i].period + 1 : 0;
}

/* The highest task with a job that was released and is not done; -1: none. */
static int next(const struct play *p, int64_t now)
{
	for (int i = 0; i <= p->k; i++)
		if (released(p, i, now) > p->done[i])
			return i;
	return -1;
}

int64_t plain_fp(
	const struct plain_fp_task *task, int count, bool preemptive, int k, int64_t until, bool *ended)
{
	struct play p = {.task = task, .k = k};
	int64_t worst = 0, lower = 0;
	int running = -1;
	for (int i = 0; i <= k; i++)
		p.left[i] = task[i].cost;
	for (int l = k + 1; l < count && !preemptive; l++)
		lower = task[l].cost > lower ? task[l].cost : lower;
	*ended = true;
	if (task[k].cost == 0)
		return 0;
	for (int64_t now = 0; now < until; now++) {
		if (lower > 0) {
			lower--;
			continue;
		}
		if (preemptive || running < 0)
			running = next(&p, now);
		if (running < 0)
			return worst;
		if (--p.left[running] > 0)
			continue;
		if (running == k && now + 1 - p.done[k] * task[k].period > worst)
			worst = now + 1 - p.done[k] * task[k].period;
		p.left[running] = task[running].cost;
		p.done[running]++;
		running = -1;
		/* Nothing that was released before this instant is left: the busy period is over, whatever is
		 * released now. */
		bool over = true;
		for (int i = 0; i <= k; i++)
			over &= !task[i].cost || p.done[i] >= (now + task[i].period) / task[i].period;
		if (over)
			return worst;
	}
	*ended = false;
	return worst;
}
