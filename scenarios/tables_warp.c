/* scenarios/tables_warp.c - owns the keys of `warp`: how SMs are made, and the kernels whose warps run on
 * them (docs/warps.md). */
#include "scenarios/tables_warp.h"

#include <inttypes.h>
#include <string.h>

#include "models/warps/library.h"
#include "models/warps/options.h"
#include "scenarios/tables.h"

/* ---- Numbers ---- */

/* Reads a decimal number as a whole number of parts, `parts` of which make 1. */
static bool read_decimal(struct binder *b, const char *what, const struct node *node, const char *wants,
	int64_t parts, int64_t max, int64_t *value)
{
	char quote[NODE_QUOTE_MAX];
	struct error err;
	if (node->kind != NODE_SCALAR || !*node->text || strchr(node->text, '%'))
		return binder_error(b, node, "'%s' wants %s, got %s", what, wants, node_quote(node, quote));
	if (!unit_parse(UNIT_RATIO, node->text, NULL, value, &err)) {
		if (strncmp(err.text, "wants", 5) == 0)
			return binder_error(
				b, node, "'%s' wants %s, got %s", what, wants, node_quote(node, quote));
		return binder_error(b, node, "'%s' %s", what, err.text);
	}
	if (*value % (1000000 / parts) != 0)
		return binder_error(b, node, "'%s' is finer than 1/%" PRId64 ": %s", what, parts,
			node_quote(node, quote));
	*value /= 1000000 / parts;
	if (*value < 1 || *value > max)
		return binder_error(b, node, "'%s' is %.40s; it must be above 0 and at most %" PRId64, what,
			node->text, max / parts);
	return true;
}

static void decimal_schema(struct text *out)
{
	text_add(out, "{\"type\": \"number\", \"exclusiveMinimum\": 0}");
}

/* The machine with the clock of the file, which is read before everything that is counted in cycles. */
static const struct warp_machine *machine_of(const struct binder *b)
{
	return &((const struct description *)b->context)->warp.machine;
}

/* 8, or 2.5us. */
static bool bind_cycles(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count)
{
	(void)count;
	static const struct binder_shape number = {
		.kind = SHAPE_INTEGER,
		.wants = "a number of cycles, or a duration such as 2.5us",
		.max = WARP_CYCLES_MAX,
		.size = sizeof(int64_t),
	};
	struct error err;
	int64_t ns;
	bool digits = node->kind != NODE_SCALAR || !node->text[strspn(node->text, "-0123456789")];
	if (digits || !unit_parse(UNIT_TIME, node->text, NULL, &ns, &err))
		return binder_read(b, what, node, &number, out, NULL);
	int64_t cycles = warp_cycles(machine_of(b), ns);
	if (cycles > WARP_CYCLES_MAX)
		return binder_error(b, node,
			"'%s' is %" PRId64 " cycles; it must be at most %" PRId64 " cycles", what, cycles,
			WARP_CYCLES_MAX);
	memcpy(out, &cycles, sizeof(cycles));
	return true;
}

static void cycles_schema(struct text *out)
{
	text_printf(out,
		"{\"anyOf\": [{\"type\": \"integer\", \"minimum\": 0, \"maximum\": %" PRId64 "}, "
		"{\"type\": \"string\", \"pattern\": \"^[0-9]*\\\\.?[0-9]+\\\\s*(ns|us|ms|s)$\"}]}",
		WARP_CYCLES_MAX);
}

const struct binder_shape shape_cycles = {
	.kind = SHAPE_CUSTOM, .wants = "cycles, or a time", .bind = bind_cycles, .schema = cycles_schema};
const struct binder_shape shape_cycle_count = {
	.kind = SHAPE_INTEGER, .min = 1, .max = WARP_CYCLES_MAX, .size = sizeof(int64_t)};

/* ---- The machine ---- */

#define MACHINE(member) offsetof(struct warp_machine, member)

static const struct binder_shape latency = {
	.kind = SHAPE_INTEGER, .min = 1, .max = WARP_LATENCY_MAX, .size = sizeof(int64_t)};

/* clang-format off */
#define INTERVAL_FIELD(unit) \
	{"interval", &latency, MACHINE(interval) + (unit) * sizeof(int64_t), \
		.help = "Cycles between two instructions that the unit accepts."}
