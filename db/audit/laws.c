/* db/audit/laws.c - owns the table of laws, and says to which runs each applies. */
#include "db/audit/law.h"
#include "db/audit/warps.h"

static bool any(const struct recording *r)
{
	(void)r;
	return true;
}

/* Digests of identities, which recordings before version 3 do not have. */
static bool identified(const struct recording *r)
{
	return r->identified;
}

static bool made(const struct recording *r)
{
	return r->status != RUN_ERROR;
}

static bool ran(const struct recording *r)
{
	return r->status == RUN_OK || r->status == RUN_TRUNCATED;
}

/* A run of blocks that made a schedule: segments and blocks have the times that their description gives. */
static bool ran_blocks(const struct recording *r)
{
	return ran(r) && !r->warps;
}

/* Operations of a task come one after the other: the sweep follows each. */
static bool ran_in_turn(const struct recording *r)
{
	return ran_blocks(r) && !r->flights;
}

static bool ran_flights(const struct recording *r)
{
	return ran_blocks(r) && r->flights;
}

/* What is in front of what is known from rows: nothing left its queue without any. */
static bool flights_queue(const struct recording *r)
{
	return ran_flights(r) && r->promise && !r->contexts && r->on_miss == ON_MISS_CONTINUE;
}

static bool ran_warps(const struct recording *r)
{
	return ran(r) && r->warps;
}

/* Whether the rows can be assigned to cycles. Where several cycles begin at one instant, only instructions
 * tell. */
static bool walked(const struct recording *r)
{
	return ran_warps(r) && r->warps->cycles >= 0 && (warps_exact(r->warps) || r->level >= LEVEL_ISSUES);
}

static bool has_chains(const struct recording *r)
{
	return ran_blocks(r) && r->chains > 0;
}

static bool has_triggers(const struct recording *r)
{
	bool any_task = false;
	for (uint32_t i = 0; i < r->tasks; i++)
		any_task |= r->task[i].releases.kind == RELEASES_AFTER;
	return ran_blocks(r) && any_task;
}

static bool launches(const struct recording *r)
{
	return ran_in_turn(r) && r->machine.takes.launch_ns > 0;
}

static bool keeps_distance(const struct recording *r)
{
	return ran_in_turn(r) && !r->contexts &&
	       (r->machine.takes.latency_ns > 0 || r->machine.takes.gap_ns > 0);
}

static bool has_gpu(const struct recording *r)
{
	return ran_blocks(r) && r->machine.sms > 0;
}

static bool has_gpus(const struct recording *r)
{
	return has_gpu(r) && r->gpus > 1;
}

static bool gpu_in_turn(const struct recording *r)
{
	return ran_in_turn(r) && r->machine.sms > 0;
}

static bool flies_kernels(const struct recording *r)
{
	return ran_flights(r) && r->machine.sms > 0;
}

/* A block that goes on has another slot than before, in an order that no row says. */
static bool keeps_slots(const struct recording *r)
{
	return has_gpu(r) && !r->contexts;
}

static bool known_policy(const struct recording *r)
{
	return ran_in_turn(r) && r->promise;
}

/* Laws on the whole file. */
static bool none(const struct recording *r)
{
	(void)r;
	return false;
}

static bool any_core(const struct recording *r)
{
	return known_policy(r) && r->machine.global;
}

/* Whether processes had the GPU in turns; then nobody derives the queues in front of it. */
static bool has_contexts(const struct recording *r)
{
	return ran_blocks(r) && r->contexts;
}

/* Whether it is known which process is active (db/audit/laws_contexts.c). */
static bool takes_turns(const struct recording *r)
{
	return has_contexts(r) && r->promise && r->promise->turns && r->machine.takes.latency_ns == 0 &&
	       r->machine.takes.gap_ns == 0 && !(r->promise->compute_only && r->streams_shared);
}

/* Whether a copy may be on an engine as soon as it is issued, and its process has the GPU. */
static bool copies_in_contexts(const struct recording *r)
{
	return takes_turns(r) && !r->streams_shared && r->promise->copy_order == BY_ARRIVAL;
}

static bool has_calls(const struct recording *r)
{
	return has_contexts(r) && r->calls;
}

