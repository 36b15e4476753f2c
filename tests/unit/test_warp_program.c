/* tests/unit/test_warp_program.c - models/warps/program.c: decoded steps, how a warp goes through loops, and
 * the operands of its instructions. */
#include "models/warps/program.h"
#include "tests/support/test.h"

static struct arena arena;
static struct warp_machine machine;
static struct warp_step steps[32];
static struct warp_kernel spec;
static struct engine_part kernel;

static int begin(void **state)
{
	machine = warp_machine_default();
	spec = (struct warp_kernel){.blocks = 1, .block_threads = 32, .steps = steps};
	kernel = (struct engine_part){.spec = &spec};
	return 0;
}

static int end(void **state)
{
	arena_finish(&arena);
	return 0;
}

EACH_TEST(begin, end);

static struct warp_step *add(enum warp_step_kind kind, uint32_t count)
{
	struct warp_step *s = &steps[spec.step_count++];
	*s = warp_step_default(kind);
	s->count = count;
	return s;
}

static struct warp_step *loop(uint32_t times, uint32_t body)
{
	struct warp_step *s = add(STEP_LOOP, times);
	s->body = body;
	return s;
}

static void decode(void)
{
	assert_true(program_decode(&kernel, &machine, &arena));
}

/* Walks a warp through the program: the step of every instruction. */
static size_t walk(uint16_t way[], size_t most)
{
	struct warp v = {0};
	size_t count = 0;
	program_enter(&kernel, &v);
	for (;;) {
		assert_true(count < most);
		way[count++] = v.step;
		v.begun = true;
		if (--v.left == 0 && !program_next_step(&kernel, &v))
			return count;
	}
}

/* The same by recursion. */
static size_t unroll(uint32_t from, uint32_t to, uint16_t way[], size_t count)
{
	for (uint32_t i = from; i < to; i += 1 + (steps[i].kind == STEP_LOOP ? steps[i].body : 0))
		for (uint32_t n = 0; n < steps[i].count; n++)
			if (steps[i].kind == STEP_LOOP)
				count = unroll(i + 1, i + 1 + steps[i].body, way, count);
			else
				way[count++] = (uint16_t)i;
	return count;
}

static void goes_as_unrolled(size_t length)
{
	static uint16_t walked[4096], unrolled[4096];
	decode();
	size_t count = walk(walked, 4096);
	assert_int_equal(count, length);
	assert_int_equal(kernel.instructions, length);
	assert_int_equal(unroll(0, spec.step_count, unrolled, 0), length);
	assert_memory_equal(walked, unrolled, count * sizeof(walked[0]));
}

/* ---- ways ---- */

TEST("straight")
{
	add(STEP_COMPUTE, 3);
	add(STEP_BARRIER, 1);
	add(STEP_LOAD, 2);
	goes_as_unrolled(6);
}

/* Nested loops, with steps before and after at every depth. */
TEST("loops four deep")
{
	add(STEP_COMPUTE, 1);
	loop(2, 10);
	add(STEP_COMPUTE, 2);
	loop(3, 7);
	add(STEP_LOAD, 1);
	loop(2, 4);
	add(STEP_STORE, 1);
	loop(5, 1);
	add(STEP_SHARED_LOAD, 2);
	add(STEP_SHARED_STORE, 1);
	add(STEP_COMPUTE, 1);
	add(STEP_BARRIER, 1);
	add(STEP_COMPUTE, 1);
	/* Innermost 5 x 2; around it 1 + 10 + 1, twice; around those 1 + 24 + 1, three times; around 2 + 78
	 * + 1. */
	goes_as_unrolled(1 + 2 * (2 + 3 * (1 + 2 * (1 + 5 * 2 + 1) + 1) + 1) + 1);
}

/* Loops that begin at the same step, or end at the same step; the last one ends with the program. */
TEST("loops that end together")
{
	loop(2, 4);
	loop(3, 3);
	loop(2, 2);
	loop(4, 1);
	add(STEP_COMPUTE, 3);
	goes_as_unrolled(2 * 3 * 2 * 4 * 3);
}

TEST("loops side by side")
{
	loop(3, 5);
	loop(2, 1);
	add(STEP_COMPUTE, 1);
	loop(4, 1);
	add(STEP_LOAD, 1);
	add(STEP_BARRIER, 1);
	loop(1, 1);
	add(STEP_STORE, 2);
	goes_as_unrolled(3 * (2 + 4 + 1) + 2);
}

