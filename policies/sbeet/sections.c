/* policies/sbeet/sections.c - GPU sections as sBEET sees them: what a section takes on every number of SMs,
 * and the number on which it costs least energy (section IV.A, Definition 1). See policies/sbeet/sbeet.h. */
#include <stdarg.h>
#include <stdio.h>

#include "analysis/verdict.h"
#include "models/execution.h"
#include "models/kernel.h"
#include "policies/sbeet/sbeet.h"

void sbeet_refuse(struct plan *plan, uint32_t task, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	vsnprintf(plan->reason, sizeof(plan->reason), fmt, args);
	va_end(args);
	plan->refused = true;
	plan->failing_task = task;
}

/* Worst-case time of a segment, of a kernel alone on m whole SMs; -1, with the reason: it has none. */
static int64_t time_on(const struct plan *plan, const struct platform *platform, const struct segment *s,
	uint32_t m, struct error *err)
{
	const struct grant grant = {.count = m};
	struct kernel_shape shape;
	struct copy_time copy;
	if (s->kind == SEGMENT_COPY) {
		if (taskset_copy_time(platform, s, &copy))
			return copy.worst_ns;
		(void)error_set(err, STATUS_INPUT, "has no time on GPU %u", platform->gpu);
		return -1;
	}
	if (s->kind != SEGMENT_KERNEL)
		return s->worst_ns;
	if (!kernel_shape(platform, plan->set, s, plan->virtual_sms, &grant, &shape, err))
		return -1;
	return kernel_time(platform, plan->virtual_sms, &shape, &grant);
}

/* Of the policy: parts of a plan without one are of sbeet's. */
static const char *name_of(const struct plan *plan)
{
	return plan->policy ? plan->policy : "sbeet";
}

/* Refuses the set. The reason lacks the names: "has no time for 3 SMs: ...". */
static void refuse_time(struct plan *plan, uint32_t task, const struct segment *s, const struct error *reason)
{
	sbeet_refuse(plan, task, "task '%.60s': a %s %.150s", plan->set->tasks[task].name,
		s->kind == SEGMENT_COPY ? "copy" : "kernel", reason->text);
}

/* Worst-case times of segments first .. end - 1, kernels on all SMs, on this GPU (a view of it) or, NULL, on
 * the GPUs that they name. Their kernels are known to have a time there. */
static int64_t time_of(const struct plan *plan, const struct platform *gpu, const struct task *task,
	uint32_t first, uint32_t end)
{
	int64_t sum = 0;
	for (uint32_t i = first; i < end; i++) {
		const struct segment *s = &task->segments[i];
		const struct platform *on = gpu ? gpu : platform_gpu(plan->platform, s->gpu);
		struct error ignored;
		sum = within(sum, time_on(plan, on, s, on->sms, &ignored));
	}
	return sum;
}

/* The next GPU section with a kernel, at or behind segment `from`: its first segment, the one behind its
 * last, its first kernel, and the segment behind its last kernel. False: there is none. */
struct extent {
	uint32_t first, end, kernel, kernels_end;
};

static bool next_section(const struct task *task, uint32_t from, struct extent *e)
{
	bool inside = false, kernel = false;
	for (uint32_t i = from; i < task->segment_count; i++) {
		bool cpu = task->segments[i].kind == SEGMENT_CPU;
		if (cpu || (inside && task->segments[i].gpu != task->segments[e->first].gpu)) {
			if (kernel)
				return true;
			inside = false;
		}
		if (cpu)
			continue;
		if (!inside)
			e->first = i;
		inside = true;
		e->end = i + 1;
		if (task->segments[i].kind != SEGMENT_KERNEL)
			continue;
		if (!kernel)
			e->kernel = i;
		kernel = true;
		e->kernels_end = i + 1;
	}
	return kernel;
}

/* Copies in bytes have none on a GPU without a bandwidth. */
static bool copies_have_times(
	struct plan *plan, const struct sbeet_model *model, const struct sbeet_section *section)
{
	for (uint32_t i = section->first; i < section->end; i++) {
		const struct segment *s = &plan->set->tasks[section->task].segments[i];
		struct error err;
		if (s->kind == SEGMENT_COPY && time_on(plan, model->platform, s, 1, &err) < 0) {
			refuse_time(plan, section->task, s, &err);
			return false;
		}
	}
	return true;
}