static bool has_owner(const struct recording *r)
{
	return has_contexts(r) && r->promise && r->promise->owned;
}

/* GPUs need not be alike: on one of them copies wait for engines; blocks are placed on SMs, not in a pool. */
static bool some_engine(const struct recording *r)
{
	bool some = false;
	for (uint32_t g = 0; g < r->gpus; g++)
		some |= machine_of(r, g)->engines > 0;
	return some;
}

static bool some_unpooled(const struct recording *r)
{
	bool some = false;
	for (uint32_t g = 0; g < r->gpus; g++)
		some |= !machine_of(r, g)->pooled;
	return some;
}

static bool copies_queue(const struct recording *r)
{
	return known_policy(r) && !r->contexts && some_engine(r);
}

static bool has_gate(const struct recording *r)
{
	return known_policy(r) && !r->contexts && r->promise->gate != GATE_NONE;
}

/* Also under a policy that is not known, for what R1 and R2 demand of every kernel that places blocks. */
static bool primary_queue(const struct recording *r)
{
	return gpu_in_turn(r) && (!r->promise || r->promise->grants == GRANTS_NONE);
}

static bool has_masks(const struct recording *r)
{
	return has_gpu(r) && r->masks;
}

/* Whether the task table may be full. */
static bool fills_table(const struct recording *r)
{
	bool limited = r->machine.resident_kernels < INT64_MAX;
	for (uint32_t g = 1; g < r->gpus; g++)
		limited |= r->gpu[g].resident_kernels < INT64_MAX;
	return gpu_in_turn(r) && r->tabled && limited;
}

static bool takes_sms(const struct recording *r)
{
	bool any = r->machine.preemption_delay_ns > 0;
	for (uint32_t g = 1; g < r->gpus; g++)
		any |= r->gpu[g].preemption_delay_ns > 0;
	return any && r->promise && primary_queue(r) && !r->contexts;
}

static bool chooses_sm(const struct recording *r)
{
	return primary_queue(r) && some_unpooled(r) && !r->contexts;
}

static bool decides_sms(const struct recording *r)
{
	return known_policy(r) && r->promise->admits == ADMITS_DECIDED;
}

static bool places_sections(const struct recording *r)
{
	return known_policy(r) && r->promise->places;
}

static bool predicts(const struct recording *r)
{
	return decides_sms(r) || places_sections(r);
}

/* Whether kernels may have SMs of their own, by the policy or by what was recorded. A policy that is not
 * known may grant any. */
static bool gives_sms(const struct recording *r)
{
	bool given = !r->promise || r->promise->grants != GRANTS_NONE;
	for (uint32_t i = 0; i < r->tasks && !given; i++)
		given = r->task[i].figures.sms > 0;
	return gpu_in_turn(r) && given && some_unpooled(r);
}

/* If the admission of a unit is not recorded, it is not known when it was issued to a stream that tasks
 * share. */
static bool issues_known(const struct recording *r)
{
	return known_policy(r) && !r->contexts && (r->promise->admits != ADMITS_UNSEEN || !r->streams_shared);
}

static bool promises_sms(const struct recording *r)
{
	if (r->contexts)
		return false;
	return r->promise ? issues_known(r) && has_gpu(r) && r->promise->grants != GRANTS_NONE : gives_sms(r);
}

static bool copies_known(const struct recording *r)
{
	return copies_queue(r) && issues_known(r);
}

static bool ran_identified(const struct recording *r)
{
	return ran(r) && r->identified;
}

/* Recordings made before there was v_wait lack its indexes: it would take hours. */
static bool ran_indexed(const struct recording *r)
{
	return ran(r) && r->waits_indexed;
}

/* If nothing takes power, nobody recorded which SMs are active. */
static bool takes_power(const struct recording *r)
{
	return ran_blocks(r) && r->powered;
}

static bool power_in_turn(const struct recording *r)
{
	return takes_power(r) && !r->flights;
}

