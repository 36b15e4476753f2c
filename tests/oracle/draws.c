/* tests/oracle/draws.c - the oracle's own draws, releases and priorities (docs/model.md,
 * "Draws", "Time of a kernel"; RTGPU Lemma 5.1).
 *
 * Philox4x32-10 is written from its definition: Salmon, Moraes, Dror, Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3", SC'11, section 3.3. */
#include <assert.h>

#include "tests/oracle/oracle_internal.h"

enum {
	PURPOSE_EXECUTION = 1,
	PURPOSE_SEPARATION = 2,
	PURPOSE_BLOCKS = 7,
	PURPOSE_BLOCK = 8,
	PURPOSE_JITTER = 9,
	PURPOSE_SAMPLE = 10
};

void oracle_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
	uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]};
	uint32_t k[2] = {key[0], key[1]};
	for (int round = 0; round < 10; round++) {
		uint64_t first = (uint64_t)0xD2511F53u * c[0];
		uint64_t second = (uint64_t)0xCD9E8D57u * c[2];
		uint32_t next[4] = {
			(uint32_t)(second >> 32) ^ c[1] ^ k[0],
			(uint32_t)second,
			(uint32_t)(first >> 32) ^ c[3] ^ k[1],
			(uint32_t)first,
		};
		for (int i = 0; i < 4; i++)
			c[i] = next[i];
		k[0] += 0x9E3779B9u;
		k[1] += 0xBB67AE85u;
	}
	for (int i = 0; i < 4; i++)
		out[i] = c[i];
}

/* a * b: the high 64 bits, and the low ones in *low. */
static int64_t wide_product(uint64_t a, uint64_t b, uint64_t *low)
{
	uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
	uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
	uint64_t other = a0 * b1 + (middle & UINT32_MAX);
	*low = a * b;
	return (int64_t)(a1 * b1 + (middle >> 32) + (other >> 32));
}

static uint64_t bits_of(const struct oracle *o, uint64_t seed, uint32_t task, uint32_t job, uint32_t segment,
	uint32_t purpose, uint32_t draw)
{
	const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
	const uint32_t counter[4] = {job, segment << 16 | purpose << 8 | draw, task, o->setup->set};
	uint32_t word[4];
	oracle_philox(counter, key, word);
	return (uint64_t)word[0] | (uint64_t)word[1] << 32;
}

/* Uniform in [0, bound]: the high half of word * range. Draws that would favour some values are rejected. */
static int64_t draw_from(const struct oracle *o, uint64_t seed, uint32_t task, uint32_t job, uint32_t segment,
	uint32_t purpose, int64_t bound)
{
	uint64_t range = (uint64_t)bound + 1;
	uint64_t unfair = (UINT64_MAX - range + 1) % range;
	for (uint32_t draw = 0; draw < 256; draw++) {
		uint64_t bits = bits_of(o, seed, task, job, segment, purpose, draw);
		uint64_t low;
		int64_t high = wide_product(bits, range, &low);
		if (low >= unfair)
			return high;
	}
	assert(false && "256 refusals in a row");
	return 0;
}

static int64_t draw_upto(const struct oracle *o, uint32_t task, uint32_t job, uint32_t segment,
	uint32_t purpose, int64_t bound)
{
	return draw_from(o, o->setup->seed, task, job, segment, purpose, bound);
}

static int128 ceiling(int128 a, int128 b)
{
	return a / b + (a % b > 0);
}

/* RTGPU, Lemma 5.1, on v virtual SMs. */
static void ends_of_work(
	const struct oracle *o, const struct segment *s, int128 v, int64_t *low, int64_t *high)
{
	uint32_t per_sm = oracle_virtual_sms(o, s->gpu);
	int128 numerator = 1, denominator = 1; /* alpha */
	for (uint32_t i = 0; per_sm > 1 && i < s->interleaves; i++) {
		if (s->interleave[i].virtual_sms == per_sm) {
			numerator = s->interleave[i].numerator;
			denominator = s->interleave[i].denominator;
		}
	}
	int128 overhead = s->overhead_ns;
	int64_t pin = oracle_device(o, s->gpu)->pin_overhead_ns;
	/* (worst * alpha - overhead) / V + overhead, over the common denominator. */
	int128 top = s->worst_ns * numerator - overhead * denominator + overhead * v * denominator;
	*low = (int64_t)ceiling(s->best_ns, v) + pin;
	*high = (int64_t)ceiling(top, v * denominator) + pin; /* >= *low, since alpha >= 1 */
}