#define UNIT(name, unit) \
	static const struct field name##_fields[] = { \
		{"latency", &latency, MACHINE(latency) + (unit) * sizeof(int64_t), \
			.help = "Cycles until a result is ready."}, \
		INTERVAL_FIELD(unit), {NULL}}; \
	static const struct binder_shape name = {.kind = SHAPE_MAP, .wants = "{latency: 4, interval: 1}", \
		.fields = name##_fields}
/* clang-format on */

UNIT(unit_int, WARP_INT);
UNIT(unit_fp, WARP_FP);
UNIT(unit_fp64, WARP_FP64);
UNIT(unit_sfu, WARP_SFU);
UNIT(unit_tensor, WARP_TENSOR);
static const struct field unit_memory_fields[] = {INTERVAL_FIELD(WARP_MEMORY), {NULL}};
static const struct binder_shape unit_memory = {
	.kind = SHAPE_MAP, .wants = "{interval: 4}", .fields = unit_memory_fields};

static const struct field unit_fields[] = {
	{"int", &unit_int, 0, .help = "Integers.", .unset = "{latency: 4, interval: 1}"},
	{"fp", &unit_fp, 0, .help = "Single precision.", .unset = "{latency: 4, interval: 1}"},
	{"fp64", &unit_fp64, 0, .help = "Double precision.", .unset = "{latency: 8, interval: 4}"},
	{"sfu", &unit_sfu, 0, .help = "Special functions.", .unset = "{latency: 16, interval: 8}"},
	{"tensor", &unit_tensor, 0, .help = "Tensor cores.", .unset = "{latency: 16, interval: 2}"},
	{"memory", &unit_memory, 0, .help = "Accesses to global and shared memory.",
		.unset = "{interval: 4}"},
	{NULL}};
static const struct binder_shape units = {.kind = SHAPE_MAP, .fields = unit_fields};

static bool bind_bandwidth(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count)
{
	(void)count;
	int64_t value;
	if (!read_decimal(b, what, node, "bytes per cycle, a number such as 184.2", 1000, 1000000000, &value))
		return false;
	memcpy(out, &value, sizeof(value));
	return true;
}

static const struct binder_shape bandwidth = {.kind = SHAPE_CUSTOM,
	.wants = "a number such as 184.2",
	.bind = bind_bandwidth,
	.schema = decimal_schema};
static const struct binder_shape size = {
	.kind = SHAPE_QUANTITY, .unit = UNIT_BYTES, .min = 128, .max = (int64_t)1 << 40};

/* A size, or WARP_SIZE_OF_PRESET for the word. */
static bool bind_cache(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count)
{
	static const int64_t of_preset = WARP_SIZE_OF_PRESET;
	char quote[NODE_QUOTE_MAX];
	if (node->kind == NODE_SCALAR && strspn(node->text, "-.0123456789") > 0)
		return binder_read(b, what, node, &size, out, count);
	if (node->kind != NODE_SCALAR || strcmp(node->text, "preset") != 0)
		return binder_error(b, node, "'%s' wants a size such as 32KiB, or preset, got %s", what,
			node_quote(node, quote));
	memcpy(out, &of_preset, sizeof(of_preset));
	return true;
}

static void cache_schema(struct text *out)
{
	text_add(out, "{\"anyOf\": [");
	schema_value(out, &size);
	text_add(out, ", {\"const\": \"preset\"}]}");
}

static const struct binder_shape cache = {.kind = SHAPE_CUSTOM,
	.wants = "size from 128B, or preset",
	.bind = bind_cache,
	.schema = cache_schema};
static const struct binder_shape requests = {
	.kind = SHAPE_INTEGER, .min = 1, .max = WARP_REQUESTS_MAX, .size = sizeof(int64_t)};
static const struct field memory_fields[] = {
	{"shared", &latency, MACHINE(shared_latency), .help = "Latency of shared memory.", .unset = "20"},
	{"l1", &latency, MACHINE(l1_latency), .help = "Latency of a hit in L1.", .unset = "28"},
	{"l2", &latency, MACHINE(l2_latency), .help = "Latency of a hit in L2.", .unset = "190"},
	{"dram", &latency, MACHINE(dram_latency), .help = "Latency of DRAM behind its server.",
		.unset = "400"},
	{"bandwidth", &bandwidth, MACHINE(bandwidth),
		.help = "Bytes that pass DRAM's server in a cycle, to three digits behind the point.",
		.unset = "180"},
	{"l1_size", &cache, MACHINE(l1_bytes), .help = "L1 of an SM, for loads with 'reuse'.",
		.unset = "not known"},
	{"l2_size", &cache, MACHINE(l2_bytes), .help = "L2, for loads with 'reuse'.",
		.unset = "'l2_hit' alone says what hits L2"},
	{"requests", &requests, MACHINE(requests),
		.help = "An SM takes loads while fewer lines than this are on their way to its L1.",
		.unset = "no limit"},
	{NULL}};
static const struct binder_shape memory = {.kind = SHAPE_MAP, .fields = memory_fields};

static const struct binder_shape energy = {
	.kind = SHAPE_INTEGER, .min = 0, .max = 1000000000, .size = sizeof(int64_t)};
#define ENERGY_OF(unit) (MACHINE(unit_fj) + (unit) * sizeof(int64_t))
static const struct field energy_fields[] = {
	{"int", &energy, ENERGY_OF(WARP_INT), .help = "An instruction of one thread on this unit.",
		.unset = "25000"},
	{"fp", &energy, ENERGY_OF(WARP_FP), .help = "An instruction of one thread on this unit.",
		.unset = "30000"},
	{"fp64", &energy, ENERGY_OF(WARP_FP64), .help = "An instruction of one thread on this unit.",
		.unset = "60000"},
	{"sfu", &energy, ENERGY_OF(WARP_SFU), .help = "An instruction of one thread on this unit.",
		.unset = "60000"},
	{"tensor", &energy, ENERGY_OF(WARP_TENSOR), .help = "An instruction of one thread on this unit.",
		.unset = "120000"},
	{"shared", &energy, MACHINE(shared_fj), .help = "An access of one thread to shared memory.",
		.unset = "30000"},
	{"global", &energy, MACHINE(global_fj), .help = "An access of one thread to global memory.",
		.unset = "60000"},
	{"dram_byte", &energy, MACHINE(dram_byte_fj), .help = "A byte that passes DRAM.", .unset = "150000"},
	{NULL}};
static const struct binder_shape energies = {.kind = SHAPE_MAP, .fields = energy_fields};

/* ---- Kernels ---- */

#define KERNEL(member) offsetof(struct kernel_entry, member)
#define GOAL(member) offsetof(struct goal_entry, member)

static bool bind_ipc(struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count)
{
	(void)count;
	int64_t value;
	if (!read_decimal(b, what, node, "thread instructions per cycle, a number such as 12.5", 1000000,
		    WARP_GOAL_MAX, &value))
		return false;
	memcpy(out, &value, sizeof(value));
	return true;
}

static const struct binder_shape ipc = {
	.kind = SHAPE_CUSTOM, .wants = "a number such as 12.5", .bind = bind_ipc, .schema = decimal_schema};
static const struct binder_shape share = {
	.kind = SHAPE_QUANTITY, .unit = UNIT_RATIO, .min = 1, .max = 1000000};
static const struct field goal_fields[] = {
	{"ipc", &ipc, GOAL(ipc), .need = SELECTOR, .tag = GOAL_IPC,
		.help = "Thread instructions per cycle, over the whole GPU."},
	{"share", &share, GOAL(share_ppm), .need = SELECTOR, .tag = GOAL_SHARE,
		.help = "A share of its thread instructions per cycle when it runs alone, which is "
			"measured."},
	{"kernel_time", &shape_length, GOAL(kernel_ns), .need = SELECTOR, .tag = GOAL_TIME,
		.help = "Time of a launch, without copies and queues."},
	{"end_to_end", &shape_length, GOAL(end_to_end_ns), .need = SELECTOR, .tag = GOAL_TIME,
		.help = "Time of a launch with copies and queues."},
	{"copies", &shape_duration, GOAL(copies_ns), .with = "end_to_end",
		.help = "The part of it spent in copies.", .unset = "0"},
	{"queueing", &shape_duration, GOAL(queueing_ns), .with = "end_to_end",
		.help = "The part of it spent in queues.", .unset = "0"},
	{NULL}};

static bool check_goal(struct binder *b, const struct node *node, void *out)
{
	struct goal_entry *g = out;
	if (!node_has(node, "end_to_end"))
		return true;
	g->kernel_ns = g->end_to_end_ns - g->copies_ns - g->queueing_ns;
	return g->kernel_ns > 0 ||
	       binder_error_at(b, node, "end_to_end", "'copies' and 'queueing' leave no time for the kernel");
}

static const struct binder_shape goal = {
	.kind = SHAPE_MAP,
	.wants = "{ipc: 12.5}, {share: 90%}, {kernel_time: 2ms} or {end_to_end: 3ms, copies: 800us}",
	.fields = goal_fields,
	.tag_offset = GOAL(kind),
	.check = check_goal,
};

/* Copies the kernel from the library; keys that follow override its values. */
static bool bind_library(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count)
{
	(void)count;
	char quote[NODE_QUOTE_MAX], hint[SUGGESTION_TEXT_MAX];
	if (node->kind != NODE_SCALAR || !*node->text)
		return binder_error(b, node, "'%s' wants the name of a kernel of the library, got %s", what,
			node_quote(node, quote));
	const struct warp_library_kernel *found = warp_library_find(node->text);
	if (found)
		return warp_library_copy(found, b->arena, out) || binder_no_memory(b);
	struct suggestion s = {.word = node->text};
	for (uint32_t i = 0; i < warp_library_count(); i++)
		suggestion_offer(&s, warp_library_at(i)->name);
	return binder_error(b, node, "no kernel of the library is called %s%s", node_quote(node, quote),
		s.best ? suggestion_text(&s, hint) : "; 'cegsim list kernels' shows them");
}

static void library_schema(struct text *out)
{
	text_add(out, "{\"enum\": [");
	for (uint32_t i = 0; i < warp_library_count(); i++) {
		text_add(out, i ? ", " : "");
		text_add_json(out, warp_library_at(i)->name);
	}
	text_add(out, "]}");
}

static const struct binder_shape library = {
	.kind = SHAPE_CUSTOM, .wants = "a kernel's name", .bind = bind_library, .schema = library_schema};

static const struct binder_shape blocks = {
	.kind = SHAPE_INTEGER, .min = 1, .max = INT32_MAX, .size = sizeof(uint32_t)};
static const struct binder_shape block_threads = {
	.kind = SHAPE_INTEGER, .min = 1, .max = WARPS_PER_SM_MAX * WARP_THREADS, .size = sizeof(uint32_t)};
static const struct binder_shape registers = {
	.kind = SHAPE_INTEGER, .min = 0, .max = 65536, .size = sizeof(int64_t)};
static const struct binder_shape shared_memory = {
	.kind = SHAPE_QUANTITY, .unit = UNIT_BYTES, .max = (int64_t)1 << 40};
static const struct binder_choice truths[] = {{"false", 0}, {"true", 1}, {NULL}};
static const struct binder_shape truth = {.kind = SHAPE_CHOICE, .choices = truths};
static const struct binder_shape stream = {
	.kind = SHAPE_INTEGER, .max = 1000000, .size = sizeof(int32_t), .wants = "a stream's number"};
static const struct binder_choice stream_priorities[] = {{"low", 0}, {"high", 1}, {NULL}};
static const struct binder_shape stream_priority = {.kind = SHAPE_CHOICE, .choices = stream_priorities};

/* clang-format off */
/* What blocks are and do, of a kernel and of those that follow it. */
#define BLOCK_FIELDS(entry) \
	{"library", &library, offsetof(struct entry, kernel), \
		.help = "A kernel that comes with the program; keys beside it override its values.", \
		.unset = "none"}, \
	{"blocks", &blocks, offsetof(struct entry, kernel.blocks), .help = "Blocks of a launch.", \
		.unset = "the library's; required without one"}, \
	{"block_threads", &block_threads, offsetof(struct entry, kernel.block_threads), \
		.help = "Threads of a block.", .unset = "the library's; required without one"}, \
	{"registers", &registers, offsetof(struct entry, kernel.registers), .help = "Registers per thread.", \
		.unset = "0, or the library's"}, \
	{"shared_memory", &shared_memory, offsetof(struct entry, kernel.shared_memory), \
		.help = "Shared memory per block.", .unset = "0, or the library's"}, \
	{"program", &shape_program, offsetof(struct entry, program.steps), \
		offsetof(struct entry, program.count), .help = "What every warp does, in order.", \
		.unset = "the library's; required without one"}
/* clang-format on */

static const struct field part_fields[] = {BLOCK_FIELDS(part_entry), {NULL}};

static bool check_part(struct binder *b, const struct node *node, void *out)
{
	struct part_entry *e = out;
	const struct node *program = node_find(node, "program");
	return !program || program_flatten(b, program, &e->program, &e->kernel);
}

static const struct binder_shape part = {
	.kind = SHAPE_MAP,
	.wants = "a kernel such as {blocks: 80, block_threads: 256, program: [...]}",
	.fields = part_fields,
	.check = check_part,
};
static const struct binder_shape parts = {
	.kind = SHAPE_LIST,
	.item = &part,
	.size = sizeof(struct part_entry),
	.min = 1,
	.max = WARP_PARTS_MAX - 1,
};

static const struct field kernel_fields[] = {
	{"name", &shape_name, KERNEL(name), .need = REQUIRED,
		.help = "What the kernel is called; unique in the file."},
	BLOCK_FIELDS(kernel_entry),
	{"then", &parts, KERNEL(then), KERNEL(then_count),
		.help = "An application: kernels that each job runs behind this one, one after the other.",
		.unset = "none"},
	{"launch", &shape_cycles, KERNEL(kernel.launch), .help = "Launch of the first job.", .unset = "0"},
	{"period", &shape_cycles, KERNEL(kernel.period), .help = "A further job is launched every period.",
		.unset = "only one job"},
	{"repeat", &truth, KERNEL(repeat), .fallback = "false",
		.help = "A further job is launched whenever the last one has ended."},
	{"deadline", &shape_length, KERNEL(deadline_ns), .help = "Relative deadline; at most the period.",
		.unset = "none"},
	{"stream", &stream, KERNEL(kernel.stream),
		.help = "The number of its stream. Kernels of one stream run one job at a time.",
		.unset = "one of its own"},
	{"stream_priority", &stream_priority, KERNEL(stream_high), .fallback = "low",
		.help = "Priority of the stream: whose blocks are placed first."},
	{"goal", &goal, KERNEL(goal), .help = "The goal that a manager tries to reach for the kernel.",
		.unset = "none"},
	{NULL}};

static void init_kernel(void *out)
{
	*(struct kernel_entry *)out = (struct kernel_entry){.kernel.stream = STREAM_OWN};
}

static bool is_complete(struct binder *b, const struct node *node)
{
	static const char *const wanted[] = {"blocks", "block_threads", "program"};
	bool ok = true;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]) && !node_has(node, "library"); i++) {
		if (!node_has(node, wanted[i]))
			ok = b ? binder_error(b, node, "'%s' is missing here", wanted[i]) : false;
	}
	return ok;
}

