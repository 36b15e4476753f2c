/* tests/unit/test_audit_contexts.c - the laws on contexts: each accepts a correct recording, and finds
 * something when one row of it is wrong. */
#include "tests/support/test.h"
#include "tests/unit/audit_defects.h"

static void long_switch(struct audit_sample *s)
{
	s->platform.context_switch_ns = MS / 2;
}

static void no_switch(struct audit_sample *s)
{
	s->context[1] = s->context[--s->contexts];
}

static void of_no_first_task(struct audit_sample *s)
{
	s->task[0].process = s->task[1].process = "both";
}

static void of_another(struct audit_sample *s)
{
	s->context[2].process_task = 0;
}

static void behind_the_run(struct audit_sample *s)
{
	s->context[4].end_ns += MS;
}

static void stops_early(struct audit_sample *s)
{
	s->context[0].end_ns += MS / 2;
	s->context[1].start_ns += MS / 2;
	s->platform.context_switch_ns = MS / 2;
}

static void goes_on_late(struct audit_sample *s)
{
	s->context[3].end_ns -= MS / 2;
	s->context[4].start_ns -= MS / 2;
}

static void short_slice(struct audit_sample *s)
{
	s->platform.timeslice_ns = 3 * MS / 2;
}

static void long_slice(struct audit_sample *s)
{
	s->platform.timeslice_ns = 3 * MS;
}

static void elsewhere(struct audit_sample *s)
{
	s->block[2].sm = 1;
}

static void longer(struct audit_sample *s)
{
	s->block[0].start_ns += MS / 2;
}

static void lost(struct audit_sample *s)
{
	s->block[0].ended_code = ROW_SPAN_RESET;
}

static void never_again(struct audit_sample *s)
{
	s->interval[1].seq = 5;
}

static void core_is_reset(struct audit_sample *s)
{
	s->interval[2].code = segment_interval_code(ROW_COPY, ROW_RUN, ROW_SPAN_RESET);
}

/* a's second block has room from 0 on. */
static void waits_at_the_head(struct audit_sample *s)
{
	s->segment[0].grid_blocks = 2;
}

/* Both are of one process and one stream, and b's copy starts while a's kernel is frozen. */
static void copies_beside(struct audit_sample *s)
{
	s->task[0].process = s->task[1].process = "both";
	for (size_t i = 0; i < 3; i++)
		s->segment[i].stream = 0;
}

static void null_beside(struct audit_sample *s)
{
	s->task[0].process = s->task[1].process = "both";
	s->segment[1].stream = -2;
}

/* Both are of one process, and b's copy is a kernel: of each one block of two is placed at 0. */
static void two_at_the_head(struct audit_sample *s)
{
	struct segment_interval_row *row = interval(s, 1, 0, 0);
	s->task[0].process = s->task[1].process = "both";
	s->segment[1] = s->segment[2];
	s->segment[1].segment_idx = 0;
	s->segment[0].grid_blocks = s->segment[1].grid_blocks = 2;
	shift(-3 * MS, &row->start_ns, &row->end_ns);
	row->code = segment_interval_code(ROW_GPU, ROW_RUN, ROW_SPAN_DONE);
	s->block[1].segment_idx = 0;
	shift(-4 * MS, &s->block[1].start_ns, &s->block[1].end_ns);
}

static void copy_waits(struct audit_sample *s)
{
	shift(MS / 2, &s->interval[2].start_ns, &s->interval[2].end_ns);
}

/* Both are of one process, and a's kernel is a copy, too; it starts behind b's. */
static void copy_goes_first(struct audit_sample *s)
{
	s->task[0].process = s->task[1].process = "both";
	s->segment[0] = s->segment[1];
	s->segment[0].task = 0;
	s->interval[0].start_ns += MS;
	for (size_t i = 0; i < 2; i++)
		s->interval[i].code =
			segment_interval_code(ROW_COPY, ROW_RUN, i == 0 ? ROW_SPAN_PREEMPTED : ROW_SPAN_DONE);
	shift(-3 * MS, &s->interval[2].start_ns, &s->interval[2].end_ns);
}

/* ---- calls: intervals of b are 0 to 3, of a 4 to 6, of c 7 to 9 ---- */

static void short_call(struct audit_sample *s)
{
	s->interval[7].end_ns -= MS / 2;
}

