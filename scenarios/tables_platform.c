/* scenarios/tables_platform.c - owns the keys of `platform`: presets, GPU limits, copy engines, power,
 * overheads. They are read directly into a struct platform. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/presets.h"
#include "scenarios/tables.h"

#define AT(member) offsetof(struct platform, member)

/* ---- Preset ---- */

static bool bind_preset(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count)
{
	(void)count;
	char quote[NODE_QUOTE_MAX], hint[SUGGESTION_TEXT_MAX];
	const struct preset *preset = node->kind == NODE_SCALAR ? preset_find(node->text) : NULL;
	if (preset) {
		*(struct platform *)out = preset->platform;
		return true;
	}
	if (node->kind != NODE_SCALAR)
		return binder_error(b, node, "'%s' wants a name, got %s", what, node_quote(node, quote));
	struct suggestion s = {.word = node->text};
	preset_suggest(&s);
	return binder_error(b, node, "no preset is called %s%s", node_quote(node, quote),
		s.best ? suggestion_text(&s, hint) : "; 'cegsim list presets' shows them");
}

static void preset_schema(struct text *out)
{
	size_t count;
	const struct preset *all = preset_all(&count);
	text_add(out, "{\"enum\": [");
	for (size_t i = 0; i < count; i++) {
		text_add(out, i ? ", " : "");
		text_add_json(out, all[i].name);
	}
	text_add(out, "]}");
}

static const struct binder_shape preset = {
	.kind = SHAPE_CUSTOM, .wants = "a preset's name", .bind = bind_preset, .schema = preset_schema};

/* ---- Numbers ---- */

#define COUNT(least, most)                                                                                   \
	{                                                                                                    \
		.kind = SHAPE_INTEGER, .min = (least), .max = (most), .size = sizeof(uint32_t)               \
	}
static const struct binder_shape sm_count = COUNT(1, PLATFORM_MAX_SMS);
static const struct binder_shape sms_per_tpc = COUNT(1, 2);
static const struct binder_shape thread_count = COUNT(1, RESIDENTS_MAX);
static const struct binder_shape block_count = COUNT(1, RESIDENTS_MAX);
static const struct binder_shape block_size = COUNT(1, BLOCK_THREADS_MAX);
static const struct binder_shape virtual_sm_count = COUNT(1, VIRTUAL_SMS_MAX);
static const struct binder_shape queue_count = COUNT(1, WORK_QUEUES_MAX);
static const struct binder_shape kernel_count = COUNT(1, RESIDENTS_MAX);
static const struct binder_shape register_count = {
	.kind = SHAPE_INTEGER, .min = 1, .max = INT32_MAX, .size = sizeof(int64_t)};
static const struct binder_shape shared_bytes = {
	.kind = SHAPE_QUANTITY, .unit = UNIT_BYTES, .min = 1, .max = MEMORY_MAX_BYTES};
static const struct binder_shape bandwidth = {
	.kind = SHAPE_QUANTITY, .unit = UNIT_BANDWIDTH, .min = 1, .max = BANDWIDTH_MAX_BYTES};
static const struct binder_shape power = {
	.kind = SHAPE_QUANTITY, .unit = UNIT_POWER, .min = 0, .max = POWER_MAX_UW};

/* ---- Cores ---- */

static const struct binder_choice schedulings[] = {CORE_SCHEDULING_WORDS(WORD_CHOICE){NULL}};
static const struct binder_shape scheduling = {.kind = SHAPE_CHOICE, .choices = schedulings};
static const struct binder_shape core_count = COUNT(1, PLATFORM_MAX_CORES);

#define OF_CORES(member) (AT(member) - AT(cores))
_Static_assert(
	OF_CORES(scheduling) > 0, "a number is read into the cores, a mapping into them and what follows");
static const struct field core_fields[] = {
	{"count", &core_count, OF_CORES(cores), .need = REQUIRED, .help = "CPU cores."},
	{"scheduling", &scheduling, OF_CORES(scheduling),
		.help = "partitioned: each task has its 'core'. global: any job runs on any core.",
		.unset = "partitioned"},
	{NULL}};
static const struct binder_shape core_map = {.kind = SHAPE_MAP, .fields = core_fields};
static const struct binder_shape cores = {.kind = SHAPE_EITHER,
	.wants = "a number such as 4, or {count: 4, scheduling: global}",
	.scalar = &core_count,
	.map = &core_map};

/* ---- Carve-out ---- */

static const struct binder_shape division = {
	.kind = SHAPE_QUANTITY, .unit = UNIT_BYTES, .min = 0, .max = MEMORY_MAX_BYTES};
