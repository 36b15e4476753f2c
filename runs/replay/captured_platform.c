/* runs/replay/captured_platform.c - a GPU as a profile describes it, as a platform. */
#include <inttypes.h>
#include <stdio.h>

#include "runs/replay/captured.h"

/* Resident blocks per SM, where the file does not say it (CUDA C++ Programming Guide, "Technical
 * Specifications per Compute Capability"). 0: not known. */
static uint32_t blocks_per_sm(int32_t major, int32_t minor)
{
	static const struct {
		int32_t major, minor;
		uint32_t blocks;
	} known[] = {{3, -1, 16}, {5, -1, 32}, {6, -1, 32}, {7, 5, 16}, {7, -1, 32}, {8, 0, 32}, {8, 9, 24},
		{8, -1, 16}, {9, -1, 32}, {10, -1, 32}, {12, -1, 24}};
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].major == major && (known[i].minor == minor || known[i].minor < 0))
			return known[i].blocks;
	return 0;
}

bool captured_platform(struct platform *platform, const struct capture_gpu *gpu, struct error *err)
{
	const char *name = gpu->name[0] ? gpu->name : "a GPU";
	if (gpu->sms == 0 || gpu->warps_per_sm == 0)
		return error_set(err, STATUS_INPUT,
			"the file does not say how many SMs GPU %" PRId64
			" has, and how many warps they hold; name it with --platform (see cegsim list "
			"presets)",
			gpu->device);
	if (gpu->sms > PLATFORM_MAX_SMS || gpu->warps_per_sm > 1024)
		return error_set(err, STATUS_INPUT,
			"the file says that %s has %" PRIu32 " SMs of %" PRIu32
			" warps each; name a GPU with --platform (see cegsim list presets)",
			name, gpu->sms, gpu->warps_per_sm);
	*platform = platform_default();
	snprintf(platform->name, sizeof(platform->name), "%s", name);
	platform->sms = gpu->sms;
	platform->warps_per_sm = gpu->warps_per_sm;
	platform->threads_per_sm = gpu->warps_per_sm * WARP_THREADS;
	platform->blocks_per_sm = gpu->blocks_per_sm ? gpu->blocks_per_sm
						     : blocks_per_sm(gpu->compute_major, gpu->compute_minor);
	platform->registers_per_sm = gpu->registers_per_sm;
	platform->shared_memory_per_sm = gpu->shared_memory_per_sm > 0 ? gpu->shared_memory_per_sm : 0;
	platform->engines = gpu->copy_engines == 1 ? 1 : 2;
	return true;
}
