/* runs/store_platform.c - writes platforms; see runs/store.h. */
#include <inttypes.h>
#include <stdio.h>

#include "runs/store.h"

static int64_t or_null(int64_t value)
{
	return value ? value : DB_NULL;
}

/* [0, 8192, 16384]; NULL: none. */
static const char *divisions_json(const struct divisions *d, char text[STORE_DIVISIONS_MAX])
{
	size_t at = 0;
	for (uint32_t i = 0; i < d->count; i++)
		at += (size_t)snprintf(
			text + at, STORE_DIVISIONS_MAX - at, "%c%" PRId64, i ? ',' : '[', d->bytes[i]);
	snprintf(text + at, STORE_DIVISIONS_MAX - at, "]");
	return d->count ? text : NULL;
}

/* ---- several GPUs ---- */

static void add_number(struct text *out, const char *key, int64_t value)
{
	if (value != DB_NULL)
		text_printf(out, ", \"%s\": %" PRId64, key, value);
}

static void add_gpu(struct text *out, const struct platform *p)
{
	char divisions[STORE_DIVISIONS_MAX];
	text_add(out, "{\"name\": ");
	text_add_json(out, p->name);
	add_number(out, "engines", p->engines);
	add_number(out, "copy_latency_ns", p->copy_latency_ns);
	add_number(out, "copy_bandwidth", or_null(p->copy_bandwidth));
	text_printf(out, ", \"pool\": \"%s\"", pool_name(p->pool));
	add_number(out, "sms", p->sms);
	add_number(out, "sms_per_tpc", p->sms_per_tpc);
	add_number(out, "threads_per_sm", or_null(p->threads_per_sm));
	add_number(out, "blocks_per_sm", or_null(p->blocks_per_sm));
	add_number(out, "warps_per_sm", or_null(p->warps_per_sm));
	add_number(out, "registers_per_sm", or_null(p->registers_per_sm));
	add_number(out, "shared_memory_per_sm", or_null(p->shared_memory_per_sm));
	add_number(out, "virtual_sms_per_sm", or_null(p->virtual_sms_per_sm));
	add_number(out, "work_queues", p->work_queues);
	add_number(out, "pin_overhead_ns", p->pin_overhead_ns);
	add_number(out, "static_uw", p->static_uw);
	add_number(out, "idle_per_sm_uw", p->idle_per_sm_uw);
	add_number(out, "timeslice_ns", or_null(p->contexts.timeslice_ns));
	add_number(out, "context_switch_ns", or_null(p->contexts.switch_ns));
	add_number(out, "context_reset_ns", or_null(p->contexts.reset_ns));
	add_number(out, "resident_kernels", or_null(p->resident_kernels));
	add_number(out, "preemption_delay_ns", or_null(p->preemption_delay_ns));
	if (p->divisions.count > 0)
		text_printf(out, ", \"divisions\": %s", divisions_json(&p->divisions, divisions));
	text_add(out, "}");
}

/* [{"name": "t400", ...}]; NULL: one GPU. */
static const char *gpus_json(const struct platform *p, struct text *out)
{
	for (uint32_t g = 1; g < platform_gpus(p); g++) {
		text_add(out, g > 1 ? ", " : "[");
		add_gpu(out, platform_gpu(p, g));
	}
	text_add(out, platform_gpus(p) > 1 ? "]" : "");
	return platform_gpus(p) > 1 ? text_data(out) : NULL;
}

/* ---- */

struct platform_row store_platform_row(const struct platform *p, struct platform_texts *texts)
{
	*texts = (struct platform_texts){.gpus = {0}};
	return (struct platform_row){
		.name = p->name,
		.cores = p->cores,
		.engines = p->engines,
		.copy_latency_ns = p->copy_latency_ns,
		.copy_bandwidth = or_null(p->copy_bandwidth),
		.pool = pool_name(p->pool),
		.sms = p->sms,
		.sms_per_tpc = p->sms_per_tpc,
		.threads_per_sm = or_null(p->threads_per_sm),
		.blocks_per_sm = or_null(p->blocks_per_sm),
		.warps_per_sm = or_null(p->warps_per_sm),
		.registers_per_sm = or_null(p->registers_per_sm),
		.shared_memory_per_sm = or_null(p->shared_memory_per_sm),
		.divisions = divisions_json(&p->divisions, texts->divisions),
		.virtual_sms_per_sm = or_null(p->virtual_sms_per_sm),
		.work_queues = p->work_queues,
		.pin_overhead_ns = p->pin_overhead_ns,
		.overhead_launch_ns = or_null(p->overheads.launch_ns),
		.overhead_latency_ns = or_null(p->overheads.latency_ns),
		.overhead_gap_ns = or_null(p->overheads.gap_ns),
		.overhead_sync_ns = or_null(p->overheads.sync_ns),
		.overhead_switch_ns = or_null(p->overheads.switch_ns),
		.overhead_release_ns = or_null(p->overheads.release_ns),
		.timeslice_ns = or_null(p->contexts.timeslice_ns),
		.context_switch_ns = or_null(p->contexts.switch_ns),
		.context_reset_ns = or_null(p->contexts.reset_ns),
		.resident_kernels = or_null(p->resident_kernels),
		.preemption_delay_ns = or_null(p->preemption_delay_ns),
		.static_uw = p->static_uw,
		.idle_per_sm_uw = p->idle_per_sm_uw,
		.gpus = gpus_json(p, &texts->gpus),
		.core_scheduling = p->cores > 1 ? core_scheduling_name(p->scheduling) : NULL,
	};
}

bool store_platform(struct db_writer *w, const struct platform *p, int64_t *id, struct error *err)
{
	struct platform_texts texts;
	const struct platform_row row = store_platform_row(p, &texts);
	bool ok = text_ok(&texts.gpus, "a platform's row", err) && writer_platform(w, &row, id, err);
	platform_texts_finish(&texts);
	return ok;
}

void platform_texts_finish(struct platform_texts *texts)
{
	text_finish(&texts->gpus);
}