static const struct binder_shape division_list = {.kind = SHAPE_LIST,
	.item = &division,
	.size = sizeof(int64_t),
	.min = 1,
	.max = PLATFORM_MAX_DIVISIONS};

static bool bind_listed(struct binder *b, const char *what, const struct node *node, struct divisions *out)
{
	int64_t *bytes = NULL;
	if (!binder_read(b, what, node, &division_list, &bytes, &out->count))
		return false;
	for (uint32_t i = 0; i < out->count; i++) {
		if (i > 0 && bytes[i] <= bytes[i - 1])
			return binder_error(b, node, "the sizes of '%s' must ascend", what);
		out->bytes[i] = bytes[i];
	}
	return bytes[out->count - 1] > 0 || binder_error(b, node, "the last size of '%s' is 0", what);
}

static bool bind_divisions(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count)
{
	(void)count;
	char quote[NODE_QUOTE_MAX];
	struct divisions *d = out;
	if (node->kind == NODE_LIST)
		return bind_listed(b, what, node, d);
	if (node->kind == NODE_SCALAR && divisions_find(node->text, d))
		return true;
	return binder_error(b, node,
		"'%s' wants a compute capability from 7.0 to 9.0, or sizes such as [0, 32KiB, 64KiB], got %s",
		what, node_quote(node, quote));
}

static void divisions_schema(struct text *out)
{
	const char *const *compute = divisions_all();
	text_add(out, "{\"anyOf\": [{\"enum\": [");
	for (size_t i = 0; compute[i]; i++)
		text_printf(out, "%s\"%s\", %s", i ? ", " : "", compute[i], compute[i]);
	text_add(out, "]}, ");
	schema_value(out, &division_list);
	text_add(out, "]}");
}

static const struct binder_shape divisions = {.kind = SHAPE_CUSTOM,
	.wants = "a compute capability, or sizes",
	.bind = bind_divisions,
	.schema = divisions_schema};

/* ---- Mappings ---- */

static const struct binder_choice pools[] = {POOL_WORDS(WORD_CHOICE){NULL}};
static const struct binder_shape pool = {.kind = SHAPE_CHOICE, .choices = pools};

/* Of `gpu`, and of each of `gpus`. */
/* clang-format off */
#define GPU_FIELDS \
{"sms", &sm_count, AT(sms), .help = "Streaming multiprocessors.", \
						  .unset = "the preset's; required without one"}, \
	{"sms_per_tpc", &sms_per_tpc, AT(sms_per_tpc), \
		.help = "SMs of a cluster (TPC). With 2, even SMs come first among equally free ones.", \
		.unset = "1"}, \
	{"threads_per_sm", &thread_count, AT(threads_per_sm), .help = "Threads resident on an SM at once.", \
		.unset = "no limit"}, \
	{"threads_per_block", &block_size, AT(threads_per_block), \
		.help = "Threads of a block, at most (b_lim); presets have 1024.", .unset = "no limit"}, \
	{"blocks_per_sm", &block_count, AT(blocks_per_sm), .help = "Blocks resident on an SM at once.", \
		.unset = "no limit"}, \
	{"warps_per_sm", &thread_count, AT(warps_per_sm), \
		.help = "Warps (of 32 threads) resident on an SM at once.", .unset = "no limit"}, \
	{"registers_per_sm", &register_count, AT(registers_per_sm), .help = "Registers of an SM.", \
		.unset = "no limit"}, \
	{"shared_memory_per_sm", &shared_bytes, AT(shared_memory_per_sm), .help = "Shared memory of an SM.", \
		.unset = "no limit"}, \
	{"carveout", &divisions, AT(divisions), \
		.help = "Shared memory that an SM can be divided to have: by compute capability (7.0), or " \
			"sizes. It changes its division only when it is empty.", \
		.unset = "none: an SM always has all of its shared memory"}, \
	{"virtual_sms_per_sm", &virtual_sm_count, AT(virtual_sms_per_sm), \
		.help = "Virtual SMs per SM (V_SM; RTGPU).", .unset = "1, or what a policy chooses"}, \
	{"pool", &pool, AT(pool), \
		.help = "sm: blocks are placed on SMs, and every limit per SM holds. gpu: only threads " \
			"count, " \
			"pooled over the whole GPU (Yang & Anderson).", \
		.unset = "sm"}, \
	{"work_queues", &queue_count, AT(work_queues), .help = "Hardware queues that streams share.", \
		.unset = "32"}, \
	{"resident_kernels", &kernel_count, AT(resident_kernels), \
		.help = "Kernels that the GPU holds at a time (entries of its task table).", \
		.unset = "as many as there are"}, \
	{"pin_overhead", &shape_duration, AT(pin_overhead_ns), \
		.help = "What each block of a 'work' kernel takes before it works: to find its SM.", \
		.unset = "0"}, \
	{"preemption_delay", &shape_duration, AT(preemption_delay_ns), \
		.help = "Before the work of a high stream's kernel on an SM that it takes from a low " \
			"one's.", \
		.unset = "0"}, \
	{"timeslice", &shape_length, AT(contexts.timeslice_ns), \
		.help = "How long a process has the GPU before others get it (tsg-rr).", \
		.unset = "1024us, as of the Tegra driver"}, \
	{"switch", &shape_duration, AT(contexts.switch_ns), \
		.help = "For how long nothing runs on the GPU when it goes to another process, under " \
			"policies with contexts.", \
		.unset = "0"}, \
	{"reset", &shape_duration, AT(contexts.reset_ns), \
		.help = "The same when a policy takes the GPU by cutting off what runs.", .unset = "0"},
