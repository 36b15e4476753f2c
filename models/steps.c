/* models/steps.c - segments, prepared for a run: on which resource each is, through which queue it goes
 * there, how long it takes and what its blocks need. */
#include <assert.h>

#include "models/machine.h"
#include "models/releases.h"

#define LONGEST_YEARS 73 /* LONGEST_SEGMENT */

static uint32_t hardware_queue(
	const struct machine *m, uint32_t task, const struct segment *segment, uint32_t gpu)
{
	uint32_t queues = m->devices.queues;
	uint32_t first = (m->contexts.count > 0 ? m->contexts.process[task] : gpu) * (queues + 1);
	if (segment->stream == STREAM_NULL)
		return first + queues;
	uint32_t stream = segment->stream == STREAM_OWN ? task : (uint32_t)segment->stream;
	return first + stream % platform_gpu(m->devices.all, gpu)->work_queues;
}

/* Does the GPU section of segment `index` have a kernel from this segment on? */
static bool kernel_from(const struct task *task, uint32_t index)
{
	for (uint32_t i = index; i < task->segment_count && task->segments[i].kind != SEGMENT_CPU &&
				 task->segments[i].gpu == task->segments[index].gpu;
		i++)
		if (task->segments[i].kind == SEGMENT_KERNEL)
			return true;
	return false;
}

static void set_gate(const struct machine *m, uint32_t task, uint32_t index, struct step *step)
{
	const struct task *t = &m->set->tasks[task];
	if (t->segments[index].kind == SEGMENT_CPU)
		return;
	switch (m->plan.unit) {
	case GATE_OPEN:
		break;
	case GATE_KERNEL:
		step->gated = t->segments[index].kind == SEGMENT_KERNEL;
		break;
	case GATE_SECTION:
		step->gated = true;
		break;
	case GATE_SECTION_KERNELS:
		step->gated = kernel_from(t, index);
		break;
	}
}

/* Worst-case time of a segment, a kernel's alone on all SMs; saturated. */
static int64_t alone(const struct machine *m, const struct segment *segment)
{
	struct kernel_shape shape;
	struct error reason;
	if (segment->kind != SEGMENT_KERNEL)
		return segment->worst_ns;
	/* On all SMs it may have no time, if the policy grants others: then it counts as 0. */
	const struct platform *p = platform_gpu(m->devices.all, segment->gpu);
	if (!kernel_shape(p, m->set, segment, m->plan.virtual_sms, NULL, &shape, &reason))
		return 0;
	return kernel_time(p, m->plan.virtual_sms, &shape, NULL);
}

/* Fills in `behind` of all steps of a task: the time of what follows a GPU section, for section deadlines. */
static void set_behind(const struct machine *m, const struct task *task, struct step *steps)
{
	int64_t behind = 0, all = 0; /* of what follows the current section; of what follows the segment */
	for (uint32_t i = task->segment_count; i-- > 0;) {
		int64_t length = alone(m, &task->segments[i]);
		if (i + 1 == task->segment_count || steps[i + 1].section != steps[i].section)
			behind = all;
		all = length > LONGEST_SEGMENT - all ? LONGEST_SEGMENT : all + length;
		if (task->segments[i].kind != SEGMENT_CPU)
			steps[i].behind = behind;
	}
}

/* What the setup and the task's release rule say of the length of the step. */
static void set_length(
	const struct machine *m, uint32_t task, const struct segment *segment, struct step *step)
{
	const struct release_rule *rule = release_rule_of(m->setup, &m->set->tasks[task]);
	bool traced = rule->duration_count > 0;
	step->fixed = segment->kind == SEGMENT_WAIT ? 0
		      : traced                      ? -1
						    : execution_fixed(m->setup, step->best, step->worst);
	const struct block_times *times = segment->kind == SEGMENT_KERNEL ? step->shape.times : NULL;
	if (times) {
		step->uneven = traced || !execution_alike(m->setup, times);
		if (times->own_draws && step->uneven && !traced)
			step->fixed = step->worst; /* > 0; each block has its own draw */
	}
	if (step->programmed) {
		step->fixed = 1; /* not 0: it never passes; no block takes it */
		step->uneven = true;
	}
	step->plain = step->fixed > 0 && !step->flies && !m->devices.chosen ? step->fixed : 0;
	step->drawn = step->fixed < 0 && execution_is_drawn(m->setup, rule, segment, step->best, step->worst);
}

