/* tests/oracle/shrink.c - makes a case on which the two sides differ smaller, greedily: a change is kept if
 * they still differ. */
#include <string.h>

#include "tests/oracle/compare.h"
#include "tests/oracle/engine_side.h"

/* One way to make a case smaller, at place `at` (a task, or a task and a segment). False: nothing to change
 * there. */
typedef bool change_fn(struct random_case *c, uint32_t at);

static bool remove_task(struct random_case *c, uint32_t at)
{
	if (at >= c->set.task_count || c->set.task_count == 1)
		return false;
	size_t behind = c->set.task_count - at - 1;
	random_case_unlink_task(c, at);
	memmove(&c->set.tasks[at], &c->set.tasks[at + 1], behind * sizeof(*c->set.tasks));
	c->set.task_count--;
	return true;
}

/* The place of a segment is task * 16 + segment. */
static struct segment *segment_at(struct random_case *c, uint32_t at)
{
	if (at / 16 >= c->set.task_count || at % 16 >= c->set.tasks[at / 16].segment_count)
		return NULL;
	return &c->set.tasks[at / 16].segments[at % 16];
}

static bool remove_segment(struct random_case *c, uint32_t at)
{
	struct segment *s = segment_at(c, at);
	if (!s || c->set.tasks[at / 16].segment_count == 1)
		return false;
	size_t behind = c->set.tasks[at / 16].segment_count - at % 16 - 1;
	memmove(s, s + 1, behind * sizeof(*s));
	c->set.tasks[at / 16].segment_count--;
	return true;
}

static bool shorten_segment(struct random_case *c, uint32_t at)
{
	struct segment *s = segment_at(c, at);
	if (!s || s->worst_ns <= 1 || s->bytes >= 0 || s->copy_time_count > 0)
		return false;
	s->worst_ns -= (s->worst_ns + 1) / 2;
	s->best_ns = s->best_ns < s->worst_ns ? s->best_ns : s->worst_ns;
	return true;
}

static bool fix_segment(struct random_case *c, uint32_t at)
{
	struct segment *s = segment_at(c, at);
	if (!s || s->best_ns == s->worst_ns || s->copy_time_count > 0)
		return false;
	s->best_ns = s->worst_ns;
	return true;
}

static bool time_alike(struct random_case *c, uint32_t at)
{
	struct segment *s = segment_at(c, at);
	if (!s || s->copy_time_count == 0)
		return false;
	s->copy_time_count = 0;
	s->copy_times = NULL;
	return true;
}

static bool use_own_stream(struct random_case *c, uint32_t at)
{
	struct segment *s = segment_at(c, at);
	if (!s || (s->kind == SEGMENT_WAIT || (s->stream == STREAM_OWN && !s->stream_high)))
		return false;
	s->stream = STREAM_OWN;
	s->stream_high = false;
	return true;
}

static bool on_first_gpu(struct random_case *c, uint32_t at)
{
	struct segment *s = segment_at(c, at);
	if (!s || s->gpu == 0)
		return false;
	s->gpu = 0;
	return true;
}

static bool wait_for_it(struct random_case *c, uint32_t at)
{
	struct segment *s = segment_at(c, at);
	if (!s || !s->async)
		return false;
	if (s->graph)
		s->graph = NULL;
	else
		s->async = false;
	return true;
}

static bool fewer_awaits(struct random_case *c, uint32_t at)
{
	struct segment *s = segment_at(c, at);
	if (!s || s->await_count == 0)
		return false;
	s->await_count--;
	return true;
}

static bool fewer_blocks(struct random_case *c, uint32_t at)
{
	struct segment *s = segment_at(c, at);
	if (!s || s->kind != SEGMENT_KERNEL || s->form != KERNEL_GRID || s->grid <= 1)
		return false;
	s->grid -= (s->grid + 1) / 2;
	return true;
}

static bool even_blocks(struct random_case *c, uint32_t at)
{
	struct segment *s = segment_at(c, at);
	if (!s || !s->times)
		return false;
	s->times = NULL;
	return true;
}

static bool fewer_needs(struct random_case *c, uint32_t at)
{
	struct segment *s = segment_at(c, at);
	if (s && s->sm_count) {
		s->sm_count = 0;
		return true;
	}
	if (s && s->samples) {
		s->samples = NULL;
		return true;
	}
	if (!s || s->kind != SEGMENT_KERNEL || (!s->registers && !s->shared_memory && !s->overhead_ns))
		return false;
	s->registers = s->shared_memory = s->overhead_ns = s->carveout = 0;
	return true;
}

static bool shorter_horizon(struct random_case *c, uint32_t at)
{
	static const int64_t parts[] = {2, 4, 10, 40, 200};
	int64_t less = c->setup.horizon_ns / parts[at % 5];
	if (at >= 5 || less == 0 || less == c->setup.horizon_ns)
		return false;
	c->setup.horizon_ns -= less;
	return true;
}

