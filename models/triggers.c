/* models/triggers.c - tasks that are released by the ends of jobs of others (docs/model.md, "Chains and
 * triggers"): job k when the k-th finished jobs of all its predecessors have finished. The task's release
 * slot is armed at that instant, so the release comes in its phase 3, in the order of tasks.
 *
 * Such a release is no function of the job's number, so those of waiting jobs are kept, in a ring that grows.
 * That is the only memory that a run allocates after it was made. */
#include "models/machine.h"

#define FIRST_RING 16u

static bool init_task(struct machine *m, uint32_t task)
{
	const struct release_rule *rule = m->tasks[task].rule;
	struct triggered *t = &m->triggers.of[task];
	t->finished = arena_new(&m->arena, uint32_t, rule->after_count);
	for (uint32_t i = 0; i < rule->after_count; i++) {
		struct followers *f = &m->triggers.followers[rule->after[i]];
		f->follower[f->count++] = (struct follower){.task = task, .place = i};
	}
	return t->finished != NULL;
}

/* Room for the followers of each task, as many as it has. */
static bool init_followers(struct machine *m)
{
	m->triggers.followers = arena_new(&m->arena, struct followers, m->task_count);
	if (!m->triggers.followers)
		return false;
	for (uint32_t i = 0; i < m->task_count; i++) {
		const struct release_rule *rule = m->tasks[i].rule;
		for (uint32_t k = 0; rule->kind == RELEASE_AFTER && k < rule->after_count; k++)
			m->triggers.followers[rule->after[k]].count++;
	}
	for (uint32_t i = 0; i < m->task_count; i++) {
		struct followers *f = &m->triggers.followers[i];
		if (f->count > 0 && !(f->follower = arena_new(&m->arena, struct follower, f->count)))
			return false;
		f->count = 0;
	}
	return true;
}

bool triggers_init(struct machine *m)
{
	for (uint32_t i = 0; i < m->task_count; i++)
		m->triggers.used |= m->tasks[i].rule->kind == RELEASE_AFTER;
	if (!m->triggers.used)
		return true;
	m->triggers.of = arena_new(&m->arena, struct triggered, m->task_count);
	if (!m->triggers.of || !init_followers(m))
		return false;
	for (uint32_t i = 0; i < m->task_count; i++)
		if (m->tasks[i].rule->kind == RELEASE_AFTER && !init_task(m, i))
			return false;
	return true;
}

/* Jobs of the task that all its predecessors let go. */
static uint32_t let_go(const struct machine *m, uint32_t task)
{
	const struct triggered *t = &m->triggers.of[task];
	uint32_t least = UINT32_MAX;
	for (uint32_t i = 0; i < m->tasks[task].rule->after_count; i++)
		least = t->finished[i] < least ? t->finished[i] : least;
	return least;
}

void triggers_finished(struct machine *m, uint32_t task)
{
	const struct followers *f = &m->triggers.followers[task];
	for (uint32_t i = 0; i < f->count; i++) {
		uint32_t next = f->follower[i].task;
		struct triggered *t = &m->triggers.of[next];
		t->finished[f->follower[i].place]++;
		uint32_t due = let_go(m, next);
		if (due == t->due || m->sim.now >= m->setup->horizon_ns)
			continue;
		t->due = due;
		sim_arm(&m->sim, m->slot_release + next, m->sim.now);
	}
}

int64_t triggers_released(struct machine *m, uint32_t task)
{
	return m->tasks[task].released < m->triggers.of[task].due ? m->sim.now : SIM_NEVER;
}

static bool grow(struct machine *m, struct triggered *t)
{
	uint32_t places = t->release ? 2 * (t->mask + 1) : FIRST_RING;
	int64_t *ring = arena_new(&m->arena, int64_t, places);
	if (!ring)
		return false;
	for (uint32_t i = 0; i < t->count; i++)
		ring[i] = t->release[(t->first + i) & t->mask];
	t->release = ring;
	t->mask = places - 1;
	t->first = 0;
	return true;
}

void triggers_wait(struct machine *m, uint32_t task)
{
	struct triggered *t = &m->triggers.of[task];
	if ((!t->release || t->count > t->mask) && !grow(m, t)) {
		if (m->fault.status == STATUS_OK)
			error_memory(&m->fault, "waiting jobs");
		sim_halt(&m->sim);
		return;
	}
	t->release[(t->first + t->count++) & t->mask] = m->sim.now;
}

int64_t triggers_waiting(struct machine *m, uint32_t task)
{
	struct triggered *t = &m->triggers.of[task];
	if (t->count == 0) /* there was no memory for it: the run is about to end */
		return m->sim.now;
	int64_t release = t->release[t->first++ & t->mask];
	t->count--;
	return release;
}
