/* db/columns_ran.h - the columns of what happened in runs, and of what analyses say. db/columns.h says how
 * to read and how to add one.
 *
 * The bulk tables (F64, F32, ...) have natural keys: run_id, task_id, seq, segment_idx. Words that would
 * occur in every row of them are small integers (0 and 1 take no byte) that generated columns spell out. */
#ifndef CEGSIM_DB_COLUMNS_RAN_H
#define CEGSIM_DB_COLUMNS_RAN_H

/* clang-format off */

/* A cycle of a sub-core counts in one of these columns, in the order of enum row_slot; docs/warps.md says in
 * which. `of`: whose cycles these are. */
#define CYCLE_COLUMNS(CYCLES, of) \
	CYCLES(ISSUED, issued_cycles, "INTEGER", "cycles", \
		"cycles of " of " in which an instruction was issued") \
	CYCLES(EMPTY, empty_cycles, "INTEGER", "cycles", "no warp") \
	CYCLES(QUOTA, quota_cycles, "INTEGER", "cycles", "a warp was ready but for its kernel's quota") \
	CYCLES(UNIT, unit_cycles, "INTEGER", "cycles", "a warp was ready but for the unit it needed") \
	CYCLES(SCHEDULER, scheduler_cycles, "INTEGER", "cycles", \
		"a warp was ready, but not in the active set") \
	CYCLES(MEMORY, memory_cycles, "INTEGER", "cycles", "a warp waited for the result of a global load") \
	CYCLES(DEPENDENCE, dependence_cycles, "INTEGER", "cycles", "a warp waited for another result") \
	CYCLES(BARRIER, barrier_cycles, "INTEGER", "cycles", "a warp waited at a barrier") \
	CYCLES(SWAP, swap_cycles, "INTEGER", "cycles", "a warp's context was not there") \
	CYCLES(ENDING, ending_cycles, "INTEGER", "cycles", "a warp waited for its last results")

#define RUN_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, run_id, "INTEGER PRIMARY KEY", NULL, "number of the run in this recording") \
	FIELD(INTEGER, scenario_id, "INTEGER NOT NULL REFERENCES scenario", NULL, "the input file") \
	FIELD(INTEGER, taskset_id, "INTEGER NOT NULL REFERENCES taskset", NULL, "the task set") \
	FIELD(INTEGER, platform_id, "INTEGER NOT NULL REFERENCES platform", NULL, "the platform") \
	FIELD(INTEGER, policy_id, "INTEGER NOT NULL REFERENCES policy", NULL, "the policy") \
	FIELD(INTEGER, replication, "INTEGER NOT NULL", NULL, "number of the repetition with other draws") \
	COLUMN(LEAD, setup_digest, "TEXT NOT NULL", NULL, "digest of the columns from seed to ties") \
	FIELD(INTEGER, seed, "INTEGER NOT NULL", NULL, "seed of all draws, 64 bits as a signed number") \
	FIELD(INTEGER, set_number, "INTEGER NOT NULL", NULL, \
		"number of the task set in the key of every draw") \
	FIELD(INTEGER, horizon_ns, "INTEGER NOT NULL", "ns", "releases happen before") \
	WORD(stop, stop_rule, "TEXT NOT NULL", NULL, \
		"drained: the clock stops with the last completion; horizon: at the horizon") \
	FIELD(INTEGER, limit_ns, "INTEGER NOT NULL", "ns", "drained: the clock stops here at the latest") \
	WORD(release, release_kind, "TEXT NOT NULL", NULL, \
		"periodic, sporadic or trace, for tasks without a rule of their own") \
	FIELD(INTEGER, max_delay_ppm, "INTEGER", "ppm", "sporadic: gaps are T + U{0 .. max_delay * T}") \
	FIELD(TRACE, trace_id, "INTEGER REFERENCES release_trace", NULL, "trace: the list of releases") \
	WORD(execution, execution, "TEXT NOT NULL", NULL, \
		"worst, best, uniform, scaled by scale_ppm, samples (one of segment_sample), or " \
		"samples-together (one row of them)") \
	FIELD(INTEGER, scale_ppm, "INTEGER", "ppm", "scaled: max(best, ceil(scale * worst))") \
	WORD(on_miss, on_miss, "TEXT NOT NULL", NULL, "continue, drop or abort") \
	WORD(ties, ties, "TEXT NOT NULL", NULL, "task-order, or lower-first (for searches)") \
	WORD(level, record, "TEXT NOT NULL", NULL, \
		"what is recorded: summary, jobs, segments, blocks or issues") \
	WORD(status, status, "TEXT NOT NULL", NULL, \
		"ok; truncated: the limit was hit; refused: the policy has no plan for the set; error") \
	FIELD(TEXT, reason, "TEXT", NULL, \
		"why not ok; ok: what the test of the policy says against the set, that runs all the same") \
	FIELD(TASK_OR_NULL, failing_task, "INTEGER REFERENCES task", NULL, \
		"the first task that fails the test of the policy") \
	FIELD(INTEGER, virtual_sms_per_sm, "INTEGER", NULL, \
		"V_SM in force in this run; NULL: refused, error, or a run of warps") \
	FIELD(INTEGER, stop_ns, "INTEGER", "ns", "S, the instant at which the clock stopped") \
	FIELD(INTEGER, window_ns, "INTEGER", "ns", "energy is over [0, window) = [0, max(horizon, S))") \
	FIELD(INTEGER, cycles, "INTEGER", "cycles", "length of a run of warps; NULL: any other") \
	FIELD(INTEGER, events, "INTEGER", NULL, \
		"events the engine worked off; of warps: instructions they issued") \
	FIELD(INTEGER, jobs, "INTEGER", NULL, "released jobs") \
	FIELD(INTEGER, misses, "INTEGER", NULL, "jobs that missed their deadline") \
	FIELD(INTEGER, energy_uj, "INTEGER", "uJ", \
		"energy = energy_uj * 10^9 + energy_rest_uwns, in uW*ns, exactly; NULL: no power is given") \
	FIELD(INTEGER, energy_rest_uwns, "INTEGER", "uW*ns", "see energy_uj; 0 .. 10^9 - 1") \
	FIELD(INTEGER, gpu_active_ns, "INTEGER", "ns", \
		"time with at least one active SM, summed over GPUs; NULL: no power given and below " \
		"segments, or a run of " \
		"warps: not followed") \
	FIELD(INTEGER, sm_active_ns, "INTEGER", "ns", \
		"number of active SMs integrated over the window (at most 2^63 - 1); NULL as gpu_active_ns") \
	FIELD(TEXT, digest, "TEXT", NULL, \
		"digest of the schedule, of events and jobs: equal schedules, equal digests") \
	FIELD(TEXT, events_digest, "TEXT", NULL, \
		"the part of digest that only a repetition of the run makes again; the other part is " \
		"that of the job rows") \
	FIELD(TEXT, identity_digest, "TEXT", NULL, \
		"digest of what was run (the digests of scenario, set, platform, policy and setup) and " \
		"of what came of it") \
	FIELD(INTEGER, wall_us, "INTEGER", "us", "time the simulation took")

