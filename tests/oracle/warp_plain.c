/* tests/oracle/warp_plain.c - the course of the plain simulation: the state at the beginning, the phases of
 * every cycle, the sums at the end (docs/warps.md). */
#include <assert.h>
#include <stdlib.h>

#include "tests/oracle/warp_plain_internal.h"

#define NS_IN_A_SECOND 1000000000

void *plain_room(void *list, size_t count, size_t size)
{
	void *room = realloc(list, count * size);
	if (!room)
		abort();
	return room;
}

int64_t plain_ns(const struct warp_machine *m, int64_t cycle)
{
	return (int64_t)((int128)cycle * NS_IN_A_SECOND / m->clock_hz);
}

int64_t plain_cycles(const struct warp_machine *m, int64_t ns)
{
	int128 cycles = (int128)ns * m->clock_hz / NS_IN_A_SECOND;
	return cycles > INT64_MAX ? INT64_MAX : (int64_t)cycles;
}

const struct warp_kernel *plain_described(const struct plain *p, uint32_t kernel)
{
	return &p->in->set->kernels[kernel];
}

const struct plain_part *plain_part_of(const struct plain *p, const struct plain_job *job)
{
	return &p->kernel[job->kernel].part[job->part];
}

const struct plain_part *plain_part_now(const struct plain *p, uint32_t kernel)
{
	const struct plain_job *job = plain_active_job(p, kernel);
	return job ? plain_part_of(p, job) : &p->kernel[kernel].part[0];
}

/* Goals in millionths (docs/warps.md, Managers). In a run of one kernel alone there are no goals. */
static int64_t goal_of(const struct plain *p, uint32_t kernel)
{
	const struct warp_goal *g = &plain_described(p, kernel)->goal;
	int128 goal = -1;
	if (p->in->only != PLAIN_ALL)
		return -1;
	if (g->kind == GOAL_IPC)
		goal = g->ipc;
	if (g->kind == GOAL_SHARE)
		goal = (int128)g->share_ppm * p->in->alone[kernel] / MILLION;
	if (g->kind == GOAL_TIME)
		goal = (int128)MILLION * plain_launch_size(p, kernel) /
		       plain_cycles(p->machine, g->kernel_ns);
	if (g->kind != GOAL_NONE && goal < 1)
		goal = 1;
	return (int64_t)goal;
}

/* The kernel itself is the first part, those of `then` follow. */
static void begin_parts(const struct warp_kernel *described, struct plain_kernel *kernel)
{
	uint32_t steps = 0;
	kernel->parts = 1 + described->then_count;
	assert(kernel->parts <= WARP_PARTS_MAX);
	for (uint32_t i = 0; i < kernel->parts; i++) {
		plain_unroll(i == 0 ? described : &described->then[i - 1], &kernel->part[i]);
		kernel->part[i].first_step = steps;
		steps += kernel->part[i].described->step_count;
	}
}

static void begin_kernels(struct plain *p)
{
	for (uint32_t k = 0; k < p->kernels; k++) {
		const struct warp_kernel *described = plain_described(p, k);
		struct plain_kernel *kernel = &p->kernel[k];
		bool launched = p->in->only == PLAIN_ALL || p->in->only == k;
		begin_parts(described, kernel);
		kernel->goal = goal_of(p, k);
		kernel->next_release = launched ? described->launch : -1;
		kernel->first_active = -1;
		kernel->history = -1;
	}
}

static void begin_sms(struct plain *p)
{
	for (uint32_t i = 0; i < p->sms; i++) {
		for (uint32_t s = 0; s < p->machine->sub_cores; s++) {
			struct plain_sub_core *core = &p->sm[i].core[s];
			core->last_age = core->last_cycle = -1;
			core->preferred = NOBODY;
		}
	}
}

