/* scenarios/tables_program.c - owns the keys of `program`: the steps of a kernel of warps. */
#include <inttypes.h>

#include "scenarios/tables_warp.h"

#define STEP(member) offsetof(struct step_entry, step.member)

static const struct binder_shape count = {
	.kind = SHAPE_INTEGER, .min = 1, .max = WARP_COUNT_MAX, .size = sizeof(uint32_t)};
static const struct binder_shape threads = {
	.kind = SHAPE_INTEGER, .min = 1, .max = WARP_THREADS, .size = sizeof(uint32_t)};
static const struct binder_shape distance = {
	.kind = SHAPE_INTEGER, .min = 0, .max = WARP_DISTANCE_MAX, .size = sizeof(uint32_t)};
static const struct binder_shape latency = {
	.kind = SHAPE_INTEGER, .min = 1, .max = WARP_LATENCY_MAX, .size = sizeof(int64_t)};
static const struct binder_shape ratio = {.kind = SHAPE_QUANTITY, .unit = UNIT_RATIO, .max = 1000000};
static const struct binder_shape bytes = {
	.kind = SHAPE_INTEGER, .min = 1, .max = 4096, .size = sizeof(uint32_t)};
static const struct binder_choice units[] = {COMPUTE_UNIT_WORDS(WORD_CHOICE){NULL}};
static const struct binder_shape unit = {.kind = SHAPE_CHOICE, .choices = units};

/* clang-format off */
/* Keys of every instruction. */
#define INSTRUCTION_FIELDS \
	{"count", &count, STEP(count), .help = "How many instructions.", .unset = "1"}, \
	{"threads", &threads, STEP(threads), \
		.help = "Active threads of a warp: fewer than 32 where it diverges.", .unset = "32"}, \
	{"distance", &distance, STEP(distance), \
		.help = "Each needs the result of the instruction this many before it; 0: of none.", \
		.unset = "0"}, \
	{"first", &distance, STEP(first), \
		.help = "The same for the first one, each time the step is begun.", .unset = "the distance"}

#define ACCESS_FIELDS \
	{"l1_hit", &ratio, STEP(l1_hit_ppm), .help = "The share of the accesses that hit in L1.", \
		.unset = "0"}, \
	{"l2_hit", &ratio, STEP(l2_hit_ppm), .help = "The share of the others that hit in L2.", \
		.unset = "0"}, \
	{"coalescing", &ratio, STEP(coalescing_ppm), \
		.help = "1: neighbours share 32-byte sectors; 0: each thread has its own.", .unset = "1"}, \
	{"bytes", &bytes, STEP(bytes), .help = "Bytes per thread.", .unset = "4"}
/* clang-format on */

static const struct field compute_fields[] = {
	{"unit", &unit, STEP(unit), .help = "The unit they need.", .unset = "int"}, INSTRUCTION_FIELDS,
	{"latency", &latency, STEP(latency), .help = "Cycles until the result is there.",
		.unset = "the unit's"},
	{NULL}};
static const struct field access_fields[] = {INSTRUCTION_FIELDS, ACCESS_FIELDS, {NULL}};
static const struct binder_shape reuse = {
	.kind = SHAPE_INTEGER, .min = 1, .max = WARP_REUSE_MAX, .size = sizeof(uint32_t)};
static const struct field load_fields[] = {INSTRUCTION_FIELDS, ACCESS_FIELDS,
	{"reuse", &reuse, STEP(reuse),
		.help = "Instead of 'l1_hit': hits L1 if what the warp's load this many before it loaded is "
			"still there.",
		.unset = "'l1_hit' decides"},
	{NULL}};
static const struct field shared_fields[] = {INSTRUCTION_FIELDS, {NULL}};
static const struct field barrier_fields[] = {{NULL}};

/* A step starts with the defaults of its kind. */
static void init_step(void *out, enum warp_step_kind kind)
{
	((struct step_entry *)out)->step = warp_step_default(kind);
}

static void init_compute(void *out)
{
	init_step(out, STEP_COMPUTE);
}

static void init_load(void *out)
{
	init_step(out, STEP_LOAD);
}

static void init_store(void *out)
{
	init_step(out, STEP_STORE);
}

static void init_shared_load(void *out)
{
	init_step(out, STEP_SHARED_LOAD);
}

static void init_shared_store(void *out)
{
	init_step(out, STEP_SHARED_STORE);
}

static void init_barrier(void *out)
{
	init_step(out, STEP_BARRIER);
}

static void init_loop(void *out)
{
	init_step(out, STEP_LOOP);
}

static bool check_instruction(struct binder *b, const struct node *node, void *out)
{
	(void)b;
	struct warp_step *s = &((struct step_entry *)out)->step;
	if (!node_has(node, "first"))
		s->first = s->distance;
	return true;
}

#define INSTRUCTION(its_fields, its_init)                                                                    \
	{                                                                                                    \
		.kind = SHAPE_MAP, .fields = its_fields, .init = its_init, .check = check_instruction        \
	}
static const struct binder_shape compute = INSTRUCTION(compute_fields, init_compute);
static const struct binder_shape load = INSTRUCTION(load_fields, init_load);
static const struct binder_shape store = INSTRUCTION(access_fields, init_store);
static const struct binder_shape shared_load = INSTRUCTION(shared_fields, init_shared_load);
static const struct binder_shape shared_store = INSTRUCTION(shared_fields, init_shared_store);
static const struct binder_shape barrier = {
	.kind = SHAPE_MAP, .fields = barrier_fields, .init = init_barrier};

