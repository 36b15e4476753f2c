/* tests/oracle/warp_compare.c - compares the results of the plain simulation and the engine: every row of
 * every kind, field by field. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/oracle/warp_engine.h"

#define FIELDS_MAX 12

/* A row as numbers; the first `keys` numbers sort the rows of its kind. */
struct numbers {
	int64_t field[FIELDS_MAX];
};

struct kind {
	const char *name;
	int keys, fields;
	const char *names[FIELDS_MAX];
	void (*convert)(const void *row, struct numbers *n);
	size_t size;
};

static void issue_numbers(const void *row, struct numbers *n)
{
	const struct warp_issue *i = row;
	*n = (struct numbers){{i->cycle, i->sm, i->sub_core, i->kernel, i->job, i->block, i->warp, i->number,
		i->step, i->threads, i->level, i->result}};
}

static void job_numbers(const void *row, struct numbers *n)
{
	const struct plain_job_end *j = row;
	*n = (struct numbers){{j->kernel, j->job, j->release, j->first, j->end, j->finished}};
}

static void stay_numbers(const void *row, struct numbers *n)
{
	const struct plain_stay *s = row;
	*n = (struct numbers){
		{s->start, s->kernel, s->job, s->part, s->block, s->sm, s->end, (int64_t)s->how}};
}

static void span_numbers(const void *row, struct numbers *n)
{
	const struct plain_span *s = row;
	*n = (struct numbers){{s->kernel, s->job, s->part, s->ready, s->start, s->end, s->done, s->finished}};
}

static void epoch_numbers(const void *row, struct numbers *n)
{
	const struct warp_epoch *e = row;
	*n = (struct numbers){{e->epoch, e->kernel, e->start, e->end, e->blocks, e->adjusted_goal,
		e->warp_instructions, e->thread_instructions, e->history_ipc, e->swaps}};
}

static void sm_numbers(const void *row, struct numbers *n)
{
	const struct warp_epoch_sm *s = row;
	*n = (struct numbers){{s->epoch, s->sm}};
	for (int i = 0; i < WARP_SLOTS; i++)
		n->field[2 + i] = s->cycles[i];
}

static void quota_numbers(const void *row, struct numbers *n)
{
	const struct warp_epoch_quota *q = row;
	*n = (struct numbers){{q->epoch, q->sm, q->kernel, q->blocks, q->target, q->quota, q->counter_start,
		q->thread_instructions, q->added, q->counter_end, q->idle_sum, q->samples}};
}

#define SLOT_NAMES                                                                                           \
	"issued", "empty", "quota", "unit", "scheduler", "memory", "dependence", "barrier", "swap", "ending"

static const struct kind issues_kind = {"issue", 3, 12,
	{"cycle", "sm", "sub-core", "kernel", "job", "block", "warp", "number", "step", "threads", "level",
		"result"},
	issue_numbers, sizeof(struct warp_issue)};
static const struct kind jobs_kind = {"job", 2, 6, {"kernel", "job", "release", "first", "end", "finished"},
	job_numbers, sizeof(struct plain_job_end)};
static const struct kind stays_kind = {"stay", 5, 8,
	{"start", "kernel", "job", "part", "block", "sm", "end", "how"}, stay_numbers,
	sizeof(struct plain_stay)};
static const struct kind spans_kind = {"span", 3, 8,
	{"kernel", "job", "part", "ready", "start", "end", "done", "finished"}, span_numbers,
	sizeof(struct plain_span)};
static const struct kind epochs_kind = {"epoch", 2, 10,
	{"epoch", "kernel", "start", "end", "blocks", "adjusted", "warp instr", "thread instr", "history",
		"swaps"},
	epoch_numbers, sizeof(struct warp_epoch)};
static const struct kind sms_kind = {
	"sm", 2, 12, {"epoch", "sm", SLOT_NAMES}, sm_numbers, sizeof(struct warp_epoch_sm)};
static const struct kind quotas_kind = {"quota", 3, 12,
	{"epoch", "sm", "kernel", "blocks", "target", "quota", "C start", "thread instr", "added", "C end",
		"idle", "samples"},
	quota_numbers, sizeof(struct warp_epoch_quota)};

static int by_fields(const void *a, const void *b)
{
	const struct numbers *x = a, *y = b;
	for (int i = 0; i < FIELDS_MAX; i++) {
		if (x->field[i] != y->field[i])
			return x->field[i] < y->field[i] ? -1 : 1;
	}
	return 0;
}

static struct numbers *numbers_of(const struct kind *k, const void *rows, size_t count)
{
	struct numbers *n = calloc(count + 1, sizeof(*n));
	if (!n)
		abort();
	for (size_t i = 0; i < count; i++)
		k->convert((const char *)rows + i * k->size, &n[i]);
	qsort(n, count, sizeof(*n), by_fields);
	return n;
}

static size_t write_row(const struct kind *k, const struct numbers *n, char *text, size_t size)
{
	size_t used = 0;
	for (int i = 0; i < k->fields && used < size; i++) {
		int more = snprintf(text + used, size - used, " %s %" PRId64, k->names[i], n->field[i]);
		used += more > 0 ? (size_t)more : 0;
	}
	return used;
}

