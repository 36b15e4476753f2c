/* tests/fuzz/fuzz_scenario.c - libFuzzer on the scenario reader: whatever the bytes, it ends, reports
 * or accepts, and what it accepts is within what the format promises, and begins to run under its policies.
 * How it is run: tests/fuzz/meson.build. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "models/programs.h"
#include "models/warps/warp_set.h"
#include "scenarios/scenario.h"
#include "tests/fuzz/first_events.h"

#define EVENTS_MOST 500

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* Its program is the one of its number, in this set. */
static void check_program(const struct taskset *set, const struct segment *g)
{
	must(set->programs && g->program < set->programs->count && g->step_count > 0);
	const struct warp_kernel *k = &set->programs->warps->kernels[g->program];
	must(k->steps == g->steps && k->step_count == g->step_count);
	must(k->blocks == g->grid && k->block_threads == g->block);
}

static void check_segment(const struct scenario *s, const struct segment *g)
{
	must(g->best_ns >= 0 && g->best_ns <= g->worst_ns);
	must(g->kind <= SEGMENT_WAIT && g->stream >= STREAM_NULL);
	if (g->kind != SEGMENT_KERNEL)
		return;
	must(s->platform.sms > 0 && g->form != KERNEL_WARPS);
	if (g->form == KERNEL_GRID || g->form == KERNEL_PROGRAM)
		must(g->grid > 0 && g->block > 0);
	if (g->form == KERNEL_PROGRAM)
		check_program(&s->set, g);
	if (g->times)
		must(g->form == KERNEL_GRID && g->times->count > 0 && g->times->count <= g->grid);
	for (uint32_t i = 0; g->times && i < g->times->count; i++) {
		const struct block_time *t = &g->times->block[i];
		must(g->times->own_draws
				? t->best_ns >= 1 && t->best_ns <= t->worst_ns && t->worst_ns <= g->worst_ns
				: t->share_ppm >= 1 && t->share_ppm <= 1000000);
	}
	if (g->form == KERNEL_PROFILE) {
		must(g->profile >= 0 && (uint32_t)g->profile < s->set.profile_count);
		must(s->set.profiles[g->profile].count >= s->platform.sms);
	}
	for (uint32_t i = 1; i < g->interleaves; i++)
		must(g->interleave[i].virtual_sms > g->interleave[i - 1].virtual_sms);
}

static void no_defect(void *self, uint32_t kernel, const char *text)
{
	(void)self;
	(void)kernel;
	(void)text;
	abort();
}

static void check_warps(const struct scenario *s)
{
	const struct warp_set *w = s->set.warps;
	must(w->kernel_count == s->set.task_count);
	must(warp_set_check(w, &s->platform, no_defect, NULL) == 0);
	must(warp_cycles(&w->machine, s->setup.horizon_ns) > 0);
	must(warp_cycles(&w->machine, s->setup.limit_ns) < INT64_MAX);
	for (uint32_t i = 0; i < s->set.task_count; i++) {
		const struct task *t = &s->set.tasks[i];
		must(t->name && *t->name && t->offset_ns >= 0 && t->period_ns >= 0 && t->deadline_ns >= 0);
		must(t->segment_count == warp_parts(&w->kernels[i]));
		for (uint32_t g = 0; g < t->segment_count; g++)
			must(t->segments[g].form == KERNEL_WARPS);
	}
}

static void check_blocks(const struct scenario *s)
{
	const struct program_set *programs = s->set.programs;
	must(!programs || (programs->count == programs->warps->kernel_count &&
				  warp_set_check(programs->warps, &s->platform, no_defect, NULL) == 0));
	for (uint32_t i = 0; i < s->set.task_count; i++) {
		const struct task *t = &s->set.tasks[i];
		must(t->name && *t->name && t->period_ns > 0 && t->deadline_ns > 0);
		must(t->offset_ns >= 0 && t->segment_count > 0);
		for (uint32_t j = 0; j < t->segment_count; j++)
			check_segment(s, &t->segments[j]);
	}
}

static void check_accepted(const struct scenario *s)
{
	struct error err;
	must(s->name && *s->name && s->set.task_count > 0);
	must(s->setup.horizon_ns > 0 && s->setup.limit_ns >= s->setup.horizon_ns);
	must(s->platform.engines <= 2 && s->platform.work_queues > 0 && s->platform.sms <= PLATFORM_MAX_SMS);
	if (s->set.warps)
		check_warps(s);
	else
		check_blocks(s);
	for (uint32_t i = 0; i < s->policy_count; i++) {
		must(s->policies[i].policy && scenario_takes(s, &s->policies[i], &err));
		if (!s->set.warps)
			must(first_events(&s->platform, &s->set, &s->setup, s->policies[i].policy,
				     &s->policies[i].params, EVENTS_MOST, &err) ||
				(err.status == STATUS_INPUT && err.text[0]));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct scenario s;
	struct diagnostics d;
	diagnostics_init(&d, "fuzz");
	bool ok = scenario_read_text("/nonexistent/fuzz.yaml", (const char *)data, size, &s, &d);
	must(ok == (d.count + d.dropped == 0));
	must(ok == (s.status == STATUS_OK));
	for (size_t i = 0; i < d.count; i++)
		must(d.items[i].text[0] && !strpbrk(d.items[i].text, "\n\x1b"));
	if (ok)
		check_accepted(&s);
	scenario_finish(&s);
	diagnostics_finish(&d);
	return 0;
}
