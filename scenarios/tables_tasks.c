/* scenarios/tables_tasks.c - owns the keys of `profiles`, `tasks` and their segments. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "models/blocks.h"
#include "scenarios/tables.h"

const struct binder_shape shape_name = {.kind = SHAPE_TEXT, .wants = "a name", .max = NAME_BYTES_MAX};
const struct binder_shape shape_duration = {.kind = SHAPE_QUANTITY, .unit = UNIT_TIME, .max = TIME_MAX_NS};
const struct binder_shape shape_length = {
	.kind = SHAPE_QUANTITY, .unit = UNIT_TIME, .min = 1, .max = TIME_MAX_NS};

static const struct binder_shape interval = {.kind = SHAPE_INTERVAL, .unit = UNIT_TIME, .max = TIME_MAX_NS};
static const struct binder_shape kernel_power = {
	.kind = SHAPE_QUANTITY, .unit = UNIT_POWER, .max = POWER_MAX_UW};

/* ---- Profiles ---- */

#define PROFILE(member) offsetof(struct profile_entry, member)

static const struct binder_shape durations = {
	.kind = SHAPE_LIST,
	.item = &shape_duration,
	.size = sizeof(int64_t),
	.min = 1,
	.max = PLATFORM_MAX_SMS,
};
static const struct binder_shape powers = {
	.kind = SHAPE_LIST,
	.item = &kernel_power,
	.size = sizeof(int64_t),
	.min = 1,
	.max = PLATFORM_MAX_SMS,
};

static const struct field profile_fields[] = {
	{"time", &durations, PROFILE(profile.worst_ns), PROFILE(profile.count), REQUIRED,
		.help = "Worst-case time on 1, 2, ... SMs."},
	{"best_time", &durations, PROFILE(profile.best_ns), PROFILE(best_count),
		.help = "Best-case time on 1, 2, ... SMs.", .unset = "as 'time'"},
	{"total_power", &powers, PROFILE(profile.total_power_uw), PROFILE(power_count),
		.help = "Power of the whole GPU while the kernel runs on 1, 2, ... SMs.", .unset = "none"},
	{NULL}};

static bool check_profile(struct binder *b, const struct node *node, void *out)
{
	struct profile_entry *e = out;
	struct profile *p = &e->profile;
	bool ok = true;
	if (p->best_ns && e->best_count != p->count)
		ok = binder_error_at(b, node, "best_time",
			"'best_time' has %" PRIu32 " values, 'time' has %" PRIu32, e->best_count, p->count);
	if (p->total_power_uw && e->power_count != p->count)
		ok = binder_error_at(b, node, "total_power",
			"'total_power' has %" PRIu32 " values, 'time' has %" PRIu32, e->power_count,
			p->count);
	for (uint32_t i = 0; p->best_ns && e->best_count == p->count && i < p->count; i++) {
		if (p->best_ns[i] > p->worst_ns[i])
			ok = binder_error(b, node_item(node_find(node, "best_time"), i),
				"on %" PRIu32 " SMs the best time is longer than the worst", i + 1);
	}
	return ok;
}

static const struct binder_shape profile = {
	.kind = SHAPE_MAP, .fields = profile_fields, .check = check_profile};
static bool profiles_are_sound(struct binder *b, const struct node *node, void *out)
{
	(void)node;
	(void)out;
	((struct description *)b->context)->profiles_sound = true;
	return true;
}

const struct binder_shape shape_profiles = {
	.kind = SHAPE_DICT,
	.check = profiles_are_sound,
	.key = &shape_name,
	.item = &profile,
	.size = sizeof(struct profile_entry),
	.key_offset = PROFILE(profile.name),
	.value_offset = 0,
};

