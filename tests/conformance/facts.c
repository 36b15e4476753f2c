/* tests/conformance/facts.c - facts about the segments under a plan, worked out from docs/model.md ("Gates",
 * "Time of a kernel") without models/. Times come from the oracle. */
#include "tests/conformance/seen.h"
#include "tests/oracle/oracle_internal.h"

static struct oracle plain_oracle(const struct seen *s)
{
	return (struct oracle){.set = s->set, .platform = s->platform, .setup = s->setup};
}

int64_t facts_length(const struct seen *s, const struct op_seen *op)
{
	const struct oracle o = plain_oracle(s);
	return oracle_length(&o, op->task, op->job->number, op->segment);
}

/* Does the GPU section have a kernel at this segment or after it? */
static bool kernel_from(const struct task *t, uint32_t index)
{
	for (; index < t->segment_count && t->segments[index].kind != SEGMENT_CPU; index++)
		if (t->segments[index].kind == SEGMENT_KERNEL)
			return true;
	return false;
}

static bool gated(const struct seen *s, const struct task *t, uint32_t index)
{
	if (t->segments[index].kind == SEGMENT_CPU)
		return false;
	switch (s->plan->unit) {
	case GATE_OPEN:
		return false;
	case GATE_KERNEL:
		return t->segments[index].kind == SEGMENT_KERNEL;
	case GATE_SECTION:
		return true;
	case GATE_SECTION_KERNELS:
		return kernel_from(t, index);
	}
	return false;
}

/* Worst-case time of what follows the segment's GPU section in its job. */
static int64_t behind(const struct seen *s, const struct task *t, uint32_t index)
{
	const struct oracle o = plain_oracle(s);
	int64_t sum = 0;
	uint32_t j = index;
	while (j < t->segment_count && t->segments[j].kind != SEGMENT_CPU)
		j++;
	for (; j < t->segment_count; j++)
		sum += oracle_worst(&o, &t->segments[j], s->platform->sms);
	return sum;
}

void facts_make(struct seen *s)
{
	s->facts = seen_alloc(s, s->set->task_count, sizeof(*s->facts));
	for (uint32_t i = 0; i < s->set->task_count; i++) {
		const struct task *t = &s->set->tasks[i];
		uint32_t section = 0;
		s->facts[i] = seen_alloc(s, t->segment_count, sizeof(**s->facts));
		for (uint32_t j = 0; j < t->segment_count; j++) {
			section += t->segments[j].kind == SEGMENT_CPU;
			s->facts[i][j] = (struct fact){
				.kind = t->segments[j].kind,
				.section = section,
				.gated = gated(s, t, j),
				.behind_ns = s->subject->shows ? behind(s, t, j) : 0,
			};
		}
	}
}
