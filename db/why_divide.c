/* db/why_divide.c - divides stretches of waiting among those who were in the way (db/waits.sql,
 * docs/waiting.md), and sums what each had. Each stage has the rule of the table of that name in
 * db/waits.sql; a test compares them row by row (tests/property/test_waits.c).
 *
 * In SQL a pair of a stretch and an interval costs 15 us, for it is sorted several times; here 50 ns. */
#include "db/why_divide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"

enum resource { OWN, JOB, CPU, COPY, GPU, SLOWED, STREAM, GATE, POLICY, LAUNCH, SWITCH, RELEASE, LATENCY };
const char *const why_resources[WHY_RESOURCES] = {"own", "job", "cpu", "copy", "gpu", "slowed", "stream",
	"gate", "policy", "launch", "switch", "release", "latency", "sync", "call"};

/* What an operation needs: `need` in db/waits.sql. */
enum need { NEEDS_CORE, NEEDS_ENGINE, NEEDS_GPU, NEEDS_MORE_GPU };

int why_resource(const char *name)
{
	for (int i = 0; i < WHY_RESOURCES; i++)
		if (strcmp(name, why_resources[i]) == 0)
			return i;
	return -1;
}

void why_run_finish(struct why_run *r)
{
	for (size_t i = 0; i < r->task_count; i++)
		free(r->task[i].name);
	for (size_t i = 0; i < r->sms_count; i++) {
		free(r->sms[i]->json);
		free(r->sms[i]->word);
		free(r->sms[i]);
	}
	free(r->interval);
	free(r->task);
	free(r->sms);
	free(r->owed);
	free(r->named);
	free(r->slot);
	*r = (struct why_run){0};
}

/* ---- sets of SMs ---- */

static bool sms_add(struct why_sms *s, unsigned long sm)
{
	size_t words = sm / 64 + 1;
	if (words > s->words) {
		uint64_t *word = realloc(s->word, words * sizeof(*word));
		if (!word)
			return false;
		memset(word + s->words, 0, (words - s->words) * sizeof(*word));
		s->word = word;
		s->words = words;
	}
	s->word[sm / 64] |= UINT64_C(1) << sm % 64;
	return true;
}

#define SM_MAX 1000000

static bool sms_read(struct why_sms *s)
{
	for (const char *at = s->json + strcspn(s->json, "0123456789"); *at;) {
		char *end;
		unsigned long sm = strtoul(at, &end, 10);
		if (sm < SM_MAX && !sms_add(s, sm))
			return false;
		at = end + strcspn(end, "0123456789");
	}
	return true;
}

bool why_sms_find(struct why_run *r, const char *json, const struct why_sms **sms)
{
	*sms = NULL;
	if (!json)
		return true;
	for (size_t i = 0; i < r->sms_count; i++)
		if (strcmp(r->sms[i]->json, json) == 0) {
			*sms = r->sms[i];
			return true;
		}
	if (!list_reserve(&r->sms, &r->sms_capacity, r->sms_count + 1, sizeof(struct why_sms *)))
		return false;
	struct why_sms *s = calloc(1, sizeof(*s));
	if (!s)
		return false;
	r->sms[r->sms_count++] = s;
	s->json = strdup(json);
	*sms = s;
	return s->json && sms_read(s);
}

static bool sms_meet(const struct why_sms *a, const struct why_sms *b)
{
	for (size_t i = 0; i < a->words && i < b->words; i++)
		if (a->word[i] & b->word[i])
			return true;
	return false;
}

/* ---- what is owed ---- */

