/* db/audit/laws_chains.c - the laws on chains and triggers (docs/model.md, "Chains and triggers"), from the
 * job rows alone. A chain is followed stage by stage: for every job which read of the first stage its data
 * goes back to. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "db/audit/law.h"

/* ---- triggers ---- */

static struct db_cursor *jobs_of(struct audit *a, const char *what, const char *which, int64_t task_id)
{
	char sql[256];
	snprintf(sql, sizeof(sql),
		"SELECT %s FROM job WHERE run_id = %" PRId64 " AND task_id = ?1%s ORDER BY seq", what,
		a->r->run_id, which);
	return query_open(a->reader, sql, task_id, a->err);
}

/* The task's cursor and those of its predecessors, which go on together. */
struct merge {
	struct db_cursor *own, **before;
	uint32_t count;
};

static bool merge_open(struct audit *a, const struct member *task, struct merge *m)
{
	m->count = task->releases.afters;
	m->before = calloc((size_t)m->count + 1, sizeof(*m->before));
	if (!m->before)
		return error_memory(a->err, "an audit");
	m->own = jobs_of(a, "seq, release_ns", "", task->task_id);
	bool ok = m->own != NULL;
	for (uint32_t i = 0; ok && i < m->count; i++) {
		m->before[i] = jobs_of(a, "finish_ns", " AND (outcome & 3) = 0",
			a->r->task[task->releases.after[i]].task_id);
		ok = m->before[i] != NULL;
	}
	return ok;
}

static void merge_close(struct merge *m)
{
	cursor_close(m->own);
	for (uint32_t i = 0; m->before && i < m->count; i++)
		cursor_close(m->before[i]);
	free(m->before);
}

/* When the next finished job of each has finished; INT64_MAX: not of each. */
static bool merge_due(struct audit *a, struct merge *m, int64_t *due)
{
	bool have = true;
	*due = m->count > 0 ? 0 : INT64_MAX;
	for (uint32_t i = 0; i < m->count; i++) {
		if (!cursor_next(m->before[i], &have, a->err))
			return false;
		int64_t end = have ? column_bounded(m->before[i], 0) : INT64_MAX;
		*due = end > *due ? end : *due;
	}
	return true;
}

/* Call it with due below the horizon, or with a job. */
static void check_job(struct audit *a, const struct moment *m, bool have, const struct db_cursor *own,
	int64_t due, uint64_t number)
{
	int64_t release = have ? column(own, 1) : 0;
	if (!have)
		broken(a, "job", m, "job %" PRIu64 " is missing: those before it had finished at %s", number,
			when(a, due));
	else if (due >= a->r->horizon_ns)
		broken(a, "job", m,
			"job %" PRIu64 " is released at %s, but those before it have not finished", number,
			when(a, release));
	else if (release != due)
		broken(a, "job", m, "job %" PRIu64 " is released at %s, but those before it finished at %s",
			number, when(a, release), when(a, due));
}

static bool check_triggered(struct audit *a, const struct moment *at, uint32_t task, uint64_t *rows)
{
	struct merge m = {0};
	struct moment of = *at;
	bool ok = merge_open(a, &a->r->task[task], &m), have = true;
	int64_t due = 0;
	of.track = &at->sweep->track[task];
	for (uint64_t number = 0; ok; number++) {
		ok = merge_due(a, &m, &due) && cursor_next(m.own, &have, a->err);
		if (!ok || (!have && due >= a->r->horizon_ns))
			break;
		check_job(a, &of, have, m.own, due, number);
		++*rows;
		if (!have)
			break;
	}
	merge_close(&m);
	return ok;
}

uint64_t law_triggers(struct audit *a, const struct moment *m)
{
	uint64_t rows = 0;
	for (uint32_t i = 0; i < a->r->tasks && !a->failed; i++)
		if (a->r->task[i].releases.kind == RELEASES_AFTER)
			a->failed |= !check_triggered(a, m, i, &rows);
	return rows;
}

/* ---- chains ---- */

/* A job of a stage. origin: number of the read of the first stage to which its data goes back; -1: none. */
struct link {
	int64_t read, write, origin, seq, release;
	bool reads, writes;
};

struct links {
	struct link *link; /* [count] */
	size_t count, capacity;
};

static bool links_add(struct audit *a, struct links *l, const struct link *link)
{
	if (l->count == l->capacity) {
		size_t capacity = l->capacity ? 2 * l->capacity : 64;
		struct link *bigger = realloc(l->link, capacity * sizeof(*bigger));
		if (!bigger)
			return error_memory(a->err, "an audit");
		l->link = bigger;
		l->capacity = capacity;
	}
	l->link[l->count++] = *link;
	return true;
}

/* The jobs of a stage, by number. */
static bool links_read(struct audit *a, const struct audit_chain *chain, uint32_t task, struct links *l)
{
	struct db_cursor *c =
		jobs_of(a, "seq, release_ns, abs_deadline_ns, first_start_ns, finish_ns, outcome & 3", "",
			a->r->task[task].task_id);
	bool ok = c != NULL, have = true;
	l->count = 0;
	while (ok && (ok = cursor_next(c, &have, a->err)) && have) {
		int64_t deadline = column(c, 2), start = column(c, 3), finish = column(c, 4);
		struct link link = {.seq = column(c, 0), .release = column(c, 1), .origin = -1};
		link.writes = column(c, 5) == STATE_FINISHED && finish != NOT_GIVEN;
		link.write = chain->let && deadline > finish ? deadline : finish;
		link.reads = chain->let || start != NOT_GIVEN;
		link.read = chain->let ? link.release : start;
		ok = links_add(a, l, &link);
	}
	cursor_close(c);
	return ok;
}

