/* tests/unit/test_audit_chains.c - the laws on chains and triggers: each accepts a correct recording, and
 * finds something when one row of it is wrong. */
#include "tests/support/test.h"
#include "tests/unit/audit_defects.h"

static void later_release(struct audit_sample *s)
{
	job(s, 2, 1)->release_ns += 1;
}

static void released_by_camera_alone(struct audit_sample *s)
{
	s->afters = 1;
}

static void a_job_less(struct audit_sample *s)
{
	struct job_row *gone = job(s, 2, 1);
	*gone = s->job[--s->jobs];
}

/* lidar's second job is aborted: fuse's has no cause. */
static void aborted_before(struct audit_sample *s)
{
	job(s, 1, 1)->outcome = job_outcome(ROW_JOB_ABORTED, true);
}

static void older(struct audit_sample *s)
{
	s->chain_run[0].max_age_ns += 1;
}

static void another_job(struct audit_sample *s)
{
	s->chain_run[0].age_last_seq = 1;
}

static void less_reactions(struct audit_sample *s)
{
	s->chain_run[0].reactions--;
}

static void another_mean(struct audit_sample *s)
{
	s->chain_run[0].mean_reaction_ns += 1;
}

static void reaction_of_nothing(struct audit_sample *s)
{
	s->chain_run[1].min_reaction_ns = 28 * MS;
}

static void no_row(struct audit_sample *s)
{
	s->sql = "DELETE FROM chain_run WHERE chain_idx = 1";
}

/* With `let` the output is that of the deadline. */
static void let_too(struct audit_sample *s)
{
	s->chain[0].communication = "let";
}

static void by_release(struct audit_sample *s)
{
	s->stage[0].member_idx = 1;
	s->chain[0].sample = "release";
}

static const struct defect defects[] = {
	{"triggers", sample_chained, later_release, "those before it finished at 23ms"},
	{"triggers", sample_chained, released_by_camera_alone, "those before it finished at 1ms"},
	{"triggers", sample_chained, a_job_less, "job 1 is missing"},
	{"triggers", sample_chained, aborted_before, "those before it have not finished"},
	{"chains", sample_chained, older, "the greatest age is 24.000001ms"},
	{"chains", sample_chained, another_job, "the last job of ages is 1"},
	{"chains", sample_chained, less_reactions, "the number of reactions is 1"},
	{"chains", sample_chained, another_mean, "the mean reaction is 19.000001ms"},
	{"chains", sample_chained, reaction_of_nothing, "the least reaction is 28ms"},
	{"chains", sample_chained, no_row, "chain 'let' has no row"},
	{"chains", sample_chained, let_too, "chain 'see': the number of ages"},
	{"chains", sample_chained, by_release, "chain 'see': the number of reactions"},
};

TEST("every defect is found")
{
	assert_defects_found(defects, sizeof(defects) / sizeof(defects[0]));
}

static bool on_chains(const struct audit_result *law)
{
	return audit_is_of_chains(law->law);
}

TEST("every law is tested")
{
	assert_laws_tested(on_chains, defects, sizeof(defects) / sizeof(defects[0]));
}
