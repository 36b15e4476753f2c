/* policies/pipe/question.c - see policies/pipe/question.h. */
#include "policies/pipe/question.h"

#include <inttypes.h>

#include "analysis/sections.h"
#include "models/kernel.h"

static const char *wait_name(enum cpu_wait wait)
{
	static const char *const names[] = {"suspend", "busy", "boost"};
	return names[wait];
}

static const char *gate_name(enum gate_unit unit)
{
	static const char *const names[] = {"open", "kernel", "section", "section-kernels"};
	return names[unit];
}

static const char *order_name(order_fn *order)
{
	static const struct {
		order_fn *order;
		const char *name;
	} known[] = {{order_by_priority, "priority"}, {order_by_arrival, "arrival"},
		{order_by_release, "release"}, {order_by_deadline, "deadline"},
		{order_by_section_deadline, "section-deadline"},
		{order_by_stream_priority, "stream-priority"}};
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].order == order)
			return known[i].name;
	return "own";
}

/* ---- members; every one but the first begins with a comma ---- */

static void add_word(struct text *line, const char *key, const char *word)
{
	text_printf(line, ", \"%s\": ", key);
	text_add_json(line, word);
}

static void add_integer(struct text *line, const char *key, int64_t value)
{
	text_printf(line, ", \"%s\": %" PRId64, key, value);
}

/* null if it was not given. */
static void add_limit(struct text *line, const char *key, int64_t value)
{
	value ? add_integer(line, key, value) : text_printf(line, ", \"%s\": null", key);
}

static void add_policy(struct text *line, const struct plan *plan)
{
	char json[PARAMS_JSON_MAX];
	text_add(line, ", \"policy\": {\"name\": ");
	text_add_json(line, plan->policy);
	text_printf(line, ", \"params\": %s}", params_json_text(plan->params, json));
}

static void add_platform(struct text *line, const struct plan *plan)
{
	const struct platform *p = plan->platform;
	text_add(line, ", \"platform\": {\"name\": ");
	text_add_json(line, p->name);
	add_integer(line, "cores", p->cores);
	if (p->cores > 1)
		add_word(line, "scheduling", core_scheduling_name(p->scheduling));
	add_limit(line, "engines", p->engines);
	add_word(line, "pool", pool_name(p->pool));
	add_integer(line, "sms", p->sms);
	add_integer(line, "virtual_sms", plan->virtual_sms);
	add_limit(line, "threads_per_sm", p->threads_per_sm);
	add_limit(line, "blocks_per_sm", p->blocks_per_sm);
	add_limit(line, "warps_per_sm", p->warps_per_sm);
	add_limit(line, "registers_per_sm", p->registers_per_sm);
	add_limit(line, "shared_memory_per_sm", p->shared_memory_per_sm);
	add_integer(line, "work_queues", p->work_queues);
	text_add(line, "}");
}

static void add_orders(struct text *line, const struct plan *plan)
{
	add_word(line, "wait", wait_name(plan->wait));
	add_word(line, "gate", gate_name(plan->unit));
	text_add(line, ", \"orders\": {\"cpu\": ");
	text_add_json(line, order_name(plan->cpu_order));
	add_word(line, "copy", order_name(plan->copy_order));
	add_word(line, "kernel", order_name(plan->kernel_order));
	text_add(line, "}");
}

/* ---- tasks ---- */

static void add_stream(struct text *line, const struct segment *g, uint32_t task)
{
	if (g->stream == STREAM_NULL)
		text_add(line, ", \"stream\": null");
	else if (g->stream == STREAM_OWN)
		text_printf(line, ", \"stream\": \"own %" PRIu32 "\"", task);
	else
		add_integer(line, "stream", g->stream);
	add_word(line, "stream_priority", g->stream_high ? "high" : "low");
}