static void calls_at_once(struct audit_sample *s)
{
	shift(3 * MS, &s->interval[7].start_ns, &s->interval[7].end_ns);
}

static void late_call(struct audit_sample *s)
{
	shift(MS / 4, &s->interval[7].start_ns, &s->interval[7].end_ns);
}

static void call_goes_on(struct audit_sample *s)
{
	s->interval[7].part = 1;
}

static void call_is_cut(struct audit_sample *s)
{
	s->interval[7].code = segment_interval_code(ROW_CPU, ROW_CALL, ROW_SPAN_ABORTED);
}

static void of_the_pending(struct audit_sample *s)
{
	s->context[5].process_task = 2;
}

static void switch_of_the_pending(struct audit_sample *s)
{
	s->context[4].process_task = 2;
}

static void runs_on_in_call(struct audit_sample *s)
{
	s->context[1].end_ns += MS;
	s->context[2].start_ns += MS;
}

static void switch_ends_early(struct audit_sample *s)
{
	s->context[2].end_ns -= MS / 2;
}

static void other_gpu_priorities(struct audit_sample *s)
{
	for (uint32_t i = 0; i < 3; i++)
		s->task[i].gpu_priority = 3 - i;
}

static const struct defect defects[] = {
	{"calls", sample_calls, short_call, "the call took", PROMISED},
	{"calls", sample_calls, calls_at_once, "while that of task 'a' goes on"},
	{"calls", sample_calls, other_gpu_priorities, "it does not change who owns the GPU", PROMISED},
	{"parts", sample_calls, call_goes_on, "numbered from 0"},
	{"parts", sample_calls, call_is_cut, "a call is not cut off"},
	{"cpu-priority", sample_calls, late_call, "the core is idle", PROMISED},
	{"owner", sample_calls, of_the_pending, "the GPU is not its owner's", PROMISED},
	{"owner", sample_calls, switch_of_the_pending, "another process is to have the GPU", PROMISED},
	{"owner", sample_calls, runs_on_in_call, "during the call that takes it", PROMISED},
	{"owner", sample_calls, switch_ends_early, "does not begin and end with the call", PROMISED},
	{"contexts", sample_contexts, long_switch, "takes another time", PROMISED},
	{"contexts", sample_contexts, no_switch, "was not switched to it", PROMISED},
	{"contexts", sample_contexts, of_no_first_task, "not the first task"},
	{"contexts", sample_contexts, behind_the_run, "behind S"},
	{"holder", sample_contexts, of_another, "does not have the GPU"},
	{"holder", sample_contexts, stops_early, "it does not run on"},
	{"holder", sample_contexts, goes_on_late, "goes on later"},
	{"context-copies", sample_contexts, copy_waits, "at 3ms its copy waits (since 0ms)", PROMISED},
	{"context-copies", sample_contexts, copy_goes_first,
		"it started although the copy of task 'a', issued at 0s, goes first", PROMISED},
	{"turns", sample_contexts, short_slice, "its slice was over", PROMISED},
	{"turns", sample_contexts, long_slice, "it is its turn", PROMISED},
	{"blocks", sample_contexts, elsewhere, "on another SM"},
	{"blocks", sample_contexts, longer, "did not take the time"},
	{"blocks", sample_contexts, lost, "did not take the time"},
	{"r1-work", sample_contexts, waits_at_the_head,
		"at 0s it is head of the primary queue with 1 of 2 blocks to place"},
	{"streams", sample_contexts, copies_beside, "of task 'a' was in progress in its hardware queue"},
	{"streams", sample_contexts, null_beside, "in progress: one of them is in the NULL stream"},
	{"r1-order", sample_contexts, two_at_the_head, "the kernel of task 'a' had 1 blocks to place"},
	{"parts", sample_contexts, never_again, "never went on"},
	{"parts", sample_contexts, core_is_reset, "never started again"},
};

TEST("every defect is found")
{
	assert_defects_found(defects, sizeof(defects) / sizeof(defects[0]));
}

static bool on_contexts(const struct audit_result *law)
{
	return audit_is_of_contexts(law->law);
}

TEST("every law is tested")
{
	assert_laws_tested(on_contexts, defects, sizeof(defects) / sizeof(defects[0]));
}