#define RUN_TASK_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, run_id, "INTEGER NOT NULL REFERENCES run", NULL, "the run") \
	FIELD(TASK, task, "INTEGER NOT NULL REFERENCES task", NULL, "the task") \
	FIELD(INTEGER, rank, "INTEGER", NULL, \
		"place in the policy's priority order, 0 is highest; NULL: kernels of warps") \
	FIELD(INTEGER, sms, "INTEGER", NULL, "SMs the policy gave the task for all of the run; NULL: none") \
	FIELD(INTEGER, virtual_sms, "INTEGER", NULL, "virtual SMs the policy gave it; NULL: none") \
	FIELD(TEXT, sm_set, "TEXT", NULL, "which SMs, JSON") \
	FIELD(INTEGER, jobs, "INTEGER NOT NULL", NULL, "released jobs") \
	FIELD(INTEGER, misses, "INTEGER NOT NULL", NULL, "jobs that missed their deadline") \
	FIELD(INTEGER, responses, "INTEGER NOT NULL", NULL, "jobs that finished, and so have a response") \
	FIELD(INTEGER, min_response_ns, "INTEGER", "ns", "least response") \
	FIELD(INTEGER, mean_response_ns, "INTEGER", "ns", "mean response, rounded half to even") \
	FIELD(INTEGER, max_response_ns, "INTEGER", "ns", "greatest response") \
	FIELD(INTEGER, worst_lower_bound_ns, "INTEGER", "ns", \
		"greatest S - release of unfinished jobs: their response is at least that") \
	FIELD(INTEGER, energy_uj, "INTEGER", "uJ", \
		"dynamic energy of its kernels = energy_uj * 10^9 + energy_rest_uwns, in uW*ns, exactly; " \
		"NULL: no power is given") \
	FIELD(INTEGER, energy_rest_uwns, "INTEGER", "uW*ns", "see energy_uj; 0 .. 10^9 - 1") \
	FIELD(INTEGER, window_misses, "INTEGER", NULL, \
		"most misses of any misses_in consecutive jobs; NULL: the task has no limit of misses")

