/* tests/unit/audit_sample_flights.c - a hand-made recording with operations in flight. Times are
 * milliseconds. */
#include "tests/unit/audit_making.h"

static struct segment_row *fly(struct segment_row *row, int64_t stream)
{
	row->stream = stream;
	row->async = 1;
	return row;
}

/* CPU [0,1); then all is issued: on stream 5 a copy [1,3) and the kernel "k" [3,6), on stream 6 a kernel
 * [1,5) and another after k, [6,7). The job waits, and has the core in [7,8). */
struct audit_sample sample_flights(void)
{
	struct audit_sample s = sample_begin("fifo-cke", "{\"order\":\"head\"}", 30);
	add_task(&s, "two", 40, 40, 0);
	add_segment(&s, "cpu", 1);
	fly(add_segment(&s, "copy", 2), 5)->direction = "to_gpu";
	fly(add_grid(&s, 1, 1024, 3, 300000), 5)->name = "k";
	fly(add_grid(&s, 1, 1024, 4, 300000), 6);
	fly(add_grid(&s, 1, 1024, 1, 300000), 6)->awaits = "[\"k\"]";
	add_segment(&s, "wait", 0)->stream = -1;
	add_segment(&s, "cpu", 1);

	add_job(&s, 0, 0, 0, 0, 8);
	add_interval(&s, 0, 0, 0, ROW_CPU, 0, 0, 1);
	add_interval(&s, 0, 0, 1, ROW_COPY, 1, 1, 3);
	add_interval(&s, 0, 0, 3, ROW_GPU, 1, 1, 5);
	add_interval(&s, 0, 0, 2, ROW_GPU, 1, 3, 6);
	add_interval(&s, 0, 0, 4, ROW_GPU, 1, 6, 7);
	add_interval(&s, 0, 0, 6, ROW_CPU, 7, 7, 8);
	add_block(&s, 0, 0, 3, 0, 0, 0, 1024, 1, 5);
	add_block(&s, 0, 0, 2, 0, 1, 0, 1024, 3, 6);
	add_block(&s, 0, 0, 4, 0, 0, 0, 1024, 6, 7);
	add_power(&s, 1, 1000000, 0);
	add_power(&s, 3, 1500000, 1);
	add_power(&s, 5, 1600000, 2);
	add_power(&s, 7, 1500000, 1);
	add_power(&s, 30, 1000000, 0);
	return sample_end(&s, 8);
}
