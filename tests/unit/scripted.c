/* tests/unit/scripted.c - see tests/unit/scripted.h. */
#include "tests/unit/scripted.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/test.h"

struct maker k;
struct script script;

void note(char text[SCRIPT_TEXT], const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list args;
	va_start(args, fmt);
	vsnprintf(text + used, SCRIPT_TEXT - used, fmt, args);
	va_end(args);
}

static void decide(struct gate *g, void *state)
{
	note(script.calls, "%" PRId64 ":%u/%u ", gate_now(g), gate_waiting(g), gate_admitted(g));
	script.decide(g, state);
}

static bool plan(struct plan *p, struct error *err)
{
	(void)err;
	p->unit = script.unit;
	p->kernel_order = script.order;
	p->decide = decide;
	p->wakes = script.wakes;
	p->grants_at_run_time = script.grants;
	p->grants = script.fixed;
	script.calls[0] = script.seen[0] = '\0';
	return true;
}

const struct policy scripted = {.name = "scripted", .plan = plan};

int scripted_begin(void **state)
{
	maker_init(&k, 100);
	k.platform.sms = 4;
	k.platform.threads_per_sm = 128;
	k.platform.engines = ENGINES_UNLIMITED;
	script = (struct script){.unit = GATE_SECTION_KERNELS, .order = order_by_priority};
	return 0;
}

int scripted_end(void **state)
{
	maker_finish(&k);
	return 0;
}

void kernel_task(int64_t offset, int64_t deadline, int64_t time)
{
	maker_task(&k, "t", 1000, deadline, offset);
	maker_grid(&k, 4, 128, time);
}

void section_task(int64_t offset, int64_t deadline)
{
	maker_task(&k, "t", 1000, deadline, offset);
	maker_copy(&k, COPY_TO_GPU, 2);
	maker_grid(&k, 4, 128, 3);
	maker_copy(&k, COPY_BOTH, 2);
	maker_grid(&k, 4, 128, 3);
	maker_copy(&k, COPY_TO_CPU, 2);
}

void runs(const char *what)
{
	struct observed o = observe_under(&k, &scripted);
	assert_string_equal(spans(&o), what);
	observed_finish(&o);
}
