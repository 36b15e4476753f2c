/* cli/bounds_table.c - see cli/bounds_table.h. */
#include "cli/bounds_table.h"

#include <inttypes.h>

#include "base/say.h"

static const enum bound_part_kind kinds[] = {
	BOUND_OWN, BOUND_COPY, BOUND_GPU, BOUND_BLOCKING, BOUND_INTERFERENCE};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

/* The task with this rank in the plan's order. */
static uint32_t task_at(const struct plan *plan, uint32_t rank)
{
	uint32_t task = 0;
	while (plan->rank[task] != rank)
		task++;
	return task;
}

static bool bounded(const struct task_bound *b)
{
	return b->analysed && b->response_ns != NO_BOUND;
}

static void add_bound(struct table *t, const struct task_bound *b)
{
	bounded(b) ? table_time(t, b->response_ns) : table_null(t);
}

static void add_parts(struct table *t, const struct task_bound *b)
{
	for (size_t i = 0; i < KINDS; i++)
		bounded(b) && b->part_count ? table_time(t, bound_part_sum(b, kinds[i])) : table_null(t);
}

/* "t2, t4": the tasks that must keep their deadlines for the bound to hold; NULL: none. */
static void add_assumed(struct table *t, const struct answer *a, const struct task_bound *b)
{
	struct text names = {0};
	for (uint32_t i = b->assumes_from; bounded(b) && i < b->assumes; i++)
		text_printf(&names, "%s%s", i > b->assumes_from ? ", " : "",
			a->bounding->spec.set->tasks[a->bounds.failed[i]].name);
	if (names.length || names.failed)
		table_built(t, &names);
	else
		table_null(t);
	text_finish(&names);
}

static bool any_assumed(const struct answer *answers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (uint32_t k = 0; answers[i].bounds.task && k < answers[i].bounding->spec.set->task_count;
			k++)
			if (answers[i].bounds.task[k].assumes > 0)
				return true;
	return false;
}

static const char *failing(const struct answer *a)
{
	const struct taskset *set = a->bounding->spec.set;
	return a->bounds.failing_task < set->task_count ? set->tasks[a->bounds.failing_task].name : NULL;
}

/* ---- tables for people ---- */

static bool print_verdicts(const struct answer *answers, size_t count, struct error *err)
{
	static const char *const columns[] = {"policy", "analysis", "verdict", "failing", "reason"};
	char label[PARAMS_LABEL_MAX];
	struct table t;
	table_begin(&t, stdout, TABLE_TEXT, columns, sizeof(columns) / sizeof(*columns));
	for (const struct answer *a = answers; a < answers + count; a++) {
		table_text(&t, policy_use_label(a->policy, label));
		table_text(&t, analysis_use_label(a->bounds.use, label));
		table_text(&t, bounds_verdict_name(a->bounds.verdict));
		table_text(&t, failing(a));
		table_text(&t, a->bounds.reason[0] ? a->bounds.reason : NULL);
	}
	return table_end(&t, err);
}

static const char *task_verdict(const struct task_bound *b, int64_t deadline_ns)
{
	if (!b->analysed)
		return "not reached";
	if (b->assumes > 0)
		return b->response_ns <= deadline_ns ? "in time if" : "late if";
	return b->response_ns <= deadline_ns ? "in time" : b->response_ns == NO_BOUND ? "no bound" : "late";
}

static bool print_tasks(const struct answer *answers, size_t count, struct error *err)
{
	static const char *const columns[] = {"policy", "analysis", "task", "rank", TABLE_MS("deadline"),
		TABLE_MS("bound"), "verdict", TABLE_MS("own"), TABLE_MS("copy"), TABLE_MS("gpu"),
		TABLE_MS("blocking"), TABLE_MS("interference"), "assumes_in_time"};
	bool assumed = any_assumed(answers, count);
	char label[PARAMS_LABEL_MAX];
	struct table t;
	table_begin(&t, stdout, TABLE_TEXT, columns, sizeof(columns) / sizeof(*columns) - !assumed);
	for (const struct answer *a = answers; a < answers + count; a++) {
		const struct taskset *set = a->bounding->spec.set;
		for (uint32_t rank = 0; a->bounds.task && rank < set->task_count; rank++) {
			uint32_t i = task_at(&a->bounding->plan, rank);
			const struct task_bound *b = &a->bounds.task[i];
			table_text(&t, policy_use_label(a->policy, label));
			table_text(&t, analysis_use_label(a->bounds.use, label));
			table_text(&t, set->tasks[i].name);
			table_integer(&t, rank);
			table_time(&t, set->tasks[i].deadline_ns);
			add_bound(&t, b);
			table_text(&t, task_verdict(b, set->tasks[i].deadline_ns));
			add_parts(&t, b);
			if (assumed)
				add_assumed(&t, a, b);
		}
	}
	return table_end(&t, err);
}

/* ---- a table for programs ---- */

/* {"tau1": 2500000, "": 1}: interference by task, in ns; "" stands for no particular task. */
static void add_interference(struct table *t, const struct taskset *set, const struct task_bound *b)
{
	struct text json = {0};
	text_add(&json, "{");
	for (uint32_t i = 0; i < b->part_count; i++) {
		const struct bound_part *p = &b->parts[i];
		if (p->kind != BOUND_INTERFERENCE)
			continue;
		text_add(&json, json.length > 1 ? ", " : "");
		text_add_json(&json, p->by < set->task_count ? set->tasks[p->by].name : "");
		text_printf(&json, ": %" PRId64, p->amount_ns);
	}
	text_add(&json, "}");
	table_built(t, &json);
	text_finish(&json);
}

