/* tests/oracle/bounds_plain_tsg.c - see tests/oracle/bounds_plain_tsg.h. */
#include "tests/oracle/bounds_plain_tsg.h"

static bool uses_gpu(const struct plain_tsg_task *t)
{
	bool uses = false;
	for (int j = 0; j < PLAIN_TSG_SECTIONS; j++)
		uses |= t->section[j] > 0;
	return uses;
}

/* A section is served slice by slice; in front of each, so many others have one, each behind a switch. */
static int64_t waits(const struct plain_tsg_set *s, const struct plain_tsg_task *t, int others)
{
	int64_t all = 0;
	for (int j = 0; j < PLAIN_TSG_SECTIONS; j++)
		for (int64_t left = t->section[j]; left > 0; left -= s->slice) {
			for (int k = 0; k < others; k++)
				all += s->change + s->slice;
			all += s->paper ? 0 : s->change;
		}
	return all;
}

static int64_t gpu(const struct plain_tsg_task *t)
{
	int64_t sum = 0;
	for (int j = 0; j < PLAIN_TSG_SECTIONS; j++)
		sum += t->section[j];
	return sum;
}

static int others(const struct plain_tsg_set *s, int i)
{
	int count = 0;
	for (int k = 0; k < s->count; k++)
		count += k != i && uses_gpu(&s->task[k]);
	return count;
}

/* What a job of h takes of i's core. */
static int64_t on_core(const struct plain_tsg_set *s, int h, int i)
{
	const struct plain_tsg_task *t = &s->task[h];
	int beside = 1;
	if (t->core != s->task[i].core)
		return 0;
	if (!s->busy || !uses_gpu(t))
		return t->cpu;
	if (!s->paper)
		return t->cpu + gpu(t) + waits(s, t, others(s, h));
	for (int k = 0; k < s->count; k++)
		beside += uses_gpu(&s->task[k]) && (k >= i || s->task[k].core != t->core);
	return t->cpu + waits(s, t, beside);
}

void plain_tsg(const struct plain_tsg_set *s, int64_t response[PLAIN_TSG_TASKS])
{
	for (int i = 0; i < s->count; i++) {
		const struct plain_tsg_task *t = &s->task[i];
		int64_t own = t->cpu + gpu(t) + waits(s, t, others(s, i)), window = own;
		response[i] = PLAIN_TSG_NONE;
		for (; window <= PLAIN_TSG_LIMIT && response[i] == PLAIN_TSG_NONE; window++) {
			int64_t sum = own;
			for (int h = 0; h < i; h++) {
				const struct plain_tsg_task *u = &s->task[h];
				int64_t late = response[h] <= u->deadline ? response[h] : u->deadline;
				late = s->busy || !uses_gpu(u) ? 0 : late - u->cpu;
				for (int64_t at = -late; at < window; at += u->period)
					sum += on_core(s, h, i);
			}
			if (sum <= window)
				response[i] = window;
		}
	}
}