static void add_copy(struct text *line, const struct plan *plan, const struct segment *g)
{
	add_word(line, "direction", copy_direction_name(g->direction));
	uint32_t engines = platform_gpu(plan->platform, g->gpu)->engines;
	if (engines == ENGINES_UNLIMITED)
		text_add(line, ", \"engine\": null");
	else
		add_integer(line, "engine", engines == 2 && g->direction == COPY_TO_CPU);
}

static void add_truth(struct text *line, const char *key, bool value)
{
	text_printf(line, ", \"%s\": %s", key, value ? "true" : "false");
}

static bool add_kernel(struct text *line, const struct plan *plan, uint32_t task, const struct segment *g,
	struct error *reason)
{
	const struct grant *grant = plan->grants && plan->grants[task].count ? &plan->grants[task] : NULL;
	struct kernel_shape shape;
	if (!kernel_shape(platform_gpu(plan->platform, g->gpu), plan->set, g, plan->virtual_sms, grant,
		    &shape, reason))
		return false;
	add_word(line, "form", kernel_form_name(g->form));
	add_integer(line, "sms", shape.sms);
	add_truth(line, "granted", grant != NULL);
	add_limit(line, "granted_virtual_sms", grant ? grant->virtual_sms : 0);
	add_integer(line, "grid", shape.blocks);
	add_integer(line, "block", shape.demand.threads);
	add_integer(line, "block_best", shape.best_ns);
	add_integer(line, "block_worst", shape.worst_ns);
	return true;
}

static bool add_segment(
	struct text *line, const struct plan *plan, uint32_t task, uint32_t segment, struct error *reason)
{
	const struct segment *g = &plan->set->tasks[task].segments[segment];
	int64_t best, worst;
	struct error why;
	bool ok = plan_segment_times(plan, task, segment, &best, &worst, &why);
	text_printf(line, "%s{\"kind\": ", segment ? ", " : "");
	text_add_json(line, segment_kind_name(g->kind));
	if (ok) {
		add_integer(line, "best", best);
		add_integer(line, "worst", worst);
	}
	if (g->kind == SEGMENT_COPY)
		add_copy(line, plan, g);
	ok = ok && (g->kind != SEGMENT_KERNEL || add_kernel(line, plan, task, g, &why));
	if (g->kind != SEGMENT_CPU)
		add_stream(line, g, task);
	text_add(line, "}");
	return ok || error_set(reason, STATUS_INPUT, "the %s of segment %" PRIu32 " %.400s",
			     segment_kind_name(g->kind), segment, why.text);
}

static bool add_task(struct text *line, const struct plan *plan, uint32_t task, struct error *reason)
{
	const struct task *t = &plan->set->tasks[task];
	text_add(line, "{\"name\": ");
	text_add_json(line, t->name);
	add_integer(line, "index", task);
	add_integer(line, "core", taskset_core(plan->set, plan->platform, task));
	add_integer(line, "period", t->period_ns);
	add_integer(line, "deadline", t->deadline_ns);
	text_add(line, ", \"segments\": [");
	for (uint32_t i = 0; i < t->segment_count; i++)
		if (!add_segment(line, plan, task, i, reason))
			return false;
	text_add(line, "]}");
	return true;
}

bool question_write(const struct plan *plan, uint64_t id, struct text *line, uint32_t *order, uint32_t *task,
	struct error *reason)
{
	const struct taskset *set = plan->set;
	for (uint32_t i = 0; i < set->task_count; i++)
		order[plan->rank[i]] = i;
	text_printf(line, "{\"cegsim\": %d, \"id\": %" PRIu64 ", \"set\": ", QUESTION_VERSION, id);
	text_add_json(line, set->name ? set->name : "");
	add_policy(line, plan);
	add_platform(line, plan);
	add_orders(line, plan);
	text_add(line, ", \"tasks\": [");
	for (uint32_t i = 0; i < set->task_count; i++) {
		*task = order[i];
		text_add(line, i ? ", " : "");
		if (!add_task(line, plan, order[i], reason))
			return false;
	}
	text_add(line, "]}\n");
	return true;
}
