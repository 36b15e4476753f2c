/* runs/replay/captured_platform.c - a GPU as a profile describes it, as a platform. */
#include <inttypes.h>
#include <stdio.h>

#include "runs/replay/captured.h"
#include "scenarios/presets.h"

static bool divide_memory(struct platform *platform, const struct capture *capture,
	const struct capture_gpu *gpu, struct error *err)
{
	char compute[32];
	snprintf(compute, sizeof(compute), "%" PRId32 ".%" PRId32, gpu->compute_major, gpu->compute_minor);
	if (!divisions_find(compute, &platform->divisions))
		return error_set(err, STATUS_INPUT,
			"--carveout is for GPUs whose SMs divide their memory, from Volta on; %s says that "
			"%s has compute capability %s",
			capture->file, platform->name, compute);
	platform->shared_memory_per_sm = platform->divisions.bytes[platform->divisions.count - 1];
	return true;
}

bool captured_platform(struct platform *platform, const struct capture *capture, uint32_t index,
	bool carveout, struct error *err)
{
	const struct capture_gpu *gpu = &capture->gpus[index];
	const char *name = gpu->name[0] ? gpu->name : "a GPU";
	if (gpu->sms == 0 || gpu->warps_per_sm == 0)
		return error_set(err, STATUS_INPUT,
			"%s does not say how many SMs GPU %" PRId64
			" has, and how many warps they hold; name it with --platform (see cegsim list "
			"presets)",
			capture->file, gpu->device);
	if (gpu->sms > PLATFORM_MAX_SMS || gpu->warps_per_sm > 1024)
		return error_set(err, STATUS_INPUT,
			"%s says that %s has %" PRIu32 " SMs of %" PRIu32
			" warps each; name a GPU with --platform (see cegsim list presets)",
			capture->file, name, gpu->sms, gpu->warps_per_sm);
	*platform = platform_default();
	snprintf(platform->name, sizeof(platform->name), "%s", name);
	platform->sms = gpu->sms;
	platform->warps_per_sm = gpu->warps_per_sm;
	platform->threads_per_sm = gpu->warps_per_sm * WARP_THREADS;
	platform->blocks_per_sm = capture_blocks_per_sm(gpu);
	platform->registers_per_sm = gpu->registers_per_sm;
	platform->shared_memory_per_sm = gpu->shared_memory_per_sm > 0 ? gpu->shared_memory_per_sm : 0;
	platform->engines = gpu->copy_engines == 1 ? 1 : 2;
	return !carveout || divide_memory(platform, capture, gpu, err);
}
