/* tests/unit/audit_sample_masks.c - a hand-made recording of kernels that are confined to some SMs, on a GPU
 * that holds one at a time; and of one that takes SMs from another. Times are milliseconds. */
#include "tests/unit/audit_making.h"

/* confined has SM 0, one block at a time: [0,2), then [4,6) and [6,8), as urgent, of a high stream, evicts it
 * at 1 and holds the only entry of the task table in [1,4). other has come at 0, and gets the entry behind
 * confined. */
struct audit_sample sample_masks(void)
{
	struct audit_sample s = sample_begin("prio-streams", "{}", 10);
	s.platform.resident_kernels = 1;
	add_task(&s, "confined", 20, 20, 0);
	add_grid(&s, 3, 2048, 2, 300000)->sms = "[0]";
	add_task(&s, "urgent", 20, 20, 1);
	struct segment_row *urgent = add_grid(&s, 1, 2048, 3, 300000);
	urgent->sms = "[1]";
	urgent->stream_priority = "high";
	add_task(&s, "other", 20, 20, 0);
	add_grid(&s, 1, 2048, 1, 300000)->sms = "[1]";

	add_job(&s, 0, 0, 0, 0, 8);
	add_interval(&s, 0, 0, 0, ROW_GPU, 0, 0, 8);
	add_job(&s, 1, 0, 1, 1, 4);
	add_interval(&s, 1, 0, 0, ROW_GPU, 1, 1, 4);
	add_job(&s, 2, 0, 0, 8, 9);
	add_interval(&s, 2, 0, 0, ROW_GPU, 0, 8, 9);
	add_block(&s, 0, 0, 0, 0, 0, 0, 2048, 0, 2);
	add_block(&s, 1, 0, 0, 0, 1, 0, 2048, 1, 4);
	add_block(&s, 0, 0, 0, 1, 0, 0, 2048, 4, 6);
	add_block(&s, 0, 0, 0, 2, 0, 0, 2048, 6, 8);
	add_block(&s, 2, 0, 0, 0, 1, 0, 2048, 8, 9);
	add_power(&s, 1, 1500000, 1);
	add_power(&s, 2, 1600000, 2);
	add_power(&s, 9, 1500000, 1);
	add_power(&s, 10, 1000000, 0);
	return sample_end(&s, 9);
}

/* long has both SMs, a block each: [0,2), and with its other two [6,8). urgent, of a high stream, comes at 1,
 * has the SMs at 2, and does its work of 3 on them from 3 on. */
struct audit_sample sample_taken(void)
{
	struct audit_sample s = sample_begin("prio-streams", "{}", 10);
	s.platform.preemption_delay_ns = 1 * MS;
	add_task(&s, "long", 20, 20, 0);
	add_grid(&s, 4, 2048, 2, 300000);
	add_task(&s, "urgent", 20, 20, 1);
	add_grid(&s, 2, 2048, 3, 300000)->stream_priority = "high";

	add_job(&s, 0, 0, 0, 0, 8);
	add_interval(&s, 0, 0, 0, ROW_GPU, 0, 0, 8);
	add_job(&s, 1, 0, 1, 2, 6);
	add_interval(&s, 1, 0, 0, ROW_GPU, 1, 2, 6);
	add_block(&s, 0, 0, 0, 0, 0, 0, 2048, 0, 2);
	add_block(&s, 0, 0, 0, 1, 1, 0, 2048, 0, 2);
	add_block(&s, 1, 0, 0, 0, 0, 0, 2048, 2, 6);
	add_block(&s, 1, 0, 0, 1, 1, 0, 2048, 2, 6);
	add_block(&s, 0, 0, 0, 2, 0, 0, 2048, 6, 8);
	add_block(&s, 0, 0, 0, 3, 1, 0, 2048, 6, 8);
	add_power(&s, 8, 1600000, 2);
	add_power(&s, 10, 1000000, 0);
	return sample_end(&s, 8);
}
