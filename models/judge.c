/* models/judge.c - checks of platforms, setups and rules for releases; see models/judge.h. */
#include "models/judge.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/checked.h"

#define OUT_OF_RANGE " is %" PRId64 "; it must be %" PRId64 " to %" PRId64

/* ---- Defects ---- */

void defects_add(struct defects *found, const char *fmt, ...)
{
	char text[512];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	found->count++;
	found->report(found, text);
}

bool defects_in_range(struct defects *found, const char *what, int64_t value, int64_t least, int64_t most)
{
	if (value >= least && value <= most)
		return true;
	defects_add(found, "%s" OUT_OF_RANGE, what, value, least, most);
	return false;
}

/* ---- Ranges ---- */

struct range {
	const char *what;
	int64_t value, least, most;
};

static bool in_ranges(const char *of, const struct range *ranges, size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		const struct range *r = &ranges[i];
		if (r->value < r->least || r->value > r->most)
			return error_set(err, STATUS_INPUT, "%s'%s'" OUT_OF_RANGE, of, r->what, r->value,
				r->least, r->most);
	}
	return true;
}
#define IN_RANGES(of, ranges, err) in_ranges(of, ranges, sizeof(ranges) / sizeof((ranges)[0]), err)

/* ---- Platforms ---- */

/* What is said of cores, and is the same for all GPUs. */
static bool check_cores(const struct platform *p, struct error *err)
{
	const struct overheads *o = &p->overheads;
	const struct range ranges[] = {
		{"cores", p->cores, 1, PLATFORM_MAX_CORES},
		{"scheduling", p->scheduling, CORES_PARTITIONED, CORES_GLOBAL},
		{"launch overhead", o->launch_ns, 0, TIME_MAX_NS},
		{"latency overhead", o->latency_ns, 0, TIME_MAX_NS},
		{"gap overhead", o->gap_ns, 0, TIME_MAX_NS},
		{"sync overhead", o->sync_ns, 0, TIME_MAX_NS},
		{"switch overhead", o->switch_ns, 0, TIME_MAX_NS},
		{"release overhead", o->release_ns, 0, TIME_MAX_NS},
		{"gpus", p->gpu_count, 0, PLATFORM_MAX_GPUS},
	};
	return IN_RANGES("", ranges, err);
}

/* The sizes ascend, and the largest is all of the shared memory of an SM. */
static bool check_divisions(const char *of, const struct platform *p, struct error *err)
{
	const struct divisions *d = &p->divisions;
	if (d->count > 0 && p->pool == POOL_GPU)
		return error_set(err, STATUS_INPUT,
			"%s'carveout' divides the memory of SMs; 'pool: gpu' has none", of);
	for (uint32_t i = 0; i < d->count; i++)
		if (d->bytes[i] < 0 || d->bytes[i] > MEMORY_MAX_BYTES ||
			(i > 0 && d->bytes[i] <= d->bytes[i - 1]))
			return error_set(
				err, STATUS_INPUT, "%sthe sizes of 'carveout' must ascend from 0", of);
	return d->count == 0 ||
	       (d->bytes[d->count - 1] > 0 && d->bytes[d->count - 1] == p->shared_memory_per_sm) ||
	       error_set(err, STATUS_INPUT, "%sthe last size of 'carveout' is not the shared memory of an SM",
		       of);
}

static bool check_gpu(const struct platform *p, struct error *err)
{
	char of[32] = "";
	if (p->gpu > 0)
		snprintf(of, sizeof(of), "GPU %" PRIu32 ": ", p->gpu);
	const struct range ranges[] = {
		{"engines", p->engines, ENGINES_UNLIMITED, 2},
		{"copy latency", p->copy_latency_ns, 0, TIME_MAX_NS},
		{"copy bandwidth", p->copy_bandwidth, 0, BANDWIDTH_MAX_BYTES},
		{"pool", p->pool, POOL_SM, POOL_GPU},
		{"sms", p->sms, 0, PLATFORM_MAX_SMS},
		{"sms_per_tpc", p->sms_per_tpc, 1, 2},
		{"threads_per_sm", p->threads_per_sm, 0, RESIDENTS_MAX},
		{"threads_per_block", p->threads_per_block, 0, BLOCK_THREADS_MAX},
		{"blocks_per_sm", p->blocks_per_sm, 0, RESIDENTS_MAX},
		{"warps_per_sm", p->warps_per_sm, 0, RESIDENTS_MAX},
		{"registers_per_sm", p->registers_per_sm, 0, INT32_MAX},
		{"shared_memory_per_sm", p->shared_memory_per_sm, 0, MEMORY_MAX_BYTES},
		{"virtual_sms_per_sm", p->virtual_sms_per_sm, 0, VIRTUAL_SMS_MAX},
		{"work_queues", p->work_queues, 1, WORK_QUEUES_MAX},
		{"resident_kernels", p->resident_kernels, 0, RESIDENTS_MAX},
		{"pin_overhead", p->pin_overhead_ns, 0, TIME_MAX_NS},
		{"preemption_delay", p->preemption_delay_ns, 0, p->pool == POOL_SM ? TIME_MAX_NS : 0},
		{"timeslice", p->contexts.timeslice_ns, 0, TIME_MAX_NS},
		{"switch", p->contexts.switch_ns, 0, TIME_MAX_NS},
		{"reset", p->contexts.reset_ns, 0, TIME_MAX_NS},
		{"static power", p->static_uw, 0, POWER_MAX_UW},
		{"idle power of an SM", p->idle_per_sm_uw, 0, POWER_MAX_UW},
	};
	if (!IN_RANGES(of, ranges, err))
		return false;
	if (p->pool == POOL_GPU && p->sms > 0 && p->threads_per_sm == 0)
		return error_set(err, STATUS_INPUT, "%spool gpu needs threads_per_sm", of);
	return check_divisions(of, p, err);
}

