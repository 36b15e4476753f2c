/* tests/property/test_bounds_fp.c [SETS] - compares analysis/bounds_fp.c with a second implementation that
 * plays the worst case (tests/oracle/bounds_plain_fp.h), and with runs, on random sets. */
#include "tests/oracle/bounds_plain_fp.h"
#include "tests/support/bounds.h"

#define UNTIL 20000

TEST_NUMBER(sets, TEST_CASES(1000));

struct sample {
	struct random_key key;
	struct maker k;
	bool preemptive;
	const char *policy, *options;
};

static int draw(struct sample *s, int low, int high)
{
	return (int)drawn(&s->key, low, high);
}

/* Draws the lengths of one section, or of the core; together they are at most `most`. */
static void draw_segments(struct sample *s, int most)
{
	for (int left = most, n = 0; left > 0 && n < 4; n++) {
		int hi = draw(s, 0, left), lo = happens(&s->key, 50) ? hi : draw(s, 0, hi);
		left -= hi;
		if (s->preemptive)
			maker_cpu(&s->k, lo, hi);
		else if (happens(&s->key, 50) || hi == 0)
			maker_copy(&s->k, (enum copy_direction)draw(s, 0, 2), hi)->best_ns = lo;
		else
			maker_grid(&s->k, (uint32_t)draw(s, 1, 2), 1, hi)->best_ns = lo;
	}
}

static void make(struct sample *s, uint32_t number)
{
	static const char *const gates[] = {"self-suspension", "rm", "mpcp"};
	static const char *const any[] = {"fifo-cke", "fcfs", "sbeet", "prio-streams", "rm"};
	memset(s, 0, sizeof(*s));
	s->key = (struct random_key){.seed = 6, .set = number, .purpose = RANDOM_TEST};
	s->preemptive = happens(&s->key, 50);
	s->policy = s->preemptive ? any[draw(s, 0, 4)] : gates[draw(s, 0, 2)];
	s->options = s->preemptive ? NULL : "method=nonpreemptive";
	maker_init(&s->k, 1000);
	s->k.platform.sms = 2;
	s->k.platform.engines = (uint32_t)draw(s, 0, 2);
	int tasks = draw(s, 1, 6), load = draw(s, 40, 110);
	for (int i = 0; i < tasks; i++) {
		char name[16];
		int period = draw(s, 4, happens(&s->key, 50) ? 20 : 60),
		    most = 1 + period * load * draw(s, 2, 20) / (1000 * tasks);
		snprintf(name, sizeof(name), "t%d", i);
		maker_task(&s->k, name, period,
			happens(&s->key, 60) ? period : draw(s, 1 + period / 2, period), 0);
		draw_segments(s, most > period / 2 ? period / 2 : most);
	}
	draw_cores(&s->k, number);
}

/* Reads the costs of the tasks: on two SMs, copies and kernels take the time that is written. Tasks on other
 * cores cost nothing where the core is the processor. */
static void read_costs(const struct sample *s, const struct plan *plan, int32_t core,
	struct plain_fp_task *plain, uint32_t *task_of)
{
	for (uint32_t i = 0; i < s->k.set.task_count; i++) {
		const struct task *t = &s->k.set.tasks[i];
		uint32_t k = plan->rank[i];
		task_of[k] = i;
		plain[k] = (struct plain_fp_task){.period = t->period_ns};
		for (uint32_t j = 0; j < t->segment_count && (!s->preemptive || t->core == core); j++)
			plain[k].cost += t->segments[j].worst_ns;
	}
}

struct known {
	int64_t bound[BOUNDS_TASKS];
	bool accepted;
};

static void examine(struct sample *s, struct known *known)
{
	struct plain_fp_task plain[PLAIN_FP_TASKS];
	uint32_t task_of[PLAIN_FP_TASKS], count = s->k.set.task_count;
	struct bounds b = {0};
	bool holds = true, late = false;
	bounds_make(&b, &s->k, s->policy, NULL, "fp", s->options);
	assert_false(b.result.refused);
	read_costs(s, &b.plan, 0, plain, task_of);
	for (uint32_t k = 0; k < count; k++) {
		read_costs(s, &b.plan, s->k.set.tasks[task_of[k]].core, plain, task_of);
		const struct task_bound *t = &b.result.task[task_of[k]];
		bool ended;
		known->bound[task_of[k]] = NO_BOUND;
		assert_true(t->analysed);
		assert_true(t->assumes == 0 || (!s->preemptive && late));
		int64_t worst = plain_fp(plain, (int)count, s->preemptive, (int)k, UNTIL, &ended);
		if (ended ? t->response_ns != worst : t->response_ns != NO_BOUND && t->response_ns < worst)
			fail_msg("set %u, place %u: bound %lld, played %lld", s->key.set, k,
				(long long)t->response_ns, (long long)worst);
		holds &= t->response_ns <= s->k.set.tasks[task_of[k]].deadline_ns;
		/* With `ties: lower-first` a lower section can run between two jobs of a task that is
		 * late. */
		late |= t->response_ns > s->k.set.tasks[task_of[k]].period_ns;
		if (s->preemptive || !late)
			known->bound[task_of[k]] = t->response_ns;
	}
	assert_int_equal(b.result.verdict.accepted, holds);
	known->accepted = holds;
	bounds_finish(&b);
}

/* Bounds equal the played worst case; no run exceeds them, and most runs reach them. */
TEST("bounds are the worst case")
{
	static struct sample s;
	struct tally tally = {0};
	uint32_t accepted = 0;
	for (uint32_t i = 0; i < sets; i++) {
		struct known known;
		make(&s, i);
		examine(&s, &known);
		accepted += known.accepted;
		tally_runs(&tally, &s.k, &s.key, s.policy, NULL, known.bound, 10);
		maker_finish(&s.k);
	}
	print_message("# %u of %" PRIu64 " sets accepted\n", accepted, sets);
	assert_in_range(accepted, sets / 5, sets - sets / 5);
	tally_check(&tally, "runs", 2);
}
