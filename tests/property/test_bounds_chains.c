/* tests/property/test_bounds_chains.c [SETS] - compares the analysis `fifo-chains` with the plain second
 * implementation (tests/oracle/bounds_plain_chains.h), and with runs: no response exceeds its bound. */
#include "tests/oracle/bounds_plain_chains.h"
#include "tests/support/bounds.h"

TEST_NUMBER(sets, TEST_CASES(1000));

enum { THREADS, BLOCKS, WARPS, REGISTERS, SHARED_MEMORY, VIRTUAL_SMS };

struct sample {
	struct random_key key;
	struct maker maker;
	struct plain_chains plain; /* by priority */
	struct plain_chain drawn[PLAIN_CHAINS_TASKS];
	uint32_t rank[PLAIN_CHAINS_TASKS];
	bool streams; /* of both priorities */
	int64_t own;  /* of the task that is being drawn */
};

static int64_t draw(struct sample *s, int64_t low, int64_t high)
{
	return drawn(&s->key, low, high);
}

static bool chance(struct sample *s, int percent)
{
	return happens(&s->key, percent);
}

static void draw_limits(struct sample *s)
{
	struct platform *p = &s->maker.platform;
	int64_t *limit = s->plain.limit;
	p->engines = (uint32_t)draw(s, 0, 2);
	p->sms = (uint32_t)draw(s, 1, 3);
	p->pool = chance(s, 30) ? POOL_GPU : POOL_SM;
	p->threads_per_sm = (uint32_t)(draw(s, 2, 6) * 32 + (chance(s, 20) ? draw(s, 0, 31) : 0));
	if (chance(s, 30))
		p->blocks_per_sm = (uint32_t)draw(s, 1, 4);
	if (chance(s, 20))
		p->warps_per_sm = (uint32_t)draw(s, 2, 6);
	if (chance(s, 30))
		p->registers_per_sm = 32 * draw(s, 4, 24);
	if (chance(s, 30))
		p->shared_memory_per_sm = draw(s, 4, 20);
	if (p->pool == POOL_SM && chance(s, 10))
		p->threads_per_sm = 0;
	s->plain.pools = p->pool == POOL_SM ? p->sms : 1;
	limit[THREADS] = (p->pool == POOL_SM ? 1 : (int64_t)p->sms) * p->threads_per_sm;
	if (p->pool == POOL_GPU)
		return;
	limit[BLOCKS] = p->blocks_per_sm;
	limit[WARPS] = p->warps_per_sm;
	limit[REGISTERS] = p->registers_per_sm;
	limit[SHARED_MEMORY] = p->shared_memory_per_sm;
	limit[VIRTUAL_SMS] = 1;
}

/* Blocks that differ, by shares or with times of their own; the longest stays as drawn. */
static void make_uneven(struct sample *s, struct plain_part *part, struct segment *kernel)
{
	struct block_times *times = arena_new(&s->maker.set.arena, struct block_times, 1);
	int64_t longest = draw(s, 0, part->grid - 1), best = 0, worst = kernel->worst_ns;
	times->own_draws = kernel->best_ns > 0 && chance(s, 50);
	times->count = (uint32_t)part->grid;
	times->block = arena_new(&s->maker.set.arena, struct block_time, times->count);
	for (int64_t i = 0; i < part->grid; i++) {
		struct block_time *b = &times->block[i];
		b->share_ppm = i == longest ? 1000000 : draw(s, 1, 1000000);
		part->worst_of[i] = (b->share_ppm * worst + 999999) / 1000000;
		part->best_of[i] = (b->share_ppm * kernel->best_ns + 999999) / 1000000;
		if (!times->own_draws)
			continue;
		b->worst_ns = part->worst_of[i];
		b->best_ns = part->best_of[i] = draw(s, 1, b->worst_ns);
		best = b->best_ns > best ? b->best_ns : best;
	}
	kernel->best_ns = times->own_draws ? best : kernel->best_ns;
	kernel->times = times;
}

/* A block that fits. */
static bool fits(const struct sample *s, const struct plain_part *part)
{
	for (int a = 0; a < PLAIN_CHAINS_LIMITS; a++)
		if (s->plain.limit[a] && part->need[a] > s->plain.limit[a])
			return false;
	return true;
}

