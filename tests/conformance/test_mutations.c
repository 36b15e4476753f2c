/* tests/conformance/test_mutations.c - the laws find faults: right traces are spoiled in one place, and
 * the law that is named must see it. */
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/law.h"
#include "tests/support/test.h"

/* Spoils the run at record `at`; false: nothing to spoil there. */
typedef bool spoil_fn(struct seen *s, size_t at);

struct mutation {
	const char *name, *law;
	spoil_fn *spoil;
	bool always; /* every such fault must be seen; else one in all cases (a swap may be harmless) */
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

static struct trace_record *end_of_block(struct seen *s, const struct trace_record *start)
{
	for (struct trace_record *r = s->records; r < s->records + s->count; r++)
		if (r->kind == TRACE_BLOCKS_END && r->task == start->task && r->job == start->job &&
			r->segment == start->segment && r->block == start->block)
			return r;
	return NULL;
}

static struct trace_record *insert_after(struct seen *s, size_t at)
{
	s->records = realloc(s->records, (s->count + 1) * sizeof(*s->records));
	assert_non_null(s->records);
	memmove(s->records + at + 1, s->records + at, (s->count - at) * sizeof(*s->records));
	s->capacity = ++s->count;
	return &s->records[at + 1];
}

static void swap(struct trace_record *a, struct trace_record *b)
{
	struct trace_record kept = *a;
	*a = *b;
	*b = kept;
}

/* ---- the faults ---- */

static bool block_to_next_sm(struct seen *s, size_t at)
{
	struct trace_record *r = of_kind(s, at, TRACE_BLOCKS_START);
	struct trace_record *end =
		r && r->resource == RESOURCE_SM && s->platform->sms > 1 ? end_of_block(s, r) : NULL;
	if (!end)
		return false;
	r->index = end->index = (uint16_t)((r->index + 1) % s->platform->sms);
	return true;
}

/* Two blocks of different kernels, placed at one instant one after the other, change places in the trace. */
static bool past_the_head(struct seen *s, size_t at)
{
	struct trace_record *r = of_kind(s, at, TRACE_BLOCKS_START);
	if (!r || at + 1 >= s->count || r[1].kind != TRACE_BLOCKS_START || r[1].time != r->time ||
		r[1].task == r->task)
		return false;
	swap(r, r + 1);
	return true;
}

static bool copy_in_two(struct seen *s, size_t at)
{
	struct trace_record *r = span_on(s, at, RESOURCE_COPY);
	if (!r || r->time - r->start < 2)
		return false;
	struct trace_record *rest = insert_after(s, at);
	r = rest - 1;
	int64_t middle = (r->start + r->time) / 2;
	*rest = *r;
	rest->start = middle;
	r->how = SPAN_PREEMPTED;
	r->time = middle;
	return true;
}

static bool segments_swapped(struct seen *s, size_t at)
{
	struct trace_record *r = of_kind(s, at, TRACE_SPAN);
	for (size_t i = at + 1; r && r->span == SPAN_RUN && r->how == SPAN_DONE && i < s->count; i++) {
		struct trace_record *o = of_kind(s, i, TRACE_SPAN);
		if (!o || o->span != SPAN_RUN || o->task != r->task || o->job != r->job ||
			o->segment == r->segment || o->resource != r->resource || o->resource == RESOURCE_GPU)
			continue;
		uint16_t kept = r->segment;
		r->segment = o->segment;
		o->segment = kept;
		return true;
	}
	return false;
}

/* Two jobs change their turns on the core. */
static bool wrong_cpu_job(struct seen *s, size_t at)
{
	struct trace_record *r = span_on(s, at, RESOURCE_CPU);
	for (size_t i = at + 1; r && i < s->count; i++) {
		struct trace_record *o = span_on(s, i, RESOURCE_CPU);
		if (!o || o->task == r->task || o->ready > r->start || o->start != r->time ||
			o->time - o->start != r->time - r->start)
			continue;
		struct trace_record kept = *r;
		r->task = o->task;
		r->job = o->job;
		r->segment = o->segment;
		r->ready = o->ready;
		o->task = kept.task;
		o->job = kept.job;
		o->segment = kept.segment;
		o->ready = kept.ready;
		return true;
	}
	return false;
}

static bool power_off_by_one(struct seen *s, size_t at)
{
	if (at >= s->power_count)
		return false;
	s->powers[at].uw++;
	s->energy += s->powers[at].end - s->powers[at].start;
	return true;
}

static bool energy_off_by_one(struct seen *s, size_t at)
{
	s->energy += at == 0;
	return at == 0;
}

static bool block_too_long(struct seen *s, size_t at)
{
	struct trace_record *r = of_kind(s, at, TRACE_BLOCKS_END);
	if (!r || r->how != SPAN_DONE)
		return false;
	r->start--;
	return true;
}

static bool block_forgotten(struct seen *s, size_t at)
{
	struct trace_record *r = of_kind(s, at, TRACE_BLOCKS_END);
	if (!r)
		return false;
	r->kind = TRACE_DECISION;
	return true;
}

static bool release_moved(struct seen *s, size_t at)
{
	struct trace_record *r = of_kind(s, at, TRACE_JOB_RELEASE);
	if (!r || r->job > 0)
		return false;
	r->time++;
	r->start++;
	return true;
}

static bool job_lost(struct seen *s, size_t at)
{
	struct trace_record *r = of_kind(s, at, TRACE_JOB_END);
	if (!r)
		return false;
	r->kind = TRACE_DECISION;
	return true;
}

static bool miss_hidden(struct seen *s, size_t at)
{
	if (at > 0 || s->outcome.misses == 0)
		return false;
	s->outcome.misses--;
	return true;
}

static bool core_shared(struct seen *s, size_t at)
{
	struct trace_record *r = span_on(s, at, RESOURCE_CPU);
	for (size_t i = at; r && i-- > 0;)
		if (span_on(s, i, RESOURCE_CPU)) {
			if (s->records[i].time != r->start)
				return false;
			r->start--;
			return true;
		}
	return false;
}

static bool engine_shared(struct seen *s, size_t at)
{
	struct trace_record *r = span_on(s, at, RESOURCE_COPY);
	for (size_t i = at; r && s->platform->engines > 0 && i-- > 0;)
		if (span_on(s, i, RESOURCE_COPY) && s->records[i].index == r->index) {
			if (s->records[i].time != r->start)
				return false;
			r->start--;
			return true;
		}
	return false;
}

static bool segment_shortened(struct seen *s, size_t at)
{
	struct trace_record *r = span_on(s, at, RESOURCE_CPU);
	if (!r || r->how != SPAN_DONE || r->span != SPAN_RUN || r->time - r->start < 2)
		return false;
	r->start++;
	return true;
}

static bool copy_later(struct seen *s, size_t at)
{
	struct trace_record *r = span_on(s, at, RESOURCE_COPY);
	if (!r || r->start != r->ready)
		return false;
	r->start++;
	return true;
}

static bool clock_runs_on(struct seen *s, size_t at)
{
	s->outcome.end_ns += at == 0;
	return at == 0;
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

/* Who spins boosted loses the core to whoever is next. */
static bool boost_preempted(struct seen *s, size_t at)
{
	struct trace_record *r = span_on(s, at, RESOURCE_CPU);
	if (!r || r->span != SPAN_BOOST || r->how != SPAN_DONE)
		return false;
	for (size_t i = at + 1; i < s->count; i++)
		if (span_on(s, i, RESOURCE_CPU)) {
			r->how = SPAN_PREEMPTED;
			return s->records[i].span == SPAN_RUN;
		}
	return false;
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

/* It is chosen for another number of SMs than it runs on. */
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
	{"a block on another SM, which is full", "SM limits", block_to_next_sm, false, "fifo-cke"},
	{"a block on another SM", "block placement", block_to_next_sm, false, "fifo-cke"},
	{"a block on somebody else's SM", "grants", block_to_next_sm, false, "sm-sets"},
	{"a block before the head of the queue", "primary queue", past_the_head, false, "fifo-cke"},
	{"a copy is preempted", "copies: not preempted", copy_in_two, true, "fifo-cke"},
	{"a copy starts while another runs", "copies: one at a time", engine_shared, true, "fifo-cke"},
	{"a copy starts late", "copies: work conserving", copy_later, true, "fifo-cke"},
	{"segments are swapped", "precedence", segments_swapped, true, "fifo-cke"},
	{"a segment is too short", "lengths", segment_shortened, true, "fifo-cke"},
	{"the wrong job has the core", "core: right job", wrong_cpu_job, true, "fifo-cke"},
	{"the wrong job has the core, spinning", "core: right job", wrong_cpu_job, true, "busy-open"},
	{"the core is shared", "core: one at a time", core_shared, true, "fifo-cke"},
	{"power is 1 uW off", "power intervals", power_off_by_one, true, "fifo-cke"},
	{"power is 1 uW off, and so is the energy", "energy", power_off_by_one, true, "fifo-cke"},
	{"energy is 1 uW ns off", "energy", energy_off_by_one, true, "rm"},
	{"a block runs too long", "block times", block_too_long, true, "fifo-cke"},
	{"a block never ends", "block times", block_forgotten, true, "fifo-cke"},
	{"a release is late", "release pattern", release_moved, true, "fifo-cke"},
	{"a job never ends", "jobs end once", job_lost, true, "fifo-cke"},
	{"a miss is not counted", "misses", miss_hidden, true, "fifo-cke"},
	{"a kernel starts on SMs that are not free", "gate: static sets", kernel_starts_early, true,
		"stgm admit=any exclusive=false allocation=meeting"},
	{"a block outside of the section's SMs", "grants", block_to_next_sm, false, "pairs"},
	{"a kernel before its section is admitted", "gate: section kernels", kernel_starts_early, false,
		"pairs take=last"},
	{"a section before its instant", "gate: clock", copy_starts_early, false, "clocked"},
	{"a kernel on more SMs than were chosen", "gate: told", chosen_for_others, true,
		"some-sms unit=kernel"},
	{"a section is chosen twice", "gate: told", chosen_twice, true, "pairs"},
	{"units are shown in another order", "gate: shows", places_swapped, true, "pairs order=priority"},
	{"a unit is not shown", "gate: shows", not_shown, true, "some-slots"},
	{"who spins boosted is preempted", "core: boost not preempted", boost_preempted, true,
		"mpcp wait=busy"},
	{"the clock runs on", "end of the run", clock_runs_on, true, "fifo-cke"},
};
#define MUTATIONS (sizeof(mutations) / sizeof(*mutations))

/* ---- trying them ---- */

struct kept {
	struct trace_record *records;
	struct power_seen *powers;
	struct seen run;
};

static void keep_run(const struct seen *s, struct kept *k)
{
	*k = (struct kept){
		.run = *s,
		.records = calloc(s->count + 1, sizeof(*s->records)),
		.powers = calloc(s->power_count + 1, sizeof(*s->powers)),
	};
	assert_true(k->records && k->powers);
	if (s->count)
		memcpy(k->records, s->records, s->count * sizeof(*s->records));
	if (s->power_count)
		memcpy(k->powers, s->powers, s->power_count * sizeof(*s->powers));
}

static void put_back(struct seen *s, const struct kept *k)
{
	s->count = k->run.count;
	s->energy = k->run.energy;
	s->outcome = k->run.outcome;
	if (s->count)
		memcpy(s->records, k->records, s->count * sizeof(*s->records));
	if (s->power_count)
		memcpy(s->powers, k->powers, s->power_count * sizeof(*s->powers));
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
		laws_check_one(s, m->law, &v);
		(*spoilt)++;
		*caught += v.broken;
		put_back(s, &kept);
	}
	free(kept.records);
	free(kept.powers);
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
			laws_check_one(&s, m->law, &v);
			assert_false(v.broken);
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
