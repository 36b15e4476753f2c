/* runs/search/minimise.c - see runs/search/minimise.h. Large steps come first: whole tasks, then jobs, then
 * all genes of a job, then single genes. Ends when a round changes nothing. */
#include "runs/search/minimise.h"

#include <string.h>

struct deviations genome_deviations(const struct genome_space *space, const struct genome *g)
{
	struct deviations d = {.ties = *g->ties == TIES_LOWER_FIRST};
	for (uint32_t i = 0; i < space->tasks; i++) {
		const int64_t *worst = &space->worst[space->first_segment[i]];
		d.tasks += g->jobs[i] > 0;
		d.jobs += (uint32_t)g->jobs[i];
		d.offsets += g->jobs[i] > 0 && g->offset[i] != 0;
		for (uint32_t j = 0; j < g->jobs[i]; j++) {
			d.separations += j > 0 && g->extra[space->first_job[i] + j] != 0;
			for (uint32_t k = 0; k < space->segments[i]; k++)
				d.lengths += *genome_length(space, g, i, j, k) != worst[k];
		}
	}
	return d;
}

struct minimiser {
	struct evaluator *e;
	const struct genome_space *space;
	const struct search_target *target;
	int64_t response;
	struct genome *g, trial;
	const atomic_bool *stop;
	struct error *err;
	bool changed, failed;
};

static bool over(const struct minimiser *m)
{
	return m->failed || (m->stop && atomic_load(m->stop));
}

/* Runs the trial. It becomes the genome if its response is long enough; else it is reset to the genome. */
static bool accept(struct minimiser *m)
{
	int64_t response = over(m) ? 0 : evaluate(m->e, &m->trial, m->target, m->err);
	m->failed |= response < 0;
	bool as_bad = !over(m) && response >= m->response;
	genome_copy(m->space, as_bad ? m->g : &m->trial, as_bad ? &m->trial : m->g);
	m->changed |= as_bad;
	return as_bad;
}

static void drop_task(struct minimiser *m, uint32_t task)
{
	if (task == m->target->task || m->trial.jobs[task] == 0)
		return;
	m->trial.jobs[task] = 0;
	accept(m);
}

/* Removes half of the jobs at once as long as that works; the step is halved after each failure. */
static void drop_last_jobs(struct minimiser *m, uint32_t task)
{
	for (int64_t count = m->trial.jobs[task] / 2; count > 0 && !over(m);) {
		m->trial.jobs[task] -= count;
		if (!accept(m))
			count /= 2;
		else if (count >= m->trial.jobs[task])
			count = m->trial.jobs[task] - 1;
	}
}

/* The genes of job 1 and later move one job to the front; the other tasks keep their instants of release. */
static void drop_first_job(struct minimiser *m, uint32_t task)
{
	const struct genome_space *s = m->space;
	struct genome *g = &m->trial;
	while (g->jobs[task] > 1 && !over(m)) {
		size_t rest = (size_t)g->jobs[task] - 1;
		int64_t *extra = &g->extra[s->first_job[task]];
		g->offset[task] += s->set->tasks[task].period_ns + extra[1];
		memmove(extra, extra + 1, rest * sizeof(*extra));
		extra[0] = 0;
		memmove(genome_length(s, g, task, 0, 0), genome_length(s, g, task, 1, 0),
			rest * s->segments[task] * sizeof(*g->length));
		g->jobs[task]--;
		if (!accept(m))
			return;
	}
}

static void reset_gene(struct minimiser *m, int64_t *gene, int64_t value)
{
	if (*gene == value || over(m))
		return;
	*gene = value;
	accept(m);
}

/* Resets all lengths of a job at once, or else one by one. */
static void reset_lengths(struct minimiser *m, uint32_t task, uint32_t job)
{
	const struct genome_space *s = m->space;
	const int64_t *worst = &s->worst[s->first_segment[task]];
	int64_t *length = genome_length(s, &m->trial, task, job, 0);
	size_t size = s->segments[task] * sizeof(*length);
	if (memcmp(length, worst, size) == 0 || over(m))
		return;
	memcpy(length, worst, size);
	if (accept(m))
		return;
	for (uint32_t k = 0; k < s->segments[task]; k++)
		reset_gene(m, &length[k], worst[k]);
}