static bool find_profile(struct binder *b, const char *what, const struct node *node, int32_t *index)
{
	const struct description *d = b->context;
	char quote[NODE_QUOTE_MAX], hint[SUGGESTION_TEXT_MAX];
	if (node->kind != NODE_SCALAR || !*node->text)
		return binder_error(
			b, node, "'%s' wants the name of a profile, got %s", what, node_quote(node, quote));
	struct suggestion s = {.word = node->text};
	for (uint32_t i = 0; i < d->profile_count; i++) {
		const char *name = d->profiles[i].profile.name;
		if (!name)
			continue;
		if (strcmp(name, node->text) == 0) {
			*index = (int32_t)i;
			return true;
		}
		suggestion_offer(&s, name);
	}
	return binder_error(
		b, node, "no profile is called %s%s", node_quote(node, quote), suggestion_text(&s, hint));
}

/* A name is the profile on every GPU; a list has those on GPU 0, 1, ... */
static bool bind_profile_names(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count)
{
	struct segment *s = (struct segment *)((char *)out - offsetof(struct segment, profile));
	bool ok = true;
	if (node->kind != NODE_LIST)
		return find_profile(b, what, node, &s->profile);
	if (node->count == 0 || node->count > PLATFORM_MAX_GPUS)
		return binder_error(b, node, "'%s' wants a name, or one for each GPU", what);
	s->profiles = arena_new(b->arena, int32_t, node->count);
	if (!s->profiles)
		return binder_no_memory(b);
	for (uint32_t i = 0; i < node->count; i++)
		ok = find_profile(b, what, node_item(node, i), &s->profiles[i]) && ok;
	*count = node->count;
	s->profile = s->profiles[0];
	return ok;
}

static void profile_names_schema(struct text *out)
{
	text_add(out, "{\"anyOf\": [{\"type\": \"string\", \"minLength\": 1}, {\"type\": \"array\", "
		      "\"minItems\": 1, "
		      "\"items\": {\"type\": \"string\", \"minLength\": 1}}]}");
}

static const struct binder_shape profile_names = {.kind = SHAPE_CUSTOM,
	.wants = "a profile's name, or a list: one for each GPU",
	.bind = bind_profile_names,
	.schema = profile_names_schema};

/* ---- Segments ---- */

#define SEGMENT(member) offsetof(struct segment_entry, segment.member)

static const struct binder_choice null_stream[] = {{"null", STREAM_NULL}, {NULL}};
const struct binder_shape shape_stream = {
	.kind = SHAPE_INTEGER,
	.max = STREAM_MAX,
	.size = sizeof(int32_t),
	.choices = null_stream,
	.wants = "a stream's number, or null",
};
static const struct binder_choice stream_priorities[] = {{"low", 0}, {"high", 1}, {NULL}};
static const struct binder_shape stream_priority = {.kind = SHAPE_CHOICE, .choices = stream_priorities};

static const struct binder_shape grid = {
	.kind = SHAPE_INTEGER, .min = 1, .max = INT32_MAX, .size = sizeof(uint32_t)};
static const struct binder_shape block = {
	.kind = SHAPE_INTEGER, .min = 1, .max = BLOCK_THREADS_MAX, .size = sizeof(uint32_t)};
static const struct binder_shape registers = {
	.kind = SHAPE_INTEGER, .min = 0, .max = REGISTERS_MAX, .size = sizeof(int64_t)};
static const struct binder_shape shared_memory = {
	.kind = SHAPE_QUANTITY, .unit = UNIT_BYTES, .max = MEMORY_MAX_BYTES};

static const struct binder_shape carveout = {
	.kind = SHAPE_QUANTITY, .unit = UNIT_BYTES, .min = 1, .max = MEMORY_MAX_BYTES};

#define OF_STREAM                                                                                            \
	.help = "The stream it is issued to: a number, or null for the NULL stream.", .unset = "the task's"
#define OF_STREAM_PRIORITY .help = "Priority of the stream.", .unset = "the task's, else low"
static const struct binder_choice truth[] = {{"false", 0}, {"true", 1}, {NULL}};
static const struct binder_shape yes_or_no = {.kind = SHAPE_CHOICE, .choices = truth};
#define OF_IDEMPOTENT                                                                                        \
	.fallback = "false",                                                                                 \
	.help = "Whether it may be cut off and start again from the beginning, by policies that reset."