bool check_completeness(struct binder *b, const struct node *kernel_node)
{
	const struct node *then = node_find(kernel_node, "then");
	bool ok = is_complete(b, kernel_node);
	for (const struct node *n = then && then->kind == NODE_LIST ? then->first : NULL; n; n = n->next)
		ok = (n->kind != NODE_MAP || is_complete(b, n)) && ok;
	return ok;
}

static bool check_launches(struct binder *b, const struct node *node, const struct kernel_entry *e)
{
	char deadline[UNIT_TEXT_MAX], period[UNIT_TEXT_MAX];
	if (!node_has(node, "period"))
		return true;
	if (e->kernel.period == 0)
		return binder_error_at(b, node, "period", "'period' must be at least a cycle");
	if (e->repeat)
		return binder_error_at(b, node, "repeat", "'repeat' and 'period' do not go together");
	int64_t period_ns = warp_ns(machine_of(b), e->kernel.period);
	unit_format_alike(UNIT_TIME, (int64_t[]){e->deadline_ns, period_ns}, deadline, period);
	return e->deadline_ns <= period_ns ||
	       binder_error_at(b, node, "deadline", "the deadline of '%s', %s, is longer than its period, %s",
		       e->name, deadline, period);
}

static bool gather_parts(struct binder *b, struct kernel_entry *e)
{
	struct warp_kernel *k = &e->kernel;
	k->then = arena_new(b->arena, struct warp_kernel, e->then_count);
	if (!k->then)
		return binder_no_memory(b);
	for (; k->then_count < e->then_count; k->then_count++)
		k->then[k->then_count] = e->then[k->then_count].kernel;
	return true;
}

