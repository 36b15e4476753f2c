/* tests/property/test_analysis.c [SETS] - compares analysis/ with the plain second implementation
 * (tests/oracle/analysis_plain.h) on random sets: bounds, allocations, SM sets; and the greedy allocation of
 * RTGPU with the full grid. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rtgpu.h"
#include "analysis/stgm.h"
#include "base/random.h"
#include "tests/oracle/analysis_plain.h"
#include "tests/support/test.h"

#define SEGMENTS (4 * PLAIN_SUBTASKS)

TEST_NUMBER(sets, TEST_CASES(300));

/* A plain set, and the same set as a task set: task index[k] has place k in the order of priority. */
struct sample {
	struct random_key key;
	struct plain_set plain;
	struct platform platform;
	struct taskset set;
	struct task tasks[PLAIN_TASKS];
	struct segment segments[PLAIN_TASKS][SEGMENTS];
	struct interleave alpha[PLAIN_TASKS][SEGMENTS];
	char names[PLAIN_TASKS][12];
	uint32_t index[PLAIN_TASKS], rank[PLAIN_TASKS];
	struct arena arena;
};

static int draw(struct sample *s, int low, int high)
{
	s->key.job++;
	return low + (int)random_upto(&s->key, high - low);
}

static bool chance(struct sample *s, int percent)
{
	return draw(s, 1, 100) <= percent;
}

static void draw_length(struct sample *s, int high, int64_t *lo, int64_t *hi)
{
	*hi = draw(s, 1, high);
	*lo = chance(s, 50) ? *hi : draw(s, 1, (int)*hi);
}

static void draw_kernel(struct sample *s, struct plain_kernel *k)
{
	static const int ratios[][2] = {{1, 1}, {3, 2}, {9, 5}, {7, 5}};
	const int *ratio = ratios[draw(s, 0, 3)];
	*k = (struct plain_kernel){.numerator = ratio[0], .denominator = ratio[1]};
	draw_length(s, 40, &k->lo, &k->hi);
	if (chance(s, 20)) {
		k->blocks = draw(s, 1, 9);
		k->hi = k->hi / 8 + 1;
		k->lo = k->lo < k->hi ? k->lo : k->hi;
		k->uneven = chance(s, 50);
		for (int b = 0; b < k->blocks; b++)
			draw_length(s, (int)k->hi, &k->of_lo[b], &k->of_hi[b]);
		for (int b = 0; b < k->blocks && k->uneven; b++) {
			k->lo = b && k->lo > k->of_lo[b] ? k->lo : k->of_lo[b];
			k->hi = b && k->hi > k->of_hi[b] ? k->hi : k->of_hi[b];
		}
	} else {
		/* Overhead is seldom more than the work: then a kernel takes longer on more virtual SMs. */
		k->overhead = draw(s, 0, chance(s, 90) ? (int)k->hi / 4 : (int)k->hi * 2);
	}
}

static void draw_task(struct sample *s, struct plain_task *t)
{
	memset(t, 0, sizeof(*t));
	t->m = chance(s, 15) ? 1 : draw(s, 2, PLAIN_SUBTASKS - 1);
	t->one_copy = chance(s, 40);
	bool gpu_ends = t->m > 1 && chance(s, 20);
	int64_t total = 0;
	for (int j = 0; j < t->m; j++)
		if (!gpu_ends || (j > 0 && j < t->m - 1))
			draw_length(s, 6, &t->cl_lo[j], &t->cl_hi[j]);
	for (int j = 0; j < (t->one_copy ? t->m - 1 : 2 * t->m - 2); j++)
		if (chance(s, 90))
			draw_length(s, 4, &t->ml_lo[j], &t->ml_hi[j]);
	for (int j = 0; j < t->m - 1; j++) {
		draw_kernel(s, &t->kernel[j]);
		total += t->kernel[j].hi / 2 + 4;
	}
	for (int j = 0; j < t->m; j++)
		total += t->cl_hi[j];
	t->deadline = total + total * draw(s, 0, 40 * s->plain.count) / 20;
	t->period = t->deadline + (chance(s, 50) ? 0 : draw(s, 0, (int)total));
}

