/* tests/unit/audit_sample_contexts.c - a hand-made recording of two processes that share the GPU in time
 * slices. Times are milliseconds. */
#include "tests/unit/audit_making.h"

static void add_context(struct audit_sample *s, uint32_t process, int64_t start, int64_t end, bool switches)
{
	s->context[s->contexts++] = (struct context_interval_row){
		.start_ns = start * MS, .end_ns = end * MS, .process_task = process, .code = switches};
}

/* Slices of 2, a switch of 1. a's kernel takes 3, in [0,2) and [6,7); b's copy [3,4) and kernel [4,5) end in
 * its first slice, so that a gets the GPU back at once, behind the switch. */
struct audit_sample sample_contexts(void)
{
	struct audit_sample s = sample_begin("tsg-rr", "{\"owns\":\"gpu\",\"wait\":\"suspend\"}", 30);
	s.platform.timeslice_ns = 2 * MS;
	s.platform.context_switch_ns = 1 * MS;
	add_task(&s, "a", 40, 20, 0);
	add_grid(&s, 1, 1024, 3, 300000);
	add_task(&s, "b", 40, 40, 0);
	add_copy(&s, "to_gpu", 1);
	add_grid(&s, 1, 1024, 1, 300000);

	add_job(&s, 0, 0, 0, 0, 7);
	add_interval(&s, 0, 0, 0, ROW_GPU, 0, 0, 2)->code =
		segment_interval_code(ROW_GPU, ROW_RUN, ROW_SPAN_PREEMPTED);
	add_interval(&s, 0, 0, 0, ROW_GPU, 0, 6, 7)->part = 1;
	add_job(&s, 1, 0, 0, 3, 5);
	add_interval(&s, 1, 0, 0, ROW_COPY, 0, 3, 4);
	add_interval(&s, 1, 0, 1, ROW_GPU, 4, 4, 5);
	add_block(&s, 0, 0, 0, 0, 0, 0, 1024, 0, 2)->ended_code = ROW_SPAN_PREEMPTED;
	add_block(&s, 1, 0, 1, 0, 0, 0, 1024, 4, 5);
	add_block(&s, 0, 0, 0, 0, 0, 0, 1024, 6, 7);
	add_context(&s, 0, 0, 2, false);
	add_context(&s, 1, 2, 3, true);
	add_context(&s, 1, 3, 5, false);
	add_context(&s, 0, 5, 6, true);
	add_context(&s, 0, 6, 7, false);
	add_power(&s, 2, 1500000, 1);
	add_power(&s, 4, 1000000, 0);
	add_power(&s, 5, 1500000, 1);
	add_power(&s, 6, 1000000, 0);
	add_power(&s, 7, 1500000, 1);
	add_power(&s, 30, 1000000, 0);
	return sample_end(&s, 7);
}

static void add_call(
	struct audit_sample *s, uint32_t task, uint16_t segment, uint32_t part, int64_t start, int64_t end)
{
	struct segment_interval_row *row = add_interval(s, task, 0, segment, ROW_CPU, start, start, end);
	row->code = segment_interval_code(ROW_CPU, ROW_CALL, ROW_SPAN_DONE);
	row->part = part;
}

/* One core. b's kernel of 4 has the GPU from 2 on, up to a's begin call at 4, and again from 11 on, behind
 * a's end call. c's begin call at 6 changes nothing; c has the GPU behind b's end call, from 15 on. */
struct audit_sample sample_calls(void)
{
	struct audit_sample s =
		sample_begin("gcaps", "{\"update\":\"2ms\",\"call\":\"1ms\",\"wait\":\"suspend\"}", 30);
	add_task(&s, "a", 40, 20, 4);
	add_grid(&s, 1, 1024, 3, 300000);
	add_task(&s, "b", 40, 30, 0);
	add_grid(&s, 1, 1024, 4, 300000);
	add_task(&s, "c", 40, 40, 6);
	add_grid(&s, 1, 1024, 1, 300000);

	add_job(&s, 1, 0, 0, 0, 15);
	add_call(&s, 1, 0, 0, 0, 2);
	add_interval(&s, 1, 0, 0, ROW_GPU, 0, 2, 4)->code =
		segment_interval_code(ROW_GPU, ROW_RUN, ROW_SPAN_PREEMPTED);
	add_interval(&s, 1, 0, 0, ROW_GPU, 0, 11, 13)->part = 1;
	add_call(&s, 1, 0, 1, 13, 15);
	add_job(&s, 0, 0, 4, 4, 11);
	add_call(&s, 0, 0, 0, 4, 6);
	add_interval(&s, 0, 0, 0, ROW_GPU, 4, 6, 9);
	add_call(&s, 0, 0, 1, 9, 11);
	add_job(&s, 2, 0, 6, 6, 18);
	add_call(&s, 2, 0, 0, 6, 7);
	add_interval(&s, 2, 0, 0, ROW_GPU, 6, 15, 16);
	add_call(&s, 2, 0, 1, 16, 18);
	add_block(&s, 1, 0, 0, 0, 0, 0, 1024, 2, 4)->ended_code = ROW_SPAN_PREEMPTED;
	add_block(&s, 0, 0, 0, 0, 0, 0, 1024, 6, 9);
	add_block(&s, 1, 0, 0, 0, 0, 0, 1024, 11, 13);
	add_block(&s, 2, 0, 0, 0, 0, 0, 1024, 15, 16);
	static const int64_t edge[] = {0, 2, 4, 6, 9, 11, 13, 15, 16};
	static const uint32_t process[] = {1, 0, 1, 2};
	for (uint32_t i = 0; i < 8; i++) {
		add_context(&s, process[i / 2], edge[i], edge[i + 1], i % 2 == 0);
		add_power(&s, edge[i + 1], i % 2 ? 1500000 : 1000000, i % 2);
	}
	add_power(&s, 30, 1000000, 0);
	return sample_end(&s, 18);
}
