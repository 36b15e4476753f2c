/* cli/run_parts.h - shared by the files of `cegsim run`: what was asked for, and the runs. */
#ifndef CEGSIM_CLI_RUN_PARTS_H
#define CEGSIM_CLI_RUN_PARTS_H

#include "cli/input.h"
#include "cli/options.h"
#include "cli/uses.h"
#include "models/warps/simulation.h"
#include "runs/run.h"
#include "runs/seeds.h"

/* A run to be made, and its result. */
struct planned {
	uint32_t scenario;
	uint32_t replication; /* number of its seed in --seeds */
	struct policy_use use;
	struct run_setup setup;
	bool ended, existed;
	struct run_result result;
	struct task_statistics *tasks;      /* [task_count] without histograms; NULL: none */
	struct chain_result *chains;        /* [chain_count]; NULL: none */
	struct warp_kernel_result *kernels; /* [task_count] of a scenario of warps, else NULL */
};

struct run_command {
	struct given given;
	struct words files;
	struct scenario *scenarios;     /* [files.count] */
	struct stored_scenario *stored; /* [files.count]; scenario_id 0: not stored yet */
	struct uses uses;
	struct planned *runs;
	uint32_t run_count;
	struct db_writer *writer;
	struct warp_alone_cache *alone;
	const char *record;
	bool strict, seeded;
	bool lost; /* of runs that have ended, as there was no memory */
	uint64_t seed;
	const char *seeds_text;
	struct seeds seeds; /* of --seeds */
	int64_t run;        /* id of a run of a recording; 0: all */
};

/* Was the run simulated, so that it has figures? */
static inline bool run_was_simulated(const struct planned *run)
{
	return run->ended && run->tasks && run->result.status != RUN_REFUSED &&
	       run->result.status != RUN_ERROR;
}

/* cli/run_sets.c: what is known of the scenarios before they are run, and what is odd about them. */
void run_print_sets(const struct run_command *c, FILE *out);

/* cli/run_analyses.c: stores what the analyses say that the scenarios ask for, once all runs have ended.
 * *erred: one of the user's own gave no answer, which was said. */
MUST_CHECK bool run_store_analyses(struct run_command *c, bool *erred, struct error *err);

/* cli/run_chains.c: takes over a run's results of chains; their tables, of all runs or over all seeds
 * (nothing is printed where no run has chains); whether a run exceeds a limit, and a line for each that it
 * does. */
MUST_CHECK bool run_keep_chains(struct planned *run, const struct taskset *set, const struct run *done);
MUST_CHECK bool run_print_chains(const struct run_command *c, struct error *err);
MUST_CHECK bool run_print_chains_of_seeds(const struct run_command *c, struct error *err);
bool run_chain_broken(const struct taskset *set, const struct planned *run);
void run_print_chain_limits(const char *who, const struct taskset *set, const struct planned *run);

/* cli/run_seeds.c: --seeds in the tables that people read; a row for each policy and task, over all seeds. */
MUST_CHECK bool run_print_seeds(const struct run_command *c, struct error *err);

#endif