void plain_begin(struct plain *p, const struct plain_input *in)
{
	*p = (struct plain){.in = in, .machine = &in->set->machine, .options = in->options};
	p->manager = in->only == PLAIN_ALL ? in->options->manager : MANAGER_SMK;
	p->sms = in->platform->sms;
	p->kernels = in->set->kernel_count;
	p->horizon = plain_cycles(p->machine, in->setup->horizon_ns);
	p->limit = plain_cycles(p->machine, in->setup->limit_ns);
	p->climbing = true;
	p->out = plain_room(NULL, 1, sizeof(*p->out));
	*p->out = (struct plain_result){0};
	size_t slots = (size_t)p->sms * p->machine->sub_cores * WARP_SLOTS;
	p->out->slots = plain_room(NULL, slots, sizeof(int64_t));
	for (size_t i = 0; i < slots; i++)
		p->out->slots[i] = 0;
	assert(p->sms >= 1 && p->sms <= SMS_MAX && p->kernels <= WARP_KERNELS_MAX);
	begin_kernels(p);
	begin_sms(p);
	plain_groups(p);
	if (p->manager == MANAGER_SPART)
		plain_spart_begin(p);
	else
		plain_first_targets(p);
}

/* Sums up what a kernel did in the whole run; the counts of its instructions and accesses exist already. */
static void sum_up_kernel(struct plain *p, uint32_t k)
{
	struct warp_kernel_result *r = &p->out->kernel[k];
	r->cycles = p->kernel[k].first_active >= 0 ? p->c - p->kernel[k].first_active : 0;
	r->ipc = r->cycles > 0 ? (int64_t)((int128)MILLION * r->thread_instructions / r->cycles) : 0;
	r->goal = p->kernel[k].goal;
	r->alone = p->in->alone && p->in->only == PLAIN_ALL ? p->in->alone[k] : -1;
	r->reached = r->goal >= 0 && r->ipc >= r->goal;
	p->out->energy_fj += r->energy_fj;
}

void plain_sum_up(struct plain *p)
{
	const struct run_setup *setup = p->in->setup;
	int64_t end = plain_ns(p->machine, p->c);
	if (setup->horizon_ns > end)
		end = setup->horizon_ns;
	p->out->cycles = p->c;
	p->out->energy_fj = (int128)p->in->platform->static_uw * end;
	for (uint32_t k = 0; k < p->kernels; k++) {
		sum_up_kernel(p, k);
		for (uint32_t i = 0; i < p->kernel[k].parts; i++)
			free(p->kernel[k].part[i].program);
	}
	for (uint32_t i = 0; i < p->sms; i++)
		free(p->sm[i].requests.row);
	free(p->jobs.row);
}

struct plain_result *plain_run(const struct plain_input *input)
{
	struct plain *p = plain_room(NULL, 1, sizeof(*p));
	plain_begin(p, input);
	for (p->c = 0;; p->c++) {
		plain_phase_ends(p);
		if (plain_is_over(p))
			break;
		plain_phase_launches(p);
		plain_phase_dispatch(p);
		plain_phase_epoch(p);
		plain_phase_issue(p);
		plain_phase_sample(p);
	}
	if (p->c > 0)
		plain_close_epoch(p);
	plain_stop(p);
	plain_sum_up(p);
	struct plain_result *out = p->out;
	free(p);
	return out;
}

void plain_result_free(struct plain_result *r)
{
	if (!r)
		return;
	free(r->issues.row);
	free(r->jobs.row);
	free(r->stays.row);
	free(r->spans.row);
	free(r->epochs.row);
	free(r->sms.row);
	free(r->quotas.row);
	free(r->slots);
	free(r);
}

int64_t plain_ipc_alone(const struct plain_input *input, uint32_t kernel)
{
	struct plain_input alone = *input;
	alone.only = kernel;
	struct plain_result *r = plain_run(&alone);
	int64_t ipc = r->kernel[kernel].ipc;
	plain_result_free(r);
	return ipc;
}