/* The body on m SMs: its kernels and the copies between them, or all of the section, one after the other. */
static bool lay_out(struct plan *plan, const struct sbeet_model *model, const struct sbeet_section *section,
	const struct extent *e, uint32_t m, struct sbeet_kernel *kernel, int64_t *body)
{
	const struct segment *segments = plan->set->tasks[section->task].segments;
	*body = 0;
	for (uint32_t i = e->kernel; i < e->kernels_end; i++) {
		const struct segment *s = &segments[i];
		struct error err;
		int64_t begin = *body;
		int64_t length = time_on(plan, model->platform, s, m, &err);
		if (length < 0) {
			refuse_time(plan, section->task, s, &err);
			return false;
		}
		*body = within(begin, length);
		if (s->kind == SEGMENT_KERNEL)
			*kernel++ = (struct sbeet_kernel){
				.offset = begin,
				.length = *body - begin,
				.power_uw = kernel_dynamic_power(model->platform, plan->set, s, m),
			};
	}
	return true;
}

int128 sbeet_cost(const struct sbeet_model *model, const struct sbeet_section *section, uint32_t m)
{
	const struct sbeet_kernel *kernel = section->kernel + (size_t)(m - 1) * section->kernels;
	int128 sum = 0;
	for (uint32_t i = 0; i < section->kernels; i++)
		sum += (int128)kernel[i].length *
		       ((int128)kernel[i].power_uw + (int128)model->idle_per_sm_uw * (model->sms - m));
	return sum;
}

static uint32_t find_optimum(const struct sbeet_model *model, const struct sbeet_section *section)
{
	int128 least = 0;
	uint32_t best = 0;
	for (uint32_t m = model->sms; m >= 1; m--) {
		int128 mine = sbeet_cost(model, section, m);
		if (m == model->sms || mine < least) {
			least = mine;
			best = m;
		}
	}
	return best;
}

/* The unit is the whole section: its copies belong to the body. */
static void take_copies_in(const struct sbeet_model *model, struct sbeet_section *section, int64_t *body,
	struct sbeet_kernel *kernel)
{
	for (uint32_t m = 1; m <= model->sms; m++) {
		body[m - 1] = within(within(section->hd, body[m - 1]), section->dh);
		for (uint32_t i = 0; i < section->kernels; i++, kernel++)
			kernel->offset = within(section->hd, kernel->offset);
	}
	section->hd = section->dh = 0;
}

/* May every kernel of the section turn out to have no length? It is drawn on all SMs. */
static bool may_vanish(
	const struct plan *plan, const struct sbeet_model *model, const struct sbeet_section *section)
{
	const struct segment *segments = plan->set->tasks[section->task].segments;
	for (uint32_t i = section->first; i < section->end; i++) {
		struct kernel_shape shape;
		struct error ignored;
		if (segments[i].kind != SEGMENT_KERNEL)
			continue;
		if (!kernel_shape(model->platform, plan->set, &segments[i], plan->virtual_sms, NULL, &shape,
			    &ignored))
			return false;
		int64_t fixed = execution_fixed(plan->setup, shape.best_ns, shape.worst_ns);
		if (fixed > 0 || (fixed < 0 && shape.best_ns > 0))
			return false;
	}
	return true;
}

/* Fills in the section. False: the set is refused, or (err) out of memory. */
static bool measure(struct plan *plan, const struct sbeet_model *model, struct sbeet_section *section,
	const struct extent *e, struct error *err)
{
	const struct task *task = &plan->set->tasks[section->task];
	int64_t *body = arena_new(plan->arena, int64_t, model->sms);
	struct sbeet_kernel *kernel =
		arena_new(plan->arena, struct sbeet_kernel, (size_t)model->sms * section->kernels);
	if (!body || !kernel)
		return error_memory(err, "planning sbeet");
	section->body = body;
	section->kernel = kernel;
	if (!copies_have_times(plan, model, section))
		return false;
	for (uint32_t m = 1; m <= model->sms; m++)
		if (!lay_out(plan, model, section, e, m, kernel + (size_t)(m - 1) * section->kernels,
			    &body[m - 1]))
			return false;
	section->hd = time_of(plan, model->platform, task, section->first, e->kernel);
	section->dh = time_of(plan, model->platform, task, e->kernels_end, section->end);
	section->vanishes = may_vanish(plan, model, section);
	section->m_opt = find_optimum(model, section);
	if (model->whole)
		take_copies_in(model, section, body, kernel);
	for (uint32_t m = 1; m <= section->m_opt; m++)
		section->longest = latest(section->longest, body[m - 1]);
	return true;
}

