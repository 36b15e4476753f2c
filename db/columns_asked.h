/* db/columns_asked.h - the columns of what was asked for: inputs, platforms, task sets and policies; and
 * of the file itself. db/columns.h says how to read and how to add one. */
#ifndef CEGSIM_DB_COLUMNS_ASKED_H
#define CEGSIM_DB_COLUMNS_ASKED_H

/* clang-format off */

#define META_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(OTHER, key, "TEXT PRIMARY KEY", NULL, \
		"tool_version, status (complete or interrupted), interrupted (why), shard (i/n, of a " \
		"campaign), chosen (of a campaign: sets by number, and how finely they are recorded)") \
	COLUMN(OTHER, value, "TEXT NOT NULL", NULL, "its value")

#define COLUMN_DOC_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(OTHER, tbl, "TEXT NOT NULL", NULL, "a table or view of this recording") \
	COLUMN(OTHER, col, "TEXT NOT NULL", NULL, "one of its columns") \
	COLUMN(OTHER, unit, "TEXT", NULL, "the unit of its values; NULL where there is none") \
	COLUMN(OTHER, description, "TEXT NOT NULL", NULL, "what it says")

#define SCENARIO_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(KEY, scenario_id, "INTEGER PRIMARY KEY", NULL, "number of the input file in this recording") \
	COLUMN(LEAD, digest, "TEXT NOT NULL UNIQUE", NULL, \
		"digest of the content; files with one digest are one row") \
	WORD(source, kind, "TEXT NOT NULL", NULL, \
		"scenario (a file for run, or that a campaign varies) or campaign (a file for sweep)") \
	FIELD(TEXT, name, "TEXT NOT NULL", NULL, "name of the file") \
	FIELD(TEXT, text, "TEXT NOT NULL", NULL, "all of the file: its runs can be repeated from here") \
	FIELD(TEXT, tool_version, "TEXT NOT NULL", NULL, "version of cegsim that read it") \
	FIELD(TEXT, overrides, "TEXT", NULL, \
		"JSON: the seed (or seeds) and the policies that were given in place of those of the text; " \
		"NULL: none")

