/* db/audit/laws_flight_queues.c - owns the laws on queues of operations in flight (docs/model.md, "Copies",
 * "GPU"): of what was issued, in which order it started, and whether something stood idle meanwhile.
 *
 * When an operation was eligible follows from the rows of those in front of it (db/audit/laws_flights.c).
 * Where jobs are dropped or aborted, something that has no row may have been in front of it: such runs are
 * not asked. Which of two that came at one instant goes first is not asked, either. */
#include <stdlib.h>

#include "db/audit/flown.h"
#include "db/audit/sweep.h"

#define TABLE "segment_interval"

static int by_start(const void *a, const void *b)
{
	const struct issued *x = a, *y = b;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->eligible != y->eligible)
		return x->eligible < y->eligible ? -1 : 1;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return (x->segment > y->segment) - (x->segment < y->segment);
}

static const struct part_of_task *part_of(const struct audit *a, const struct issued *i)
{
	return &a->r->task[i->task].segment[i->segment];
}

/* What a law looks at on a GPU: the copies of an engine, or kernels; moved to the front, in the order of
 * their starts. */
static size_t choose(const struct audit *a, struct issued *list, size_t count, enum kind kind, uint32_t gpu,
	uint32_t engine)
{
	size_t chosen = 0;
	for (size_t i = 0; i < count; i++) {
		const struct part_of_task *s = part_of(a, &list[i]);
		if (s->kind != kind || s->gpu != gpu || (kind == KIND_COPY && s->engine != engine))
			continue;
		struct issued other = list[chosen];
		list[chosen++] = list[i];
		list[i] = other;
	}
	if (chosen > 0)
		qsort(list, chosen, sizeof(*list), by_start);
	return chosen;
}

/* Backwards from the last start: nothing that starts later was eligible earlier, of the same class, or, if it
 * is of a high stream, before this one's start. */
static void check_order(
	struct audit *a, const struct moment *m, const struct issued *list, size_t count, bool classes)
{
	int64_t least[2] = {INT64_MAX, INT64_MAX}; /* of those that start later: low, high */
	for (size_t end = count, first; end > 0; end = first) {
		for (first = end - 1; first > 0 && list[first - 1].start == list[end - 1].start; first--)
			;
		for (size_t i = first; i < end; i++) {
			bool high = classes && part_of(a, &list[i])->high_stream;
			bool overtaken =
				least[high] < list[i].eligible || (!high && least[1] < list[i].start);
			struct interval row;
			struct moment of = flown_moment(m, &list[i], &row);
			if (overtaken)
				broken(a, TABLE, &of,
					"it starts before one that is in front of it: that was eligible at "
					"%s, this one at %s",
					when(a, least[high] < list[i].eligible ? least[high] : least[1]),
					when(a, list[i].eligible));
		}
		for (size_t i = first; i < end; i++) {
			int64_t *of = &least[classes && part_of(a, &list[i])->high_stream];
			*of = list[i].eligible < *of ? list[i].eligible : *of;
		}
	}
}

/* From `since` on, everything it needs is idle until it starts. */
static void check_work(
	struct audit *a, const struct moment *m, const struct issued *i, int64_t since, const char *what)
{
	struct interval row;
	struct moment of = flown_moment(m, i, &row);
	if (i->start > since)
		broken(a, TABLE, &of,
			"it waits while %s is idle: it is eligible at %s, and could start at %s", what,
			when(a, i->eligible), when(a, since));
}

/* Unlimited engines are never taken. */
static size_t check_copies(
	struct audit *a, const struct moment *m, const struct issued *copy, size_t count, bool limited)
{
	enum order order = a->r->promise->copy_order;
	int64_t free_at = 0;
	if (limited && (order == BY_ARRIVAL || order == BY_STREAM))
		check_order(a, m, copy, count, order == BY_STREAM);
	for (size_t i = 0; i < count; i++) {
		check_work(a, m, &copy[i], copy[i].eligible > free_at ? copy[i].eligible : free_at,
			"its engine");
		free_at = limited && copy[i].end > free_at ? copy[i].end : free_at;
	}
	return count;
}

static size_t check_engine(
	struct audit *a, const struct moment *m, const struct issued *copy, size_t count, bool limited)
{
	int64_t taken_until = 0;
	for (size_t i = 0; i < count; i++) {
		uint32_t engine = part_of(a, &copy[i])->engine;
		struct interval row;
		struct moment of = flown_moment(m, &copy[i], &row);
		if (copy[i].unit != engine)
			broken(a, TABLE, &of, "it is on engine %lld, expected engine %u by its direction",
				(long long)copy[i].unit, engine);
		else if (limited && copy[i].start < taken_until)
			broken(a, TABLE, &of, "it started while another copy was on engine %u, until %s",
				engine, when(a, taken_until));
		taken_until = copy[i].end > taken_until ? copy[i].end : taken_until;
	}
	return count;
}

/* Of each engine of each GPU by itself. */
static uint64_t each_engine(struct audit *a, const struct moment *m,
	size_t (*check)(struct audit *, const struct moment *, const struct issued *, size_t, bool))
{
	struct issued *list;
	size_t count, checked = 0;
	bool ok = flown_issued(a, m, &list, &count);
	for (uint32_t i = 0; ok && i < 2 * a->r->gpus; i++)
		checked += check(a, m, list, choose(a, list, count, KIND_COPY, i / 2, i % 2),
			machine_of(a->r, i / 2)->engines > 0);
	a->failed |= !ok;
	free(list);
	return checked;
}

uint64_t law_flight_engines(struct audit *a, const struct moment *m)
{
	return each_engine(a, m, check_engine);
}

uint64_t law_flight_copies(struct audit *a, const struct moment *m)
{
	return each_engine(a, m, check_copies);
}

/* Kernels are behind one another in the primary queue (R1), unless they have SMs of their own or masks; and
 * an empty GPU has room for any block. */
static void check_kernels(struct audit *a, const struct moment *m, const struct issued *kernel, size_t count)
{
	const struct promise *p = a->r->promise;
	int64_t busy_until = 0; /* without a pause, as far as the last one goes */
	if (p->grants == GRANTS_NONE && p->kernel_order == BY_ARRIVAL && !a->r->tabled)
		check_order(a, m, kernel, count, true);
	for (size_t i = 0; i < count; i++) {
		if (kernel[i].start > busy_until)
			check_work(a, m, &kernel[i],
				kernel[i].eligible > busy_until ? kernel[i].eligible : busy_until, "the GPU");
		busy_until = kernel[i].end > busy_until ? kernel[i].end : busy_until;
	}
}

uint64_t law_flight_kernels(struct audit *a, const struct moment *m)
{
	struct issued *list;
	size_t count, checked = 0;
	bool ok = flown_issued(a, m, &list, &count);
	for (uint32_t g = 0; ok && g < a->r->gpus; g++) {
		size_t kernels = choose(a, list, count, KIND_KERNEL, g, 0);
		check_kernels(a, m, list, kernels);
		checked += kernels;
	}
	a->failed |= !ok;
	free(list);
	return checked;
}
