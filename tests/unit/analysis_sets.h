/* tests/unit/analysis_sets.h - task sets for tests of the analyses, written as the papers write them:
 *
 *   C2,3  CPU segment in [2, 3]       H, D, B  copy to the GPU, to the CPU, both in one
 *   G16,20,2,3/2  kernel of work in [16, 20], overhead 2, alpha = 3/2 for two virtual SMs per SM
 *   K7    kernel of one block of 7 */
#ifndef CEGSIM_TESTS_UNIT_ANALYSIS_SETS_H
#define CEGSIM_TESTS_UNIT_ANALYSIS_SETS_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "models/platform.h"
#include "models/taskset.h"
#include "tests/support/test.h"

#define SET_TASKS 64
#define SET_SEGMENTS 24

struct analysis_set {
	struct platform platform;
	struct taskset set;
	struct task tasks[SET_TASKS];
	struct segment segments[SET_TASKS][SET_SEGMENTS];
	struct interleave alpha[SET_TASKS][SET_SEGMENTS];
	char names[SET_TASKS][12];
	uint32_t rank[SET_TASKS];
	struct arena arena;
};

/* s must have static storage, or have been used before: its old contents are freed. */
static inline void set_begin(struct analysis_set *s, uint32_t sms, uint32_t virtual_sms)
{
	arena_finish(&s->arena);
	memset(s, 0, sizeof(*s));
	s->platform = platform_default();
	s->platform.sms = sms;
	s->platform.virtual_sms_per_sm = virtual_sms;
	s->set.tasks = s->tasks;
}

static inline void set_segment(struct segment *g, struct interleave *alpha, const char *text)
{
	char kind = text[0];
	*g = (struct segment){.stream = STREAM_OWN, .bytes = -1, .profile = -1};
	g->kind = kind == 'C' ? SEGMENT_CPU : kind == 'G' || kind == 'K' ? SEGMENT_KERNEL : SEGMENT_COPY;
	g->direction = kind == 'H' ? COPY_TO_GPU : kind == 'D' ? COPY_TO_CPU : COPY_BOTH;
	if (kind == 'K') {
		g->form = KERNEL_GRID;
		g->grid = g->block = 1;
		assert_int_equal(sscanf(text + 1, "%" SCNd64, &g->worst_ns), 1);
		g->best_ns = g->worst_ns;
	} else if (kind == 'G') {
		*alpha = (struct interleave){.virtual_sms = 2};
		g->form = KERNEL_WORK;
		g->interleave = alpha;
		g->interleaves = 1;
		assert_int_equal(sscanf(text + 1, "%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%" SCNd64 "/%" SCNd64,
					 &g->best_ns, &g->worst_ns, &g->overhead_ns, &alpha->numerator,
					 &alpha->denominator),
			5);
	} else {
		assert_int_equal(sscanf(text + 1, "%" SCNd64 ",%" SCNd64, &g->best_ns, &g->worst_ns), 2);
	}
}

static inline struct task *set_task(
	struct analysis_set *s, int64_t period, int64_t deadline, const char *chain)
{
	uint32_t id = s->set.task_count++;
	struct task *t = &s->tasks[id];
	char text[512];
	snprintf(s->names[id], sizeof(s->names[id]), "t%u", id + 1);
	*t = (struct task){
		.name = s->names[id],
		.period_ns = period,
		.deadline_ns = deadline,
		.segments = s->segments[id],
	};
	snprintf(text, sizeof(text), "%s", chain);
	for (char *rest = text, *item; (item = strsep(&rest, " ")) != NULL; t->segment_count++)
		set_segment(&t->segments[t->segment_count], &s->alpha[id][t->segment_count], item);
	taskset_ranks(&s->set, false, s->rank);
	return t;
}

static inline void set_end(struct analysis_set *s)
{
	arena_finish(&s->arena);
}

#endif
