/* tests/unit/audit_making.c - see tests/unit/audit_making.h. */
#include "tests/unit/audit_making.h"

#include <string.h>

#include "base/int128.h"

struct audit_sample sample_begin(const char *policy, const char *params, int64_t horizon)
{
	return (struct audit_sample){
		.policy_version = 99,
		.platform = {.name = "two-sms",
			.cores = 1,
			.engines = 1,
			.copy_bandwidth = N,
			.pool = "sm",
			.sms = 2,
			.sms_per_tpc = 1,
			.threads_per_sm = 2048,
			.blocks_per_sm = 16,
			.warps_per_sm = N,
			.registers_per_sm = N,
			.shared_memory_per_sm = N,
			.virtual_sms_per_sm = N,
			.work_queues = 32,
			.static_uw = 1000000,
			.idle_per_sm_uw = 200000},
		.policy = policy,
		.params = params,
		.set = {.name = "sample", .target_utilisation_ppm = N, .recipe_index = N},
		.run = {.seed = 1,
			.horizon_ns = horizon * MS,
			.stop_rule = "drained",
			.limit_ns = 10 * horizon * MS,
			.release_kind = "periodic",
			.max_delay_ppm = N,
			.trace_id = N,
			.execution = "worst",
			.scale_ppm = N,
			.on_miss = "continue",
			.ties = "task-order",
			.record = "blocks",
			.status = "ok",
			.failing_task = N,
			.digest = "0123456789abcdef"},
	};
}

void add_task(struct audit_sample *s, const char *name, int64_t period, int64_t deadline, int64_t offset)
{
	uint32_t task = (uint32_t)s->set.task_count++;
	s->task[task] = (struct task_row){
		task, name, period * MS, deadline * MS, offset * MS, N, NULL, N, N, N, N, N};
	s->figures[task] = (struct run_task_row){.task = task, .rank = task, .sms = N, .virtual_sms = N};
}

struct segment_row *add_segment(struct audit_sample *s, const char *kind, int64_t length)
{
	uint32_t task = (uint32_t)s->set.task_count - 1;
	int64_t index = 0;
	for (size_t i = 0; i < s->set.segment_count; i++)
		index += s->segment[i].task == task;
	struct segment_row *row = &s->segment[s->set.segment_count++];
	*row = (struct segment_row){
		.task = task,
		.segment_idx = index,
		.kind = kind,
		.best_ns = length * MS,
		.worst_ns = length * MS,
		.stream = N,
		.bytes = N,
		.async = N,
		.grid_blocks = N,
		.block_threads = N,
		.registers = N,
		.shared_memory = N,
		.overhead_ns = N,
		.profile_idx = N,
		.dynamic_uw = N,
	};
	if (strcmp(kind, "cpu") != 0) {
		row->stream = -1;
		row->stream_priority = "low";
	}
	return row;
}

void add_copy(struct audit_sample *s, const char *direction, int64_t length)
{
	add_segment(s, "copy", length)->direction = direction;
}

struct segment_row *add_grid(struct audit_sample *s, int64_t grid, int64_t block, int64_t length, int64_t uw)
{
	struct segment_row *row = add_segment(s, "kernel", length);
	row->form = "grid";
	row->grid_blocks = grid;
	row->block_threads = block;
	row->dynamic_uw = uw;
	return row;
}

struct segment_row *add_profiled(struct audit_sample *s, int64_t profile)
{
	struct segment_row *row = add_segment(s, "kernel", 0);
	row->form = "profile";
	row->best_ns = row->worst_ns = N;
	row->profile_idx = profile;
	return row;
}

void give_sms(struct audit_sample *s, int64_t sms, int64_t virtual_sms, const char *set)
{
	struct run_task_row *f = &s->figures[s->set.task_count - 1];
	f->sms = sms;
	f->virtual_sms = virtual_sms;
	f->sm_set = set;
}

struct job_row *add_job(
	struct audit_sample *s, uint32_t task, uint32_t seq, int64_t release, int64_t start, int64_t finish)
{
	struct job_row *row = &s->job[s->jobs++];
	*row = (struct job_row){
		.task = task,
		.seq = seq,
		.release_ns = release * MS,
		.abs_deadline_ns = release * MS + s->task[task].deadline_ns,
		.first_start_ns = start < 0 ? -1 : start * MS,
		.finish_ns = finish < 0 ? -1 : finish * MS,
		.outcome = job_outcome(ROW_JOB_FINISHED, false),
	};
	return row;
}