#define PLATFORM_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(KEY, platform_id, "INTEGER PRIMARY KEY", NULL, "number of the platform in this recording") \
	COLUMN(LEAD, digest, "TEXT NOT NULL UNIQUE", NULL, \
		"digest of the content; names need not be unique") \
	FIELD(TEXT, name, "TEXT NOT NULL", NULL, "preset or name given") \
	FIELD(INTEGER, cores, "INTEGER NOT NULL", NULL, "CPU cores") \
	FIELD(INTEGER, engines, "INTEGER NOT NULL", NULL, "copy engines; 0: unlimited, copies never wait") \
	FIELD(INTEGER, copy_latency_ns, "INTEGER NOT NULL", "ns", \
		"constant part of the time of a copy of bytes") \
	FIELD(INTEGER, copy_bandwidth, "INTEGER", "bytes/s", \
		"NULL: not given, copies have times of their own") \
	WORD(pool, pool, "TEXT NOT NULL", NULL, \
		"sm: blocks are placed on SMs; gpu: threads are pooled over the GPU") \
	FIELD(INTEGER, sms, "INTEGER NOT NULL", NULL, "streaming multiprocessors; 0: no GPU") \
	FIELD(INTEGER, sms_per_tpc, "INTEGER NOT NULL", NULL, "2: ties between SMs go to even ones first") \
	FIELD(INTEGER, threads_per_sm, "INTEGER", NULL, "limit per SM; NULL: not given, does not bind") \
	FIELD(INTEGER, blocks_per_sm, "INTEGER", NULL, "limit per SM; NULL: does not bind") \
	FIELD(INTEGER, warps_per_sm, "INTEGER", NULL, "limit per SM; NULL: does not bind") \
	FIELD(INTEGER, registers_per_sm, "INTEGER", NULL, "limit per SM; NULL: does not bind") \
	FIELD(INTEGER, shared_memory_per_sm, "INTEGER", "bytes", "limit per SM; NULL: does not bind") \
	FIELD(INTEGER, virtual_sms_per_sm, "INTEGER", NULL, "V_SM; NULL: not given") \
	FIELD(INTEGER, work_queues, "INTEGER NOT NULL", NULL, "hardware queues that streams share") \
	FIELD(INTEGER, pin_overhead_ns, "INTEGER NOT NULL", "ns", "of each block of work, beside Lemma 5.1") \
	FIELD(INTEGER, static_uw, "INTEGER NOT NULL", "uW", "static power") \
	FIELD(INTEGER, idle_per_sm_uw, "INTEGER NOT NULL", "uW", \
		"power of an idle SM while another is active") \
	FIELD(TEXT, divisions, "TEXT", NULL, \
		"JSON: the amounts of shared memory, in bytes, that an SM can be divided to have; NULL: " \
		"always all") \
	FIELD(INTEGER, overhead_launch_ns, "INTEGER", "ns", \
		"CPU work before each operation is issued; NULL: none") \
	FIELD(INTEGER, overhead_latency_ns, "INTEGER", "ns", \
		"from an operation's issue until it may be eligible; NULL: none") \
	FIELD(INTEGER, overhead_gap_ns, "INTEGER", "ns", \
		"from the end of an operation until the next of its hardware queue may be; NULL: none") \
	FIELD(INTEGER, overhead_sync_ns, "INTEGER", "ns", \
		"from the end of a GPU section until its job goes on; NULL: none") \
	FIELD(INTEGER, overhead_switch_ns, "INTEGER", "ns", \
		"of a core, when it is given to another job than it had last; NULL: none") \
	FIELD(INTEGER, overhead_release_ns, "INTEGER", "ns", \
		"of a core, for the interrupt of each release; NULL: none") \
	WORD(scheduling, core_scheduling, "TEXT", NULL, \
		"of several cores: partitioned (each task has its core) or global (any job runs on any); " \
		"NULL: one core") \
	FIELD(INTEGER, timeslice_ns, "INTEGER", "ns", \
		"how long a process has the GPU before others get it; NULL: not given") \
	FIELD(INTEGER, context_switch_ns, "INTEGER", "ns", \
		"for which nothing runs on the GPU when it goes to another process; NULL: none") \
	FIELD(INTEGER, context_reset_ns, "INTEGER", "ns", \
		"the same when what runs is cut off; NULL: none") \
	FIELD(TEXT, gpus, "TEXT", NULL, \
		"JSON: of several GPUs, each but GPU 0, with these columns as its keys, from engines to " \
		"divisions, where they are not NULL; what is said here of engines, SMs and power is of " \
		"GPU 0 " \
		"(v_gpu has a row for each). NULL: one GPU") \
	FIELD(INTEGER, resident_kernels, "INTEGER", NULL, \
		"kernels that the GPU holds at a time; NULL: not given, does not bind") \
	FIELD(INTEGER, preemption_delay_ns, "INTEGER", "ns", \
		"before the work of a high stream's kernel on an SM that it takes from a low one's; " \
		"NULL: none")

#define TASKSET_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(KEY, taskset_id, "INTEGER PRIMARY KEY", NULL, "number of the task set in this recording") \
	COLUMN(LEAD, digest, "TEXT NOT NULL UNIQUE", NULL, "digest of tasks, segments, profiles and recipe") \
	FIELD(TEXT, name, "TEXT NOT NULL", NULL, "name given") \
	FIELD(SIZE, task_count, "INTEGER NOT NULL", NULL, "number of tasks") \
	FIELD(INTEGER, explicit_priorities, "INTEGER NOT NULL", NULL, \
		"1: every task has a priority; 0: none has") \
	FIELD(INTEGER, target_utilisation_ppm, "INTEGER", "ppm", \
		"what the generator aimed at; NULL: nothing") \
	FIELD(TEXT, recipe, "TEXT", NULL, "generator and its parameters as JSON; NULL: written by hand") \
	FIELD(INTEGER, recipe_index, "INTEGER", NULL, "number of the set within its recipe")

#define RELEASE_TRACE_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(KEY, trace_id, "INTEGER PRIMARY KEY", NULL, "number of a list of releases") \
	COLUMN(LEAD, digest, "TEXT NOT NULL UNIQUE", NULL, "digest of its content")

#define TRACE_RELEASE_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(OTHER, trace_id, "INTEGER NOT NULL REFERENCES release_trace", NULL, \
		"the list (release_trace)") \
	COLUMN(OTHER, seq, "INTEGER NOT NULL", NULL, "job, from 0") \
	COLUMN(OTHER, release_ns, "INTEGER NOT NULL", "ns", "when it is released")

