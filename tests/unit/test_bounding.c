/* tests/unit/test_bounding.c - a plan, what analyses say about it, and the rows that are made from that; and
 * adding analyses to finished recordings. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/content_digest.h"
#include "policies/registry.h"
#include "runs/bounds/bounding.h"
#include "runs/load.h"
#include "runs/store.h"
#include "tests/support/harness.h"
#include "tests/support/test.h"
#undef MS
#include "tests/unit/db_sample.h"

/* Two tasks that spin, on an SM each: high's bound is 2 own, 2 copies, 3 kernel and 4 of low's copies. */
struct fixture {
	struct maker k;
	struct params params;
	struct bounding_spec spec;
	struct bounding b;
	struct analysis_use safe, textbook;
	struct error err;
};

static void no_defect(void *self, uint32_t task, uint32_t segment, const char *text)
{
	(void)self;
	fail_msg("task %u, segment %u: %s", task, segment, text);
}

static int begin(void **state)
{
	static struct fixture f;
	f = (struct fixture){0};
	maker_init(&f.k, 1000);
	f.k.platform.sms = 2;
	f.k.platform.threads_per_sm = 1024;
	for (int i = 0; i < 2; i++) {
		maker_task(&f.k, i ? "low" : "high", i ? 200 : 100, i ? 200 : 100, 0);
		maker_cpu(&f.k, 1, 1);
		maker_copy(&f.k, COPY_TO_GPU, i ? 2 : 1);
		maker_grid(&f.k, 1, 32, 3);
		maker_copy(&f.k, COPY_TO_CPU, i ? 2 : 1);
		maker_cpu(&f.k, 1, 1);
	}
	f.k.set.name = arena_strdup(&f.k.set.arena, "two");
	assert_int_equal(taskset_check(&f.k.set, &f.k.platform, no_defect, NULL), 0);
	f.safe.analysis = f.textbook.analysis = analysis_find("stgm");
	params_default(&f.safe.params, f.safe.analysis->options);
	params_default(&f.textbook.params, f.safe.analysis->options);
	assert_true(params_set(&f.textbook.params, "blocking", "textbook", &f.err));
	const struct policy *stgm = policy_find("stgm");
	params_default(&f.params, stgm->options);
	f.spec = (struct bounding_spec){&f.k.platform, &f.k.set, &f.k.setup, stgm, &f.params};
	*state = &f;
	return 0;
}

static int end(void **state)
{
	struct fixture *f = *state;
	bounding_finish(&f->b);
	maker_finish(&f->k);
	return 0;
}

