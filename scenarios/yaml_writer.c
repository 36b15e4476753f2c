/* scenarios/yaml_writer.c - see scenarios/yaml_writer.h. Text is quoted as JSON, which YAML reads. */
#include "scenarios/yaml_writer.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "models/blocks.h"

static void add_number(struct text *out, const char *key, int64_t value, int64_t without)
{
	if (value != without)
		text_printf(out, ", %s: %" PRId64, key, value);
}

const struct yaml_unit yaml_units[YAML_UNITS] = {{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}};

void yaml_time(struct text *out, int64_t ns, const struct yaml_unit *unit)
{
	int64_t rest = ns % unit->ns;
	text_printf(out, "%" PRId64, ns / unit->ns);
	if (rest)
		text_add_char(out, '.');
	for (int64_t place = unit->ns / 10; rest; rest %= place, place /= 10)
		text_add_char(out, (char)('0' + rest / place));
}

static void add_times(struct text *out, int64_t best, int64_t worst, const struct yaml_unit *unit)
{
	text_add(out, best == worst ? "" : "[");
	yaml_time(out, best, unit);
	if (best == worst)
		return;
	text_add(out, ", ");
	yaml_time(out, worst, unit);
	text_add(out, "]");
}

static void add_interval(
	struct text *out, const char *key, int64_t best, int64_t worst, const struct yaml_unit *unit)
{
	text_printf(out, "%s: ", key);
	add_times(out, best, worst, unit);
}

/* Nothing for no time. */
static void add_time(struct text *out, const char *key, int64_t ns, const struct yaml_unit *unit)
{
	if (ns == 0)
		return;
	text_printf(out, ", %s: ", key);
	yaml_time(out, ns, unit);
}

/* Writes an exact decimal as the scenario reader accepts it, with at least `least` digits. False: it has more
 * than YAML_DIGITS. */
static bool add_ratio(struct text *out, int64_t numerator, int64_t denominator, uint32_t least_digits)
{
	char digits[YAML_DIGITS + 1];
	int64_t rest = numerator % denominator;
	uint32_t count = 0;
	for (; (rest != 0 || count < least_digits) && count < YAML_DIGITS; rest %= denominator) {
		rest *= 10;
		digits[count++] = (char)('0' + rest / denominator);
	}
	digits[count] = '\0';
	text_printf(out, "%" PRId64 "%s%s", numerator / denominator, count ? "." : "", digits);
	return rest == 0;
}

/* ---- the platform ---- */

static void add_divisions(struct text *out, const struct divisions *d)
{
	text_add(out, d->count ? ", carveout: [" : "");
	for (uint32_t i = 0; i < d->count; i++)
		text_printf(out, "%s%" PRId64, i ? ", " : "", d->bytes[i]);
	text_add(out, d->count ? "]" : "");
}

static void add_overheads(struct text *out, const struct overheads *o, const struct yaml_unit *unit)
{
	const struct {
		const char *key;
		int64_t ns;
	} part[] = {{"launch", o->launch_ns}, {"latency", o->latency_ns}, {"gap", o->gap_ns},
		{"sync", o->sync_ns}, {"switch", o->switch_ns}, {"release", o->release_ns}};
	const char *between = "  overheads: {";
	for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
		if (part[i].ns == 0)
			continue;
		text_printf(out, "%s%s: ", between, part[i].key);
		yaml_time(out, part[i].ns, unit);
		between = ", ";
	}
	text_add(out, between[0] == ',' ? "}\n" : "");
}