static int by_deadline(const void *a, const void *b)
{
	int64_t x = ((const struct plain_task *)a)->deadline, y = ((const struct plain_task *)b)->deadline;
	return (x > y) - (x < y);
}

/* A segment of length 0 is either left out or written. */
static struct segment *add(struct sample *s, struct task *t, enum segment_kind kind, int64_t lo, int64_t hi)
{
	if (hi == 0 && kind != SEGMENT_KERNEL && chance(s, 50))
		return NULL;
	struct segment *g = &t->segments[t->segment_count++];
	*g = (struct segment){
		.kind = kind,
		.best_ns = lo,
		.worst_ns = hi,
		.stream = STREAM_OWN,
		.bytes = -1,
		.profile = -1,
	};
	return g;
}

static void add_copy(struct sample *s, struct task *t, const struct plain_task *p, int j)
{
	struct segment *g = add(s, t, SEGMENT_COPY, p->ml_lo[j], p->ml_hi[j]);
	if (g)
		g->direction = p->one_copy ? COPY_BOTH : j % 2 ? COPY_TO_CPU : COPY_TO_GPU;
}

static struct block_times *block_times_of(struct sample *s, const struct plain_kernel *k)
{
	struct block_times *times = arena_new(&s->arena, struct block_times, 1);
	*times = (struct block_times){
		.own_draws = true,
		.count = (uint32_t)k->blocks,
		.block = arena_new(&s->arena, struct block_time, (size_t)k->blocks),
	};
	for (uint32_t b = 0; b < times->count; b++)
		times->block[b] = (struct block_time){.best_ns = k->of_lo[b], .worst_ns = k->of_hi[b]};
	return times;
}

static void add_kernel(
	struct sample *s, struct task *t, const struct plain_kernel *k, struct interleave *alpha)
{
	struct segment *g = add(s, t, SEGMENT_KERNEL, k->lo, k->hi);
	if (k->blocks) {
		g->form = KERNEL_GRID;
		g->grid = (uint32_t)k->blocks;
		g->block = 1;
		g->times = k->uneven ? block_times_of(s, k) : NULL;
		return;
	}
	g->form = KERNEL_WORK;
	g->overhead_ns = k->overhead;
	*alpha = (struct interleave){(uint32_t)s->plain.virtual_sms, k->numerator, k->denominator};
	g->interleave = alpha;
	g->interleaves = 1;
}

static void build_task(struct sample *s, uint32_t id, const struct plain_task *p)
{
	struct task *t = &s->tasks[id];
	snprintf(s->names[id], sizeof(s->names[id]), "t%u", id);
	*t = (struct task){
		.name = s->names[id],
		.period_ns = p->period,
		.deadline_ns = p->deadline,
		.segments = s->segments[id],
	};
	for (int j = 0; j < p->m; j++) {
		add(s, t, SEGMENT_CPU, p->cl_lo[j], p->cl_hi[j]);
		if (j == p->m - 1)
			break;
		add_copy(s, t, p, p->one_copy ? j : 2 * j);
		add_kernel(s, t, &p->kernel[j], &s->alpha[id][j]);
		if (!p->one_copy)
			add_copy(s, t, p, 2 * j + 1);
	}
}