static int clean(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(NULL, clean);
EACH_TEST(begin, end);

TEST("one plan for several analyses")
{
	struct fixture *f = *state;
	struct bounds safe, textbook;
	assert_true(bounding_begin(&f->b, &f->spec, &f->err));
	assert_string_equal(f->b.refusal, "");
	assert_true(bounding_compute(&f->b, &f->safe, &safe, &f->err));
	assert_true(bounding_compute(&f->b, &f->textbook, &textbook, &f->err));
	assert_int_equal(safe.verdict, BOUNDS_SCHEDULABLE);
	assert_string_equal(safe.reason, "");
	assert_int_equal(safe.failing_task, NO_FAILING_TASK);
	assert_int_equal(safe.task[0].response_ns, 11);
	assert_int_equal(bound_part_sum(&safe.task[0], BOUND_OWN), 2);
	assert_int_equal(bound_part_sum(&safe.task[0], BOUND_COPY), 2);
	assert_int_equal(bound_part_sum(&safe.task[0], BOUND_GPU), 3);
	assert_int_equal(bound_part_sum(&safe.task[0], BOUND_BLOCKING), 4);
	assert_int_equal(bound_part_sum(&safe.task[0], BOUND_INTERFERENCE), 0);
	assert_int_equal(bound_part_sum(&safe.task[1], BOUND_INTERFERENCE), 7);
	assert_int_equal(textbook.task[0].response_ns, 9);
	assert_false(analysis_use_unsafe(&f->safe));
	assert_true(analysis_use_unsafe(&f->textbook));
	assert_string_equal(analysis_own_policy(f->safe.analysis).policy->name, "stgm");
}

TEST("what does not fit")
{
	struct fixture *f = *state;
	struct analysis_use rtgpu = {.analysis = analysis_find("rtgpu")};
	struct bounds bounds;
	params_default(&rtgpu.params, rtgpu.analysis->options);
	assert_true(bounding_begin(&f->b, &f->spec, &f->err));
	assert_true(bounding_fits(&f->b, f->safe.analysis));
	bounding_mismatch(&f->b, &rtgpu, &bounds);
	assert_int_equal(bounds.verdict, BOUNDS_REFUSED);
	assert_string_equal(
		bounds.reason, "it is for plans of rtgpu, or without a gate, not for those of stgm");
	assert_null(bounds.task);
	assert_false(bounding_fits(&f->b, analysis_find("mpcp")));
	bounding_finish(&f->b);
	/* Without a gate every analysis is asked, and this one refuses. */
	f->spec.policy = policy_find("fifo-cke");
	params_default(&f->params, f->spec.policy->options);
	assert_true(bounding_begin(&f->b, &f->spec, &f->err));
	assert_true(bounding_fits(&f->b, f->safe.analysis));
	assert_true(bounding_compute(&f->b, &f->safe, &bounds, &f->err));
	assert_int_equal(bounds.verdict, BOUNDS_REFUSED);
	assert_string_equal(
		bounds.reason, "it holds for tasks that spin at their priority during GPU sections");
	assert_null(bounds.task);
}

TEST("a policy that refuses the set")
{
	struct fixture *f = *state;
	struct bounds bounds;
	f->k.set.tasks[0].deadline_ns = 10;
	assert_true(bounding_begin(&f->b, &f->spec, &f->err));
	assert_true(bounding_fits(&f->b, f->safe.analysis));
	assert_false(bounding_fits(&f->b, analysis_find("rtgpu"))); /* by name: there is no plan */
	assert_true(bounding_compute(&f->b, &f->safe, &bounds, &f->err));
	assert_int_equal(bounds.verdict, BOUNDS_REFUSED);
	assert_int_equal(bounds.failing_task, 0);
	assert_ptr_equal(strstr(bounds.reason, "policy stgm refuses the set: "), bounds.reason);
	assert_null(bounds.task);
	bounding_finish(&f->b);
	/* If it has its own SMs nevertheless, the analysis itself refuses. */
	assert_true(params_set(&f->params, "admit", "any", &f->err));
	assert_true(bounding_begin(&f->b, &f->spec, &f->err));
	assert_true(bounding_compute(&f->b, &f->safe, &bounds, &f->err));
	assert_int_equal(bounds.verdict, BOUNDS_UNSCHEDULABLE);
	assert_int_equal(bounds.failing_task, 0);
	assert_int_equal(bounds.task[0].response_ns, 11);
}

TEST("a policy that makes no plan")
{
	struct fixture *f = *state;
	struct bounds bounds;
	assert_true(params_set(&f->params, "allocation", "1,2,3", &f->err));
	assert_true(bounding_begin(&f->b, &f->spec, &f->err));
	assert_true(bounding_compute(&f->b, &f->safe, &bounds, &f->err));
	assert_int_equal(bounds.verdict, BOUNDS_REFUSED);
	assert_true(bounds.reason[0] != '\0');
}

/* ---- rows ---- */

static bool store_both(struct fixture *f, struct db_writer *w, bool all)
{
	struct bounding_ids ids;
	struct bounds bounds;
	return store_platform(w, &f->k.platform, &ids.platform_id, &f->err) &&
	       store_taskset(w, &f->k.set, NULL, &ids.taskset_id, &f->err) &&
	       store_policy(w, f->spec.policy, &f->params, &ids.policy_id, &f->err) &&
	       bounding_compute(&f->b, &f->safe, &bounds, &f->err) &&
	       bounding_store(&f->b, &bounds, all, &ids, w, &f->err) &&
	       bounding_compute(&f->b, &f->textbook, &bounds, &f->err) &&
	       bounding_store(&f->b, &bounds, true, &ids, w, &f->err);
}

static const char *write_both(struct fixture *f, bool all)
{
	struct db_writer *w = writer_open(sample_path("b.db"), true, &f->err);
	assert_non_null(w);
	assert_true(bounding_begin(&f->b, &f->spec, &f->err));
	if (!store_both(f, w, all) || !writer_finish(w, NULL, &f->err))
		fail_msg("%s", f->err.text);
	return sample_path("b.db");
}

TEST("rows of bounds")
{
	struct fixture *f = *state;
	const char *db = write_both(f, true);
	assert_string_equal(
		sample_rows(db, "SELECT analysis, params, safety, version > 0, allocation, verdict, reason,"
				" failing_task_id, wall_us >= 0 FROM analysis_run"),
		"stgm|{\"blocking\":\"safe\"}|sound|1|[{\"sms\":[0]},{\"sms\":[1]}]|schedulable|-|-|1\n"
		"stgm|{\"blocking\":\"textbook\"}|unsafe|1|[{\"sms\":[0]},{\"sms\":[1]}]|schedulable|-|-|1");
	assert_string_equal(
		sample_rows(db, "SELECT task_id, rank, bound_ns FROM bound WHERE analysis_run_id = 1"),
		"1|0|11\n2|1|16");
	assert_string_equal(sample_rows(db, "SELECT task_id, part, by_task_id, amount_ns FROM bound_part"
					    " WHERE analysis_run_id = 1"),
		"1|own|-|2\n1|copy|-|2\n1|gpu|-|3\n1|blocking|-|4\n"
		"2|own|-|2\n2|copy|-|4\n2|gpu|-|3\n2|interference|1|7");
	assert_int_equal(
		sample_integer(db, "SELECT count(*) FROM bound b WHERE bound_ns <> (SELECT sum(amount_ns)"
				   " FROM bound_part p WHERE p.analysis_run_id = b.analysis_run_id AND"
				   " p.task_id = b.task_id)"),
		0);
}

TEST("a verdict alone")
{
	struct fixture *f = *state;
	const char *db = write_both(f, false);
	assert_string_equal(sample_rows(db, "SELECT analysis_run_id, count(*) FROM bound GROUP BY 1"), "2|2");
	assert_int_equal(
		sample_integer(db, "SELECT count(*) FROM analysis_run WHERE allocation IS NOT NULL"), 2);
}

/* ---- finished recordings ---- */

static void digest_of(const char *file, char text[64])
{
	struct error err;
	struct content_digest digest;
	struct db_reader *r = reader_open(file, &err);
	assert_non_null(r);
	assert_true(content_digest(r, &digest, &err));
	snprintf(text, 64, "%s", digest.text);
	reader_close(r);
}

TEST("the same analysis is replaced")
{
	struct fixture *f = *state;
	char before[64], after[64];
	struct db_writer *w;
	const char *db = write_both(f, false);
	digest_of(db, before);
	for (int i = 0; i < 2; i++) {
		w = writer_amend(db, &f->err);
		assert_non_null(w);
		assert_true(store_both(f, w, true));
		assert_true(writer_amended(w, &f->err));
		digest_of(db, after);
		assert_string_not_equal(before, after);
		assert_string_equal(sample_rows(db, "SELECT analysis_run_id, count(*) FROM bound GROUP BY 1"),
			"1|2\n2|2");
		assert_int_equal(sample_integer(db, "SELECT count(*) FROM analysis_run"), 2);
		assert_int_equal(sample_integer(db, "SELECT count(*) FROM taskset"), 1);
	}
	/* After giving up, nothing has changed and the file still exists. */
	w = writer_amend(db, &f->err);
	assert_non_null(w);
	assert_true(store_both(f, w, false));
	writer_abandon(w, false);
	digest_of(db, before);
	assert_string_equal(before, after);
	assert_string_equal(sample_rows(db, "SELECT value FROM meta WHERE key = 'analysed'"), "yes");
}

/* While a recording grows, the rows in it stay. */
TEST("the same analysis is kept")
{
	struct fixture *f = *state;
	struct db_writer *w = writer_open(sample_path("k.db"), true, &f->err);
	assert_non_null(w);
	assert_true(bounding_begin(&f->b, &f->spec, &f->err));
	assert_true(store_both(f, w, false) && store_both(f, w, true));
	assert_true(writer_finish(w, NULL, &f->err));
	assert_string_equal(
		sample_rows(sample_path("k.db"), "SELECT analysis_run_id, count(*) FROM bound GROUP BY 1"),
		"2|2");
}

TEST("others see it when it is done")
{
	struct fixture *f = *state;
	const char *db = write_both(f, false);
	struct db_writer *w = writer_amend(db, &f->err);
	assert_non_null(w);
	assert_true(store_both(f, w, true));
	assert_int_equal(sample_integer(db, "SELECT count(*) FROM bound"), 2);
	assert_null(writer_amend(db, &f->err)); /* only one writer at a time */
	assert_int_equal(f->err.status, STATUS_IO);
	assert_true(writer_amended(w, &f->err));
	assert_int_equal(sample_integer(db, "SELECT count(*) FROM bound"), 4);
}

TEST("files that are not amended")
{
	struct fixture *f = *state;
	char part[600];
	assert_null(writer_amend(sample_path("none.db"), &f->err));
	assert_int_equal(f->err.status, STATUS_IO);
	FILE *text = fopen(sample_path("text.db"), "w");
	assert_non_null(text);
	for (int i = 0; i < 200; i++)
		fputs("not a database\n", text);
	fclose(text);
	assert_null(writer_amend(sample_path("text.db"), &f->err));
	assert_int_equal(f->err.status, STATUS_INPUT);
	assert_non_null(strstr(f->err.text, "is not a recording"));
	/* A recording that was not finished. */
	struct db_writer *w = writer_open(sample_path("u.db"), true, &f->err);
	assert_non_null(w);
	assert_true(writer_commit(w, &f->err));
	writer_abandon(w, true);
	snprintf(part, sizeof(part), "%s.part", sample_path("u.db"));
	assert_null(writer_amend(part, &f->err));
	assert_int_equal(f->err.status, STATUS_INPUT);
	assert_non_null(strstr(f->err.text, "is not finished"));
}

/* ---- sets read back ---- */

TEST("a set without a run")
{
	struct fixture *f = *state;
	struct loaded_run run;
	struct bounds bounds;
	struct db_reader *r = reader_open(write_both(f, true), &f->err);
	assert_non_null(r);
	bounding_finish(&f->b);
	assert_true(load_subject(r, 1, 1, 1, &run, &f->err));
	assert_string_equal(run.policy->name, "stgm");
	const struct bounding_spec spec = {&run.platform, &run.set, &run.setup, run.policy, &run.params};
	assert_true(bounding_begin(&f->b, &spec, &f->err));
	assert_true(bounding_compute(&f->b, &f->safe, &bounds, &f->err));
	assert_int_equal(bounds.task[0].response_ns, 11);
	assert_int_equal(bounds.task[1].response_ns, 16);
	bounding_finish(&f->b);
	f->b = (struct bounding){0};
	loaded_run_finish(&run);
	assert_true(load_subject(r, 1, 1, 0, &run, &f->err));
	assert_null(run.policy);
	assert_int_equal(run.set.task_count, 2);
	loaded_run_finish(&run);
	reader_close(r);
}