/* Blocks with different times: an entry for each block, or for several equal ones. */
#define BLOCKS(member) offsetof(struct block_entry, member)

static const struct binder_shape block_interval = {
	.kind = SHAPE_INTERVAL, .unit = UNIT_TIME, .min = 1, .max = TIME_MAX_NS};
static const struct binder_shape block_share_ratio = {
	.kind = SHAPE_QUANTITY, .unit = UNIT_RATIO, .min = 1, .max = SHARE_ONE};
static const struct binder_shape like_blocks = {
	.kind = SHAPE_INTEGER, .min = 1, .max = BLOCK_TIMES_MAX, .size = sizeof(uint32_t)};

static const struct field time_of_blocks_fields[] = {{"time", &block_interval, BLOCKS(ends), .need = REQUIRED,
							     .help = "How long each of these blocks takes."},
	{"blocks", &like_blocks, BLOCKS(blocks), .need = REQUIRED,
		.help = "How many blocks, one after the other."},
	{NULL}};
static const struct field share_of_blocks_fields[] = {
	{"share", &block_share_ratio, BLOCKS(ends), .need = REQUIRED,
		.help = "The share of each of these blocks."},
	{"blocks", &like_blocks, BLOCKS(blocks), .need = REQUIRED,
		.help = "How many blocks, one after the other."},
	{NULL}};
static const struct binder_shape time_of_blocks = {.kind = SHAPE_MAP, .fields = time_of_blocks_fields};
static const struct binder_shape share_of_blocks = {.kind = SHAPE_MAP, .fields = share_of_blocks_fields};
static const struct binder_shape block_time_entry = {
	.kind = SHAPE_EITHER,
	.wants = "a time, [best, worst], or {time: 2ms, blocks: 6}",
	.scalar = &block_interval,
	.list = &block_interval,
	.map = &time_of_blocks,
};
static const struct binder_shape block_share_entry = {
	.kind = SHAPE_EITHER,
	.wants = "a share such as 0.5, or {share: 0.5, blocks: 6}",
	.scalar = &block_share_ratio,
	.map = &share_of_blocks,
};
static const struct binder_shape block_times = {
	.kind = SHAPE_LIST,
	.item = &block_time_entry,
	.size = sizeof(struct block_entry),
	.min = 1,
	.max = BLOCK_TIMES_MAX,
};
static const struct binder_shape block_shares = {
	.kind = SHAPE_LIST,
	.item = &block_share_entry,
	.size = sizeof(struct block_entry),
	.min = 1,
	.max = BLOCK_TIMES_MAX,
};

static const struct binder_shape which_gpu = {
	.kind = SHAPE_INTEGER, .max = PLATFORM_MAX_GPUS - 1, .size = sizeof(uint32_t)};

/* A task's may be left open. */
static const struct binder_choice any_gpu[] = {{"any", GPU_ANY}, {NULL}};
static const struct binder_shape gpu_of_task = {
	.kind = SHAPE_INTEGER, .max = PLATFORM_MAX_GPUS - 1, .size = sizeof(int32_t), .choices = any_gpu};

