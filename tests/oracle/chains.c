/* tests/oracle/chains.c - the oracle's ages and reactions of chains (docs/model.md, "Chains and triggers").
 * It goes through the run again, instant by instant: what each stage reads then, what it has in its box after
 * what is written then. */
#include <stdlib.h>

#include "tests/oracle/oracle_internal.h"

#define NOTHING (-1)

/* A chain while the run is gone through. */
struct walk {
	const struct effect_chain *chain;
	const struct oracle_result *run;
	int64_t *carries; /* [job_count] the read of stage 1 that the job's data goes back to */
	int64_t now;
	struct {
		int64_t stamp;
		uint32_t job;
	} * reads; /* of stage 1, in order */
	size_t read_count, reacted;
	bool output; /* stage n has written */
	int64_t output_of;
	uint32_t output_job;
	struct oracle_chain *figures;
};

static bool let(const struct walk *w)
{
	return w->chain->communication == CHAIN_LET;
}

static bool reads_now(const struct walk *w, const struct oracle_job *j)
{
	return (let(w) ? j->release : j->first_start) == w->now;
}

static bool writes_now(const struct walk *w, const struct oracle_job *j)
{
	bool waits = let(w) && j->deadline > j->finish;
	return j->state == ORACLE_FINISHED && (waits ? j->deadline : j->finish) == w->now;
}

static void count(struct oracle_figure *f, int64_t value, uint32_t first, uint32_t last)
{
	if (f->count == 0 || value < f->least)
		f->least = value;
	if (f->count == 0 || value > f->greatest) {
		f->greatest = value;
		f->first_job = first;
		f->last_job = last;
	}
	f->count++;
	f->sum += value;
}

/* Stage 1 reads from outside. */
static int64_t sense(struct walk *w, const struct oracle_job *j)
{
	w->reads = oracle_grow(w->reads, w->read_count, sizeof(*w->reads));
	w->reads[w->read_count].stamp = w->chain->sample == CHAIN_RELEASE ? j->release : w->now;
	w->reads[w->read_count].job = j->seq;
	return (int64_t)w->read_count++;
}

static void put_out(struct walk *w, const struct oracle_job *j, int64_t read)
{
	if (w->output && w->output_of != NOTHING)
		count(&w->figures->age, w->now - w->reads[w->output_of].stamp, w->reads[w->output_of].job,
			w->output_job);
	w->output = true;
	w->output_of = read;
	w->output_job = j->seq;
	for (; (int64_t)w->reacted <= read; w->reacted++) {
		if (w->reacted > 0)
			count(&w->figures->reaction, w->now - w->reads[w->reacted - 1].stamp,
				w->reads[w->reacted - 1].job, j->seq);
	}
}

/* A stage's instant: the stage before has written already. box: what each stage wrote last. */
static void stage_now(struct walk *w, uint32_t stage, int64_t box[])
{
	for (size_t i = 0; i < w->run->job_count; i++) {
		const struct oracle_job *j = &w->run->jobs[i];
		if (j->task == w->chain->tasks[stage] && reads_now(w, j))
			w->carries[i] = stage ? box[stage - 1] : sense(w, j);
	}
	for (size_t i = 0; i < w->run->job_count; i++) {
		const struct oracle_job *j = &w->run->jobs[i];
		if (j->task != w->chain->tasks[stage] || !writes_now(w, j))
			continue;
		box[stage] = w->carries[i];
		if (stage + 1 == w->chain->task_count)
			put_out(w, j, w->carries[i]);
	}
}

static int64_t last_instant(const struct oracle_result *r)
{
	int64_t last = r->end;
	for (size_t i = 0; i < r->job_count; i++)
		last = r->jobs[i].deadline > last ? r->jobs[i].deadline : last;
	return last;
}

static void go_through(
	struct oracle_result *r, const struct effect_chain *chain, struct oracle_chain *figures)
{
	int64_t box[ORACLE_TASKS], last = last_instant(r);
	struct walk w = {.chain = chain, .run = r, .figures = figures};
	for (size_t i = 0; i < r->job_count; i++) {
		w.carries = oracle_grow(w.carries, i, sizeof(*w.carries));
		w.carries[i] = NOTHING;
	}
	for (uint32_t stage = 0; stage < chain->task_count; stage++)
		box[stage] = NOTHING;
	for (w.now = 0; w.now <= last; w.now++) {
		for (uint32_t stage = 0; stage < chain->task_count; stage++)
			stage_now(&w, stage, box);
	}
	free(w.carries);
	free(w.reads);
}

void oracle_follow_chains(const struct taskset *set, struct oracle_result *r)
{
	for (; r->chain_count < set->chain_count; r->chain_count++) {
		r->chains = oracle_grow(r->chains, r->chain_count, sizeof(*r->chains));
		r->chains[r->chain_count] = (struct oracle_chain){0};
		go_through(r, &set->chains[r->chain_count], &r->chains[r->chain_count]);
	}
}
