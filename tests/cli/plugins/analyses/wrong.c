/* Bounds that are no bounds, each as the option says. */
#include <cegsim_analysis.h>
#include <stdlib.h>
#include <string.h>

#define WAYS(WORD)                                                                                           \
	WORD(NOTHING, "nothing")                                                                             \
	WORD(NO_VERDICT, "no-verdict")                                                                       \
	WORD(NO_TASK, "no-task")                                                                             \
	WORD(FAILING_TASK, "failing-task")                                                                   \
	WORD(ENDLESS_REASON, "endless-reason")                                                               \
	WORD(ACCEPTED_REFUSAL, "accepted-refusal")                                                           \
	WORD(FAILED_COUNT, "failed-count")                                                                   \
	WORD(FAILED_TASK, "failed-task")                                                                     \
	WORD(ASSUMES, "assumes")                                                                             \
	WORD(ASSUMES_FROM, "assumes-from")                                                                   \
	WORD(NEGATIVE, "negative")                                                                           \
	WORD(LATE, "late")                                                                                   \
	WORD(PART_KIND, "part-kind")                                                                         \
	WORD(PART_BY, "part-by")                                                                             \
	WORD(PART_NEGATIVE, "part-negative")                                                                 \
	WORD(PARTS_NULL, "parts-null")                                                                       \
	WORD(PARTS_SUM, "parts-sum")                                                                         \
	WORD(GIVES_UP, "gives-up")                                                                           \
	WORD(FAILS, "fails")                                                                                 \
	WORD(FAILS_SILENTLY, "fails-silently")                                                               \
	WORD(NO_MEMORY, "no-memory")                                                                         \
	WORD(CRASH, "crash")                                                                                 \
	WORD(NO_PARTS, "no-parts")
enum way { WAYS(WORD_VALUE) };
#define CHOICE(value, word) "|" word

static const struct option options[] = {
	{.name = "how",
		.kind = OPTION_CHOICE,
		.choices = &WAYS(CHOICE)[1],
		.fallback = "nothing",
		.help = "what"},
	{0},
};

static void spoil_task(enum way how, struct analysis_result *result, struct task_bound *b)
{
	if (how == FAILED_COUNT)
		result->failed_count = 1000;
	if (how == FAILED_TASK)
		result->failed[result->failed_count++] = 1000;
	if (how == ASSUMES)
		b->assumes = 1;
	if (how == ASSUMES_FROM)
		b->assumes_from = 1;
	if (how == NEGATIVE)
		b->response_ns = -1;
	if (how == LATE)
		verdict_accept(&result->verdict);
	if (how == LATE)
		b->response_ns = NO_BOUND - 1;
	if (how == PART_KIND)
		b->parts[0].kind = 17;
	if (how == PART_BY)
		b->parts[0] = (struct bound_part){BOUND_INTERFERENCE, 1000, b->response_ns};
	if (how == PART_NEGATIVE)
		b->parts[0].amount_ns = -1;
	if (how == PARTS_NULL)
		b->parts = NULL;
	if (how == PARTS_SUM)
		b->response_ns--;
	if (how == NO_PARTS)
		b->part_count = 0;
}

static void spoil(enum way how, struct analysis_result *result)
{
	struct verdict *v = &result->verdict;
	if (how == NO_VERDICT)
		*v = (struct verdict){.failing_task = NO_FAILING_TASK};
	if (how == NO_TASK)
		result->task = NULL;
	if (how == FAILING_TASK)
		verdict_refuse(v, 1000, "late");
	if (how == ENDLESS_REASON) {
		verdict_refuse(v, 0, "late");
		memset(v->reason, 'x', sizeof(v->reason));
	}
	if (how == ACCEPTED_REFUSAL) {
		analysis_refuse(result, 0, "it does not hold");
		v->accepted = true;
	}
	if (how == GIVES_UP)
		analysis_give_up(result, "cannot say");
	if (how == CRASH)
		abort();
	if (result->task)
		spoil_task(how, result, &result->task[0]);
}

static bool bound(const struct plan *plan, const struct params *params, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	enum way how = params_choice(params, "how");
	if (how == FAILS)
		return error_set(err, STATUS_INPUT, "these options contradict each other");
	if (how == NO_MEMORY)
		return error_memory(err, "the bounds of mine");
	if (how == FAILS_SILENTLY || !analysis_begin(result, plan->set->task_count, arena, err))
		return false;
	for (uint32_t i = 0; i < plan->set->task_count; i++)
		analysis_sums(result, i,
			&(struct bound_sums){.response_ns = plan->set->tasks[i].deadline_ns,
				.own_ns = plan->set->tasks[i].deadline_ns});
	analysis_judge(result, plan);
	spoil(how, result);
	return true;
}

static const struct analysis wrong = {.name = "wrong",
	.summary = "a test",
	.source = "ours",
	.assumptions = "none.",
	.version = 1,
	.policies = ANALYSIS_ANY_POLICY,
	.options = options,
	.bound = bound};
CEGSIM_ANALYSIS(wrong);