static void add_task(struct table *t, const struct answer *a, uint32_t i)
{
	const struct plan *plan = &a->bounding->plan;
	const struct task *task = &plan->set->tasks[i];
	const struct task_bound *b = &a->bounds.task[i];
	const struct grant *g = plan->grants && plan->grants[i].count ? &plan->grants[i] : NULL;
	table_text(t, task->name);
	table_integer(t, plan->rank[i]);
	g ? table_integer(t, g->count) : table_null(t);
	g && g->slots ? table_integer(t, g->virtual_sms) : table_null(t);
	table_time(t, task->deadline_ns);
	add_bound(t, b);
	b->analysed && b->assumes == 0 ? table_text(t, b->response_ns <= task->deadline_ns ? "yes" : "no")
				       : table_null(t);
	add_parts(t, b);
	if (bounded(b))
		add_interference(t, plan->set, b);
	else
		table_null(t);
	add_assumed(t, a, b);
}

static void add_answer(struct table *t, const struct answer *a)
{
	char json[PARAMS_JSON_MAX];
	const struct bounds *b = &a->bounds;
	table_text(t, a->policy->policy->name);
	table_text(t, params_json_text(&a->policy->params, json));
	table_text(t, b->use->analysis->name);
	table_text(t, analysis_use_json(b->use, json));
	table_integer(t, b->use->analysis->version);
	table_text(t, analysis_use_unsafe(b->use) ? "unsafe" : "sound");
	table_text(t, bounds_verdict_name(b->verdict));
	table_text(t, failing(a));
	table_text(t, b->reason[0] ? b->reason : NULL);
}

static bool print_flat(
	const struct answer *answers, size_t count, enum table_format format, struct error *err)
{
	static const char *const columns[] = {"policy", "params", "analysis", "analysis_params", "version",
		"safety", "verdict", "failing", "reason", "task", "rank", "sms", "virtual_sms",
		TABLE_MS("deadline"), TABLE_MS("bound"), "meets", TABLE_MS("own"), TABLE_MS("copy"),
		TABLE_MS("gpu"), TABLE_MS("blocking"), TABLE_MS("interference"), "interference_by_ns",
		"assumes_in_time"};
	enum { OF_ANSWER = 9 };
	struct table t;
	size_t all = sizeof(columns) / sizeof(*columns);
	table_begin(&t, stdout, format, columns, all);
	for (const struct answer *a = answers; a < answers + count; a++) {
		uint32_t tasks = a->bounding->spec.set->task_count;
		for (uint32_t rank = 0; a->bounds.task && rank < tasks; rank++) {
			add_answer(&t, a);
			add_task(&t, a, task_at(&a->bounding->plan, rank));
		}
		if (a->bounds.task && tasks > 0)
			continue;
		add_answer(&t, a);
		for (size_t i = OF_ANSWER; i < all; i++)
			table_null(&t);
	}
	return table_end(&t, err);
}

/* Of the analyses that say something about chains. */
static bool print_chains(const struct answer *answers, size_t count, struct error *err)
{
	static const char *const columns[] = {"policy", "analysis", "chain", TABLE_MS("bound"),
		TABLE_MS("age_limit"), TABLE_MS("reaction_limit")};
	char label[PARAMS_LABEL_MAX];
	struct table t;
	putchar('\n');
	table_begin(&t, stdout, TABLE_TEXT, columns, sizeof(columns) / sizeof(*columns));
	for (const struct answer *a = answers; a < answers + count; a++) {
		const struct taskset *set = a->bounding->spec.set;
		for (uint32_t i = 0; a->bounds.chain_ns && i < set->chain_count; i++) {
			const struct effect_chain *c = &set->chains[i];
			int64_t ns = a->bounds.chain_ns[i];
			table_text(&t, policy_use_label(a->policy, label));
			table_text(&t, analysis_use_label(a->bounds.use, label));
			table_text(&t, c->name);
			ns == NO_BOUND ? table_null(&t) : table_time(&t, ns);
			c->age_ns ? table_time(&t, c->age_ns) : table_null(&t);
			c->reaction_ns ? table_time(&t, c->reaction_ns) : table_null(&t);
		}
	}
	return table_end(&t, err);
}

bool bounds_print(const struct answer *answers, size_t count, enum table_format format, struct error *err)
{
	bool any = false, chains = false;
	if (format != TABLE_TEXT)
		return print_flat(answers, count, format, err);
	if (!print_verdicts(answers, count, err))
		return false;
	for (size_t i = 0; i < count; i++)
		any = any || answers[i].bounds.task, chains = chains || answers[i].bounds.chain_ns;
	if (!any)
		return true;
	putchar('\n');
	return print_tasks(answers, count, err) && (!chains || print_chains(answers, count, err));
}

void bounds_print_sources(FILE *out, const struct answer *answers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct analysis *analysis = answers[i].bounds.use->analysis;
		bool said = false;
		for (size_t k = 0; k < i; k++)
			said = said || answers[k].bounds.use->analysis == analysis;
		if (!said)
			say(out, "\n%s: %s\n  source: %s\n  assumes: %s\n", analysis->name, analysis->summary,
				analysis->source, analysis->assumptions);
	}
}
