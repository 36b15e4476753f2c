/* tests/oracle/test_warp_oracle.c - compares the engine of warps with the plain simulation on random cases:
 * every instruction, block, job, row of every epoch, cycle of every sub-core and femtojoule.
 *
 *     test_warp_oracle [CASES [FIRST]]
 *
 * CASES is the number of cases: the argument, else $CEGSIM_ORACLE_CASES, else 1500. They are taken from the
 * sequence of $CEGSIM_ORACLE_SEED (1), from number FIRST (0) on. If a case differs, the first row that
 * differs is printed, and the smallest case that still differs. $CEGSIM_ORACLE_COUNTS: print on stderr how
 * often each kind of event happened. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/oracle/warp_shrink.h"
#include "tests/support/test.h"

#define TEXT_MAX 2048
#define SHOWN_MAX 1
#define ENOUGH 1000 /* fewer cases need not show everything */

static uint64_t seed = 1, first, cases = TEST_CASES(800);

static void show(struct warp_case *c, uint64_t index, char *text)
{
	fprintf(stderr, "case %" PRIu64 " of seed %" PRIu64 ": %s\n", index, seed, text);
	warp_case_shrink(c, text);
	if (warp_case_verdict(c, NULL, text, TEXT_MAX) == WARP_DIFFERS)
		fprintf(stderr, "the smallest that differs: %s\n", text);
	warp_case_print(c, stderr);
}

/* All of this must have happened somewhere; otherwise the cases are too simple to prove anything. */
static void expect_everything(const struct plain_counts *n)
{
	const struct {
		const char *what;
		uint64_t count;
	} things[] = {
		{"held by the manager", n->held},
		{"quota added", n->added},
		{"target raised", n->raised},
		{"raised by a victim", n->raised_by_victim},
		{"victim without a goal", n->victims[0]},
		{"victim with idle blocks", n->victims[1]},
		{"victim beyond its goal", n->victims[2]},
		{"swapped out", n->swapped_out},
		{"swapped in", n->swapped_in},
		{"came back elsewhere", n->moved},
		{"contexts that took time", n->transfers},
		{"SM to a short kernel", n->exchanges_short},
		{"SM to spare", n->exchanges_spare},
		{"climbing stopped", n->climbing_stopped},
		{"climbing began again", n->climbing_again},
		{"shared memory", n->level[LEVEL_SHARED]},
		{"L1", n->level[LEVEL_L1]},
		{"L2", n->level[LEVEL_L2]},
		{"DRAM", n->level[LEVEL_DRAM]},
		{"waited for the server", n->queued},
		{"epoch by a launch", n->early_epochs},
		{"at a barrier", n->barriers_waited},
		{"unit busy", n->unit_busy},
		{"ready but not active", n->scheduler_idle},
		{"waited for the stream", n->stream_waited},
		{"another group preferred", n->groups_changed},
		{"rounds taken out of a pool", n->rounds_taken},
		{"warps that found a pool empty", n->rounds_refused},
		{"loads that reused a line", n->reused},
		{"lines pushed out before they were reused", n->pushed_out},
		{"lines that L2 still had", n->reused_in_l2},
		{"lines pushed out of L2, too", n->pushed_out_of_l2},
		{"cycles in which an SM took no loads", n->loads_refused},
		{"parts behind another", n->parts},
		{"parts of other blocks", n->parts_anew},
		{"targets for these", n->targets_anew},
	};
	for (size_t i = 0; i < sizeof(things) / sizeof(things[0]); i++) {
		if (getenv("CEGSIM_ORACLE_COUNTS"))
			fprintf(stderr, "%-24s %" PRIu64 "\n", things[i].what, things[i].count);
		if (cases >= ENOUGH && things[i].count < cases / 200)
			fail_msg("%s: only %" PRIu64 " times", things[i].what, things[i].count);
	}
}

TEST("engine and plain agree")
{
	struct plain_counts counts = {0};
	uint64_t verdicts[3] = {0};
	for (uint64_t i = first; i < first + cases; i++) {
		char text[TEXT_MAX] = "";
		struct warp_case c;
		warp_case_make(seed, i, &c);
		enum warp_verdict verdict = warp_case_verdict(&c, &counts, text, sizeof(text));
		if (verdict == WARP_DIFFERS && verdicts[verdict] < SHOWN_MAX)
			show(&c, i, text);
		if (verdict != WARP_AGREES && getenv("CEGSIM_ORACLE_COUNTS"))
			fprintf(stderr, "case %" PRIu64 ": %s\n", i, text);
		verdicts[verdict]++;
	}
	if (verdicts[WARP_DIFFERS])
		fail_msg("%" PRIu64 " of %" PRIu64 " cases differ", verdicts[WARP_DIFFERS], cases);
	if (50 * verdicts[WARP_INVALID] > cases)
		fail_msg("%" PRIu64 " of %" PRIu64 " cases are none", verdicts[WARP_INVALID], cases);
	expect_everything(&counts);
}

/* A third as many cases in which SMs run ahead for long. */
TEST("long windows agree")
{
	uint64_t verdicts[3] = {0};
	for (uint64_t i = first; i < first + (cases + 2) / 3; i++) {
		char text[TEXT_MAX] = "";
		struct warp_case c;
		warp_case_make(seed, i, &c);
		warp_case_lengthen(seed, i, &c);
		enum warp_verdict verdict = warp_case_verdict(&c, NULL, text, sizeof(text));
		if (verdict == WARP_DIFFERS && verdicts[verdict] < SHOWN_MAX)
			show(&c, i, text);
		verdicts[verdict]++;
	}
	if (verdicts[WARP_DIFFERS])
		fail_msg("%" PRIu64 " cases differ", verdicts[WARP_DIFFERS]);
	if (5 * verdicts[WARP_INVALID] > verdicts[WARP_AGREES])
		fail_msg("%" PRIu64 " cases are none", verdicts[WARP_INVALID]);
}

/* The horizon is within the first cycle: no rows exist for such a run. */
TEST("runs of no cycles agree")
{
	for (uint64_t i = 0; i < 20; i++) {
		char text[TEXT_MAX] = "";
		struct warp_case c;
		warp_case_make(seed, i, &c);
		c.set.machine.clock_hz = 2000000;
		c.setup.horizon_ns = c.setup.limit_ns = 499;
		if (warp_case_verdict(&c, NULL, text, sizeof(text)) == WARP_DIFFERS)
			fail_msg("case %" PRIu64 ": %s", i, text);
	}
}

static uint64_t number(const char *text, uint64_t otherwise)
{
	return text ? strtoull(text, NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
	seed = number(getenv("CEGSIM_ORACLE_SEED"), seed);
	cases = number(argc > 1 ? argv[1] : getenv("CEGSIM_ORACLE_CASES"), cases);
	first = number(argc > 2 ? argv[2] : NULL, first);
	return tests_run(0, NULL);
}
