/* cli/tightness.c - see cli/tightness.h. */
#include "cli/tightness.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/int128.h"
#include "db/rows.h"

void tightness_note(struct tightness *t, int64_t observed_ns, int64_t bound_ns)
{
	double ratio = bound_ns > 0 ? (double)observed_ns / (double)bound_ns : observed_ns > 0 ? 2 : 1;
	t->compared++;
	t->sum += ratio;
	t->worst = ratio > t->worst ? ratio : t->worst;
	/* (0, 0.1], (0.1, 0.2], ...; beyond the bound it is a violation. */
	int128 tenth = bound_ns > 0 ? ((int128)observed_ns * TIGHTNESS_TENTHS - 1) / bound_ns : TIGHTNESS_TENTHS - 1;
	if (observed_ns <= bound_ns)
		t->tenths[observed_ns > 0 ? (int)tenth : bound_ns > 0 ? 0 : TIGHTNESS_TENTHS - 1]++;
}

static double ms(int64_t ns)
{
	return (double)ns * 1e-6;
}

static void add_means(struct table *t, const struct tightness *y)
{
	y->compared ? table_real(t, y->worst) : table_null(t);
	y->compared ? table_real(t, y->sum / (double)y->compared) : table_null(t);
}

static bool print_text(struct tightness *const *all, size_t count, struct error *err)
{
	static const char *const columns[] = { "policy", "analysis", "sets", "refused", "runs", "truncated", "removing",
		"outside", "beyond", "compared", "violations", "worst", "mean" };
	static const char *const shares[] = { "policy", "analysis", "<=10%", "<=20%", "<=30%", "<=40%", "<=50%", "<=60%",
		"<=70%", "<=80%", "<=90%", "<=100%" };
	struct table t;
	table_begin(&t, stdout, TABLE_TEXT, columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < count; i++) {
		const struct tightness *y = all[i];
		table_text(&t, y->policy_label);
		table_text(&t, y->label);
		const int64_t counts[] = { y->sets, y->refused, y->runs, y->truncated, y->removing, y->outside, y->beyond, y->compared,
			y->violations };
		for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
			table_integer(&t, counts[k]);
		add_means(&t, y);
	}
	if (!table_end(&t, err))
		return false;
	printf("\nTasks in runs by observed / bound:\n\n");
	table_begin(&t, stdout, TABLE_TEXT, shares, sizeof shares / sizeof *shares);
	for (size_t i = 0; i < count; i++) {
		table_text(&t, all[i]->policy_label);
		table_text(&t, all[i]->label);
		for (int k = 0; k < TIGHTNESS_TENTHS; k++)
			table_integer(&t, all[i]->tenths[k]);
	}
	return table_end(&t, err);
}

static void print_violations(struct tightness *const *all, size_t count, const char *file)
{
	for (size_t i = 0; i < count; i++) {
		const struct tightness *y = all[i];
		const struct violation *v = &y->first;
		if (y->violations == 0)
			continue;
		printf("\n%s under %s: %" PRId64 " violation%s%s\n  first: run %" PRId64 ", task '%s'", y->label,
			y->policy_label, y->violations, y->violations == 1 ? "" : "s",
			y->unsafe ? ", of bounds that are known to be unsafe" : "", v->run_id, v->task);
		if (v->seq != DB_NULL)
			printf(", job %" PRId64, v->seq);
		printf(": observed %.10g ms, bound %.10g ms\n  once more: cegsim run %s --run %" PRId64 "\n",
			ms(v->observed_ns), ms(v->bound_ns), file, v->run_id);
	}
}

static bool print_flat(struct tightness *const *all, size_t count, enum table_format format, struct error *err)
{
	static const char *const columns[] = { "policy", "params", "analysis", "analysis_params", "safety", "sets",
		"refused", "runs", "truncated", "removing", "outside", "beyond", "compared", "violations", "worst", "mean", "to_10",
		"to_20", "to_30", "to_40", "to_50", "to_60", "to_70", "to_80", "to_90", "to_100", "run_id", "task", "seq",
		"observed_ms", "bound_ms" };
	struct table t;
	table_begin(&t, stdout, format, columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < count; i++) {
		const struct tightness *y = all[i];
		const char *texts[] = { y->policy, y->policy_params, y->analysis, y->params, y->unsafe ? "unsafe" : "sound" };
		const int64_t counts[] = { y->sets, y->refused, y->runs, y->truncated, y->removing, y->outside, y->beyond, y->compared,
			y->violations };
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
			table_text(&t, texts[k]);
		for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
			table_integer(&t, counts[k]);
		add_means(&t, y);
		for (int k = 0; k < TIGHTNESS_TENTHS; k++)
			table_integer(&t, y->tenths[k]);
		bool any = y->violations > 0;
		any ? table_integer(&t, y->first.run_id) : table_null(&t);
		table_text(&t, any ? y->first.task : NULL);
		any && y->first.seq != DB_NULL ? table_integer(&t, y->first.seq) : table_null(&t);
		any ? table_real(&t, ms(y->first.observed_ns)) : table_null(&t);
		any ? table_real(&t, ms(y->first.bound_ns)) : table_null(&t);
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
	print_violations(all, count, file);
	return true;
}