/* clang-format on */
static const struct field gpu_fields[] = {GPU_FIELDS{NULL}};

/* The largest division is all of the shared memory of an SM. */
static bool check_divisions(struct binder *b, const struct node *node, struct platform *p)
{
	char last[UNIT_TEXT_MAX], memory[UNIT_TEXT_MAX];
	const struct divisions *d = &p->divisions;
	if (d->count == 0)
		return true;
	if (p->pool == POOL_GPU)
		return binder_error_at(
			b, node, "carveout", "'carveout' divides the memory of SMs; 'pool: gpu' has none");
	int64_t largest = d->bytes[d->count - 1];
	if (p->shared_memory_per_sm == 0)
		p->shared_memory_per_sm = largest;
	if (p->shared_memory_per_sm == largest)
		return true;
	unit_format(UNIT_BYTES, largest, last);
	unit_format(UNIT_BYTES, p->shared_memory_per_sm, memory);
	return binder_error_at(b, node, "carveout",
		"the largest division is %s, but 'shared_memory_per_sm' is %s: they must be equal", last,
		memory);
}

static bool check_gpu(struct binder *b, const struct node *node, void *out)
{
	struct platform *p = out;
	if (!p->sms)
		return binder_error(b, node, "'sms' is missing here");
	if (p->pool == POOL_GPU && !p->threads_per_sm)
		return binder_error_at(b, node, "pool", "'pool: gpu' needs 'threads_per_sm'");
	if (p->pool == POOL_GPU && p->preemption_delay_ns > 0)
		return binder_error_at(b, node, "preemption_delay",
			"'preemption_delay' is of single SMs; 'pool: gpu' does not tell them apart");
	return check_divisions(b, node, p);
}
static const struct binder_shape gpu = {.kind = SHAPE_MAP, .fields = gpu_fields, .check = check_gpu};

static const struct binder_choice engine_choices[] = {
	{"1", 1}, {"2", 2}, {"unlimited", ENGINES_UNLIMITED}, {NULL}};
static const struct binder_shape engines = {.kind = SHAPE_CHOICE, .choices = engine_choices};

static const struct field copy_fields[] = {
	{"engines", &engines, AT(engines),
		.help = "1: one engine for both directions; 2: one per direction; unlimited: copies never "
			"wait "
			"for each other.",
		.unset = "1, or the preset's"},
	{"bandwidth", &bandwidth, AT(copy_bandwidth),
		.help = "Bytes that a copy moves in a second. Needed for copies given in bytes."},
	{"latency", &shape_duration, AT(copy_latency_ns), .help = "Added to every copy given in bytes.",
		.unset = "0"},
	{NULL}};
static const struct binder_shape copy = {.kind = SHAPE_MAP, .fields = copy_fields};

static const struct field power_fields[] = {
	{"static", &power, AT(static_uw), .help = "Drawn all the time (P_s of sBEET).",
		.unset = "0, or the preset's"},
	{"idle_per_sm", &power, AT(idle_per_sm_uw), .help = "Drawn by each idle SM while another is active.",
		.unset = "0, or the preset's"},
	{NULL}};
static const struct binder_shape power_map = {.kind = SHAPE_MAP, .fields = power_fields};

