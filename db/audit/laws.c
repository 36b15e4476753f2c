/* db/audit/laws.c - owns the table of laws, and the asking of them: which apply to a run, who is called
 * when, what a finding looks like. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "db/audit/identity.h"
#include "db/audit/law.h"
#include "db/audit/predict.h"
#include "db/audit/warp_walk.h"
#include "db/words.h"

static bool any(const struct recording *r)
{
	(void)r;
	return true;
}

/* Digests that recordings before version 3 do not have. */
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

/* Segments and blocks take the time that they are said to take. */
static bool ran_blocks(const struct recording *r)
{
	return ran(r) && !r->warps;
}

static bool ran_warps(const struct recording *r)
{
	return ran(r) && r->warps;
}

/* Rows are put on the cycles in which they happened; where several begin at one instant only instructions
 * tell. */
static bool walked(const struct recording *r)
{
	return ran_warps(r) && r->warps->cycles >= 0 && (warps_exact(r->warps) || r->level >= LEVEL_ISSUES);
}

static bool has_gpu(const struct recording *r)
{
	return ran_blocks(r) && r->machine.sms > 0;
}

static bool known_policy(const struct recording *r)
{
	return ran_blocks(r) && r->promise;
}

static bool copies_queue(const struct recording *r)
{
	return known_policy(r) && r->machine.engines > 0;
}

static bool has_gate(const struct recording *r)
{
	return known_policy(r) && r->promise->gate != GATE_NONE;
}

/* Also under a policy that is not known, for what R1 and R2 say of whoever places blocks. */
static bool primary_queue(const struct recording *r)
{
	return has_gpu(r) && (!r->promise || r->promise->grants == GRANTS_NONE);
}

static bool chooses_sm(const struct recording *r)
{
	return primary_queue(r) && !r->machine.pooled;
}

static bool decides_sms(const struct recording *r)
{
	return known_policy(r) && r->promise->admits == ADMITS_DECIDED;
}

/* Kernels may have SMs of their own, by the policy or by what was recorded. One that is not known
 * may give any. */
static bool gives_sms(const struct recording *r)
{
	bool given = !r->promise || r->promise->grants != GRANTS_NONE;
	for (uint32_t i = 0; i < r->tasks && !given; i++)
		given = r->task[i].figures.sms > 0;
	return has_gpu(r) && given && !r->machine.pooled;
}

/* Of a unit whose admission is not recorded nobody knows when it was issued to a stream that others use. */
static bool issues_known(const struct recording *r)
{
	return known_policy(r) && (r->promise->admits != ADMITS_UNSEEN || !r->streams_shared);
}