#define TRACE_DURATION_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, trace_id, "INTEGER NOT NULL REFERENCES release_trace", NULL, \
		"the list (release_trace)") \
	FIELD(INTEGER, seq, "INTEGER NOT NULL", NULL, "job, from 0") \
	FIELD(INTEGER, segment_idx, "INTEGER NOT NULL", NULL, "segment, from 0") \
	FIELD(INTEGER, duration_ns, "INTEGER NOT NULL", "ns", "how long this segment of this job takes")

/* The units of a campaign in this recording. A unit is one task set of the campaign with all its runs. Units
 * whose set could not be made have a reason. */
#define FAILED_UNIT_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(OTHER, unit, "INTEGER PRIMARY KEY", NULL, \
		"number of a unit (task set) of the campaign that has no runs") \
	COLUMN(OTHER, reason, "TEXT NOT NULL", NULL, "why")

/* Units first_unit .. first_unit + units - 1 were written one after the other. In every table their rows are
 * between the end of the stretch before and the end of this one. */
#define STRETCH_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(OTHER, stretch_id, "INTEGER PRIMARY KEY", NULL, \
		"number of the stretch, in the order in which they were written") \
	COLUMN(OTHER, first_unit, "INTEGER NOT NULL", NULL, \
		"number of its first unit (taskset.recipe_index)") \
	COLUMN(OTHER, units, "INTEGER NOT NULL", NULL, "number of consecutive units")

#define STRETCH_END_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(OTHER, stretch_id, "INTEGER NOT NULL REFERENCES stretch", NULL, "the stretch") \
	COLUMN(OTHER, tbl, "TEXT NOT NULL", NULL, "a table") \
	COLUMN(OTHER, last_rowid, "INTEGER NOT NULL", NULL, \
		"the last row of that table that belongs to the stretch or one before")

#define TASK_COLUMNS(COLUMN, FIELD, WORD) \
	FIELD(TASK, task, "INTEGER PRIMARY KEY", NULL, "number of the task in this recording") \
	COLUMN(LEAD, taskset_id, "INTEGER NOT NULL REFERENCES taskset", NULL, "the set it belongs to") \
	COLUMN(TASK_INDEX, task_idx, "INTEGER NOT NULL", NULL, \
		"its index in the set, from 0; ties go to the lower index") \
	FIELD(TEXT, name, "TEXT NOT NULL", NULL, "name given") \
	FIELD(INTEGER, period_ns, "INTEGER", "ns", \
		"period, or least separation; NULL: none (kernels of warps)") \
	FIELD(INTEGER, deadline_ns, "INTEGER", "ns", "relative deadline; NULL: none") \
	FIELD(INTEGER, offset_ns, "INTEGER NOT NULL", "ns", "first release") \
	FIELD(INTEGER, priority, "INTEGER", NULL, "given priority, smaller is higher; NULL: none given") \
	WORD(release, release_kind, "TEXT", NULL, \
		"periodic, sporadic, trace, jitter or after (task_after); NULL: as the run says") \
	FIELD(INTEGER, max_delay_ppm, "INTEGER", "ppm", "sporadic: gaps are T + U{0 .. max_delay * T}") \
	FIELD(TRACE, trace_id, "INTEGER REFERENCES release_trace", NULL, "trace: its list of releases") \
	FIELD(INTEGER, jitter_ns, "INTEGER", "ns", \
		"jitter: job k is released at offset + k * T + U{0 .. jitter}, and its deadline counts " \
		"from offset + k * T") \
	FIELD(INTEGER, misses_at_most, "INTEGER", NULL, \
		"limit: so many jobs may miss of any misses_in consecutive ones; NULL: no limit") \
	FIELD(INTEGER, misses_in, "INTEGER", NULL, "see misses_at_most") \
	FIELD(INTEGER, core, "INTEGER", NULL, \
		"the core that it has, from 0; NULL: none was given. Where each task has one, that is " \
		"core 0") \
	FIELD(TEXT, process, "TEXT", NULL, \
		"process, whose tasks share a context of the GPU; NULL: one of its own") \
	FIELD(INTEGER, gpu_priority, "INTEGER", NULL, \
		"given priority for the GPU, smaller is higher; NULL: none given") \
	FIELD(INTEGER, best_effort, "INTEGER", NULL, "1: best effort; NULL: not")