static const struct field overhead_fields[] = {
	{"launch", &shape_duration, AT(overheads.launch_ns),
		.help = "CPU work of the job, at its priority, before each copy or kernel is issued.",
		.unset = "0"},
	{"latency", &shape_duration, AT(overheads.latency_ns),
		.help = "From the issue of a copy or kernel until it may leave its stream.", .unset = "0"},
	{"gap", &shape_duration, AT(overheads.gap_ns),
		.help = "From the end of a copy or kernel until the next of its hardware queue may leave "
			"its stream.",
		.unset = "0"},
	{"sync", &shape_duration, AT(overheads.sync_ns),
		.help = "From the end of a GPU section until the job goes on, or ends.", .unset = "0"},
	{"switch", &shape_duration, AT(overheads.switch_ns),
		.help = "Time of the core whenever it is given to another job than it had last.",
		.unset = "0"},
	{"release", &shape_duration, AT(overheads.release_ns),
		.help = "Time of the core for the interrupt of each release.", .unset = "0"},
	{NULL}};
static const struct binder_shape overheads = {.kind = SHAPE_MAP, .fields = overhead_fields};

/* ---- Several GPUs ---- */

static void init_platform(void *out)
{
	*(struct platform *)out = platform_default();
}

static const struct field one_gpu_fields[] = {
	{"preset", &preset, 0, .help = "A known GPU; keys given beside it override its numbers."},
	GPU_FIELDS{"copy", &copy, 0, .help = "Its copy engines."},
	{"power", &power_map, 0, .help = "Its power (sBEET, eq. 1-5)."}, {NULL}};

static const struct binder_shape one_gpu = {.kind = SHAPE_MAP,
	.wants = "a GPU such as {preset: t400}",
	.fields = one_gpu_fields,
	.init = init_platform,
	.check = check_gpu};
static const struct binder_shape gpu_list = {.kind = SHAPE_LIST,
	.item = &one_gpu,
	.size = sizeof(struct platform),
	.min = 1,
	.max = PLATFORM_MAX_GPUS};

/* The list is read to where the other GPUs are: it is replaced by them. */
static bool settle_gpus(struct binder *b, const struct node *node, struct platform *p)
{
	static const char *const others[] = {"preset", "gpu", "copy", "power"};
	const struct platform *entries = p->others;
	uint32_t count = p->gpu_count;
	bool sound = true;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (node_has(node, others[i]))
			sound = binder_error_at(b, node, others[i],
				"'gpus' has all that is said of GPUs: '%s' belongs into its entries",
				others[i]);
	if (!sound)
		return false;
	struct platform *more = arena_new(b->arena, struct platform, count);
	if (!more)
		return binder_no_memory(b);
	struct platform first = entries[0];
	size_t at = (size_t)snprintf(first.name, sizeof(first.name), "%s", entries[0].name);
	for (uint32_t i = 1; i < count; i++) {
		struct platform *other = &more[i - 1];
		*other = entries[i];
		other->gpu = i;
		other->cores = p->cores;
		other->scheduling = p->scheduling;
		other->overheads = p->overheads;
		if (at < sizeof(first.name))
			at += (size_t)snprintf(first.name + at, sizeof(first.name) - at, "+%s", other->name);
	}
	first.cores = p->cores;
	first.scheduling = p->scheduling;
	first.overheads = p->overheads;
	first.gpu_count = count > 1 ? count : 0;
	first.others = count > 1 ? more : NULL;
	*p = first;
	return true;
}

static const struct field platform_fields[] = {
	{"preset", &preset, 0, .help = "A known GPU; keys given beside it override its numbers."},
	{"cores", &cores, AT(cores),
		.help = "CPU cores. With several, each task with a CPU segment has its 'core'.",
		.unset = "1"},
	{"gpu", &gpu, 0, .help = "The GPU.", .unset = "the preset's; none without one"},
	{"gpus", &gpu_list, AT(others), AT(gpu_count),
		.help = "Several GPUs, in place of 'preset', 'gpu', 'copy' and 'power'; they count from 0."},
	{"copy", &copy, 0, .help = "The copy engines."},
	{"power", &power_map, 0, .help = "Power of the GPU (sBEET, eq. 1-5)."},
	{"overheads", &overheads, 0, .help = "What launching, synchronising, switching and releasing take.",
		.unset = "none"},
	{NULL}};

static bool platform_is_sound(struct binder *b, const struct node *node, void *out)
{
	if (node_has(node, "gpus") && !settle_gpus(b, node, out))
		return false;
	((struct description *)b->context)->platform_sound = true;
	return true;
}

const struct binder_shape shape_platform = {
	.kind = SHAPE_MAP, .fields = platform_fields, .init = init_platform, .check = platform_is_sound};