static bool check_kernel(struct binder *b, const struct node *node, void *out)
{
	struct kernel_entry *e = out;
	struct warp_kernel *k = &e->kernel;
	const struct node *program = node_find(node, "program");
	bool ok = check_launches(b, node, e);
	if (program)
		ok = program_flatten(b, program, &e->program, k) && ok;
	if (e->then_count > 0)
		ok = gather_parts(b, e) && ok;
	e->at = node;
	k->stream_high = e->stream_high != 0;
	k->repeat = e->repeat != 0;
	k->goal = (struct warp_goal){
		.kind = (enum warp_goal_kind)e->goal.kind,
		.ipc = e->goal.ipc,
		.share_ppm = e->goal.share_ppm,
		.kernel_ns = e->goal.kernel_ns,
	};
	e->sound = ok && check_completeness(NULL, node);
	return ok;
}

static const struct binder_shape kernel = {
	.kind = SHAPE_MAP,
	.wants = "a kernel such as {name: K1, blocks: 80, block_threads: 256, program: [...]}",
	.fields = kernel_fields,
	.init = init_kernel,
	.check = check_kernel,
};
static const struct binder_shape kernels = {
	.kind = SHAPE_LIST,
	.item = &kernel,
	.size = sizeof(struct kernel_entry),
	.min = 1,
	.max = WARP_KERNELS_MAX,
};