/* Tasks and chains are named by their indices within the set. */
#define TASK_AFTER_COLUMNS(COLUMN, FIELD, WORD) \
	FIELD(TASK, task, "INTEGER NOT NULL REFERENCES task", NULL, "a task that others release") \
	FIELD(INTEGER, place, "INTEGER NOT NULL", NULL, "number of one of those, from 0") \
	FIELD(INTEGER, after_idx, "INTEGER NOT NULL", NULL, \
		"its task_idx: job k is released when the k-th finished job of each of them has finished")

#define CHAIN_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, taskset_id, "INTEGER NOT NULL REFERENCES taskset", NULL, "the set it belongs to") \
	FIELD(INTEGER, chain_idx, "INTEGER NOT NULL", NULL, "its index in the set, from 0") \
	FIELD(TEXT, name, "TEXT NOT NULL", NULL, "name given") \
	WORD(communication, communication, "TEXT NOT NULL", NULL, \
		"implicit: jobs read at their first start and write at their finish; let: at their release " \
		"and their absolute deadline") \
	WORD(sample, sample, "TEXT NOT NULL", NULL, \
		"start: what the first task reads is stamped with the read's instant; release: with the " \
		"job's release") \
	FIELD(INTEGER, age_limit_ns, "INTEGER", "ns", "the greatest data age allowed; NULL: no limit") \
	FIELD(INTEGER, reaction_limit_ns, "INTEGER", "ns", "the longest reaction allowed; NULL: no limit")

#define CHAIN_TASK_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, taskset_id, "INTEGER NOT NULL REFERENCES taskset", NULL, "the set of the chain") \
	FIELD(INTEGER, chain_idx, "INTEGER NOT NULL", NULL, "the chain") \
	FIELD(INTEGER, stage, "INTEGER NOT NULL", NULL, "place in the chain, from 0") \
	FIELD(INTEGER, member_idx, "INTEGER NOT NULL", NULL, "task_idx of the task that is there")

/* What many segments have in common: columns of segment, and of segment_shape. */
#define SEGMENT_KIND(COLUMN, FIELD, WORD) \
	WORD(segment, kind, "TEXT NOT NULL", NULL, "cpu, copy, kernel, or wait (for operations in flight)")

#define SEGMENT_FORM(COLUMN, FIELD, WORD) \
	FIELD(INTEGER, stream, "INTEGER", NULL, \
		"stream number; -1: the task's own; -2: the NULL stream; NULL: cpu. wait: for the " \
		"operations of this stream; -1: for all, or those in awaits") \
	WORD(priority, stream_priority, "TEXT", NULL, "low or high") \
	WORD(direction, direction, "TEXT", NULL, "copies: to_gpu, to_cpu or both") \
	FIELD(INTEGER, bytes, "INTEGER", "bytes", "copies given in bytes") \
	WORD(form, form, "TEXT", NULL, \
		"kernels: how the time is given: grid, work or profile; or program (of a task), warps (of " \
		"all of the set): by what the warps do") \
	FIELD(INTEGER, grid_blocks, "INTEGER", NULL, "grid, program and warps: number of blocks") \
	FIELD(INTEGER, block_threads, "INTEGER", NULL, \
		"grid, program and warps: threads of a block, not rounded") \
	FIELD(INTEGER, registers, "INTEGER", NULL, "registers per thread") \
	FIELD(INTEGER, shared_memory, "INTEGER", "bytes", "shared memory of a block") \
	FIELD(INTEGER, overhead_ns, "INTEGER", "ns", \
		"work kernels: GL of Lemma 5.1")

