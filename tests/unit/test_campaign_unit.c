/* tests/unit/test_campaign_unit.c - units of a campaign in a recording: their contents, levels of detail,
 * replications, errors, stretches, and recordings put together from parts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/content_digest.h"
#include "db/merge.h"
#include "runs/campaign/unit.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

#define HEAD "cegsim-campaign: 1\nseed: 5\nsets: 4\n"
#define PLATFORMS "platforms: [{preset: jetson-tx2}]\n"
#define RUN "run: {horizon: 2s, stop: horizon}\n"

struct fixture {
	struct campaign campaign;
	struct troubles troubles;
	struct unit_view view;
	struct error err;
};

static void read_campaign(struct fixture *f, const char *text)
{
	struct diagnostics d;
	*f = (struct fixture){0};
	diagnostics_init(&d, "c.yaml");
	bool ok = campaign_read_text("c.yaml", text, strlen(text), &f->campaign, &d);
	diagnostics_print(&d, stderr);
	diagnostics_finish(&d);
	assert_true(ok);
}

static void finish(struct fixture *f)
{
	campaign_finish(&f->campaign);
	troubles_finish(&f->troubles);
}

/* Writes units in this order to NAME.part, one stretch each; finishes the file, or leaves it as a dead worker
 * would. */
static void write_units(
	struct fixture *f, const char *name, const uint32_t *units, size_t count, bool finished)
{
	struct unit_maker maker;
	struct db_writer *w =
		writer_open_as(finished ? WRITER_PAGES : WRITER_PART, sample_path(name), true, &f->err);
	assert_non_null(w);
	struct db_units *u = units_open(w, &f->err);
	assert_non_null(u);
	assert_true(unit_maker_init(&maker, &f->campaign, "c.yaml", w, u, &f->troubles, &f->view, &f->err));
	for (size_t i = 0; i < count; i++) {
		if (!unit_make(&maker, units[i], &f->err))
			fail_msg("%s", f->err.text);
		assert_true(units_mark(u, units[i], 1, &f->err));
	}
	unit_maker_finish(&maker);
	units_close(u);
	if (finished) {
		assert_true(writer_finish(w, NULL, &f->err));
	} else {
		assert_true(writer_commit(w, &f->err));
		writer_abandon(w, true);
	}
}

static void write_all(struct fixture *f, const char *name)
{
	uint32_t units[64], count = unit_count(&f->campaign);
	assert_true(count <= 64);
	for (uint32_t i = 0; i < count; i++)
		units[i] = i;
	write_units(f, name, units, count, true);
}

static void digest_of(const char *name, struct content_digest *digest)
{
	struct error err;
	struct db_reader *r = reader_open(sample_path(name), &err);
	assert_non_null(r);
	assert_true(content_digest(r, digest, &err));
	reader_close(r);
}

/* ---- units ---- */

static const char own_scenario[] =
	"cegsim: 1\ntime_unit: ms\nhorizon: 200\nseed: 8\nexecution: uniform\n"
	"platform: {preset: jetson-tx1, copy: {bandwidth: 10GB/s}}\n"
	"tasks: [{name: a, period: 20, segments: [{cpu: [1, 3]}, {copy: to_gpu, bytes: 4MiB}]}]\n"
	"policies: [fifo-cke, rm]\n";

static void read_own(struct fixture *f, const char *text)
{
	struct diagnostics d;
	*f = (struct fixture){0};
	diagnostics_init(&d, "c.yaml");
	bool ok = campaign_read_stored("c.yaml", text, strlen(text), own_scenario, &f->campaign, &d);
	diagnostics_print(&d, stderr);
	diagnostics_finish(&d);
	assert_true(ok);
}