static const struct field kernel_fields[] = {
	{"grid", &grid, SEGMENT(grid), .need = SELECTOR, .tag = KERNEL_GRID, .help = "Number of blocks."},
	{"work", &interval, SEGMENT(best_ns), .need = SELECTOR, .tag = KERNEL_WORK,
		.help = "Work: its time alone on one SM without interleaving, or [best, worst] (RTGPU, Lemma "
			"5.1)."},
	{"profile", &profile_names, SEGMENT(profile), SEGMENT(profile_count), .need = SELECTOR,
		.tag = KERNEL_PROFILE,
		.help = "A measured kernel of 'profiles', by name; where GPUs differ, a list of names, "
			"one for each "
			"GPU."},
	{"block", &block, SEGMENT(block), .need = REQUIRED, .with = "grid", .help = "Threads per block."},
	{"block_time", &interval, SEGMENT(best_ns), .need = ONE_OF, .with = "grid",
		.help = "Time of every block, or [best, worst]: one draw for all."},
	{"block_shares", &block_shares, offsetof(struct segment_entry, shares),
		offsetof(struct segment_entry, share_count), .with = "grid",
		.help = "Shares of 'block_time' that blocks 0, 1, ... take, repeated over the grid; "
			"the largest is 1.",
		.needs = "block_time"},
	{"block_times", &block_times, offsetof(struct segment_entry, times),
		offsetof(struct segment_entry, time_count), .need = ONE_OF, .with = "grid",
		.help = "Times of blocks 0, 1, ..., repeated over the grid; each block has a draw of its own "
			"in its [best, worst]."},
	{"program", &shape_program, offsetof(struct segment_entry, program.steps),
		offsetof(struct segment_entry, program.count), .need = ONE_OF, .with = "grid",
		.help = "In place of times: what every warp of the blocks does, in order; a block takes what "
			"its warps take."},
	{"registers", &registers, SEGMENT(registers), .with = "grid", .help = "Registers per thread.",
		.unset = "0"},
	{"shared_memory", &shared_memory, SEGMENT(shared_memory), .with = "grid",
		.help = "Shared memory per block.", .unset = "0"},
	{"carveout", &carveout, SEGMENT(carveout), .with = "grid",
		.help = "Shared memory that an empty SM is to have for its blocks, rounded up to a division "
			"of the platform's 'carveout'.",
		.unset = "as much as the blocks can use that fit an SM otherwise"},
	{"overhead", &shape_duration, SEGMENT(overhead_ns), .with = "work",
		.help = "Critical-path overhead (GL), not made shorter by more SMs.", .unset = "0"},
	{"interleave", &shape_interleave, SEGMENT(interleave), SEGMENT(interleaves), .with = "work",
		.help = "Stretch when virtual SMs share an SM (alpha): a ratio, or the name of a measured "
			"one, for 2 per SM; or {2: 1.8, 4: 3.1}."},
	{"power", &kernel_power, SEGMENT(power_uw), .help = "Dynamic power per active SM.", .unset = "0"},
	{"sms", &shape_kernel_sms, SEGMENT(sms), SEGMENT(sm_count),
		.help = "The SMs that its blocks are placed on (its mask): numbers and ranges, such as "
			"[0-3, 8].",
		.unset = "the task's"},
	{"stream", &shape_stream, SEGMENT(stream), OF_STREAM},
	{"stream_priority", &stream_priority, offsetof(struct segment_entry, stream_high),
		OF_STREAM_PRIORITY},
	{"idempotent", &yes_or_no, offsetof(struct segment_entry, idempotent), OF_IDEMPOTENT}, {NULL}};

static bool check_entries(struct binder *b, const struct node *node, const char *key, const struct segment *s,
	const struct block_entry *entries, uint32_t count, uint64_t *blocks)
{
	*blocks = 0;
	for (uint32_t i = 0; i < count; i++)
		*blocks += entries[i].blocks ? entries[i].blocks : 1;
	if (*blocks > s->grid)
		return binder_error_at(b, node, key,
			"'%s' is for %" PRIu64 " blocks, but the grid has %" PRIu32, key, *blocks, s->grid);
	return *blocks <= BLOCK_TIMES_MAX ||
	       binder_error_at(b, node, key, "'%s' is for %" PRIu64 " blocks; it can be for %d", key, *blocks,
		       BLOCK_TIMES_MAX);
}