#define SEGMENT_REST(COLUMN, FIELD, WORD) \
	FIELD(INTEGER, profile_idx, "INTEGER", NULL, "profile kernels: the profile") \
	FIELD(INTEGER, dynamic_uw, "INTEGER", "uW", "dynamic power per active SM") \
	FIELD(TEXT, name, "TEXT", NULL, "name given; NULL: none") \
	FIELD(INTEGER, carveout, "INTEGER", "bytes", \
		"shared memory that an SM is to have for its blocks; NULL: as much as they can use") \
	FIELD(INTEGER, idempotent, "INTEGER", NULL, \
		"1: it may be cut off, and start again from the beginning; NULL: not") \
	FIELD(INTEGER, async, "INTEGER", NULL, \
		"copies and kernels: 1: the job issues it and goes on; NULL: it waits for its end") \
	FIELD(TEXT, awaits, "TEXT", NULL, \
		"names of the earlier segments after which it comes, or for which it waits, JSON; " \
		"NULL: none") \
	FIELD(INTEGER, gpu, "INTEGER", NULL, "which GPU of several it is on, from 0; NULL: GPU 0") \
	FIELD(TEXT, profiles, "TEXT", NULL, \
		"JSON: its profiles on GPU 0, 1, ..., where they differ; NULL: profile_idx on all") \
	FIELD(TEXT, sms, "TEXT", NULL, \
		"kernels: the SMs that its blocks may be placed on (its mask), ascending, JSON; NULL: all") \
	FIELD(TEXT, graph, "TEXT", NULL, \
		"asynchronous: the graph of which it is a node; nodes in a row are launched once; " \
		"NULL: none") \
	FIELD(TEXT, copy_times, "TEXT", "ns", \
		"JSON: of a copy, [best, worst] on GPU 0, 1, ..., where they differ; NULL: best_ns and " \
		"worst_ns on all") \
	FIELD(TEXT, program, "TEXT", NULL, \
		"kernels of form program, JSON: clock, sub-cores, scheduler, units and memory of the SMs, " \
		"and the steps of every warp; those of a loop's body follow it. NULL: others")

#define SEGMENT_COLUMNS(COLUMN, FIELD, WORD) \
	FIELD(TASK, task, "INTEGER NOT NULL REFERENCES task", NULL, "the task") \
	FIELD(INTEGER, segment_idx, "INTEGER NOT NULL", NULL, "place in the job, from 0") \
	SEGMENT_KIND(COLUMN, FIELD, WORD) \
	FIELD(INTEGER, best_ns, "INTEGER", "ns", \
		"least time; grid: of a block, of the longest where they are not alike; work: on one SM " \
		"alone; NULL: see the profile, or the program (warp_step)") \
	FIELD(INTEGER, worst_ns, "INTEGER", "ns", "greatest time, as best_ns") \
	SEGMENT_FORM(COLUMN, FIELD, WORD) \
	FIELD(TEXT, interleave, "TEXT", NULL, \
		"work kernels: {V_SM: [numerator, denominator]} of alpha, JSON") \
	SEGMENT_REST(COLUMN, FIELD, WORD)

/* Sets of campaigns have their segments in these two (db/packed.h). */
#define SEGMENT_SHAPE_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(KEY, shape_id, "INTEGER PRIMARY KEY", NULL, "number of the shape in this recording") \
	SEGMENT_KIND(COLUMN, FIELD, WORD) \
	SEGMENT_FORM(COLUMN, FIELD, WORD) \
	SEGMENT_REST(COLUMN, FIELD, WORD)

#define TASK_SEGMENTS_COLUMNS(COLUMN, FIELD, WORD) \
	FIELD(TASK, task, "INTEGER PRIMARY KEY REFERENCES task", NULL, "the task") \
	FIELD(INTEGER, first_shape_id, "INTEGER NOT NULL REFERENCES segment_shape", NULL, \
		"shape 0 of its segments") \
	FIELD(TEXT, shapes, "TEXT NOT NULL", NULL, \
		"a character for each segment: 0, then those that follow in Unicode, is the place of its " \
		"shape behind shape 0; places from 55248 on are 10240 further") \
	FIELD(TEXT, times, "TEXT NOT NULL", "ns", \
		"JSON: of each segment [worst_ns, best_ns, interleave], best_ns \"\" where it is worst_ns; " \
		"without interleave [worst_ns, best_ns], or worst_ns alone where they are equal")

/* Blocks of kernels whose blocks differ: block b of the grid has the times of row b modulo the number of
 * rows. */
#define SEGMENT_BLOCK_COLUMNS(COLUMN, FIELD, WORD) \
	FIELD(TASK, task, "INTEGER NOT NULL REFERENCES task", NULL, "the task") \
	FIELD(INTEGER, segment_idx, "INTEGER NOT NULL", NULL, \
		"a kernel whose blocks do not all take the same time") \
	FIELD(INTEGER, block, "INTEGER NOT NULL", NULL, \
		"block of the grid, from 0; the rows of a kernel repeat over its grid") \
	FIELD(INTEGER, share_ppm, "INTEGER", "ppm", \
		"its share of the kernel's draw, rounded up; NULL: it has a draw of its own") \
	FIELD(INTEGER, best_ns, "INTEGER", "ns", "a draw of its own: least time; NULL: a share") \
	FIELD(INTEGER, worst_ns, "INTEGER", "ns", "a draw of its own: greatest time; NULL: a share")

