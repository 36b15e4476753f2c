/* tests/fuzz/fuzz_bounds.c - libFuzzer on a user's table of bounds: whatever the bytes, the reader ends,
 * reports or accepts, and what it accepts is about sets and tasks that there are, with one bound for each.
 * How it is run: tests/fuzz/meson.build. */
#include <stdlib.h>
#include <string.h>

#include "runs/bounds/bounds_csv.h"
#include "runs/bounds/recorded_label.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static const char *tasks[] = {"t1", "t2", "t3"};
static struct roster_set sets[] = {
	{1, "s1", tasks, 2, 0}, {2, "s2", tasks, 3, 2}, {4, "s2", tasks, 1, 5}, {7, "1", tasks, 1, 6}};
static const char *policies[] = {"rm", "fcfs"};
static const char *platforms[] = {"p1", "p2"};

static bool meet(const struct known_row *a, const struct known_row *b)
{
	return a->of.taskset_id == b->of.taskset_id && a->task == b->task &&
	       (!a->policy || !b->policy || a->policy == b->policy) &&
	       (!a->platform || !b->platform || a->platform == b->platform);
}

static void check(const struct roster *roster, const struct known *k)
{
	must(label_is_csv(k->name) && k->name[strlen(CSV_PREFIX)] && k->row_count > 0);
	for (size_t i = 0; i < k->row_count; i++) {
		const struct known_row *row = &k->rows[i];
		const struct roster_set *set = roster_numbered(roster, row->of.taskset_id);
		must(set && row->task < set->task_count && row->bound_ns >= 0);
		must(i == 0 || k->rows[i - 1].of.taskset_id <= row->of.taskset_id);
		for (size_t j = 0; j < i; j++)
			must(!meet(row, &k->rows[j]));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct roster roster = {.sets = sets,
		.set_count = 4,
		.policies = policies,
		.policy_count = 2,
		.platforms = platforms,
		.platform_count = 2,
		.task_count = 7};
	struct bounds_csv csv = bounds_csv_of("safety=unsafe:fuzz.csv");
	struct known_list list = {0};
	struct diagnostics d;
	struct error err;
	char *text = malloc(size + 1);
	must(text && roster_sort(&roster, &err));
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	diagnostics_init(&d, "fuzz");
	bool ok = bounds_csv_read(&csv, text, size, &roster, &list, &d, &err);
	must(ok == (d.count + d.dropped == 0) && (ok || err.status == STATUS_INPUT));
	for (size_t i = 0; i < d.count; i++)
		must(d.items[i].line > 0 && d.items[i].text[0] && !strpbrk(d.items[i].text, "\n\x1b"));
	for (uint32_t i = 0; ok && i < list.count; i++)
		check(&roster, list.items[i]);
	must(!ok || (list.count > 0 && csv.missing.sets < 4 && csv.missing.tasks < csv.missing.tasks_of));
	free(text);
	diagnostics_finish(&d);
	known_finish(&list);
	roster_finish(&roster);
	return 0;
}