/* Barriers mean something to blocks of several warps. */
TEST("warps meet")
{
	add(STEP_COMPUTE, 1);
	decode();
	assert_false(program_meets(&kernel));
	loop(2, 1);
	add(STEP_BARRIER, 1);
	decode();
	assert_false(program_meets(&kernel));
	spec.block_threads = 33;
	assert_true(program_meets(&kernel));
}

TEST("one instruction")
{
	add(STEP_BARRIER, 1);
	goes_as_unrolled(1);
}

/* ---- operands ---- */

/* A warp whose instruction i has its result in cycle 100 + i; every third is a load. */
static struct warp at(uint32_t number)
{
	struct warp v = {.number = number};
	for (uint32_t i = number > WARP_RING ? number - WARP_RING : 0; i < number; i++) {
		v.result[i % WARP_RING] = 100 + i;
		if (i % 3 == 0)
			v.from_memory |= (uint16_t)(1u << i % WARP_RING);
	}
	return v;
}

static void operand_is(struct warp v, uint32_t step, int64_t there, bool from_memory)
{
	bool memory;
	assert_int_equal(program_operand(&kernel.program[step], &v, &memory), there);
	assert_int_equal(memory, from_memory);
}

/* `first` before the step's first instruction, `distance` before the others. */
TEST("first and distance")
{
	struct warp v = at(20);
	steps[0] = warp_step_default(STEP_COMPUTE);
	add(STEP_COMPUTE, 4)->first = 5;
	steps[0].distance = 2;
	decode();
	operand_is(v, 0, 115, true);
	v.begun = true;
	operand_is(v, 0, 118, true);
}

TEST("every distance")
{
	for (uint32_t d = 1; d <= WARP_DISTANCE_MAX; d++)
		add(STEP_COMPUTE, 1)->first = d;
	add(STEP_COMPUTE, 1);
	decode();
	for (uint32_t number = 0; number < 40; number++) {
		for (uint32_t d = 1; d <= WARP_DISTANCE_MAX; d++) {
			bool is = d <= number;
			operand_is(at(number), d - 1, is ? 100 + number - d : 0, is && (number - d) % 3 == 0);
		}
		operand_is(at(number), WARP_DISTANCE_MAX, 0, false);
	}
}

/* Each round of a loop begins the step again. */
TEST("first in every round")
{
	struct warp v = {0};
	loop(3, 1);
	add(STEP_COMPUTE, 2);
	decode();
	program_enter(&kernel, &v);
	for (int round = 0; round < 3; round++) {
		assert_int_equal(v.step, 1);
		assert_false(v.begun);
		assert_int_equal(v.left, 2);
		v.begun = true;
		v.left = 0;
		assert_int_equal(program_next_step(&kernel, &v), round < 2);
	}
}

/* ---- shared loops ---- */

/* The warp runs through the round that it is in. Has it been given another one? */
static bool round_of(struct warp *v)
{
	for (uint32_t n = 0; n < kernel.pool.body; n++) {
		v->number++;
		v->begun = true;
		if (--v->left == 0 && !program_next_step(&kernel, v))
			return false;
	}
	return v->step > kernel.pool.loop && v->step < kernel.program[kernel.pool.loop].end;
}

TEST("warps share a loop")
{
	struct warp v[2] = {{0}};
	spec.block_threads = 64;
	spec.blocks = 3;
	loop(2, 2)->rounds = ROUNDS_WARPS; /* a pool of (2 - 1) x 2 x 3 */
	loop(5, 1);
	add(STEP_COMPUTE, 3);
	add(STEP_LOAD, 2);
	decode();
	assert_int_equal(kernel.pool.body, 15);
	assert_int_equal(kernel.pool.around, 2);
	assert_int_equal(kernel.pool.size, 6);
	kernel.pool.left = kernel.pool.size;
	program_enter(&kernel, &v[0]);
	program_enter(&kernel, &v[1]);
	assert_int_equal(program_left(&kernel, &v[0]), 17);
	for (uint32_t n = 0; n < 4; n++)
		assert_true(round_of(&v[0]));
	assert_int_equal(program_left(&kernel, &v[0]), 17);
	assert_true(round_of(&v[1]));
	assert_true(round_of(&v[1]));
	assert_int_equal(kernel.pool.left, 0);
	assert_false(round_of(&v[0]));
	assert_int_equal(program_left(&kernel, &v[0]), 2);
	assert_int_equal(v[0].step, 3);
	assert_false(round_of(&v[1]));
	assert_int_equal(v[0].number + v[1].number, 15 * 8);
}