/* Measured times of segments, of which a run may draw one for each of their instances. */
#define SEGMENT_SAMPLE_COLUMNS(COLUMN, FIELD, WORD) \
	FIELD(TASK, task, "INTEGER NOT NULL REFERENCES task", NULL, "the task") \
	FIELD(INTEGER, segment_idx, "INTEGER NOT NULL", NULL, "a segment with samples") \
	FIELD(INTEGER, sample, "INTEGER NOT NULL", NULL, "number of the sample, from 0") \
	FIELD(INTEGER, value_ns, "INTEGER NOT NULL", "ns", \
		"a time it took, within its best_ns and worst_ns; of kernels: each block, or the longest")

#define PROFILE_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, taskset_id, "INTEGER NOT NULL REFERENCES taskset", NULL, "the task set it belongs to") \
	FIELD(INTEGER, profile_idx, "INTEGER NOT NULL", NULL, "number in the set, from 0") \
	FIELD(TEXT, name, "TEXT NOT NULL", NULL, "name given") \
	FIELD(INTEGER, sms, "INTEGER NOT NULL", NULL, "on so many SMs (m)") \
	FIELD(INTEGER, best_ns, "INTEGER NOT NULL", "ns", "least time on m SMs") \
	FIELD(INTEGER, worst_ns, "INTEGER NOT NULL", "ns", "greatest time on m SMs") \
	FIELD(INTEGER, total_power_uw, "INTEGER", "uW", \
		"power of the whole GPU meanwhile; NULL: not measured")

/* Sets of kernels that are programs of warps (docs/warps.md) have a row here; task i is kernel i. (The keys
 * are no INTEGER PRIMARY KEY: the rowids then have no gaps, and tell which rows belong to a unit of a
 * campaign.) */
#define WARP_MACHINE_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, taskset_id, "INTEGER NOT NULL UNIQUE REFERENCES taskset", NULL, \
		"the set of kernels (task i is kernel i)") \
	FIELD(INTEGER, clock_hz, "INTEGER NOT NULL", "Hz", "cycles per second") \
	FIELD(INTEGER, sub_cores, "INTEGER NOT NULL", NULL, "sub-cores of an SM") \
	FIELD(INTEGER, shared_latency_cycles, "INTEGER NOT NULL", "cycles", \
		"from an access to shared memory to its result") \
	FIELD(INTEGER, l1_latency_cycles, "INTEGER NOT NULL", "cycles", "of a hit in L1") \
	FIELD(INTEGER, l2_latency_cycles, "INTEGER NOT NULL", "cycles", "of a hit in L2") \
	FIELD(INTEGER, dram_latency_cycles, "INTEGER NOT NULL", "cycles", \
		"of DRAM, from the cycle in which the bytes have passed") \
	FIELD(INTEGER, dram_bytes_per_1000_cycles, "INTEGER NOT NULL", "bytes", \
		"bandwidth of DRAM, of the whole GPU") \
	FIELD(INTEGER, shared_fj, "INTEGER NOT NULL", "fJ", \
		"energy of a thread instruction on shared memory") \
	FIELD(INTEGER, global_fj, "INTEGER NOT NULL", "fJ", "of one on global memory") \
	FIELD(INTEGER, dram_byte_fj, "INTEGER NOT NULL", "fJ", "of a byte to or from DRAM") \
	FIELD(INTEGER, l1_bytes, "INTEGER", "bytes", "L1 of an SM, for loads that reuse; NULL: not given") \
	FIELD(INTEGER, requests, "INTEGER", NULL, \
		"an SM takes loads while fewer lines than this are on their way to its L1; NULL: always") \
	FIELD(INTEGER, l2_bytes, "INTEGER", "bytes", "L2, for loads that reuse; NULL: not given")