static void make(struct sample *s, uint32_t number)
{
	memset(s, 0, sizeof(*s));
	s->key = (struct random_key){.seed = 4, .set = number, .purpose = RANDOM_TEST};
	s->plain.count = draw(s, 1, PLAIN_TASKS);
	s->plain.sms = draw(s, 1, 5);
	s->plain.virtual_sms = draw(s, 1, 3);
	s->plain.engines = chance(s, 70) ? 1 : draw(s, 0, 2);
	for (int k = 0; k < s->plain.count; k++)
		draw_task(s, &s->plain.task[k]);
	qsort(s->plain.task, (size_t)s->plain.count, sizeof(s->plain.task[0]), by_deadline);
	s->platform = platform_default();
	s->platform.sms = (uint32_t)s->plain.sms;
	s->platform.virtual_sms_per_sm = (uint32_t)s->plain.virtual_sms;
	s->platform.engines = (uint32_t)s->plain.engines;
	s->platform.pin_overhead_ns = s->plain.pin = chance(s, 30) ? draw(s, 1, 3) : 0;
	s->set = (struct taskset){.tasks = s->tasks, .task_count = (uint32_t)s->plain.count};
	uint32_t shift = (uint32_t)draw(s, 0, s->plain.count - 1);
	for (uint32_t k = 0; k < s->set.task_count; k++) {
		s->index[k] = (k + shift) % s->set.task_count;
		s->rank[s->index[k]] = k;
		build_task(s, s->index[k], &s->plain.task[k]);
	}
}

static int tasks_with_kernels(const struct sample *s)
{
	int tasks = 0;
	for (int k = 0; k < s->plain.count; k++)
		tasks += s->plain.task[k].m > 1;
	return tasks;
}

/* ---- RTGPU ---- */

/* The plain implementation does not search fixed points further than `seen`. */
static void same_bound(const struct sample *s, int k, int64_t seen, int64_t plain, int64_t bound)
{
	bool same = plain == bound || (plain > seen && bound > seen && bound <= plain);
	if (!same)
		fail_msg("set %u, place %d: plain %lld, bound %lld", s->key.set, k, (long long)plain,
			(long long)bound);
}

static void check_parts(const struct sample *s, const struct rtgpu_bound *b)
{
	int64_t sum = b->own + b->copy + b->gpu + b->blocking;
	for (uint32_t i = 0; i < s->set.task_count; i++)
		sum += b->interference[i];
	if (b->response != NO_BOUND)
		assert_int_equal(sum, b->response);
}

static struct rtgpu_options options_of(const struct plain_rtgpu *how)
{
	return (struct rtgpu_options){
		.form = how->start_time ? RTGPU_START_TIME : RTGPU_PUBLISHED,
		.gaps = how->response_gaps ? RTGPU_GAPS_RESPONSE : RTGPU_GAPS_DEADLINE,
		.copies = how->fifo ? RTGPU_COPIES_FIFO : RTGPU_COPIES_PRIORITY,
	};
}

/* Bounds behind a task that fails; those of them that rest on a task's keeping its deadline. */
static uint32_t behind, resting;

static int check_rtgpu_bounds(struct sample *s, const struct plain_rtgpu *how)
{
	int v[PLAIN_TASKS];
	uint32_t assumed = 0;
	uint32_t virtual_sms[PLAIN_TASKS];
	struct plain_bound plain[PLAIN_TASKS];
	struct rtgpu_options options = options_of(how);
	struct rtgpu_steps steps = rtgpu_steps(&s->platform, &s->set);
	struct rtgpu_bounds bounds;
	for (int k = 0; k < s->plain.count; k++) {
		v[k] = s->plain.task[k].m > 1 ? how->step * draw(s, 1, 4) : 0;
		virtual_sms[s->index[k]] = (uint32_t)v[k];
	}
	int accepted = plain_rtgpu(&s->plain, how, v, plain);
	assert_true(rtgpu_analyse(
		&s->platform, &s->set, s->rank, &options, &steps, virtual_sms, &s->arena, &bounds, NULL));
	for (int k = 0; k < s->plain.count; k++) {
		const struct rtgpu_bound *b = &bounds.task[s->index[k]];
		assert_int_equal(b->analysed, plain[k].reached);
		if (!b->analysed)
			break;
		same_bound(s, k, s->plain.task[k].period + 1000, plain[k].response, b->response);
		assert_int_equal(b->rests ? assumed : 0, plain[k].rests_on);
		assumed |= b->assumed ? 1u << k : 0;
		check_parts(s, b);
		resting += b->rests;
		behind += k > accepted;
	}
	assert_int_equal(bounds.verdict.accepted, accepted == s->plain.count);
	if (accepted < s->plain.count)
		assert_int_equal(bounds.verdict.failing_task, s->index[accepted]);
	return accepted == s->plain.count;
}