#define RUN_WARP_KERNEL_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, run_id, "INTEGER NOT NULL REFERENCES run", NULL, "the run, one of warps") \
	FIELD(TASK, task, "INTEGER NOT NULL REFERENCES task", NULL, "the kernel") \
	FIELD(INTEGER, warp_instructions, "INTEGER NOT NULL", NULL, "that its warps issued") \
	FIELD(INTEGER, thread_instructions, "INTEGER NOT NULL", NULL, \
		"the same, each counted as many times as it had active threads") \
	FIELD(INTEGER, cycles, "INTEGER NOT NULL", "cycles", \
		"from its first launch to the end of the run; 0: never launched") \
	FIELD(INTEGER, ipc_ppm, "INTEGER NOT NULL", "ppm", "thread instructions per cycle, in millionths") \
	FIELD(INTEGER, goal_ppm, "INTEGER", "ppm", "the IPC that is its goal; NULL: none") \
	FIELD(INTEGER, alone_ppm, "INTEGER", "ppm", \
		"its IPC alone; NULL: not measured, as no goal is a share of it") \
	FIELD(INTEGER, reached, "INTEGER", NULL, "1: the IPC is at least the goal; NULL: no goal") \
	FIELD(INTEGER, accesses, "INTEGER NOT NULL", NULL, "global accesses of warps") \
	FIELD(INTEGER, l1_hits, "INTEGER NOT NULL", NULL, "of those, served by L1") \
	FIELD(INTEGER, l2_hits, "INTEGER NOT NULL", NULL, "served by L2") \
	FIELD(INTEGER, dram_bytes, "INTEGER NOT NULL", "bytes", \
		"moved to and from DRAM, contexts of its blocks included") \
	FIELD(INTEGER, swaps, "INTEGER NOT NULL", NULL, "blocks swapped out") \
	FIELD(INTEGER, energy_fj, "INTEGER NOT NULL", "fJ", "of its instructions and bytes")

/* Only of platforms with several GPUs. */
#define RUN_GPU_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, run_id, "INTEGER NOT NULL REFERENCES run", NULL, "the run") \
	FIELD(INTEGER, gpu, "INTEGER NOT NULL", NULL, "the GPU, from 0") \
	FIELD(INTEGER, energy_uj, "INTEGER", "uJ", \
		"its part of the run's energy = energy_uj * 10^9 + energy_rest_uwns, in uW*ns, " \
		"exactly; NULL: no " \
		"power is given") \
	FIELD(INTEGER, energy_rest_uwns, "INTEGER", "uW*ns", "see energy_uj; 0 .. 10^9 - 1") \
	FIELD(INTEGER, gpu_active_ns, "INTEGER", "ns", \
		"time with at least one active SM; NULL: no power given and below segments: not followed") \
	FIELD(INTEGER, sm_active_ns, "INTEGER", "ns", \
		"number of active SMs integrated over the window (at most 2^63 - 1); NULL as gpu_active_ns")

/* Reads and stamps: docs/model.md, "Chains and triggers". */
#define CHAIN_RUN_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, run_id, "INTEGER NOT NULL REFERENCES run", NULL, "the run") \
	FIELD(INTEGER, chain_idx, "INTEGER NOT NULL", NULL, "the chain, of the run's set") \
	FIELD(INTEGER, ages, "INTEGER NOT NULL", NULL, "outputs with a stamp that were overwritten") \
	FIELD(INTEGER, min_age_ns, "INTEGER", "ns", "least age of those when they were; NULL: none") \
	FIELD(INTEGER, mean_age_ns, "INTEGER", "ns", "mean age, rounded half to even") \
	FIELD(INTEGER, max_age_ns, "INTEGER", "ns", "greatest age") \
	FIELD(INTEGER, age_first_seq, "INTEGER", NULL, \
		"the first with the greatest age: the job of the chain's first task that read the data") \
	FIELD(INTEGER, age_last_seq, "INTEGER", NULL, \
		"and the job of its last task whose output was overwritten") \
	FIELD(INTEGER, reactions, "INTEGER NOT NULL", NULL, \
		"reads of the first task, but for its first one, to which an output reacted") \
	FIELD(INTEGER, min_reaction_ns, "INTEGER", "ns", \
		"least time from an event just behind the read before to the output; NULL: none") \
	FIELD(INTEGER, mean_reaction_ns, "INTEGER", "ns", "mean of that, rounded half to even") \
	FIELD(INTEGER, max_reaction_ns, "INTEGER", "ns", "longest reaction") \
	FIELD(INTEGER, reaction_first_seq, "INTEGER", NULL, \
		"the first longest reaction: the job of the first task behind whose read the event came") \
	FIELD(INTEGER, reaction_last_seq, "INTEGER", NULL, "and the job of the last task that reacted")

