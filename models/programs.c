/* models/programs.c - see models/programs.h. */
#include "models/programs.h"

#include "models/machine.h"

bool programs_init(struct machine *m, struct error *err)
{
	const struct program_set *set = m->set->programs;
	if (!set || set->count == 0)
		return true;
	m->programs.runner = set->runner;
	m->programs.entry = arena_new(&m->arena, uint32_t, set->count);
	if (!m->programs.entry)
		return error_memory(err, "the programs");
	return set->runner->create(m->platform, m->set, m->setup, &m->programs.insides, err);
}

void programs_finish(struct machine *m)
{
	if (m->programs.insides)
		m->programs.runner->destroy(m->programs.insides);
	m->programs = (struct programs){0};
}

void programs_place(struct machine *m, uint32_t run, uint32_t block, uint32_t sm)
{
	const struct task_run *t = &m->tasks[run];
	uint32_t program = m->gpu.launches[run].step->program;
	m->programs.entry[program] = run;
	m->programs.resident++;
	m->programs.runner->place(m->programs.insides, program, t->number, block, sm, m->sim.now);
}

bool programs_run(struct machine *m, int64_t until, uint64_t *most)
{
	struct programs *p = &m->programs;
	uint32_t count;
	int64_t now;
	if (!p->runner->run(p->insides, until, most, &now))
		return false;
	const struct block_end *ends = p->runner->ended(p->insides, &count);
	for (uint32_t i = 0; i < count; i++)
		stays_known(m, p->entry[ends[i].program], ends[i].block, now);
	p->resident -= count;
	return true;
}
