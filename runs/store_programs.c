/* runs/store_programs.c - see runs/store_programs.h. */
#include "runs/store_programs.h"

#include <inttypes.h>

#include "models/programs.h"
#include "models/warps/options.h"
#include "models/warps/warp_set.h"

static void add_list(struct text *out, const char *key, const int64_t *values)
{
	for (int unit = 0; unit < WARP_UNITS; unit++)
		text_printf(out, "%s%" PRId64, unit ? ", " : key, values[unit]);
	text_add(out, "]");
}

static void add_machine(struct text *out, const struct warp_machine *m, int scheduler)
{
	text_printf(out, "{\"clock_hz\": %" PRId64 ", \"sub_cores\": %" PRIu32 ", \"scheduler\": \"%s\"",
		m->clock_hz, m->sub_cores, warp_scheduler_kind_name((enum warp_scheduler_kind)scheduler));
	add_list(out, ", \"latency\": [", m->latency);
	add_list(out, ", \"interval\": [", m->interval);
	text_printf(out,
		", \"shared\": %" PRId64 ", \"l1\": %" PRId64 ", \"l2\": %" PRId64 ", \"dram\": %" PRId64
		", \"bytes_per_1000_cycles\": %" PRId64 ", \"l1_bytes\": %" PRId64,
		m->shared_latency, m->l1_latency, m->l2_latency, m->dram_latency, m->bandwidth, m->l1_bytes);
	if (m->requests)
		text_printf(out, ", \"requests\": %" PRId64, m->requests);
	if (m->l2_bytes)
		text_printf(out, ", \"l2_bytes\": %" PRId64, m->l2_bytes);
}

static void add_step(struct text *out, const struct warp_step *s)
{
	text_printf(out,
		"{\"kind\": \"%s\", \"unit\": \"%s\", \"count\": %" PRIu32 ", \"body\": %" PRIu32
		", \"threads\": %" PRIu32 ", \"distance\": %" PRIu32 ", \"first\": %" PRIu32
		", \"latency\": %" PRId64 ", \"l1_hit_ppm\": %" PRId64 ", \"l2_hit_ppm\": %" PRId64
		", \"coalescing_ppm\": %" PRId64 ", \"bytes\": %" PRIu32 ", \"reuse\": %" PRIu32
		", \"rounds\": \"%s\"}",
		warp_step_kind_name(s->kind), warp_unit_name(s->unit), s->count, s->body, s->threads,
		s->distance, s->first, s->latency, s->l1_hit_ppm, s->l2_hit_ppm, s->coalescing_ppm, s->bytes,
		s->reuse, warp_rounds_name(s->rounds));
}

const char *program_text(struct text *out, const struct taskset *set, const struct segment *s)
{
	if (s->kind != SEGMENT_KERNEL || s->form != KERNEL_PROGRAM || !set->programs)
		return NULL;
	add_machine(out, &set->programs->warps->machine, set->programs->scheduler);
	for (uint32_t i = 0; i < s->step_count; i++) {
		text_add(out, i ? ", " : ", \"steps\": [");
		add_step(out, &s->steps[i]);
	}
	text_add(out, "]}");
	return text_data(out);
}