/* Both are in order of time: what a read gets is the last write up to it. */
static void follow(const struct links *before, struct links *now)
{
	int64_t origin = -1;
	size_t next = 0;
	for (size_t i = 0; i < now->count; i++) {
		if (!now->link[i].reads)
			continue;
		for (; next < before->count; next++) {
			const struct link *b = &before->link[next];
			if (b->writes && b->write > now->link[i].read)
				break;
			origin = b->writes ? b->origin : origin;
		}
		now->link[i].origin = origin;
	}
}

struct derived {
	int64_t count, least, most, first_seq, last_seq; /* NOT_GIVEN where there is none */
	int128 sum;
};

static void derive(struct derived *d, int64_t value, int64_t first_seq, int64_t last_seq)
{
	d->count++;
	d->sum += value;
	d->least = d->least == NOT_GIVEN || value < d->least ? value : d->least;
	if (d->most != NOT_GIVEN && value <= d->most)
		return;
	d->most = value;
	d->first_seq = first_seq;
	d->last_seq = last_seq;
}

/* reads: those of the first stage, by number. */
static void judge(
	const struct links *reads, const struct links *last, struct derived *age, struct derived *reaction)
{
	const struct link *shown = NULL;
	int64_t reacted = 0;
	for (size_t i = 0; i < last->count; i++) {
		const struct link *out = &last->link[i];
		if (!out->writes)
			continue;
		if (shown && shown->origin >= 0) {
			const struct link *of = &reads->link[shown->origin];
			derive(age, out->write - of->read, of->seq, shown->seq);
		}
		shown = out;
		for (; out->origin > reacted; reacted++)
			derive(reaction, out->write - reads->link[reacted].read, reads->link[reacted].seq,
				out->seq);
	}
}

/* Leaves the reads alone, with their stamps in place of the instants, and numbers them. */
static bool number_reads(
	struct audit *a, const struct audit_chain *chain, struct links *first, struct links *reads)
{
	bool ok = true;
	for (size_t i = 0; ok && i < first->count; i++) {
		struct link read = first->link[i];
		if (!read.reads)
			continue;
		first->link[i].origin = (int64_t)reads->count;
		read.read = chain->by_release ? read.release : read.read;
		ok = links_add(a, reads, &read);
	}
	return ok;
}

static bool walk(
	struct audit *a, const struct audit_chain *chain, struct derived *age, struct derived *reaction)
{
	struct links stage[2] = {0}, reads = {0};
	bool ok =
		links_read(a, chain, chain->stage[0], &stage[0]) && number_reads(a, chain, &stage[0], &reads);
	for (uint32_t k = 1; ok && k < chain->stages; k++) {
		ok = links_read(a, chain, chain->stage[k], &stage[k % 2]);
		follow(&stage[(k + 1) % 2], &stage[k % 2]);
	}
	if (ok)
		judge(&reads, &stage[(chain->stages + 1) % 2], age, reaction);
	free(stage[0].link);
	free(stage[1].link);
	free(reads.link);
	return ok;
}

static void compare(struct audit *a, const struct moment *m, const char *chain, const char *what,
	const struct db_cursor *c, int at, const struct derived *d)
{
	static const char *const names[] = {"number", "least", "mean", "greatest", "first job", "last job"};
	const int64_t derived[] = {d->count, d->least,
		d->count ? round_half_even(d->sum, d->count) : NOT_GIVEN, d->most, d->first_seq, d->last_seq};
	for (int i = 0; i < 6; i++) {
		int64_t recorded = column(c, at + i);
		bool time = i >= 1 && i <= 3;
		if (recorded == derived[i])
			continue;
		if (time)
			broken(a, "chain_run", m, "chain '%s': the %s %s is %s, but the job rows give %s",
				chain, names[i], what, when(a, recorded), when(a, derived[i]));
		else
			broken(a, "chain_run", m,
				"chain '%s': the %s of %ss is %" PRId64 ", but the job rows give %" PRId64,
				chain, names[i], what, recorded, derived[i]);
	}
}

static bool check_chain(struct audit *a, const struct moment *m, uint32_t index)
{
	const struct derived none = {
		.least = NOT_GIVEN, .most = NOT_GIVEN, .first_seq = NOT_GIVEN, .last_seq = NOT_GIVEN};
	const struct audit_chain *chain = &a->r->chain[index];
	struct derived age = none, reaction = none;
	char sql[400];
	bool have = false;
	snprintf(sql, sizeof(sql),
		"SELECT ages, min_age_ns, mean_age_ns, max_age_ns, age_first_seq, age_last_seq, reactions, "
		"min_reaction_ns, mean_reaction_ns, max_reaction_ns, reaction_first_seq, reaction_last_seq "
		"FROM chain_run WHERE run_id = %" PRId64 " AND chain_idx = ?1",
		a->r->run_id);
	struct db_cursor *c = query_open(a->reader, sql, index, a->err);
	bool ok = c && walk(a, chain, &age, &reaction) && cursor_next(c, &have, a->err);
	if (ok && !have)
		broken(a, "chain_run", m, "chain '%s' has no row", chain->name);
	if (ok && have) {
		compare(a, m, chain->name, "age", c, 0, &age);
		compare(a, m, chain->name, "reaction", c, 6, &reaction);
	}
	cursor_close(c);
	return ok;
}

uint64_t law_chains(struct audit *a, const struct moment *m)
{
	for (uint32_t i = 0; i < a->r->chains && !a->failed; i++)
		a->failed |= !check_chain(a, m, i);
	return a->r->chains;
}
