/* tests/fuzz/fuzz_answer.c - libFuzzer on the answers of analyses in pipes: whatever the bytes, the answer is
 * read or what is wrong with it is said in one line, and a verdict never contradicts its bounds. How it is
 * run: tests/fuzz/meson.build. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "models/plan.h"
#include "policies/pipe/answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

#define TASKS 2u
static struct task tasks[TASKS] = {
	{.name = (char *)(uintptr_t) "slow", .period_ns = 100, .deadline_ns = 90},
	{.name = (char *)(uintptr_t) "fast", .period_ns = 50, .deadline_ns = 40},
};
static const struct taskset set = {.tasks = tasks, .task_count = TASKS};
static uint32_t order[TASKS] = {1, 0}; /* also the ranks */
static const struct plan plan = {.set = &set, .rank = order};

static void check(const struct analysis_result *r)
{
	bool late = false;
	must(!r->gave_up);
	must(!r->verdict.accepted || !r->refused);
	must(r->verdict.accepted || !strpbrk(r->verdict.reason, "\n\x1b"));
	for (uint32_t i = 0; i < TASKS && !r->refused; i++) {
		int64_t bound = r->task[i].response_ns;
		must(r->task[i].analysed && bound >= 0);
		late |= bound != NO_BOUND && bound > tasks[i].deadline_ns;
	}
	must(!late || !r->verdict.accepted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = {0};
	struct analysis_result result;
	struct error err = {.text = ""};
	const struct asked asked = {&plan, order, 7};
	must(analysis_begin(&result, TASKS, &arena, &err));
	/* A copy of its own, so that a byte too far is found. */
	char *line = malloc(size + !size);
	must(line);
	memcpy(line, data, size);
	if (answer_read(line, size, &asked, &result, &err))
		check(&result);
	else
		must(err.status == STATUS_INPUT && err.text[0] && !strchr(err.text, '\n') &&
			!strchr(err.text, '\x1b'));
	free(line);
	arena_finish(&arena);
	return 0;
}