/* ---- All of it ---- */

static bool clock_is_sound(struct binder *b, const struct node *node, void *out)
{
	(void)node;
	(void)out;
	((struct description *)b->context)->warp.clock_sound = true;
	return true;
}

static const struct binder_shape clock_rate = {
	.kind = SHAPE_QUANTITY,
	.unit = UNIT_FREQUENCY,
	.min = 1000000,
	.max = INT64_C(100000000000),
	.check = clock_is_sound,
};
static const struct binder_shape sub_cores = {
	.kind = SHAPE_INTEGER, .min = 1, .max = WARP_SUB_CORES_MAX, .size = sizeof(uint32_t)};

#define WARP(member) offsetof(struct warp_entry, member)

/* The clock comes before everything that is counted in its cycles. */
static const struct field warp_fields[] = {
	{"clock", &clock_rate, WARP(machine.clock_hz), .help = "Clock of the SMs.", .unset = "1GHz"},
	{"sub_cores", &sub_cores, WARP(machine.sub_cores),
		.help = "Parts of an SM, each with a warp scheduler and its units.", .unset = "4"},
	{"units", &units, WARP(machine), .help = "Latencies and intervals of a sub-core's units, in cycles."},
	{"memory", &memory, WARP(machine), .help = "Latencies in cycles, and DRAM's bandwidth."},
	{"energy", &energies, WARP(machine), .help = "Energies, in femtojoules."},
	{"kernels", &kernels, WARP(kernels), WARP(kernel_count), REQUIRED,
		.help = "The kernels, in order of their index."},
	{NULL}};

