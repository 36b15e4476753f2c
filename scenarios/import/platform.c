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
