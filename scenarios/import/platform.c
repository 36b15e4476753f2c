/* scenarios/import/platform.c - the GPU of a capture as a platform. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "scenarios/import/parts.h"

static struct platform platform_of(const struct capture_gpu *gpu)
{
	struct platform p = platform_default();
	snprintf(p.name, sizeof(p.name), "%s", gpu->name);
	p.engines = gpu->copy_engines > 1 ? 2 : 1;
	p.pool = POOL_SM;
	p.sms = gpu->sms;
	p.sms_per_tpc = 1;
	p.warps_per_sm = gpu->warps_per_sm;
	p.threads_per_sm = gpu->warps_per_sm * WARP_THREADS;
	p.blocks_per_sm = capture_blocks_per_sm(gpu);
	p.registers_per_sm = gpu->registers_per_sm;
	p.shared_memory_per_sm = gpu->shared_memory_per_sm;
	return p;
}

static bool note_recorded(struct import *im, const struct capture_gpu *gpu, struct error *err)
{
	const struct platform *p = &im->recorded;
	const char *engines =
		gpu->copy_engines == 0
			? ""
			: part_text(im, err, "; %" PRIu32 " copy engine%s%s", gpu->copy_engines,
				  plural(gpu->copy_engines), gpu->copy_engines > 2 ? ", modelled as 2" : "");
	return engines &&
	       part_note(im, err, IMPORT_FOUND, "GPU", p->sms,
		       "%s: %" PRIu32 " SMs of %" PRIu32 " threads, %" PRIu32 " blocks, %" PRId64
		       " registers, %" PRId64 " bytes of shared memory%s",
		       gpu->name, p->sms, p->threads_per_sm, p->blocks_per_sm, p->registers_per_sm,
		       p->shared_memory_per_sm, engines) &&
	       (gpu->copy_engines > 0 || part_note(im, err, IMPORT_ASSUMED, "copy engines", 1,
						 "the file does not say how many there are; taken as 1")) &&
	       (gpu->blocks_per_sm > 0 || p->blocks_per_sm == 0 ||
		       part_note(im, err, IMPORT_ASSUMED, "blocks per SM", p->blocks_per_sm,
			       "by the compute capability, %" PRId32 ".%" PRId32 "; the file does not say",
			       gpu->compute_major, gpu->compute_minor));
}

bool part_platform(struct import *im, const struct import_request *request, uint32_t gpu, struct error *err)
{
	const struct capture_gpu *g = &im->capture->gpus[gpu];
	bool known = g->sms > 0 && g->sms <= PLATFORM_MAX_SMS && g->warps_per_sm > 0;
	if (!known && !request->platform)
		return error_set(err, STATUS_INPUT,
			"%s does not say how many SMs device %" PRId64
			" has, or of how many threads; name the GPU with --platform",
			im->capture->file, g->device);
	im->recorded = known ? platform_of(g) : *request->platform;
	im->platform = request->platform ? *request->platform : im->recorded;
	if (!known)
		return part_note(im, err, IMPORT_ASSUMED, "GPU", im->platform.sms,
			"it was recorded on %s: the file does not describe the GPU", im->platform.name);
	if (!note_recorded(im, g, err))
		return false;
	return !request->platform ||
	       part_note(im, err, IMPORT_ASSUMED, "GPU", im->platform.sms,
		       "a block takes on %s what it took on %s, and a copy too", im->platform.name, g->name);
}

/* ---- Operations in flight ---- */

bool part_any_flies(const struct import *im, uint32_t first)
{
	for (uint32_t i = first; i < im->task_count; i++)
		if (im->tasks[i].flies)
			return true;
	return false;
}

#define CPUS_MAX 65536 /* a larger number is none */

static bool is_cpu(int32_t cpu)
{
	return cpu >= 0 && cpu < CPUS_MAX;
}

/* The CPU that the thread had for the longest time; -1: not known. */
static int64_t cpu_of(struct import *im, uint32_t thread, int64_t *time_ns, uint32_t cpus)
{
	const struct capture *c = im->capture;
	int64_t best = -1;
	memset(time_ns, 0, cpus * sizeof(*time_ns));
	for (uint32_t i = 0; i < c->running_count; i++) {
		const struct capture_running *r = &c->running[i];
		if (r->thread != thread || !is_cpu(r->cpu))
			continue;
		time_ns[r->cpu] += r->end_ns - r->start_ns;
		if (best < 0 || time_ns[r->cpu] > time_ns[best])
			best = r->cpu;
	}
	return best;
}

/* Whether two threads are known to have had the same CPU, or are one. */
static bool share_core(const struct import_task *a, const struct import_task *b, int64_t a_cpu, int64_t b_cpu)
{
	return a->thread == b->thread || (a_cpu >= 0 && a_cpu == b_cpu);
}

/* A thread that goes on while its work is in flight does so beside the others. */
static bool give_cores(struct import *im, struct error *err)
{
	const struct capture *c = im->capture;
	uint32_t cpus = 1, cores = 0;
	for (uint32_t i = 0; i < c->running_count; i++)
		if (is_cpu(c->running[i].cpu) && (uint32_t)c->running[i].cpu >= cpus)
			cpus = (uint32_t)c->running[i].cpu + 1;
	int64_t *times = arena_new(&im->arena, int64_t, cpus);
	int64_t *cpu = arena_new(&im->arena, int64_t, im->task_count);
	if (!times || !cpu)
		return error_memory(err, "importing a capture");
	for (uint32_t i = 0; i < im->task_count; i++) {
		uint32_t k = 0;
		cpu[i] = cpu_of(im, im->tasks[i].thread, times, cpus);
		while (k < i && !share_core(&im->tasks[k], &im->tasks[i], cpu[k], cpu[i]))
			k++;
		im->tasks[i].core = k < i ? im->tasks[k].core : cores++;
	}
	if (cores > PLATFORM_MAX_CORES)
		return error_set(err, STATUS_INPUT,
			"%s: %" PRIu32
			" threads have operations in flight, which is more than the %u cores that a "
			"platform can have; import some of them (--thread)",
			c->file, cores, PLATFORM_MAX_CORES);
	im->platform.cores = cores > im->platform.cores ? cores : im->platform.cores;
	return true;
}

bool part_in_parallel(struct import *im, struct error *err)
{
	if (!part_any_flies(im, 0))
		return true;
	if (!give_cores(im, err))
		return false;
	if (im->gaps == 0)
		return true;
	im->platform.overheads.gap_ns = (int64_t)(im->gaps_ns / (int128)im->gaps);
	return part_note(im, err, IMPORT_FOUND, "gaps", im->gaps,
		"between operations of a stream, the next of which was there: on average %" PRId64
		" ns, which is an overhead of the platform here",
		im->platform.overheads.gap_ns);
}
