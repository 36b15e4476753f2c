/* scenarios/platform_text.c - see scenarios/platform_text.h. */
#include "scenarios/platform_text.h"

#include <inttypes.h>

void text_yaml_number(struct text *out, const char *key, int64_t value, int64_t without)
{
	if (value != without)
		text_printf(out, ", %s: %" PRId64, key, value);
}

void platform_text(const struct platform *p, struct text *out)
{
	static const char *const engines[] = {"unlimited", "1", "2"};
	text_add(out, "platform:\n");
	if (p->sms > 0) {
		text_printf(out, "  gpu: {sms: %" PRIu32 ", pool: %s", p->sms,
			p->pool == POOL_GPU ? "gpu" : "sm");
		text_yaml_number(out, "sms_per_tpc", p->sms_per_tpc, 1);
		text_yaml_number(out, "work_queues", p->work_queues, 32);
		text_yaml_number(out, "threads_per_sm", p->threads_per_sm, 0);
		text_yaml_number(out, "blocks_per_sm", p->blocks_per_sm, 0);
		text_yaml_number(out, "warps_per_sm", p->warps_per_sm, 0);
		text_yaml_number(out, "registers_per_sm", p->registers_per_sm, 0);
		text_yaml_number(out, "shared_memory_per_sm", p->shared_memory_per_sm, 0);
		text_yaml_number(out, "virtual_sms_per_sm", p->virtual_sms_per_sm, 0);
		text_yaml_number(out, "pin_overhead", p->pin_overhead_ns, 0);
		text_add(out, "}\n");
	}
	text_printf(out, "  copy: {engines: %s", engines[p->engines]);
	text_yaml_number(out, "latency", p->copy_latency_ns, 0);
	if (p->copy_bandwidth)
		text_printf(out, ", bandwidth: %" PRId64 "B/s", p->copy_bandwidth);
	text_add(out, "}\n");
	if (p->static_uw || p->idle_per_sm_uw)
		text_printf(out, "  power: {static: %" PRId64 "uW, idle_per_sm: %" PRId64 "uW}\n",
			p->static_uw, p->idle_per_sm_uw);
}
