/* tests/unit/audit_sample_gpus.c - a hand-made recording with two GPUs. Times are milliseconds. */
#include "tests/unit/audit_making.h"

static struct segment_row *on_gpu_1(struct segment_row *row)
{
	row->gpu = 1;
	return row;
}

/* From the end of the one before to `end`, of GPU 1 with its one SM. */
static void add_power_1(struct audit_sample *s, int64_t start, int64_t end, int64_t uw, uint32_t active)
{
	s->power[s->powers++] = (struct power_interval_row){start * MS, end * MS, uw, active, 1 - active, 1};
}

static void add_on(struct audit_sample *s, uint32_t task, uint16_t segment, enum row_resource resource,
	uint8_t gpu, int64_t ready, int64_t start, int64_t end)
{
	add_interval(s, task, 0, segment, resource, ready, start, end)->gpu = gpu;
}

#define SMALL                                                                                                \
	"[{\"name\": \"small\", \"engines\": 1, \"copy_latency_ns\": 0, \"pool\": \"sm\", \"sms\": 1, "      \
	"\"sms_per_tpc\": 1, \"threads_per_sm\": 1024, \"work_queues\": 8, \"pin_overhead_ns\": 0, "         \
	"\"static_uw\": 500000, \"idle_per_sm_uw\": 100000}]"

/* One section at a time on each GPU. GPU 0, two SMs: camera's copy [0,2), two blocks [2,5). GPU 1, one SM of
 * 1024 threads: lidar's copy [0,4), a block [4,6); then camera's section there, ready at 5: copy [6,7), a
 * block [7,9). */
struct audit_sample sample_gpus(void)
{
	struct audit_sample s = sample_begin("rm", "{\"unit\":\"section\"}", 30);
	s.platform.gpus = SMALL;
	add_task(&s, "camera", 30, 10, 0);
	add_copy(&s, "to_gpu", 2);
	add_grid(&s, 2, 1024, 3, 500000);
	on_gpu_1(add_segment(&s, "copy", 1))->direction = "to_gpu";
	(void)on_gpu_1(add_grid(&s, 1, 1024, 2, 300000));
	add_task(&s, "lidar", 40, 20, 0);
	on_gpu_1(add_segment(&s, "copy", 4))->direction = "to_gpu";
	(void)on_gpu_1(add_grid(&s, 1, 1024, 2, 300000));
	add_job(&s, 0, 0, 0, 0, 9);
	add_on(&s, 0, 0, ROW_COPY, 0, 0, 0, 2);
	add_on(&s, 0, 1, ROW_GPU, 0, 2, 2, 5);
	add_on(&s, 0, 2, ROW_COPY, 1, 5, 6, 7);
	add_on(&s, 0, 3, ROW_GPU, 1, 7, 7, 9);
	add_block(&s, 0, 0, 1, 0, 0, 0, 1024, 2, 5);
	add_block(&s, 0, 0, 1, 1, 1, 0, 1024, 2, 5);
	add_block(&s, 0, 0, 3, 0, 0, 0, 1024, 7, 9)->gpu = 1;
	add_job(&s, 1, 0, 0, 0, 6);
	add_on(&s, 1, 0, ROW_COPY, 1, 0, 0, 4);
	add_on(&s, 1, 1, ROW_GPU, 1, 4, 4, 6);
	add_block(&s, 1, 0, 1, 0, 0, 0, 1024, 4, 6)->gpu = 1;
	add_power(&s, 2, 1000000, 0);
	add_power(&s, 5, 2000000, 2);
	add_power(&s, 30, 1000000, 0);
	add_power_1(&s, 0, 4, 500000, 0);
	add_power_1(&s, 4, 6, 800000, 1);
	add_power_1(&s, 6, 7, 500000, 0);
	add_power_1(&s, 7, 9, 800000, 1);
	add_power_1(&s, 9, 30, 500000, 0);
	s = sample_end(&s, 9);
	s.figures[0].energy_uj = 3600; /* 2 blocks of 3 ms, one of 2 ms */
	s.figures[1].energy_uj = 600;
	s.figures[0].energy_rest_uwns = s.figures[1].energy_rest_uwns = 0;
	s.gpu[0] = (struct run_gpu_row){0, 33000, 0, 3 * MS, 6 * MS};
	s.gpu[1] = (struct run_gpu_row){1, 16200, 0, 4 * MS, 4 * MS};
	s.gpus = 2;
	return s;
}

