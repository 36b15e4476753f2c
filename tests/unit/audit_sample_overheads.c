/* tests/unit/audit_sample_overheads.c - a hand-made recording with overheads. Times are milliseconds. */
#include "tests/unit/audit_making.h"

static void add_on_core(struct audit_sample *s, uint32_t task, uint16_t segment, enum row_kind kind,
	int64_t ready, int64_t start, int64_t end)
{
	add_interval(s, task, 0, segment, ROW_CPU, ready, start, end)->code =
		segment_interval_code(ROW_CPU, kind, ROW_SPAN_DONE);
}

/* Launch 2, latency 1, gap 4, sync 2, switch 1, release 1. slow's release interrupts [0,1); it is switched to
 * [1,2), and launches its copy [2,3) until fast's release interrupts it. fast is switched to, [4,5), and runs
 * [5,7). slow is switched to again and goes on, [8,9). The copy is [10,12), the kernel's launch [12,14), the
 * kernel [16,19), behind the gap; the CPU segment is ready at 21. */
struct audit_sample sample_overheads(void)
{
	struct audit_sample s = sample_begin("fifo-cke", "{\"order\":\"head\"}", 30);
	s.platform.overhead_launch_ns = 2 * MS;
	s.platform.overhead_latency_ns = 1 * MS;
	s.platform.overhead_gap_ns = 4 * MS;
	s.platform.overhead_sync_ns = 2 * MS;
	s.platform.overhead_switch_ns = s.platform.overhead_release_ns = 1 * MS;
	add_task(&s, "fast", 40, 20, 3);
	add_segment(&s, "cpu", 2);
	add_task(&s, "slow", 40, 40, 0);
	add_copy(&s, "to_gpu", 2);
	add_grid(&s, 1, 1024, 3, 300000);
	add_segment(&s, "cpu", 2);

	add_job(&s, 0, 0, 3, 4, 7);
	add_interval(&s, 0, 0, 0, ROW_CPU, 3, 5, 7);
	add_on_core(&s, 0, 0, ROW_RELEASE, 3, 3, 4);
	add_on_core(&s, 0, 0, ROW_SWITCH, 3, 4, 5);
	add_job(&s, 1, 0, 0, 1, 23);
	add_interval(&s, 1, 0, 0, ROW_COPY, 0, 10, 12);
	add_interval(&s, 1, 0, 1, ROW_GPU, 12, 16, 19);
	add_interval(&s, 1, 0, 2, ROW_CPU, 21, 21, 23);
	add_on_core(&s, 1, 0, ROW_RELEASE, 0, 0, 1);
	add_on_core(&s, 1, 0, ROW_SWITCH, 0, 1, 2);
	add_interval(&s, 1, 0, 0, ROW_CPU, 0, 2, 3)->code =
		segment_interval_code(ROW_CPU, ROW_LAUNCH, ROW_SPAN_PREEMPTED);
	add_on_core(&s, 1, 0, ROW_SWITCH, 0, 7, 8);
	s.interval[s.intervals - 1].part = 1;
	add_on_core(&s, 1, 0, ROW_LAUNCH, 0, 8, 9);
	s.interval[s.intervals - 1].part = 1;
	add_on_core(&s, 1, 1, ROW_LAUNCH, 12, 12, 14);
	add_block(&s, 1, 0, 1, 0, 0, 0, 1024, 16, 19);
	add_power(&s, 16, 1000000, 0);
	add_power(&s, 19, 1500000, 1);
	add_power(&s, 30, 1000000, 0);
	return sample_end(&s, 23);
}
