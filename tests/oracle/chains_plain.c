/* tests/oracle/chains_plain.c - see tests/oracle/chains_plain.h. */
#include "tests/oracle/chains_plain.h"

#include <stdio.h>
#include <stdlib.h>

struct stage_jobs {
	const struct plain_job **job; /* by number */
	int64_t *stamp_of;            /* number of the read of stage 1 that the job read; -1: none */
	size_t count;
};

static void *room(size_t count, size_t size)
{
	void *space = calloc(count + 1, size);
	if (!space) {
		fputs("plain chains: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	return space;
}

static int by_number(const void *a, const void *b)
{
	const struct plain_job *const *x = a, *const *y = b;
	return ((*x)->seq > (*y)->seq) - ((*x)->seq < (*y)->seq);
}

static struct stage_jobs jobs_of(const struct plain_job *jobs, size_t count, uint32_t task)
{
	struct stage_jobs s = {room(count, sizeof(*s.job)), room(count, sizeof(*s.stamp_of)), 0};
	for (size_t i = 0; i < count; i++)
		if (jobs[i].task == task)
			s.job[s.count++] = &jobs[i];
	qsort(s.job, s.count, sizeof(*s.job), by_number);
	return s;
}

static bool reads(const struct effect_chain *c, const struct plain_job *j)
{
	return c->communication == CHAIN_LET || j->first_start >= 0;
}

static int64_t read_at(const struct effect_chain *c, const struct plain_job *j)
{
	return c->communication == CHAIN_LET ? j->release : j->first_start;
}

static int64_t write_at(const struct effect_chain *c, const struct plain_job *j)
{
	return c->communication == CHAIN_LET && j->deadline > j->finish ? j->deadline : j->finish;
}

/* What the last of these wrote that wrote at `instant` or before. */
static int64_t written_at(const struct effect_chain *c, const struct stage_jobs *s, int64_t instant)
{
	int64_t stamp = -1;
	for (size_t i = 0; i < s->count; i++)
		if (s->job[i]->finished && write_at(c, s->job[i]) <= instant)
			stamp = s->stamp_of[i];
	return stamp;
}

static void add(struct plain_figure *f, int64_t value, uint32_t first_job, uint32_t last_job)
{
	f->count++;
	f->sum += value;
	f->min = f->min < 0 || value < f->min ? value : f->min;
	if (value > f->max) {
		f->max = value;
		f->first_job = first_job;
		f->last_job = last_job;
	}
}

static int64_t greater(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* stamps[i], job_of[i]: of read i of stage 1. */
static void count_ages(const struct effect_chain *c, const struct stage_jobs *last, const int64_t *stamps,
	const uint32_t *job_of, struct plain_chain *out)
{
	for (size_t i = 0; i < last->count; i++) {
		size_t next = i + 1;
		while (next < last->count && !last->job[next]->finished)
			next++;
		if (!last->job[i]->finished || next == last->count || last->stamp_of[i] < 0)
			continue;
		int64_t age = write_at(c, last->job[next]) - stamps[last->stamp_of[i]];
		add(&out->age, age, job_of[last->stamp_of[i]], last->job[i]->seq);
		if (last->stamp_of[next] != last->stamp_of[i])
			out->age_of_changes = greater(out->age_of_changes, age);
	}
}

/* For every read the first output that goes back to it or to a later one. */
static void count_reactions(const struct effect_chain *c, const struct stage_jobs *last,
	const int64_t *stamps, const uint32_t *job_of, size_t count, struct plain_chain *out)
{
	int64_t first_output = -1;
	for (size_t read = 1; read < count; read++)
		for (size_t i = 0; i < last->count; i++) {
			if (!last->job[i]->finished || last->stamp_of[i] < 0)
				continue;
			first_output = first_output < 0 ? (int64_t)i : first_output;
			if (last->stamp_of[i] < (int64_t)read)
				continue;
			int64_t reaction = write_at(c, last->job[i]) - stamps[read - 1];
			add(&out->reaction, reaction, job_of[read - 1], last->job[i]->seq);
			if ((int64_t)i != first_output)
				out->reaction_behind_first = greater(out->reaction_behind_first, reaction);
			break;
		}
}

void plain_chain_of(
	const struct effect_chain *chain, const struct plain_job *jobs, size_t count, struct plain_chain *out)
{
	struct plain_figure none = {.min = -1, .max = -1};
	struct stage_jobs before = {0};
	int64_t *stamps = room(count, sizeof(*stamps));
	uint32_t *job_of = room(count, sizeof(*job_of));
	size_t read_count = 0;
	*out = (struct plain_chain){none, none, -1, -1};
	for (uint32_t k = 0; k < chain->task_count; k++) {
		struct stage_jobs s = jobs_of(jobs, count, chain->tasks[k]);
		for (size_t i = 0; i < s.count; i++) {
			const struct plain_job *j = s.job[i];
			s.stamp_of[i] = -1;
			if (!reads(chain, j))
				continue;
			if (k > 0) {
				s.stamp_of[i] = written_at(chain, &before, read_at(chain, j));
				continue;
			}
			stamps[read_count] = chain->sample == CHAIN_RELEASE ? j->release : read_at(chain, j);
			job_of[read_count] = j->seq;
			s.stamp_of[i] = (int64_t)read_count++;
		}
		free(before.job);
		free(before.stamp_of);
		before = s;
	}
	count_ages(chain, &before, stamps, job_of, out);
	count_reactions(chain, &before, stamps, job_of, read_count, out);
	free(before.job);
	free(before.stamp_of);
	free(stamps);
	free(job_of);
}
