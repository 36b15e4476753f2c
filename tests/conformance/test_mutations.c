/* tests/conformance/test_mutations.c - the laws of the gate find faults: a test spoils one place of a correct
 * trace, and the named law must notice. */
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/law.h"
#include "tests/support/test.h"

/* Spoils the run at record `at`; false: nothing to spoil there. */
typedef bool spoil_fn(struct seen *s, size_t at);

struct mutation {
	const char *name, *law;
	spoil_fn *spoil;
	bool always; /* each such fault must be found; else at least one of all (a swap may be harmless) */
	const char *subject;
};

static struct trace_record *of_kind(struct seen *s, size_t at, enum trace_kind kind)
{
	return s->records[at].kind == kind ? &s->records[at] : NULL;
}

static struct trace_record *span_on(struct seen *s, size_t at, enum trace_resource resource)
{
	struct trace_record *r = of_kind(s, at, TRACE_SPAN);
	return r && r->resource == resource ? r : NULL;
}

static struct trace_record *insert_after(struct seen *s, size_t at)
{
	s->records = realloc(s->records, (s->count + 1) * sizeof(*s->records));
	assert_non_null(s->records);
	memmove(s->records + at + 1, s->records + at, (s->count - at) * sizeof(*s->records));
	s->capacity = ++s->count;
	return &s->records[at + 1];
}

/* ---- the faults ---- */

/* The operation after a CPU segment starts although it must wait at the gate. Not where the job is aborted at
 * that instant: it has no such operation. */
static bool gate_let_one_in(struct seen *s, size_t at)
{
	struct trace_record *r = span_on(s, at, RESOURCE_CPU);
	uint32_t next = r ? r->segment + UINT32_C(1) : 0;
	if (!r || r->span != SPAN_RUN || r->how != SPAN_DONE ||
		next == s->set->tasks[r->task].segment_count || !s->facts[r->task][next].gated ||
		facts_length(s, seen_op(s, r->task, r->job, next)) == 0 ||
		!seen_op(s, r->task, r->job, next)->present)
		return false;
	struct trace_record *started = insert_after(s, at);
	*started = started[-1];
	started->segment = (uint16_t)next;
	started->resource = RESOURCE_COPY;
	started->start = started->ready = started->time;
	started->how = SPAN_STOPPED;
	return true;
}

static bool kernel_starts_early(struct seen *s, size_t at)
{
	struct trace_record *r = span_on(s, at, RESOURCE_GPU);
	if (!r || r->start == r->ready)
		return false;
	r->start--;
	return true;
}

static bool copy_starts_early(struct seen *s, size_t at)
{
	struct trace_record *r = span_on(s, at, RESOURCE_COPY);
	if (!r || r->start == r->ready)
		return false;
	r->start--;
	return true;
}

static bool places_swapped(struct seen *s, size_t at)
{
	struct trace_record *r = of_kind(s, at, TRACE_DECISION);
	struct trace_record *next = r && at + 1 < s->count ? of_kind(s, at + 1, TRACE_DECISION) : NULL;
	if (!next || next->time != r->time || (r->how | next->how))
		return false;
	uint32_t kept = r->m;
	r->m = next->m;
	next->m = kept;
	return true;
}

static bool not_shown(struct seen *s, size_t at)
{
	struct trace_record *r = of_kind(s, at, TRACE_DECISION);
	if (!r || r->how)
		return false;
	r->kind = 0;
	return true;
}

/* The unit is chosen for another number of SMs than it runs on. */
static bool chosen_for_others(struct seen *s, size_t at)
{
	struct trace_record *r = of_kind(s, at, TRACE_DECISION);
	if (!r || !r->how)
		return false;
	for (size_t i = at; i < s->count; i++)
		if (s->records[i].kind == TRACE_BLOCKS_START && s->records[i].task == r->task &&
			s->records[i].job == r->job && s->records[i].segment == r->segment) {
			r->m++;
			return true;
		}
	return false;
}

