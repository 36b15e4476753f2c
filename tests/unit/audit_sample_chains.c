/* tests/unit/audit_sample_chains.c - a hand-made recording with chains and a trigger. Times are milliseconds.
 */
#include "tests/unit/audit_making.h"

static void add_stage(struct audit_sample *s, uint32_t chain, uint32_t stage, uint32_t task)
{
	s->stage[s->stages++] = (struct chain_task_row){chain, stage, task};
}

/* camera: 1 of 10; lidar, below it: 2 of 20; fuse, the lowest, is released when both have finished: at 3 and
 * 23, while camera's second job, at 10, releases nothing. Chains: "see", camera > fuse, implicit: fuse's
 * output of 4 is of the read at 0 and is overwritten at 24, by what was read at 20. Two reads react then, 24
 * and 14 behind the ones before. "let", lidar > fuse: lidar writes what it read at 0 at its deadline, 20, and
 * fuse reads it at 23, so there is one output with a stamp, at fuse's deadline: 43. */
struct audit_sample sample_chained(void)
{
	struct audit_sample s = sample_begin("fifo-cke", "{\"order\":\"head\"}", 30);
	add_task(&s, "camera", 10, 10, 0);
	add_segment(&s, "cpu", 1);
	add_task(&s, "lidar", 20, 20, 0);
	add_segment(&s, "cpu", 2);
	add_task(&s, "fuse", 20, 20, 0);
	add_segment(&s, "cpu", 1);
	s.task[2].release_kind = "after";
	s.after[s.afters++] = (struct task_after_row){2, 0, 0};
	s.after[s.afters++] = (struct task_after_row){2, 1, 1};
	s.chain[s.chains++] = (struct chain_row){0, "see", "implicit", "start", N, N};
	add_stage(&s, 0, 0, 0);
	add_stage(&s, 0, 1, 2);
	s.chain_run[0] = (struct chain_run_row){
		0, 1, 24 * MS, 24 * MS, 24 * MS, 0, 0, 2, 14 * MS, 19 * MS, 24 * MS, 0, 1};
	s.chain[s.chains++] = (struct chain_row){1, "let", "let", "start", N, N};
	add_stage(&s, 1, 0, 1);
	add_stage(&s, 1, 1, 2);
	s.chain_run[1] = (struct chain_run_row){1, 0, N, N, N, N, N, 0, N, N, N, N, N};

	for (uint32_t seq = 0; seq < 3; seq++) {
		add_job(&s, 0, seq, 10 * seq, 10 * seq, 10 * seq + 1);
		add_interval(&s, 0, seq, 0, ROW_CPU, 10 * seq, 10 * seq, 10 * seq + 1);
	}
	for (uint32_t seq = 0; seq < 2; seq++) {
		add_job(&s, 1, seq, 20 * seq, 20 * seq + 1, 20 * seq + 3);
		add_interval(&s, 1, seq, 0, ROW_CPU, 20 * seq, 20 * seq + 1, 20 * seq + 3);
		add_job(&s, 2, seq, 20 * seq + 3, 20 * seq + 3, 20 * seq + 4);
		add_interval(&s, 2, seq, 0, ROW_CPU, 20 * seq + 3, 20 * seq + 3, 20 * seq + 4);
	}
	add_power(&s, 30, 1000000, 0);
	return sample_end(&s, 24);
}