struct segment_interval_row *add_interval(struct audit_sample *s, uint32_t task, uint32_t seq,
	uint16_t segment, enum row_resource resource, int64_t ready, int64_t start, int64_t end)
{
	struct segment_interval_row *row = &s->interval[s->intervals++];
	*row = (struct segment_interval_row){
		.task = task,
		.seq = seq,
		.segment_idx = segment,
		.ready_ns = ready * MS,
		.start_ns = start * MS,
		.end_ns = end * MS,
		.code = segment_interval_code(resource, ROW_RUN, ROW_SPAN_DONE),
	};
	return row;
}

struct block_interval_row *add_block(struct audit_sample *s, uint32_t task, uint32_t seq, uint16_t segment,
	uint32_t block, uint32_t sm, uint32_t slot, uint32_t threads, int64_t start, int64_t end)
{
	struct block_interval_row *row = &s->block[s->blocks++];
	*row = (struct block_interval_row){
		.task = task,
		.seq = seq,
		.segment_idx = segment,
		.block = block,
		.sm = sm,
		.slot = slot,
		.threads = threads,
		.start_ns = start * MS,
		.end_ns = end * MS,
		.ended_code = ROW_SPAN_DONE,
	};
	return row;
}

void add_power(struct audit_sample *s, int64_t end, int64_t uw, uint32_t active)
{
	int64_t start = s->powers ? s->power[s->powers - 1].end_ns : 0;
	s->power[s->powers++] =
		(struct power_interval_row){start, end * MS, uw, active, (uint32_t)s->platform.sms - active};
}

static uint16_t first_kernel(const struct audit_sample *s, uint32_t task)
{
	for (size_t i = 0; i < s->set.segment_count; i++) {
		if (s->segment[i].task == task && strcmp(s->segment[i].kind, "kernel") == 0)
			return (uint16_t)s->segment[i].segment_idx;
	}
	return 0;
}

struct decision_row *add_decision(struct audit_sample *s, int64_t time, uint32_t task, uint32_t sms,
	int64_t end_ns, int64_t predicted, bool feasible, bool chosen)
{
	struct decision_row *row = &s->decision[s->decisions++];
	*row = (struct decision_row){
		.time_ns = time * MS,
		.asked_ns = time * MS,
		.kernel_end_ns = end_ns,
		.predicted_uwns = predicted,
		.task = task,
		.segment_idx = first_kernel(s, task),
		.sms = sms,
		.feasible = feasible,
		.chosen = chosen,
	};
	return row;
}

static void count_response(struct audit_sample *s, struct run_task_row *f, int64_t response)
{
	if (f->responses == 0) {
		f->min_response_ns = f->max_response_ns = response;
		f->mean_response_ns = 0;
	}
	f->responses++;
	f->min_response_ns = response < f->min_response_ns ? response : f->min_response_ns;
	f->max_response_ns = response > f->max_response_ns ? response : f->max_response_ns;
	f->mean_response_ns += response; /* holds the sum until the end */
	for (size_t i = 0; i < s->hists; i++) {
		if (s->hist[i].task == f->task && s->hist[i].bucket == response_bucket(response)) {
			s->hist[i].jobs++;
			return;
		}
	}
	s->hist[s->hists++] = (struct hist_row){1, f->task, response_bucket(response)};
}

/* Blocks of the kernel on the SM at an instant. UINT32_MAX: of all tasks; ROW_NONE: on all SMs. */
static int64_t blocks_at(const struct audit_sample *s, uint32_t task, uint32_t sm, int64_t at, bool threads)
{
	int64_t count = 0;
	for (size_t i = 0; i < s->blocks; i++) {
		const struct block_interval_row *b = &s->block[i];
		if ((task == UINT32_MAX || b->task == task) && (sm == ROW_NONE || b->sm == sm) &&
			b->start_ns <= at && b->end_ns > at)
			count += threads ? b->threads : 1;
	}
	return count;
}

