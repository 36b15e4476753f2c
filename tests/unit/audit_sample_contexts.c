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