/* sbeet-mg: lidar's section names GPU 0, and lives on GPU 1, where no second SM idles beside it, and where
 * its copy takes 4 and not 2: copy [0,4), a block [4,6). Predicted are 1.5 W over 6 ms, and 0.3 W over 2 ms.
 */
struct audit_sample sample_placed(void)
{
	struct audit_sample s = sample_begin("sbeet-mg",
		"{\"assign\":\"energy\",\"choice\":\"migrate\",\"energy\":\"own\","
		"\"infeasible\":\"energy\",\"queue\":\"priority\",\"workers\":2}",
		30);
	s.platform.gpus = SMALL;
	s.platform.idle_per_sm_uw = 100000;
	add_task(&s, "lidar", 40, 20, 0);
	struct segment_row *copy = add_segment(&s, "copy", 2);
	copy->direction = "to_gpu";
	copy->copy_times = "[[2000000, 2000000], [4000000, 4000000]]";
	add_grid(&s, 1, 1024, 2, 300000);
	add_job(&s, 0, 0, 0, 0, 6);
	add_on(&s, 0, 0, ROW_COPY, 1, 0, 0, 4);
	add_on(&s, 0, 1, ROW_GPU, 1, 4, 4, 6);
	s.interval[s.intervals - 1].granted = 1;
	add_block(&s, 0, 0, 1, 0, 0, 0, 1024, 4, 6)->gpu = 1;
	s.decision[s.decisions++] = (struct decision_row){.segment_idx = 1,
		.sms = 1,
		.kernel_end_ns = 6 * MS,
		.predicted_uwns = 9600000LL * MS,
		.feasible = 1,
		.chosen = 1,
		.gpu = 1};
	add_power(&s, 30, 1000000, 0);
	add_power_1(&s, 0, 4, 500000, 0);
	add_power_1(&s, 4, 6, 800000, 1);
	add_power_1(&s, 6, 30, 500000, 0);
	s = sample_end(&s, 6);
	s.figures[0].energy_uj = 600;
	s.figures[0].energy_rest_uwns = 0;
	s.gpu[0] = (struct run_gpu_row){0, 30000, 0, 0, 0};
	s.gpu[1] = (struct run_gpu_row){1, 15600, 0, 2 * MS, 2 * MS};
	s.gpus = 2;
	return s;
}

/* GPU 0 has unlimited engines, GPU 1 has one. Two tasks, the second of higher priority: a copy on GPU 0
 * [0,2), both at a time; then one on GPU 1: b's [2,3), a's [3,4). */
struct audit_sample sample_engines(void)
{
	struct audit_sample s = sample_begin("rm", "{\"unit\":\"kernel\"}", 30);
	s.platform.gpus = SMALL;
	s.platform.engines = 0;
	for (uint32_t task = 0; task < 2; task++) {
		add_task(&s, task ? "b" : "a", task ? 30 : 40, 20, 0);
		s.figures[task].rank = 1 - task;
		add_segment(&s, "copy", 2)->direction = "to_gpu";
		on_gpu_1(add_segment(&s, "copy", 1))->direction = "to_gpu";
		add_job(&s, task, 0, 0, 0, task ? 3 : 4);
		add_on(&s, task, 0, ROW_COPY, 0, 0, 0, 2);
		add_on(&s, task, 1, ROW_COPY, 1, 2, task ? 2 : 3, task ? 3 : 4);
	}
	add_power(&s, 30, 1000000, 0);
	add_power_1(&s, 0, 30, 500000, 0);
	s = sample_end(&s, 4);
	s.gpu[0] = (struct run_gpu_row){0, 30000, 0, 0, 0};
	s.gpu[1] = (struct run_gpu_row){1, 15000, 0, 0, 0};
	s.gpus = 2;
	return s;
}