/* sms: 2, pool: sm, ... */
static void add_gpu(struct text *out, const struct platform *p, const struct yaml_unit *unit)
{
	text_printf(out, "sms: %" PRIu32 ", pool: %s", p->sms, p->pool == POOL_GPU ? "gpu" : "sm");
	add_number(out, "sms_per_tpc", p->sms_per_tpc, 1);
	add_number(out, "work_queues", p->work_queues, 32);
	add_number(out, "resident_kernels", p->resident_kernels, 0);
	add_number(out, "threads_per_sm", p->threads_per_sm, 0);
	add_number(out, "threads_per_block", p->threads_per_block, 0);
	add_number(out, "blocks_per_sm", p->blocks_per_sm, 0);
	add_number(out, "warps_per_sm", p->warps_per_sm, 0);
	add_number(out, "registers_per_sm", p->registers_per_sm, 0);
	add_number(out, "shared_memory_per_sm", p->shared_memory_per_sm, 0);
	add_divisions(out, &p->divisions);
	add_number(out, "virtual_sms_per_sm", p->virtual_sms_per_sm, 0);
	add_time(out, "pin_overhead", p->pin_overhead_ns, unit);
	add_time(out, "preemption_delay", p->preemption_delay_ns, unit);
	add_time(out, "timeslice", p->contexts.timeslice_ns, unit);
	add_time(out, "switch", p->contexts.switch_ns, unit);
	add_time(out, "reset", p->contexts.reset_ns, unit);
}

/* copy: {engines: 1, ...} */
static void add_copy(struct text *out, const struct platform *p, const struct yaml_unit *unit)
{
	static const char *const engines[] = {"unlimited", "1", "2"};
	text_printf(out, "copy: {engines: %s", engines[p->engines]);
	add_time(out, "latency", p->copy_latency_ns, unit);
	if (p->copy_bandwidth)
		text_printf(out, ", bandwidth: %" PRId64 "B/s", p->copy_bandwidth);
	text_add(out, "}");
}

/* power: {static: 1uW, ...}; nothing for none. */
static void add_power(struct text *out, const char *before, const struct platform *p, const char *behind)
{
	if (p->static_uw || p->idle_per_sm_uw)
		text_printf(out, "%spower: {static: %" PRId64 "uW, idle_per_sm: %" PRId64 "uW}%s", before,
			p->static_uw, p->idle_per_sm_uw, behind);
}

static void add_one_gpu(struct text *out, const struct platform *p, const struct yaml_unit *unit)
{
	if (p->sms > 0) {
		text_add(out, "  gpu: {");
		add_gpu(out, p, unit);
		text_add(out, "}\n");
	}
	text_add(out, "  ");
	add_copy(out, p, unit);
	text_add(out, "\n");
	add_power(out, "  ", p, "\n");
}

static void add_gpus(struct text *out, const struct platform *p, const struct yaml_unit *unit)
{
	text_add(out, "  gpus:\n");
	for (uint32_t g = 0; g < platform_gpus(p); g++) {
		text_add(out, "    - {");
		add_gpu(out, platform_gpu(p, g), unit);
		text_add(out, ", ");
		add_copy(out, platform_gpu(p, g), unit);
		add_power(out, ", ", platform_gpu(p, g), "");
		text_add(out, "}\n");
	}
}

void yaml_platform(struct text *out, const struct platform *p, const struct yaml_unit *unit)
{
	text_add(out, "platform:\n");
	if (platform_global(p))
		text_printf(out, "  cores: {count: %" PRIu32 ", scheduling: global}\n", p->cores);
	else if (p->cores > 1)
		text_printf(out, "  cores: %" PRIu32 "\n", p->cores);
	if (platform_gpus(p) > 1)
		add_gpus(out, p, unit);
	else
		add_one_gpu(out, p, unit);
	add_overheads(out, &p->overheads, unit);
}

/* ---- tasks ---- */

static void add_stream(struct text *out, const struct segment *s)
{
	if (s->stream == STREAM_NULL)
		text_add(out, ", stream: null");
	else if (s->stream != STREAM_OWN)
		text_printf(out, ", stream: %" PRId32, s->stream);
	if (s->stream_high)
		text_add(out, ", stream_priority: high");
	if (s->idempotent)
		text_add(out, ", idempotent: true");
}