static bool chosen_twice(struct seen *s, size_t at)
{
	struct trace_record *r = of_kind(s, at, TRACE_DECISION);
	if (!r || !r->how)
		return false;
	struct trace_record *second = insert_after(s, at);
	*second = second[-1];
	return true;
}

static const struct mutation mutations[] = {
	{"a section behind a closed gate", "gate: closed", gate_let_one_in, true, "closed"},
	{"a section before its instant", "gate: clock", copy_starts_early, false, "clocked"},
	{"two sections of kernels, and one more", "gate: so many at a time", kernel_starts_early, false,
		"pairs take=last"},
	{"a kernel on more SMs than were chosen", "gate: told", chosen_for_others, true,
		"some-sms unit=kernel"},
	{"a section is chosen twice", "gate: told", chosen_twice, true, "pairs"},
	{"a kernel before its section is admitted", "gate: told", kernel_starts_early, false,
		"pairs take=last"},
	{"units are shown in another order", "gate: shows", places_swapped, true, "pairs order=priority"},
	{"a unit is not shown", "gate: shows", not_shown, true, "some-slots"},
};
#define MUTATIONS (sizeof(mutations) / sizeof(*mutations))

/* ---- trying them ---- */

struct kept {
	struct trace_record *records;
	struct seen run;
};

static void keep_run(const struct seen *s, struct kept *k)
{
	*k = (struct kept){.run = *s, .records = calloc(s->count + 1, sizeof(*s->records))};
	assert_non_null(k->records);
	if (s->count)
		memcpy(k->records, s->records, s->count * sizeof(*s->records));
}

static void put_back(struct seen *s, const struct kept *k)
{
	s->count = k->run.count;
	s->outcome = k->run.outcome;
	if (s->count)
		memcpy(s->records, k->records, s->count * sizeof(*s->records));
}

static void try_everywhere(struct seen *s, const struct mutation *m, uint32_t *spoilt, uint32_t *caught)
{
	struct kept kept;
	struct verdict v;
	keep_run(s, &kept);
	for (size_t at = 0; at < kept.run.count; at++) {
		if (!m->spoil(s, at))
			continue;
		seen_arrange(s);
		(*spoilt)++;
		*caught += laws_check(s, m->law, &v) != NULL;
		put_back(s, &kept);
	}
	free(kept.records);
}

static const struct subject *subject_of(const char *label)
{
	static struct subject subjects[SUBJECTS_MAX];
	size_t count = subjects_all(subjects);
	for (size_t i = 0; i < count; i++)
		if (strcmp(subjects[i].label, label) == 0)
			return &subjects[i];
	fail_msg("no subject '%s'", label);
	return NULL;
}

static void check_mutation(void **state)
{
	const struct mutation *m = *state;
	uint32_t spoilt = 0, caught = 0;
	for (uint64_t i = 0; i < 40; i++) {
		struct random_case c;
		struct seen s;
		struct verdict v;
		char text[512];
		subjects_case(subject_of(m->subject), 7, i, &c);
		assert_true(seen_run(
			&s, subject_of(m->subject), &c.platform, &c.set, &c.setup, text, sizeof(text)));
		if (!s.plan->refused) {
			assert_null(laws_check(&s, m->law, &v));
			try_everywhere(&s, m, &spoilt, &caught);
		}
		seen_finish(&s);
		random_case_finish(&c);
	}
	assert_true(caught > 0);
	if (m->always)
		assert_int_equal(caught, spoilt);
}

int main(void)
{
	struct CMUnitTest tests[MUTATIONS];
	for (size_t i = 0; i < MUTATIONS; i++) {
		const void *state = &mutations[i];
		tests[i] = (struct CMUnitTest){.name = mutations[i].name, .test_func = check_mutation};
		memcpy(&tests[i].initial_state, &state, sizeof(state));
	}
	return _cmocka_run_group_tests("mutations", tests, MUTATIONS, NULL, NULL);
}
