/* cli/run_sets.c - what `cegsim run` says of scenarios before it runs them: planned utilisations, and
 * warnings of what is odd. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "cli/run_parts.h"
#include "models/power.h"

static void warn_of_power(const struct scenario *s)
{
	uint32_t task, segment, most;
	if (!power_below_idle(&s->platform, &s->set, &task, &segment, &most))
		return;
	const struct segment *kernel = &s->set.tasks[task].segments[segment];
	say(stderr,
		"cegsim: warning: %s: the measured power of profile '%s' is below static and idle power on "
		"up to %u SM%s; energies where kernels share the GPU come out too low\n",
		s->name, s->set.profiles[kernel->profile].name, most, plural(most));
}

#define CUDA_BLOCK_MAX 1024 /* threads, on every compute capability from 2.0 on */

/* The model has no such limit, but no GPU takes so many threads: most likely a slip. */
static void warn_of_block(const struct scenario *s, const char *name, uint32_t threads)
{
	say(stderr, "cegsim: warning: %s: '%s' has blocks of %u threads; on a GPU a block has at most %d\n",
		s->name, name, threads, CUDA_BLOCK_MAX);
}

static void warn_of_blocks(const struct scenario *s)
{
	for (uint32_t i = 0; i < s->set.task_count; i++) {
		const struct task *t = &s->set.tasks[i];
		uint32_t most = 0;
		for (uint32_t j = 0; j < t->segment_count; j++)
			if (t->segments[j].kind == SEGMENT_KERNEL && t->segments[j].block > most)
				most = t->segments[j].block;
		if (most > CUDA_BLOCK_MAX)
			warn_of_block(s, t->name, most);
	}
}

static bool has_sm(const struct segment *s, uint32_t sm)
{
	for (uint32_t i = 0; i < s->sm_count; i++)
		if (s->sms[i] == sm)
			return true;
	return false;
}

/* The first SM of a TPC of which the segment's mask has one half; UINT32_MAX: of none. */
static uint32_t split_tpc(const struct platform *platform, const struct segment *s)
{
	const struct platform *gpu = platform_gpu(platform, s->gpu);
	for (uint32_t sm = 0; gpu->sms_per_tpc == 2 && s->sm_count > 0 && sm + 1 < gpu->sms; sm += 2)
		if (has_sm(s, sm) != has_sm(s, sm + 1))
			return sm;
	return UINT32_MAX;
}

/* Masks of real GPUs have whole TPCs (libsmctrl; Bakita and Anderson, RTAS 2023). */
static void warn_of_masks(const struct scenario *s)
{
	for (uint32_t i = 0; i < s->set.task_count; i++) {
		const struct task *t = &s->set.tasks[i];
		for (uint32_t j = 0; j < t->segment_count; j++) {
			uint32_t sm = split_tpc(&s->platform, &t->segments[j]);
			if (sm == UINT32_MAX)
				continue;
			say(stderr,
				"cegsim: warning: %s: 'sms' of task '%s' splits the TPC of SMs %u "
				"and %u; masks of a GPU have whole TPCs\n",
				s->name, t->name, sm, sm + 1);
			return;
		}
	}
}

static void print_machine(const struct scenario *s, FILE *out)
{
	const struct warp_machine *m = &s->set.warps->machine;
	say(out, "%s: %u kernel%s of warps on %u SM%s with %u sub-core%s%s at %.3g GHz\n", s->name,
		s->set.warps->kernel_count, plural(s->set.warps->kernel_count), s->platform.sms,
		plural(s->platform.sms), m->sub_cores, plural(m->sub_cores),
		s->platform.sms == 1 ? "" : " each", (double)m->clock_hz * 1e-9);
	for (uint32_t i = 0; i < s->set.warps->kernel_count; i++) {
		if (s->set.warps->kernels[i].goal.kind == GOAL_NONE || s->setup.stop != STOP_DRAINED)
			continue;
		say(stderr,
			"cegsim: warning: %s: goals are judged to the end of the run, but with "
			"'stop: drained' nothing is launched after the horizon; 'stop: horizon' is "
			"meant for goals\n",
			s->name);
		return;
	}
}

static bool mixes_stream_priorities(const struct taskset *set)
{
	bool found[2] = {false, false};
	for (uint32_t i = 0; i < set->task_count; i++)
		for (uint32_t j = 0; j < set->tasks[i].segment_count; j++) {
			const struct segment *g = &set->tasks[i].segments[j];
			if (g->kind == SEGMENT_KERNEL)
				found[g->stream_high] = true;
		}
	return found[0] && found[1];
}

/* Yang and Anderson's policy has no stream priorities, the hardware has. */
static void tell_of_priorities(const struct run_command *c, uint32_t scenario, FILE *out)
{
	const struct scenario *s = &c->scenarios[scenario];
	for (uint32_t i = 0; i < c->run_count; i++) {
		const struct policy_use *use = &c->runs[i].use;
		if (c->runs[i].scenario != scenario || strcmp(use->policy->name, "fifo-cke") != 0 ||
			params_choice(&use->params, "priorities") != 0)
			continue;
		if (mixes_stream_priorities(&s->set))
			say(out,
				"%s: fifo-cke honours stream priorities: kernels of high streams go first;"
				" fifo-cke:priorities=ignore takes all streams alike\n",
				s->name);
		return;
	}
}

/* Of all GPUs; 0: one of them has no limit. */
static int64_t platform_threads(const struct platform *p)
{
	int64_t threads = 0;
	for (uint32_t g = 0; g < platform_gpus(p); g++) {
		const struct platform *gpu = platform_gpu(p, g);
		if (gpu->sms > 0 && gpu->threads_per_sm == 0)
			return 0;
		threads += (int64_t)gpu->sms * gpu->threads_per_sm;
	}
	return threads;
}

void run_print_sets(const struct run_command *c, FILE *out)
{
	for (uint32_t i = 0; i < c->files.count; i++) {
		const struct scenario *s = &c->scenarios[i];
		warn_of_blocks(s);
		warn_of_masks(s);
		if (s->set.warps) {
			print_machine(s, out);
			continue;
		}
		struct utilisation u = taskset_utilisation(&s->set, &s->platform);
		int64_t threads = platform_threads(&s->platform);
		say(out, "%s: %u task%s on %s; planned utilisation: cpu %.3f, copy %.3f, gpu %.3f", s->name,
			s->set.task_count, plural(s->set.task_count), s->platform.name, u.cpu, u.copy, u.gpu);
		if (u.threads > 0 && threads > 0)
			say(out, "; U_sum (threads in use on average): %.1f of %" PRId64, u.threads, threads);
		fputc('\n', out);
		warn_of_power(s);
		tell_of_priorities(c, i, out);
	}
	fflush(out);
}