static void draw_grid(struct sample *s, struct plain_part *part)
{
	const struct platform *p = &s->maker.platform;
	int64_t block, registers, memory;
	do {
		block = draw(s, 1, chance(s, 50) ? 32 : 160);
		registers = p->registers_per_sm ? draw(s, 0, 4) : 0;
		memory = p->shared_memory_per_sm ? draw(s, 0, p->shared_memory_per_sm / 2) : 0;
		int64_t warps = (block + 31) / 32;
		part->need[THREADS] = p->pool == POOL_GPU ? block : warps * 32;
		part->need[BLOCKS] = 1;
		part->need[WARPS] = warps;
		part->need[REGISTERS] = registers * warps * 32;
		part->need[SHARED_MEMORY] = memory;
	} while (!fits(s, part));
	part->grid = draw(s, 1, chance(s, 60) ? 3 : PLAIN_CHAINS_BLOCKS);
	int64_t worst = draw(s, 1, 20);
	struct segment *kernel = maker_grid(&s->maker, (uint32_t)part->grid, (uint32_t)block, worst);
	kernel->registers = registers;
	kernel->shared_memory = memory;
	kernel->best_ns = chance(s, 50) ? worst : draw(s, 0, worst);
	for (int64_t i = 0; i < part->grid; i++) {
		part->best_of[i] = kernel->best_ns;
		part->worst_of[i] = worst;
	}
	if (chance(s, 30))
		make_uneven(s, part, kernel);
}

/* Persistent blocks, one on each SM. */
static bool draw_work(struct sample *s, struct plain_part *part)
{
	const struct platform *p = &s->maker.platform;
	int64_t sms = p->sms, threads = p->threads_per_sm, worst = draw(s, 1, 40), best = draw(s, 0, worst);
	if (p->pool == POOL_SM)
		threads = threads / 32 * 32;
	part->need[THREADS] = threads;
	part->need[BLOCKS] = 1;
	part->need[WARPS] = (threads + 31) / 32;
	part->need[VIRTUAL_SMS] = p->pool == POOL_SM;
	if (!fits(s, part))
		return false;
	maker_work(&s->maker, best, worst, 0);
	part->grid = sms;
	for (int64_t i = 0; i < sms; i++) {
		part->worst_of[i] = (worst + sms - 1) / sms;
		part->best_of[i] = (best + sms - 1) / sms;
	}
	return true;
}

static void draw_part(struct sample *s, struct plain_part *part)
{
	int kind = (int)draw(s, 1, 10);
	part->worst = draw(s, 1, 12);
	part->best = chance(s, 40) ? part->worst : draw(s, 0, part->worst);
	part->on = PLAIN_CPU;
	struct segment *segment = NULL;
	if (kind <= 4) {
		maker_cpu(&s->maker, part->best, part->worst);
		s->own += part->worst;
		return;
	}
	if (kind <= 6) {
		enum copy_direction direction = (enum copy_direction)draw(s, 0, 2);
		segment = maker_copy(&s->maker, direction, part->worst);
		segment->best_ns = part->best;
		part->on = s->maker.platform.engines == 0                               ? PLAIN_NOWHERE
			   : s->maker.platform.engines == 2 && direction == COPY_TO_CPU ? PLAIN_ENGINE_1
											: PLAIN_ENGINE_0;
		s->own += part->worst;
	} else {
		part->on = PLAIN_GPU;
		if (!chance(s, 10) || !draw_work(s, part)) {
			memset(part->need, 0, sizeof(part->need));
			draw_grid(s, part);
		}
		s->own += part->worst_of[0] * 2;
	}
	const struct task *t = &s->maker.set.tasks[s->maker.set.task_count - 1];
	part->high = s->streams && chance(s, 50);
	t->segments[t->segment_count - 1].stream_high = part->high;
}

static void draw_task(struct sample *s, int i, int64_t load)
{
	struct plain_chain *t = &s->drawn[i];
	char name[16];
	snprintf(name, sizeof(name), "t%d", i);
	struct task *task = maker_task(&s->maker, name, 1, 1, 0);
	t->count = (int)draw(s, 1, chance(s, 60) ? 4 : PLAIN_CHAINS_PARTS);
	s->own = 0;
	for (int p = 0; p < t->count; p++)
		draw_part(s, &t->part[p]);
	t->period = draw(s, s->own, s->own * load + 10);
	t->deadline = chance(s, 70) ? t->period : draw(s, (s->own + 1) / 2, t->period);
	task = &s->maker.set.tasks[i];
	task->period_ns = t->period;
	task->deadline_ns = t->deadline;
}

static void make(struct sample *s, uint32_t number)
{
	memset(s, 0, sizeof(*s));
	s->key = (struct random_key){.seed = 16, .set = number, .purpose = RANDOM_TEST};
	maker_init(&s->maker, 1);
	draw_limits(s);
	s->streams = chance(s, 30);
	s->plain.count = (int)draw(s, 1, PLAIN_CHAINS_TASKS);
	int64_t load = draw(s, 2, 4 * s->plain.count + 2);
	for (int i = 0; i < s->plain.count; i++)
		draw_task(s, i, load);
	draw_cores(&s->maker, number);
	taskset_ranks(&s->maker.set, false, s->rank);
	for (int i = 0; i < s->plain.count; i++) {
		s->plain.task[s->rank[i]] = s->drawn[i];
		s->plain.task[s->rank[i]].core = s->maker.set.tasks[i].core;
	}
}

/* ---- Ways to run and to count ---- */

