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

/* What a law looks at: the copies of an engine, or kernels; moved to the front, in the order of their starts.
 */
static size_t choose(
	const struct audit *a, struct issued *list, size_t count, enum kind kind, uint32_t engine)
{
	size_t chosen = 0;
	for (size_t i = 0; i < count; i++) {
		if (part_of(a, &list[i])->kind != kind ||
			(kind == KIND_COPY && part_of(a, &list[i])->engine != engine))
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

uint64_t law_flight_copies(struct audit *a, const struct moment *m)
{
	struct issued *list;
	size_t count, checked = 0;
	enum order order = a->r->promise->copy_order;
	bool ok = flown_issued(a, m, &list, &count);
	for (uint32_t engine = 0; ok && engine < 2; engine++) {
		size_t copies = choose(a, list, count, KIND_COPY, engine);
		int64_t free_at = 0;
		if (a->r->machine.engines > 0 && (order == BY_ARRIVAL || order == BY_STREAM))
			check_order(a, m, list, copies, order == BY_STREAM);
		for (size_t i = 0; i < copies; i++) {
			check_work(a, m, &list[i], list[i].eligible > free_at ? list[i].eligible : free_at,
				"its engine");
			free_at = a->r->machine.engines > 0 && list[i].end > free_at ? list[i].end : free_at;
		}
		checked += copies;
	}
	a->failed |= !ok;
	free(list);
	return checked;
}

/* Kernels are behind one another in the primary queue (R1), unless they have SMs of their own or masks; and
 * an empty GPU has room for any block. */
uint64_t law_flight_kernels(struct audit *a, const struct moment *m)
{
	struct issued *list;
	size_t count, kernels = 0;
	const struct promise *p = a->r->promise;
	bool ok = flown_issued(a, m, &list, &count);
	if (ok)
		kernels = choose(a, list, count, KIND_KERNEL, 0);
	if (p->grants == GRANTS_NONE && p->kernel_order == BY_ARRIVAL && !a->r->tabled)
		check_order(a, m, list, kernels, true);
	int64_t busy_until = 0; /* without a pause, as far as the last one goes */
	for (size_t i = 0; i < kernels; i++) {
		if (list[i].start > busy_until)
			check_work(a, m, &list[i],
				list[i].eligible > busy_until ? list[i].eligible : busy_until, "the GPU");
		busy_until = list[i].end > busy_until ? list[i].end : busy_until;
	}
	a->failed |= !ok;
	free(list);
	return kernels;
}