/* Log-linear: responses below 32 ns have a bucket each, above that 16 buckets share every power of two. */
#define RUN_TASK_HIST_COLUMNS(COLUMN, F64, F32, F16, F8) \
	COLUMN(LEAD, run_id, "INTEGER REFERENCES run", NULL, "the run") \
	F32(TASK, task, "INTEGER REFERENCES task", NULL, "the task") \
	F32(U32, bucket, "INTEGER", NULL, "log-linear bucket: 16 to every power of two") \
	F64(INTEGER, jobs, "INTEGER", NULL, "finished jobs with a response in the bucket") \
	COLUMN(GENERATED, lower_ns, "INTEGER AS (CASE WHEN bucket < 16 THEN bucket\n" \
		"\tELSE (16 + (bucket & 15)) << ((bucket >> 4) - 1) END) VIRTUAL", "ns", \
		"least response of the bucket") \
	COLUMN(GENERATED, upper_ns, "INTEGER AS (CASE WHEN bucket < 16 THEN bucket\n" \
		"\tELSE ((16 + (bucket & 15)) << ((bucket >> 4) - 1)) + ((1 << ((bucket >> 4) - 1)) - 1)" \
		" END) VIRTUAL", "ns", "greatest response of the bucket")

/* outcome: 0 finished, 1 dropped, 2 aborted, 3 unfinished; + 4 if the job missed its deadline. */
#define JOB_COLUMNS(COLUMN, F64, F32, F16, F8) \
	COLUMN(LEAD, run_id, "INTEGER REFERENCES run", NULL, "the run") \
	F32(TASK, task, "INTEGER REFERENCES task", NULL, "the task") \
	F32(U32, seq, "INTEGER", NULL, "number of the job within its task, from 0") \
	F64(INTEGER, release_ns, "INTEGER", "ns", "release") \
	F64(INTEGER, abs_deadline_ns, "INTEGER", "ns", "absolute deadline; NULL: none, and nothing to miss") \
	F64(INSTANT, first_start_ns, "INTEGER", "ns", \
		"when a segment of it was first given a resource; NULL: never") \
	F64(INSTANT, finish_ns, "INTEGER", "ns", "when it ended, however; NULL: unfinished at S") \
	F8(U8, outcome, "INTEGER", NULL, \
		"state (0 finished, 1 dropped, 2 aborted, 3 unfinished) + 4 if missed") \
	COLUMN(GENERATED, missed, "INTEGER AS (outcome >> 2) VIRTUAL", NULL, "1: it missed its deadline") \
	COLUMN(GENERATED, state, "TEXT AS (CASE outcome & 3\n" \
		"\tWHEN 0 THEN 'finished' WHEN 1 THEN 'dropped' WHEN 2 THEN 'aborted' ELSE 'unfinished'" \
		" END) VIRTUAL", NULL, "finished, dropped, aborted or unfinished") \
	COLUMN(GENERATED, response_ns, "INTEGER AS (CASE outcome & 3\n" \
		"\tWHEN 0 THEN finish_ns - release_ns END) VIRTUAL", "ns", \
		"finish - release of a finished job")

/* code: 0 cpu, 1 copy, 2 gpu; + 0 run, 4 spin, 8 boost, 12 launch, 76 switch, 136 decision, 140 release,
 * 204 call;
 * + 0 done, 16 preempted, 32 aborted, 48 stopped, and behind run 64 reset. */