TEST("units of a scenario are replications of its points, in any order")
{
	struct fixture f;
	read_own(&f,
		"cegsim-campaign: 1\nreplications: 3\nanalyses: [rtgpu]\ngenerate: {recipe: scenario, file: "
		"a.yaml, set: {platform.copy.bandwidth: [1GB/s, 2GB/s], policies.rm.unit: [section, "
		"kernel]}}\n");
	assert_int_equal(unit_jobs(&f.campaign), 2);
	assert_int_equal(unit_count(&f.campaign), 12);
	write_all(&f, "own.db");
	const char *db = sample_path("own.db");
	assert_string_equal(
		sample_rows(db, "SELECT replication, count(*), count(DISTINCT seed), min(seed = 8), "
				"max(set_number) FROM run GROUP BY 1 ORDER BY 1"),
		"0|8|1|1|0\n1|8|1|0|0\n2|8|1|0|0");
	assert_string_equal(
		sample_rows(db, "SELECT min(recipe_index), max(recipe_index), count(*) FROM taskset "
				"GROUP BY recipe ORDER BY 1"),
		"0|2|3\n3|5|3\n6|8|3\n9|11|3");
	assert_string_equal(
		sample_rows(db, "SELECT count(*), count(DISTINCT taskset_id), sum(recipe_index % 3) FROM "
				"analysis_run JOIN taskset USING (taskset_id)"),
		"4|4|0");
	assert_string_equal(sample_rows(db, "SELECT copy_bandwidth FROM platform ORDER BY platform_id"),
		"1000000000\n2000000000");
	assert_string_equal(sample_rows(db, "SELECT name, params FROM policy ORDER BY policy_id LIMIT 3"),
		"fifo-cke|{\"order\":\"head\",\"priorities\":\"honour\"}\n"
		"rm|{\"unit\":\"section\"}\nrm|{\"unit\":\"kernel\"}");
	assert_string_equal(
		sample_rows(db, "SELECT name, text LIKE 'cegsim: 1%' FROM scenario ORDER BY scenario_id"),
		"c.yaml|0\na.yaml|1");
	static const uint32_t backwards[] = {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
	struct content_digest one, other;
	write_units(&f, "back.db", backwards, 12, true);
	digest_of("own.db", &one);
	digest_of("back.db", &other);
	assert_string_equal(one.text, other.text);
	finish(&f);
}

TEST("a campaign in a recording")
{
	struct fixture f;
	read_campaign(&f, HEAD "generate: {recipe: custom, tasks: 2, utilisation: [20%, 40%]}\n"
			       "platforms: [{preset: jetson-tx2}, {preset: titan-v}]\npolicies: [fcfs, rm]\n"
			       "replications: 3\n"
			       "run: {horizon: {periods: 3}, execution: uniform, release: {sporadic: "
			       "{max_delay: 10%}}}\n");
	assert_int_equal(unit_jobs(&f.campaign), 12);
	assert_int_equal(unit_count(&f.campaign), 8);
	write_all(&f, "a.db");
	const char *db = sample_path("a.db");
	assert_int_equal(sample_integer(db, "SELECT count(*) FROM run WHERE status = 'ok'"), 8 * 12);
	assert_int_equal(sample_integer(db, "SELECT count(DISTINCT set_number) FROM run"), 8);
	assert_int_equal(sample_integer(db, "SELECT count(*) FROM run r JOIN taskset s USING (taskset_id)"
					    " WHERE r.set_number <> s.recipe_index"),
		0);
	assert_string_equal(
		sample_rows(db, "SELECT target_utilisation_ppm, count(DISTINCT set_number) FROM taskset"
				" JOIN run USING (taskset_id) GROUP BY 1"),
		"200000|4\n400000|4");
	assert_string_equal(
		sample_rows(db, "SELECT json_extract(recipe, '$.options.tasks'), count(*) > 0 FROM taskset"
				" GROUP BY 1"),
		"2|1");
	/* The same recipe gives the same numbers: on both platforms it is one set. */
	assert_int_equal(sample_integer(db, "SELECT count(*) FROM taskset"), 8);
	/* Replications have their own seeds, the same for all sets; the first replication has the campaign's
	 * seed. */
	assert_string_equal(
		sample_rows(db, "SELECT count(DISTINCT seed), min(seed = 5) FROM run GROUP BY replication"),
		"1|1\n1|0\n1|0");
	assert_true(sample_integer(db, "SELECT count(DISTINCT digest) FROM run WHERE set_number = 0") > 3);
	assert_int_equal(f.view.units, 8);
	assert_int_equal(f.view.unit, UNIT_NONE);
	assert_true(f.view.events > 0);
	finish(&f);
}

/* A unit made alone is the same as among others. */
TEST("units do not depend on each other")
{
	struct fixture f;
	read_campaign(
		&f, HEAD "generate: {recipe: custom, tasks: [2, 3]}\n" PLATFORMS "policies: [rm]\n" RUN);
	write_all(&f, "all.db");
	write_units(&f, "six.db", (const uint32_t[]){6}, 1, true);
	static const char sql[] = "SELECT digest, seed, set_number FROM run WHERE set_number = 6";
	char *six = strdup(sample_rows(sample_path("six.db"), sql));
	assert_non_null(six);
	assert_string_equal(six, sample_rows(sample_path("all.db"), sql));
	free(six);
	finish(&f);
}

TEST("detail of some sets")
{
	struct fixture f;
	read_campaign(&f, HEAD "generate: {recipe: custom, tasks: 2, utilisation: [20%, 30%]}\n" PLATFORMS
			       "policies: [fcfs, rm]\n" RUN "detail: {record: segments, sets: [1, 3]}\n");
	write_all(&f, "sets.db");
	const char *db = sample_path("sets.db");
	assert_string_equal(
		sample_rows(db, "SELECT record, group_concat(DISTINCT set_number % 4) FROM run GROUP BY 1"),
		"segments|1,3\nsummary|0,2");
	assert_int_equal(sample_integer(db, "SELECT count(DISTINCT run_id) FROM job"), 8);
	finish(&f);
}

/* Runs with a miss, and only they, have jobs. Otherwise they are the same runs as without the detail. */
TEST("detail from the first miss")
{
	struct fixture f;
	static const char text[] =
		HEAD "generate: {recipe: custom, tasks: 3, utilisation: [30%, 100%, 250%]}\n" PLATFORMS
		     "policies: [fcfs, rm]\nrun: {horizon: 20s, stop: horizon}\n";
	static const char outcome[] =
		"SELECT run_id, set_number, jobs, misses, digest FROM run ORDER BY run_id";
	char with[sizeof(text) + 64];
	read_campaign(&f, text);
	write_all(&f, "without.db");
	char *should = strdup(sample_rows(sample_path("without.db"), outcome));
	assert_non_null(should);
	finish(&f);
	snprintf(with, sizeof(with), "%sdetail: {record: blocks, when: first-miss}\n", text);
	read_campaign(&f, with);
	write_all(&f, "with.db");
	const char *db = sample_path("with.db");
	assert_string_equal(sample_rows(db, outcome), should);
	free(should);
	db = sample_path("with.db");
	assert_true(sample_integer(db, "SELECT count(*) FROM run WHERE misses > 0") > 2);
	assert_true(sample_integer(db, "SELECT count(*) FROM run WHERE misses = 0") > 2);
	assert_int_equal(
		sample_integer(db, "SELECT count(*) FROM run WHERE (misses > 0) <> (record = 'blocks')"), 0);
	assert_int_equal(sample_integer(db, "SELECT count(*) FROM run WHERE misses > 0 AND jobs <>"
					    " (SELECT count(*) FROM job j WHERE j.run_id = run.run_id)"),
		0);
	assert_int_equal(
		sample_integer(db, "SELECT count(*) FROM run r JOIN job USING (run_id) WHERE r.misses = 0"),
		0);
	assert_int_equal(
		sample_integer(db, "SELECT count(*) FROM run WHERE jobs <>"
				   " (SELECT sum(jobs) FROM run_task t WHERE t.run_id = run.run_id)"),
		0);
	finish(&f);
}

/* A set that cannot be made has a reason and no runs; the others go on. */
TEST("sets that cannot be made")
{
	struct fixture f;
	read_campaign(&f,
		HEAD "generate: {recipe: custom, method: randfixedsum, tasks: 2, utilisation: [50%, "
		     "300%]}\n" PLATFORMS "policies: [rm]\n" RUN);
	write_all(&f, "failed.db");
	const char *db = sample_path("failed.db");
	assert_int_equal(sample_integer(db, "SELECT count(*) FROM run"), 4);
	assert_string_equal(
		sample_rows(db, "SELECT group_concat(unit), min(length(reason)) > 10 FROM failed_unit"),
		"4,5,6,7|1");
	finish(&f);
}

TEST("runs that were given up")
{
	struct fixture f;
	bool hopeless;
	read_campaign(
		&f, HEAD "generate: {recipe: custom, tasks: 2}\n" PLATFORMS "policies: [fcfs, rm]\n" RUN);
	for (uint64_t i = 0; i < 2; i++) {
		assert_true(troubles_add(&f.troubles, 1, 1, i, "it broke", &hopeless, &f.err));
		assert_true(troubles_add(&f.troubles, 2, TROUBLE_UNIT, i, "all broke", &hopeless, &f.err));
	}
	write_all(&f, "broken.db");
	const char *db = sample_path("broken.db");
	assert_string_equal(
		sample_rows(db, "SELECT set_number, name, reason, coalesce(virtual_sms_per_sm, cycles, jobs,"
				" gpu_active_ns, sm_active_ns, energy_uj, r.digest) FROM run r JOIN policy"
				" USING (policy_id) WHERE status = 'error'"),
		"1|rm|it broke|-");
	assert_int_equal(sample_integer(db, "SELECT count(*) FROM run WHERE status = 'ok'"), 5);
	assert_string_equal(sample_rows(db, "SELECT unit, reason FROM failed_unit"), "2|all broke");
	assert_int_equal(sample_integer(db, "SELECT sum(n) FROM v_acceptance"), 5);
	finish(&f);
}

/* ---- parts ---- */

#define MERGED                                                                                               \
	HEAD "generate: {recipe: custom, tasks: [2, 3]}\n" PLATFORMS "policies: [fcfs, rm]\n" RUN            \
	     "detail: {record: blocks, sets: [1]}\n"                                                         \
	     "analyses: [rtgpu, fp, {name: fp, policy: rm}, {name: stgm, blocking: textbook}]\n"

static bool merge_files(
	const char *const *names, size_t count, bool finished, const char *to, struct error *err)
{
	struct merge_part parts[20] = {0};
	bool ok = true, cut;
	for (size_t i = 0; ok && i < count; i++) {
		char path[4096];
		snprintf(path, sizeof(path), "%s%s", sample_path(names[i]), finished ? "" : ".part");
		ok = part_read(path, finished, &parts[i], err);
	}
	struct db_writer *w = ok ? writer_open(sample_path(to), true, err) : NULL;
	if (w && merge_parts(w, parts, count, NULL, NULL, &cut, err)) {
		ok = writer_finish(w, NULL, err);
	} else {
		ok = false;
		writer_abandon(w, false);
	}
	for (size_t i = 0; i < count; i++)
		part_finish(&parts[i]);
	return ok;
}

static void assert_same(const char *a, const char *b)
{
	struct content_digest x, y;
	digest_of(a, &x);
	digest_of(b, &y);
	assert_string_equal(x.text, y.text);
	assert_int_equal(x.rows, y.rows);
	static const char ids[] = "SELECT run_id, taskset_id, set_number, digest FROM run ORDER BY run_id";
	char *first = strdup(sample_rows(sample_path(a), ids));
	assert_non_null(first);
	assert_string_equal(first, sample_rows(sample_path(b), ids));
	free(first);
}

/* More parts than SQLite can attach at once, with units in any order, and unmarked rows at their ends. */
TEST("parts give the whole")
{
	struct fixture f;
	static const char *const names[] = {"0", "1", "2", "3", "4", "5", "6", "7"};
	static const char *const two[] = {"x", "y"};
	read_campaign(&f, MERGED);
	write_all(&f, "whole.db");
	for (uint32_t i = 0; i < 8; i++)
		write_units(&f, names[i], &i, 1, false);
	assert_true(merge_files(names, 8, false, "merged.db", &f.err));
	assert_same("whole.db", "merged.db");
	assert_int_equal(sample_integer(sample_path("merged.db"), "SELECT count(*) FROM stretch"), 1);
	assert_int_equal(sample_integer(sample_path("merged.db"), "SELECT units FROM stretch"), 8);
	assert_string_equal(sample_rows(sample_path("merged.db"), "PRAGMA foreign_key_check"), "");
	write_units(&f, "x", (const uint32_t[]){7, 0, 1, 4}, 4, true);
	write_units(&f, "y", (const uint32_t[]){5, 6, 2, 3}, 4, true);
	assert_true(merge_files(two, 2, true, "merged.db", &f.err));
	assert_same("whole.db", "merged.db");
	finish(&f);
}

/* More than SQLite attaches at once, and than a merge has open at a time; their units take turns: parts are
 * closed and opened again. */
TEST("many parts")
{
	enum { PARTS = 70 };
	static struct merge_part parts[PARTS];
	struct fixture f;
	bool cut;
	uint32_t all[2 * PARTS];
	read_campaign(&f, "cegsim-campaign: 1\nsets: 140\ngenerate: {recipe: custom, tasks: 1}\n" PLATFORMS
			  "analyses: [stgm]\n");
	for (uint32_t i = 0; i < 2 * PARTS; i++)
		all[i] = i;
	write_units(&f, "whole.db", all, 2 * PARTS, true);
	for (uint32_t i = 0; i < PARTS; i++) {
		char name[16], path[4096];
		snprintf(name, sizeof(name), "v%u", i);
		write_units(&f, name, (const uint32_t[]){i, i + PARTS}, 2, true);
		snprintf(path, sizeof(path), "%s", sample_path(name));
		assert_true(part_read(path, true, &parts[i], &f.err));
	}
	struct db_writer *w = writer_open(sample_path("merged.db"), true, &f.err);
	assert_non_null(w);
	if (!merge_parts(w, parts, PARTS, NULL, NULL, &cut, &f.err))
		fail_msg("%s", f.err.text);
	assert_true(writer_finish(w, NULL, &f.err));
	assert_same("whole.db", "merged.db");
	for (uint32_t i = 0; i < PARTS; i++)
		part_finish(&parts[i]);
	finish(&f);
}

TEST("parts that do not fit")
{
	struct fixture f;
	static const char *const overlap[] = {"o1", "o2"}, *const other[] = {"o1", "o3"};
	read_campaign(&f, MERGED);
	write_units(&f, "o1", (const uint32_t[]){0, 1}, 2, true);
	write_units(&f, "o2", (const uint32_t[]){1, 2}, 2, true);
	assert_false(merge_files(overlap, 2, true, "m.db", &f.err));
	assert_int_equal(f.err.status, STATUS_INPUT);
	assert_non_null(strstr(f.err.text, "unit 1 of the campaign is in "));
	finish(&f);
	read_campaign(&f, MERGED "# another text\n");
	write_units(&f, "o3", (const uint32_t[]){2}, 1, true);
	assert_false(merge_files(other, 2, true, "m.db", &f.err));
	assert_non_null(strstr(f.err.text, "are parts of different campaigns (c.yaml, with another text)"));
	assert_int_not_equal(access(sample_path("m.db"), F_OK), 0);
	finish(&f);
}

/* Rows after the last mark do not count. A part that was never begun holds nothing. */
TEST("dirt of a dead writer")
{
	struct fixture f;
	struct unit_maker maker;
	struct merge_part part;
	char path[4096];
	static const char *const names[] = {"dirty", "rest"};
	read_campaign(&f, MERGED);
	struct db_writer *w = writer_open_as(WRITER_PART, sample_path("dirty"), true, &f.err);
	assert_non_null(w);
	struct db_units *u = units_open(w, &f.err);
	assert_non_null(u);
	assert_true(unit_maker_init(&maker, &f.campaign, "c.yaml", w, u, &f.troubles, &f.view, &f.err));
	assert_true(
		unit_make(&maker, 1, &f.err) && units_mark(u, 1, 1, &f.err) && unit_make(&maker, 2, &f.err));
	unit_maker_finish(&maker);
	units_close(u);
	assert_true(writer_commit(w, &f.err));
	writer_abandon(w, true);
	write_units(&f, "rest", (const uint32_t[]){2, 0, 3, 4, 5, 6, 7}, 7, false);
	write_all(&f, "whole.db");
	assert_true(merge_files(names, 2, false, "merged.db", &f.err));
	assert_same("whole.db", "merged.db");

	snprintf(path, sizeof(path), "%s", sample_path("empty.part"));
	FILE *empty = fopen(path, "w");
	assert_non_null(empty);
	fclose(empty);
	assert_true(part_read(path, false, &part, &f.err));
	assert_null(part.text);
	assert_int_equal(part.stretch_count, 0);
	part_finish(&part);
	assert_false(part_read(path, true, &part, &f.err));
	finish(&f);
}

/* ---- analyses ---- */

TEST("analyses of a unit")
{
	struct fixture f;
	read_campaign(&f,
		HEAD "generate: {recipe: custom, tasks: 2, utilisation: 20%}\n" PLATFORMS
		     "analyses: [stgm, {name: stgm, blocking: textbook}, {name: rtgpu, policy: stgm},\n"
		     "  {name: stgm, policy: {name: stgm, exclusive: false}}]\n");
	assert_int_equal(unit_jobs(&f.campaign), 0);
	write_all(&f, "an.db");
	const char *db = sample_path("an.db");
	assert_string_equal(
		sample_rows(db,
			"SELECT analysis, json_extract(a.params, '$.blocking'), safety, p.name,"
			" json_extract(p.params, '$.exclusive'), count(*), sum(verdict = 'refused') FROM"
			" analysis_run a JOIN policy p USING (policy_id) GROUP BY 1, 2, 3, 4, 5 ORDER BY"
			" min(analysis_run_id)"),
		"stgm|safe|sound|stgm|1|4|0\nstgm|textbook|unsafe|stgm|1|4|0\nrtgpu|-|sound|stgm|1|4|4\n"
		"stgm|safe|sound|stgm|0|4|0");
	assert_int_equal(
		sample_integer(db,
			"SELECT count(*) FROM analysis_run WHERE reason LIKE 'it is for plans of rtgpu,"
			" or without a gate, not for those of stgm'"),
		4);
	/* Verdicts only. */
	assert_int_equal(sample_integer(db, "SELECT count(*) FROM bound"), 0);
	assert_int_equal(sample_integer(db, "SELECT count(*) FROM run"), 0);
	assert_int_equal(sample_integer(db, "SELECT sum(n) FROM v_analysis_acceptance"), 16);
	finish(&f);
}

/* With `bounds: true`: at record level jobs, and for sets with such detail. */
TEST("bounds that are recorded")
{
	static const struct {
		const char *more;
		int analyses; /* of 4 sets: how many with bounds */
	} cases[] = {{"", 0}, {"bounds: false\n", 0}, {"bounds: true\n", 4}, {"record: jobs\n", 4},
		{"detail: {record: jobs, sets: [1, 3]}\n", 2},
		{"detail: {record: jobs, when: first-miss}\n", 0}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture f;
		char text[1024];
		snprintf(text, sizeof(text),
			HEAD "generate: {recipe: custom, tasks: 2, utilisation: 20%%}\n" PLATFORMS
			     "policies: [stgm]\nrun: {horizon: 2s}\nanalyses: [stgm]\n%s",
			cases[i].more);
		read_campaign(&f, text);
		write_all(&f, "bounds.db");
		const char *db = sample_path("bounds.db");
		assert_int_equal(
			sample_integer(db, "SELECT count(*) FROM analysis_run WHERE verdict = 'schedulable'"),
			4);
		assert_int_equal(sample_integer(db, "SELECT count(DISTINCT analysis_run_id) FROM bound"),
			cases[i].analyses);
		assert_int_equal(
			sample_integer(db,
				"SELECT count(*) FROM bound b WHERE bound_ns <> (SELECT sum(amount_ns)"
				" FROM bound_part p WHERE p.analysis_run_id = b.analysis_run_id AND"
				" p.task_id = b.task_id)"),
			0);
		assert_int_equal(sample_integer(db, "SELECT count(*) FROM v_bound_check WHERE holds"),
			2 * cases[i].analyses);
		finish(&f);
	}
}

TEST("analyses that were given up")
{
	struct fixture f;
	bool hopeless;
	read_campaign(&f,
		HEAD "generate: {recipe: custom, tasks: 2, utilisation: 20%}\n" PLATFORMS
		     "policies: [rm, fcfs]\n" RUN "analyses: [stgm, {name: stgm, blocking: textbook}]\n");
	/* Places 0 and 1 are runs, 2 and 3 analyses. */
	for (uint64_t i = 0; i < 2; i++)
		assert_true(troubles_add(&f.troubles, 2, 3, i, "it broke", &hopeless, &f.err));
	write_all(&f, "gone.db");
	const char *db = sample_path("gone.db");
	assert_string_equal(
		sample_rows(db,
			"SELECT s.recipe_index, a.safety, a.verdict, a.reason FROM analysis_run a JOIN"
			" taskset s USING (taskset_id) WHERE verdict <> 'schedulable'"),
		"2|unsafe|error|it broke");
	assert_string_equal(sample_rows(db, "SELECT safety, n, k FROM v_analysis_acceptance ORDER BY 1"),
		"sound|4|4\nunsafe|3|3");
	assert_int_equal(sample_integer(db, "SELECT count(*) FROM run WHERE status = 'ok'"), 8);
	finish(&f);
}

/* ---- digests ---- */

/* Any change of a value changes the digest; numbers of rows, and times, do not. */
TEST("what a content digest sees")
{
	static const struct {
		const char *sql;
		bool changes;
	} edits[] = {
		{"UPDATE run SET wall_us = 7", false},
		{"UPDATE stretch SET units = 77", false},
		{"UPDATE run SET misses = misses + 1 WHERE run_id = 3", true},
		{"UPDATE segment_shape SET kind = 'wait' WHERE shape_id = 1", true},
		{"UPDATE task_segments SET times = replace(times, '1', '7')", true},
		{"UPDATE task_segments SET first_shape_id = first_shape_id + 100; UPDATE segment_shape SET"
		 " shape_id = shape_id + 100",
			false},
		{"UPDATE job SET finish_ns = finish_ns + 1 WHERE rowid = 1", true},
		{"UPDATE job SET run_id = 1 WHERE rowid = 1", true},
		{"UPDATE task SET name = 'x' WHERE task_id = 1", true},
		{"DELETE FROM run_task_hist WHERE rowid = 1", true},
		{"INSERT INTO failed_unit VALUES (99, 'no')", true},
		{"UPDATE run SET reason = '' WHERE run_id = 1", true},
		{"UPDATE analysis_run SET wall_us = 7", false},
		{"UPDATE analysis_run SET verdict = 'refused' WHERE verdict <> 'refused'", true},
		{"UPDATE analysis_run SET policy_id = 1 WHERE policy_id = 2", true},
		{"UPDATE bound SET bound_ns = bound_ns + 1 WHERE rowid = 1", true},
		{"UPDATE bound_part SET part = 'blocking' WHERE rowid = 1", true},
		{"UPDATE bound_part SET task_id = 1 + task_id WHERE rowid = 1", true},
		{"UPDATE analysis_run SET analysis_run_id = analysis_run_id + 1000; UPDATE bound SET"
		 " analysis_run_id = analysis_run_id + 1000; UPDATE bound_part SET analysis_run_id ="
		 " analysis_run_id + 1000",
			false},
		/* All ids of runs moved. */
		{"UPDATE run SET run_id = run_id + 1000; UPDATE run_task SET run_id = run_id +"
		 " 1000;UPDATE run_task_hist SET run_id = run_id + 1000; UPDATE job SET run_id = run_id +"
		 " 1000;UPDATE segment_interval SET run_id = run_id + 1000; UPDATE block_interval SET"
		 " run_id = run_id + 1000;UPDATE power_interval SET run_id = run_id + 1000; UPDATE"
		 " decision SET run_id = run_id + 1000",
			false},
	};
	struct fixture f;
	struct content_digest before, after;
	read_campaign(&f, MERGED);
	for (size_t i = 0; i < sizeof(edits) / sizeof(*edits); i++) {
		char command[8192];
		write_all(&f, "d.db");
		digest_of("d.db", &before);
		snprintf(command, sizeof(command), "sqlite3 %s \"%s\"", sample_path("d.db"), edits[i].sql);
		assert_int_equal(system(command), 0);
		digest_of("d.db", &after);
		if ((strcmp(before.text, after.text) != 0) != edits[i].changes)
			fail_msg("%s", edits[i].sql);
	}
	finish(&f);
}

static int clean(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(NULL, clean);