static bool rows_agree(const struct kind *k, const void *plain, size_t plain_count, const void *engine,
	size_t engine_count, char *text, size_t size)
{
	struct numbers *p = numbers_of(k, plain, plain_count), *e = numbers_of(k, engine, engine_count);
	char plain_text[512] = " none", engine_text[512] = " none";
	size_t i = 0;
	while (i < plain_count && i < engine_count && by_fields(&p[i], &e[i]) == 0)
		i++;
	bool agree = i == plain_count && i == engine_count;
	if (!agree) {
		if (i < plain_count)
			write_row(k, &p[i], plain_text, sizeof(plain_text));
		if (i < engine_count)
			write_row(k, &e[i], engine_text, sizeof(engine_text));
		snprintf(text, size, "%s %zu:\n   plain%s\n  engine%s", k->name, i, plain_text, engine_text);
	}
	free(p);
	free(e);
	return agree;
}

/* ---- what is not a row ---- */

static bool same(const char *what, uint32_t of, int64_t plain, int64_t engine, char *text, size_t size)
{
	if (plain == engine)
		return true;
	snprintf(
		text, size, "%s of %" PRIu32 ": plain %" PRId64 ", engine %" PRId64, what, of, plain, engine);
	return false;
}

static bool kernels_agree(uint32_t k, const struct warp_kernel_result *p, const struct warp_kernel_result *e,
	char *text, size_t size)
{
	return same("warp instructions", k, p->warp_instructions, e->warp_instructions, text, size) &&
	       same("thread instructions", k, p->thread_instructions, e->thread_instructions, text, size) &&
	       same("cycles", k, p->cycles, e->cycles, text, size) &&
	       same("ipc", k, p->ipc, e->ipc, text, size) && same("goal", k, p->goal, e->goal, text, size) &&
	       same("alone", k, p->alone, e->alone, text, size) &&
	       same("reached", k, p->reached, e->reached, text, size) &&
	       same("accesses", k, p->accesses, e->accesses, text, size) &&
	       same("l1 hits", k, p->l1_hits, e->l1_hits, text, size) &&
	       same("l2 hits", k, p->l2_hits, e->l2_hits, text, size) &&
	       same("dram bytes", k, p->dram_bytes, e->dram_bytes, text, size) &&
	       same("swaps", k, p->swaps, e->swaps, text, size) &&
	       same("energy", k, p->energy_fj, e->energy_fj, text, size);
}

static bool sums_agree(const struct plain_input *in, const struct plain_result *p,
	const struct plain_result *e, char *text, size_t size)
{
	uint32_t slots = in->platform->sms * in->set->machine.sub_cores * WARP_SLOTS;
	if (!same("cycles", 0, p->cycles, e->cycles, text, size) ||
		!same("truncated", 0, p->truncated, e->truncated, text, size))
		return false;
	for (uint32_t k = 0; k < in->set->kernel_count; k++) {
		if (!kernels_agree(k, &p->kernel[k], &e->kernel[k], text, size))
			return false;
	}
	for (uint32_t i = 0; i < slots; i++) {
		if (!same("slots (sub-core x 10 + slot)", i, p->slots[i], e->slots[i], text, size))
			return false;
	}
	if (p->energy_fj == e->energy_fj)
		return true;
	snprintf(text, size, "energy");
	return false;
}

/* Converts the plain result to ns, the unit of the trace. */
static void in_ns(const struct plain_input *in, struct plain_result *p)
{
	const struct warp_machine *m = &in->set->machine;
	for (size_t i = 0; i < p->jobs.count; i++) {
		p->jobs.row[i].release = plain_ns(m, p->jobs.row[i].release);
		p->jobs.row[i].end = plain_ns(m, p->jobs.row[i].end);
		if (p->jobs.row[i].first >= 0)
			p->jobs.row[i].first = plain_ns(m, p->jobs.row[i].first);
	}
	for (size_t i = 0; i < p->stays.count; i++) {
		p->stays.row[i].start = plain_ns(m, p->stays.row[i].start);
		p->stays.row[i].end = plain_ns(m, p->stays.row[i].end);
	}
	for (size_t i = 0; i < p->spans.count; i++) {
		struct plain_span *s = &p->spans.row[i];
		s->ready = plain_ns(m, s->ready);
		s->start = plain_ns(m, s->start);
		s->end = plain_ns(m, s->end);
	}
}

#define AGREE(list)                                                                                          \
	rows_agree(&list##_kind, plain->list.row, plain->list.count, engine->list.row, engine->list.count,   \
		text, size)

bool warp_results_agree(const struct plain_input *input, struct plain_result *plain,
	struct plain_result *engine, char *text, size_t size)
{
	in_ns(input, plain);
	return AGREE(issues) && AGREE(stays) && AGREE(spans) && AGREE(jobs) && AGREE(epochs) &&
	       AGREE(quotas) && AGREE(sms) && sums_agree(input, plain, engine, text, size);
}

bool warp_results_agree_unseen(const struct plain_input *input, const struct plain_result *engine,
	const struct plain_result *unseen, char *text, size_t size)
{
	const struct plain_result *plain = engine;
	engine = unseen;
	return AGREE(stays) && AGREE(spans) && AGREE(jobs) && sums_agree(input, plain, engine, text, size) &&
	       same("digest", 0, (int64_t)plain->digest, (int64_t)engine->digest, text, size);
}

bool warp_results_agree_rows(const struct plain_input *input, const struct plain_result *engine,
	const struct plain_result *rows, char *text, size_t size)
{
	const struct plain_result *plain = engine;
	engine = rows;
	return AGREE(epochs) && AGREE(quotas) && AGREE(sms) &&
	       warp_results_agree_unseen(input, plain, rows, text, size);
}