static bool possible(const struct sample *s)
{
	return tasks_with_kernels(s) <= s->plain.sms * s->plain.virtual_sms;
}

static struct plain_rtgpu some_way(struct sample *s)
{
	return (struct plain_rtgpu){
		.start_time = chance(s, 50),
		.fifo = chance(s, 15),
		.step = tasks_with_kernels(s) <= s->plain.sms ? s->plain.virtual_sms : 1,
	};
}

/* Tasks of every other set have a core each of up to three. */
static void spread(struct sample *s)
{
	if (s->key.set % 2)
		return;
	s->platform.cores = 3;
	s->set.cores = true;
	for (int k = 0; k < s->plain.count; k++)
		s->tasks[s->index[k]].core = s->plain.task[k].core = draw(s, 0, 2);
}

TEST("rtgpu bounds agree")
{
	uint32_t accepted = 0, analysed = 0;
	static struct sample s;
	for (uint32_t i = 0; i < sets; i++) {
		make(&s, i);
		struct plain_rtgpu how = some_way(&s);
		spread(&s);
		for (int gaps = 0; gaps < 2 && possible(&s); gaps++, analysed++) {
			how.response_gaps = gaps;
			accepted += (uint32_t)check_rtgpu_bounds(&s, &how);
		}
		arena_finish(&s.arena);
	}
	print_message("# %" PRIu64
		      " sets: %u accepted of %u; %u bounds behind a task that fails, %u of them rest "
		      "on others\n",
		sets, accepted, analysed, behind, resting);
	assert_in_range(accepted, analysed / 10, analysed - analysed / 10);
	assert_in_range(resting, behind / 10, behind - behind / 10);
}

/* Slots of a grant: ascending SMs, and no SM with more than V_SM slots in all. */
static void check_grants(const struct sample *s, const struct rtgpu_allocation *a)
{
	uint32_t used[8] = {0};
	for (uint32_t i = 0; i < s->set.task_count; i++) {
		const struct grant *g = &a->grants[i];
		uint32_t sum = 0;
		assert_int_equal(g->virtual_sms, a->virtual_sms[i]);
		assert_int_equal(a->virtual_sms[i] % a->steps.step, 0);
		for (uint32_t j = 0; j < g->count; j++) {
			assert_true(j == 0 || g->sm[j - 1] < g->sm[j]);
			assert_true(g->sm[j] < s->platform.sms);
			assert_in_range(g->slots[j], 1, a->steps.virtual_sms);
			used[g->sm[j]] += g->slots[j];
			sum += g->slots[j];
		}
		assert_int_equal(sum, a->virtual_sms[i]);
	}
	for (uint32_t m = 0; m < s->platform.sms; m++)
		assert_true(used[m] <= a->steps.virtual_sms);
}

static void allocate(struct sample *s, const struct rtgpu_request *request, struct rtgpu_allocation *a)
{
	assert_true(rtgpu_allocate(&s->platform, &s->set, s->rank, request, &s->arena, a, NULL));
	if (!a->refused)
		check_grants(s, a);
}

static void same_allocation(
	const struct sample *s, const struct rtgpu_allocation *a, bool found, const int *v)
{
	assert_int_equal(a->verdict.accepted, found);
	for (int k = 0; k < s->plain.count && found; k++)
		assert_int_equal(a->virtual_sms[s->index[k]], v[k]);
}