size_t why_task_find(const struct why_run *r, int64_t task_id)
{
	size_t low = 0, high = r->task_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (r->task[middle].id < task_id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < r->task_count && r->task[low].id == task_id ? low : r->task_count;
}

static uint32_t *slot_of(struct why_run *r, int64_t task, int resource)
{
	size_t row = task == WHY_NONE ? 0 : (size_t)task + 1;
	return &r->slot[row * WHY_RESOURCES + (size_t)resource];
}

static void owe(struct why_run *r, int resource, int64_t task, int64_t seq, int64_t ns)
{
	uint32_t *slot = slot_of(r, task, resource);
	if (*slot == 0) {
		if (!list_reserve(&r->owed, &r->owed_capacity, r->owed_count + 1, sizeof(*r->owed))) {
			r->failed = true;
			return;
		}
		r->owed[r->owed_count++] = (struct why_owed){.resource = resource,
			.task = task,
			.first_seq = WHY_NONE,
			.last_seq = WHY_NONE,
			.noted_seq = WHY_NONE};
		*slot = (uint32_t)r->owed_count;
	}
	struct why_owed *o = &r->owed[*slot - 1];
	o->ns += ns;
	if (seq == WHY_NONE || seq == o->noted_seq)
		return;
	o->noted_seq = seq;
	if (!list_reserve(&r->named, &r->named_capacity, r->named_count + 1, sizeof(*r->named))) {
		r->failed = true;
		return;
	}
	r->named[r->named_count++] = (struct why_named){*slot - 1, seq};
	if (o->first_seq == WHY_NONE || seq < o->first_seq)
		o->first_seq = seq;
	if (o->last_seq == WHY_NONE || seq > o->last_seq)
		o->last_seq = seq;
}

/* ---- the stages ---- */

enum stage { IN_STREAM, ON_RESOURCE, DELAYED, AT_GATE, LAST };

static bool in_same_stream(const struct why_run *r, const struct why_want *w, const struct why_interval *h)
{
	if (h->task == w->task || (h->code & 3) == 0 || h->gpu != w->gpu || !h->listed)
		return false;
	if (w->in_turns && r->task[h->task].process != r->task[w->task].process)
		return false;
	if (h->stream == -1 || w->queue == -1)
		return true;
	return h->stream != WHY_NONE && h->stream % w->work_queues == w->queue;
}

static bool has_resource(const struct why_want *w, const struct why_interval *h)
{
	int resource = w->need == NEEDS_MORE_GPU ? NEEDS_GPU : w->need;
	if ((h->task == w->task && h->code < 64) || (h->code & 3) != resource)
		return false;
	if (w->need == NEEDS_CORE)
		return w->own_core == WHY_NONE || h->unit == w->own_core;
	if (h->gpu != w->gpu)
		return false;
	if (w->need == NEEDS_ENGINE)
		return w->engine != WHY_NONE && h->unit == w->engine;
	return !w->sms || !h->sms || sms_meet(w->sms, h->sms);
}

static bool meets(
	const struct why_run *r, const struct why_want *w, const struct why_interval *h, enum stage stage)
{
	switch (stage) {
	case IN_STREAM:
		if (w->need == NEEDS_CORE)
			return h->task == w->task && (h->code & 204) == 76 && h->listed;
		return in_same_stream(r, w, h);
	case ON_RESOURCE:
		return has_resource(w, h);
	default:
		return h->task != w->task && (h->code & 3) != 0 && h->gpu == w->gpu;
	}
}

static bool is_asked(const struct why_want *w, enum stage stage)
{
	if (stage == IN_STREAM)
		return w->need == NEEDS_CORE ? w->moving : w->need < NEEDS_MORE_GPU && w->shared;
	return stage == ON_RESOURCE || w->need == NEEDS_ENGINE || w->need == NEEDS_GPU;
}

static void owe_met(struct why_run *r, const struct why_want *w, const struct why_interval *h,
	enum stage stage, int64_t ns)
{
	static const int of_need[] = {CPU, COPY, GPU, SLOWED};
	int resource = stage == IN_STREAM ? STREAM : stage == AT_GATE ? GATE : of_need[w->need];
	bool named = true;
	if (w->need == NEEDS_CORE && stage == IN_STREAM) {
		resource = SWITCH;
		named = false;
	} else if (stage == ON_RESOURCE) {
		bool release = h->code >= 128 && h->code <= 191;
		named = h->task != w->task || release;
		if (w->need == NEEDS_CORE && release)
			resource = RELEASE;
		else if (w->need == NEEDS_CORE && !named)
			resource = SWITCH;
	}
	owe(r, resource, named ? (int64_t)h->task : WHY_NONE, named ? h->seq : WHY_NONE, ns);
}

/* The first interval that starts behind an instant. */
static size_t first_behind(const struct why_run *r, int64_t instant)
{
	size_t low = 0, high = r->interval_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (r->interval[middle].start <= instant)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void divide(struct why_run *r, const struct why_want *w, enum stage stage, int64_t from, int64_t to);

/* What ends before the operation starts within the platform's latency or gap waits on; the rest is that. */
static void delay(struct why_run *r, const struct why_want *w, int64_t from, int64_t to)
{
	bool late = (w->need == NEEDS_ENGINE || w->need == NEEDS_GPU) && w->late != WHY_NONE && w->late < to;
	int64_t until = late ? w->late : to, behind = until > from ? until : from;
	divide(r, w, AT_GATE, from, until);
	if (late && behind < to)
		owe(r, LATENCY, WHY_NONE, WHY_NONE, to - behind);
}

/* Among those who are met in this stage, in the order of their starts; what remains goes on to the next. */
static void divide(struct why_run *r, const struct why_want *w, enum stage stage, int64_t from, int64_t to)
{
	if (from >= to)
		return;
	if (stage == LAST) {
		owe(r, POLICY, WHY_NONE, WHY_NONE, to - from);
		return;
	}
	if (stage == DELAYED) {
		if (w->need == NEEDS_MORE_GPU)
			owe(r, OWN, WHY_NONE, WHY_NONE, to - from);
		else
			delay(r, w, from, to);
		return;
	}
	int64_t left = from;
	size_t i = is_asked(w, stage) ? first_behind(r, from - w->longest_ns) : r->interval_count;
	for (; i < r->interval_count && r->interval[i].start < to && left < to; i++) {
		const struct why_interval *h = &r->interval[i];
		if (h->end <= left || !meets(r, w, h, stage))
			continue;
		if (h->start > left)
			divide(r, w, stage + 1, left, h->start);
		int64_t start = h->start > left ? h->start : left, end = h->end < to ? h->end : to;
		if (start < end)
			owe_met(r, w, h, stage, end - start);
		left = end;
	}
	divide(r, w, stage + 1, left, to);
}

bool why_divide(struct why_run *r, const struct why_want *w)
{
	if (!r->slot && !(r->slot = calloc((r->task_count + 1) * WHY_RESOURCES, sizeof(*r->slot))))
		return false;
	if (w->resource >= 0)
		owe(r, w->resource, w->by_task, w->by_seq, w->to - w->from);
	else
		divide(r, w, IN_STREAM, w->from, w->to);
	return !r->failed;
}

/* ---- the rows of a job ---- */

int why_by_task(const struct why_run *r, const struct why_owed *o, char *text, size_t size)
{
	if (o->task == WHY_NONE)
		return -1;
	const char *name = r->task[o->task].name;
	if (o->resource == JOB || o->first_seq == WHY_NONE || o->first_seq != o->last_seq)
		return snprintf(text, size, "%s", name);
	return snprintf(text, size, "%s #%lld", name, (long long)o->first_seq);
}

#define NAME_MAX_BYTES 512

/* Whether a is in front of b, of the same resource: the one with more, then by name. */
static bool in_front(const struct why_run *r, const struct why_owed *a, const struct why_owed *b)
{
	char x[NAME_MAX_BYTES], y[NAME_MAX_BYTES];
	if (a->ns != b->ns)
		return a->ns > b->ns;
	if (a->task == WHY_NONE || b->task == WHY_NONE)
		return a->task == WHY_NONE && b->task != WHY_NONE;
	const char *p = r->task[a->task].name, *q = r->task[b->task].name;
	size_t same = 0;
	while (p[same] && p[same] == q[same])
		same++;
	if (p[same] && q[same])
		return (unsigned char)p[same] < (unsigned char)q[same];
	why_by_task(r, a, x, sizeof(x));
	why_by_task(r, b, y, sizeof(y));
	return strcmp(x, y) < 0;
}

/* The rows of a resource, in order. */
struct places {
	struct why_owed best[WHY_PLACES];
	size_t kept, count;
	int64_t ns; /* of all */
};

static void places_add(const struct why_run *r, struct places *p, const struct why_owed *o)
{
	p->count++;
	p->ns += o->ns;
	if (p->kept == WHY_PLACES && !in_front(r, o, &p->best[WHY_PLACES - 1]))
		return;
	size_t at = p->kept < WHY_PLACES ? p->kept++ : WHY_PLACES - 1;
	for (; at > 0 && in_front(r, o, &p->best[at - 1]); at--)
		p->best[at] = p->best[at - 1];
	p->best[at] = *o;
}

static size_t places_rows(const struct places *p, int resource, struct why_row *rows)
{
	int64_t rest = p->ns;
	for (size_t i = 0; i < p->kept; i++) {
		rows[i] = (struct why_row){.owed = p->best[i], .place = (int)i + 1};
		if (i == WHY_PLACES - 1 && p->count > WHY_PLACES) {
			rows[i].others = p->count - i;
			rows[i].owed = (struct why_owed){.resource = resource, .ns = rest, .task = WHY_NONE};
		}
		rest -= p->best[i].ns;
	}
	return p->kept;
}

static int by_owed_and_seq(const void *a, const void *b)
{
	const struct why_named *x = a, *y = b;
	if (x->owed != y->owed)
		return x->owed < y->owed ? -1 : 1;
	return (x->seq > y->seq) - (x->seq < y->seq);
}

size_t why_sums(struct why_run *r)
{
	if (r->named_count)
		qsort(r->named, r->named_count, sizeof(*r->named), by_owed_and_seq);
	for (size_t i = 0; i < r->named_count; i++)
		r->owed[r->named[i].owed].jobs +=
			i == 0 || by_owed_and_seq(&r->named[i - 1], &r->named[i]) != 0;
	return r->owed_count;
}

void why_forget(struct why_run *r)
{
	for (size_t i = 0; i < r->owed_count; i++)
		*slot_of(r, r->owed[i].task, r->owed[i].resource) = 0;
	r->owed_count = r->named_count = 0;
}

size_t why_rows(struct why_run *r, struct why_row rows[WHY_RESOURCES * WHY_PLACES])
{
	struct places places[WHY_RESOURCES] = {0};
	size_t count = 0;
	for (size_t i = 0; i < r->owed_count; i++)
		places_add(r, &places[r->owed[i].resource], &r->owed[i]);
	why_forget(r);
	for (int i = 0; i < WHY_RESOURCES; i++)
		count += places_rows(&places[i], i, rows + count);
	return count;
}