/* Writes the times of blocks; equal neighbours become one entry. */
static void add_block_times(struct text *out, const struct block_times *times, const struct yaml_unit *unit)
{
	const struct block_time *block = times->block;
	text_add(out, times->own_draws ? "block_times: [" : ", block_shares: [");
	for (uint32_t from = 0, to; from < times->count; from = to) {
		const struct block_time *t = &block[from];
		for (to = from + 1; to < times->count && memcmp(t, &block[to], sizeof(*t)) == 0; to++)
			;
		text_printf(out, "%s%s", from ? ", " : "",
			to - from > 1 ? times->own_draws ? "{time: " : "{share: " : "");
		if (!times->own_draws)
			add_ratio(out, t->share_ppm, SHARE_ONE, 0);
		else
			add_times(out, t->best_ns, t->worst_ns, unit);
		if (to - from > 1)
			text_printf(out, ", blocks: %" PRIu32 "}", to - from);
	}
	text_add(out, "]");
}

/* Neighbours are written as a range. */
static void add_mask(struct text *out, const struct segment *s)
{
	text_add(out, s->sm_count ? ", sms: [" : "");
	for (uint32_t i = 0, last; i < s->sm_count; i = last + 1) {
		for (last = i; last + 1 < s->sm_count && s->sms[last + 1] == s->sms[last] + 1; last++)
			;
		text_printf(out, "%s%" PRIu32, i ? ", " : "", s->sms[i]);
		if (last > i)
			text_printf(out, "-%" PRIu32, s->sms[last]);
	}
	text_add(out, s->sm_count ? "]" : "");
}

static void add_profiles(struct text *out, const struct segment *s, const struct profile *profiles)
{
	text_add(out, "profile: ");
	text_add(out, s->profile_count ? "[" : "");
	text_add_json(out, profiles[s->profile].name);
	for (uint32_t i = 1; i < s->profile_count; i++) {
		text_add(out, ", ");
		text_add_json(out, profiles[s->profiles[i]].name);
	}
	text_add(out, s->profile_count ? "]" : "");
}

static bool add_kernel(struct text *out, const struct segment *s, const struct profile *profiles,
	uint32_t least_digits, const struct yaml_unit *unit)
{
	bool exact = true;
	text_add(out, "kernel: {");
	if (s->form == KERNEL_GRID) {
		text_printf(out, "grid: %" PRIu32 ", block: %" PRIu32 ", ", s->grid, s->block);
		if (!s->times || !s->times->own_draws)
			add_interval(out, "block_time", s->best_ns, s->worst_ns, unit);
		if (s->times)
			add_block_times(out, s->times, unit);
		add_number(out, "registers", s->registers, 0);
		add_number(out, "shared_memory", s->shared_memory, 0);
		add_number(out, "carveout", s->carveout, 0);
	} else if (s->form == KERNEL_WORK) {
		add_interval(out, "work", s->best_ns, s->worst_ns, unit);
		add_time(out, "overhead", s->overhead_ns, unit);
		text_add(out, s->interleaves ? ", interleave: {" : "");
		for (uint32_t i = 0; i < s->interleaves; i++) {
			text_printf(out, "%s%" PRIu32 ": ", i ? ", " : "", s->interleave[i].virtual_sms);
			exact &= add_ratio(
				out, s->interleave[i].numerator, s->interleave[i].denominator, least_digits);
		}
		text_add(out, s->interleaves ? "}" : "");
	} else {
		assert(s->form == KERNEL_PROFILE); /* nobody who writes a scenario has programs */
		add_profiles(out, s, profiles);
	}
	if (s->power_uw)
		text_printf(out, ", power: %" PRId64 "uW", s->power_uw);
	add_mask(out, s);
	add_stream(out, s);
	text_add(out, "}");
	return exact;
}

static void add_names(struct text *out, const char *key, const struct segment *s)
{
	text_add(out, key);
	for (uint32_t i = 0; i < s->await_count; i++) {
		text_add(out, i ? ", " : "[");
		text_add_json(out, s->awaits[i]);
	}
	text_add(out, "]");
}

static void add_wait(struct text *out, const struct segment *s)
{
	if (s->await_count > 0)
		add_names(out, "wait: ", s);
	else if (s->stream == STREAM_OWN)
		text_add(out, "wait: all");
	else if (s->stream == STREAM_NULL)
		text_add(out, "wait: {stream: null}");
	else
		text_printf(out, "wait: {stream: %" PRId32 "}", s->stream);
}

