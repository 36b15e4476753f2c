/* cli/tightness.c - see cli/tightness.h. */
#include "cli/tightness.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/int128.h"
#include "db/rows.h"

void tightness_note(struct tightness *t, enum bound_check check, int64_t observed_ns, int64_t bound_ns)
{
	t->counted[check]++;
	if (check != CHECK_HOLDS && check != CHECK_EXCEEDED)
		return;
	/* (0, 0.1], (0.1, 0.2], ...; a response of 0 and a bound of 0 are as near as can be. */
	if (check == CHECK_HOLDS && bound_ns > 0)
		t->tenths[observed_ns > 0 ? (int)(((int128)observed_ns * TIGHTNESS_TENTHS - 1) / bound_ns)
					  : 0]++;
	else if (check == CHECK_HOLDS)
		t->tenths[TIGHTNESS_TENTHS - 1]++;
	if (bound_ns <= 0)
		return;
	double ratio = (double)observed_ns / (double)bound_ns;
	t->ratios++;
	t->sum += ratio;
	t->worst = ratio > t->worst ? ratio : t->worst;
}

static double ms(int64_t ns)
{
	return (double)ns * 1e-6;
}

/* The words in the order of enum bound_check. */
#define COUNTS                                                                                               \
	"sets", "refused", "runs", "outside", "removing", "unbounded", "beyond_period", "exceeded",          \
		"truncated", "unanswered", "holds", "worst", "mean"

static void add_counts(struct table *t, const struct tightness *y)
{
	table_integer(t, y->sets);
	table_integer(t, y->refused);
	table_integer(t, y->runs);
	for (int check = 0; check < BOUND_CHECKS; check++)
		table_integer(t, y->counted[check]);
	y->ratios ? table_real(t, y->worst) : table_null(t);
	y->ratios ? table_real(t, y->sum / (double)y->ratios) : table_null(t);
}

static bool print_text(struct tightness *const *all, size_t count, struct error *err)
{
	static const char *const columns[] = {"policy", "analysis", COUNTS};
	static const char *const shares[] = {"policy", "analysis", "<=10%", "<=20%", "<=30%", "<=40%",
		"<=50%", "<=60%", "<=70%", "<=80%", "<=90%", "<=100%"};
	struct table t;
	table_begin(&t, stdout, TABLE_TEXT, columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < count; i++) {
		table_text(&t, all[i]->policy_label);
		table_text(&t, all[i]->label);
		add_counts(&t, all[i]);
	}
	if (!table_end(&t, err))
		return false;
	printf("\nBounds that hold, tasks in runs by observed / bound:\n\n");
	table_begin(&t, stdout, TABLE_TEXT, shares, sizeof(shares) / sizeof(*shares));
	for (size_t i = 0; i < count; i++) {
		table_text(&t, all[i]->policy_label);
		table_text(&t, all[i]->label);
		for (int k = 0; k < TIGHTNESS_TENTHS; k++)
			table_integer(&t, all[i]->tenths[k]);
	}
	return table_end(&t, err);
}

static void print_exceeded(struct tightness *const *all, size_t count, const char *file)
{
	for (size_t i = 0; i < count; i++) {
		const struct tightness *y = all[i];
		const struct violation *v = &y->first;
		int64_t exceeded = y->counted[CHECK_EXCEEDED];
		if (exceeded == 0)
			continue;
		printf("\n%s under %s: exceeded ", y->label, y->policy_label);
		exceeded == 1 ? printf("once") : printf("%" PRId64 " times", exceeded);
		printf("%s\n  first: run %" PRId64 ", task '%s'",
			y->unsafe ? "; its bounds are known to be unsafe" : "", v->run_id, v->task);
		if (v->seq != DB_NULL)
			printf(", job %" PRId64, v->seq);
		printf(": observed %s%.10g ms, bound %.10g ms\n  once more: cegsim run %s --run %" PRId64
		       "\n",
			v->unfinished ? "more than " : "", ms(v->observed_ns), ms(v->bound_ns), file,
			v->run_id);
	}
}

static bool print_flat(
	struct tightness *const *all, size_t count, enum table_format format, struct error *err)
{
	static const char *const columns[] = {"policy", "params", "analysis", "analysis_params", "safety",
		COUNTS, "to_10", "to_20", "to_30", "to_40", "to_50", "to_60", "to_70", "to_80", "to_90",
		"to_100", "run_id", "task", "seq", TABLE_MS("observed"), TABLE_MS("bound")};
	struct table t;
	table_begin(&t, stdout, format, columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < count; i++) {
		const struct tightness *y = all[i];
		const char *texts[] = {
			y->policy, y->policy_params, y->analysis, y->params, y->unsafe ? "unsafe" : "sound"};
		for (size_t k = 0; k < sizeof(texts) / sizeof(*texts); k++)
			table_text(&t, texts[k]);
		add_counts(&t, y);
		for (int k = 0; k < TIGHTNESS_TENTHS; k++)
			table_integer(&t, y->tenths[k]);
		bool any = y->counted[CHECK_EXCEEDED] > 0;
		any ? table_integer(&t, y->first.run_id) : table_null(&t);
		table_text(&t, any ? y->first.task : NULL);
		any && y->first.seq != DB_NULL ? table_integer(&t, y->first.seq) : table_null(&t);
		any ? table_time(&t, y->first.observed_ns) : table_null(&t);
		any ? table_time(&t, y->first.bound_ns) : table_null(&t);
	}
	return table_end(&t, err);
}

bool tightness_print(struct tightness *const *all, size_t count, const char *file, enum table_format format,
	struct error *err)
{
	if (format != TABLE_TEXT)
		return print_flat(all, count, format, err);
	if (!print_text(all, count, err))
		return false;
	print_exceeded(all, count, file);
	return true;
}