/* Simpler rules, one at a time. */
static bool simpler_setup(struct random_case *c, uint32_t at)
{
	const struct run_setup before = c->setup;
	struct run_setup *s = &c->setup;
	struct platform *p = &c->platform;
	const struct platform platform_before = *p;
	switch (at) {
	case 0:
		s->release.kind = RELEASE_PERIODIC;
		break;
	case 1:
		s->execution = EXECUTION_WORST;
		break;
	case 2:
		s->on_miss = MISS_CONTINUE;
		break;
	case 3:
		s->ties = TIES_TASK_ORDER;
		break;
	case 4:
		s->stop = STOP_DRAINED;
		break;
	case 5:
		s->limit_ns = 10 * s->horizon_ns;
		break;
	case 6:
		p->registers_per_sm = p->shared_memory_per_sm = 0;
		p->divisions.count = 0;
		break;
	case 7:
		p->blocks_per_sm = p->warps_per_sm = 0;
		break;
	case 8:
		p->static_uw = 0;
		break;
	case 9:
		p->idle_per_sm_uw = 0;
		break;
	case 10:
		p->work_queues = 32;
		break;
	case 11:
		p->sms_per_tpc = 1;
		break;
	case 12:
		p->pin_overhead_ns = 0;
		break;
	case 13:
		p->overheads.launch_ns /= 2;
		break;
	case 14:
		p->overheads.latency_ns /= 2;
		break;
	case 15:
		p->overheads.gap_ns /= 2;
		break;
	case 16:
		p->overheads.sync_ns /= 2;
		break;
	case 17:
		p->overheads.switch_ns /= 2;
		break;
	case 18:
		p->overheads.release_ns /= 2;
		break;
	case 20:
		if (c->set.chain_count == 0)
			return false;
		c->set.chain_count--;
		return true;
	case 19:
		p->cores -= p->cores > 1;
		break;
	case 21:
		p->contexts.switch_ns /= 2;
		break;
	case 22:
		p->contexts.reset_ns /= 2;
		break;
	case 24:
		p->resident_kernels = 0;
		p->preemption_delay_ns /= 2;
		break;
	case 25:
		p->gpu_count = 0;
		p->others = NULL;
		break;
	case 23:
		p->contexts.timeslice_ns += p->contexts.timeslice_ns < 20;
		break;
	default:
		return false;
	}
	return memcmp(&before, s, sizeof(before)) != 0 || memcmp(&platform_before, p, sizeof(*p)) != 0;
}

static bool simpler_task(struct random_case *c, uint32_t at)
{
	if (at / 5 >= c->set.task_count)
		return false;
	struct task *t = &c->set.tasks[at / 5];
	const struct task before = *t;
	if (at % 5 == 4)
		t->process = NULL;
	else if (at % 5 == 0)
		t->release = NULL;
	else if (at % 5 == 1)
		t->offset_ns = 0;
	else if (at % 5 == 2)
		t->deadline_ns = t->period_ns;
	else if (t->release && t->release->jitter_ns > 0)
		return t->release->jitter_ns /= 2, true;
	else if (t->release && t->release->trace_count > 1)
		return t->release->trace_count--, true;
	return before.release != t->release || before.offset_ns != t->offset_ns ||
	       before.deadline_ns != t->deadline_ns || before.process != t->process;
}

static const struct {
	change_fn *change;
	uint32_t places;
} changes[] = {
	{remove_task, 6},
	{shorter_horizon, 5},
	{simpler_setup, 26},
	{simpler_task, 30},
	{remove_segment, 96},
	{on_first_gpu, 96},
	{fewer_awaits, 96},
	{wait_for_it, 96},
	{use_own_stream, 96},
	{time_alike, 96},
	{fix_segment, 96},
	{even_blocks, 96},
	{fewer_blocks, 96},
	{fewer_needs, 96},
	{shorten_segment, 96},
};

/* Tries a change; keeps it if the sides still differ. */
static bool try_change(
	struct random_case *c, const struct oracle_policy *policy, change_fn *change, uint32_t at)
{
	char text[COMPARE_TEXT_MAX];
	struct random_case smaller;
	random_case_clone(c, &smaller);
	bool keep = change(&smaller, at) &&
		    engine_check(&smaller.set, &smaller.platform, text, sizeof(text)) &&
		    case_verdict_apart(&smaller, policy, text, sizeof(text)) == CASE_DIFFERS;
	random_case_finish(keep ? c : &smaller);
	if (keep)
		*c = smaller;
	return keep;
}

void case_shrink(
	const struct random_case *from, const struct oracle_policy *policy, struct random_case *smallest)
{
	random_case_clone(from, smallest);
	bool changed = true;
	while (changed) {
		changed = false;
		for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
			for (uint32_t at = 0; at < changes[i].places; at++)
				changed |= try_change(smallest, policy, changes[i].change, at);
		}
	}
}