static void add_copy_times(struct text *out, const struct segment *s, const struct yaml_unit *unit)
{
	for (uint32_t i = 0; i < s->copy_time_count; i++) {
		text_add(out, i ? ", " : "times: [");
		add_times(out, s->copy_times[i].best_ns, s->copy_times[i].worst_ns, unit);
	}
	text_add(out, "]");
}

bool yaml_segment(struct text *out, const struct segment *s, const struct profile *profiles,
	uint32_t least_digits, const struct yaml_unit *unit)
{
	bool exact = true;
	text_add(out, "{");
	if (s->name) {
		text_add(out, "name: ");
		text_add_json(out, s->name);
		text_add(out, ", ");
	}
	if (s->kind == SEGMENT_WAIT) {
		add_wait(out, s);
	} else if (s->kind == SEGMENT_CPU) {
		add_interval(out, "cpu", s->best_ns, s->worst_ns, unit);
	} else if (s->kind == SEGMENT_COPY) {
		text_printf(out, "copy: %s, ", copy_direction_name(s->direction));
		if (s->bytes >= 0)
			text_printf(out, "bytes: %" PRId64, s->bytes);
		else if (s->copy_time_count)
			add_copy_times(out, s, unit);
		else
			add_interval(out, "time", s->best_ns, s->worst_ns, unit);
		add_stream(out, s);
	} else {
		exact = add_kernel(out, s, profiles, least_digits, unit);
	}
	bool waits = s->kind == SEGMENT_WAIT && s->stream == STREAM_OWN;
	if (s->kind != SEGMENT_CPU && !waits)
		add_number(out, "gpu", s->gpu, 0);
	if (s->async)
		text_add(out, ", async: true");
	if (s->graph) {
		text_add(out, ", graph: ");
		text_add_json(out, s->graph);
	}
	if (s->kind != SEGMENT_WAIT && s->await_count > 0)
		add_names(out, ", after: ", s);
	text_add(out, "}");
	return exact;
}

void yaml_head(struct text *out, const char *name, int64_t horizon_ns, const struct yaml_unit *unit)
{
	text_add(out, "cegsim: 1\nname: ");
	text_add_json(out, name);
	text_printf(out, "\ntime_unit: %s\nhorizon: ", unit->name);
	yaml_time(out, horizon_ns, unit);
}

void yaml_contexts(struct text *out, const struct taskset *set, const struct task *t)
{
	if (t->process) {
		text_add(out, "    process: ");
		text_add_json(out, t->process);
		text_add(out, "\n");
	}
	if (set->gpu_priorities)
		text_printf(out, "    gpu_priority: %" PRId64 "\n", t->gpu_priority);
	if (t->best_effort)
		text_add(out, "    best_effort: true\n");
}

void yaml_task(struct text *out, const char *name, int64_t period_ns, const struct yaml_unit *unit)
{
	text_add(out, "  - name: ");
	text_add_json(out, name);
	text_add(out, "\n    period: ");
	yaml_time(out, period_ns, unit);
}

static void add_limit(struct text *out, const char *key, int64_t ns, const struct yaml_unit *unit)
{
	if (ns == 0)
		return;
	text_printf(out, ", %s: ", key);
	yaml_time(out, ns, unit);
}

void yaml_chains(struct text *out, const struct taskset *set, const struct yaml_unit *unit)
{
	text_add(out, set->chain_count ? "chains:\n" : "");
	for (uint32_t i = 0; i < set->chain_count; i++) {
		const struct effect_chain *c = &set->chains[i];
		text_add(out, "  - {name: ");
		text_add_json(out, c->name);
		for (uint32_t k = 0; k < c->task_count; k++) {
			text_add(out, k ? ", " : ", tasks: [");
			text_add_json(out, set->tasks[c->tasks[k]].name);
		}
		text_printf(out, "], communication: %s, sample: %s",
			chain_communication_name(c->communication), chain_sample_name(c->sample));
		add_limit(out, "reaction", c->reaction_ns, unit);
		add_limit(out, "age", c->age_ns, unit);
		text_add(out, "}\n");
	}
}