static void init_warp(void *out)
{
	*(struct warp_entry *)out = (struct warp_entry){.machine = warp_machine_default()};
}

const struct binder_shape shape_warp = {
	.kind = SHAPE_MAP,
	.wants = "a mapping such as {kernels: [...]}",
	.fields = warp_fields,
	.init = init_warp,
};

/* ---- The SMs of tasks whose kernels are programs ---- */

#define PROGRAMS(member) offsetof(struct programs_entry, member)

static const struct binder_shape plain_clock = {
	.kind = SHAPE_QUANTITY, .unit = UNIT_FREQUENCY, .min = 1000000, .max = INT64_C(100000000000)};
static const struct binder_choice inside_schedulers[] = {
	{"lrr", SCHEDULE_LRR}, {"gto", SCHEDULE_GTO}, {"oldest", SCHEDULE_OLDEST}, {NULL}};
static const struct binder_shape inside_scheduler_name = {.kind = SHAPE_CHOICE, .choices = inside_schedulers};

static const struct field programs_fields[] = {
	{"clock", &plain_clock, PROGRAMS(machine.clock_hz), .help = "Clock of the SMs.", .unset = "1GHz"},
	{"sub_cores", &sub_cores, PROGRAMS(machine.sub_cores),
		.help = "Parts of an SM, each with a warp scheduler and its units.", .unset = "4"},
	{"units", &units, PROGRAMS(machine),
		.help = "Latencies and intervals of a sub-core's units, as in 'warp'."},
	{"memory", &memory, PROGRAMS(machine), .help = "Latencies and DRAM's bandwidth, as in 'warp'."},
	{"scheduler", &inside_scheduler_name, PROGRAMS(scheduler), .fallback = "gto",
		.help = "Which warp of a sub-core issues next."},
	{NULL}};

static void init_programs(void *out)
{
	*(struct programs_entry *)out =
		(struct programs_entry){.machine = warp_machine_default(), .scheduler = SCHEDULE_GTO};
}

const struct binder_shape shape_programs = {
	.kind = SHAPE_MAP,
	.wants = "a mapping such as {clock: 1.2GHz}",
	.fields = programs_fields,
	.init = init_programs,
};
