/* tests/unit/test_task_names.c - tasks found by their names, of lists in `after`: whom, what is said, and
 * that a list costs no look at every pair of its names or of tasks. */
#include <stdio.h>

#include "scenarios/settle_chains.h"
#include "scenarios/task_names.h"
#include "tests/support/test.h"

enum { TASKS = 20000 };

static struct task_entry entry[TASKS];
static char text[TASKS][8];
static struct node node[TASKS + 2];
static struct release_rule rule;

/* A set of `tasks` in some order of names, and a list of the first `count`, the last of them again `more`
 * times; the first task is behind it. */
static void settle(uint32_t tasks, uint32_t count, uint32_t more, bool ok, const char *said, uint64_t most)
{
	struct arena arena = {0};
	struct diagnostics d;
	struct task_names names;
	struct node list = {.kind = NODE_LIST, .count = count + more, .first = node};
	static const struct node at = {.kind = NODE_MAP};
	diagnostics_init(&d, "f");
	for (uint32_t i = 0; i < tasks; i++) {
		snprintf(text[i], sizeof(text[i]), "t%u", i * 7919u % TASKS);
		entry[i] = (struct task_entry){.task.name = text[i], .at = &at};
	}
	for (uint32_t i = 0; i < count + more; i++)
		node[i] = (struct node){.line = 1,
			.column = i + 1,
			.text = text[i < count ? i : count - 1],
			.next = &node[i + 1]};
	node[count + more - 1].next = NULL;
	entry[0].release.after = &list;
	entry[0].task.release = &rule;
	assert_true(task_names_init(&names, entry, tasks));
	struct description description = {.tasks = entry, .task_count = tasks, .names = &names};
	struct binder b = {.diagnostics = &d, .arena = &arena};
	assert_int_equal(settle_after(&b, &description, 0), ok);
	assert_int_equal(d.count, said ? more : 0);
	for (size_t i = 0; i < d.count; i++)
		assert_string_equal(d.items[i].text, said);
	assert_int_equal(rule.after_count, count + more);
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(rule.after[i], i);
	for (uint32_t i = 0; i < tasks; i++)
		assert_false(names.marked[i / 64]);
	if (most > 0)
		assert_in_range(names.index.looks, count, most);
	task_names_finish(&names);
	diagnostics_finish(&d);
	arena_finish(&arena);
}

/* 15 for a name among 20,000: a look at every pair would be 2 * 10^8, and one at every
 * task 4 * 10^8. */
TEST("a list of many tasks is read in time of its length")
{
	settle(TASKS, TASKS, 0, true, NULL, (uint64_t)TASKS * 15);
	settle(TASKS, 1, 0, true, NULL, 15);
	settle(1, 1, 0, true, NULL, 1);
}

TEST("who is named twice is said once for each time beyond the first")
{
	settle(5, 1, 1, false, "task 't0' is named twice", 0);
	settle(TASKS, 1, 3, false, "task 't0' is named twice", 0);
	settle(3, 3, 2, false, "task 't15838' is named twice", 0);
}

TEST("of tasks of one name the first is found, and who has none is passed over")
{
	static char a[] = "a", b[] = "b";
	struct task_names names;
	struct task_entry tasks[4] = {0};
	tasks[0].task.name = tasks[3].task.name = b;
	tasks[2].task.name = a;
	char hint[SUGGESTION_TEXT_MAX];
	assert_true(task_names_init(&names, tasks, 4));
	assert_int_equal(task_names_find(&names, "b"), 0);
	assert_int_equal(task_names_find(&names, "a"), 2);
	assert_int_equal(task_names_find(&names, "aa"), UINT32_MAX);
	assert_int_equal(task_names_find(&names, "c"), UINT32_MAX);
	assert_int_equal(task_names_find(&names, ""), UINT32_MAX);
	assert_string_equal(task_names_hint(&names, "bb", hint), "; did you mean 'b'?");
	assert_false(task_names_mark(&names, 3));
	assert_true(task_names_mark(&names, 3));
	task_names_unmark(&names, 3);
	assert_false(task_names_mark(&names, 3));
	task_names_finish(&names);
	assert_true(task_names_init(&names, NULL, 0));
	assert_int_equal(task_names_find(&names, "a"), UINT32_MAX);
	task_names_finish(&names);
}