#define WARP_UNIT_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, taskset_id, "INTEGER NOT NULL REFERENCES taskset", NULL, "the set of kernels") \
	WORD(unit, unit, "TEXT NOT NULL", NULL, "int, fp, fp64, sfu, tensor or memory") \
	FIELD(INTEGER, latency_cycles, "INTEGER", "cycles", \
		"from the issue to the result; NULL: memory, where it depends on the access") \
	FIELD(INTEGER, interval_cycles, "INTEGER NOT NULL", "cycles", \
		"from an instruction to the next one that the unit accepts") \
	FIELD(INTEGER, instruction_fj, "INTEGER", "fJ", "energy of a thread instruction; NULL: memory")

#define WARP_KERNEL_COLUMNS(COLUMN, FIELD, WORD) \
	FIELD(TASK, task, "INTEGER NOT NULL UNIQUE REFERENCES task", NULL, "the kernel") \
	FIELD(INTEGER, blocks, "INTEGER NOT NULL", NULL, \
		"blocks of a launch; of an application this and the next three are of its first part, the " \
		"others are in segment") \
	FIELD(INTEGER, block_threads, "INTEGER NOT NULL", NULL, "threads of a block") \
	FIELD(INTEGER, registers, "INTEGER NOT NULL", NULL, "registers per thread") \
	FIELD(INTEGER, shared_memory, "INTEGER NOT NULL", "bytes", "shared memory of a block") \
	FIELD(INTEGER, stream, "INTEGER NOT NULL", NULL, "stream number; -1: the kernel's own") \
	WORD(priority, stream_priority, "TEXT NOT NULL", NULL, "low or high") \
	FIELD(INTEGER, launch_cycle, "INTEGER NOT NULL", "cycles", "cycle of the first launch") \
	FIELD(INTEGER, period_cycles, "INTEGER", "cycles", "from a launch to the next; NULL: none") \
	FIELD(INTEGER, repeat, "INTEGER NOT NULL", NULL, "1: launched again in the cycle in which it ended") \
	WORD(goal, goal_kind, "TEXT", NULL, \
		"ipc, share (of the IPC alone) or time (of a launch); NULL: no goal") \
	FIELD(INTEGER, goal_ipc_ppm, "INTEGER", "ppm", "ipc: thread instructions per cycle, in millionths") \
	FIELD(INTEGER, goal_share_ppm, "INTEGER", "ppm", "share: of the IPC alone") \
	FIELD(INTEGER, goal_time_ns, "INTEGER", "ns", "time: that a launch may take")

/* The steps of a loop's body follow it. */
#define WARP_STEP_COLUMNS(COLUMN, FIELD, WORD) \
	FIELD(TASK, task, "INTEGER NOT NULL REFERENCES task", NULL, "the kernel") \
	FIELD(INTEGER, step_idx, "INTEGER NOT NULL", NULL, \
		"place in the program, from 0, through all parts of an application; the steps of a loop's " \
		"body follow it") \
	WORD(step, kind, "TEXT NOT NULL", NULL, \
		"compute, load, store, shared_load, shared_store, barrier or loop") \
	WORD(compute_unit, unit, "TEXT", NULL, "compute: int, fp, fp64, sfu or tensor") \
	FIELD(INTEGER, count, "INTEGER NOT NULL", NULL, \
		"instructions one after the other, or rounds of a loop") \
	FIELD(INTEGER, body, "INTEGER", NULL, "loop: so many of the following steps are its body") \
	FIELD(INTEGER, threads, "INTEGER", NULL, "active threads of a warp; NULL: loop") \
	FIELD(INTEGER, distance, "INTEGER", NULL, \
		"an instruction needs the result of the one so many before it; 0: of none") \
	FIELD(INTEGER, first_distance, "INTEGER", NULL, "the same for the step's first instruction") \
	FIELD(INTEGER, latency_cycles, "INTEGER", "cycles", \
		"compute: until its result; NULL: as the unit's") \
	FIELD(INTEGER, l1_hit_ppm, "INTEGER", "ppm", "global accesses: probability of a hit in L1") \
	FIELD(INTEGER, l2_hit_ppm, "INTEGER", "ppm", \
		"global accesses: probability of a hit in L2, behind L1") \
	FIELD(INTEGER, coalescing_ppm, "INTEGER", "ppm", \
		"global accesses: 1000000: as few sectors as the bytes need; 0: one for each thread") \
	FIELD(INTEGER, bytes, "INTEGER", "bytes", "global accesses: of a thread") \
	FIELD(INTEGER, reuse, "INTEGER", NULL, \
		"load: it uses what the warp's load so many before it loaded; NULL: l1_hit_ppm decides") \
	WORD(rounds, shared, "TEXT", NULL, \
		"loop: who takes its rounds from the launch's pool: warps, blocks; NULL: a warp has its " \
		"own") \
	FIELD(INTEGER, segment_idx, "INTEGER", NULL, \
		"the segment of a job that the step is of: 0, and further ones of an application")