static bool settle_block_times(
	struct binder *b, const struct node *node, const struct segment_entry *e, struct segment *s)
{
	bool own = e->times != NULL;
	const struct block_entry *entries = own ? e->times : e->shares;
	uint32_t count = own ? e->time_count : e->share_count;
	uint64_t blocks;
	if (!check_entries(b, node, own ? "block_times" : "block_shares", s, entries, count, &blocks))
		return false;
	s->times = arena_new(b->arena, struct block_times, 1);
	struct block_time *time = arena_new(b->arena, struct block_time, (size_t)blocks);
	if (!s->times || !time)
		return binder_no_memory(b);
	*s->times = (struct block_times){.own_draws = own, .count = (uint32_t)blocks, .block = time};
	int64_t largest = 0;
	for (uint32_t i = 0; i < count; i++) {
		const int64_t *ends = entries[i].ends;
		const struct block_time one =
			own ? (struct block_time){.best_ns = ends[0], .worst_ns = ends[1]}
			    : (struct block_time){.share_ppm = ends[0]};
		for (uint32_t k = 0; k == 0 || k < entries[i].blocks; k++)
			*time++ = one;
		largest = one.share_ppm > largest ? one.share_ppm : largest;
		s->best_ns = one.best_ns > s->best_ns ? one.best_ns : s->best_ns;
		s->worst_ns = one.worst_ns > s->worst_ns ? one.worst_ns : s->worst_ns;
	}
	return own || largest == SHARE_ONE ||
	       binder_error_at(b, node, "block_shares",
		       "the largest of 'block_shares' must be 1: 'block_time' is the "
		       "time of the longest block");
}

static bool take_program(struct binder *b, const struct node *node, struct segment_entry *e)
{
	struct warp_kernel kernel = {0};
	if (e->shares)
		return binder_error_at(b, node, "block_shares",
			"'block_shares' are those of a 'block_time'; a block of a program takes what its "
			"warps take");
	if (!program_flatten(b, node_find(node, "program"), &e->program, &kernel))
		return false;
	e->segment.form = KERNEL_PROGRAM;
	e->segment.steps = kernel.steps;
	e->segment.step_count = kernel.step_count;
	return true;
}

static bool check_kernel(struct binder *b, const struct node *node, void *out)
{
	struct segment_entry *e = out;
	struct segment *s = &e->segment;
	const struct description *d = b->context;
	if (e->program.count && !take_program(b, node, e))
		return false;
	if (e->times && e->shares)
		return binder_error_at(b, node, "block_shares",
			"'block_shares' are those of a 'block_time'; with "
			"'block_times' each block has its own");
	if ((e->times || e->shares) && !settle_block_times(b, node, e, s))
		return false;
	if (s->form != KERNEL_PROFILE || !node_has(node, "power"))
		return true;
	bool powered = d->profiles[s->profile].profile.total_power_uw != NULL;
	for (uint32_t i = 0; i < s->profile_count; i++)
		powered |= d->profiles[s->profiles[i]].profile.total_power_uw != NULL;
	if (powered)
		return binder_error_at(b, node, "power",
			"the profile '%s' has 'total_power', from which the kernel's power follows",
			d->profiles[s->profile].profile.name);
	return true;
}

static const struct binder_shape kernel = {
	.kind = SHAPE_MAP, .fields = kernel_fields, .tag_offset = SEGMENT(form), .check = check_kernel};