/* The segment as it is on that GPU. */
static bool make_step(struct machine *m, uint32_t task, uint32_t index, uint32_t gpu, uint32_t section,
	struct step *step, struct error *err)
{
	const struct segment *segment = &m->set->tasks[task].segments[index];
	const struct platform *platform = platform_gpu(m->devices.all, gpu);
	const struct grant *grant =
		m->plan.grants && m->plan.grants[task].count ? &m->plan.grants[task] : NULL;
	*step = (struct step){
		.best = segment->best_ns,
		.worst = segment->worst_ns,
		.kind = (uint8_t)segment->kind,
		.gpu = (uint8_t)gpu,
		.section = section,
		.stream_high = segment->stream_high && !m->plan.streams_alike,
	};
	set_gate(m, task, index, step);
	bool operation = segment_is_operation(segment);
	step->syncs = operation && m->platform->overheads.sync_ns > 0;
	step->flies = segment->async || segment->kind == SEGMENT_WAIT;
	step->joins = task_joins(&m->set->tasks[task], index);
	step->watched = step->gated || step->syncs || step->flies || (operation && m->plan.call);
	step->run = NO_TASK;
	if (operation)
		step->queue = hardware_queue(m, task, segment, gpu);
	if (segment->kind == SEGMENT_COPY)
		step->engine = platform->engines == 2 && segment->direction == COPY_TO_CPU ? 1 : 0;
	if (segment->kind == SEGMENT_COPY) {
		struct copy_time time;
		if (!taskset_copy_time(platform, segment, &time))
			return error_set(err, STATUS_INPUT,
				"task '%s', segment %u: the copy has no time on GPU %u",
				m->set->tasks[task].name, index, gpu);
		step->best = time.best_ns;
		step->worst = time.worst_ns;
	}
	if (segment->kind == SEGMENT_KERNEL) {
		struct error reason;
		if (!kernel_blocks(
			    platform, m->set, segment, m->plan.virtual_sms, grant, &step->shape, &reason))
			return error_set(err, reason.status, "task '%s', segment %u: the kernel %s",
				m->set->tasks[task].name, index, reason.text);
		step->programmed = segment->form == KERNEL_PROGRAM;
		step->program = segment->program;
		step->best = step->shape.best_ns;
		step->worst = step->shape.worst_ns;
		step->need =
			sm_pool_need(&step->shape.demand, step->shape.blocks, platform, m->plan.virtual_sms);
		if (segment->sm_count > 0 && !(step->mask = table_mask(m, platform, segment)))
			return error_memory(err, "the masks of kernels");
		step->on = step->mask ? &step->mask->on : NULL;
	}
	if (step->worst > LONGEST_SEGMENT)
		return error_set(err, STATUS_INPUT, "task '%s', segment %u: longer than %d years",
			m->set->tasks[task].name, index, LONGEST_YEARS);
	set_length(m, task, segment, step);
	return true;
}

void steps_set_lengths(struct machine *m)
{
	assert(!m->devices.chosen);
	for (uint32_t i = 0; i < m->task_count; i++) {
		struct step *steps = (struct step *)(uintptr_t)m->tasks[i].steps;
		for (uint32_t j = 0; j < m->set->tasks[i].segment_count; j++)
			set_length(m, i, &m->set->tasks[i].segments[j], &steps[j]);
	}
}

/* A task with operations in flight has a last step more: it waits for them. */
static void make_last_step(struct machine *m, uint32_t task, uint32_t section, struct step *steps)
{
	struct task_run *t = &m->tasks[task];
	if (m->flights.first[task] == m->flights.first[task + 1])
		return;
	steps[t->step_count++] =
		(struct step){.kind = SEGMENT_WAIT, .flies = true, .section = section, .run = NO_TASK};
	for (uint32_t i = 0; i < t->step_count; i++)
		steps[i].watched |= steps[i].kind != SEGMENT_CPU;
}

/* Whether the segment is the first of a GPU section on another GPU than the section before it. */
static bool changes_gpu(const struct task *task, uint32_t index)
{
	const struct segment *s = &task->segments[index];
	while (segment_is_operation(s) && index-- > 0 && task->segments[index].kind != SEGMENT_CPU)
		if (segment_is_operation(&task->segments[index]))
			return task->segments[index].gpu != s->gpu;
	return false;
}

/* The task's steps on that GPU; devices.count: on those that its segments name. */
static struct step *make_steps(struct machine *m, uint32_t task, uint32_t gpu, struct error *err)
{
	const struct task *t = &m->set->tasks[task];
	bool named = gpu == m->devices.count;
	struct step *steps = arena_new(&m->arena, struct step, (size_t)t->segment_count + 1);
	uint32_t section = 0;
	if (!steps)
		error_memory(err, "the segments");
	for (uint32_t j = 0; steps && j < t->segment_count; j++) {
		const struct segment *s = &t->segments[j];
		section += s->kind == SEGMENT_CPU || changes_gpu(t, j);
		if (!make_step(m, task, j, named ? s->gpu : gpu, section, &steps[j], err))
			return NULL;
	}
	if (steps)
		set_behind(m, t, steps);
	return steps;
}

bool steps_make(struct machine *m, struct error *err)
{
	if (!flights_count(m))
		return error_memory(err, "the tasks");
	m->tasks = arena_new(&m->arena, struct task_run, m->run_count);
	if (!m->tasks)
		return error_memory(err, "the tasks");
	for (uint32_t i = 0; i < m->task_count; i++) {
		uint32_t last = m->set->tasks[i].segment_count - 1;
		struct step *steps = make_steps(m, i, m->devices.count, err);
		if (!steps)
			return false;
		m->tasks[i].steps = m->tasks[i].step = steps;
		m->tasks[i].step_count = (uint16_t)(last + 1); /* taskset_check() */
		make_last_step(m, i, steps[last].section, steps);
		for (uint32_t g = 0; m->devices.chosen && g <= m->devices.count; g++) {
			const struct step *on = g < m->devices.count ? make_steps(m, i, g, err) : steps;
			if (!on)
				return false;
			devices_keep(m, i, g, on);
		}
		if (!flights_init(m, i, steps))
			return error_memory(err, "the operations in flight");
	}
	return true;
}