/* Campaigns with `record: verdicts`: of most sets only these rows are recorded (db/verdicts.h). */
#define QUESTION_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, question_id, "INTEGER PRIMARY KEY", NULL, \
		"number of what was asked about every set of the campaign: a run, or an analysis") \
	FIELD(INTEGER, policy_id, "INTEGER NOT NULL REFERENCES policy", NULL, \
		"the policy, with its parameters, of the runs or for which bounds hold") \
	FIELD(TEXT, analysis, "TEXT", NULL, "name of the analysis; NULL: runs") \
	FIELD(TEXT, params, "TEXT", NULL, "its parameters, JSON; NULL: runs") \
	FIELD(TEXT, safety, "TEXT", NULL, "as in analysis_run; NULL: runs") \
	FIELD(INTEGER, version, "INTEGER", NULL, "grows when the analysis gives other bounds; NULL: runs")

#define GRID_POINT_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(LEAD, point_id, "INTEGER PRIMARY KEY", NULL, \
		"number of the point of the campaign's grid, from 0 on; unit u is of point u / sets") \
	FIELD(TEXT, recipe, "TEXT NOT NULL", NULL, "as in taskset") \
	FIELD(INTEGER, target_utilisation_ppm, "INTEGER", "ppm", "as in taskset")

#define VERDICT_COLUMNS(COLUMN, FIELD, WORD) \
	FIELD(INTEGER, unit, "INTEGER NOT NULL", NULL, \
		"number of a unit (task set) of the campaign that has no rows but these") \
	FIELD(INTEGER, point_id, "INTEGER NOT NULL REFERENCES grid_point", NULL, "its point of the grid") \
	FIELD(INTEGER, platform_id, "INTEGER NOT NULL REFERENCES platform", NULL, "the platform") \
	FIELD(INTEGER, question_id, "INTEGER NOT NULL REFERENCES question", NULL, "what was asked") \
	FIELD(INTEGER, replication, "INTEGER", NULL, "of the run; NULL: an analysis") \
	WORD(brief, verdict, "TEXT NOT NULL", NULL, \
		"schedulable: of a run, that it was ok and no job missed; unschedulable; refused; " \
		"truncated: a run that was cut short")

#define TALLY_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(OTHER, point_id, "INTEGER NOT NULL REFERENCES grid_point", NULL, "a point of the grid") \
	COLUMN(OTHER, platform_id, "INTEGER NOT NULL REFERENCES platform", NULL, "a platform") \
	COLUMN(OTHER, question_id, "INTEGER NOT NULL REFERENCES question", NULL, "what was asked") \
	COLUMN(OTHER, first_unit, "INTEGER NOT NULL", NULL, "the first unit with rows in verdict") \
	COLUMN(OTHER, sets, "INTEGER NOT NULL", NULL, "sets with rows in verdict") \
	COLUMN(OTHER, n, "INTEGER NOT NULL", NULL, "these rows") \
	COLUMN(OTHER, k, "INTEGER NOT NULL", NULL, "of them schedulable") \
	COLUMN(OTHER, refused, "INTEGER NOT NULL", NULL, "of them refused") \
	COLUMN(OTHER, truncated, "INTEGER NOT NULL", NULL, "of them truncated")

#define POLICY_COLUMNS(COLUMN, FIELD, WORD) \
	COLUMN(KEY, policy_id, "INTEGER PRIMARY KEY", NULL, \
		"number of the policy with its parameters in this recording") \
	COLUMN(LEAD, digest, "TEXT NOT NULL UNIQUE", NULL, "digest of name, parameters and version") \
	FIELD(TEXT, name, "TEXT NOT NULL", NULL, "as typed") \
	FIELD(TEXT, params, "TEXT NOT NULL", NULL, \
		"its parameters, JSON, every one with its value; of a plug-in also plugin, the first 16 " \
		"digits of the SHA-256 of its file") \
	FIELD(INTEGER, version, "INTEGER NOT NULL", NULL, "grows when the policy makes other schedules")

/* clang-format on */

#endif