#define SEGMENT_INTERVAL_COLUMNS(COLUMN, F64, F32, F16, F8) \
	COLUMN(LEAD, run_id, "INTEGER REFERENCES run", NULL, "the run") \
	F32(TASK, task, "INTEGER REFERENCES task", NULL, "the task") \
	F32(U32, seq, "INTEGER", NULL, "the job") \
	F16(U16, segment_idx, "INTEGER", NULL, \
		"the segment; spinning and boosting: the first of the section it waits for; call: the " \
		"first operation of its section, or the last that ended; release, decision: 0") \
	F32(U32, part, "INTEGER", NULL, \
		"number of the interval within the segment of the job, from 0; run, launch, switch, " \
		"release, call, decision, and spin with boost count by themselves") \
	F8(U8, code, "INTEGER", NULL, \
		"resource (0 cpu, 1 copy, 2 gpu) + kind (0 run, 4 spin, 8 boost, 12 launch, 76 switch, " \
		"136 decision, 140 release, 204 call) + ended (0, 16, 32, 48, 64)") \
	F16(U16, unit, "INTEGER", NULL, "which core or copy engine, from 0; 0 for the GPU") \
	F64(INTEGER, ready_ns, "INTEGER", "ns", \
		"when the segment became ready; call: when it was needed; release, decision: start_ns") \
	F64(INTEGER, start_ns, "INTEGER", "ns", "start of the interval; kernels: of the first block") \
	F64(INTEGER, end_ns, "INTEGER", "ns", "its end; kernels: of the last block") \
	F32(U32_OR_ZERO, granted, "INTEGER", NULL, "kernels: SMs or virtual SMs of its own; NULL: none") \
	F8(U8, gpu, "INTEGER", NULL, "which GPU, of copies and kernels, from 0; 0 for a core") \
	COLUMN(GENERATED, resource, "TEXT AS (CASE code & 3\n" \
		"\tWHEN 0 THEN 'cpu' WHEN 1 THEN 'copy' ELSE 'gpu' END) VIRTUAL", NULL, \
		"cpu, copy or gpu") \
	COLUMN(GENERATED, kind, "TEXT AS (CASE (code >> 2) & 3\n" \
		"\tWHEN 0 THEN 'run' WHEN 1 THEN 'spin' WHEN 2 THEN\n" \
		"\tCASE code >> 6 WHEN 2 THEN 'decision' ELSE 'boost' END ELSE CASE code >> 6\n" \
		"\tWHEN 0 THEN 'launch' WHEN 1 THEN 'switch' WHEN 2 THEN 'release'\n" \
		"\tELSE 'call' END END) VIRTUAL", NULL, \
		"run, spin (holds the core, waiting), boost (the same, above all priorities), launch (of " \
		"the segment), switch (of the core to the job), release (interrupt of the job's release), " \
		"call (of the driver, around a GPU section) or decision (the policy's; the job is the " \
		"first that waited for it)") \
	COLUMN(GENERATED, ended, "TEXT AS (CASE WHEN code & 76 = 64 THEN 'reset' ELSE\n" \
		"\tCASE (code >> 4) & 3 WHEN 0 THEN 'done' WHEN 1 THEN 'preempted'\n" \
		"\tWHEN 2 THEN 'aborted' ELSE 'stopped' END END) VIRTUAL", NULL, \
		"done, preempted (goes on later), aborted, stopped (at S), or reset (starts again later)")

/* ended_code: 0 done, 1 preempted, 2 aborted, 3 stopped, 4 reset. */
#define BLOCK_INTERVAL_COLUMNS(COLUMN, F64, F32, F16, F8) \
	COLUMN(LEAD, run_id, "INTEGER REFERENCES run", NULL, "the run") \
	F32(TASK, task, "INTEGER REFERENCES task", NULL, "the task") \
	F32(U32, seq, "INTEGER", NULL, "the job") \
	F16(U16, segment_idx, "INTEGER", NULL, "the kernel") \
	F32(U32, block, "INTEGER", NULL, "the block, from 0") \
	F32(U32_OR_NONE, sm, "INTEGER", NULL, "the SM it is on; NULL: threads pooled over the GPU") \
	F32(U32, slot, "INTEGER", NULL, "least number not taken by another block of the SM meanwhile") \
	F32(U32, threads, "INTEGER", NULL, "threads it takes (pool sm: whole warps)") \
	F64(INTEGER, start_ns, "INTEGER", "ns", "when it was placed") \
	F64(INTEGER, end_ns, "INTEGER", "ns", "when it left") \
	F8(U8, ended_code, "INTEGER", NULL, "0 done, 1 preempted, 2 aborted, 3 stopped, 4 reset") \
	F8(U8, gpu, "INTEGER", NULL, "the GPU that the SM is of, from 0") \
	COLUMN(GENERATED, ended, "TEXT AS (CASE ended_code\n" \
		"\tWHEN 0 THEN 'done' WHEN 1 THEN 'preempted' WHEN 2 THEN 'aborted' WHEN 4 THEN 'reset'\n" \
		"\tELSE 'stopped' END) VIRTUAL", NULL, \
		"done, preempted (swapped out or frozen, and goes on later), aborted, stopped (at S) or " \
		"reset (starts again later)")