/* Counts sections, and the kernels in all of them. */
static void count(const struct taskset *set, uint64_t *sections, uint64_t *kernels)
{
	*sections = *kernels = 0;
	for (uint32_t i = 0; i < set->task_count; i++) {
		const struct task *task = &set->tasks[i];
		struct extent e = {0};
		for (uint32_t from = 0; next_section(task, from, &e); from = e.end)
			++*sections;
		for (uint32_t j = 0; j < task->segment_count; j++)
			*kernels += task->segments[j].kind == SEGMENT_KERNEL;
	}
}

/* Can whole SMs be granted, and do the tables fit the memory? */
static bool can_be_built(
	struct plan *plan, const struct platform *platform, uint64_t sections, uint64_t kernels)
{
	if (sections > 0 && (platform->pool != POOL_SM || platform->sms == 0)) {
		sbeet_refuse(plan, SBEET_NOBODY, "%s grants whole SMs: needs `pool: sm`", name_of(plan));
		return false;
	}
	if (platform_overheads(platform)) {
		sbeet_refuse(plan, SBEET_NOBODY, "%s predicts platforms without overheads", name_of(plan));
		return false;
	}
	struct verdict v = {.accepted = true};
	char expects[80];
	snprintf(expects, sizeof(expects), "%.60s expects", name_of(plan));
	if (!verdict_plain(&v, plan->set, expects)) {
		sbeet_refuse(plan, v.failing_task, "%s", v.reason);
		return false;
	}
	int128 bytes = (int128)sections * (sizeof(struct sbeet_section) + platform->sms * sizeof(int64_t)) +
		       (int128)kernels * platform->sms * sizeof(struct sbeet_kernel);
	if (bytes > SBEET_MEMORY) {
		sbeet_refuse(plan, SBEET_NOBODY,
			"%s's tables of %llu kernels on 1 to %u SMs would need %lld MiB", name_of(plan),
			(unsigned long long)kernels, platform->sms, (long long)(bytes >> 20));
		return false;
	}
	return true;
}

/* Adds the sections of one task; false as in measure(). */
static bool add_task(struct plan *plan, struct sbeet_model *model, uint32_t id, struct error *err)
{
	const struct task *task = &plan->set->tasks[id];
	struct extent e = {0};
	uint32_t first = model->sections;
	for (uint32_t from = 0; next_section(task, from, &e); from = e.end) {
		struct sbeet_section *section = &model->section[model->sections++];
		*section = (struct sbeet_section){
			.task = id, .index = model->sections - 1 - first, .first = e.first, .end = e.end};
		for (uint32_t i = e.kernel; i < e.kernels_end; i++)
			section->kernels += task->segments[i].kind == SEGMENT_KERNEL;
		if (!measure(plan, model, section, &e, err))
			return false;
	}
	/* Only here all kernels of the job are known to have a time. */
	for (uint32_t i = first; i < model->sections; i++) {
		struct sbeet_section *section = &model->section[i];
		section->before = time_of(plan, NULL, task, 0, section->first);
		section->after = time_of(plan, NULL, task, section->end, task->segment_count);
	}
	return true;
}

bool sbeet_model_build_on(struct plan *plan, const struct platform *platform, bool whole,
	struct sbeet_model *model, struct error *err)
{
	const struct taskset *set = plan->set;
	uint64_t sections, kernels;
	count(set, &sections, &kernels);
	if (!can_be_built(plan, platform, sections, kernels))
		return true;
	*model = (struct sbeet_model){
		.set = set,
		.platform = platform,
		.whole = whole,
		.sms = platform->sms,
		.static_uw = platform->static_uw,
		.idle_per_sm_uw = platform->idle_per_sm_uw,
		.section = arena_new(plan->arena, struct sbeet_section, sections),
		.first_section = arena_new(plan->arena, uint32_t, (size_t)set->task_count + 1),
	};
	if (!model->section || !model->first_section)
		return error_memory(err, "planning sbeet");
	for (uint32_t i = 0; i < set->task_count; i++) {
		model->first_section[i] = model->sections;
		if (!add_task(plan, model, i, err))
			return plan->refused;
	}
	model->first_section[set->task_count] = model->sections;
	return true;
}

bool sbeet_model_build(struct plan *plan, struct sbeet_model *model, struct error *err)
{
	return sbeet_model_build_on(plan, plan->platform, false, model, err);
}

const struct sbeet_section *sbeet_section_at(const struct sbeet_model *model, uint32_t task, uint32_t segment)
{
	uint32_t i = model->first_section[task];
	while (segment >= model->section[i].end)
		i++;
	return &model->section[i];
}
