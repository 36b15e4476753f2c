/* tests/unit/audit_sample_cores.c - hand-made recordings with two cores. Times are milliseconds. */
#include "tests/unit/audit_making.h"

static void add_on(struct audit_sample *s, uint32_t task, uint16_t core, uint32_t part, enum row_ended ended,
	int64_t start, int64_t end)
{
	struct segment_interval_row *row =
		add_interval(s, task, 0, 0, ROW_CPU, s->task[task].offset_ns / MS, start, end);
	row->unit = core;
	row->part = part;
	row->code = segment_interval_code(ROW_CPU, ROW_RUN, ended);
}

/* Core 0: low [0,1), high [1,3), low [3,5); core 1: other [0,4). */
struct audit_sample sample_cores(void)
{
	struct audit_sample s = sample_begin("fifo-cke", "{\"order\":\"head\"}", 30);
	s.platform.cores = 2;
	s.platform.core_scheduling = "partitioned";
	add_task(&s, "high", 40, 20, 1);
	add_segment(&s, "cpu", 2);
	add_task(&s, "low", 40, 30, 0);
	add_segment(&s, "cpu", 3);
	add_task(&s, "other", 40, 40, 0);
	add_segment(&s, "cpu", 4);
	s.task[2].core = 1;
	add_job(&s, 0, 0, 1, 1, 3);
	add_on(&s, 0, 0, 0, ROW_SPAN_DONE, 1, 3);
	add_job(&s, 1, 0, 0, 0, 5);
	add_on(&s, 1, 0, 0, ROW_SPAN_PREEMPTED, 0, 1);
	add_on(&s, 1, 0, 1, ROW_SPAN_DONE, 3, 5);
	add_job(&s, 2, 0, 0, 0, 4);
	add_on(&s, 2, 1, 0, ROW_SPAN_DONE, 0, 4);
	add_power(&s, 30, 1000000, 0);
	return sample_end(&s, 5);
}

/* b has core 0, [0,5), c core 1 from 0 to 2, when a comes to it until 4. Then c goes on there, [4,7), and d
 * comes to core 0, [5,6). */
struct audit_sample sample_global(void)
{
	struct audit_sample s = sample_begin("fifo-cke", "{\"order\":\"head\"}", 30);
	s.platform.cores = 2;
	s.platform.core_scheduling = "global";
	add_task(&s, "a", 40, 10, 2);
	add_segment(&s, "cpu", 2);
	add_task(&s, "b", 40, 20, 0);
	add_segment(&s, "cpu", 5);
	add_task(&s, "c", 40, 30, 0);
	add_segment(&s, "cpu", 5);
	add_task(&s, "d", 40, 40, 0);
	add_segment(&s, "cpu", 1);
	for (int i = 0; i < 4; i++)
		s.task[i].core = N;
	add_job(&s, 0, 0, 2, 2, 4);
	add_on(&s, 0, 1, 0, ROW_SPAN_DONE, 2, 4);
	add_job(&s, 1, 0, 0, 0, 5);
	add_on(&s, 1, 0, 0, ROW_SPAN_DONE, 0, 5);
	add_job(&s, 2, 0, 0, 0, 7);
	add_on(&s, 2, 1, 0, ROW_SPAN_PREEMPTED, 0, 2);
	add_on(&s, 2, 1, 1, ROW_SPAN_DONE, 4, 7);
	add_job(&s, 3, 0, 0, 5, 6);
	add_on(&s, 3, 0, 0, ROW_SPAN_DONE, 5, 6);
	add_power(&s, 30, 1000000, 0);
	return sample_end(&s, 7);
}