/* Processes that share the GPU: docs/model.md, "Contexts". A process is known by its first task. */
#define CONTEXT_INTERVAL_COLUMNS(COLUMN, F64, F32, F16, F8) \
	COLUMN(LEAD, run_id, "INTEGER REFERENCES run", NULL, "the run") \
	F32(TASK, process_task, "INTEGER REFERENCES task", NULL, "the first task of the process") \
	F64(INTEGER, start_ns, "INTEGER", "ns", "since when it has the GPU, or the GPU is switched to it") \
	F64(INTEGER, end_ns, "INTEGER", "ns", "until when") \
	F8(U8, code, "INTEGER", NULL, "0 run, 1 switch") \
	COLUMN(GENERATED, kind, "TEXT AS (CASE code WHEN 0 THEN 'run' ELSE 'switch' END) VIRTUAL", NULL, \
		"run: the process has the GPU; switch: the GPU is switched to it, and nothing runs")

#define POWER_INTERVAL_COLUMNS(COLUMN, F64, F32, F16, F8) \
	COLUMN(LEAD, run_id, "INTEGER REFERENCES run", NULL, "the run") \
	F64(INTEGER, start_ns, "INTEGER", "ns", "start of a time of constant power") \
	F64(INTEGER, end_ns, "INTEGER", "ns", "its end; the last one ends with the window") \
	F64(INTEGER, power_uw, "INTEGER", "uW", "power of the GPU") \
	F32(U32, active_sms, "INTEGER", NULL, "SMs with a block on them") \
	F32(U32, idle_sms, "INTEGER", NULL, "the other SMs; they take power while another is active") \
	F8(U8, gpu, "INTEGER", NULL, "the GPU, from 0: each has intervals of its own")

#define DECISION_COLUMNS(COLUMN, F64, F32, F16, F8) \
	COLUMN(LEAD, run_id, "INTEGER REFERENCES run", NULL, "the run") \
	F64(INTEGER, time_ns, "INTEGER", "ns", "when the policy decided") \
	F64(INTEGER, asked_ns, "INTEGER", "ns", \
		"when that was asked for: earlier, if decisions take time") \
	F32(TASK, task, "INTEGER REFERENCES task", NULL, "the task") \
	F32(U32, seq, "INTEGER", NULL, "the job") \
	F16(U16, segment_idx, "INTEGER", NULL, \
		"the first kernel, of what it decided about, that is still to come") \
	F32(U32, sms, "INTEGER", NULL, "SMs the policy weighed for it") \
	F64(INTEGER, kernel_end_ns, "INTEGER", "ns", "when its last kernel would end, by the prediction") \
	F64(INTEGER, predicted_uwns, "INTEGER", "uW*ns", \
		"energy of the GPU it predicted over [time, kernel_end) (at most 2^63 - 1)") \
	F8(U8, feasible, "INTEGER", NULL, "1: no deadline would be missed by its prediction") \
	F8(U8, chosen, "INTEGER", NULL, "1: it chose this number") \
	F8(U8, gpu, "INTEGER", NULL, "the GPU it weighed, from 0")

/* What a real machine did, beside what the run says: one row for a segment of a job. */
#define MEASURED_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, run_id, "INTEGER REFERENCES run", NULL, "the run that it is compared with") \
	FIELD(TASK, task, "INTEGER REFERENCES task", NULL, "the task") \
	FIELD(U32, seq, "INTEGER", NULL, "the job") \
	FIELD(U16, segment_idx, "INTEGER", NULL, "the segment") \
	FIELD(INTEGER, start_ns, "INTEGER", "ns", \
		"when a real machine began it, in the time of the run; negative: before its 0") \
	FIELD(INTEGER, end_ns, "INTEGER", "ns", "when it was done there") \
	WORD(late_reason, reason, "TEXT", NULL, \
		"why it began late on the machine, or in_time; NULL: nothing says")

#define RUN_SUB_CORE_COLUMNS(COLUMN, FIELD, CYCLES) \
	COLUMN(LEAD, run_id, "INTEGER REFERENCES run", NULL, "the run, one of warps") \
	FIELD(U32, sm, "INTEGER", NULL, "the SM") \
	FIELD(U32, sub_core, "INTEGER", NULL, "its sub-core, from 0") \
	CYCLE_COLUMNS(CYCLES, "the run")

