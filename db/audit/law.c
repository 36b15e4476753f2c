/* db/audit/law.c - calls the laws at their stations, and words their findings. */
#include "db/audit/law.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

void audit_tell(struct audit *a, const struct moment *m)
{
	unsigned at = (unsigned)__builtin_ctz(m->at);
	const struct audit_called *called = a->at[at], *end = called + a->at_count[at];
	for (; called < end && !a->failed; called++) {
		a->current = called->law;
		*called->checked += called->check(a, m);
	}
}

const char *when(struct audit *a, int64_t time)
{
	assert(a->times < SENTENCE_TIMES);
	a->time[a->times] = time;
	return a->time_text[a->times++];
}

/* Writes the times of a sentence, all in one unit. */
static void write_times(const int64_t *times, unsigned count, char (*texts)[UNIT_TEXT_MAX])
{
	int64_t given[SENTENCE_TIMES] = {0};
	unsigned used = 0;
	for (unsigned i = 0; i < count; i++)
		if (times[i] != NOT_GIVEN)
			given[used++] = times[i];
	unit_format_all(UNIT_TIME, given, used, texts);
	while (count-- > 0)
		if (times[count] == NOT_GIVEN)
			snprintf(texts[count], UNIT_TEXT_MAX, "never");
		else
			memmove(texts[count], texts[--used], UNIT_TEXT_MAX);
}

/* " [1ms, 3ms)" */
static void add_span(struct text *t, int64_t start, int64_t end)
{
	char texts[2][UNIT_TEXT_MAX];
	write_times((int64_t[]){start, end}, 2, texts);
	text_printf(t, " [%s, %s)", texts[0], texts[1]);
}

/* "run 3, block_interval: task 'radar', job 5, segment 1, block 7 on SM 2 [1ms, 3ms): " */
static void describe(const struct audit *a, struct text *t, const char *table, const struct moment *m)
{
	const struct track *track = m->track;
	text_printf(t, "run %lld, %s: ", (long long)a->r->run_id, table);
	if (!track)
		return;
	text_printf(t, "task '%s'", track->task->name);
	if (m->block) {
		text_printf(t, ", job %lld, segment %lld, block %lld", (long long)m->block->seq,
			(long long)m->block->segment, (long long)m->block->index);
		if (m->block->sm != NOT_GIVEN)
			text_printf(t, " on SM %lld", (long long)m->block->sm);
		add_span(t, m->block->start, m->block->end);
	} else if (m->interval) {
		text_printf(t, ", job %lld, segment %lld, part %lld", (long long)m->interval->seq,
			(long long)m->interval->segment, (long long)m->interval->part);
		add_span(t, m->interval->start, m->interval->end);
	} else if (m->job) {
		text_printf(t, ", job %lld", (long long)m->job->seq);
	} else if (track->active && m->at != AT_END) {
		text_printf(t, ", job %lld, segment %u", (long long)track->job.seq, track->segment);
	}
	text_add(t, ": ");
}

PRINTF_LIKE(4, 0)
static void find(struct audit *a, const char *table, const struct moment *m, const char *fmt, va_list args)
{
	struct audit_result *result = &a->report->results[a->current];
	struct text words = {0};
	write_times(a->time, a->times, a->time_text);
	a->times = 0;
	if (result->findings == 0)
		describe(a, &words, table, m);
	a->failed |= !audit_finding(a->report, result, &words, a->err, fmt, args);
}

void broken(struct audit *a, const char *table, const struct moment *m, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	find(a, table, m, fmt, args);
	va_end(args);
}

void audit_held(struct audit *a, enum warp_law law, uint64_t count)
{
	if (a->of_warps[law] != NOT_ASKED)
		a->report->results[a->of_warps[law]].checked += count;
}

void audit_wrong(struct audit *a, enum warp_law law, const char *table, const char *fmt, va_list args)
{
	static const struct moment nothing = {.at = AT_END};
	if (a->of_warps[law] == NOT_ASKED) {
		a->times = 0;
		return;
	}
	a->current = a->of_warps[law];
	find(a, table, &nothing, fmt, args);
}