/* With `admit: any` everything is used, and every task with kernels gets something. */
static void check_anyway(const struct sample *s, const struct rtgpu_allocation *a)
{
	uint32_t sum = 0;
	assert_false(a->refused);
	for (uint32_t i = 0; i < s->set.task_count; i++) {
		assert_int_equal(a->virtual_sms[i] > 0, s->plain.task[s->rank[i]].m > 1);
		sum += a->virtual_sms[i];
	}
	if (!a->verdict.accepted && tasks_with_kernels(s) &&
		s->plain.task[s->rank[a->verdict.failing_task]].m > 1)
		assert_int_equal(sum, a->steps.total);
}

TEST("greedy and grid agree")
{
	uint32_t found_some = 0, tried = 0, lost = 0;
	static struct sample s;
	for (uint32_t i = 0; i < sets; i++) {
		struct rtgpu_allocation greedy, grid;
		int v[PLAIN_TASKS];
		make(&s, i);
		struct plain_rtgpu how = some_way(&s);
		spread(&s);
		struct rtgpu_request request = {.options = options_of(&how), .admit_any = chance(&s, 50)};
		allocate(&s, &request, &greedy);
		assert_int_equal(greedy.steps.step, how.step);
		request.search = RTGPU_GRID;
		allocate(&s, &request, &grid);
		assert_int_equal(greedy.refused, grid.refused);
		if (!possible(&s)) {
			assert_true(greedy.refused);
			arena_finish(&s.arena);
			continue;
		}
		bool found = plain_rtgpu_grid(&s.plain, &how, v);
		tried++;
		found_some += found;
		same_allocation(&s, &greedy, found, v);
		same_allocation(&s, &grid, found, v);
		if (request.admit_any) {
			check_anyway(&s, &greedy);
			check_anyway(&s, &grid);
		}
		assert_int_equal(greedy.verdict.failing_task, grid.verdict.failing_task);
		assert_string_equal(greedy.verdict.reason, grid.verdict.reason);
		/* With T - R gaps the grid is still exact, but the greedy search may miss an allocation. */
		how.response_gaps = true;
		request.options.gaps = RTGPU_GAPS_RESPONSE;
		found = plain_rtgpu_grid(&s.plain, &how, v);
		allocate(&s, &request, &grid);
		same_allocation(&s, &grid, found, v);
		request.search = RTGPU_GREEDY;
		allocate(&s, &request, &greedy);
		assert_true(!greedy.verdict.accepted || found);
		lost += !greedy.verdict.accepted && found;
		arena_finish(&s.arena);
	}
	print_message("# %" PRIu64 " sets: %u of %u have an allocation; with T - R gaps greedy lost %u\n",
		sets, found_some, tried, lost);
	assert_in_range(found_some, tried / 10, tried - tried / 10);
}

/* ---- STGM ---- */

static enum stgm_blocking blocking_of(enum plain_blocking blocking)
{
	static const enum stgm_blocking same[] = {
		STGM_BLOCKING_SAFE,
		STGM_BLOCKING_TEXTBOOK,
		STGM_BLOCKING_NONE,
	};
	return same[blocking];
}

static void same_sets(const struct sample *s, const struct stgm_allocation *a, const struct plain_stgm *how)
{
	bool on[PLAIN_TASKS][PLAIN_SMS];
	int sms[PLAIN_TASKS];
	for (int k = 0; k < s->plain.count; k++)
		sms[k] = (int)a->sms[s->index[k]];
	plain_sm_sets(&s->plain, how->exclusive, sms, on);
	for (int k = 0; k < s->plain.count; k++) {
		const struct grant *g = &a->grants[s->index[k]];
		assert_int_equal(g->count, sms[k]);
		assert_null(g->slots);
		for (uint32_t j = 0; j < g->count; j++)
			assert_true(on[k][g->sm[j]] && (j == 0 || g->sm[j - 1] < g->sm[j]));
	}
	/* Tasks that share an SM share a group, and only tasks with SMs have one. */
	for (int k = 0; k < s->plain.count; k++) {
		uint32_t group = a->group[s->index[k]];
		assert_true(sms[k] ? group < a->groups : group == UINT32_MAX);
		for (int l = 0; l < s->plain.count; l++)
			for (int m = 0; m < s->plain.sms; m++)
				assert_true(!on[k][m] || !on[l][m] || group == a->group[s->index[l]]);
	}
}