#define EPOCH_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, run_id, "INTEGER REFERENCES run", NULL, "the run, one of warps") \
	FIELD(U32, epoch, "INTEGER", NULL, "number of the epoch, from 0") \
	FIELD(TASK, task, "INTEGER REFERENCES task", NULL, "the kernel") \
	FIELD(INTEGER, start_cycle, "INTEGER", "cycles", "its first cycle") \
	FIELD(INTEGER, end_cycle, "INTEGER", "cycles", "the one behind its last") \
	FIELD(INTEGER, warp_instructions, "INTEGER", NULL, "issued in it") \
	FIELD(INTEGER, thread_instructions, "INTEGER", NULL, "the same, times active threads") \
	FIELD(INSTANT, adjusted_goal_ppm, "INTEGER", "ppm", \
		"IPC for which the manager set the quota; NULL: it sets none") \
	FIELD(INSTANT, history_ipc_ppm, "INTEGER", "ppm", \
		"IPC from the first launch to the end of the epoch; NULL: no history") \
	FIELD(U32, blocks, "INTEGER", NULL, "blocks on SMs at its start") \
	FIELD(U32, swaps, "INTEGER", NULL, "blocks swapped out in it") \
	COLUMN(GENERATED, ipc_ppm, "INTEGER AS (thread_instructions * 1000000\n" \
		"\t/ nullif(end_cycle - start_cycle, 0)) VIRTUAL", "ppm", \
		"IPC in the epoch; NULL: it has no cycle")

#define EPOCH_SM_COLUMNS(COLUMN, FIELD, CYCLES) \
	COLUMN(LEAD, run_id, "INTEGER REFERENCES run", NULL, "the run, one of warps") \
	FIELD(U32, epoch, "INTEGER", NULL, "number of the epoch") \
	FIELD(U32, sm, "INTEGER", NULL, "the SM") \
	CYCLE_COLUMNS(CYCLES, "its sub-cores in the epoch")

#define EPOCH_QUOTA_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, run_id, "INTEGER REFERENCES run", NULL, "the run, one of warps") \
	FIELD(U32, epoch, "INTEGER", NULL, "number of the epoch") \
	FIELD(U32, sm, "INTEGER", NULL, "the SM") \
	FIELD(TASK, task, "INTEGER REFERENCES task", NULL, "the kernel") \
	FIELD(INSTANT, quota, "INTEGER", NULL, \
		"thread instructions granted here; NULL: the manager grants none") \
	FIELD(INTEGER, counter_start, "INTEGER", NULL, \
		"what was left to issue here once the epoch had begun") \
	FIELD(INTEGER, counter_end, "INTEGER", NULL, "at its end") \
	FIELD(INTEGER, added, "INTEGER", NULL, "granted in between") \
	FIELD(INTEGER, warp_instructions, "INTEGER", NULL, "issued here in the epoch") \
	FIELD(INTEGER, thread_instructions, "INTEGER", NULL, "the same, times active threads") \
	FIELD(U32, blocks, "INTEGER", NULL, "blocks here at the start") \
	FIELD(U32_OR_NONE, target, "INTEGER", NULL, "blocks wanted here; NULL: no target") \
	FIELD(U32, idle_sum, "INTEGER", NULL, "idle warps, summed over the samples") \
	FIELD(U32, samples, "INTEGER", NULL, "samples of idle warps")

/* place: 8 * SM + sub-core. code: active threads + 64 * where an access was served (0 none, 1 shared
 * memory, 2 L1, 3 L2, 4 DRAM). latency_cycles: from the issue to the result. */
#define WARP_ISSUE_COLUMNS(COLUMN, F64, F32, F16, F8) \
	COLUMN(LEAD, run_id, "INTEGER REFERENCES run", NULL, "the run, one of warps") \
	F64(INTEGER, cycle, "INTEGER", "cycles", "in which the instruction was issued") \
	F64(INSTANT, latency_cycles, "INTEGER", "cycles", "from then to its result; NULL: it has none") \
	F32(TASK, task, "INTEGER REFERENCES task", NULL, "the kernel") \
	F32(U32, seq, "INTEGER", NULL, "the job (launch)") \
	F32(U32, block, "INTEGER", NULL, "the block, from 0") \
	F8(U8, warp, "INTEGER", NULL, "the warp of the block, from 0") \
	F32(U32, number, "INTEGER", NULL, "of the instruction among those of the warp, from 0") \
	F16(U16, step_idx, "INTEGER", NULL, "the step of the program (warp_step)") \
	F16(U16, place, "INTEGER", NULL, "8 * SM + sub-core") \
	F16(U16, code, "INTEGER", NULL, \
		"active threads + 64 * where an access was served (0 none, 1 shared, 2 l1, 3 l2, 4 dram)") \
	COLUMN(GENERATED, sm, "INTEGER AS (place >> 3) VIRTUAL", NULL, "the SM") \
	COLUMN(GENERATED, sub_core, "INTEGER AS (place & 7) VIRTUAL", NULL, "its sub-core") \
	COLUMN(GENERATED, threads, "INTEGER AS (code & 63) VIRTUAL", NULL, "active threads") \
	COLUMN(GENERATED_FIRST, result_cycle, "INTEGER AS (cycle + latency_cycles) VIRTUAL", "cycles", \
		"the first cycle in which an instruction that needs the result can be issued") \
	COLUMN(GENERATED, served, "TEXT AS (CASE code >> 6 WHEN 1 THEN 'shared' WHEN 2 THEN 'l1'\n" \
		"\tWHEN 3 THEN 'l2' WHEN 4 THEN 'dram' END) VIRTUAL", NULL, \
		"shared, l1, l2 or dram; NULL: no access")