void oracle_ends(const struct oracle *o, const struct segment *s, const struct oracle_grant *grant,
	int64_t *low, int64_t *high)
{
	*low = s->best_ns;
	*high = s->worst_ns;
	if (s->kind != SEGMENT_KERNEL || s->form == KERNEL_GRID)
		return;
	uint32_t per_sm = oracle_virtual_sms(o, s->gpu), sms = oracle_sms_for(o, s, grant);
	uint32_t v = grant && grant->virtual_sms ? grant->virtual_sms : sms * per_sm;
	if (s->form == KERNEL_WORK) {
		ends_of_work(o, s, v, low, high);
		return;
	}
	const struct profile *profile = oracle_profile(o, s);
	uint32_t m = (v + per_sm - 1) / per_sm;
	*low = profile->best_ns[m - 1];
	*high = profile->worst_ns[m - 1];
}

static const struct release_rule *rule_of(const struct oracle *o, uint32_t task)
{
	const struct release_rule *own = o->set->tasks[task].release;
	return own ? own : &o->setup->release;
}

/* The length from the release trace; -1: it gives none. */
static int64_t traced_length(const struct oracle *o, uint32_t task, uint32_t job, uint32_t segment)
{
	const struct release_rule *rule = rule_of(o, task);
	for (uint32_t i = 0; rule->kind == RELEASE_TRACE && i < rule->duration_count; i++) {
		if (rule->durations[i].job == job && rule->durations[i].segment == segment)
			return rule->durations[i].duration_ns;
	}
	return -1;
}

/* The length if the execution rule leaves no choice in [low, high]; -1: it is drawn. */
static int64_t length_by_rule(const struct oracle *o, int64_t low, int64_t high)
{
	int64_t scaled;
	switch (o->setup->execution) {
	case EXECUTION_WORST:
		return high;
	case EXECUTION_BEST:
		return low;
	case EXECUTION_SCALED:
		scaled = (int64_t)ceiling((int128)o->setup->scale_ppm * high, 1000000);
		return scaled > low ? scaled : low;
	case EXECUTION_UNIFORM:
	case EXECUTION_SAMPLES:
	case EXECUTION_TOGETHER:
		break;
	}
	return -1;
}

/* The measured time that is drawn for the segment of the job, or, together, for the job; -1: there are none.
 */
static int64_t sampled_length(const struct oracle *o, uint32_t task, uint32_t job, uint32_t segment)
{
	const struct segment *s = &o->set->tasks[task].segments[segment];
	if (!s->samples)
		return -1;
	if (o->setup->execution == EXECUTION_SAMPLES)
		return s->samples[draw_upto(o, task, job, segment, PURPOSE_SAMPLE, s->sample_count - 1)];
	if (o->setup->execution == EXECUTION_TOGETHER)
		return s->samples[draw_upto(o, task, job, 0, PURPOSE_SAMPLE, s->sample_count - 1)];
	return -1;
}

/* The length of one block. It is the block's share of the kernel's length; or the block has its own time.
 * This time is that of the trace, but at most its worst time; or follows the rule; or is drawn with a seed
 * that is itself a draw of the launch. */
int64_t oracle_block_length(
	const struct oracle *o, uint32_t task, uint32_t job, uint32_t segment, uint32_t block, int64_t length)
{
	const struct block_times *times = o->set->tasks[task].segments[segment].times;
	if (!times)
		return length;
	const struct block_time *t = &times->block[block % times->count];
	if (!times->own_draws)
		return (int64_t)ceiling((int128)t->share_ppm * length, 1000000);
	int64_t traced = traced_length(o, task, job, segment);
	if (traced >= 0)
		return traced < t->worst_ns ? traced : t->worst_ns;
	int64_t by_rule = length_by_rule(o, t->best_ns, t->worst_ns);
	if (by_rule >= 0)
		return by_rule;
	uint64_t seed = bits_of(o, o->setup->seed, task, job, segment, PURPOSE_BLOCKS, 0);
	return t->best_ns + draw_from(o, seed, task, block, segment, PURPOSE_BLOCK, t->worst_ns - t->best_ns);
}