struct way {
	const char *policy, *chosen, *options;
	bool first_come, by_stream, alike;
	enum plain_count how;
};

static const struct way ways[] = {
	{"fifo-cke", "order=head", NULL, true, false, false, PLAIN_BOTH},
	{"fifo-cke", "order=head", "count=requests", true, false, false, PLAIN_REQUESTS},
	{"fifo-cke", "order=head", "count=windows", true, false, false, PLAIN_WINDOWS},
	{"fifo-cke", "order=release", NULL, false, false, false, PLAIN_BOTH},
	{"fifo-cke", "priorities=ignore", NULL, true, false, true, PLAIN_BOTH},
	{"prio-streams", NULL, NULL, true, true, false, PLAIN_BOTH},
};
#define WAYS (sizeof(ways) / sizeof(*ways))

static void bound(struct sample *s, const struct way *way, struct bounds *b)
{
	bounds_make(b, &s->maker, way->policy, way->chosen, "fifo-chains", way->options);
	if (b->result.refused)
		fail_msg("set %u: %s", s->key.set, b->result.verdict.reason);
}

/* ---- Against the second implementation ---- */

struct agreed {
	uint32_t bounds, assuming, accepted;
};

static void compare(struct sample *s, const struct way *way, struct agreed *agreed)
{
	struct plain_chain_bound plain[PLAIN_CHAINS_TASKS];
	struct bounds b = {0};
	memset(plain, 0, sizeof(plain));
	struct plain_chains set = s->plain;
	set.how = way->how;
	set.kernels_first_come = way->first_come;
	set.copies_by_stream = way->by_stream;
	for (int i = 0; way->alike && i < set.count; i++)
		for (int p = 0; p < set.task[i].count; p++)
			set.task[i].part[p].high = false;
	plain_chains(&set, plain);
	bound(s, way, &b);
	for (uint32_t i = 0; i < s->maker.set.task_count; i++) {
		const struct plain_chain_bound *expected = &plain[s->rank[i]];
		int64_t response = b.result.task[i].response_ns;
		if (response != expected->response)
			fail_msg("set %u, %s %s, task %u: plain %lld, bound %lld", s->key.set, way->policy,
				way->options ? way->options : "", i, (long long)expected->response,
				(long long)response);
		for (uint32_t k = 0; k < s->maker.set.task_count; k++)
			assert_int_equal(bounds_rests_on(&b, i) >> k & 1, expected->rests_on[s->rank[k]]);
		agreed->bounds += response != NO_BOUND;
		agreed->assuming += response != NO_BOUND && b.result.task[i].assumes > 0;
	}
	agreed->accepted += b.result.verdict.accepted;
	bounds_finish(&b);
}

TEST("implementations agree")
{
	struct agreed agreed[WAYS] = {{0}};
	static struct sample s;
	for (uint32_t i = 0; i < sets; i++) {
		make(&s, i);
		for (size_t w = 0; w < WAYS; w++)
			compare(&s, &ways[w], &agreed[w]);
		maker_finish(&s.maker);
	}
	for (size_t w = 0; w < WAYS; w++) {
		print_message("# %s %s %s, %" PRIu64 " sets: %u bounds, %u rest on others; %u accepted\n",
			ways[w].policy, ways[w].chosen ? ways[w].chosen : "",
			ways[w].options ? ways[w].options : "", sets, agreed[w].bounds, agreed[w].assuming,
			agreed[w].accepted);
		assert_in_range(agreed[w].accepted, sets / 20, sets - sets / 10);
		assert_in_range(agreed[w].assuming, 1, agreed[w].bounds / 2);
	}
}

/* ---- Against runs ---- */

static void check_runs(struct sample *s, const struct way *way, struct tally *sound, struct tally *assuming)
{
	static struct promises promises;
	struct bounds b = {0};
	promises.count = 0;
	bound(s, way, &b);
	promises_add(&promises, &b);
	tally_promises(sound, assuming, &s->maker, &s->key, way->policy, way->chosen, &promises, 8);
	bounds_finish(&b);
}

TEST("no response exceeds its bound")
{
	struct tally sound[WAYS] = {{0}}, assuming[WAYS] = {{0}};
	static struct sample s;
	for (uint32_t i = 0; i < sets; i++) {
		make(&s, i);
		for (size_t w = 0; w < WAYS; w++)
			check_runs(&s, &ways[w], &sound[w], &assuming[w]);
		maker_finish(&s.maker);
	}
	for (size_t w = 0; w < WAYS; w++) {
		char what[100];
		snprintf(what, sizeof(what), "%s %s %s", ways[w].policy, ways[w].chosen ? ways[w].chosen : "",
			ways[w].options ? ways[w].options : "");
		tally_check(&sound[w], what, ways[w].how == PLAIN_BOTH ? 50 : 0);
		tally_check(&assuming[w], "  where others keep their deadlines", 0);
	}
}
