/* db/audit/laws_placed.c - the law on policies that choose a GPU for each section (docs/policies.md,
 * "sbeet-mg"): what was chosen is what happened, and of feasible choices the one of least energy. How their
 * predictions are made, and when a section waits, is asked by predict_fleet.c. */
#include "db/audit/law.h"
#include "db/audit/query.h"

static const struct {
	const char *sql;  /* of wrong choices: task, job, instant, GPU, SMs */
	bool by_energy;   /* only where energies up to each choice's own end decide */
	const char *says; /* of "at T job J of task N is placed on S SMs of GPU G: ..." */
} wrongs[] = {
	{"SELECT d.task_id, d.seq, d.time_ns, d.gpu, d.sms FROM decision d JOIN segment_interval i USING "
	 "(run_id, task_id, seq, segment_idx) WHERE d.run_id = ?1 AND d.chosen AND i.code & 3 = 2 AND "
	 "(i.gpu <> d.gpu OR i.granted IS NOT d.sms)",
		false, "its kernel ran elsewhere, or on another number of SMs"},
	{"SELECT task_id, seq, time_ns, max(gpu), max(sms) FROM decision WHERE run_id = ?1 GROUP BY "
	 "task_id, seq, segment_idx HAVING sum(chosen) > 1",
		false, "it was chosen more than once"},
	{"SELECT DISTINCT c.task_id, c.seq, c.time_ns, c.gpu, c.sms FROM decision c JOIN decision d USING "
	 "(run_id, task_id, seq, time_ns, gpu) WHERE c.run_id = ?1 AND c.chosen AND NOT c.feasible AND "
	 "d.feasible",
		false, "it would miss a deadline, and another number of SMs there would not"},
	{"SELECT DISTINCT c.task_id, c.seq, c.time_ns, c.gpu, c.sms FROM decision c JOIN decision d USING "
	 "(run_id, task_id, seq, time_ns) WHERE c.run_id = ?1 AND c.chosen AND d.feasible AND "
	 "d.predicted_uwns < c.predicted_uwns",
		true, "another choice that keeps all deadlines takes less energy"},
};

static void say(struct audit *a, const struct moment *m, const struct db_cursor *c, const char *says)
{
	uint32_t task = recording_task(a->r, column(c, 0));
	if (task == UINT32_MAX)
		return; /* another law's */
	broken(a, "decision", m, "at %s job %lld of task '%s' is placed on %lld SMs of GPU %lld: %s",
		when(a, column(c, 2)), (long long)column(c, 1), a->r->task[task].name,
		(long long)column(c, 4), (long long)column(c, 3), says);
}

uint64_t law_placements(struct audit *a, const struct moment *m)
{
	int64_t chosen = 0;
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		if (wrongs[i].by_energy && !a->r->promise->least_energy)
			continue;
		struct rows q = query_rows(a->reader, wrongs[i].sql, a->r->run_id, a->err);
		while (rows_next(&q))
			say(a, m, q.c, wrongs[i].says);
		a->failed |= !rows_close(&q);
	}
	a->failed |= !query_number(a->reader, "SELECT count(*) FROM decision WHERE run_id = ?1 AND chosen",
		a->r->run_id, &chosen, a->err);
	return chosen > 0 ? (uint64_t)chosen : 0;
}