static int64_t length_there(const struct oracle *o, const struct segment *s, uint32_t task, uint32_t job,
	uint32_t segment, const struct oracle_grant *grant)
{
	int64_t traced = traced_length(o, task, job, segment);
	if (traced >= 0)
		return traced;
	int64_t low, high, sampled = sampled_length(o, task, job, segment);
	if (sampled >= 0)
		return sampled;
	oracle_ends(o, s, grant, &low, &high);
	int64_t by_rule = length_by_rule(o, low, high);
	if (by_rule >= 0)
		return by_rule;
	return low + draw_upto(o, task, job, segment, PURPOSE_EXECUTION, high - low);
}

/* Docs, N4: where the policy chooses the GPU, what is of length zero on the one that the segment names
 * passes, and nothing else does. */
int64_t oracle_length_on(const struct oracle *o, uint32_t task, uint32_t job, uint32_t segment,
	const struct oracle_grant *grant)
{
	int64_t here = length_there(o, &o->set->tasks[task].segments[segment], task, job, segment, grant);
	if (!o->policy || !oracle_chooses(o)) /* the laws ask without a policy */
		return here;
	const struct segment *named = &o->named->tasks[task].segments[segment];
	if (length_there(o, named, task, job, segment, oracle_static_grant(o, task)) == 0)
		return 0;
	return here > 0 ? here : 1;
}

int64_t oracle_length(const struct oracle *o, uint32_t task, uint32_t job, uint32_t segment)
{
	return oracle_length_on(o, task, job, segment, oracle_static_grant(o, task));
}

int64_t oracle_release(const struct oracle *o, uint32_t task, uint32_t job, int64_t last)
{
	const struct task *t = &o->set->tasks[task];
	const struct release_rule *rule = rule_of(o, task);
	int64_t at;
	if (rule->kind == RELEASE_AFTER)
		return INT64_MAX; /* jobs.c looks at what has finished */
	if (rule->kind == RELEASE_TRACE) {
		if (job >= rule->trace_count)
			return INT64_MAX;
		at = rule->trace_ns[job];
	} else if (rule->kind == RELEASE_JITTER) {
		at = t->offset_ns + job * t->period_ns;
		at += draw_upto(o, task, job, 0, PURPOSE_JITTER, rule->jitter_ns);
	} else if (job == 0) {
		at = t->offset_ns;
	} else {
		at = last + t->period_ns;
		if (rule->kind == RELEASE_SPORADIC) {
			int64_t delay = (int64_t)((int128)rule->max_delay_ppm * t->period_ns / 1000000);
			at += draw_upto(o, task, job, 0, PURPOSE_SEPARATION, delay);
		}
	}
	return at < o->setup->horizon_ns ? at : INT64_MAX;
}

/* When a job released at `at` is due: with jitter it counts from where a periodic task would release it. */
int64_t oracle_due(const struct oracle *o, uint32_t task, uint32_t job, int64_t at)
{
	const struct task *t = &o->set->tasks[task];
	if (rule_of(o, task)->kind == RELEASE_JITTER)
		at = t->offset_ns + job * t->period_ns;
	return at + t->deadline_ns;
}

/* Is a of higher priority than b? */
static bool higher(const struct oracle *o, uint32_t a, uint32_t b)
{
	const struct task *x = &o->set->tasks[a], *y = &o->set->tasks[b];
	int64_t of_x = o->policy->rate ? x->period_ns : x->deadline_ns;
	int64_t of_y = o->policy->rate ? y->period_ns : y->deadline_ns;
	if (o->set->priorities) {
		of_x = x->priority;
		of_y = y->priority;
	}
	return of_x < of_y || (of_x == of_y && a < b);
}

void oracle_ranks(struct oracle *o)
{
	for (uint32_t a = 0; a < o->set->task_count; a++) {
		o->tasks[a].rank = 0;
		for (uint32_t b = 0; b < o->set->task_count; b++)
			o->tasks[a].rank += b != a && higher(o, b, a);
	}
}