TEST("blocks share a loop: their warps run the same rounds")
{
	struct engine_block blocks[2] = {{.rounds = 1}, {.rounds = 1}};
	struct warp v[4];
	spec.block_threads = 64;
	spec.blocks = 2;
	add(STEP_LOAD, 1);
	loop(2, 2)->rounds = ROUNDS_BLOCKS; /* a pool of (2 - 1) x 2 */
	add(STEP_COMPUTE, 1);
	add(STEP_BARRIER, 1);
	decode();
	kernel.pool.left = kernel.pool.size;
	assert_int_equal(kernel.pool.left, 2);
	for (uint32_t i = 0; i < 4; i++) {
		v[i] = (struct warp){.block = &blocks[i / 2]};
		program_enter(&kernel, &v[i]);
		v[i].number = 1;
		assert_true(program_next_step(&kernel, &v[i]));
	}
	assert_true(round_of(&v[0]));
	assert_int_equal(kernel.pool.left, 1);
	assert_int_equal(program_left(&kernel, &v[1]), 4);
	assert_true(round_of(&v[1]));
	assert_int_equal(kernel.pool.left, 1);
	assert_true(round_of(&v[2]));
	assert_int_equal(kernel.pool.left, 0);
	assert_false(round_of(&v[0]));
	assert_true(round_of(&v[3]));
	assert_false(round_of(&v[1]));
	assert_false(round_of(&v[2]));
	assert_false(round_of(&v[3]));
}

/* ---- what a step is made of ---- */

TEST("units and latencies")
{
	for (int u = WARP_INT; u < WARP_MEMORY; u++)
		add(STEP_COMPUTE, 1)->unit = (enum warp_unit)u;
	add(STEP_COMPUTE, 1)->latency = 77;
	add(STEP_SHARED_LOAD, 1);
	add(STEP_SHARED_STORE, 1);
	add(STEP_LOAD, 1);
	add(STEP_BARRIER, 1);
	decode();
	const struct decoded *d = kernel.program;
	for (int u = WARP_INT; u < WARP_MEMORY; u++) {
		assert_int_equal(d[u].unit, u);
		assert_int_equal(d[u].latency, machine.latency[u]);
		assert_int_equal(d[u].energy_fj, machine.unit_fj[u]);
	}
	assert_int_equal(d[5].unit, WARP_INT);
	assert_int_equal(d[5].latency, 77);
	for (int i = 6; i <= 7; i++) {
		assert_int_equal(d[i].unit, WARP_MEMORY);
		assert_int_equal(d[i].energy_fj, machine.shared_fj);
		assert_int_equal(d[i].latency, machine.shared_latency);
	}
	assert_int_equal(d[8].unit, WARP_MEMORY);
	assert_int_equal(d[8].energy_fj, machine.global_fj);
	assert_int_equal(d[9].unit, WARP_UNITS);
	assert_int_equal(d[9].energy_fj, 0);
}

/* If the level is certain, nothing is drawn. */
TEST("levels")
{
	static const struct {
		int64_t l1, l2;
		bool drawn;
		enum warp_level level;
	} rows[] = {{0, 0, false, LEVEL_DRAM}, {1000000, 0, false, LEVEL_L1},
		{1000000, 500000, false, LEVEL_L1}, {0, 1000000, false, LEVEL_L2},
		{0, 500000, true, LEVEL_NONE}, {500000, 0, true, LEVEL_NONE},
		{500000, 1000000, true, LEVEL_NONE}, {1, 0, true, LEVEL_NONE}, {0, 999999, true, LEVEL_NONE}};
	const size_t count = sizeof(rows) / sizeof(rows[0]);
	for (size_t i = 0; i < 2 * count; i++) {
		struct warp_step *s = add(i % 2 ? STEP_LOAD : STEP_STORE, 1);
		s->l1_hit_ppm = rows[i / 2].l1;
		s->l2_hit_ppm = rows[i / 2].l2;
	}
	decode();
	for (size_t i = 0; i < 2 * count; i++) {
		assert_int_equal(kernel.program[i].drawn, rows[i / 2].drawn);
		if (!rows[i / 2].drawn)
			assert_int_equal(kernel.program[i].level, rows[i / 2].level);
	}
}
