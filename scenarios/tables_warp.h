/* scenarios/tables_warp.h - what a scenario says in `warp:` about kernels whose warps are simulated, before
 * it is checked as a whole. */
#ifndef CEGSIM_SCENARIOS_TABLES_WARP_H
#define CEGSIM_SCENARIOS_TABLES_WARP_H

#include "models/warps/warp_set.h"
#include "scenarios/binder.h"

/* A step; the steps of a loop are nested, not yet flattened. */
struct step_entry {
	struct warp_step step;
	struct step_entry *body;
	uint32_t body_count;
	const struct node *at;
};

struct program_entry {
	struct step_entry *steps;
	uint32_t count;
};

struct goal_entry {
	int kind;                          /* enum warp_goal_kind */
	int64_t ipc, share_ppm, kernel_ns; /* kernel_ns: also what remains of end_to_end */
	int64_t end_to_end_ns, copies_ns, queueing_ns;
};

/* A kernel that jobs run behind another one. */
struct part_entry {
	struct warp_kernel kernel;
	struct program_entry program;
};

struct kernel_entry {
	struct warp_kernel kernel;
	struct program_entry program;
	struct part_entry *then;
	uint32_t then_count;
	char *name;
	int64_t deadline_ns; /* 0: none */
	struct goal_entry goal;
	int stream_high, repeat;
	bool sound; /* it has no errors */
	const struct node *at;
};

/* l1_bytes or l2_bytes of a machine that is to be that of the platform's preset. */
#define WARP_SIZE_OF_PRESET (-1)

struct warp_entry {
	struct warp_machine machine;
	bool clock_sound; /* given, and without errors */
	struct kernel_entry *kernels;
	uint32_t kernel_count;
};

/* The SMs of kernels of tasks that are programs. */
struct programs_entry {
	struct warp_machine machine;
	int scheduler; /* enum warp_scheduler_kind */
};

extern const struct binder_shape shape_programs; /* struct programs_entry */
extern const struct binder_shape shape_warp;     /* struct warp_entry; the context is a struct description */
extern const struct binder_shape shape_program;  /* struct program_entry */
extern const struct binder_shape
	shape_cycles; /* int64_t cycles, 0 .. WARP_CYCLES_MAX: a number, or a duration at the clock */
extern const struct binder_shape shape_cycle_count; /* the same, a number alone, at least 1 */

/* Whether a kernel, and those of its `then`, have all that they need; one that is not from the library may
 * lack something. b NULL: nothing is reported. */
bool check_completeness(struct binder *b, const struct node *kernel_node);

/* Flattens the steps of a program: those of a loop follow the loop. False: errors were reported. */
bool program_flatten(struct binder *b, const struct node *at, const struct program_entry *program,
	struct warp_kernel *kernel);

#endif