static bool promises_sms(const struct recording *r)
{
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

/* Where nothing takes power nobody follows which SMs are active. */
static bool takes_power(const struct recording *r)
{
	return ran_blocks(r) && r->powered;
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
	{"deadlines", "an absolute deadline is the release plus the relative deadline", LEVEL_JOBS, AT_JOB,
		ran, law_deadlines},
	{"job-order", "jobs of a task run one after the other", LEVEL_JOBS, AT_JOB, ran, law_job_order},
	{"job-state", "state and miss follow from finish, deadline, S and the rule for misses", LEVEL_JOBS,
		AT_JOB, ran, law_job_state},
	{"job-floor", "no response is shorter than the job's segments at their least", LEVEL_JOBS, AT_JOB,
		ran_blocks, law_job_floor},
	{"stop", "S of a drained run is the end of its last job", LEVEL_JOBS, AT_END, ran, law_stop},
	{"task-figures",
		"counts, least, mean and greatest response and the histogram are those of the job rows",
		LEVEL_JOBS, AT_END, ran, law_task_figures},
	{"precedence",
		"a segment is ready when its predecessor has ended, and starts no earlier; none is missing",
		LEVEL_SEGMENTS, AT_READY | AT_STRAY | AT_JOB_END, ran_blocks, law_precedence},
	{"parts",
		"intervals of a segment follow each other; only the CPU preempts; nothing runs behind the "
		"end",
		LEVEL_SEGMENTS, AT_READY, ran_blocks, law_parts},
	{"lengths", "a segment runs for the time its task, the execution rule and its draw demand",
		LEVEL_SEGMENTS, AT_READY, ran_blocks, law_lengths},
	{"first-start", "a job's first start is when a segment of it was first given a resource",
		LEVEL_SEGMENTS, AT_JOB_END, ran_blocks, law_first_start},
	{"cpu-exclusive", "the core is one job's at a time", LEVEL_SEGMENTS, AT_INSTANT, ran_blocks,
		law_cpu_exclusive},
	{"cpu-priority", "the core is the ready job's of highest priority, and never idle while one is ready",
		LEVEL_SEGMENTS, AT_INSTANT, known_policy, law_cpu_priority},
	{"spinning", "a job holds the core while its GPU section goes on only as the policy says",
		LEVEL_SEGMENTS, AT_SPIN, ran_blocks, law_spinning},
	{"gate",
		"only what the policy has admitted is on the GPU, in the promised order, and "
		"no SM waits for it",
		LEVEL_SEGMENTS, AT_START | AT_INSTANT, has_gate, law_gate},
	{"kernels-apart", "no more kernels run at a time than the policy allows, none on another's SMs",
		LEVEL_SEGMENTS, AT_START, has_gate, law_kernels_apart},
	{"decisions", "the SMs of a section are those of least energy that keep every predicted deadline",
		LEVEL_SEGMENTS, AT_DECISION | AT_INSTANT, decides_sms, law_decisions},
	{"predictions",
		"what was weighed, and with what predicted end, energy and deadlines, is as calculated",
		LEVEL_SEGMENTS, AT_RUN | AT_JOB | AT_DECIDING, decides_sms, law_predictions},
	{"grants", "a kernel has as many SMs as its task, or as were chosen for its section", LEVEL_SEGMENTS,
		AT_START, has_gpu, law_grants},
	{"streams",
		"operations of a hardware queue run one after the other in order of issue; the NULL stream's "
		"rule",
		LEVEL_SEGMENTS, AT_START, issues_known, law_streams},
	{"copy-engine", "a copy is on the engine of its direction, and an engine does one at a time",
		LEVEL_SEGMENTS, AT_START, ran_blocks, law_copy_engine},
	{"copy-order", "an engine takes the copy the policy's order puts first", LEVEL_SEGMENTS, AT_START,
		copies_known, law_copy_order},
	{"copy-work", "no engine is idle while a copy waits for it", LEVEL_SEGMENTS, AT_INSTANT, issues_known,
		law_copy_work},
	{"blocks", "blocks have their kernel's size and time, are placed once, and not preempted",
		LEVEL_BLOCKS, AT_BLOCK, has_gpu, law_blocks},
	{"kernel-span",
		"a kernel lasts from its first block's start to its last one's end, and all were placed",
		LEVEL_BLOCKS, AT_KERNEL_END, has_gpu, law_kernel_span},
	{"sm-limits", "threads, blocks, warps, registers, shared memory and virtual SMs of an SM suffice",
		LEVEL_BLOCKS, AT_BLOCK, has_gpu, law_sm_limits},
	{"slots", "a block is in the least slot of its SM that no other block is in", LEVEL_BLOCKS,
		AT_BLOCK | AT_PLACED, has_gpu, law_slots},
	{"r1-order", "only the head of the primary queue places blocks, high streams first (R1, R2)",
		LEVEL_BLOCKS, AT_PLACING | AT_OVERTAKING, primary_queue, law_r1_order},
	{"r1-work", "no block of the head waits while an SM has room for it", LEVEL_BLOCKS, AT_HEAD_WAITS,
		primary_queue, law_r1_work},
	{"sm-choice", "a block goes to the SM with the most free threads, ties in the platform's order",
		LEVEL_BLOCKS, AT_PLACING, chooses_sm, law_sm_choice},
	{"own-sms", "blocks stay on their kernel's own SMs, and no virtual SM is shared", LEVEL_BLOCKS,
		AT_BLOCK, gives_sms, law_own_sms},
	{"own-work", "a kernel starts as soon as its own SMs are free, and places what fits", LEVEL_SEGMENTS,
		AT_INSTANT, promises_sms, law_own_work},
	{"power-cover", "power intervals cover the window without gap or overlap, and count every SM",
		LEVEL_SEGMENTS, AT_END, ran_blocks, law_power_cover},
	{"power-level", "power is what the blocks on the SMs make it", LEVEL_BLOCKS,
		AT_RUN | AT_POWER | AT_END, takes_power, law_power_level},
	{"energy", "the run's energy is the integral of its power, exactly", LEVEL_SEGMENTS, AT_END,
		ran_blocks, law_energy},
	{"activity", "the GPU and its SMs are active for as long as power intervals and blocks say",
		LEVEL_SEGMENTS, AT_RUN | AT_POWER | AT_END, has_gpu, law_activity},
	{"energy-parts", "static, idle SMs' and the tasks' energy add up to the run's, exactly",
		LEVEL_SUMMARY, AT_END, ran_blocks, law_energy_parts},
	{"task-energy", "a task's energy is its part of the power of the SMs its blocks are on, exactly",
		LEVEL_BLOCKS, AT_RUN | AT_INSTANT | AT_END, has_gpu, law_task_energy},
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
		"a kernel is ready at its release, and lasts from its first block's start to its last one's "
		"end",
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
	{"warp-program", "a warp issues its program, in order, each instruction once", LEVEL_ISSUES, 0,
		walked, NULL, LAW_PROGRAM},
	{"warp-operands", "no instruction is issued before the result that it needs is there", LEVEL_ISSUES,
		0, walked, NULL, LAW_OPERANDS},
	{"warp-units", "a unit accepts one instruction in each interval", LEVEL_ISSUES, 0, walked, NULL,
		LAW_UNITS},
	{"warp-barriers", "behind a barrier nobody goes on before all warps of the block have come to it",
		LEVEL_ISSUES, 0, walked, NULL, LAW_BARRIERS},
	{"warp-latencies", "results that take a fixed time take that time", LEVEL_ISSUES, 0, walked, NULL,
		LAW_LATENCIES},
	{"warp-hits", "accesses are served where the draw says", LEVEL_ISSUES, 0, walked, NULL, LAW_HITS},
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

/* ---- Asking ---- */

/* Who is called when, for this run. */
static void enlist(struct audit *a)
{
	assert(audit_law_count <= LAWS_MAX);
	memset(a->at_count, 0, sizeof(a->at_count));
	for (size_t i = 0; i < WARP_LAWS; i++)
		a->of_warps[i] = NOT_ASKED;
	for (size_t i = 0; i < audit_law_count; i++) {
		const struct law *law = &audit_laws[i];
		struct audit_result *result = &a->report->results[i];
		if (!law->applies(a->r)) {
			result->runs_elsewhere++;
			continue;
		}
		if (law->level > a->r->level) {
			result->runs_below_level++;
			continue;
		}
		result->runs++;
		a->of_warps[law->of_warps] = i;
		for (unsigned at = 0; at < STATIONS; at++) {
			if (law->stations & (1u << at))
				a->at[at][a->at_count[at]++] = (uint32_t)i;
		}
	}
}

void audit_tell(struct audit *a, const struct moment *m)
{
	unsigned at = (unsigned)__builtin_ctz(m->at);
	for (uint32_t i = 0; i < a->at_count[at] && !a->failed; i++) {
		a->current = a->at[at][i];
		a->report->results[a->current].checked += audit_laws[a->current].check(a, m);
	}
}

const char *when(struct audit *a, int64_t time)
{
	char *text = a->times[a->next_time++ % (sizeof(a->times) / sizeof(a->times[0]))];
	if (time == NOT_GIVEN)
		return "never";
	if (time >= 0)
		return unit_format(UNIT_TIME, time, text);
	snprintf(text, UNIT_TEXT_MAX, "%lldns", (long long)time);
	return text;
}

/* "run 3, block_interval: task 'radar', job 5, segment 1, block 7 on SM 2 [1ms, 3ms): " */
static void describe(struct audit *a, struct text *t, const char *table, const struct moment *m)
{
	const struct track *track = m->track;
	text_printf(t, "run %lld, %s: ", (long long)a->r->run_id, table);
	if (!track)
		return;
	text_printf(t, "task '%s'", track->task->name);
	if (m->block) {
		text_printf(t, ", job %lld, segment %lld, block %lld", (long long)m->block->seq,
			(long long)m->block->segment, (long long)m->block->index);
		if (m->block->sm != NOT_GIVEN)
			text_printf(t, " on SM %lld", (long long)m->block->sm);
		text_printf(t, " [%s, %s)", when(a, m->block->start), when(a, m->block->end));
	} else if (m->interval) {
		text_printf(t, ", job %lld, segment %lld, part %lld [%s, %s)", (long long)m->interval->seq,
			(long long)m->interval->segment, (long long)m->interval->part,
			when(a, m->interval->start), when(a, m->interval->end));
	} else if (m->job) {
		text_printf(t, ", job %lld", (long long)m->job->seq);
	} else if (track->active && m->at != AT_END) {
		text_printf(t, ", job %lld, segment %u", (long long)track->job.seq, track->segment);
	}
	text_add(t, ": ");
}

bool audit_finding(struct audit_report *report, struct audit_result *result, struct text *words,
	struct error *err, const char *fmt, va_list args)
{
	char clause[1200];
	report->findings++;
	if (result->findings++) {
		text_finish(words);
		return true;
	}
	vsnprintf(clause, sizeof(clause), fmt, args);
	text_add(words, clause);
	result->first = text_take(words);
	return result->first || error_memory(err, "reporting a finding");
}

PRINTF_LIKE(4, 0)
static void find(struct audit *a, const char *table, const struct moment *m, const char *fmt, va_list args)
{
	struct audit_result *result = &a->report->results[a->current];
	struct text words = {0};
	if (result->findings == 0)
		describe(a, &words, table, m);
	a->failed |= !audit_finding(a->report, result, &words, a->err, fmt, args);
}

void broken(struct audit *a, const char *table, const struct moment *m, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	find(a, table, m, fmt, args);
	va_end(args);
}

void audit_held(struct audit *a, enum warp_law law, uint64_t count)
{
	if (a->of_warps[law] != NOT_ASKED)
		a->report->results[a->of_warps[law]].checked += count;
}

void audit_wrong(struct audit *a, enum warp_law law, const char *table, const char *fmt, va_list args)
{
	static const struct moment nothing = {.at = AT_END};
	if (a->of_warps[law] == NOT_ASKED)
		return;
	a->current = a->of_warps[law];
	find(a, table, &nothing, fmt, args);
}

/* ---- A file ---- */

static bool audit_run(struct audit *a, struct db_reader *reader, int64_t run_id)
{
	struct recording r;
	bool ok = recording_load(&r, reader, run_id, a->err);
	if (ok) {
		a->r = &r;
		r.identified = a->identified;
		a->jobs_hash = a->strangers = 0;
		a->report->runs++;
		enlist(a);
		ok = sweep_run(a, &r, reader, a->err) &&
		     (!ran_warps(&r) || warps_walk(a, &r, reader, a->err));
	}
	cursor_close(a->power_rows);
	a->power_rows = NULL;
	free(a->task_power);
	a->task_power = NULL;
	predictions_free(a->predictions);
	a->predictions = NULL;
	recording_finish(&r);
	return ok;
}

static bool audit_runs(struct audit *a, struct db_reader *reader, int64_t run_id)
{
	struct rows q = query_rows(
		reader, "SELECT run_id FROM run WHERE ?1 IN (-1, run_id) ORDER BY run_id", run_id, a->err);
	while (rows_next(&q))
		q.ok = audit_run(a, reader, cursor_integer(q.c, 0));
	bool ok = rows_close(&q);
	if (ok && run_id != AUDIT_ALL_RUNS && a->report->runs == 0)
		return error_set(
			a->err, STATUS_INPUT, "there is no run %lld in this recording", (long long)run_id);
	return ok;
}

bool audit_file(const char *path, int64_t run_id, struct audit_report *report, struct error *err)
{
	*report = (struct audit_report){.count = audit_law_count};
	report->results = calloc(audit_law_count, sizeof(*report->results));
	if (!report->results)
		return error_memory(err, "auditing a recording");
	for (size_t i = 0; i < audit_law_count; i++) {
		report->results[i].law = audit_laws[i].name;
		report->results[i].summary = audit_laws[i].summary;
		report->results[i].level = words_level[audit_laws[i].level];
	}
	struct db_reader *reader = reader_open(path, err);
	if (!reader)
		return false;
	struct audit a = {.reader = reader, .report = report, .err = err};
	bool ok = identity_begin(&a) && identity_check(&a, run_id) && strays_check(&a, run_id) &&
		  audit_runs(&a, reader, run_id) && !a.failed;
	reader_close(reader);
	return ok;
}

void audit_report_finish(struct audit_report *report)
{
	for (size_t i = 0; report->results && i < report->count; i++)
		free(report->results[i].first);
	free(report->results);
	*report = (struct audit_report){0};
}