static bool check_stgm_bounds(struct sample *s, const struct plain_stgm *how)
{
	int sms[PLAIN_TASKS], left = s->plain.sms;
	uint32_t given[PLAIN_TASKS];
	int64_t response[PLAIN_TASKS];
	struct stgm_options options = {.blocking = blocking_of(how->blocking), .exclusive = how->exclusive};
	struct stgm_bounds bounds;
	for (int k = 0; k < s->plain.count; k++) {
		sms[k] = s->plain.task[k].m == 1 ? 0 : how->exclusive ? 1 : draw(s, 1, s->plain.sms);
		given[s->index[k]] = (uint32_t)sms[k];
		left -= how->exclusive ? sms[k] : 0;
	}
	assert_true(stgm_analyse(&s->platform, &s->set, s->rank, &options, given, &s->arena, &bounds, NULL));
	if (left < 0) {
		assert_false(bounds.verdict.accepted);
		return false;
	}
	int accepted = plain_stgm(&s->plain, how, sms, response);
	assert_int_equal(bounds.verdict.accepted, accepted == s->plain.count);
	for (int k = 0; k < s->plain.count && k <= accepted; k++) {
		const struct stgm_bound *b = &bounds.task[s->index[k]];
		int64_t sum = b->own + b->copy + b->gpu + b->blocking;
		same_bound(s, k, s->plain.task[k].deadline + 1000, response[k], b->response);
		for (uint32_t i = 0; i < s->set.task_count; i++)
			sum += b->interference[i];
		if (b->response != NO_BOUND)
			assert_int_equal(sum, b->response);
	}
	return accepted == s->plain.count;
}

static bool check_stgm_allocation(struct sample *s, const struct plain_stgm *how, bool utilisation)
{
	int sms[PLAIN_TASKS];
	struct stgm_allocation a;
	struct stgm_request request = {
		.options =
			{
				.test = utilisation ? STGM_UTILISATION : STGM_RESPONSE_TIME,
				.blocking = blocking_of(how->blocking),
				.exclusive = how->exclusive,
			},
		.admit_any = chance(s, 50)};
	assert_true(stgm_allocate(&s->platform, &s->set, s->rank, &request, &s->arena, &a, NULL));
	bool fits = !utilisation || plain_mean_utilisation_fits(&s->plain);
	bool found = fits && plain_stgm_allocate(&s->plain, how, utilisation, sms);
	assert_int_equal(a.verdict.accepted, found);
	assert_int_equal(a.fallback, utilisation && !found && !request.admit_any);
	if (!utilisation && !found && !request.admit_any)
		assert_true(a.refused);
	for (int k = 0; k < s->plain.count && found; k++)
		assert_int_equal(a.sms[s->index[k]], sms[k]);
	if (!a.refused && !a.fallback)
		same_sets(s, &a, how);
	return found;
}

TEST("stgm agrees")
{
	uint32_t found[4] = {0};
	static struct sample s;
	for (uint32_t i = 0; i < sets; i++) {
		make(&s, i);
		struct plain_stgm how = {.blocking = (enum plain_blocking)draw(&s, 0, 2)};
		for (int exclusive = 0; exclusive < 2; exclusive++) {
			how.exclusive = exclusive;
			found[0] += check_stgm_bounds(&s, &how);
			found[1 + exclusive] += check_stgm_allocation(&s, &how, false);
		}
		how.exclusive = false;
		found[3] += check_stgm_allocation(&s, &how, true);
		arena_finish(&s.arena);
	}
	print_message("# %" PRIu64
		      " sets: %u bounds accepted; allocations: %u shared, %u exclusive, %u by utilisation\n",
		sets, found[0], found[1], found[2], found[3]);
	for (int i = 0; i < 4; i++)
		assert_in_range(found[i], sets / 20, 2 * sets - sets / 10);
}
