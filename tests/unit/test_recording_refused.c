/* tests/unit/test_recording_refused.c - what the schema of a recording refuses, and what is there after it
 * has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

static struct error err;
static char file[512];
static struct db_writer *w;
static struct sample ids;

static int begin(void **state)
{
	w = sample_open(file, &ids, &err);
	return w ? 0 : -1;
}

static int clean(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(NULL, clean);
EACH_TEST(begin, NULL);

enum owner { OF_TASK, OF_SEGMENT, OF_RUN };

static const struct word_field {
	enum owner owner;
	size_t offset;
	const char *words[7]; /* all that exist, and NULL */
} word_fields[] = {
	{OF_TASK, offsetof(struct task_row, release_kind),
		{"periodic", "sporadic", "trace", "jitter", "after"}},
	{OF_SEGMENT, offsetof(struct segment_row, kind), {"cpu", "copy", "kernel"}},
	{OF_SEGMENT, offsetof(struct segment_row, stream_priority), {"low", "high"}},
	{OF_SEGMENT, offsetof(struct segment_row, direction), {"to_gpu", "to_cpu", "both"}},
	{OF_SEGMENT, offsetof(struct segment_row, form), {"grid", "work", "profile", "warps"}},
	{OF_RUN, offsetof(struct run_row, stop_rule), {"drained", "horizon"}},
	{OF_RUN, offsetof(struct run_row, release_kind),
		{"periodic", "sporadic", "trace", "jitter", "after"}},
	{OF_RUN, offsetof(struct run_row, execution),
		{"worst", "best", "uniform", "scaled", "samples", "samples-together"}},
	{OF_RUN, offsetof(struct run_row, on_miss), {"continue", "drop", "abort"}},
	{OF_RUN, offsetof(struct run_row, ties), {"task-order", "lower-first"}},
	{OF_RUN, offsetof(struct run_row, record), {"summary", "jobs", "segments", "blocks", "issues"}},
	{OF_RUN, offsetof(struct run_row, status), {"ok", "truncated", "refused", "error"}},
};

/* Writes the sample's set, or a run of it, with this word in the second row of the table. */
static bool write_word(const struct word_field *field, const char *word, int64_t number)
{
	bool there;
	struct task_row tasks[] = {sample_tasks[0], sample_tasks[1]};
	struct segment_row segments[6];
	struct taskset_row set = sample_taskset();
	struct run_row run = sample_run(&ids, ids.fcfs_id, number);
	memcpy(segments, sample_segments, sizeof(segments));
	char *const rows[] = {(char *)&tasks[1], (char *)&segments[1], (char *)&run};
	memcpy(rows[field->owner] + field->offset, &word, sizeof(word));
	set.recipe_index = number;
	set.tasks = tasks;
	set.segments = segments;
	if (field->owner != OF_RUN)
		return writer_taskset(w, &set, &ids.taskset_id, &err);
	return writer_begin_run(w, &run, &there, &err) && !there && writer_end_run(w, &run, &err);
}

TEST("every word and no other")
{
	int64_t number = 100;
	for (size_t i = 0; i < sizeof(word_fields) / sizeof(word_fields[0]); i++) {
		for (const char *const *word = word_fields[i].words; *word; word++)
			assert_ok(write_word(&word_fields[i], *word, number++));
		assert_ok(writer_commit(w, &err));
		assert_false(write_word(&word_fields[i], "other", number++));
		writer_abandon(w, true);
		w = writer_open(file, true, &err);
		assert_ok(w != NULL && sample_things(w, &ids, &err));
	}
	writer_abandon(w, false);
}

/* If a statement fails in the middle of its rows, committed rows of a part stay, and nothing after them does.
 */
TEST("a refused set leaves nothing")
{
	char part[600];
	writer_abandon(w, false);
	w = writer_open_as(WRITER_PART, file, false, &err);
	assert_ok(w && sample_things(w, &ids, &err) && writer_commit(w, &err));
	assert_false(write_word(&word_fields[1], "gpu", 1));
	assert_non_null(strstr(err.text, "kind"));
	writer_abandon(w, true);
	snprintf(part, sizeof(part), "%s.part", file);
	assert_string_equal(
		sample_rows(part, "SELECT (SELECT count(*) FROM taskset), (SELECT count(*) FROM task),"
				  " (SELECT count(*) FROM segment), (SELECT count(*) FROM profile)"),
		"1|2|6|2");
}

/* The program never makes such rows; the keys would refuse them. */
TEST("a segment cannot be written twice")
{
	struct segment_row segments[6];
	struct taskset_row set = sample_taskset();
	memcpy(segments, sample_segments, sizeof(segments));
	segments[2].segment_idx = segments[1].segment_idx;
	set.segments = segments;
	int64_t id;
	assert_false(writer_taskset(w, &set, &id, &err));
	assert_non_null(strstr(err.text, "segment_idx"));
	writer_abandon(w, false);
}