static const struct field segment_fields[] = {
	{"cpu", &interval, SEGMENT(best_ns), .need = SELECTOR, .tag = SEGMENT_CPU,
		.help = "Computes on the CPU, this long or [best, worst]."},
	{"copy", &shape_direction, SEGMENT(direction), .need = SELECTOR, .tag = SEGMENT_COPY,
		.help = "Copies; 'both' is one copy for both directions (the one-copy model)."},
	{"name", &shape_name, SEGMENT(name), .help = "What the segment is called; unique in the task.",
		.unset = "none"},
	{"kernel", &kernel, 0, .need = SELECTOR, .tag = SEGMENT_KERNEL, .help = "Runs a kernel on the GPU."},
	{"time", &interval, SEGMENT(best_ns), .need = ONE_OF, .with = "copy",
		.help = "Time of the copy, or [best, worst]."},
	{"times", &shape_copy_times, SEGMENT(copy_times), SEGMENT(copy_time_count), .need = ONE_OF,
		.with = "copy",
		.help = "Where GPUs differ: the copy's times on GPU 0, 1, ..., each one or [best, worst]."},
	{"bytes", &shape_copy_bytes, SEGMENT(bytes), .need = ONE_OF, .with = "copy",
		.help = "Size of the copy; its time is latency + bytes / bandwidth of the platform."},
	{"stream", &shape_stream, SEGMENT(stream), .with = "copy", OF_STREAM},
	{"stream_priority", &stream_priority, offsetof(struct segment_entry, stream_high), .with = "copy",
		OF_STREAM_PRIORITY},
	{"idempotent", &yes_or_no, offsetof(struct segment_entry, idempotent), .with = "copy", OF_IDEMPOTENT},
	{"gpu", &which_gpu, SEGMENT(gpu), .help = "The GPU it is on; a wait for a stream: whose stream.",
		.unset = "the task's"},
	{"async", &shape_async, offsetof(struct segment_entry, async), .fallback = "false",
		.help = "Copies and kernels: the job issues it, and goes on at once."},
	{"after", &shape_after, SEGMENT(awaits), SEGMENT(await_count),
		.help = "Copies and kernels: names of earlier ones of the task after which this one starts.",
		.unset = "none"},
	{"graph", &shape_name, SEGMENT(graph),
		.help = "Asynchronous ones: the CUDA graph of which it is a node. Nodes in a row are "
			"launched once.",
		.unset = "none"},
	{"wait", &shape_wait, 0, .need = SELECTOR, .tag = SEGMENT_WAIT,
		.help = "Waits for operations in flight: all, a list of names, or those of a stream."},
	{NULL}};

static void init_segment(void *out)
{
	*(struct segment_entry *)out = (struct segment_entry){
		.segment = {.stream = STREAM_INHERITED, .bytes = -1, .profile = -1, .gpu = GPU_INHERITED},
		.stream_high = -1};
}

_Static_assert(offsetof(struct segment, worst_ns) == offsetof(struct segment, best_ns) + sizeof(int64_t),
	"an interval is read into best_ns and worst_ns");

static const struct binder_shape segment = {
	.kind = SHAPE_MAP,
	.wants = "a segment such as {cpu: 2ms}",
	.fields = segment_fields,
	.tag_offset = SEGMENT(kind),
	.init = init_segment,
};
static const struct binder_shape segments = {
	.kind = SHAPE_LIST,
	.item = &segment,
	.size = sizeof(struct segment_entry),
	.min = 1,
	.max = TASK_SEGMENTS_MAX,
};

/* ---- Tasks ---- */

#define TASK(member) offsetof(struct task_entry, member)

static const struct binder_shape priority = {
	.kind = SHAPE_INTEGER, .min = -PRIORITY_MAX, .max = PRIORITY_MAX, .size = sizeof(int64_t)};

static const struct binder_shape core = {
	.kind = SHAPE_INTEGER, .max = PLATFORM_MAX_CORES - 1, .size = sizeof(int32_t)};