static const struct binder_choice sharers[] = {{"warps", ROUNDS_WARPS}, {"blocks", ROUNDS_BLOCKS}, {NULL}};
static const struct binder_shape shared = {.kind = SHAPE_CHOICE, .choices = sharers};

static const struct field loop_fields[] = {
	{"times", &count, STEP(count), .need = REQUIRED, .help = "How often the body is run."},
	{"shared", &shared, STEP(rounds),
		.help = "Who takes the rounds behind its first one from a pool of the launch. Only an "
			"outermost loop.",
		.unset = "each warp has its own"},
	{"body", &shape_program, offsetof(struct step_entry, body), offsetof(struct step_entry, body_count),
		REQUIRED, .help = "Steps; loops nest up to 4 deep."},
	{NULL}};
static const struct binder_shape loop = {
	.kind = SHAPE_MAP, .wants = "{times: 10, body: [...]}", .fields = loop_fields, .init = init_loop};

static const struct field step_fields[] = {
	{"compute", &compute, 0, .need = SELECTOR, .tag = STEP_COMPUTE, .help = "Instructions on a unit."},
	{"load", &load, 0, .need = SELECTOR, .tag = STEP_LOAD, .help = "Loads from global memory."},
	{"store", &store, 0, .need = SELECTOR, .tag = STEP_STORE,
		.help = "Stores to global memory; nobody waits for them."},
	{"shared_load", &shared_load, 0, .need = SELECTOR, .tag = STEP_SHARED_LOAD,
		.help = "Loads from shared memory."},
	{"shared_store", &shared_store, 0, .need = SELECTOR, .tag = STEP_SHARED_STORE,
		.help = "Stores to shared memory."},
	{"barrier", &barrier, 0, .need = SELECTOR, .tag = STEP_BARRIER,
		.help = "All warps of the block meet."},
	{"loop", &loop, 0, .need = SELECTOR, .tag = STEP_LOOP, .help = "Steps that are repeated."}, {NULL}};

static bool place_step(struct binder *b, const struct node *node, void *out)
{
	(void)b;
	((struct step_entry *)out)->at = node;
	return true;
}

#define WANTS_STEP "a step such as {compute: {count: 4}}, or barrier"
static const struct binder_choice bare_steps[] = {{"barrier", STEP_BARRIER}, {NULL}};

/* A barrier may be given as a word alone. */
static bool settle_bare_step(struct binder *b, const struct node *node, void *out)
{
	init_barrier(out);
	return place_step(b, node, out);
}

static const struct binder_shape step_word = {
	.kind = SHAPE_CHOICE, .wants = WANTS_STEP, .choices = bare_steps, .check = settle_bare_step};
static const struct binder_shape step_map = {
	.kind = SHAPE_MAP,
	.wants = WANTS_STEP,
	.fields = step_fields,
	.tag_offset = STEP(kind),
	.check = place_step,
};
_Static_assert(STEP(kind) == 0, "a word is read into the kind");
static const struct binder_shape step = {
	.kind = SHAPE_EITHER, .wants = WANTS_STEP, .scalar = &step_word, .map = &step_map};
const struct binder_shape shape_program = {
	.kind = SHAPE_LIST,
	.wants = "a list of steps such as [{compute: {count: 4}}]",
	.reference = "program",
	.item = &step,
	.size = sizeof(struct step_entry),
	.min = 1,
	.max = WARP_STEPS_MAX,
};

/* ---- Flattening ---- */

/* Counts the steps, nested ones included. */
static uint32_t count_steps(const struct step_entry *steps, uint32_t steps_count)
{
	uint32_t sum = steps_count;
	for (uint32_t i = 0; i < steps_count; i++)
		sum += count_steps(steps[i].body, steps[i].body_count);
	return sum;
}

/* Appends the steps to the kernel's; they are inside of `depth` loops. */
static bool append(struct binder *b, const struct step_entry *steps, uint32_t steps_count, uint32_t depth,
	struct warp_kernel *kernel)
{
	bool ok = true;
	for (uint32_t i = 0; i < steps_count; i++) {
		const struct step_entry *e = &steps[i];
		struct warp_step *s = &kernel->steps[kernel->step_count++];
		*s = e->step;
		if (s->kind != STEP_LOOP)
			continue;
		if (depth == WARP_LOOPS_MAX)
			return binder_error(b, e->at, "loops nest at most %u deep", WARP_LOOPS_MAX);
		uint32_t before = kernel->step_count;
		ok = append(b, e->body, e->body_count, depth + 1, kernel) && ok;
		s->body = kernel->step_count - before;
	}
	return ok;
}

bool program_flatten(struct binder *b, const struct node *at, const struct program_entry *program,
	struct warp_kernel *kernel)
{
	uint32_t sum = count_steps(program->steps, program->count);
	if (sum > WARP_STEPS_MAX)
		return binder_error(
			b, at, "'program' has %" PRIu32 " steps; at most %u", sum, WARP_STEPS_MAX);
	kernel->steps = arena_new(b->arena, struct warp_step, sum);
	kernel->step_count = 0;
	if (!kernel->steps)
		return binder_no_memory(b);
	return append(b, program->steps, program->count, 0, kernel);
}