bool platform_check(const struct platform *p, struct error *err)
{
	if (!check_cores(p, err))
		return false;
	for (uint32_t g = 0; g < platform_gpus(p); g++)
		if (!check_gpu(platform_gpu(p, g), err))
			return false;
	return true;
}

/* ---- Setups ---- */

bool setup_check(const struct run_setup *s, struct error *err)
{
	const struct range ranges[] = {
		{"horizon", s->horizon_ns, 1, TIME_MAX_NS},
		{"stop", s->stop, STOP_DRAINED, STOP_HORIZON},
		{"limit", s->limit_ns, 1, TIME_MAX_NS},
		{"scale", s->scale_ppm, 0, 1000000},
		{"execution", s->execution, EXECUTION_WORST, EXECUTION_TOGETHER},
		{"on_miss", s->on_miss, MISS_CONTINUE, MISS_ABORT},
		{"ties", s->ties, TIES_TASK_ORDER, TIES_LOWER_FIRST},
		{"max_delay", s->release.max_delay_ppm, 0, DELAY_MAX_PPM},
	};
	if (!IN_RANGES("", ranges, err))
		return false;
	return s->release.kind <= RELEASE_TRACE ||
	       error_set(err, STATUS_INPUT, "releases with jitter, or after others, are those of tasks");
}

/* ---- Releases ---- */

static bool durations_ascend(const struct release_rule *rule, uint32_t segments)
{
	const struct trace_duration *d = rule->durations;
	for (uint32_t i = 0; i < rule->duration_count; i++) {
		if (d[i].segment >= segments || d[i].duration_ns < 0 || d[i].duration_ns > TIME_MAX_NS)
			return false;
		if (i > 0 && (d[i].job < d[i - 1].job ||
				     (d[i].job == d[i - 1].job && d[i].segment <= d[i - 1].segment)))
			return false;
	}
	return true;
}

static const char *wrong_trace(const struct release_rule *rule, uint32_t segments)
{
	for (uint32_t i = 0; i < rule->trace_count; i++)
		if (rule->trace_ns[i] < (i > 0 ? rule->trace_ns[i - 1] : 0) ||
			rule->trace_ns[i] > TIME_MAX_NS)
			return "the releases of a trace must not descend, from 0 to 2000000000 s";
	return durations_ascend(rule, segments)
		       ? NULL
		       : "the lengths in a trace are those of segments, in their order";
}

/* Whether the list names one of the tasks from `first` on, as many as can be marked, twice. */
static bool names_twice(const struct release_rule *rule, uint32_t first, struct named_tasks *named)
{
	bool twice = false;
	uint32_t marked = 0;
	for (; marked < rule->after_count && !twice; marked++) {
		uint32_t place = rule->after[marked] - first;
		if (place >= NAMED_AT_A_TIME)
			continue;
		uint64_t bit = UINT64_C(1) << place % 64;
		twice = named->marked[place / 64] & bit;
		named->marked[place / 64] |= bit;
	}
	for (uint32_t i = 0; i < marked; i++) {
		uint32_t place = rule->after[i] - first;
		if (place < NAMED_AT_A_TIME)
			named->marked[place / 64] = 0;
	}
	named->looks += 2 * (uint64_t)marked;
	return twice;
}

static const char *wrong_after(
	const struct release_rule *rule, const struct task *task, uint32_t tasks, struct named_tasks *named)
{
	bool ok = true;
	if (rule->after_count == 0)
		return "a task is released after others, but there are none";
	if (task->offset_ns != 0)
		return "a task that is released by the ends of other jobs has no offset";
	for (uint32_t i = 0; ok && i < rule->after_count; i++)
		ok = rule->after[i] < tasks;
	for (uint64_t first = 0; ok && first < tasks; first += NAMED_AT_A_TIME)
		ok = !names_twice(rule, (uint32_t)first, named);
	return ok ? NULL : "the tasks that release one are others of its set, none twice";
}

const char *release_rule_wrong(
	const struct release_rule *rule, const struct task *task, uint32_t tasks, struct named_tasks *named)
{
	int64_t delay;
	if (rule->max_delay_ppm < 0 || rule->max_delay_ppm > DELAY_MAX_PPM)
		return "the delay of sporadic releases is 0 to 100 periods";
	if (rule->kind == RELEASE_SPORADIC &&
		(!checked_mul_ceil_div(task->period_ns, rule->max_delay_ppm, 1000000, &delay) ||
			delay > TIME_MAX_NS))
		return "the gap between two of its releases can be longer than 2000000000 s";
	if (rule->kind == RELEASE_TRACE)
		return wrong_trace(rule, task->segment_count);
	return rule->kind == RELEASE_AFTER ? wrong_after(rule, task, tasks, named) : NULL;
}