#define ANALYSIS_RUN_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, analysis_run_id, "INTEGER PRIMARY KEY", NULL, \
		"number of the analysis of a set in this recording") \
	FIELD(TEXT, analysis, "TEXT NOT NULL", NULL, "name of the analysis") \
	FIELD(TEXT, params, "TEXT NOT NULL", NULL, \
		"its parameters, JSON; of a plug-in also plugin, the first 16 digits of the SHA-256 of its " \
		"file") \
	WORD(safety, safety, "TEXT NOT NULL", NULL, \
		"sound, or unsafe: with these parameters it is known to give bounds that jobs exceed") \
	FIELD(INTEGER, version, "INTEGER NOT NULL", NULL, "grows when the analysis gives other bounds") \
	FIELD(INTEGER, taskset_id, "INTEGER NOT NULL REFERENCES taskset", NULL, "the task set") \
	FIELD(INTEGER, platform_id, "INTEGER NOT NULL REFERENCES platform", NULL, "the platform") \
	FIELD(INTEGER, policy_id, "INTEGER NOT NULL REFERENCES policy", NULL, \
		"the policy, with its parameters, for which the bounds hold") \
	FIELD(TEXT, allocation, "TEXT", NULL, \
		"JSON list with an entry for every task: its SMs, and its virtual SMs if not whole ones; " \
		"or null. NULL: no task has SMs of its own") \
	WORD(verdict, verdict, "TEXT NOT NULL", NULL, \
		"schedulable, unschedulable, refused (by the analysis or by the policy), or error: it " \
		"was given up") \
	FIELD(TEXT, reason, "TEXT", NULL, "why not schedulable") \
	FIELD(TASK_OR_NULL, failing_task, "INTEGER REFERENCES task", NULL, "the first task that fails") \
	FIELD(TEXT, identity_digest, "TEXT", NULL, \
		"digest of what was analysed (the digests of set, platform and policy), how, and of what " \
		"came of it") \
	FIELD(INTEGER, wall_us, "INTEGER", "us", "time the analysis took")

#define BOUND_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, analysis_run_id, "INTEGER NOT NULL REFERENCES analysis_run", NULL, "the analysis") \
	FIELD(TASK, task, "INTEGER NOT NULL REFERENCES task", NULL, "the task") \
	FIELD(INTEGER, rank, "INTEGER NOT NULL", NULL, \
		"place of the task in the order of priorities, 0 highest") \
	FIELD(INTEGER, bound_ns, "INTEGER", "ns", \
		"bound of its response (a least fixed point); NULL: there is none") \
	FIELD(TEXT, assumes, "TEXT", NULL, \
		"JSON list of task_idx: the bound holds in runs in which no job of these tasks is late; " \
		"NULL: in all")

#define CHAIN_BOUND_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, analysis_run_id, "INTEGER NOT NULL REFERENCES analysis_run", NULL, "the analysis") \
	FIELD(INTEGER, chain_idx, "INTEGER NOT NULL", NULL, "the chain, of the analysis' set") \
	FIELD(INTEGER, bound_ns, "INTEGER", "ns", "bound of its ages and reactions; NULL: there is none")

#define BOUND_PART_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, analysis_run_id, "INTEGER NOT NULL REFERENCES analysis_run", NULL, "the analysis") \
	FIELD(TASK, task, "INTEGER NOT NULL REFERENCES task", NULL, "the task") \
	WORD(part, part, "TEXT NOT NULL", NULL, "own, blocking, interference, copy or gpu") \
	FIELD(TASK_OR_NULL, by_task, "INTEGER REFERENCES task", NULL, \
		"interference: of this task; NULL: of no particular one") \
	FIELD(INTEGER, amount_ns, "INTEGER NOT NULL", "ns", "how much of the bound")

/* clang-format on */

#endif
