/* models/devices.c - several GPUs (docs/model.md, "Several GPUs"): what each has for itself, and who is
 * where.
 *
 * The files that own queues, engines, SMs and the gate know one GPU, that in the machine. With several, each
 * has a struct device; that of the GPU of which something is done is in the machine meanwhile, it is *shown*,
 * and machine.platform is as this GPU sees it. Between two calls GPU 0 is shown. A machine with one GPU has
 * no devices, runs another loop (simulation.c), and pays nothing. */
#include <assert.h>

#include "models/machine.h"

/* What each GPU has for itself; that of the one shown is in the machine. */
struct device {
	struct gpu gpu;
	struct copies copies;
	struct gate gate; /* where each has one */
};

/* Hardware queues of each GPU: as many as the one with the most has. */
static uint32_t most_queues(const struct platform *platform)
{
	uint32_t most = 0;
	for (uint32_t g = 0; g < platform_gpus(platform); g++)
		if (platform_gpu(platform, g)->work_queues > most)
			most = platform_gpu(platform, g)->work_queues;
	return most;
}

bool devices_init(struct machine *m, struct error *err)
{
	struct devices *d = &m->devices;
	d->all = m->platform;
	d->queues = most_queues(m->platform);
	if (platform_gpus(m->platform) == 1)
		return true;
	d->count = platform_gpus(m->platform);
	d->chosen = m->plan.gpus == GPUS_CHOSEN;
	d->saved = arena_new(&m->arena, struct device, d->count);
	d->gate_of = arena_new(&m->arena, uint32_t, m->task_count);
	if (d->chosen)
		d->steps = arena_new(&m->arena, const struct step *, (size_t)m->task_count *(d->count + 1));
	return (d->saved && d->gate_of && (!d->chosen || d->steps)) || error_memory(err, "the GPUs");
}

uint32_t devices_slots(const struct machine *m)
{
	uint32_t slots = 0;
	for (uint32_t g = 1; g < m->devices.count; g++)
		slots += copies_slots(platform_gpu(m->devices.all, g), m->run_count);
	return slots;
}

bool devices_share(struct machine *m, struct error *err)
{
	struct devices *d = &m->devices;
	uint32_t slot = m->slot_device;
	for (uint32_t g = 1; g < d->count; g++) {
		struct device *device = &d->saved[g];
		m->platform = platform_gpu(d->all, g);
		device->gpu = m->gpu;
		device->gate = m->gate;
		device->gate.gpu = g;
		if (!gpu_share_init(m, &device->gpu) || !copies_share_init(m, &device->copies) ||
			!gate_share_init(m, &device->gate))
			return error_memory(err, "the GPUs");
		device->copies.slot = slot;
		slot += copies_slots(m->platform, m->run_count);
	}
	m->platform = d->all;
	return true;
}

/* The queue of kernels with running blocks is one for all GPUs: it has one event. */
void devices_show(struct machine *m, uint32_t gpu)
{
	struct devices *d = &m->devices;
	if (gpu == d->shown)
		return;
	struct queue running = m->gpu.running;
	d->saved[d->shown].gpu = m->gpu;
	d->saved[d->shown].copies = m->copies;
	m->gpu = d->saved[gpu].gpu;
	m->gpu.running = running;
	m->copies = d->saved[gpu].copies;
	m->platform = platform_gpu(d->all, gpu);
	if (!d->chosen) {
		d->saved[d->shown].gate = m->gate;
		m->gate = d->saved[gpu].gate;
	}
	d->shown = gpu;
}

uint32_t devices_turn(struct machine *m, uint32_t run)
{
	uint32_t was = m->devices.shown;
	devices_show(m, m->tasks[run].step->gpu);
	return was;
}

struct gate *devices_gate(struct machine *m, uint32_t task)
{
	struct devices *d = &m->devices;
	uint32_t gpu = d->gate_of[task];
	return d->chosen || gpu == d->shown ? &m->gate : &d->saved[gpu].gate;
}

const struct gate *devices_gate_at(const struct machine *m, uint32_t gpu)
{
	const struct devices *d = &m->devices;
	return gpu == d->shown ? &m->gate : &d->saved[gpu].gate;
}

/* ---- an instant ---- */

void devices_enter(struct machine *m, uint32_t run)
{
	uint32_t was = devices_turn(m, run);
	streams_enter(m, run);
	devices_show(m, was);
}

void devices_ended(struct machine *m)
{
	devices_turn(m, queue_first(&m->gpu.running));
	gpu_complete(m);
	devices_show(m, 0);
}

void devices_copied(struct machine *m, uint32_t slot)
{
	uint32_t gpu = m->devices.count - 1;
	while (slot < m->devices.saved[gpu].copies.slot)
		gpu--;
	devices_show(m, gpu);
	copies_complete_at(m, slot);
	devices_show(m, 0);
}

void devices_woken(struct machine *m, uint32_t gpu)
{
	devices_show(m, gpu);
	gate_woken(m);
	devices_show(m, 0);
}

void devices_decide(struct machine *m)
{
	uint32_t gates = m->devices.chosen ? 1 : m->devices.count;
	for (uint32_t g = 0; g < gates; g++) {
		devices_show(m, g);
		if (m->gate.changed)
			gate_settle(m);
	}
	devices_show(m, 0);
}

void devices_dispatch(struct machine *m)
{
	for (uint32_t g = 0; g < m->devices.count; g++) {
		devices_show(m, g);
		copies_dispatch_at(m);
		if (m->gpu.changed)
			gpu_dispatch(m);
	}
	devices_show(m, 0);
}

void devices_each(struct machine *m, void (*what)(struct machine *m))
{
	uint32_t count = m->devices.count > 0 ? m->devices.count : 1;
	for (uint32_t g = 0; g < count; g++) {
		devices_show(m, g);
		what(m);
	}
	devices_show(m, 0);
}

/* ---- GPUs that the policy chooses ---- */

static const struct step **kept(const struct machine *m, uint32_t task, uint32_t gpu)
{
	return &m->devices.steps[(size_t)task * (m->devices.count + 1) + gpu];
}

void devices_keep(struct machine *m, uint32_t task, uint32_t gpu, const struct step *steps)
{
	*kept(m, task, gpu) = steps;
}

const struct step *devices_steps(const struct machine *m, uint32_t task, uint32_t gpu)
{
	return m->devices.chosen ? *kept(m, task, gpu) : m->tasks[task].steps;
}

/* From now on the job goes on with these steps, which are those of its task on some GPU. What it is at is
 * drawn again: it has not started. */
static void go_on_with(struct machine *m, uint32_t task, const struct step *steps)
{
	struct task_run *t = &m->tasks[task];
	t->steps = steps;
	t->step = steps + t->segment;
	if (!t->active || t->segment == t->step_count || t->step->kind == SEGMENT_CPU)
		return;
	int64_t length =
		t->step->fixed >= 0 ? t->step->fixed : jobs_length(m, task, t->step->best, t->step->worst);
	t->left = length > 0 ? length : 1;
}

void devices_choose(struct machine *m, uint32_t task, uint32_t gpu)
{
	if (m->devices.chosen)
		go_on_with(m, task, *kept(m, task, gpu));
}

void devices_home(struct machine *m, uint32_t task)
{
	const struct step *home = *kept(m, task, m->devices.count);
	if (m->tasks[task].steps != home)
		go_on_with(m, task, home);
}