static const struct field task_fields[] = {{"name", &shape_name, TASK(task.name), .need = REQUIRED,
						   .help = "What the task is called; unique in the file."},
	{"period", &shape_length, TASK(task.period_ns), .need = REQUIRED,
		.help = "Least time between two releases."},
	{"deadline", &shape_length, TASK(task.deadline_ns),
		.help = "Relative deadline. Above the period only runs go on: analyses, and policies with a "
			"test, refuse.",
		.unset = "the period"},
	{"offset", &shape_duration, TASK(task.offset_ns), .help = "Release of the first job.", .unset = "0"},
	{"priority", &priority, TASK(task.priority),
		.help = "Smaller is higher. All tasks have one, or none.",
		.unset = "deadline monotonic (rm: rate monotonic)"},
	{"core", &core, TASK(task.core),
		.help = "CPU core of the task's segments, from 0. Needed if the platform has several and the "
			"task a CPU segment; not with 'scheduling: global'.",
		.unset = "0"},
	{"process", &shape_name, TASK(task.process), .unset = "one of its own",
		.help = "Its process, for policies with contexts: tasks of a process share one."},
	{"gpu_priority", &priority, TASK(task.gpu_priority),
		.help = "The same, for policies with contexts that ask for it.", .unset = "the priority"},
	{"best_effort", &yes_or_no, TASK(best_effort), .fallback = "false",
		.help = "Whether policies with contexts may let it wait for all others."},
	{"misses", &shape_misses, TASK(misses),
		.help = "How many deadlines may be missed, such as {at_most: 1, in: 10}: 'run' "
			"says which tasks "
			"break it.",
		.unset = "no limit"},
	{"release", &shape_task_release, TASK(release), .help = "How the jobs of this task are released.",
		.unset = "the file's"},
	{"stream", &shape_stream, TASK(stream),
		.help = "Stream of the task's copies and kernels: a number, or null for the NULL stream.",
		.unset = "one of its own"},
	{"gpu", &gpu_of_task, TASK(gpu), .fallback = "0",
		.help = "GPU of the task's copies and kernels, of several (platform.gpus), from 0; any: "
			"one is chosen, by RTGPU's test."},
	{"stream_priority", &stream_priority, TASK(stream_high), .fallback = "low",
		.help = "Priority of the stream of the task's copies and kernels."},
	{"sms", &shape_task_sms, TASK(sms),
		.help = "The SMs that its kernels are confined to: numbers and ranges, such as [0-3, 8]; or "
			"a percentage, such as 40%, as MPS has it: of each process the SMs behind those of "
			"the one before.",
		.unset = "all"},
	{"segments", &segments, TASK(segments), TASK(segment_count), REQUIRED,
		.help = "What a job does, in order."},
	{NULL}};

static void init_task(void *out)
{
	*(struct task_entry *)out =
		(struct task_entry){.task = {.core = CORE_NOT_SAID}, .stream = STREAM_OWN};
}

/* Makes segments for the model; a segment without a stream gets the task's stream. */
static bool settle_segments(struct binder *b, struct task_entry *e)
{
	e->task.segments = arena_new(b->arena, struct segment, e->segment_count);
	if (!e->task.segments)
		return binder_no_memory(b);
	e->task.segment_count = e->segment_count;
	for (uint32_t i = 0; i < e->segment_count; i++) {
		struct segment *s = &e->task.segments[i];
		*s = e->segments[i].segment;
		s->async = e->segments[i].async != 0;
		if (s->stream == STREAM_INHERITED)
			s->stream = s->kind == SEGMENT_WAIT ? STREAM_OWN : e->stream;
		if (s->gpu == GPU_INHERITED)
			s->gpu = s->kind == SEGMENT_CPU || e->gpu == GPU_ANY ? 0 : (uint32_t)e->gpu;
		else if (e->gpu == GPU_ANY)
			return binder_error(b, e->at,
				"a task with 'gpu: any' has one GPU for all its segments: they have no "
				"'gpu'");
		s->idempotent = e->segments[i].idempotent;
		s->stream_high = e->segments[i].stream_high < 0 ? e->stream_high : e->segments[i].stream_high;
	}
	return true;
}

static bool check_task(struct binder *b, const struct node *node, void *out)
{
	struct task_entry *e = out;
	e->at = node;
	if (!node_has(node, "deadline"))
		e->task.deadline_ns = e->task.period_ns;
	e->task.misses_at_most = e->misses.at_most;
	e->task.misses_in = e->misses.in;
	e->task.best_effort = e->best_effort;
	e->sound = check_segment_names(b, node, e) && settle_segments(b, e);
	return e->sound;
}

static const struct binder_shape task = {
	.kind = SHAPE_MAP,
	.wants = "a task such as {name: t1, period: 10ms, segments: [...]}",
	.fields = task_fields,
	.init = init_task,
	.check = check_task,
};
const struct binder_shape shape_tasks = {
	.kind = SHAPE_LIST, .item = &task, .size = sizeof(struct task_entry), .min = 1, .max = TASKS_MAX};
