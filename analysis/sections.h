/* analysis/sections.h - a task as CPU segments and GPU sections (models/policy.h), each with the time that it
 * takes undisturbed. For analyses that take a section as a whole: as a suspension, or as one request for the
 * GPU.
 *
 * Overheads of the platform are part of them; those of the core only as far as analysis/overheads.c has put
 * them there. Segments with a worst case of 0 take no time and are left out; a CPU segment of length 0 still
 * ends a section (docs/model.md, "Gates"), and so does an operation on another GPU (N2). */
#ifndef CEGSIM_ANALYSIS_SECTIONS_H
#define CEGSIM_ANALYSIS_SECTIONS_H

#include "analysis/verdict.h"
#include "models/policy.h"

struct section_part {
	bool gpu;                  /* a GPU section; else a CPU segment */
	int64_t best_ns, worst_ns; /* worst > 0 */
};

struct section_task {
	struct section_part *part; /* [count] in the order of the job; may be none */
	uint32_t count;
	uint32_t sections;
	bool copies, kernels;                  /* whether it has some, of worst case > 0 */
	int64_t cpu_ns, copies_ns, kernels_ns; /* sums of worst cases; together below SECTIONS_LONGEST */
	int64_t deadline_ns, period_ns;
	uint32_t on_gpu; /* the GPU of its sections; SECTIONS_NO_GPU: it has none */
	bool apart;      /* they are on several GPUs: on_gpu is that of the first */
};

#define SECTIONS_NO_GPU UINT32_MAX

#define SECTIONS_LONGEST (INT64_MAX / 4)

/* By task index. Kernels run alone on the SMs of the plan's grants, else on all SMs of the GPU that they
 * name; copies never wait. *refused: some kernel has no time there, or a task is longer than
 * SECTIONS_LONGEST; *v says which. False: out of memory. */
CEGSIM_API MUST_CHECK bool sections_build(const struct plan *plan, struct arena *arena,
	struct section_task **tasks, bool *refused, struct verdict *v, struct error *err);

/* The first task that uses the GPU in the process of another one that does; NO_FAILING_TASK: none. False: out
 * of memory. */
MUST_CHECK bool sections_sharing(const struct plan *plan, const struct section_task *tasks,
	struct arena *arena, uint32_t *task, struct error *err);
/* That there is none. False with the reason; else *v stays as it is. */
MUST_CHECK bool sections_apart(const struct plan *plan, uint32_t sharing, struct verdict *v);

/* Refuses tasks with sections on several GPUs. Returns whether each task's are on one. */
CEGSIM_API MUST_CHECK bool sections_on_one_gpu(
	const struct plan *plan, const struct section_task *tasks, struct verdict *v);

/* Best and worst case of a segment alone: a kernel on the SMs of the plan's grants, else on all SMs. False:
 * the kernel has no time there, or takes longer than SECTIONS_LONGEST; *reason is a clause, such as has
 * blocks that do not fit an SM */
CEGSIM_API MUST_CHECK bool plan_segment_times(const struct plan *plan, uint32_t task, uint32_t segment,
	int64_t *best_ns, int64_t *worst_ns, struct error *reason);

#endif