/* Moves all releases so that the first is at 0; nothing else changes. */
static void begin_at_zero(struct minimiser *m)
{
	int64_t least = INT64_MAX;
	for (uint32_t i = 0; i < m->space->tasks; i++)
		if (m->g->jobs[i] > 0 && m->g->offset[i] < least)
			least = m->g->offset[i];
	for (uint32_t i = 0; i < m->space->tasks; i++)
		m->trial.offset[i] = m->g->jobs[i] > 0 ? m->g->offset[i] - least : 0;
	bool changed = m->changed;
	accept(m);
	m->changed = changed;
}

static void round_of(struct minimiser *m)
{
	const struct genome_space *s = m->space;
	for (uint32_t i = 0; i < s->tasks; i++)
		drop_task(m, i);
	for (uint32_t i = 0; i < s->tasks; i++) {
		drop_last_jobs(m, i);
		drop_first_job(m, i);
	}
	begin_at_zero(m);
	reset_gene(m, m->trial.ties, TIES_TASK_ORDER);
	for (uint32_t i = 0; i < s->tasks; i++)
		for (uint32_t j = 1; j < m->trial.jobs[i]; j++)
			reset_gene(m, &m->trial.extra[s->first_job[i] + j], 0);
	for (uint32_t i = 0; i < s->tasks; i++)
		for (uint32_t j = 0; j < m->trial.jobs[i]; j++)
			reset_lengths(m, i, j);
	for (uint32_t i = 0; i < s->tasks; i++)
		if (m->trial.jobs[i] > 0)
			reset_gene(m, &m->trial.offset[i], 0);
	begin_at_zero(m);
}

/* Tries the number with one, two or three significant digits, rounded up or down. */
static void round_gene(struct minimiser *m, int64_t *gene, int64_t least, int64_t most)
{
	for (int64_t limit = 10; limit <= 1000 && !over(m); limit *= 10) {
		int64_t before = *gene, step = 1;
		while (before / step >= limit)
			step *= 10;
		int64_t down = before / step * step, up = down + step;
		if (step == 1)
			return;
		for (int i = 0; i < 2 && *gene == before && !over(m); i++) {
			int64_t value = i == 0 ? down : up;
			if (value >= least && value <= most)
				reset_gene(m, gene, value);
		}
		if (*gene != before)
			return;
	}
}

static void round_genes(struct minimiser *m)
{
	const struct genome_space *s = m->space;
	for (uint32_t i = 0; i < s->tasks; i++) {
		if (m->trial.jobs[i] > 0)
			round_gene(m, &m->trial.offset[i], 0, INT64_MAX / 4);
		for (uint32_t j = 0; j < m->trial.jobs[i]; j++) {
			if (j > 0 && !s->periodic)
				round_gene(m, &m->trial.extra[s->first_job[i] + j], 0, INT64_MAX / 4);
			for (uint32_t k = 0; k < s->segments[i]; k++) {
				uint32_t at = s->first_segment[i] + k;
				int64_t *length = genome_length(s, &m->trial, i, j, k);
				if (*length != s->best[at] && *length != s->worst[at])
					round_gene(m, length, s->best[at], s->worst[at]);
			}
		}
	}
}

bool minimise(struct evaluator *e, const struct search_target *target, int64_t response, bool round,
	const atomic_bool *stop, struct genome *g, struct error *err)
{
	struct arena arena = {0};
	struct minimiser m = {
		.e = e,
		.space = e->space,
		.target = target,
		.response = response,
		.g = g,
		.stop = stop,
		.err = err,
	};
	if (!genome_new(e->space, &arena, &m.trial))
		return error_memory(err, "a search");
	genome_copy(e->space, &m.trial, g);
	do {
		m.changed = false;
		round_of(&m);
	} while (m.changed && !over(&m));
	if (round)
		round_genes(&m);
	arena_finish(&arena);
	return !m.failed;
}