/* In the order in which they are printed. Names are stable: users' scripts see them. */
const struct law audit_laws[] = {
	{"scenario-digest", "a scenario's digest is that of its row", LEVEL_SUMMARY, 0, any, NULL},
	{"platform-digest", "a platform's digest is that of its row", LEVEL_SUMMARY, 0, any, NULL},
	{"policy-digest", "a policy's digest is that of its name, parameters and version", LEVEL_SUMMARY, 0,
		any, NULL},
	{"trace-digest", "a release trace's digest is that of its releases and lengths", LEVEL_SUMMARY, 0,
		any, NULL},
	{"set-digest", "a set's digest is that of its tasks, segments, profiles and programs", LEVEL_SUMMARY,
		0, any, NULL},
	{"setup-digest", "a run's setup digest is that of how it was set up", LEVEL_SUMMARY, 0, any, NULL},
	{"run-identity",
		"a run is of the set, platform, policy and setup that it is recorded of, and "
		"so is its outcome",
		LEVEL_SUMMARY, 0, identified, NULL},
	{"run-digest", "the digest of a schedule is that of its events and of the job rows", LEVEL_JOBS,
		AT_JOB | AT_END, ran_identified, law_run_digest},
	{"analysis-identity", "bounds are of the set, platform and policy that they are recorded of",
		LEVEL_SUMMARY, 0, identified, NULL},
	{"strays", "every row belongs to a run that has such rows", LEVEL_SUMMARY, AT_RUN | AT_END, any,
		law_strays},
	{"verdicts",
		"units with verdicts alone come in order, answer every question at their point, and none is "
		"missing or recorded twice",
		LEVEL_SUMMARY, 0, none, NULL},
	{"tally", "the tally has the counts of the verdicts", LEVEL_SUMMARY, 0, none, NULL},
	{"window", "S, the energy window and the status are what horizon, limit and jobs make them",
		LEVEL_SUMMARY, AT_RUN, made, law_window},
	{"figures", "the run's counts are the sums over its tasks, and fit each other", LEVEL_SUMMARY, AT_RUN,
		ran, law_summary_figures},
	{"ranks", "priorities are a permutation, explicit or by the policy's rule", LEVEL_SUMMARY, AT_RUN,
		ran_blocks, law_ranks},
	{"sm-sets", "tasks have as many SMs of their own as is said, and no SM belongs to too many",
		LEVEL_SUMMARY, AT_RUN, ran_blocks, law_sm_sets},
	{"releases", "jobs are released by the task's rule, before the horizon, and none is left out",
		LEVEL_JOBS, AT_JOB | AT_END, ran_blocks, law_releases},
	{"triggers", "a job that others release is released when those before it have finished", LEVEL_JOBS,
		AT_END, has_triggers, law_triggers},
	{"deadlines", "an absolute deadline is the release plus the relative deadline", LEVEL_JOBS, AT_JOB,
		ran, law_deadlines},
	{"job-order", "jobs of a task run one after the other", LEVEL_JOBS, AT_JOB, ran, law_job_order},
	{"job-state", "state and miss follow from finish, deadline, S and the rule for misses", LEVEL_JOBS,
		AT_JOB, ran, law_job_state},
	{"job-floor", "no response is shorter than the job's segments at their least", LEVEL_JOBS, AT_JOB,
		ran_in_turn, law_job_floor},
	{"stop", "S of a drained run is the end of its last job", LEVEL_JOBS, AT_END, ran, law_stop},
	{"task-figures",
		"counts, least, mean and greatest response and the histogram are those of the job rows",
		LEVEL_JOBS, AT_END, ran, law_task_figures},
	{"chains", "ages and reactions of chains are those of the job rows", LEVEL_JOBS, AT_END, has_chains,
		law_chains},
	{"precedence",
		"a segment is ready when its predecessor has ended, and starts no earlier; none is missing",
		LEVEL_SEGMENTS, AT_READY | AT_STRAY | AT_JOB_END, ran_in_turn, law_precedence},
	{"parts",
		"intervals of a segment follow each other; only the CPU and contexts preempt; nothing runs "
		"behind the end",
		LEVEL_SEGMENTS, AT_READY, ran_in_turn, law_parts},
	{"lengths", "a segment runs for the time its task, the execution rule and its draw demand",
		LEVEL_SEGMENTS, AT_READY, ran_in_turn, law_lengths},
	{"first-start", "a job's first start is when a segment of it was first given a resource",
		LEVEL_SEGMENTS, AT_JOB_END, ran_in_turn, law_first_start},
	{"flights",
		"operations in flight: a segment is ready when its job comes to it, and starts behind those "
		"that it comes after; waits and jobs end with the last operation",
		LEVEL_SEGMENTS, AT_END, ran_flights, law_flights},
	{"flight-order",
		"operations in flight: those of a hardware queue run one after the other in order of issue; "
		"the NULL stream's rule",
		LEVEL_SEGMENTS, AT_END, ran_flights, law_flight_order},
	{"flight-copies",
		"operations in flight: an engine does the copy that came first, and is not idle while one is "
		"eligible",
		LEVEL_SEGMENTS, AT_END, flights_queue, law_flight_copies},
	{"flight-kernels",
		"operations in flight: kernels place blocks in the order of the primary queue (R1), and the "
		"GPU is not idle while one is eligible",
		LEVEL_SEGMENTS, AT_END, flights_queue, law_flight_kernels},
	{"flight-engines",
		"operations in flight: a copy is on the engine of its direction, and an engine does one at a "
		"time",
		LEVEL_SEGMENTS, AT_END, ran_flights, law_flight_engines},
	{"flight-blocks",
		"operations in flight: blocks have their kernel's size and time, are placed once, and are "
		"there for as long as their kernel",
		LEVEL_BLOCKS, AT_END, flies_kernels, law_flight_blocks},
	{"flight-waits",
		"operations in flight: v_flight_wait says what each of them, and the job at a wait or its "
		"end, waited for, as follows from the intervals",
		LEVEL_SEGMENTS, AT_END, ran_flights, law_flight_waits},
	{"waits", "v_wait accounts for each instant of a job once, and whoever it names was there",
		LEVEL_SEGMENTS, AT_JOB | AT_END, ran_indexed, law_waits},
	{"cpu-exclusive", "a core is one job's at a time", LEVEL_SEGMENTS, AT_INSTANT, ran_in_turn,
		law_cpu_exclusive},
	{"cpu-priority",
		"a core is the ready job's of highest priority, and never idle while one is ready; global: "
		"the cores are those of the highest",
		LEVEL_SEGMENTS, AT_INSTANT, known_policy, law_cpu_priority},
	{"cpu-core",
		"global: a job keeps its core while it runs, and comes to the idle one of the lowest number",
		LEVEL_SEGMENTS, AT_INSTANT, any_core, law_cpu_core},
	{"spinning", "a job holds the core while its GPU section goes on only as the policy says",
		LEVEL_SEGMENTS, AT_SPIN, ran_in_turn, law_spinning},
	{"launches", "copies and kernels are launched", LEVEL_SEGMENTS, AT_READY, launches, law_launches},
	{"switches", "a job to which the core is switched pays for it before it goes on, and only then",
		LEVEL_SEGMENTS, AT_SPIN | AT_INSTANT, ran_in_turn, law_switches},
	{"interrupts", "each release interrupts the core, at once or in turn, for as long as it takes",
		LEVEL_SEGMENTS, AT_INTERRUPT | AT_INSTANT, ran_blocks, law_interrupts},
	{"gate",
		"only what the policy has admitted is on the GPU, in the promised order, and "
		"no SM waits for it",
		LEVEL_SEGMENTS, AT_START | AT_GPU_INSTANT, has_gate, law_gate},
	{"kernels-apart", "no more kernels run at a time than the policy allows, none on another's SMs",
		LEVEL_SEGMENTS, AT_START, has_gate, law_kernels_apart},
	{"decisions", "the SMs of a section are those of least energy that keep every predicted deadline",
		LEVEL_SEGMENTS, AT_DECISION | AT_GPU_INSTANT, decides_sms, law_decisions},
	{"decision-time",
		"a decision that takes time is made from when it is asked for, or when the one before is "
		"taken, by core 0 if it is to, and is taken when that time is over",
		LEVEL_SEGMENTS, AT_INTERRUPT | AT_DECISION | AT_INSTANT, decides_sms, law_decision_time},
	{"predictions",
		"what was weighed, and with what predicted end, energy and deadlines, is as calculated",
		LEVEL_SEGMENTS, AT_RUN | AT_JOB | AT_DECIDING, predicts, law_predictions},
	{"placements", "sections are where they were placed; of feasible choices that of least energy",
		LEVEL_SEGMENTS, AT_END, places_sections, law_placements},
	{"grants", "a kernel has as many SMs as its task, or as were chosen for its section", LEVEL_SEGMENTS,
		AT_START, gpu_in_turn, law_grants},
	{"streams",
		"operations of a hardware queue run one after the other in order of issue; the NULL stream's "
		"rule",
		LEVEL_SEGMENTS, AT_START, ran_in_turn, law_streams},
	{"distances", "an operation starts latency behind its issue, and gap behind its predecessor's end",
		LEVEL_SEGMENTS, AT_START, keeps_distance, law_distances},
	{"copy-engine", "a copy is on the engine of its direction, and an engine does one at a time",
		LEVEL_SEGMENTS, AT_START, ran_in_turn, law_copy_engine},
	{"copy-order", "an engine takes the copy the policy's order puts first", LEVEL_SEGMENTS, AT_START,
		copies_known, law_copy_order},
	{"copy-work", "no engine is idle while a copy waits for it", LEVEL_SEGMENTS, AT_GPU_INSTANT,
		issues_known, law_copy_work},
	{"contexts",
		"times in which a process has the GPU, and switches, follow each other and take their time",
		LEVEL_SEGMENTS, AT_CONTEXT, has_contexts, law_contexts},
	{"holder", "only the process that has the GPU uses it, and all that it uses ends with its time",
		LEVEL_SEGMENTS, AT_START | AT_BLOCK, has_contexts, law_holder},
	{"context-copies",
		"with contexts: an engine takes the copy that was issued first, and is not idle while the "
		"process that has the GPU has one",
		LEVEL_SEGMENTS, AT_START | AT_INSTANT, copies_in_contexts, law_context_copies},
	{"calls", "calls follow each other, and take their time", LEVEL_SEGMENTS, AT_CALL, has_calls,
		law_calls},
	{"owner", "the GPU is the process's whose task is in a section and of the highest GPU priority",
		LEVEL_SEGMENTS, AT_INSTANT, has_owner, law_owner},
	{"turns", "active processes have the GPU in turns, each for a slice if others are active",
		LEVEL_SEGMENTS, AT_INSTANT, takes_turns, law_turns},
	{"blocks",
		"blocks have their kernel's size and time, are placed once, and preempted only by contexts",
		LEVEL_BLOCKS, AT_BLOCK, gpu_in_turn, law_blocks},
	{"kernel-span",
		"a kernel lasts from its first block's start to its last one's end, and all were placed",
		LEVEL_BLOCKS, AT_KERNEL_END, gpu_in_turn, law_kernel_span},
	{"sm-limits", "threads, blocks, warps, registers, shared memory and virtual SMs of an SM suffice",
		LEVEL_BLOCKS, AT_BLOCK, has_gpu, law_sm_limits},
	{"slots", "a block is in the least slot of its SM that no other block is in", LEVEL_BLOCKS,
		AT_BLOCK | AT_PLACED, keeps_slots, law_slots},
	{"r1-order",
		"only the head of the primary queue places blocks, high streams first (R1, R2); with masks, "
		"whom nobody in front of it holds up",
		LEVEL_BLOCKS, AT_PLACING | AT_OVERTAKING, primary_queue, law_r1_order},
	{"r1-work", "no block of the head waits while an SM has room for it", LEVEL_BLOCKS, AT_HEAD_WAITS,
		primary_queue, law_r1_work},
	{"sm-choice", "a block goes to the SM with the most free threads, ties in the platform's order",
		LEVEL_BLOCKS, AT_PLACING, chooses_sm, law_sm_choice},
	{"sm-mask", "blocks of kernels that are confined to some SMs are on these", LEVEL_BLOCKS, AT_BLOCK,
		has_masks, law_sm_mask},
	{"task-table",
		"no more kernels have blocks on the GPU than it holds, but for those that high streams "
		"evicted",
		LEVEL_BLOCKS, AT_PLACED, fills_table, law_task_table},
	{"preemptions",
		"blocks do their work at once, but on SMs that high streams' kernels take from low ones' the "
		"delay later",
		LEVEL_BLOCKS, AT_BLOCK, takes_sms, law_preemptions},
	{"own-sms", "blocks stay on their kernel's own SMs, and no virtual SM is shared", LEVEL_BLOCKS,
		AT_BLOCK, gives_sms, law_own_sms},
	{"own-work", "a kernel starts as soon as its own SMs are free, and places what fits", LEVEL_SEGMENTS,
		AT_GPU_INSTANT, promises_sms, law_own_work},
	{"power-cover", "power intervals cover the window without gap or overlap, and count every SM",
		LEVEL_SEGMENTS, AT_END, ran_blocks, law_power_cover},
	{"power-level", "power is what the blocks on the SMs make it", LEVEL_BLOCKS,
		AT_RUN | AT_POWER | AT_END, power_in_turn, law_power_level},
	{"energy", "the run's energy is the integral of its power, exactly", LEVEL_SEGMENTS, AT_END,
		ran_blocks, law_energy},
	{"activity", "the GPU and its SMs are active for as long as power intervals and blocks say",
		LEVEL_SEGMENTS, AT_RUN | AT_POWER | AT_END, has_gpu, law_activity},
	{"energy-parts", "static, idle SMs' and the tasks' energy add up to the run's, exactly",
		LEVEL_SUMMARY, AT_END, ran_blocks, law_energy_parts},
	{"gpu-energy", "the GPUs' energies add up to the run's, and are those of their power intervals",
		LEVEL_SUMMARY, AT_END, has_gpus, law_gpu_energy},
	{"task-energy", "a task's energy is its part of the power of the SMs its blocks are on, exactly",
		LEVEL_BLOCKS, AT_RUN | AT_GPU_INSTANT | AT_END, gpu_in_turn, law_task_energy},
	/* Runs of warps (docs/warps.md). */
	{"warp-run", "the length in cycles is what horizon, limit and stop rule make it", LEVEL_SUMMARY, 0,
		ran_warps, NULL, LAW_RUN},
	{"warp-goals", "IPC, goal and whether it is reached follow from counts and description",
		LEVEL_SUMMARY, 0, ran_warps, NULL, LAW_GOALS},
	{"warp-cycles",
		"every cycle of every sub-core is counted once; those that issued are the instructions",
		LEVEL_SUMMARY, 0, ran_warps, NULL, LAW_CYCLES},
	{"warp-energy", "static power and the kernels' energies add up to the run's, exactly", LEVEL_SUMMARY,
		0, ran_warps, NULL, LAW_ENERGY},
	{"warp-launches", "jobs are released as launch, period and repeat say, and none is left out",
		LEVEL_JOBS, 0, walked, NULL, LAW_LAUNCHES},
	{"warp-streams", "a stream runs one job at a time, in order of release", LEVEL_JOBS, 0, walked, NULL,
		LAW_STREAMS},
	{"warp-work", "instructions and cycles of a kernel are those of its jobs and epochs", LEVEL_JOBS, 0,
		walked, NULL, LAW_WORK},
	{"warp-epochs", "epochs begin when they must, follow each other to the end, and have all their rows",
		LEVEL_JOBS, 0, walked, NULL, LAW_EPOCHS},
	{"warp-history", "the IPC so far is what the epochs make it", LEVEL_JOBS, 0, walked, NULL,
		LAW_HISTORY},
	{"warp-adjusted", "adjusted goals follow from history and the last epoch", LEVEL_JOBS, 0, walked,
		NULL, LAW_ADJUSTED},
	{"warp-spans",
		"a kernel is ready at its release, a part of an application when the one before has ended, "
		"and lasts from its first block's start to its last one's end",
		LEVEL_SEGMENTS, 0, walked, NULL, LAW_SPANS},
	{"warp-epoch-sums",
		"an epoch's numbers on the SMs add up to those on the GPU, and over all to the run's",
		LEVEL_SEGMENTS, 0, walked, NULL, LAW_EPOCH_SUMS},
	{"warp-quotas", "quotas are shared out by blocks", LEVEL_SEGMENTS, 0, walked, NULL, LAW_QUOTAS},
	{"warp-counters", "counters begin as the manager says and fall by what was issued", LEVEL_SEGMENTS, 0,
		walked, NULL, LAW_COUNTERS},
	{"warp-targets", "targets are those of the beginning, where nobody changes them", LEVEL_SEGMENTS, 0,
		walked, NULL, LAW_TARGETS},
	{"warp-blocks",
		"a job places each of its blocks once, and ends with the last; swapped ones come back",
		LEVEL_BLOCKS, 0, walked, NULL, LAW_BLOCKS},
	{"warp-limits", "threads, blocks, warps, registers and shared memory of an SM suffice", LEVEL_BLOCKS,
		0, walked, NULL, LAW_LIMITS},
	{"warp-slots", "a block is in the least slot of its SM that no other block is in", LEVEL_BLOCKS, 0,
		walked, NULL, LAW_PLACES},
	{"warp-dispatch", "blocks are placed as soon as they can be, in order, on the right SM", LEVEL_BLOCKS,
		0, walked, NULL, LAW_DISPATCH},
	{"warp-one", "a sub-core issues one instruction in a cycle", LEVEL_ISSUES, 0, walked, NULL, LAW_ONE},
	{"warp-program",
		"a warp issues its program, in order, each instruction once, with the rounds it is given",
		LEVEL_ISSUES, 0, walked, NULL, LAW_PROGRAM},
	{"warp-operands", "no instruction is issued before the result that it needs is there", LEVEL_ISSUES,
		0, walked, NULL, LAW_OPERANDS},
	{"warp-units",
		"a unit accepts one instruction in each interval, and loads while an SM may wait for more",
		LEVEL_ISSUES, 0, walked, NULL, LAW_UNITS},
	{"warp-barriers", "behind a barrier nobody goes on before all warps of the block have come to it",
		LEVEL_ISSUES, 0, walked, NULL, LAW_BARRIERS},
	{"warp-latencies", "results that take a fixed time take that time", LEVEL_ISSUES, 0, walked, NULL,
		LAW_LATENCIES},
	{"warp-hits", "accesses are served where the draw, or what L1 and L2 have kept, says", LEVEL_ISSUES,
		0, walked, NULL, LAW_HITS},
	{"warp-dram", "results from DRAM come when they have passed the memory server", LEVEL_ISSUES, 0,
		walked, NULL, LAW_DRAM},
	{"warp-sub-cores", "a warp issues on the sub-core that it was dealt to", LEVEL_ISSUES, 0, walked,
		NULL, LAW_DEALING},
	{"warp-ends", "a block ends when the last result of its last warp is there", LEVEL_ISSUES, 0, walked,
		NULL, LAW_ENDS},
	{"warp-swaps", "contexts take their time, and nothing is issued without one", LEVEL_ISSUES, 0, walked,
		NULL, LAW_SWAPS},
	{"warp-choice", "the scheduler issues the warp that it must", LEVEL_ISSUES, 0, walked, NULL,
		LAW_CHOICE},
	{"warp-leave", "nobody issues whom the manager does not let; counters are as counted", LEVEL_ISSUES,
		0, walked, NULL, LAW_LEAVE},
	{"warp-reasons", "cycles are counted under the reason that comes first", LEVEL_ISSUES, 0, walked,
		NULL, LAW_SLOT_REASONS},
	{"warp-idle", "idle warps are those that could have issued when they were counted", LEVEL_ISSUES, 0,
		walked, NULL, LAW_IDLE},
	{"warp-shifts", "targets change as goals, history and idle blocks demand", LEVEL_ISSUES, 0, walked,
		NULL, LAW_SHIFTS},
	{"warp-sums", "counts of kernels and epochs are those of the instructions", LEVEL_ISSUES, 0, walked,
		NULL, LAW_SUMS},
	{"warp-issue-energy", "a kernel's energy is that of its instructions and bytes, exactly",
		LEVEL_ISSUES, 0, walked, NULL, LAW_ISSUE_ENERGY},
};
const size_t audit_law_count = sizeof(audit_laws) / sizeof(audit_laws[0]);
