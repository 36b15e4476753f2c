/* models/warps/inside.h - programs of warps as kernels of tasks: what the engine of blocks asks for through
 * models/programs.h (docs/model.md, "Programs of warps"). */
#ifndef CEGSIM_MODELS_WARPS_INSIDE_H
#define CEGSIM_MODELS_WARPS_INSIDE_H

#include "models/programs.h"
#include "models/warps/options.h"

extern const struct program_runner warp_program_runner;

/* Collects the programs of the set's kernels of form program into set->programs, whose machine and scheduler
 * the caller gives. A set without such kernels gets none. *ok false: out of memory, or more than
 * WARP_KERNELS_MAX of them (then *count is their number). */
MUST_CHECK bool programs_collect(struct taskset *set, const struct warp_machine *machine,
	enum warp_scheduler_kind scheduler, uint32_t *count);

/* Whether a platform can have programs as kernels of tasks: the engine of warps has WARPS_PER_SM_MAX places
 * for warps on an SM, and that of blocks must not give it more. False: *err. */
MUST_CHECK bool inside_fits(const struct platform *platform, struct error *err);

/* How warps are scheduled inside of SMs to which another engine gives blocks: no manager, defaults. */
struct warp_options inside_options(enum warp_scheduler_kind scheduler);

/* Whether warps inside may be scheduled so: `lrr`, `gto` or `oldest`. */
bool inside_scheduler(enum warp_scheduler_kind scheduler);

/* The first cycle that begins at `ns` or later, and the first nanosecond at which a cycle has begun: ceil(ns
 * * clock / 10^9), ceil(cycle * 10^9 / clock). */
int64_t inside_cycle(const struct warp_machine *m, int64_t ns);
int64_t inside_ns(const struct warp_machine *m, int64_t cycle);

#endif
