/* models/warps/simulation.h - one run of kernels of warps (docs/warps.md). It is event-driven: a cycle in
 * which a sub-core cannot issue costs nothing.
 *
 *     warp_simulation_create(...)  ->  trace_observe(...), warp_simulation_observe(...)
 *     while (warp_simulation_step(w, n) == SIMULATION_RUNNING) ...
 *     warp_simulation_outcome(w), warp_simulation_kernel(w, k), ...; warp_simulation_destroy(w)
 *
 * A run is a function of its inputs. It allocates when it is created and never after. */
#ifndef CEGSIM_MODELS_WARPS_SIMULATION_H
#define CEGSIM_MODELS_WARPS_SIMULATION_H

#include "base/int128.h"
#include "models/setup.h"
#include "models/simulation.h"
#include "models/warps/options.h"
#include "models/warps/records.h"

struct warp_simulation;

/* All arguments are kept by reference until warp_simulation_destroy(). set->warps has passed
 * warp_set_check(). alone: the IPC of each kernel when it runs alone, in millionths; needed if a goal is a
 * share of it. NULL: not measured. */
MUST_CHECK bool warp_simulation_create(const struct platform *platform, const struct taskset *set,
	const struct run_setup *setup, const struct warp_options *options, const int64_t *alone,
	struct warp_simulation **simulation, struct error *err);
void warp_simulation_destroy(struct warp_simulation *w); /* accepts NULL */

/* Records of jobs, kernels and blocks, in ns. Observe it before the first step. */
struct trace *warp_simulation_trace(struct warp_simulation *w);
/* At most one, before the first step. False: out of memory. */
MUST_CHECK bool warp_simulation_observe(
	struct warp_simulation *w, const struct warp_observer *observer, struct error *err);

/* Issues about max_events warp instructions, in at most as many cycles. FAILED: an observer said stop. */
enum simulation_state warp_simulation_step(struct warp_simulation *w, uint64_t max_events);
double warp_simulation_progress(const struct warp_simulation *w);
uint64_t warp_simulation_events(const struct warp_simulation *w); /* warp instructions */

/* After ENDED; before, end_ns is the instant that it has come to. */
struct simulation_outcome warp_simulation_outcome(const struct warp_simulation *w);
int64_t warp_simulation_cycles(const struct warp_simulation *w); /* length of the run */
const struct warp_kernel_result *warp_simulation_kernel(const struct warp_simulation *w, uint32_t kernel);
/* What the cycles of a sub-core were used for; their sum is the length of the run. */
const int64_t *warp_simulation_slots(const struct warp_simulation *w, uint32_t sm, uint32_t sub_core);
/* In fJ, which are uW*ns: static power over the energy window, plus the energy of the kernels. */
int128 warp_simulation_energy(const struct warp_simulation *w);

/* Makes a run in which only one kernel of the set is launched, on all SMs, without a manager, with the same
 * horizon and limit. The IPC in its result is the kernel's IPC alone. */
MUST_CHECK bool warp_simulation_create_alone(const struct platform *platform, const struct taskset *set,
	const struct run_setup *setup, const struct warp_options *options, uint32_t kernel,
	struct warp_simulation **simulation, struct error *err);

/* Makes SMs that launch nothing: another engine places blocks on them (models/warps/inside.h). */
MUST_CHECK bool warp_simulation_create_empty(const struct platform *platform, const struct taskset *set,
	const struct warp_set *warps, const struct run_setup *setup, const struct warp_options *options,
	struct warp_simulation **simulation, struct error *err);

/* Does such a run to its end; *ipc in millionths. */
MUST_CHECK bool warp_ipc_alone(const struct platform *platform, const struct taskset *set,
	const struct run_setup *setup, const struct warp_options *options, uint32_t kernel, int64_t *ipc,
	struct error *err);

#endif