/* Power of the task's kernel on one SM, as a fraction of *sms. */
static int64_t kernel_power(const struct audit_sample *s, uint32_t task, int64_t *sms)
{
	const struct segment_row *kernel = NULL;
	for (size_t i = 0; i < s->set.segment_count; i++) {
		if (s->segment[i].task == task && strcmp(s->segment[i].kind, "kernel") == 0)
			kernel = &s->segment[i];
	}
	*sms = 1;
	if (strcmp(kernel->form, "profile") != 0)
		return kernel->dynamic_uw;
	*sms = s->figures[task].sms == N ? s->platform.sms : s->figures[task].sms;
	for (size_t i = 0; i < s->set.profile_count; i++) {
		const struct profile_row *p = &s->profile[i];
		if (p->profile_idx == kernel->profile_idx && p->sms == *sms && p->total_power_uw != N)
			return p->total_power_uw - s->platform.static_uw -
			       s->platform.idle_per_sm_uw * (s->platform.sms - *sms);
	}
	return kernel->dynamic_uw * *sms;
}

/* Dynamic energy of a task during a millisecond. The samples' powers are chosen so that nothing is
 * rounded. */
static int128 task_energy(const struct audit_sample *s, uint32_t task, int64_t at, int64_t length)
{
	bool pooled = strcmp(s->platform.pool, "gpu") == 0;
	int128 sum = 0, sms;
	for (uint32_t sm = 0; sm < (pooled ? 1 : s->platform.sms); sm++) {
		uint32_t where = pooled ? ROW_NONE : sm;
		int64_t own = blocks_at(s, task, where, at, true),
			all = blocks_at(s, UINT32_MAX, where, at, true), m;
		if (blocks_at(s, task, where, at, false) == 0)
			continue;
		sms = pooled ? (all + s->platform.threads_per_sm - 1) / s->platform.threads_per_sm : 1;
		int64_t power = kernel_power(s, task, &m);
		sum += sms * power * length * own * 1000 / all / m;
	}
	return (sum + 500) / 1000;
}

/* Goes in steps of a tenth of a millisecond. */
static void add_energies(struct audit_sample *s)
{
	for (uint32_t i = 0; i < s->set.task_count; i++) {
		int128 sum = 0;
		for (int64_t at = 0; at < s->run.stop_ns; at += MS / 10)
			sum += task_energy(s, i, at, MS / 10);
		energy_split(sum, &s->figures[i].energy_uj, &s->figures[i].energy_rest_uwns);
	}
	s->run.gpu_active_ns = s->run.sm_active_ns = 0;
	for (size_t i = 0; i < s->powers; i++) {
		int64_t length = s->power[i].end_ns - s->power[i].start_ns;
		s->run.gpu_active_ns += s->power[i].active_sms ? length : 0;
		s->run.sm_active_ns += s->power[i].active_sms * length;
	}
}

struct audit_sample sample_end(struct audit_sample *s, int64_t stop)
{
	int128 energy = 0;
	s->run.stop_ns = stop * MS;
	s->run.window_ns = s->run.stop_ns > s->run.horizon_ns ? s->run.stop_ns : s->run.horizon_ns;
	s->run.jobs = (int64_t)s->jobs;
	for (size_t i = 0; i < s->set.task_count; i++) {
		struct run_task_row *f = &s->figures[i];
		f->min_response_ns = f->mean_response_ns = f->max_response_ns = f->worst_lower_bound_ns = N;
	}
	for (size_t i = 0; i < s->jobs; i++) {
		const struct job_row *job = &s->job[i];
		struct run_task_row *f = &s->figures[job->task];
		f->jobs++;
		f->misses += job->outcome >> 2;
		s->run.misses += job->outcome >> 2;
		int64_t waited = s->run.stop_ns - job->release_ns;
		if ((job->outcome & 3) == ROW_JOB_UNFINISHED && waited > f->worst_lower_bound_ns)
			f->worst_lower_bound_ns = waited;
		if ((job->outcome & 3) == ROW_JOB_FINISHED)
			count_response(s, f, job->finish_ns - job->release_ns);
	}
	for (size_t i = 0; i < s->set.task_count; i++) {
		if (s->figures[i].responses)
			s->figures[i].mean_response_ns /= s->figures[i].responses;
	}
	for (size_t i = 0; i < s->powers; i++)
		energy += (int128)s->power[i].power_uw * (s->power[i].end_ns - s->power[i].start_ns);
	energy_split(energy, &s->run.energy_uj, &s->run.energy_rest_uwns);
	add_energies(s);
	return *s;
}
